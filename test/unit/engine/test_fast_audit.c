/*
 * That the audit of the fast engine finds what is damaged, whatever it is.
 *
 * Each case damages one thing in a busy state; the arena is put back after it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/source_list.h"
#include "lib/fast_fixture.h"
#include "lib/twin.h"

#include <stdlib.h>
#include <string.h>

/* Sells of instrument 1 from source 1: levels in many blocks, the best with several orders. */
enum { BOOK = 3, BLOCKS = 120, QUEUE = 16 };

static oc_engine_t *busy_engine(void)
{
    oc_engine_config_t config = fast_fixture_config();
    config.verify_touch = false;
    config.max_orders = 400;
    config.max_levels = 300;
    config.step_bound = 1;
    oc_engine_t *engine = fixture_create(&config, NULL);
    for (uint32_t id = 1; id <= 3; id++) {
        fixture_apply(engine, fixture_add_source(id));
        fixture_apply(engine, fast_fixture_add_instrument(id));
    }
    fixture_apply(engine, fixture_add_source(4));
    oc_command_t retire = fixture_command(OC_COMMAND_SOURCE_RETIRE, 0, 0);
    retire.u.source.id.value = 4;
    fixture_apply(engine, retire);
    for (uint64_t id = 1; id <= BLOCKS; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_SELL, 5, 1000 + (int64_t)id * 64));
    for (uint64_t id = 0; id < QUEUE; id++)
        fixture_apply(engine, fixture_new(1, 1000 + id, OC_SIDE_SELL, 5, 1064));
    for (uint64_t id = 0; id < 40; id++)
        fixture_apply(engine, fixture_new(2, id, OC_SIDE_BUY, 5, 900 - (int64_t)id * 64));
    fixture_apply(engine, fixture_new(3, 1, OC_SIDE_BUY, 3, 1064)); /* a partial fill */
    fixture_apply(engine, twin_session_up(71, 1));
    fixture_apply(engine, twin_session_up(72, 2));
    for (uint64_t id = 20; id < 40; id++) /* free records of every kind, and kept blocks */
        fixture_apply(engine, fixture_cancel(2, id));
    fixture_apply(engine, twin_session_down(72));
    fixture_apply(engine, twin_state(2, OC_STATE_CLOSED));
    fixture_apply(engine, twin_mass_cancel(1));
    fixture_apply(engine, twin_mass_cancel(2));
    return engine;
}

/* What the cases are about, found anew for each of them. */
typedef struct victim {
    fast_engine_t *e;
    instrument_record_t *instrument;
    source_record_t *source;
    level_record_t *level; /* best sell */
    order_record_t *first;
    order_record_t *second;
    uint32_t block_index;
    block_record_t *block; /* of that level */
    block_levels_t *levels;
    tree_node_t *root;
    tree_node_t *leaf;
    list_chunk_t *chunk;
    order_index_line_t *line; /* a line in use */
    engine_header_t *header;
} victim_t;

static victim_t find_victim(oc_engine_t *engine)
{
    fast_engine_t *e = fast_fixture_inside(engine);
    victim_t v = {.e = e, .header = e->header, .instrument = &e->instruments[BOOK / 2]};
    v.source = &e->sources[1];
    v.level = &e->levels[v.instrument->best[OC_SIDE_SELL]];
    v.first = &e->orders[v.level->head];
    v.second = &e->orders[v.first->next];
    v.block_index = id_map_find(
        &e->block_map, (uint64_t)(price_key(OC_SIDE_SELL, v.level->price_ticks) >> 6), BOOK);
    v.block = &e->blocks[v.block_index];
    v.levels = &e->block_levels[v.block_index];
    v.root = &e->nodes[v.instrument->root[OC_SIDE_SELL]];
    assert_int_equal(v.root->leaf, 0);
    v.leaf = &e->nodes[v.root->child[0]];
    v.chunk = &e->chunks[v.source->list_head];
    v.line = e->index;
    while (v.line->used == 0)
        v.line++;
    return v;
}

static id_map_slot_t *slot_of(id_map_t *map, uint64_t key, uint32_t tag)
{
    for (uint32_t at = 0; at <= map->mask; at++) {
        if (map->slots[at].value && map->slots[at].key == key && map->slots[at].tag == tag)
            return &map->slots[at];
    }
    fail();
    return NULL;
}

static kept_ring_t *ring_of(const victim_t *v)
{
    return &v->e->kept[2]; /* of the buys, which lost twenty levels */
}

typedef struct damage {
    const char *name;
    void (*inflict)(victim_t *v);
    const char *told; /* part of what the audit says */
} damage_t;

#define DAMAGE(name, what)                                                                         \
    static void name(victim_t *v)                                                                  \
    {                                                                                              \
        what;                                                                                      \
    }

DAMAGE(level_total, v->level->open_lots++)
DAMAGE(level_count, v->level->order_count--)
DAMAGE(level_head, v->level->head = v->first->next)
DAMAGE(level_tail, v->level->tail = v->second->prev)
DAMAGE(level_price, v->level->price_ticks++)
DAMAGE(level_book, v->level->book ^= 1)
DAMAGE(queue_prev, v->second->prev = 0)
DAMAGE(queue_next, v->first->next = v->second->next)
DAMAGE(order_level, v->second->level++)
DAMAGE(order_priority, v->second->priority = v->first->priority)
DAMAGE(order_open, v->first->open_lots = 0)
DAMAGE(order_executed, v->first->executed_lots = -1)
DAMAGE(order_executed_more, v->first->executed_lots++)
DAMAGE(order_client_id, v->first->client_order_id += 5000)
DAMAGE(order_id, v->second->order_id += 5000)
DAMAGE(order_source, v->second->source = 2)
DAMAGE(order_free, v->first->terms = 0)
DAMAGE(order_side, v->first->terms ^= 1)
DAMAGE(order_terms, v->first->terms ^= OC_TIF_DAY << 1)
DAMAGE(order_list_slot, v->first->list_position++)
DAMAGE(block_bitmap, v->block->levels |= v->block->levels << 1)
DAMAGE(block_bitmap_lost, v->block->levels = 0)
DAMAGE(block_slot, memset(v->levels, 0, sizeof *v->levels))
DAMAGE(block_key, v->block->key++)
DAMAGE(block_book, v->block->book ^= 1)
DAMAGE(block_worse, v->block->worse = 0)
DAMAGE(block_better, v->e->blocks[v->block->worse].better = 0)
DAMAGE(block_behind_the_last, {
    block_record_t *last = v->block;
    while (last->worse)
        last = &v->e->blocks[last->worse];
    last->worse = v->block_index;
})
DAMAGE(block_kept, v->block->kept ^= 1)
DAMAGE(block_lost, slot_of(&v->e->block_map, (uint64_t)v->block->key, BOOK)->tag++)
DAMAGE(ring_lost, ring_of(v)->block[0] = 0)
DAMAGE(ring_foreign, ring_of(v)->block[0] = v->block_index)
DAMAGE(ring_twice, ring_of(v)->block[0] = ring_of(v)->block[1])
DAMAGE(ring_of_another_book, v->e->kept[4].block[3] = ring_of(v)->block[0])
DAMAGE(ring_place, v->instrument->kept_next[0] = v->e->kept_limit)
DAMAGE(tree_key, v->leaf->key[1]++)
DAMAGE(tree_keys_swapped, v->leaf->key[0] = v->leaf->key[1] + 1)
DAMAGE(tree_padding, v->root->key[v->root->count] = 7)
DAMAGE(tree_first_key, v->root->key[0]++)
DAMAGE(tree_bound, v->root->key[1]--)
DAMAGE(tree_count, v->leaf->count--)
DAMAGE(tree_short, v->leaf->count = TREE_MIN_KEYS - 1)
DAMAGE(tree_child, v->leaf->child[2] = v->leaf->child[3])
DAMAGE(tree_lost, v->instrument->root[OC_SIDE_SELL] = 0)
DAMAGE(best_level, v->instrument->best[OC_SIDE_SELL] = 0)
DAMAGE(best_level_worse, v->instrument->best[OC_SIDE_SELL]++)
DAMAGE(level_counts, v->instrument->level_count[OC_SIDE_BUY]++)
DAMAGE(instrument_item, v->instrument->hash_item++)
DAMAGE(instrument_mark, v->instrument->mark_price_ticks++)
DAMAGE(instrument_order, v->e->instruments_by_id[0] = v->e->instruments_by_id[1])
DAMAGE(instrument_lost, slot_of(&v->e->ids, 1, ID_INSTRUMENT)->value = 2)
DAMAGE(expiry_slot, v->e->instruments[2].expiry_slot = 0)
DAMAGE(expiry_slot_made_up, v->instrument->expiry_slot = 1)
DAMAGE(source_item, v->source->progress_item++)
DAMAGE(source_roles, v->source->roles ^= 1)
DAMAGE(source_sequence, v->source->sequence++)
DAMAGE(source_lost, slot_of(&v->e->ids, 1, ID_SOURCE)->value = 2)
DAMAGE(session_lost, slot_of(&v->e->ids, 71, ID_SESSION)->value = 2)
DAMAGE(session_count, v->header->session_count++)
DAMAGE(disconnect_slot, v->e->sources[2].disconnect_slot = 0)
DAMAGE(disconnect_slot_made_up, v->source->disconnect_slot = 1)
DAMAGE(list_head, v->source->list_head = v->chunk->next)
DAMAGE(list_tail, v->source->list_tail = v->source->list_head)
DAMAGE(list_count, v->source->live_orders++)
DAMAGE(list_prev, v->e->chunks[v->chunk->next].prev = 0)
DAMAGE(list_live, v->chunk->live = 0)
DAMAGE(list_slot, v->chunk->order[7] = v->chunk->order[8])
DAMAGE(index_fingerprint, for (uint32_t i = 0; i < INDEX_LINE_SLOTS; i++) v->line->fingerprint[i]++)
DAMAGE(index_overflow, v->line->overflow++)
DAMAGE(index_used, v->line->used = 0)
DAMAGE(index_entry_made_up, v->line->used = 1023)
DAMAGE(item_sum, v->header->item_sum++)
DAMAGE(restrictions, v->header->restrictions = OC_RESTRICT_ALL + 1)
DAMAGE(orders_used, v->header->orders.used++)
DAMAGE(levels_used, v->header->levels.used--)
DAMAGE(blocks_used, v->header->blocks.used++)
DAMAGE(nodes_used, v->header->nodes.used--)
DAMAGE(chunks_used, v->header->chunks.used++)
DAMAGE(sources_used, v->header->sources.used++)
DAMAGE(orders_top, v->header->orders.top = v->header->orders.capacity + 1)
DAMAGE(levels_top, v->header->levels.top = v->header->levels.used - 1)
DAMAGE(instruments_top, v->header->instruments.top++)
DAMAGE(orders_free_cut, v->header->orders.free_head = 0)
DAMAGE(orders_free_live, v->header->orders.free_head = v->level->head)
DAMAGE(orders_free_behind, v->header->orders.free_head = v->header->orders.top + 1)
DAMAGE(orders_free_ring,
       v->e->orders[v->header->orders.free_head].next = v->header->orders.free_head)
DAMAGE(levels_free_cut, v->header->levels.free_head = 0)
DAMAGE(levels_free_live, v->header->levels.free_head = v->instrument->best[1])
DAMAGE(blocks_free_cut, v->header->blocks.free_head = 0)
DAMAGE(blocks_free_live, v->header->blocks.free_head = v->block_index)
DAMAGE(nodes_free_made_up, v->header->nodes.free_head = v->instrument->root[1])
DAMAGE(chunks_free_cut, v->header->chunks.free_head = 0)
DAMAGE(chunks_free_live, v->header->chunks.free_head = v->source->list_head)
DAMAGE(sources_free_cut, v->header->sources.free_head = 0)
DAMAGE(sources_free_live, v->header->sources.free_head = 1)
DAMAGE(pending_mass, v->header->mass_count++)
DAMAGE(pending_count, v->header->pending_count--)
DAMAGE(pending_head, v->header->pending_head = v->e->pending_capacity)
DAMAGE(pending_limit, v->e->pending[v->header->pending_head].limit += 5000)
DAMAGE(pending_place, (v->header->pending_count = 0, v->header->mass_count = 0,
                       v->e->sources[2].disconnect_slot = 0, v->e->instruments[2].expiry_slot = 0,
                       v->header->list_chunk = 1))

#define CASE(name, told)                                                                           \
    {                                                                                              \
#name, name, told                                                                          \
    }

static const damage_t damages[] = {
    CASE(level_total, "totals"),
    CASE(level_count, "totals"),
    CASE(level_head, ""),
    CASE(level_tail, "totals"),
    CASE(level_price, "wrong price"),
    CASE(level_book, "wrong price or book"),
    CASE(queue_prev, "queue links"),
    CASE(queue_next, "queue links"),
    CASE(order_level, "queue links"),
    CASE(order_priority, "priority order"),
    CASE(order_open, "has open"),
    CASE(order_executed, "has open"),
    CASE(order_executed_more, "state hash"),
    CASE(order_client_id, "not found by its client order id"),
    CASE(order_id, "order-id order"),
    CASE(order_source, "not found by its client order id"),
    CASE(order_free, "in a queue but free"),
    CASE(order_side, "other side"),
    CASE(order_terms, "state hash"),
    CASE(order_list_slot, "not in the list of its source"),
    CASE(block_bitmap, "bitmap and table"),
    CASE(block_bitmap_lost, "bitmap and table"),
    CASE(block_slot, "bitmap and table"),
    CASE(block_key, ""),
    CASE(block_book, "not found by its key"),
    CASE(block_worse, "order of blocks"),
    CASE(block_better, "tree and links"),
    CASE(block_behind_the_last, "blocks behind the last"),
    CASE(block_kept, "kept flag"),
    CASE(block_lost, "not found by its key"),
    CASE(ring_lost, ""),
    CASE(ring_foreign, ""),
    CASE(ring_twice, ""),
    CASE(ring_of_another_book, "ring"),
    CASE(ring_place, "ring"),
    CASE(tree_key, "keys are not ascending"),
    CASE(tree_keys_swapped, "keys are not ascending"),
    CASE(tree_padding, "keys are not ascending"),
    CASE(tree_first_key, "minus infinity"),
    CASE(tree_bound, "beyond its bound"),
    CASE(tree_count, ""),
    CASE(tree_short, "entries at depth"),
    CASE(tree_child, "tree and links"),
    CASE(tree_lost, "best level or level count"),
    CASE(best_level, "best level or level count"),
    CASE(best_level_worse, "best level or level count"),
    CASE(level_counts, "best level or level count"),
    CASE(instrument_item, "kept hash item"),
    CASE(instrument_mark, "kept hash item"),
    CASE(instrument_order, "out of order"),
    CASE(instrument_lost, "not found"),
    CASE(expiry_slot, "pending"),
    CASE(expiry_slot_made_up, "pending"),
    CASE(source_item, "kept hash item"),
    CASE(source_roles, "state hash"),
    CASE(source_sequence, "kept hash item"),
    CASE(source_lost, "not found"),
    CASE(session_lost, "not found"),
    CASE(session_count, "counts of"),
    CASE(disconnect_slot, "pending"),
    CASE(disconnect_slot_made_up, "pending"),
    CASE(list_head, ""),
    CASE(list_tail, "in its list"),
    CASE(list_count, "in its list"),
    CASE(list_prev, "badly linked"),
    CASE(list_live, ""),
    CASE(list_slot, "not in the list of its source"),
    CASE(index_fingerprint, "not found by its client order id"),
    CASE(index_overflow, "overflow counts wrong"),
    CASE(index_used, "not found by its client order id"),
    CASE(index_entry_made_up, "order index"),
    CASE(item_sum, "state hash"),
    CASE(restrictions, "restrictions"),
    CASE(orders_used, ""),
    CASE(levels_used, "levels"),
    CASE(blocks_used, "blocks"),
    CASE(nodes_used, "tree nodes"),
    CASE(chunks_used, "chunks"),
    CASE(sources_used, "counts of sources"),
    CASE(orders_top, "orders"),
    CASE(levels_top, "levels"),
    CASE(instruments_top, "instruments"),
    CASE(orders_free_cut, "orders: free"),
    CASE(orders_free_live, "orders: free"),
    CASE(orders_free_behind, "orders: free"),
    CASE(orders_free_ring, "orders: free"),
    CASE(levels_free_cut, "levels: free"),
    CASE(levels_free_live, "levels: free"),
    CASE(blocks_free_cut, "blocks: free"),
    CASE(blocks_free_live, "blocks: free"),
    CASE(nodes_free_made_up, "tree nodes: free"),
    CASE(chunks_free_cut, "chunks: free"),
    CASE(chunks_free_live, "chunks: free"),
    CASE(sources_free_cut, "sources: free"),
    CASE(sources_free_live, "sources: free"),
    CASE(pending_mass, "pending"),
    CASE(pending_count, "pending"),
    CASE(pending_head, "pending"),
    CASE(pending_limit, "pending"),
    CASE(pending_place, "pending"),
};

static void test_every_damage_is_told(void **state)
{
    (void)state;
    oc_engine_t *engine = busy_engine();
    fast_engine_t *e = fast_fixture_inside(engine);
    fixture_assert_audit(engine);
    uint8_t *good = malloc(e->arena.size);
    assert_non_null(good);
    memcpy(good, e->arena.base, e->arena.size);
    int missed = 0;
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        char why[256] = "";
        victim_t victim = find_victim(engine);
        damages[i].inflict(&victim);
        assert_memory_not_equal(good, e->arena.base, e->arena.size);
        const bool clean = oc_engine_audit(engine, why, sizeof why);
        if (clean || why[0] == 0 || !strstr(why, damages[i].told)) {
            print_error("%s: the audit says \"%s\", not \"%s\"\n", damages[i].name, why,
                        damages[i].told);
            missed++;
        }
        memcpy(e->arena.base, good, e->arena.size);
        fixture_assert_audit(engine);
    }
    assert_int_equal(missed, 0);
    free(good);
    oc_engine_destroy(engine);
}

static void test_a_short_message_is_cut(void **state)
{
    (void)state;
    oc_engine_t *engine = busy_engine();
    char why[8] = "xxxxxxx";
    fast_fixture_inside(engine)->header->item_sum++;
    assert_false(oc_engine_audit(engine, why, 6));
    assert_string_equal(why, "state");
    assert_int_equal(why[6], 'x');
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_damage_is_told),
        cmocka_unit_test(test_a_short_message_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
