/*
 * Unit tests of runs of bursts in this process, through a real driver: all messages are accounted
 * for over UDP, multicast and IPC, a trace is sent as it is, and what cannot work is refused. Run
 * by ctest.
 */
#define _GNU_SOURCE
#include "bench/bench_burst.h"
#include "bench/bench_host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/process_signals.h"

#include <signal.h>

#define PATIENCE_NS UINT64_C(60000000000)

static arrival_t onoff(uint64_t size, uint64_t idle_ms, uint64_t peak_per_ms, uint32_t bytes)
{
    arrival_shape_t shape;
    arrival_t arrivals;
    const arrival_terms_t terms = {.bytes = bytes};
    memset(&shape, 0, sizeof shape);
    shape.kind = ARRIVAL_ONOFF;
    shape.burst = size;
    shape.idle_ms = idle_ms;
    shape.peak_per_ms = peak_per_ms;
    arrival_init(&arrivals, &shape, &terms);
    return arrivals;
}

static burst_options_t small(const arrival_t *arrivals, uint32_t size, unsigned senders)
{
    return (burst_options_t){
        .wire = {.message_bytes = 170, .term_length = 1 << 20},
        .arrivals = arrivals,
        .bursts = 3,
        .size = size,
        .warmup = 1,
        .senders = senders,
        .p99_limit_ns = PATIENCE_NS,
        .grace_ns = PATIENCE_NS,
        .sender_cpu = BENCH_HOST_CPU_ANY,
        .receiver_cpu = BENCH_HOST_CPU_ANY,
    };
}

/* Every message came once, in every burst, whatever the time it took. */
static void check_all(const burst_options_t *options)
{
    burst_result_t result;
    if (bench_burst(options, &result) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    const uint64_t of_burst = (uint64_t)options->size * options->senders;
    assert_int_equal(result.planned, of_burst * options->bursts);
    assert_int_equal(result.sent, result.planned);
    assert_int_equal(result.received, result.planned);
    assert_int_equal(result.facts.lost + result.facts.doubled + result.facts.out_of_order, 0);
    assert_false(result.facts.no_goodbye);
    assert_int_equal(result.strangers, 0);
    assert_int_equal(result.row_count, options->bursts);
    for (size_t i = 0; i < result.row_count; i++) {
        assert_int_equal(result.rows[i].received, of_burst);
        assert_true(result.rows[i].peak >= 1 && result.rows[i].peak <= result.planned);
    }
    assert_true(result.facts.latency_known);
    assert_int_equal(histogram_count(result.latency), of_burst * (options->bursts - 1));
    assert_true(histogram_max(result.latency) >= histogram_min(result.service));
    assert_true(burst_result_absorb_ns_max(&result) > 0);
    /* At line rate all are intended at the burst's start: its last message waited for all others.
     * The histogram keeps three digits. */
    if (!options->paced)
        assert_true((double)histogram_max(result.latency) >=
                    (double)burst_result_absorb_ns_max(&result) * 0.99);
    assert_int_equal(result.facts.p99_ns, histogram_percentile(result.latency, 99.0));
    assert_true(burst_result_peak_max(&result) > 0);
    for (int i = 0; i <= LOSS_DRIVER_LAST; i++)
        assert_true(result.facts.loss.known[i]);
    burst_result_fini(&result);
    burst_result_fini(&result);
}

static void test_udp(void **state)
{
    (void)state;
    const arrival_t arrivals = onoff(2000, 50, 0, 170);
    burst_options_t options = small(&arrivals, 2000, 3);
    check_all(&options);
}

static void test_multicast(void **state)
{
    (void)state;
    const arrival_t arrivals = onoff(500, 20, 0, 170);
    burst_options_t options = small(&arrivals, 500, 2);
    options.wire.channel = "aeron:udp?endpoint=224.20.30.39:40573|interface=127.0.0.1";
    check_all(&options);
}

/* With a pace, and a window that is smaller than a burst. */
static void test_ipc(void **state)
{
    (void)state;
    const arrival_t arrivals = onoff(5000, 20, 100, 170);
    burst_options_t options = small(&arrivals, 5000, 2);
    options.wire.channel = "aeron:ipc";
    options.wire.term_length = 1 << 16;
    options.paced = true;
    check_all(&options);
}

static void test_trace(void **state)
{
    (void)state;
    static trace_message_t messages[] = {{0, 10}, {0, 300}, {1000000, 32}, {9000000, 1000}};
    const trace_play_t play = {.trace = {messages, 4}};
    const arrival_terms_t terms = {.trace = &play};
    arrival_shape_t shape;
    arrival_t arrivals;
    burst_result_t result;
    memset(&shape, 0, sizeof shape);
    shape.kind = ARRIVAL_TRACE;
    arrival_init(&arrivals, &shape, &terms);
    burst_options_t options = small(&arrivals, 4, 2);
    options.wire.message_bytes = 1000;
    options.bursts = 1;
    options.warmup = 0;
    assert_int_equal(bench_burst(&options, &result), OC_ERR_OK);
    assert_int_equal(result.received, 8);
    assert_int_equal(result.raised, 2);
    assert_int_equal(histogram_count(result.latency), 8);
    assert_int_equal(result.row_count, 1);
    burst_result_fini(&result);
}

/* A limit of a nanosecond: nothing else is wrong, and it fails for that. */
static void test_verdict(void **state)
{
    (void)state;
    char text[1024];
    const arrival_t arrivals = onoff(100, 20, 0, 170);
    burst_options_t options = small(&arrivals, 100, 1);
    burst_result_t result;
    options.p99_limit_ns = 1;
    options.qdisc_show = "echo a_to_b_dropped_packets: 5";
    assert_int_equal(bench_burst(&options, &result), OC_ERR_OK);
    burst_verdict_reasons(&result.verdict, text, sizeof text);
    assert_false(result.verdict.pass);
    assert_non_null(strstr(text, "p99_us "));
    assert_true(result.facts.loss.known[LOSS_QDISC_DROPS]);
    assert_int_equal(result.facts.loss.values[LOSS_QDISC_DROPS], 0);
    burst_result_fini(&result);
}

static void refused(const burst_options_t *options, oc_err_t err, const char *why)
{
    burst_result_t result;
    assert_int_equal(bench_burst(options, &result), err);
    if (strstr(oc_err_context(), why) == NULL)
        fail_msg("'%s' is not in: %s", why, oc_err_context());
}

static void test_refused(void **state)
{
    (void)state;
    const arrival_t arrivals = onoff(100, 20, 0, 170);
    burst_options_t options = small(&arrivals, 100, 1);
    options.wire.message_bytes = 5000;
    refused(&options, OC_ERR_INVALID_ARGUMENT, "--mtu");
    options = small(&arrivals, 100, 1);
    options.qdisc_show = "exit 3";
    refused(&options, OC_ERR_REFUSED, "status 3");
    options = small(&arrivals, 100, 1);
    options.receiver_cpu = 1000;
    refused(&options, OC_ERR_INVALID_CONFIG, "1000");
    options = small(&arrivals, 100, 1);
    options.sender_cpu = 1000;
    refused(&options, OC_ERR_INVALID_CONFIG, "1000");
}

static void test_interrupted(void **state)
{
    (void)state;
    const arrival_t arrivals = onoff(100, 3000000, 0, 170); /* the second burst is far away */
    burst_options_t options = small(&arrivals, 100, 2);
    assert_true(process_take_signals());
    assert_int_equal(raise(SIGTERM), 0);
    refused(&options, OC_ERR_INTERRUPTED, "interrupted");
    process_give_signals_back();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_udp),         cmocka_unit_test(test_multicast),
        cmocka_unit_test(test_ipc),         cmocka_unit_test(test_trace),
        cmocka_unit_test(test_verdict),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
