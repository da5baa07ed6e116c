/*
 * A real cluster for tests: three members of this program with their Java modules, clients that
 * trade, whatever is killed, and the proof at the end. Everything fails the test on trouble, with
 * the last lines of every member.
 *
 * Needs the program (OUTCRY_PROGRAM), a JDK and Maven: cluster_rig_possible().
 */
#ifndef LIB_CLUSTER_RIG_H
#define LIB_CLUSTER_RIG_H

#include "bench/child_process.h"
#include "bench/local_cluster.h"
#include "bench/member_state.h"
#include "bench/recovery_proof.h"
#include "cluster/module_process.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CLUSTER_RIG_MEMBERS = 3,
    CLUSTER_RIG_CLIENTS = 2,
    CLUSTER_RIG_LINES = 24, /* kept of each member */
    CLUSTER_RIG_LINE = 240,
};

typedef struct cluster_rig_config {
    const char *lines; /* of the configuration, besides those of the rig; NULL: none. Borrowed for
                          the call */
    bool apart;        /* drivers and modules are processes of their own, started by the rig */
} cluster_rig_config_t;

typedef struct cluster_rig_member {
    module_process_t *module; /* apart */
    bool hurt;                /* what of it does not run is started again while the rig waits */
    bool patient;             /* and only when all of it has ended */
    unsigned starts;          /* since it was hurt */
    unsigned line_count;
    char lines[CLUSTER_RIG_LINES][CLUSTER_RIG_LINE]; /* a ring */
} cluster_rig_member_t;

typedef struct cluster_rig {
    char dir[256];
    char responses[300];
    bool apart;
    local_cluster_t *cluster;
    cluster_rig_member_t members[CLUSTER_RIG_MEMBERS];
    child_process_t load;
    long load_pid;
    uint64_t start_ns;
} cluster_rig_t;

/* Builds the jar; false: it cannot be had here, `why` has been printed as SKIP. */
bool cluster_rig_possible(void);

/* What every member of a rig has in its configuration; ends in the section [cluster]. */
const char *cluster_rig_lines(void);

/* Makes the directories; nothing runs yet. Undo: cluster_rig_remove(). */
void cluster_rig_make(cluster_rig_t *self, const cluster_rig_config_t *config);

/* Ends and removes everything. A zeroed struct is allowed: for teardowns. */
void cluster_rig_remove(cluster_rig_t *self);

/* Starts all members and waits until they are whole. */
void cluster_rig_start(cluster_rig_t *self);

/* Starts one member, as the rig does for those that are hurt. */
void cluster_rig_start_member(cluster_rig_t *self, uint32_t member);

/* Two clients trade from now on: `rate` orders a second. Returns when they do. */
void cluster_rig_trade(cluster_rig_t *self, unsigned rate);

/* Waits until the clients wrote down so many bytes more than now. */
void cluster_rig_trade_on(cluster_rig_t *self, uint64_t bytes);

/* The clients stop sending, and have all their answers. */
void cluster_rig_end_trade(cluster_rig_t *self);

/* Listens to the members for so long. One that ends, and is not hurt, fails the test. */
void cluster_rig_listen(cluster_rig_t *self, uint64_t ms);

/* Waits until all members lead or follow and have applied what the leader had when all did. Those
 * that are hurt are started again, and are not hurt any more then. */
void cluster_rig_whole(cluster_rig_t *self);

/* The leader; waits for one. */
uint32_t cluster_rig_leader(cluster_rig_t *self);

/* Kills with SIGKILL: the C process; the Java process; the driver (apart). The member is hurt. */
void cluster_rig_kill(cluster_rig_t *self, uint32_t member);
void cluster_rig_kill_module(cluster_rig_t *self, uint32_t member);
void cluster_rig_kill_driver(cluster_rig_t *self, uint32_t member);

/* Kills a member, and waits until nothing of it runs; it is not started again by itself. */
void cluster_rig_put_down(cluster_rig_t *self, uint32_t member);

/* Waits until all members are at one position, where they must be in one state; `states` has room
 * for MEMBER_COUNT_MAX. The clients must have ended. */
void cluster_rig_settle(cluster_rig_t *self, member_state_t *states);

/* Ends all members in order; their states must be one first, and the proof must hold: the clients
 * got what each log says. The clients must have ended. */
void cluster_rig_prove(cluster_rig_t *self, recovery_proof_t *proof);

/* Runs a program to its end, which must have this status; argv[0] has a slash. */
void cluster_rig_tool(cluster_rig_t *self, const char *const *argv, int status, int64_t timeout_ns);

/* A member's directory, or a file in it; borrowed until the next call. */
const char *cluster_rig_path(const cluster_rig_t *self, uint32_t member, const char *name);

/* HOST:PORT of one of a member's endpoints, which member_config_endpoint() counts; borrowed until
 * the next call. */
const char *cluster_rig_endpoint(cluster_rig_t *self, uint32_t member, uint32_t which);

/* What the member says of itself; fails the test if it does not. */
member_state_t cluster_rig_state(cluster_rig_t *self, uint32_t member);

/* Whether one of the lines that are kept of a member, or of its module's log, has `text` in it. */
bool cluster_rig_said(const cluster_rig_t *self, uint32_t member, const char *text);

/* Prints how all members are, and fails the test. */
_Noreturn void cluster_rig_fail(cluster_rig_t *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
