/*
 * Runs directed tests on both implementations at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/twin.h"

static fixture_recorder_t fast_events;
static fixture_recorder_t reference_events;

static oc_engine_t *create(oc_engine_config_t config, oc_engine_kind_t kind,
                           fixture_recorder_t *events)
{
    oc_engine_t *engine = NULL;
    config.kind = kind;
    config.verify_touch = kind == OC_ENGINE_FAST;
    events->count = 0;
    assert_int_equal(oc_engine_create(&engine, &config, fixture_record, events), OC_ERR_OK);
    return engine;
}

void twin_create(twin_t *twin, const oc_engine_config_t *config)
{
    twin->fast = create(*config, OC_ENGINE_FAST, &fast_events);
    twin->reference = create(*config, OC_ENGINE_REFERENCE, &reference_events);
}

void twin_destroy(twin_t *twin)
{
    fixture_assert_audit(twin->fast);
    fixture_assert_audit(twin->reference);
    oc_engine_destroy(twin->fast);
    oc_engine_destroy(twin->reference);
}

void twin_apply(const twin_t *twin, oc_command_t command)
{
    fast_events.count = reference_events.count = 0;
    fixture_apply(twin->fast, command);
    fixture_apply(twin->reference, command);
    assert_int_equal(fast_events.count, reference_events.count);
    for (size_t i = 0; i < fast_events.count; i++)
        assert_memory_equal(&fast_events.events[i], &reference_events.events[i],
                            sizeof fast_events.events[i]);
    assert_true(oc_engine_state_hash(twin->fast) == oc_engine_state_hash(twin->reference));
    assert_true(oc_engine_output_hash(twin->fast) == oc_engine_output_hash(twin->reference));
}

size_t twin_events(void)
{
    return fast_events.count;
}

const oc_event_t *twin_event(size_t at)
{
    return at < fast_events.count ? &fast_events.events[at] : NULL;
}

oc_reason_t twin_reason(const twin_t *twin, oc_command_t command)
{
    twin_apply(twin, command);
    for (size_t i = 0; i < fast_events.count; i++) {
        if (fast_events.events[i].type == OC_EVENT_REJECTED)
            return (oc_reason_t)fast_events.events[i].reason;
    }
    return OC_REASON_NONE;
}

void twin_reject(const twin_t *twin, oc_command_t command, oc_reason_t reason)
{
    assert_string_equal(oc_reason_name(twin_reason(twin, command)), oc_reason_name(reason));
}

void twin_take(const twin_t *twin, oc_command_t command)
{
    twin_reject(twin, command, OC_REASON_NONE);
}

oc_engine_counts_t twin_counts(const twin_t *twin)
{
    oc_engine_counts_t counts;
    oc_engine_counts(twin->fast, &counts);
    return counts;
}

void twin_settle(const twin_t *twin)
{
    for (int i = 0; twin_counts(twin).pending; i++) {
        assert_true(i < 100000);
        twin_take(twin, fixture_time(0));
    }
}

oc_command_t twin_session_up(uint64_t session, uint32_t source)
{
    oc_command_t command = fixture_command(OC_COMMAND_SESSION_UP, 0, 0);
    command.u.session.id.value = session;
    command.u.session.source.value = source;
    return command;
}

oc_command_t twin_session_down(uint64_t session)
{
    oc_command_t command = fixture_command(OC_COMMAND_SESSION_DOWN, 0, 0);
    command.u.session.id.value = session;
    return command;
}

oc_command_t twin_state(uint32_t instrument, oc_instrument_state_t state)
{
    oc_command_t command = fixture_command(OC_COMMAND_INSTRUMENT_STATE, 0, instrument);
    command.u.instrument.state = (uint8_t)state;
    return command;
}

oc_command_t twin_mass_cancel(uint32_t source)
{
    oc_command_t command = fixture_command(OC_COMMAND_MASS_CANCEL, source, 0);
    command.u.mass_cancel.scope = OC_SCOPE_SOURCE;
    return command;
}
