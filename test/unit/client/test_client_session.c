/*
 * The client's protocol against a venue of plain memory, in virtual time: every step of connecting,
 * failing at each of them, and that whatever is lost on the way, each command is taken once and
 * each output is seen once, in order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lib/client_fixture.h"

#include <stdio.h>
#include <string.h>

static void test_connect_and_trade(void **state)
{
    (void)state;
    client_fixture_start();
    assert_true(ready_within(10) <= 5);
    assert_int_equal(fixture.logons, 1);
    assert_int_equal(fixture.venue.connects, 1);
    send_some(40);
    run_ms(3);
    assert_all_answered(40);
    assert_int_equal(fixture.venue.messages,
                     2 + 2); /* 40 commands in two messages of 1,408 bytes */
    fake_venue_fill(&fixture.venue);
    run_ms(2);
    assert_int_equal(fixture.outputs, 41);
    run_ms(5000);
    assert_in_range(fixture.venue.keepalives, 4, 6);
    assert_int_equal(fixture.session.counts.reconnects, 0);
    assert_int_equal(fixture.session.outbox.resent, 0);
    client_session_goodbye(&fixture.session);
    assert_int_equal(fixture.venue.closes, 1);
}

static void test_config(void **state)
{
    (void)state;
    const client_link_t link = fake_venue_link(&fixture.venue);
    const oc_client_config_t good = fixture.config;
#define REFUSED(change)                                                                            \
    do {                                                                                           \
        fixture.config = good;                                                                     \
        change;                                                                                    \
        assert_int_equal(client_session_init(&fixture.session, &fixture.config, &link),            \
                         OC_ERR_INVALID_ARGUMENT);                                                 \
    } while (0)
    REFUSED(fixture.config.ingress = NULL);
    REFUSED(fixture.config.ingress = "nowhere");
    REFUSED(fixture.config.principal = "a name that is too long for this field");
    REFUSED((fixture.config.secret = "short", fixture.config.secret_length = 5));
    REFUSED(fixture.config.unanswered_max = 24);
    REFUSED(fixture.config.unanswered_max = 8);
    REFUSED(fixture.config.connect_timeout_ns = 0);
    REFUSED(fixture.config.keepalive_interval_ns = 0);
    REFUSED(fixture.config.reconnect_timeout_ns = -1);
#undef REFUSED
}

/* The count goes on where the source was, in an earlier life of ours or of somebody else. */
static void test_goes_on(void **state)
{
    (void)state;
    fixture.venue.taken = 100;
    for (int i = 0; i < 10; i++)
        fake_venue_fill(&fixture.venue);
    fixture.config.outbound_sequence = 4;
    client_fixture_start();
    (void)ready_within(10);
    run_ms(2);
    assert_int_equal(fixture.outputs, 6);
    assert_int_equal(fixture.venue.logon_outbound, 4);
    send_some(3);
    run_ms(2);
    assert_int_equal(fixture.venue.taken, 103);
    assert_int_equal(fixture.last_accepted, 103);
}

static void test_no_source(void **state)
{
    (void)state;
    fixture.config.source.value = 0;
    client_fixture_start();
    (void)ready_within(10);
    assert_int_equal(fixture.venue.logons, 0);
    oc_request_t request = {.type = OC_REQUEST_STOP};
    assert_int_equal(client_session_request(&fixture.session, &request), OC_ERR_OK);
    assert_true(request.request_id != 0);
    run_ms(2);
    assert_int_equal(fixture.replies, 1);
}

/* Messages that are none of the exchange's, of a session without a source. */
static void test_opaque_messages(void **state)
{
    (void)state;
    static uint8_t bytes[CLIENT_MESSAGE_MAX + 1] = "word";
    fixture.config.source.value = 0;
    client_fixture_start();
    client_session_t *session = &fixture.session;
    assert_int_equal(client_session_message(session, bytes, 4), OC_ERR_NOT_CONNECTED);
    (void)ready_within(10);
    assert_int_equal(client_session_message(session, bytes, 4), OC_ERR_OK);
    assert_int_equal(fixture.venue.opaque, 1); /* at once */
    assert_int_equal(fixture.venue.opaque_length, 4);
    assert_int_equal(client_session_message(session, bytes, CLIENT_MESSAGE_MAX), OC_ERR_OK);
    assert_int_equal(fixture.venue.opaque_length, CLIENT_MESSAGE_MAX);
    assert_int_equal(client_session_message(session, bytes, sizeof bytes), OC_ERR_INVALID_ARGUMENT);
    assert_int_equal(client_session_message(session, bytes, 0), OC_ERR_INVALID_ARGUMENT);
    fixture.venue.busy = 1;
    assert_int_equal(client_session_message(session, bytes, 4), OC_ERR_BACK_PRESSURE);
    assert_int_equal(session->counts.back_pressure, 1);
    assert_int_equal(client_session_message(session, bytes, 4), OC_ERR_OK);
    /* A request that waits leaves first. */
    oc_request_t request = {.type = OC_REQUEST_STOP};
    assert_int_equal(client_session_request(session, &request), OC_ERR_OK);
    fixture.venue.busy = 1;
    assert_int_equal(client_session_message(session, bytes, 4), OC_ERR_BACK_PRESSURE);
    assert_int_equal(fixture.venue.requests, 0);
    assert_int_equal(client_session_message(session, bytes, 4), OC_ERR_OK);
    assert_int_equal(fixture.venue.requests, 1);
    assert_int_equal(fixture.venue.opaque, 4);
    fake_venue_close_session(&fixture.venue);
    run_ms(2);
    assert_int_equal(client_session_message(session, bytes, 4), OC_ERR_NOT_CONNECTED);
    client_session_end(session, OC_ERR_REFUSED, "over");
    assert_int_equal(client_session_message(session, bytes, 4), OC_ERR_CLOSED);
}

static void test_requests(void **state)
{
    (void)state;
    client_fixture_start();
    oc_request_t request = {.type = OC_REQUEST_PRINCIPAL};
    request.u.principal.source.value = 9;
    request.u.principal.principal = (oc_principal_t){"bob"};
    assert_int_equal(client_session_request(&fixture.session, &request), OC_ERR_NOT_CONNECTED);
    (void)ready_within(10);
    send_some(2);
    assert_int_equal(client_session_request(&fixture.session, &request), OC_ERR_OK);
    const uint64_t first = request.request_id;
    assert_int_equal(client_session_request(&fixture.session, &request), OC_ERR_OK);
    assert_int_equal(request.request_id, first + 1);
    request.type = OC_REQUEST_LOGON;
    assert_int_equal(client_session_request(&fixture.session, &request), OC_ERR_INVALID_ARGUMENT);
    run_ms(2);
    assert_int_equal(fixture.replies, 2);
    assert_all_answered(2);
    /* Each page of orders is asked for in a message of its own. */
    request = (oc_request_t){.type = OC_REQUEST_ORDER_STATUS, .u.order_status.limit = 1};
    assert_int_equal(client_session_request(&fixture.session, &request), OC_ERR_OK);
    fixture.venue.busy = UINT32_MAX;
    assert_int_equal(client_session_request(&fixture.session, &request), OC_ERR_BACK_PRESSURE);
    fixture.venue.busy = 0;
    run_ms(2);
    /* Behind commands that the transport does not take, a request would overtake them. */
    fixture.venue.busy = UINT32_MAX;
    send_some(40);
    request.type = OC_REQUEST_STOP;
    assert_int_equal(client_session_request(&fixture.session, &request), OC_ERR_BACK_PRESSURE);
    fixture.venue.busy = 0;
    client_session_end(&fixture.session, OC_ERR_REFUSED, "enough");
    assert_int_equal(client_session_request(&fixture.session, &request), OC_ERR_CLOSED);
}

/* ---- Who we are ------------------------------------------------------------------------------ */

static void test_challenge(void **state)
{
    (void)state;
    fixture.venue.challenges = true;
    fixture.config.secret = "ssssssssssssssss";
    fixture.config.secret_length = 16;
    client_fixture_start();
    (void)ready_within(10);
    assert_int_equal(fixture.venue.responses, 1);
}

static void test_challenge_without_secret(void **state)
{
    (void)state;
    fixture.venue.challenges = true;
    client_fixture_start();
    run_ms(10);
    assert_ended(OC_ERR_REFUSED, "secret");
    assert_int_equal(client_session_poll(&fixture.session, fixture.now_ns, 64), 0);
}

static void test_wrong_secret(void **state)
{
    (void)state;
    fixture.venue.challenges = true;
    fixture.config.secret = "tttttttttttttttt";
    fixture.config.secret_length = 16;
    client_fixture_start();
    run_ms(10);
    assert_ended(OC_ERR_REFUSED, "alice was not believed: wrong answer");
}

/* The answer to the challenge is lost: the whole begins again. */
static void test_challenge_lost(void **state)
{
    (void)state;
    fixture.venue.challenges = true;
    fixture.config.secret = "ssssssssssssssss";
    fixture.config.secret_length = 16;
    fixture.venue.lose_in = 2;
    client_fixture_start();
    assert_in_range(ready_within(3000), 900, 1200);
    assert_int_equal(fixture.venue.connects, 2);
}

static void test_refused(void **state)
{
    (void)state;
    fixture.venue.refuses_session = true;
    client_fixture_start();
    run_ms(10);
    assert_ended(OC_ERR_REFUSED, "too many sessions");
}

static void test_refused_principal(void **state)
{
    (void)state;
    fixture.venue.refuses_principal = true;
    client_fixture_start();
    run_ms(10);
    assert_ended(OC_ERR_REFUSED, "alice");
}

static void test_logon_refused(void **state)
{
    (void)state;
    fixture.venue.logon_reason = OC_REASON_NOT_ALLOWED;
    client_fixture_start();
    run_ms(10);
    assert_ended(OC_ERR_REFUSED, "not_allowed");
    assert_int_equal(fixture.logons, 1);
}

/* A former session of the source is still there: it passes. */
static void test_logon_in_use(void **state)
{
    (void)state;
    fixture.venue.logon_reason = OC_REASON_SESSION_IN_USE;
    client_fixture_start();
    run_ms(2000);
    assert_in_range(fixture.venue.logons, 7, 9);
    fixture.venue.logon_reason = OC_REASON_NONE;
    (void)ready_within(300);
}

/* ---- Where the venue is ---------------------------------------------------------------------- */

static void test_redirect(void **state)
{
    (void)state;
    fixture.venue.redirect = "0=127.0.0.1:9010,1=127.0.0.1:9011,2=127.0.0.1:9012";
    fixture.venue.redirect_leader = 2;
    client_fixture_start();
    (void)ready_within(20);
    assert_string_equal(fixture.venue.endpoint, "127.0.0.1:9012");
    assert_int_equal(fixture.venue.connects, 2);
}

/* A redirect to nowhere does not end the attempts. */
static void test_redirect_nowhere(void **state)
{
    (void)state;
    fixture.venue.redirect = "0=127.0.0.1:9010";
    fixture.venue.redirect_leader = 5;
    client_fixture_start();
    (void)ready_within(200);
    assert_int_equal(fixture.venue.connects, 2);
    assert_string_equal(fixture.venue.endpoint, "127.0.0.1:9010");
}

static void test_tries_all_members(void **state)
{
    (void)state;
    fixture.config.ingress = "0=127.0.0.1:1,1=127.0.0.1:2,2=127.0.0.1:3";
    fixture.venue.fail_opens = 2;
    client_fixture_start();
    (void)ready_within(500);
    assert_string_equal(fixture.venue.endpoint, "127.0.0.1:3");
    assert_int_equal(fixture.venue.opens, 3);
}

static void test_nobody_answers(void **state)
{
    (void)state;
    fixture.venue.unreachable = true;
    client_fixture_start();
    run_ms(20000);
    assert_int_equal(
        fixture.session.phase == CLIENT_OPENING || fixture.session.phase == CLIENT_PAUSED, 1);
    assert_in_range(fixture.venue.opens, 5, 11);
    assert_non_null(strstr(fixture.session.reason, "nobody answers at 127.0.0.1:9010"));
    fixture.venue.unreachable = false;
    (void)ready_within(3000);
}

/* As a suspended cluster is. Why is said as soon as one request was in vain: who connects may not
 * wait for more. */
static void test_connects_in_vain(void **state)
{
    (void)state;
    fixture.venue.deaf = true;
    client_fixture_start();
    run_ms(900);
    assert_string_equal(fixture.session.reason, "");
    run_ms(600);
    assert_int_equal(fixture.session.phase, CLIENT_CONNECTING);
    assert_non_null(strstr(fixture.session.reason,
                           "127.0.0.1:9010 does not answer a connect request: it may be a cluster "
                           "that is suspended (outcry cluster status, resume)"));
    fixture.venue.deaf = false;
    (void)ready_within(2000);
}

/* ---- Losing it ------------------------------------------------------------------------------- */

/* A message is lost at the nth step of connecting, to the venue or from it. */
static void test_lost_while_connecting(void **state)
{
    for (uint32_t step = 1; step <= 8; step++) {
        (void)client_fixture_setup(state);
        if (step <= 4)
            fixture.venue.lose_in = step;
        else
            fixture.venue.lose_out = step - 4;
        client_fixture_start();
        (void)ready_within(3000);
        send_some(30);
        run_ms(8000);
        assert_all_answered(30);
        assert_int_equal(fixture.outputs - fixture.refused_sequence, 30);
        if (step < 8)
            (void)client_fixture_teardown(state);
    }
}

/* A connect request that was answered late, after its repetition: the second session is closed. */
static void test_answered_twice(void **state)
{
    (void)state;
    fixture.venue.unreachable = false;
    client_fixture_start();
    run_ms(2);
    fixture.venue.sessions_given = 0;
    (void)ready_within(10);
    fake_venue_tell(&fixture.venue,
                    &(cluster_message_t){.type = CLUSTER_SESSION_EVENT,
                                         .correlation_id = fixture.session.correlation,
                                         .session = 55,
                                         .term = 1,
                                         .code = CLUSTER_EVENT_OK});
    run_ms(2);
    assert_int_equal(fixture.venue.closes, 1);
    assert_int_equal(fixture.venue.closed_session, 55);
    assert_int_equal(fixture.session.phase, CLIENT_READY);
}

static void test_session_closed(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    send_some(5);
    run_ms(2);
    fake_venue_close_session(&fixture.venue);
    fake_venue_fill(&fixture.venue); /* while we are away */
    send_some(5);
    run_ms(2);
    assert_non_null(strstr(fixture.session.reason, "TIMEOUT"));
    send_some(5);
    assert_true(ready_within(200) >= 40);
    run_ms(3);
    assert_all_answered(15);
    assert_int_equal(fixture.outputs, 16);
    assert_int_equal(fixture.session.counts.reconnects, 1);
}

/* Commands were taken, their answers were not heard: not sent again, answered once. */
static void test_answers_lost(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.mute = true;
    send_some(20);
    run_ms(5);
    assert_int_equal(fixture.venue.taken, 20);
    assert_int_equal(fixture.accepted, 0);
    fixture.venue.mute = false;
    run_ms(2500); /* silence is noticed */
    assert_all_answered(20);
    assert_int_equal(fixture.session.outbox.resent, 0);
    assert_int_equal(fixture.session.counts.reconnects, 0);
    assert_int_equal(fixture.venue.logons, 2);
}

/* A cluster is suspended while a session is open: that stays, and nothing is answered. */
static void test_logs_on_in_vain(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(500);
    fixture.venue.deaf = true;
    send_some(1);
    run_ms(2000 + 4000 + 200);
    assert_int_not_equal(fixture.session.phase, CLIENT_READY);
    assert_non_null(strstr(fixture.session.reason,
                           "does not answer a logon: it may be a cluster that is suspended"));
    fixture.venue.deaf = false;
    (void)ready_within(3000);
}

/* Commands were not heard: sent again, taken once. */
static void test_commands_lost(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.deaf = true;
    send_some(20);
    run_ms(5);
    fixture.venue.deaf = false;
    run_ms(2500);
    assert_all_answered(20);
    assert_int_equal(fixture.session.outbox.resent, 20);
}

/* The venue knows the session no more and says nothing: a new one is opened. */
static void test_session_forgotten(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fake_venue_restart(&fixture.venue, false);
    fixture.venue.image--; /* nothing shows it */
    send_some(3);
    run_ms(8000);
    assert_all_answered(3);
    assert_int_equal(fixture.session.counts.reconnects, 1);
}

static void test_image_ended(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.stale_image = true;
    run_ms(30);
    assert_non_null(strstr(fixture.session.reason, "answers have ended"));
    fixture.venue.stale_image = false;
    (void)ready_within(2000);
}

static void test_transport_broken(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    const uint32_t opens = fixture.venue.opens;
    fixture.venue.broken = true;
    send_some(3);
    run_ms(5);
    assert_true(fixture.session.phase != CLIENT_READY);
    (void)ready_within(2000);
    assert_int_equal(fixture.venue.opens, opens + 1);
    run_ms(3);
    assert_all_answered(3);
}

/* Down for less than the grace changes nothing; for longer, it is a loss. */
static void test_link_down(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.unreachable = true;
    run_ms(900);
    assert_int_equal(fixture.session.phase, CLIENT_READY);
    send_some(3);
    fixture.venue.unreachable = false;
    run_ms(3);
    assert_all_answered(3);
    fixture.venue.unreachable = true;
    run_ms(1100);
    assert_true(fixture.session.phase != CLIENT_READY);
    assert_non_null(strstr(fixture.session.reason, "is gone"));
}

static void test_reconnect_timeout(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.unreachable = true;
    run_ms(60500);
    assert_true(fixture.session.phase != CLIENT_ENDED);
    run_ms(1000);
    assert_ended(OC_ERR_TIMEOUT, "60000 ms");
}

static void test_restart(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    send_some(10);
    run_ms(2);
    fixture.venue.deaf = true; /* killed: what is sent now goes nowhere */
    send_some(10);
    run_ms(5);
    fixture.venue.deaf = false;
    fake_venue_restart(&fixture.venue, true);
    fake_venue_fill(&fixture.venue);
    send_some(10);
    (void)ready_within(20);
    run_ms(3);
    assert_all_answered(30);
    assert_int_equal(fixture.outputs, 31);
    assert_int_equal(fixture.session.counts.reconnects, 1);
    assert_int_equal(fixture.venue.connects, 1); /* the same session */
    assert_int_equal(fixture.session.outbox.resent, 10);
}

/* The new leader's word comes while a new session is being asked for. */
static void test_restart_while_connecting(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.deaf = true;
    fixture.venue.broken = true;
    send_some(4);
    run_ms(500);
    assert_int_equal(fixture.session.phase, CLIENT_CONNECTING);
    fixture.venue.deaf = false;
    fake_venue_restart(&fixture.venue, true);
    (void)ready_within(20);
    run_ms(3);
    assert_all_answered(4);
    assert_int_equal(fixture.venue.connects, 1);
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static void test_full_and_back_pressure(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.busy = 50;
    send_some(64);
    assert_false(send_one());
    run_ms(20);
    assert_false(send_one());
    assert_int_equal(fixture.session.counts.back_pressure, 1);
    run_ms(100);
    assert_all_answered(64);
    assert_true(send_one());
}

/* ---- Everything at once ---------------------------------------------------------------------- */

static void misbehave(uint64_t *seed)
{
    switch (prng_below(seed, 12)) {
    case 0:
        fixture.venue.lose_in = 1 + prng_below(seed, 4);
        break;
    case 1:
        fixture.venue.lose_out = 1 + prng_below(seed, 4);
        break;
    case 2:
        fixture.venue.repeat_out = 1 + prng_below(seed, 4);
        break;
    case 3:
        fixture.venue.busy = prng_below(seed, 10);
        break;
    case 4:
        fixture.venue.deaf = true;
        break;
    case 5:
        fixture.venue.mute = true;
        break;
    case 6:
        fixture.venue.broken = true;
        break;
    case 7:
        fixture.venue.unreachable = true;
        break;
    case 8:
        if (fixture.venue.session)
            fake_venue_close_session(&fixture.venue);
        break;
    case 9:
        if (fixture.venue.session)
            fake_venue_restart(&fixture.venue, prng_below(seed, 2) == 0);
        break;
    case 10:
        if (fixture.venue.outbound < FAKE_VENUE_OUTPUTS / 2)
            fake_venue_fill(&fixture.venue);
        break;
    default:
        fixture.venue.fail_opens = prng_below(seed, 3);
        break;
    }
}

static void behave(void)
{
    fixture.venue.deaf = fixture.venue.mute = fixture.venue.unreachable = false;
    fixture.venue.busy = 0;
}

static void test_random_faults(void **state)
{
    for (uint64_t round = 1; round <= 60; round++) {
        uint64_t seed = round;
        (void)client_fixture_setup(state);
        fixture.config.reconnect_timeout_ns = 0;
        fixture.venue.challenges = round % 3 == 0;
        fixture.config.secret = "ssssssssssssssss";
        fixture.config.secret_length = 16;
        client_fixture_start();
        uint64_t sent = 0;
        for (int step = 0; step < 60; step++) {
            for (uint32_t i = prng_below(&seed, 12);
                 i > 0 && client_outbox_numbered(&fixture.session.outbox); i--)
                sent += send_one();
            misbehave(&seed);
            run_ms(prng_below(&seed, 300));
            if (prng_below(&seed, 2))
                behave();
            run_ms(prng_below(&seed, 300));
        }
        behave();
        run_ms(15000);
        assert_int_equal(fixture.session.phase, CLIENT_READY);
        assert_int_equal(fixture.venue.taken, sent);
        assert_int_equal(fixture.accepted, sent);
        assert_int_equal(fixture.outputs, fixture.venue.outbound);
        assert_int_equal(fixture.session.outbox.answered, sent);
        assert_int_equal(fixture.gaps, 0);
        if (round < 60)
            (void)client_fixture_teardown(state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(test_connect_and_trade),
        CLIENT_TEST(test_config),
        CLIENT_TEST(test_goes_on),
        CLIENT_TEST(test_no_source),
        CLIENT_TEST(test_opaque_messages),
        CLIENT_TEST(test_requests),
        CLIENT_TEST(test_challenge),
        CLIENT_TEST(test_challenge_without_secret),
        CLIENT_TEST(test_wrong_secret),
        CLIENT_TEST(test_challenge_lost),
        CLIENT_TEST(test_refused),
        CLIENT_TEST(test_refused_principal),
        CLIENT_TEST(test_logon_refused),
        CLIENT_TEST(test_logon_in_use),
        CLIENT_TEST(test_redirect),
        CLIENT_TEST(test_redirect_nowhere),
        CLIENT_TEST(test_tries_all_members),
        CLIENT_TEST(test_nobody_answers),
        CLIENT_TEST(test_connects_in_vain),
        CLIENT_TEST(test_lost_while_connecting),
        CLIENT_TEST(test_answered_twice),
        CLIENT_TEST(test_session_closed),
        CLIENT_TEST(test_answers_lost),
        CLIENT_TEST(test_logs_on_in_vain),
        CLIENT_TEST(test_commands_lost),
        CLIENT_TEST(test_session_forgotten),
        CLIENT_TEST(test_image_ended),
        CLIENT_TEST(test_transport_broken),
        CLIENT_TEST(test_link_down),
        CLIENT_TEST(test_reconnect_timeout),
        CLIENT_TEST(test_restart),
        CLIENT_TEST(test_restart_while_connecting),
        CLIENT_TEST(test_full_and_back_pressure),
        CLIENT_TEST(test_random_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
