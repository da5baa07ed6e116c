/*
 * The way of a command through the fast engine: touches announced, batches equal to single calls,
 * the end at an unknown rules version.
 */
#define _GNU_SOURCE /* close */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/command_stream.h"
#include "lib/expect_abort.h"
#include "lib/twin.h"

#include <string.h>
#include <unistd.h>

enum { STREAM_MAX = 4000, BATCH_SIZE_MAX = 40 };

static fixture_recorder_t recorder;
static fixture_recorder_t other;
static oc_command_t stream_commands[STREAM_MAX];

/* Records a stream of `count` commands and the limits of the engines that take it. */
static oc_engine_config_t make_stream(uint64_t seed, size_t count)
{
    command_stream_t stream;
    oc_engine_config_t config;
    command_stream_init(&stream, seed, &config);
    config.kind = OC_ENGINE_FAST;
    oc_engine_t *engine = fixture_create(&config, NULL);
    for (size_t i = 0; i < count; i++) {
        command_stream_next(&stream, engine, &stream_commands[i]);
        fixture_apply(engine, stream_commands[i]);
    }
    oc_engine_destroy(engine);
    return config;
}

static void test_long_streams_announce_every_write(void **state)
{
    (void)state;
    for (uint64_t seed = 500; seed < 506; seed++) {
        oc_engine_config_t config = make_stream(seed, STREAM_MAX);
        config.max_orders = config.max_orders > 100 ? 100 : config.max_orders;
        config.max_levels = config.max_levels > 50 ? 50 : config.max_levels;
        config.verify_touch = true;
        oc_engine_t *engine = fixture_create(&config, NULL);
        for (size_t i = 0; i < STREAM_MAX; i++)
            fixture_apply(engine, stream_commands[i]);
        fixture_assert_audit(engine);
        oc_engine_destroy(engine);
    }
}

enum { NOT_REACHED = 7, HARMLESS = 8 };

typedef struct planted {
    oc_engine_t *engine;
    const oc_command_t *command;
    uint32_t skip; /* the how many-th first touch of a page is left out */
} planted_t;

static void apply_with_a_missing_touch(void *context)
{
    const planted_t *planted = context;
    oc_arena_t *arena = &fast_fixture_inside(planted->engine)->arena;
    close(STDERR_FILENO);
    arena->touch_skip = planted->skip;
    fixture_apply(planted->engine, *planted->command);
    _exit(arena->touch_skip ? NOT_REACHED : HARMLESS);
}

/*
 * Before each command of a stream, every one of its first touches is left out in turn, in a child.
 * The child must stop, unless nothing of that page changes between the touch left out and the next
 * one of the same page: several records of one page are announced before the first of them is
 * written (an order and its neighbour in the queue), or a record is set to what it was. These are
 * counted; they are few.
 */
static void test_a_missing_touch_is_noticed(void **state)
{
    (void)state;
    uint32_t noticed = 0;
    uint32_t harmless = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        oc_engine_config_t config = make_stream(seed + 30, 60);
        config.verify_touch = true;
        config.max_orders = 40;
        config.max_levels = 20;
        planted_t planted = {.engine = fixture_create(&config, NULL)};
        for (size_t i = 0; i < 60; i++) {
            planted.command = &stream_commands[i];
            for (planted.skip = 1;; planted.skip++) {
                const int status = child_status(apply_with_a_missing_touch, &planted);
                if (status == NOT_REACHED)
                    break;
                assert_true(status == HARMLESS || status == -1);
                noticed += status == -1;
                harmless += status == HARMLESS;
            }
            fixture_apply(planted.engine, stream_commands[i]);
        }
        oc_engine_destroy(planted.engine);
    }
    print_message("%u missing touches noticed, %u were of pages that did not change\n", noticed,
                  harmless);
    assert_true(noticed >= 300);
    assert_true(harmless * 10 < noticed);
}

/* Writes to a page and announces it only then: a capture would have got the new content. */
static void write_before_the_touch(void *context)
{
    fast_engine_t *e = context;
    oc_arena_advance_epoch(&e->arena);
    e->sources[1].roles ^= 1;
    touch(e, &e->sources[1]);
}

static void test_a_late_touch_is_noticed(void **state)
{
    (void)state;
    const oc_engine_config_t config = fast_fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    assert_true(child_aborts(write_before_the_touch, engine));
    oc_engine_destroy(engine);
}

static void assert_same_engines(oc_engine_t *a, oc_engine_t *b)
{
    const fast_engine_t *x = fast_fixture_inside(a);
    const fast_engine_t *y = fast_fixture_inside(b);
    assert_int_equal(recorder.count, other.count);
    assert_memory_equal(recorder.events, other.events, other.count * sizeof other.events[0]);
    assert_true(oc_engine_state_hash(a) == oc_engine_state_hash(b));
    assert_true(oc_engine_output_hash(a) == oc_engine_output_hash(b));
    assert_int_equal(x->arena.size, y->arena.size);
    assert_memory_equal(x->arena.base, y->arena.base, x->arena.size);
}

static void apply_in_batches(oc_engine_t *engine, size_t count, size_t size)
{
    for (size_t at = 0; at < count; at += size) {
        const size_t n = count - at < size ? count - at : size;
        assert_int_equal(oc_engine_apply_batch(engine, &stream_commands[at], n), OC_ERR_OK);
    }
}

/* The opening of each stream adds its instruments and sources, mostly inside one batch. */
static void test_batches_equal_single_calls_to_the_byte(void **state)
{
    (void)state;
    enum { COUNT = 1500 };
    for (uint64_t seed = 600; seed < 603; seed++) {
        oc_engine_config_t config = make_stream(seed, COUNT);
        config.max_orders = config.max_orders > 300 ? 300 : config.max_orders;
        oc_engine_t *single = fixture_create(&config, &recorder);
        for (size_t i = 0; i < COUNT; i++)
            fixture_apply(single, stream_commands[i]);
        for (size_t size = 1; size <= BATCH_SIZE_MAX; size++) {
            oc_engine_t *batch = fixture_create(&config, &other);
            apply_in_batches(batch, COUNT, size);
            assert_same_engines(single, batch);
            oc_engine_destroy(batch);
        }
        oc_engine_t *whole = fixture_create(&config, &other);
        apply_in_batches(whole, COUNT, COUNT);
        assert_same_engines(single, whole);
        oc_engine_destroy(whole);
        oc_engine_destroy(single);
    }
}

/* What the look-ahead found out is outdated by commands of the same batch. */
static void test_a_batch_may_change_what_it_looked_up(void **state)
{
    (void)state;
    const oc_engine_config_t config = fast_fixture_config();
    oc_engine_t *single = fixture_create(&config, &recorder);
    oc_engine_t *batch = fixture_create(&config, &other);
    size_t count = 0;
    oc_command_t *c = stream_commands;
    oc_command_t retire = fixture_command(OC_COMMAND_SOURCE_RETIRE, 0, 0);
    for (uint32_t round = 0; round < 4; round++) {
        c[count++] =
            fixture_add_instrument(round + 1); /* its orders stand behind it in the batch */
        c[count++] = fixture_add_source(5);
        c[count] = fixture_new(5, 1, OC_SIDE_SELL, 4, 9);
        c[count++].instrument.value = round + 1;
        c[count++] =
            fixture_add_source(6); /* takes the record that round 1's 5 had, or another's */
        c[count] = fixture_new(6, 1, OC_SIDE_BUY, 4, 9);
        c[count++].instrument.value = round + 1;
        retire.u.source.id.value = round % 2 ? 5 : 6;
        c[count++] = retire;
        c[count++] = fixture_new(5, 2, OC_SIDE_SELL, 4, 9); /* by one that may be gone */
        c[count++] = fixture_cancel(5, 2);
        retire.u.source.id.value = round % 2 ? 6 : 5;
        c[count++] = retire;
        c[count++] = fixture_command(OC_COMMAND_NEW, 0, 0);
    }
    for (size_t i = 0; i < count; i++)
        fixture_apply(single, c[i]);
    apply_in_batches(batch, count, count);
    assert_same_engines(single, batch);
    oc_engine_destroy(single);
    oc_engine_destroy(batch);
}

static oc_command_t configure(uint32_t source, uint32_t version, uint32_t step_bound)
{
    oc_command_t command = fixture_command(OC_COMMAND_CONFIGURE, source, 0);
    command.u.configure.rules_version = version;
    command.u.configure.step_bound = step_bound;
    return command;
}

/* A state with work pending, and a command that asks for other rules. */
static oc_engine_t *engine_before_the_end(oc_engine_kind_t kind, fixture_recorder_t *events)
{
    oc_engine_config_t config = fixture_config();
    config.kind = kind;
    config.step_bound = 1;
    oc_engine_t *engine = fixture_create(&config, events);
    fixture_prepare(engine);
    for (uint64_t id = 1; id <= 9; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_BUY, 3, 4));
    fixture_apply(engine, twin_mass_cancel(1));
    return engine;
}

static void test_unknown_rules_end_both_engines_alike(void **state)
{
    (void)state;
    for (uint32_t source = 0; source <= 1; source++) {
        for (uint32_t in_batch = 0; in_batch <= 3; in_batch++) {
            oc_engine_t *fast = engine_before_the_end(OC_ENGINE_FAST, &recorder);
            oc_engine_t *reference = engine_before_the_end(OC_ENGINE_REFERENCE, &other);
            oc_command_t batch[4];
            for (uint32_t i = 0; i < 4; i++)
                batch[i] = i == in_batch ? configure(source, OC_RULES_VERSION + 1, 0)
                                         : fixture_new(2, i, OC_SIDE_SELL, 1, 9);
            batch[in_batch].sequence = source;
            assert_int_equal(oc_engine_apply_batch(fast, batch, 4), OC_ERR_RULES_VERSION);
            assert_int_equal(oc_engine_apply_batch(reference, batch, 4), OC_ERR_RULES_VERSION);
            assert_non_null(strstr(oc_err_context(), "rules"));
            oc_engine_counts_t counts;
            oc_engine_counts(fast, &counts);
            assert_int_equal(counts.entry, 5 + 9 + 1 + in_batch + 1); /* the rest is not applied */
            for (int again = 0; again < 2; again++) {
                assert_int_equal(recorder.count, other.count);
                assert_memory_equal(recorder.events, other.events,
                                    other.count * sizeof other.events[0]);
                assert_true(oc_engine_state_hash(fast) == oc_engine_state_hash(reference));
                assert_true(oc_engine_output_hash(fast) == oc_engine_output_hash(reference));
                const oc_command_t good = configure(0, OC_RULES_VERSION, 5);
                assert_int_equal(oc_engine_apply(fast, &good), OC_ERR_RULES_VERSION);
                assert_int_equal(oc_engine_apply(reference, &good), OC_ERR_RULES_VERSION);
                assert_int_equal(oc_engine_apply_batch(fast, &good, 1), OC_ERR_RULES_VERSION);
                assert_int_equal(oc_engine_apply_batch(reference, &good, 1), OC_ERR_RULES_VERSION);
            }
            fixture_assert_audit(fast);
            oc_engine_destroy(fast);
            oc_engine_destroy(reference);
        }
    }
}

static void test_unknown_rules_end_a_single_call(void **state)
{
    (void)state;
    oc_engine_t *fast = engine_before_the_end(OC_ENGINE_FAST, &recorder);
    const oc_command_t by_a_source_without_the_role = configure(9, OC_RULES_VERSION + 1, 1);
    assert_int_equal(oc_engine_apply(fast, &by_a_source_without_the_role), OC_ERR_OK);
    const oc_command_t bad = configure(0, 0, 1);
    const size_t events = recorder.count;
    assert_int_equal(oc_engine_apply(fast, &bad), OC_ERR_RULES_VERSION);
    for (size_t i = events; i < recorder.count; i++) /* only of the work that came before */
        assert_true(recorder.events[i].type == OC_EVENT_CANCELLED ||
                    recorder.events[i].type == OC_EVENT_LEVEL);
    oc_engine_destroy(fast);
}

/* Rules 3 and 4 with every type from 0 to 255, from the host and sources of all roles. */
static void test_every_type_meets_every_role(void **state)
{
    (void)state;
    twin_t twin;
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(&twin, &config);
    twin_take(&twin, fixture_add_instrument(1));
    for (uint32_t roles = 0; roles <= OC_ROLES_ALL; roles++) {
        oc_command_t add = fixture_add_source(7);
        add.u.source.roles = roles;
        twin_take(&twin, add);
        uint64_t sequence = 0;
        for (uint32_t type = 0; type < 256; type++) {
            for (uint32_t flags = 0; flags <= 8; flags = flags ? flags * 2 : 1) {
                oc_command_t command = fixture_command((oc_command_type_t)type, 7, 1);
                command.flags = flags;
                command.sequence = ++sequence;
                if (type == OC_COMMAND_CONFIGURE)
                    command.u.configure.rules_version = OC_RULES_VERSION;
                twin_apply(&twin, command);
                command.source.value = 0;
                twin_apply(&twin, command);
            }
        }
        oc_command_t retire = fixture_command(OC_COMMAND_SOURCE_RETIRE, 0, 0);
        retire.u.source.id.value = 7;
        twin_settle(&twin);
        twin_take(&twin, retire);
    }
    twin_destroy(&twin);
}

static void test_sequence_numbers(void **state)
{
    (void)state;
    twin_t twin;
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(&twin, &config);
    twin_take(&twin, fixture_add_source(1));
    oc_command_t command = fixture_new(1, 1, OC_SIDE_BUY, 1, 1);
    command.sequence = 2;
    twin_reject(&twin, command, OC_REASON_SEQUENCE_GAP);
    assert_int_equal(twin_event(0)->sequence, 1); /* the number expected */
    command.sequence = 1;
    twin_reject(&twin, command, OC_REASON_UNKNOWN_INSTRUMENT); /* takes the number too */
    twin_reject(&twin, command, OC_REASON_DUPLICATE_SEQUENCE);
    assert_int_equal(twin_event(0)->sequence, 1);
    assert_int_equal(twin_event(0)->last_status, OC_REASON_UNKNOWN_INSTRUMENT);
    command.sequence = UINT64_MAX;
    twin_reject(&twin, command, OC_REASON_SEQUENCE_GAP);
    command.sequence = 0; /* opts out */
    twin_reject(&twin, command, OC_REASON_UNKNOWN_INSTRUMENT);
    command.source.value = 2;
    twin_reject(&twin, command, OC_REASON_UNKNOWN_SOURCE);
    twin_destroy(&twin);
}

static void test_time_never_goes_back(void **state)
{
    (void)state;
    static const int64_t times[] = {5, 3, INT64_MIN, 6, INT64_MAX, 0};
    static const int64_t want[] = {5, 5, 5, 6, INT64_MAX, INT64_MAX};
    twin_t twin;
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(&twin, &config);
    for (size_t i = 0; i < 6; i++) {
        twin_take(&twin, fixture_time(times[i]));
        assert_int_equal(twin_counts(&twin).time_ns, want[i]);
        assert_int_equal(twin_counts(&twin).entry, i + 1);
    }
    twin_destroy(&twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_streams_announce_every_write),
        cmocka_unit_test(test_a_missing_touch_is_noticed),
        cmocka_unit_test(test_a_late_touch_is_noticed),
        cmocka_unit_test(test_batches_equal_single_calls_to_the_byte),
        cmocka_unit_test(test_a_batch_may_change_what_it_looked_up),
        cmocka_unit_test(test_unknown_rules_end_both_engines_alike),
        cmocka_unit_test(test_unknown_rules_end_a_single_call),
        cmocka_unit_test(test_every_type_meets_every_role),
        cmocka_unit_test(test_sequence_numbers),
        cmocka_unit_test(test_time_never_goes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
