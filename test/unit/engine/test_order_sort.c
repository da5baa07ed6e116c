/*
 * Sorting by 64-bit keys: against qsort, whatever bits the keys differ in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/order_sort.h"
#include "lib/reference_fixture.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

static sort_entry_t entries[MOST];
static sort_entry_t spare[MOST];
static sort_entry_t expected[MOST];

static int by_key_then_value(const void *a, const void *b)
{
    const sort_entry_t *x = a;
    const sort_entry_t *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static uint64_t random_word(uint64_t *seed)
{
    uint64_t word = 0;
    for (int i = 0; i < 4; i++)
        word = word << 16 | fixture_below(seed, 65536);
    return word;
}

static void assert_sorts(uint64_t *seed, size_t count, uint64_t mask)
{
    for (size_t i = 0; i < count; i++)
        entries[i] = (sort_entry_t){.key = random_word(seed) & mask, .value = (uint32_t)i};
    memcpy(expected, entries, sizeof expected);
    qsort(expected, count, sizeof *expected, by_key_then_value);
    const sort_entry_t *sorted = order_sort(entries, spare, count);
    assert_true(sorted == entries || sorted == spare);
    if (count)
        assert_memory_equal(sorted, expected, count * sizeof *sorted);
}

static void test_sorts_as_qsort_does(void **state)
{
    (void)state;
    static const uint64_t masks[] = {UINT64_MAX, UINT64_C(0xffffff),
                                     0x7ff,      UINT64_C(0xfff0000000000000),
                                     0,          UINT64_C(0x8000000000000001)};
    uint64_t seed = 5;
    for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
        for (size_t count = 0; count < 70; count++)
            assert_sorts(&seed, count, masks[m]);
        assert_sorts(&seed, MOST, masks[m]);
    }
}

static void test_finds_the_first_duplicate(void **state)
{
    (void)state;
    for (size_t i = 0; i < 100; i++)
        entries[i] = (sort_entry_t){.key = i * 3, .value = (uint32_t)i};
    assert_null(order_sort_duplicate(entries, 0));
    assert_null(order_sort_duplicate(entries, 1));
    assert_null(order_sort_duplicate(entries, 100));
    entries[99].key = entries[98].key;
    assert_ptr_equal(order_sort_duplicate(entries, 100), &entries[99]);
    assert_null(order_sort_duplicate(entries, 99));
    entries[1].key = 0;
    assert_ptr_equal(order_sort_duplicate(entries, 100), &entries[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorts_as_qsort_does),
        cmocka_unit_test(test_finds_the_first_duplicate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
