/*
 * Gives a wiped member what another member of its cluster has: the newest image, the newest
 * official snapshot, and the log from there on, so that it starts, recovers and catches up.
 *
 * Seed from the leader, or if none leads from the member with the longest log: a member that lost
 * its directory lost with it what it had confirmed to others, and what a majority confirmed must
 * not become what only a minority has. Nothing on a source's disk tells whether it is behind the
 * others: `log_term` and `log_end` are there to be held against what they have.
 *
 * Threads: one at a time.
 */
#ifndef CLUSTER_SEED_H
#define CLUSTER_SEED_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Beside the target while it is made: TARGET + this. */
#define SEED_SUFFIX ".seed"

typedef struct seed_options {
    const char *from; /* directory of a member of this cluster; borrowed */
    const char *to;   /* of the wiped one: absent, empty, or with outcry.conf alone; borrowed */
    /* How far the running source's log is recorded, as its archive says; false: it cannot say
     * now. NULL: the source does not run, or not on this machine. */
    bool (*recorded)(void *context, int64_t recording, int64_t *position);
    void *context;
    int64_t settle_ns; /* without `recorded`: how long a log that was just written is let rest */
} seed_options_t;

#define SEED_SETTLE_NS (INT64_C(2) * 1000 * 1000 * 1000)

typedef struct seed_result {
    int64_t snapshot_position; /* -1: the source had none */
    int64_t image_position;    /* -1: likewise */
    int64_t log_start;
    int64_t log_end;
    int64_t log_term; /* leadership term that the copied log ends in; -1: in none */
    uint64_t files;
    uint64_t bytes;
} seed_result_t;

/*
 * Errors: OC_ERR_REFUSED: the target is no wiped member's, or the source has diverged or has not
 * enough to start from; OC_ERR_OPEN, OC_ERR_READ, OC_ERR_TRUNCATED, OC_ERR_DAMAGED of the source,
 * among them that it was pruned meanwhile: try again; OC_ERR_WRITE, OC_ERR_NO_SPACE, OC_ERR_SYNC of
 * the target. The target is then as it was.
 */
OC_MUST_CHECK oc_err_t seed_member(const seed_options_t *options, seed_result_t *result);

#endif
