/*
 * An order's life in the tables: records taken and given back, the index by client order id, and
 * the events at its end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/live_orders.h"
#include "lib/expect_abort.h"
#include "lib/twin.h"

#include <string.h>

enum { NAIVE_MAX = 1000 };

typedef struct naive_index {
    uint64_t client_id[NAIVE_MAX + 1]; /* by order record */
    uint32_t source[NAIVE_MAX + 1];
    bool used[NAIVE_MAX + 1];
    uint32_t count;
} naive_index_t;

static uint32_t hash_of(const fast_engine_t *e, uint32_t order)
{
    return order_index_hash(e, e->orders[order].source, e->orders[order].client_order_id);
}

static void index_add(fast_engine_t *e, uint32_t order, uint32_t source, uint64_t client_id)
{
    fast_fixture_begin(e);
    touch(e, &e->orders[order]);
    e->orders[order].source = source;
    e->orders[order].client_order_id = client_id;
    order_index_insert(e, hash_of(e, order), order);
    fast_fixture_end(e);
}

static void index_remove(fast_engine_t *e, uint32_t order)
{
    fast_fixture_begin(e);
    order_index_remove(e, hash_of(e, order), order);
    fast_fixture_end(e);
}

static uint32_t index_find(const fast_engine_t *e, uint32_t source, uint64_t client_id)
{
    return order_index_find(e, order_index_hash(e, source, client_id), source, client_id);
}

static fast_engine_t *make_engine(uint32_t max_orders)
{
    oc_engine_config_t config = fast_fixture_config();
    config.max_orders = max_orders;
    return fast_fixture_inside(fixture_create(&config, NULL));
}

/* One random change; keeps the table between half full and full. */
static void index_step(fast_engine_t *e, naive_index_t *naive, uint64_t *seed)
{
    const uint32_t capacity = e->header->orders.capacity;
    const uint32_t order = 1 + (uint32_t)fixture_below(seed, capacity);
    if (naive->used[order]) {
        if (naive->count * 2 > capacity && fixture_below(seed, 3) == 0) {
            index_remove(e, order);
            naive->used[order] = false;
            naive->count--;
        }
        return;
    }
    const uint32_t source = 1 + (uint32_t)fixture_below(seed, 3);
    const uint64_t client_id = fixture_below(seed, 2) ? fixture_below(seed, 2 * capacity)
                                                      : fixture_below(seed, UINT64_MAX);
    if (index_find(e, source, client_id))
        return;
    index_add(e, order, source, client_id);
    naive->client_id[order] = client_id;
    naive->source[order] = source;
    naive->used[order] = true;
    naive->count++;
}

static void test_the_index_matches_a_list(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 6, 7, 13, 14, 20, 41, 300, NAIVE_MAX};
    static naive_index_t naive;
    uint64_t seed = 3;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        fast_engine_t *e = make_engine(sizes[s]);
        memset(&naive, 0, sizeof naive);
        for (int i = 0; i < 4000; i++) {
            index_step(e, &naive, &seed);
            for (uint32_t order = 1 + (uint32_t)i % 8; order <= sizes[s]; order += 8) {
                const uint32_t found = index_find(e, naive.source[order], naive.client_id[order]);
                if (naive.used[order])
                    assert_int_equal(found, order);
                else
                    assert_int_not_equal(found, order);
            }
        }
        for (uint32_t order = 1; order <= sizes[s]; order++) {
            if (naive.used[order])
                index_remove(e, order);
        }
        for (uint32_t line = 0; line < e->index_lines; line++) {
            static const order_index_line_t empty;
            assert_memory_equal(&e->index[line], &empty, sizeof empty);
        }
        oc_engine_destroy(&e->base);
    }
}

/* A client id of source 1, above `from`, whose home is that line. */
static uint64_t id_at_line(const fast_engine_t *e, uint32_t line, uint64_t from)
{
    for (uint64_t id = from + 1;; id++) {
        if (order_index_home(e, order_index_hash(e, 1, id)) == line)
            return id;
    }
}

/*
 * Each line in turn is filled, overflows by one order and is emptied again: at the end every line
 * counts an overflow, and a search for an id that is not there finds no line to stop at.
 */
static void search_round_the_index(void *context)
{
    fast_engine_t *e = context;
    const uint32_t guests = e->index_lines + 1; /* records of those that stay are 1 to lines */
    uint64_t id = 0;
    for (uint32_t line = 0; line < e->index_lines; line++) {
        uint32_t count = 0;
        for (; e->index[line].used != (1u << INDEX_LINE_SLOTS) - 1; count++) {
            id = id_at_line(e, line, id);
            index_add(e, guests + count, 1, id);
        }
        id = id_at_line(e, line, id);
        index_add(e, line + 1, 1, id);
        while (count)
            index_remove(e, guests + --count);
    }
    for (uint32_t line = 0; line < e->index_lines; line++) {
        OC_ASSERT(e->index[line].overflow != 0);
        OC_ASSERT(index_find(e, 1, e->orders[line + 1].client_order_id) == line + 1);
    }
    for (uint64_t missing = id + 1; missing < id + 100; missing++)
        OC_ASSERT(index_find(e, 1, missing) == 0);
}

static void test_a_search_ends_when_every_line_has_overflowed(void **state)
{
    (void)state;
    for (uint32_t max_orders = 13; max_orders <= 20; max_orders += 7) {
        fast_engine_t *e = make_engine(max_orders);
        assert_int_equal(child_status(search_round_the_index, e), 0);
        oc_engine_destroy(&e->base);
    }
}

static void test_fingerprints_are_compared_in_every_slot(void **state)
{
    (void)state;
    order_index_line_t line;
    uint64_t seed = 9;
    for (int i = 0; i < 20000; i++) {
        memset(&line, 0, sizeof line);
        const uint16_t wanted = (uint16_t)fixture_below(&seed, 65536);
        line.used = (uint16_t)fixture_below(&seed, 1u << INDEX_LINE_SLOTS);
        line.overflow = wanted; /* the vectors reach into it; it must not count */
        uint32_t expected = 0;
        for (uint32_t slot = 0; slot < INDEX_LINE_SLOTS; slot++) {
            const bool same = fixture_below(&seed, 3) == 0;
            line.fingerprint[slot] = same ? wanted : (uint16_t)(wanted ^ (1u << slot));
            expected |= (uint32_t)same << slot;
        }
        assert_int_equal(order_index_match(&line, wanted), expected & line.used);
    }
}

static void take_one(void *context)
{
    (void)live_order_take(context);
}

static void test_records_come_back_last_in_first_out(void **state)
{
    (void)state;
    fast_engine_t *e = make_engine(20);
    oc_engine_t *engine = &e->base;
    fixture_prepare(engine);
    for (uint64_t id = 1; id <= 20; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_BUY, 5, 3));
    assert_int_equal(e->header->orders.used, 20);
    assert_true(child_aborts(take_one, e)); /* callers check for room first */
    fixture_apply(engine, fixture_cancel(1, 7));
    fixture_apply(engine, fixture_cancel(1, 13));
    assert_int_equal(e->header->orders.free_head, 13);
    assert_int_equal(e->orders[13].next, 7);
    assert_int_equal(e->orders[13].terms, 0);
    fixture_apply(engine, fixture_new(1, 100, OC_SIDE_BUY, 5, 3));
    assert_int_equal(e->header->orders.free_head, 7);
    assert_int_equal(e->orders[13].client_order_id, 100);
    assert_int_equal(e->header->orders.top, 20);
    fixture_assert_audit(engine);
    oc_engine_destroy(engine);
}

static void test_the_end_of_an_order_is_told_with_its_level(void **state)
{
    (void)state;
    twin_t twin;
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(&twin, &config);
    fixture_prepare(twin.fast);
    fixture_prepare(twin.reference);
    for (uint64_t id = 1; id <= 3; id++)
        twin_take(&twin, fixture_new(1, id, OC_SIDE_SELL, (int64_t)id, 9));
    twin_take(&twin, fixture_new(2, 1, OC_SIDE_BUY, 2, 9)); /* fills 1, and 1 of 2 */
    oc_command_t cancel = fixture_cancel(1, 2);
    cancel.sequence = 1;
    twin_take(&twin, cancel);
    assert_int_equal(twin_events(), 2);
    const oc_event_t *end = twin_event(0);
    assert_int_equal(end->type, OC_EVENT_CANCELLED);
    assert_int_equal(end->reason, OC_REASON_REQUESTED);
    assert_int_equal(end->command, OC_COMMAND_CANCEL);
    assert_int_equal(end->quantity_lots, 1);
    assert_int_equal(end->open_lots, 0);
    assert_int_equal(end->executed_lots, 1);
    assert_int_equal(end->sequence, 1);
    assert_int_equal(twin_event(1)->type, OC_EVENT_LEVEL);
    assert_int_equal(twin_event(1)->quantity_lots, 3);
    assert_int_equal(twin_event(1)->order_count, 1);
    twin_take(&twin, fixture_cancel(1, 3));
    assert_int_equal(twin_event(1)->quantity_lots, 0);
    assert_int_equal(twin_event(1)->order_count, 0);
    assert_int_equal(twin_counts(&twin).levels, 0);
    twin_destroy(&twin);
}

/* Head, middle and tail of a queue leave in every order. */
static void test_a_queue_stays_linked_whoever_leaves(void **state)
{
    (void)state;
    twin_t twin;
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(&twin, &config);
    fixture_prepare(twin.fast);
    fixture_prepare(twin.reference);
    for (uint64_t order = 0; order < 27; order++) {
        const uint64_t first = 1 + order % 3;
        const uint64_t second = 1 + order / 3 % 3;
        const uint64_t third = 1 + order / 9 % 3;
        for (uint64_t id = 1; id <= 3; id++)
            twin_take(&twin, fixture_new(1, id, OC_SIDE_BUY, 2, 5));
        (void)twin_reason(&twin, fixture_cancel(1, first));
        fixture_assert_audit(twin.fast);
        (void)twin_reason(&twin, fixture_cancel(1, second));
        fixture_assert_audit(twin.fast);
        (void)twin_reason(&twin, fixture_cancel(1, third));
        for (uint64_t id = 1; id <= 3; id++)
            (void)twin_reason(&twin, fixture_cancel(1, id));
        assert_int_equal(twin_counts(&twin).orders, 0);
    }
    twin_destroy(&twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_index_matches_a_list),
        cmocka_unit_test(test_a_search_ends_when_every_line_has_overflowed),
        cmocka_unit_test(test_fingerprints_are_compared_in_every_slot),
        cmocka_unit_test(test_records_come_back_last_in_first_out),
        cmocka_unit_test(test_the_end_of_an_order_is_told_with_its_level),
        cmocka_unit_test(test_a_queue_stays_linked_whoever_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
