/*
 * The reference engine's state, item by item, for its table of functions; see engine_records.h for
 * what each does.
 */
#ifndef ENGINE_REFERENCE_RECORDS_H
#define ENGINE_REFERENCE_RECORDS_H

#include "engine/reference_internal.h"

/* Frees all sources, orders, instruments and pending work. */
void reference_drop_all(reference_engine_t *engine);

void reference_totals(const oc_engine_t *engine, engine_totals_t *totals);
void reference_source_ids(const oc_engine_t *engine, oc_source_id_t *ids);
void reference_pending_items(const oc_engine_t *engine, hash_pending_t *items);
oc_err_t reference_order_runs(const oc_engine_t *engine, engine_order_run_t **runs, size_t *count);
size_t reference_walk_next(engine_walk_t *walk, engine_order_t *orders, uint64_t *places);
void reference_load_begin(oc_engine_t *engine, const engine_totals_t *totals);
oc_err_t reference_load_instrument(oc_engine_t *engine, const oc_instrument_view_t *view);
oc_err_t reference_load_source(oc_engine_t *engine, const oc_source_view_t *view);
oc_err_t reference_load_orders(oc_engine_t *engine, const engine_order_t *orders, size_t count);
oc_err_t reference_load_pending(oc_engine_t *engine, const hash_pending_t *item);
oc_err_t reference_load_end(oc_engine_t *engine);

#endif
