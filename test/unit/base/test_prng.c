/*
 * Unit tests of the random numbers: the published sequence, and its bounds. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"

/* First outputs of SplitMix64 for seed 1234567, as its authors give them. */
static void test_sequence(void **state)
{
    (void)state;
    const uint64_t wanted[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                               UINT64_C(9817491932198370423), UINT64_C(4593380528125082431)};
    uint64_t random = 1234567;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        assert_true(prng_next(&random) == wanted[i]);
}

static void test_below(void **state)
{
    (void)state;
    uint64_t random = 1;
    unsigned seen = 0;
    for (int i = 0; i < 1000; i++) {
        const uint32_t drawn = prng_below(&random, 7);
        assert_true(drawn < 7);
        seen |= 1u << drawn;
    }
    assert_int_equal(seen, 127);
    assert_int_equal(prng_below(&random, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
