/*
 * Unit tests of the page as text; it is opened in a browser by test/system/test_report_page.sh. Run
 * by ctest.
 */
#define _GNU_SOURCE
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/run_maker.h"

#define EVIL "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&"

/* Takes the run. The caller frees the page. */
static char *page_of(json_t *run, const char *file)
{
    json_t *report;
    char *html;
    size_t size;
    assert_int_equal(report_make(&run, &file, 1, false, "1.2.3", &report), OC_ERR_OK);
    assert_int_equal(report_page(report, &html, &size), OC_ERR_OK);
    assert_int_equal(strlen(html), size);
    json_decref(report);
    json_decref(run);
    return html;
}

static size_t count_of(const char *html, const char *part)
{
    size_t found = 0;
    for (const char *at = html; (at = strcasestr(at, part)) != NULL; at++)
        found++;
    return found;
}

static void shows(const char *html, const char *part)
{
    if (!strstr(html, part))
        fail_msg("'%s' is not in the page", part);
}

static void test_whole(void **state)
{
    (void)state;
    char *html = page_of(run_maker_knee_run(20000), "a.json");
    assert_memory_equal(html, "<!DOCTYPE html>", 15);
    shows(html, "<h2>1. knee <small>a.json</small></h2>");
    shows(html, "default-src 'none'");
    shows(html, "plots by uPlot 1.");
    shows(html, "data-plot=\"percentiles\" data-run=\"0\"");
    shows(html, "data-plot=\"seconds\"");
    shows(html, "data-plot=\"knee\"");
    assert_int_equal(count_of(html, "data-plot=\"burst\""), 0);
    shows(html, "open loop");
    assert_int_equal(count_of(html, "<p class=\"marked\">"), 0);
    shows(html, "</body></html>");
    free(html);
}

/* Nothing that a page could fetch. */
static void test_names_no_other_place(void **state)
{
    (void)state;
    char *html = page_of(run_maker_knee_run(20000), "a.json");
    static const char *const parts[] = {"<link", "@import", "url(", "<iframe", "<img", "src="};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_int_equal(count_of(html, parts[i]), 0);
    free(html);
}

static void test_marks_and_loop_come_first(void **state)
{
    (void)state;
    run_file_t *file = run_file_create("echo", RUN_LOOP_CLOSED, "1.2.3");
    run_maker_series(file, "a", 0, 20000, 1);
    run_file_mark(file, "late", 12);
    run_file_mark(file, "lost", 3);
    char *html = page_of(run_maker_end(file), "a.json");
    const char *banner = strstr(html, "<p class=\"marked\"><b>Marked:</b> late 12, lost 3.");
    const char *loop = strstr(html, "closed loop: not latency at a rate");
    const char *table = strstr(html, "<table");
    assert_non_null(banner);
    assert_true(banner < loop && loop < table);
    /* report/page.css strikes out these cells within that section. */
    assert_non_null(strstr(html, "<section class=\"run struck\" id=\"run1\">"));
    assert_non_null(strstr(html, ".struck td.latency {"));
    assert_non_null(strstr(table, "<td class=\"n latency\">"));
    free(html);
}

/* Every text of a file that means something to a browser stays a text. */
static void test_texts_are_no_markup(void **state)
{
    (void)state;
    char *plain = page_of(run_maker_knee_run(20000), "a.json");
    run_file_t *file = run_file_create(EVIL, RUN_LOOP_OPEN, EVIL);
    run_maker_knee(file, 20000);
    run_maker_bursts(file, false);
    run_maker_series(file, EVIL, 1, 20000, 1);
    run_file_mark(file, EVIL, 1);
    run_file_config(file, EVIL, EVIL);
    run_file_figure(file, EVIL, 1, EVIL, NULL, 0);
    json_t *run = run_maker_end(file);
    json_t *series = json_array_get(json_object_get(run, "series"), 8);
    (void)json_object_set_new(series, "arrivals", json_string(EVIL));
    json_t *burst = json_object_get(run, "burst");
    (void)json_array_append_new(json_object_get(burst, "reasons"), json_string(EVIL));
    (void)json_object_set_new(json_object_get(burst, "counters"), EVIL, json_integer(1));
    (void)json_object_set_new(json_object_get(run, "conditions"), EVIL, json_string(EVIL));
    char *html = page_of(run, EVIL);
    assert_int_equal(count_of(html, "<script"), count_of(plain, "<script"));
    assert_int_equal(count_of(html, "</script"), count_of(plain, "</script"));
    assert_int_equal(count_of(html, "<img"), 0);
    assert_int_equal(count_of(plain, "<script"), 3);
    free(html);
    free(plain);
}

static void test_figures_alone_need_no_plot(void **state)
{
    (void)state;
    run_file_t *file = run_file_create("journal", RUN_LOOP_CLOSED, "1.2.3");
    run_file_figure(file, "entries", 5, "1/s", NULL, 0);
    char *html = page_of(run_maker_end(file), "a.json");
    assert_int_equal(count_of(html, "data-plot=\""), 0);
    assert_int_equal(count_of(html, "Three numbers"), 0);
    shows(html, "<td>entries</td>");
    free(html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_names_no_other_place),
        cmocka_unit_test(test_marks_and_loop_come_first),
        cmocka_unit_test(test_texts_are_no_markup),
        cmocka_unit_test(test_figures_alone_need_no_plot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
