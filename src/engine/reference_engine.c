/*
 * The reference engine: the rules of outcry/engine.h, followed naively. It exists to be obviously
 * right, so that the fast engine can be compared with it, event by event and hash by hash.
 *
 * Created by engine.c; called by tests, fuzzing and simulation, never on a trading path. This file
 * has the life of one command (rules 1 to 4), the events on their way out, creation and the table
 * of functions.
 *
 * Invariants: a command that is rejected has changed nothing but entry, time, its source's sequence
 * and status, and pending work. Every event goes through reference_emit().
 *
 * It must not share a line with the fast engine but state_hash.h, nor keep anything incrementally
 * that can be found by looking.
 */
#include "base/assert.h"
#include "base/error.h"
#include "engine/reference_internal.h"
#include "engine/reference_records.h"
#include "engine/rules_version.h"

#include <stdlib.h>

typedef struct command_rule {
    reference_handler_t handler;
    uint32_t roles; /* one of them is needed; 0: only the host may */
    uint32_t flags; /* bits that are known */
    bool not_host;  /* the host may not */
} command_rule_t;

static const command_rule_t command_rules[] = {
    [OC_COMMAND_NEW] = {reference_new, OC_ROLE_TRADE,
                        OC_FLAG_POST_ONLY | OC_FLAG_CANCEL_ON_DISCONNECT, true},
    [OC_COMMAND_CANCEL] = {reference_cancel, OC_ROLE_TRADE | OC_ROLE_RISK, 0, false},
    [OC_COMMAND_MODIFY] = {reference_modify, OC_ROLE_TRADE, OC_FLAG_OPEN_QUANTITY, true},
    [OC_COMMAND_MASS_CANCEL] = {reference_mass_cancel, OC_ROLE_TRADE | OC_ROLE_RISK, 0, false},
    [OC_COMMAND_MARK_PRICE] = {reference_mark_price, OC_ROLE_MARK, 0, false},
    [OC_COMMAND_INSTRUMENT_ADD] = {reference_instrument_add, OC_ROLE_ADMIN, 0, false},
    [OC_COMMAND_INSTRUMENT_STATE] = {reference_instrument_state, OC_ROLE_ADMIN, 0, false},
    [OC_COMMAND_INSTRUMENT_BANDS] = {reference_instrument_bands, OC_ROLE_ADMIN, 0, false},
    [OC_COMMAND_SOURCE_ADD] = {reference_source_add, OC_ROLE_ADMIN, 0, false},
    [OC_COMMAND_SOURCE_RETIRE] = {reference_source_retire, OC_ROLE_ADMIN, 0, false},
    [OC_COMMAND_SESSION_UP] = {reference_session_up, 0, 0, false},
    [OC_COMMAND_SESSION_DOWN] = {reference_session_down, 0, 0, false},
    [OC_COMMAND_CONFIGURE] = {reference_configure, OC_ROLE_ADMIN, 0, false},
    [OC_COMMAND_TIME] = {reference_time, 0, 0, false},
    [OC_COMMAND_RESTRICTION] = {reference_restriction, OC_ROLE_ADMIN, 0, false},
};

static void flush_events(reference_engine_t *engine)
{
    OC_ASSERT(engine->event_count <= engine->config.event_capacity);
    if (engine->event_count > 0 && engine->sink)
        engine->sink(engine->context, engine->events, engine->event_count);
    engine->event_count = 0;
}

void reference_emit(reference_engine_t *engine, oc_event_t event)
{
    OC_ASSERT(engine->event_count < engine->config.event_capacity);
    event.entry = engine->entry;
    if (engine->config.hash_outputs)
        hash_output_add(&engine->output, &event);
    engine->events[engine->event_count++] = event;
    if (engine->event_count == engine->config.event_capacity)
        flush_events(engine);
}

oc_event_t reference_order_event(oc_event_type_t type, const reference_order_t *order)
{
    oc_event_t event = {.type = (uint8_t)type};
    event.side = order->side;
    event.instrument = order->instrument;
    event.source = order->source;
    event.client_order_id = order->client_order_id;
    event.order_id = order->order_id;
    event.price_ticks = order->price_ticks;
    event.open_lots = order->open_lots;
    event.executed_lots = order->executed_lots;
    return event;
}

void reference_confirm(reference_engine_t *engine, const oc_command_t *command)
{
    oc_event_t event = {.type = OC_EVENT_CONFIRMED};
    event.command = command->type;
    event.source = command->source;
    event.instrument = command->instrument;
    event.sequence = command->sequence;
    reference_emit(engine, event);
}

static void reject(reference_engine_t *engine, const oc_command_t *command, oc_reason_t reason,
                   const reference_source_t *source)
{
    OC_ASSERT(reason != OC_REASON_NONE);
    oc_event_t event = {.type = OC_EVENT_REJECTED};
    event.reason = (uint8_t)reason;
    event.command = command->type;
    event.source = command->source;
    event.instrument = command->instrument;
    event.sequence = command->sequence;
    if (command->type == OC_COMMAND_NEW || command->type == OC_COMMAND_CANCEL ||
        command->type == OC_COMMAND_MODIFY)
        event.client_order_id = command->u.order.client_order_id;
    if (command->type == OC_COMMAND_NEW || command->type == OC_COMMAND_MODIFY) {
        event.price_ticks = command->u.order.price_ticks;
        event.quantity_lots = command->u.order.quantity_lots;
    }
    if (command->type == OC_COMMAND_NEW)
        event.side = command->side;
    if (reason == OC_REASON_SEQUENCE_GAP)
        event.sequence = source->sequence + 1;
    if (reason == OC_REASON_DUPLICATE_SEQUENCE) {
        event.sequence = source->sequence;
        event.last_status = (uint32_t)source->last_status;
    }
    reference_emit(engine, event);
}

/* Rule 3. `source` is NULL for the host. */
static oc_reason_t check_sequence(const oc_command_t *command, const reference_source_t *source)
{
    if (command->source.value == 0)
        return OC_REASON_NONE;
    if (!source)
        return OC_REASON_UNKNOWN_SOURCE;
    if (command->sequence == 0)
        return OC_REASON_NONE;
    if (command->sequence <= source->sequence)
        return OC_REASON_DUPLICATE_SEQUENCE;
    if (command->sequence > source->sequence + 1)
        return OC_REASON_SEQUENCE_GAP;
    return OC_REASON_NONE;
}

/* Rule 4, then the rule of the command's type. */
static oc_reason_t execute(reference_engine_t *engine, const oc_command_t *command,
                           const reference_source_t *source)
{
    if (command->type == 0 || command->type >= sizeof command_rules / sizeof command_rules[0])
        return OC_REASON_UNKNOWN_COMMAND;
    const command_rule_t *rule = &command_rules[command->type];
    OC_ASSERT(rule->handler != NULL);
    const bool allowed = source ? (source->roles & rule->roles) != 0 : !rule->not_host;
    if (!allowed)
        return OC_REASON_NOT_ALLOWED;
    if ((command->flags & ~rule->flags) != 0)
        return OC_REASON_INVALID_FLAGS;
    return rule->handler(engine, command);
}

static oc_err_t apply_one(reference_engine_t *engine, const oc_command_t *command)
{
    OC_ASSERT(command != NULL);
    if (!engine->stopped) {
        engine->entry++;
        if (command->time_ns > engine->time_ns)
            engine->time_ns = command->time_ns;
        engine->budget = engine->step_bound;
        reference_pending_run(engine);

        reference_source_t *source = reference_find_source(engine, command->source);
        oc_reason_t reason = check_sequence(command, source);
        if (reason == OC_REASON_NONE) {
            reason = execute(engine, command, source);
            if (source && command->sequence != 0) {
                source->sequence = command->sequence;
                source->last_status = reason;
            }
        }
        if (reason != OC_REASON_NONE)
            reject(engine, command, reason, source);
    }
    if (engine->stopped)
        return rules_version_error(engine->entry, engine->asked_version);
    return OC_ERR_OK;
}

static oc_err_t apply_batch(oc_engine_t *base, const oc_command_t *commands, size_t count)
{
    reference_engine_t *engine = reference_of(base);
    OC_ASSERT(engine->event_count == 0);
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; i < count && err == OC_ERR_OK; i++)
        err = apply_one(engine, &commands[i]);
    flush_events(engine);
    return err;
}

static oc_err_t apply(oc_engine_t *base, const oc_command_t *command)
{
    return apply_batch(base, command, 1);
}

static uint64_t output_hash(const oc_engine_t *engine)
{
    return hash_output_value(&reference_of_const(engine)->output);
}

static void destroy(oc_engine_t *base)
{
    reference_engine_t *engine = reference_of(base);
    OC_ASSERT(engine->event_count == 0);
    reference_drop_all(engine);
    free(engine->events);
    free(engine);
}

static const engine_vtable_t reference_vtable = {
    .destroy = destroy,
    .apply = apply,
    .apply_batch = apply_batch,
    .state_hash = reference_state_hash,
    .output_hash = output_hash,
    .counts = reference_counts,
    .memory = reference_memory,
    .order = reference_order,
    .source_orders = reference_source_orders,
    .visit_orders = reference_visit_orders,
    .depth = reference_depth,
    .instrument = reference_instrument,
    .next_instrument = reference_next_instrument,
    .source = reference_source,
    .audit = reference_audit,
    .totals = reference_totals,
    .source_ids = reference_source_ids,
    .pending_items = reference_pending_items,
    .order_runs = reference_order_runs,
    .walk_next = reference_walk_next,
    .load_begin = reference_load_begin,
    .load_instrument = reference_load_instrument,
    .load_source = reference_load_source,
    .load_orders = reference_load_orders,
    .load_pending = reference_load_pending,
    .load_end = reference_load_end,
};

oc_engine_t *reference_engine_create(const oc_engine_config_t *config, oc_event_sink_t sink,
                                     void *context)
{
    reference_engine_t *engine = calloc(1, sizeof *engine);
    oc_event_t *events = calloc(config->event_capacity, sizeof *events);
    if (!engine || !events) {
        (void)error_set(OC_ERR_NO_MEMORY, "reference engine: no memory for %u buffered events",
                        (unsigned)config->event_capacity);
        free(events);
        free(engine);
        return NULL;
    }
    OC_ASSERT(config->event_capacity > 0);
    engine->base.vtable = &reference_vtable;
    engine->config = *config;
    engine->sink = sink;
    engine->context = context;
    engine->events = events;
    engine->step_bound = config->step_bound;
    engine->modify_priority = config->modify_priority;
    return &engine->base;
}
