/*
 * The fast engine's views, audit, export and load, for its table of functions; see outcry/engine.h
 * and engine_records.h for what each does.
 */
#ifndef ENGINE_FAST_INTERNAL_H
#define ENGINE_FAST_INTERNAL_H

#include "engine/fast_state.h"

uint64_t fast_state_hash(const oc_engine_t *engine);
uint64_t fast_output_hash(const oc_engine_t *engine);
void fast_counts(const oc_engine_t *engine, oc_engine_counts_t *counts);
void fast_memory(const oc_engine_t *engine, oc_engine_memory_t *memory);
bool fast_order(const oc_engine_t *engine, oc_source_id_t source,
                oc_client_order_id_t client_order_id, oc_order_view_t *view);
size_t fast_source_orders(const oc_engine_t *engine, oc_source_id_t source, oc_order_id_t after,
                          oc_client_order_id_t after_client_order_id, oc_order_view_t *orders,
                          size_t capacity);
void fast_visit_orders(const oc_engine_t *engine, oc_instrument_id_t instrument, oc_side_t side,
                       oc_order_visitor_t visitor, void *context);
size_t fast_depth(const oc_engine_t *engine, oc_instrument_id_t instrument, oc_side_t side,
                  oc_level_view_t *levels, size_t capacity);
bool fast_instrument(const oc_engine_t *engine, oc_instrument_id_t id, oc_instrument_view_t *view);
oc_instrument_id_t fast_next_instrument(const oc_engine_t *engine, oc_instrument_id_t after);
bool fast_source(const oc_engine_t *engine, oc_source_id_t id, oc_source_view_t *view);
bool fast_audit(const oc_engine_t *engine, char *why, size_t why_size);

void fast_totals(const oc_engine_t *engine, engine_totals_t *totals);
void fast_source_ids(const oc_engine_t *engine, oc_source_id_t *ids);
void fast_pending_items(const oc_engine_t *engine, hash_pending_t *items);
oc_err_t fast_order_runs(const oc_engine_t *engine, engine_order_run_t **runs, size_t *count);
size_t fast_walk_next(engine_walk_t *walk, engine_order_t *orders, uint64_t *places);

void fast_load_begin(oc_engine_t *engine, const engine_totals_t *totals);
oc_err_t fast_load_instrument(oc_engine_t *engine, const oc_instrument_view_t *instrument);
oc_err_t fast_load_source(oc_engine_t *engine, const oc_source_view_t *source);
oc_err_t fast_load_orders(oc_engine_t *engine, const engine_order_t *orders, size_t count);
oc_err_t fast_load_pending(oc_engine_t *engine, const hash_pending_t *item);
oc_err_t fast_load_end(oc_engine_t *engine);

oc_arena_t *fast_arena(oc_engine_t *engine);
oc_err_t fast_restored(oc_engine_t *engine);
uint64_t fast_hash_part(const oc_engine_t *engine, unsigned part, unsigned parts);
oc_err_t fast_hash_check(const oc_engine_t *engine, uint64_t sum);

/* Fills in the header of an arena that is all zero: an empty engine's. */
void fast_init_header(fast_engine_t *e);

/* The hints are of a state that is gone. */
void fast_forget_hints(fast_engine_t *e);

/* The counters' part of the state hash. */
uint64_t fast_counters_item(const fast_engine_t *e);

#endif
