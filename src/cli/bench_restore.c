/*
 * `outcry bench restore`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_restore.c. Called by `outcry bench`.
 */
#include "bench/bench_restore.h"
#include "bench/bench_host.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>

static const char restore_help[] =
    "usage: outcry bench restore --dir DIR [OPTION]...\n"
    "\n"
    "Writes a full image of an engine under DIR, and loads it into fresh engines: right from the\n"
    "device, next to as many threads that only read the same file, and out of the page cache.\n"
    "About 100 bytes of disk, and 300 of memory, for each order.\n"
    "\n"
    "  --dir DIR            where (required)\n"
    "  --orders N           that rest, of the workload W1 (10000000)\n"
    "  --repeats N          how often; medians are printed (5)\n"
    "  --threads N          that read and check, 1..64 (two for each processor)\n"
    "\n"
    "Exit status: 0; 1 when something failed, or the loaded state is another.\n";

static int print_result(const bench_restore_options_t *options,
                        const bench_restore_result_t *result)
{
    printf("orders: %" PRIu32 "\n", options->orders);
    printf("repeats: %" PRIu32 "\n", options->repeats);
    printf("threads: %" PRIu32 "\n", result->threads);
    printf("image_bytes: %" PRIu64 "\n", result->image_bytes);
    printf("bytes_per_order: %.1f\n", (double)result->image_bytes / options->orders);
    printf("write_ms: %.1f\n", result->write_ms);
    printf("raw_cold_ms: %.1f\n", result->raw_cold_ms);
    printf("raw_cold_direct: %s\n", result->raw_direct ? "yes" : "no");
    printf("load_cold_ms: %.1f\n", result->load_cold_ms);
    printf("cold_ratio: %.3f\n", result->cold_ratio);
    printf("raw_warm_ms: %.1f\n", result->raw_warm_ms);
    printf("load_warm_ms: %.1f\n", result->load_warm_ms);
    printf("verify_hash_ms: %.1f\n", result->verify_hash_ms);
    printf("restore_warm_ms: %.1f\n", result->load_warm_ms + result->verify_hash_ms);
    printf("state_hash: %s\n", result->equal ? "equal" : "DIFFERENT");
    return result->equal ? 0 : EXIT_STATUS_FAILED;
}

int bench_restore_main(int argc, char **argv)
{
    bench_restore_options_t options = {0};
    uint64_t orders = 10000000;
    uint64_t repeats = 5;
    uint64_t threads = 0;
    const option_t table[] = {
        option_text("dir", &options.dir),
        option_number("orders", &orders, 1, 1 << 27),
        option_number("repeats", &repeats, 1, BENCH_RESTORE_REPEATS_MAX),
        option_number("threads", &threads, 1, BENCH_RESTORE_THREADS_MAX),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(restore_help, stdout);
        return 0;
    }
    if (!options.dir)
        return subcommand_usage("bench", "restore needs --dir DIR");
    options.orders = (uint32_t)orders;
    options.repeats = (uint32_t)repeats;
    options.threads = (uint32_t)threads;
    bench_host_print(stdout, BENCH_HOST_CPU_ANY);
    if (!subcommand_flush())
        return EXIT_STATUS_FAILED;
    bench_restore_result_t result;
    bench_host_time_t begin;
    bench_host_time_t end;
    bench_host_time(&begin);
    if (bench_restore(&options, &result) != OC_ERR_OK)
        return subcommand_failed();
    bench_host_time(&end);
    const int status = print_result(&options, &result);
    printf("steal_pct: %.2f\n", bench_host_steal_pct(&begin, &end));
    return status;
}
