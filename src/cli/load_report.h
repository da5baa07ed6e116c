/*
 * What is told of a load: lines on standard output, files of histograms, and its part of a run
 * file.
 */
#ifndef CLI_LOAD_REPORT_H
#define CLI_LOAD_REPORT_H

#include "bench/run_file.h"
#include "cli/load_setup.h"

/* What made a load another one than was meant, or its venue one that broke its promises; in the
 * order of the report. */
#define LOAD_MARKS 7

typedef struct load_marks {
    uint64_t counts[LOAD_MARKS];
} load_marks_t;

/* Adds those of a run. */
void load_marks_add(load_marks_t *self, const load_terms_t *terms, const load_result_t *result);

/* Prints the line of marks, if there is any; the same into a run file, NULL: none. */
void load_marks_print(const load_marks_t *self);
void load_marks_put(const load_marks_t *self, run_file_t *run);

/* The lines that say which load it is. */
void load_report_mode(const load_setup_t *setup);

#define LOAD_QUOTES 5 /* p50, p90, p99, p99.9 and maximum, in us */

/* Run `repeat` (from 0) of `repeats`; all is borrowed. */
typedef struct load_report {
    const load_setup_t *setup;
    const load_outcome_t *outcome;
    uint32_t repeat;
    uint32_t repeats;
    run_file_t *run; /* NULL: none */
} load_report_t;

/* Prints its lines, writes --hgrm and --hlog, adds its series to the run file; latency into
 * quotes[]. Errors: OC_ERR_NO_MEMORY, hgrm_write(), hlog_write(). */
OC_MUST_CHECK oc_err_t load_report(const load_report_t *self, double quotes[LOAD_QUOTES]);

/* NAME_p50_us: and so on, of quotes[]. */
void load_report_quotes(const char *name, const double quotes[LOAD_QUOTES]);

#define LOAD_REPORT_PATH 4200

/* How the file of a repeat is called: as it was named, or of several with the number, from 1,
 * before the name's ending. */
void load_report_name(const load_report_t *self, const char *path, char name[LOAD_REPORT_PATH]);

#endif
