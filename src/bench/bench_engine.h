/*
 * An engine to be measured: created with its instruments open, a sink that counts, and what its
 * orders cost in memory.
 */
#ifndef BENCH_BENCH_ENGINE_H
#define BENCH_BENCH_ENGINE_H

#include "outcry/engine.h"

/* Instruments 1..instruments of a bench engine, all alike. */
typedef struct bench_engine_market {
    uint32_t instruments;
    int64_t price_low_ticks;
    int64_t price_high_ticks;
    int64_t max_quantity_lots;
} bench_engine_market_t;

/*
 * Creates an engine with source 1 (all roles) and the market's instruments, continuous. The caller
 * owns *engine; `context` is borrowed for its life. Errors as oc_engine_create().
 */
OC_MUST_CHECK oc_err_t bench_engine_create(oc_engine_t **engine, const oc_engine_config_t *config,
                                           const bench_engine_market_t *market,
                                           oc_event_sink_t sink, void *context);

/* Counts what the engine says, so that no event can be left out of the measurement. */
typedef struct bench_engine_tally {
    uint64_t events;
} bench_engine_tally_t;

/* An event sink; `context` is the bench_engine_tally_t. */
void bench_engine_tally_sink(void *context, const oc_event_t *events, size_t count);

/*
 * Used order records, index slots, level records and source lists, divided by the live orders; 0
 * without orders and for the reference engine.
 */
double bench_engine_bytes_per_order(const oc_engine_t *engine);

#endif
