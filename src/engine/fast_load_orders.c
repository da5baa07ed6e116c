/*
 * Orders put into the fast engine. They come in price-time order: each joins the end of its level's
 * queue, and opens the level if it is the first of it. The lists by source are in order-id order
 * and are built at the end, from all orders sorted by id.
 *
 * Called through engine_records.h. Works on a few orders at a time, so that the lines of the index
 * that they hash to are fetched together.
 */
#include "base/error.h"
#include "engine/fast_internal.h"
#include "engine/fast_load.h"
#include "engine/live_orders.h"
#include "engine/order_sort.h"
#include "engine/price_levels.h"

#include <inttypes.h>
#include <stdlib.h>

enum { TOGETHER = 32, LISTS_AHEAD = 16 };

/* What an order is joined to. */
typedef struct load_place {
    uint32_t source;
    uint32_t instrument;
    uint32_t hash;
} load_place_t;

static oc_err_t refuse(fast_engine_t *e, uint64_t order_id, const char *why)
{
    return load_check_fail(
        &e->load,
        error_set(OC_ERR_DAMAGED, "engine: state to load: order %" PRIu64 ": %s", order_id, why));
}

/* The order's instrument: that of the order before, or another one. */
static oc_err_t find_instrument(fast_engine_t *e, const engine_order_t *order, uint32_t *index)
{
    *index = instrument_find(e, (oc_instrument_id_t){order->instrument});
    if (!*index)
        return refuse(e, order->order_id, "its instrument is not known");
    if (order->instrument == e->load.instrument)
        return OC_ERR_OK;
    return load_check_book(&e->load, order, (oc_instrument_state_t)e->instruments[*index].state);
}

static oc_err_t find_place(fast_engine_t *e, const engine_order_t *order, load_place_t *place)
{
    oc_err_t err = find_instrument(e, order, &place->instrument);
    if (err == OC_ERR_OK)
        err = load_check_order(&e->load, order);
    if (err != OC_ERR_OK)
        return err;
    place->source = source_find(e, (oc_source_id_t){order->source});
    if (!place->source)
        return refuse(e, order->order_id, "its source is not known");
    place->hash = order_index_hash(e, place->source, order->client_order_id);
    order_index_prefetch(e, place->hash);
    return OC_ERR_OK;
}

/* The level at the order's price: the one that was last joined, or a new one. */
static uint32_t level_for(fast_engine_t *e, uint32_t book, int64_t price_ticks)
{
    const level_record_t *last = &e->levels[e->level_hint];
    if (e->level_hint && last->book == book && last->price_ticks == price_ticks)
        return e->level_hint;
    e->level_hint = price_levels_add(e, book, price_ticks);
    return e->level_hint;
}

static oc_err_t put_order(fast_engine_t *e, const engine_order_t *order, const load_place_t *place)
{
    if (order_index_find(e, place->hash, place->source, order->client_order_id))
        return refuse(e, order->order_id, "its source has another one of that client order id");
    const uint32_t index = live_order_take(e);
    order_record_t *record = &e->orders[index];
    record->client_order_id = order->client_order_id;
    record->order_id = order->order_id;
    record->priority = order->priority;
    record->open_lots = order->open_lots;
    record->executed_lots = order->executed_lots;
    record->source = place->source;
    record->terms = ORDER_LIVE | order->terms;
    order_index_insert(e, place->hash, index);
    const uint32_t book = place->instrument * 2 + (order->terms & 1);
    const uint32_t level_index = level_for(e, book, order->price_ticks);
    level_record_t *level = &e->levels[level_index];
    touch(e, level);
    order_queue_join(e, level_index, index);
    level->order_count++;
    level->open_lots += order->open_lots;
    e->header->item_sum += live_order_item(e, record, level);
    return OC_ERR_OK;
}

oc_err_t fast_load_orders(oc_engine_t *engine, const engine_order_t *orders, size_t count)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    load_place_t places[TOGETHER];
    oc_err_t err = load_check_orders(&e->load);
    for (size_t done = 0; done < count && err == OC_ERR_OK; done += TOGETHER) {
        const size_t here = count - done < TOGETHER ? count - done : TOGETHER;
        for (size_t i = 0; i < here && err == OC_ERR_OK; i++)
            err = find_place(e, &orders[done + i], &places[i]);
        for (size_t i = 0; i < here && err == OC_ERR_OK; i++)
            err = put_order(e, &orders[done + i], &places[i]);
    }
    return err;
}

/* All orders with their priorities, or with their ids, in the order of records. */
static void list_keys(const fast_engine_t *e, sort_entry_t *entries, bool by_priority)
{
    for (uint32_t i = 0; i < e->header->orders.used; i++) {
        const order_record_t *order = &e->orders[i + 1];
        entries[i].key = by_priority ? order->priority : order->order_id;
        entries[i].value = i + 1;
        entries[i].reserved = 0;
    }
}

/* Sorts all orders; refuses a key that is there twice. */
static oc_err_t sort_orders(fast_engine_t *e, sort_entry_t *working, bool by_priority,
                            const sort_entry_t **sorted)
{
    const size_t count = e->header->orders.used;
    list_keys(e, working, by_priority);
    *sorted = order_sort(working, working + count, count);
    const sort_entry_t *twice = order_sort_duplicate(*sorted, count);
    if (twice)
        return refuse(e, e->orders[twice->value].order_id,
                      by_priority ? "another one has its priority" : "there are two of this id");
    return OC_ERR_OK;
}

static void join_lists(fast_engine_t *e, const sort_entry_t *sorted)
{
    const size_t count = e->header->orders.used;
    for (size_t i = 0; i < count; i++) {
        if (i + LISTS_AHEAD < count)
            __builtin_prefetch(&e->orders[sorted[i + LISTS_AHEAD].value], 1);
        order_record_t *order = &e->orders[sorted[i].value];
        source_record_t *source = &e->sources[order->source];
        touch(e, order);
        touch(e, source);
        source_list_join(e, source, sorted[i].value);
    }
}

oc_err_t fast_load_lists(fast_engine_t *e)
{
    const size_t count = e->header->orders.used;
    OC_ASSERT(e->header->orders.top == count); /* fresh records, in the order of the stream */
    if (count == 0)
        return OC_ERR_OK;
    sort_entry_t *working = calloc(2 * count, sizeof *working);
    if (!working)
        return load_check_fail(
            &e->load, error_set(OC_ERR_NO_MEMORY, "engine: no memory to sort %zu orders", count));
    const sort_entry_t *sorted = NULL;
    oc_err_t err = sort_orders(e, working, true, &sorted);
    if (err == OC_ERR_OK)
        err = sort_orders(e, working, false, &sorted);
    if (err == OC_ERR_OK)
        join_lists(e, sorted);
    free(working);
    return err;
}
