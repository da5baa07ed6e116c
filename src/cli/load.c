/*
 * `outcry load`: order flow sent to a venue on a schedule, and what came back. Called by main.
 *
 * It reads options, prepares the flow before anything is timed, and prints; the loop and the
 * account of answers are in src/bench. A run that lost, missed or doubled anything never ends with
 * 0.
 */
#include "aeron/secret_file.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/arrival_plan.h"
#include "bench/bench_host.h"
#include "bench/hdr_file.h"
#include "bench/load_venue.h"
#include "cli/options.h"
#include "cli/prepared_flow.h"
#include "cli/replay_run.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char load_help[] =
    "usage: outcry load --ingress HOST:PORT --rate N --seconds N [OPTION]...\n"
    "       outcry load --ingress HOST:PORT --arrivals SHAPE [OPTION]...\n"
    "\n"
    "Sends orders to a venue at times fixed in advance, and counts what comes back; latency is\n"
    "measured from the intended time of sending.\n"
    "\n"
    "  --ingress HOST:PORT  where the venue listens, or 0=HOST:PORT,1=HOST:PORT,...\n"
    "  --rate N             orders per second of all clients together; 0: closed loop\n"
    "  --seconds N          how long to send (10; with a trace, as long as it is)\n"
    "  --warmup N           of these, the first ones that do not count (0)\n"
    "  --burst N            orders intended at the same moment (1)\n"
    "  --arrivals SHAPE     when orders are intended: steady:BURST or poisson, with --rate;\n"
    "                       onoff:BURST:IDLE_MS[:PEAK_PER_MS] or trace:FILE[:FACTOR], whose rate\n"
    "                       is their own (steady:1)\n"
    "  --seed N             of poisson (1)\n"
    "  --window-ms N        the worst N ms of the trace only\n"
    "  --window-by W        what is worst: messages, bytes (messages)\n"
    "  --burst-gap-us N     gaps of a trace up to here are inside of bursts, and are kept (100)\n"
    "  --window N           closed loop: unanswered orders of each client (1024)\n"
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
    "  --hgrm FILE          write the percentiles of latency, in microseconds\n"
    "  --hlog FILE          write the histogram log of latency, second by second, in nanoseconds\n"
    "  --log FILE           write every output as it came\n"
    "  --grace N            seconds without an answer after which the rest is lost (10)\n"
    "  --unsent-max N       fail if more orders than that could not be sent in time\n"
    "  --cpu N              run on processor N only\n"
    "  --idle HOW           yield: a processor is busy all the time; sleep: leave it to others "
    "for\n"
    "                       0.1 ms when there is nothing to do (yield)\n"
    "\n"
    "SIGINT, SIGTERM and SIGHUP end the sending; what is not answered is then waited for.\n"
    "Exit status: 0; 1 when something was lost, missed or doubled, or failed; 2 for a wrong\n"
    "command line.\n";

enum {
    UNANSWERED_MAX = 4096,
    /* What more of them cause may be more than a venue keeps (kept_outputs) when it crashes. */
    UNANSWERED_OPEN = 1024,
    INSTRUMENTS_MAX = 65536,
    SECONDS_DEFAULT = 10,
    WINDOW_MS_MAX = 86400000,
    BURST_GAP_US = 100,
    BURST_GAP_US_MAX = 60000000,
    MIXED_MAX = WORKLOAD_OPERATIONS_DEFAULT, /* then the flow begins again */
    MIXED_CLOSED = 1000000,                  /* in closed loop, where the number is not known */
};

#define NOT_GIVEN UINT64_MAX
#define SECOND_NS UINT64_C(1000000000)
#define MS_NS     UINT64_C(1000000)
#define PAUSE_NS  UINT64_C(100000)

static const char *const format_names[] = {"auto", "tape", "lobster", "dbn", "itch", "own", NULL};
static const char *const workload_names[] = {"W1", NULL};
static const char *const idle_names[] = {"yield", "sleep", NULL};
static const char *const weight_names[] = {"messages", "bytes", NULL};

typedef struct load_arguments {
    const char *ingress;
    const char *file;
    const char *principal;
    const char *admin;
    const char *secret_file;
    const char *hgrm;
    const char *hlog;
    const char *log;
    const char *arrivals;
    int workload;
    int format;    /* flow_format_t */
    int idle;      /* of idle_names */
    int window_by; /* of weight_names; -1: not given */
    uint64_t rate;
    uint64_t seconds;
    uint64_t warmup;
    uint64_t burst;
    uint64_t seed;
    uint64_t window_ms;
    uint64_t burst_gap_us;
    uint64_t window;
    uint64_t commands;
    uint64_t resting;
    uint64_t clients;
    uint64_t source;
    uint64_t instrument;
    uint64_t admin_source;
    uint64_t grace;
    uint64_t unsent_max;
    uint64_t cpu;
    bool no_setup;
    bool shared;
    bool open; /* loop, with this shape of arrivals */
    arrival_shape_t shape;
} load_arguments_t;

/* All that a run owns. */
typedef struct load_setup {
    arrival_plan_t plan; /* open loop */
    uint64_t duration_ns;
    workload_t workload;
    prepared_flow_t prepared;
    load_flow_t flow;
    oc_command_t *instruments;
    size_t instrument_count;
    size_t left_out;
    secret_file_secret_t trader_secret;
    secret_file_secret_t admin_secret;
    load_recorder_t recorder;
    response_log_t log;
    double start_s; /* since the epoch */
} load_setup_t;

static void set_defaults(load_arguments_t *arguments)
{
    *arguments = (load_arguments_t){
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

/* Which shape the options mean; NULL if all is well. */
static const char *check_arrivals(load_arguments_t *arguments)
{
    arrival_shape_t *shape = &arguments->shape;
    arguments->open = arguments->arrivals || arguments->rate != 0;
    shape->kind = ARRIVAL_STEADY;
    shape->burst = arguments->burst == NOT_GIVEN ? 1 : arguments->burst;
    if (arguments->arrivals) {
        if (arrival_shape_parse(shape, arguments->arrivals) != OC_ERR_OK)
            return oc_err_context();
        if (arguments->burst != NOT_GIVEN)
            return "--burst is that of steady arrivals: write --arrivals steady:BURST";
        if (!arrival_shape_takes_rate(shape) && arguments->rate != NOT_GIVEN)
            return "these arrivals say their rate themselves: leave --rate out";
        if (arrival_shape_takes_rate(shape) && arguments->rate == 0)
            return "--rate 0 is a closed loop, which has no arrivals";
    }
    if (arrival_shape_takes_rate(shape) && arguments->rate == NOT_GIVEN)
        return "--rate is missing; see outcry load --help";
    if (shape->kind == ARRIVAL_TRACE)
        return NULL;
    if (arguments->window_ms != NOT_GIVEN || arguments->window_by != -1 ||
        arguments->burst_gap_us != NOT_GIVEN)
        return "--window-ms, --window-by and --burst-gap-us go with --arrivals trace:FILE";
    if (arguments->seconds == NOT_GIVEN)
        arguments->seconds = SECONDS_DEFAULT;
    return NULL;
}

/* What the table of options cannot say; NULL if all is well. */
static const char *check_arguments(load_arguments_t *arguments)
{
    if (!arguments->ingress)
        return "--ingress is missing; see outcry load --help";
    const char *problem = check_arrivals(arguments);
    if (problem)
        return problem;
    if (arguments->warmup >= arguments->seconds)
        return "--warmup is a part of --seconds, and must be shorter";
    if (arguments->file && arguments->clients > 1)
        return "--file goes with one client: orders of several sources would not meet as in it";
    if (strlen(arguments->principal) >= OC_PRINCIPAL_SIZE ||
        strlen(arguments->admin) >= OC_PRINCIPAL_SIZE)
        return "a principal has at most 31 characters";
    return NULL;
}

/* Returns -1 to go on, else the exit status. */
static int read_arguments(load_arguments_t *arguments, int argc, char **argv)
{
    set_defaults(arguments);
    const option_t table[] = {
        option_text("ingress", &arguments->ingress),
        option_text("file", &arguments->file),
        option_text("principal", &arguments->principal),
        option_text("admin", &arguments->admin),
        option_text("secret-file", &arguments->secret_file),
        option_text("hgrm", &arguments->hgrm),
        option_text("hlog", &arguments->hlog),
        option_text("log", &arguments->log),
        option_text("arrivals", &arguments->arrivals),
        option_choice("workload", &arguments->workload, workload_names),
        option_choice("format", &arguments->format, format_names),
        option_number("rate", &arguments->rate, 0, 100000000),
        option_number("seconds", &arguments->seconds, 1, 1000000),
        option_number("warmup", &arguments->warmup, 0, 1000000),
        option_number("burst", &arguments->burst, 1, ARRIVAL_BURST_MAX),
        option_number("seed", &arguments->seed, 0, UINT64_MAX),
        option_number("window-ms", &arguments->window_ms, 1, WINDOW_MS_MAX),
        option_number("burst-gap-us", &arguments->burst_gap_us, 0, BURST_GAP_US_MAX),
        option_choice("window-by", &arguments->window_by, weight_names),
        option_number("window", &arguments->window, 1, UNANSWERED_MAX),
        option_number("commands", &arguments->commands, 1, UINT64_MAX - 1),
        option_number("resting", &arguments->resting, 1, 1 << 27),
        option_number("clients", &arguments->clients, 1, LOAD_CLIENTS_MAX),
        option_number("source", &arguments->source, 1, 1 << 24),
        option_number("instrument", &arguments->instrument, 1, 1 << 30),
        option_number("admin-source", &arguments->admin_source, 1, 1 << 24),
        option_number("grace", &arguments->grace, 1, 3600),
        option_number("unsent-max", &arguments->unsent_max, 0, UINT64_MAX - 1),
        option_number("cpu", &arguments->cpu, 0, 1023),
        option_choice("idle", &arguments->idle, idle_names),
        option_flag("no-setup", &arguments->no_setup, true),
        option_flag("shared", &arguments->shared, true),
    };
    options_t parser = {.table = table, .count = sizeof table / sizeof table[0], .command = "load"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("load", parser.error);
    if (parser.help) {
        fputs(load_help, stdout);
        return 0;
    }
    const char *problem = check_arguments(arguments);
    return problem ? subcommand_usage("load", problem) : -1;
}

/* ---- The schedule --------------------------------------------------------------------------- */

static oc_err_t make_plan(load_setup_t *self, const load_arguments_t *arguments)
{
    const uint64_t gap_us =
        arguments->burst_gap_us == NOT_GIVEN ? BURST_GAP_US : arguments->burst_gap_us;
    const arrival_plan_options_t options = {
        .rate_per_s = arguments->rate,
        .seed = arguments->seed,
        .burst_gap_ns = gap_us * 1000,
        .window_ns = arguments->window_ms == NOT_GIVEN ? 0 : arguments->window_ms * MS_NS,
        .by_bytes = arguments->window_by == 1,
    };
    self->duration_ns = arguments->seconds == NOT_GIVEN ? 0 : arguments->seconds * SECOND_NS;
    if (!arguments->open)
        return OC_ERR_OK;
    const oc_err_t err = arrival_plan_init(&self->plan, &arguments->shape, &options);
    if (err != OC_ERR_OK)
        return err;
    if (arguments->seconds == NOT_GIVEN)
        self->duration_ns = arrival_plan_length_ns(&self->plan);
    if (arguments->warmup * SECOND_NS < self->duration_ns)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "--warmup is as long as the trace, %.3f s: nothing would be measured",
                     (double)self->duration_ns / 1e9);
}

/* ---- The flow ------------------------------------------------------------------------------- */

/* About how many orders each client will send. */
static uint64_t orders_expected(const load_setup_t *self, const load_arguments_t *arguments)
{
    if (!arguments->open)
        return MIXED_CLOSED;
    const trace_t *trace = &self->plan.play.trace;
    const double all =
        trace->count ? (double)trace->count
                     : arrival_rate_per_s(&self->plan.arrivals) * (double)self->duration_ns / 1e9;
    return all < MIXED_MAX ? (uint64_t)all / arguments->clients + 1 : MIXED_MAX;
}

static oc_err_t make_workload(load_setup_t *self, const load_arguments_t *arguments)
{
    uint64_t mixed = orders_expected(self, arguments);
    if (arguments->commands && mixed > arguments->commands)
        mixed = arguments->commands;
    mixed = mixed < MIXED_MAX ? mixed : MIXED_MAX;
    const oc_err_t err =
        workload_init(&self->workload, WORKLOAD_W1, (uint32_t)arguments->resting, (uint32_t)mixed);
    if (err != OC_ERR_OK)
        return err;
    self->flow = (load_flow_t){.workload = &self->workload,
                               .count = arguments->resting + mixed,
                               .instrument_offset = (uint32_t)arguments->instrument - 1};
    oc_command_t *instrument = self->instruments;
    memset(instrument, 0, sizeof *instrument);
    instrument->type = OC_COMMAND_INSTRUMENT_ADD;
    instrument->instrument.value = (uint32_t)arguments->instrument;
    instrument->u.instrument.price_low_ticks = WORKLOAD_PRICE_MIDDLE - WORKLOAD_PRICE_HALF;
    instrument->u.instrument.price_high_ticks = WORKLOAD_PRICE_MIDDLE + WORKLOAD_PRICE_HALF;
    instrument->u.instrument.max_quantity_lots = 1000;
    instrument->u.instrument.state = OC_STATE_CONTINUOUS;
    self->instrument_count = 1;
    return OC_ERR_OK;
}

static oc_err_t make_file_flow(load_setup_t *self, const load_arguments_t *arguments)
{
    const prepared_flow_options_t how = {
        .path = arguments->file,
        .format = (flow_format_t)arguments->format,
        .engine = OC_ENGINE_FAST,
        .modify_priority = OC_PRIORITY_KEEP,
        .max_orders = REPLAY_RUN_MAX_ORDERS_DEFAULT,
    };
    oc_err_t err = prepared_flow_read(&self->prepared, &how);
    if (err != OC_ERR_OK)
        return err;
    load_flow_compiled_t compiled;
    err = load_flow_compile(self->prepared.commands, self->prepared.count, self->instruments,
                            INSTRUMENTS_MAX, &compiled);
    if (err != OC_ERR_OK)
        return err;
    if (compiled.count == 0)
        return error_set(OC_ERR_FORMAT, "%s: no orders in it", arguments->file);
    self->instrument_count = compiled.instrument_count;
    self->left_out = compiled.left_out;
    self->flow = (load_flow_t){.commands = self->prepared.commands, .count = compiled.count};
    return OC_ERR_OK;
}

static oc_err_t make_recorder(load_setup_t *self, const load_arguments_t *arguments)
{
    /* Intervals of a second, or longer ones that they are not too many; one more for what is
     * answered late. */
    const uint64_t all = (self->duration_ns + SECOND_NS - 1) / SECOND_NS;
    const uint64_t seconds = (all + LOAD_INTERVALS_MAX - 2) / (LOAD_INTERVALS_MAX - 1);
    const uint64_t count = (all + seconds - 1) / seconds + 1;
    const oc_err_t err = load_recorder_init(&self->recorder, (size_t)count, seconds * SECOND_NS);
    self->recorder.warmup_ns = arguments->warmup * SECOND_NS;
    return err;
}

static void setup_fini(load_setup_t *self)
{
    arrival_plan_fini(&self->plan);
    workload_fini(&self->workload);
    prepared_flow_fini(&self->prepared);
    free(self->instruments);
    load_recorder_fini(&self->recorder);
    memset(&self->trader_secret, 0, sizeof self->trader_secret);
    memset(&self->admin_secret, 0, sizeof self->admin_secret);
}

static oc_err_t setup_init(load_setup_t *self, const load_arguments_t *arguments)
{
    memset(self, 0, sizeof *self);
    self->instruments = malloc(INSTRUMENTS_MAX * sizeof *self->instruments);
    if (!self->instruments)
        return error_set(OC_ERR_NO_MEMORY, "load: no memory for instruments");
    oc_err_t err = make_plan(self, arguments);
    if (err == OC_ERR_OK)
        err = arguments->file ? make_file_flow(self, arguments) : make_workload(self, arguments);
    if (err == OC_ERR_OK)
        err = make_recorder(self, arguments);
    if (err == OC_ERR_OK && arguments->secret_file)
        err = secret_file_find(arguments->secret_file, arguments->principal, &self->trader_secret);
    if (err == OC_ERR_OK && arguments->secret_file && !arguments->no_setup)
        err = secret_file_find(arguments->secret_file, arguments->admin, &self->admin_secret);
    if (err == OC_ERR_OK && arguments->log) {
        err = response_log_create(&self->log, arguments->log);
        self->recorder.log = &self->log;
    }
    return err;
}

/* ---- The run and its report ----------------------------------------------------------------- */

static oc_err_t write_hlog(const load_setup_t *self, const char *path)
{
    const load_recorder_t *recorder = &self->recorder;
    return hlog_write(path, self->start_s, recorder->intervals, recorder->count,
                      (double)recorder->interval_ns / 1e9);
}

/* What was not as intended, or not as a venue promises, behind the warm-up. */
static void print_marks(const load_result_t *result)
{
    const load_counts_t *counts = &result->counts;
    const struct {
        const char *name;
        uint64_t value;
    } marks[] = {
        {"late", counts->late - counts->warm_late},
        {"unsent", result->unsent},
        {"lost", result->lost},
        {"doubled", counts->doubled},
        {"missed_outputs", counts->missed},
        {"out_of_order", counts->out_of_order},
    };
    bool marked = false;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (marks[i].value == 0)
            continue;
        printf("%s %s=%" PRIu64, marked ? "" : "marked:", marks[i].name, marks[i].value);
        marked = true;
    }
    if (marked)
        printf("\n");
}

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

static void print_latency(const char *name, const histogram_t *latency)
{
    printf("%s_p50_us: %.1f\n", name, (double)histogram_percentile(latency, 50.0) / 1e3);
    printf("%s_p90_us: %.1f\n", name, (double)histogram_percentile(latency, 90.0) / 1e3);
    printf("%s_p99_us: %.1f\n", name, (double)histogram_percentile(latency, 99.0) / 1e3);
    printf("%s_p999_us: %.1f\n", name, (double)histogram_percentile(latency, 99.9) / 1e3);
    printf("%s_max_us: %.1f\n", name, (double)histogram_max(latency) / 1e3);
}

static void print_mode(const load_arguments_t *arguments, const load_setup_t *setup)
{
    if (arguments->open) {
        printf("mode: open-loop\n");
        arrival_plan_print(&setup->plan, stdout);
    } else {
        printf("mode: closed-loop window %" PRIu64 "\n", arguments->window);
    }
    printf("flow: %s\n", arguments->file ? arguments->file : workload_names[arguments->workload]);
    printf("clients: %" PRIu64 "\n", arguments->clients);
    if (arguments->file)
        printf("left_out: %zu\n", setup->left_out);
}

static oc_err_t write_files(load_setup_t *setup, const load_arguments_t *arguments,
                            const histogram_t *latency)
{
    oc_err_t err = OC_ERR_OK;
    if (arguments->hgrm)
        err = hgrm_write(arguments->hgrm, latency, 1e3);
    if (err == OC_ERR_OK && arguments->hlog)
        err = write_hlog(setup, arguments->hlog);
    return err;
}

static int report(load_setup_t *setup, const load_arguments_t *arguments,
                  const load_result_t *result, const load_venue_counts_t *links)
{
    histogram_t *latency = histogram_create();
    if (!latency) {
        (void)error_set(OC_ERR_NO_MEMORY, "load: no memory for a histogram");
        return subcommand_failed();
    }
    for (size_t i = 0; i < setup->recorder.count; i++)
        histogram_add(latency, setup->recorder.intervals[i]);
    print_mode(arguments, setup);
    print_counts(result, links, setup->recorder.warmup_ns);
    print_latency("rtt", latency);
    print_latency("service", setup->recorder.service);
    print_marks(result);
    const oc_err_t err = write_files(setup, arguments, latency);
    histogram_destroy(latency);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    if (load_result_faults(result) > 0)
        return EXIT_STATUS_FAILED;
    return result->unsent > arguments->unsent_max ? EXIT_STATUS_FAILED : 0;
}

static int run_connected(load_setup_t *setup, const load_arguments_t *arguments,
                         load_venue_t *venue)
{
    const load_config_t config = {
        .clients = load_venue_clients(venue),
        .client_count = (size_t)arguments->clients,
        .arrivals = arguments->open ? &setup->plan.arrivals : NULL,
        .window = arguments->window,
        .duration_ns = setup->duration_ns,
        .commands_max = arguments->commands,
        .grace_ns = arguments->grace * SECOND_NS,
        .pause_ns = arguments->idle == 0 ? 0 : PAUSE_NS,
        .stop = process_end_requested,
    };
    setup->start_s = (double)clock_real_ns() / 1e9;
    load_result_t result;
    load_run(&config, &setup->recorder, &result);
    load_venue_counts_t links;
    load_venue_counts(venue, &links);
    int status = report(setup, arguments, &result, &links);
    if (result.closed) {
        fprintf(stderr, "outcry: load: the venue ended the session: %s\n",
                load_venue_reason(venue));
        status = EXIT_STATUS_FAILED;
    }
    return status;
}

static void venue_config(load_venue_config_t *config, const load_setup_t *setup,
                         const load_arguments_t *arguments)
{
    *config = (load_venue_config_t){
        .ingress = arguments->ingress,
        .admin = {.principal = arguments->admin},
        .admin_source = {(uint32_t)arguments->admin_source},
        .trader = {.principal = arguments->principal},
        .first_source = {(uint32_t)arguments->source},
        .clients = (size_t)arguments->clients,
        .unanswered_max = arguments->open ? UNANSWERED_OPEN : UNANSWERED_MAX,
        .instrument_step = arguments->shared ? 0 : 1,
        .instruments = setup->instruments,
        .instrument_count = setup->instrument_count,
    };
    if (setup->trader_secret.length) {
        config->trader.secret = setup->trader_secret.bytes;
        config->trader.secret_length = setup->trader_secret.length;
    }
    if (setup->admin_secret.length) {
        config->admin.secret = setup->admin_secret.bytes;
        config->admin.secret_length = setup->admin_secret.length;
    }
}

static int run(load_setup_t *setup, const load_arguments_t *arguments)
{
    load_venue_config_t config;
    venue_config(&config, setup, arguments);
    if (!arguments->no_setup && load_venue_prepare(&config) != OC_ERR_OK)
        return subcommand_failed();
    load_venue_t *venue;
    if (load_venue_connect(&venue, &config, &setup->flow, &setup->recorder) != OC_ERR_OK)
        return subcommand_failed();
    const int status = run_connected(setup, arguments, venue);
    load_venue_close(venue);
    return status;
}

int load_main(int argc, char **argv)
{
    load_arguments_t arguments;
    int status = read_arguments(&arguments, argc, argv);
    if (status >= 0)
        return status;
    if (arguments.cpu != NOT_GIVEN && bench_host_pin((int)arguments.cpu) != OC_ERR_OK) {
        (void)subcommand_failed();
        return EXIT_STATUS_USAGE;
    }
    load_setup_t setup;
    (void)process_take_signals();
    status =
        setup_init(&setup, &arguments) == OC_ERR_OK ? run(&setup, &arguments) : subcommand_failed();
    if (response_log_close(&setup.log) != OC_ERR_OK)
        status = subcommand_failed();
    setup_fini(&setup);
    process_give_signals_back();
    return status;
}
