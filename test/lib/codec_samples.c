/*
 * Random requests and responses, written from the vocabulary in outcry/model.h and not from the
 * codec: a field that the codec forgets is missed here.
 */
#include "lib/codec_samples.h"

#include "base/prng.h"

#include <string.h>

const sample_shape_t sample_request_shapes[SAMPLE_REQUESTS] = {
    {1, 43}, {2, 24},  {3, 40},  {4, 26},  {5, 20},   {6, 37},   {7, 13},   {8, 36},
    {9, 16}, {10, 12}, {13, 17}, {15, 16}, {101, 20}, {102, 28}, {103, 44}, {104, 8},
};
const sample_shape_t sample_response_shapes[SAMPLE_RESPONSES] = {
    {1, 97},  {2, 84},  {3, 105},  {4, 105},  {5, 107},  {6, 107},  {7, 105}, {8, 65},   {9, 45},
    {10, 57}, {11, 57}, {101, 34}, {102, 28}, {103, 58}, {104, 46}, {105, 9}, {106, 15},
};

/* Any but the null of an unsigned field, 2^64 - 1. */
static uint64_t any_u64(uint64_t *seed)
{
    static const uint64_t edges[] = {0, 1, UINT64_MAX - 1, (uint64_t)INT64_MAX, UINT32_MAX};
    const uint32_t draw = prng_below(seed, 10);
    const uint64_t value = draw < 5 ? edges[draw] : prng_next(seed);
    return value == UINT64_MAX ? 7 : value;
}

static uint32_t any_u32(uint64_t *seed)
{
    const uint32_t value = (uint32_t)any_u64(seed);
    return value == UINT32_MAX ? UINT32_MAX - 1 : value;
}

/* Any but the null of a signed field, -2^63. */
static int64_t any_i64(uint64_t *seed)
{
    static const int64_t edges[] = {0, 1, -1, INT64_MAX, INT64_MIN + 1};
    const uint32_t draw = prng_below(seed, 10);
    const int64_t value = draw < 5 ? edges[draw] : (int64_t)prng_next(seed);
    return value == INT64_MIN ? 7 : value;
}

/* Any byte: enums are passed on whatever they are. */
static uint8_t any_u8(uint64_t *seed)
{
    return (uint8_t)prng_below(seed, 256);
}

static void sample_command(oc_command_t *c, uint64_t *seed)
{
    c->sequence = any_u64(seed);
    switch (c->type) {
    case OC_COMMAND_NEW:
        c->instrument.value = any_u32(seed);
        c->flags = (uint32_t)prng_next(seed);
        c->side = any_u8(seed);
        c->order_type = prng_below(seed, 2) ? any_u8(seed) : (uint8_t)prng_below(seed, 2);
        c->time_in_force = any_u8(seed);
        c->u.order.client_order_id.value = any_u64(seed);
        c->u.order.price_ticks = any_i64(seed);
        c->u.order.quantity_lots = any_i64(seed);
        break;
    case OC_COMMAND_CANCEL:
        c->instrument.value = any_u32(seed);
        c->u.order.client_order_id.value = any_u64(seed);
        c->u.order.owner.value = any_u32(seed);
        break;
    case OC_COMMAND_MODIFY:
        c->instrument.value = any_u32(seed);
        c->flags = (uint32_t)prng_next(seed);
        c->u.order.client_order_id.value = any_u64(seed);
        c->u.order.price_ticks = any_i64(seed);
        c->u.order.quantity_lots = any_i64(seed);
        break;
    case OC_COMMAND_MASS_CANCEL:
        c->instrument.value = any_u32(seed);
        c->u.mass_cancel.session.value = any_u64(seed);
        c->u.mass_cancel.owner.value = any_u32(seed);
        c->u.mass_cancel.scope = any_u8(seed);
        c->u.mass_cancel.sides = any_u8(seed);
        break;
    case OC_COMMAND_MARK_PRICE:
        c->instrument.value = any_u32(seed);
        c->u.mark.price_ticks = any_i64(seed);
        break;
    case OC_COMMAND_INSTRUMENT_ADD:
    case OC_COMMAND_INSTRUMENT_BANDS:
        c->instrument.value = any_u32(seed);
        c->u.instrument.price_low_ticks = prng_below(seed, 4) ? any_i64(seed) : INT64_MIN;
        c->u.instrument.price_high_ticks = any_i64(seed);
        c->u.instrument.max_quantity_lots = any_i64(seed);
        if (c->type == OC_COMMAND_INSTRUMENT_ADD)
            c->u.instrument.state = any_u8(seed);
        break;
    case OC_COMMAND_INSTRUMENT_STATE:
        c->instrument.value = any_u32(seed);
        c->u.instrument.state = any_u8(seed);
        break;
    case OC_COMMAND_SOURCE_ADD:
        c->u.source.id.value = any_u32(seed);
        c->u.source.roles = (uint32_t)prng_next(seed);
        break;
    case OC_COMMAND_SOURCE_RETIRE:
        c->u.source.id.value = any_u32(seed);
        break;
    case OC_COMMAND_CONFIGURE:
        c->u.configure.rules_version = any_u32(seed);
        c->u.configure.step_bound = any_u32(seed);
        c->u.configure.modify_priority = any_u8(seed);
        break;
    default: /* OC_COMMAND_RESTRICTION */
        c->u.restriction.set = (uint32_t)prng_next(seed);
        c->u.restriction.clear = (uint32_t)prng_next(seed);
        break;
    }
}

static void sample_principal(oc_principal_t *principal, uint64_t *seed)
{
    const uint32_t length = 1 + prng_below(seed, OC_PRINCIPAL_SIZE - 1);
    for (uint32_t i = 0; i < length; i++)
        principal->name[i] = (char)(1 + prng_below(seed, 126));
}

void sample_request(oc_request_t *request, unsigned which, uint64_t *seed)
{
    const uint16_t template_id = sample_request_shapes[which].template_id;
    memset(request, 0, sizeof *request);
    if (template_id < 100) {
        request->type = OC_REQUEST_COMMAND;
        request->u.command.type = (uint8_t)template_id;
        sample_command(&request->u.command, seed);
        return;
    }
    request->request_id = any_u64(seed);
    if (template_id == 101) {
        request->type = OC_REQUEST_LOGON;
        request->u.logon.source.value = any_u32(seed);
        request->u.logon.outbound_sequence = any_u64(seed);
    } else if (template_id == 102) {
        request->type = OC_REQUEST_ORDER_STATUS;
        request->u.order_status.after.value = any_u64(seed);
        request->u.order_status.after_client_order_id.value = any_u64(seed);
        request->u.order_status.limit = any_u32(seed);
    } else if (template_id == 103) {
        request->type = OC_REQUEST_PRINCIPAL;
        request->u.principal.source.value = any_u32(seed);
        sample_principal(&request->u.principal.principal, seed);
    } else {
        request->type = OC_REQUEST_STOP;
    }
}

static void sample_identity(oc_event_t *e, uint64_t *seed)
{
    e->source.value = any_u32(seed);
    e->client_order_id.value = any_u64(seed);
    e->order_id.value = any_u64(seed);
    e->instrument.value = any_u32(seed);
    e->side = any_u8(seed);
}

static void sample_terms(oc_event_t *e, uint64_t *seed)
{
    e->price_ticks = any_i64(seed);
    e->quantity_lots = any_i64(seed);
    e->open_lots = any_i64(seed);
}

/* The fields that the comments at oc_event_type_t name. */
static void sample_event(oc_event_t *e, uint64_t *seed)
{
    e->entry = any_u64(seed);
    switch (e->type) {
    case OC_EVENT_ACCEPTED:
        sample_identity(e, seed);
        sample_terms(e, seed);
        e->sequence = any_u64(seed);
        break;
    case OC_EVENT_REJECTED:
        sample_identity(e, seed);
        e->order_id.value = 0;
        e->price_ticks = prng_below(seed, 4) ? any_i64(seed) : INT64_MIN;
        e->quantity_lots = prng_below(seed, 4) ? any_i64(seed) : INT64_MIN;
        e->reason = any_u8(seed);
        e->command = any_u8(seed);
        e->last_status = any_u8(seed);
        e->sequence = any_u64(seed);
        break;
    case OC_EVENT_TRADE:
    case OC_EVENT_FILL:
        sample_identity(e, seed);
        sample_terms(e, seed);
        e->executed_lots = any_i64(seed);
        e->trade_id.value = any_u64(seed);
        break;
    case OC_EVENT_CANCELLED:
    case OC_EVENT_EXPIRED:
        sample_identity(e, seed);
        sample_terms(e, seed);
        e->executed_lots = any_i64(seed);
        e->reason = any_u8(seed);
        e->command = any_u8(seed);
        e->sequence = any_u64(seed);
        break;
    case OC_EVENT_MODIFIED:
        sample_identity(e, seed);
        sample_terms(e, seed);
        e->executed_lots = any_i64(seed);
        e->sequence = any_u64(seed);
        break;
    case OC_EVENT_LEVEL:
        e->instrument.value = any_u32(seed);
        e->side = any_u8(seed);
        e->price_ticks = any_i64(seed);
        e->quantity_lots = any_i64(seed);
        e->order_count = any_u32(seed);
        break;
    case OC_EVENT_INSTRUMENT_STATE:
        e->instrument.value = any_u32(seed);
        e->order_count = any_u8(seed);
        break;
    default: /* CONFIRMED, COMPLETED */
        e->source.value = any_u32(seed);
        e->command = any_u8(seed);
        e->instrument.value = any_u32(seed);
        if (e->type == OC_EVENT_CONFIRMED)
            e->sequence = any_u64(seed);
        else
            e->quantity_lots = any_i64(seed);
        break;
    }
}

static void sample_output(oc_output_t *output, uint8_t type, uint64_t *seed)
{
    output->event.type = type;
    sample_event(&output->event, seed);
    output->outbound_sequence = any_u64(seed);
    output->position = any_u64(seed);
    output->time_ns = any_i64(seed);
    output->term = any_u32(seed);
    output->index = any_u32(seed);
}

static void sample_order(oc_response_t *response, uint64_t *seed)
{
    response->u.order.instrument.value = any_u32(seed);
    response->u.order.side = any_u8(seed);
    response->u.order.time_in_force = any_u8(seed);
    response->u.order.flags = (uint32_t)prng_next(seed);
    response->u.order.client_order_id.value = any_u64(seed);
    response->u.order.order_id.value = any_u64(seed);
    response->u.order.price_ticks = any_i64(seed);
    response->u.order.open_lots = any_i64(seed);
    response->u.order.executed_lots = any_i64(seed);
}

static void sample_order_status_end(oc_response_t *response, uint64_t *seed)
{
    response->u.order_status_end.last.value = any_u64(seed);
    response->u.order_status_end.last_client_order_id.value = any_u64(seed);
    response->u.order_status_end.count = any_u32(seed);
    response->u.order_status_end.more = any_u8(seed);
    response->u.order_status_end.reason = any_u8(seed);
    response->u.order_status_end.sequence = any_u64(seed);
    response->u.order_status_end.outbound_sequence = any_u64(seed);
}

void sample_response(oc_response_t *response, unsigned which, uint64_t *seed)
{
    const uint16_t template_id = sample_response_shapes[which].template_id;
    memset(response, 0, sizeof *response);
    if (template_id < 100) {
        response->type = OC_RESPONSE_OUTPUT;
        sample_output(&response->u.output, (uint8_t)template_id, seed);
        return;
    }
    response->type = (uint8_t)(template_id - 101 + OC_RESPONSE_LOGON);
    if (response->type != OC_RESPONSE_MESSAGE_REJECTED)
        response->request_id = any_u64(seed);
    switch (response->type) {
    case OC_RESPONSE_LOGON:
        response->u.logon.source.value = any_u32(seed);
        response->u.logon.roles = (uint32_t)prng_next(seed);
        response->u.logon.sequence = any_u64(seed);
        response->u.logon.outbound_sequence = any_u64(seed);
        response->u.logon.reason = any_u8(seed);
        response->u.logon.last_status = any_u8(seed);
        break;
    case OC_RESPONSE_GAP:
        response->u.gap.source.value = any_u32(seed);
        response->u.gap.first = any_u64(seed);
        response->u.gap.last = any_u64(seed);
        break;
    case OC_RESPONSE_ORDER_STATUS:
        sample_order(response, seed);
        break;
    case OC_RESPONSE_ORDER_STATUS_END:
        sample_order_status_end(response, seed);
        break;
    case OC_RESPONSE_REPLY:
        response->u.reply.reason = any_u8(seed);
        break;
    default: /* OC_RESPONSE_MESSAGE_REJECTED */
        response->u.message_rejected.position = any_u64(seed);
        response->u.message_rejected.offset = any_u32(seed);
        response->u.message_rejected.template_id = (uint16_t)prng_next(seed);
        response->u.message_rejected.problem = any_u8(seed);
        break;
    }
}
