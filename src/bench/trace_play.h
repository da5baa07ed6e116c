/*
 * A trace made ready to be played by bench/arrival.h: cut to its worst window, its gaps compressed.
 *
 * A burst is messages with gaps of at most a threshold between them.
 */
#ifndef BENCH_TRACE_PLAY_H
#define BENCH_TRACE_PLAY_H

#include "calc/trace_csv.h"

#include <stdbool.h>

#define TRACE_PLAY_SPAN_NS_MAX (UINT64_C(30) * 24 * 3600 * 1000000000) /* 30 days */

typedef struct trace_play {
    trace_t trace;      /* owned; begins at 0, and ends within TRACE_PLAY_SPAN_NS_MAX */
    uint64_t window_ns; /* the length of what was cut out; 0: a whole trace */
} trace_play_t;

void trace_play_fini(trace_play_t *self); /* a zeroed struct is allowed */

/* Keeps the window of `window_ns` (> 0) with most messages or bytes, the first of equal ones; it
 * begins with a message, at 0 from then on. A trace that fits into it is left as it is. */
void trace_play_keep_worst(trace_play_t *self, uint64_t window_ns, bool by_bytes);

/* Divides the gaps between bursts, which are longer than `burst_gap_ns`, by thousandths / 1000, but
 * none to burst_gap_ns or less: bursts stay what they are, and stay apart. */
void trace_play_compress(trace_play_t *self, uint64_t burst_gap_ns, uint64_t thousandths);

/* From the start until a nanosecond behind the last message. */
uint64_t trace_play_length_ns(const trace_play_t *self);

/* The mean rate: messages in the window, or gaps in the time of a whole trace. 0 when there is no
 * time to tell it by. */
double trace_play_rate_per_s(const trace_play_t *self);

#endif
