/*
 * Lets one thread sleep until another has work for it; waking costs one load while it is awake.
 *
 *     sleeper: journal_waker_prepare(); looks for work once more; journal_waker_sleep()
 *     waker:   publishes the work (sequentially consistent store); journal_waker_wake()
 *
 * Either the sleeper sees the work in its second look, or the waker sees it asleep.
 */
#ifndef JOURNAL_JOURNAL_WAKER_H
#define JOURNAL_JOURNAL_WAKER_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct journal_waker {
    _Atomic uint32_t asleep;
} journal_waker_t;

/* Sequentially consistent against the waker's store of its work: see above. */
static inline void journal_waker_prepare(journal_waker_t *self)
{
    atomic_store(&self->asleep, 1);
}

/* Sleeps until woken or until the time is over; spurious returns are possible. */
void journal_waker_sleep(journal_waker_t *self, uint64_t timeout_ns);

/* Takes the announcement back. */
static inline void journal_waker_cancel(journal_waker_t *self)
{
    atomic_store_explicit(&self->asleep, 0, memory_order_relaxed);
}

/* For a sleeper that is known to be asleep. */
void journal_waker_rouse(journal_waker_t *self);

static inline void journal_waker_wake(journal_waker_t *self)
{
    if (atomic_load(&self->asleep))
        journal_waker_rouse(self);
}

#endif
