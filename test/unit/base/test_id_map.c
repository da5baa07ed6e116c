/*
 * The id map against a naive list of entries, full, with collisions, and under verification.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/id_map.h"
#include "lib/expect_abort.h"
#include "lib/reference_fixture.h"

#include <string.h>

enum { ENTRIES = 200 };

typedef struct naive_map {
    id_map_slot_t entries[ENTRIES];
    uint32_t count;
} naive_map_t;

static const uint64_t hash_key[2] = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)};

static void make_map(oc_arena_t *arena, id_map_t *map, uint32_t entries)
{
    assert_true(oc_arena_init(arena, "test", 1, id_map_size(entries), true));
    id_map_init(map, arena, entries, hash_key);
    oc_arena_seal(arena);
}

/* All writes since the last call have been announced. */
static void assert_announced(oc_arena_t *arena)
{
    size_t offset = 0;
    assert_true(oc_arena_verify(arena, &offset));
    oc_arena_advance_epoch(arena);
}

static void assert_same(const id_map_t *map, const naive_map_t *naive)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < naive->count; i++) {
        const id_map_slot_t *entry = &naive->entries[i];
        assert_int_equal(id_map_find(map, entry->key, entry->tag), entry->value);
    }
    for (uint32_t at = 0; at <= map->mask; at++)
        used += map->slots[at].value != 0;
    assert_int_equal(used, naive->count);
}

static bool holds(const naive_map_t *naive, uint64_t key, uint32_t tag)
{
    for (uint32_t i = 0; i < naive->count; i++) {
        if (naive->entries[i].key == key && naive->entries[i].tag == tag)
            return true;
    }
    return false;
}

static uint64_t some_key(uint64_t *seed)
{
    switch (fixture_below(seed, 4)) {
    case 0:
        return fixture_below(seed, 8) == 0 ? UINT64_MAX : 0;
    case 1:
        return fixture_below(seed, 60);
    case 2:
        return fixture_below(seed, 60) << 58;
    default:
        return fixture_below(seed, UINT64_MAX);
    }
}

static uint32_t some_tag(uint64_t *seed)
{
    const uint64_t draw = fixture_below(seed, 6);
    return draw == 0 ? UINT32_MAX : (uint32_t)draw - 1;
}

static void step(id_map_t *map, naive_map_t *naive, uint64_t *seed, bool grow)
{
    if (grow && naive->count < ENTRIES) {
        const uint64_t key = some_key(seed);
        const uint32_t tag = some_tag(seed);
        if (holds(naive, key, tag))
            return;
        assert_int_equal(id_map_find(map, key, tag), 0);
        const uint32_t value = 1 + (uint32_t)fixture_below(seed, UINT32_MAX - 1);
        id_map_insert(map, key, tag, value);
        naive->entries[naive->count++] = (id_map_slot_t){key, tag, value};
    } else if (naive->count) {
        const uint32_t at = (uint32_t)fixture_below(seed, naive->count);
        id_map_remove(map, naive->entries[at].key, naive->entries[at].tag);
        assert_int_equal(id_map_find(map, naive->entries[at].key, naive->entries[at].tag), 0);
        naive->entries[at] = naive->entries[--naive->count];
    }
}

static void test_random_changes_match_a_list(void **state)
{
    (void)state;
    static naive_map_t naive;
    oc_arena_t arena;
    id_map_t map;
    uint64_t seed = 7;
    make_map(&arena, &map, ENTRIES);
    bool filling = true;
    for (int i = 0; i < 30000; i++) {
        if (naive.count == ENTRIES)
            filling = false;
        if (naive.count == 0)
            filling = true;
        const bool grow = fixture_below(&seed, 4) == 0 ? !filling : filling;
        step(&map, &naive, &seed, grow);
        assert_announced(&arena);
        if (i % 16 == 0)
            assert_same(&map, &naive);
    }
    while (naive.count)
        step(&map, &naive, &seed, false);
    for (size_t i = 0; i < arena.size; i++)
        assert_int_equal(arena.base[i], 0); /* a free slot is zeroed */
    oc_arena_fini(&arena);
}

/* Keys with the same home slot, found by trying. */
static void colliding_keys(const id_map_t *map, uint32_t home, uint64_t *keys, uint32_t count)
{
    uint64_t key = 0;
    for (uint32_t i = 0; i < count; key++) {
        if (id_map_home(map, key, 1) == home)
            keys[i++] = key;
    }
}

static void test_colliding_keys_close_up_in_any_order(void **state)
{
    (void)state;
    enum { SAME = 7 };
    oc_arena_t arena;
    id_map_t map;
    make_map(&arena, &map, 16);
    uint64_t keys[2 * SAME];
    /* The last slot, so that probing wraps round, and one whose run the first one runs into. */
    colliding_keys(&map, map.mask, keys, SAME);
    colliding_keys(&map, 2, keys + SAME, SAME);
    for (uint32_t first = 0; first < 2 * SAME; first++) {
        for (uint32_t i = 0; i < 2 * SAME; i++)
            id_map_insert(&map, keys[i], 1, i + 1);
        for (uint32_t gone = 0; gone < 2 * SAME; gone++) {
            id_map_remove(&map, keys[(first + gone * 3) % (2 * SAME)], 1);
            for (uint32_t i = 0; i < 2 * SAME; i++) {
                bool removed = false;
                for (uint32_t k = 0; k <= gone; k++)
                    removed |= (first + k * 3) % (2 * SAME) == i;
                assert_int_equal(id_map_find(&map, keys[i], 1), removed ? 0 : i + 1);
            }
        }
        assert_announced(&arena);
    }
    oc_arena_fini(&arena);
}

static void insert_twice(void *context)
{
    id_map_insert(context, 5, 2, 1);
    id_map_insert(context, 5, 2, 1);
}

static void insert_nothing(void *context)
{
    id_map_insert(context, 6, 2, 0);
}

static void remove_missing(void *context)
{
    id_map_remove(context, 7, 2);
}

static void test_misuse_stops_the_process(void **state)
{
    (void)state;
    oc_arena_t arena;
    id_map_t map;
    make_map(&arena, &map, 4);
    assert_true(child_aborts(insert_twice, &map));
    assert_true(child_aborts(insert_nothing, &map));
    assert_true(child_aborts(remove_missing, &map));
    oc_arena_fini(&arena);
}

static void test_slots_are_at_most_half_used(void **state)
{
    (void)state;
    for (uint32_t entries = 1; entries < 5000; entries += 7) {
        const size_t slots = id_map_size(entries) / sizeof(id_map_slot_t);
        assert_true(slots >= 2 * (size_t)entries);
        assert_true(slots <= 16 || slots < 4 * (size_t)entries);
        assert_int_equal(slots & (slots - 1), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_changes_match_a_list),
        cmocka_unit_test(test_colliding_keys_close_up_in_any_order),
        cmocka_unit_test(test_misuse_stops_the_process),
        cmocka_unit_test(test_slots_are_at_most_half_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
