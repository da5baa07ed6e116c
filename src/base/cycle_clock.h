/*
 * The cheapest clock there is: the processor's time-stamp counter, calibrated against
 * CLOCK_MONOTONIC over the whole measurement. Elsewhere than on x86-64 it is CLOCK_MONOTONIC.
 *
 * A reading costs about 10 ns and waits for the instructions before it (rdtscp), so that the
 * difference of two readings contains all of what stands between them and about one reading itself.
 */
#ifndef BASE_CYCLE_CLOCK_H
#define BASE_CYCLE_CLOCK_H

#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

typedef struct cycle_clock {
    uint64_t start_ticks;
    uint64_t start_ns;
} cycle_clock_t;

/* CLOCK_MONOTONIC, and the processor time of this thread, in nanoseconds. */
uint64_t clock_wall_ns(void);
uint64_t clock_cpu_ns(void);

/* CLOCK_REALTIME: nanoseconds since the Unix epoch. It may be set back. */
int64_t clock_real_ns(void);

static inline uint64_t cycle_clock_ticks(void)
{
#if defined(__x86_64__)
    unsigned processor;
    return __rdtscp(&processor);
#else
    return clock_wall_ns();
#endif
}

/* Begins the interval over which the counter is calibrated. */
void cycle_clock_start(cycle_clock_t *self);

/* Nanoseconds per tick since the start; waits until 10 ms have passed, for the error's sake. */
double cycle_clock_ns_per_tick(const cycle_clock_t *self);

#endif
