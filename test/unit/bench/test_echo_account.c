/*
 * The account of echoes: what is counted and how, in order and out of it, once and twice, in the
 * warm-up and behind it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/echo_account.h"

enum { SENDER = 7, INTERVALS = 3 };

#define START UINT64_C(1000000000)
#define MS    UINT64_C(1000000)

static echo_account_t account;

static int make(void **state)
{
    (void)state;
    if (echo_account_init(&account, INTERVALS, 10 * MS) != OC_ERR_OK)
        return -1;
    echo_account_begin(&account, START, 10 * MS, SENDER);
    return 0;
}

static int end(void **state)
{
    (void)state;
    echo_account_fini(&account);
    return 0;
}

/* Sends the next message `late_ns` after its time. */
static wire_message_t send_at(uint64_t intended_ns, uint64_t late_ns, bool held)
{
    const wire_message_t message = {.sequence = account.counts.sent,
                                    .intended_ns = intended_ns,
                                    .sent_ns = intended_ns + late_ns,
                                    .sender = SENDER};
    echo_account_sent(&account, intended_ns, intended_ns + late_ns, held);
    return message;
}

static void latency_counts_from_the_intended_time(void **state)
{
    (void)state;
    const wire_message_t message = send_at(START + 10 * MS, 3000, false);
    echo_account_echo(&account, &message, message.intended_ns + 5000);
    echo_account_end(&account);
    assert_int_equal(account.counts.received, 1);
    assert_int_equal(histogram_max(account.latency), 5000);
    assert_int_equal(histogram_max(account.service), 2000);
    assert_int_equal(histogram_max(account.send_late), 3000);
    assert_int_equal(histogram_max(account.own_late), 3000);
    assert_int_equal(account.counts.late, 0);
    assert_int_equal(echo_account_waiting(&account), 0);
}

static void what_was_held_up_is_not_the_senders_own(void **state)
{
    (void)state;
    (void)send_at(START + 10 * MS, ECHO_LATE_NS + 1, true);
    (void)send_at(START + 10 * MS, ECHO_LATE_NS + 1, false);
    (void)send_at(START + 10 * MS, ECHO_LATE_NS, true);
    assert_int_equal(account.counts.late, 2);
    assert_int_equal(account.counts.held, 1);
    assert_int_equal(histogram_count(account.send_late), 3);
    assert_int_equal(histogram_count(account.own_late), 1);
    assert_int_equal(echo_account_waiting(&account), 3);
}

static void the_warm_up_is_in_no_histogram(void **state)
{
    (void)state;
    const wire_message_t early = send_at(START + 10 * MS - 1, 2 * ECHO_LATE_NS, true);
    const wire_message_t first = send_at(START + 10 * MS, 0, false);
    echo_account_echo(&account, &early, START + 30 * MS);
    echo_account_echo(&account, &first, START + 10 * MS + 100);
    echo_account_end(&account);
    assert_int_equal(account.counts.received, 2);
    assert_int_equal(account.counts.warm_sent, 1);
    assert_int_equal(account.counts.warm_received, 1);
    assert_int_equal(account.counts.warm_late, 1);
    assert_int_equal(account.counts.warm_held, 1);
    assert_int_equal(histogram_count(account.latency), 1);
    assert_int_equal(histogram_count(account.service), 1);
    assert_int_equal(histogram_count(account.send_late), 1);
}

static void intervals_are_by_the_time_of_the_echo(void **state)
{
    (void)state;
    static const uint64_t at_ms[] = {19, 20, 29, 30, 500};
    static const uint64_t expected[INTERVALS] = {0, 1, 4};
    for (size_t i = 0; i < sizeof at_ms / sizeof at_ms[0]; i++) {
        const wire_message_t message = send_at(START + 10 * MS, 0, false);
        echo_account_echo(&account, &message, START + at_ms[i] * MS);
    }
    for (size_t i = 0; i < INTERVALS; i++)
        assert_int_equal(histogram_count(account.line.intervals[i]), expected[i]);
    echo_account_end(&account);
    assert_int_equal(histogram_count(account.latency), 5);
    echo_account_end(&account);
    assert_int_equal(histogram_count(account.latency), 5);
}

static void doubled_and_out_of_order_are_told_apart(void **state)
{
    (void)state;
    wire_message_t sent[5];
    for (int i = 0; i < 5; i++)
        sent[i] = send_at(START + 20 * MS, 0, false);
    static const int order[] = {0, 2, 1, 2, 1, 4, 0};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        echo_account_echo(&account, &sent[order[i]], START + 21 * MS);
    assert_int_equal(account.counts.received, 4);
    assert_int_equal(account.counts.out_of_order, 1);
    assert_int_equal(account.counts.doubled, 3);
    assert_int_equal(echo_account_waiting(&account), 1);
    assert_int_equal(histogram_count(account.service), 4);
}

static void bits_are_used_again(void **state)
{
    (void)state;
    const uint64_t bits = UINT64_C(1) << 22;
    wire_message_t message = {.intended_ns = START + 20 * MS, .sender = SENDER};
    account.counts.sent = 3 * bits;
    const uint64_t sequences[] = {1, bits - 1, bits + 1, 1, bits - 1, 2 * bits + 5, bits + 5};
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++) {
        message.sequence = sequences[i];
        echo_account_echo(&account, &message, START + 21 * MS);
    }
    /* 1 is too old by then, and bits + 5 was never there: both are behind a later one. */
    assert_int_equal(account.counts.received, 4);
    assert_int_equal(account.counts.doubled, 1);
    assert_int_equal(account.counts.out_of_order, 2);
}

static void strangers_count_for_nothing(void **state)
{
    (void)state;
    const wire_message_t message = send_at(START + 20 * MS, 0, false);
    wire_message_t other = message;
    other.sender = SENDER + 1;
    echo_account_echo(&account, &other, START + 21 * MS);
    other = message;
    other.sequence = 1;
    echo_account_echo(&account, &other, START + 21 * MS);
    other = message;
    other.kind = WIRE_HELLO;
    echo_account_echo(&account, &other, START + 21 * MS);
    assert_int_equal(account.counts.strangers, 3);
    assert_int_equal(account.counts.received, 0);
}

static void a_new_run_knows_nothing_of_the_last(void **state)
{
    (void)state;
    wire_message_t message = send_at(START + 20 * MS, 50000, false);
    echo_account_echo(&account, &message, START + 21 * MS);
    echo_account_begin(&account, 2 * START, 0, SENDER + 1);
    echo_account_end(&account);
    assert_int_equal(account.counts.sent + account.counts.received + account.counts.late, 0);
    assert_int_equal(histogram_count(account.latency) + histogram_count(account.send_late), 0);
    echo_account_sent(&account, 2 * START, 2 * START, false);
    message.sender = SENDER + 1;
    message.intended_ns = 2 * START;
    echo_account_echo(&account, &message, 2 * START + 10);
    assert_int_equal(account.counts.received, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(latency_counts_from_the_intended_time, make, end),
        cmocka_unit_test_setup_teardown(what_was_held_up_is_not_the_senders_own, make, end),
        cmocka_unit_test_setup_teardown(the_warm_up_is_in_no_histogram, make, end),
        cmocka_unit_test_setup_teardown(intervals_are_by_the_time_of_the_echo, make, end),
        cmocka_unit_test_setup_teardown(doubled_and_out_of_order_are_told_apart, make, end),
        cmocka_unit_test_setup_teardown(bits_are_used_again, make, end),
        cmocka_unit_test_setup_teardown(strangers_count_for_nothing, make, end),
        cmocka_unit_test_setup_teardown(a_new_run_knows_nothing_of_the_last, make, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
