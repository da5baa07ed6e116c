/*
 * Unit tests of the summary: what the events of commands add to it, and its lines. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/replay_summary.h"

#include <string.h>

static void test_events(void **state)
{
    (void)state;
    oc_event_t events[6];
    memset(events, 0, sizeof events);
    events[0].type = OC_EVENT_ACCEPTED;
    events[0].quantity_lots = 99;
    events[1].type = OC_EVENT_TRADE;
    events[1].quantity_lots = 7;
    events[2].type = OC_EVENT_FILL;
    events[2].quantity_lots = 7;
    events[3].type = OC_EVENT_TRADE;
    events[3].quantity_lots = 5;
    events[4].type = OC_EVENT_REJECTED;
    events[4].reason = OC_REASON_DUPLICATE_ORDER;
    events[5].type = OC_EVENT_CANCELLED; /* its reason is no reject */
    events[5].reason = OC_REASON_REQUESTED;
    replay_summary_t s;
    memset(&s, 0, sizeof s);
    replay_summary_events(&s, events, 6);
    replay_summary_events(&s, events + 4, 1);
    assert_int_equal(s.trades, 2);
    assert_int_equal(s.traded_quantity, 12);
    assert_int_equal(s.rejected, 2);
    assert_int_equal(s.rejected_by[OC_REASON_DUPLICATE_ORDER], 2);
    assert_int_equal(s.rejected_by[OC_REASON_REQUESTED], 0);
}

static void test_summary_lines(void **state)
{
    (void)state;
    replay_summary_t s;
    memset(&s, 0, sizeof s);
    s.commands = 10;
    s.rejected = 3;
    s.rejected_by[OC_REASON_UNKNOWN_ORDER] = 2;
    s.rejected_by[OC_REASON_ORDERS_FULL] = 1;
    s.trades = 4;
    s.traded_quantity = 50;
    s.resting_orders = 6;
    s.levels = 5;
    s.executions_off_head = 7;
    s.skipped = 8;
    s.state_hash = 0xabc;
    s.ns_per_command = 12.34;
    s.ns_p50 = 10;
    s.ns_p99 = 20;
    s.ns_p999 = 30;
    s.ns_max = 40.6;
    s.bytes_per_resting_order = 81.04;
    s.peak_memory_bytes = 4096;
    char text[1024] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    replay_summary_print(&s, out);
    fclose(out);
    assert_string_equal(text, "commands: 10\n"
                              "accepted: 7\n"
                              "rejected: 3\n"
                              "rejected_unknown_order: 2\n"
                              "rejected_orders_full: 1\n"
                              "trades: 4\n"
                              "traded_quantity: 50\n"
                              "resting_orders: 6\n"
                              "levels: 5\n"
                              "executions_off_head: 7\n"
                              "skipped: 8\n"
                              "state_hash: 0000000000000abc\n"
                              "ns_per_command: 12.3\n"
                              "ns_p50: 10\n"
                              "ns_p99: 20\n"
                              "ns_p999: 30\n"
                              "ns_max: 41\n"
                              "bytes_per_resting_order: 81.0\n"
                              "peak_memory_bytes: 4096\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_summary_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
