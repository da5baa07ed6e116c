/*
 * What the demos of a node and of a cluster have in common: a directory of their own, a client that
 * sends orders all the time, and an end that leaves nothing behind, also when somebody interrupts
 * it; after a kill that is left to the next one.
 *
 * Threads: one.
 */
#ifndef CLI_DEMO_SCENE_H
#define CLI_DEMO_SCENE_H

#include "bench/bench_folder.h"
#include "bench/child_process.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { DEMO_PATH_SIZE = 512 };

typedef struct demo_scene {
    uint64_t rate;                 /* orders a second */
    uint64_t seconds;              /* how long they are sent */
    bool share;                    /* the client leaves processors to the venue when it can */
    bool keep;                     /* the directory stays */
    void (*listen)(void *context); /* called often while the demo waits; NULL: nobody */
    void *context;
    bench_folder_t folder;          /* of everything that the demo makes */
    char dir[DEMO_PATH_SIZE];       /* its path, which is of the node or the members too */
    char responses[DEMO_PATH_SIZE]; /* what the client was told */
    child_process_t load;
    long load_pid;     /* 0: it was not started */
    double longest_ms; /* that an answer took from the intended time of its order */
} demo_scene_t;

/* Makes the directory, removes those that killed demos left beside it, and notes signals from here
 * on. OC_ERR_OPEN. Then demo_scene_end(). */
OC_MUST_CHECK oc_err_t demo_scene_begin(demo_scene_t *self);

/* Ends the client and removes the directory and what the client left in memory. */
void demo_scene_end(demo_scene_t *self);

/* Errors: child_process_start(). */
OC_MUST_CHECK oc_err_t demo_scene_start_load(demo_scene_t *self, const char *ingress);

/* Waits. OC_ERR_INTERRUPTED. */
OC_MUST_CHECK oc_err_t demo_scene_wait(demo_scene_t *self, uint64_t ns);

/* A moment at random between 30 and 70 % of the run, so that both halves have something to show. */
uint64_t demo_scene_moment_ns(const demo_scene_t *self);

/* Waits for the client's end and shows what it says. Errors: OC_ERR_INTERRUPTED;
 * OC_ERR_TIMEOUT; OC_ERR_REFUSED: it has failed. */
OC_MUST_CHECK oc_err_t demo_scene_finish_load(demo_scene_t *self);

#endif
