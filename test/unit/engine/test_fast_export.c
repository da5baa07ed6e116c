/*
 * Runs and walks of the fast engine: the order of the stream, over sparse and dense levels, more
 * of them than a walk has lanes; several walks at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine_records.h"
#include "lib/fast_fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 100, MOST = 4000 };

static oc_engine_t *create(void)
{
    oc_engine_t *engine = NULL;
    oc_engine_config_t config = fast_fixture_config();
    config.verify_touch = false;
    config.max_orders = MOST;
    config.max_levels = 2 * LEVELS + 10;
    assert_int_equal(oc_engine_create(&engine, &config, NULL, NULL), OC_ERR_OK);
    fixture_apply(engine, fixture_add_source(9));
    fixture_apply(engine, fixture_add_source(4));
    fixture_apply(engine, fast_fixture_add_instrument(8));
    fixture_apply(engine, fast_fixture_add_instrument(2));
    return engine;
}

/* Orders of both sides at levels that lie `spread` apart; as many at a level as it has a number. */
static uint32_t fill(oc_engine_t *engine, uint32_t instrument, int64_t spread)
{
    uint64_t id = instrument * UINT64_C(100000);
    uint32_t count = 0;
    for (uint32_t round = 0; round < 12; round++) {
        for (uint32_t level = 1; level <= LEVELS; level++) {
            if (level % 12 < round)
                continue;
            const oc_side_t side = level % 2 ? OC_SIDE_BUY : OC_SIDE_SELL;
            const int64_t price = (side == OC_SIDE_BUY ? -1 : 1) * (int64_t)level * spread;
            oc_command_t command = fixture_new(round % 2 ? 9 : 4, ++id, side, 1 + round, price);
            command.instrument.value = instrument;
            fixture_apply(engine, command);
            count++;
        }
    }
    return count;
}

typedef struct part {
    const oc_engine_t *engine;
    const engine_order_run_t *runs;
    size_t run_count;
    engine_order_t *stream; /* by place */
    size_t taken;
} part_t;

static void *walk_part(void *context)
{
    part_t *part = context;
    engine_walk_t walk;
    engine_order_t orders[ENGINE_WALK_BATCH];
    uint64_t places[ENGINE_WALK_BATCH];
    engine_walk_init(&walk, part->engine, part->runs, part->run_count);
    for (size_t n = 0; (n = engine_walk_next(&walk, orders, places)) > 0; part->taken += n) {
        for (size_t i = 0; i < n; i++)
            part->stream[places[i]] = orders[i];
    }
    return NULL;
}

typedef struct visit {
    const engine_order_t *next;
} visit_t;

static bool compare_order(void *context, const oc_order_view_t *view)
{
    visit_t *visit = context;
    const engine_order_t *order = visit->next++;
    assert_int_equal(order->order_id, view->order_id.value);
    assert_int_equal(order->client_order_id, view->client_order_id.value);
    assert_int_equal(order->price_ticks, view->price_ticks);
    assert_int_equal(order->priority, view->priority);
    assert_int_equal(order->open_lots, view->open_lots);
    assert_int_equal(order->executed_lots, view->executed_lots);
    assert_int_equal(order->source, view->source.value);
    assert_int_equal(order->instrument, view->instrument.value);
    assert_int_equal(order->terms, hash_order_terms(view->side, view->time_in_force, view->flags));
    assert_int_equal(order->reserved, 0);
    return true;
}

/* The stream is what visiting the books one after the other gives. */
static void assert_stream(const oc_engine_t *engine, const engine_order_t *stream, size_t count)
{
    visit_t visit = {stream};
    oc_instrument_id_t id = {0};
    while ((id = oc_engine_next_instrument(engine, id)).value) {
        oc_engine_visit_orders(engine, id, OC_SIDE_BUY, compare_order, &visit);
        oc_engine_visit_orders(engine, id, OC_SIDE_SELL, compare_order, &visit);
    }
    assert_ptr_equal(visit.next, stream + count);
}

static void assert_walks(const oc_engine_t *engine, uint32_t count, size_t threads)
{
    engine_order_run_t *runs = NULL;
    size_t run_count = 0;
    pthread_t thread[4];
    part_t parts[4];
    engine_order_t *stream = calloc(count + 1, sizeof *stream);
    assert_non_null(stream);
    assert_int_equal(engine_order_runs(engine, &runs, &run_count), OC_ERR_OK);
    size_t taken = 0;
    for (size_t i = 0; i < threads; i++) {
        const size_t first = run_count * i / threads;
        parts[i] = (part_t){engine, runs + first, run_count * (i + 1) / threads - first, stream, 0};
        assert_int_equal(pthread_create(&thread[i], NULL, walk_part, &parts[i]), 0);
    }
    for (size_t i = 0; i < threads; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        taken += parts[i].taken;
    }
    assert_int_equal(taken, count);
    assert_stream(engine, stream, count);
    free(runs);
    free(stream);
}

static void test_walks_give_the_stream(void **state)
{
    (void)state;
    oc_engine_t *engine = create();
    assert_walks(engine, 0, 1);
    uint32_t count = fill(engine, 8, 1);
    assert_walks(engine, count, 1);
    count += fill(engine, 2, 1000);
    for (size_t threads = 1; threads <= 4; threads++)
        assert_walks(engine, count, threads);
    oc_engine_destroy(engine);
}

static void test_runs_are_levels(void **state)
{
    (void)state;
    oc_engine_t *engine = create();
    engine_order_run_t *runs = NULL;
    size_t count = 0;
    fill(engine, 2, 70);
    assert_int_equal(engine_order_runs(engine, &runs, &count), OC_ERR_OK);
    assert_int_equal(count, LEVELS);
    uint64_t first = 0;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(runs[i].first, first);
        first += runs[i].count;
    }
    free(runs);
    oc_engine_destroy(engine);
}

static void test_sources_ascend(void **state)
{
    (void)state;
    oc_engine_t *engine = create(); /* 9 came before 4 */
    oc_source_id_t ids[3] = {{0}, {0}, {0}};
    engine_source_ids(engine, ids);
    assert_int_equal(ids[0].value, 4);
    assert_int_equal(ids[1].value, 9);
    assert_int_equal(ids[2].value, 0);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks_give_the_stream),
        cmocka_unit_test(test_runs_are_levels),
        cmocka_unit_test(test_sources_ascend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
