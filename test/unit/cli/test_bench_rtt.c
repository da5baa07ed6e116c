/*
 * `outcry bench rtt`: its command line. Runs are in test/system/test_bench_cluster.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"

static capture_t captured;

#define BENCH(...)                                                                                 \
    capture_main(bench_main, (const char *const[]){"bench", "rtt", __VA_ARGS__, NULL}, &captured)

static void test_help(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--help"), 0);
    assert_non_null(strstr(captured.out, "usage: outcry bench rtt --dir"));
    assert_non_null(strstr(captured.out, "--peer FOLDER"));
}

static void test_usage(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--orders", "1000"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(captured.err, "--dir is missing"));
    assert_int_equal(BENCH("--dir", "d", "--orders", "1"), EXIT_STATUS_USAGE);
    assert_int_equal(BENCH("--dir", "d", "--rounds", "0"), EXIT_STATUS_USAGE);
    assert_int_equal(BENCH("--dir", "d", "--sync", "3"), EXIT_STATUS_USAGE);
    assert_int_equal(BENCH("--dir", "d", "--members", "10"), EXIT_STATUS_USAGE);
    assert_int_equal(BENCH("--dir", "d", "--window", "0"), EXIT_STATUS_USAGE);
    assert_int_equal(BENCH("--dir", "d", "--seconds", "0"), EXIT_STATUS_USAGE);
}

/* The terms are told before anything runs. */
static void test_impossible_directory(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--dir", "/nowhere/folder", "--orders", "1000", "--sync", "2"),
                     EXIT_STATUS_FAILED);
    assert_non_null(strstr(captured.err, "/nowhere/folder"));
    assert_non_null(strstr(captured.out, "load_average: "));
    assert_non_null(strstr(captured.out, "sync_level: 2\n"));
    assert_non_null(strstr(captured.out, "jvm_flags: -XX:+UseParallelGC "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_impossible_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
