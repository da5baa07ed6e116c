/*
 * `outcry demo`: what the engine does, for somebody who sees it for the first time. Called by main
 * and by `make demo`.
 *
 * Generates the workload W1, runs it twice, checks the first run against the generator's oracle and
 * the second against the first. Results go to stdout, progress to stderr.
 */
#include "base/cycle_clock.h"
#include "bench/bench_book.h"
#include "bench/bench_engine.h"
#include "bench/oracle_check.h"
#include "bench/workload.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    BATCH = 4096,
    LADDER_LEVELS = 5,
    LADDER_WIDTH = 40,
    DEMO_OPERATIONS = 10000000,
};

/* Of a size, until read_options() is done with it. */
#define NOT_GIVEN UINT64_MAX

static const char demo_help[] =
    "usage: outcry demo [OPTION]...\n"
    "\n"
    "Sends the same generated orders through two fresh engines, one after the other, checks them\n"
    "and shows what came of it.\n"
    "\n"
    "  --resting N          orders that fill the book first (1000000; with the reference engine\n"
    "                       10000)\n"
    "  --operations N       adds, cancels and trading orders after that (10000000; with the\n"
    "                       reference engine 50000)\n"
    "  --engine E           fast or reference (fast)\n"
    "  --progress           show a progress bar even if stderr is no terminal\n"
    "  --no-progress        show no progress\n";

typedef struct demo_options {
    uint64_t resting;
    uint64_t operations;
    int engine;
    progress_style_t style;
} demo_options_t;

/* What a run leaves behind. */
typedef struct demo_result {
    double engine_ns;
    uint64_t state_hash;
    uint64_t output_hash;
    bool oracle_ok;
    size_t level_counts[2]; /* by oc_side_t */
    oc_level_view_t levels[2][LADDER_LEVELS];
    oracle_check_t check;
} demo_result_t;

/* Returns -1 to go on, else the exit status. */
static int read_options(demo_options_t *options, int argc, char **argv)
{
    static const char *const engine_names[] = {"fast", "reference", NULL};
    const bool terminal = progress_on_terminal();
    bool on = false;
    bool off = false;
    *options = (demo_options_t){
        .resting = NOT_GIVEN,
        .operations = NOT_GIVEN,
    };
    const option_t table[] = {
        option_number("resting", &options->resting, 1, 1 << 27),
        option_number("operations", &options->operations, 0, 1 << 27),
        option_choice("engine", &options->engine, engine_names),
        option_flag("progress", &on, true),
        option_flag("no-progress", &off, true),
    };
    options_t parser = {.table = table, .count = sizeof table / sizeof table[0]};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("demo", parser.error);
    if (parser.help) {
        fputs(demo_help, stdout);
        return 0;
    }
    /* The reference engine would take hours for the usual sizes. */
    const bool slow = options->engine == OC_ENGINE_REFERENCE;
    if (options->resting == NOT_GIVEN)
        options->resting = slow ? WORKLOAD_RESTING_SHORT : WORKLOAD_RESTING_DEFAULT;
    if (options->operations == NOT_GIVEN)
        options->operations = slow ? WORKLOAD_OPERATIONS_SHORT : DEMO_OPERATIONS;
    options->style = off ? PROGRESS_NONE : on || terminal ? PROGRESS_BAR : PROGRESS_LINES;
    return -1;
}

/* Applies the whole workload, a batch at a time; only the engine is timed. */
static oc_err_t run_batches(oc_engine_t *engine, const workload_t *workload, progress_t *progress,
                            double *engine_ns)
{
    oc_command_t commands[BATCH];
    const uint32_t count = workload->resting_count + workload->mixed_count;
    uint64_t total_ns = 0;
    for (uint32_t done = 0; done < count;) {
        const uint32_t size = count - done < BATCH ? count - done : BATCH;
        for (uint32_t i = 0; i < size; i++)
            workload_command(workload, done + i, &commands[i]);
        const uint64_t start = clock_wall_ns();
        const oc_err_t err = oc_engine_apply_batch(engine, commands, size);
        total_ns += clock_wall_ns() - start;
        if (err != OC_ERR_OK)
            return err;
        done += size;
        progress_update(progress, (double)done / count);
    }
    *engine_ns = (double)total_ns;
    return OC_ERR_OK;
}

/* One run on a fresh engine. Checked runs are slower: their sink hashes every trade. */
static oc_err_t run_once(const workload_t *workload, const demo_options_t *options,
                         const char *label, bool checked, demo_result_t *result)
{
    memset(result, 0, sizeof *result);
    oracle_check_init(&result->check);
    bench_engine_tally_t tally = {0};
    oc_engine_t *engine;
    const bench_options_t how = {.engine = (oc_engine_kind_t)options->engine, .hash_outputs = true};
    oc_err_t err = bench_book_engine(&engine, workload, &how,
                                     checked ? oracle_check_sink : bench_engine_tally_sink,
                                     checked ? (void *)&result->check : (void *)&tally);
    if (err != OC_ERR_OK)
        return err;
    progress_t progress;
    progress_begin(&progress, options->style, label);
    err = run_batches(engine, workload, &progress, &result->engine_ns);
    progress_end(&progress);
    result->state_hash = oc_engine_state_hash(engine);
    result->output_hash = oc_engine_output_hash(engine);
    for (int side = OC_SIDE_BUY; side <= OC_SIDE_SELL; side++)
        result->level_counts[side] = oc_engine_depth(
            engine, (oc_instrument_id_t){1}, (oc_side_t)side, result->levels[side], LADDER_LEVELS);
    if (err == OC_ERR_OK && checked)
        err = oracle_check_finish(&result->check, engine, workload, &result->oracle_ok);
    oc_engine_destroy(engine);
    return err;
}

static void print_level(const oc_level_view_t *level, const char *side, int64_t lots_max)
{
    char bar[LADDER_WIDTH + 1];
    const int64_t width = (level->open_lots * LADDER_WIDTH + lots_max - 1) / lots_max;
    memset(bar, '#', LADDER_WIDTH);
    bar[width < LADDER_WIDTH ? width : LADDER_WIDTH] = '\0';
    printf("  %s %8" PRId64 " %10" PRId64 " lots in %6" PRIu32 " order%s  %s\n", side,
           level->price_ticks, level->open_lots, level->order_count,
           level->order_count == 1 ? " " : "s", bar);
}

/* Sellers on top, worst first, so that the two best prices meet in the middle. */
static void print_ladder(const demo_result_t *result)
{
    int64_t lots_max = 1;
    for (int side = OC_SIDE_BUY; side <= OC_SIDE_SELL; side++)
        for (size_t i = 0; i < result->level_counts[side]; i++)
            if (result->levels[side][i].open_lots > lots_max)
                lots_max = result->levels[side][i].open_lots;
    printf("\nThe best %d prices of each side of the book now:\n\n", LADDER_LEVELS);
    for (size_t i = result->level_counts[OC_SIDE_SELL]; i > 0; i--)
        print_level(&result->levels[OC_SIDE_SELL][i - 1], "sell", lots_max);
    printf("       --------\n");
    for (size_t i = 0; i < result->level_counts[OC_SIDE_BUY]; i++)
        print_level(&result->levels[OC_SIDE_BUY][i], "buy ", lots_max);
}

static void print_flow(const workload_t *workload, const demo_result_t *result)
{
    const workload_oracle_t *oracle = &workload->oracle;
    printf("What happened\n\n");
    printf("  %10" PRIu64 " orders came to rest in the book\n", oracle->adds);
    printf("  %10" PRIu64 " were cancelled\n", oracle->cancels);
    printf("  %10" PRIu64 " orders came to trade at once\n", oracle->aggressive);
    printf("  %10" PRIu64 " trades, %" PRIu64 " lots changed hands\n", result->check.trades,
           result->check.traded_quantity);
    printf("  %10" PRIu64 " orders rest at the end\n", result->check.resting);
}

static void print_speed(const workload_t *workload, const demo_result_t *plain)
{
    const double count = (double)workload->resting_count + workload->mixed_count;
    printf("\nHow fast\n\n");
    printf("  %10.1f million commands a second, %.0f ns each, on one processor\n",
           count / plain->engine_ns * 1e3, plain->engine_ns / count);
}

/* Prints whether everything agrees; true if so. */
static bool print_checks(const demo_result_t *first, const demo_result_t *second)
{
    const bool same =
        first->state_hash == second->state_hash && first->output_hash == second->output_hash;
    printf("\nIs it right\n\n");
    printf("  oracle: %s: every trade and every order left is as an independent book has it\n",
           first->oracle_ok ? "ok" : "FAIL");
    printf("  state_hash: %016" PRIx64 "\n", first->state_hash);
    printf("  second run: %016" PRIx64 ", %s\n", second->state_hash,
           same ? "the same to the bit: the engine is deterministic" : "FAIL: it differs");
    return first->oracle_ok && same;
}

static int show(const workload_t *workload, const demo_options_t *options)
{
    demo_result_t first;
    demo_result_t second;
    if (run_once(workload, options, "first run", true, &first) != OC_ERR_OK ||
        run_once(workload, options, "second run", false, &second) != OC_ERR_OK)
        return subcommand_failed();
    print_flow(workload, &first);
    print_speed(workload, &second);
    print_ladder(&first);
    return print_checks(&first, &second) ? 0 : EXIT_STATUS_FAILED;
}

int demo_main(int argc, char **argv)
{
    demo_options_t options;
    int status = read_options(&options, argc, argv);
    if (status >= 0)
        return status;
    printf("outcry: one market, %" PRIu64 " orders to begin with, then %" PRIu64
           " operations; all of it twice\n\n",
           options.resting, options.operations);
    if (!subcommand_flush())
        return EXIT_STATUS_FAILED;
    workload_t workload;
    if (workload_init(&workload, WORKLOAD_W1, (uint32_t)options.resting,
                      (uint32_t)options.operations) != OC_ERR_OK)
        return subcommand_failed();
    status = show(&workload, &options);
    workload_fini(&workload);
    return status;
}
