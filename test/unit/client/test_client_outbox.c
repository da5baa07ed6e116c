/*
 * The ring of unanswered commands: numbers, what goes out when, what goes out again, and that it is
 * full when it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/client_outbox.h"
#include "codec/order_entry_codec.h"

#include <string.h>

enum { SLOTS = 16 };

static client_outbox_t outbox;

static int setup(void **state)
{
    (void)state;
    const char *why = "";
    assert_int_equal(client_outbox_init(&outbox, SLOTS, 0), OC_ERR_OK);
    assert_false(client_outbox_numbered(&outbox));
    assert_true(client_outbox_logged_on(&outbox, 100, &why));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    client_outbox_fini(&outbox);
    return 0;
}

static uint64_t put(void)
{
    oc_command_t *command = client_outbox_claim(&outbox);
    assert_non_null(command);
    assert_int_equal(command->type, 0);
    assert_int_equal(command->u.order.price_ticks, 0);
    command->type = OC_COMMAND_NEW;
    command->instrument.value = 1;
    command->u.order.client_order_id.value = outbox.next * 10;
    command->u.order.price_ticks = 5;
    command->u.order.quantity_lots = 1;
    return client_outbox_commit(&outbox);
}

/* The message holds exactly the commands first..last; it leaves. */
static void assert_leaves(uint64_t first, uint64_t last)
{
    const uint8_t *bytes = outbox.message + OUTBOX_HEADER_BYTES;
    size_t left = outbox.length - OUTBOX_HEADER_BYTES;
    for (uint64_t sequence = first; sequence <= last; sequence++) {
        oc_request_t request;
        size_t consumed;
        uint16_t template_id;
        assert_int_equal(order_entry_decode(bytes, left, &request, &consumed, &template_id),
                         OC_PROBLEM_NONE);
        assert_int_equal(request.type, OC_REQUEST_COMMAND);
        assert_int_equal(request.u.command.sequence, sequence);
        assert_int_equal(request.u.command.u.order.client_order_id.value, sequence * 10);
        bytes += consumed;
        left -= consumed;
    }
    assert_int_equal(left, 0);
    client_outbox_sent(&outbox);
    assert_false(client_outbox_collected(&outbox));
}

static void test_order(void **state)
{
    (void)state;
    assert_int_equal(put(), 101);
    assert_int_equal(put(), 102);
    assert_true(client_outbox_waiting(&outbox));
    client_outbox_fill(&outbox);
    assert_false(client_outbox_waiting(&outbox));
    assert_int_equal(put(), 103);
    client_outbox_fill(&outbox);
    assert_leaves(101, 103);
    client_outbox_answer(&outbox, 102); /* and so 101 */
    assert_int_equal(outbox.oldest, 103);
    assert_int_equal(outbox.answered, 2);
    client_outbox_answer(&outbox, 101); /* again, late */
    client_outbox_answer(&outbox, 104); /* never sent */
    assert_int_equal(outbox.oldest, 103);
    client_outbox_answer(&outbox, 103);
    assert_int_equal(outbox.oldest, outbox.next);
    assert_int_equal(outbox.resent, 0);
}

/* What was collected and not sent cannot be answered. */
static void test_not_sent(void **state)
{
    (void)state;
    (void)put();
    client_outbox_fill(&outbox);
    client_outbox_answer(&outbox, 101);
    assert_int_equal(outbox.answered, 0);
}

static void test_full(void **state)
{
    (void)state;
    for (int round = 0; round < 5; round++) {
        const uint64_t first = outbox.next;
        for (int i = 0; i < SLOTS; i++)
            (void)put();
        assert_null(client_outbox_claim(&outbox));
        client_outbox_fill(&outbox);
        assert_leaves(first, first + SLOTS - 1);
        assert_null(client_outbox_claim(&outbox));
        client_outbox_answer(&outbox, first);
        assert_non_null(client_outbox_claim(&outbox));
        client_outbox_answer(&outbox, first + SLOTS - 1);
    }
}

static void test_small_messages(void **state)
{
    (void)state;
    const size_t one = 64;
    outbox.capacity = OUTBOX_HEADER_BYTES + 2 * one + one / 2;
    for (int i = 0; i < 6; i++)
        (void)put();
    uint64_t next = 101;
    while (client_outbox_waiting(&outbox)) {
        client_outbox_fill(&outbox);
        assert_true(outbox.length <= outbox.capacity);
        assert_true(outbox.to_send > next);
        assert_leaves(next, outbox.to_send - 1);
        next = outbox.to_send;
    }
    assert_int_equal(next, 107);
}

/* A message is full with the commands it may hold; sent again they are counted anew. */
static void test_counted_messages(void **state)
{
    (void)state;
    const char *why = "";
    outbox.count_max = 2;
    for (int i = 0; i < 5; i++)
        assert_int_not_equal(put(), 0);
    client_outbox_fill(&outbox);
    assert_true(client_outbox_full(&outbox));
    assert_leaves(101, 102);
    assert_false(client_outbox_full(&outbox));
    client_outbox_fill(&outbox);
    assert_leaves(103, 104);
    client_outbox_fill(&outbox);
    assert_false(client_outbox_full(&outbox));
    assert_true(client_outbox_logged_on(&outbox, 101, &why));
    client_outbox_fill(&outbox);
    assert_leaves(102, 103);
    client_outbox_fill(&outbox);
    assert_leaves(104, 105);
}

static void test_again(void **state)
{
    (void)state;
    const char *why = "";
    for (int i = 0; i < 10; i++)
        (void)put();
    client_outbox_fill(&outbox);
    assert_leaves(101, 110);
    client_outbox_answer(&outbox, 103);
    (void)put();
    client_outbox_fill(&outbox); /* given up */
    /* 104..106 were taken: their answers will come; the rest goes out again. */
    assert_true(client_outbox_logged_on(&outbox, 106, &why));
    client_outbox_fill(&outbox);
    assert_leaves(107, 111);
    assert_int_equal(outbox.resent, 4);
    assert_int_equal(outbox.oldest, 104);
    client_outbox_answer(&outbox, 111);
    assert_int_equal(outbox.answered, 11);
}

static void test_contradictions(void **state)
{
    (void)state;
    const char *why = "";
    for (int i = 0; i < 4; i++)
        (void)put();
    client_outbox_fill(&outbox);
    assert_leaves(101, 104);
    client_outbox_answer(&outbox, 102);
    assert_true(client_outbox_logged_on(&outbox, 102, &why));
    assert_true(client_outbox_logged_on(&outbox, 104, &why));
    assert_false(client_outbox_logged_on(&outbox, 101, &why));
    assert_non_null(strstr(why, "lost"));
    assert_false(client_outbox_logged_on(&outbox, 105, &why));
    assert_non_null(strstr(why, "somebody"));
}

static void test_not_sendable(void **state)
{
    (void)state;
    for (unsigned type = 0; type <= UINT8_MAX; type++) {
        oc_command_t *command = client_outbox_claim(&outbox);
        command->type = (uint8_t)type;
        const bool host = type == OC_COMMAND_SESSION_UP || type == OC_COMMAND_SESSION_DOWN ||
                          type == OC_COMMAND_TIME;
        assert_int_equal(client_outbox_sendable((uint8_t)type),
                         type >= 1 && type <= OC_COMMAND_LAST && !host);
        if (!client_outbox_sendable((uint8_t)type))
            assert_int_equal(client_outbox_commit(&outbox), 0);
    }
    /* A price that is the null value of the wire. */
    oc_command_t *command = client_outbox_claim(&outbox);
    command->type = OC_COMMAND_MARK_PRICE;
    command->instrument.value = 1;
    command->u.mark.price_ticks = INT64_MIN;
    assert_int_equal(client_outbox_commit(&outbox), 0);
    assert_int_equal(put(), 101);
}

static void test_requests(void **state)
{
    (void)state;
    oc_request_t request = {.type = OC_REQUEST_STOP, .request_id = 1};
    (void)put();
    assert_int_equal(client_outbox_append(&outbox, &request), OC_ERR_BACK_PRESSURE);
    client_outbox_fill(&outbox);
    while (outbox.capacity - outbox.length >= ORDER_ENTRY_BYTES_MAX)
        assert_int_equal(client_outbox_append(&outbox, &request), OC_ERR_OK);
    assert_int_equal(client_outbox_append(&outbox, &request), OC_ERR_BACK_PRESSURE);
    client_outbox_sent(&outbox);
    request.type = 99;
    assert_int_equal(client_outbox_append(&outbox, &request), OC_ERR_INVALID_ARGUMENT);
    assert_false(client_outbox_collected(&outbox));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_order),          TEST(test_not_sent),         TEST(test_full),
        TEST(test_small_messages), TEST(test_counted_messages), TEST(test_again),
        TEST(test_contradictions), TEST(test_not_sendable),     TEST(test_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
