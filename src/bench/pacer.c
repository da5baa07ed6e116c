/*
 * The schedule of the load generator. Called for every send.
 *
 * Invariants: the times never fall; send `i` is computed from `i`, so that no rounding adds up over
 * hours. It must not look at a clock: being late is the caller's to notice.
 */
#include "bench/pacer.h"

#include "base/assert.h"

#define SECOND_NS UINT64_C(1000000000)

/* Whole seconds apart from the rest, so that nothing overflows. */
static uint64_t time_of(const pacer_t *self, uint64_t index)
{
    const uint64_t first = index - index % self->burst;
    return self->start_ns + first / self->rate_per_s * SECOND_NS +
           first % self->rate_per_s * SECOND_NS / self->rate_per_s;
}

void pacer_init(pacer_t *self, uint64_t start_ns, uint64_t rate_per_s, uint64_t burst)
{
    OC_ASSERT(rate_per_s >= 1 && rate_per_s <= PACER_RATE_MAX);
    OC_ASSERT(burst >= 1 && burst <= PACER_BURST_MAX);
    *self = (pacer_t){
        .start_ns = start_ns, .rate_per_s = rate_per_s, .burst = burst, .next_ns = start_ns};
}

void pacer_advance(pacer_t *self)
{
    self->index++;
    if (self->index % self->burst == 0)
        self->next_ns = time_of(self, self->index);
}

uint64_t pacer_count_before(const pacer_t *self, uint64_t end_ns)
{
    if (end_ns <= self->start_ns)
        return 0;
    /* An estimate, then exact: times are rounded down to whole nanoseconds. */
    const uint64_t span_ns = end_ns - self->start_ns;
    uint64_t count =
        span_ns / SECOND_NS * self->rate_per_s + span_ns % SECOND_NS * self->rate_per_s / SECOND_NS;
    count -= count % self->burst;
    while (time_of(self, count) < end_ns)
        count += self->burst;
    return count;
}
