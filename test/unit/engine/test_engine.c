/*
 * The doorway: configuration limits, errors, and that every public call reaches either kind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/fast_fixture.h"

#include <string.h>

static void test_the_defaults_are_as_documented(void **state)
{
    (void)state;
    oc_engine_config_t config;
    memset(&config, 0xff, sizeof config);
    oc_engine_config_init(&config);
    assert_int_equal(config.kind, OC_ENGINE_FAST);
    assert_int_equal(config.max_orders, 1048576);
    assert_int_equal(config.max_levels, 262144);
    assert_int_equal(config.max_instruments, 1024);
    assert_int_equal(config.max_sources, 4096);
    assert_int_equal(config.max_sessions, 4096);
    assert_int_equal(config.max_pending, 64);
    assert_int_equal(config.step_bound, 64);
    assert_int_equal(config.modify_priority, OC_PRIORITY_KEEP);
    assert_int_equal(config.event_capacity, 2048);
    assert_false(config.verify_touch);
}

static void assert_refused(const oc_engine_config_t *config, const char *name)
{
    oc_engine_t *engine = (oc_engine_t *)(uintptr_t)1;
    assert_int_equal(oc_engine_create(&engine, config, NULL, NULL), OC_ERR_INVALID_CONFIG);
    assert_null(engine);
    assert_non_null(strstr(oc_err_context(), name));
}

typedef struct limit {
    const char *name;
    size_t offset;
    uint32_t low;
    uint32_t high;
    bool affordable; /* an engine of the highest value fits a test machine */
} limit_t;

static const limit_t limits[] = {
    {"max_orders", offsetof(oc_engine_config_t, max_orders), 1, 1u << 27, false},
    {"max_levels", offsetof(oc_engine_config_t, max_levels), 1, 1u << 26, false},
    {"max_instruments", offsetof(oc_engine_config_t, max_instruments), 1, 65536, true},
    {"max_sources", offsetof(oc_engine_config_t, max_sources), 1, 1u << 24, false},
    {"max_sessions", offsetof(oc_engine_config_t, max_sessions), 1, 1u << 24, false},
    {"max_pending", offsetof(oc_engine_config_t, max_pending), 1, 65536, true},
    {"step_bound", offsetof(oc_engine_config_t, step_bound), 1, OC_STEP_BOUND_MAX, true},
    {"event_capacity", offsetof(oc_engine_config_t, event_capacity), 64, 1u << 20, true},
};

static oc_engine_config_t with(oc_engine_config_t config, const limit_t *limit, uint32_t value)
{
    memcpy((uint8_t *)&config + limit->offset, &value, sizeof value);
    return config;
}

static void test_limits_are_checked_at_both_ends(void **state)
{
    (void)state;
    oc_engine_config_t base = fixture_config();
    for (int kind = OC_ENGINE_FAST; kind <= OC_ENGINE_REFERENCE; kind++) {
        base.kind = (oc_engine_kind_t)kind;
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            const limit_t *limit = &limits[i];
            const oc_engine_config_t below = with(base, limit, limit->low - 1);
            const oc_engine_config_t lowest = with(base, limit, limit->low);
            const oc_engine_config_t highest = with(base, limit, limit->high);
            const oc_engine_config_t above = with(base, limit, limit->high + 1);
            assert_refused(&below, limit->name);
            assert_refused(&above, limit->name);
            oc_engine_destroy(fixture_create(&lowest, NULL));
            if (limit->affordable)
                oc_engine_destroy(fixture_create(&highest, NULL));
        }
    }
}

static void test_unknown_kinds_are_refused(void **state)
{
    (void)state;
    oc_engine_config_t config = fixture_config();
    config.kind = (oc_engine_kind_t)2;
    assert_refused(&config, "kind");
    config = fixture_config();
    config.modify_priority = (oc_modify_priority_t)2;
    assert_refused(&config, "modify_priority");
}

static void test_the_smallest_engine_trades(void **state)
{
    (void)state;
    static fixture_recorder_t recorder;
    for (int kind = OC_ENGINE_FAST; kind <= OC_ENGINE_REFERENCE; kind++) {
        oc_engine_config_t config = fixture_config();
        config.kind = (oc_engine_kind_t)kind;
        config.max_orders = config.max_levels = config.max_instruments = config.max_sources = 1;
        config.max_sessions = config.max_pending = config.step_bound = 1;
        oc_engine_t *engine = fixture_create(&config, &recorder);
        config.max_orders = 0; /* it was copied */
        fixture_apply(engine, fixture_add_source(1));
        fixture_apply(engine, fixture_add_instrument(1));
        fixture_apply(engine, fixture_new(1, 1, OC_SIDE_SELL, 5, 3));
        oc_command_t taker = fixture_new(1, 2, OC_SIDE_BUY, 7, 3);
        taker.time_in_force = OC_TIF_IOC;
        fixture_apply(engine, taker);
        assert_int_equal(recorder.events[recorder.count - 1].reason, OC_REASON_UNFILLED);
        fixture_assert_audit(engine);
        oc_engine_destroy(engine);
    }
}

static bool count_order(void *context, const oc_order_view_t *view)
{
    (void)view;
    ++*(int *)context;
    return true;
}

/* Each call once, on both kinds: it arrives and answers the same. */
static void test_every_call_is_forwarded(void **state)
{
    (void)state;
    uint64_t hashes[2][2];
    for (int kind = OC_ENGINE_FAST; kind <= OC_ENGINE_REFERENCE; kind++) {
        oc_engine_config_t config = fixture_config();
        config.kind = (oc_engine_kind_t)kind;
        oc_engine_t *engine = fixture_create(&config, NULL);
        fixture_prepare(engine);
        const oc_command_t batch[2] = {fixture_new(1, 1, OC_SIDE_SELL, 5, 3),
                                       fixture_new(1, 2, OC_SIDE_SELL, 5, 4)};
        assert_int_equal(oc_engine_apply_batch(engine, batch, 2), OC_ERR_OK);
        oc_engine_counts_t counts;
        oc_engine_counts(engine, &counts);
        assert_int_equal(counts.orders, 2);
        oc_engine_memory_t memory;
        oc_engine_memory(engine, &memory);
        assert_int_equal(memory.arena_bytes != 0, kind == OC_ENGINE_FAST);
        oc_order_view_t order;
        assert_true(
            oc_engine_order(engine, (oc_source_id_t){1}, (oc_client_order_id_t){2}, &order));
        assert_int_equal(order.price_ticks, 4);
        int visited = 0;
        oc_engine_visit_orders(engine, (oc_instrument_id_t){1}, OC_SIDE_SELL, count_order,
                               &visited);
        assert_int_equal(visited, 2);
        oc_level_view_t levels[2];
        assert_int_equal(oc_engine_depth(engine, (oc_instrument_id_t){1}, OC_SIDE_SELL, levels, 2),
                         2);
        oc_instrument_view_t instrument;
        assert_true(oc_engine_instrument(engine, (oc_instrument_id_t){2}, &instrument));
        assert_int_equal(oc_engine_next_instrument(engine, (oc_instrument_id_t){1}).value, 2);
        oc_source_view_t source;
        assert_true(oc_engine_source(engine, (oc_source_id_t){1}, &source));
        fixture_assert_audit(engine);
        hashes[kind][0] = oc_engine_state_hash(engine);
        hashes[kind][1] = oc_engine_output_hash(engine);
        oc_engine_destroy(engine);
    }
    assert_memory_equal(hashes[0], hashes[1], sizeof hashes[0]);
    oc_engine_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_defaults_are_as_documented),
        cmocka_unit_test(test_limits_are_checked_at_both_ends),
        cmocka_unit_test(test_unknown_kinds_are_refused),
        cmocka_unit_test(test_the_smallest_engine_trades),
        cmocka_unit_test(test_every_call_is_forwarded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
