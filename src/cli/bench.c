/*
 * `outcry bench NAME`: measurements of the engine, printed with the conditions they were made
 * under. Called by main.
 *
 * It only reads options, prepares input and prints; what is measured, and how, is in src/bench.
 */
#include "bench/bench_book.h"
#include "bench/bench_host.h"
#include "bench/bench_shape.h"
#include "bench/bench_tape.h"
#include "cli/options.h"
#include "cli/prepared_flow.h"
#include "cli/replay_run.h"
#include "cli/subcommand.h"
#ifdef OUTCRY_AERON
#include "cli/bench_run.h"
#endif

#include "base/error.h"
#include "base/process_signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char bench_help[] =
    "usage: outcry bench NAME [OPTION]...\n"
    "\n"
    "  book       the workloads W1 (one instrument) and W2 (100), checked against their oracle\n"
    "  tape FILE  the order flow of FILE, prepared in memory; engine only\n"
    "  sparse     10,000 levels far apart; each operation makes or removes a level\n"
    "  deep       cancels inside one level of 1,000,000 orders; a sweep of 10,000 levels\n"
    "             (sparse and deep with the reference engine: a hundredth of each)\n"
    "  journal    a journal against its device; has options of its own: bench journal --help\n"
    "  recovery   a journal of W1 becomes an exchange again: bench recovery --help\n"
    "  node       a node and a client, durable and not: bench node --help\n"
    "  snapshot   what clients notice of a snapshot of a big book: bench snapshot --help\n"
    "  restart    a killed node until it serves, from an image and from its log: bench restart "
    "--help;\n"
    "             a killed member of a cluster with --members\n"
    "  stall      what clients of a cluster notice of snapshots: bench stall --help\n"
    "  failover   clients of a cluster whose leader is killed: bench failover --help\n"
    "  rtt        round trips and throughput through a cluster: bench rtt --help\n"
    "  order      latency of orders at a rate, through a node or a cluster: bench order --help\n"
    "  echo       round trips through Aeron itself: bench echo --help\n"
    "  knee       the rate at which a percentile of these crosses a limit: bench knee --help\n"
    "  selftest   whether echo can be believed, by a stall on purpose: bench selftest --help\n"
    "  burst      bursts through Aeron, how they are absorbed: bench burst --help\n"
    "  trace FILE the same with the times and sizes of a trace: bench trace --help\n"
    "  capture    an engine while its pages are copied: bench capture --help\n"
    "  restore    an image into an engine's memory: bench restore --help\n"
    "  records    a state as a record stream: bench records --help\n"
    "\n"
    "  --mode M             batch: one call for all commands; single: one call each (batch)\n"
    "  --cpu N              run on processor N only\n"
    "  --engine E           fast or reference (fast)\n"
    "  --repeats N          how often; medians are printed (5)\n"
    "  --output-hash S      on: hash the events as well, as a member of a cluster does (off)\n"
#ifdef OUTCRY_AERON
    "  --run FILE           book: writes conditions and figures for outcry report\n"
#endif
    "book:\n"
    "  --workload W         W1 or W2 (both)\n"
    "  --resting N          orders that rest before the mixed part (1000000; with the reference\n"
    "                       engine 10000)\n"
    "  --operations N       operations of the mixed part (5000000; with the reference engine\n"
    "                       50000)\n"
    "tape:\n"
    "  --modify-priority P  lose or keep the place in the queue on a modify (lose)\n"
    "  --max-orders N       most orders that may rest at a time (1048576)\n"
    "\n"
    "Times are of this thread's processor time unless the key says wall. They include the\n"
    "sequence check, state and output hash, and emission of the events. `oracle: FAIL`, with exit\n"
    "status 1, means that the engine came to a wrong result. load_average (before the run) and\n"
    "steal_pct (during it) tell how busy the machine was with other things.\n";

static const char *const mode_names[] = {"batch", "single", NULL};
static const char *const switch_names[] = {"off", "on", NULL};
static const char *const engine_names[] = {"fast", "reference", NULL};
static const char *const workload_names[] = {"both", "W1", "W2", NULL};
static const char *const priority_names[] = {"keep", "lose", NULL};

/* Of a number among the arguments, until read_options() is done with it. */
#define NOT_GIVEN UINT64_MAX

typedef struct bench_arguments {
    int mode;
    int engine;
    int output_hash;
    int workload; /* 0: both, else workload_kind_t */
    int modify_priority;
    uint64_t cpu;
    uint64_t repeats;
    uint64_t resting;
    uint64_t operations;
    uint64_t max_orders;
    const char *path;
    const char *run_path;
    struct run_file *run; /* NULL: none is written */
    bench_options_t options;
} bench_arguments_t;

typedef struct bench_kind {
    const char *name;
    bool takes_file;
    int (*run)(const bench_arguments_t *arguments);
} bench_kind_t;

static int run_book(const bench_arguments_t *arguments);
static int run_tape(const bench_arguments_t *arguments);
static int run_sparse(const bench_arguments_t *arguments);
static int run_deep(const bench_arguments_t *arguments);

static const bench_kind_t kinds[] = {
    {"book", false, run_book},
    {"tape", true, run_tape},
    {"sparse", false, run_sparse},
    {"deep", false, run_deep},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool is_slow(const bench_arguments_t *arguments)
{
    return arguments->engine == OC_ENGINE_REFERENCE;
}

/* Sizes that were not given: the reference engine would take hours for the usual ones. */
static void set_sizes(bench_arguments_t *arguments)
{
    const bool slow = is_slow(arguments);
    if (arguments->resting == NOT_GIVEN)
        arguments->resting = slow ? WORKLOAD_RESTING_SHORT : WORKLOAD_RESTING_DEFAULT;
    if (arguments->operations == NOT_GIVEN)
        arguments->operations = slow ? WORKLOAD_OPERATIONS_SHORT : WORKLOAD_OPERATIONS_DEFAULT;
}

/* The options of one kind: the common ones, then its own. Returns -1 to go on, else the status. */
static int read_options(bench_arguments_t *arguments, const bench_kind_t *kind, int argc,
                        char **argv)
{
    memset(arguments, 0, sizeof *arguments);
    arguments->cpu = NOT_GIVEN;
    arguments->repeats = 5;
    arguments->resting = NOT_GIVEN;
    arguments->operations = NOT_GIVEN;
    arguments->max_orders = REPLAY_RUN_MAX_ORDERS_DEFAULT;
    arguments->modify_priority = OC_PRIORITY_LOSE;
    enum { COMMON = 5, OWN = 4 };
    option_t table[COMMON + OWN] = {
        option_choice("mode", &arguments->mode, mode_names),
        option_choice("engine", &arguments->engine, engine_names),
        option_number("cpu", &arguments->cpu, 0, 1023),
        option_number("repeats", &arguments->repeats, 1, BENCH_REPEATS_MAX),
        option_choice("output-hash", &arguments->output_hash, switch_names),
    };
    size_t count = COMMON;
    if (kind->run == run_book) {
        table[count++] = option_choice("workload", &arguments->workload, workload_names);
        table[count++] = option_number("resting", &arguments->resting, 1, 1 << 27);
        table[count++] = option_number("operations", &arguments->operations, 0, 1 << 27);
#ifdef OUTCRY_AERON
        table[count++] = option_output("run", &arguments->run_path);
#endif
    } else if (kind->run == run_tape) {
        table[count++] =
            option_choice("modify-priority", &arguments->modify_priority, priority_names);
        table[count++] =
            option_number("max-orders", &arguments->max_orders, 1, REPLAY_RUN_MAX_ORDERS);
    }
    options_t parser = {.table = table,
                        .count = count,
                        .operand_low = kind->takes_file,
                        .operand_high = kind->takes_file,
                        .operand_name = "FILE",
                        .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(bench_help, stdout);
        return 0;
    }
    arguments->path = parser.operands[0];
    arguments->options.mode = (bench_mode_t)arguments->mode;
    arguments->options.engine = (oc_engine_kind_t)arguments->engine;
    arguments->options.hash_outputs = arguments->output_hash != 0;
    arguments->options.repeats = (unsigned)arguments->repeats;
    set_sizes(arguments);
#ifdef OUTCRY_AERON
    arguments->run = bench_run_begin(arguments->run_path, kind->name, RUN_LOOP_CLOSED, &parser);
    if (arguments->cpu != NOT_GIVEN)
        run_file_pinned(arguments->run, (int)arguments->cpu);
#endif
    return -1;
}

static void print_conditions(const bench_arguments_t *arguments)
{
    const int cpu = arguments->cpu == NOT_GIVEN ? BENCH_HOST_CPU_ANY : (int)arguments->cpu;
    bench_host_print(stdout, cpu);
    printf("engine: %s\n", engine_names[arguments->engine]);
    printf("mode: %s\n", mode_names[arguments->mode]);
    printf("output_hash: %s\n", switch_names[arguments->output_hash]);
    printf("repeats: %u\n", arguments->options.repeats);
}

/* Prints what became of the check, and returns the exit status of that. */
static int print_oracle(bool ok)
{
    printf("oracle: %s\n", ok ? "ok" : "FAIL");
    return ok ? 0 : EXIT_STATUS_FAILED;
}

/* For checks that say no more than FAIL. */
static int print_oracle_of(const char *what, bool ok)
{
    if (!ok)
        fprintf(stderr, "outcry: bench: the engine comes to a wrong result: %s\n", what);
    return print_oracle(ok);
}

#ifdef OUTCRY_AERON
static void keep_book_result(const bench_arguments_t *arguments, const workload_t *workload,
                             const bench_book_result_t *result)
{
    char prefix[16];
    (void)snprintf(prefix, sizeof prefix, "%s ", workload_names[workload->kind]);
    const bool percentiles = arguments->options.mode == BENCH_SINGLE;
    const bench_figure_t figures[] = {
        {"fill_ns_per_op", result->fill_ns, "ns", 0},
        {"mixed_ns_per_op", result->mixed_ns, "ns", 0},
        {"fill_wall_ns_per_op", result->fill_wall_ns, "ns", 0},
        {"mixed_wall_ns_per_op", result->mixed_wall_ns, "ns", 0},
        {"bytes_per_order", result->bytes_per_order, "bytes", 0},
        {"p99_ns", result->p99_ns, "ns", 99}, /* these only of single calls */
        {"p999_ns", result->p999_ns, "ns", 99.9},
    };
    bench_run_figures(arguments->run, prefix, figures, percentiles ? 7 : 5, NULL);
}
#endif

static int print_book_result(const bench_arguments_t *arguments, const workload_t *workload,
                             const bench_book_result_t *result)
{
    printf("\nworkload: %s\n", workload_names[workload->kind]);
    printf("mode: %s\n", mode_names[arguments->mode]);
    printf("output_hash: %s\n", switch_names[arguments->output_hash]);
    printf("resting: %" PRIu32 "\n", workload->resting_count);
    printf("operations: %" PRIu32 "\n", workload->mixed_count);
    printf("fill_ns_per_op: %.1f\n", result->fill_ns);
    printf("mixed_ns_per_op: %.1f\n", result->mixed_ns);
    printf("fill_wall_ns_per_op: %.1f\n", result->fill_wall_ns);
    printf("mixed_wall_ns_per_op: %.1f\n", result->mixed_wall_ns);
    printf("p99_ns: %.0f\n", result->p99_ns);
    printf("p999_ns: %.0f\n", result->p999_ns);
    printf("bytes_per_order: %.1f\n", result->bytes_per_order);
    printf("trade_hash: %016" PRIx64 "\n", result->trade_hash);
    printf("book_hash: %016" PRIx64 "\n", result->book_hash);
#ifdef OUTCRY_AERON
    keep_book_result(arguments, workload, result);
#endif
    return print_oracle(result->oracle_ok);
}

static int run_workload(const bench_arguments_t *arguments, workload_kind_t kind)
{
    workload_t workload;
    if (workload_init(&workload, kind, (uint32_t)arguments->resting,
                      (uint32_t)arguments->operations) != OC_ERR_OK)
        return subcommand_failed();
    bench_book_result_t result;
    const oc_err_t err = bench_book(&workload, &arguments->options, &result);
    int status = 0;
    if (err != OC_ERR_OK) {
        status = subcommand_failed();
    } else {
        status = print_book_result(arguments, &workload, &result);
        if (status != 0)
            fprintf(stderr,
                    "outcry: the engine does not reproduce the oracle of %s: trade_hash "
                    "%016" PRIx64 " and book_hash %016" PRIx64 " are right\n",
                    workload_names[kind], workload.oracle.trade_hash, workload.oracle.book_hash);
    }
    workload_fini(&workload);
    return status;
}

static int run_book(const bench_arguments_t *arguments)
{
    int status = 0;
    for (int kind = WORKLOAD_W1; kind <= WORKLOAD_W2; kind++) {
        if (arguments->workload != 0 && arguments->workload != kind)
            continue;
        if (run_workload(arguments, (workload_kind_t)kind) != 0)
            status = EXIT_STATUS_FAILED;
        if (!subcommand_flush())
            return status;
    }
    return status;
}

static int run_tape(const bench_arguments_t *arguments)
{
    const prepared_flow_options_t how = {
        .path = arguments->path,
        .format = FLOW_FORMAT_AUTO,
        .engine = arguments->options.engine,
        .hash_outputs = arguments->options.hash_outputs,
        .modify_priority = (oc_modify_priority_t)arguments->modify_priority,
        .max_orders = (uint32_t)arguments->max_orders,
    };
    prepared_flow_t prepared;
    bench_tape_result_t result;
    if (prepared_flow_read(&prepared, &how) != OC_ERR_OK)
        return subcommand_failed();
    const oc_engine_config_t config = prepared.config;
    const size_t count = prepared.count;
    const bench_tape_flow_t flow = {prepared.commands, count, &config, prepared.state_hash};
    const oc_err_t err = bench_tape(&flow, &arguments->options, &result);
    prepared_flow_fini(&prepared);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    printf("\nmessages: %zu\n", count);
    printf("messages_per_s: %.0f\n", result.cpu_ns > 0 ? 1e9 / result.cpu_ns : 0.0);
    printf("ns_per_message: %.1f\n", result.cpu_ns);
    printf("wall_ns_per_message: %.1f\n", result.wall_ns);
    printf("events: %" PRIu64 "\n", result.events);
    printf("modify_priority: %s\n", priority_names[config.modify_priority]);
    printf("state_hash: %016" PRIx64 "\n", result.state_hash);
    return print_oracle_of("the state after a repeat is not that of the preparation",
                           result.oracle_ok);
}

static int run_sparse(const bench_arguments_t *arguments)
{
    const bench_sparse_size_t size =
        is_slow(arguments) ? BENCH_SPARSE_SIZE_SHORT : BENCH_SPARSE_SIZE;
    bench_sparse_result_t result;
    if (bench_sparse(&arguments->options, &size, &result) != OC_ERR_OK)
        return subcommand_failed();
    printf("\nlevels: %" PRIu32 "\n", size.levels);
    printf("operations: %" PRIu32 "\n", size.operations);
    printf("ns_per_op: %.1f\n", result.ns_per_op);
    return print_oracle_of("the number of resting orders", result.oracle_ok);
}

static int run_deep(const bench_arguments_t *arguments)
{
    const bench_deep_size_t size = is_slow(arguments) ? BENCH_DEEP_SIZE_SHORT : BENCH_DEEP_SIZE;
    bench_deep_result_t result;
    if (bench_deep(&arguments->options, &size, &result) != OC_ERR_OK)
        return subcommand_failed();
    const double ratio =
        result.ordinary_cancel_ns > 0 ? result.deep_cancel_ns / result.ordinary_cancel_ns : 0.0;
    printf("\norders: %" PRIu32 "\n", size.orders);
    printf("deep_cancel_ns: %.1f\n", result.deep_cancel_ns);
    printf("ordinary_levels: %" PRIu32 "\n", size.ordinary_levels);
    printf("ordinary_cancel_ns: %.1f\n", result.ordinary_cancel_ns);
    printf("deep_to_ordinary: %.2f\n", ratio);
    printf("sweep_levels: %" PRIu32 "\n", size.sweep_levels);
    printf("sweep_ns_per_level: %.1f\n", result.sweep_ns_per_level);
    return print_oracle_of("the number of resting orders", result.oracle_ok);
}

/* Those with options of their own. */
typedef struct bench_command {
    const char *name;
    bool tidies; /* files or processes, also when it is interrupted; else a signal just ends it */
    int (*main)(int argc, char **argv);
} bench_command_t;

static const bench_command_t commands[] = {
    {"capture", false, bench_capture_main},  {"records", false, bench_records_main},
    {"journal", true, bench_journal_main},
#ifdef OUTCRY_AERON
    {"restore", true, bench_restore_main},   {"node", true, bench_node_main},
    {"recovery", true, bench_recovery_main}, {"snapshot", true, bench_snapshot_main},
    {"restart", true, bench_restart_main},   {"stall", true, bench_stall_main},
    {"failover", true, bench_failover_main}, {"rtt", true, bench_rtt_main},
    {"echo", true, bench_echo_main},         {"knee", true, bench_knee_main},
    {"selftest", true, bench_selftest_main}, {"burst", true, bench_burst_main},
    {"trace", true, bench_trace_main},       {"order", true, bench_order_main},
#endif
};

static int run_command(const bench_command_t *command, int argc, char **argv)
{
    if (!command->tidies)
        return command->main(argc, argv);
    (void)process_take_signals();
    process_let_second_signal_kill();
    const int status = command->main(argc, argv);
    process_give_signals_back();
    return status;
}

static const bench_command_t *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

static const bench_kind_t *find_kind(const char *name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    return NULL;
}

int bench_main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "outcry: bench needs a name, such as book or node; see outcry bench "
                        "--help\n");
        return EXIT_STATUS_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        fputs(bench_help, stdout);
        return 0;
    }
    const bench_command_t *command = find_command(argv[1]);
    if (command)
        return run_command(command, argc - 1, argv + 1);
    const bench_kind_t *kind = find_kind(argv[1]);
    if (!kind) {
        fprintf(stderr, "outcry: bench: there is no '%s'; see outcry bench --help\n", argv[1]);
        return EXIT_STATUS_USAGE;
    }
    bench_arguments_t arguments;
    const int status = read_options(&arguments, kind, argc - 1, argv + 1);
    if (status >= 0)
        return status;
    if (arguments.cpu != NOT_GIVEN && bench_host_pin((int)arguments.cpu) != OC_ERR_OK) {
        (void)subcommand_failed();
        return EXIT_STATUS_USAGE;
    }
    print_conditions(&arguments);
    if (!subcommand_flush())
        return EXIT_STATUS_FAILED;
    bench_host_time_t begin;
    bench_host_time_t end;
    bench_host_time(&begin);
    const int result = kind->run(&arguments);
    bench_host_time(&end);
    printf("\nsteal_pct: %.2f\n", bench_host_steal_pct(&begin, &end));
#ifdef OUTCRY_AERON
    return bench_run_end(arguments.run, arguments.run_path, result);
#else
    return result;
#endif
}
