/*
 * An order's life in the tables: taken, indexed, listed, hashed, given back. Shared by the
 * commands, matching and pending work.
 *
 * Invariant: header.item_sum is the sum of the hash items of all live orders, sources and
 * instruments. A change to an order subtracts its old item before and adds the new one after.
 */
#ifndef ENGINE_LIVE_ORDERS_H
#define ENGINE_LIVE_ORDERS_H

#include "engine/event_buffer.h"
#include "engine/order_index.h"
#include "engine/order_queue.h"
#include "engine/source_list.h"

/* Why and by what an order ends; becomes a CANCELLED or EXPIRED event. */
typedef struct order_end {
    uint8_t event; /* OC_EVENT_CANCELLED or OC_EVENT_EXPIRED */
    uint8_t reason;
    uint8_t command;
    uint64_t sequence; /* of the owner's own command, else 0 */
} order_end_t;

/* Ends a resting order: it leaves its level and the tables; the event, then LEVEL. */
void live_order_end(fast_engine_t *e, uint32_t index, const order_end_t *end);

static inline uint64_t live_order_item(const fast_engine_t *e, const order_record_t *o,
                                       const level_record_t *level)
{
    const hash_order_t item = {
        .client_order_id = o->client_order_id,
        .order_id = o->order_id,
        .priority = o->priority,
        .price_ticks = level->price_ticks,
        .open_lots = o->open_lots,
        .executed_lots = o->executed_lots,
        .source = e->sources[o->source].id,
        .instrument = level_instrument_id(e, level),
        .terms = o->terms & ~ORDER_LIVE,
    };
    return hash_order(&item);
}

/* Takes a live order out of its level and its item out of the hash sum; touches order and level. An
 * emptied level stays until its LEVEL event is out: the caller removes it. */
ALWAYS_INLINE void live_order_leave(fast_engine_t *e, uint32_t index)
{
    order_record_t *order = &e->orders[index];
    level_record_t *level = &e->levels[order->level];
    touch(e, order);
    touch(e, level);
    e->header->item_sum -= live_order_item(e, order, level);
    order_queue_leave(e, index);
    level->order_count--;
    level->open_lots -= order->open_lots;
    OC_ASSERT(level->open_lots >= 0);
}

/* Begins to fetch what the end of an order, or its leaving a queue, will store to. */
static inline void live_order_prefetch(const fast_engine_t *e, uint32_t index)
{
    const order_record_t *order = &e->orders[index];
    __builtin_prefetch(&e->orders[order->prev]);
    __builtin_prefetch(&e->orders[order->next]);
    __builtin_prefetch(&e->levels[order->level]);
    __builtin_prefetch(&e->chunks[order->list_position >> LIST_POSITION_SHIFT]);
}

/* A free record; the caller has checked that there is one. Its bytes are the caller's to fill in.
 */
static inline uint32_t live_order_take(fast_engine_t *e)
{
    record_pool_t *pool = &e->header->orders;
    uint32_t index = pool->free_head;
    if (index) {
        pool->free_head = e->orders[index].next;
        __builtin_prefetch(&e->orders[pool->free_head], 1);
    } else {
        index = ++pool->top;
        OC_ASSERT(index <= pool->capacity);
        __builtin_prefetch(&e->orders[index + ORDERS_AHEAD], 1); /* the table has spare records */
    }
    pool->used++;
    touch(e, &e->orders[index]);
    return index;
}

/* Takes an order that is in no level any more out of index and list, and gives its record back. */
ALWAYS_INLINE void live_order_drop(fast_engine_t *e, uint32_t index)
{
    order_record_t *order = &e->orders[index];
    OC_ASSERT(order->terms & ORDER_LIVE);
    source_record_t *source = &e->sources[order->source];
    order_index_remove(e, order_index_hash(e, order->source, order->client_order_id), index);
    touch(e, source);
    source_list_leave(e, source, order->list_position);
    record_pool_t *pool = &e->header->orders;
    order->terms = 0;
    order->next = pool->free_head;
    pool->free_head = index;
    pool->used--;
}

#endif
