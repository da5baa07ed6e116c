/*
 * `outcry bench knee`: reads options and prints; how the knee is searched is in
 * src/bench/bench_knee.c. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "bench/knee_record.h"

#include "base/error.h"
#include "cli/echo_options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char knee_help[] =
    "usage: outcry bench knee [OPTION]...\n"
    "\n"
    "Searches the rate at which a percentile of the round trip through Aeron, from the intended\n"
    "time of sending, crosses a limit: for one message size, MTU and shape of arrivals. The rate\n"
    "doubles until it and its double cross, then the interval is halved on a logarithmic scale.\n"
    "docs/bench.md says what the figures mean.\n"
    "\n"
    "  --sla-us N           the limit (1000)\n"
    "  --percentile P       which one must not cross it: 99, 99.9, 99.99 (99.9)\n"
    "  --arrivals SHAPE     steady:BURST or poisson (steady:1)\n"
    "  --seed N             of poisson (1)\n"
    "  --repeats N          runs of each rate (3)\n"
    "  --run-ms N           length of a run; longer where too few messages come (1000)\n"
    "  --warmup-ms N        before each, not counted (200)\n"
    "  --start N            first rate (10000)\n"
    "  --min N, --max N     lowest and highest rate (1000, 20000000)\n"
    "  --precision-pct N    how near the last two rates are (10)\n"
    "  --at-rate N          a rate of yours: what part of the knee it is\n"
    "  --minutes N          no run begins that would end later (8)\n";

static const char knee_status_help[] =
    "\n"
    "Exit status: 0, whatever was found; 1 when something failed; 2 for a wrong command line.\n";

#define SECOND_NS UINT64_C(1000000000)
#define MS_NS     UINT64_C(1000000)
#define US_NS     UINT64_C(1000)
#define RHO_SAFE  0.7

static const char *const percent_names[] = {"99", "99.9", "99.99", NULL};
static const double percents[] = {99.0, 99.9, 99.99};

typedef struct knee_arguments {
    echo_options_t options;
    const char *arrivals;
    arrival_shape_t shape;
    uint64_t seed;
    uint64_t sla_us;
    uint64_t repeats;
    uint64_t run_ms;
    uint64_t warmup_ms;
    uint64_t start;
    uint64_t min;
    uint64_t max;
    uint64_t precision_pct;
    uint64_t at_rate; /* 0: not given */
    uint64_t minutes;
    int percentile;
    knee_record_t record;
} knee_arguments_t;

static const char *check(knee_arguments_t *self)
{
    if (arrival_shape_parse(&self->shape, self->arrivals) != OC_ERR_OK)
        return oc_err_context();
    if (!arrival_shape_takes_rate(&self->shape))
        return "a knee is a rate: --arrivals steady:BURST or poisson";
    if (self->min > self->start || self->start > self->max)
        return "--min, --start and --max must be in this order";
    if (self->options.run_path && percents[self->percentile] != 99.9)
        return "--run is of knees of p99.9: leave --percentile out";
    return NULL;
}

/* Returns -1 to go on, else the exit status. */
static int read_arguments(knee_arguments_t *self, int argc, char **argv)
{
    *self = (knee_arguments_t){
        .arrivals = "steady:1",
        .seed = 1,
        .sla_us = 1000,
        .percentile = 1,
        .repeats = 3,
        .run_ms = 1000,
        .warmup_ms = 200,
        .start = 10000,
        .min = 1000,
        .max = 20000000,
        .precision_pct = 10,
        .minutes = 8,
    };
    echo_options_init(&self->options, "knee");
    enum { OWN = 13 };
    option_t table[OWN + ECHO_OPTIONS_MAX] = {
        option_text("arrivals", &self->arrivals),
        option_number("seed", &self->seed, 0, UINT64_MAX - KNEE_REPEATS_MAX),
        option_number("sla-us", &self->sla_us, 1, 60000000),
        option_choice("percentile", &self->percentile, percent_names),
        option_number("repeats", &self->repeats, 1, KNEE_REPEATS_MAX),
        option_number("run-ms", &self->run_ms, 10, 600000),
        option_number("warmup-ms", &self->warmup_ms, 0, 60000),
        option_number("start", &self->start, 1, ARRIVAL_RATE_MAX),
        option_number("min", &self->min, 1, ARRIVAL_RATE_MAX),
        option_number("max", &self->max, 1, ARRIVAL_RATE_MAX),
        option_number("precision-pct", &self->precision_pct, 1, 100),
        option_number("at-rate", &self->at_rate, 1, ARRIVAL_RATE_MAX),
        option_number("minutes", &self->minutes, 1, 1440),
    };
    options_t parser = {.table = table,
                        .count = echo_options_table(&self->options, table, OWN),
                        .command = "bench"};
    int status = echo_options_parse(&parser, argc, argv, knee_help, knee_status_help);
    if (status >= 0)
        return status;
    const char *problem = check(self);
    status =
        problem ? echo_options_usage(&self->options, problem) : echo_options_check(&self->options);
    if (status < 0)
        echo_options_begin(&self->options, RUN_LOOP_OPEN, &parser);
    return status;
}

/* ---- The curve ------------------------------------------------------------------------------- */

static void print_marks(const knee_run_t *run)
{
    const struct {
        const char *name;
        uint64_t value;
    } marks[] = {
        {"late", run->late},
        {"unsent", run->unsent},
        {"lost", run->lost},
        {"doubled", run->doubled},
        {"out_of_order", run->out_of_order},
    };
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (marks[i].value)
            printf(" %s=%" PRIu64, marks[i].name, marks[i].value);
}

static void on_run(void *context, const knee_run_t *run)
{
    knee_record_take(context, run);
    const char *verdict = run->sender_limited ? "sender_limit" : run->crossed ? "crosses" : "below";
    printf("run: rate=%" PRIu64 " repeat=%" PRIu32 " p50_us=%.1f p99_us=%.1f p999_us=%.1f "
           "max_us=%.1f sent=%" PRIu64 " sender_late_us=%.1f verdict=%s",
           run->rate_per_s, run->repeat + 1, (double)run->p50_ns / 1e3, (double)run->p99_ns / 1e3,
           (double)run->p999_ns / 1e3, (double)run->max_ns / 1e3, run->sent,
           (double)run->own_late_ns / 1e3, verdict);
    print_marks(run);
    printf("\n");
    (void)subcommand_flush();
}

static void on_point(void *context, const knee_point_t *point)
{
    knee_record_point(context);
    printf("point: rate=%" PRIu64 " crosses=%s (%" PRIu32 " of %" PRIu32
           ", sender limit in %" PRIu32 ")\n",
           point->rate_per_s, knee_verdict_name(knee_point_verdict(point)), point->crossings,
           point->runs, point->limited);
    (void)subcommand_flush();
}

/* ---- The knee -------------------------------------------------------------------------------- */

/* A rate that the search did not find is not a number. */
static void print_rate(const char *name, double rate_per_s)
{
    if (rate_per_s > 0)
        printf("%s: %.0f\n", name, rate_per_s);
    else
        printf("%s: unknown\n", name);
}

static void print_rho(const knee_arguments_t *self, const knee_result_t *result)
{
    const double rate = (double)self->at_rate;
    printf("at_rate: %" PRIu64 "\n", self->at_rate);
    if (result->mid_per_s <= 0) {
        printf("rho: unknown\n");
        return;
    }
    printf("rho: %.3f\n", rate / result->mid_per_s);
    /* The worst that the range allows. */
    if (result->low_per_s > 0)
        printf("rho_at_most: %.3f\n", rate / result->low_per_s);
    printf("rho_below_0.7: %s\n",
           result->low_per_s > 0 && rate / result->low_per_s < RHO_SAFE ? "yes" : "no");
}

static void print_outcome(const knee_arguments_t *self, const knee_outcome_t *outcome,
                          const wire_plan_t *plan)
{
    char shape[ARRIVAL_NAME_SIZE];
    const knee_result_t *result = &outcome->result;
    arrival_shape_name(&self->shape, shape, sizeof shape);
    printf("knee_of: size=%" PRIu64 " mtu=%" PRIu32 " arrivals=%s percentile=%s sla_us=%" PRIu64
           "\n",
           self->options.size, plan->mtu, shape, percent_names[self->percentile], self->sla_us);
    printf("knee: %s\n", knee_end_name(result->end));
    print_rate("knee_low_per_s", result->low_per_s);
    print_rate("knee_mid_per_s", result->mid_per_s);
    print_rate("knee_high_per_s", result->high_per_s);
    if (outcome->search.cap)
        printf("sender_limit_per_s: %" PRIu64 "\n", outcome->search.cap);
    printf("points: %zu\n", outcome->search.count);
    printf("elapsed_s: %.1f\n", (double)outcome->elapsed_ns / 1e9);
    if (self->at_rate)
        print_rho(self, result);
}

static void keep_outcome(const knee_arguments_t *self, const knee_options_t *options,
                         const knee_outcome_t *outcome, const wire_plan_t *plan)
{
    char shape[ARRIVAL_NAME_SIZE];
    arrival_shape_name(&self->shape, shape, sizeof shape);
    const run_qualifiers_t with = {
        .message_bytes = (uint32_t)self->options.size, .mtu = plan->mtu, .arrivals = shape};
    if (self->options.run) /* of another percentile there is none */
        knee_record_end(&self->record, self->options.run, &with, options, outcome, self->at_rate);
}

static int run(knee_arguments_t *self, echo_pair_t *pair)
{
    knee_outcome_t outcome;
    const knee_options_t options = {
        .terms = {.start_per_s = self->start,
                  .min_per_s = self->min,
                  .max_per_s = self->max,
                  .precision = 1.0 + (double)self->precision_pct / 100.0},
        .shape = self->shape,
        .seed = self->seed,
        .bytes = (uint32_t)self->options.size,
        .sla_ns = self->sla_us * US_NS,
        .percent = percents[self->percentile],
        .repeats = (uint32_t)self->repeats,
        .run_ns = self->run_ms * MS_NS,
        .warmup_ns = self->warmup_ms * MS_NS,
        .budget_ns = self->minutes * 60 * SECOND_NS,
        .on_run = on_run,
        .on_point = on_point,
        .context = &self->record,
    };
    echo_options_print(&self->options, &pair->wire);
    (void)subcommand_flush();
    if (bench_knee(pair, &options, &outcome) != OC_ERR_OK)
        return subcommand_failed();
    print_outcome(self, &outcome, &pair->wire.plan);
    keep_outcome(self, &options, &outcome, &pair->wire.plan);
    echo_options_print_end(&self->options);
    return 0;
}

int bench_knee_main(int argc, char **argv)
{
    knee_arguments_t arguments;
    echo_pair_t pair;
    int status = read_arguments(&arguments, argc, argv);
    if (status < 0)
        status = echo_options_open(&arguments.options, &pair);
    if (status >= 0)
        return echo_options_end(&arguments.options, false, status);
    status = run(&arguments, &pair);
    if (echo_pair_close(&pair) != OC_ERR_OK && status == 0)
        status = subcommand_failed();
    return echo_options_end(&arguments.options, status == 0, status);
}
