/*
 * Hash items of sources and instruments: kept in the record, so that a change costs one mix and two
 * adds.
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

/* Takes a sequence number and what became of its command into a touched record, item and sum. */
static inline void source_progress(fast_engine_t *e, source_record_t *source, uint64_t sequence,
                                   uint32_t status)
{
    const uint64_t before = hash_source_progress(source->id, source->sequence, source->last_status);
    const uint64_t after = hash_source_progress(source->id, sequence, status);
    source->sequence = sequence;
    source->last_status = status;
    source->hash_item += after - before;
    e->header->item_sum += after - before;
}

/* After a change to a touched record: its item and the sum follow. */
static inline void source_refresh_item(fast_engine_t *e, source_record_t *source)
{
    const uint64_t item = source_item(source);
    e->header->item_sum += item - source->hash_item;
    source->hash_item = item;
}

static inline void instrument_refresh_item(fast_engine_t *e, instrument_record_t *instrument)
{
    const uint64_t item = instrument_item(instrument);
    e->header->item_sum += item - instrument->hash_item;
    instrument->hash_item = item;
}

#endif
