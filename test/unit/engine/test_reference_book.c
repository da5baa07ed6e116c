/*
 * Sorted order lists, and the levels seen in them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/reference_fixture.h"

#include "engine/reference_internal.h"

#include <stdlib.h>
#include <string.h>

static void test_better_price_first_on_both_sides(void **state)
{
    (void)state;
    const int64_t prices[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 5; k++) {
            const reference_order_t bid = {.side = OC_SIDE_BUY, .price_ticks = prices[i]};
            const reference_order_t other_bid = {.side = OC_SIDE_BUY, .price_ticks = prices[k]};
            const reference_order_t ask = {.side = OC_SIDE_SELL, .price_ticks = prices[i]};
            const reference_order_t other_ask = {.side = OC_SIDE_SELL, .price_ticks = prices[k]};
            assert_int_equal(reference_compare_place(&bid, &other_bid), (i < k) - (i > k));
            assert_int_equal(reference_compare_place(&ask, &other_ask), (i > k) - (i < k));
        }
}

static void test_earlier_priority_first(void **state)
{
    (void)state;
    const reference_order_t first = {.price_ticks = 5, .priority = 1};
    const reference_order_t last = {.price_ticks = 5, .priority = UINT64_MAX};
    assert_true(reference_compare_place(&first, &last) < 0);
    assert_true(reference_compare_place(&last, &first) > 0);
    assert_int_equal(reference_compare_place(&first, &first), 0);
}

static void test_client_ids_over_the_whole_range(void **state)
{
    (void)state;
    const reference_order_t zero = {.client_order_id = {0}};
    const reference_order_t largest = {.client_order_id = {UINT64_MAX}};
    assert_true(reference_compare_client_id(&zero, &largest) < 0);
    assert_true(reference_compare_client_id(&largest, &zero) > 0);
    assert_int_equal(reference_compare_client_id(&zero, &zero), 0);
}

static void test_list_stays_sorted(void **state)
{
    (void)state;
    reference_order_t orders[100];
    reference_order_list_t list = {.count = 0};
    uint64_t seed = 3;
    memset(orders, 0, sizeof orders);
    for (size_t i = 0; i < 100; i++) {
        orders[i].client_order_id.value = i * 37 % 100; /* each once, in no order */
        reference_list_insert(&list, reference_compare_client_id, &orders[i]);
    }
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(list.items[i]->client_order_id.value, i);
    while (list.count > 0) {
        const reference_order_t *order = list.items[fixture_below(&seed, list.count)];
        reference_list_remove(&list, reference_compare_client_id, order);
        for (size_t i = 1; i < list.count; i++)
            assert_true(reference_compare_client_id(list.items[i - 1], list.items[i]) < 0);
        const size_t position = reference_list_position(&list, reference_compare_client_id, order);
        assert_true(position == list.count || list.items[position] != order);
    }
    free(list.items);
}

static void test_level_is_a_run_of_equal_prices(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    fixture_apply(engine, fixture_new(1, 1, OC_SIDE_BUY, 5, 10));
    fixture_apply(engine, fixture_new(1, 2, OC_SIDE_BUY, 6, 11));
    fixture_apply(engine, fixture_new(1, 3, OC_SIDE_BUY, 7, 10));
    fixture_apply(engine, fixture_new(1, 4, OC_SIDE_BUY, 8, 9));
    const reference_instrument_t *instrument = reference_of_const(engine)->instruments[0];
    assert_int_equal(reference_level(instrument, OC_SIDE_BUY, 10).open_lots, 12);
    assert_int_equal(reference_level(instrument, OC_SIDE_BUY, 10).order_count, 2);
    assert_int_equal(reference_level(instrument, OC_SIDE_BUY, 9).open_lots, 8);
    assert_int_equal(reference_level(instrument, OC_SIDE_BUY, 8).order_count, 0);
    assert_int_equal(reference_level(instrument, OC_SIDE_SELL, 10).order_count, 0);
    assert_int_equal(reference_best(instrument, OC_SIDE_BUY)->price_ticks, 11);
    assert_null(reference_best(instrument, OC_SIDE_SELL));
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_better_price_first_on_both_sides),
        cmocka_unit_test(test_earlier_priority_first),
        cmocka_unit_test(test_client_ids_over_the_whole_range),
        cmocka_unit_test(test_list_stays_sorted),
        cmocka_unit_test(test_level_is_a_run_of_equal_prices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
