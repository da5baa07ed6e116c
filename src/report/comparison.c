/*
 * The comparison of two runs. Called by the report when it has two of one bench.
 *
 * Invariants: a difference counts only when the bands of the repeats do not overlap, and a single
 * repeat has no band; figures with different qualifiers, or of an open and a closed loop, are never
 * held against each other.
 */
#include "report/comparison.h"

#include "report/figures_of.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Ascending values of the repeats on both sides. */
typedef struct sides {
    json_t *a;
    json_t *b;
    bool comparable;
} sides_t;

static double value_at(json_t *list, size_t i)
{
    return json_number_value(json_array_get(list, i));
}

static double median(json_t *list)
{
    const size_t count = json_array_size(list);
    return count == 0 ? 0.0 : (value_at(list, (count - 1) / 2) + value_at(list, count / 2)) / 2.0;
}

static json_t *band_of(json_t *list)
{
    const size_t count = json_array_size(list);
    return json_pack("{s:f, s:f, s:I}", "low", value_at(list, 0), "high",
                     count ? value_at(list, count - 1) : 0.0, "repeats", (json_int_t)count);
}

static const char *verdict_of(const sides_t *sides)
{
    const size_t a = json_array_size(sides->a);
    const size_t b = json_array_size(sides->b);
    if (!sides->comparable || a == 0 || b == 0)
        return "not comparable";
    if (a < 2 || b < 2)
        return "no band: needs repeats";
    if (value_at(sides->a, a - 1) < value_at(sides->b, 0))
        return "a is lower";
    if (value_at(sides->b, b - 1) < value_at(sides->a, 0))
        return "b is lower";
    return "within noise";
}

static json_t *row_of(const char *what, double percentile, const char *unit, const sides_t *sides)
{
    json_t *row = json_pack("{s:s, s:f, s:s, s:o, s:o}", "what", what, "percentile", percentile,
                            "unit", unit, "a", band_of(sides->a), "b", band_of(sides->b));
    const double base = median(sides->a);
    const bool can = sides->comparable && base != 0 && json_array_size(sides->b) > 0;
    json_object_set_new(row, "ratio", can ? json_real(median(sides->b) / base) : json_null());
    json_object_set_new(row, "verdict", json_string(verdict_of(sides)));
    return row;
}

static const char *const qualifiers[] = {"rate", "message_bytes", "mtu", "arrivals"};

/* Equal, or missing in both. */
static bool same(json_t *a, json_t *b, const char *name)
{
    json_t *left = json_object_get(a, name);
    json_t *right = json_object_get(b, name);
    return left == right || json_equal(left, right);
}

static bool same_qualifiers(json_t *a, json_t *b)
{
    for (size_t i = 0; i < sizeof qualifiers / sizeof qualifiers[0]; i++)
        if (!same(a, b, qualifiers[i]))
            return false;
    return true;
}

static json_t *with_qualifiers(json_t *row, json_t *from)
{
    for (size_t i = 0; i < sizeof qualifiers / sizeof qualifiers[0]; i++)
        if (json_object_get(from, qualifiers[i]))
            json_object_set(row, qualifiers[i], json_object_get(from, qualifiers[i]));
    return row;
}

static json_t *find(json_t *list, const char *key, json_t *name)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        if (json_equal(json_object_get(item, key), name))
            return item;
    }
    return NULL;
}

/* ---- What there is to compare ---------------------------------------------------------------- */

static int add_groups(json_t *rows, json_t *a, json_t *b, bool same_loop)
{
    static const char *const names[] = {"p50", "p99", "p999", "max"};
    static const double percentiles[] = {50.0, 99.0, 99.9, 100.0};
    json_t *groups = figures_of_groups(a);
    json_t *others = figures_of_groups(b);
    int failed = groups && others ? 0 : -1;
    size_t i;
    json_t *group;
    json_array_foreach(groups, i, group)
    {
        json_t *label = json_object_get(group, "label");
        json_t *other = find(others, "label", label);
        for (size_t p = 0; other && p < sizeof names / sizeof names[0]; p++) {
            const sides_t sides = {json_object_get(group, names[p]),
                                   json_object_get(other, names[p]),
                                   same_loop && same_qualifiers(group, other)};
            json_t *row = row_of(json_string_value(label), percentiles[p], "ns", &sides);
            failed |= json_array_append_new(rows, with_qualifiers(row, group));
        }
    }
    json_decref(groups);
    json_decref(others);
    return failed;
}

/* The ends of the knee as a band: what is known of it. */
static json_t *knee_band(json_t *run)
{
    json_t *place = json_object_get(json_object_get(run, "knee"), "knee");
    json_t *low = json_object_get(place, "low");
    json_t *high = json_object_get(place, "high");
    return low && high ? json_pack("[O, O]", low, high) : NULL;
}

static int add_knee(json_t *rows, json_t *a, json_t *b)
{
    json_t *knee = json_object_get(a, "knee");
    json_t *other = json_object_get(b, "knee");
    sides_t sides = {
        knee_band(a), knee_band(b),
        knee && other && same_qualifiers(knee, other) &&
            json_equal(json_object_get(knee, "sla_ns"), json_object_get(other, "sla_ns"))};
    int failed = 0;
    if (sides.a && sides.b) {
        json_t *row = row_of("knee", 99.9, "msg/s", &sides);
        failed = json_array_append_new(rows, with_qualifiers(row, knee));
    }
    json_decref(sides.a);
    json_decref(sides.b);
    return failed;
}

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The values of all figures of this one's name, unit and qualifiers, ascending. */
static json_t *repeats_of(json_t *figures, json_t *like)
{
    const size_t count = json_array_size(figures);
    double *values = malloc((count + 1) * sizeof *values);
    json_t *list = json_array();
    size_t found = 0;
    size_t i;
    json_t *figure;
    json_array_foreach(figures, i, figure)
    {
        json_t *value = json_object_get(figure, "value");
        const bool repeat = same(figure, like, "name") && same(figure, like, "unit") &&
                            same(figure, like, "percentile") && same_qualifiers(figure, like);
        if (values && repeat && json_is_number(value))
            values[found++] = json_number_value(value);
    }
    if (found > 0)
        qsort(values, found, sizeof *values, by_value);
    for (i = 0; i < found; i++)
        (void)json_array_append_new(list, json_real(values[i]));
    free(values);
    return list;
}

static int add_figures(json_t *rows, json_t *a, json_t *b)
{
    json_t *figures = json_object_get(a, "figures");
    json_t *others = json_object_get(b, "figures");
    json_t *done = json_object();
    int failed = 0;
    size_t i;
    json_t *figure;
    json_array_foreach(figures, i, figure)
    {
        const char *name = json_string_value(json_object_get(figure, "name"));
        if (json_object_get(done, name) || !find(others, "name", json_object_get(figure, "name")))
            continue;
        failed |= json_object_set_new(done, name, json_true());
        const sides_t sides = {repeats_of(figures, figure), repeats_of(others, figure), true};
        json_t *percentile = json_object_get(figure, "percentile");
        json_t *row = row_of(name, percentile ? json_number_value(percentile) : 0.0,
                             json_string_value(json_object_get(figure, "unit")), &sides);
        failed |= json_array_append_new(rows, with_qualifiers(row, figure));
        json_decref(sides.a);
        json_decref(sides.b);
    }
    json_decref(done);
    return failed;
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static int add_difference(json_t *list, const char *name, json_t *a, json_t *b)
{
    if (a == b || json_equal(a, b))
        return 0;
    json_t *entry = json_pack("{s:s, s:O, s:O}", "name", name, "a", a ? a : json_null(), "b",
                              b ? b : json_null());
    return json_array_append_new(list, entry);
}

static int add_differences(json_t *list, json_t *a, json_t *b)
{
    int failed = 0;
    const char *name;
    json_t *value;
    json_object_foreach(a, name, value)
    {
        if (strcmp(name, "start") != 0 && strcmp(name, "configuration") != 0)
            failed |= add_difference(list, name, value, json_object_get(b, name));
    }
    json_object_foreach(b, name, value)
    {
        if (!json_object_get(a, name) && strcmp(name, "configuration") != 0)
            failed |= add_difference(list, name, NULL, value);
    }
    return failed;
}

json_t *comparison_of(json_t *a, json_t *b)
{
    json_t *rows = json_array();
    json_t *differences = json_array();
    json_t *conditions_a = json_object_get(a, "conditions");
    json_t *conditions_b = json_object_get(b, "conditions");
    const bool same_loop = json_equal(json_object_get(a, "loop"), json_object_get(b, "loop"));
    const bool marked = json_array_size(json_object_get(a, "marks")) > 0 ||
                        json_array_size(json_object_get(b, "marks")) > 0;
    int failed = add_groups(rows, a, b, same_loop);
    failed |= add_knee(rows, a, b);
    failed |= add_figures(rows, a, b);
    failed |= add_differences(differences, conditions_a, conditions_b);
    failed |= add_differences(differences, json_object_get(conditions_a, "configuration"),
                              json_object_get(conditions_b, "configuration"));
    json_t *result =
        json_pack("{s:o, s:o, s:b}", "rows", rows, "differences", differences, "marked", marked);
    if (failed) {
        json_decref(result);
        return NULL;
    }
    return result;
}
