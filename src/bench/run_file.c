/*
 * Writer of run files. Called by the benches that are given --run.
 *
 * Invariants: what it writes is what src/report reads, so every member that the format requires is
 * there; a percentile is one that the histogram has, never one that
 * was interpolated. It must not decide whether a figure is good: marks and verdicts are the
 * bench's.
 */
#define _GNU_SOURCE
#include "bench/run_file.h"

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "bench/hdr_file.h"
#include "bench/run_conditions.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run_file {
    json_t *root;
    json_t *marks;
    json_t *conditions;
    json_t *pinned;
    json_t *configuration;
    json_t *series;
    json_t *figures;
    run_conditions_t host;
    bool failed; /* no memory: the file would not be whole */
};

/* Percentiles that are quoted, each to be found in the ladder as itself. */
static const double quoted[] = {50.0, 90.0, 99.0, 99.9, 99.99};

/* ---- JSON, with one place for memory that runs out ------------------------------------------- */

/* Takes `value`. */
static void put(run_file_t *self, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        self->failed = true;
}

static void push(run_file_t *self, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        self->failed = true;
}

static json_t *text_of(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char plain[512];
    (void)snprintf(plain, sizeof plain, "%s", text);
    for (char *c = plain; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    return json_string(plain);
}

static json_t *whole(uint64_t value)
{
    return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

/* null for 0 divided by 0 and its like: a figure that could not be measured */
static json_t *number(double value)
{
    if (!isfinite(value))
        return json_null();
    if (value == floor(value) && fabs(value) < 1e15)
        return json_integer((json_int_t)value);
    return json_real(value);
}

/* null for what is not known */
static json_t *known(double value)
{
    return value < 0 ? json_null() : number(value);
}

static void put_qualifiers(run_file_t *self, json_t *object, const run_qualifiers_t *with)
{
    put(self, object, "rate", number(with->rate));
    put(self, object, "message_bytes", whole(with->message_bytes));
    put(self, object, "mtu", whole(with->mtu));
    put(self, object, "arrivals", text_of(with->arrivals ? with->arrivals : ""));
}

/* ---- Percentiles ----------------------------------------------------------------------------- */

typedef struct ladder {
    run_file_t *file;
    json_t *rungs;
    const histogram_t *histogram;
    size_t quoted; /* the next of those */
} ladder_t;

static void put_rung(const ladder_t *self, uint64_t value, double percent, uint64_t seen)
{
    json_t *rung = json_object();
    const uint64_t max = histogram_max(self->histogram);
    put(self->file, rung, "value", whole(value < max ? value : max));
    put(self->file, rung, "percentile", number(percent));
    put(self->file, rung, "count", whole(seen));
    push(self->file, self->rungs, rung);
}

static uint64_t count_up_to(const histogram_t *histogram, uint64_t value)
{
    uint64_t seen = 0;
    const size_t last = histogram_slot_of(value);
    for (size_t slot = 0; slot <= last; slot++)
        seen += histogram_slot_count(histogram, slot);
    return seen;
}

static void take_level(void *context, uint64_t value, double level, uint64_t seen)
{
    ladder_t *self = context;
    enum { QUOTED = sizeof quoted / sizeof quoted[0] };
    for (; self->quoted < QUOTED && quoted[self->quoted] <= level; self->quoted++) {
        const double percent = quoted[self->quoted];
        const uint64_t exact = histogram_percentile(self->histogram, percent);
        if (percent < level)
            put_rung(self, exact, percent, count_up_to(self->histogram, exact));
    }
    put_rung(self, value, level, seen);
}

static void put_distribution(run_file_t *self, json_t *object, const histogram_t *histogram)
{
    json_t *rungs = json_array();
    ladder_t ladder = {.file = self, .rungs = rungs, .histogram = histogram};
    hdr_levels(histogram, take_level, &ladder);
    put(self, object, "unit", json_string("ns"));
    put(self, object, "count", whole(histogram_count(histogram)));
    put(self, object, "mean", number(histogram_mean(histogram)));
    put(self, object, "max", whole(histogram_max(histogram)));
    put(self, object, "percentiles", rungs);
}

/* ---- The parts of a file --------------------------------------------------------------------- */

static void put_environment(run_file_t *self)
{
    for (char **entry = environ; entry && *entry; entry++) {
        const char *equals = strchr(*entry, '=');
        if (strncmp(*entry, "AERON_", 6) != 0 || !equals)
            continue;
        char name[128];
        (void)snprintf(name, sizeof name, "%.*s", (int)(equals - *entry), *entry);
        run_file_config(self, name, equals + 1);
    }
}

static void put_conditions(run_file_t *self)
{
    const run_conditions_t *host = &self->host;
    json_t *object = self->conditions;
    put(self, object, "build", text_of(host->build));
    put(self, object, "compiler", text_of(host->compiler));
    put(self, object, "aeron", text_of(host->aeron));
    put(self, object, "cpu_model", text_of(host->cpu_model));
    put(self, object, "processors", known((double)host->processors));
    put(self, object, "pinned_cpus", json_incref(self->pinned));
    put(self, object, "governor", text_of(host->governor));
    put(self, object, "load_average", known(host->load_average));
    put(self, object, "steal_pct", json_null()); /* until the file is written */
    put(self, object, "kernel", text_of(host->kernel));
    put(self, object, "rmem_max", known((double)host->rmem_max));
    put(self, object, "rmem_default", known((double)host->rmem_default));
    put(self, object, "wmem_max", known((double)host->wmem_max));
    put(self, object, "huge_pages", text_of(host->huge_pages));
    put(self, object, "start", text_of(host->start));
    put(self, object, "configuration", json_incref(self->configuration));
}

run_file_t *run_file_create(const char *bench, run_loop_t loop, const char *version)
{
    run_file_t *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->root = json_object();
    self->marks = json_array();
    self->conditions = json_object();
    self->pinned = json_array();
    self->configuration = json_object();
    self->series = json_array();
    self->figures = json_array();
    run_conditions_read(&self->host, version);
    put(self, self->root, "format", json_string("outcry-run"));
    put(self, self->root, "version", json_integer(RUN_FILE_VERSION));
    put(self, self->root, "bench", text_of(bench));
    put(self, self->root, "loop", json_string(loop == RUN_LOOP_OPEN ? "open" : "closed"));
    put(self, self->root, "marks", json_incref(self->marks));
    put_conditions(self);
    put(self, self->root, "conditions", json_incref(self->conditions));
    put(self, self->root, "series", json_incref(self->series));
    put(self, self->root, "figures", json_incref(self->figures));
    put_environment(self);
    return self;
}

void run_file_destroy(run_file_t *self)
{
    if (!self)
        return;
    json_decref(self->root);
    json_decref(self->marks);
    json_decref(self->conditions);
    json_decref(self->pinned);
    json_decref(self->configuration);
    json_decref(self->series);
    json_decref(self->figures);
    free(self);
}

void run_file_mark(run_file_t *self, const char *name, uint64_t count)
{
    if (!self || count == 0)
        return;
    size_t i;
    json_t *mark;
    json_array_foreach(self->marks, i, mark)
    {
        if (strcmp(json_string_value(json_object_get(mark, "name")), name) != 0)
            continue;
        const json_int_t before = json_integer_value(json_object_get(mark, "count"));
        put(self, mark, "count", whole((uint64_t)before + count));
        return;
    }
    mark = json_object();
    put(self, mark, "name", text_of(name));
    put(self, mark, "count", whole(count));
    push(self, self->marks, mark);
}

void run_file_config(run_file_t *self, const char *key, const char *value)
{
    if (self)
        put(self, self->configuration, key, text_of(value));
}

void run_file_pinned(run_file_t *self, int cpu)
{
    if (self)
        push(self, self->pinned, json_integer(cpu));
}

static json_t *second_of(run_file_t *self, const run_second_t *second)
{
    json_t *object = json_object();
    put(self, object, "t", number(second->t));
    put(self, object, "count", whole(second->count));
    put(self, object, "p50", whole(second->p50));
    put(self, object, "p99", whole(second->p99));
    put(self, object, "p999", whole(second->p999));
    put(self, object, "max", whole(second->max));
    return object;
}

size_t run_file_seconds(histogram_t *const *intervals, size_t count, uint64_t interval_ns,
                        uint64_t warmup_ns, run_second_t *seconds)
{
    size_t kept = 0;
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if ((i + 1) * interval_ns <= warmup_ns)
            continue;
        seconds[kept++] = (run_second_t){
            .t = (double)i * (double)interval_ns / 1e9,
            .count = histogram_count(intervals[i]),
            .p50 = histogram_percentile(intervals[i], 50.0),
            .p99 = histogram_percentile(intervals[i], 99.0),
            .p999 = histogram_percentile(intervals[i], 99.9),
            .max = histogram_max(intervals[i]),
        };
        if (histogram_count(intervals[i]) > 0)
            end = kept;
    }
    return end;
}

/* Runs move together with their files. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void run_file_series(run_file_t *self, const run_series_t *series)
{
    if (!self)
        return;
    json_t *object = json_object();
    put(self, object, "label", text_of(series->label));
    put_qualifiers(self, object, &series->with);
    put(self, object, "warmup_s", number(series->warmup_s));
    put_distribution(self, object, series->latency);
    json_t *seconds = json_array();
    for (size_t i = 0; i < series->second_count; i++)
        push(self, seconds, second_of(self, &series->seconds[i]));
    put(self, object, "seconds", seconds);
    if (series->service) {
        json_t *service = json_object();
        put_distribution(self, service, series->service);
        put(self, object, "service", service);
    }
    if (series->hgrm)
        put(self, object, "hgrm", text_of(name_of(series->hgrm)));
    if (series->hlog)
        put(self, object, "hlog", text_of(name_of(series->hlog)));
    push(self, self->series, object);
}

static json_t *point_of(run_file_t *self, const run_knee_point_t *point)
{
    static const char *const verdicts[] = {"pass", "fail", "marked"};
    json_t *object = json_object();
    json_t *repeats = json_array();
    for (size_t i = 0; i < point->repeats; i++)
        push(self, repeats, number(point->p999_ns[i]));
    put(self, object, "rate", number(point->rate));
    put(self, object, "p999", repeats);
    put(self, object, "verdict", json_string(verdicts[point->verdict]));
    return object;
}

void run_file_knee(run_file_t *self, const run_knee_t *knee)
{
    if (!self)
        return;
    json_t *object = json_object();
    json_t *points = json_array();
    json_t *place = knee->mid > 0 ? json_object() : json_null();
    put_qualifiers(self, object, &knee->with);
    json_object_del(object, "rate");
    put(self, object, "sla_ns", number(knee->sla_ns));
    put(self, object, "percentile", number(99.9));
    for (size_t i = 0; i < knee->point_count; i++)
        push(self, points, point_of(self, &knee->points[i]));
    put(self, object, "points", points);
    if (knee->mid > 0) {
        put(self, place, "low", number(knee->low));
        put(self, place, "mid", number(knee->mid));
        put(self, place, "high", number(knee->high));
    }
    put(self, object, "knee", place);
    if (knee->mid > 0 && knee->rho_rate > 0) {
        json_t *rho = json_object();
        put(self, rho, "rate", number(knee->rho_rate));
        put(self, rho, "rho", number(knee->rho_rate / knee->mid));
        put(self, object, "rho_at", rho);
    }
    if (knee->end)
        put(self, object, "end", text_of(knee->end));
    put(self, self->root, "knee", object);
}

/* Those that the format has, then what else was counted. */
static json_t *counters_of(run_file_t *self, const run_bursts_t *bursts)
{
    static const char *const names[] = {"udp_rcvbuf_errors",   "naks",           "retransmits",
                                        "flow_control_limits", "loss_gap_fills", "qdisc_drops"};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        put(self, object, names[i], json_null());
    for (size_t i = 0; i < bursts->counter_count; i++)
        put(self, object, bursts->counters[i].name, known(bursts->counters[i].value));
    return object;
}

static json_t *texts_of(run_file_t *self, const char *const *texts)
{
    json_t *list = json_array();
    for (; texts && *texts; texts++)
        push(self, list, text_of(*texts));
    return list;
}

void run_file_bursts(run_file_t *self, const run_bursts_t *bursts)
{
    if (!self)
        return;
    json_t *object = json_object();
    json_t *list = json_array();
    put_qualifiers(self, object, &bursts->with);
    for (size_t i = 0; i < bursts->count; i++) {
        json_t *burst = json_object();
        put(self, burst, "n", whole(bursts->warmup + i + 1));
        put(self, burst, "messages", whole(bursts->bursts[i].messages));
        put(self, burst, "missing", whole(bursts->bursts[i].missing));
        put(self, burst, "absorb_ns", number(bursts->bursts[i].absorb_ns));
        put(self, burst, "peak_per_ms", whole(bursts->bursts[i].peak_per_ms));
        push(self, list, burst);
    }
    put(self, object, "bursts", list);
    put(self, object, "verdict", json_string(bursts->passed ? "pass" : "fail"));
    put(self, object, "reasons", texts_of(self, bursts->reasons));
    put(self, object, "not_judged", texts_of(self, bursts->not_judged));
    put(self, object, "counters", counters_of(self, bursts));
    put(self, self->root, "burst", object);
}

/* The list of that name, which the file has once something is in it. */
static json_t *list_named(run_file_t *self, const char *name)
{
    if (!json_object_get(self->root, name))
        put(self, self->root, name, json_array());
    return json_object_get(self->root, name);
}

void run_file_row(run_file_t *self, const run_row_t *row)
{
    if (!self)
        return;
    json_t *object = json_object();
    put(self, object, "burst_size", whole(row->burst_size));
    put(self, object, "senders", whole(row->senders));
    put_qualifiers(self, object, &row->with);
    put(self, object, "so_rcvbuf", whole(row->so_rcvbuf));
    put(self, object, "receiver_window", whole(row->receiver_window));
    put(self, object, "absorb_ns", known(row->absorb_ns));
    put(self, object, "peak_per_ms", known(row->peak_per_ms));
    put(self, object, "p99_ns", known(row->p99_ns));
    put(self, object, "max_ns", known(row->max_ns));
    put(self, object, "verdict", text_of(row->verdict));
    put(self, object, "reasons", text_of(row->reasons));
    put(self, object, "marks", text_of(row->marks));
    push(self, list_named(self, "matrix"), object);
}

void run_file_verdict(run_file_t *self, const char *name, bool passed, const char *reason)
{
    if (!self)
        return;
    json_t *object = json_object();
    put(self, object, "name", text_of(name));
    put(self, object, "verdict", json_string(passed ? "pass" : "fail"));
    put(self, object, "reason", text_of(reason ? reason : ""));
    push(self, list_named(self, "verdicts"), object);
}

void run_file_figure(run_file_t *self, const char *name, double value, const char *unit,
                     const run_qualifiers_t *with, double percentile)
{
    if (!self)
        return;
    json_t *object = json_object();
    put(self, object, "name", text_of(name));
    put(self, object, "value", number(value));
    put(self, object, "unit", text_of(unit));
    if (with)
        put_qualifiers(self, object, with);
    if (percentile > 0)
        put(self, object, "percentile", number(percentile));
    push(self, self->figures, object);
}

oc_err_t run_file_write(run_file_t *self, const char *path)
{
    OC_ASSERT(self != NULL);
    bench_host_time_t end;
    bench_host_time(&end);
    put(self, self->conditions, "steal_pct", number(bench_host_steal_pct(&self->host.begin, &end)));
    char *text = self->failed ? NULL : json_dumps(self->root, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    if (!text)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the run file %s", path);
    const oc_err_t err = atomic_file_write(path, text, strlen(text));
    free(text);
    return err;
}
