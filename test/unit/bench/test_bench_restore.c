/*
 * `outcry bench restore`'s measurement, small. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_restore.h"
#include "lib/temp_dir.h"

#include <string.h>
#include <unistd.h>

static void run(uint32_t threads)
{
    temp_dir_t dir;
    temp_dir_make(&dir);
    const bench_restore_options_t options = {
        .dir = dir.path, .orders = 20000, .repeats = 2, .threads = threads};
    bench_restore_result_t result;
    assert_int_equal(bench_restore(&options, &result), OC_ERR_OK);
    assert_true(result.threads > 0);
    if (threads > 0)
        assert_int_equal(result.threads, threads);
    assert_true(result.image_bytes > UINT64_C(20000) * 64);
    assert_int_equal(result.image_bytes % 4096, 0);
    assert_true(result.write_ms > 0);
    assert_true(result.raw_cold_ms > 0);
    assert_true(result.load_cold_ms > 0);
    assert_true(result.cold_ratio > 0);
    assert_true(result.raw_warm_ms > 0);
    assert_true(result.load_warm_ms > 0);
    assert_true(result.verify_hash_ms > 0);
    assert_true(result.equal);
    /* Nothing is left behind. */
    assert_int_equal(rmdir(dir.path), 0);
}

static void test_threads(void **state)
{
    (void)state;
    run(0);
    run(3);
}

static void test_no_such_folder(void **state)
{
    (void)state;
    const bench_restore_options_t options = {.dir = "/proc/none", .orders = 100, .repeats = 1};
    bench_restore_result_t result;
    assert_int_equal(bench_restore(&options, &result), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "/proc/none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_no_such_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
