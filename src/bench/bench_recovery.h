/*
 * `outcry bench recovery`: how fast a journal of orders becomes an exchange again, and how much of
 * that is reading.
 */
#ifndef BENCH_BENCH_RECOVERY_H
#define BENCH_BENCH_RECOVERY_H

#include "outcry/error.h"

#include <stdint.h>

#define BENCH_RECOVERY_REPEATS_MAX     100
#define BENCH_RECOVERY_PER_MESSAGE_MAX 256

typedef struct bench_recovery_options {
    const char *dir;      /* borrowed; a folder is made in it, and removed again */
    uint32_t commands;    /* of W1, 100..2^27 */
    uint32_t per_message; /* commands of a log entry, 1..BENCH_RECOVERY_PER_MESSAGE_MAX */
    uint32_t repeats;     /* 1..BENCH_RECOVERY_REPEATS_MAX */
} bench_recovery_options_t;

/* Times are medians of the repeats, by the wall clock. */
typedef struct bench_recovery_result {
    uint64_t entries;       /* of the log */
    uint64_t journal_bytes; /* up to its end */
    uint64_t read_bytes;    /* by a recovery; behind the end as well */
    double write_s;         /* applying, writing and syncing the log */
    double recovery_s;      /* node_replay() into a new exchange, which was made before */
    double recovery_cpu_s;  /* of it, processor time of the applying thread */
    double read_only_s;     /* journal_recover() without a reader */
    uint64_t state_hash;    /* of the exchange that wrote */
    uint64_t recovered_hash;
} bench_recovery_result_t;

/* Errors: those of the device, the journal, the exchange and the workload. A wrong hash is none. */
OC_MUST_CHECK oc_err_t bench_recovery(const bench_recovery_options_t *options,
                                      bench_recovery_result_t *result);

#endif
