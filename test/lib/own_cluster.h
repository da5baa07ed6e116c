/*
 * A real cluster whose members are the test's own program, for tests that need a service of their
 * own, or one that goes wrong. A program with such a test begins with
 *
 *     if (argc == 2)
 *         return member(argv[1]);
 *
 * where member() calls own_cluster_log() and runs the service in that directory.
 *
 * Every wait has a limit, listens to all members and calls `pump`; what goes wrong fails the test
 * with the last words of every member. Needs a JDK and Maven: cluster_rig_possible().
 */
#ifndef LIB_OWN_CLUSTER_H
#define LIB_OWN_CLUSTER_H

#include "bench/local_cluster.h"
#include "bench/member_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OWN_CLUSTER_OUTPUT = 8192 };

typedef struct own_cluster {
    char dir[256];
    local_cluster_t *cluster;
    uint32_t members;
    void (*pump)(void *context); /* called between steps; may be NULL */
    void *pump_context;
    char output[OWN_CLUSTER_OUTPUT]; /* of the last own_cluster_tool() */
} own_cluster_t;

/* In the member's process: what it says of errors goes to a file beside its directory, where
 * own_cluster_said() finds it. */
void own_cluster_log(const char *dir);

/* Makes the directories of `members`, with `lines` in each configuration (NULL: none) besides short
 * timeouts; nothing runs yet. Undo: own_cluster_remove(). */
void own_cluster_make(own_cluster_t *self, uint32_t members, const char *lines);

/* Kills and removes everything. A zeroed struct is allowed: for teardowns. */
void own_cluster_remove(own_cluster_t *self);

/* Starts all members; waits until all have joined and one leads. */
void own_cluster_start(own_cluster_t *self);

/* Starts one member; waits until it has joined. */
void own_cluster_start_member(own_cluster_t *self, uint32_t member);

/* Starts one member, and does not wait. */
void own_cluster_launch(own_cluster_t *self, uint32_t member);

/* Who leads; waits for one. */
uint32_t own_cluster_leader(own_cluster_t *self);

/* Kills a member, and its module with it. */
void own_cluster_kill(own_cluster_t *self, uint32_t member);

/* Listens once, for at most a fiftieth of a second. */
void own_cluster_step(own_cluster_t *self);

bool own_cluster_running(const own_cluster_t *self, uint32_t member);

/* Waits until a member ends by itself, and its module too; its exit status. */
int own_cluster_wait_end(own_cluster_t *self, uint32_t member);

/* Waits until all members that run are at one position, which stays; fails unless their hashes are
 * equal too. */
member_state_t own_cluster_settle(own_cluster_t *self);

/* Ends all members that run in order. */
void own_cluster_stop(own_cluster_t *self);

/* A member's directory, or a file in it; borrowed until the next call. */
const char *own_cluster_path(const own_cluster_t *self, uint32_t member, const char *name);

/* HOST:PORT where clients connect to a member; borrowed until the next call. */
const char *own_cluster_ingress(const own_cluster_t *self, uint32_t member);

/* Whether a member has ever said `text`, on either of its outputs. */
bool own_cluster_said(const own_cluster_t *self, uint32_t member, const char *text);

/* Makes or removes an empty file in a member's directory. */
void own_cluster_switch(const own_cluster_t *self, uint32_t member, const char *name, bool on);

/* Empties a member's directory but for its configuration. */
void own_cluster_wipe(const own_cluster_t *self, uint32_t member);

/* Runs `outcry` with these arguments, the last one NULL; its exit status, what it said is in
 * `output`. */
int own_cluster_tool(own_cluster_t *self, const char *const *arguments);

/* Prints how all members are, and fails the test. */
_Noreturn void own_cluster_fail(const own_cluster_t *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
