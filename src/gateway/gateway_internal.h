/*
 * What the files of the gateway share: the gateway itself, ingress (messages of clients) and the
 * life of a session.
 */
#ifndef GATEWAY_GATEWAY_INTERNAL_H
#define GATEWAY_GATEWAY_INTERNAL_H

#include "codec/cluster_codec.h"
#include "gateway/backlog.h"
#include "gateway/gateway.h"
#include "gateway/session_table.h"
#include "gateway/transport.h"

/* Room for what is no application message: an event and its text, a connect request. */
#define GATEWAY_EVENT_BYTES_MAX 1024

/* Longest HOST:PORT that is configured. */
#define GATEWAY_ADDRESS_MAX 256

struct gateway {
    gateway_config_t config;
    gateway_sink_t sink;
    transport_t transport;
    session_table_t table;
    backlog_pool_t pool;
    gateway_counters_t counters;
    int64_t term;
    int64_t now_ns;                             /* of this duty cycle */
    uint64_t durable;                           /* of it */
    int64_t next_sweep_ns;                      /* when timeouts are looked for next */
    bool started;                               /* now_ns is set */
    char announcement[GATEWAY_ADDRESS_MAX + 8]; /* 0=HOST:PORT */
};

/* As gateway_create(), on any transport, which is taken also on failure. */
OC_MUST_CHECK oc_err_t gateway_create_on(gateway_t **gateway, const gateway_config_t *config,
                                         const transport_t *transport, const gateway_sink_t *sink);

/* The longest message on the wire in either direction. */
static inline size_t gateway_frame_max(const gateway_config_t *config)
{
    const size_t longest = (size_t)config->message_bytes_max + CLUSTER_SESSION_HEADER_BYTES;
    return longest < GATEWAY_EVENT_BYTES_MAX ? GATEWAY_EVENT_BYTES_MAX : longest;
}

/* ingress_adapter.c: one message of a client, a transport_handler_t. `context` is the gateway. */
transport_action_t ingress_on_message(void *context, const transport_source_t *source,
                                      const void *bytes, size_t length);

/* session_life.c */

/* One duty cycle of one session that is in the active list. Returns how much was done; afterwards
 * the session may be gone. */
int session_step(gateway_t *self, session_t *session, uint64_t durable);

/* Begins to close an open session: the sink is told in a coming step. */
void session_close(gateway_t *self, session_t *session, oc_close_reason_t reason);

/* Closes the open sessions whose time is up. */
int session_sweep(gateway_t *self);

/* Queues a message of the protocol; a session whose backlog is full begins to be closed. */
void session_tell(gateway_t *self, session_t *session, const cluster_message_t *message,
                  uint64_t position);
void session_push(gateway_t *self, session_t *session, uint64_t position,
                  const backlog_message_t *message);

/* Queues a SessionEvent. */
void session_tell_event(gateway_t *self, session_t *session, cluster_event_code_t code,
                        const char *detail, uint64_t position);

/* The answer to its challenge came. */
void session_respond(gateway_t *self, session_t *session, bool accepted);

/* The log closed it: it is told, after what waits for it. */
void session_end(gateway_t *self, session_t *session, oc_close_reason_t reason, uint64_t position);

/* Gives back all that a session holds, without a word. */
void session_forget(gateway_t *self, session_t *session);

/* This session is open: restored ones of the same principal and channel that were not heard of yet
 * are closed, for their client has begun anew. */
void session_supersede(gateway_t *self, const session_t *session);

#endif
