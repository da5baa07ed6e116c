/*
 * The client of the exchange: connects to `outcry node`, or to a cluster of `outcry member`, in the
 * client protocol of Aeron Cluster, speaks for one source, and loses and doubles nothing, through
 * restarts and changes of leader.
 *
 *     oc_client_config_init(&config);  config.ingress = "127.0.0.1:9010";  config.source.value = 7;
 *     oc_client_connect(&client, &config, on_response, context);
 *     oc_client_send(client, &command, &sequence);
 *     oc_client_poll(client, 64);      // again and again: it receives, keeps alive, reconnects
 *     oc_client_close(client);
 *
 * Every command gets the next sequence number of its source and is kept until it is answered. When
 * the connection breaks, the client connects and logs on again; the venue tells it the last command
 * it took and sends what was missed; commands behind that one are sent again. So the handler sees
 * every output of the source exactly once, in the order of outbound sequences, whatever happened in
 * between; the one exception is told: OC_RESPONSE_GAP, when the venue has not kept them, after
 * which ORDER_STATUS rebuilds the picture.
 *
 * Of a cluster all members that are named are asked at once. When its leader dies, the new one
 * comes to the client, which goes on in the same session: that takes as long as the cluster's own
 * election. The client's timeouts count only when nobody comes: it notices a dead venue after some
 * six seconds, and then looks for one that gives it a new session.
 *
 * Threads: one at a time; no function may be called from inside the handler but
 * oc_client_send() and its like.
 */
#ifndef OUTCRY_CLIENT_H
#define OUTCRY_CLIENT_H

#include "outcry/order_entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oc_client oc_client_t;

typedef enum oc_client_state {
    OC_CLIENT_CONNECTING = 0, /* or connecting again; commands are kept meanwhile */
    OC_CLIENT_READY = 1,      /* logged on */
    OC_CLIENT_CLOSED = 2,     /* for good: refused, or the reconnect timeout is over */
} oc_client_state_t;

typedef struct oc_client_config {
    const char *ingress; /* HOST:PORT of a node, or `0=HOST:PORT,1=HOST:PORT,...` of a cluster;
                            copied */
    const char *egress;  /* HOST or HOST:PORT on which answers are received; NULL: an ephemeral port
                            of the address from which ingress is reached; copied */
    const char *aeron_dir; /* directory of a running media driver; NULL: one is embedded; copied */
    const char *principal; /* who we are; NULL: "anonymous"; copied */
    const void *secret;    /* answers a challenge; NULL: none; copied */
    size_t secret_length;  /* 16..256 */
    oc_source_id_t source; /* to log on to; 0: none, a session for ORDER_STATUS and the like
                                 is not possible then */
    uint64_t outbound_sequence;    /* last output seen in an earlier life, 0: none */
    uint32_t unanswered_max;       /* commands kept for resending, power of two, 16..1048576 */
    uint32_t message_commands;     /* at most in one message; 0: as many as fit; 1: each is an
                                      entry of its own in the venue's log */
    int64_t connect_timeout_ns;    /* of oc_client_connect() */
    int64_t reconnect_timeout_ns;  /* then the client is closed; 0: tries for ever */
    int64_t keepalive_interval_ns; /* at most a third of the venue's session timeout */
    bool embedded_thread; /* the embedded driver gets a thread; otherwise oc_client_poll() and
                             oc_client_send() step it */
} oc_client_config_t;

/* Defaults: no ingress, no source, 1,024 unanswered (so that a node's default of kept outputs
 * covers what they cause when it crashes), 5 s, 60 s, 1 s, no thread. */
OC_EXPORT void oc_client_config_init(oc_client_config_t *config);

/*
 * Takes what the venue says; `response` is borrowed for the call. Outputs come in outbound
 * sequence, each once. LOGON comes at every logon: the client acts on it itself.
 */
typedef void (*oc_client_handler_t)(void *context, const oc_response_t *response);

/*
 * Connects, authenticates and logs on; returns when that is done, at the latest after
 * connect_timeout_ns. Outputs missed since config->outbound_sequence are given to the handler by
 * the polls that follow.
 *
 * Errors: OC_ERR_INVALID_ARGUMENT; OC_ERR_TIMEOUT (nobody answers); OC_ERR_REFUSED (by whom and why
 * is in oc_err_context()); OC_ERR_TRANSPORT; OC_ERR_NO_MEMORY. The caller owns *client:
 * oc_client_close().
 */
OC_EXPORT OC_MUST_CHECK oc_err_t oc_client_connect(oc_client_t **client,
                                                   const oc_client_config_t *config,
                                                   oc_client_handler_t handler, void *context);

/*
 * Sends a command (copied): its source and time are set by the venue, its sequence by the client,
 * which stores it in *sequence (may be NULL). Commands sent close together leave in one message
 * when oc_client_flush() or oc_client_poll() is called, or when the message is full.
 *
 * While connecting, commands are kept and leave at the logon.
 *
 * Errors: OC_ERR_BACK_PRESSURE: unanswered_max commands wait, poll and try again; OC_ERR_CLOSED;
 * OC_ERR_INVALID_ARGUMENT: a command type that clients do not send, a field whose value has no form
 * on the wire (docs/formats/order-entry.md), or a client without a source.
 */
OC_EXPORT OC_MUST_CHECK oc_err_t oc_client_send(oc_client_t *client, const oc_command_t *command,
                                                uint64_t *sequence);

/*
 * The same without a copy: returns where to build the command, zeroed, or NULL as above
 * (oc_client_state() tells whether closed). oc_client_commit() sends it and returns its sequence,
 * or 0 for what oc_client_send() calls an invalid argument; nothing else may be called in between.
 */
OC_EXPORT oc_command_t *oc_client_claim(oc_client_t *client);
OC_EXPORT uint64_t oc_client_commit(oc_client_t *client);

/* Sends now what send() and commit() have collected. OC_ERR_OK also when it must wait for the
 * transport: poll does the rest. OC_ERR_CLOSED. */
OC_EXPORT OC_MUST_CHECK oc_err_t oc_client_flush(oc_client_t *client);

/*
 * Sends another request (logon and commands are not): ORDER_STATUS, PRINCIPAL, STOP. It is not sent
 * again by itself. Stores a fresh request id in request->request_id. OC_ERR_BACK_PRESSURE,
 * OC_ERR_NOT_CONNECTED, OC_ERR_CLOSED, OC_ERR_INVALID_ARGUMENT.
 */
OC_EXPORT OC_MUST_CHECK oc_err_t oc_client_request(oc_client_t *client, oc_request_t *request);

/*
 * Receives up to `limit` messages and gives them to the handler; sends what waits, keeps the
 * session alive, reconnects. Returns how many were received (also 0), never blocks longer than the
 * transport's own work. OC_CLIENT_CLOSED shows in oc_client_state(), why in oc_client_reason().
 */
OC_EXPORT size_t oc_client_poll(oc_client_t *client, size_t limit);

OC_EXPORT oc_client_state_t oc_client_state(const oc_client_t *client);
/* Why it is closed, does not get on with connecting, or was last disconnected; "" if never.
 * Borrowed until the next call. */
OC_EXPORT const char *oc_client_reason(const oc_client_t *client);

typedef struct oc_client_counts {
    uint64_t sent;              /* commands given to send() or commit() */
    uint64_t answered;          /* of them */
    uint64_t resent;            /* times that a command was sent again */
    uint64_t outputs;           /* given to the handler */
    uint64_t outbound_sequence; /* last of them; for config.outbound_sequence of a later life */
    uint64_t repeats;           /* outputs that came again and were left out */
    uint64_t reconnects;
    uint64_t rejected_messages; /* MESSAGE_REJECTED */
    uint64_t back_pressure;     /* sends that had to wait for the transport */
} oc_client_counts_t;

OC_EXPORT void oc_client_counts(const oc_client_t *client, oc_client_counts_t *counts);

/* The lowest sequence not answered yet; 0 when there is none. */
OC_EXPORT uint64_t oc_client_oldest_unanswered(const oc_client_t *client);

/* Says good-bye if connected, frees everything. NULL is allowed. */
OC_EXPORT void oc_client_close(oc_client_t *client);

#ifdef __cplusplus
}
#endif

#endif
