/*
 * A service of two arenas without meaning, a log that is only a number, and the snapshot agent over
 * the device in memory: what was in the arenas at each position is kept as the truth that images
 * are held against.
 */
#ifndef TEST_LIB_SNAPSHOT_FIXTURE_H
#define TEST_LIB_SNAPSHOT_FIXTURE_H

#include "lib/storage_fake.h"
#include "snapshot/snapshot.h"

#include <stdatomic.h>

enum { SNAPSHOT_FIXTURE_ARENAS = 2, SNAPSHOT_FIXTURE_TRUTHS = 512 };

typedef struct snapshot_truth {
    uint64_t position;
    uint8_t *bytes[SNAPSHOT_FIXTURE_ARENAS];
    uint8_t *stream; /* NULL: none */
    size_t stream_length;
} snapshot_truth_t;

typedef struct snapshot_fixture {
    storage_fake_t *device;
    oc_arena_t arenas[SNAPSHOT_FIXTURE_ARENAS];
    snapshot_config_t config; /* to be changed before snapshot_fixture_start() */
    snapshot_t *agent;        /* NULL: not started */
    uint64_t position;        /* of the log */
    _Atomic uint64_t durable; /* of the log; UINT64_MAX: all of it */
    oc_err_t checksum_err;    /* what the log's checksum ends with */
    uint64_t random;
    uint64_t lines; /* told */
    char line[512]; /* the last one */
    snapshot_truth_t truths[SNAPSHOT_FIXTURE_TRUTHS];
    size_t truth_count;
    uint8_t *stream; /* of the next request; owned */
    size_t stream_length;
} snapshot_fixture_t;

/* Arenas of 24 and 7 pages, everything durable, stepped, keep 2, chain 2, a pool for all pages. */
snapshot_fixture_t *snapshot_fixture_create(uint64_t seed);
void snapshot_fixture_destroy(snapshot_fixture_t *self);

/* Starts the agent; what it answers. */
oc_err_t snapshot_fixture_start(snapshot_fixture_t *self, uint64_t complete);
void snapshot_fixture_stop(snapshot_fixture_t *self);

/* Changes bytes in `pages` random pages, announced; the log goes on. */
void snapshot_fixture_change(snapshot_fixture_t *self, unsigned pages);

/* Begins at the log's position, and keeps the truth of it. */
snapshot_answer_t snapshot_fixture_begin(snapshot_fixture_t *self, bool full);

/* Steps until nothing runs; fails the test when that does not come. */
void snapshot_fixture_finish(snapshot_fixture_t *self);

/* begin, finish: the sequence of the image; 0 if it became none. */
uint64_t snapshot_fixture_take(snapshot_fixture_t *self, bool full);

snapshot_status_t snapshot_fixture_status(const snapshot_fixture_t *self);

/* As after a restart of the device: loads each image that is listed and holds it against the truth
 * of its position. Returns how many there are. */
size_t snapshot_fixture_check(snapshot_fixture_t *self);

/* Loads the newest image into the fixture's own arenas, as a start does; its sequence. */
uint64_t snapshot_fixture_restore(snapshot_fixture_t *self);

/* How many files lie in the directory of the images. */
size_t snapshot_fixture_files(snapshot_fixture_t *self);

#endif
