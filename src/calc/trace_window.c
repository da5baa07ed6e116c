/*
 * One pass with two ends. Called by burst.c and buffers.c.
 *
 * Invariant: a window that holds the most ends with a message and holds every message in its
 * length before it, so only those need to be looked at.
 */
#include "calc/trace_window.h"

#include "base/assert.h"

static uint64_t weight_of(trace_weight_t weight, const void *context, uint32_t size)
{
    return weight ? weight(context, size) : 1;
}

void trace_window_busiest(const trace_t *trace, uint64_t length_ns, trace_weight_t weight,
                          const void *context, trace_window_t *busiest)
{
    OC_ASSERT(trace->count > 0);
    OC_ASSERT(length_ns > 0);
    const trace_message_t *messages = trace->messages;
    trace_window_t window = {0};
    *busiest = (trace_window_t){0};
    for (size_t last = 0; last < trace->count; last++) {
        window.weight += weight_of(weight, context, messages[last].size);
        while (messages[last].offset_ns - messages[window.first].offset_ns >= length_ns)
            window.weight -= weight_of(weight, context, messages[window.first++].size);
        window.count = last + 1 - window.first;
        if (window.weight > busiest->weight)
            *busiest = window;
    }
}
