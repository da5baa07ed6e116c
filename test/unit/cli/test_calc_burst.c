/*
 * Unit tests of `outcry calc burst`: the worked cases, as lines and as JSON. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/calc.h"
#include "lib/capture.h"
#include "lib/temp_file.h"

#include <string.h>

static capture_t captured;
static temp_file_t file;

#define CALC(...)                                                                                  \
    capture_main(calc_burst_main, (const char *const[]){"burst", __VA_ARGS__, NULL}, &captured)

/* A trace of the test's own; removed by remove_trace(). */
static void make_trace(const char *text)
{
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
}

static int remove_trace(void **state)
{
    (void)state;
    temp_file_remove(&file);
    return 0;
}

static void test_the_aligned_streams(void **state)
{
    (void)state;
    assert_int_equal(
        CALC("--arrivals=57165", "--burst-ms=211", "--drain-per-ms=212.75", "--size=170"), 0);
    capture_assert_out(&captured, "\nlambda_peak_per_ms: 270.924\nq_burst: 12275\n"
                                  "q_burst_unit: messages\nworst_queueing_ms: 57.696\n"
                                  "buffer_bytes: 3314250\n");
    assert_string_equal(captured.err, "");
}

static void test_the_eight_senders(void **state)
{
    (void)state;
    assert_int_equal(CALC("--senders=8", "--arrivals=6250", "--burst-ms=1", "--drain-per-ms=1000",
                          "--size=170", "--json"),
                     0);
    capture_assert_out(&captured, "{\"calc\": \"burst\", ");
    capture_assert_out(&captured, "\"burst_messages\": 50000, \"payload_bytes\": 8500000, ");
    capture_assert_out(&captured, "\"q_burst\": 49000, ");
    capture_assert_out(&captured, "\"worst_queueing_ms\": 49.000, \"buffer_bytes\": 13230000, ");
}

static void test_trace(void **state)
{
    (void)state;
    make_trace("0,170\n0,33\n1500000,1376\n9000000,1\n");
    assert_int_equal(CALC("--trace", file.path, "--drain-per-ms=1", "--burst-ms=2"), 0);
    capture_assert_out(&captured, "\npayload_bytes: 1580\npeak_per_ms: 2\n");
    capture_assert_out(&captured, "\nwindow_messages: 3\nwindow_begin_ms: 0.000000\nq_burst: 2\n"
                                  "q_burst_unit: messages\nq_burst_at_ms: 0.000000\n"
                                  "worst_queueing_ms: 2.000\nbuffer_bytes: 1596\n"
                                  "so_rcvbuf_bytes: 1568\nformula_q_burst: 1\n"
                                  "formula_worst_queueing_ms: 1.000\n");
    assert_int_equal(CALC("--trace", file.path, "--drain-per-ms=1"), 0);
    capture_assert_out(&captured, "\nburst_ms: 1.000000\n");
    capture_assert_out(&captured, "\nwindow_messages: 2\n");
}

static void test_refusals(void **state)
{
    (void)state;
    assert_int_equal(CALC("--arrivals=1000000000000", "--senders=1000000", "--burst-ms=1",
                          "--drain-per-ms=1", "--size=170"),
                     2);
    assert_string_equal(captured.err, "outcry: calc burst: the burst in bytes does not fit 64 bits;"
                                      " use smaller numbers\n");
    assert_int_equal(CALC("--arrivals=1", "--burst-ms=1", "--drain-per-ms=0", "--size=170"), 2);
    capture_assert_err(&captured, "option --drain-per-ms: '0' is not");
    assert_int_equal(CALC("--trace=/nowhere/at/all", "--drain-per-ms=1"), 1);
    assert_string_equal(captured.out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_aligned_streams),
        cmocka_unit_test(test_the_eight_senders),
        cmocka_unit_test_teardown(test_trace, remove_trace),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
