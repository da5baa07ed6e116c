/*
 * A cluster of members that are the test's program. Called by the tests of divergence and of
 * services.
 *
 * Invariants: every wait has a limit; members are listened to, and the pump is called, during each;
 * what was started is ended by own_cluster_remove(), and by the kernel when this process dies.
 * Unlike the rig's (lib/cluster_rig.h), members may end by themselves: the test says who should.
 */
#define _GNU_SOURCE
#include "lib/own_cluster.h"

#include "base/cycle_clock.h"
#include "base/remove_tree.h"
#include "bench/child_process.h"
#include "lib/cluster_place.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SECOND_NS INT64_C(1000000000)
#define WAIT_NS   (60 * SECOND_NS)
#define ASK_NS    (5 * SECOND_NS)
#define STEP_NS   (SECOND_NS / 50)
#define PUMP_NS   (SECOND_NS / 1000)
#define CALM_NS   (SECOND_NS / 5)

enum { ARGUMENTS_MAX = 16, PATH_SIZE = CLUSTER_FOLDER_PATH + 16 };

/* Short, so that a failover costs little; yet three JVMs on two processors must keep up. */
static const char base_lines[] = "[cluster]\n"
                                 "heartbeat_timeout_ms = 1500\n"
                                 "election_timeout_ms = 400\n"
                                 "canvass_timeout_ms = 3000\n"
                                 "log_channel = aeron:udp?term-length=1m\n"
                                 "archive_segment_bytes = 4M\n"
                                 "jvm_flags = -Xms48m -Xmx128m -XX:+UseSerialGC "
                                 "-XX:TieredStopAtLevel=1\n";

static uint64_t deadline_in(int64_t ns)
{
    return clock_wall_ns() + (uint64_t)ns;
}

static bool is_over(uint64_t deadline)
{
    return clock_wall_ns() >= deadline;
}

/* ---- What members say ---- */

static void log_path(const char *dir, char path[PATH_SIZE])
{
    (void)snprintf(path, PATH_SIZE, "%s.said", dir);
}

void own_cluster_log(const char *dir)
{
    char path[PATH_SIZE];
    log_path(dir, path);
    if (freopen(path, "a", stderr) == NULL)
        _exit(1);
    setvbuf(stderr, NULL, _IOLBF, 0);
}

static void on_line(void *context, uint32_t member, const char *line)
{
    const own_cluster_t *self = context;
    char path[PATH_SIZE];
    log_path(own_cluster_path(self, member, NULL), path);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    (void)fprintf(file, "%s\n", line);
    assert_int_equal(fclose(file), 0);
}

bool own_cluster_said(const own_cluster_t *self, uint32_t member, const char *text)
{
    char path[PATH_SIZE];
    log_path(own_cluster_path(self, member, NULL), path);
    return cluster_place_file_says(path, text);
}

_Noreturn void own_cluster_fail(const own_cluster_t *self, const char *format, ...)
{
    char what[2048];
    char path[PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    for (uint32_t i = 0; self->cluster != NULL && i < self->members; i++) {
        log_path(own_cluster_path(self, i, NULL), path);
        cluster_place_print_tail(path);
        cluster_place_print_tail(own_cluster_path(self, i, "module.log"));
    }
    print_message("last tool: %s\n", self->output);
    fail_msg("%s", what);
    abort();
}

static void must(const own_cluster_t *self, oc_err_t err, const char *what)
{
    if (err != OC_ERR_OK)
        own_cluster_fail(self, "%s: %s", what, oc_err_context());
}

/* ---- Directories ---- */

const char *own_cluster_path(const own_cluster_t *self, uint32_t member, const char *name)
{
    return cluster_place_path(self->cluster, member, name);
}

const char *own_cluster_ingress(const own_cluster_t *self, uint32_t member)
{
    static char address[64];
    char key[16];
    (void)snprintf(key, sizeof key, "%u=", member);
    const char *at = strstr(local_cluster_folder(self->cluster)->ingress, key);
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(key), "%63[^,]", address), 1);
    return address;
}

void own_cluster_make(own_cluster_t *self, uint32_t members, const char *lines)
{
    static char program[PATH_SIZE]; /* for the life of the cluster, which borrows it */
    char base[300];
    char all[2048];
    memset(self, 0, sizeof *self);
    self->members = members;
    cluster_place_set_jar();
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_true(length > 0);
    program[length] = '\0';
    (void)snprintf(self->dir, sizeof self->dir, "%s/outcry-own-XXXXXX", P_tmpdir);
    assert_non_null(mkdtemp(self->dir));
    (void)snprintf(base, sizeof base, "%s/cluster", self->dir);
    (void)snprintf(all, sizeof all, "%s%s", base_lines, lines != NULL ? lines : "");
    const local_cluster_config_t config = {
        .folder = {.base = base, .members = members, .lines = all},
        .program = program,
        .plain = true,
        .line = on_line,
        .context = self,
    };
    must(self, local_cluster_create(&self->cluster, &config), "the cluster's folder");
}

void own_cluster_remove(own_cluster_t *self)
{
    local_cluster_destroy(self->cluster);
    if (self->dir[0] != '\0')
        (void)remove_tree(self->dir);
    memset(self, 0, sizeof *self);
}

void own_cluster_switch(const own_cluster_t *self, uint32_t member, const char *name, bool on)
{
    const char *path = own_cluster_path(self, member, name);
    if (!on) {
        assert_int_equal(unlink(path), 0);
        return;
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

void own_cluster_wipe(const own_cluster_t *self, uint32_t member)
{
    cluster_place_wipe(self->cluster, member);
}

/* ---- Starting and ending ---- */

void own_cluster_launch(own_cluster_t *self, uint32_t member)
{
    must(self, local_cluster_start(self->cluster, member), "the start of a member");
}

static void wait_joined(own_cluster_t *self, uint32_t member)
{
    const uint64_t deadline = deadline_in(WAIT_NS);
    for (;;) {
        local_member_state_t state;
        local_cluster_state(self->cluster, member, &state);
        if (state.role != LOCAL_ROLE_NONE)
            return;
        if (!state.running)
            own_cluster_fail(self, "member %u ended with status %d", member, state.status);
        if (is_over(deadline))
            own_cluster_fail(self, "member %u does not join", member);
        own_cluster_step(self);
    }
}

void own_cluster_start_member(own_cluster_t *self, uint32_t member)
{
    own_cluster_launch(self, member);
    wait_joined(self, member);
}

void own_cluster_start(own_cluster_t *self)
{
    for (uint32_t i = 0; i < self->members; i++)
        own_cluster_launch(self, i);
    for (uint32_t i = 0; i < self->members; i++)
        wait_joined(self, i);
    (void)own_cluster_leader(self);
}

uint32_t own_cluster_leader(own_cluster_t *self)
{
    const uint64_t deadline = deadline_in(WAIT_NS);
    uint32_t leader = 0;
    while (!local_cluster_leader(self->cluster, &leader)) {
        if (is_over(deadline))
            own_cluster_fail(self, "nobody leads");
        own_cluster_step(self);
    }
    return leader;
}

bool own_cluster_running(const own_cluster_t *self, uint32_t member)
{
    local_member_state_t state;
    local_cluster_state(self->cluster, member, &state);
    return state.running;
}

void own_cluster_step(own_cluster_t *self)
{
    if (self->pump)
        self->pump(self->pump_context);
    (void)local_cluster_poll(self->cluster, self->pump ? PUMP_NS : STEP_NS);
}

void own_cluster_kill(own_cluster_t *self, uint32_t member)
{
    must(self, local_cluster_kill(self->cluster, member), "killing a member");
}

int own_cluster_wait_end(own_cluster_t *self, uint32_t member)
{
    const uint64_t deadline = deadline_in(WAIT_NS);
    local_member_state_t state;
    while (own_cluster_running(self, member) ||
           cluster_folder_module_pid(local_cluster_folder(self->cluster), member) != 0) {
        if (is_over(deadline))
            own_cluster_fail(self, "member %u, or its module, does not end", member);
        own_cluster_step(self);
    }
    local_cluster_state(self->cluster, member, &state);
    return state.status;
}

void own_cluster_stop(own_cluster_t *self)
{
    must(self, local_cluster_stop(self->cluster, WAIT_NS), "the end of the cluster");
}

/* ---- Looking ---- */

/* True if all that run have applied the same; *state is how the last of them is. */
static bool at_one_position(const own_cluster_t *self, member_state_t *state)
{
    uint64_t position = 0;
    for (uint32_t i = 0; i < self->members; i++) {
        if (!own_cluster_running(self, i))
            continue;
        if (member_state_ask(own_cluster_path(self, i, NULL), state, ASK_NS) != OC_ERR_OK ||
            (position != 0 && state->position != position))
            return false;
        position = state->position;
    }
    return position != 0;
}

static void check_hashes(const own_cluster_t *self, const member_state_t *wanted)
{
    for (uint32_t i = 0; i < self->members; i++) {
        member_state_t state;
        if (!own_cluster_running(self, i))
            continue;
        must(self, member_state_ask(own_cluster_path(self, i, NULL), &state, ASK_NS), "a state");
        if (state.state_hash != wanted->state_hash || state.output_hash != wanted->output_hash ||
            state.position != wanted->position)
            own_cluster_fail(self, "member %u differs at position %llu", i,
                             (unsigned long long)state.position);
    }
}

member_state_t own_cluster_settle(own_cluster_t *self)
{
    const uint64_t deadline = deadline_in(WAIT_NS);
    member_state_t state = {0};
    uint64_t position = 0; /* that all were at, and since when */
    uint64_t since = 0;
    while (position == 0 || clock_wall_ns() - since < (uint64_t)CALM_NS) {
        if (is_over(deadline))
            own_cluster_fail(self, "the members do not come to one position");
        own_cluster_step(self);
        const bool one = at_one_position(self, &state);
        if (!one || state.position != position) {
            position = one ? state.position : 0;
            since = clock_wall_ns();
        }
    }
    check_hashes(self, &state);
    return state;
}

int own_cluster_tool(own_cluster_t *self, const char *const *arguments)
{
    const char *argv[ARGUMENTS_MAX + 2] = {OUTCRY_PROGRAM};
    const uint64_t deadline = deadline_in(WAIT_NS);
    child_process_t tool;
    size_t length = 0;
    int status = -1;
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; arguments[i] != NULL; i++) {
        assert_true(i < ARGUMENTS_MAX);
        argv[i + 1] = arguments[i];
    }
    must(self, child_process_start(&tool, argv, -1), "a tool");
    self->output[0] = '\0';
    while (err != OC_ERR_CLOSED && !is_over(deadline)) {
        char line[CHILD_LINE_MAX];
        err = child_process_line(&tool, line, sizeof line, STEP_NS);
        if (err == OC_ERR_OK && length < sizeof self->output)
            length +=
                (size_t)snprintf(self->output + length, sizeof self->output - length, "%s\n", line);
        own_cluster_step(self);
    }
    err = child_process_wait(&tool, &status, ASK_NS);
    child_process_end(&tool);
    must(self, err, "the end of a tool");
    return status;
}
