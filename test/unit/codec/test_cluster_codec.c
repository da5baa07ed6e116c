/*
 * The cluster's client protocol to bytes and back: every message, every length, older versions,
 * headers and text lengths that lie. Messages are decoded from allocations of their exact size, so
 * that a sanitizer sees a read behind them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "codec/cluster_codec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1024, TEXT = 100, ROUNDS = 200 };

static const cluster_type_t types[] = {
    CLUSTER_SESSION_MESSAGE, CLUSTER_SESSION_EVENT,      CLUSTER_CONNECT_REQUEST,
    CLUSTER_CLOSE_REQUEST,   CLUSTER_KEEP_ALIVE,         CLUSTER_NEW_LEADER,
    CLUSTER_CHALLENGE,       CLUSTER_CHALLENGE_RESPONSE, CLUSTER_ADMIN_REQUEST,
    CLUSTER_ADMIN_RESPONSE,
};
enum { TYPES = sizeof types / sizeof types[0] };

/* A message decoded from an exact copy, which lives as long as its texts are looked at. */
typedef struct decoded {
    codec_result_t result;
    cluster_message_t message;
    char *copy;
} decoded_t;

static decoded_t decode(const void *bytes, size_t length)
{
    decoded_t d;
    d.copy = malloc(length + 1);
    assert_non_null(d.copy);
    memcpy(d.copy + 1, bytes, length);
    memset(&d.message, 0xA5, sizeof d.message);
    d.result = cluster_decode(d.copy + 1, length, &d.message);
    return d;
}

static void assert_refused(const void *bytes, size_t length, oc_problem_t problem)
{
    const cluster_message_t nothing = {0};
    const decoded_t d = decode(bytes, length);
    assert_int_equal(d.result, problem);
    assert_memory_equal(&d.message, &nothing, sizeof nothing);
    free(d.copy);
}

static void assert_text(const cluster_text_t *actual, const cluster_text_t *expected)
{
    assert_int_equal(actual->length, expected->length);
    if (expected->length > 0)
        assert_memory_equal(actual->bytes, expected->bytes, expected->length);
}

static void assert_message(const cluster_message_t *actual, const cluster_message_t *expected)
{
    assert_int_equal(actual->type, expected->type);
    assert_int_equal(actual->correlation_id, expected->correlation_id);
    assert_int_equal(actual->session, expected->session);
    assert_int_equal(actual->term, expected->term);
    assert_int_equal(actual->timestamp, expected->timestamp);
    assert_int_equal(actual->leader_heartbeat_timeout_ns, expected->leader_heartbeat_timeout_ns);
    assert_int_equal(actual->leader, expected->leader);
    assert_int_equal(actual->code, expected->code);
    assert_int_equal(actual->version, expected->version);
    assert_int_equal(actual->response_stream, expected->response_stream);
    assert_text(&actual->text, &expected->text);
    assert_text(&actual->data, &expected->data);
    assert_text(&actual->client_info, &expected->client_info);
}

static cluster_text_t any_text(uint64_t *seed)
{
    static char letters[TEXT];
    for (size_t i = 0; i < sizeof letters; i++)
        letters[i] = (char)(i + 1);
    cluster_text_t text = {.bytes = letters, .length = 0};
    if (prng_below(seed, 4) != 0) {
        text.bytes = letters + prng_below(seed, TEXT / 2);
        text.length = prng_below(seed, TEXT / 2);
    } else if (prng_below(seed, 2) != 0) {
        text.bytes = NULL;
    }
    return text;
}

static cluster_message_t sample(cluster_type_t type, uint64_t *seed)
{
    cluster_message_t m = {.type = type};
    const bool request = type == CLUSTER_CONNECT_REQUEST;
    const bool event = type == CLUSTER_SESSION_EVENT;
    const bool admin = type == CLUSTER_ADMIN_REQUEST || type == CLUSTER_ADMIN_RESPONSE;
    const bool challenge = type == CLUSTER_CHALLENGE || type == CLUSTER_CHALLENGE_RESPONSE;
    if (request || event || admin || challenge)
        m.correlation_id = (int64_t)prng_next(seed);
    if (!request)
        m.session = (int64_t)prng_next(seed);
    if (!request && !challenge && type != CLUSTER_ADMIN_RESPONSE)
        m.term = (int64_t)prng_next(seed);
    if (type == CLUSTER_SESSION_MESSAGE)
        m.timestamp = (int64_t)prng_next(seed);
    if (event)
        m.leader_heartbeat_timeout_ns = prng_below(seed, 2) ? (int64_t)prng_next(seed) : 0;
    if (event || type == CLUSTER_NEW_LEADER)
        m.leader = (int32_t)prng_next(seed);
    if (event || admin)
        m.code = (int32_t)prng_next(seed);
    if (event || request)
        m.version = (int32_t)prng_next(seed);
    if (request)
        m.response_stream = (int32_t)prng_next(seed);
    if (event || request || type == CLUSTER_NEW_LEADER || type == CLUSTER_ADMIN_RESPONSE)
        m.text = any_text(seed);
    if (request || challenge || admin || type == CLUSTER_SESSION_MESSAGE)
        m.data = any_text(seed);
    if (request)
        m.client_info = any_text(seed);
    return m;
}

static void put_u16(char *at, uint16_t value)
{
    memcpy(at, &value, sizeof value);
}

static void put_u32(char *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static void test_every_message_comes_back_as_it_was(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < TYPES * ROUNDS; i++) {
        const cluster_message_t message = sample(types[i % TYPES], &seed);
        char bytes[BYTES];
        const size_t size = cluster_encode(&message, bytes, sizeof bytes);
        assert_true(size > 0);
        const decoded_t d = decode(bytes, size);
        assert_int_equal(d.result, OC_PROBLEM_NONE);
        assert_message(&d.message, &message);
        free(d.copy);
    }
}

static void test_a_connect_request_has_these_bytes(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        16,  0,   3,   0,   111, 0,   17,  0,        /* header */
        1,   2,   3,   4,   5,   6,   7,   8,        /* correlation id */
        102, 0,   0,   0,   0,   3,   0,   0,        /* response stream, version 0.3.0 */
        9,   0,   0,   0,   'a', 'e', 'r', 'o', 'n', /* response channel */
        ':', 'i', 'p', 'c', 2,   0,   0,   0,   'm', /* credentials */
        'e', 4,   0,   0,   0,   'n', 'a', 'm', 'e', /* client info */
    };
    const cluster_message_t message = {
        .type = CLUSTER_CONNECT_REQUEST,
        .correlation_id = INT64_C(0x0807060504030201),
        .response_stream = CLUSTER_EGRESS_STREAM,
        .version = CLUSTER_PROTOCOL_VERSION,
        .text = {"aeron:ipc", 9},
        .data = {"me", 2},
        .client_info = {"name", 4},
    };
    char bytes[BYTES];
    assert_int_equal(cluster_encode(&message, bytes, sizeof bytes), sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
}

static void test_a_session_header_stands_in_front_of_a_payload(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        24,   0,    1,    0,    111,  0,    17,   0,    /* header */
        5,    0,    0,    0,    0,    0,    0,    0,    /* term */
        6,    0,    0,    0,    0,    0,    0,    0x10, /* session */
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, /* timestamp */
    };
    char header[CLUSTER_SESSION_HEADER_BYTES];
    cluster_encode_session_header(header, 5, INT64_C(0x1000000000000006), -1);
    assert_memory_equal(header, expected, sizeof expected);
    const cluster_message_t message = {
        .type = CLUSTER_SESSION_MESSAGE,
        .term = 5,
        .session = INT64_C(0x1000000000000006),
        .timestamp = -1,
        .data = {"payload", 7},
    };
    char bytes[BYTES];
    assert_int_equal(cluster_encode(&message, bytes, sizeof bytes), sizeof header + 7);
    assert_memory_equal(bytes, header, sizeof header);
    assert_memory_equal(bytes + sizeof header, "payload", 7);
}

/* Where a message may end: a payload is as long as it is, and client info may be left out. */
static bool may_end(const cluster_message_t *message, size_t length)
{
    if (message->type == CLUSTER_SESSION_MESSAGE)
        return length >= CLUSTER_SESSION_HEADER_BYTES;
    return message->type == CLUSTER_CONNECT_REQUEST &&
           length == 8 + 16 + 4 + message->text.length + 4 + message->data.length;
}

static void test_a_cut_message_is_short_at_every_length(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < TYPES * 10; i++) {
        const cluster_message_t message = sample(types[i % TYPES], &seed);
        char bytes[BYTES];
        const size_t size = cluster_encode(&message, bytes, sizeof bytes);
        for (size_t length = 0; length < size; length++) {
            if (!may_end(&message, length)) {
                assert_refused(bytes, length, OC_PROBLEM_SHORT);
                continue;
            }
            const decoded_t d = decode(bytes, length);
            assert_int_equal(d.result, OC_PROBLEM_NONE);
            assert_int_equal(d.message.client_info.length, 0);
            free(d.copy);
        }
    }
}

static void test_a_block_may_be_longer_and_never_shorter(void **state)
{
    (void)state;
    static const uint16_t blocks[TYPES] = {24, 44, 16, 16, 16, 20, 16, 16, 28, 24};
    for (int i = 0; i < TYPES; i++) {
        char bytes[BYTES];
        memset(bytes, 0, sizeof bytes); /* any text is empty, wherever it is looked for */
        put_u16(bytes + 2, (uint16_t)types[i]);
        put_u16(bytes + 4, 111);
        put_u16(bytes + 6, 17);
        for (unsigned block = 0; block <= UINT16_MAX; block += block < BYTES ? 1 : 997) {
            put_u16(bytes, (uint16_t)block);
            const bool good = block >= blocks[i] && block + 8 + 12 <= BYTES;
            if (block < blocks[i] || block + 8 > BYTES) {
                assert_refused(bytes, BYTES, OC_PROBLEM_SHORT);
            } else if (good) {
                const decoded_t d = decode(bytes, BYTES);
                assert_int_equal(d.result, OC_PROBLEM_NONE);
                free(d.copy);
            }
            if (block < blocks[i] && block + 8 <= BYTES)
                assert_refused(bytes, 8 + block, OC_PROBLEM_SHORT);
        }
    }
}

/* Puts a lie in place of the length of a text that begins at `at`. */
static void assert_lies_are_refused(char *bytes, size_t size, size_t at)
{
    uint32_t length;
    memcpy(&length, bytes + at, sizeof length);
    const uint32_t left = (uint32_t)(size - at - 4);
    const uint32_t lies[] = {left + 1,       left + 4,       INT32_MAX, (uint32_t)INT32_MAX + 1,
                             UINT32_MAX - 4, UINT32_MAX - 3, UINT32_MAX};
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        put_u32(bytes + at, lies[i]);
        assert_refused(bytes, size, OC_PROBLEM_SHORT);
    }
    put_u32(bytes + at, length);
}

static void test_lengths_of_texts_are_not_believed(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < TYPES * 10; i++) {
        const cluster_message_t message = sample(types[i % TYPES], &seed);
        char bytes[BYTES];
        const size_t size = cluster_encode(&message, bytes, sizeof bytes);
        uint16_t block;
        memcpy(&block, bytes, sizeof block);
        size_t at = (size_t)8 + block;
        while (message.type != CLUSTER_SESSION_MESSAGE && at < size) {
            assert_lies_are_refused(bytes, size, at);
            uint32_t length;
            memcpy(&length, bytes + at, sizeof length);
            at += 4 + length;
        }
    }
}

static void test_older_versions_have_shorter_blocks(void **state)
{
    (void)state;
    static const struct {
        uint16_t type, version, block;
    } cases[] = {
        {CLUSTER_SESSION_EVENT, 0, 32},   {CLUSTER_SESSION_EVENT, 5, 32},
        {CLUSTER_SESSION_EVENT, 6, 36},   {CLUSTER_SESSION_EVENT, 12, 36},
        {CLUSTER_SESSION_EVENT, 13, 44},  {CLUSTER_SESSION_EVENT, 99, 44},
        {CLUSTER_CONNECT_REQUEST, 0, 12}, {CLUSTER_CONNECT_REQUEST, 1, 12},
        {CLUSTER_CONNECT_REQUEST, 2, 16}, {CLUSTER_CONNECT_REQUEST, 13, 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char bytes[BYTES] = {0};
        put_u16(bytes, cases[i].block);
        put_u16(bytes + 2, cases[i].type);
        put_u16(bytes + 4, 111);
        put_u16(bytes + 6, cases[i].version);
        const bool connect = cases[i].type == CLUSTER_CONNECT_REQUEST;
        memset(bytes + 8, 1, cases[i].block);
        const size_t size = (size_t)8 + cases[i].block + (connect ? 8 : 4);
        const decoded_t d = decode(bytes, size);
        assert_int_equal(d.result, OC_PROBLEM_NONE);
        assert_int_equal(d.message.correlation_id, INT64_C(0x0101010101010101));
        const bool versioned = cases[i].version >= (connect ? 2 : 6);
        assert_int_equal(d.message.version, versioned ? 0x01010101 : 0);
        const bool timed = !connect && cases[i].version >= 13;
        assert_int_equal(d.message.leader_heartbeat_timeout_ns,
                         timed ? INT64_C(0x0101010101010101) : 0);
        free(d.copy);
        put_u16(bytes, (uint16_t)(cases[i].block - 1));
        assert_refused(bytes, size, OC_PROBLEM_SHORT);
    }
}

/* What follows the credentials is client info from version 14 on and unknown before. */
static void test_client_info_is_looked_for_from_version_14(void **state)
{
    (void)state;
    const cluster_message_t message = {.type = CLUSTER_CONNECT_REQUEST, .client_info = {"me", 2}};
    char bytes[BYTES];
    const size_t size = cluster_encode(&message, bytes, sizeof bytes);
    for (uint16_t version = 13; version <= 14; version++) {
        put_u16(bytes + 6, version);
        const decoded_t d = decode(bytes, size);
        assert_int_equal(d.result, OC_PROBLEM_NONE);
        assert_int_equal(d.message.client_info.length, version == 14 ? 2 : 0);
        free(d.copy);
    }
}

static void test_other_schemas_and_messages_are_named(void **state)
{
    (void)state;
    char bytes[BYTES] = {0};
    put_u16(bytes, 100);
    put_u16(bytes + 6, 17);
    for (unsigned value = 0; value <= UINT16_MAX; value++) {
        put_u16(bytes + 2, CLUSTER_KEEP_ALIVE);
        put_u16(bytes + 4, (uint16_t)value);
        if (value != 111)
            assert_refused(bytes, BYTES, OC_PROBLEM_SCHEMA);
        bool known = false;
        for (int i = 0; i < TYPES; i++)
            known = known || (unsigned)types[i] == value;
        put_u16(bytes + 2, (uint16_t)value);
        put_u16(bytes + 4, 111);
        if (!known)
            assert_refused(bytes, BYTES, OC_PROBLEM_TEMPLATE);
    }
}

static void test_encoding_needs_the_room_and_touches_no_more(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int i = 0; i < TYPES * 4; i++) {
        const cluster_message_t message = sample(types[i % TYPES], &seed);
        char bytes[BYTES];
        const size_t size = cluster_encode(&message, bytes, sizeof bytes);
        for (size_t capacity = 0; capacity <= size; capacity++) {
            char *exact = malloc(capacity + 1);
            assert_non_null(exact);
            assert_int_equal(cluster_encode(&message, exact, capacity), capacity < size ? 0 : size);
            if (capacity == size)
                assert_memory_equal(exact, bytes, size);
            free(exact);
        }
    }
    const unsigned none[] = {0, 9, 25, 28, UINT32_MAX};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        const cluster_message_t message = {.type = (cluster_type_t)none[i]};
        char bytes[BYTES];
        assert_int_equal(cluster_encode(&message, bytes, sizeof bytes), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_message_comes_back_as_it_was),
        cmocka_unit_test(test_a_connect_request_has_these_bytes),
        cmocka_unit_test(test_a_session_header_stands_in_front_of_a_payload),
        cmocka_unit_test(test_a_cut_message_is_short_at_every_length),
        cmocka_unit_test(test_a_block_may_be_longer_and_never_shorter),
        cmocka_unit_test(test_lengths_of_texts_are_not_believed),
        cmocka_unit_test(test_older_versions_have_shorter_blocks),
        cmocka_unit_test(test_client_info_is_looked_for_from_version_14),
        cmocka_unit_test(test_other_schemas_and_messages_are_named),
        cmocka_unit_test(test_encoding_needs_the_room_and_touches_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
