/*
 * The live orders of each source, in order-id order: a list of chunks with thirteen slots. An order
 * joins at the tail and remembers its slot; leaving empties the slot and costs a store, no search.
 * So a mass cancel by source costs what it cancels, whatever the book holds.
 *
 * Invariants:
 *  - slots of a chunk are filled in order and never again; a chunk without live slots leaves at
 *    once, so there are at most as many chunks as live orders;
 *  - the front item of pending work has its place in (header.list_chunk, header.list_slot): the
 *    next slot to look at. Chunk 0 means the head of the list. A chunk that leaves hands the place
 *    on.
 */
#ifndef ENGINE_SOURCE_LIST_H
#define ENGINE_SOURCE_LIST_H

#include "engine/fast_state.h"

#define LIST_POSITION_SHIFT 4
_Static_assert(LIST_CHUNK_SLOTS <= 1 << LIST_POSITION_SHIFT, "a slot number fits");

/* A fresh chunk at the tail. */
void source_list_grow(fast_engine_t *e, source_record_t *source);

/* Takes out a chunk whose last live slot has gone. */
void source_list_shrink(fast_engine_t *e, source_record_t *source, uint32_t chunk);

/* The next live order at or behind the place of the front item, 0 at the end; the place moves to
 * it. */
uint32_t source_list_next(fast_engine_t *e, const source_record_t *source);

/* Adds the order, whose id is above all in the list. Source and order have been touched. */
static inline void source_list_join(fast_engine_t *e, source_record_t *source, uint32_t index)
{
    if (source->list_tail == 0 || e->chunks[source->list_tail].used == LIST_CHUNK_SLOTS)
        source_list_grow(e, source);
    list_chunk_t *chunk = &e->chunks[source->list_tail];
    touch(e, chunk);
    const uint32_t slot = chunk->used++;
    chunk->live = (uint16_t)(chunk->live | 1u << slot);
    chunk->order[slot] = index;
    e->orders[index].list_position = source->list_tail << LIST_POSITION_SHIFT | slot;
    source->live_orders++;
}

/* Removes the order. Its source has been touched. */
static inline void source_list_leave(fast_engine_t *e, source_record_t *source, uint32_t position)
{
    const uint32_t at = position >> LIST_POSITION_SHIFT;
    const uint32_t slot = position & ((1u << LIST_POSITION_SHIFT) - 1);
    list_chunk_t *chunk = &e->chunks[at];
    touch(e, chunk);
    chunk->live = (uint16_t)(chunk->live & ~(1u << slot));
    chunk->order[slot] = 0;
    if (UNLIKELY(chunk->live == 0))
        source_list_shrink(e, source, at);
    source->live_orders--;
}

#endif
