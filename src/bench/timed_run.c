/*
 * Engine under the clock. Called by each bench.
 *
 * Between the two readings of a clock there is nothing but the engine and its sink. Engines are
 * created, and so faulted in, before.
 */
#include "bench/timed_run.h"

#include "base/assert.h"
#include "base/cycle_clock.h"

#include <stdlib.h>

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

double timed_run_median(double *values, size_t count)
{
    OC_ASSERT(count > 0);
    qsort(values, count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}
