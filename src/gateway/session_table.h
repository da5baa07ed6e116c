/*
 * The sessions a gateway knows, by id, and the list of those that need a look in each duty cycle.
 *
 * Threads: one.
 */
#ifndef GATEWAY_SESSION_TABLE_H
#define GATEWAY_SESSION_TABLE_H

#include "base/id_map.h"
#include "gateway/authenticator.h"
#include "gateway/backlog.h"
#include "gateway/transport.h"
#include "outcry/arena.h"
#include "outcry/model.h"
#include "outcry/service.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum session_state {
    SESSION_FREE = 0,
    SESSION_CONNECTING, /* the way to the client is being made; the verdict waits for it */
    SESSION_CHALLENGED, /* its answer is awaited */
    SESSION_OPENING,    /* let in; the sink has not taken it yet */
    SESSION_SEQUENCED,  /* the sink has; the log has not yet said so */
    SESSION_OPEN,
    SESSION_ENDING, /* told what is left to tell, then gone */
} session_state_t;

/* What a connecting client will be answered. */
typedef enum session_verdict {
    VERDICT_ACCEPT,
    VERDICT_CHALLENGE,
    VERDICT_REJECT, /* authentication failed */
    VERDICT_ERROR,  /* with a reason */
    VERDICT_REDIRECT,
} session_verdict_t;

typedef struct session {
    oc_session_id_t id;
    session_state_t state;
    session_verdict_t verdict;
    const char *detail; /* of VERDICT_ERROR; static */
    transport_publication_t *publication;
    backlog_t backlog;

    uint64_t source;               /* where its messages come from; 0: not known yet */
    char host[TRANSPORT_HOST_MAX]; /* of that source, or of its response channel */
    bool host_seen;                /* host is that of a source */

    int64_t activity_ns; /* last sign of life */
    int64_t deadline_ns; /* of every state but OPEN and SEQUENCED */

    bool closing;    /* the log is to close it: */
    bool close_told; /* the sink knows */
    bool slow;       /* what is still sent to it is dropped */
    oc_close_reason_t close_reason;

    bool announcing; /* restored: NewLeaderEvents go out until it answers */
    bool announced;  /* at least one went out */
    int64_t announce_ns;
    int64_t announce_interval_ns;
    int64_t reconnect_ns; /* when a broken way to it is tried anew */

    gateway_open_t open;
    authenticator_challenge_t challenge;
    uint32_t active_at; /* place in the active list, from 1; 0: not in it */
} session_t;

typedef struct session_table {
    session_t *sessions;
    uint32_t *free;   /* stack of indices */
    uint32_t *active; /* indices, in no order */
    uint32_t capacity;
    uint32_t free_count;
    uint32_t active_count;
    uint32_t by_state[SESSION_ENDING + 1]; /* how many sessions are in each state */
    oc_arena_t arena;
    id_map_t by_id;
} session_table_t;

/* False: no memory. */
bool session_table_init(session_table_t *table, uint32_t capacity);
void session_table_fini(session_table_t *table);

/* NULL when there is none of that id. */
session_t *session_table_find(const session_table_t *table, oc_session_id_t id);

/* A zeroed session in `state`, in the active list; NULL when the table is full. No session of that
 * id may be there. */
session_t *session_table_add(session_table_t *table, oc_session_id_t id, session_state_t state);

/* Takes a session out; its publication and backlog have been given back. */
void session_table_remove(session_table_t *table, session_t *session);

void session_table_set_state(session_table_t *table, session_t *session, session_state_t state);

/* In and out of the active list; both may be done twice. */
void session_table_activate(session_table_t *table, session_t *session);
void session_table_deactivate(session_table_t *table, session_t *session);

#endif
