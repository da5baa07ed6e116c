/*
 * The pace of image writes. Called by the image writer, between blocks.
 *
 * Invariants: the rate lies between rate_min and rate_max; a write is due no earlier than the one
 * before has been paid for, and a writer that comes late may catch up by one write at most, because
 * bursts are what the log's syncs suffer from. It must not learn that a time is quiet while it lets
 * more be written than it has to.
 */
#include "snapshot/write_pacer.h"

#include "base/assert.h"

#include <string.h>

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
    return value < low ? low : value > high ? high : value;
}

void write_pacer_init(write_pacer_t *self, uint64_t bytes_per_s_max)
{
    memset(self, 0, sizeof *self);
    self->rate_max = bytes_per_s_max && bytes_per_s_max < WRITE_PACER_RATE_MAX
                         ? bytes_per_s_max
                         : WRITE_PACER_RATE_MAX;
    self->rate_min = WRITE_PACER_RATE_MIN < self->rate_max ? WRITE_PACER_RATE_MIN : self->rate_max;
    self->rate = clamp(WRITE_PACER_RATE_START, self->rate_min, self->rate_max);
    self->fresh = true;
}

void write_pacer_begin(write_pacer_t *self)
{
    self->fresh = true;
    self->unpaid_bytes = 0;
}

void write_pacer_wrote(write_pacer_t *self, size_t bytes)
{
    self->unpaid_bytes += bytes;
}

/* After a rest the time is what it is without us; it is taken as it is, because load and device may
 * have changed. */
static void learn_quiet(write_pacer_t *self, uint64_t now_ns, uint64_t sync_ns)
{
    const bool rested = self->seen_ns == 0 || now_ns - self->seen_ns >= WRITE_PACER_REST_NS;
    if (sync_ns > 0 && (self->quiet_ns == 0 || (self->fresh && rested)))
        self->quiet_ns = sync_ns;
}

/* Times vary by themselves, so the quiet one follows those that are lower, slowly; and those that
 * are higher when we write so little that it cannot be us, more slowly still. */
static void follow_quiet(write_pacer_t *self, uint64_t sync_ns)
{
    if (sync_ns < self->quiet_ns)
        self->quiet_ns -= (self->quiet_ns - sync_ns) / 16;
    else if (self->rate == self->rate_min)
        self->quiet_ns += (sync_ns - self->quiet_ns) / 64;
}

/* One step of the rate, unless nothing new is known. */
static void adjust(write_pacer_t *self, uint64_t now_ns, uint64_t sync_ns)
{
    if (now_ns - self->adjusted_ns < WRITE_PACER_ADJUST_NS)
        return;
    const uint64_t high = self->quiet_ns + self->quiet_ns / 4 + WRITE_PACER_NOISE_NS;
    const uint64_t low = self->quiet_ns + self->quiet_ns / 8 + WRITE_PACER_NOISE_NS / 2;
    const bool changed = sync_ns != self->sync_ns;
    if (changed)
        self->changed_ns = now_ns;
    const bool idle = sync_ns == 0 || now_ns - self->changed_ns >= WRITE_PACER_OLD_NS;
    if (changed && sync_ns > 0)
        follow_quiet(self, sync_ns);
    if (changed && sync_ns > high)
        self->rate -= self->rate / 4;
    else if (idle || (changed && sync_ns <= low))
        self->rate += self->rate / 8;
    self->rate = clamp(self->rate, self->rate_min, self->rate_max);
    self->sync_ns = sync_ns;
    self->adjusted_ns = now_ns;
}

/* Puts off the next write by what the last ones cost; at most one write is caught up. */
static void pay(write_pacer_t *self, uint64_t now_ns)
{
    if (self->unpaid_bytes == 0)
        return;
    const double cost = (double)self->unpaid_bytes * 1e9 / (double)self->rate;
    const uint64_t cost_ns = (uint64_t)cost;
    const uint64_t earliest_ns = now_ns > cost_ns ? now_ns - cost_ns : 0;
    self->due_ns = (self->due_ns > earliest_ns ? self->due_ns : earliest_ns) + cost_ns;
    self->unpaid_bytes = 0;
}

uint64_t write_pacer_wait_ns(write_pacer_t *self, uint64_t now_ns, uint64_t sync_ns)
{
    OC_ASSERT(now_ns >= self->seen_ns);
    learn_quiet(self, now_ns, sync_ns);
    adjust(self, now_ns, sync_ns);
    self->seen_ns = now_ns;
    self->fresh = false;
    if (self->hurry) {
        self->unpaid_bytes = 0;
        self->due_ns = now_ns;
        return 0;
    }
    pay(self, now_ns);
    return self->due_ns > now_ns ? self->due_ns - now_ns : 0;
}

void write_pacer_hurry(write_pacer_t *self, bool hurry)
{
    self->hurry = hurry;
}
