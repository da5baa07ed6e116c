/*
 * Groups and the three numbers of a run. Called by the report for each run file.
 *
 * Invariants: the three never mix: the lab's best is the best of all repeats wherever it was, the
 * promise is the worst of the repeats at a rate below 0.7 of the knee's low end, the breaking
 * point is a rate and no latency. Without a measured knee nothing is promised. A closed loop has
 * none of them.
 */
#include "report/figures_of.h"

#include "base/assert.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct quote {
    const char *name;
    double percentile; /* 100: the maximum */
} quote_t;

static const quote_t quotes[] = {{"p50", 50.0},  {"p90", 90.0},    {"p99", 99.0},
                                 {"p999", 99.9}, {"p9999", 99.99}, {"max", 100.0}};

enum { QUOTES = sizeof quotes / sizeof quotes[0] };

static const char *const qualifiers[] = {"rate", "message_bytes", "mtu", "arrivals"};

enum { QUALIFIERS = sizeof qualifiers / sizeof qualifiers[0] };

static double number_of(json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

double figures_of_percentile(json_t *distribution, double percentile)
{
    if (percentile >= 100.0)
        return number_of(distribution, "max");
    size_t i;
    json_t *rung;
    json_array_foreach(json_object_get(distribution, "percentiles"), i, rung)
    {
        if (number_of(rung, "percentile") >= percentile)
            return number_of(rung, "value");
    }
    return 0;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Puts a number at its place in an ascending list. */
static int insert(json_t *list, double value)
{
    size_t at = 0;
    while (at < json_array_size(list) && json_number_value(json_array_get(list, at)) <= value)
        at++;
    return json_array_insert_new(list, at, json_real(value));
}

static json_t *list_of(json_t *object, const char *name)
{
    if (!json_object_get(object, name))
        (void)json_object_set_new(object, name, json_array());
    return json_object_get(object, name);
}

static int add_quotes(json_t *object, json_t *distribution)
{
    int failed = 0;
    for (size_t i = 0; i < QUOTES; i++)
        failed |= insert(list_of(object, quotes[i].name),
                         figures_of_percentile(distribution, quotes[i].percentile));
    return failed;
}

static json_t *new_group(json_t *series)
{
    json_t *group = json_object();
    json_object_set(group, "label", json_object_get(series, "label"));
    for (size_t i = 0; i < QUALIFIERS; i++)
        json_object_set(group, qualifiers[i], json_object_get(series, qualifiers[i]));
    json_object_set_new(group, "repeats", json_integer(0));
    json_object_set_new(group, "count", json_integer(0));
    return group;
}

static int add_series(json_t *group, json_t *series)
{
    const json_int_t repeats = json_integer_value(json_object_get(group, "repeats")) + 1;
    const double count = number_of(group, "count") + number_of(series, "count");
    int failed = json_object_set_new(group, "repeats", json_integer(repeats));
    failed |= json_object_set_new(group, "count", json_real(count));
    failed |= add_quotes(group, series);
    json_t *service = json_object_get(series, "service");
    json_t *services = json_object_get(group, "service");
    if (service && repeats == 1)
        failed |= json_object_set_new(group, "service", services = json_object());
    if (service && services)
        failed |= add_quotes(services, service);
    else if (services)
        failed |= json_object_del(group, "service"); /* not all of them have it */
    return failed;
}

json_t *figures_of_groups(json_t *run)
{
    json_t *groups = json_array();
    json_t *by_label = json_object();
    int failed = 0;
    size_t i;
    json_t *series;
    json_array_foreach(json_object_get(run, "series"), i, series)
    {
        const char *label = json_string_value(json_object_get(series, "label"));
        json_t *group = json_object_get(by_label, label);
        if (!group) {
            group = new_group(series);
            failed |= json_array_append_new(groups, group);
            failed |= json_object_set(by_label, label, group);
        }
        failed |= add_series(group, series);
    }
    json_decref(by_label);
    if (failed) {
        json_decref(groups);
        return NULL;
    }
    return groups;
}

/* ---- The three numbers ----------------------------------------------------------------------- */

/* A rate's p99.9: the best or the worst of its repeats. */
typedef struct choice {
    json_t *from; /* has the qualifiers but the rate; NULL: none yet */
    double rate;
    double value_ns;
    size_t repeats;
} choice_t;

static json_t *without(const char *why)
{
    return json_pack("{s:s}", "why", why);
}

static json_t *with_qualifiers(json_t *object, json_t *from, double rate)
{
    for (size_t i = 1; object && i < QUALIFIERS; i++)
        json_object_set(object, qualifiers[i], json_object_get(from, qualifiers[i]));
    if (object && rate >= 0)
        json_object_set_new(object, "rate", json_real(rate));
    return object;
}

static json_t *told(const choice_t *choice)
{
    json_t *object = json_pack("{s:f, s:f}", "value_ns", choice->value_ns, "percentile", 99.9);
    if (choice->repeats > 0)
        json_object_set_new(object, "repeats", json_integer((json_int_t)choice->repeats));
    return with_qualifiers(object, choice->from, choice->rate);
}

/* Called with each repeat's p99.9 of a run, with whether its rate held. */
typedef void (*repeat_visitor_t)(choice_t *choice, const choice_t *repeat, bool held, double limit);

/* A series of another message size, MTU or shape says nothing about this knee. */
static bool is_of_knee(json_t *knee, json_t *series)
{
    for (size_t i = 1; knee && i < QUALIFIERS; i++)
        if (!json_equal(json_object_get(knee, qualifiers[i]),
                        json_object_get(series, qualifiers[i])))
            return false;
    return true;
}

static void visit(json_t *run, repeat_visitor_t visitor, choice_t *choice, double limit)
{
    json_t *knee = json_object_get(run, "knee");
    size_t i;
    size_t j;
    json_t *item;
    json_t *value;
    json_array_foreach(json_object_get(knee, "points"), i, item)
    {
        const char *verdict = json_string_value(json_object_get(item, "verdict"));
        json_array_foreach(json_object_get(item, "p999"), j, value)
        {
            const choice_t repeat = {knee, number_of(item, "rate"), json_number_value(value), 1};
            visitor(choice, &repeat, !strcmp(verdict, "pass"), limit);
        }
    }
    json_array_foreach(json_object_get(run, "series"), i, item)
    {
        const choice_t repeat = {item, number_of(item, "rate"), figures_of_percentile(item, 99.9),
                                 1};
        visitor(choice, &repeat, is_of_knee(knee, item) && number_of(item, "count") > 0, limit);
    }
}

static void take_best(choice_t *best, const choice_t *repeat, bool held, double limit)
{
    (void)limit;
    if (held && (!best->from || repeat->value_ns < best->value_ns))
        *best = (choice_t){repeat->from, repeat->rate, repeat->value_ns, 0};
}

/* The highest rate below the limit, and there the worst. */
static void take_promise(choice_t *worst, const choice_t *repeat, bool held, double limit)
{
    if (!held || repeat->rate >= limit || (worst->from && repeat->rate < worst->rate))
        return;
    if (!worst->from || repeat->rate > worst->rate) {
        *worst = *repeat;
        return;
    }
    /* A knee's points come first; its series are the same repeats once more. */
    const bool counted =
        json_object_get(worst->from, "points") && !json_object_get(repeat->from, "points");
    worst->repeats += !counted;
    if (repeat->value_ns > worst->value_ns)
        worst->value_ns = repeat->value_ns;
}

/* A mark takes a figure back; it is shown, struck out, so that nobody wonders where it went. */
static json_t *strike_if_marked(json_t *object, json_t *run)
{
    if (json_array_size(json_object_get(run, "marks")) > 0) {
        json_object_set_new(object, "struck", json_true());
        json_object_set_new(object, "why", json_string("the run is marked"));
    }
    return object;
}

static json_t *lab_best(json_t *run)
{
    choice_t best = {0};
    visit(run, take_best, &best, 0);
    return best.from ? strike_if_marked(told(&best), run)
                     : without("no latency at a rate was measured");
}

/* A point that failed at the promised rate, or below it, is no ground for a promise. */
static bool failed_below(json_t *knee, double rate)
{
    size_t i;
    json_t *point;
    json_array_foreach(json_object_get(knee, "points"), i, point)
    {
        const char *verdict = json_string_value(json_object_get(point, "verdict"));
        if (!strcmp(verdict, "fail") && number_of(point, "rate") <= rate)
            return true;
    }
    return false;
}

static json_t *promise(json_t *run)
{
    json_t *knee = json_object_get(run, "knee");
    json_t *place = json_object_get(knee, "knee");
    choice_t worst = {0};
    if (!knee)
        return without("this run measured no knee: run bench knee");
    if (!json_is_object(place))
        return without("no knee was found");
    const double low = number_of(place, "low");
    visit(run, take_promise, &worst, FIGURES_OF_RHO_MAX * low);
    if (!worst.from)
        return without("no rate below 0.7 of the knee was measured and held");
    if (failed_below(knee, worst.rate))
        return without("a rate below 0.7 of the knee failed: the knee cannot be trusted");
    json_t *object = told(&worst);
    json_object_set_new(object, "rho", json_real(worst.rate / low));
    return strike_if_marked(object, run);
}

static json_t *breaking_point(json_t *run)
{
    json_t *knee = json_object_get(run, "knee");
    json_t *place = json_object_get(knee, "knee");
    double first_failed = 0;
    size_t i;
    json_t *point;
    json_array_foreach(json_object_get(knee, "points"), i, point)
    {
        const double rate = number_of(point, "rate");
        const char *verdict = json_string_value(json_object_get(point, "verdict"));
        if (!strcmp(verdict, "fail") && (first_failed == 0 || rate < first_failed))
            first_failed = rate;
    }
    if (first_failed == 0 && !json_is_object(place))
        return without(knee ? "no rate failed" : "this run measured no knee: run bench knee");
    json_t *object =
        json_pack("{s:f, s:O}", "percentile", 99.9, "sla_ns", json_object_get(knee, "sla_ns"));
    if (json_is_object(place))
        json_object_set(object, "knee", place);
    if (first_failed > 0)
        json_object_set_new(object, "first_failed", json_real(first_failed));
    return with_qualifiers(object, knee, -1);
}

json_t *figures_of_numbers(json_t *run)
{
    const char *loop = json_string_value(json_object_get(run, "loop"));
    if (!strcmp(loop, "closed")) {
        const char *why = "closed loop: not latency at a rate";
        return json_pack("{s:o, s:o, s:o}", "lab_best", without(why), "can_be_promised",
                         without(why), "breaking_point", without(why));
    }
    return json_pack("{s:o, s:o, s:o}", "lab_best", lab_best(run), "can_be_promised", promise(run),
                     "breaking_point", breaking_point(run));
}
