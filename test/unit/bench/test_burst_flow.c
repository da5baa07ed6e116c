/*
 * Unit tests of the greetings of bursts: there and back, and what a receiver must not believe. Run
 * by ctest.
 */
#include "bench/burst_flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const burst_hello_t usual = {
    .bursts = 5, .size = 50000, .warmup = 1, .machine = UINT64_C(0x8877665544332211)};
static const burst_sender_id_t third = {.run = 0xbeef, .senders = 8, .index = 2};

static void assert_usual(const burst_hello_t *hello)
{
    assert_int_equal(hello->bursts, usual.bursts);
    assert_int_equal(hello->size, usual.size);
    assert_int_equal(hello->warmup, usual.warmup);
    assert_true(hello->machine == usual.machine);
}

static void test_there_and_back(void **state)
{
    (void)state;
    wire_message_t message;
    burst_hello_t hello;
    burst_hello_encode(&usual, third, &message);
    assert_int_equal(message.kind, WIRE_HELLO);
    assert_int_equal(message.sequence, UINT64_C(0x50000c350));
    assert_int_equal(message.sender, 0xbeef0802);
    assert_true(burst_hello_decode(&hello, &message));
    assert_usual(&hello);
    const burst_sender_id_t id = burst_sender_unpack(message.sender);
    assert_true(id.run == third.run && id.senders == 8 && id.index == 2);
}

static void refused(burst_hello_t hello, burst_sender_id_t id)
{
    wire_message_t message;
    burst_hello_t kept = usual;
    burst_hello_encode(&hello, id, &message);
    assert_false(burst_hello_decode(&kept, &message));
    assert_usual(&kept);
}

static void test_refused(void **state)
{
    (void)state;
    wire_message_t message;
    burst_hello_t hello;
    refused(usual, (burst_sender_id_t){1, 0, 0});
    refused(usual, (burst_sender_id_t){1, BURST_SENDERS_MAX + 1, 0});
    refused(usual, (burst_sender_id_t){1, 3, 3});
    refused((burst_hello_t){0, 1, 0, 0}, third);
    refused((burst_hello_t){1, 0, 0, 0}, third);
    refused((burst_hello_t){BURST_BURSTS_MAX + 1, 1, 0, 0}, third);
    refused((burst_hello_t){1, BURST_SIZE_MAX + 1, 0, 0}, third);
    refused((burst_hello_t){3, 1, 3, 0}, third);
    burst_hello_encode(&usual, third, &message);
    message.sent_ns += UINT64_C(1) << 32;
    assert_false(burst_hello_decode(&hello, &message));
    burst_hello_encode(&usual, third, &message);
    message.kind = WIRE_DATA;
    assert_false(burst_hello_decode(&hello, &message));
}

static void test_machine(void **state)
{
    (void)state;
    const uint64_t machine = burst_machine();
    assert_int_equal(machine, burst_machine());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
