/*
 * Outputs: what they say, that they are numbered and kept whoever listens, and how they are packed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/exchange_fixture.h"
#include "lib/reference_fixture.h"
#include "service/exchange_internal.h"

#include <string.h>

static exchange_fixture_t f;

static int setup(void **state)
{
    (void)state;
    exchange_config_t config = exchange_fixture_config();
    config.engine.max_sessions = 15;
    exchange_fixture_market(&f, &config);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    exchange_fixture_close(&f);
    return 0;
}

typedef struct seen {
    oc_output_t outputs[64];
    size_t count;
} seen_t;

static void tap(void *context, oc_source_id_t source, const oc_output_t *output)
{
    seen_t *seen = context;
    assert_true(seen->count < 64);
    assert_int_equal(source.value, output->event.source.value);
    seen->outputs[seen->count++] = *output;
}

static void test_an_output_says_where_it_comes_from(void **state)
{
    (void)state;
    seen_t seen = {.count = 0};
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    exchange_set_tap(f.exchange, tap, &seen);
    service_host_advance(f.host, 5000);
    const oc_request_t requests[2] = {exchange_fixture_new(1, OC_SIDE_BUY, 5, 10),
                                      exchange_fixture_new(2, OC_SIDE_SELL, 5, 10)};
    exchange_fixture_send(&f, session, requests, 2);
    /* ACCEPTED, LEVEL, ACCEPTED, TRADE, FILL, LEVEL */
    static const oc_event_type_t types[4] = {OC_EVENT_ACCEPTED, OC_EVENT_ACCEPTED, OC_EVENT_TRADE,
                                             OC_EVENT_FILL};
    static const uint32_t indices[4] = {0, 2, 3, 4};
    assert_int_equal(seen.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const oc_output_t output = exchange_fixture_output(&f, session, types[i]);
        assert_memory_equal(&output, &seen.outputs[i], sizeof output);
        assert_int_equal(output.outbound_sequence, i + 1);
        assert_int_equal(output.index, indices[i]);
        assert_int_equal(output.term, 1);
        assert_int_equal(output.time_ns, 6000);
        assert_int_equal(output.position, seen.outputs[0].position);
        assert_true(output.position > 0);
    }
    exchange_fixture_do(&f, session, fixture_cancel(0, 1));
    const oc_output_t next = exchange_fixture_output(&f, session, OC_EVENT_REJECTED);
    assert_int_equal(next.index, 0); /* of the next entry */
    assert_true(next.position > seen.outputs[0].position);
}

/* One message for what one entry gives one session. */
static void test_outputs_of_an_entry_share_messages(void **state)
{
    (void)state;
    const oc_session_id_t maker = exchange_fixture_trader(&f, 2);
    const oc_session_id_t taker = exchange_fixture_trader(&f, 3);
    for (uint64_t id = 0; id < 5; id++)
        exchange_fixture_do(&f, maker, fixture_new(0, id, OC_SIDE_BUY, 1, 10));
    exchange_fixture_skip(&f, maker);
    const size_t before = service_host_sent(f.host);
    exchange_fixture_do(&f, taker, fixture_new(0, 1, OC_SIDE_SELL, 5, 10)); /* 6 and 5 outputs */
    assert_int_equal(service_host_sent(f.host), before + 2);
    for (size_t i = 0; i < 5; i++)
        exchange_fixture_output(&f, maker, OC_EVENT_FILL);
    exchange_fixture_silent(&f, maker);
    exchange_fixture_output(&f, taker, OC_EVENT_ACCEPTED);
    for (size_t i = 0; i < 5; i++)
        exchange_fixture_output(&f, taker, OC_EVENT_TRADE);
    exchange_fixture_silent(&f, taker);
}

static void test_messages_fit_a_datagram(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    oc_request_t requests[150];
    for (uint64_t i = 0; i < 150; i++)
        requests[i] = exchange_fixture_command(fixture_cancel(0, i));
    exchange_fixture_send(&f, session, requests, 150);
    size_t length = 0;
    size_t messages = 0;
    size_t total = 0;
    while (service_host_take(f.host, session, &length) != NULL) {
        assert_true(length <= EXCHANGE_PACKET);
        total += length;
        messages++;
    }
    assert_true(messages <= total / (EXCHANGE_PACKET - EVENTS_BYTES_MAX) + 1); /* well filled */
    assert_int_equal(total % 150, 0);
}

/* More sessions in one entry than there are packets: the order of each is kept. */
static void test_many_sessions_in_one_entry(void **state)
{
    (void)state;
    enum { MAKERS = 12 };
    oc_session_id_t makers[MAKERS];
    for (uint32_t i = 0; i < MAKERS; i++) {
        const uint32_t source = 2 + i;
        char name[8] = {'p', (char)(source < 10 ? '0' + source : '1')};
        if (source >= 10)
            name[2] = (char)('0' + source - 10);
        if (source > 5)
            exchange_fixture_do(&f, f.admin, fixture_add_source(source));
        const oc_request_t bind = exchange_fixture_bind(source, name);
        exchange_fixture_send(&f, f.admin, &bind, 1);
        makers[i] = exchange_fixture_trader(&f, source);
    }
    for (uint64_t round = 0; round < 3; round++)
        for (uint32_t i = 0; i < MAKERS; i++)
            exchange_fixture_do(&f, makers[i], fixture_new(0, round, OC_SIDE_BUY, 1, 10));
    for (uint32_t i = 0; i < MAKERS; i++)
        exchange_fixture_skip(&f, makers[i]);
    exchange_fixture_skip(&f, f.admin);
    exchange_fixture_do(&f, f.admin, fixture_new(0, 1, OC_SIDE_SELL, 3 * MAKERS, 10));
    for (uint32_t i = 0; i < MAKERS; i++) {
        for (uint64_t round = 0; round < 3; round++) {
            const oc_output_t output = exchange_fixture_output(&f, makers[i], OC_EVENT_FILL);
            assert_int_equal(output.outbound_sequence, 4 + round);
        }
        exchange_fixture_silent(&f, makers[i]);
    }
    exchange_fixture_output(&f, f.admin, OC_EVENT_ACCEPTED);
    for (size_t i = 0; i < 3 * MAKERS; i++)
        exchange_fixture_output(&f, f.admin, OC_EVENT_TRADE);
}

/* A host that is not active is sent nothing, and still every output is numbered and kept. */
static void test_a_follower_keeps_and_sends_nothing(void **state)
{
    (void)state;
    const oc_service_t *service = exchange_service(f.exchange);
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    service->role(service->context, OC_HOST_FOLLOWER);
    const size_t before = service_host_sent(f.host);
    const oc_request_t requests[3] = {exchange_fixture_new(1, OC_SIDE_BUY, 5, 10),
                                      exchange_fixture_status(0, 5),
                                      exchange_fixture_logon_request(2, 0)};
    exchange_fixture_send(&f, session, requests, 3);
    service_host_message(f.host, session, "noise", 5);
    assert_int_equal(service_host_sent(f.host), before);
    service->role(service->context, OC_HOST_ACTIVE);
    exchange_fixture_logon(&f, session, 2, 0);
    assert_int_equal(exchange_fixture_output(&f, session, OC_EVENT_ACCEPTED).outbound_sequence, 1);
}

/* While nothing is sent commands wait for each other; what comes out is as if they had not. */
static void test_commands_held_back_keep_their_entries(void **state)
{
    (void)state;
    const oc_service_t *service = exchange_service(f.exchange);
    seen_t seen = {.count = 0};
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    service->role(service->context, OC_HOST_RECOVERING);
    exchange_set_tap(f.exchange, tap, &seen);
    for (uint64_t i = 0; i < 3; i++) {
        const oc_request_t requests[2] = {exchange_fixture_new(2 * i, OC_SIDE_BUY, 5, 10),
                                          exchange_fixture_new(2 * i + 1, OC_SIDE_BUY, 5, 10)};
        service_host_advance(f.host, 100);
        exchange_fixture_send(&f, session, requests, 2);
    }
    assert_int_equal(f.exchange->batch_count, 6);
    assert_int_equal(seen.count, 0);
    const uint64_t hash = service->state_hash(service->context); /* looks, so they are applied */
    assert_int_equal(f.exchange->batch_count, 0);
    assert_int_equal(seen.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(seen.outputs[i].time_ns, 1100 + 100 * (i / 2));
        assert_int_equal(seen.outputs[i].index, 2 * (i % 2));
        assert_int_equal(seen.outputs[i].position, seen.outputs[i / 2 * 2].position);
        if (i >= 2)
            assert_true(seen.outputs[i].position > seen.outputs[i - 2].position);
    }
    assert_true(service->state_hash(service->context) == hash);
    exchange_fixture_do(&f, session, fixture_new(0, 9, OC_SIDE_BUY, 5, 10));
    assert_int_equal(f.exchange->batch_count, 1);
    service->role(service->context, OC_HOST_ACTIVE); /* kept, not sent: nobody waits for it now */
    assert_int_equal(seen.count, 7);
    exchange_fixture_silent(&f, session);
    exchange_fixture_do(&f, session, fixture_new(0, 10, OC_SIDE_BUY, 5, 10));
    assert_int_equal(seen.count, 8);
    assert_int_equal(exchange_fixture_output(&f, session, OC_EVENT_ACCEPTED).outbound_sequence, 8);
}

/* What a host with small messages can carry is respected, and what it cannot is said at start. */
static void test_small_messages(void **state)
{
    (void)state;
    exchange_t *exchange = NULL;
    const exchange_config_t config = exchange_fixture_config();
    assert_int_equal(exchange_create(&exchange, &config), OC_ERR_OK);
    const oc_service_t *service = exchange_service(exchange);
    service_host_t *host = service_host_create_small(service, EVENTS_BYTES_MAX);
    const oc_session_id_t session = service_host_open(host, "admin");
    oc_request_t requests[30];
    requests[0] = exchange_fixture_logon_request(1, 0);
    for (uint64_t i = 1; i < 30; i++)
        requests[i] = exchange_fixture_command(fixture_cancel(0, i));
    uint8_t bytes[8192];
    const size_t length = exchange_fixture_encode(requests, 30, bytes, sizeof bytes);
    service_host_message(host, session, bytes, length);
    size_t sent = 0;
    size_t messages = 0;
    for (; service_host_take(host, session, &sent) != NULL; messages++)
        assert_true(sent <= EVENTS_BYTES_MAX);
    assert_true(messages >= 15);
    service_host_destroy(host);
    exchange_destroy(exchange);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_an_output_says_where_it_comes_from),
        TEST(test_outputs_of_an_entry_share_messages),
        TEST(test_messages_fit_a_datagram),
        TEST(test_many_sessions_in_one_entry),
        TEST(test_a_follower_keeps_and_sends_nothing),
        TEST(test_commands_held_back_keep_their_entries),
        cmocka_unit_test(test_small_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
