/*
 * The matching engine: a deterministic state machine. Commands go in one by one, events come out.
 *
 * Equal configuration and equal commands give equal events and an equal state hash, on any machine
 * and in either implementation. The engine has no clock, thread, file or socket, and (the
 * reference implementation apart) does not allocate after oc_engine_create(). No command, however
 * malformed, crashes it, hangs it or makes it allocate: what cannot be done is answered by a
 * REJECTED event with a reason.
 *
 * Threads: an engine belongs to one thread at a time; different engines are independent.
 *
 * WHAT A COMMAND DOES. Both implementations follow these rules to the letter; where several checks
 * fail, the first one listed is the reason given.
 *
 *  1. entry := entry + 1; time := max(time, command.time_ns); both begin at 0.
 *  2. A budget of step_bound steps is spent on pending work (rule 12).
 *  3. source 0 is the host: it has every role but TRADE, and its sequence is not looked at.
 *     Another source must be known (UNKNOWN_SOURCE). sequence 0 opts out: neither number nor last
 *     status change. Otherwise it must be the source's last one + 1, or the answer is
 *     DUPLICATE_SEQUENCE (lower) or SEQUENCE_GAP (higher) and nothing else happens. From here on
 *     the number is taken, and what becomes of the command is kept as the source's last status.
 *  4. UNKNOWN_COMMAND. NOT_ALLOWED: NEW and MODIFY need TRADE; CANCEL, MASS_CANCEL need TRADE or
 *     RISK; MARK_PRICE needs MARK; SESSION_UP, SESSION_DOWN and TIME come from the host only; the
 *     rest need ADMIN. INVALID_FLAGS: a bit the type does not define.
 *  5. NEW: UNKNOWN_INSTRUMENT; INVALID_SIDE; INVALID_ORDER_TYPE; INVALID_TIME_IN_FORCE;
 *     INVALID_FLAGS (post-only with market, IOC or FOK); INSTRUMENT_STATE (closed or halted; pre-
 *     open with market, IOC or FOK); STORAGE_LOW, NOT_RESUMED (rule 13); INVALID_QUANTITY (<= 0);
 *     QUANTITY_TOO_LARGE (above the instrument's); limit orders PRICE_OUT_OF_BAND; DUPLICATE_ORDER
 *     (the source has a live order of that id); WOULD_CROSS (post-only and the best opposite price
 *     is at or through its own, in any state). For orders that may rest (limit, GTC or DAY), before
 *     and regardless of what they might trade: ORDERS_FULL, LEVELS_FULL (a new level would be
 *     needed).
 *     Then ACCEPTED. In continuous state it trades: best price first, first come first served
 *     inside a level, at the resting price, not through its own limit (a market order has none);
 *     LEVEL follows the last trade at each level. FOK first looks at the level totals and trades
 *     only in full. What is left of a market, IOC or FOK order is CANCELLED (UNFILLED), the rest
 *     of another is queued at the end of its level: LEVEL.
 *  6. CANCEL: owner 0 is the sender; another owner needs RISK (WRONG_OWNER). UNKNOWN_ORDER: no
 *     live order of that owner and id, or instrument is not 0 and not the order's. The order is
 *     CANCELLED (REQUESTED), then LEVEL; if owner is another, CONFIRMED to the sender comes first.
 *  7. MODIFY (the sender's own order): UNKNOWN_ORDER as in 6; PENDING_CANCEL (pending work will
 *     end it); INSTRUMENT_STATE (closed, halted); INVALID_QUANTITY (<= 0); QUANTITY_TOO_LARGE (as
 *     sent, above the instrument's, or executed + open beyond 63 bits); PRICE_OUT_OF_BAND. new
 *     open = quantity - executed, or quantity with OC_FLAG_OPEN_QUANTITY; if nothing is left the
 *     order is CANCELLED (NOTHING_LEFT) at its old price, then LEVEL. STORAGE_LOW, NOT_RESUMED
 *     (rule 13: another price, or a new open above the old).
 *     Same price, new open not above the old, and modify_priority keep: changed in place,
 *     MODIFIED, and LEVEL if the open quantity changed. Otherwise WOULD_CROSS (as in 5, for post-
 *     only orders), LEVELS_FULL (no level at the new price and no room for one); then it leaves
 *     its level: MODIFIED, LEVEL of the level left, and it trades and is queued as a new order
 *     would.
 *  8. MASS_CANCEL: INVALID_FIELD (scope, sides); UNKNOWN_INSTRUMENT (not 0 and unknown; 0 with
 *     scope instrument). Scope source: owner 0 is the sender; another needs RISK (WRONG_OWNER), an
 *     unknown one is UNKNOWN_SOURCE (as is 0 from the host). Scope session: session 0 is the
 *     sender's own; UNKNOWN_SESSION if there is none such; another source's session needs RISK
 *     (WRONG_OWNER). Scope instrument needs RISK (NOT_ALLOWED). PENDING_FULL (max_pending mass
 *     cancels wait).
 *     CONFIRMED, then work is queued: orders with an id not above the last one assigned, of the
 *     instrument and side if given; scope session only those entered since the session came up.
 *  9. MARK_PRICE: UNKNOWN_INSTRUMENT, PRICE_OUT_OF_BAND; kept, CONFIRMED.
 *     INSTRUMENT_ADD: INVALID_FIELD (id 0, low above high, max_quantity <= 0 or times max_orders
 *     beyond 63 bits, unknown state), DUPLICATE_INSTRUMENT, INSTRUMENTS_FULL; CONFIRMED,
 *     INSTRUMENT_STATE.
 *     INSTRUMENT_STATE: UNKNOWN_INSTRUMENT, INVALID_FIELD, CROSSED_BOOK (to continuous with best
 *     bid at or above best ask); CONFIRMED, INSTRUMENT_STATE. Going to closed (again too) queues
 *     work: DAY orders with an id not above the last one assigned expire. Work of this kind still
 *     waiting for the instrument is started anew with the new limit instead, its count and place
 *     in the queue kept.
 *     INSTRUMENT_BANDS: UNKNOWN_INSTRUMENT, INVALID_FIELD (as ADD); resting orders stay;
 *     CONFIRMED.
 * 10. SOURCE_ADD: INVALID_FIELD (id 0, unknown role bit), DUPLICATE_SOURCE, SOURCES_FULL;
 *     CONFIRMED.
 *     SOURCE_RETIRE: UNKNOWN_SOURCE, SOURCE_BUSY (the sender itself, live orders, a live session,
 *     or pending work on its orders); CONFIRMED. Its sequence is forgotten.
 *     SESSION_UP: INVALID_FIELD (id 0), UNKNOWN_SOURCE, SESSION_IN_USE (the id is live, or the
 *     source has a live session), SESSIONS_FULL; CONFIRMED. A source has at most one live session,
 *     a session one source.
 *     SESSION_DOWN: UNKNOWN_SESSION; CONFIRMED, then work is queued: orders of the source with
 *     OC_FLAG_CANCEL_ON_DISCONNECT and an id not above the last one assigned. Work of this kind
 *     still waiting for the source goes on with the new limit instead.
 * 11. CONFIGURE: an unknown rules_version stops the engine: oc_engine_apply() returns
 *     OC_ERR_RULES_VERSION, then and ever after. INVALID_FIELD (step_bound, modify_priority);
 *     CONFIRMED, in force from the next command on.
 * 12. Pending work waits in one queue, first come first served, and is done in steps: the budget
 *     of rule 2, of which a command that queues work spends what is left. Work by source (source,
 *     session, disconnect) looks at the source's live orders in order-id order up to its limit.
 *     Work by instrument looks at bids then asks (if sides allow), best level first, first come
 *     first served inside a level, and leaves a level at the first order with an id above its
 *     limit.
 *     Each order looked at is one step, whether it is ended (CANCELLED with MASS_CANCEL or
 *     DISCONNECT, EXPIRED with END_OF_DAY; then LEVEL) or passed over; finding that nothing is
 *     left is one step and gives COMPLETED. Work goes on behind the last order looked at. New
 *     commands are never delayed by it.
 * 13. RESTRICTION: INVALID_FIELD (an unknown bit, or a bit in both set and clear); restrictions :=
 *     (restrictions without clear) with set, 0 at first; CONFIRMED, in force from the next command
 *     on. While there are any the venue is reduce-only: a NEW is rejected, and so is a MODIFY that
 *     changes the price or raises the open quantity, with STORAGE_LOW if OC_RESTRICT_STORAGE is in
 *     force and with NOT_RESUMED otherwise. All else works as ever.
 *
 * The state hash is the sum, modulo 2^64, of one 64-bit mix per live item (orders, instruments,
 * sources, pending work, counters, restrictions if there are any), over logical fields only; equal
 * states hash equal whatever way led there.
 */
#ifndef OUTCRY_ENGINE_H
#define OUTCRY_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "outcry/error.h"
#include "outcry/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One engine. Made by oc_engine_create(), freed by oc_engine_destroy(). */
typedef struct oc_engine oc_engine_t;

typedef enum oc_engine_kind {
    OC_ENGINE_FAST = 0,      /* the one to use */
    OC_ENGINE_REFERENCE = 1, /* naive and slow, to check the other; allocates as it goes, and
                                aborts when memory runs out */
} oc_engine_kind_t;

/*
 * The semantic configuration. Engines that are to agree must be created with equal values; `kind`,
 * `hash_key`, `event_capacity`, `hash_outputs` and `verify_touch` alone change nothing of the
 * outcome.
 */
typedef struct oc_engine_config {
    oc_engine_kind_t kind;
    uint32_t max_orders;      /* live orders, 1..2^27 */
    uint32_t max_levels;      /* price levels over all books, 1..2^26 */
    uint32_t max_instruments; /* 1..65536 */
    uint32_t max_sources;     /* 1..2^24 */
    uint32_t max_sessions;    /* live sessions, 1..2^24 */
    uint32_t max_pending;     /* mass cancels waiting, 1..65536 */
    uint32_t step_bound;      /* pending work per command, 1..OC_STEP_BOUND_MAX */
    oc_modify_priority_t modify_priority;
    uint64_t hash_key[2];    /* secret key of the look-up tables: clients choose ids and prices */
    uint32_t event_capacity; /* events buffered before the sink is called, 64..2^20 */
    bool hash_outputs; /* keep the running hash over the events: members of a cluster compare it; it
                          costs about a tenth of a command */
    bool verify_touch; /* test option: after each command, compare every page of the arena with a
                          shadow copy and abort on a write that was not announced; slow */
} oc_engine_config_t;

/*
 * Fills in the defaults: fast, 1,048,576 orders, 262,144 levels, 1,024 instruments, 4,096 sources
 * and sessions, 64 pending, 64 steps, keep priority, 2,048 events, outputs hashed. hash_key is a
 * fixed, published one: replace it by a secret where clients choose ids.
 */
OC_EXPORT void oc_engine_config_init(oc_engine_config_t *config);

/*
 * Checks every range above. OC_ERR_INVALID_CONFIG: oc_err_context() names the value and its range.
 */
OC_EXPORT OC_MUST_CHECK oc_err_t oc_engine_config_check(const oc_engine_config_t *config);

/*
 * Takes events, in order. Called inside oc_engine_apply(): when the buffer is full, and at the end
 * of the call with what is left (not at all when nothing is). `events` is borrowed until the
 * function returns. It must not call the engine.
 */
typedef void (*oc_event_sink_t)(void *context, const oc_event_t *events, size_t count);

/*
 * Creates an engine. All its memory is taken, and faulted in, here. `config` is copied; sink may be
 * NULL (events are then only hashed); `context` is borrowed for the engine's life and passed to the
 * sink.
 *
 * Errors: OC_ERR_INVALID_CONFIG, OC_ERR_NO_MEMORY; oc_err_context() names the value, and *engine is
 * NULL. (A system that promises more memory than it has may instead end the process while pages are
 * faulted in.) The caller owns the engine: oc_engine_destroy().
 */
OC_EXPORT OC_MUST_CHECK oc_err_t oc_engine_create(oc_engine_t **engine,
                                                  const oc_engine_config_t *config,
                                                  oc_event_sink_t sink, void *context);

/* Frees an engine; NULL is allowed. */
OC_EXPORT void oc_engine_destroy(oc_engine_t *engine);

/*
 * Applies one command. `command` is borrowed for the call. Never fails because of what the command
 * says; OC_ERR_RULES_VERSION (rule 11) means that this build may not go on with this log.
 */
OC_EXPORT OC_MUST_CHECK oc_err_t oc_engine_apply(oc_engine_t *engine, const oc_command_t *command);

/*
 * Applies `count` commands in order, with the same results to the byte as so many
 * oc_engine_apply(), faster because memory is fetched for the commands ahead. On an error, the
 * commands after the failing one have not been applied.
 */
OC_EXPORT OC_MUST_CHECK oc_err_t oc_engine_apply_batch(oc_engine_t *engine,
                                                       const oc_command_t *commands, size_t count);

/* Hash of the whole state, see above; constant time but for pending work. */
OC_EXPORT uint64_t oc_engine_state_hash(const oc_engine_t *engine);

/* Order-sensitive hash over every event so far; that of no event without `hash_outputs`. */
OC_EXPORT uint64_t oc_engine_output_hash(const oc_engine_t *engine);

typedef struct oc_engine_counts {
    uint64_t entry;  /* commands applied */
    int64_t time_ns; /* engine time */
    oc_order_id_t last_order_id;
    oc_trade_id_t last_trade_id;
    uint32_t orders; /* live */
    uint32_t levels;
    uint32_t instruments;
    uint32_t sources;
    uint32_t sessions;
    uint32_t pending; /* items of pending work, of every kind */
    uint32_t step_bound;
    oc_modify_priority_t modify_priority;
    uint32_t restrictions; /* OC_RESTRICT_* in force */
} oc_engine_counts_t;

/* Fills in *counts; constant time. */
OC_EXPORT void oc_engine_counts(const oc_engine_t *engine, oc_engine_counts_t *counts);

/* Where the memory of a fast engine goes, in bytes; all zero for the reference engine. */
typedef struct oc_engine_memory {
    uint64_t arena_bytes;       /* the whole state, faulted in */
    uint64_t order_bytes;       /* records in use */
    uint64_t index_bytes;       /* the (source, client order id) index, whole */
    uint64_t level_bytes;       /* level, level-block and tree-node records in use */
    uint64_t source_list_bytes; /* lists of each source's orders in use */
} oc_engine_memory_t;

/* Fills in *memory; constant time. */
OC_EXPORT void oc_engine_memory(const oc_engine_t *engine, oc_engine_memory_t *memory);

typedef struct oc_order_view {
    oc_instrument_id_t instrument;
    oc_source_id_t source;
    oc_client_order_id_t client_order_id;
    oc_order_id_t order_id;
    uint64_t priority; /* ascending in the order of queueing; the smaller one trades first in its
                          level */
    int64_t price_ticks;
    int64_t open_lots;
    int64_t executed_lots;
    oc_side_t side;
    oc_time_in_force_t time_in_force;
    uint32_t flags;     /* OC_FLAG_POST_ONLY, OC_FLAG_CANCEL_ON_DISCONNECT */
    bool next_to_trade; /* first of the best level of its side */
} oc_order_view_t;

/* Finds a live order; false, with *view untouched, if there is none. Constant time. */
OC_EXPORT bool oc_engine_order(const oc_engine_t *engine, oc_source_id_t source,
                               oc_client_order_id_t client_order_id, oc_order_view_t *view);

/*
 * Writes live orders of a source with ids above `after` (0: from the first), in order-id order, at
 * most `capacity`; returns how many. 0 for an unknown source.
 *
 * `after_client_order_id` says where to begin and never changes the result: if it is that of the
 * order `after` and the order is live, the call takes time in proportion to the orders it writes,
 * whatever else the source has. Otherwise what lies before is walked over: one look for up to
 * thirteen orders that stand together, one for each order in the worst case.
 */
OC_EXPORT size_t oc_engine_source_orders(const oc_engine_t *engine, oc_source_id_t source,
                                         oc_order_id_t after,
                                         oc_client_order_id_t after_client_order_id,
                                         oc_order_view_t *orders, size_t capacity);

/* Called for each order; `view` is borrowed. Return false to end the walk. */
typedef bool (*oc_order_visitor_t)(void *context, const oc_order_view_t *view);

/* Visits the live orders of one side of a book, best level first, first come first inside a level.
 */
OC_EXPORT void oc_engine_visit_orders(const oc_engine_t *engine, oc_instrument_id_t instrument,
                                      oc_side_t side, oc_order_visitor_t visitor, void *context);

typedef struct oc_level_view {
    int64_t price_ticks;
    int64_t open_lots;
    uint32_t order_count;
} oc_level_view_t;

/*
 * Writes the best levels of one side, best first, at most `capacity`; returns how many. Reads
 * kept aggregates only, never orders. 0 for an unknown instrument.
 */
OC_EXPORT size_t oc_engine_depth(const oc_engine_t *engine, oc_instrument_id_t instrument,
                                 oc_side_t side, oc_level_view_t *levels, size_t capacity);

typedef struct oc_instrument_view {
    oc_instrument_id_t id;
    oc_instrument_state_t state;
    int64_t price_low_ticks;
    int64_t price_high_ticks;
    int64_t max_quantity_lots;
    int64_t mark_price_ticks;
    bool has_mark_price;
    uint32_t levels[2]; /* by oc_side_t */
} oc_instrument_view_t;

/* Finds an instrument; false, with *view untouched, if there is none. Constant time. */
OC_EXPORT bool oc_engine_instrument(const oc_engine_t *engine, oc_instrument_id_t id,
                                    oc_instrument_view_t *view);

/* The instrument with the lowest id above `after` (0: the first); 0 if there is none. */
OC_EXPORT oc_instrument_id_t oc_engine_next_instrument(const oc_engine_t *engine,
                                                       oc_instrument_id_t after);

typedef struct oc_source_view {
    oc_source_id_t id;
    uint32_t roles;
    uint64_t sequence;           /* last one taken */
    oc_reason_t last_status;     /* what became of it */
    oc_session_id_t session;     /* 0: none live */
    oc_order_id_t session_first; /* lowest order id that can be of the live session; 0: none live */
    uint32_t orders;             /* live */
} oc_source_view_t;

/* Finds a source; false, with *view untouched, if there is none. Constant time. */
OC_EXPORT bool oc_engine_source(const oc_engine_t *engine, oc_source_id_t id,
                                oc_source_view_t *view);

/*
 * Recomputes everything that is kept incrementally (level totals and counts, level order, best
 * prices, state hash, both indexes, lists of orders by source, free lists, limits) and compares.
 * Takes time in proportion to the tables; allocates working memory. Returns true if all agrees;
 * otherwise `why` (of `why_size` bytes) says what does not.
 */
OC_EXPORT bool oc_engine_audit(const oc_engine_t *engine, char *why, size_t why_size);

#ifdef __cplusplus
}
#endif

#endif
