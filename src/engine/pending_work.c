/*
 * The queue of pending work and its two walks. Called at the start of every command, and at the end
 * of one that queued something.
 *
 * Invariants:
 *  - only the front item is worked on, so one place in a source's list and one place in a book
 *    suffice (header.list_*, header.walk_*). They only save the search: what an item has done is
 *    said by looked_at, price_ticks and side, which are part of the state hash; the places are not;
 *  - an order that an item will end cannot change its place (modify is refused), and orders that
 *    came later stand behind it in its level, so no walk can miss one;
 *  - what may cover an order is found without a look through the queue: by its source, its
 *    instrument, and the ring of mass cancels, of which there are at most max_pending;
 *  - disconnect work is queued at most once per source, expiry at most once per instrument, so the
 *    queue cannot overflow.
 */
#include "engine/pending_work.h"

#include "engine/command_handlers.h"
#include "engine/live_orders.h"
#include "engine/price_levels.h"

uint32_t pending_capacity(const oc_engine_config_t *config)
{
    return config->max_pending + config->max_sources + config->max_instruments;
}

static uint32_t slot_of(const fast_engine_t *e, uint32_t ordinal)
{
    OC_ASSERT(ordinal < e->header->pending_count);
    return (uint32_t)(((uint64_t)e->header->pending_head + ordinal) % e->pending_capacity);
}

static pending_item_t *item_at(const fast_engine_t *e, uint32_t ordinal)
{
    return &e->pending[slot_of(e, ordinal)];
}

static void forget_places(fast_engine_t *e)
{
    engine_header_t *h = e->header;
    h->walk_level = h->walk_order = h->list_chunk = h->list_slot = 0;
}

/* Whether the item ends the order, its id limit apart. */
static bool item_selects(const fast_engine_t *e, const pending_item_t *item,
                         const order_record_t *order)
{
    const uint32_t book = e->levels[order->level].book;
    if (item->instrument && item->instrument != book >> 1)
        return false;
    if (item->sides != OC_SIDES_BOTH && item->sides - 1u != (book & 1))
        return false;
    switch (item->command) {
    case OC_COMMAND_SESSION_DOWN:
        return (terms_flags(order->terms) & OC_FLAG_CANCEL_ON_DISCONNECT) != 0;
    case OC_COMMAND_INSTRUMENT_STATE:
        return terms_time_in_force(order->terms) == OC_TIF_DAY;
    default:
        return order->order_id >= item->first;
    }
}

static void end_order(fast_engine_t *e, pending_item_t *item, uint32_t index)
{
    static const order_end_t mass_cancel = {
        .event = OC_EVENT_CANCELLED,
        .reason = OC_REASON_MASS_CANCEL,
        .command = OC_COMMAND_MASS_CANCEL,
    };
    static const order_end_t disconnect = {
        .event = OC_EVENT_CANCELLED,
        .reason = OC_REASON_DISCONNECT,
        .command = OC_COMMAND_SESSION_DOWN,
    };
    static const order_end_t end_of_day = {
        .event = OC_EVENT_EXPIRED,
        .reason = OC_REASON_END_OF_DAY,
        .command = OC_COMMAND_INSTRUMENT_STATE,
    };
    const order_end_t *end = item->command == OC_COMMAND_MASS_CANCEL    ? &mass_cancel
                             : item->command == OC_COMMAND_SESSION_DOWN ? &disconnect
                                                                        : &end_of_day;
    live_order_end(e, index, end);
    item->ended++;
}

/* One order of the source's list; false if none is left. */
static bool step_source(fast_engine_t *e, pending_item_t *item)
{
    const uint32_t index = source_list_next(e, &e->sources[item->source]);
    if (!index || e->orders[index].order_id > item->limit)
        return false;
    const order_record_t *order = &e->orders[index];
    OC_ASSERT(order->order_id > item->looked_at);
    item->looked_at = order->order_id;
    e->header->list_slot++;
    if (item_selects(e, item, order))
        end_order(e, item, index);
    return true;
}

static uint32_t best_level(const fast_engine_t *e, const pending_item_t *item, uint32_t side)
{
    const bool wanted = item->sides == OC_SIDES_BOTH || item->sides - 1u == side;
    return wanted ? e->instruments[item->instrument].best[side] : 0;
}

/* The level behind the last order looked at: its own when that has new orders, else the next. */
static uint32_t level_to_go_on(const fast_engine_t *e, const pending_item_t *item)
{
    const uint32_t book = item->instrument * 2 + item->side;
    if (item->looked_at == UINT64_MAX)
        return price_levels_after(e, book, item->price_ticks);
    if (e->header->walk_level)
        return price_levels_next(e, e->header->walk_level);
    const uint32_t made_anew = price_levels_find(e, book, item->price_ticks);
    return made_anew ? made_anew : price_levels_after(e, book, item->price_ticks);
}

/* The next order of the walk over the book, 0 if none is left; the place moves to it. */
static uint32_t walk_next(fast_engine_t *e, const pending_item_t *item)
{
    engine_header_t *h = e->header;
    if (h->walk_order)
        return h->walk_order;
    uint32_t level = 0;
    if (item->side != PENDING_SIDE_NONE)
        level = level_to_go_on(e, item);
    else
        level = best_level(e, item, OC_SIDE_BUY);
    if (!level && item->side != OC_SIDE_SELL)
        level = best_level(e, item, OC_SIDE_SELL);
    h->walk_level = level;
    h->walk_order = level ? e->levels[level].head : 0;
    return h->walk_order;
}

/* One order of the book; false if none is left. */
static bool step_instrument(fast_engine_t *e, pending_item_t *item)
{
    engine_header_t *h = e->header;
    const uint32_t index = walk_next(e, item);
    if (!index)
        return false;
    const order_record_t *order = &e->orders[index];
    const level_record_t *level = &e->levels[order->level];
    item->side = (uint8_t)(level->book & 1);
    item->price_ticks = level->price_ticks;
    item->looked_at = order->priority;
    if (order->order_id > item->limit) { /* nothing older stands behind it */
        item->looked_at = UINT64_MAX;
        h->walk_level = h->walk_order = 0;
    } else if (item_selects(e, item, order)) {
        end_order(e, item, index); /* leaving the queue moves walk_order on */
    } else {
        h->walk_order = order->next;
    }
    return true;
}

static void complete_front(fast_engine_t *e)
{
    engine_header_t *h = e->header;
    pending_item_t *item = item_at(e, 0);
    *event_buffer_next(e) = (oc_event_t){
        .type = OC_EVENT_COMPLETED,
        .command = item->command,
        .instrument = {e->instruments[item->instrument].id},
        .source = {item->asker},
        .entry = h->entry,
        .quantity_lots = (int64_t)item->ended,
    };
    if (item->command == OC_COMMAND_MASS_CANCEL) {
        h->mass_head = h->mass_head + 1 == e->config.max_pending ? 0 : h->mass_head + 1;
        h->mass_count--;
    } else if (item->command == OC_COMMAND_SESSION_DOWN) {
        touch(e, &e->sources[item->source]);
        e->sources[item->source].disconnect_slot = 0;
    } else {
        touch(e, &e->instruments[item->instrument]);
        e->instruments[item->instrument].expiry_slot = 0;
    }
    *item = (pending_item_t){0};
    h->pending_head = h->pending_head + 1 == e->pending_capacity ? 0 : h->pending_head + 1;
    h->pending_count--;
    forget_places(e);
}

uint32_t pending_run(fast_engine_t *e, uint32_t budget)
{
    for (; budget && e->header->pending_count; budget--) {
        pending_item_t *item = item_at(e, 0);
        touch(e, item);
        const bool stepped = item->source ? step_source(e, item) : step_instrument(e, item);
        if (!stepped)
            complete_front(e);
    }
    return budget;
}

static const pending_item_t *mass_cancel_at(const fast_engine_t *e, uint32_t ordinal)
{
    const engine_header_t *h = e->header;
    OC_ASSERT(ordinal < h->mass_count);
    return &e->pending[e->mass_slots[(h->mass_head + ordinal) % e->config.max_pending]];
}

static bool item_covers(const fast_engine_t *e, const pending_item_t *item,
                        const order_record_t *order)
{
    return (!item->source || item->source == order->source) && order->order_id <= item->limit &&
           item_selects(e, item, order);
}

bool pending_covers(const fast_engine_t *e, uint32_t index)
{
    const order_record_t *order = &e->orders[index];
    const uint32_t disconnect = e->sources[order->source].disconnect_slot;
    if (disconnect && item_covers(e, &e->pending[disconnect - 1], order))
        return true;
    const uint32_t expiry = e->instruments[e->levels[order->level].book >> 1].expiry_slot;
    if (expiry && item_covers(e, &e->pending[expiry - 1], order))
        return true;
    for (uint32_t i = 0; i < e->header->mass_count; i++) {
        if (item_covers(e, mass_cancel_at(e, i), order))
            return true;
    }
    return false;
}

bool pending_targets(const fast_engine_t *e, uint32_t source)
{
    if (e->sources[source].disconnect_slot)
        return true;
    for (uint32_t i = 0; i < e->header->mass_count; i++) {
        if (mass_cancel_at(e, i)->source == source)
            return true;
    }
    return false;
}

/* A fresh item at the end of the queue; returns 1 + its slot. */
static uint32_t enqueue(fast_engine_t *e, const pending_item_t *template)
{
    engine_header_t *h = e->header;
    OC_ASSERT(h->pending_count < e->pending_capacity);
    const uint32_t slot = slot_of(e, h->pending_count++);
    touch(e, &e->pending[slot]);
    e->pending[slot] = *template;
    e->pending[slot].limit = h->last_order_id;
    e->pending[slot].side = PENDING_SIDE_NONE;
    return slot + 1;
}

void pending_disconnect(fast_engine_t *e, uint32_t source)
{
    source_record_t *record = &e->sources[source];
    if (record->disconnect_slot) {
        pending_item_t *item = &e->pending[record->disconnect_slot - 1];
        touch(e, item);
        item->limit = e->header->last_order_id;
        return;
    }
    touch(e, record);
    record->disconnect_slot =
        enqueue(e, &(pending_item_t){.source = source, .command = OC_COMMAND_SESSION_DOWN});
}

void pending_expire(fast_engine_t *e, uint32_t instrument)
{
    instrument_record_t *record = &e->instruments[instrument];
    if (record->expiry_slot) {
        pending_item_t *item = &e->pending[record->expiry_slot - 1];
        touch(e, item);
        item->limit = e->header->last_order_id;
        item->looked_at = 0;
        item->price_ticks = 0;
        item->side = PENDING_SIDE_NONE;
        if (item == item_at(e, 0))
            forget_places(e);
        return;
    }
    touch(e, record);
    record->expiry_slot = enqueue(e, &(pending_item_t){
                                         .instrument = instrument,
                                         .command = OC_COMMAND_INSTRUMENT_STATE,
                                     });
}

/* Finds what a mass cancel by source or session is about; fills in source and first. */
static oc_reason_t select_source(fast_engine_t *e, const oc_command_t *c, const sender_t *sender,
                                 pending_item_t *item)
{
    const bool risk = (sender->roles & OC_ROLE_RISK) != 0;
    if (c->u.mass_cancel.scope == OC_SCOPE_SOURCE) {
        const oc_source_id_t owner = c->u.mass_cancel.owner;
        if (owner.value == 0 || owner.value == c->source.value)
            item->source = sender->index;
        else if (!risk)
            return OC_REASON_WRONG_OWNER;
        else
            item->source = id_map_find(&e->ids, owner.value, ID_SOURCE);
        return item->source ? OC_REASON_NONE : OC_REASON_UNKNOWN_SOURCE;
    }
    uint64_t session = c->u.mass_cancel.session.value;
    if (session == 0)
        session = e->sources[sender->index].session;
    item->source = session ? id_map_find(&e->ids, session, ID_SESSION) : 0;
    if (!item->source)
        return OC_REASON_UNKNOWN_SESSION;
    if (item->source != sender->index && !risk)
        return OC_REASON_WRONG_OWNER;
    item->first = e->sources[item->source].session_first;
    return OC_REASON_NONE;
}

oc_reason_t pending_mass_cancel(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    pending_item_t item = {
        .asker = c->source.value,
        .instrument = instrument_find(e, c->instrument),
        .command = OC_COMMAND_MASS_CANCEL,
        .scope = c->u.mass_cancel.scope,
        .sides = c->u.mass_cancel.sides,
    };
    if (item.scope < OC_SCOPE_SOURCE || item.scope > OC_SCOPE_INSTRUMENT ||
        item.sides > OC_SIDES_SELL)
        return OC_REASON_INVALID_FIELD;
    const bool by_instrument = item.scope == OC_SCOPE_INSTRUMENT;
    if (!item.instrument && (c->instrument.value || by_instrument))
        return OC_REASON_UNKNOWN_INSTRUMENT;
    if (by_instrument && !(sender->roles & OC_ROLE_RISK))
        return OC_REASON_NOT_ALLOWED;
    if (!by_instrument) {
        const oc_reason_t reason = select_source(e, c, sender, &item);
        if (reason != OC_REASON_NONE)
            return reason;
    }
    engine_header_t *h = e->header;
    if (h->mass_count == e->config.max_pending)
        return OC_REASON_PENDING_FULL;
    emit_confirmed(e, c);
    uint32_t *slot = &e->mass_slots[(h->mass_head + h->mass_count++) % e->config.max_pending];
    touch(e, slot);
    *slot = enqueue(e, &item) - 1;
    return OC_REASON_NONE;
}

hash_pending_t pending_logical(const fast_engine_t *e, uint32_t ordinal)
{
    const pending_item_t *item = item_at(e, ordinal);
    return (hash_pending_t){
        .ordinal = ordinal,
        .limit = item->limit,
        .first = item->first,
        .ended = item->ended,
        .looked_at = item->looked_at,
        .price_ticks = item->price_ticks,
        .asker = item->asker,
        .source = e->sources[item->source].id,
        .instrument = e->instruments[item->instrument].id,
        .command = item->command,
        .scope = item->scope,
        .sides = item->sides,
        .side = item->side,
    };
}

uint64_t pending_hash_item(const fast_engine_t *e, uint32_t ordinal)
{
    const hash_pending_t logical = pending_logical(e, ordinal);
    return hash_pending(&logical);
}
