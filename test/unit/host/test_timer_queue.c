/*
 * The timer queue against a naive list: order, replacement, cancelling, limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/timer_queue.h"
#include "lib/reference_fixture.h"

enum { CAPACITY = 40, IDS = 60 };

typedef struct naive {
    bool used[IDS];
    int64_t deadline_ns[IDS];
    uint32_t count;
} naive_t;

static oc_timer_id_t id_of(int index)
{
    return (oc_timer_id_t){(int64_t)index * 1000003 - 30 * 1000003};
}

/* The index of the earliest; equal deadlines by id, which ascends with the index. */
static int naive_first(const naive_t *naive, const bool *left)
{
    int first = -1;
    for (int i = 0; i < IDS; i++)
        if (left[i] && (first < 0 || naive->deadline_ns[i] < naive->deadline_ns[first]))
            first = i;
    return first;
}

static void assert_same(const timer_queue_t *queue, const naive_t *naive)
{
    timer_entry_t timers[CAPACITY];
    timer_entry_t first;
    bool left[IDS];
    assert_int_equal(queue->count, naive->count);
    timer_queue_list(queue, timers);
    for (int i = 0; i < IDS; i++)
        left[i] = naive->used[i];
    for (uint32_t i = 0; i < naive->count; i++) {
        const int at = naive_first(naive, left);
        assert_true(timers[i].id.value == id_of(at).value);
        assert_true(timers[i].deadline_ns == naive->deadline_ns[at]);
        left[at] = false;
    }
    assert_int_equal(timer_queue_first(queue, &first), naive->count > 0);
    if (naive->count > 0)
        assert_true(first.id.value == timers[0].id.value);
}

static void schedule(timer_queue_t *queue, naive_t *naive, int index, int64_t deadline_ns)
{
    const bool room = naive->used[index] || naive->count < CAPACITY;
    assert_int_equal(timer_queue_schedule(queue, id_of(index), deadline_ns), room);
    if (!room)
        return;
    naive->count += !naive->used[index];
    naive->used[index] = true;
    naive->deadline_ns[index] = deadline_ns;
}

static void like_a_naive_one(void **state)
{
    (void)state;
    timer_queue_t queue;
    naive_t naive = {.count = 0};
    uint64_t seed = 11;
    assert_int_equal(timer_queue_init(&queue, CAPACITY), OC_ERR_OK);
    for (int step = 0; step < 30000; step++) {
        const int index = (int)fixture_below(&seed, IDS);
        if (fixture_below(&seed, 5) < 3) {
            schedule(&queue, &naive, index, (int64_t)fixture_below(&seed, 30) - 10);
        } else {
            assert_int_equal(timer_queue_cancel(&queue, id_of(index)), naive.used[index]);
            naive.count -= naive.used[index];
            naive.used[index] = false;
        }
        assert_same(&queue, &naive);
    }
    timer_queue_fini(&queue);
}

static void limits(void **state)
{
    (void)state;
    timer_queue_t queue;
    timer_entry_t first;
    assert_int_equal(timer_queue_init(&queue, 1), OC_ERR_OK);
    assert_false(timer_queue_first(&queue, &first));
    assert_true(timer_queue_schedule(&queue, (oc_timer_id_t){INT64_MIN}, INT64_MAX));
    assert_false(timer_queue_schedule(&queue, (oc_timer_id_t){1}, 0));
    assert_true(timer_queue_schedule(&queue, (oc_timer_id_t){INT64_MIN}, INT64_MIN));
    assert_true(timer_queue_first(&queue, &first));
    assert_true(first.deadline_ns == INT64_MIN);
    assert_true(timer_queue_cancel(&queue, (oc_timer_id_t){INT64_MIN}));
    assert_true(timer_queue_schedule(&queue, (oc_timer_id_t){1}, 0));
    timer_queue_fini(&queue);
    timer_queue_fini(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_a_naive_one),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests_name("timer_queue", tests, NULL, NULL);
}
