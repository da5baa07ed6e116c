/*
 * Recordings that the official Java Archive made, read from its files: message by message, over
 * terms and segments, fragmented, purged, extended, and of an archive that was killed. Run by
 * ctest; says SKIP where there is no Java.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/remove_tree.h"
#include "bench/child_process.h"
#include "cluster/archive_catalog.h"
#include "cluster/recording.h"
#include "cluster/recording_finish.h"
#include "cluster/recording_segments.h"
#include "lib/archive_maker.h"
#include "lib/java_tools.h"
#include "lib/temp_dir.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGES   1000
#define TERM_BYTES 65536
#define TIMEOUT_NS (INT64_C(120) * 1000 * 1000 * 1000)

typedef struct run {
    temp_dir_t dir;
    char archive[300];
    char aeron[100];
    child_process_t child;
    int64_t id;
    int64_t start;
    int64_t end;
} run_t;

static int64_t number(run_t *self, const char *prefix)
{
    char value[64];
    if (child_process_expect(&self->child, prefix, value, sizeof value, TIMEOUT_NS) != OC_ERR_OK)
        fail_msg("no '%s': %s", prefix, oc_err_context());
    return strtoll(value, NULL, 10);
}

/* Records into `archive` of a new directory; it still runs when this returns. */
static void begin(run_t *self, const char *mode)
{
    *self = (run_t){0};
    temp_dir_make(&self->dir);
    (void)snprintf(self->archive, sizeof self->archive, "%s/archive", self->dir.path);
    (void)snprintf(self->aeron, sizeof self->aeron, "/dev/shm/outcry-test-archive-%ld",
                   (long)getpid());
    const char *const argv[] = {OUTCRY_SOURCE_DIR "/tools/java/run",
                                "RecordArchive",
                                self->archive,
                                self->aeron,
                                "1000",
                                mode,
                                NULL};
    assert_int_equal(child_process_start(&self->child, argv, -1), OC_ERR_OK);
    self->id = number(self, "recording: ");
    self->start = number(self, "start: ");
    self->end = number(self, "position: ");
}

static void end_in_order(run_t *self)
{
    int status;
    assert_int_equal(child_process_wait(&self->child, &status, TIMEOUT_NS), OC_ERR_OK);
    assert_int_equal(status, 0);
}

static void finish(run_t *self)
{
    child_process_end(&self->child);
    (void)remove_tree(self->aeron);
    temp_dir_remove(&self->dir);
}

/* Reads from `position`, which is behind the nth message - 1, to the end. */
static void expect_all(const run_t *self, int64_t position, uint64_t n)
{
    uint8_t bytes[ARCHIVE_SAMPLE_MAX];
    recording_reader_t *reader;
    recording_message_t message;
    bool found;
    if (recording_reader_open(&reader, self->archive, self->id, position) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    for (; n < MESSAGES; n++) {
        if (recording_reader_next(reader, self->end, &message, &found) != OC_ERR_OK)
            fail_msg("%s", oc_err_context());
        assert_true(found);
        assert_int_equal(message.length, archive_sample(n, bytes));
        assert_memory_equal(message.bytes, bytes, message.length);
    }
    assert_int_equal(message.position, self->end);
    assert_int_equal(recording_reader_next(reader, INT64_MAX, &message, &found), OC_ERR_OK);
    assert_false(found);
    recording_reader_close(reader);
}

static void expect_end(const run_t *self)
{
    int64_t end;
    assert_int_equal(recording_end(self->archive, self->id, self->start, &end), OC_ERR_OK);
    assert_int_equal(end, self->end);
}

static void find(const run_t *self, recording_descriptor_t *found)
{
    if (recording_find(self->archive, self->id, found) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

static void a_finished_recording(void **state)
{
    (void)state;
    run_t run;
    recording_descriptor_t found;
    begin(&run, "end");
    end_in_order(&run);
    find(&run, &found);
    assert_int_equal(found.start_position, 0);
    assert_int_equal(found.stop_position, run.end);
    assert_int_equal(found.term_bytes, 65536);
    assert_int_equal(found.segment_bytes, 131072);
    assert_int_equal(found.stream_id, 100);
    assert_true(found.stop_timestamp_ms >= found.start_timestamp_ms);
    assert_non_null(strstr(found.stripped_channel, "aeron:ipc"));
    assert_true(run.end > 4 * found.segment_bytes);
    expect_all(&run, 0, 0);
    expect_end(&run);
    const recording_log_entry_t term = {.recording = run.id, .log_position = -1};
    archive_maker_log(run.archive, &term, 1); /* there is no module's directory */
    assert_int_equal(recording_sync(run.archive, run.archive, &found, 0, run.end), OC_ERR_OK);
    finish(&run);
}

/* The first message whose frames begin at or behind `position`. */
static uint64_t message_at(const run_t *whole, int64_t position)
{
    recording_reader_t *reader;
    recording_message_t message;
    bool found;
    uint64_t n = 0;
    assert_int_equal(recording_reader_open(&reader, whole->archive, whole->id, 0), OC_ERR_OK);
    do {
        assert_int_equal(recording_reader_next(reader, INT64_MAX, &message, &found), OC_ERR_OK);
        assert_true(found);
    } while (message.start < position && ++n > 0);
    recording_reader_close(reader);
    return n;
}

/* Purged by the archive, and then the same by us: it comes to the same catalog. */
static void a_purged_recording(void **state)
{
    (void)state;
    run_t whole;
    run_t purged;
    recording_descriptor_t found;
    recording_reader_t *reader;
    begin(&whole, "end");
    end_in_order(&whole);
    begin(&purged, "purge");
    end_in_order(&purged);
    assert_true(purged.start > 0);
    assert_int_equal(purged.end, whole.end);
    assert_int_equal(recording_reader_open(&reader, purged.archive, purged.id, 0), OC_ERR_DAMAGED);
    expect_all(&purged, purged.start, message_at(&whole, purged.start));
    expect_end(&purged);

    find(&whole, &found);
    assert_int_equal(recording_segment_base(&found, purged.start), purged.start);
    assert_int_equal(archive_catalog_set_start(whole.archive, &found, purged.start), OC_ERR_OK);
    recording_descriptor_t by_archive;
    find(&purged, &by_archive);
    find(&whole, &found);
    assert_int_equal(found.start_position, by_archive.start_position);
    assert_int_equal(found.stop_position, by_archive.stop_position);
    finish(&purged);
    finish(&whole);
}

/* As a cluster does it with its log at each new leadership. */
static void an_extended_recording(void **state)
{
    (void)state;
    run_t run;
    begin(&run, "extend");
    end_in_order(&run);
    expect_all(&run, 0, 0);
    expect_end(&run);
    finish(&run);
}

/* While it runs the catalog knows no end, and after it was killed neither. */
static void a_killed_archive(void **state)
{
    (void)state;
    run_t run;
    recording_descriptor_t found;
    char line[64];
    begin(&run, "kill");
    assert_int_equal(
        child_process_expect(&run.child, "waiting: kill", line, sizeof line, TIMEOUT_NS),
        OC_ERR_OK);
    expect_all(&run, 0, 0);
    child_process_signal(&run.child, SIGKILL);
    int status;
    assert_int_equal(child_process_wait(&run.child, &status, TIMEOUT_NS), OC_ERR_OK);
    find(&run, &found);
    assert_int_equal(found.stop_position, -1);
    expect_all(&run, 0, 0);
    expect_end(&run);
    finish(&run);
}

/* A second archive on the files of the first one, which has the recording end at `end`, and goes on
 * there with the first ten messages. */
static void go_on(run_t *self, int64_t end)
{
    const char *const argv[] = {OUTCRY_SOURCE_DIR "/tools/java/run",
                                "RecordArchive",
                                self->archive,
                                self->aeron,
                                "10",
                                "again",
                                NULL};
    recording_reader_t *reader;
    recording_message_t message;
    bool found;
    char mark[320];
    (void)snprintf(mark, sizeof mark, "%s/archive-mark.dat", self->archive);
    (void)unlink(mark); /* of the one that was killed, which would count as alive for a while */
    child_process_end(&self->child);
    assert_int_equal(child_process_start(&self->child, argv, -1), OC_ERR_OK);
    assert_int_equal(number(self, "again: "), end);
    self->end = number(self, "position: ");
    end_in_order(self);
    expect_end(self);
    assert_int_equal(recording_reader_open(&reader, self->archive, self->id, end), OC_ERR_OK);
    for (uint64_t n = 0; n < 10; n++) {
        uint8_t bytes[ARCHIVE_SAMPLE_MAX];
        assert_int_equal(recording_reader_next(reader, INT64_MAX, &message, &found), OC_ERR_OK);
        assert_true(found);
        assert_int_equal(message.length, archive_sample(n, bytes));
        assert_memory_equal(message.bytes, bytes, message.length);
    }
    recording_reader_close(reader);
}

static void finish_at(const run_t *self, int64_t end, bool is_cut)
{
    int64_t cut;
    assert_int_equal(recording_finish(self->archive, self->id, &cut), OC_ERR_OK);
    assert_int_equal(cut, is_cut ? end : -1);
}

/* To be changed by hand from its end on. */
static void take_over(const run_t *self, archive_maker_t *maker, made_recording_t *recording)
{
    recording_descriptor_t found;
    find(self, &found);
    (void)snprintf(maker->dir, sizeof maker->dir, "%s", self->archive);
    *recording = (made_recording_t){.archive = maker,
                                    .id = self->id,
                                    .position = self->end,
                                    .initial_term_id = found.initial_term_id,
                                    .term_bytes = found.term_bytes,
                                    .segment_bytes = found.segment_bytes,
                                    .mtu_bytes = found.mtu_bytes};
}

/* What a kill may leave at the end, and an archive refuses to start with, until it is finished. */
static void an_archive_starts_again(void **state)
{
    (void)state;
    static const uint8_t bytes[1300];
    run_t run;
    archive_maker_t maker;
    made_recording_t recording;
    recording_descriptor_t found;
    char line[64];
    int status;
    begin(&run, "kill");
    assert_int_equal(
        child_process_expect(&run.child, "waiting: kill", line, sizeof line, TIMEOUT_NS),
        OC_ERR_OK);
    child_process_signal(&run.child, SIGKILL);
    assert_int_equal(child_process_wait(&run.child, &status, TIMEOUT_NS), OC_ERR_OK);

    /* A frame that is torn at a page's border. */
    take_over(&run, &maker, &recording);
    const int64_t before = made_recording_tear(&recording);
    finish_at(&run, before, true);
    go_on(&run, before);

    /* Padding over pages. */
    find(&run, &found);
    assert_int_equal(archive_catalog_set_stop(run.archive, &found, -1), OC_ERR_OK);
    take_over(&run, &maker, &recording);
    int64_t rest;
    while ((rest = TERM_BYTES - recording.position % TERM_BYTES) <= 8192)
        (void)made_recording_append(&recording, bytes, sizeof bytes);
    (void)made_recording_frame(&recording, 0xC0, 0, NULL, (size_t)rest - 32);
    finish_at(&run, recording.position, false);
    go_on(&run, recording.position);
    finish(&run);
}

int main(void)
{
    const int status = java_tools_status();
    if (status != 0)
        return status;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finished_recording),    cmocka_unit_test(a_purged_recording),
        cmocka_unit_test(an_extended_recording),   cmocka_unit_test(a_killed_archive),
        cmocka_unit_test(an_archive_starts_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
