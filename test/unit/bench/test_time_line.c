/*
 * Unit tests of latency by time: which interval a value counts for, and the sum. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/time_line.h"

static void test_intervals(void **state)
{
    (void)state;
    time_line_t line;
    histogram_t *sum = histogram_create();
    assert_non_null(sum);
    assert_int_equal(time_line_init(&line, 3, 100), OC_ERR_OK);
    line.start_ns = 1000;
    time_line_record(&line, 900, 1); /* before the start */
    time_line_record(&line, 1099, 2);
    time_line_record(&line, 1100, 30);
    time_line_record(&line, 1200, 40);
    time_line_record(&line, 9000, 50); /* behind the last one */
    assert_int_equal(histogram_count(line.intervals[0]), 2);
    assert_int_equal(histogram_max(line.intervals[0]), 2);
    assert_int_equal(histogram_count(line.intervals[1]), 1);
    assert_int_equal(histogram_max(line.intervals[1]), 30);
    assert_int_equal(histogram_count(line.intervals[2]), 2);
    time_line_sum(&line, sum);
    assert_int_equal(histogram_count(sum), 5);
    assert_int_equal(histogram_max(sum), 50);
    time_line_reset(&line);
    for (size_t i = 0; i < line.count; i++)
        assert_int_equal(histogram_count(line.intervals[i]), 0);
    time_line_fini(&line);
    time_line_fini(&line);
    histogram_destroy(sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
