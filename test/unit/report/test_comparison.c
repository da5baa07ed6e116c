/*
 * Unit tests of two runs side by side. Run by ctest.
 */
#include "report/comparison.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/run_maker.h"

/* A run of one figure, and of one series with each of `medians` (0 ends them). */
static json_t *run_of(run_loop_t loop, double rate, const uint64_t *medians, const double *figures)
{
    run_file_t *run = run_file_create("echo", loop, "1.2.3");
    assert_non_null(run);
    for (; medians && *medians; medians++)
        run_maker_series(run, "a", rate, *medians, 1);
    for (; figures && *figures > 0; figures++)
        run_file_figure(run, "throughput", *figures, "msg/s", NULL, 0);
    return run_maker_end(run);
}

/* Takes both; the row of a percentile. */
static json_t *compared(json_t *a, json_t *b)
{
    json_t *result = comparison_of(a, b);
    assert_non_null(result);
    json_decref(a);
    json_decref(b);
    return result;
}

static json_t *row_of(json_t *comparison, const char *what, double percentile)
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(comparison, "rows"), i, row)
    {
        if (!strcmp(json_string_value(json_object_get(row, "what")), what) &&
            json_number_value(json_object_get(row, "percentile")) == percentile)
            return row;
    }
    fail_msg("no row of %s at %g", what, percentile);
    return NULL;
}

static void assert_verdict(json_t *row, const char *verdict)
{
    assert_string_equal(json_string_value(json_object_get(row, "verdict")), verdict);
}

static void assert_ratio(json_t *row, double low, double high)
{
    const double ratio = json_number_value(json_object_get(row, "ratio"));
    assert_true(ratio > low && ratio < high);
}

static void test_bands_apart(void **state)
{
    (void)state;
    static const uint64_t slow[] = {40000, 44000, 0};
    static const uint64_t fast[] = {20000, 22000, 0};
    json_t *result =
        compared(run_of(RUN_LOOP_OPEN, 100, slow, NULL), run_of(RUN_LOOP_OPEN, 100, fast, NULL));
    json_t *row = row_of(result, "a", 99.9);
    assert_verdict(row, "b is lower");
    assert_ratio(row, 0.49, 0.51);
    assert_true(json_number_value(json_object_get(row, "mtu")) == 1408);
    assert_true(json_integer_value(json_object_get(json_object_get(row, "a"), "repeats")) == 2);
    json_decref(result);
}

static void test_bands_that_overlap_are_noise(void **state)
{
    (void)state;
    static const uint64_t one[] = {20000, 26000, 0};
    static const uint64_t other[] = {24000, 40000, 0};
    json_t *result =
        compared(run_of(RUN_LOOP_OPEN, 100, one, NULL), run_of(RUN_LOOP_OPEN, 100, other, NULL));
    json_t *row = row_of(result, "a", 99.9);
    assert_verdict(row, "within noise");
    assert_ratio(row, 1.1, 1.6);
    json_decref(result);
}

static void test_one_repeat_has_no_band(void **state)
{
    (void)state;
    static const uint64_t one[] = {20000, 0};
    static const uint64_t two[] = {90000, 91000, 0};
    json_t *result =
        compared(run_of(RUN_LOOP_OPEN, 100, one, NULL), run_of(RUN_LOOP_OPEN, 100, two, NULL));
    assert_verdict(row_of(result, "a", 100), "no band: needs repeats");
    json_decref(result);
}

static void test_what_cannot_be_compared(void **state)
{
    (void)state;
    static const uint64_t two[] = {90000, 91000, 0};
    json_t *result =
        compared(run_of(RUN_LOOP_OPEN, 100, two, NULL), run_of(RUN_LOOP_OPEN, 200, two, NULL));
    json_t *row = row_of(result, "a", 99);
    assert_verdict(row, "not comparable");
    assert_true(json_is_null(json_object_get(row, "ratio")));
    json_decref(result);
    result =
        compared(run_of(RUN_LOOP_OPEN, 100, two, NULL), run_of(RUN_LOOP_CLOSED, 100, two, NULL));
    assert_verdict(row_of(result, "a", 99), "not comparable");
    json_decref(result);
}

static void test_figures_of_one_name_are_repeats(void **state)
{
    (void)state;
    static const double low[] = {102, 100, 101, 0};
    static const double high[] = {200, 204, 0};
    json_t *result =
        compared(run_of(RUN_LOOP_OPEN, 0, NULL, low), run_of(RUN_LOOP_OPEN, 0, NULL, high));
    json_t *row = row_of(result, "throughput", 0);
    assert_verdict(row, "a is lower");
    assert_ratio(row, 1.99, 2.01);
    assert_true(json_number_value(json_object_get(json_object_get(row, "a"), "low")) == 100);
    assert_int_equal(json_array_size(json_object_get(result, "rows")), 1);
    json_decref(result);
}

static void test_knees(void **state)
{
    (void)state;
    json_t *a = run_maker_knee_run(20000);
    json_t *b = run_maker_knee_run(20000);
    json_t *place = json_object_get(json_object_get(b, "knee"), "knee");
    (void)json_object_set_new(place, "low", json_integer(180000));
    (void)json_object_set_new(place, "high", json_integer(220000));
    json_t *result = compared(a, b);
    json_t *row = row_of(result, "knee", 99.9);
    assert_verdict(row, "a is lower");
    assert_ratio(row, 1.99, 2.01);
    json_decref(result);
    /* Knees at different limits are two different questions. */
    result = compared(run_maker_knee_run(20000), run_maker_knee_run(30000));
    assert_verdict(row_of(result, "knee", 99.9), "not comparable");
    json_decref(result);
}

static void test_conditions_that_differ(void **state)
{
    (void)state;
    json_t *a = run_of(RUN_LOOP_OPEN, 0, NULL, NULL);
    json_t *b = json_deep_copy(a);
    json_t *conditions = json_object_get(b, "conditions");
    json_t *result = comparison_of(a, b);
    assert_int_equal(json_array_size(json_object_get(result, "differences")), 0);
    assert_false(json_is_true(json_object_get(result, "marked")));
    json_decref(result);
    (void)json_object_set_new(conditions, "kernel", json_string("other"));
    (void)json_object_set_new(json_object_get(conditions, "configuration"), "sync",
                              json_string("none"));
    (void)json_array_append_new(json_object_get(b, "marks"),
                                json_pack("{s:s, s:i}", "name", "late", "count", 1));
    result = compared(a, b);
    json_t *differences = json_object_get(result, "differences");
    assert_int_equal(json_array_size(differences), 2);
    json_t *second = json_array_get(differences, 1);
    assert_string_equal(json_string_value(json_object_get(second, "name")), "sync");
    assert_true(json_is_null(json_object_get(second, "a")));
    assert_true(json_is_true(json_object_get(result, "marked")));
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bands_apart),
        cmocka_unit_test(test_bands_that_overlap_are_noise),
        cmocka_unit_test(test_one_repeat_has_no_band),
        cmocka_unit_test(test_what_cannot_be_compared),
        cmocka_unit_test(test_figures_of_one_name_are_repeats),
        cmocka_unit_test(test_knees),
        cmocka_unit_test(test_conditions_that_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
