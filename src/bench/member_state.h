/*
 * What running members say of their state over their control sockets, and whether all of a cluster
 * say the same.
 */
#ifndef BENCH_MEMBER_STATE_H
#define BENCH_MEMBER_STATE_H

#include "bench/cluster_folder.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

/* As the member's request `state` answers it; what is missing there is 0. */
typedef struct member_state {
    char role[16]; /* leader, follower, recovering */
    bool recovered;
    int64_t term;
    uint64_t position;
    uint64_t entries;
    uint64_t sessions; /* open ones, those of members among them */
    uint64_t state_hash;
    uint64_t output_hash;
    uint64_t agreed_position;
    uint64_t image;    /* that it started from; 0: none */
    uint64_t replayed; /* by itself, at its start */
    uint64_t load_ns;  /* of that image */
    uint64_t snapshots;
    uint64_t snapshot_ns; /* the service's part of the last official one */
} member_state_t;

/* Errors: those of control_request(); OC_ERR_FORMAT: not that answer. */
OC_MUST_CHECK oc_err_t member_state_ask(const char *dir, member_state_t *state, int64_t timeout_ns);

/*
 * Waits until every member of the cluster leads or follows and all are at one position, which does
 * not move any more; `states` has one for each. Nobody may trade meanwhile. OC_ERR_TIMEOUT: the
 * context has how each of them is.
 */
OC_MUST_CHECK oc_err_t member_state_settle(const cluster_folder_t *folder, member_state_t *states,
                                           int64_t timeout_ns);

/* True if all have the same position, state hash and output hash. */
bool member_state_equal(const member_state_t *states, uint32_t count);

#endif
