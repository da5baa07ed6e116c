/*
 * The doorway for orders: clients connect, authenticate, send and receive here, in the client
 * protocol of Aeron Cluster (schema 111), as if this were a cluster of one member.
 *
 * The gateway knows connections, not the log. What clients do goes out through a table of functions
 * that the host fills (gateway_sink_t), to be put in sequence; what the applied log says comes in
 * (gateway_session_opened() and so on). It never sends before the log is durable: everything sent
 * carries the position it depends on.
 *
 * One session cannot delay another: ingress is polled image by image in turn with a bound, egress
 * waits in a backlog per session, bounded; whose backlog is full is closed.
 *
 * Threads: the core's alone.
 */
#ifndef GATEWAY_GATEWAY_H
#define GATEWAY_GATEWAY_H

#include "aeron/embedded.h"
#include "gateway/authenticator.h"
#include "outcry/error.h"
#include "outcry/model.h"
#include "outcry/service.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What clients did. False: cannot be taken now, will be offered again. All of them are called by
 * gateway_do_work() only, and may call the gateway's functions for the applied log in return.
 */
typedef struct gateway_sink {
    void *context;
    /* An authenticated client wants a session under this id (from gateway's reserve_session). */
    bool (*open)(void *context, oc_session_id_t session, const gateway_open_t *open);
    bool (*message)(void *context, oc_session_id_t session, const void *bytes, size_t length);
    bool (*close)(void *context, oc_session_id_t session, oc_close_reason_t reason);
    /* A session id that no log entry has used and nobody else is going to use. */
    oc_session_id_t (*reserve_session)(void *context);
} gateway_sink_t;

typedef struct gateway_config {
    const char *ingress;     /* HOST:PORT; port 0: a free one; borrowed for the gateway's life */
    const char *advertised;  /* HOST:PORT for clients to come back to; NULL: where it listens */
    const char *redirect;    /* HOST:PORT: every client is sent there, none is let in; NULL: off. A
                               cluster of one member has no other use for redirects */
    uint32_t max_sessions;   /* open ones */
    uint32_t max_connecting; /* not yet open */
    uint32_t session_backlog_bytes; /* of a session that does not take what it could */
    uint32_t backlog_bytes;         /* of all together, allocated at start */
    uint32_t poll_limit;            /* fragments per image and duty cycle */
    uint32_t message_bytes_max;     /* of an application message, both ways, at most 1 MiB; longer
                                   ones from clients are dropped and counted */
    int64_t session_timeout_ns;
    int64_t connect_timeout_ns; /* also how long an ended session may take to be told so */
    const authenticator_t *authenticator; /* borrowed for the gateway's life */
} gateway_config_t;

/* 127.0.0.1:9010, 256 sessions, 64 connecting, 4 MiB of 64 MiB waiting, 64 fragments, 64 KiB
 * messages, 10 s and 5 s, no authentication. */
void gateway_config_init(gateway_config_t *config);

typedef struct gateway_counters {
    uint64_t messages;          /* handed to the sink */
    uint64_t dropped_malformed; /* not of the protocol, or longer than allowed */
    uint64_t dropped_unknown;   /* of no open session, of an old term, or from the wrong sender */
    uint64_t connects;
    uint64_t refused; /* connect requests answered with an error or not at all */
    uint64_t closed_slow;
    uint64_t closed_timeout;
    uint64_t egress_messages;
    uint64_t egress_back_pressure; /* a send that had to be tried again */
} gateway_counters_t;

typedef struct gateway gateway_t;

/*
 * Makes a gateway on `embedded`, which it steps until it knows that it listens, and borrows for its
 * life; `sink` and `config` are copied. All its memory is taken here.
 *
 * Errors: OC_ERR_NO_MEMORY, OC_ERR_INVALID_ARGUMENT (the ingress address, a limit),
 * OC_ERR_TRANSPORT (the address is in use, for example). The caller owns *gateway:
 * gateway_destroy(), before `embedded` is destroyed.
 */
OC_MUST_CHECK oc_err_t gateway_create(gateway_t **gateway, const gateway_config_t *config,
                                      embedded_t *embedded, const gateway_sink_t *sink);

/* Closes everything without a word to clients; NULL is allowed. */
void gateway_destroy(gateway_t *self);

/* HOST:PORT that it listens at, the real port also when 0 was asked for. Borrowed. */
const char *gateway_ingress(const gateway_t *self);

/* The leadership term in everything sent from now on; ingress of another term is dropped. */
void gateway_set_term(gateway_t *self, int64_t term);

/* One duty cycle: polls ingress (unless `pause`), moves connecting clients on, sends what is
 * durable up to `durable`, notices timeouts. Returns how much was done; 0 is idle. */
int gateway_do_work(gateway_t *self, int64_t now_ns, uint64_t durable, bool pause);

/* The log opened a session: answers its client as soon as `position` is durable. False: the gateway
 * does not know it and has no room for it; the host then closes it. */
bool gateway_session_opened(gateway_t *self, oc_session_id_t session, const gateway_open_t *open,
                            uint64_t position);

/* After a restart, for a session of before: connects to its client again and tells it the new term
 * (NewLeaderEvent), until its first message comes. False: no room for it (the configured limits
 * were lowered); the host then closes it. After gateway_set_term(). */
bool gateway_session_restored(gateway_t *self, oc_session_id_t session, const gateway_open_t *open);

/* The log closed a session: what waits for it is sent as far as it goes, then it is told. */
void gateway_session_closed(gateway_t *self, oc_session_id_t session, oc_close_reason_t reason,
                            uint64_t position);

/* Queues an application message (copied, at most message_bytes_max) for a session; leaves when
 * `position` is durable. Nothing happens if there is no such session, or it is being closed for
 * being slow: what it missed is the log's, not the gateway's, to keep. */
void gateway_send(gateway_t *self, oc_session_id_t session, const void *bytes, size_t length,
                  uint64_t position, int64_t time_ns);

/* Bytes that wait, of all sessions: the host stops taking ingress while it is too much. */
size_t gateway_backlog(const gateway_t *self);

const gateway_counters_t *gateway_counters(const gateway_t *self);

#endif
