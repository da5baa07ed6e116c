/*
 * The fast engine: its tables in the arena, and what lies beside them.
 *
 * Everything replicated is in the arena. Beside it are the limits, which never change, hints, which
 * never change a result, the hash key (its copy in the header counts when an arena is restored),
 * the way out for events, how far a load is, and whether the engine has stopped for good.
 */
#ifndef ENGINE_FAST_STATE_H
#define ENGINE_FAST_STATE_H

#include "base/id_map.h"
#include "engine/engine_vtable.h"
#include "engine/fast_records.h"
#include "engine/load_check.h"

/* Where the next aggressors of an instrument will begin: the orders at the heads of its books are
 * fetched one per command after a match. A hint beside the state: it may point at anything. */
typedef struct head_hint {
    uint32_t order[2]; /* by side: already fetched */
    uint32_t left;     /* commands that still fetch one more of each */
} head_hint_t;

typedef struct fast_engine {
    oc_engine_t base;
    engine_header_t *header;
    order_record_t *orders;
    order_index_line_t *index;
    level_record_t *levels;
    block_record_t *blocks;
    block_levels_t *block_levels;
    kept_ring_t *kept;
    tree_node_t *nodes;
    instrument_record_t *instruments;
    source_record_t *sources;
    list_chunk_t *chunks;
    pending_item_t *pending;
    uint32_t *mass_slots; /* ring of the pending slots that hold mass cancels, oldest first */
    uint32_t *instruments_by_id; /* indices in ascending order of id */
    id_map_t ids;
    id_map_t block_map; /* (block key, book) -> block */
    uint32_t index_lines;
    uint32_t kept_limit; /* emptied blocks kept per book */
    uint32_t pending_capacity;
    uint32_t block_capacity;
    uint32_t node_capacity;
    uint32_t source_hint; /* index looked up ahead or last; checked before use */
    uint32_t instrument_hint;
    uint32_t level_hint;
    bool looked_ahead;       /* inside a batch: what a command needs has been fetched before it */
    head_hint_t *head_hints; /* by instrument */
    uint64_t hash_key[2];
    oc_event_t *events;     /* the buffer */
    oc_event_t *event_next; /* where the next one goes */
    oc_event_t *event_end;
    oc_event_sink_t sink;
    void *sink_context;
    bool stopped; /* an unknown rules version was asked for: */
    uint32_t asked_version;
    oc_arena_t arena;
    oc_engine_config_t config;
    load_check_t load; /* a load's progress (engine_records.h) */
} fast_engine_t;

ALWAYS_INLINE void touch(fast_engine_t *e, const void *record)
{
    oc_arena_touch(&e->arena, record);
}

/* The key of a price in its book: ascending from best to worst. */
static inline int64_t price_key(uint32_t side, int64_t price_ticks)
{
    return price_ticks ^ ((int64_t)side - OC_SIDE_SELL); /* no branch: sides come at random */
}

/* The instrument of a level, by the id that events and hashes use. */
ALWAYS_INLINE uint32_t level_instrument_id(const fast_engine_t *e, const level_record_t *level)
{
    return e->instruments[level->book >> 1].id;
}

/* The instrument of an id by a hint that is checked, so it never changes a result; 0 if unknown. */
static inline uint32_t instrument_find(fast_engine_t *e, oc_instrument_id_t id)
{
    if (LIKELY(e->instruments[e->instrument_hint].id == id.value))
        return e->instrument_hint; /* id 0 is found at index 0: none */
    const uint32_t found = id_map_find(&e->ids, id.value, ID_INSTRUMENT);
    if (found)
        e->instrument_hint = found;
    return found;
}

static inline uint32_t source_find(fast_engine_t *e, oc_source_id_t id)
{
    if (LIKELY(e->sources[e->source_hint].id == id.value) && LIKELY(id.value))
        return e->source_hint;
    const uint32_t found = id_map_find(&e->ids, id.value, ID_SOURCE);
    if (found)
        e->source_hint = found;
    return found;
}

#endif
