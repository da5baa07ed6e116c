/*
 * Price levels: found by hash in constant time, best one kept, next one by bitmap.
 */
#ifndef ENGINE_PRICE_LEVELS_H
#define ENGINE_PRICE_LEVELS_H

#include "engine/fast_state.h"

/* Level blocks that suffice: each level alone in one, and the emptied ones that books keep. */
uint32_t price_levels_blocks(uint32_t max_levels, uint32_t books, uint32_t kept_limit);

/* Adds the level of a price that has none; it must be filled at once. There must be room. */
uint32_t price_levels_add(fast_engine_t *e, uint32_t book, int64_t price_ticks);

/* Removes a level whose queue is empty. */
void price_levels_remove(fast_engine_t *e, uint32_t level);

/* The next worse level of the same book, 0 if there is none. */
uint32_t price_levels_next(const fast_engine_t *e, uint32_t level);

/* The best level strictly worse than a price that need not have a level; 0 if there is none. */
uint32_t price_levels_after(const fast_engine_t *e, uint32_t book, int64_t price_ticks);

/* The level of a price, 0 if there is none. */
static inline uint32_t price_levels_find(const fast_engine_t *e, uint32_t book, int64_t price_ticks)
{
    const int64_t key = price_key(book & 1, price_ticks);
    const uint32_t block = id_map_find(&e->block_map, (uint64_t)(key >> 6), book);
    return e->block_levels[block].level[key & (BLOCK_LEVELS - 1)]; /* block 0 has no levels */
}

/* The level of a price if the hint names it, else by search; 0 if there is none. A record that is
 * in use for the book and price is the one; free records are of book 0, which no instrument has. */
static inline uint32_t price_levels_find_near(const fast_engine_t *e, uint32_t hint, uint32_t book,
                                              int64_t price_ticks)
{
    const level_record_t *level = &e->levels[hint];
    if (level->price_ticks == price_ticks && level->book == book)
        return hint;
    return price_levels_find(e, book, price_ticks);
}

#endif
