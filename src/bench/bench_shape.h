/*
 * `outcry bench sparse` and `outcry bench deep`: books of shapes that bring naive structures down.
 */
#ifndef BENCH_BENCH_SHAPE_H
#define BENCH_BENCH_SHAPE_H

#include "bench/timed_run.h"

/* Levels of one order at prices far apart; each operation removes or makes a level. */
typedef struct bench_sparse_size {
    uint32_t levels;
    uint32_t operations; /* even: a cancel and a new order each */
} bench_sparse_size_t;

#define BENCH_SPARSE_SIZE       ((bench_sparse_size_t){10000, 2000000})
#define BENCH_SPARSE_SIZE_SHORT ((bench_sparse_size_t){100, 20000}) /* for the reference engine */

/*
 * In both results oracle_ok tells whether the book had the orders it must have each time it was
 * looked at. If not, which is no error, the measurement ended there and what was not measured is 0.
 */
typedef struct bench_sparse_result {
    double ns_per_op; /* thread CPU time, median of the repeats */
    bool oracle_ok;
} bench_sparse_result_t;

OC_MUST_CHECK oc_err_t bench_sparse(const bench_options_t *options, const bench_sparse_size_t *size,
                                    bench_sparse_result_t *result);

/* All orders in one level, or over many, cancelled in random order; and one order that sweeps. */
typedef struct bench_deep_size {
    uint32_t orders;
    uint32_t ordinary_levels; /* over which the orders are spread for comparison */
    uint32_t sweep_levels;    /* of one order each */
} bench_deep_size_t;

#define BENCH_DEEP_SIZE       ((bench_deep_size_t){1000000, 1000, 10000})
#define BENCH_DEEP_SIZE_SHORT ((bench_deep_size_t){10000, 10, 100}) /* for the reference engine */

/* Thread CPU times, medians. */
typedef struct bench_deep_result {
    double deep_cancel_ns;     /* per cancel inside one level of all orders */
    double ordinary_cancel_ns; /* per cancel with the orders over the ordinary levels */
    double sweep_ns_per_level;
    bool oracle_ok;
} bench_deep_result_t;

OC_MUST_CHECK oc_err_t bench_deep(const bench_options_t *options, const bench_deep_size_t *size,
                                  bench_deep_result_t *result);

#endif
