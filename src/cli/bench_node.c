/*
 * `outcry bench node`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_node.c. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "bench/bench_node.h"
#include "bench/bench_host.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static const char node_help[] =
    "usage: outcry bench node --dir DIR [OPTION]...\n"
    "\n"
    "Starts nodes with sync=always and sync=none in turns, each with one client: first with one\n"
    "order under way, then with as many as it takes. Prints medians of the rounds.\n"
    "\n"
    "  --dir DIR            where; the device under it is what is measured (required)\n"
    "  --seconds N          about so long in all (24)\n"
    "  --rounds N           how often everything is measured (3)\n"
    "  --rate N             orders per second of the round trips; 0: the next one leaves with the\n"
    "                       answer to the last (0)\n"
    "  --window N           unanswered orders of the batching client (16384)\n"
    "  --node-cpu N         processor of the node's core (0)\n"
    "  --writer-cpu N       processor of its journal's writer (that of the core)\n"
    "  --client-cpu N       processor of the client (1; 0 if there is no other)\n"
    "  --idle S             of the node's core: backoff, yield or spin (spin)\n"
    "\n"
    "Exit status: 0; 1 when something failed, or an order was lost or doubled.\n";

static const char *const idle_names[] = {"spin", "yield", "backoff", NULL};

enum { PARTS = 4 }; /* measurements of a round */

#define NOT_GIVEN UINT64_MAX

static void print_result(const bench_node_options_t *options, const bench_node_result_t *result)
{
    printf("rounds: %" PRIu32 "\n", options->rounds);
    printf("part_s: %.2f\n", (double)options->part_ns / 1e9);
    if (options->rate_per_s)
        printf("rtt_mode: open-loop rate %" PRIu64 "\n", options->rate_per_s);
    else
        printf("rtt_mode: closed-loop window 1\n");
    printf("throughput_mode: closed-loop window %" PRIu32 "\n", options->window);
    printf("node_cpu: %d\nwriter_cpu: %d\nclient_cpu: %d\n", options->node_cpu, options->writer_cpu,
           options->client_cpu);
    printf("node_idle: %s\n", options->idle);
    const double *rtt = result->rtt_p50_us;
    const double *rate = result->orders_per_s;
    printf("raw_sync_p50_us: %.1f\n", result->raw_sync_p50_us);
    printf("rtt_always_p50_us: %.1f\n", rtt[BENCH_NODE_ALWAYS]);
    printf("rtt_none_p50_us: %.1f\n", rtt[BENCH_NODE_NONE]);
    printf("rtt_always_p99_us: %.1f\n", result->rtt_p99_us[BENCH_NODE_ALWAYS]);
    printf("rtt_none_p99_us: %.1f\n", result->rtt_p99_us[BENCH_NODE_NONE]);
    printf("orders_per_s_always: %.0f\n", rate[BENCH_NODE_ALWAYS]);
    printf("orders_per_s_none: %.0f\n", rate[BENCH_NODE_NONE]);
    printf("orders_ratio: %.3f\n",
           rate[BENCH_NODE_NONE] > 0 ? rate[BENCH_NODE_ALWAYS] / rate[BENCH_NODE_NONE] : 0.0);
    printf("lost_or_doubled: %" PRIu64 "\n", result->lost);
}

typedef struct node_arguments {
    const char *dir;
    uint64_t seconds;
    uint64_t rounds;
    uint64_t rate;
    uint64_t window;
    uint64_t node_cpu;
    uint64_t writer_cpu;
    uint64_t client_cpu;
    int idle;
} node_arguments_t;

/* Returns -1 to go on, else the exit status. */
static int read_arguments(node_arguments_t *arguments, int argc, char **argv)
{
    const bool single = sysconf(_SC_NPROCESSORS_ONLN) < 2;
    *arguments = (node_arguments_t){
        .seconds = 24,
        .rounds = 3,
        .window = 16384,
        .writer_cpu = NOT_GIVEN,
        .client_cpu = single ? 0 : 1,
    };
    const option_t table[] = {
        option_text("dir", &arguments->dir),
        option_number("seconds", &arguments->seconds, 1, 36000),
        option_number("rounds", &arguments->rounds, 1, BENCH_NODE_ROUNDS_MAX),
        option_number("rate", &arguments->rate, 0, 1000000),
        option_number("window", &arguments->window, 1, 16384),
        option_number("node-cpu", &arguments->node_cpu, 0, 1023),
        option_number("writer-cpu", &arguments->writer_cpu, 0, 1023),
        option_number("client-cpu", &arguments->client_cpu, 0, 1023),
        option_choice("idle", &arguments->idle, idle_names),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(node_help, stdout);
        return 0;
    }
    if (!arguments->dir)
        return subcommand_usage("bench", "node: --dir is missing; see outcry bench node --help");
    if (arguments->writer_cpu == NOT_GIVEN)
        arguments->writer_cpu = arguments->node_cpu;
    return -1;
}

int bench_node_main(int argc, char **argv)
{
    node_arguments_t arguments;
    const int status = read_arguments(&arguments, argc, argv);
    if (status >= 0)
        return status;
    const bench_node_options_t options = {
        .dir = arguments.dir,
        .rounds = (uint32_t)arguments.rounds,
        .part_ns = arguments.seconds * UINT64_C(1000000000) / (arguments.rounds * PARTS),
        .rate_per_s = arguments.rate,
        .window = (uint32_t)arguments.window,
        .node_cpu = (int)arguments.node_cpu,
        .writer_cpu = (int)arguments.writer_cpu,
        .client_cpu = (int)arguments.client_cpu,
        .idle = idle_names[arguments.idle],
    };
    bench_host_print(stdout, options.client_cpu);
    if (!subcommand_flush())
        return EXIT_STATUS_FAILED;
    bench_node_result_t result;
    bench_host_time_t begin;
    bench_host_time_t end;
    bench_host_time(&begin);
    if (bench_node(&options, &result) != OC_ERR_OK)
        return subcommand_failed();
    bench_host_time(&end);
    print_result(&options, &result);
    printf("steal_pct: %.2f\n", bench_host_steal_pct(&begin, &end));
    return result.lost ? EXIT_STATUS_FAILED : 0;
}
