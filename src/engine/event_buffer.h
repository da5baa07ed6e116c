/*
 * Events on their way out: filled by the commands, handed to the sink when full and at the end of a
 * call. The running output hash is taken when they leave, over events still in cache.
 */
#ifndef ENGINE_EVENT_BUFFER_H
#define ENGINE_EVENT_BUFFER_H

#include "engine/fast_state.h"

/* Hashes what is buffered, passes it to the sink and empties the buffer. */
void event_buffer_flush(fast_engine_t *e);

/* CONFIRMED to the sender of the command. */
void emit_confirmed(fast_engine_t *e, const oc_command_t *c);

/* The next event to fill in; every byte of it must be written. */
ALWAYS_INLINE oc_event_t *event_buffer_next(fast_engine_t *e)
{
    if (UNLIKELY(e->event_next == e->event_end))
        event_buffer_flush(e);
    return e->event_next++;
}

static inline void emit_level(fast_engine_t *e, const level_record_t *level)
{
    *event_buffer_next(e) = (oc_event_t){
        .type = OC_EVENT_LEVEL,
        .side = (uint8_t)(level->book & 1),
        .instrument = {level_instrument_id(e, level)},
        .order_count = level->order_count,
        .entry = e->header->entry,
        .price_ticks = level->price_ticks,
        .quantity_lots = level->open_lots,
    };
}

#endif
