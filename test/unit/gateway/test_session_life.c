/*
 * The life of a session in virtual time: every way in, every way out, and what waits meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/gateway_fixture.h"
#include "outcry/service.h"

#include <stdio.h>
#include <string.h>

static const gateway_counters_t *counters(const gateway_fixture_t *fixture)
{
    return gateway_counters(fixture->gateway);
}

static void restart(gateway_fixture_t *fixture)
{
    gateway_fixture_start(fixture);
}

static void begin_anew(gateway_fixture_t *fixture)
{
    gateway_fixture_fini(fixture);
    gateway_fixture_init(fixture);
}

static void opens_when_it_is_durable(void **state)
{
    gateway_fixture_t *fixture = *state;
    fixture->apply = false;
    gateway_fixture_ask(fixture, 1);
    gateway_fixture_cycles(fixture, 4);
    assert_int_equal(fixture->open_count, 1);
    const fixture_record_t *open = &fixture->opens[0];
    assert_string_equal(open->open.principal.name, "trader");
    assert_int_equal(open->open.correlation_id, 1);
    assert_int_equal(open->open.response_stream, CLUSTER_EGRESS_STREAM);
    assert_string_equal(open->open.response_channel,
                        "aeron:udp?endpoint=127.0.0.1:20001|term-length=262144");
    assert_int_equal(open->open.channel_length, strlen(open->open.response_channel));
    assert_true(gateway_session_opened(fixture->gateway, open->session, &open->open, 10));
    gateway_fixture_cycles(fixture, 4);
    assert_int_equal(gateway_fixture_sent_count(fixture, 1), 0);
    fixture->durable = 9;
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(gateway_fixture_sent_count(fixture, 1), 0);
    fixture->durable = 10;
    gateway_fixture_cycles(fixture, 1);
    assert_true(gateway_fixture_is_event(fixture, 1, 0, CLUSTER_EVENT_OK));
    const cluster_message_t answer = gateway_fixture_sent(fixture, 1, 0);
    assert_int_equal(answer.correlation_id, 1);
    assert_int_equal(answer.session, open->session.value);
    assert_int_equal(answer.term, FIXTURE_TERM);
    assert_int_equal(answer.leader, 0);
    assert_int_equal(answer.version, CLUSTER_PROTOCOL_VERSION);
    assert_true(answer.leader_heartbeat_timeout_ns > 0);
}

static void waits_for_the_way_to_the_client(void **state)
{
    gateway_fixture_t *fixture = *state;
    fixture->transport.state_at_add = TRANSPORT_ADDING;
    gateway_fixture_ask(fixture, 1);
    gateway_fixture_cycles(fixture, 100);
    gateway_fixture_publication(fixture, 1)->state = TRANSPORT_UNCONNECTED;
    gateway_fixture_cycles(fixture, 100);
    assert_int_equal(fixture->open_count, 0);
    gateway_fixture_publication(fixture, 1)->state = TRANSPORT_CONNECTED;
    gateway_fixture_cycles(fixture, 3);
    assert_int_equal(fixture->open_count, 1);
    assert_true(gateway_fixture_is_event(fixture, 1, 0, CLUSTER_EVENT_OK));
}

static void gives_up_on_clients_that_do_not_connect(void **state)
{
    gateway_fixture_t *fixture = *state;
    fixture->transport.state_at_add = TRANSPORT_UNCONNECTED;
    gateway_fixture_ask(fixture, 1);
    gateway_fixture_cycles(fixture, 999);
    assert_int_equal(fake_transport_used(&fixture->transport), 1);
    gateway_fixture_cycles(fixture, 3);
    assert_int_equal(fake_transport_used(&fixture->transport), 0);
    assert_int_equal(counters(fixture)->refused, 1);
    /* And at once when the channel cannot be made. */
    fixture->transport.state_at_add = TRANSPORT_FAILED;
    gateway_fixture_ask(fixture, 2);
    gateway_fixture_cycles(fixture, 2);
    assert_int_equal(fake_transport_used(&fixture->transport), 0);
    assert_int_equal(counters(fixture)->refused, 2);
}

static void offers_the_opening_again(void **state)
{
    gateway_fixture_t *fixture = *state;
    fixture->refuse_open = true;
    gateway_fixture_ask(fixture, 1);
    gateway_fixture_cycles(fixture, 500);
    assert_int_equal(fixture->open_count, 0);
    fixture->refuse_open = false;
    gateway_fixture_cycles(fixture, 2);
    assert_int_equal(fixture->open_count, 1);
    /* Not for ever. */
    fixture->refuse_open = true;
    gateway_fixture_ask(fixture, 2);
    gateway_fixture_cycles(fixture, 1100);
    fixture->refuse_open = false;
    gateway_fixture_cycles(fixture, 10);
    assert_int_equal(fixture->open_count, 1);
    assert_int_equal(fake_transport_used(&fixture->transport), 1);
}

static authenticator_answer_t challenge_all(const authenticator_t *self, const void *credentials,
                                            size_t length, oc_principal_t *principal,
                                            authenticator_challenge_t *challenge)
{
    (void)self;
    memset(principal, 0, sizeof *principal);
    memcpy(principal->name, credentials, length);
    memset(challenge, 0, sizeof *challenge);
    memcpy(challenge->bytes, "riddle", 6);
    challenge->length = 6;
    return AUTHENTICATOR_CHALLENGE;
}

static authenticator_answer_t accept_solution(const authenticator_t *self,
                                              const oc_principal_t *principal,
                                              const authenticator_challenge_t *challenge,
                                              const void *response, size_t length)
{
    (void)self;
    return strcmp(principal->name, "trader") == 0 && challenge->length == 6 && length == 8 &&
                   memcmp(response, "solution", 8) == 0
               ? AUTHENTICATOR_ACCEPT
               : AUTHENTICATOR_REJECT;
}

static const authenticator_t riddles = {.connect = challenge_all, .respond = accept_solution};

static void respond(gateway_fixture_t *fixture, uint64_t source, int64_t session,
                    const char *solution)
{
    gateway_fixture_say(fixture, source,
                        &(cluster_message_t){
                            .type = CLUSTER_CHALLENGE_RESPONSE,
                            .correlation_id = 321,
                            .session = session,
                            .data = {.bytes = solution, .length = (uint32_t)strlen(solution)},
                        });
    gateway_fixture_cycles(fixture, 3);
}

static int64_t ask_for_riddle(gateway_fixture_t *fixture, uint64_t source, uint32_t added)
{
    gateway_fixture_ask(fixture, source);
    gateway_fixture_cycles(fixture, 3);
    const cluster_message_t question = gateway_fixture_sent(fixture, added, 0);
    assert_int_equal(question.type, CLUSTER_CHALLENGE);
    assert_int_equal(question.correlation_id, source);
    assert_int_equal(question.data.length, 6);
    assert_memory_equal(question.data.bytes, "riddle", 6);
    return question.session;
}

static void challenges(void **state)
{
    gateway_fixture_t *fixture = *state;
    begin_anew(fixture);
    fixture->config.authenticator = &riddles;
    restart(fixture);
    const int64_t session = ask_for_riddle(fixture, 1, 1);
    respond(fixture, 2, session, "solution"); /* somebody else's */
    assert_int_equal(fixture->open_count, 0);
    assert_int_equal(counters(fixture)->dropped_unknown, 1);
    respond(fixture, 1, session, "solution");
    assert_int_equal(fixture->open_count, 1);
    assert_true(gateway_fixture_is_event(fixture, 1, 1, CLUSTER_EVENT_OK));
    assert_int_equal(gateway_fixture_sent(fixture, 1, 1).correlation_id, 321);
    assert_int_equal(gateway_fixture_sent(fixture, 1, 1).session, session);
}

/* One attempt, and a limited time for it. */
static void refuses_wrong_and_late_answers(void **state)
{
    gateway_fixture_t *fixture = *state;
    begin_anew(fixture);
    fixture->config.authenticator = &riddles;
    restart(fixture);
    const int64_t session = ask_for_riddle(fixture, 1, 1);
    respond(fixture, 1, session, "no idea");
    assert_true(gateway_fixture_is_event(fixture, 1, 1, CLUSTER_EVENT_AUTHENTICATION_REJECTED));
    assert_int_equal(gateway_fixture_sent(fixture, 1, 1).correlation_id, 321);
    respond(fixture, 1, session, "solution");
    const int64_t late = ask_for_riddle(fixture, 2, 2);
    gateway_fixture_cycles(fixture, 1100);
    respond(fixture, 2, late, "solution");
    assert_int_equal(fixture->open_count, 0);
    assert_int_equal(fake_transport_used(&fixture->transport), 0);
    assert_int_equal(counters(fixture)->refused, 2);
}

static void bounds_open_sessions(void **state)
{
    gateway_fixture_t *fixture = *state;
    for (uint64_t source = 1; source <= fixture->config.max_sessions; source++)
        gateway_fixture_connect(fixture, source);
    gateway_fixture_ask(fixture, 100);
    gateway_fixture_cycles(fixture, 3);
    assert_true(gateway_fixture_is_event(fixture, 9, 0, CLUSTER_EVENT_ERROR));
    assert_true(gateway_fixture_sent(fixture, 9, 0).text.length > 0);
    assert_int_equal(fixture->open_count, fixture->config.max_sessions);
    /* A place that is given up can be taken. */
    gateway_fixture_control(fixture, 1, fixture->opens[0].session, CLUSTER_CLOSE_REQUEST);
    gateway_fixture_cycles(fixture, 3);
    gateway_fixture_connect(fixture, 101);
}

/* Two that were let in at the same time for one place. */
static void bounds_them_also_in_the_last_moment(void **state)
{
    gateway_fixture_t *fixture = *state;
    for (uint64_t source = 1; source < fixture->config.max_sessions; source++)
        gateway_fixture_connect(fixture, source);
    gateway_fixture_ask(fixture, 100);
    gateway_fixture_ask(fixture, 101);
    gateway_fixture_cycles(fixture, 4);
    assert_int_equal(fixture->open_count, fixture->config.max_sessions);
    assert_int_equal(gateway_fixture_is_event(fixture, 8, 0, CLUSTER_EVENT_ERROR) +
                         gateway_fixture_is_event(fixture, 9, 0, CLUSTER_EVENT_ERROR),
                     1);
}

static void closes_on_request(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    gateway_fixture_message(fixture, 1, session, "last");
    gateway_fixture_control(fixture, 1, session, CLUSTER_CLOSE_REQUEST);
    gateway_fixture_message(fixture, 1, session, "late");
    fixture->refuse_close = true;
    gateway_fixture_cycles(fixture, 10);
    fixture->refuse_close = false;
    gateway_fixture_cycles(fixture, 3);
    assert_int_equal(fixture->message_count, 1);
    assert_int_equal(fixture->close_count, 1);
    assert_int_equal(fixture->closes[0].reason, OC_CLOSE_CLIENT);
    assert_true(gateway_fixture_is_event(fixture, 1, 1, CLUSTER_EVENT_CLOSED));
    assert_int_equal(fake_transport_used(&fixture->transport), 0);
    assert_null(gateway_fixture_session(fixture, session));
}

static void closes_the_silent(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t first = gateway_fixture_connect(fixture, 1);
    const oc_session_id_t second = gateway_fixture_connect(fixture, 2);
    for (int i = 0; i < 10; i++) {
        gateway_fixture_control(fixture, 1, first, CLUSTER_KEEP_ALIVE);
        gateway_fixture_cycles(fixture, 500);
    }
    assert_int_equal(fixture->close_count, 1);
    assert_int_equal(fixture->closes[0].session.value, second.value);
    assert_int_equal(fixture->closes[0].reason, OC_CLOSE_TIMEOUT);
    assert_int_equal(counters(fixture)->closed_timeout, 1);
    assert_true(gateway_fixture_is_event(fixture, 2, 1, CLUSTER_EVENT_CLOSED));
    assert_non_null(gateway_fixture_session(fixture, first));
}

/* A host that rested, or a process that was stopped, did not hear anybody. */
static void does_not_take_its_own_rest_for_silence(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    fixture->pause = true;
    gateway_fixture_cycles(fixture, 6000);
    fixture->pause = false;
    gateway_fixture_control(fixture, 1, session, CLUSTER_KEEP_ALIVE);
    gateway_fixture_cycles(fixture, 100);
    assert_int_equal(fixture->close_count, 0);
    fixture->now_ns += INT64_C(60) * 1000 * 1000 * 1000;
    gateway_fixture_cycles(fixture, 100);
    gateway_fixture_control(fixture, 1, session, CLUSTER_KEEP_ALIVE);
    gateway_fixture_cycles(fixture, 3000);
    assert_int_equal(fixture->close_count, 0);
    gateway_fixture_cycles(fixture, 1100);
    assert_int_equal(fixture->close_count, 1);
}

static void send_many(gateway_fixture_t *fixture, oc_session_id_t session, uint32_t count)
{
    static const char text[] = "0123456789012345678901234567890123456789012345678901234567890123";
    for (uint32_t i = 0; i < count; i++)
        gateway_fixture_send(fixture, session, text);
    fixture->durable = fixture->position;
}

/* Its backlog is full: it is closed and told so, the others go on. */
static void closes_the_slow(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t slow = gateway_fixture_connect(fixture, 1);
    const oc_session_id_t other = gateway_fixture_connect(fixture, 2);
    gateway_fixture_publication(fixture, 1)->back_pressure = UINT32_MAX;
    fixture->refuse_close = true;
    /* As long as the device is behind, much may wait; then it is the client that does not take. */
    send_many(fixture, slow, 300);
    assert_int_equal(counters(fixture)->closed_slow, 0);
    gateway_fixture_cycles(fixture, 1);
    send_many(fixture, slow, 1);
    send_many(fixture, other, 1);
    gateway_fixture_cycles(fixture, 2);
    assert_int_equal(counters(fixture)->closed_slow, 1);
    assert_int_equal(gateway_backlog(fixture->gateway), 0);
    send_many(fixture, slow, 10);
    assert_int_equal(gateway_backlog(fixture->gateway), 0);
    assert_int_equal(gateway_fixture_sent_count(fixture, 2), 2);
    fixture->refuse_close = false;
    gateway_fixture_publication(fixture, 1)->back_pressure = 5;
    gateway_fixture_cycles(fixture, 20);
    assert_int_equal(fixture->close_count, 1);
    assert_int_equal(fixture->closes[0].reason, OC_CLOSE_SLOW);
    assert_true(gateway_fixture_is_event(fixture, 1, 1, CLUSTER_EVENT_CLOSED));
    assert_int_equal(memcmp(gateway_fixture_sent(fixture, 1, 1).text.bytes, "SLOW", 4), 0);
    assert_true(counters(fixture)->egress_back_pressure >= 5);
    assert_int_equal(fake_transport_used(&fixture->transport), 1);
}

/* It takes nothing for ever: not even the last word keeps it. */
static void forgets_the_stuck(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    gateway_fixture_publication(fixture, 1)->back_pressure = UINT32_MAX;
    gateway_fixture_control(fixture, 1, session, CLUSTER_CLOSE_REQUEST);
    gateway_fixture_cycles(fixture, 900);
    assert_int_equal(fake_transport_used(&fixture->transport), 1);
    gateway_fixture_cycles(fixture, 200);
    assert_int_equal(fake_transport_used(&fixture->transport), 0);
    assert_int_equal(gateway_backlog(fixture->gateway), 0);
}

/* The memory is shared; when it is used up, whoever holds most of it is closed. */
static void survives_a_used_up_pool(void **state)
{
    gateway_fixture_t *fixture = *state;
    for (uint64_t source = 1; source <= 6; source++) {
        gateway_fixture_connect(fixture, source);
        gateway_fixture_publication(fixture, (uint32_t)source)->back_pressure = UINT32_MAX;
    }
    send_many(fixture, fixture->opens[0].session, 140);
    for (int i = 1; i < 5; i++)
        send_many(fixture, fixture->opens[i].session, 120);
    gateway_fixture_cycles(fixture, 5);
    assert_int_equal(counters(fixture)->closed_slow, 1);
    assert_int_equal(fixture->close_count, 1);
    assert_int_equal(fixture->closes[0].session.value, fixture->opens[0].session.value);
    assert_int_equal(fixture->closes[0].reason, OC_CLOSE_SLOW);
    gateway_fixture_publication(fixture, 6)->back_pressure = 0;
    send_many(fixture, fixture->opens[5].session, 1);
    gateway_fixture_cycles(fixture, 2);
    assert_int_equal(gateway_fixture_sent_count(fixture, 6), 2);
    assert_int_equal(counters(fixture)->closed_slow, 2);
}

/* A client that lost its connection for a while misses nothing that fits. */
static void keeps_what_waits_for_the_unconnected(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    gateway_fixture_publication(fixture, 1)->state = TRANSPORT_UNCONNECTED;
    gateway_fixture_send(fixture, session, "one");
    gateway_fixture_send(fixture, session, "two");
    fixture->durable = fixture->position;
    gateway_fixture_cycles(fixture, 1000);
    assert_int_equal(gateway_fixture_sent_count(fixture, 1), 1);
    gateway_fixture_publication(fixture, 1)->state = TRANSPORT_CONNECTED;
    gateway_fixture_cycles(fixture, 1);
    assert_true(gateway_fixture_is_text(fixture, 1, 1, "one"));
    assert_true(gateway_fixture_is_text(fixture, 1, 2, "two"));
    /* A broken way is made anew. */
    gateway_fixture_publication(fixture, 1)->state = TRANSPORT_FAILED;
    gateway_fixture_send(fixture, session, "three");
    fixture->durable = fixture->position;
    gateway_fixture_cycles(fixture, 600);
    assert_true(gateway_fixture_is_text(fixture, 2, 0, "three"));
}

/* One session sends a bounded amount in a cycle, and all have their turn. */
static void shares_the_cycle(void **state)
{
    gateway_fixture_t *fixture = *state;
    begin_anew(fixture);
    fixture->config.session_backlog_bytes = 64 * 1024;
    fixture->config.backlog_bytes = 256 * 1024;
    restart(fixture);
    const oc_session_id_t first = gateway_fixture_connect(fixture, 1);
    const oc_session_id_t second = gateway_fixture_connect(fixture, 2);
    send_many(fixture, first, 300);
    send_many(fixture, second, 1);
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(gateway_fixture_sent_count(fixture, 1), 1 + 64);
    assert_int_equal(gateway_fixture_sent_count(fixture, 2), 2);
    gateway_fixture_cycles(fixture, 4);
    assert_int_equal(gateway_fixture_sent_count(fixture, 1), 1 + 300);
}

static gateway_open_t stored(unsigned port)
{
    gateway_open_t open = {.principal = {.name = "trader"},
                           .correlation_id = 9,
                           .response_stream = CLUSTER_EGRESS_STREAM};
    open.channel_length = (uint32_t)snprintf(open.response_channel, sizeof open.response_channel,
                                             "aeron:udp?endpoint=127.0.0.1:%u", port);
    return open;
}

static uint32_t new_leaders(const gateway_fixture_t *fixture, uint32_t added)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < gateway_fixture_sent_count(fixture, added); i++)
        count += gateway_fixture_sent(fixture, added, i).type == CLUSTER_NEW_LEADER;
    return count;
}

static void announces_itself_to_restored_sessions(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = {.value = 300};
    const gateway_open_t open = stored(20001);
    fixture->transport.state_at_add = TRANSPORT_UNCONNECTED;
    assert_true(gateway_session_restored(fixture->gateway, session, &open));
    gateway_fixture_send(fixture, session, "missed");
    fixture->durable = fixture->position;
    gateway_fixture_cycles(fixture, 50);
    assert_int_equal(gateway_fixture_sent_count(fixture, 1), 0);
    gateway_fixture_publication(fixture, 1)->state = TRANSPORT_CONNECTED;
    /* The first attempt fails, and nothing else may go before it. */
    gateway_fixture_publication(fixture, 1)->back_pressure = 1;
    gateway_fixture_cycles(fixture, 2);
    const cluster_message_t event = gateway_fixture_sent(fixture, 1, 0);
    assert_int_equal(event.type, CLUSTER_NEW_LEADER);
    assert_int_equal(event.session, 300);
    assert_int_equal(event.term, FIXTURE_TERM);
    assert_int_equal(event.leader, 0);
    assert_memory_equal(event.text.bytes, "0=127.0.0.1:9010", event.text.length);
    assert_true(gateway_fixture_is_text(fixture, 1, 1, "missed"));
    /* Again after one second, then after two; not any more once it was heard of. */
    gateway_fixture_cycles(fixture, 990);
    assert_int_equal(new_leaders(fixture, 1), 1);
    gateway_fixture_cycles(fixture, 20);
    assert_int_equal(new_leaders(fixture, 1), 2);
    gateway_fixture_cycles(fixture, 1000);
    assert_int_equal(new_leaders(fixture, 1), 2);
    gateway_fixture_cycles(fixture, 1010);
    assert_int_equal(new_leaders(fixture, 1), 3);
    gateway_fixture_control(fixture, 1, session, CLUSTER_KEEP_ALIVE);
    gateway_fixture_cycles(fixture, 3900);
    assert_int_equal(new_leaders(fixture, 1), 3);
    assert_int_equal(fixture->close_count, 0);
}

static void times_restored_sessions_out(void **state)
{
    gateway_fixture_t *fixture = *state;
    const gateway_open_t open = stored(20001);
    fixture->transport.state_at_add = TRANSPORT_UNCONNECTED;
    fixture->transport.add_fails = 2;
    assert_true(gateway_session_restored(fixture->gateway, (oc_session_id_t){.value = 300}, &open));
    gateway_fixture_cycles(fixture, 3990);
    assert_int_equal(fixture->close_count, 0);
    assert_int_equal(fake_transport_used(&fixture->transport), 1); /* in the end there was room */
    gateway_fixture_cycles(fixture, 50);
    assert_int_equal(fixture->close_count, 1);
    assert_int_equal(fixture->closes[0].reason, OC_CLOSE_TIMEOUT);
    assert_int_equal(fake_transport_used(&fixture->transport), 0);
}

/* A client that logs on anew after the restart does not wait for its old session to time out. */
static void replaces_a_restored_session(void **state)
{
    gateway_fixture_t *fixture = *state;
    const gateway_open_t old = stored(20001);
    const gateway_open_t other = stored(20002);
    assert_true(gateway_session_restored(fixture->gateway, (oc_session_id_t){.value = 300}, &old));
    assert_true(
        gateway_session_restored(fixture->gateway, (oc_session_id_t){.value = 301}, &other));
    gateway_fixture_connect(fixture, 1); /* its channel has port 20001 */
    gateway_fixture_cycles(fixture, 3);
    assert_int_equal(fixture->close_count, 1);
    assert_int_equal(fixture->closes[0].session.value, 300);
}

static void adopts_what_the_log_opens(void **state)
{
    gateway_fixture_t *fixture = *state;
    const gateway_open_t open = stored(20001);
    assert_true(
        gateway_session_opened(fixture->gateway, (oc_session_id_t){.value = 300}, &open, 0));
    gateway_fixture_cycles(fixture, 2);
    assert_true(gateway_fixture_is_event(fixture, 1, 0, CLUSTER_EVENT_OK));
    gateway_open_t bad = open;
    bad.response_channel[6] = 'x';
    assert_false(
        gateway_session_opened(fixture->gateway, (oc_session_id_t){.value = 301}, &bad, 0));
    bad.channel_length = UINT32_MAX;
    assert_false(gateway_session_restored(fixture->gateway, (oc_session_id_t){.value = 301}, &bad));
    uint64_t id = 1000;
    while (gateway_session_restored(fixture->gateway, (oc_session_id_t){.value = id}, &open))
        id++;
    assert_int_equal(id, 1000 + 8 + 2 * 4 - 1);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, gateway_fixture_setup, gateway_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(opens_when_it_is_durable),
        TEST(waits_for_the_way_to_the_client),
        TEST(gives_up_on_clients_that_do_not_connect),
        TEST(offers_the_opening_again),
        TEST(challenges),
        TEST(refuses_wrong_and_late_answers),
        TEST(bounds_open_sessions),
        TEST(bounds_them_also_in_the_last_moment),
        TEST(closes_on_request),
        TEST(closes_the_silent),
        TEST(does_not_take_its_own_rest_for_silence),
        TEST(closes_the_slow),
        TEST(forgets_the_stuck),
        TEST(survives_a_used_up_pool),
        TEST(keeps_what_waits_for_the_unconnected),
        TEST(shares_the_cycle),
        TEST(announces_itself_to_restored_sessions),
        TEST(times_restored_sessions_out),
        TEST(replaces_a_restored_session),
        TEST(adopts_what_the_log_opens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
