/*
 * `outcry bench stall`: its command line. Runs are in test/system/test_bench_cluster.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/bench_line.h"

static bench_line_t line = {
    .head = (const char *const[]){"bench", "stall", NULL},
    .usage = "usage: outcry bench stall --dir",
    .small = (const char *const[]){"--orders", "1000", "--sync", "2", NULL},
};

static void test_usage(void **state)
{
    (void)state;
    bench_line_expect_cluster_usage(&line);
    BENCH_LINE_REFUSED(&line, "--dir", "d", "--window-s", "0");
    BENCH_LINE_REFUSED(&line, "--dir", "d", "--window", "5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(bench_line_test_cluster_help, &line),
        cmocka_unit_test(test_usage),
        cmocka_unit_test_prestate(bench_line_test_cluster_no_folder, &line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
