/*
 * The open sessions: part of the replicated state, changed only by what the log says. They lie in
 * an arena, so that snapshots have them without asking.
 *
 * Sessions lie in ascending order of their ids, so that walking over them gives the same order on
 * every machine and after every restart.
 */
#ifndef HOST_SESSION_LEDGER_H
#define HOST_SESSION_LEDGER_H

#include "gateway/authenticator.h"
#include "outcry/arena.h"
#include "outcry/error.h"
#include "outcry/model.h"

#include <stdbool.h>
#include <stdint.h>

/* Most sessions that an arena can be laid out for. */
#define SESSION_LEDGER_ROOM_MAX (UINT32_C(1) << 20)

typedef struct ledger_session {
    oc_session_id_t id;
    bool closing; /* the service asked for its end; the log has not closed it yet */
    uint8_t reserved[7];
    gateway_open_t open;
} ledger_session_t;

/* What counts of them; in the arena too. Read by anybody, written by the ledger alone. */
typedef struct session_ledger_state {
    uint64_t next_id; /* above every id that was ever used */
    uint32_t count;
    uint32_t closing; /* how many are */
    uint32_t made;    /* slots that were ever in use */
    uint32_t reserved;
} session_ledger_state_t;

typedef struct session_ledger {
    oc_arena_t *arena;
    session_ledger_state_t *state;
    uint64_t *ids;   /* ascending; kept apart so that a search touches little memory */
    uint32_t *slots; /* beside ids: where in `sessions` */
    ledger_session_t *sessions;
    uint32_t *free_slots; /* the first made - count are free */
    uint32_t room;        /* slots that there are */
    uint32_t capacity;    /* sessions that may be open at once, at most `room` */
} session_ledger_t;

/* The bytes of an arena that a ledger with `room` slots takes. */
size_t session_ledger_arena_bytes(uint32_t room);

/* Takes its memory out of `arena` (borrowed for its life, not sealed). 1 <= capacity <= room <=
 * SESSION_LEDGER_ROOM_MAX. The capacity is no part of the layout. */
void session_ledger_init(session_ledger_t *ledger, oc_arena_t *arena, uint32_t room,
                         uint32_t capacity);

/* After the arena was restored: OC_ERR_DAMAGED when what it holds is no ledger,
 * OC_ERR_INVALID_CONFIG when it holds more sessions than may be open. */
OC_MUST_CHECK oc_err_t session_ledger_restored(const session_ledger_t *ledger);

/* Borrowed until the next add or remove; NULL if there is none. */
const ledger_session_t *session_ledger_find(const session_ledger_t *ledger, oc_session_id_t id);

/* The nth by id, n below count. Borrowed likewise. */
const ledger_session_t *session_ledger_at(const session_ledger_t *ledger, uint32_t n);

/* Adds a session that is not there; `open` is copied. False: it is full. */
bool session_ledger_add(session_ledger_t *ledger, oc_session_id_t id, const gateway_open_t *open);

/* Removes a session that is there. */
void session_ledger_remove(session_ledger_t *ledger, oc_session_id_t id);

/* Notes that a session that is there is to be closed; again is fine. */
void session_ledger_mark_closing(session_ledger_t *ledger, oc_session_id_t id);

#endif
