/*
 * The matching loop. Called by new orders and by modifies that lose their place, in continuous
 * state.
 *
 * Invariants: executed + open of the aggressor is constant; a level's totals equal its queue after
 * each level is done (inside, the head is cut off in one go); an emptied level is removed at once.
 * It must not look at the aggressor's own book.
 */
#include "engine/matching.h"

#include "engine/live_orders.h"
#include "engine/price_levels.h"

enum { HEADS_AHEAD = 4 }; /* orders of a book fetched after a match */

bool matching_can_fill(const fast_engine_t *e, const aggressor_t *a)
{
    int64_t wanted = a->open_lots;
    uint32_t level = e->instruments[a->instrument].best[a->side ^ 1];
    for (; level; level = price_levels_next(e, level)) {
        if (!matching_crosses(a->side, a->limit_ticks, e->levels[level].price_ticks))
            return false;
        if (e->levels[level].open_lots >= wanted)
            return true;
        wanted -= e->levels[level].open_lots;
    }
    return false;
}

/* The two halves of a trade: the aggressor's, then the resting order's. Amounts are those after it.
 */
static void emit_trade(fast_engine_t *e, const aggressor_t *a, const order_record_t *maker,
                       const level_record_t *level, int64_t lots)
{
    const oc_trade_id_t trade_id = {++e->header->last_trade_id};
    *event_buffer_next(e) = (oc_event_t){
        .type = OC_EVENT_TRADE,
        .side = (uint8_t)a->side,
        .instrument = {level_instrument_id(e, level)},
        .source = {a->source_id},
        .entry = e->header->entry,
        .client_order_id = {a->client_order_id},
        .order_id = {a->order_id},
        .price_ticks = level->price_ticks,
        .quantity_lots = lots,
        .open_lots = a->open_lots,
        .executed_lots = a->executed_lots,
        .trade_id = trade_id,
    };
    *event_buffer_next(e) = (oc_event_t){
        .type = OC_EVENT_FILL,
        .side = (uint8_t)(level->book & 1),
        .instrument = {level_instrument_id(e, level)},
        .source = {e->sources[maker->source].id},
        .entry = e->header->entry,
        .client_order_id = {maker->client_order_id},
        .order_id = {maker->order_id},
        .price_ticks = level->price_ticks,
        .quantity_lots = lots,
        .open_lots = maker->open_lots,
        .executed_lots = maker->executed_lots,
        .trade_id = trade_id,
    };
}

/* What the end of the next maker will write, and the record of the one behind it. */
static void prefetch_behind(const fast_engine_t *e, uint32_t next)
{
    const order_record_t *order = &e->orders[next];
    __builtin_prefetch(&e->orders[order->next]);
    order_index_prefetch(e, order_index_hash(e, order->source, order->client_order_id));
    __builtin_prefetch(&e->chunks[order->list_position >> LIST_POSITION_SHIFT]);
}

static void trade_with(fast_engine_t *e, aggressor_t *a, order_record_t *maker,
                       level_record_t *level)
{
    const int64_t lots = maker->open_lots < a->open_lots ? maker->open_lots : a->open_lots;
    OC_ASSERT(lots > 0);
    touch(e, maker);
    e->header->item_sum -= live_order_item(e, maker, level);
    maker->open_lots -= lots;
    maker->executed_lots += lots;
    level->open_lots -= lots;
    a->open_lots -= lots;
    a->executed_lots += lots;
    emit_trade(e, a, maker, level, lots);
}

/* Trades with one level until it or the aggressor is used up. */
static void match_level(fast_engine_t *e, aggressor_t *a, uint32_t level_index)
{
    level_record_t *level = &e->levels[level_index];
    touch(e, level);
    uint32_t index = level->head;
    while (index && a->open_lots) {
        order_record_t *maker = &e->orders[index];
        const uint32_t next = maker->next;
        prefetch_behind(e, next);
        trade_with(e, a, maker, level);
        if (maker->open_lots) {
            e->header->item_sum += live_order_item(e, maker, level);
            break;
        }
        if (UNLIKELY(e->header->walk_order == index))
            e->header->walk_order = next;
        level->order_count--;
        live_order_drop(e, index);
        index = next;
    }
    level->head = index;
    if (index) {
        touch(e, &e->orders[index]);
        e->orders[index].prev = 0;
    } else {
        level->tail = 0;
    }
    emit_level(e, level);
    if (level->order_count == 0)
        price_levels_remove(e, level_index);
}

void matching_run(fast_engine_t *e, aggressor_t *a)
{
    const instrument_record_t *instrument = &e->instruments[a->instrument];
    const int64_t total = a->open_lots + a->executed_lots;
    bool traded = false;
    while (a->open_lots && matching_would_trade(e, instrument, a->side, a->limit_ticks)) {
        match_level(e, a, instrument->best[a->side ^ 1]);
        traded = true;
    }
    if (!traded)
        return;
    OC_ASSERT(a->open_lots + a->executed_lots == total);
    head_hint_t *hint = &e->head_hints[a->instrument];
    for (uint32_t side = 0; side < 2; side++) {
        hint->order[side] = e->levels[instrument->best[side]].head; /* level 0 has none */
        __builtin_prefetch(&e->orders[hint->order[side]]);
    }
    hint->left = HEADS_AHEAD;
}
