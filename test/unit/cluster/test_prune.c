/*
 * What may go of a member's log, and what must not; and that it goes. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/prune.h"
#include "lib/member_folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEGMENT ((int64_t)MEMBER_FOLDER_SEGMENT_BYTES)

static prune_options_t options_of(const member_folder_t *member)
{
    return (prune_options_t){.dir = member->dir, .keep_from = PRUNE_NO_NEED, .keep_snapshots = 1};
}

static void plan(const prune_options_t *options, prune_plan_t *made)
{
    if (prune_plan_make(made, options) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

static void refuse(const prune_options_t *options, oc_err_t expected, const char *text)
{
    prune_plan_t made;
    const oc_err_t err = prune_plan_make(&made, options);
    if (err != expected || !strstr(oc_err_context(), text))
        fail_msg("%s: '%s' is not in '%s'", oc_err_text(err), text, oc_err_context());
    prune_plan_fini(&made);
}

/* Six segments, an image and a manifest at given positions. */
static void make(member_folder_t *member, int64_t image, int64_t snapshot)
{
    member_folder_init(member);
    (void)member_folder_grow(member, image < snapshot ? image : snapshot);
    const int64_t first = member->log.position;
    (void)member_folder_grow(member, image < snapshot ? snapshot : image);
    const int64_t second = member->log.position;
    (void)member_folder_image(member, image < snapshot ? first : second, 0, MEMBER_FOLDER_LOG_ID);
    (void)member_folder_snapshot(member, image < snapshot ? second : first, false);
    (void)member_folder_grow(member, 5 * SEGMENT + 1000);
}

static void the_lowest_need_counts(void **state)
{
    (void)state;
    static const struct {
        int64_t image;
        int64_t snapshot;
        int64_t keep_from;
        int64_t below;
    } cases[] = {
        {3 * SEGMENT + 500, 4 * SEGMENT + 500, PRUNE_NO_NEED, 3 * SEGMENT},
        {4 * SEGMENT + 500, 3 * SEGMENT + 500, PRUNE_NO_NEED, 3 * SEGMENT},
        {4 * SEGMENT + 500, 3 * SEGMENT + 500, 2 * SEGMENT + 64, 2 * SEGMENT},
        {4 * SEGMENT + 500, 3 * SEGMENT + 500, 2 * SEGMENT, 2 * SEGMENT},
        {4 * SEGMENT + 500, 3 * SEGMENT + 500, 2 * SEGMENT - 32, SEGMENT},
        {4 * SEGMENT + 500, 3 * SEGMENT + 500, INT64_MAX - 1, 3 * SEGMENT},
        {4 * SEGMENT + 500, 3 * SEGMENT + 500, 0, 0},
        {4 * SEGMENT + 500, 500, PRUNE_NO_NEED, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        member_folder_t member;
        prune_plan_t made;
        make(&member, cases[i].image, cases[i].snapshot);
        prune_options_t options = options_of(&member);
        options.keep_from = cases[i].keep_from;
        plan(&options, &made);
        assert_int_equal(made.below, cases[i].below);
        assert_int_equal(made.segment_count, cases[i].below / SEGMENT);
        for (size_t n = 0; n < made.segment_count; n++)
            assert_int_equal(made.segments[n].base, (int64_t)n * SEGMENT);
        assert_int_equal(made.stale_count, 0);
        assert_int_equal(prune_files(&made, member.dir, true), OC_ERR_OK);
        for (int64_t base = 0; base < 6 * SEGMENT; base += SEGMENT)
            assert_int_equal(member_folder_has(&member, 0, base), base >= cases[i].below);
        assert_true(member_folder_has(&member, 1, 0));
        recording_descriptor_t found;
        assert_int_equal(recording_find(member.archive, 0, &found), OC_ERR_OK);
        assert_int_equal(found.start_position, cases[i].below);
        prune_plan_fini(&made);
        plan(&options, &made); /* once more: nothing */
        assert_int_equal(made.below, cases[i].below);
        assert_int_equal(made.segment_count, 0);
        assert_int_equal(prune_files(&made, member.dir, true), OC_ERR_OK);
        prune_plan_fini(&made);
        member_folder_fini(&member);
    }
}

static void bytes_are_the_devices(void **state)
{
    (void)state;
    member_folder_t member;
    prune_plan_t made;
    make(&member, 3 * SEGMENT, 3 * SEGMENT);
    const prune_options_t options = options_of(&member);
    plan(&options, &made);
    char path[400];
    struct stat info;
    uint64_t bytes = 0;
    for (int64_t base = 0; base < 3 * SEGMENT; base += SEGMENT) {
        (void)snprintf(path, sizeof path, "%s/0-%" PRId64 ".rec", member.archive, base);
        assert_int_equal(stat(path, &info), 0);
        bytes += (uint64_t)info.st_blocks * 512;
    }
    assert_int_equal(prune_bytes(made.segments, made.segment_count), bytes);
    assert_int_equal(prune_bytes(NULL, 0), 0);
    prune_plan_fini(&made);
    member_folder_fini(&member);
}

static void older_images_and_snapshots_are_kept(void **state)
{
    (void)state;
    member_folder_t member;
    prune_plan_t made;
    member_folder_init(&member);
    const int64_t oldest = member_folder_grow(&member, SEGMENT + 100);
    (void)member_folder_snapshot(&member, oldest, false);
    const int64_t older = member_folder_grow(&member, 2 * SEGMENT + 100);
    (void)member_folder_snapshot(&member, older, false);
    const int64_t old = member_folder_grow(&member, 3 * SEGMENT + 100);
    const uint64_t first = member_folder_image(&member, old, 0, MEMBER_FOLDER_LOG_ID);
    const int64_t newest = member_folder_grow(&member, 4 * SEGMENT + 100);
    (void)member_folder_snapshot(&member, newest, false);
    (void)member_folder_image(&member, newest, first, MEMBER_FOLDER_LOG_ID);
    prune_options_t options = options_of(&member);
    plan(&options, &made);
    assert_int_equal(made.image_need, old);
    assert_int_equal(made.snapshot_need, newest);
    assert_int_equal(made.below, 3 * SEGMENT);
    prune_plan_fini(&made);
    options.keep_snapshots = 2;
    plan(&options, &made);
    assert_int_equal(made.snapshot_need, older);
    assert_int_equal(made.below, 2 * SEGMENT);
    prune_plan_fini(&made);
    options.keep_snapshots = 9;
    plan(&options, &made);
    assert_int_equal(made.snapshot_need, oldest);
    assert_int_equal(made.below, SEGMENT);
    prune_plan_fini(&made);
    member_folder_fini(&member);
}

static void without_a_start_nothing_goes(void **state)
{
    (void)state;
    member_folder_t member;
    member_folder_init(&member);
    prune_options_t options = options_of(&member);
    const int64_t end = member_folder_grow(&member, 3 * SEGMENT);
    refuse(&options, OC_ERR_REFUSED, "there is no official snapshot");
    refuse(&options, OC_ERR_REFUSED, "take one (outcry cluster snapshot --dir ");
    refuse(&options, OC_ERR_REFUSED, "then an image (outcry snapshot take ");
    (void)member_folder_image(&member, end, 0, MEMBER_FOLDER_LOG_ID);
    refuse(&options, OC_ERR_REFUSED, "there is no official snapshot");
    assert_null(strstr(oc_err_context(), "then an image"));
    member_folder_fini(&member);

    make(&member, 3 * SEGMENT, 3 * SEGMENT);
    options = options_of(&member);
    char path[400];
    (void)snprintf(path, sizeof path, "%s/images", member.dir);
    char aside[400];
    (void)snprintf(aside, sizeof aside, "%s/aside", member.dir);
    assert_int_equal(rename(path, aside), 0);
    refuse(&options, OC_ERR_REFUSED, "there is no image");
    member_folder_fini(&member);
}

/* Only its last file is there, which stays: nothing is to be taken before. */
static void a_young_log_needs_no_start(void **state)
{
    (void)state;
    member_folder_t member;
    prune_plan_t made;
    member_folder_init(&member);
    const prune_options_t options = options_of(&member);
    plan(&options, &made);
    assert_int_equal(prune_need(&made), PRUNE_NO_NEED);
    assert_int_equal(made.log_end, member.log.position);
    assert_int_equal(prune_file_end(&made), SEGMENT);
    assert_int_equal(made.below, 0);
    assert_int_equal(made.segment_count, 0);
    assert_int_equal(prune_files(&made, member.dir, true), OC_ERR_OK);
    assert_true(member_folder_has(&member, 0, 0));
    prune_plan_fini(&made);
    const int64_t position = member_folder_grow(&member, SEGMENT / 2);
    (void)member_folder_snapshot(&member, position, false); /* which needs an image */
    plan(&options, &made);
    assert_int_equal(prune_need(&made), position);
    assert_int_equal(made.segment_count, 0);
    prune_plan_fini(&made);
    (void)member_folder_grow(&member, SEGMENT + 100);
    refuse(&options, OC_ERR_REFUSED, "there is no image");
    (void)member_folder_image(&member, position, 0, MEMBER_FOLDER_LOG_ID);
    plan(&options, &made);
    assert_int_equal(made.segment_count, 0);
    prune_plan_fini(&made);
    member_folder_fini(&member);
}

/* The state is in the snapshot itself. */
static void a_stream_needs_no_image(void **state)
{
    (void)state;
    member_folder_t member;
    prune_plan_t made;
    member_folder_init(&member);
    const int64_t position = member_folder_grow(&member, 3 * SEGMENT);
    (void)member_folder_snapshot(&member, position, true);
    const prune_options_t options = options_of(&member);
    plan(&options, &made);
    assert_int_equal(made.image_need, PRUNE_NO_NEED);
    assert_int_equal(made.below, 3 * SEGMENT);
    prune_plan_fini(&made);
    member_folder_fini(&member);
}

static void damage_image(const member_folder_t *member, uint64_t sequence)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/images/%016" PRIx64 ".image", member->dir, sequence);
    if (access(path, F_OK) != 0)
        (void)snprintf(path, sizeof path, "%s/images/%016" PRIx64 ".pages", member->dir, sequence);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 3 * 4096, SEEK_SET), 0);
    assert_true(fputs("broken", file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void what_is_damaged_is_no_start(void **state)
{
    (void)state;
    member_folder_t member;
    make(&member, 3 * SEGMENT, 3 * SEGMENT);
    prune_options_t options = options_of(&member);
    damage_image(&member, 1);
    refuse(&options, OC_ERR_REFUSED, "no image is whole");
    refuse(&options, OC_ERR_REFUSED, "which needs one: image: "); /* and why it is not */
    member_folder_fini(&member);

    make(&member, 3 * SEGMENT, 3 * SEGMENT);
    options = options_of(&member);
    char path[400];
    (void)snprintf(path, sizeof path, "%s/2-0.rec", member.archive); /* of the module */
    assert_int_equal(truncate(path, 40), 0);
    refuse(&options, OC_ERR_DAMAGED, "2-0.rec");
    member_folder_fini(&member);

    make(&member, 3 * SEGMENT, 3 * SEGMENT);
    options = options_of(&member);
    (void)snprintf(path, sizeof path, "%s/1-0.rec", member.archive); /* of the service */
    assert_int_equal(unlink(path), 0);
    refuse(&options, OC_ERR_DAMAGED, "1-0.rec");
    member_folder_fini(&member);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    member_folder_t member;
    member_folder_init(&member);
    prune_options_t options = options_of(&member);
    int64_t position = member_folder_grow(&member, 3 * SEGMENT);
    (void)member_folder_snapshot(&member, position, false);
    (void)member_folder_image(&member, position, 0, 99);
    refuse(&options, OC_ERR_REFUSED, "another log");
    member_folder_fini(&member);

    member_folder_init(&member);
    options = options_of(&member);
    position = member_folder_grow(&member, SEGMENT) + SEGMENT; /* which the log does not reach */
    (void)member_folder_snapshot(&member, position, true);
    refuse(&options, OC_ERR_DAMAGED, "the log ends at position");
    member_folder_fini(&member);

    options.dir = "nowhere";
    refuse(&options, OC_ERR_OPEN, "nowhere: no member has begun a log there: ");
}

/* Killed between the catalog and the files. */
static void what_a_crash_left_goes_next_time(void **state)
{
    (void)state;
    member_folder_t member;
    prune_plan_t made;
    make(&member, 3 * SEGMENT, 3 * SEGMENT);
    const prune_options_t options = options_of(&member);
    plan(&options, &made);
    made.segment_count = 1; /* it came only so far */
    assert_int_equal(prune_files(&made, member.dir, false), OC_ERR_OK);
    prune_plan_fini(&made);
    assert_true(member_folder_has(&member, 0, SEGMENT));
    plan(&options, &made);
    assert_int_equal(made.recording.start_position, 3 * SEGMENT);
    assert_int_equal(made.segment_count, 2);
    assert_int_equal(prune_files(&made, member.dir, false), OC_ERR_OK);
    prune_plan_fini(&made);
    assert_false(member_folder_has(&member, 0, SEGMENT));
    assert_false(member_folder_has(&member, 0, 2 * SEGMENT));
    assert_true(member_folder_has(&member, 0, 3 * SEGMENT));
    member_folder_fini(&member);
}

static void invalidate(const member_folder_t *member, long entry)
{
    char path[400];
    const uint8_t flag = 0x80;
    (void)snprintf(path, sizeof path, "%s/recording.log", member->cluster);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, entry * 64 + 47, SEEK_SET), 0);
    assert_int_equal(fwrite(&flag, 1, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

static void invalidated_snapshots_go_only_if_asked(void **state)
{
    (void)state;
    member_folder_t member;
    prune_plan_t made;
    make(&member, 3 * SEGMENT, 3 * SEGMENT);
    const int64_t end = member_folder_grow(&member, member.log.position + 1000);
    (void)member_folder_snapshot(&member, end, false); /* recordings 3 and 4, entries 3 and 4 */
    invalidate(&member, 3);
    invalidate(&member, 4);
    const prune_options_t options = options_of(&member);
    plan(&options, &made);
    assert_true(made.snapshot_need < end);
    assert_int_equal(made.stale_count, 2);
    assert_int_equal(made.stale[0].recording, 3);
    assert_int_equal(made.stale[1].recording, 4);
    assert_true(prune_bytes(made.stale, 2) > 0);
    assert_int_equal(prune_files(&made, member.dir, false), OC_ERR_OK);
    assert_true(member_folder_has(&member, 3, 0));
    prune_plan_fini(&made);
    plan(&options, &made);
    assert_int_equal(prune_files(&made, member.dir, true), OC_ERR_OK);
    prune_plan_fini(&made);
    assert_false(member_folder_has(&member, 3, 0));
    assert_false(member_folder_has(&member, 4, 0));
    assert_true(member_folder_has(&member, 1, 0));
    recording_descriptor_t found;
    assert_int_equal(recording_find(member.archive, 4, &found), OC_ERR_OPEN);
    plan(&options, &made);
    assert_int_equal(made.stale_count, 0);
    prune_plan_fini(&made);
    member_folder_fini(&member);
}

/* Its bytes are in use: an entry that was used again has the same recording. */
static void a_recording_in_use_is_not_stale(void **state)
{
    (void)state;
    member_folder_t member;
    prune_plan_t made;
    make(&member, 3 * SEGMENT, 3 * SEGMENT);
    const recording_log_entry_t entries[] = {
        {.recording = 1, .log_position = 96, .type = RECORDING_LOG_SNAPSHOT, .valid = false},
        {.recording = 0, .log_position = 96, .type = RECORDING_LOG_SNAPSHOT, .valid = false},
        {.recording = 77, .log_position = 96, .type = RECORDING_LOG_SNAPSHOT, .valid = false}};
    archive_maker_log(member.cluster, entries, 3);
    const prune_options_t options = options_of(&member);
    plan(&options, &made);
    assert_int_equal(made.stale_count, 0);
    prune_plan_fini(&made);
    member_folder_fini(&member);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_need_counts),
        cmocka_unit_test(bytes_are_the_devices),
        cmocka_unit_test(older_images_and_snapshots_are_kept),
        cmocka_unit_test(without_a_start_nothing_goes),
        cmocka_unit_test(a_young_log_needs_no_start),
        cmocka_unit_test(a_stream_needs_no_image),
        cmocka_unit_test(what_is_damaged_is_no_start),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(what_a_crash_left_goes_next_time),
        cmocka_unit_test(invalidated_snapshots_go_only_if_asked),
        cmocka_unit_test(a_recording_in_use_is_not_stale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
