/*
 * Where the state comes from at a start: images before and behind the module's snapshot, manifests,
 * states in the archive, the log from its beginning; and everything that does not go together.
 *
 * Whatever is there, the member ends up in the state that it had, or says why it does not start.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/remove_tree.h"
#include "cluster/member_check.h"
#include "lib/capture.h"
#include "lib/container_rig.h"
#include "lib/replica_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static container_rig_t rig;

/* The state that must come out in the end, and at the last snapshot. */
static uint64_t expected_hash;
static uint64_t expected_entries;
static uint32_t expected_checksum;

static int setup(void **state)
{
    (void)state;
    container_rig_init(&rig, CONTAINER_RIG_ARENA);
    return 0;
}

/* Some entries of all kinds, timers pending and firing. */
static void live(container_rig_t *member, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (i % 5 == 1)
            (void)log_maker_request(&member->log, 1, TALLY_TIMER, i % 40, 200 + i % 900);
        else if (i % 5 == 3)
            (void)log_maker_timer(&member->log);
        else
            (void)log_maker_request(&member->log, 1, TALLY_ADD, i, 0);
        member->log.timestamp += 70;
    }
    container_rig_commit(member);
}

static void remember(void)
{
    expected_hash = rig.tally.hash;
    expected_entries = rig.container->replica.entries;
    expected_checksum = rig.container->log.checksum;
}

/* The same as before the restart, and it goes on. */
static void assert_back(void)
{
    assert_int_equal(rig.container->log.position, rig.log.position);
    assert_true(rig.tally.hash == expected_hash);
    assert_true(rig.container->replica.entries == expected_entries);
    assert_int_equal(rig.container->log.checksum, expected_checksum);
    container_rig_join(&rig, true);
    const int64_t sum = rig.tally.sum;
    (void)log_maker_request(&rig.log, 1, TALLY_ADD, 1000, 0);
    container_rig_commit(&rig);
    assert_int_equal(rig.tally.sum, sum + 1000);
    assert_true(rig.container->log.checksum == log_maker_checksum(&rig.log, rig.log.position));
}

/* The module recovers at `position`; the rest comes by replay. */
static void recover(uint64_t position, int64_t recording)
{
    container_rig_recover(&rig, position, recording);
    container_rig_replay(&rig);
    assert_back();
}

static void restart(void)
{
    remember();
    if (container_rig_restart(&rig) != OC_ERR_OK)
        fail_msg("restart: %s", oc_err_context());
}

/* ---- What goes well ---- */

static void the_whole_log(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 200);
    restart();
    recover(0, -1);
    assert_int_equal(rig.container->image_sequence, 0);
}

static void an_image_before_the_snapshot(void **state)
{
    (void)state;
    container_report_t report;
    container_rig_begin(&rig, true);
    live(&rig, 50);
    container_rig_image(&rig, true);
    const uint64_t image = rig.log.position;
    live(&rig, 100);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    live(&rig, 30);
    restart();
    assert_int_equal(rig.tally.messages > 0, true); /* loaded before the module is there */
    recover(position, snapshot);
    container_report(rig.container, &report);
    assert_int_equal(report.image_sequence, 1);
    assert_int_equal(report.image_position, image);
    assert_int_equal(report.replayed, 101);
}

static void an_image_at_the_snapshot(void **state)
{
    (void)state;
    container_report_t report;
    container_rig_begin(&rig, true);
    live(&rig, 50);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    container_rig_image(&rig, true);
    live(&rig, 30);
    restart();
    recover(position, snapshot);
    container_report(rig.container, &report);
    assert_int_equal(report.image_position, position);
    assert_int_equal(report.replayed, 0);
}

/* What the module replays up to the image is passed over, and told to nobody a second time. */
static void an_image_behind_the_snapshot(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 50);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    live(&rig, 100);
    container_rig_image(&rig, true);
    const uint32_t messages = rig.tally.messages;
    live(&rig, 30);
    restart();
    assert_int_equal(rig.tally.messages, messages);
    recover(position, snapshot);
    assert_true(rig.module.timer_set);
    assert_int_equal(rig.module.timer_expired, 0);
}

static void an_image_without_a_snapshot(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 100);
    container_rig_image(&rig, true);
    live(&rig, 30);
    restart();
    recover(0, -1);
    assert_int_equal(rig.container->image_sequence, 1);
}

static void a_chain_of_images(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 100);
    container_rig_image(&rig, true);
    live(&rig, 30);
    container_rig_image(&rig, false);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    live(&rig, 20);
    restart();
    recover(position, snapshot);
    assert_int_equal(rig.container->image_sequence, 2);
}

static void no_image_and_a_manifest(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 300);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    live(&rig, 30);
    restart();
    assert_int_equal(rig.tally.messages, 0);
    recover(position, snapshot);
    assert_int_equal(rig.container->replayed, 303);
}

static void no_image_and_the_state_in_the_archive(void **state)
{
    (void)state;
    rig.config.snapshot = MEMBER_SNAPSHOT_ARCHIVE;
    container_rig_begin(&rig, true);
    (void)log_maker_open(&rig.log, 9, REPLICA_HOST_PRINCIPAL);
    live(&rig, 1500);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    live(&rig, 30);
    restart();
    made_recording_purge(&rig.recording, LOG_MAKER_SEGMENT_BYTES); /* nor is all of the log there */
    recover(position, snapshot);
    assert_int_equal(rig.container->replayed, 0);
    assert_non_null(session_ledger_find(&rig.container->replica.sessions, (oc_session_id_t){9}));
}

/* The state itself goes into other tables, again and again, and on from an image of these. */
static void the_state_in_the_archive_and_other_tables(void **state)
{
    (void)state;
    rig.config.snapshot = MEMBER_SNAPSHOT_ARCHIVE;
    container_rig_begin(&rig, true);
    live(&rig, 50);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    rig.configuration = "tally 2";
    rig.config.node.max_timers = 128;
    for (int i = 0; i < 3; i++) {
        capture_t told;
        remember();
        output_capture_begin();
        assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
        container_rig_recover(&rig, position, snapshot);
        container_rig_replay(&rig);
        output_capture_end(&told);
        assert_int_equal(strstr(told.err, "carried over: the service's snapshot was made") != NULL,
                         i < 2);
        assert_back();
        live(&rig, 10);
        if (i == 1)
            container_rig_image(&rig, true);
    }
    assert_int_equal(rig.container->image_sequence, 1);
}

/* A snapshot that is met again while the state is a later one already costs that snapshot only. */
static void a_snapshot_that_is_passed_over(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    live(&rig, 20);
    (void)container_rig_snapshot(&rig);
    const uint64_t second = rig.log.position;
    live(&rig, 20);
    container_rig_image(&rig, true);
    live(&rig, 10);
    restart();
    container_rig_recover(&rig, position, snapshot);
    fake_module_join(&rig.module, position, second, true, false);
    fake_module_commit_to(&rig.module, second);
    container_rig_run(&rig);
    assert_int_equal(rig.module.acks, 3);
    assert_int_equal(rig.module.last_ack.position, second);
    assert_int_equal(rig.module.last_ack.relevant_id, CLUSTER_NULL_VALUE);
    assert_int_equal(rig.module.snapshots, 0);
    fake_module_join(&rig.module, second, rig.log.position, true, false);
    fake_module_commit(&rig.module);
    container_rig_run(&rig);
    assert_back();
}

/* And one that is met in a replay, behind the image, is taken as the first time. */
static void a_snapshot_that_is_replayed(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    container_rig_image(&rig, true);
    (void)container_rig_snapshot(&rig);
    live(&rig, 20);
    message_tape_t first;
    message_tape_copy(&first, &rig.module.tape);
    restart();
    recover(0, -1);
    assert_int_equal(rig.module.snapshots, 1);
    message_tape_assert_equal(&first, &rig.module.tape);
    message_tape_clear(&first);
}

static void closes_that_were_asked_for(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    (void)log_maker_open(&rig.log, 2, "bob"); /* the module knows it only from the log */
    (void)log_maker_request(&rig.log, 2, TALLY_CLOSE, 0, 0);
    live(&rig, 10);
    container_rig_image(&rig, true);
    restart();
    container_rig_recover(&rig, position, snapshot);
    const uint32_t from = rig.module.request_count;
    fake_module_join(&rig.module, position, rig.log.position, true, false);
    fake_module_commit(&rig.module);
    container_rig_run(&rig);
    assert_int_equal(fake_module_told(&rig.module, CLUSTER_REQUEST_CLOSE_SESSION, from), 1);
    assert_back();
}

/* ---- Images that are passed over ---- */

/* Loads with an image passed over; `part` says why on stderr. */
static void restart_telling(const char *part)
{
    capture_t told;
    remember();
    output_capture_begin();
    const oc_err_t err = container_rig_restart(&rig);
    output_capture_end(&told);
    if (err != OC_ERR_OK)
        fail_msg("restart: %s", oc_err_context());
    if (!strstr(told.err, part))
        fail_msg("'%s' does not say '%s'", told.err, part);
}

static void a_damaged_image_and_an_older_one(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    container_rig_image(&rig, true);
    live(&rig, 20);
    container_rig_image(&rig, true);
    live(&rig, 20);
    container_rig_damage(container_rig_path(&rig, "images/0000000000000002.pages"), 5000);
    restart_telling("outcry: member 1: image 2 (position 3808) is of no use: ");
    recover(0, -1);
    assert_int_equal(rig.container->image_sequence, 1);
}

static void only_a_damaged_image(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    container_rig_image(&rig, true);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    live(&rig, 20);
    container_rig_damage(container_rig_path(&rig, "images/0000000000000001.pages"), 5000);
    restart_telling("is of no use");
    recover(position, snapshot);
    assert_int_equal(rig.container->image_sequence, 0);
}

/* The archive anew, with the first entries only, or all. */
static void write_archive_again(uint32_t count, int64_t start)
{
    assert_int_equal(remove_tree(container_rig_path(&rig, "archive")), OC_ERR_OK);
    char dir[300];
    (void)snprintf(dir, sizeof dir, "%.280s/archive", rig.config.node.dir);
    archive_maker_init(&rig.archive, dir);
    archive_maker_record(&rig.archive, &rig.recording, start, LOG_MAKER_TERM_BYTES,
                         LOG_MAKER_SEGMENT_BYTES);
    uint32_t first = 0;
    while (rig.log.entries[first].start < (uint64_t)start)
        first++;
    for (uint32_t i = first; i < count; i++)
        assert_int_equal(made_recording_append(&rig.recording, rig.log.entries[i].bytes,
                                               rig.log.entries[i].length),
                         rig.log.entries[i].position);
}

/* A disk that lost what it had said to have: images must not know more than the log. */
static void an_image_beyond_the_recording(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    container_rig_image(&rig, true);
    live(&rig, 20);
    remember();
    const uint32_t kept = rig.log.count;
    live(&rig, 5);
    container_rig_image(&rig, true);
    const uint64_t hash = expected_hash;
    const uint64_t entries = expected_entries;
    const uint32_t checksum = expected_checksum;
    container_rig_destroy(&rig);
    write_archive_again(kept, 0);
    while (rig.log.count > kept)
        free(rig.log.entries[--rig.log.count].bytes);
    rig.log.position = rig.log.entries[kept - 1].position;
    rig.recording.position = (int64_t)rig.log.position;
    expected_hash = hash;
    expected_entries = entries;
    expected_checksum = checksum;
    /* Alone, nobody has what it lacks. */
    char members[3][NODE_TEXT_MAX];
    memcpy(members, rig.config.members, sizeof members);
    memset(rig.config.members[1], 0, 2 * sizeof members[0]);
    rig.config.id = 0;
    container_rig_create_fails(&rig, OC_ERR_DAMAGED, "and its log ends before it, at ");
    rig.config.id = 1;
    memcpy(rig.config.members, members, sizeof members);
    /* Nor must one of several vote for a log that ends there. */
    container_rig_create_fails(&rig, OC_ERR_DAMAGED,
                               "put archive back from a copy, or seed the member from another one");
    assert_int_equal(container_check_log(&rig.config), OC_ERR_DAMAGED);
    assert_int_equal(unlink(container_rig_path(&rig, "images/0000000000000002.pages")), 0);
    assert_int_equal(container_check_log(&rig.config), OC_ERR_OK);
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    recover(0, -1);
    assert_int_equal(rig.container->image_sequence, 1);
}

static void an_image_before_the_recording(void **state)
{
    (void)state;
    rig.config.snapshot = MEMBER_SNAPSHOT_ARCHIVE;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    container_rig_image(&rig, true);
    live(&rig, 1500);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    live(&rig, 20);
    made_recording_purge(&rig.recording, LOG_MAKER_SEGMENT_BYTES);
    restart_telling("begins behind it");
    recover(position, snapshot);
    assert_int_equal(rig.container->image_sequence, 0);
}

/* ---- What does not go together ---- */

/* The module recovers there, and the member does not start. */
static void recovery_fails(uint64_t position, int64_t recording, oc_err_t err, const char *part)
{
    if (recording < 0)
        fake_module_start(&rig.module);
    else
        fake_module_start_at(&rig.module, 0, position, rig.log.timestamp, recording);
    container_rig_run_fails(&rig, err, part);
    assert_int_equal(rig.module.acks, 0);
    assert_int_equal(rig.module.request_count, 0);
}

static void a_purged_log_without_an_image(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 1500);
    const int64_t snapshot = container_rig_snapshot(&rig);
    restart();
    made_recording_purge(&rig.recording, LOG_MAKER_SEGMENT_BYTES);
    recovery_fails(rig.log.position, snapshot, OC_ERR_DAMAGED, "has no image of use");
}

/* Nor may the module begin with an empty log beside one that it does not know of any more. */
static void a_log_that_is_not_listed(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    (void)container_rig_snapshot(&rig);
    container_rig_destroy(&rig);
    assert_int_equal(truncate(container_rig_path(&rig, "cluster/recording.log"), 0), 0);
    container_rig_create_fails(&rig, OC_ERR_DAMAGED, "is lost");
    assert_int_equal(unlink(container_rig_path(&rig, "cluster/recording.log")), 0);
    container_rig_create_fails(&rig, OC_ERR_DAMAGED, "is lost");
}

/* A member joins before its module has listed the log, and notes it within the next second. */
static void a_log_that_is_listed_later(void **state)
{
    (void)state;
    const struct timespec pause = {.tv_nsec = 10000000};
    char list[600];
    char aside[608];
    (void)snprintf(list, sizeof list, "%s", container_rig_path(&rig, "cluster/recording.log"));
    (void)snprintf(aside, sizeof aside, "%s.aside", list);
    assert_int_equal(rename(list, aside), 0);
    container_rig_begin(&rig, true);
    live(&rig, 20);
    assert_int_not_equal(access(container_rig_path(&rig, MEMBER_JOINED_FILE), F_OK), 0);
    assert_int_equal(rename(aside, list), 0);
    for (int i = 0; i < 3000 && !rig.container->joined_noted; i++) {
        container_rig_run(&rig);
        (void)nanosleep(&pause, NULL);
    }
    assert_int_equal(access(container_rig_path(&rig, MEMBER_JOINED_FILE), F_OK), 0);
}

/* What a member once had must not be lost for an empty state, only because its log is. */
static void images_and_no_log(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    container_rig_image(&rig, true);
    container_rig_destroy(&rig);
    assert_int_equal(remove_tree(container_rig_path(&rig, "cluster")), OC_ERR_OK);
    assert_int_equal(remove_tree(container_rig_path(&rig, "archive")), OC_ERR_OK);
    assert_int_equal(container_rig_restart(&rig), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "there is the mark joined, an image"));
}

static void a_beginning_that_is_none(void **state)
{
    (void)state;
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
    rig.module.recovery.position = 640;
    recovery_fails(0, -1, OC_ERR_DAMAGED, "position 640 without a snapshot");
}

static void a_recording_that_is_not_there(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    restart();
    recovery_fails(rig.log.position, 55, OC_ERR_OPEN, "recording 55");
}

static void a_snapshot_that_is_cut(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    (void)container_rig_snapshot(&rig);
    message_tape_remove(&rig.module.tape, rig.module.tape.count - 1);
    const int64_t cut = container_rig_keep_tape(&rig);
    restart();
    recovery_fails(rig.log.position, cut, OC_ERR_TRUNCATED, "the service's snapshot, recording");
}

static void a_snapshot_of_another_position(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    const int64_t snapshot = container_rig_snapshot(&rig);
    live(&rig, 20);
    restart();
    recovery_fails(rig.log.position, snapshot, OC_ERR_DAMAGED, "the service's snapshot, recording");
}

static void a_log_that_leads_elsewhere(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    const uint32_t changed = rig.log.count;
    live(&rig, 20);
    const int64_t snapshot = container_rig_snapshot(&rig);
    restart();
    const uint8_t other = 77;
    /* Frame, headers, then the request: its argument. */
    made_recording_patch(&rig.recording, (int64_t)rig.log.entries[changed].start + 32 + 32 + 8,
                         &other, 1);
    recovery_fails(rig.log.position, snapshot, OC_ERR_DAMAGED, "the log leads to state");
    assert_non_null(strstr(oc_err_context(), "it is another log than the snapshot's"));
    assert_non_null(strstr(oc_err_context(), "to go on, move images away, so that"));
    assert_non_null(strstr(oc_err_context(), "seed the member anew (outcry cluster seed)"));
}

/* Without images there is no state where the log does not begin with none. */
static void a_purged_log_that_leads_elsewhere(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 1500);
    container_rig_image(&rig, true);
    const uint32_t changed = rig.log.count;
    live(&rig, 20);
    const int64_t snapshot = container_rig_snapshot(&rig);
    restart();
    made_recording_purge(&rig.recording, LOG_MAKER_SEGMENT_BYTES);
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    const uint8_t other = 77;
    made_recording_patch(&rig.recording, (int64_t)rig.log.entries[changed].start + 32 + 32 + 8,
                         &other, 1);
    recovery_fails(rig.log.position, snapshot, OC_ERR_DAMAGED, "to go on, seed the member anew");
}

static void another_configuration(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    const int64_t snapshot = container_rig_snapshot(&rig);
    rig.configuration = "tally 2";
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    recovery_fails(rig.log.position, snapshot, OC_ERR_INVALID_CONFIG, "now it is");
    rig.configuration = NULL;
    rig.config.node.max_timers = 32;
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    recovery_fails(rig.log.position, snapshot, OC_ERR_INVALID_CONFIG, "max_timers");
}

static void an_image_of_another_configuration(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    container_rig_image(&rig, true);
    container_rig_destroy(&rig);
    rig.configuration = "tally 2";
    container_rig_create_fails(&rig, OC_ERR_INVALID_CONFIG, "now it is");
}

/* ---- Images of another cluster ---- */

/* A member of another cluster, whose log is as long; its images come here. */
static void take_images_of_another(int64_t count)
{
    static container_rig_t other;
    char from[600];
    container_rig_init(&other, CONTAINER_RIG_ARENA);
    other.log.timestamp++;
    container_rig_begin(&other, true);
    live(&other, count);
    container_rig_image(&other, true);
    container_rig_destroy(&other);
    container_rig_destroy(&rig);
    (void)snprintf(from, sizeof from, "%s", container_rig_path(&other, "images"));
    assert_int_equal(remove_tree(container_rig_path(&rig, "images")), OC_ERR_OK);
    assert_int_equal(rename(from, container_rig_path(&rig, "images")), 0);
    container_rig_fini(&other);
    assert_int_equal(container_rig_restart(&rig), OC_ERR_OK);
    assert_int_equal(rig.container->image_sequence, 1);
}

static void an_image_of_another_cluster_before_the_snapshot(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 40);
    container_rig_image(&rig, true);
    live(&rig, 40);
    const int64_t snapshot = container_rig_snapshot(&rig);
    take_images_of_another(40);
    recovery_fails(rig.log.position, snapshot, OC_ERR_DAMAGED, "another cluster");
}

static void an_image_of_another_cluster_behind_the_snapshot(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 20);
    const int64_t snapshot = container_rig_snapshot(&rig);
    const uint64_t position = rig.log.position;
    live(&rig, 40);
    container_rig_image(&rig, true);
    take_images_of_another(40);
    recovery_fails(position, snapshot, OC_ERR_DAMAGED, "another cluster");
}

static void an_image_of_another_cluster_without_a_snapshot(void **state)
{
    (void)state;
    container_rig_begin(&rig, true);
    live(&rig, 40);
    container_rig_image(&rig, true);
    take_images_of_another(40);
    container_rig_recover(&rig, 0, -1);
    fake_module_join(&rig.module, 0, rig.log.position, true, false);
    fake_module_commit(&rig.module);
    container_rig_run_fails(&rig, OC_ERR_DAMAGED, "is not of this log");
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, setup, container_rig_teardown, &rig)
#define STREAM_TEST(name)                                                                          \
    cmocka_unit_test_prestate_setup_teardown(name, container_rig_setup, container_rig_teardown,    \
                                             &rig)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_whole_log),
        TEST(an_image_before_the_snapshot),
        STREAM_TEST(an_image_before_the_snapshot),
        TEST(an_image_at_the_snapshot),
        TEST(an_image_behind_the_snapshot),
        STREAM_TEST(an_image_behind_the_snapshot),
        TEST(an_image_without_a_snapshot),
        TEST(a_chain_of_images),
        TEST(no_image_and_a_manifest),
        STREAM_TEST(no_image_and_the_state_in_the_archive),
        STREAM_TEST(the_state_in_the_archive_and_other_tables),
        TEST(a_snapshot_that_is_passed_over),
        TEST(a_snapshot_that_is_replayed),
        TEST(closes_that_were_asked_for),
        TEST(a_damaged_image_and_an_older_one),
        TEST(only_a_damaged_image),
        TEST(an_image_beyond_the_recording),
        STREAM_TEST(an_image_before_the_recording),
        TEST(a_purged_log_without_an_image),
        TEST(a_log_that_is_not_listed),
        TEST(a_log_that_is_listed_later),
        TEST(images_and_no_log),
        TEST(a_beginning_that_is_none),
        TEST(a_recording_that_is_not_there),
        TEST(a_snapshot_that_is_cut),
        TEST(a_snapshot_of_another_position),
        TEST(a_log_that_leads_elsewhere),
        TEST(a_purged_log_that_leads_elsewhere),
        TEST(another_configuration),
        TEST(an_image_of_another_configuration),
        TEST(an_image_of_another_cluster_before_the_snapshot),
        TEST(an_image_of_another_cluster_behind_the_snapshot),
        TEST(an_image_of_another_cluster_without_a_snapshot),
    };
    return cmocka_run_group_tests_name("container_recovery", tests, NULL, NULL);
}
