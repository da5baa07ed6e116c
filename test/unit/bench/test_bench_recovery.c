/*
 * `outcry bench recovery`'s measurement, small. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_recovery.h"
#include "lib/temp_dir.h"

#include <string.h>
#include <unistd.h>

static void run(uint32_t per_message, uint64_t messages)
{
    temp_dir_t dir;
    temp_dir_make(&dir);
    const bench_recovery_options_t options = {
        .dir = dir.path, .commands = 5000, .per_message = per_message, .repeats = 2};
    bench_recovery_result_t result;
    assert_int_equal(bench_recovery(&options, &result), OC_ERR_OK);
    /* Configuration, two sessions with their logons, instrument, source and its principal. */
    assert_int_equal(result.entries, messages + 8);
    assert_true(result.journal_bytes > 5000 * 40);
    assert_true(result.read_bytes >= result.journal_bytes);
    assert_true(result.write_s > 0);
    assert_true(result.recovery_s > 0);
    assert_true(result.recovery_cpu_s > 0);
    assert_true(result.read_only_s > 0);
    assert_int_equal(result.state_hash, result.recovered_hash);
    assert_int_not_equal(result.state_hash, 0);
    /* Nothing is left behind. */
    assert_int_equal(rmdir(dir.path), 0);
}

static void test_sizes(void **state)
{
    (void)state;
    run(1, 5000);
    run(16, 313);
}

static void test_no_such_folder(void **state)
{
    (void)state;
    const bench_recovery_options_t options = {
        .dir = "/proc/none", .commands = 1000, .per_message = 1, .repeats = 1};
    bench_recovery_result_t result;
    assert_int_equal(bench_recovery(&options, &result), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "/proc/none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_no_such_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
