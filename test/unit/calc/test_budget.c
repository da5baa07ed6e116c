/*
 * Token buckets: the worked case, limits, and a replay against a bucket that is filled bit by bit.
 * Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "calc/budget.h"

#include <string.h>

#define MS UINT64_C(1000000)

/* 1 ms deep at 5 Gbit/s: 5,000,000 bits, of which a message of 170 bytes takes 270 x 8. */
static budget_input_t five_gigabits(void)
{
    return (budget_input_t){.rate_bits = UINT64_C(5000000000),
                            .depth_ns = MS,
                            .burst = 50000,
                            .absorb = UINT64_MAX,
                            .size = 170,
                            .mtu = 1408};
}

static void test_five_gigabits(void **state)
{
    (void)state;
    budget_input_t input = five_gigabits();
    budget_t budget;
    assert_int_equal(budget_calculate(&input, &budget), OC_ERR_OK);
    assert_int_equal(budget.bucket_bits, 5000000);
    assert_int_equal(budget.message_bits, 2160);
    assert_int_equal(budget.at_once, 2314);
    /* Six frames of 224 in 1,390 bytes: 449 datagrams take 4,992,880 bits; 3 more frames fit. */
    assert_int_equal(budget.at_once_packed, 449 * 6 + 3);
    assert_int_equal(budget.sustained_per_s, 2314814);
    assert_int_equal(budget.burst_ns, 20600000); /* (50,000 x 2,160 - 5,000,000) / 5 x 10^9 s */
    assert_int_equal(budget.tolerance, 2314);
    assert_false(budget.limited_by_receiver);
}

static void test_tolerance_is_the_smaller(void **state)
{
    (void)state;
    budget_input_t input = five_gigabits();
    budget_t budget;
    input.absorb = 2313;
    assert_int_equal(budget_calculate(&input, &budget), OC_ERR_OK);
    assert_int_equal(budget.tolerance, 2313);
    assert_true(budget.limited_by_receiver);
    input.absorb = 0;
    assert_int_equal(budget_calculate(&input, &budget), OC_ERR_OK);
    assert_int_equal(budget.tolerance, 0);
    input.absorb = 2314;
    assert_int_equal(budget_calculate(&input, &budget), OC_ERR_OK);
    assert_false(budget.limited_by_receiver);
}

static void test_corners(void **state)
{
    (void)state;
    budget_input_t input = five_gigabits();
    budget_t budget;
    input.burst = 2314; /* just what the bucket holds */
    assert_int_equal(budget_calculate(&input, &budget), OC_ERR_OK);
    assert_int_equal(budget.burst_ns, 0);
    input.burst = 2315;
    assert_int_equal(budget_calculate(&input, &budget), OC_ERR_OK);
    assert_int_equal(budget.burst_ns, 80); /* 400 bits */
    input.size = 3000;                     /* three datagrams, which hold nothing else */
    assert_int_equal(budget_calculate(&input, &budget), OC_ERR_OK);
    assert_int_equal(budget.message_bits, (2 * 1408 + 288 + 3 * 46) * 8);
    assert_int_equal(budget.at_once_packed, budget.at_once);
    input.depth_ns = 0;
    assert_int_equal(budget_calculate(&input, &budget), OC_ERR_OK);
    assert_int_equal(budget.at_once, 0);
    assert_int_equal(budget.at_once_packed, 0);
}

static void refuse(const budget_input_t *input, const char *why)
{
    budget_t budget;
    assert_int_equal(budget_calculate(input, &budget), OC_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(oc_err_context(), why));
}

static void test_limits(void **state)
{
    (void)state;
    budget_input_t input = five_gigabits();
    input.rate_bits = 0;
    refuse(&input, "a rate of 0 bits");
    input.rate_bits = UINT64_MAX;
    input.depth_ns = UINT64_C(2000000000);
    refuse(&input, "the bucket in bits");
    input = five_gigabits();
    input.rate_bits = 1;
    input.burst = UINT64_MAX;
    refuse(&input, "the burst in ns");
}

/*
 * The bucket as it is: gets one token each ns, at most `depth` of them. Messages leave in order,
 * each as soon as its bits are there.
 */
static void shape(const trace_t *trace, int64_t depth, uint64_t *delayed, uint64_t *delay_ns_max)
{
    int64_t tokens = depth;
    size_t next = 0;
    *delayed = 0;
    *delay_ns_max = 0;
    for (uint64_t now_ns = 0; next < trace->count; now_ns++) {
        while (next < trace->count && trace->messages[next].offset_ns <= now_ns) {
            const trace_message_t *message = &trace->messages[next];
            const int64_t bits = ((int64_t)(message->size + 32 + 31) / 32 * 32 + 46) * 8;
            if (tokens < bits)
                break;
            tokens -= bits;
            next++;
            const uint64_t delay_ns = now_ns - message->offset_ns;
            *delayed += delay_ns > 0;
            *delay_ns_max = delay_ns > *delay_ns_max ? delay_ns : *delay_ns_max;
        }
        tokens += tokens < depth;
    }
}

static void test_replay_of_random_traces(void **state)
{
    (void)state;
    enum { MESSAGES = 60 };
    uint64_t random = 31;
    for (int round = 0; round < 100; round++) {
        trace_message_t messages[MESSAGES];
        uint64_t now_ns = 0;
        for (size_t i = 0; i < MESSAGES; i++) {
            if (prng_below(&random, 4) > 0)
                now_ns += prng_below(&random, 4000);
            messages[i] = (trace_message_t){now_ns, 1 + prng_below(&random, 200)};
        }
        const trace_t trace = {messages, MESSAGES};
        /* A bit per ns; at least as deep as the longest message. */
        budget_input_t input = {.rate_bits = UINT64_C(1000000000),
                                .depth_ns = 2500 + prng_below(&random, 30000),
                                .mtu = 1408};
        uint64_t delayed;
        uint64_t delay_ns_max;
        budget_trace_t result;
        shape(&trace, (int64_t)input.depth_ns, &delayed, &delay_ns_max);
        assert_int_equal(budget_replay(&trace, &input, &result), OC_ERR_OK);
        assert_int_equal(result.bucket_bits, input.depth_ns);
        assert_int_equal(result.delayed, delayed);
        assert_int_equal(result.delay_ns_max, delay_ns_max);
        /* With the bucket that it asks for, nothing is delayed; with one bit less, something is. */
        input.depth_ns = result.needed_bits;
        assert_int_equal(budget_replay(&trace, &input, &result), OC_ERR_OK);
        assert_int_equal(result.delayed, 0);
        input.depth_ns--;
        assert_int_equal(budget_replay(&trace, &input, &result), OC_ERR_OK);
        assert_true(result.delayed > 0);
    }
}

static void test_replay_limits(void **state)
{
    (void)state;
    trace_message_t messages[] = {{0, 65535}};
    const trace_t trace = {messages, 1};
    budget_trace_t result;
    budget_input_t input = {.rate_bits = 0, .depth_ns = 1, .mtu = 1408};
    assert_int_equal(budget_replay(&trace, &input, &result), OC_ERR_INVALID_ARGUMENT);
    input.rate_bits = 1;
    assert_int_equal(budget_replay(&trace, &input, &result), OC_ERR_OK);
    assert_int_equal(result.delayed, 1);
    assert_int_equal(result.delay_ns_max, result.needed_bits * UINT64_C(1000000000) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_five_gigabits),
        cmocka_unit_test(test_tolerance_is_the_smaller),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_replay_of_random_traces),
        cmocka_unit_test(test_replay_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
