/*
 * The log as it was recorded, and what of it only who knows a log can tell to be wrong. Run by
 * ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/log_reader.h"
#include "lib/log_maker.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <string.h>

static temp_dir_t dir;
static char archive[300];
static archive_maker_t maker;
static made_recording_t recording;
static log_maker_t log_made;

static int set_up(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    (void)snprintf(archive, sizeof archive, "%s/archive", dir.path);
    archive_maker_init(&maker, archive);
    archive_maker_record(&maker, &recording, 0, LOG_MAKER_TERM_BYTES, LOG_MAKER_SEGMENT_BYTES);
    log_maker_init(&log_made, &recording);
    (void)log_maker_term(&log_made, 0);
    (void)log_maker_open(&log_made, 1, "alice");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    log_maker_fini(&log_made);
    temp_dir_remove(&dir);
    return 0;
}

/* Reads entries; `bad` is where damage must be told, and how; -1: nowhere. */
static void read_all(int64_t entries, int64_t bad, const char *text)
{
    recording_reader_t *reader;
    recording_message_t message;
    bool found = true;
    assert_int_equal(recording_reader_open(&reader, archive, 0, 0), OC_ERR_OK);
    for (int64_t n = 0; n < entries; n++) {
        const oc_err_t err = log_reader_next(reader, INT64_MAX, &message, &found);
        assert_int_equal(found, n != bad);
        assert_int_equal(err, n == bad ? OC_ERR_DAMAGED : OC_ERR_OK);
        if (n == bad)
            break;
    }
    if (bad >= 0 && (!strstr(oc_err_context(), text) || !strstr(oc_err_context(), "0-0.rec")))
        fail_msg("'%s' is not in '%s'", text, oc_err_context());
    if (bad < 0) {
        assert_int_equal(log_reader_next(reader, INT64_MAX, &message, &found), OC_ERR_OK);
        assert_false(found);
    }
    recording_reader_close(reader);
}

static void change_byte(int64_t position, uint8_t byte)
{
    made_recording_patch(&recording, position, &byte, 1);
}

/* A part that a dying leader has left. */
static void leave_part(void)
{
    static const uint8_t part[LOG_MAKER_MTU - 32] = {1};
    log_made.position = (uint64_t)made_recording_frame(&recording, 0x80, 1, part, sizeof part);
}

static void a_log_is_read(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 1500; i++)
        (void)log_maker_request(&log_made, 1, TALLY_ADD, i, 0);
    (void)log_maker_timer(&log_made);
    (void)log_maker_snapshot(&log_made);
    (void)log_maker_close(&log_made, 1, 0);
    (void)log_maker_bytes(&log_made, "of no protocol", 14);
    read_all(1506, -1, NULL);
}

static void a_leader_may_die_in_a_message(void **state)
{
    (void)state;
    leave_part();
    (void)log_maker_term(&log_made, 1);
    (void)log_maker_timer(&log_made);
    read_all(4, -1, NULL);
}

/* Else it was whole once. */
static void but_another_one_must_follow(void **state)
{
    (void)state;
    leave_part();
    (void)log_maker_timer(&log_made);
    (void)log_maker_term(&log_made, 1);
    read_all(4, 2, "a message without an end, and no change of leader");
}

/* Up to the next frame, where no checksum tells. */
static void entries_have_a_length(void **state)
{
    (void)state;
    const uint64_t timer = log_made.position;
    (void)log_maker_timer(&log_made);
    const uint64_t after = log_made.position;
    assert_int_equal(after - timer, 64);
    read_all(3, -1, NULL);
    change_byte((int64_t)timer, 64); /* no longer, it fills its frame */
    read_all(3, -1, NULL);
    (void)log_maker_close(&log_made, 1, 0); /* 8 + 28 */
    assert_int_equal(log_made.position - after, 96);
    read_all(4, -1, NULL);
    change_byte((int64_t)after, 32 + 8 + 28 + 1);
    read_all(4, 3, "longer than it says");
    change_byte((int64_t)after, 96);
    read_all(4, 3, "longer than it says");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_log_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_leader_may_die_in_a_message, set_up, tear_down),
        cmocka_unit_test_setup_teardown(but_another_one_must_follow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(entries_have_a_length, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
