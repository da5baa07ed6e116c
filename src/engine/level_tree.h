/*
 * A B+tree per book that orders its level blocks by key, so that a new block finds its neighbours
 * over prices however sparse. Look-ups by price do not come here (price_levels.h hashes).
 */
#ifndef ENGINE_LEVEL_TREE_H
#define ENGINE_LEVEL_TREE_H

#include "engine/fast_state.h"

/* Nodes that suffice for so many blocks over so many books. */
uint32_t level_tree_nodes(uint32_t blocks, uint32_t books);

/* The block with the lowest key not below `key`, 0 if there is none. */
uint32_t level_tree_ceiling(const fast_engine_t *e, uint32_t root, int64_t key);

/* The blocks between which a new one comes; 0 where there is none. */
typedef struct tree_neighbours {
    uint32_t better;
    uint32_t worse;
} tree_neighbours_t;

/* Adds a block under a key that is not there; *root is the book's and may change. The links between
 * blocks are the caller's to keep. */
tree_neighbours_t level_tree_insert(fast_engine_t *e, uint32_t *root, int64_t key, uint32_t block);

/* Removes a key that is there. */
void level_tree_remove(fast_engine_t *e, uint32_t *root, int64_t key);

#endif
