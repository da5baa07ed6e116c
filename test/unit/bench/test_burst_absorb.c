/*
 * Unit tests of absorption: the peak is what a search of all windows finds, whatever the times are.
 * Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/burst_absorb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lib/process_usage.h"

enum { MESSAGES = 400, BURSTS = 3 };

/* The most messages of any window that ends with a message of the burst. */
static uint64_t naive_peak(const uint64_t *times, const size_t *bursts, size_t burst)
{
    uint64_t most = 0;
    for (size_t last = 0; last < MESSAGES; last++) {
        uint64_t inside = 0;
        if (bursts[last] != burst)
            continue;
        for (size_t i = 0; i <= last; i++)
            inside += times[last] - times[i] < BURST_WINDOW_NS;
        most = inside > most ? inside : most;
    }
    return most;
}

static void test_as_the_naive_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed;
        uint64_t times[MESSAGES];
        size_t bursts[MESSAGES];
        uint64_t now = 1000000000;
        burst_absorb_t absorb;
        assert_int_equal(burst_absorb_init(&absorb, BURSTS, MESSAGES), OC_ERR_OK);
        for (size_t i = 0; i < MESSAGES; i++) {
            now += prng_below(&random, 3) * prng_below(&random, seed % 2 ? 20000 : 300000);
            times[i] = now;
            bursts[i] = i * BURSTS / MESSAGES;
            burst_absorb_take(&absorb, bursts[i], now);
        }
        uint64_t received = 0;
        for (size_t burst = 0; burst < BURSTS; burst++) {
            assert_int_equal(absorb.rows[burst].peak, naive_peak(times, bursts, burst));
            received += absorb.rows[burst].received;
        }
        assert_int_equal(received, MESSAGES);
        assert_int_equal(absorb.rows[0].first_ns, times[0]);
        assert_int_equal(absorb.rows[BURSTS - 1].last_ns, times[MESSAGES - 1]);
        burst_absorb_fini(&absorb);
    }
}

static void test_edges(void **state)
{
    (void)state;
    burst_absorb_t absorb;
    assert_int_equal(burst_absorb_init(&absorb, 2, 4), OC_ERR_OK);
    assert_int_equal(burst_row_absorb_ns(&absorb.rows[0]), 0);
    burst_absorb_take(&absorb, 0, 5);
    assert_int_equal(burst_row_absorb_ns(&absorb.rows[0]), 0);
    assert_int_equal(absorb.rows[0].peak, 1);
    burst_absorb_take(&absorb, 0, 5 + BURST_WINDOW_NS); /* exactly a millisecond: apart */
    assert_int_equal(absorb.rows[0].peak, 1);
    burst_absorb_take(&absorb, 1, 4 + 2 * BURST_WINDOW_NS); /* a nanosecond less */
    assert_int_equal(absorb.rows[1].peak, 2);
    assert_int_equal(absorb.rows[1].received, 1);
    assert_int_equal(burst_row_absorb_ns(&absorb.rows[0]), BURST_WINDOW_NS);
    burst_absorb_fini(&absorb);
    burst_absorb_fini(&absorb);
}

/* All nanoseconds of more than a window, and many messages at one of them. */
static void test_dense(void **state)
{
    (void)state;
    burst_absorb_t absorb;
    assert_int_equal(burst_absorb_init(&absorb, 1, 10000000), OC_ERR_OK);
    for (uint64_t ns = 1; ns <= 2 * BURST_WINDOW_NS; ns++)
        burst_absorb_take(&absorb, 0, ns);
    assert_int_equal(absorb.rows[0].peak, BURST_WINDOW_NS);
    for (int i = 0; i < 1000; i++)
        burst_absorb_take(&absorb, 0, 2 * BURST_WINDOW_NS);
    assert_int_equal(absorb.rows[0].peak, BURST_WINDOW_NS + 1000);
    burst_absorb_fini(&absorb);
}

/* A moment for each nanosecond: 16 MB of them, and hardly a page that was not there before. */
static void test_no_page_is_new(void **state)
{
    (void)state;
    burst_absorb_t absorb;
    assert_int_equal(burst_absorb_init(&absorb, 1, 10000000), OC_ERR_OK);
    const long before = process_page_faults();
    for (uint64_t ns = 1; ns <= BURST_WINDOW_NS; ns++)
        burst_absorb_take(&absorb, 0, ns);
    assert_in_range(process_page_faults() - before, 0, 100);
    burst_absorb_fini(&absorb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_naive_one),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_no_page_is_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
