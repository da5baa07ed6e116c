/*
 * Shapes of arrival as text, for options and reports:
 *
 *   steady:BURST                      bursts of BURST sends at one time, evenly spread at a rate
 *   poisson                           independent sends at a rate: exponential gaps, seeded
 *   onoff:BURST:IDLE_MS               BURST sends at one time, again every IDLE_MS
 *   onoff:BURST:IDLE_MS:PEAK_PER_MS   BURST sends at that peak rate, then idle for IDLE_MS
 *   trace:FILE[:FACTOR]               the sends of a file; its gaps divided by FACTOR (1)
 *
 * "steady" alone is steady:1. The last two say their rate themselves.
 */
#ifndef BENCH_ARRIVAL_SHAPE_H
#define BENCH_ARRIVAL_SHAPE_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRIVAL_BURST_MAX       UINT64_C(1000000)
#define ARRIVAL_IDLE_MS_MAX     UINT64_C(3600000)
#define ARRIVAL_PEAK_PER_MS_MAX UINT64_C(1000000)
#define ARRIVAL_FACTOR_MAX      UINT64_C(1000000000) /* in thousandths */
#define ARRIVAL_PATH_SIZE       1024
#define ARRIVAL_NAME_SIZE       (ARRIVAL_PATH_SIZE + 32)

typedef enum arrival_kind {
    ARRIVAL_STEADY,
    ARRIVAL_POISSON,
    ARRIVAL_ONOFF,
    ARRIVAL_TRACE,
} arrival_kind_t;

typedef struct arrival_shape {
    arrival_kind_t kind;
    uint64_t burst;               /* steady, onoff */
    uint64_t idle_ms;             /* onoff */
    uint64_t peak_per_ms;         /* onoff; 0: a whole burst at one time */
    uint64_t factor_thousandths;  /* trace: gaps are divided by factor_thousandths / 1000 */
    char path[ARRIVAL_PATH_SIZE]; /* trace */
} arrival_shape_t;

/*
 * Reads a shape. Behind the last colon of a trace stands its factor, if that is a number with at
 * most three decimals: a file whose name ends so needs one. OC_ERR_INVALID_ARGUMENT says what is
 * wrong and what is allowed.
 */
OC_MUST_CHECK oc_err_t arrival_shape_parse(arrival_shape_t *self, const char *text);

/* The text that gives this shape again, in at most ARRIVAL_NAME_SIZE bytes. */
void arrival_shape_name(const arrival_shape_t *self, char *text, size_t size);

/* Whether the shape needs a rate from elsewhere. */
static inline bool arrival_shape_takes_rate(const arrival_shape_t *self)
{
    return self->kind == ARRIVAL_STEADY || self->kind == ARRIVAL_POISSON;
}

#endif
