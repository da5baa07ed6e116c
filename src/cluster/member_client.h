/*
 * A member's internal client: an ordinary client of the cluster, of the principal
 * REPLICA_HOST_PRINCIPAL, that brings what the member has to say to all members into the log. It
 * has a thread of its own, for the core must not wait, and connects, follows the leader and tries
 * again by itself.
 *
 * What is to be said are states, not a stream: a newer check replaces one that could not be sent, a
 * configuration or notice is sent until it was sent once.
 *
 * Threads: everything but create and destroy is the core's; never waits.
 */
#ifndef CLUSTER_MEMBER_CLIENT_H
#define CLUSTER_MEMBER_CLIENT_H

#include "codec/member_codec.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct member_client member_client_t;

typedef struct member_client_config {
    const char *endpoints; /* 0=HOST:PORT,1=HOST:PORT,... (ingress); copied */
    const char *aeron_dir; /* of the member's own driver; copied */
    const void *secret;    /* NULL: none; copied */
    size_t secret_length;
} member_client_config_t;

/* Starts the thread. OC_ERR_NO_MEMORY, OC_ERR_INVALID_ARGUMENT. The caller owns *client:
 * member_client_destroy(), which ends the session and the thread. */
OC_MUST_CHECK oc_err_t member_client_create(member_client_t **client,
                                            const member_client_config_t *config);
void member_client_destroy(member_client_t *self); /* NULL is allowed */

/* Hands over a message, copied; of a type that still waits, the newer one counts. */
void member_client_say(member_client_t *self, const member_message_t *message);

/* What tests wait for: messages that were sent, and whether it is connected. Any thread. */
uint64_t member_client_sent(const member_client_t *self);
bool member_client_connected(const member_client_t *self);

#endif
