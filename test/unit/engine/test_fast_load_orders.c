/*
 * Orders put into the fast engine: queues in the order of the stream, lists of sources in order-id
 * order, names and ids once each, tables that are too small named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/fast_internal.h"
#include "engine/source_list.h"
#include "lib/engine_items.h"
#include "lib/twin.h"

#include <string.h>

enum { SOURCES = 3, COUNT = 400 };

/* An engine whose orders were modified, so that ids and places are in different orders. */
static oc_engine_t *create(oc_engine_config_t *config)
{
    oc_engine_t *engine = NULL;
    *config = fast_fixture_config();
    config->max_orders = 500;
    config->max_levels = 100;
    assert_int_equal(oc_engine_create(&engine, config, NULL, NULL), OC_ERR_OK);
    fixture_prepare(engine);
    for (uint64_t id = 0; id < COUNT; id++)
        fixture_apply(engine, fixture_new(1 + (uint32_t)id % SOURCES, id, OC_SIDE_BUY, 9,
                                          1 + (int64_t)(id * 7 % 19)));
    for (uint64_t id = 0; id < COUNT; id += 3)
        fixture_apply(
            engine, fixture_modify(1 + (uint32_t)id % SOURCES, id, 12, 1 + (int64_t)(id * 5 % 19)));
    return engine;
}

static void test_lists_are_in_id_order(void **state)
{
    (void)state;
    oc_engine_config_t config;
    engine_items_t items;
    oc_engine_t *from = create(&config);
    engine_items_take(&items, from);
    assert_int_equal(items.order_count, COUNT);
    for (size_t together = 1; together < 100; together += 31) {
        oc_engine_t *to = NULL;
        assert_int_equal(oc_engine_create(&to, &config, NULL, NULL), OC_ERR_OK);
        assert_int_equal(engine_items_load(&items, to, together), OC_ERR_OK);
        fixture_assert_audit(to);
        assert_true(oc_engine_state_hash(to) == oc_engine_state_hash(from));
        for (uint32_t source = 1; source <= SOURCES; source++) {
            static oc_order_view_t orders[COUNT];
            const size_t n =
                oc_engine_source_orders(to, (oc_source_id_t){source}, (oc_order_id_t){0},
                                        (oc_client_order_id_t){0}, orders, COUNT);
            assert_true(n > COUNT / SOURCES - 2);
            for (size_t i = 1; i < n; i++)
                assert_true(orders[i - 1].order_id.value < orders[i].order_id.value);
        }
        const fast_engine_t *e = fast_fixture_inside(to);
        assert_true(e->header->chunks.used <= COUNT / LIST_CHUNK_SLOTS + SOURCES); /* full ones */
        oc_engine_destroy(to);
    }
    engine_items_free(&items);
    oc_engine_destroy(from);
}

static void assert_refused(oc_engine_t *engine, const engine_items_t *items, oc_err_t err,
                           const char *word)
{
    assert_int_equal(engine_items_load(items, engine, 37), err);
    if (!strstr(oc_err_context(), word))
        fail_msg("\"%s\" does not say \"%s\"", oc_err_context(), word);
}

static void test_ids_and_names_are_given_once(void **state)
{
    (void)state;
    oc_engine_config_t config;
    engine_items_t items;
    oc_engine_t *engine = create(&config);
    engine_items_take(&items, engine);
    engine_order_t *order = &items.orders[COUNT - 1];
    const engine_order_t good = *order;
    order->order_id = items.orders[3].order_id;
    assert_refused(engine, &items, OC_ERR_DAMAGED, "two of this id");
    *order = good;
    engine_order_t *end = items.orders; /* the last one of the first level */
    while (end[1].price_ticks == end->price_ticks)
        end++;
    if (end->priority > order->priority) /* the last one of a level may have a higher one */
        order->priority = end->priority;
    else
        end->priority = order->priority;
    assert_refused(engine, &items, OC_ERR_DAMAGED, "another one has its priority");
    engine_items_free(&items);
    oc_engine_destroy(engine);
    engine = create(&config);
    engine_items_take(&items, engine);
    items.orders[COUNT - 1].client_order_id = items.orders[5].client_order_id;
    items.orders[COUNT - 1].source = items.orders[5].source;
    assert_refused(engine, &items, OC_ERR_DAMAGED, "client order id");
    items.orders[COUNT - 1] = good;
    items.orders[9].instrument = 77;
    assert_refused(engine, &items, OC_ERR_DAMAGED, "its instrument is not known");
    engine_items_free(&items);
    oc_engine_destroy(engine);
}

static void test_small_tables_are_named(void **state)
{
    (void)state;
    oc_engine_config_t config;
    engine_items_t items;
    oc_engine_t *engine = create(&config);
    oc_engine_t *small = NULL;
    engine_items_take(&items, engine);
    oc_engine_config_t few = config;
    few.max_orders = COUNT - 1;
    assert_int_equal(oc_engine_create(&small, &few, NULL, NULL), OC_ERR_OK);
    assert_refused(small, &items, OC_ERR_INVALID_CONFIG, "max_orders is 399");
    oc_engine_destroy(small);
    few = config;
    few.max_levels = 18;
    assert_int_equal(oc_engine_create(&small, &few, NULL, NULL), OC_ERR_OK);
    assert_refused(small, &items, OC_ERR_INVALID_CONFIG, "max_levels is 18");
    oc_engine_destroy(small);
    few = config;
    few.max_orders = COUNT;
    few.max_levels = 19;
    assert_int_equal(oc_engine_create(&small, &few, NULL, NULL), OC_ERR_OK);
    assert_int_equal(engine_items_load(&items, small, COUNT), OC_ERR_OK);
    fixture_assert_audit(small);
    oc_engine_destroy(small);
    engine_items_free(&items);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_are_in_id_order),
        cmocka_unit_test(test_ids_and_names_are_given_once),
        cmocka_unit_test(test_small_tables_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
