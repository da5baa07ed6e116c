/*
 * A node in a process of its own, a good pair that trades on it, and the account at the end: the
 * pair was answered in time, each command once; the node stayed within its memory and file handles,
 * ended in order, and its log gives the reference engine the same state.
 */
#ifndef LIB_HOSTILE_RIG_H
#define LIB_HOSTILE_RIG_H

#include "lib/good_pair.h"
#include "lib/node_child.h"
#include "lib/process_usage.h"

#include <stdint.h>

enum {
    HOSTILE_SOURCE = 20, /* the first of those that are bound to "hostile" */
    HOSTILE_SOURCES = 8,
    HOSTILE_TIMEOUT_MS = 2000, /* of a session */
};

/* What the log says of a hostile source. */
typedef struct hostile_source {
    uint64_t disconnected; /* orders cancelled because its session was gone */
    int64_t disconnected_ns;
} hostile_source_t;

typedef struct hostile_rig {
    node_child_t node;
    good_pair_t pair;
    process_usage_t before;
    const char *good_secret; /* NULL: none */
    const char *admin_secret;
    uint64_t rss_kib_most;
    hostile_source_t sources[HOSTILE_SOURCES]; /* after hostile_rig_end() */
} hostile_rig_t;

/* Starts all of it; `session` is more lines for the section [session]. With `secrets_file` the node
 * challenges; it holds the names admin, trader and hostile. */
void hostile_rig_start(hostile_rig_t *self, const char *session, const char *secrets_file);

/* Looks at the node, and waits for answers to the pair: they must come. */
void hostile_rig_check(hostile_rig_t *self);

/* Waits until the node holds no more file handles than at the start, ends all, and judges. */
void hostile_rig_end(hostile_rig_t *self);

/* Removes what a failed test left. */
void hostile_rig_remove(hostile_rig_t *self);

#endif
