/*
 * `outcry bench burst`: its command line, a small run, and a matrix with a row that cannot be. What
 * a run counts is in test/unit/bench/test_bench_burst.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/bench_line.h"
#include "lib/temp_file.h"

#include <jansson.h>

static bench_line_t line = {
    .head = (const char *const[]){"bench", "burst", NULL},
    .usage = "usage: outcry bench burst",
};

#define SMALL                                                                                      \
    "--burst-size", "200", "--bursts", "2", "--warmup", "1", "--interval-ms", "5",                 \
        "--term-length", "65536"

static void test_usage(void **state)
{
    (void)state;
    BENCH_LINE_REFUSED(&line, "--burst-size", "0");
    BENCH_LINE_REFUSED(&line, "--senders", "9");
    BENCH_LINE_REFUSED(&line, "--size", "2000");
    capture_assert_err(&line.captured, "--mtu");
    BENCH_LINE_REFUSED(&line, "--size", "31");
    BENCH_LINE_REFUSED(&line, "--role", "reflector");
    BENCH_LINE_REFUSED(&line, "--role", "sender"); /* where to? */
    BENCH_LINE_REFUSED(&line, "--role", "sender", "--endpoint", "127.0.0.1:40999", "--hgrm", "f");
    capture_assert_err(&line.captured, "the receiver's to tell");
    BENCH_LINE_REFUSED(&line, "--channel", "aeron:ipc", "--so-rcvbuf", "100000");
    BENCH_LINE_REFUSED(&line, "--sizes", "88,170");
    capture_assert_err(&line.captured, "--matrix");
    BENCH_LINE_REFUSED(&line, "--matrix", "--sizes", "88,x");
    capture_assert_err(&line.captured, "--sizes: '88,x'");
    BENCH_LINE_REFUSED(&line, "--matrix", "--sender-counts", "1,9");
    BENCH_LINE_REFUSED(&line, "--matrix", "--hgrm", "f");
}

/* Nothing that is given is left aside without a word, not even the default. */
static void test_misplaced(void **state)
{
    (void)state;
#define RECEIVER "--role", "receiver", "--endpoint", "127.0.0.1:40999"
    static const char *const schedule[][2] = {{"--burst-size", "50000"}, {"--bursts", "5"},
                                              {"--warmup", "1"},         {"--interval-ms", "1000"},
                                              {"--peak-per-ms", "0"},    {"--size", "170"}};
    static const char *const lists[][4] = {
        {"--size", "170", "--sizes", "88"},
        {"--burst-size", "9", "--burst-sizes", "9"},
        {"--senders", "1", "--sender-counts", "2"},
        {"--mtu", "1408", "--mtus", "8192"},
        {"--so-rcvbuf", "4096", "--so-rcvbufs", "8192"},
        {"--receiver-window", "4096", "--receiver-windows", "4096"}};
    for (size_t i = 0; i < sizeof schedule / sizeof schedule[0]; i++) {
        BENCH_LINE_REFUSED(&line, RECEIVER, schedule[i][0], schedule[i][1]);
        capture_assert_err(&line.captured, schedule[i][0]);
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        BENCH_LINE_REFUSED(&line, "--matrix", lists[i][0], lists[i][1], lists[i][2], lists[i][3]);
        capture_assert_err(&line.captured, "exclude each other");
        capture_assert_err(&line.captured, lists[i][2]);
    }
    BENCH_LINE_REFUSED(&line, "--matrix", "--sender-counts", "1,8", "--sender-cpu", "1016");
    capture_assert_err(&line.captured, "--sender-cpu");
}

static void test_run(void **state)
{
    (void)state;
    assert_int_equal(BENCH_LINE(&line, SMALL, "--senders", "2", "--p99-us", "3600000000"), 0);
    capture_assert_out(&line.captured, "\nbench: burst\nrole: both\n");
    capture_assert_out(&line.captured, "\npace: line rate\n");
    capture_assert_out(&line.captured, "\nnote: over loopback ");
    capture_assert_out(&line.captured, "\n| 1 (warm-up) | 400 | 0 | ");
    capture_assert_out(&line.captured, "\n| 3 | 400 | 0 | ");
    capture_assert_out(&line.captured, "\nplanned: 1200\nsent: 1200\nunsent: 0\n");
    capture_assert_out(&line.captured, "\nreceived: 1200\nlost: 0\n");
    capture_assert_out(&line.captured, "\nlatency_p99_us: ");
    capture_assert_out(&line.captured, "\nservice_max_us: ");
    capture_assert_out(&line.captured, "\nflow_control_limits: ");
    capture_assert_out(&line.captured, "\nqdisc_drops: unknown\n");
    capture_assert_out(&line.captured, "\nnot_judged: qdisc drops (no --qdisc-show)\n");
}

/* No latency is below a microsecond. */
static void test_strict(void **state)
{
    (void)state;
    assert_int_equal(BENCH_LINE(&line, SMALL, "--p99-us", "1"), 0);
    capture_assert_out(&line.captured, "\nverdict: fail\nreasons: ");
    capture_assert_out(&line.captured, "p99_us ");
    assert_int_equal(BENCH_LINE(&line, SMALL, "--p99-us", "1", "--strict"), EXIT_STATUS_FAILED);
    capture_assert_out(&line.captured, "\nverdict: fail\n");
}

static void test_matrix(void **state)
{
    (void)state;
    assert_int_equal(BENCH_LINE(&line, SMALL, "--matrix", "--sizes", "88,1400", "--mtus",
                                "1408,8192", "--p99-us", "3600000000"),
                     0);
    capture_assert_out(&line.captured, "\nrows: 4\n");
    capture_assert_out(&line.captured, "\n| 200 | 1 | 88 | 1408 | - | - | ");
    capture_assert_out(&line.captured, "\n| 200 | 1 | 1400 | 1408 | - | - | - | - | - | - | "
                                       "impossible | - | a message of 1400 bytes ");
    capture_assert_out(&line.captured, "\n| 200 | 1 | 1400 | 8192 | - | - | ");
}

/* One size that is given is one, and the run file has what all rows have in common. */
static void test_matrix_of_one_size(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    assert_int_equal(BENCH_LINE(&line, SMALL, "--matrix", "--size", "170", "--so-rcvbufs",
                                "65536,131072", "--p99-us", "3600000000", "--run", file.path),
                     0);
    capture_assert_out(&line.captured, "\nrows: 2\n");
    json_t *root = json_load_file(file.path, 0, NULL);
    assert_non_null(root);
    json_t *configuration = json_object_get(json_object_get(root, "conditions"), "configuration");
    static const char *const expected[][2] = {
        {"mtu", "1408"},
        {"term-length", "65536"},
        {"message-bytes", "170"},
        {"transport", "udp unicast"},
        {"so-rcvbuf", "not given"},
        {"receiver-window", "not given"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *value = json_string_value(json_object_get(configuration, expected[i][0]));
        assert_string_equal(value ? value : "none", expected[i][1]);
    }
    assert_null(json_object_get(configuration, "window-in-effect"));
    json_decref(root);
    temp_file_remove(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(bench_line_test_help, &line),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_misplaced),
        cmocka_unit_test(test_matrix_of_one_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
