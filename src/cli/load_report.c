/*
 * The report of a load. Called by `outcry load` and `outcry bench order`.
 *
 * Invariant: what was intended in the warm-up is in counts of its own and in no figure. A figure of
 * a run file has its rate, message size, MTU and shape.
 */
#define _GNU_SOURCE
#include "cli/load_report.h"

#include "aeron/embedded.h"
#include "base/error.h"
#include "bench/hdr_file.h"
#include "codec/cluster_codec.h"
#include "codec/order_entry_codec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECOND_NS UINT64_C(1000000000)

/* ---- Marks ---------------------------------------------------------------------------------- */

static const char *const mark_names[LOAD_MARKS] = {
    "late", "unsent", "lost", "doubled", "missed_outputs", "out_of_order", "sender_rate",
};

void load_marks_add(load_marks_t *self, const load_terms_t *terms, const load_result_t *result)
{
    const load_counts_t *counts = &result->counts;
    const uint64_t of_run[LOAD_MARKS] = {
        counts->late - counts->warm_late,
        result->unsent,
        result->lost,
        counts->doubled,
        counts->missed,
        counts->out_of_order,
        terms->open && !load_result_kept(result),
    };
    for (size_t i = 0; i < LOAD_MARKS; i++)
        self->counts[i] += of_run[i];
}

void load_marks_print(const load_marks_t *self)
{
    bool marked = false;
    for (size_t i = 0; i < LOAD_MARKS; i++) {
        if (self->counts[i] == 0)
            continue;
        printf("%s %s=%" PRIu64, marked ? "" : "marked:", mark_names[i], self->counts[i]);
        marked = true;
    }
    if (marked)
        printf("\n");
}

void load_marks_put(const load_marks_t *self, run_file_t *run)
{
    for (size_t i = 0; i < LOAD_MARKS; i++)
        run_file_mark(run, mark_names[i], self->counts[i]);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static void print_warmup(const load_counts_t *counts, uint64_t warmup_ns)
{
    printf("warmup_s: %" PRIu64 "\n", warmup_ns / SECOND_NS);
    printf("warmup_sent: %" PRIu64 "\n", counts->warm_sent);
    printf("warmup_answered: %" PRIu64 "\n", counts->warm_answered);
    printf("warmup_late: %" PRIu64 "\n", counts->warm_late);
}

static double measured_per_s(const load_result_t *result, uint64_t warmup_ns)
{
    if (result->answered_ns <= warmup_ns)
        return 0;
    return (double)(result->counts.answered - result->counts.warm_answered) * 1e9 /
           (double)(result->answered_ns - warmup_ns);
}

static void print_counts(const load_result_t *result, const load_venue_counts_t *links,
                         uint64_t warmup_ns)
{
    const load_counts_t *counts = &result->counts;
    print_warmup(counts, warmup_ns);
    printf("sent: %" PRIu64 "\n", counts->sent);
    printf("answered: %" PRIu64 "\n", counts->answered);
    printf("rejected: %" PRIu64 "\n", counts->rejected);
    printf("lost: %" PRIu64 "\n", result->lost);
    printf("doubled: %" PRIu64 "\n", counts->doubled);
    printf("unsent: %" PRIu64 "\n", result->unsent);
    printf("late: %" PRIu64 "\n", counts->late - counts->warm_late);
    printf("out_of_order: %" PRIu64 "\n", counts->out_of_order);
    printf("fills: %" PRIu64 "\n", counts->fills);
    printf("missed_outputs: %" PRIu64 "\n", counts->missed);
    printf("sequence_rejects: %" PRIu64 "\n", counts->sequences);
    printf("message_rejects: %" PRIu64 "\n", counts->messages);
    printf("reconnects: %" PRIu64 "\n", links->reconnects);
    printf("resent: %" PRIu64 "\n", links->resent);
    printf("repeats: %" PRIu64 "\n", links->repeats);
    printf("sending_s: %.3f\n", (double)result->sending_ns / 1e9);
    printf("cpu_s: %.3f\n", (double)result->cpu_ns / 1e9);
    printf("orders_per_s: %.0f\n", measured_per_s(result, warmup_ns));
}

void load_report_quotes(const char *name, const double quotes[LOAD_QUOTES])
{
    static const char *const points[LOAD_QUOTES] = {"p50", "p90", "p99", "p999", "max"};
    for (size_t i = 0; i < LOAD_QUOTES; i++)
        printf("%s_%s_us: %.1f\n", name, points[i], quotes[i]);
}

static void quote(const histogram_t *latency, double quotes[LOAD_QUOTES])
{
    static const double percents[LOAD_QUOTES - 1] = {50.0, 90.0, 99.0, 99.9};
    for (size_t i = 0; i < LOAD_QUOTES - 1; i++)
        quotes[i] = (double)histogram_percentile(latency, percents[i]) / 1e3;
    quotes[LOAD_QUOTES - 1] = (double)histogram_max(latency) / 1e3;
}

void load_report_mode(const load_setup_t *setup)
{
    const load_terms_t *terms = setup->terms;
    if (terms->open) {
        printf("mode: open-loop\n");
        arrival_plan_print(&setup->plan, stdout);
    } else {
        printf("mode: closed-loop window %" PRIu64 "\n", terms->window);
    }
    printf("flow: %s\n", load_terms_flow(terms));
    printf("clients: %" PRIu64 "\n", terms->clients);
    if (terms->file)
        printf("left_out: %zu\n", setup->left_out);
}

static void print_run(const load_report_t *self, const double quotes[LOAD_QUOTES])
{
    const load_setup_t *setup = self->setup;
    const load_result_t *result = &self->outcome->result;
    load_marks_t marks = {{0}};
    double service[LOAD_QUOTES];
    print_counts(result, &self->outcome->links, setup->recorder.warmup_ns);
    if (setup->terms->open) {
        printf("behind_ms: %.3f\n", (double)result->behind_ns / 1e6);
        printf("kept_rate: %s\n", load_result_kept(result) ? "yes" : "no");
    }
    load_report_quotes("rtt", quotes);
    quote(setup->recorder.service, service);
    load_report_quotes("service", service);
    load_marks_add(&marks, setup->terms, result);
    load_marks_print(&marks);
}

/* ---- Files ---------------------------------------------------------------------------------- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void load_report_name(const load_report_t *self, const char *path, char name[LOAD_REPORT_PATH])
{
    const char *base = base_of(path);
    const char *dot = strrchr(base, '.');
    const size_t stem = dot && dot != base ? (size_t)(dot - path) : strlen(path);
    if (self->repeats == 1)
        (void)snprintf(name, LOAD_REPORT_PATH, "%s", path);
    else
        (void)snprintf(name, LOAD_REPORT_PATH, "%.*s.%" PRIu32 "%s", (int)stem, path,
                       self->repeat + 1, path + stem);
}

static oc_err_t write_files(const load_report_t *self, const histogram_t *latency)
{
    char name[LOAD_REPORT_PATH];
    const load_setup_t *setup = self->setup;
    const load_recorder_t *recorder = &setup->recorder;
    oc_err_t err = OC_ERR_OK;
    if (setup->terms->hgrm) {
        load_report_name(self, setup->terms->hgrm, name);
        err = hgrm_write(name, latency, 1e3);
    }
    if (err == OC_ERR_OK && setup->terms->hlog) {
        load_report_name(self, setup->terms->hlog, name);
        err = hlog_write(name, setup->start_s, recorder->line.intervals, recorder->line.count,
                         (double)recorder->line.interval_ns / 1e9);
    }
    return err;
}

/* A message with one new order, as it goes to the venue. */
static uint32_t message_bytes(const load_setup_t *setup)
{
    char bytes[ORDER_ENTRY_BYTES_MAX];
    oc_request_t request;
    memset(&request, 0, sizeof request);
    request.type = OC_REQUEST_COMMAND;
    load_flow_command(&setup->flow, 0, &request.u.command);
    request.u.command.sequence = 1;
    const size_t size = order_entry_encode(&request, bytes, sizeof bytes);
    return CLUSTER_SESSION_HEADER_BYTES + (uint32_t)size;
}

/* Of the clients' own driver; 0: another's is not known. */
static uint32_t mtu(const load_terms_t *terms)
{
    if (terms->aeron_dir)
        return 0;
    embedded_config_t driver;
    embedded_config_init(&driver);
    return driver.mtu_bytes;
}

/* The name of a file of this repeat; NULL for no file. */
static const char *name_of(const load_report_t *self, const char *path, char name[LOAD_REPORT_PATH])
{
    if (!path)
        return NULL;
    load_report_name(self, path, name);
    return name;
}

static void put_series(const load_report_t *self, const histogram_t *latency)
{
    const load_setup_t *setup = self->setup;
    const load_terms_t *terms = setup->terms;
    char shape[ARRIVAL_NAME_SIZE] = "";
    char hgrm[LOAD_REPORT_PATH];
    char hlog[LOAD_REPORT_PATH];
    run_second_t seconds[TIME_LINE_MAX];
    if (terms->open)
        arrival_shape_name(&terms->shape, shape, sizeof shape);
    const run_series_t series = {
        .label = "order to answer",
        .with = {.rate = terms->open ? arrival_rate_per_s(&setup->plan.arrivals) : 0,
                 .message_bytes = message_bytes(setup),
                 .mtu = mtu(terms),
                 .arrivals = shape},
        .warmup_s = (double)setup->recorder.warmup_ns / 1e9,
        .latency = latency,
        .service = setup->recorder.service,
        .seconds = seconds,
        .second_count =
            run_file_seconds(setup->recorder.line.intervals, setup->recorder.line.count,
                             setup->recorder.line.interval_ns, setup->recorder.warmup_ns, seconds),
        .hgrm = name_of(self, terms->hgrm, hgrm),
        .hlog = name_of(self, terms->hlog, hlog),
    };
    run_file_series(self->run, &series);
    run_file_figure(self->run, "orders answered",
                    measured_per_s(&self->outcome->result, setup->recorder.warmup_ns), "1/s",
                    &series.with, 0);
}

oc_err_t load_report(const load_report_t *self, double quotes[LOAD_QUOTES])
{
    histogram_t *latency = histogram_create();
    if (!latency)
        return error_set(OC_ERR_NO_MEMORY, "load: no memory for a histogram");
    time_line_sum(&self->setup->recorder.line, latency);
    quote(latency, quotes);
    print_run(self, quotes);
    if (self->run)
        put_series(self, latency);
    const oc_err_t err = write_files(self, latency);
    histogram_destroy(latency);
    return err;
}
