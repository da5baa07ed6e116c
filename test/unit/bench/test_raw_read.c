/*
 * The bare reading of a file. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/raw_read.h"
#include "lib/temp_dir.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void test_any_number_of_threads(void **state)
{
    (void)state;
    static uint8_t bytes[3 * 1024 * 1024 + 4096];
    temp_dir_t dir;
    char path[512];
    temp_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/file", dir.path);
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
    assert_int_equal(fsync(fd), 0);
    (void)close(fd);
    for (unsigned threads = 1; threads <= RAW_READ_THREADS_MAX; threads *= 4) {
        raw_reading_t reading;
        assert_int_equal(raw_read_forget(path), OC_ERR_OK);
        assert_int_equal(raw_read(path, threads, true, &reading), OC_ERR_OK);
        assert_true(reading.ms > 0.0);
        assert_true(reading.bytes == sizeof bytes);
        assert_int_equal(raw_read(path, threads, false, &reading), OC_ERR_OK);
        assert_true(reading.ms > 0.0);
        assert_true(reading.bytes == sizeof bytes);
        assert_false(reading.direct);
    }
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(dir.path), 0);
}

static void test_errors(void **state)
{
    (void)state;
    raw_reading_t reading;
    assert_int_equal(raw_read("no/such/file", 2, true, &reading), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "no/such/file"));
    assert_int_equal(raw_read_forget("no/such/file"), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "no/such/file"));
    /* A directory opens, but does not read. */
    assert_int_equal(raw_read(".", 2, false, &reading), OC_ERR_READ);
    assert_non_null(strstr(oc_err_context(), "cannot read ."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
