/*
 * Unit tests of the clocks: they go forward, and agree roughly. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"

#include <time.h>

static void test_clocks_go_forward(void **state)
{
    (void)state;
    cycle_clock_t clock;
    cycle_clock_start(&clock);
    const uint64_t wall = clock_wall_ns();
    const uint64_t cpu = clock_cpu_ns();
    const uint64_t ticks = cycle_clock_ticks();
    assert_true(cycle_clock_ns_per_tick(&clock) > 0.0);
    assert_true(clock_wall_ns() > wall);
    assert_true(clock_cpu_ns() >= cpu);
    assert_true(cycle_clock_ticks() > ticks);
}

/* The same clock as time(), finer: its second is not before, and not long after. */
static void test_real(void **state)
{
    (void)state;
    const time_t before = time(NULL);
    const int64_t now_ns = clock_real_ns();
    assert_true(now_ns / 1000000000 >= before);
    assert_true(now_ns / 1000000000 <= before + 60);
}

/* Both clocks over the same interval; generous, because the machine may be busy. */
static void test_calibration(void **state)
{
    (void)state;
    cycle_clock_t clock;
    cycle_clock_start(&clock);
    const double ns_per_tick = cycle_clock_ns_per_tick(&clock);
    const double passed = (double)(cycle_clock_ticks() - clock.start_ticks) * ns_per_tick;
    assert_true(passed >= 9e6); /* it waits for 10 ms */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clocks_go_forward),
        cmocka_unit_test(test_real),
        cmocka_unit_test(test_calibration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
