/*
 * What a burst leaves in a receiver's queue.
 *
 * By the formula, from figures alone: Q_burst = max(0, (lambda_peak - mu) * T_b), the longest
 * queueing is Q_burst / mu, and buffers must hold Q_burst times the bytes of a message on the wire.
 * Or from a trace, replayed message by message: its peaks inside the burst count then, too.
 */
#ifndef CALC_BURST_H
#define CALC_BURST_H

#include "calc/trace_csv.h"
#include "calc/trace_window.h"

typedef struct burst_input {
    uint64_t arrivals; /* of each sender, in burst_ns */
    uint64_t senders;
    uint64_t burst_ns;
    uint64_t drain_milli_per_ms; /* messages per ms, times 1000 */
    uint32_t size;               /* of a message */
    uint32_t mtu;
} burst_input_t;

typedef struct burst {
    uint64_t messages;          /* of all senders */
    uint64_t payload_bytes;     /* of all messages */
    uint64_t peak_milli_per_ms; /* lambda_peak, times 1000 */
    uint64_t q_burst;           /* messages, rounded up */
    uint64_t worst_queueing_ns;
    uint64_t buffer_bytes;    /* q_burst on the wire, each message in a packet of its own */
    uint64_t so_rcvbuf_bytes; /* what to ask a socket for so that it holds q_burst */
} burst_t;

/* OC_ERR_INVALID_ARGUMENT, with context: a number is 0 or a result does not fit 64 bits. */
OC_MUST_CHECK oc_err_t burst_calculate(const burst_input_t *input, burst_t *burst);

typedef struct burst_trace_input {
    uint64_t window_ns; /* T_b: of the window to look for */
    uint64_t drain_milli_per_ms;
    uint32_t mtu;
} burst_trace_input_t;

typedef struct burst_trace {
    uint64_t q_burst;    /* most messages that wait at a time, with the one being drained */
    uint64_t q_burst_ns; /* the offset at which they do, for the first time */
    uint64_t worst_queueing_ns;
    uint64_t buffer_bytes;     /* most bytes that wait at a time, as on the wire */
    uint64_t so_rcvbuf_bytes;  /* what to ask a socket for so that it holds all that waits */
    uint64_t payload_bytes;    /* of the whole trace */
    trace_window_t busiest_ms; /* its count is P, the peak of messages per ms */
    trace_window_t busiest;    /* of window_ns */
    /* Of the busiest window, by the formula: never more than the replay gives. */
    uint64_t formula_q_burst;
    uint64_t formula_worst_queueing_ns;
} burst_trace_t;

/* OC_ERR_INVALID_ARGUMENT as above. The trace is not empty. */
OC_MUST_CHECK oc_err_t burst_replay(const trace_t *trace, const burst_trace_input_t *input,
                                    burst_trace_t *result);

#endif
