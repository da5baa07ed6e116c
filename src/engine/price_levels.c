/*
 * Levels and the blocks they share. Called by the commands, matching and pending work.
 *
 * Invariants:
 *  - instrument.best[side] is the level with the lowest key of that book, 0 for an empty book;
 *  - a block's bitmap and its level table say the same;
 *  - an empty block is in its book's ring of kept blocks: a price that comes and goes does not
 *    churn the tree. The ring drops its oldest block, which then leaves if it is empty;
 *  - blocks of a book are linked in key order, empty ones too.
 */
#include "engine/price_levels.h"

#include "engine/level_tree.h"

#include <string.h>

static instrument_record_t *instrument_of(const fast_engine_t *e, uint32_t book)
{
    return &e->instruments[book >> 1];
}

uint32_t price_levels_blocks(uint32_t max_levels, uint32_t books, uint32_t kept_limit)
{
    return max_levels + books * kept_limit + 1;
}

static uint32_t block_add(fast_engine_t *e, uint32_t book, int64_t key)
{
    record_pool_t *pool = &e->header->blocks;
    uint32_t index = pool->free_head;
    if (index)
        pool->free_head = e->blocks[index].worse;
    else
        index = ++pool->top;
    OC_ASSERT(index <= pool->capacity);
    pool->used++;

    instrument_record_t *instrument = instrument_of(e, book);
    touch(e, instrument);
    const tree_neighbours_t around = level_tree_insert(e, &instrument->root[book & 1], key, index);
    const uint32_t better = around.better;
    const uint32_t worse = around.worse;

    block_record_t *block = &e->blocks[index];
    touch(e, block);
    *block = (block_record_t){.key = key, .book = book, .better = better, .worse = worse};
    if (better) {
        touch(e, &e->blocks[better]);
        e->blocks[better].worse = index;
    }
    if (worse) {
        touch(e, &e->blocks[worse]);
        e->blocks[worse].better = index;
    }
    id_map_insert(&e->block_map, (uint64_t)key, book, index);
    return index;
}

static void block_remove(fast_engine_t *e, uint32_t index)
{
    block_record_t *block = &e->blocks[index];
    OC_ASSERT(block->levels == 0);
    instrument_record_t *instrument = instrument_of(e, block->book);
    touch(e, instrument);
    level_tree_remove(e, &instrument->root[block->book & 1], block->key);
    id_map_remove(&e->block_map, (uint64_t)block->key, block->book);
    if (block->better) {
        touch(e, &e->blocks[block->better]);
        e->blocks[block->better].worse = block->worse;
    }
    if (block->worse) {
        touch(e, &e->blocks[block->worse]);
        e->blocks[block->worse].better = block->better;
    }
    record_pool_t *pool = &e->header->blocks;
    touch(e, block);
    *block = (block_record_t){.worse = pool->free_head};
    pool->free_head = index;
    pool->used--;
}

/* Keeps an emptied block; the one that has been kept longest makes room. */
static void block_keep(fast_engine_t *e, uint32_t index)
{
    block_record_t *block = &e->blocks[index];
    if (block->kept)
        return;
    block->kept = 1;
    instrument_record_t *instrument = instrument_of(e, block->book);
    kept_ring_t *ring = &e->kept[block->book];
    touch(e, instrument);
    touch(e, ring);
    uint32_t *next = &instrument->kept_next[block->book & 1];
    const uint32_t oldest = ring->block[*next];
    ring->block[*next] = index;
    *next = *next + 1 == e->kept_limit ? 0 : *next + 1;
    if (oldest) {
        touch(e, &e->blocks[oldest]);
        e->blocks[oldest].kept = 0;
        if (e->blocks[oldest].levels == 0)
            block_remove(e, oldest);
    }
}

/* The block that a price of the book is in, 0 if there is none. */
static uint32_t block_of(const fast_engine_t *e, uint32_t book, int64_t key)
{
    return id_map_find(&e->block_map, (uint64_t)(key >> 6), book);
}

uint32_t price_levels_add(fast_engine_t *e, uint32_t book, int64_t price_ticks)
{
    record_pool_t *pool = &e->header->levels;
    uint32_t index = pool->free_head;
    if (index)
        pool->free_head = e->levels[index].head;
    else
        index = ++pool->top;
    OC_ASSERT(index <= pool->capacity);
    pool->used++;

    const uint32_t side = book & 1;
    const int64_t key = price_key(side, price_ticks);
    uint32_t block_index = block_of(e, book, key);
    if (!block_index)
        block_index = block_add(e, book, key >> 6);
    block_record_t *block = &e->blocks[block_index];
    block_levels_t *levels = &e->block_levels[block_index];
    touch(e, block);
    touch(e, levels);
    block->levels |= UINT64_C(1) << (key & (BLOCK_LEVELS - 1));
    levels->level[key & (BLOCK_LEVELS - 1)] = index;

    instrument_record_t *instrument = instrument_of(e, book);
    touch(e, instrument);
    level_record_t *level = &e->levels[index];
    touch(e, level);
    *level = (level_record_t){
        .price_ticks = price_ticks,
        .book = book,
    };
    const uint32_t best = instrument->best[side];
    if (!best || key < price_key(side, e->levels[best].price_ticks))
        instrument->best[side] = index;
    instrument->level_count[side]++;
    return index;
}

/* The best level of the first block from `block` on that has any. */
static uint32_t first_level_from(const fast_engine_t *e, uint32_t block)
{
    while (block && e->blocks[block].levels == 0)
        block = e->blocks[block].worse;
    if (!block)
        return 0;
    return e->block_levels[block].level[__builtin_ctzll(e->blocks[block].levels)];
}

/* The best level of a block above bit `bit`, or of the blocks behind it. */
static uint32_t level_above(const fast_engine_t *e, uint32_t block, uint32_t bit)
{
    const uint64_t above = e->blocks[block].levels & ~(((UINT64_C(1) << bit) << 1) - 1);
    if (above)
        return e->block_levels[block].level[__builtin_ctzll(above)];
    return first_level_from(e, e->blocks[block].worse);
}

void price_levels_remove(fast_engine_t *e, uint32_t index)
{
    level_record_t *level = &e->levels[index];
    OC_ASSERT(level->order_count == 0);
    OC_ASSERT(level->open_lots == 0);
    const uint32_t side = level->book & 1;
    const int64_t key = price_key(side, level->price_ticks);
    const uint32_t bit = (uint32_t)(key & (BLOCK_LEVELS - 1));
    const uint32_t block_index = block_of(e, level->book, key);
    block_record_t *block = &e->blocks[block_index];
    block_levels_t *levels = &e->block_levels[block_index];
    touch(e, block);
    touch(e, levels);
    OC_ASSERT(levels->level[bit] == index);
    block->levels &= ~(UINT64_C(1) << bit);
    levels->level[bit] = 0;

    instrument_record_t *instrument = instrument_of(e, level->book);
    touch(e, instrument);
    if (instrument->best[side] == index)
        instrument->best[side] = level_above(e, block_index, bit);
    instrument->level_count[side]--;
    if (UNLIKELY(block->levels == 0))
        block_keep(e, block_index);

    if (e->header->walk_level == index)
        e->header->walk_level = 0;
    record_pool_t *pool = &e->header->levels;
    touch(e, level);
    *level = (level_record_t){.head = pool->free_head};
    pool->free_head = index;
    pool->used--;
}

uint32_t price_levels_next(const fast_engine_t *e, uint32_t index)
{
    const level_record_t *level = &e->levels[index];
    const int64_t key = price_key(level->book & 1, level->price_ticks);
    return level_above(e, block_of(e, level->book, key), (uint32_t)(key & (BLOCK_LEVELS - 1)));
}

uint32_t price_levels_after(const fast_engine_t *e, uint32_t book, int64_t price_ticks)
{
    const int64_t key = price_key(book & 1, price_ticks);
    const uint32_t root = instrument_of(e, book)->root[book & 1];
    const uint32_t block = level_tree_ceiling(e, root, key >> 6);
    if (!block)
        return 0;
    if (e->blocks[block].key == key >> 6)
        return level_above(e, block, (uint32_t)(key & (BLOCK_LEVELS - 1)));
    return first_level_from(e, block);
}
