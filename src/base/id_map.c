/*
 * The map's writing half. Called when sources, sessions, instruments and level blocks come and go.
 *
 * Invariant: from an entry's home slot to the slot it is in there is no free slot.
 */
#include "base/id_map.h"

#include <string.h>

static uint32_t slots_for(uint32_t entries)
{
    uint32_t slots = 16;
    while (slots / 2 < entries)
        slots *= 2;
    return slots;
}

size_t id_map_size(uint32_t entries)
{
    return (size_t)slots_for(entries) * sizeof(id_map_slot_t);
}

void id_map_init(id_map_t *map, oc_arena_t *arena, uint32_t entries, const uint64_t hash_key[2])
{
    OC_ASSERT(entries <= UINT32_MAX / 4);
    map->arena = arena;
    map->slots = oc_arena_alloc(arena, id_map_size(entries));
    map->mask = slots_for(entries) - 1;
    map->hash_key[0] = hash_key[0];
    /* The second factor must not become 0 for any tag in use: its high half is never empty. */
    map->hash_key[1] = hash_key[1] | UINT64_C(1) << 63;
}

void id_map_insert(id_map_t *map, uint64_t key, uint32_t tag, uint32_t value)
{
    OC_ASSERT(value != 0);
    uint32_t at = id_map_home(map, key, tag);
    while (map->slots[at].value != 0) {
        OC_ASSERT(map->slots[at].key != key || map->slots[at].tag != tag);
        at = (at + 1) & map->mask;
    }
    oc_arena_touch(map->arena, &map->slots[at]);
    map->slots[at] = (id_map_slot_t){.key = key, .tag = tag, .value = value};
}

void id_map_remove(id_map_t *map, uint64_t key, uint32_t tag)
{
    uint32_t hole = id_map_home(map, key, tag);
    while (map->slots[hole].key != key || map->slots[hole].tag != tag) {
        OC_ASSERT(map->slots[hole].value != 0);
        hole = (hole + 1) & map->mask;
    }
    /* Move back each follower that the hole would cut off from its home. */
    for (uint32_t at = (hole + 1) & map->mask; map->slots[at].value != 0;
         at = (at + 1) & map->mask) {
        const uint32_t home = id_map_home(map, map->slots[at].key, map->slots[at].tag);
        if (((at - home) & map->mask) >= ((at - hole) & map->mask)) {
            oc_arena_touch(map->arena, &map->slots[hole]);
            map->slots[hole] = map->slots[at];
            hole = at;
        }
    }
    oc_arena_touch(map->arena, &map->slots[hole]);
    memset(&map->slots[hole], 0, sizeof map->slots[hole]);
}
