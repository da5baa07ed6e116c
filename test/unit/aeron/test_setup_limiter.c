/*
 * What the limiter lets through: everything that begins no stream, and of the rest a burst and then
 * one each interval. That the driver takes it is shown by a node under forged streams
 * (test/integration/test_node_hostile.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/setup_limiter.h"

enum { DATA = 1, ERROR = 4, SETUP = 5 };

static setup_limiter_t limiter;
static int64_t now_ns;

static bool admits(uint8_t type)
{
    const uint8_t frame[40] = {40, 0, 0, 0, 0, 0, type, 0};
    return setup_limiter_admits(&limiter, frame, sizeof frame, now_ns);
}

static int count(uint8_t type, int tries)
{
    int admitted = 0;
    for (int i = 0; i < tries; i++)
        admitted += admits(type);
    return admitted;
}

static int setup(void **state)
{
    (void)state;
    now_ns = 1000;
    setup_limiter_init(&limiter, now_ns);
    return 0;
}

static void test_burst(void **state)
{
    (void)state;
    assert_int_equal(count(SETUP, 1000), SETUP_LIMITER_BURST);
    assert_int_equal(count(ERROR, 10), 0);
    assert_int_equal(count(DATA, 1000), 1000);
}

static void test_goes_on(void **state)
{
    (void)state;
    (void)count(SETUP, 1000);
    now_ns += SETUP_LIMITER_INTERVAL_NS - 1;
    assert_int_equal(count(SETUP, 10), 0);
    now_ns += 1;
    assert_int_equal(count(ERROR, 10), 1);
    now_ns += 3 * SETUP_LIMITER_INTERVAL_NS + SETUP_LIMITER_INTERVAL_NS / 2;
    assert_int_equal(count(SETUP, 10), 3);
    now_ns += SETUP_LIMITER_INTERVAL_NS / 2;
    assert_int_equal(count(SETUP, 10), 1);
}

static void test_long_rest(void **state)
{
    (void)state;
    (void)count(SETUP, 1000);
    now_ns = INT64_MAX;
    assert_int_equal(count(SETUP, 1000), SETUP_LIMITER_BURST);
    now_ns = 5; /* a clock that goes back gives nothing and takes nothing */
    assert_int_equal(count(SETUP, 10), 0);
}

static void test_short(void **state)
{
    (void)state;
    const uint8_t frame[7] = {7, 0, 0, 0, 0, 0, SETUP};
    for (int i = 0; i < 1000; i++)
        assert_true(setup_limiter_admits(&limiter, frame, sizeof frame, now_ns));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_burst, setup),
        cmocka_unit_test_setup(test_goes_on, setup),
        cmocka_unit_test_setup(test_long_rest, setup),
        cmocka_unit_test_setup(test_short, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
