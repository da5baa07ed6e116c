/*
 * Rule 12: work that is done a few steps per command. Called by reference_engine.c before every
 * command, by reference_admin.c when a command queues work, and by reference_match.c to ask.
 *
 * Invariants: an item never looks at an order twice, but expiry work that was started anew; it ends
 * no order entered after its limit was set; an order that some item will end does not move, because
 * modifying it is refused, so the place reached in the walk is all there is to remember. It must
 * not delay a command.
 */
#include "base/assert.h"
#include "engine/reference_internal.h"

#include <string.h>

static bool is_by_instrument(const hash_pending_t *item)
{
    return item->command == OC_COMMAND_INSTRUMENT_STATE ||
           (item->command == OC_COMMAND_MASS_CANCEL && item->scope == OC_SCOPE_INSTRUMENT);
}

static bool sides_allow(uint8_t sides, uint8_t side)
{
    return sides == OC_SIDES_BOTH || (sides == OC_SIDES_BUY && side == OC_SIDE_BUY) ||
           (sides == OC_SIDES_SELL && side == OC_SIDE_SELL);
}

/* Whether the item ends this order when it gets there. */
static bool ends(const hash_pending_t *item, const reference_order_t *order)
{
    if (order->order_id.value < item->first || order->order_id.value > item->limit)
        return false;
    if (item->source != 0 && order->source.value != item->source)
        return false;
    if (item->instrument != 0 && order->instrument.value != item->instrument)
        return false;
    if (!sides_allow(item->sides, order->side))
        return false;
    if (item->command == OC_COMMAND_SESSION_DOWN)
        return (order->flags & OC_FLAG_CANCEL_ON_DISCONNECT) != 0;
    if (item->command == OC_COMMAND_INSTRUMENT_STATE)
        return order->time_in_force == OC_TIF_DAY;
    return true;
}

static oc_reason_t end_reason(const hash_pending_t *item)
{
    if (item->command == OC_COMMAND_SESSION_DOWN)
        return OC_REASON_DISCONNECT;
    if (item->command == OC_COMMAND_INSTRUMENT_STATE)
        return OC_REASON_END_OF_DAY;
    return OC_REASON_MASS_CANCEL;
}

/* The source's order with the lowest id above the last one looked at, up to the limit. */
static reference_order_t *next_by_source(const reference_engine_t *engine,
                                         const hash_pending_t *item)
{
    const reference_source_t *source =
        reference_find_source(engine, (oc_source_id_t){item->source});
    OC_ASSERT(source != NULL); /* a source with work on it is not retired */
    reference_order_t *next = NULL;
    for (size_t i = 0; i < source->orders.count; i++) {
        reference_order_t *order = source->orders.items[i];
        if (order->order_id.value <= item->looked_at || order->order_id.value > item->limit)
            continue;
        if (!next || order->order_id.value < next->order_id.value)
            next = order;
    }
    return next;
}

/* The first order of one side that stands behind the last one looked at. */
static reference_order_t *next_on_side(const reference_instrument_t *instrument,
                                       const hash_pending_t *item, uint8_t side)
{
    const reference_order_list_t *list = &instrument->sides[side];
    if (item->side != side)
        return reference_best(instrument, side);
    const reference_order_t last = {
        .side = side, .price_ticks = item->price_ticks, .priority = item->looked_at};
    for (size_t i = 0; i < list->count; i++)
        if (reference_compare_place(list->items[i], &last) > 0)
            return list->items[i];
    return NULL;
}

static reference_order_t *next_by_instrument(const reference_engine_t *engine,
                                             const hash_pending_t *item)
{
    const reference_instrument_t *instrument =
        reference_find_instrument(engine, (oc_instrument_id_t){item->instrument});
    OC_ASSERT(instrument != NULL);
    reference_order_t *next = NULL;
    if (sides_allow(item->sides, OC_SIDE_BUY) && item->side != OC_SIDE_SELL)
        next = next_on_side(instrument, item, OC_SIDE_BUY);
    if (!next && sides_allow(item->sides, OC_SIDE_SELL))
        next = next_on_side(instrument, item, OC_SIDE_SELL);
    return next;
}

/* Puts the item's place behind the order. */
static void note_looked_at(hash_pending_t *item, const reference_order_t *order)
{
    OC_ASSERT(order->priority > 0);
    if (!is_by_instrument(item)) {
        item->looked_at = order->order_id.value;
        return;
    }
    /* Everything behind an order above the limit was queued after the work, too. */
    const bool leave_level = order->order_id.value > item->limit;
    item->looked_at = leave_level ? UINT64_MAX : order->priority;
    item->price_ticks = order->price_ticks;
    item->side = order->side;
}

static void complete_front(reference_engine_t *engine)
{
    OC_ASSERT(engine->pending_count > 0);
    const hash_pending_t *item = &engine->pending[0];
    oc_event_t event = {.type = OC_EVENT_COMPLETED};
    event.command = item->command;
    event.source.value = item->asker;
    event.instrument.value = item->instrument;
    event.quantity_lots = (int64_t)item->ended;
    reference_emit(engine, event);
    engine->pending_count--;
    memmove(&engine->pending[0], &engine->pending[1],
            engine->pending_count * sizeof *engine->pending);
}

static void step(reference_engine_t *engine)
{
    OC_ASSERT(engine->pending_count > 0);
    hash_pending_t *item = &engine->pending[0];
    reference_order_t *order =
        is_by_instrument(item) ? next_by_instrument(engine, item) : next_by_source(engine, item);
    if (!order) {
        complete_front(engine);
        return;
    }
    note_looked_at(item, order);
    if (ends(item, order)) {
        item->ended++;
        reference_end_order(engine, order, end_reason(item), item->command, 0);
    }
}

void reference_pending_run(reference_engine_t *engine)
{
    OC_ASSERT(engine->budget <= OC_STEP_BOUND_MAX);
    while (engine->budget > 0 && engine->pending_count > 0) {
        engine->budget--;
        step(engine);
    }
}

void reference_pending_queue(reference_engine_t *engine, hash_pending_t item)
{
    OC_ASSERT(item.looked_at == 0);
    OC_ASSERT(item.ended == 0);
    item.ordinal = 0;
    item.limit = engine->last_order_id.value;
    item.side = REFERENCE_NO_SIDE;
    engine->pending = reference_grow(engine->pending, engine->pending_count,
                                     &engine->pending_capacity, sizeof *engine->pending);
    engine->pending[engine->pending_count++] = item;
}

hash_pending_t *reference_pending_find(const reference_engine_t *engine, oc_command_type_t command,
                                       uint32_t source, uint32_t instrument)
{
    for (size_t i = 0; i < engine->pending_count; i++) {
        hash_pending_t *item = &engine->pending[i];
        if (item->command == command && item->source == source && item->instrument == instrument)
            return item;
    }
    return NULL;
}

uint32_t reference_pending_mass_cancels(const reference_engine_t *engine)
{
    uint32_t count = 0;
    for (size_t i = 0; i < engine->pending_count; i++)
        if (engine->pending[i].command == OC_COMMAND_MASS_CANCEL)
            count++;
    return count;
}

bool reference_pending_awaits(const reference_engine_t *engine, const reference_order_t *order)
{
    for (size_t i = 0; i < engine->pending_count; i++)
        if (ends(&engine->pending[i], order))
            return true;
    return false;
}

bool reference_pending_targets(const reference_engine_t *engine, oc_source_id_t source)
{
    for (size_t i = 0; i < engine->pending_count; i++)
        if (engine->pending[i].source == source.value)
            return true;
    return false;
}
