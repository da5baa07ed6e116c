/*
 * A client of the cluster protocol for tests of hosts, written by hand on an Aeron client of its
 * own: nothing in it knows the client library, and it can do what that would not.
 *
 * It is stepped by the test together with whatever else must go on: raw_client_until() calls a
 * function between two looks at a condition.
 */
#ifndef LIB_RAW_CLIENT_H
#define LIB_RAW_CLIENT_H

#include "aeron/embedded.h"
#include "codec/cluster_codec.h"
#include "lib/tally_service.h"

#include <stdbool.h>
#include <stdint.h>

enum { RAW_ANSWERS_MAX = 4096, RAW_TEXT_MAX = 256 };

typedef struct raw_client {
    embedded_t *embedded;
    aeron_exclusive_publication_t *ingress;
    aeron_subscription_t *egress;
    char response_channel[RAW_TEXT_MAX];
    /* Called between steps; may be NULL. */
    void (*pump)(void *context);
    void *pump_context;

    int64_t correlation;
    int64_t session; /* -1: none */
    int64_t term;
    int64_t events[5]; /* SessionEvents by code */
    char detail[RAW_TEXT_MAX];
    uint32_t new_leaders;
    char endpoints[RAW_TEXT_MAX]; /* of the last NewLeaderEvent */
    uint32_t answer_count;        /* all that came; the first RAW_ANSWERS_MAX are kept */
    tally_answer_t answers[RAW_ANSWERS_MAX];
    int64_t timestamp;
} raw_client_t;

/* Starts driver and client and listens for answers; the test fails if that cannot be done. */
void raw_client_init(raw_client_t *self, void (*pump)(void *context), void *pump_context);
void raw_client_fini(raw_client_t *self);

/* One step; takes in what came. */
void raw_client_poll(raw_client_t *self);

/* Steps until *counter is at least `value`; false after `seconds`. */
bool raw_client_until(raw_client_t *self, const int64_t *counter, int64_t value, double seconds);

/* The same for the number of answers. */
bool raw_client_answers(raw_client_t *self, uint32_t count, double seconds);

/* Connects to HOST:PORT as `name` and waits for the session; false: none in ten seconds. */
bool raw_client_connect(raw_client_t *self, const char *address, const char *name);

/* A publication to HOST:PORT, without asking for a session. */
bool raw_client_attach(raw_client_t *self, const char *address);

/* Sends a message of the session; steps while there is no room. False: it could not be sent. */
bool raw_client_request(raw_client_t *self, tally_op_t op, int64_t argument, int64_t delay_ns);

/* Sends a message of the protocol as it is. */
bool raw_client_send(raw_client_t *self, const cluster_message_t *message);

#endif
