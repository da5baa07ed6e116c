/*
 * An open-loop schedule: when each send is intended and how many bytes it has, whatever became of
 * those before. Latency measured from these times counts the waiting that a slow answer causes to
 * the sends behind it. All loads and benches take their schedule from here; shapes are those of
 * bench/arrival_shape.h.
 *
 * Every time is computed from whole numbers, none from the rounded one before it: no rounding adds
 * up over hours. The same shape, rate and seed give the same schedule on every machine.
 */
#ifndef BENCH_ARRIVAL_H
#define BENCH_ARRIVAL_H

#include "bench/arrival_shape.h"
#include "bench/trace_play.h"

#define ARRIVAL_RATE_MAX UINT64_C(1000000000)

typedef struct arrival_terms {
    uint64_t rate_per_s;       /* 1..ARRIVAL_RATE_MAX for a shape that takes one */
    uint64_t seed;             /* poisson */
    uint32_t bytes;            /* of each send; a trace has its own */
    const trace_play_t *trace; /* for ARRIVAL_TRACE, not empty; borrowed for the schedule's life */
} arrival_terms_t;

/* Steady and on-off: in each cycle of units of time a burst, at once or one send for each unit. */
typedef struct arrival_cycle {
    uint64_t period_ns;    /* has */
    uint64_t period_units; /* so many units of time */
    uint64_t units;        /* of a cycle */
    uint64_t burst;        /* sends in it */
    bool spread;           /* one for each unit, from the first on */
} arrival_cycle_t;

/* Poisson: the sum of gaps so far, in mean gaps. */
typedef struct arrival_sum {
    uint64_t random; /* state of the generator */
    uint64_t whole;
    uint32_t fraction; /* of 2^32 */
} arrival_sum_t;

typedef struct arrival {
    arrival_kind_t kind;
    arrival_terms_t terms;
    arrival_cycle_t cycle;
    arrival_sum_t sum;
    uint64_t start_ns;
    uint64_t index;     /* of the next send, from 0 */
    uint64_t offset_ns; /* of that send; UINT64_MAX: the trace is at its end */
    uint32_t bytes;     /* of that send */
} arrival_t;

/* Starts at 0: arrival_start() moves it. */
void arrival_init(arrival_t *self, const arrival_shape_t *shape, const arrival_terms_t *terms);

/* steady:burst at a rate. */
void arrival_init_steady(arrival_t *self, uint64_t rate_per_s, uint64_t burst);

/* Begins again from the first send, with `start_ns` as the start of the schedule. */
void arrival_start(arrival_t *self, uint64_t start_ns);

/* The intended time of the next send; UINT64_MAX: there is none any more. */
static inline uint64_t arrival_next_ns(const arrival_t *self)
{
    return self->offset_ns == UINT64_MAX ? UINT64_MAX : self->start_ns + self->offset_ns;
}

static inline uint32_t arrival_next_bytes(const arrival_t *self)
{
    return self->bytes;
}

/* Goes on to the send after that, if there is one. */
void arrival_advance(arrival_t *self);

/* How many sends, from the start, are intended before `end_ns`, exactly. With poisson it draws them
 * all: about 20 ns for each. */
uint64_t arrival_count_before(const arrival_t *self, uint64_t end_ns);

/* Whether who follows a schedule kept its rate: behind, at its end, by at most 2 % of its length or
 * 20 ms, as a busy machine may be. */
bool arrival_kept(uint64_t schedule_ns, uint64_t behind_ns);

/* The mean rate of the shape; 0 for a trace that has no length. */
double arrival_rate_per_s(const arrival_t *self);

#endif
