/*
 * The list of a source's live orders: id order, chunks that come and go, and the place of the walk.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/source_list.h"
#include "lib/expect_abort.h"
#include "lib/fast_fixture.h"

#include <string.h>

enum { ORDERS_MAX = 2000, ORDERS = 300, SOURCES = 2 };

typedef struct naive_list {
    uint32_t order[ORDERS_MAX]; /* in order-id order */
    uint32_t count;
} naive_list_t;

typedef struct fixture {
    fast_engine_t *e;
    naive_list_t lists[SOURCES + 1]; /* by source index */
    uint32_t spare[ORDERS_MAX];
    uint32_t spare_count;
    uint64_t last_id;
    uint64_t walked; /* id of the last order the walk looked at */
    uint64_t seed;
} fixture_t;

static void fixture_open(fixture_t *f, uint32_t orders)
{
    oc_engine_config_t config = fast_fixture_config();
    config.max_orders = orders;
    memset(f, 0, sizeof *f);
    oc_engine_t *engine = fixture_create(&config, NULL);
    for (uint32_t source = 1; source <= SOURCES; source++)
        fixture_apply(engine, fixture_add_source(source));
    f->e = fast_fixture_inside(engine);
    f->seed = 21;
    for (uint32_t i = 0; i < orders; i++)
        f->spare[f->spare_count++] = orders - i;
}

static void join(fixture_t *f, uint32_t source)
{
    naive_list_t *list = &f->lists[source];
    const uint32_t order = f->spare[--f->spare_count];
    fast_fixture_begin(f->e);
    touch(f->e, &f->e->orders[order]);
    touch(f->e, &f->e->sources[source]);
    f->e->orders[order].order_id = ++f->last_id;
    source_list_join(f->e, &f->e->sources[source], order);
    fast_fixture_end(f->e);
    list->order[list->count++] = order;
}

static void leave(fixture_t *f, uint32_t source, uint32_t at)
{
    naive_list_t *list = &f->lists[source];
    const uint32_t order = list->order[at];
    fast_fixture_begin(f->e);
    touch(f->e, &f->e->sources[source]);
    source_list_leave(f->e, &f->e->sources[source], f->e->orders[order].list_position);
    fast_fixture_end(f->e);
    list->count--;
    memmove(&list->order[at], &list->order[at + 1], (list->count - at) * sizeof list->order[0]);
    f->spare[f->spare_count++] = order;
}

static void check_list(const fixture_t *f, uint32_t source)
{
    const fast_engine_t *e = f->e;
    const naive_list_t *list = &f->lists[source];
    uint32_t seen = 0;
    uint32_t previous = 0;
    for (uint32_t c = e->sources[source].list_head; c; previous = c, c = e->chunks[c].next) {
        const list_chunk_t *chunk = &e->chunks[c];
        assert_int_equal(chunk->prev, previous);
        assert_int_not_equal(chunk->live, 0);
        assert_true(chunk->next == 0 || chunk->used == LIST_CHUNK_SLOTS);
        for (uint32_t slot = 0; slot < LIST_CHUNK_SLOTS; slot++) {
            if (!(chunk->live >> slot & 1)) {
                assert_int_equal(chunk->order[slot], 0);
                continue;
            }
            assert_true(slot < chunk->used);
            assert_int_equal(chunk->order[slot], list->order[seen++]);
        }
    }
    assert_int_equal(e->sources[source].list_tail, previous);
    assert_int_equal(e->sources[source].live_orders, list->count);
    assert_int_equal(seen, list->count);
}

/* One look of the walk over the list of source 1. */
static void look(fixture_t *f)
{
    const naive_list_t *list = &f->lists[1];
    uint32_t want = 0;
    for (uint32_t i = 0; i < list->count && !want; i++) {
        if (f->e->orders[list->order[i]].order_id > f->walked)
            want = list->order[i];
    }
    fast_fixture_begin(f->e);
    const uint32_t order = source_list_next(f->e, &f->e->sources[1]);
    if (order)
        f->e->header->list_slot++; /* as pending work does: it has been looked at */
    fast_fixture_end(f->e);
    assert_int_equal(order, want);
    if (order)
        f->walked = f->e->orders[order].order_id;
}

static void start_anew(fixture_t *f)
{
    fast_fixture_begin(f->e);
    f->e->header->list_chunk = f->e->header->list_slot = 0;
    fast_fixture_end(f->e);
    f->walked = 0;
}

static void test_random_changes_match_a_list(void **state)
{
    (void)state;
    static fixture_t f;
    fixture_open(&f, ORDERS);
    for (int i = 0; i < 30000; i++) {
        const uint32_t source = 1 + (uint32_t)fixture_below(&f.seed, SOURCES);
        const bool filling = i / 700 % 2 == 0;
        const uint64_t draw = fixture_below(&f.seed, 10);
        if (draw == 0)
            look(&f);
        else if (fixture_below(&f.seed, 500) == 0)
            start_anew(&f);
        else if (draw < (filling ? 7 : 3) && f.spare_count)
            join(&f, source);
        else if (f.lists[source].count)
            leave(&f, source, (uint32_t)fixture_below(&f.seed, f.lists[source].count));
        if (i % 20 == 0) {
            check_list(&f, 1);
            check_list(&f, 2);
        }
        const uint32_t live = f.lists[1].count + f.lists[2].count;
        assert_true(f.e->header->chunks.used <= live);
    }
    for (uint32_t source = 1; source <= SOURCES; source++) {
        while (f.lists[source].count)
            leave(&f, source, 0);
        check_list(&f, source);
    }
    assert_int_equal(f.e->header->chunks.used, 0);
    assert_int_equal(f.e->header->list_chunk, 0);
    oc_engine_destroy(&f.e->base);
}

/* The walk stands in each chunk in turn when that chunk leaves. */
static void test_a_chunk_that_leaves_hands_on_the_walk(void **state)
{
    (void)state;
    static fixture_t f;
    for (uint32_t looked = 0; looked <= 3 * LIST_CHUNK_SLOTS; looked++) {
        for (uint32_t chunk = 0; chunk < 3; chunk++) {
            fixture_open(&f, ORDERS);
            for (uint32_t i = 0; i < 3 * LIST_CHUNK_SLOTS; i++)
                join(&f, 1);
            for (uint32_t i = 0; i < looked; i++)
                look(&f);
            for (uint32_t i = 0; i < LIST_CHUNK_SLOTS; i++)
                leave(&f, 1, chunk * LIST_CHUNK_SLOTS);
            assert_int_equal(f.e->header->chunks.used, 2);
            look(&f);
            join(&f, 1); /* a chunk comes back in the record of the one that left */
            for (int i = 0; i < 3 * LIST_CHUNK_SLOTS; i++)
                look(&f);
            check_list(&f, 1);
            oc_engine_destroy(&f.e->base);
        }
    }
}

/* All but the last order of each chunk leave: as many chunks as orders, and they do. */
static void test_one_live_order_in_each_chunk(void **state)
{
    (void)state;
    static fixture_t f;
    fixture_open(&f, ORDERS);
    uint32_t kept = 0;
    while (f.spare_count >= LIST_CHUNK_SLOTS) {
        for (uint32_t i = 0; i < LIST_CHUNK_SLOTS; i++)
            join(&f, 1);
        for (uint32_t i = 0; i + 1 < LIST_CHUNK_SLOTS; i++)
            leave(&f, 1, kept);
        kept++;
        assert_int_equal(f.e->header->chunks.used, kept);
    }
    while (f.spare_count)
        join(&f, 2);
    check_list(&f, 1);
    check_list(&f, 2);
    for (uint32_t i = 0; i < kept; i++)
        look(&f);
    oc_engine_destroy(&f.e->base);
}

/* A long list of chunks in many pages, which leave in any order: neighbours lie far apart. */
static void test_chunks_leave_from_all_over_the_table(void **state)
{
    (void)state;
    static fixture_t f;
    fixture_open(&f, ORDERS_MAX);
    const uint32_t chunks = ORDERS_MAX / LIST_CHUNK_SLOTS;
    assert_true(chunks > 2 * OC_ARENA_PAGE_SIZE / sizeof(list_chunk_t));
    for (uint32_t i = 0; i < chunks; i++) {
        for (uint32_t slot = 0; slot < LIST_CHUNK_SLOTS; slot++)
            join(&f, 1);
        for (uint32_t slot = 0; slot + 1 < LIST_CHUNK_SLOTS; slot++)
            leave(&f, 1, i);
    }
    assert_int_equal(f.e->header->chunks.used, chunks);
    while (f.lists[1].count) {
        leave(&f, 1, (uint32_t)fixture_below(&f.seed, f.lists[1].count));
        if (f.lists[1].count % 10 == 0)
            check_list(&f, 1);
    }
    assert_int_equal(f.e->header->chunks.used, 0);
    oc_engine_destroy(&f.e->base);
}

static void shrink_live(void *context)
{
    fixture_t *f = context;
    source_list_shrink(f->e, &f->e->sources[1], f->e->sources[1].list_head);
}

static void test_a_chunk_with_live_orders_cannot_leave(void **state)
{
    (void)state;
    static fixture_t f;
    fixture_open(&f, ORDERS);
    join(&f, 1);
    assert_true(child_aborts(shrink_live, &f));
    oc_engine_destroy(&f.e->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_changes_match_a_list),
        cmocka_unit_test(test_a_chunk_that_leaves_hands_on_the_walk),
        cmocka_unit_test(test_one_live_order_in_each_chunk),
        cmocka_unit_test(test_chunks_leave_from_all_over_the_table),
        cmocka_unit_test(test_a_chunk_with_live_orders_cannot_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
