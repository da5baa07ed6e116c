/*
 * What a sender may send at once: a token bucket that fills with `rate` bits per second and holds
 * what comes in `depth`.
 *
 * Bits are those of packets as they go out, headers included. What can be tolerated is the smaller
 * of this and of what the receiver absorbs (burst.h).
 */
#ifndef CALC_BUDGET_H
#define CALC_BUDGET_H

#include "calc/trace_csv.h"

#include <stdbool.h>

typedef struct budget_input {
    uint64_t rate_bits; /* per second */
    uint64_t depth_ns;
    uint64_t burst;  /* messages that are to go out at once; 0: not asked for */
    uint64_t absorb; /* messages that the receiver absorbs; UINT64_MAX: not known */
    uint32_t size;
    uint32_t mtu;
} budget_input_t;

typedef struct budget {
    uint64_t bucket_bits;
    uint64_t message_bits;    /* alone in its packets */
    uint64_t at_once;         /* messages, each alone in its packets */
    uint64_t at_once_packed;  /* messages, when datagrams are as full as they can be */
    uint64_t sustained_per_s; /* messages, each alone in its packets */
    uint64_t burst_ns;        /* until the last of `burst` is out, beginning with a full bucket */
    uint64_t tolerance;       /* messages */
    bool limited_by_receiver;
} budget_t;

/* OC_ERR_INVALID_ARGUMENT, with context. */
OC_MUST_CHECK oc_err_t budget_calculate(const budget_input_t *input, budget_t *budget);

typedef struct budget_trace {
    uint64_t bucket_bits;
    uint64_t needed_bits; /* of a bucket that would delay nothing */
    uint64_t delayed;     /* messages */
    uint64_t delay_ns_max;
} budget_trace_t;

/* A trace through the bucket, which is full at its beginning; size, burst and absorb are not
 * looked at. OC_ERR_INVALID_ARGUMENT, with context. */
OC_MUST_CHECK oc_err_t budget_replay(const trace_t *trace, const budget_input_t *input,
                                     budget_trace_t *result);

#endif
