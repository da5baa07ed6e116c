/*
 * The copy of a page: all of it, nothing else, to any place. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "outcry/arena.h"
#include "snapshot/page_copy.h"

#include <string.h>

#define PAGE OC_ARENA_PAGE_SIZE

static void test_a_page_is_copied_and_no_more(void **state)
{
    (void)state;
    static _Alignas(8) uint8_t from[3 * PAGE];
    static uint8_t to[PAGE + 64];
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)prng_next(&seed);
    for (size_t place = 1; place <= 33; place++) {
        memset(to, 0xEE, sizeof to);
        page_copy(to + place, from + PAGE);
        assert_memory_equal(to + place, from + PAGE, PAGE);
        for (size_t i = 0; i < place; i++)
            assert_int_equal(to[i], 0xEE);
        for (size_t i = place + PAGE; i < sizeof to; i++)
            assert_int_equal(to[i], 0xEE);
    }
}

static void test_each_bit_arrives(void **state)
{
    (void)state;
    static _Alignas(8) uint8_t from[PAGE];
    static uint8_t to[PAGE];
    for (size_t bit = 0; bit < 8 * PAGE; bit += 7) {
        from[bit / 8] = (uint8_t)(1u << bit % 8);
        page_copy(to, from);
        assert_memory_equal(to, from, PAGE);
        from[bit / 8] = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_page_is_copied_and_no_more),
        cmocka_unit_test(test_each_bit_arrives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
