/*
 * Requests of schema/order-entry.xml <-> oc_request_t. Called by the venue's side for what comes in
 * and by clients and tools for what they send; no state, no allocation.
 *
 * Generated code knows where a field is; this file knows what may be believed. A getter runs only
 * on a block that was found long enough. Enums and flags are taken as raw numbers, because the
 * engine has a typed reject for each wrong one, while a generated getter has a number that means
 * nothing. Only a null where there must be a value is refused here.
 */
#include "codec/order_entry_codec.h"

#include "base/assert.h"
#include "codec/frame.h"

#include <order_entry/cancelOrder.h>
#include <order_entry/configure.h>
#include <order_entry/instrumentAdd.h>
#include <order_entry/instrumentBands.h>
#include <order_entry/instrumentState.h>
#include <order_entry/logon.h>
#include <order_entry/markPrice.h>
#include <order_entry/massCancel.h>
#include <order_entry/modifyOrder.h>
#include <order_entry/newOrder.h>
#include <order_entry/orderStatusRequest.h>
#include <order_entry/principalBind.h>
#include <order_entry/restriction.h>
#include <order_entry/sourceAdd.h>
#include <order_entry/sourceRetire.h>
#include <order_entry/stop.h>

#define SCHEMA_ID          510
#define TEMPLATE_LOGON     101
#define TEMPLATE_LAST      104
#define COMMAND_TO_REQUEST (TEMPLATE_LOGON - OC_COMMAND_LAST - 1)

/* Values of the schema's enums and sets are the vocabulary's. */
#define SAME(wire, ours) _Static_assert((int)(wire) == (int)(ours), "one number for both")
SAME(order_entry_side_SELL, OC_SIDE_SELL);
SAME(order_entry_orderType_MARKET, OC_ORDER_MARKET);
SAME(order_entry_timeInForce_DAY, OC_TIF_DAY);
SAME(order_entry_timeInForce_IOC, OC_TIF_IOC);
SAME(order_entry_timeInForce_FOK, OC_TIF_FOK);
SAME(order_entry_massCancelScope_SOURCE, OC_SCOPE_SOURCE);
SAME(order_entry_massCancelScope_SESSION, OC_SCOPE_SESSION);
SAME(order_entry_massCancelScope_INSTRUMENT, OC_SCOPE_INSTRUMENT);
SAME(order_entry_sideFilter_BUY, OC_SIDES_BUY);
SAME(order_entry_sideFilter_SELL, OC_SIDES_SELL);
SAME(order_entry_tradingState_PRE_OPEN, OC_STATE_PRE_OPEN);
SAME(order_entry_tradingState_CONTINUOUS, OC_STATE_CONTINUOUS);
SAME(order_entry_tradingState_HALTED, OC_STATE_HALTED);
SAME(order_entry_modifyPriority_LOSE, OC_PRIORITY_LOSE);

/* Begin of a decoder and of an encoder: `m` is the message's flyweight. An encoder has
 * ORDER_ENTRY_BYTES_MAX of room. */
#define OPEN(name)                                                                                 \
    struct order_entry_##name m;                                                                   \
    (void)order_entry_##name##_wrap_for_decode(&m, frame->bytes, CODEC_HEADER_BYTES,               \
                                               frame->block_length, frame->version, frame->length)
#define BEGIN(name)                                                                                \
    struct order_entry_messageHeader header;                                                       \
    struct order_entry_##name m;                                                                   \
    (void)order_entry_##name##_wrap_and_apply_header(&m, bytes, 0, ORDER_ENTRY_BYTES_MAX, &header)

#define END(name) (CODEC_HEADER_BYTES + order_entry_##name##_encoded_length(&m))

#define GET(name, field)        order_entry_##name##_##field(&m)
#define SET(name, field, value) (void)order_entry_##name##_set_##field(&m, value)
#define NULL_OF(name, field)    order_entry_##name##_##field##_null_value()
#define PRESENT(name, field)    (GET(name, field) != NULL_OF(name, field))
#define OFFSET(name, field)     order_entry_##name##_##field##_encoding_offset()
#define AT(name, field)         (m.buffer + m.offset + OFFSET(name, field))

/* Enums are bytes and sets 32-bit words everywhere in this schema. */
#define GET_ENUM(name, field)        frame_load_u8(AT(name, field))
#define SET_ENUM(name, field, value) frame_store_u8(AT(name, field), value)
#define GET_SET(name, field)         frame_load_u32(AT(name, field))
#define SET_SET(name, field, value)  frame_store_u32(AT(name, field), value)

/* The engine rejects a quantity of 0, which is what an absent one comes to. */
static int64_t quantity_or_zero(int64_t lots)
{
    return lots == SBE_NULLVALUE_INT64 ? 0 : lots;
}

/* ---- Orders ----------------------------------------------------------------------------------*/

static bool decode_new(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(newOrder);
    c->sequence = GET(newOrder, sequence);
    c->instrument.value = GET(newOrder, instrument);
    c->flags = GET_SET(newOrder, flags);
    c->side = GET_ENUM(newOrder, side);
    c->order_type = GET_ENUM(newOrder, orderType);
    c->time_in_force = GET_ENUM(newOrder, timeInForce);
    c->u.order.client_order_id.value = GET(newOrder, clientOrderId);
    c->u.order.quantity_lots = quantity_or_zero(GET(newOrder, quantity));
    const bool priced = PRESENT(newOrder, price);
    if (priced)
        c->u.order.price_ticks = GET(newOrder, price);
    return PRESENT(newOrder, clientOrderId) && PRESENT(newOrder, instrument) &&
           (priced || c->order_type != OC_ORDER_LIMIT);
}

static size_t encode_new(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    const bool priceless = c->order_type == OC_ORDER_MARKET && c->u.order.price_ticks == 0;
    BEGIN(newOrder);
    SET(newOrder, sequence, c->sequence);
    SET(newOrder, clientOrderId, c->u.order.client_order_id.value);
    SET(newOrder, price, priceless ? NULL_OF(newOrder, price) : c->u.order.price_ticks);
    SET(newOrder, quantity, c->u.order.quantity_lots);
    SET(newOrder, instrument, c->instrument.value);
    SET_SET(newOrder, flags, c->flags);
    SET_ENUM(newOrder, side, c->side);
    SET_ENUM(newOrder, orderType, c->order_type);
    SET_ENUM(newOrder, timeInForce, c->time_in_force);
    return END(newOrder);
}

static bool decode_cancel(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(cancelOrder);
    c->sequence = GET(cancelOrder, sequence);
    c->instrument.value = GET(cancelOrder, instrument);
    c->u.order.client_order_id.value = GET(cancelOrder, clientOrderId);
    c->u.order.owner.value = GET(cancelOrder, owner);
    return PRESENT(cancelOrder, clientOrderId);
}

static size_t encode_cancel(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(cancelOrder);
    SET(cancelOrder, sequence, c->sequence);
    SET(cancelOrder, clientOrderId, c->u.order.client_order_id.value);
    SET(cancelOrder, instrument, c->instrument.value);
    SET(cancelOrder, owner, c->u.order.owner.value);
    return END(cancelOrder);
}

static bool decode_modify(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(modifyOrder);
    c->sequence = GET(modifyOrder, sequence);
    c->instrument.value = GET(modifyOrder, instrument);
    c->flags = GET_SET(modifyOrder, flags);
    c->u.order.client_order_id.value = GET(modifyOrder, clientOrderId);
    c->u.order.price_ticks = GET(modifyOrder, price);
    c->u.order.quantity_lots = quantity_or_zero(GET(modifyOrder, quantity));
    return PRESENT(modifyOrder, clientOrderId) && PRESENT(modifyOrder, price);
}

static size_t encode_modify(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(modifyOrder);
    SET(modifyOrder, sequence, c->sequence);
    SET(modifyOrder, clientOrderId, c->u.order.client_order_id.value);
    SET(modifyOrder, price, c->u.order.price_ticks);
    SET(modifyOrder, quantity, c->u.order.quantity_lots);
    SET(modifyOrder, instrument, c->instrument.value);
    SET_SET(modifyOrder, flags, c->flags);
    return END(modifyOrder);
}

static bool decode_mass_cancel(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(massCancel);
    c->sequence = GET(massCancel, sequence);
    c->instrument.value = GET(massCancel, instrument);
    c->u.mass_cancel.session.value = GET(massCancel, session);
    c->u.mass_cancel.owner.value = GET(massCancel, owner);
    c->u.mass_cancel.scope = GET_ENUM(massCancel, scope);
    c->u.mass_cancel.sides = GET_ENUM(massCancel, sides);
    return true;
}

static size_t encode_mass_cancel(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(massCancel);
    SET(massCancel, sequence, c->sequence);
    SET(massCancel, session, c->u.mass_cancel.session.value);
    SET(massCancel, instrument, c->instrument.value);
    SET(massCancel, owner, c->u.mass_cancel.owner.value);
    SET_ENUM(massCancel, scope, c->u.mass_cancel.scope);
    SET_ENUM(massCancel, sides, c->u.mass_cancel.sides);
    return END(massCancel);
}

static bool decode_mark_price(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(markPrice);
    c->sequence = GET(markPrice, sequence);
    c->instrument.value = GET(markPrice, instrument);
    c->u.mark.price_ticks = GET(markPrice, price);
    return PRESENT(markPrice, instrument) && PRESENT(markPrice, price);
}

static size_t encode_mark_price(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(markPrice);
    SET(markPrice, sequence, c->sequence);
    SET(markPrice, price, c->u.mark.price_ticks);
    SET(markPrice, instrument, c->instrument.value);
    return END(markPrice);
}

/* ---- Administration --------------------------------------------------------------------------*/

/* An absent lower bound is INT64_MIN on the wire and in the engine, where it bounds nothing. */
static bool decode_instrument_add(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(instrumentAdd);
    c->sequence = GET(instrumentAdd, sequence);
    c->instrument.value = GET(instrumentAdd, instrument);
    c->u.instrument.price_low_ticks = GET(instrumentAdd, priceLow);
    c->u.instrument.price_high_ticks = GET(instrumentAdd, priceHigh);
    c->u.instrument.max_quantity_lots = quantity_or_zero(GET(instrumentAdd, maxQuantity));
    c->u.instrument.state = GET_ENUM(instrumentAdd, state);
    return PRESENT(instrumentAdd, instrument) && PRESENT(instrumentAdd, priceHigh);
}

static size_t encode_instrument_add(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(instrumentAdd);
    SET(instrumentAdd, sequence, c->sequence);
    SET(instrumentAdd, priceLow, c->u.instrument.price_low_ticks);
    SET(instrumentAdd, priceHigh, c->u.instrument.price_high_ticks);
    SET(instrumentAdd, maxQuantity, c->u.instrument.max_quantity_lots);
    SET(instrumentAdd, instrument, c->instrument.value);
    SET_ENUM(instrumentAdd, state, c->u.instrument.state);
    return END(instrumentAdd);
}

static bool decode_instrument_state(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(instrumentState);
    c->sequence = GET(instrumentState, sequence);
    c->instrument.value = GET(instrumentState, instrument);
    c->u.instrument.state = GET_ENUM(instrumentState, state);
    return PRESENT(instrumentState, instrument);
}

static size_t encode_instrument_state(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(instrumentState);
    SET(instrumentState, sequence, c->sequence);
    SET(instrumentState, instrument, c->instrument.value);
    SET_ENUM(instrumentState, state, c->u.instrument.state);
    return END(instrumentState);
}

static bool decode_instrument_bands(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(instrumentBands);
    c->sequence = GET(instrumentBands, sequence);
    c->instrument.value = GET(instrumentBands, instrument);
    c->u.instrument.price_low_ticks = GET(instrumentBands, priceLow);
    c->u.instrument.price_high_ticks = GET(instrumentBands, priceHigh);
    c->u.instrument.max_quantity_lots = quantity_or_zero(GET(instrumentBands, maxQuantity));
    return PRESENT(instrumentBands, instrument) && PRESENT(instrumentBands, priceHigh);
}

static size_t encode_instrument_bands(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(instrumentBands);
    SET(instrumentBands, sequence, c->sequence);
    SET(instrumentBands, priceLow, c->u.instrument.price_low_ticks);
    SET(instrumentBands, priceHigh, c->u.instrument.price_high_ticks);
    SET(instrumentBands, maxQuantity, c->u.instrument.max_quantity_lots);
    SET(instrumentBands, instrument, c->instrument.value);
    return END(instrumentBands);
}

static bool decode_source_add(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(sourceAdd);
    c->sequence = GET(sourceAdd, sequence);
    c->u.source.id.value = GET(sourceAdd, newSource);
    c->u.source.roles = GET_SET(sourceAdd, roles);
    return PRESENT(sourceAdd, newSource);
}

static size_t encode_source_add(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(sourceAdd);
    SET(sourceAdd, sequence, c->sequence);
    SET(sourceAdd, newSource, c->u.source.id.value);
    SET_SET(sourceAdd, roles, c->u.source.roles);
    return END(sourceAdd);
}

static bool decode_source_retire(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(sourceRetire);
    c->sequence = GET(sourceRetire, sequence);
    c->u.source.id.value = GET(sourceRetire, retiredSource);
    return PRESENT(sourceRetire, retiredSource);
}

static size_t encode_source_retire(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(sourceRetire);
    SET(sourceRetire, sequence, c->sequence);
    SET(sourceRetire, retiredSource, c->u.source.id.value);
    return END(sourceRetire);
}

static bool decode_configure(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(configure);
    c->sequence = GET(configure, sequence);
    c->u.configure.rules_version = GET(configure, rulesVersion);
    c->u.configure.step_bound = GET(configure, stepBound);
    c->u.configure.modify_priority = GET_ENUM(configure, modifyPriority);
    return PRESENT(configure, rulesVersion) && PRESENT(configure, stepBound);
}

static size_t encode_configure(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(configure);
    SET(configure, sequence, c->sequence);
    SET(configure, rulesVersion, c->u.configure.rules_version);
    SET(configure, stepBound, c->u.configure.step_bound);
    SET_ENUM(configure, modifyPriority, c->u.configure.modify_priority);
    return END(configure);
}

static bool decode_restriction(const frame_t *frame, oc_request_t *request)
{
    oc_command_t *c = &request->u.command;
    OPEN(restriction);
    c->sequence = GET(restriction, sequence);
    c->u.restriction.set = GET_SET(restriction, putInForce);
    c->u.restriction.clear = GET_SET(restriction, lifted);
    return true;
}

static size_t encode_restriction(const oc_request_t *request, char *bytes)
{
    const oc_command_t *c = &request->u.command;
    BEGIN(restriction);
    SET(restriction, sequence, c->sequence);
    SET_SET(restriction, putInForce, c->u.restriction.set);
    SET_SET(restriction, lifted, c->u.restriction.clear);
    return END(restriction);
}

/* ---- Requests that are no commands -----------------------------------------------------------*/

static bool decode_logon(const frame_t *frame, oc_request_t *request)
{
    OPEN(logon);
    request->request_id = GET(logon, requestId);
    request->u.logon.source.value = GET(logon, source);
    request->u.logon.outbound_sequence = GET(logon, outboundSequence);
    return PRESENT(logon, requestId) && PRESENT(logon, source);
}

static size_t encode_logon(const oc_request_t *request, char *bytes)
{
    BEGIN(logon);
    SET(logon, requestId, request->request_id);
    SET(logon, outboundSequence, request->u.logon.outbound_sequence);
    SET(logon, source, request->u.logon.source.value);
    return END(logon);
}

static bool decode_order_status(const frame_t *frame, oc_request_t *request)
{
    OPEN(orderStatusRequest);
    request->request_id = GET(orderStatusRequest, requestId);
    request->u.order_status.after.value = GET(orderStatusRequest, after);
    request->u.order_status.limit = GET(orderStatusRequest, limit);
    request->u.order_status.after_client_order_id.value =
        GET(orderStatusRequest, afterClientOrderId);
    return PRESENT(orderStatusRequest, requestId) && PRESENT(orderStatusRequest, limit);
}

static size_t encode_order_status(const oc_request_t *request, char *bytes)
{
    BEGIN(orderStatusRequest);
    SET(orderStatusRequest, requestId, request->request_id);
    SET(orderStatusRequest, after, request->u.order_status.after.value);
    SET(orderStatusRequest, limit, request->u.order_status.limit);
    SET(orderStatusRequest, afterClientOrderId,
        request->u.order_status.after_client_order_id.value);
    return END(orderStatusRequest);
}

/* A name, its end and nothing but zeroes behind it: what is kept of it is what was sent. */
static bool is_principal(const oc_principal_t *principal)
{
    const char *end = memchr(principal->name, '\0', OC_PRINCIPAL_SIZE);
    if (end == NULL || end == principal->name)
        return false;
    for (const char *at = end; at < principal->name + OC_PRINCIPAL_SIZE; at++) {
        if (*at != '\0')
            return false;
    }
    return true;
}

static bool decode_principal(const frame_t *frame, oc_request_t *request)
{
    OPEN(principalBind);
    request->request_id = GET(principalBind, requestId);
    request->u.principal.source.value = GET(principalBind, source);
    (void)order_entry_principalBind_get_principal(&m, request->u.principal.principal.name,
                                                  OC_PRINCIPAL_SIZE);
    return PRESENT(principalBind, requestId) && PRESENT(principalBind, source) &&
           is_principal(&request->u.principal.principal);
}

static size_t encode_principal(const oc_request_t *request, char *bytes)
{
    BEGIN(principalBind);
    SET(principalBind, requestId, request->request_id);
    SET(principalBind, source, request->u.principal.source.value);
    (void)order_entry_principalBind_put_principal(&m, request->u.principal.principal.name);
    return END(principalBind);
}

static bool decode_stop(const frame_t *frame, oc_request_t *request)
{
    OPEN(stop);
    request->request_id = GET(stop, requestId);
    return PRESENT(stop, requestId);
}

static size_t encode_stop(const oc_request_t *request, char *bytes)
{
    BEGIN(stop);
    SET(stop, requestId, request->request_id);
    return END(stop);
}

/* ---- Which message it is ---------------------------------------------------------------------*/

typedef struct kind {
    bool (*decode)(const frame_t *frame, oc_request_t *request); /* NULL: no message */
    size_t (*encode)(const oc_request_t *request, char *bytes);  /* returns the size */
    uint16_t block; /* length in version 1: none that is shorter is read */
} kind_t;

/* By template id; those from TEMPLATE_LOGON on stand directly behind the commands. */
static const kind_t kinds[] = {
    [OC_COMMAND_NEW] = {decode_new, encode_new, 43},
    [OC_COMMAND_CANCEL] = {decode_cancel, encode_cancel, 24},
    [OC_COMMAND_MODIFY] = {decode_modify, encode_modify, 40},
    [OC_COMMAND_MASS_CANCEL] = {decode_mass_cancel, encode_mass_cancel, 26},
    [OC_COMMAND_MARK_PRICE] = {decode_mark_price, encode_mark_price, 20},
    [OC_COMMAND_INSTRUMENT_ADD] = {decode_instrument_add, encode_instrument_add, 37},
    [OC_COMMAND_INSTRUMENT_STATE] = {decode_instrument_state, encode_instrument_state, 13},
    [OC_COMMAND_INSTRUMENT_BANDS] = {decode_instrument_bands, encode_instrument_bands, 36},
    [OC_COMMAND_SOURCE_ADD] = {decode_source_add, encode_source_add, 16},
    [OC_COMMAND_SOURCE_RETIRE] = {decode_source_retire, encode_source_retire, 12},
    [OC_COMMAND_CONFIGURE] = {decode_configure, encode_configure, 17},
    [OC_COMMAND_RESTRICTION] = {decode_restriction, encode_restriction, 16},
    [TEMPLATE_LOGON - COMMAND_TO_REQUEST] = {decode_logon, encode_logon, 20},
    [102 - COMMAND_TO_REQUEST] = {decode_order_status, encode_order_status, 28},
    [103 - COMMAND_TO_REQUEST] = {decode_principal, encode_principal, 44},
    [TEMPLATE_LAST - COMMAND_TO_REQUEST] = {decode_stop, encode_stop, 8},
};

/* NULL for a template id that is none of a message. */
static const kind_t *find_kind(unsigned template_id)
{
    unsigned at = template_id;
    if (template_id >= TEMPLATE_LOGON && template_id <= TEMPLATE_LAST)
        at -= COMMAND_TO_REQUEST;
    else if (template_id > OC_COMMAND_LAST)
        return NULL;
    return kinds[at].decode != NULL ? &kinds[at] : NULL;
}

codec_result_t order_entry_decode(const void *bytes, size_t length, oc_request_t *request,
                                  size_t *consumed, uint16_t *template_id)
{
    frame_t frame;
    memset(request, 0, sizeof *request);
    *consumed = length;
    *template_id = 0;
    if (!frame_open(&frame, bytes, length))
        return OC_PROBLEM_SHORT;
    *consumed = frame_size(&frame);
    *template_id = frame.template_id;
    if (frame.schema_id != SCHEMA_ID)
        return OC_PROBLEM_SCHEMA;
    if (frame.version == 0)
        return OC_PROBLEM_VERSION;
    const kind_t *kind = find_kind(frame.template_id);
    if (kind == NULL)
        return OC_PROBLEM_TEMPLATE;
    if (!frame_has_block(&frame, kind->block))
        return OC_PROBLEM_SHORT;
    if (frame.template_id <= OC_COMMAND_LAST) {
        request->type = OC_REQUEST_COMMAND;
        request->u.command.type = (uint8_t)frame.template_id;
    } else {
        request->type = (uint8_t)(frame.template_id - TEMPLATE_LOGON + OC_REQUEST_LOGON);
    }
    if (kind->decode(&frame, request))
        return OC_PROBLEM_NONE;
    memset(request, 0, sizeof *request);
    return OC_PROBLEM_FIELD;
}

size_t order_entry_encode(const oc_request_t *request, void *bytes, size_t capacity)
{
    char message[ORDER_ENTRY_BYTES_MAX];
    const unsigned template_id = request->type == OC_REQUEST_COMMAND
                                     ? request->u.command.type
                                     : TEMPLATE_LOGON - OC_REQUEST_LOGON + request->type;
    const kind_t *kind = find_kind(template_id);
    /* A command whose type is the template id of another request is none. */
    if (kind == NULL || (request->type == OC_REQUEST_COMMAND) != (template_id <= OC_COMMAND_LAST))
        return 0;
    const size_t size = kind->encode(request, message);
    OC_ASSERT(size <= sizeof message);
    if (size > capacity)
        return 0;
    /* Where a value is a null on the wire and must not be one, only the decoder knows. */
    oc_request_t check;
    size_t consumed;
    uint16_t ignored;
    if (order_entry_decode(message, size, &check, &consumed, &ignored) != OC_PROBLEM_NONE)
        return 0;
    memcpy(bytes, message, size);
    return size;
}
