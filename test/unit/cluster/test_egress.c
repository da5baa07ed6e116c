/*
 * Egress on a transport in memory: order, headers, waiting, and everything that can be wrong with a
 * session's way; one that is stuck delays no other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/egress.h"
#include "codec/cluster_codec.h"
#include "lib/fake_transport.h"

#include <stdio.h>
#include <string.h>

#define MS INT64_C(1000000)

enum {
    SESSIONS = 32,
    MEMBER = 2,
    LONGEST = 2000,
    SESSION_BACKLOG = 8192,
    BACKLOG = 65536,
    TIMEOUT_MS = 5000
};

typedef struct fixture {
    fake_transport_t transport;
    egress_t *egress;
    int64_t now_ns;
    uint64_t slow[SESSIONS + 1]; /* by session, how often it was said */
} fixture_t;

static fixture_t fixture;

static void on_slow(void *context, oc_session_id_t session)
{
    assert_ptr_equal(context, &fixture);
    assert_in_range(session.value, 1, SESSIONS);
    fixture.slow[session.value]++;
}

static egress_config_t config(void)
{
    return (egress_config_t){.member = MEMBER,
                             .max_sessions = SESSIONS,
                             .session_backlog_bytes = SESSION_BACKLOG,
                             .backlog_bytes = BACKLOG,
                             .message_bytes_max = LONGEST,
                             .connect_timeout_ns = TIMEOUT_MS * MS,
                             .slow = on_slow,
                             .context = &fixture};
}

static int setup(void **state)
{
    (void)state;
    memset(&fixture, 0, sizeof fixture);
    fake_transport_init(&fixture.transport);
    fixture.now_ns = 1000000 * MS;
    const egress_config_t with = config();
    const transport_t transport = fake_transport_table(&fixture.transport);
    assert_int_equal(egress_create_on(&fixture.egress, &with, &transport), OC_ERR_OK);
    egress_set_term(fixture.egress, 3);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    egress_destroy(fixture.egress);
    assert_true(fixture.transport.destroyed);
    assert_int_equal(fake_transport_used(&fixture.transport), 0);
    fake_transport_fini(&fixture.transport);
    return 0;
}

static oc_session_id_t id(uint64_t value)
{
    return (oc_session_id_t){value};
}

/* The way that was added as the nth, from 1. */
static struct transport_publication *way(uint32_t nth)
{
    for (uint32_t i = 0; i < FAKE_PUBLICATIONS; i++)
        if (fixture.transport.publications[i].added == nth)
            return &fixture.transport.publications[i];
    fail_msg("no way was added as number %u", nth);
    return NULL;
}

static void open_session(uint64_t session)
{
    gateway_open_t open = {.correlation_id = 1000 + (int64_t)session, .response_stream = 102};
    open.channel_length = (uint32_t)snprintf(open.response_channel, sizeof open.response_channel,
                                             "aeron:udp?endpoint=127.0.0.1:%u", (unsigned)session);
    egress_open(fixture.egress, id(session), &open);
}

/* A message that says its number. */
static void say(uint64_t session, uint64_t number)
{
    egress_send(fixture.egress, id(session), &number, sizeof number, (int64_t)number * 10);
}

static void say_long(uint64_t session)
{
    static const uint8_t bytes[LONGEST];
    egress_send(fixture.egress, id(session), bytes, sizeof bytes, 0);
}

static void work_ms(int64_t milliseconds)
{
    for (int64_t i = 0; i < milliseconds; i++) {
        fixture.now_ns += MS;
        (void)egress_do_work(fixture.egress, fixture.now_ns);
    }
}

/* The nth message of a way is the one that says `number` to `session`. */
static void assert_said(uint32_t nth_way, uint32_t at, uint64_t session, uint64_t number)
{
    cluster_message_t message;
    uint64_t said = 0;
    assert_true(at < way(nth_way)->sent_count);
    const fake_message_t *sent = &way(nth_way)->sent[at];
    assert_int_equal(sent->length, CLUSTER_SESSION_HEADER_BYTES + sizeof said);
    assert_int_equal(cluster_decode(sent->bytes, sent->length, &message), OC_PROBLEM_NONE);
    assert_int_equal(message.type, CLUSTER_SESSION_MESSAGE);
    assert_int_equal(message.term, 3);
    assert_int_equal(message.session, session);
    assert_int_equal(message.timestamp, number * 10);
    assert_int_equal(message.data.length, sizeof said);
    memcpy(&said, message.data.bytes, sizeof said);
    assert_int_equal(said, number);
}

static void test_a_connected_session_is_sent_to_at_once(void **state)
{
    (void)state;
    open_session(5);
    assert_string_equal(way(1)->channel, "aeron:udp?endpoint=127.0.0.1:5");
    assert_int_equal(way(1)->stream, 102);
    say(5, 1);
    say(5, 2);
    assert_int_equal(way(1)->sent_count, 2); /* without a duty cycle */
    assert_said(1, 0, 5, 1);
    assert_said(1, 1, 5, 2);
    assert_int_equal(egress_backlog(fixture.egress), 0);
    assert_int_equal(egress_counters(fixture.egress)->messages, 2);
    egress_set_term(fixture.egress, 4);
    say(5, 3);
    cluster_message_t message;
    assert_int_equal(cluster_decode(way(1)->sent[2].bytes, way(1)->sent[2].length, &message),
                     OC_PROBLEM_NONE);
    assert_int_equal(message.term, 4);
}

static void test_nothing_is_sent_to_a_session_that_is_not_there(void **state)
{
    (void)state;
    say(5, 1);
    egress_close(fixture.egress, id(5));
    assert_int_equal(egress_counters(fixture.egress)->messages, 0);
    assert_int_equal(egress_counters(fixture.egress)->dropped, 0);
}

static void test_messages_wait_for_the_way_in_order(void **state)
{
    (void)state;
    fixture.transport.state_at_add = TRANSPORT_ADDING;
    open_session(1);
    say(1, 1);
    say(1, 2);
    work_ms(100);
    way(1)->state = TRANSPORT_UNCONNECTED;
    say(1, 3);
    work_ms(TIMEOUT_MS - 200);
    assert_true(egress_backlog(fixture.egress) > 0);
    way(1)->state = TRANSPORT_CONNECTED;
    say(1, 4); /* must not overtake */
    assert_int_equal(way(1)->sent_count, 0);
    work_ms(1);
    for (uint32_t i = 0; i < 4; i++)
        assert_said(1, i, 1, i + 1);
    assert_int_equal(egress_backlog(fixture.egress), 0);
    say(1, 5);
    assert_int_equal(way(1)->sent_count, 5);
    assert_int_equal(fixture.slow[1], 0);
}

static void test_a_way_that_never_comes_is_slow_once(void **state)
{
    (void)state;
    fixture.transport.state_at_add = TRANSPORT_UNCONNECTED;
    open_session(1);
    open_session(2);
    say(1, 1);
    work_ms(TIMEOUT_MS - 1);
    assert_int_equal(fixture.slow[1] + fixture.slow[2], 0);
    work_ms(2);
    assert_int_equal(fixture.slow[1], 1);
    assert_int_equal(fixture.slow[2], 1); /* it also has no way, though nothing waits */
    assert_int_equal(egress_backlog(fixture.egress), 0);
    assert_int_equal(fake_transport_used(&fixture.transport), 0);
    say(1, 2);
    work_ms(2 * TIMEOUT_MS);
    assert_int_equal(fixture.slow[1], 1);
    assert_int_equal(egress_counters(fixture.egress)->slow, 2);
    assert_int_equal(egress_counters(fixture.egress)->dropped, 2);
    open_session(1); /* it is there already: it stays as it is */
    assert_int_equal(fixture.transport.publication_count, 2);
    egress_close(fixture.egress, id(1));
    open_session(1);
    assert_int_equal(fixture.transport.publication_count, 3);
}

static void test_a_subscriber_that_vanished_may_come_back(void **state)
{
    (void)state;
    open_session(1);
    work_ms(60000); /* long idle */
    way(1)->state = TRANSPORT_UNCONNECTED;
    say(1, 1);
    work_ms(TIMEOUT_MS - 1);
    assert_int_equal(fixture.slow[1], 0);
    way(1)->state = TRANSPORT_CONNECTED;
    work_ms(1);
    assert_said(1, 0, 1, 1);
    way(1)->state = TRANSPORT_UNCONNECTED;
    say(1, 2);
    work_ms(TIMEOUT_MS - 1); /* the time begins anew */
    assert_int_equal(fixture.slow[1], 0);
    work_ms(3);
    assert_int_equal(fixture.slow[1], 1);
}

static void test_back_pressure_is_no_fault_for_a_while(void **state)
{
    (void)state;
    open_session(1);
    way(1)->back_pressure = 3;
    say(1, 1);
    say(1, 2);
    assert_int_equal(way(1)->sent_count, 0);
    work_ms(3);
    assert_said(1, 0, 1, 1);
    assert_said(1, 1, 1, 2);
    assert_int_equal(egress_counters(fixture.egress)->back_pressure, 3);
    /* For ever: it is connected, so only what waits decides. */
    way(1)->back_pressure = UINT32_MAX;
    say(1, 3);
    work_ms(3 * TIMEOUT_MS);
    assert_int_equal(fixture.slow[1], 0);
    for (uint64_t i = 0; i < SESSION_BACKLOG / LONGEST; i++)
        say_long(1);
    assert_int_equal(fixture.slow[1], 1);
    assert_int_equal(egress_backlog(fixture.egress), 0);
    assert_int_equal(egress_counters(fixture.egress)->dropped, 1 + SESSION_BACKLOG / LONGEST);
}

static void test_a_way_that_breaks_is_made_anew(void **state)
{
    (void)state;
    open_session(1);
    work_ms(10);
    way(1)->state = TRANSPORT_FAILED;
    say(1, 1);
    assert_false(way(1)->used);
    work_ms(100);
    assert_int_equal(fixture.transport.publication_count, 1); /* not at once */
    work_ms(500);
    assert_int_equal(fixture.transport.publication_count, 2);
    assert_said(2, 0, 1, 1);
    assert_int_equal(fixture.slow[1], 0);
    /* One that breaks while it is being made is noticed as well. */
    fixture.transport.state_at_add = TRANSPORT_FAILED;
    open_session(2);
    work_ms(TIMEOUT_MS + 2);
    assert_int_equal(fixture.slow[2], 1);
    assert_int_equal(fixture.slow[1], 0);
    assert_in_range(fixture.transport.publication_count, 5, 16); /* tried some times, not always */
}

static void test_no_room_for_a_way(void **state)
{
    (void)state;
    fixture.transport.add_fails = 2;
    open_session(1);
    say(1, 1);
    assert_int_equal(fixture.transport.publication_count, 0);
    work_ms(1100);
    assert_int_equal(fixture.transport.publication_count, 1);
    assert_said(1, 0, 1, 1);
    assert_int_equal(fixture.slow[1], 0);
}

static void test_the_table_is_full(void **state)
{
    (void)state;
    for (uint64_t session = 2; session <= SESSIONS; session++)
        open_session(session);
    oc_session_id_t extra = id(1000);
    egress_open(fixture.egress, extra, &(gateway_open_t){.response_stream = 102});
    open_session(1);
    assert_int_equal(fixture.slow[1], 1);
    egress_close(fixture.egress, extra);
    open_session(1);
    say(1, 1);
    assert_int_equal(egress_counters(fixture.egress)->messages, 1);
}

static void test_the_pool_is_used_up(void **state)
{
    (void)state;
    const uint32_t fits = SESSION_BACKLOG / (LONGEST + 64);
    for (uint64_t session = 1; session <= 31; session++) {
        open_session(session);
        way((uint32_t)session)->back_pressure = UINT32_MAX;
    }
    /* The first holds most; the others fill the pool. */
    for (uint32_t i = 0; i < fits; i++)
        say_long(1);
    uint64_t next = 2;
    while (fixture.slow[1] == 0) {
        assert_true(next <= 31);
        say_long(next++);
    }
    assert_int_equal(egress_counters(fixture.egress)->slow, 1);
    for (uint64_t session = 2; session < next; session++)
        assert_int_equal(fixture.slow[session], 0);
    /* Who holds most himself has to go, and his message with him. */
    while (fixture.slow[2] == 0)
        say_long(2);
    assert_true(egress_counters(fixture.egress)->slow >= 2);
    for (uint64_t session = 3; session < next; session++)
        assert_int_equal(fixture.slow[session], 0);
}

static void test_close_sends_what_goes_at_once(void **state)
{
    (void)state;
    open_session(1);
    way(1)->back_pressure = 1;
    say(1, 1);
    say(1, 2);
    egress_close(fixture.egress, id(1)); /* there is room again */
    assert_false(way(1)->used);
    assert_int_equal(way(1)->sent_count, 2);
    fixture.transport.state_at_add = TRANSPORT_UNCONNECTED;
    open_session(2);
    say(2, 1);
    egress_close(fixture.egress, id(2)); /* there is no way */
    assert_int_equal(way(2)->sent_count, 0);
    assert_int_equal(egress_backlog(fixture.egress), 0);
    assert_int_equal(egress_counters(fixture.egress)->dropped, 1);
    assert_int_equal(fixture.slow[2], 0);
    say(2, 2);
    work_ms(2 * TIMEOUT_MS);
    assert_int_equal(fixture.slow[2], 0);
}

static void test_all_are_closed_and_opened_again(void **state)
{
    (void)state;
    for (uint64_t session = 1; session <= SESSIONS; session++)
        open_session(session);
    way(3)->back_pressure = UINT32_MAX;
    say(3, 1);
    egress_close_all(fixture.egress);
    assert_int_equal(fake_transport_used(&fixture.transport), 0);
    assert_int_equal(egress_backlog(fixture.egress), 0);
    for (uint64_t session = 1; session <= SESSIONS; session++) {
        open_session(session);
        say(session, 7);
    }
    assert_int_equal(egress_counters(fixture.egress)->messages, SESSIONS);
    assert_int_equal(egress_counters(fixture.egress)->slow, 0);
}

static void assert_dismissed(uint32_t nth_way, uint32_t at, uint64_t session)
{
    cluster_message_t message;
    assert_int_equal(way(nth_way)->sent_count, at + 1);
    const fake_message_t *sent = &way(nth_way)->sent[at];
    assert_int_equal(cluster_decode(sent->bytes, sent->length, &message), OC_PROBLEM_NONE);
    assert_int_equal(message.type, CLUSTER_SESSION_EVENT);
    assert_int_equal(message.code, CLUSTER_EVENT_CLOSED);
    assert_int_equal(message.session, session);
    assert_int_equal(message.correlation_id, 1000 + session);
    assert_int_equal(message.term, 3);
    assert_int_equal(message.leader, MEMBER);
    assert_int_equal(message.text.length, 7);
    assert_memory_equal(message.text.bytes, "TIMEOUT", 7);
    assert_false(way(nth_way)->used);
}

/* It has just been opened, so there is no way yet; what was said before goes first. */
static void test_one_that_is_dismissed_is_told_when_it_can_be(void **state)
{
    (void)state;
    fixture.transport.state_at_add = TRANSPORT_ADDING;
    work_ms(1);
    open_session(1);
    open_session(2);
    say(2, 1);
    egress_dismiss(fixture.egress, id(1));
    egress_dismiss(fixture.egress, id(2));
    egress_dismiss(fixture.egress, id(2));
    egress_dismiss(fixture.egress, id(7)); /* is not there */
    work_ms(300);
    assert_int_equal(way(1)->sent_count + way(2)->sent_count, 0);
    way(2)->state = TRANSPORT_CONNECTED;
    work_ms(1);
    assert_said(2, 0, 2, 1);
    assert_dismissed(2, 1, 2);
    way(1)->state = TRANSPORT_CONNECTED;
    work_ms(1);
    assert_dismissed(1, 0, 1);
    assert_int_equal(egress_backlog(fixture.egress), 0);
    assert_int_equal(fixture.slow[1] + fixture.slow[2], 0);
    assert_int_equal(egress_counters(fixture.egress)->dropped, 0);
}

/* One has no way, one breaks all the time, one takes nothing, one was slow before: after a while
 * none is there, and nobody is asked to close them. */
static void test_those_that_cannot_be_told_are_forgotten(void **state)
{
    (void)state;
    fixture.transport.state_at_add = TRANSPORT_UNCONNECTED;
    open_session(4);
    work_ms(TIMEOUT_MS + 2);
    assert_int_equal(fixture.slow[4], 1);
    open_session(1);
    open_session(2);
    open_session(3);
    way(3)->state = TRANSPORT_FAILED;
    way(4)->state = TRANSPORT_CONNECTED;
    way(4)->back_pressure = UINT32_MAX;
    fixture.transport.state_at_add = TRANSPORT_FAILED;
    for (uint64_t session = 1; session <= 4; session++)
        egress_dismiss(fixture.egress, id(session));
    work_ms(TIMEOUT_MS - 1);
    assert_true(egress_backlog(fixture.egress) > 0);
    work_ms(2);
    assert_int_equal(egress_backlog(fixture.egress), 0);
    assert_int_equal(fake_transport_used(&fixture.transport), 0);
    assert_int_equal(fixture.slow[1] + fixture.slow[2] + fixture.slow[3], 0);
    assert_int_equal(fixture.slow[4], 1);
    assert_int_equal(egress_counters(fixture.egress)->dropped, 3);
}

static void test_the_dismissed_take_no_place_from_others(void **state)
{
    (void)state;
    fixture.transport.state_at_add = TRANSPORT_UNCONNECTED;
    for (uint64_t session = 1; session <= SESSIONS; session++)
        open_session(session);
    egress_dismiss(fixture.egress, id(3));
    egress_dismiss(fixture.egress, id(9));
    fixture.transport.state_at_add = TRANSPORT_CONNECTED;
    for (uint64_t session = 100; session <= 101; session++) {
        egress_open(fixture.egress, id(session), &(gateway_open_t){.response_stream = 102});
        say(session, 1);
    }
    assert_int_equal(egress_counters(fixture.egress)->messages, 2);
    assert_int_equal(egress_counters(fixture.egress)->slow, 0);
    assert_int_equal(fake_transport_used(&fixture.transport), SESSIONS);
    egress_dismiss(fixture.egress, id(5));
    egress_close_all(fixture.egress);
    assert_int_equal(egress_backlog(fixture.egress), 0);
}

/* One has no way, one is never read, one breaks: the others get everything at once. */
static void test_one_that_is_stuck_delays_no_other(void **state)
{
    (void)state;
    for (uint64_t session = 1; session <= SESSIONS; session++)
        open_session(session);
    way(1)->state = TRANSPORT_UNCONNECTED;
    way(2)->back_pressure = UINT32_MAX;
    way(3)->state = TRANSPORT_FAILED;
    for (uint64_t number = 1; number <= 100; number++) {
        for (uint64_t session = 1; session <= SESSIONS; session++)
            say(session, number);
        for (uint32_t session = 4; session <= SESSIONS; session++) {
            assert_int_equal(way(session)->sent_count, number);
            assert_said(session, (uint32_t)number - 1, session, number);
        }
        work_ms(1);
    }
    for (uint64_t session = 4; session <= SESSIONS; session++)
        assert_int_equal(fixture.slow[session], 0);
}

static void test_limits_are_checked(void **state)
{
    (void)state;
    egress_t *egress = (egress_t *)&fixture;
    for (int wrong = 0; wrong < 5; wrong++) {
        fake_transport_t fake;
        fake_transport_init(&fake);
        const transport_t transport = fake_transport_table(&fake);
        egress_config_t with = config();
        with.max_sessions = wrong == 0 ? 0 : with.max_sessions;
        with.message_bytes_max = wrong == 1 ? 0 : with.message_bytes_max;
        with.connect_timeout_ns = wrong == 2 ? 0 : with.connect_timeout_ns;
        with.session_backlog_bytes = wrong == 3 ? LONGEST : with.session_backlog_bytes;
        with.backlog_bytes = wrong == 4 ? SESSION_BACKLOG - 1 : with.backlog_bytes;
        assert_int_equal(egress_create_on(&egress, &with, &transport), OC_ERR_INVALID_ARGUMENT);
        assert_null(egress);
        assert_true(fake.destroyed);
        fake_transport_fini(&fake);
    }
    egress_destroy(NULL);
}

/* On Aeron, with a client of the same process that listens. */
static void test_on_aeron(void **state)
{
    (void)state;
    embedded_config_t embedded_config;
    embedded_t *embedded = NULL;
    egress_t *egress = NULL;
    embedded_config_init(&embedded_config);
    assert_int_equal(embedded_create(&embedded, &embedded_config), OC_ERR_OK);
    const egress_config_t with = config();
    assert_int_equal(egress_create(&egress, &with, embedded), OC_ERR_OK);
    gateway_open_t open = {.response_stream = 102};
    open.channel_length = (uint32_t)snprintf(open.response_channel, sizeof open.response_channel,
                                             "aeron:ipc?alias=egress");
    egress_open(egress, id(1), &open);
    egress_send(egress, id(1), "word", 4, 1); /* long before anybody listens */
    aeron_async_add_subscription_t *adding = NULL;
    aeron_subscription_t *subscription = NULL;
    assert_int_equal(aeron_async_add_subscription(&adding, embedded_aeron(embedded), "aeron:ipc",
                                                  102, NULL, NULL, NULL, NULL),
                     0);
    for (int i = 0; i < 100000 && egress_counters(egress)->messages == 0; i++) {
        (void)embedded_do_work(embedded);
        if (subscription == NULL)
            assert_true(aeron_async_add_subscription_poll(&subscription, adding) >= 0);
        (void)egress_do_work(egress, i);
    }
    assert_int_equal(egress_counters(egress)->messages, 1);
    assert_int_equal(egress_backlog(egress), 0);
    egress_destroy(egress);
    (void)aeron_subscription_close(subscription, NULL, NULL);
    embedded_destroy(embedded);
}

#define EGRESS_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EGRESS_TEST(test_a_connected_session_is_sent_to_at_once),
        EGRESS_TEST(test_nothing_is_sent_to_a_session_that_is_not_there),
        EGRESS_TEST(test_messages_wait_for_the_way_in_order),
        EGRESS_TEST(test_a_way_that_never_comes_is_slow_once),
        EGRESS_TEST(test_a_subscriber_that_vanished_may_come_back),
        EGRESS_TEST(test_back_pressure_is_no_fault_for_a_while),
        EGRESS_TEST(test_a_way_that_breaks_is_made_anew),
        EGRESS_TEST(test_no_room_for_a_way),
        EGRESS_TEST(test_the_table_is_full),
        EGRESS_TEST(test_the_pool_is_used_up),
        EGRESS_TEST(test_close_sends_what_goes_at_once),
        EGRESS_TEST(test_all_are_closed_and_opened_again),
        EGRESS_TEST(test_one_that_is_dismissed_is_told_when_it_can_be),
        EGRESS_TEST(test_those_that_cannot_be_told_are_forgotten),
        EGRESS_TEST(test_the_dismissed_take_no_place_from_others),
        EGRESS_TEST(test_one_that_is_stuck_delays_no_other),
        cmocka_unit_test(test_limits_are_checked),
        cmocka_unit_test(test_on_aeron),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
