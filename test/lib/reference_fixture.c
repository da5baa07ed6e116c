/*
 * Builds engines, commands and a random flow for the unit tests of the reference engine.
 *
 * Invariant: the same seed gives the same flow on every machine. It must not check results beyond
 * what makes the fixture itself unusable.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/reference_fixture.h"

#include <string.h>

void fixture_record(void *context, const oc_event_t *events, size_t count)
{
    fixture_recorder_t *recorder = context;
    assert_true(count > 0);
    assert_true(recorder->count + count <= FIXTURE_EVENTS_MAX);
    memcpy(&recorder->events[recorder->count], events, count * sizeof *events);
    recorder->count += count;
    recorder->calls++;
    if (count > recorder->largest_call)
        recorder->largest_call = count;
}

oc_engine_config_t fixture_config(void)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = OC_ENGINE_REFERENCE;
    config.max_orders = 200;
    config.max_levels = 30;
    config.max_sources = 8;
    config.max_sessions = 4;
    config.max_instruments = 4;
    config.max_pending = 3;
    config.step_bound = 4;
    config.event_capacity = 64;
    return config;
}

oc_engine_t *fixture_create(const oc_engine_config_t *config, fixture_recorder_t *recorder)
{
    oc_engine_t *engine = NULL;
    if (recorder)
        memset(recorder, 0, sizeof *recorder);
    assert_int_equal(oc_engine_create(&engine, config, recorder ? fixture_record : NULL, recorder),
                     OC_ERR_OK);
    return engine;
}

void fixture_apply(oc_engine_t *engine, oc_command_t command)
{
    assert_int_equal(oc_engine_apply(engine, &command), OC_ERR_OK);
}

oc_command_t fixture_command(oc_command_type_t type, uint32_t source, uint32_t instrument)
{
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = (uint8_t)type;
    command.source.value = source;
    command.instrument.value = instrument;
    return command;
}

oc_command_t fixture_new(uint32_t source, uint64_t id, oc_side_t side, int64_t lots, int64_t price)
{
    oc_command_t command = fixture_command(OC_COMMAND_NEW, source, 1);
    command.side = (uint8_t)side;
    command.u.order.client_order_id.value = id;
    command.u.order.quantity_lots = lots;
    command.u.order.price_ticks = price;
    return command;
}

oc_command_t fixture_modify(uint32_t source, uint64_t id, int64_t lots, int64_t price)
{
    oc_command_t command = fixture_new(source, id, OC_SIDE_BUY, lots, price);
    command.type = OC_COMMAND_MODIFY;
    return command;
}

oc_command_t fixture_cancel(uint32_t source, uint64_t id)
{
    oc_command_t command = fixture_command(OC_COMMAND_CANCEL, source, 1);
    command.u.order.client_order_id.value = id;
    return command;
}

oc_command_t fixture_add_source(uint32_t id)
{
    oc_command_t command = fixture_command(OC_COMMAND_SOURCE_ADD, 0, 0);
    command.u.source.id.value = id;
    command.u.source.roles = OC_ROLES_ALL;
    return command;
}

oc_command_t fixture_add_instrument(uint32_t id)
{
    oc_command_t command = fixture_command(OC_COMMAND_INSTRUMENT_ADD, 0, id);
    command.u.instrument.price_low_ticks = 1;
    command.u.instrument.price_high_ticks = FIXTURE_PRICE_MAX;
    command.u.instrument.max_quantity_lots = 1000;
    command.u.instrument.state = OC_STATE_CONTINUOUS;
    return command;
}

oc_command_t fixture_time(int64_t time_ns)
{
    oc_command_t command = fixture_command(OC_COMMAND_TIME, 0, 0);
    command.time_ns = time_ns;
    return command;
}

void fixture_prepare(oc_engine_t *engine)
{
    for (uint32_t id = 1; id <= 3; id++)
        fixture_apply(engine, fixture_add_source(id));
    for (uint32_t id = 1; id <= 2; id++)
        fixture_apply(engine, fixture_add_instrument(id));
}

void fixture_assert_audit(const oc_engine_t *engine)
{
    char why[256] = "";
    if (!oc_engine_audit(engine, why, sizeof why))
        fail_msg("audit: %s", why);
}

/* xorshift; the same stream for the same seed everywhere. */
static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

uint64_t fixture_below(uint64_t *seed, uint64_t bound)
{
    return next_random(seed) % bound;
}

static oc_command_t random_order(uint64_t *seed)
{
    const uint32_t source = 1 + (uint32_t)fixture_below(seed, 3);
    oc_command_t command = fixture_new(
        source, fixture_below(seed, 60), (oc_side_t)fixture_below(seed, 2),
        1 + (int64_t)fixture_below(seed, 9), 1 + (int64_t)fixture_below(seed, FIXTURE_PRICE_MAX));
    command.instrument.value = 1 + (uint32_t)fixture_below(seed, 2);
    if (fixture_below(seed, 4) == 0)
        command.time_in_force = (uint8_t)fixture_below(seed, 4);
    if (fixture_below(seed, 4) == 0)
        command.flags = (uint32_t)fixture_below(seed, 4);
    if (fixture_below(seed, 10) == 0)
        command.order_type = OC_ORDER_MARKET;
    return command;
}

static oc_command_t random_control(uint64_t *seed)
{
    oc_command_t command =
        fixture_command(OC_COMMAND_MASS_CANCEL, 0, (uint32_t)fixture_below(seed, 3));
    switch (fixture_below(seed, 5)) {
    case 0:
        command.source.value = (uint32_t)fixture_below(seed, 4);
        command.u.mass_cancel.scope = (uint8_t)(1 + fixture_below(seed, 3));
        command.u.mass_cancel.sides = (uint8_t)fixture_below(seed, 3);
        return command;
    case 1:
        command.type = OC_COMMAND_SESSION_UP;
        command.u.session.id.value = 1 + fixture_below(seed, 3);
        command.u.session.source.value = 1 + (uint32_t)fixture_below(seed, 3);
        return command;
    case 2:
        command.type = OC_COMMAND_SESSION_DOWN;
        command.u.session.id.value = 1 + fixture_below(seed, 3);
        return command;
    case 3:
        command.type = OC_COMMAND_CONFIGURE;
        command.u.configure.rules_version = OC_RULES_VERSION;
        command.u.configure.step_bound = 1 + (uint32_t)fixture_below(seed, 3);
        command.u.configure.modify_priority = (uint8_t)fixture_below(seed, 2);
        return command;
    default:
        command.type = OC_COMMAND_INSTRUMENT_STATE;
        command.u.instrument.state =
            fixture_below(seed, 3) == 0 ? (uint8_t)fixture_below(seed, 4) : 2;
        return command;
    }
}

oc_command_t fixture_random_command(uint64_t *seed)
{
    oc_command_t command = random_order(seed);
    const uint64_t kind = fixture_below(seed, 20);
    if (kind < 5) {
        command.type = OC_COMMAND_MODIFY;
        command.flags = fixture_below(seed, 2) == 0 ? 0 : OC_FLAG_OPEN_QUANTITY;
        command.instrument.value = 0;
    } else if (kind < 9) {
        command.type = OC_COMMAND_CANCEL;
        command.flags = 0;
        command.instrument.value = 0;
    } else if (kind == 9) {
        command = random_control(seed);
    }
    if (fixture_below(seed, 50) == 0) {
        uint8_t bytes[sizeof command];
        memcpy(bytes, &command, sizeof command);
        bytes[fixture_below(seed, sizeof bytes)] = (uint8_t)next_random(seed);
        memcpy(&command, bytes, sizeof command);
        if (command.type == OC_COMMAND_CONFIGURE)
            command.u.configure.rules_version = OC_RULES_VERSION;
    }
    return command;
}
