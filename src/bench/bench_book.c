/*
 * Benchmark of the book. Called by `outcry bench book`; the demo and the integration tests create
 * their engines here as well.
 *
 * Invariants: verification and timing are separate passes over the same commands; an engine is
 * never used for two passes. The timed passes must contain nothing but the engine and a counting
 * sink.
 */
#include "bench/bench_book.h"

#include "base/assert.h"
#include "base/error.h"
#include "bench/bench_engine.h"
#include "bench/oracle_check.h"

#include <stdlib.h>
#include <string.h>

enum {
    FULL_MAX_ORDERS = 1100000, /* the size that figures are quoted for: above what ever rests */
    MAX_LEVELS = 262144,
    PRICE_HIGH = 100000,
    MAX_QUANTITY = 1 << 20,
};

oc_err_t bench_book_engine(oc_engine_t **engine, const workload_t *workload,
                           const bench_options_t *options, oc_event_sink_t sink, void *context)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = options->engine;
    config.hash_outputs = options->hash_outputs;
    config.max_levels = MAX_LEVELS;
    /* A place more than ever rest: an aggressive order needs one while it matches. */
    config.max_orders = workload->oracle.live_max + 1;
    const bool full = workload->resting_count >= WORKLOAD_RESTING_DEFAULT;
    if (full && config.max_orders < FULL_MAX_ORDERS)
        config.max_orders = FULL_MAX_ORDERS;
    const bench_engine_market_t market = {workload->instruments, 1, PRICE_HIGH, MAX_QUANTITY};
    return bench_engine_create(engine, &config, &market, sink, context);
}

/* The workload's commands, in two parts, and the times of the repeats. */
typedef struct bench_pass {
    const workload_t *workload;
    const bench_options_t *options;
    oc_command_t *commands;
    size_t resting;
    size_t mixed;
    bench_book_result_t *result;
    double fill_cpu[BENCH_REPEATS_MAX];
    double fill_wall[BENCH_REPEATS_MAX];
    double mixed_cpu[BENCH_REPEATS_MAX];
    double mixed_wall[BENCH_REPEATS_MAX];
} bench_pass_t;

static oc_err_t verify(bench_pass_t *pass)
{
    bench_book_result_t *result = pass->result;
    oracle_check_t check;
    oracle_check_init(&check);
    oc_engine_t *engine;
    oc_err_t err =
        bench_book_engine(&engine, pass->workload, pass->options, oracle_check_sink, &check);
    if (err != OC_ERR_OK)
        return err;
    err = oc_engine_apply_batch(engine, pass->commands, pass->resting);
    if (err == OC_ERR_OK) {
        result->bytes_per_order = bench_engine_bytes_per_order(engine);
        err = oc_engine_apply_batch(engine, pass->commands + pass->resting, pass->mixed);
    }
    if (err == OC_ERR_OK)
        err = oracle_check_finish(&check, engine, pass->workload, &result->oracle_ok);
    result->trade_hash = check.trade_hash;
    result->book_hash = check.book_hash;
    oc_engine_destroy(engine);
    return err;
}

/* A fresh engine whose sink only counts, as every timed pass has one. */
static oc_err_t timed_engine(const bench_pass_t *pass, oc_engine_t **engine,
                             bench_engine_tally_t *tally)
{
    *tally = (bench_engine_tally_t){0};
    return bench_book_engine(engine, pass->workload, pass->options, bench_engine_tally_sink, tally);
}

static oc_err_t measure_latency(bench_pass_t *pass)
{
    bench_engine_tally_t tally;
    oc_engine_t *engine;
    oc_err_t err = timed_engine(pass, &engine, &tally);
    if (err != OC_ERR_OK)
        return err;
    histogram_t *ticks = histogram_create();
    if (!ticks) {
        err = error_set(OC_ERR_NO_MEMORY, "bench: no memory for a histogram");
        goto done;
    }
    err = oc_engine_apply_batch(engine, pass->commands, pass->resting);
    if (err != OC_ERR_OK)
        goto done;
    double ns_per_tick = 0.0;
    err = timed_run_each(engine, pass->commands + pass->resting, pass->mixed, ticks, &ns_per_tick);
    pass->result->p99_ns = (double)histogram_percentile(ticks, 99.0) * ns_per_tick;
    pass->result->p999_ns = (double)histogram_percentile(ticks, 99.9) * ns_per_tick;

done:
    histogram_destroy(ticks);
    oc_engine_destroy(engine);
    return err;
}

static double per_operation(double ns, size_t count)
{
    return count ? ns / (double)count : 0.0;
}

static oc_err_t measure_once(bench_pass_t *pass, unsigned repeat)
{
    bench_engine_tally_t tally;
    oc_engine_t *engine;
    oc_err_t err = timed_engine(pass, &engine, &tally);
    if (err != OC_ERR_OK)
        return err;
    timed_run_t fill;
    timed_run_t mixed = {0, 0};
    err = timed_run(engine, pass->commands, pass->resting, pass->options->mode, &fill);
    if (err == OC_ERR_OK)
        err = timed_run(engine, pass->commands + pass->resting, pass->mixed, pass->options->mode,
                        &mixed);
    pass->fill_cpu[repeat] = per_operation(fill.cpu_ns, pass->resting);
    pass->fill_wall[repeat] = per_operation(fill.wall_ns, pass->resting);
    pass->mixed_cpu[repeat] = per_operation(mixed.cpu_ns, pass->mixed);
    pass->mixed_wall[repeat] = per_operation(mixed.wall_ns, pass->mixed);
    oc_engine_destroy(engine);
    return err;
}

static oc_err_t measure_repeats(bench_pass_t *pass)
{
    const unsigned repeats = pass->options->repeats;
    for (unsigned i = 0; i < repeats; i++) {
        const oc_err_t err = measure_once(pass, i);
        if (err != OC_ERR_OK)
            return err;
    }
    pass->result->fill_ns = timed_run_median(pass->fill_cpu, repeats);
    pass->result->fill_wall_ns = timed_run_median(pass->fill_wall, repeats);
    pass->result->mixed_ns = timed_run_median(pass->mixed_cpu, repeats);
    pass->result->mixed_wall_ns = timed_run_median(pass->mixed_wall, repeats);
    return OC_ERR_OK;
}

oc_err_t bench_book(const workload_t *workload, const bench_options_t *options,
                    bench_book_result_t *result)
{
    OC_ASSERT(options->repeats >= 1);
    OC_ASSERT(options->repeats <= BENCH_REPEATS_MAX);
    memset(result, 0, sizeof *result);
    bench_pass_t pass;
    memset(&pass, 0, sizeof pass);
    pass.workload = workload;
    pass.options = options;
    pass.resting = workload->resting_count;
    pass.mixed = workload->mixed_count;
    pass.result = result;

    const size_t count = pass.resting + pass.mixed;
    pass.commands = malloc((count + 1) * sizeof *pass.commands);
    if (!pass.commands)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory for %zu commands", count);
    for (size_t i = 0; i < count; i++)
        workload_command(workload, (uint32_t)i, &pass.commands[i]);

    oc_err_t err = verify(&pass);
    if (err == OC_ERR_OK && result->oracle_ok)
        err = measure_latency(&pass);
    if (err == OC_ERR_OK && result->oracle_ok)
        err = measure_repeats(&pass);
    free(pass.commands);
    return err;
}
