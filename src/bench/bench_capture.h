/*
 * `outcry bench capture`: an engine's operations while its pages are captured.
 */
#ifndef BENCH_BENCH_CAPTURE_H
#define BENCH_BENCH_CAPTURE_H

#include "bench/bench_host.h"

#include <stdint.h>

#define BENCH_CAPTURE_ROUNDS_MAX 99

typedef struct bench_capture_options {
    uint32_t orders;       /* of W1 that rest */
    uint32_t rounds;       /* 1..BENCH_CAPTURE_ROUNDS_MAX */
    uint32_t quiet;        /* operations before each capture, at least 1 */
    uint32_t pool_percent; /* of the arena's pages, 1..100 */
    int cpu;               /* of the engine's thread; BENCH_HOST_CPU_ANY: the first that there is */
    int sweeper_cpu;       /* BENCH_HOST_CPU_ANY: another one, if there is */
} bench_capture_options_t;

/* Times of single operations, in ns; each contains one reading of the clock. */
typedef struct bench_capture_times {
    double p50_ns;
    double p99_ns;
    double p999_ns;
    double worst_ns;
} bench_capture_times_t;

/* Medians of the rounds, but for the worst of all where it is said. */
typedef struct bench_capture_result {
    int cpu;
    int sweeper_cpu;
    uint64_t arena_pages;
    double pause_ns;       /* from the call of capture_begin() to its return */
    double pause_worst_ns; /* of all rounds */
    double sweep_ms;       /* from then on until the last page was given out */
    double pages;          /* given out */
    double pages_owner;    /* of them copied by the engine's thread */
    double pages_lost;     /* copied by the sweeper and thrown away */
    double pool_highest;   /* pages of the pool in use at once */
    double clean_ns;       /* the sweeper, for a page that is clean */
    double operations;     /* while the sweeper was at work */
    bench_capture_times_t during;
    bench_capture_times_t quiet;
    uint32_t abandoned; /* rounds whose pool was used up */
    uint32_t empty;     /* rounds without an operation while pages were copied; not in `during` */
    uint32_t starved;   /* rounds that had no operations left before the sweeper was done */
} bench_capture_result_t;

/*
 * Builds the book, then in each round: operations without a capture, begin, operations until the
 * sweeper, a thread of its own, has all pages. It copies into 256 MiB of faulted-in memory, over
 * and over. The calling thread is pinned and stays so. Errors: OC_ERR_NO_MEMORY,
 * OC_ERR_INVALID_CONFIG (too few orders, no such processor).
 */
OC_MUST_CHECK oc_err_t bench_capture(const bench_capture_options_t *options,
                                     bench_capture_result_t *result);

#endif
