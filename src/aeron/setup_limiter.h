/*
 * Keeps a driver without threads of its own alive under a storm of new streams.
 *
 * Each datagram that begins a stream (SETUP) or refuses one (ERROR), forged or not, makes Aeron's
 * receiver or sender put a command into a queue of 128 KiB for its conductor, and wait when that is
 * full. Where all three share a thread, the conductor is who waits: the process never goes on. The
 * limiter lets through so few of these datagrams that the queue cannot fill; who was not heard
 * sends again after 100 ms.
 */
#ifndef AERON_SETUP_LIMITER_H
#define AERON_SETUP_LIMITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Uses size_t without its header. */
#include <aeronmd.h>

/* At once, and one more each so often. */
#define SETUP_LIMITER_BURST       64
#define SETUP_LIMITER_INTERVAL_NS INT64_C(2000000)

typedef struct setup_limiter {
    int64_t counted_ns; /* up to when time was turned into permits */
    int64_t permits;
} setup_limiter_t;

/* All permits are there. */
void setup_limiter_init(setup_limiter_t *self, int64_t now_ns);

/* Whether the driver may have this datagram. Any bytes, borrowed for the call. */
bool setup_limiter_admits(setup_limiter_t *self, const void *bytes, size_t length, int64_t now_ns);

/* Puts a limiter before all that the driver receives. The context takes what is allocated. False:
 * no memory, or an Aeron whose tables are not known here. Before aeron_driver_init(). */
bool setup_limiter_install(aeron_driver_context_t *context);

#endif
