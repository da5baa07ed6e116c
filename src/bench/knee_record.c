/*
 * A knee into a run file. Called by `outcry bench knee` for each run, each rate, and at the end.
 *
 * Invariant: the knee that a file names was found, between a rate that held and one from which on
 * all failed; otherwise the file has none, and says how the search ended.
 */
#include "bench/knee_record.h"

#include "base/assert.h"

void knee_record_take(knee_record_t *self, const knee_run_t *run)
{
    knee_record_rate_t *rate = &self->rates[self->done];
    OC_ASSERT(rate->repeats < KNEE_REPEATS_MAX);
    rate->p999_ns[rate->repeats++] = (double)run->p999_ns;
    self->doubled += run->doubled;
    self->out_of_order += run->out_of_order;
    self->late += run->late;
}

void knee_record_point(knee_record_t *self)
{
    OC_ASSERT(self->done < KNEE_POINTS_MAX);
    OC_ASSERT(self->rates[self->done].repeats > 0);
    self->done++;
}

static run_verdict_t verdict_of(const knee_point_t *point)
{
    if (knee_point_verdict(point) == KNEE_SENDER)
        return RUN_MARKED;
    if (point->crossings > 0)
        return RUN_FAIL;
    return point->limited > 0 ? RUN_MARKED : RUN_PASS;
}

static void record_figures(const knee_record_t *self, run_file_t *run, const run_qualifiers_t *with,
                           const knee_outcome_t *outcome, uint64_t at_rate)
{
    const knee_result_t *result = &outcome->result;
    const double rate = (double)at_rate;
    const struct {
        const char *name;
        double value;
        const char *unit;
        bool known;
    } figures[] = {
        {"knee_low", result->low_per_s, "1/s", result->low_per_s > 0},
        {"knee_mid", result->mid_per_s, "1/s", result->mid_per_s > 0},
        {"knee_high", result->high_per_s, "1/s", result->high_per_s > 0},
        {"sender_limit", (double)outcome->search.cap, "1/s", outcome->search.cap > 0},
        {"rho_at_most", rate / result->low_per_s, "", at_rate > 0 && result->low_per_s > 0},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (figures[i].known)
            run_file_figure(run, figures[i].name, figures[i].value, figures[i].unit, with, 99.9);
    run_file_figure(run, "late", (double)self->late, "messages", with, 0);
    run_file_figure(run, "elapsed", (double)outcome->elapsed_ns / 1e9, "s", with, 0);
}

void knee_record_end(const knee_record_t *self, run_file_t *run, const run_qualifiers_t *with,
                     const knee_options_t *options, const knee_outcome_t *outcome, uint64_t at_rate)
{
    run_knee_point_t points[KNEE_POINTS_MAX];
    const knee_result_t *result = &outcome->result;
    const bool found = result->end == KNEE_FOUND && result->low_per_s > 0 &&
                       result->mid_per_s > 0 && result->high_per_s > 0;
    OC_ASSERT(options->percent == 99.9);
    OC_ASSERT(self->done == outcome->search.count);
    for (size_t i = 0; i < self->done; i++) {
        const knee_point_t *point = &outcome->search.points[i];
        points[i] = (run_knee_point_t){(double)point->rate_per_s, self->rates[i].p999_ns,
                                       self->rates[i].repeats, verdict_of(point)};
    }
    const run_knee_t knee = {
        .with = *with,
        .sla_ns = (double)options->sla_ns,
        .points = points,
        .point_count = self->done,
        .low = found ? result->low_per_s : 0,
        .mid = found ? result->mid_per_s : 0,
        .high = found ? result->high_per_s : 0,
        .rho_rate = (double)at_rate,
        .end = knee_end_name(result->end),
    };
    run_file_knee(run, &knee);
    run_file_mark(run, "doubled", self->doubled);
    run_file_mark(run, "out_of_order", self->out_of_order);
    record_figures(self, run, with, outcome, at_rate);
}
