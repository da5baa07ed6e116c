/*
 * What the gateway needs of a transport, as a table of functions: streams of messages coming in
 * from sources, publications going out. The real one is on Aeron (aeron_transport.h); tests and
 * fuzzing bring their own.
 *
 * Threads: the core's alone. No function calls back except poll().
 */
#ifndef GATEWAY_TRANSPORT_H
#define GATEWAY_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for a numeric address, terminated; an IPv6 one has no brackets here. */
#define TRANSPORT_HOST_MAX 64

/* Where a message came from: one stream of one sender. */
typedef struct transport_source {
    uint64_t id; /* never used twice; not 0 */
    char host[TRANSPORT_HOST_MAX];
} transport_source_t;

typedef enum transport_action {
    TRANSPORT_TAKEN,
    TRANSPORT_AGAIN, /* not now: the message stays, poll() ends, and it comes again */
} transport_action_t;

/* bytes NULL: a message longer than the transport keeps; only its length is told. */
typedef transport_action_t (*transport_handler_t)(void *context, const transport_source_t *source,
                                                  const void *bytes, size_t length);

/* A way out; owned by the transport, named by the gateway from add() to close(). */
typedef struct transport_publication transport_publication_t;

typedef enum transport_state {
    TRANSPORT_ADDING,
    TRANSPORT_FAILED, /* could not be added, or broke: close it */
    TRANSPORT_UNCONNECTED,
    TRANSPORT_CONNECTED,
} transport_state_t;

typedef enum transport_sent {
    TRANSPORT_SENT,
    TRANSPORT_BACK_PRESSURE, /* try again later */
    TRANSPORT_NOT_CONNECTED, /* likewise */
    TRANSPORT_BROKEN,        /* it never will */
} transport_sent_t;

typedef struct transport {
    void *context;
    /* Begins to add a publication; NULL when there is no room for one. `channel` is copied. */
    transport_publication_t *(*add)(void *context, const char *channel, int32_t stream);
    transport_state_t (*state)(void *context, transport_publication_t *publication);
    transport_sent_t (*send)(void *context, transport_publication_t *publication, const void *bytes,
                             size_t length);
    void (*close)(void *context, transport_publication_t *publication);
    /* False once nothing more can come from the source. */
    bool (*source_alive)(void *context, uint64_t source);
    /* Hands over whole messages, at most `limit` fragments of each source, in turn. Returns how
     * many fragments. */
    int (*poll)(void *context, transport_handler_t handler, void *handler_context, uint32_t limit);
    /* HOST:PORT that is listened at; borrowed for the transport's life. */
    const char *(*address)(void *context);
    void (*destroy)(void *context);
} transport_t;

#endif
