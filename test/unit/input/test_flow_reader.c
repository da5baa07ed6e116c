/*
 * The doorway: names of formats, recognition by content, compression in front of it, progress, and
 * errors that stay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "lib/compress.h"
#include "lib/flow_run.h"
#include "lib/temp_file.h"

static const char csv[] = "34200.5,1,1,18,5853300,1\n34201,3,1,18,5853300,1\n";

static void test_names(void **state)
{
    (void)state;
    const char *const names[] = {"auto", "tape", "lobster", "dbn", "itch", "own"};
    for (int i = 0; i < 6; i++)
        assert_string_equal(flow_format_name((flow_format_t)i), names[i]);
}

static void test_compressed_content_is_recognised(void **state)
{
    (void)state;
    for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
        uint8_t packed[512];
        const size_t size =
            compress_bytes((compress_kind_t)kind, csv, sizeof csv - 1, packed, sizeof packed);
        const flow_run_t run = flow_run_memory(packed, size, FLOW_FORMAT_AUTO);
        assert_int_equal(run.status, FLOW_END);
        assert_int_equal(run.format, FLOW_FORMAT_LOBSTER);
        assert_int_equal(run.records, 2);
        for (size_t cut = 0; cut < size; cut++) {
            assert_int_equal(flow_run_memory(packed, cut, FLOW_FORMAT_AUTO).status, FLOW_FAILED);
        }
        flow_run_flips(packed, size, FLOW_FORMAT_AUTO);
    }
}

static void test_not_recognised(void **state)
{
    (void)state;
    flow_run_t run = flow_run_memory("", 0, FLOW_FORMAT_AUTO);
    assert_int_equal(run.open_err, OC_ERR_FORMAT);
    assert_string_equal(run.context,
                        "memory: offset 0: the file is empty; known are: tape "
                        "(matching-engine-benchmark), own (recorded commands), dbn (Databento, "
                        "MBO), lobster (message CSV), itch (5.0, a 2-byte big-endian length before "
                        "each message)");
    run = flow_run_memory("hello", 5, FLOW_FORMAT_AUTO);
    assert_int_equal(run.open_err, OC_ERR_FORMAT);
    assert_non_null(strstr(run.context, "the format is not recognised; known are: "));
}

static void test_wrong_format_asked_for(void **state)
{
    (void)state;
    const flow_format_t others[] = {FLOW_FORMAT_TAPE, FLOW_FORMAT_DBN, FLOW_FORMAT_ITCH,
                                    FLOW_FORMAT_OWN};
    for (size_t i = 0; i < 4; i++) {
        const flow_run_t run = flow_run_memory(csv, sizeof csv - 1, others[i]);
        assert_int_equal(run.status, FLOW_FAILED);
        assert_int_equal(run.records, 0);
    }
}

static void test_missing_file(void **state)
{
    (void)state;
    flow_reader_t *reader = (flow_reader_t *)(void *)&reader;
    assert_int_equal(flow_reader_open(&reader, "/nowhere/at/all", FLOW_FORMAT_AUTO), OC_ERR_OPEN);
    assert_null(reader);
    assert_non_null(strstr(oc_err_context(), "/nowhere/at/all"));
    flow_reader_close(NULL);
}

static void test_progress(void **state)
{
    (void)state;
    flow_reader_t *reader = NULL;
    flow_record_t record;
    assert_int_equal(flow_reader_open_memory(&reader, "m", csv, sizeof csv - 1, FLOW_FORMAT_AUTO),
                     OC_ERR_OK);
    assert_true(flow_reader_progress(reader) <= 0.0);
    assert_int_equal(flow_reader_next(reader, &record), FLOW_RECORD);
    const double part = flow_reader_progress(reader);
    assert_true(part > 0.4 && part < 0.6);
    assert_int_equal(flow_reader_next(reader, &record), FLOW_RECORD);
    assert_true(flow_reader_progress(reader) >= 1.0);
    assert_int_equal(flow_reader_next(reader, &record), FLOW_END);
    assert_int_equal(flow_reader_next(reader, &record), FLOW_END);
    assert_null(flow_reader_config(reader));
    flow_reader_close(reader);
}

/* More than one window: lines straddle every refill. */
static void test_long_file(void **state)
{
    (void)state;
    const size_t lines = 40000;
    char *bytes = malloc(lines * (sizeof csv - 1));
    assert_non_null(bytes);
    for (size_t i = 0; i < lines; i++) {
        memcpy(bytes + i * (sizeof csv - 1), csv, sizeof csv - 1);
    }
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, bytes, lines * (sizeof csv - 1));
    flow_run_t run = flow_run_file(file.path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, 2 * lines);
    assert_int_equal(run.kinds[FLOW_NEW], lines);
    uint8_t *packed = malloc(lines * sizeof csv);
    assert_non_null(packed);
    const size_t size =
        compress_bytes(COMPRESS_XZ, bytes, lines * (sizeof csv - 1), packed, lines * sizeof csv);
    temp_file_write(&file, packed, size);
    run = flow_run_file(file.path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, 2 * lines);
    temp_file_write(&file, packed, size - 1);
    run = flow_run_file(file.path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_FAILED);
    assert_int_equal(run.records, 2 * lines);
    assert_non_null(strstr(run.context, file.path));
    temp_file_remove(&file);
    free(packed);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_compressed_content_is_recognised),
        cmocka_unit_test(test_not_recognised),
        cmocka_unit_test(test_wrong_format_asked_for),
        cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_long_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
