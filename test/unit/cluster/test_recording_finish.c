/*
 * Recordings that a kill has left open, made by hand, and ended. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/recording.h"
#include "cluster/recording_finish.h"
#include "lib/archive_maker.h"
#include "lib/temp_dir.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TERM    65536
#define SEGMENT 131072

typedef struct fixture {
    temp_dir_t dir;
    char archive[300];
    archive_maker_t maker;
    made_recording_t recording;
} fixture_t;

static void set_up(fixture_t *self, int64_t to)
{
    uint8_t bytes[ARCHIVE_SAMPLE_MAX];
    temp_dir_make(&self->dir);
    (void)snprintf(self->archive, sizeof self->archive, "%s/archive", self->dir.path);
    archive_maker_init(&self->maker, self->archive);
    archive_maker_record(&self->maker, &self->recording, 96, TERM, SEGMENT);
    self->recording.checked = true;
    for (uint64_t n = 0; self->recording.position < to; n++)
        (void)made_recording_append(&self->recording, bytes, archive_sample(n, bytes));
}

static void tear_down(const fixture_t *self)
{
    temp_dir_remove(&self->dir);
}

static const char *segment_path(const fixture_t *self, int64_t base)
{
    static char path[400];
    (void)snprintf(path, sizeof path, "%s/0-%" PRId64 ".rec", self->archive, base);
    return path;
}

/* It ends at `end`, where `cut` says whether something was taken away, and the segment is whole; a
 * second time there is nothing to do. */
static void finish_at(const fixture_t *self, int64_t end, bool cut)
{
    static uint8_t bytes[SEGMENT];
    for (int again = 0; again < 2; again++) {
        int64_t at;
        recording_descriptor_t found;
        if (recording_finish(self->archive, 0, &at) != OC_ERR_OK)
            fail_msg("%s", oc_err_context());
        assert_int_equal(at, cut && !again ? end : -1);
        assert_int_equal(recording_find(self->archive, 0, &found), OC_ERR_OK);
        assert_int_equal(found.stop_position, end);
        FILE *file = fopen(segment_path(self, end / SEGMENT * SEGMENT), "rb");
        assert_non_null(file);
        assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
        assert_int_equal(fgetc(file), EOF);
        (void)fclose(file);
        for (int64_t i = end % SEGMENT; i < SEGMENT; i++)
            assert_int_equal(bytes[i], 0);
    }
}

static void an_end_is_noted(void **state)
{
    (void)state;
    static const int64_t lengths[] = {0, 5000, TERM, SEGMENT, SEGMENT + 70000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        fixture_t fixture;
        set_up(&fixture, lengths[i]);
        finish_at(&fixture, fixture.recording.position, false);
        tear_down(&fixture);
    }
}

/* Padding is the last where a kill comes before the next term has anything: an archive refuses. */
static void padding_may_be_the_end(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture, 40000);
    const size_t rest = (size_t)(TERM - fixture.recording.position % TERM);
    (void)made_recording_frame(&fixture.recording, 0xC0, 0, NULL, rest - 32);
    finish_at(&fixture, TERM, false);
    tear_down(&fixture);
}

static void a_torn_frame_is_taken_away(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture, 5000);
    const int64_t before = made_recording_tear(&fixture.recording);
    finish_at(&fixture, before, true);
    tear_down(&fixture);
}

static void a_segment_that_was_not_made_is(void **state)
{
    (void)state;
    for (int empty = 0; empty < 2; empty++) {
        fixture_t fixture;
        set_up(&fixture, 40000);
        while (fixture.recording.position < SEGMENT) {
            const size_t rest = (size_t)(TERM - fixture.recording.position % TERM);
            (void)made_recording_frame(&fixture.recording, 0xC0, 0, NULL, rest - 32);
        }
        if (empty) {
            FILE *file = fopen(segment_path(&fixture, SEGMENT), "wb");
            assert_non_null(file);
            (void)fclose(file);
        }
        finish_at(&fixture, SEGMENT, false);
        tear_down(&fixture);
    }
}

/* Of a write that the device had no room for, or of a truncation that was killed. */
static void what_is_behind_a_stop_is_taken_away(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture, 40000);
    made_recording_stop(&fixture.recording);
    const int64_t stop = fixture.recording.position;
    for (int n = 0; n < 50; n++)
        (void)made_recording_frame(&fixture.recording, 0xC0, 1, "behind", 6);
    finish_at(&fixture, stop, true);
    tear_down(&fixture);
}

static void refuse(const fixture_t *self, const char *part)
{
    int64_t cut;
    assert_int_equal(recording_finish(self->archive, 0, &cut), OC_ERR_DAMAGED);
    if (!strstr(oc_err_context(), part) || !strstr(oc_err_context(), "seed"))
        fail_msg("'%s' does not say '%s', and what to do", oc_err_context(), part);
    assert_int_equal(cut, -1);
}

static void what_is_lost_is_left_as_it_is(void **state)
{
    (void)state;
    static const uint8_t zeros[64];
    fixture_t fixture;
    recording_descriptor_t found;
    struct stat info;
    set_up(&fixture, SEGMENT + 40000);
    made_recording_patch(&fixture.recording, SEGMENT, zeros, sizeof zeros);
    refuse(&fixture, "nothing is written here, before more");
    assert_int_equal(unlink(segment_path(&fixture, 0)), 0);
    assert_int_equal(truncate(segment_path(&fixture, SEGMENT), 0), 0);
    refuse(&fixture, "0-0.rec is not there");
    assert_int_equal(recording_find(fixture.archive, 0, &found), OC_ERR_OK);
    assert_int_equal(found.stop_position, -1);
    assert_int_equal(stat(segment_path(&fixture, SEGMENT), &info), 0);
    assert_int_equal(info.st_size, 0);
    tear_down(&fixture);
    set_up(&fixture, 40000);
    made_recording_stop(&fixture.recording);
    const int64_t stop = fixture.recording.position;
    (void)made_recording_frame(&fixture.recording, 0xC0, 1, "behind", 6);
    fixture.recording.position = SEGMENT;
    (void)made_recording_frame(&fixture.recording, 0xC0, 1, "later", 5);
    refuse(&fixture, "there is a segment behind it, 0-131072.rec");
    assert_int_equal(unlink(segment_path(&fixture, SEGMENT)), 0);
    finish_at(&fixture, stop, true);
    tear_down(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_end_is_noted),
        cmocka_unit_test(padding_may_be_the_end),
        cmocka_unit_test(a_torn_frame_is_taken_away),
        cmocka_unit_test(a_segment_that_was_not_made_is),
        cmocka_unit_test(what_is_behind_a_stop_is_taken_away),
        cmocka_unit_test(what_is_lost_is_left_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
