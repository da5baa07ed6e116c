/*
 * Traces as CSV: what is taken, and that each kind of damage names its line. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calc/trace_csv.h"
#include "lib/temp_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static oc_err_t read_bytes(trace_t *trace, const char *text, size_t size)
{
    FILE *in = fmemopen((void *)(uintptr_t)text, size, "r");
    assert_non_null(in);
    const oc_err_t err = trace_csv_read(trace, in, "burst.csv");
    assert_int_equal(fclose(in), 0);
    return err;
}

static void expect(const char *text, const trace_message_t *messages, size_t count)
{
    trace_t trace;
    assert_int_equal(read_bytes(&trace, text, strlen(text)), OC_ERR_OK);
    assert_int_equal(trace.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(trace.messages[i].offset_ns, messages[i].offset_ns);
        assert_int_equal(trace.messages[i].size, messages[i].size);
    }
    trace_fini(&trace);
    assert_null(trace.messages);
    assert_int_equal(trace.count, 0);
}

static void refuse(const char *text, const char *why)
{
    trace_t trace;
    assert_int_equal(read_bytes(&trace, text, strlen(text)), OC_ERR_FORMAT);
    assert_null(trace.messages);
    assert_int_equal(trace.count, 0);
    assert_string_equal(oc_err_context(), why);
}

static void test_good(void **state)
{
    (void)state;
    const trace_message_t two[] = {{0, 170}, {850, 65535}};
    expect("0,170\n850,65535\n", two, 2);
    expect("0,170\n850,65535", two, 2);
    expect("offset_ns,size\n0,170\n850,65535\n", two, 2);
    expect("# of a Monday\r\n\r\noffset_ns,size\r\n0,170\r\n#\n\n850,65535\r\n", two, 2);
    const trace_message_t same[] = {{9223372036854775807u, 1}, {9223372036854775807u, 1}};
    expect("9223372036854775807,1\n9223372036854775807,1\n", same, 2);
}

static void test_long_comment(void **state)
{
    (void)state;
    char text[5000];
    memset(text, '#', sizeof text);
    (void)snprintf(text + 4900, sizeof text - 4900, "\n5,6\n");
    const trace_message_t one = {5, 6};
    expect(text, &one, 1);
}

static void test_wrong_lines(void **state)
{
    (void)state;
    refuse("0,170\n\n# x\nabc\n", "burst.csv: line 4: 'offset_ns,size' expected, found 'abc'");
    refuse("0\n", "burst.csv: line 1: 'offset_ns,size' expected, found '0'");
    refuse("-1,170\n", "burst.csv: line 1: offset_ns from 0 to 2^63-1 expected, found '-1'");
    refuse("1.5,170\n", "burst.csv: line 1: offset_ns from 0 to 2^63-1 expected, found '1.5'");
    refuse(" 1,170\n", "burst.csv: line 1: offset_ns from 0 to 2^63-1 expected, found ' 1'");
    refuse(",170\n", "burst.csv: line 1: offset_ns from 0 to 2^63-1 expected, found ''");
    refuse("9223372036854775808,1\n",
           "burst.csv: line 1: offset_ns from 0 to 2^63-1 expected, found '9223372036854775808'");
    refuse("99999999999999999999999,1\n", "burst.csv: line 1: offset_ns from 0 to 2^63-1 expected,"
                                          " found '99999999999999999999999'");
    refuse("1,0\n", "burst.csv: line 1: size from 1 to 65535 expected, found '0'");
    refuse("1,65536\n", "burst.csv: line 1: size from 1 to 65535 expected, found '65536'");
    refuse("1,\n", "burst.csv: line 1: size from 1 to 65535 expected, found ''");
    refuse("1,2,3\n", "burst.csv: line 1: size from 1 to 65535 expected, found '2,3'");
    refuse("1,2\n0,2\n",
           "burst.csv: line 2: offset_ns of at least 1, the one before, expected, found '0'");
    refuse("1,2\noffset_ns,size\n",
           "burst.csv: line 2: offset_ns from 0 to 2^63-1 expected, found 'offset_ns'");
    refuse("offset_ns,size\noffset_ns,size\n",
           "burst.csv: line 2: offset_ns from 0 to 2^63-1 expected, found 'offset_ns'");
    refuse("# nothing\noffset_ns,size\n",
           "burst.csv: no message in it; lines of 'offset_ns,size' expected");
    refuse("\n", "burst.csv: no message in it; lines of 'offset_ns,size' expected");
}

static void test_what_is_shown(void **state)
{
    (void)state;
    char text[1000];
    memset(text, '7', sizeof text);
    text[sizeof text - 1] = '\0';
    refuse(text, "burst.csv: line 1: a line of at most 200 bytes expected, found "
                 "'77777777777777777777777777777777...'");
    refuse("\x1b[2J\n", "burst.csv: line 1: 'offset_ns,size' expected, found '?[2J'");
    trace_t trace;
    assert_int_equal(read_bytes(&trace, "1\0,5\n", 5), OC_ERR_FORMAT);
    assert_string_equal(oc_err_context(),
                        "burst.csv: line 1: offset_ns from 0 to 2^63-1 expected, found '1?'");
}

static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    char *text = malloc(COUNT * 16);
    assert_non_null(text);
    size_t used = 0;
    for (unsigned i = 0; i < COUNT; i++)
        used += (size_t)snprintf(text + used, 16, "%u,%u\n", i / 3, i % 65535 + 1);
    trace_t trace;
    assert_int_equal(read_bytes(&trace, text, used), OC_ERR_OK);
    assert_int_equal(trace.count, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(trace.messages[i].offset_ns, i / 3);
        assert_int_equal(trace.messages[i].size, i % 65535 + 1);
    }
    trace_fini(&trace);
    free(text);
}

static void test_files(void **state)
{
    (void)state;
    trace_t trace;
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, "3,4\n", 4);
    assert_int_equal(trace_csv_load(&trace, file.path), OC_ERR_OK);
    assert_int_equal(trace.count, 1);
    trace_fini(&trace);
    temp_file_write(&file, "", 0);
    assert_int_equal(trace_csv_load(&trace, file.path), OC_ERR_FORMAT);
    temp_file_remove(&file);
    assert_int_equal(trace_csv_load(&trace, file.path), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), file.path));
    assert_int_equal(trace_csv_load(&trace, "/"), OC_ERR_READ);
    assert_null(trace.messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),        cmocka_unit_test(test_long_comment),
        cmocka_unit_test(test_wrong_lines), cmocka_unit_test(test_what_is_shown),
        cmocka_unit_test(test_many),        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
