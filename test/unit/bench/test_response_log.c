/*
 * Unit tests of the log of outputs: written and read back, cut short, foreign. Run by ctest.
 */
#include "bench/response_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/temp_file.h"

enum { RECORDS = 3000, HEADER = 32 };

static oc_output_t output_of(uint64_t i)
{
    oc_output_t output;
    memset(&output, 0, sizeof output);
    output.event.type = OC_EVENT_FILL;
    output.event.source.value = (uint32_t)(i % 3);
    output.event.quantity_lots = (int64_t)i * 7;
    output.outbound_sequence = i + 1;
    output.position = i << 33;
    return output;
}

static void write_log(const temp_file_t *file, uint64_t count)
{
    response_log_t log;
    assert_int_equal(response_log_create(&log, file->path), OC_ERR_OK);
    for (uint64_t i = 0; i < count; i++) {
        const oc_output_t output = output_of(i);
        response_log_append(&log, &output);
    }
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
}

static void test_round_trip(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    write_log(&file, RECORDS);
    response_log_t log;
    response_record_t record;
    bool more;
    assert_int_equal(response_log_open(&log, file.path), OC_ERR_OK);
    for (uint64_t i = 0; i < RECORDS; i++) {
        const oc_output_t expected = output_of(i);
        assert_int_equal(response_log_next(&log, &record, &more), OC_ERR_OK);
        assert_true(more);
        assert_int_equal(record.kind, RESPONSE_OUTPUT);
        assert_memory_equal(&record.output, &expected, sizeof expected);
    }
    assert_int_equal(response_log_next(&log, &record, &more), OC_ERR_OK);
    assert_false(more);
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
    temp_file_remove(&file);
}

static void test_beginning(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    response_log_t log;
    assert_int_equal(response_log_create(&log, file.path), OC_ERR_OK);
    response_log_begin(&log, (oc_source_id_t){7}, 41);
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
    response_record_t expected;
    memset(&expected, 0, sizeof expected);
    expected.kind = RESPONSE_BEGINNING;
    expected.output.event.source.value = 7;
    expected.output.outbound_sequence = 41;
    response_record_t record;
    bool more;
    assert_int_equal(response_log_open(&log, file.path), OC_ERR_OK);
    assert_int_equal(response_log_next(&log, &record, &more), OC_ERR_OK);
    assert_true(more);
    assert_memory_equal(&record, &expected, sizeof record);
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
    temp_file_remove(&file);
}

static void test_unknown_kind(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    write_log(&file, 1);
    char bytes[HEADER + sizeof(response_record_t)];
    assert_int_equal(temp_file_read(&file, bytes, sizeof bytes), sizeof bytes);
    bytes[HEADER] = 9;
    temp_file_write(&file, bytes, sizeof bytes);
    response_log_t log;
    response_record_t record;
    bool more;
    assert_int_equal(response_log_open(&log, file.path), OC_ERR_OK);
    assert_int_equal(response_log_next(&log, &record, &more), OC_ERR_FORMAT);
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
    temp_file_remove(&file);
}

static void test_cut_short(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    write_log(&file, 2);
    char bytes[HEADER + 2 * sizeof(response_record_t)];
    assert_int_equal(temp_file_read(&file, bytes, sizeof bytes), sizeof bytes);
    for (size_t size = HEADER; size < sizeof bytes; size++) {
        temp_file_write(&file, bytes, size);
        response_log_t log;
        assert_int_equal(response_log_open(&log, file.path), OC_ERR_OK);
        response_record_t record;
        bool more = true;
        oc_err_t err = OC_ERR_OK;
        while (more && err == OC_ERR_OK)
            err = response_log_next(&log, &record, &more);
        const bool whole = (size - HEADER) % sizeof(response_record_t) == 0;
        assert_int_equal(err, whole ? OC_ERR_OK : OC_ERR_TRUNCATED);
        assert_int_equal(response_log_close(&log), OC_ERR_OK);
    }
    temp_file_remove(&file);
}

static void test_foreign(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    response_log_t log;
    assert_int_equal(response_log_open(&log, file.path), OC_ERR_FORMAT);
    const char text[] = "a text that is long enough to be a header and is none";
    temp_file_write(&file, text, sizeof text);
    assert_int_equal(response_log_open(&log, file.path), OC_ERR_FORMAT);
    assert_non_null(strstr(oc_err_context(), file.path));
    temp_file_remove(&file);
    assert_int_equal(response_log_open(&log, file.path), OC_ERR_OPEN);
}

static void test_not_writable(void **state)
{
    (void)state;
    response_log_t log;
    assert_int_equal(response_log_create(&log, "/nowhere/log"), OC_ERR_WRITE);
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
    assert_int_equal(response_log_create(&log, "/dev/full"), OC_ERR_OK);
    assert_int_equal(response_log_close(&log), OC_ERR_WRITE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_beginning),
        cmocka_unit_test(test_unknown_kind), cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_foreign),      cmocka_unit_test(test_not_writable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
