/*
 * The queue of a price level, oldest first: doubly linked orders. The neighbours of an order are
 * stored to but never waited for, so leaving the middle of a queue of a million costs what leaving
 * any costs.
 *
 * Invariant: header.walk_order is an order of header.walk_level that comes next in the walk of the
 * front item of pending work, or 0 when the walk has passed the level's tail; leaving and joining
 * keep it so.
 */
#ifndef ENGINE_ORDER_QUEUE_H
#define ENGINE_ORDER_QUEUE_H

#include "engine/fast_state.h"

/* Joins the end. The caller has touched order and level, and keeps the level's totals. */
static inline void order_queue_join(fast_engine_t *e, uint32_t level_index, uint32_t index)
{
    level_record_t *level = &e->levels[level_index];
    order_record_t *order = &e->orders[index];
    order->level = level_index;
    order->next = 0;
    order->prev = level->tail;
    if (level->tail) {
        touch(e, &e->orders[level->tail]);
        e->orders[level->tail].next = index;
    } else {
        level->head = index;
    }
    level->tail = index;
    if (UNLIKELY(e->header->walk_level == level_index) && e->header->walk_order == 0)
        e->header->walk_order = index;
}

/* Leaves from anywhere. The caller has touched order and level, and keeps the level's totals. */
static inline void order_queue_leave(fast_engine_t *e, uint32_t index)
{
    order_record_t *order = &e->orders[index];
    level_record_t *level = &e->levels[order->level];
    OC_ASSERT(level->order_count > 0);
    if (UNLIKELY(e->header->walk_order == index))
        e->header->walk_order = order->next;
    if (order->prev) {
        touch(e, &e->orders[order->prev]);
        e->orders[order->prev].next = order->next;
    } else {
        level->head = order->next;
    }
    if (order->next) {
        touch(e, &e->orders[order->next]);
        e->orders[order->next].prev = order->prev;
    } else {
        level->tail = order->prev;
    }
}

#endif
