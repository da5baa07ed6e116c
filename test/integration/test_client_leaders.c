/*
 * The client's session against a cluster of three members made of plain memory, in virtual time:
 * where the leader is, what happens when it dies at any moment, and how long it takes to be ready
 * again. What is taken is taken once, and what is answered is seen once, whatever happens.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lib/client_fixture.h"

#include <string.h>

#define MEMBERS "0=127.0.0.1:9010,1=127.0.0.1:9011,2=127.0.0.1:9012"

enum { RANDOM_RUNS = 60, RANDOM_STEPS = 150, SOON_MS = 20 };

static fake_venue_t *const venue = &fixture.venue;

static int setup(void **state)
{
    (void)client_fixture_setup(state);
    fixture.config.ingress = MEMBERS;
    fixture.config.reconnect_timeout_ns = 0;
    venue->members = MEMBERS;
    venue->lingering = true;
    return 0;
}

static uint32_t bit(int32_t member)
{
    return UINT32_C(1) << member;
}

/* The leader is gone; nobody has noticed yet. What was said and not heard goes with it. */
static void kill_leader(void)
{
    venue->dead |= bit(venue->leader);
    venue->leader = -1;
}

static void start_ready(void)
{
    client_fixture_start();
    (void)ready_within(SOON_MS);
}

/* ---- Finding the leader ---------------------------------------------------------------------- */

static void test_a_follower_redirects(void **state)
{
    (void)state;
    venue->leader = 2;
    venue->claimed = 2;
    start_ready();
    assert_int_equal(fake_venue_member(venue), 2);
    assert_int_equal(venue->connects, 2);
    send_some(5);
    run_ms(2);
    assert_all_answered(5);
}

static void test_dead_members_cost_no_time(void **state)
{
    (void)state;
    venue->leader = 2;
    venue->dead = bit(0) | bit(1);
    start_ready();
    assert_int_equal(fake_venue_member(venue), 2);
    assert_int_equal(venue->connects, 1);
}

/* It is given three requests; then the others are asked, and not it again. */
static void test_a_member_that_says_nothing_is_left(void **state)
{
    (void)state;
    venue->leader = 2;
    venue->claimed = 2;
    venue->silent = bit(0);
    client_fixture_start();
    assert_in_range(ready_within(4000), 3000, 3000 + SOON_MS);
    assert_int_equal(venue->connects, 3 + 2);
    assert_non_null(strstr(fixture.session.reason, "127.0.0.1:9010 does not answer"));
}

/* All of them say nothing: each has its turn, for ever. */
static void test_members_that_say_nothing_take_turns(void **state)
{
    (void)state;
    venue->leader = -1;
    venue->silent = bit(0) | bit(1) | bit(2);
    client_fixture_start();
    uint32_t seen = 0;
    for (int i = 0; i < 10000; i++) {
        run_ms(1);
        if (fixture.session.phase == CLIENT_CONNECTING)
            seen |= bit(fake_venue_member(venue));
    }
    assert_int_equal(seen, bit(0) | bit(1) | bit(2));
    venue->silent = 0;
    fake_venue_lead(venue, 1, false);
    assert_in_range(ready_within(4000), 0, 3000 + SOON_MS);
}

/* The leader that the others name is dead: it is not waited for longer than a second at a time. */
static void test_a_redirect_to_a_dead_leader(void **state)
{
    (void)state;
    venue->leader = -1;
    venue->claimed = 0;
    venue->dead = bit(0);
    client_fixture_start();
    for (uint32_t wait = 0; wait < 5; wait++) {
        run_ms(1000 + 370 * wait);
        assert_int_equal(fixture.session.phase, CLIENT_OPENING);
    }
    fake_venue_lead(venue, 2, false);
    assert_in_range(ready_within(2000), 0, 1000 + SOON_MS);
}

/* A member names itself while it does not lead: that must not become a storm. */
static void test_a_member_that_redirects_to_itself(void **state)
{
    (void)state;
    venue->leader = -1;
    venue->claimed = 1;
    client_fixture_start();
    run_ms(20000);
    assert_in_range(venue->connects, 20, 400);
    assert_non_null(strstr(fixture.session.reason, "in circles"));
    fake_venue_lead(venue, 1, false);
    assert_in_range(ready_within(2000), 0, 1000 + SOON_MS);
}

/* ---- A leader dies --------------------------------------------------------------------------- */

/* Whatever the client is doing after so many milliseconds, the new leader's word ends it. */
static void test_ready_as_soon_as_the_new_leader_says_so(void **state)
{
    static const int64_t waits[] = {0, 1, 50, 999, 1001, 1500, 2100, 4000, 7000, 15000, 40000};
    (void)client_fixture_teardown(state);
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        (void)setup(state);
        start_ready();
        send_some(10);
        run_ms(2);
        venue->mute = true; /* taken, and the answers die with the leader */
        send_some(10);
        run_ms(2);
        venue->mute = false;
        kill_leader();
        send_some(10); /* into a dead leader */
        run_ms(waits[i]);
        send_some(10);
        const int64_t session = venue->session;
        fake_venue_lead(venue, 1 + (int32_t)i % 2, true);
        assert_in_range(ready_within(100), 0, SOON_MS);
        run_ms(5);
        assert_all_answered(40);
        assert_int_equal(fixture.outputs, 40);
        assert_int_equal(venue->session, session); /* the same one */
        assert_int_equal(venue->sessions_given, 1);
        (void)client_fixture_teardown(state);
    }
    (void)setup(state);
    client_fixture_start();
}

/* The new leader does not know the session, and the old one never comes back. */
static void test_no_word_of_a_new_leader(void **state)
{
    (void)state;
    start_ready();
    send_some(10);
    run_ms(2);
    venue->mute = true;
    send_some(10);
    run_ms(2);
    venue->mute = false;
    kill_leader();
    send_some(10);
    fake_venue_lead(venue, 2, false);
    run_ms(990); /* the grace of a link that is down */
    assert_int_equal(fixture.session.phase, CLIENT_READY);
    run_ms(15);
    assert_true(fixture.session.phase != CLIENT_READY);
    assert_in_range(ready_within(3000), 0, 50 + SOON_MS);
    run_ms(5);
    assert_all_answered(30);
    assert_int_equal(fixture.outputs, 30);
    assert_int_equal(venue->sessions_given, 2);
    assert_int_equal(fixture.session.counts.reconnects, 1);
}

static void test_a_leader_dies_while_a_session_is_asked_for(void **state)
{
    (void)state;
    venue->silent = bit(0); /* it has the request and will never answer */
    client_fixture_start();
    run_ms(10);
    assert_int_equal(fixture.session.phase, CLIENT_CONNECTING);
    kill_leader();
    fake_venue_lead(venue, 1, false);
    /* The link is down for its grace. */
    assert_in_range(ready_within(4000), 900, 1000 + 50 + SOON_MS);
    assert_int_equal(fake_venue_member(venue), 1);
}

/* A leader that steps down says so to those who have asked. */
static void test_a_request_that_an_election_ends(void **state)
{
    (void)state;
    venue->silent = bit(0);
    client_fixture_start();
    run_ms(10);
    assert_int_equal(fixture.session.phase, CLIENT_CONNECTING);
    venue->silent = 0;
    fake_venue_lead(venue, 1, false);
    fake_venue_tell(venue, &(cluster_message_t){.type = CLUSTER_SESSION_EVENT,
                                                .correlation_id = fixture.session.correlation,
                                                .session = 77,
                                                .term = venue->term - 1,
                                                .code = CLUSTER_EVENT_CLOSED,
                                                .text = {"election", 8}});
    assert_in_range(ready_within(1000), 40, 50 + SOON_MS);
}

static void test_a_leader_dies_between_challenge_and_session(void **state)
{
    (void)state;
    fixture.config.secret = "ssssssssssssssss";
    fixture.config.secret_length = 16;
    venue->challenges = true;
    venue->lose_in = 2;
    client_fixture_start();
    run_ms(10);
    assert_int_equal(fixture.session.phase, CLIENT_CHALLENGED);
    kill_leader();
    fake_venue_lead(venue, 2, false);
    assert_in_range(ready_within(4000), 900, 1000 + 50 + SOON_MS);
    assert_int_equal(venue->responses, 1);
}

static void test_a_leader_dies_at_a_logon(void **state)
{
    (void)state;
    venue->lose_in = 2; /* the logon */
    client_fixture_start();
    run_ms(10);
    assert_int_equal(fixture.session.phase, CLIENT_LOGGING_ON);
    kill_leader();
    run_ms(300);
    fake_venue_lead(venue, 1, true);
    assert_in_range(ready_within(100), 0, SOON_MS);
    assert_int_equal(venue->sessions_given, 1);
    send_some(3);
    run_ms(3);
    assert_all_answered(3);
}

/* The leader dies again while the way to it is being made. */
static void test_two_leaders_die_one_after_the_other(void **state)
{
    (void)state;
    start_ready();
    send_some(10);
    kill_leader();
    venue->dead |= bit(1);
    fake_venue_lead(venue, 1, true); /* it says so, and is gone */
    run_ms(500);
    assert_int_equal(fixture.session.phase, CLIENT_OPENING);
    fake_venue_lead(venue, 2, true);
    assert_in_range(ready_within(100), 0, SOON_MS);
    run_ms(3);
    assert_all_answered(10);
    assert_int_equal(venue->sessions_given, 1);
}

/* The same member leads again, in another term. */
static void test_a_leader_that_is_elected_again(void **state)
{
    (void)state;
    start_ready();
    send_some(10);
    run_ms(2);
    venue->deaf = true;
    send_some(10);
    run_ms(1);
    venue->deaf = false;
    fake_venue_lead(venue, 0, true);
    (void)ready_within(SOON_MS);
    run_ms(3);
    assert_all_answered(20);
    assert_int_equal(fixture.session.outbox.resent, 10);
}

static void test_a_session_without_a_source(void **state)
{
    (void)state;
    fixture.config.source.value = 0;
    start_ready();
    kill_leader();
    run_ms(3000);
    assert_int_equal(client_session_message(&fixture.session, "word", 4), OC_ERR_NOT_CONNECTED);
    fake_venue_lead(venue, 1, true);
    assert_in_range(ready_within(100), 0, SOON_MS);
    assert_int_equal(client_session_message(&fixture.session, "word", 4), OC_ERR_OK);
    assert_int_equal(venue->opaque, 1);
    assert_int_equal(venue->sessions_given, 1);
}

/* ---- What is said twice, late, or of something else ------------------------------------------ */

static void test_a_new_leader_that_says_so_often(void **state)
{
    (void)state;
    start_ready();
    kill_leader();
    const uint32_t opens = venue->opens;
    fake_venue_lead(venue, 1, true);
    for (int i = 0; i < 3; i++)
        fake_venue_announce(venue);
    (void)ready_within(SOON_MS);
    for (int i = 0; i < 3; i++) {
        fake_venue_announce(venue);
        send_some(1);
        run_ms(5);
        assert_int_equal(fixture.session.phase, CLIENT_READY);
    }
    assert_int_equal(venue->opens, opens + 1);
    assert_int_equal(venue->logons, 2);
    assert_all_answered(3);
}

static void test_a_former_leader_that_says_so_late(void **state)
{
    (void)state;
    start_ready();
    kill_leader();
    fake_venue_lead(venue, 1, true);
    (void)ready_within(SOON_MS);
    fake_venue_tell(venue, &(cluster_message_t){.type = CLUSTER_NEW_LEADER,
                                                .session = venue->session,
                                                .term = venue->term - 1,
                                                .leader = 2,
                                                .text = {MEMBERS, sizeof MEMBERS - 1}});
    run_ms(100);
    assert_int_equal(fixture.session.phase, CLIENT_READY);
    assert_int_equal(fake_venue_member(venue), 1);
    assert_int_equal(fixture.session.term, venue->term);
}

/* The election took longer than the session's time; the new leader says so. */
static void test_a_session_that_an_election_outlives(void **state)
{
    (void)state;
    start_ready();
    send_some(5);
    run_ms(2);
    kill_leader();
    send_some(5);
    run_ms(12000);
    fake_venue_lead(venue, 1, true);
    run_ms(1);
    fake_venue_close_session(venue);
    assert_in_range(ready_within(2000), 0, 1000 + SOON_MS);
    run_ms(3);
    assert_all_answered(10);
    assert_int_equal(venue->sessions_given, 2);
}

/* ... or while another session is being looked for: then there is nothing to go back to. */
static void test_a_kept_session_is_closed_meanwhile(void **state)
{
    (void)state;
    start_ready();
    kill_leader();
    run_ms(1500);
    assert_true(fixture.session.phase != CLIENT_READY);
    assert_true(fixture.session.session != 0);
    fake_venue_tell(venue, &(cluster_message_t){.type = CLUSTER_SESSION_EVENT,
                                                .session = fixture.session.session,
                                                .term = venue->term,
                                                .code = CLUSTER_EVENT_CLOSED,
                                                .text = {"TIMEOUT", 7}});
    run_ms(2);
    assert_int_equal(fixture.session.session, 0);
    fake_venue_lead(venue, 1, false);
    assert_in_range(ready_within(2000), 0, 1000 + SOON_MS);
}

/* A request of before, given up long ago, is answered with a session: it is closed in its term. */
static void test_an_answer_to_a_request_that_was_given_up(void **state)
{
    (void)state;
    start_ready();
    const int64_t first = fixture.session.correlation;
    kill_leader();
    fake_venue_lead(venue, 1, false);
    run_ms(1005);
    assert_true(fixture.session.phase != CLIENT_READY);
    (void)ready_within(3000);
    assert_true(fixture.session.first_correlation > first);
    const uint32_t closes = venue->closes;
    fake_venue_tell(venue, &(cluster_message_t){.type = CLUSTER_SESSION_EVENT,
                                                .correlation_id = first,
                                                .session = 55,
                                                .term = venue->term,
                                                .code = CLUSTER_EVENT_OK});
    run_ms(2);
    assert_int_equal(venue->closes, closes + 1);
    assert_int_equal(venue->closed_session, 55);
    assert_int_equal(fixture.session.phase, CLIENT_READY);
}

/* A new leader's word and a follower's redirect cross: the redirect is of no interest any more. */
static void test_a_redirect_that_comes_with_the_new_leader(void **state)
{
    (void)state;
    start_ready();
    kill_leader();
    run_ms(1200);
    venue->claimed = 0;
    fake_venue_lead(venue, 1, true);
    fake_venue_tell(venue, &(cluster_message_t){.type = CLUSTER_SESSION_EVENT,
                                                .correlation_id = fixture.session.correlation,
                                                .session = -1,
                                                .leader = 0,
                                                .code = CLUSTER_EVENT_REDIRECT,
                                                .text = {MEMBERS, sizeof MEMBERS - 1}});
    assert_in_range(ready_within(100), 0, SOON_MS);
    assert_int_equal(fake_venue_member(venue), 1);
    assert_int_equal(venue->sessions_given, 1);
}

/* ---- Anything, in any order ------------------------------------------------------------------ */

static void random_election(uint64_t *seed)
{
    int32_t member = (int32_t)prng_below(seed, 3);
    venue->dead &= ~bit(member);
    venue->silent &= ~bit(member);
    if (prng_below(seed, 3) == 0)
        venue->dead |= bit((member + 1) % 3);
    fake_venue_lead(venue, member, venue->session != 0 && prng_below(seed, 4) != 0);
}

static void random_step(uint64_t *seed)
{
    switch (prng_below(seed, 10)) {
    case 0:
        if (venue->leader >= 0)
            kill_leader();
        break;
    case 1:
    case 2:
        random_election(seed);
        break;
    case 3:
        if (venue->session != 0 && venue->leader >= 0)
            fake_venue_announce(venue);
        break;
    case 4:
        venue->lose_out = 1 + prng_below(seed, 20);
        break;
    case 5:
        venue->lose_in = 1 + prng_below(seed, 20);
        break;
    case 6:
        if (venue->session != 0 && prng_below(seed, 3) == 0)
            fake_venue_close_session(venue);
        break;
    case 7:
        venue->silent = prng_below(seed, 3) == 0 ? bit((int32_t)prng_below(seed, 3)) : 0;
        break;
    case 8:
        fake_venue_fill(venue);
        break;
    default:
        venue->repeat_out = 1 + prng_below(seed, 10);
        break;
    }
    for (uint32_t i = prng_below(seed, 6); i > 0 && client_outbox_numbered(&fixture.session.outbox);
         i--)
        (void)send_one();
    run_ms(1 + (int64_t)prng_below(seed, prng_below(seed, 8) == 0 ? 6000 : 200));
}

static void test_random_elections(void **state)
{
    (void)client_fixture_teardown(state);
    for (uint64_t run = 1; run <= RANDOM_RUNS; run++) {
        uint64_t seed = run;
        (void)setup(state);
        client_fixture_start();
        for (int step = 0; step < RANDOM_STEPS; step++)
            random_step(&seed);
        venue->lose_in = venue->lose_out = venue->repeat_out = venue->silent = venue->dead = 0;
        fake_venue_lead(venue, 1, venue->session != 0);
        run_ms(30000);
        if (fixture.session.phase != CLIENT_READY)
            fail_msg("run %u is not ready: %s", (unsigned)run, fixture.session.reason);
        assert_int_equal(fixture.session.outbox.oldest, fixture.session.outbox.next);
        assert_int_equal(fixture.accepted, fixture.session.counts.sent);
        assert_int_equal(venue->taken, fixture.session.counts.sent);
        assert_int_equal(fixture.last_output, venue->outbound);
        assert_int_equal(fixture.gaps, 0);
        (void)client_fixture_teardown(state);
    }
    (void)setup(state);
    client_fixture_start();
}

#define LEADERS_TEST(name) cmocka_unit_test_setup_teardown(name, setup, client_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEADERS_TEST(test_a_follower_redirects),
        LEADERS_TEST(test_dead_members_cost_no_time),
        LEADERS_TEST(test_a_member_that_says_nothing_is_left),
        LEADERS_TEST(test_members_that_say_nothing_take_turns),
        LEADERS_TEST(test_a_redirect_to_a_dead_leader),
        LEADERS_TEST(test_a_member_that_redirects_to_itself),
        LEADERS_TEST(test_ready_as_soon_as_the_new_leader_says_so),
        LEADERS_TEST(test_no_word_of_a_new_leader),
        LEADERS_TEST(test_a_leader_dies_while_a_session_is_asked_for),
        LEADERS_TEST(test_a_request_that_an_election_ends),
        LEADERS_TEST(test_a_leader_dies_between_challenge_and_session),
        LEADERS_TEST(test_a_leader_dies_at_a_logon),
        LEADERS_TEST(test_two_leaders_die_one_after_the_other),
        LEADERS_TEST(test_a_leader_that_is_elected_again),
        LEADERS_TEST(test_a_session_without_a_source),
        LEADERS_TEST(test_a_new_leader_that_says_so_often),
        LEADERS_TEST(test_a_former_leader_that_says_so_late),
        LEADERS_TEST(test_a_session_that_an_election_outlives),
        LEADERS_TEST(test_a_kept_session_is_closed_meanwhile),
        LEADERS_TEST(test_an_answer_to_a_request_that_was_given_up),
        LEADERS_TEST(test_a_redirect_that_comes_with_the_new_leader),
        LEADERS_TEST(test_random_elections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
