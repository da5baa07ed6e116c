/*
 * Unit tests of the HdrHistogram files against text written by the official Java library, and of
 * their failures. Whole histograms are compared with that library itself by
 * test/system/test_hdr_java.sh. Run by ctest.
 */
#include "bench/hdr_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/temp_file.h"

static char text[65536];

static int setup(void **state)
{
    *state = histogram_create();
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    histogram_destroy(*state);
    return 0;
}

static void read_text(const temp_file_t *file)
{
    const size_t size = temp_file_read(file, text, sizeof text - 1);
    text[size] = '\0';
}

static void test_hgrm_of_one(void **state)
{
    histogram_t *h = *state;
    histogram_record(h, 123456789);
    temp_file_t file;
    temp_file_make(&file);
    assert_int_equal(hgrm_write(file.path, h, 1000.0), OC_ERR_OK);
    read_text(&file);
    assert_string_equal(text, "       Value     Percentile TotalCount 1/(1-Percentile)\n"
                              "\n"
                              "  123469.823 0.000000000000          1           1.00\n"
                              "  123469.823 1.000000000000          1\n"
                              "#[Mean    =   123437.056, StdDeviation   =        0.000]\n"
                              "#[Max     =   123469.823, Total count    =            1]\n"
                              "#[Buckets =           17, SubBuckets     =         2048]\n");
    temp_file_remove(&file);
}

static void test_hgrm_of_none(void **state)
{
    temp_file_t file;
    temp_file_make(&file);
    assert_int_equal(hgrm_write(file.path, *state, 1.0), OC_ERR_OK);
    read_text(&file);
    assert_string_equal(text, "       Value     Percentile TotalCount 1/(1-Percentile)\n"
                              "\n"
                              "#[Mean    =        0.000, StdDeviation   =        0.000]\n"
                              "#[Max     =        0.000, Total count    =            0]\n"
                              "#[Buckets =            1, SubBuckets     =         2048]\n");
    temp_file_remove(&file);
}

/* A decimal that no double is lies a little below its half; Java rounds it up all the same. */
static void test_hgrm_rounds_halves_up(void **state)
{
    histogram_t *h = *state;
    histogram_record_many(h, 1, 1);
    histogram_record_many(h, 2, 1);
    temp_file_t file;
    temp_file_make(&file);
    assert_int_equal(hgrm_write(file.path, h, 1000.0), OC_ERR_OK);
    read_text(&file);
    assert_non_null(strstr(text, "#[Mean    =        0.002, StdDeviation   =        0.001]"));
    assert_int_equal(hgrm_write(file.path, h, 200.0), OC_ERR_OK);
    read_text(&file);
    assert_non_null(strstr(text, "#[Mean    =        0.008, StdDeviation   =        0.003]"));
    temp_file_remove(&file);
}

static void test_hlog_lines(void **state)
{
    histogram_t *h = *state;
    temp_file_t file;
    temp_file_make(&file);
    hlog_writer_t log;
    assert_int_equal(hlog_open(&log, file.path, 1441812279.474), OC_ERR_OK);
    assert_int_equal(hlog_interval(&log, h, 0.0, 1.0), OC_ERR_OK);
    histogram_record(h, 2769000);
    assert_int_equal(hlog_interval(&log, h, 1.0, 0.5), OC_ERR_OK);
    assert_int_equal(hlog_close(&log), OC_ERR_OK);
    assert_int_equal(hlog_close(&log), OC_ERR_OK);
    read_text(&file);
    const char head[] = "#[Histogram log format version 1.3]\n"
                        "#[BaseTime: 1441812279.474 (seconds since epoch)]\n"
                        "#[StartTime: 1441812279.474 (seconds since epoch), 2015-09-09T15:24:39Z]\n"
                        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
                        "\"Interval_Compressed_Histogram\"\n"
                        "0.000,1.000,0.000,HISTFAAAA";
    assert_memory_equal(text, head, sizeof head - 1);
    assert_non_null(strstr(text, "\n1.000,0.500,2.771,HISTFAAAA"));
    assert_int_equal(text[strlen(text) - 1], '\n');
    temp_file_remove(&file);
}

static void test_hlog_whole(void **state)
{
    histogram_t *const intervals[] = {*state, *state};
    temp_file_t file;
    temp_file_make(&file);
    assert_int_equal(hlog_write(file.path, 0.0, intervals, 2, 2.0), OC_ERR_OK);
    read_text(&file);
    assert_non_null(strstr(text, "\n0.000,2.000,0.000,HISTFAAAA"));
    assert_non_null(strstr(text, "\n2.000,2.000,0.000,HISTFAAAA"));
    temp_file_remove(&file);
    assert_int_equal(hlog_write("/nowhere/h", 0.0, intervals, 2, 2.0), OC_ERR_WRITE);
    assert_int_equal(hlog_write("/dev/full", 0.0, intervals, 2, 2.0), OC_ERR_WRITE);
}

static void test_too_large(void **state)
{
    histogram_t *h = *state;
    temp_file_t file;
    temp_file_make(&file);
    histogram_record(h, UINT64_C(1) << 63);
    assert_int_equal(hgrm_write(file.path, h, 1.0), OC_ERR_INVALID_ARGUMENT);
    hlog_writer_t log;
    assert_int_equal(hlog_open(&log, file.path, 0.0), OC_ERR_OK);
    assert_int_equal(hlog_interval(&log, h, 0.0, 1.0), OC_ERR_INVALID_ARGUMENT);
    assert_int_equal(hlog_close(&log), OC_ERR_OK);
    temp_file_remove(&file);
}

static void test_not_writable(void **state)
{
    hlog_writer_t log;
    assert_int_equal(hgrm_write("/nowhere/h", *state, 1.0), OC_ERR_WRITE);
    assert_non_null(strstr(oc_err_context(), "/nowhere/h"));
    assert_int_equal(hgrm_write("/dev/full", *state, 1.0), OC_ERR_WRITE);
    assert_int_equal(hlog_open(&log, "/nowhere/h", 0.0), OC_ERR_WRITE);
    assert_int_equal(hlog_close(&log), OC_ERR_OK);
    assert_int_equal(hlog_open(&log, "/dev/full", 0.0), OC_ERR_OK);
    assert_int_equal(hlog_close(&log), OC_ERR_WRITE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_hgrm_of_one, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hgrm_of_none, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hgrm_rounds_halves_up, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hlog_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hlog_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_large, setup, teardown),
        cmocka_unit_test_setup_teardown(test_not_writable, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
