/*
 * Reads Databento DBN 1, 2 and 3 with order-by-order (MBO) records.
 *
 * Called through dbn_reader_ops by flow_reader. The layout of an MBO record is the same in all
 * three versions. Prices stay in units of 1e-9. Trades (T) and fills (F) change no book: the cancel
 * or modify that follows them does. Invariants: a record is read only when all of its bytes are
 * there; records of other kinds are passed over by their length. Must not interpret the metadata
 * beyond its length and schema.
 */
#include <stddef.h>

#include "base/assert.h"
#include "input/input_internal.h"

#define DBN_PREFIX_SIZE   8 /* "DBN", u8 version, u32 metadata length */
#define DBN_VERSION_MAX   3
#define DBN_SCHEMA_OFFSET 16 /* in the metadata, after the data set's name */
#define DBN_SCHEMA_MBO    0
#define DBN_SCHEMA_MIXED  UINT16_MAX
#define DBN_RTYPE_MBO     0xA0
#define DBN_FLAG_LAST     0x80
#define DBN_UNDEFINED     INT64_MAX  /* a price that is none */
#define DBN_NO_TIME       UINT64_MAX /* a timestamp that is none */

/* What every record begins with. */
typedef struct dbn_record_header {
    uint8_t length_words; /* of the whole record, in 4 bytes */
    uint8_t rtype;
    uint16_t publisher_id;
    uint32_t instrument_id;
    uint64_t event_time_ns; /* since the Unix epoch */
} dbn_record_header_t;

typedef struct dbn_mbo {
    dbn_record_header_t header;
    uint64_t order_id;
    int64_t price;
    uint32_t size;
    uint8_t flags;
    uint8_t channel_id;
    char action;
    char side;
    uint64_t receive_time_ns;
    int32_t receive_delta_ns;
    uint32_t sequence;
} dbn_mbo_t;

_Static_assert(sizeof(dbn_record_header_t) == 16, "as in the file");
_Static_assert(offsetof(dbn_record_header_t, instrument_id) == 4, "as in the file");
_Static_assert(offsetof(dbn_record_header_t, event_time_ns) == 8, "as in the file");
_Static_assert(sizeof(dbn_mbo_t) == 56, "as in the file");
_Static_assert(offsetof(dbn_mbo_t, price) == 24, "as in the file");
_Static_assert(offsetof(dbn_mbo_t, size) == 32, "as in the file");
_Static_assert(offsetof(dbn_mbo_t, flags) == 36, "as in the file");
_Static_assert(offsetof(dbn_mbo_t, action) == 38, "as in the file");
_Static_assert(offsetof(dbn_mbo_t, side) == 39, "as in the file");
_Static_assert(offsetof(dbn_mbo_t, sequence) == 52, "as in the file");

/* What the action does to a book, before the fields are looked at. */
static flow_kind_t dbn_kind(char action)
{
    switch (action) {
    case 'A':
        return FLOW_NEW;
    case 'C':
        return FLOW_REDUCE;
    case 'M':
        return FLOW_MODIFY;
    case 'R':
        return FLOW_CLEAR;
    default:
        return FLOW_SKIP;
    }
}

static bool dbn_mbo_check(flow_reader_t *reader, const dbn_mbo_t *mbo)
{
    const uint64_t time_ns = mbo->header.event_time_ns;
    if (mbo->side != 'A' && mbo->side != 'B' && mbo->side != 'N') {
        return flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader) + offsetof(dbn_mbo_t, side),
                         "record %llu: side A, B or N expected, found byte 0x%02x",
                         (unsigned long long)reader->record, (unsigned)(uint8_t)mbo->side);
    }
    if (time_ns > INT64_MAX && time_ns != DBN_NO_TIME) {
        return flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader) + 8,
                         "record %llu: time %llu is past the year 2262",
                         (unsigned long long)reader->record, (unsigned long long)time_ns);
    }
    return true;
}

static void dbn_mbo_fill(const dbn_mbo_t *mbo, flow_record_t *record)
{
    const uint64_t time_ns = mbo->header.event_time_ns;
    record->kind = dbn_kind(mbo->action);
    record->last_in_event = (mbo->flags & DBN_FLAG_LAST) != 0;
    record->time_ns = time_ns == DBN_NO_TIME ? 0 : (int64_t)time_ns;
    record->instrument = mbo->header.instrument_id;
    record->side = mbo->side == 'A' ? OC_SIDE_SELL : OC_SIDE_BUY;
    record->order_id = mbo->order_id;
    record->price_raw = mbo->price;
    record->quantity = mbo->size;
    const bool priced = record->kind == FLOW_NEW || record->kind == FLOW_MODIFY;
    if (priced && mbo->price == DBN_UNDEFINED) {
        record->kind = FLOW_SKIP;
    }
    if (record->kind == FLOW_NEW && mbo->side == 'N') {
        record->kind = FLOW_SKIP;
    }
}

static bool dbn_read_mbo(flow_reader_t *reader, const byte_view_t *view, size_t size,
                         flow_record_t *record)
{
    dbn_mbo_t mbo;
    if (size != sizeof mbo) {
        return flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                         "an MBO record is %zu bytes long, this one says %zu", sizeof mbo, size);
    }
    memcpy(&mbo, view->bytes, sizeof mbo);
    if (!dbn_mbo_check(reader, &mbo)) {
        return false;
    }
    dbn_mbo_fill(&mbo, record);
    reader->u.dbn.has_mbo = true;
    return true;
}

/* A file of mixed schema may turn out to hold nothing of what is looked for. */
static flow_status_t dbn_end(flow_reader_t *reader)
{
    if (reader->record > 0 && !reader->u.dbn.has_mbo) {
        flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                  "MBO records (rtype 0xA0) expected, but none of the %llu records is one",
                  (unsigned long long)reader->record);
        return FLOW_FAILED;
    }
    return FLOW_END;
}

static flow_status_t dbn_next(flow_reader_t *reader, flow_record_t *record)
{
    byte_view_t view;
    if (!flow_peek(reader, 1, &view)) {
        return FLOW_FAILED;
    }
    if (view.size == 0) {
        return dbn_end(reader);
    }
    const size_t size = (size_t)view.bytes[0] * 4;
    if (size < sizeof(dbn_record_header_t)) {
        flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                  "record %llu: a record is at least %zu bytes long, this one says %zu",
                  (unsigned long long)reader->record, sizeof(dbn_record_header_t), size);
        return FLOW_FAILED;
    }
    if (!flow_need(reader, size, &view, "a record")) {
        return FLOW_FAILED;
    }
    if (view.bytes[1] == DBN_RTYPE_MBO && !dbn_read_mbo(reader, &view, size, record)) {
        return FLOW_FAILED;
    }
    byte_source_advance(reader->source, size);
    return FLOW_RECORD;
}

static const char *dbn_schema_name(uint16_t schema)
{
    static const char *const names[] = {"mbo",      "mbp-1",      "mbp-10",     "tbbo",
                                        "trades",   "ohlcv-1s",   "ohlcv-1m",   "ohlcv-1h",
                                        "ohlcv-1d", "definition", "statistics", "status"};
    return schema < sizeof names / sizeof names[0] ? names[schema] : "another";
}

/* The metadata may be longer than what can be looked at in one piece. */
static bool dbn_skip_metadata(flow_reader_t *reader, uint32_t length)
{
    for (size_t left = length; left > 0;) {
        byte_view_t view;
        if (!flow_peek(reader, 1, &view)) {
            return false;
        }
        if (view.size == 0) {
            return flow_fail(reader, OC_ERR_TRUNCATED, flow_offset(reader),
                             "the metadata is %u bytes long, but the file ends %zu bytes short",
                             length, left);
        }
        const size_t step = view.size < left ? view.size : left;
        byte_source_advance(reader->source, step);
        left -= step;
    }
    return true;
}

static bool dbn_check_schema(flow_reader_t *reader, uint32_t length)
{
    byte_view_t view;
    if (length < DBN_SCHEMA_OFFSET + sizeof(uint16_t)) {
        return flow_fail(reader, OC_ERR_FORMAT, 4,
                         "the metadata is %u bytes long, too short to name a schema", length);
    }
    if (!flow_need(reader, DBN_SCHEMA_OFFSET + sizeof(uint16_t), &view, "the metadata's start")) {
        return false;
    }
    const uint16_t schema = load_le16(view.bytes + DBN_SCHEMA_OFFSET);
    if (schema != DBN_SCHEMA_MBO && schema != DBN_SCHEMA_MIXED) {
        return flow_fail(reader, OC_ERR_FORMAT, DBN_PREFIX_SIZE + DBN_SCHEMA_OFFSET,
                         "schema mbo (0) expected, the file holds %s (%u)", dbn_schema_name(schema),
                         schema);
    }
    return true;
}

static bool dbn_open(flow_reader_t *reader)
{
    byte_view_t view;
    if (!flow_need(reader, DBN_PREFIX_SIZE, &view, "the start of a DBN file")) {
        return false;
    }
    const unsigned version = view.bytes[3];
    const uint32_t length = load_le32(view.bytes + 4);
    if (memcmp(view.bytes, "DBN", 3) != 0) {
        return flow_fail(reader, OC_ERR_FORMAT, 0, "a DBN file begins with \"DBN\", this does not");
    }
    if (version < 1 || version > DBN_VERSION_MAX) {
        return flow_fail(reader, OC_ERR_FORMAT, 3, "DBN version %u is not known, 1 to %d are",
                         version, DBN_VERSION_MAX);
    }
    byte_source_advance(reader->source, DBN_PREFIX_SIZE);
    return dbn_check_schema(reader, length) && dbn_skip_metadata(reader, length);
}

static bool dbn_sniff(const uint8_t *bytes, size_t size)
{
    return size >= 3 && memcmp(bytes, "DBN", 3) == 0;
}

const flow_format_ops_t dbn_reader_ops = {
    .format = FLOW_FORMAT_DBN,
    .name = "dbn",
    .title = "dbn (Databento, MBO)",
    .sniff = dbn_sniff,
    .open = dbn_open,
    .next = dbn_next,
};
