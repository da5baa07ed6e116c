/*
 * The limiter, as an interceptor of Aeron's for incoming datagrams. Called by embedded.c, and by
 * the driver's sender and receiver for each datagram.
 *
 * Aeron has the seam (aeronmd.h) but does not install the header with the layout of its tables
 * (media/aeron_udp_channel_transport_bindings.h), so it is repeated here, for the versions that
 * were looked at only. Must not block and must not keep a datagram.
 */
#define _GNU_SOURCE
#include "aeron/setup_limiter.h"

#include "base/assert.h"

#include <aeronc.h>
#include <stdlib.h>
#include <time.h>

#define KNOWN_MAJOR 1
#define KNOWN_MINOR 54

enum { FRAME_TYPE_AT = 6, FRAME_HEADER = 8, FRAME_ERROR = 4, FRAME_SETUP = 5 };

typedef struct incoming incoming_t;
typedef void (*incoming_func_t)(void *state, incoming_t *delegate, void *transport, void *receiver,
                                void *endpoint, void *destination, uint8_t *bytes, size_t length,
                                void *address, void *timestamp);
typedef int (*init_func_t)(void **state, aeron_driver_context_t *context, int affinity);
typedef int (*close_func_t)(void *state);
typedef void (*unused_func_t)(void);

/* struct aeron_udp_channel_incoming_interceptor_stct */
struct incoming {
    void *state;
    incoming_func_t incoming;
    close_func_t close;
    unused_func_t notifications[3];
    incoming_t *next;
};

/* struct aeron_udp_channel_interceptor_bindings_stct */
typedef struct bindings {
    init_func_t outgoing_init;
    init_func_t incoming_init;
    unused_func_t outgoing_send;
    incoming_func_t incoming;
    close_func_t outgoing_close;
    close_func_t incoming_close;
    unused_func_t notifications[6];
    const char *name;
    const char *type;
    const void *next;
    unused_func_t source;
} bindings_t;

_Static_assert(sizeof(bindings_t) == 16 * sizeof(void *), "as Aeron has it");
_Static_assert(sizeof(incoming_t) == 7 * sizeof(void *), "as Aeron has it");

static int64_t monotonic_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

void setup_limiter_init(setup_limiter_t *self, int64_t now_ns)
{
    *self = (setup_limiter_t){.counted_ns = now_ns, .permits = SETUP_LIMITER_BURST};
}

static void count_time(setup_limiter_t *self, int64_t now_ns)
{
    const int64_t more = (now_ns - self->counted_ns) / SETUP_LIMITER_INTERVAL_NS;
    if (more <= 0)
        return;
    self->counted_ns += more * SETUP_LIMITER_INTERVAL_NS;
    self->permits =
        more < SETUP_LIMITER_BURST - self->permits ? self->permits + more : SETUP_LIMITER_BURST;
}

static bool is_limited(const uint8_t *bytes, size_t length)
{
    return length >= FRAME_HEADER && bytes[FRAME_TYPE_AT + 1] == 0 &&
           (bytes[FRAME_TYPE_AT] == FRAME_SETUP || bytes[FRAME_TYPE_AT] == FRAME_ERROR);
}

bool setup_limiter_admits(setup_limiter_t *self, const void *bytes, size_t length, int64_t now_ns)
{
    OC_ASSERT(self->permits >= 0);
    if (!is_limited(bytes, length))
        return true;
    count_time(self, now_ns);
    if (self->permits == 0)
        return false;
    self->permits--;
    return true;
}

static int init(void **state, aeron_driver_context_t *context, int affinity)
{
    (void)context;
    (void)affinity;
    setup_limiter_t *limiter = malloc(sizeof *limiter);
    if (limiter == NULL)
        return -1;
    setup_limiter_init(limiter, monotonic_ns());
    *state = limiter;
    return 0;
}

static int finish(void *state)
{
    free(state);
    return 0;
}

static void incoming(void *state, incoming_t *delegate, void *transport, void *receiver,
                     void *endpoint, void *destination, uint8_t *bytes, size_t length,
                     void *address, void *timestamp)
{
    /* The clock is read for those that are limited only. */
    if (is_limited(bytes, length) && !setup_limiter_admits(state, bytes, length, monotonic_ns()))
        return;
    delegate->incoming(delegate->state, delegate->next, transport, receiver, endpoint, destination,
                       bytes, length, address, timestamp);
}

bool setup_limiter_install(aeron_driver_context_t *context)
{
    if (aeron_version_major() != KNOWN_MAJOR || aeron_version_minor() != KNOWN_MINOR)
        return false;
    bindings_t *bindings = calloc(1, sizeof *bindings); /* Aeron's own allocations are malloc's */
    if (bindings == NULL)
        return false;
    bindings->incoming_init = init;
    bindings->incoming = incoming;
    bindings->incoming_close = finish;
    bindings->name = "setup-limiter";
    bindings->type = "interceptor";
    if (aeron_driver_context_set_udp_channel_incoming_interceptors(context, (void *)bindings) == 0)
        return true;
    free(bindings);
    return false;
}
