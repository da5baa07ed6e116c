/*
 * Traces of arrivals before they are played. Called once, before anything is timed.
 *
 * Invariants: offsets never fall and begin at 0; no gap is rounded by itself, what a division
 * leaves is taken on to the next one. It must not look at a clock or a file.
 */
#include "bench/trace_play.h"

#include "base/assert.h"
#include "calc/trace_window.h"

#include <string.h>

enum { THOUSANDTHS = 1000 };

void trace_play_fini(trace_play_t *self)
{
    trace_fini(&self->trace);
    self->window_ns = 0;
}

static uint64_t last_ns(const trace_play_t *self)
{
    OC_ASSERT(self->trace.count > 0);
    return self->trace.messages[self->trace.count - 1].offset_ns;
}

static uint64_t bytes_of(const void *context, uint32_t size)
{
    (void)context;
    return size;
}

void trace_play_keep_worst(trace_play_t *self, uint64_t window_ns, bool by_bytes)
{
    trace_t *trace = &self->trace;
    if (last_ns(self) < window_ns)
        return;
    trace_window_t worst;
    trace_window_busiest(trace, window_ns, by_bytes ? bytes_of : NULL, NULL, &worst);
    memmove(trace->messages, trace->messages + worst.first, worst.count * sizeof *trace->messages);
    trace->count = worst.count;
    const uint64_t start_ns = trace->messages[0].offset_ns;
    for (size_t i = 0; i < trace->count; i++)
        trace->messages[i].offset_ns -= start_ns;
    self->window_ns = window_ns;
}

typedef struct compression {
    uint64_t burst_gap_ns;
    uint64_t thousandths;
    uint64_t rest; /* of the divisions so far, below `thousandths` */
} compression_t;

static uint64_t compressed(compression_t *self, uint64_t gap_ns)
{
    if (gap_ns <= self->burst_gap_ns)
        return gap_ns;
    const uint64_t scaled = gap_ns * THOUSANDTHS + self->rest;
    const uint64_t shorter = scaled / self->thousandths;
    if (shorter <= self->burst_gap_ns)
        return self->burst_gap_ns + 1;
    self->rest = scaled % self->thousandths;
    return shorter;
}

void trace_play_compress(trace_play_t *self, uint64_t burst_gap_ns, uint64_t thousandths)
{
    OC_ASSERT(thousandths > 0);
    OC_ASSERT(last_ns(self) <= TRACE_PLAY_SPAN_NS_MAX);
    compression_t compression = {.burst_gap_ns = burst_gap_ns, .thousandths = thousandths};
    uint64_t before_ns = 0; /* as it was, and as it is now */
    uint64_t now_ns = 0;
    for (size_t i = 0; i < self->trace.count; i++) {
        trace_message_t *message = &self->trace.messages[i];
        now_ns += compressed(&compression, message->offset_ns - before_ns);
        before_ns = message->offset_ns;
        message->offset_ns = now_ns;
    }
    if (self->window_ns)
        self->window_ns = now_ns + compressed(&compression, self->window_ns - before_ns);
}

uint64_t trace_play_length_ns(const trace_play_t *self)
{
    return last_ns(self) + 1;
}

double trace_play_rate_per_s(const trace_play_t *self)
{
    if (self->window_ns)
        return (double)self->trace.count * 1e9 / (double)self->window_ns;
    const uint64_t span_ns = last_ns(self);
    return span_ns ? (double)(self->trace.count - 1) * 1e9 / (double)span_ns : 0;
}
