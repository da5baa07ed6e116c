/*
 * A node as a process of its own that a bench starts, loads and ends, with its log in a folder that
 * the bench makes and removes.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_MEASURED_NODE_H
#define BENCH_MEASURED_NODE_H

#include "bench/bench_folder.h"
#include "bench/child_process.h"

#define MEASURED_NODE_PATH BENCH_FOLDER_PATH

typedef struct measured_node {
    const char *program; /* borrowed; NULL: this very program */
    child_process_t child;
    bench_folder_t folder;                /* made, and removed at the end */
    char log[MEASURED_NODE_PATH + 16];    /* in it: the node's directory */
    char config[MEASURED_NODE_PATH + 16]; /* in it: its configuration file */
    char aeron_dir[128];                  /* of its driver; a killed node leaves it */
    char ingress[128];                    /* while it runs */
} measured_node_t;

/* Makes a folder in `parent` (made if absent), named after `what`. OC_ERR_OPEN. Undo:
 * measured_node_fini(). */
OC_MUST_CHECK oc_err_t measured_node_init(measured_node_t *self, const char *parent,
                                          const char *what, const char *program);

/* Kills what runs, in order if this process was interrupted, and removes the folder. `err` is how
 * the bench ended, and is returned with its context, or OC_ERR_INTERRUPTED. */
OC_MUST_CHECK oc_err_t measured_node_fini(measured_node_t *self, oc_err_t err);

/* Writes `key = processor`, or any for -1, with a newline. */
void measured_node_cpu_line(char *line, size_t size, const char *key, int cpu);

/* Starts it with this configuration on the log as it is, and waits until it serves. */
OC_MUST_CHECK oc_err_t measured_node_start(measured_node_t *self, const char *configuration);

/* Ends it in order; an exit status other than 0 is OC_ERR_CLOSED. */
OC_MUST_CHECK oc_err_t measured_node_stop(measured_node_t *self);

/* Ends it at once, with SIGKILL, and waits for it. */
void measured_node_kill(measured_node_t *self);

/* The number behind `key=` in an answer of the node's control socket; 0 if it is not there. */
uint64_t measured_node_number(const char *answer, const char *key);

#endif
