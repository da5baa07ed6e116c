/*
 * Clocks of the system and of the measurements. Called by hosts, tools and benches; must not be
 * called by the engine, which has no clock.
 *
 * The calibration supposes a time-stamp counter of constant rate, which every x86-64 processor of
 * the last fifteen years has.
 */
#define _GNU_SOURCE
#include "base/cycle_clock.h"

#include "base/assert.h"

#include <time.h>

enum { CALIBRATION_NS_MIN = 10000000 };

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    const int failed = clock_gettime(clock, &now);
    OC_ASSERT(failed == 0);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t clock_wall_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_cpu_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock_real_ns(void)
{
    return (int64_t)read_clock(CLOCK_REALTIME);
}

void cycle_clock_start(cycle_clock_t *self)
{
    self->start_ns = clock_wall_ns();
    self->start_ticks = cycle_clock_ticks();
}

double cycle_clock_ns_per_tick(const cycle_clock_t *self)
{
    uint64_t now_ns = clock_wall_ns();
    while (now_ns - self->start_ns < CALIBRATION_NS_MIN)
        now_ns = clock_wall_ns();
    const uint64_t now_ticks = cycle_clock_ticks();
    OC_ASSERT(now_ticks > self->start_ticks);
    return (double)(now_ns - self->start_ns) / (double)(now_ticks - self->start_ticks);
}
