/*
 * Two states side by side. Called by `outcry snapshot diff`, with exchanges that nobody else uses.
 *
 * What matters to a reader comes first: the orders, then who is behind them, then what merely
 * counts. Pending work is compared by its hash alone: it is in none of the views.
 */
#define _GNU_SOURCE
#include "cli/image_diff.h"

#include "base/assert.h"
#include "engine/engine_records.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct diff {
    const oc_engine_t *a;
    const oc_engine_t *b;
    char *text;
    size_t size;
} diff_t;

/* Orders of one side, as many as there are. */
typedef struct order_list {
    oc_order_view_t *orders; /* owned */
    size_t count;
    size_t capacity;
    size_t most; /* that there can be: the links of a damaged state may go round */
} order_list_t;

static const char *side_name(oc_side_t side)
{
    return side == OC_SIDE_BUY ? "buy" : "sell";
}

/* ---- Orders --------------------------------------------------------------------------------- */

static bool collect(void *context, const oc_order_view_t *view)
{
    order_list_t *list = context;
    if (list->count == list->most)
        return false;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 1024;
        list->orders = realloc(list->orders, list->capacity * sizeof *list->orders);
        OC_ASSERT(list->orders != NULL);
    }
    list->orders[list->count++] = *view;
    return true;
}

static void describe_order(const oc_order_view_t *order, char *text, size_t size)
{
    (void)snprintf(text, size,
                   "order %" PRIu64 " (source %" PRIu32 ", client order %" PRIu64 ", price %" PRId64
                   ", open %" PRId64 ", executed %" PRId64 ", priority %" PRIu64
                   ", time in force %u, flags %" PRIu32 ")",
                   order->order_id.value, order->source.value, order->client_order_id.value,
                   order->price_ticks, order->open_lots, order->executed_lots, order->priority,
                   (unsigned)order->time_in_force, order->flags);
}

static bool same_order(const oc_order_view_t *a, const oc_order_view_t *b)
{
    return a->order_id.value == b->order_id.value && a->source.value == b->source.value &&
           a->client_order_id.value == b->client_order_id.value && a->priority == b->priority &&
           a->price_ticks == b->price_ticks && a->open_lots == b->open_lots &&
           a->executed_lots == b->executed_lots && a->time_in_force == b->time_in_force &&
           a->flags == b->flags;
}

static bool same_lists(const diff_t *self, const order_list_t *a, const order_list_t *b,
                       oc_instrument_id_t instrument, oc_side_t side)
{
    const size_t most = a->count > b->count ? a->count : b->count;
    for (size_t i = 0; i < most; i++) {
        char of_a[256] = "none";
        char of_b[256] = "none";
        if (i < a->count && i < b->count && same_order(&a->orders[i], &b->orders[i]))
            continue;
        if (i < a->count)
            describe_order(&a->orders[i], of_a, sizeof of_a);
        if (i < b->count)
            describe_order(&b->orders[i], of_b, sizeof of_b);
        (void)snprintf(self->text, self->size,
                       "first differing order: instrument %" PRIu32 " %s, place %zu: a has %s, b "
                       "has %s",
                       instrument.value, side_name(side), i + 1, of_a, of_b);
        return false;
    }
    return true;
}

static bool same_side(const diff_t *self, oc_instrument_id_t instrument, oc_side_t side)
{
    oc_engine_counts_t counts[2];
    oc_engine_counts(self->a, &counts[0]);
    oc_engine_counts(self->b, &counts[1]);
    order_list_t a = {.most = counts[0].orders};
    order_list_t b = {.most = counts[1].orders};
    oc_engine_visit_orders(self->a, instrument, side, collect, &a);
    oc_engine_visit_orders(self->b, instrument, side, collect, &b);
    const bool same = same_lists(self, &a, &b, instrument, side);
    free(a.orders);
    free(b.orders);
    return same;
}

/* ---- Instruments ---------------------------------------------------------------------------- */

static bool same_instrument(const diff_t *self, oc_instrument_id_t id)
{
    oc_instrument_view_t a;
    oc_instrument_view_t b;
    const bool in_a = oc_engine_instrument(self->a, id, &a);
    const bool in_b = oc_engine_instrument(self->b, id, &b);
    if (!in_a || !in_b) {
        (void)snprintf(self->text, self->size, "instrument %" PRIu32 " is in %s only", id.value,
                       in_a ? "a" : "b");
        return false;
    }
    const bool same =
        a.state == b.state && a.price_low_ticks == b.price_low_ticks &&
        a.price_high_ticks == b.price_high_ticks && a.max_quantity_lots == b.max_quantity_lots &&
        a.has_mark_price == b.has_mark_price && a.mark_price_ticks == b.mark_price_ticks;
    if (!same)
        (void)snprintf(self->text, self->size,
                       "instrument %" PRIu32 ": a has state %u, prices %" PRId64 " to %" PRId64
                       ", at most %" PRId64 " lots, mark %" PRId64 "; b has state %u, prices "
                       "%" PRId64 " to %" PRId64 ", at most %" PRId64 " lots, mark %" PRId64,
                       id.value, (unsigned)a.state, a.price_low_ticks, a.price_high_ticks,
                       a.max_quantity_lots, a.mark_price_ticks, (unsigned)b.state,
                       b.price_low_ticks, b.price_high_ticks, b.max_quantity_lots,
                       b.mark_price_ticks);
    return same;
}

static oc_instrument_id_t lower(oc_instrument_id_t a, oc_instrument_id_t b)
{
    if (a.value == 0 || b.value == 0)
        return a.value ? a : b;
    return a.value < b.value ? a : b;
}

static bool same_books(const diff_t *self)
{
    oc_instrument_id_t id = {0};
    for (;;) {
        id = lower(oc_engine_next_instrument(self->a, id), oc_engine_next_instrument(self->b, id));
        if (id.value == 0)
            return true;
        if (!same_side(self, id, OC_SIDE_BUY) || !same_side(self, id, OC_SIDE_SELL) ||
            !same_instrument(self, id))
            return false;
    }
}

/* ---- Sources -------------------------------------------------------------------------------- */

static oc_source_id_t *list_sources(const oc_engine_t *engine, uint32_t *count)
{
    oc_engine_counts_t counts;
    oc_engine_counts(engine, &counts);
    *count = counts.sources;
    oc_source_id_t *ids = calloc((size_t)counts.sources + 1, sizeof *ids);
    OC_ASSERT(ids != NULL);
    engine_source_ids(engine, ids);
    return ids;
}

static bool same_source(const diff_t *self, oc_source_id_t id)
{
    oc_source_view_t a;
    oc_source_view_t b;
    const bool in_a = oc_engine_source(self->a, id, &a);
    const bool in_b = oc_engine_source(self->b, id, &b);
    if (!in_a || !in_b) {
        (void)snprintf(self->text, self->size, "source %" PRIu32 " is in %s only", id.value,
                       in_a ? "a" : "b");
        return false;
    }
    const bool same = a.roles == b.roles && a.sequence == b.sequence &&
                      a.last_status == b.last_status && a.session.value == b.session.value &&
                      a.session_first.value == b.session_first.value;
    if (!same)
        (void)snprintf(
            self->text, self->size,
            "source %" PRIu32 ": a has roles %" PRIu32 ", sequence %" PRIu64 ", session %" PRIu64
            "; b has roles %" PRIu32 ", sequence %" PRIu64 ", session %" PRIu64,
            id.value, a.roles, a.sequence, a.session.value, b.roles, b.sequence, b.session.value);
    return same;
}

static bool same_sources(const diff_t *self)
{
    uint32_t count[2];
    oc_source_id_t *ids[2] = {list_sources(self->a, &count[0]), list_sources(self->b, &count[1])};
    bool same = true;
    for (unsigned side = 0; same && side < 2; side++)
        for (uint32_t i = 0; same && i < count[side]; i++)
            same = same_source(self, ids[side][i]);
    free(ids[0]);
    free(ids[1]);
    return same;
}

/* ---- The rest ------------------------------------------------------------------------------- */

static bool same_number(const diff_t *self, const char *name, uint64_t a, uint64_t b)
{
    if (a != b)
        (void)snprintf(self->text, self->size, "%s: a has %" PRIu64 ", b has %" PRIu64, name, a, b);
    return a == b;
}

static bool same_totals(const diff_t *self)
{
    engine_totals_t a;
    engine_totals_t b;
    engine_totals(self->a, &a);
    engine_totals(self->b, &b);
    return same_number(self, "last order id", a.last_order_id, b.last_order_id) &&
           same_number(self, "last trade id", a.last_trade_id, b.last_trade_id) &&
           same_number(self, "last priority", a.last_priority, b.last_priority) &&
           same_number(self, "step bound", a.step_bound, b.step_bound) &&
           same_number(self, "modify priority", a.modify_priority, b.modify_priority) &&
           same_number(self, "restrictions", a.restrictions, b.restrictions) &&
           same_number(self, "commands applied", a.entry, b.entry) &&
           same_number(self, "engine time", (uint64_t)a.time_ns, (uint64_t)b.time_ns);
}

static uint64_t service_hash(exchange_t *exchange)
{
    const oc_service_t *service = exchange_service(exchange);
    return service->state_hash(service->context);
}

bool image_diff(exchange_t *a, exchange_t *b, char *text, size_t size)
{
    OC_ASSERT(size > 0);
    const diff_t self = {exchange_engine(a), exchange_engine(b), text, size};
    text[0] = '\0';
    if (!same_books(&self) || !same_sources(&self) || !same_totals(&self))
        return false;
    if (oc_engine_state_hash(self.a) != oc_engine_state_hash(self.b)) {
        (void)snprintf(
            text, size,
            "the pending work of the engines differs, or only the hash that one carries");
        return false;
    }
    if (service_hash(a) != service_hash(b)) {
        (void)snprintf(text, size, "sessions, principals or outbound sequences differ");
        return false;
    }
    return true;
}
