/*
 * The search for a knee against queues whose knee is known: one server with a fixed service time
 * and independent arrivals, also with runs that a busy machine spoils, and with senders that come
 * to their limit first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "bench/arrival.h"
#include "bench/knee_search.h"

#include <stdlib.h>
#include <string.h>

enum { SENDS = 20000, REPEATS = 3 };

#define SERVICE_NS UINT64_C(1000) /* 1,000,000 per second at most */
#define SLA_NS     UINT64_C(20000)

/* ---- Queues ---- */

typedef struct queue {
    uint64_t sender_max;   /* per second; 0: no limit */
    uint32_t spoilt_of_20; /* so many of 20 runs cross whatever the rate */
    uint64_t chance;
} queue_t;

static int compare(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The 99.9th percentile of the time from the arrival to the end of the service. */
static uint64_t sojourn_ns(uint64_t rate_per_s, uint64_t seed)
{
    static uint64_t times[SENDS];
    arrival_t arrivals;
    const arrival_shape_t shape = {.kind = ARRIVAL_POISSON};
    const arrival_terms_t terms = {.rate_per_s = rate_per_s, .seed = seed};
    uint64_t free_ns = 0;
    arrival_init(&arrivals, &shape, &terms);
    for (size_t i = 0; i < SENDS; i++) {
        const uint64_t at_ns = arrival_next_ns(&arrivals);
        free_ns = (free_ns > at_ns ? free_ns : at_ns) + SERVICE_NS;
        times[i] = free_ns - at_ns;
        arrival_advance(&arrivals);
    }
    qsort(times, SENDS, sizeof times[0], compare);
    return times[SENDS * 999 / 1000];
}

/* Whether that is above the limit; asked again and again for the same rates. */
static bool crosses(uint64_t rate_per_s, uint64_t seed)
{
    enum { KNOWN = 512 };
    static struct {
        uint64_t rate_per_s;
        uint64_t seed;
        bool crosses;
    } known[KNOWN];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (known[i].rate_per_s == rate_per_s && known[i].seed == seed)
            return known[i].crosses;
    assert_true(count < KNOWN);
    known[count].rate_per_s = rate_per_s;
    known[count].seed = seed;
    known[count].crosses = sojourn_ns(rate_per_s, seed) > SLA_NS;
    return known[count++].crosses;
}

static knee_point_t measure(queue_t *queue, uint64_t rate_per_s)
{
    knee_point_t point = {.rate_per_s = rate_per_s, .runs = REPEATS};
    for (uint64_t i = 0; i < REPEATS; i++) {
        const bool spoilt = prng_next(&queue->chance) % 20 < queue->spoilt_of_20;
        if (queue->sender_max && rate_per_s > queue->sender_max)
            point.limited++;
        else
            point.crossings += spoilt || crosses(rate_per_s, i);
    }
    return point;
}

static void run(knee_search_t *search, const knee_terms_t *terms, queue_t *queue,
                knee_result_t *result)
{
    uint64_t rate;
    knee_search_init(search, terms);
    while ((rate = knee_search_next(search)) != 0) {
        assert_in_range(rate, terms->min_per_s, terms->max_per_s);
        const knee_point_t point = measure(queue, rate);
        knee_search_add(search, &point);
    }
    knee_search_result(search, result);
}

/* By looking at one rate after the other. */
static uint64_t true_knee(void)
{
    uint64_t rate = 500000;
    while (rate < 1000000 && !crosses(rate, 0))
        rate += 5000;
    return rate;
}

static knee_terms_t usual(void)
{
    return (knee_terms_t){
        .start_per_s = 10000, .min_per_s = 1000, .max_per_s = 20000000, .precision = 1.05};
}

/* ---- Tests ---- */

static void the_knee_of_a_queue_is_found(void **state)
{
    (void)state;
    static const uint64_t starts[] = {1000, 10000, 777777, 20000000};
    const double truth = (double)true_knee();
    assert_true(truth > 800000 && truth < 1000000);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        knee_search_t search;
        knee_result_t result;
        knee_terms_t terms = usual();
        queue_t queue = {0};
        queue.chance = 1;
        terms.start_per_s = starts[i];
        run(&search, &terms, &queue, &result);
        assert_int_equal(result.end, KNEE_FOUND);
        assert_true(result.mid_per_s > 0.93 * truth && result.mid_per_s < 1.07 * truth);
        assert_true(result.low_per_s > 0 && result.low_per_s <= result.mid_per_s);
        assert_true(result.high_per_s >= result.mid_per_s);
        assert_true(search.count < 30);
    }
}

static void spoilt_runs_move_the_range_and_not_the_knee(void **state)
{
    (void)state;
    int near = 0;
    const double truth = (double)true_knee();
    for (uint64_t seed = 0; seed < 20; seed++) {
        knee_search_t search;
        knee_result_t result;
        const knee_terms_t terms = usual();
        queue_t queue = {.spoilt_of_20 = 1};
        queue.chance = seed;
        run(&search, &terms, &queue, &result);
        assert_int_equal(result.end, KNEE_FOUND);
        /* Two of three are spoilt at one rate in 140: the worst is a step of the bisection. */
        assert_true(result.mid_per_s > 0.6 * truth && result.mid_per_s < 1.1 * truth);
        near += result.mid_per_s > 0.93 * truth && result.mid_per_s < 1.07 * truth;
    }
    assert_true(near >= 15);
}

/* All runs of one rate of the ramp are spoilt; its double is not. */
static void a_moment_of_trouble_does_not_end_the_ramp(void **state)
{
    (void)state;
    uint64_t rate;
    knee_search_t search;
    knee_result_t result;
    queue_t queue = {0};
    const knee_terms_t terms = usual();
    const double truth = (double)true_knee();
    knee_search_init(&search, &terms);
    while ((rate = knee_search_next(&search)) != 0) {
        knee_point_t point = measure(&queue, rate);
        if (rate == 10000 || rate == 80000)
            point.crossings = REPEATS;
        knee_search_add(&search, &point);
    }
    knee_search_result(&search, &result);
    assert_int_equal(result.end, KNEE_FOUND);
    assert_true(result.mid_per_s > 0.93 * truth && result.mid_per_s < 1.07 * truth);
    assert_true(result.low_per_s == 0);
}

static void a_sender_that_gives_up_first_is_no_knee(void **state)
{
    (void)state;
    knee_search_t search;
    knee_result_t result;
    const knee_terms_t terms = usual();
    queue_t queue = {.sender_max = 300000};
    queue.chance = 1;
    run(&search, &terms, &queue, &result);
    assert_int_equal(result.end, KNEE_SENDER_LIMIT);
    assert_true(result.mid_per_s == 0 && result.high_per_s == 0);
    assert_true(result.low_per_s > 280000 && result.low_per_s <= 300000);
    assert_true(search.cap > 300000 && search.cap <= 320000);
    for (size_t i = 0; i < search.count; i++)
        assert_int_equal(search.points[i].crossings, 0);
    assert_string_equal(knee_end_name(result.end), "above what the sender can do");
}

static void a_sender_that_gives_up_above_the_knee_does_not_matter(void **state)
{
    (void)state;
    knee_search_t search;
    knee_result_t result;
    const double truth = (double)true_knee();
    const knee_terms_t terms = usual();
    queue_t queue = {.sender_max = 1100000};
    queue.chance = 1;
    run(&search, &terms, &queue, &result);
    assert_int_equal(result.end, KNEE_FOUND);
    assert_true(result.mid_per_s > 0.93 * truth && result.mid_per_s < 1.07 * truth);
    assert_true(search.cap > 0);
}

static void a_sender_that_can_do_nothing_ends_the_search(void **state)
{
    (void)state;
    knee_search_t search;
    knee_result_t result;
    const knee_terms_t terms = usual();
    queue_t queue = {.sender_max = 1};
    queue.chance = 1;
    run(&search, &terms, &queue, &result);
    assert_int_equal(result.end, KNEE_SENDER_LIMIT);
    assert_true(result.low_per_s == 0);
    assert_int_equal(search.cap, 1000);
}

static void knees_outside_of_the_range_are_told(void **state)
{
    (void)state;
    knee_search_t search;
    knee_result_t result;
    queue_t queue = {0};
    queue.chance = 1;
    knee_terms_t terms = usual();
    terms.max_per_s = 100001;
    run(&search, &terms, &queue, &result);
    assert_int_equal(result.end, KNEE_ABOVE_MAX);
    assert_true(result.low_per_s == 100001.0);
    terms = usual();
    terms.min_per_s = 1500000;
    terms.start_per_s = 4000000;
    run(&search, &terms, &queue, &result);
    assert_int_equal(result.end, KNEE_BELOW_MIN);
    assert_true(result.high_per_s == 1500000.0);
    assert_true(result.low_per_s == 0 && result.mid_per_s == 0);
}

static void a_search_that_is_cut_says_so(void **state)
{
    (void)state;
    knee_search_t search;
    knee_result_t result;
    const knee_terms_t terms = usual();
    knee_search_init(&search, &terms);
    knee_search_result(&search, &result);
    assert_int_equal(result.end, KNEE_CUT);
    knee_point_t point = {.rate_per_s = 10000, .runs = 1};
    knee_search_add(&search, &point);
    assert_int_equal(knee_search_next(&search), 20000);
    knee_search_result(&search, &result);
    assert_int_equal(result.end, KNEE_CUT);
    assert_true(result.low_per_s == 10000.0 && result.mid_per_s == 0);
}

/* It is not known whether the run that the sender limits would have crossed. */
static void a_rate_that_the_sender_limits_in_a_run_ends_no_range(void **state)
{
    (void)state;
    static const knee_point_t points[] = {
        {.rate_per_s = 10000, .runs = 3},
        {.rate_per_s = 20000, .runs = 3, .limited = 1},
        {.rate_per_s = 40000, .runs = 3, .crossings = 2, .limited = 1},
        {.rate_per_s = 80000, .runs = 3, .crossings = 3},
    };
    knee_search_t search;
    knee_result_t result;
    knee_terms_t terms = usual();
    terms.precision = 2.0;
    knee_search_init(&search, &terms);
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        knee_search_add(&search, &points[i]);
    knee_search_result(&search, &result);
    assert_int_equal(result.end, KNEE_FOUND);
    assert_true(result.low_per_s == 10000.0);
    assert_true(result.mid_per_s > 20000.0 && result.mid_per_s < 40000.0);
    assert_true(result.high_per_s == 80000.0);
}

static void verdicts_are_those_of_most(void **state)
{
    (void)state;
    static const struct {
        knee_point_t point;
        knee_verdict_t verdict;
    } cases[] = {
        {{.runs = 3}, KNEE_NONE},
        {{.runs = 3, .crossings = 1}, KNEE_FEW},
        {{.runs = 4, .crossings = 2}, KNEE_FEW},
        {{.runs = 3, .crossings = 2}, KNEE_MOST},
        {{.runs = 3, .crossings = 3}, KNEE_ALL},
        {{.runs = 3, .crossings = 2, .limited = 1}, KNEE_ALL},
        {{.runs = 3, .crossings = 1, .limited = 2}, KNEE_SENDER},
        {{.runs = 4, .crossings = 1, .limited = 2}, KNEE_FEW},
        {{.runs = 1, .limited = 1}, KNEE_SENDER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(knee_point_verdict(&cases[i].point), cases[i].verdict);
    assert_string_equal(knee_verdict_name(KNEE_SENDER), "sender limit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_knee_of_a_queue_is_found),
        cmocka_unit_test(spoilt_runs_move_the_range_and_not_the_knee),
        cmocka_unit_test(a_moment_of_trouble_does_not_end_the_ramp),
        cmocka_unit_test(a_sender_that_gives_up_first_is_no_knee),
        cmocka_unit_test(a_sender_that_gives_up_above_the_knee_does_not_matter),
        cmocka_unit_test(a_sender_that_can_do_nothing_ends_the_search),
        cmocka_unit_test(knees_outside_of_the_range_are_told),
        cmocka_unit_test(a_search_that_is_cut_says_so),
        cmocka_unit_test(a_rate_that_the_sender_limits_in_a_run_ends_no_range),
        cmocka_unit_test(verdicts_are_those_of_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
