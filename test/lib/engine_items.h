/*
 * An engine's state as a list of items, taken out and put in through engine_records.h.
 */
#ifndef TEST_LIB_ENGINE_ITEMS_H
#define TEST_LIB_ENGINE_ITEMS_H

#include "engine/engine_records.h"

#include <stdbool.h>

typedef struct engine_items {
    engine_totals_t totals;
    oc_instrument_view_t *instruments; /* owned, as the other arrays */
    oc_source_view_t *sources;
    engine_order_t *orders; /* in the order of the stream */
    hash_pending_t *pending;
    size_t instrument_count;
    size_t source_count;
    size_t order_count;
    size_t pending_count;
} engine_items_t;

/* Takes everything out; fails the test when the walk does not give each order once. */
void engine_items_take(engine_items_t *items, const oc_engine_t *engine);
void engine_items_free(engine_items_t *items);

/* A copy with room for one more item of each kind. */
void engine_items_copy(engine_items_t *copy, const engine_items_t *items);

/* Puts everything into the engine; the first error ends it. Orders go in in calls of up to
 * `together`. */
oc_err_t engine_items_load(const engine_items_t *items, oc_engine_t *engine, size_t together);

/* Fails the test unless both are equal, item by item. */
void engine_items_assert_equal(const engine_items_t *a, const engine_items_t *b);

#endif
