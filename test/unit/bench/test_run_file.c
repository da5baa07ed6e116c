/*
 * Unit tests of the writer of run files: what it writes is what the report reads, and says what was
 * recorded. Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/run_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/run_maker.h"
#include "lib/temp_dir.h"
#include "report/run_read.h"

static temp_dir_t dir;
static char path[300];

static int setup(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/run.json", dir.path);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    temp_dir_remove(&dir);
    return 0;
}

/* Writes it, ends it, and reads what was written. */
static json_t *written(run_file_t *run)
{
    json_t *root;
    assert_int_equal(run_file_write(run, path), OC_ERR_OK);
    run_file_destroy(run);
    const oc_err_t err = run_read(path, &root);
    if (err != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    return root;
}

static double number_of(json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static const char *text_of(json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void test_empty_run(void **state)
{
    (void)state;
    assert_int_equal(setenv("AERON_OF_A_TEST", "some=value", 1), 0);
    json_t *root = written(run_file_create("order", RUN_LOOP_CLOSED, "1.2.3"));
    assert_int_equal(unsetenv("AERON_OF_A_TEST"), 0);
    assert_string_equal(text_of(root, "bench"), "order");
    assert_string_equal(text_of(root, "loop"), "closed");
    assert_int_equal(json_array_size(json_object_get(root, "marks")), 0);
    json_t *conditions = json_object_get(root, "conditions");
    assert_true(json_is_number(json_object_get(conditions, "steal_pct")));
    json_t *configuration = json_object_get(conditions, "configuration");
    assert_string_equal(text_of(configuration, "AERON_OF_A_TEST"), "some=value");
    json_decref(root);
}

static void test_marks_config_figures(void **state)
{
    (void)state;
    run_file_t *run = run_file_create("book", RUN_LOOP_OPEN, "1.2.3");
    const run_qualifiers_t with = {1000, 88, 1408, "even"};
    run_file_mark(run, "late", 0);
    run_file_mark(run, "lost", 3);
    run_file_mark(run, "lost", 4);
    run_file_config(run, "rate", "1000");
    run_file_config(run, "name", "caf\xe9");
    run_file_pinned(run, 3);
    run_file_figure(run, "p99", 12.5, "us", &with, 99);
    run_file_figure(run, "ratio", NAN, "", NULL, 0);
    json_t *root = written(run);
    json_t *marks = json_object_get(root, "marks");
    assert_int_equal(json_array_size(marks), 1);
    assert_string_equal(text_of(json_array_get(marks, 0), "name"), "lost");
    assert_true(number_of(json_array_get(marks, 0), "count") == 7);
    json_t *conditions = json_object_get(root, "conditions");
    json_t *configuration = json_object_get(conditions, "configuration");
    assert_string_equal(text_of(configuration, "name"), "caf?");
    assert_int_equal(json_array_size(json_object_get(conditions, "pinned_cpus")), 1);
    json_t *figures = json_object_get(root, "figures");
    json_t *first = json_array_get(figures, 0);
    assert_true(number_of(first, "value") == 12.5 && number_of(first, "mtu") == 1408);
    assert_true(json_is_null(json_object_get(json_array_get(figures, 1), "value")));
    json_decref(root);
}

/* Each quoted percentile stands in the ladder as the histogram has it. */
static void test_ladder_has_what_is_quoted(void **state)
{
    (void)state;
    static const double quoted[] = {50, 90, 99, 99.9, 99.99, 100};
    histogram_t *latency = histogram_create();
    assert_non_null(latency);
    for (uint64_t i = 1; i <= 30000; i++)
        histogram_record(latency, i * i);
    run_file_t *run = run_file_create("echo", RUN_LOOP_OPEN, "1.2.3");
    run_file_series(run, &(run_series_t){.label = "a", .latency = latency});
    json_t *root = written(run);
    json_t *series = json_array_get(json_object_get(root, "series"), 0);
    json_t *rungs = json_object_get(series, "percentiles");
    assert_true(number_of(json_array_get(rungs, 0), "percentile") == 0);
    for (size_t q = 0; q < sizeof quoted / sizeof quoted[0]; q++) {
        json_t *found = NULL;
        for (size_t i = 0; i < json_array_size(rungs) && !found; i++)
            if (number_of(json_array_get(rungs, i), "percentile") == quoted[q])
                found = json_array_get(rungs, i);
        assert_non_null(found);
        assert_true(number_of(found, "value") == (double)histogram_percentile(latency, quoted[q]));
        assert_true(number_of(found, "count") >= quoted[q] / 100 * 30000);
    }
    assert_true(number_of(series, "max") == 9e8);
    json_decref(root);
    histogram_destroy(latency);
}

static void test_series_knee_and_bursts(void **state)
{
    (void)state;
    run_file_t *run = run_file_create("knee", RUN_LOOP_OPEN, "1.2.3");
    run_maker_knee(run, 20000);
    run_maker_bursts(run, false);
    json_t *root = written(run);
    assert_int_equal(json_array_size(json_object_get(root, "series")), 8);
    json_t *series = json_array_get(json_object_get(root, "series"), 0);
    assert_true(number_of(series, "rate") == 40000);
    assert_int_equal(json_array_size(json_object_get(series, "seconds")), 10);
    assert_non_null(json_object_get(series, "service"));
    assert_null(json_object_get(series, "hgrm"));
    assert_string_equal(text_of(series, "hlog"), "a.hlog");
    json_t *knee = json_object_get(root, "knee");
    assert_true(number_of(json_object_get(knee, "rho_at"), "rho") == 0.5);
    json_t *last = json_array_get(json_object_get(knee, "points"), 3);
    assert_string_equal(text_of(last, "verdict"), "fail");
    json_t *burst = json_object_get(root, "burst");
    assert_string_equal(text_of(burst, "verdict"), "fail");
    assert_int_equal(json_array_size(json_object_get(burst, "reasons")), 2);
    json_t *counters = json_object_get(burst, "counters");
    assert_true(number_of(counters, "udp_rcvbuf_errors") == 3);
    assert_true(number_of(counters, "short_sends") == 2);
    assert_true(json_is_null(json_object_get(counters, "qdisc_drops")));
    json_t *bad = json_array_get(json_object_get(burst, "bursts"), 3);
    assert_true(number_of(bad, "n") == 5 && number_of(bad, "missing") == 3);
    assert_int_equal(json_array_size(json_object_get(burst, "not_judged")), 1);
    json_decref(root);
}

static void test_rows_and_verdicts(void **state)
{
    (void)state;
    run_file_t *run = run_file_create("burst", RUN_LOOP_OPEN, "1.2.3");
    run_maker_row(run, "pass", "");
    run_maker_row(run, "fail", "late");
    run_file_verdict(run, "a", true, NULL);
    run_file_verdict(run, "b", false, "because");
    json_t *root = written(run);
    json_t *rows = json_object_get(root, "matrix");
    assert_int_equal(json_array_size(rows), 2);
    json_t *row = json_array_get(rows, 1);
    assert_true(number_of(row, "absorb_ns") == 1.5e6 && number_of(row, "message_bytes") == 288);
    assert_true(json_is_null(json_object_get(row, "max_ns")));
    assert_string_equal(text_of(row, "marks"), "late");
    json_t *verdict = json_array_get(json_object_get(root, "verdicts"), 1);
    assert_string_equal(text_of(verdict, "verdict"), "fail");
    assert_string_equal(text_of(verdict, "reason"), "because");
    json_decref(root);
}

/* A bench that was asked for no file calls the same functions. */
static void test_none_is_allowed(void **state)
{
    (void)state;
    run_file_mark(NULL, "late", 1);
    run_file_config(NULL, "a", "b");
    run_file_pinned(NULL, 0);
    run_file_series(NULL, NULL);
    run_file_knee(NULL, NULL);
    run_file_bursts(NULL, NULL);
    run_file_row(NULL, NULL);
    run_file_verdict(NULL, "a", true, NULL);
    run_file_figure(NULL, "a", 1, "b", NULL, 0);
    run_file_destroy(NULL);
}

static void test_no_place_to_write(void **state)
{
    (void)state;
    run_file_t *run = run_file_create("echo", RUN_LOOP_OPEN, "1.2.3");
    (void)snprintf(path, sizeof path, "%s/none/run.json", dir.path);
    assert_int_equal(run_file_write(run, path), OC_ERR_OPEN);
    run_file_destroy(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_empty_run, setup, teardown),
        cmocka_unit_test_setup_teardown(test_marks_config_figures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ladder_has_what_is_quoted, setup, teardown),
        cmocka_unit_test_setup_teardown(test_series_knee_and_bursts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rows_and_verdicts, setup, teardown),
        cmocka_unit_test(test_none_is_allowed),
        cmocka_unit_test_setup_teardown(test_no_place_to_write, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
