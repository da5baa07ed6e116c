/*
 * Unit tests of the groups and of the three numbers. Run by ctest.
 */
#include "report/figures_of.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/run_maker.h"

enum { MEDIAN = 20000 };

static double number_of(json_t *object, const char *name)
{
    assert_true(json_is_number(json_object_get(object, name)));
    return json_number_value(json_object_get(object, name));
}

static void says(json_t *numbers, const char *which, const char *why)
{
    json_t *number = json_object_get(numbers, which);
    assert_null(json_object_get(number, "value_ns"));
    const char *said = json_string_value(json_object_get(number, "why"));
    assert_non_null(said);
    assert_non_null(strstr(said, why));
}

static void test_groups_are_repeats(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(MEDIAN);
    json_t *groups = figures_of_groups(run);
    assert_int_equal(json_array_size(groups), 4);
    json_t *group = json_array_get(groups, 2);
    assert_string_equal(json_string_value(json_object_get(group, "label")), "90000/s");
    assert_true(number_of(group, "repeats") == 2 && number_of(group, "count") == 2000);
    assert_true(number_of(group, "mtu") == 1408 && number_of(group, "rate") == 90000);
    json_t *p999 = json_object_get(group, "p999");
    assert_int_equal(json_array_size(p999), 2);
    const double best = json_number_value(json_array_get(p999, 0));
    const double worst = json_number_value(json_array_get(p999, 1));
    json_t *series = json_array_get(json_object_get(run, "series"), 5);
    assert_true(best < worst && worst == figures_of_percentile(series, 99.9));
    json_t *max = json_object_get(group, "max");
    assert_true(json_number_value(json_array_get(max, 1)) == number_of(series, "max"));
    assert_int_equal(json_array_size(json_object_get(json_object_get(group, "service"), "p999")),
                     2);
    json_decref(groups);
    json_decref(run);
}

/* Service times of some repeats only would be those of another set of repeats. */
static void test_service_of_all_or_none(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(MEDIAN);
    (void)json_object_del(json_array_get(json_object_get(run, "series"), 1), "service");
    json_t *groups = figures_of_groups(run);
    assert_null(json_object_get(json_array_get(groups, 0), "service"));
    assert_non_null(json_object_get(json_array_get(groups, 1), "service"));
    json_decref(groups);
    json_decref(run);
}

static void test_three_numbers(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(MEDIAN);
    json_t *numbers = figures_of_numbers(run);
    /* 0.7 of 90,000 is 63,000: the highest rate below is 60,000, its worst repeat counts. */
    json_t *promise = json_object_get(numbers, "can_be_promised");
    json_t *repeat = json_array_get(json_object_get(run, "series"), 3);
    assert_true(number_of(promise, "rate") == 60000);
    assert_true(number_of(promise, "value_ns") == figures_of_percentile(repeat, 99.9) ||
                number_of(promise, "value_ns") == 50 * MEDIAN * 1.1);
    assert_true(number_of(promise, "value_ns") >= figures_of_percentile(repeat, 99.9));
    assert_true(number_of(promise, "repeats") == 2);
    assert_true(number_of(promise, "rho") < FIGURES_OF_RHO_MAX);
    assert_true(number_of(promise, "mtu") == 1408 && number_of(promise, "message_bytes") == 288);
    assert_null(json_object_get(promise, "struck"));
    json_t *best = json_object_get(numbers, "lab_best");
    assert_true(number_of(best, "value_ns") < number_of(promise, "value_ns"));
    assert_true(number_of(best, "percentile") == 99.9);
    json_t *breaking = json_object_get(numbers, "breaking_point");
    assert_true(number_of(breaking, "first_failed") == 110000);
    assert_true(number_of(json_object_get(breaking, "knee"), "mid") == 100000);
    assert_null(json_object_get(breaking, "value_ns"));
    json_decref(numbers);
    json_decref(run);
}

static void test_a_mark_strikes(void **state)
{
    (void)state;
    run_file_t *file = run_file_create("knee", RUN_LOOP_OPEN, "1.2.3");
    run_maker_knee(file, MEDIAN);
    run_file_mark(file, "late", 3);
    json_t *run = run_maker_end(file);
    json_t *numbers = figures_of_numbers(run);
    json_t *promise = json_object_get(numbers, "can_be_promised");
    assert_true(json_is_true(json_object_get(promise, "struck")));
    assert_string_equal(json_string_value(json_object_get(promise, "why")), "the run is marked");
    assert_true(json_is_true(json_object_get(json_object_get(numbers, "lab_best"), "struck")));
    json_decref(numbers);
    json_decref(run);
}

static void test_nothing_is_promised_without_a_knee(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(MEDIAN);
    json_t *knee = json_object_get(run, "knee");
    (void)json_object_set_new(json_object_get(knee, "knee"), "low", json_integer(50000));
    json_t *numbers = figures_of_numbers(run);
    says(numbers, "can_be_promised", "no rate below 0.7");
    json_decref(numbers);
    (void)json_object_set_new(knee, "knee", json_null());
    numbers = figures_of_numbers(run);
    says(numbers, "can_be_promised", "no knee was found");
    assert_true(number_of(json_object_get(numbers, "breaking_point"), "first_failed") == 110000);
    json_decref(numbers);
    (void)json_object_del(run, "knee");
    numbers = figures_of_numbers(run);
    says(numbers, "can_be_promised", "measured no knee");
    says(numbers, "breaking_point", "measured no knee");
    json_decref(numbers);
    json_decref(run);
}

/* What failed below the knee, or was marked, is no ground to promise anything. */
static void test_only_what_held_is_promised(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(MEDIAN);
    json_t *points = json_object_get(json_object_get(run, "knee"), "points");
    (void)json_object_set_new(json_array_get(points, 0), "verdict", json_string("fail"));
    json_t *numbers = figures_of_numbers(run);
    says(numbers, "can_be_promised", "cannot be trusted");
    assert_true(number_of(json_object_get(numbers, "breaking_point"), "first_failed") == 40000);
    json_decref(numbers);
    json_decref(run);
}

/* A series of another size is no measurement of this knee. */
static void test_other_qualifiers_do_not_count(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(MEDIAN);
    json_t *list = json_object_get(run, "series");
    json_t *points = json_object_get(json_object_get(run, "knee"), "points");
    json_t *values = json_object_get(json_array_get(points, 1), "p999");
    for (size_t i = 0; i < json_array_size(list); i++)
        (void)json_object_set_new(json_array_get(list, i), "mtu", json_integer(9000));
    (void)json_array_set_new(values, 0, json_integer(7));
    (void)json_array_set_new(values, 1, json_integer(9));
    json_t *numbers = figures_of_numbers(run);
    assert_true(number_of(json_object_get(numbers, "can_be_promised"), "value_ns") == 9);
    assert_true(number_of(json_object_get(numbers, "lab_best"), "value_ns") == 7);
    json_decref(numbers);
    json_decref(run);
}

static void test_closed_loop_has_none(void **state)
{
    (void)state;
    run_file_t *file = run_file_create("echo", RUN_LOOP_CLOSED, "1.2.3");
    run_maker_series(file, "window 1", 0, MEDIAN, 1);
    json_t *run = run_maker_end(file);
    json_t *numbers = figures_of_numbers(run);
    says(numbers, "lab_best", "closed loop: not latency at a rate");
    says(numbers, "can_be_promised", "closed loop");
    says(numbers, "breaking_point", "closed loop");
    json_decref(numbers);
    json_decref(run);
}

static void test_percentile_of_a_ladder_without_it(void **state)
{
    (void)state;
    json_t *ladder = json_pack("{s:i, s:[{s:i,s:i}, {s:i,s:i}, {s:i,s:i}]}", "max", 9,
                               "percentiles", "percentile", 50, "value", 5, "percentile", 95,
                               "value", 7, "percentile", 100, "value", 8);
    assert_true(figures_of_percentile(ladder, 50) == 5);
    assert_true(figures_of_percentile(ladder, 90) == 7);
    assert_true(figures_of_percentile(ladder, 99) == 8);
    assert_true(figures_of_percentile(ladder, 100) == 9);
    json_decref(ladder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_are_repeats),
        cmocka_unit_test(test_service_of_all_or_none),
        cmocka_unit_test(test_three_numbers),
        cmocka_unit_test(test_a_mark_strikes),
        cmocka_unit_test(test_nothing_is_promised_without_a_knee),
        cmocka_unit_test(test_only_what_held_is_promised),
        cmocka_unit_test(test_other_qualifiers_do_not_count),
        cmocka_unit_test(test_closed_loop_has_none),
        cmocka_unit_test(test_percentile_of_a_ladder_without_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
