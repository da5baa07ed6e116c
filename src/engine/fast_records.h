/*
 * The records of the fast engine's state, as they lie in the arena.
 *
 * Records refer to each other by 32-bit indices into their tables; index 0 is "none" and never
 * used. A record lies in one page, so one oc_arena_touch() announces any store to it.
 *
 * Books: a side of an instrument is a book, numbered instrument index * 2 + side. Its prices are
 * turned into keys that ascend from best to worst (sells as they are, buys complemented). 64
 * adjacent keys share a level block {bitmap, level index per key}; blocks are found by hash, and
 * ordered by a B+tree.
 */
#ifndef ENGINE_FAST_RECORDS_H
#define ENGINE_FAST_RECORDS_H

#include "base/assert.h"
#include "engine/state_hash.h"
#include "outcry/arena.h"

/* Of the records below and the tables they lie in: images of another one are not understood. */
#define ENGINE_LAYOUT_VERSION UINT32_C(1)

enum {
    INDEX_LINE_SLOTS = 10,
    INDEX_LOAD = 7, /* orders per line when the table is full: 1.43 slots an order */
    LIST_CHUNK_SLOTS = 13,
    BLOCK_LEVELS = 64,
    TREE_KEYS = 20,
    TREE_MIN_KEYS = 7, /* below it a node borrows or merges: bounds the number of nodes */
    TREE_MAX_DEPTH = 16,
    KEPT_BLOCKS_MAX = 16,
    ORDERS_AHEAD = 4, /* fresh order records fetched ahead; so many spare ones end the table */
};

/* Tags of the keys in fast_engine_t.ids. */
enum { ID_SOURCE = 1, ID_INSTRUMENT = 2, ID_SESSION = 3 };

#define ORDER_LIVE UINT32_C(0x80000000) /* in order_record_t.terms, beside hash_order_terms() */

typedef struct order_record {
    uint64_t client_order_id;
    uint64_t order_id;
    uint64_t priority;
    int64_t open_lots;
    int64_t executed_lots;
    uint32_t source; /* index */
    uint32_t level;
    uint32_t prev;          /* in the level's queue */
    uint32_t next;          /* in the level's queue, or in the free list */
    uint32_t list_position; /* in the source's list: chunk * 16 + slot */
    uint32_t terms;         /* 0: the record is free */
} order_record_t;

/* (source, client order id) -> order. A full line counts who went on to the next one instead of
 * leaving tombstones, so a removal moves nothing and touches one page. */
typedef struct order_index_line {
    uint16_t fingerprint[INDEX_LINE_SLOTS];
    uint16_t overflow; /* entries whose search passes through this full line */
    uint16_t used;     /* bit per slot */
    uint32_t order[INDEX_LINE_SLOTS];
} order_index_line_t;

typedef struct level_record {
    int64_t price_ticks;
    int64_t open_lots; /* sum over the queue */
    uint32_t order_count;
    uint32_t head; /* oldest order; free list link when the record is free */
    uint32_t tail;
    uint32_t book; /* 0: the record is free */
} level_record_t;

typedef struct block_record {
    int64_t key;     /* price key >> 6 */
    uint64_t levels; /* bit k: level of key * 64 + k exists */
    uint32_t book;
    uint32_t better; /* neighbours in the book, by key */
    uint32_t worse;  /* also free list link */
    uint32_t kept;   /* 1: in its book's ring of blocks that may be empty */
} block_record_t;

typedef struct block_levels {
    uint32_t level[BLOCK_LEVELS];
} block_levels_t;

typedef struct kept_ring {
    uint32_t block[KEPT_BLOCKS_MAX];
} kept_ring_t;

typedef struct tree_node {
    uint32_t count;
    uint32_t leaf;
    uint32_t free_link;
    uint32_t reserved;
    int64_t
        key[TREE_KEYS]; /* ascending, padded with INT64_MAX; an inner node's first is INT64_MIN */
    uint32_t child[TREE_KEYS]; /* node, or block in a leaf */
} tree_node_t;

typedef struct instrument_record {
    uint32_t id;
    uint32_t state;
    int64_t price_low_ticks;
    int64_t price_high_ticks;
    int64_t max_quantity_lots;
    uint32_t best[2]; /* level; by side */
    uint32_t root[2]; /* tree of level blocks */
    uint32_t level_count[2];
    uint64_t hash_item;
    int64_t mark_price_ticks;
    uint32_t has_mark_price;
    uint32_t expiry_slot; /* 1 + slot of its expiry work in the pending queue; 0: none */
    uint32_t kept_next[2];
    uint32_t reserved[10];
} instrument_record_t;

typedef struct source_record {
    uint32_t id;
    uint32_t roles;
    uint64_t sequence;
    uint64_t session;
    uint64_t session_first;
    uint64_t progress_item; /* hash_source_progress() of sequence and last_status */
    uint32_t last_status;
    uint32_t live_orders;
    uint32_t list_head; /* chunks of its live orders, in order-id order */
    uint32_t list_tail;
    uint32_t disconnect_slot; /* 1 + slot of its disconnect work in the pending queue; 0: none */
    uint32_t free_link;
} source_record_t;

typedef struct list_chunk {
    uint32_t next; /* also free list link */
    uint32_t prev;
    uint16_t used; /* slots ever filled; filled in order, never again */
    uint16_t live; /* bit per slot */
    uint32_t order[LIST_CHUNK_SLOTS];
} list_chunk_t;

/* One item of the pending queue: hash_pending_t with indices. */
typedef struct pending_item {
    uint64_t limit;
    uint64_t first;
    uint64_t ended;
    uint64_t looked_at;
    int64_t price_ticks;
    uint32_t asker;      /* id, not index: it may be retired meanwhile */
    uint32_t source;     /* index; 0: work by instrument */
    uint32_t instrument; /* index; filter or walked */
    uint8_t command;
    uint8_t scope;
    uint8_t sides;
    uint8_t side;
    uint32_t reserved[2];
} pending_item_t;

typedef struct record_pool {
    uint32_t free_head;
    uint32_t top;  /* highest index ever used */
    uint32_t used; /* records in use */
    uint32_t capacity;
} record_pool_t;

typedef struct engine_header {
    uint64_t entry;
    int64_t time_ns;
    uint64_t last_order_id;
    uint64_t last_trade_id;
    uint64_t last_priority;
    uint64_t item_sum; /* hash items of orders, instruments and sources */
    uint32_t pending_count;
    uint32_t restrictions; /* OC_RESTRICT_*; in the line that every command reads */
    uint32_t walk_level;   /* see pending_work.c; place of the front item's walk, 0: look it up */
    uint32_t walk_order;
    uint32_t list_chunk; /* place of the front item in a source's list: next slot to look at */
    uint32_t list_slot;
    uint32_t pending_head;
    uint32_t mass_head; /* in the ring of mass cancels */
    uint32_t mass_count;
    uint32_t session_count;
    uint32_t step_bound;
    uint32_t modify_priority;
    hash_output_t output;
    uint64_t hash_key[2]; /* of the look-up tables: they mean nothing without it */
    record_pool_t orders;
    record_pool_t levels;
    record_pool_t blocks;
    record_pool_t nodes;
    record_pool_t chunks;
    record_pool_t instruments;
    record_pool_t sources;
} engine_header_t;

_Static_assert(sizeof(order_record_t) == 64, "one line, never straddling a page");
_Static_assert(sizeof(order_index_line_t) == 64, "one line");
_Static_assert(sizeof(level_record_t) == 32, "divides a page");
_Static_assert(sizeof(block_record_t) == 32, "divides a page");
_Static_assert(sizeof(block_levels_t) == 256, "divides a page");
_Static_assert(sizeof(kept_ring_t) == 64, "divides a page");
_Static_assert(sizeof(tree_node_t) == 256, "divides a page");
_Static_assert(sizeof(instrument_record_t) == 128, "divides a page");
_Static_assert(sizeof(source_record_t) == 64, "one line");
_Static_assert(sizeof(list_chunk_t) == 64, "one line");
_Static_assert(sizeof(pending_item_t) == 64, "one line");
_Static_assert(offsetof(engine_header_t, restrictions) < 64, "in the first line");
_Static_assert(sizeof(engine_header_t) <= OC_ARENA_PAGE_SIZE, "the header lies in one page");

#endif
