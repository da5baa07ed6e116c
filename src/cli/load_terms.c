/*
 * The options of a load. Called by `outcry load` and `outcry bench order`.
 *
 * Invariant: after load_terms_check() the shape is complete but for what is in a trace's file, and
 * `seconds` is given unless a trace says how long it is. It must not open anything.
 */
#include "cli/load_terms.h"

#include "base/error.h"
#include "bench/arrival_plan.h"
#include "bench/bench_host.h"
#include "bench/load_venue.h"
#include "bench/workload.h"

#include <string.h>

const char load_terms_help[] =
    "  --rate N             orders per second of all clients together\n"
    "  --seconds N          how long to send (10; with a trace, as long as it is)\n"
    "  --warmup N           of these, the first ones that do not count\n"
    "  --burst N            orders intended at the same moment (1)\n" ARRIVAL_HELP
    "  --commands N         end after so many\n"
    "  --workload W         W1: generated; each client has an instrument of its own (W1)\n"
    "  --resting N          orders that build the book of W1 first (10000)\n"
    "  --shared             all clients trade the same instrument, against each other; some\n"
    "                       cancels then come too late and are rejected\n"
    "  --file FILE          the order flow of a file instead, with one client\n"
    "  --format F           tape, lobster, dbn, itch, own, or auto: by content (auto)\n"
    "  --clients N          connections, each with a source of its own (1)\n"
    "  --source ID          of the first client; the others follow (101)\n"
    "  --instrument ID      of the first client with W1; the others follow (1)\n"
    "  --principal P        of the clients (load)\n"
    "  --admin P            who adds instruments and sources first (admin)\n"
    "  --admin-source ID    of the administrator (1)\n"
    "  --secret-file FILE   `principal = secret` lines, if the venue challenges\n"
    "  --no-setup           no administrator: everything is there already\n"
    "  --aeron-dir DIR      a media driver that runs, for the clients (they bring one)\n"
    "  --hgrm FILE          write the percentiles of latency, in microseconds\n"
    "  --hlog FILE          write the histogram log of latency, second by second, in nanoseconds\n"
    "  --run FILE           write conditions and figures for outcry report\n"
    "  --grace N            seconds without an answer after which the rest is lost (10)\n"
    "  --cpu N              run on processor N only\n"
    "  --idle HOW           yield: a processor is busy all the time; sleep: leave it to others "
    "for\n"
    "                       0.1 ms when there is nothing to do (yield)\n";

enum {
    SECONDS_DEFAULT = 10,
    WINDOW_MS_MAX = 86400000,
    BURST_GAP_US_MAX = 60000000,
};

#define NOT_GIVEN LOAD_TERMS_NOT_GIVEN

static const char *const format_names[] = {"auto", "tape", "lobster", "dbn", "itch", "own", NULL};
static const char *const workload_names[] = {"W1", NULL};
static const char *const idle_names[] = {"yield", "sleep", NULL};
static const char *const weight_names[] = {"messages", "bytes", NULL};

void load_terms_init(load_terms_t *self)
{
    *self = (load_terms_t){
        .principal = "load",
        .admin = "admin",
        .rate = NOT_GIVEN,
        .seconds = NOT_GIVEN,
        .burst = NOT_GIVEN,
        .seed = 1,
        .window_ms = NOT_GIVEN,
        .burst_gap_us = NOT_GIVEN,
        .window_by = -1,
        .window = 1024,
        .resting = WORKLOAD_RESTING_SHORT,
        .clients = 1,
        .source = 101,
        .instrument = 1,
        .admin_source = 1,
        .grace = 10,
        .unsent_max = NOT_GIVEN,
        .cpu = NOT_GIVEN,
    };
}

void load_terms_table(load_terms_t *self, option_t *table)
{
    const option_t options[LOAD_TERMS_OPTIONS] = {
        option_text("ingress", &self->ingress),
        option_text("aeron-dir", &self->aeron_dir),
        option_text("file", &self->file),
        option_text("principal", &self->principal),
        option_text("admin", &self->admin),
        option_text("secret-file", &self->secret_file),
        option_output("hgrm", &self->hgrm),
        option_output("hlog", &self->hlog),
        option_output("run", &self->run),
        option_text("arrivals", &self->arrivals),
        option_choice("workload", &self->workload, workload_names),
        option_choice("format", &self->format, format_names),
        option_number("rate", &self->rate, 0, 100000000),
        option_number("seconds", &self->seconds, 1, 1000000),
        option_number("warmup", &self->warmup, 0, 1000000),
        option_number("burst", &self->burst, 1, ARRIVAL_BURST_MAX),
        option_number("seed", &self->seed, 0, UINT64_MAX),
        option_number("window-ms", &self->window_ms, 1, WINDOW_MS_MAX),
        option_number("burst-gap-us", &self->burst_gap_us, 0, BURST_GAP_US_MAX),
        option_choice("window-by", &self->window_by, weight_names),
        option_number("commands", &self->commands, 1, UINT64_MAX - 1),
        option_number("resting", &self->resting, 1, 1 << 27),
        option_number("clients", &self->clients, 1, LOAD_CLIENTS_MAX),
        option_number("source", &self->source, 1, 1 << 24),
        option_number("instrument", &self->instrument, 1, 1 << 30),
        option_number("admin-source", &self->admin_source, 1, 1 << 24),
        option_number("grace", &self->grace, 1, 3600),
        option_number("cpu", &self->cpu, 0, 1023),
        option_choice("idle", &self->idle, idle_names),
        option_flag("no-setup", &self->no_setup, true),
        option_flag("shared", &self->shared, true),
    };
    memcpy(table, options, sizeof options);
}

/* Which shape the options mean; NULL if all is well. */
static const char *check_arrivals(load_terms_t *self)
{
    arrival_shape_t *shape = &self->shape;
    self->open = self->arrivals || self->rate != 0;
    shape->kind = ARRIVAL_STEADY;
    shape->burst = self->burst == NOT_GIVEN ? 1 : self->burst;
    if (self->arrivals) {
        if (arrival_shape_parse(shape, self->arrivals) != OC_ERR_OK)
            return oc_err_context();
        if (self->burst != NOT_GIVEN)
            return "--burst is that of steady arrivals: write --arrivals steady:BURST";
        if (!arrival_shape_takes_rate(shape) && self->rate != NOT_GIVEN)
            return "these arrivals say their rate themselves: leave --rate out";
        if (arrival_shape_takes_rate(shape) && self->rate == 0)
            return "--rate 0 is a closed loop, which has no arrivals";
    }
    if (arrival_shape_takes_rate(shape) && self->rate == NOT_GIVEN)
        return "--rate is missing: how many orders a second are sent";
    if (shape->kind == ARRIVAL_TRACE)
        return NULL;
    if (self->window_ms != NOT_GIVEN || self->window_by != -1 || self->burst_gap_us != NOT_GIVEN)
        return "--window-ms, --window-by and --burst-gap-us go with --arrivals trace:FILE";
    if (self->seconds == NOT_GIVEN)
        self->seconds = SECONDS_DEFAULT;
    return NULL;
}

const char *load_terms_check(load_terms_t *self)
{
    const char *problem = check_arrivals(self);
    if (problem)
        return problem;
    if (self->warmup >= self->seconds)
        return "--warmup is a part of --seconds, and must be shorter";
    if (self->file && self->clients > 1)
        return "--file goes with one client: orders of several sources would not meet as in it";
    if (strlen(self->principal) >= OC_PRINCIPAL_SIZE || strlen(self->admin) >= OC_PRINCIPAL_SIZE)
        return "a principal has at most 31 characters";
    if (self->cpu != NOT_GIVEN && bench_host_pin_check((int)self->cpu) != OC_ERR_OK)
        return oc_err_context();
    return NULL;
}

const char *load_terms_flow(const load_terms_t *self)
{
    return self->file ? self->file : workload_names[self->workload];
}
