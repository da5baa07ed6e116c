/*
 * A cluster of one member, started on what a ClusterBackup has made.
 */
#ifndef LIB_CLUSTER_RESTORE_H
#define LIB_CLUSTER_RESTORE_H

#include "bench/member_state.h"
#include "lib/cluster_rig.h"

typedef struct cluster_restore {
    local_cluster_t *cluster;
    char dir[400]; /* of its member */
} cluster_restore_t;

/* Moves the backup `name` (in the rig's directory) into a member's directory and starts it. `state`
 * is where it stands still as the leader. The test fails if it does not. */
void cluster_restore_start(cluster_restore_t *self, const cluster_rig_t *rig, const char *name,
                           member_state_t *state);

/* Ends it in order; fails the test if it does not. Its directory stays the rig's. */
void cluster_restore_stop(cluster_restore_t *self);

/* For teardowns; a zeroed struct is allowed. */
void cluster_restore_remove(cluster_restore_t *self);

#endif
