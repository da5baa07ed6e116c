/*
 * Tables of figures. Called by the page.
 *
 * Invariants: a cell that has nothing to say shows a dash or the reason, never 0; times of repeats
 * are shown as "best – worst", so that one good repeat cannot stand for all. It computes nothing:
 * what is shown was computed by figures_of.c and comparison.c, which the JSON shows as well.
 */
#include "report/page_tables.h"

#include "report/html.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DASH "&ndash;"

static const char qualifier_heads[] =
    "<th>rate, msg/s</th><th>message, bytes</th><th>MTU</th><th>arrivals</th>";

static double number_of(json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static const char *text_of(json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static void begin(FILE *out, const char *class, const char *caption)
{
    (void)fprintf(out, "<table class=\"%s\"><caption>%s</caption>\n", class, caption);
}

static void end(FILE *out)
{
    (void)fputs("</table>\n", out);
}

static void text_cell(FILE *out, const char *text)
{
    (void)fputs("<td>", out);
    html_text(out, text);
    (void)fputs("</td>", out);
}

/* A number, or a dash where 0 means that there is none. */
static void number_cell(FILE *out, double value)
{
    (void)fputs("<td class=\"n\">", out);
    if (value > 0)
        html_number(out, value);
    else
        (void)fputs(DASH, out);
    (void)fputs("</td>", out);
}

static void count_cell(FILE *out, double value)
{
    (void)fputs("<td class=\"n\">", out);
    html_number(out, value);
    (void)fputs("</td>", out);
}

static void time_cell(FILE *out, double ns)
{
    (void)fputs("<td class=\"n\">", out);
    html_time(out, ns);
    (void)fputs("</td>", out);
}

/* What was measured, or a dash. */
static void known_cell(FILE *out, json_t *value, void (*put)(FILE *out, double value))
{
    (void)fputs("<td class=\"n\">", out);
    if (json_is_number(value))
        put(out, json_number_value(value));
    else
        (void)fputs(DASH, out);
    (void)fputs("</td>", out);
}

static void shape_cell(FILE *out, const char *arrivals)
{
    (void)fputs("<td class=\"shape\">", out);
    if (*arrivals)
        html_text(out, arrivals);
    else
        (void)fputs(DASH, out);
    (void)fputs("</td>", out);
}

/* Four cells. */
static void qualifier_cells(FILE *out, json_t *object)
{
    number_cell(out, number_of(object, "rate"));
    number_cell(out, number_of(object, "message_bytes"));
    number_cell(out, number_of(object, "mtu"));
    shape_cell(out, text_of(object, "arrivals"));
}

/* Best and worst of an ascending list of times; one, if they are equal. */
static void range_cell(FILE *out, json_t *list)
{
    const size_t count = json_array_size(list);
    (void)fputs("<td class=\"n latency\">", out);
    if (count == 0) {
        (void)fputs(DASH, out);
    } else {
        const double best = json_number_value(json_array_get(list, 0));
        const double worst = json_number_value(json_array_get(list, count - 1));
        html_time(out, best);
        if (worst > best) {
            (void)fputs(" " DASH " ", out);
            html_time(out, worst);
        }
    }
    (void)fputs("</td>", out);
}

static void percentile_text(FILE *out, double percentile)
{
    if (percentile >= 100)
        (void)fputs("max", out);
    else if (percentile > 0)
        (void)fprintf(out, "p%.6g", percentile);
    else
        (void)fputs(DASH, out);
}

/* ---- The three numbers ----------------------------------------------------------------------- */

static void number_row(FILE *out, const char *class, const char *name, json_t *number)
{
    const bool struck = json_is_true(json_object_get(number, "struck"));
    const char *why = text_of(number, "why");
    (void)fprintf(out, "<tr class=\"%s\"><th>%s</th>", class, name);
    if (*why && !struck) {
        (void)fputs("<td class=\"none\" colspan=\"7\">", out);
        html_text(out, why);
        (void)fputs("</td></tr>\n", out);
        return;
    }
    (void)fprintf(out, "<td class=\"n\">%s", struck ? "<s>" : "<b>");
    html_time(out, number_of(number, "value_ns"));
    (void)fputs(struck ? "</s></td><td>" : "</b></td><td>", out);
    percentile_text(out, number_of(number, "percentile"));
    (void)fputs("</td>", out);
    qualifier_cells(out, number);
    (void)fputs("<td>", out);
    if (struck)
        (void)fprintf(out, "<strong>not %s: the run is marked</strong>",
                      !strcmp(class, "promise") ? "promised" : "to be quoted");
    else if (json_object_get(number, "rho"))
        (void)fprintf(out, "worst of %.0f %s, at %.2f of the knee", number_of(number, "repeats"),
                      number_of(number, "repeats") > 1 ? "repeats" : "repeat",
                      number_of(number, "rho"));
    else
        (void)fputs("best of all repeats, at any rate; nobody may count on it", out);
    (void)fputs("</td></tr>\n", out);
}

static void breaking_row(FILE *out, json_t *number)
{
    const char *why = text_of(number, "why");
    json_t *knee = json_object_get(number, "knee");
    const double failed = number_of(number, "first_failed");
    (void)fputs("<tr class=\"breaking\"><th>breaking point</th>", out);
    if (*why) {
        (void)fputs("<td class=\"none\" colspan=\"7\">", out);
        html_text(out, why);
        (void)fputs("</td></tr>\n", out);
        return;
    }
    (void)fputs("<td class=\"n\"><b>", out);
    html_number(out, knee ? number_of(knee, "mid") : failed);
    (void)fputs(" msg/s</b></td><td>", out);
    percentile_text(out, number_of(number, "percentile"));
    (void)fputs(" above ", out);
    html_time(out, number_of(number, "sla_ns"));
    (void)fputs("</td>", out);
    qualifier_cells(out, number);
    (void)fputs("<td>", out);
    if (knee) {
        (void)fputs("knee between ", out);
        html_number(out, number_of(knee, "low"));
        (void)fputs(" and ", out);
        html_number(out, number_of(knee, "high"));
    }
    if (failed > 0) {
        (void)fputs(knee ? "; first rate that failed: " : "first rate that failed: ", out);
        html_number(out, failed);
    }
    (void)fputs("</td></tr>\n", out);
}

void page_numbers(FILE *out, json_t *numbers)
{
    begin(out, "numbers", "Three numbers that are not the same");
    (void)fprintf(out, "<tr><th></th><th>figure</th><th>percentile</th>%s<th></th></tr>\n",
                  qualifier_heads);
    number_row(out, "promise", "can be promised", json_object_get(numbers, "can_be_promised"));
    number_row(out, "best", "lab best", json_object_get(numbers, "lab_best"));
    breaking_row(out, json_object_get(numbers, "breaking_point"));
    end(out);
}

/* ---- Latency --------------------------------------------------------------------------------- */

static const char *const quotes[] = {"p50", "p90", "p99", "p999", "p9999", "max"};

static void quote_cells(FILE *out, json_t *object)
{
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++)
        range_cell(out, json_object_get(object, quotes[i]));
}

void page_groups(FILE *out, json_t *groups)
{
    if (json_array_size(groups) == 0)
        return;
    begin(out, "wide", "Latency from the intended send, best &ndash; worst of the repeats");
    (void)fprintf(out,
                  "<tr><th>series</th><th>repeats</th><th>messages</th>%s<th>p50</th><th>p90</th>"
                  "<th>p99</th><th>p99.9</th><th>p99.99</th><th>max</th></tr>\n",
                  qualifier_heads);
    size_t i;
    json_t *group;
    json_array_foreach(groups, i, group)
    {
        (void)fputs("<tr>", out);
        text_cell(out, text_of(group, "label"));
        count_cell(out, number_of(group, "repeats"));
        count_cell(out, number_of(group, "count"));
        qualifier_cells(out, group);
        quote_cells(out, group);
        (void)fputs("</tr>\n", out);
        json_t *service = json_object_get(group, "service");
        if (!service)
            continue;
        (void)fputs("<tr class=\"service\"><td colspan=\"3\">from the actual send: hides the time "
                    "a message waited to be sent</td>",
                    out);
        qualifier_cells(out, group);
        quote_cells(out, service);
        (void)fputs("</tr>\n", out);
    }
    end(out);
}

/* ---- Knee and bursts ------------------------------------------------------------------------- */

void page_knee(FILE *out, json_t *run)
{
    json_t *knee = json_object_get(run, "knee");
    if (!knee)
        return;
    begin(out, "", "The way to the knee");
    (void)fprintf(out, "<tr>%s<th>percentile</th><th>each repeat</th><th>verdict</th></tr>\n",
                  qualifier_heads);
    size_t i;
    json_t *point;
    json_array_foreach(json_object_get(knee, "points"), i, point)
    {
        size_t j;
        json_t *value;
        (void)fprintf(out, "<tr class=\"%s\">", text_of(point, "verdict"));
        number_cell(out, number_of(point, "rate"));
        number_cell(out, number_of(knee, "message_bytes"));
        number_cell(out, number_of(knee, "mtu"));
        shape_cell(out, text_of(knee, "arrivals"));
        (void)fputs("<td>p99.9</td><td>", out);
        json_array_foreach(json_object_get(point, "p999"), j, value)
        {
            (void)fputs(j ? ", " : "", out);
            html_time(out, json_number_value(value));
        }
        (void)fputs("</td>", out);
        text_cell(out, text_of(point, "verdict"));
        (void)fputs("</tr>\n", out);
    }
    end(out);
    (void)fputs("<p>Limit: p99.9 of at most ", out);
    html_time(out, number_of(knee, "sla_ns"));
    json_t *rho = json_object_get(knee, "rho_at");
    if (rho) {
        (void)fputs("; ", out);
        html_number(out, number_of(rho, "rate"));
        (void)fprintf(out, " msg/s are %.2f of the knee", number_of(rho, "rho"));
    }
    if (*text_of(knee, "end")) {
        (void)fputs("; the knee: ", out);
        html_text(out, text_of(knee, "end"));
    }
    (void)fputs(".</p>\n", out);
}

/* With semicolons between; the first one stands behind `before`. */
static void text_list(FILE *out, const char *before, json_t *texts)
{
    size_t i;
    json_t *text;
    json_array_foreach(texts, i, text)
    {
        (void)fputs(i ? "; " : before, out);
        html_text(out, json_string_value(text));
    }
}

static void burst_verdict(FILE *out, json_t *burst)
{
    const char *verdict = text_of(burst, "verdict");
    (void)fprintf(out, "<p class=\"%s\">Bursts: <b>%s</b>", verdict, verdict);
    text_list(out, ": ", json_object_get(burst, "reasons"));
    text_list(out, ". Not judged: ", json_object_get(burst, "not_judged"));
    (void)fputs(".</p>\n", out);
}

/* Each with its number; many of them are folded away. */
static void burst_rows(FILE *out, json_t *bursts)
{
    enum { OPEN_MAX = 20 };
    const size_t count = json_array_size(bursts);
    size_t i;
    json_t *item;
    if (count == 0)
        return;
    (void)fprintf(out, "<details%s><summary>Each burst</summary>\n",
                  count <= OPEN_MAX ? " open" : "");
    (void)fputs("<table><tr><th>burst</th><th>messages</th><th>missing</th><th>absorption</th>"
                "<th>peak, messages in any 1 ms</th></tr>\n",
                out);
    json_array_foreach(bursts, i, item)
    {
        json_t *missing = json_object_get(item, "missing");
        (void)fprintf(out, "<tr%s>", json_number_value(missing) > 0 ? " class=\"fail\"" : "");
        count_cell(out, number_of(item, "n"));
        count_cell(out, number_of(item, "messages"));
        known_cell(out, missing, html_number);
        time_cell(out, number_of(item, "absorb_ns"));
        count_cell(out, number_of(item, "peak_per_ms"));
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</table></details>\n", out);
}

void page_burst(FILE *out, json_t *run)
{
    json_t *burst = json_object_get(run, "burst");
    if (!burst)
        return;
    size_t i;
    json_t *item;
    double longest = 0;
    double peak = 0;
    double messages = 0;
    json_t *bursts = json_object_get(burst, "bursts");
    json_array_foreach(bursts, i, item)
    {
        longest = number_of(item, "absorb_ns") > longest ? number_of(item, "absorb_ns") : longest;
        peak = number_of(item, "peak_per_ms") > peak ? number_of(item, "peak_per_ms") : peak;
        messages += number_of(item, "messages");
    }
    burst_verdict(out, burst);
    begin(out, "", "Bursts");
    (void)fprintf(out,
                  "<tr><th>bursts</th><th>messages</th>%s<th>longest absorption</th>"
                  "<th>peak, messages in any 1 ms</th></tr>\n<tr>",
                  qualifier_heads);
    count_cell(out, (double)json_array_size(bursts));
    count_cell(out, messages);
    qualifier_cells(out, burst);
    time_cell(out, longest);
    count_cell(out, peak);
    (void)fputs("</tr>\n", out);
    end(out);
    burst_rows(out, bursts);
    begin(out, "", "What the path counted meanwhile");
    const char *name;
    json_object_foreach(json_object_get(burst, "counters"), name, item)
    {
        (void)fputs("<tr><th>", out);
        html_text(out, name);
        (void)fputs("</th><td class=\"n\">", out);
        html_value(out, item);
        (void)fputs("</td></tr>\n", out);
    }
    end(out);
}

static void matrix_row(FILE *out, json_t *row)
{
    const char *verdict = text_of(row, "verdict");
    const char *marks = text_of(row, "marks");
    (void)fprintf(out, "<tr class=\"%s\">",
                  *marks                     ? "marked"
                  : !strcmp(verdict, "pass") ? "pass"
                                             : "fail");
    number_cell(out, number_of(row, "burst_size"));
    number_cell(out, number_of(row, "senders"));
    qualifier_cells(out, row);
    number_cell(out, number_of(row, "so_rcvbuf"));
    number_cell(out, number_of(row, "receiver_window"));
    known_cell(out, json_object_get(row, "absorb_ns"), html_time);
    known_cell(out, json_object_get(row, "peak_per_ms"), html_number);
    known_cell(out, json_object_get(row, "p99_ns"), html_time);
    known_cell(out, json_object_get(row, "max_ns"), html_time);
    (void)fprintf(out, "<td><b>%s</b>", verdict);
    if (*text_of(row, "reasons")) {
        (void)fputs(": ", out);
        html_text(out, text_of(row, "reasons"));
    }
    if (*marks) {
        (void)fputs("; marked: ", out);
        html_text(out, marks);
    }
    (void)fputs("</td></tr>\n", out);
}

void page_matrix(FILE *out, json_t *run)
{
    json_t *rows = json_object_get(run, "matrix");
    size_t i;
    json_t *row;
    if (json_array_size(rows) == 0)
        return;
    begin(out, "wide", "Bursts, all combinations");
    (void)fprintf(out,
                  "<tr><th>burst, messages</th><th>senders</th>%s<th>socket, bytes</th>"
                  "<th>window, bytes</th><th>longest absorption</th><th>peak in 1 ms</th>"
                  "<th>p99</th><th>max</th><th>verdict</th></tr>\n",
                  qualifier_heads);
    json_array_foreach(rows, i, row)
    {
        matrix_row(out, row);
    }
    end(out);
}

/* Those of repeats that came to the same stand in one line. */
void page_verdicts(FILE *out, json_t *run)
{
    json_t *verdicts = json_object_get(run, "verdicts");
    size_t times;
    for (size_t i = 0; i < json_array_size(verdicts); i += times) {
        json_t *item = json_array_get(verdicts, i);
        const char *verdict = text_of(item, "verdict");
        times = 1;
        while (json_equal(item, json_array_get(verdicts, i + times)))
            times++;
        (void)fprintf(out, "<p class=\"%s\">", verdict);
        html_text(out, text_of(item, "name"));
        (void)fprintf(out, ": <b>%s</b>", verdict);
        if (times > 1)
            (void)fprintf(out, ", %zu times", times);
        if (*text_of(item, "reason")) {
            (void)fputs(": ", out);
            html_text(out, text_of(item, "reason"));
        }
        (void)fputs("</p>\n", out);
    }
}

/* ---- Other figures, conditions --------------------------------------------------------------- */

/* One for each name with its unit and qualifiers: {figure, values}. */
static json_t *figure_groups(json_t *figures)
{
    json_t *groups = json_array();
    json_t *by_key = json_object();
    size_t i;
    json_t *figure;
    json_array_foreach(figures, i, figure)
    {
        json_t *like = json_copy(figure);
        (void)json_object_del(like, "value");
        char *key = json_dumps(like, JSON_COMPACT | JSON_SORT_KEYS);
        json_t *group = key ? json_object_get(by_key, key) : NULL;
        if (!group) {
            group = json_pack("{s:O, s:[]}", "figure", figure, "values");
            (void)json_array_append_new(groups, group);
            if (key)
                (void)json_object_set(by_key, key, group);
        }
        (void)json_array_append(json_object_get(group, "values"), json_object_get(figure, "value"));
        free(key);
        json_decref(like);
    }
    json_decref(by_key);
    return groups;
}

static void figure_row(FILE *out, json_t *figure, json_t *values)
{
    size_t i;
    json_t *value;
    (void)fputs("<tr>", out);
    text_cell(out, text_of(figure, "name"));
    (void)fputs("<td class=\"n\">", out);
    json_array_foreach(values, i, value)
    {
        (void)fputs(i ? "; " : "", out);
        html_value(out, value);
    }
    (void)fputs("</td>", out);
    text_cell(out, text_of(figure, "unit"));
    qualifier_cells(out, figure);
    (void)fputs("<td>", out);
    percentile_text(out, number_of(figure, "percentile"));
    (void)fputs("</td></tr>\n", out);
}

void page_figures(FILE *out, json_t *run)
{
    json_t *figures = json_object_get(run, "figures");
    if (json_array_size(figures) == 0)
        return;
    begin(out, "", "Figures, of each repeat");
    (void)fprintf(out, "<tr><th>name</th><th>value</th><th>unit</th>%s<th>percentile</th></tr>\n",
                  qualifier_heads);
    json_t *groups = figure_groups(figures);
    size_t i;
    json_t *group;
    json_array_foreach(groups, i, group)
    {
        figure_row(out, json_object_get(group, "figure"), json_object_get(group, "values"));
    }
    json_decref(groups);
    end(out);
}

static void condition_rows(FILE *out, json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (json_is_object(value))
            continue;
        (void)fputs("<tr><th>", out);
        html_text(out, name);
        (void)fputs("</th><td>", out);
        html_value(out, value);
        (void)fputs("</td></tr>\n", out);
    }
}

void page_conditions(FILE *out, json_t *run)
{
    json_t *conditions = json_object_get(run, "conditions");
    begin(out, "conditions", "Conditions");
    condition_rows(out, conditions);
    end(out);
    json_t *configuration = json_object_get(conditions, "configuration");
    if (json_object_size(configuration) == 0)
        return;
    begin(out, "conditions", "Configuration in effect");
    condition_rows(out, configuration);
    end(out);
}

/* ---- Comparison ------------------------------------------------------------------------------ */

static void band_cell(FILE *out, json_t *band, const char *unit)
{
    const bool time = !strcmp(unit, "ns");
    const double low = number_of(band, "low");
    const double high = number_of(band, "high");
    (void)fputs("<td class=\"n\">", out);
    if (json_integer_value(json_object_get(band, "repeats")) == 0)
        (void)fputs(DASH, out);
    else
        (time ? html_time : html_number)(out, low);
    if (high > low) {
        (void)fputs(" " DASH " ", out);
        (time ? html_time : html_number)(out, high);
    }
    if (!time) {
        (void)fputc(' ', out);
        html_text(out, unit);
    }
    (void)fputs("</td>", out);
}

static void comparison_row(FILE *out, json_t *row)
{
    json_t *ratio = json_object_get(row, "ratio");
    const char *verdict = text_of(row, "verdict");
    (void)fputs("<tr>", out);
    text_cell(out, text_of(row, "what"));
    (void)fputs("<td>", out);
    percentile_text(out, number_of(row, "percentile"));
    (void)fputs("</td>", out);
    qualifier_cells(out, row);
    band_cell(out, json_object_get(row, "a"), text_of(row, "unit"));
    band_cell(out, json_object_get(row, "b"), text_of(row, "unit"));
    (void)fputs("<td class=\"n\">", out);
    if (json_is_number(ratio))
        (void)fprintf(out, "%.3g", json_number_value(ratio));
    else
        (void)fputs(DASH, out);
    (void)fprintf(out, "</td><td>%s</td></tr>\n", verdict);
}

static void differences(FILE *out, json_t *list)
{
    size_t i;
    json_t *entry;
    if (json_array_size(list) == 0) {
        (void)fputs("<p>Both ran under the same conditions.</p>\n", out);
        return;
    }
    begin(out, "conditions", "What else differs");
    (void)fputs("<tr><th></th><th>a</th><th>b</th></tr>\n", out);
    json_array_foreach(list, i, entry)
    {
        (void)fputs("<tr><th>", out);
        html_text(out, text_of(entry, "name"));
        (void)fputs("</th><td>", out);
        html_value(out, json_object_get(entry, "a"));
        (void)fputs("</td><td>", out);
        html_value(out, json_object_get(entry, "b"));
        (void)fputs("</td></tr>\n", out);
    }
    end(out);
}

void page_comparison(FILE *out, json_t *comparison, const char *a, const char *b)
{
    size_t i;
    json_t *row;
    (void)fputs("<section class=\"comparison\">\n<h2>Side by side</h2>\n<p>a: <b>", out);
    html_text(out, a);
    (void)fputs("</b><br>b: <b>", out);
    html_text(out, b);
    (void)fputs("</b></p>\n", out);
    if (json_is_true(json_object_get(comparison, "marked")))
        (void)fputs("<p class=\"marked\">At least one of the two is marked: the comparison proves "
                    "nothing.</p>\n",
                    out);
    begin(out, "wide",
          "Bands are from the lowest to the highest repeat; where they overlap, the "
          "difference is within noise");
    (void)fprintf(out,
                  "<tr><th>what</th><th>percentile</th>%s<th>a</th><th>b</th>"
                  "<th>b / a (medians)</th><th></th></tr>\n",
                  qualifier_heads);
    json_array_foreach(json_object_get(comparison, "rows"), i, row)
    {
        comparison_row(out, row);
    }
    end(out);
    if (json_array_size(json_object_get(comparison, "rows")) == 0)
        (void)fputs("<p>The two have no series, knee or figure of the same name.</p>\n", out);
    differences(out, json_object_get(comparison, "differences"));
    (void)fputs("</section>\n", out);
}
