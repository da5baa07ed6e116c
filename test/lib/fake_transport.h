/*
 * A transport in memory for the gateway: tests put in what clients say, say which ways out are
 * connected, and read what went out. Every way it can fail is a field.
 */
#ifndef LIB_FAKE_TRANSPORT_H
#define LIB_FAKE_TRANSPORT_H

#include "gateway/transport.h"

enum { FAKE_PUBLICATIONS = 64, FAKE_SENT_MAX = 4096 };

typedef struct fake_message {
    uint8_t *bytes;
    size_t length;
} fake_message_t;

struct transport_publication {
    char channel[256];
    int32_t stream;
    transport_state_t state;
    bool used;              /* not closed */
    uint32_t added;         /* the how manieth, from 1 */
    uint32_t back_pressure; /* so many sends are to be tried again */
    fake_message_t *sent;   /* FAKE_SENT_MAX; freed with the transport */
    uint32_t sent_count;
};

typedef struct fake_ingress {
    transport_source_t source;
    fake_message_t message; /* bytes NULL: one that is too long */
} fake_ingress_t;

typedef struct fake_transport {
    struct transport_publication publications[FAKE_PUBLICATIONS]; /* used ones and closed ones */
    uint32_t publication_count;
    transport_state_t state_at_add; /* of new publications */
    uint32_t add_fails;             /* so many of the next additions find no room */
    uint64_t dead_source;           /* the one that is gone; 0: all live */
    fake_ingress_t *ingress;
    uint32_t ingress_count;
    uint32_t ingress_capacity;
    bool destroyed;
} fake_transport_t;

void fake_transport_init(fake_transport_t *fake);
void fake_transport_fini(fake_transport_t *fake);

/* The table to hand to the gateway; refers to `fake`. */
transport_t fake_transport_table(fake_transport_t *fake);

/* Queues a message from a source (copied; NULL: a too long one). */
void fake_transport_receive(fake_transport_t *fake, uint64_t source, const char *host,
                            const void *bytes, size_t length);

/* How many publications are in use. */
uint32_t fake_transport_used(const fake_transport_t *fake);

#endif
