/*
 * `outcry bench echo`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_echo.c. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/arrival_plan.h"
#include "bench/echo_record.h"
#include "bench/hdr_file.h"
#include "cli/echo_options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char echo_help[] =
    "usage: outcry bench echo [OPTION]...\n"
    "\n"
    "Sends messages through Aeron at times fixed in advance to a reflector that sends them back;\n"
    "latency is measured from the intended time of sending. docs/bench.md says what the figures\n"
    "mean.\n"
    "\n"
    "  --role R             both ends here: both; one end: sender, reflector (both)\n"
    "  --rate N             messages per second (10000)\n"
    "  --burst N            messages intended at the same moment (1)\n" ARRIVAL_HELP
    "  --seconds N          how long to send (5; with a trace, as long as it is)\n"
    "  --warmup N           of these, the first ones that do not count (1; with a trace or\n"
    "                       --messages 0)\n"
    "  --messages N         end after so many\n"
    "  --closed             no schedule: the next message leaves with an answer; the figures are\n"
    "                       then no latency at a rate\n"
    "  --window N           closed loop: messages under way (1)\n"
    "  --repeats N          do all of that N times over one connection, for the noise between "
    "them\n"
    "                       (1)\n"
    "  --bare               also the bare ping-pong of Aeron, in turns with this bench's own\n"
    "  --hgrm FILE          write the percentiles of latency, in microseconds\n"
    "  --hlog FILE          write the histogram log of latency, in nanoseconds\n"
    "  --grace N            seconds without an echo after which the rest is lost (5)\n";

static const char echo_status_help[] =
    "\n"
    "A reflector prints `ready: CHANNEL` and serves until its sender ends, or SIGTERM.\n"
    "Exit status: 0; 1 when something failed, messages were lost or doubled, or the rate was not\n"
    "kept; 2 for a wrong command line.\n";

enum {
    SECONDS_DEFAULT = 5,
    WARMUP_DEFAULT = 1,
    GRACE_DEFAULT = 5,
    SEED_DEFAULT = 1,
    REPEATS_MAX = 100,
    BARE_ROUND_TRIPS = 5000,
    WINDOW_MS_MAX = 86400000,
    BURST_GAP_US = 100,
    BURST_GAP_US_MAX = 60000000,
};

#define NOT_GIVEN   UINT64_MAX
#define RATE        10000
#define SECOND_NS   UINT64_C(1000000000)
#define MS_NS       UINT64_C(1000000)
#define CATCH_UP_NS UINT64_C(3000000000)

enum { ROLE_BOTH, ROLE_SENDER, ROLE_REFLECTOR };

static const char *const role_names[] = {"both", "sender", "reflector", NULL};
static const char *const weight_names[] = {"messages", "bytes", NULL};

typedef struct echo_arguments {
    echo_options_t options;
    const char *arrivals;
    const char *hgrm;
    const char *hlog;
    uint64_t rate;
    uint64_t burst;
    uint64_t seed;
    uint64_t window_ms;
    uint64_t burst_gap_us;
    uint64_t seconds;
    uint64_t warmup;
    uint64_t messages;
    uint64_t window;
    uint64_t grace;
    uint64_t repeats;
    int role;
    int window_by; /* -1: not given */
    bool closed;
    bool bare;
    arrival_shape_t shape;
    arrival_plan_t plan;
    uint64_t duration_ns;
    uint64_t raised; /* sends of a trace that are too small for the header */
    double start_s;  /* since the epoch */
} echo_arguments_t;

/* ---- Options --------------------------------------------------------------------------------- */

static void set_defaults(echo_arguments_t *self)
{
    memset(self, 0, sizeof *self);
    echo_options_init(&self->options, "echo");
    self->options.size = NOT_GIVEN;
    self->rate = NOT_GIVEN;
    self->burst = NOT_GIVEN;
    self->seed = NOT_GIVEN;
    self->window_ms = NOT_GIVEN;
    self->burst_gap_us = NOT_GIVEN;
    self->seconds = NOT_GIVEN;
    self->warmup = NOT_GIVEN;
    self->window = NOT_GIVEN;
    self->grace = NOT_GIVEN;
    self->repeats = NOT_GIVEN;
    self->window_by = -1;
}

/* The first option that is of no use for this end or this loop; NULL: there is none. */
static const char *misplaced(const echo_arguments_t *self)
{
    const bool sends = self->role != ROLE_REFLECTOR;
    const bool rate = self->arrivals || self->rate != NOT_GIVEN || self->burst != NOT_GIVEN;
    const bool shape = self->seed != NOT_GIVEN || self->window_ms != NOT_GIVEN ||
                       self->window_by != -1 || self->burst_gap_us != NOT_GIVEN;
    const bool length = self->seconds != NOT_GIVEN || self->warmup != NOT_GIVEN || self->messages;
    const bool loop = self->closed || self->window != NOT_GIVEN || self->grace != NOT_GIVEN ||
                      self->repeats != NOT_GIVEN || self->bare;
    const struct {
        const char *problem;
        bool given;
        bool fits;
    } options[] = {
        {"--run is of the sender, which has the figures", self->options.run_path, sends},
        {"--hgrm and --hlog are of the sender, which has the figures", self->hgrm || self->hlog,
         sends},
        {"--rate, --burst, --arrivals and what goes with them are of the sender", rate || shape,
         sends},
        {"--seconds, --warmup and --messages are of the sender", length, sends},
        {"--closed, --window, --grace, --repeats and --bare are of the sender", loop, sends},
        {"--cpu is of the sender; a reflector has --reflector-cpu", self->options.cpu != NOT_GIVEN,
         sends},
        {"--reflector-cpu is of the reflector, which is another process here",
         self->options.reflector_cpu != NOT_GIVEN, self->role != ROLE_SENDER},
        {"--closed has no schedule: leave --rate, --burst and --arrivals out", rate, !self->closed},
        {"--closed has no schedule: leave --seed, --window-ms, --window-by and --burst-gap-us out",
         shape, !self->closed},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].given && !options[i].fits)
            return options[i].problem;
    return NULL;
}

/* NULL if all is well. */
static const char *check_open(echo_arguments_t *self)
{
    arrival_shape_t *shape = &self->shape;
    shape->kind = ARRIVAL_STEADY;
    shape->burst = self->burst == NOT_GIVEN ? 1 : self->burst;
    if (self->window != NOT_GIVEN)
        return "--window is of a closed loop: --closed";
    if (self->arrivals && arrival_shape_parse(shape, self->arrivals) != OC_ERR_OK)
        return oc_err_context();
    if (self->arrivals && self->burst != NOT_GIVEN)
        return "--burst is that of steady arrivals: write --arrivals steady:BURST";
    if (!arrival_shape_takes_rate(shape) && self->rate != NOT_GIVEN)
        return "these arrivals say their rate themselves: leave --rate out";
    if (self->rate == NOT_GIVEN)
        self->rate = RATE;
    if (shape->kind == ARRIVAL_TRACE)
        return NULL;
    if (self->window_ms != NOT_GIVEN || self->window_by != -1 || self->burst_gap_us != NOT_GIVEN)
        return "--window-ms, --window-by and --burst-gap-us go with --arrivals trace:FILE";
    return NULL;
}

static const char *check_arguments(echo_arguments_t *self)
{
    const bool is_trace = !self->closed && self->shape.kind == ARRIVAL_TRACE;
    if (is_trace && self->options.size != NOT_GIVEN)
        return "--size: a trace has sizes of its own";
    if (self->options.size == NOT_GIVEN)
        self->options.size = ECHO_SIZE_DEFAULT;
    if (self->seed == NOT_GIVEN)
        self->seed = SEED_DEFAULT;
    if (self->grace == NOT_GIVEN)
        self->grace = GRACE_DEFAULT;
    if (self->repeats == NOT_GIVEN)
        self->repeats = 1;
    if (self->warmup == NOT_GIVEN)
        self->warmup = is_trace || self->seconds == 1 || self->messages ? 0 : WARMUP_DEFAULT;
    if (!is_trace && self->seconds == NOT_GIVEN)
        self->seconds = SECONDS_DEFAULT;
    if (self->seconds != NOT_GIVEN && self->warmup >= self->seconds)
        return "--warmup is a part of --seconds, and must be shorter";
    if (self->window == NOT_GIVEN)
        self->window = 1;
    if (self->repeats > 1 && (self->hgrm || self->hlog))
        return "--hgrm and --hlog are of one run: leave --repeats out";
    return NULL;
}

/* A trace has its own sizes and its own length. Returns -1 to go on, else the exit status. */
static int make_plan(echo_arguments_t *self)
{
    const uint64_t gap_us = self->burst_gap_us == NOT_GIVEN ? BURST_GAP_US : self->burst_gap_us;
    const arrival_plan_options_t options = {
        .rate_per_s = self->rate,
        .seed = self->seed,
        .bytes = (uint32_t)self->options.size,
        .burst_gap_ns = gap_us * 1000,
        .window_ns = self->window_ms == NOT_GIVEN ? 0 : self->window_ms * MS_NS,
        .by_bytes = self->window_by == 1,
    };
    self->duration_ns = self->seconds == NOT_GIVEN ? 0 : self->seconds * SECOND_NS;
    if (self->closed)
        return -1;
    if (arrival_plan_init(&self->plan, &self->shape, &options) != OC_ERR_OK)
        return subcommand_failed();
    const trace_t *trace = &self->plan.play.trace;
    for (size_t i = 0; i < trace->count; i++) {
        const uint32_t size = trace->messages[i].size;
        self->raised += size < WIRE_MESSAGE_MIN;
        if (i == 0 || size > self->options.size)
            self->options.size = size < WIRE_MESSAGE_MIN ? WIRE_MESSAGE_MIN : size;
    }
    if (self->seconds == NOT_GIVEN)
        self->duration_ns = arrival_plan_length_ns(&self->plan);
    if (self->warmup * SECOND_NS >= self->duration_ns)
        return echo_options_usage(&self->options,
                                  "--warmup is as long as the trace: nothing would be measured");
    return -1;
}

/* Returns -1 to go on, else the exit status. */
static int read_arguments(echo_arguments_t *self, int argc, char **argv)
{
    set_defaults(self);
    option_t table[24 + ECHO_OPTIONS_MAX] = {
        option_choice("role", &self->role, role_names),
        option_text("arrivals", &self->arrivals),
        option_output("hgrm", &self->hgrm),
        option_output("hlog", &self->hlog),
        option_number("rate", &self->rate, 1, ARRIVAL_RATE_MAX),
        option_number("burst", &self->burst, 1, ARRIVAL_BURST_MAX),
        option_number("seed", &self->seed, 0, UINT64_MAX - 1),
        option_number("window-ms", &self->window_ms, 1, WINDOW_MS_MAX),
        option_number("burst-gap-us", &self->burst_gap_us, 0, BURST_GAP_US_MAX),
        option_choice("window-by", &self->window_by, weight_names),
        option_number("seconds", &self->seconds, 1, 1000000),
        option_number("warmup", &self->warmup, 0, 1000000),
        option_number("messages", &self->messages, 1, UINT64_MAX - 1),
        option_number("window", &self->window, 1, 1000000),
        option_number("grace", &self->grace, 1, 3600),
        option_number("repeats", &self->repeats, 1, REPEATS_MAX),
        option_flag("closed", &self->closed, true),
        option_flag("bare", &self->bare, true),
    };
    enum { OWN = 18 };
    options_t parser = {.table = table,
                        .count = echo_options_table(&self->options, table, OWN),
                        .command = "bench"};
    int status = echo_options_parse(&parser, argc, argv, echo_help, echo_status_help);
    if (status >= 0)
        return status;
    self->options.pair.wire.apart = self->role != ROLE_BOTH;
    const char *problem = misplaced(self);
    if (!problem && !self->closed)
        problem = check_open(self);
    if (!problem)
        problem = check_arguments(self);
    if (problem)
        return echo_options_usage(&self->options, problem);
    status = self->role == ROLE_REFLECTOR ? -1 : make_plan(self);
    if (status < 0)
        status = echo_options_check(&self->options);
    if (status < 0)
        echo_options_begin(&self->options, self->closed ? RUN_LOOP_CLOSED : RUN_LOOP_OPEN, &parser);
    return status;
}

/* ---- The report ------------------------------------------------------------------------------ */

static void print_marks(const echo_result_t *result)
{
    echo_mark_t marks[ECHO_MARKS];
    bool marked = false;
    echo_marks(result, marks);
    for (int i = 0; i < ECHO_MARKS; i++) {
        if (marks[i].count == 0)
            continue;
        printf("%s %s=%" PRIu64, marked ? "" : "marked:", marks[i].name, marks[i].count);
        marked = true;
    }
    if (marked)
        printf("\n");
}

static void print_counts(const echo_arguments_t *self, const echo_result_t *result)
{
    const echo_counts_t *counts = &result->counts;
    const double sending_s = (double)result->sending_ns / 1e9 - (double)self->warmup;
    printf("intended: %" PRIu64 "\n", result->intended);
    printf("sent: %" PRIu64 "\n", counts->sent);
    printf("received: %" PRIu64 "\n", counts->received);
    printf("late: %" PRIu64 "\n", counts->late - counts->warm_late);
    printf("late_held: %" PRIu64 "\n", counts->held - counts->warm_held);
    printf("unsent: %" PRIu64 "\n", result->unsent);
    printf("lost: %" PRIu64 "\n", result->lost);
    printf("doubled: %" PRIu64 "\n", counts->doubled);
    printf("out_of_order: %" PRIu64 "\n", counts->out_of_order);
    printf("strangers: %" PRIu64 "\n", counts->strangers);
    printf("warmup_s: %" PRIu64 "\n", self->warmup);
    printf("warmup_sent: %" PRIu64 "\n", counts->warm_sent);
    printf("warmup_received: %" PRIu64 "\n", counts->warm_received);
    printf("warmup_late: %" PRIu64 "\n", counts->warm_late);
    printf("sending_s: %.3f\n", (double)result->sending_ns / 1e9);
    printf("behind_ms: %.3f\n", (double)result->behind_ns / 1e6);
    printf("blocked_s: %.3f\n", (double)result->blocked_ns / 1e9);
    printf("cpu_s: %.3f\n", (double)result->cpu_ns / 1e9);
    printf("messages_per_s: %.0f\n",
           sending_s > 0 ? (double)(counts->sent - counts->warm_sent) / sending_s : 0.0);
    if (!result->closed_loop)
        printf("kept_rate: %s\n", echo_limit_name(echo_result_limit(result)));
}

static void print_late(const char *name, const histogram_t *late)
{
    printf("%s_p50_ns: %" PRIu64 "\n", name, histogram_percentile(late, 50.0));
    printf("%s_p99_ns: %" PRIu64 "\n", name, histogram_percentile(late, 99.0));
    printf("%s_p999_ns: %" PRIu64 "\n", name, histogram_percentile(late, 99.9));
    printf("%s_max_ns: %" PRIu64 "\n", name, histogram_max(late));
}

static void print_result(const echo_arguments_t *self, const echo_account_t *account,
                         const echo_result_t *result)
{
    printf("mode: %s\n", echo_result_mode(result));
    if (result->closed_loop)
        printf("window: %" PRIu64 "\n", self->window);
    else
        arrival_plan_print(&self->plan, stdout);
    if (self->raised)
        printf("trace_raised: %" PRIu64 " to %d bytes\n", self->raised, WIRE_MESSAGE_MIN);
    print_counts(self, result);
    echo_options_print_us("rtt", account->latency);
    echo_options_print_us("service", account->service);
    if (!result->closed_loop)
        print_late("send_late", account->send_late);
    print_marks(result);
}

static oc_err_t write_files(const echo_arguments_t *self, const echo_account_t *account)
{
    oc_err_t err = OC_ERR_OK;
    if (self->hgrm)
        err = hgrm_write(self->hgrm, account->latency, 1e3);
    if (err == OC_ERR_OK && self->hlog)
        err = hlog_write(self->hlog, self->start_s, account->line.intervals, account->line.count,
                         (double)account->line.interval_ns / 1e9);
    return err;
}

static oc_err_t run_bare(const echo_arguments_t *self, echo_pair_t *pair)
{
    echo_bare_t bare;
    const oc_err_t err =
        echo_pair_bare(pair, (uint32_t)self->options.size, BARE_ROUND_TRIPS, &bare);
    if (err != OC_ERR_OK)
        return err;
    printf("bare_round_trips: %" PRIu64 " x %d\n", bare.round_trips, ECHO_BARE_ROUNDS);
    printf("bare_p50_us: %.2f\nbare_p99_us: %.2f\n", bare.bare_p50_ns / 1e3,
           bare.bare_p99_ns / 1e3);
    printf("bench_p50_us: %.2f\nbench_p99_us: %.2f\n", bare.ours_p50_ns / 1e3,
           bare.ours_p99_ns / 1e3);
    printf("overhead_pct: %.1f\n", bare.overhead_pct);
    const run_qualifiers_t with = {.message_bytes = (uint32_t)self->options.size,
                                   .mtu = pair->wire.plan.mtu,
                                   .arrivals = "ping-pong, one under way"};
    const bench_figure_t figures[] = {
        {"bare", bare.bare_p50_ns, "ns", 50},     {"bare", bare.bare_p99_ns, "ns", 99},
        {"bench", bare.ours_p50_ns, "ns", 50},    {"bench", bare.ours_p99_ns, "ns", 99},
        {"overhead", bare.overhead_pct, "%", 50},
    };
    bench_run_figures(self->options.run, "ping_pong_", figures, sizeof figures / sizeof figures[0],
                      &with);
    return OC_ERR_OK;
}

/* ---- Running --------------------------------------------------------------------------------- */

static void keep_result(const echo_arguments_t *self, const echo_pair_t *pair,
                        const echo_account_t *account, const echo_result_t *result)
{
    char arrivals[ARRIVAL_NAME_SIZE];
    (void)snprintf(arrivals, sizeof arrivals, "closed, %" PRIu64 " under way", self->window);
    if (!self->closed)
        arrival_shape_name(&self->plan.shape, arrivals, sizeof arrivals);
    const echo_record_t record = {
        .with = {.rate = self->closed ? 0 : arrival_rate_per_s(&self->plan.arrivals),
                 .message_bytes = (uint32_t)self->options.size,
                 .mtu = pair->wire.plan.mtu,
                 .arrivals = arrivals},
        .warmup_ns = self->warmup * SECOND_NS,
        .hgrm = self->hgrm,
        .hlog = self->hlog,
    };
    run_file_config(self->options.run, "arrivals", arrivals);
    echo_record_run(&record, self->options.run, account, result);
}

static oc_err_t run_once(echo_arguments_t *self, echo_pair_t *pair, echo_account_t *account,
                         echo_result_t *result)
{
    const echo_load_t load = {
        .arrivals = self->closed ? NULL : &self->plan.arrivals,
        .window = self->window,
        .duration_ns = self->duration_ns,
        .warmup_ns = self->warmup * SECOND_NS,
        .messages_max = self->messages,
        .catch_up_ns = CATCH_UP_NS,
        .grace_ns = self->grace * SECOND_NS,
        .bytes = (uint32_t)self->options.size,
        .yield = self->options.pair.yield,
        .stop = process_end_requested,
    };
    self->start_s = (double)clock_real_ns() / 1e9;
    oc_err_t err = echo_pair_run(pair, &load, account, result);
    if (err == OC_ERR_OK && result->counts.sent == result->counts.warm_sent && result->unsent == 0)
        err = process_check_interrupted(
            error_set(OC_ERR_INVALID_ARGUMENT,
                      "echo: nothing was sent behind the warm-up of %" PRIu64
                      " s: nothing was measured; give a shorter --warmup",
                      self->warmup));
    if (err != OC_ERR_OK)
        return err;
    print_result(self, account, result);
    keep_result(self, pair, account, result);
    return process_check_interrupted(write_files(self, account));
}

/* *failed: whether one of the repeats has. */
static oc_err_t run(echo_arguments_t *self, echo_pair_t *pair, echo_account_t *account,
                    bool *failed)
{
    for (uint64_t i = 0; i < self->repeats; i++) {
        echo_result_t result;
        if (self->repeats > 1)
            printf("\nrepeat: %" PRIu64 " of %" PRIu64 "\n", i + 1, self->repeats);
        const oc_err_t err = run_once(self, pair, account, &result);
        if (err != OC_ERR_OK)
            return err;
        *failed = *failed || echo_result_failed(&result);
        (void)subcommand_flush();
    }
    return self->bare ? run_bare(self, pair) : OC_ERR_OK;
}

/* One histogram for each second, or for as many as it takes. */
static oc_err_t make_account(const echo_arguments_t *self, echo_account_t *account)
{
    const uint64_t seconds = (self->duration_ns + SECOND_NS - 1) / SECOND_NS;
    const uint64_t length = (seconds + TIME_LINE_MAX - 1) / TIME_LINE_MAX;
    const uint64_t count = (seconds + length - 1) / length;
    return echo_account_init(account, count, length * SECOND_NS);
}

static int run_sender(echo_arguments_t *self)
{
    echo_pair_t pair;
    echo_account_t account;
    bool failed = false;
    int status = echo_options_open(&self->options, &pair);
    if (status >= 0)
        return echo_options_end(&self->options, false, status);
    echo_options_print(&self->options, &pair.wire);
    (void)subcommand_flush();
    oc_err_t err = make_account(self, &account);
    if (err == OC_ERR_OK) {
        err = run(self, &pair, &account, &failed);
        echo_account_fini(&account);
    }
    status = err == OC_ERR_OK ? 0 : subcommand_failed();
    if (echo_pair_close(&pair) != OC_ERR_OK && status == 0)
        status = subcommand_failed();
    if (status != 0)
        return echo_options_end(&self->options, false, status);
    echo_options_print_end(&self->options);
    if (failed) {
        fprintf(stderr, "outcry: bench: echo: messages were lost or doubled, or the rate was not "
                        "kept: see kept_rate and marked\n");
        status = EXIT_STATUS_FAILED;
    }
    return echo_options_end(&self->options, true, status);
}

static void print_ready(const wire_t *wire)
{
    printf("ready: %s\n", wire->plan.channel);
    (void)fflush(stdout);
}

static int run_reflector(const echo_arguments_t *self)
{
    reflector_t reflector;
    memset(&reflector, 0, sizeof reflector);
    reflector.cpu = self->options.pair.reflector_cpu;
    reflector.yield = self->options.pair.yield;
    if (reflector_serve(&reflector, &self->options.pair.wire, print_ready) != OC_ERR_OK)
        return subcommand_failed();
    printf("reflected: %" PRIu64 "\ndropped: %" PRIu64 "\nstrangers: %" PRIu64 "\n",
           reflector.counts.reflected, reflector.counts.dropped, reflector.counts.strangers);
    printf("ended_by: %s\n", reflector.goodbye ? "goodbye" : "signal");
    return 0;
}

int bench_echo_main(int argc, char **argv)
{
    echo_arguments_t *self = malloc(sizeof *self);
    if (!self) {
        (void)error_set(OC_ERR_NO_MEMORY, "echo: %zu bytes", sizeof *self);
        return subcommand_failed();
    }
    int status = read_arguments(self, argc, argv);
    if (status < 0)
        status = self->role == ROLE_REFLECTOR ? run_reflector(self) : run_sender(self);
    arrival_plan_fini(&self->plan);
    free(self);
    return status;
}
