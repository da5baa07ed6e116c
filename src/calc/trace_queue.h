/*
 * A queue that is drained at a constant rate, replayed exactly: messages through a receiver, bits
 * through a token bucket.
 *
 * Work is kept in units / 10^9 and the rate in units per ms times 1000, so that a nanosecond drains
 * exactly `drain` of it: nothing is rounded before a result is asked for.
 */
#ifndef CALC_TRACE_QUEUE_H
#define CALC_TRACE_QUEUE_H

#include "calc/fixed_point.h"

#define TRACE_QUEUE_UNIT UINT64_C(1000000000)

typedef struct trace_queue {
    uint64_t drain; /* thousandths of a unit per millisecond, which is units / 10^9 per ns */
    uint64_t now_ns;
    fixed_wide_t work;
} trace_queue_t;

/* Empty; drain > 0. */
void trace_queue_init(trace_queue_t *self, uint64_t drain_milli_per_ms);

/* So many units arrive at once; the time never goes back. */
void trace_queue_add(trace_queue_t *self, uint64_t offset_ns, uint64_t units);

/* What waits right now, with what is being drained, rounded up to whole units. */
uint64_t trace_queue_units(const trace_queue_t *self);

/* How long until all that waits now is drained, rounded up: the wait of what arrived last, its own
 * draining included. UINT64_MAX if that is longer than 584 years. */
uint64_t trace_queue_wait_ns(const trace_queue_t *self);

#endif
