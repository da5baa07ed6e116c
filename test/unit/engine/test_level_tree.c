/*
 * The B+tree of level blocks against a sorted array, over dense, rising, falling and sparse keys.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/level_tree.h"
#include "lib/expect_abort.h"
#include "lib/fast_fixture.h"

#include <string.h>

enum { KEYS_MAX = 4000 };
#define KEY_LOWEST  (INT64_MIN >> 6)
#define KEY_HIGHEST (INT64_MAX >> 6)

/* The sorted twin: keys ascending, the block of each, and blocks not in use. */
typedef struct naive_tree {
    int64_t key[KEYS_MAX];
    uint32_t block[KEYS_MAX];
    uint32_t count;
    uint32_t spare[KEYS_MAX];
    uint32_t spare_count;
} naive_tree_t;

typedef struct fixture {
    fast_engine_t *e;
    naive_tree_t naive;
    uint32_t root;
    uint64_t seed;
} fixture_t;

/* Number of keys below `key`. */
static uint32_t lower_bound(const naive_tree_t *naive, int64_t key)
{
    uint32_t low = 0;
    uint32_t high = naive->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (naive->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool holds(const naive_tree_t *naive, int64_t key)
{
    const uint32_t at = lower_bound(naive, key);
    return at < naive->count && naive->key[at] == key;
}

/* The link to the next block, which the tree reads when a key lies behind all of a leaf's. */
static void link_around(fixture_t *f, uint32_t at)
{
    block_record_t *block = &f->e->blocks[f->naive.block[at]];
    touch(f->e, block);
    block->worse = at + 1 < f->naive.count ? f->naive.block[at + 1] : 0;
    block->better = at ? f->naive.block[at - 1] : 0;
}

static void add(fixture_t *f, int64_t key)
{
    naive_tree_t *naive = &f->naive;
    const uint32_t at = lower_bound(naive, key);
    const uint32_t block = naive->spare[--naive->spare_count];
    const size_t behind = naive->count - at;
    memmove(&naive->key[at + 1], &naive->key[at], behind * sizeof naive->key[0]);
    memmove(&naive->block[at + 1], &naive->block[at], behind * sizeof naive->block[0]);
    naive->key[at] = key;
    naive->block[at] = block;
    naive->count++;
    const tree_neighbours_t around = level_tree_insert(f->e, &f->root, key, block);
    assert_int_equal(around.better, at ? naive->block[at - 1] : 0);
    assert_int_equal(around.worse, behind ? naive->block[at + 1] : 0);
    link_around(f, at);
    if (at)
        link_around(f, at - 1);
    if (behind)
        link_around(f, at + 1);
}

static void drop(fixture_t *f, uint32_t at)
{
    naive_tree_t *naive = &f->naive;
    level_tree_remove(f->e, &f->root, naive->key[at]);
    naive->spare[naive->spare_count++] = naive->block[at];
    naive->count--;
    const size_t behind = naive->count - at;
    memmove(&naive->key[at], &naive->key[at + 1], behind * sizeof naive->key[0]);
    memmove(&naive->block[at], &naive->block[at + 1], behind * sizeof naive->block[0]);
    if (at)
        link_around(f, at - 1);
    if (behind)
        link_around(f, at);
}

typedef struct walk {
    uint32_t nodes;
    uint32_t at; /* keys passed */
    uint32_t leaf_depth;
} walk_t;

static void check_node(const fixture_t *f, uint32_t index, uint32_t depth, int64_t low,
                       walk_t *walk)
{
    const tree_node_t *node = &f->e->nodes[index];
    walk->nodes++;
    assert_true(node->count >= (depth ? TREE_MIN_KEYS : node->leaf ? 1 : 2));
    assert_true(node->count <= TREE_KEYS);
    for (uint32_t i = 1; i < TREE_KEYS; i++) {
        if (i < node->count) {
            assert_true(node->key[i - 1] < node->key[i]);
        } else {
            assert_true(node->key[i] == INT64_MAX);
            assert_int_equal(node->child[i], 0);
        }
    }
    if (node->leaf) {
        assert_true(walk->leaf_depth == 0 || walk->leaf_depth == depth + 1);
        walk->leaf_depth = depth + 1;
        assert_true(node->key[0] >= low);
        for (uint32_t i = 0; i < node->count; i++, walk->at++) {
            assert_true(node->key[i] == f->naive.key[walk->at]);
            assert_int_equal(node->child[i], f->naive.block[walk->at]);
        }
        return;
    }
    assert_true(node->key[0] == INT64_MIN);
    for (uint32_t i = 0; i < node->count; i++) {
        const int64_t bound = i ? node->key[i] : low;
        check_node(f, node->child[i], depth + 1, bound, walk);
        if (i + 1 < node->count)
            assert_true(f->naive.key[walk->at - 1] < node->key[i + 1]);
    }
}

static void check_tree(const fixture_t *f)
{
    walk_t walk = {0};
    if (f->root)
        check_node(f, f->root, 0, INT64_MIN, &walk);
    assert_int_equal(walk.at, f->naive.count);
    assert_int_equal(walk.nodes, f->e->header->nodes.used);
    assert_true(walk.nodes <= level_tree_nodes(f->naive.count, 1));
}

static void check_ceiling(const fixture_t *f, int64_t key)
{
    const uint32_t at = lower_bound(&f->naive, key);
    const uint32_t want = at < f->naive.count ? f->naive.block[at] : 0;
    assert_int_equal(level_tree_ceiling(f->e, f->root, key), want);
}

typedef int64_t (*key_maker_t)(fixture_t *f);

static int64_t dense_key(fixture_t *f)
{
    return (int64_t)fixture_below(&f->seed, KEYS_MAX) - KEYS_MAX / 2;
}

static int64_t sparse_key(fixture_t *f)
{
    switch (fixture_below(&f->seed, 400)) {
    case 0:
        return KEY_LOWEST;
    case 1:
        return KEY_HIGHEST;
    default:
        return (int64_t)(fixture_below(&f->seed, UINT64_MAX)) >> 6;
    }
}

static int64_t rising_key(fixture_t *f)
{
    return f->naive.count ? f->naive.key[f->naive.count - 1] + 3 : -1000;
}

static int64_t falling_key(fixture_t *f)
{
    return f->naive.count ? f->naive.key[0] - 3 : 1000;
}

static void fixture_open(fixture_t *f, uint64_t seed)
{
    oc_engine_config_t config = fast_fixture_config();
    config.max_levels = KEYS_MAX;
    config.verify_touch = false; /* thousands of steps over a large arena */
    memset(f, 0, sizeof *f);
    f->e = fast_fixture_inside(fixture_create(&config, NULL));
    f->seed = seed;
    f->e->header->nodes.capacity = level_tree_nodes(KEYS_MAX, 1); /* it must do */
    for (uint32_t i = 0; i < KEYS_MAX; i++)
        f->naive.spare[f->naive.spare_count++] = KEYS_MAX - i;
}

/* One key comes, or one goes; `filling` says which is likelier. */
static void step(fixture_t *f, key_maker_t make_key, bool filling)
{
    const bool grow = fixture_below(&f->seed, 8) == 0 ? !filling : filling;
    if (grow && f->naive.spare_count) {
        const int64_t key = make_key(f);
        if (!holds(&f->naive, key))
            add(f, key);
    } else if (f->naive.count) {
        const bool at_end = fixture_below(&f->seed, 4) == 0;
        drop(f, at_end ? 0 : (uint32_t)fixture_below(&f->seed, f->naive.count));
    }
}

static void run(key_maker_t make_key, uint64_t seed)
{
    static fixture_t f;
    fixture_open(&f, seed);
    for (int phase = 0; phase < 6; phase++) {
        /* full, empty, half, empty... */
        const uint32_t target = phase % 2 ? 0 : phase == 2 ? KEYS_MAX / 2 : KEYS_MAX - 20;
        for (int i = 0; i < 12000 && f.naive.count != target; i++) {
            step(&f, make_key, f.naive.count < target);
            check_ceiling(&f, sparse_key(&f));
            check_ceiling(&f, dense_key(&f));
            if (f.naive.count) {
                const int64_t near = f.naive.key[fixture_below(&f.seed, f.naive.count)];
                check_ceiling(&f, near);
                check_ceiling(&f, near - 1);
                check_ceiling(&f, near + 1);
            }
            if (i % 101 == 0)
                check_tree(&f);
        }
        check_tree(&f);
    }
    while (f.naive.count)
        drop(&f, f.naive.count - 1);
    assert_int_equal(f.root, 0);
    assert_int_equal(f.e->header->nodes.used, 0);
    assert_int_equal(level_tree_ceiling(f.e, f.root, 0), 0);
    oc_engine_destroy(&f.e->base);
}

static void test_dense_keys(void **state)
{
    (void)state;
    run(dense_key, 11);
}

static void test_sparse_keys(void **state)
{
    (void)state;
    run(sparse_key, 12);
}

static void test_rising_keys(void **state)
{
    (void)state;
    run(rising_key, 13);
}

static void test_falling_keys(void **state)
{
    (void)state;
    run(falling_key, 14);
}

/* Keeps every node as short as it may be: of each run of keys that fill a node all but a few go. */
static void test_thinned_out_trees_keep_the_bound(void **state)
{
    (void)state;
    static fixture_t f;
    fixture_open(&f, 15);
    for (int64_t key = 0; key < KEYS_MAX; key++)
        add(&f, key * 5);
    for (uint32_t keep = 2; keep <= 8 && f.naive.count > keep; keep++) {
        for (uint32_t at = f.naive.count; at > 0; at--) {
            if (at % keep)
                drop(&f, at - 1);
        }
        check_tree(&f);
        for (int i = 0; i < 30; i++)
            add(&f, f.naive.key[f.naive.count - 1] + 7);
        check_tree(&f);
    }
    oc_engine_destroy(&f.e->base);
}

/* Deep enough for inner nodes under the root. */
static void test_every_change_is_announced(void **state)
{
    (void)state;
    enum { KEYS = 1200 };
    static fixture_t f;
    oc_engine_config_t config = fast_fixture_config();
    config.max_levels = KEYS;
    memset(&f, 0, sizeof f);
    f.e = fast_fixture_inside(fixture_create(&config, NULL));
    f.seed = 16;
    for (uint32_t i = 0; i < KEYS; i++)
        f.naive.spare[f.naive.spare_count++] = KEYS - i;
    for (int i = 0; i < 6000; i++) {
        fast_fixture_begin(f.e);
        step(&f, sparse_key, i / 1500 % 2 == 0);
        fast_fixture_end(f.e);
    }
    check_tree(&f);
    oc_engine_destroy(&f.e->base);
}

static void remove_missing(void *context)
{
    fixture_t *f = context;
    level_tree_remove(f->e, &f->root, 12345);
}

static void test_removing_what_is_not_there_stops_the_process(void **state)
{
    (void)state;
    static fixture_t f;
    fixture_open(&f, 17);
    add(&f, 12344);
    add(&f, 12346);
    assert_true(child_aborts(remove_missing, &f));
    oc_engine_destroy(&f.e->base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense_keys),
        cmocka_unit_test(test_sparse_keys),
        cmocka_unit_test(test_rising_keys),
        cmocka_unit_test(test_falling_keys),
        cmocka_unit_test(test_thinned_out_trees_keep_the_bound),
        cmocka_unit_test(test_every_change_is_announced),
        cmocka_unit_test(test_removing_what_is_not_there_stops_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
