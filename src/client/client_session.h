/*
 * The client's side of the protocol: a state machine over a link and a clock that is handed in.
 *
 *     PAUSED -> OPENING -> CONNECTING (-> CHALLENGED) -> LOGGING_ON -> READY
 *       ^          \____________\____________\________________/
 *       |                       | lost, refused for now
 *       '-----------------------'
 *
 * What arrives only marks what is to be done (`todo`): the link is never opened from inside its own
 * poll. Threads: the client's one.
 */
#ifndef CLIENT_CLIENT_SESSION_H
#define CLIENT_CLIENT_SESSION_H

#include "client/client_link.h"
#include "client/client_outbox.h"
#include "client/endpoints.h"
#include "codec/cluster_codec.h"
#include "outcry/client.h"

#define CLIENT_SECRET_MAX 256
#define CLIENT_REASON_MAX 400
#define CLIENT_NOBODY     UINT32_MAX

typedef enum client_phase {
    CLIENT_PAUSED,     /* until deadline_ns, then opens */
    CLIENT_OPENING,    /* waits for the link */
    CLIENT_CONNECTING, /* asked for a session */
    CLIENT_CHALLENGED, /* answered the challenge */
    CLIENT_LOGGING_ON, /* logon is to be sent, or was */
    CLIENT_READY,
    CLIENT_ENDED, /* for good */
} client_phase_t;

typedef enum client_todo {
    CLIENT_TODO_NOTHING,
    CLIENT_TODO_LOSE, /* begin again with a new session */
    CLIENT_TODO_OPEN, /* the venue is elsewhere, or is another: endpoints.current alone */
} client_todo_t;

typedef struct client_session {
    client_link_t link;
    oc_client_handler_t handler;
    void *handler_context;

    /* From the configuration. */
    endpoints_t configured;
    char principal[OC_PRINCIPAL_SIZE];
    uint8_t secret[CLIENT_SECRET_MAX];
    size_t secret_length;
    oc_source_id_t source;
    int64_t reconnect_timeout_ns;
    int64_t keepalive_interval_ns;

    client_phase_t phase;
    client_todo_t todo;
    endpoints_t endpoints;        /* where the venue is now */
    uint8_t asked[ENDPOINTS_MAX]; /* places in `endpoints` of those that the link was opened to */
    uint32_t asked_count;
    uint32_t avoid;     /* place of one that was just tried in vain; CLIENT_NOBODY: none */
    uint32_t redirects; /* since somebody gave us a session */
    int64_t now_ns;
    int64_t deadline_ns; /* of what the phase waits for */
    int64_t backoff_ns;
    int64_t lost_ns;  /* since when not ready; INT64_MAX: ready, or never was */
    int64_t ready_ns; /* since when it is, or was last, ready */
    int64_t down_ns;  /* since when the link is down; INT64_MAX: it is not */
    int64_t heard_ns; /* last message from the venue */
    int64_t keepalive_ns;
    int64_t image_check_ns;
    uint32_t attempts; /* of the phase */
    bool was_ready;

    /* The session at the venue. */
    int64_t session; /* 0: none; kept while a lost venue may come back to it */
    int64_t term;
    int64_t oldest_correlation; /* of all connect requests of this client */
    int64_t first_correlation;  /* of those of this attempt */
    int64_t correlation;
    int32_t image;       /* on which it answers */
    bool resume;         /* OPENING leads to a logon on the same session */
    uint64_t request_id; /* last one given out */
    uint64_t logon_id;   /* of the logon that is out; 0: to be sent */

    client_outbox_t outbox;
    bool stalled; /* the collected message was refused by the link */

    /* Outputs. */
    uint64_t outbound_sequence; /* last one given to the handler, or lost in a gap */
    uint64_t catch_up;          /* last one of the venue's, at the logon */
    uint64_t taken;             /* last command taken, at the logon */
    bool gap;                   /* some of these outputs are gone */

    oc_client_counts_t counts;
    oc_err_t end; /* why it is ENDED */
    char reason[CLIENT_REASON_MAX];
} client_session_t;

/*
 * Prepares a session that begins to connect with the first poll. `config` is copied, link's context
 * is borrowed for the session's life. OC_ERR_INVALID_ARGUMENT, OC_ERR_NO_MEMORY. The caller:
 * client_session_fini().
 */
OC_MUST_CHECK oc_err_t client_session_init(client_session_t *self, const oc_client_config_t *config,
                                           const client_link_t *link);
void client_session_fini(client_session_t *self);

/* Receives up to `limit` messages and moves everything on; returns how many came. */
size_t client_session_poll(client_session_t *self, int64_t now_ns, size_t limit);

/* Sends what can be sent now. */
void client_session_flush(client_session_t *self);

/* A command was committed: it joins the message, which leaves when it is full. */
void client_session_collect(client_session_t *self);

/* See oc_client_request(). */
OC_MUST_CHECK oc_err_t client_session_request(client_session_t *self, oc_request_t *request);

/* Longest message of client_session_message(). */
#define CLIENT_MESSAGE_MAX (CLIENT_LINK_MESSAGE_MAX - OUTBOX_HEADER_BYTES)

/*
 * Sends a message that only its receiver understands, of a session without a source; it is not sent
 * again by itself. OC_ERR_NOT_CONNECTED and OC_ERR_BACK_PRESSURE: later; OC_ERR_CLOSED;
 * OC_ERR_INVALID_ARGUMENT: empty, or longer than CLIENT_MESSAGE_MAX.
 */
OC_MUST_CHECK oc_err_t client_session_message(client_session_t *self, const void *bytes,
                                              size_t length);

/* Tells the venue that a session, if there is one, is not needed any more. */
void client_session_goodbye(client_session_t *self);

/* For client_inbox.c: what the venue's words lead to. */
void client_session_lose(client_session_t *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void client_session_end(client_session_t *self, oc_err_t err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void client_session_log_on_again(client_session_t *self, int64_t delay_ns);
/* Answers a challenge, or ends. */
void client_session_challenged(client_session_t *self, const cluster_message_t *challenge);
/* Logged on (or there is no source to log on to). */
void client_session_ready(client_session_t *self);
/* The venue has opened a session for us. */
void client_session_opened(client_session_t *self, const cluster_message_t *event, int32_t image);
/* Another member is the leader: endpoints.current. */
void client_session_redirected(client_session_t *self);
/* Closes a session at the venue that is not the one in use; its leadership term. */
void client_session_abandon(client_session_t *self, int64_t session, int64_t term);

#endif
