/*
 * What all engine benches share: how they are run, a run of commands under the clock, medians.
 */
#ifndef BENCH_TIMED_RUN_H
#define BENCH_TIMED_RUN_H

#include "base/histogram.h"
#include "outcry/engine.h"

typedef enum bench_mode {
    BENCH_BATCH,  /* oc_engine_apply_batch() over all commands */
    BENCH_SINGLE, /* oc_engine_apply() one by one */
} bench_mode_t;

#define BENCH_REPEATS_MAX 99

/* How every bench is run. */
typedef struct bench_options {
    bench_mode_t mode;
    oc_engine_kind_t engine;
    unsigned repeats;  /* 1..BENCH_REPEATS_MAX */
    bool hash_outputs; /* keep the output hash in the timed passes too */
} bench_options_t;

typedef struct timed_run {
    double cpu_ns; /* CLOCK_THREAD_CPUTIME_ID */
    double wall_ns;
} timed_run_t;

/* Applies the commands and says how long that took. */
OC_MUST_CHECK oc_err_t timed_run(oc_engine_t *engine, const oc_command_t *commands, size_t count,
                                 bench_mode_t mode, timed_run_t *time);

/*
 * Applies the commands one by one and records each one's duration, in ticks of the cycle clock
 * whose length is stored in *ns_per_tick. A duration contains the call, its sequence check, hashes
 * and events, and one reading of the clock.
 */
OC_MUST_CHECK oc_err_t timed_run_each(oc_engine_t *engine, const oc_command_t *commands,
                                      size_t count, histogram_t *ticks, double *ns_per_tick);

/* Median of `count` >= 1 values, which it sorts. */
double timed_run_median(double *values, size_t count);

#endif
