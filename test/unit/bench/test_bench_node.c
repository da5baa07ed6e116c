/*
 * `outcry bench node` in small: one round, a quarter of a second for each part. Run by ctest; needs
 * the program.
 */
#define _GNU_SOURCE
#include "bench/bench_node.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/temp_dir.h"

static bench_node_options_t small(const char *dir)
{
    return (bench_node_options_t){.dir = dir,
                                  .program = OUTCRY_PROGRAM,
                                  .rounds = 1,
                                  .part_ns = 250000000,
                                  .window = 256,
                                  .node_cpu = -1,
                                  .writer_cpu = -1,
                                  .client_cpu = -1,
                                  .idle = "yield"};
}

static void test_small(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    const bench_node_options_t options = small(dir.path);
    bench_node_result_t result;
    if (bench_node(&options, &result) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_true(result.raw_sync_p50_us > 0);
    for (int sync = 0; sync < BENCH_NODE_SYNCS; sync++) {
        assert_true(result.rtt_p50_us[sync] > 0);
        assert_true(result.rtt_p99_us[sync] >= result.rtt_p50_us[sync]);
        assert_true(result.orders_per_s[sync] > 0);
    }
    assert_int_equal(result.lost, 0);
    assert_non_null(strstr(result.configuration, "idle = yield\n"));
    assert_non_null(strstr(result.configuration, "writer_cpu = any\n"));
    assert_int_equal(rmdir(dir.path), 0); /* empty again */
}

static void test_node_does_not_start(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    bench_node_options_t options = small(dir.path);
    bench_node_result_t result;
    options.program = "/nowhere/outcry";
    assert_int_not_equal(bench_node(&options, &result), OC_ERR_OK);
    options.dir = "/nowhere/folder";
    assert_int_equal(bench_node(&options, &result), OC_ERR_OPEN);
    assert_int_equal(rmdir(dir.path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_node_does_not_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
