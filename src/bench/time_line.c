/*
 * Latency by time. Called by the recorders of echoes and of loads.
 */
#include "bench/time_line.h"

#include "base/assert.h"
#include "base/error.h"

#include <string.h>

oc_err_t time_line_init(time_line_t *self, size_t count, uint64_t interval_ns)
{
    OC_ASSERT(count >= 1 && count <= TIME_LINE_MAX);
    OC_ASSERT(interval_ns > 0);
    memset(self, 0, sizeof *self);
    self->interval_ns = interval_ns;
    for (; self->count < count; self->count++) {
        self->intervals[self->count] = histogram_create();
        if (!self->intervals[self->count]) {
            time_line_fini(self);
            return error_set(OC_ERR_NO_MEMORY, "no memory for %zu histograms", count);
        }
    }
    return OC_ERR_OK;
}

void time_line_fini(time_line_t *self)
{
    for (size_t i = 0; i < self->count; i++)
        histogram_destroy(self->intervals[i]);
    self->count = 0;
}

void time_line_reset(time_line_t *self)
{
    for (size_t i = 0; i < self->count; i++)
        histogram_reset(self->intervals[i]);
}

void time_line_record(time_line_t *self, uint64_t now_ns, uint64_t latency_ns)
{
    const uint64_t since_ns = now_ns > self->start_ns ? now_ns - self->start_ns : 0;
    const uint64_t interval = since_ns / self->interval_ns;
    histogram_record(self->intervals[interval < self->count ? interval : self->count - 1],
                     latency_ns);
}

void time_line_sum(const time_line_t *self, histogram_t *sum)
{
    for (size_t i = 0; i < self->count; i++)
        histogram_add(sum, self->intervals[i]);
}
