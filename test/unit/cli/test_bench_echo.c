/*
 * `outcry bench echo`: its command line, and what a short run prints. More runs are in
 * test/system/test_bench_echo.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/bench_line.h"

static bench_line_t line = {
    .head = (const char *const[]){"bench", "echo", NULL},
    .usage = "usage: outcry bench echo",
};

#define REFUSED(text, ...) BENCH_LINE_REFUSED_WITH(&line, text, __VA_ARGS__)

static void test_usage(void **state)
{
    (void)state;
    REFUSED("echo: --closed has no schedule", "--closed", "--rate", "5");
    REFUSED("echo: --window is of a closed loop", "--window", "5");
    REFUSED("echo: --burst is that of steady", "--burst", "5", "--arrivals", "poisson");
    REFUSED("echo: these arrivals say their rate", "--rate", "5", "--arrivals", "onoff:5:5");
    REFUSED("go with --arrivals trace:FILE", "--window-ms", "5");
    REFUSED("echo: --warmup is a part of --seconds", "--warmup", "5", "--seconds", "5");
    REFUSED("echo: --hgrm and --hlog are of one run", "--repeats", "2", "--hlog", "a");
    REFUSED("echo: --run is of the sender", "--role", "reflector", "--run", "a");
    REFUSED("echo: --closed has no schedule", "--closed", "--seed", "1");
    REFUSED("echo: --closed has no schedule", "--closed", "--window-ms", "5");
    REFUSED("echo: --closed has no schedule", "--closed", "--window-by", "messages");
    REFUSED("echo: --closed has no schedule", "--closed", "--burst-gap-us", "5");
    REFUSED("--rate, --burst, --arrivals", "--role", "reflector", "--rate", "5");
    REFUSED("are of the sender", "--role", "reflector", "--hgrm", "a");
    REFUSED("are of the sender", "--role", "reflector", "--seconds", "5");
    REFUSED("are of the sender", "--role", "reflector", "--repeats", "1");
    REFUSED("are of the sender", "--role", "reflector", "--bare");
    REFUSED("echo: --cpu is of the sender", "--role", "reflector", "--cpu", "0");
    REFUSED("echo: --reflector-cpu is of", "--role", "sender", "--reflector-cpu", "0");
    REFUSED("a trace has sizes of its own", "--arrivals", "trace:/nowhere/a", "--size", "64");
    REFUSED("arrivals", "--arrivals", "never");
    REFUSED("--role", "--role", "judge");
    REFUSED("echo: --driver is of a driver of its own", "--driver", "dedicated", "--aeron-dir",
            "nowhere");
    REFUSED("echo: a message of 5000 bytes does not fit", "--size", "5000");
    REFUSED("echo: where the sender takes answers is missing", "--role", "sender", "--endpoint",
            "a:1");
}

static void test_what_fails(void **state)
{
    (void)state;
    assert_int_equal(BENCH_LINE(&line, "--aeron-dir", "/nowhere/driver"), EXIT_STATUS_FAILED);
    capture_assert_err(&line.captured, "outcry: no Aeron driver in /nowhere/driver");
    assert_int_equal(BENCH_LINE(&line, "--arrivals", "trace:/nowhere/trace"), EXIT_STATUS_FAILED);
    capture_assert_err(&line.captured, "/nowhere/trace");
}

static void test_keys(void **state)
{
    (void)state;
    /* 1 only where a busy machine did not keep the rate. */
    const int status = BENCH_LINE(&line, "--channel", "aeron:ipc", "--seconds", "1", "--rate",
                                  "100", "--idle", "yield");
    capture_assert_out(&line.captured, status == 0 ? "kept_rate: yes\n" : "kept_rate: no: ");
    static const char *const keys[] = {
        "load_average: ",
        "bench: echo\n",
        "transport: ipc\n",
        "mtu: 1408\n",
        "loopback: ",
        "mode: open loop\n",
        "arrivals: steady:1\n",
        "sent: 100\n",
        "received: 100\n",
        "lost: 0\n",
        "warmup_s: 0\n",
        "rtt_p999_us: ",
        "service_max_us: ",
        "send_late_p99_ns: ",
        "behind_ms: ",
        "steal_pct: ",
        NULL,
    };
    bench_line_expect_keys(&line, keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(bench_line_test_help, &line),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_what_fails),
        cmocka_unit_test(test_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
