/*
 * The container's life: it starts, serves as follower and leader, tells of itself, ends in order,
 * and says why when it cannot.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cluster/module_counters.h"
#include "codec/cluster_codec.h"
#include "lib/container_rig.h"

#include <string.h>
#include <time.h>

static container_rig_t rig;

static void it_waits_for_its_module(void **state)
{
    (void)state;
    container_report_t report;
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
    container_rig_run(&rig);
    container_report(rig.container, &report);
    assert_false(report.recovered);
    assert_int_equal(report.role, OC_HOST_RECOVERING);
    assert_int_equal(report.member, 1);
    assert_false(container_waits(rig.container));
    assert_int_equal(rig.module.request_count, 0);
    fake_module_start(&rig.module);
    container_rig_run(&rig);
    container_report(rig.container, &report);
    assert_true(report.recovered);
    assert_int_equal(rig.module.acks, 1);
    assert_int_equal(rig.module.last_ack.position, 0);
    assert_int_equal(rig.module.last_ack.relevant_id, FAKE_MODULE_CLIENT);
}

static void a_follower_applies_and_says_nothing(void **state)
{
    (void)state;
    container_report_t report;
    container_rig_begin(&rig, false);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    container_rig_commit(&rig);
    assert_int_equal(rig.tally.sum, 5);
    assert_int_equal(rig.tally.roles[OC_HOST_FOLLOWER], 1);
    assert_int_equal(rig.transport.publication_count, 0);
    container_report(rig.container, &report);
    assert_int_equal(report.role, OC_HOST_FOLLOWER);
    assert_int_equal(report.position, rig.log.position);
    assert_int_equal(report.entries, 3);
    assert_int_equal(report.sessions, 1);
    assert_int_equal(report.leadership_term, 0);
    assert_true(report.state_hash == rig.tally.hash);
    assert_int_equal(report.egress.messages, 0);
}

static void a_leader_answers(void **state)
{
    (void)state;
    container_report_t report;
    cluster_message_t message;
    container_rig_begin(&rig, true);
    assert_int_equal(rig.tally.roles[OC_HOST_ACTIVE], 1);
    rig.log.timestamp += 1000;
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    container_rig_commit(&rig);
    assert_int_equal(rig.transport.publication_count, 1);
    const struct transport_publication *way = &rig.transport.publications[0];
    assert_string_equal(way->channel, "aeron:udp?endpoint=127.0.0.1:40001");
    assert_int_equal(way->sent_count, 1);
    assert_int_equal(cluster_decode(way->sent[0].bytes, way->sent[0].length, &message),
                     OC_PROBLEM_NONE);
    assert_int_equal(message.type, CLUSTER_SESSION_MESSAGE);
    assert_int_equal(message.data.length, sizeof(tally_answer_t));
    container_report(rig.container, &report);
    assert_int_equal(report.role, OC_HOST_ACTIVE);
    assert_int_equal(report.egress.messages, 1);
    (void)log_maker_close(&rig.log, 1, 0);
    container_rig_commit(&rig);
    assert_int_equal(fake_transport_used(&rig.transport), 0);
}

static void a_service_may_end_the_cluster(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    (void)log_maker_request(&rig.log, 1, TALLY_STOP, 0, 0);
    container_rig_commit(&rig);
    assert_int_equal(rig.module.toggled, MODULE_TOGGLE_SHUTDOWN);
    rig.module.toggle_refused = true;
    (void)log_maker_request(&rig.log, 1, TALLY_STOP, 0, 0);
    container_rig_commit(&rig);
    assert_false(container_ended(rig.container));
}

static void only_the_leader_ends_the_cluster(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    (void)log_maker_request(&rig.log, 1, TALLY_STOP, 0, 0);
    container_rig_commit(&rig);
    assert_int_equal(rig.module.toggled, 0);
}

static void what_cannot_start_says_why(void **state)
{
    (void)state;
    member_config_t good = rig.config;
    rig.config.id = 5;
    container_rig_create_fails(&rig, OC_ERR_INVALID_CONFIG, "id");
    rig.config = good;
    FILE *mark = fopen(container_rig_path(&rig, "diverged"), "w");
    assert_non_null(mark);
    assert_true(fputs("at position 77\n", mark) >= 0);
    assert_int_equal(fclose(mark), 0);
    container_rig_create_fails(&rig, OC_ERR_DAMAGED, "this member has diverged (at position 77)");
    assert_int_equal(remove(container_rig_path(&rig, "diverged")), 0);
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
}

/* The fixture makes a fresh tally each time, so its error is set by a start of its own. */
static void a_service_that_cannot_start(void **state)
{
    (void)state;
    tally_t tally;
    container_t *container;
    tally_init(&tally);
    tally.start_error = OC_ERR_NO_MEMORY;
    const transport_t transport = fake_transport_table(&rig.transport);
    const container_setup_t set = {.service = &tally.service,
                                   .config = &rig.config,
                                   .link = fake_module_link(&rig.module),
                                   .transport = &transport,
                                   .alone = true};
    assert_int_equal(container_create(&container, &set), OC_ERR_NO_MEMORY);
    assert_null(container);
    assert_non_null(strstr(oc_err_context(), "as asked for"));
    container_destroy(NULL);
}

/* Its module may be in the middle of a line of its list by then. */
static void what_was_checked_is_not_judged_again(void **state)
{
    (void)state;
    tally_t tally;
    container_t *container;
    tally_init(&tally);
    const transport_t transport = fake_transport_table(&rig.transport);
    container_setup_t set = {.service = &tally.service,
                             .config = &rig.config,
                             .link = fake_module_link(&rig.module),
                             .transport = &transport,
                             .alone = true};
    FILE *list = fopen(container_rig_path(&rig, "cluster/recording.log"), "a");
    assert_non_null(list);
    assert_true(fputs("half a line", list) >= 0);
    assert_int_equal(fclose(list), 0);
    assert_int_equal(container_create(&container, &set), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "is torn"));
    set.checked = true;
    assert_int_equal(container_create(&container, &set), OC_ERR_OK);
    container_destroy(container);
}

static void it_ends_in_order(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    fake_module_terminate(&rig.module, rig.log.position + 64, true);
    container_rig_run(&rig);
    assert_false(container_ended(rig.container)); /* not yet there */
    const int64_t acks = rig.module.acks;
    (void)log_maker_timer(&rig.log);
    assert_int_equal(rig.log.position, rig.module.commit + 64);
    container_rig_commit(&rig);
    assert_int_equal(rig.module.acks, acks + 1);
    assert_int_equal(rig.module.last_ack.position, rig.log.position);
    assert_true(container_ended(rig.container));
}

static void it_has_ended_when_the_last_ack_has_left(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    rig.module.send_refusals = 5;
    fake_module_terminate(&rig.module, rig.log.position, true);
    int work;
    const int64_t acks = rig.module.acks;
    while (rig.module.send_refusals > 0) {
        assert_int_equal(container_do_work(rig.container, &work), OC_ERR_OK);
        assert_false(container_ended(rig.container));
    }
    assert_true(container_waits(rig.container));
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, acks + 1);
    assert_true(container_ended(rig.container));
}

static void a_module_that_gives_up_is_an_error(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    const int64_t acks = rig.module.acks;
    fake_module_terminate(&rig.module, 0, true);
    container_rig_run_fails(&rig, OC_ERR_CLOSED, "ends out of order");
    assert_int_equal(rig.module.acks, acks + 1);
    assert_false(container_ended(rig.container));
}

/* Nothing is applied yet, so that the position which a failed module names is the right one. */
static void one_that_gives_up_at_once_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
    fake_module_start(&rig.module);
    container_rig_run(&rig);
    fake_module_terminate(&rig.module, 0, true);
    container_rig_run_fails(&rig, OC_ERR_CLOSED, "ends out of order");
    assert_false(container_ended(rig.container));
}

/* An election that joins a log in vain is no progress; one that is up to date waits for nothing. */
static void how_long_it_follows_no_log(void **state)
{
    (void)state;
    const struct timespec pause = {.tv_nsec = 2000000};
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
    assert_int_equal(container_apart_ns(rig.container), 0);
    fake_module_start(&rig.module);
    container_rig_run(&rig);
    (void)nanosleep(&pause, NULL);
    container_rig_run(&rig);
    assert_true(container_apart_ns(rig.container) >= pause.tv_nsec);
    container_rig_join(&rig, false);
    (void)nanosleep(&pause, NULL);
    container_rig_run(&rig);
    assert_int_equal(container_apart_ns(rig.container), 0);
}

static void a_module_that_is_gone_is_an_error(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    rig.module.gone = true;
    container_rig_run_fails(&rig, OC_ERR_CLOSED, "consensus module is gone");
}

static void a_module_of_another_cluster_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
    rig.module.of_another_cluster = true;
    container_rig_run_fails(&rig, OC_ERR_REFUSED, "of another cluster");
}

static void the_service_s_error_ends_the_member(void **state)
{
    (void)state;
    container_report_t report;
    container_rig_begin(&rig, false);
    (void)log_maker_request(&rig.log, 1, TALLY_FAIL, 0, 0);
    fake_module_commit(&rig.module);
    container_rig_run_fails(&rig, OC_ERR_RULES_VERSION, "as asked for");
    container_report(rig.container, &report);
    assert_int_equal(report.position, rig.log.position);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, container_rig_setup, container_rig_teardown,    \
                                             &rig)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_waits_for_its_module),
        TEST(a_follower_applies_and_says_nothing),
        TEST(a_leader_answers),
        TEST(a_service_may_end_the_cluster),
        TEST(only_the_leader_ends_the_cluster),
        TEST(what_cannot_start_says_why),
        TEST(a_service_that_cannot_start),
        TEST(what_was_checked_is_not_judged_again),
        TEST(it_ends_in_order),
        TEST(it_has_ended_when_the_last_ack_has_left),
        TEST(a_module_that_gives_up_is_an_error),
        TEST(one_that_gives_up_at_once_is_an_error),
        TEST(how_long_it_follows_no_log),
        TEST(a_module_that_is_gone_is_an_error),
        TEST(a_module_of_another_cluster_is_an_error),
        TEST(the_service_s_error_ends_the_member),
    };
    return cmocka_run_group_tests_name("container", tests, NULL, NULL);
}
