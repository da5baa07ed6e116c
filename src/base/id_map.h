/*
 * A map from (64-bit key, 32-bit tag) to a record index, inside the arena.
 *
 * Linear probing over 16-byte slots, at most half full, backward-shift deletion: no tombstones, so
 * that look-ups stay short for ever. The hash is keyed: clients choose ids and prices, and must not
 * be able to choose collisions. Value 0 means "none".
 */
#ifndef BASE_ID_MAP_H
#define BASE_ID_MAP_H

#include "base/assert.h"
#include "outcry/arena.h"

typedef struct id_map_slot {
    uint64_t key;
    uint32_t tag;
    uint32_t value; /* 0: the slot is free */
} id_map_slot_t;

_Static_assert(sizeof(id_map_slot_t) == 16, "four slots a cache line");

typedef struct id_map {
    oc_arena_t *arena;
    id_map_slot_t *slots;
    uint32_t mask; /* slots - 1 */
    uint64_t hash_key[2];
} id_map_t;

/* Bytes of the slots for at most `entries` entries. */
size_t id_map_size(uint32_t entries);

/* Allocates the slots from the arena; `hash_key` is copied. */
void id_map_init(id_map_t *map, oc_arena_t *arena, uint32_t entries, const uint64_t hash_key[2]);

/* The keyed hash, from which the home follows; also good for other look-ups by (key, tag). */
static inline uint64_t id_map_hash(const uint64_t hash_key[2], uint64_t key, uint32_t tag)
{
    __extension__ typedef unsigned __int128 wide_t;
    const wide_t product = (wide_t)(key ^ hash_key[0]) * (tag ^ hash_key[1]);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Four neighbouring keys share a line, so that what is used together lies together; which line, the
 * keyed hash says. */
static inline uint32_t id_map_home(const id_map_t *map, uint64_t key, uint32_t tag)
{
    const uint32_t line = (uint32_t)id_map_hash(map->hash_key, key >> 2, tag) << 2;
    return (line | (uint32_t)(key & 3)) & map->mask;
}

/* The value of a key, 0 if it is not there. */
static inline uint32_t id_map_find(const id_map_t *map, uint64_t key, uint32_t tag)
{
    for (uint32_t at = id_map_home(map, key, tag);; at = (at + 1) & map->mask) {
        const id_map_slot_t *slot = &map->slots[at];
        if (slot->value == 0 || (slot->key == key && slot->tag == tag))
            return slot->value;
    }
}

static inline void id_map_prefetch(const id_map_t *map, uint64_t key, uint32_t tag)
{
    __builtin_prefetch(&map->slots[id_map_home(map, key, tag)]);
}

/* Adds a key that is not there. The caller sees to it that the map never holds more than its
 * entries. */
void id_map_insert(id_map_t *map, uint64_t key, uint32_t tag, uint32_t value);

/* Removes a key that is there. */
void id_map_remove(id_map_t *map, uint64_t key, uint32_t tag);

#endif
