/*
 * `outcry bench records`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_records.c. Called by `outcry bench`.
 */
#include "bench/bench_records.h"
#include "bench/bench_host.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>

static const char records_help[] =
    "usage: outcry bench records [OPTION]...\n"
    "\n"
    "Writes the record stream of a book of W1 into memory that is faulted in, by one thread and\n"
    "by several, and says how long that takes.\n"
    "\n"
    "  --orders N           that rest (5000000)\n"
    "  --threads N          that encode, beside the run with one (2)\n"
    "  --table S            on: 10K to 10M orders with 1, 2, 4 and 8 threads instead (off)\n"
    "  --record-bytes N     of one record at most (65504)\n"
    "  --window-bytes N     encoded at a time (the whole stream)\n"
    "  --repeats N          how often; medians are printed (5)\n"
    "  --import S           on: read the stream into a second engine as well (off)\n"
    "\n"
    "import_ms includes the export of the same stream, by the same threads.\n"
    "\n"
    "Exit status: 0; 1 when something failed, or the bytes depend on the number of threads.\n";

static const char *const switch_names[] = {"off", "on", NULL};

static int print_line(const bench_records_options_t *options, unsigned threads,
                      const bench_records_result_t *result)
{
    printf("%" PRIu32 " %" PRIu64 " %.2f %.2f %u %" PRIu64 " %08" PRIx32, options->orders,
           result->bytes, (double)result->bytes / options->orders, result->take_ms, threads,
           result->records, result->crc);
    if (options->import)
        printf(" %.2f", result->import_ms);
    printf("\n");
    return subcommand_flush() ? 0 : EXIT_STATUS_FAILED;
}

/* One book with each number of threads; all must give the same bytes. */
static int run_book(const bench_records_options_t *options, const unsigned *threads, size_t count)
{
    bench_records_t *bench = NULL;
    if (bench_records_create(&bench, options) != OC_ERR_OK)
        return subcommand_failed();
    int status = 0;
    bench_records_result_t first = {0};
    for (size_t i = 0; status == 0 && i < count; i++) {
        bench_records_result_t result;
        if (bench_records_run(bench, threads[i], &result) != OC_ERR_OK) {
            status = subcommand_failed();
            break;
        }
        if (i == 0)
            first = result;
        status = print_line(options, threads[i], &result);
        if (result.crc != first.crc || result.bytes != first.bytes) {
            (void)error_set(OC_ERR_DAMAGED,
                            "bench: %u threads and %u give different bytes for %" PRIu32 " orders",
                            threads[0], threads[i], options->orders);
            status = subcommand_failed();
        }
    }
    bench_records_destroy(bench);
    return status;
}

static int run_table(bench_records_options_t *options)
{
    static const uint32_t sizes[] = {10000, 100000, 500000, 1000000, 2000000, 5000000, 10000000};
    static const unsigned threads[] = {1, 2, 4, 8};
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof sizes / sizeof sizes[0]; i++) {
        options->orders = sizes[i];
        status = run_book(options, threads, sizeof threads / sizeof threads[0]);
    }
    return status;
}

int bench_records_main(int argc, char **argv)
{
    uint64_t orders = 5000000;
    uint64_t threads = 2;
    uint64_t record_bytes = 65504;
    uint64_t window_bytes = 0;
    uint64_t repeats = 5;
    int table_of_sizes = 0;
    int import = 0;
    const option_t table[] = {
        option_number("orders", &orders, 1, (1 << 27) - 1),
        option_number("threads", &threads, 1, BENCH_RECORDS_THREADS_MAX),
        option_choice("table", &table_of_sizes, switch_names),
        option_number("record-bytes", &record_bytes, 512, 16 << 20),
        option_number("window-bytes", &window_bytes, 0, UINT64_C(1) << 36),
        option_number("repeats", &repeats, 1, BENCH_RECORDS_REPEATS_MAX),
        option_choice("import", &import, switch_names),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        fputs(records_help, stdout);
        return 0;
    }
    bench_records_options_t options = {
        .orders = (uint32_t)orders,
        .record_bytes = (uint32_t)record_bytes,
        .window_bytes = window_bytes,
        .repeats = (unsigned)repeats,
        .import = import != 0,
    };
    bench_host_print(stdout, BENCH_HOST_CPU_ANY);
    printf("orders bytes bytes_per_order take_ms threads records crc32c%s\n",
           import ? " import_ms" : "");
    if (!subcommand_flush())
        return EXIT_STATUS_FAILED;
    bench_host_time_t begin;
    bench_host_time_t end;
    bench_host_time(&begin);
    const unsigned both[] = {1, (unsigned)threads};
    const int status =
        table_of_sizes ? run_table(&options) : run_book(&options, both, threads > 1 ? 2 : 1);
    bench_host_time(&end);
    printf("steal_pct: %.2f\n", bench_host_steal_pct(&begin, &end));
    return status;
}
