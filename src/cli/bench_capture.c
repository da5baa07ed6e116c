/*
 * `outcry bench capture`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_capture.c. Called by `outcry bench`.
 */
#include "bench/bench_capture.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>

static const char capture_help[] =
    "usage: outcry bench capture [OPTION]...\n"
    "\n"
    "Operations of the workload W1 at full speed, one by one, while another thread copies the\n"
    "engine's pages as they were at one moment into memory. No disk, no network. About 130 bytes\n"
    "of memory for each order, and 16 for each operation.\n"
    "\n"
    "  --orders N           that rest (5000000)\n"
    "  --rounds N           captures; medians are printed (5)\n"
    "  --quiet N            operations before each capture (500000)\n"
    "  --pool-percent N     pool, of the engine's pages (25)\n"
    "  --cpu N              processor of the engine (the first)\n"
    "  --sweeper-cpu N      processor of the copying thread (another one, if there is)\n"
    "\n"
    "op_ times are those while pages are copied, _quiet just before; worst is of all rounds. With\n"
    "one processor for both, the times of the operations are those of the scheduler. Exit status:\n"
    "0; 1 when a capture had to be given up, or there was an error.\n";

static void print_times(const char *suffix, const bench_capture_times_t *times)
{
    printf("op_p50_ns%s: %.0f\n", suffix, times->p50_ns);
    printf("op_p99_ns%s: %.0f\n", suffix, times->p99_ns);
    printf("op_p999_ns%s: %.0f\n", suffix, times->p999_ns);
    printf("op_worst_ns%s: %.0f\n", suffix, times->worst_ns);
}

static void print_result(const bench_capture_options_t *options,
                         const bench_capture_result_t *result)
{
    printf("sweeper_cpu: %d\n", result->sweeper_cpu);
    printf("rounds: %" PRIu32 "\n", options->rounds);
    printf("orders: %" PRIu32 "\n", options->orders);
    printf("pause_ns: %.0f\n", result->pause_ns);
    printf("pause_worst_ns: %.0f\n", result->pause_worst_ns);
    printf("sweep_ms: %.1f\n", result->sweep_ms);
    printf("arena_pages: %" PRIu64 "\n", result->arena_pages);
    printf("pages: %.0f\n", result->pages);
    printf("pages_owner: %.0f\n", result->pages_owner);
    printf("pages_thrown_away: %.0f\n", result->pages_lost);
    printf("pool_highest: %.0f\n", result->pool_highest);
    printf("clean_ns_per_page: %.2f\n", result->clean_ns);
    printf("operations: %.0f\n", result->operations);
    print_times("", &result->during);
    print_times("_quiet", &result->quiet);
    printf("abandoned: %" PRIu32 "\n", result->abandoned);
    if (result->empty > 0)
        printf("rounds_without_operations: %" PRIu32 "\n", result->empty);
    if (result->starved > 0)
        printf("rounds_without_operations_at_the_end: %" PRIu32 "\n", result->starved);
}

static int cpu_of(uint64_t number)
{
    return number == UINT64_MAX ? BENCH_HOST_CPU_ANY : (int)number;
}

int bench_capture_main(int argc, char **argv)
{
    uint64_t orders = 5000000;
    uint64_t rounds = 5;
    uint64_t quiet = 500000;
    uint64_t pool_percent = 25;
    uint64_t cpu = UINT64_MAX;
    uint64_t sweeper_cpu = UINT64_MAX;
    const option_t table[] = {
        option_number("orders", &orders, 1, 1 << 26),
        option_number("rounds", &rounds, 1, BENCH_CAPTURE_ROUNDS_MAX),
        option_number("quiet", &quiet, 1, 1 << 26),
        option_number("pool-percent", &pool_percent, 1, 100),
        option_number("cpu", &cpu, 0, 1023),
        option_number("sweeper-cpu", &sweeper_cpu, 0, 1023),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(capture_help, stdout);
        return 0;
    }
    const bench_capture_options_t options = {
        .orders = (uint32_t)orders,
        .rounds = (uint32_t)rounds,
        .quiet = (uint32_t)quiet,
        .pool_percent = (uint32_t)pool_percent,
        .cpu = cpu_of(cpu),
        .sweeper_cpu = cpu_of(sweeper_cpu),
    };
    bench_host_print(stdout, options.cpu);
    if (!subcommand_flush())
        return EXIT_STATUS_FAILED;
    bench_host_time_t begin;
    bench_host_time_t end;
    bench_capture_result_t result;
    bench_host_time(&begin);
    if (bench_capture(&options, &result) != OC_ERR_OK)
        return subcommand_failed();
    bench_host_time(&end);
    print_result(&options, &result);
    printf("steal_pct: %.2f\n", bench_host_steal_pct(&begin, &end));
    return result.abandoned > 0 ? EXIT_STATUS_FAILED : 0;
}
