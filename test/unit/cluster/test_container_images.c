/*
 * Official snapshots, which are always answered; images, which count once the archive has the log;
 * what the control socket tells; and the state of a member that has diverged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cluster/service_snapshot.h"
#include "host/control.h"
#include "lib/capture.h"
#include "lib/container_rig.h"
#include "lib/control_asking.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static container_rig_t rig;

static int setup_without(void **state)
{
    (void)state;
    container_rig_init(&rig, CONTAINER_RIG_NONE);
    return 0;
}

/* ---- Official snapshots ---- */

static void a_snapshot_is_answered_with_a_manifest(void **state)
{
    (void)state;
    oc_err_t err;
    container_report_t report;
    container_rig_begin(&rig, true);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    rig.log.timestamp += 77;
    (void)container_rig_snapshot(&rig);
    assert_int_equal(rig.module.last_ack.position, rig.log.position);
    assert_int_equal(rig.module.last_ack.timestamp, rig.log.timestamp);
    assert_int_equal(rig.module.last_ack.relevant_id, FAKE_MODULE_SNAPSHOT);
    service_snapshot_reader_t *reader =
        message_tape_read(&rig.module.tape, (int64_t)rig.log.position, &err);
    assert_int_equal(err, OC_ERR_OK);
    assert_int_equal(service_snapshot_reader_kind(reader), SERVICE_SNAPSHOT_MANIFEST);
    const service_snapshot_place_t *place = service_snapshot_reader_place(reader);
    assert_int_equal(place->image.position, rig.log.position);
    assert_true(place->image.state_hash == rig.tally.hash);
    assert_int_equal(place->image.log_checksum, log_maker_checksum(&rig.log, rig.log.position));
    assert_true(place->image.log_id == rig.container->log.log_id);
    assert_int_equal(place->leadership_term, 0);
    assert_int_equal(place->app_version, 1);
    service_snapshot_reader_destroy(reader);
    container_report(rig.container, &report);
    assert_int_equal(report.snapshots, 1);
    assert_true(report.snapshot_ns >= report.snapshot_write_ns);
    /* And the log goes on. */
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    container_rig_commit(&rig);
    assert_int_equal(rig.tally.sum, 10);
}

static void or_with_the_state(void **state)
{
    (void)state;
    oc_err_t err;
    rig.config.snapshot = MEMBER_SNAPSHOT_ARCHIVE;
    container_rig_begin(&rig, false);
    (void)container_rig_snapshot(&rig);
    service_snapshot_reader_t *reader =
        message_tape_read(&rig.module.tape, (int64_t)rig.log.position, &err);
    assert_int_equal(err, OC_ERR_OK);
    assert_int_equal(service_snapshot_reader_kind(reader), SERVICE_SNAPSHOT_STREAM);
    service_snapshot_reader_destroy(reader);
}

/* Each step of it fails once: it is answered, with no recording, and the next one is made. */
static void a_snapshot_that_fails_is_answered_too(void **state)
{
    (void)state;
    container_report_t report;
    container_rig_begin(&rig, true);
    (void)container_rig_snapshot(&rig);
    const uint32_t calls = rig.module.snapshot_calls;
    assert_true(calls > 4);
    for (uint32_t n = 1; n <= calls; n++) {
        const int64_t acks = rig.module.acks;
        rig.module.snapshot_calls = 0;
        rig.module.snapshot_fails = n;
        (void)log_maker_snapshot(&rig.log);
        (void)log_maker_request(&rig.log, 1, TALLY_ADD, 1, 0);
        container_rig_commit(&rig);
        assert_int_equal(rig.module.acks, acks + 1);
        assert_int_equal(rig.module.last_ack.relevant_id, CLUSTER_NULL_VALUE);
        assert_int_equal(rig.module.last_ack.position, rig.log.entries[rig.log.count - 2].position);
        assert_false(rig.module.snapshot_open);
        assert_int_equal(rig.tally.sum, n);
    }
    rig.module.snapshot_fails = 0;
    (void)container_rig_snapshot(&rig);
    container_report(rig.container, &report);
    assert_int_equal(report.snapshots, 2);
}

static void a_state_that_cannot_be_written(void **state)
{
    (void)state;
    rig.config.snapshot = MEMBER_SNAPSHOT_ARCHIVE;
    container_rig_begin(&rig, true);
    rig.tally.capture_error = OC_ERR_NO_MEMORY;
    (void)log_maker_snapshot(&rig.log);
    container_rig_commit(&rig);
    assert_int_equal(rig.module.last_ack.relevant_id, CLUSTER_NULL_VALUE);
    assert_int_equal(rig.module.abandoned, 1);
}

static void actions_that_are_no_snapshot_of_ours(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    const int64_t acks = rig.module.acks;
    (void)log_maker_put(&rig.log, (cluster_log_entry_t){.type = CLUSTER_LOG_ACTION,
                                                        .action = CLUSTER_ACTION_SNAPSHOT,
                                                        .flags = 1}); /* for standbys */
    (void)log_maker_put(&rig.log, (cluster_log_entry_t){.type = CLUSTER_LOG_ACTION,
                                                        .action = CLUSTER_ACTION_SUSPEND});
    (void)log_maker_put(&rig.log, (cluster_log_entry_t){.type = CLUSTER_LOG_ACTION,
                                                        .action = CLUSTER_ACTION_RESUME});
    container_rig_commit(&rig);
    assert_int_equal(rig.module.acks, acks);
    assert_int_equal(rig.module.snapshot_calls, 0);
}

/* Two in one batch: each is answered at its own place, before what is behind it is applied. */
static void snapshots_in_one_batch(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    const int64_t acks = rig.module.acks;
    const uint32_t from = rig.module.request_count;
    const uint64_t first = log_maker_snapshot(&rig.log);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 1, 0);
    const uint64_t second = log_maker_snapshot(&rig.log);
    container_rig_commit(&rig);
    assert_int_equal(rig.module.acks, acks + 2);
    assert_int_equal(rig.module.requests[from].ack.position, first);
    assert_int_equal(rig.module.requests[from + 1].ack.position, second);
}

static void a_join_while_a_snapshot_is_due(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    const int64_t acks = rig.module.acks;
    const uint32_t from = rig.module.request_count;
    const uint64_t action = log_maker_snapshot(&rig.log);
    fake_module_join(&rig.module, action, INT64_MAX, false, false);
    fake_module_commit(&rig.module);
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, acks + 2);
    assert_int_equal(rig.module.requests[from].ack.relevant_id, FAKE_MODULE_SNAPSHOT);
    assert_int_equal(rig.module.requests[from + 1].ack.relevant_id, CLUSTER_NULL_VALUE);
    assert_int_equal(rig.container->role, OC_HOST_FOLLOWER);
}

/* ---- Images ---- */

static void an_image_counts_when_the_archive_has_the_log(void **state)
{
    (void)state;
    snapshot_status_t status;
    container_rig_begin(&rig, true);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    container_rig_commit(&rig);
    rig.module.recorded = rig.log.position - 32;
    container_rig_run(&rig);
    assert_int_equal(image_keeper_begin(rig.container->keeper, true), OC_ERR_OK);
    for (int i = 0; i < 50; i++)
        container_rig_run(&rig);
    image_keeper_status(rig.container->keeper, &status);
    assert_true(status.running);
    assert_int_equal(status.completed, 0);
    rig.module.recorded = rig.log.position;
    capture_t told;
    output_capture_begin();
    for (int i = 0; i < 50; i++)
        container_rig_run(&rig);
    output_capture_end(&told);
    image_keeper_status(rig.container->keeper, &status);
    assert_int_equal(status.completed, 1);
    assert_int_equal(status.position, rig.log.position);
    /* Whose image it is, where several members share a terminal. */
    char line[64];
    (void)snprintf(line, sizeof line, "outcry: member %" PRIu64 ": snapshot: image 1 at position ",
                   rig.config.id);
    assert_non_null(strstr(told.err, line));
}

/* What the archive says that it has is looked for in its files. */
static void an_image_fails_without_the_log_s_files(void **state)
{
    (void)state;
    snapshot_status_t status;
    container_rig_begin(&rig, true);
    rig.module.recording = 88;
    container_rig_run(&rig);
    assert_int_equal(image_keeper_begin(rig.container->keeper, true), OC_ERR_OK);
    for (int i = 0; i < 50; i++)
        container_rig_run(&rig);
    image_keeper_status(rig.container->keeper, &status);
    assert_int_equal(status.completed, 0);
    assert_int_equal(status.failed, 1);
}

static void images_are_due_by_the_log(void **state)
{
    (void)state;
    snapshot_status_t status;
    rig.config.node.snapshot_every_log_bytes = 4096;
    container_rig_begin(&rig, false);
    for (int i = 0; i < 200; i++)
        (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    container_rig_commit(&rig);
    for (int i = 0; i < 50; i++)
        container_rig_run(&rig);
    image_keeper_status(rig.container->keeper, &status);
    assert_true(status.completed >= 1);
    /* Not while space is low. */
    rig.container->low_space = true;
    const uint64_t begun = status.begun;
    for (int i = 0; i < 200; i++)
        (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    container_rig_commit(&rig);
    image_keeper_status(rig.container->keeper, &status);
    assert_int_equal(status.begun, begun);
}

/* Nor while the state is ahead of what is replayed: there is that image already. */
static void no_image_while_the_log_is_passed_over(void **state)
{
    (void)state;
    snapshot_status_t status;
    container_rig_begin(&rig, false);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    for (int i = 0; i < 300; i++)
        (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    container_rig_commit(&rig);
    container_rig_image(&rig, true);
    rig.config.node.snapshot_every_log_bytes = 4096;
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    container_rig_recover(&rig, position, snapshot);
    fake_module_join(&rig.module, position, rig.log.position, true, false);
    fake_module_commit_to(&rig.module, rig.log.entries[rig.log.count - 2].position);
    container_rig_run(&rig);
    image_keeper_status(rig.container->keeper, &status);
    assert_int_equal(status.begun, 0);
    /* Who asks gets one: of the state that is there. */
    const uint64_t now = rig.container->log.position;
    rig.module.recorded_known = true;
    rig.module.recording = rig.recording.id;
    rig.module.recorded = rig.log.position;
    container_rig_image(&rig, true);
    assert_int_equal(rig.container->log.position, now);
    image_keeper_status(rig.container->keeper, &status);
    assert_int_equal(status.position, rig.log.position);
    fake_module_commit(&rig.module);
    container_rig_run(&rig);
    assert_int_equal(rig.container->log.position, rig.log.position);
}

/* ---- What it tells ---- */

static void step(void *context)
{
    int work;
    assert_int_equal(container_do_work(context, &work), OC_ERR_OK);
}

static void asked(const char *request, const char *part)
{
    control_asking_t asking;
    control_asking_begin(&asking, rig.config.node.dir, request);
    (void)control_asking_end(&asking, step, rig.container);
    if (!strstr(asking.answer, part))
        fail_msg("'%s' does not say '%s'", asking.answer, part);
}

static void it_tells_its_state(void **state)
{
    (void)state;
    char hash[64];
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
    asked("state", "member=1 role=recovering recovered=0 term=-1 position=0 entries=0");
    container_rig_destroy(&rig);
    container_rig_begin(&rig, true);
    (void)container_rig_snapshot(&rig);
    asked("state", "role=leader recovered=1 term=0");
    (void)snprintf(hash, sizeof hash, "state_hash=%016" PRIx64, rig.tally.hash);
    asked("state", hash);
    asked("state", "snapshots=1 ");
}

/* ---- A member that has diverged ---- */

/* A follower's state, by two others that agree. */
static void diverge(uint64_t recorded)
{
    const member_message_t others = {.type = MEMBER_CHECK, .state_hash = 1, .output_hash = 0};
    (void)log_maker_open(&rig.log, 5, REPLICA_HOST_PRINCIPAL);
    member_message_t check = others;
    check.position = log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    container_rig_commit(&rig);
    check.member = 0;
    (void)log_maker_said(&rig.log, 5, &check);
    check.member = 2;
    (void)log_maker_said(&rig.log, 5, &check);
    rig.module.recorded = recorded > 0 ? recorded : rig.log.position;
    fake_module_commit(&rig.module);
    container_rig_run_fails(&rig, OC_ERR_DAMAGED, "this member has diverged");
}

static void expect_kept_state(void)
{
    image_store_t *images;
    char dir[600];
    (void)snprintf(dir, sizeof dir, "%s", container_rig_path(&rig, "diverged-image"));
    const image_store_config_t config = {
        .dir = dir, .storage = storage_device(), .read_only = true, .keep = 1};
    assert_int_equal(image_store_open(&images, &config), OC_ERR_OK);
    assert_int_equal(image_store_count(images), 1);
    const image_place_t *place = &image_store_at(images, 0)->place;
    assert_true(place->state_hash == rig.tally.hash);
    assert_int_equal(place->log_checksum, log_maker_checksum(&rig.log, place->position));
    image_store_close(images);
}

static void a_diverged_state_is_kept(void **state)
{
    (void)state;
    container_report_t report;
    rig.members = 3;
    container_rig_begin(&rig, false);
    diverge(0);
    container_report(rig.container, &report);
    assert_int_equal(report.entries, 4);
    expect_kept_state();
    container_rig_destroy(&rig);
    container_rig_create_fails(&rig, OC_ERR_DAMAGED, "has diverged (at position");
}

/* Nobody starts from it: no log is waited for that an archive, gone by now, might not have. */
static void a_diverged_state_is_kept_without_the_log(void **state)
{
    (void)state;
    rig.members = 3;
    container_rig_begin(&rig, false);
    rig.module.recording = 88;
    diverge(32);
    expect_kept_state();
}

/* What was not kept is not said to be. */
static void a_state_that_cannot_be_kept(void **state)
{
    (void)state;
    capture_t told;
    container_rig_begin(&rig, true);
    output_capture_begin();
    container_keep_diverged(rig.container);
    output_capture_end(&told);
    assert_non_null(strstr(told.err,
                           ": the state of this member could not be kept: its service has "
                           "nothing that images are made of"));
    assert_int_equal(access(container_rig_path(&rig, "diverged-image"), F_OK), -1);
}

static void a_service_without_images_serves_too(void **state)
{
    (void)state;
    rig.config.node.snapshot_every_log_bytes = 0;
    container_rig_begin(&rig, true);
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 5, 0);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t hash = rig.tally.hash;
    assert_int_equal(image_keeper_begin(rig.container->keeper, true), OC_ERR_NOT_CONNECTED);
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    container_rig_recover(&rig, rig.log.position, snapshot);
    assert_true(rig.tally.hash == hash);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, container_rig_setup, container_rig_teardown,    \
                                             &rig)
#define WITHOUT_TEST(name)                                                                         \
    cmocka_unit_test_prestate_setup_teardown(name, setup_without, container_rig_teardown, &rig)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_snapshot_is_answered_with_a_manifest),
        TEST(or_with_the_state),
        TEST(a_snapshot_that_fails_is_answered_too),
        TEST(a_state_that_cannot_be_written),
        TEST(actions_that_are_no_snapshot_of_ours),
        TEST(snapshots_in_one_batch),
        TEST(a_join_while_a_snapshot_is_due),
        TEST(an_image_counts_when_the_archive_has_the_log),
        TEST(an_image_fails_without_the_log_s_files),
        TEST(images_are_due_by_the_log),
        TEST(no_image_while_the_log_is_passed_over),
        TEST(it_tells_its_state),
        TEST(a_diverged_state_is_kept),
        TEST(a_diverged_state_is_kept_without_the_log),
        WITHOUT_TEST(a_state_that_cannot_be_kept),
        WITHOUT_TEST(a_service_without_images_serves_too),
    };
    return cmocka_run_group_tests_name("container_images", tests, NULL, NULL);
}
