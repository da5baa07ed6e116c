/*
 * What a run of bursts comes to in a run file: its rows, latency, what the path counted and the
 * verdict; or one row of a matrix.
 */
#ifndef BENCH_BURST_RECORD_H
#define BENCH_BURST_RECORD_H

#include "bench/bench_burst.h"
#include "bench/burst_matrix.h"
#include "bench/run_file.h"

/* What a sender's schedule is called; a receiver alone knows none of it. */
typedef struct burst_record {
    const char *arrivals; /* of one sender */
    double rate;          /* of one sender, inside of a burst; 0: as fast as it goes */
} burst_record_t;

/* The run's only measurement. `run` may be NULL. */
void burst_record_run(const burst_record_t *self, run_file_t *run, const burst_result_t *result);

/* A row that was measured, as a series too, and one that was not: `verdict` is "impossible" or
 * "failed", and why. `run` may be NULL. */
void burst_record_row(const burst_record_t *self, run_file_t *run,
                      const uint64_t values[BURST_AXES], const burst_result_t *result);
void burst_record_no_row(const burst_record_t *self, run_file_t *run,
                         const uint64_t values[BURST_AXES], const char *verdict, const char *why);

typedef struct burst_mark {
    const char *name; /* static */
    uint64_t count;
} burst_mark_t;

#define BURST_MARKS      10
#define BURST_MARKS_TEXT 160 /* bytes, for all names */

/* What makes the run another one than was meant; a count is 0 where there was none of it. */
void burst_marks(const burst_result_t *result, burst_mark_t marks[BURST_MARKS]);

/* The names of those that are not 0, with commas between; "": none. */
void burst_marks_text(const burst_result_t *result, char *text, size_t size);

#endif
