/*
 * The queues of waiting messages against a naive twin, full pools, and messages across chunks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "gateway/backlog.h"
#include "lib/expect_abort.h"

#include <stdlib.h>
#include <string.h>

enum { QUEUES = 3, CHUNKS = 16, LONGEST = 10000, KEPT = 4096 };

typedef struct naive_message {
    size_t length;
    uint64_t position;
    uint8_t seed;
} naive_message_t;

typedef struct naive {
    naive_message_t messages[KEPT];
    uint32_t first;
    uint32_t end;
} naive_t;

static void fill(uint8_t *bytes, size_t length, uint8_t seed)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)(seed + i * 31);
}

static bool push(backlog_pool_t *pool, backlog_t *queue, uint64_t position, size_t length,
                 uint8_t seed)
{
    static uint8_t bytes[LONGEST];
    fill(bytes, length, seed);
    const size_t head = length < 32 ? length : 32;
    return backlog_push(pool, queue, position,
                        &(backlog_message_t){.head = bytes,
                                             .head_length = head,
                                             .body = bytes + head,
                                             .body_length = length - head});
}

static void assert_front(backlog_pool_t *pool, const backlog_t *queue, const naive_message_t *want)
{
    static uint8_t bytes[LONGEST];
    size_t length = 0;
    const void *front = backlog_front(pool, queue, &length);
    assert_int_equal(length, want->length);
    assert_int_equal(queue->position, want->position);
    fill(bytes, length, want->seed);
    assert_memory_equal(front, bytes, length);
}

static void agrees_with_a_naive_twin(void **state)
{
    (void)state;
    backlog_pool_t pool;
    backlog_t queues[QUEUES] = {0};
    static naive_t twins[QUEUES];
    uint64_t random = 20240611;
    assert_true(backlog_pool_init(&pool, CHUNKS * BACKLOG_CHUNK_BYTES, LONGEST));
    uint32_t refused = 0;
    for (uint64_t round = 0; round < 3000; round++) {
        const uint32_t at = prng_below(&random, QUEUES);
        naive_t *twin = &twins[at];
        const uint64_t what = prng_below(&random, 100);
        if (what < 52) {
            const size_t length = prng_below(&random, 4) == 0 ? prng_below(&random, LONGEST + 1)
                                                              : prng_below(&random, 300);
            const uint8_t seed = (uint8_t)round;
            if (push(&pool, &queues[at], round, length, seed))
                twin->messages[twin->end++ % KEPT] =
                    (naive_message_t){.length = length, .position = round, .seed = seed};
            else
                refused++;
        } else if (what < 99 && twin->first != twin->end) {
            assert_front(&pool, &queues[at], &twin->messages[twin->first++ % KEPT]);
            backlog_pop(&pool, &queues[at]);
        } else if (what == 99) {
            backlog_clear(&pool, &queues[at]);
            twin->first = twin->end;
        }
        assert_int_equal(backlog_empty(&queues[at]), twin->first == twin->end);
        if (twin->first != twin->end)
            assert_front(&pool, &queues[at], &twin->messages[twin->first % KEPT]);
    }
    assert_true(refused > 0);
    for (uint32_t at = 0; at < QUEUES; at++)
        backlog_clear(&pool, &queues[at]);
    assert_int_equal(pool.bytes, 0);
    backlog_pool_fini(&pool);
}

/* All chunks come back, however they were taken. */
static void gives_every_chunk_back(void **state)
{
    (void)state;
    backlog_pool_t pool;
    backlog_t queue = {0};
    assert_true(backlog_pool_init(&pool, CHUNKS * BACKLOG_CHUNK_BYTES, LONGEST));
    const size_t whole = BACKLOG_CHUNK_BYTES - BACKLOG_RECORD_BYTES;
    for (int round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < CHUNKS; i++)
            assert_true(push(&pool, &queue, i, whole, (uint8_t)i));
        assert_false(push(&pool, &queue, 99, 0, 0));
        assert_int_equal(pool.bytes, CHUNKS * BACKLOG_CHUNK_BYTES);
        for (uint64_t i = 0; i < CHUNKS; i++) {
            assert_int_equal(queue.position, i);
            backlog_pop(&pool, &queue);
        }
        assert_true(backlog_empty(&queue));
        assert_int_equal(pool.bytes, 0);
    }
    backlog_pool_fini(&pool);
}

/* A message that does not fit leaves nothing behind. */
static void refuses_whole(void **state)
{
    (void)state;
    backlog_pool_t pool;
    backlog_t queue = {0};
    assert_true(backlog_pool_init(&pool, 2 * BACKLOG_CHUNK_BYTES, LONGEST));
    assert_true(push(&pool, &queue, 1, 100, 1));
    const backlog_t before = queue;
    assert_false(push(&pool, &queue, 2, LONGEST, 2));
    assert_memory_equal(&queue, &before, sizeof queue);
    assert_true(push(&pool, &queue, 3, 5000, 3));
    backlog_pop(&pool, &queue);
    assert_front(&pool, &queue, &(naive_message_t){.length = 5000, .position = 3, .seed = 3});
    backlog_clear(&pool, &queue);
    backlog_pool_fini(&pool);
}

static void push_too_long(void *context)
{
    static uint8_t bytes[LONGEST + 1];
    backlog_t queue = {0};
    backlog_push(context, &queue, 1,
                 &(backlog_message_t){.head = bytes, .head_length = sizeof bytes});
}

static void a_message_too_long_is_a_bug(void **state)
{
    (void)state;
    backlog_pool_t pool;
    assert_true(backlog_pool_init(&pool, CHUNKS * BACKLOG_CHUNK_BYTES, LONGEST));
    assert_true(child_aborts(push_too_long, &pool));
    backlog_pool_fini(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_naive_twin),
        cmocka_unit_test(gives_every_chunk_back),
        cmocka_unit_test(refuses_whole),
        cmocka_unit_test(a_message_too_long_is_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
