/*
 * Events and answers as scenario lines. Called by scenario.c.
 *
 * Invariant: a printer blanks each field of its copy of the event as it writes it, so that whatever
 * is not zero at the end was not shown and is added as a remark. It must not leave a field out
 * because it looks uninteresting.
 */
#include "lib/scenario_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void scenario_append(scenario_text_t *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t room = sizeof text->chars - text->length;
    const int length = vsnprintf(text->chars + text->length, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void put_number(scenario_text_t *text, const char *before, int64_t value)
{
    if (value == INT64_MIN)
        scenario_append(text, "%smin", before);
    else if (value == INT64_MAX)
        scenario_append(text, "%smax", before);
    else
        scenario_append(text, "%s%" PRId64, before, value);
}

static void put_source(scenario_text_t *text, uint32_t *source)
{
    if (*source == 0)
        scenario_append(text, " host");
    else
        scenario_append(text, " s%" PRIu32, *source);
    *source = 0;
}

static void put_instrument(scenario_text_t *text, oc_event_t *event)
{
    if (event->instrument.value != 0)
        scenario_append(text, " i%" PRIu32, event->instrument.value);
    event->instrument.value = 0;
}

static void put_side(scenario_text_t *text, oc_event_t *event)
{
    if (event->side > OC_SIDE_SELL)
        scenario_append(text, " side=%u", (unsigned)event->side);
    else
        scenario_append(text, event->side == OC_SIDE_BUY ? " buy" : " sell");
    event->side = 0;
}

static void put_quantity_price(scenario_text_t *text, oc_event_t *event)
{
    put_number(text, " ", event->quantity_lots);
    put_number(text, "@", event->price_ticks);
    event->quantity_lots = 0;
    event->price_ticks = 0;
}

static void put_client_order_id(scenario_text_t *text, oc_event_t *event)
{
    if (event->client_order_id.value == UINT64_MAX)
        scenario_append(text, " cmax");
    else
        scenario_append(text, " c%" PRIu64, event->client_order_id.value);
    event->client_order_id.value = 0;
}

/* Source, client order id, order id, instrument, side, quantity and price. */
static void put_order(scenario_text_t *text, oc_event_t *event)
{
    put_source(text, &event->source.value);
    put_client_order_id(text, event);
    scenario_append(text, " o%" PRIu64, event->order_id.value);
    event->order_id.value = 0;
    put_instrument(text, event);
    put_side(text, event);
    put_quantity_price(text, event);
}

static void put_open(scenario_text_t *text, oc_event_t *event)
{
    put_number(text, " open=", event->open_lots);
    event->open_lots = 0;
}

static void put_done(scenario_text_t *text, oc_event_t *event)
{
    put_number(text, " done=", event->executed_lots);
    event->executed_lots = 0;
}

static void put_sequence(scenario_text_t *text, oc_event_t *event)
{
    if (event->sequence != 0)
        scenario_append(text, " seq=%" PRIu64, event->sequence);
    event->sequence = 0;
}

static void put_command(scenario_text_t *text, oc_event_t *event)
{
    if (event->command > OC_COMMAND_LAST || event->command == 0)
        scenario_append(text, " type=%u", (unsigned)event->command);
    else
        scenario_append(text, " %s", oc_command_type_name((oc_command_type_t)event->command));
    event->command = 0;
}

static void put_reason(scenario_text_t *text, oc_event_t *event)
{
    scenario_append(text, " %s", oc_reason_name((oc_reason_t)event->reason));
    event->reason = 0;
}

static void put_rejected(scenario_text_t *text, oc_event_t *event)
{
    const uint8_t command = event->command;
    const bool is_new = command == OC_COMMAND_NEW;
    const bool is_modify = command == OC_COMMAND_MODIFY;
    const bool is_duplicate = event->reason == OC_REASON_DUPLICATE_SEQUENCE;
    put_command(text, event);
    put_reason(text, event);
    put_source(text, &event->source.value);
    put_instrument(text, event);
    if (is_new || is_modify || command == OC_COMMAND_CANCEL)
        put_client_order_id(text, event);
    if (is_new)
        put_side(text, event);
    if (is_new || is_modify)
        put_quantity_price(text, event);
    put_sequence(text, event);
    if (is_duplicate) {
        scenario_append(text, " last=%s", oc_reason_name((oc_reason_t)event->last_status));
        event->last_status = 0;
    }
}

static void put_ended(scenario_text_t *text, oc_event_t *event)
{
    put_order(text, event);
    put_done(text, event);
    put_reason(text, event);
    put_command(text, event);
    put_sequence(text, event);
}

static void put_trade(scenario_text_t *text, oc_event_t *event)
{
    put_order(text, event);
    put_open(text, event);
    put_done(text, event);
    scenario_append(text, " t%" PRIu64, event->trade_id.value);
    event->trade_id.value = 0;
}

static const char *state_name(uint32_t state)
{
    static const char *const names[] = {"closed", "pre_open", "continuous", "halted"};
    return state < sizeof names / sizeof names[0] ? names[state] : "unknown";
}

static void put_event(scenario_text_t *text, oc_event_t *event)
{
    switch (event->type) {
    case OC_EVENT_ACCEPTED:
        if (event->open_lots == event->quantity_lots)
            event->open_lots = 0;
        put_order(text, event);
        put_sequence(text, event);
        break;
    case OC_EVENT_REJECTED:
        put_rejected(text, event);
        break;
    case OC_EVENT_TRADE:
    case OC_EVENT_FILL:
        put_trade(text, event);
        break;
    case OC_EVENT_CANCELLED:
    case OC_EVENT_EXPIRED:
        put_ended(text, event);
        break;
    case OC_EVENT_MODIFIED:
        put_order(text, event);
        put_open(text, event);
        put_done(text, event);
        put_sequence(text, event);
        break;
    case OC_EVENT_LEVEL:
        put_instrument(text, event);
        put_side(text, event);
        put_quantity_price(text, event);
        scenario_append(text, " x%" PRIu32, event->order_count);
        event->order_count = 0;
        break;
    case OC_EVENT_INSTRUMENT_STATE:
        put_instrument(text, event);
        scenario_append(text, " %s", state_name(event->order_count));
        event->order_count = 0;
        break;
    case OC_EVENT_CONFIRMED:
        put_source(text, &event->source.value);
        put_command(text, event);
        put_instrument(text, event);
        put_sequence(text, event);
        break;
    case OC_EVENT_COMPLETED:
        put_source(text, &event->source.value);
        put_command(text, event);
        put_instrument(text, event);
        put_number(text, " ended=", event->quantity_lots);
        event->quantity_lots = 0;
        break;
    default:
        break;
    }
}

void scenario_print_event(scenario_text_t *text, const oc_event_t *event, uint64_t entry)
{
    static const oc_event_t nothing;
    oc_event_t rest = *event;
    scenario_append(text, "%s",
                    event->type == OC_EVENT_INSTRUMENT_STATE
                        ? "state"
                        : oc_event_type_name((oc_event_type_t)event->type));
    put_event(text, &rest);
    rest.type = 0;
    if (event->entry != entry)
        scenario_append(text, " (entry %" PRIu64 ", not %" PRIu64 ")", event->entry, entry);
    rest.entry = 0;
    if (memcmp(&rest, &nothing, sizeof rest) != 0)
        scenario_append(
            text,
            " (not zero: side %u reason %u command %u instrument %u source %u count "
            "%u client %" PRIu64 " order %" PRIu64 " price %" PRId64 " quantity %" PRId64
            " open %" PRId64 " executed %" PRId64 " sequence %" PRIu64 ")",
            rest.side, rest.reason, rest.command, rest.instrument.value, rest.source.value,
            rest.order_count, rest.client_order_id.value, rest.order_id.value, rest.price_ticks,
            rest.quantity_lots, rest.open_lots, rest.executed_lots, rest.sequence);
}

static oc_instrument_id_t instrument_word(const scenario_line_t *line)
{
    uint64_t id = 0;
    if (line->count > 1 && !scenario_id(line->words[1], 'i', &id))
        id = 0;
    return (oc_instrument_id_t){(uint32_t)id};
}

static oc_side_t side_word(const scenario_line_t *line)
{
    return line->count > 2 && strcmp(line->words[2], "sell") == 0 ? OC_SIDE_SELL : OC_SIDE_BUY;
}

static void answer_depth(scenario_text_t *text, const oc_engine_t *engine,
                         const scenario_line_t *line)
{
    oc_level_view_t levels[SCENARIO_WORDS_MAX];
    const oc_instrument_id_t instrument = instrument_word(line);
    const oc_side_t side = side_word(line);
    const size_t count =
        oc_engine_depth(engine, instrument, side, levels, sizeof levels / sizeof levels[0]);
    scenario_append(text, "depth i%" PRIu32 " %s", instrument.value,
                    side == OC_SIDE_BUY ? "buy" : "sell");
    for (size_t i = 0; i < count; i++) {
        put_number(text, " ", levels[i].open_lots);
        put_number(text, "@", levels[i].price_ticks);
        scenario_append(text, "x%" PRIu32, levels[i].order_count);
    }
}

static bool put_visited(void *context, const oc_order_view_t *view)
{
    scenario_text_t *text = context;
    scenario_append(text, " s%" PRIu32 ".c%" PRIu64, view->source.value,
                    view->client_order_id.value);
    put_number(text, ":", view->open_lots);
    put_number(text, "@", view->price_ticks);
    return true;
}

static void answer_book(scenario_text_t *text, const oc_engine_t *engine,
                        const scenario_line_t *line)
{
    const oc_instrument_id_t instrument = instrument_word(line);
    const oc_side_t side = side_word(line);
    scenario_append(text, "book i%" PRIu32 " %s", instrument.value,
                    side == OC_SIDE_BUY ? "buy" : "sell");
    oc_engine_visit_orders(engine, instrument, side, put_visited, text);
}

static void answer_order(scenario_text_t *text, const oc_engine_t *engine,
                         const scenario_line_t *line)
{
    uint64_t source = 0;
    uint64_t client_order_id = 0;
    oc_order_view_t view;
    if (line->count < 3 || !scenario_id(line->words[1], 's', &source) ||
        !scenario_id(line->words[2], 'c', &client_order_id))
        return;
    scenario_append(text, "order %s %s", line->words[1], line->words[2]);
    if (!oc_engine_order(engine, (oc_source_id_t){(uint32_t)source},
                         (oc_client_order_id_t){client_order_id}, &view)) {
        scenario_append(text, " none");
        return;
    }
    scenario_append(text, " o%" PRIu64 " i%" PRIu32 " %s", view.order_id.value,
                    view.instrument.value, view.side == OC_SIDE_BUY ? "buy" : "sell");
    put_number(text, " ", view.open_lots);
    put_number(text, "@", view.price_ticks);
    put_number(text, " done=", view.executed_lots);
    scenario_append(text, " %s%s%s%s", view.time_in_force == OC_TIF_DAY ? "day" : "gtc",
                    (view.flags & OC_FLAG_POST_ONLY) != 0 ? " post" : "",
                    (view.flags & OC_FLAG_CANCEL_ON_DISCONNECT) != 0 ? " cod" : "",
                    view.next_to_trade ? " next" : "");
    if (view.source.value != source || view.client_order_id.value != client_order_id)
        scenario_append(text, " (of another)");
}

static void answer_source(scenario_text_t *text, const oc_engine_t *engine,
                          const scenario_line_t *line)
{
    static const char *const roles[] = {"trade", "risk", "mark", "admin"};
    uint64_t id = 0;
    oc_source_view_t view;
    if (line->count < 2 || !scenario_id(line->words[1], 's', &id))
        return;
    scenario_append(text, "source %s", line->words[1]);
    if (!oc_engine_source(engine, (oc_source_id_t){(uint32_t)id}, &view)) {
        scenario_append(text, " none");
        return;
    }
    const char *before = " roles=";
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if ((view.roles & UINT32_C(1) << i) != 0) {
            scenario_append(text, "%s%s", before, roles[i]);
            before = "+";
        }
    scenario_append(text, " seq=%" PRIu64 " last=%s", view.sequence,
                    oc_reason_name(view.last_status));
    if (view.session.value != 0 || view.session_first.value != 0)
        scenario_append(text, " session=%" PRIu64 " first=o%" PRIu64, view.session.value,
                        view.session_first.value);
    scenario_append(text, " orders=%" PRIu32, view.orders);
}

static void answer_instrument(scenario_text_t *text, const oc_engine_t *engine,
                              const scenario_line_t *line)
{
    const oc_instrument_id_t id = instrument_word(line);
    oc_instrument_view_t view;
    scenario_append(text, "instrument i%" PRIu32, id.value);
    if (!oc_engine_instrument(engine, id, &view)) {
        scenario_append(text, " none");
        return;
    }
    scenario_append(text, " %s", state_name((uint32_t)view.state));
    put_number(text, " ", view.price_low_ticks);
    put_number(text, "..", view.price_high_ticks);
    put_number(text, " max=", view.max_quantity_lots);
    if (view.has_mark_price)
        put_number(text, " mark=", view.mark_price_ticks);
    scenario_append(text, " levels=%" PRIu32 "/%" PRIu32, view.levels[OC_SIDE_BUY],
                    view.levels[OC_SIDE_SELL]);
}

static void answer_counts(scenario_text_t *text, const oc_engine_t *engine,
                          const scenario_line_t *line)
{
    oc_engine_counts_t counts;
    oc_engine_counts(engine, &counts);
    const struct {
        const char *name;
        int64_t value;
    } known[] = {
        {"entry", (int64_t)counts.entry},
        {"time", counts.time_ns},
        {"last_order", (int64_t)counts.last_order_id.value},
        {"last_trade", (int64_t)counts.last_trade_id.value},
        {"orders", counts.orders},
        {"levels", counts.levels},
        {"instruments", counts.instruments},
        {"sources", counts.sources},
        {"sessions", counts.sessions},
        {"pending", counts.pending},
        {"step_bound", counts.step_bound},
        {"lose", counts.modify_priority == OC_PRIORITY_LOSE},
        {"restrictions", counts.restrictions},
    };
    scenario_append(text, "counts");
    for (size_t i = 1; i < line->count; i++)
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            const size_t length = strlen(known[k].name);
            if (strncmp(line->words[i], known[k].name, length) == 0 &&
                line->words[i][length] == '=') {
                scenario_append(text, " %s", known[k].name);
                put_number(text, "=", known[k].value);
            }
        }
}

bool scenario_print_answer(scenario_text_t *text, const oc_engine_t *engine,
                           const scenario_line_t *line)
{
    static const struct {
        const char *name;
        void (*answer)(scenario_text_t *text, const oc_engine_t *engine,
                       const scenario_line_t *line);
    } questions[] = {
        {"depth", answer_depth},           {"book", answer_book},
        {"order", answer_order},           {"source", answer_source},
        {"instrument", answer_instrument}, {"counts", answer_counts},
    };
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        if (strcmp(questions[i].name, line->words[0]) == 0) {
            questions[i].answer(text, engine, line);
            return true;
        }
    return false;
}
