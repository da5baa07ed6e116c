/*
 * What a consensus module shows of itself in its driver's counters (Aeron 1.44), and its control
 * toggle, by which operators ask it for something.
 *
 * Threads: one at a time, the counter table's.
 */
#ifndef CLUSTER_MODULE_COUNTERS_H
#define CLUSTER_MODULE_COUNTERS_H

#include "aeron/counter_table.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum module_counter {
    MODULE_COUNTER_STATE,           /* module_state_t */
    MODULE_COUNTER_ROLE,            /* module_role_t */
    MODULE_COUNTER_TOGGLE,          /* module_toggle_t */
    MODULE_COUNTER_COMMIT_POSITION, /* of the log */
    MODULE_COUNTER_SNAPSHOTS,       /* taken since its start */
    MODULE_COUNTER_ELECTION_STATE,  /* MODULE_ELECTION_CLOSED: none is under way */
    MODULE_COUNTER_ELECTIONS,       /* since its start */
    MODULE_COUNTER_TERM,            /* leadership term id, from 0 */
    MODULE_COUNTER_ERRORS,
    MODULE_COUNTER_TIMED_OUT_CLIENTS,
    MODULE_COUNTERS
} module_counter_t;

typedef enum module_state {
    MODULE_STATE_INIT = 0,
    MODULE_STATE_ACTIVE = 1,
    MODULE_STATE_SUSPENDED = 2,
    MODULE_STATE_SNAPSHOT = 3,
    MODULE_STATE_QUITTING = 4,
    MODULE_STATE_TERMINATING = 5,
    MODULE_STATE_CLOSED = 6,
} module_state_t;

typedef enum module_role {
    MODULE_ROLE_FOLLOWER = 0,
    MODULE_ROLE_CANDIDATE = 1,
    MODULE_ROLE_LEADER = 2,
} module_role_t;

typedef enum module_toggle {
    MODULE_TOGGLE_INACTIVE = 0, /* it does not lead, or not yet */
    MODULE_TOGGLE_NEUTRAL = 1,
    MODULE_TOGGLE_SUSPEND = 2,
    MODULE_TOGGLE_RESUME = 3,
    MODULE_TOGGLE_SNAPSHOT = 4,
    MODULE_TOGGLE_SHUTDOWN = 5,
    MODULE_TOGGLE_ABORT = 6,
    MODULE_TOGGLE_STANDBY_SNAPSHOT = 7,
} module_toggle_t;

#define MODULE_ELECTION_CLOSED 17

typedef struct module_counters {
    const counter_table_t *table; /* borrowed */
    bool found[MODULE_COUNTERS];
    counter_t counters[MODULE_COUNTERS];
} module_counters_t;

/* OC_ERR_NOT_CONNECTED: no module of that cluster is on the driver; the context names one of
 * another cluster if there is. */
OC_MUST_CHECK oc_err_t module_counters_find(module_counters_t *self, const counter_table_t *table,
                                            int64_t cluster_id);

/* Whether the module is still there; false also when another took its place. */
bool module_counters_alive(const module_counters_t *self);

/* -1: it has no such counter. */
int64_t module_counters_value(const module_counters_t *self, module_counter_t counter);

/* How far a recording of the archive on this driver has come; false: it is not being recorded. */
bool module_counters_recorded(const counter_table_t *table, int64_t recording, int64_t *position);

/* Sets the toggle, which must be at `expected`; false: it is not, or the table is read-only. */
bool module_counters_toggle(const module_counters_t *self, module_toggle_t expected,
                            module_toggle_t wanted);

/* Words for values; "unknown" for what is none of them. */
const char *module_state_name(int64_t state);
const char *module_role_name(int64_t role);
const char *module_toggle_name(int64_t toggle);
const char *module_election_name(int64_t state);

#endif
