/*
 * Bursts: the worked incidents, limits, and a replay against a simulation of the receiver. Run by
 * ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "calc/burst.h"

#include <stdbool.h>
#include <string.h>

#define MS UINT64_C(1000000)

/* 57,165 packets in 211 ms against 212.75 per ms: 12,274.75 of them wait, for 57.6957 ms. */
static void test_the_aligned_streams(void **state)
{
    (void)state;
    const burst_input_t input = {.arrivals = 57165,
                                 .senders = 1,
                                 .burst_ns = 211 * MS,
                                 .drain_milli_per_ms = 212750,
                                 .size = 170,
                                 .mtu = 1408};
    burst_t burst;
    assert_int_equal(burst_calculate(&input, &burst), OC_ERR_OK);
    assert_int_equal(burst.messages, 57165);
    assert_int_equal(burst.peak_milli_per_ms, 270924);
    assert_int_equal(burst.q_burst, 12275);
    assert_int_equal(burst.worst_queueing_ns, 57695653);
    assert_int_equal(burst.buffer_bytes, 12275 * 270);
    assert_int_equal(burst.so_rcvbuf_bytes, 12275 * 640);
}

static void test_the_eight_senders(void **state)
{
    (void)state;
    const burst_input_t input = {.arrivals = 6250,
                                 .senders = 8,
                                 .burst_ns = MS,
                                 .drain_milli_per_ms = 1000000,
                                 .size = 170,
                                 .mtu = 1408};
    burst_t burst;
    assert_int_equal(burst_calculate(&input, &burst), OC_ERR_OK);
    assert_int_equal(burst.messages, 50000);
    assert_int_equal(burst.payload_bytes, 8500000);
    assert_int_equal(burst.peak_milli_per_ms, 50000000);
    assert_int_equal(burst.q_burst, 49000);
    assert_int_equal(burst.worst_queueing_ns, 49 * MS);
    assert_int_equal(burst.buffer_bytes, 49000 * 270);
}

static void test_a_receiver_that_keeps_up(void **state)
{
    (void)state;
    burst_input_t input = {.arrivals = 1000,
                           .senders = 1,
                           .burst_ns = MS,
                           .drain_milli_per_ms = 1000000,
                           .size = 1,
                           .mtu = 64};
    burst_t burst;
    assert_int_equal(burst_calculate(&input, &burst), OC_ERR_OK);
    assert_int_equal(burst.q_burst, 0);
    assert_int_equal(burst.worst_queueing_ns, 0);
    assert_int_equal(burst.buffer_bytes, 0);
    input.drain_milli_per_ms--;
    assert_int_equal(burst_calculate(&input, &burst), OC_ERR_OK);
    assert_int_equal(burst.q_burst, 1); /* a thousandth of a message is not nothing */
}

static void refuse(const burst_input_t *input, const char *why)
{
    burst_t burst;
    assert_int_equal(burst_calculate(input, &burst), OC_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(oc_err_context(), why));
}

static void test_limits(void **state)
{
    (void)state;
    const burst_input_t good = {.arrivals = 1,
                                .senders = 1,
                                .burst_ns = 1,
                                .drain_milli_per_ms = 1,
                                .size = 1,
                                .mtu = 1408};
    burst_input_t input = good;
    input.burst_ns = 0;
    refuse(&input, "0 ms is none");
    input = good;
    input.drain_milli_per_ms = 0;
    refuse(&input, "a drain rate of 0");
    input = good;
    input.arrivals = UINT64_MAX;
    input.senders = 2;
    refuse(&input, "arrivals x senders");
    input.senders = 1;
    input.size = 2;
    refuse(&input, "the burst in bytes");
    input.size = 1;
    refuse(&input, "the peak rate");
    input.burst_ns = UINT64_C(1000000000);
    refuse(&input, "the queueing in ns");
    input.drain_milli_per_ms = UINT64_C(1) << 60;
    input.burst_ns = UINT64_C(1000000001);
    assert_int_equal(burst_calculate(&input, &(burst_t){0}), OC_ERR_INVALID_ARGUMENT);
    input = good;
    input.arrivals = UINT64_C(1) << 60;
    input.burst_ns = UINT64_C(1000000000);
    input.drain_milli_per_ms = UINT64_C(1000000000);
    refuse(&input, "the buffer in bytes");
}

static void test_replay_by_hand(void **state)
{
    (void)state;
    /* One per ms is taken. The third comes when half of the second is left to do. */
    trace_message_t messages[] = {{0, 170}, {0, 33}, {1500000, 1376}, {9 * MS, 1}};
    const trace_t trace = {messages, 4};
    const burst_trace_input_t input = {
        .window_ns = 2 * MS, .drain_milli_per_ms = 1000, .mtu = 1408};
    burst_trace_t result;
    assert_int_equal(burst_replay(&trace, &input, &result), OC_ERR_OK);
    assert_int_equal(result.q_burst, 2);
    assert_int_equal(result.q_burst_ns, 0);
    assert_int_equal(result.worst_queueing_ns, 2 * MS);
    assert_int_equal(result.buffer_bytes, 142 + 1454);
    assert_int_equal(result.so_rcvbuf_bytes, (832 + 2304) / 2);
    assert_int_equal(result.payload_bytes, 170 + 33 + 1376 + 1);
    assert_int_equal(result.busiest_ms.count, 2);
    assert_int_equal(result.busiest.count, 3);
    assert_int_equal(result.formula_q_burst, 1);
    assert_int_equal(result.formula_worst_queueing_ns, MS);
}

static void test_replay_limits(void **state)
{
    (void)state;
    enum { MESSAGES = 20000 };
    static trace_message_t messages[MESSAGES];
    for (size_t i = 0; i < MESSAGES; i++)
        messages[i].size = 1;
    const trace_t trace = {messages, MESSAGES};
    burst_trace_t result;
    burst_trace_input_t input = {.window_ns = 0, .drain_milli_per_ms = 1, .mtu = 1408};
    assert_int_equal(burst_replay(&trace, &input, &result), OC_ERR_INVALID_ARGUMENT);
    input = (burst_trace_input_t){.window_ns = 1, .drain_milli_per_ms = 0, .mtu = 1408};
    assert_int_equal(burst_replay(&trace, &input, &result), OC_ERR_INVALID_ARGUMENT);
    input.drain_milli_per_ms = 1; /* one per 1000 s: 20,000 take 231 days */
    assert_int_equal(burst_replay(&trace, &input, &result), OC_ERR_OK);
    assert_int_equal(result.q_burst, MESSAGES);
    assert_int_equal(result.worst_queueing_ns, MESSAGES * UINT64_C(1000000000));
}

/*
 * The receiver as it is: looks at every ns whether it is free, takes the next message, is busy with
 * it for `service_ns`.
 */
typedef struct receiver {
    uint64_t waiting_max;
    uint64_t bytes_max;
    uint64_t wait_ns_max;
} receiver_t;

static void receive(const trace_t *trace, uint64_t service_ns, receiver_t *self)
{
    size_t arrived = 0;
    size_t gone = 0;
    uint64_t busy_until = 0;
    bool busy = false;
    *self = (receiver_t){0};
    for (uint64_t now_ns = 0; gone < trace->count; now_ns++) {
        if (busy && now_ns == busy_until) {
            const uint64_t wait_ns = now_ns - trace->messages[gone++].offset_ns;
            self->wait_ns_max = wait_ns > self->wait_ns_max ? wait_ns : self->wait_ns_max;
            busy = false;
        }
        while (arrived < trace->count && trace->messages[arrived].offset_ns == now_ns)
            arrived++;
        uint64_t bytes = 0;
        for (size_t i = gone; i < arrived; i++)
            bytes += (trace->messages[i].size + 32 + 31) / 32 * 32 + 46;
        self->bytes_max = bytes > self->bytes_max ? bytes : self->bytes_max;
        self->waiting_max = arrived - gone > self->waiting_max ? arrived - gone : self->waiting_max;
        if (!busy && gone < arrived) {
            busy = true;
            busy_until = now_ns + service_ns;
        }
    }
}

static void test_replay_of_random_traces(void **state)
{
    (void)state;
    enum { MESSAGES = 80 };
    static const uint64_t services_ns[] = {1, 2, 5, 10, 25, 50};
    uint64_t random = 4711;
    for (int round = 0; round < 300; round++) {
        const uint64_t service_ns = services_ns[prng_below(&random, 6)];
        trace_message_t messages[MESSAGES];
        uint64_t now_ns = 0;
        for (size_t i = 0; i < MESSAGES; i++) {
            if (prng_below(&random, 3) > 0)
                now_ns += prng_below(&random, (uint32_t)(2 * service_ns + 2));
            messages[i] = (trace_message_t){now_ns, 1 + prng_below(&random, 1376)};
        }
        const trace_t trace = {messages, MESSAGES};
        const burst_trace_input_t input = {.window_ns = 1 + prng_below(&random, 300),
                                           .drain_milli_per_ms = UINT64_C(1000000000) / service_ns,
                                           .mtu = 1408};
        receiver_t receiver;
        burst_trace_t result;
        receive(&trace, service_ns, &receiver);
        assert_int_equal(burst_replay(&trace, &input, &result), OC_ERR_OK);
        assert_int_equal(result.q_burst, receiver.waiting_max);
        assert_int_equal(result.buffer_bytes, receiver.bytes_max);
        assert_int_equal(result.worst_queueing_ns, receiver.wait_ns_max);
        assert_true(result.formula_q_burst <= result.q_burst);
        assert_true(result.formula_worst_queueing_ns <= result.worst_queueing_ns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_aligned_streams),      cmocka_unit_test(test_the_eight_senders),
        cmocka_unit_test(test_a_receiver_that_keeps_up), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_replay_by_hand),           cmocka_unit_test(test_replay_limits),
        cmocka_unit_test(test_replay_of_random_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
