/*
 * Recordings, made by hand: message by message, from any place, up to any limit, while they grow,
 * and with everything in them wrong that can be. Real ones are in test/integration. Run by ctest.
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
#define FULL     (1408 - 32) /* bytes in a frame that fills a datagram */

static recording_reader_t *open_at(const recording_fixture_t *self, int64_t position)
{
    recording_reader_t *reader;
    if (recording_reader_open(&reader, self->archive, self->recording.id, position) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    return reader;
}

static void refuse_at(const recording_fixture_t *self, int64_t position, const char *text)
{
    recording_reader_t *reader;
    assert_int_equal(recording_reader_open(&reader, self->archive, self->recording.id, position),
                     OC_ERR_DAMAGED);
    assert_null(reader);
    if (!strstr(oc_err_context(), text))
        fail_msg("'%s' is not in '%s'", text, oc_err_context());
}

static void expect_sample(const recording_fixture_t *self, recording_reader_t *reader, uint64_t n,
                          int64_t limit)
{
    uint8_t bytes[ARCHIVE_SAMPLE_MAX];
    recording_message_t message;
    bool found;
    if (recording_reader_next(reader, limit, &message, &found) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_true(found);
    assert_int_equal(message.length, archive_sample(n, bytes));
    assert_memory_equal(message.bytes, bytes, message.length);
    assert_int_equal((uintptr_t)message.bytes % 8, 0);
    assert_int_equal(message.position, self->ends[n]);
    assert_true(message.start < message.position);
    assert_true(n == 0 || message.start >= self->ends[n - 1]);
    assert_int_equal(message.session_id, 77);
    assert_int_equal(message.term_id,
                     (int32_t)((uint32_t)INT32_MAX - 1 + (uint32_t)(message.start / TERM)));
    assert_int_equal(recording_reader_position(reader), self->ends[n]);
}

static void expect_none(recording_reader_t *reader, int64_t limit)
{
    recording_message_t message;
    bool found;
    if (recording_reader_next(reader, limit, &message, &found) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_false(found);
}

static void expect_damage(recording_reader_t *reader, int64_t limit, const char *text)
{
    recording_message_t message;
    bool found;
    assert_int_equal(recording_reader_next(reader, limit, &message, &found), OC_ERR_DAMAGED);
    assert_false(found);
    if (!strstr(oc_err_context(), text))
        fail_msg("'%s' is not in '%s'", text, oc_err_context());
}

/* ---- Whole recordings ---- */

static void every_message_comes(void **state)
{
    (void)state;
    static const int64_t starts[] = {0, 96, 3 * TERM, 5 * TERM - 32};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        recording_fixture_t fixture;
        recording_fixture_init(&fixture, starts[i], MESSAGES);
        assert_true(fixture.recording.position > starts[i] + 4 * SEGMENT);
        recording_reader_t *reader = open_at(&fixture, starts[i]);
        for (uint64_t n = 0; n < MESSAGES; n++)
            expect_sample(&fixture, reader, n, INT64_MAX);
        expect_none(reader, INT64_MAX);
        expect_none(reader, INT64_MAX);
        recording_reader_close(reader);
        recording_fixture_fini(&fixture);
    }
}

static void it_begins_anywhere(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 96, 300);
    for (uint64_t n = 0; n < 300; n++) {
        recording_reader_t *reader = open_at(&fixture, fixture.ends[n]);
        assert_int_equal(recording_reader_position(reader), fixture.ends[n]);
        if (n + 1 < 300)
            expect_sample(&fixture, reader, n + 1, INT64_MAX);
        else
            expect_none(reader, INT64_MAX);
        recording_reader_close(reader);
    }
    recording_reader_close(NULL);
    recording_fixture_fini(&fixture);
}

static void only_where_a_frame_begins(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 96, 300);
    refuse_at(&fixture, 64, "not in it any more");
    refuse_at(&fixture, -32, "not in it any more");
    refuse_at(&fixture, fixture.ends[3] - 32, "no frame begins here");
    refuse_at(&fixture, fixture.ends[3] + 8, "no frame begins here");
    refuse_at(&fixture, fixture.recording.position + 32, "does not reach it");
    refuse_at(&fixture, fixture.recording.position + 100 * SEGMENT, "does not reach it");
    refuse_at(&fixture, INT64_MAX, "ends at position");
    made_recording_stop(&fixture.recording);
    refuse_at(&fixture, fixture.recording.position + 32, "ends at position");
    recording_fixture_fini(&fixture);
}

static void what_is_not_in_the_catalog_is_told(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 1);
    recording_reader_t *reader;
    recording_descriptor_t found;
    int64_t end;
    assert_int_equal(recording_find(fixture.archive, 9, &found), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "recording 9 is not in the catalog"));
    assert_int_equal(recording_reader_open(&reader, fixture.archive, 9, 0), OC_ERR_OPEN);
    assert_int_equal(recording_end(fixture.archive, 9, 0, &end), OC_ERR_OPEN);
    made_recording_state(&fixture.recording, 0);
    assert_int_equal(recording_find(fixture.archive, 1, &found), OC_ERR_OPEN);
    recording_fixture_fini(&fixture);
    assert_int_equal(recording_find(fixture.archive, 1, &found), OC_ERR_OPEN);
    assert_int_equal(recording_list(fixture.archive, NULL, NULL), OC_ERR_OPEN);
}

static bool count_two(void *context, const recording_descriptor_t *descriptor)
{
    int *count = context;
    assert_int_equal(descriptor->id, *count);
    return ++*count < 2;
}

static void the_list_ends_when_told(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 0);
    made_recording_t third;
    archive_maker_record(&fixture.maker, &third, 0, TERM, SEGMENT);
    int count = 0;
    assert_int_equal(recording_list(fixture.archive, count_two, &count), OC_ERR_OK);
    assert_int_equal(count, 2);
    recording_fixture_fini(&fixture);
}

/* ---- Limits, and recordings that grow ---- */

static void nothing_comes_behind_the_limit(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 300);
    recording_reader_t *reader = open_at(&fixture, 0);
    for (uint64_t n = 0; n < 300; n++) {
        const int64_t before = recording_reader_position(reader);
        expect_none(reader, before);
        expect_none(reader, before + 31);
        expect_none(reader, fixture.ends[n] - 1);
        expect_none(reader, fixture.ends[n] - 32);
        expect_sample(&fixture, reader, n, fixture.ends[n]);
    }
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

/* What was read behind the limit of an earlier call was not finished then. */
static void bytes_behind_the_limit_are_read_anew(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 2);
    uint8_t unfinished[256] = {0};
    made_recording_t ahead = fixture.recording;
    const int64_t end = made_recording_append(&ahead, unfinished, 200);
    recording_reader_t *reader = open_at(&fixture, 0);
    expect_sample(&fixture, reader, 0, fixture.ends[1]);
    expect_sample(&fixture, reader, 1, fixture.ends[1]);
    expect_none(reader, fixture.ends[1]);
    memset(unfinished, 7, sizeof unfinished);
    (void)made_recording_append(&fixture.recording, unfinished, 200);
    recording_message_t message;
    bool found;
    assert_int_equal(recording_reader_next(reader, end, &message, &found), OC_ERR_OK);
    assert_true(found);
    assert_memory_equal(message.bytes, unfinished, 200);
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

static void a_growing_recording_is_followed(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 0);
    recording_reader_t *reader = open_at(&fixture, 0);
    for (uint64_t n = 0; n < 400; n++) {
        uint8_t bytes[ARCHIVE_SAMPLE_MAX];
        expect_none(reader, INT64_MAX);
        const size_t length = archive_sample(n, bytes);
        fixture.ends[n] = made_recording_append(&fixture.recording, bytes, length);
        expect_sample(&fixture, reader, n, n % 2 == 0 ? fixture.ends[n] : INT64_MAX);
    }
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

/* Stopped, then extended: the reader that is open goes on. */
static void an_extended_recording_is_followed(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 10);
    made_recording_stop(&fixture.recording);
    recording_reader_t *reader = open_at(&fixture, 0);
    const int64_t stop = fixture.recording.position;
    uint8_t bytes[ARCHIVE_SAMPLE_MAX];
    fixture.ends[10] = made_recording_append(&fixture.recording, bytes, archive_sample(10, bytes));
    for (uint64_t n = 0; n < 10; n++)
        expect_sample(&fixture, reader, n, INT64_MAX);
    expect_none(reader, INT64_MAX); /* written, but the catalog says that it ends before */
    assert_int_equal(recording_reader_position(reader), stop);
    made_recording_stop(&fixture.recording);
    expect_sample(&fixture, reader, 10, INT64_MAX);
    expect_none(reader, INT64_MAX);
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

static void a_purged_recording_begins_later(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 96, 500);
    made_recording_purge(&fixture.recording, SEGMENT);
    refuse_at(&fixture, 96, "not in it any more");
    recording_reader_t *reader = open_at(&fixture, SEGMENT);
    uint64_t n = 0;
    while (fixture.ends[n] <= SEGMENT)
        n++;
    for (; n < 500; n++)
        expect_sample(&fixture, reader, n, INT64_MAX);
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

/* ---- Messages without an end ---- */

/* What a leader leaves that dies in the middle of a message: parts that fill a datagram each, and
 * perhaps padding for one that was claimed. */
static void messages_without_an_end_are_told(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 1);
    made_recording_t *recording = &fixture.recording;
    static const uint8_t part[FULL] = {1};
    uint8_t bytes[ARCHIVE_SAMPLE_MAX];
    (void)made_recording_frame(recording, 0x80, 1, part, sizeof part); /* a beginning */
    (void)made_recording_frame(recording, 0x00, 1, part, sizeof part);
    fixture.ends[1] = made_recording_append(recording, bytes, archive_sample(1, bytes));
    (void)made_recording_frame(recording, 0x80, 1, part, sizeof part);
    (void)made_recording_frame(recording, 0xC0, 0, NULL, 64); /* padding */
    fixture.ends[2] = made_recording_append(recording, bytes, archive_sample(2, bytes));
    (void)made_recording_frame(recording, 0xC0, 0, NULL, 64);
    fixture.ends[3] = made_recording_append(recording, bytes, archive_sample(3, bytes));
    (void)made_recording_frame(recording, 0x80, 1, part, sizeof part);
    fixture.ends[4] = made_recording_append(recording, bytes, archive_sample(3, bytes));
    const int64_t before = fixture.ends[4];
    (void)made_recording_frame(recording, 0x80, 1, part, sizeof part);
    const bool abandoned[] = {false, true, true, false, true};
    recording_reader_t *reader = open_at(&fixture, 0);
    recording_message_t message;
    bool found;
    for (uint64_t n = 0; n < 5; n++) {
        expect_none(reader, fixture.ends[n] - 1); /* which forgets nothing */
        assert_int_equal(recording_reader_next(reader, fixture.ends[n], &message, &found),
                         OC_ERR_OK);
        assert_true(found);
        assert_int_equal(message.position, fixture.ends[n]);
        assert_int_equal(message.abandoned, abandoned[n]);
    }
    expect_none(reader, INT64_MAX); /* its end may still come */
    assert_int_equal(recording_reader_position(reader), before);
    const int64_t end = made_recording_frame(recording, 0x40, 1, part, 64);
    assert_int_equal(recording_reader_next(reader, end, &message, &found), OC_ERR_OK);
    assert_true(found);
    assert_int_equal(message.length, sizeof part + 64);
    assert_int_equal(message.start, before);
    assert_false(message.abandoned);
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

static void a_message_has_a_longest(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 0);
    made_recording_t recording;
    archive_maker_record(&fixture.maker, &recording, 0, 1 << 25, 1 << 25);
    static uint8_t part[FULL];
    for (unsigned i = 0; i < 12194; i++)
        (void)made_recording_frame(&recording, i == 0 ? 0x80 : 0, 1, part, sizeof part);
    recording_reader_t *reader;
    assert_int_equal(recording_reader_open(&reader, fixture.archive, recording.id, 0), OC_ERR_OK);
    expect_damage(reader, INT64_MAX, "16 MiB");
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

/* ---- Damage ---- */

static void a_frame_that_cannot_be_is_told(void **state)
{
    (void)state;
    static const struct {
        int64_t offset; /* in the frame */
        size_t width;
        uint32_t value;
        const char *text;
    } cases[] = {
        {0, 4, 31, "length of a frame"},
        {0, 4, UINT32_MAX, "length of a frame"},
        {0, 4, 1U << 31, "length of a frame"},
        {0, 4, TERM, "goes beyond its term"},
        {0, 4, INT32_MAX, "goes beyond its term"},
        {6, 2, 2, "unknown type"},
        {4, 1, 1, "unknown type"},
        {8, 4, 32, "belongs elsewhere"},
        {8, 4, UINT32_MAX, "belongs elsewhere"},
        {20, 4, 5, "belongs elsewhere"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        recording_fixture_t fixture;
        char text[100];
        recording_fixture_init(&fixture, 0, 500);
        const int64_t at = fixture.ends[400];
        made_recording_patch(&fixture.recording, at + cases[i].offset, &cases[i].value,
                             cases[i].width);
        recording_reader_t *reader = open_at(&fixture, 0);
        for (uint64_t n = 0; n <= 400; n++)
            expect_sample(&fixture, reader, n, INT64_MAX);
        expect_damage(reader, INT64_MAX, cases[i].text);
        (void)snprintf(text, sizeof text, "1-%" PRId64 ".rec: offset %" PRId64, at - at % SEGMENT,
                       at % SEGMENT);
        expect_damage(reader, INT64_MAX, text);
        recording_reader_close(reader);
        recording_fixture_fini(&fixture);
    }
}

static void a_data_frame_has_a_longest(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 0);
    made_recording_t recording;
    archive_maker_record(&fixture.maker, &recording, 0, 2 * TERM, SEGMENT);
    static uint8_t part[TERM];
    (void)made_recording_frame(&recording, 0xC0, 1, part, sizeof part);
    recording_reader_t *reader;
    assert_int_equal(recording_reader_open(&reader, fixture.archive, recording.id, 0), OC_ERR_OK);
    expect_damage(reader, INT64_MAX, "too long");
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

static void expect_changed(const recording_fixture_t *self, uint64_t n, const char *text)
{
    recording_reader_t *reader = open_at(self, self->ends[n - 1]);
    expect_damage(reader, INT64_MAX, text);
    recording_reader_close(reader);
}

static void patch_byte(const recording_fixture_t *self, int64_t position, uint8_t byte)
{
    made_recording_patch(&self->recording, position, &byte, 1);
}

/* What no checksum covers: a header whose type, flags or length is another one. Sample 14 is whole
 * and has 134 bytes (frame: 166 of 192), sample 17 has several parts. */
static void a_changed_header_is_told(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    uint8_t bytes[ARCHIVE_SAMPLE_MAX];
    recording_fixture_init(&fixture, 0, 0);
    fixture.recording.checked = true;
    for (uint64_t n = 0; n < 20; n++)
        fixture.ends[n] =
            made_recording_append(&fixture.recording, bytes, archive_sample(n, bytes));
    const int64_t whole = fixture.ends[13];
    const int64_t parts = fixture.ends[16];
    assert_int_equal(fixture.ends[14] - whole, 192);
    assert_true(fixture.ends[17] - parts > 2 * 1408);

    patch_byte(&fixture, whole + 6, 0);
    expect_changed(&fixture, 14, "says it is padding");
    patch_byte(&fixture, whole + 6, 1);
    patch_byte(&fixture, whole + 5, 0);
    expect_changed(&fixture, 14, "without its beginning");
    patch_byte(&fixture, whole + 5, 0x40);
    expect_changed(&fixture, 14, "without its beginning");
    patch_byte(&fixture, whole + 5, 0x80);
    expect_changed(&fixture, 14, "is short, and not its end");
    patch_byte(&fixture, whole + 5, 0xC0);
    patch_byte(&fixture, whole, 162);
    expect_changed(&fixture, 14, "data behind its length");
    patch_byte(&fixture, whole, 166);

    patch_byte(&fixture, parts + 5, 0xC0); /* the beginning, as if it were all */
    recording_reader_t *reader = open_at(&fixture, parts);
    recording_message_t message;
    bool found;
    assert_int_equal(recording_reader_next(reader, INT64_MAX, &message, &found), OC_ERR_OK);
    expect_damage(reader, INT64_MAX, "without its beginning");
    recording_reader_close(reader);
    patch_byte(&fixture, parts + 5, 0x00);
    expect_changed(&fixture, 17, "without its beginning");
    patch_byte(&fixture, parts + 5, 0x80);
    patch_byte(&fixture, parts + 1408 + 6, 0); /* in the middle */
    expect_changed(&fixture, 17, "says it is padding");
    patch_byte(&fixture, parts + 1408 + 6, 1);
    patch_byte(&fixture, parts, 0x70); /* 1408 is 0x580 */
    expect_changed(&fixture, 17, "data behind its length");
    patch_byte(&fixture, parts, 0x80);
    reader = open_at(&fixture, 0);
    for (uint64_t n = 0; n < 20; n++) {
        assert_int_equal(recording_reader_next(reader, INT64_MAX, &message, &found), OC_ERR_OK);
        assert_int_equal(message.position, fixture.ends[n]);
        assert_false(message.abandoned);
    }
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

/* Zeros are the end only where nothing says that there is more. */
static void a_hole_is_no_end(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 500);
    const uint8_t zeros[32] = {0};
    made_recording_patch(&fixture.recording, fixture.ends[10], zeros, sizeof zeros);
    recording_reader_t *reader = open_at(&fixture, 0);
    for (uint64_t n = 0; n <= 10; n++)
        expect_sample(&fixture, reader, n, INT64_MAX);
    expect_damage(reader, INT64_MAX, "nothing is written here, before more at position");
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);

    recording_fixture_init(&fixture, 0, 20); /* the last segment is the same one */
    made_recording_patch(&fixture.recording, fixture.ends[10], zeros, sizeof zeros);
    reader = open_at(&fixture, fixture.ends[10]);
    expect_damage(reader, INT64_MAX, "nothing is written here, before more at position");
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);

    recording_fixture_init(&fixture, 0, 20);
    made_recording_stop(&fixture.recording);
    made_recording_patch(&fixture.recording, fixture.ends[10], zeros, sizeof zeros);
    reader = open_at(&fixture, fixture.ends[10]);
    expect_damage(reader, INT64_MAX, "before the stop position");
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

static void remove_segment(const recording_fixture_t *self, int64_t base)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/1-%" PRId64 ".rec", self->archive, base);
    assert_int_equal(unlink(path), 0);
}

static void a_missing_segment_is_told(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 500);
    remove_segment(&fixture, SEGMENT);
    recording_reader_t *reader = open_at(&fixture, 0);
    uint64_t n = 0;
    while (fixture.ends[n] <= SEGMENT)
        expect_sample(&fixture, reader, n++, INT64_MAX);
    expect_damage(reader, INT64_MAX, "before a later segment");
    recording_reader_close(reader);
    refuse_at(&fixture, SEGMENT + 64, "does not reach it");
    recording_fixture_fini(&fixture);
}

static bool may_be_checked(const recording_fixture_t *self)
{
    bool may;
    assert_int_equal(recording_may_be_checked(self->archive, 1, &may), OC_ERR_OK);
    return may;
}

/* With checksums, changed bytes of a message are found; without, nobody can tell. */
static void checksums_are_held_against_frames(void **state)
{
    (void)state;
    for (int checked = 0; checked < 2; checked++) {
        recording_fixture_t fixture;
        recording_fixture_init(&fixture, 96, 0);
        assert_true(may_be_checked(&fixture));
        fixture.recording.checked = checked;
        for (uint64_t n = 0; n < 400; n++) {
            uint8_t bytes[ARCHIVE_SAMPLE_MAX];
            const size_t length = archive_sample(n, bytes);
            fixture.ends[n] = made_recording_append(&fixture.recording, bytes, length);
        }
        assert_int_equal(may_be_checked(&fixture), checked);
        recording_reader_t *reader = open_at(&fixture, fixture.ends[100]);
        assert_int_equal(recording_reader_checked(reader), checked);
        static const uint8_t wrong = 0xEE;
        made_recording_patch(&fixture.recording, fixture.ends[300] + 32 + 5, &wrong, 1);
        recording_message_t message;
        bool found;
        for (uint64_t n = 101; n < 301; n++) {
            assert_int_equal(recording_reader_next(reader, INT64_MAX, &message, &found), OC_ERR_OK);
            assert_int_equal(message.position, fixture.ends[n]);
        }
        assert_int_equal(recording_reader_next(reader, INT64_MAX, &message, &found),
                         checked ? OC_ERR_DAMAGED : OC_ERR_OK);
        assert_true(!checked || strstr(oc_err_context(), "the checksum of a frame is wrong"));
        recording_reader_close(reader);
        recording_fixture_fini(&fixture);
    }
    bool may;
    assert_int_equal(recording_may_be_checked("nowhere", 1, &may), OC_ERR_OPEN);
}

/* A copy may be cut short: the end of the file is as good as zeros, but not within a frame. */
static void a_short_file_ends_it(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    char path[400];
    recording_fixture_init(&fixture, 0, 10);
    (void)snprintf(path, sizeof path, "%s/1-0.rec", fixture.archive);
    assert_int_equal(truncate(path, fixture.ends[5]), 0);
    recording_reader_t *reader = open_at(&fixture, 0);
    for (uint64_t n = 0; n <= 5; n++)
        expect_sample(&fixture, reader, n, INT64_MAX);
    expect_none(reader, INT64_MAX);
    recording_reader_close(reader);
    assert_int_equal(truncate(path, fixture.ends[5] - 32), 0);
    reader = open_at(&fixture, fixture.ends[4]);
    expect_damage(reader, INT64_MAX, "ends within a frame");
    recording_reader_close(reader);
    recording_fixture_fini(&fixture);
}

/* A mebibyte of seeds: nothing may crash, and what comes must be in order. */
static void flipped_bytes_are_survived(void **state)
{
    (void)state;
    recording_fixture_t fixture;
    recording_fixture_init(&fixture, 0, 300);
    uint32_t seed = 1;
    for (int round = 0; round < 400; round++) {
        seed = seed * 1664525 + 1013904223;
        const int64_t at = (int64_t)(seed >> 8) % fixture.recording.position;
        const uint8_t byte = (uint8_t)(seed >> 3);
        made_recording_patch(&fixture.recording, at, &byte, 1);
        recording_reader_t *reader;
        recording_message_t message;
        bool found = true;
        int64_t last = 0;
        if (recording_reader_open(&reader, fixture.archive, 1, 0) != OC_ERR_OK)
            continue;
        while (recording_reader_next(reader, INT64_MAX, &message, &found) == OC_ERR_OK && found) {
            assert_true(message.start >= last && message.position > message.start);
            last = message.position;
        }
        recording_reader_close(reader);
        int64_t end;
        if (recording_end(fixture.archive, 1, 0, &end) == OC_ERR_OK)
            assert_true(end >= 0 && end <= fixture.recording.position + TERM);
    }
    recording_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_comes),
        cmocka_unit_test(it_begins_anywhere),
        cmocka_unit_test(only_where_a_frame_begins),
        cmocka_unit_test(what_is_not_in_the_catalog_is_told),
        cmocka_unit_test(the_list_ends_when_told),
        cmocka_unit_test(nothing_comes_behind_the_limit),
        cmocka_unit_test(bytes_behind_the_limit_are_read_anew),
        cmocka_unit_test(a_growing_recording_is_followed),
        cmocka_unit_test(an_extended_recording_is_followed),
        cmocka_unit_test(a_purged_recording_begins_later),
        cmocka_unit_test(messages_without_an_end_are_told),
        cmocka_unit_test(a_message_has_a_longest),
        cmocka_unit_test(a_frame_that_cannot_be_is_told),
        cmocka_unit_test(a_data_frame_has_a_longest),
        cmocka_unit_test(a_changed_header_is_told),
        cmocka_unit_test(a_hole_is_no_end),
        cmocka_unit_test(a_missing_segment_is_told),
        cmocka_unit_test(checksums_are_held_against_frames),
        cmocka_unit_test(a_short_file_ends_it),
        cmocka_unit_test(flipped_bytes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
