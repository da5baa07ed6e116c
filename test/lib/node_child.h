/*
 * A node as a process of its own, for tests of what talks to one. It is the program that
 * OUTCRY_PROGRAM names; its log is in a directory of the test's own.
 */
#ifndef LIB_NODE_CHILD_H
#define LIB_NODE_CHILD_H

#include "bench/child_process.h"
#include "lib/temp_dir.h"

typedef struct node_child {
    child_process_t process;
    temp_dir_t dir;
    char ingress[128];   /* HOST:PORT that it listens on */
    char config[320];    /* its configuration file */
    char aeron_dir[128]; /* of its driver */
    char log[320];       /* directory of its log */
} node_child_t;

/* Starts one on a free port; `config` is more lines for its configuration file, "" for none. The
 * test fails if it does not start. */
void node_child_start(node_child_t *self, const char *config);

/* Kills it with SIGKILL. */
void node_child_kill(node_child_t *self);

/* Starts it again, on the same log and port. */
void node_child_restart(node_child_t *self);

/* Ends it in order, if it runs, and removes what it leaves. */
void node_child_end(node_child_t *self);

#endif
