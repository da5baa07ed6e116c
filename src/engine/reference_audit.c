/*
 * The reference engine's check of itself: its lists are sorted, agree with each other, and respect
 * the limits. Called by tests through oc_engine_audit().
 *
 * Invariant: nothing here changes the state. It must not stop at a broken state with an assertion:
 * saying what is wrong is its purpose.
 */
#include "base/assert.h"
#include "engine/reference_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct report {
    char *why;
    size_t why_size;
} report_t;

static bool wrong(const report_t *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Always false, so that a check can end with `return wrong(...)`. */
static bool wrong(const report_t *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->why, report->why_size, format, arguments);
    va_end(arguments);
    return false;
}

static bool list_contains(const reference_order_list_t *list, reference_compare_t compare,
                          const reference_order_t *order)
{
    const size_t position = reference_list_position(list, compare, order);
    return position < list->count && list->items[position] == order;
}

static bool check_order(const reference_engine_t *engine, const reference_order_t *order,
                        const report_t *report)
{
    const reference_instrument_t *instrument = reference_find_instrument(engine, order->instrument);
    const uint64_t id = order->order_id.value;
    if (order->order_type != OC_ORDER_LIMIT || order->time_in_force > OC_TIF_DAY)
        return wrong(report, "order %" PRIu64 " rests but may not", id);
    if (order->open_lots <= 0 || order->executed_lots < 0)
        return wrong(report, "order %" PRIu64 ": open %" PRId64 ", executed %" PRId64, id,
                     order->open_lots, order->executed_lots);
    if (id == 0 || id > engine->last_order_id.value)
        return wrong(report, "order id %" PRIu64 " was never assigned", id);
    if (order->priority == 0 || order->priority > engine->last_priority)
        return wrong(report, "order %" PRIu64 ": priority %" PRIu64 " was never assigned", id,
                     order->priority);
    if (!instrument ||
        !list_contains(&instrument->sides[order->side], reference_compare_place, order))
        return wrong(report, "order %" PRIu64 " is not in its book", id);
    return true;
}

static bool check_source(const reference_engine_t *engine, const reference_source_t *source,
                         const report_t *report)
{
    const reference_order_list_t *list = &source->orders;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i]->source.value != source->id.value)
            return wrong(report, "source %u lists an order of another", source->id.value);
        if (i > 0 && reference_compare_client_id(list->items[i - 1], list->items[i]) >= 0)
            return wrong(report, "source %u: orders out of order", source->id.value);
        if (!check_order(engine, list->items[i], report))
            return false;
    }
    if ((source->session.value == 0) != (source->session_first.value == 0))
        return wrong(report, "source %u: half a session", source->id.value);
    return true;
}

static bool check_sources(const reference_engine_t *engine, const report_t *report)
{
    for (size_t i = 0; i < engine->source_count; i++) {
        const reference_source_t *source = engine->sources[i];
        if (i > 0 && engine->sources[i - 1]->id.value >= source->id.value)
            return wrong(report, "sources out of order at %u", source->id.value);
        if (!check_source(engine, source, report))
            return false;
        for (size_t k = 0; k < i; k++)
            if (source->session.value != 0 &&
                source->session.value == engine->sources[k]->session.value)
                return wrong(report, "session %" PRIu64 " is live twice", source->session.value);
    }
    return true;
}

static bool check_side(const reference_instrument_t *instrument, uint8_t side,
                       const report_t *report)
{
    const reference_order_list_t *list = &instrument->sides[side];
    for (size_t i = 0; i < list->count; i++) {
        const reference_order_t *order = list->items[i];
        if (order->instrument.value != instrument->id.value || order->side != side)
            return wrong(report, "order %" PRIu64 " is in the wrong book", order->order_id.value);
        if (i > 0 && reference_compare_place(list->items[i - 1], order) >= 0)
            return wrong(report, "order %" PRIu64 " is out of place", order->order_id.value);
    }
    return true;
}

static bool check_instruments(const reference_engine_t *engine, const report_t *report)
{
    size_t orders = 0;
    for (size_t i = 0; i < engine->instrument_count; i++) {
        const reference_instrument_t *instrument = engine->instruments[i];
        const reference_order_t *bid = reference_best(instrument, OC_SIDE_BUY);
        const reference_order_t *ask = reference_best(instrument, OC_SIDE_SELL);
        if (i > 0 && engine->instruments[i - 1]->id.value >= instrument->id.value)
            return wrong(report, "instruments out of order at %u", instrument->id.value);
        if (!check_side(instrument, OC_SIDE_BUY, report) ||
            !check_side(instrument, OC_SIDE_SELL, report))
            return false;
        if (instrument->state == OC_STATE_CONTINUOUS && bid && ask &&
            bid->price_ticks >= ask->price_ticks)
            return wrong(report, "instrument %u is crossed", instrument->id.value);
        orders += instrument->sides[OC_SIDE_BUY].count + instrument->sides[OC_SIDE_SELL].count;
    }
    if (orders != reference_count_orders(engine))
        return wrong(report, "%zu orders in books, %u under sources", orders,
                     reference_count_orders(engine));
    return true;
}

static bool check_pending(const reference_engine_t *engine, const report_t *report)
{
    for (size_t i = 0; i < engine->pending_count; i++) {
        const hash_pending_t *item = &engine->pending[i];
        if (item->limit > engine->last_order_id.value)
            return wrong(report, "pending item %zu: limit above every order id", i);
        if (item->source != 0 && !reference_find_source(engine, (oc_source_id_t){item->source}))
            return wrong(report, "pending item %zu: its source is gone", i);
        if (item->instrument != 0 &&
            !reference_find_instrument(engine, (oc_instrument_id_t){item->instrument}))
            return wrong(report, "pending item %zu: its instrument is gone", i);
    }
    return true;
}

static bool check_limits(const reference_engine_t *engine, const report_t *report)
{
    const oc_engine_config_t *config = &engine->config;
    const struct {
        const char *name;
        uint64_t value;
        uint64_t limit;
    } limits[] = {
        {"orders", reference_count_orders(engine), config->max_orders},
        {"levels", reference_count_levels(engine), config->max_levels},
        {"instruments", engine->instrument_count, config->max_instruments},
        {"sources", engine->source_count, config->max_sources},
        {"sessions", reference_count_sessions(engine), config->max_sessions},
        {"mass cancels", reference_pending_mass_cancels(engine), config->max_pending},
        {"restrictions", engine->restrictions, OC_RESTRICT_STORAGE | OC_RESTRICT_RECOVERY},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].value > limits[i].limit)
            return wrong(report, "%" PRIu64 " %s, %" PRIu64 " allowed", limits[i].value,
                         limits[i].name, limits[i].limit);
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool all_different(uint64_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    for (size_t i = 1; i < count; i++)
        if (numbers[i - 1] == numbers[i])
            return false;
    return true;
}

/* Order ids and priorities are given out once each. */
static bool check_numbers(const reference_engine_t *engine, const report_t *report)
{
    const size_t count = reference_count_orders(engine);
    uint64_t *ids = reference_allocate((count + 1) * sizeof *ids);
    uint64_t *priorities = reference_allocate((count + 1) * sizeof *priorities);
    size_t at = 0;
    for (size_t i = 0; i < engine->source_count; i++)
        for (size_t k = 0; k < engine->sources[i]->orders.count; k++, at++) {
            ids[at] = engine->sources[i]->orders.items[k]->order_id.value;
            priorities[at] = engine->sources[i]->orders.items[k]->priority;
        }
    OC_ASSERT(at == count);
    const bool ids_differ = all_different(ids, count);
    const bool priorities_differ = all_different(priorities, count);
    free(ids);
    free(priorities);
    if (!ids_differ)
        return wrong(report, "two orders have the same id");
    if (!priorities_differ)
        return wrong(report, "two orders have the same priority");
    return true;
}

bool reference_audit(const oc_engine_t *base, char *why, size_t why_size)
{
    const reference_engine_t *engine = reference_of_const(base);
    const report_t report = {.why = why, .why_size = why_size};
    return check_sources(engine, &report) && check_instruments(engine, &report) &&
           check_pending(engine, &report) && check_limits(engine, &report) &&
           check_numbers(engine, &report);
}
