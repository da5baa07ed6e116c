/*
 * The doorway to the state's items: both engines give the same, also when there is nothing; the
 * arena is the fast engine's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/engine_items.h"
#include "lib/twin.h"

#include <string.h>

static void test_an_empty_engine(void **state)
{
    (void)state;
    twin_t twin;
    engine_items_t a;
    engine_items_t b;
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(&twin, &config);
    engine_items_take(&a, twin.fast);
    engine_items_take(&b, twin.reference);
    engine_items_assert_equal(&a, &b);
    assert_int_equal(a.order_count, 0);
    assert_int_equal(a.totals.step_bound, config.step_bound);
    assert_int_equal(engine_items_load(&a, twin.fast, 1), OC_ERR_OK);
    assert_int_equal(engine_items_load(&a, twin.reference, 1), OC_ERR_OK);
    engine_items_free(&a);
    engine_items_free(&b);
    twin_take(&twin, fixture_add_source(1));
    twin_destroy(&twin);
}

static void test_both_engines_give_the_same(void **state)
{
    (void)state;
    twin_t twin;
    uint64_t seed = 11;
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(&twin, &config);
    fixture_prepare(twin.fast);
    fixture_prepare(twin.reference);
    for (int i = 0; i < 2000; i++) {
        twin_apply(&twin, fixture_random_command(&seed));
        if (i % 50 != 0)
            continue;
        engine_items_t a;
        engine_items_t b;
        engine_items_take(&a, twin.fast);
        engine_items_take(&b, twin.reference);
        engine_items_assert_equal(&a, &b);
        engine_items_free(&a);
        engine_items_free(&b);
    }
    twin_destroy(&twin);
}

/* Each engine takes in what the other gave, and what it holds itself. */
static void test_states_are_exchanged(void **state)
{
    (void)state;
    twin_t twin;
    uint64_t seed = 12;
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(&twin, &config);
    fixture_prepare(twin.fast);
    fixture_prepare(twin.reference);
    for (int round = 0; round < 20; round++) {
        engine_items_t a;
        engine_items_t b;
        for (int i = 0; i < 100; i++)
            twin_apply(&twin, fixture_random_command(&seed));
        engine_items_take(&a, twin.fast);
        engine_items_take(&b, twin.reference);
        assert_int_equal(engine_items_load(&b, twin.fast, 7), OC_ERR_OK);
        assert_int_equal(engine_items_load(&a, twin.reference, 9), OC_ERR_OK);
        engine_items_free(&a);
        engine_items_free(&b);
        assert_true(oc_engine_state_hash(twin.fast) == oc_engine_state_hash(twin.reference));
    }
    twin_destroy(&twin);
}

static void test_the_arena_is_the_fast_engines(void **state)
{
    (void)state;
    twin_t twin;
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(&twin, &config);
    assert_ptr_equal(engine_arena(twin.fast), &fast_fixture_inside(twin.fast)->arena);
    assert_string_equal(engine_arena(twin.fast)->name, "engine");
    assert_null(engine_arena(twin.reference));
    twin_destroy(&twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_engine),
        cmocka_unit_test(test_both_engines_give_the_same),
        cmocka_unit_test(test_states_are_exchanged),
        cmocka_unit_test(test_the_arena_is_the_fast_engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
