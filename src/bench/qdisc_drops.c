/*
 * Drops of queues, from the output of a command. Called by loss_counters.c before and after a run.
 *
 * Invariant: the command is a group of processes of its own, none of which outlives the call. What
 * it prints is taken apart by its keys, for of tc's JSON and netpair's lines only numbers matter.
 */
#define _GNU_SOURCE
#include "bench/qdisc_drops.h"

#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_SIZE   ((size_t)256 * 1024)
#define PATIENCE_NS UINT64_C(10000000000)
#define STEP_MS     50
#define END_STEP_MS 2 /* from the end of its output to its own it is not long */

extern char **environ;

/* ---- The text -------------------------------------------------------------------------------- */

/* The number behind `key`, where that stands before `end` (NULL: anywhere): "key": N or key: N.
 * Returns where the text goes on, NULL if there is none. */
static const char *number_behind(const char *text, const char *end, const char *key,
                                 uint64_t *value)
{
    for (const char *at = text; (at = strstr(at, key)) != NULL && (end == NULL || at < end);) {
        at += strlen(key);
        const char *number = at + strspn(at, "\": \t");
        if (!isdigit((unsigned char)*number))
            continue;
        char *after;
        *value = strtoull(number, &after, 10);
        return after;
    }
    return NULL;
}

static bool sum_of(const char *text, const char *key, uint64_t *sum)
{
    uint64_t value;
    bool found = false;
    while ((text = number_behind(text, NULL, key, &value)) != NULL) {
        *sum += value;
        found = true;
    }
    return found;
}

/* tc: an array of objects, each of which begins with its kind. */
static bool sum_of_qdiscs(const char *text, bool roots, uint64_t *sum)
{
    static const char kind[] = "\"kind\":";
    bool found = false;
    for (const char *at = strstr(text, kind); at != NULL;) {
        const char *next = strstr(at + sizeof kind - 1, kind);
        const char *root = strstr(at, "\"root\":true");
        uint64_t value;
        const bool is_root = root != NULL && (next == NULL || root < next);
        if ((is_root || !roots) && number_behind(at, next, "\"drops\"", &value) != NULL) {
            *sum += value;
            found = true;
        }
        at = next;
    }
    return found;
}

bool qdisc_drops_parse(qdisc_drops_t *self, const char *text)
{
    memset(self, 0, sizeof *self);
    if (sum_of(text, "_dropped_packets", &self->dropped)) {
        self->lost_known = sum_of(text, "_lost_packets", &self->lost);
        return true;
    }
    return sum_of_qdiscs(text, true, &self->dropped) || sum_of_qdiscs(text, false, &self->dropped);
}

/* ---- The command ----------------------------------------------------------------------------- */

static oc_err_t start(const char *command, pid_t *pid, int *output)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    char shell[] = "sh";
    char option[] = "-c";
    char *copy = strdup(command);
    if (copy == NULL)
        return error_set(OC_ERR_NO_MEMORY, "--qdisc-show: no memory");
    if (pipe2(ends, O_CLOEXEC) != 0) {
        free(copy);
        return error_set(OC_ERR_OPEN, "--qdisc-show: no pipe: %s", strerror(errno));
    }
    char *argv[] = {shell, option, copy, NULL};
    (void)sigemptyset(&none);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    const int failed = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[1]);
    free(copy);
    *output = ends[0];
    if (failed == 0)
        return OC_ERR_OK;
    (void)close(ends[0]);
    return error_set(OC_ERR_OPEN, "--qdisc-show: /bin/sh: %s", strerror(failed));
}

/* Whether there is a reason to wait no longer. */
static oc_err_t check_patience(uint64_t start_ns)
{
    if (process_end_requested())
        return error_set(OC_ERR_INTERRUPTED, "interrupted");
    if (clock_wall_ns() - start_ns > PATIENCE_NS)
        return error_set(OC_ERR_TIMEOUT, "--qdisc-show: it has not ended after 10 s");
    return OC_ERR_OK;
}

/* All that it prints, terminated; what does not fit is left away. */
static oc_err_t collect(int output, char *text, uint64_t start_ns)
{
    size_t used = 0;
    for (;;) {
        struct pollfd waited = {.fd = output, .events = POLLIN};
        char spare[4096];
        const bool full = used == TEXT_SIZE - 1;
        const oc_err_t err = check_patience(start_ns);
        if (err != OC_ERR_OK)
            return err;
        if (poll(&waited, 1, STEP_MS) <= 0)
            continue;
        const ssize_t got = full ? read(output, spare, sizeof spare)
                                 : read(output, text + used, TEXT_SIZE - 1 - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        used += full ? 0 : (size_t)got;
    }
    text[used] = '\0';
    return OC_ERR_OK;
}

/* Until it has ended, for it may close its output long before; it is not reaped. */
static oc_err_t await_end(pid_t pid, uint64_t start_ns)
{
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid)
            return OC_ERR_OK;
        const oc_err_t err = check_patience(start_ns);
        if (err != OC_ERR_OK)
            return err;
        (void)poll(NULL, 0, END_STEP_MS);
    }
}

static oc_err_t run(const char *command, char *text)
{
    const uint64_t start_ns = clock_wall_ns();
    pid_t pid;
    int output;
    int status = 0;
    oc_err_t err = start(command, &pid, &output);
    if (err != OC_ERR_OK)
        return err;
    err = collect(output, text, start_ns);
    (void)close(output);
    if (err == OC_ERR_OK)
        err = await_end(pid, start_ns);
    (void)kill(-pid, SIGKILL); /* the group is still its own: its leader is not reaped */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (err != OC_ERR_OK || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return err;
    return error_set(OC_ERR_REFUSED, "--qdisc-show: '%.200s' ends with status %d", command,
                     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

oc_err_t qdisc_drops_read(qdisc_drops_t *self, const char *command)
{
    memset(self, 0, sizeof *self);
    char *text = malloc(TEXT_SIZE);
    if (text == NULL)
        return error_set(OC_ERR_NO_MEMORY, "--qdisc-show: %zu bytes", TEXT_SIZE);
    oc_err_t err = run(command, text);
    if (err == OC_ERR_OK && !qdisc_drops_parse(self, text))
        err = error_set(OC_ERR_FORMAT,
                        "--qdisc-show: no drops in what '%.200s' prints; expected is the output of "
                        "tc -s -j qdisc show dev IF, or of tools/netpair show NAME",
                        command);
    free(text);
    return err;
}
