/*
 * The public calls of a service reach the host it runs under.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/host_calls.h"
#include "lib/expect_abort.h"

#include <string.h>

/* Notes the last call. */
typedef struct note_host {
    oc_host_t base;
    char call;
    uint64_t id;
    int64_t deadline_ns;
    size_t length;
    uint8_t bytes[8];
} note_host_t;

static void note_send(oc_host_t *base, oc_session_id_t session, const void *bytes, size_t length)
{
    note_host_t *host = (note_host_t *)base;
    host->call = 's';
    host->id = session.value;
    host->length = length;
    memcpy(host->bytes, bytes, length);
}

static size_t note_message_max(const oc_host_t *base)
{
    (void)base;
    return sizeof((note_host_t *)0)->bytes;
}

static bool note_schedule(oc_host_t *base, oc_timer_id_t timer, int64_t deadline_ns)
{
    note_host_t *host = (note_host_t *)base;
    host->call = 't';
    host->id = (uint64_t)timer.value;
    host->deadline_ns = deadline_ns;
    return timer.value != 0;
}

static bool note_cancel(oc_host_t *base, oc_timer_id_t timer)
{
    note_host_t *host = (note_host_t *)base;
    host->call = 'c';
    host->id = (uint64_t)timer.value;
    return timer.value != 0;
}

static void note_close(oc_host_t *base, oc_session_id_t session)
{
    note_host_t *host = (note_host_t *)base;
    host->call = 'x';
    host->id = session.value;
}

static void note_stop(oc_host_t *base)
{
    ((note_host_t *)base)->call = '!';
}

static const host_calls_t note_calls = {
    .send = note_send,
    .message_max = note_message_max,
    .schedule_timer = note_schedule,
    .cancel_timer = note_cancel,
    .close_session = note_close,
    .stop = note_stop,
};

static void test_every_call_arrives(void **state)
{
    (void)state;
    note_host_t host = {.base = {&note_calls}};
    oc_host_send(&host.base, (oc_session_id_t){7}, "abc", 3);
    assert_int_equal(host.call, 's');
    assert_int_equal(host.id, 7);
    assert_int_equal(host.length, 3);
    assert_memory_equal(host.bytes, "abc", 3);
    assert_int_equal(oc_host_message_max(&host.base), 8);
    assert_true(oc_host_schedule_timer(&host.base, (oc_timer_id_t){5}, 123));
    assert_int_equal(host.call, 't');
    assert_int_equal(host.id, 5);
    assert_int_equal(host.deadline_ns, 123);
    assert_false(oc_host_schedule_timer(&host.base, (oc_timer_id_t){0}, 123));
    assert_true(oc_host_cancel_timer(&host.base, (oc_timer_id_t){6}));
    assert_int_equal(host.call, 'c');
    assert_int_equal(host.id, 6);
    assert_false(oc_host_cancel_timer(&host.base, (oc_timer_id_t){0}));
    oc_host_close_session(&host.base, (oc_session_id_t){8});
    assert_int_equal(host.call, 'x');
    assert_int_equal(host.id, 8);
    oc_host_stop(&host.base);
    assert_int_equal(host.call, '!');
}

static void send_too_much(void *context)
{
    oc_host_send(context, (oc_session_id_t){7}, "abcdefghi", 9);
}

static void test_a_message_that_is_too_long_is_a_bug(void **state)
{
    (void)state;
    note_host_t host = {.base = {&note_calls}};
    assert_true(child_aborts(send_too_much, &host.base));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call_arrives),
        cmocka_unit_test(test_a_message_that_is_too_long_is_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
