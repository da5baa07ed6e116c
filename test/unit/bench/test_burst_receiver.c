/*
 * Unit tests of the account of a run: what is lost, doubled, late or not of it, and latency by a
 * clock that is shared or not. Messages are handed over as they would come. Run by ctest.
 */
#include "bench/burst_receiver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define RUN 77

static burst_receiver_t receiver;

static int begin(void **state)
{
    (void)state;
    return burst_receiver_init(&receiver) == OC_ERR_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    burst_receiver_fini(&receiver);
    return 0;
}

/* Two senders, three bursts of four messages each, the first of them warm-up. */
static void hello_of(uint16_t run, uint8_t index, uint64_t machine)
{
    wire_message_t message;
    const burst_hello_t hello = {.bursts = 3, .size = 4, .warmup = 1, .machine = machine};
    burst_hello_encode(&hello, (burst_sender_id_t){run, 2, index}, &message);
    burst_receiver_take(&receiver, &message, 1);
}

static void hello(uint8_t index)
{
    hello_of(RUN, index, burst_machine());
}

static void data(uint8_t index, uint32_t burst, uint32_t place, uint64_t now_ns)
{
    const wire_message_t message = {
        .sequence = burst_sequence(burst, place),
        .intended_ns = now_ns - 1000,
        .sent_ns = now_ns - 100,
        .sender = burst_sender_pack((burst_sender_id_t){RUN, 2, index}),
        .kind = WIRE_DATA,
    };
    burst_receiver_take(&receiver, &message, now_ns);
}

static void goodbye(uint8_t index, uint64_t sent)
{
    const wire_message_t message = {
        .sequence = sent,
        .sender = burst_sender_pack((burst_sender_id_t){RUN, 2, index}),
        .kind = WIRE_GOODBYE,
    };
    burst_receiver_take(&receiver, &message, 1);
}

static void test_all_comes(void **state)
{
    (void)state;
    burst_tally_t tally;
    uint64_t now_ns = 10000;
    hello(0);
    hello(1);
    for (uint32_t burst = 0; burst < 3; burst++)
        for (uint32_t place = 0; place < 4; place++)
            for (uint8_t index = 0; index < 2; index++)
                data(index, burst, place, now_ns += 10);
    goodbye(0, 12);
    assert_false(burst_receiver_done(&receiver));
    goodbye(0, 12);
    assert_false(burst_receiver_done(&receiver));
    goodbye(1, 12);
    assert_true(burst_receiver_done(&receiver));
    burst_receiver_tally(&receiver, &tally);
    assert_int_equal(tally.received, 24);
    assert_int_equal(tally.lost + tally.doubled + tally.out_of_order + tally.silent, 0);
    assert_int_equal(receiver.strangers, 0);
    for (int burst = 0; burst < 3; burst++)
        assert_int_equal(receiver.absorb.rows[burst].received, 8);
    /* Without the warm-up. */
    assert_int_equal(histogram_count(receiver.latency), 16);
    assert_int_equal(histogram_max(receiver.latency), 1000);
    assert_int_equal(histogram_max(receiver.service), 100);
}

static void test_what_is_wrong_is_counted(void **state)
{
    (void)state;
    burst_tally_t tally;
    hello(0);
    hello(1);
    data(0, 1, 0, 5000);
    data(0, 1, 2, 5001); /* a gap, */
    data(0, 1, 1, 5002); /* which is filled late */
    data(0, 1, 2, 5003); /* again */
    goodbye(0, 12);
    data(1, 2, 1, 5004); /* this one stops without a word; nine before it never came */
    burst_receiver_tally(&receiver, &tally);
    assert_int_equal(tally.received, 4);
    assert_int_equal(tally.lost, 9 + 9);
    assert_int_equal(tally.doubled, 1);
    assert_int_equal(tally.out_of_order, 1);
    assert_int_equal(tally.silent, 1);
    assert_int_equal(histogram_count(receiver.latency), 4);
    assert_int_equal(receiver.absorb.rows[1].received, 3);
}

static void test_strangers(void **state)
{
    (void)state;
    const wire_message_t odd = {.sender = burst_sender_pack((burst_sender_id_t){RUN, 2, 0}),
                                .kind = 9};
    data(0, 1, 0, 5000); /* before any hello */
    assert_int_equal(receiver.strangers, 1);
    hello(0);
    hello_of(RUN + 1, 0, burst_machine());
    hello_of(RUN, 1, burst_machine() + 1);
    data(0, 3, 0, 5000);
    data(0, 0, 4, 5000);
    data(2, 0, 0, 5000);
    goodbye(0, 13);
    goodbye(3, 1);
    burst_receiver_take(&receiver, &odd, 1);
    assert_int_equal(receiver.strangers, 9);
    assert_int_equal(receiver.goodbyes, 0);
    assert_int_equal(receiver.absorb.rows[0].received, 0);
}

static void test_another_clock(void **state)
{
    (void)state;
    hello_of(RUN, 0, burst_machine() + 1);
    data(0, 1, 0, 5000);
    data(0, 2, 0, 2000000);
    assert_false(receiver.same_clock);
    assert_int_equal(histogram_count(receiver.latency), 0);
    assert_int_equal(receiver.absorb.rows[1].received, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_comes, begin, end),
        cmocka_unit_test_setup_teardown(test_what_is_wrong_is_counted, begin, end),
        cmocka_unit_test_setup_teardown(test_strangers, begin, end),
        cmocka_unit_test_setup_teardown(test_another_clock, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
