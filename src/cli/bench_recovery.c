/*
 * `outcry bench recovery`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_recovery.c. Called by `outcry bench`.
 */
#include "bench/bench_recovery.h"
#include "bench/bench_host.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>

static const char recovery_help[] =
    "usage: outcry bench recovery --dir DIR [OPTION]...\n"
    "\n"
    "Writes a journal of the workload W1 under DIR, as a node would, and recovers it into a new\n"
    "exchange, right after it was written. About 150 bytes of disk for each command.\n"
    "\n"
    "  --dir DIR            where (required)\n"
    "  --commands N         in the journal (10000000)\n"
    "  --per-message N      commands of a log entry, at most 256 (1)\n"
    "  --repeats N          how often; medians are printed (3)\n"
    "  --cpu N              run on processor N only, the thread that reads ahead too\n"
    "\n"
    "Exit status: 0; 1 when something failed, or the recovered state is another.\n";

#define NOT_GIVEN UINT64_MAX

static int print_result(const bench_recovery_options_t *options,
                        const bench_recovery_result_t *result)
{
    const bool equal = result->state_hash == result->recovered_hash;
    printf("commands: %" PRIu32 "\n", options->commands);
    printf("per_message: %" PRIu32 "\n", options->per_message);
    printf("repeats: %" PRIu32 "\n", options->repeats);
    printf("entries: %" PRIu64 "\n", result->entries);
    printf("journal_bytes: %" PRIu64 "\n", result->journal_bytes);
    printf("read_bytes: %" PRIu64 "\n", result->read_bytes);
    printf("write_s: %.3f\n", result->write_s);
    printf("recovery_s: %.3f\n", result->recovery_s);
    printf("recovery_cpu_s: %.3f\n", result->recovery_cpu_s);
    printf("recovery_commands_per_s: %.0f\n",
           result->recovery_s > 0 ? options->commands / result->recovery_s : 0.0);
    printf("read_only_s: %.3f\n", result->read_only_s);
    printf("state_hash: %s\n", equal ? "equal" : "DIFFERENT");
    return equal ? 0 : EXIT_STATUS_FAILED;
}

int bench_recovery_main(int argc, char **argv)
{
    bench_recovery_options_t options = {0};
    uint64_t commands = 10000000;
    uint64_t per_message = 1;
    uint64_t repeats = 3;
    uint64_t cpu = NOT_GIVEN;
    const option_t table[] = {
        option_text("dir", &options.dir),
        option_number("commands", &commands, 100, 1 << 27),
        option_number("per-message", &per_message, 1, BENCH_RECOVERY_PER_MESSAGE_MAX),
        option_number("repeats", &repeats, 1, BENCH_RECOVERY_REPEATS_MAX),
        option_number("cpu", &cpu, 0, 1023),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(recovery_help, stdout);
        return 0;
    }
    if (!options.dir)
        return subcommand_usage("bench", "recovery needs --dir DIR");
    options.commands = (uint32_t)commands;
    options.per_message = (uint32_t)per_message;
    options.repeats = (uint32_t)repeats;
    if (cpu != NOT_GIVEN && bench_host_pin((int)cpu) != OC_ERR_OK) {
        (void)subcommand_failed();
        return EXIT_STATUS_USAGE;
    }
    bench_host_print(stdout, cpu == NOT_GIVEN ? BENCH_HOST_CPU_ANY : (int)cpu);
    if (!subcommand_flush())
        return EXIT_STATUS_FAILED;
    bench_recovery_result_t result;
    bench_host_time_t begin;
    bench_host_time_t end;
    bench_host_time(&begin);
    if (bench_recovery(&options, &result) != OC_ERR_OK)
        return subcommand_failed();
    bench_host_time(&end);
    const int status = print_result(&options, &result);
    printf("steal_pct: %.2f\n", bench_host_steal_pct(&begin, &end));
    return status;
}
