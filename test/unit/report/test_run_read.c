/*
 * Unit tests of the reader of run files: what is no JSON, cut off, or too large. Run by ctest.
 */
#define _GNU_SOURCE
#include "report/run_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "lib/run_maker.h"
#include "lib/temp_file.h"

static void refused(const char *bytes, size_t size, const char *why)
{
    json_t *run;
    assert_int_equal(run_read_bytes(bytes, size, "a.json", &run), OC_ERR_FORMAT);
    assert_null(run);
    assert_memory_equal(oc_err_context(), "a.json: ", 8);
    assert_null(strpbrk(oc_err_context(), "\n\r\033"));
    if (!strstr(oc_err_context(), why))
        fail_msg("'%s' does not say '%s'", oc_err_context(), why);
}

static void test_no_json(void **state)
{
    (void)state;
    refused("", 0, "cut off");
    refused("{\"a\": \033[1m\n}", 14, "line 1");
    refused("[1, 2]", 6, "no run file");
    refused("{\"format\": 1}", 13, "no run file");
    refused("{\"a\": 1, \"a\": 2}", 16, "duplicate");
    refused("{\"a\": 1e999}", 12, "line 1");
    refused("{\"a\": \"\xff\"}", 10, "line 1");
}

/* A file that ends anywhere is refused, and never read as a shorter run. */
static void test_cut_off_anywhere(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(20000);
    json_t *other;
    char *text = json_dumps(run, JSON_COMPACT);
    const size_t size = strlen(text);
    assert_int_equal(run_read_bytes(text, size, "a.json", &other), OC_ERR_OK);
    assert_true(json_equal(run, other));
    json_decref(other);
    for (size_t cut = 0; cut < size; cut += 1 + size / 200)
        refused(text, cut, "line 1");
    free(text);
    json_decref(run);
}

static void test_no_file(void **state)
{
    (void)state;
    json_t *run;
    assert_int_equal(run_read("/nonexistent/run.json", &run), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "/nonexistent/run.json: No such file"));
    assert_int_equal(run_read("/", &run), OC_ERR_READ);
    assert_null(run);
}

static void test_too_large(void **state)
{
    (void)state;
    temp_file_t file;
    json_t *run;
    temp_file_make(&file);
    assert_int_equal(truncate(file.path, (off_t)RUN_READ_BYTES_MAX + 1), 0);
    assert_int_equal(run_read(file.path, &run), OC_ERR_TOO_LONG);
    assert_non_null(strstr(oc_err_context(), "64 MiB"));
    temp_file_remove(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_json),
        cmocka_unit_test(test_cut_off_anywhere),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
