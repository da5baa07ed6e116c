/*
 * The way to a knee, kept while it is searched, and what it comes to in a run file.
 *
 * A rate held if no run of it crossed the limit, and failed if one did, for what is promised is the
 * worst of the repeats. A rate is marked, and proves neither, if the sender was the limit in most
 * of its runs, or in one of them while none crossed.
 */
#ifndef BENCH_KNEE_RECORD_H
#define BENCH_KNEE_RECORD_H

#include "bench/bench_knee.h"
#include "bench/run_file.h"

typedef struct knee_record_rate {
    double p999_ns[KNEE_REPEATS_MAX];
    size_t repeats;
} knee_record_rate_t;

typedef struct knee_record {
    /* Of each rate that is done, then of the one that is not. */
    knee_record_rate_t rates[KNEE_POINTS_MAX + 1];
    size_t done;
    uint64_t doubled; /* over all runs, as the next; neither is told by a rate's verdict */
    uint64_t out_of_order;
    uint64_t late;
} knee_record_t; /* a zeroed one is empty */

void knee_record_take(knee_record_t *self, const knee_run_t *run);

/* The rate of the runs that were taken last is done. */
void knee_record_point(knee_record_t *self);

/* `at_rate` is a rate that was asked about; 0: none. The percentile must have been 99.9. `run` may
 * be NULL. */
void knee_record_end(const knee_record_t *self, run_file_t *run, const run_qualifiers_t *with,
                     const knee_options_t *options, const knee_outcome_t *outcome,
                     uint64_t at_rate);

#endif
