/*
 * Rules 5, 6, 7 and what 13 says of them: orders come in, trade, rest, change and go. Called by
 * reference_engine.c, one function per command.
 *
 * Invariants: checks come first and in the order of the rules, and change nothing; after a trade
 * both sides' amounts add up to what they were; in continuous state a book is never left crossed.
 * It must not look at who may send what: rules 3 and 4 have been applied.
 */
#include "base/assert.h"
#include "engine/reference_internal.h"

#include <stdlib.h>

static uint8_t opposite_of(uint8_t side)
{
    return side == OC_SIDE_BUY ? OC_SIDE_SELL : OC_SIDE_BUY;
}

/* True when an order of `side` limited to `limit_ticks` may trade at `price_ticks`. */
static bool reaches(uint8_t side, int64_t limit_ticks, int64_t price_ticks)
{
    return side == OC_SIDE_BUY ? price_ticks <= limit_ticks : price_ticks >= limit_ticks;
}

static bool may_trade_at(const reference_order_t *taker, int64_t price_ticks)
{
    return taker->order_type == OC_ORDER_MARKET ||
           reaches(taker->side, taker->price_ticks, price_ticks);
}

static bool may_rest(uint8_t order_type, uint8_t time_in_force)
{
    return order_type == OC_ORDER_LIMIT &&
           (time_in_force == OC_TIF_GTC || time_in_force == OC_TIF_DAY);
}

static bool out_of_band(const reference_instrument_t *instrument, int64_t price_ticks)
{
    return price_ticks < instrument->price_low_ticks || price_ticks > instrument->price_high_ticks;
}

/* WOULD_CROSS, whatever the instrument's state: a post-only order never joins a crossed book. */
static bool would_cross(const reference_instrument_t *instrument, uint32_t flags, uint8_t side,
                        int64_t price_ticks)
{
    const reference_order_t *best = reference_best(instrument, opposite_of(side));
    return (flags & OC_FLAG_POST_ONLY) != 0 && best &&
           reaches(side, price_ticks, best->price_ticks);
}

/* LEVELS_FULL: an order cannot be queued at the price because that would need one level too many.
 */
static bool levels_full(const reference_engine_t *engine, const reference_instrument_t *instrument,
                        uint8_t side, int64_t price_ticks)
{
    if (reference_level(instrument, side, price_ticks).order_count > 0)
        return false;
    /* There are at most as many levels as orders: often that settles it without counting them. */
    if (reference_count_orders(engine) < engine->config.max_levels)
        return false;
    return reference_count_levels(engine) >= engine->config.max_levels;
}

static void emit_trade(reference_engine_t *engine, const reference_order_t *taker,
                       const reference_order_t *maker, int64_t lots)
{
    oc_event_t event = reference_order_event(OC_EVENT_TRADE, taker);
    event.price_ticks = maker->price_ticks;
    event.quantity_lots = lots;
    event.trade_id = engine->last_trade_id;
    reference_emit(engine, event);

    event = reference_order_event(OC_EVENT_FILL, maker);
    event.quantity_lots = lots;
    event.trade_id = engine->last_trade_id;
    reference_emit(engine, event);
}

static void trade_with(reference_engine_t *engine, reference_order_t *taker,
                       reference_order_t *maker)
{
    const int64_t lots = taker->open_lots < maker->open_lots ? taker->open_lots : maker->open_lots;
    OC_ASSERT(lots > 0);
    OC_ASSERT(taker->side != maker->side);
    taker->open_lots -= lots;
    taker->executed_lots += lots;
    maker->open_lots -= lots;
    maker->executed_lots += lots;
    engine->last_trade_id.value++;
    emit_trade(engine, taker, maker, lots);
    if (maker->open_lots == 0)
        reference_remove_order(engine, maker);
}

/* Trades what can be traded now: best price first, first come first served inside a level. */
static void trade(reference_engine_t *engine, const reference_instrument_t *instrument,
                  reference_order_t *taker)
{
    OC_ASSERT(instrument->state == OC_STATE_CONTINUOUS);
    const uint8_t side = opposite_of(taker->side);
    reference_order_t *maker = reference_best(instrument, side);
    while (taker->open_lots > 0 && maker && may_trade_at(taker, maker->price_ticks)) {
        const int64_t price_ticks = maker->price_ticks;
        do {
            trade_with(engine, taker, maker);
            maker = reference_best(instrument, side);
        } while (taker->open_lots > 0 && maker && maker->price_ticks == price_ticks);
        reference_emit_level(engine, instrument, side, price_ticks);
    }
}

/* Whether the orders that the taker may trade with add up to its quantity. */
static bool can_fill(const reference_instrument_t *instrument, const reference_order_t *taker)
{
    const reference_order_list_t *makers = &instrument->sides[opposite_of(taker->side)];
    int64_t open_lots = 0;
    for (size_t i = 0; i < makers->count && may_trade_at(taker, makers->items[i]->price_ticks); i++)
        open_lots += makers->items[i]->open_lots;
    return open_lots >= taker->open_lots;
}

/* Rule 13: why nothing may be added now; NONE when it may. */
static oc_reason_t restriction_of(const reference_engine_t *engine)
{
    if ((engine->restrictions & OC_RESTRICT_STORAGE) != 0)
        return OC_REASON_STORAGE_LOW;
    return engine->restrictions != 0 ? OC_REASON_NOT_RESUMED : OC_REASON_NONE;
}

static oc_reason_t check_new_fields(const reference_engine_t *engine,
                                    const reference_instrument_t *instrument,
                                    const oc_command_t *command)
{
    if (command->side > OC_SIDE_SELL)
        return OC_REASON_INVALID_SIDE;
    if (command->order_type > OC_ORDER_MARKET)
        return OC_REASON_INVALID_ORDER_TYPE;
    if (command->time_in_force > OC_TIF_FOK)
        return OC_REASON_INVALID_TIME_IN_FORCE;
    const bool rests = may_rest(command->order_type, command->time_in_force);
    if ((command->flags & OC_FLAG_POST_ONLY) != 0 && !rests)
        return OC_REASON_INVALID_FLAGS;
    if (instrument->state == OC_STATE_CLOSED || instrument->state == OC_STATE_HALTED)
        return OC_REASON_INSTRUMENT_STATE;
    if (instrument->state == OC_STATE_PRE_OPEN && !rests)
        return OC_REASON_INSTRUMENT_STATE;
    if (engine->restrictions != 0)
        return restriction_of(engine);
    if (command->u.order.quantity_lots <= 0)
        return OC_REASON_INVALID_QUANTITY;
    if (command->u.order.quantity_lots > instrument->max_quantity_lots)
        return OC_REASON_QUANTITY_TOO_LARGE;
    if (command->order_type == OC_ORDER_LIMIT &&
        out_of_band(instrument, command->u.order.price_ticks))
        return OC_REASON_PRICE_OUT_OF_BAND;
    return OC_REASON_NONE;
}

static oc_reason_t check_new(const reference_engine_t *engine,
                             const reference_instrument_t *instrument, const oc_command_t *command)
{
    if (!instrument)
        return OC_REASON_UNKNOWN_INSTRUMENT;
    const oc_reason_t reason = check_new_fields(engine, instrument, command);
    if (reason != OC_REASON_NONE)
        return reason;
    const int64_t price_ticks = command->u.order.price_ticks;
    if (reference_find_order(engine, command->source, command->u.order.client_order_id))
        return OC_REASON_DUPLICATE_ORDER;
    if (would_cross(instrument, command->flags, command->side, price_ticks))
        return OC_REASON_WOULD_CROSS;
    if (!may_rest(command->order_type, command->time_in_force))
        return OC_REASON_NONE;
    if (reference_count_orders(engine) >= engine->config.max_orders)
        return OC_REASON_ORDERS_FULL;
    if (levels_full(engine, instrument, command->side, price_ticks))
        return OC_REASON_LEVELS_FULL;
    return OC_REASON_NONE;
}

static reference_order_t *create_order(reference_engine_t *engine, const oc_command_t *command)
{
    reference_order_t *order = reference_allocate(sizeof *order);
    OC_ASSERT(command->u.order.quantity_lots > 0);
    order->client_order_id = command->u.order.client_order_id;
    order->order_id.value = ++engine->last_order_id.value;
    order->price_ticks = command->order_type == OC_ORDER_MARKET ? 0 : command->u.order.price_ticks;
    order->open_lots = command->u.order.quantity_lots;
    order->source = command->source;
    order->instrument = command->instrument;
    order->flags = command->flags;
    order->side = command->side;
    order->order_type = command->order_type;
    order->time_in_force = command->time_in_force;
    return order;
}

/* What is left of an order that may not rest. */
static void emit_unfilled(reference_engine_t *engine, const reference_order_t *order,
                          const oc_command_t *command)
{
    oc_event_t event = reference_order_event(OC_EVENT_CANCELLED, order);
    event.reason = OC_REASON_UNFILLED;
    event.command = command->type;
    event.quantity_lots = order->open_lots;
    event.open_lots = 0;
    event.sequence = command->sequence;
    reference_emit(engine, event);
}

oc_reason_t reference_new(reference_engine_t *engine, const oc_command_t *command)
{
    reference_instrument_t *instrument = reference_find_instrument(engine, command->instrument);
    const oc_reason_t reason = check_new(engine, instrument, command);
    if (reason != OC_REASON_NONE)
        return reason;

    reference_order_t *order = create_order(engine, command);
    oc_event_t event = reference_order_event(OC_EVENT_ACCEPTED, order);
    event.quantity_lots = order->open_lots;
    event.sequence = command->sequence;
    reference_emit(engine, event);

    const bool all_or_nothing = order->time_in_force == OC_TIF_FOK;
    if (instrument->state == OC_STATE_CONTINUOUS &&
        (!all_or_nothing || can_fill(instrument, order)))
        trade(engine, instrument, order);

    if (order->open_lots > 0 && may_rest(order->order_type, order->time_in_force)) {
        reference_source_t *source = reference_find_source(engine, order->source);
        OC_ASSERT(source != NULL);
        reference_list_insert(&source->orders, reference_compare_client_id, order);
        reference_queue_order(engine, instrument, order);
        return OC_REASON_NONE;
    }
    if (order->open_lots > 0)
        emit_unfilled(engine, order, command);
    free(order);
    return OC_REASON_NONE;
}

/* The live order that a CANCEL or MODIFY of `owner` names, or NULL. */
static reference_order_t *named_order(const reference_engine_t *engine, oc_source_id_t owner,
                                      const oc_command_t *command)
{
    reference_order_t *order =
        reference_find_order(engine, owner, command->u.order.client_order_id);
    if (!order)
        return NULL;
    if (command->instrument.value != 0 && command->instrument.value != order->instrument.value)
        return NULL;
    return order;
}

oc_reason_t reference_cancel(reference_engine_t *engine, const oc_command_t *command)
{
    oc_source_id_t owner = command->u.order.owner;
    if (owner.value == 0)
        owner = command->source;
    const bool is_own = owner.value == command->source.value;
    const reference_source_t *sender = reference_find_source(engine, command->source);
    if (!is_own && sender && (sender->roles & OC_ROLE_RISK) == 0)
        return OC_REASON_WRONG_OWNER;
    reference_order_t *order = named_order(engine, owner, command);
    if (!order)
        return OC_REASON_UNKNOWN_ORDER;
    OC_ASSERT(order->source.value == owner.value);
    if (!is_own)
        reference_confirm(engine, command);
    reference_end_order(engine, order, OC_REASON_REQUESTED, command->type,
                        is_own ? command->sequence : 0);
    return OC_REASON_NONE;
}

static oc_reason_t check_modify(const reference_engine_t *engine,
                                const reference_instrument_t *instrument,
                                const reference_order_t *order, const oc_command_t *command)
{
    const int64_t quantity_lots = command->u.order.quantity_lots;
    if (reference_pending_awaits(engine, order))
        return OC_REASON_PENDING_CANCEL;
    if (instrument->state == OC_STATE_CLOSED || instrument->state == OC_STATE_HALTED)
        return OC_REASON_INSTRUMENT_STATE;
    if (quantity_lots <= 0)
        return OC_REASON_INVALID_QUANTITY;
    if (quantity_lots > instrument->max_quantity_lots)
        return OC_REASON_QUANTITY_TOO_LARGE;
    if ((command->flags & OC_FLAG_OPEN_QUANTITY) != 0 &&
        order->executed_lots > INT64_MAX - quantity_lots)
        return OC_REASON_QUANTITY_TOO_LARGE;
    if (out_of_band(instrument, command->u.order.price_ticks))
        return OC_REASON_PRICE_OUT_OF_BAND;
    return OC_REASON_NONE;
}

static void change(reference_engine_t *engine, reference_order_t *order, int64_t open_lots,
                   const oc_command_t *command)
{
    OC_ASSERT(open_lots > 0);
    order->price_ticks = command->u.order.price_ticks;
    order->open_lots = open_lots;
    oc_event_t event = reference_order_event(OC_EVENT_MODIFIED, order);
    event.quantity_lots = order->executed_lots + open_lots;
    event.sequence = command->sequence;
    reference_emit(engine, event);
}

static void change_in_place(reference_engine_t *engine, const reference_instrument_t *instrument,
                            reference_order_t *order, int64_t open_lots,
                            const oc_command_t *command)
{
    OC_ASSERT(open_lots <= order->open_lots);
    const bool level_changes = open_lots != order->open_lots;
    change(engine, order, open_lots, command);
    if (level_changes)
        reference_emit_level(engine, instrument, order->side, order->price_ticks);
}

static oc_reason_t change_place(reference_engine_t *engine, reference_instrument_t *instrument,
                                reference_order_t *order, int64_t open_lots,
                                const oc_command_t *command)
{
    const int64_t new_price_ticks = command->u.order.price_ticks;
    const int64_t old_price_ticks = order->price_ticks;
    OC_ASSERT(may_rest(order->order_type, order->time_in_force));
    if (would_cross(instrument, order->flags, order->side, new_price_ticks))
        return OC_REASON_WOULD_CROSS;
    if (levels_full(engine, instrument, order->side, new_price_ticks))
        return OC_REASON_LEVELS_FULL;

    reference_list_remove(&instrument->sides[order->side], reference_compare_place, order);
    order->priority = 0;
    change(engine, order, open_lots, command);
    reference_emit_level(engine, instrument, order->side, old_price_ticks);
    if (instrument->state == OC_STATE_CONTINUOUS)
        trade(engine, instrument, order);
    if (order->open_lots > 0) {
        reference_queue_order(engine, instrument, order);
        return OC_REASON_NONE;
    }
    reference_source_t *source = reference_find_source(engine, order->source);
    OC_ASSERT(source != NULL);
    reference_list_remove(&source->orders, reference_compare_client_id, order);
    free(order);
    return OC_REASON_NONE;
}

oc_reason_t reference_modify(reference_engine_t *engine, const oc_command_t *command)
{
    reference_order_t *order = named_order(engine, command->source, command);
    if (!order)
        return OC_REASON_UNKNOWN_ORDER;
    reference_instrument_t *instrument = reference_find_instrument(engine, order->instrument);
    OC_ASSERT(instrument != NULL);
    const oc_reason_t reason = check_modify(engine, instrument, order, command);
    if (reason != OC_REASON_NONE)
        return reason;

    const int64_t quantity_lots = command->u.order.quantity_lots;
    const int64_t open_lots = (command->flags & OC_FLAG_OPEN_QUANTITY) != 0
                                  ? quantity_lots
                                  : quantity_lots - order->executed_lots;
    if (open_lots <= 0) {
        reference_end_order(engine, order, OC_REASON_NOTHING_LEFT, command->type,
                            command->sequence);
        return OC_REASON_NONE;
    }
    const bool adds =
        command->u.order.price_ticks != order->price_ticks || open_lots > order->open_lots;
    if (adds && engine->restrictions != 0)
        return restriction_of(engine);
    if (!adds && engine->modify_priority == OC_PRIORITY_KEEP) {
        change_in_place(engine, instrument, order, open_lots, command);
        return OC_REASON_NONE;
    }
    return change_place(engine, instrument, order, open_lots, command);
}
