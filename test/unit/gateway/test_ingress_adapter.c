/*
 * Messages of clients: whose they are, what is dropped and counted, what waits, who is let in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/gateway_fixture.h"
#include "outcry/service.h"

#include <string.h>

static const gateway_counters_t *counters(const gateway_fixture_t *fixture)
{
    return gateway_counters(fixture->gateway);
}

static void hands_messages_over(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    gateway_fixture_message(fixture, 1, session, "first");
    gateway_fixture_message(fixture, 1, session, "");
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->message_count, 2);
    assert_string_equal(fixture->messages[0].text, "first");
    assert_int_equal(fixture->messages[0].session.value, session.value);
    assert_int_equal(fixture->messages[1].length, 0);
    assert_int_equal(counters(fixture)->messages, 2);
}

static void message_at(gateway_fixture_t *fixture, uint64_t source, oc_session_id_t session,
                       int64_t term)
{
    gateway_fixture_say(fixture, source,
                        &(cluster_message_t){.type = CLUSTER_SESSION_MESSAGE,
                                             .session = (int64_t)session.value,
                                             .term = term,
                                             .data = {.bytes = "x", .length = 1}});
}

static void drops_what_is_of_no_session(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    message_at(fixture, 1, session, FIXTURE_TERM - 1);
    message_at(fixture, 1, session, FIXTURE_TERM + 1);
    message_at(fixture, 1, (oc_session_id_t){.value = session.value + 1}, FIXTURE_TERM);
    gateway_fixture_control(fixture, 1, (oc_session_id_t){.value = 99}, CLUSTER_KEEP_ALIVE);
    gateway_fixture_control(fixture, 1, (oc_session_id_t){.value = 99}, CLUSTER_CLOSE_REQUEST);
    gateway_fixture_control(fixture, 1, (oc_session_id_t){.value = 99}, CLUSTER_ADMIN_REQUEST);
    gateway_fixture_control(fixture, 1, session, CLUSTER_CHALLENGE_RESPONSE);
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->message_count, 0);
    assert_int_equal(fixture->close_count, 0);
    assert_int_equal(counters(fixture)->dropped_unknown, 7);
}

static void drops_what_is_not_of_the_protocol(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    static const uint8_t noise[64 * 1024] = {0xff};
    for (size_t length = 0; length <= 40; length++)
        fake_transport_receive(&fixture->transport, 1, FIXTURE_HOST, noise, length);
    fake_transport_receive(&fixture->transport, 1, FIXTURE_HOST, noise, sizeof noise);
    fake_transport_receive(&fixture->transport, 1, FIXTURE_HOST, NULL, 1 << 24);
    gateway_fixture_cycles(fixture, 2);
    assert_int_equal(counters(fixture)->dropped_malformed, 43);
    /* What only this side says. */
    gateway_fixture_control(fixture, 1, session, CLUSTER_SESSION_EVENT);
    gateway_fixture_control(fixture, 1, session, CLUSTER_NEW_LEADER);
    gateway_fixture_control(fixture, 1, session, CLUSTER_CHALLENGE);
    gateway_fixture_control(fixture, 1, session, CLUSTER_ADMIN_RESPONSE);
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(counters(fixture)->dropped_malformed, 47);
    gateway_fixture_message(fixture, 1, session, "alive");
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->message_count, 1);
}

static void drops_long_messages(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    static char bytes[8 * 1024 + 1];
    cluster_message_t message = {
        .type = CLUSTER_SESSION_MESSAGE,
        .session = (int64_t)session.value,
        .term = FIXTURE_TERM,
        .data = {.bytes = bytes, .length = sizeof bytes},
    };
    gateway_fixture_say(fixture, 1, &message);
    message.data.length--;
    gateway_fixture_say(fixture, 1, &message);
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->message_count, 1);
    assert_int_equal(fixture->messages[0].length, 8 * 1024);
    assert_int_equal(counters(fixture)->dropped_malformed, 1);
}

/* What the sink cannot take stays in the transport, in order. */
static void waits_for_the_sink(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    fixture->refuse_message = true;
    gateway_fixture_message(fixture, 1, session, "one");
    gateway_fixture_message(fixture, 1, session, "two");
    gateway_fixture_cycles(fixture, 5);
    assert_int_equal(fixture->message_count, 0);
    assert_int_equal(fixture->transport.ingress_count, 2);
    fixture->refuse_message = false;
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->message_count, 2);
    assert_string_equal(fixture->messages[0].text, "one");
    assert_int_equal(counters(fixture)->messages, 2);
}

static void rests_when_told_to(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    gateway_fixture_message(fixture, 1, session, "later");
    fixture->pause = true;
    gateway_fixture_cycles(fixture, 10);
    assert_int_equal(fixture->message_count, 0);
    fixture->pause = false;
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->message_count, 1);
}

static void message_from(gateway_fixture_t *fixture, uint64_t source, const char *host,
                         oc_session_id_t session)
{
    uint8_t bytes[64];
    const cluster_message_t message = {.type = CLUSTER_SESSION_MESSAGE,
                                       .session = (int64_t)session.value,
                                       .term = FIXTURE_TERM,
                                       .data = {.bytes = "x", .length = 1}};
    const size_t length = cluster_encode(&message, bytes, sizeof bytes);
    fake_transport_receive(&fixture->transport, source, host, bytes, length);
    gateway_fixture_cycles(fixture, 1);
}

/* A guessed id is of no use to another sender. */
static void keeps_senders_apart(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    message_from(fixture, 2, FIXTURE_HOST, session);
    message_from(fixture, 2, "10.0.0.66", session);
    assert_int_equal(fixture->message_count, 0);
    assert_int_equal(counters(fixture)->dropped_unknown, 2);
    /* When its stream is gone, a new one of the same host takes over; another host's does not. */
    fixture->transport.dead_source = 1;
    message_from(fixture, 3, "10.0.0.66", session);
    assert_int_equal(fixture->message_count, 0);
    message_from(fixture, 4, FIXTURE_HOST, session);
    assert_int_equal(fixture->message_count, 1);
    message_from(fixture, 5, FIXTURE_HOST, session);
    assert_int_equal(fixture->message_count, 1);
}

static gateway_open_t stored(const char *channel)
{
    gateway_open_t open = {.principal = {.name = "trader"},
                           .correlation_id = 9,
                           .response_stream = CLUSTER_EGRESS_STREAM};
    memcpy(open.response_channel, channel, strlen(channel));
    open.channel_length = (uint32_t)strlen(channel);
    return open;
}

/* A restored session belongs to the host in its channel, then to the stream that came first. */
static void binds_restored_sessions(void **state)
{
    gateway_fixture_t *fixture = *state;
    const gateway_open_t open = stored("aeron:udp?endpoint=10.0.0.7:20001");
    const oc_session_id_t session = {.value = 500};
    assert_true(gateway_session_restored(fixture->gateway, session, &open));
    message_from(fixture, 1, "10.0.0.66", session);
    assert_int_equal(fixture->message_count, 0);
    message_from(fixture, 2, "10.0.0.7", session);
    assert_int_equal(fixture->message_count, 1);
    message_from(fixture, 3, "10.0.0.7", session);
    assert_int_equal(fixture->message_count, 1);
    assert_int_equal(counters(fixture)->dropped_unknown, 2);
}

static void refuses_administration_politely(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    gateway_fixture_control(fixture, 1, session, CLUSTER_ADMIN_REQUEST);
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(gateway_fixture_sent_count(fixture, 1), 2);
    const cluster_message_t answer = gateway_fixture_sent(fixture, 1, 1);
    assert_int_equal(answer.type, CLUSTER_ADMIN_RESPONSE);
    assert_int_equal(answer.code, 1);
    assert_int_equal(answer.correlation_id, 77);
    assert_true(answer.text.length > 0);
}

static void ask_with(gateway_fixture_t *fixture, int32_t version, const char *channel,
                     const char *credentials)
{
    gateway_fixture_say(fixture, 1,
                        &(cluster_message_t){
                            .type = CLUSTER_CONNECT_REQUEST,
                            .correlation_id = 11,
                            .version = version,
                            .response_stream = CLUSTER_EGRESS_STREAM,
                            .text = {.bytes = channel, .length = (uint32_t)strlen(channel)},
                            .data = {.bytes = credentials, .length = (uint32_t)strlen(credentials)},
                        });
    gateway_fixture_cycles(fixture, 3);
}

static void answers_another_protocol_version(void **state)
{
    gateway_fixture_t *fixture = *state;
    ask_with(fixture, 0x010000, "aeron:udp?endpoint=127.0.0.1:1", "trader");
    assert_true(gateway_fixture_is_event(fixture, 1, 0, CLUSTER_EVENT_ERROR));
    const cluster_message_t answer = gateway_fixture_sent(fixture, 1, 0);
    assert_int_equal(answer.correlation_id, 11);
    assert_int_equal(answer.version, CLUSTER_PROTOCOL_VERSION);
    assert_true(answer.text.length > 0);
    assert_int_equal(fixture->open_count, 0);
    assert_int_equal(fake_transport_used(&fixture->transport), 0);
    /* Another minor version is fine. */
    ask_with(fixture, 0x000200, "aeron:udp?endpoint=127.0.0.1:1", "trader");
    assert_int_equal(fixture->open_count, 1);
}

static void answers_a_failed_authentication(void **state)
{
    gateway_fixture_t *fixture = *state;
    ask_with(fixture, CLUSTER_PROTOCOL_VERSION, "aeron:udp?endpoint=127.0.0.1:1", "not a name");
    assert_true(gateway_fixture_is_event(fixture, 1, 0, CLUSTER_EVENT_AUTHENTICATION_REJECTED));
    assert_int_equal(counters(fixture)->refused, 1);
    assert_int_equal(fixture->open_count, 0);
    assert_int_equal(fake_transport_used(&fixture->transport), 0);
}

static void does_not_answer_to_bad_channels(void **state)
{
    gateway_fixture_t *fixture = *state;
    ask_with(fixture, CLUSTER_PROTOCOL_VERSION, "aeron:udp?endpoint=224.0.0.1:5", "trader");
    ask_with(fixture, CLUSTER_PROTOCOL_VERSION, "aeron:udp?control=127.0.0.1:5", "trader");
    assert_int_equal(fixture->transport.publication_count, 0);
    assert_int_equal(counters(fixture)->refused, 2);
}

static void hears_a_repeated_request_once(void **state)
{
    gateway_fixture_t *fixture = *state;
    fixture->transport.state_at_add = TRANSPORT_UNCONNECTED;
    gateway_fixture_ask(fixture, 1);
    gateway_fixture_ask(fixture, 1);
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->transport.publication_count, 1);
    assert_int_equal(counters(fixture)->connects, 2);
    assert_int_equal(counters(fixture)->refused, 0);
}

static void bounds_those_that_connect(void **state)
{
    gateway_fixture_t *fixture = *state;
    fixture->transport.state_at_add = TRANSPORT_UNCONNECTED;
    for (uint64_t source = 1; source <= 10; source++)
        gateway_fixture_ask(fixture, source);
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->transport.publication_count, fixture->config.max_connecting);
    assert_int_equal(counters(fixture)->refused, 6);
    fixture->transport.add_fails = 1;
    gateway_fixture_cycles(fixture, 1100);
    gateway_fixture_ask(fixture, 20);
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(counters(fixture)->refused, 11);
}

/* One stream asks again and again and takes no answer: others come in beside it. */
static void bounds_each_that_connects(void **state)
{
    gateway_fixture_t *fixture = *state;
    fixture->transport.state_at_add = TRANSPORT_UNCONNECTED;
    static const char channel[] = "aeron:udp?endpoint=127.0.0.1:1";
    cluster_message_t request = {
        .type = CLUSTER_CONNECT_REQUEST,
        .version = CLUSTER_PROTOCOL_VERSION,
        .response_stream = CLUSTER_EGRESS_STREAM,
        .text = {.bytes = channel, .length = sizeof channel - 1},
    };
    for (int64_t i = 1; i <= 10; i++) {
        request.correlation_id = i;
        gateway_fixture_say(fixture, 1, &request);
    }
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->transport.publication_count, fixture->config.max_connecting / 4);
    for (uint64_t source = 2; source <= 4; source++)
        gateway_fixture_ask(fixture, source);
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->transport.publication_count, fixture->config.max_connecting);
}

static void sends_everybody_elsewhere(void **state)
{
    gateway_fixture_t *fixture = *state;
    gateway_fixture_fini(fixture);
    gateway_fixture_init(fixture);
    fixture->config.redirect = "10.0.0.9:9010";
    gateway_fixture_start(fixture);
    gateway_fixture_ask(fixture, 1);
    gateway_fixture_cycles(fixture, 3);
    assert_true(gateway_fixture_is_event(fixture, 1, 0, CLUSTER_EVENT_REDIRECT));
    const cluster_message_t answer = gateway_fixture_sent(fixture, 1, 0);
    assert_int_equal(answer.leader, 0);
    assert_int_equal(answer.text.length, strlen("0=10.0.0.9:9010"));
    assert_memory_equal(answer.text.bytes, "0=10.0.0.9:9010", answer.text.length);
    assert_int_equal(fixture->open_count, 0);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, gateway_fixture_setup, gateway_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hands_messages_over),
        TEST(drops_what_is_of_no_session),
        TEST(drops_what_is_not_of_the_protocol),
        TEST(drops_long_messages),
        TEST(waits_for_the_sink),
        TEST(rests_when_told_to),
        TEST(keeps_senders_apart),
        TEST(binds_restored_sessions),
        TEST(refuses_administration_politely),
        TEST(answers_another_protocol_version),
        TEST(answers_a_failed_authentication),
        TEST(does_not_answer_to_bad_channels),
        TEST(hears_a_repeated_request_once),
        TEST(bounds_those_that_connect),
        TEST(bounds_each_that_connects),
        TEST(sends_everybody_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
