/*
 * Matching: an aggressor against the opposite book, best level first, first come first served
 * inside a level, at the resting price.
 */
#ifndef ENGINE_MATCHING_H
#define ENGINE_MATCHING_H

#include "engine/order_index.h"
#include "engine/source_list.h"

/* An order on its way in: new, or modified and on its way back. */
typedef struct aggressor {
    uint64_t client_order_id;
    uint64_t order_id;
    int64_t limit_ticks; /* worst price it takes; an extreme for a market order */
    int64_t open_lots;
    int64_t executed_lots;
    uint32_t source; /* index */
    uint32_t source_id;
    uint32_t instrument; /* index */
    uint32_t side;
} aggressor_t;

/* Whether a resting price of the other side is at or through the limit. */
static inline bool matching_crosses(uint32_t side, int64_t limit_ticks, int64_t resting_ticks)
{
    const int64_t mirror = -(int64_t)(side == OC_SIDE_SELL); /* no branch: sides come at random */
    return (resting_ticks ^ mirror) <= (limit_ticks ^ mirror);
}

/* Whether the best price of the other side is at or through the limit. */
static inline bool matching_would_trade(const fast_engine_t *e,
                                        const instrument_record_t *instrument, uint32_t side,
                                        int64_t limit_ticks)
{
    const uint32_t best = instrument->best[side ^ 1];
    return best && matching_crosses(side, limit_ticks, e->levels[best].price_ticks);
}

/* Whether the other side holds the whole open quantity within the limit; reads level totals only.
 */
bool matching_can_fill(const fast_engine_t *e, const aggressor_t *aggressor);

/* Fetches one more of the orders that the next aggressors of the instrument will meet. */
static inline void matching_warm_up(fast_engine_t *e, uint32_t instrument)
{
    head_hint_t *hint = &e->head_hints[instrument];
    if (hint->left == 0)
        return;
    hint->left--;
    for (uint32_t side = 0; side < 2; side++) {
        const order_record_t *order = &e->orders[hint->order[side]];
        order_index_prefetch(e, order_index_hash(e, order->source, order->client_order_id));
        __builtin_prefetch(&e->chunks[order->list_position >> LIST_POSITION_SHIFT]);
        __builtin_prefetch(&e->orders[order->next]);
        hint->order[side] = order->next;
    }
}

/* Trades until the aggressor is filled or nothing crosses; its open and executed quantities move.
 */
void matching_run(fast_engine_t *e, aggressor_t *aggressor);

#endif
