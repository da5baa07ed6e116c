/*
 * Schedules from options. Called once for a run, before anything is timed.
 *
 * Invariants: the schedule borrows the plan's trace, so the plan stays where it is while it is
 * used. Whatever of a file is not played is told in the report.
 */
#include "bench/arrival_plan.h"

#include <inttypes.h>
#include <string.h>

oc_err_t arrival_plan_init(arrival_plan_t *self, const arrival_shape_t *shape,
                           const arrival_plan_options_t *options)
{
    memset(self, 0, sizeof *self);
    self->shape = *shape;
    self->burst_gap_ns = options->burst_gap_ns;
    if (shape->kind == ARRIVAL_TRACE) {
        const oc_err_t err = trace_file_read(&self->play.trace, shape->path, &self->file);
        if (err != OC_ERR_OK)
            return err;
        if (options->window_ns)
            trace_play_keep_worst(&self->play, options->window_ns, options->by_bytes);
        trace_play_compress(&self->play, options->burst_gap_ns, shape->factor_thousandths);
    }
    const arrival_terms_t terms = {.rate_per_s = options->rate_per_s,
                                   .seed = options->seed,
                                   .bytes = options->bytes,
                                   .trace = &self->play};
    arrival_init(&self->arrivals, shape, &terms);
    return OC_ERR_OK;
}

void arrival_plan_fini(arrival_plan_t *self)
{
    trace_play_fini(&self->play);
}

uint64_t arrival_plan_length_ns(const arrival_plan_t *self)
{
    return self->shape.kind == ARRIVAL_TRACE ? trace_play_length_ns(&self->play) : 0;
}

static void print_trace(const arrival_plan_t *self, FILE *out)
{
    const trace_file_counts_t *file = &self->file;
    const trace_t *trace = &self->play.trace;
    uint64_t bytes = 0;
    for (size_t i = 0; i < trace->count; i++)
        bytes += trace->messages[i].size;
    fprintf(out, "trace_packets: %" PRIu64 "\n", file->packets);
    fprintf(out, "trace_left_out: fragments=%" PRIu64 " other=%" PRIu64 " damaged=%" PRIu64 "\n",
            file->fragments, file->other, file->damaged);
    fprintf(out, "trace_time_back: %" PRIu64 "\n", file->back);
    fprintf(out, "trace_sends: %zu\n", trace->count);
    fprintf(out, "trace_bytes: %" PRIu64 "\n", bytes);
    fprintf(out, "trace_length_s: %.6f\n", (double)arrival_plan_length_ns(self) / 1e9);
    fprintf(out, "trace_window_ms: %.3f\n", (double)self->play.window_ns / 1e6);
    fprintf(out, "trace_burst_gap_us: %.3f\n", (double)self->burst_gap_ns / 1e3);
}

void arrival_plan_print(const arrival_plan_t *self, FILE *out)
{
    char name[ARRIVAL_NAME_SIZE];
    arrival_shape_name(&self->shape, name, sizeof name);
    fprintf(out, "arrivals: %s\n", name);
    fprintf(out, "rate_intended: %.1f\n", arrival_rate_per_s(&self->arrivals));
    if (self->shape.kind == ARRIVAL_POISSON)
        fprintf(out, "arrivals_seed: %" PRIu64 "\n", self->arrivals.terms.seed);
    if (self->shape.kind == ARRIVAL_TRACE)
        print_trace(self, out);
}
