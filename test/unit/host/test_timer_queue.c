/*
 * The timer queue against a naive list: order, replacement, cancelling, limits, every store
 * announced; and what it says of an arena that holds no queue.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/timer_queue.h"
#include "lib/reference_fixture.h"

#include <string.h>

enum { CAPACITY = 40, IDS = 60 };

/* The arena has a shadow: oc_arena_check() ends the process at a store that was not announced. */
static void begin(timer_queue_t *queue, oc_arena_t *arena, uint32_t capacity)
{
    assert_true(oc_arena_init(arena, "test", 1, timer_queue_arena_bytes(capacity), true));
    timer_queue_init(queue, arena, capacity);
    assert_int_equal(arena->used, arena->size);
    oc_arena_seal(arena);
    oc_arena_check(arena);
}

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
    assert_int_equal(queue->state->count, naive->count);
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
    oc_arena_t arena;
    naive_t naive = {.count = 0};
    uint64_t seed = 11;
    begin(&queue, &arena, CAPACITY);
    for (int step = 0; step < 30000; step++) {
        oc_arena_advance_epoch(&arena);
        const int index = (int)fixture_below(&seed, IDS);
        if (fixture_below(&seed, 5) < 3) {
            schedule(&queue, &naive, index, (int64_t)fixture_below(&seed, 30) - 10);
        } else {
            assert_int_equal(timer_queue_cancel(&queue, id_of(index)), naive.used[index]);
            naive.count -= naive.used[index];
            naive.used[index] = false;
        }
        oc_arena_check(&arena);
        assert_int_equal(timer_queue_restored(&queue), OC_ERR_OK);
        assert_same(&queue, &naive);
    }
    oc_arena_fini(&arena);
}

/* Nodes on two pages, and many pages: each store still announced. */
static void many_pages(void **state)
{
    (void)state;
    enum { TIMERS = 1000 };
    timer_queue_t queue;
    oc_arena_t arena;
    uint64_t seed = 5;
    begin(&queue, &arena, TIMERS);
    for (int step = 0; step < 10000; step++) {
        const oc_timer_id_t id = {(int64_t)fixture_below(&seed, TIMERS)};
        oc_arena_advance_epoch(&arena);
        if (fixture_below(&seed, 3) > 0)
            assert_true(timer_queue_schedule(&queue, id, (int64_t)fixture_below(&seed, 500)));
        else
            (void)timer_queue_cancel(&queue, id);
        oc_arena_check(&arena);
    }
    assert_int_equal(timer_queue_restored(&queue), OC_ERR_OK);
    oc_arena_fini(&arena);
}

/* Each fault in a good arena is found; and it means the same to another queue. */
static void restored(void **state)
{
    (void)state;
    timer_queue_t queue;
    timer_queue_t other;
    oc_arena_t arena;
    oc_arena_t copy;
    timer_entry_t first;
    begin(&queue, &arena, 8);
    begin(&other, &copy, 8);
    for (int i = 0; i < 6; i++)
        assert_true(timer_queue_schedule(&queue, id_of(i), 100 - i));
    assert_true(timer_queue_cancel(&queue, id_of(5)));
    memcpy(copy.base, arena.base, arena.size);
    assert_int_equal(timer_queue_restored(&other), OC_ERR_OK);
    assert_true(timer_queue_first(&other, &first));
    assert_true(first.id.value == id_of(4).value);
    uint32_t *const words[] = {&queue.state->made, &queue.state->count,
                               &queue.heap[2],     &queue.heap[5],
                               &queue.buckets[0],  &queue.buckets[queue.heap[0]]};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const uint32_t good = *words[i];
        *words[i] = 1000;
        assert_int_equal(timer_queue_restored(&queue), OC_ERR_DAMAGED);
        *words[i] = good;
    }
    for (uint32_t i = 1; i < 4; i++) {
        const uint32_t good = queue.heap[0];
        queue.heap[0] = queue.heap[i];
        queue.heap[i] = good;
        assert_int_equal(timer_queue_restored(&queue), OC_ERR_DAMAGED);
        queue.heap[i] = queue.heap[0];
        queue.heap[0] = good;
    }
    assert_int_equal(timer_queue_restored(&queue), OC_ERR_OK);
    oc_arena_fini(&arena);
    oc_arena_fini(&copy);
}

static void limits(void **state)
{
    (void)state;
    timer_queue_t queue;
    oc_arena_t arena;
    timer_entry_t first;
    begin(&queue, &arena, 1);
    assert_false(timer_queue_first(&queue, &first));
    assert_true(timer_queue_schedule(&queue, (oc_timer_id_t){INT64_MIN}, INT64_MAX));
    assert_false(timer_queue_schedule(&queue, (oc_timer_id_t){1}, 0));
    assert_true(timer_queue_schedule(&queue, (oc_timer_id_t){INT64_MIN}, INT64_MIN));
    assert_true(timer_queue_first(&queue, &first));
    assert_true(first.deadline_ns == INT64_MIN);
    assert_true(timer_queue_cancel(&queue, (oc_timer_id_t){INT64_MIN}));
    assert_true(timer_queue_schedule(&queue, (oc_timer_id_t){1}, 0));
    oc_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_a_naive_one),
        cmocka_unit_test(many_pages),
        cmocka_unit_test(restored),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests_name("timer_queue", tests, NULL, NULL);
}
