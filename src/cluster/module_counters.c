/*
 * The counters of a consensus module, by Aeron's type ids. Called by operators' tools.
 *
 * Invariant: the toggle is only ever changed by compare-and-swap from the value that was seen, as
 * Aeron's own tools do it, so that of several operators one wins.
 */
#include "cluster/module_counters.h"

#include "base/error.h"

#include <inttypes.h>
#include <stddef.h>

enum { RECORDING_POSITION_TYPE = 100 };

/* io.aeron.AeronCounters; the cluster's id is the first number of each key. */
static const int32_t types[MODULE_COUNTERS] = {
    [MODULE_COUNTER_STATE] = 200,     [MODULE_COUNTER_ROLE] = 201,
    [MODULE_COUNTER_TOGGLE] = 202,    [MODULE_COUNTER_COMMIT_POSITION] = 203,
    [MODULE_COUNTER_SNAPSHOTS] = 205, [MODULE_COUNTER_ELECTION_STATE] = 207,
    [MODULE_COUNTER_ERRORS] = 212,    [MODULE_COUNTER_TIMED_OUT_CLIENTS] = 213,
    [MODULE_COUNTER_ELECTIONS] = 238, [MODULE_COUNTER_TERM] = 239,
};

/* Why there is none: another cluster's may be there, or none at all. */
static oc_err_t not_found(const counter_table_t *table, int64_t cluster_id)
{
    counter_t other;
    const counter_key_t any = {.type = types[MODULE_COUNTER_STATE]};
    if (!counter_table_find(table, &any, &other))
        return error_set(OC_ERR_NOT_CONNECTED,
                         "no consensus module runs on the driver; it is dead, or not started yet");
    char label[COUNTER_KEY_BYTES_MAX];
    counter_table_label(table, &other, label, sizeof label);
    return error_set(OC_ERR_NOT_CONNECTED,
                     "no consensus module of cluster %" PRId64 " runs on the driver, but one of "
                     "another ('%s'): is cluster_id in [cluster] right?",
                     cluster_id, label);
}

oc_err_t module_counters_find(module_counters_t *self, const counter_table_t *table,
                              int64_t cluster_id)
{
    *self = (module_counters_t){.table = table};
    for (int i = 0; i < MODULE_COUNTERS; i++) {
        const counter_key_t key = {
            .type = types[i], .offset = 0, .bytes = sizeof(int32_t), .value = cluster_id};
        self->found[i] = counter_table_find(table, &key, &self->counters[i]);
    }
    return self->found[MODULE_COUNTER_STATE] ? OC_ERR_OK : not_found(table, cluster_id);
}

bool module_counters_alive(const module_counters_t *self)
{
    return self->found[MODULE_COUNTER_STATE] &&
           counter_table_holds(self->table, &self->counters[MODULE_COUNTER_STATE]);
}

int64_t module_counters_value(const module_counters_t *self, module_counter_t counter)
{
    return self->found[counter] ? counter_value(&self->counters[counter]) : -1;
}

bool module_counters_recorded(const counter_table_t *table, int64_t recording, int64_t *position)
{
    counter_t counter;
    const counter_key_t key = {
        .type = RECORDING_POSITION_TYPE, .offset = 0, .bytes = sizeof(int64_t), .value = recording};
    if (!counter_table_find(table, &key, &counter))
        return false;
    *position = counter_value(&counter);
    return true;
}

bool module_counters_toggle(const module_counters_t *self, module_toggle_t expected,
                            module_toggle_t wanted)
{
    return self->found[MODULE_COUNTER_TOGGLE] &&
           counter_table_swap(self->table, &self->counters[MODULE_COUNTER_TOGGLE], expected,
                              wanted);
}

static const char *word(const char *const *words, size_t count, int64_t value)
{
    return value >= 0 && (uint64_t)value < count ? words[value] : "unknown";
}

#define WORD(words, value) word(words, sizeof(words) / sizeof(words)[0], value)

const char *module_state_name(int64_t state)
{
    static const char *const words[] = {"init",     "active",      "suspended", "snapshot",
                                        "quitting", "terminating", "closed"};
    return WORD(words, state);
}

const char *module_role_name(int64_t role)
{
    static const char *const words[] = {"follower", "candidate", "leader"};
    return WORD(words, role);
}

const char *module_toggle_name(int64_t toggle)
{
    static const char *const words[] = {"inactive", "neutral",  "suspend", "resume",
                                        "snapshot", "shutdown", "abort",   "standby-snapshot"};
    return WORD(words, toggle);
}

const char *module_election_name(int64_t state)
{
    static const char *const words[] = {"init",
                                        "canvass",
                                        "nominate",
                                        "candidate-ballot",
                                        "follower-ballot",
                                        "leader-log-replication",
                                        "leader-replay",
                                        "leader-init",
                                        "leader-ready",
                                        "follower-log-replication",
                                        "follower-replay",
                                        "follower-catchup-init",
                                        "follower-catchup-await",
                                        "follower-catchup",
                                        "follower-log-init",
                                        "follower-log-await",
                                        "follower-ready",
                                        "closed"};
    return WORD(words, state);
}
