/*
 * Unit tests of the throughput bench on a handful of commands. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_tape.h"

#include <string.h>

static void test_tape_bench(void **state)
{
    (void)state;
    oc_command_t commands[3];
    memset(commands, 0, sizeof commands);
    commands[0].type = OC_COMMAND_SOURCE_ADD;
    commands[0].u.source.id.value = 1;
    commands[0].u.source.roles = OC_ROLES_ALL;
    commands[1].type = OC_COMMAND_INSTRUMENT_ADD;
    commands[1].instrument.value = 1;
    commands[1].u.instrument.price_high_ticks = 10;
    commands[1].u.instrument.max_quantity_lots = 10;
    commands[1].u.instrument.state = OC_STATE_CONTINUOUS;
    commands[2].type = OC_COMMAND_NEW;
    commands[2].source.value = 1;
    commands[2].instrument.value = 1;
    commands[2].sequence = 1;
    commands[2].u.order.price_ticks = 5;
    commands[2].u.order.quantity_lots = 5;
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.max_orders = 16;
    const bench_options_t options = {.mode = BENCH_SINGLE, .repeats = 3};
    bench_tape_result_t result;
    bench_tape_flow_t flow = {commands, 3, &config, 0};
    oc_err_t err = bench_tape(&flow, &options, &result);
    assert_int_equal(err, OC_ERR_OK);
    assert_int_equal(result.events, 5); /* confirmed twice, state, accepted, level */
    assert_true(result.state_hash != 0);
    assert_false(result.oracle_ok); /* the state is not the one expected: nothing is reported */
    assert_true(result.cpu_ns == 0.0);
    flow.state_hash = result.state_hash;
    err = bench_tape(&flow, &options, &result);
    assert_int_equal(err, OC_ERR_OK);
    assert_true(result.oracle_ok);
    assert_true(result.wall_ns > 0.0);
    assert_true(result.state_hash == flow.state_hash);
}

static void test_no_commands(void **state)
{
    (void)state;
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.max_orders = 16;
    const bench_options_t options = {.mode = BENCH_BATCH, .repeats = 1};
    const oc_command_t none = {.type = OC_COMMAND_TIME};
    const bench_tape_flow_t flow = {&none, 0, &config, 0};
    bench_tape_result_t result;
    const oc_err_t err = bench_tape(&flow, &options, &result);
    assert_int_equal(err, OC_ERR_OK);
    assert_int_equal(result.events, 0);
    assert_true(result.cpu_ns == 0.0);
}

static void test_bad_configuration(void **state)
{
    (void)state;
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.max_orders = 0;
    const bench_options_t options = {.mode = BENCH_BATCH, .repeats = 1};
    const oc_command_t none = {.type = OC_COMMAND_TIME};
    const bench_tape_flow_t flow = {&none, 1, &config, 0};
    bench_tape_result_t result;
    const oc_err_t err = bench_tape(&flow, &options, &result);
    assert_int_equal(err, OC_ERR_INVALID_CONFIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tape_bench),
        cmocka_unit_test(test_no_commands),
        cmocka_unit_test(test_bad_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
