/*
 * Unit tests of schedules from options: what of a trace is played, and what the report says. Run by
 * ctest.
 */
#define _GNU_SOURCE
#include "bench/arrival_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/temp_file.h"

static arrival_plan_t plan;

static oc_err_t make(const char *text, const arrival_plan_options_t *options)
{
    arrival_shape_t shape;
    assert_int_equal(arrival_shape_parse(&shape, text), OC_ERR_OK);
    return arrival_plan_init(&plan, &shape, options);
}

static void assert_report(const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    arrival_plan_print(&plan, out);
    assert_int_equal(fclose(out), 0);
    if (!strstr(text, expected))
        fail_msg("'%s' is not in '%s'", expected, text);
    free(text);
}

static void test_generated(void **state)
{
    (void)state;
    const arrival_plan_options_t options = {.rate_per_s = 2500, .seed = 9, .bytes = 88};
    assert_int_equal(make("steady:10", &options), OC_ERR_OK);
    assert_report("arrivals: steady:10\nrate_intended: 2500.0\n");
    assert_int_equal(arrival_plan_length_ns(&plan), 0);
    assert_int_equal(arrival_next_bytes(&plan.arrivals), 88);
    assert_int_equal(arrival_count_before(&plan.arrivals, 1000000000), 2500);
    arrival_plan_fini(&plan);
    assert_int_equal(make("poisson", &options), OC_ERR_OK);
    assert_report("arrivals: poisson\nrate_intended: 2500.0\narrivals_seed: 9\n");
    arrival_plan_fini(&plan);
    assert_int_equal(make("onoff:10:999:10", &options), OC_ERR_OK);
    assert_report("arrivals: onoff:10:999:10\nrate_intended: 10.0\n");
    arrival_plan_fini(&plan);
}

/* A burst of two in each ms, gaps of 50 us in it; the one at 2 ms is of three, the one at 3 ms is
 * of few bytes more. */
static const char rows[] = "0,100\n50000,100\n1000000,100\n1050000,100\n2000000,10\n2050000,10\n"
                           "2100000,10\n3000000,100\n3050000,101\n4000000,1\n";

static void test_trace(void **state)
{
    (void)state;
    temp_file_t file;
    char text[300];
    temp_file_make(&file);
    temp_file_write(&file, rows, sizeof rows - 1);
    (void)snprintf(text, sizeof text, "trace:%s:2", file.path);
    arrival_plan_options_t options = {.burst_gap_ns = 100000};
    assert_int_equal(make(text, &options), OC_ERR_OK);
    assert_report(
        "trace_packets: 10\ntrace_left_out: fragments=0 other=0 damaged=0\n"
        "trace_time_back: 0\ntrace_sends: 10\ntrace_bytes: 632\n"
        "trace_length_s: 0.002125\ntrace_window_ms: 0.000\ntrace_burst_gap_us: 100.000\n");
    assert_int_equal(arrival_plan_length_ns(&plan), (950 * 3 + 900) / 2 * 1000 + 250000 + 1);
    arrival_plan_fini(&plan);
    /* The window is of the file's time: with most messages, or with most bytes. */
    options.window_ns = 500000;
    assert_int_equal(make(text, &options), OC_ERR_OK);
    assert_report("trace_sends: 3\ntrace_bytes: 30\n");
    assert_report("trace_window_ms: 0.300\n"); /* 0.1 ms of a burst, and half of what is idle */
    assert_report("rate_intended: 10000.0\n");
    arrival_plan_fini(&plan);
    options.by_bytes = true;
    assert_int_equal(make(text, &options), OC_ERR_OK);
    assert_report("trace_sends: 2\ntrace_bytes: 201\n");
    arrival_plan_fini(&plan);
    temp_file_remove(&file);
    assert_int_equal(make(text, &options), OC_ERR_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generated),
        cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
