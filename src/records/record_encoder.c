/*
 * Records of the stream, encoded with the generated code. Called by records_export.c and, for
 * entries of Orders, by order_window.c from several threads.
 *
 * Entries of Orders are not written with the generated setters but as one 64-byte line. They come
 * in an order of the memory they are read from, so each one goes to a line that is in no cache.
 * Setters would fetch every line before they fill it field by field; four 16-byte stores that pass
 * the caches by write it without reading it. Where the fields lie is asserted against the
 * generated offsets by the unit test, which also reads the lines with the generated decoder.
 *
 * Invariants: what is not a field is zero; nothing is written behind what is returned as length.
 * Must not allocate, and knows no order of records.
 */
#include "records/record_encoder.h"

#include "base/assert.h"
#include "codec/frame.h"

#include <records/begin.h>
#include <records/configuration.h>
#include <records/end.h>
#include <records/instruments.h>
#include <records/mark.h>
#include <records/orders.h>
#include <records/pending.h>
#include <records/sessions.h>
#include <records/sourceHwm.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Of the schema's lists; that of Orders has two spare bytes at its end. */
enum {
    INSTRUMENT_BYTES = 29,
    SOURCE_BYTES = 73,
    SESSION_BYTES = 44,
    MARK_BYTES = 12,
    PENDING_BYTES = 56,
    PART_BEFORE = 26, /* header, ordinal, total, offset, length */
};

_Static_assert(sizeof(engine_order_t) == RECORD_ORDER_BYTES, "a line becomes a line");
_Static_assert(offsetof(engine_order_t, source) == 48, "six words, then the ids");
_Static_assert(offsetof(engine_order_t, terms) == 56, "what is taken apart comes last");

/* Begin of an encoder: `m` is the message's flyweight. */
#define BEGIN(name)                                                                                \
    struct records_messageHeader header = {0};                                                     \
    struct records_##name m = {0};                                                                 \
    (void)records_##name##_wrap_and_apply_header(&m, (char *)room->bytes, 0, room->length,         \
                                                 &header);                                         \
    (void)records_##name##_set_recordOrdinal(&m, room->ordinal)
#define SET(name, field, value) (void)records_##name##_set_##field(&m, value)
#define AT(name, field)         (m.buffer + m.offset + records_##name##_##field##_encoding_offset())
#define SIZE(name)              ((size_t)CODEC_HEADER_BYTES + records_##name##_encoded_length(&m))

/* Begin of a list: `e` is the flyweight of its entries. Two bytes of the group's size are in no
 * field. */
#define BEGIN_LIST(name, bytes_each)                                                               \
    BEGIN(name);                                                                                   \
    memset(m.buffer + m.position, 0, RECORD_LIST_BYTES - CODEC_HEADER_BYTES - 8);                  \
    struct records_##name##_entries e;                                                             \
    OC_ASSERT(records_##name##_entries_sbe_block_length() == (bytes_each));                        \
    OC_ASSERT(records_##name##_entries_wrap_for_encode(&e, m.buffer, count, &m.position,           \
                                                       m.acting_version, m.buffer_length) != NULL)
#define NEXT(name)                   OC_ASSERT(records_##name##_entries_next(&e) != NULL)
#define SET_EACH(name, field, value) (void)records_##name##_entries_set_##field(&e, value)
#define EACH_AT(name, field)                                                                       \
    (e.buffer + e.offset + records_##name##_entries_##field##_encoding_offset())

const char *record_kind_name(unsigned kind)
{
    static const char *const names[] = {
        "none", "Begin",  "Configuration", "Instruments", "SourceHwm", "Sessions",
        "Mark", "Orders", "Triggers",      "Pending",     "End"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : "unknown";
}

static size_t entry_bytes(record_kind_t kind)
{
    switch (kind) {
    case RECORD_INSTRUMENTS:
        return INSTRUMENT_BYTES;
    case RECORD_SOURCE_HWM:
        return SOURCE_BYTES;
    case RECORD_SESSIONS:
        return SESSION_BYTES;
    case RECORD_MARK:
        return MARK_BYTES;
    case RECORD_ORDERS:
        return RECORD_ORDER_BYTES;
    case RECORD_PENDING:
        return PENDING_BYTES;
    default:
        return 0;
    }
}

size_t record_list_capacity(record_kind_t kind, size_t record_bytes)
{
    const size_t each = entry_bytes(kind);
    OC_ASSERT(each > 0);
    OC_ASSERT(record_bytes >= RECORDS_SIZE_MIN);
    return (record_bytes - RECORD_LIST_BYTES) / each;
}

size_t record_part_capacity(size_t record_bytes)
{
    OC_ASSERT(record_bytes >= RECORDS_SIZE_MIN);
    const size_t room = record_bytes - PART_BEFORE;
    return room < RECORD_CONFIGURATION_MAX ? room : RECORD_CONFIGURATION_MAX;
}

size_t record_encode_begin(const record_room_t *room, const record_begin_t *begin)
{
    OC_ASSERT(room->length >= RECORDS_SIZE_MIN);
    const engine_totals_t *totals = &begin->totals;
    BEGIN(begin);
    SET(begin, logPosition, begin->place.position);
    SET(begin, logEntries, begin->place.entries);
    SET(begin, stateHash, begin->place.state_hash);
    SET(begin, logTime, begin->place.time_ns);
    SET(begin, logTerm, begin->place.term);
    SET(begin, serviceTime, begin->service_time_ns);
    SET(begin, entry, totals->entry);
    SET(begin, engineTime, totals->time_ns);
    SET(begin, lastOrderId, totals->last_order_id);
    SET(begin, lastTradeId, totals->last_trade_id);
    SET(begin, lastPriority, totals->last_priority);
    SET(begin, outputSum, totals->output.sum);
    SET(begin, outputWeight, totals->output.weight);
    SET(begin, formatVersion, begin->format_version);
    SET(begin, recordBytes, begin->record_bytes);
    SET(begin, rulesVersion, begin->rules_version);
    SET(begin, stepBound, totals->step_bound);
    frame_store_u32(AT(begin, restrictions), totals->restrictions);
    frame_store_u8(AT(begin, modifyPriority), (uint8_t)totals->modify_priority);
    return SIZE(begin);
}

size_t record_encode_part(const record_room_t *room, const record_part_t *part)
{
    OC_ASSERT(part->length <= record_part_capacity(room->length));
    BEGIN(configuration);
    SET(configuration, totalLength, part->total);
    SET(configuration, partOffset, part->offset);
    OC_ASSERT(records_configuration_put_part(&m, part->bytes, (uint16_t)part->length) != NULL);
    return SIZE(configuration);
}

size_t record_encode_end(const record_room_t *room, const record_end_t *end)
{
    OC_ASSERT(room->length >= RECORDS_SIZE_MIN);
    BEGIN(end);
    SET(end, instruments, end->counts.instruments);
    SET(end, sources, end->counts.sources);
    SET(end, sessions, end->counts.sessions);
    SET(end, marks, end->counts.marks);
    SET(end, orders, end->counts.orders);
    SET(end, triggers, end->counts.triggers);
    SET(end, pending, end->counts.pending);
    SET(end, engineHash, end->engine_hash);
    SET(end, stateHash, end->state_hash);
    SET(end, checksum, end->checksum);
    return SIZE(end);
}

/* ---- Lists -----------------------------------------------------------------------------------*/

static size_t encode_instruments(const record_room_t *room, const void *items, uint32_t count)
{
    const oc_instrument_view_t *views = items;
    BEGIN_LIST(instruments, INSTRUMENT_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        NEXT(instruments);
        SET_EACH(instruments, priceLow, views[i].price_low_ticks);
        SET_EACH(instruments, priceHigh, views[i].price_high_ticks);
        SET_EACH(instruments, maxQuantity, views[i].max_quantity_lots);
        SET_EACH(instruments, instrument, views[i].id.value);
        frame_store_u8(EACH_AT(instruments, state), (uint8_t)views[i].state);
    }
    return SIZE(instruments);
}

static size_t encode_sources(const record_room_t *room, const void *items, uint32_t count)
{
    const records_source_t *sources = items;
    BEGIN_LIST(sourceHwm, SOURCE_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        const oc_source_view_t *view = &sources[i].view;
        NEXT(sourceHwm);
        SET_EACH(sourceHwm, sequence, view->sequence);
        SET_EACH(sourceHwm, outboundSequence, sources[i].outbound_sequence);
        SET_EACH(sourceHwm, session, view->session.value);
        SET_EACH(sourceHwm, sessionFirst, view->session_first.value);
        SET_EACH(sourceHwm, source, view->id.value);
        frame_store_u32(EACH_AT(sourceHwm, roles), view->roles);
        memcpy(EACH_AT(sourceHwm, principal), sources[i].principal.name, OC_PRINCIPAL_SIZE);
        SET_EACH(sourceHwm, lastStatus, (uint8_t)view->last_status);
    }
    return SIZE(sourceHwm);
}

static size_t encode_sessions(const record_room_t *room, const void *items, uint32_t count)
{
    const records_session_t *sessions = items;
    BEGIN_LIST(sessions, SESSION_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        NEXT(sessions);
        SET_EACH(sessions, session, sessions[i].id.value);
        SET_EACH(sessions, source, sessions[i].source.value);
        memcpy(EACH_AT(sessions, principal), sessions[i].principal.name, OC_PRINCIPAL_SIZE);
    }
    return SIZE(sessions);
}

static size_t encode_marks(const record_room_t *room, const void *items, uint32_t count)
{
    const oc_instrument_view_t *views = items;
    BEGIN_LIST(mark, MARK_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        OC_ASSERT(views[i].has_mark_price);
        NEXT(mark);
        SET_EACH(mark, price, views[i].mark_price_ticks);
        SET_EACH(mark, instrument, views[i].id.value);
    }
    return SIZE(mark);
}

static size_t encode_pending(const record_room_t *room, const void *items, uint32_t count)
{
    const hash_pending_t *work = items;
    BEGIN_LIST(pending, PENDING_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        NEXT(pending);
        SET_EACH(pending, limit, work[i].limit);
        SET_EACH(pending, first, work[i].first);
        SET_EACH(pending, ended, work[i].ended);
        SET_EACH(pending, lookedAt, work[i].looked_at);
        SET_EACH(pending, price, work[i].price_ticks);
        SET_EACH(pending, asker, work[i].asker);
        SET_EACH(pending, source, work[i].source);
        SET_EACH(pending, instrument, work[i].instrument);
        SET_EACH(pending, command, work[i].command);
        SET_EACH(pending, scope, work[i].scope);
        SET_EACH(pending, sides, work[i].sides);
        SET_EACH(pending, side, work[i].side);
    }
    return SIZE(pending);
}

size_t record_item_bytes(record_kind_t kind)
{
    switch (kind) {
    case RECORD_INSTRUMENTS:
    case RECORD_MARK:
        return sizeof(oc_instrument_view_t);
    case RECORD_SOURCE_HWM:
        return sizeof(records_source_t);
    case RECORD_SESSIONS:
        return sizeof(records_session_t);
    case RECORD_PENDING:
        return sizeof(hash_pending_t);
    default:
        return 0;
    }
}

size_t record_encode_list(const record_room_t *room, record_kind_t kind, const void *items,
                          uint32_t count)
{
    OC_ASSERT(count > 0);
    OC_ASSERT(count <= record_list_capacity(kind, room->length));
    switch (kind) {
    case RECORD_INSTRUMENTS:
        return encode_instruments(room, items, count);
    case RECORD_SOURCE_HWM:
        return encode_sources(room, items, count);
    case RECORD_SESSIONS:
        return encode_sessions(room, items, count);
    case RECORD_MARK:
        return encode_marks(room, items, count);
    default:
        OC_ASSERT(kind == RECORD_PENDING);
        return encode_pending(room, items, count);
    }
}

/* ---- Orders ----------------------------------------------------------------------------------*/

size_t record_encode_orders_head(const record_room_t *room, uint32_t count)
{
    OC_ASSERT(count > 0);
    OC_ASSERT(room->length >= RECORD_LIST_BYTES + (size_t)count * RECORD_ORDER_BYTES);
    BEGIN_LIST(orders, RECORD_ORDER_BYTES);
    OC_ASSERT(SIZE(orders) == RECORD_LIST_BYTES);
    return RECORD_LIST_BYTES + (size_t)count * RECORD_ORDER_BYTES;
}

/* flags (32 bits), side, time in force (8 each), 16 spare: what an entry ends with. */
static inline uint64_t last_word(uint32_t terms)
{
    return (uint64_t)terms_flags(terms) | (uint64_t)(terms & 1) << 32 |
           (uint64_t)terms_time_in_force(terms) << 40;
}

#if defined(__SSE2__)

static inline void store_order(const engine_order_t *order, uint8_t *at)
{
    const __m128i *from = (const __m128i *)(const void *)order;
    __m128i *to = (__m128i *)(void *)at;
    const __m128i ids = _mm_loadl_epi64(from + 3);
    const __m128i last = _mm_cvtsi64_si128((long long)last_word(order->terms));
    _mm_stream_si128(to, _mm_loadu_si128(from));
    _mm_stream_si128(to + 1, _mm_loadu_si128(from + 1));
    _mm_stream_si128(to + 2, _mm_loadu_si128(from + 2));
    _mm_stream_si128(to + 3, _mm_unpacklo_epi64(ids, last));
}

void record_stores_done(void)
{
    _mm_sfence();
}

#else

static inline void store_order(const engine_order_t *order, uint8_t *at)
{
    const uint64_t last = last_word(order->terms);
    memcpy(at, order, 56);
    memcpy(at + 56, &last, sizeof last);
}

void record_stores_done(void)
{
}

#endif

void record_store_orders(const engine_order_t *orders, uint8_t *const *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        store_order(&orders[i], at[i]);
}
