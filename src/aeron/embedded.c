/*
 * Driver and client in one process. Called by the host, by clients and by tests; the gateway steps
 * it while it begins to listen.
 *
 * Invariants: the driver, if there is one, outlives the client; with EMBEDDED_INVOKER nothing here
 * waits for the driver without stepping it. Must not end the process and must not print.
 *
 * Resources are kept low so that clients which come and go a thousand times a second leave nothing
 * behind for long: log buffers are sparse files (pages that nobody wrote take no memory), a closed
 * publication lingers 100 ms instead of 5 s, closed logs are unmapped after 100 ms instead of 3 s,
 * and the driver looks every 100 ms instead of every second what has ended. The single owner never
 * touches a log after it closed it, which is what the long wait is for.
 */
#define _GNU_SOURCE

#include "aeron/embedded.h"

#include "aeron/driver_leftovers.h"
#include "aeron/setup_limiter.h"
#include "base/assert.h"
#include "base/error.h"

#include <aeronmd.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINGER_NS         (INT64_C(100) * 1000 * 1000)
#define TIMER_INTERVAL_NS (INT64_C(100) * 1000 * 1000)
#define ERROR_TEXT_BYTES  256

enum { LAST_STEPS_MAX = 16384, IDLE_STEPS = 16 };

/* Fewer than fit a queue of 128 KiB between the driver's parts, at some 50 bytes each. */
#define STREAMS_MAX 2048

struct embedded {
    aeron_driver_context_t *driver_context;
    aeron_driver_t *driver;
    aeron_context_t *client_context;
    aeron_t *client;
    embedded_threading_t threading;
    uint64_t errors;
    char last_error[ERROR_TEXT_BYTES];
    char dir[PATH_MAX];
};

void embedded_config_init(embedded_config_t *config)
{
    *config = (embedded_config_t){
        .dir = "",
        .threading = EMBEDDED_INVOKER,
        .term_bytes = 1024 * 1024,
        .mtu_bytes = 8192,
        .socket_bytes = 2 * 1024 * 1024,
        .image_timeout_ns = INT64_C(5) * 1000 * 1000 * 1000,
    };
}

/* Aeron's text is a stack: `(number) cause` in front of each group of `[function, file:line] words`
 * lines. The last cause is the innermost one; the first words of its group say what about it. */
static void keep_line(char *line, size_t size, const char *text)
{
    const char *cause = text;
    const char *words = "";
    for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        const char *stop = at + strcspn(at, "\n");
        const char *end = strstr(at, *at == '(' ? ") " : "] ");
        if (end == NULL || end + 2 >= stop)
            continue;
        if (*at == '(') {
            cause = end + 2;
            words = "";
        } else if (*at == '[' && *words == '\0') {
            words = end + 2;
        }
    }
    snprintf(line, size, "%.*s%s%.*s", (int)strcspn(cause, "\n"), cause, *words != '\0' ? ": " : "",
             (int)strcspn(words, "\n"), words);
}

static void count_error(embedded_t *self, const char *text)
{
    self->errors++;
    keep_line(self->last_error, sizeof self->last_error, text == NULL ? "" : text);
}

const char *embedded_error_line(void)
{
    static _Thread_local char line[ERROR_TEXT_BYTES];
    const char *text = aeron_errmsg();
    keep_line(line, sizeof line, text == NULL ? "" : text);
    return line;
}

static void on_client_error(void *context, int code, const char *message)
{
    (void)code;
    count_error(context, message);
}

static oc_err_t check_config(const embedded_config_t *config)
{
    const uint32_t term = config->term_bytes;
    if (term < 64 * 1024 || term > 1024 * 1024 * 1024 || (term & (term - 1)) != 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "Aeron terms of %" PRIu32 " bytes: a power of two, 65536 to 1073741824",
                         term);
    if (config->mtu_bytes < 64 || config->mtu_bytes > 65504 || config->mtu_bytes % 32 != 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "Aeron datagrams of %" PRIu32 " bytes: a multiple of 32, 64 to 65504",
                         config->mtu_bytes);
    if (config->image_timeout_ns <= 0)
        return error_set(OC_ERR_INVALID_ARGUMENT, "Aeron image timeout: must be positive");
    if (config->threading == EMBEDDED_EXTERNAL && config->dir[0] == '\0')
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "an external Aeron driver: its directory must be named");
    return OC_ERR_OK;
}

/* The directory's name; one that exists must look like a driver's, for it is going to be removed
 * with all that is in it. */
static oc_err_t choose_dir(embedded_t *self, const embedded_config_t *config)
{
    static atomic_uint made;
    const int length =
        config->dir[0] != '\0'
            ? snprintf(self->dir, sizeof self->dir, "%s", config->dir)
            : snprintf(self->dir, sizeof self->dir, "/dev/shm/outcry-%ld-%u", (long)getpid(),
                       /* Relaxed: only that no two get the same number matters. */
                       atomic_fetch_add_explicit(&made, 1, memory_order_relaxed));
    /* Aeron has less room for the names of files in it. */
    if (length < 0 || length > 320)
        return error_set(OC_ERR_TOO_LONG, "the Aeron directory %.64s...: at most 320 characters",
                         config->dir);
    if (config->threading == EMBEDDED_EXTERNAL)
        return OC_ERR_OK;
    if (config->dir[0] == '\0')
        driver_leftovers_sweep(aeron_epoch_clock());

    char file[PATH_MAX + 16];
    struct stat info;
    snprintf(file, sizeof file, "%s/cnc.dat", self->dir);
    if (stat(self->dir, &info) == 0 && stat(file, &info) != 0 && rmdir(self->dir) != 0)
        return error_set(OC_ERR_TRANSPORT,
                         "the Aeron directory %s holds other things; name one that does not exist",
                         self->dir);
    return OC_ERR_OK;
}

size_t embedded_granted_bytes(int option, size_t wanted)
{
    const int probe = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (probe < 0)
        return wanted;
    int value = wanted > INT_MAX / 2 ? INT_MAX / 2 : (int)wanted;
    socklen_t length = sizeof value;
    /* Linux keeps twice what was asked for, and says so. */
    if (setsockopt(probe, SOL_SOCKET, option, &value, sizeof value) == 0 &&
        getsockopt(probe, SOL_SOCKET, option, &value, &length) == 0 && (size_t)value / 2 < wanted)
        wanted = (size_t)value / 2;
    close(probe);
    return wanted;
}

static int set_buffers(aeron_driver_context_t *context, const embedded_config_t *config)
{
    const size_t receive = embedded_granted_bytes(SO_RCVBUF, config->socket_bytes);
    const size_t send = embedded_granted_bytes(SO_SNDBUF, config->socket_bytes);
    const uint64_t linger = (uint64_t)LINGER_NS;
    int failed = 0;
    failed |= aeron_driver_context_set_term_buffer_length(context, config->term_bytes);
    failed |= aeron_driver_context_set_ipc_term_buffer_length(context, config->term_bytes);
    failed |= aeron_driver_context_set_term_buffer_sparse_file(context, true);
    failed |= aeron_driver_context_set_perform_storage_checks(context, false);
    failed |= aeron_driver_context_set_mtu_length(context, config->mtu_bytes);
    failed |= aeron_driver_context_set_ipc_mtu_length(context, config->mtu_bytes);
    failed |= aeron_driver_context_set_socket_so_rcvbuf(context, receive);
    failed |= aeron_driver_context_set_socket_so_sndbuf(context, send);
    failed |= aeron_driver_context_set_rcv_initial_window_length(context, receive);
    failed |= aeron_driver_context_set_publication_linger_timeout_ns(context, linger);
    failed |= aeron_driver_context_set_timer_interval_ns(context, (uint64_t)TIMER_INTERVAL_NS);
    failed |= aeron_driver_context_set_image_liveness_timeout_ns(
        context, (uint64_t)config->image_timeout_ns);
    return failed;
}

/* Where all parts of the driver share a thread, its queues must not fill: not with streams that
 * begin, and not with those that time out together. */
static int set_limits(embedded_t *self, embedded_threading_t threading)
{
    aeron_driver_context_t *context = self->driver_context;
    if (threading == EMBEDDED_DEDICATED)
        return 0;
    if (!setup_limiter_install(context))
        count_error(self, "this version of Aeron is not known here: forged SETUP datagrams can "
                          "stop a driver without threads; use dedicated ones");
    return aeron_driver_context_set_stream_session_limit(context, STREAMS_MAX);
}

static aeron_threading_mode_t driver_threading(embedded_threading_t threading)
{
    switch (threading) {
    case EMBEDDED_SHARED:
        return AERON_THREADING_MODE_SHARED;
    case EMBEDDED_DEDICATED:
        return AERON_THREADING_MODE_DEDICATED;
    case EMBEDDED_INVOKER:
    case EMBEDDED_EXTERNAL:
        break;
    }
    return AERON_THREADING_MODE_INVOKER;
}

/* What a client has asked for takes a step of the driver for each of some states, one request after
 * the other, and what is in the middle of them at the end is never given back. Idle for some steps,
 * the driver has nothing left; the limit is for others' datagrams, which may go on for ever. */
static void finish_work(embedded_t *self)
{
    if (self->threading != EMBEDDED_INVOKER)
        return;
    for (int step = 0, idle = 0; step < LAST_STEPS_MAX && idle < IDLE_STEPS; step++)
        idle = aeron_driver_main_do_work(self->driver) > 0 ? 0 : idle + 1;
}

static void stop_driver(embedded_t *self)
{
    if (self->driver != NULL)
        aeron_driver_close(self->driver);
    if (self->driver_context != NULL)
        aeron_driver_context_close(self->driver_context);
}

static oc_err_t start_driver(embedded_t *self, const embedded_config_t *config)
{
    int failed = aeron_driver_context_init(&self->driver_context);
    if (failed == 0) {
        aeron_driver_context_t *context = self->driver_context;
        failed |= aeron_driver_context_set_dir(context, self->dir);
        failed |= aeron_driver_context_set_dir_warn_if_exists(context, false);
        failed |= aeron_driver_context_set_dir_delete_on_start(context, true);
        failed |= aeron_driver_context_set_dir_delete_on_shutdown(context, true);
        failed |=
            aeron_driver_context_set_threading_mode(context, driver_threading(config->threading));
        failed |= set_buffers(context, config);
        failed |= set_limits(self, config->threading);
    }
    const bool invoked = config->threading == EMBEDDED_INVOKER;
    if (failed != 0 || aeron_driver_init(&self->driver, self->driver_context) < 0 ||
        aeron_driver_start(self->driver, invoked) < 0)
        return error_set(OC_ERR_TRANSPORT, "the Aeron driver in %s does not start: %s", self->dir,
                         embedded_error_line());
    /* The client waits for the driver's first sign of life, which here only this thread gives. */
    if (invoked)
        aeron_driver_main_do_work(self->driver);
    return OC_ERR_OK;
}

static void stop_client(embedded_t *self)
{
    if (self->client != NULL)
        aeron_close(self->client);
    if (self->client_context != NULL)
        aeron_context_close(self->client_context);
}

static oc_err_t start_client(embedded_t *self)
{
    int failed = aeron_context_init(&self->client_context);
    if (failed == 0) {
        aeron_context_t *context = self->client_context;
        failed |= aeron_context_set_dir(context, self->dir);
        failed |= aeron_context_set_use_conductor_agent_invoker(context, true);
        failed |= aeron_context_set_error_handler(context, on_client_error, self);
        failed |= aeron_context_set_resource_linger_duration_ns(context, (uint64_t)LINGER_NS);
    }
    if (failed != 0 || aeron_init(&self->client, self->client_context) < 0 ||
        aeron_start(self->client) < 0)
        return error_set(OC_ERR_TRANSPORT, "no Aeron client on the driver in %s: %s", self->dir,
                         embedded_error_line());
    return OC_ERR_OK;
}

oc_err_t embedded_create(embedded_t **embedded, const embedded_config_t *config)
{
    *embedded = NULL;
    oc_err_t err = check_config(config);
    if (err != OC_ERR_OK)
        return err;
    embedded_t *self = calloc(1, sizeof *self);
    if (self == NULL)
        return error_set(OC_ERR_NO_MEMORY, "Aeron: %zu bytes", sizeof *self);
    self->threading = config->threading;

    err = choose_dir(self, config);
    if (err != OC_ERR_OK)
        goto free_self;
    if (config->threading != EMBEDDED_EXTERNAL) {
        err = start_driver(self, config);
        if (err != OC_ERR_OK)
            goto stop_driver;
    }
    err = start_client(self);
    if (err != OC_ERR_OK)
        goto stop_client;
    *embedded = self;
    return OC_ERR_OK;

stop_client:
    stop_client(self);
stop_driver:
    stop_driver(self);
free_self:
    free(self);
    return err;
}

void embedded_destroy(embedded_t *self)
{
    if (self == NULL)
        return;
    stop_client(self);
    finish_work(self);
    stop_driver(self);
    free(self);
}

aeron_t *embedded_aeron(embedded_t *self)
{
    return self->client;
}

const char *embedded_dir(const embedded_t *self)
{
    return self->dir;
}

int embedded_do_work(embedded_t *self)
{
    OC_ASSERT(self->client != NULL);
    int work = 0;
    if (self->threading == EMBEDDED_INVOKER) {
        const int done = aeron_driver_main_do_work(self->driver);
        if (done < 0)
            count_error(self, aeron_errmsg());
        else
            work += done;
    }
    const int done = aeron_main_do_work(self->client);
    if (done < 0)
        count_error(self, aeron_errmsg());
    else
        work += done;
    return work;
}

uint64_t embedded_errors(const embedded_t *self, const char **last)
{
    if (last != NULL)
        *last = self->last_error;
    return self->errors;
}

bool embedded_closed(const embedded_t *self)
{
    return aeron_is_closed(self->client);
}
