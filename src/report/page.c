/*
 * The page of a report. Called by `outcry report`.
 *
 * Invariants: one file that fetches nothing (its policy forbids it); everything from a run file
 * goes through html.c; tables are there without any script, plots are drawn by report/page.js from
 * the JSON in the page. A mark is said before any figure.
 */
#define _GNU_SOURCE
#include "report/report.h"

#include "base/error.h"
#include "report/html.h"
#include "report/page_assets.h"
#include "report/page_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'; script-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>outcry report</title>\n";

static const char reading[] =
    "<p class=\"reading\">A latency holds at the rate, message size, MTU and arrivals it was "
    "measured with, and at no other. <b>Lab best</b> is the best of all repeats. <b>Can be "
    "promised</b> is the worst of the repeats below 0.7 of the knee. The <b>breaking point</b> is "
    "the rate at which p99.9 crosses its limit. Times are from the intended send, unless they say "
    "otherwise.</p>\n";

static const char *text_of(json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void put_asset(FILE *out, const char *tag, const unsigned char *bytes, size_t size)
{
    (void)fprintf(out, "<%s>\n", tag);
    (void)fwrite(bytes, 1, size, out);
    (void)fprintf(out, "</%s>\n", tag);
}

/* Places that report/page.js draws in. */
static void put_plots(FILE *out, size_t index, json_t *run)
{
    size_t i;
    json_t *series;
    bool seconds = false;
    json_t *list = json_object_get(run, "series");
    json_array_foreach(list, i, series)
    {
        seconds = seconds || json_array_size(json_object_get(series, "seconds")) > 1;
    }
    const bool has[] = {
        json_array_size(list) > 0,
        seconds,
        json_array_size(json_object_get(json_object_get(run, "knee"), "points")) > 0,
        json_array_size(json_object_get(json_object_get(run, "burst"), "bursts")) > 0,
    };
    static const char *const kinds[] = {"percentiles", "seconds", "knee", "burst"};
    (void)fputs("<div class=\"plots\">\n", out);
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (has[i])
            (void)fprintf(out, "<div class=\"plot\" data-plot=\"%s\" data-run=\"%zu\"></div>\n",
                          kinds[i], index);
    (void)fputs("</div>\n", out);
}

static void put_marks(FILE *out, json_t *run)
{
    size_t i;
    json_t *mark;
    json_t *marks = json_object_get(run, "marks");
    if (json_array_size(marks) == 0)
        return;
    (void)fputs("<p class=\"marked\"><b>Marked:</b> ", out);
    json_array_foreach(marks, i, mark)
    {
        (void)fputs(i ? ", " : "", out);
        html_text(out, text_of(mark, "name"));
        (void)fputc(' ', out);
        html_value(out, json_object_get(mark, "count"));
    }
    (void)fputs(". None of its figures can be promised.</p>\n", out);
}

static void put_run(FILE *out, size_t index, json_t *part)
{
    json_t *run = json_object_get(part, "run");
    (void)fprintf(out, "<section class=\"%s\" id=\"run%zu\">\n<h2>%zu. ",
                  json_is_true(json_object_get(part, "marked")) ? "run struck" : "run", index + 1,
                  index + 1);
    html_text(out, text_of(run, "bench"));
    (void)fputs(" <small>", out);
    html_text(out, text_of(part, "file"));
    (void)fputs("</small></h2>\n", out);
    put_marks(out, run);
    if (!strcmp(text_of(run, "loop"), "closed"))
        (void)fputs("<p class=\"closed\"><b>closed loop: not latency at a rate</b></p>\n", out);
    else
        (void)fputs("<p>open loop: no answer moves the schedule</p>\n", out);
    const bool measured = json_array_size(json_object_get(run, "series")) > 0 ||
                          json_object_get(run, "knee") || json_object_get(run, "burst");
    page_verdicts(out, run);
    if (measured)
        page_numbers(out, json_object_get(part, "numbers"));
    page_groups(out, json_object_get(part, "groups"));
    if (measured)
        put_plots(out, index, run);
    page_knee(out, run);
    page_burst(out, run);
    page_matrix(out, run);
    page_figures(out, run);
    page_conditions(out, run);
    (void)fputs("</section>\n", out);
}

static void put_contents(FILE *out, json_t *runs)
{
    size_t i;
    json_t *part;
    if (json_array_size(runs) < 2)
        return;
    (void)fputs("<ol class=\"contents\">\n", out);
    json_array_foreach(runs, i, part)
    {
        (void)fprintf(out, "<li><a href=\"#run%zu\">", i + 1);
        html_text(out, text_of(json_object_get(part, "run"), "bench"));
        (void)fputs("</a> ", out);
        html_text(out, text_of(part, "file"));
        if (json_is_true(json_object_get(part, "marked")))
            (void)fputs(" <b class=\"marked\">marked</b>", out);
        (void)fputs("</li>\n", out);
    }
    (void)fputs("</ol>\n", out);
}

static int put_page(FILE *out, json_t *report)
{
    json_t *runs = json_object_get(report, "runs");
    json_t *comparison = json_object_get(report, "comparison");
    size_t i;
    json_t *part;
    (void)fputs(head, out);
    put_asset(out, "style", page_uplot_css, page_uplot_css_size);
    put_asset(out, "style", page_own_css, page_own_css_size);
    (void)fputs("</head>\n<body>\n<h1>outcry report</h1>\n", out);
    (void)fputs(reading, out);
    put_contents(out, runs);
    if (json_is_object(comparison))
        page_comparison(out, comparison, text_of(json_array_get(runs, 0), "file"),
                        text_of(json_array_get(runs, 1), "file"));
    json_array_foreach(runs, i, part)
    {
        put_run(out, i, part);
    }
    (void)fputs("<footer>outcry ", out);
    html_text(out, text_of(report, "outcry"));
    (void)fputs(", plots by uPlot ", out);
    html_text(out, text_of(report, "uplot"));
    (void)fputs("</footer>\n<noscript>The plots need JavaScript; the tables do not.</noscript>\n"
                "<script type=\"application/json\" id=\"report\">",
                out);
    const int failed = html_json(out, report);
    (void)fputs("</script>\n", out);
    put_asset(out, "script", page_uplot_js, page_uplot_js_size);
    put_asset(out, "script", page_own_js, page_own_js_size);
    (void)fputs("</body></html>\n", out);
    return failed;
}

oc_err_t report_page(json_t *report, char **html, size_t *size)
{
    *html = NULL;
    FILE *out = open_memstream(html, size);
    const int failed = out ? put_page(out, report) : -1;
    if (out && fclose(out) == 0 && !failed)
        return OC_ERR_OK;
    free(*html);
    *html = NULL;
    return error_set(OC_ERR_NO_MEMORY, "no memory for the page");
}
