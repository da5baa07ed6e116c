/*
 * What a thread does between duty cycles that found nothing to do.
 */
#ifndef HOST_IDLE_STRATEGY_H
#define HOST_IDLE_STRATEGY_H

#include "host/node_config.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct idle_strategy {
    node_idle_t kind;
    uint32_t idle_cycles; /* one after the other, as far as it matters */
    uint32_t sleep_ns;
} idle_strategy_t;

void idle_strategy_init(idle_strategy_t *self, node_idle_t kind);

/*
 * Called after each cycle. `work`: what it did, 0 is idle. `waits`: something is about to come,
 * so that sleeping would be felt.
 *
 * spin: never gives the processor away. yield: gives it away each time. backoff: spins, then
 * yields, then sleeps, 50 us at first and up to 1 ms.
 */
void idle_strategy_apply(idle_strategy_t *self, int work, bool waits);

#endif
