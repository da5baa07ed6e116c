/*
 * The search for a knee: the rate at which a percentile of latency crosses a limit. Pure: rates
 * out, verdicts in; who measures is somebody else.
 *
 * First a ramp that doubles the rate until it and its double cross (or halves it, if the first one
 * does), then bisection on a logarithmic scale. A rate is measured by several runs, and its verdict
 * is that of most; the rates where all agree make the range that is told beside the knee.
 *
 * A run whose sender could not keep the rate, or was itself too late, says nothing about what it
 * measured: it is no crossing. A rate with mostly such runs bounds the search from above.
 */
#ifndef BENCH_KNEE_SEARCH_H
#define BENCH_KNEE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KNEE_POINTS_MAX 64

/* Of the runs that the sender does not limit cross: */
typedef enum knee_verdict {
    KNEE_NONE,
    KNEE_FEW,  /* at most half */
    KNEE_MOST, /* more than half */
    KNEE_ALL,
    KNEE_SENDER, /* it limits more than half of all */
} knee_verdict_t;

typedef struct knee_point {
    uint64_t rate_per_s;
    uint32_t runs;      /* at least 1 */
    uint32_t limited;   /* of these, by the sender */
    uint32_t crossings; /* of the others */
} knee_point_t;

knee_verdict_t knee_point_verdict(const knee_point_t *point);
const char *knee_verdict_name(knee_verdict_t verdict);

typedef struct knee_terms {
    uint64_t start_per_s; /* min_per_s..max_per_s, as all that is asked for */
    uint64_t min_per_s;   /* at least 1 */
    uint64_t max_per_s;
    double precision; /* above 1: the ratio of the last two rates around the knee */
} knee_terms_t;

typedef struct knee_search {
    knee_terms_t terms;
    knee_point_t points[KNEE_POINTS_MAX];
    size_t count;
    uint64_t below; /* the highest rate that most do not cross; 0: none */
    uint64_t above; /* the lowest above that which most cross; 0: none */
    uint64_t cap;   /* the lowest above that which the sender limits; 0: none */
} knee_search_t;

void knee_search_init(knee_search_t *self, const knee_terms_t *terms);

/* The rate to measure next; 0: the search is over. */
uint64_t knee_search_next(const knee_search_t *self);

/* What the measurement gave. */
void knee_search_add(knee_search_t *self, const knee_point_t *point);

typedef enum knee_end {
    KNEE_FOUND,
    KNEE_SENDER_LIMIT, /* above what the sender can do: nothing crossed */
    KNEE_ABOVE_MAX,    /* above the highest rate that was allowed */
    KNEE_BELOW_MIN,    /* below the lowest */
    KNEE_CUT,          /* the search was not over */
} knee_end_t;

typedef struct knee_result {
    knee_end_t end;
    /* Of rates that the sender limits in no run: */
    double low_per_s;  /* the highest that no run crosses, below all that one does; 0: none */
    double mid_per_s;  /* between the last two of all; 0: one of them is not known */
    double high_per_s; /* the lowest from which on all runs cross; 0: none */
} knee_result_t;

void knee_search_result(const knee_search_t *self, knee_result_t *result);
const char *knee_end_name(knee_end_t end);

#endif
