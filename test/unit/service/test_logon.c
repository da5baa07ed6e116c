/*
 * Logons: who may, what is answered, what is sent again, and that a newer session takes over.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

static oc_source_view_t source_view(uint32_t source)
{
    oc_source_view_t view;
    memset(&view, 0, sizeof view);
    assert_true(oc_engine_source(exchange_engine(f.exchange), (oc_source_id_t){source}, &view));
    return view;
}

static void assert_refused(oc_session_id_t session, uint32_t source, uint64_t seen,
                           oc_reason_t reason)
{
    const oc_response_t reply = exchange_fixture_logon(&f, session, source, seen);
    assert_string_equal(oc_reason_name((oc_reason_t)reply.u.logon.reason), oc_reason_name(reason));
    assert_int_equal(reply.request_id, 1000 + source);
    assert_int_equal(reply.u.logon.source.value, source);
    assert_int_equal(reply.u.logon.roles, 0);
    assert_int_equal(reply.u.logon.outbound_sequence, 0);
    exchange_fixture_silent(&f, session);
}

static void test_the_administrator_is_there_from_the_start(void **state)
{
    (void)state;
    const oc_source_view_t view = source_view(1);
    assert_int_equal(view.roles, OC_ROLES_ALL);
    assert_int_equal(view.session.value, f.admin.value);
}

static void test_a_logon_tells_where_the_source_is(void **state)
{
    (void)state;
    const oc_session_id_t first = exchange_fixture_trader(&f, 2);
    oc_request_t orders[3];
    for (uint64_t i = 0; i < 3; i++) {
        orders[i] = exchange_fixture_new(i, OC_SIDE_BUY, 5, i == 2 ? 99 : 10);
        orders[i].u.command.sequence = i + 1;
    }
    exchange_fixture_send(&f, first, orders, 3);
    service_host_close(f.host, first, OC_CLOSE_CLIENT);
    const oc_session_id_t second = exchange_fixture_session(&f, "p2");
    const oc_response_t reply = exchange_fixture_logon(&f, second, 2, 3);
    assert_int_equal(reply.u.logon.reason, OC_REASON_NONE);
    assert_int_equal(reply.u.logon.roles, OC_ROLES_ALL & ~OC_ROLE_ADMIN);
    assert_int_equal(reply.u.logon.sequence, 3);
    assert_int_equal(reply.u.logon.last_status, OC_REASON_PRICE_OUT_OF_BAND);
    assert_int_equal(reply.u.logon.outbound_sequence, 3);
    exchange_fixture_silent(&f, second);
    assert_int_equal(source_view(2).session.value, second.value);
}

static void test_who_may_not_log_on(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_session(&f, "p2");
    assert_refused(session, 77, 0, OC_REASON_UNKNOWN_SOURCE);
    assert_refused(session, 0, 0, OC_REASON_UNKNOWN_SOURCE);
    assert_refused(session, 3, 0, OC_REASON_NOT_ALLOWED);
    assert_refused(session, 2, 1, OC_REASON_INVALID_FIELD); /* nothing was ever sent */
    assert_refused(session, 2, UINT64_MAX, OC_REASON_INVALID_FIELD);
    assert_int_equal(source_view(2).session.value, 0);
    assert_int_equal(exchange_fixture_logon(&f, session, 2, 0).u.logon.reason, OC_REASON_NONE);
    assert_refused(session, 2, 1, OC_REASON_INVALID_FIELD);
    assert_int_equal(source_view(2).session.value, session.value); /* still logged on */
}

static void test_a_session_speaks_for_one_source(void **state)
{
    (void)state;
    const oc_request_t bind = exchange_fixture_bind(3, "p2");
    exchange_fixture_send(&f, f.admin, &bind, 1);
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    assert_refused(session, 3, 0, OC_REASON_SESSION_IN_USE);
    assert_int_equal(source_view(3).session.value, 0);
    /* Neither does it end who speaks for the other one. */
    const oc_session_id_t other = exchange_fixture_session(&f, "p2");
    assert_int_equal(exchange_fixture_logon(&f, other, 3, 0).u.logon.reason, OC_REASON_NONE);
    assert_refused(session, 3, 0, OC_REASON_SESSION_IN_USE);
    assert_true(service_host_is_open(f.host, other));
    assert_int_equal(source_view(3).session.value, other.value);
}

static void test_odd_principals_match_nobody(void **state)
{
    (void)state;
    static const char *const names[] = {"", "p", "p22", "P2",
                                        "p234567890123456789012345678901234567890"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const oc_session_id_t session = exchange_fixture_session(&f, names[i]);
        assert_refused(session, 2, 0, OC_REASON_NOT_ALLOWED);
        service_host_close(f.host, session, OC_CLOSE_CLIENT);
    }
    /* A source that is bound to nobody: not even who has no name may speak for it. */
    exchange_fixture_do(&f, f.admin, fixture_add_source(9));
    const oc_session_id_t session = exchange_fixture_session(&f, "");
    assert_refused(session, 9, 0, OC_REASON_NOT_ALLOWED);
}

static void test_what_was_missed_is_sent_again(void **state)
{
    (void)state;
    const oc_session_id_t maker = exchange_fixture_trader(&f, 2);
    const oc_session_id_t taker = exchange_fixture_trader(&f, 3);
    exchange_fixture_do(&f, maker, fixture_new(0, 1, OC_SIDE_BUY, 50, 10));
    exchange_fixture_output(&f, maker, OC_EVENT_ACCEPTED);
    service_host_close(f.host, maker, OC_CLOSE_TIMEOUT);
    for (uint64_t i = 0; i < 12; i++) /* fills while nobody listens */
        exchange_fixture_do(&f, taker, fixture_new(0, i, OC_SIDE_SELL, 1, 10));
    for (uint64_t seen = 0; seen <= 13; seen++) {
        const oc_session_id_t session = exchange_fixture_session(&f, "p2");
        const oc_response_t reply = exchange_fixture_logon(&f, session, 2, seen);
        assert_int_equal(reply.u.logon.outbound_sequence, 13);
        for (uint64_t next = seen + 1; next <= 13; next++) {
            const oc_output_t output =
                exchange_fixture_output(&f, session, next == 1 ? OC_EVENT_ACCEPTED : OC_EVENT_FILL);
            assert_int_equal(output.outbound_sequence, next);
        }
        exchange_fixture_silent(&f, session);
        service_host_close(f.host, session, OC_CLOSE_CLIENT);
    }
}

static void test_what_is_not_kept_any_more_is_a_gap(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    for (uint64_t i = 0; i < EXCHANGE_FIXTURE_KEPT + 10; i++)
        exchange_fixture_do(&f, session, fixture_cancel(0, i)); /* all rejected */
    exchange_fixture_skip(&f, session);
    for (uint64_t seen = 0; seen < 12; seen++) {
        exchange_fixture_logon(&f, session, 2, seen);
        if (seen < 10) {
            const oc_response_t gap = exchange_fixture_expect(&f, session, OC_RESPONSE_GAP);
            assert_int_equal(gap.request_id, 1002);
            assert_int_equal(gap.u.gap.source.value, 2);
            assert_int_equal(gap.u.gap.first, seen + 1);
            assert_int_equal(gap.u.gap.last, 10);
        }
        for (uint64_t next = seen < 10 ? 11 : seen + 1; next <= EXCHANGE_FIXTURE_KEPT + 10; next++)
            assert_int_equal(
                exchange_fixture_output(&f, session, OC_EVENT_REJECTED).outbound_sequence, next);
        exchange_fixture_silent(&f, session);
    }
}

static void test_a_second_logon_of_the_session_is_only_answered(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    exchange_fixture_do(&f, session, fixture_new(0, 1, OC_SIDE_BUY, 5, 10));
    exchange_fixture_skip(&f, session);
    oc_engine_counts_t before;
    oc_engine_counts_t after;
    oc_engine_counts(exchange_engine(f.exchange), &before);
    assert_int_equal(exchange_fixture_logon(&f, session, 2, 0).u.logon.outbound_sequence, 1);
    exchange_fixture_output(&f, session, OC_EVENT_ACCEPTED);
    oc_engine_counts(exchange_engine(f.exchange), &after);
    assert_int_equal(before.entry, after.entry);
}

static void test_a_newer_session_takes_over(void **state)
{
    (void)state;
    const oc_session_id_t old = exchange_fixture_trader(&f, 2);
    oc_command_t order = fixture_new(0, 1, OC_SIDE_BUY, 5, 10);
    exchange_fixture_do(&f, old, order);
    order = fixture_new(0, 2, OC_SIDE_BUY, 5, 9);
    order.flags = OC_FLAG_CANCEL_ON_DISCONNECT;
    exchange_fixture_do(&f, old, order);
    exchange_fixture_skip(&f, old);
    const oc_session_id_t newer = exchange_fixture_session(&f, "p2");
    const oc_response_t reply = exchange_fixture_logon(&f, newer, 2, 2);
    assert_int_equal(reply.u.logon.reason, OC_REASON_NONE);
    assert_false(service_host_is_open(f.host, old));
    service_host_settle(f.host);
    /* The old session's order ends; its owner hears of it once, on the new session. */
    const oc_output_t output = exchange_fixture_output(&f, newer, OC_EVENT_CANCELLED);
    assert_int_equal(output.event.reason, OC_REASON_DISCONNECT);
    assert_int_equal(output.event.client_order_id.value, 2);
    assert_int_equal(output.outbound_sequence, 3);
    exchange_fixture_silent(&f, newer);
    exchange_fixture_silent(&f, old);
    assert_int_equal(source_view(2).session.value, newer.value);
    exchange_fixture_do(&f, newer, fixture_cancel(0, 1));
    exchange_fixture_output(&f, newer, OC_EVENT_CANCELLED);
}

static void test_a_closed_session_ends_orders_that_want_it(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    oc_command_t order = fixture_new(0, 0, OC_SIDE_BUY, 5, 10);
    order.flags = OC_FLAG_CANCEL_ON_DISCONNECT;
    for (uint64_t id = 0; id < 20; id++) { /* more than a step bound */
        order.u.order.client_order_id.value = id;
        exchange_fixture_do(&f, session, order);
    }
    service_host_close(f.host, session, OC_CLOSE_SLOW);
    assert_int_equal(source_view(2).session.value, 0);
    const oc_session_id_t next = exchange_fixture_session(&f, "p2");
    assert_true(exchange_service(f.exchange)->busy(exchange_service(f.exchange)->context));
    exchange_fixture_logon(&f, next, 2, 20);
    service_host_settle(f.host);
    for (uint64_t id = 0; id < 20; id++) {
        const oc_output_t output = exchange_fixture_output(&f, next, OC_EVENT_CANCELLED);
        assert_int_equal(output.outbound_sequence, 21 + id);
    }
    exchange_fixture_silent(&f, next);
    assert_int_equal(source_view(2).orders, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_administrator_is_there_from_the_start),
        TEST(test_a_logon_tells_where_the_source_is),
        TEST(test_who_may_not_log_on),
        TEST(test_a_session_speaks_for_one_source),
        TEST(test_odd_principals_match_nobody),
        TEST(test_what_was_missed_is_sent_again),
        TEST(test_what_is_not_kept_any_more_is_a_gap),
        TEST(test_a_second_logon_of_the_session_is_only_answered),
        TEST(test_a_newer_session_takes_over),
        TEST(test_a_closed_session_ends_orders_that_want_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
