/*
 * A state put into the fast engine item by item: everything but the orders (fast_load_orders.c).
 * Called through engine_records.h; load_check.h looks at each item first.
 *
 * Invariants: every store is announced, as in a command; with verification one epoch lies around
 * the whole load. The arena is all zero when items begin to come, so that equal streams give equal
 * bytes.
 */
#include "engine/fast_load.h"
#include "base/error.h"
#include "engine/fast_internal.h"
#include "engine/fast_items.h"
#include "engine/pending_work.h"
#include "engine/price_levels.h"
#include "engine/source_list.h"

#include <inttypes.h>
#include <string.h>

/* Every page that was ever stored to becomes zero again. */
static void clear_arena(fast_engine_t *e)
{
    const size_t pages = e->arena.size >> OC_ARENA_PAGE_SHIFT;
    for (size_t page = 0; page < pages; page++) {
        if (e->arena.stamps[page] == 0)
            continue;
        uint8_t *bytes = e->arena.base + (page << OC_ARENA_PAGE_SHIFT);
        touch(e, bytes);
        memset(bytes, 0, OC_ARENA_PAGE_SIZE);
    }
}

void fast_load_begin(oc_engine_t *engine, const engine_totals_t *totals)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    OC_ASSERT(e->event_next == e->events);
    if (e->arena.shadow) { /* what a load that failed has stored */
        oc_arena_check(&e->arena);
        oc_arena_advance_epoch(&e->arena);
    }
    clear_arena(e);
    fast_forget_hints(e);
    e->stopped = false;
    fast_init_header(e);
    load_check_begin(&e->load, &e->config, totals);
    engine_header_t *h = e->header;
    h->entry = totals->entry;
    h->time_ns = totals->time_ns;
    h->last_order_id = totals->last_order_id;
    h->last_trade_id = totals->last_trade_id;
    h->last_priority = totals->last_priority;
    h->output = totals->output;
    h->step_bound = totals->step_bound;
    h->modify_priority = totals->modify_priority;
    h->restrictions = totals->restrictions;
}

oc_err_t fast_load_instrument(oc_engine_t *engine, const oc_instrument_view_t *view)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    const oc_err_t err = load_check_instrument(&e->load, view);
    if (err != OC_ERR_OK)
        return err;
    record_pool_t *pool = &e->header->instruments;
    const uint32_t index = ++pool->top;
    pool->used++;
    OC_ASSERT(index <= pool->capacity);
    instrument_record_t *instrument = &e->instruments[index];
    touch(e, instrument);
    instrument->id = view->id.value;
    instrument->state = (uint32_t)view->state;
    instrument->price_low_ticks = view->price_low_ticks;
    instrument->price_high_ticks = view->price_high_ticks;
    instrument->max_quantity_lots = view->max_quantity_lots;
    instrument->mark_price_ticks = view->mark_price_ticks;
    instrument->has_mark_price = view->has_mark_price;
    instrument_refresh_item(e, instrument);
    id_map_insert(&e->ids, instrument->id, ID_INSTRUMENT, index);
    touch(e, &e->instruments_by_id[index - 1]);
    e->instruments_by_id[index - 1] = index; /* they come in order */
    return OC_ERR_OK;
}

oc_err_t fast_load_source(oc_engine_t *engine, const oc_source_view_t *view)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    const oc_err_t err = load_check_source(&e->load, view);
    if (err != OC_ERR_OK)
        return err;
    const uint64_t session = view->session.value;
    if (session && id_map_find(&e->ids, session, ID_SESSION))
        return load_check_fail(&e->load, error_set(OC_ERR_DAMAGED,
                                                   "engine: state to load: source %" PRIu32
                                                   ": session %" PRIu64 " is another's too",
                                                   view->id.value, session));
    record_pool_t *pool = &e->header->sources;
    const uint32_t index = ++pool->top;
    pool->used++;
    OC_ASSERT(index <= pool->capacity);
    source_record_t *source = &e->sources[index];
    touch(e, source);
    source->id = view->id.value;
    source->roles = view->roles;
    source->sequence = view->sequence;
    source->session = session;
    source->session_first = view->session_first.value;
    source->last_status = (uint32_t)view->last_status;
    source_item_in(e, source);
    id_map_insert(&e->ids, source->id, ID_SOURCE, index);
    if (session) {
        id_map_insert(&e->ids, session, ID_SESSION, index);
        e->header->session_count++;
    }
    return OC_ERR_OK;
}

/* Where the item's target notes the item's slot, plus one; NULL for mass cancels. */
static uint32_t *target_slot(fast_engine_t *e, const pending_item_t *item)
{
    if (item->command == OC_COMMAND_SESSION_DOWN)
        return &e->sources[item->source].disconnect_slot;
    if (item->command == OC_COMMAND_INSTRUMENT_STATE)
        return &e->instruments[item->instrument].expiry_slot;
    return NULL;
}

static oc_err_t refuse_pending(fast_engine_t *e, const hash_pending_t *p, const char *why)
{
    return load_check_fail(
        &e->load, error_set(OC_ERR_DAMAGED, "engine: state to load: pending work %" PRIu64 ": %s",
                            p->ordinal, why));
}

oc_err_t fast_load_pending(oc_engine_t *engine, const hash_pending_t *p)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    engine_header_t *h = e->header;
    const oc_err_t err = load_check_pending(&e->load, p);
    if (err != OC_ERR_OK)
        return err;
    const pending_item_t item = {
        .limit = p->limit,
        .first = p->first,
        .ended = p->ended,
        .looked_at = p->looked_at,
        .price_ticks = p->price_ticks,
        .asker = p->asker,
        .source = p->source ? id_map_find(&e->ids, p->source, ID_SOURCE) : 0,
        .instrument = p->instrument ? id_map_find(&e->ids, p->instrument, ID_INSTRUMENT) : 0,
        .command = p->command,
        .scope = p->scope,
        .sides = p->sides,
        .side = p->side,
    };
    if ((item.source == 0) != (p->source == 0) || (item.instrument == 0) != (p->instrument == 0))
        return refuse_pending(e, p, "its source or instrument is not known");
    const uint32_t slot = h->pending_count; /* the queue begins at slot 0 */
    uint32_t *named = target_slot(e, &item);
    if (named && *named)
        return refuse_pending(e, p, "there is such work of its source or instrument before");
    if (!named)
        named = &e->mass_slots[h->mass_count++];
    touch(e, named);
    *named = item.command == OC_COMMAND_MASS_CANCEL ? slot : slot + 1;
    OC_ASSERT(slot < e->pending_capacity);
    touch(e, &e->pending[slot]);
    e->pending[slot] = item;
    h->pending_count++;
    return OC_ERR_OK;
}

/* The front item's place in its source's list: behind the last order it looked at. */
static void place_in_list(fast_engine_t *e, const pending_item_t *item)
{
    engine_header_t *h = e->header;
    const source_record_t *source = &e->sources[item->source];
    for (uint32_t chunk = source->list_head; chunk; chunk = e->chunks[chunk].next) {
        const list_chunk_t *c = &e->chunks[chunk];
        h->list_chunk = chunk;
        for (h->list_slot = 0; h->list_slot < c->used; h->list_slot++) {
            if (e->orders[c->order[h->list_slot]].order_id > item->looked_at)
                return;
        }
    }
}

/* The front item's place in its book. Where there is none it is looked up when it is needed. */
static void place_in_book(fast_engine_t *e, const pending_item_t *item)
{
    if (item->side == PENDING_SIDE_NONE || item->looked_at == UINT64_MAX)
        return;
    const uint32_t book = item->instrument * 2 + item->side;
    const uint32_t level = price_levels_find(e, book, item->price_ticks);
    if (!level)
        return;
    uint32_t order = e->levels[level].head;
    while (order && e->orders[order].priority <= item->looked_at)
        order = e->orders[order].next;
    e->header->walk_level = level;
    e->header->walk_order = order;
}

oc_err_t fast_load_end(oc_engine_t *engine)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    oc_err_t err = load_check_end(&e->load);
    if (err == OC_ERR_OK)
        err = fast_load_lists(e);
    if (err != OC_ERR_OK)
        return err;
    const pending_item_t *front = &e->pending[0];
    if (e->header->pending_count && front->source && front->looked_at)
        place_in_list(e, front);
    else if (e->header->pending_count && !front->source)
        place_in_book(e, front);
    if (e->arena.shadow)
        oc_arena_check(&e->arena);
    return OC_ERR_OK;
}
