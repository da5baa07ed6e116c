/*
 * A whole node in this process, with the counting service behind it and a hand-written client in
 * front of it, over real Aeron and a real journal: serves, restarts, remembers.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "lib/node_fixture.h"
#include "lib/raw_client.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MS INT64_C(1000000)

typedef struct fixture {
    node_fixture_t node;
    raw_client_t client;
} fixture_t;

static void begin(fixture_t *f)
{
    node_fixture_init(&f->node);
    assert_int_equal(node_fixture_start(&f->node), OC_ERR_OK);
    raw_client_init(&f->client, node_fixture_step, &f->node);
    assert_true(raw_client_connect(&f->client, node_ingress(f->node.node), "anna"));
}

static void end(fixture_t *f)
{
    raw_client_fini(&f->client);
    node_fixture_fini(&f->node);
}

/* The next start listens where this one did, so that clients find it. */
static void keep_address(fixture_t *f)
{
    (void)snprintf(f->node.config.ingress, sizeof f->node.config.ingress, "%s",
                   node_ingress(f->node.node));
}

static void serves(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    assert_int_equal(f.node.tally.opened, 1);
    assert_int_equal(f.client.session, 1);
    assert_int_equal(f.client.term, 1);
    for (int i = 1; i <= 100; i++)
        assert_true(raw_client_request(&f.client, TALLY_ADD, i, 0));
    assert_true(raw_client_answers(&f.client, 100, 10));
    uint64_t position = 0;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(f.client.answers[i].value, (i + 1) * (i + 2) / 2);
        assert_true(f.client.answers[i].position > position);
        position = f.client.answers[i].position;
    }
    assert_int_equal(f.node.tally.sum, 5050);
    assert_true(f.client.timestamp == f.node.tally.time_ns);

    const cluster_message_t close = {
        .type = CLUSTER_CLOSE_REQUEST, .session = f.client.session, .term = f.client.term};
    assert_true(raw_client_send(&f.client, &close));
    while (f.node.tally.closed == 0) {
        node_fixture_step(&f.node);
        raw_client_poll(&f.client);
    }
    assert_int_equal(f.node.tally.closed, 1);
    assert_int_equal(f.node.tally.close_reason, OC_CLOSE_CLIENT);
    assert_int_equal(node_fixture_stop(&f.node), OC_ERR_OK);
    end(&f);
}

static void the_service_closes_a_session(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    assert_true(raw_client_request(&f.client, TALLY_CLOSE, 0, 0));
    assert_true(raw_client_until(&f.client, &f.client.events[CLUSTER_EVENT_CLOSED], 1, 10));
    assert_int_equal(f.node.tally.closed, 1);
    assert_int_equal(f.node.tally.close_reason, OC_CLOSE_SERVICE);
    /* An id is never used again. */
    assert_true(raw_client_connect(&f.client, node_ingress(f.node.node), "anna"));
    assert_int_equal(f.client.session, 2);
    end(&f);
}

static void timers_fire_once(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    assert_true(raw_client_request(&f.client, TALLY_TIMER, 7, 1000 * MS));
    assert_true(raw_client_request(&f.client, TALLY_TIMER, 8, 500 * MS));
    assert_true(raw_client_request(&f.client, TALLY_TIMER, 9, 500 * MS));
    assert_true(raw_client_request(&f.client, TALLY_CANCEL, 9, 0));
    assert_true(raw_client_answers(&f.client, 2, 10));
    assert_int_equal(f.client.answers[0].value, 8);
    assert_int_equal(f.client.answers[1].value, 7);
    node_fixture_run(&f.node, 0.1);
    assert_int_equal(f.node.tally.fired, 2);
    end(&f);
}

static void time_goes_on_while_busy(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    node_fixture_run(&f.node, 0.02);
    assert_int_equal(f.node.tally.timed, 0);
    assert_true(raw_client_request(&f.client, TALLY_BUSY, 5, 0));
    assert_true(raw_client_answers(&f.client, 5, 10));
    node_fixture_run(&f.node, 0.02);
    assert_int_equal(f.node.tally.timed, 5);
    end(&f);
}

static void the_service_ends_the_node(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    assert_true(raw_client_request(&f.client, TALLY_ADD, 3, 0));
    assert_true(raw_client_request(&f.client, TALLY_STOP, 0, 0));
    const uint64_t start_ns = clock_wall_ns();
    while (!node_stopped(f.node.node)) {
        assert_true(clock_wall_ns() - start_ns < UINT64_C(60000000000));
        node_fixture_step(&f.node);
        raw_client_poll(&f.client);
    }
    assert_int_equal(f.node.err, OC_ERR_OK);
    assert_true(raw_client_answers(&f.client, 1, 5)); /* it was answered before the end */
    end(&f);
}

static void an_error_of_the_service_ends_the_node(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    assert_true(raw_client_request(&f.client, TALLY_FAIL, 0, 0));
    while (f.node.err == OC_ERR_OK) {
        node_fixture_step(&f.node);
        raw_client_poll(&f.client);
    }
    assert_int_equal(f.node.err, OC_ERR_RULES_VERSION);
    end(&f);
}

/* What a restart must bring back, whether the end before it was orderly or a copy taken amid. */
static void check_restarted(fixture_t *f, uint64_t hash, uint32_t term)
{
    node_report_t report;
    node_report(f->node.node, &report);
    assert_int_equal(report.term, term);
    assert_int_equal(report.sessions, 1);
    assert_true(report.replayed >= 4);
    assert_true(report.state_hash == hash);
    assert_true(report.recovery_ns > 0);
    assert_true(report.verdict.line[0] != '\0');
    assert_int_equal(f->node.tally.sum, 42);
    assert_int_equal(f->node.tally.roles[OC_HOST_ACTIVE], 1);
    /* The session is told where it belongs now. */
    const uint32_t before = f->client.answer_count;
    const uint64_t start_ns = clock_wall_ns();
    while (f->client.new_leaders == 0) {
        assert_true(clock_wall_ns() - start_ns < UINT64_C(60000000000));
        node_fixture_step(&f->node);
        raw_client_poll(&f->client);
    }
    assert_int_equal(f->client.term, term);
    assert_non_null(strstr(f->client.endpoints, f->node.config.ingress));
    assert_true(raw_client_attach(&f->client, f->node.config.ingress));
    assert_true(raw_client_request(&f->client, TALLY_ADD, 1, 0));
    assert_true(raw_client_answers(&f->client, before + 1, 10));
    assert_int_equal(f->client.answers[before].value, 43);
}

static void a_restart_remembers(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    keep_address(&f);
    assert_true(raw_client_request(&f.client, TALLY_ADD, 40, 0));
    assert_true(raw_client_request(&f.client, TALLY_ADD, 2, 0));
    assert_true(raw_client_answers(&f.client, 2, 10));
    const uint64_t hash = f.node.tally.hash;
    assert_int_equal(node_fixture_stop(&f.node), OC_ERR_OK);
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_OK);
    node_report_t report;
    node_report(f.node.node, &report);
    assert_int_equal(report.verdict.kind, JOURNAL_CLEAN);
    assert_true(report.verdict.closed);
    check_restarted(&f, hash, 2);

    /* A proof on the same directory, beside the running node, says the same. */
    tally_t twin;
    node_report_t replayed;
    tally_init(&twin);
    node_fixture_run(&f.node, 0.1);
    node_report(f.node.node, &report);
    assert_int_equal(node_replay(f.node.config.dir, &twin.service, NODE_REPLAY_LOG, &replayed),
                     OC_ERR_OK);
    assert_true(replayed.state_hash == report.state_hash);
    assert_true(replayed.position == report.position);
    assert_int_equal(replayed.sessions, 1);
    assert_int_equal(twin.roles[OC_HOST_ACTIVE], 0);
    char configuration[64];
    size_t length;
    assert_int_equal(node_log_configuration(f.node.config.dir, configuration, 64, &length),
                     OC_ERR_OK);
    assert_int_equal(length, 7);
    assert_memory_equal(configuration, "tally 1", 7);
    /* Ids of before are not used again. */
    assert_true(raw_client_connect(&f.client, f.node.config.ingress, "bert"));
    assert_int_equal(f.client.session, 2);
    end(&f);
}

/* Who stands behind a translated address is told the one outside. */
static void the_advertised_address_is_told(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    keep_address(&f);
    (void)snprintf(f.node.config.advertised, NODE_TEXT_MAX, "venue.example:4444");
    assert_int_equal(node_fixture_stop(&f.node), OC_ERR_OK);
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_OK);
    const uint64_t start_ns = clock_wall_ns();
    while (f.client.new_leaders == 0) {
        assert_true(clock_wall_ns() - start_ns < UINT64_C(60000000000));
        node_fixture_step(&f.node);
        raw_client_poll(&f.client);
    }
    assert_string_equal(f.client.endpoints, "0=venue.example:4444");
    end(&f);
}

/* Timers that were due while nothing ran fire once, after the recovery. */
static void timers_survive_a_restart(void **state)
{
    (void)state;
    static fixture_t f;
    begin(&f);
    keep_address(&f);
    assert_true(raw_client_request(&f.client, TALLY_TIMER, 1, 1));
    assert_true(raw_client_answers(&f.client, 1, 10));
    assert_true(raw_client_request(&f.client, TALLY_TIMER, 2, 2000 * MS));
    assert_true(raw_client_request(&f.client, TALLY_ADD, 1, 0));
    assert_true(raw_client_answers(&f.client, 2, 10));
    assert_int_equal(node_fixture_stop(&f.node), OC_ERR_OK);
    (void)usleep(2100000); /* and not before the stop, however long that took */
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_OK);
    assert_int_equal(f.node.tally.fired, 1); /* replayed */
    assert_true(raw_client_answers(&f.client, 3, 10));
    assert_int_equal(f.client.answers[2].kind, TALLY_FIRED);
    assert_int_equal(f.client.answers[2].value, 2);
    node_fixture_run(&f.node, 0.1);
    assert_int_equal(f.node.tally.fired, 2);
    end(&f);
}

static void silent_sessions_time_out(void **state)
{
    (void)state;
    static fixture_t f;
    memset(&f, 0, sizeof f);
    node_fixture_init(&f.node);
    f.node.config.session_timeout_ms = 300;
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_OK);
    raw_client_init(&f.client, node_fixture_step, &f.node);
    assert_true(raw_client_connect(&f.client, node_ingress(f.node.node), "anna"));
    assert_int_equal(node_fixture_stop(&f.node), OC_ERR_OK);
    raw_client_fini(&f.client); /* never comes back */
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_OK);
    assert_int_equal(f.node.tally.opened, 1);
    for (int i = 0; i < 100 && f.node.tally.closed == 0; i++)
        node_fixture_run(&f.node, 0.1);
    assert_int_equal(f.node.tally.closed, 1);
    assert_int_equal(f.node.tally.close_reason, OC_CLOSE_TIMEOUT);
    node_fixture_fini(&f.node);
}

static void another_configuration_is_refused(void **state)
{
    (void)state;
    static node_fixture_t f;
    node_t *node;
    node_fixture_init(&f);
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    /* A second node on the directory touches nothing. */
    tally_t second;
    tally_init(&second);
    assert_int_equal(node_create(&node, &f.config, &second.service), OC_ERR_LOCKED);
    assert_non_null(strstr(oc_err_context(), f.config.dir));
    node_fixture_run(&f, 0.01);
    assert_int_equal(f.err, OC_ERR_OK);
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);

    tally_init(&second);
    second.configuration = "tally 2";
    assert_int_equal(node_create(&node, &f.config, &second.service), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "it says 1'; now it is 2'"));
    assert_int_equal(second.stops, 1);
    f.config.max_timers++;
    assert_int_equal(node_fixture_start(&f), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "max_timers"));
    f.config.max_timers--;
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    node_fixture_fini(&f);
}

static void an_address_in_use_is_an_error(void **state)
{
    (void)state;
    static node_fixture_t first;
    static node_fixture_t second;
    node_fixture_init(&first);
    node_fixture_init(&second);
    assert_int_equal(node_fixture_start(&first), OC_ERR_OK);
    (void)snprintf(second.config.ingress, sizeof second.config.ingress, "%s",
                   node_ingress(first.node));
    assert_int_equal(node_fixture_start(&second), OC_ERR_TRANSPORT);
    assert_non_null(strstr(oc_err_context(), second.config.ingress));
    node_fixture_fini(&first);
    node_fixture_fini(&second);
}

static void an_orderly_end_needs_no_notice(void **state)
{
    (void)state;
    static node_fixture_t f;
    node_fixture_init(&f);
    f.config.recovery = NODE_RECOVERY_CANCEL_ONLY;
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    node_fixture_run(&f, 0.05);
    assert_int_equal(f.tally.notices[OC_NOTICE_RECOVERED], 0);
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    node_fixture_run(&f, 0.05);
    assert_int_equal(f.tally.notices[OC_NOTICE_RECOVERED], 0);
    node_fixture_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serves),
        cmocka_unit_test(the_service_closes_a_session),
        cmocka_unit_test(timers_fire_once),
        cmocka_unit_test(time_goes_on_while_busy),
        cmocka_unit_test(the_service_ends_the_node),
        cmocka_unit_test(an_error_of_the_service_ends_the_node),
        cmocka_unit_test(a_restart_remembers),
        cmocka_unit_test(the_advertised_address_is_told),
        cmocka_unit_test(timers_survive_a_restart),
        cmocka_unit_test(silent_sessions_time_out),
        cmocka_unit_test(another_configuration_is_refused),
        cmocka_unit_test(an_address_in_use_is_an_error),
        cmocka_unit_test(an_orderly_end_needs_no_notice),
    };
    return cmocka_run_group_tests_name("node service", tests, NULL, NULL);
}
