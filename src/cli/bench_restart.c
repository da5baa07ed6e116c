/*
 * `outcry bench restart`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_restart.c. With --members it is cli/bench_rejoin.c's. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "bench/bench_restart.h"
#include "bench/bench_host.h"
#include "cli/bench_run.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char restart_help[] =
    "usage: outcry bench restart --dir DIR [OPTION]...\n"
    "       outcry bench restart --members N --dir DIR ...: of a cluster; --members N --help\n"
    "\n"
    "Starts a node, fills its book through ingress, has it take an image, sends a tail of more\n"
    "commands, kills it with SIGKILL, and measures from the start of its next process until it\n"
    "serves: from image and tail, from the log alone, and with the same tables and nothing in "
    "them.\n"
    "The image is read from the device: a node writes it around the page cache, and reads what is\n"
    "not there likewise.\n"
    "\n"
    "  --dir DIR            where; the device under it is what is measured (required)\n"
    "  --orders N           orders that rest in the book, 1000 to 50000000 (1000000)\n"
    "  --tail N             commands behind the image, 0 to 50000000 (100000)\n"
    "  --rounds N           starts that count, 1 to 31; from the log alone it is one (5)\n"
    "  --node-cpu N         number of the processor that the node's core is pinned to (any)\n"
    "  --members N          a cluster of so many members instead of a node; what is said above "
    "and\n"
    "                       the options are others then: --members N --help\n"
    "  --run FILE           writes conditions and figures for outcry report\n"
    "\n"
    "Exit status: 0; 1 when something failed, 2 for a wrong command line.\n";

_Static_assert(BENCH_RESTART_ROUNDS_MAX == 31, "as the help has it");

#define NOT_GIVEN UINT64_MAX

typedef struct restart_arguments {
    const char *dir;
    uint64_t orders;
    uint64_t tail;
    uint64_t rounds;
    uint64_t node_cpu;
    const char *run_path;
    run_file_t *run; /* NULL: none is written */
} restart_arguments_t;

/* Returns -1 to go on, else the exit status. */
static int read_arguments(restart_arguments_t *arguments, int argc, char **argv)
{
    *arguments = (restart_arguments_t){
        .orders = 1000000, .tail = 100000, .rounds = 5, .node_cpu = NOT_GIVEN};
    const option_t table[] = {
        option_text("dir", &arguments->dir),
        option_number("orders", &arguments->orders, 1000, 50000000),
        option_number("tail", &arguments->tail, 0, 50000000),
        option_number("rounds", &arguments->rounds, 1, BENCH_RESTART_ROUNDS_MAX),
        option_number("node-cpu", &arguments->node_cpu, 0, 1023),
        option_output("run", &arguments->run_path),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(restart_help, stdout);
        return 0;
    }
    if (!arguments->dir)
        return subcommand_usage("bench",
                                "restart: --dir is missing; see outcry bench restart --help");
    arguments->run = bench_run_begin(arguments->run_path, "restart", RUN_LOOP_CLOSED, &parser);
    return -1;
}

static int keep_result(const restart_arguments_t *arguments, const bench_restart_result_t *result)
{
    const bench_figure_t figures[] = {
        {"restart_empty", result->empty_ms, "ms", 0},
        {"restart_image", result->image_ms, "ms", 0},
        {"restart_log", result->log_ms, "ms", 0},
        {"image", (double)result->image_bytes, "bytes", 0},
    };
    bench_run_figures(arguments->run, "", figures, sizeof figures / sizeof figures[0], NULL);
    return bench_run_end(arguments->run, arguments->run_path, 0);
}

/* Whether a cluster is meant. */
static bool names_members(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--members") || !strncmp(argv[i], "--members=", 10))
            return true;
    return false;
}

int bench_restart_main(int argc, char **argv)
{
    if (names_members(argc, argv))
        return bench_rejoin_main(argc, argv);
    restart_arguments_t arguments;
    const int status = read_arguments(&arguments, argc, argv);
    if (status >= 0)
        return status;
    const bench_restart_options_t options = {
        .dir = arguments.dir,
        .orders = (uint32_t)arguments.orders,
        .tail = (uint32_t)arguments.tail,
        .rounds = (uint32_t)arguments.rounds,
        .node_cpu = arguments.node_cpu == NOT_GIVEN ? BENCH_HOST_CPU_ANY : (int)arguments.node_cpu,
    };
    bench_host_print(stdout, BENCH_HOST_CPU_ANY);
    if (!subcommand_flush())
        return EXIT_STATUS_FAILED;
    bench_restart_result_t result;
    bench_host_time_t begin;
    bench_host_time_t end;
    bench_host_time(&begin);
    if (bench_restart(&options, &result) != OC_ERR_OK) {
        run_file_destroy(arguments.run);
        return subcommand_failed();
    }
    bench_host_time(&end);
    printf("orders: %" PRIu32 "\ntail: %" PRIu32 "\nrounds: %" PRIu32 "\n", options.orders,
           options.tail, options.rounds);
    printf("image_bytes: %" PRIu64 "\n", result.image_bytes);
    printf("restart_empty_ms: %.1f\n", result.empty_ms);
    printf("restart_image_ms: %.1f\n", result.image_ms);
    printf("restart_log_ms: %.1f\n", result.log_ms);
    printf("image_without_empty_ms: %.1f\n", result.image_ms - result.empty_ms);
    printf("steal_pct: %.2f\n", bench_host_steal_pct(&begin, &end));
    return keep_result(&arguments, &result);
}
