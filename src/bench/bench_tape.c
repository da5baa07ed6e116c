/*
 * Throughput over a recorded stream. Called by `outcry bench tape`, which reads and resolves the
 * file before.
 *
 * Invariant: a time is reported only if every repeat ended in the state that is right.
 */
#include "bench/bench_tape.h"

#include "base/assert.h"
#include "bench/bench_engine.h"

#include <string.h>

static oc_err_t run_once(const bench_tape_flow_t *flow, bench_mode_t mode,
                         bench_tape_result_t *once)
{
    bench_engine_tally_t tally = {0};
    oc_engine_t *engine;
    oc_err_t err = oc_engine_create(&engine, flow->config, bench_engine_tally_sink, &tally);
    if (err != OC_ERR_OK)
        return err;
    timed_run_t time;
    err = timed_run(engine, flow->commands, flow->count, mode, &time);
    once->cpu_ns = flow->count ? time.cpu_ns / (double)flow->count : 0.0;
    once->wall_ns = flow->count ? time.wall_ns / (double)flow->count : 0.0;
    once->events = tally.events;
    once->state_hash = oc_engine_state_hash(engine);
    once->oracle_ok = once->state_hash == flow->state_hash;
    oc_engine_destroy(engine);
    return err;
}

oc_err_t bench_tape(const bench_tape_flow_t *flow, const bench_options_t *options,
                    bench_tape_result_t *result)
{
    OC_ASSERT(options->repeats >= 1);
    OC_ASSERT(options->repeats <= BENCH_REPEATS_MAX);
    double cpu_ns[BENCH_REPEATS_MAX];
    double wall_ns[BENCH_REPEATS_MAX];
    memset(result, 0, sizeof *result);
    for (unsigned i = 0; i < options->repeats; i++) {
        bench_tape_result_t once;
        const oc_err_t err = run_once(flow, options->mode, &once);
        if (err != OC_ERR_OK)
            return err;
        cpu_ns[i] = once.cpu_ns;
        wall_ns[i] = once.wall_ns;
        result->events = once.events;
        result->state_hash = once.state_hash;
        if (!once.oracle_ok)
            return OC_ERR_OK;
    }
    result->oracle_ok = true;
    result->cpu_ns = timed_run_median(cpu_ns, options->repeats);
    result->wall_ns = timed_run_median(wall_ns, options->repeats);
    return OC_ERR_OK;
}
