/*
 * The gateway's doorway: its configuration, the order of a cycle, messages and positions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/expect_abort.h"
#include "lib/gateway_fixture.h"
#include "outcry/service.h"

#include <string.h>

static void sends_in_order_what_is_durable(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    const uint64_t durable = fixture->position;
    gateway_fixture_send(fixture, session, "one");
    gateway_fixture_send(fixture, session, "two");
    gateway_fixture_send(fixture, session, "three");
    gateway_fixture_cycles(fixture, 3);
    assert_int_equal(gateway_fixture_sent_count(fixture, 1), 1);
    assert_int_equal(gateway_backlog(fixture->gateway), 3 * (16 + 48));
    fixture->durable = durable + 2;
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(gateway_fixture_sent_count(fixture, 1), 3);
    fixture->durable = durable + 3;
    gateway_fixture_cycles(fixture, 1);
    assert_true(gateway_fixture_is_text(fixture, 1, 1, "one"));
    assert_true(gateway_fixture_is_text(fixture, 1, 2, "two"));
    assert_true(gateway_fixture_is_text(fixture, 1, 3, "three"));
    const cluster_message_t message = gateway_fixture_sent(fixture, 1, 3);
    assert_int_equal(message.term, FIXTURE_TERM);
    assert_int_equal(message.session, session.value);
    assert_int_equal(message.timestamp, 1234);
    assert_int_equal(gateway_backlog(fixture->gateway), 0);
    assert_int_equal(gateway_counters(fixture->gateway)->egress_messages, 4);
}

static void carries_the_longest_message(void **state)
{
    gateway_fixture_t *fixture = *state;
    static uint8_t bytes[8 * 1024];
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 13);
    gateway_send(fixture->gateway, session, bytes, sizeof bytes, 0, 1);
    gateway_fixture_cycles(fixture, 1);
    const cluster_message_t message = gateway_fixture_sent(fixture, 1, 1);
    assert_int_equal(message.data.length, sizeof bytes);
    assert_memory_equal(message.data.bytes, bytes, sizeof bytes);
}

static void sends_to_nobody(void **state)
{
    gateway_fixture_t *fixture = *state;
    gateway_fixture_send(fixture, (oc_session_id_t){.value = 7}, "x");
    gateway_session_closed(fixture->gateway, (oc_session_id_t){.value = 7}, 0, 1);
    assert_int_equal(gateway_backlog(fixture->gateway), 0);
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    gateway_session_closed(fixture->gateway, session, OC_CLOSE_SERVICE, ++fixture->position);
    const size_t backlog = gateway_backlog(fixture->gateway);
    gateway_fixture_send(fixture, session, "too late");
    assert_int_equal(gateway_backlog(fixture->gateway), backlog);
}

/* The last word comes after what waits, and when it is durable. */
static void tells_of_the_end_last(void **state)
{
    gateway_fixture_t *fixture = *state;
    static const char *const texts[] = {"CLIENT_ACTION", "SERVICE_ACTION", "TIMEOUT", "SLOW"};
    for (uint32_t reason = OC_CLOSE_CLIENT; reason <= OC_CLOSE_SLOW; reason++) {
        const uint32_t added = reason + 1;
        const oc_session_id_t session = gateway_fixture_connect(fixture, added);
        gateway_fixture_send(fixture, session, "before");
        gateway_session_closed(fixture->gateway, session, (oc_close_reason_t)reason,
                               ++fixture->position);
        fixture->durable = fixture->position - 1;
        gateway_fixture_cycles(fixture, 1500);
        assert_true(gateway_fixture_is_text(fixture, added, 1, "before"));
        assert_int_equal(gateway_fixture_sent_count(fixture, added), 2);
        /* Only now begins the time that the client has for it. */
        gateway_fixture_publication(fixture, added)->back_pressure = 10;
        fixture->durable = fixture->position;
        gateway_fixture_cycles(fixture, 11);
        assert_true(gateway_fixture_is_event(fixture, added, 2, CLUSTER_EVENT_CLOSED));
        assert_memory_equal(gateway_fixture_sent(fixture, added, 2).text.bytes, texts[reason],
                            strlen(texts[reason]));
    }
    assert_int_equal(fake_transport_used(&fixture->transport), 0);
}

static void takes_the_term_that_is_set(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    gateway_set_term(fixture->gateway, FIXTURE_TERM + 1);
    gateway_fixture_message(fixture, 1, session, "old term");
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->message_count, 0);
    gateway_fixture_send(fixture, session, "new");
    fixture->durable = fixture->position;
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(gateway_fixture_sent(fixture, 1, 1).term, FIXTURE_TERM + 1);
}

static void limits_a_poll(void **state)
{
    gateway_fixture_t *fixture = *state;
    const oc_session_id_t session = gateway_fixture_connect(fixture, 1);
    for (uint32_t i = 0; i < fixture->config.poll_limit + 5; i++)
        gateway_fixture_message(fixture, 1, session, "m");
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->message_count, fixture->config.poll_limit);
    gateway_fixture_cycles(fixture, 1);
    assert_int_equal(fixture->message_count, fixture->config.poll_limit + 5);
    /* Work is told, and rest as well. */
    fixture->now_ns++;
    assert_int_equal(gateway_do_work(fixture->gateway, fixture->now_ns, fixture->durable, false),
                     0);
    gateway_fixture_message(fixture, 1, session, "m");
    assert_int_equal(gateway_do_work(fixture->gateway, fixture->now_ns, fixture->durable, false),
                     1);
}

static void tells_where_it_listens(void **state)
{
    gateway_fixture_t *fixture = *state;
    assert_string_equal(gateway_ingress(fixture->gateway), "127.0.0.1:9010");
}

static void announces_the_address_that_is_advertised(void **state)
{
    gateway_fixture_t *fixture = *state;
    gateway_fixture_fini(fixture);
    gateway_fixture_init(fixture);
    fixture->config.advertised = "venue.example:9010";
    gateway_fixture_start(fixture);
    gateway_open_t open = {.response_channel = "aeron:ipc", .channel_length = 9};
    assert_true(gateway_session_restored(fixture->gateway, (oc_session_id_t){.value = 300}, &open));
    gateway_fixture_cycles(fixture, 1);
    const cluster_message_t event = gateway_fixture_sent(fixture, 1, 0);
    assert_int_equal(event.text.length, strlen("0=venue.example:9010"));
    assert_memory_equal(event.text.bytes, "0=venue.example:9010", event.text.length);
}

static oc_err_t create_with(const gateway_config_t *config)
{
    fake_transport_t fake;
    fake_transport_init(&fake);
    const transport_t transport = fake_transport_table(&fake);
    const gateway_sink_t sink = {0};
    gateway_t *gateway = NULL;
    const oc_err_t err = gateway_create_on(&gateway, config, &transport, &sink);
    assert_int_equal(fake.destroyed, err != OC_ERR_OK);
    gateway_destroy(gateway);
    assert_true(fake.destroyed);
    fake_transport_fini(&fake);
    return err;
}

static void refuses_bad_configurations(void **state)
{
    (void)state;
    gateway_config_t config;
    gateway_config_init(&config);
    assert_int_equal(create_with(&config), OC_ERR_OK);
    char address[300];
    memset(address, 'x', sizeof address - 1);
    address[sizeof address - 1] = '\0';
    config.advertised = address;
    assert_int_equal(create_with(&config), OC_ERR_INVALID_ARGUMENT);

#define REFUSED(field, bad)                                                                        \
    do {                                                                                           \
        gateway_config_init(&config);                                                              \
        config.field = bad;                                                                        \
        assert_int_equal(create_with(&config), OC_ERR_INVALID_ARGUMENT);                           \
    } while (0)
    REFUSED(max_sessions, 0);
    REFUSED(max_sessions, UINT32_MAX);
    REFUSED(max_connecting, 0);
    REFUSED(max_connecting, UINT32_MAX);
    REFUSED(message_bytes_max, 0);
    REFUSED(message_bytes_max, 2 * 1024 * 1024);
    REFUSED(session_backlog_bytes, 64 * 1024);
    REFUSED(backlog_bytes, 1024 * 1024);
    REFUSED(poll_limit, 0);
    REFUSED(session_timeout_ns, 0);
    REFUSED(connect_timeout_ns, -1);
    REFUSED(authenticator, NULL);
#undef REFUSED
    gateway_destroy(NULL);
}

static void send_too_long(void *context)
{
    gateway_fixture_t *fixture = context;
    static uint8_t bytes[8 * 1024 + 1];
    gateway_send(fixture->gateway, (oc_session_id_t){.value = 1}, bytes, sizeof bytes, 1, 1);
}

static void a_message_too_long_is_a_bug(void **state)
{
    assert_true(child_aborts(send_too_long, *state));
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, gateway_fixture_setup, gateway_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sends_in_order_what_is_durable),
        TEST(carries_the_longest_message),
        TEST(sends_to_nobody),
        TEST(tells_of_the_end_last),
        TEST(takes_the_term_that_is_set),
        TEST(limits_a_poll),
        TEST(tells_where_it_listens),
        TEST(announces_the_address_that_is_advertised),
        cmocka_unit_test(refuses_bad_configurations),
        TEST(a_message_too_long_is_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
