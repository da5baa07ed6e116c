/*
 * Commands of the reference engine that are not about one order: what is kept of them. What they
 * are refused for is in the scenarios.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/reference_fixture.h"

#include "engine/reference_internal.h"

#include <string.h>

static fixture_recorder_t first_recorder;

static void test_largest_quantity_times_orders_fits_63_bits(void **state)
{
    (void)state;
    for (uint32_t orders = 1; orders <= 1000; orders += 111) {
        oc_engine_config_t config = fixture_config();
        config.max_orders = orders;
        oc_engine_t *engine = fixture_create(&config, &first_recorder);
        oc_command_t command = fixture_add_instrument(1);
        command.u.instrument.max_quantity_lots = INT64_MAX / orders;
        fixture_apply(engine, command);
        assert_int_equal(first_recorder.events[0].type, OC_EVENT_CONFIRMED);
        command.instrument.value = 2;
        command.u.instrument.max_quantity_lots = INT64_MAX / orders + (orders > 1);
        fixture_apply(engine, command);
        assert_int_equal(first_recorder.events[2].reason,
                         orders > 1 ? OC_REASON_INVALID_FIELD : OC_REASON_NONE);
        oc_engine_destroy(engine);
    }
}

static void test_session_begins_at_the_next_order(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    oc_source_view_t view;
    fixture_prepare(engine);
    fixture_apply(engine, fixture_new(2, 1, OC_SIDE_BUY, 5, 10));
    oc_command_t command = fixture_command(OC_COMMAND_SESSION_UP, 0, 0);
    command.u.session.id.value = 77;
    command.u.session.source.value = 1;
    fixture_apply(engine, command);
    assert_true(oc_engine_source(engine, (oc_source_id_t){1}, &view));
    assert_int_equal(view.session.value, 77);
    assert_int_equal(view.session_first.value, 2);
    command.type = OC_COMMAND_SESSION_DOWN;
    fixture_apply(engine, command);
    assert_true(oc_engine_source(engine, (oc_source_id_t){1}, &view));
    assert_int_equal(view.session.value, 0);
    assert_int_equal(view.session_first.value, 0);
    oc_engine_destroy(engine);
}

static void test_what_a_command_does_not_use_is_ignored(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *plain = fixture_create(&config, NULL);
    oc_engine_t *noisy = fixture_create(&config, NULL);
    oc_command_t command = fixture_add_instrument(1);
    fixture_apply(plain, command);
    command.side = 1;
    command.order_type = 9;
    command.time_in_force = 9;
    memset(command.u.instrument.reserved, 0xff, sizeof command.u.instrument.reserved);
    fixture_apply(noisy, command);
    assert_true(oc_engine_state_hash(plain) == oc_engine_state_hash(noisy));
    assert_true(oc_engine_output_hash(plain) == oc_engine_output_hash(noisy));
    oc_engine_destroy(plain);
    oc_engine_destroy(noisy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_largest_quantity_times_orders_fits_63_bits),
        cmocka_unit_test(test_session_begins_at_the_next_order),
        cmocka_unit_test(test_what_a_command_does_not_use_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
