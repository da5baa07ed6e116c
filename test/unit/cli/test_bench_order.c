/*
 * `outcry bench order`: its command line. Runs are in test/system/test_bench_order.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/bench_line.h"

static bench_line_t line = {
    .head = (const char *const[]){"bench", "order", NULL},
    .usage = "usage: outcry bench order --dir DIR",
    .small = (const char *const[]){"--rate", "100", "--resting", "100", NULL},
};

#define REFUSED(part, ...)                                                                         \
    do {                                                                                           \
        BENCH_LINE_REFUSED(&line, __VA_ARGS__);                                                    \
        capture_assert_err(&line.captured, "outcry: bench: order: ");                              \
        capture_assert_err(&line.captured, part);                                                  \
    } while (0)

static void test_help(void **state)
{
    bench_line_test_help(state);
    capture_assert_out(&line.captured, "  --arrivals SHAPE");
    capture_assert_out(&line.captured, "Exit status: 0; 1 when something was lost");
}

static void test_venues(void **state)
{
    (void)state;
    REFUSED("either --dir", "--rate", "1");
    REFUSED("exclude each other", "--dir", "d", "--ingress", "h:1", "--rate", "1");
    REFUSED("--members goes with --dir", "--ingress", "h:1", "--members", "1", "--rate", "1");
    REFUSED("--venue-idle goes with", "--ingress", "h:1", "--venue-idle", "spin", "--rate", "1");
    REFUSED("a cluster has --sync-level", "--dir", "d", "--members", "1", "--sync", "none");
    REFUSED("--node-cpu is that of a node", "--dir", "d", "--members", "1", "--node-cpu", "0");
    REFUSED("a node has --sync", "--dir", "d", "--sync-level", "1");
    REFUSED("--heap-mb is that of a cluster", "--dir", "d", "--heap-mb", "128");
    REFUSED("--gc is that of a cluster", "--dir", "d", "--gc", "G1GC");
    REFUSED("--no-setup goes with", "--dir", "d", "--no-setup");
    REFUSED("--secret-file goes with", "--dir", "d", "--secret-file", "f");
    REFUSED("12 --clients", "--dir", "d", "--rate", "1", "--clients", "13");
}

static void test_loads(void **state)
{
    (void)state;
    REFUSED("--rate is missing", "--dir", "d");
    REFUSED("closed loop", "--dir", "d", "--rate", "0");
    REFUSED("leave --rate out", "--dir", "d", "--rate", "1", "--arrivals", "onoff:5:5");
    REFUSED("must be shorter", "--dir", "d", "--rate", "1", "--seconds", "2", "--warmup", "2");
    REFUSED("--repeats", "--dir", "d", "--rate", "1", "--repeats", "0");
    REFUSED("--window", "--dir", "d", "--rate", "1", "--window", "5"); /* of a closed loop */
    assert_int_equal(BENCH_LINE(&line, "--dir", "d", "--arrivals", "trace:/nowhere/trace"),
                     EXIT_STATUS_FAILED);
    capture_assert_err(&line.captured, "/nowhere/trace");
    assert_int_equal(BENCH_LINE(&line, "--dir", "d", "--rate", "1", "--aeron-dir", "/nowhere/a"),
                     EXIT_STATUS_FAILED);
    capture_assert_err(&line.captured, "no Aeron driver in /nowhere/a");
    capture_assert_err(&line.captured, "outcry: ");
    assert_string_equal(line.captured.out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_help, &line),
        cmocka_unit_test(test_venues),
        cmocka_unit_test(test_loads),
        cmocka_unit_test_prestate(bench_line_test_no_folder, &line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
