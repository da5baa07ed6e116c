/*
 * Rules 8 to 11 and 13: commands that are not about one order. Called by reference_engine.c, one
 * function per command.
 *
 * Invariants: checks come first and in the order of the rules, and change nothing; CONFIRMED comes
 * before any event of the work that the command queues. It must not look at who may send what
 * beyond what its rule says: rules 3 and 4 have been applied.
 */
#include "base/assert.h"
#include "engine/reference_internal.h"

static bool has_risk(const reference_engine_t *engine, oc_source_id_t sender)
{
    const reference_source_t *source = reference_find_source(engine, sender);
    return sender.value == 0 || (source && (source->roles & OC_ROLE_RISK) != 0);
}

/* Fills in the target of a mass cancel by source. */
static oc_reason_t target_source(const reference_engine_t *engine, const oc_command_t *command,
                                 hash_pending_t *item)
{
    oc_source_id_t owner = command->u.mass_cancel.owner;
    if (owner.value == 0)
        owner = command->source;
    if (owner.value != command->source.value && !has_risk(engine, command->source))
        return OC_REASON_WRONG_OWNER;
    if (!reference_find_source(engine, owner))
        return OC_REASON_UNKNOWN_SOURCE;
    item->source = owner.value;
    return OC_REASON_NONE;
}

/* Fills in the target of a mass cancel by session. */
static oc_reason_t target_session(const reference_engine_t *engine, const oc_command_t *command,
                                  hash_pending_t *item)
{
    const oc_session_id_t session = command->u.mass_cancel.session;
    const reference_source_t *owner = session.value == 0
                                          ? reference_find_source(engine, command->source)
                                          : reference_find_session(engine, session);
    if (!owner || owner->session.value == 0)
        return OC_REASON_UNKNOWN_SESSION;
    if (owner->id.value != command->source.value && !has_risk(engine, command->source))
        return OC_REASON_WRONG_OWNER;
    item->source = owner->id.value;
    item->first = owner->session_first.value;
    return OC_REASON_NONE;
}

static oc_reason_t target_of(const reference_engine_t *engine, const oc_command_t *command,
                             hash_pending_t *item)
{
    switch (command->u.mass_cancel.scope) {
    case OC_SCOPE_SOURCE:
        return target_source(engine, command, item);
    case OC_SCOPE_SESSION:
        return target_session(engine, command, item);
    default:
        return has_risk(engine, command->source) ? OC_REASON_NONE : OC_REASON_NOT_ALLOWED;
    }
}

oc_reason_t reference_mass_cancel(reference_engine_t *engine, const oc_command_t *command)
{
    const uint8_t scope = command->u.mass_cancel.scope;
    const uint8_t sides = command->u.mass_cancel.sides;
    if (scope < OC_SCOPE_SOURCE || scope > OC_SCOPE_INSTRUMENT || sides > OC_SIDES_SELL)
        return OC_REASON_INVALID_FIELD;
    const bool names_instrument = command->instrument.value != 0;
    if (names_instrument ? !reference_find_instrument(engine, command->instrument)
                         : scope == OC_SCOPE_INSTRUMENT)
        return OC_REASON_UNKNOWN_INSTRUMENT;
    hash_pending_t item = {.command = command->type, .scope = scope, .sides = sides};
    item.asker = command->source.value;
    item.instrument = command->instrument.value;
    const oc_reason_t reason = target_of(engine, command, &item);
    if (reason != OC_REASON_NONE)
        return reason;
    if (reference_pending_mass_cancels(engine) >= engine->config.max_pending)
        return OC_REASON_PENDING_FULL;

    OC_ASSERT(item.source != 0 || item.instrument != 0);
    reference_confirm(engine, command);
    reference_pending_queue(engine, item);
    reference_pending_run(engine);
    return OC_REASON_NONE;
}

oc_reason_t reference_mark_price(reference_engine_t *engine, const oc_command_t *command)
{
    reference_instrument_t *instrument = reference_find_instrument(engine, command->instrument);
    if (!instrument)
        return OC_REASON_UNKNOWN_INSTRUMENT;
    const int64_t price_ticks = command->u.mark.price_ticks;
    if (price_ticks < instrument->price_low_ticks || price_ticks > instrument->price_high_ticks)
        return OC_REASON_PRICE_OUT_OF_BAND;
    OC_ASSERT(instrument->id.value == command->instrument.value);
    instrument->mark_price_ticks = price_ticks;
    instrument->has_mark_price = true;
    reference_confirm(engine, command);
    return OC_REASON_NONE;
}

static void emit_instrument_state(reference_engine_t *engine,
                                  const reference_instrument_t *instrument)
{
    oc_event_t event = {.type = OC_EVENT_INSTRUMENT_STATE};
    event.instrument = instrument->id;
    event.order_count = (uint32_t)instrument->state;
    reference_emit(engine, event);
}

/* Whether bands and largest quantity make sense: totals of a level must fit 63 bits. */
static bool bands_valid(const reference_engine_t *engine, const oc_command_t *command)
{
    const int64_t most_lots = INT64_MAX / (int64_t)engine->config.max_orders;
    return command->u.instrument.price_low_ticks <= command->u.instrument.price_high_ticks &&
           command->u.instrument.max_quantity_lots > 0 &&
           command->u.instrument.max_quantity_lots <= most_lots;
}

static void set_bands(reference_instrument_t *instrument, const oc_command_t *command)
{
    OC_ASSERT(command->u.instrument.max_quantity_lots > 0);
    instrument->price_low_ticks = command->u.instrument.price_low_ticks;
    instrument->price_high_ticks = command->u.instrument.price_high_ticks;
    instrument->max_quantity_lots = command->u.instrument.max_quantity_lots;
}

oc_reason_t reference_instrument_add(reference_engine_t *engine, const oc_command_t *command)
{
    if (command->instrument.value == 0 || !bands_valid(engine, command) ||
        command->u.instrument.state > OC_STATE_HALTED)
        return OC_REASON_INVALID_FIELD;
    if (reference_find_instrument(engine, command->instrument))
        return OC_REASON_DUPLICATE_INSTRUMENT;
    if (engine->instrument_count >= engine->config.max_instruments)
        return OC_REASON_INSTRUMENTS_FULL;

    reference_instrument_t *instrument = reference_add_instrument(engine, command->instrument);
    OC_ASSERT(engine->instrument_count <= engine->config.max_instruments);
    instrument->state = (oc_instrument_state_t)command->u.instrument.state;
    set_bands(instrument, command);
    reference_confirm(engine, command);
    emit_instrument_state(engine, instrument);
    return OC_REASON_NONE;
}

static bool is_crossed(const reference_instrument_t *instrument)
{
    const reference_order_t *bid = reference_best(instrument, OC_SIDE_BUY);
    const reference_order_t *ask = reference_best(instrument, OC_SIDE_SELL);
    return bid && ask && bid->price_ticks >= ask->price_ticks;
}

/* Queues the end of the instrument's DAY orders, or starts the one that waits anew. */
static void queue_expiry(reference_engine_t *engine, oc_instrument_id_t instrument)
{
    hash_pending_t *waiting =
        reference_pending_find(engine, OC_COMMAND_INSTRUMENT_STATE, 0, instrument.value);
    if (!waiting) {
        reference_pending_queue(engine, (hash_pending_t){.command = OC_COMMAND_INSTRUMENT_STATE,
                                                         .instrument = instrument.value});
        return;
    }
    OC_ASSERT(waiting->limit <= engine->last_order_id.value);
    waiting->limit = engine->last_order_id.value;
    waiting->looked_at = 0;
    waiting->price_ticks = 0;
    waiting->side = REFERENCE_NO_SIDE;
}

oc_reason_t reference_instrument_state(reference_engine_t *engine, const oc_command_t *command)
{
    reference_instrument_t *instrument = reference_find_instrument(engine, command->instrument);
    if (!instrument)
        return OC_REASON_UNKNOWN_INSTRUMENT;
    const uint8_t state = command->u.instrument.state;
    if (state > OC_STATE_HALTED)
        return OC_REASON_INVALID_FIELD;
    if (state == OC_STATE_CONTINUOUS && is_crossed(instrument))
        return OC_REASON_CROSSED_BOOK;

    instrument->state = (oc_instrument_state_t)state;
    OC_ASSERT(instrument->state <= OC_STATE_HALTED);
    reference_confirm(engine, command);
    emit_instrument_state(engine, instrument);
    if (state == OC_STATE_CLOSED) {
        queue_expiry(engine, instrument->id);
        reference_pending_run(engine);
    }
    return OC_REASON_NONE;
}

oc_reason_t reference_instrument_bands(reference_engine_t *engine, const oc_command_t *command)
{
    reference_instrument_t *instrument = reference_find_instrument(engine, command->instrument);
    if (!instrument)
        return OC_REASON_UNKNOWN_INSTRUMENT;
    if (!bands_valid(engine, command))
        return OC_REASON_INVALID_FIELD;
    set_bands(instrument, command);
    OC_ASSERT(instrument->price_low_ticks <= instrument->price_high_ticks);
    reference_confirm(engine, command);
    return OC_REASON_NONE;
}

oc_reason_t reference_source_add(reference_engine_t *engine, const oc_command_t *command)
{
    const oc_source_id_t id = command->u.source.id;
    if (id.value == 0 || (command->u.source.roles & ~OC_ROLES_ALL) != 0)
        return OC_REASON_INVALID_FIELD;
    if (reference_find_source(engine, id))
        return OC_REASON_DUPLICATE_SOURCE;
    if (engine->source_count >= engine->config.max_sources)
        return OC_REASON_SOURCES_FULL;
    reference_source_t *source = reference_add_source(engine, id);
    OC_ASSERT(engine->source_count <= engine->config.max_sources);
    source->roles = command->u.source.roles;
    reference_confirm(engine, command);
    return OC_REASON_NONE;
}

oc_reason_t reference_source_retire(reference_engine_t *engine, const oc_command_t *command)
{
    const oc_source_id_t id = command->u.source.id;
    reference_source_t *source = reference_find_source(engine, id);
    if (!source)
        return OC_REASON_UNKNOWN_SOURCE;
    if (id.value == command->source.value || source->orders.count > 0 ||
        source->session.value != 0 || reference_pending_targets(engine, id))
        return OC_REASON_SOURCE_BUSY;
    reference_remove_source(engine, source);
    OC_ASSERT(!reference_find_source(engine, id));
    reference_confirm(engine, command);
    return OC_REASON_NONE;
}

oc_reason_t reference_session_up(reference_engine_t *engine, const oc_command_t *command)
{
    const oc_session_id_t id = command->u.session.id;
    if (id.value == 0)
        return OC_REASON_INVALID_FIELD;
    reference_source_t *source = reference_find_source(engine, command->u.session.source);
    if (!source)
        return OC_REASON_UNKNOWN_SOURCE;
    if (reference_find_session(engine, id) || source->session.value != 0)
        return OC_REASON_SESSION_IN_USE;
    if (reference_count_sessions(engine) >= engine->config.max_sessions)
        return OC_REASON_SESSIONS_FULL;
    OC_ASSERT(source->session_first.value == 0);
    source->session = id;
    source->session_first.value = engine->last_order_id.value + 1;
    reference_confirm(engine, command);
    return OC_REASON_NONE;
}

oc_reason_t reference_session_down(reference_engine_t *engine, const oc_command_t *command)
{
    reference_source_t *source = reference_find_session(engine, command->u.session.id);
    if (!source)
        return OC_REASON_UNKNOWN_SESSION;
    OC_ASSERT(source->session_first.value != 0);
    source->session.value = 0;
    source->session_first.value = 0;
    reference_confirm(engine, command);
    hash_pending_t *waiting =
        reference_pending_find(engine, OC_COMMAND_SESSION_DOWN, source->id.value, 0);
    if (waiting)
        waiting->limit = engine->last_order_id.value;
    else
        reference_pending_queue(engine, (hash_pending_t){.command = OC_COMMAND_SESSION_DOWN,
                                                         .source = source->id.value});
    reference_pending_run(engine);
    return OC_REASON_NONE;
}

oc_reason_t reference_configure(reference_engine_t *engine, const oc_command_t *command)
{
    OC_ASSERT(!engine->stopped);
    if (command->u.configure.rules_version != OC_RULES_VERSION) {
        engine->stopped = true;
        engine->asked_version = command->u.configure.rules_version;
        return OC_REASON_NONE;
    }
    const uint32_t step_bound = command->u.configure.step_bound;
    if (step_bound < 1 || step_bound > OC_STEP_BOUND_MAX ||
        command->u.configure.modify_priority > OC_PRIORITY_LOSE)
        return OC_REASON_INVALID_FIELD;
    engine->step_bound = step_bound;
    engine->modify_priority = (oc_modify_priority_t)command->u.configure.modify_priority;
    reference_confirm(engine, command);
    return OC_REASON_NONE;
}

oc_reason_t reference_restriction(reference_engine_t *engine, const oc_command_t *command)
{
    const uint32_t known = OC_RESTRICT_STORAGE | OC_RESTRICT_RECOVERY;
    const uint32_t set = command->u.restriction.set;
    const uint32_t clear = command->u.restriction.clear;
    if ((set & ~known) != 0 || (clear & ~known) != 0 || (set & clear) != 0)
        return OC_REASON_INVALID_FIELD;
    engine->restrictions &= ~clear;
    engine->restrictions |= set;
    OC_ASSERT((engine->restrictions & ~known) == 0);
    reference_confirm(engine, command);
    return OC_REASON_NONE;
}

oc_reason_t reference_time(reference_engine_t *engine, const oc_command_t *command)
{
    /* Rules 1 and 2 have done all there is to do. */
    OC_ASSERT(engine->time_ns >= command->time_ns);
    return OC_REASON_NONE;
}
