/*
 * Children of the benches and the demo. Called by bench_node and cli/demo.
 *
 * Invariants: a pid is only signalled before it was reaped, so never another process's; the read
 * end of the pipe is closed with the struct. Nothing here waits without a limit. Words are not
 * waited for once this process is to end; the end of a child is.
 */
#define _GNU_SOURCE
#include "bench/child_process.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WAIT_STEP_NS = 1000000,
    LISTEN_STEP_MS = 100,
    GROUP = -2, /* for a processor: any, and a process group of its own */
};

/* Between fork and exec only what is safe there. */
static _Noreturn void become(const char *const *argv, int cpu, int output, pid_t parent)
{
    const bool group = cpu == GROUP;
    prctl(PR_SET_PDEATHSIG, group ? SIGTERM : SIGKILL);
    if (group)
        setpgid(0, 0);
    if (getppid() != parent)
        _exit(127);
    if (cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)cpu, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    dup2(output, STDOUT_FILENO);
    /* execv() does not write to the strings; its type is older than const. */
    union {
        const char *const *in;
        char *const *out;
    } arguments = {.in = argv};
    execv(strchr(argv[0], '/') != NULL ? argv[0] : "/proc/self/exe", arguments.out);
    _exit(127);
}

oc_err_t child_process_start(child_process_t *self, const char *const *argv, int cpu)
{
    memset(self, 0, sizeof *self);
    self->output = -1;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(OC_ERR_OPEN, "a pipe to a child process: %s", strerror(errno));
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0)
        become(argv, cpu, ends[1], parent);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return error_set(OC_ERR_OPEN, "a child process: %s", strerror(errno));
    }
    self->pid = pid;
    self->output = ends[0];
    self->group = cpu == GROUP;
    if (self->group)
        setpgid(pid, pid); /* whoever comes first */
    return OC_ERR_OK;
}

oc_err_t child_process_start_group(child_process_t *self, const char *const *argv)
{
    return child_process_start(self, argv, GROUP);
}

oc_err_t child_process_start_node(child_process_t *self, const child_node_t *node)
{
    const char *const argv[] = {
        node->program != NULL ? node->program : "outcry",
        "node",
        "--dir",
        node->dir,
        "--ingress",
        node->ingress,
        node->config != NULL ? "--config" : NULL,
        node->config,
        NULL,
    };
    return child_process_start(self, argv, -1);
}

/* Moves a whole line, if there is one, out of the buffer. */
static bool take_line(child_process_t *self, char *line, size_t size)
{
    char *end = memchr(self->buffer, '\n', self->length);
    if (end == NULL && self->length < sizeof self->buffer)
        return false;
    const size_t length = end != NULL ? (size_t)(end - self->buffer) : self->length;
    const size_t copied = length < size - 1 ? length : size - 1;
    memcpy(line, self->buffer, copied);
    line[copied] = '\0';
    const size_t used = end != NULL ? length + 1 : length;
    memmove(self->buffer, self->buffer + used, self->length - used);
    self->length -= used;
    return true;
}

oc_err_t child_process_line(child_process_t *self, char *line, size_t size, int64_t timeout_ns)
{
    OC_ASSERT(size > 0);
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    while (!take_line(self, line, size)) {
        const uint64_t now = clock_wall_ns();
        if (now >= deadline)
            return error_set(OC_ERR_TIMEOUT, "the child process said nothing for %.1f s",
                             (double)timeout_ns / 1e9);
        struct pollfd wait = {.fd = self->output, .events = POLLIN};
        const uint64_t left_ms = (deadline - now) / 1000000 + 1;
        const int ready = poll(&wait, 1, left_ms < LISTEN_STEP_MS ? (int)left_ms : LISTEN_STEP_MS);
        if (ready < 0 && errno != EINTR)
            return error_set(OC_ERR_READ, "a child process: %s", strerror(errno));
        if (ready <= 0 && process_end_requested())
            return process_check_interrupted(OC_ERR_OK);
        if (ready <= 0)
            continue;
        const ssize_t got =
            read(self->output, self->buffer + self->length, sizeof self->buffer - self->length);
        if (got == 0)
            return error_set(OC_ERR_CLOSED, "the child process ended without a word");
        if (got > 0)
            self->length += (size_t)got;
    }
    return OC_ERR_OK;
}

oc_err_t child_process_expect(child_process_t *self, const char *prefix, char *value, size_t size,
                              int64_t timeout_ns)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    char line[CHILD_LINE_MAX];
    for (;;) {
        const uint64_t now = clock_wall_ns();
        const int64_t left = now < deadline ? (int64_t)(deadline - now) : 0;
        const oc_err_t err = child_process_line(self, line, sizeof line, left);
        if (err != OC_ERR_OK)
            return err;
        if (strncmp(line, prefix, strlen(prefix)) == 0) {
            snprintf(value, size, "%s", line + strlen(prefix));
            return OC_ERR_OK;
        }
    }
}

oc_err_t child_process_ready(child_process_t *self, char *ingress, size_t size, int64_t timeout_ns)
{
    char address[CHILD_LINE_MAX];
    const oc_err_t err = child_process_expect(self, "ready: ", address, sizeof address, timeout_ns);
    if (err == OC_ERR_OK)
        (void)snprintf(ingress, size, "%s", address);
    return err;
}

/* What is left of the group of one that has ended, before its number can be another's. */
static void end_group(const child_process_t *self)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)self->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == self->pid)
        kill(-self->pid, SIGKILL);
}

/* Reaps it if it has ended. */
static bool ended(child_process_t *self)
{
    if (self->pid > 0 && self->group)
        end_group(self);
    if (self->pid > 0 && waitpid(self->pid, &self->status, WNOHANG) == self->pid)
        self->pid = 0;
    return self->pid == 0;
}

bool child_process_running(child_process_t *self)
{
    return !ended(self);
}

void child_process_signal(child_process_t *self, int signal)
{
    if (!ended(self))
        kill(self->group ? -self->pid : self->pid, signal);
}

oc_err_t child_process_wait(child_process_t *self, int *status, int64_t timeout_ns)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)timeout_ns;
    while (!ended(self)) {
        if (clock_wall_ns() >= deadline)
            return error_set(OC_ERR_TIMEOUT, "the child process still runs after %.1f s",
                             (double)timeout_ns / 1e9);
        nanosleep(&(struct timespec){.tv_nsec = WAIT_STEP_NS}, NULL);
    }
    *status = WIFEXITED(self->status) ? WEXITSTATUS(self->status) : 128 + WTERMSIG(self->status);
    return OC_ERR_OK;
}

void child_process_end(child_process_t *self)
{
    if (self->pid > 0 && !ended(self)) {
        kill(self->group ? -self->pid : self->pid, SIGKILL);
        waitpid(self->pid, &self->status, 0);
    }
    if (self->output > 0)
        close(self->output);
    memset(self, 0, sizeof *self);
    self->output = -1;
}
