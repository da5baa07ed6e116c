/*
 * Hash items of sources and instruments. What changes often has its item kept in the record, so
 * that a change costs one mix and two adds.
 */
#ifndef ENGINE_FAST_ITEMS_H
#define ENGINE_FAST_ITEMS_H

#include "engine/fast_state.h"
#include "engine/state_hash.h"

/* The source's whole item, from all its fields. */
static inline uint64_t source_item(const source_record_t *source)
{
    return hash_source(&(hash_source_t){
        .id = source->id,
        .roles = source->roles,
        .sequence = source->sequence,
        .session = source->session,
        .session_first = source->session_first,
        .last_status = source->last_status,
    });
}

static inline uint64_t instrument_item(const instrument_record_t *instrument)
{
    return hash_instrument(&(hash_instrument_t){
        .id = instrument->id,
        .state = instrument->state,
        .price_low_ticks = instrument->price_low_ticks,
        .price_high_ticks = instrument->price_high_ticks,
        .max_quantity_lots = instrument->max_quantity_lots,
        .mark_price_ticks = instrument->mark_price_ticks,
        .has_mark_price = instrument->has_mark_price,
    });
}

/* A source's item leaves the sum before its roles or session change, and comes back after. */
static inline void source_item_out(fast_engine_t *e, const source_record_t *source)
{
    e->header->item_sum -= source_item(source);
}

static inline void source_item_in(fast_engine_t *e, source_record_t *source)
{
    source->progress_item = hash_source_progress(source->id, source->sequence, source->last_status);
    e->header->item_sum += source_item(source);
}

/* Takes a sequence number and what became of its command into a touched record, item and sum. */
static inline void source_progress(fast_engine_t *e, source_record_t *source, uint64_t sequence,
                                   uint32_t status)
{
    const uint64_t item = hash_source_progress(source->id, sequence, status);
    e->header->item_sum += item - source->progress_item;
    source->progress_item = item;
    source->sequence = sequence;
    source->last_status = status;
}

/* After a change to a touched record: its item and the sum follow. */
static inline void instrument_refresh_item(fast_engine_t *e, instrument_record_t *instrument)
{
    const uint64_t item = instrument_item(instrument);
    e->header->item_sum += item - instrument->hash_item;
    instrument->hash_item = item;
}

#endif
