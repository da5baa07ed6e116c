/*
 * Differential runs: reference, fast one by one, fast in batches, and fast under touch
 * verification.
 *
 * Invariant checked: equal commands give equal events to the byte and equal states, after every
 * command where it is cheap and at intervals where it is not.
 */
#include "lib/differential.h"

#include "lib/command_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFERENCE, FAST, BATCH, VERIFIED, ENGINES };
enum { BATCH_MAX = 97, DEPTH = 10, BOOK_MAX = 8192 };

typedef struct event_log {
    oc_event_t *events;
    size_t count;
    size_t capacity;
} event_log_t;

typedef struct differential {
    uint64_t seed;
    uint64_t done; /* commands applied one by one */
    command_stream_t stream;
    oc_engine_t *engines[ENGINES];
    event_log_t logs[ENGINES];
    oc_command_t batch[BATCH_MAX];
    size_t batch_count;
    size_t batch_size;
} differential_t;

static void keep_events(void *context, const oc_event_t *events, size_t count)
{
    event_log_t *log = context;
    if (log->count + count > log->capacity) {
        log->capacity = 2 * (log->count + count);
        log->events = realloc(log->events, log->capacity * sizeof *events);
        if (!log->events)
            abort();
    }
    memcpy(log->events + log->count, events, count * sizeof *events);
    log->count += count;
}

static bool differs(const differential_t *d, const char *what)
{
    fprintf(stderr,
            "differential: seed %" PRIu64 ", command %" PRIu64 ": %s\n"
            "repeat with: OUTCRY_SEED=%" PRIu64 " OUTCRY_COMMANDS=%" PRIu64 " and this test\n",
            d->seed, d->done, what, d->seed, d->done);
    return false;
}

static void print_event(const char *engine, const oc_event_t *e)
{
    fprintf(stderr,
            "  %s: %s side %u reason %s command %u instrument %u source %u count %u entry %" PRIu64
            " client %" PRIu64 " order %" PRIu64 " price %" PRId64 " quantity %" PRId64
            " open %" PRId64 " executed %" PRId64 " last %" PRIu64 "\n",
            engine, oc_event_type_name((oc_event_type_t)e->type), e->side,
            oc_reason_name((oc_reason_t)e->reason), e->command, e->instrument.value,
            e->source.value, e->order_count, e->entry, e->client_order_id.value, e->order_id.value,
            e->price_ticks, e->quantity_lots, e->open_lots, e->executed_lots, e->sequence);
}

static bool events_equal(const differential_t *d, int other, const char *name)
{
    const event_log_t *want = &d->logs[REFERENCE];
    const event_log_t *got = &d->logs[other];
    for (size_t i = 0; i < want->count || i < got->count; i++) {
        const bool both = i < want->count && i < got->count;
        if (both && memcmp(&want->events[i], &got->events[i], sizeof want->events[i]) == 0)
            continue;
        if (i < want->count)
            print_event("reference", &want->events[i]);
        if (i < got->count)
            print_event(name, &got->events[i]);
        return differs(d, "events differ");
    }
    return true;
}

typedef struct book_copy {
    oc_order_view_t orders[BOOK_MAX];
    size_t count;
} book_copy_t;

static bool copy_order(void *context, const oc_order_view_t *view)
{
    book_copy_t *copy = context;
    if (copy->count == BOOK_MAX)
        abort();
    copy->orders[copy->count++] = *view;
    return true;
}

static bool same_order(const oc_order_view_t *a, const oc_order_view_t *b)
{
    return a->instrument.value == b->instrument.value && a->source.value == b->source.value &&
           a->client_order_id.value == b->client_order_id.value &&
           a->order_id.value == b->order_id.value && a->priority == b->priority &&
           a->price_ticks == b->price_ticks && a->open_lots == b->open_lots &&
           a->executed_lots == b->executed_lots && a->side == b->side &&
           a->time_in_force == b->time_in_force && a->flags == b->flags &&
           a->next_to_trade == b->next_to_trade;
}

static bool books_equal(const differential_t *d, oc_instrument_id_t id, oc_side_t side)
{
    static _Thread_local book_copy_t copies[2];
    const int engines[2] = {REFERENCE, FAST};
    for (int i = 0; i < 2; i++) {
        copies[i].count = 0;
        oc_engine_visit_orders(d->engines[engines[i]], id, side, copy_order, &copies[i]);
    }
    if (copies[0].count != copies[1].count)
        return differs(d, "books hold different numbers of orders");
    for (size_t i = 0; i < copies[0].count; i++) {
        const oc_order_view_t *order = &copies[0].orders[i];
        oc_order_view_t found;
        if (!same_order(order, &copies[1].orders[i]))
            return differs(d, "books differ");
        if (!oc_engine_order(d->engines[FAST], order->source, order->client_order_id, &found) ||
            !same_order(order, &found))
            return differs(d, "an order is not found by its id");
    }
    return true;
}

/* Depth is compared with the kept levels and with a summation over the orders. */
static bool depths_equal(const differential_t *d, oc_instrument_id_t id, oc_side_t side)
{
    oc_level_view_t levels[2][DEPTH] = {{{0}}};
    const size_t n = oc_engine_depth(d->engines[REFERENCE], id, side, levels[0], DEPTH);
    if (oc_engine_depth(d->engines[FAST], id, side, levels[1], DEPTH) != n)
        return differs(d, "depth differs in number of levels");
    for (size_t i = 0; i < n; i++) {
        if (levels[0][i].price_ticks != levels[1][i].price_ticks ||
            levels[0][i].open_lots != levels[1][i].open_lots ||
            levels[0][i].order_count != levels[1][i].order_count)
            return differs(d, "depth differs");
    }
    return true;
}

static bool instrument_views_equal(const differential_t *d, oc_instrument_id_t id)
{
    oc_instrument_view_t a = {{0}, 0, 0, 0, 0, 0, false, {0, 0}};
    oc_instrument_view_t b = a;
    const bool has_a = oc_engine_instrument(d->engines[REFERENCE], id, &a);
    const bool has_b = oc_engine_instrument(d->engines[FAST], id, &b);
    if (has_a != has_b || a.state != b.state || a.price_low_ticks != b.price_low_ticks ||
        a.price_high_ticks != b.price_high_ticks || a.max_quantity_lots != b.max_quantity_lots ||
        a.has_mark_price != b.has_mark_price || a.mark_price_ticks != b.mark_price_ticks ||
        a.levels[0] != b.levels[0] || a.levels[1] != b.levels[1])
        return differs(d, "an instrument differs");
    return true;
}

static bool source_views_equal(const differential_t *d, oc_source_id_t id)
{
    oc_source_view_t a = {{0}, 0, 0, 0, {0}, {0}, 0};
    oc_source_view_t b = a;
    const bool has_a = oc_engine_source(d->engines[REFERENCE], id, &a);
    const bool has_b = oc_engine_source(d->engines[FAST], id, &b);
    if (has_a != has_b || a.roles != b.roles || a.sequence != b.sequence ||
        a.last_status != b.last_status || a.session.value != b.session.value ||
        a.session_first.value != b.session_first.value || a.orders != b.orders)
        return differs(d, "a source differs");
    return true;
}

/* All live orders of a source, page by page. A page goes on behind the one before by name or by id
 * alone. */
static bool source_orders_equal(const differential_t *d, oc_source_id_t id)
{
    enum { PAGE = 7 };
    oc_order_view_t pages[2][PAGE];
    oc_source_view_t view = {{0}, 0, 0, 0, {0}, {0}, 0};
    oc_order_id_t after = {0};
    oc_client_order_id_t name = {0};
    size_t total = 0;
    size_t count = 0;
    do {
        count = oc_engine_source_orders(d->engines[REFERENCE], id, after, name, pages[0], PAGE);
        if (oc_engine_source_orders(d->engines[FAST], id, after, name, pages[1], PAGE) != count)
            return differs(d, "a source's orders differ in number");
        for (size_t i = 0; i < count; i++) {
            if (!same_order(&pages[0][i], &pages[1][i]))
                return differs(d, "a source's orders differ");
            after = pages[0][i].order_id;
            name.value = pages[0][i].client_order_id.value + (total & 1);
        }
        total += count;
    } while (count);
    if (oc_engine_source(d->engines[FAST], id, &view) && view.orders != total)
        return differs(d, "a source's orders are not all listed");
    return true;
}

static bool counts_equal(const differential_t *d)
{
    oc_engine_counts_t a;
    oc_engine_counts_t b;
    oc_engine_counts(d->engines[REFERENCE], &a);
    oc_engine_counts(d->engines[FAST], &b);
    if (a.entry != b.entry || a.time_ns != b.time_ns ||
        a.last_order_id.value != b.last_order_id.value ||
        a.last_trade_id.value != b.last_trade_id.value || a.orders != b.orders ||
        a.levels != b.levels || a.instruments != b.instruments || a.sources != b.sources ||
        a.sessions != b.sessions || a.pending != b.pending || a.step_bound != b.step_bound ||
        a.modify_priority != b.modify_priority || a.restrictions != b.restrictions)
        return differs(d, "counts differ");
    return true;
}

static bool states_equal(const differential_t *d)
{
    if (!counts_equal(d))
        return false;
    oc_instrument_id_t id = {0};
    for (;;) {
        const oc_instrument_id_t next = oc_engine_next_instrument(d->engines[REFERENCE], id);
        if (oc_engine_next_instrument(d->engines[FAST], id).value != next.value)
            return differs(d, "lists of instruments differ");
        if (next.value == 0)
            break;
        id = next;
        if (!instrument_views_equal(d, id) || !depths_equal(d, id, OC_SIDE_BUY) ||
            !depths_equal(d, id, OC_SIDE_SELL) || !books_equal(d, id, OC_SIDE_BUY) ||
            !books_equal(d, id, OC_SIDE_SELL))
            return false;
    }
    for (uint32_t source = 0; source < d->stream.sources + 4; source++) {
        if (!source_views_equal(d, (oc_source_id_t){source}) ||
            !source_orders_equal(d, (oc_source_id_t){source}))
            return false;
    }
    char why[256] = "";
    for (int i = 0; i < ENGINES; i++) {
        if (d->engines[i] && !oc_engine_audit(d->engines[i], why, sizeof why))
            return differs(d, why);
    }
    return true;
}

static bool hashes_equal(const differential_t *d, int other)
{
    if (!d->engines[other])
        return true;
    if (oc_engine_output_hash(d->engines[REFERENCE]) != oc_engine_output_hash(d->engines[other]))
        return differs(d, "output hashes differ");
    if (oc_engine_state_hash(d->engines[REFERENCE]) != oc_engine_state_hash(d->engines[other]))
        return differs(d, "state hashes differ");
    return true;
}

static bool run_batch(differential_t *d)
{
    if (oc_engine_apply_batch(d->engines[BATCH], d->batch, d->batch_count) != OC_ERR_OK)
        return differs(d, "the batch stopped the engine");
    d->batch_count = 0;
    d->batch_size = 1 + stream_below(&d->stream, BATCH_MAX);
    return hashes_equal(d, BATCH);
}

static bool run_one(differential_t *d)
{
    oc_command_t *command = &d->batch[d->batch_count++];
    command_stream_next(&d->stream, d->engines[REFERENCE], command);
    d->done++;
    for (int i = 0; i < ENGINES; i++) {
        d->logs[i].count = 0;
        if (i != BATCH && d->engines[i] && oc_engine_apply(d->engines[i], command) != OC_ERR_OK)
            return differs(d, "the command stopped the engine");
    }
    if (!events_equal(d, FAST, "fast"))
        return false;
    if (d->engines[VERIFIED] && !events_equal(d, VERIFIED, "fast, verified"))
        return false;
    if (d->done % 16 == 0 && !hashes_equal(d, FAST))
        return false;
    if (d->done % 1024 == 0 && !states_equal(d))
        return false;
    return d->batch_count < d->batch_size || run_batch(d);
}

static bool create_engines(differential_t *d, oc_engine_config_t *config)
{
    const bool small = config->max_orders <= 64;
    for (int i = 0; i < ENGINES; i++) {
        config->kind = i == REFERENCE ? OC_ENGINE_REFERENCE : OC_ENGINE_FAST;
        config->verify_touch = i == VERIFIED;
        if (i == VERIFIED && !small)
            continue;
        if (oc_engine_create(&d->engines[i], config, keep_events, &d->logs[i]) != OC_ERR_OK)
            return differs(d, oc_err_context());
    }
    return true;
}

bool differential_run(uint64_t seed, uint64_t commands)
{
    differential_t *d = calloc(1, sizeof *d);
    if (!d)
        abort();
    d->seed = seed;
    oc_engine_config_t config;
    command_stream_init(&d->stream, seed, &config);
    d->batch_size = 1 + stream_below(&d->stream, BATCH_MAX);
    bool equal = create_engines(d, &config);
    while (equal && d->done < commands)
        equal = run_one(d);
    equal = equal && run_batch(d) && hashes_equal(d, FAST) && hashes_equal(d, VERIFIED) &&
            states_equal(d);
    for (int i = 0; i < ENGINES; i++) {
        oc_engine_destroy(d->engines[i]);
        free(d->logs[i].events);
    }
    free(d);
    return equal;
}
