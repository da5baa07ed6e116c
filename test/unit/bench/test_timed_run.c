/*
 * Unit tests of what the benches share: medians, runs that apply everything. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_engine.h"
#include "bench/timed_run.h"

#include <string.h>

static void test_median(void **state)
{
    (void)state;
    double odd[] = {5, 1, 3};
    double even[] = {4, 1, 3, 2};
    double one[] = {7};
    assert_true(timed_run_median(odd, 3) == 3.0);
    assert_true(timed_run_median(even, 4) == 2.5);
    assert_true(timed_run_median(one, 1) == 7.0);
}

static oc_engine_t *make_engine(bench_engine_tally_t *tally)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = OC_ENGINE_REFERENCE;
    config.max_orders = 64;
    const bench_engine_market_t market = {3, 1, 100, 1000};
    oc_engine_t *engine;
    const oc_err_t err =
        bench_engine_create(&engine, &config, &market, bench_engine_tally_sink, tally);
    assert_int_equal(err, OC_ERR_OK);
    return engine;
}

static void make_orders(oc_command_t *commands, size_t count)
{
    memset(commands, 0, count * sizeof *commands);
    for (size_t i = 0; i < count; i++) {
        commands[i].type = OC_COMMAND_NEW;
        commands[i].source.value = 1;
        commands[i].instrument.value = (uint32_t)(i % 3) + 1;
        commands[i].sequence = i + 1;
        commands[i].u.order.client_order_id.value = i;
        commands[i].u.order.price_ticks = 10;
        commands[i].u.order.quantity_lots = 1;
    }
}

/* Both modes, and the timing of each, leave the same state. */
static void test_modes_agree(void **state)
{
    (void)state;
    oc_command_t commands[30];
    make_orders(commands, 30);
    uint64_t hashes[3];
    uint64_t events[3];
    for (int i = 0; i < 3; i++) {
        bench_engine_tally_t tally = {0};
        oc_engine_t *engine = make_engine(&tally);
        timed_run_t time;
        oc_err_t err;
        if (i < 2) {
            err = timed_run(engine, commands, 30, (bench_mode_t)i, &time);
            assert_true(time.wall_ns > 0.0);
        } else {
            double ns_per_tick = 0.0;
            histogram_t *ticks = histogram_create();
            assert_non_null(ticks);
            err = timed_run_each(engine, commands, 30, ticks, &ns_per_tick);
            assert_int_equal(histogram_count(ticks), 30);
            assert_true(ns_per_tick > 0.0);
            histogram_destroy(ticks);
        }
        assert_int_equal(err, OC_ERR_OK);
        hashes[i] = oc_engine_state_hash(engine);
        events[i] = tally.events;
        oc_engine_destroy(engine);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] == hashes[2]);
    assert_int_equal(events[0], events[1]);
    assert_int_equal(events[0], events[2]);
    assert_true(events[0] >= 60);
}

static void test_stopped_engine(void **state)
{
    (void)state;
    bench_engine_tally_t tally = {0};
    oc_engine_t *engine = make_engine(&tally);
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_CONFIGURE;
    command.u.configure.rules_version = OC_RULES_VERSION + 1;
    timed_run_t time;
    assert_int_equal(timed_run(engine, &command, 1, BENCH_SINGLE, &time), OC_ERR_RULES_VERSION);
    assert_int_equal(timed_run(engine, &command, 1, BENCH_BATCH, &time), OC_ERR_RULES_VERSION);
    histogram_t *ticks = histogram_create();
    assert_non_null(ticks);
    double ns_per_tick;
    assert_int_equal(timed_run_each(engine, &command, 1, ticks, &ns_per_tick),
                     OC_ERR_RULES_VERSION);
    histogram_destroy(ticks);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_modes_agree),
        cmocka_unit_test(test_stopped_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
