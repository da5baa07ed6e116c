/*
 * Benchmark of the book. Called by `outcry bench book`; the oracle's check also by the demo and the
 * integration tests.
 *
 * Invariants: verification and timing are separate passes over the same commands; an engine is
 * never used for two passes. The timed passes must contain nothing but the engine and a counting
 * sink.
 */
#include "bench/bench_book.h"

#include "base/assert.h"
#include "base/error.h"
#include "bench/bench_engine.h"

#include <stdlib.h>
#include <string.h>

enum {
    FULL_MAX_ORDERS = 1100000, /* the size that figures are quoted for: above what ever rests */
    MAX_LEVELS = 262144,
    PRICE_HIGH = 100000,
    MAX_QUANTITY = 1 << 20,
};

void oracle_check_init(oracle_check_t *self)
{
    memset(self, 0, sizeof *self);
    self->trade_hash = WORKLOAD_HASH_START;
}

void oracle_check_sink(void *context, const oc_event_t *events, size_t count)
{
    oracle_check_t *self = context;
    for (size_t i = 0; i < count; i++) {
        const oc_event_t *event = &events[i];
        if (event->type == OC_EVENT_TRADE) {
            self->taker = workload_unscramble(event->client_order_id);
        } else if (event->type == OC_EVENT_FILL) {
            const workload_trade_t trade = {
                self->taker,
                workload_unscramble(event->client_order_id),
                (uint32_t)event->price_ticks,
                (uint32_t)event->quantity_lots,
            };
            self->trades++;
            self->traded_quantity += (uint64_t)event->quantity_lots;
            self->trade_hash = workload_trade_mix(self->trade_hash, &trade);
        } else if (event->type == OC_EVENT_REJECTED) {
            self->rejected++;
        }
    }
}

static void hash_order(oracle_check_t *self, uint32_t id, int64_t open_lots)
{
    self->resting++;
    self->resting_quantity += (uint64_t)open_lots;
    self->book_hash = workload_book_mix(self->book_hash, id, (uint64_t)open_lots);
}

/* One side of a book, in the order of the engine's walk. */
typedef struct side_walk {
    oracle_check_t *check;
    oc_order_view_t *bids; /* gathered; NULL: hash at once */
    size_t count;
    size_t capacity;
} side_walk_t;

static bool visit(void *context, const oc_order_view_t *view)
{
    side_walk_t *walk = context;
    if (!walk->bids) {
        hash_order(walk->check, workload_unscramble(view->client_order_id), view->open_lots);
        return true;
    }
    if (walk->count == walk->capacity)
        return false;
    walk->bids[walk->count++] = *view;
    return true;
}

/* Bids come best first, which is prices descending; the oracle has them ascending, but first come
 * first inside a level as well. So whole levels are taken from the end. */
static void hash_bids_ascending(oracle_check_t *self, const side_walk_t *walk)
{
    size_t end = walk->count;
    while (end > 0) {
        size_t begin = end - 1;
        while (begin > 0 && walk->bids[begin - 1].price_ticks == walk->bids[end - 1].price_ticks)
            begin--;
        for (size_t i = begin; i < end; i++)
            hash_order(self, workload_unscramble(walk->bids[i].client_order_id),
                       walk->bids[i].open_lots);
        end = begin;
    }
}

static oc_err_t hash_book(oracle_check_t *self, const oc_engine_t *engine, uint32_t instruments)
{
    oc_engine_counts_t counts;
    oc_engine_counts(engine, &counts);
    const size_t capacity = (size_t)counts.orders + 1;
    oc_order_view_t *bids = malloc(capacity * sizeof *bids);
    if (!bids)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory to read a book of %zu orders",
                         capacity);
    self->book_hash = WORKLOAD_HASH_START;
    for (uint32_t i = 1; i <= instruments; i++) {
        const oc_instrument_id_t id = {i};
        side_walk_t walk = {self, bids, 0, capacity};
        oc_engine_visit_orders(engine, id, OC_SIDE_BUY, visit, &walk);
        hash_bids_ascending(self, &walk);
        walk.bids = NULL;
        oc_engine_visit_orders(engine, id, OC_SIDE_SELL, visit, &walk);
    }
    free(bids);
    return OC_ERR_OK;
}

oc_err_t oracle_check_finish(oracle_check_t *self, const oc_engine_t *engine,
                             const workload_t *workload, bool *ok)
{
    const workload_oracle_t *oracle = &workload->oracle;
    *ok = false;
    const oc_err_t err = hash_book(self, engine, workload->instruments);
    if (err != OC_ERR_OK)
        return err;
    *ok = self->rejected == 0 && self->trades == oracle->trades &&
          self->traded_quantity == oracle->traded_quantity &&
          self->trade_hash == oracle->trade_hash && self->resting == oracle->resting &&
          self->resting_quantity == oracle->resting_quantity &&
          self->book_hash == oracle->book_hash;
    return OC_ERR_OK;
}

oc_err_t bench_book_engine(oc_engine_t **engine, const workload_t *workload, oc_engine_kind_t kind,
                           oc_event_sink_t sink, void *context)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = kind;
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
    oc_err_t err = bench_book_engine(&engine, pass->workload, pass->options->engine,
                                     oracle_check_sink, &check);
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

static oc_err_t measure_latency(bench_pass_t *pass)
{
    bench_engine_tally_t tally = {0};
    oc_engine_t *engine;
    oc_err_t err = bench_book_engine(&engine, pass->workload, pass->options->engine,
                                     bench_engine_tally_sink, &tally);
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
    bench_engine_tally_t tally = {0};
    oc_engine_t *engine;
    oc_err_t err = bench_book_engine(&engine, pass->workload, pass->options->engine,
                                     bench_engine_tally_sink, &tally);
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
