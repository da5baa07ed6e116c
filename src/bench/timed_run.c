/*
 * Engine under the clock. Called by each bench.
 *
 * Between the two readings of a clock there is nothing but the engine and a sink that counts.
 * Engines are created, and so faulted in, before.
 */
#include "bench/timed_run.h"

#include "base/assert.h"
#include "bench/cycle_clock.h"

#include <stdlib.h>
#include <string.h>

void event_tally_sink(void *context, const oc_event_t *events, size_t count)
{
    (void)events;
    event_tally_t *tally = context;
    tally->events += count;
}

static oc_err_t add_source(oc_engine_t *engine)
{
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_SOURCE_ADD;
    command.u.source.id.value = 1;
    command.u.source.roles = OC_ROLES_ALL;
    return oc_engine_apply(engine, &command);
}

static oc_err_t add_instrument(oc_engine_t *engine, const bench_market_t *market, uint32_t id)
{
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_INSTRUMENT_ADD;
    command.instrument.value = id;
    command.u.instrument.price_low_ticks = market->price_low_ticks;
    command.u.instrument.price_high_ticks = market->price_high_ticks;
    command.u.instrument.max_quantity_lots = market->max_quantity_lots;
    command.u.instrument.state = OC_STATE_CONTINUOUS;
    return oc_engine_apply(engine, &command);
}

oc_err_t bench_engine_create(oc_engine_t **engine, const oc_engine_config_t *config,
                             const bench_market_t *market, oc_event_sink_t sink, void *context)
{
    oc_err_t err = oc_engine_create(engine, config, sink, context);
    if (err != OC_ERR_OK)
        return err;
    err = add_source(*engine);
    for (uint32_t id = 1; id <= market->instruments && err == OC_ERR_OK; id++)
        err = add_instrument(*engine, market, id);
    if (err == OC_ERR_OK) {
        oc_engine_counts_t counts;
        oc_engine_counts(*engine, &counts);
        OC_ASSERT(counts.instruments == market->instruments);
        return OC_ERR_OK;
    }
    oc_engine_destroy(*engine);
    *engine = NULL;
    return err;
}

static oc_err_t apply_all(oc_engine_t *engine, const oc_command_t *commands, size_t count,
                          bench_mode_t mode)
{
    if (mode == BENCH_BATCH)
        return oc_engine_apply_batch(engine, commands, count);
    for (size_t i = 0; i < count; i++) {
        const oc_err_t err = oc_engine_apply(engine, &commands[i]);
        if (err != OC_ERR_OK)
            return err;
    }
    return OC_ERR_OK;
}

oc_err_t timed_run(oc_engine_t *engine, const oc_command_t *commands, size_t count,
                   bench_mode_t mode, timed_run_t *time)
{
    const uint64_t wall = clock_wall_ns();
    const uint64_t cpu = clock_cpu_ns();
    const oc_err_t err = apply_all(engine, commands, count, mode);
    time->cpu_ns = (double)(clock_cpu_ns() - cpu);
    time->wall_ns = (double)(clock_wall_ns() - wall);
    return err;
}

oc_err_t timed_run_each(oc_engine_t *engine, const oc_command_t *commands, size_t count,
                        histogram_t *ticks, double *ns_per_tick)
{
    cycle_clock_t clock;
    cycle_clock_start(&clock);
    for (size_t i = 0; i < count; i++) {
        const uint64_t start = cycle_clock_ticks();
        const oc_err_t err = oc_engine_apply(engine, &commands[i]);
        const uint64_t end = cycle_clock_ticks();
        if (err != OC_ERR_OK)
            return err;
        histogram_record(ticks, end - start);
    }
    *ns_per_tick = cycle_clock_ns_per_tick(&clock);
    return OC_ERR_OK;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

double bench_median(double *values, size_t count)
{
    OC_ASSERT(count > 0);
    qsort(values, count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}
