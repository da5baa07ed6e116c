/*
 * Ramp and bisection. Called by `outcry bench knee`, and by tests with queues of which the knee is
 * known.
 *
 * Invariants: each rate is new: it lies strictly between the bounds known so far, or beyond them
 * all, so that the search ends: bounds double, halve or come together.
 */
#include "bench/knee_search.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

knee_verdict_t knee_point_verdict(const knee_point_t *point)
{
    OC_ASSERT(point->runs > 0);
    OC_ASSERT(point->limited + point->crossings <= point->runs);
    const uint32_t counted = point->runs - point->limited;
    if (point->limited * 2 > point->runs || counted == 0)
        return KNEE_SENDER;
    if (point->crossings == 0)
        return KNEE_NONE;
    if (point->crossings == counted)
        return KNEE_ALL;
    return point->crossings * 2 > counted ? KNEE_MOST : KNEE_FEW;
}

const char *knee_verdict_name(knee_verdict_t verdict)
{
    static const char *const names[] = {"none", "few", "most", "all", "sender limit"};
    return names[verdict];
}

void knee_search_init(knee_search_t *self, const knee_terms_t *terms)
{
    OC_ASSERT(terms->min_per_s > 0);
    OC_ASSERT(terms->min_per_s <= terms->start_per_s);
    OC_ASSERT(terms->start_per_s <= terms->max_per_s);
    OC_ASSERT(terms->precision > 1.0);
    memset(self, 0, sizeof *self);
    self->terms = *terms;
}

static bool crosses(const knee_point_t *point)
{
    const knee_verdict_t verdict = knee_point_verdict(point);
    return verdict == KNEE_MOST || verdict == KNEE_ALL;
}

static void lower(uint64_t *bound, uint64_t rate)
{
    if (*bound == 0 || rate < *bound)
        *bound = rate;
}

/* What bounds from above; 0: nothing yet. */
static uint64_t upper(const knee_search_t *self)
{
    uint64_t high = self->above;
    if (self->cap)
        lower(&high, self->cap);
    return high;
}

/* A machine that was busy with something else for a moment makes any rate cross, a knee also makes
 * its double cross. */
static bool confirmed(const knee_search_t *self)
{
    const uint64_t twice = self->above * 2;
    if (self->above == 0 || self->above == self->terms.max_per_s ||
        (self->cap && self->cap <= twice))
        return true;
    for (size_t i = 0; i < self->count; i++)
        if (crosses(&self->points[i]) && (self->points[i].rate_per_s >= twice ||
                                          self->points[i].rate_per_s == self->terms.max_per_s))
            return true;
    return false;
}

static uint64_t doubled(const knee_search_t *self, uint64_t rate)
{
    return rate > self->terms.max_per_s / 2 ? self->terms.max_per_s : rate * 2;
}

static uint64_t between(const knee_search_t *self, uint64_t high)
{
    if (high <= self->below + 1 || (double)high / (double)self->below <= self->terms.precision)
        return 0;
    const uint64_t middle = (uint64_t)sqrt((double)self->below * (double)high);
    return middle <= self->below ? self->below + 1 : middle;
}

uint64_t knee_search_next(const knee_search_t *self)
{
    const knee_terms_t *terms = &self->terms;
    const uint64_t high = upper(self);
    if (self->count == KNEE_POINTS_MAX)
        return 0;
    if (self->count == 0)
        return terms->start_per_s;
    if (high == 0)
        return self->below == terms->max_per_s ? 0 : doubled(self, self->below);
    if (!confirmed(self))
        return doubled(self, self->above);
    if (self->below == 0) {
        if (high == terms->min_per_s)
            return 0;
        return high / 2 < terms->min_per_s ? terms->min_per_s : high / 2;
    }
    return between(self, high);
}

/* What crossed below a rate that did not was a moment's trouble. */
static void find_bounds(knee_search_t *self)
{
    self->below = 0;
    self->above = 0;
    self->cap = 0;
    for (size_t i = 0; i < self->count; i++) {
        const knee_point_t *point = &self->points[i];
        if (!crosses(point) && knee_point_verdict(point) != KNEE_SENDER &&
            point->rate_per_s > self->below)
            self->below = point->rate_per_s;
    }
    for (size_t i = 0; i < self->count; i++) {
        const knee_point_t *point = &self->points[i];
        if (point->rate_per_s < self->below)
            continue;
        if (crosses(point))
            lower(&self->above, point->rate_per_s);
        else if (knee_point_verdict(point) == KNEE_SENDER)
            lower(&self->cap, point->rate_per_s);
    }
}

void knee_search_add(knee_search_t *self, const knee_point_t *point)
{
    OC_ASSERT(self->count < KNEE_POINTS_MAX);
    OC_ASSERT(point->rate_per_s == knee_search_next(self));
    self->points[self->count++] = *point;
    find_bounds(self);
}

/* A run that the sender limits says neither that it would have crossed nor that it would not. */
static bool is_whole(const knee_point_t *point, knee_verdict_t verdict)
{
    return point->limited == 0 && knee_point_verdict(point) == verdict;
}

/* The highest rate of which no run crosses that has none with a crossing below it. */
static uint64_t highest_clear(const knee_search_t *self)
{
    uint64_t crossed = UINT64_MAX;
    uint64_t clear = 0;
    for (size_t i = 0; i < self->count; i++)
        if (self->points[i].crossings > 0 && self->points[i].rate_per_s < crossed)
            crossed = self->points[i].rate_per_s;
    for (size_t i = 0; i < self->count; i++)
        if (is_whole(&self->points[i], KNEE_NONE) && self->points[i].rate_per_s < crossed &&
            self->points[i].rate_per_s > clear)
            clear = self->points[i].rate_per_s;
    return clear;
}

/* The lowest rate that all runs cross and has no other verdict above it, but for the sender's. */
static uint64_t lowest_full(const knee_search_t *self)
{
    uint64_t other = 0;
    uint64_t full = 0;
    for (size_t i = 0; i < self->count; i++) {
        const knee_verdict_t verdict = knee_point_verdict(&self->points[i]);
        if (verdict != KNEE_ALL && verdict != KNEE_SENDER && self->points[i].rate_per_s > other)
            other = self->points[i].rate_per_s;
    }
    for (size_t i = 0; i < self->count; i++)
        if (is_whole(&self->points[i], KNEE_ALL) && self->points[i].rate_per_s > other)
            lower(&full, self->points[i].rate_per_s);
    return full;
}

static knee_end_t how_it_ended(const knee_search_t *self)
{
    if (self->count == 0 || (knee_search_next(self) != 0))
        return KNEE_CUT;
    if (self->above == 0 || (self->cap && self->cap < self->above))
        return self->cap ? KNEE_SENDER_LIMIT : KNEE_ABOVE_MAX;
    return self->below == 0 ? KNEE_BELOW_MIN : KNEE_FOUND;
}

void knee_search_result(const knee_search_t *self, knee_result_t *result)
{
    *result = (knee_result_t){
        .end = how_it_ended(self),
        .low_per_s = (double)highest_clear(self),
        .high_per_s = (double)lowest_full(self),
    };
    if (self->below && self->above)
        result->mid_per_s = sqrt((double)self->below * (double)self->above);
}

const char *knee_end_name(knee_end_t end)
{
    static const char *const names[] = {"found", "above what the sender can do",
                                        "above the highest rate", "below the lowest rate",
                                        "not found in the time that was given"};
    return names[end];
}
