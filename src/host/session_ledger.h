/*
 * The open sessions: part of the replicated state, changed only by what the log says.
 *
 * Sessions lie in ascending order of their ids, so that walking over them gives the same order on
 * every machine and after every restart.
 */
#ifndef HOST_SESSION_LEDGER_H
#define HOST_SESSION_LEDGER_H

#include "gateway/authenticator.h"
#include "outcry/error.h"
#include "outcry/model.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ledger_session {
    oc_session_id_t id;
    bool closing; /* the service asked for its end; the log has not closed it yet */
    gateway_open_t open;
} ledger_session_t;

typedef struct session_ledger {
    uint64_t *ids;   /* ascending; kept apart so that a search touches little memory */
    uint32_t *slots; /* beside ids: where in `sessions` */
    ledger_session_t *sessions;
    uint32_t *free_slots; /* the first capacity - count are free */
    uint32_t count;
    uint32_t capacity;
    uint32_t closing; /* how many are */
    uint64_t next_id; /* above every id that was ever used */
} session_ledger_t;

/* Takes the memory for `capacity` sessions (1..2^20). OC_ERR_NO_MEMORY. Undo:
 * session_ledger_fini(). */
OC_MUST_CHECK oc_err_t session_ledger_init(session_ledger_t *ledger, uint32_t capacity);
void session_ledger_fini(session_ledger_t *ledger); /* also of a zeroed one */

/* Borrowed until the next add or remove; NULL if there is none. */
ledger_session_t *session_ledger_find(const session_ledger_t *ledger, oc_session_id_t id);

/* The nth by id, n below count. Borrowed likewise. */
const ledger_session_t *session_ledger_at(const session_ledger_t *ledger, uint32_t n);

/* Adds a session that is not there; `open` is copied. False: it is full. */
bool session_ledger_add(session_ledger_t *ledger, oc_session_id_t id, const gateway_open_t *open);

/* Removes a session that is there. */
void session_ledger_remove(session_ledger_t *ledger, oc_session_id_t id);

/* Notes that a session that is there is to be closed; again is fine. */
void session_ledger_mark_closing(session_ledger_t *ledger, oc_session_id_t id);

#endif
