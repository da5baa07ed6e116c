/*
 * Questions to the reference engine, and its state hash: everything is worked out anew at each
 * call. Called through the table of functions in reference_engine.c.
 *
 * Invariant: nothing here changes the state, and what is returned points to nothing inside. It must
 * not remember anything between two calls.
 */
#include "base/assert.h"
#include "engine/reference_internal.h"

#include <string.h>

static uint64_t hash_of_order(const reference_order_t *order)
{
    const uint32_t flags = order->flags & (OC_FLAG_POST_ONLY | OC_FLAG_CANCEL_ON_DISCONNECT);
    const hash_order_t item = {
        .client_order_id = order->client_order_id.value,
        .order_id = order->order_id.value,
        .priority = order->priority,
        .price_ticks = order->price_ticks,
        .open_lots = order->open_lots,
        .executed_lots = order->executed_lots,
        .source = order->source.value,
        .instrument = order->instrument.value,
        .terms = hash_order_terms(order->side, order->time_in_force, flags),
    };
    return hash_order(&item);
}

static uint64_t hash_of_source(const reference_source_t *source)
{
    const hash_source_t item = {
        .id = source->id.value,
        .roles = source->roles,
        .sequence = source->sequence,
        .session = source->session.value,
        .session_first = source->session_first.value,
        .last_status = (uint32_t)source->last_status,
    };
    uint64_t sum = hash_source(&item);
    for (size_t i = 0; i < source->orders.count; i++)
        sum += hash_of_order(source->orders.items[i]);
    return sum;
}

static uint64_t hash_of_instrument(const reference_instrument_t *instrument)
{
    const hash_instrument_t item = {
        .id = instrument->id.value,
        .state = (uint32_t)instrument->state,
        .price_low_ticks = instrument->price_low_ticks,
        .price_high_ticks = instrument->price_high_ticks,
        .max_quantity_lots = instrument->max_quantity_lots,
        .mark_price_ticks = instrument->mark_price_ticks,
        .has_mark_price = instrument->has_mark_price,
    };
    return hash_instrument(&item);
}

static uint64_t hash_of_counters(const reference_engine_t *engine)
{
    const hash_counters_t item = {
        .entry = engine->entry,
        .time_ns = engine->time_ns,
        .last_order_id = engine->last_order_id.value,
        .last_trade_id = engine->last_trade_id.value,
        .last_priority = engine->last_priority,
        .step_bound = engine->step_bound,
        .modify_priority = (uint32_t)engine->modify_priority,
        .restrictions = engine->restrictions,
    };
    return hash_counters(&item);
}

uint64_t reference_state_hash(const oc_engine_t *base)
{
    const reference_engine_t *engine = reference_of_const(base);
    uint64_t sum = hash_of_counters(engine);
    for (size_t i = 0; i < engine->source_count; i++)
        sum += hash_of_source(engine->sources[i]);
    for (size_t i = 0; i < engine->instrument_count; i++)
        sum += hash_of_instrument(engine->instruments[i]);
    for (size_t i = 0; i < engine->pending_count; i++) {
        hash_pending_t item = engine->pending[i];
        item.ordinal = i;
        sum += hash_pending(&item);
    }
    return sum;
}

void reference_counts(const oc_engine_t *base, oc_engine_counts_t *counts)
{
    const reference_engine_t *engine = reference_of_const(base);
    memset(counts, 0, sizeof *counts);
    counts->entry = engine->entry;
    counts->time_ns = engine->time_ns;
    counts->last_order_id = engine->last_order_id;
    counts->last_trade_id = engine->last_trade_id;
    counts->orders = reference_count_orders(engine);
    counts->levels = reference_count_levels(engine);
    counts->instruments = (uint32_t)engine->instrument_count;
    counts->sources = (uint32_t)engine->source_count;
    counts->sessions = reference_count_sessions(engine);
    counts->pending = (uint32_t)engine->pending_count;
    counts->step_bound = engine->step_bound;
    counts->modify_priority = engine->modify_priority;
    counts->restrictions = engine->restrictions;
}

void reference_memory(const oc_engine_t *engine, oc_engine_memory_t *memory)
{
    (void)engine;
    memset(memory, 0, sizeof *memory);
}

static oc_order_view_t view_of(const reference_engine_t *engine, const reference_order_t *order)
{
    const reference_instrument_t *instrument = reference_find_instrument(engine, order->instrument);
    OC_ASSERT(instrument != NULL);
    return (oc_order_view_t){
        .instrument = order->instrument,
        .source = order->source,
        .client_order_id = order->client_order_id,
        .order_id = order->order_id,
        .priority = order->priority,
        .price_ticks = order->price_ticks,
        .open_lots = order->open_lots,
        .executed_lots = order->executed_lots,
        .side = (oc_side_t)order->side,
        .time_in_force = (oc_time_in_force_t)order->time_in_force,
        .flags = order->flags & (OC_FLAG_POST_ONLY | OC_FLAG_CANCEL_ON_DISCONNECT),
        .next_to_trade = reference_best(instrument, order->side) == order,
    };
}

bool reference_order(const oc_engine_t *base, oc_source_id_t source,
                     oc_client_order_id_t client_order_id, oc_order_view_t *view)
{
    const reference_engine_t *engine = reference_of_const(base);
    const reference_order_t *order = reference_find_order(engine, source, client_order_id);
    if (!order)
        return false;
    *view = view_of(engine, order);
    return true;
}

/* The order with the lowest id above `after`; NULL if there is none. */
static const reference_order_t *next_order(const reference_order_list_t *list, uint64_t after)
{
    const reference_order_t *next = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const reference_order_t *order = list->items[i];
        if (order->order_id.value > after &&
            (!next || order->order_id.value < next->order_id.value))
            next = order;
    }
    return next;
}

/* The client order id is only a hint where to begin, and this engine takes none. */
size_t reference_source_orders(const oc_engine_t *base, oc_source_id_t source, oc_order_id_t after,
                               oc_client_order_id_t after_client_order_id, oc_order_view_t *orders,
                               size_t capacity)
{
    (void)after_client_order_id;
    const reference_engine_t *engine = reference_of_const(base);
    const reference_source_t *owner = reference_find_source(engine, source);
    const reference_order_t *next = owner ? next_order(&owner->orders, after.value) : NULL;
    size_t count = 0;
    while (next && count < capacity) {
        orders[count++] = view_of(engine, next);
        next = next_order(&owner->orders, next->order_id.value);
    }
    return count;
}

void reference_visit_orders(const oc_engine_t *base, oc_instrument_id_t instrument, oc_side_t side,
                            oc_order_visitor_t visitor, void *context)
{
    const reference_engine_t *engine = reference_of_const(base);
    const reference_instrument_t *found = reference_find_instrument(engine, instrument);
    if (!found)
        return;
    const reference_order_list_t *list = &found->sides[side];
    for (size_t i = 0; i < list->count; i++) {
        const oc_order_view_t view = view_of(engine, list->items[i]);
        if (!visitor(context, &view))
            return;
    }
}

size_t reference_depth(const oc_engine_t *base, oc_instrument_id_t instrument, oc_side_t side,
                       oc_level_view_t *levels, size_t capacity)
{
    const reference_instrument_t *found =
        reference_find_instrument(reference_of_const(base), instrument);
    if (!found)
        return 0;
    const reference_order_list_t *list = &found->sides[side];
    size_t count = 0;
    for (size_t i = 0; i < list->count && count < capacity; i++) {
        const int64_t price_ticks = list->items[i]->price_ticks;
        if (i == 0 || list->items[i - 1]->price_ticks != price_ticks)
            levels[count++] = reference_level(found, (uint8_t)side, price_ticks);
    }
    return count;
}

bool reference_instrument(const oc_engine_t *base, oc_instrument_id_t id,
                          oc_instrument_view_t *view)
{
    const reference_instrument_t *found = reference_find_instrument(reference_of_const(base), id);
    if (!found)
        return false;
    *view = (oc_instrument_view_t){
        .id = found->id,
        .state = found->state,
        .price_low_ticks = found->price_low_ticks,
        .price_high_ticks = found->price_high_ticks,
        .max_quantity_lots = found->max_quantity_lots,
        .mark_price_ticks = found->mark_price_ticks,
        .has_mark_price = found->has_mark_price,
        .levels = {reference_count_side_levels(&found->sides[OC_SIDE_BUY]),
                   reference_count_side_levels(&found->sides[OC_SIDE_SELL])},
    };
    return true;
}

oc_instrument_id_t reference_next_instrument(const oc_engine_t *base, oc_instrument_id_t after)
{
    const reference_engine_t *engine = reference_of_const(base);
    for (size_t i = 0; i < engine->instrument_count; i++)
        if (engine->instruments[i]->id.value > after.value)
            return engine->instruments[i]->id;
    return (oc_instrument_id_t){0};
}

bool reference_source(const oc_engine_t *base, oc_source_id_t id, oc_source_view_t *view)
{
    const reference_source_t *found = reference_find_source(reference_of_const(base), id);
    if (!found)
        return false;
    *view = (oc_source_view_t){
        .id = found->id,
        .roles = found->roles,
        .sequence = found->sequence,
        .last_status = found->last_status,
        .session = found->session,
        .session_first = found->session_first,
        .orders = (uint32_t)found->orders.count,
    };
    return true;
}
