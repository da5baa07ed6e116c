/*
 * `outcry bench book`: the engine under the workloads W1 and W2, verified against their oracle.
 */
#ifndef BENCH_BENCH_BOOK_H
#define BENCH_BENCH_BOOK_H

#include "bench/timed_run.h"
#include "bench/workload.h"

typedef struct bench_book_result {
    double fill_ns; /* per operation; medians of the repeats */
    double fill_wall_ns;
    double mixed_ns;
    double mixed_wall_ns;
    double p99_ns; /* of mixed operations applied one by one */
    double p999_ns;
    double bytes_per_order; /* with the book filled, before the mixed part */
    uint64_t trade_hash;
    uint64_t book_hash;
    bool oracle_ok;
} bench_book_result_t;

/* An engine with the tables that the workload needs; as bench_engine_create(). */
OC_MUST_CHECK oc_err_t bench_book_engine(oc_engine_t **engine, const workload_t *workload,
                                         const bench_options_t *options, oc_event_sink_t sink,
                                         void *context);

/*
 * Verifies, measures latencies, then the repeats, each with a fresh engine. An oracle that is not
 * reproduced is no error but result->oracle_ok = false; nothing is timed then.
 */
OC_MUST_CHECK oc_err_t bench_book(const workload_t *workload, const bench_options_t *options,
                                  bench_book_result_t *result);

#endif
