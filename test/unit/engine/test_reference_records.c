/*
 * The reference engine's items: a run is a side of a book; what comes in is looked at as in the
 * fast engine, and audited at the end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/reference_records.h"
#include "lib/engine_items.h"
#include "lib/reference_fixture.h"

#include <stdlib.h>
#include <string.h>

static oc_engine_t *create(void)
{
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    fixture_apply(engine, fixture_new(2, 7, OC_SIDE_BUY, 4, 5));
    fixture_apply(engine, fixture_new(1, 8, OC_SIDE_BUY, 3, 6));
    fixture_apply(engine, fixture_new(1, 9, OC_SIDE_SELL, 2, 7));
    fixture_apply(engine, fixture_new(3, 10, OC_SIDE_BUY, 1, 6));
    return engine;
}

static void test_a_run_is_a_side(void **state)
{
    (void)state;
    oc_engine_t *engine = create();
    engine_order_run_t *runs = NULL;
    size_t count = 0;
    assert_int_equal(engine_order_runs(engine, &runs, &count), OC_ERR_OK);
    assert_int_equal(count, 2);
    assert_int_equal(runs[0].count, 3);
    assert_int_equal(runs[1].first, 3);
    assert_int_equal(runs[1].count, 1);
    engine_walk_t walk;
    engine_order_t orders[ENGINE_WALK_BATCH];
    uint64_t places[ENGINE_WALK_BATCH];
    static const uint64_t expected[] = {8, 10, 7, 9};
    engine_walk_init(&walk, engine, runs, count);
    assert_int_equal(engine_walk_next(&walk, orders, places), 4);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(places[i], i);
        assert_int_equal(orders[i].client_order_id, expected[i]);
    }
    assert_int_equal(engine_walk_next(&walk, orders, places), 0);
    free(runs);
    oc_engine_destroy(engine);
}

static void test_a_state_comes_back(void **state)
{
    (void)state;
    oc_engine_t *engine = create();
    engine_items_t items;
    engine_items_t again;
    const uint64_t hash = oc_engine_state_hash(engine);
    engine_items_take(&items, engine);
    assert_int_equal(engine_items_load(&items, engine, 3), OC_ERR_OK);
    assert_true(oc_engine_state_hash(engine) == hash);
    engine_items_take(&again, engine);
    engine_items_assert_equal(&items, &again);
    engine_items_free(&items);
    engine_items_free(&again);
    oc_engine_destroy(engine);
}

static void assert_refused(oc_engine_t *engine, const engine_items_t *items, const char *word)
{
    assert_int_equal(engine_items_load(items, engine, 3), OC_ERR_DAMAGED);
    if (!strstr(oc_err_context(), word))
        fail_msg("\"%s\" does not say \"%s\"", oc_err_context(), word);
}

static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    oc_engine_t *engine = create();
    engine_items_t items;
    engine_items_take(&items, engine);
    const engine_order_t good = items.orders[3];
    items.orders[3].source = 50;
    assert_refused(engine, &items, "its source is not known");
    items.orders[3] = good;
    items.orders[3].order_id = items.orders[0].order_id;
    assert_refused(engine, &items, "same id");
    items.orders[3] = good;
    items.orders[3].priority = items.orders[0].priority;
    assert_refused(engine, &items, "same priority");
    items.orders[3] = good;
    items.orders[3].client_order_id = 8;
    assert_refused(engine, &items, "client order id");
    items.orders[3] = good;
    items.orders[3].instrument = 9;
    assert_refused(engine, &items, "its instrument is not known");
    items.orders[3] = good;
    assert_int_equal(engine_items_load(&items, engine, 3), OC_ERR_OK);
    fixture_assert_audit(engine);
    engine_items_free(&items);
    oc_engine_destroy(engine);
}

static void test_pending_work_names_what_there_is(void **state)
{
    (void)state;
    oc_engine_t *engine = create();
    engine_items_t items;
    engine_items_take(&items, engine);
    hash_pending_t item = {
        .limit = 4, .source = 60, .command = OC_COMMAND_SESSION_DOWN, .side = REFERENCE_NO_SIDE};
    items.pending[0] = item;
    items.pending_count = 1;
    assert_refused(engine, &items, "its source is not known");
    items.pending[0].source = 1;
    assert_int_equal(engine_items_load(&items, engine, 3), OC_ERR_OK);
    engine_load_begin(engine, &items.totals);
    assert_int_equal(engine_load_source(engine, &items.sources[0]), OC_ERR_OK);
    assert_int_equal(engine_load_pending(engine, &items.pending[0]), OC_ERR_OK);
    items.pending[0].ordinal = 1;
    assert_int_equal(engine_load_pending(engine, &items.pending[0]), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "such work"));
    engine_items_free(&items);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_is_a_side),
        cmocka_unit_test(test_a_state_comes_back),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_pending_work_names_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
