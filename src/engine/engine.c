/*
 * Doorway of the engine: configuration checked, implementation chosen, calls forwarded.
 *
 * Called by the hosts' service table, by replay and by the benches. Holds no state of its own.
 */
#include "outcry/engine.h"

#include "base/error.h"
#include "engine/engine_vtable.h"

#include <string.h>

typedef struct config_bound {
    const char *name;
    uint64_t value;
    uint64_t low;
    uint64_t high;
} config_bound_t;

void oc_engine_config_init(oc_engine_config_t *config)
{
    memset(config, 0, sizeof *config);
    config->kind = OC_ENGINE_FAST;
    config->max_orders = 1048576;
    config->max_levels = 262144;
    config->max_instruments = 1024;
    config->max_sources = 4096;
    config->max_sessions = 4096;
    config->max_pending = 64;
    config->step_bound = 64;
    config->modify_priority = OC_PRIORITY_KEEP;
    config->hash_key[0] =
        UINT64_C(0x243f6a8885a308d3); /* digits of pi: a key for tests, not a secret */
    config->hash_key[1] = UINT64_C(0x13198a2e03707344);
    config->event_capacity = 2048;
    config->hash_outputs = true;
}

oc_err_t oc_engine_config_check(const oc_engine_config_t *config)
{
    const config_bound_t bounds[] = {
        {"kind", (uint64_t)config->kind, OC_ENGINE_FAST, OC_ENGINE_REFERENCE},
        {"max_orders", config->max_orders, 1, UINT64_C(1) << 27},
        {"max_levels", config->max_levels, 1, UINT64_C(1) << 26},
        {"max_instruments", config->max_instruments, 1, 65536},
        {"max_sources", config->max_sources, 1, UINT64_C(1) << 24},
        {"max_sessions", config->max_sessions, 1, UINT64_C(1) << 24},
        {"max_pending", config->max_pending, 1, 65536},
        {"step_bound", config->step_bound, 1, OC_STEP_BOUND_MAX},
        {"modify_priority", (uint64_t)config->modify_priority, OC_PRIORITY_KEEP, OC_PRIORITY_LOSE},
        {"event_capacity", config->event_capacity, 64, UINT64_C(1) << 20},
    };
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        const config_bound_t *b = &bounds[i];
        if (b->value < b->low || b->value > b->high)
            return error_set(OC_ERR_INVALID_CONFIG,
                             "engine configuration: %s is %llu, must be %llu to %llu", b->name,
                             (unsigned long long)b->value, (unsigned long long)b->low,
                             (unsigned long long)b->high);
    }
    return OC_ERR_OK;
}

oc_err_t oc_engine_create(oc_engine_t **engine, const oc_engine_config_t *config,
                          oc_event_sink_t sink, void *context)
{
    *engine = NULL;
    const oc_err_t err = oc_engine_config_check(config);
    if (err != OC_ERR_OK)
        return err;
    *engine = config->kind == OC_ENGINE_FAST ? fast_engine_create(config, sink, context)
                                             : reference_engine_create(config, sink, context);
    return *engine ? OC_ERR_OK : OC_ERR_NO_MEMORY;
}

void oc_engine_destroy(oc_engine_t *engine)
{
    if (engine)
        engine->vtable->destroy(engine);
}

oc_err_t oc_engine_apply(oc_engine_t *engine, const oc_command_t *command)
{
    return engine->vtable->apply(engine, command);
}

oc_err_t oc_engine_apply_batch(oc_engine_t *engine, const oc_command_t *commands, size_t count)
{
    return engine->vtable->apply_batch(engine, commands, count);
}

uint64_t oc_engine_state_hash(const oc_engine_t *engine)
{
    return engine->vtable->state_hash(engine);
}

uint64_t oc_engine_output_hash(const oc_engine_t *engine)
{
    return engine->vtable->output_hash(engine);
}

void oc_engine_counts(const oc_engine_t *engine, oc_engine_counts_t *counts)
{
    engine->vtable->counts(engine, counts);
}

void oc_engine_memory(const oc_engine_t *engine, oc_engine_memory_t *memory)
{
    engine->vtable->memory(engine, memory);
}

bool oc_engine_order(const oc_engine_t *engine, oc_source_id_t source,
                     oc_client_order_id_t client_order_id, oc_order_view_t *view)
{
    return engine->vtable->order(engine, source, client_order_id, view);
}

size_t oc_engine_source_orders(const oc_engine_t *engine, oc_source_id_t source,
                               oc_order_id_t after, oc_client_order_id_t after_client_order_id,
                               oc_order_view_t *orders, size_t capacity)
{
    return engine->vtable->source_orders(engine, source, after, after_client_order_id, orders,
                                         capacity);
}

void oc_engine_visit_orders(const oc_engine_t *engine, oc_instrument_id_t instrument,
                            oc_side_t side, oc_order_visitor_t visitor, void *context)
{
    engine->vtable->visit_orders(engine, instrument, side, visitor, context);
}

size_t oc_engine_depth(const oc_engine_t *engine, oc_instrument_id_t instrument, oc_side_t side,
                       oc_level_view_t *levels, size_t capacity)
{
    return engine->vtable->depth(engine, instrument, side, levels, capacity);
}

bool oc_engine_instrument(const oc_engine_t *engine, oc_instrument_id_t id,
                          oc_instrument_view_t *view)
{
    return engine->vtable->instrument(engine, id, view);
}

oc_instrument_id_t oc_engine_next_instrument(const oc_engine_t *engine, oc_instrument_id_t after)
{
    return engine->vtable->next_instrument(engine, after);
}

bool oc_engine_source(const oc_engine_t *engine, oc_source_id_t id, oc_source_view_t *view)
{
    return engine->vtable->source(engine, id, view);
}

bool oc_engine_audit(const oc_engine_t *engine, char *why, size_t why_size)
{
    return engine->vtable->audit(engine, why, why_size);
}
