/*
 * The host's records: what is encoded is decoded, at known offsets, and what no build writes is
 * refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/log_entry.h"

#include <string.h>

static _Alignas(8) uint8_t payload[8192];

static gateway_open_t some_open(void)
{
    gateway_open_t open = {.correlation_id = -5, .response_stream = 102, .channel_length = 3};
    memcpy(open.principal.name, "anna", 4);
    memcpy(open.response_channel, "udp", 3);
    return open;
}

static log_record_t pass(log_record_t record, uint32_t size)
{
    log_record_t out;
    memset(payload, 0xee, sizeof payload);
    assert_int_equal(log_record_size(&record), size);
    log_record_encode(&record, payload);
    assert_int_equal(payload[size], 0xee);
    assert_true(log_record_decode(&out, (uint8_t)record.type, payload, size));
    assert_int_equal(out.type, record.type);
    return out;
}

static void configuration(void **state)
{
    (void)state;
    log_record_t out = pass(
        (log_record_t){
            .type = LOG_CONFIGURATION, .max_timers = 70000, .length = 5, .bytes = "abcde"},
        21);
    assert_int_equal(out.max_timers, 70000);
    assert_int_equal(out.length, 5);
    assert_memory_equal(out.bytes, "abcde", 5);
    assert_memory_equal(payload, "\1\0\0\0\x70\x11\1\0\5\0\0\0\0\0\0\0abcde", 21);

    assert_false(log_record_decode(&out, LOG_CONFIGURATION, payload, 20));
    assert_false(log_record_decode(&out, LOG_CONFIGURATION, payload, 22));
    assert_false(log_record_decode(&out, LOG_CONFIGURATION, payload, 15));
    payload[12] = 1; /* reserved */
    assert_false(log_record_decode(&out, LOG_CONFIGURATION, payload, 21));
    payload[12] = 0;
    payload[0] = 2; /* format */
    assert_false(log_record_decode(&out, LOG_CONFIGURATION, payload, 21));

    out = pass((log_record_t){.type = LOG_CONFIGURATION, .max_timers = 1}, 16);
    assert_int_equal(out.length, 0);
    payload[9] = 0x11; /* 4352 bytes: more than a configuration may have */
    assert_false(log_record_decode(&out, LOG_CONFIGURATION, payload, 16 + 4352));
}

static void session_open(void **state)
{
    (void)state;
    const gateway_open_t open = some_open();
    log_record_t record = {
        .type = LOG_SESSION_OPEN, .session = {UINT64_C(0x0102030405060708)}, .open = &open};
    log_record_t out = pass(record, 312);
    assert_true(out.session.value == record.session.value);
    assert_memory_equal(out.open, &open, sizeof open);
    assert_int_equal(payload[0], 8);
    assert_memory_equal(payload + 8, "anna", 5);
    assert_memory_equal(payload + 40, "\xfb\xff\xff\xff\xff\xff\xff\xff\x66\0\0\0\3\0\0\0udp", 20);

    assert_false(log_record_decode(&out, LOG_SESSION_OPEN, payload, 311));
    assert_false(log_record_decode(&out, LOG_SESSION_OPEN, payload, 313));
    payload[8 + 20] = 1; /* behind the name's end */
    assert_false(log_record_decode(&out, LOG_SESSION_OPEN, payload, 312));
    payload[8 + 20] = 0;
    payload[52] = 4; /* channel_length */
    assert_false(log_record_decode(&out, LOG_SESSION_OPEN, payload, 312));
    payload[52] = 3;
    assert_true(log_record_decode(&out, LOG_SESSION_OPEN, payload, 312));
    memset(payload + 8, 'x', 32); /* a name without an end */
    assert_false(log_record_decode(&out, LOG_SESSION_OPEN, payload, 312));
}

static void session_close(void **state)
{
    (void)state;
    log_record_t out = pass(
        (log_record_t){.type = LOG_SESSION_CLOSE, .session = {9}, .reason = OC_CLOSE_SLOW}, 16);
    assert_int_equal(out.session.value, 9);
    assert_int_equal(out.reason, OC_CLOSE_SLOW);
    assert_false(log_record_decode(&out, LOG_SESSION_CLOSE, payload, 8));
    payload[8] = 4;
    assert_false(log_record_decode(&out, LOG_SESSION_CLOSE, payload, 16));
    payload[8] = 0;
    payload[15] = 1;
    assert_false(log_record_decode(&out, LOG_SESSION_CLOSE, payload, 16));
}

static void message(void **state)
{
    (void)state;
    log_record_t record = {
        .type = LOG_MESSAGE, .session = {7}, .length = 11, .bytes = "hello world"};
    log_record_t out = pass(record, 19);
    assert_int_equal(out.session.value, 7);
    assert_int_equal(out.length, 11);
    assert_ptr_equal(out.bytes, payload + 8);
    assert_memory_equal(out.bytes, "hello world", 11);
    /* The encoder leaves the record with the payload's own bytes. */
    log_record_encode(&record, payload);
    assert_ptr_equal(record.bytes, payload + 8);
    out = pass((log_record_t){.type = LOG_MESSAGE, .session = {7}}, 8);
    assert_int_equal(out.length, 0);
    assert_false(log_record_decode(&out, LOG_MESSAGE, payload, 7));
}

static void small_ones(void **state)
{
    (void)state;
    log_record_t out = pass((log_record_t){.type = LOG_TIMER, .timer = {-3}}, 8);
    assert_int_equal(out.timer.value, -3);
    assert_false(log_record_decode(&out, LOG_TIMER, payload, 7));
    out = pass((log_record_t){.type = LOG_TIME}, 8);
    payload[3] = 1;
    assert_false(log_record_decode(&out, LOG_TIME, payload, 8));
    out = pass((log_record_t){.type = LOG_NOTICE, .notice = OC_NOTICE_RECOVERED}, 8);
    assert_int_equal(out.notice, OC_NOTICE_RECOVERED);
    payload[0] = 0;
    assert_false(log_record_decode(&out, LOG_NOTICE, payload, 8));
    payload[0] = 3;
    assert_false(log_record_decode(&out, LOG_NOTICE, payload, 8));
    payload[0] = 1;
    assert_true(log_record_decode(&out, LOG_NOTICE, payload, 8));
    payload[7] = 1;
    assert_false(log_record_decode(&out, LOG_NOTICE, payload, 8));
}

static void import(void **state)
{
    (void)state;
    log_record_t out =
        pass((log_record_t){.type = LOG_IMPORT, .entries = 0x0102, .time_ns = -2, .term = 9}, 24);
    assert_int_equal(out.entries, 0x0102);
    assert_int_equal(out.time_ns, -2);
    assert_int_equal(out.term, 9);
    assert_memory_equal(payload, "\2\1\0\0\0\0\0\0\xfe", 9);
    assert_false(log_record_decode(&out, LOG_IMPORT, payload, 16));
    payload[23] = 1;
    assert_false(log_record_decode(&out, LOG_IMPORT, payload, 24));
}

static void unknown_types(void **state)
{
    (void)state;
    log_record_t out;
    memset(payload, 0, sizeof payload);
    for (int type = 0; type < 256; type++)
        if (type < LOG_CONFIGURATION || type > LOG_IMPORT)
            assert_false(log_record_decode(&out, (uint8_t)type, payload, 8));
    assert_string_equal(log_record_name(LOG_CONFIGURATION), "configuration");
    assert_string_equal(log_record_name(LOG_NOTICE), "notice");
    assert_string_equal(log_record_name(LOG_IMPORT + 1), "unknown");
    assert_string_equal(log_record_name(3), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configuration), cmocka_unit_test(session_open),
        cmocka_unit_test(session_close), cmocka_unit_test(message),
        cmocka_unit_test(small_ones),    cmocka_unit_test(unknown_types),
        cmocka_unit_test(import),
    };
    return cmocka_run_group_tests_name("log_entry", tests, NULL, NULL);
}
