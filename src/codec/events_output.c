/*
 * Outputs of the engine <-> messages of schema/events.xml, one for each event type. Encoding is on
 * the way of every acknowledgement and fill: no check is left in it, the caller's buffer has
 * EVENTS_BYTES_MAX of room and the compiler folds the generated bounds checks away.
 *
 * Fields that an event type does not use are not sent and come back as zeroes. Reasons, commands,
 * sides and states are raw numbers both ways, as a rejected command may have had any.
 */
#include "codec/events_output.h"

#include "codec/events_codec.h"

#include <events/accepted.h>
#include <events/cancelled.h>
#include <events/completed.h>
#include <events/confirmed.h>
#include <events/expired.h>
#include <events/fill.h>
#include <events/instrumentStateEvent.h>
#include <events/level.h>
#include <events/modified.h>
#include <events/rejected.h>
#include <events/trade.h>

/* Values of the schema's enums are the vocabulary's. */
#define SAME(wire, ours) _Static_assert((int)(wire) == (int)(ours), "one number for both")
SAME(events_side_SELL, OC_SIDE_SELL);
SAME(events_tradingState_HALTED, OC_STATE_HALTED);
SAME(events_commandType_RESTRICTION, OC_COMMAND_LAST);
#define SAME_REASON(name, text) SAME(events_reason_##name, OC_REASON_##name);
OC_REASON_TABLE(SAME_REASON)
#undef SAME_REASON

/* Begin of a decoder and of an encoder: `m` is the message's flyweight, `e` the event. */
#define OPEN(name)                                                                                 \
    oc_event_t *e = &output->event;                                                                \
    struct events_##name m;                                                                        \
    (void)events_##name##_wrap_for_decode(&m, frame->bytes, CODEC_HEADER_BYTES,                    \
                                          frame->block_length, frame->version, frame->length);     \
    struct events_outputHeader place;                                                              \
    get_output(events_##name##_output(&m, &place), output);                                        \
    e->entry = GET(name, entry)
#define BEGIN(name)                                                                                \
    const oc_event_t *e = &output->event;                                                          \
    struct events_messageHeader header;                                                            \
    struct events_##name m;                                                                        \
    (void)events_##name##_wrap_and_apply_header(&m, bytes, 0, EVENTS_BYTES_MAX, &header);          \
    struct events_outputHeader place;                                                              \
    put_output(events_##name##_output(&m, &place), output);                                        \
    SET(name, entry, e->entry)
#define END(name) (CODEC_HEADER_BYTES + events_##name##_encoded_length(&m))

#define GET(name, field)        events_##name##_##field(&m)
#define SET(name, field, value) (void)events_##name##_set_##field(&m, value)
#define AT(name, field)         (m.buffer + m.offset + events_##name##_##field##_encoding_offset())

/* Enums are bytes everywhere in this schema. */
#define GET_ENUM(name, field)        frame_load_u8(AT(name, field))
#define SET_ENUM(name, field, value) frame_store_u8(AT(name, field), value)

/* ---- What many of them have ------------------------------------------------------------------*/

static inline void put_output(struct events_outputHeader *place, const oc_output_t *output)
{
    (void)events_outputHeader_set_outboundSequence(place, output->outbound_sequence);
    (void)events_outputHeader_set_logPosition(place, output->position);
    (void)events_outputHeader_set_engineTime(place, output->time_ns);
    (void)events_outputHeader_set_term(place, output->term);
    (void)events_outputHeader_set_index(place, output->index);
}

static inline void get_output(const struct events_outputHeader *place, oc_output_t *output)
{
    output->outbound_sequence = events_outputHeader_outboundSequence(place);
    output->position = events_outputHeader_logPosition(place);
    output->time_ns = events_outputHeader_engineTime(place);
    output->term = events_outputHeader_term(place);
    output->index = events_outputHeader_index(place);
}

static inline void put_order(struct events_orderIdentity *order, const oc_event_t *e)
{
    (void)events_orderIdentity_set_clientOrderId(order, e->client_order_id.value);
    (void)events_orderIdentity_set_orderId(order, e->order_id.value);
    (void)events_orderIdentity_set_source(order, e->source.value);
    (void)events_orderIdentity_set_instrument(order, e->instrument.value);
}

static inline void get_order(const struct events_orderIdentity *order, oc_event_t *e)
{
    e->client_order_id.value = events_orderIdentity_clientOrderId(order);
    e->order_id.value = events_orderIdentity_orderId(order);
    e->source.value = events_orderIdentity_source(order);
    e->instrument.value = events_orderIdentity_instrument(order);
}

static inline void put_amounts(struct events_orderAmounts *amounts, const oc_event_t *e)
{
    (void)events_orderAmounts_set_open(amounts, e->open_lots);
    (void)events_orderAmounts_set_executed(amounts, e->executed_lots);
}

static inline void get_amounts(const struct events_orderAmounts *amounts, oc_event_t *e)
{
    e->open_lots = events_orderAmounts_open(amounts);
    e->executed_lots = events_orderAmounts_executed(amounts);
}

#define GET_ORDER(name)                                                                            \
    struct events_orderIdentity order;                                                             \
    get_order(events_##name##_order(&m, &order), e)
#define PUT_ORDER(name)                                                                            \
    struct events_orderIdentity order;                                                             \
    put_order(events_##name##_order(&m, &order), e)
#define GET_AMOUNTS(name)                                                                          \
    struct events_orderAmounts amounts;                                                            \
    get_amounts(events_##name##_amounts(&m, &amounts), e)
#define PUT_AMOUNTS(name)                                                                          \
    struct events_orderAmounts amounts;                                                            \
    put_amounts(events_##name##_amounts(&m, &amounts), e)

/* ---- Outputs ---------------------------------------------------------------------------------*/

static size_t encode_accepted(const oc_output_t *output, char *bytes)
{
    BEGIN(accepted);
    PUT_ORDER(accepted);
    SET(accepted, price, e->price_ticks);
    SET(accepted, quantity, e->quantity_lots);
    SET(accepted, open, e->open_lots);
    SET(accepted, sequence, e->sequence);
    SET_ENUM(accepted, side, e->side);
    return END(accepted);
}

static void decode_accepted(const frame_t *frame, oc_output_t *output)
{
    OPEN(accepted);
    GET_ORDER(accepted);
    e->price_ticks = GET(accepted, price);
    e->quantity_lots = GET(accepted, quantity);
    e->open_lots = GET(accepted, open);
    e->sequence = GET(accepted, sequence);
    e->side = GET_ENUM(accepted, side);
}

static size_t encode_rejected(const oc_output_t *output, char *bytes)
{
    BEGIN(rejected);
    SET(rejected, clientOrderId, e->client_order_id.value);
    SET(rejected, price, e->price_ticks);
    SET(rejected, quantity, e->quantity_lots);
    SET(rejected, sequence, e->sequence);
    SET(rejected, source, e->source.value);
    SET(rejected, instrument, e->instrument.value);
    SET_ENUM(rejected, reason, e->reason);
    SET_ENUM(rejected, command, e->command);
    SET_ENUM(rejected, side, e->side);
    SET_ENUM(rejected, lastStatus, (uint8_t)e->last_status);
    return END(rejected);
}

static void decode_rejected(const frame_t *frame, oc_output_t *output)
{
    OPEN(rejected);
    e->client_order_id.value = GET(rejected, clientOrderId);
    e->price_ticks = GET(rejected, price);
    e->quantity_lots = GET(rejected, quantity);
    e->sequence = GET(rejected, sequence);
    e->source.value = GET(rejected, source);
    e->instrument.value = GET(rejected, instrument);
    e->reason = GET_ENUM(rejected, reason);
    e->command = GET_ENUM(rejected, command);
    e->side = GET_ENUM(rejected, side);
    e->last_status = GET_ENUM(rejected, lastStatus);
}

static size_t encode_trade(const oc_output_t *output, char *bytes)
{
    BEGIN(trade);
    PUT_ORDER(trade);
    PUT_AMOUNTS(trade);
    SET(trade, price, e->price_ticks);
    SET(trade, quantity, e->quantity_lots);
    SET(trade, tradeId, e->trade_id.value);
    SET_ENUM(trade, side, e->side);
    return END(trade);
}

static void decode_trade(const frame_t *frame, oc_output_t *output)
{
    OPEN(trade);
    GET_ORDER(trade);
    GET_AMOUNTS(trade);
    e->price_ticks = GET(trade, price);
    e->quantity_lots = GET(trade, quantity);
    e->trade_id.value = GET(trade, tradeId);
    e->side = GET_ENUM(trade, side);
}

static size_t encode_fill(const oc_output_t *output, char *bytes)
{
    BEGIN(fill);
    PUT_ORDER(fill);
    PUT_AMOUNTS(fill);
    SET(fill, price, e->price_ticks);
    SET(fill, quantity, e->quantity_lots);
    SET(fill, tradeId, e->trade_id.value);
    SET_ENUM(fill, side, e->side);
    return END(fill);
}

static void decode_fill(const frame_t *frame, oc_output_t *output)
{
    OPEN(fill);
    GET_ORDER(fill);
    GET_AMOUNTS(fill);
    e->price_ticks = GET(fill, price);
    e->quantity_lots = GET(fill, quantity);
    e->trade_id.value = GET(fill, tradeId);
    e->side = GET_ENUM(fill, side);
}

static size_t encode_cancelled(const oc_output_t *output, char *bytes)
{
    BEGIN(cancelled);
    PUT_ORDER(cancelled);
    PUT_AMOUNTS(cancelled);
    SET(cancelled, price, e->price_ticks);
    SET(cancelled, quantity, e->quantity_lots);
    SET(cancelled, sequence, e->sequence);
    SET_ENUM(cancelled, side, e->side);
    SET_ENUM(cancelled, reason, e->reason);
    SET_ENUM(cancelled, command, e->command);
    return END(cancelled);
}

static void decode_cancelled(const frame_t *frame, oc_output_t *output)
{
    OPEN(cancelled);
    GET_ORDER(cancelled);
    GET_AMOUNTS(cancelled);
    e->price_ticks = GET(cancelled, price);
    e->quantity_lots = GET(cancelled, quantity);
    e->sequence = GET(cancelled, sequence);
    e->side = GET_ENUM(cancelled, side);
    e->reason = GET_ENUM(cancelled, reason);
    e->command = GET_ENUM(cancelled, command);
}

static size_t encode_expired(const oc_output_t *output, char *bytes)
{
    BEGIN(expired);
    PUT_ORDER(expired);
    PUT_AMOUNTS(expired);
    SET(expired, price, e->price_ticks);
    SET(expired, quantity, e->quantity_lots);
    SET(expired, sequence, e->sequence);
    SET_ENUM(expired, side, e->side);
    SET_ENUM(expired, reason, e->reason);
    SET_ENUM(expired, command, e->command);
    return END(expired);
}

static void decode_expired(const frame_t *frame, oc_output_t *output)
{
    OPEN(expired);
    GET_ORDER(expired);
    GET_AMOUNTS(expired);
    e->price_ticks = GET(expired, price);
    e->quantity_lots = GET(expired, quantity);
    e->sequence = GET(expired, sequence);
    e->side = GET_ENUM(expired, side);
    e->reason = GET_ENUM(expired, reason);
    e->command = GET_ENUM(expired, command);
}

static size_t encode_modified(const oc_output_t *output, char *bytes)
{
    BEGIN(modified);
    PUT_ORDER(modified);
    PUT_AMOUNTS(modified);
    SET(modified, price, e->price_ticks);
    SET(modified, quantity, e->quantity_lots);
    SET(modified, sequence, e->sequence);
    SET_ENUM(modified, side, e->side);
    return END(modified);
}

static void decode_modified(const frame_t *frame, oc_output_t *output)
{
    OPEN(modified);
    GET_ORDER(modified);
    GET_AMOUNTS(modified);
    e->price_ticks = GET(modified, price);
    e->quantity_lots = GET(modified, quantity);
    e->sequence = GET(modified, sequence);
    e->side = GET_ENUM(modified, side);
}

static size_t encode_level(const oc_output_t *output, char *bytes)
{
    BEGIN(level);
    SET(level, price, e->price_ticks);
    SET(level, quantity, e->quantity_lots);
    SET(level, instrument, e->instrument.value);
    SET(level, orderCount, e->order_count);
    SET_ENUM(level, side, e->side);
    return END(level);
}

static void decode_level(const frame_t *frame, oc_output_t *output)
{
    OPEN(level);
    e->price_ticks = GET(level, price);
    e->quantity_lots = GET(level, quantity);
    e->instrument.value = GET(level, instrument);
    e->order_count = GET(level, orderCount);
    e->side = GET_ENUM(level, side);
}

static size_t encode_instrument_state(const oc_output_t *output, char *bytes)
{
    BEGIN(instrumentStateEvent);
    SET(instrumentStateEvent, instrument, e->instrument.value);
    SET_ENUM(instrumentStateEvent, state, (uint8_t)e->order_count);
    return END(instrumentStateEvent);
}

static void decode_instrument_state(const frame_t *frame, oc_output_t *output)
{
    OPEN(instrumentStateEvent);
    e->instrument.value = GET(instrumentStateEvent, instrument);
    e->order_count = GET_ENUM(instrumentStateEvent, state);
}

static size_t encode_confirmed(const oc_output_t *output, char *bytes)
{
    BEGIN(confirmed);
    SET(confirmed, sequence, e->sequence);
    SET(confirmed, source, e->source.value);
    SET(confirmed, instrument, e->instrument.value);
    SET_ENUM(confirmed, command, e->command);
    return END(confirmed);
}

static void decode_confirmed(const frame_t *frame, oc_output_t *output)
{
    OPEN(confirmed);
    e->sequence = GET(confirmed, sequence);
    e->source.value = GET(confirmed, source);
    e->instrument.value = GET(confirmed, instrument);
    e->command = GET_ENUM(confirmed, command);
}

static size_t encode_completed(const oc_output_t *output, char *bytes)
{
    BEGIN(completed);
    SET(completed, quantity, e->quantity_lots);
    SET(completed, source, e->source.value);
    SET(completed, instrument, e->instrument.value);
    SET_ENUM(completed, command, e->command);
    return END(completed);
}

static void decode_completed(const frame_t *frame, oc_output_t *output)
{
    OPEN(completed);
    e->quantity_lots = GET(completed, quantity);
    e->source.value = GET(completed, source);
    e->instrument.value = GET(completed, instrument);
    e->command = GET_ENUM(completed, command);
}

/* ---- Which one it is -------------------------------------------------------------------------*/

typedef struct kind {
    void (*decode)(const frame_t *frame, oc_output_t *output);
    uint16_t block; /* length in version 1: none that is shorter is read */
} kind_t;

static const kind_t kinds[] = {
    [OC_EVENT_ACCEPTED] = {decode_accepted, 97},
    [OC_EVENT_REJECTED] = {decode_rejected, 84},
    [OC_EVENT_TRADE] = {decode_trade, 105},
    [OC_EVENT_FILL] = {decode_fill, 105},
    [OC_EVENT_CANCELLED] = {decode_cancelled, 107},
    [OC_EVENT_EXPIRED] = {decode_expired, 107},
    [OC_EVENT_MODIFIED] = {decode_modified, 105},
    [OC_EVENT_LEVEL] = {decode_level, 65},
    [OC_EVENT_INSTRUMENT_STATE] = {decode_instrument_state, 45},
    [OC_EVENT_CONFIRMED] = {decode_confirmed, 57},
    [OC_EVENT_COMPLETED] = {decode_completed, 57},
};

size_t events_output_block(unsigned event_type)
{
    return event_type < sizeof kinds / sizeof kinds[0] ? kinds[event_type].block : 0;
}

void events_output_decode(const frame_t *frame, oc_output_t *output)
{
    output->event.type = (uint8_t)frame->template_id;
    kinds[frame->template_id].decode(frame, output);
}

size_t events_encode_output(const oc_output_t *output, void *bytes)
{
    switch (output->event.type) {
    case OC_EVENT_ACCEPTED:
        return encode_accepted(output, bytes);
    case OC_EVENT_REJECTED:
        return encode_rejected(output, bytes);
    case OC_EVENT_TRADE:
        return encode_trade(output, bytes);
    case OC_EVENT_FILL:
        return encode_fill(output, bytes);
    case OC_EVENT_CANCELLED:
        return encode_cancelled(output, bytes);
    case OC_EVENT_EXPIRED:
        return encode_expired(output, bytes);
    case OC_EVENT_MODIFIED:
        return encode_modified(output, bytes);
    case OC_EVENT_LEVEL:
        return encode_level(output, bytes);
    case OC_EVENT_INSTRUMENT_STATE:
        return encode_instrument_state(output, bytes);
    case OC_EVENT_CONFIRMED:
        return encode_confirmed(output, bytes);
    case OC_EVENT_COMPLETED:
        return encode_completed(output, bytes);
    default:
        return 0;
    }
}
