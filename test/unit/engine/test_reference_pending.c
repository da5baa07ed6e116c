/*
 * Where pending work of the reference engine says that it is; what it does is in the scenarios.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/reference_fixture.h"

#include "engine/reference_internal.h"

static void test_hash_sees_pending_work(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    for (uint64_t id = 1; id <= 20; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_BUY, 5, 10));
    oc_command_t command = fixture_command(OC_COMMAND_MASS_CANCEL, 1, 0);
    command.u.mass_cancel.scope = OC_SCOPE_SOURCE;
    fixture_apply(engine, command);
    const reference_engine_t *inside = reference_of_const(engine);
    assert_int_equal(inside->pending_count, 1);
    assert_int_equal(inside->pending[0].limit, 20);
    assert_int_equal(inside->pending[0].first, 0);
    assert_int_equal(inside->pending[0].ended, 4);
    assert_int_equal(inside->pending[0].looked_at, 4);
    assert_int_equal(inside->pending[0].side, REFERENCE_NO_SIDE);
    const uint64_t before = oc_engine_state_hash(engine);
    reference_of(engine)->pending[0].ended++;
    assert_true(oc_engine_state_hash(engine) != before);
    reference_of(engine)->pending[0].ended--;
    assert_true(oc_engine_state_hash(engine) == before);
    oc_engine_destroy(engine);
}

static void test_pending_place_by_instrument(void **state)
{
    (void)state;
    oc_engine_config_t config = fixture_config();
    config.step_bound = 1;
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    fixture_apply(engine, fixture_new(1, 1, OC_SIDE_BUY, 5, 10));
    fixture_apply(engine, fixture_new(1, 2, OC_SIDE_SELL, 5, 12));
    oc_command_t command = fixture_command(OC_COMMAND_MASS_CANCEL, 0, 1);
    command.u.mass_cancel.scope = OC_SCOPE_INSTRUMENT;
    fixture_apply(engine, command);
    const reference_engine_t *inside = reference_of_const(engine);
    const hash_pending_t *item = &inside->pending[0];
    assert_int_equal(item->looked_at, 1);
    assert_int_equal(item->price_ticks, 10);
    assert_int_equal(item->side, OC_SIDE_BUY);
    fixture_apply(engine,
                  fixture_new(1, 3, OC_SIDE_SELL, 5, 13)); /* its step ends the order at 12 */
    assert_int_equal(item->looked_at, 2);
    assert_int_equal(item->price_ticks, 12);
    assert_int_equal(item->side, OC_SIDE_SELL);
    fixture_apply(engine,
                  fixture_new(1, 4, OC_SIDE_SELL, 5, 13)); /* its step leaves the level at 13 */
    assert_true(item->looked_at == UINT64_MAX);
    assert_int_equal(item->price_ticks, 13);
    assert_int_equal(item->ended, 2);
    fixture_apply(engine, fixture_time(0));
    assert_int_equal(inside->pending_count, 0);
    oc_engine_destroy(engine);
}

static void test_expiry_work_is_started_anew(void **state)
{
    (void)state;
    oc_engine_config_t config = fixture_config();
    config.step_bound = 1;
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    oc_command_t command = fixture_new(1, 1, OC_SIDE_BUY, 5, 10);
    command.time_in_force = OC_TIF_DAY;
    fixture_apply(engine, command);
    fixture_apply(engine, fixture_new(1, 2, OC_SIDE_BUY, 5, 9));
    fixture_apply(engine, fixture_new(1, 3, OC_SIDE_SELL, 5, 12));
    command = fixture_command(OC_COMMAND_INSTRUMENT_STATE, 0, 1);
    command.u.instrument.state = OC_STATE_CLOSED;
    fixture_apply(engine, command);
    command = fixture_new(1, 4, OC_SIDE_SELL, 5, 12); /* its step looks at the bid at 9 */
    command.instrument.value = 2;
    fixture_apply(engine, command);
    const hash_pending_t *item = &reference_of_const(engine)->pending[0];
    assert_int_equal(item->price_ticks, 9);
    assert_int_equal(item->limit, 3);
    command = fixture_command(OC_COMMAND_INSTRUMENT_STATE, 0, 1);
    command.u.instrument.state = OC_STATE_CLOSED;
    fixture_apply(engine, command);
    assert_int_equal(reference_of_const(engine)->pending_count, 1);
    assert_int_equal(item->limit, 4);
    assert_int_equal(item->ended, 1);
    assert_int_equal(item->looked_at, 0);
    assert_int_equal(item->price_ticks, 0);
    assert_int_equal(item->side, REFERENCE_NO_SIDE);
    assert_int_equal(item->asker, 0);
    oc_engine_destroy(engine);
}

static void test_work_that_waits_is_found(void **state)
{
    (void)state;
    oc_engine_config_t config = fixture_config();
    config.step_bound = 1;
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    for (uint64_t id = 1; id <= 3; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_BUY, 5, 10));
    oc_command_t command = fixture_command(OC_COMMAND_MASS_CANCEL, 2, 0);
    command.u.mass_cancel.scope = OC_SCOPE_SOURCE;
    command.u.mass_cancel.owner.value = 1;
    fixture_apply(engine, command);
    const reference_engine_t *inside = reference_of_const(engine);
    reference_order_t order = *inside->instruments[0]->sides[OC_SIDE_BUY].items[0];
    assert_true(reference_pending_targets(inside, (oc_source_id_t){1}));
    assert_false(reference_pending_targets(inside, (oc_source_id_t){2})); /* it only asked */
    assert_int_equal(reference_pending_mass_cancels(inside), 1);
    assert_non_null(reference_pending_find(inside, OC_COMMAND_MASS_CANCEL, 1, 0));
    assert_null(reference_pending_find(inside, OC_COMMAND_SESSION_DOWN, 1, 0));
    assert_true(reference_pending_awaits(inside, &order));
    order.order_id.value = 4; /* above the limit */
    assert_false(reference_pending_awaits(inside, &order));
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_sees_pending_work),
        cmocka_unit_test(test_pending_place_by_instrument),
        cmocka_unit_test(test_expiry_work_is_started_anew),
        cmocka_unit_test(test_work_that_waits_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
