/*
 * A member's directory, looked over: its log, snapshots of which kind, images that are whole. Run
 * by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/member_survey.h"
#include "lib/member_folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void survey_of(member_survey_t *survey, const member_folder_t *member)
{
    if (member_survey_init(survey, member->dir) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

static void snapshots_are_found_newest_first(void **state)
{
    (void)state;
    member_folder_t member;
    member_survey_t survey;
    member_snapshot_found_t snapshot;
    bool found;
    member_folder_init(&member);
    const int64_t first = member_folder_grow(&member, 5000);
    (void)member_folder_snapshot(&member, first, false);
    const int64_t second = member_folder_grow(&member, 9000);
    (void)member_folder_snapshot(&member, second, true);
    survey_of(&survey, &member);
    assert_int_equal(survey.recording.id, member.log.id);
    assert_int_equal(member_survey_snapshot(&survey, 0, &snapshot, &found), OC_ERR_OK);
    assert_true(found && snapshot.is_stream);
    assert_int_equal(snapshot.module.log_position, second);
    assert_int_equal(snapshot.log_id, MEMBER_FOLDER_LOG_ID);
    assert_int_equal(member_survey_snapshot(&survey, 1, &snapshot, &found), OC_ERR_OK);
    assert_true(found && !snapshot.is_stream);
    assert_int_equal(snapshot.service.log_position, first);
    assert_int_equal(member_survey_snapshot(&survey, 2, &snapshot, &found), OC_ERR_OK);
    assert_false(found);
    member_survey_fini(&survey);
    member_folder_fini(&member);
}

/* A snapshot without its end is none, whatever recording.log says. */
static void half_a_snapshot_is_told(void **state)
{
    (void)state;
    member_folder_t member;
    member_survey_t survey;
    member_snapshot_found_t snapshot;
    bool found;
    member_folder_init(&member);
    made_recording_t half;
    archive_maker_record(&member.maker, &half, 0, MEMBER_FOLDER_TERM_BYTES,
                         MEMBER_FOLDER_SEGMENT_BYTES);
    (void)made_recording_append(&half, "no marker", 9);
    made_recording_stop(&half);
    recording_log_entry_t entries[2] = {{.recording = half.id,
                                         .log_position = 96,
                                         .service = 0,
                                         .type = RECORDING_LOG_SNAPSHOT,
                                         .valid = true}};
    entries[1] = entries[0];
    entries[1].service = -1;
    archive_maker_log(member.cluster, entries, 2);
    survey_of(&survey, &member);
    assert_int_equal(member_survey_snapshot(&survey, 0, &snapshot, &found), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "no whole snapshot of a module"));
    member_survey_fini(&survey);
    member_folder_fini(&member);
}

static void a_damaged_image_is_passed_over(void **state)
{
    (void)state;
    member_folder_t member;
    member_survey_t survey;
    const image_info_t *image;
    char path[400];
    member_folder_init(&member);
    survey_of(&survey, &member);
    assert_int_equal(member_survey_image(&survey, &image), OC_ERR_OK);
    assert_null(image);
    assert_int_equal(member_survey_oldest_image(&survey), INT64_MAX);
    member_survey_fini(&survey);
    for (int i = 1; i <= 2; i++)
        (void)member_folder_image(&member, i * 320, 0, MEMBER_FOLDER_LOG_ID);
    for (uint64_t sequence = 2; sequence > 0; sequence--) {
        survey_of(&survey, &member);
        assert_int_equal(member_survey_image(&survey, &image), OC_ERR_OK);
        assert_int_equal(image->sequence, sequence);
        assert_int_equal(member_survey_oldest_image(&survey), 320);
        member_survey_fini(&survey);
        (void)snprintf(path, sizeof path, "%s/images/%016" PRIx64 ".pages", member.dir, sequence);
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, 2 * 4096 + 10, SEEK_SET), 0);
        assert_true(fputs("broken", file) >= 0);
        (void)fclose(file);
    }
    survey_of(&survey, &member);
    assert_int_equal(member_survey_image(&survey, &image), OC_ERR_DAMAGED);
    assert_null(image);
    member_survey_fini(&survey);
    member_folder_fini(&member);
}

static void no_member_is_told(void **state)
{
    (void)state;
    member_survey_t survey;
    assert_int_equal(member_survey_init(&survey, "nowhere"), OC_ERR_OPEN);
    member_survey_fini(&survey);
    member_folder_t member;
    member_folder_init(&member);
    made_recording_state(&member.log, 0);
    assert_int_equal(member_survey_init(&survey, member.dir), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "not in the catalog"));
    member_survey_fini(&survey);
    member_folder_fini(&member);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshots_are_found_newest_first),
        cmocka_unit_test(half_a_snapshot_is_told),
        cmocka_unit_test(a_damaged_image_is_passed_over),
        cmocka_unit_test(no_member_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
