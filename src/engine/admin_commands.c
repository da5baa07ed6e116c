/*
 * Instruments, sources, sessions, marks, configuration, restrictions. Called through
 * command_handlers.h; all of it is rare, so it favours plainness over speed.
 *
 * Invariant: after each command header.item_sum holds the items of instruments and sources as they
 * are then (fast_items.h).
 */
#include "engine/command_handlers.h"
#include "engine/event_buffer.h"
#include "engine/fast_items.h"
#include "engine/pending_work.h"
#include "engine/price_levels.h"

static void emit_instrument_state(fast_engine_t *e, const instrument_record_t *instrument)
{
    *event_buffer_next(e) = (oc_event_t){
        .type = OC_EVENT_INSTRUMENT_STATE,
        .instrument = {instrument->id},
        .order_count = instrument->state,
        .entry = e->header->entry,
    };
}

oc_reason_t admin_mark_price(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    (void)sender;
    const uint32_t index = instrument_find(e, c->instrument);
    if (!index)
        return OC_REASON_UNKNOWN_INSTRUMENT;
    instrument_record_t *instrument = &e->instruments[index];
    const int64_t mark = c->u.mark.price_ticks;
    if (mark < instrument->price_low_ticks || mark > instrument->price_high_ticks)
        return OC_REASON_PRICE_OUT_OF_BAND;
    touch(e, instrument);
    instrument->mark_price_ticks = mark;
    instrument->has_mark_price = 1;
    instrument_refresh_item(e, instrument);
    emit_confirmed(e, c);
    return OC_REASON_NONE;
}

/* Bounds under which the sum over a level cannot overflow. */
static bool bands_valid(const fast_engine_t *e, const oc_command_t *c)
{
    const int64_t quantity = c->u.instrument.max_quantity_lots;
    return c->u.instrument.price_low_ticks <= c->u.instrument.price_high_ticks && quantity > 0 &&
           quantity <= INT64_MAX / (int64_t)e->config.max_orders;
}

static void set_bands(instrument_record_t *instrument, const oc_command_t *c)
{
    instrument->price_low_ticks = c->u.instrument.price_low_ticks;
    instrument->price_high_ticks = c->u.instrument.price_high_ticks;
    instrument->max_quantity_lots = c->u.instrument.max_quantity_lots;
}

/* Keeps instruments_by_id sorted; the record is the newest one. */
static void sort_in(fast_engine_t *e, uint32_t index)
{
    uint32_t *sorted = e->instruments_by_id;
    uint32_t at = e->header->instruments.used - 1;
    for (; at > 0 && e->instruments[sorted[at - 1]].id > e->instruments[index].id; at--) {
        touch(e, &sorted[at]);
        sorted[at] = sorted[at - 1];
    }
    touch(e, &sorted[at]);
    sorted[at] = index;
}

oc_reason_t admin_instrument_add(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    (void)sender;
    if (c->instrument.value == 0 || !bands_valid(e, c) || c->u.instrument.state > OC_STATE_HALTED)
        return OC_REASON_INVALID_FIELD;
    if (instrument_find(e, c->instrument))
        return OC_REASON_DUPLICATE_INSTRUMENT;
    record_pool_t *pool = &e->header->instruments;
    if (pool->used == pool->capacity)
        return OC_REASON_INSTRUMENTS_FULL;
    const uint32_t index = ++pool->top; /* instruments never leave */
    pool->used++;
    OC_ASSERT(pool->top == pool->used);
    instrument_record_t *instrument = &e->instruments[index];
    touch(e, instrument);
    instrument->id = c->instrument.value;
    instrument->state = c->u.instrument.state;
    set_bands(instrument, c);
    instrument_refresh_item(e, instrument);
    id_map_insert(&e->ids, instrument->id, ID_INSTRUMENT, index);
    sort_in(e, index);
    emit_confirmed(e, c);
    emit_instrument_state(e, instrument);
    return OC_REASON_NONE;
}

static bool book_crossed(const fast_engine_t *e, const instrument_record_t *instrument)
{
    const uint32_t bid = instrument->best[OC_SIDE_BUY];
    const uint32_t ask = instrument->best[OC_SIDE_SELL];
    return bid && ask && e->levels[bid].price_ticks >= e->levels[ask].price_ticks;
}

oc_reason_t admin_instrument_state(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    (void)sender;
    const uint32_t index = instrument_find(e, c->instrument);
    if (!index)
        return OC_REASON_UNKNOWN_INSTRUMENT;
    instrument_record_t *instrument = &e->instruments[index];
    const uint32_t state = c->u.instrument.state;
    if (state > OC_STATE_HALTED)
        return OC_REASON_INVALID_FIELD;
    if (state == OC_STATE_CONTINUOUS && book_crossed(e, instrument))
        return OC_REASON_CROSSED_BOOK;
    touch(e, instrument);
    instrument->state = state;
    instrument_refresh_item(e, instrument);
    emit_confirmed(e, c);
    emit_instrument_state(e, instrument);
    if (state == OC_STATE_CLOSED)
        pending_expire(e, index);
    return OC_REASON_NONE;
}

oc_reason_t admin_instrument_bands(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    (void)sender;
    const uint32_t index = instrument_find(e, c->instrument);
    if (!index)
        return OC_REASON_UNKNOWN_INSTRUMENT;
    if (!bands_valid(e, c))
        return OC_REASON_INVALID_FIELD;
    instrument_record_t *instrument = &e->instruments[index];
    touch(e, instrument);
    set_bands(instrument, c);
    instrument_refresh_item(e, instrument);
    emit_confirmed(e, c);
    return OC_REASON_NONE;
}

oc_reason_t admin_source_add(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    (void)sender;
    const oc_source_id_t id = c->u.source.id;
    if (id.value == 0 || (c->u.source.roles & ~OC_ROLES_ALL))
        return OC_REASON_INVALID_FIELD;
    if (id_map_find(&e->ids, id.value, ID_SOURCE))
        return OC_REASON_DUPLICATE_SOURCE;
    record_pool_t *pool = &e->header->sources;
    if (pool->used == pool->capacity)
        return OC_REASON_SOURCES_FULL;
    uint32_t index = pool->free_head;
    if (index)
        pool->free_head = e->sources[index].free_link;
    else
        index = ++pool->top;
    pool->used++;
    OC_ASSERT(index <= pool->capacity);
    source_record_t *source = &e->sources[index];
    touch(e, source);
    *source = (source_record_t){.id = id.value, .roles = c->u.source.roles};
    source_item_in(e, source);
    id_map_insert(&e->ids, id.value, ID_SOURCE, index);
    emit_confirmed(e, c);
    return OC_REASON_NONE;
}

oc_reason_t admin_source_retire(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    const oc_source_id_t id = c->u.source.id;
    const uint32_t index = id_map_find(&e->ids, id.value, ID_SOURCE);
    if (!index)
        return OC_REASON_UNKNOWN_SOURCE;
    source_record_t *source = &e->sources[index];
    if (index == sender->index || source->live_orders || source->session ||
        pending_targets(e, index))
        return OC_REASON_SOURCE_BUSY;
    OC_ASSERT(source->list_head == 0);
    id_map_remove(&e->ids, id.value, ID_SOURCE);
    source_item_out(e, source);
    record_pool_t *pool = &e->header->sources;
    touch(e, source);
    *source = (source_record_t){.free_link = pool->free_head};
    pool->free_head = index;
    pool->used--;
    emit_confirmed(e, c);
    return OC_REASON_NONE;
}

oc_reason_t admin_session_up(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    (void)sender;
    const oc_session_id_t id = c->u.session.id;
    if (id.value == 0)
        return OC_REASON_INVALID_FIELD;
    const uint32_t index = id_map_find(&e->ids, c->u.session.source.value, ID_SOURCE);
    if (!index)
        return OC_REASON_UNKNOWN_SOURCE;
    source_record_t *source = &e->sources[index];
    if (source->session || id_map_find(&e->ids, id.value, ID_SESSION))
        return OC_REASON_SESSION_IN_USE;
    if (e->header->session_count == e->config.max_sessions)
        return OC_REASON_SESSIONS_FULL;
    touch(e, source);
    source_item_out(e, source);
    source->session = id.value;
    source->session_first = e->header->last_order_id + 1;
    source_item_in(e, source);
    id_map_insert(&e->ids, id.value, ID_SESSION, index);
    e->header->session_count++;
    emit_confirmed(e, c);
    return OC_REASON_NONE;
}

oc_reason_t admin_session_down(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    (void)sender;
    const oc_session_id_t id = c->u.session.id;
    const uint32_t index = id.value ? id_map_find(&e->ids, id.value, ID_SESSION) : 0;
    if (!index)
        return OC_REASON_UNKNOWN_SESSION;
    source_record_t *source = &e->sources[index];
    OC_ASSERT(source->session == id.value);
    id_map_remove(&e->ids, id.value, ID_SESSION);
    touch(e, source);
    source_item_out(e, source);
    source->session = 0;
    source->session_first = 0;
    source_item_in(e, source);
    e->header->session_count--;
    emit_confirmed(e, c);
    pending_disconnect(e, index);
    return OC_REASON_NONE;
}

oc_reason_t admin_configure(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    (void)sender;
    if (c->u.configure.rules_version != OC_RULES_VERSION) {
        e->stopped = true; /* the caller gets an error; no event tells of it */
        e->asked_version = c->u.configure.rules_version;
        return OC_REASON_NONE;
    }
    if (c->u.configure.step_bound == 0 || c->u.configure.step_bound > OC_STEP_BOUND_MAX ||
        c->u.configure.modify_priority > OC_PRIORITY_LOSE)
        return OC_REASON_INVALID_FIELD;
    e->header->step_bound = c->u.configure.step_bound;
    e->header->modify_priority = c->u.configure.modify_priority;
    emit_confirmed(e, c);
    return OC_REASON_NONE;
}

oc_reason_t admin_restriction(fast_engine_t *e, const oc_command_t *c, const sender_t *sender)
{
    (void)sender;
    const uint32_t set = c->u.restriction.set;
    const uint32_t clear = c->u.restriction.clear;
    if (((set | clear) & ~OC_RESTRICT_ALL) || (set & clear))
        return OC_REASON_INVALID_FIELD;
    e->header->restrictions = (e->header->restrictions & ~clear) | set;
    OC_ASSERT(e->header->restrictions <= OC_RESTRICT_ALL);
    emit_confirmed(e, c);
    return OC_REASON_NONE;
}
