/*
 * `outcry bench burst`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_burst.c. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "base/error.h"
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

enum { LOOPBACK_SIZE = 5000, FIELD_SIZE = 50000 };

#define NOT_GIVEN BURST_TERMS_NOT_GIVEN
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
    bool wire_kept; /* of a matrix: by the first row that was measured */
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

static uint64_t burst_size_of(const burst_arguments_t *self)
{
    return burst_terms_is_loopback(&self->terms) ? LOOPBACK_SIZE : FIELD_SIZE;
}

/* What a receiver hears from the senders, and is of no use to it; NULL: there is none. */
static const char *misplaced(const burst_arguments_t *self)
{
    const struct {
        const char *problem;
        bool given;
    } options[] = {
        {"--burst-size: a receiver hears it from the senders", self->burst_size != NOT_GIVEN},
        {"--bursts: a receiver hears it from the senders", self->bursts != NOT_GIVEN},
        {"--warmup: a receiver hears it from the senders", self->warmup != NOT_GIVEN},
        {"--interval-ms: the schedule is the senders'", self->interval_ms != NOT_GIVEN},
        {"--peak-per-ms: the schedule is the senders'", self->peak_per_ms != NOT_GIVEN},
        {"--size: a receiver takes messages of any size", self->size != NOT_GIVEN},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (self->terms.role == BURST_RECEIVER && options[i].given)
            return options[i].problem;
    return NULL;
}

/* Lists, and single options where there is none; not both. */
static const char *read_lists(burst_arguments_t *self)
{
    const wire_options_t *wire = &self->terms.burst.wire;
    const struct {
        const char *option;
        uint64_t given; /* NOT_GIVEN or 0: not */
        uint64_t usual;
    } singles[BURST_AXES] = {
        [BURST_AXIS_BURST_SIZE] = {"burst-size", self->burst_size, burst_size_of(self)},
        [BURST_AXIS_SENDERS] = {"senders", self->terms.senders, 1},
        [BURST_AXIS_SIZE] = {"size", self->size, 0},
        [BURST_AXIS_MTU] = {"mtu", wire->mtu, 0},
        [BURST_AXIS_SO_RCVBUF] = {"so-rcvbuf", wire->so_rcvbuf, 0},
        [BURST_AXIS_WINDOW] = {"receiver-window", wire->receiver_window, 0},
    };
    for (int axis = 0; axis < BURST_AXES; axis++) {
        const axis_kind_t *kind = &axis_kinds[axis];
        burst_list_t *list = &self->rows.axes[axis];
        const bool given = singles[axis].given != NOT_GIVEN && singles[axis].given != 0;
        if (given && self->lists[axis]) {
            (void)error_set(OC_ERR_INVALID_ARGUMENT, "--%s and --%s exclude each other",
                            singles[axis].option, kind->option);
            return oc_err_context();
        }
        if (axis == BURST_AXIS_SIZE && !given && !self->lists[axis])
            self->lists[axis] = "88,170,1376";
        *list = (burst_list_t){1, {given ? singles[axis].given : singles[axis].usual}};
        if (self->lists[axis] && burst_list_parse(list, kind->option, self->lists[axis], kind->low,
                                                  kind->high) != OC_ERR_OK)
            return oc_err_context();
    }
    return NULL;
}

/* As the options are, none of them has its default yet. */
static const char *read_matrix(burst_arguments_t *self)
{
    for (int axis = 0; axis < BURST_AXES && !self->matrix; axis++)
        if (self->lists[axis])
            return "lists of values go with --matrix";
    if (!self->matrix)
        return NULL;
    if (self->terms.role != BURST_BOTH || self->terms.hgrm)
        return "--matrix is of both ends in one process, and writes no --hgrm";
    return read_lists(self);
}

static void set_default(uint64_t *value, uint64_t usual)
{
    if (*value == NOT_GIVEN)
        *value = usual;
}

static const char *check(burst_arguments_t *self)
{
    const char *problem = misplaced(self);
    if (!problem)
        problem = read_matrix(self);
    if (!problem)
        problem = burst_terms_check(&self->terms);
    if (problem)
        return problem;
    const burst_list_t *counts = &self->rows.axes[BURST_AXIS_SENDERS];
    for (size_t i = 0; i < counts->count; i++)
        if (counts->values[i] > self->terms.most_senders)
            self->terms.most_senders = counts->values[i];
    if (!self->lists[BURST_AXIS_BURST_SIZE])
        set_default(&self->burst_size, burst_size_of(self));
    set_default(&self->bursts, 5);
    set_default(&self->warmup, 1);
    set_default(&self->interval_ms, 1000);
    set_default(&self->peak_per_ms, 0);
    if (!self->matrix)
        set_default(&self->size, 170);
    return NULL;
}

static void init(burst_arguments_t *self)
{
    memset(self, 0, sizeof *self);
    burst_terms_init(&self->terms, "burst");
    self->burst_size = self->bursts = self->warmup = self->interval_ms = NOT_GIVEN;
    self->peak_per_ms = self->size = NOT_GIVEN;
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
    const char *problem = check(self);
    if (problem)
        return subcommand_usage("bench", problem);
    self->terms.burst.warmup = (uint32_t)self->warmup;
    self->terms.burst.bursts = (uint32_t)(self->bursts + self->warmup);
    if (self->matrix) /* each row has its own */
        set_schedule(self, self->rows.axes[BURST_AXIS_BURST_SIZE].values[0], WIRE_MESSAGE_MIN);
    else
        set_schedule(self, self->burst_size, self->size);
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

/* What is the same in all rows, for the run file. A window that is not given is the socket's. */
static void keep_wire(burst_arguments_t *self, const wire_facts_t *facts)
{
    const burst_list_t *axes = self->rows.axes;
    const bool windows =
        axes[BURST_AXIS_WINDOW].count > 1 ||
        (axes[BURST_AXIS_SO_RCVBUF].count > 1 && axes[BURST_AXIS_WINDOW].values[0] == 0);
    const struct {
        const char *name;
        bool varies;
    } varying[] = {
        {"message_bytes", axes[BURST_AXIS_SIZE].count > 1},
        {"mtu", axes[BURST_AXIS_MTU].count > 1},
        {"so_rcvbuf", axes[BURST_AXIS_SO_RCVBUF].count > 1},
        {"receiver_window", windows},
        {"window_in_effect", windows},
    };
    wire_facts_t same = {.count = 0};
    for (size_t i = 0; i < facts->count; i++) {
        bool varies = false;
        for (size_t j = 0; j < sizeof varying / sizeof varying[0]; j++)
            varies =
                varies || (varying[j].varies && strcmp(facts->items[i].name, varying[j].name) == 0);
        if (!varies)
            same.items[same.count++] = facts->items[i];
    }
    bench_run_wire(self->terms.run, &same);
    self->wire_kept = true;
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
        if (!self->wire_kept)
            keep_wire(self, &result.wire);
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
