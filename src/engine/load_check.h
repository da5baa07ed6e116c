/*
 * What a state that is put in item by item must look like, whatever engine takes it: order of the
 * items, ranges, limits. Told of every item before the engine uses it; finding what an item names
 * is the engine's part.
 *
 * The one thing besides the vocabulary that both implementations share: it knows the form of the
 * stream, and nothing of how an engine works.
 */
#ifndef ENGINE_LOAD_CHECK_H
#define ENGINE_LOAD_CHECK_H

#include "engine/engine_records.h"

typedef enum load_phase {
    LOAD_NONE, /* no load is under way */
    LOAD_INSTRUMENTS,
    LOAD_SOURCES,
    LOAD_ORDERS,
    LOAD_PENDING,
    LOAD_FAILED,
} load_phase_t;

typedef struct load_check {
    const oc_engine_config_t *config; /* the engine's: the sizes of its tables */
    engine_totals_t totals;
    load_phase_t phase;
    uint32_t instruments; /* taken so far, as the others */
    uint32_t sources;
    uint32_t sessions;
    uint32_t orders;
    uint32_t levels;
    uint32_t mass_cancels;
    uint32_t pending;
    uint32_t last_id;       /* of the instrument, or the source, before */
    int64_t most_lots;      /* of one order: more could overflow a level's total */
    uint32_t instrument;    /* of the order before; 0: there was none */
    uint32_t side;          /* of it */
    uint64_t priority;      /* of it */
    int64_t price_ticks;    /* of it */
    int64_t best_bid_ticks; /* of `instrument` */
    bool has_bid;           /* `instrument` has one */
    bool may_cross;         /* `instrument` is in a state in which its book may be crossed */
} load_check_t;

/* Begins anew. Totals that cannot be fail the load: the next call tells. `config` is borrowed. */
void load_check_begin(load_check_t *check, const oc_engine_config_t *config,
                      const engine_totals_t *totals);

/* Notes that the load has failed, so that nothing more is taken; returns `err`. */
oc_err_t load_check_fail(load_check_t *check, oc_err_t err);

/* Each may return OC_ERR_DAMAGED or OC_ERR_INVALID_CONFIG with a context line. */
OC_MUST_CHECK oc_err_t load_check_instrument(load_check_t *check,
                                             const oc_instrument_view_t *instrument);
OC_MUST_CHECK oc_err_t load_check_source(load_check_t *check, const oc_source_view_t *source);
OC_MUST_CHECK oc_err_t load_check_pending(load_check_t *check, const hash_pending_t *item);
OC_MUST_CHECK oc_err_t load_check_end(load_check_t *check);

/* Orders come: no more instruments and sources. */
OC_MUST_CHECK oc_err_t load_check_orders(load_check_t *check);

/* The order's instrument is another than that of the order before; it exists and is in `state`. */
OC_MUST_CHECK oc_err_t load_check_book(load_check_t *check, const engine_order_t *order,
                                       oc_instrument_state_t state);

/* An order of the instrument that load_check_book() was told of. Whether names and ids are given
 * twice is not looked at. */
OC_MUST_CHECK oc_err_t load_check_order(load_check_t *check, const engine_order_t *order);

#endif
