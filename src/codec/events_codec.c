/*
 * Responses of schema/events.xml <-> oc_response_t. Called by the venue's side for what it sends
 * and by clients for what comes; no state, no allocation. The outputs among them are in
 * events_output.c.
 *
 * As in order_entry_codec.c a getter runs only on a block that was found long enough, and enums
 * and flags are raw numbers. Nothing here is refused for its value: a newer venue may have values
 * that this build has no name for.
 */
#include "codec/events_codec.h"

#include "base/assert.h"
#include "codec/events_output.h"
#include "codec/frame.h"

#include <events/gap.h>
#include <events/logonReply.h>
#include <events/messageRejected.h>
#include <events/orderStatus.h>
#include <events/orderStatusEnd.h>
#include <events/reply.h>

#define SCHEMA_ID      511
#define TEMPLATE_LOGON 101
#define TEMPLATE_LAST  106

#define SAME(wire, ours)         _Static_assert((int)(wire) == (int)(ours), "one number for both")
#define SAME_PROBLEM(name, text) SAME(events_problem_##name, OC_PROBLEM_##name);
OC_PROBLEM_TABLE(SAME_PROBLEM)
#undef SAME_PROBLEM
SAME(events_timeInForce_FOK, OC_TIF_FOK);
SAME(TEMPLATE_LAST - TEMPLATE_LOGON, OC_RESPONSE_MESSAGE_REJECTED - OC_RESPONSE_LOGON);

/* Begin of a decoder and of an encoder: `m` is the message's flyweight. An encoder has
 * EVENTS_BYTES_MAX of room. */
#define OPEN(name)                                                                                 \
    struct events_##name m;                                                                        \
    (void)events_##name##_wrap_for_decode(&m, frame->bytes, CODEC_HEADER_BYTES,                    \
                                          frame->block_length, frame->version, frame->length)
#define BEGIN(name)                                                                                \
    struct events_messageHeader header;                                                            \
    struct events_##name m;                                                                        \
    (void)events_##name##_wrap_and_apply_header(&m, bytes, 0, EVENTS_BYTES_MAX, &header)

#define END(name) (CODEC_HEADER_BYTES + events_##name##_encoded_length(&m))

#define GET(name, field)        events_##name##_##field(&m)
#define SET(name, field, value) (void)events_##name##_set_##field(&m, value)
#define AT(name, field)         (m.buffer + m.offset + events_##name##_##field##_encoding_offset())

/* Enums are bytes and sets 32-bit words everywhere in this schema. */
#define GET_ENUM(name, field)        frame_load_u8(AT(name, field))
#define SET_ENUM(name, field, value) frame_store_u8(AT(name, field), value)
#define GET_SET(name, field)         frame_load_u32(AT(name, field))
#define SET_SET(name, field, value)  frame_store_u32(AT(name, field), value)

static size_t encode_logon(const oc_response_t *response, char *bytes)
{
    BEGIN(logonReply);
    SET(logonReply, requestId, response->request_id);
    SET(logonReply, sequence, response->u.logon.sequence);
    SET(logonReply, outboundSequence, response->u.logon.outbound_sequence);
    SET(logonReply, source, response->u.logon.source.value);
    SET_SET(logonReply, roles, response->u.logon.roles);
    SET_ENUM(logonReply, reason, response->u.logon.reason);
    SET_ENUM(logonReply, lastStatus, response->u.logon.last_status);
    return END(logonReply);
}

static void decode_logon(const frame_t *frame, oc_response_t *response)
{
    OPEN(logonReply);
    response->request_id = GET(logonReply, requestId);
    response->u.logon.sequence = GET(logonReply, sequence);
    response->u.logon.outbound_sequence = GET(logonReply, outboundSequence);
    response->u.logon.source.value = GET(logonReply, source);
    response->u.logon.roles = GET_SET(logonReply, roles);
    response->u.logon.reason = GET_ENUM(logonReply, reason);
    response->u.logon.last_status = GET_ENUM(logonReply, lastStatus);
}

static size_t encode_gap(const oc_response_t *response, char *bytes)
{
    BEGIN(gap);
    SET(gap, requestId, response->request_id);
    SET(gap, first, response->u.gap.first);
    SET(gap, last, response->u.gap.last);
    SET(gap, source, response->u.gap.source.value);
    return END(gap);
}

static void decode_gap(const frame_t *frame, oc_response_t *response)
{
    OPEN(gap);
    response->request_id = GET(gap, requestId);
    response->u.gap.first = GET(gap, first);
    response->u.gap.last = GET(gap, last);
    response->u.gap.source.value = GET(gap, source);
}

static size_t encode_order_status(const oc_response_t *response, char *bytes)
{
    BEGIN(orderStatus);
    SET(orderStatus, requestId, response->request_id);
    SET(orderStatus, clientOrderId, response->u.order.client_order_id.value);
    SET(orderStatus, orderId, response->u.order.order_id.value);
    SET(orderStatus, price, response->u.order.price_ticks);
    SET(orderStatus, open, response->u.order.open_lots);
    SET(orderStatus, executed, response->u.order.executed_lots);
    SET(orderStatus, instrument, response->u.order.instrument.value);
    SET_SET(orderStatus, flags, response->u.order.flags);
    SET_ENUM(orderStatus, side, response->u.order.side);
    SET_ENUM(orderStatus, timeInForce, response->u.order.time_in_force);
    return END(orderStatus);
}

static void decode_order_status(const frame_t *frame, oc_response_t *response)
{
    OPEN(orderStatus);
    response->request_id = GET(orderStatus, requestId);
    response->u.order.client_order_id.value = GET(orderStatus, clientOrderId);
    response->u.order.order_id.value = GET(orderStatus, orderId);
    response->u.order.price_ticks = GET(orderStatus, price);
    response->u.order.open_lots = GET(orderStatus, open);
    response->u.order.executed_lots = GET(orderStatus, executed);
    response->u.order.instrument.value = GET(orderStatus, instrument);
    response->u.order.flags = GET_SET(orderStatus, flags);
    response->u.order.side = GET_ENUM(orderStatus, side);
    response->u.order.time_in_force = GET_ENUM(orderStatus, timeInForce);
}

static size_t encode_order_status_end(const oc_response_t *response, char *bytes)
{
    BEGIN(orderStatusEnd);
    SET(orderStatusEnd, requestId, response->request_id);
    SET(orderStatusEnd, last, response->u.order_status_end.last.value);
    SET(orderStatusEnd, sequence, response->u.order_status_end.sequence);
    SET(orderStatusEnd, outboundSequence, response->u.order_status_end.outbound_sequence);
    SET(orderStatusEnd, count, response->u.order_status_end.count);
    SET_ENUM(orderStatusEnd, more, response->u.order_status_end.more);
    SET_ENUM(orderStatusEnd, reason, response->u.order_status_end.reason);
    SET(orderStatusEnd, lastClientOrderId, response->u.order_status_end.last_client_order_id.value);
    return END(orderStatusEnd);
}

static void decode_order_status_end(const frame_t *frame, oc_response_t *response)
{
    OPEN(orderStatusEnd);
    response->request_id = GET(orderStatusEnd, requestId);
    response->u.order_status_end.last.value = GET(orderStatusEnd, last);
    response->u.order_status_end.sequence = GET(orderStatusEnd, sequence);
    response->u.order_status_end.outbound_sequence = GET(orderStatusEnd, outboundSequence);
    response->u.order_status_end.count = GET(orderStatusEnd, count);
    response->u.order_status_end.more = GET_ENUM(orderStatusEnd, more);
    response->u.order_status_end.reason = GET_ENUM(orderStatusEnd, reason);
    response->u.order_status_end.last_client_order_id.value =
        GET(orderStatusEnd, lastClientOrderId);
}

static size_t encode_reply(const oc_response_t *response, char *bytes)
{
    BEGIN(reply);
    SET(reply, requestId, response->request_id);
    SET_ENUM(reply, reason, response->u.reply.reason);
    return END(reply);
}

static void decode_reply(const frame_t *frame, oc_response_t *response)
{
    OPEN(reply);
    response->request_id = GET(reply, requestId);
    response->u.reply.reason = GET_ENUM(reply, reason);
}

static size_t encode_message_rejected(const oc_response_t *response, char *bytes)
{
    BEGIN(messageRejected);
    SET(messageRejected, logPosition, response->u.message_rejected.position);
    SET(messageRejected, payloadOffset, response->u.message_rejected.offset);
    SET(messageRejected, rejectedTemplate, response->u.message_rejected.template_id);
    SET_ENUM(messageRejected, problem, response->u.message_rejected.problem);
    return END(messageRejected);
}

static void decode_message_rejected(const frame_t *frame, oc_response_t *response)
{
    OPEN(messageRejected);
    response->u.message_rejected.position = GET(messageRejected, logPosition);
    response->u.message_rejected.offset = GET(messageRejected, payloadOffset);
    response->u.message_rejected.template_id = GET(messageRejected, rejectedTemplate);
    response->u.message_rejected.problem = GET_ENUM(messageRejected, problem);
}

/* ---- Which message it is ---------------------------------------------------------------------*/

typedef struct kind {
    size_t (*encode)(const oc_response_t *response, char *bytes); /* returns the size */
    void (*decode)(const frame_t *frame, oc_response_t *response);
    uint16_t block; /* length in version 1: none that is shorter is read */
} kind_t;

/* The answers, by template id from TEMPLATE_LOGON on. */
static const kind_t kinds[] = {
    {encode_logon, decode_logon, 34},
    {encode_gap, decode_gap, 28},
    {encode_order_status, decode_order_status, 58},
    {encode_order_status_end, decode_order_status_end, 46},
    {encode_reply, decode_reply, 9},
    {encode_message_rejected, decode_message_rejected, 15},
};

/* NULL for a template id that is none of an answer. */
static const kind_t *find_kind(unsigned template_id)
{
    if (template_id < TEMPLATE_LOGON || template_id > TEMPLATE_LAST)
        return NULL;
    return &kinds[template_id - TEMPLATE_LOGON];
}

size_t events_encode(const oc_response_t *response, void *bytes, size_t capacity)
{
    char message[EVENTS_BYTES_MAX];
    size_t size = 0;
    if (response->type == OC_RESPONSE_OUTPUT) {
        size = events_encode_output(&response->u.output, message);
    } else {
        const kind_t *kind =
            find_kind(TEMPLATE_LOGON - OC_RESPONSE_LOGON + (unsigned)response->type);
        if (kind != NULL)
            size = kind->encode(response, message);
    }
    OC_ASSERT(size <= sizeof message);
    if (size > capacity)
        return 0;
    memcpy(bytes, message, size);
    return size;
}

codec_result_t events_decode(const void *bytes, size_t length, oc_response_t *response,
                             size_t *consumed, uint16_t *template_id)
{
    frame_t frame;
    memset(response, 0, sizeof *response);
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
    const size_t block = kind != NULL ? kind->block : events_output_block(frame.template_id);
    if (block == 0)
        return OC_PROBLEM_TEMPLATE;
    if (!frame_has_block(&frame, block))
        return OC_PROBLEM_SHORT;
    if (kind == NULL) {
        response->type = OC_RESPONSE_OUTPUT;
        events_output_decode(&frame, &response->u.output);
    } else {
        response->type = (uint8_t)(frame.template_id - TEMPLATE_LOGON + OC_RESPONSE_LOGON);
        kind->decode(&frame, response);
    }
    return OC_PROBLEM_NONE;
}
