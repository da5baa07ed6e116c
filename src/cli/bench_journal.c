/*
 * `outcry bench journal`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_journal.c. Called by `outcry bench`.
 */
#include "bench/bench_journal.h"
#include "bench/bench_host.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#ifdef OUTCRY_AERON
#include "cli/bench_run.h"
#endif

#include <inttypes.h>
#include <stdio.h>

static const char journal_help[] =
    "usage: outcry bench journal --dir DIR [OPTION]...\n"
    "\n"
    "Appends synthetic entries to a journal under DIR, in turns with a raw writer of the same\n"
    "group size, on space prepared before; then reads the journal back.\n"
    "\n"
    "  --dir DIR            where; the device under it is what is measured (required)\n"
    "  --seconds N          about so long (10)\n"
    "  --entry-bytes N      payload of an entry (256)\n"
    "  --sync S             always: each group is synced; none: no sync, neither here nor by the\n"
    "                       raw writer (always)\n"
    "  --round-mib N        log in a round, a power of two (256)\n"
#ifdef OUTCRY_AERON
    "  --run FILE           writes conditions and figures for outcry report\n"
#endif
    ;

static const char *const sync_names[] = {"always", "none", NULL};

static void print_result(const bench_journal_options_t *options,
                         const bench_journal_result_t *result)
{
    printf("sync: %s\n", options->sync == JOURNAL_SYNC_ALWAYS ? "always" : "none");
    printf("entry_bytes: %" PRIu32 "\n", options->entry_bytes);
    printf("rounds: %" PRIu32 "\n", result->rounds);
    printf("entries_per_s: %.0f\n", result->entries_per_s);
    printf("journal_mb_per_s: %.1f\n", result->journal_mb_per_s);
    printf("raw_mb_per_s: %.1f\n", result->raw_mb_per_s);
    printf("ratio: %.3f\n", result->ratio);
    printf("group_bytes_avg: %.0f\n", result->group_bytes_avg);
    printf("raw_sync_p50_us: %.1f\n", result->raw_sync_p50_us);
    printf("recovery_entries_per_s: %.0f\n", result->recovery_entries_per_s);
}

#ifdef OUTCRY_AERON
/* Without the device's own sync, of which only the median was measured. */
static int keep_result(run_file_t *run, const char *path, const bench_journal_result_t *result)
{
    const bench_figure_t figures[] = {
        {"entries_per_s", result->entries_per_s, "1/s", 0},
        {"journal_mb_per_s", result->journal_mb_per_s, "MB/s", 0},
        {"raw_mb_per_s", result->raw_mb_per_s, "MB/s", 0},
        {"ratio", result->ratio, "", 0},
        {"group_bytes_avg", result->group_bytes_avg, "bytes", 0},
        {"recovery_entries_per_s", result->recovery_entries_per_s, "1/s", 0},
    };
    bench_run_figures(run, "", figures, sizeof figures / sizeof figures[0], NULL);
    return bench_run_end(run, path, 0);
}
#endif

int bench_journal_main(int argc, char **argv)
{
    bench_journal_options_t options = {0};
    uint64_t seconds = 10;
    uint64_t entry_bytes = 256;
    uint64_t round_mib = 256;
    int sync = 0;
#ifdef OUTCRY_AERON
    const char *run_path = NULL;
#endif
    const option_t table[] = {
        option_text("dir", &options.dir),
        option_number("seconds", &seconds, 1, 3600),
        option_number("entry-bytes", &entry_bytes, 8, 65536),
        option_number("round-mib", &round_mib, 4, 1024),
        option_choice("sync", &sync, sync_names),
#ifdef OUTCRY_AERON
        option_output("run", &run_path),
#endif
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(journal_help, stdout);
        return 0;
    }
    if (!options.dir)
        return subcommand_usage("bench", "journal needs --dir DIR");
    if (round_mib & (round_mib - 1))
        return subcommand_usage("bench", "--round-mib must be a power of two");
    options.seconds = (uint32_t)seconds;
    options.entry_bytes = (uint32_t)entry_bytes;
    options.round_bytes = (uint32_t)(round_mib << 20);
    options.sync = sync == 0 ? JOURNAL_SYNC_ALWAYS : JOURNAL_SYNC_NONE;
    bench_host_print(stdout, BENCH_HOST_CPU_ANY);
#ifdef OUTCRY_AERON
    run_file_t *run = bench_run_begin(run_path, "journal", RUN_LOOP_CLOSED, &parser);
#endif
    bench_host_time_t begin;
    bench_host_time_t end;
    bench_journal_result_t result;
    bench_host_time(&begin);
    if (bench_journal(&options, &result) != OC_ERR_OK) {
#ifdef OUTCRY_AERON
        run_file_destroy(run);
#endif
        return subcommand_failed();
    }
    bench_host_time(&end);
    print_result(&options, &result);
    printf("steal_pct: %.2f\n", bench_host_steal_pct(&begin, &end));
#ifdef OUTCRY_AERON
    return keep_result(run, run_path, &result);
#else
    return 0;
#endif
}
