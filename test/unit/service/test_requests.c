/*
 * Messages of sessions: several requests in one, bad ones among good ones, who may do what.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/codec.h"
#include "lib/exchange_fixture.h"
#include "lib/reference_fixture.h"

#include <string.h>

static exchange_fixture_t f;

static int setup(void **state)
{
    (void)state;
    const exchange_config_t config = exchange_fixture_config();
    exchange_fixture_market(&f, &config);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    exchange_fixture_close(&f);
    return 0;
}

/* What an engine that has stopped leaves is no state to go on with, and so not audited. */
static int teardown_stopped(void **state)
{
    (void)state;
    service_host_destroy(f.host);
    exchange_destroy(f.exchange);
    return 0;
}

static uint64_t commands_applied(void)
{
    oc_engine_counts_t counts;
    oc_engine_counts(exchange_engine(f.exchange), &counts);
    return counts.entry;
}

static void expect_rejected(oc_session_id_t session, oc_problem_t problem, size_t offset)
{
    const oc_response_t r = exchange_fixture_expect(&f, session, OC_RESPONSE_MESSAGE_REJECTED);
    assert_string_equal(oc_problem_name(r.u.message_rejected.problem), oc_problem_name(problem));
    assert_int_equal(r.u.message_rejected.offset, offset);
    assert_true(r.u.message_rejected.position > 0);
}

static void expect_reply(oc_session_id_t session, uint64_t request_id, oc_reason_t reason)
{
    const oc_response_t r = exchange_fixture_expect(&f, session, OC_RESPONSE_REPLY);
    assert_int_equal(r.request_id, request_id);
    assert_string_equal(oc_reason_name((oc_reason_t)r.u.reply.reason), oc_reason_name(reason));
}

/* The sender is the session: what a command says about its source is not looked at. */
static void test_commands_are_the_sessions_own(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    oc_command_t order = fixture_new(3, 7, OC_SIDE_BUY, 5, 10);
    exchange_fixture_do(&f, session, order);
    const oc_output_t output = exchange_fixture_output(&f, session, OC_EVENT_ACCEPTED);
    assert_int_equal(output.event.source.value, 2);
    assert_int_equal(output.event.client_order_id.value, 7);
    /* Neither is its time: it happens when the log says. */
    service_host_advance(f.host, 500);
    order = fixture_cancel(3, 7);
    order.time_ns = 77;
    exchange_fixture_do(&f, session, order);
    oc_engine_counts_t counts;
    oc_engine_counts(exchange_engine(f.exchange), &counts);
    assert_int_equal(counts.time_ns, 1500);
}

static void test_a_message_carries_many_requests_and_answers_stay_in_order(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    oc_request_t requests[203];
    for (uint64_t i = 0; i < 200; i++) /* three batches and a bit, every other one an order */
        requests[i] = i % 2 ? exchange_fixture_command(fixture_cancel(0, i - 1))
                            : exchange_fixture_new(i, OC_SIDE_BUY, 5, 10);
    requests[200] = exchange_fixture_new(500, OC_SIDE_BUY, 5, 10);
    requests[201] = exchange_fixture_status(0, 10);
    requests[202] = exchange_fixture_new(501, OC_SIDE_BUY, 5, 10);
    exchange_fixture_send(&f, session, requests, 203);
    uint64_t last_index = 0;
    for (uint64_t i = 0; i < 201; i++) {
        const oc_output_t output =
            exchange_fixture_output(&f, session, i % 2 ? OC_EVENT_CANCELLED : OC_EVENT_ACCEPTED);
        assert_int_equal(output.outbound_sequence, i + 1);
        assert_true(i == 0 || output.index > last_index); /* LEVEL events are counted as well */
        last_index = output.index;
    }
    assert_int_equal(last_index, 400);
    assert_int_equal(exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS)
                         .u.order.client_order_id.value,
                     500);
    exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS_END);
    exchange_fixture_output(&f, session, OC_EVENT_ACCEPTED);
    exchange_fixture_silent(&f, session);
}

static void test_who_is_not_logged_on_is_told(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_session(&f, "p2");
    const oc_request_t stop = {.type = OC_REQUEST_STOP, .request_id = 5};
    const oc_request_t requests[5] = {
        exchange_fixture_new(1, OC_SIDE_BUY, 5, 10), exchange_fixture_status(0, 10),
        exchange_fixture_bind(3, "p2"), stop, exchange_fixture_logon_request(2, 0)};
    const uint64_t before = commands_applied();
    exchange_fixture_send(&f, session, requests, 5);
    size_t offset = 0;
    for (size_t i = 0; i < 4; i++) {
        uint8_t bytes[256];
        expect_rejected(session, OC_PROBLEM_NOT_LOGGED_ON, offset);
        offset += exchange_fixture_encode(&requests[i], 1, bytes, sizeof bytes);
    }
    assert_int_equal(exchange_fixture_expect(&f, session, OC_RESPONSE_LOGON).u.logon.reason,
                     OC_REASON_NONE);
    assert_int_equal(commands_applied(), before + 1); /* SESSION_UP */
    assert_false(service_host_stopped(f.host));
}

static void test_a_bad_message_among_good_ones_is_stepped_over(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    const oc_request_t requests[3] = {exchange_fixture_new(1, OC_SIDE_BUY, 5, 10),
                                      exchange_fixture_new(2, OC_SIDE_BUY, 5, 10),
                                      exchange_fixture_new(3, OC_SIDE_BUY, 5, 10)};
    uint8_t bytes[512];
    const size_t length = exchange_fixture_encode(requests, 3, bytes, sizeof bytes);
    const size_t second = length / 3;
    const uint16_t unknown = 9999;
    memcpy(bytes + second + 2, &unknown, sizeof unknown);
    service_host_message(f.host, session, bytes, length);
    assert_int_equal(
        exchange_fixture_output(&f, session, OC_EVENT_ACCEPTED).event.client_order_id.value, 1);
    const oc_response_t r = exchange_fixture_expect(&f, session, OC_RESPONSE_MESSAGE_REJECTED);
    assert_int_equal(r.u.message_rejected.problem, OC_PROBLEM_TEMPLATE);
    assert_int_equal(r.u.message_rejected.offset, second);
    assert_int_equal(r.u.message_rejected.template_id, unknown);
    assert_int_equal(
        exchange_fixture_output(&f, session, OC_EVENT_ACCEPTED).event.client_order_id.value, 3);
    /* Another schema: where its message ends is not ours to know. */
    memcpy(bytes + second + 4, &unknown, sizeof unknown);
    service_host_message(f.host, session, bytes, length);
    exchange_fixture_output(&f, session, OC_EVENT_REJECTED); /* order 1 is there already */
    expect_rejected(session, OC_PROBLEM_SCHEMA, second);
    exchange_fixture_silent(&f, session);
}

static void test_every_truncation_is_answered(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    const oc_request_t requests[2] = {exchange_fixture_new(1, OC_SIDE_BUY, 5, 10),
                                      exchange_fixture_status(0, 1)};
    uint8_t bytes[512];
    const size_t length = exchange_fixture_encode(requests, 2, bytes, sizeof bytes);
    const size_t first = exchange_fixture_encode(requests, 1, bytes, sizeof bytes);
    exchange_fixture_encode(requests, 2, bytes, sizeof bytes);
    for (size_t cut = 0; cut < length; cut++) {
        service_host_message(f.host, session, bytes, cut);
        if (cut >= first)
            assert_int_equal(exchange_fixture_expect(&f, session, OC_RESPONSE_OUTPUT).type,
                             OC_RESPONSE_OUTPUT);
        if (cut != 0 && cut != first)
            expect_rejected(session, OC_PROBLEM_SHORT, cut < first ? 0 : first);
        exchange_fixture_silent(&f, session);
    }
}

/* No more answers than a message of that size can ask for, and the exchange goes on. */
static void test_noise_is_survived(void **state)
{
    (void)state;
    static uint8_t noise[65536];
    uint64_t seed = 4711;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    const oc_request_t order = exchange_fixture_new(1, OC_SIDE_BUY, 5, 10);
    uint8_t good[256];
    const size_t size = exchange_fixture_encode(&order, 1, good, sizeof good);
    for (int round = 0; round < 300; round++) {
        const size_t length = round % 50 ? 1 + fixture_below(&seed, 400) : sizeof noise;
        for (size_t i = 0; i < length; i++)
            noise[i] = (uint8_t)fixture_below(&seed, 256);
        if (round % 3 == 1) /* an order with some bytes changed */
            for (size_t at = 0; at + size <= length; at += size) {
                memcpy(noise + at, good, size);
                noise[at + fixture_below(&seed, size)] ^= (uint8_t)fixture_below(&seed, 256);
            }
        if (round % 3 == 2)
            memset(noise, 0, length);
        service_host_message(f.host, session, noise, length);
        exchange_fixture_skip(&f, session);
    }
    assert_true(service_host_is_open(f.host, session));
    exchange_fixture_do(&f, session, fixture_new(0, 77777777, OC_SIDE_BUY, 5, 99));
    exchange_fixture_output(&f, session, OC_EVENT_REJECTED);
}

static void test_order_status_comes_in_pages(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    for (uint64_t i = 0; i < 7; i++) {
        oc_command_t order = fixture_new(0, 100 + i, i % 2 ? OC_SIDE_SELL : OC_SIDE_BUY,
                                         3 + (int64_t)i, i % 2 ? 11 : 10);
        order.sequence = i + 1;
        order.flags = i == 3 ? OC_FLAG_POST_ONLY : 0;
        order.time_in_force = i == 3 ? OC_TIF_DAY : OC_TIF_GTC;
        exchange_fixture_do(&f, session, order);
    }
    exchange_fixture_do(&f, session, fixture_cancel(0, 102));
    exchange_fixture_skip(&f, session);
    uint64_t after = 0;
    oc_client_order_id_t name = {0};
    size_t seen = 0;
    for (bool more = true; more;) {
        oc_request_t request = exchange_fixture_status(after, 4);
        request.u.order_status.after_client_order_id = name;
        exchange_fixture_send(&f, session, &request, 1);
        const size_t page = seen == 0 ? 4 : 2;
        for (size_t i = 0; i < page; i++, seen++) {
            const oc_response_t r = exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS);
            const uint64_t number = seen < 2 ? seen : seen + 1;
            assert_int_equal(r.request_id, 3000);
            assert_int_equal(r.u.order.client_order_id.value, 100 + number);
            assert_int_equal(r.u.order.open_lots, 3 + number);
            assert_int_equal(r.u.order.side, number % 2);
            assert_int_equal(r.u.order.price_ticks, 10 + number % 2);
            assert_int_equal(r.u.order.instrument.value, 1);
            assert_int_equal(r.u.order.flags, number == 3 ? OC_FLAG_POST_ONLY : 0);
            assert_int_equal(r.u.order.time_in_force, number == 3 ? OC_TIF_DAY : OC_TIF_GTC);
            after = r.u.order.order_id.value;
            name = r.u.order.client_order_id;
        }
        const oc_response_t end =
            exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS_END);
        assert_int_equal(end.u.order_status_end.reason, OC_REASON_NONE);
        assert_int_equal(end.u.order_status_end.count, page);
        assert_int_equal(end.u.order_status_end.last.value, after);
        assert_int_equal(end.u.order_status_end.last_client_order_id.value, name.value);
        assert_int_equal(end.u.order_status_end.sequence, 7);
        assert_int_equal(end.u.order_status_end.outbound_sequence, 8);
        more = end.u.order_status_end.more;
        assert_int_equal(more, seen == 4);
    }
    const oc_request_t exact = exchange_fixture_status(0, 6);
    exchange_fixture_send(&f, session, &exact, 1);
    for (size_t i = 0; i < 6; i++)
        exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS);
    assert_int_equal(
        exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS_END).u.order_status_end.more,
        0);
    const oc_request_t behind = exchange_fixture_status(after, 1);
    exchange_fixture_send(&f, session, &behind, 1);
    const oc_response_t none = exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS_END);
    assert_int_equal(none.u.order_status_end.count, 0);
    assert_int_equal(none.u.order_status_end.last.value, 0);
    assert_int_equal(none.u.order_status_end.last_client_order_id.value, 0);
}

static void test_a_page_goes_on_behind_an_order_that_is_gone(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    for (uint64_t id = 10; id < 14; id++)
        exchange_fixture_do(&f, session, fixture_new(0, id, OC_SIDE_BUY, 5, 10));
    exchange_fixture_skip(&f, session);
    oc_request_t request = exchange_fixture_status(0, 2);
    exchange_fixture_send(&f, session, &request, 1);
    exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS);
    exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS);
    const oc_response_t end = exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS_END);
    assert_int_equal(end.u.order_status_end.last_client_order_id.value, 11);
    request.u.order_status.after = end.u.order_status_end.last;
    request.u.order_status.after_client_order_id = end.u.order_status_end.last_client_order_id;
    for (int again = 0; again < 2; again++) { /* gone; and its name is that of the last order */
        exchange_fixture_do(&f, session,
                            again ? fixture_new(0, 11, OC_SIDE_BUY, 5, 10) : fixture_cancel(0, 11));
        exchange_fixture_skip(&f, session);
        exchange_fixture_send(&f, session, &request, 1);
        const uint64_t want[2] = {12, 13};
        for (int i = 0; i < 2; i++) {
            const oc_response_t r = exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS);
            assert_int_equal(r.u.order.client_order_id.value, want[i]);
        }
        const oc_response_t page =
            exchange_fixture_expect(&f, session, OC_RESPONSE_ORDER_STATUS_END);
        assert_int_equal(page.u.order_status_end.more, again);
        assert_int_equal(page.u.order_status_end.last_client_order_id.value, 13);
    }
}

static void test_pages_of_a_wrong_size_are_refused(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    const oc_request_t wrong[2] = {exchange_fixture_status(0, 0),
                                   exchange_fixture_status(0, OC_ORDER_STATUS_MAX + 1)};
    exchange_fixture_send(&f, session, wrong, 2);
    for (size_t i = 0; i < 2; i++) {
        oc_response_t r; /* by the codec or by the exchange, but not taken */
        assert_true(exchange_fixture_next(&f, session, &r));
        assert_true(r.type == OC_RESPONSE_MESSAGE_REJECTED ||
                    (r.type == OC_RESPONSE_ORDER_STATUS_END &&
                     r.u.order_status_end.reason == OC_REASON_INVALID_FIELD));
    }
}

/* Sends the request `count` times in one message; expects `first`, and a reject for each
 * further one. */
static void expect_one_taken(oc_session_id_t session, const oc_request_t *request, size_t count,
                             const oc_response_type_t *first, size_t first_count)
{
    static oc_request_t requests[2000];
    uint8_t bytes[256];
    assert_true(count <= sizeof requests / sizeof requests[0]);
    for (size_t i = 0; i < count; i++)
        requests[i] = *request;
    const size_t size = exchange_fixture_encode(request, 1, bytes, sizeof bytes);
    const size_t sent = service_host_sent(f.host);
    exchange_fixture_send(&f, session, requests, count);
    /* Packets of up to 1,200 bytes: less than was received, and the one answer. */
    assert_true(service_host_sent(f.host) - sent <= count * size / 1100 + 8);
    for (size_t i = 0; i < first_count; i++)
        exchange_fixture_expect(&f, session, first[i]);
    for (size_t i = 1; i < count; i++)
        expect_rejected(session, OC_PROBLEM_TOO_MANY, i * size);
    exchange_fixture_silent(&f, session);
}

/* Each would resend everything that is kept. */
static void test_a_message_has_one_logon(void **state)
{
    (void)state;
    oc_response_type_t first[1 + EXCHANGE_FIXTURE_KEPT] = {OC_RESPONSE_LOGON};
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    for (uint64_t i = 0; i < EXCHANGE_FIXTURE_KEPT; i++) {
        exchange_fixture_do(&f, session, fixture_cancel(0, i));
        first[1 + i] = OC_RESPONSE_OUTPUT;
    }
    exchange_fixture_skip(&f, session);
    const oc_request_t logon = exchange_fixture_logon_request(2, 0);
    expect_one_taken(session, &logon, 2000, first, 1 + EXCHANGE_FIXTURE_KEPT);
    /* One that is refused counts, too; the next message has its own. */
    const oc_session_id_t other = exchange_fixture_session(&f, "p3");
    const oc_request_t both[2] = {logon, exchange_fixture_logon_request(3, 0)};
    exchange_fixture_send(&f, other, both, 2);
    assert_int_equal(exchange_fixture_expect(&f, other, OC_RESPONSE_LOGON).u.logon.reason,
                     OC_REASON_NOT_ALLOWED);
    expect_rejected(other, OC_PROBLEM_TOO_MANY, 28);
    assert_int_equal(exchange_fixture_logon(&f, other, 3, 0).u.logon.reason, OC_REASON_NONE);
}

static void test_a_message_has_one_order_status(void **state)
{
    (void)state;
    enum { ORDERS = 40 };
    oc_response_type_t first[ORDERS + 1];
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    for (uint64_t i = 0; i < ORDERS; i++) {
        exchange_fixture_do(&f, session, fixture_new(0, i, OC_SIDE_BUY, 5, 10));
        first[i] = OC_RESPONSE_ORDER_STATUS;
    }
    first[ORDERS] = OC_RESPONSE_ORDER_STATUS_END;
    exchange_fixture_skip(&f, session);
    const oc_request_t status = exchange_fixture_status(0, OC_ORDER_STATUS_MAX);
    expect_one_taken(session, &status, 1800, first, ORDERS + 1);
    /* One before the logon is not the one, and both kinds fit one message. */
    const oc_session_id_t other = exchange_fixture_session(&f, "p3");
    const oc_request_t three[3] = {status, exchange_fixture_logon_request(3, 0), status};
    exchange_fixture_send(&f, other, three, 3);
    expect_rejected(other, OC_PROBLEM_NOT_LOGGED_ON, 0);
    exchange_fixture_expect(&f, other, OC_RESPONSE_LOGON);
    exchange_fixture_expect(&f, other, OC_RESPONSE_ORDER_STATUS_END);
    exchange_fixture_silent(&f, other);
}

/* A second logon would have changed who speaks for the source: a member that applies the log, and
 * sends nothing, must come to the same. */
static void test_what_is_too_many_is_so_on_every_member(void **state)
{
    (void)state;
    const oc_request_t bind = exchange_fixture_bind(3, "p2");
    exchange_fixture_send(&f, f.admin, &bind, 1);
    const oc_session_id_t session = exchange_fixture_session(&f, "p2");
    const oc_request_t requests[3] = {exchange_fixture_logon_request(9, 0),
                                      exchange_fixture_logon_request(2, 0),
                                      exchange_fixture_new(1, OC_SIDE_BUY, 5, 10)};
    exchange_fixture_send(&f, session, requests, 3);
    oc_source_view_t view;
    assert_true(oc_engine_source(exchange_engine(f.exchange), (oc_source_id_t){2}, &view));
    assert_int_equal(view.session.value, 0);
    exchange_fixture_t other = {.exchange = NULL};
    const exchange_config_t config = exchange_fixture_config();
    assert_int_equal(exchange_create(&other.exchange, &config), OC_ERR_OK);
    other.host =
        service_host_replay(f.host, service_host_entries(f.host), exchange_service(other.exchange));
    const oc_service_t *a = exchange_service(f.exchange);
    const oc_service_t *b = exchange_service(other.exchange);
    assert_true(a->state_hash(a->context) == b->state_hash(b->context));
    exchange_fixture_close(&other);
}

static void test_an_administrator_binds_principals(void **state)
{
    (void)state;
    const oc_session_id_t trader = exchange_fixture_trader(&f, 2);
    const oc_request_t own = exchange_fixture_bind(3, "p2");
    exchange_fixture_send(&f, trader, &own, 1);
    expect_reply(trader, 2003, OC_REASON_NOT_ALLOWED);
    const oc_request_t requests[3] = {exchange_fixture_bind(77, "p2"),
                                      exchange_fixture_bind(2, "p3"),
                                      exchange_fixture_bind(3, "new")};
    exchange_fixture_send(&f, f.admin, requests, 3);
    expect_reply(f.admin, 2077, OC_REASON_UNKNOWN_SOURCE);
    expect_reply(f.admin, 2002, OC_REASON_SOURCE_BUSY);
    expect_reply(f.admin, 2003, OC_REASON_NONE);
    const oc_session_id_t session = exchange_fixture_session(&f, "new");
    assert_int_equal(exchange_fixture_logon(&f, session, 3, 0).u.logon.reason, OC_REASON_NONE);
}

static void test_a_retired_source_leaves_nothing_behind(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    exchange_fixture_do(&f, session, fixture_cancel(0, 1));
    oc_command_t retire = fixture_command(OC_COMMAND_SOURCE_RETIRE, 0, 0);
    retire.u.source.id.value = 2;
    exchange_fixture_do(&f, f.admin, retire); /* busy */
    assert_int_equal(exchange_fixture_output(&f, f.admin, OC_EVENT_REJECTED).event.reason,
                     OC_REASON_SOURCE_BUSY);
    service_host_close(f.host, session, OC_CLOSE_CLIENT);
    service_host_settle(f.host);
    const oc_request_t again[4] = {
        exchange_fixture_command(retire), exchange_fixture_command(fixture_add_source(2)),
        exchange_fixture_command(fixture_add_source(2)), exchange_fixture_bind(2, "p2")};
    exchange_fixture_send(&f, f.admin, again, 4);
    exchange_fixture_output(&f, f.admin, OC_EVENT_CONFIRMED);
    exchange_fixture_output(&f, f.admin, OC_EVENT_CONFIRMED);
    exchange_fixture_output(&f, f.admin, OC_EVENT_REJECTED); /* it is there */
    expect_reply(f.admin, 2002, OC_REASON_NONE);
    const oc_session_id_t next = exchange_fixture_session(&f, "p2");
    const oc_response_t reply = exchange_fixture_logon(&f, next, 2, 0);
    assert_int_equal(reply.u.logon.outbound_sequence, 0);
    exchange_fixture_silent(&f, next);
}

/* What a retired source had asked for ends without it. */
static void test_work_of_a_retired_source_has_no_receiver(void **state)
{
    (void)state;
    const oc_session_id_t maker = exchange_fixture_trader(&f, 2);
    for (uint64_t id = 0; id < 60; id++)
        exchange_fixture_do(&f, maker, fixture_new(0, id, OC_SIDE_BUY, 1, 1));
    const oc_session_id_t risk = exchange_fixture_trader(&f, 3);
    oc_command_t cancel = fixture_command(OC_COMMAND_MASS_CANCEL, 0, 0);
    cancel.u.mass_cancel.scope = OC_SCOPE_SOURCE;
    cancel.u.mass_cancel.owner.value = 2;
    exchange_fixture_do(&f, risk, cancel);
    service_host_close(f.host, risk, OC_CLOSE_CLIENT);
    oc_command_t retire = fixture_command(OC_COMMAND_SOURCE_RETIRE, 0, 0);
    retire.u.source.id.value = 3;
    oc_reason_t reason = OC_REASON_SOURCE_BUSY;
    while (reason == OC_REASON_SOURCE_BUSY) { /* its own disconnect waits behind */
        exchange_fixture_do(&f, f.admin, retire);
        const oc_response_t r = exchange_fixture_expect(&f, f.admin, OC_RESPONSE_OUTPUT);
        reason = (oc_reason_t)r.u.output.event.reason;
    }
    service_host_settle(f.host);
    oc_source_view_t view;
    assert_false(oc_engine_source(exchange_engine(f.exchange), (oc_source_id_t){3}, &view));
}

static void test_an_administrator_stops_the_host(void **state)
{
    (void)state;
    const oc_request_t stop = {.type = OC_REQUEST_STOP, .request_id = 9};
    const oc_session_id_t trader = exchange_fixture_trader(&f, 2);
    exchange_fixture_send(&f, trader, &stop, 1);
    expect_reply(trader, 9, OC_REASON_NOT_ALLOWED);
    assert_false(service_host_stopped(f.host));
    exchange_fixture_send(&f, f.admin, &stop, 1);
    expect_reply(f.admin, 9, OC_REASON_NONE);
    assert_true(service_host_stopped(f.host));
}

static void test_an_unknown_rules_version_ends_the_host(void **state)
{
    (void)state;
    oc_command_t configure = fixture_command(OC_COMMAND_CONFIGURE, 0, 0);
    configure.u.configure.rules_version = OC_RULES_VERSION + 1;
    configure.u.configure.step_bound = 4;
    const oc_request_t requests[3] = {exchange_fixture_command(fixture_cancel(0, 1)),
                                      exchange_fixture_command(configure),
                                      exchange_fixture_command(fixture_cancel(0, 2))};
    service_host_want_error(f.host, OC_ERR_RULES_VERSION);
    exchange_fixture_send(&f, f.admin, requests, 3);
    exchange_fixture_output(&f, f.admin, OC_EVENT_REJECTED);
    exchange_fixture_silent(&f, f.admin);
    service_host_close(f.host, f.admin, OC_CLOSE_CLIENT); /* harmless, if a host does it */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_commands_are_the_sessions_own),
        TEST(test_a_message_carries_many_requests_and_answers_stay_in_order),
        TEST(test_who_is_not_logged_on_is_told),
        TEST(test_a_bad_message_among_good_ones_is_stepped_over),
        TEST(test_every_truncation_is_answered),
        TEST(test_noise_is_survived),
        TEST(test_order_status_comes_in_pages),
        TEST(test_a_page_goes_on_behind_an_order_that_is_gone),
        TEST(test_pages_of_a_wrong_size_are_refused),
        TEST(test_a_message_has_one_logon),
        TEST(test_a_message_has_one_order_status),
        TEST(test_what_is_too_many_is_so_on_every_member),
        TEST(test_an_administrator_binds_principals),
        TEST(test_a_retired_source_leaves_nothing_behind),
        TEST(test_work_of_a_retired_source_has_no_receiver),
        TEST(test_an_administrator_stops_the_host),
        cmocka_unit_test_setup_teardown(test_an_unknown_rules_version_ends_the_host, setup,
                                        teardown_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
