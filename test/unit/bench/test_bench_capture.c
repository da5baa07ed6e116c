/*
 * `outcry bench capture`'s measurement, small. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_capture.h"

#include <string.h>

static void check_times(const bench_capture_times_t *times)
{
    assert_true(times->p50_ns > 0);
    assert_true(times->p99_ns >= times->p50_ns);
    assert_true(times->p999_ns >= times->p99_ns);
    assert_true(times->worst_ns >= times->p999_ns);
}

static void test_all_is_measured(void **state)
{
    (void)state;
    const bench_capture_options_t options = {
        .orders = 20000,
        .rounds = 3,
        .quiet = 2000,
        .pool_percent = 100,
        .cpu = BENCH_HOST_CPU_ANY,
        .sweeper_cpu = BENCH_HOST_CPU_ANY,
    };
    bench_capture_result_t result;
    assert_int_equal(bench_capture(&options, &result), OC_ERR_OK);
    assert_true(result.pause_ns > 0);
    assert_true(result.pause_worst_ns >= result.pause_ns);
    assert_true(result.sweep_ms > 0);
    assert_true(result.pages > 20000 * 64 / 4096);
    assert_true(result.pages <= (double)result.arena_pages);
    assert_true(result.pages_owner <= result.pages);
    assert_true(result.pool_highest <= result.pages_owner);
    assert_true(result.clean_ns > 0);
    check_times(&result.quiet);
    if (result.operations > 0)
        check_times(&result.during);
    assert_int_equal(result.abandoned, 0);
}

/* Both threads on one processor: the sweeper's turn comes all the same. */
static void test_one_processor(void **state)
{
    (void)state;
    bench_capture_options_t options = {
        .orders = 5000,
        .rounds = 1,
        .quiet = 10,
        .pool_percent = 100,
        .cpu = BENCH_HOST_CPU_ANY,
        .sweeper_cpu = BENCH_HOST_CPU_ANY,
    };
    bench_capture_result_t result;
    assert_int_equal(bench_capture(&options, &result), OC_ERR_OK);
    options.cpu = result.cpu;
    options.sweeper_cpu = result.cpu;
    assert_int_equal(bench_capture(&options, &result), OC_ERR_OK);
    assert_int_equal(result.sweeper_cpu, result.cpu);
    assert_true(result.pages > 0);
}

static void test_what_cannot_be_measured(void **state)
{
    (void)state;
    bench_capture_options_t options = {
        .orders = 5000, .rounds = 1, .quiet = 10, .pool_percent = 50, .cpu = 1023};
    bench_capture_result_t result;
    assert_int_equal(bench_capture(&options, &result), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "1023"));
    options.cpu = BENCH_HOST_CPU_ANY;
    options.sweeper_cpu = 1023;
    assert_int_equal(bench_capture(&options, &result), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "1023"));
    options.sweeper_cpu = BENCH_HOST_CPU_ANY;
    options.rounds = BENCH_CAPTURE_ROUNDS_MAX;
    options.orders = 1 << 26;
    assert_int_equal(bench_capture(&options, &result), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "too many operations"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_is_measured),
        cmocka_unit_test(test_one_processor),
        cmocka_unit_test(test_what_cannot_be_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
