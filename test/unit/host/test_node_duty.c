/*
 * The duty cycle: what it sequences by itself, when it rests, and how it ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "host/node_internal.h"
#include "lib/capture.h"
#include "lib/node_fixture.h"
#include "lib/raw_client.h"

#include <string.h>

static void begin(node_fixture_t *f)
{
    node_fixture_init(f);
    assert_int_equal(node_fixture_start(f), OC_ERR_OK);
}

static oc_session_id_t open_session(node_t *node)
{
    gateway_open_t open = {.response_stream = 102,
                           .response_channel = "aeron:udp?endpoint=127.0.0.1:65123"};
    open.channel_length = (uint32_t)strlen(open.response_channel);
    memcpy(open.principal.name, "anna", 5);
    const oc_session_id_t session = node->sink.reserve_session(node);
    assert_true(node->sink.open(node, session, &open));
    return session;
}

static void request(node_t *node, oc_session_id_t session, tally_op_t op, int64_t argument)
{
    const tally_request_t bytes = {.op = (uint32_t)op, .argument = argument};
    assert_true(node->sink.message(node, session, &bytes, sizeof bytes));
}

static void cycle(node_fixture_t *f)
{
    int work;
    assert_int_equal(node_do_work(f->node, &work), OC_ERR_OK);
}

static void due_timers_come_in_order_and_bounded(void **state)
{
    (void)state;
    static node_fixture_t f;
    node_fixture_init(&f);
    f.config.max_timers = 100;
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    const oc_session_id_t session = open_session(f.node);
    for (int64_t i = 100; i > 0; i--)
        request(f.node, session, TALLY_TIMER, i);
    assert_int_equal(f.tally.fired, 0);
    cycle(&f);
    assert_int_equal(f.tally.fired, 64);
    cycle(&f);
    assert_int_equal(f.tally.fired, 100);
    cycle(&f);
    assert_int_equal(f.tally.fired, 100);
    node_fixture_fini(&f);
}

static void closes_that_were_asked_for(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    const oc_session_id_t a = open_session(f.node);
    const oc_session_id_t b = open_session(f.node);
    const oc_session_id_t c = open_session(f.node);
    request(f.node, a, TALLY_CLOSE, 0);
    request(f.node, c, TALLY_CLOSE, 0);
    node_mark_unreachable(f.node, c); /* both: it is closed once */
    assert_int_equal(f.tally.closed, 0);
    cycle(&f);
    assert_int_equal(f.tally.closed, 2);
    assert_int_equal(f.node->replica.sessions.state->count, 1);
    assert_non_null(session_ledger_find(&f.node->replica.sessions, b));
    assert_int_equal(f.node->unreachable_count, 0);
    node_mark_unreachable(f.node, b);
    cycle(&f);
    assert_int_equal(f.tally.close_reason, OC_CLOSE_SLOW);
    assert_int_equal(f.node->replica.sessions.state->count, 0);
    node_fixture_fini(&f);
}

/* A session of an import has no address; it is not slow, it is one of before. */
static void an_imported_session(void **state)
{
    (void)state;
    static node_fixture_t f;
    const gateway_open_t nowhere = {.channel_length = 0};
    begin(&f);
    const oc_session_id_t session = f.node->sink.reserve_session(f.node);
    assert_true(f.node->sink.open(f.node, session, &nowhere));
    if (f.node->unreachable_count == 0)
        node_mark_unreachable(f.node, session);
    static capture_t told;
    output_capture_begin();
    cycle(&f);
    output_capture_end(&told);
    assert_non_null(strstr(told.err, "is closed: imported: its client must log on again"));
    assert_int_equal(f.tally.close_reason, OC_CLOSE_TIMEOUT);
    node_fixture_fini(&f);
}

static void time_entries_keep_their_distance(void **state)
{
    (void)state;
    static node_fixture_t f;
    node_fixture_init(&f);
    f.config.time_interval_us = 20000;
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    const oc_session_id_t session = open_session(f.node);
    node_fixture_run(&f, 0.05);
    assert_int_equal(f.tally.timed, 0);
    const uint64_t start_ns = clock_wall_ns();
    request(f.node, session, TALLY_BUSY, 1000);
    while (f.tally.timed < 4)
        node_fixture_step(&f);
    assert_true(clock_wall_ns() - start_ns >= 3 * UINT64_C(20000000));
    node_fixture_fini(&f);
}

/* Work that brings no entry, in every cycle, as garbage from the network is. */
static void time_goes_on_beside_other_work(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    const oc_session_id_t session = open_session(f.node);
    const oc_session_id_t nobody = {1000000};
    request(f.node, session, TALLY_BUSY, 1000);
    for (int i = 0; i < 1000000 && f.tally.timed < 5; i++) {
        node_mark_unreachable(f.node, nobody);
        cycle(&f);
    }
    assert_int_equal(f.tally.timed, 5);
    node_fixture_fini(&f);
}

/* An entry is being applied, for all that the node knows: the notice has to wait. What comes in
 * has to wait longer. */
static void the_recovery_comes_before_ingress(void **state)
{
    (void)state;
    static node_fixture_t f;
    static raw_client_t client;
    begin(&f);
    raw_client_init(&client, node_fixture_step, &f);
    assert_true(raw_client_connect(&client, node_ingress(f.node), "anna"));
    const gateway_counters_t *counters = gateway_counters(f.node->gateway);
    f.node->recovery_notice_due = true;
    f.node->replica.applying = true;
    assert_true(aeron_exclusive_publication_offer(client.ingress, (const uint8_t *)"garbage", 7,
                                                  NULL, NULL) >= 0);
    for (int i = 0; i < 2000; i++) {
        raw_client_poll(&client);
        cycle(&f);
    }
    node_fixture_run(&f, 0.05);
    assert_int_equal(counters->dropped_malformed, 0);
    assert_int_equal(f.tally.notices[OC_NOTICE_RECOVERED], 0);
    f.node->replica.applying = false;
    node_fixture_run(&f, 0.05);
    assert_int_equal(f.tally.notices[OC_NOTICE_RECOVERED], 1);
    assert_int_equal(counters->dropped_malformed, 1);
    raw_client_fini(&client);
    node_fixture_fini(&f);
}

/* There was no space, and there is again before the service could be told. */
static void space_that_is_back_is_no_notice(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    f.node->condition = JOURNAL_FULL;
    f.node->storage_notice_due = true;
    cycle(&f);
    cycle(&f);
    assert_int_equal(f.node->condition, JOURNAL_FINE);
    assert_int_equal(f.tally.notices[OC_NOTICE_STORAGE_LOW], 0);
    node_fixture_fini(&f);
}

static void notices_are_sequenced_once(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    f.node->storage_notice_due = true;
    f.node->recovery_notice_due = true;
    cycle(&f);
    cycle(&f);
    assert_int_equal(f.tally.notices[OC_NOTICE_STORAGE_LOW], 1);
    assert_int_equal(f.tally.notices[OC_NOTICE_RECOVERED], 1);
    node_fixture_fini(&f);
}

static void waits_until_durable(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    while (node_waits(f.node))
        node_fixture_step(&f);
    (void)open_session(f.node);
    assert_true(node_waits(f.node));
    while (node_waits(f.node))
        node_fixture_step(&f);
    node_fixture_fini(&f);
}

static void ends_when_all_is_durable(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    (void)open_session(f.node);
    node_stop(f.node);
    assert_false(node_stopped(f.node));
    const oc_session_id_t session = {1};
    request(f.node, session, TALLY_TIMER, 1); /* due at once, but not any more */
    while (!node_stopped(f.node))
        cycle(&f);
    assert_true(journal_durable(f.node->journal).value >= f.node->position);
    assert_int_equal(f.tally.fired, 0);
    int work = 1;
    assert_int_equal(node_do_work(f.node, &work), OC_ERR_OK);
    assert_int_equal(work, 0);
    node_fixture_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(due_timers_come_in_order_and_bounded),
        cmocka_unit_test(closes_that_were_asked_for),
        cmocka_unit_test(an_imported_session),
        cmocka_unit_test(time_entries_keep_their_distance),
        cmocka_unit_test(time_goes_on_beside_other_work),
        cmocka_unit_test(the_recovery_comes_before_ingress),
        cmocka_unit_test(space_that_is_back_is_no_notice),
        cmocka_unit_test(notices_are_sequenced_once),
        cmocka_unit_test(waits_until_durable),
        cmocka_unit_test(ends_when_all_is_durable),
    };
    return cmocka_run_group_tests_name("node_duty", tests, NULL, NULL);
}
