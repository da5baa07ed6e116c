/*
 * Runs a peer's script. Called by the benches of clusters.
 *
 * Invariants: each of its processes is in a group that is killed with it; its data and its drivers'
 * directories are removed at the end, and have names by which the next run finds what a killed one
 * left. It is given the terms that our own cluster has: heap and
 * collector, sync level, timeouts, idle strategies.
 */
#define _GNU_SOURCE
#include "bench/peer_cluster.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "base/remove_tree.h"
#include "bench/log_folder.h"
#include "host/driver_dir.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)
#define BUILD_NS  (600 * SECOND_NS)
#define START_NS  (180 * SECOND_NS)
#define FILL_NS   (1200 * SECOND_NS)
#define LISTEN_NS INT64_C(1000000)
#define END_NS    UINT64_C(5000000000)
#define LOOK_NS   (SECOND_NS / 2)

enum {
    PORT_FIRST = 30000, /* below those that the system gives to anybody */
    PORT_LAST = 31700,
    PORT_STEP = 10,
    PORTS_EACH = 5,
    OPTIONS_MAX = 16,
};

/* ---- Its environment ---- */

typedef struct command {
    char text[8][MEASURED_CLUSTER_PATH + 64];
    const char *argv[12 + OPTIONS_MAX];
    size_t texts;
    size_t count;
} command_t;

static void push(command_t *self, const char *argument)
{
    OC_ASSERT(self->count + 1 < sizeof self->argv / sizeof self->argv[0]);
    self->argv[self->count++] = argument;
    self->argv[self->count] = NULL;
}

/* A text of its own, to be printed to. */
static char *text(command_t *self)
{
    OC_ASSERT(self->texts < sizeof self->text / sizeof self->text[0]);
    push(self, self->text[self->texts]);
    return self->text[self->texts++];
}

static void command_init(command_t *self, const peer_cluster_t *peer, const char *name)
{
    const cluster_terms_t *terms = peer->terms;
    const size_t size = sizeof self->text[0];
    self->texts = 0;
    self->count = 0;
    push(self, "/usr/bin/env");
    (void)snprintf(text(self), size, "OUT=%s", peer->out);
    (void)snprintf(text(self), size, "PORT=%u", (unsigned)peer->port);
    (void)snprintf(text(self), size, "GC=%s", terms->gc);
    (void)snprintf(text(self), size, "NODE_HEAP=%" PRIu64 "m", terms->heap_mb);
    (void)snprintf(text(self), size,
                   "NODE_JAVA_OPTS=-Daeron.cluster.leader.heartbeat.timeout=%" PRIu64
                   "ms -Daeron.cluster.election.timeout=%" PRIu64
                   "ms -Daeron.cluster.startup.canvass.timeout=%" PRIu64 "ms",
                   terms->heartbeat_ms, terms->election_ms, 2 * terms->heartbeat_ms + 1000);
    push(self, "bash");
    (void)snprintf(text(self), size, "%s/run.sh", terms->peer);
    push(self, name);
}

/* ---- Its life ---- */

static bool is_free(uint16_t port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool free = fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) == 0;
    if (fd >= 0)
        (void)close(fd);
    return free;
}

static bool all_free(uint16_t port, uint32_t members)
{
    for (uint32_t i = 0; i < members; i++)
        for (uint32_t n = 1; n <= PORTS_EACH; n++)
            if (!is_free((uint16_t)(port + 100 * i + n)))
                return false;
    return true;
}

static oc_err_t choose_port(peer_cluster_t *self)
{
    for (uint16_t port = PORT_FIRST; port < PORT_LAST - 100 * MEMBER_COUNT_MAX; port += PORT_STEP)
        if (all_free(port, self->terms->members)) {
            self->port = port;
            return OC_ERR_OK;
        }
    return error_set(OC_ERR_OPEN, "no free UDP ports of 127.0.0.1 for the peer");
}

static void remove_data(const peer_cluster_t *self)
{
    char path[sizeof self->out + 16];
    (void)snprintf(path, sizeof path, "%s/data", self->out);
    (void)remove_tree(path);
    for (uint32_t i = 0; i < MEMBER_COUNT_MAX; i++) {
        peer_cluster_aeron_dir(self, i, path);
        (void)remove_tree(path);
    }
}

static oc_err_t too_long(int64_t timeout_ns, const char *last)
{
    return error_set(OC_ERR_TIMEOUT,
                     "the peer's script still runs after %.0f s; it said last: %.300s",
                     (double)timeout_ns / 1e9, last[0] ? last : "nothing");
}

/* Reads what a process says into the report, until it has ended. */
static oc_err_t read_all(peer_cluster_t *self, child_process_t *process, int64_t timeout_ns)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    char line[CHILD_LINE_MAX];
    char last[CHILD_LINE_MAX] = "";
    int status = 0;
    for (;;) {
        const uint64_t now_ns = clock_wall_ns();
        const oc_err_t err = child_process_line(
            process, line, sizeof line, now_ns < deadline ? (int64_t)(deadline - now_ns) : 0);
        if (err == OC_ERR_CLOSED)
            break;
        if (err == OC_ERR_TIMEOUT)
            return too_long(timeout_ns, last);
        if (err != OC_ERR_OK)
            return err;
        (void)peer_report_line(&self->report, line);
        memcpy(last, line, sizeof last);
    }
    const oc_err_t err = child_process_wait(process, &status, 10 * SECOND_NS);
    child_process_end(process);
    if (err == OC_ERR_TIMEOUT)
        return too_long(timeout_ns, last);
    if (err == OC_ERR_OK && status != 0)
        return error_set(OC_ERR_CLOSED, "the peer's script ended with status %d: %.300s", status,
                         last);
    return err;
}

static oc_err_t build(peer_cluster_t *self)
{
    command_t command;
    command_init(&command, self, "build");
    const oc_err_t err = child_process_start_group(&self->load, command.argv);
    return err == OC_ERR_OK ? read_all(self, &self->load, BUILD_NS) : err;
}

oc_err_t peer_cluster_init(peer_cluster_t *self, const cluster_terms_t *terms)
{
    char script[MEASURED_CLUSTER_PATH];
    memset(self, 0, sizeof *self);
    self->terms = terms;
    self->load.output = -1;
    for (uint32_t i = 0; i < MEMBER_COUNT_MAX; i++)
        self->nodes[i].output = -1;
    OC_ASSERT(terms->peer != NULL);
    (void)snprintf(script, sizeof script, "%s/run.sh", terms->peer);
    if (access(script, R_OK) != 0)
        return error_set(OC_ERR_OPEN, "%s: %s", script, strerror(errno));
    oc_err_t err = log_folder_parent(terms->dir, &self->made_dir);
    if (err != OC_ERR_OK)
        return err;
    (void)snprintf(self->out, sizeof self->out, "%s/peer", terms->dir);
    if (mkdir(self->out, 0777) != 0 && errno != EEXIST)
        return error_set(OC_ERR_OPEN, "%s: %s", self->out, strerror(errno));
    err = driver_dir_of(self->out, self->aeron, sizeof self->aeron);
    if (err != OC_ERR_OK)
        return err;
    remove_data(self); /* of one that was killed */
    err = choose_port(self);
    return err == OC_ERR_OK ? build(self) : err;
}

/* Its clients have drivers of their own, whose buffers only they know. */
static void end_in_order(peer_cluster_t *self)
{
    const uint64_t deadline = clock_wall_ns() + END_NS;
    child_process_signal(&self->load, SIGTERM);
    for (uint32_t i = 0; i < MEMBER_COUNT_MAX; i++)
        child_process_signal(&self->nodes[i], SIGTERM);
    for (bool runs = true; runs && clock_wall_ns() < deadline;) {
        runs = child_process_running(&self->load);
        for (uint32_t i = 0; i < MEMBER_COUNT_MAX; i++)
            runs |= child_process_running(&self->nodes[i]);
        if (runs)
            (void)nanosleep(&(struct timespec){.tv_nsec = LISTEN_NS}, NULL);
    }
}

void peer_cluster_fini(peer_cluster_t *self)
{
    end_in_order(self);
    child_process_end(&self->load);
    for (uint32_t i = 0; i < MEMBER_COUNT_MAX; i++)
        child_process_end(&self->nodes[i]);
    if (self->aeron[0])
        remove_data(self);
    if (self->out[0])
        (void)rmdir(self->out); /* if nothing was built */
    if (self->made_dir)
        (void)rmdir(self->terms->dir);
}

void peer_cluster_aeron_dir(const peer_cluster_t *self, uint32_t member, char path[128])
{
    (void)snprintf(path, 128, "%s-%" PRIu32, self->aeron, member);
}

oc_err_t peer_cluster_start(peer_cluster_t *self, uint32_t member)
{
    command_t command;
    char id[32], members[32], dir[128], sync[32], expected[48], idle[32];
    OC_ASSERT(member < self->terms->members);
    (void)snprintf(id, sizeof id, "--member=%" PRIu32, member);
    (void)snprintf(members, sizeof members, "--members=%" PRIu32, self->terms->members);
    (void)snprintf(dir, sizeof dir, "--aeronDir=%s", self->aeron);
    (void)snprintf(sync, sizeof sync, "--fileSyncLevel=%" PRIu64, self->terms->sync_level);
    (void)snprintf(expected, sizeof expected, "--expectedOrders=%" PRIu32, self->terms->orders);
    (void)snprintf(idle, sizeof idle, "--idle=%s", self->terms->idle);
    const char *const options[] = {id, members, dir, sync, expected, idle};
    command_init(&command, self, "node");
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        push(&command, options[i]);
    child_process_end(&self->nodes[member]);
    return child_process_start_group(&self->nodes[member], command.argv);
}

/* Listens meanwhile, so that none waits for a full pipe, and one that ends is not waited for. */
static oc_err_t wait_joined(peer_cluster_t *self, uint32_t member, uint64_t deadline)
{
    module_watch_t watch;
    char dir[128];
    oc_err_t err = OC_ERR_TIMEOUT;
    peer_cluster_aeron_dir(self, member, dir);
    while (err == OC_ERR_TIMEOUT && clock_wall_ns() < deadline) {
        int status;
        peer_cluster_listen(self);
        if (child_process_wait(&self->nodes[member], &status, 0) == OC_ERR_OK)
            return error_set(OC_ERR_CLOSED,
                             "the peer's script ended with status %d: member %" PRIu32
                             " of it does not run",
                             status, member);
        err = module_watch_wait(&watch, dir, 0, LOOK_NS);
    }
    if (err == OC_ERR_OK)
        module_watch_close(&watch);
    return err == OC_ERR_TIMEOUT ? error_set(err,
                                             "member %" PRIu32 " of the peer, with its driver in "
                                             "%s, has not joined after %.0f s",
                                             member, dir, (double)START_NS / 1e9)
                                 : err;
}

oc_err_t peer_cluster_start_all(peer_cluster_t *self)
{
    oc_err_t err = OC_ERR_OK;
    for (uint32_t i = 0; err == OC_ERR_OK && i < self->terms->members; i++)
        err = peer_cluster_start(self, i);
    for (uint32_t i = 0; err == OC_ERR_OK && i < self->terms->members; i++)
        err = wait_joined(self, i, clock_wall_ns() + (uint64_t)START_NS);
    return err == OC_ERR_OK ? peer_cluster_find_leader(self) : err;
}

oc_err_t peer_cluster_find_leader(peer_cluster_t *self)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)START_NS;
    while (clock_wall_ns() < deadline) {
        const oc_err_t err = process_sleep(LISTEN_NS);
        if (err != OC_ERR_OK)
            return err;
        for (uint32_t i = 0; i < self->terms->members; i++) {
            module_watch_t watch;
            char dir[128];
            peer_cluster_aeron_dir(self, i, dir);
            if (module_watch_open(&watch, dir) != OC_ERR_OK)
                continue;
            const bool leads = module_watch_leads(&watch);
            module_watch_close(&watch);
            if (!leads)
                continue;
            self->leader = i;
            return OC_ERR_OK;
        }
    }
    return error_set(OC_ERR_TIMEOUT, "no member of the peer leads");
}

void peer_cluster_kill(peer_cluster_t *self, uint32_t member)
{
    char dir[128];
    peer_cluster_listen(self);
    child_process_end(&self->nodes[member]);
    peer_cluster_aeron_dir(self, member, dir);
    (void)remove_tree(dir);
}

/* Of followers only what they have loaded counts: clients do not wait for their snapshots. */
static void take_line(peer_cluster_t *self, uint32_t member, const char *line)
{
    peer_report_t follower = {0};
    if (member == self->leader) {
        (void)peer_report_line(&self->report, line);
        return;
    }
    if (peer_report_line(&follower, line) && follower.loaded_ms > 0)
        self->report.loaded_ms = follower.loaded_ms;
}

void peer_cluster_listen(peer_cluster_t *self)
{
    char line[CHILD_LINE_MAX];
    for (uint32_t i = 0; i < self->terms->members; i++)
        while (self->nodes[i].output >= 0 &&
               child_process_line(&self->nodes[i], line, sizeof line, LISTEN_NS) == OC_ERR_OK)
            take_line(self, i, line);
}

/* ---- Its load ---- */

oc_err_t peer_cluster_load_begin(peer_cluster_t *self, const char *mode, const char *const *options)
{
    command_t command;
    char members[32];
    (void)snprintf(members, sizeof members, "--members=%" PRIu32, self->terms->members);
    command_init(&command, self, "load");
    push(&command, mode);
    push(&command, members);
    push(&command, "--idle=yield"); /* as our clients */
    for (size_t i = 0; options[i]; i++)
        push(&command, options[i]);
    return child_process_start_group(&self->load, command.argv);
}

oc_err_t peer_cluster_load_end(peer_cluster_t *self, int64_t timeout_ns)
{
    char context[512];
    const oc_err_t err = read_all(self, &self->load, timeout_ns);
    (void)snprintf(context, sizeof context, "%s", oc_err_context());
    child_process_end(&self->load);
    peer_cluster_listen(self);
    return err == OC_ERR_OK ? OC_ERR_OK : error_set(err, "%s", context);
}

oc_err_t peer_cluster_load_says(peer_cluster_t *self, const char *words, int64_t timeout_ns)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    char line[CHILD_LINE_MAX];
    oc_err_t err = OC_ERR_OK;
    do {
        const uint64_t now_ns = clock_wall_ns();
        err = child_process_line(&self->load, line, sizeof line,
                                 now_ns < deadline ? (int64_t)(deadline - now_ns) : 0);
        if (err == OC_ERR_OK)
            (void)peer_report_line(&self->report, line);
    } while (err == OC_ERR_OK && !strstr(line, words));
    return err;
}

oc_err_t peer_cluster_load(peer_cluster_t *self, const char *mode, const char *const *options,
                           int64_t timeout_ns)
{
    const oc_err_t err = peer_cluster_load_begin(self, mode, options);
    return err == OC_ERR_OK ? peer_cluster_load_end(self, timeout_ns) : err;
}

oc_err_t peer_cluster_fill(peer_cluster_t *self)
{
    char orders[32];
    (void)snprintf(orders, sizeof orders, "--orders=%" PRIu32, self->terms->orders);
    const char *const options[] = {orders, "--window=16384", NULL};
    return peer_cluster_load(self, "fill", options, FILL_NS);
}
