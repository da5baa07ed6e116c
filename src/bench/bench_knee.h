/*
 * The knee of a transport: the rate at which a percentile of the round trip crosses a limit, for
 * one message size, MTU and shape of arrivals. Each rate is measured by several short runs over
 * one pair.
 *
 * Threads: one.
 */
#ifndef BENCH_BENCH_KNEE_H
#define BENCH_BENCH_KNEE_H

#include "bench/bench_echo.h"
#include "bench/knee_search.h"

#define KNEE_REPEATS_MAX 9

/* One run at one rate. */
typedef struct knee_run {
    uint64_t rate_per_s;
    uint32_t repeat; /* from 0 */
    uint64_t sent;   /* behind the warm-up, as the next */
    uint64_t late;
    uint64_t unsent;
    uint64_t lost;
    uint64_t doubled;
    uint64_t out_of_order;
    uint64_t p50_ns;
    uint64_t p99_ns;
    uint64_t p999_ns;
    uint64_t max_ns;
    uint64_t value_ns;    /* at the percentile that is asked for */
    uint64_t own_late_ns; /* of the sender, at that percentile */
    echo_limit_t limit;
    bool crossed;        /* the limit, and it was not the sender */
    bool sender_limited; /* it kept not its rate, or was late by half the limit when it crossed */
} knee_run_t;

typedef struct knee_options {
    knee_terms_t terms;
    arrival_shape_t shape; /* one that takes a rate */
    uint64_t seed;
    uint32_t bytes;
    uint64_t sla_ns;
    double percent;     /* 50 to below 100 */
    uint32_t repeats;   /* 1..KNEE_REPEATS_MAX */
    uint64_t run_ns;    /* of each run behind its warm-up; longer where too few messages come */
    uint64_t warmup_ns; /* of each */
    uint64_t budget_ns; /* no run begins that would end behind it */
    /* Told of every run and of every rate; NULL: nobody is. */
    void (*on_run)(void *context, const knee_run_t *run);
    void (*on_point)(void *context, const knee_point_t *point);
    void *context;
} knee_options_t;

typedef struct knee_outcome {
    knee_search_t search;
    knee_result_t result;
    uint64_t elapsed_ns;
} knee_outcome_t;

OC_MUST_CHECK oc_err_t bench_knee(echo_pair_t *pair, const knee_options_t *options,
                                  knee_outcome_t *outcome);

/* What a run was worth. */
void knee_run_judge(knee_run_t *run, uint64_t sla_ns);

/* How long a run must be so that enough messages lie above the percentile. */
uint64_t knee_run_length_ns(const knee_options_t *options, uint64_t rate_per_s);

#endif
