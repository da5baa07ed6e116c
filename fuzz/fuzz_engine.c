/*
 * Fuzzes the fast engine with commands of any bytes, beside the reference engine: the same events
 * to the byte, the same hashes, every write to the state announced, and a clean audit at the end.
 *
 * Input: two bytes that choose the limits, then commands of 64 bytes. Most fields are folded into
 * small ranges, so that commands meet each other; a bit beside each lets the raw value through.
 */
#include "base/assert.h"
#include "outcry/engine.h"

#include <string.h>

enum { COMMANDS_MAX = 150, EVENTS_MAX = 4096, BATCH_MAX = 13 };
enum { FAST, REFERENCE, BATCH, ENGINES };

typedef struct event_log {
    oc_event_t events[EVENTS_MAX];
    size_t count;
} event_log_t;

static event_log_t logs[ENGINES];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void keep_events(void *context, const oc_event_t *events, size_t count)
{
    event_log_t *log = context;
    OC_ASSERT(log->count + count <= EVENTS_MAX);
    memcpy(&log->events[log->count], events, count * sizeof *events);
    log->count += count;
}

static void create_engines(oc_engine_t *engines[ENGINES], const uint8_t *choice)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.max_orders = 1 + choice[0] % 24;
    config.max_levels = 1 + choice[0] / 24;
    config.max_instruments = 1 + choice[1] % 3;
    config.max_sources = 1 + choice[1] / 3 % 5;
    config.max_sessions = 1 + choice[1] / 15 % 3;
    config.max_pending = 1 + choice[1] / 45 % 2;
    config.step_bound = 1 + choice[1] / 90;
    config.modify_priority = (oc_modify_priority_t)(choice[0] & 1);
    config.event_capacity = 64;
    for (int i = 0; i < ENGINES; i++) {
        config.kind = i == REFERENCE ? OC_ENGINE_REFERENCE : OC_ENGINE_FAST;
        config.verify_touch = i == FAST;
        const oc_err_t err = oc_engine_create(&engines[i], &config, keep_events, &logs[i]);
        OC_ASSERT(err == OC_ERR_OK);
    }
}

/* Small values around 0, or the raw one when its second highest bit is set. */
static int64_t fold_signed(int64_t raw, int64_t width)
{
    return (uint64_t)raw >> 62 & 1 ? raw : raw % width;
}

static uint64_t fold(uint64_t raw, uint64_t width)
{
    return raw >> 62 == 3 ? raw : raw % width;
}

static uint8_t fold_byte(uint8_t raw, uint8_t width)
{
    return raw >= 240 ? raw : raw % width;
}

static void fold_union(oc_command_t *c)
{
    switch (c->type) {
    case OC_COMMAND_NEW:
    case OC_COMMAND_CANCEL:
    case OC_COMMAND_MODIFY:
        c->u.order.client_order_id.value = fold(c->u.order.client_order_id.value, 12);
        c->u.order.price_ticks = fold_signed(c->u.order.price_ticks, 200);
        c->u.order.quantity_lots = fold_signed(c->u.order.quantity_lots, 50);
        c->u.order.owner.value %= 8;
        break;
    case OC_COMMAND_MASS_CANCEL:
        c->u.mass_cancel.session.value = fold(c->u.mass_cancel.session.value, 6);
        c->u.mass_cancel.owner.value %= 8;
        c->u.mass_cancel.scope = fold_byte(c->u.mass_cancel.scope, 4);
        c->u.mass_cancel.sides = fold_byte(c->u.mass_cancel.sides, 3);
        break;
    case OC_COMMAND_INSTRUMENT_ADD:
    case OC_COMMAND_INSTRUMENT_STATE:
    case OC_COMMAND_INSTRUMENT_BANDS:
        c->u.instrument.max_quantity_lots = fold_signed(c->u.instrument.max_quantity_lots, 500);
        c->u.instrument.state = fold_byte(c->u.instrument.state, 4);
        break;
    case OC_COMMAND_SOURCE_ADD:
    case OC_COMMAND_SOURCE_RETIRE:
        c->u.source.id.value %= 8;
        c->u.source.roles %= 32;
        break;
    case OC_COMMAND_SESSION_UP:
    case OC_COMMAND_SESSION_DOWN:
        c->u.session.id.value = fold(c->u.session.id.value, 6);
        c->u.session.source.value %= 8;
        break;
    case OC_COMMAND_CONFIGURE:
        if (c->u.configure.rules_version % 16)
            c->u.configure.rules_version = OC_RULES_VERSION;
        break;
    case OC_COMMAND_RESTRICTION:
        c->u.restriction.set %= 5;
        c->u.restriction.clear %= 5;
        break;
    default:
        break;
    }
}

static oc_command_t read_command(const uint8_t *data)
{
    oc_command_t c;
    memcpy(&c, data, sizeof c);
    c.type = fold_byte(c.type, OC_COMMAND_LAST + 2);
    c.side = fold_byte(c.side, 2);
    c.order_type = fold_byte(c.order_type, 2);
    c.time_in_force = fold_byte(c.time_in_force, 4);
    c.flags = c.flags >> 30 == 3 ? c.flags : c.flags % 8;
    c.source.value %= 8;
    c.instrument.value %= 5;
    c.sequence = c.sequence % 4 ? 0 : c.sequence / 4 % 32;
    fold_union(&c);
    return c;
}

/* Sources 1 and 2 and instrument 1, so that even a short input trades. */
static oc_command_t opening_command(size_t at)
{
    oc_command_t c;
    memset(&c, 0, sizeof c);
    c.type = at == 0 ? OC_COMMAND_INSTRUMENT_ADD : OC_COMMAND_SOURCE_ADD;
    if (at == 0) {
        c.instrument.value = 1;
        c.u.instrument.price_low_ticks = INT64_MIN;
        c.u.instrument.price_high_ticks = INT64_MAX;
        c.u.instrument.max_quantity_lots = 100000;
        c.u.instrument.state = OC_STATE_CONTINUOUS;
    } else {
        c.u.source.id.value = (uint32_t)at;
        c.u.source.roles = OC_ROLES_ALL;
    }
    return c;
}

static void compare(oc_engine_t *engines[ENGINES], int other)
{
    OC_ASSERT(logs[other].count == logs[REFERENCE].count);
    OC_ASSERT(memcmp(logs[other].events, logs[REFERENCE].events,
                     logs[other].count * sizeof(oc_event_t)) == 0);
    OC_ASSERT(oc_engine_state_hash(engines[other]) == oc_engine_state_hash(engines[REFERENCE]));
    OC_ASSERT(oc_engine_output_hash(engines[other]) == oc_engine_output_hash(engines[REFERENCE]));
}

/* Applies to the first two engines; false when the command ended them both. */
static bool apply(oc_engine_t *engines[ENGINES], const oc_command_t *command)
{
    logs[FAST].count = 0;
    const size_t kept = logs[REFERENCE].count;
    const oc_err_t err = oc_engine_apply(engines[REFERENCE], command);
    OC_ASSERT(oc_engine_apply(engines[FAST], command) == err);
    OC_ASSERT(logs[FAST].count == logs[REFERENCE].count - kept);
    OC_ASSERT(memcmp(logs[FAST].events, &logs[REFERENCE].events[kept],
                     logs[FAST].count * sizeof(oc_event_t)) == 0);
    OC_ASSERT(oc_engine_state_hash(engines[FAST]) == oc_engine_state_hash(engines[REFERENCE]));
    return err == OC_ERR_OK;
}

static void apply_batches(oc_engine_t *engine, const oc_command_t *commands, size_t count,
                          size_t size)
{
    for (size_t at = 0; at < count; at += size) {
        const size_t n = count - at < size ? count - at : size;
        const oc_err_t err = oc_engine_apply_batch(engine, &commands[at], n);
        OC_ASSERT(err == OC_ERR_OK || at + n == count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static oc_command_t commands[COMMANDS_MAX + 3];
    oc_engine_t *engines[ENGINES];
    if (size < 2)
        return 0;
    for (int i = 0; i < ENGINES; i++)
        logs[i].count = 0;
    create_engines(engines, data);
    size_t count = 0;
    size_t at = 2;
    bool going_on = true;
    while (going_on && count < COMMANDS_MAX + 3) {
        if (count < 3) {
            commands[count] = opening_command(count);
        } else {
            if (size - at < sizeof commands[0])
                break;
            commands[count] = read_command(data + at);
            at += sizeof commands[0];
        }
        going_on = apply(engines, &commands[count++]);
    }
    apply_batches(engines[BATCH], commands, count, 1 + data[1] % BATCH_MAX);
    compare(engines, BATCH);
    for (int i = 0; i < ENGINES; i++) {
        char why[256] = "";
        if (!oc_engine_audit(engines[i], why, sizeof why))
            assert_failed(why, __FILE__, __LINE__);
        oc_engine_destroy(engines[i]);
    }
    return 0;
}
