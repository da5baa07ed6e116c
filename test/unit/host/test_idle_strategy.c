/*
 * Idle strategies: which ones sleep, when, and that work ends it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/idle_strategy.h"

#include "base/cycle_clock.h"

static void idle(idle_strategy_t *strategy, int cycles, bool waits)
{
    for (int i = 0; i < cycles; i++)
        idle_strategy_apply(strategy, 0, waits);
}

static void backoff_sleeps_longer_and_longer(void **state)
{
    (void)state;
    idle_strategy_t strategy;
    idle_strategy_init(&strategy, NODE_IDLE_BACKOFF);
    const uint32_t first_ns = strategy.sleep_ns;
    idle(&strategy, 100, false);
    assert_int_equal(strategy.sleep_ns, first_ns); /* not yet */
    idle(&strategy, 2000, false);
    assert_true(strategy.sleep_ns > first_ns);
    assert_int_equal(strategy.sleep_ns, 1000000);
    const uint64_t start_ns = clock_wall_ns();
    idle(&strategy, 3, false);
    assert_true(clock_wall_ns() - start_ns >= 3000000);

    idle_strategy_apply(&strategy, 1, false);
    assert_int_equal(strategy.idle_cycles, 0);
    assert_int_equal(strategy.sleep_ns, first_ns);
}

static void backoff_does_not_sleep_while_something_comes(void **state)
{
    (void)state;
    idle_strategy_t strategy;
    idle_strategy_init(&strategy, NODE_IDLE_BACKOFF);
    const uint32_t first_ns = strategy.sleep_ns;
    idle(&strategy, 5000, true);
    assert_int_equal(strategy.sleep_ns, first_ns);
}

static void the_others_never_sleep(void **state)
{
    (void)state;
    idle_strategy_t strategy;
    for (int kind = NODE_IDLE_YIELD; kind <= NODE_IDLE_SPIN; kind++) {
        idle_strategy_init(&strategy, (node_idle_t)kind);
        const uint32_t first_ns = strategy.sleep_ns;
        idle(&strategy, 3000, false);
        assert_int_equal(strategy.sleep_ns, first_ns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backoff_sleeps_longer_and_longer),
        cmocka_unit_test(backoff_does_not_sleep_while_something_comes),
        cmocka_unit_test(the_others_never_sleep),
    };
    return cmocka_run_group_tests_name("idle_strategy", tests, NULL, NULL);
}
