/*
 * Throughput over a recorded stream. Called by `outcry bench tape`, which reads and resolves the
 * file before.
 *
 * Invariant: every repeat ends in the same state hash.
 */
#include "bench/bench_tape.h"

#include "base/assert.h"

#include <string.h>

static oc_err_t run_once(const oc_command_t *commands, size_t count,
                         const oc_engine_config_t *config, bench_mode_t mode,
                         bench_tape_result_t *once)
{
    event_tally_t tally = {0};
    oc_engine_t *engine;
    oc_err_t err = oc_engine_create(&engine, config, event_tally_sink, &tally);
    if (err != OC_ERR_OK)
        return err;
    timed_run_t time;
    err = timed_run(engine, commands, count, mode, &time);
    once->cpu_ns = count ? time.cpu_ns / (double)count : 0.0;
    once->wall_ns = count ? time.wall_ns / (double)count : 0.0;
    once->events = tally.events;
    once->state_hash = oc_engine_state_hash(engine);
    oc_engine_destroy(engine);
    return err;
}

oc_err_t bench_tape(const oc_command_t *commands, size_t count, const oc_engine_config_t *config,
                    const bench_options_t *options, bench_tape_result_t *result)
{
    OC_ASSERT(options->repeats >= 1);
    OC_ASSERT(options->repeats <= BENCH_REPEATS_MAX);
    double cpu_ns[BENCH_REPEATS_MAX];
    double wall_ns[BENCH_REPEATS_MAX];
    memset(result, 0, sizeof *result);
    for (unsigned i = 0; i < options->repeats; i++) {
        bench_tape_result_t once;
        const oc_err_t err = run_once(commands, count, config, options->mode, &once);
        if (err != OC_ERR_OK)
            return err;
        OC_ASSERT(i == 0 || once.state_hash == result->state_hash);
        cpu_ns[i] = once.cpu_ns;
        wall_ns[i] = once.wall_ns;
        result->events = once.events;
        result->state_hash = once.state_hash;
    }
    result->cpu_ns = bench_median(cpu_ns, options->repeats);
    result->wall_ns = bench_median(wall_ns, options->repeats);
    return OC_ERR_OK;
}
