/*
 * Doorway to the state's items: calls of engine_records.h forwarded to the implementation.
 *
 * Called by the record stream and by the service table when it takes or restores a state. Holds no
 * state of its own.
 */
#include "engine/engine_records.h"

#include "base/assert.h"
#include "engine/engine_vtable.h"

#include <string.h>

void engine_totals(const oc_engine_t *engine, engine_totals_t *totals)
{
    memset(totals, 0, sizeof *totals);
    engine->vtable->totals(engine, totals);
}

void engine_source_ids(const oc_engine_t *engine, oc_source_id_t *ids)
{
    engine->vtable->source_ids(engine, ids);
}

void engine_pending_items(const oc_engine_t *engine, hash_pending_t *items)
{
    engine->vtable->pending_items(engine, items);
}

oc_err_t engine_order_runs(const oc_engine_t *engine, engine_order_run_t **runs, size_t *count)
{
    *runs = NULL;
    *count = 0;
    return engine->vtable->order_runs(engine, runs, count);
}

void engine_walk_init(engine_walk_t *walk, const oc_engine_t *engine,
                      const engine_order_run_t *runs, size_t run_count)
{
    memset(walk, 0, sizeof *walk);
    walk->engine = engine;
    walk->runs = runs;
    walk->run_count = run_count;
}

size_t engine_walk_next(engine_walk_t *walk, engine_order_t orders[ENGINE_WALK_BATCH],
                        uint64_t places[ENGINE_WALK_BATCH])
{
    const size_t count = walk->engine->vtable->walk_next(walk, orders, places);
    OC_ASSERT(count <= ENGINE_WALK_BATCH);
    return count;
}

void engine_load_begin(oc_engine_t *engine, const engine_totals_t *totals)
{
    engine->vtable->load_begin(engine, totals);
}

oc_err_t engine_load_instrument(oc_engine_t *engine, const oc_instrument_view_t *instrument)
{
    return engine->vtable->load_instrument(engine, instrument);
}

oc_err_t engine_load_source(oc_engine_t *engine, const oc_source_view_t *source)
{
    return engine->vtable->load_source(engine, source);
}

oc_err_t engine_load_orders(oc_engine_t *engine, const engine_order_t *orders, size_t count)
{
    return engine->vtable->load_orders(engine, orders, count);
}

oc_err_t engine_load_pending(oc_engine_t *engine, const hash_pending_t *item)
{
    return engine->vtable->load_pending(engine, item);
}

oc_err_t engine_load_end(oc_engine_t *engine)
{
    return engine->vtable->load_end(engine);
}

oc_arena_t *engine_arena(oc_engine_t *engine)
{
    return engine->vtable->arena ? engine->vtable->arena(engine) : NULL;
}

oc_err_t engine_restored(oc_engine_t *engine)
{
    OC_ASSERT(engine->vtable->restored != NULL);
    return engine->vtable->restored(engine);
}

uint64_t engine_hash_part(const oc_engine_t *engine, unsigned part, unsigned parts)
{
    OC_ASSERT(part < parts);
    OC_ASSERT(engine->vtable->hash_part != NULL);
    return engine->vtable->hash_part(engine, part, parts);
}

oc_err_t engine_hash_check(const oc_engine_t *engine, uint64_t sum)
{
    OC_ASSERT(engine->vtable->hash_check != NULL);
    return engine->vtable->hash_check(engine, sum);
}
