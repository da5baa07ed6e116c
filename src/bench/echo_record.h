/*
 * What a run of echoes comes to in a run file: a series with its time line, every count, and
 * whether the rate was kept. Runs of one file are repeats of each other.
 */
#ifndef BENCH_ECHO_RECORD_H
#define BENCH_ECHO_RECORD_H

#include "bench/echo_loop.h"
#include "bench/run_file.h"

#define ECHO_RECORD_LABEL "round trip"

typedef struct echo_record {
    run_qualifiers_t with;
    uint64_t warmup_ns;
    const char *hgrm; /* as run_series_t has them */
    const char *hlog;
} echo_record_t;

/* `account` and `result` are those of a run that has ended. `run` may be NULL. */
void echo_record_run(const echo_record_t *self, run_file_t *run, const echo_account_t *account,
                     const echo_result_t *result);

typedef struct echo_mark {
    const char *name; /* static */
    uint64_t count;
} echo_mark_t;

#define ECHO_MARKS 5

/* What makes the run another one than was meant; a count is 0 where there was none of it. */
void echo_marks(const echo_result_t *result, echo_mark_t marks[ECHO_MARKS]);

/* "yes", or "no: " and whose doing it was. Static. */
const char *echo_limit_name(echo_limit_t limit);

#endif
