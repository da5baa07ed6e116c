/*
 * Unit tests of the benches' engine: what it is prepared with, its tally, its bytes per order. Run
 * by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_engine.h"

#include <string.h>

static oc_engine_t *make_engine(oc_engine_kind_t kind, bench_engine_tally_t *tally)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = kind;
    config.max_orders = 64;
    const bench_engine_market_t market = {3, 1, 100, 1000};
    oc_engine_t *engine;
    const oc_err_t err =
        bench_engine_create(&engine, &config, &market, bench_engine_tally_sink, tally);
    assert_int_equal(err, OC_ERR_OK);
    return engine;
}

static void test_engine_is_prepared(void **state)
{
    (void)state;
    bench_engine_tally_t tally = {0};
    oc_engine_t *engine = make_engine(OC_ENGINE_REFERENCE, &tally);
    oc_engine_counts_t counts;
    oc_engine_counts(engine, &counts);
    assert_int_equal(counts.instruments, 3);
    assert_int_equal(counts.sources, 1);
    oc_instrument_view_t view;
    assert_true(oc_engine_instrument(engine, (oc_instrument_id_t){3}, &view));
    assert_int_equal(view.state, OC_STATE_CONTINUOUS);
    assert_int_equal(view.price_high_ticks, 100);
    oc_engine_destroy(engine);
}

static void test_engine_that_cannot_be(void **state)
{
    (void)state;
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.max_levels = 0;
    const bench_engine_market_t market = {1, 1, 100, 1000};
    oc_engine_t *engine;
    const oc_err_t err = bench_engine_create(&engine, &config, &market, NULL, NULL);
    assert_int_equal(err, OC_ERR_INVALID_CONFIG);
    assert_null(engine);
}

static void test_bytes_per_order(void **state)
{
    (void)state;
    for (int kind = OC_ENGINE_FAST; kind <= OC_ENGINE_REFERENCE; kind++) {
        bench_engine_tally_t tally = {0};
        oc_engine_t *engine = make_engine((oc_engine_kind_t)kind, &tally);
        const uint64_t before = tally.events;
        assert_true(bench_engine_bytes_per_order(engine) == 0.0);
        oc_command_t command;
        memset(&command, 0, sizeof command);
        command.type = OC_COMMAND_NEW;
        command.source.value = 1;
        command.instrument.value = 1;
        command.u.order.price_ticks = 10;
        command.u.order.quantity_lots = 1;
        const oc_err_t err = oc_engine_apply(engine, &command);
        assert_int_equal(err, OC_ERR_OK);
        assert_int_equal(tally.events, before + 2); /* accepted, level */
        assert_int_equal(bench_engine_bytes_per_order(engine) > 64.0, kind == OC_ENGINE_FAST);
        oc_engine_destroy(engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine_is_prepared),
        cmocka_unit_test(test_engine_that_cannot_be),
        cmocka_unit_test(test_bytes_per_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
