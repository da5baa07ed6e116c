/*
 * A fast engine whose arena was filled from an image. Called through engine_records.h: first
 * fast_restored(), then fast_hash_part() by as many threads as the caller has, then
 * fast_hash_check().
 *
 * Invariant: nothing is stored into the arena. Whatever bytes lie there, nothing outside of the
 * tables is read: an index that leads out of its table counts as 0, so that the sum comes out
 * wrong. Links of orders, levels and blocks are not followed here; what protects them are the
 * checksums of the image's pages.
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

/* ---- What is used as an index before anything else would notice ------------------------------*/

/* The key's record is in its table, and is the key's. */
static bool id_possible(const fast_engine_t *e, const id_map_slot_t *slot)
{
    const engine_header_t *h = e->header;
    const uint32_t top = slot->tag == ID_INSTRUMENT ? h->instruments.top : h->sources.top;
    if (slot->value > top)
        return false;
    switch (slot->tag) {
    case ID_SOURCE:
        return slot->key && e->sources[slot->value].id == slot->key;
    case ID_INSTRUMENT:
        return slot->key && e->instruments[slot->value].id == slot->key;
    case ID_SESSION:
        return slot->key && e->sources[slot->value].session == slot->key;
    default:
        return false;
    }
}

/* The first slot from `at` on in a page that was ever stored to. In the others all slots are free;
 * to look at them would fault their memory in. */
static uint64_t stored_slot(const fast_engine_t *e, const id_map_t *map, uint64_t at)
{
    const uint64_t begin = (uint64_t)((const uint8_t *)map->slots - e->arena.base);
    while (at <= map->mask) {
        const uint64_t page = (begin + at * sizeof *map->slots) >> OC_ARENA_PAGE_SHIFT;
        if (e->arena.stamps[page])
            break;
        at = (((page + 1) << OC_ARENA_PAGE_SHIFT) - begin) / sizeof *map->slots;
    }
    return at;
}

/* The number too: a map without a free slot would be searched for ever. */
static bool ids_possible(const fast_engine_t *e)
{
    const engine_header_t *h = e->header;
    uint64_t used = 0;
    for (uint64_t i = stored_slot(e, &e->ids, 0); i <= e->ids.mask;
         i = stored_slot(e, &e->ids, i + 1)) {
        const id_map_slot_t *slot = &e->ids.slots[i];
        if (slot->value && !id_possible(e, slot))
            return false;
        used += slot->value != 0;
    }
    return used == (uint64_t)h->sources.used + h->instruments.used + h->session_count;
}

static bool block_map_possible(const fast_engine_t *e)
{
    uint64_t used = 0;
    for (uint64_t i = stored_slot(e, &e->block_map, 0); i <= e->block_map.mask;
         i = stored_slot(e, &e->block_map, i + 1)) {
        const uint32_t value = e->block_map.slots[i].value;
        if (value > e->header->blocks.top)
            return false;
        used += value != 0;
    }
    return used == e->header->blocks.used;
}

static bool item_possible(const fast_engine_t *e, const pending_item_t *item)
{
    const bool mass_cancel = item->command == OC_COMMAND_MASS_CANCEL;
    if (item->source > e->header->sources.top || item->instrument > e->header->instruments.top ||
        item->sides > OC_SIDES_SELL || item->side > 2)
        return false;
    if (item->source == 0 && item->instrument == 0)
        return false;
    if (item->source && e->sources[item->source].id == 0)
        return false;
    if (mass_cancel)
        return item->scope >= OC_SCOPE_SOURCE && item->scope <= OC_SCOPE_INSTRUMENT &&
               (item->scope == OC_SCOPE_INSTRUMENT) == (item->source == 0);
    return item->scope == 0 &&
           (item->command == OC_COMMAND_SESSION_DOWN
                ? item->source != 0
                : item->command == OC_COMMAND_INSTRUMENT_STATE && item->source == 0);
}

static bool queue_possible(const fast_engine_t *e)
{
    const engine_header_t *h = e->header;
    uint32_t mass_cancels = 0;
    for (uint32_t i = 0; i < h->pending_count; i++) {
        const uint32_t slot = (uint32_t)(((uint64_t)h->pending_head + i) % e->pending_capacity);
        if (!item_possible(e, &e->pending[slot]))
            return false;
        mass_cancels += e->pending[slot].command == OC_COMMAND_MASS_CANCEL;
    }
    for (uint32_t i = 0; i < h->mass_count; i++) {
        const uint32_t at = (uint32_t)(((uint64_t)h->mass_head + i) % e->config.max_pending);
        if (e->mass_slots[at] >= e->pending_capacity)
            return false;
    }
    return mass_cancels == h->mass_count;
}

/* What sources and instruments refer to. */
static bool records_possible(const fast_engine_t *e)
{
    const engine_header_t *h = e->header;
    for (uint32_t i = 1; i <= h->sources.top; i++) {
        const source_record_t *s = &e->sources[i];
        if (s->list_head > h->chunks.top || s->list_tail > h->chunks.top ||
            s->disconnect_slot > e->pending_capacity || s->free_link > h->sources.top)
            return false;
    }
    for (uint32_t i = 1; i <= h->instruments.top; i++) {
        const instrument_record_t *n = &e->instruments[i];
        const uint32_t at = e->instruments_by_id[i - 1];
        if (at == 0 || at > h->instruments.top || n->expiry_slot > e->pending_capacity ||
            n->state > OC_STATE_HALTED)
            return false;
        for (uint32_t side = 0; side < 2; side++)
            if (n->best[side] > h->levels.top || n->root[side] > h->nodes.top ||
                n->kept_next[side] >= KEPT_BLOCKS_MAX)
                return false;
    }
    return true;
}

/* What is wrong; NULL if nothing is. The later ones rely on the ones before. */
static const char *impossible(const fast_engine_t *e)
{
    if (!header_possible(e))
        return "header";
    if (!records_possible(e))
        return "source or instrument";
    if (!ids_possible(e))
        return "map of ids";
    if (!block_map_possible(e))
        return "map of level blocks";
    return queue_possible(e) ? NULL : "queue of pending work";
}

oc_err_t fast_restored(oc_engine_t *engine)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    const char *what = impossible(e);
    if (what)
        return error_set(OC_ERR_DAMAGED,
                         "engine: the restored %s (entry %" PRIu64
                         ") cannot be that of an engine with these tables",
                         what, e->header->entry);
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
