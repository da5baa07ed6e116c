/*
 * The fast engine: its memory, and the way of one command through it.
 *
 * Called through the table in engine_vtable.h. fast_apply() is the doorway: time, pending work,
 * sender and sequence, role, then the handler of the command's type, then reject or status.
 * fast_apply_batch() is the same with read-only prefetches for the commands ahead.
 *
 * Invariants:
 *  - every store into the arena is announced by touch(); the header's page is touched once per
 *    command;
 *  - nothing is allocated after fast_engine_create();
 *  - a hint (source_hint, instrument_hint, anything read ahead) is checked before use or only
 *    prefetched.
 */
#include "base/error.h"
#include "engine/command_handlers.h"
#include "engine/event_buffer.h"
#include "engine/fast_internal.h"
#include "engine/fast_items.h"
#include "engine/level_tree.h"
#include "engine/live_orders.h"
#include "engine/order_index.h"
#include "engine/pending_work.h"
#include "engine/price_levels.h"
#include "engine/rules_version.h"
#include "engine/source_list.h"

#include <stdlib.h>
#include <string.h>

/* All books together keep at most so many emptied blocks: 18 MiB. */
enum { KEPT_BLOCKS_TOTAL = 65536 };

typedef oc_reason_t (*command_handler_t)(fast_engine_t *, const oc_command_t *, const sender_t *);

#define ROLE_HOST UINT32_C(0x80000000) /* the host itself, beside OC_ROLE_* */

typedef struct command_rule {
    command_handler_t handler;
    uint32_t roles; /* one of them is needed */
    uint32_t flags; /* known bits */
} command_rule_t;

/* All of TIME's work is done before its handler: time moves on, and so does pending work. */
static oc_reason_t host_time(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    (void)e;
    (void)c;
    (void)sender;
    return OC_REASON_NONE;
}

static const command_rule_t command_rules[OC_COMMAND_LAST + 1] = {
    [OC_COMMAND_NEW] = {order_new, OC_ROLE_TRADE, OC_FLAG_POST_ONLY | OC_FLAG_CANCEL_ON_DISCONNECT},
    [OC_COMMAND_CANCEL] = {order_cancel, OC_ROLE_TRADE | OC_ROLE_RISK | ROLE_HOST, 0},
    [OC_COMMAND_MODIFY] = {order_modify, OC_ROLE_TRADE, OC_FLAG_OPEN_QUANTITY},
    [OC_COMMAND_MASS_CANCEL] = {pending_mass_cancel, OC_ROLE_TRADE | OC_ROLE_RISK | ROLE_HOST, 0},
    [OC_COMMAND_MARK_PRICE] = {admin_mark_price, OC_ROLE_MARK | ROLE_HOST, 0},
    [OC_COMMAND_INSTRUMENT_ADD] = {admin_instrument_add, OC_ROLE_ADMIN | ROLE_HOST, 0},
    [OC_COMMAND_INSTRUMENT_STATE] = {admin_instrument_state, OC_ROLE_ADMIN | ROLE_HOST, 0},
    [OC_COMMAND_INSTRUMENT_BANDS] = {admin_instrument_bands, OC_ROLE_ADMIN | ROLE_HOST, 0},
    [OC_COMMAND_SOURCE_ADD] = {admin_source_add, OC_ROLE_ADMIN | ROLE_HOST, 0},
    [OC_COMMAND_SOURCE_RETIRE] = {admin_source_retire, OC_ROLE_ADMIN | ROLE_HOST, 0},
    [OC_COMMAND_SESSION_UP] = {admin_session_up, ROLE_HOST, 0},
    [OC_COMMAND_SESSION_DOWN] = {admin_session_down, ROLE_HOST, 0},
    [OC_COMMAND_CONFIGURE] = {admin_configure, OC_ROLE_ADMIN | ROLE_HOST, 0},
    [OC_COMMAND_TIME] = {host_time, ROLE_HOST, 0},
    [OC_COMMAND_RESTRICTION] = {admin_restriction, OC_ROLE_ADMIN | ROLE_HOST, 0},
};

/* Rule 4, then the handler. */
static oc_reason_t dispatch(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    if (UNLIKELY(c->type > OC_COMMAND_LAST))
        return OC_REASON_UNKNOWN_COMMAND;
    const command_rule_t *rule = &command_rules[c->type];
    if (UNLIKELY(!(sender->roles & rule->roles)))
        return c->type == 0 ? OC_REASON_UNKNOWN_COMMAND : OC_REASON_NOT_ALLOWED;
    if (UNLIKELY(c->flags & ~rule->flags))
        return OC_REASON_INVALID_FLAGS;
    return rule->handler(e, c, sender);
}

__attribute__((noinline)) static void emit_rejected(fast_engine_t *e, const oc_command_t *c,
                                                    oc_reason_t reason, const source_record_t *s)
{
    const bool is_new = c->type == OC_COMMAND_NEW;
    const bool priced = is_new || c->type == OC_COMMAND_MODIFY;
    const bool order = priced || c->type == OC_COMMAND_CANCEL;
    oc_event_t event = {
        .type = OC_EVENT_REJECTED,
        .side = is_new ? c->side : 0,
        .reason = (uint8_t)reason,
        .command = c->type,
        .instrument = c->instrument,
        .source = c->source,
        .entry = e->header->entry,
        .client_order_id = {order ? c->u.order.client_order_id.value : 0},
        .price_ticks = priced ? c->u.order.price_ticks : 0,
        .quantity_lots = priced ? c->u.order.quantity_lots : 0,
        .sequence = c->sequence,
    };
    if (reason == OC_REASON_SEQUENCE_GAP)
        event.sequence = s->sequence + 1;
    if (reason == OC_REASON_DUPLICATE_SEQUENCE) {
        event.sequence = s->sequence;
        event.last_status = s->last_status;
    }
    *event_buffer_next(e) = event;
}

/* Rule 3 and what follows for a command of a source. */
static oc_reason_t apply_from_source(fast_engine_t *e, const oc_command_t *c)
{
    const uint32_t index = source_find(e, c->source);
    if (UNLIKELY(!index))
        return OC_REASON_UNKNOWN_SOURCE;
    source_record_t *source = &e->sources[index];
    if (LIKELY(c->sequence) && UNLIKELY(c->sequence != source->sequence + 1)) {
        const bool gap = c->sequence > source->sequence;
        const oc_reason_t reason = gap ? OC_REASON_SEQUENCE_GAP : OC_REASON_DUPLICATE_SEQUENCE;
        emit_rejected(e, c, reason, source);
        return OC_REASON_NONE; /* answered */
    }
    touch(e, source); /* its number and the list of its orders change */
    const sender_t sender = {.index = index, .roles = source->roles};
    const oc_reason_t reason = dispatch(e, c, &sender);
    if (LIKELY(c->sequence))
        source_progress(e, source, c->sequence, (uint32_t)reason);
    return reason;
}

static void apply_command(fast_engine_t *e, const oc_command_t *c)
{
    engine_header_t *h = e->header;
    touch(e, h);
    h->entry++;
    h->time_ns = c->time_ns > h->time_ns ? c->time_ns : h->time_ns;
    uint32_t budget = h->step_bound;
    if (UNLIKELY(h->pending_count))
        budget = pending_run(e, budget);
    oc_reason_t reason;
    if (LIKELY(c->source.value))
        reason = apply_from_source(e, c);
    else
        reason = dispatch(e, c, &(sender_t){.index = 0, .roles = OC_ROLE_RISK | ROLE_HOST});
    if (UNLIKELY(reason != OC_REASON_NONE))
        emit_rejected(e, c, reason, NULL);
    if (UNLIKELY(h->pending_count))
        pending_run(e, budget);
}

/* A command under the microscope: every page written must have been announced. */
__attribute__((noinline)) static void apply_verified(fast_engine_t *e, const oc_command_t *c)
{
    oc_arena_advance_epoch(&e->arena);
    apply_command(e, c);
    event_buffer_flush(e); /* it stores the output hash */
    oc_arena_check(&e->arena);
}

static oc_err_t stopped_error(const fast_engine_t *e)
{
    return rules_version_error(e->header->entry, e->asked_version);
}

static inline bool apply_or_stop(fast_engine_t *e, const oc_command_t *c)
{
    if (LIKELY(!e->arena.shadow))
        apply_command(e, c);
    else
        apply_verified(e, c);
    return LIKELY(!e->stopped);
}

static oc_err_t fast_apply(oc_engine_t *engine, const oc_command_t *command)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    if (UNLIKELY(e->stopped))
        return stopped_error(e);
    const bool going_on = apply_or_stop(e, command);
    event_buffer_flush(e);
    return going_on ? OC_ERR_OK : stopped_error(e);
}

/* Distances, in commands ahead of the one applied, of the three prefetch stages. */
enum { AHEAD_KEYS = 12, AHEAD_RECORDS = 8, AHEAD_NEIGHBOURS = 4, WINDOW = 16 };
_Static_assert(AHEAD_KEYS < WINDOW, "the window holds every command on its way");

/* What has been found out about the commands ahead; hints, never trusted. */
typedef struct look_ahead {
    uint32_t source[WINDOW];
    uint32_t instrument[WINDOW];
    uint32_t hash[WINDOW];
    uint32_t map_home[WINDOW]; /* of the price's block */
    uint32_t order[WINDOW];
    uint32_t level[WINDOW];
} look_ahead_t;

/* First stage: the lines of the index and of the block map. */
static inline void look_for_keys(fast_engine_t *e, const oc_command_t *c, look_ahead_t *ahead,
                                 size_t at)
{
    const uint32_t source = source_find(e, c->source);
    const uint32_t instrument = instrument_find(e, c->instrument);
    const uint32_t hash = order_index_hash(e, source, c->u.order.client_order_id.value);
    ahead->source[at] = source;
    ahead->instrument[at] = instrument;
    ahead->hash[at] = hash;
    order_index_prefetch(e, hash);
    const uint32_t book = instrument * 2 + (c->side & 1);
    const int64_t key = price_key(book & 1, c->u.order.price_ticks) >> 6;
    ahead->map_home[at] = id_map_home(&e->block_map, (uint64_t)key, book);
    __builtin_prefetch(&e->block_map.slots[ahead->map_home[at]]);
}

/* Second stage: the order that the key may name, and the level that the price may have. */
static inline void look_for_records(const fast_engine_t *e, const oc_command_t *c,
                                    look_ahead_t *ahead, size_t at)
{
    const uint32_t order = order_index_guess(e, ahead->hash[at]);
    __builtin_prefetch(&e->orders[order]);
    ahead->order[at] = order;
    const uint32_t block = e->block_map.slots[ahead->map_home[at]].value; /* first probe only */
    const int64_t key = price_key(c->side & 1, c->u.order.price_ticks);
    const uint32_t level = e->block_levels[block].level[key & (BLOCK_LEVELS - 1)];
    __builtin_prefetch(&e->levels[level]);
    ahead->level[at] = level;
}

/* Third stage: what joining or leaving a queue and a list will store to. */
static inline void look_for_neighbours(const fast_engine_t *e, const look_ahead_t *ahead, size_t at)
{
    __builtin_prefetch(&e->orders[e->levels[ahead->level[at]].tail]);
    live_order_prefetch(e, ahead->order[at]);
}

/* The three stages, each for the command at its distance; the first and last commands of a batch
 * lack some. */
static inline void look_ahead_from(fast_engine_t *e, const oc_command_t *commands, size_t count,
                                   look_ahead_t *ahead, size_t i)
{
    if (LIKELY(i < count))
        look_for_keys(e, &commands[i], ahead, i % WINDOW);
    const size_t records = i - (AHEAD_KEYS - AHEAD_RECORDS); /* wraps to huge: not yet */
    if (LIKELY(records < count))
        look_for_records(e, &commands[records], ahead, records % WINDOW);
    const size_t neighbours = i - (AHEAD_KEYS - AHEAD_NEIGHBOURS);
    if (LIKELY(neighbours < count))
        look_for_neighbours(e, ahead, neighbours % WINDOW);
}

static oc_err_t fast_apply_batch(oc_engine_t *engine, const oc_command_t *commands, size_t count)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    if (UNLIKELY(e->stopped))
        return stopped_error(e);
    look_ahead_t ahead;
    e->looked_ahead = true;
    for (size_t i = 0; i < AHEAD_KEYS; i++)
        look_ahead_from(e, commands, count, &ahead, i);
    for (size_t now = 0; now < count; now++) {
        look_ahead_from(e, commands, count, &ahead, now + AHEAD_KEYS);
        e->source_hint = ahead.source[now % WINDOW];
        e->instrument_hint = ahead.instrument[now % WINDOW];
        e->level_hint = ahead.level[now % WINDOW];
        if (UNLIKELY(!apply_or_stop(e, &commands[now])))
            break;
    }
    e->looked_ahead = false;
    event_buffer_flush(e);
    return LIKELY(!e->stopped) ? OC_ERR_OK : stopped_error(e);
}

/* One table of the state: where its address goes, and its size in records and bytes. */
typedef struct table_plan {
    void **address;
    size_t count;
    size_t record_size;
} table_plan_t;

typedef struct engine_plan {
    table_plan_t tables[14];
    uint32_t ids;    /* entries of the id map */
    uint32_t blocks; /* level blocks */
    uint32_t nodes;
} engine_plan_t;

static void plan_tables(fast_engine_t *e, engine_plan_t *plan)
{
    const oc_engine_config_t *c = &e->config;
    const uint32_t books = 2 * (c->max_instruments + 1);
    const uint32_t kept = KEPT_BLOCKS_TOTAL / books;
    e->kept_limit = kept > KEPT_BLOCKS_MAX ? KEPT_BLOCKS_MAX : kept < 2 ? 2 : kept;
    e->index_lines = c->max_orders / INDEX_LOAD + 1;
    e->pending_capacity = pending_capacity(c);
    plan->ids = c->max_instruments + c->max_sources + c->max_sessions;
    plan->blocks = price_levels_blocks(c->max_levels, books, e->kept_limit);
    plan->nodes = level_tree_nodes(plan->blocks, books);
    e->block_capacity = plan->blocks;
    e->node_capacity = plan->nodes;
    const table_plan_t tables[] = {
        {(void **)&e->header, 1, sizeof *e->header},
        {(void **)&e->orders, (size_t)c->max_orders + 1 + ORDERS_AHEAD, sizeof *e->orders},
        {(void **)&e->index, e->index_lines, sizeof *e->index},
        {(void **)&e->levels, (size_t)c->max_levels + 1, sizeof *e->levels},
        {(void **)&e->blocks, (size_t)plan->blocks + 1, sizeof *e->blocks},
        {(void **)&e->block_levels, (size_t)plan->blocks + 1, sizeof *e->block_levels},
        {(void **)&e->kept, books, sizeof *e->kept},
        {(void **)&e->nodes, (size_t)plan->nodes + 1, sizeof *e->nodes},
        {(void **)&e->instruments, (size_t)c->max_instruments + 1, sizeof *e->instruments},
        {(void **)&e->instruments_by_id, c->max_instruments, sizeof *e->instruments_by_id},
        {(void **)&e->sources, (size_t)c->max_sources + 1, sizeof *e->sources},
        {(void **)&e->chunks, (size_t)c->max_orders + 1, sizeof *e->chunks},
        {(void **)&e->pending, e->pending_capacity, sizeof *e->pending},
        {(void **)&e->mass_slots, c->max_pending, sizeof *e->mass_slots},
    };
    _Static_assert(sizeof tables == sizeof plan->tables, "every table is planned");
    memcpy(plan->tables, tables, sizeof tables);
}

/* *wanted: the size, for the message when there is no memory for it. */
static bool make_arena(fast_engine_t *e, const engine_plan_t *plan, size_t *wanted)
{
    const size_t tables = sizeof plan->tables / sizeof plan->tables[0];
    size_t size = oc_arena_section_size(id_map_size(plan->ids)) +
                  oc_arena_section_size(id_map_size(plan->blocks));
    for (size_t i = 0; i < tables; i++)
        size += oc_arena_section_size(plan->tables[i].count * plan->tables[i].record_size);
    *wanted = size;
    if (!oc_arena_init(&e->arena, "engine", ENGINE_LAYOUT_VERSION, size, e->config.verify_touch))
        return false;
    for (size_t i = 0; i < tables; i++)
        *plan->tables[i].address =
            oc_arena_alloc(&e->arena, plan->tables[i].count * plan->tables[i].record_size);
    id_map_init(&e->ids, &e->arena, plan->ids, e->hash_key);
    id_map_init(&e->block_map, &e->arena, plan->blocks, e->hash_key);
    oc_arena_seal(&e->arena);
    return true;
}

void fast_init_header(fast_engine_t *e)
{
    const oc_engine_config_t *c = &e->config;
    engine_header_t *h = e->header;
    touch(e, h);
    h->step_bound = c->step_bound;
    h->modify_priority = (uint32_t)c->modify_priority;
    memcpy(h->hash_key, e->hash_key, sizeof h->hash_key);
    h->orders.capacity = c->max_orders;
    h->levels.capacity = c->max_levels;
    h->blocks.capacity = e->block_capacity;
    h->nodes.capacity = e->node_capacity;
    h->chunks.capacity = c->max_orders;
    h->instruments.capacity = c->max_instruments;
    h->sources.capacity = c->max_sources;
}

void fast_forget_hints(fast_engine_t *e)
{
    e->source_hint = e->instrument_hint = e->level_hint = 0;
    memset(e->head_hints, 0, ((size_t)e->config.max_instruments + 1) * sizeof *e->head_hints);
}

static void fast_destroy(oc_engine_t *engine)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    free(e->head_hints);
    free(e->events);
    oc_arena_fini(&e->arena);
    free(e);
}

static const engine_vtable_t fast_vtable = {
    .destroy = fast_destroy,
    .apply = fast_apply,
    .apply_batch = fast_apply_batch,
    .state_hash = fast_state_hash,
    .output_hash = fast_output_hash,
    .counts = fast_counts,
    .memory = fast_memory,
    .order = fast_order,
    .source_orders = fast_source_orders,
    .visit_orders = fast_visit_orders,
    .depth = fast_depth,
    .instrument = fast_instrument,
    .next_instrument = fast_next_instrument,
    .source = fast_source,
    .audit = fast_audit,
    .totals = fast_totals,
    .source_ids = fast_source_ids,
    .pending_items = fast_pending_items,
    .order_runs = fast_order_runs,
    .walk_next = fast_walk_next,
    .load_begin = fast_load_begin,
    .load_instrument = fast_load_instrument,
    .load_source = fast_load_source,
    .load_orders = fast_load_orders,
    .load_pending = fast_load_pending,
    .load_end = fast_load_end,
    .arena = fast_arena,
    .restored = fast_restored,
    .hash_part = fast_hash_part,
    .hash_check = fast_hash_check,
};

oc_engine_t *fast_engine_create(const oc_engine_config_t *config, oc_event_sink_t sink,
                                void *context)
{
    fast_engine_t *e = calloc(1, sizeof *e);
    size_t wanted = sizeof *e;
    if (!e)
        goto fail_engine;
    e->base.vtable = &fast_vtable;
    e->config = *config;
    e->hash_key[0] = config->hash_key[0];
    e->hash_key[1] = config->hash_key[1] | UINT64_C(1) << 63; /* never 0 for any source */
    e->sink = sink;
    e->sink_context = context;
    const size_t event_bytes = (size_t)config->event_capacity * sizeof *e->events;
    wanted = event_bytes;
    e->events = aligned_alloc(64, (event_bytes + 63) / 64 * 64);
    if (!e->events)
        goto fail_events;
    memset(e->events, 0, event_bytes);
    e->event_next = e->events;
    e->event_end = e->events + config->event_capacity;
    wanted = ((size_t)config->max_instruments + 1) * sizeof *e->head_hints;
    e->head_hints = calloc((size_t)config->max_instruments + 1, sizeof *e->head_hints);
    if (!e->head_hints)
        goto fail_hints;
    engine_plan_t plan;
    plan_tables(e, &plan);
    if (!make_arena(e, &plan, &wanted))
        goto fail_arena;
    fast_init_header(e);
    if (config->verify_touch)
        oc_arena_check(&e->arena); /* the shadow starts as the fresh state */
    return &e->base;

fail_arena:
    free(e->head_hints);
fail_hints:
    free(e->events);
fail_events:
    free(e);
fail_engine:
    error_set(OC_ERR_NO_MEMORY,
              "engine: no memory for %zu bytes; lower max_orders or the other limits", wanted);
    return NULL;
}
