/*
 * `outcry bench snapshot`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_snapshot.c. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "bench/bench_snapshot.h"
#include "bench/bench_host.h"
#include "cli/bench_run.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static const char snapshot_help[] =
    "usage: outcry bench snapshot --dir DIR [OPTION]...\n"
    "\n"
    "Starts a node, fills its book with resting orders through ingress, sends probes (orders that\n"
    "match nothing) on a fixed schedule, and has the node take full images meanwhile. Latency is\n"
    "counted from the intended time of each probe. Compared are the probes that were due from the\n"
    "begin of a snapshot to its commit with as many just before; medians of the rounds.\n"
    "stall_more: the difference within each snapshot. Of fewer than 100 probes (probes_during)\n"
    "the p99 is their worst. restore_ms: with the image in the page cache.\n"
    "Without --orders: a table of 100 thousand to 10 million orders.\n"
    "\n"
    "  --dir DIR            where; the device under it is what is measured (required)\n"
    "  --orders N           resting orders; prints `name: value` lines instead of the table\n"
    "  --rate N             probes per second (5000)\n"
    "  --rounds N           snapshots that count (5)\n"
    "  --sync S             of the node: always or none (always)\n"
    "  --node-cpu N         processor of the node's core (0)\n"
    "  --background-cpu N   processor of the node's journal writer and of its sweeper (that of "
    "the\n"
    "                       client)\n"
    "  --client-cpu N       processor of the probes (1; 0 if there is no other)\n"
    "  --idle S             of the node's core: backoff, yield or spin (backoff)\n"
    "  --run FILE           writes conditions and figures for outcry report\n"
    "\n"
    "Exit status: 0; 1 when something failed, or a probe was not answered.\n";

static const char *const idle_names[] = {"backoff", "yield", "spin", NULL};
static const char *const sync_names[] = {"always", "none", NULL};

static const uint32_t table_sizes[] = {100000, 1000000, 5000000, 10000000};

#define NOT_GIVEN UINT64_MAX

typedef struct snapshot_arguments {
    const char *dir;
    uint64_t orders;
    uint64_t rate;
    uint64_t rounds;
    uint64_t node_cpu;
    uint64_t background_cpu;
    uint64_t client_cpu;
    int sync;
    int idle;
    const char *run_path;
    run_file_t *run; /* NULL: none is written */
} snapshot_arguments_t;

/* Returns -1 to go on, else the exit status. */
static int read_arguments(snapshot_arguments_t *arguments, int argc, char **argv)
{
    const bool single = sysconf(_SC_NPROCESSORS_ONLN) < 2;
    *arguments = (snapshot_arguments_t){
        .orders = NOT_GIVEN,
        .rate = 5000,
        .rounds = 5,
        .background_cpu = NOT_GIVEN,
        .client_cpu = single ? 0 : 1,
    };
    const option_t table[] = {
        option_text("dir", &arguments->dir),
        option_number("orders", &arguments->orders, 1000, 50000000),
        option_number("rate", &arguments->rate, 1, 1000000),
        option_number("rounds", &arguments->rounds, 1, BENCH_SNAPSHOT_ROUNDS_MAX),
        option_choice("sync", &arguments->sync, sync_names),
        option_number("node-cpu", &arguments->node_cpu, 0, 1023),
        option_number("background-cpu", &arguments->background_cpu, 0, 1023),
        option_number("client-cpu", &arguments->client_cpu, 0, 1023),
        option_choice("idle", &arguments->idle, idle_names),
        option_output("run", &arguments->run_path),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(snapshot_help, stdout);
        return 0;
    }
    if (!arguments->dir)
        return subcommand_usage("bench",
                                "snapshot: --dir is missing; see outcry bench snapshot --help");
    if (arguments->background_cpu == NOT_GIVEN)
        arguments->background_cpu = arguments->client_cpu;
    arguments->run = bench_run_begin(arguments->run_path, "snapshot", RUN_LOOP_OPEN, &parser);
    return -1;
}

static oc_err_t measure(const snapshot_arguments_t *arguments, uint32_t orders,
                        bench_snapshot_result_t *result)
{
    const bench_snapshot_options_t options = {
        .dir = arguments->dir,
        .orders = orders,
        .rate_per_s = arguments->rate,
        .rounds = (uint32_t)arguments->rounds,
        .sync = sync_names[arguments->sync],
        .node_cpu = (int)arguments->node_cpu,
        .background_cpu = (int)arguments->background_cpu,
        .client_cpu = (int)arguments->client_cpu,
        .idle = idle_names[arguments->idle],
    };
    return bench_snapshot(&options, result);
}

static double amplification(const bench_snapshot_result_t *result)
{
    return result->log_bytes ? (double)result->incremental_bytes / (double)result->log_bytes : 0.0;
}

static void keep_result(const snapshot_arguments_t *arguments, uint32_t orders,
                        const bench_snapshot_result_t *result)
{
    char prefix[32];
    (void)snprintf(prefix, sizeof prefix, "%" PRIu32 " orders: ", orders);
    const bench_figure_t figures[] = {
        {"pause", result->pause_ns, "ns", 0},
        {"background", result->background_ms, "ms", 0},
        {"before", result->before_p99_us, "us", 99},
        {"before, worst", result->before_worst_us, "us", 100},
        {"during", result->during_p99_us, "us", 99},
        {"during, worst", result->during_worst_us, "us", 100},
        {"image", (double)result->image_bytes, "bytes", 0},
        {"write amplification", amplification(result), "", 0},
        {"restore", result->restore_warm_ms, "ms", 0},
    };
    const run_qualifiers_t with = {.rate = (double)arguments->rate, .arrivals = "even"};
    bench_run_figures(arguments->run, prefix, figures, sizeof figures / sizeof figures[0], &with);
    run_file_mark(arguments->run, "lost", result->unanswered);
}

static int run_one(const snapshot_arguments_t *arguments)
{
    bench_snapshot_result_t result;
    const uint32_t orders = (uint32_t)arguments->orders;
    if (measure(arguments, orders, &result) != OC_ERR_OK)
        return subcommand_failed();
    keep_result(arguments, orders, &result);
    printf("orders: %" PRIu32 "\n", orders);
    printf("rate: %" PRIu64 "\nrounds: %" PRIu64 "\nsync: %s\nidle: %s\n", arguments->rate,
           arguments->rounds, sync_names[arguments->sync], idle_names[arguments->idle]);
    printf("fill_s: %.1f\n", result.fill_s);
    printf("pause_ns: %.0f\n", result.pause_ns);
    printf("sweep_ms: %.1f\n", result.sweep_ms);
    printf("background_ms: %.1f\n", result.background_ms);
    printf("probes_during: %" PRIu64 "\n", result.probes);
    printf("stall_before_p99_us: %.1f\n", result.before_p99_us);
    printf("stall_before_worst_us: %.1f\n", result.before_worst_us);
    printf("stall_during_p99_us: %.1f\n", result.during_p99_us);
    printf("stall_worst_us: %.1f\n", result.during_worst_us);
    printf("stall_more_p99_us: %.1f\n", result.more_p99_us);
    printf("stall_more_worst_us: %.1f\n", result.more_worst_us);
    printf("pages_owner: %.0f\n", result.pages_owner);
    printf("image_bytes: %" PRIu64 "\n", result.image_bytes);
    printf("bytes_per_order: %.1f\n", (double)result.image_bytes / orders);
    printf("incremental_bytes: %" PRIu64 "\n", result.incremental_bytes);
    printf("log_bytes: %" PRIu64 "\n", result.log_bytes);
    printf("write_amplification: %.3f\n", amplification(&result));
    printf("restore_ms: %.1f\n", result.restore_warm_ms);
    printf("unanswered: %" PRIu64 "\n", result.unanswered);
    printf("steal_pct: %.2f\n", result.steal_pct);
    return result.unanswered ? EXIT_STATUS_FAILED : 0;
}

static int run_table(const snapshot_arguments_t *arguments)
{
    uint64_t unanswered = 0;
    printf("\nprobes: %" PRIu64 "/s, sync=%s; times of probes in us, medians of %" PRIu64
           " snapshots\n\n",
           arguments->rate, sync_names[arguments->sync], arguments->rounds);
    printf("| orders | pause ns | background ms | before p99 | during p99 | before worst | "
           "during worst | image MB | B/order | amplification | restore warm ms | steal %% |\n");
    printf("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof table_sizes / sizeof table_sizes[0]; i++) {
        bench_snapshot_result_t result;
        if (measure(arguments, table_sizes[i], &result) != OC_ERR_OK)
            return subcommand_failed();
        printf("| %" PRIu32
               " | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.1f | %.1f | %.3f | %.0f | "
               "%.1f |\n",
               table_sizes[i], result.pause_ns, result.background_ms, result.before_p99_us,
               result.during_p99_us, result.before_worst_us, result.during_worst_us,
               (double)result.image_bytes / 1e6, (double)result.image_bytes / table_sizes[i],
               amplification(&result), result.restore_warm_ms, result.steal_pct);
        keep_result(arguments, table_sizes[i], &result);
        unanswered += result.unanswered;
        if (!subcommand_flush())
            return EXIT_STATUS_FAILED;
    }
    printf("\nunanswered: %" PRIu64 "\n", unanswered);
    return unanswered ? EXIT_STATUS_FAILED : 0;
}

int bench_snapshot_main(int argc, char **argv)
{
    snapshot_arguments_t arguments;
    const int status = read_arguments(&arguments, argc, argv);
    if (status >= 0)
        return status;
    bench_host_print(stdout, (int)arguments.client_cpu);
    if (!subcommand_flush())
        return EXIT_STATUS_FAILED;
    const int result = arguments.orders == NOT_GIVEN ? run_table(&arguments) : run_one(&arguments);
    return bench_run_end(arguments.run, arguments.run_path, result);
}
