/*
 * Parts of a cluster killed with SIGKILL again and again while clients trade, and the proof at the
 * end. Needs what lib/cluster_rig.h needs.
 */
#ifndef LIB_CLUSTER_KILL_RUN_H
#define LIB_CLUSTER_KILL_RUN_H

#include "bench/recovery_proof.h"
#include "lib/cluster_rig.h"

#include <stdbool.h>
#include <stdint.h>

/* What is killed, and when. */
typedef enum cluster_kill {
    CLUSTER_KILL_MEMBER,   /* all of a member: service and driver, and the module goes with them */
    CLUSTER_KILL_MODULE,   /* the Java process alone */
    CLUSTER_KILL_IMAGE,    /* the leader, while an image of its state is captured */
    CLUSTER_KILL_MANIFEST, /* the leader, while an official snapshot is taken */
    CLUSTER_KILL_CATCH_UP, /* the leader, while a follower that was down catches up */
    CLUSTER_KILL_SERVICE,  /* the service alone; driver and module go on (apart) */
    CLUSTER_KILL_DRIVER,   /* the driver alone (apart) */
} cluster_kill_t;

enum { CLUSTER_KILL_KINDS = 7 };

typedef struct cluster_kill_run {
    uint64_t seed;
    unsigned kills;                    /* of each kind */
    bool apart;                        /* the last two kinds; else all others */
    unsigned done[CLUSTER_KILL_KINDS]; /* out */
    unsigned hits[CLUSTER_KILL_KINDS]; /* out: when it was killed it was doing what the kind says */
    recovery_proof_t proof;            /* out */
} cluster_kill_run_t;

/* Whether a kind needs a cluster whose parts are apart. */
bool cluster_kill_is_apart(cluster_kill_t kind);

/* For messages. */
const char *cluster_kill_name(cluster_kill_t kind);

/* Runs on a rig that is zeroed; the caller removes it, whatever happens. Fails the test when
 * something does not come back, or the proof does not hold. */
void cluster_kill_run(cluster_kill_run_t *self, cluster_rig_t *rig);

/* Kills on the rig, which is removed behind it. `seed` is OUTCRY_SEED or, without one, of now. */
typedef void cluster_kill_check_t(cluster_rig_t *rig, uint64_t seed, bool apart);

/* The tests of a program: `check` for members of one piece, and for those whose parts are apart.
 * Returns what its main() returns; 77, and SKIP has been printed, where no cluster can run. */
int cluster_kill_main(cluster_kill_check_t *check);

#endif
