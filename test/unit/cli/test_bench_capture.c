/*
 * Unit tests of `outcry bench capture` in this process: what it refuses, and its keys. Run by
 * ctest.
 */
#define _GNU_SOURCE /* the processor of this thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

static capture_t captured;

#define BENCH(...)                                                                                 \
    capture_main(bench_main, (const char *const[]){"bench", "capture", __VA_ARGS__, NULL},         \
                 &captured)

static void test_usage(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--orders", "0"), 2);
    assert_int_equal(BENCH("--rounds", "0"), 2);
    assert_int_equal(BENCH("--rounds", "100"), 2);
    assert_int_equal(BENCH("--quiet", "0"), 2);
    assert_int_equal(BENCH("--pool-percent", "101"), 2);
    assert_int_equal(BENCH("--order", "5"), 2);
    assert_memory_equal(captured.err, "outcry: bench: ", 15);
    assert_int_equal(BENCH("--orders", "5000", "--sweeper-cpu", "1023", "--rounds", "1"), 1);
    assert_non_null(strstr(captured.err, "cpu 1023"));
    assert_int_equal(BENCH("--help"), 0);
    assert_non_null(strstr(captured.out, "--sweeper-cpu"));
}

static void test_keys(void **state)
{
    (void)state;
    assert_int_equal(
        BENCH("--orders", "5000", "--rounds", "2", "--quiet", "100", "--pool-percent", "100"), 0);
    const char *const keys[] = {
        "build: ",          "\nsweeper_cpu: ",  "\nrounds: 2\n",      "\norders: 5000\n",
        "\npause_ns: ",     "\nsweep_ms: ",     "\npages: ",          "\npages_owner: ",
        "\nop_p50_ns: ",    "\nop_p99_ns: ",    "\nop_p999_ns: ",     "\nop_p50_ns_quiet: ",
        "\npool_highest: ", "\nabandoned: 0\n", "\nop_p999_ns_quiet", "\nsteal_pct: ",
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!strstr(captured.out, keys[i]))
            fail_msg("'%s' is not in '%s'", keys[i], captured.out);
}

/* A sweeper that has to wait for the processor of the engine lets every round use up its share of
 * the operations, and no more. */
static void test_one_processor(void **state)
{
    (void)state;
    char cpu[16];
    (void)snprintf(cpu, sizeof cpu, "%d", sched_getcpu());
    assert_int_equal(BENCH("--orders", "50", "--rounds", "5", "--quiet", "10", "--pool-percent",
                           "100", "--cpu", cpu, "--sweeper-cpu", cpu),
                     0);
    assert_non_null(strstr(captured.out, "\nrounds: 5\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_one_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
