/*
 * Unit tests of the verdict: each reason alone makes it fail, at the end whose it is, and what
 * cannot be known is said. Run by ctest.
 */
#include "bench/burst_verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Both ends here, everything known, nothing wrong. */
static burst_facts_t good(void)
{
    burst_facts_t facts = {.sends = true,
                           .receives = true,
                           .latency_known = true,
                           .p99_ns = 1000000,
                           .p99_limit_ns = 1000000};
    for (int i = 0; i < LOSS_COUNTERS; i++)
        facts.loss.known[i] = true;
    return facts;
}

static void check(const burst_facts_t *facts, const char *reasons, const char *unjudged)
{
    burst_verdict_t verdict;
    char text[1024];
    burst_judge(&verdict, facts);
    burst_verdict_reasons(&verdict, text, sizeof text);
    assert_string_equal(text, reasons);
    burst_verdict_unjudged(&verdict, text, sizeof text);
    assert_string_equal(text, unjudged);
    assert_int_equal(verdict.pass, strcmp(reasons, "none") == 0);
}

static void test_pass(void **state)
{
    (void)state;
    burst_facts_t facts = good();
    check(&facts, "none", "none");
    /* What is no loss, and the namespace's errors where the sockets' own are known. */
    facts.loss.values[LOSS_FLOW_CONTROL_UNDER_RUNS] = 5;
    facts.loss.values[LOSS_SHORT_SENDS] = 5;
    facts.loss.values[LOSS_UDP_RCVBUF_ERRORS] = 5;
    facts.back_pressured = 5;
    check(&facts, "none", "none");
}

static void test_each_counter(void **state)
{
    (void)state;
    static const struct {
        loss_counter_t counter;
        const char *told;
        bool of_sender;
        bool of_receiver;
    } cases[] = {
        {LOSS_UDP_SOCKET_DROPS, "udp_socket_drops 7", true, true},
        {LOSS_QDISC_DROPS, "qdisc_drops 7", true, true},
        {LOSS_LINK_LOST, "link_lost 7", true, true},
        {LOSS_NAKS_SENT, "naks_sent 7", false, true},
        {LOSS_NAKS_RECEIVED, "naks_received 7", true, false},
        {LOSS_RETRANSMITS, "retransmits 7", true, false},
        {LOSS_GAP_FILLS, "loss_gap_fills 7", false, true},
        {LOSS_FLOW_CONTROL_LIMITS, "flow_control_limits 7", true, false},
        {LOSS_FLOW_CONTROL_OVER_RUNS, "flow_control_over_runs 7", false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        burst_facts_t facts = good();
        facts.loss.values[cases[i].counter] = 7;
        check(&facts, cases[i].told, "none");
        facts.sends = false;
        check(&facts, cases[i].of_receiver ? cases[i].told : "none", "what the senders count");
        facts.sends = true;
        facts.receives = false;
        check(&facts, cases[i].of_sender ? cases[i].told : "none", "what the receiver counts");
    }
}

static void test_messages_and_latency(void **state)
{
    (void)state;
    burst_facts_t facts = good();
    facts.p99_ns = 1000100;
    check(&facts, "p99_us 1000.1 above 1000.0", "none");
    facts = good();
    facts.lost = 1;
    facts.doubled = 2;
    facts.out_of_order = 3;
    facts.unsent = 4;
    facts.no_goodbye = true;
    check(&facts, "lost 1, doubled 2, out_of_order 3, unsent 4, no_goodbye", "none");
    facts = good();
    facts.ipc = true;
    facts.back_pressured = 3;
    check(&facts, "back_pressured 3", "none");
}

static void test_not_known(void **state)
{
    (void)state;
    burst_facts_t facts = good();
    facts.loss.known[LOSS_UDP_SOCKET_DROPS] = false;
    facts.loss.values[LOSS_UDP_RCVBUF_ERRORS] = 9;
    check(&facts, "udp_rcvbuf_errors 9", "none");
    facts.loss.known[LOSS_UDP_RCVBUF_ERRORS] = false;
    facts.loss.known[LOSS_QDISC_DROPS] = false;
    facts.loss.known[LOSS_GAP_FILLS] = false;
    facts.latency_known = false;
    check(&facts, "none",
          "UDP buffer errors, which /proc does not show here, counters that this driver does not "
          "have, qdisc drops (no --qdisc-show), p99 (no message came by a clock that is the "
          "receiver's too)");
    facts.ipc = true; /* has neither sockets nor queues */
    facts.latency_known = true;
    facts.loss.known[LOSS_GAP_FILLS] = true;
    check(&facts, "none", "none");
}

/* All reasons at once have their place; a text that is too short is cut. */
static void test_all(void **state)
{
    (void)state;
    burst_facts_t facts = good();
    burst_verdict_t verdict;
    char text[24];
    for (int i = 0; i < LOSS_COUNTERS; i++)
        facts.loss.values[i] = UINT64_MAX;
    facts.ipc = true;
    facts.no_goodbye = true;
    facts.p99_ns = facts.lost = facts.doubled = facts.out_of_order = facts.unsent = UINT64_MAX;
    facts.back_pressured = UINT64_MAX;
    burst_judge(&verdict, &facts);
    assert_false(verdict.pass);
    assert_int_equal(verdict.reason_count, 16);
    burst_verdict_reasons(&verdict, text, sizeof text);
    assert_string_equal(text, "udp_socket_drops 184467");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass),      cmocka_unit_test(test_each_counter),
        cmocka_unit_test(test_all),       cmocka_unit_test(test_messages_and_latency),
        cmocka_unit_test(test_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
