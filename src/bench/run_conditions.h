/*
 * Under what a bench ran: build, machine, kernel settings, what else the machine did. They go into
 * its run file as a whole, because a figure without them cannot be held against another one.
 */
#ifndef BENCH_RUN_CONDITIONS_H
#define BENCH_RUN_CONDITIONS_H

#include "bench/bench_host.h"

#include <stdint.h>

#define RUN_CONDITIONS_TEXT 256

/* Texts are "unknown" and numbers -1 where the system does not say. */
typedef struct run_conditions {
    char build[RUN_CONDITIONS_TEXT];
    char compiler[RUN_CONDITIONS_TEXT];
    char aeron[RUN_CONDITIONS_TEXT];
    char cpu_model[RUN_CONDITIONS_TEXT];
    char governor[RUN_CONDITIONS_TEXT]; /* of the first processor */
    char kernel[RUN_CONDITIONS_TEXT];
    char huge_pages[RUN_CONDITIONS_TEXT];
    char start[32]; /* UTC, as 2026-01-31T12:00:00Z */
    int64_t processors;
    int64_t rmem_max; /* bytes, of net.core */
    int64_t rmem_default;
    int64_t wmem_max;
    double load_average; /* of a minute, before the run */
    bench_host_time_t begin;
} run_conditions_t;

/* Reads all of it: to be called right before the run. `version` is the program's. */
void run_conditions_read(run_conditions_t *self, const char *version);

#endif
