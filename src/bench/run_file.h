/*
 * The run file of a bench (docs/formats/run.md): what was measured, under which conditions, and
 * what is wrong with it, for `outcry report`.
 *
 *     run_file_t *run = run_file_create("echo", RUN_LOOP_OPEN, VERSION);  reads the conditions
 *     ... run_file_config() for each option, then the bench runs ...
 *     run_file_series() for each repeat, run_file_mark() for each counted fault
 *     err = run_file_write(run, path);
 *     run_file_destroy(run);
 *
 * All strings and arrays are borrowed for the call only. NULL for `self` is allowed everywhere but
 * in run_file_write(): a bench that was asked for no file needs no second way. Memory that runs
 * out is told by run_file_write(). A text that is no UTF-8 is written with '?' in its place.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_RUN_FILE_H
#define BENCH_RUN_FILE_H

#include "base/histogram.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_FILE_VERSION 1

typedef struct run_file run_file_t;

typedef enum run_loop {
    RUN_LOOP_OPEN,   /* sent on a schedule that no answer moves */
    RUN_LOOP_CLOSED, /* the next one waits for an answer, or there is no schedule */
} run_loop_t;

/* What every figure is told with. Members that do not apply are 0, NULL or negative. */
typedef struct run_qualifiers {
    double rate;            /* messages a second, as asked for */
    uint32_t message_bytes; /* payload */
    uint32_t mtu;
    const char *arrivals; /* "even", "bursts of 10": the shape in words */
} run_qualifiers_t;

/* A second of a run; times in ns. */
typedef struct run_second {
    double t; /* seconds from the start */
    uint64_t count;
    uint64_t p50;
    uint64_t p99;
    uint64_t p999;
    uint64_t max;
} run_second_t;

/* A time line of intervals of equal length: those behind the warm-up, up to the last in which
 * something came. Returns how many there are; *seconds has room for `count`. */
size_t run_file_seconds(histogram_t *const *intervals, size_t count, uint64_t interval_ns,
                        uint64_t warmup_ns, run_second_t *seconds);

/* One repeat; those of the same label are repeats of each other and have the same qualifiers. */
typedef struct run_series {
    const char *label;
    run_qualifiers_t with;
    double warmup_s;
    const histogram_t *latency; /* ns, from the intended send */
    const histogram_t *service; /* ns, from the actual send; NULL: not measured */
    const run_second_t *seconds;
    size_t second_count;
    const char *hgrm; /* files beside, told without their folder; NULL: none */
    const char *hlog;
} run_series_t;

typedef enum run_verdict { RUN_PASS, RUN_FAIL, RUN_MARKED } run_verdict_t;

typedef struct run_knee_point {
    double rate;
    const double *p999_ns; /* of each repeat */
    size_t repeats;
    run_verdict_t verdict; /* MARKED: the rate was not offered, or not measured well */
} run_knee_point_t;

typedef struct run_knee {
    run_qualifiers_t with; /* its rate is not used */
    double sla_ns;         /* that p99.9 must not exceed */
    const run_knee_point_t *points;
    size_t point_count;
    double low; /* highest rate that passed; all three 0: none was found */
    double mid;
    double high;     /* lowest that failed */
    double rho_rate; /* asked about; 0: none */
    const char *end; /* how the search ended, in words; NULL: not told */
} run_knee_t;

typedef struct run_burst {
    uint64_t messages;
    uint64_t missing; /* of those that were planned */
    double absorb_ns; /* from the first to the last received */
    uint64_t peak_per_ms;
} run_burst_t;

/* What the path counted, as it grew during the run. The format has six names (run_file.c); those of
 * them that are not given are not known. */
typedef struct run_counter {
    const char *name;
    double value; /* negative: not known */
} run_counter_t;

typedef struct run_bursts {
    run_qualifiers_t with; /* the rate within a burst; 0: as fast as it goes */
    const run_burst_t *bursts;
    size_t count;
    size_t warmup; /* bursts before these, for their numbers */
    bool passed;
    const char *const *reasons;    /* why not; ends with NULL, NULL: none */
    const char *const *not_judged; /* what this end cannot know; the same */
    const run_counter_t *counters;
    size_t counter_count;
} run_bursts_t;

/* A combination of a sweep; what was not measured is negative. */
typedef struct run_row {
    run_qualifiers_t with;
    uint64_t burst_size; /* messages of each sender */
    uint64_t senders;
    uint64_t so_rcvbuf; /* bytes, as the next; 0: as the transport has it by itself */
    uint64_t receiver_window;
    double absorb_ns; /* the longest */
    double peak_per_ms;
    double p99_ns;
    double max_ns;
    const char *verdict; /* "pass", "fail"; "impossible", "failed": it was not measured */
    const char *reasons;
    const char *marks; /* names with commas between; "": none */
} run_row_t;

/* Reads the conditions of this moment. NULL when memory runs out. */
run_file_t *run_file_create(const char *bench, run_loop_t loop, const char *version);

void run_file_destroy(run_file_t *self);

/* A fault that was counted: "late", "lost". Nothing if `count` is 0; any other marks the run.
 * Counts of one name are added up. */
void run_file_mark(run_file_t *self, const char *name, uint64_t count);

/* An option, a channel, a setting, as it was in effect. The environment's AERON_* are there. */
void run_file_config(run_file_t *self, const char *key, const char *value);

/* A processor that a thread of the run was pinned to. */
void run_file_pinned(run_file_t *self, int cpu);

void run_file_series(run_file_t *self, const run_series_t *series);
void run_file_knee(run_file_t *self, const run_knee_t *knee);
void run_file_bursts(run_file_t *self, const run_bursts_t *bursts);
void run_file_row(run_file_t *self, const run_row_t *row);

/* Something the run was asked to prove; `reason`: why not, or NULL. */
void run_file_verdict(run_file_t *self, const char *name, bool passed, const char *reason);

/* A figure that is no latency of messages, or of another bench. `with` may be NULL; `percentile`
 * is 0 if it is none. Figures of the same name are repeats. */
void run_file_figure(run_file_t *self, const char *name, double value, const char *unit,
                     const run_qualifiers_t *with, double percentile);

/* Takes the time that was stolen since the begin, and writes the file as a whole or not at all.
 * OC_ERR_NO_MEMORY, and those of atomic_file_write(). */
OC_MUST_CHECK oc_err_t run_file_write(run_file_t *self, const char *path);

#endif
