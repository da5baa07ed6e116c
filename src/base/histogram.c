/*
 * Log-linear histogram. Called by replay and the benches to record latencies.
 *
 * Layout (HdrHistogram, 3 digits, unit 1): bucket 0 holds 2048 slots of width 1; each further
 * bucket holds 1024 slots, twice as wide as those before. The slots of a bucket are the upper half
 * of its range only, because the lower half belongs to the bucket before.
 *
 * Invariants: the sum of all slots is `count`; min <= max when count > 0. Recording must not
 * allocate and must accept every 64-bit value.
 */
#include "base/histogram.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

enum {
    HALF_BITS = 10, /* 2 * 2^10 >= 2 * 10^3: three significant digits */
    HALF_COUNT = 1 << HALF_BITS,
    FULL_MASK = 2 * HALF_COUNT - 1,
    BUCKET_COUNT = 64 - HALF_BITS, /* the last one ends at 2^64 - 1 */
    SLOT_COUNT = (BUCKET_COUNT + 1) * HALF_COUNT,
};

struct histogram {
    uint64_t count;
    uint64_t sum;
    uint64_t min;
    uint64_t max;
    uint64_t slots[SLOT_COUNT];
};

static unsigned bucket_of(uint64_t value)
{
    const unsigned bits = 64 - (unsigned)__builtin_clzll(value | FULL_MASK);
    return bits - (HALF_BITS + 1);
}

size_t histogram_slot_of(uint64_t value)
{
    const unsigned bucket = bucket_of(value);
    const size_t within = (size_t)(value >> bucket);
    return ((size_t)bucket << HALF_BITS) + within;
}

uint64_t histogram_slot_low(size_t slot)
{
    if (slot < 2 * HALF_COUNT)
        return slot;
    const size_t bucket = (slot >> HALF_BITS) - 1;
    return (uint64_t)(slot - (bucket << HALF_BITS)) << bucket;
}

histogram_t *histogram_create(void)
{
    histogram_t *self = malloc(sizeof *self);
    if (self)
        histogram_reset(self);
    return self;
}

void histogram_destroy(histogram_t *self)
{
    free(self);
}

void histogram_reset(histogram_t *self)
{
    memset(self, 0, sizeof *self);
    self->min = UINT64_MAX;
}

void histogram_record(histogram_t *self, uint64_t value)
{
    histogram_record_many(self, value, 1);
}

void histogram_record_many(histogram_t *self, uint64_t value, uint64_t count)
{
    if (count == 0)
        return;
    const size_t slot = histogram_slot_of(value);
    OC_ASSERT(slot < SLOT_COUNT);
    self->slots[slot] += count;
    self->count += count;
    self->sum += value * count;
    self->min = value < self->min ? value : self->min;
    self->max = value > self->max ? value : self->max;
}

void histogram_add(histogram_t *self, const histogram_t *other)
{
    for (size_t i = 0; i < SLOT_COUNT; i++)
        self->slots[i] += other->slots[i];
    self->count += other->count;
    self->sum += other->sum;
    self->min = other->min < self->min ? other->min : self->min;
    self->max = other->max > self->max ? other->max : self->max;
}

uint64_t histogram_count(const histogram_t *self)
{
    return self->count;
}

uint64_t histogram_min(const histogram_t *self)
{
    return self->count ? self->min : 0;
}

uint64_t histogram_max(const histogram_t *self)
{
    return self->max;
}

double histogram_mean(const histogram_t *self)
{
    return self->count ? (double)self->sum / (double)self->count : 0.0;
}

/* Rank, from 1, of the value that `percent` asks for; rounded up, so that p99 of 100 values is the
 * 99th and p99.9 the 100th. The small term undoes the error of a product such as 0.999 * 1000. */
static uint64_t rank_of(uint64_t count, double percent)
{
    const double clamped = percent < 0.0 ? 0.0 : percent > 100.0 ? 100.0 : percent;
    const double exact = clamped / 100.0 * (double)count;
    uint64_t rank = (uint64_t)exact;
    if (exact - (double)rank > 1e-9 * exact)
        rank++;
    if (rank == 0)
        return 1;
    return rank < count ? rank : count;
}

uint64_t histogram_percentile(const histogram_t *self, double percent)
{
    if (self->count == 0)
        return 0;
    const uint64_t rank = rank_of(self->count, percent);
    uint64_t seen = 0;
    size_t slot = 0;
    for (; slot < SLOT_COUNT; slot++) {
        seen += self->slots[slot];
        if (seen >= rank)
            break;
    }
    OC_ASSERT(slot < SLOT_COUNT);
    const uint64_t high = histogram_bucket_high(histogram_slot_low(slot));
    return high < self->max ? high : self->max;
}

uint64_t histogram_count_at(const histogram_t *self, uint64_t value)
{
    return self->slots[histogram_slot_of(value)];
}

uint64_t histogram_bucket_low(uint64_t value)
{
    return histogram_slot_low(histogram_slot_of(value));
}

uint64_t histogram_bucket_high(uint64_t value)
{
    return histogram_bucket_low(value) + ((UINT64_C(1) << bucket_of(value)) - 1);
}

uint64_t histogram_slot_count(const histogram_t *self, size_t slot)
{
    OC_ASSERT(slot < SLOT_COUNT);
    return self->slots[slot];
}
