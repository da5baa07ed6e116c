/*
 * The B+tree of level blocks. Called by price_levels.c when a block comes or goes.
 *
 * Invariants:
 *  - keys ascend; unused ones are INT64_MAX, so that a search can compare all of them without a
 *    branch;
 *  - an inner node's first key is INT64_MIN: it stands for everything below its second, and stays
 *    right when the lowest leaf key changes. Insertion, splitting, borrowing and merging restore
 *    it;
 *  - every node but a root has at least TREE_MIN_KEYS children, which bounds the nodes by the
 *    blocks, so the table of nodes never fills first.
 */
#include "engine/level_tree.h"

#include <string.h>

_Static_assert(TREE_KEYS / 2 >= TREE_MIN_KEYS, "both halves of a split are large enough");
_Static_assert(2 * TREE_MIN_KEYS - 1 <= TREE_KEYS, "a short node fits into a minimal neighbour");

typedef struct tree_path {
    uint32_t depth; /* inner nodes above the leaf */
    uint32_t node[TREE_MAX_DEPTH];
    uint32_t at[TREE_MAX_DEPTH];
} tree_path_t;

uint32_t level_tree_nodes(uint32_t blocks, uint32_t books)
{
    /* Leaves are at most blocks / MIN, inner nodes at most a (MIN - 1)th of them, and a book's root
     * and its two children may be short. */
    return blocks / (TREE_MIN_KEYS - 2) + 3 * books + TREE_MAX_DEPTH;
}

/* Number of keys not above `key`. */
static uint32_t keys_not_above(const tree_node_t *node, int64_t key)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < TREE_KEYS; i++)
        count += node->key[i] <= key;
    return count;
}

static uint32_t node_alloc(fast_engine_t *e, uint32_t leaf)
{
    record_pool_t *pool = &e->header->nodes;
    uint32_t index = pool->free_head;
    if (index)
        pool->free_head = e->nodes[index].free_link;
    else
        index = ++pool->top;
    OC_ASSERT(index <= pool->capacity);
    pool->used++;
    tree_node_t *node = &e->nodes[index];
    touch(e, node);
    memset(node, 0, sizeof *node);
    node->leaf = leaf;
    for (uint32_t i = 0; i < TREE_KEYS; i++)
        node->key[i] = INT64_MAX;
    return index;
}

static void node_free(fast_engine_t *e, uint32_t index)
{
    record_pool_t *pool = &e->header->nodes;
    tree_node_t *node = &e->nodes[index];
    touch(e, node);
    memset(node, 0, sizeof *node);
    node->free_link = pool->free_head;
    pool->free_head = index;
    pool->used--;
}

static void node_put(fast_engine_t *e, uint32_t index, uint32_t at, int64_t key, uint32_t child)
{
    tree_node_t *node = &e->nodes[index];
    OC_ASSERT(node->count < TREE_KEYS);
    touch(e, node);
    for (uint32_t i = node->count; i > at; i--) {
        node->key[i] = node->key[i - 1];
        node->child[i] = node->child[i - 1];
    }
    node->key[at] = key;
    node->child[at] = child;
    node->count++;
}

static void node_take(fast_engine_t *e, uint32_t index, uint32_t at)
{
    tree_node_t *node = &e->nodes[index];
    OC_ASSERT(at < node->count);
    touch(e, node);
    node->count--;
    for (uint32_t i = at; i < node->count; i++) {
        node->key[i] = node->key[i + 1];
        node->child[i] = node->child[i + 1];
    }
    node->key[node->count] = INT64_MAX;
    node->child[node->count] = 0;
}

/* Moves the children from `at` on of one node to the end of another. */
static void node_move(fast_engine_t *e, uint32_t from, uint32_t at, uint32_t to)
{
    tree_node_t *source = &e->nodes[from];
    tree_node_t *target = &e->nodes[to];
    OC_ASSERT(target->count + (source->count - at) <= TREE_KEYS);
    touch(e, source);
    touch(e, target);
    for (uint32_t i = at; i < source->count; i++) {
        target->key[target->count] = source->key[i];
        target->child[target->count] = source->child[i];
        target->count++;
        source->key[i] = INT64_MAX;
        source->child[i] = 0;
    }
    source->count = at;
}

static uint32_t descend(const fast_engine_t *e, uint32_t root, int64_t key, tree_path_t *path)
{
    path->depth = 0;
    uint32_t node = root;
    while (!e->nodes[node].leaf) {
        OC_ASSERT(path->depth < TREE_MAX_DEPTH);
        const uint32_t at = keys_not_above(&e->nodes[node], key) - 1;
        path->node[path->depth] = node;
        path->at[path->depth++] = at;
        node = e->nodes[node].child[at];
    }
    return node;
}

/* The blocks around place `at` of a leaf; those in other leaves by their neighbours' links. */
static tree_neighbours_t neighbours_of(const fast_engine_t *e, const tree_node_t *leaf, uint32_t at)
{
    tree_neighbours_t around = {0, 0};
    if (at > 0)
        around.better = leaf->child[at - 1];
    else if (leaf->count > 0)
        around.better = e->blocks[leaf->child[0]].better;
    if (at < leaf->count)
        around.worse = leaf->child[at];
    else if (at > 0)
        around.worse = e->blocks[leaf->child[at - 1]].worse;
    return around;
}

uint32_t level_tree_ceiling(const fast_engine_t *e, uint32_t root, int64_t key)
{
    if (!root)
        return 0;
    tree_path_t path;
    const tree_node_t *leaf = &e->nodes[descend(e, root, key, &path)];
    OC_ASSERT(leaf->count > 0);
    const uint32_t at = keys_not_above(leaf, key);
    if (at > 0 && leaf->key[at - 1] == key)
        return leaf->child[at - 1];
    return neighbours_of(e, leaf, at).worse;
}

/* Splits a full node in two and adds the entry to the right half; returns the new node. */
static uint32_t node_split(fast_engine_t *e, uint32_t index, uint32_t at, int64_t key,
                           uint32_t child)
{
    const uint32_t right = node_alloc(e, e->nodes[index].leaf);
    const uint32_t half = TREE_KEYS / 2;
    node_move(e, index, half, right);
    if (at <= half)
        node_put(e, index, at, key, child);
    else
        node_put(e, right, at - half, key, child);
    return right;
}

/* An inner node's first key is given up to its parent and becomes minus infinity. */
static int64_t separator_of(fast_engine_t *e, uint32_t index)
{
    const int64_t key = e->nodes[index].key[0];
    if (!e->nodes[index].leaf)
        e->nodes[index].key[0] = INT64_MIN;
    return key;
}

tree_neighbours_t level_tree_insert(fast_engine_t *e, uint32_t *root, int64_t key, uint32_t block)
{
    if (!*root)
        *root = node_alloc(e, 1);
    tree_path_t path;
    uint32_t node = descend(e, *root, key, &path);
    uint32_t at = keys_not_above(&e->nodes[node], key);
    const tree_neighbours_t around = neighbours_of(e, &e->nodes[node], at);
    uint32_t child = block;
    for (;;) {
        if (e->nodes[node].count < TREE_KEYS) {
            node_put(e, node, at, key, child);
            return around;
        }
        child = node_split(e, node, at, key, child);
        key = separator_of(e, child);
        if (path.depth == 0)
            break;
        node = path.node[--path.depth];
        at = path.at[path.depth] + 1;
    }
    const uint32_t top = node_alloc(e, 0);
    node_put(e, top, 0, INT64_MIN, node);
    node_put(e, top, 1, key, child);
    *root = top;
    return around;
}

/* A short node at parent.child[at] takes from a neighbour, or one of the two takes in the other. */
static void node_refill(fast_engine_t *e, uint32_t parent, uint32_t at)
{
    const uint32_t left_at = at > 0 ? at - 1 : 0; /* pair (left, right) around the short node */
    const uint32_t left = e->nodes[parent].child[left_at];
    const uint32_t right = e->nodes[parent].child[left_at + 1];
    touch(e, &e->nodes[parent]);
    touch(e, &e->nodes[right]);
    if (!e->nodes[right].leaf) /* its true lower bound, while entries move */
        e->nodes[right].key[0] = e->nodes[parent].key[left_at + 1];
    if (e->nodes[left].count + e->nodes[right].count <= TREE_KEYS) {
        node_move(e, right, 0, left);
        node_free(e, right);
        node_take(e, parent, left_at + 1);
        return;
    }
    if (e->nodes[left].count < e->nodes[right].count) {
        node_put(e, left, e->nodes[left].count, e->nodes[right].key[0], e->nodes[right].child[0]);
        node_take(e, right, 0);
    } else {
        const uint32_t last = e->nodes[left].count - 1;
        node_put(e, right, 0, e->nodes[left].key[last], e->nodes[left].child[last]);
        node_take(e, left, last);
    }
    e->nodes[parent].key[left_at + 1] = separator_of(e, right);
}

void level_tree_remove(fast_engine_t *e, uint32_t *root, int64_t key)
{
    tree_path_t path;
    const uint32_t leaf = descend(e, *root, key, &path);
    const uint32_t at = keys_not_above(&e->nodes[leaf], key);
    OC_ASSERT(at > 0 && e->nodes[leaf].key[at - 1] == key);
    node_take(e, leaf, at - 1);
    uint32_t node = leaf;
    while (path.depth > 0 && e->nodes[node].count < TREE_MIN_KEYS) {
        node = path.node[--path.depth];
        node_refill(e, node, path.at[path.depth]);
    }
    const tree_node_t *top = &e->nodes[*root];
    if (top->count == 0 || (top->count == 1 && !top->leaf)) {
        const uint32_t old = *root;
        *root = top->count == 0 ? 0 : top->child[0];
        node_free(e, old);
    }
}
