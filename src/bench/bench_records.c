/*
 * Benchmark of the record stream. Called by `outcry bench records`.
 *
 * The book is that of W1's resting part. What is timed is records_export() alone, with the window
 * faulted in before; the sink counts, so that nothing is hidden behind a transport. A pass that is
 * not timed takes the checksum of all bytes, by which runs with different numbers of threads are
 * compared.
 */
#define _GNU_SOURCE
#include "bench/bench_records.h"

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "bench/bench_engine.h"
#include "bench/timed_run.h"
#include "bench/workload.h"
#include "records/records.h"

#include <stdlib.h>

enum { COMMANDS_AT_ONCE = 65536, MAX_LEVELS = 4096, PRICE_HIGH = 100000, MAX_QUANTITY = 1 << 20 };

struct bench_records {
    bench_records_options_t options;
    oc_engine_t *engine;
    records_source_t source; /* the only one */
};

static oc_err_t make_engine(oc_engine_t **engine, uint32_t orders)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.hash_outputs = false;
    config.max_levels = MAX_LEVELS;
    config.max_orders = orders + 1;
    const bench_engine_market_t market = {1, 1, PRICE_HIGH, MAX_QUANTITY};
    return bench_engine_create(engine, &config, &market, NULL, NULL);
}

static oc_err_t fill(oc_engine_t *engine, const workload_t *workload)
{
    oc_command_t *commands = malloc(COMMANDS_AT_ONCE * sizeof *commands);
    if (!commands)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory for %d commands", COMMANDS_AT_ONCE);
    oc_err_t err = OC_ERR_OK;
    for (uint32_t at = 0; err == OC_ERR_OK && at < workload->resting_count;) {
        const uint32_t left = workload->resting_count - at;
        const uint32_t some = left < COMMANDS_AT_ONCE ? left : COMMANDS_AT_ONCE;
        for (uint32_t i = 0; i < some; i++)
            workload_command(workload, at + i, &commands[i]);
        err = oc_engine_apply_batch(engine, commands, some);
        at += some;
    }
    free(commands);
    return err;
}

oc_err_t bench_records_create(bench_records_t **self, const bench_records_options_t *options)
{
    *self = NULL;
    workload_t workload;
    oc_err_t err = workload_init(&workload, WORKLOAD_W1, options->orders, 0);
    if (err != OC_ERR_OK)
        return err;
    bench_records_t *made = calloc(1, sizeof *made);
    if (!made) {
        err = error_set(OC_ERR_NO_MEMORY, "bench: no memory");
        goto fail_workload;
    }
    made->options = *options;
    err = make_engine(&made->engine, options->orders);
    if (err != OC_ERR_OK)
        goto fail_made;
    err = fill(made->engine, &workload);
    if (err != OC_ERR_OK)
        goto fail_engine;
    const bool known = oc_engine_source(made->engine, (oc_source_id_t){1}, &made->source.view);
    OC_ASSERT(known);
    workload_fini(&workload);
    *self = made;
    return OC_ERR_OK;

fail_engine:
    oc_engine_destroy(made->engine);
fail_made:
    free(made);
fail_workload:
    workload_fini(&workload);
    return err;
}

void bench_records_destroy(bench_records_t *self)
{
    if (!self)
        return;
    oc_engine_destroy(self->engine);
    free(self);
}

/* ---- Export ----------------------------------------------------------------------------------*/

static records_state_t state_of(const bench_records_t *self)
{
    return (records_state_t){
        .engine = self->engine, .configuration = "", .sources = &self->source, .source_count = 1};
}

static oc_err_t count_record(void *context, const void *bytes, size_t length)
{
    bench_records_result_t *result = context;
    (void)bytes;
    result->bytes += length;
    result->records++;
    return OC_ERR_OK;
}

static oc_err_t check_record(void *context, const void *bytes, size_t length)
{
    bench_records_result_t *result = context;
    result->crc = crc32c(result->crc, bytes, length);
    return OC_ERR_OK;
}

static oc_err_t time_export(const bench_records_t *self, records_export_t *export,
                            bench_records_result_t *result)
{
    const records_state_t state = state_of(self);
    double times[BENCH_RECORDS_REPEATS_MAX];
    for (unsigned i = 0; i < self->options.repeats; i++) {
        result->bytes = 0;
        result->records = 0;
        const uint64_t begin_ns = clock_wall_ns();
        const oc_err_t err = records_export(export, &state, count_record, result);
        times[i] = (double)(clock_wall_ns() - begin_ns) / 1e6;
        if (err != OC_ERR_OK)
            return err;
    }
    result->take_ms = timed_run_median(times, self->options.repeats);
    return records_export(export, &state, check_record, result);
}

/* ---- Import ----------------------------------------------------------------------------------*/

static oc_err_t take_begin(void *context, const records_place_t *place, const void *configuration,
                           size_t length, int64_t service_time_ns)
{
    (void)context;
    (void)place;
    (void)configuration;
    (void)length;
    (void)service_time_ns;
    return OC_ERR_OK;
}

static oc_err_t take_source(void *context, const records_source_t *source)
{
    (void)context;
    (void)source;
    return OC_ERR_OK;
}

static oc_err_t take_session(void *context, const records_session_t *session)
{
    (void)context;
    (void)session;
    return OC_ERR_OK;
}

/* There is no service around this engine. */
static uint64_t no_hash(void *context)
{
    (void)context;
    return 0;
}

static oc_err_t import_record(void *context, const void *bytes, size_t length)
{
    return records_import_take(context, bytes, length);
}

/* Includes the walk of the export: one thread does both. */
static oc_err_t time_import(const bench_records_t *self, records_export_t *export,
                            bench_records_result_t *result)
{
    const records_receiver_t receiver = {
        .begin = take_begin, .source = take_source, .session = take_session, .state_hash = no_hash};
    const records_state_t state = state_of(self);
    oc_engine_t *engine = NULL;
    records_import_t *import = NULL;
    oc_err_t err = make_engine(&engine, self->options.orders);
    if (err != OC_ERR_OK)
        return err;
    err = records_import_create(&import, engine, &receiver);
    const uint64_t begin_ns = clock_wall_ns();
    if (err == OC_ERR_OK)
        err = records_export(export, &state, import_record, import);
    if (err == OC_ERR_OK)
        err = records_import_end(import);
    result->import_ms = (double)(clock_wall_ns() - begin_ns) / 1e6;
    records_import_destroy(import);
    oc_engine_destroy(engine);
    return err;
}

oc_err_t bench_records_run(bench_records_t *self, unsigned threads, bench_records_result_t *result)
{
    const uint64_t whole = ((uint64_t)self->options.orders + 1) * 66 + self->options.record_bytes;
    const records_export_config_t config = {
        .record_bytes = self->options.record_bytes,
        .threads = threads,
        .window_bytes = self->options.window_bytes > 0 ? self->options.window_bytes : whole,
    };
    records_export_t *export = NULL;
    *result = (bench_records_result_t){0};
    oc_err_t err = records_export_create(&export, &config);
    if (err != OC_ERR_OK)
        return err;
    err = time_export(self, export, result);
    if (err == OC_ERR_OK && self->options.import)
        err = time_import(self, export, result);
    records_export_destroy(export);
    return err;
}
