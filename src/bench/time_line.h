/*
 * Latency by the time at which it was seen: a histogram for each interval of a run, so that a
 * report can show when it was bad. Recording allocates nothing and takes no lock.
 *
 * Threads: one.
 */
#ifndef BENCH_TIME_LINE_H
#define BENCH_TIME_LINE_H

#include "base/histogram.h"
#include "outcry/error.h"

#include <stddef.h>
#include <stdint.h>

#define TIME_LINE_MAX 64

typedef struct time_line {
    histogram_t *intervals[TIME_LINE_MAX]; /* owned; ns */
    size_t count;                          /* of them */
    uint64_t interval_ns;
    uint64_t start_ns; /* of the first one; set by the owner, 0 until then */
} time_line_t;

/* `count` intervals, 1..TIME_LINE_MAX; the last one takes all that comes later. OC_ERR_NO_MEMORY.
 * On success the caller owns it: time_line_fini(). */
OC_MUST_CHECK oc_err_t time_line_init(time_line_t *self, size_t count, uint64_t interval_ns);
void time_line_fini(time_line_t *self); /* a zeroed struct is allowed */

/* Forgets what was recorded. */
void time_line_reset(time_line_t *self);

/* A latency that was seen at `now_ns`; before the start counts for the first interval. */
void time_line_record(time_line_t *self, uint64_t now_ns, uint64_t latency_ns);

/* Adds all of them to `sum`. */
void time_line_sum(const time_line_t *self, histogram_t *sum);

#endif
