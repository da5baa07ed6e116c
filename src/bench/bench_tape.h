/*
 * `outcry bench tape`: throughput of the engine alone on commands that were prepared in memory.
 */
#ifndef BENCH_BENCH_TAPE_H
#define BENCH_BENCH_TAPE_H

#include "bench/timed_run.h"

typedef struct bench_tape_result {
    double cpu_ns; /* per command; medians of the repeats */
    double wall_ns;
    uint64_t events;
    uint64_t state_hash; /* after the last repeat; all agree, that is checked */
} bench_tape_result_t;

/*
 * Runs the commands through a fresh engine of `config` as often as options->repeats says. The
 * commands are borrowed; those that add sources and instruments are among them.
 */
OC_MUST_CHECK oc_err_t bench_tape(const oc_command_t *commands, size_t count,
                                  const oc_engine_config_t *config, const bench_options_t *options,
                                  bench_tape_result_t *result);

#endif
