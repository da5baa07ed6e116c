/*
 * Where recordings end, made by hand: what a kill leaves, and what only a loss does. Run by
 * ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/recording.h"
#include "lib/recording_fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TERM     RECORDING_FIXTURE_TERM
#define SEGMENT  RECORDING_FIXTURE_SEGMENT
#define MESSAGES RECORDING_FIXTURE_MESSAGES

static void segment_path(const recording_fixture_t *self, int64_t base, char path[400])
{
    (void)snprintf(path, 400, "%s/1-%" PRId64 ".rec", self->archive, base);
}

static void zero(const recording_fixture_t *self, int64_t position, size_t length)
{
    static const uint8_t zeros[8192];
    assert_true(length <= sizeof zeros);
    made_recording_patch(&self->recording, position, zeros, length);
}

/* ---- What a kill leaves ---- */

static int64_t end_from(const recording_fixture_t *self, int64_t from)
{
    int64_t end = -1;
    if (recording_end(self->archive, self->recording.id, from, &end) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    return end;
}

static void the_end_is_found(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 96, 0); /* killed before anything was appended */
    assert_int_equal(end_from(&fixture, 0), 96);
    made_recording_stop(&fixture.recording);
    assert_int_equal(end_from(&fixture, 0), 96);
    recording_fixture_fini(&fixture);
    for (uint64_t count = 1; count < 300; count += 13) {
        recording_fixture_init(&fixture, 96, count);
        const int64_t end = fixture.recording.position;
        assert_int_equal(end_from(&fixture, 0), end);
        assert_int_equal(end_from(&fixture, fixture.ends[count / 2]), end);
        assert_int_equal(end_from(&fixture, end), end);
        made_recording_stop(&fixture.recording);
        (void)made_recording_frame(&fixture.recording, 0xC0, 1, "x", 1);
        assert_int_equal(end_from(&fixture, 0), end);
        assert_int_equal(end_from(&fixture, end), end);
        recording_fixture_fini(&fixture);
    }
}

/* The last frame's pages after the first one were never written: it is not whole. */
static void a_torn_frame_is_no_end(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 0);
    static uint8_t bytes[1300];
    memset(bytes, 9, sizeof bytes);
    int64_t before = 0;
    int64_t end;
    while ((end = made_recording_append(&fixture.recording, bytes, sizeof bytes)) < 4096 + 64)
        before = end;
    assert_true(before < 4096);
    assert_int_equal(end_from(&fixture, 0), end);
    static const uint8_t zeros[4096];
    made_recording_patch(&fixture.recording, 4096, zeros, (size_t)(end - 4096));
    assert_int_equal(end_from(&fixture, 0), before);
    (void)made_recording_append(&fixture.recording, bytes, 8); /* others follow: it was zeros */
    assert_int_equal(end_from(&fixture, 0), fixture.recording.position);
    recording_fixture_fini(&fixture);
}

/* A page that is nothing but zeros may be what was recorded, which a frame's checksum tells. Nor is
 * padding torn, of which only the header is written. */
static void zeros_may_be_what_was_recorded(void **state)
{
    (void)state;
    static const uint8_t bytes[1300];
    for (int checked = 0; checked < 2; checked++) {
        recording_fixture_t fixture;
        recording_fixture_init(&fixture, 0, 0);
        fixture.recording.checked = checked;
        int64_t before = 0;
        int64_t end;
        while ((end = made_recording_append(&fixture.recording, bytes, sizeof bytes)) < 4096 + 64)
            before = end;
        assert_int_equal(end_from(&fixture, 0), checked ? end : before);
        recording_fixture_fini(&fixture);
    }
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 30);
    const size_t rest = (size_t)(TERM - fixture.recording.position % TERM);
    assert_true(rest > 8192);
    (void)made_recording_frame(&fixture.recording, 0xC0, 0, NULL, rest - 32);
    assert_int_equal(end_from(&fixture, 0), TERM);
    recording_fixture_fini(&fixture);
}

/* The next segment is made once the one before is full, and then given its length. */
static void a_full_segment_may_be_the_last(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    char path[400];
    recording_fixture_init(&fixture, 96, 600);
    const int64_t base = fixture.recording.position / SEGMENT * SEGMENT;
    segment_path(&fixture, base, path);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(end_from(&fixture, 0), base);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(end_from(&fixture, 0), base);
    fixture.recording.position = base;
    made_recording_stop(&fixture.recording);
    assert_int_equal(end_from(&fixture, 0), base);
    recording_fixture_fini(&fixture);
}

/* ---- What only a loss does ---- */

static void refuse_end(const recording_fixture_t *self, int64_t base, const char *text)
{
    char path[400];
    int64_t end;
    segment_path(self, base, path);
    assert_int_equal(recording_end(self->archive, 1, 0, &end), OC_ERR_DAMAGED);
    if (!strstr(oc_err_context(), path) || !strstr(oc_err_context(), text))
        fail_msg("'%s' does not name %s and say '%s'", oc_err_context(), path, text);
    if (!strstr(oc_err_context(), "seed"))
        fail_msg("'%s' does not say what to do", oc_err_context());
}

static void refuse_stopped(const recording_fixture_t *self, int64_t from, int64_t base,
                           const char *text)
{
    char path[400];
    int64_t end;
    (void)snprintf(path, sizeof path, "%s/1-%" PRId64 ".rec", self->archive, base);
    assert_int_equal(recording_end(self->archive, 1, from, &end), OC_ERR_DAMAGED);
    if (!strstr(oc_err_context(), path) || !strstr(oc_err_context(), text))
        fail_msg("'%s' does not name %s and say '%s'", oc_err_context(), path, text);
    assert_non_null(strstr(oc_err_context(), "seed"));
}

/* Where the catalog knows the end, a last segment that is gone, empty or cut is no shorter log. */
static void a_stopped_recording_reaches_its_stop(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    char path[400];
    int64_t end;
    recording_fixture_init(&fixture, 96, 700);
    made_recording_stop(&fixture.recording);
    const int64_t stop = fixture.recording.position;
    const int64_t base = stop / SEGMENT * SEGMENT;
    assert_true(base >= 2 * SEGMENT);
    assert_int_equal(recording_end(fixture.archive, 1, 0, &end), OC_ERR_OK);
    assert_int_equal(end, stop);
    (void)snprintf(path, sizeof path, "%s/1-%" PRId64 ".rec", fixture.archive, base);
    assert_int_equal(truncate(path, fixture.ends[698] - base), 0);
    refuse_stopped(&fixture, 0, base, "before the stop position");
    refuse_stopped(&fixture, stop, base, "before the stop position");
    assert_int_equal(truncate(path, 0), 0);
    refuse_stopped(&fixture, 0, base, "is empty");
    assert_int_equal(unlink(path), 0);
    refuse_stopped(&fixture, 0, base, "is not there");
    refuse_stopped(&fixture, base, base, "is not there");
    refuse_stopped(&fixture, stop, base, "is not there");
    recording_fixture_fini(&fixture);
}

/* All that has something of a recording, and its first segment. */
static void lost_segments_are_told(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    char path[400];
    for (uint64_t count = 0; count < 100; count += 99) {
        recording_fixture_init(&fixture, 96, count);
        segment_path(&fixture, 0, path);
        assert_int_equal(truncate(path, 0), 0);
        refuse_end(&fixture, 0, "is empty");
        assert_int_equal(unlink(path), 0);
        refuse_end(&fixture, 0, "is not there");
        recording_fixture_fini(&fixture);
    }
    for (int64_t lost = 0; lost < 3 * SEGMENT; lost += SEGMENT) {
        for (int stopped = 0; stopped < 2; stopped++) {
            recording_fixture_init(&fixture, 96, 600);
            assert_int_equal(fixture.recording.position / SEGMENT, 3);
            if (stopped)
                made_recording_stop(&fixture.recording);
            segment_path(&fixture, lost, path);
            assert_int_equal(unlink(path), 0);
            refuse_end(&fixture, lost, "is not there");
            recording_fixture_fini(&fixture);
        }
    }
}

static void zeros_at_the_beginning_are_told(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    for (uint64_t count = 80; count <= 600; count += 520) {
        recording_fixture_init(&fixture, 0, count);
        const int64_t base = fixture.recording.position / SEGMENT * SEGMENT;
        zero(&fixture, base, 4096);
        refuse_end(&fixture, base, "nothing is written here, before more at position");
        recording_fixture_fini(&fixture);
    }
}

/* Wherever zeros are, with something behind them: a page, a frame, a frame's length alone. */
static void zeros_in_the_middle_are_told(void **state)
{
    (void)state;
    static const size_t lengths[] = {4096, 32, 4};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        recording_fixture_t fixture;
        recording_fixture_init(&fixture, 96, 90);
        zero(&fixture, fixture.ends[49], lengths[i]);
        refuse_end(&fixture, 0, "nothing is written here, before more at position");
        recording_fixture_fini(&fixture);
        recording_fixture_init(&fixture, 96, 90); /* of the last frame */
        zero(&fixture, fixture.ends[88], lengths[i] == 4096 ? 32 : lengths[i]);
        refuse_end(&fixture, 0, "nothing is written here, before more at position");
        recording_fixture_fini(&fixture);
    }
}

/* Who reads the message can go on without the rest. */
static void the_end_can_be_made_anew(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    char path[400];
    char command[64];
    recording_fixture_init(&fixture, 96, 90);
    zero(&fixture, fixture.ends[49], 64);
    (void)snprintf(command, sizeof command, "truncate -s %" PRId64 ", then -s %d", fixture.ends[49],
                   SEGMENT);
    refuse_end(&fixture, 0, command);
    segment_path(&fixture, 0, path);
    assert_int_equal(truncate(path, fixture.ends[49]), 0);
    assert_int_equal(end_from(&fixture, 0), fixture.ends[49]);
    assert_int_equal(truncate(path, SEGMENT), 0);
    assert_int_equal(end_from(&fixture, 0), fixture.ends[49]);
    recording_fixture_fini(&fixture);
}

static void no_frame_lies_across_the_stop(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 96, 90);
    fixture.recording.position -= 32;
    made_recording_stop(&fixture.recording);
    refuse_end(&fixture, 0, "a frame goes beyond the stop position");
    recording_fixture_fini(&fixture);
}

/* An archive that starts takes a hole for the end. Frames that follow a stop at once are of a write
 * or a truncation that was not finished. */
static void a_stop_may_be_a_hole(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    for (int64_t start = 0; start < 2; start++) {
        recording_fixture_init(&fixture, 0, 90);
        const int64_t end = fixture.recording.position;
        fixture.recording.position = start ? 0 : fixture.ends[49];
        made_recording_stop(&fixture.recording);
        assert_int_equal(end_from(&fixture, 0), fixture.recording.position);
        zero(&fixture, fixture.recording.position, 64);
        refuse_end(&fixture, 0, "nothing is written here, before more at position");
        fixture.recording.position = end;
        recording_fixture_fini(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_found),
        cmocka_unit_test(a_torn_frame_is_no_end),
        cmocka_unit_test(zeros_may_be_what_was_recorded),
        cmocka_unit_test(a_full_segment_may_be_the_last),
        cmocka_unit_test(a_stopped_recording_reaches_its_stop),
        cmocka_unit_test(lost_segments_are_told),
        cmocka_unit_test(zeros_at_the_beginning_are_told),
        cmocka_unit_test(zeros_in_the_middle_are_told),
        cmocka_unit_test(the_end_can_be_made_anew),
        cmocka_unit_test(no_frame_lies_across_the_stop),
        cmocka_unit_test(a_stop_may_be_a_hole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
