/*
 * The fast engine checked from the ground up: everything that is kept incrementally is computed
 * anew and compared. Called by tests, fuzzing and whoever doubts a state; reads only.
 *
 * It must not use what it checks: books are walked along the tree, lists along their chunks, and
 * the hash is summed over what those walks find.
 */
#include "engine/fast_internal.h"
#include "engine/fast_items.h"
#include "engine/level_tree.h"
#include "engine/live_orders.h"
#include "engine/price_levels.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct audit {
    const fast_engine_t *e;
    char *why;
    size_t why_size;
    uint64_t item_sum;
    uint32_t orders;
    uint32_t levels;
    uint32_t blocks;
    uint32_t nodes;
    uint32_t chunks;
} audit_t;

__attribute__((format(printf, 2, 3))) static bool fail(audit_t *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(a->why, a->why_size, format, arguments);
    va_end(arguments);
    return false;
}

static bool check_order(audit_t *a, uint32_t index, const level_record_t *level)
{
    const fast_engine_t *e = a->e;
    const order_record_t *o = &e->orders[index];
    if (!(o->terms & ORDER_LIVE) || (o->terms & 1) != (level->book & 1))
        return fail(a, "order record %u is in a queue but free or of the other side", index);
    if (o->open_lots <= 0 || o->executed_lots < 0)
        return fail(a, "order %" PRIu64 " has open %" PRId64 ", executed %" PRId64, o->order_id,
                    o->open_lots, o->executed_lots);
    const uint32_t hash = order_index_hash(e, o->source, o->client_order_id);
    if (order_index_find(e, hash, o->source, o->client_order_id) != index)
        return fail(a, "order %" PRIu64 " is not found by its client order id", o->order_id);
    const list_chunk_t *chunk = &e->chunks[o->list_position >> LIST_POSITION_SHIFT];
    const uint32_t slot = o->list_position & ((1u << LIST_POSITION_SHIFT) - 1);
    if (slot >= chunk->used || !(chunk->live >> slot & 1) || chunk->order[slot] != index)
        return fail(a, "order %" PRIu64 " is not in the list of its source", o->order_id);
    a->item_sum += live_order_item(e, o, level);
    a->orders++;
    return true;
}

static bool check_level(audit_t *a, uint32_t index, uint32_t book, int64_t key)
{
    const fast_engine_t *e = a->e;
    const level_record_t *level = &e->levels[index];
    if (price_key(book & 1, level->price_ticks) != key || level->book != book)
        return fail(a, "level record %u stands at the wrong price or book", index);
    if (price_levels_find(e, book, level->price_ticks) != index)
        return fail(a, "level record %u is not found by its price", index);
    int64_t open_lots = 0;
    uint32_t count = 0;
    uint32_t previous = 0;
    for (uint32_t i = level->head; i; previous = i, i = e->orders[i].next) {
        const order_record_t *o = &e->orders[i];
        if (o->prev != previous || o->level != index)
            return fail(a, "order %" PRIu64 ": queue links disagree", o->order_id);
        if (previous && e->orders[previous].priority >= o->priority)
            return fail(a, "order %" PRIu64 ": queue is not in priority order", o->order_id);
        if (!check_order(a, i, level))
            return false;
        open_lots += o->open_lots;
        count++;
    }
    if (level->tail != previous || level->order_count != count || level->open_lots != open_lots ||
        count == 0)
        return fail(a, "level record %u: totals do not match its queue", index);
    a->levels++;
    return true;
}

/* One block, in its place between its neighbours; counts and returns its levels. */
static bool check_block(audit_t *a, uint32_t index, uint32_t book, uint32_t *best, uint32_t *levels)
{
    const fast_engine_t *e = a->e;
    const block_record_t *block = &e->blocks[index];
    if (block->book != book || id_map_find(&e->block_map, (uint64_t)block->key, book) != index)
        return fail(a, "block %u is not found by its key", index);
    for (uint32_t bit = 0; bit < BLOCK_LEVELS; bit++) {
        const uint32_t level = e->block_levels[index].level[bit];
        if ((level != 0) != (block->levels >> bit & 1))
            return fail(a, "block %u: bitmap and table disagree at %u", index, bit);
        if (!level)
            continue;
        if (!check_level(a, level, book, block->key * BLOCK_LEVELS + bit))
            return false;
        if (!*best)
            *best = level;
        (*levels)++;
    }
    bool in_ring = false;
    for (uint32_t i = 0; i < e->kept_limit; i++)
        in_ring |= e->kept[book].block[i] == index;
    if (in_ring != (block->kept != 0) || (!block->levels && !in_ring))
        return fail(a, "block %u: kept flag, ring and bitmap disagree", index);
    a->blocks++;
    return true;
}

/* The book's ring holds its kept blocks, each once, and nothing else. */
static bool check_ring(audit_t *a, uint32_t book, uint32_t kept)
{
    const fast_engine_t *e = a->e;
    uint32_t count = 0;
    for (uint32_t i = 0; i < KEPT_BLOCKS_MAX; i++)
        count += e->kept[book].block[i] != 0;
    if (count != kept || e->instruments[book >> 1].kept_next[book & 1] >= e->kept_limit)
        return fail(a, "book %u: ring of %u blocks, %u are kept", book, count, kept);
    return true;
}

/* Place in the walk over one tree: the block last passed and the bounds of the subtree. */
typedef struct tree_walk {
    uint32_t book;
    uint32_t last_block;
    uint32_t best;
    uint32_t levels;
    uint32_t kept; /* blocks in the book's ring */
} tree_walk_t;

static bool check_leaf(audit_t *a, const tree_node_t *node, tree_walk_t *walk)
{
    const fast_engine_t *e = a->e;
    for (uint32_t i = 0; i < node->count; i++) {
        const uint32_t block = node->child[i];
        if (e->blocks[block].key != node->key[i] || e->blocks[block].better != walk->last_block)
            return fail(a, "block %u: tree and links disagree", block);
        if (walk->last_block && (e->blocks[walk->last_block].worse != block ||
                                 e->blocks[walk->last_block].key >= node->key[i]))
            return fail(a, "block %u: order of blocks is wrong", block);
        if (!check_block(a, block, walk->book, &walk->best, &walk->levels))
            return false;
        walk->kept += e->blocks[block].kept != 0;
        walk->last_block = block;
    }
    return true;
}

static bool check_node(audit_t *a, uint32_t index, uint32_t depth, tree_walk_t *walk)
{
    const tree_node_t *node = &a->e->nodes[index];
    const uint32_t least = depth ? TREE_MIN_KEYS : node->leaf ? 1 : 2;
    a->nodes++;
    if (node->count < least || node->count > TREE_KEYS || depth >= TREE_MAX_DEPTH)
        return fail(a, "tree node %u has %u entries at depth %u", index, node->count, depth);
    for (uint32_t i = 1; i < TREE_KEYS; i++) {
        if (i < node->count ? node->key[i - 1] >= node->key[i] : node->key[i] != INT64_MAX)
            return fail(a, "tree node %u: keys are not ascending", index);
    }
    if (node->leaf)
        return check_leaf(a, node, walk);
    if (node->key[0] != INT64_MIN)
        return fail(a, "tree node %u: first key is not minus infinity", index);
    for (uint32_t i = 0; i < node->count; i++) {
        if (!check_node(a, node->child[i], depth + 1, walk))
            return false;
        const int64_t last = a->e->blocks[walk->last_block].key;
        if (i + 1 < node->count && last >= node->key[i + 1])
            return fail(a, "tree node %u: a child reaches beyond its bound", index);
    }
    return true;
}

static bool check_book(audit_t *a, uint32_t book)
{
    const instrument_record_t *instrument = &a->e->instruments[book >> 1];
    tree_walk_t walk = {.book = book};
    const uint32_t root = instrument->root[book & 1];
    if (root && !check_node(a, root, 0, &walk))
        return false;
    if (walk.last_block && a->e->blocks[walk.last_block].worse)
        return fail(a, "instrument %u: blocks behind the last one", instrument->id);
    if (instrument->best[book & 1] != walk.best || instrument->level_count[book & 1] != walk.levels)
        return fail(a, "instrument %u side %u: best level or level count is wrong", instrument->id,
                    book & 1);
    return check_ring(a, book, walk.kept);
}

static bool check_instruments(audit_t *a)
{
    const fast_engine_t *e = a->e;
    uint32_t last_id = 0;
    for (uint32_t i = 0; i < e->header->instruments.used; i++) {
        const uint32_t index = e->instruments_by_id[i];
        const instrument_record_t *instrument = &e->instruments[index];
        if (instrument->id <= last_id ||
            id_map_find(&e->ids, instrument->id, ID_INSTRUMENT) != index)
            return fail(a, "instrument %u is out of order or not found", instrument->id);
        last_id = instrument->id;
        if (instrument->hash_item != instrument_item(instrument))
            return fail(a, "instrument %u: kept hash item is wrong", instrument->id);
        a->item_sum += instrument->hash_item;
        if (!check_book(a, index * 2) || !check_book(a, index * 2 + 1))
            return false;
    }
    return true;
}

static bool check_source(audit_t *a, uint32_t index)
{
    const fast_engine_t *e = a->e;
    const source_record_t *source = &e->sources[index];
    if (id_map_find(&e->ids, source->id, ID_SOURCE) != index ||
        (source->session && id_map_find(&e->ids, source->session, ID_SESSION) != index))
        return fail(a, "source %u or its session is not found", source->id);
    if (source->progress_item !=
        hash_source_progress(source->id, source->sequence, source->last_status))
        return fail(a, "source %u: kept hash item is wrong", source->id);
    a->item_sum += source_item(source);
    uint32_t live = 0;
    uint64_t last_id = 0;
    uint32_t previous = 0;
    for (uint32_t c = source->list_head; c; previous = c, c = e->chunks[c].next) {
        const list_chunk_t *chunk = &e->chunks[c];
        if (chunk->prev != previous || chunk->live == 0)
            return fail(a, "source %u: chunk %u is empty or badly linked", source->id, c);
        for (uint32_t m = chunk->live; m; m &= m - 1) {
            const order_record_t *o = &e->orders[chunk->order[__builtin_ctz(m)]];
            if (o->source != index || o->order_id <= last_id)
                return fail(a, "source %u: list is not its orders in order-id order", source->id);
            last_id = o->order_id;
            live++;
        }
        a->chunks++;
    }
    if (source->list_tail != previous || source->live_orders != live)
        return fail(a, "source %u: %u live orders, %u in its list", source->id, source->live_orders,
                    live);
    return true;
}

static bool check_sources(audit_t *a)
{
    const engine_header_t *h = a->e->header;
    uint32_t sources = 0;
    uint32_t sessions = 0;
    uint32_t listed = 0;
    for (uint32_t i = 1; i <= h->sources.top; i++) {
        const source_record_t *source = &a->e->sources[i];
        if (source->id == 0)
            continue;
        if (!check_source(a, i))
            return false;
        sources++;
        sessions += source->session != 0;
        listed += source->live_orders;
    }
    if (sources != h->sources.used || sessions != h->session_count || listed != h->orders.used)
        return fail(a, "counts of sources, sessions or their orders are wrong");
    return true;
}

/* Entries and, recomputed along each entry's path, overflow counts of the index. */
static bool check_index(audit_t *a)
{
    const fast_engine_t *e = a->e;
    uint16_t *overflow = calloc(e->index_lines, sizeof *overflow);
    if (!overflow)
        return fail(a, "audit: out of memory");
    uint32_t entries = 0;
    for (uint32_t at = 0; at < e->index_lines; at++) {
        for (uint32_t m = e->index[at].used; m; m &= m - 1) {
            const order_record_t *o = &e->orders[e->index[at].order[__builtin_ctz(m)]];
            uint32_t line = order_index_home(e, order_index_hash(e, o->source, o->client_order_id));
            for (; line != at; line = order_index_next_line(e, line))
                overflow[line]++;
            entries++;
        }
    }
    bool equal = true;
    for (uint32_t at = 0; at < e->index_lines; at++)
        equal &= overflow[at] == e->index[at].overflow;
    free(overflow);
    if (!equal || entries != e->header->orders.used)
        return fail(a, "order index: %u entries for %u orders, overflow counts %s", entries,
                    e->header->orders.used, equal ? "right" : "wrong");
    return true;
}

/* A table of records: what the walks found of it, and where a free record says that it is free. */
typedef struct table {
    const char *name;
    uint32_t found;
    const record_pool_t *pool;
    const void *records;
    size_t size;
    size_t link; /* offset of the free list's link */
    size_t mark; /* offset of a word that is 0 in free records, and in no other */
} table_t;

static uint32_t word_of(const table_t *table, uint32_t index, size_t offset)
{
    uint32_t word;
    memcpy(&word, (const uint8_t *)table->records + index * table->size + offset, sizeof word);
    return word;
}

/* Every record ever used is either in use or, once, in the free list. */
static bool check_table(audit_t *a, const table_t *table)
{
    const record_pool_t *pool = table->pool;
    if (table->found != pool->used || pool->used > pool->top || pool->top > pool->capacity)
        return fail(a, "%s: %u found, %u counted, %u of %u records used", table->name, table->found,
                    pool->used, pool->top, pool->capacity);
    const uint32_t want = pool->top - pool->used;
    uint32_t count = 0;
    uint32_t index = pool->free_head;
    for (; index && count <= want; index = word_of(table, index, table->link), count++) {
        if (index > pool->top || word_of(table, index, table->mark) != 0)
            return fail(a, "%s: free list leads to record %u, which is not free", table->name,
                        index);
    }
    if (index || count != want)
        return fail(a, "%s: free list has not the %u records that are free", table->name, want);
    return true;
}

static bool check_totals(audit_t *a)
{
    const fast_engine_t *e = a->e;
    const engine_header_t *h = e->header;
    const table_t tables[] = {
        {"orders", a->orders, &h->orders, e->orders, sizeof *e->orders,
         offsetof(order_record_t, next), offsetof(order_record_t, terms)},
        {"levels", a->levels, &h->levels, e->levels, sizeof *e->levels,
         offsetof(level_record_t, head), offsetof(level_record_t, book)},
        {"blocks", a->blocks, &h->blocks, e->blocks, sizeof *e->blocks,
         offsetof(block_record_t, worse), offsetof(block_record_t, book)},
        {"tree nodes", a->nodes, &h->nodes, e->nodes, sizeof *e->nodes,
         offsetof(tree_node_t, free_link), offsetof(tree_node_t, count)},
        {"chunks", a->chunks, &h->chunks, e->chunks, sizeof *e->chunks,
         offsetof(list_chunk_t, next), offsetof(list_chunk_t, used)},
        {"sources", h->sources.used, &h->sources, e->sources, sizeof *e->sources,
         offsetof(source_record_t, free_link), offsetof(source_record_t, id)},
        {"instruments", h->instruments.used, &h->instruments, e->instruments,
         sizeof *e->instruments, 0, offsetof(instrument_record_t, id)}, /* none is ever free */
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (!check_table(a, &tables[i]))
            return false;
    }
    if (a->item_sum != h->item_sum)
        return fail(a, "state hash: items sum to %016" PRIx64 ", kept is %016" PRIx64, a->item_sum,
                    h->item_sum);
    if (h->restrictions & ~OC_RESTRICT_ALL)
        return fail(a, "restrictions: %#x has a bit that no command can set", h->restrictions);
    return h->session_count <= e->config.max_sessions || fail(a, "too many sessions");
}

/* The queue of pending work, and what sources and instruments say of their items in it. */
static bool check_pending(audit_t *a)
{
    const fast_engine_t *e = a->e;
    const engine_header_t *h = e->header;
    uint32_t mass = 0;
    uint32_t others = 0;
    if (h->pending_count > e->pending_capacity || h->pending_head >= e->pending_capacity)
        return fail(a, "pending work: %u items from %u", h->pending_count, h->pending_head);
    for (uint32_t i = 0; i < h->pending_count; i++) {
        const uint32_t slot = (h->pending_head + i) % e->pending_capacity;
        const pending_item_t *item = &e->pending[slot];
        uint32_t named = slot + 1;
        if (item->command == OC_COMMAND_MASS_CANCEL)
            named = 1 + e->mass_slots[(h->mass_head + mass++) % e->config.max_pending];
        else if (item->command == OC_COMMAND_SESSION_DOWN)
            named = e->sources[item->source].disconnect_slot;
        else
            named = e->instruments[item->instrument].expiry_slot;
        if (named != slot + 1 || item->limit > h->last_order_id)
            return fail(a, "pending work in slot %u: it or its owner is wrong", slot);
    }
    for (uint32_t i = 1; i <= h->sources.top; i++)
        others += e->sources[i].disconnect_slot != 0;
    for (uint32_t i = 1; i <= h->instruments.top; i++)
        others += e->instruments[i].expiry_slot != 0;
    if (mass != h->mass_count || mass > e->config.max_pending || mass + others != h->pending_count)
        return fail(a, "pending work: %u mass cancels, %u others, %u items", mass, others,
                    h->pending_count);
    if (h->pending_count == 0 && (h->walk_level || h->walk_order || h->list_chunk || h->list_slot))
        return fail(a, "pending work: none, but a walk has a place");
    return true;
}

bool fast_audit(const oc_engine_t *engine, char *why, size_t why_size)
{
    audit_t audit = {.e = (const fast_engine_t *)engine, .why = why, .why_size = why_size};
    return check_instruments(&audit) && check_sources(&audit) && check_index(&audit) &&
           check_totals(&audit) && check_pending(&audit);
}
