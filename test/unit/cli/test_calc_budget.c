/*
 * Unit tests of `outcry calc budget`: the worked case, tolerance, a trace. Run by ctest.
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
    capture_main(calc_budget_main, (const char *const[]){"budget", __VA_ARGS__, NULL}, &captured)

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

#define FIVE_GIGABITS "--rate-bits=5000000000", "--depth-ms=1"

static void test_five_gigabits(void **state)
{
    (void)state;
    assert_int_equal(CALC(FIVE_GIGABITS, "--size=170"), 0);
    capture_assert_out(&captured, "\nbucket_bits: 5000000\nmessage_bits: 2160\n"
                                  "at_once_messages: 2314\nat_once_packed_messages: 2697\n"
                                  "sustained_messages_per_s: 2314814\ntolerance_messages: 2314\n"
                                  "tolerance_limit: sender\n");
    assert_int_equal(CALC(FIVE_GIGABITS, "--size=170", "--burst=50000", "--absorb=1000", "--json"),
                     0);
    capture_assert_out(&captured, "\"burst_takes_ms\": 20.600000, \"tolerance_messages\": 1000, "
                                  "\"tolerance_limit\": \"receiver\"}\n");
    assert_int_equal(CALC(FIVE_GIGABITS, "--size=170", "--absorb=0"), 0);
    capture_assert_out(&captured, "\ntolerance_messages: 0\n");
}

static void test_trace(void **state)
{
    (void)state;
    make_trace("0,170\n0,170\n1000,170\n"); /* 2,160 bits each; 1,000 ns bring 1,000 */
    assert_int_equal(CALC("--trace", file.path, "--rate-bits=1000000000", "--depth-ms=0.003"), 0);
    capture_assert_out(&captured, "\nbucket_bits: 3000\nneeded_bits: 5480\ndelayed_messages: 2\n"
                                  "worst_delay_ms: 0.002480\n");
}

static void test_refusals(void **state)
{
    (void)state;
    assert_int_equal(CALC("--rate-bits=0", "--depth-ms=1", "--size=170"), 2);
    capture_assert_err(&captured, "option --rate-bits: '0' is not a whole number from 1 to");
    assert_int_equal(CALC("--rate-bits=1", "--depth-ms=1", "--size=170", "--burst=1000000000000"),
                     2);
    assert_string_equal(captured.err, "outcry: calc budget: the burst in ns does not fit 64 bits; "
                                      "use smaller numbers\n");
    assert_string_equal(captured.out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_five_gigabits),
        cmocka_unit_test_teardown(test_trace, remove_trace),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
