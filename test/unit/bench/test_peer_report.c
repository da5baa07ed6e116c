/*
 * The figures in a peer's lines, which are quoted here as it prints them.
 */
#include "bench/peer_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static peer_report_t report;

static int reset(void **state)
{
    (void)state;
    memset(&report, 0, sizeof report);
    return 0;
}

static void test_speeds(void **state)
{
    (void)state;
    assert_true(peer_report_line(&report, "fill: sent 10000 acked 9990 lost 10 in 0.250 s = 40000 "
                                          "orders/s acknowledged (window 1024, offer refused 0, "
                                          "out of order 0)"));
    assert_true(report.fill_per_s == 40000);
    assert_true(report.throughput_per_s == 0);
    assert_int_equal(report.lost, 10);
    assert_true(peer_report_line(&report, "throughput: sent 20 acked 20 lost 0 in 0.001 s = 20000 "
                                          "orders/s acknowledged (window 1024, offer refused 0, "
                                          "out of order 0)"));
    assert_true(report.throughput_per_s == 20000);
    assert_int_equal(report.lost, 10);
}

static void test_latencies(void **state)
{
    (void)state;
    assert_true(peer_report_line(&report,
                                 "rtt: rate 2000/s for 15 s (first 2 s not counted): sent 30000 "
                                 "acked 23956 unsent at the end of the schedule 0 never sent 0 "
                                 "lost 6044 offer refused 529 out of order 1"));
    assert_int_equal(report.lost, 6044);
    assert_true(peer_report_line(
        &report, "rtt latency from intended send time, n 20018: p50 4407.3 us p90 35323.9 p99 "
                 "116129.8 p99.9 137232.4 max 142475.3 us, longest gap between replies 3068.7 ms"));
    assert_true(report.rtt_p50_us == 4407.3);
    assert_true(report.rtt_p99_us == 116129.8);
    assert_true(report.rtt_p999_us == 137232.4);
    assert_true(report.rtt_max_us == 142475.3);
    assert_true(report.gap_ms == 3068.7);
    assert_true(peer_report_line(
        &report, "stall latency from intended send time, n 5: p50 1.0 us p90 2.0 p99 3.0 p99.9 4.0 "
                 "max 5.0 us, longest gap between replies 6.0 ms"));
    assert_true(report.rtt_p50_us == 1.0);
}

static void test_snapshots(void **state)
{
    (void)state;
    assert_true(peer_report_line(&report, "snapshot 1: client stall (worst latency) 31.5 ms, "
                                          "longest gap between replies 30.0 ms, trigger to "
                                          "snapshot recorded 45.2 ms"));
    assert_true(peer_report_line(&report, "snapshot 2: client stall (worst latency) 9.5 ms, "
                                          "longest gap between replies 8.0 ms, trigger to "
                                          "snapshot recorded unfinished ms"));
    assert_int_equal(report.snapshots, 2);
    assert_true(report.stall_ms[0] == 31.5);
    assert_true(report.stall_ms[1] == 9.5);
    assert_true(report.recorded_ms[0] == 45.2);
    assert_true(report.recorded_ms[1] == 0);
    assert_int_equal(report.unfinished, 1);
    assert_true(peer_report_line(&report, "[ 14606 ms] snapshot take: orders 20000 records 20004 "
                                          "payload 1376 in 14.0 ms (700 ns/order), back pressured "
                                          "0, thread CPU 9.0 ms"));
    assert_int_equal(report.takes, 1);
    assert_true(report.take_ms[0] == 14.0);
    assert_true(peer_report_line(&report, "[  1049 ms] snapshot loaded: orders 20000 in 22.5 ms "
                                          "(1125 ns/order), thread CPU 20.0 ms"));
    assert_true(report.loaded_ms == 22.5);
}

/* More snapshots than there is room for are left out, not written behind the end. */
static void test_too_many(void **state)
{
    (void)state;
    const char line[] = "snapshot 1: client stall (worst latency) 1.0 ms, longest gap between "
                        "replies 1.0 ms, trigger to snapshot recorded 1.0 ms";
    const char take[] =
        "[ 1 ms] snapshot take: orders 1 records 1 payload 1 in 1.0 ms (1 ns/order)";
    for (int i = 0; i < PEER_REPORT_SNAPSHOTS; i++) {
        assert_true(peer_report_line(&report, line));
        assert_true(peer_report_line(&report, take));
    }
    assert_false(peer_report_line(&report, line));
    assert_false(peer_report_line(&report, take));
    assert_int_equal(report.snapshots, PEER_REPORT_SNAPSHOTS);
    assert_int_equal(report.takes, PEER_REPORT_SNAPSHOTS);
}

static void test_other_lines(void **state)
{
    (void)state;
    const char *const lines[] = {"",
                                 "new leader 2",
                                 "session event OK ",
                                 "[  3752 ms] role LEADER: active",
                                 "fill: sent many",
                                 "rtt latency from intended send time, n 0: p50 none",
                                 "snapshot toggle refused: INACTIVE",
                                 "environment: java 17, PS MarkSweep, cpus 2, load average 7.99"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_false(peer_report_line(&report, lines[i]));
    const peer_report_t nothing = {0};
    assert_memory_equal(&report, &nothing, sizeof report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_speeds, reset),
        cmocka_unit_test_setup(test_latencies, reset),
        cmocka_unit_test_setup(test_snapshots, reset),
        cmocka_unit_test_setup(test_too_many, reset),
        cmocka_unit_test_setup(test_other_lines, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
