/*
 * What members say to each other, to bytes and back: every message, every length, blocks of a
 * version to come and of the one before, a configuration whose length lies, seals. Messages are
 * decoded from allocations of their exact size, so that a sanitizer sees a read behind them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/member_codec.h"
#include "lib/expect_abort.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 513, CONFIGURATION_MAX = 4096 };

static const uint8_t configuration[CONFIGURATION_MAX + 1] = {1, 2, 3, 250, 251, 252};

static const member_message_t samples[] = {
    {.type = MEMBER_CHECK,
     .member = 2,
     .position = UINT64_C(0xFEDCBA9876543210),
     .state_hash = UINT64_MAX,
     .output_hash = 7},
    {.type = MEMBER_CONFIGURATION,
     .member = -1,
     .max_timers = UINT32_MAX,
     .bytes = configuration,
     .length = 6},
    {.type = MEMBER_CONFIGURATION, .member = 0, .max_timers = 0, .bytes = NULL, .length = 0},
    {.type = MEMBER_CONFIGURATION,
     .member = 8,
     .max_timers = 1024,
     .bytes = configuration,
     .length = CONFIGURATION_MAX},
    {.type = MEMBER_NOTICE, .member = INT32_MAX, .notice = 1, .position = UINT64_MAX - 1},
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static void put_u16(uint8_t *at, uint16_t value)
{
    memcpy(at, &value, sizeof value);
}

static codec_result_t result_of(const void *bytes, size_t length)
{
    static const member_message_t nothing;
    member_message_t message;
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy + 1, bytes, length);
    memset(&message, 0xA5, sizeof message);
    const codec_result_t result = member_message_decode(copy + 1, length, &message);
    if (result != OC_PROBLEM_NONE)
        assert_memory_equal(&message, &nothing, sizeof nothing);
    free(copy);
    return result;
}

static void assert_message(const member_message_t *actual, const member_message_t *expected)
{
    assert_int_equal(actual->type, expected->type);
    assert_int_equal(actual->member, expected->member);
    assert_true(actual->position == expected->position);
    assert_true(actual->state_hash == expected->state_hash);
    assert_true(actual->output_hash == expected->output_hash);
    assert_int_equal(actual->notice, expected->notice);
    assert_int_equal(actual->max_timers, expected->max_timers);
    assert_int_equal(actual->length, expected->length);
    if (expected->length > 0)
        assert_memory_equal(actual->bytes, expected->bytes, expected->length);
}

static void test_every_message_comes_back_as_it_was(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; i++) {
        uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
        member_message_t message;
        const size_t size = member_message_encode(&samples[i], bytes);
        assert_true(size <= sizeof bytes);
        assert_int_equal(member_message_decode(bytes, size, &message), OC_PROBLEM_NONE);
        assert_message(&message, &samples[i]);
        for (size_t length = 0; length < size; length++)
            assert_int_equal(result_of(bytes, length), OC_PROBLEM_SHORT);
    }
}

static void test_a_check_has_these_bytes(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        28, 0, 1, 0, 1, 2, 2, 0, /* header: 513 is 0x0201 */
        1,  0, 0, 0, 0, 0, 0, 0, /* position */
        2,  0, 0, 0, 0, 0, 0, 0, /* state */
        3,  0, 0, 0, 0, 0, 0, 0, /* output */
        4,  0, 0, 0,             /* member */
    };
    const member_message_t check = {
        .type = MEMBER_CHECK, .member = 4, .position = 1, .state_hash = 2, .output_hash = 3};
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
    assert_int_equal(member_message_encode(&check, bytes), sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
}

static void test_a_block_may_be_longer_and_never_shorter(void **state)
{
    (void)state;
    static const uint16_t blocks[] = {0, 28, 8, 16};
    uint8_t bytes[256] = {0}; /* any configuration is empty, wherever it is looked for */
    for (uint16_t type = 1; type <= 3; type++) {
        put_u16(bytes + 2, type);
        put_u16(bytes + 4, SCHEMA);
        put_u16(bytes + 6, 9);
        for (uint16_t block = 0; block < 200; block++) {
            put_u16(bytes, block);
            assert_int_equal(result_of(bytes, sizeof bytes),
                             block < blocks[type] ? OC_PROBLEM_SHORT : OC_PROBLEM_NONE);
        }
        put_u16(bytes, UINT16_MAX);
        assert_int_equal(result_of(bytes, sizeof bytes), OC_PROBLEM_SHORT);
    }
}

/* Logs of before have them, and are read for good. */
static void test_a_notice_of_version_1_tells_no_position(void **state)
{
    (void)state;
    static const uint8_t notice[] = {8, 0, 3, 0, 1, 2, 1, 0, 5, 0, 0, 0, 1, 0, 0, 0};
    uint8_t bytes[32] = {0};
    member_message_t message;
    memcpy(bytes, notice, sizeof notice);
    for (size_t length = sizeof notice; length <= sizeof bytes; length++) {
        assert_int_equal(member_message_decode(bytes, length, &message), OC_PROBLEM_NONE);
        assert_int_equal(message.member, 5);
        assert_int_equal(message.notice, 1);
        assert_true(message.position == MEMBER_POSITION_NONE);
    }
    put_u16(bytes, 16); /* whatever it is, it is no position */
    assert_int_equal(member_message_decode(bytes, sizeof bytes, &message), OC_PROBLEM_NONE);
    assert_true(message.position == MEMBER_POSITION_NONE);
}

static void test_a_seal_is_the_end_of_what_is_sent(void **state)
{
    (void)state;
    uint8_t bytes[16 + MEMBER_SEAL_BYTES];
    member_signature_t seal, found;
    static const member_signature_t nothing;
    for (size_t i = 0; i < sizeof seal; i++)
        ((uint8_t *)&seal)[i] = (uint8_t)(i * 5);
    memset(bytes, 9, sizeof bytes);
    member_message_encode_seal(&seal, bytes + 16);
    static const uint8_t header[] = {96, 0, 4, 0, 1, 2, 2, 0};
    assert_memory_equal(bytes + 16, header, sizeof header);
    assert_true(member_message_sealed(bytes, sizeof bytes, &found));
    assert_memory_equal(&found, &seal, sizeof seal);
    assert_true(member_message_sealed(bytes + 16, MEMBER_SEAL_BYTES, &found));
    for (size_t length = 0; length < sizeof bytes; length++) {
        assert_false(member_message_sealed(bytes, length, &found));
        assert_memory_equal(&found, &nothing, sizeof nothing);
    }
    for (size_t i = 0; i < 6; i++) { /* the version may be any */
        bytes[16 + i] ^= 1;
        assert_false(member_message_sealed(bytes, sizeof bytes, &found));
        bytes[16 + i] ^= 1;
    }
    /* Alone it says nothing. */
    assert_int_equal(result_of(bytes + 16, MEMBER_SEAL_BYTES), OC_PROBLEM_TEMPLATE);
}

static void test_a_seal_does_not_change_the_message(void **state)
{
    (void)state;
    static const member_signature_t seal;
    for (int i = 0; i < SAMPLES; i++) {
        uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
        member_message_t message;
        const size_t size = member_message_encode(&samples[i], bytes);
        assert_true(size + MEMBER_SEAL_BYTES <= sizeof bytes);
        member_message_encode_seal(&seal, bytes + size);
        assert_int_equal(member_message_decode(bytes, size + MEMBER_SEAL_BYTES, &message),
                         OC_PROBLEM_NONE);
        assert_message(&message, &samples[i]);
    }
}

static void test_the_length_of_a_configuration_is_not_believed(void **state)
{
    (void)state;
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX + UINT16_MAX] = {0};
    const size_t size = member_message_encode(&samples[1], bytes);
    put_u16(bytes + 16, 7);
    assert_int_equal(result_of(bytes, size), OC_PROBLEM_SHORT);
    put_u16(bytes + 16, CONFIGURATION_MAX);
    assert_int_equal(result_of(bytes, size), OC_PROBLEM_SHORT);
    assert_int_equal(result_of(bytes, sizeof bytes), OC_PROBLEM_NONE);
    /* Longer than any configuration, although it is all there. */
    put_u16(bytes + 16, CONFIGURATION_MAX + 1);
    assert_int_equal(result_of(bytes, sizeof bytes), OC_PROBLEM_FIELD);
    put_u16(bytes + 16, UINT16_MAX);
    assert_int_equal(result_of(bytes, sizeof bytes), OC_PROBLEM_FIELD);
}

static void test_other_schemas_and_messages_are_named(void **state)
{
    (void)state;
    uint8_t bytes[256] = {0};
    put_u16(bytes, 28);
    for (unsigned value = 0; value <= UINT16_MAX; value++) {
        put_u16(bytes + 2, MEMBER_CHECK);
        put_u16(bytes + 4, (uint16_t)value);
        assert_int_equal(result_of(bytes, sizeof bytes),
                         value == SCHEMA ? OC_PROBLEM_NONE : OC_PROBLEM_SCHEMA);
        put_u16(bytes + 2, (uint16_t)value);
        put_u16(bytes + 4, SCHEMA);
        assert_int_equal(result_of(bytes, sizeof bytes),
                         value >= 1 && value <= 3 ? OC_PROBLEM_NONE : OC_PROBLEM_TEMPLATE);
    }
}

static void encode(void *context)
{
    uint8_t bytes[2 * MEMBER_MESSAGE_BYTES_MAX];
    (void)member_message_encode(context, bytes);
}

static void test_what_no_member_may_say_is_a_bug(void **state)
{
    (void)state;
    member_message_t message = samples[3];
    assert_false(child_aborts(encode, &message));
    message.length = CONFIGURATION_MAX + 1;
    assert_true(child_aborts(encode, &message));
    message = (member_message_t){.type = (member_message_type_t)4};
    assert_true(child_aborts(encode, &message));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_message_comes_back_as_it_was),
        cmocka_unit_test(test_a_check_has_these_bytes),
        cmocka_unit_test(test_a_block_may_be_longer_and_never_shorter),
        cmocka_unit_test(test_a_notice_of_version_1_tells_no_position),
        cmocka_unit_test(test_a_seal_is_the_end_of_what_is_sent),
        cmocka_unit_test(test_a_seal_does_not_change_the_message),
        cmocka_unit_test(test_the_length_of_a_configuration_is_not_believed),
        cmocka_unit_test(test_other_schemas_and_messages_are_named),
        cmocka_unit_test(test_what_no_member_may_say_is_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
