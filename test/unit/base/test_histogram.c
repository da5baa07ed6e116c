/*
 * Unit tests of the histogram: bucket borders, relative error over the whole 64-bit range,
 * percentiles against a sorted array, merging. Run by ctest.
 */
#include "base/histogram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int setup(void **state)
{
    *state = histogram_create();
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    histogram_destroy(*state);
    return 0;
}

static void test_empty(void **state)
{
    const histogram_t *h = *state;
    assert_int_equal(histogram_count(h), 0);
    assert_int_equal(histogram_min(h), 0);
    assert_int_equal(histogram_max(h), 0);
    assert_true(histogram_mean(h) == 0.0);
    assert_int_equal(histogram_percentile(h, 99.0), 0);
}

static void test_small_values_are_exact(void **state)
{
    histogram_t *h = *state;
    for (uint64_t v = 0; v < 2048; v++) {
        histogram_record(h, v);
        assert_int_equal(histogram_bucket_low(v), v);
        assert_int_equal(histogram_bucket_high(v), v);
    }
    assert_int_equal(histogram_count(h), 2048);
    assert_int_equal(histogram_percentile(h, 50.0), 1023);
    assert_int_equal(histogram_percentile(h, 0.0), 0);
    assert_int_equal(histogram_percentile(h, 100.0), 2047);
}

/* The borders that HdrHistogram has with three digits: width 2 from 2048, 4 from 4096. */
static void test_bucket_borders(void **state)
{
    (void)state;
    assert_int_equal(histogram_bucket_low(2049), 2048);
    assert_int_equal(histogram_bucket_high(2048), 2049);
    assert_int_equal(histogram_bucket_high(4095), 4095);
    assert_int_equal(histogram_bucket_low(4099), 4096);
    assert_int_equal(histogram_bucket_high(4096), 4099);
    assert_true(histogram_bucket_high(UINT64_MAX) == UINT64_MAX);
    assert_true(histogram_bucket_low(UINT64_MAX) == UINT64_C(2047) << 53);
}

static void test_buckets_tile_the_range(void **state)
{
    (void)state;
    uint64_t low = 0;
    size_t buckets = 0;
    for (;;) {
        const uint64_t high = histogram_bucket_high(low);
        assert_true(histogram_bucket_low(low) == low);
        assert_true(histogram_bucket_low(high) == low);
        assert_true((high - low) <= low / 1000);
        buckets++;
        if (high == UINT64_MAX)
            break;
        low = high + 1;
    }
    assert_int_equal(buckets, 55 * 1024);
}

static void test_extremes(void **state)
{
    histogram_t *h = *state;
    histogram_record(h, UINT64_MAX);
    histogram_record(h, 0);
    assert_int_equal(histogram_count_at(h, UINT64_MAX - 1), 1);
    assert_true(histogram_percentile(h, 100.0) == UINT64_MAX);
    assert_int_equal(histogram_percentile(h, 50.0), 0);
    assert_int_equal(histogram_min(h), 0);
    assert_true(histogram_max(h) == UINT64_MAX);
}

static int compare_u64(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void test_percentiles_against_sorted(void **state)
{
    histogram_t *h = *state;
    enum { COUNT = 10000 };
    static uint64_t values[COUNT];
    uint64_t seed = 7;
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = random_next(&seed) >> (random_next(&seed) % 60);
        histogram_record(h, values[i]);
    }
    qsort(values, COUNT, sizeof values[0], compare_u64);
    const double percents[] = {0.01, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0};
    for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++) {
        const size_t rank = (size_t)(percents[i] * COUNT / 100.0 + 0.5);
        const uint64_t exact = values[rank - 1];
        const uint64_t found = histogram_percentile(h, percents[i]);
        assert_true(found >= exact);
        assert_true(found - exact <= exact / 1000);
    }
}

static void test_never_above_the_maximum(void **state)
{
    histogram_t *h = *state;
    histogram_record(h, 1000001);
    assert_int_equal(histogram_percentile(h, 50.0), 1000001);
    assert_int_equal(histogram_percentile(h, -5.0), 1000001);
    assert_int_equal(histogram_percentile(h, 200.0), 1000001);
}

static void test_rank_rounds_up(void **state)
{
    histogram_t *h = *state;
    for (uint64_t v = 1; v <= 1000; v++)
        histogram_record(h, v);
    assert_int_equal(histogram_percentile(h, 50.0), 500);
    assert_int_equal(histogram_percentile(h, 99.0), 990);
    assert_int_equal(histogram_percentile(h, 99.9), 999);
    assert_int_equal(histogram_percentile(h, 99.91), 1000);
}

static void test_mean_and_many(void **state)
{
    histogram_t *h = *state;
    histogram_record_many(h, 10, 3);
    histogram_record_many(h, 999, 0);
    histogram_record(h, 20);
    assert_int_equal(histogram_count(h), 4);
    assert_true(histogram_mean(h) == 12.5);
    assert_int_equal(histogram_max(h), 20);
    histogram_reset(h);
    assert_int_equal(histogram_count(h), 0);
    assert_int_equal(histogram_max(h), 0);
}

static void test_add(void **state)
{
    histogram_t *h = *state;
    histogram_t *other = histogram_create();
    assert_non_null(other);
    histogram_add(h, other);
    assert_int_equal(histogram_min(h), 0);
    histogram_record(h, 5);
    histogram_record(other, 3);
    histogram_record(other, 1 << 20);
    histogram_add(h, other);
    assert_int_equal(histogram_count(h), 3);
    assert_int_equal(histogram_min(h), 3);
    assert_int_equal(histogram_max(h), 1 << 20);
    assert_int_equal(histogram_percentile(h, 66.0), 5);
    histogram_destroy(other);
}

/* Slots ascend without a gap, as HdrHistogram counts them. */
static void test_slots(void **state)
{
    histogram_t *h = *state;
    assert_int_equal(histogram_slot_of(0), 0);
    assert_int_equal(histogram_slot_of(2047), 2047);
    assert_int_equal(histogram_slot_of(2048), 2048);
    assert_int_equal(histogram_slot_of(2049), 2048);
    assert_int_equal(histogram_slot_of(2050), 2049);
    const size_t last = histogram_slot_of(UINT64_MAX);
    for (size_t slot = 0; slot <= last; slot++) {
        const uint64_t low = histogram_slot_low(slot);
        const uint64_t high = histogram_bucket_high(low);
        assert_int_equal(histogram_slot_of(low), slot);
        assert_int_equal(histogram_slot_of(high), slot);
        if (slot < last)
            assert_int_equal(histogram_slot_low(slot + 1), high + 1);
        else
            assert_true(high == UINT64_MAX);
    }
    histogram_record_many(h, 2049, 5);
    assert_int_equal(histogram_slot_count(h, 2048), 5);
    assert_int_equal(histogram_slot_count(h, 2047), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_empty),
        TEST(test_small_values_are_exact),
        TEST(test_bucket_borders),
        TEST(test_buckets_tile_the_range),
        TEST(test_extremes),
        TEST(test_percentiles_against_sorted),
        TEST(test_never_above_the_maximum),
        TEST(test_rank_rounds_up),
        TEST(test_mean_and_many),
        TEST(test_add),
        TEST(test_slots),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
