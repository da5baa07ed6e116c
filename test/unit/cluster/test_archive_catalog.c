/*
 * The catalog of an archive: read, searched, changed, copied; every byte of it wrong once. Run by
 * ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "cluster/archive_catalog.h"
#include "lib/archive_maker.h"
#include "lib/read_file.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TERM    65536
#define SEGMENT 131072

typedef struct fixture {
    temp_dir_t dir;
    char archive[300];
    char catalog[340];
    archive_maker_t maker;
    made_recording_t recordings[3];
} fixture_t;

static void set_up(fixture_t *self)
{
    temp_dir_make(&self->dir);
    (void)snprintf(self->archive, sizeof self->archive, "%s/archive", self->dir.path);
    (void)snprintf(self->catalog, sizeof self->catalog, "%s/archive.catalog", self->archive);
    archive_maker_init(&self->maker, self->archive);
    archive_maker_record(&self->maker, &self->recordings[0], 0, TERM, SEGMENT);
    archive_maker_record(&self->maker, &self->recordings[1], 96, TERM, SEGMENT);
    archive_maker_record(&self->maker, &self->recordings[2], TERM + 32, TERM, SEGMENT);
    made_recording_stop(&self->recordings[2]);
}

static void tear_down(const fixture_t *self)
{
    temp_dir_remove(&self->dir);
}

static void patch(const fixture_t *self, long offset, const void *bytes, size_t length)
{
    FILE *file = fopen(self->catalog, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void says_what_was_written(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    made_recording_state(&fixture.recordings[1], 0);
    archive_catalog_t catalog;
    assert_int_equal(archive_catalog_load(&catalog, fixture.archive), OC_ERR_OK);
    assert_int_equal(catalog.next_recording_id, 3);
    size_t offset = 0;
    recording_descriptor_t found;
    for (int64_t i = 0; i < 3; i++) {
        assert_true(archive_catalog_next(&catalog, &offset, &found));
        assert_int_equal(found.id, i);
        assert_int_equal(found.valid, i != 1);
        assert_int_equal(found.catalog_offset, fixture.recordings[i].catalog_offset);
        assert_int_equal(found.catalog_offset + found.catalog_length, offset);
    }
    assert_false(archive_catalog_next(&catalog, &offset, &found));
    assert_false(archive_catalog_find(&catalog, 1, &found));
    assert_false(archive_catalog_find(&catalog, 3, &found));
    assert_true(archive_catalog_find(&catalog, 2, &found));
    assert_int_equal(found.start_position, TERM + 32);
    assert_int_equal(found.stop_position, TERM + 32);
    assert_int_equal(found.start_timestamp_ms, 1000);
    assert_int_equal(found.stop_timestamp_ms, -1);
    assert_int_equal(found.initial_term_id, INT32_MAX - 1);
    assert_int_equal(found.segment_bytes, SEGMENT);
    assert_int_equal(found.term_bytes, TERM);
    assert_int_equal(found.mtu_bytes, 1408);
    assert_int_equal(found.session_id, 77);
    assert_int_equal(found.stream_id, 100);
    assert_string_equal(found.stripped_channel, "aeron:udp?alias=log");
    archive_catalog_fini(&catalog);
    tear_down(&fixture);
}

/* The whole file is never longer than its entries need. */
static void a_file_without_room_is_fine(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    archive_catalog_t catalog;
    assert_int_equal(truncate(fixture.catalog, fixture.maker.catalog_end), 0);
    assert_int_equal(archive_catalog_load(&catalog, fixture.archive), OC_ERR_OK);
    assert_int_equal(catalog.length, fixture.maker.catalog_end);
    archive_catalog_fini(&catalog);
    assert_int_equal(truncate(fixture.catalog, 32), 0);
    assert_int_equal(archive_catalog_load(&catalog, fixture.archive), OC_ERR_OK);
    size_t offset = 0;
    recording_descriptor_t found;
    assert_false(archive_catalog_next(&catalog, &offset, &found));
    archive_catalog_fini(&catalog);
    tear_down(&fixture);
}

/* Many entries: more than is read at once. */
static void a_long_catalog_is_read_whole(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    made_recording_t recording;
    for (int i = 3; i < 500; i++)
        archive_maker_record(&fixture.maker, &recording, i * 32, TERM, SEGMENT);
    recording_descriptor_t found;
    archive_catalog_t catalog;
    assert_int_equal(archive_catalog_load(&catalog, fixture.archive), OC_ERR_OK);
    assert_true(archive_catalog_find(&catalog, 499, &found));
    assert_int_equal(found.start_position, 499 * 32);
    archive_catalog_fini(&catalog);
    tear_down(&fixture);
}

static void expect(const fixture_t *fixture, oc_err_t expected, const char *text)
{
    archive_catalog_t catalog;
    assert_int_equal(archive_catalog_load(&catalog, fixture->archive), expected);
    if (!strstr(oc_err_context(), text))
        fail_msg("'%s' is not in '%s'", text, oc_err_context());
    assert_null(catalog.bytes);
}

static void what_cannot_be_is_told(void **state)
{
    (void)state;
    static const struct {
        long offset; /* in the file; of the first entry from 32 on */
        size_t width;
        int64_t value;
        oc_err_t err;
        const char *text;
    } cases[] = {
        {0, 4, 4 << 16, OC_ERR_FORMAT, "version 4.0.0"},
        {0, 4, 2 << 16 | 7 << 8 | 9, OC_ERR_FORMAT, "version 2.7.9"},
        {16, 4, 48, OC_ERR_DAMAGED, "offset 16"},
        {16, 4, -64, OC_ERR_DAMAGED, "offset 16"},
        {16, 4, 16, OC_ERR_DAMAGED, "offset 16"},
        {16, 4, 4096, OC_ERR_DAMAGED, "offset 16"},
        {32, 4, 79, OC_ERR_DAMAGED, "an entry of 79 bytes"},
        {32, 4, INT32_MAX, OC_ERR_DAMAGED, "an entry of 2147483647 bytes"},
        {32, 4, 1 << 19, OC_ERR_DAMAGED, "the file ends within an entry"},
        {32 + 48, 8, -1, OC_ERR_DAMAGED, "offset 32"},    /* id */
        {32 + 72, 8, -32, OC_ERR_DAMAGED, "recording 0"}, /* start */
        {32 + 72, 8, 33, OC_ERR_DAMAGED, "recording 0"},
        {32 + 72, 8, INT64_MAX - 31, OC_ERR_DAMAGED, "recording 0"},
        {32 + 80, 8, -2, OC_ERR_DAMAGED, "recording 0"}, /* stop */
        {32 + 80, 8, INT64_MAX, OC_ERR_DAMAGED, "recording 0"},
        {32 + 92, 4, TERM / 2, OC_ERR_DAMAGED, "recording 0"}, /* segments */
        {32 + 92, 4, 3 * TERM, OC_ERR_DAMAGED, "recording 0"},
        {32 + 96, 4, 0, OC_ERR_DAMAGED, "recording 0"}, /* terms */
        {32 + 96, 4, 4096, OC_ERR_DAMAGED, "recording 0"},
        {32 + 96, 4, INT32_MIN, OC_ERR_DAMAGED, "recording 0"},
        {32 + 100, 4, 32, OC_ERR_DAMAGED, "recording 0"}, /* MTU */
        {32 + 100, 4, 1400, OC_ERR_DAMAGED, "recording 0"},
        {32 + 100, 4, 65568, OC_ERR_DAMAGED, "recording 0"},
        {32 + 100, 4, -64, OC_ERR_DAMAGED, "recording 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture_t fixture;
        set_up(&fixture);
        patch(&fixture, cases[i].offset, &cases[i].value, cases[i].width);
        expect(&fixture, cases[i].err, cases[i].text);
        tear_down(&fixture);
    }
}

static void assert_kind(const fixture_t *fixture, archive_catalog_kind_t expected)
{
    archive_catalog_kind_t kind;
    assert_int_equal(archive_catalog_look(fixture->archive, &kind), OC_ERR_OK);
    assert_int_equal(kind, expected);
}

static void no_catalog_is_told(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    assert_int_equal(truncate(fixture.catalog, 31), 0);
    expect(&fixture, OC_ERR_FORMAT, "31 bytes");
    assert_kind(&fixture, ARCHIVE_CATALOG_MADE);
    assert_int_equal(truncate(fixture.catalog, 12), 0);
    assert_kind(&fixture, ARCHIVE_CATALOG_BLANK);
    assert_int_equal(truncate(fixture.catalog, 0), 0);
    assert_kind(&fixture, ARCHIVE_CATALOG_BLANK);
    assert_int_equal(truncate(fixture.catalog, 1 << 20), 0);
    assert_kind(&fixture, ARCHIVE_CATALOG_BLANK);
    assert_int_equal(unlink(fixture.catalog), 0);
    expect(&fixture, OC_ERR_OPEN, fixture.catalog);
    assert_kind(&fixture, ARCHIVE_CATALOG_MISSING);
    tear_down(&fixture);
    static char dir[8192];
    memset(dir, 'x', sizeof dir - 1);
    archive_catalog_t catalog;
    archive_catalog_kind_t kind;
    assert_int_equal(archive_catalog_load(&catalog, dir), OC_ERR_OPEN);
    assert_int_equal(archive_catalog_look(dir, &kind), OC_ERR_OPEN);
}

/* An invalid entry is stepped over, whatever it says. */
static void an_invalid_entry_may_say_anything(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    made_recording_state(&fixture.recordings[0], 0);
    const int64_t nonsense = -77;
    patch(&fixture, 32 + 72, &nonsense, sizeof nonsense);
    const uint32_t length = UINT32_MAX; /* of its channel */
    patch(&fixture, 32 + 112, &length, sizeof length);
    archive_catalog_t catalog;
    recording_descriptor_t found;
    size_t offset = 0;
    assert_int_equal(archive_catalog_load(&catalog, fixture.archive), OC_ERR_OK);
    assert_true(archive_catalog_next(&catalog, &offset, &found));
    assert_false(found.valid);
    assert_string_equal(found.stripped_channel, "");
    assert_true(archive_catalog_find(&catalog, 1, &found));
    archive_catalog_fini(&catalog);
    tear_down(&fixture);
}

/* A catalog of the version before alignment was written: 1024 bytes for each, the header too. */
static void an_old_layout_is_read(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    size_t size;
    char *bytes = read_file(fixture.catalog, &size);
    const uint8_t zeros[512] = {0};
    const uint32_t length = 1024 - 32;
    memcpy(bytes + 32, &length, 4);
    patch(&fixture, 16, zeros, 4);
    patch(&fixture, 32, zeros, 400);
    patch(&fixture, 1024, bytes + 32, 300);
    free(bytes);
    archive_catalog_t catalog;
    recording_descriptor_t found;
    assert_int_equal(archive_catalog_load(&catalog, fixture.archive), OC_ERR_OK);
    assert_true(archive_catalog_find(&catalog, 0, &found));
    assert_int_equal(found.catalog_offset, 1024);
    assert_int_equal(found.catalog_length, 1024);
    assert_int_equal(catalog.length, 2048);
    archive_catalog_fini(&catalog);
    assert_kind(&fixture, ARCHIVE_CATALOG_MADE);
    patch(&fixture, 1024, zeros, 400); /* or one whose alignment was not written any more */
    assert_kind(&fixture, ARCHIVE_CATALOG_BLANK);
    tear_down(&fixture);
}

/* ---- Changes ---- */

static void find(const fixture_t *fixture, const char *archive, int64_t id,
                 recording_descriptor_t *found)
{
    (void)fixture;
    archive_catalog_t catalog;
    assert_int_equal(archive_catalog_load(&catalog, archive), OC_ERR_OK);
    assert_true(archive_catalog_find(&catalog, id, found));
    archive_catalog_fini(&catalog);
}

static void a_position_moves_alone(bool stop)
{
    fixture_t fixture;
    set_up(&fixture);
    size_t size;
    char *before = read_file(fixture.catalog, &size);
    recording_descriptor_t found;
    find(&fixture, fixture.archive, 1, &found);
    assert_int_equal(stop ? archive_catalog_set_stop(fixture.archive, &found, SEGMENT)
                          : archive_catalog_set_start(fixture.archive, &found, SEGMENT),
                     OC_ERR_OK);
    char *after = read_file(fixture.catalog, &size);
    for (size_t i = 0; i < size; i++) {
        const size_t at = found.catalog_offset + (stop ? 80 : 72);
        if (i < at || i >= at + 8)
            assert_int_equal(before[i], after[i]);
    }
    free(before);
    free(after);
    find(&fixture, fixture.archive, 1, &found);
    assert_int_equal(stop ? found.stop_position : found.start_position, SEGMENT);
    tear_down(&fixture);
}

static void the_start_moves_alone(void **state)
{
    (void)state;
    a_position_moves_alone(false);
}

static void the_stop_moves_alone(void **state)
{
    (void)state;
    a_position_moves_alone(true);
}

static void seal(const fixture_t *fixture, const recording_descriptor_t *found, uint32_t flip)
{
    size_t size;
    char *bytes = read_file(fixture->catalog, &size);
    const uint32_t crc =
        crc32c(0, bytes + found->catalog_offset + 32, found->catalog_length - 32) ^ flip;
    patch(fixture, (long)found->catalog_offset + 8, &crc, sizeof crc);
    free(bytes);
}

static void a_checksum_moves_with_it(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    recording_descriptor_t found;
    find(&fixture, fixture.archive, 1, &found);
    seal(&fixture, &found, 0);
    assert_int_equal(archive_catalog_set_start(fixture.archive, &found, SEGMENT), OC_ERR_OK);
    size_t size;
    char *bytes = read_file(fixture.catalog, &size);
    uint32_t kept;
    memcpy(&kept, bytes + found.catalog_offset + 8, sizeof kept);
    assert_int_equal(kept, crc32c(0, bytes + found.catalog_offset + 32, found.catalog_length - 32));
    free(bytes);
    seal(&fixture, &found, 1); /* of a kind that is not known */
    assert_int_equal(archive_catalog_set_start(fixture.archive, &found, 2 * SEGMENT),
                     OC_ERR_FORMAT);
    assert_non_null(strstr(oc_err_context(), "checksum"));
    find(&fixture, fixture.archive, 1, &found);
    assert_int_equal(found.start_position, SEGMENT);
    tear_down(&fixture);
}

static void a_change_needs_the_file(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    recording_descriptor_t found;
    find(&fixture, fixture.archive, 2, &found);
    assert_int_equal(truncate(fixture.catalog, (long)found.catalog_offset + 50), 0);
    assert_int_equal(archive_catalog_set_start(fixture.archive, &found, 0), OC_ERR_READ);
    assert_int_equal(unlink(fixture.catalog), 0);
    assert_int_equal(archive_catalog_set_start(fixture.archive, &found, 0), OC_ERR_OPEN);
    tear_down(&fixture);
}

static void a_copy_holds_what_is_kept(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    archive_catalog_t catalog;
    recording_descriptor_t found;
    /* Not in the order of their ids, which the archive insists on. */
    const archive_catalog_kept_t kept[] = {{2, TERM + 32, 2 * TERM}, {0, SEGMENT, -1}};
    assert_int_equal(archive_catalog_load(&catalog, fixture.archive), OC_ERR_OK);
    assert_int_equal(archive_catalog_write(&catalog, fixture.dir.path, kept, 2), OC_ERR_OK);
    assert_int_equal(archive_catalog_write(&catalog, fixture.dir.path, kept, 2), OC_ERR_OPEN);
    archive_catalog_fini(&catalog);
    assert_int_equal(archive_catalog_load(&catalog, fixture.dir.path), OC_ERR_OK);
    assert_int_equal(catalog.next_recording_id, 3);
    size_t offset = 0;
    assert_true(archive_catalog_next(&catalog, &offset, &found));
    assert_int_equal(found.id, 0);
    assert_int_equal(found.start_position, SEGMENT);
    assert_int_equal(found.stop_position, -1);
    assert_false(archive_catalog_find(&catalog, 1, &found));
    assert_true(archive_catalog_find(&catalog, 2, &found));
    assert_int_equal(found.stop_position, 2 * TERM);
    assert_string_equal(found.stripped_channel, "aeron:udp?alias=log");
    archive_catalog_fini(&catalog);
    tear_down(&fixture);
}

static void a_copy_of_nothing_is_refused(void **state)
{
    (void)state;
    fixture_t fixture;
    set_up(&fixture);
    archive_catalog_t catalog;
    const archive_catalog_kept_t none = {9, 0, -1};
    assert_int_equal(archive_catalog_load(&catalog, fixture.archive), OC_ERR_OK);
    assert_int_equal(archive_catalog_write(&catalog, fixture.dir.path, &none, 1), OC_ERR_DAMAGED);
    archive_catalog_fini(&catalog);
    tear_down(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_was_written),
        cmocka_unit_test(a_file_without_room_is_fine),
        cmocka_unit_test(a_long_catalog_is_read_whole),
        cmocka_unit_test(what_cannot_be_is_told),
        cmocka_unit_test(no_catalog_is_told),
        cmocka_unit_test(an_invalid_entry_may_say_anything),
        cmocka_unit_test(an_old_layout_is_read),
        cmocka_unit_test(the_start_moves_alone),
        cmocka_unit_test(the_stop_moves_alone),
        cmocka_unit_test(a_checksum_moves_with_it),
        cmocka_unit_test(a_change_needs_the_file),
        cmocka_unit_test(a_copy_holds_what_is_kept),
        cmocka_unit_test(a_copy_of_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
