/*
 * Reads NASDAQ TotalView-ITCH 5.0 files: each message after its 2-byte big-endian length.
 *
 * Called through itch_reader_ops by flow_reader. Everything is big-endian, prices have 4 decimals
 * and stay as they are, times are nanoseconds since midnight. Invariants: a message is read only
 * when its length field is the length of its type, so that a file that is framed otherwise, or of
 * another version, fails at once instead of being misread. Must not resolve an execution or a
 * replace: that takes the book.
 */
#include "base/assert.h"
#include "input/input_internal.h"

#define ITCH_FRAME_SIZE  2
#define ITCH_LENGTH_MAX  50
#define ITCH_TITLE_WORDS "a 2-byte big-endian length before each message"

/* Offsets in a message. All begin alike; those about an order go on with its reference. */
enum {
    ITCH_TYPE = 0,
    ITCH_LOCATE = 1,
    ITCH_TRACKING = 3,
    ITCH_TIME = 5, /* 6 bytes */
    ITCH_ORDER = 11,

    ITCH_ADD_SIDE = 19,
    ITCH_ADD_SHARES = 20,
    ITCH_ADD_STOCK = 24,
    ITCH_ADD_PRICE = 32,
    ITCH_ADD_ATTRIBUTION = 36, /* F only */

    ITCH_EXECUTED_SHARES = 19,
    ITCH_EXECUTED_MATCH = 23,
    ITCH_EXECUTED_PRINTABLE = 31, /* C only, as the price */
    ITCH_EXECUTED_PRICE = 32,

    ITCH_REDUCED_SHARES = 19,

    ITCH_REPLACED_ORDER = 19, /* the new reference */
    ITCH_REPLACED_SHARES = 27,
    ITCH_REPLACED_PRICE = 31,
};

enum {
    ITCH_LENGTH_A = 36,
    ITCH_LENGTH_F = 40,
    ITCH_LENGTH_E = 31,
    ITCH_LENGTH_C = 36,
    ITCH_LENGTH_X = 23,
    ITCH_LENGTH_D = 19,
    ITCH_LENGTH_U = 35,
};

_Static_assert(ITCH_TIME + 6 == ITCH_ORDER, "specification, 1.2");
_Static_assert(ITCH_ADD_STOCK + 8 == ITCH_ADD_PRICE, "specification, 1.3.1");
_Static_assert(ITCH_ADD_PRICE + 4 == ITCH_LENGTH_A, "specification, 1.3.1");
_Static_assert(ITCH_ADD_ATTRIBUTION + 4 == ITCH_LENGTH_F, "specification, 1.3.2");
_Static_assert(ITCH_EXECUTED_MATCH + 8 == ITCH_LENGTH_E, "specification, 1.4.1");
_Static_assert(ITCH_EXECUTED_PRICE + 4 == ITCH_LENGTH_C, "specification, 1.4.2");
_Static_assert(ITCH_REDUCED_SHARES + 4 == ITCH_LENGTH_X, "specification, 1.4.3");
_Static_assert(ITCH_ORDER + 8 == ITCH_LENGTH_D, "specification, 1.4.4");
_Static_assert(ITCH_REPLACED_PRICE + 4 == ITCH_LENGTH_U, "specification, 1.4.5");

/* By type; 0 for a letter that is none. */
static const uint8_t itch_lengths[256] = {
    ['A'] = ITCH_LENGTH_A,   /* add */
    ['F'] = ITCH_LENGTH_F,   /* add with attribution */
    ['E'] = ITCH_LENGTH_E,   /* executed */
    ['C'] = ITCH_LENGTH_C,   /* executed at another price */
    ['X'] = ITCH_LENGTH_X,   /* cancelled in part */
    ['D'] = ITCH_LENGTH_D,   /* deleted */
    ['U'] = ITCH_LENGTH_U,   /* replaced */
    ['S'] = 12,              /* the rest says nothing about orders: system event */
    ['R'] = 39,              /* stock directory */
    ['H'] = 25,              /* trading action */
    ['Y'] = 20,              /* short sale restriction */
    ['L'] = 26,              /* market participant position */
    ['V'] = 35,              /* circuit breaker levels */
    ['W'] = 12,              /* circuit breaker breached */
    ['K'] = 28,              /* IPO quoting period */
    ['J'] = 35,              /* auction collar */
    ['h'] = 21,              /* operational halt */
    ['P'] = 44,              /* trade against a hidden order */
    ['Q'] = 40,              /* cross trade */
    ['B'] = 19,              /* broken trade */
    ['I'] = ITCH_LENGTH_MAX, /* imbalance */
    ['N'] = 20,              /* retail price improvement */
    ['O'] = 48,              /* direct listing */
};

static uint64_t itch_time(const uint8_t *message)
{
    return (uint64_t)load_be16(message + ITCH_TIME) << 32 | load_be32(message + ITCH_TIME + 2);
}

static bool itch_fill_add(flow_reader_t *reader, const uint8_t *message, flow_record_t *record)
{
    const uint8_t side = message[ITCH_ADD_SIDE];
    if (side != 'B' && side != 'S') {
        return flow_fail(reader, OC_ERR_FORMAT,
                         flow_offset(reader) + ITCH_FRAME_SIZE + ITCH_ADD_SIDE,
                         "message %llu: side B or S expected, found byte 0x%02x",
                         (unsigned long long)reader->record, side);
    }
    record->kind = FLOW_NEW;
    record->side = side == 'B' ? OC_SIDE_BUY : OC_SIDE_SELL;
    record->quantity = load_be32(message + ITCH_ADD_SHARES);
    record->price_raw = load_be32(message + ITCH_ADD_PRICE);
    return true;
}

/* The message is as long as its type says. */
static bool itch_fill(flow_reader_t *reader, const uint8_t *message, flow_record_t *record)
{
    record->time_ns = (int64_t)itch_time(message);
    record->instrument = load_be16(message + ITCH_LOCATE);
    switch (message[ITCH_TYPE]) {
    case 'A':
    case 'F':
        record->order_id = load_be64(message + ITCH_ORDER);
        return itch_fill_add(reader, message, record);
    case 'E':
    case 'C':
        record->kind = FLOW_EXECUTE;
        record->order_id = load_be64(message + ITCH_ORDER);
        record->quantity = load_be32(message + ITCH_EXECUTED_SHARES);
        return true;
    case 'X':
        record->kind = FLOW_REDUCE;
        record->order_id = load_be64(message + ITCH_ORDER);
        record->quantity = load_be32(message + ITCH_REDUCED_SHARES);
        return true;
    case 'D':
        record->kind = FLOW_CANCEL;
        record->order_id = load_be64(message + ITCH_ORDER);
        return true;
    case 'U':
        record->kind = FLOW_REPLACE;
        record->order_id = load_be64(message + ITCH_ORDER);
        record->new_order_id = load_be64(message + ITCH_REPLACED_ORDER);
        record->quantity = load_be32(message + ITCH_REPLACED_SHARES);
        record->price_raw = load_be32(message + ITCH_REPLACED_PRICE);
        return true;
    default:
        record->kind = FLOW_SKIP;
        return true;
    }
}

static bool itch_fail_frame(flow_reader_t *reader, uint8_t type, size_t length)
{
    /* At the very beginning the likely reason is another framing, not damage. */
    const char *hint = reader->record == 0 ? "; expected is " ITCH_TITLE_WORDS : "";
    const uint64_t offset = flow_offset(reader);
    if (itch_lengths[type] == 0) {
        return flow_fail(reader, OC_ERR_FORMAT, offset + ITCH_FRAME_SIZE,
                         "byte 0x%02x is not an ITCH 5.0 message type%s", type, hint);
    }
    return flow_fail(reader, OC_ERR_FORMAT, offset,
                     "message type '%c' is %u bytes long, its length field says %zu%s", type,
                     itch_lengths[type], length, hint);
}

/* A length of zero is how the exchange's own files end; nothing may follow it. */
static flow_status_t itch_end_mark(flow_reader_t *reader)
{
    byte_view_t view;
    if (!flow_peek(reader, ITCH_FRAME_SIZE + 1, &view)) {
        return FLOW_FAILED;
    }
    if (view.size > ITCH_FRAME_SIZE) {
        flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                  "a length of 0 ends the file, but more bytes follow");
        return FLOW_FAILED;
    }
    return FLOW_END;
}

static flow_status_t itch_next(flow_reader_t *reader, flow_record_t *record)
{
    byte_view_t view;
    if (!flow_peek(reader, 1, &view)) {
        return FLOW_FAILED;
    }
    if (view.size == 0) {
        return FLOW_END;
    }
    if (!flow_need(reader, ITCH_FRAME_SIZE, &view, "a length field")) {
        return FLOW_FAILED;
    }
    const size_t length = load_be16(view.bytes);
    if (length == 0) {
        return itch_end_mark(reader);
    }
    if (!flow_need(reader, ITCH_FRAME_SIZE + 1, &view, "a length field with a message type")) {
        return FLOW_FAILED;
    }
    const uint8_t type = view.bytes[ITCH_FRAME_SIZE];
    if (length != itch_lengths[type]) {
        itch_fail_frame(reader, type, length);
        return FLOW_FAILED;
    }
    if (!flow_need(reader, ITCH_FRAME_SIZE + length, &view, "a message with its length field") ||
        !itch_fill(reader, view.bytes + ITCH_FRAME_SIZE, record)) {
        return FLOW_FAILED;
    }
    byte_source_advance(reader->source, ITCH_FRAME_SIZE + length);
    return FLOW_RECORD;
}

/* There is no header. */
static bool itch_open(flow_reader_t *reader)
{
    return reader->failure == OC_ERR_OK;
}

static bool itch_sniff(const uint8_t *bytes, size_t size)
{
    return size > ITCH_FRAME_SIZE && load_be16(bytes) != 0 &&
           load_be16(bytes) == itch_lengths[bytes[ITCH_FRAME_SIZE]];
}

const flow_format_ops_t itch_reader_ops = {
    .format = FLOW_FORMAT_ITCH,
    .name = "itch",
    .title = "itch (5.0, " ITCH_TITLE_WORDS ")",
    .sniff = itch_sniff,
    .open = itch_open,
    .next = itch_next,
};
