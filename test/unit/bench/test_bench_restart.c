/*
 * `outcry bench restart` in small. Run by ctest; needs the program.
 */
#define _GNU_SOURCE
#include "bench/bench_restart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/temp_dir.h"

static void test_small(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    const bench_restart_options_t options = {.dir = dir.path,
                                             .program = OUTCRY_PROGRAM,
                                             .orders = 5000,
                                             .tail = 1000,
                                             .rounds = 1,
                                             .node_cpu = -1};
    bench_restart_result_t result;
    if (bench_restart(&options, &result) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_true(result.empty_ms > 0);
    assert_true(result.image_ms > 0);
    assert_true(result.log_ms > 0);
    assert_true(result.image_bytes > 5000 * 64);
    assert_int_equal(rmdir(dir.path), 0); /* empty again */
}

static void test_impossible(void **state)
{
    (void)state;
    const bench_restart_options_t options = {
        .dir = "/nowhere/folder", .orders = 1, .rounds = 1, .node_cpu = -1};
    bench_restart_result_t result;
    assert_int_equal(bench_restart(&options, &result), OC_ERR_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
