/*
 * Segment files: names, bases, which are there. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/recording_segments.h"
#include "lib/temp_dir.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void a_base_counts_from_the_first_term(void **state)
{
    (void)state;
    const recording_descriptor_t recording = {
        .start_position = 3 * 65536 + 96, .term_bytes = 65536, .segment_bytes = 131072};
    assert_int_equal(recording_segment_base(&recording, 3 * 65536 + 96), 3 * 65536);
    assert_int_equal(recording_segment_base(&recording, 5 * 65536 - 32), 3 * 65536);
    assert_int_equal(recording_segment_base(&recording, 5 * 65536), 5 * 65536);
    assert_int_equal(recording_segment_base(&recording, 8 * 65536 + 32), 7 * 65536);
}

static void a_path_fits_or_is_none(void **state)
{
    (void)state;
    char path[20];
    assert_true(recording_segment_path("/a", 7, 131072, path, sizeof path));
    assert_string_equal(path, "/a/7-131072.rec");
    assert_false(recording_segment_path("/a", 7, 131072, path, 15));
    assert_true(recording_segment_path("/a", 7, 131072, path, 16));
}

static void only_such_names_are_segments(void **state)
{
    (void)state;
    static const char *const others[] = {"7-131072.rec.del",
                                         "7-131072.re",
                                         "07-131072.rec",
                                         "-7-131072.rec",
                                         "7--1.rec",
                                         "7-+1.rec",
                                         "7-.rec",
                                         "-131072.rec",
                                         "7.rec",
                                         "archive.catalog",
                                         " 7-131072.rec",
                                         "7- 1.rec",
                                         "7-9223372036854775807.rec",
                                         "7-99999999999999999999.rec",
                                         "99999999999999999999-0.rec",
                                         ""};
    int64_t id;
    int64_t base;
    assert_true(recording_segment_name("7-131072.rec", &id, &base));
    assert_int_equal(id, 7);
    assert_int_equal(base, 131072);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (recording_segment_name(others[i], &id, &base))
            fail_msg("%s", others[i]);
}

static void touch(const char *dir, const char *name)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fclose(file);
}

static void the_list_is_in_order(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    int64_t *bases;
    size_t count;
    assert_int_equal(recording_segments_list(dir.path, 1, &bases, &count), OC_ERR_OK);
    assert_int_equal(count, 0);
    assert_null(bases);
    for (int i = 39; i >= 0; i--) { /* more than the list begins with */
        char name[40];
        (void)snprintf(name, sizeof name, "1-%d.rec", i * 65536);
        touch(dir.path, name);
    }
    touch(dir.path, "11-65536.rec");
    touch(dir.path, "1-65536.rec.del");
    assert_int_equal(recording_segments_list(dir.path, 1, &bases, &count), OC_ERR_OK);
    assert_int_equal(count, 40);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(bases[i], i * 65536);
    free(bases);
    temp_dir_remove(&dir);
    assert_int_equal(recording_segments_list(dir.path, 1, &bases, &count), OC_ERR_READ);
    assert_non_null(strstr(oc_err_context(), dir.path));
}

static void the_files_that_must_be_there(void **state)
{
    (void)state;
    temp_dir_t dir;
    char path[700];
    char name[40];
    temp_dir_make(&dir);
    const recording_descriptor_t recording = {
        .id = 1, .start_position = 96, .term_bytes = 65536, .segment_bytes = 65536};
    for (int i = 0; i < 3; i++) {
        if (i > 0) /* the one before is full */
            assert_int_equal(recording_segments_check(dir.path, &recording, i * 65536), OC_ERR_OK);
        (void)snprintf(path, sizeof path, "%s/1-%d.rec", dir.path, i * 65536);
        assert_int_equal(recording_segments_check(dir.path, &recording, i * 65536 + 96),
                         OC_ERR_DAMAGED);
        assert_non_null(strstr(oc_err_context(), path));
        assert_non_null(strstr(oc_err_context(), "is not there"));
        (void)snprintf(name, sizeof name, "1-%d.rec", i * 65536);
        touch(dir.path, name);
        assert_int_equal(recording_segments_check(dir.path, &recording, i * 65536 + 96),
                         OC_ERR_DAMAGED);
        assert_non_null(strstr(oc_err_context(), "is empty"));
        assert_int_equal(truncate(path, 65536), 0);
        assert_int_equal(recording_segments_check(dir.path, &recording, i * 65536 + 65504),
                         OC_ERR_OK);
    }
    temp_dir_remove(&dir);
}

/* Whatever holes the file has, and whether its device tells of them. */
static void data_is_found(void **state)
{
    (void)state;
    enum { FILE_BYTES = 1 << 20 };
    static const int64_t places[] = {0, 7, 4095, 65536, 65537, 200000, FILE_BYTES - 1};
    temp_dir_t dir;
    char path[400];
    int64_t found;
    temp_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/file", dir.path);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        for (int filled = 0; filled < 2; filled++) {
            static const uint8_t zeros[FILE_BYTES];
            const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
            assert_true(fd >= 0);
            if (filled)
                assert_int_equal(write(fd, zeros, sizeof zeros), sizeof zeros);
            assert_int_equal(ftruncate(fd, FILE_BYTES), 0);
            assert_int_equal(recording_segment_find_data(fd, 0, FILE_BYTES, &found), OC_ERR_OK);
            assert_int_equal(found, -1);
            assert_int_equal(pwrite(fd, "x", 1, places[i]), 1);
            assert_int_equal(recording_segment_find_data(fd, 0, 2 * FILE_BYTES, &found), OC_ERR_OK);
            assert_int_equal(found, places[i]);
            assert_int_equal(recording_segment_find_data(fd, places[i], FILE_BYTES, &found),
                             OC_ERR_OK);
            assert_int_equal(found, places[i]);
            assert_int_equal(recording_segment_find_data(fd, places[i] + 1, FILE_BYTES, &found),
                             OC_ERR_OK);
            assert_int_equal(found, -1);
            assert_int_equal(recording_segment_find_data(fd, 0, places[i], &found), OC_ERR_OK);
            assert_int_equal(found, -1);
            (void)close(fd);
        }
    }
    assert_int_equal(recording_segment_find_data(-1, 0, 1, &found), OC_ERR_READ);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_base_counts_from_the_first_term),
        cmocka_unit_test(a_path_fits_or_is_none),
        cmocka_unit_test(only_such_names_are_segments),
        cmocka_unit_test(the_list_is_in_order),
        cmocka_unit_test(the_files_that_must_be_there),
        cmocka_unit_test(data_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
