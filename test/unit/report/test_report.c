/*
 * Unit tests of the report as a tree. Run by ctest.
 */
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/run_maker.h"

static const char *const files[] = {"a.json", "b\xff.json"};

static void test_parts(void **state)
{
    (void)state;
    json_t *runs[] = {run_maker_knee_run(20000), run_maker_knee_run(30000)};
    json_t *report;
    assert_int_equal(report_make(runs, files, 2, false, "1.2.3", &report), OC_ERR_OK);
    assert_string_equal(json_string_value(json_object_get(report, "format")), "outcry-report");
    assert_string_equal(json_string_value(json_object_get(report, "outcry")), "1.2.3");
    assert_true(json_is_null(json_object_get(report, "comparison")));
    json_t *parts = json_object_get(report, "runs");
    assert_int_equal(json_array_size(parts), 2);
    json_t *part = json_array_get(parts, 0);
    assert_string_equal(json_string_value(json_object_get(part, "file")), "a.json");
    assert_false(json_is_true(json_object_get(part, "marked")));
    assert_int_equal(json_array_size(json_object_get(part, "groups")), 4);
    assert_non_null(json_object_get(json_object_get(part, "numbers"), "can_be_promised"));
    assert_true(json_equal(json_object_get(part, "run"), runs[0]));
    part = json_array_get(parts, 1);
    assert_string_equal(json_string_value(json_object_get(part, "file")),
                        "(a name that is no UTF-8)");
    json_decref(report);
    json_decref(runs[0]);
    json_decref(runs[1]);
}

static void test_comparison(void **state)
{
    (void)state;
    json_t *runs[] = {run_maker_knee_run(20000), run_maker_knee_run(30000)};
    json_t *report;
    assert_int_equal(report_make(runs, files, 2, true, "1.2.3", &report), OC_ERR_OK);
    json_t *comparison = json_object_get(report, "comparison");
    assert_true(json_array_size(json_object_get(comparison, "rows")) > 0);
    json_decref(report);
    json_decref(runs[0]);
    json_decref(runs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
