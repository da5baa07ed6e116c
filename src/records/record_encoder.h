/*
 * Structs -> records of schema/records.xml, one record per call. Which records there are, in what
 * order, is records_export.c's.
 */
#ifndef RECORDS_RECORD_ENCODER_H
#define RECORDS_RECORD_ENCODER_H

#include "records/records.h"

/* Template ids. */
typedef enum record_kind {
    RECORD_NONE = 0,
    RECORD_BEGIN = 1,
    RECORD_CONFIGURATION = 2,
    RECORD_INSTRUMENTS = 3,
    RECORD_SOURCE_HWM = 4,
    RECORD_SESSIONS = 5,
    RECORD_MARK = 6,
    RECORD_ORDERS = 7,
    RECORD_TRIGGERS = 8,
    RECORD_PENDING = 9,
    RECORD_END = 10,
} record_kind_t;

enum {
    RECORD_SCHEMA_ID = 512,
    RECORD_SCHEMA_VERSION = 1,
    RECORD_FORMAT_VERSION = 1,
    RECORD_ORDER_BYTES = 64, /* of an entry of Orders */
    RECORD_LIST_BYTES = 24,  /* before a list's entries: header, ordinal, group size */
    RECORD_CONFIGURATION_MAX = 4096,
};

/* Begin, without its ordinal. */
typedef struct record_begin {
    records_place_t place;
    int64_t service_time_ns;
    engine_totals_t totals;
    uint32_t format_version;
    uint32_t record_bytes;
    uint32_t rules_version;
} record_begin_t;

/* Entries of each list. */
typedef struct record_counts {
    uint64_t instruments;
    uint64_t sources;
    uint64_t sessions;
    uint64_t marks;
    uint64_t orders;
    uint64_t triggers;
    uint64_t pending;
} record_counts_t;

typedef struct record_end {
    record_counts_t counts;
    uint64_t engine_hash;
    uint64_t state_hash;
    uint32_t checksum;
} record_end_t;

/* A part of the configuration. */
typedef struct record_part {
    uint32_t total;
    uint32_t offset;
    const void *bytes; /* borrowed */
    size_t length;
} record_part_t;

/* Where a record goes to. Everything that is written lies inside. */
typedef struct record_room {
    uint8_t *bytes;
    size_t length;
    uint64_t ordinal; /* of the record */
} record_room_t;

/* "Begin" and so on; "unknown" for a number that is none. Static. */
const char *record_kind_name(unsigned kind);

/* Most entries of a list in a record of `record_bytes`; most bytes of a part of the
 * configuration. */
size_t record_list_capacity(record_kind_t kind, size_t record_bytes);
size_t record_part_capacity(size_t record_bytes);

/* Each returns the record's length. */
size_t record_encode_begin(const record_room_t *room, const record_begin_t *begin);
size_t record_encode_part(const record_room_t *room, const record_part_t *part);
size_t record_encode_end(const record_room_t *room, const record_end_t *end);

/*
 * A record of a list: INSTRUMENTS and MARK from oc_instrument_view_t (of MARK every one has a mark
 * price), SOURCE_HWM from records_source_t, SESSIONS from records_session_t, PENDING from
 * hash_pending_t. `count` is 1..record_list_capacity().
 */
size_t record_encode_list(const record_room_t *room, record_kind_t kind, const void *items,
                          uint32_t count);
/* Bytes of one of these items. */
size_t record_item_bytes(record_kind_t kind);

/* The first RECORD_LIST_BYTES of an Orders record of `count` entries; returns the length of the
 * whole record. */
size_t record_encode_orders_head(const record_room_t *room, uint32_t count);

/*
 * Stores entries of Orders: orders[i] at at[i], each 64-byte aligned. The stores may pass the
 * caches by: record_stores_done() before another thread, or anybody else, reads them.
 */
void record_store_orders(const engine_order_t *orders, uint8_t *const *at, size_t count);
void record_stores_done(void);

#endif
