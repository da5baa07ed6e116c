/*
 * `outcry bench trace FILE`: the times and sizes of a trace, sent as bursts are. It reads options
 * and the file, and prints; what is measured, and how, is in src/bench/bench_burst.c. Called by
 * `outcry bench`.
 */
#define _GNU_SOURCE
#include "base/error.h"
#include "bench/arrival_plan.h"
#include "cli/burst_terms.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char trace_help[] =
    "usage: outcry bench trace FILE [OPTION]...\n"
    "\n"
    "Sends the messages of a trace (CSV, pcap or pcapng, docs/load.md) at its times and with its\n"
    "sizes, once, and accounts for them as outcry bench burst does, with all of it as one burst.\n"
    "The other end of --role sender is outcry bench burst --role receiver.\n"
    "\n"
    "  --factor F           gaps between bursts are divided by F, 0.001 to 1000000 (1)\n"
    "  --burst-gap-us N     gaps up to here are inside of bursts, and are kept (100)\n"
    "  --window-ms N        the worst N ms of it only\n"
    "  --window-by W        what is worst: messages, bytes (messages)\n";

static const char *const weight_names[] = {"messages", "bytes", NULL};

enum { WINDOW_MS_MAX = 86400000, BURST_GAP_US_MAX = 60000000 };

typedef struct trace_arguments {
    burst_terms_t terms;
    const char *path;
    const char *factor;
    uint64_t burst_gap_us;
    uint64_t window_ms;
    int window_by;
    arrival_shape_t shape;
} trace_arguments_t;

static const char *read_shape(trace_arguments_t *self)
{
    char text[ARRIVAL_NAME_SIZE + 32];
    const int length = snprintf(text, sizeof text, "trace:%s:%s", self->path, self->factor);
    if (length < 0 || (size_t)length >= sizeof text)
        return "the name of the trace is too long";
    if (arrival_shape_parse(&self->shape, text) != OC_ERR_OK)
        return oc_err_context();
    /* What is no factor would be taken for a part of the name. */
    if (strcmp(self->shape.path, self->path) != 0)
        return "--factor: a number from 0.001 to 1000000 with at most three decimals expected";
    return NULL;
}

/* Returns -1 to go on, else the exit status. */
static int read_arguments(trace_arguments_t *self, int argc, char **argv)
{
    enum { OWN = 4 };
    memset(self, 0, sizeof *self);
    burst_terms_init(&self->terms, "trace");
    self->factor = "1";
    self->burst_gap_us = 100;
    self->window_by = -1; /* not given */
    option_t table[OWN + BURST_TERMS_OPTIONS] = {
        option_text("factor", &self->factor),
        option_number("burst-gap-us", &self->burst_gap_us, 0, BURST_GAP_US_MAX),
        option_number("window-ms", &self->window_ms, 1, WINDOW_MS_MAX),
        option_choice("window-by", &self->window_by, weight_names),
    };
    burst_terms_table(&self->terms, table + OWN);
    options_t parser = {.table = table,
                        .count = sizeof table / sizeof table[0],
                        .operand_low = 1,
                        .operand_high = 1,
                        .operand_name = "FILE",
                        .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(trace_help, stdout);
        fputs(burst_terms_help, stdout);
        return 0;
    }
    self->path = parser.operands[0];
    if (self->terms.role == BURST_RECEIVER)
        return subcommand_usage("bench", "trace: the receiver is outcry bench burst --role "
                                         "receiver, which needs no file");
    if (self->window_by != -1 && self->window_ms == 0)
        return subcommand_usage("bench", "--window-by goes with --window-ms");
    const char *problem = read_shape(self);
    if (!problem)
        problem = burst_terms_check(&self->terms);
    if (problem)
        return subcommand_usage("bench", problem);
    burst_terms_keep(&self->terms, &parser);
    return -1;
}

static uint32_t largest(const trace_t *trace)
{
    uint32_t most = WIRE_MESSAGE_MIN;
    for (size_t i = 0; i < trace->count; i++)
        if (trace->messages[i].size > most)
            most = trace->messages[i].size;
    return most;
}

static oc_err_t make_plan(trace_arguments_t *self, arrival_plan_t *plan)
{
    burst_options_t *burst = &self->terms.burst;
    const arrival_plan_options_t options = {
        .burst_gap_ns = self->burst_gap_us * 1000,
        .window_ns = self->window_ms * 1000000,
        .by_bytes = self->window_by == 1,
    };
    const oc_err_t err = arrival_plan_init(plan, &self->shape, &options);
    if (err != OC_ERR_OK)
        return err;
    if (plan->play.trace.count > BURST_SIZE_MAX) {
        const oc_err_t too_long =
            error_set(OC_ERR_TOO_LONG,
                      "%s: %zu messages, at most %" PRIu32 " are sent; cut it with --window-ms",
                      self->path, plan->play.trace.count, BURST_SIZE_MAX);
        arrival_plan_fini(plan);
        return too_long;
    }
    arrival_shape_name(&self->shape, self->terms.arrivals, sizeof self->terms.arrivals);
    self->terms.rate = arrival_rate_per_s(&plan->arrivals);
    burst->arrivals = &plan->arrivals;
    burst->paced = true;
    burst->bursts = 1;
    burst->size = (uint32_t)plan->play.trace.count;
    burst->wire.message_bytes = largest(&plan->play.trace);
    return OC_ERR_OK;
}

static bool begin(trace_arguments_t *self, const arrival_plan_t *plan)
{
    if (!burst_terms_begin(&self->terms))
        return false;
    arrival_plan_print(plan, stdout);
    return subcommand_flush();
}

int bench_trace_main(int argc, char **argv)
{
    trace_arguments_t self;
    arrival_plan_t plan;
    int status = read_arguments(&self, argc, argv);
    if (status >= 0)
        return status;
    if (make_plan(&self, &plan) != OC_ERR_OK)
        return burst_terms_end(&self.terms, false, subcommand_failed());
    status = burst_terms_settle(&self.terms);
    if (status < 0 && begin(&self, &plan))
        status = burst_terms_run(&self.terms);
    else
        status = burst_terms_end(&self.terms, false, status < 0 ? EXIT_STATUS_FAILED : status);
    arrival_plan_fini(&plan);
    return status;
}
