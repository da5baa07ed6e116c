/*
 * Responses to bytes and back: every message with random values, every length, every wrong header,
 * and payloads of several messages. Messages are decoded from allocations of their exact size, so
 * that a sanitizer sees a read behind them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/events_codec.h"
#include "lib/codec_samples.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 500 };

typedef struct decoded {
    codec_result_t result;
    oc_response_t response;
    size_t consumed;
    uint16_t template_id;
} decoded_t;

static decoded_t decode(const void *bytes, size_t length)
{
    decoded_t d;
    char *exact = malloc(length + 1);
    assert_non_null(exact);
    memset(&d, 0xA5, sizeof d);
    /* Behind one byte, so that nothing is aligned. */
    memcpy(exact + 1, bytes, length);
    d.result = events_decode(exact + 1, length, &d.response, &d.consumed, &d.template_id);
    free(exact);
    return d;
}

static size_t encode_sample(unsigned which, uint64_t *seed, oc_response_t *response, char *bytes)
{
    sample_response(response, which, seed);
    const size_t size = events_encode(response, bytes, EVENTS_BYTES_MAX);
    assert_int_equal(size, 8 + sample_response_shapes[which].block);
    return size;
}

static void put_u16(char *at, uint16_t value)
{
    memcpy(at, &value, sizeof value);
}

static void assert_refused(const decoded_t *d, oc_problem_t problem, size_t consumed)
{
    const oc_response_t nothing = {0};
    assert_int_equal(d->result, problem);
    assert_int_equal(d->consumed, consumed);
    assert_memory_equal(&d->response, &nothing, sizeof nothing);
}

static void test_every_response_comes_back_as_it_was(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (unsigned which = 0; which < SAMPLE_RESPONSES; which++) {
        for (int round = 0; round < ROUNDS; round++) {
            oc_response_t response;
            char bytes[EVENTS_BYTES_MAX];
            const size_t size = encode_sample(which, &seed, &response, bytes);
            const decoded_t d = decode(bytes, size);
            assert_int_equal(d.result, OC_PROBLEM_NONE);
            assert_int_equal(d.consumed, size);
            assert_int_equal(d.template_id, sample_response_shapes[which].template_id);
            assert_memory_equal(&d.response, &response, sizeof response);
        }
    }
}

static void test_a_logon_reply_has_these_bytes(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        34, 0, 101, 0, 0xFF, 1, 1, 0, /* header */
        1,  0, 0,   0, 0,    0, 0, 2, /* request id */
        3,  0, 0,   0, 0,    0, 0, 4, /* sequence */
        5,  0, 0,   0, 0,    0, 0, 6, /* outbound sequence */
        7,  0, 0,   8, 9,    0, 0, 0, /* source, roles */
        5,  4,                        /* reason, last status */
    };
    oc_response_t response = {
        .type = OC_RESPONSE_LOGON,
        .request_id = UINT64_C(0x0200000000000001),
        .u.logon = {.source = {0x08000007},
                    .roles = OC_ROLE_TRADE | OC_ROLE_ADMIN,
                    .sequence = UINT64_C(0x0400000000000003),
                    .outbound_sequence = UINT64_C(0x0600000000000005),
                    .reason = OC_REASON_NOT_ALLOWED,
                    .last_status = OC_REASON_DUPLICATE_SEQUENCE},
    };
    char bytes[EVENTS_BYTES_MAX];
    assert_int_equal(events_encode(&response, bytes, sizeof bytes), sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
}

static void test_a_cut_message_is_short_at_every_length(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (unsigned which = 0; which < SAMPLE_RESPONSES; which++) {
        oc_response_t response;
        char bytes[EVENTS_BYTES_MAX];
        const size_t size = encode_sample(which, &seed, &response, bytes);
        for (size_t length = 0; length < size; length++) {
            const decoded_t d = decode(bytes, length);
            assert_refused(&d, OC_PROBLEM_SHORT, length);
            assert_int_equal(d.template_id,
                             length < 8 ? 0 : sample_response_shapes[which].template_id);
        }
    }
}

/* The bytes are all there, but the header says that fewer, or more, belong to the block. */
static void test_a_block_may_be_longer_and_never_shorter(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (unsigned which = 0; which < SAMPLE_RESPONSES; which++) {
        oc_response_t response;
        char bytes[EVENTS_BYTES_MAX];
        memset(bytes, 0xEE, sizeof bytes);
        const size_t size = encode_sample(which, &seed, &response, bytes);
        for (size_t block = 0; block + 8 < size; block++) {
            put_u16(bytes, (uint16_t)block);
            const decoded_t whole = decode(bytes, size);
            assert_refused(&whole, OC_PROBLEM_SHORT, 8 + block);
            const decoded_t cut = decode(bytes, 8 + block);
            assert_refused(&cut, OC_PROBLEM_SHORT, 8 + block);
        }
        for (size_t block = size - 8; block + 8 <= sizeof bytes; block++) {
            put_u16(bytes, (uint16_t)block);
            put_u16(bytes + 6, 2);
            const decoded_t d = decode(bytes, sizeof bytes);
            assert_int_equal(d.result, OC_PROBLEM_NONE);
            assert_int_equal(d.consumed, 8 + block);
            assert_memory_equal(&d.response, &response, sizeof response);
        }
    }
}

static void test_every_wrong_header_is_named(void **state)
{
    (void)state;
    uint64_t seed = 4;
    oc_response_t response;
    char good[EVENTS_BYTES_MAX];
    const size_t size = encode_sample(0, &seed, &response, good);
    char bytes[EVENTS_BYTES_MAX];
    for (unsigned value = 0; value <= UINT16_MAX; value++) {
        memcpy(bytes, good, sizeof bytes);
        put_u16(bytes + 4, (uint16_t)value);
        decoded_t d = decode(bytes, size);
        assert_int_equal(d.result, value == 511 ? OC_PROBLEM_NONE : OC_PROBLEM_SCHEMA);
        assert_int_equal(d.consumed, size);
        memcpy(bytes, good, sizeof bytes);
        put_u16(bytes + 6, (uint16_t)value);
        d = decode(bytes, size);
        assert_int_equal(d.result, value == 0 ? OC_PROBLEM_VERSION : OC_PROBLEM_NONE);
        assert_int_equal(d.consumed, size);
    }
}

static void test_template_ids_without_a_message_are_unknown(void **state)
{
    (void)state;
    for (unsigned value = 0; value <= UINT16_MAX; value++) {
        char bytes[EVENTS_BYTES_MAX] = {0};
        put_u16(bytes, sizeof bytes - 8);
        put_u16(bytes + 2, (uint16_t)value);
        put_u16(bytes + 4, 511);
        put_u16(bytes + 6, 1);
        bool known = false;
        for (unsigned which = 0; which < SAMPLE_RESPONSES; which++)
            known = known || sample_response_shapes[which].template_id == value;
        const decoded_t d = decode(bytes, sizeof bytes);
        assert_int_equal(d.result, known ? OC_PROBLEM_NONE : OC_PROBLEM_TEMPLATE);
        assert_int_equal(d.template_id, value);
        assert_int_equal(d.consumed, sizeof bytes);
    }
}

/* One of each, with messages between them that this build does not know. */
static void test_a_payload_is_read_message_by_message(void **state)
{
    (void)state;
    char payload[SAMPLE_RESPONSES * (EVENTS_BYTES_MAX + 16)];
    oc_response_t responses[SAMPLE_RESPONSES];
    size_t end = 0;
    uint64_t seed = 8;
    for (unsigned which = 0; which < SAMPLE_RESPONSES; which++) {
        end += encode_sample(which, &seed, &responses[which], payload + end);
        memset(payload + end, 0x5A, 8 + which);
        put_u16(payload + end, (uint16_t)which);
        put_u16(payload + end + 2, 300);
        put_u16(payload + end + 4, 511);
        put_u16(payload + end + 6, 9);
        end += 8 + which;
    }
    size_t at = 0;
    for (unsigned which = 0; which < SAMPLE_RESPONSES; which++) {
        decoded_t d = decode(payload + at, end - at);
        assert_int_equal(d.result, OC_PROBLEM_NONE);
        assert_memory_equal(&d.response, &responses[which], sizeof d.response);
        at += d.consumed;
        d = decode(payload + at, end - at);
        assert_refused(&d, OC_PROBLEM_TEMPLATE, 8 + which);
        assert_int_equal(d.template_id, 300);
        at += d.consumed;
    }
    assert_int_equal(at, end);
}

static void test_encoding_needs_the_room_and_touches_no_more(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (unsigned which = 0; which < SAMPLE_RESPONSES; which++) {
        oc_response_t response;
        char bytes[EVENTS_BYTES_MAX];
        const size_t size = encode_sample(which, &seed, &response, bytes);
        for (size_t capacity = 0; capacity <= size; capacity++) {
            char *exact = malloc(capacity + 1);
            assert_non_null(exact);
            assert_int_equal(events_encode(&response, exact, capacity), capacity < size ? 0 : size);
            if (capacity == size)
                assert_memory_equal(exact, bytes, size);
            free(exact);
        }
    }
}

static void test_types_that_are_none_are_not_encoded(void **state)
{
    (void)state;
    for (unsigned type = 0; type < 256; type++) {
        char bytes[EVENTS_BYTES_MAX];
        oc_response_t response = {.type = (uint8_t)type};
        const bool answer = type > OC_RESPONSE_OUTPUT && type <= OC_RESPONSE_MESSAGE_REJECTED;
        assert_int_equal(events_encode(&response, bytes, sizeof bytes) > 0, answer);
        response.type = OC_RESPONSE_OUTPUT;
        response.u.output.event.type = (uint8_t)type;
        const bool event = type > 0 && type <= OC_EVENT_COMPLETED;
        assert_int_equal(events_encode(&response, bytes, sizeof bytes) > 0, event);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_response_comes_back_as_it_was),
        cmocka_unit_test(test_a_logon_reply_has_these_bytes),
        cmocka_unit_test(test_a_cut_message_is_short_at_every_length),
        cmocka_unit_test(test_a_block_may_be_longer_and_never_shorter),
        cmocka_unit_test(test_every_wrong_header_is_named),
        cmocka_unit_test(test_template_ids_without_a_message_are_unknown),
        cmocka_unit_test(test_a_payload_is_read_message_by_message),
        cmocka_unit_test(test_encoding_needs_the_room_and_touches_no_more),
        cmocka_unit_test(test_types_that_are_none_are_not_encoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
