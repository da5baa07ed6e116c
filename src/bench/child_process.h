/*
 * Another process, usually of this very program, whose standard output is read line by line: a node
 * to measure or to kill. Its standard error is ours.
 *
 * A child dies with its parent (PR_SET_PDEATHSIG), so that nothing is left running.
 *
 * Threads: one at a time; the thread that started a child must outlive it.
 */
#ifndef BENCH_CHILD_PROCESS_H
#define BENCH_CHILD_PROCESS_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CHILD_LINE_MAX 1024

typedef struct child_process {
    pid_t pid;  /* 0: none */
    int output; /* read end of its standard output, -1: none */
    int status; /* once it has ended: as of waitpid() */
    bool group; /* it leads a process group: signals go to all of it */
    size_t length;
    char buffer[CHILD_LINE_MAX]; /* read and not yet given out */
} child_process_t;

/*
 * Starts this program, or the one that argv[0] is a path of (has a slash), with `argv` (ends with
 * NULL; borrowed for the call), on processor `cpu`, -1: any. OC_ERR_OPEN. Undo:
 * child_process_end().
 */
OC_MUST_CHECK oc_err_t child_process_start(child_process_t *self, const char *const *argv, int cpu);

/*
 * The same for a script that starts processes of its own: they are one group with it, and end with
 * it. When this process dies the script gets SIGTERM, so that it can end them.
 */
OC_MUST_CHECK oc_err_t child_process_start_group(child_process_t *self, const char *const *argv);

/* A node: this program, or the one that `program` is a path of, as `outcry node`. All borrowed for
 * the call. */
typedef struct child_node {
    const char *program; /* NULL: this one */
    const char *dir;     /* of its log */
    const char *config;  /* its configuration file; NULL: none */
    const char *ingress; /* HOST:PORT; port 0: a free one */
} child_node_t;

/* Starts a node; child_process_ready() says when it serves. Errors, undo: child_process_start(). */
OC_MUST_CHECK oc_err_t child_process_start_node(child_process_t *self, const child_node_t *node);

/* Waits until a node serves; `ingress` is then where, else as it was. Errors: as
 * child_process_line(). */
OC_MUST_CHECK oc_err_t child_process_ready(child_process_t *self, char *ingress, size_t size,
                                           int64_t timeout_ns);

/*
 * Waits for the next line of its output (without the newline; longer ones are cut).
 * OC_ERR_TIMEOUT; OC_ERR_CLOSED: it said nothing more; OC_ERR_INTERRUPTED: this process is to end
 * (base/process_signals.h), and nothing is there to be read.
 */
OC_MUST_CHECK oc_err_t child_process_line(child_process_t *self, char *line, size_t size,
                                          int64_t timeout_ns);

/* Skips lines up to one that starts with `prefix`; `value` is what follows. Errors as above. */
OC_MUST_CHECK oc_err_t child_process_expect(child_process_t *self, const char *prefix, char *value,
                                            size_t size, int64_t timeout_ns);

/* True while it runs. */
bool child_process_running(child_process_t *self);

/* Sends a signal; nothing if it has ended. */
void child_process_signal(child_process_t *self, int signal);

/* Waits for its end: its exit status, 128 + signal if one killed it. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t child_process_wait(child_process_t *self, int *status, int64_t timeout_ns);

/* Kills it if it still runs, frees what it had. A zeroed struct is allowed. */
void child_process_end(child_process_t *self);

#endif
