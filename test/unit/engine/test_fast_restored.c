/*
 * An arena filled from elsewhere: the header is looked at, the key is adopted, the sum is worked
 * out; whatever bytes lie in the tables, nothing outside of them is read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/fast_internal.h"
#include "lib/twin.h"

#include <string.h>

static oc_engine_t *create(uint64_t key)
{
    oc_engine_t *engine = NULL;
    oc_engine_config_t config = fast_fixture_config();
    config.hash_key[0] += key;
    config.hash_key[1] += key;
    assert_int_equal(oc_engine_create(&engine, &config, NULL, NULL), OC_ERR_OK);
    return engine;
}

/* An engine with a little of everything, and one with another key that has its bytes. */
static void make_pair(oc_engine_t *engines[2])
{
    uint64_t seed = 3;
    for (uint64_t i = 0; i < 2; i++)
        engines[i] = create(i * 1000);
    fixture_prepare(engines[0]);
    for (int i = 0; i < 500; i++)
        fixture_apply(engines[0], fixture_random_command(&seed));
    fixture_apply(engines[1], fixture_add_source(77)); /* goes */
    fast_engine_t *from = fast_fixture_inside(engines[0]);
    fast_engine_t *to = fast_fixture_inside(engines[1]);
    assert_int_equal(from->arena.size, to->arena.size);
    assert_true(from->arena.layout == to->arena.layout);
    memcpy(to->arena.base, from->arena.base, from->arena.size);
    for (size_t page = 0; page < from->arena.size >> OC_ARENA_PAGE_SHIFT; page++)
        to->arena.stamps[page] = from->arena.stamps[page] != 0;
    oc_arena_restored(&to->arena);
}

static void destroy_pair(oc_engine_t *engines[2])
{
    oc_engine_destroy(engines[0]);
    oc_engine_destroy(engines[1]);
}

static void test_the_copy_goes_on(void **state)
{
    (void)state;
    oc_engine_t *engines[2];
    uint64_t seed = 4;
    make_pair(engines);
    assert_int_equal(engine_restored(engines[1]), OC_ERR_OK);
    assert_memory_equal(fast_fixture_inside(engines[1])->hash_key,
                        fast_fixture_inside(engines[0])->hash_key, 16);
    for (unsigned parts = 1; parts < 7; parts++) {
        uint64_t sum = 0;
        for (unsigned part = 0; part < parts; part++)
            sum += engine_hash_part(engines[1], part, parts);
        assert_int_equal(engine_hash_check(engines[1], sum), OC_ERR_OK);
        assert_int_equal(engine_hash_check(engines[1], sum + 1), OC_ERR_DAMAGED);
    }
    fixture_assert_audit(engines[1]);
    for (int i = 0; i < 500; i++) {
        const oc_command_t command = fixture_random_command(&seed);
        fixture_apply(engines[0], command);
        fixture_apply(engines[1], command);
        assert_true(oc_engine_state_hash(engines[0]) == oc_engine_state_hash(engines[1]));
    }
    fixture_assert_audit(engines[1]);
    destroy_pair(engines);
}

static void test_an_impossible_header_is_refused(void **state)
{
    (void)state;
    oc_engine_t *engines[2];
    make_pair(engines);
    fast_engine_t *e = fast_fixture_inside(engines[1]);
    engine_header_t *h = e->header;
    uint32_t *const words[] = {
        &h->orders.top,      &h->orders.used,   &h->orders.capacity, &h->orders.free_head,
        &h->levels.top,      &h->blocks.top,    &h->nodes.top,       &h->chunks.top,
        &h->sources.top,     &h->pending_count, &h->pending_head,    &h->mass_head,
        &h->instruments.top, &h->mass_count,    &h->session_count,   &h->walk_level,
        &h->walk_order,      &h->list_chunk,    &h->list_slot,       &h->step_bound,
        &h->modify_priority, &h->restrictions,
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const uint32_t good = *words[i];
        *words[i] = UINT32_MAX;
        assert_int_equal(engine_restored(engines[1]), OC_ERR_DAMAGED);
        assert_non_null(strstr(oc_err_context(), "header"));
        *words[i] = good;
    }
    h->hash_key[1] ^= UINT64_C(1) << 63;
    assert_int_equal(engine_restored(engines[1]), OC_ERR_DAMAGED);
    h->hash_key[1] ^= UINT64_C(1) << 63;
    assert_int_equal(engine_restored(engines[1]), OC_ERR_OK);
    destroy_pair(engines);
}

static void assert_damaged(oc_engine_t *engine, const char *what)
{
    assert_int_equal(engine_restored(engine), OC_ERR_DAMAGED);
    if (!strstr(oc_err_context(), what))
        fail_msg("\"%s\" does not name %s", oc_err_context(), what);
}

static void test_wild_maps_are_refused(void **state)
{
    (void)state;
    oc_engine_t *engines[2];
    make_pair(engines);
    fast_engine_t *e = fast_fixture_inside(engines[1]);
    uint32_t used = 0;
    for (uint32_t i = 0; i <= e->ids.mask; i++) {
        id_map_slot_t *slot = &e->ids.slots[i];
        const id_map_slot_t good = *slot;
        used += good.value != 0;
        slot->value = 0x7fffffff;
        assert_damaged(engines[1], "map of ids");
        *slot = (id_map_slot_t){.key = 12345678, .tag = ID_SOURCE, .value = 1};
        assert_damaged(engines[1], "map of ids");
        *slot = good;
    }
    assert_true(used > 0);
    id_map_slot_t *block = e->block_map.slots;
    while (block->value == 0)
        block++;
    const id_map_slot_t before = *block;
    block->value = UINT32_MAX;
    assert_damaged(engines[1], "map of level blocks");
    block->value = 0; /* one less */
    assert_damaged(engines[1], "map of level blocks");
    *block = before;
    assert_int_equal(engine_restored(engines[1]), OC_ERR_OK);
    destroy_pair(engines);
}

static void test_wild_indices_are_refused(void **state)
{
    (void)state;
    oc_engine_t *engines[2];
    make_pair(engines);
    fast_engine_t *e = fast_fixture_inside(engines[1]);
    uint32_t *const words[] = {
        &e->sources[1].list_head,       &e->sources[1].list_tail,        &e->sources[1].free_link,
        &e->sources[1].disconnect_slot, &e->instruments[1].best[1],      &e->instruments[1].root[0],
        &e->instruments[1].expiry_slot, &e->instruments[1].kept_next[1], &e->instruments[1].state,
        &e->instruments_by_id[0],
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const uint32_t good = *words[i];
        *words[i] = 0x7fffffff;
        assert_damaged(engines[1], "source or instrument");
        *words[i] = good;
    }
    assert_int_equal(engine_restored(engines[1]), OC_ERR_OK);
    destroy_pair(engines);
}

static void test_wild_pending_work_is_refused(void **state)
{
    (void)state;
    oc_engine_t *engines[2];
    make_pair(engines);
    fast_engine_t *e = fast_fixture_inside(engines[1]);
    const pending_item_t good = {.source = 1, .command = OC_COMMAND_SESSION_DOWN, .side = 2};
    e->header->mass_count = 0;
    e->header->pending_head = e->pending_capacity - 1;
    e->header->pending_count = 2; /* around the end of the ring */
    pending_item_t *item = &e->pending[0];
    e->pending[e->pending_capacity - 1] = good;
    *item = good;
    assert_int_equal(engine_restored(engines[1]), OC_ERR_OK);
    const pending_item_t wild[] = {
        {.source = 0x7fffffff, .command = OC_COMMAND_SESSION_DOWN, .side = 2},
        {.source = 1, .instrument = UINT32_MAX, .command = OC_COMMAND_SESSION_DOWN, .side = 2},
        {.source = 1, .command = 99, .side = 2},
        {.source = 1, .command = OC_COMMAND_SESSION_DOWN, .side = 3},
        {.source = 1, .command = OC_COMMAND_SESSION_DOWN, .side = 2, .sides = 7},
        {.source = 1, .command = OC_COMMAND_SESSION_DOWN, .side = 2, .scope = 1},
        {.source = 1, .command = OC_COMMAND_INSTRUMENT_STATE, .side = 2},
        {.instrument = 1, .command = OC_COMMAND_SESSION_DOWN, .side = 2},
        {.command = OC_COMMAND_INSTRUMENT_STATE, .side = 2},
        {.source = 1, .command = OC_COMMAND_MASS_CANCEL, .scope = 200, .side = 2},
        {.source = 1, .command = OC_COMMAND_MASS_CANCEL, .scope = OC_SCOPE_INSTRUMENT, .side = 2},
        {.instrument = 1, .command = OC_COMMAND_MASS_CANCEL, .scope = OC_SCOPE_SOURCE, .side = 2},
        /* A good one, which the ring of mass cancels does not know. */
        {.source = 1, .command = OC_COMMAND_MASS_CANCEL, .scope = OC_SCOPE_SOURCE, .side = 2},
    };
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        *item = wild[i];
        assert_damaged(engines[1], "queue of pending work");
    }
    e->header->mass_count = 1;
    e->header->mass_head = 0;
    e->mass_slots[0] = UINT32_MAX;
    assert_damaged(engines[1], "queue of pending work");
    e->mass_slots[0] = 0;
    assert_int_equal(engine_restored(engines[1]), OC_ERR_OK);
    destroy_pair(engines);
}

/* Any bytes in the tables give some sum, and it is not the right one. */
static void test_wild_records_are_not_followed(void **state)
{
    (void)state;
    oc_engine_t *engines[2];
    make_pair(engines);
    fast_engine_t *e = fast_fixture_inside(engines[1]);
    assert_int_equal(engine_restored(engines[1]), OC_ERR_OK);
    for (uint32_t i = 1; i <= e->header->orders.top; i++) {
        order_record_t *o = &e->orders[i];
        const order_record_t good = *o;
        if (o->terms == 0)
            continue;
        o->level = o->source = UINT32_MAX;
        assert_int_equal(engine_hash_check(engines[1], engine_hash_part(engines[1], 0, 1)),
                         OC_ERR_DAMAGED);
        *o = good;
        e->levels[o->level].book ^= UINT32_C(0x80000000);
        assert_int_equal(engine_hash_check(engines[1], engine_hash_part(engines[1], 0, 1)),
                         OC_ERR_DAMAGED);
        e->levels[o->level].book ^= UINT32_C(0x80000000);
    }
    e->sources[1].roles ^= 1;
    assert_int_equal(engine_hash_check(engines[1], engine_hash_part(engines[1], 0, 1)),
                     OC_ERR_DAMAGED);
    e->sources[1].roles ^= 1;
    e->instruments[2].price_high_ticks++;
    assert_int_equal(engine_hash_check(engines[1], engine_hash_part(engines[1], 0, 1)),
                     OC_ERR_DAMAGED);
    destroy_pair(engines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_copy_goes_on),
        cmocka_unit_test(test_an_impossible_header_is_refused),
        cmocka_unit_test(test_wild_maps_are_refused),
        cmocka_unit_test(test_wild_indices_are_refused),
        cmocka_unit_test(test_wild_pending_work_is_refused),
        cmocka_unit_test(test_wild_records_are_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
