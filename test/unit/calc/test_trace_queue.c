/*
 * The queue against figures worked out by hand, and against a simulation that keeps every message
 * and its departure. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "calc/trace_queue.h"

static void test_by_hand(void **state)
{
    (void)state;
    trace_queue_t queue;
    trace_queue_init(&queue, 2000); /* two per ms: one takes 0.5 ms */
    assert_int_equal(trace_queue_units(&queue), 0);
    assert_int_equal(trace_queue_wait_ns(&queue), 0);
    trace_queue_add(&queue, 100, 3);
    assert_int_equal(trace_queue_units(&queue), 3);
    assert_int_equal(trace_queue_wait_ns(&queue), 1500000);
    trace_queue_add(&queue, 500100, 0); /* exactly one is gone */
    assert_int_equal(trace_queue_units(&queue), 2);
    trace_queue_add(&queue, 500101, 0); /* the next one has begun, and is not gone */
    assert_int_equal(trace_queue_units(&queue), 2);
    assert_int_equal(trace_queue_wait_ns(&queue), 999999);
    trace_queue_add(&queue, 1500100, 1); /* into an empty queue */
    assert_int_equal(trace_queue_units(&queue), 1);
    assert_int_equal(trace_queue_wait_ns(&queue), 500000);
}

static void test_extremes(void **state)
{
    (void)state;
    trace_queue_t queue;
    trace_queue_init(&queue, UINT64_MAX);
    trace_queue_add(&queue, 0, UINT64_MAX);
    trace_queue_add(&queue, INT64_MAX, UINT64_MAX);
    assert_int_equal(trace_queue_units(&queue), UINT64_MAX);
    assert_int_equal(trace_queue_wait_ns(&queue), TRACE_QUEUE_UNIT);
    trace_queue_init(&queue, 1);
    trace_queue_add(&queue, 0, UINT64_MAX);
    assert_int_equal(trace_queue_wait_ns(&queue), UINT64_MAX);
}

enum { MESSAGES = 300 };

/*
 * One server, first come first served, by events: each message departs one service time after the
 * later of its arrival and the departure before. Times are multiples of 1 / drain ns, in which one
 * message takes 10^9.
 */
typedef struct simulation {
    uint64_t departures[MESSAGES];
    size_t count;
} simulation_t;

static void simulate(simulation_t *self, uint64_t offset_ns, uint64_t drain)
{
    const uint64_t arrival = offset_ns * drain;
    uint64_t begin = arrival;
    if (self->count > 0 && self->departures[self->count - 1] > begin)
        begin = self->departures[self->count - 1];
    self->departures[self->count++] = begin + UINT64_C(1000000000);
}

static uint64_t simulated_waiting(const simulation_t *self, uint64_t offset_ns, uint64_t drain)
{
    uint64_t waiting = 0;
    for (size_t i = 0; i < self->count; i++)
        waiting += self->departures[i] > offset_ns * drain;
    return waiting;
}

static void test_random(void **state)
{
    (void)state;
    uint64_t random = 20240607;
    for (int round = 0; round < 200; round++) {
        /* From one per second to a thousand per ms; gaps around the time that one takes. */
        const uint64_t drain = 1 + prng_below(&random, round % 2 ? 1000000 : 3000);
        const uint64_t service_ns = UINT64_C(1000000000) / drain;
        simulation_t simulation = {.count = 0};
        trace_queue_t queue;
        uint64_t now_ns = prng_below(&random, 1000);
        trace_queue_init(&queue, drain);
        for (int i = 0; i < MESSAGES; i++) {
            simulate(&simulation, now_ns, drain);
            trace_queue_add(&queue, now_ns, 1);
            assert_int_equal(trace_queue_units(&queue),
                             simulated_waiting(&simulation, now_ns, drain));
            const uint64_t wait = simulation.departures[i] - now_ns * drain;
            assert_int_equal(trace_queue_wait_ns(&queue), (wait + drain - 1) / drain);
            const uint32_t range =
                (uint32_t)(2 * service_ns < UINT32_MAX ? 2 * service_ns + 2 : UINT32_MAX);
            if (prng_below(&random, 3) > 0)
                now_ns += prng_below(&random, range);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
