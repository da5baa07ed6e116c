/*
 * Unit tests of the tables: every figure with its qualifiers, best and worst, nothing but reasons
 * where there is no figure. Run by ctest.
 */
#define _GNU_SOURCE
#include "report/page_tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/run_maker.h"
#include "report/comparison.h"
#include "report/figures_of.h"

static char *text;
static size_t size;

/* What a table of the run is. */
static void draw(void (*table)(FILE *out, json_t *what), json_t *what)
{
    free(text);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    table(out, what);
    assert_int_equal(fclose(out), 0);
}

static void shows(const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in: %s", part, text);
}

static size_t count_of(const char *part)
{
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        found++;
    return found;
}

static int forget(void **state)
{
    (void)state;
    free(text);
    text = NULL;
    return 0;
}

static void test_numbers(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(20000);
    json_t *numbers = figures_of_numbers(run);
    draw(page_numbers, numbers);
    shows("<td class=\"n\">60,000</td><td class=\"n\">288</td><td class=\"n\">1,408</td><td "
          "class=\"shape\">even, ");
    shows("worst of 2 repeats, at 0.67 of the knee");
    shows("100,000 msg/s");
    shows("knee between 90,000 and 110,000; first rate that failed: 110,000");
    assert_int_equal(count_of("<s>"), 0);
    json_decref(numbers);
    json_decref(run);
}

static void test_marked_numbers_are_struck_out(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(20000);
    (void)json_array_append_new(json_object_get(run, "marks"),
                                json_pack("{s:s, s:i}", "name", "late", "count", 1));
    json_t *numbers = figures_of_numbers(run);
    draw(page_numbers, numbers);
    assert_int_equal(count_of("<s>"), 2);
    shows("not promised: the run is marked");
    shows("not to be quoted: the run is marked");
    json_decref(numbers);
    json_decref(run);
}

static void test_no_numbers_have_reasons(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(20000);
    (void)json_object_del(run, "knee");
    json_t *numbers = figures_of_numbers(run);
    draw(page_numbers, numbers);
    assert_int_equal(count_of("this run measured no knee"), 2);
    json_decref(numbers);
    json_decref(run);
}

static void test_groups(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(20000);
    json_t *groups = figures_of_groups(run);
    draw(page_groups, groups);
    assert_int_equal(count_of("from the actual send"), 4);
    assert_int_equal(count_of("even, &quot;one&quot; by one &lt;&amp;&gt;"), 8);
    shows("<th>p99.9</th>");
    shows(" &ndash; ");
    json_decref(groups);
    json_decref(run);
    groups = json_array();
    draw(page_groups, groups);
    assert_string_equal(text, "");
    json_decref(groups);
}

static void test_knee(void **state)
{
    (void)state;
    json_t *run = run_maker_knee_run(20000);
    draw(page_knee, run);
    assert_int_equal(count_of("<td>p99.9</td>"), 4);
    assert_int_equal(count_of("<tr class=\"fail\">"), 1);
    shows("p99.9 of at most 6.00\u00a0ms; 50,000 msg/s are 0.50 of the knee");
    (void)json_object_set_new(json_object_get(run, "knee"), "end", json_string("found"));
    draw(page_knee, run);
    shows("; the knee: found.</p>");
    (void)json_object_del(run, "knee");
    draw(page_knee, run);
    assert_string_equal(text, "");
    json_decref(run);
}

static void test_bursts(void **state)
{
    (void)state;
    run_file_t *file = run_file_create("burst", RUN_LOOP_OPEN, "1.2.3");
    run_maker_bursts(file, false);
    json_t *run = run_maker_end(file);
    draw(page_burst, run);
    shows("<p class=\"fail\">Bursts: <b>fail</b>: UDP receive buffer errors: 3; p99 above 1 ms. "
          "Not judged: qdisc drops.");
    shows("<details open>");
    shows("<tr class=\"fail\"><td class=\"n\">5</td><td class=\"n\">49,997</td><td "
          "class=\"n\">3</td>");
    shows("<th>qdisc_drops</th><td class=\"n\">unknown</td>");
    shows("2.90\u00a0ms");
    shows("47,500");
    shows("249,997");
    shows("<th>udp_rcvbuf_errors</th><td class=\"n\">3</td>");
    json_decref(run);
}

/* A file of before that has no missing ones shows a dash. */
static void test_bursts_of_before(void **state)
{
    (void)state;
    run_file_t *file = run_file_create("burst", RUN_LOOP_OPEN, "1.2.3");
    run_maker_bursts(file, true);
    json_t *run = run_maker_end(file);
    json_t *bursts = json_object_get(json_object_get(run, "burst"), "bursts");
    (void)json_object_del(json_array_get(bursts, 0), "missing");
    draw(page_burst, run);
    shows("<td class=\"n\">50,000</td><td class=\"n\">&ndash;</td><td class=\"n\">1.10");
    for (int i = 0; i < 16; i++)
        (void)json_array_append_new(bursts, json_copy(json_array_get(bursts, 0)));
    draw(page_burst, run);
    shows("<details><summary>");
    json_decref(run);
}

static void test_matrix_and_verdicts(void **state)
{
    (void)state;
    run_file_t *file = run_file_create("burst", RUN_LOOP_OPEN, "1.2.3");
    run_maker_row(file, "pass", "");
    run_maker_row(file, "impossible", "");
    run_maker_row(file, "pass", "late");
    run_file_verdict(file, "kept_rate", false, "sender <limit>");
    run_file_verdict(file, "stall", true, NULL);
    run_file_verdict(file, "stall", true, NULL);
    json_t *run = run_maker_end(file);
    draw(page_matrix, run);
    shows("<tr class=\"pass\"><td class=\"n\">300</td><td class=\"n\">2</td><td "
          "class=\"n\">&ndash;</td><td class=\"n\">288</td>");
    shows("<b>impossible</b>: naks_sent &lt;7&gt;</td>");
    shows("<tr class=\"marked\">");
    shows("; marked: late</td>");
    assert_int_equal(count_of("<tr class=\"fail\">"), 1);
    draw(page_verdicts, run);
    shows("<p class=\"fail\">kept_rate: <b>fail</b>: sender &lt;limit&gt;</p>");
    shows("<p class=\"pass\">stall: <b>pass</b>, 2 times</p>");
    (void)json_object_del(run, "matrix");
    draw(page_matrix, run);
    assert_string_equal(text, "");
    json_decref(run);
}

static void test_figures_and_conditions(void **state)
{
    (void)state;
    run_file_t *file = run_file_create("book", RUN_LOOP_CLOSED, "1.2.3");
    run_file_figure(file, "mixed<", 123.4, "ns", NULL, 0);
    run_file_figure(file, "none", -1.0, "ns", NULL, 99.9);
    run_file_figure(file, "mixed<", 5, "ns", NULL, 0);
    run_file_figure(file, "mixed<", 6, "ns", NULL, 99);
    run_file_config(file, "dir", "<here>");
    json_t *run = run_maker_end(file);
    (void)json_object_set_new(json_array_get(json_object_get(run, "figures"), 1), "value",
                              json_null());
    draw(page_figures, run);
    shows("<td>mixed&lt;</td><td class=\"n\">123.4; 5</td><td>ns</td>");
    shows("<td>mixed&lt;</td><td class=\"n\">6</td><td>ns</td>");
    shows("<td>none</td><td class=\"n\">unknown</td>");
    shows("<td>p99.9</td></tr>");
    draw(page_conditions, run);
    shows("<th>dir</th><td>&lt;here&gt;</td>");
    shows("<th>cpu_model</th>");
    shows("<th>pinned_cpus</th><td>none</td>");
    json_decref(run);
}

static void draw_comparison(FILE *out, json_t *comparison)
{
    page_comparison(out, comparison, "<a>", "b.json");
}

static void test_comparison(void **state)
{
    (void)state;
    json_t *a = run_maker_knee_run(20000);
    json_t *b = run_maker_knee_run(30000);
    json_t *comparison = comparison_of(a, b);
    draw(draw_comparison, comparison);
    shows("&lt;a&gt;");
    assert_int_equal(count_of("<td>a is lower</td>"), 16);
    assert_int_equal(count_of("<td>not comparable</td>"), 1);
    shows("<td class=\"n\">1.5</td>");
    json_decref(comparison);
    json_decref(b);
    json_decref(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_numbers, forget),
        cmocka_unit_test_teardown(test_marked_numbers_are_struck_out, forget),
        cmocka_unit_test_teardown(test_no_numbers_have_reasons, forget),
        cmocka_unit_test_teardown(test_groups, forget),
        cmocka_unit_test_teardown(test_knee, forget),
        cmocka_unit_test_teardown(test_bursts, forget),
        cmocka_unit_test_teardown(test_bursts_of_before, forget),
        cmocka_unit_test_teardown(test_matrix_and_verdicts, forget),
        cmocka_unit_test_teardown(test_figures_and_conditions, forget),
        cmocka_unit_test_teardown(test_comparison, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
