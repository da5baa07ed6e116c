/*
 * `outcry bench knee`: its command line, and what a short search prints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/bench_line.h"

static bench_line_t line = {
    .head = (const char *const[]){"bench", "knee", NULL},
    .usage = "usage: outcry bench knee",
};

#define REFUSED(text, ...) BENCH_LINE_REFUSED_WITH(&line, text, __VA_ARGS__)

static void test_usage(void **state)
{
    (void)state;
    REFUSED("knee: a knee is a rate", "--arrivals", "onoff:5:5");
    REFUSED("knee: --min, --start and --max must be in this order", "--start", "5");
    REFUSED("knee: --min, --start and --max must be in this order", "--max", "5");
    REFUSED("--percentile", "--percentile", "50");
    REFUSED("knee: --run is of knees of p99.9", "--percentile", "99", "--run", "a");
    REFUSED("--repeats", "--repeats", "0");
    REFUSED("knee: a message of 31 bytes", "--size", "31");
}

static void test_keys(void **state)
{
    (void)state;
    assert_int_equal(BENCH_LINE(&line, "--channel", "aeron:ipc", "--sla-us", "60000000", "--min",
                                "10000", "--start", "10000", "--max", "20000", "--run-ms", "10",
                                "--percentile", "99", "--repeats", "1", "--at-rate", "500"),
                     0);
    static const char *const keys[] = {
        "load_average: ",
        "loopback: ",
        "run: rate=10000 repeat=1 p50_us=",
        " p999_us=",
        "point: rate=10000 crosses=",
        "knee_of: size=288 mtu=1408 arrivals=steady:1 percentile=99 sla_us=60000000\n",
        "knee: ",
        "knee_low_per_s: ",
        "knee_mid_per_s: unknown\n",
        "knee_high_per_s: unknown\n",
        "at_rate: 500\n",
        "rho: unknown\n",
        NULL,
    };
    bench_line_expect_keys(&line, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(bench_line_test_help, &line),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
