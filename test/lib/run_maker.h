/*
 * Run files for tests of the report, made by the writer that benches use. All times follow from the
 * rate and a seed, so the same call gives the same figures.
 */
#ifndef LIB_RUN_MAKER_H
#define LIB_RUN_MAKER_H

#include "bench/run_file.h"

#include <jansson.h>

/*
 * One repeat of a series "LABEL" at a rate: 10 s, 1,000 values, the worst a hundred times the
 * median, which is `median_ns`. With service times a half of that.
 */
void run_maker_series(run_file_t *run, const char *label, double rate, uint64_t median_ns,
                      uint64_t seed);

/* A knee at 90,000/s to 110,000/s: two repeats at 40, 60, 90 and 110 thousand, as series too. A
 * p99.9 below the knee is about fifty times `median_ns`. */
void run_maker_knee(run_file_t *run, uint64_t median_ns);

/* Five bursts; passed or not. */
void run_maker_bursts(run_file_t *run, bool passed);

/* A row of a matrix. */
void run_maker_row(run_file_t *run, const char *verdict, const char *marks);

/* Ends the run, and returns what the report reads of it; the caller owns that. */
json_t *run_maker_end(run_file_t *run);

/* A member of an object of it: 0 or "" if it is not there. Borrowed from the object. */
double run_maker_number(const json_t *object, const char *name);
const char *run_maker_text(const json_t *object, const char *name);

/* That of a knee as a whole, without any mark. */
json_t *run_maker_knee_run(uint64_t median_ns);

#endif
