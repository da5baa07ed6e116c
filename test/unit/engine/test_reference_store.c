/*
 * Records of the reference engine: found by id, kept sorted, counted by walking.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/reference_fixture.h"

#include "engine/reference_internal.h"

#include <stdlib.h>

static void test_room_doubles_and_is_kept(void **state)
{
    (void)state;
    size_t capacity = 0;
    uint32_t *items = NULL;
    for (uint32_t i = 0; i < 1000; i++) {
        items = reference_grow(items, i, &capacity, sizeof *items);
        assert_true(capacity > i);
        items[i] = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
    free(items);
}

static void test_sources_are_sorted_and_found(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    reference_engine_t *inside = reference_of(engine);
    const uint32_t ids[] = {5, UINT32_MAX, 1, 3};
    for (size_t i = 0; i < 4; i++) {
        const reference_source_t *added = reference_add_source(inside, (oc_source_id_t){ids[i]});
        assert_int_equal(added->id.value, ids[i]);
    }
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(reference_find_source(inside, (oc_source_id_t){ids[i]})->id.value, ids[i]);
    assert_null(reference_find_source(inside, (oc_source_id_t){0}));
    assert_null(reference_find_source(inside, (oc_source_id_t){4}));
    reference_remove_source(inside, reference_find_source(inside, (oc_source_id_t){3}));
    assert_null(reference_find_source(inside, (oc_source_id_t){3}));
    assert_int_equal(inside->source_count, 3);
    assert_int_equal(inside->sources[1]->id.value, 5);
    oc_engine_destroy(engine);
}

static void test_instruments_are_sorted_and_found(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    reference_engine_t *inside = reference_of(engine);
    for (uint32_t id = 9; id > 0; id -= 3)
        (void)reference_add_instrument(inside, (oc_instrument_id_t){id});
    assert_int_equal(inside->instruments[0]->id.value, 3);
    assert_int_equal(inside->instruments[2]->id.value, 9);
    assert_int_equal(reference_find_instrument(inside, (oc_instrument_id_t){6})->id.value, 6);
    assert_null(reference_find_instrument(inside, (oc_instrument_id_t){7}));
    oc_engine_destroy(engine);
}

static void test_session_0_is_nobodys(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    reference_engine_t *inside = reference_of(engine);
    assert_null(reference_find_session(inside, (oc_session_id_t){0}));
    assert_int_equal(reference_count_sessions(inside), 0);
    inside->sources[1]->session.value = 4;
    assert_ptr_equal(reference_find_session(inside, (oc_session_id_t){4}), inside->sources[1]);
    assert_int_equal(reference_count_sessions(inside), 1);
    inside->sources[1]->session.value = 0;
    oc_engine_destroy(engine);
}

static void test_counts_are_over_all_books(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    oc_command_t elsewhere = fixture_new(1, 1, OC_SIDE_BUY, 5, 10);
    elsewhere.instrument.value = 2;
    fixture_apply(engine, elsewhere);
    fixture_apply(engine, fixture_new(2, 1, OC_SIDE_BUY, 5, 10));
    fixture_apply(engine, fixture_new(2, 2, OC_SIDE_BUY, 5, 10));
    fixture_apply(engine, fixture_new(2, 3, OC_SIDE_SELL, 5, 11));
    const reference_engine_t *inside = reference_of_const(engine);
    assert_int_equal(reference_count_orders(inside), 4);
    assert_int_equal(reference_count_levels(inside), 3);
    const oc_source_id_t owner = {2};
    const oc_client_order_id_t id = {3};
    assert_int_equal(reference_find_order(inside, owner, id)->order_id.value, 4);
    assert_null(reference_find_order(inside, (oc_source_id_t){1}, id));
    assert_null(reference_find_order(inside, (oc_source_id_t){7}, id));
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_room_doubles_and_is_kept),
        cmocka_unit_test(test_sources_are_sorted_and_found),
        cmocka_unit_test(test_instruments_are_sorted_and_found),
        cmocka_unit_test(test_session_0_is_nobodys),
        cmocka_unit_test(test_counts_are_over_all_books),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
