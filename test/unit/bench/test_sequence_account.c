/*
 * Unit tests of the account of a stream: against one that keeps everything, and at the edge of what
 * is kept. Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/sequence_account.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lib/process_usage.h"

enum { NUMBERS = 5000 };

/* Streams with loss, repeats and late ones, within the window. */
static void test_as_the_naive_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        uint64_t random = seed;
        sequence_account_t account;
        static bool came[NUMBERS];
        uint64_t next = 0;
        uint64_t received = 0;
        uint64_t doubled = 0;
        uint64_t late = 0;
        memset(came, 0, sizeof came);
        assert_int_equal(sequence_account_init(&account), OC_ERR_OK);
        for (int i = 0; i < NUMBERS; i++) {
            uint64_t number = next + prng_below(&random, 10) / 9;
            if (next > 0 && prng_below(&random, 8) == 0)
                number = prng_below(&random, (uint32_t)next);
            if (number >= NUMBERS)
                break;
            const bool first = !came[number];
            received += first;
            doubled += !first;
            late += first && number < next;
            came[number] = true;
            next = number >= next ? number + 1 : next;
            assert_int_equal(sequence_account_take(&account, number), first);
        }
        assert_int_equal(account.next, next);
        assert_int_equal(account.received, received);
        assert_int_equal(account.doubled, doubled);
        assert_int_equal(account.out_of_order, late);
        sequence_account_fini(&account);
    }
}

static void test_edges(void **state)
{
    (void)state;
    sequence_account_t account;
    assert_int_equal(sequence_account_init(&account), OC_ERR_OK);
    assert_true(sequence_account_take(&account, 5));
    assert_true(sequence_account_take(&account, SEQUENCE_WINDOW + 5)); /* the same place */
    assert_false(sequence_account_take(&account, 5));                  /* too old */
    assert_true(sequence_account_take(&account, 6));                   /* the oldest that is kept */
    assert_false(sequence_account_take(&account, 6));
    assert_int_equal(account.out_of_order, 1);
    assert_int_equal(account.doubled, 2);
    /* A gap of many windows. */
    assert_true(sequence_account_take(&account, 100 * SEQUENCE_WINDOW));
    assert_true(sequence_account_take(&account, 99 * SEQUENCE_WINDOW + 5));
    assert_true(sequence_account_take(&account, UINT64_MAX - 1));
    assert_int_equal(account.received, 6);
    sequence_account_fini(&account);
    sequence_account_fini(&account);
}

/* A number of each page of the bits, all of which were there before. */
static void test_no_page_is_new(void **state)
{
    (void)state;
    sequence_account_t account;
    assert_int_equal(sequence_account_init(&account), OC_ERR_OK);
    const long before = process_page_faults();
    for (uint64_t number = 0; number < SEQUENCE_WINDOW; number += 8 * 4096)
        (void)sequence_account_take(&account, number);
    assert_in_range(process_page_faults() - before, 0, 8);
    sequence_account_fini(&account);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_naive_one),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_no_page_is_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
