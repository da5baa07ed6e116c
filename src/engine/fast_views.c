/*
 * What the fast engine shows of its state. Called between commands; reads only.
 */
#include "engine/fast_internal.h"
#include "engine/order_index.h"
#include "engine/pending_work.h"
#include "engine/price_levels.h"
#include "engine/source_list.h"

static const fast_engine_t *fast_of(const oc_engine_t *engine)
{
    return (const fast_engine_t *)engine;
}

static uint32_t find_instrument(const fast_engine_t *e, oc_instrument_id_t id)
{
    return id_map_find(&e->ids, id.value, ID_INSTRUMENT);
}

uint64_t fast_counters_item(const fast_engine_t *e)
{
    const engine_header_t *h = e->header;
    return hash_counters(&(hash_counters_t){
        .entry = h->entry,
        .time_ns = h->time_ns,
        .last_order_id = h->last_order_id,
        .last_trade_id = h->last_trade_id,
        .last_priority = h->last_priority,
        .step_bound = h->step_bound,
        .modify_priority = h->modify_priority,
        .restrictions = h->restrictions,
    });
}

uint64_t fast_state_hash(const oc_engine_t *engine)
{
    const fast_engine_t *e = fast_of(engine);
    uint64_t sum = e->header->item_sum + fast_counters_item(e);
    for (uint32_t i = 0; i < e->header->pending_count; i++)
        sum += pending_hash_item(e, i);
    return sum;
}

uint64_t fast_output_hash(const oc_engine_t *engine)
{
    return hash_output_value(&fast_of(engine)->header->output);
}

void fast_counts(const oc_engine_t *engine, oc_engine_counts_t *counts)
{
    const engine_header_t *h = fast_of(engine)->header;
    *counts = (oc_engine_counts_t){
        .entry = h->entry,
        .time_ns = h->time_ns,
        .last_order_id = {h->last_order_id},
        .last_trade_id = {h->last_trade_id},
        .orders = h->orders.used,
        .levels = h->levels.used,
        .instruments = h->instruments.used,
        .sources = h->sources.used,
        .sessions = h->session_count,
        .pending = h->pending_count,
        .step_bound = h->step_bound,
        .modify_priority = (oc_modify_priority_t)h->modify_priority,
        .restrictions = h->restrictions,
    };
}

void fast_memory(const oc_engine_t *engine, oc_engine_memory_t *memory)
{
    const fast_engine_t *e = fast_of(engine);
    const engine_header_t *h = e->header;
    *memory = (oc_engine_memory_t){
        .arena_bytes = e->arena.size,
        .order_bytes = (uint64_t)h->orders.used * sizeof *e->orders,
        .index_bytes = (uint64_t)e->index_lines * sizeof *e->index,
        .level_bytes = (uint64_t)h->levels.used * sizeof *e->levels +
                       (uint64_t)h->blocks.used * (sizeof *e->blocks + sizeof *e->block_levels) +
                       (uint64_t)h->nodes.used * sizeof *e->nodes,
        .source_list_bytes = (uint64_t)h->chunks.used * sizeof *e->chunks,
    };
}

static void view_order(const fast_engine_t *e, uint32_t index, oc_order_view_t *view)
{
    const order_record_t *order = &e->orders[index];
    const level_record_t *level = &e->levels[order->level];
    const uint32_t side = level->book & 1;
    *view = (oc_order_view_t){
        .instrument = {level_instrument_id(e, level)},
        .source = {e->sources[order->source].id},
        .client_order_id = {order->client_order_id},
        .order_id = {order->order_id},
        .priority = order->priority,
        .price_ticks = level->price_ticks,
        .open_lots = order->open_lots,
        .executed_lots = order->executed_lots,
        .side = (oc_side_t)side,
        .time_in_force = (oc_time_in_force_t)terms_time_in_force(order->terms),
        .flags = terms_flags(order->terms & ~ORDER_LIVE),
        .next_to_trade =
            level->head == index && e->instruments[level->book >> 1].best[side] == order->level,
    };
}

bool fast_order(const oc_engine_t *engine, oc_source_id_t source,
                oc_client_order_id_t client_order_id, oc_order_view_t *view)
{
    const fast_engine_t *e = fast_of(engine);
    const uint32_t owner = id_map_find(&e->ids, source.value, ID_SOURCE);
    if (!owner)
        return false;
    const uint32_t hash = order_index_hash(e, owner, client_order_id.value);
    const uint32_t index = order_index_find(e, hash, owner, client_order_id.value);
    if (index)
        view_order(e, index, view);
    return index != 0;
}

/* A place in a source's list: the bits of `live` that are left of `chunk`, and what lies behind. */
typedef struct list_place {
    uint32_t chunk; /* 0: the end */
    uint32_t live;
} list_place_t;

/* Directly behind an order that is live. */
static list_place_t place_behind(const fast_engine_t *e, uint32_t index)
{
    const uint32_t position = e->orders[index].list_position;
    const uint32_t chunk = position >> LIST_POSITION_SHIFT;
    const uint32_t slot = position & ((1u << LIST_POSITION_SHIFT) - 1);
    OC_ASSERT(e->chunks[chunk].order[slot] == index);
    return (list_place_t){chunk, e->chunks[chunk].live & ~((2u << slot) - 1)};
}

/* The first order above `after`, from the head: ids ascend, so the last one of a chunk tells
 * whether any of it is wanted, and only one chunk is looked through. */
static list_place_t place_above(const fast_engine_t *e, uint32_t head, uint64_t after)
{
    for (uint32_t chunk = head; chunk; chunk = e->chunks[chunk].next) {
        const list_chunk_t *c = &e->chunks[chunk];
        uint32_t live = c->live;
        OC_ASSERT(live != 0);
        if (e->orders[c->order[31 - __builtin_clz(live)]].order_id <= after)
            continue;
        while (e->orders[c->order[__builtin_ctz(live)]].order_id <= after)
            live &= live - 1;
        return (list_place_t){chunk, live};
    }
    return (list_place_t){0, 0};
}

size_t fast_source_orders(const oc_engine_t *engine, oc_source_id_t source, oc_order_id_t after,
                          oc_client_order_id_t after_client_order_id, oc_order_view_t *orders,
                          size_t capacity)
{
    const fast_engine_t *e = fast_of(engine);
    const uint32_t owner = id_map_find(&e->ids, source.value, ID_SOURCE);
    size_t count = 0;
    if (!owner)
        return 0;
    const uint32_t hash = order_index_hash(e, owner, after_client_order_id.value);
    const uint32_t index = order_index_find(e, hash, owner, after_client_order_id.value);
    /* The id may name another order by now: names of orders that are gone can be used again. */
    const bool found = index && e->orders[index].order_id == after.value;
    list_place_t place =
        found ? place_behind(e, index) : place_above(e, e->sources[owner].list_head, after.value);
    while (place.chunk && count < capacity) {
        const list_chunk_t *c = &e->chunks[place.chunk];
        for (uint32_t live = place.live; live && count < capacity; live &= live - 1)
            view_order(e, c->order[__builtin_ctz(live)], &orders[count++]);
        place.chunk = c->next;
        place.live = e->chunks[c->next].live;
    }
    return count;
}

void fast_visit_orders(const oc_engine_t *engine, oc_instrument_id_t instrument, oc_side_t side,
                       oc_order_visitor_t visitor, void *context)
{
    const fast_engine_t *e = fast_of(engine);
    OC_ASSERT(side <= OC_SIDE_SELL);
    const uint32_t index = find_instrument(e, instrument);
    if (!index)
        return;
    uint32_t level = e->instruments[index].best[side];
    for (; level; level = price_levels_next(e, level)) {
        for (uint32_t i = e->levels[level].head; i; i = e->orders[i].next) {
            oc_order_view_t view;
            view_order(e, i, &view);
            if (!visitor(context, &view))
                return;
        }
    }
}

size_t fast_depth(const oc_engine_t *engine, oc_instrument_id_t instrument, oc_side_t side,
                  oc_level_view_t *levels, size_t capacity)
{
    const fast_engine_t *e = fast_of(engine);
    OC_ASSERT(side <= OC_SIDE_SELL);
    const uint32_t index = find_instrument(e, instrument);
    uint32_t level = e->instruments[index].best[side]; /* instrument 0 has no levels */
    size_t count = 0;
    for (; level && count < capacity; level = price_levels_next(e, level)) {
        levels[count++] = (oc_level_view_t){
            .price_ticks = e->levels[level].price_ticks,
            .open_lots = e->levels[level].open_lots,
            .order_count = e->levels[level].order_count,
        };
    }
    return count;
}

bool fast_instrument(const oc_engine_t *engine, oc_instrument_id_t id, oc_instrument_view_t *view)
{
    const fast_engine_t *e = fast_of(engine);
    const uint32_t index = find_instrument(e, id);
    if (!index)
        return false;
    const instrument_record_t *instrument = &e->instruments[index];
    *view = (oc_instrument_view_t){
        .id = id,
        .state = (oc_instrument_state_t)instrument->state,
        .price_low_ticks = instrument->price_low_ticks,
        .price_high_ticks = instrument->price_high_ticks,
        .max_quantity_lots = instrument->max_quantity_lots,
        .mark_price_ticks = instrument->mark_price_ticks,
        .has_mark_price = instrument->has_mark_price != 0,
        .levels = {instrument->level_count[0], instrument->level_count[1]},
    };
    return true;
}

oc_instrument_id_t fast_next_instrument(const oc_engine_t *engine, oc_instrument_id_t after)
{
    const fast_engine_t *e = fast_of(engine);
    uint32_t low = 0;
    uint32_t high = e->header->instruments.used;
    while (low < high) { /* the first one above `after` */
        const uint32_t middle = low + (high - low) / 2;
        if (e->instruments[e->instruments_by_id[middle]].id > after.value)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == e->header->instruments.used)
        return (oc_instrument_id_t){0};
    return (oc_instrument_id_t){e->instruments[e->instruments_by_id[low]].id};
}

bool fast_source(const oc_engine_t *engine, oc_source_id_t id, oc_source_view_t *view)
{
    const fast_engine_t *e = fast_of(engine);
    const uint32_t index = id_map_find(&e->ids, id.value, ID_SOURCE);
    if (!index)
        return false;
    const source_record_t *source = &e->sources[index];
    *view = (oc_source_view_t){
        .id = id,
        .roles = source->roles,
        .sequence = source->sequence,
        .last_status = (oc_reason_t)source->last_status,
        .session = {source->session},
        .session_first = {source->session_first},
        .orders = source->live_orders,
    };
    return true;
}
