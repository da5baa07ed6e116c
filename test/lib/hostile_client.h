/*
 * A client of the exchange that may say anything: it speaks Aeron and the cluster protocol by hand
 * and sends whatever bytes it is given. What the venue answers is counted.
 *
 * It is stepped by whoever calls it, unless its driver has a thread.
 */
#ifndef LIB_HOSTILE_CLIENT_H
#define LIB_HOSTILE_CLIENT_H

#include "aeron/embedded.h"
#include "codec/cluster_codec.h"
#include "outcry/order_entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HOSTILE_TEXT_MAX = 256, HOSTILE_CHALLENGE_MAX = 64 };

typedef struct hostile_client {
    embedded_t *embedded;
    aeron_exclusive_publication_t *ingress; /* NULL: none */
    aeron_subscription_t *egress;
    char response_channel[HOSTILE_TEXT_MAX];
    bool deaf; /* answers are left where they are */

    int64_t correlation; /* of the last connect request */
    int64_t session;     /* the last one that was opened, -1: none */
    int64_t term;
    uint64_t events[5]; /* SessionEvents by code, of any session on this egress */
    char detail[HOSTILE_TEXT_MAX];
    uint64_t challenges;
    int64_t challenged_session;
    uint8_t challenge[HOSTILE_CHALLENGE_MAX];
    size_t challenge_length;

    uint64_t outputs;
    uint64_t accepted;
    uint64_t reasons[OC_REASON_COUNT]; /* of REJECTED */
    uint64_t cancelled;
    uint64_t problems[OC_PROBLEM_COUNT]; /* of MESSAGE_REJECTED */
    uint64_t problem_count;
    uint64_t logons;
    oc_response_t logon; /* the last one */
    uint64_t statuses;   /* orders of ORDER_STATUS answers */
    uint64_t status_ends;
    uint64_t unreadable; /* messages that the codec refuses */
} hostile_client_t;

/* Starts driver and client and listens for answers; the test fails if that cannot be done. */
void hostile_client_init(hostile_client_t *self, bool driver_thread);
void hostile_client_fini(hostile_client_t *self);

/* One step; takes in what came. */
void hostile_client_poll(hostile_client_t *self);

/* Steps until *counter is at least `value`; false after `seconds`. */
bool hostile_client_until(hostile_client_t *self, const uint64_t *counter, uint64_t value,
                          double seconds);

/* Steps for so long. */
void hostile_client_idle(hostile_client_t *self, double seconds);

/* Another publication to HOST:PORT in place of the one it had; the test fails after ten seconds. */
void hostile_client_attach(hostile_client_t *self, const char *address);

/* Sends bytes as they are; steps while there is no room. False: none within ten seconds, or they
 * are more than the transport takes. */
bool hostile_client_offer(hostile_client_t *self, const void *bytes, size_t length);

/* Sends a message of the cluster protocol, at most 64 KiB. */
bool hostile_client_send(hostile_client_t *self, const cluster_message_t *message);

/* Asks for a session under any response channel, without waiting. */
bool hostile_client_ask(hostile_client_t *self, const char *channel, int32_t stream,
                        const char *name);

/* Attaches, asks, and waits for the session; the test fails after ten seconds. */
void hostile_client_connect(hostile_client_t *self, const char *address, const char *name);

/* Sends application bytes in the session. */
bool hostile_client_payload(hostile_client_t *self, const void *bytes, size_t length);

bool hostile_client_request(hostile_client_t *self, const oc_request_t *request);

/* Logs the session on to a source; the test fails if that is refused. */
void hostile_client_logon(hostile_client_t *self, uint32_t source);

/* A new order with this sequence, without waiting. */
bool hostile_client_order(hostile_client_t *self, uint64_t sequence, uint64_t id, int64_t price);

/* How many orders of its source live. */
uint64_t hostile_client_live(hostile_client_t *self);

#endif
