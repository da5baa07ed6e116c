/*
 * `outcry bench node`: its command line. A run is in test/unit/bench/test_bench_node.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/bench_line.h"

static bench_line_t line = {
    .head = (const char *const[]){"bench", "node", NULL},
    .usage = "usage: outcry bench node --dir",
    .small = (const char *const[]){"--seconds", "1", NULL},
};

static void test_usage(void **state)
{
    (void)state;
    BENCH_LINE_REFUSED(&line, "--seconds", "1");
    capture_assert_err(&line.captured, "--dir is missing");
    BENCH_LINE_REFUSED(&line, "--dir", "d", "--window", "16385");
    BENCH_LINE_REFUSED(&line, "--dir", "d", "--idle", "sleep");
    capture_assert_err(&line.captured, "idle");
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
