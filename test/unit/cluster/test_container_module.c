/*
 * What the module says and is told: joins of every kind, acks at exact positions, roles, requests
 * that cannot be taken at once, and what no module should do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/container_rig.h"

#include <string.h>

static container_rig_t rig;

/* Created and found; no log yet. */
static void found(void)
{
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
    fake_module_start(&rig.module);
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, 1);
}

/* The service that is started again at once meets the module of the one that died, which ends. */
static void the_end_of_a_predecessor_is_not_ours(void **state)
{
    (void)state;
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
    fake_module_terminate(&rig.module, 0, true);
    container_rig_run(&rig);
    assert_int_equal(rig.module.control_next, 1);
    fake_module_terminate(&rig.module, 0, true);
    fake_module_start(&rig.module);
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, 1);
    assert_false(container_ended(rig.container));
}

static void a_log_is_joined_where_it_was_left(void **state)
{
    (void)state;
    found();
    (void)log_maker_term(&rig.log, 0);
    (void)log_maker_open(&rig.log, 1, "ann");
    const uint64_t middle = log_maker_request(&rig.log, 1, TALLY_ADD, 1, 0);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 10, 0);
    fake_module_commit(&rig.module);
    fake_module_join(&rig.module, 0, middle, true, false); /* a replay, on stream 103 */
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, 2);
    assert_int_equal(rig.module.last_ack.position, 0);
    assert_int_equal(rig.module.last_ack.relevant_id, CLUSTER_NULL_VALUE);
    assert_int_equal(rig.module.join_stream, 103);
    assert_string_equal(rig.module.join_channel, "aeron:ipc?log");
    /* Polled beyond its end by a batch that holds more, it is an error; it must not be. */
    assert_true(rig.container->log.position >= middle);
    assert_int_equal(rig.module.leaves, 1);
    fake_module_join(&rig.module, rig.container->log.position, INT64_MAX, true, true);
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, 3);
    assert_int_equal(rig.module.last_ack.position, rig.container->log.position);
    assert_int_equal(rig.module.last_ack.timestamp, rig.log.timestamp);
    container_rig_commit(&rig);
    assert_int_equal(rig.tally.sum, 11);
}

static void the_old_log_is_followed_to_where_the_new_one_begins(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    const uint64_t committed = log_maker_request(&rig.log, 1, TALLY_ADD, 1, 0);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 10,
                            0); /* not committed when the leader falls */
    fake_module_join(&rig.module, committed, rig.log.position, false, false);
    int work;
    for (int i = 0; i < 10; i++)
        assert_int_equal(container_do_work(rig.container, &work), OC_ERR_OK);
    assert_int_equal(rig.module.joins, 1); /* not before everything of the old one is applied */
    assert_int_equal(rig.container->role, OC_HOST_ACTIVE);
    fake_module_commit_to(&rig.module, committed);
    container_rig_run(&rig);
    assert_int_equal(rig.module.joins, 2);
    assert_int_equal(rig.module.last_ack.position, committed);
    assert_int_equal(rig.container->role, OC_HOST_FOLLOWER);
    assert_int_equal(rig.tally.roles[OC_HOST_FOLLOWER], 1);
    assert_int_equal(fake_transport_used(&rig.transport), 0);
    assert_int_equal(rig.tally.sum, 1);
    /* The tail, by a replay that ends; then the new term. */
    fake_module_commit(&rig.module);
    container_rig_run(&rig);
    assert_int_equal(rig.tally.sum, 11);
    assert_int_equal(rig.module.leaves, 2);
    container_rig_join(&rig, false);
    (void)log_maker_term(&rig.log, 1);
    container_rig_commit(&rig);
    assert_int_equal(rig.container->log.leadership_term, 1);
    assert_int_equal(rig.tally.roles[OC_HOST_FOLLOWER], 1);
}

static void a_follower_becomes_leader(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    (void)log_maker_open(&rig.log, 2, REPLICA_HOST_PRINCIPAL);
    container_rig_commit(&rig);
    rig.module.log_end = rig.log.position; /* the leader is gone */
    container_rig_run(&rig);
    assert_int_equal(rig.module.leaves, 1);
    container_rig_join(&rig, true);
    assert_int_equal(rig.transport.publication_count, 1); /* of session 1; none for members */
    assert_int_equal(rig.tally.roles[OC_HOST_ACTIVE], 1);
    (void)log_maker_term(&rig.log, 1);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 3, 0);
    container_rig_commit(&rig);
    assert_int_equal(rig.transport.publications[0].sent_count, 1);
}

/* The module closes the sessions of before a start of all, and tells nobody: the service does. Of
 * those that come afterwards it tells the end itself. */
static void the_start_of_a_whole_cluster_dismisses_its_sessions(void **state)
{
    (void)state;
    cluster_message_t message;
    container_rig_begin(&rig, false);
    rig.module.log_end = rig.log.position;
    container_rig_run(&rig);
    fake_module_join(&rig.module, rig.log.position, INT64_MAX, true, true);
    container_rig_run(&rig);
    assert_int_equal(rig.container->role, OC_HOST_ACTIVE);
    (void)log_maker_term(&rig.log, 1);
    (void)log_maker_close(&rig.log, 1, 2);
    (void)log_maker_open(&rig.log, 2, "bob");
    container_rig_commit(&rig);
    assert_int_equal(rig.transport.publication_count, 2);
    const struct transport_publication *way = &rig.transport.publications[0];
    assert_false(way->used);
    assert_int_equal(way->sent_count, 1);
    assert_int_equal(cluster_decode(way->sent[0].bytes, way->sent[0].length, &message),
                     OC_PROBLEM_NONE);
    assert_int_equal(message.type, CLUSTER_SESSION_EVENT);
    assert_int_equal(message.code, CLUSTER_EVENT_CLOSED);
    assert_int_equal(message.session, 1);
    assert_int_equal(message.term, 1);
    (void)log_maker_close(&rig.log, 2, 2);
    container_rig_commit(&rig);
    assert_int_equal(rig.transport.publications[1].sent_count, 0);
    assert_int_equal(fake_transport_used(&rig.transport), 0);
}

static void padding_at_the_end_of_a_log_counts(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    const uint64_t end = log_maker_pad(&rig.log);
    assert_int_equal(end, LOG_MAKER_TERM_BYTES);
    rig.module.log_end = end;
    fake_module_commit(&rig.module);
    container_rig_run(&rig);
    assert_int_equal(rig.module.leaves, 1);
    assert_int_equal(rig.container->log.position, end);
    assert_true(rig.container->log.entry_position < end);
    container_rig_join(&rig, false);
    assert_int_equal(rig.module.last_ack.position, end);
    (void)log_maker_term(&rig.log, 1);
    container_rig_commit(&rig);
}

static void joining_takes_its_time(void **state)
{
    (void)state;
    found();
    rig.module.join_delay = 7;
    fake_module_join(&rig.module, 0, INT64_MAX, false, false);
    int work;
    assert_int_equal(container_do_work(rig.container, &work), OC_ERR_OK);
    assert_true(container_waits(rig.container));
    assert_int_equal(rig.module.acks, 1);
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, 2);
    assert_false(container_waits(rig.container));
}

static void a_join_that_comes_to_nothing_is_replaced(void **state)
{
    (void)state;
    found();
    rig.module.join_delay = UINT32_MAX;
    fake_module_join(&rig.module, 0, INT64_MAX, false, true);
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, 1);
    rig.module.join_delay = 0;
    fake_module_join(&rig.module, 0, INT64_MAX, false, false);
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, 2);
    assert_int_equal(rig.module.leaves, 1);
    assert_int_equal(rig.module.joins, 2);
    assert_int_equal(rig.module.join_session, 101);
    assert_int_equal(rig.container->role, OC_HOST_FOLLOWER);
}

static void joins_that_do_not_fit_are_errors(void **state)
{
    (void)state;
    found();
    fake_module_join(&rig.module, 64, INT64_MAX, false, false);
    container_rig_run_fails(&rig, OC_ERR_DAMAGED, "followed from position 64");
    assert_int_equal(rig.module.acks, 1);
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    fake_module_start(&rig.module);
    container_rig_run(&rig);
    rig.module.join_at = 32;
    fake_module_join(&rig.module, 0, INT64_MAX, false, false);
    container_rig_run_fails(&rig, OC_ERR_DAMAGED, "was joined at position 32");
    assert_int_equal(rig.module.acks, 1);
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    fake_module_start(&rig.module);
    container_rig_run(&rig);
    rig.module.join_fails = true;
    fake_module_join(&rig.module, 0, INT64_MAX, false, false);
    container_rig_run_fails(&rig, OC_ERR_TRANSPORT, "cannot be joined");
}

/* The leader's log ended before what the module has of it: a service that lost something. */
static void a_log_that_ends_too_early_is_an_error(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    const uint64_t end = rig.log.position;
    rig.module.log_end = end;
    fake_module_join(&rig.module, end + 96, INT64_MAX, false, false);
    container_rig_run_fails(&rig, OC_ERR_DAMAGED, "and it is applied up to");
}

static void channels_and_words_that_cannot_be(void **state)
{
    (void)state;
    uint8_t bytes[FAKE_MODULE_CONTROL_BYTES];
    char channel[CONTAINER_CHANNEL_MAX];
    memset(channel, 'c', sizeof channel);
    const cluster_control_t join = {.type = CLUSTER_CONTROL_JOIN_LOG,
                                    .channel = {.bytes = channel, .length = sizeof channel}};
    found();
    fake_module_say(&rig.module, bytes, cluster_control_encode(&join, bytes, sizeof bytes));
    container_rig_run_fails(&rig, OC_ERR_TOO_LONG, "1024 characters");
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    fake_module_start(&rig.module);
    container_rig_run(&rig);
    fake_module_say(&rig.module, "what is this, then?", 20);
    container_rig_run_fails(&rig, OC_ERR_FORMAT, "schema 111");
}

static void words_without_a_meaning_here_are_passed_over(void **state)
{
    (void)state;
    /* Block length 8, template 999, schema 111, version 1. */
    const uint8_t unknown[16] = {8, 0, 0xe7, 3, 111, 0, 1, 0};
    found();
    fake_module_say(&rig.module, unknown, sizeof unknown);
    container_rig_join(&rig, false);
}

static void an_ack_is_given_when_asked_for(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    const int64_t acks = rig.module.acks;
    const uint64_t later = rig.log.position + 64;
    fake_module_request_ack(&rig.module, later);
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, acks); /* not before it is there */
    (void)log_maker_timer(&rig.log);
    assert_int_equal(rig.log.position, later);
    container_rig_commit(&rig);
    assert_int_equal(rig.module.acks, acks + 1);
    assert_int_equal(rig.module.last_ack.position, later);
    assert_int_equal(rig.module.last_ack.relevant_id, CLUSTER_NULL_VALUE);
}

/* ---- Back pressure ---- */

static void what_the_module_cannot_take_waits_in_order(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    const uint32_t from = rig.module.request_count;
    rig.module.send_refusals = 30;
    for (int64_t i = 0; i < 20; i++)
        (void)log_maker_put(&rig.log, (cluster_log_entry_t){.type = CLUSTER_LOG_OPEN,
                                                            .session = 100 + i,
                                                            .principal = {"a\0b", 3}});
    (void)log_maker_request(&rig.log, 1, TALLY_TIMER, 5, 1000);
    container_rig_commit(&rig);
    assert_int_equal(rig.module.send_refusals, 0);
    assert_int_equal(rig.module.request_count, from + 21);
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(rig.module.requests[from + i].type, CLUSTER_REQUEST_CLOSE_SESSION);
        assert_int_equal(rig.module.requests[from + i].session, 100 + i);
    }
    assert_int_equal(rig.module.requests[from + 20].type, CLUSTER_REQUEST_SCHEDULE_TIMER);
    assert_false(container_waits(rig.container));
}

/* While the module takes nothing, entries that could make it more are not applied. */
static void a_module_that_takes_nothing_stops_the_log(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    container_rig_begin(&rig, true);
    const uint32_t from = rig.module.request_count;
    rig.module.send_refusals = UINT32_MAX;
    for (int64_t i = 0; i < MANY; i++)
        (void)log_maker_put(&rig.log, (cluster_log_entry_t){.type = CLUSTER_LOG_OPEN,
                                                            .session = 100 + i,
                                                            .principal = {"a\0b", 3}});
    fake_module_commit(&rig.module);
    container_rig_run(&rig);
    assert_true(rig.container->log.position < rig.log.position);
    assert_false(container_queue_is_low(rig.container));
    rig.module.send_refusals = 0;
    container_rig_commit(&rig);
    assert_int_equal(rig.module.request_count, from + MANY);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(rig.module.requests[from + i].session, 100 + i);
}

/* However many sessions are too slow at once, all of them are closed. */
static void thousands_of_closes_wait_at_once(void **state)
{
    (void)state;
    enum { MANY = 6000 };
    container_rig_begin(&rig, true);
    const uint32_t from = rig.module.request_count;
    rig.module.send_refusals = UINT32_MAX;
    for (uint64_t i = 0; i < MANY; i++)
        container_close_session(rig.container, (oc_session_id_t){100 + i});
    container_rig_run(&rig);
    rig.module.send_refusals = 0;
    container_rig_run(&rig);
    assert_int_equal(rig.module.request_count, from + MANY);
    assert_int_equal(rig.module.requests[from + MANY - 1].session, 100 + MANY - 1);
}

/* ---- Closes ---- */

static void a_new_leader_asks_for_closes_again(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    const uint32_t before = rig.module.request_count;
    (void)log_maker_request(&rig.log, 1, TALLY_CLOSE, 0, 0);
    (void)log_maker_request(&rig.log, 1, TALLY_CLOSE, 0, 0);
    container_rig_commit(&rig);
    /* Every member tells its module, once. */
    assert_int_equal(rig.module.request_count, before + 1);
    assert_int_equal(rig.module.requests[before].type, CLUSTER_REQUEST_CLOSE_SESSION);
    assert_int_equal(rig.module.requests[before].session, 1);
    rig.module.log_end = rig.log.position;
    container_rig_run(&rig);
    const uint32_t from = rig.module.request_count;
    container_rig_join(&rig, true);
    assert_int_equal(fake_module_told(&rig.module, CLUSTER_REQUEST_CLOSE_SESSION, from), 1);
    (void)log_maker_close(&rig.log, 1, 1);
    container_rig_commit(&rig);
    assert_int_equal(rig.tally.close_reason, OC_CLOSE_SERVICE);
    rig.module.log_end = rig.log.position;
    container_rig_run(&rig);
    const uint32_t again = rig.module.request_count;
    container_rig_join(&rig, true);
    assert_int_equal(fake_module_told(&rig.module, CLUSTER_REQUEST_CLOSE_SESSION, again), 0);
}

/* The log has more at that moment: it is not applied any more. */
static void a_failure_ends_before_the_log_goes_on(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    fake_module_commit(&rig.module);
    fake_module_say(&rig.module, "not of the protocol ....", 24);
    container_rig_run_fails(&rig, OC_ERR_FORMAT, "not of the protocol");
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, container_rig_setup, container_rig_teardown,    \
                                             &rig)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_failure_ends_before_the_log_goes_on),
        TEST(the_end_of_a_predecessor_is_not_ours),
        TEST(a_log_is_joined_where_it_was_left),
        TEST(the_old_log_is_followed_to_where_the_new_one_begins),
        TEST(a_follower_becomes_leader),
        TEST(the_start_of_a_whole_cluster_dismisses_its_sessions),
        TEST(padding_at_the_end_of_a_log_counts),
        TEST(joining_takes_its_time),
        TEST(a_join_that_comes_to_nothing_is_replaced),
        TEST(joins_that_do_not_fit_are_errors),
        TEST(a_log_that_ends_too_early_is_an_error),
        TEST(channels_and_words_that_cannot_be),
        TEST(words_without_a_meaning_here_are_passed_over),
        TEST(an_ack_is_given_when_asked_for),
        TEST(what_the_module_cannot_take_waits_in_order),
        TEST(a_module_that_takes_nothing_stops_the_log),
        TEST(thousands_of_closes_wait_at_once),
        TEST(a_new_leader_asks_for_closes_again),
    };
    return cmocka_run_group_tests_name("container_module", tests, NULL, NULL);
}
