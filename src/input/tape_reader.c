/*
 * Reads the tapes of the public matching-engine-benchmark (flash1): a header, then 40-byte records.
 *
 * Called through tape_reader_ops by flow_reader. Layout: matching/ in that project; little-endian.
 * Invariants: as many records are read as the header promises, and nothing follows them. Must not
 * judge what a message means: an id or price that no book accepts is passed on.
 */
#include "base/assert.h"
#include "input/input_internal.h"

#define TAPE_MAGIC   UINT64_C(0x4D4542575F303031)
#define TAPE_VERSION UINT32_C(1)

typedef struct tape_header {
    uint64_t magic;
    uint32_t version;
    uint32_t count;
} tape_header_t;

typedef struct tape_message {
    uint8_t type; /* 0 new, 1 cancel, 2 modify */
    uint8_t side; /* 0 buy, 1 sell */
    uint8_t ioc;
    uint8_t pad;
    uint32_t quantity;
    uint64_t sequence;
    uint64_t order_id;
    int64_t price_ticks;
    int64_t unused;
} tape_message_t;

_Static_assert(sizeof(tape_header_t) == 16, "as in the file");
_Static_assert(offsetof(tape_header_t, count) == 12, "as in the file");
_Static_assert(sizeof(tape_message_t) == 40, "as in the file");
_Static_assert(offsetof(tape_message_t, quantity) == 4, "as in the file");
_Static_assert(offsetof(tape_message_t, sequence) == 8, "as in the file");
_Static_assert(offsetof(tape_message_t, order_id) == 16, "as in the file");
_Static_assert(offsetof(tape_message_t, price_ticks) == 24, "as in the file");

static const flow_kind_t tape_kinds[] = {FLOW_NEW, FLOW_CANCEL, FLOW_MODIFY};
#define TAPE_KIND_COUNT (sizeof tape_kinds / sizeof tape_kinds[0])

static bool tape_message_fail(flow_reader_t *reader, const tape_message_t *message)
{
    return flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                     "message %llu has type %u (0 to 2 expected), side %u and ioc %u (0 or 1)",
                     (unsigned long long)reader->record, message->type, message->side,
                     message->ioc);
}

static flow_status_t tape_end(flow_reader_t *reader)
{
    byte_view_t view;
    if (!flow_peek(reader, 1, &view)) {
        return FLOW_FAILED;
    }
    if (view.size > 0) {
        flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                  "bytes follow the %u messages that the header promises", reader->u.tape.count);
        return FLOW_FAILED;
    }
    return FLOW_END;
}

static flow_status_t tape_next(flow_reader_t *reader, flow_record_t *record)
{
    tape_message_t message;
    byte_view_t view;
    if (reader->record == reader->u.tape.count) {
        return tape_end(reader);
    }
    if (!flow_peek(reader, sizeof message, &view)) {
        return FLOW_FAILED;
    }
    if (UNLIKELY(view.size < sizeof message)) {
        flow_fail(reader, OC_ERR_TRUNCATED, flow_offset(reader),
                  "the file ends in message %llu of the %u that the header promises",
                  (unsigned long long)reader->record, reader->u.tape.count);
        return FLOW_FAILED;
    }
    memcpy(&message, view.bytes, sizeof message);
    if (UNLIKELY(message.type >= TAPE_KIND_COUNT || message.side > 1 || message.ioc > 1)) {
        tape_message_fail(reader, &message);
        return FLOW_FAILED;
    }
    byte_source_advance(reader->source, sizeof message);
    record->kind = tape_kinds[message.type];
    record->side = message.side == 0 ? OC_SIDE_BUY : OC_SIDE_SELL;
    record->time_in_force = message.ioc != 0 ? OC_TIF_IOC : OC_TIF_GTC;
    record->sequence = message.sequence;
    record->order_id = message.order_id;
    record->price_raw = message.price_ticks;
    record->quantity = message.quantity;
    return FLOW_RECORD;
}

static bool tape_open(flow_reader_t *reader)
{
    tape_header_t header;
    byte_view_t view;
    if (!flow_need(reader, sizeof header, &view, "the header of a tape")) {
        return false;
    }
    memcpy(&header, view.bytes, sizeof header);
    if (header.magic != TAPE_MAGIC) {
        return flow_fail(reader, OC_ERR_FORMAT, 0, "a tape begins with 0x%llx, this with 0x%llx",
                         (unsigned long long)TAPE_MAGIC, (unsigned long long)header.magic);
    }
    if (header.version != TAPE_VERSION) {
        return flow_fail(reader, OC_ERR_FORMAT, offsetof(tape_header_t, version),
                         "tape version %u is not known, only %u is", header.version, TAPE_VERSION);
    }
    reader->u.tape.count = header.count;
    byte_source_advance(reader->source, sizeof header);
    return true;
}

static bool tape_sniff(const uint8_t *bytes, size_t size)
{
    return size >= sizeof(uint64_t) && load_le64(bytes) == TAPE_MAGIC;
}

const flow_format_ops_t tape_reader_ops = {
    .format = FLOW_FORMAT_TAPE,
    .name = "tape",
    .title = "tape (matching-engine-benchmark)",
    .sniff = tape_sniff,
    .open = tape_open,
    .next = tape_next,
};
