/*
 * A journal on a device in memory, worked step by step, and what must be in it: entries numbered
 * from 0, whose length and bytes follow from the number and the seed.
 */
#ifndef LIB_JOURNAL_FIXTURE_H
#define LIB_JOURNAL_FIXTURE_H

#include "journal/journal_internal.h"
#include "lib/storage_fake.h"

#define JOURNAL_FIXTURE_ENTRIES 100000
#define JOURNAL_FIXTURE_DIR     "log"

typedef struct journal_fixture {
    uint64_t seed;
    storage_fake_t *device;
    journal_config_t config; /* may be changed before journal_fixture_open() */
    journal_t *journal;      /* NULL: not open */
    journal_verdict_t verdict;
    uint64_t acknowledged; /* highest durable position seen */
    uint32_t committed;    /* entries that may be there */
    uint32_t read;         /* entries found by the last recovery */
    uint32_t length_max;   /* of payloads; 0: up to the largest */
    uint64_t now_ns;
    uint64_t ends[JOURNAL_FIXTURE_ENTRIES]; /* position behind each entry */
} journal_fixture_t;

/* Segments of 1 MiB, groups of 64 KiB, one segment ready. The caller calls _fini(). */
journal_fixture_t *journal_fixture_create(uint64_t seed);
/* Closes the journal too, if it is open. */
void journal_fixture_destroy(journal_fixture_t *self);

/*
 * Opens and recovers. Fails the test if what is found is no prefix of what was committed, or misses
 * an acknowledged entry; what is not found is no longer expected. The error of either call.
 */
oc_err_t journal_fixture_open(journal_fixture_t *self);

/* journal_fixture_open(), and journal_start_stepped(). */
oc_err_t journal_fixture_start(journal_fixture_t *self);

/* Appends the next entry; false if it is refused. */
bool journal_fixture_append(journal_fixture_t *self);

/* Flush, a round of the writer, and a look at the durable position. */
void journal_fixture_write(journal_fixture_t *self);

/* Rounds of the preparer until it has nothing to do. */
void journal_fixture_prepare(journal_fixture_t *self);

/* Closes; the error of journal_close(). */
oc_err_t journal_fixture_close(journal_fixture_t *self);

/* Ends without a mark, as a killed process, and starts the device again. */
void journal_fixture_kill(journal_fixture_t *self);

/* "log/<base>.journal", in a static buffer. */
const char *journal_fixture_path(uint64_t base);

#endif
