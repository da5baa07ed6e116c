/*
 * A service author's program on three real members: timers that it sets, moves and cancels fire in
 * the order of their deadlines and ids, at the same entries on every member, by the old leader or
 * by the new one after a failover, and none fires twice or is lost. The members run this program.
 */
#include "base/cycle_clock.h"
#include "lib/cluster_rig.h"
#include "lib/own_cluster.h"
#include "lib/raw_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MILLISECOND INT64_C(1000000)
#define SECOND_NS   UINT64_C(1000000000)
#define RESTART_MS  9000 /* longer than a restart on a quiet machine */

enum { SKIPPED = 77, MEMBERS = 3, WAIT_S = 60 };

static own_cluster_t cluster;
static raw_client_t client;
static bool has_client;

/* ---- The members ---- */

static int member(const char *dir)
{
    tally_t tally;
    own_cluster_log(dir);
    tally_init(&tally);
    tally_keep_stream(&tally);
    const oc_err_t err = oc_node_run(&tally.service, &(oc_node_options_t){.dir = dir});
    if (err != OC_ERR_OK)
        (void)fprintf(stderr, "tally: %s: %s\n", oc_err_text(err), oc_err_context());
    return err != OC_ERR_OK;
}

/* ---- The client ---- */

static void listen(void *context)
{
    (void)local_cluster_poll(((own_cluster_t *)context)->cluster, MILLISECOND);
}

static void answer(void *context)
{
    raw_client_poll(context);
}

static void ask(tally_op_t op, int64_t argument, int64_t delay_ms)
{
    if (!raw_client_request(&client, op, argument, delay_ms * MILLISECOND))
        own_cluster_fail(&cluster, "the leader takes no message");
}

/* The next answers are of timers that fired, in this order. */
static void expect_fired(const int64_t *timers, uint32_t count)
{
    const uint32_t before = client.answer_count;
    if (!raw_client_answers(&client, before + count, WAIT_S))
        own_cluster_fail(&cluster, "%u of %u timers fired", client.answer_count - before, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(client.answers[before + i].kind, TALLY_FIRED);
        assert_int_equal(client.answers[before + i].value, timers[i]);
    }
}

/* The sum comes behind whatever fired before it: nothing did. */
static void expect_silence(int64_t sum)
{
    const uint32_t before = client.answer_count;
    ask(TALLY_ADD, 1, 0);
    assert_true(raw_client_answers(&client, before + 1, WAIT_S));
    assert_int_equal(client.answers[before].kind, TALLY_SUM);
    assert_int_equal(client.answers[before].value, sum);
}

static void connect_to_leader(void)
{
    const uint32_t leader = own_cluster_leader(&cluster);
    if (!raw_client_connect(&client, own_cluster_ingress(&cluster, leader), "tally"))
        own_cluster_fail(&cluster, "the leader lets nobody in: %s", client.detail);
}

/* In the same session, at the member that it is told of. */
static void follow_leader(void)
{
    const uint64_t start_ns = clock_wall_ns();
    while (client.new_leaders == 0) {
        if (clock_wall_ns() - start_ns > WAIT_S * SECOND_NS)
            own_cluster_fail(&cluster, "no new leader comes");
        own_cluster_step(&cluster);
    }
    const uint32_t leader = own_cluster_leader(&cluster);
    if (!raw_client_attach(&client, own_cluster_ingress(&cluster, leader)))
        own_cluster_fail(&cluster, "the new leader is not there");
}

static void start_client(void)
{
    raw_client_init(&client, listen, &cluster);
    has_client = true;
    cluster.pump = answer;
    cluster.pump_context = &client;
    connect_to_leader();
}

static void stop_client(void)
{
    cluster.pump = NULL;
    if (has_client)
        raw_client_fini(&client);
    has_client = false;
}

/* ---- The tests ---- */

/* In the order of their deadlines, not of their setting. */
static void test_order(void **state)
{
    (void)state;
    ask(TALLY_TIMER, 4, 60000); /* moved to come earlier */
    ask(TALLY_TIMER, 5, 900);   /* moved to come later */
    ask(TALLY_TIMER, 3, 2000);
    ask(TALLY_TIMER, 2, 1400);
    ask(TALLY_TIMER, 9, 1000); /* cancelled */
    ask(TALLY_TIMER, 1, 800);
    ask(TALLY_TIMER, 4, 2600);
    ask(TALLY_TIMER, 5, 3200);
    ask(TALLY_CANCEL, 9, 0);
    expect_fired((const int64_t[]){1, 2, 3, 4, 5}, 5);
    expect_silence(1);
    /* Past when it is set: it fires with the next entry. */
    ask(TALLY_TIMER, 7, -1);
    ask(TALLY_TIMER, 6, -1);
    expect_fired((const int64_t[]){7, 6}, 2);
    (void)own_cluster_settle(&cluster);
}

/* Set under one leader, they fire under the next, and can be moved and cancelled there. */
static void test_failover(void **state)
{
    (void)state;
    const uint32_t leader = own_cluster_leader(&cluster);
    ask(TALLY_TIMER, 13, 1000000);
    ask(TALLY_TIMER, 14, 1000000);
    ask(TALLY_TIMER, 12, 3500);
    ask(TALLY_TIMER, 11, 3000);
    expect_silence(2); /* most members have all of them */
    own_cluster_kill(&cluster, leader);
    follow_leader();
    expect_fired((const int64_t[]){11, 12}, 2);
    ask(TALLY_TIMER, 13, 300);
    ask(TALLY_TIMER, 14, 400);
    ask(TALLY_CANCEL, 14, 0);
    ask(TALLY_TIMER, 15, 500);
    expect_fired((const int64_t[]){13, 15}, 2);
    expect_silence(3);
    /* The member that was killed finds the same in the log. */
    own_cluster_start_member(&cluster, leader);
    (void)own_cluster_settle(&cluster);
}

/* All members end and start anew: what was set before fires behind that. */
static void test_restart(void **state)
{
    (void)state;
    ask(TALLY_TIMER, 21, RESTART_MS);
    ask(TALLY_TIMER, 22, 1000000);
    const uint64_t set_ns = clock_wall_ns();
    expect_silence(4);
    const member_state_t before = own_cluster_settle(&cluster);
    stop_client();
    own_cluster_stop(&cluster);
    own_cluster_start(&cluster);
    start_client();
    /* Else it fired before there was a session that could be told of it. */
    if (clock_wall_ns() - set_ns < RESTART_MS * MILLISECOND)
        expect_fired((const int64_t[]){21}, 1);
    ask(TALLY_TIMER, 22, 1);
    expect_fired((const int64_t[]){22}, 1);
    expect_silence(5);
    const member_state_t after = own_cluster_settle(&cluster);
    assert_true(after.position > before.position);
    assert_int_not_equal(after.state_hash, before.state_hash);
}

static int begin(void **state)
{
    (void)state;
    own_cluster_make(&cluster, MEMBERS, "[session]\nsession_timeout_ms = 60000\n");
    own_cluster_start(&cluster);
    start_client();
    return 0;
}

static int end(void **state)
{
    (void)state;
    stop_client();
    own_cluster_remove(&cluster);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_failover),
        cmocka_unit_test(test_restart),
    };
    if (argc == 2)
        return member(argv[1]);
    return cluster_rig_possible() ? cmocka_run_group_tests(tests, begin, end) : SKIPPED;
}
