/*
 * The life of a command in the reference engine: how events reach the sink and the output hash,
 * that a batch is the same as single commands, and where an engine that was stopped ends.
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
static fixture_recorder_t second_recorder;

static void test_output_hash_is_over_every_event(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, &first_recorder);
    oc_engine_t *silent = fixture_create(&config, NULL);
    hash_output_t hash = {0, 0};
    assert_true(oc_engine_output_hash(engine) == hash_output_value(&hash));
    fixture_prepare(engine);
    fixture_prepare(silent);
    for (uint64_t id = 1; id <= 9; id++) {
        const oc_command_t command = fixture_new(1, id, (oc_side_t)(id % 2), 5, 10);
        fixture_apply(engine, command);
        fixture_apply(silent, command);
    }
    for (size_t i = 0; i < first_recorder.count; i++)
        hash_output_add(&hash, &first_recorder.events[i]);
    assert_true(hash_output_value(&hash) == oc_engine_output_hash(engine));
    assert_true(hash_output_value(&hash) == oc_engine_output_hash(silent));
    oc_engine_destroy(engine);
    oc_engine_destroy(silent);
}

static void test_sink_is_called_when_full_and_at_the_end(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, &first_recorder);
    fixture_prepare(engine);
    for (uint64_t id = 1; id <= 50; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_SELL, 1, 10));
    first_recorder.count = 0;
    first_recorder.calls = 0;
    fixture_apply(engine, fixture_new(2, 1, OC_SIDE_BUY, 50, 10)); /* 1 + 50 x 2 + 1 events */
    assert_int_equal(first_recorder.count, 102);
    assert_int_equal(first_recorder.calls, 2);
    assert_int_equal(first_recorder.largest_call, 64);
    fixture_apply(engine, fixture_time(5));
    assert_int_equal(first_recorder.calls, 2);
    oc_engine_destroy(engine);
}

static void test_sink_of_a_batch(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, &first_recorder);
    fixture_prepare(engine);
    first_recorder.count = 0;
    first_recorder.calls = 0;
    oc_command_t commands[32];
    for (uint64_t id = 0; id < 32; id++)
        commands[id] = fixture_new(1, id, OC_SIDE_BUY, 1, 10);
    assert_int_equal(oc_engine_apply_batch(engine, commands, 32), OC_ERR_OK);
    assert_int_equal(first_recorder.count, 64);
    assert_int_equal(first_recorder.calls, 1); /* full and at the end at once: one call */
    assert_int_equal(oc_engine_apply_batch(engine, commands, 0), OC_ERR_OK);
    assert_int_equal(first_recorder.calls, 1);
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(first_recorder.events[i].entry, 6 + i / 2);
    oc_engine_destroy(engine);
}

static void test_batch_ends_at_unknown_rules(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, &first_recorder);
    fixture_prepare(engine);
    first_recorder.count = 0;
    oc_command_t commands[] = {
        fixture_new(1, 1, OC_SIDE_BUY, 1, 10),
        fixture_command(OC_COMMAND_CONFIGURE, 0, 0),
        fixture_new(1, 2, OC_SIDE_BUY, 1, 10),
    };
    commands[1].u.configure.rules_version = OC_RULES_VERSION + 1;
    assert_int_equal(oc_engine_apply_batch(engine, commands, 3), OC_ERR_RULES_VERSION);
    assert_non_null(strstr(oc_err_context(), "command 7"));
    assert_int_equal(first_recorder.count, 2);
    assert_int_equal(oc_engine_apply(engine, &commands[2]), OC_ERR_RULES_VERSION);
    assert_int_equal(first_recorder.count, 2);
    oc_engine_counts_t counts;
    oc_engine_counts(engine, &counts);
    assert_int_equal(counts.orders, 1);
    oc_engine_destroy(engine);
}

static void test_batch_is_the_same_as_single(void **state)
{
    (void)state;
    oc_engine_config_t config = fixture_config();
    oc_engine_t *single = fixture_create(&config, &first_recorder);
    config.event_capacity = 1000;
    oc_engine_t *batch = fixture_create(&config, &second_recorder);
    fixture_prepare(single);
    fixture_prepare(batch);
    uint64_t seed = 42;
    for (unsigned round = 0; round < 300; round++) {
        oc_command_t commands[64];
        const size_t count = 1 + fixture_below(&seed, 64);
        for (size_t i = 0; i < count; i++) {
            commands[i] = fixture_random_command(&seed);
            fixture_apply(single, commands[i]);
        }
        assert_int_equal(oc_engine_apply_batch(batch, commands, count), OC_ERR_OK);
        assert_true(oc_engine_state_hash(single) == oc_engine_state_hash(batch));
        assert_true(oc_engine_output_hash(single) == oc_engine_output_hash(batch));
    }
    assert_int_equal(first_recorder.count, second_recorder.count);
    assert_memory_equal(first_recorder.events, second_recorder.events,
                        first_recorder.count * sizeof(oc_event_t));
    oc_engine_destroy(single);
    oc_engine_destroy(batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_hash_is_over_every_event),
        cmocka_unit_test(test_sink_is_called_when_full_and_at_the_end),
        cmocka_unit_test(test_sink_of_a_batch),
        cmocka_unit_test(test_batch_ends_at_unknown_rules),
        cmocka_unit_test(test_batch_is_the_same_as_single),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
