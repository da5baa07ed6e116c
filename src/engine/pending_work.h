/*
 * Work that a command leaves behind and later commands finish in bounded steps: mass cancels,
 * cancels on disconnect, expiry of DAY orders.
 */
#ifndef ENGINE_PENDING_WORK_H
#define ENGINE_PENDING_WORK_H

#include "engine/fast_state.h"

enum { PENDING_SIDE_NONE = 2 }; /* pending_item_t.side before the first order was looked at */

/* Items the queue must have room for: only those of mass cancels are limited, the others are one
 * each. */
uint32_t pending_capacity(const oc_engine_config_t *config);

/* Spends up to `budget` steps on the front of the queue; returns what is left of it. */
uint32_t pending_run(fast_engine_t *e, uint32_t budget);

/* Whether an item in the queue will end this order. */
bool pending_covers(const fast_engine_t *e, uint32_t order);

/* Whether an item in the queue works on the orders of this source. */
bool pending_targets(const fast_engine_t *e, uint32_t source);

/* Queues, or renews, the cancel on disconnect of a source and the expiry of an instrument's DAY
 * orders. */
void pending_disconnect(fast_engine_t *e, uint32_t source);
void pending_expire(fast_engine_t *e, uint32_t instrument);

/* The item at a distance from the front, by ids; and as the state hash sees it. */
hash_pending_t pending_logical(const fast_engine_t *e, uint32_t ordinal);
uint64_t pending_hash_item(const fast_engine_t *e, uint32_t ordinal);

#endif
