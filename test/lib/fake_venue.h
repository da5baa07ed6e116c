/*
 * A venue made of plain memory behind a client_link_t, for tests of the client: it opens sessions,
 * challenges, redirects, takes commands in sequence, numbers its outputs, keeps the newest of them,
 * and does wrong what it is told to do wrong.
 *
 * It can be a cluster: then each endpoint of its list is a member, which is alive, dead or silent,
 * and one of them leads. What they replicate is one state, so nothing taken is ever lost.
 *
 * Each NEW is ACCEPTED and each CANCEL is CANCELLED, whatever is in it; nothing trades.
 */
#ifndef LIB_FAKE_VENUE_H
#define LIB_FAKE_VENUE_H

#include "client/client_link.h"
#include "client/endpoints.h"
#include "codec/cluster_codec.h"
#include "outcry/order_entry.h"

enum { FAKE_VENUE_OUTPUTS = 8192, FAKE_VENUE_SECRET = 16 };

typedef struct fake_message {
    struct fake_message *next;
    int32_t image;
    size_t length;
    uint8_t bytes[];
} fake_message_t;

typedef struct fake_venue {
    /* What it does; set by the test. */
    bool unreachable; /* its transport does not answer */
    bool broken;      /* the link must be opened anew */
    bool deaf;        /* it takes nothing of what arrives */
    bool mute;        /* nothing of what it says arrives */
    bool stale_image; /* the stream of answers has ended */
    bool challenges;  /* with the secret of sixteen 's' */
    bool refuses_session;
    bool refuses_principal;
    bool refuses_commands;    /* MESSAGE_REJECTED instead of taking them */
    oc_reason_t logon_reason; /* of the next logons */
    const char *redirect;     /* the list that a connect request is answered with, once */
    int32_t redirect_leader;
    uint32_t kept;       /* outputs for resending */
    uint32_t fail_opens; /* so many open() fail */
    uint32_t busy;       /* so many send() give back pressure */
    uint32_t lose_in;    /* the nth message to it is lost, and not sent again */
    uint32_t lose_out;   /* the nth message from it */
    uint32_t repeat_out; /* the nth message from it comes twice */
    size_t message_max;

    /* A cluster; `members` NULL: none. */
    const char *members; /* 0=HOST:PORT,1=HOST:PORT,... */
    int32_t leader;      /* -1: none */
    int32_t claimed;     /* whom the others take for the leader */
    uint32_t dead;       /* bits by member: its transport does not answer */
    uint32_t silent;     /* bits: it takes everything and says nothing */
    bool lingering;      /* streams of answers of dead leaders have not ended yet */

    /* What it is. */
    bool opened;
    bool answered;     /* whether the link has chosen an endpoint */
    char endpoint[64]; /* that one, or the first that was asked */
    endpoints_t asked;
    int64_t session; /* 0: none */
    int64_t sessions_given;
    int64_t term;
    int32_t image;
    bool logged_on;
    uint64_t taken;
    uint64_t outbound;
    oc_output_t outputs[FAKE_VENUE_OUTPUTS]; /* by outbound sequence - 1, from 0 */

    /* What came. */
    uint32_t opens, connects, responses, logons, keepalives, closes, requests, commands;
    uint32_t messages;
    uint32_t opaque;         /* session messages that are no requests */
    size_t opaque_length;    /* of the last */
    uint64_t logon_outbound; /* that the last logon named */
    int64_t closed_session;  /* of the last close request */

    fake_message_t *first;
    fake_message_t **last;
} fake_venue_t;

void fake_venue_init(fake_venue_t *self);
void fake_venue_fini(fake_venue_t *self);
client_link_t fake_venue_link(fake_venue_t *self);

/* An output nobody asked for, as a fill of a resting order. */
void fake_venue_fill(fake_venue_t *self);
/* Says a response on the session. */
void fake_venue_say(fake_venue_t *self, const oc_response_t *response);
/* Says a message of the transport's protocol. */
void fake_venue_tell(fake_venue_t *self, const cluster_message_t *message);
/* Ends the session and says so. */
void fake_venue_close_session(fake_venue_t *self);
/* A restart: a new term; what was said and not heard is gone; tells the session if `restored`. */
void fake_venue_restart(fake_venue_t *self, bool restored);

/* A member becomes the leader, in a new term; what was said and not heard is gone. `restored`: it
 * knows the session and tells it. */
void fake_venue_lead(fake_venue_t *self, int32_t member, bool restored);
/* Says so (again). */
void fake_venue_announce(fake_venue_t *self);
/* The member that the link goes to; -1: none of them. */
int32_t fake_venue_member(const fake_venue_t *self);

#endif
