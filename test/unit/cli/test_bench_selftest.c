/*
 * `outcry bench selftest`: its command line, and what it prints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/bench_line.h"

static bench_line_t line = {
    .head = (const char *const[]){"bench", "selftest", NULL},
    .usage = "usage: outcry bench selftest",
};

#define REFUSED(text, ...) BENCH_LINE_REFUSED_WITH(&line, text, __VA_ARGS__)

static void test_usage(void **state)
{
    (void)state;
    REFUSED("selftest: --seconds must be at least four times", "--stall-ms", "501");
    REFUSED("selftest: fewer than ten messages", "--rate", "100", "--stall-ms", "50");
    REFUSED("selftest: --so-rcvbuf is of UDP", "--so-rcvbuf", "65536");
}

static void test_keys(void **state)
{
    (void)state;
    assert_int_equal(BENCH_LINE(&line, "--seconds", "1", "--stall-ms", "50"), 0);
    static const char *const keys[] = {
        "load_average: ",
        "term_length: 65536\n",
        "\nstall_injected_ms: ",
        "\nstall_seen_ms: ",
        "\nsamples_affected_expected: ",
        "\nsamples_affected_seen: ",
        "\nclosed_loop_mode: closed loop: not latency at a rate\n",
        "\noverload: ok\n",
        "\nverdict: ok\n",
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
