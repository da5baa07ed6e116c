/*
 * Unit tests of the schedule: evenly spread, in bursts, exact over years. Run by ctest.
 */
#include "bench/pacer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND_NS UINT64_C(1000000000)

static void test_steady(void **state)
{
    (void)state;
    pacer_t pacer;
    pacer_init(&pacer, 1000, 3, 1);
    const uint64_t expected[] = {1000, 333334333, 666667666, 1000001000, 1333334333};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(pacer_next_ns(&pacer), expected[i]);
        pacer_advance(&pacer);
    }
}

static void test_bursts(void **state)
{
    (void)state;
    pacer_t pacer;
    pacer_init(&pacer, 0, 1000, 10);
    for (uint64_t i = 0; i < 100; i++) {
        assert_int_equal(pacer_next_ns(&pacer), i / 10 * 10000000);
        pacer_advance(&pacer);
    }
}

/* Each second has exactly `rate` sends, also far from the start. */
static void test_no_drift(void **state)
{
    (void)state;
    const uint64_t rates[] = {1, 7, 1000, 99999, 1000003};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        pacer_t pacer;
        pacer_init(&pacer, 500, rates[r], 1);
        pacer.index = rates[r] * 100000000 - 1; /* three years */
        pacer_advance(&pacer);
        assert_int_equal(pacer_next_ns(&pacer), 500 + 100000000 * SECOND_NS);
    }
}

static void test_count_before(void **state)
{
    (void)state;
    const uint64_t rates[] = {1, 3, 7, 1000, 12345};
    const uint64_t bursts[] = {1, 2, 10, 1000};
    for (size_t r = 0; r < 5; r++)
        for (size_t b = 0; b < 4; b++) {
            pacer_t pacer;
            pacer_init(&pacer, 12345, rates[r], bursts[b]);
            const uint64_t end_ns = 12345 + 3 * SECOND_NS + 777777777;
            const uint64_t count = pacer_count_before(&pacer, end_ns);
            uint64_t counted = 0;
            for (; pacer_next_ns(&pacer) < end_ns; counted++)
                pacer_advance(&pacer);
            assert_int_equal(count, counted);
            assert_int_equal(pacer_count_before(&pacer, 12345), 0);
            assert_int_equal(pacer_count_before(&pacer, 12346), bursts[b]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady),
        cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_no_drift),
        cmocka_unit_test(test_count_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
