/*
 * A consensus module seen from outside, through the counters of its driver: whether it leads, when
 * an election is over, how far its log is committed; and an official snapshot asked of it, in a
 * thread of its own. So members of ours and of another make can be held against the same clock.
 *
 * Threads: one; a snapshot under way has one more.
 */
#ifndef BENCH_MODULE_WATCH_H
#define BENCH_MODULE_WATCH_H

#include "aeron/counter_table.h"
#include "cluster/module_counters.h"
#include "outcry/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct module_watch {
    counter_table_t *table; /* owned; NULL: closed */
    module_counters_t counters;
} module_watch_t;

/* Looks at the module of cluster 0 on the driver in `aeron_dir`. OC_ERR_NOT_CONNECTED: it is not
 * there (yet). Undo: module_watch_close(), also of a zeroed struct. */
OC_MUST_CHECK oc_err_t module_watch_open(module_watch_t *self, const char *aeron_dir);
void module_watch_close(module_watch_t *self);

/* Whether it leads or follows and no election is under way; whether it leads then. */
bool module_watch_joined(const module_watch_t *self);
bool module_watch_leads(const module_watch_t *self);

int64_t module_watch_term(const module_watch_t *self);
int64_t module_watch_position(const module_watch_t *self); /* committed; -1: not known */

/* Waits until the module on that driver is joined and its log is committed up to `position` (0: it
 * does not matter); opens the watch meanwhile. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t module_watch_wait(module_watch_t *self, const char *aeron_dir,
                                         int64_t position, int64_t timeout_ns);

typedef struct module_snapshot {
    const char *aeron_dir; /* borrowed */
    pthread_t thread;
    _Atomic bool done;
    oc_err_t err;
    char context[512];
    uint64_t trigger_ns;  /* clock_wall_ns(): the toggle was set */
    uint64_t recorded_ns; /* the module has counted the snapshot */
} module_snapshot_t;

/* Asks the leader on that driver (the string is borrowed until module_snapshot_finish(), which must
 * follow) for a snapshot. OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t module_snapshot_start(module_snapshot_t *self, const char *aeron_dir);

/* `context` is the module_snapshot_t. */
bool module_snapshot_done(void *context);

/* Waits for it. Errors: embedded_create(), module_counters_find(); OC_ERR_REFUSED: the toggle is
 * not free, or the service gave none; OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t module_snapshot_finish(module_snapshot_t *self);

#define MODULE_WATCH_DIR 128

/* One of each member: asks the leader and waits until the modules of all have counted it. `dirs`
 * are those of the members' drivers. Errors: as above, those of module_watch_open(). */
OC_MUST_CHECK oc_err_t module_snapshot_everywhere(const char (*dirs)[MODULE_WATCH_DIR],
                                                  uint32_t members, uint32_t leader);

#endif
