/*
 * The engine's logical state, taken out and put in: what the record stream is made of. Both
 * implementations give the same items in the same order.
 *
 * Out: reads only; several threads may walk over one engine at the same time while nobody applies
 * commands. In: into any engine; what it held is dropped first. The order is: engine_load_begin(),
 * instruments ascending, sources ascending, orders as they came out, pending work, front first,
 * engine_load_end(). In between the engine must not be asked or given anything else.
 */
#ifndef ENGINE_ENGINE_RECORDS_H
#define ENGINE_ENGINE_RECORDS_H

#include "engine/state_hash.h"
#include "outcry/arena.h"
#include "outcry/engine.h"

/* What is one for the whole engine. */
typedef struct engine_totals {
    uint64_t entry;
    int64_t time_ns;
    uint64_t last_order_id;
    uint64_t last_trade_id;
    uint64_t last_priority;
    hash_output_t output;
    uint32_t step_bound;
    uint32_t modify_priority; /* oc_modify_priority_t */
    uint32_t restrictions;    /* OC_RESTRICT_* */
} engine_totals_t;

/* A live order, all of it. */
typedef struct engine_order {
    uint64_t client_order_id;
    uint64_t order_id;
    uint64_t priority;
    int64_t price_ticks;
    int64_t open_lots;
    int64_t executed_lots;
    uint32_t source;
    uint32_t instrument;
    uint32_t terms; /* hash_order_terms() */
    uint32_t reserved;
} engine_order_t;

_Static_assert(sizeof(engine_order_t) == 64, "one line");

/* ---- Out ---- */

void engine_totals(const oc_engine_t *engine, engine_totals_t *totals);

/* Writes the ids of all sources, ascending; `ids` has room for all (oc_engine_counts_t.sources). */
void engine_source_ids(const oc_engine_t *engine, oc_source_id_t *ids);

/* Writes the pending items, front first, `ordinal` filled in; room for all (counts.pending). */
void engine_pending_items(const oc_engine_t *engine, hash_pending_t *items);

/*
 * Orders that follow each other in the order of the stream: instruments ascending, buys then sells,
 * best level first, first come first. A run is (a part of) one level or one side.
 */
typedef struct engine_order_run {
    uint64_t first; /* place of its first order in the stream, from 0 */
    uint32_t count;
    uint32_t head;  /* the implementation's own: where the first order is, */
    uint32_t book;  /* in which book, */
    uint32_t level; /* at which level */
} engine_order_run_t;

/* All runs, in order; *count of them. malloc'ed, the caller frees. OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t engine_order_runs(const oc_engine_t *engine, engine_order_run_t **runs,
                                         size_t *count);

/* Walks over runs, several at the same time, so that the memory of one is fetched while others are
 * read. Owned by the caller; no undo. */
enum { ENGINE_WALK_LANES = 32, ENGINE_WALK_BATCH = 64 };

typedef struct engine_walk_lane {
    uint64_t place; /* of the next order */
    int64_t price_ticks;
    uint32_t left;
    uint32_t next; /* the implementation's own */
    uint32_t book; /* the implementation's own */
    uint32_t instrument;
} engine_walk_lane_t;

typedef struct engine_walk {
    const oc_engine_t *engine;
    const engine_order_run_t *runs; /* not yet begun */
    size_t run_count;
    uint32_t lanes; /* in use */
    uint32_t lane;  /* whose turn it is */
    engine_walk_lane_t lane_at[ENGINE_WALK_LANES];
} engine_walk_t;

/* `runs` are borrowed for the walk. */
void engine_walk_init(engine_walk_t *walk, const oc_engine_t *engine,
                      const engine_order_run_t *runs, size_t run_count);

/* Reads up to ENGINE_WALK_BATCH orders, in an order of its own, each with its place in the stream;
 * 0: all were read. */
size_t engine_walk_next(engine_walk_t *walk, engine_order_t orders[ENGINE_WALK_BATCH],
                        uint64_t places[ENGINE_WALK_BATCH]);

/* ---- In ---- */

/* Drops everything, and takes the totals. What is wrong with them the next call tells. */
void engine_load_begin(oc_engine_t *engine, const engine_totals_t *totals);

/* OC_ERR_INVALID_CONFIG: a table is too small (its name, size and what is needed are told);
 * OC_ERR_DAMAGED: it cannot be (what and why are told). The engine is of no use then, but for
 * another engine_load_begin(). */
OC_MUST_CHECK oc_err_t engine_load_instrument(oc_engine_t *engine,
                                              const oc_instrument_view_t *instrument);
OC_MUST_CHECK oc_err_t engine_load_source(oc_engine_t *engine, const oc_source_view_t *source);
OC_MUST_CHECK oc_err_t engine_load_orders(oc_engine_t *engine, const engine_order_t *orders,
                                          size_t count);
OC_MUST_CHECK oc_err_t engine_load_pending(oc_engine_t *engine, const hash_pending_t *item);

/* Builds what is left to build; allocates working memory (OC_ERR_NO_MEMORY). Afterwards
 * oc_engine_audit() holds, and what comes is as if the engine had come here by commands. */
OC_MUST_CHECK oc_err_t engine_load_end(oc_engine_t *engine);

/* ---- The arena of a fast engine ---- */

/* The arena that holds the whole state; NULL for the reference engine. Borrowed. */
oc_arena_t *engine_arena(oc_engine_t *engine);

/*
 * The arena was filled from an image: takes over what lies beside it (hash key, hints). Then the
 * sum of all hash items is worked out anew, in parts, and held against the one that the state
 * carries:
 *
 *     engine_restored(engine)
 *     sum += engine_hash_part(engine, part, parts)     for all parts
 *     engine_hash_check(engine, sum)
 *
 * The parts read only; several threads may work out one each. Links between records are not part
 * of the sum: what protects them are the checksums of the image's pages.
 */

/* OC_ERR_DAMAGED: the header cannot be that of an engine with these tables, or the look-up tables
 * or the pending work lead out of them. */
OC_MUST_CHECK oc_err_t engine_restored(oc_engine_t *engine);

/* Part `part` of `parts` (from 0). Whatever lies in the tables, nothing outside of them is read. */
uint64_t engine_hash_part(const oc_engine_t *engine, unsigned part, unsigned parts);

/* OC_ERR_DAMAGED: the sum of all parts, modulo 2^64, is not what the state carries. */
OC_MUST_CHECK oc_err_t engine_hash_check(const oc_engine_t *engine, uint64_t sum);

#endif
