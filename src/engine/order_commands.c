/*
 * New, cancel, modify. Called through command_handlers.h.
 *
 * Invariant: until the last check of a command has passed nothing but look-ups has been done.
 */
#include "engine/command_handlers.h"
#include "engine/live_orders.h"
#include "engine/matching.h"
#include "engine/pending_work.h"
#include "engine/price_levels.h"

#define REST_FLAGS (OC_FLAG_POST_ONLY | OC_FLAG_CANCEL_ON_DISCONNECT)

/* The worst price an order takes: its own, or any for a market order. */
static int64_t limit_of(const oc_command_t *c)
{
    if (LIKELY(c->order_type == OC_ORDER_LIMIT))
        return c->u.order.price_ticks;
    return c->side == OC_SIDE_BUY ? INT64_MAX : INT64_MIN;
}

static bool may_rest(const oc_command_t *c)
{
    return c->order_type == OC_ORDER_LIMIT && c->time_in_force <= OC_TIF_DAY;
}

/* Room for one more order and, if the price has none, for its level. */
static oc_reason_t check_room(const fast_engine_t *e, uint32_t book, int64_t price_ticks,
                              uint32_t orders)
{
    const engine_header_t *h = e->header;
    if (UNLIKELY(h->orders.used + orders > h->orders.capacity))
        return OC_REASON_ORDERS_FULL;
    if (UNLIKELY(h->levels.used == h->levels.capacity) && !price_levels_find(e, book, price_ticks))
        return OC_REASON_LEVELS_FULL;
    return OC_REASON_NONE;
}

static oc_reason_t check_fields(const oc_command_t *c)
{
    if (LIKELY((c->side | c->order_type) <= 1 && c->time_in_force <= OC_TIF_FOK &&
               !(c->flags & OC_FLAG_POST_ONLY)))
        return OC_REASON_NONE; /* nothing below can apply */
    if (UNLIKELY(c->side > OC_SIDE_SELL))
        return OC_REASON_INVALID_SIDE;
    if (UNLIKELY(c->order_type > OC_ORDER_MARKET))
        return OC_REASON_INVALID_ORDER_TYPE;
    if (UNLIKELY(c->time_in_force > OC_TIF_FOK))
        return OC_REASON_INVALID_TIME_IN_FORCE;
    if (UNLIKELY((c->flags & OC_FLAG_POST_ONLY) && !may_rest(c)))
        return OC_REASON_INVALID_FLAGS;
    return OC_REASON_NONE;
}

/* Rule 13: why nothing may be added. */
static oc_reason_t restriction_reason(uint32_t restrictions)
{
    OC_ASSERT(restrictions != 0);
    return restrictions & OC_RESTRICT_STORAGE ? OC_REASON_STORAGE_LOW : OC_REASON_NOT_RESUMED;
}

static oc_reason_t check_instrument(const instrument_record_t *instrument, const oc_command_t *c,
                                    bool resting, uint32_t restrictions)
{
    if (UNLIKELY(instrument->state != OC_STATE_CONTINUOUS) &&
        (instrument->state != OC_STATE_PRE_OPEN || !resting))
        return OC_REASON_INSTRUMENT_STATE;
    if (UNLIKELY(restrictions))
        return restriction_reason(restrictions);
    if (UNLIKELY(c->u.order.quantity_lots <= 0))
        return OC_REASON_INVALID_QUANTITY;
    if (UNLIKELY(c->u.order.quantity_lots > instrument->max_quantity_lots))
        return OC_REASON_QUANTITY_TOO_LARGE;
    if (LIKELY(c->order_type == OC_ORDER_LIMIT) &&
        UNLIKELY(c->u.order.price_ticks < instrument->price_low_ticks ||
                 c->u.order.price_ticks > instrument->price_high_ticks))
        return OC_REASON_PRICE_OUT_OF_BAND;
    return OC_REASON_NONE;
}

static oc_reason_t check_new(fast_engine_t *e, const oc_command_t *c, uint32_t source,
                             uint32_t instrument_index, uint32_t index_hash, bool resting)
{
    const instrument_record_t *instrument = &e->instruments[instrument_index];
    oc_reason_t reason = check_fields(c);
    if (UNLIKELY(reason != OC_REASON_NONE))
        return reason;
    reason = check_instrument(instrument, c, resting, e->header->restrictions);
    if (UNLIKELY(reason != OC_REASON_NONE))
        return reason;
    if (UNLIKELY(order_index_find(e, index_hash, source, c->u.order.client_order_id.value)))
        return OC_REASON_DUPLICATE_ORDER;
    if (UNLIKELY(c->flags & OC_FLAG_POST_ONLY) &&
        matching_would_trade(e, instrument, c->side, c->u.order.price_ticks))
        return OC_REASON_WOULD_CROSS;
    if (!resting)
        return OC_REASON_NONE;
    return check_room(e, instrument_index * 2 + c->side, c->u.order.price_ticks, 1);
}

/* Queues what is left of an aggressor at the end of its level; order and source have been touched.
 */
ALWAYS_INLINE void rest(fast_engine_t *e, const aggressor_t *a, uint32_t index)
{
    OC_ASSERT(a->open_lots > 0);
    const uint32_t book = a->instrument * 2 + a->side;
    uint32_t level_index = price_levels_find_near(e, e->level_hint, book, a->limit_ticks);
    if (!level_index)
        level_index = price_levels_add(e, book, a->limit_ticks);
    level_record_t *level = &e->levels[level_index];
    touch(e, level);
    order_record_t *order = &e->orders[index];
    order->priority = ++e->header->last_priority;
    order->open_lots = a->open_lots;
    order->executed_lots = a->executed_lots;
    order_queue_join(e, level_index, index);
    level->order_count++;
    level->open_lots += a->open_lots;
    e->header->item_sum += live_order_item(e, order, level);
    emit_level(e, level);
}

static void rest_new(fast_engine_t *e, const oc_command_t *c, const aggressor_t *a,
                     uint32_t index_hash)
{
    const uint32_t index = live_order_take(e);
    order_record_t *order = &e->orders[index];
    order->client_order_id = a->client_order_id;
    order->order_id = a->order_id;
    order->source = a->source;
    order->terms = ORDER_LIVE | hash_order_terms(c->side, c->time_in_force, c->flags & REST_FLAGS);
    source_list_join(e, &e->sources[a->source], index); /* the sender: touched */
    order_index_insert(e, index_hash, index);
    rest(e, a, index);
}

static void emit_accepted(fast_engine_t *e, const oc_command_t *c, uint64_t order_id)
{
    *event_buffer_next(e) = (oc_event_t){
        .type = OC_EVENT_ACCEPTED,
        .side = c->side,
        .instrument = c->instrument,
        .source = c->source,
        .entry = e->header->entry,
        .client_order_id = c->u.order.client_order_id,
        .order_id = {order_id},
        .price_ticks = c->order_type == OC_ORDER_LIMIT ? c->u.order.price_ticks : 0,
        .quantity_lots = c->u.order.quantity_lots,
        .open_lots = c->u.order.quantity_lots,
        .sequence = c->sequence,
    };
}

/* The rest of an order that may not rest. */
static void emit_unfilled(fast_engine_t *e, const oc_command_t *c, const aggressor_t *a)
{
    *event_buffer_next(e) = (oc_event_t){
        .type = OC_EVENT_CANCELLED,
        .side = c->side,
        .reason = OC_REASON_UNFILLED,
        .command = OC_COMMAND_NEW,
        .instrument = c->instrument,
        .source = c->source,
        .entry = e->header->entry,
        .client_order_id = {a->client_order_id},
        .order_id = {a->order_id},
        .price_ticks = c->order_type == OC_ORDER_LIMIT ? c->u.order.price_ticks : 0,
        .quantity_lots = a->open_lots,
        .executed_lots = a->executed_lots,
        .sequence = c->sequence,
    };
}

/* Begins to fetch where the order will rest, long before it does: the processor looks only so many
 * instructions ahead. rest() takes the level from the hint; matching never touches this side. */
static inline void fetch_place(fast_engine_t *e, const oc_command_t *c, uint32_t instrument)
{
    const uint32_t book = instrument * 2 + (c->side & 1);
    e->level_hint = price_levels_find_near(e, e->level_hint, book, c->u.order.price_ticks);
    __builtin_prefetch(&e->orders[e->levels[e->level_hint].tail]);
}

oc_reason_t order_new(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    const uint32_t instrument = instrument_find(e, c->instrument);
    if (UNLIKELY(!instrument))
        return OC_REASON_UNKNOWN_INSTRUMENT;
    matching_warm_up(e, instrument);
    const uint64_t client_id = c->u.order.client_order_id.value;
    const uint32_t index_hash = order_index_hash(e, sender->index, client_id);
    const bool resting = may_rest(c);
    if (!e->looked_ahead && resting)
        fetch_place(e, c, instrument);
    const oc_reason_t reason = check_new(e, c, sender->index, instrument, index_hash, resting);
    if (UNLIKELY(reason != OC_REASON_NONE))
        return reason;

    aggressor_t a = {
        .client_order_id = client_id,
        .order_id = ++e->header->last_order_id,
        .limit_ticks = limit_of(c),
        .open_lots = c->u.order.quantity_lots,
        .source = sender->index,
        .source_id = c->source.value,
        .instrument = instrument,
        .side = c->side,
    };
    emit_accepted(e, c, a.order_id);
    if (matching_would_trade(e, &e->instruments[instrument], a.side, a.limit_ticks) &&
        LIKELY(e->instruments[instrument].state == OC_STATE_CONTINUOUS) &&
        (c->time_in_force != OC_TIF_FOK || matching_can_fill(e, &a)))
        matching_run(e, &a);
    if (a.open_lots == 0)
        return OC_REASON_NONE;
    if (resting)
        rest_new(e, c, &a, index_hash);
    else
        emit_unfilled(e, c, &a);
    return OC_REASON_NONE;
}

/* A live order by owner and client id, of the command's instrument if it names one; 0 if none. */
static uint32_t find_order(const fast_engine_t *e, const oc_command_t *c, uint32_t owner)
{
    if (UNLIKELY(!owner))
        return 0;
    const uint64_t client_id = c->u.order.client_order_id.value;
    const uint32_t hash = order_index_hash(e, owner, client_id);
    const uint32_t index = order_index_find(e, hash, owner, client_id);
    if (!e->looked_ahead)
        live_order_prefetch(e, index);
    if (!index || !c->instrument.value)
        return index;
    const level_record_t *level = &e->levels[e->orders[index].level];
    return level_instrument_id(e, level) == c->instrument.value ? index : 0;
}

oc_reason_t order_cancel(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    uint32_t owner = sender->index;
    const bool own = c->u.order.owner.value == 0 || c->u.order.owner.value == c->source.value;
    if (UNLIKELY(!own)) {
        if (!(sender->roles & OC_ROLE_RISK))
            return OC_REASON_WRONG_OWNER;
        owner = id_map_find(&e->ids, c->u.order.owner.value, ID_SOURCE);
    }
    const uint32_t index = find_order(e, c, owner);
    if (UNLIKELY(!index))
        return OC_REASON_UNKNOWN_ORDER;
    if (UNLIKELY(!own))
        emit_confirmed(e, c);
    live_order_end(e, index,
                   &(order_end_t){
                       .event = OC_EVENT_CANCELLED,
                       .reason = OC_REASON_REQUESTED,
                       .command = OC_COMMAND_CANCEL,
                       .sequence = own ? c->sequence : 0,
                   });
    return OC_REASON_NONE;
}

static void emit_modified(fast_engine_t *e, const oc_command_t *c, const order_record_t *order,
                          uint32_t instrument_id)
{
    *event_buffer_next(e) = (oc_event_t){
        .type = OC_EVENT_MODIFIED,
        .side = (uint8_t)(order->terms & 1),
        .instrument = {instrument_id},
        .source = c->source,
        .entry = e->header->entry,
        .client_order_id = {order->client_order_id},
        .order_id = {order->order_id},
        .price_ticks = c->u.order.price_ticks,
        .quantity_lots = order->open_lots + order->executed_lots,
        .open_lots = order->open_lots,
        .executed_lots = order->executed_lots,
        .sequence = c->sequence,
    };
}

static oc_reason_t check_modify(const oc_command_t *c, const instrument_record_t *instrument,
                                const order_record_t *order)
{
    const int64_t lots = c->u.order.quantity_lots;
    if (UNLIKELY(instrument->state != OC_STATE_CONTINUOUS &&
                 instrument->state != OC_STATE_PRE_OPEN))
        return OC_REASON_INSTRUMENT_STATE;
    if (UNLIKELY(lots <= 0))
        return OC_REASON_INVALID_QUANTITY;
    if (UNLIKELY(lots > instrument->max_quantity_lots))
        return OC_REASON_QUANTITY_TOO_LARGE;
    if (UNLIKELY((c->flags & OC_FLAG_OPEN_QUANTITY) && order->executed_lots > INT64_MAX - lots))
        return OC_REASON_QUANTITY_TOO_LARGE;
    if (UNLIKELY(c->u.order.price_ticks < instrument->price_low_ticks ||
                 c->u.order.price_ticks > instrument->price_high_ticks))
        return OC_REASON_PRICE_OUT_OF_BAND;
    return OC_REASON_NONE;
}

/* Same price, no more open than before: the order keeps its place. */
static void modify_in_place(fast_engine_t *e, const oc_command_t *c, order_record_t *order,
                            int64_t open_lots)
{
    level_record_t *level = &e->levels[order->level];
    const int64_t less = order->open_lots - open_lots;
    OC_ASSERT(less >= 0);
    touch(e, order);
    touch(e, level);
    e->header->item_sum -= live_order_item(e, order, level);
    order->open_lots = open_lots;
    level->open_lots -= less;
    e->header->item_sum += live_order_item(e, order, level);
    emit_modified(e, c, order, level_instrument_id(e, level));
    if (less)
        emit_level(e, level);
}

/* The order leaves its level, trades as if new, and what is left goes to the end of the queue. */
static void modify_and_requeue(fast_engine_t *e, const oc_command_t *c, uint32_t index,
                               int64_t open_lots)
{
    order_record_t *order = &e->orders[index];
    const uint32_t level_index = order->level;
    level_record_t *level = &e->levels[level_index];
    aggressor_t a = {
        .client_order_id = order->client_order_id,
        .order_id = order->order_id,
        .limit_ticks = c->u.order.price_ticks,
        .open_lots = open_lots,
        .executed_lots = order->executed_lots,
        .source = order->source,
        .source_id = c->source.value,
        .instrument = level->book >> 1,
        .side = level->book & 1,
    };
    live_order_leave(e, index);
    order->open_lots = open_lots;
    emit_modified(e, c, order, level_instrument_id(e, level));
    emit_level(e, level);
    if (level->order_count == 0)
        price_levels_remove(e, level_index);
    if (LIKELY(e->instruments[a.instrument].state == OC_STATE_CONTINUOUS))
        matching_run(e, &a);
    if (a.open_lots)
        rest(e, &a, index);
    else
        live_order_drop(e, index);
}

oc_reason_t order_modify(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    const uint32_t index = find_order(e, c, sender->index);
    if (UNLIKELY(!index))
        return OC_REASON_UNKNOWN_ORDER;
    if (UNLIKELY(e->header->pending_count) && pending_covers(e, index))
        return OC_REASON_PENDING_CANCEL;
    order_record_t *order = &e->orders[index];
    const level_record_t *level = &e->levels[order->level];
    const instrument_record_t *instrument = &e->instruments[level->book >> 1];
    oc_reason_t reason = check_modify(c, instrument, order);
    if (UNLIKELY(reason != OC_REASON_NONE))
        return reason;

    const bool open_given = (c->flags & OC_FLAG_OPEN_QUANTITY) != 0;
    const int64_t open_lots = c->u.order.quantity_lots - (open_given ? 0 : order->executed_lots);
    const int64_t price_ticks = c->u.order.price_ticks;
    if (open_lots <= 0) {
        live_order_end(e, index,
                       &(order_end_t){
                           .event = OC_EVENT_CANCELLED,
                           .reason = OC_REASON_NOTHING_LEFT,
                           .command = OC_COMMAND_MODIFY,
                           .sequence = c->sequence,
                       });
        return OC_REASON_NONE;
    }
    const bool reduces = price_ticks == level->price_ticks && open_lots <= order->open_lots;
    if (UNLIKELY(e->header->restrictions) && !reduces)
        return restriction_reason(e->header->restrictions);
    if (reduces && e->header->modify_priority == OC_PRIORITY_KEEP) {
        modify_in_place(e, c, order, open_lots);
        return OC_REASON_NONE;
    }
    if (UNLIKELY(terms_flags(order->terms) & OC_FLAG_POST_ONLY) &&
        matching_would_trade(e, instrument, level->book & 1, price_ticks))
        return OC_REASON_WOULD_CROSS;
    reason = check_room(e, level->book, price_ticks, 0);
    if (UNLIKELY(reason != OC_REASON_NONE))
        return reason;
    modify_and_requeue(e, c, index, open_lots);
    return OC_REASON_NONE;
}
