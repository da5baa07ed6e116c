/*
 * What all engine benches share: a prepared engine, a run of commands under the clock, medians.
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
    unsigned repeats; /* 1..BENCH_REPEATS_MAX */
} bench_options_t;

typedef struct timed_run {
    double cpu_ns; /* CLOCK_THREAD_CPUTIME_ID */
    double wall_ns;
} timed_run_t;

/* Counts what the engine says, so that no event can be left out of the measurement. */
typedef struct event_tally {
    uint64_t events;
} event_tally_t;

void event_tally_sink(void *context, const oc_event_t *events, size_t count);

/* Instruments 1..instruments of a bench engine, all alike. */
typedef struct bench_market {
    uint32_t instruments;
    int64_t price_low_ticks;
    int64_t price_high_ticks;
    int64_t max_quantity_lots;
} bench_market_t;

/*
 * Creates an engine with source 1 (all roles) and the market's instruments, continuous. The caller
 * owns *engine; `context` is borrowed for its life. Errors as oc_engine_create().
 */
OC_MUST_CHECK oc_err_t bench_engine_create(oc_engine_t **engine, const oc_engine_config_t *config,
                                           const bench_market_t *market, oc_event_sink_t sink,
                                           void *context);

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
double bench_median(double *values, size_t count);

#endif
