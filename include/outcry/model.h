/*
 * The vocabulary of the exchange: identifiers, commands that go in, events that come out.
 *
 * Plain data, no pointers, no padding, little-endian on every supported machine: the same bytes can
 * be journaled, replicated, hashed and compared. Prices are integers in ticks of the instrument,
 * quantities integers in lots, times nanoseconds since the Unix epoch. Nothing here is floating
 * point.
 *
 * Zero is "none" for every identifier but the client order id, which may be any value. Fields that
 * a command type does not use change nothing (send zeroes); those of an event are zero.
 */
#ifndef OUTCRY_MODEL_H
#define OUTCRY_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "outcry/error.h"

/* Identifiers are one-field structs, so that one kind is not passed for another. */
typedef struct oc_source_id {
    uint32_t value; /* ordering identity of a client, chosen by the venue */
} oc_source_id_t;
typedef struct oc_instrument_id {
    uint32_t value; /* chosen by the venue */
} oc_instrument_id_t;
typedef struct oc_session_id {
    uint64_t value; /* a live connection, chosen by the host */
} oc_session_id_t;
typedef struct oc_client_order_id {
    uint64_t value; /* chosen by the source; unique among its live orders */
} oc_client_order_id_t;
typedef struct oc_order_id {
    uint64_t value; /* assigned by the engine, ascending */
} oc_order_id_t;
typedef struct oc_trade_id {
    uint64_t value; /* assigned by the engine, ascending */
} oc_trade_id_t;

typedef enum oc_side { OC_SIDE_BUY = 0, OC_SIDE_SELL = 1 } oc_side_t;

typedef enum oc_order_type { OC_ORDER_LIMIT = 0, OC_ORDER_MARKET = 1 } oc_order_type_t;

typedef enum oc_time_in_force {
    OC_TIF_GTC = 0, /* rests until it is filled or cancelled */
    OC_TIF_DAY = 1, /* as GTC; expires when its instrument goes to OC_STATE_CLOSED */
    OC_TIF_IOC = 2, /* trades what it can at once, the rest is cancelled */
    OC_TIF_FOK = 3, /* trades in full at once, or nothing and is cancelled */
} oc_time_in_force_t;

/* oc_command_t.flags; a bit that a command type does not know gives OC_REASON_INVALID_FLAGS.
 *   POST_ONLY             NEW: rejected instead of trading on arrival, and on a later modify
 *   CANCEL_ON_DISCONNECT  NEW: cancelled when its source's session goes down
 *   OPEN_QUANTITY         MODIFY: quantity is the new open quantity, not the new total */
#define OC_FLAG_POST_ONLY            UINT32_C(1)
#define OC_FLAG_CANCEL_ON_DISCONNECT UINT32_C(2)
#define OC_FLAG_OPEN_QUANTITY        UINT32_C(4)

/* What a source may do (oc_command_t.u.source.roles). */
#define OC_ROLE_TRADE UINT32_C(1) /* new, cancel, modify, mass cancel of its own orders */
#define OC_ROLE_RISK  UINT32_C(2) /* cancel and mass cancel orders of others */
#define OC_ROLE_MARK  UINT32_C(4) /* set mark prices */
#define OC_ROLE_ADMIN UINT32_C(8) /* instruments, sources, configuration, restrictions */
#define OC_ROLES_ALL  UINT32_C(15)

/* Why the venue takes nothing that adds to the books (oc_command_t.u.restriction). */
#define OC_RESTRICT_STORAGE  UINT32_C(1) /* the host's storage is low */
#define OC_RESTRICT_RECOVERY UINT32_C(2) /* started after a crash, waits for a resume */
#define OC_RESTRICT_ALL      UINT32_C(3)

typedef enum oc_instrument_state {
    OC_STATE_CLOSED = 0,     /* cancels only; entering it expires the instrument's DAY orders */
    OC_STATE_PRE_OPEN = 1,   /* limit orders rest, nothing matches, the book may cross */
    OC_STATE_CONTINUOUS = 2, /* matching; entering it with a crossed book is rejected */
    OC_STATE_HALTED = 3,     /* cancels only */
} oc_instrument_state_t;

typedef enum oc_command_type {
    OC_COMMAND_NEW = 1,              /* u.order: client_order_id, price, quantity */
    OC_COMMAND_CANCEL = 2,           /* u.order: client_order_id, owner */
    OC_COMMAND_MODIFY = 3,           /* u.order: client_order_id, price, quantity = new total */
    OC_COMMAND_MASS_CANCEL = 4,      /* u.mass_cancel, instrument as a filter */
    OC_COMMAND_MARK_PRICE = 5,       /* u.mark */
    OC_COMMAND_INSTRUMENT_ADD = 6,   /* u.instrument, whole */
    OC_COMMAND_INSTRUMENT_STATE = 7, /* u.instrument: state */
    OC_COMMAND_INSTRUMENT_BANDS = 8, /* u.instrument: price_low, price_high, max_quantity */
    OC_COMMAND_SOURCE_ADD = 9,       /* u.source: id, roles */
    OC_COMMAND_SOURCE_RETIRE = 10,   /* u.source: id */
    OC_COMMAND_SESSION_UP = 11,      /* host only. u.session: id, source */
    OC_COMMAND_SESSION_DOWN = 12,    /* host only. u.session: id */
    OC_COMMAND_CONFIGURE = 13,       /* u.configure */
    OC_COMMAND_TIME = 14,            /* host only; only time_ns: moves pending work on. No event */
    OC_COMMAND_RESTRICTION = 15,     /* u.restriction: set, clear */
} oc_command_type_t;

#define OC_COMMAND_LAST OC_COMMAND_RESTRICTION /* the highest type there is */

/* What u.mass_cancel selects. side and instrument narrow every scope. */
typedef enum oc_mass_cancel_scope {
    OC_SCOPE_SOURCE = 1,     /* orders of `owner`, in order-id order */
    OC_SCOPE_SESSION = 2,    /* orders entered on the live session `session`, in order-id order */
    OC_SCOPE_INSTRUMENT = 3, /* orders of `instrument`, bids then asks, in price-time order */
} oc_mass_cancel_scope_t;

typedef enum oc_side_filter {
    OC_SIDES_BOTH = 0,
    OC_SIDES_BUY = 1,
    OC_SIDES_SELL = 2
} oc_side_filter_t;

typedef enum oc_modify_priority {
    OC_PRIORITY_KEEP = 0, /* same price, open quantity not raised: the order keeps its place */
    OC_PRIORITY_LOSE = 1, /* every modify goes to the end of the queue */
} oc_modify_priority_t;

/* One cache line. `type` decides which member of `u` is read. */
typedef struct oc_command {
    uint8_t type;          /* oc_command_type_t */
    uint8_t side;          /* oc_side_t; NEW only, 0 otherwise */
    uint8_t order_type;    /* oc_order_type_t; NEW only */
    uint8_t time_in_force; /* oc_time_in_force_t; NEW only */
    uint32_t flags;        /* OC_FLAG_* */
    oc_source_id_t
        source; /* who sends it; 0 is the host itself: no sequence numbers, every role but TRADE */
    oc_instrument_id_t instrument;
    uint64_t sequence; /* the source's own count, from 1; 0 opts out of the check */
    int64_t time_ns;   /* the log entry's timestamp; a value below the engine's time counts as that
                          time */
    union {
        struct {
            oc_client_order_id_t client_order_id;
            int64_t price_ticks;   /* 0 for a market order */
            int64_t quantity_lots; /* > 0 */
            oc_source_id_t owner;  /* CANCEL: whose order; 0: the sender's own */
            uint32_t reserved;
        } order;
        struct {
            oc_session_id_t session;
            oc_source_id_t owner;
            uint8_t scope; /* oc_mass_cancel_scope_t */
            uint8_t sides; /* oc_side_filter_t */
            uint8_t reserved[18];
        } mass_cancel;
        struct {
            int64_t price_ticks;
            uint8_t reserved[24];
        } mark;
        struct {
            int64_t price_low_ticks; /* lowest and highest price accepted, inclusive */
            int64_t price_high_ticks;
            int64_t max_quantity_lots; /* largest total of an order; times max_orders it must fit 63
                                          bits */
            uint8_t state;             /* oc_instrument_state_t */
            uint8_t reserved[7];
        } instrument;
        struct {
            oc_source_id_t id;
            uint32_t roles; /* OC_ROLE_* */
            uint8_t reserved[24];
        } source;
        struct {
            oc_session_id_t id;
            oc_source_id_t source;
            uint8_t reserved[20];
        } session;
        struct {
            uint32_t
                rules_version; /* OC_RULES_VERSION is the newest known; another stops the engine */
            uint32_t step_bound;     /* pending work per log entry, 1..OC_STEP_BOUND_MAX */
            uint8_t modify_priority; /* oc_modify_priority_t */
            uint8_t reserved[23];
        } configure;
        struct {
            uint32_t set;   /* OC_RESTRICT_* put in force, */
            uint32_t clear; /* lifted; the others stay as they are */
            uint8_t reserved[24];
        } restriction;
    } u;
} oc_command_t;

#define OC_RULES_VERSION  UINT32_C(1)
#define OC_STEP_BOUND_MAX UINT32_C(65536)

/* name, text as printed. Rejects first, then why an order ended, then later rejects. The order is
 * part of the ABI: append only. */
#define OC_REASON_TABLE(X)                                                                         \
    X(NONE, "none")                                                                                \
    X(UNKNOWN_COMMAND, "unknown_command")                                                          \
    X(UNKNOWN_SOURCE, "unknown_source")                                                            \
    X(SEQUENCE_GAP, "sequence_gap")                                                                \
    X(DUPLICATE_SEQUENCE, "duplicate_sequence")                                                    \
    X(NOT_ALLOWED, "not_allowed")                                                                  \
    X(INVALID_FLAGS, "invalid_flags")                                                              \
    X(INVALID_FIELD, "invalid_field")                                                              \
    X(UNKNOWN_INSTRUMENT, "unknown_instrument")                                                    \
    X(INSTRUMENT_STATE, "instrument_state")                                                        \
    X(INVALID_SIDE, "invalid_side")                                                                \
    X(INVALID_ORDER_TYPE, "invalid_order_type")                                                    \
    X(INVALID_TIME_IN_FORCE, "invalid_time_in_force")                                              \
    X(INVALID_QUANTITY, "invalid_quantity")                                                        \
    X(QUANTITY_TOO_LARGE, "quantity_too_large")                                                    \
    X(PRICE_OUT_OF_BAND, "price_out_of_band")                                                      \
    X(DUPLICATE_ORDER, "duplicate_order")                                                          \
    X(UNKNOWN_ORDER, "unknown_order")                                                              \
    X(WRONG_OWNER, "wrong_owner")                                                                  \
    X(PENDING_CANCEL, "pending_cancel")                                                            \
    X(WOULD_CROSS, "would_cross")                                                                  \
    X(CROSSED_BOOK, "crossed_book")                                                                \
    X(ORDERS_FULL, "orders_full")                                                                  \
    X(LEVELS_FULL, "levels_full")                                                                  \
    X(INSTRUMENTS_FULL, "instruments_full")                                                        \
    X(SOURCES_FULL, "sources_full")                                                                \
    X(SESSIONS_FULL, "sessions_full")                                                              \
    X(PENDING_FULL, "pending_full")                                                                \
    X(DUPLICATE_INSTRUMENT, "duplicate_instrument")                                                \
    X(DUPLICATE_SOURCE, "duplicate_source")                                                        \
    X(SOURCE_BUSY, "source_busy")                                                                  \
    X(SESSION_IN_USE, "session_in_use")                                                            \
    X(UNKNOWN_SESSION, "unknown_session")                                                          \
    X(REQUESTED, "requested")                                                                      \
    X(UNFILLED, "unfilled")                                                                        \
    X(NOTHING_LEFT, "nothing_left")                                                                \
    X(MASS_CANCEL, "mass_cancel")                                                                  \
    X(DISCONNECT, "disconnect")                                                                    \
    X(END_OF_DAY, "end_of_day")                                                                    \
    X(STORAGE_LOW, "storage_low")                                                                  \
    X(NOT_RESUMED, "not_resumed")

typedef enum oc_reason {
#define OC_REASON_ENUM(name, text) OC_REASON_##name,
    OC_REASON_TABLE(OC_REASON_ENUM)
#undef OC_REASON_ENUM
        OC_REASON_COUNT
} oc_reason_t;

/*
 * Every event but LEVEL and INSTRUMENT_STATE tells one source one thing. Fields not named are zero,
 * except that `entry` and, where there is one, `instrument` are always set. "identity" is source,
 * client_order_id, order_id, instrument and side of the order; "amounts" its open_lots and
 * executed_lots after the event.
 */
typedef enum oc_event_type {
    /* A new order was taken: identity, price (0 for market), quantity = total, open = total;
       sequence. */
    OC_EVENT_ACCEPTED = 1,
    /* The command had no effect: reason, command; source, instrument, client_order_id and (NEW)
     * side, price, quantity as sent. sequence: what was sent; for SEQUENCE_GAP the number expected;
     * for DUPLICATE_SEQUENCE the last one taken, with its oc_reason_t in last_status (NONE: it
     * succeeded). */
    OC_EVENT_REJECTED = 2,
    /* The aggressor's part of a trade: its identity and amounts; price = the resting order's,
     * quantity traded, trade_id. */
    OC_EVENT_TRADE = 3,
    /* The resting order's part, directly after its TRADE: identity and amounts of the resting
     * order; the same price, quantity and trade_id. */
    OC_EVENT_FILL = 4,
    /* The order left the book or never entered it: identity, amounts (open 0), price, reason,
     * quantity = the open quantity given up. command: what caused it. sequence: of that command
     * when it is the owner's own NEW, CANCEL or MODIFY. */
    OC_EVENT_CANCELLED = 5,
    /* As CANCELLED, by the end of its time in force. */
    OC_EVENT_EXPIRED = 6,
    /* Terms changed, before any trade this leads to: identity, amounts; new price, quantity = new
     * total; sequence. */
    OC_EVENT_MODIFIED = 7,
    /* A price level changed: instrument, side, price, quantity = its open total, order_count.
     * A total of 0 means the level is gone. After what changed it, one per level that an aggressor
     * traded at, one per order that entered, left or changed its open quantity otherwise. */
    OC_EVENT_LEVEL = 8,
    /* instrument, order_count = the new oc_instrument_state_t. */
    OC_EVENT_INSTRUMENT_STATE = 9,
    /* A command that is not about an order of the sender's own was done or (MASS_CANCEL,
     * SESSION_DOWN, a state that expires orders) begun: source, command, instrument, sequence, as
     * sent. */
    OC_EVENT_CONFIRMED = 10,
    /* Pending work has ended: source that asked (0: the host), command, instrument where it is of
     * one, quantity = number of orders ended by it. */
    OC_EVENT_COMPLETED = 11,
} oc_event_type_t;

typedef struct oc_event {
    uint8_t type;    /* oc_event_type_t */
    uint8_t side;    /* oc_side_t */
    uint8_t reason;  /* oc_reason_t */
    uint8_t command; /* oc_command_type_t; REJECTED, CANCELLED, EXPIRED, CONFIRMED, COMPLETED */
    oc_instrument_id_t instrument;
    oc_source_id_t source;
    union {
        uint32_t order_count;
        uint32_t last_status;
    };
    uint64_t entry; /* number of the command, from 1, in this engine's life: (entry, place in it)
                       names an event */
    oc_client_order_id_t client_order_id;
    oc_order_id_t order_id;
    int64_t price_ticks;
    int64_t quantity_lots;
    int64_t open_lots;
    int64_t executed_lots;
    union {
        oc_trade_id_t trade_id;
        uint64_t sequence;
    };
} oc_event_t;

#ifndef __cplusplus
_Static_assert(sizeof(oc_command_t) == 64, "a command is one cache line");
_Static_assert(offsetof(oc_command_t, flags) == 4, "four bytes before it");
_Static_assert(offsetof(oc_command_t, source) == 8, "no padding");
_Static_assert(offsetof(oc_command_t, sequence) == 16, "no padding");
_Static_assert(offsetof(oc_command_t, time_ns) == 24, "no padding");
_Static_assert(offsetof(oc_command_t, u) == 32, "half a line for what the type says");
_Static_assert(offsetof(oc_command_t, u.order.owner) == 56, "no padding");
_Static_assert(offsetof(oc_command_t, u.mass_cancel.scope) == 44, "no padding");
_Static_assert(offsetof(oc_command_t, u.instrument.state) == 56, "no padding");
_Static_assert(offsetof(oc_command_t, u.session.source) == 40, "no padding");
_Static_assert(offsetof(oc_command_t, u.configure.modify_priority) == 40, "no padding");
_Static_assert(offsetof(oc_command_t, u.restriction.clear) == 36, "no padding");
_Static_assert(offsetof(oc_event_t, entry) == 16, "no padding");
_Static_assert(offsetof(oc_event_t, trade_id) == 72, "no padding");
_Static_assert(OC_REASON_COUNT <= 256, "a reason fits the byte that an event has for it");
_Static_assert(sizeof(oc_event_t) == 80, "an event is five 16-byte stores");
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Lower-case names for printing, "unknown" for a value out of range; static strings. */
OC_EXPORT const char *oc_reason_name(oc_reason_t reason);
OC_EXPORT const char *oc_event_type_name(oc_event_type_t type);
OC_EXPORT const char *oc_command_type_name(oc_command_type_t type);

#ifdef __cplusplus
}
#endif

#endif
