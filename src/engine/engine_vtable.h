/*
 * What an implementation of the engine provides. engine.c is the doorway: it checks the
 * configuration, creates the implementation that was asked for and forwards every public call
 * through this table.
 */
#ifndef ENGINE_ENGINE_VTABLE_H
#define ENGINE_ENGINE_VTABLE_H

#include "engine/engine_records.h"

typedef struct engine_vtable {
    void (*destroy)(oc_engine_t *engine);
    oc_err_t (*apply)(oc_engine_t *engine, const oc_command_t *command);
    oc_err_t (*apply_batch)(oc_engine_t *engine, const oc_command_t *commands, size_t count);
    uint64_t (*state_hash)(const oc_engine_t *engine);
    uint64_t (*output_hash)(const oc_engine_t *engine);
    void (*counts)(const oc_engine_t *engine, oc_engine_counts_t *counts);
    void (*memory)(const oc_engine_t *engine, oc_engine_memory_t *memory);
    bool (*order)(const oc_engine_t *engine, oc_source_id_t source,
                  oc_client_order_id_t client_order_id, oc_order_view_t *view);
    size_t (*source_orders)(const oc_engine_t *engine, oc_source_id_t source, oc_order_id_t after,
                            oc_client_order_id_t after_client_order_id, oc_order_view_t *orders,
                            size_t capacity);
    void (*visit_orders)(const oc_engine_t *engine, oc_instrument_id_t instrument, oc_side_t side,
                         oc_order_visitor_t visitor, void *context);
    size_t (*depth)(const oc_engine_t *engine, oc_instrument_id_t instrument, oc_side_t side,
                    oc_level_view_t *levels, size_t capacity);
    bool (*instrument)(const oc_engine_t *engine, oc_instrument_id_t id,
                       oc_instrument_view_t *view);
    oc_instrument_id_t (*next_instrument)(const oc_engine_t *engine, oc_instrument_id_t after);
    bool (*source)(const oc_engine_t *engine, oc_source_id_t id, oc_source_view_t *view);
    bool (*audit)(const oc_engine_t *engine, char *why, size_t why_size);

    /* engine_records.h; those of the arena only if there is one */
    void (*totals)(const oc_engine_t *engine, engine_totals_t *totals);
    void (*source_ids)(const oc_engine_t *engine, oc_source_id_t *ids);
    void (*pending_items)(const oc_engine_t *engine, hash_pending_t *items);
    oc_err_t (*order_runs)(const oc_engine_t *engine, engine_order_run_t **runs, size_t *count);
    size_t (*walk_next)(engine_walk_t *walk, engine_order_t *orders, uint64_t *places);
    void (*load_begin)(oc_engine_t *engine, const engine_totals_t *totals);
    oc_err_t (*load_instrument)(oc_engine_t *engine, const oc_instrument_view_t *instrument);
    oc_err_t (*load_source)(oc_engine_t *engine, const oc_source_view_t *source);
    oc_err_t (*load_orders)(oc_engine_t *engine, const engine_order_t *orders, size_t count);
    oc_err_t (*load_pending)(oc_engine_t *engine, const hash_pending_t *item);
    oc_err_t (*load_end)(oc_engine_t *engine);
    oc_arena_t *(*arena)(oc_engine_t *engine);
    oc_err_t (*restored)(oc_engine_t *engine);
    uint64_t (*hash_part)(const oc_engine_t *engine, unsigned part, unsigned parts);
    oc_err_t (*hash_check)(const oc_engine_t *engine, uint64_t sum);
} engine_vtable_t;

/* First member of every implementation's own struct. */
struct oc_engine {
    const engine_vtable_t *vtable;
};

/* Both return NULL and set the error context when memory runs out. */
oc_engine_t *fast_engine_create(const oc_engine_config_t *config, oc_event_sink_t sink,
                                void *context);
oc_engine_t *reference_engine_create(const oc_engine_config_t *config, oc_event_sink_t sink,
                                     void *context);

#endif
