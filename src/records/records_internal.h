/*
 * What the import and its framing share.
 */
#ifndef RECORDS_RECORDS_INTERNAL_H
#define RECORDS_RECORDS_INTERNAL_H

#include "records/records.h"

/* Whether the End has been taken: no record comes any more. */
bool records_import_ended(const records_import_t *self);

/* Of a framed stream: a header {magic, version, crc32c of what is before it}, then frames
 * {length, crc32c of length and record} and the record. */
typedef struct record_file_header {
    char magic[8];
    uint32_t version;
    uint32_t crc;
} record_file_header_t;

typedef struct record_file_frame {
    uint32_t length;
    uint32_t crc;
} record_file_frame_t;

#define RECORD_FILE_MAGIC   "OCRECORD"
#define RECORD_FILE_VERSION UINT32_C(1)

_Static_assert(sizeof(record_file_header_t) == 16, "no padding");
_Static_assert(offsetof(record_file_header_t, version) == 8, "no padding");
_Static_assert(offsetof(record_file_header_t, crc) == 12, "no padding");
_Static_assert(sizeof(record_file_frame_t) == 8, "no padding");

#endif
