/*
 * What a start makes of the member's log, before anything of it is applied: what a kill leaves, and
 * what is lost. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/capture.h"
#include "lib/container_rig.h"
#include "lib/replica_rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static container_rig_t rig;

static int setup(void **state)
{
    (void)state;
    container_rig_init(&rig, CONTAINER_RIG_ARENA);
    return 0;
}

/* Some entries of all kinds, timers pending and firing. */
static void live(int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (i % 5 == 1)
            (void)log_maker_request(&rig.log, 1, TALLY_TIMER, i % 40, 200 + i % 900);
        else if (i % 5 == 3)
            (void)log_maker_timer(&rig.log);
        else
            (void)log_maker_request(&rig.log, 1, TALLY_ADD, i, 0);
        rig.log.timestamp += 70;
    }
    container_rig_commit(&rig);
}

/* Before a module runs, and beside one that does. */
static void refuse_the_log(const char *part)
{
    assert_int_equal(container_check_log(&rig.config), OC_ERR_DAMAGED);
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' does not say '%s'", oc_err_context(), part);
    container_rig_create_fails(&rig, OC_ERR_DAMAGED, part);
}

/* Of a member that was killed, and has no image: it would begin with an empty book, or with an
 * older one. */
static void a_log_that_is_gone(void **state)
{
    (void)state;
    static const uint8_t zeros[4096];
    char path[600];
    container_rig_begin(&rig, true);
    live(200);
    container_rig_destroy(&rig);
    (void)snprintf(path, sizeof path, "%s", container_rig_path(&rig, "archive/0-0.rec"));
    assert_int_equal(container_check_log(&rig.config), OC_ERR_OK);
    made_recording_patch(&rig.recording, 8192, zeros, sizeof zeros);
    refuse_the_log("nothing is written here, before more");
    made_recording_patch(&rig.recording, 0, zeros, sizeof zeros);
    refuse_the_log("nothing is written here, before more");
    assert_int_equal(truncate(path, 0), 0);
    refuse_the_log("0-0.rec is empty");
    assert_int_equal(unlink(path), 0);
    refuse_the_log("0-0.rec is not there");
}

/* And of one that was killed before its log had anything. */
static void a_log_that_is_young(void **state)
{
    (void)state;
    assert_int_equal(container_check_log(&rig.config), OC_ERR_OK);
    container_rig_begin(&rig, true);
    container_rig_destroy(&rig);
    assert_int_equal(container_check_log(&rig.config), OC_ERR_OK);
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
}

/* An archive would not start with one; its kill leaves it, of the log and of a snapshot alike. */
static void frames_that_are_torn(void **state)
{
    (void)state;
    char part[200];
    capture_t told;
    made_recording_t other;
    recording_descriptor_t found;
    container_rig_begin(&rig, true);
    live(20);
    container_rig_destroy(&rig);
    archive_maker_record(&rig.archive, &other, 0, LOG_MAKER_TERM_BYTES, LOG_MAKER_SEGMENT_BYTES);
    const int64_t log_end = made_recording_tear(&rig.recording);
    const int64_t other_end = made_recording_tear(&other);
    assert_int_equal(container_check_log(&rig.config), OC_ERR_OK);
    output_capture_begin();
    const oc_err_t err = container_finish_log(&rig.config);
    output_capture_end(&told);
    assert_int_equal(err, OC_ERR_OK);
    (void)snprintf(part, sizeof part,
                   "outcry: member 1: what recording 0 had behind position %" PRId64
                   " was never finished, and is taken away\n"
                   "outcry: member 1: what recording %" PRId64 " had behind position %" PRId64,
                   log_end, other.id, other_end);
    if (!strstr(told.err, part))
        fail_msg("'%s' does not say '%s'", told.err, part);
    assert_int_equal(recording_find(rig.archive.dir, other.id, &found), OC_ERR_OK);
    assert_int_equal(found.stop_position, other_end);
    assert_int_equal(recording_find(rig.archive.dir, 0, &found), OC_ERR_OK);
    assert_int_equal(found.stop_position, log_end);
    assert_int_equal(container_check_log(&rig.config), OC_ERR_OK);
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
}

/* What was in the log when the snapshot was taken is behind its end: zeros. */
static void a_snapshot_beyond_the_log(void **state)
{
    (void)state;
    static const uint8_t zeros[8192];
    container_rig_begin(&rig, true);
    live(20);
    const int64_t kept = (int64_t)rig.log.position;
    live(5);
    recording_log_entry_t snapshots[] = {
        {.log_position = (int64_t)rig.log.position, .type = RECORDING_LOG_SNAPSHOT, .valid = true},
        {.log_position = (int64_t)rig.log.position, .type = RECORDING_LOG_SNAPSHOT, .valid = true}};
    snapshots[1].service = RECORDING_LOG_MODULE;
    container_rig_destroy(&rig);
    archive_maker_log(container_rig_path(&rig, "cluster"), snapshots, 2);
    assert_int_equal(container_check_log(&rig.config), OC_ERR_OK);
    made_recording_patch(&rig.recording, kept, zeros, (size_t)((int64_t)rig.log.position - kept));
    refuse_the_log("has a snapshot of position ");
    assert_non_null(strstr(oc_err_context(), "and its log ends before it, at "));
}

/* Types and flags are in no checksum: an order would be passed over as if it were padding. */
static void a_log_whose_headers_are_changed(void **state)
{
    (void)state;
    static const struct {
        int64_t offset;
        uint8_t byte;
        const char *part;
    } changes[] = {{6, 0, "says it is padding"},
                   {5, 0, "without its beginning"},
                   {5, 0x80, "is short, and not its end"}};
    container_rig_begin(&rig, true);
    live(20);
    const uint32_t changed = rig.log.count;
    live(20);
    container_rig_destroy(&rig);
    const int64_t start = (int64_t)rig.log.entries[changed].start;
    const uint8_t length = (uint8_t)(rig.log.entries[changed].length + 32);
    const uint8_t right[] = {length, 0, 0, 0, 0, 0xC0, 1, 0};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        made_recording_patch(&rig.recording, start + changes[i].offset, &changes[i].byte, 1);
        container_rig_create_fails(&rig, OC_ERR_DAMAGED, changes[i].part);
        made_recording_patch(&rig.recording, start, right, sizeof right);
    }
    assert_int_equal(container_rig_create(&rig), OC_ERR_OK);
}

/* Behind the image, where the module replays, nothing but a frame's checksum tells. */
static void a_log_that_is_not_what_was_recorded(void **state)
{
    (void)state;
    rig.recording.checked = true;
    container_rig_begin(&rig, true);
    live(20);
    container_rig_image(&rig, true);
    const uint32_t changed = rig.log.count;
    live(20);
    container_rig_destroy(&rig);
    const uint8_t other = 77;
    made_recording_patch(&rig.recording, (int64_t)rig.log.entries[changed].start + 32 + 32 + 8,
                         &other, 1);
    container_rig_create_fails(&rig, OC_ERR_DAMAGED, "the checksum of a frame is wrong");
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, setup, container_rig_teardown, &rig)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_log_that_is_gone),
        TEST(a_log_that_is_young),
        TEST(frames_that_are_torn),
        TEST(a_snapshot_beyond_the_log),
        TEST(a_log_whose_headers_are_changed),
        TEST(a_log_that_is_not_what_was_recorded),
    };
    return cmocka_run_group_tests_name("container_log", tests, NULL, NULL);
}
