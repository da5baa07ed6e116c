/*
 * A real cluster for tests. Called by the tests that kill members and by those of what a cluster
 * must survive otherwise.
 *
 * Invariants: every wait has a limit; members are listened to during each; what was started is
 * ended by cluster_rig_remove(), also after a failed test, and by the kernel when this process
 * dies. A member that ends although nobody hurt it is a failure, however well the cluster goes on.
 */
#define _GNU_SOURCE
#include "lib/cluster_rig.h"

#include "aeron/driver_leftovers.h"
#include "base/cycle_clock.h"
#include "base/remove_tree.h"
#include "bench/cluster_proof.h"
#include "lib/cluster_place.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define SECOND_NS  INT64_C(1000000000)
#define START_NS   (60 * SECOND_NS)
#define WHOLE_NS   (60 * SECOND_NS)
#define END_NS     (30 * SECOND_NS)
#define TRADE_NS   (60 * SECOND_NS)
#define ASK_NS     (5 * SECOND_NS)
#define STEP_NS    (SECOND_NS / 50)
#define JAR_NS     (240 * SECOND_NS)
#define SKIPPED    77
#define START_MORE 1024 /* bytes of answers: the clients trade */

enum { STARTS_MAX = 6, MEMBERS = CLUSTER_RIG_MEMBERS };

/* Short, so that a kill costs little; yet three JVMs on two processors must keep up. */
static const char base_lines[] = "[exchange]\n"
                                 "max_orders = 65536\n"
                                 "max_levels = 16384\n"
                                 "max_sources = 16\n"
                                 "kept_outputs = 16384\n"
                                 "[cluster]\n"
                                 "heartbeat_timeout_ms = 1200\n"
                                 "election_timeout_ms = 400\n"
                                 "canvass_timeout_ms = 2400\n"
                                 "log_channel = aeron:udp?term-length=2m\n"
                                 "archive_segment_bytes = 16M\n"
                                 "jvm_flags = -Xms48m -Xmx128m -XX:+UseSerialGC "
                                 "-XX:TieredStopAtLevel=1 -Daeron.driver.timeout=5000\n";

const char *cluster_rig_lines(void)
{
    return base_lines;
}

static uint64_t deadline_in(int64_t ns)
{
    return clock_wall_ns() + (uint64_t)ns;
}

static bool is_over(uint64_t deadline)
{
    return clock_wall_ns() >= deadline;
}

/* ---- What is told when something goes wrong ---- */

static void print_member(const cluster_rig_t *self, uint32_t member)
{
    static const char *const roles[] = {"no role", "follower", "leader"};
    const cluster_rig_member_t *m = &self->members[member];
    local_member_state_t state;
    local_cluster_state(self->cluster, member, &state);
    print_message("member %u: %s, %s, last status %d, starts %u%s\n", member,
                  state.running ? "runs" : "does not run", roles[state.role], state.status,
                  state.starts, m->hurt ? ", hurt" : "");
    const unsigned first =
        m->line_count > CLUSTER_RIG_LINES ? m->line_count - CLUSTER_RIG_LINES : 0;
    for (unsigned i = first; i < m->line_count; i++)
        print_message("  %s\n", m->lines[i % CLUSTER_RIG_LINES]);
    cluster_place_print_tail(cluster_rig_path(self, member, "module.log"));
}

_Noreturn void cluster_rig_fail(cluster_rig_t *self, const char *format, ...)
{
    char what[2048];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    print_message("%s\n", what);
    for (uint32_t i = 0; self->cluster != NULL && i < MEMBERS; i++)
        print_member(self, i);
    fail_msg("%s", what);
    abort();
}

static void must(cluster_rig_t *self, oc_err_t err, const char *what)
{
    if (err != OC_ERR_OK)
        cluster_rig_fail(self, "%s: %s", what, oc_err_context());
}

static void on_line(void *context, uint32_t member, const char *line)
{
    cluster_rig_t *self = context;
    cluster_rig_member_t *m = &self->members[member];
    (void)snprintf(m->lines[m->line_count++ % CLUSTER_RIG_LINES], CLUSTER_RIG_LINE, "%7.2f s %s",
                   (double)(clock_wall_ns() - self->start_ns) / 1e9, line);
}

bool cluster_rig_said(const cluster_rig_t *self, uint32_t member, const char *text)
{
    const cluster_rig_member_t *m = &self->members[member];
    for (unsigned i = 0; i < CLUSTER_RIG_LINES; i++)
        if (strstr(m->lines[i], text) != NULL)
            return true;
    return cluster_place_file_says(cluster_rig_path(self, member, "module.log"), text);
}

/* ---- Making and removing ---- */

bool cluster_rig_possible(void)
{
    const char *const argv[] = {OUTCRY_SOURCE_DIR "/cluster/java/build", NULL};
    child_process_t build;
    int status = -1;
    assert_int_equal(child_process_start(&build, argv, -1), OC_ERR_OK);
    assert_int_equal(child_process_wait(&build, &status, JAR_NS), OC_ERR_OK);
    child_process_end(&build);
    assert_true(status == 0 || status == SKIPPED);
    if (status == SKIPPED)
        print_message("SKIP: cluster/java/build cannot run here\n");
    return status == 0;
}

const char *cluster_rig_path(const cluster_rig_t *self, uint32_t member, const char *name)
{
    return cluster_place_path(self->cluster, member, name);
}

void cluster_rig_make(cluster_rig_t *self, const cluster_rig_config_t *config)
{
    char base[300];
    char lines[4096];
    memset(self, 0, sizeof *self);
    self->start_ns = clock_wall_ns();
    self->apart = config->apart;
    self->load.output = -1;
    cluster_place_set_jar();
    /* A dead client of a driver, and a dead driver, are given up after half of what is usual. */
    assert_int_equal(setenv("AERON_CLIENT_LIVENESS_TIMEOUT", "5000000000", 1), 0);
    assert_int_equal(setenv("AERON_DRIVER_TIMEOUT", "5000", 1), 0);
    (void)snprintf(self->dir, sizeof self->dir, "%s/outcry-rig-XXXXXX", P_tmpdir);
    assert_non_null(mkdtemp(self->dir));
    (void)snprintf(base, sizeof base, "%s/cluster", self->dir);
    (void)snprintf(self->responses, sizeof self->responses, "%s/responses", self->dir);
    const int length = snprintf(lines, sizeof lines, "%s%s%s", base_lines,
                                config->apart ? "module = attach\n" : "",
                                config->lines != NULL ? config->lines : "");
    assert_in_range(length, 1, sizeof lines - 1);
    const local_cluster_config_t cluster = {
        .folder = {.base = base,
                   .members = MEMBERS,
                   .lines = lines,
                   .external_driver = config->apart},
        .program = OUTCRY_PROGRAM,
        .line = on_line,
        .context = self,
    };
    must(self, local_cluster_create(&self->cluster, &cluster), "the cluster's folder");
}

void cluster_rig_remove(cluster_rig_t *self)
{
    int status;
    if (self->load.pid > 0) {
        child_process_signal(&self->load, SIGKILL);
        if (child_process_wait(&self->load, &status, END_NS) != OC_ERR_OK)
            print_message("the clients are not to be killed\n");
    }
    child_process_end(&self->load);
    if (self->load_pid > 0)
        driver_leftovers_remove(self->load_pid);
    for (uint32_t i = 0; i < MEMBERS; i++)
        module_process_destroy(self->members[i].module);
    local_cluster_destroy(self->cluster);
    if (self->dir[0] != '\0')
        (void)remove_tree(self->dir);
    memset(self, 0, sizeof *self);
    self->load.output = -1;
}

/* ---- Starting ---- */

static void read_config(cluster_rig_t *self, uint32_t member, member_config_t *config)
{
    member_config_init(config);
    must(self, member_config_read_part(config, cluster_rig_path(self, member, "outcry.conf")),
         "a member's configuration");
}

const char *cluster_rig_endpoint(cluster_rig_t *self, uint32_t member, uint32_t which)
{
    static char endpoint[64];
    member_config_t config;
    read_config(self, member, &config);
    assert_true(member_config_endpoint(&config, member, which, endpoint, sizeof endpoint));
    return endpoint;
}

static void start_module(cluster_rig_t *self, uint32_t member)
{
    char aeron_dir[128];
    member_config_t config;
    read_config(self, member, &config);
    (void)snprintf(config.node.dir, sizeof config.node.dir, "%s/cluster/m%u", self->dir, member);
    must(self,
         cluster_folder_aeron_dir(local_cluster_folder(self->cluster), member, aeron_dir,
                                  sizeof aeron_dir),
         "a driver's directory");
    must(self, module_process_start(&self->members[member].module, &config, aeron_dir),
         "the start of a module");
}

static bool module_runs(const cluster_rig_t *self, uint32_t member)
{
    return cluster_folder_module_pid(local_cluster_folder(self->cluster), member) != 0;
}

/* Reaps an attached module that has ended. */
static bool attached_runs(cluster_rig_t *self, uint32_t member)
{
    cluster_rig_member_t *m = &self->members[member];
    if (m->module != NULL && module_process_check(m->module) != OC_ERR_OK) {
        module_process_destroy(m->module);
        m->module = NULL;
    }
    return m->module != NULL;
}

static bool service_runs(const cluster_rig_t *self, uint32_t member)
{
    local_member_state_t state;
    local_cluster_state(self->cluster, member, &state);
    return state.running;
}

void cluster_rig_start_member(cluster_rig_t *self, uint32_t member)
{
    if (!service_runs(self, member))
        must(self, local_cluster_start(self->cluster, member), "the start of a member");
    if (self->apart && !attached_runs(self, member))
        start_module(self, member);
}

void cluster_rig_start(cluster_rig_t *self)
{
    for (uint32_t i = 0; i < MEMBERS; i++)
        cluster_rig_start_member(self, i);
    cluster_rig_whole(self);
}

/* It waits for a module, and has told none anything yet. */
static bool is_waiting(const cluster_rig_t *self, uint32_t member)
{
    const cluster_rig_member_t *m = &self->members[member];
    return m->line_count > 0 &&
           strstr(m->lines[(m->line_count - 1) % CLUSTER_RIG_LINES], ": starting") != NULL;
}

/* Whether something of a member can be started again now. A module and a service that have lost
 * each other, or their driver, end by themselves first. */
static bool is_startable(cluster_rig_t *self, uint32_t member)
{
    const cluster_rig_member_t *m = &self->members[member];
    const bool service = service_runs(self, member);
    if (!self->apart)
        return !service && !module_runs(self, member);
    const bool module = attached_runs(self, member);
    if (service)
        return !module && is_waiting(self, member);
    return !module || !m->patient;
}

static void mend(cluster_rig_t *self, uint32_t member)
{
    cluster_rig_member_t *m = &self->members[member];
    if (!is_startable(self, member))
        return;
    if (++m->starts > STARTS_MAX)
        cluster_rig_fail(self, "member %u does not stay up", member);
    cluster_rig_start_member(self, member);
}

/* ---- Listening, and waiting ---- */

static void check_unhurt(cluster_rig_t *self)
{
    for (uint32_t i = 0; i < MEMBERS; i++) {
        local_member_state_t state;
        local_cluster_state(self->cluster, i, &state);
        if (!state.running && state.starts > 0 && !self->members[i].hurt)
            cluster_rig_fail(self, "member %u ended by itself, with status %d", i, state.status);
    }
    if (self->load_pid != 0 && self->load.pid != 0 && !child_process_running(&self->load))
        cluster_rig_fail(self, "the clients ended by themselves");
}

static void listen_once(cluster_rig_t *self)
{
    (void)local_cluster_poll(self->cluster, STEP_NS);
    check_unhurt(self);
}

void cluster_rig_listen(cluster_rig_t *self, uint64_t ms)
{
    const uint64_t deadline = deadline_in((int64_t)ms * 1000000);
    do {
        const uint64_t now_ns = clock_wall_ns();
        const int64_t left_ns = now_ns < deadline ? (int64_t)(deadline - now_ns) : 0;
        (void)local_cluster_poll(self->cluster, left_ns < STEP_NS ? left_ns : STEP_NS);
        check_unhurt(self);
    } while (!is_over(deadline));
}

uint32_t cluster_rig_leader(cluster_rig_t *self)
{
    uint32_t leader = 0;
    must(self, local_cluster_wait_leader(self->cluster, 0, &leader, START_NS), "a leader");
    return leader;
}

member_state_t cluster_rig_state(cluster_rig_t *self, uint32_t member)
{
    member_state_t state;
    must(self, member_state_ask(cluster_rig_path(self, member, NULL), &state, ASK_NS),
         "a member's state");
    return state;
}

/* True once all have roles, one of them the leader's. */
static bool all_placed(cluster_rig_t *self, uint32_t *leader)
{
    if (!local_cluster_leader(self->cluster, leader))
        return false;
    for (uint32_t i = 0; i < MEMBERS; i++) {
        local_member_state_t state;
        local_cluster_state(self->cluster, i, &state);
        if (!state.running || state.role == LOCAL_ROLE_NONE)
            return false;
    }
    return true;
}

static bool all_beyond(cluster_rig_t *self, uint64_t position)
{
    for (uint32_t i = 0; i < MEMBERS; i++) {
        member_state_t state;
        if (member_state_ask(cluster_rig_path(self, i, NULL), &state, ASK_NS) != OC_ERR_OK ||
            state.position < position)
            return false;
    }
    return true;
}

static void mend_all(cluster_rig_t *self)
{
    for (uint32_t i = 0; i < MEMBERS; i++)
        if (self->members[i].hurt)
            mend(self, i);
}

void cluster_rig_whole(cluster_rig_t *self)
{
    const uint64_t deadline = deadline_in(WHOLE_NS);
    uint64_t goal = UINT64_MAX; /* what the leader had when all had roles */
    for (;;) {
        uint32_t leader = 0;
        member_state_t state;
        listen_once(self);
        mend_all(self);
        if (!all_placed(self, &leader))
            goal = UINT64_MAX;
        else if (goal == UINT64_MAX && member_state_ask(cluster_rig_path(self, leader, NULL),
                                                        &state, ASK_NS) == OC_ERR_OK)
            goal = state.position;
        if (goal != UINT64_MAX && all_beyond(self, goal))
            break;
        if (is_over(deadline))
            cluster_rig_fail(self, "the cluster is not whole after %.0f s", (double)WHOLE_NS / 1e9);
    }
    for (uint32_t i = 0; i < MEMBERS; i++) {
        self->members[i].hurt = false;
        self->members[i].patient = false;
        self->members[i].starts = 0;
    }
}

/* ---- Killing ---- */

void cluster_rig_kill(cluster_rig_t *self, uint32_t member)
{
    int status;
    self->members[member].hurt = true;
    local_cluster_signal(self->cluster, member, SIGKILL);
    must(self, local_cluster_wait_end(self->cluster, member, &status, END_NS),
         "the end of a killed member");
}

void cluster_rig_kill_module(cluster_rig_t *self, uint32_t member)
{
    const long pid = cluster_folder_module_pid(local_cluster_folder(self->cluster), member);
    if (pid <= 0)
        cluster_rig_fail(self, "member %u has no module that could be killed", member);
    self->members[member].hurt = true;
    (void)kill((pid_t)pid, SIGKILL);
}

void cluster_rig_kill_driver(cluster_rig_t *self, uint32_t member)
{
    self->members[member].hurt = true;
    self->members[member].patient = true;
    must(self, local_cluster_kill_driver(self->cluster, member), "the end of a killed driver");
}

void cluster_rig_put_down(cluster_rig_t *self, uint32_t member)
{
    const uint64_t deadline = deadline_in(END_NS);
    cluster_rig_kill(self, member);
    while (self->apart ? attached_runs(self, member) : module_runs(self, member)) {
        listen_once(self);
        if (is_over(deadline))
            cluster_rig_fail(self, "the module of member %u outlives it", member);
    }
}

/* ---- Trading ---- */

static int64_t responses_size(const cluster_rig_t *self)
{
    struct stat info;
    return stat(self->responses, &info) == 0 ? (int64_t)info.st_size : 0;
}

void cluster_rig_trade(cluster_rig_t *self, unsigned rate)
{
    char rate_text[32];
    char clients[32];
    (void)snprintf(rate_text, sizeof rate_text, "%u", rate);
    (void)snprintf(clients, sizeof clients, "%d", CLUSTER_RIG_CLIENTS);
    /* Until they are told to stop; the flow of so small a book has no more to offer. */
    const char *const argv[] = {
        OUTCRY_PROGRAM, "load",          "--ingress", local_cluster_folder(self->cluster)->ingress,
        "--rate",       rate_text,       "--seconds", "900",
        "--clients",    clients,         "--resting", "1000",
        "--idle",       "sleep",         "--grace",   "60",
        "--log",        self->responses, NULL};
    must(self, child_process_start(&self->load, argv, -1), "the clients");
    self->load_pid = self->load.pid;
    cluster_rig_trade_on(self, START_MORE);
}

void cluster_rig_trade_on(cluster_rig_t *self, uint64_t bytes)
{
    const uint64_t deadline = deadline_in(TRADE_NS);
    const int64_t goal = responses_size(self) + (int64_t)bytes;
    while (responses_size(self) < goal) {
        listen_once(self);
        mend_all(self);
        if (is_over(deadline))
            cluster_rig_fail(self, "the clients get no answers");
    }
}

void cluster_rig_end_trade(cluster_rig_t *self)
{
    const uint64_t deadline = deadline_in(TRADE_NS + END_NS);
    char line[CHILD_LINE_MAX];
    int status = -1;
    oc_err_t err = OC_ERR_TIMEOUT;
    child_process_signal(&self->load, SIGTERM);
    while (err == OC_ERR_OK || (err == OC_ERR_TIMEOUT && !is_over(deadline))) {
        (void)local_cluster_poll(self->cluster, 0);
        err = child_process_line(&self->load, line, sizeof line, STEP_NS);
        if (err == OC_ERR_OK)
            print_message("load: %s\n", line);
    }
    if (err != OC_ERR_CLOSED || child_process_wait(&self->load, &status, END_NS) != OC_ERR_OK ||
        status != 0)
        cluster_rig_fail(self, "the clients ended with status %d", status);
    child_process_end(&self->load);
    self->load_pid = 0;
}

/* ---- Tools ---- */

void cluster_rig_tool(cluster_rig_t *self, const char *const *argv, int status, int64_t timeout_ns)
{
    const uint64_t deadline = deadline_in(timeout_ns);
    child_process_t tool;
    char line[CHILD_LINE_MAX];
    int ended = -1;
    oc_err_t err = OC_ERR_TIMEOUT;
    must(self, child_process_start(&tool, argv, -1), argv[0]);
    while (err == OC_ERR_OK || (err == OC_ERR_TIMEOUT && !is_over(deadline))) {
        (void)local_cluster_poll(self->cluster, 0);
        err = child_process_line(&tool, line, sizeof line, STEP_NS);
        if (err == OC_ERR_OK)
            print_message("%s: %s\n", argv[1], line);
    }
    err = child_process_wait(&tool, &ended, END_NS);
    child_process_end(&tool);
    if (err != OC_ERR_OK || ended != status)
        cluster_rig_fail(self, "%s %s ended with status %d", argv[0], argv[1], ended);
}

/* ---- The proof ---- */

static void stop_all(cluster_rig_t *self)
{
    for (uint32_t i = 0; i < MEMBERS; i++)
        self->members[i].hurt = true; /* their ends are wanted */
    must(self, local_cluster_stop(self->cluster, END_NS), "the end of the cluster");
    for (uint32_t i = 0; i < MEMBERS; i++) {
        module_process_destroy(self->members[i].module);
        self->members[i].module = NULL;
    }
}

/* What a member has recorded leads to the state that all had. */
static void check_log(cluster_rig_t *self, uint32_t member, const member_state_t *state)
{
    recovery_log_end_t end;
    must(self, cluster_proof_end(cluster_rig_path(self, member, NULL), state->position, &end),
         "a member's log");
    if (end.position != state->position || end.state_hash != state->state_hash ||
        end.output_hash != state->output_hash)
        cluster_rig_fail(
            self,
            "the log of member %u leads to %016llx (output %016llx) at position %llu, "
            "and the members were at %016llx (output %016llx) at position %llu",
            member, (unsigned long long)end.state_hash, (unsigned long long)end.output_hash,
            (unsigned long long)end.position, (unsigned long long)state->state_hash,
            (unsigned long long)state->output_hash, (unsigned long long)state->position);
}

void cluster_rig_settle(cluster_rig_t *self, member_state_t *states)
{
    must(self, member_state_settle(local_cluster_folder(self->cluster), states, WHOLE_NS),
         "members at one position");
    if (!member_state_equal(states, MEMBERS))
        cluster_rig_fail(
            self, "state hashes at position %llu: %016llx, %016llx, %016llx",
            (unsigned long long)states[0].position, (unsigned long long)states[0].state_hash,
            (unsigned long long)states[1].state_hash, (unsigned long long)states[2].state_hash);
}

void cluster_rig_prove(cluster_rig_t *self, recovery_proof_t *proof)
{
    member_state_t states[MEMBER_COUNT_MAX];
    cluster_rig_settle(self, states);
    const uint32_t leader = cluster_rig_leader(self);
    stop_all(self);
    must(self,
         cluster_proof(cluster_rig_path(self, leader, NULL), states[leader].position,
                       self->responses, proof),
         "the proof");
    for (uint32_t i = 0; i < MEMBERS; i++)
        check_log(self, i, &states[i]);
    print_message("proof: %llu entries, acknowledged %llu, fills %llu, lost %llu, doubled %llu, "
                  "wrong %llu\n",
                  (unsigned long long)proof->entries, (unsigned long long)proof->acknowledged,
                  (unsigned long long)proof->fills, (unsigned long long)proof->lost,
                  (unsigned long long)proof->doubled, (unsigned long long)proof->wrong);
    assert_int_equal(proof->state_hash, states[leader].state_hash);
    assert_int_equal(proof->output_hash, states[leader].output_hash);
    assert_int_equal(proof->sources, CLUSTER_RIG_CLIENTS);
    assert_int_equal(proof->lost, 0);
    assert_int_equal(proof->doubled, 0);
    assert_int_equal(proof->wrong, 0);
    assert_true(recovery_proof_holds(proof));
}
