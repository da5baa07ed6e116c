/*
 * The test of the benches' figures: it passes with figures that are right, and it finds each fault
 * that is planted in them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_selftest.h"

#include <string.h>

#define MS UINT64_C(1000000)

static selftest_result_t result;

/* The sender is held up: 102 messages fit its window, a stall has 500. */
static void test_with(void (*spoil)(wire_message_t *echo))
{
    echo_pair_t pair;
    const echo_pair_options_t how = {
        .wire = {.channel = "aeron:ipc", .term_length = 65536, .message_bytes = 288},
        .reflector_cpu = REFLECTOR_CPU_ANY,
        .yield = true,
        .patience_ns = 30000 * MS,
    };
    const selftest_options_t options = {
        .rate_per_s = 10000, .stall_ns = 50 * MS, .run_ns = 400 * MS, .bytes = 288, .spoil = spoil};
    assert_int_equal(echo_pair_open(&pair, &how), OC_ERR_OK);
    assert_int_equal(bench_selftest(&pair, &options, &result), OC_ERR_OK);
    assert_int_equal(echo_pair_close(&pair), OC_ERR_OK);
    assert_true(result.stall.injected_ns >= 50 * MS);
    assert_true(result.stall.expected >= 390);
    assert_true(result.held > 0);
}

static void right_figures_pass(void **state)
{
    (void)state;
    test_with(NULL);
    if (result.stall_fault)
        fail_msg("%s", result.stall_fault);
    assert_null(result.closed_fault);
    assert_null(result.overload_fault);
    assert_true(selftest_ok(&result));
    assert_true(result.stall.seen >= result.stall.expected);
    assert_true(result.overload_sent_per_s < result.overload_intended_per_s);
    assert_true(result.recording_ns > 0);
}

static void assert_fault(const char *words)
{
    assert_false(selftest_ok(&result));
    assert_non_null(result.stall_fault);
    if (!strstr(result.stall_fault, words))
        fail_msg("'%s' is not in: %s", words, result.stall_fault);
}

static void count_from_the_send(wire_message_t *echo)
{
    echo->intended_ns = echo->sent_ns;
}

static void latency_from_the_send_is_found(void **state)
{
    (void)state;
    test_with(count_from_the_send);
    assert_fault("coordinated omission");
}

static void halve_latency(wire_message_t *echo)
{
    echo->intended_ns += 30 * MS;
}

static void latency_that_is_too_short_is_found(void **state)
{
    (void)state;
    test_with(halve_latency);
    assert_fault("coordinated omission");
}

static void lengthen_latency(wire_message_t *echo)
{
    echo->intended_ns -= 30 * MS;
}

static void latency_that_is_too_long_is_found(void **state)
{
    (void)state;
    test_with(lengthen_latency);
    assert_fault("the figures");
    assert_null(strstr(result.stall_fault, "coordinated omission"));
}

static void lose_every_third(wire_message_t *echo)
{
    if (echo->sequence % 3 == 0)
        echo->sender++;
}

static void messages_that_are_left_out_are_found(void **state)
{
    (void)state;
    test_with(lose_every_third);
    assert_fault("lost");
}

static void each_fault_has_its_words(void **state)
{
    (void)state;
    const selftest_stall_t right = {.injected_ns = 100 * MS,
                                    .seen_ns = 100 * MS,
                                    .plain_ns = 100 * MS,
                                    .expected = 800,
                                    .seen = 810,
                                    .otherwise = 10,
                                    .seen_mean_ns = 1000.0,
                                    .plain_mean_ns = 1000.0};
    assert_null(selftest_judge(&right));
    selftest_stall_t stall = right;
    stall.expected = 0;
    assert_non_null(strstr(selftest_judge(&stall), "nothing was measured"));
    stall = right;
    stall.lost = 1;
    assert_non_null(strstr(selftest_judge(&stall), "lost"));
    stall = right;
    stall.seen = 801;
    assert_non_null(strstr(selftest_judge(&stall), "coordinated omission"));
    stall = right;
    stall.seen = 819;
    assert_non_null(strstr(selftest_judge(&stall), "more messages"));
    stall = right;
    stall.seen_ns = 94 * MS;
    assert_non_null(strstr(selftest_judge(&stall), "shorter"));
    stall = right;
    stall.seen_ns = 101 * MS;
    assert_non_null(strstr(selftest_judge(&stall), "longer"));
    stall = right;
    stall.seen_mean_ns = 989.0;
    assert_non_null(strstr(selftest_judge(&stall), "below that of the messages"));
    stall.seen_mean_ns = 1011.0;
    assert_non_null(strstr(selftest_judge(&stall), "above that of the messages"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_figures_pass),
        cmocka_unit_test(latency_from_the_send_is_found),
        cmocka_unit_test(latency_that_is_too_short_is_found),
        cmocka_unit_test(latency_that_is_too_long_is_found),
        cmocka_unit_test(messages_that_are_left_out_are_found),
        cmocka_unit_test(each_fault_has_its_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
