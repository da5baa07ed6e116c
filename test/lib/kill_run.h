/*
 * A node that is killed with SIGKILL again and again while clients trade, and the proof at the end.
 * Needs the program (OUTCRY_PROGRAM).
 */
#ifndef TEST_LIB_KILL_RUN_H
#define TEST_LIB_KILL_RUN_H

#include "bench/recovery_proof.h"

#include <stdbool.h>
#include <stdint.h>

#define KILL_RUN_CLIENTS 2

typedef struct kill_run {
    uint64_t seed;          /* of the moments */
    unsigned kills;         /* how often the node is killed, at least 1 */
    unsigned rate;          /* orders a second of all clients */
    const char *sync;       /* as in the configuration file; NULL: always */
    bool snapshots;         /* images are made all the time, and every start is from one */
    unsigned restarts;      /* out: nodes that had printed `ready` before they were killed */
    unsigned image_starts;  /* out: of them and the last one, those that started from an image */
    uint64_t images;        /* out: sequence of the image that the last one started from */
    recovery_proof_t proof; /* out */
} kill_run_t;

/* Runs; fails the test when a process does not do what it must. Broken promises are in `proof`. */
void kill_run(kill_run_t *self);

#endif
