/*
 * Items out of an engine and into another. Used by the tests of engine_records.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/engine_items.h"

#include <stdlib.h>
#include <string.h>

static void *array_of(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);
    assert_non_null(array);
    return array;
}

static void take_orders(engine_items_t *items, const oc_engine_t *engine)
{
    engine_order_run_t *runs = NULL;
    size_t run_count = 0;
    assert_int_equal(engine_order_runs(engine, &runs, &run_count), OC_ERR_OK);
    uint64_t expected = 0;
    for (size_t i = 0; i < run_count; i++) {
        assert_int_equal(runs[i].first, expected);
        expected += runs[i].count;
    }
    assert_int_equal(expected, items->order_count);
    engine_walk_t walk;
    engine_order_t orders[ENGINE_WALK_BATCH];
    uint64_t places[ENGINE_WALK_BATCH];
    size_t taken = 0;
    engine_walk_init(&walk, engine, runs, run_count);
    for (size_t n = 0; (n = engine_walk_next(&walk, orders, places)) > 0; taken += n) {
        for (size_t i = 0; i < n; i++) {
            assert_true(places[i] < items->order_count);
            assert_int_equal(items->orders[places[i]].order_id, 0);
            assert_int_not_equal(orders[i].order_id, 0);
            items->orders[places[i]] = orders[i];
        }
    }
    assert_int_equal(taken, items->order_count);
    free(runs);
}

void engine_items_take(engine_items_t *items, const oc_engine_t *engine)
{
    oc_engine_counts_t counts;
    memset(items, 0, sizeof *items);
    oc_engine_counts(engine, &counts);
    engine_totals(engine, &items->totals);
    items->instrument_count = counts.instruments;
    items->source_count = counts.sources;
    items->order_count = counts.orders;
    items->pending_count = counts.pending;
    items->instruments = array_of(counts.instruments, sizeof *items->instruments);
    items->sources = array_of(counts.sources, sizeof *items->sources);
    items->orders = array_of(counts.orders, sizeof *items->orders);
    items->pending = array_of(counts.pending, sizeof *items->pending);
    oc_instrument_id_t id = {0};
    for (size_t i = 0; i < items->instrument_count; i++) {
        id = oc_engine_next_instrument(engine, id);
        assert_true(oc_engine_instrument(engine, id, &items->instruments[i]));
    }
    oc_source_id_t *ids = array_of(counts.sources, sizeof *ids);
    engine_source_ids(engine, ids);
    for (size_t i = 0; i < items->source_count; i++)
        assert_true(oc_engine_source(engine, ids[i], &items->sources[i]));
    free(ids);
    engine_pending_items(engine, items->pending);
    take_orders(items, engine);
}

void engine_items_free(engine_items_t *items)
{
    free(items->instruments);
    free(items->sources);
    free(items->orders);
    free(items->pending);
    memset(items, 0, sizeof *items);
}

void engine_items_copy(engine_items_t *copy, const engine_items_t *items)
{
    *copy = *items;
    copy->instruments = array_of(items->instrument_count, sizeof *items->instruments);
    copy->sources = array_of(items->source_count, sizeof *items->sources);
    copy->orders = array_of(items->order_count, sizeof *items->orders);
    copy->pending = array_of(items->pending_count, sizeof *items->pending);
    memcpy(copy->instruments, items->instruments,
           items->instrument_count * sizeof *items->instruments);
    memcpy(copy->sources, items->sources, items->source_count * sizeof *items->sources);
    memcpy(copy->orders, items->orders, items->order_count * sizeof *items->orders);
    memcpy(copy->pending, items->pending, items->pending_count * sizeof *items->pending);
}

oc_err_t engine_items_load(const engine_items_t *items, oc_engine_t *engine, size_t together)
{
    oc_err_t err = OC_ERR_OK;
    engine_load_begin(engine, &items->totals);
    for (size_t i = 0; i < items->instrument_count && err == OC_ERR_OK; i++)
        err = engine_load_instrument(engine, &items->instruments[i]);
    for (size_t i = 0; i < items->source_count && err == OC_ERR_OK; i++)
        err = engine_load_source(engine, &items->sources[i]);
    for (size_t i = 0; i < items->order_count && err == OC_ERR_OK; i += together) {
        const size_t left = items->order_count - i;
        err = engine_load_orders(engine, &items->orders[i], left < together ? left : together);
    }
    for (size_t i = 0; i < items->pending_count && err == OC_ERR_OK; i++)
        err = engine_load_pending(engine, &items->pending[i]);
    return err == OC_ERR_OK ? engine_load_end(engine) : err;
}

static void assert_same_instrument(const oc_instrument_view_t *a, const oc_instrument_view_t *b)
{
    assert_int_equal(a->id.value, b->id.value);
    assert_int_equal(a->state, b->state);
    assert_int_equal(a->price_low_ticks, b->price_low_ticks);
    assert_int_equal(a->price_high_ticks, b->price_high_ticks);
    assert_int_equal(a->max_quantity_lots, b->max_quantity_lots);
    assert_int_equal(a->mark_price_ticks, b->mark_price_ticks);
    assert_int_equal(a->has_mark_price, b->has_mark_price);
    assert_int_equal(a->levels[0], b->levels[0]);
    assert_int_equal(a->levels[1], b->levels[1]);
}

static void assert_same_source(const oc_source_view_t *a, const oc_source_view_t *b)
{
    assert_int_equal(a->id.value, b->id.value);
    assert_int_equal(a->roles, b->roles);
    assert_int_equal(a->sequence, b->sequence);
    assert_int_equal(a->last_status, b->last_status);
    assert_int_equal(a->session.value, b->session.value);
    assert_int_equal(a->session_first.value, b->session_first.value);
    assert_int_equal(a->orders, b->orders);
}

void engine_items_assert_equal(const engine_items_t *a, const engine_items_t *b)
{
    assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
    assert_int_equal(a->instrument_count, b->instrument_count);
    assert_int_equal(a->source_count, b->source_count);
    assert_int_equal(a->order_count, b->order_count);
    assert_int_equal(a->pending_count, b->pending_count);
    for (size_t i = 0; i < a->instrument_count; i++)
        assert_same_instrument(&a->instruments[i], &b->instruments[i]);
    for (size_t i = 0; i < a->source_count; i++)
        assert_same_source(&a->sources[i], &b->sources[i]);
    if (a->order_count)
        assert_memory_equal(a->orders, b->orders, a->order_count * sizeof *a->orders);
    if (a->pending_count)
        assert_memory_equal(a->pending, b->pending, a->pending_count * sizeof *a->pending);
}
