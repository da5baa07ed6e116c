/*
 * The end of a resting order, whatever ends it. Called by cancel, modify and pending work.
 */
#include "engine/live_orders.h"

#include "engine/price_levels.h"

void live_order_end(fast_engine_t *e, uint32_t index, const order_end_t *end)
{
    order_record_t *order = &e->orders[index];
    const uint32_t level_index = order->level;
    level_record_t *level = &e->levels[level_index];
    live_order_leave(e, index);
    *event_buffer_next(e) = (oc_event_t){
        .type = end->event,
        .side = (uint8_t)(level->book & 1),
        .reason = end->reason,
        .command = end->command,
        .instrument = {level_instrument_id(e, level)},
        .source = {e->sources[order->source].id},
        .entry = e->header->entry,
        .client_order_id = {order->client_order_id},
        .order_id = {order->order_id},
        .price_ticks = level->price_ticks,
        .quantity_lots = order->open_lots,
        .executed_lots = order->executed_lots,
        .sequence = end->sequence,
    };
    emit_level(e, level);
    live_order_drop(e, index);
    if (level->order_count == 0)
        price_levels_remove(e, level_index);
}
