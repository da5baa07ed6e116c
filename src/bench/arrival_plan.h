/*
 * From options to a schedule: reads the shape, and for a trace the file, which is cut and
 * compressed as told. What `outcry load` and the benches do with --arrivals.
 */
#ifndef BENCH_ARRIVAL_PLAN_H
#define BENCH_ARRIVAL_PLAN_H

#include "bench/arrival.h"
#include "bench/trace_file.h"

#include <stdio.h>

/* Those options, for a command's help. */
#define ARRIVAL_HELP                                                                               \
    "  --arrivals SHAPE     when they are intended: steady:BURST or poisson, with --rate;\n"       \
    "                       onoff:BURST:IDLE_MS[:PEAK_PER_MS] or trace:FILE[:FACTOR], whose "      \
    "rate\n"                                                                                       \
    "                       is their own (steady:1)\n"                                             \
    "  --seed N             of poisson (1)\n"                                                      \
    "  --window-ms N        the worst N ms of the trace only\n"                                    \
    "  --window-by W        what is worst: messages, bytes (messages)\n"                           \
    "  --burst-gap-us N     gaps of a trace up to here are inside of bursts, and are kept (100)\n"

typedef struct arrival_plan_options {
    uint64_t rate_per_s;   /* for a shape that takes one */
    uint64_t seed;         /* poisson */
    uint32_t bytes;        /* of each send, but for a trace */
    uint64_t burst_gap_ns; /* trace: gaps up to here are inside of bursts */
    uint64_t window_ns;    /* trace: its worst window of this length; 0: all of it */
    bool by_bytes;         /* the worst one has most bytes, not most messages */
} arrival_plan_options_t;

typedef struct arrival_plan {
    arrival_shape_t shape;
    arrival_t arrivals;
    trace_play_t play; /* owned; borrowed by `arrivals`, so a plan must not be copied */
    trace_file_counts_t file;
    uint64_t burst_gap_ns;
} arrival_plan_t;

/* A window is cut out of the trace as it was captured, and compressed then. Errors: those of
 * trace_file_read(). On success the caller owns *self: arrival_plan_fini(). */
OC_MUST_CHECK oc_err_t arrival_plan_init(arrival_plan_t *self, const arrival_shape_t *shape,
                                         const arrival_plan_options_t *options);
void arrival_plan_fini(arrival_plan_t *self); /* a zeroed struct is allowed */

/* From the start until a nanosecond behind the last send; 0: a schedule without an end. */
uint64_t arrival_plan_length_ns(const arrival_plan_t *self);

/* The lines of a report that name the schedule (docs/load.md). */
void arrival_plan_print(const arrival_plan_t *self, FILE *out);

#endif
