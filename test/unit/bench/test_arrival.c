/*
 * Unit tests of the schedules: where sends fall, how many before a time, the mean rate, and that
 * none of it drifts. Run by ctest.
 */
#include "bench/arrival.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"

#define SECOND_NS UINT64_C(1000000000)
#define MS_NS     UINT64_C(1000000)

static void init(arrival_t *arrivals, const char *text, uint64_t rate_per_s, uint64_t seed)
{
    arrival_shape_t shape;
    assert_int_equal(arrival_shape_parse(&shape, text), OC_ERR_OK);
    const arrival_terms_t terms = {.rate_per_s = rate_per_s, .seed = seed, .bytes = 170};
    arrival_init(arrivals, &shape, &terms);
}

static void test_steady(void **state)
{
    (void)state;
    arrival_t arrivals;
    arrival_init_steady(&arrivals, 3, 1);
    arrival_start(&arrivals, 1000);
    const uint64_t expected[] = {1000, 333334333, 666667666, 1000001000, 1333334333};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(arrival_next_ns(&arrivals), expected[i]);
        arrival_advance(&arrivals);
    }
    assert_true(fabs(arrival_rate_per_s(&arrivals) - 3.0) < 1e-9);
}

static void test_steady_bursts(void **state)
{
    (void)state;
    arrival_t arrivals;
    init(&arrivals, "steady:10", 1000, 0);
    for (uint64_t i = 0; i < 100; i++) {
        assert_int_equal(arrival_next_ns(&arrivals), i / 10 * 10 * MS_NS);
        assert_int_equal(arrival_next_bytes(&arrivals), 170);
        arrival_advance(&arrivals);
    }
    assert_true(fabs(arrival_rate_per_s(&arrivals) - 1000.0) < 1e-9);
}

/* Each second has exactly `rate` sends, also far from the start. */
static void test_no_drift(void **state)
{
    (void)state;
    const uint64_t rates[] = {1, 7, 1000, 99999, 1000003, ARRIVAL_RATE_MAX};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        arrival_t arrivals;
        arrival_init_steady(&arrivals, rates[r], 1);
        arrival_start(&arrivals, 500);
        arrivals.index = rates[r] * 100000000 - 1; /* three years */
        arrival_advance(&arrivals);
        assert_int_equal(arrival_next_ns(&arrivals), 500 + 100000000 * SECOND_NS);
        assert_int_equal(arrival_count_before(&arrivals, 500 + 100000000 * SECOND_NS),
                         rates[r] * 100000000);
    }
}

static void test_onoff(void **state)
{
    (void)state;
    arrival_t arrivals;
    init(&arrivals, "onoff:4:25", 0, 0);
    for (uint64_t i = 0; i < 40; i++) {
        assert_int_equal(arrival_next_ns(&arrivals), i / 4 * 25 * MS_NS);
        arrival_advance(&arrivals);
    }
    assert_true(fabs(arrival_rate_per_s(&arrivals) - 160.0) < 1e-9);
    /* Three sends in a ms: seven take 2 1/3 ms, and then it is idle for 10. */
    init(&arrivals, "onoff:7:10:3", 0, 0);
    for (uint64_t i = 0; i < 700; i++) {
        const uint64_t thirds = i / 7 * 37 + i % 7;
        assert_int_equal(arrival_next_ns(&arrivals), thirds * MS_NS / 3);
        arrival_advance(&arrivals);
    }
    assert_true(fabs(arrival_rate_per_s(&arrivals) - 21000.0 / 37.0) < 1e-9);
    /* After 370,000 s as at the start. */
    arrivals.index = 7 * UINT64_C(30000000) - 1;
    arrival_advance(&arrivals);
    assert_int_equal(arrival_next_ns(&arrivals), 370000 * SECOND_NS);
}

/* Against a walk, at ends that are and are not times of sends. */
static void check_counts(arrival_t *arrivals, uint64_t until_ns)
{
    uint64_t random = until_ns;
    uint64_t before = 0;
    const arrival_t fresh = *arrivals;
    uint64_t last_ns = arrivals->start_ns;
    assert_int_equal(arrival_count_before(&fresh, arrivals->start_ns), 0);
    while (arrival_next_ns(arrivals) < until_ns) {
        const uint64_t now_ns = arrival_next_ns(arrivals);
        assert_true(now_ns >= last_ns);
        if (now_ns > last_ns && prng_below(&random, 16) == 0) {
            assert_int_equal(arrival_count_before(&fresh, now_ns), before);
            /* Nowhere else than at the start does a count begin. */
            assert_int_equal(arrival_count_before(arrivals, now_ns), before);
            assert_int_equal(
                arrival_count_before(&fresh, last_ns + 1 + prng_next(&random) % (now_ns - last_ns)),
                before);
        }
        last_ns = now_ns;
        before++;
        arrival_advance(arrivals);
    }
    assert_int_equal(arrival_count_before(&fresh, until_ns), before);
}

static void test_count_before(void **state)
{
    (void)state;
    const char *const shapes[] = {"steady:1",    "steady:7",    "steady:1000",
                                  "poisson",     "onoff:5:3",   "onoff:1:1",
                                  "onoff:7:3:3", "onoff:9:0:7", "onoff:100:11:1000000"};
    const uint64_t rates[] = {1, 3, 7, 1000, 2345};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
            arrival_t arrivals;
            init(&arrivals, shapes[s], rates[r], r);
            arrival_start(&arrivals, 12345);
            check_counts(&arrivals, 12345 + SECOND_NS + 777777777);
        }
}

/* The number of sends in a time is Poisson, with its mean as its variance; gaps are exponential:
 * their mean and standard deviation are equal. */
static void test_poisson(void **state)
{
    (void)state;
    enum { SENDS = 1000000, RATE = 12345 };
    for (uint64_t seed = 1; seed <= 3; seed++) {
        arrival_t arrivals;
        init(&arrivals, "poisson", RATE, seed);
        double last = 0;
        double square = 0;
        uint64_t longer = 0; /* than two mean gaps: e^-2 of them */
        for (uint64_t i = 0; i < SENDS; i++) {
            const double now = (double)arrival_next_ns(&arrivals) / 1e9 * RATE;
            square += (now - last) * (now - last);
            longer += now - last > 2.0;
            last = now;
            arrival_advance(&arrivals);
        }
        /* Five sigma of each: a sum of n gaps has variance n, one of squares 20 n. */
        assert_true(fabs(last - SENDS) < 5 * sqrt(SENDS));
        assert_true(fabs(square - 2.0 * SENDS) < 5 * sqrt(20.0 * SENDS));
        const double share = exp(-2.0);
        assert_true(fabs((double)longer - share * SENDS) < 5 * sqrt(SENDS * share * (1 - share)));
        const double seconds = 60;
        const uint64_t count = arrival_count_before(&arrivals, 60 * SECOND_NS);
        assert_true(fabs((double)count - RATE * seconds) < 5 * sqrt(RATE * seconds));
    }
}

/* How the sends of 20,000 ms are distributed: chi-square against the Poisson law. */
static void test_poisson_counts(void **state)
{
    (void)state;
    enum { MS = 20000, CLASSES = 8, MEAN = 2 };
    arrival_t arrivals;
    init(&arrivals, "poisson", MEAN * 1000, 42);
    uint64_t seen[CLASSES] = {0};
    for (uint64_t ms = 1; ms <= MS; ms++) {
        unsigned count = 0;
        for (; arrival_next_ns(&arrivals) < ms * MS_NS; count++)
            arrival_advance(&arrivals);
        seen[count < CLASSES ? count : CLASSES - 1]++;
    }
    double chance = exp(-MEAN);
    double rest = 1;
    double chi_square = 0;
    for (unsigned i = 0; i < CLASSES; i++) {
        const double expected = MS * (i < CLASSES - 1 ? chance : rest);
        chi_square += ((double)seen[i] - expected) * ((double)seen[i] - expected) / expected;
        rest -= chance;
        chance *= (double)MEAN / (i + 1);
    }
    assert_true(chi_square < 40); /* 7 degrees of freedom: one seed in a million is above */
}

/* The same on every machine: times of the first sends, and of a far one. */
static void test_poisson_is_fixed(void **state)
{
    (void)state;
    arrival_t arrivals;
    arrival_t other;
    init(&arrivals, "poisson", 1000, 1);
    init(&other, "poisson", 1000, 2);
    assert_int_not_equal(arrival_next_ns(&arrivals), arrival_next_ns(&other));
    uint64_t mixed = 0;
    for (unsigned i = 0; i < 1000; i++) {
        mixed = prng_mix(mixed + arrival_next_ns(&arrivals));
        arrival_advance(&arrivals);
    }
    const uint64_t last_ns = arrival_next_ns(&arrivals);
    arrival_start(&arrivals, 77);
    for (unsigned i = 0; i < 1000; i++)
        arrival_advance(&arrivals);
    assert_int_equal(arrival_next_ns(&arrivals), 77 + last_ns);
    assert_true(mixed == UINT64_C(0xb243385ade172260));
    /* Hours on: the sum is in whole and 2^-32 gaps, so a second more is a second more. */
    const arrival_sum_t far = {.random = 5, .whole = UINT64_C(1000) * 3600 * 1000, .fraction = 3};
    arrivals.sum = far;
    arrival_advance(&arrivals);
    const uint64_t one_ns = arrival_next_ns(&arrivals);
    arrivals.sum = far;
    arrivals.sum.whole += 1000;
    arrival_advance(&arrivals);
    assert_int_equal(arrival_next_ns(&arrivals), one_ns + SECOND_NS);
}

static void test_trace(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static trace_message_t messages[COUNT];
    uint64_t random = 9;
    uint64_t offset_ns = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        messages[i] = (trace_message_t){offset_ns, i + 1};
        offset_ns += prng_below(&random, 3) * 1000;
    }
    const trace_play_t trace = {.trace = {messages, COUNT}};
    const arrival_shape_t shape = {.kind = ARRIVAL_TRACE};
    const arrival_terms_t terms = {.trace = &trace};
    arrival_t arrivals;
    arrival_init(&arrivals, &shape, &terms);
    arrival_start(&arrivals, 1000);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(arrival_next_ns(&arrivals), 1000 + messages[i].offset_ns);
        assert_int_equal(arrival_next_bytes(&arrivals), i + 1);
        arrival_advance(&arrivals);
    }
    for (int i = 0; i < 3; i++) {
        assert_true(arrival_next_ns(&arrivals) == UINT64_MAX);
        arrival_advance(&arrivals);
    }
    assert_int_equal(arrival_count_before(&arrivals, UINT64_MAX), COUNT);
    assert_true(fabs(arrival_rate_per_s(&arrivals) - trace_play_rate_per_s(&trace)) < 1e-9);
    arrival_start(&arrivals, 1000);
    check_counts(&arrivals, 1000 + offset_ns / 2);
}

static void test_kept(void **state)
{
    (void)state;
    assert_true(arrival_kept(0, UINT64_C(20000000)));
    assert_false(arrival_kept(UINT64_C(1000000000), UINT64_C(20000001)));
    assert_true(arrival_kept(UINT64_C(5000000000), UINT64_C(100000000)));
    assert_false(arrival_kept(UINT64_C(5000000000), UINT64_C(100000001)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady),         cmocka_unit_test(test_steady_bursts),
        cmocka_unit_test(test_no_drift),       cmocka_unit_test(test_onoff),
        cmocka_unit_test(test_count_before),   cmocka_unit_test(test_poisson),
        cmocka_unit_test(test_poisson_counts), cmocka_unit_test(test_poisson_is_fixed),
        cmocka_unit_test(test_trace),          cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
