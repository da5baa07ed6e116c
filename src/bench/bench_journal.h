/*
 * `outcry bench journal`: the journal with synthetic entries against a raw writer of the same group
 * size on the same device, in turns.
 */
#ifndef BENCH_BENCH_JOURNAL_H
#define BENCH_BENCH_JOURNAL_H

#include "journal/journal.h"

#define BENCH_JOURNAL_ROUNDS_MAX 1000

typedef struct bench_journal_options {
    const char *dir;      /* borrowed; a folder is made in it, and removed again */
    uint32_t seconds;     /* about so long in all, but at least three rounds */
    uint32_t entry_bytes; /* payload of an entry, 8..65536 */
    uint32_t round_bytes; /* of log in a round; power of two, 4 MiB..1 GiB */
    journal_sync_t sync;  /* always or none; the raw writer does the same */
} bench_journal_options_t;

/* Medians of the rounds. Megabytes are 10^6 bytes, of whole blocks as they go to the device. */
typedef struct bench_journal_result {
    uint32_t rounds;
    double entries_per_s;
    double journal_mb_per_s;
    double raw_mb_per_s;
    double ratio; /* of the two before */
    double group_bytes_avg;
    double raw_sync_p50_us; /* of 4 KiB written to zeroed space, and synced */
    double recovery_entries_per_s;
} bench_journal_result_t;

/* Space is prepared before any timing, for both. Errors: those of the device and the journal;
 * OC_ERR_DAMAGED if a round's log is not read back whole. */
OC_MUST_CHECK oc_err_t bench_journal(const bench_journal_options_t *options,
                                     bench_journal_result_t *result);

#endif
