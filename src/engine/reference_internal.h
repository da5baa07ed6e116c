/*
 * Inside of the reference engine: its records and what its files offer each other.
 *
 * Nothing is kept that can be worked out by looking: no levels, no totals, no counters of tables.
 * One thread owns an engine. Pointers below are the engine's, valid until their record is removed.
 */
#ifndef ENGINE_REFERENCE_INTERNAL_H
#define ENGINE_REFERENCE_INTERNAL_H

#include "engine/engine_vtable.h"
#include "engine/load_check.h"

/* hash_pending_t.side before the first order was looked at, and always for work by source. */
#define REFERENCE_NO_SIDE 2

typedef struct reference_order {
    oc_client_order_id_t client_order_id;
    oc_order_id_t order_id;
    uint64_t priority; /* 0 while it is not queued */
    int64_t price_ticks;
    int64_t open_lots;
    int64_t executed_lots;
    oc_source_id_t source;
    oc_instrument_id_t instrument;
    uint32_t flags;
    uint8_t side;
    uint8_t order_type;
    uint8_t time_in_force;
} reference_order_t;

/* Sorted by the comparison that its user gives to every call. The orders are borrowed. */
typedef struct reference_order_list {
    reference_order_t **items;
    size_t count;
    size_t capacity;
} reference_order_list_t;

/* Below 0 when `a` comes before `b`, 0 when their keys are equal. */
typedef int (*reference_compare_t)(const reference_order_t *a, const reference_order_t *b);

typedef struct reference_source {
    oc_source_id_t id;
    uint32_t roles;
    uint64_t sequence;
    oc_reason_t last_status;
    oc_session_id_t session;
    oc_order_id_t session_first;
    reference_order_list_t orders; /* owns them; by client order id */
} reference_source_t;

typedef struct reference_instrument {
    oc_instrument_id_t id;
    oc_instrument_state_t state;
    int64_t price_low_ticks;
    int64_t price_high_ticks;
    int64_t max_quantity_lots;
    int64_t mark_price_ticks;
    bool has_mark_price;
    reference_order_list_t sides[2]; /* by oc_side_t; better price first, then priority */
} reference_instrument_t;

typedef struct reference_engine {
    oc_engine_t base; /* first: the public handle */
    oc_engine_config_t config;
    oc_event_sink_t sink;
    void *context;
    oc_event_t *events; /* event_capacity of them */
    size_t event_count;

    uint64_t entry;
    int64_t time_ns;
    oc_order_id_t last_order_id;
    oc_trade_id_t last_trade_id;
    uint64_t last_priority;
    hash_output_t output;
    uint32_t step_bound;
    oc_modify_priority_t modify_priority;
    uint32_t restrictions; /* OC_RESTRICT_* in force */
    uint32_t budget;       /* steps that the current command may still spend on pending work */
    bool stopped;          /* a command asked for rules that this build does not know: */
    uint32_t asked_version;

    reference_source_t **sources; /* by id */
    size_t source_count;
    size_t source_capacity;
    reference_instrument_t **instruments; /* by id */
    size_t instrument_count;
    size_t instrument_capacity;
    hash_pending_t *pending; /* front first; `ordinal` is filled in for the hash only */
    size_t pending_count;
    size_t pending_capacity;
    load_check_t load; /* a load's progress (engine_records.h) */
} reference_engine_t;

static inline reference_engine_t *reference_of(oc_engine_t *engine)
{
    return (reference_engine_t *)engine;
}

static inline const reference_engine_t *reference_of_const(const oc_engine_t *engine)
{
    return (const reference_engine_t *)engine;
}

/* ---- reference_engine.c: events out ---- */

/* Numbers the event, hashes it and puts it into the buffer; calls the sink when that is full. */
void reference_emit(reference_engine_t *engine, oc_event_t event);

/* An event with the order's identity, amounts and price filled in. */
oc_event_t reference_order_event(oc_event_type_t type, const reference_order_t *order);

/* The answer to a command that is not about one order. */
void reference_confirm(reference_engine_t *engine, const oc_command_t *command);

/* ---- reference_store.c: records and how they are found ---- */

/* Returns `items`, moved if need be, with room for one more of `size` bytes. */
void *reference_grow(void *items, size_t count, size_t *capacity, size_t size);

/* Zeroed memory that the caller owns; never NULL. */
void *reference_allocate(size_t size);

reference_source_t *reference_find_source(const reference_engine_t *engine, oc_source_id_t id);
reference_source_t *reference_find_session(const reference_engine_t *engine, oc_session_id_t id);
reference_instrument_t *reference_find_instrument(const reference_engine_t *engine,
                                                  oc_instrument_id_t id);
reference_order_t *reference_find_order(const reference_engine_t *engine, oc_source_id_t source,
                                        oc_client_order_id_t client_order_id);

/* Adds a zeroed record with that id, which must be new; the caller fills in the rest. */
reference_source_t *reference_add_source(reference_engine_t *engine, oc_source_id_t id);
reference_instrument_t *reference_add_instrument(reference_engine_t *engine, oc_instrument_id_t id);

/* Frees the source, which must have no orders. */
void reference_remove_source(reference_engine_t *engine, reference_source_t *source);

/* Counted by walking over everything. */
uint32_t reference_count_orders(const reference_engine_t *engine);
uint32_t reference_count_levels(const reference_engine_t *engine);
uint32_t reference_count_side_levels(const reference_order_list_t *side);
uint32_t reference_count_sessions(const reference_engine_t *engine);

/* ---- reference_book.c: order lists and the levels seen in them ---- */

int reference_compare_place(const reference_order_t *a, const reference_order_t *b);
int reference_compare_client_id(const reference_order_t *a, const reference_order_t *b);

/* Index of the first order that does not come before `key`; the count when there is none. */
size_t reference_list_position(const reference_order_list_t *list, reference_compare_t compare,
                               const reference_order_t *key);

/* The key must be new. */
void reference_list_insert(reference_order_list_t *list, reference_compare_t compare,
                           reference_order_t *order);

/* The order must be in the list. */
void reference_list_remove(reference_order_list_t *list, reference_compare_t compare,
                           const reference_order_t *order);

/* A price level as the scan of its orders sees it; order_count 0 when there is none. */
oc_level_view_t reference_level(const reference_instrument_t *instrument, uint8_t side,
                                int64_t price_ticks);

/* First order of the best level; NULL when the side is empty. */
reference_order_t *reference_best(const reference_instrument_t *instrument, uint8_t side);

/* Emits LEVEL for that price as it is now. */
void reference_emit_level(reference_engine_t *engine, const reference_instrument_t *instrument,
                          uint8_t side, int64_t price_ticks);

/* Queues an order that is not queued at the end of its level, and emits LEVEL. */
void reference_queue_order(reference_engine_t *engine, reference_instrument_t *instrument,
                           reference_order_t *order);

/* Takes a live order out of its book and away from its source, and frees it. Emits nothing. */
void reference_remove_order(reference_engine_t *engine, reference_order_t *order);

/* Ends a live order: CANCELLED, or EXPIRED for END_OF_DAY, then LEVEL. `command` is what caused it,
 * `sequence` as documented for CANCELLED. Frees the order. */
void reference_end_order(reference_engine_t *engine, reference_order_t *order, oc_reason_t reason,
                         uint8_t command, uint64_t sequence);

/* ---- reference_match.c, reference_admin.c: one function per command ---- */

/*
 * Does what rules 5 to 11 and 13 say of one command type. Returns OC_REASON_NONE, or why nothing
 * was done.
 */
typedef oc_reason_t (*reference_handler_t)(reference_engine_t *engine, const oc_command_t *command);

oc_reason_t reference_new(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_cancel(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_modify(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_mass_cancel(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_mark_price(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_instrument_add(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_instrument_state(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_instrument_bands(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_source_add(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_source_retire(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_session_up(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_session_down(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_configure(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_restriction(reference_engine_t *engine, const oc_command_t *command);
oc_reason_t reference_time(reference_engine_t *engine, const oc_command_t *command);

/* ---- reference_pending.c: work done in steps ---- */

/* Spends what is left of engine->budget on the queue, front first. */
void reference_pending_run(reference_engine_t *engine);

/* Takes the item to the end of the queue; its limit is the last order id assigned. */
void reference_pending_queue(reference_engine_t *engine, hash_pending_t item);

/* The waiting item of that command and target (source or instrument, the other 0), or NULL. */
hash_pending_t *reference_pending_find(const reference_engine_t *engine, oc_command_type_t command,
                                       uint32_t source, uint32_t instrument);

/* Number of waiting items that MASS_CANCEL queued. */
uint32_t reference_pending_mass_cancels(const reference_engine_t *engine);

/* True when some waiting item will end the order. */
bool reference_pending_awaits(const reference_engine_t *engine, const reference_order_t *order);

/* True when some waiting item walks the orders of that source. */
bool reference_pending_targets(const reference_engine_t *engine, oc_source_id_t source);

/* ---- reference_view.c, reference_audit.c: questions ---- */

uint64_t reference_state_hash(const oc_engine_t *engine);
void reference_counts(const oc_engine_t *engine, oc_engine_counts_t *counts);
void reference_memory(const oc_engine_t *engine, oc_engine_memory_t *memory);
bool reference_order(const oc_engine_t *engine, oc_source_id_t source,
                     oc_client_order_id_t client_order_id, oc_order_view_t *view);
size_t reference_source_orders(const oc_engine_t *engine, oc_source_id_t source,
                               oc_order_id_t after, oc_client_order_id_t after_client_order_id,
                               oc_order_view_t *orders, size_t capacity);
void reference_visit_orders(const oc_engine_t *engine, oc_instrument_id_t instrument,
                            oc_side_t side, oc_order_visitor_t visitor, void *context);
size_t reference_depth(const oc_engine_t *engine, oc_instrument_id_t instrument, oc_side_t side,
                       oc_level_view_t *levels, size_t capacity);
bool reference_instrument(const oc_engine_t *engine, oc_instrument_id_t id,
                          oc_instrument_view_t *view);
oc_instrument_id_t reference_next_instrument(const oc_engine_t *engine, oc_instrument_id_t after);
bool reference_source(const oc_engine_t *engine, oc_source_id_t id, oc_source_view_t *view);
bool reference_audit(const oc_engine_t *engine, char *why, size_t why_size);

#endif
