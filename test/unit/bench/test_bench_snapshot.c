/*
 * `outcry bench snapshot` in small: what it counts, never how long it takes. Run by ctest; needs
 * the program.
 */
#define _GNU_SOURCE
#include "bench/bench_snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/temp_dir.h"

static bench_snapshot_options_t small(const char *dir)
{
    return (bench_snapshot_options_t){.dir = dir,
                                      .program = OUTCRY_PROGRAM,
                                      .orders = 60000,
                                      .rate_per_s = 10000,
                                      .rounds = 1,
                                      .sync = "always",
                                      .node_cpu = -1,
                                      .background_cpu = -1,
                                      .client_cpu = -1,
                                      .idle = "backoff"};
}

static void test_small(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    const bench_snapshot_options_t options = small(dir.path);
    bench_snapshot_result_t result;
    if (bench_snapshot(&options, &result) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_int_equal(result.unanswered, 0);
    assert_true(result.probes >= 100);
    assert_true(result.before_worst_us >= result.before_p99_us);
    /* One round: the median is its own difference. */
    assert_true(result.more_p99_us == result.during_p99_us - result.before_p99_us);
    assert_true(result.more_worst_us == result.during_worst_us - result.before_worst_us);
    assert_true(result.pause_ns > 0);
    assert_true(result.background_ms >= result.sweep_ms);
    assert_true(result.image_bytes > 60000 * 64);
    assert_true(result.incremental_bytes > 0);
    assert_true(result.incremental_bytes < result.image_bytes);
    assert_true(result.log_bytes > 0);
    assert_true(result.restore_warm_ms > 0);
    assert_true(result.during_worst_us >= result.during_p99_us);
    assert_int_equal(rmdir(dir.path), 0); /* empty again */
}

/* So few probes say nothing, and no figure is told. */
static void test_too_few_probes(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    bench_snapshot_options_t options = small(dir.path);
    options.orders = 1000;
    options.rate_per_s = 1;
    bench_snapshot_result_t result;
    assert_int_equal(bench_snapshot(&options, &result), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "raise --rate"));
    assert_int_equal(rmdir(dir.path), 0);
}

static void test_impossible(void **state)
{
    (void)state;
    bench_snapshot_options_t options = small("/nowhere/folder");
    bench_snapshot_result_t result;
    assert_int_equal(bench_snapshot(&options, &result), OC_ERR_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_too_few_probes),
        cmocka_unit_test(test_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
