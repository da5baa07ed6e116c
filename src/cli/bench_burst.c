/*
 * `outcry bench burst`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_burst.c. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "bench/burst_matrix.h"
#include "cli/burst_terms.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char burst_help[] =
    "usage: outcry bench burst [OPTION]...\n"
    "\n"
    "Sends bursts with pauses between them, and tells how they are absorbed: time from the first\n"
    "to the last message, most messages in any millisecond, latency from the intended time, all\n"
    "that was lost, repeated or held back, and the verdict (docs/bench-burst.md).\n"
    "\n"
    "  --burst-size N       messages of a burst, of each sender (50000; 5000 over loopback, where\n"
    "                       neither channel nor endpoint is given)\n"
    "  --bursts N           that count (5)\n"
    "  --warmup N           bursts before those, in no latency, absorption or peak (1)\n"
    "  --interval-ms N      idle between bursts (1000)\n"
    "  --peak-per-ms N      messages per ms of each sender inside a burst; 0: line rate, all\n"
    "                       intended at the burst's start (0)\n"
    "  --size N             bytes of a message (170)\n"
    "  --matrix             all combinations of lists, a row for each:\n"
    "    --burst-sizes, --sender-counts, --sizes (88,170,1376), --mtus, --so-rcvbufs,\n"
    "    --receiver-windows\n"
    "                       numbers with commas between; without one: the single option's value\n";

enum { SIZE_DEFAULT = 170, LOOPBACK_SIZE = 5000, FIELD_SIZE = 50000 };

#define NOT_GIVEN UINT64_MAX
#define BYTES_MAX (UINT64_C(1) << 30)
#define TEXT_SIZE 1024

typedef struct axis_kind {
    const char *option;
    uint64_t low;
    uint64_t high;
} axis_kind_t;

static const axis_kind_t axis_kinds[BURST_AXES] = {
    [BURST_AXIS_BURST_SIZE] = {"burst-sizes", 1, ARRIVAL_BURST_MAX},
    [BURST_AXIS_SENDERS] = {"sender-counts", 1, BURST_SENDERS_MAX},
    [BURST_AXIS_SIZE] = {"sizes", 1, BYTES_MAX},
    [BURST_AXIS_MTU] = {"mtus", 1, BYTES_MAX},
    [BURST_AXIS_SO_RCVBUF] = {"so-rcvbufs", 1, BYTES_MAX},
    [BURST_AXIS_WINDOW] = {"receiver-windows", 1, BYTES_MAX},
};

typedef struct burst_arguments {
    burst_terms_t terms;
    uint64_t burst_size;
    uint64_t bursts;
    uint64_t warmup;
    uint64_t interval_ms;
    uint64_t peak_per_ms;
    uint64_t size;
    bool matrix;
    const char *lists[BURST_AXES];
    burst_matrix_t rows;
    arrival_t arrivals;
} burst_arguments_t;

/* The schedule of a burst's size and a message's. */
static void set_schedule(burst_arguments_t *self, uint64_t burst_size, uint64_t bytes)
{
    burst_options_t *burst = &self->terms.burst;
    arrival_shape_t shape;
    const arrival_terms_t terms = {.bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes};
    memset(&shape, 0, sizeof shape);
    shape.kind = ARRIVAL_ONOFF;
    shape.burst = burst_size;
    shape.idle_ms = self->interval_ms;
    shape.peak_per_ms = self->peak_per_ms;
    arrival_init(&self->arrivals, &shape, &terms);
    arrival_shape_name(&shape, self->terms.arrivals, sizeof self->terms.arrivals);
    self->terms.rate = (double)self->peak_per_ms * 1000.0;
    burst->arrivals = &self->arrivals;
    burst->paced = self->peak_per_ms != 0;
    burst->size = (uint32_t)burst_size;
    burst->wire.message_bytes = bytes;
}

/* Lists, and single options where there is none. */
static const char *read_matrix(burst_arguments_t *self)
{
    const wire_options_t *wire = &self->terms.burst.wire;
    const uint64_t single[BURST_AXES] = {self->burst_size, self->terms.senders,
                                         self->size,       wire->mtu,
                                         wire->so_rcvbuf,  wire->receiver_window};
    if (!self->matrix) {
        for (int axis = 0; axis < BURST_AXES; axis++)
            if (self->lists[axis])
                return "lists of values go with --matrix";
        return NULL;
    }
    if (self->terms.role != BURST_BOTH || self->terms.hgrm)
        return "--matrix is of both ends in one process, and writes no --hgrm";
    if (self->lists[BURST_AXIS_SIZE] == NULL && self->size == SIZE_DEFAULT)
        self->lists[BURST_AXIS_SIZE] = "88,170,1376";
    for (int axis = 0; axis < BURST_AXES; axis++) {
        const axis_kind_t *kind = &axis_kinds[axis];
        self->rows.axes[axis] = (burst_list_t){1, {single[axis]}};
        if (self->lists[axis] &&
            burst_list_parse(&self->rows.axes[axis], kind->option, self->lists[axis], kind->low,
                             kind->high) != OC_ERR_OK)
            return oc_err_context();
    }
    return NULL;
}

static void init(burst_arguments_t *self)
{
    memset(self, 0, sizeof *self);
    burst_terms_init(&self->terms, "burst");
    self->burst_size = NOT_GIVEN;
    self->bursts = 5;
    self->warmup = 1;
    self->interval_ms = 1000;
    self->size = SIZE_DEFAULT;
}

/* Returns -1 to go on, else the exit status. */
static int read_arguments(burst_arguments_t *self, int argc, char **argv)
{
    enum { OWN = 7 };
    init(self);
    option_t table[OWN + BURST_AXES + BURST_TERMS_OPTIONS] = {
        option_number("burst-size", &self->burst_size, 1, ARRIVAL_BURST_MAX),
        option_number("bursts", &self->bursts, 1, BURST_BURSTS_MAX / 2),
        option_number("warmup", &self->warmup, 0, BURST_BURSTS_MAX / 2),
        option_number("interval-ms", &self->interval_ms, 1, ARRIVAL_IDLE_MS_MAX),
        option_number("peak-per-ms", &self->peak_per_ms, 0, ARRIVAL_PEAK_PER_MS_MAX),
        option_number("size", &self->size, 1, BYTES_MAX),
        option_flag("matrix", &self->matrix, true),
    };
    for (int axis = 0; axis < BURST_AXES; axis++)
        table[OWN + axis] = option_text(axis_kinds[axis].option, &self->lists[axis]);
    burst_terms_table(&self->terms, table + OWN + BURST_AXES);
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(burst_help, stdout);
        fputs(burst_terms_help, stdout);
        return 0;
    }
    if (self->burst_size == NOT_GIVEN)
        self->burst_size = burst_terms_is_loopback(&self->terms) ? LOOPBACK_SIZE : FIELD_SIZE;
    self->terms.burst.warmup = (uint32_t)self->warmup;
    self->terms.burst.bursts = (uint32_t)(self->bursts + self->warmup);
    const char *problem = read_matrix(self);
    if (problem)
        return subcommand_usage("bench", problem);
    set_schedule(self, self->burst_size, self->matrix ? WIRE_MESSAGE_MIN : self->size);
    const int status = burst_terms_settle(&self->terms);
    if (status < 0)
        burst_terms_keep(&self->terms, &parser);
    return status;
}

static bool begin(burst_arguments_t *self)
{
    if (!burst_terms_begin(&self->terms))
        return false;
    if (self->terms.role == BURST_RECEIVER)
        return true; /* the sender tells it the rest */
    printf("interval_ms: %" PRIu64 "\n", self->interval_ms);
    if (self->peak_per_ms)
        printf("pace: %" PRIu64 " per ms\n", self->peak_per_ms);
    else
        printf("pace: line rate\n");
    if (self->terms.role == BURST_BOTH && burst_terms_is_loopback(&self->terms))
        printf("note: over loopback no card and no switch drops anything, and all share the "
               "processors; a burst has %d messages by default, the field's has %d "
               "(--burst-size)\n",
               LOOPBACK_SIZE, FIELD_SIZE);
    return subcommand_flush();
}

/* ---- The matrix ------------------------------------------------------------------------------ */

/* What cannot work is a row that says so; anything else that fails is told and remembered. */
static void tell_failure(const burst_arguments_t *self, const uint64_t values[BURST_AXES],
                         oc_err_t err, bool *failed)
{
    const bool impossible =
        err == OC_ERR_INVALID_ARGUMENT || err == OC_ERR_TOO_LONG || err == OC_ERR_NO_SPACE;
    const char *verdict = impossible ? "impossible" : "failed";
    const burst_record_t record = {self->terms.arrivals, self->terms.rate};
    printf("- | - | - | - | %s | - | %s |\n", verdict, oc_err_context());
    burst_record_no_row(&record, self->terms.run, values, verdict, oc_err_context());
    if (!impossible) {
        (void)subcommand_failed();
        *failed = true;
    }
}

static void print_row(const burst_result_t *result)
{
    char reasons[TEXT_SIZE];
    char marks[BURST_MARKS_TEXT];
    burst_marks_text(result, marks, sizeof marks);
    burst_verdict_reasons(&result->verdict, reasons, sizeof reasons);
    printf("%.1f | %" PRIu64 " | %.1f | %.1f | %s | %s | %s |\n",
           (double)burst_result_absorb_ns_max(result) / 1e3, burst_result_peak_max(result),
           (double)histogram_percentile(result->latency, 99.0) / 1e3,
           (double)histogram_max(result->latency) / 1e3, result->verdict.pass ? "pass" : "fail",
           *marks ? marks : "-", reasons);
}

/* "-": as the transport has it by itself. */
static void print_value(uint64_t value)
{
    if (value)
        printf("%" PRIu64 " | ", value);
    else
        printf("- | ");
}

/* Returns whether to go on. */
static bool run_row(burst_arguments_t *self, const uint64_t values[BURST_AXES], bool *failed,
                    bool *passed)
{
    burst_options_t *burst = &self->terms.burst;
    burst_result_t result;
    set_schedule(self, values[BURST_AXIS_BURST_SIZE], values[BURST_AXIS_SIZE]);
    burst->senders = (unsigned)values[BURST_AXIS_SENDERS];
    burst->wire.mtu = values[BURST_AXIS_MTU];
    burst->wire.so_rcvbuf = values[BURST_AXIS_SO_RCVBUF];
    burst->wire.receiver_window = values[BURST_AXIS_WINDOW];
    const oc_err_t err = bench_burst(burst, &result);
    if (err == OC_ERR_INTERRUPTED) {
        *failed = true;
        (void)subcommand_failed();
        return false;
    }
    printf("| ");
    for (int axis = 0; axis < BURST_AXES; axis++)
        print_value(values[axis]);
    if (err == OC_ERR_OK) {
        const burst_record_t record = {self->terms.arrivals, self->terms.rate};
        print_row(&result);
        burst_record_row(&record, self->terms.run, values, &result);
        *passed = *passed && result.verdict.pass;
        burst_result_fini(&result);
    } else {
        tell_failure(self, values, err, failed);
    }
    return subcommand_flush();
}

static int run_matrix(burst_arguments_t *self)
{
    const size_t rows = burst_matrix_rows(&self->rows);
    uint64_t values[BURST_AXES];
    bool failed = false;
    bool passed = true;
    bool more = true;
    printf(
        "rows: %zu\nbursts: %" PRIu64 "\nwarmup_bursts: %" PRIu64 "\np99_limit_us: %" PRIu64
        "\n\n| burst | senders | size | mtu | so_rcvbuf | window | absorb max us | peak per ms | "
        "p99 us | max us | verdict | marked | reasons "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|"
        "\n",
        rows, self->bursts, self->warmup, self->terms.p99_us);
    more = subcommand_flush();
    for (size_t row = 0; row < rows && more; row++) {
        burst_matrix_row(&self->rows, row, values);
        more = run_row(self, values, &failed, &passed);
    }
    const int status =
        burst_terms_end(&self->terms, more, failed || !more ? EXIT_STATUS_FAILED : 0);
    return self->terms.strict && !passed ? EXIT_STATUS_FAILED : status;
}

int bench_burst_main(int argc, char **argv)
{
    burst_arguments_t self;
    const int status = read_arguments(&self, argc, argv);
    if (status >= 0)
        return status;
    if (!begin(&self))
        return burst_terms_end(&self.terms, false, EXIT_STATUS_FAILED);
    return self.matrix ? run_matrix(&self) : burst_terms_run(&self.terms);
}
