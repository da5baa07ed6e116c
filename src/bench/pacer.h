/*
 * An open-loop schedule: when each send is intended, whatever became of those before. Latency
 * measured from these times counts the waiting that a slow answer causes to the orders behind it.
 *
 * Steady: bursts of `burst` sends, evenly spread so that `rate_per_s` sends fall into each second.
 * Another shape of arrival is another way to compute pacer_next_ns().
 */
#ifndef BENCH_PACER_H
#define BENCH_PACER_H

#include <stdint.h>

#define PACER_RATE_MAX  UINT64_C(1000000000)
#define PACER_BURST_MAX UINT64_C(1000000)

typedef struct pacer {
    uint64_t start_ns;
    uint64_t rate_per_s;
    uint64_t burst;
    uint64_t index;   /* of the next send, from 0 */
    uint64_t next_ns; /* its time */
} pacer_t;

/* The first burst is intended at `start_ns`. rate_per_s: 1..PACER_RATE_MAX; burst: 1..
 * PACER_BURST_MAX. */
void pacer_init(pacer_t *self, uint64_t start_ns, uint64_t rate_per_s, uint64_t burst);

/* The intended time of the next send. */
static inline uint64_t pacer_next_ns(const pacer_t *self)
{
    return self->next_ns;
}

/* Goes on to the send after that. */
void pacer_advance(pacer_t *self);

/* How many sends, from the start, are intended before `end_ns`. */
uint64_t pacer_count_before(const pacer_t *self, uint64_t end_ns);

#endif
