/*
 * The directory of a node that does not run, on a device in memory: a log that is written by hand,
 * images of it, recoveries from it. The service is a tally, with a stream or an arena.
 */
#ifndef LIB_OFFLINE_FIXTURE_H
#define LIB_OFFLINE_FIXTURE_H

#include "host/node_internal.h"
#include "host/node_offline.h"
#include "lib/storage_fake.h"
#include "lib/tally_service.h"

#define OFFLINE_DIR "log"

typedef struct offline_fixture {
    storage_fake_t *device;
    node_config_t config;
    bool arena; /* the tally has one; else it writes its state */
    uint64_t seed;
    int64_t now_ns;
    bool begun;
    /* Of the last offline_recover(). */
    recovery_t recovery;
    uint64_t hash;
    uint64_t entries;
    uint32_t sessions;
    uint32_t timers;
    uint32_t starts;
} offline_fixture_t;

void offline_fixture_init(offline_fixture_t *self, uint64_t seed, bool arena);
void offline_fixture_fini(offline_fixture_t *self);

/* A tally as this directory's service would be. */
void offline_tally(const offline_fixture_t *self, tally_t *tally);

/* Appends `count` records (of a new log: its configuration first), closes orderly. */
void offline_append(offline_fixture_t *self, int count);

/* The same with a segment's worth of records and more. */
void offline_append_segment(offline_fixture_t *self);

/* An image; returns its sequence. The test fails if it comes to none. */
uint64_t offline_take(offline_fixture_t *self, bool full);

/* Opens the log and recovers, with images or (`images` false) without. */
oc_err_t offline_recover(offline_fixture_t *self, bool images);
oc_err_t offline_recover_with(offline_fixture_t *self, const oc_service_t *service, bool images);

/* Removes whole segments below a position. */
void offline_purge(offline_fixture_t *self, uint64_t below);

/* The path of a data file or manifest of an image ("pages", "manifest"), in a static buffer. */
const char *offline_path(uint64_t sequence, const char *ending);

/* Removes all files of the directory (true: of images) whose names end so. */
void offline_remove(offline_fixture_t *self, bool images, const char *ending);

#endif
