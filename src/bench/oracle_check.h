/*
 * Compares what an engine made of a workload with the workload's oracle: every trade, in order, and
 * the book that is left.
 */
#ifndef BENCH_ORACLE_CHECK_H
#define BENCH_ORACLE_CHECK_H

#include "bench/workload.h"

/* What the engine says of the workload, to be compared with the oracle. */
typedef struct oracle_check {
    uint64_t trades;
    uint64_t traded_quantity;
    uint64_t trade_hash;
    uint64_t rejected;
    uint64_t resting;
    uint64_t resting_quantity;
    uint64_t book_hash;
    uint32_t taker; /* of the TRADE whose FILL comes next */
} oracle_check_t;

void oracle_check_init(oracle_check_t *self);

/* An event sink: counts and hashes the trades. `context` is the oracle_check_t. */
void oracle_check_sink(void *context, const oc_event_t *events, size_t count);

/*
 * Walks the final book of the workload's instruments, then compares all with the oracle.
 * Error: OC_ERR_NO_MEMORY; *ok is set otherwise.
 */
OC_MUST_CHECK oc_err_t oracle_check_finish(oracle_check_t *self, const oc_engine_t *engine,
                                           const workload_t *workload, bool *ok);

#endif
