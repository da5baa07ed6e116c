/*
 * The event buffer: when the sink is called, with what, and the running hash over the events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/event_buffer.h"
#include "lib/fast_fixture.h"

#include <string.h>

enum { CAPACITY = 64, MAKERS = 150 };

static fixture_recorder_t recorder;
static fixture_recorder_t other;

static oc_engine_t *make_engine(uint32_t capacity, fixture_recorder_t *events)
{
    oc_engine_config_t config = fast_fixture_config();
    config.event_capacity = capacity;
    oc_engine_t *engine = fixture_create(&config, events);
    fixture_prepare(engine);
    return engine;
}

static uint64_t hash_of(const fixture_recorder_t *events)
{
    hash_output_t hash = {0, 0};
    for (size_t i = 0; i < events->count; i++)
        hash_output_add(&hash, &events->events[i]);
    return hash_output_value(&hash);
}

/* One order that trades with all of MAKERS others: more events than the buffer holds. */
static void sweep(oc_engine_t *engine)
{
    for (uint64_t id = 1; id <= MAKERS; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_SELL, 1, 7));
    fixture_apply(engine, fixture_new(2, 1, OC_SIDE_BUY, MAKERS, 7));
}

static void test_a_full_buffer_goes_to_the_sink(void **state)
{
    (void)state;
    oc_engine_t *engine = make_engine(CAPACITY, &recorder);
    sweep(engine);
    const size_t last = 1 + 2 * MAKERS + 1; /* ACCEPTED, TRADE and FILL each, LEVEL */
    assert_int_equal(recorder.largest_call, CAPACITY);
    const oc_event_t *events = &recorder.events[recorder.count - last];
    assert_int_equal(events[0].type, OC_EVENT_ACCEPTED);
    for (size_t i = 1; i + 1 < last; i++) {
        assert_int_equal(events[i].type, i % 2 ? OC_EVENT_TRADE : OC_EVENT_FILL);
        assert_int_equal(events[i].trade_id.value, (i + 1) / 2);
    }
    assert_int_equal(events[last - 1].type, OC_EVENT_LEVEL);
    oc_engine_destroy(engine);
}

static void test_the_capacity_changes_nothing_of_the_stream(void **state)
{
    (void)state;
    static const uint32_t capacities[] = {64, 65, 302, 303, 1 << 20};
    oc_engine_t *first = make_engine(CAPACITY, &recorder);
    sweep(first);
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; i++) {
        oc_engine_t *engine = make_engine(capacities[i], &other);
        sweep(engine);
        assert_int_equal(other.count, recorder.count);
        assert_memory_equal(other.events, recorder.events, other.count * sizeof other.events[0]);
        assert_true(oc_engine_output_hash(engine) == oc_engine_output_hash(first));
        assert_true(oc_engine_state_hash(engine) == oc_engine_state_hash(first));
        oc_engine_destroy(engine);
    }
    oc_engine_destroy(first);
}

static void test_the_hash_covers_what_was_handed_over(void **state)
{
    (void)state;
    oc_engine_t *engine = make_engine(CAPACITY, &recorder);
    uint64_t seed = 4;
    assert_true(oc_engine_output_hash(engine) == hash_of(&recorder));
    for (int i = 0; i < 2000; i++) {
        fixture_apply(engine, fixture_random_command(&seed));
        if (i % 50 == 0)
            assert_true(oc_engine_output_hash(engine) == hash_of(&recorder));
    }
    assert_true(oc_engine_output_hash(engine) == hash_of(&recorder));
    const uint64_t before = oc_engine_output_hash(engine);
    const oc_event_t swapped = recorder.events[0];
    recorder.events[0] = recorder.events[1];
    recorder.events[1] = swapped;
    assert_true(hash_of(&recorder) != before); /* the order counts */
    oc_engine_destroy(engine);
}

static void test_without_a_sink_events_are_hashed_all_the_same(void **state)
{
    (void)state;
    oc_engine_t *engine = make_engine(CAPACITY, &recorder);
    oc_engine_t *silent = make_engine(CAPACITY, NULL);
    sweep(engine);
    sweep(silent);
    assert_true(oc_engine_output_hash(engine) == oc_engine_output_hash(silent));
    oc_engine_destroy(engine);
    oc_engine_destroy(silent);
}

/* Events and state are the same without; the hash stays that of no event. */
static void test_outputs_are_hashed_only_when_wanted(void **state)
{
    (void)state;
    for (int kind = OC_ENGINE_FAST; kind <= OC_ENGINE_REFERENCE; kind++) {
        oc_engine_t *engines[2];
        for (int wanted = 0; wanted < 2; wanted++) {
            oc_engine_config_t config = fast_fixture_config();
            config.kind = (oc_engine_kind_t)kind;
            config.verify_touch = false;
            config.hash_outputs = wanted;
            engines[wanted] = fixture_create(&config, NULL);
            fixture_prepare(engines[wanted]);
            sweep(engines[wanted]);
        }
        const hash_output_t none = {0, 0};
        assert_true(oc_engine_output_hash(engines[0]) == hash_output_value(&none));
        assert_true(oc_engine_output_hash(engines[1]) != hash_output_value(&none));
        assert_true(oc_engine_state_hash(engines[0]) == oc_engine_state_hash(engines[1]));
        oc_engine_destroy(engines[0]);
        oc_engine_destroy(engines[1]);
    }
}

static void test_the_sink_is_not_called_for_nothing(void **state)
{
    (void)state;
    oc_engine_config_t config = fast_fixture_config();
    config.verify_touch = false;
    oc_engine_t *engine = fixture_create(&config, &recorder);
    fixture_apply(engine, fixture_time(5));
    assert_int_equal(oc_engine_apply_batch(engine, NULL, 0), OC_ERR_OK);
    event_buffer_flush(fast_fixture_inside(engine));
    assert_int_equal(recorder.calls, 0);
    const oc_command_t batch[3] = {fixture_add_source(1), fixture_add_source(2),
                                   fixture_add_source(3)};
    assert_int_equal(oc_engine_apply_batch(engine, batch, 3), OC_ERR_OK);
    assert_int_equal(recorder.calls, 1); /* once, at the end of the call */
    assert_int_equal(recorder.count, 3);
    oc_engine_destroy(engine);
}

/* Handing over stores the output hash, whoever asks for it and whenever. */
static void test_a_flush_announces_its_store(void **state)
{
    (void)state;
    oc_engine_t *engine = make_engine(CAPACITY, &recorder);
    fast_engine_t *e = fast_fixture_inside(engine);
    oc_arena_advance_epoch(&e->arena);
    *event_buffer_next(e) = (oc_event_t){.type = OC_EVENT_LEVEL};
    event_buffer_flush(e);
    fast_fixture_end(e);
    assert_true(oc_engine_output_hash(engine) == hash_of(&recorder));
    oc_engine_destroy(engine);
}

static void test_a_level_event_says_what_the_level_holds(void **state)
{
    (void)state;
    oc_engine_t *engine = make_engine(CAPACITY, &recorder);
    fixture_apply(engine, fixture_new(1, 1, OC_SIDE_SELL, 4, 7));
    fixture_apply(engine, fixture_new(1, 2, OC_SIDE_SELL, 5, 7));
    const oc_event_t *event = &recorder.events[recorder.count - 1];
    const oc_event_t want = {
        .type = OC_EVENT_LEVEL,
        .side = OC_SIDE_SELL,
        .instrument = {1},
        .order_count = 2,
        .entry = 7, /* five commands prepare the engine */
        .price_ticks = 7,
        .quantity_lots = 9,
    };
    assert_memory_equal(event, &want, sizeof want);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_full_buffer_goes_to_the_sink),
        cmocka_unit_test(test_the_capacity_changes_nothing_of_the_stream),
        cmocka_unit_test(test_the_hash_covers_what_was_handed_over),
        cmocka_unit_test(test_without_a_sink_events_are_hashed_all_the_same),
        cmocka_unit_test(test_outputs_are_hashed_only_when_wanted),
        cmocka_unit_test(test_the_sink_is_not_called_for_nothing),
        cmocka_unit_test(test_a_flush_announces_its_store),
        cmocka_unit_test(test_a_level_event_says_what_the_level_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
