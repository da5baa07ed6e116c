/*
 * Sleeping and waking: no wake-up is lost, a sleep without one ends. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "journal/journal_waker.h"

#include <pthread.h>

#define ROUNDS 20000

typedef struct pair {
    journal_waker_t waker;
    _Atomic uint64_t work;
} pair_t;

/* Would hang for minutes if one wake-up in a hundred were lost: each costs a whole sleep. */
static void *consume(void *context)
{
    pair_t *pair = context;
    for (uint64_t done = 0; done < ROUNDS;) {
        const uint64_t work = atomic_load(&pair->work);
        if (work != done) {
            done = work;
            continue;
        }
        journal_waker_prepare(&pair->waker);
        if (atomic_load(&pair->work) != done)
            journal_waker_cancel(&pair->waker);
        else
            journal_waker_sleep(&pair->waker, UINT64_C(1000000000));
    }
    return NULL;
}

static void test_no_lost_wake_up(void **state)
{
    (void)state;
    static pair_t pair;
    pthread_t thread;
    const uint64_t begin_ns = clock_wall_ns();
    assert_int_equal(pthread_create(&thread, NULL, consume, &pair), 0);
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        atomic_store(&pair.work, i);
        journal_waker_wake(&pair.waker);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(clock_wall_ns() - begin_ns < UINT64_C(40000000000));
}

static void test_sleep_ends(void **state)
{
    (void)state;
    journal_waker_t waker = {0};
    journal_waker_prepare(&waker);
    const uint64_t begin_ns = clock_wall_ns();
    journal_waker_sleep(&waker, 5000000);
    assert_true(clock_wall_ns() - begin_ns >= 4000000);
    assert_int_equal(atomic_load(&waker.asleep), 0);
    /* Without an announcement it does not sleep. */
    journal_waker_sleep(&waker, UINT64_C(60000000000));
    journal_waker_wake(&waker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_lost_wake_up),
        cmocka_unit_test(test_sleep_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
