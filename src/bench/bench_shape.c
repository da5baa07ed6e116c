/*
 * Worst-case shapes of the book under the clock. Called by `outcry bench sparse` and `deep`.
 *
 * Both make their commands before the clock starts and are checked by what the engine counts at the
 * end. Random numbers are seeded: every run does the same.
 */
#include "bench/bench_shape.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/prng.h"
#include "bench/bench_engine.h"
#include "bench/workload.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPARSE_PRICE_SHIFT = 6, /* 58-bit prices: no array over them could be dense */
    SWEEPS = 32,
    LOTS = 10, /* of every resting order */
};

/* Commands in the making, of source 1. */
typedef struct command_list {
    oc_command_t *commands;
    size_t count;
    size_t capacity;
    size_t fill;          /* the first so many build the book, an order each, outside of the time */
    uint32_t orders_left; /* that must rest when all are applied */
} command_list_t;

static oc_err_t list_init(command_list_t *self, size_t capacity)
{
    memset(self, 0, sizeof *self);
    self->commands = calloc(capacity, sizeof *self->commands);
    self->capacity = capacity;
    if (!self->commands)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory for %zu commands", capacity);
    return OC_ERR_OK;
}

static oc_command_t *list_next(command_list_t *self, oc_command_type_t type, uint32_t id)
{
    OC_ASSERT(self->count < self->capacity);
    oc_command_t *command = &self->commands[self->count++];
    command->type = (uint8_t)type;
    command->source.value = 1;
    command->instrument.value = 1;
    command->sequence = self->count;
    command->u.order.client_order_id = workload_scramble(id);
    return command;
}

static void list_new(command_list_t *self, uint32_t id, oc_side_t side, int64_t price,
                     int64_t quantity)
{
    oc_command_t *command = list_next(self, OC_COMMAND_NEW, id);
    command->side = (uint8_t)side;
    command->u.order.price_ticks = price;
    command->u.order.quantity_lots = quantity;
}

static oc_err_t shape_engine(oc_engine_t **engine, const bench_options_t *options,
                             bench_engine_tally_t *tally)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = options->engine;
    config.hash_outputs = options->hash_outputs;
    const bench_engine_market_t market = {1, INT64_MIN, INT64_MAX, INT64_MAX / config.max_orders};
    return bench_engine_create(engine, &config, &market, bench_engine_tally_sink, tally);
}

static bool has_orders(const oc_engine_t *engine, size_t orders)
{
    oc_engine_counts_t counts;
    oc_engine_counts(engine, &counts);
    return counts.orders == orders;
}

/* Builds the list's book, then applies the rest under the clock. *ok: the book was right, before
 * and after. */
static oc_err_t shape_run(const command_list_t *list, const bench_options_t *options,
                          double *cpu_ns, bool *ok)
{
    bench_engine_tally_t tally = {0};
    oc_engine_t *engine;
    oc_err_t err = shape_engine(&engine, options, &tally);
    if (err != OC_ERR_OK)
        return err;
    timed_run_t time = {0, 0};
    err = oc_engine_apply_batch(engine, list->commands, list->fill);
    *ok = has_orders(engine, list->fill);
    if (err == OC_ERR_OK && *ok) {
        err = timed_run(engine, list->commands + list->fill, list->count - list->fill,
                        options->mode, &time);
        *ok = has_orders(engine, list->orders_left);
    }
    *cpu_ns = time.cpu_ns;
    oc_engine_destroy(engine);
    return err;
}

/* Median over the repeats of the CPU time of one operation; left alone when *ok becomes false. */
static oc_err_t shape_median(const command_list_t *list, const bench_options_t *options,
                             double *ns_per_op, bool *ok)
{
    OC_ASSERT(options->repeats >= 1);
    OC_ASSERT(options->repeats <= BENCH_REPEATS_MAX);
    double times[BENCH_REPEATS_MAX];
    for (unsigned i = 0; i < options->repeats; i++) {
        const oc_err_t err = shape_run(list, options, &times[i], ok);
        if (err != OC_ERR_OK || !*ok)
            return err;
        times[i] /= (double)(list->count - list->fill);
    }
    *ns_per_op = timed_run_median(times, options->repeats);
    return OC_ERR_OK;
}

/* A price far from all others, below zero for buys and above for sells. */
static int64_t far_price(uint64_t *random, oc_side_t side)
{
    const int64_t price = (int64_t)(prng_next(random) >> SPARSE_PRICE_SHIFT);
    return side == OC_SIDE_BUY ? -price - 1 : price + 1;
}

static void sparse_commands(command_list_t *list, const bench_sparse_size_t *size, uint32_t *ids)
{
    uint64_t random = 99;
    uint32_t next_id = 1;
    for (uint32_t i = 0; i < size->levels; i++) {
        const oc_side_t side = i & 1 ? OC_SIDE_SELL : OC_SIDE_BUY;
        ids[i] = next_id++;
        list_new(list, ids[i], side, far_price(&random, side), LOTS);
    }
    for (uint32_t i = 0; i < size->operations; i += 2) {
        const uint32_t victim = prng_below(&random, size->levels);
        const oc_side_t side = victim & 1 ? OC_SIDE_SELL : OC_SIDE_BUY;
        list_next(list, OC_COMMAND_CANCEL, ids[victim]);
        ids[victim] = next_id++;
        list_new(list, ids[victim], side, far_price(&random, side), LOTS);
    }
}

/* A list, and an array of ids for those who fill it. */
static oc_err_t list_and_ids(command_list_t *list, size_t commands, uint32_t **ids, size_t id_count)
{
    const oc_err_t err = list_init(list, commands);
    if (err != OC_ERR_OK)
        return err;
    *ids = malloc(id_count * sizeof **ids);
    if (*ids)
        return OC_ERR_OK;
    free(list->commands);
    return error_set(OC_ERR_NO_MEMORY, "bench: no memory for %zu ids", id_count);
}

oc_err_t bench_sparse(const bench_options_t *options, const bench_sparse_size_t *size,
                      bench_sparse_result_t *result)
{
    memset(result, 0, sizeof *result);
    OC_ASSERT(size->operations % 2 == 0);
    command_list_t list;
    uint32_t *ids;
    oc_err_t err = list_and_ids(&list, (size_t)size->levels + size->operations, &ids, size->levels);
    if (err != OC_ERR_OK)
        return err;
    sparse_commands(&list, size, ids);
    free(ids);
    list.fill = size->levels;
    list.orders_left = size->levels;
    err = shape_median(&list, options, &result->ns_per_op, &result->oracle_ok);
    free(list.commands);
    return err;
}

/* Buys over `levels` levels, then their cancels in random order. */
static void cancel_commands(command_list_t *list, uint32_t orders, uint32_t levels, uint32_t *ids)
{
    uint64_t random = 7;
    for (uint32_t i = 0; i < orders; i++) {
        ids[i] = i + 1;
        list_new(list, ids[i], OC_SIDE_BUY, 1000 + (int64_t)prng_below(&random, levels), LOTS);
    }
    for (uint32_t left = orders; left > 0; left--) {
        const uint32_t chosen = prng_below(&random, left);
        list_next(list, OC_COMMAND_CANCEL, ids[chosen]);
        ids[chosen] = ids[left - 1];
    }
}

static oc_err_t cancel_median(uint32_t orders, uint32_t levels, const bench_options_t *options,
                              double *ns_per_cancel, bool *ok)
{
    command_list_t list;
    uint32_t *ids;
    oc_err_t err = list_and_ids(&list, 2 * (size_t)orders, &ids, orders);
    if (err != OC_ERR_OK)
        return err;
    cancel_commands(&list, orders, levels, ids);
    free(ids);
    list.fill = orders;
    list.orders_left = 0;
    err = shape_median(&list, options, ns_per_cancel, ok);
    free(list.commands);
    return err;
}

/* A book of `levels` sells of one order each, then the buy that takes them all. */
static void sweep_commands(command_list_t *list, uint32_t levels)
{
    for (uint32_t i = 1; i <= levels; i++)
        list_new(list, i, OC_SIDE_SELL, (int64_t)i * 1000, LOTS);
    list_new(list, levels + 1, OC_SIDE_BUY, (int64_t)levels * 1000, (int64_t)levels * LOTS);
}

/* The sweep is one command, too short for the thread's clock; so it is repeated on a book that is
 * built again, outside of the time, with the sequence numbers moved on. */
static oc_err_t sweep_times(oc_engine_t *engine, command_list_t *list, double *times, bool *ok)
{
    *ok = true;
    for (size_t sweep = 0; sweep < SWEEPS && *ok; sweep++) {
        for (size_t i = 0; i < list->count; i++)
            list->commands[i].sequence = sweep * list->count + i + 1;
        timed_run_t time = {0, 0};
        oc_err_t err = oc_engine_apply_batch(engine, list->commands, list->count - 1);
        if (err == OC_ERR_OK)
            err = timed_run(engine, &list->commands[list->count - 1], 1, BENCH_SINGLE, &time);
        if (err != OC_ERR_OK)
            return err;
        *ok = has_orders(engine, 0);
        times[sweep] = time.cpu_ns;
    }
    return OC_ERR_OK;
}

static oc_err_t sweep_median(uint32_t levels, const bench_options_t *options, double *ns_per_level,
                             bool *ok)
{
    command_list_t list;
    oc_err_t err = list_init(&list, (size_t)levels + 1);
    if (err != OC_ERR_OK)
        return err;
    sweep_commands(&list, levels);
    bench_engine_tally_t tally = {0};
    oc_engine_t *engine;
    err = shape_engine(&engine, options, &tally);
    if (err == OC_ERR_OK) {
        double times[SWEEPS];
        err = sweep_times(engine, &list, times, ok);
        if (err == OC_ERR_OK && *ok)
            *ns_per_level = timed_run_median(times, SWEEPS) / levels;
        oc_engine_destroy(engine);
    }
    free(list.commands);
    return err;
}

oc_err_t bench_deep(const bench_options_t *options, const bench_deep_size_t *size,
                    bench_deep_result_t *result)
{
    memset(result, 0, sizeof *result);
    bool *ok = &result->oracle_ok;
    oc_err_t err = cancel_median(size->orders, 1, options, &result->deep_cancel_ns, ok);
    if (err == OC_ERR_OK && *ok)
        err = cancel_median(size->orders, size->ordinary_levels, options,
                            &result->ordinary_cancel_ns, ok);
    if (err == OC_ERR_OK && *ok)
        err = sweep_median(size->sweep_levels, options, &result->sweep_ns_per_level, ok);
    return err;
}
