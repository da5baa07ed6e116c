/*
 * The tools' side of the control socket: one request, one answer. Called by programs that ask a
 * node for something; it waits, but not longer than it is told.
 */
#define _GNU_SOURCE
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "host/control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { ACCEPT_PAUSE_NS = 10000000, STEP_MS = 200 };

typedef struct asking {
    const char *dir;
    int fd;
    uint64_t deadline_ns;
} asking_t;

static oc_err_t too_late(const asking_t *self)
{
    return error_set(OC_ERR_TIMEOUT, "the node of %s does not answer", self->dir);
}

/* Waits for an event; errors and ends are seen by the call after it. */
static oc_err_t wait_for(const asking_t *self, short events)
{
    for (;;) {
        const uint64_t now_ns = clock_wall_ns();
        if (now_ns >= self->deadline_ns)
            return too_late(self);
        if (process_end_requested())
            return process_check_interrupted(OC_ERR_OK);
        const uint64_t left_ms = (self->deadline_ns - now_ns) / 1000000 + 1;
        struct pollfd wanted = {.fd = self->fd, .events = events};
        if (poll(&wanted, 1, left_ms > STEP_MS ? STEP_MS : (int)left_ms) > 0)
            return OC_ERR_OK;
    }
}

static oc_err_t not_connected(const asking_t *self, const char *why)
{
    return error_set(OC_ERR_NOT_CONNECTED, "no node runs in %s: %s", self->dir, why);
}

/* It was there, and is not any more. */
static oc_err_t has_ended(const asking_t *self, const char *why)
{
    return error_set(OC_ERR_CLOSED,
                     "the node of %s ended before it had answered (%s); what was asked for may be "
                     "done or not",
                     self->dir, why);
}

/* EAGAIN: many ask at once, or its core is busy. */
static oc_err_t try_connect(const asking_t *self, const struct sockaddr_un *address)
{
    while (connect(self->fd, (const struct sockaddr *)address, sizeof *address) != 0) {
        if (errno != EAGAIN && errno != EINTR)
            return not_connected(self, strerror(errno));
        if (clock_wall_ns() >= self->deadline_ns)
            return too_late(self);
        const struct timespec pause = {.tv_nsec = ACCEPT_PAUSE_NS};
        (void)nanosleep(&pause, NULL);
    }
    return OC_ERR_OK;
}

/* Through the opened directory: its name may be longer than a socket's may be. */
static oc_err_t connect_to(const asking_t *self)
{
    const int directory = open(self->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return not_connected(self, strerror(errno));
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/control",
                   directory);
    const oc_err_t err = try_connect(self, &address);
    (void)close(directory);
    return err;
}

static oc_err_t send_line(const asking_t *self, const char *request)
{
    char line[CONTROL_LINE_MAX];
    const int length = snprintf(line, sizeof line, "%s\n", request);
    if (length < 0 || (size_t)length >= sizeof line)
        return error_set(OC_ERR_TOO_LONG, "the request is too long");
    for (size_t sent = 0; sent < (size_t)length;) {
        const ssize_t count = send(self->fd, line + sent, (size_t)length - sent, MSG_NOSIGNAL);
        if (count > 0) {
            sent += (size_t)count;
            continue;
        }
        if (errno != EAGAIN && errno != EINTR)
            return has_ended(self, strerror(errno));
        const oc_err_t err = wait_for(self, POLLOUT);
        if (err != OC_ERR_OK)
            return err;
    }
    return OC_ERR_OK;
}

/* Until the node ends the connection. */
static oc_err_t receive_answer(const asking_t *self, char answer[CONTROL_LINE_MAX])
{
    size_t got = 0;
    for (;;) {
        const ssize_t count = recv(self->fd, answer + got, CONTROL_LINE_MAX - 1 - got, 0);
        if (count > 0) {
            got += (size_t)count;
            continue;
        }
        answer[got] = '\0';
        if (count == 0)
            return OC_ERR_OK;
        if (errno != EAGAIN && errno != EINTR)
            return has_ended(self, strerror(errno));
        const oc_err_t err = wait_for(self, POLLIN);
        if (err != OC_ERR_OK)
            return err;
    }
}

/* What the last line says. */
static oc_err_t judge(const asking_t *self, const char *answer)
{
    const char *last = answer;
    for (const char *at = answer; *at != '\0'; at++)
        if (*at == '\n' && at[1] != '\0')
            last = at + 1;
    const size_t length = strcspn(last, "\n");
    if (length == 2 && memcmp(last, "ok", 2) == 0)
        return OC_ERR_OK;
    if (strncmp(last, "error: ", 7) == 0)
        return error_set(OC_ERR_REFUSED, "%.*s", (int)length - 7, last + 7);
    return has_ended(self, "no answer came");
}

oc_err_t control_request(const char *dir, const char *request, char *answer, size_t size,
                         int64_t timeout_ns)
{
    char whole[CONTROL_LINE_MAX] = "";
    asking_t self = {.dir = dir, .deadline_ns = clock_wall_ns() + (uint64_t)timeout_ns};
    if (size > 0)
        answer[0] = '\0';
    self.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (self.fd < 0)
        return error_set(OC_ERR_OPEN, "no socket: %s", strerror(errno));
    oc_err_t err = connect_to(&self);
    if (err == OC_ERR_OK)
        err = send_line(&self, request);
    if (err == OC_ERR_OK)
        err = receive_answer(&self, whole);
    (void)close(self.fd);
    if (err != OC_ERR_OK)
        return err;
    if (size > 0)
        (void)snprintf(answer, size, "%s", whole);
    return judge(&self, whole);
}
