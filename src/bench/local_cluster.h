/*
 * A cluster on this one machine, each member a process of its own: started, listened to, killed and
 * ended by the demo, the benches, `outcry cluster up` and tests. What a member says on its standard
 * output tells its role (src/cluster/member_run.h has the lines).
 *
 * A member dies with the process that started it (PR_SET_PDEATHSIG), and its module with it.
 *
 * Threads: one, which outlives the cluster.
 */
#ifndef BENCH_LOCAL_CLUSTER_H
#define BENCH_LOCAL_CLUSTER_H

#include "bench/cluster_folder.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum local_role {
    LOCAL_ROLE_NONE, /* does not run, or is not that far yet */
    LOCAL_ROLE_FOLLOWER,
    LOCAL_ROLE_LEADER,
} local_role_t;

/* How a member is; what it has not said is 0. */
typedef struct local_member_state {
    local_role_t role;
    bool running;
    int status;        /* of the last that ended: 128 + signal if one killed it */
    uint32_t starts;   /* how often it was started here */
    uint64_t term;     /* of its last change of role: leadership term id + 1; 0: not known */
    uint64_t position; /* of the log, then */
    uint64_t news;     /* of all changes of roles in the cluster, which one that was */
    uint64_t recovered_position; /* where its last start began */
    uint64_t image;              /* the image it began from; 0: none */
    uint64_t replayed;           /* entries it applied again by itself */
} local_member_state_t;

typedef struct local_cluster local_cluster_t;

/* All borrowed, `line` and its context for the cluster's life. */
typedef struct local_cluster_config {
    cluster_folder_config_t folder;
    const char *program; /* NULL: this one */
    bool plain;          /* the program is a service author's: it takes the directory alone */
    /* Gets what members say, line by line, and their ends; NULL: nobody wants it. */
    void (*line)(void *context, uint32_t member, const char *line);
    void *context;
} local_cluster_config_t;

/* Makes the directories or takes those that are there; starts nothing. Errors:
 * cluster_folder_open(), OC_ERR_NO_MEMORY. The caller owns *cluster: local_cluster_destroy(). */
OC_MUST_CHECK oc_err_t local_cluster_create(local_cluster_t **cluster,
                                            const local_cluster_config_t *config);

/* Kills what runs and removes what drivers left in memory; BASE stays. NULL is allowed. */
void local_cluster_destroy(local_cluster_t *self);

/* Borrowed, as long as the cluster. */
const cluster_folder_t *local_cluster_folder(const local_cluster_t *self);

/* Starts a member that does not run, with its driver if that is a process of its own. Errors:
 * child_process_start(); OC_ERR_TIMEOUT: its driver. */
OC_MUST_CHECK oc_err_t local_cluster_start(local_cluster_t *self, uint32_t member);
OC_MUST_CHECK oc_err_t local_cluster_start_all(local_cluster_t *self);

/* Listens for at most so long, less when something was said or somebody ended; returns how many
 * lines and ends there were. */
int local_cluster_poll(local_cluster_t *self, int64_t timeout_ns);

void local_cluster_state(const local_cluster_t *self, uint32_t member, local_member_state_t *state);

/* Who said last that it leads and runs; false: nobody. */
bool local_cluster_leader(const local_cluster_t *self, uint32_t *member);

/*
 * Waits until a member leads in a term above `term` (0: any). Errors: OC_ERR_TIMEOUT;
 * OC_ERR_CLOSED: fewer members run than are needed, context: who ended how; OC_ERR_INTERRUPTED:
 * this process is to end (base/process_signals.h).
 */
OC_MUST_CHECK oc_err_t local_cluster_wait_leader(local_cluster_t *self, uint64_t term,
                                                 uint32_t *leader, int64_t timeout_ns);

/* Waits until a member follows or leads. OC_ERR_TIMEOUT; OC_ERR_CLOSED: it ended;
 * OC_ERR_INTERRUPTED. */
OC_MUST_CHECK oc_err_t local_cluster_wait_joined(local_cluster_t *self, uint32_t member,
                                                 int64_t timeout_ns);

/* Sends a signal to a member's process; nothing if it does not run. */
void local_cluster_signal(local_cluster_t *self, uint32_t member, int signal);

/* Kills a member with SIGKILL and waits for its end, and for that of its module, which ends because
 * its member is gone. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t local_cluster_kill(local_cluster_t *self, uint32_t member);

/* Kills the driver of a member, with an external one only. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t local_cluster_kill_driver(local_cluster_t *self, uint32_t member);

/* Waits for a member's end. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t local_cluster_wait_end(local_cluster_t *self, uint32_t member, int *status,
                                              int64_t timeout_ns);

/* Asks all at once to end, with SIGTERM, and waits for so long; who runs then is left to
 * local_cluster_destroy(). */
void local_cluster_interrupt(local_cluster_t *self, int64_t timeout_ns);

/* Ends all in order with SIGTERM, the leader last; each has `timeout_ns`. Errors: OC_ERR_TIMEOUT,
 * then it is killed; OC_ERR_CLOSED: one ended with another status than 0. */
OC_MUST_CHECK oc_err_t local_cluster_stop(local_cluster_t *self, int64_t timeout_ns);

#endif
