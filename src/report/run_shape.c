/*
 * What a run file must look like, as tables, and the one walk that holds a file against them.
 * Called by the reader of run files.
 *
 * Invariants: a file is refused at the first thing wrong, with the path of the member; after the
 * tables come the few rules that no type can tell: ladders ascend and reach 100 %, repeats of a
 * label have one set of qualifiers, and no figure is a median alone.
 */
#define _GNU_SOURCE
#include "report/run_shape.h"

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SERIES_MAX = 10000 }; /* more is no bench; all of them are drawn */

typedef enum shape_kind {
    TEXT,
    NUMBER,     /* at least 0 */
    SIGNED,     /* any number */
    PERCENTILE, /* 0 to 100 */
    OBJECT,
    LIST,  /* of objects */
    TEXTS, /* a list of texts */
    NUMBERS,
    MAP, /* an object of texts under any names */
} shape_kind_t;

typedef enum shape_need { REQUIRED, NULLABLE, OPTIONAL } shape_need_t;

typedef struct shape {
    const char *name; /* NULL: the table's end */
    shape_kind_t kind;
    shape_need_t need;
    const struct shape *of;
} shape_t;

static const shape_t mark_shape[] = {{"name", TEXT, REQUIRED, NULL},
                                     {"count", NUMBER, REQUIRED, NULL},
                                     {NULL, TEXT, REQUIRED, NULL}};

static const shape_t conditions_shape[] = {
    {"build", TEXT, REQUIRED, NULL},        {"compiler", TEXT, REQUIRED, NULL},
    {"aeron", TEXT, REQUIRED, NULL},        {"cpu_model", TEXT, REQUIRED, NULL},
    {"processors", NUMBER, NULLABLE, NULL}, {"pinned_cpus", NUMBERS, REQUIRED, NULL},
    {"governor", TEXT, REQUIRED, NULL},     {"load_average", NUMBER, NULLABLE, NULL},
    {"steal_pct", NUMBER, NULLABLE, NULL},  {"kernel", TEXT, REQUIRED, NULL},
    {"rmem_max", NUMBER, NULLABLE, NULL},   {"rmem_default", NUMBER, NULLABLE, NULL},
    {"wmem_max", NUMBER, NULLABLE, NULL},   {"huge_pages", TEXT, REQUIRED, NULL},
    {"start", TEXT, REQUIRED, NULL},        {"configuration", MAP, REQUIRED, NULL},
    {NULL, TEXT, REQUIRED, NULL},
};

static const shape_t rung_shape[] = {{"value", NUMBER, REQUIRED, NULL},
                                     {"percentile", PERCENTILE, REQUIRED, NULL},
                                     {"count", NUMBER, REQUIRED, NULL},
                                     {NULL, TEXT, REQUIRED, NULL}};

static const shape_t second_shape[] = {
    {"t", NUMBER, REQUIRED, NULL},    {"count", NUMBER, REQUIRED, NULL},
    {"p50", NUMBER, REQUIRED, NULL},  {"p99", NUMBER, REQUIRED, NULL},
    {"p999", NUMBER, REQUIRED, NULL}, {"max", NUMBER, REQUIRED, NULL},
    {NULL, TEXT, REQUIRED, NULL},
};

static const shape_t service_shape[] = {
    {"unit", TEXT, REQUIRED, NULL},   {"count", NUMBER, REQUIRED, NULL},
    {"mean", NUMBER, REQUIRED, NULL}, {"percentiles", LIST, REQUIRED, rung_shape},
    {"max", NUMBER, REQUIRED, NULL},  {NULL, TEXT, REQUIRED, NULL},
};

static const shape_t series_shape[] = {
    {"label", TEXT, REQUIRED, NULL},
    {"rate", NUMBER, REQUIRED, NULL},
    {"message_bytes", NUMBER, REQUIRED, NULL},
    {"mtu", NUMBER, REQUIRED, NULL},
    {"arrivals", TEXT, REQUIRED, NULL},
    {"unit", TEXT, REQUIRED, NULL},
    {"count", NUMBER, REQUIRED, NULL},
    {"warmup_s", NUMBER, REQUIRED, NULL},
    {"percentiles", LIST, REQUIRED, rung_shape},
    {"mean", NUMBER, REQUIRED, NULL},
    {"max", NUMBER, REQUIRED, NULL},
    {"seconds", LIST, REQUIRED, second_shape},
    {"service", OBJECT, OPTIONAL, service_shape},
    {"hgrm", TEXT, OPTIONAL, NULL},
    {"hlog", TEXT, OPTIONAL, NULL},
    {NULL, TEXT, REQUIRED, NULL},
};

static const shape_t point_shape[] = {{"rate", NUMBER, REQUIRED, NULL},
                                      {"p999", NUMBERS, REQUIRED, NULL},
                                      {"verdict", TEXT, REQUIRED, NULL},
                                      {NULL, TEXT, REQUIRED, NULL}};

static const shape_t place_shape[] = {{"low", NUMBER, REQUIRED, NULL},
                                      {"mid", NUMBER, REQUIRED, NULL},
                                      {"high", NUMBER, REQUIRED, NULL},
                                      {NULL, TEXT, REQUIRED, NULL}};

static const shape_t rho_shape[] = {{"rate", NUMBER, REQUIRED, NULL},
                                    {"rho", NUMBER, REQUIRED, NULL},
                                    {NULL, TEXT, REQUIRED, NULL}};

static const shape_t knee_shape[] = {
    {"message_bytes", NUMBER, REQUIRED, NULL},
    {"mtu", NUMBER, REQUIRED, NULL},
    {"arrivals", TEXT, REQUIRED, NULL},
    {"sla_ns", NUMBER, REQUIRED, NULL},
    {"percentile", PERCENTILE, REQUIRED, NULL},
    {"points", LIST, REQUIRED, point_shape},
    {"knee", OBJECT, NULLABLE, place_shape},
    {"rho_at", OBJECT, OPTIONAL, rho_shape},
    {"end", TEXT, OPTIONAL, NULL},
    {NULL, TEXT, REQUIRED, NULL},
};

static const shape_t one_burst_shape[] = {
    {"n", NUMBER, REQUIRED, NULL},           {"messages", NUMBER, REQUIRED, NULL},
    {"missing", NUMBER, OPTIONAL, NULL},     {"absorb_ns", NUMBER, REQUIRED, NULL},
    {"peak_per_ms", NUMBER, REQUIRED, NULL}, {NULL, TEXT, REQUIRED, NULL},
};

static const shape_t counters_shape[] = {
    {"udp_rcvbuf_errors", NUMBER, NULLABLE, NULL},
    {"naks", NUMBER, NULLABLE, NULL},
    {"retransmits", NUMBER, NULLABLE, NULL},
    {"flow_control_limits", NUMBER, NULLABLE, NULL},
    {"loss_gap_fills", NUMBER, NULLABLE, NULL},
    {"qdisc_drops", NUMBER, NULLABLE, NULL},
    {NULL, TEXT, REQUIRED, NULL},
};

static const shape_t burst_shape[] = {
    {"rate", NUMBER, REQUIRED, NULL},
    {"message_bytes", NUMBER, REQUIRED, NULL},
    {"mtu", NUMBER, REQUIRED, NULL},
    {"arrivals", TEXT, REQUIRED, NULL},
    {"bursts", LIST, REQUIRED, one_burst_shape},
    {"verdict", TEXT, REQUIRED, NULL},
    {"reasons", TEXTS, REQUIRED, NULL},
    {"not_judged", TEXTS, OPTIONAL, NULL},
    {"counters", OBJECT, REQUIRED, counters_shape},
    {NULL, TEXT, REQUIRED, NULL},
};

static const shape_t row_shape[] = {
    {"burst_size", NUMBER, REQUIRED, NULL}, {"senders", NUMBER, REQUIRED, NULL},
    {"rate", NUMBER, REQUIRED, NULL},       {"message_bytes", NUMBER, REQUIRED, NULL},
    {"mtu", NUMBER, REQUIRED, NULL},        {"arrivals", TEXT, REQUIRED, NULL},
    {"so_rcvbuf", NUMBER, REQUIRED, NULL},  {"receiver_window", NUMBER, REQUIRED, NULL},
    {"absorb_ns", NUMBER, NULLABLE, NULL},  {"peak_per_ms", NUMBER, NULLABLE, NULL},
    {"p99_ns", NUMBER, NULLABLE, NULL},     {"max_ns", NUMBER, NULLABLE, NULL},
    {"verdict", TEXT, REQUIRED, NULL},      {"reasons", TEXT, REQUIRED, NULL},
    {"marks", TEXT, REQUIRED, NULL},        {NULL, TEXT, REQUIRED, NULL},
};

static const shape_t verdict_shape[] = {{"name", TEXT, REQUIRED, NULL},
                                        {"verdict", TEXT, REQUIRED, NULL},
                                        {"reason", TEXT, REQUIRED, NULL},
                                        {NULL, TEXT, REQUIRED, NULL}};

static const shape_t figure_shape[] = {
    {"name", TEXT, REQUIRED, NULL},
    {"value", SIGNED, NULLABLE, NULL},
    {"unit", TEXT, REQUIRED, NULL},
    {"rate", NUMBER, OPTIONAL, NULL},
    {"message_bytes", NUMBER, OPTIONAL, NULL},
    {"mtu", NUMBER, OPTIONAL, NULL},
    {"arrivals", TEXT, OPTIONAL, NULL},
    {"percentile", PERCENTILE, OPTIONAL, NULL},
    {NULL, TEXT, REQUIRED, NULL},
};

static const shape_t run_shape[] = {
    {"bench", TEXT, REQUIRED, NULL},
    {"loop", TEXT, REQUIRED, NULL},
    {"marks", LIST, REQUIRED, mark_shape},
    {"conditions", OBJECT, REQUIRED, conditions_shape},
    {"series", LIST, REQUIRED, series_shape},
    {"knee", OBJECT, OPTIONAL, knee_shape},
    {"burst", OBJECT, OPTIONAL, burst_shape},
    {"matrix", LIST, OPTIONAL, row_shape},
    {"verdicts", LIST, OPTIONAL, verdict_shape},
    {"figures", LIST, REQUIRED, figure_shape},
    {NULL, TEXT, REQUIRED, NULL},
};

/* Where the walk is, for messages. */
typedef struct walk {
    const char *file;
    char path[256];
} walk_t;

static oc_err_t refuse(const walk_t *walk, const char *what)
{
    return error_set(OC_ERR_FORMAT, "%.200s: %s %s", walk->file, walk->path, what);
}

/* ---- Types ----------------------------------------------------------------------------------- */

static const char *const kind_names[] = {
    [TEXT] = "a text",
    [NUMBER] = "a number that is not negative",
    [SIGNED] = "a number",
    [PERCENTILE] = "a number from 0 to 100",
    [OBJECT] = "an object",
    [LIST] = "a list",
    [TEXTS] = "a list of texts",
    [NUMBERS] = "a list of numbers that are not negative",
    [MAP] = "an object of texts",
};

static bool all_are(json_t *list, bool (*is)(const json_t *item))
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        if (!is(item))
            return false;
    }
    return json_is_array(list);
}

static bool is_text(const json_t *value)
{
    return json_is_string(value);
}

static bool is_count(const json_t *value)
{
    return json_is_number(value) && json_number_value(value) >= 0;
}

static bool is_map(json_t *value)
{
    const char *key;
    json_t *item;
    json_object_foreach(value, key, item)
    {
        if (!json_is_string(item))
            return false;
    }
    return json_is_object(value);
}

static bool is_kind(json_t *value, shape_kind_t kind)
{
    switch (kind) {
    case TEXT:
        return json_is_string(value);
    case NUMBER:
        return is_count(value);
    case SIGNED:
        return json_is_number(value);
    case PERCENTILE:
        return is_count(value) && json_number_value(value) <= 100;
    case OBJECT:
        return json_is_object(value);
    case LIST:
        return json_is_array(value);
    case TEXTS:
        return all_are(value, is_text);
    case NUMBERS:
        return all_are(value, is_count);
    case MAP:
        return is_map(value);
    }
    return false;
}

static oc_err_t check_object(walk_t *walk, json_t *object, const shape_t *shapes);

static oc_err_t check_list(walk_t *walk, json_t *list, const shape_t *shapes)
{
    const size_t length = strlen(walk->path);
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        (void)snprintf(walk->path + length, sizeof walk->path - length, "[%zu]", i);
        if (!json_is_object(item))
            return refuse(walk, "is not an object");
        const oc_err_t err = check_object(walk, item, shapes);
        if (err != OC_ERR_OK)
            return err;
    }
    walk->path[length] = '\0';
    return OC_ERR_OK;
}

static oc_err_t check_member(walk_t *walk, json_t *value, const shape_t *shape)
{
    if (!value && shape->need == OPTIONAL)
        return OC_ERR_OK;
    if (!value)
        return refuse(walk, "is missing");
    if (shape->need == NULLABLE && json_is_null(value))
        return OC_ERR_OK;
    if (!is_kind(value, shape->kind)) {
        char what[64];
        (void)snprintf(what, sizeof what, "is not %s", kind_names[shape->kind]);
        return refuse(walk, what);
    }
    if (shape->kind == LIST)
        return check_list(walk, value, shape->of);
    return shape->kind == OBJECT ? check_object(walk, value, shape->of) : OC_ERR_OK;
}

static oc_err_t check_object(walk_t *walk, json_t *object, const shape_t *shapes)
{
    const size_t length = strlen(walk->path);
    for (const shape_t *shape = shapes; shape->name; shape++) {
        (void)snprintf(walk->path + length, sizeof walk->path - length, "%s%s",
                       length > 0 ? "." : "", shape->name);
        const oc_err_t err = check_member(walk, json_object_get(object, shape->name), shape);
        if (err != OC_ERR_OK)
            return err;
    }
    walk->path[length] = '\0';
    return OC_ERR_OK;
}

/* ---- What no type can tell ------------------------------------------------------------------- */

static double number_of(json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static bool text_is(json_t *object, const char *name, const char *text)
{
    return !strcmp(json_string_value(json_object_get(object, name)), text);
}

/* A distribution that has only its median says nothing of what users wait for. */
static bool only_median(json_t *rungs)
{
    size_t i;
    json_t *rung;
    json_array_foreach(rungs, i, rung)
    {
        if (number_of(rung, "percentile") != 50.0)
            return false;
    }
    return json_array_size(rungs) > 0;
}

static oc_err_t check_ladder(walk_t *walk, json_t *distribution)
{
    json_t *rungs = json_object_get(distribution, "percentiles");
    const double count = number_of(distribution, "count");
    double percentile = 0;
    double value = 0;
    double seen = 0;
    size_t i;
    json_t *rung;
    if (!text_is(distribution, "unit", "ns"))
        return refuse(walk, "has a unit other than ns");
    if (only_median(rungs))
        return refuse(walk, "has no percentile but p50: a median alone is not shown, write p0 to "
                            "p100");
    json_array_foreach(rungs, i, rung)
    {
        if (number_of(rung, "percentile") < percentile || number_of(rung, "value") < value ||
            number_of(rung, "count") < seen)
            return refuse(walk, "has percentiles that do not ascend");
        percentile = number_of(rung, "percentile");
        value = number_of(rung, "value");
        seen = number_of(rung, "count");
    }
    if (count > 0 && (percentile != 100.0 || seen != count))
        return refuse(walk, "has percentiles that do not end with p100 of all its count");
    if (value > number_of(distribution, "max"))
        return refuse(walk, "has a percentile above its max");
    return OC_ERR_OK;
}

static bool same_qualifiers(json_t *a, json_t *b)
{
    static const char *const names[] = {"rate", "message_bytes", "mtu", "arrivals"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!json_equal(json_object_get(a, names[i]), json_object_get(b, names[i])))
            return false;
    return true;
}

/* `firsts` has the first series of each label. */
static oc_err_t check_repeat(walk_t *walk, json_t *firsts, json_t *series)
{
    const char *label = json_string_value(json_object_get(series, "label"));
    json_t *first = json_object_get(firsts, label);
    if (!first && json_object_set(firsts, label, series) != 0)
        return error_set(OC_ERR_NO_MEMORY, "no memory for %.200s", walk->file);
    if (first && !same_qualifiers(first, series))
        return refuse(walk, "has the label of another series, but another rate, size, MTU or "
                            "arrivals: it is no repeat of it");
    return OC_ERR_OK;
}

static oc_err_t check_one_series(walk_t *walk, json_t *firsts, json_t *series)
{
    oc_err_t err = check_ladder(walk, series);
    if (err == OC_ERR_OK)
        err = check_repeat(walk, firsts, series);
    json_t *service = json_object_get(series, "service");
    if (err == OC_ERR_OK && service) {
        const size_t length = strlen(walk->path);
        (void)snprintf(walk->path + length, sizeof walk->path - length, ".service");
        err = check_ladder(walk, service);
    }
    return err;
}

static oc_err_t check_series(walk_t *walk, json_t *list)
{
    (void)snprintf(walk->path, sizeof walk->path, "series");
    if (json_array_size(list) > SERIES_MAX)
        return refuse(walk, "has more than 10000 items");
    json_t *firsts = json_object();
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; i < json_array_size(list) && err == OC_ERR_OK; i++) {
        (void)snprintf(walk->path, sizeof walk->path, "series[%zu]", i);
        err = check_one_series(walk, firsts, json_array_get(list, i));
    }
    json_decref(firsts);
    return err;
}

/* Figures of which a p50 is the only percentile, beside no series: the same lone median. */
static oc_err_t check_figures(walk_t *walk, json_t *root)
{
    bool median = false;
    bool tail = json_array_size(json_object_get(root, "series")) > 0;
    size_t i;
    json_t *figure;
    json_array_foreach(json_object_get(root, "figures"), i, figure)
    {
        json_t *percentile = json_object_get(figure, "percentile");
        median = median || (percentile && json_number_value(percentile) == 50.0);
        tail = tail || (percentile && json_number_value(percentile) > 50.0);
    }
    (void)snprintf(walk->path, sizeof walk->path, "figures");
    if (median && !tail)
        return refuse(walk, "have no percentile but p50: a median alone is not shown");
    return OC_ERR_OK;
}

static oc_err_t check_knee(walk_t *walk, json_t *knee)
{
    size_t i;
    json_t *point;
    json_array_foreach(json_object_get(knee, "points"), i, point)
    {
        (void)snprintf(walk->path, sizeof walk->path, "knee.points[%zu].verdict", i);
        if (!text_is(point, "verdict", "pass") && !text_is(point, "verdict", "fail") &&
            !text_is(point, "verdict", "marked"))
            return refuse(walk, "is not pass, fail or marked");
        (void)snprintf(walk->path, sizeof walk->path, "knee.points[%zu].p999", i);
        if (json_array_size(json_object_get(point, "p999")) == 0)
            return refuse(walk, "is empty");
    }
    (void)snprintf(walk->path, sizeof walk->path, "knee.percentile");
    if (knee && number_of(knee, "percentile") != 99.9)
        return refuse(walk, "is not 99.9");
    return OC_ERR_OK;
}

/* All of them are shown, whatever their names. */
static oc_err_t check_counters(walk_t *walk, json_t *counters)
{
    const char *name;
    json_t *value;
    json_object_foreach(counters, name, value)
    {
        (void)snprintf(walk->path, sizeof walk->path, "burst.counters.%.200s", name);
        if (!json_is_null(value) && !is_count(value))
            return refuse(walk, "is not a number that is not negative");
    }
    return OC_ERR_OK;
}

static oc_err_t check_words(walk_t *walk, json_t *root)
{
    (void)snprintf(walk->path, sizeof walk->path, "loop");
    if (!text_is(root, "loop", "open") && !text_is(root, "loop", "closed"))
        return refuse(walk, "is neither open nor closed");
    json_t *burst = json_object_get(root, "burst");
    (void)snprintf(walk->path, sizeof walk->path, "burst.verdict");
    if (burst && !text_is(burst, "verdict", "pass") && !text_is(burst, "verdict", "fail"))
        return refuse(walk, "is neither pass nor fail");
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(root, "matrix"), i, item)
    {
        (void)snprintf(walk->path, sizeof walk->path, "matrix[%zu].verdict", i);
        if (!text_is(item, "verdict", "pass") && !text_is(item, "verdict", "fail") &&
            !text_is(item, "verdict", "impossible") && !text_is(item, "verdict", "failed"))
            return refuse(walk, "is not pass, fail, impossible or failed");
    }
    json_array_foreach(json_object_get(root, "verdicts"), i, item)
    {
        (void)snprintf(walk->path, sizeof walk->path, "verdicts[%zu].verdict", i);
        if (!text_is(item, "verdict", "pass") && !text_is(item, "verdict", "fail"))
            return refuse(walk, "is neither pass nor fail");
    }
    return OC_ERR_OK;
}

static oc_err_t check_version(const walk_t *walk, json_t *root)
{
    json_t *format = json_object_get(root, "format");
    json_t *version = json_object_get(root, "version");
    if (!json_is_string(format) || strcmp(json_string_value(format), "outcry-run") != 0)
        return error_set(OC_ERR_FORMAT, "%.200s: is no run file: its format is not \"outcry-run\"",
                         walk->file);
    if (!json_is_integer(version))
        return error_set(OC_ERR_FORMAT, "%.200s: version is not a whole number", walk->file);
    if (json_integer_value(version) != 1)
        return error_set(OC_ERR_FORMAT,
                         "%.200s: is a run file of version %lld, this build reads version 1",
                         walk->file, (long long)json_integer_value(version));
    return OC_ERR_OK;
}

oc_err_t run_shape_check(json_t *root, const char *name)
{
    walk_t walk = {.file = name};
    oc_err_t err = check_version(&walk, root);
    if (err == OC_ERR_OK)
        err = check_object(&walk, root, run_shape);
    if (err == OC_ERR_OK)
        err = check_words(&walk, root);
    if (err == OC_ERR_OK)
        err = check_series(&walk, json_object_get(root, "series"));
    if (err == OC_ERR_OK)
        err = check_knee(&walk, json_object_get(root, "knee"));
    if (err == OC_ERR_OK)
        err = check_counters(&walk, json_object_get(json_object_get(root, "burst"), "counters"));
    if (err == OC_ERR_OK)
        err = check_figures(&walk, root);
    return err;
}
