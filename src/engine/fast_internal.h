/*
 * The fast engine's views and audit, for its table of functions; see outcry/engine.h for what each
 * does.
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

/* The counters' part of the state hash. */
uint64_t fast_counters_item(const fast_engine_t *e);

#endif
