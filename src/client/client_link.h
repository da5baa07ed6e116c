/*
 * What the client's session needs of a transport, as a table: Aeron fills it (aeron_link.h), tests
 * fill it with a venue made of plain memory.
 *
 * A link has two halves: an egress on which we listen, which stays as long as it can, so that a
 * venue that comes back, or another leader, finds us under the same address; and an ingress to one
 * of the endpoints that were named last: to whichever answers first, so that a member that is dead
 * costs no time.
 *
 * No function blocks. Threads: the client's one.
 */
#ifndef CLIENT_CLIENT_LINK_H
#define CLIENT_CLIENT_LINK_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest message that is ever sent. */
#define CLIENT_LINK_MESSAGE_MAX 8192

typedef enum client_link_state {
    LINK_OPENING, /* nobody has answered at the endpoint yet */
    LINK_UP,      /* the venue's transport answers, and egress has an address */
    LINK_DOWN,    /* it was up and is silent now; may come up again */
    LINK_BROKEN,  /* open() is needed, or nothing is open */
} client_link_state_t;

typedef enum client_link_result {
    LINK_SENT,
    LINK_BUSY,        /* back pressure: try again */
    LINK_UNCONNECTED, /* not while state() is what it is */
} client_link_result_t;

/* Takes one whole message; `bytes` is borrowed. `image` names the stream it came on. */
typedef void (*client_link_handler_t)(void *context, int32_t image, const void *bytes,
                                      size_t length);

typedef struct client_link {
    void *context;
    /* Turns ingress to the first that answers of `count` (1..ENDPOINTS_MAX) endpoints HOST:PORT,
     * the one named first if several do, and makes what is broken anew. An error: try later. */
    oc_err_t (*open)(void *context, const char *const *endpoints, size_t count);
    /* Which of them it was, once state() was LINK_UP. */
    size_t (*chosen)(void *context);
    client_link_state_t (*state)(void *context);
    /* Where the venue shall answer, once state() is LINK_UP; borrowed until the next open(). */
    const char *(*response_channel)(void *context);
    /* Longest message that goes out in one piece, once state() is LINK_UP; send() cuts longer
     * ones. */
    size_t (*message_max)(void *context);
    client_link_result_t (*send)(void *context, const void *bytes, size_t length);
    size_t (*poll)(void *context, client_link_handler_t handler, void *handler_context,
                   size_t limit);
    /* False when the stream has ended or gone silent for good. */
    bool (*image_alive)(void *context, int32_t image);
    /* Moves the transport on, when it has no thread of its own. */
    void (*step)(void *context);
} client_link_t;

#endif
