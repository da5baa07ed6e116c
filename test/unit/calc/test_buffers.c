/*
 * Depths of the layers: the worked case, Aeron's limits, traces. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "calc/buffers.h"

#include <string.h>

#define MS UINT64_C(1000000)

/* 8 senders of 6,250 messages of 170 bytes in one ms; 224 bytes each as a frame. */
static void eight_senders(buffers_input_t *input)
{
    *input = (buffers_input_t){.senders = 8,
                               .rtt_ns = MS / 10,
                               .burst_ns = MS,
                               .stall_ns = 20 * MS,
                               .survive_ns = MS,
                               .mtu = 1408};
    assert_true(buffers_load(6250000, 170, 1408, 0, &input->load));
}

static void test_the_eight_senders(void **state)
{
    (void)state;
    buffers_input_t input;
    buffers_t buffers;
    eight_senders(&input);
    assert_int_equal(buffers_calculate(&input, &buffers), OC_ERR_OK);
    assert_int_equal(buffers.rx_ring_packets, 50000);
    assert_int_equal(buffers.so_rcvbuf_payload_bytes, 8500000);
    assert_int_equal(buffers.so_rcvbuf_bytes, 50000 * 640);
    assert_int_equal(buffers.window_bytes, 140000); /* 625 frames */
    assert_int_equal(buffers.term_bytes, 64 << 20); /* of 2 x 20 x 1,400,000 */
    assert_int_equal(buffers.so_sndbuf_bytes, 1400000);
}

static void test_charge_of_a_driver(void **state)
{
    (void)state;
    buffers_input_t input;
    buffers_t buffers;
    eight_senders(&input);
    assert_true(buffers_load(6250000, 2753, 1408, 4352, &input.load)); /* three datagrams each */
    assert_int_equal(buffers_calculate(&input, &buffers), OC_ERR_OK);
    assert_int_equal(buffers.rx_ring_packets, 150000);
    assert_int_equal(buffers.so_rcvbuf_bytes, 150000 * 2176);
}

static void test_never_below_what_aeron_takes(void **state)
{
    (void)state;
    buffers_input_t input = {
        .senders = 1, .rtt_ns = 1, .burst_ns = 1, .stall_ns = 1, .survive_ns = 1, .mtu = 65504};
    buffers_t buffers;
    assert_true(buffers_load(1, 1, 65504, 0, &input.load));
    assert_int_equal(buffers_calculate(&input, &buffers), OC_ERR_OK);
    assert_int_equal(buffers.rx_ring_packets, 1);
    assert_int_equal(buffers.window_bytes, 65504);
    assert_int_equal(buffers.so_rcvbuf_bytes, 65504);
    assert_int_equal(buffers.so_sndbuf_bytes, 65504);
    assert_int_equal(buffers.term_bytes, 128 << 10);
    input.mtu = 64;
    assert_int_equal(buffers_calculate(&input, &buffers), OC_ERR_OK);
    assert_int_equal(buffers.window_bytes, 256);
    assert_int_equal(buffers.term_bytes, 64 << 10);
    assert_true(buffers_load(1, 65535, 64, 0, &input.load)); /* an eighth of a term */
    assert_int_equal(buffers_calculate(&input, &buffers), OC_ERR_OK);
    assert_int_equal(buffers.term_bytes, 512 << 10);
}

/* Whatever the inputs: what comes out fits together, or is refused. */
static void test_random(void **state)
{
    (void)state;
    uint64_t random = 5;
    unsigned good = 0;
    for (int round = 0; round < 5000; round++) {
        buffers_input_t input = {.senders = 1 + prng_below(&random, 20),
                                 .rtt_ns = 1 + prng_below(&random, 2000000),
                                 .burst_ns = 1 + prng_below(&random, 20000000),
                                 .stall_ns = 1 + prng_below(&random, 100000000),
                                 .survive_ns = 1 + prng_below(&random, 20000000),
                                 .mtu = 64 + 32 * prng_below(&random, 2046)};
        const uint32_t size = 1 + prng_below(&random, 65535);
        buffers_t buffers;
        assert_true(buffers_load(1 + prng_below(&random, 100000), size, input.mtu, 0, &input.load));
        if (buffers_calculate(&input, &buffers) != OC_ERR_OK)
            continue;
        good++;
        assert_true(buffers.window_bytes % 32 == 0);
        assert_true(buffers.window_bytes >= input.mtu);
        assert_true(buffers.window_bytes <= buffers.term_bytes / 2);
        assert_true(buffers.window_bytes <= buffers.so_rcvbuf_bytes);
        assert_true(buffers.term_bytes >= BUFFERS_TERM_MIN);
        assert_true(buffers.term_bytes <= BUFFERS_TERM_MAX);
        assert_true((buffers.term_bytes & (buffers.term_bytes - 1)) == 0);
        assert_true(size <= buffers.term_bytes / 8);
        assert_true(buffers.so_sndbuf_bytes >= input.mtu);
        assert_true(buffers.so_rcvbuf_bytes >= buffers.so_rcvbuf_payload_bytes);
    }
    assert_true(good > 1000);
}

static void refuse(const buffers_input_t *input, const char *why)
{
    buffers_t buffers;
    assert_int_equal(buffers_calculate(input, &buffers), OC_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(oc_err_context(), why));
}

static void test_too_deep(void **state)
{
    (void)state;
    buffers_input_t input;
    eight_senders(&input);
    input.rtt_ns = 400 * MS;
    refuse(&input, "the flow-control window would need 560000000 bytes, and at most 536870912");
    eight_senders(&input);
    input.stall_ns = 400 * MS;
    refuse(&input, "the term buffer would need 1120000000 bytes, and at most 1073741824");
    eight_senders(&input);
    input.burst_ns = 40 * MS;
    refuse(&input, "the receiving socket would need 1280000000 bytes, and at most 1073741823");
    input.senders = UINT64_MAX;
    refuse(&input, "the receiving socket does not fit 64 bits");
    eight_senders(&input);
    input.survive_ns = UINT64_MAX;
    input.load.datagrams *= 1000;
    refuse(&input, "the RX ring in packets does not fit 64 bits");
    buffers_load_t load;
    assert_false(buffers_load(UINT64_MAX, 2, 1408, 0, &load));
    assert_false(buffers_load(1, 2752, 1408, UINT64_MAX, &load));
}

static void test_trace(void **state)
{
    (void)state;
    /* The most messages and the most bytes are in different milliseconds. */
    trace_message_t messages[] = {{0, 10}, {1, 10}, {2, 10}, {5 * MS, 2753}, {6 * MS - 1, 170}};
    const trace_t trace = {messages, 5};
    buffers_load_t load;
    buffers_load_trace(&trace, 1408, 0, &load);
    assert_int_equal(load.messages, 3000);
    assert_int_equal(load.payload_bytes, 2923000);
    assert_int_equal(load.datagrams, 4000);
    assert_int_equal(load.frame_bytes, (2880 + 224) * 1000);
    assert_int_equal(load.charge_bytes, (2 * 2304 + 832 + 1280) * 1000);
    assert_int_equal(load.size_max, 2753);
    buffers_load_trace(&trace, 1408, 5000, &load);
    assert_int_equal(load.charge_bytes, 4 * 5000 * 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_eight_senders),
        cmocka_unit_test(test_charge_of_a_driver),
        cmocka_unit_test(test_never_below_what_aeron_takes),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_too_deep),
        cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
