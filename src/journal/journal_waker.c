/*
 * Sleeping and waking by futex. Called by the threads of the journal and by its owner.
 *
 * Invariant: the word is 1 from the announcement of a sleep until its end or the wake-up, so that a
 * wake-up between the sleeper's last look and its system call is not lost.
 */
#define _GNU_SOURCE
#include "journal/journal_waker.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void journal_waker_sleep(journal_waker_t *self, uint64_t timeout_ns)
{
    const struct timespec timeout = {
        .tv_sec = (time_t)(timeout_ns / 1000000000),
        .tv_nsec = (long)(timeout_ns % 1000000000),
    };
    /* Whatever ends it (woken, word changed, time over, signal), the caller looks again. */
    (void)syscall(SYS_futex, &self->asleep, FUTEX_WAIT_PRIVATE, 1, &timeout, NULL, 0);
    journal_waker_cancel(self);
}

void journal_waker_rouse(journal_waker_t *self)
{
    if (atomic_exchange(&self->asleep, 0))
        (void)syscall(SYS_futex, &self->asleep, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
