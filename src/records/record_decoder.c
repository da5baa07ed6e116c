/*
 * Records of the stream, decoded with the generated code. Called by records_import.c.
 *
 * Invariants: a getter of the generated code runs only on a block that record_open() has found
 * whole and at least as long as in version 1, because that code believes the lengths it is given. A
 * longer block or entry is a newer version's: what is behind the known fields is skipped. Enums and
 * sets are read as raw numbers and looked at here, or by the engine that takes them.
 *
 * Must not allocate, and must not trust any length or count.
 */
#include "records/record_decoder.h"

#include "base/assert.h"
#include "base/error.h"

#include <records/begin.h>
#include <records/configuration.h>
#include <records/end.h>
#include <records/instruments.h>
#include <records/mark.h>
#include <records/orders.h>
#include <records/pending.h>
#include <records/sessions.h>
#include <records/sourceHwm.h>
#include <records/triggers.h>

enum {
    ORDINAL_BYTES = 8,
    GROUP_BYTES = 8,
    LENGTH_BYTES = 2,
    ORDER_SPARE = 62, /* two bytes of an order's entry */
    ORDER_FLAGS = OC_FLAG_POST_ONLY | OC_FLAG_CANCEL_ON_DISCONNECT,
};

/* `m` is the flyweight of a root block, `e` that of one entry. */
#define OPEN(name)                                                                                 \
    struct records_##name m;                                                                       \
    (void)records_##name##_wrap_for_decode(&m, self->frame.bytes, CODEC_HEADER_BYTES,              \
                                           self->frame.block_length, self->frame.version,          \
                                           self->frame.length)
#define GET(name, field) records_##name##_##field(&m)
#define AT(name, field)  (m.buffer + m.offset + records_##name##_##field##_encoding_offset())

#define OPEN_ENTRY(name)                                                                           \
    OC_ASSERT(at < self->count);                                                                   \
    const struct records_##name##_entries e = {                                                    \
        .buffer = (char *)(uintptr_t)self->entries,                                                \
        .offset = (uint64_t)at * self->entry_bytes,                                                \
        .acting_version = self->frame.version,                                                     \
    }
#define GET_EACH(name, field) records_##name##_entries_##field(&e)
#define EACH_AT(name, field)                                                                       \
    (e.buffer + e.offset + records_##name##_entries_##field##_encoding_offset())

/* Bytes of a kind's root block and of its entries in version 1. */
typedef struct shape {
    uint16_t block;
    uint16_t entry; /* 0: no list */
} shape_t;

static shape_t shape_of(record_kind_t kind)
{
#define SHAPE(name)                                                                                \
    (shape_t)                                                                                      \
    {                                                                                              \
        records_##name##_sbe_block_length(), (uint16_t)records_##name##_entries_sbe_block_length() \
    }
    switch (kind) {
    case RECORD_BEGIN:
        return (shape_t){records_begin_sbe_block_length(), 0};
    case RECORD_CONFIGURATION:
        return (shape_t){records_configuration_sbe_block_length(), 0};
    case RECORD_INSTRUMENTS:
        return SHAPE(instruments);
    case RECORD_SOURCE_HWM:
        return SHAPE(sourceHwm);
    case RECORD_SESSIONS:
        return SHAPE(sessions);
    case RECORD_MARK:
        return SHAPE(mark);
    case RECORD_ORDERS:
        return SHAPE(orders);
    case RECORD_TRIGGERS:
        return SHAPE(triggers);
    case RECORD_PENDING:
        return SHAPE(pending);
    default:
        return (shape_t){records_end_sbe_block_length(), 0};
    }
#undef SHAPE
}

/* A record of this version ends where its contents do. */
static oc_err_t check_end(const record_frame_t *self, size_t end)
{
    if (end > self->frame.length)
        return error_set(OC_ERR_DAMAGED, "it has %zu bytes and needs %zu", self->frame.length, end);
    if (end < self->frame.length && self->frame.version == RECORD_SCHEMA_VERSION)
        return error_set(OC_ERR_DAMAGED, "it has %zu bytes and %zu behind its end",
                         self->frame.length, self->frame.length - end);
    return OC_ERR_OK;
}

static oc_err_t open_list(record_frame_t *self, size_t block, size_t least)
{
    const size_t group = CODEC_HEADER_BYTES + block;
    if (self->frame.length - group < GROUP_BYTES)
        return error_set(OC_ERR_DAMAGED, "it is cut in front of its entries");
    self->entries = self->frame.bytes + group + GROUP_BYTES;
    self->entry_bytes = frame_load_u16(self->frame.bytes + group);
    self->count = frame_load_u32(self->frame.bytes + group + 4);
    if (self->entry_bytes < least)
        return error_set(OC_ERR_DAMAGED, "entries of %u bytes, %zu at least", self->entry_bytes,
                         least);
    if (self->count == 0)
        return error_set(OC_ERR_DAMAGED, "a list without entries");
    const uint64_t end = group + GROUP_BYTES + (uint64_t)self->count * self->entry_bytes;
    return check_end(self, (size_t)end);
}

oc_err_t record_open(record_frame_t *self, const void *bytes, size_t length)
{
    *self = (record_frame_t){0};
    if (!frame_open(&self->frame, bytes, length))
        return error_set(OC_ERR_DAMAGED, "%zu bytes are no record", length);
    if (self->frame.schema_id != RECORD_SCHEMA_ID)
        return error_set(OC_ERR_FORMAT, "it is of schema %u, not of %d", self->frame.schema_id,
                         RECORD_SCHEMA_ID);
    if (self->frame.version == 0)
        return error_set(OC_ERR_FORMAT, "version 0 of the schema");
    if (self->frame.template_id < RECORD_BEGIN || self->frame.template_id > RECORD_END)
        return error_set(OC_ERR_FORMAT,
                         "message %u of version %u of the schema is unknown to this build, which "
                         "knows version %d: use a newer one",
                         self->frame.template_id, self->frame.version, RECORD_SCHEMA_VERSION);
    self->kind = (record_kind_t)self->frame.template_id;
    const shape_t shape = shape_of(self->kind);
    if (!frame_has_block(&self->frame, shape.block))
        return error_set(OC_ERR_DAMAGED, "%zu bytes with a block of %u, of %u at least", length,
                         self->frame.block_length, shape.block);
    uint64_t ordinal;
    _Static_assert(sizeof ordinal == ORDINAL_BYTES, "every block begins with it");
    memcpy(&ordinal, self->frame.bytes + CODEC_HEADER_BYTES, sizeof ordinal);
    self->ordinal = ordinal;
    if (shape.entry != 0)
        return open_list(self, self->frame.block_length, shape.entry);
    if (self->kind == RECORD_CONFIGURATION)
        return OC_ERR_OK; /* see record_decode_part() */
    return check_end(self, (size_t)CODEC_HEADER_BYTES + self->frame.block_length);
}

static oc_err_t check_begin(const record_begin_t *begin)
{
    const engine_totals_t *totals = &begin->totals;
    if (begin->format_version != RECORD_FORMAT_VERSION)
        return error_set(OC_ERR_FORMAT, "format version %u, this build knows %d",
                         begin->format_version, RECORD_FORMAT_VERSION);
    if (begin->rules_version != OC_RULES_VERSION)
        return error_set(OC_ERR_FORMAT, "rules version %u, this build knows %u",
                         begin->rules_version, OC_RULES_VERSION);
    if (begin->record_bytes < RECORDS_SIZE_MIN || begin->record_bytes > RECORDS_SIZE_MAX)
        return error_set(OC_ERR_DAMAGED, "records of %u bytes, %d to %d can be",
                         begin->record_bytes, RECORDS_SIZE_MIN, RECORDS_SIZE_MAX);
    if (totals->step_bound == 0 || totals->step_bound > OC_STEP_BOUND_MAX)
        return error_set(OC_ERR_DAMAGED, "step bound %u, 1 to %u can be", totals->step_bound,
                         OC_STEP_BOUND_MAX);
    if (totals->modify_priority > OC_PRIORITY_LOSE)
        return error_set(OC_ERR_FORMAT, "modify priority %u is unknown to this build",
                         totals->modify_priority);
    if ((totals->restrictions & ~OC_RESTRICT_ALL) != 0)
        return error_set(OC_ERR_FORMAT, "restrictions %#x are unknown to this build",
                         totals->restrictions);
    return OC_ERR_OK;
}

oc_err_t record_decode_begin(const record_frame_t *self, record_begin_t *begin)
{
    OC_ASSERT(self->kind == RECORD_BEGIN);
    OPEN(begin);
    *begin = (record_begin_t){
        .place = {.position = GET(begin, logPosition),
                  .entries = GET(begin, logEntries),
                  .state_hash = GET(begin, stateHash),
                  .time_ns = GET(begin, logTime),
                  .term = GET(begin, logTerm)},
        .service_time_ns = GET(begin, serviceTime),
        .totals = {.entry = GET(begin, entry),
                   .time_ns = GET(begin, engineTime),
                   .last_order_id = GET(begin, lastOrderId),
                   .last_trade_id = GET(begin, lastTradeId),
                   .last_priority = GET(begin, lastPriority),
                   .output = {.sum = GET(begin, outputSum), .weight = GET(begin, outputWeight)},
                   .step_bound = GET(begin, stepBound),
                   .modify_priority = frame_load_u8(AT(begin, modifyPriority)),
                   .restrictions = frame_load_u32(AT(begin, restrictions))},
        .format_version = GET(begin, formatVersion),
        .record_bytes = GET(begin, recordBytes),
        .rules_version = GET(begin, rulesVersion),
    };
    return check_begin(begin);
}

oc_err_t record_decode_part(const record_frame_t *self, record_part_t *part)
{
    OC_ASSERT(self->kind == RECORD_CONFIGURATION);
    OPEN(configuration);
    const size_t before = (size_t)CODEC_HEADER_BYTES + self->frame.block_length + LENGTH_BYTES;
    if (self->frame.length < before)
        return error_set(OC_ERR_DAMAGED, "it is cut in front of its bytes");
    *part = (record_part_t){
        .total = GET(configuration, totalLength),
        .offset = GET(configuration, partOffset),
        .bytes = self->frame.bytes + before,
        .length = frame_load_u16(self->frame.bytes + before - LENGTH_BYTES),
    };
    if (part->total > RECORD_CONFIGURATION_MAX)
        return error_set(OC_ERR_DAMAGED, "a configuration of %u bytes, %d at most", part->total,
                         RECORD_CONFIGURATION_MAX);
    if (part->offset > part->total || part->length > part->total - part->offset)
        return error_set(OC_ERR_DAMAGED, "%zu bytes at %u of a configuration of %u", part->length,
                         part->offset, part->total);
    return check_end(self, before + part->length);
}

void record_decode_end(const record_frame_t *self, record_end_t *end)
{
    OC_ASSERT(self->kind == RECORD_END);
    OPEN(end);
    *end = (record_end_t){
        .counts = {.instruments = GET(end, instruments),
                   .sources = GET(end, sources),
                   .sessions = GET(end, sessions),
                   .marks = GET(end, marks),
                   .orders = GET(end, orders),
                   .triggers = GET(end, triggers),
                   .pending = GET(end, pending)},
        .engine_hash = GET(end, engineHash),
        .state_hash = GET(end, stateHash),
        .checksum = GET(end, checksum),
    };
}

/* ---- Lists -----------------------------------------------------------------------------------*/

oc_err_t record_decode_instrument(const record_frame_t *self, uint32_t at,
                                  oc_instrument_view_t *view)
{
    OC_ASSERT(self->kind == RECORD_INSTRUMENTS);
    OPEN_ENTRY(instruments);
    const uint8_t state = frame_load_u8(EACH_AT(instruments, state));
    *view = (oc_instrument_view_t){
        .id = {GET_EACH(instruments, instrument)},
        .state = (oc_instrument_state_t)state,
        .price_low_ticks = GET_EACH(instruments, priceLow),
        .price_high_ticks = GET_EACH(instruments, priceHigh),
        .max_quantity_lots = GET_EACH(instruments, maxQuantity),
    };
    if (state > OC_STATE_HALTED)
        return error_set(OC_ERR_FORMAT, "instrument %u: state %u is unknown to this build",
                         view->id.value, state);
    return OC_ERR_OK;
}

/* Text of at most 31 characters and then zeroes: nothing hides behind its end. */
static bool read_principal(const char *from, oc_principal_t *principal)
{
    memcpy(principal->name, from, OC_PRINCIPAL_SIZE);
    const char *end = memchr(principal->name, '\0', OC_PRINCIPAL_SIZE);
    if (end == NULL)
        return false;
    for (; end < principal->name + OC_PRINCIPAL_SIZE; end++)
        if (*end != '\0')
            return false;
    return true;
}

oc_err_t record_decode_source(const record_frame_t *self, uint32_t at, records_source_t *source)
{
    OC_ASSERT(self->kind == RECORD_SOURCE_HWM);
    OPEN_ENTRY(sourceHwm);
    const uint8_t status = GET_EACH(sourceHwm, lastStatus);
    const uint32_t roles = frame_load_u32(EACH_AT(sourceHwm, roles));
    *source = (records_source_t){
        .view = {.id = {GET_EACH(sourceHwm, source)},
                 .roles = roles,
                 .sequence = GET_EACH(sourceHwm, sequence),
                 .last_status = (oc_reason_t)status,
                 .session = {GET_EACH(sourceHwm, session)},
                 .session_first = {GET_EACH(sourceHwm, sessionFirst)}},
        .outbound_sequence = GET_EACH(sourceHwm, outboundSequence),
    };
    if (!read_principal(EACH_AT(sourceHwm, principal), &source->principal))
        return error_set(OC_ERR_DAMAGED, "source %u: its principal is no text of 31 characters",
                         source->view.id.value);
    if (status >= OC_REASON_COUNT || (roles & ~OC_ROLES_ALL) != 0)
        return error_set(OC_ERR_FORMAT,
                         "source %u: status %u or roles %#x are unknown to this build",
                         source->view.id.value, status, roles);
    return OC_ERR_OK;
}

oc_err_t record_decode_session(const record_frame_t *self, uint32_t at, records_session_t *session)
{
    OC_ASSERT(self->kind == RECORD_SESSIONS);
    OPEN_ENTRY(sessions);
    *session = (records_session_t){.id = {GET_EACH(sessions, session)},
                                   .source = {GET_EACH(sessions, source)}};
    if (!read_principal(EACH_AT(sessions, principal), &session->principal))
        return error_set(OC_ERR_DAMAGED, "session %llu: its principal is no text of 31 characters",
                         (unsigned long long)session->id.value);
    return OC_ERR_OK;
}

void record_decode_mark(const record_frame_t *self, uint32_t at, oc_instrument_view_t *view)
{
    OC_ASSERT(self->kind == RECORD_MARK);
    OPEN_ENTRY(mark);
    *view = (oc_instrument_view_t){.id = {GET_EACH(mark, instrument)},
                                   .mark_price_ticks = GET_EACH(mark, price),
                                   .has_mark_price = true};
}

oc_err_t record_decode_order(const record_frame_t *self, uint32_t at, engine_order_t *order)
{
    OC_ASSERT(self->kind == RECORD_ORDERS);
    OPEN_ENTRY(orders);
    const uint8_t side = frame_load_u8(EACH_AT(orders, side));
    const uint8_t time_in_force = frame_load_u8(EACH_AT(orders, timeInForce));
    const uint32_t flags = frame_load_u32(EACH_AT(orders, flags));
    if (side > OC_SIDE_SELL || time_in_force > OC_TIF_DAY || (flags & ~(uint32_t)ORDER_FLAGS) != 0)
        return error_set(OC_ERR_FORMAT,
                         "order %llu: side %u, time in force %u or flags %#x are unknown to this "
                         "build",
                         (unsigned long long)GET_EACH(orders, orderId), side, time_in_force, flags);
    /* No checksum of the stream covers them. A newer version may have a field there. */
    if (self->frame.version == 1 && frame_load_u16(e.buffer + e.offset + ORDER_SPARE) != 0)
        return error_set(OC_ERR_DAMAGED, "order %llu: the spare bytes of its entry are not zero",
                         (unsigned long long)GET_EACH(orders, orderId));
    *order = (engine_order_t){
        .client_order_id = GET_EACH(orders, clientOrderId),
        .order_id = GET_EACH(orders, orderId),
        .priority = GET_EACH(orders, priority),
        .price_ticks = GET_EACH(orders, price),
        .open_lots = GET_EACH(orders, open),
        .executed_lots = GET_EACH(orders, executed),
        .source = GET_EACH(orders, source),
        .instrument = GET_EACH(orders, instrument),
        .terms = hash_order_terms(side, time_in_force, flags),
    };
    return OC_ERR_OK;
}

void record_decode_pending(const record_frame_t *self, uint32_t at, hash_pending_t *work)
{
    OC_ASSERT(self->kind == RECORD_PENDING);
    OPEN_ENTRY(pending);
    *work = (hash_pending_t){
        .limit = GET_EACH(pending, limit),
        .first = GET_EACH(pending, first),
        .ended = GET_EACH(pending, ended),
        .looked_at = GET_EACH(pending, lookedAt),
        .price_ticks = GET_EACH(pending, price),
        .asker = GET_EACH(pending, asker),
        .source = GET_EACH(pending, source),
        .instrument = GET_EACH(pending, instrument),
        .command = GET_EACH(pending, command),
        .scope = GET_EACH(pending, scope),
        .sides = GET_EACH(pending, sides),
        .side = GET_EACH(pending, side),
    };
}

size_t record_checked_bytes(const record_frame_t *self)
{
    if (self->kind != RECORD_ORDERS)
        return self->frame.length;
    OC_ASSERT(self->entries <= self->frame.bytes + self->frame.length);
    return (size_t)(self->entries - self->frame.bytes);
}
