/*
 * A log applier with the counting service under it, and a recorder of what it says.
 */
#ifndef LIB_APPLIER_RIG_H
#define LIB_APPLIER_RIG_H

#include "lib/log_maker.h"
#include "lib/tally_service.h"

#include <stdbool.h>
#include <stdint.h>

enum { APPLIER_RIG_SESSIONS = 8, APPLIER_RIG_TIMERS = 64, APPLIER_RIG_KEPT = 256 };

#define APPLIER_RIG_CLUSTER     INT64_C(7)
#define APPLIER_RIG_INTERVAL_NS INT64_C(1000000)

typedef struct applier_rig {
    tally_t tally;
    replica_t replica;
    log_applier_t log;
    log_applier_hooks_t hooks;
    replica_outlet_t outlet;
    uint32_t next; /* entry of the log that applier_rig_feed() takes next */

    /* What the hooks were told; `*_count` may be more than are kept. */
    uint64_t refused[APPLIER_RIG_KEPT];
    uint32_t refused_count;
    int64_t terms[APPLIER_RIG_KEPT];
    uint32_t term_count;
    uint64_t checks[APPLIER_RIG_KEPT]; /* positions */
    uint32_t check_count;
    member_message_t said[APPLIER_RIG_KEPT];
    uint32_t said_count;
    oc_err_t said_answer;

    /* What the service sent. */
    tally_answer_t sent[APPLIER_RIG_KEPT];
    oc_log_entry_t sent_at[APPLIER_RIG_KEPT];
    uint64_t sent_to[APPLIER_RIG_KEPT];
    uint32_t sent_count;
    uint32_t outlet_opened;
    uint32_t outlet_closed;
} applier_rig_t;

/* Hooked, and active, so that what is sent is seen. With room for APPLIER_RIG_SESSIONS. */
void applier_rig_init(applier_rig_t *rig);
/* For a replay: neither hooks nor an outlet. */
void applier_rig_init_quiet(applier_rig_t *rig);
void applier_rig_fini(applier_rig_t *rig);

/* Applies the log as far as it goes; must succeed. */
void applier_rig_feed(applier_rig_t *rig, const log_maker_t *log);
/* The same; the next entry must fail so. */
void applier_rig_feed_fails(applier_rig_t *rig, const log_maker_t *log, oc_err_t err,
                            const char *part);

/* Carries the state over as an image would: `to` was just made. */
void applier_rig_restore(applier_rig_t *to, const applier_rig_t *from);

#endif
