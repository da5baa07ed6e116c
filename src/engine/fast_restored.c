/*
 * A fast engine whose arena was filled from an image. Called through engine_records.h: first
 * fast_restored(), then fast_hash_part() by as many threads as the caller has, then
 * fast_hash_check().
 *
 * Invariant: nothing is stored into the arena. Whatever bytes lie there, nothing outside of the
 * tables is read: an index that leads out of its table counts as 0, so that the sum comes out
 * wrong.
 */
#include "base/error.h"
#include "engine/fast_internal.h"
#include "engine/fast_items.h"

#include <inttypes.h>
#include <string.h>

oc_arena_t *fast_arena(oc_engine_t *engine)
{
    return &((fast_engine_t *)engine)->arena;
}

static bool pool_possible(const record_pool_t *pool, uint32_t capacity)
{
    return pool->capacity == capacity && pool->top <= capacity && pool->used <= pool->top &&
           pool->free_head <= pool->top;
}

/* What the header says of the tables is possible. Their sizes are part of the image's layout. */
static bool header_possible(const fast_engine_t *e)
{
    const engine_header_t *h = e->header;
    const oc_engine_config_t *c = &e->config;
    const bool pools =
        pool_possible(&h->orders, c->max_orders) && pool_possible(&h->levels, c->max_levels) &&
        pool_possible(&h->blocks, e->block_capacity) &&
        pool_possible(&h->nodes, e->node_capacity) && pool_possible(&h->chunks, c->max_orders) &&
        pool_possible(&h->instruments, c->max_instruments) &&
        pool_possible(&h->sources, c->max_sources);
    const bool queue = h->pending_count <= e->pending_capacity &&
                       h->pending_head < e->pending_capacity && h->mass_count <= h->pending_count &&
                       h->mass_count <= c->max_pending && h->mass_head < c->max_pending &&
                       h->session_count <= c->max_sessions;
    const bool places = h->walk_level <= h->levels.top && h->walk_order <= h->orders.top &&
                        h->list_chunk <= h->chunks.top && h->list_slot <= LIST_CHUNK_SLOTS;
    return pools && queue && places && h->hash_key[1] >> 63 &&
           h->modify_priority <= OC_PRIORITY_LOSE && h->step_bound >= 1 &&
           h->step_bound <= OC_STEP_BOUND_MAX && !(h->restrictions & ~OC_RESTRICT_ALL);
}

oc_err_t fast_restored(oc_engine_t *engine)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    if (!header_possible(e))
        return error_set(OC_ERR_DAMAGED,
                         "engine: the restored header (entry %" PRIu64
                         ") cannot be that of an engine with these tables",
                         e->header->entry);
    memcpy(e->hash_key, e->header->hash_key, sizeof e->hash_key);
    memcpy(e->ids.hash_key, e->header->hash_key, sizeof e->ids.hash_key);
    memcpy(e->block_map.hash_key, e->header->hash_key, sizeof e->block_map.hash_key);
    fast_forget_hints(e);
    e->load.phase = LOAD_NONE;
    e->stopped = false;
    OC_ASSERT(e->event_next == e->events);
    return OC_ERR_OK;
}

/* The share of `count` records that a part has: from *first up to the value returned. */
static uint32_t share(uint32_t count, unsigned part, unsigned parts, uint32_t *first)
{
    *first = (uint32_t)((uint64_t)count * part / parts);
    return (uint32_t)((uint64_t)count * (part + 1) / parts);
}

static uint64_t sum_orders(const fast_engine_t *e, uint32_t first, uint32_t end)
{
    const uint32_t levels = e->header->levels.top;
    const uint32_t instruments = e->header->instruments.top;
    const uint32_t sources = e->header->sources.top;
    uint64_t sum = 0;
    for (uint32_t i = first; i < end; i++) {
        const order_record_t *o = &e->orders[i + 1];
        if (o->terms == 0)
            continue;
        const level_record_t *level = &e->levels[o->level <= levels ? o->level : 0];
        const uint32_t instrument = level->book >> 1;
        sum += hash_order(&(hash_order_t){
            .client_order_id = o->client_order_id,
            .order_id = o->order_id,
            .priority = o->priority,
            .price_ticks = level->price_ticks,
            .open_lots = o->open_lots,
            .executed_lots = o->executed_lots,
            .source = e->sources[o->source <= sources ? o->source : 0].id,
            .instrument = e->instruments[instrument <= instruments ? instrument : 0].id,
            .terms = o->terms ^ ORDER_LIVE, /* a record in use has the bit */
        });
    }
    return sum;
}

uint64_t fast_hash_part(const oc_engine_t *engine, unsigned part, unsigned parts)
{
    const fast_engine_t *e = (const fast_engine_t *)engine;
    const engine_header_t *h = e->header;
    uint32_t first = 0;
    uint32_t end = share(h->orders.top, part, parts, &first);
    uint64_t sum = sum_orders(e, first, end);
    end = share(h->sources.top, part, parts, &first);
    for (uint32_t i = first; i < end; i++) {
        if (e->sources[i + 1].id)
            sum += source_item(&e->sources[i + 1]);
    }
    end = share(h->instruments.top, part, parts, &first);
    for (uint32_t i = first; i < end; i++)
        sum += instrument_item(&e->instruments[i + 1]);
    return sum;
}

oc_err_t fast_hash_check(const oc_engine_t *engine, uint64_t sum)
{
    const fast_engine_t *e = (const fast_engine_t *)engine;
    if (sum != e->header->item_sum)
        return error_set(OC_ERR_DAMAGED,
                         "engine: the items of the restored state (entry %" PRIu64
                         ") sum to %016" PRIx64 ", it carries %016" PRIx64,
                         e->header->entry, sum, e->header->item_sum);
    return OC_ERR_OK;
}
