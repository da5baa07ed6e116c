/*
 * The fast engine's state, item by item. Called through engine_records.h between commands, by
 * several threads at the same time; reads only.
 *
 * A level's queue is a linked list, so each order's record must have come from memory before the
 * next one can be asked for. The walk therefore goes over many levels at a time: while one order
 * is read the others' next ones are on their way.
 */
#include "base/error.h"
#include "engine/fast_internal.h"
#include "engine/pending_work.h"
#include "engine/price_levels.h"

#include <stdlib.h>

static const fast_engine_t *fast_of(const oc_engine_t *engine)
{
    return (const fast_engine_t *)engine;
}

void fast_totals(const oc_engine_t *engine, engine_totals_t *totals)
{
    const engine_header_t *h = fast_of(engine)->header;
    *totals = (engine_totals_t){
        .entry = h->entry,
        .time_ns = h->time_ns,
        .last_order_id = h->last_order_id,
        .last_trade_id = h->last_trade_id,
        .last_priority = h->last_priority,
        .output = h->output,
        .step_bound = h->step_bound,
        .modify_priority = h->modify_priority,
        .restrictions = h->restrictions,
    };
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t x = ((const oc_source_id_t *)a)->value;
    const uint32_t y = ((const oc_source_id_t *)b)->value;
    return (x > y) - (x < y);
}

void fast_source_ids(const oc_engine_t *engine, oc_source_id_t *ids)
{
    const fast_engine_t *e = fast_of(engine);
    uint32_t count = 0;
    bool sorted = true;
    for (uint32_t i = 1; i <= e->header->sources.top; i++) {
        if (e->sources[i].id == 0)
            continue;
        ids[count].value = e->sources[i].id;
        sorted = sorted && (count == 0 || ids[count - 1].value < ids[count].value);
        count++;
    }
    OC_ASSERT(count == e->header->sources.used);
    if (!sorted)
        qsort(ids, count, sizeof *ids, compare_ids);
}

void fast_pending_items(const oc_engine_t *engine, hash_pending_t *items)
{
    const fast_engine_t *e = fast_of(engine);
    for (uint32_t i = 0; i < e->header->pending_count; i++)
        items[i] = pending_logical(e, i);
}

/* Where the runs of the books so far end. */
typedef struct run_list {
    engine_order_run_t *runs;
    size_t count;
    uint64_t orders;
} run_list_t;

/* The levels of a book, best first: by the blocks' links and bitmaps. */
static void add_book(const fast_engine_t *e, uint32_t book, run_list_t *list)
{
    const uint32_t best = e->instruments[book >> 1].best[book & 1];
    if (!best)
        return;
    const int64_t key = price_key(book & 1, e->levels[best].price_ticks) >> 6;
    uint32_t block = id_map_find(&e->block_map, (uint64_t)key, book);
    for (; block; block = e->blocks[block].worse) {
        __builtin_prefetch(&e->blocks[e->blocks[block].worse]);
        for (uint64_t bits = e->blocks[block].levels; bits; bits &= bits - 1) {
            const uint32_t index = e->block_levels[block].level[__builtin_ctzll(bits)];
            const level_record_t *level = &e->levels[index];
            OC_ASSERT(list->count < e->header->levels.used);
            list->runs[list->count++] = (engine_order_run_t){
                .first = list->orders,
                .count = level->order_count,
                .head = level->head,
                .book = book,
                .level = index,
            };
            list->orders += level->order_count;
        }
    }
}

oc_err_t fast_order_runs(const oc_engine_t *engine, engine_order_run_t **runs, size_t *count)
{
    const fast_engine_t *e = fast_of(engine);
    const size_t room = (size_t)e->header->levels.used + 1; /* never nothing */
    run_list_t list = {.runs = calloc(room, sizeof *list.runs)};
    if (!list.runs)
        return error_set(OC_ERR_NO_MEMORY, "engine: no memory for %zu runs of orders", room);
    for (uint32_t i = 0; i < e->header->instruments.used; i++) {
        const uint32_t instrument = e->instruments_by_id[i];
        add_book(e, instrument * 2 + OC_SIDE_BUY, &list);
        add_book(e, instrument * 2 + OC_SIDE_SELL, &list);
    }
    OC_ASSERT(list.count == e->header->levels.used);
    OC_ASSERT(list.orders == e->header->orders.used);
    *runs = list.runs;
    *count = list.count;
    return OC_ERR_OK;
}

/* Puts the next run into a lane; its first order is asked for. */
static void lane_begin(const fast_engine_t *e, engine_walk_t *walk, engine_walk_lane_t *lane)
{
    const engine_order_run_t *run = walk->runs++;
    walk->run_count--;
    __builtin_prefetch(&e->orders[run->head]);
    *lane = (engine_walk_lane_t){
        .place = run->first,
        .price_ticks = e->levels[run->level].price_ticks,
        .left = run->count,
        .next = run->head,
        .book = run->book,
        .instrument = e->instruments[run->book >> 1].id,
    };
}

/* Fills lanes while there are runs. */
static void lanes_fill(const fast_engine_t *e, engine_walk_t *walk)
{
    while (walk->lanes < ENGINE_WALK_LANES && walk->run_count) {
        if (walk->runs->count == 0) { /* no run of ours is empty; a caller's own may be */
            walk->runs++;
            walk->run_count--;
            continue;
        }
        lane_begin(e, walk, &walk->lane_at[walk->lanes++]);
    }
}

/* The lane's next order; the one behind it is asked for. */
ALWAYS_INLINE void lane_read(const fast_engine_t *e, engine_walk_lane_t *lane, engine_order_t *out)
{
    const order_record_t *o = &e->orders[lane->next];
    __builtin_prefetch(&e->orders[o->next]);
    *out = (engine_order_t){
        .client_order_id = o->client_order_id,
        .order_id = o->order_id,
        .priority = o->priority,
        .price_ticks = lane->price_ticks,
        .open_lots = o->open_lots,
        .executed_lots = o->executed_lots,
        .source = e->sources[o->source].id,
        .instrument = lane->instrument,
        .terms = o->terms & ~ORDER_LIVE,
    };
    lane->next = o->next;
    lane->left--;
}

size_t fast_walk_next(engine_walk_t *walk, engine_order_t *orders, uint64_t *places)
{
    const fast_engine_t *e = fast_of(walk->engine);
    size_t count = 0;
    lanes_fill(e, walk);
    while (count < ENGINE_WALK_BATCH && walk->lanes) {
        if (walk->lane >= walk->lanes)
            walk->lane = 0;
        engine_walk_lane_t *lane = &walk->lane_at[walk->lane++];
        places[count] = lane->place++;
        lane_read(e, lane, &orders[count++]);
        if (LIKELY(lane->left))
            continue;
        *lane = walk->lane_at[--walk->lanes];
        lanes_fill(e, walk);
    }
    return count;
}
