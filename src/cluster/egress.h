/*
 * What a leader's service says to clients: a publication and a bounded backlog for each session, so
 * that a client that is stuck, slow or gone delays nobody.
 *
 * Messages leave in order and at once: what the log holds is committed. A session whose backlog is
 * full, or whose way cannot be made for a time, is reported as slow, once; what follows for it is
 * dropped (the log, and the service's ring of kept outputs, have it).
 *
 * Events are the module's to send. The exception are sessions of before the start of a whole
 * cluster: the module ends them without a word, having no way to them.
 *
 * Threads: the core's alone.
 */
#ifndef CLUSTER_EGRESS_H
#define CLUSTER_EGRESS_H

#include "aeron/embedded.h"
#include "gateway/authenticator.h"
#include "gateway/transport.h"
#include "outcry/error.h"
#include "outcry/service.h"

#include <stddef.h>
#include <stdint.h>

typedef struct egress egress_t;

typedef struct egress_config {
    int32_t member; /* this one's id, for events */
    uint32_t max_sessions;
    uint32_t session_backlog_bytes;
    uint32_t backlog_bytes;     /* of all together, allocated at start */
    uint32_t message_bytes_max; /* of what egress_send() is given */
    int64_t connect_timeout_ns; /* how long a way may take to be there, at first and again */
    /* A session that is to be closed because it does not take what it is sent. Called from inside
     * any of the functions below; calls none of them. */
    void (*slow)(void *context, oc_session_id_t session);
    void *context;
} egress_config_t;

typedef struct egress_counters {
    uint64_t messages;      /* sent */
    uint64_t back_pressure; /* sends that had to be tried again */
    uint64_t dropped;       /* messages for sessions that are slow, or were closed before */
    uint64_t slow;          /* sessions */
} egress_counters_t;

/* `embedded` is borrowed for its life. OC_ERR_NO_MEMORY, OC_ERR_INVALID_ARGUMENT (a limit). The
 * caller owns *egress: egress_destroy(). */
OC_MUST_CHECK oc_err_t egress_create(egress_t **egress, const egress_config_t *config,
                                     embedded_t *embedded);
/* The same on any transport, which is taken, also on failure: for tests. */
OC_MUST_CHECK oc_err_t egress_create_on(egress_t **egress, const egress_config_t *config,
                                        const transport_t *transport);
void egress_destroy(egress_t *self); /* NULL is allowed */

/* The leadership term id that goes into what is sent from now on. */
void egress_set_term(egress_t *self, int64_t leadership_term);

/* Begins to connect a session; one that is there already stays. `open` is copied; its channel was
 * checked. A session for which there is no place is slow at once. */
void egress_open(egress_t *self, oc_session_id_t session, const gateway_open_t *open);
/* What waits is sent as far as it goes at once, then it is gone. */
void egress_close(egress_t *self, oc_session_id_t session);
/* The same for one whose client the module does not tell: it is sent a SessionEvent CLOSED. What
 * waits keeps its place for the connect timeout, or until another session needs it. */
void egress_dismiss(egress_t *self, oc_session_id_t session);
/* All of them, likewise: the member leads no more. */
void egress_close_all(egress_t *self);

/* Sends (copied), or queues. Nothing happens if there is no such session. `timestamp` is in the
 * cluster's unit; `length` is at most message_bytes_max. */
void egress_send(egress_t *self, oc_session_id_t session, const void *bytes, size_t length,
                 int64_t timestamp);

/* Moves on what waits; returns how much was done. The time is that of all functions until the next
 * call. */
int egress_do_work(egress_t *self, int64_t now_ns);

/* Bytes that wait, of all sessions. */
size_t egress_backlog(const egress_t *self);
const egress_counters_t *egress_counters(const egress_t *self);

#endif
