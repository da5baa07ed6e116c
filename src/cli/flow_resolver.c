/*
 * Records of order flow to commands. Called for every record of a file by a replay's run and by
 * `outcry bench tape`.
 *
 * Invariants: source 1's sequence numbers are contiguous; a record either is counted as skipped and
 * applies nothing, or applies at least one command. It must not change the engine but through
 * `apply`, which also times and records every command.
 */
#include "cli/flow_resolver.h"

#include "base/assert.h"

#include <string.h>

enum { FLOW_SOURCE = 1 };

void flow_resolver_init(flow_resolver_t *self, const flow_resolver_config_t *config,
                        const oc_engine_t *engine, flow_resolver_apply_t apply, void *context)
{
    OC_ASSERT(config->tick_size > 0);
    memset(self, 0, sizeof *self);
    self->config = *config;
    self->engine = engine;
    self->apply = apply;
    self->context = context;
}

static uint32_t instrument_of(const flow_resolver_t *self, const flow_record_t *record)
{
    return record->instrument ? record->instrument : self->config.instrument;
}

static oc_err_t skip(flow_resolver_t *self)
{
    self->skipped++;
    return OC_ERR_OK;
}

static oc_err_t add_source(flow_resolver_t *self, const flow_record_t *record)
{
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_SOURCE_ADD;
    command.time_ns = record->time_ns;
    command.u.source.id.value = FLOW_SOURCE;
    command.u.source.roles = OC_ROLES_ALL;
    self->started = true;
    return self->apply(self->context, &command);
}

static oc_err_t add_instrument(flow_resolver_t *self, const flow_record_t *record)
{
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_INSTRUMENT_ADD;
    command.time_ns = record->time_ns;
    command.instrument.value = instrument_of(self, record);
    command.u.instrument.price_low_ticks = INT64_MIN;
    command.u.instrument.price_high_ticks = INT64_MAX;
    command.u.instrument.max_quantity_lots = self->config.max_quantity_lots;
    command.u.instrument.state = self->config.mirror ? OC_STATE_PRE_OPEN : OC_STATE_CONTINUOUS;
    return self->apply(self->context, &command);
}

/* Whatever the record's commands need to exist first. */
static oc_err_t ensure_known(flow_resolver_t *self, const flow_record_t *record)
{
    if (!self->started) {
        const oc_err_t err = add_source(self, record);
        if (err != OC_ERR_OK)
            return err;
    }
    const oc_instrument_id_t id = {instrument_of(self, record)};
    if (id.value == self->known_instrument)
        return OC_ERR_OK;
    self->known_instrument = id.value;
    oc_instrument_view_t view;
    return oc_engine_instrument(self->engine, id, &view) ? OC_ERR_OK : add_instrument(self, record);
}

/* The command of source 1 that `record` begins; the caller fills in the rest and sends it. */
static oc_command_t order_command(const flow_resolver_t *self, const flow_record_t *record,
                                  oc_command_type_t type, uint64_t order_id)
{
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = (uint8_t)type;
    command.source.value = FLOW_SOURCE;
    command.instrument.value = instrument_of(self, record);
    command.time_ns = record->time_ns;
    command.u.order.client_order_id.value = order_id;
    return command;
}

static oc_err_t send(flow_resolver_t *self, const flow_record_t *record, oc_command_t *command)
{
    const oc_err_t err = ensure_known(self, record);
    if (err != OC_ERR_OK)
        return err;
    command->sequence = ++self->sequence;
    return self->apply(self->context, command);
}

/* False when the price lies between two ticks. */
static bool to_ticks(const flow_resolver_t *self, int64_t price_raw, int64_t *price_ticks)
{
    *price_ticks = price_raw / self->config.tick_size;
    return price_raw % self->config.tick_size == 0;
}

/* The live order that the record names, if it is of the record's instrument. */
static bool find_order(const flow_resolver_t *self, const flow_record_t *record,
                       oc_order_view_t *view)
{
    const oc_source_id_t source = {FLOW_SOURCE};
    const oc_client_order_id_t id = {record->order_id};
    return oc_engine_order(self->engine, source, id, view) &&
           view->instrument.value == instrument_of(self, record);
}

static oc_err_t resolve_new(flow_resolver_t *self, const flow_record_t *record)
{
    int64_t price_ticks;
    const bool rests = record->time_in_force == OC_TIF_GTC || record->time_in_force == OC_TIF_DAY;
    if (!to_ticks(self, record->price_raw, &price_ticks) || (self->config.mirror && !rests))
        return skip(self);
    oc_command_t command = order_command(self, record, OC_COMMAND_NEW, record->order_id);
    command.side = (uint8_t)record->side;
    command.order_type = OC_ORDER_LIMIT;
    command.time_in_force = (uint8_t)record->time_in_force;
    command.u.order.price_ticks = price_ticks;
    command.u.order.quantity_lots = record->quantity;
    return send(self, record, &command);
}

static oc_err_t send_cancel(flow_resolver_t *self, const flow_record_t *record)
{
    oc_command_t command = order_command(self, record, OC_COMMAND_CANCEL, record->order_id);
    return send(self, record, &command);
}

static bool to_be_skipped(const flow_resolver_t *self, const flow_record_t *record)
{
    oc_order_view_t view;
    return self->config.skip_unknown && !find_order(self, record, &view);
}

static oc_err_t resolve_cancel(flow_resolver_t *self, const flow_record_t *record)
{
    return to_be_skipped(self, record) ? skip(self) : send_cancel(self, record);
}

static oc_err_t send_modify(flow_resolver_t *self, const flow_record_t *record, int64_t price_ticks,
                            int64_t open_lots)
{
    oc_command_t command = order_command(self, record, OC_COMMAND_MODIFY, record->order_id);
    command.flags = OC_FLAG_OPEN_QUANTITY;
    command.u.order.price_ticks = price_ticks;
    command.u.order.quantity_lots = open_lots;
    return send(self, record, &command);
}

static oc_err_t resolve_modify(flow_resolver_t *self, const flow_record_t *record)
{
    int64_t price_ticks;
    if (!to_ticks(self, record->price_raw, &price_ticks) || to_be_skipped(self, record))
        return skip(self);
    return send_modify(self, record, price_ticks, record->quantity);
}

/* Lowers a known order by the record's quantity; an order with nothing left is cancelled. */
static oc_err_t reduce(flow_resolver_t *self, const flow_record_t *record,
                       const oc_order_view_t *view)
{
    if (record->quantity < view->open_lots)
        return send_modify(self, record, view->price_ticks, view->open_lots - record->quantity);
    return send_cancel(self, record);
}

static oc_err_t resolve_reduce(flow_resolver_t *self, const flow_record_t *record)
{
    oc_order_view_t view;
    if (record->quantity <= 0 || !find_order(self, record, &view))
        return skip(self);
    return reduce(self, record, &view);
}

/* The order that must have come in to execute the resting one. */
static oc_err_t send_aggressor(flow_resolver_t *self, const flow_record_t *record,
                               const oc_order_view_t *view)
{
    oc_command_t command =
        order_command(self, record, OC_COMMAND_NEW, FLOW_RESOLVER_EXECUTION_ID + record->record);
    command.side = view->side == OC_SIDE_BUY ? OC_SIDE_SELL : OC_SIDE_BUY;
    command.order_type = OC_ORDER_LIMIT;
    command.time_in_force = OC_TIF_IOC;
    command.u.order.price_ticks = view->price_ticks;
    command.u.order.quantity_lots = record->quantity;
    return send(self, record, &command);
}

static oc_err_t resolve_execute(flow_resolver_t *self, const flow_record_t *record)
{
    oc_order_view_t view;
    if (record->quantity <= 0 || !find_order(self, record, &view))
        return skip(self);
    if (self->config.mirror)
        return reduce(self, record, &view);
    if (view.next_to_trade)
        return send_aggressor(self, record, &view);
    self->executions_off_head++;
    return reduce(self, record, &view);
}

static oc_err_t resolve_replace(flow_resolver_t *self, const flow_record_t *record)
{
    oc_order_view_t view;
    int64_t price_ticks;
    if (!to_ticks(self, record->price_raw, &price_ticks) || !find_order(self, record, &view))
        return skip(self);
    const oc_err_t err = send_cancel(self, record);
    if (err != OC_ERR_OK)
        return err;
    oc_command_t command = order_command(self, record, OC_COMMAND_NEW, record->new_order_id);
    command.side = (uint8_t)view.side;
    command.order_type = OC_ORDER_LIMIT;
    command.time_in_force = (uint8_t)view.time_in_force;
    command.u.order.price_ticks = price_ticks;
    command.u.order.quantity_lots = record->quantity;
    return send(self, record, &command);
}

static bool work_pending(const flow_resolver_t *self)
{
    oc_engine_counts_t counts;
    oc_engine_counts(self->engine, &counts);
    return counts.pending > 0;
}

/* The mass cancel is done in bounded steps, so time entries drive it to its end before the next
 * record may come. */
static oc_err_t resolve_clear(flow_resolver_t *self, const flow_record_t *record)
{
    oc_err_t err = ensure_known(self, record);
    if (err != OC_ERR_OK)
        return err;
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_MASS_CANCEL;
    command.instrument.value = instrument_of(self, record);
    command.time_ns = record->time_ns;
    command.u.mass_cancel.scope = OC_SCOPE_INSTRUMENT;
    command.u.mass_cancel.sides = OC_SIDES_BOTH;
    err = self->apply(self->context, &command);

    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_TIME;
    command.time_ns = record->time_ns;
    while (err == OC_ERR_OK && work_pending(self))
        err = self->apply(self->context, &command);
    return err;
}

oc_err_t flow_resolver_record(flow_resolver_t *self, const flow_record_t *record)
{
    if (record->kind == FLOW_COMMAND)
        return self->apply(self->context, &record->command);
    if (self->config.only && record->instrument && record->instrument != self->config.instrument)
        return skip(self);
    switch (record->kind) {
    case FLOW_NEW:
        return resolve_new(self, record);
    case FLOW_CANCEL:
        return resolve_cancel(self, record);
    case FLOW_REDUCE:
        return resolve_reduce(self, record);
    case FLOW_MODIFY:
        return resolve_modify(self, record);
    case FLOW_EXECUTE:
        return resolve_execute(self, record);
    case FLOW_REPLACE:
        return resolve_replace(self, record);
    case FLOW_CLEAR:
        return resolve_clear(self, record);
    case FLOW_SKIP:
    case FLOW_COMMAND:
        break;
    }
    return skip(self);
}
