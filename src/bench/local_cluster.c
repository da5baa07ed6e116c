/*
 * The processes of a local cluster. Called by the demo, the benches, `outcry cluster up` and tests.
 *
 * Invariants: a role is believed only of a process that still runs; every wait has a limit, and
 * listens to all members meanwhile, so that none waits for a full pipe. Nothing is started again by
 * itself.
 */
#define _GNU_SOURCE
#include "bench/local_cluster.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/child_process.h"
#include "host/node_config.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND_NS INT64_C(1000000000)
#define KILL_NS   (20 * SECOND_NS)
#define DRIVER_NS (20 * SECOND_NS)
#define STEP_NS   (SECOND_NS / 10)
#define PAUSE_NS  (SECOND_NS / 100)
#define REST_NS   (SECOND_NS / 50) /* for the rest of a line that was begun */

typedef struct member {
    child_process_t process;
    child_process_t driver;
    local_member_state_t state;
} member_t;

struct local_cluster {
    cluster_folder_t folder;
    local_cluster_config_t config;
    member_t members[MEMBER_COUNT_MAX];
    uint64_t news;
};

oc_err_t local_cluster_create(local_cluster_t **cluster, const local_cluster_config_t *config)
{
    *cluster = NULL;
    local_cluster_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for a cluster");
    self->config = *config;
    for (size_t i = 0; i < MEMBER_COUNT_MAX; i++) {
        self->members[i].process.output = -1;
        self->members[i].driver.output = -1;
    }
    const oc_err_t err = cluster_folder_open(&self->folder, &config->folder);
    if (err != OC_ERR_OK) {
        free(self);
        return err;
    }
    *cluster = self;
    return OC_ERR_OK;
}

const cluster_folder_t *local_cluster_folder(const local_cluster_t *self)
{
    return &self->folder;
}

/* ---- Starting ---- */

static oc_err_t start_driver(local_cluster_t *self, uint32_t member)
{
    member_t *m = &self->members[member];
    char aeron_dir[128];
    char said[CHILD_LINE_MAX];
    oc_err_t err = cluster_folder_aeron_dir(&self->folder, member, aeron_dir, sizeof aeron_dir);
    if (err != OC_ERR_OK || child_process_running(&m->driver))
        return err;
    child_process_end(&m->driver);
    /* A service author's program has no driver to offer. */
    const char *program = self->config.program && !self->config.plain ? self->config.program : NULL;
    const char *const argv[] = {program ? program : "outcry", "driver", "--dir", aeron_dir, NULL};
    err = child_process_start(&m->driver, argv, -1);
    if (err == OC_ERR_OK)
        err = child_process_expect(&m->driver, "ready: ", said, sizeof said, DRIVER_NS);
    return err;
}

oc_err_t local_cluster_start(local_cluster_t *self, uint32_t member)
{
    OC_ASSERT(member < self->folder.members);
    member_t *m = &self->members[member];
    char id[16];
    char dir[CLUSTER_FOLDER_PATH];
    char config[CLUSTER_FOLDER_PATH];
    OC_ASSERT(!child_process_running(&m->process));
    child_process_end(&m->process);
    if (self->folder.external_driver) {
        const oc_err_t err = start_driver(self, member);
        if (err != OC_ERR_OK)
            return err;
    }
    (void)snprintf(id, sizeof id, "%" PRIu32, member);
    cluster_folder_dir(&self->folder, member, dir);
    cluster_folder_file(&self->folder, member, NODE_CONFIG_NAME, config);
    const char *program = self->config.program ? self->config.program : "outcry";
    const char *const argv[] = {program, "member", "--id", id,  "--config",
                                config,  "--dir",  dir,    NULL};
    const char *const plain[] = {program, dir, NULL};
    const oc_err_t err = child_process_start(&m->process, self->config.plain ? plain : argv, -1);
    if (err != OC_ERR_OK)
        return err;
    m->state = (local_member_state_t){.running = true, .starts = m->state.starts + 1};
    return OC_ERR_OK;
}

oc_err_t local_cluster_start_all(local_cluster_t *self)
{
    for (uint32_t i = 0; i < self->folder.members; i++) {
        if (self->members[i].state.running)
            continue;
        const oc_err_t err = local_cluster_start(self, i);
        if (err != OC_ERR_OK)
            return err;
    }
    return OC_ERR_OK;
}

/* ---- Listening ---- */

static void tell(const local_cluster_t *self, uint32_t member, const char *line)
{
    if (self->config.line)
        self->config.line(self->config.context, member, line);
}

static void take_role(local_cluster_t *self, local_member_state_t *state, local_role_t role,
                      const char *rest)
{
    int64_t term = -1;
    uint64_t position = 0;
    (void)sscanf(rest, "term %" SCNd64 ", position %" SCNu64, &term, &position);
    state->role = role;
    state->term = term < 0 ? 0 : (uint64_t)term + 1;
    state->position = position;
    state->news = ++self->news;
}

static void take_recovery(local_member_state_t *state, const char *rest)
{
    const char *replayed = strstr(rest, ", replayed ");
    (void)sscanf(rest, "position %" SCNu64 ", image %" SCNu64, &state->recovered_position,
                 &state->image);
    if (replayed)
        (void)sscanf(replayed, ", replayed %" SCNu64, &state->replayed);
}

/* What a member says of itself; other lines are only passed on. */
static void understand(local_cluster_t *self, local_member_state_t *state, const char *line)
{
    static const char leader[] = "leader: ";
    static const char follower[] = "follower: ";
    static const char recovered[] = "recovered: ";
    int used = 0;
    if (sscanf(line, "member %*u: %n", &used) != 0 || used == 0)
        return;
    line += used;
    if (!strncmp(line, leader, sizeof leader - 1))
        take_role(self, state, LOCAL_ROLE_LEADER, line + sizeof leader - 1);
    else if (!strncmp(line, follower, sizeof follower - 1))
        take_role(self, state, LOCAL_ROLE_FOLLOWER, line + sizeof follower - 1);
    else if (!strncmp(line, recovered, sizeof recovered - 1))
        take_recovery(state, line + sizeof recovered - 1);
    else if (!strncmp(line, "ended", 5))
        state->role = LOCAL_ROLE_NONE;
}

static int take_lines(local_cluster_t *self, uint32_t member, bool ready)
{
    member_t *m = &self->members[member];
    char line[CHILD_LINE_MAX];
    int count = 0;
    for (;;) {
        const oc_err_t err =
            child_process_line(&m->process, line, sizeof line, ready && count == 0 ? REST_NS : 0);
        if (err != OC_ERR_OK)
            return count;
        understand(self, &m->state, line);
        tell(self, member, line);
        count++;
    }
}

static int note_end(local_cluster_t *self, uint32_t member)
{
    member_t *m = &self->members[member];
    char line[64];
    if (!m->state.running || child_process_running(&m->process))
        return 0;
    int count = 0;
    for (int more = 1; more > 0; count += more) /* what it said last */
        more = take_lines(self, member, true);
    if (child_process_wait(&m->process, &m->state.status, 0) != OC_ERR_OK)
        m->state.status = -1;
    m->state.running = false;
    m->state.role = LOCAL_ROLE_NONE;
    child_process_end(&m->process);
    (void)snprintf(line, sizeof line, "member %" PRIu32 ": ended: status %d", member,
                   m->state.status);
    tell(self, member, line);
    return count + 1;
}

static int take_all(local_cluster_t *self, const struct pollfd *wanted)
{
    int count = 0;
    for (uint32_t i = 0; i < self->folder.members; i++) {
        if (self->members[i].state.running)
            count += take_lines(self, i, (wanted[i].revents & POLLIN) != 0);
        count += note_end(self, i);
    }
    return count;
}

int local_cluster_poll(local_cluster_t *self, int64_t timeout_ns)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    for (;;) {
        struct pollfd wanted[MEMBER_COUNT_MAX];
        bool hung = false;
        const uint64_t now = clock_wall_ns();
        const uint64_t left_ns = now < deadline ? deadline - now : 0;
        const uint64_t wait_ns = left_ns < STEP_NS ? left_ns : STEP_NS;
        for (uint32_t i = 0; i < self->folder.members; i++)
            wanted[i] = (struct pollfd){
                .fd = self->members[i].state.running ? self->members[i].process.output : -1,
                .events = POLLIN};
        (void)poll(wanted, self->folder.members, (int)((wait_ns + 999999) / 1000000));
        for (uint32_t i = 0; i < self->folder.members; i++)
            hung |= (wanted[i].revents & (POLLHUP | POLLIN)) == POLLHUP;
        const int count = take_all(self, wanted);
        if (count > 0 || left_ns == 0)
            return count;
        if (hung) /* it closed its output and has not ended yet */
            (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
}

/* ---- Looking ---- */

void local_cluster_state(const local_cluster_t *self, uint32_t member, local_member_state_t *state)
{
    OC_ASSERT(member < self->folder.members);
    *state = self->members[member].state;
}

bool local_cluster_leader(const local_cluster_t *self, uint32_t *member)
{
    bool found = false;
    for (uint32_t i = 0; i < self->folder.members; i++) {
        const local_member_state_t *state = &self->members[i].state;
        if (state->role != LOCAL_ROLE_LEADER ||
            (found && state->news <= self->members[*member].state.news))
            continue;
        *member = i;
        found = true;
    }
    return found;
}

static oc_err_t has_ended(const local_cluster_t *self, uint32_t member)
{
    const local_member_state_t *state = &self->members[member].state;
    if (state->starts == 0)
        return error_set(OC_ERR_CLOSED, "member %" PRIu32 " was not started", member);
    return error_set(OC_ERR_CLOSED, "member %" PRIu32 " ended with status %d", member,
                     state->status);
}

/* Whether those that run can elect a leader. */
static oc_err_t check_majority(const local_cluster_t *self)
{
    uint32_t running = 0;
    uint32_t gone = 0;
    for (uint32_t i = 0; i < self->folder.members; i++) {
        running += self->members[i].state.running;
        if (!self->members[i].state.running)
            gone = i;
    }
    return running > self->folder.members / 2 ? OC_ERR_OK : has_ended(self, gone);
}

oc_err_t local_cluster_wait_leader(local_cluster_t *self, uint64_t term, uint32_t *leader,
                                   int64_t timeout_ns)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    for (;;) {
        if (local_cluster_leader(self, leader) &&
            (term == 0 || self->members[*leader].state.term > term))
            return OC_ERR_OK;
        const oc_err_t err = process_check_interrupted(check_majority(self));
        if (err != OC_ERR_OK)
            return err;
        if (clock_wall_ns() >= deadline)
            return error_set(OC_ERR_TIMEOUT, "no member leads after %.1f s",
                             (double)timeout_ns / 1e9);
        (void)local_cluster_poll(self, STEP_NS);
    }
}

oc_err_t local_cluster_wait_joined(local_cluster_t *self, uint32_t member, int64_t timeout_ns)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    OC_ASSERT(member < self->folder.members);
    const local_member_state_t *state = &self->members[member].state;
    while (state->role == LOCAL_ROLE_NONE) {
        if (process_end_requested())
            return process_check_interrupted(OC_ERR_OK);
        if (!state->running)
            return has_ended(self, member);
        if (clock_wall_ns() >= deadline)
            return error_set(OC_ERR_TIMEOUT, "member %" PRIu32 " has not joined after %.1f s",
                             member, (double)timeout_ns / 1e9);
        (void)local_cluster_poll(self, STEP_NS);
    }
    return OC_ERR_OK;
}

/* ---- Ending ---- */

void local_cluster_signal(local_cluster_t *self, uint32_t member, int signal)
{
    OC_ASSERT(member < self->folder.members);
    child_process_signal(&self->members[member].process, signal);
}

oc_err_t local_cluster_wait_end(local_cluster_t *self, uint32_t member, int *status,
                                int64_t timeout_ns)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    OC_ASSERT(member < self->folder.members);
    while (self->members[member].state.running) {
        if (clock_wall_ns() >= deadline)
            return error_set(OC_ERR_TIMEOUT, "member %" PRIu32 " still runs after %.1f s", member,
                             (double)timeout_ns / 1e9);
        (void)local_cluster_poll(self, STEP_NS);
    }
    *status = self->members[member].state.status;
    return OC_ERR_OK;
}

/* A module that outlives its member would keep the next one from starting. */
static oc_err_t wait_module_end(const local_cluster_t *self, uint32_t member)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)KILL_NS;
    long pid;
    while ((pid = cluster_folder_module_pid(&self->folder, member)) != 0) {
        if (clock_wall_ns() >= deadline)
            return error_set(OC_ERR_TIMEOUT,
                             "the module of member %" PRIu32 ", process %ld, "
                             "outlives it",
                             member, pid);
        (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return OC_ERR_OK;
}

oc_err_t local_cluster_kill(local_cluster_t *self, uint32_t member)
{
    int status;
    local_cluster_signal(self, member, SIGKILL);
    const oc_err_t err = local_cluster_wait_end(self, member, &status, KILL_NS);
    return err == OC_ERR_OK ? wait_module_end(self, member) : err;
}

oc_err_t local_cluster_kill_driver(local_cluster_t *self, uint32_t member)
{
    int status;
    OC_ASSERT(member < self->folder.members);
    OC_ASSERT(self->folder.external_driver);
    child_process_signal(&self->members[member].driver, SIGKILL);
    return child_process_wait(&self->members[member].driver, &status, KILL_NS);
}

static oc_err_t stop_one(local_cluster_t *self, uint32_t member, int64_t timeout_ns)
{
    int status = 0;
    if (!self->members[member].state.running)
        return OC_ERR_OK;
    local_cluster_signal(self, member, SIGTERM);
    oc_err_t err = local_cluster_wait_end(self, member, &status, timeout_ns);
    if (err == OC_ERR_OK)
        return status == 0 ? OC_ERR_OK : has_ended(self, member);
    err = local_cluster_kill(self, member);
    if (err != OC_ERR_OK)
        return err;
    return error_set(OC_ERR_TIMEOUT, "member %" PRIu32 " did not end within %.1f s and was killed",
                     member, (double)timeout_ns / 1e9);
}

static void stop_drivers(local_cluster_t *self)
{
    int status;
    for (uint32_t i = 0; i < self->folder.members; i++)
        child_process_signal(&self->members[i].driver, SIGTERM);
    for (uint32_t i = 0; i < self->folder.members; i++) {
        /* One that does not end is killed below; its directory goes with the cluster. */
        if (child_process_running(&self->members[i].driver) &&
            child_process_wait(&self->members[i].driver, &status, DRIVER_NS) != OC_ERR_OK)
            tell(self, i, "its driver did not end and is killed");
        child_process_end(&self->members[i].driver);
    }
}

oc_err_t local_cluster_stop(local_cluster_t *self, int64_t timeout_ns)
{
    char first[512] = "";
    oc_err_t result = OC_ERR_OK;
    uint32_t leader = MEMBER_COUNT_MAX;
    (void)local_cluster_leader(self, &leader);
    for (uint32_t i = 0; i <= self->folder.members; i++) {
        const bool last = i == self->folder.members;
        if ((!last && i == leader) || (last && leader == MEMBER_COUNT_MAX))
            continue;
        const oc_err_t err = stop_one(self, last ? leader : i, timeout_ns);
        if (err == OC_ERR_OK || result != OC_ERR_OK)
            continue;
        result = err;
        (void)snprintf(first, sizeof first, "%s", oc_err_context());
    }
    stop_drivers(self);
    return result == OC_ERR_OK ? OC_ERR_OK : error_set(result, "%s", first);
}

static bool is_running(const local_cluster_t *self)
{
    for (uint32_t i = 0; i < self->folder.members; i++)
        if (self->members[i].state.running)
            return true;
    return false;
}

void local_cluster_interrupt(local_cluster_t *self, int64_t timeout_ns)
{
    /* All at once: nobody is going to trade on what they leave. */
    for (uint32_t i = 0; i < self->folder.members; i++)
        local_cluster_signal(self, i, SIGTERM);
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    while (is_running(self) && clock_wall_ns() < deadline)
        (void)local_cluster_poll(self, STEP_NS);
}

void local_cluster_destroy(local_cluster_t *self)
{
    if (!self)
        return;
    for (uint32_t i = 0; i < self->folder.members; i++) {
        child_process_end(&self->members[i].process);
        (void)wait_module_end(self, i);
        child_process_end(&self->members[i].driver);
    }
    cluster_folder_clean(&self->folder);
    free(self);
}
