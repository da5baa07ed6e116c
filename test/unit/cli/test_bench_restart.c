/*
 * `outcry bench restart`: its command line. A run is in test/unit/bench/test_bench_restart.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/bench_line.h"

static bench_line_t line = {
    .head = (const char *const[]){"bench", "restart", NULL},
    .usage = "usage: outcry bench restart --dir",
    .small = (const char *const[]){"--orders", "1000", NULL},
};

static void test_usage(void **state)
{
    (void)state;
    bench_line_expect_usage(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(bench_line_test_help, &line),
        cmocka_unit_test(test_usage),
        cmocka_unit_test_prestate(bench_line_test_no_folder, &line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
