/*
 * The reference engine's records: sources and instruments in arrays sorted by id, orders under
 * their source. Called by the reference engine's other files only.
 *
 * Invariants: ids are unique and never 0; a live order is in its source's list and in its book's.
 * It must not look at the rules: what may be added or removed is decided by the caller.
 */
#include "base/assert.h"
#include "engine/reference_internal.h"

#include <stdlib.h>
#include <string.h>

void *reference_grow(void *items, size_t count, size_t *capacity, size_t size)
{
    OC_ASSERT(count <= *capacity);
    if (count < *capacity)
        return items;
    *capacity = *capacity == 0 ? 8 : *capacity * 2;
    void *grown = realloc(items, *capacity * size);
    OC_ASSERT(grown != NULL);
    return grown;
}

void *reference_allocate(size_t size)
{
    void *record = calloc(1, size);
    OC_ASSERT(record != NULL);
    return record;
}

/* Index of the first source with an id that is not below `id`. */
static size_t source_position(const reference_engine_t *engine, oc_source_id_t id)
{
    size_t low = 0;
    size_t high = engine->source_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (engine->sources[middle]->id.value < id.value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t instrument_position(const reference_engine_t *engine, oc_instrument_id_t id)
{
    size_t low = 0;
    size_t high = engine->instrument_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (engine->instruments[middle]->id.value < id.value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

reference_source_t *reference_find_source(const reference_engine_t *engine, oc_source_id_t id)
{
    const size_t position = source_position(engine, id);
    if (position == engine->source_count || engine->sources[position]->id.value != id.value)
        return NULL;
    return engine->sources[position];
}

reference_source_t *reference_find_session(const reference_engine_t *engine, oc_session_id_t id)
{
    if (id.value == 0)
        return NULL;
    for (size_t i = 0; i < engine->source_count; i++)
        if (engine->sources[i]->session.value == id.value)
            return engine->sources[i];
    return NULL;
}

reference_instrument_t *reference_find_instrument(const reference_engine_t *engine,
                                                  oc_instrument_id_t id)
{
    const size_t position = instrument_position(engine, id);
    if (position == engine->instrument_count || engine->instruments[position]->id.value != id.value)
        return NULL;
    return engine->instruments[position];
}

reference_order_t *reference_find_order(const reference_engine_t *engine, oc_source_id_t source,
                                        oc_client_order_id_t client_order_id)
{
    const reference_source_t *owner = reference_find_source(engine, source);
    if (!owner)
        return NULL;
    const reference_order_t key = {.client_order_id = client_order_id};
    const size_t position =
        reference_list_position(&owner->orders, reference_compare_client_id, &key);
    if (position == owner->orders.count)
        return NULL;
    reference_order_t *order = owner->orders.items[position];
    return order->client_order_id.value == client_order_id.value ? order : NULL;
}

reference_source_t *reference_add_source(reference_engine_t *engine, oc_source_id_t id)
{
    OC_ASSERT(id.value != 0);
    OC_ASSERT(!reference_find_source(engine, id));
    engine->sources = reference_grow(engine->sources, engine->source_count,
                                     &engine->source_capacity, sizeof *engine->sources);
    const size_t position = source_position(engine, id);
    memmove(&engine->sources[position + 1], &engine->sources[position],
            (engine->source_count - position) * sizeof *engine->sources);
    engine->sources[position] = reference_allocate(sizeof **engine->sources);
    engine->sources[position]->id = id;
    engine->source_count++;
    return engine->sources[position];
}

void reference_remove_source(reference_engine_t *engine, reference_source_t *source)
{
    OC_ASSERT(source->orders.count == 0);
    const size_t position = source_position(engine, source->id);
    OC_ASSERT(engine->sources[position] == source);
    engine->source_count--;
    memmove(&engine->sources[position], &engine->sources[position + 1],
            (engine->source_count - position) * sizeof *engine->sources);
    free(source->orders.items);
    free(source);
}

reference_instrument_t *reference_add_instrument(reference_engine_t *engine, oc_instrument_id_t id)
{
    OC_ASSERT(id.value != 0);
    OC_ASSERT(!reference_find_instrument(engine, id));
    engine->instruments = reference_grow(engine->instruments, engine->instrument_count,
                                         &engine->instrument_capacity, sizeof *engine->instruments);
    const size_t position = instrument_position(engine, id);
    memmove(&engine->instruments[position + 1], &engine->instruments[position],
            (engine->instrument_count - position) * sizeof *engine->instruments);
    engine->instruments[position] = reference_allocate(sizeof **engine->instruments);
    engine->instruments[position]->id = id;
    engine->instrument_count++;
    return engine->instruments[position];
}

uint32_t reference_count_orders(const reference_engine_t *engine)
{
    size_t count = 0;
    for (size_t i = 0; i < engine->source_count; i++)
        count += engine->sources[i]->orders.count;
    return (uint32_t)count;
}

uint32_t reference_count_side_levels(const reference_order_list_t *side)
{
    uint32_t count = 0;
    for (size_t i = 0; i < side->count; i++)
        if (i == 0 || side->items[i]->price_ticks != side->items[i - 1]->price_ticks)
            count++;
    return count;
}

uint32_t reference_count_levels(const reference_engine_t *engine)
{
    uint32_t count = 0;
    for (size_t i = 0; i < engine->instrument_count; i++) {
        count += reference_count_side_levels(&engine->instruments[i]->sides[OC_SIDE_BUY]);
        count += reference_count_side_levels(&engine->instruments[i]->sides[OC_SIDE_SELL]);
    }
    return count;
}

uint32_t reference_count_sessions(const reference_engine_t *engine)
{
    uint32_t count = 0;
    for (size_t i = 0; i < engine->source_count; i++)
        if (engine->sources[i]->session.value != 0)
            count++;
    return count;
}
