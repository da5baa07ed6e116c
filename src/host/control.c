/*
 * The control socket. Served by the core of the node; control_request() is the other side, for
 * tools.
 *
 * Invariants: nothing here waits; one look each few milliseconds is one poll() and a bounded number
 * of calls behind it; there are CONNECTIONS_MAX connections and no more, the system's queue behind
 * them is bounded too; who has not asked within a second, or does not take its answer within one,
 * is gone. A connection asks one thing. A request that waits is only watched for being given up.
 */
#define _GNU_SOURCE
#include "host/control.h"

#include "base/assert.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKET_NAME "control"

enum {
    CONNECTIONS_MAX = 8,
    ACCEPTS_PER_LOOK = 4,
    BACKLOG = 8,
    REQUEST_MAX = 256,
};

#define LOOK_INTERVAL_NS INT64_C(5000000)
#define PATIENCE_NS      INT64_C(1000000000)

typedef enum connection_state {
    CONNECTION_FREE,
    CONNECTION_READING, /* its request is not whole yet */
    CONNECTION_WAITING, /* for control_answer() */
    CONNECTION_WRITING,
} connection_state_t;

typedef struct connection {
    connection_state_t state;
    int fd;
    uint32_t id;
    int64_t deadline_ns; /* READING, WRITING */
    size_t got;
    size_t length; /* of the answer */
    size_t sent;
    char request[REQUEST_MAX];
    char answer[CONTROL_LINE_MAX];
} connection_t;

struct control {
    int directory; /* where the socket's name is */
    int listener;
    control_handler_t handler;
    void *context;
    uint32_t next_id;
    int64_t now_ns;
    int64_t next_look_ns;
    connection_t connections[CONNECTIONS_MAX];
};

/* ---- Names: a socket's may have 107 characters, a directory's many more ---- */

static oc_err_t open_directory(const char *dir, int *fd)
{
    *fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return *fd >= 0 ? OC_ERR_OK : error_set(OC_ERR_OPEN, "%s: %s", dir, strerror(errno));
}

/* The name in an opened directory, whatever that is called. */
static void address_in(int directory, struct sockaddr_un *address)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    const int length = snprintf(address->sun_path, sizeof address->sun_path,
                                "/proc/self/fd/%d/" SOCKET_NAME, directory);
    OC_ASSERT(length > 0 && (size_t)length < sizeof address->sun_path);
}

static int new_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/* A dead node's; anything else that has the name is somebody's and stays. */
static bool remove_left_over(int directory)
{
    struct stat info;
    if (fstatat(directory, SOCKET_NAME, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT;
    if (!S_ISSOCK(info.st_mode)) {
        errno = EEXIST;
        return false;
    }
    return unlinkat(directory, SOCKET_NAME, 0) == 0;
}

static bool start_listening(const control_t *self)
{
    struct sockaddr_un address;
    address_in(self->directory, &address);
    /* The mode of the name that bind() makes: for this user alone, from the beginning. */
    return fchmod(self->listener, S_IRUSR | S_IWUSR) == 0 && remove_left_over(self->directory) &&
           bind(self->listener, (const struct sockaddr *)&address, sizeof address) == 0 &&
           listen(self->listener, BACKLOG) == 0;
}

oc_err_t control_create(control_t **control, const char *dir, control_handler_t handler,
                        void *context)
{
    *control = NULL;
    control_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the control socket");
    self->handler = handler;
    self->context = context;
    oc_err_t err = open_directory(dir, &self->directory);
    if (err != OC_ERR_OK)
        goto free_self;
    self->listener = new_socket();
    if (self->listener < 0) {
        err = error_set(OC_ERR_OPEN, "%s/" SOCKET_NAME ": %s", dir, strerror(errno));
        goto close_directory;
    }
    if (!start_listening(self)) {
        err = error_set(OC_ERR_OPEN, "%s/" SOCKET_NAME ": cannot listen: %s", dir, strerror(errno));
        goto close_listener;
    }
    *control = self;
    return OC_ERR_OK;

close_listener:
    (void)close(self->listener);
close_directory:
    (void)close(self->directory);
free_self:
    free(self);
    return err;
}

static void end_connection(connection_t *connection)
{
    if (connection->state == CONNECTION_FREE)
        return;
    (void)close(connection->fd);
    connection->state = CONNECTION_FREE;
}

void control_destroy(control_t *self)
{
    if (!self)
        return;
    for (int i = 0; i < CONNECTIONS_MAX; i++)
        end_connection(&self->connections[i]);
    (void)unlinkat(self->directory, SOCKET_NAME, 0);
    (void)close(self->listener);
    (void)close(self->directory);
    free(self);
}

/* ---- Serving ---- */

static connection_t *free_connection(control_t *self)
{
    for (int i = 0; i < CONNECTIONS_MAX; i++)
        if (self->connections[i].state == CONNECTION_FREE)
            return &self->connections[i];
    return NULL;
}

/* The mode of the name keeps others out; where a file system has none, this does. */
static bool is_allowed(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           (peer.uid == geteuid() || peer.uid == 0);
}

/* Those that find no room stay in the system's queue, at most BACKLOG. */
static int accept_some(control_t *self)
{
    int count = 0;
    for (; count < ACCEPTS_PER_LOOK; count++) {
        connection_t *connection = free_connection(self);
        if (!connection)
            break;
        const int fd = accept4(self->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0)
            break;
        if (!is_allowed(fd)) {
            (void)close(fd);
            continue;
        }
        *connection = (connection_t){
            .state = CONNECTION_READING,
            .fd = fd,
            .id = self->next_id++,
            .deadline_ns = self->now_ns + PATIENCE_NS,
        };
    }
    return count;
}

static void set_answer(const control_t *self, connection_t *connection, const char *answer)
{
    const size_t length = strnlen(answer, CONTROL_LINE_MAX - 2);
    memcpy(connection->answer, answer, length);
    connection->length = length;
    if (length == 0 || answer[length - 1] != '\n')
        connection->answer[connection->length++] = '\n';
    connection->sent = 0;
    connection->state = CONNECTION_WRITING;
    connection->deadline_ns = self->now_ns + PATIENCE_NS;
}

/* The line is whole: it is ended in place, at `end`. */
static void take_request(control_t *self, connection_t *connection, char *end)
{
    char answer[CONTROL_LINE_MAX] = "";
    if (end > connection->request && end[-1] == '\r')
        end--;
    *end = '\0';
    if (strlen(connection->request) != (size_t)(end - connection->request)) {
        set_answer(self, connection, "error: a request is a line of text, without NUL bytes");
        return;
    }
    connection->state = CONNECTION_WAITING; /* the handler may answer before it returns */
    if (self->handler(self->context, connection->id, connection->request, answer))
        set_answer(self, connection, answer);
}

static void read_some(control_t *self, connection_t *connection)
{
    const size_t room = sizeof connection->request - 1 - connection->got;
    const ssize_t got = recv(connection->fd, connection->request + connection->got, room, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        end_connection(connection);
        return;
    }
    char *end = memchr(connection->request + connection->got, '\n', (size_t)got);
    connection->got += (size_t)got;
    if (end)
        take_request(self, connection, end);
    else if (connection->got == sizeof connection->request - 1)
        set_answer(self, connection, "error: the line is too long");
}

static void write_some(connection_t *connection)
{
    const ssize_t sent = send(connection->fd, connection->answer + connection->sent,
                              connection->length - connection->sent, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (sent > 0)
        connection->sent += (size_t)sent;
    if (sent < 0 || connection->sent == connection->length)
        end_connection(connection);
}

/* One step of a connection; `events` are those of poll(). */
static int serve(control_t *self, connection_t *connection, short events)
{
    const bool timed = connection->state != CONNECTION_WAITING;
    const bool lost = (events & (POLLERR | POLLNVAL)) != 0;
    /* A tool that has only ended its own side (nc -N) still waits for the answer. */
    const bool left = (events & POLLHUP) != 0 && (events & POLLIN) == 0;
    const bool given_up = (events & POLLHUP) != 0 && connection->state == CONNECTION_WAITING;
    if (lost || left || given_up || (timed && self->now_ns >= connection->deadline_ns)) {
        end_connection(connection);
        return 1;
    }
    if (connection->state == CONNECTION_READING && (events & POLLIN) != 0)
        read_some(self, connection);
    if (connection->state == CONNECTION_WRITING)
        write_some(connection);
    return events != 0;
}

/* What is polled for a connection: one that waits has only its end to be seen. */
static short wanted_events(connection_state_t state)
{
    switch (state) {
    case CONNECTION_READING:
        return POLLIN;
    case CONNECTION_WRITING:
        return POLLOUT;
    case CONNECTION_FREE:
    case CONNECTION_WAITING:
        break;
    }
    return 0;
}

int control_do_work(control_t *self, int64_t now_ns)
{
    struct pollfd polls[1 + CONNECTIONS_MAX];
    if (now_ns < self->next_look_ns)
        return 0;
    self->now_ns = now_ns;
    self->next_look_ns = now_ns + LOOK_INTERVAL_NS;
    polls[0] = (struct pollfd){.fd = free_connection(self) ? self->listener : -1, .events = POLLIN};
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
        const connection_t *connection = &self->connections[i];
        const bool used = connection->state != CONNECTION_FREE;
        polls[1 + i] = (struct pollfd){.fd = used ? connection->fd : -1,
                                       .events = wanted_events(connection->state)};
    }
    if (poll(polls, 1 + CONNECTIONS_MAX, 0) < 0)
        return 0;
    int count = 0;
    for (int i = 0; i < CONNECTIONS_MAX; i++)
        if (self->connections[i].state != CONNECTION_FREE)
            count += serve(self, &self->connections[i], polls[1 + i].revents);
    if ((polls[0].revents & POLLIN) != 0)
        count += accept_some(self);
    return count;
}

void control_answer(control_t *self, uint32_t connection, const char *answer)
{
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
        connection_t *waiting = &self->connections[i];
        if (waiting->state == CONNECTION_WAITING && waiting->id == connection) {
            set_answer(self, waiting, answer);
            return;
        }
    }
}
