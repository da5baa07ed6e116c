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
    "\n"
    "Sends orders to a venue at times fixed in advance, and counts what comes back; latency is\n"
    "measured from the intended time of sending.\n"
    "\n"
    "  --ingress HOST:PORT  where the venue listens, or 0=HOST:PORT,1=HOST:PORT,...\n"
    "  --rate N             orders per second of all clients together; 0: closed loop\n"
    "  --seconds N          how long to send (10)\n"
    "  --burst N            orders intended at the same moment (1)\n"
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
    "  --hlog FILE          write the histogram log of latency, in nanoseconds\n"
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
    MIXED_MAX = WORKLOAD_OPERATIONS_DEFAULT, /* then the flow begins again */
    MIXED_CLOSED = 1000000,                  /* in closed loop, where the number is not known */
};

#define NOT_GIVEN UINT64_MAX
#define SECOND_NS UINT64_C(1000000000)
#define PAUSE_NS  UINT64_C(100000)

static const char *const format_names[] = {"auto", "tape", "lobster", "dbn", "itch", "own", NULL};
static const char *const workload_names[] = {"W1", NULL};
static const char *const idle_names[] = {"yield", "sleep", NULL};

typedef struct load_arguments {
    const char *ingress;
    const char *file;
    const char *principal;
    const char *admin;
    const char *secret_file;
    const char *hgrm;
    const char *hlog;
    const char *log;
    int workload;
    int format; /* flow_format_t */
    int idle;   /* of idle_names */
    uint64_t rate;
    uint64_t seconds;
    uint64_t burst;
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
} load_arguments_t;

/* All that a run owns. */
typedef struct load_setup {
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
        .seconds = 10,
        .burst = 1,
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

/* What the table of options cannot say; NULL if all is well. */
static const char *check_arguments(const load_arguments_t *arguments)
{
    if (!arguments->ingress)
        return "--ingress is missing; see outcry load --help";
    if (arguments->rate == NOT_GIVEN)
        return "--rate is missing; see outcry load --help";
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
        option_choice("workload", &arguments->workload, workload_names),
        option_choice("format", &arguments->format, format_names),
        option_number("rate", &arguments->rate, 0, 100000000),
        option_number("seconds", &arguments->seconds, 1, 1000000),
        option_number("burst", &arguments->burst, 1, 1000000),
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

/* ---- The flow ------------------------------------------------------------------------------- */

static oc_err_t make_workload(load_setup_t *self, const load_arguments_t *arguments)
{
    uint64_t mixed = arguments->rate ? arguments->rate * arguments->seconds / arguments->clients + 1
                                     : MIXED_CLOSED;
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
    const uint64_t seconds =
        (arguments->seconds + LOAD_INTERVALS_MAX - 2) / (LOAD_INTERVALS_MAX - 1);
    const uint64_t count = (arguments->seconds + seconds - 1) / seconds + 1;
    return load_recorder_init(&self->recorder, (size_t)count, seconds * SECOND_NS);
}

static void setup_fini(load_setup_t *self)
{
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
    oc_err_t err =
        arguments->file ? make_file_flow(self, arguments) : make_workload(self, arguments);
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
    hlog_writer_t writer;
    oc_err_t err = hlog_open(&writer, path, self->start_s);
    if (err != OC_ERR_OK)
        return err;
    const double length_s = (double)self->recorder.interval_ns / 1e9;
    for (size_t i = 0; err == OC_ERR_OK && i < self->recorder.count; i++)
        err = hlog_interval(&writer, self->recorder.intervals[i], (double)i * length_s, length_s);
    const oc_err_t closed = hlog_close(&writer);
    return err != OC_ERR_OK ? err : closed;
}

static void print_counts(const load_result_t *result, const load_venue_counts_t *links)
{
    const load_counts_t *counts = &result->counts;
    const double seconds = (double)result->answered_ns / 1e9;
    printf("sent: %" PRIu64 "\n", counts->sent);
    printf("answered: %" PRIu64 "\n", counts->answered);
    printf("rejected: %" PRIu64 "\n", counts->rejected);
    printf("lost: %" PRIu64 "\n", result->lost);
    printf("doubled: %" PRIu64 "\n", counts->doubled);
    printf("unsent: %" PRIu64 "\n", result->unsent);
    printf("late: %" PRIu64 "\n", counts->late);
    printf("fills: %" PRIu64 "\n", counts->fills);
    printf("missed_outputs: %" PRIu64 "\n", counts->missed);
    printf("sequence_rejects: %" PRIu64 "\n", counts->sequences);
    printf("message_rejects: %" PRIu64 "\n", counts->messages);
    printf("reconnects: %" PRIu64 "\n", links->reconnects);
    printf("resent: %" PRIu64 "\n", links->resent);
    printf("repeats: %" PRIu64 "\n", links->repeats);
    printf("sending_s: %.3f\n", (double)result->sending_ns / 1e9);
    printf("cpu_s: %.3f\n", (double)result->cpu_ns / 1e9);
    printf("orders_per_s: %.0f\n", seconds > 0 ? (double)counts->answered / seconds : 0.0);
}

static void print_latency(const histogram_t *latency)
{
    printf("rtt_p50_us: %.1f\n", (double)histogram_percentile(latency, 50.0) / 1e3);
    printf("rtt_p90_us: %.1f\n", (double)histogram_percentile(latency, 90.0) / 1e3);
    printf("rtt_p99_us: %.1f\n", (double)histogram_percentile(latency, 99.0) / 1e3);
    printf("rtt_p999_us: %.1f\n", (double)histogram_percentile(latency, 99.9) / 1e3);
    printf("rtt_max_us: %.1f\n", (double)histogram_max(latency) / 1e3);
}

static void print_mode(const load_arguments_t *arguments, const load_setup_t *setup)
{
    if (arguments->rate)
        printf("mode: open-loop rate %" PRIu64 " burst %" PRIu64 "\n", arguments->rate,
               arguments->burst);
    else
        printf("mode: closed-loop window %" PRIu64 "\n", arguments->window);
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
    print_counts(result, links);
    print_latency(latency);
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
        .rate_per_s = arguments->rate,
        .burst = arguments->burst,
        .window = arguments->window,
        .duration_ns = arguments->seconds * SECOND_NS,
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
        .unanswered_max = arguments->rate > 0 ? UNANSWERED_OPEN : UNANSWERED_MAX,
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
