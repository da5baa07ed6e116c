/*
 * What a consensus module and its service say to each other, to bytes and back: every message,
 * every length, older versions, what the schema writes for absent, lengths that lie. Messages are
 * decoded from allocations of their exact size, so that a sanitizer sees a read behind them. The
 * list of members has a test of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "codec/cluster_service_codec.h"
#include "lib/byte_builder.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 1024, TEXT = 100, ROUNDS = 200, SCHEMA = 111, VERSION = 17 };

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const cluster_log_type_t log_types[] = {
    CLUSTER_LOG_MESSAGE, CLUSTER_LOG_TIMER, CLUSTER_LOG_OPEN,       CLUSTER_LOG_CLOSE,
    CLUSTER_LOG_ACTION,  CLUSTER_LOG_TERM,  CLUSTER_LOG_MEMBERSHIP,
};
static const cluster_control_type_t control_types[] = {
    CLUSTER_CONTROL_JOIN_LOG,
    CLUSTER_CONTROL_TERMINATION,
    CLUSTER_CONTROL_REQUEST_ACK,
};

/* One of the decoders under a common name, so that what holds for all is tested once. */
typedef union decoded {
    cluster_log_entry_t log;
    cluster_control_t control;
    cluster_request_t request;
    cluster_snapshot_message_t snapshot;
} decoded_t;

typedef codec_result_t decode_function_t(const void *bytes, size_t length, decoded_t *decoded);

static codec_result_t decode_log(const void *bytes, size_t length, decoded_t *decoded)
{
    return cluster_log_decode(bytes, length, &decoded->log);
}

static codec_result_t decode_control(const void *bytes, size_t length, decoded_t *decoded)
{
    return cluster_control_decode(bytes, length, &decoded->control);
}

static codec_result_t decode_request(const void *bytes, size_t length, decoded_t *decoded)
{
    return cluster_request_decode(bytes, length, &decoded->request);
}

static codec_result_t decode_snapshot(const void *bytes, size_t length, decoded_t *decoded)
{
    return cluster_snapshot_decode(bytes, length, &decoded->snapshot);
}

static size_t size_of(decode_function_t *decode)
{
    if (decode == decode_log)
        return sizeof(cluster_log_entry_t);
    if (decode == decode_control)
        return sizeof(cluster_control_t);
    return decode == decode_request ? sizeof(cluster_request_t)
                                    : sizeof(cluster_snapshot_message_t);
}

/* Decodes an exact copy at an odd address; texts are not to be looked at afterwards. */
static codec_result_t result_of(decode_function_t *decode, const void *bytes, size_t length)
{
    static const decoded_t nothing;
    decoded_t decoded;
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    if (length > 0)
        memcpy(copy + 1, bytes, length);
    memset(&decoded, 0xA5, sizeof decoded);
    const codec_result_t result = decode(copy + 1, length, &decoded);
    if (result != OC_PROBLEM_NONE)
        assert_memory_equal(&decoded, &nothing, size_of(decode));
    free(copy);
    return result;
}

static void assert_text(const cluster_text_t *actual, const cluster_text_t *expected)
{
    assert_int_equal(actual->length, expected->length);
    if (expected->length > 0)
        assert_memory_equal(actual->bytes, expected->bytes, expected->length);
}

static cluster_text_t any_text(uint64_t *seed)
{
    static char letters[TEXT];
    for (size_t i = 0; i < sizeof letters; i++)
        letters[i] = (char)(i + 1);
    if (prng_below(seed, 4) == 0)
        return (cluster_text_t){.bytes = NULL, .length = 0};
    return (cluster_text_t){.bytes = letters + prng_below(seed, TEXT / 2),
                            .length = prng_below(seed, TEXT / 2)};
}

/* Any number but the one that stands for absent. */
static int32_t any_i32(uint64_t *seed)
{
    const int32_t value = (int32_t)prng_next(seed);
    return value == INT32_MIN ? 0 : value;
}

static void put_u16(char *at, uint16_t value)
{
    memcpy(at, &value, sizeof value);
}

static void put_u32(char *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static void put_header(char *bytes, unsigned block, unsigned template_id, unsigned version)
{
    put_u16(bytes, (uint16_t)block);
    put_u16(bytes + 2, (uint16_t)template_id);
    put_u16(bytes + 4, SCHEMA);
    put_u16(bytes + 6, (uint16_t)version);
}

/* ---- The log ---- */

static cluster_log_entry_t log_sample(cluster_log_type_t type, uint64_t *seed)
{
    cluster_log_entry_t e = {.type = type, .term = (int64_t)prng_next(seed)};
    const bool action = type == CLUSTER_LOG_ACTION;
    const bool term = type == CLUSTER_LOG_TERM;
    const bool membership = type == CLUSTER_LOG_MEMBERSHIP;
    e.timestamp = (int64_t)prng_next(seed);
    if (type == CLUSTER_LOG_MESSAGE || type == CLUSTER_LOG_OPEN || type == CLUSTER_LOG_CLOSE)
        e.session = (int64_t)prng_next(seed);
    if (type == CLUSTER_LOG_TIMER || type == CLUSTER_LOG_OPEN)
        e.correlation_id = (int64_t)prng_next(seed);
    if (action || term || membership)
        e.log_position = (int64_t)prng_next(seed);
    if (term || membership)
        e.leader = any_i32(seed);
    if (term) {
        e.term_base = (int64_t)prng_next(seed);
        e.log_session = any_i32(seed);
        e.time_unit = any_i32(seed);
        e.app_version = any_i32(seed);
    }
    if (action) {
        e.action = any_i32(seed);
        e.flags = any_i32(seed);
    }
    if (type == CLUSTER_LOG_CLOSE)
        e.close_reason = any_i32(seed);
    if (type == CLUSTER_LOG_OPEN) {
        e.response_stream = any_i32(seed);
        e.channel = any_text(seed);
        e.principal = any_text(seed);
    }
    if (type == CLUSTER_LOG_MESSAGE)
        e.payload = any_text(seed);
    return e;
}

static void assert_entry(const cluster_log_entry_t *actual, const cluster_log_entry_t *expected)
{
    assert_int_equal(actual->type, expected->type);
    assert_int_equal(actual->term, expected->term);
    assert_int_equal(actual->timestamp, expected->timestamp);
    assert_int_equal(actual->session, expected->session);
    assert_int_equal(actual->correlation_id, expected->correlation_id);
    assert_int_equal(actual->log_position, expected->log_position);
    assert_int_equal(actual->term_base, expected->term_base);
    assert_int_equal(actual->leader, expected->leader);
    assert_int_equal(actual->log_session, expected->log_session);
    assert_int_equal(actual->time_unit, expected->time_unit);
    assert_int_equal(actual->app_version, expected->app_version);
    assert_int_equal(actual->action, expected->action);
    assert_int_equal(actual->flags, expected->flags);
    assert_int_equal(actual->close_reason, expected->close_reason);
    assert_int_equal(actual->response_stream, expected->response_stream);
    assert_text(&actual->channel, &expected->channel);
    assert_text(&actual->principal, &expected->principal);
    assert_text(&actual->payload, &expected->payload);
}

static void test_every_entry_of_the_log_comes_back_as_it_was(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t i = 0; i < COUNT(log_types) * ROUNDS; i++) {
        const cluster_log_entry_t entry = log_sample(log_types[i % COUNT(log_types)], &seed);
        cluster_log_entry_t again;
        char bytes[BYTES];
        const size_t size = cluster_log_encode(&entry, bytes, sizeof bytes);
        assert_true(size > 0);
        assert_int_equal(cluster_log_decode(bytes, size, &again), OC_PROBLEM_NONE);
        assert_entry(&again, &entry);
        assert_int_equal(again.behind, 0);
        memset(bytes + size, 0, 3); /* a message's payload goes to its end */
        assert_int_equal(cluster_log_decode(bytes, size + 3, &again), OC_PROBLEM_NONE);
        assert_int_equal(again.behind, entry.type == CLUSTER_LOG_MESSAGE ? 0 : 3);
        bytes[6]++; /* a version still to come */
        assert_int_equal(cluster_log_decode(bytes, size + 3, &again), OC_PROBLEM_NONE);
        assert_int_equal(again.behind, 0);
    }
}

static void test_a_leadership_term_has_these_bytes(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        48, 0, 24, 0, 111, 0, 17, 0, /* header */
        1,  0, 0,  0, 0,   0, 0,  0, /* leadership term */
        2,  0, 0,  0, 0,   0, 0,  0, /* log position */
        3,  0, 0,  0, 0,   0, 0,  0, /* timestamp */
        4,  0, 0,  0, 0,   0, 0,  0, /* position at which the term began */
        5,  0, 0,  0, 6,   0, 0,  0, /* leader, session of the log */
        2,  0, 0,  0, 7,   0, 0,  0, /* nanoseconds, application's version */
    };
    const cluster_log_entry_t entry = {
        .type = CLUSTER_LOG_TERM,
        .term = 1,
        .log_position = 2,
        .timestamp = 3,
        .term_base = 4,
        .leader = 5,
        .log_session = 6,
        .time_unit = CLUSTER_TIME_NANOS,
        .app_version = 7,
    };
    char bytes[BYTES];
    assert_int_equal(cluster_log_encode(&entry, bytes, sizeof bytes), sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
}

static void test_a_cut_entry_is_short_at_every_length(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (size_t i = 0; i < COUNT(log_types) * 10; i++) {
        const cluster_log_entry_t entry = log_sample(log_types[i % COUNT(log_types)], &seed);
        char bytes[BYTES];
        const size_t size = cluster_log_encode(&entry, bytes, sizeof bytes);
        for (size_t length = 0; length < size; length++) {
            /* A payload is as long as it is. */
            const bool whole =
                entry.type == CLUSTER_LOG_MESSAGE && length >= CLUSTER_SESSION_HEADER_BYTES;
            assert_int_equal(result_of(decode_log, bytes, length),
                             whole ? OC_PROBLEM_NONE : OC_PROBLEM_SHORT);
        }
    }
}

static void test_what_the_log_has_besides_is_of_no_meaning(void **state)
{
    (void)state;
    char bytes[BYTES] = {0};
    for (unsigned template_id = 0; template_id <= UINT16_MAX; template_id++) {
        bool known = false;
        for (size_t i = 0; i < COUNT(log_types); i++)
            known = known || (unsigned)log_types[i] == template_id;
        if (known)
            continue;
        cluster_log_entry_t entry;
        put_header(bytes, 4, template_id, VERSION);
        memset(&entry, 0xA5, sizeof entry);
        assert_int_equal(cluster_log_decode(bytes, 12, &entry), OC_PROBLEM_NONE);
        assert_entry(&entry, &(cluster_log_entry_t){.type = CLUSTER_LOG_OTHER});
        assert_int_equal(result_of(decode_log, bytes, 11), OC_PROBLEM_SHORT);
    }
}

static void test_old_entries_lack_what_came_later(void **state)
{
    (void)state;
    static const struct {
        uint16_t type, version, block;
        bool later;
    } cases[] = {
        {CLUSTER_LOG_ACTION, 0, 28, false}, {CLUSTER_LOG_ACTION, 10, 28, false},
        {CLUSTER_LOG_ACTION, 11, 32, true}, {CLUSTER_LOG_ACTION, 99, 32, true},
        {CLUSTER_LOG_TERM, 0, 40, false},   {CLUSTER_LOG_TERM, 3, 40, false},
        {CLUSTER_LOG_TERM, 4, 48, true},    {CLUSTER_LOG_TERM, 99, 48, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char bytes[BYTES];
        cluster_log_entry_t entry;
        memset(bytes, 1, sizeof bytes);
        put_header(bytes, cases[i].block, cases[i].type, cases[i].version);
        assert_int_equal(cluster_log_decode(bytes, (size_t)8 + cases[i].block, &entry),
                         OC_PROBLEM_NONE);
        assert_int_equal(entry.term, INT64_C(0x0101010101010101));
        const int32_t later = cases[i].later ? 0x01010101 : 0;
        const bool action = cases[i].type == CLUSTER_LOG_ACTION;
        assert_int_equal(entry.flags, action ? later : 0);
        assert_int_equal(entry.time_unit, action ? 0 : later); /* 0: milliseconds */
        assert_int_equal(entry.app_version, action ? 0 : later);
        put_u16(bytes, (uint16_t)(cases[i].block - 1));
        assert_int_equal(result_of(decode_log, bytes, BYTES), OC_PROBLEM_SHORT);
        /* What a version still to come appends is skipped. */
        put_u16(bytes, (uint16_t)(cases[i].block + 100));
        assert_int_equal(result_of(decode_log, bytes, BYTES), OC_PROBLEM_NONE);
    }
}

static void test_what_the_schema_says_is_absent_has_its_default(void **state)
{
    (void)state;
    cluster_log_entry_t entry = {.type = CLUSTER_LOG_TERM, .time_unit = INT32_MIN};
    char bytes[BYTES];
    size_t size = cluster_log_encode(&entry, bytes, sizeof bytes);
    assert_int_equal(cluster_log_decode(bytes, size, &entry), OC_PROBLEM_NONE);
    assert_int_equal(entry.time_unit, CLUSTER_TIME_MILLIS);
    entry = (cluster_log_entry_t){.type = CLUSTER_LOG_ACTION, .action = 2, .flags = INT32_MIN};
    size = cluster_log_encode(&entry, bytes, sizeof bytes);
    assert_int_equal(cluster_log_decode(bytes, size, &entry), OC_PROBLEM_NONE);
    assert_int_equal(entry.action, CLUSTER_ACTION_SNAPSHOT);
    assert_int_equal(entry.flags, 0);
}

/* Puts a lie in place of the length of a text that begins at `at`. */
static void assert_lies_are_refused(decode_function_t *decode, char *bytes, size_t size, size_t at)
{
    uint32_t length;
    memcpy(&length, bytes + at, sizeof length);
    const uint32_t left = (uint32_t)(size - at - 4);
    const uint32_t lies[] = {left + 1,       left + 4,       INT32_MAX, (uint32_t)INT32_MAX + 1,
                             UINT32_MAX - 4, UINT32_MAX - 3, UINT32_MAX};
    for (size_t i = 0; i < COUNT(lies); i++) {
        put_u32(bytes + at, lies[i]);
        assert_int_equal(result_of(decode, bytes, size), OC_PROBLEM_SHORT);
    }
    put_u32(bytes + at, length);
}

/* All texts behind the block of a message. */
static void assert_no_length_is_believed(decode_function_t *decode, char *bytes, size_t size)
{
    uint16_t block;
    memcpy(&block, bytes, sizeof block);
    for (size_t at = (size_t)8 + block; at < size;) {
        assert_lies_are_refused(decode, bytes, size, at);
        uint32_t length;
        memcpy(&length, bytes + at, sizeof length);
        at += 4 + length;
    }
}

static void test_lengths_of_texts_are_not_believed(void **state)
{
    (void)state;
    uint64_t seed = 3;
    char bytes[BYTES];
    for (int i = 0; i < 20; i++) {
        const cluster_log_entry_t open = log_sample(CLUSTER_LOG_OPEN, &seed);
        size_t size = cluster_log_encode(&open, bytes, sizeof bytes);
        assert_no_length_is_believed(decode_log, bytes, size);
        const cluster_log_entry_t membership = log_sample(CLUSTER_LOG_MEMBERSHIP, &seed);
        size = cluster_log_encode(&membership, bytes, sizeof bytes);
        assert_no_length_is_believed(decode_log, bytes, size);
        const cluster_control_t join = {.type = CLUSTER_CONTROL_JOIN_LOG,
                                        .channel = any_text(&seed)};
        size = cluster_control_encode(&join, bytes, sizeof bytes);
        assert_no_length_is_believed(decode_control, bytes, size);
        const cluster_snapshot_message_t session = {.type = CLUSTER_SNAPSHOT_SESSION,
                                                    .channel = any_text(&seed),
                                                    .principal = any_text(&seed)};
        size = cluster_snapshot_encode(&session, bytes, sizeof bytes);
        assert_no_length_is_believed(decode_snapshot, bytes, size);
    }
}

static void test_encoding_an_entry_needs_the_room_and_touches_no_more(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (size_t i = 0; i < COUNT(log_types) * 4; i++) {
        const cluster_log_entry_t entry = log_sample(log_types[i % COUNT(log_types)], &seed);
        char bytes[BYTES];
        const size_t size = cluster_log_encode(&entry, bytes, sizeof bytes);
        for (size_t capacity = 0; capacity <= size; capacity++) {
            char *exact = malloc(capacity + 1);
            assert_non_null(exact);
            const size_t written = cluster_log_encode(&entry, exact, capacity);
            assert_int_equal(written, capacity < size ? 0 : size);
            if (written > 0)
                assert_memory_equal(exact, bytes, size);
            free(exact);
        }
    }
    const cluster_log_entry_t other = {.type = CLUSTER_LOG_OTHER};
    char bytes[BYTES];
    assert_int_equal(cluster_log_encode(&other, bytes, sizeof bytes), 0);
}

/* ---- Module to service ---- */

static cluster_control_t control_sample(cluster_control_type_t type, uint64_t *seed)
{
    cluster_control_t c = {.type = type, .position = (int64_t)prng_next(seed)};
    if (type == CLUSTER_CONTROL_TERMINATION)
        c.acknowledge = prng_below(seed, 2) != 0;
    if (type != CLUSTER_CONTROL_JOIN_LOG)
        return c;
    c.max_position = (int64_t)prng_next(seed);
    c.member = any_i32(seed);
    c.log_session = any_i32(seed);
    c.log_stream = any_i32(seed);
    c.role = any_i32(seed);
    c.startup = prng_below(seed, 2) != 0;
    c.standby = prng_below(seed, 2) != 0;
    c.channel = any_text(seed);
    return c;
}

static void assert_control(const cluster_control_t *actual, const cluster_control_t *expected)
{
    assert_int_equal(actual->type, expected->type);
    assert_int_equal(actual->correlation_id, expected->correlation_id);
    assert_int_equal(actual->position, expected->position);
    assert_int_equal(actual->max_position, expected->max_position);
    assert_int_equal(actual->members_time_ns, expected->members_time_ns);
    assert_int_equal(actual->member, expected->member);
    assert_int_equal(actual->log_session, expected->log_session);
    assert_int_equal(actual->log_stream, expected->log_stream);
    assert_int_equal(actual->role, expected->role);
    assert_int_equal(actual->startup, expected->startup);
    assert_int_equal(actual->standby, expected->standby);
    assert_int_equal(actual->acknowledge, expected->acknowledge);
    assert_int_equal(actual->members_leader, expected->members_leader);
    assert_text(&actual->channel, &expected->channel);
}

static void test_every_control_message_comes_back_as_it_was(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (size_t i = 0; i < COUNT(control_types) * ROUNDS; i++) {
        const cluster_control_t control =
            control_sample(control_types[i % COUNT(control_types)], &seed);
        cluster_control_t again;
        char bytes[BYTES];
        const size_t size = cluster_control_encode(&control, bytes, sizeof bytes);
        assert_true(size > 0);
        assert_int_equal(cluster_control_encode(&control, bytes, size - 1), 0);
        assert_int_equal(cluster_control_decode(bytes, size, &again), OC_PROBLEM_NONE);
        assert_control(&again, &control);
        for (size_t length = 0; length < size; length++)
            assert_int_equal(result_of(decode_control, bytes, length), OC_PROBLEM_SHORT);
    }
    const cluster_control_t members = {.type = CLUSTER_CONTROL_MEMBERS};
    char bytes[BYTES];
    assert_int_equal(cluster_control_encode(&members, bytes, sizeof bytes), 0);
}

/* As a module of schema version 12 sends it: without isStandby, so the channel lies 4 earlier. */
static void test_a_join_of_an_older_module_has_a_shorter_block(void **state)
{
    (void)state;
    const uint16_t versions[] = {0, 12, 15};
    for (size_t i = 0; i < COUNT(versions); i++) {
        byte_builder_t b = {.size = 0};
        cluster_control_t control;
        build_le(&b, 36, 2);
        build_le(&b, 40, 2);
        build_le(&b, SCHEMA, 2);
        build_le(&b, versions[i], 2);
        build_le(&b, 1000, 8); /* position */
        build_le(&b, 2000, 8); /* up to */
        build_le(&b, 2, 4);    /* member */
        build_le(&b, 77, 4);   /* session */
        build_le(&b, 103, 4);  /* stream */
        build_le(&b, 1, 4);    /* startup */
        build_le(&b, 2, 4);    /* role */
        build_le(&b, 9, 4);
        build_text(&b, "aeron:ipc");
        assert_int_equal(cluster_control_decode(b.bytes, b.size, &control), OC_PROBLEM_NONE);
        assert_control(&control, &(cluster_control_t){.type = CLUSTER_CONTROL_JOIN_LOG,
                                                      .position = 1000,
                                                      .max_position = 2000,
                                                      .member = 2,
                                                      .log_session = 77,
                                                      .log_stream = 103,
                                                      .startup = true,
                                                      .role = 2,
                                                      .channel = {"aeron:ipc", 9}});
        /* From version 16 on the block must have it. */
        put_u16((char *)b.bytes + 6, 16);
        assert_int_equal(result_of(decode_control, b.bytes, b.size), OC_PROBLEM_SHORT);
    }
}

static void test_booleans_that_are_absent(void **state)
{
    (void)state;
    char bytes[BYTES];
    cluster_control_t control = {.type = CLUSTER_CONTROL_JOIN_LOG, .standby = true};
    size_t size = cluster_control_encode(&control, bytes, sizeof bytes);
    put_u32(bytes + 8 + 36, (uint32_t)INT32_MIN);
    assert_int_equal(cluster_control_decode(bytes, size, &control), OC_PROBLEM_NONE);
    assert_false(control.standby);
    put_u32(bytes + 8 + 36, 5); /* no boolean */
    assert_int_equal(cluster_control_decode(bytes, size, &control), OC_PROBLEM_NONE);
    assert_false(control.standby);

    control = (cluster_control_t){.type = CLUSTER_CONTROL_TERMINATION, .position = 7};
    size = cluster_control_encode(&control, bytes, sizeof bytes);
    put_u32(bytes + 8 + 8, (uint32_t)INT32_MIN);
    assert_int_equal(cluster_control_decode(bytes, size, &control), OC_PROBLEM_NONE);
    assert_true(control.acknowledge);
    put_header(bytes, 8, CLUSTER_CONTROL_TERMINATION, 16);
    assert_int_equal(cluster_control_decode(bytes, 16, &control), OC_PROBLEM_NONE);
    assert_int_equal(control.position, 7);
    assert_true(control.acknowledge);
    put_header(bytes, 8, CLUSTER_CONTROL_TERMINATION, 17);
    assert_int_equal(result_of(decode_control, bytes, 16), OC_PROBLEM_SHORT);
}

static void test_other_control_messages_are_of_no_meaning(void **state)
{
    (void)state;
    const unsigned others[] = {0, 1, 20, 33, 41, 44, 107, 109, UINT16_MAX};
    for (size_t i = 0; i < COUNT(others); i++) {
        char bytes[BYTES] = {0};
        cluster_control_t control;
        put_header(bytes, 8, others[i], VERSION);
        assert_int_equal(cluster_control_decode(bytes, 16, &control), OC_PROBLEM_NONE);
        assert_int_equal(control.type, CLUSTER_CONTROL_OTHER);
        assert_int_equal(control.position, 0);
    }
}

/* ---- Service to module ---- */

static void test_an_ack_has_these_bytes(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        36,   0,    33,   0,    111,  0,    17,   0,    /* header */
        64,   1,    0,    0,    0,    0,    0,    0,    /* log position */
        2,    0,    0,    0,    0,    0,    0,    0,    /* timestamp */
        3,    0,    0,    0,    0,    0,    0,    0,    /* ack id */
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, /* relevant id */
        4,    0,    0,    0,                            /* service */
    };
    char bytes[CLUSTER_REQUEST_BYTES_MAX];
    const cluster_ack_t ack = {
        .position = 320, .timestamp = 2, .id = 3, .relevant_id = CLUSTER_NULL_VALUE, .service = 4};
    assert_int_equal(cluster_encode_ack(&ack, bytes), sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
}

/* Decodes a request, and sees that no shorter one is taken for it. */
static cluster_request_t request_of(const char *bytes, size_t size)
{
    cluster_request_t request;
    assert_true(size <= CLUSTER_REQUEST_BYTES_MAX);
    assert_int_equal(cluster_request_decode(bytes, size, &request), OC_PROBLEM_NONE);
    for (size_t length = 0; length < size; length++)
        assert_int_equal(result_of(decode_request, bytes, length), OC_PROBLEM_SHORT);
    return request;
}

static void test_every_request_comes_back_as_it_was(void **state)
{
    (void)state;
    char bytes[CLUSTER_REQUEST_BYTES_MAX];
    const cluster_ack_t ack = {
        .position = 1, .timestamp = -2, .id = 3, .relevant_id = INT64_MAX, .service = -5};
    cluster_request_t request = request_of(bytes, cluster_encode_ack(&ack, bytes));
    assert_int_equal(request.type, CLUSTER_REQUEST_ACK);
    assert_int_equal(request.ack.position, ack.position);
    assert_int_equal(request.ack.timestamp, ack.timestamp);
    assert_int_equal(request.ack.id, ack.id);
    assert_int_equal(request.ack.relevant_id, ack.relevant_id);
    assert_int_equal(request.ack.service, ack.service);

    request = request_of(bytes, cluster_encode_schedule_timer(7, INT64_MIN + 8, bytes));
    assert_int_equal(request.type, CLUSTER_REQUEST_SCHEDULE_TIMER);
    assert_int_equal(request.correlation_id, 7);
    assert_int_equal(request.deadline, INT64_MIN + 8);

    request = request_of(bytes, cluster_encode_close_session(10, bytes));
    assert_int_equal(request.type, CLUSTER_REQUEST_CLOSE_SESSION);
    assert_int_equal(request.session, 10);

    request = request_of(bytes, cluster_encode_members_query(11, bytes));
    assert_int_equal(request.type, CLUSTER_REQUEST_MEMBERS_QUERY);
    assert_int_equal(request.correlation_id, 11);
    assert_int_equal(bytes[16], 1); /* the extended list is wanted */

    put_header(bytes, 8, 35, VERSION);
    assert_int_equal(result_of(decode_request, bytes, 16), OC_PROBLEM_TEMPLATE);
}

/* ---- Snapshots of a service ---- */

/* Encodes a part, sees it come back, and no shorter one taken for it. */
static void assert_comes_back(const cluster_snapshot_message_t *message, size_t expected_size)
{
    char bytes[BYTES];
    cluster_snapshot_message_t again;
    const size_t size = cluster_snapshot_encode(message, bytes, sizeof bytes);
    assert_int_equal(size, expected_size);
    assert_int_equal(cluster_snapshot_encode(message, bytes, size - 1), 0);
    assert_int_equal(cluster_snapshot_decode(bytes, size, &again), OC_PROBLEM_NONE);
    assert_int_equal(again.type, message->type);
    assert_int_equal(again.type_id, message->type_id);
    assert_int_equal(again.log_position, message->log_position);
    assert_int_equal(again.term, message->term);
    assert_int_equal(again.mark, message->mark);
    assert_int_equal(again.time_unit, message->time_unit);
    assert_int_equal(again.app_version, message->app_version);
    assert_int_equal(again.session, message->session);
    assert_int_equal(again.response_stream, message->response_stream);
    assert_text(&again.channel, &message->channel);
    assert_text(&again.principal, &message->principal);
    for (size_t length = 0; length < size; length++)
        assert_int_equal(result_of(decode_snapshot, bytes, length), OC_PROBLEM_SHORT);
}

static void test_parts_of_a_snapshot_come_back_as_they_were(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < ROUNDS; i++) {
        const cluster_snapshot_message_t marker = {
            .type = CLUSTER_SNAPSHOT_MARKER,
            .type_id = CLUSTER_SNAPSHOT_TYPE_SERVICE,
            .log_position = (int64_t)prng_next(&seed),
            .term = (int64_t)prng_next(&seed),
            .mark = i % 3,
            .time_unit = CLUSTER_TIME_NANOS,
            .app_version = any_i32(&seed),
        };
        assert_comes_back(&marker, 48);
        const cluster_snapshot_message_t session = {.type = CLUSTER_SNAPSHOT_SESSION,
                                                    .session = (int64_t)prng_next(&seed),
                                                    .response_stream = any_i32(&seed),
                                                    .channel = any_text(&seed),
                                                    .principal = any_text(&seed)};
        assert_comes_back(&session, 28 + session.channel.length + session.principal.length);
    }
    const cluster_snapshot_message_t other = {.type = CLUSTER_SNAPSHOT_OTHER};
    char bytes[BYTES];
    assert_int_equal(cluster_snapshot_encode(&other, bytes, sizeof bytes), 0);
}

static void test_an_old_marker_has_no_time_unit(void **state)
{
    (void)state;
    for (unsigned version = 0; version < 6; version++) {
        const bool later = version >= 4;
        char bytes[BYTES];
        cluster_snapshot_message_t message;
        memset(bytes, 1, sizeof bytes);
        put_header(bytes, later ? 40 : 32, CLUSTER_SNAPSHOT_MARKER, version);
        assert_int_equal(cluster_snapshot_decode(bytes, later ? 48 : 40, &message),
                         OC_PROBLEM_NONE);
        assert_int_equal(message.mark, 0x01010101);
        assert_int_equal(message.time_unit, later ? 0x01010101 : CLUSTER_TIME_MILLIS);
        assert_int_equal(message.app_version, later ? 0x01010101 : 0);
        put_u16(bytes, later ? 39 : 31);
        assert_int_equal(result_of(decode_snapshot, bytes, BYTES), OC_PROBLEM_SHORT);
    }
}

static void test_what_is_of_another_schema_is_the_service_s_own(void **state)
{
    (void)state;
    char bytes[BYTES] = {0};
    cluster_snapshot_message_t message;
    put_header(bytes, 500, CLUSTER_SNAPSHOT_MARKER, VERSION);
    put_u16(bytes + 4, SCHEMA + 1);
    assert_int_equal(cluster_snapshot_decode(bytes, 8, &message), OC_PROBLEM_NONE);
    assert_int_equal(message.type, CLUSTER_SNAPSHOT_OTHER);
    put_header(bytes, 8, 101, VERSION);
    assert_int_equal(result_of(decode_snapshot, bytes, 16), OC_PROBLEM_TEMPLATE);
}

static void test_other_schemas_are_refused(void **state)
{
    (void)state;
    static decode_function_t *const decoders[] = {decode_log, decode_control, decode_request};
    static const unsigned templates[] = {CLUSTER_LOG_TIMER, CLUSTER_CONTROL_REQUEST_ACK,
                                         CLUSTER_REQUEST_SCHEDULE_TIMER};
    char bytes[BYTES] = {0};
    for (unsigned schema = 0; schema <= UINT16_MAX; schema++) {
        for (size_t i = 0; i < COUNT(decoders); i++) {
            put_header(bytes, 100, templates[i], VERSION);
            put_u16(bytes + 4, (uint16_t)schema);
            assert_int_equal(result_of(decoders[i], bytes, 108),
                             schema == SCHEMA ? OC_PROBLEM_NONE : OC_PROBLEM_SCHEMA);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_entry_of_the_log_comes_back_as_it_was),
        cmocka_unit_test(test_a_leadership_term_has_these_bytes),
        cmocka_unit_test(test_a_cut_entry_is_short_at_every_length),
        cmocka_unit_test(test_what_the_log_has_besides_is_of_no_meaning),
        cmocka_unit_test(test_old_entries_lack_what_came_later),
        cmocka_unit_test(test_what_the_schema_says_is_absent_has_its_default),
        cmocka_unit_test(test_lengths_of_texts_are_not_believed),
        cmocka_unit_test(test_encoding_an_entry_needs_the_room_and_touches_no_more),
        cmocka_unit_test(test_every_control_message_comes_back_as_it_was),
        cmocka_unit_test(test_a_join_of_an_older_module_has_a_shorter_block),
        cmocka_unit_test(test_booleans_that_are_absent),
        cmocka_unit_test(test_other_control_messages_are_of_no_meaning),
        cmocka_unit_test(test_an_ack_has_these_bytes),
        cmocka_unit_test(test_every_request_comes_back_as_it_was),
        cmocka_unit_test(test_parts_of_a_snapshot_come_back_as_they_were),
        cmocka_unit_test(test_an_old_marker_has_no_time_unit),
        cmocka_unit_test(test_what_is_of_another_schema_is_the_service_s_own),
        cmocka_unit_test(test_other_schemas_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
