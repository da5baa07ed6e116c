/*
 * Idle strategies of the core. Called by the loop that runs a node.
 *
 * Invariant: work resets everything, so that a busy core neither yields nor sleeps.
 */
#define _GNU_SOURCE
#include "host/idle_strategy.h"

#include <sched.h>
#include <time.h>

enum {
    SPINS = 20,
    /* At about a microsecond a cycle: who is asked a thousand times a second never sleeps. */
    YIELDS = 1000,
    SLEEP_MIN_NS = 50000,
    SLEEP_MAX_NS = 1000000,
};

void idle_strategy_init(idle_strategy_t *self, node_idle_t kind)
{
    *self = (idle_strategy_t){.kind = kind, .sleep_ns = SLEEP_MIN_NS};
}

static void pause_processor(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

void idle_strategy_apply(idle_strategy_t *self, int work, bool waits)
{
    if (work > 0) {
        idle_strategy_init(self, self->kind);
        return;
    }
    if (self->kind == NODE_IDLE_SPIN) {
        pause_processor();
        return;
    }
    if (self->kind == NODE_IDLE_YIELD) {
        (void)sched_yield();
        return;
    }
    if (self->idle_cycles < SPINS) {
        self->idle_cycles++;
        pause_processor();
    } else if (waits || self->idle_cycles < SPINS + YIELDS) {
        self->idle_cycles += self->idle_cycles < SPINS + YIELDS;
        (void)sched_yield();
    } else {
        const struct timespec pause = {.tv_nsec = (long)self->sleep_ns};
        (void)nanosleep(&pause, NULL);
        self->sleep_ns = self->sleep_ns * 2 < SLEEP_MAX_NS ? self->sleep_ns * 2 : SLEEP_MAX_NS;
    }
}
