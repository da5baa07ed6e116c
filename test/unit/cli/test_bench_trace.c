/*
 * `outcry bench trace`: its command line, and a small trace with messages that are raised to the
 * header's size. What a run counts is in test/unit/bench/test_bench_burst.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/bench_line.h"
#include "lib/temp_file.h"

static bench_line_t line = {
    .head = (const char *const[]){"bench", "trace", NULL},
    .usage = "usage: outcry bench trace FILE",
};

static temp_file_t file;

static int make_file(void **state)
{
    static const char rows[] = "0,10\n0,170\n1000,170\n50000000,1300\n50000000,32\n";
    (void)state;
    temp_file_make(&file);
    temp_file_write(&file, rows, sizeof rows - 1);
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    temp_file_remove(&file);
    return 0;
}

static void test_usage(void **state)
{
    (void)state;
    BENCH_LINE_REFUSED(&line, "--senders", "1");
    capture_assert_err(&line.captured, "FILE");
    BENCH_LINE_REFUSED(&line, file.path, "--factor", "fast");
    capture_assert_err(&line.captured, "--factor");
    BENCH_LINE_REFUSED(&line, file.path, "--factor", "0");
    BENCH_LINE_REFUSED(&line, file.path, "--role", "receiver");
    capture_assert_err(&line.captured, "bench burst --role receiver");
    BENCH_LINE_REFUSED(&line, file.path, "--window-by", "messages");
    capture_assert_err(&line.captured, "--window-ms");
    BENCH_LINE_REFUSED(&line, file.path, "--dedicated", "--aeron-dir", "somewhere");
    capture_assert_err(&line.captured, "--dedicated");
    BENCH_LINE_REFUSED(&line, file.path, "--receiver-cpu", "1023");
    capture_assert_err(&line.captured, "--receiver-cpu");
    BENCH_LINE_REFUSED(&line, file.path, "--mtu", "1024");
    capture_assert_err(&line.captured, "1300 bytes does not fit");
    assert_int_equal(BENCH_LINE(&line, "/nonexistent/trace"), EXIT_STATUS_FAILED);
    capture_assert_err(&line.captured, "/nonexistent/trace");
}

static void test_run(void **state)
{
    (void)state;
    assert_int_equal(
        BENCH_LINE(&line, file.path, "--senders", "2", "--factor", "10", "--p99-us", "3600000000"),
        0);
    capture_assert_out(&line.captured, "\nbench: trace\n");
    capture_assert_out(&line.captured, "\ntrace_sends: 5\n");
    capture_assert_out(&line.captured, "\nmessage_bytes: 1300\n");
    capture_assert_out(&line.captured, "\nburst_size: 5\n");
    capture_assert_out(&line.captured, "\nplanned: 10\nsent: 10\nunsent: 0\nlate: ");
    capture_assert_out(&line.captured, "\nraised_to_header: 2\n");
    capture_assert_out(&line.captured, "\nreceived: 10\nlost: 0\n");
}

static void test_window(void **state)
{
    (void)state;
    assert_int_equal(BENCH_LINE(&line, file.path, "--window-ms", "1", "--window-by", "bytes"), 0);
    capture_assert_out(&line.captured, "\ntrace_sends: 2\n");
    capture_assert_out(&line.captured, "\nreceived: 2\nlost: 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(bench_line_test_help, &line),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_window),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
