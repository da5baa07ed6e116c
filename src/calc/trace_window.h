/*
 * The busiest stretch of a trace: the window of a given length, anywhere, that holds the most.
 */
#ifndef CALC_TRACE_WINDOW_H
#define CALC_TRACE_WINDOW_H

#include "calc/trace_csv.h"

/* What a message of that size counts; less than 2^32. */
typedef uint64_t (*trace_weight_t)(const void *context, uint32_t size);

typedef struct trace_window {
    size_t first; /* the message it begins with */
    size_t count;
    uint64_t weight; /* of all of them */
} trace_window_t;

/*
 * Finds the window [t, t + length_ns) with the greatest weight; of equal ones the first. `weight`
 * NULL counts messages. The trace is not empty, length_ns > 0.
 */
void trace_window_busiest(const trace_t *trace, uint64_t length_ns, trace_weight_t weight,
                          const void *context, trace_window_t *busiest);

#endif
