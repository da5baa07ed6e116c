/*
 * The queue's recursion: what was there, less what the time since then drained, and what arrives.
 * Called by burst.c and budget.c.
 *
 * Invariant: work never overflows, as long as fewer than 2^64 units arrive in all.
 */
#include "calc/trace_queue.h"

#include "base/assert.h"

void trace_queue_init(trace_queue_t *self, uint64_t drain_milli_per_ms)
{
    OC_ASSERT(drain_milli_per_ms > 0);
    *self = (trace_queue_t){.drain = drain_milli_per_ms};
}

void trace_queue_add(trace_queue_t *self, uint64_t offset_ns, uint64_t units)
{
    OC_ASSERT(offset_ns >= self->now_ns);
    const fixed_wide_t drained = (fixed_wide_t)(offset_ns - self->now_ns) * self->drain;
    self->work = self->work > drained ? self->work - drained : 0;
    self->work += (fixed_wide_t)units * TRACE_QUEUE_UNIT;
    self->now_ns = offset_ns;
}

uint64_t trace_queue_units(const trace_queue_t *self)
{
    return fixed_div_up(self->work, TRACE_QUEUE_UNIT);
}

uint64_t trace_queue_wait_ns(const trace_queue_t *self)
{
    return fixed_div_up(self->work, self->drain);
}
