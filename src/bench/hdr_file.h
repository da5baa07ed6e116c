/*
 * Files of the HdrHistogram family, written from a histogram_t, as the official Java library reads
 * and writes them (docs/formats/hdr.md):
 *
 *   .hgrm  the percentile distribution as text, five ticks per half distance to 100 %
 *   .hlog  the histogram log, version 1.3: whole histograms, one line for each interval
 *
 * Such files know a bucket by its highest value, so their maximum may be up to 0.1 % above
 * histogram_max(). Values above 2^63 - 1 cannot be told.
 *
 * Threads: one at a time for each file.
 */
#ifndef BENCH_HDR_FILE_H
#define BENCH_HDR_FILE_H

#include "base/histogram.h"
#include "outcry/error.h"

#include <stddef.h>
#include <stdio.h>

/*
 * Writes the percentile distribution of `histogram` (borrowed) to a new file, or over an old one;
 * values are divided by `ratio` (> 0): 1000 tells nanoseconds in microseconds.
 *
 * Errors: OC_ERR_WRITE (which file and why), OC_ERR_INVALID_ARGUMENT (a value too large).
 */
OC_MUST_CHECK oc_err_t hgrm_write(const char *path, const histogram_t *histogram, double ratio);

/* Called with the highest value of the bucket that reaches `level` (0 to 100), and how many values
 * lie up to there. */
typedef void (*hdr_level_sink_t)(void *context, uint64_t value, double level, uint64_t seen);

/* The lines of a .hgrm: five levels for each halving of the distance to 100 %, the last at 100 %.
 * None of an empty histogram. */
void hdr_levels(const histogram_t *histogram, hdr_level_sink_t sink, void *context);

typedef struct hlog_writer {
    FILE *file;       /* owned */
    const char *path; /* borrowed until hlog_close() */
} hlog_writer_t;

/*
 * Begins a log at `start_s` seconds since the Unix epoch. On success the caller owns what is in
 * *self: hlog_close(). OC_ERR_WRITE.
 */
OC_MUST_CHECK oc_err_t hlog_open(hlog_writer_t *self, const char *path, double start_s);

/*
 * Appends what was recorded in the interval from `begin_s` seconds after the start, `length_s`
 * long. The maximum in its line is in millions of the recorded unit: milliseconds of nanoseconds.
 *
 * Errors: OC_ERR_NO_MEMORY, OC_ERR_INVALID_ARGUMENT (a value too large); a write error is told by
 * hlog_close().
 */
OC_MUST_CHECK oc_err_t hlog_interval(hlog_writer_t *self, const histogram_t *histogram,
                                     double begin_s, double length_s);

/* A whole log: `count` intervals of `length_s` each, one after the other. All those errors. */
OC_MUST_CHECK oc_err_t hlog_write(const char *path, double start_s, histogram_t *const *intervals,
                                  size_t count, double length_s);

/* Closes; OC_ERR_WRITE if anything did not get to the file. A zeroed struct is allowed. */
OC_MUST_CHECK oc_err_t hlog_close(hlog_writer_t *self);

#endif
