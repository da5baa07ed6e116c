/*
 * The duty cycle: the one timer that the module has of us, as its leader, its follower and over
 * replays; cycles that are bounded; what ends the member; the mark that it has joined a log.
 *
 * The module of the fixture counts timers as Aeron's does: an event in its log that nobody had
 * asked for swallows a later request.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cluster/member_check.h"
#include "lib/capture.h"
#include "lib/container_rig.h"
#include "lib/replica_rig.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INTERVAL_NS INT64_C(1000000)

static container_rig_t rig;

static int setup(void **state)
{
    (void)state;
    container_rig_init(&rig, CONTAINER_RIG_STREAM);
    rig.config.node.time_interval_us = 1000;
    return 0;
}

static void assert_armed(int64_t deadline)
{
    assert_true(rig.module.timer_set);
    assert_int_equal(rig.module.timer_expired, 0);
    assert_int_equal(rig.module.timer_deadline, deadline);
}

/* ---- The module's timer ---- */

static void it_is_the_earliest_of_the_service(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    assert_false(rig.module.timer_set);
    const int64_t now = rig.log.timestamp;
    (void)log_maker_request(&rig.log, 1, TALLY_TIMER, 1, 5000);
    container_rig_commit(&rig);
    assert_armed(now + 5000);
    (void)log_maker_request(&rig.log, 1, TALLY_TIMER, 2, 3000);
    container_rig_commit(&rig);
    assert_armed(now + 3000);
    /* A later one changes nothing, and the end of the earliest neither: it fires early then. */
    const uint32_t from = rig.module.request_count;
    (void)log_maker_request(&rig.log, 1, TALLY_TIMER, 3, 9000);
    (void)log_maker_request(&rig.log, 1, TALLY_CANCEL, 2, 0);
    container_rig_commit(&rig);
    assert_int_equal(rig.module.request_count, from);
    rig.log.timestamp = now + 3000;
    (void)log_maker_timer(&rig.log);
    container_rig_commit(&rig);
    assert_int_equal(rig.tally.fired, 0);
    assert_armed(now + 5000);
    rig.log.timestamp = now + 5000;
    (void)log_maker_timer(&rig.log);
    container_rig_commit(&rig);
    assert_int_equal(rig.tally.fired, 1);
    assert_armed(now + 9000);
}

static void its_deadline_is_in_the_cluster_s_unit(void **state)
{
    (void)state;
    rig.log.unit = CLUSTER_TIME_MILLIS;
    rig.log.timestamp = 1700000000000;
    container_rig_begin(&rig, true);
    (void)log_maker_request(&rig.log, 1, TALLY_TIMER, 1, 1500000);
    container_rig_commit(&rig);
    assert_armed(1700000000002);
}

static void a_busy_service_is_gone_on_with(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    (void)log_maker_request(&rig.log, 1, TALLY_BUSY, 3, 0);
    container_rig_commit(&rig);
    for (uint32_t i = 1; i <= 3; i++) {
        assert_armed(rig.log.timestamp + INTERVAL_NS);
        rig.log.timestamp += INTERVAL_NS;
        (void)log_maker_timer(&rig.log);
        container_rig_commit(&rig);
        assert_int_equal(rig.tally.timed, i);
    }
    assert_false(rig.module.timer_set);
}

/* A follower meets entry, timer and next entry in one batch: it had no time to ask for the timer
 * that fires. What it asks for next must not be taken for that. */
static void a_batch_with_events_loses_no_timer(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    for (int64_t i = 0; i < 5; i++) {
        (void)log_maker_request(&rig.log, 1, TALLY_TIMER, i, 100);
        rig.log.timestamp += 100;
        (void)log_maker_timer(&rig.log);
    }
    (void)log_maker_request(&rig.log, 1, TALLY_TIMER, 77, 4000);
    container_rig_commit(&rig);
    assert_int_equal(rig.tally.fired, 5);
    assert_armed(rig.log.timestamp + 4000);
}

static void events_one_by_one_lose_no_timer(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    for (int64_t i = 0; i < 40; i++) {
        if (i % 3 != 2)
            (void)log_maker_request(&rig.log, 1, TALLY_TIMER, i % 4, 100 + i % 7);
        if (i % 5 < 2)
            container_rig_commit(&rig);
        rig.log.timestamp += 60;
        if (i % 2)
            (void)log_maker_timer(&rig.log);
    }
    (void)log_maker_request(&rig.log, 1, TALLY_TIMER, 50, 4000);
    rig.log.timestamp += 300;
    (void)log_maker_timer(&rig.log);
    container_rig_commit(&rig);
    assert_int_equal(log_applier_deadline_ns(&rig.container->log), rig.log.timestamp + 3700);
    assert_int_equal(rig.module.timer_expired, 0);
    assert_true(rig.module.timer_set);
    assert_true(rig.module.timer_deadline <= rig.log.timestamp + 3700);
}

static void timers_of_others_are_none_of_ours(void **state)
{
    (void)state;
    container_rig_begin(&rig, false);
    (void)log_maker_request(&rig.log, 1, TALLY_TIMER, 1, 5000);
    container_rig_commit(&rig);
    const uint32_t from = rig.module.request_count;
    const cluster_log_entry_t other = {.type = CLUSTER_LOG_TIMER, .correlation_id = 99};
    (void)log_maker_put(&rig.log, other);
    rig.module.recorded = rig.log.position;
    rig.module.commit = rig.log.position; /* the fixture's module knows but one timer */
    rig.module.read = rig.log.count;
    container_rig_run(&rig);
    assert_int_equal(rig.module.request_count, from);
    assert_int_equal(rig.container->log.position, rig.log.position);
}

/* ---- Bounds ---- */

static void a_cycle_is_bounded(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    int work;
    container_rig_begin(&rig, false);
    for (int i = 0; i < MANY; i++)
        (void)log_maker_request(&rig.log, 1, TALLY_ADD, 1, 0);
    fake_module_commit(&rig.module);
    assert_int_equal(container_do_work(rig.container, &work), OC_ERR_OK);
    assert_true(work > 0);
    assert_in_range(rig.tally.sum, 1, 200);
    container_rig_run(&rig);
    assert_int_equal(rig.tally.sum, MANY);
    assert_int_equal(container_do_work(rig.container, &work), OC_ERR_OK);
    assert_int_equal(work, 0);
}

static void only_what_is_committed_is_applied(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    const uint64_t committed = log_maker_request(&rig.log, 1, TALLY_ADD, 1, 0);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 10, 0);
    fake_module_commit_to(&rig.module, committed);
    container_rig_run(&rig);
    assert_int_equal(rig.tally.sum, 1);
    assert_int_equal(rig.transport.publications[0].sent_count, 1);
    container_rig_commit(&rig);
    assert_int_equal(rig.tally.sum, 11);
}

static void a_log_that_cannot_be_read_ends_it(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    rig.module.poll_fails = true;
    container_rig_run_fails(&rig, OC_ERR_TRANSPORT, "the log cannot be read: as asked for");
}

static void a_log_of_something_else_ends_it(void **state)
{
    (void)state;
    _Alignas(8) const uint8_t foreign[16] = {8, 0, 1, 0, 77, 0, 1, 0};
    container_rig_begin(&rig, true);
    (void)log_maker_bytes(&rig.log, foreign, sizeof foreign);
    fake_module_commit(&rig.module);
    container_rig_run_fails(&rig, OC_ERR_FORMAT, "schema 111");
}

/* ---- Two members ---- */

/* Whatever a batch is, and however often the log is left and joined: the state is the log's. */
static void batches_change_nothing(void **state)
{
    (void)state;
    static container_rig_t other;
    container_rig_init(&other, CONTAINER_RIG_STREAM);
    container_rig_begin(&rig, true);
    container_rig_begin(&other, false);
    log_maker_t *logs[] = {&rig.log, &other.log};
    for (int64_t i = 0; i < 60; i++) {
        for (int n = 0; n < 2; n++) {
            (void)log_maker_request(logs[n], 1, i % 4 == 0 ? TALLY_TIMER : TALLY_ADD, i,
                                    (i % 11) * 40);
            if (i % 13 == 5)
                (void)log_maker_request(logs[n], 1, TALLY_BUSY, 2, 0);
            logs[n]->timestamp += 90;
            if (i % 3 == 1)
                (void)log_maker_timer(logs[n]);
        }
        container_rig_commit(&rig);
        if (i % 17 == 16) {
            container_rig_commit(&other);
            other.module.log_end = other.log.position;
            container_rig_run(&other);
            container_rig_join(&other, i % 2);
        }
    }
    container_rig_commit(&other);
    assert_true(rig.tally.hash == other.tally.hash);
    assert_int_equal(rig.container->log.checksum, other.container->log.checksum);
    assert_true(rig.container->log.log_id == other.container->log.log_id);
    replica_rig_assert_equal(&rig.container->replica, &other.container->replica);
    container_rig_fini(&other);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, setup, container_rig_teardown, &rig)

/* ---- The mark that it has joined a log ---- */

/* As on a device that is full at first: told once, and tried until it succeeds. */
static void a_mark_that_cannot_be_written_yet(void **state)
{
    (void)state;
    capture_t told;
    char mark[600];
    (void)snprintf(mark, sizeof mark, "%s", container_rig_path(&rig, MEMBER_JOINED_FILE));
    container_rig_begin(&rig, true);
    container_rig_commit(&rig);
    rig.container->joined_noted = false;
    assert_int_equal(unlink(mark), 0);
    assert_int_equal(mkdir(mark, 0700), 0);
    output_capture_begin();
    for (int i = 0; i < 3; i++) {
        rig.container->monotonic_ns = rig.container->joined_look_ns;
        container_note_joined(rig.container);
    }
    output_capture_end(&told);
    const char *first = strstr(told.err, "it is not noted yet");
    assert_non_null(first);
    assert_null(strstr(first + 1, "it is not noted yet"));
    assert_false(rig.container->joined_noted);
    assert_int_equal(rmdir(mark), 0);
    rig.container->monotonic_ns = rig.container->joined_look_ns;
    container_note_joined(rig.container);
    assert_true(rig.container->joined_noted);
    assert_int_equal(access(mark, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_is_the_earliest_of_the_service),
        TEST(its_deadline_is_in_the_cluster_s_unit),
        TEST(a_busy_service_is_gone_on_with),
        TEST(a_batch_with_events_loses_no_timer),
        TEST(events_one_by_one_lose_no_timer),
        TEST(timers_of_others_are_none_of_ours),
        TEST(a_cycle_is_bounded),
        TEST(only_what_is_committed_is_applied),
        TEST(a_log_that_cannot_be_read_ends_it),
        TEST(a_log_of_something_else_ends_it),
        TEST(batches_change_nothing),
        TEST(a_mark_that_cannot_be_written_yet),
    };
    return cmocka_run_group_tests_name("container_duty", tests, NULL, NULL);
}
