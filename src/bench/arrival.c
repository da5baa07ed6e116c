/*
 * The schedules of all loads. Called for every send.
 *
 * Invariants: times never fall. Steady and on-off compute the time of send `i` from `i`. Poisson
 * adds up its gaps in 2^-32 of the mean gap, without a rounding, and turns the sum into a time.
 * Nothing here is floating point, so that every machine has the same times. It must not look at a
 * clock: being late is the caller's to notice.
 */
#include "bench/arrival.h"

#include "base/assert.h"
#include "base/prng.h"

#define SECOND_NS UINT64_C(1000000000)
#define MS_NS     UINT64_C(1000000)

/* What may be missing at the end of a schedule: a part of it, or so much of a short one. */
#define BEHIND_PARTS 50
#define BEHIND_NS    UINT64_C(20000000)

/* ---- Steady and on-off ---------------------------------------------------------------------- */

static void cycle_init(arrival_cycle_t *self, const arrival_shape_t *shape, uint64_t rate_per_s)
{
    self->burst = shape->burst;
    if (shape->kind == ARRIVAL_STEADY) {
        self->period_ns = SECOND_NS;
        self->period_units = rate_per_s;
        self->units = shape->burst;
        return;
    }
    OC_ASSERT(shape->idle_ms <= ARRIVAL_IDLE_MS_MAX);
    OC_ASSERT(shape->peak_per_ms <= ARRIVAL_PEAK_PER_MS_MAX);
    self->spread = shape->peak_per_ms > 0;
    self->period_ns = MS_NS;
    self->period_units = self->spread ? shape->peak_per_ms : 1;
    self->units = shape->idle_ms * self->period_units + (self->spread ? shape->burst : 0);
    OC_ASSERT(self->units > 0);
}

/* Whole periods apart from the rest, so that nothing overflows. */
static uint64_t cycle_offset_ns(const arrival_cycle_t *self, uint64_t index)
{
    const uint64_t unit =
        index / self->burst * self->units + (self->spread ? index % self->burst : 0);
    return unit / self->period_units * self->period_ns +
           unit % self->period_units * self->period_ns / self->period_units;
}

/* Times are rounded down to whole nanoseconds, so a unit begins before a whole one if and only if
 * its exact time does. */
static uint64_t cycle_count_before(const arrival_cycle_t *self, uint64_t span_ns)
{
    const uint64_t units =
        span_ns / self->period_ns * self->period_units +
        (span_ns % self->period_ns * self->period_units + self->period_ns - 1) / self->period_ns;
    const uint64_t rest = units % self->units;
    const uint64_t begun = self->spread && rest < self->burst ? rest : self->burst;
    return units / self->units * self->burst + (rest ? begun : 0);
}

/* ---- Poisson -------------------------------------------------------------------------------- */

/*
 * Adds an exponential gap, by comparing uniform numbers only (von Neumann): of runs of falling
 * numbers the first one of odd length is taken, and its first number is the fraction; each one of
 * even length before it is a whole mean gap.
 */
static void sum_add_gap(arrival_sum_t *self)
{
    for (;; self->whole++) {
        const uint64_t first = prng_next(&self->random);
        uint64_t last = first;
        bool odd = true;
        for (uint64_t next = prng_next(&self->random); next < last;
             next = prng_next(&self->random)) {
            last = next;
            odd = !odd;
        }
        if (!odd)
            continue;
        const uint64_t fraction = (first >> 32) + self->fraction;
        self->fraction = (uint32_t)fraction;
        self->whole += fraction >> 32;
        return;
    }
}

static uint64_t sum_offset_ns(const arrival_sum_t *self, uint64_t rate_per_s)
{
    const uint64_t part = self->whole % rate_per_s * SECOND_NS + (self->fraction * SECOND_NS >> 32);
    return self->whole / rate_per_s * SECOND_NS + part / rate_per_s;
}

/* ---- All of them ---------------------------------------------------------------------------- */

static void look(arrival_t *self)
{
    switch (self->kind) {
    case ARRIVAL_STEADY:
    case ARRIVAL_ONOFF:
        self->offset_ns = cycle_offset_ns(&self->cycle, self->index);
        break;
    case ARRIVAL_POISSON:
        self->offset_ns = sum_offset_ns(&self->sum, self->terms.rate_per_s);
        break;
    case ARRIVAL_TRACE:
        self->offset_ns = UINT64_MAX;
        if (self->index < self->terms.trace->trace.count) {
            const trace_message_t *message = &self->terms.trace->trace.messages[self->index];
            self->offset_ns = message->offset_ns;
            self->bytes = message->size;
        }
        break;
    }
}

void arrival_init(arrival_t *self, const arrival_shape_t *shape, const arrival_terms_t *terms)
{
    *self = (arrival_t){.kind = shape->kind, .terms = *terms, .bytes = terms->bytes};
    if (arrival_shape_takes_rate(shape))
        OC_ASSERT(terms->rate_per_s >= 1 && terms->rate_per_s <= ARRIVAL_RATE_MAX);
    if (shape->kind == ARRIVAL_STEADY || shape->kind == ARRIVAL_ONOFF) {
        OC_ASSERT(shape->burst >= 1 && shape->burst <= ARRIVAL_BURST_MAX);
        cycle_init(&self->cycle, shape, terms->rate_per_s);
    }
    if (shape->kind == ARRIVAL_TRACE)
        OC_ASSERT(terms->trace && terms->trace->trace.count > 0);
    arrival_start(self, 0);
}

void arrival_init_steady(arrival_t *self, uint64_t rate_per_s, uint64_t burst)
{
    const arrival_shape_t shape = {.kind = ARRIVAL_STEADY, .burst = burst};
    const arrival_terms_t terms = {.rate_per_s = rate_per_s};
    arrival_init(self, &shape, &terms);
}

void arrival_start(arrival_t *self, uint64_t start_ns)
{
    self->start_ns = start_ns;
    self->index = 0;
    self->sum = (arrival_sum_t){.random = self->terms.seed};
    if (self->kind == ARRIVAL_POISSON)
        sum_add_gap(&self->sum);
    look(self);
}

void arrival_advance(arrival_t *self)
{
    if (self->offset_ns == UINT64_MAX)
        return;
    self->index++;
    if (self->kind == ARRIVAL_POISSON)
        sum_add_gap(&self->sum);
    look(self);
}

/* The first send that is not before the span's end. */
static uint64_t trace_count_before(const trace_t *trace, uint64_t span_ns)
{
    size_t low = 0;
    size_t high = trace->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (trace->messages[middle].offset_ns < span_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t sum_count_before(const arrival_t *self, uint64_t span_ns)
{
    arrival_t copy = *self;
    arrival_start(&copy, 0);
    while (copy.offset_ns < span_ns)
        arrival_advance(&copy);
    return copy.index;
}

uint64_t arrival_count_before(const arrival_t *self, uint64_t end_ns)
{
    if (end_ns <= self->start_ns)
        return 0;
    const uint64_t span_ns = end_ns - self->start_ns;
    switch (self->kind) {
    case ARRIVAL_POISSON:
        return sum_count_before(self, span_ns);
    case ARRIVAL_TRACE:
        return trace_count_before(&self->terms.trace->trace, span_ns);
    case ARRIVAL_STEADY:
    case ARRIVAL_ONOFF:
        break;
    }
    return cycle_count_before(&self->cycle, span_ns);
}

bool arrival_kept(uint64_t schedule_ns, uint64_t behind_ns)
{
    const uint64_t part_ns = schedule_ns / BEHIND_PARTS;
    return behind_ns <= (part_ns > BEHIND_NS ? part_ns : BEHIND_NS);
}

double arrival_rate_per_s(const arrival_t *self)
{
    const arrival_cycle_t *cycle = &self->cycle;
    if (self->kind == ARRIVAL_POISSON)
        return (double)self->terms.rate_per_s;
    if (self->kind == ARRIVAL_TRACE)
        return trace_play_rate_per_s(self->terms.trace);
    return (double)cycle->burst * (double)cycle->period_units * 1e9 /
           ((double)cycle->period_ns * (double)cycle->units);
}
