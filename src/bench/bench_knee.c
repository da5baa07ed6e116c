/*
 * Runs at the rates that the search asks for. Called by `outcry bench knee`.
 *
 * Invariants: a run's verdict is its own: what the one before left behind has come or is lost when
 * it begins. A run whose sender is the limit is no crossing, whatever its latency. A rate that was
 * not measured as often as asked has no verdict.
 */
#define _GNU_SOURCE
#include "bench/bench_knee.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"

#include <string.h>

enum {
    TAIL_MESSAGES = 20, /* above the percentile, at least */
    CATCH_UP_PARTS = 5, /* of a run */
};

#define LONGEST_NS UINT64_C(10000000000)
#define GRACE_NS   UINT64_C(1000000000)

typedef struct knee {
    const knee_options_t *options;
    knee_outcome_t *outcome;
    echo_pair_t *pair;
    echo_account_t account;
    uint64_t start_ns;
} knee_t;

uint64_t knee_run_length_ns(const knee_options_t *options, uint64_t rate_per_s)
{
    const double above = 1.0 - options->percent / 100.0;
    const double needed_ns = TAIL_MESSAGES / above / (double)rate_per_s * 1e9;
    if (needed_ns <= (double)options->run_ns)
        return options->run_ns;
    if (options->run_ns >= LONGEST_NS)
        return options->run_ns;
    return needed_ns < (double)LONGEST_NS ? (uint64_t)needed_ns : LONGEST_NS;
}

void knee_run_judge(knee_run_t *run, uint64_t sla_ns)
{
    const bool over = run->value_ns > sla_ns || run->lost > 0 || run->sent == 0 ||
                      run->limit == ECHO_TRANSPORT_LIMIT;
    run->sender_limited =
        run->limit == ECHO_SENDER_LIMIT || (over && run->own_late_ns > sla_ns / 2);
    run->crossed = over && !run->sender_limited;
}

static void fill(knee_t *self, const echo_result_t *result, knee_run_t *run)
{
    const echo_account_t *account = &self->account;
    const double percent = self->options->percent;
    run->sent = result->counts.sent - result->counts.warm_sent;
    run->late = result->counts.late - result->counts.warm_late;
    run->unsent = result->unsent;
    run->lost = result->lost;
    run->doubled = result->counts.doubled;
    run->out_of_order = result->counts.out_of_order;
    run->p50_ns = histogram_percentile(account->latency, 50.0);
    run->p99_ns = histogram_percentile(account->latency, 99.0);
    run->p999_ns = histogram_percentile(account->latency, 99.9);
    run->max_ns = histogram_max(account->latency);
    run->value_ns = histogram_percentile(account->latency, percent);
    run->own_late_ns = histogram_percentile(account->own_late, percent);
    run->limit = echo_result_limit(result);
    knee_run_judge(run, self->options->sla_ns);
}

static oc_err_t measure(knee_t *self, knee_run_t *run)
{
    echo_result_t result;
    arrival_t arrivals;
    const knee_options_t *options = self->options;
    const uint64_t length_ns = knee_run_length_ns(options, run->rate_per_s);
    const arrival_terms_t terms = {.rate_per_s = run->rate_per_s,
                                   .seed = options->seed + run->repeat,
                                   .bytes = options->bytes};
    const echo_load_t load = {
        .arrivals = &arrivals,
        .duration_ns = options->warmup_ns + length_ns,
        .warmup_ns = options->warmup_ns,
        .catch_up_ns = length_ns / CATCH_UP_PARTS,
        .grace_ns = GRACE_NS,
        .yield = self->pair->options.yield,
        .stop = process_end_requested,
    };
    arrival_init(&arrivals, &options->shape, &terms);
    const oc_err_t err =
        process_check_interrupted(echo_pair_run(self->pair, &load, &self->account, &result));
    if (err != OC_ERR_OK)
        return err;
    fill(self, &result, run);
    if (options->on_run)
        options->on_run(options->context, run);
    return OC_ERR_OK;
}

static bool has_time(const knee_t *self, uint64_t rate_per_s)
{
    const knee_options_t *options = self->options;
    const uint64_t length_ns = knee_run_length_ns(options, rate_per_s);
    const uint64_t longest_ns =
        options->warmup_ns + length_ns + length_ns / CATCH_UP_PARTS + GRACE_NS;
    return clock_wall_ns() - self->start_ns + longest_ns <= options->budget_ns;
}

/* Measures a rate; *done is false when there was no time for all of it. */
static oc_err_t measure_point(knee_t *self, knee_point_t *point, bool *done)
{
    *done = false;
    for (uint32_t i = 0; i < self->options->repeats; i++) {
        knee_run_t run = {.rate_per_s = point->rate_per_s, .repeat = i};
        if (!has_time(self, point->rate_per_s))
            return OC_ERR_OK;
        const oc_err_t err = measure(self, &run);
        if (err != OC_ERR_OK)
            return err;
        point->runs++;
        point->limited += run.sender_limited;
        point->crossings += run.crossed;
    }
    *done = true;
    return OC_ERR_OK;
}

static oc_err_t search(knee_t *self)
{
    knee_outcome_t *outcome = self->outcome;
    const knee_options_t *options = self->options;
    uint64_t rate;
    while ((rate = knee_search_next(&outcome->search)) != 0) {
        bool done;
        knee_point_t point = {.rate_per_s = rate};
        const oc_err_t err = measure_point(self, &point, &done);
        if (err != OC_ERR_OK)
            return err;
        if (!done)
            break;
        knee_search_add(&outcome->search, &point);
        if (options->on_point)
            options->on_point(options->context, &point);
    }
    return OC_ERR_OK;
}

oc_err_t bench_knee(echo_pair_t *pair, const knee_options_t *options, knee_outcome_t *outcome)
{
    OC_ASSERT(options->repeats >= 1 && options->repeats <= KNEE_REPEATS_MAX);
    OC_ASSERT(options->percent >= 50.0 && options->percent < 100.0);
    OC_ASSERT(arrival_shape_takes_rate(&options->shape));
    memset(outcome, 0, sizeof *outcome);
    knee_t self = {
        .options = options, .outcome = outcome, .pair = pair, .start_ns = clock_wall_ns()};
    oc_err_t err = echo_account_init(&self.account, 1, UINT64_MAX);
    if (err != OC_ERR_OK)
        return err;
    knee_search_init(&outcome->search, &options->terms);
    err = search(&self);
    knee_search_result(&outcome->search, &outcome->result);
    outcome->elapsed_ns = clock_wall_ns() - self.start_ns;
    echo_account_fini(&self.account);
    return err;
}
