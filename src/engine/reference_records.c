/*
 * The reference engine's state, item by item, out and in (engine_records.h). Called through the
 * table of functions in reference_engine.c.
 *
 * Invariants: what goes out is read off the lists as they are; a run is one side of a book. What
 * comes in is added item by item and audited at the end. It must not know how the fast engine does
 * either.
 */
#include "engine/reference_records.h"
#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Out ---- */

void reference_totals(const oc_engine_t *base, engine_totals_t *totals)
{
    const reference_engine_t *engine = reference_of_const(base);
    totals->entry = engine->entry;
    totals->time_ns = engine->time_ns;
    totals->last_order_id = engine->last_order_id.value;
    totals->last_trade_id = engine->last_trade_id.value;
    totals->last_priority = engine->last_priority;
    totals->output = engine->output;
    totals->step_bound = engine->step_bound;
    totals->modify_priority = (uint32_t)engine->modify_priority;
    totals->restrictions = engine->restrictions;
}

void reference_source_ids(const oc_engine_t *base, oc_source_id_t *ids)
{
    const reference_engine_t *engine = reference_of_const(base);
    for (size_t i = 0; i < engine->source_count; i++)
        ids[i] = engine->sources[i]->id;
}

void reference_pending_items(const oc_engine_t *base, hash_pending_t *items)
{
    const reference_engine_t *engine = reference_of_const(base);
    for (size_t i = 0; i < engine->pending_count; i++) {
        items[i] = engine->pending[i];
        items[i].ordinal = i;
    }
}

oc_err_t reference_order_runs(const oc_engine_t *base, engine_order_run_t **runs, size_t *count)
{
    const reference_engine_t *engine = reference_of_const(base);
    uint64_t first = 0;
    *runs = reference_allocate((engine->instrument_count * 2 + 1) * sizeof **runs);
    for (size_t i = 0; i < engine->instrument_count; i++) {
        for (size_t side = 0; side < 2; side++) {
            const size_t orders = engine->instruments[i]->sides[side].count;
            if (orders == 0)
                continue;
            (*runs)[(*count)++] = (engine_order_run_t){
                .first = first,
                .count = (uint32_t)orders,
                .book = (uint32_t)(i * 2 + side),
            };
            first += orders;
        }
    }
    OC_ASSERT(first == reference_count_orders(engine));
    return OC_ERR_OK;
}

static engine_order_t item_of(const reference_order_t *order)
{
    const uint32_t flags = order->flags & (OC_FLAG_POST_ONLY | OC_FLAG_CANCEL_ON_DISCONNECT);
    return (engine_order_t){
        .client_order_id = order->client_order_id.value,
        .order_id = order->order_id.value,
        .priority = order->priority,
        .price_ticks = order->price_ticks,
        .open_lots = order->open_lots,
        .executed_lots = order->executed_lots,
        .source = order->source.value,
        .instrument = order->instrument.value,
        .terms = hash_order_terms(order->side, order->time_in_force, flags),
    };
}

/* Run after run, in one lane. */
size_t reference_walk_next(engine_walk_t *walk, engine_order_t *orders, uint64_t *places)
{
    const reference_engine_t *engine = reference_of_const(walk->engine);
    engine_walk_lane_t *lane = &walk->lane_at[0];
    size_t count = 0;
    while (count < ENGINE_WALK_BATCH && (lane->left || walk->run_count)) {
        if (lane->left == 0) {
            const engine_order_run_t *run = walk->runs++;
            walk->run_count--;
            *lane = (engine_walk_lane_t){run->first, 0, run->count, run->head, run->book, 0};
            continue;
        }
        const reference_instrument_t *instrument = engine->instruments[lane->book / 2];
        orders[count] = item_of(instrument->sides[lane->book % 2].items[lane->next++]);
        places[count++] = lane->place++;
        lane->left--;
    }
    return count;
}

/* ---- In ---- */

void reference_drop_all(reference_engine_t *engine)
{
    for (size_t i = 0; i < engine->source_count; i++) {
        reference_source_t *source = engine->sources[i];
        for (size_t k = 0; k < source->orders.count; k++)
            free(source->orders.items[k]);
        free(source->orders.items);
        free(source);
    }
    for (size_t i = 0; i < engine->instrument_count; i++) {
        free(engine->instruments[i]->sides[OC_SIDE_BUY].items);
        free(engine->instruments[i]->sides[OC_SIDE_SELL].items);
        free(engine->instruments[i]);
    }
    free(engine->sources);
    free(engine->instruments);
    free(engine->pending);
    engine->sources = NULL;
    engine->instruments = NULL;
    engine->pending = NULL;
    engine->source_count = engine->source_capacity = 0;
    engine->instrument_count = engine->instrument_capacity = 0;
    engine->pending_count = engine->pending_capacity = 0;
}

void reference_load_begin(oc_engine_t *base, const engine_totals_t *totals)
{
    reference_engine_t *engine = reference_of(base);
    OC_ASSERT(engine->event_count == 0);
    reference_drop_all(engine);
    load_check_begin(&engine->load, &engine->config, totals);
    engine->entry = totals->entry;
    engine->time_ns = totals->time_ns;
    engine->last_order_id.value = totals->last_order_id;
    engine->last_trade_id.value = totals->last_trade_id;
    engine->last_priority = totals->last_priority;
    engine->output = totals->output;
    engine->step_bound = totals->step_bound;
    engine->modify_priority = (oc_modify_priority_t)totals->modify_priority;
    engine->restrictions = totals->restrictions;
    engine->stopped = false;
}

oc_err_t reference_load_instrument(oc_engine_t *base, const oc_instrument_view_t *view)
{
    reference_engine_t *engine = reference_of(base);
    const oc_err_t err = load_check_instrument(&engine->load, view);
    if (err != OC_ERR_OK)
        return err;
    reference_instrument_t *instrument = reference_add_instrument(engine, view->id);
    instrument->state = view->state;
    instrument->price_low_ticks = view->price_low_ticks;
    instrument->price_high_ticks = view->price_high_ticks;
    instrument->max_quantity_lots = view->max_quantity_lots;
    instrument->mark_price_ticks = view->mark_price_ticks;
    instrument->has_mark_price = view->has_mark_price;
    return OC_ERR_OK;
}

static oc_err_t refuse(reference_engine_t *engine, const char *what, uint64_t id, const char *why)
{
    return load_check_fail(&engine->load,
                           error_set(OC_ERR_DAMAGED,
                                     "reference engine: state to load: %s %" PRIu64 ": %s", what,
                                     id, why));
}

oc_err_t reference_load_source(oc_engine_t *base, const oc_source_view_t *view)
{
    reference_engine_t *engine = reference_of(base);
    const oc_err_t err = load_check_source(&engine->load, view);
    if (err != OC_ERR_OK)
        return err;
    if (reference_find_session(engine, view->session))
        return refuse(engine, "source", view->id.value, "its session is another's too");
    reference_source_t *source = reference_add_source(engine, view->id);
    source->roles = view->roles;
    source->sequence = view->sequence;
    source->last_status = view->last_status;
    source->session = view->session;
    source->session_first = view->session_first;
    return OC_ERR_OK;
}

/* Puts an order that has been checked where it belongs. */
static void add_order(reference_instrument_t *instrument, reference_source_t *source,
                      const engine_order_t *item)
{
    reference_order_t *order = reference_allocate(sizeof *order);
    order->client_order_id.value = item->client_order_id;
    order->order_id.value = item->order_id;
    order->priority = item->priority;
    order->price_ticks = item->price_ticks;
    order->open_lots = item->open_lots;
    order->executed_lots = item->executed_lots;
    order->source = source->id;
    order->instrument = instrument->id;
    order->flags = terms_flags(item->terms);
    order->side = (uint8_t)(item->terms & 1);
    order->order_type = OC_ORDER_LIMIT;
    order->time_in_force = (uint8_t)terms_time_in_force(item->terms);
    reference_list_insert(&instrument->sides[order->side], reference_compare_place, order);
    reference_list_insert(&source->orders, reference_compare_client_id, order);
}

static oc_err_t load_order(reference_engine_t *engine, const engine_order_t *item)
{
    reference_instrument_t *instrument =
        reference_find_instrument(engine, (oc_instrument_id_t){item->instrument});
    oc_err_t err = OC_ERR_OK;
    if (!instrument)
        return refuse(engine, "order", item->order_id, "its instrument is not known");
    if (item->instrument != engine->load.instrument)
        err = load_check_book(&engine->load, item, instrument->state);
    if (err == OC_ERR_OK)
        err = load_check_order(&engine->load, item);
    if (err != OC_ERR_OK)
        return err;
    reference_source_t *source = reference_find_source(engine, (oc_source_id_t){item->source});
    if (!source)
        return refuse(engine, "order", item->order_id, "its source is not known");
    if (reference_find_order(engine, source->id, (oc_client_order_id_t){item->client_order_id}))
        return refuse(engine, "order", item->order_id,
                      "its source has another one of that client order id");
    add_order(instrument, source, item);
    return OC_ERR_OK;
}

oc_err_t reference_load_orders(oc_engine_t *base, const engine_order_t *orders, size_t count)
{
    reference_engine_t *engine = reference_of(base);
    oc_err_t err = load_check_orders(&engine->load);
    for (size_t i = 0; i < count && err == OC_ERR_OK; i++)
        err = load_order(engine, &orders[i]);
    return err;
}

oc_err_t reference_load_pending(oc_engine_t *base, const hash_pending_t *item)
{
    reference_engine_t *engine = reference_of(base);
    const oc_err_t err = load_check_pending(&engine->load, item);
    if (err != OC_ERR_OK)
        return err;
    if (item->source && !reference_find_source(engine, (oc_source_id_t){item->source}))
        return refuse(engine, "pending work", item->ordinal, "its source is not known");
    if (item->instrument &&
        !reference_find_instrument(engine, (oc_instrument_id_t){item->instrument}))
        return refuse(engine, "pending work", item->ordinal, "its instrument is not known");
    const oc_command_type_t command = (oc_command_type_t)item->command;
    if (command != OC_COMMAND_MASS_CANCEL &&
        reference_pending_find(engine, command, item->source, item->instrument))
        return refuse(engine, "pending work", item->ordinal,
                      "there is such work of its source or instrument before");
    engine->pending = reference_grow(engine->pending, engine->pending_count,
                                     &engine->pending_capacity, sizeof *engine->pending);
    engine->pending[engine->pending_count++] = *item;
    return OC_ERR_OK;
}

oc_err_t reference_load_end(oc_engine_t *base)
{
    reference_engine_t *engine = reference_of(base);
    char why[256] = "";
    const oc_err_t err = load_check_end(&engine->load);
    if (err != OC_ERR_OK)
        return err;
    if (!reference_audit(base, why, sizeof why))
        return load_check_fail(
            &engine->load, error_set(OC_ERR_DAMAGED, "reference engine: state to load: %s", why));
    return OC_ERR_OK;
}
