/*
 * Order lists and the books made of them: one sorted list per side, in which a level is nothing but
 * a run of equal prices. Called by the reference engine's other files only.
 *
 * Invariants: a list is sorted strictly by its comparison; a queued order has open quantity and a
 * priority above that of every order queued before it. It must not decide what may trade or rest.
 */
#include "base/assert.h"
#include "engine/reference_internal.h"

#include <stdlib.h>
#include <string.h>

int reference_compare_place(const reference_order_t *a, const reference_order_t *b)
{
    OC_ASSERT(a->side == b->side);
    if (a->price_ticks != b->price_ticks) {
        const bool a_is_better = a->side == OC_SIDE_BUY ? a->price_ticks > b->price_ticks
                                                        : a->price_ticks < b->price_ticks;
        return a_is_better ? -1 : 1;
    }
    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    return 0;
}

int reference_compare_client_id(const reference_order_t *a, const reference_order_t *b)
{
    if (a->client_order_id.value != b->client_order_id.value)
        return a->client_order_id.value < b->client_order_id.value ? -1 : 1;
    return 0;
}

size_t reference_list_position(const reference_order_list_t *list, reference_compare_t compare,
                               const reference_order_t *key)
{
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(list->items[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void reference_list_insert(reference_order_list_t *list, reference_compare_t compare,
                           reference_order_t *order)
{
    const size_t position = reference_list_position(list, compare, order);
    OC_ASSERT(position == list->count || compare(list->items[position], order) != 0);
    list->items = reference_grow(list->items, list->count, &list->capacity, sizeof *list->items);
    memmove(&list->items[position + 1], &list->items[position],
            (list->count - position) * sizeof *list->items);
    list->items[position] = order;
    list->count++;
}

void reference_list_remove(reference_order_list_t *list, reference_compare_t compare,
                           const reference_order_t *order)
{
    const size_t position = reference_list_position(list, compare, order);
    OC_ASSERT(position < list->count);
    OC_ASSERT(list->items[position] == order);
    list->count--;
    memmove(&list->items[position], &list->items[position + 1],
            (list->count - position) * sizeof *list->items);
}

oc_level_view_t reference_level(const reference_instrument_t *instrument, uint8_t side,
                                int64_t price_ticks)
{
    const reference_order_list_t *list = &instrument->sides[side];
    /* Priorities start at 1, so this key stands before the level's first order. */
    const reference_order_t key = {.side = side, .price_ticks = price_ticks, .priority = 0};
    oc_level_view_t level = {.price_ticks = price_ticks};
    for (size_t i = reference_list_position(list, reference_compare_place, &key);
         i < list->count && list->items[i]->price_ticks == price_ticks; i++) {
        level.open_lots += list->items[i]->open_lots;
        level.order_count++;
    }
    return level;
}

reference_order_t *reference_best(const reference_instrument_t *instrument, uint8_t side)
{
    const reference_order_list_t *list = &instrument->sides[side];
    return list->count > 0 ? list->items[0] : NULL;
}

void reference_emit_level(reference_engine_t *engine, const reference_instrument_t *instrument,
                          uint8_t side, int64_t price_ticks)
{
    const oc_level_view_t level = reference_level(instrument, side, price_ticks);
    oc_event_t event = {.type = OC_EVENT_LEVEL};
    event.side = side;
    event.instrument = instrument->id;
    event.price_ticks = price_ticks;
    event.quantity_lots = level.open_lots;
    event.order_count = level.order_count;
    reference_emit(engine, event);
}

void reference_queue_order(reference_engine_t *engine, reference_instrument_t *instrument,
                           reference_order_t *order)
{
    OC_ASSERT(order->open_lots > 0);
    order->priority = ++engine->last_priority;
    reference_list_insert(&instrument->sides[order->side], reference_compare_place, order);
    reference_emit_level(engine, instrument, order->side, order->price_ticks);
}

void reference_remove_order(reference_engine_t *engine, reference_order_t *order)
{
    reference_source_t *source = reference_find_source(engine, order->source);
    reference_instrument_t *instrument = reference_find_instrument(engine, order->instrument);
    OC_ASSERT(source != NULL);
    OC_ASSERT(instrument != NULL);
    reference_list_remove(&source->orders, reference_compare_client_id, order);
    reference_list_remove(&instrument->sides[order->side], reference_compare_place, order);
    free(order);
}

void reference_end_order(reference_engine_t *engine, reference_order_t *order, oc_reason_t reason,
                         uint8_t command, uint64_t sequence)
{
    OC_ASSERT(order->open_lots > 0);
    const reference_instrument_t *instrument = reference_find_instrument(engine, order->instrument);
    const uint8_t side = order->side;
    const int64_t price_ticks = order->price_ticks;

    oc_event_t event = reference_order_event(
        reason == OC_REASON_END_OF_DAY ? OC_EVENT_EXPIRED : OC_EVENT_CANCELLED, order);
    event.reason = (uint8_t)reason;
    event.command = command;
    event.quantity_lots = order->open_lots;
    event.open_lots = 0;
    event.sequence = sequence;
    reference_emit(engine, event);

    reference_remove_order(engine, order);
    reference_emit_level(engine, instrument, side, price_ticks);
}
