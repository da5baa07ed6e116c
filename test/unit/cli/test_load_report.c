/*
 * Unit tests of a load's report, of a run that never was: lines, marks, names of files, and the
 * series in a run file. Run by ctest.
 */
#define _GNU_SOURCE
#include "cli/load_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/capture.h"
#include "lib/temp_dir.h"
#include "report/run_read.h"

enum { WARM = 100, MEASURED = 900 };

static load_terms_t terms;
static load_setup_t setup;
static load_outcome_t outcome;
static capture_t captured;

/* 900 orders answered in the second second of two, after 1 to 900 us. */
static void begin(void)
{
    load_terms_init(&terms);
    terms.rate = 500;
    terms.seconds = 2;
    terms.warmup = 1;
    terms.resting = 100;
    assert_null(load_terms_check(&terms));
    assert_int_equal(load_setup_init(&setup, &terms), OC_ERR_OK);
    for (uint64_t i = 1; i <= MEASURED; i++) {
        histogram_record(setup.recorder.line.intervals[1], i * 1000);
        histogram_record(setup.recorder.service, i * 500);
    }
    outcome = (load_outcome_t){.result = {.counts = {.sent = WARM + MEASURED,
                                                     .answered = WARM + MEASURED,
                                                     .late = 7,
                                                     .warm_sent = WARM,
                                                     .warm_answered = WARM,
                                                     .warm_late = 4},
                                          .schedule_ns = 2000000000,
                                          .sending_ns = 2000000000,
                                          .answered_ns = 2000000000}};
}

static const char *text_of(json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "(none)";
}

static double number_of(json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static void test_lines(void **state)
{
    (void)state;
    double quotes[LOAD_QUOTES];
    begin();
    const load_report_t report = {.setup = &setup, .outcome = &outcome, .repeats = 1};
    output_capture_begin();
    load_report_mode(&setup);
    const oc_err_t err = load_report(&report, quotes);
    output_capture_end(&captured);
    assert_int_equal(err, OC_ERR_OK);
    capture_assert_out(&captured, "mode: open-loop\narrivals: steady:1\nrate_intended: 500.0\n");
    capture_assert_out(&captured, "\nwarmup_s: 1\nwarmup_sent: 100\n");
    capture_assert_out(&captured, "\nlate: 3\n");
    capture_assert_out(&captured, "\norders_per_s: 900\nbehind_ms: 0.000\nkept_rate: yes\n");
    capture_assert_out(&captured, "\nrtt_max_us: 900.0\nservice_p50_us: ");
    capture_assert_out(&captured, "\nmarked: late=3\n");
    assert_true(quotes[0] >= 450.0 && quotes[0] <= 451.0);
    assert_true(quotes[LOAD_QUOTES - 1] == 900.0);
    load_setup_fini(&setup);
}

static void test_marks(void **state)
{
    (void)state;
    load_marks_t marks = {{0}};
    begin();
    outcome.result.counts.late = outcome.result.counts.warm_late;
    output_capture_begin();
    load_marks_add(&marks, &terms, &outcome.result);
    load_marks_print(&marks);
    output_capture_end(&captured);
    assert_string_equal(captured.out, "");
    outcome.result.counts.late += 2;
    outcome.result.lost = 1;
    outcome.result.counts.doubled = 3;
    outcome.result.counts.missed = 5;
    outcome.result.counts.out_of_order = 6;
    outcome.result.unsent = 4;
    output_capture_begin();
    load_marks_add(&marks, &terms, &outcome.result);
    load_marks_add(&marks, &terms, &outcome.result);
    load_marks_print(&marks);
    output_capture_end(&captured);
    assert_string_equal(captured.out, "marked: late=4 unsent=8 lost=2 doubled=6 missed_outputs=10 "
                                      "out_of_order=12 sender_rate=2\n");
    load_setup_fini(&setup);
}

static void test_names(void **state)
{
    (void)state;
    static const char *const names[][3] = {
        {"a.hgrm", "a.hgrm", "a.2.hgrm"},       {"/x.y/a", "/x.y/a", "/x.y/a.2"},
        {"/x.y/.a", "/x.y/.a", "/x.y/.a.2"},    {"a.b.c", "a.b.c", "a.b.2.c"},
        {"x/y.hlog", "x/y.hlog", "x/y.2.hlog"},
    };
    char name[LOAD_REPORT_PATH];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        load_report_t report = {.repeat = 0, .repeats = 1};
        load_report_name(&report, names[i][0], name);
        assert_string_equal(name, names[i][1]);
        report = (load_report_t){.repeat = 1, .repeats = 3};
        load_report_name(&report, names[i][0], name);
        assert_string_equal(name, names[i][2]);
    }
}

static void check_series(json_t *series, const char *hgrm)
{
    assert_string_equal(text_of(series, "label"), "order to answer");
    assert_string_equal(text_of(series, "arrivals"), "steady:1");
    assert_string_equal(text_of(series, "hgrm"), hgrm);
    assert_string_equal(text_of(series, "hlog"), "(none)");
    assert_true(number_of(series, "rate") == 500);
    assert_true(number_of(series, "message_bytes") > 32);
    assert_true(number_of(series, "mtu") > 0);
    assert_true(number_of(series, "warmup_s") == 1);
    assert_true(number_of(series, "count") == MEASURED);
    assert_true(number_of(series, "max") == 900000);
    assert_true(number_of(json_object_get(series, "service"), "max") == 450000);
    json_t *seconds = json_object_get(series, "seconds");
    assert_int_equal(json_array_size(seconds), 1);
    assert_true(number_of(json_array_get(seconds, 0), "t") == 1);
    assert_true(number_of(json_array_get(seconds, 0), "count") == MEASURED);
}

/* What is written is what the report's reader takes. */
static void test_run_file(void **state)
{
    (void)state;
    temp_dir_t dir;
    char path[300];
    char hgrm[300];
    double quotes[LOAD_QUOTES];
    load_marks_t marks = {{0}};
    json_t *root;
    begin();
    temp_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/run.json", dir.path);
    (void)snprintf(hgrm, sizeof hgrm, "%s/a.hgrm", dir.path);
    terms.hgrm = hgrm;
    run_file_t *run = run_file_create("order", RUN_LOOP_OPEN, "1");
    output_capture_begin();
    for (uint32_t i = 0; i < 2; i++) {
        const load_report_t report = {&setup, &outcome, i, 2, run};
        assert_int_equal(load_report(&report, quotes), OC_ERR_OK);
    }
    output_capture_end(&captured);
    load_marks_add(&marks, &terms, &outcome.result);
    load_marks_put(&marks, run);
    assert_int_equal(run_file_write(run, path), OC_ERR_OK);
    run_file_destroy(run);
    if (run_read(path, &root) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    json_t *series = json_object_get(root, "series");
    assert_int_equal(json_array_size(series), 2);
    check_series(json_array_get(series, 0), "a.1.hgrm");
    check_series(json_array_get(series, 1), "a.2.hgrm");
    assert_string_equal(text_of(json_array_get(json_object_get(root, "marks"), 0), "name"), "late");
    assert_int_equal(json_array_size(json_object_get(root, "figures")), 2);
    json_decref(root);
    (void)snprintf(hgrm, sizeof hgrm, "%s/a.2.hgrm", dir.path);
    assert_int_equal(access(hgrm, R_OK), 0);
    terms.hgrm = "/nowhere/a.hgrm";
    const load_report_t report = {&setup, &outcome, 0, 1, NULL};
    output_capture_begin();
    const oc_err_t err = load_report(&report, quotes);
    output_capture_end(&captured);
    assert_int_equal(err, OC_ERR_WRITE);
    load_setup_fini(&setup);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_run_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
