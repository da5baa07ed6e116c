/*
 * `outcry bench tape`: throughput of the engine alone on commands that were prepared in memory.
 */
#ifndef BENCH_BENCH_TAPE_H
#define BENCH_BENCH_TAPE_H

#include "bench/timed_run.h"

/* Commands, those that add sources and instruments among them, and what they must lead to. */
typedef struct bench_tape_flow {
    const oc_command_t *commands; /* borrowed */
    size_t count;
    const oc_engine_config_t *config; /* borrowed */
    uint64_t state_hash;              /* of an engine that applied them one by one */
} bench_tape_flow_t;

typedef struct bench_tape_result {
    double cpu_ns; /* per command; medians of the repeats */
    double wall_ns;
    uint64_t events;
    uint64_t state_hash; /* after the last repeat */
    bool oracle_ok;      /* every repeat led to the flow's state */
} bench_tape_result_t;

/*
 * Runs the flow through a fresh engine as often as options->repeats says. A wrong state is no
 * error, but ends the measurement with result->oracle_ok = false.
 */
OC_MUST_CHECK oc_err_t bench_tape(const bench_tape_flow_t *flow, const bench_options_t *options,
                                  bench_tape_result_t *result);

#endif
