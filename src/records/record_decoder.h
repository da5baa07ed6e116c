/*
 * Records -> structs: what record_encoder.h wrote, or a newer version of it. A frame is opened
 * first; everything read after that lies inside the record. How records follow each other is
 * records_import.c's to know.
 *
 * Every function that can fail sets the error context to what is wrong with the record, without
 * saying which record it is.
 */
#ifndef RECORDS_RECORD_DECODER_H
#define RECORDS_RECORD_DECODER_H

#include "codec/frame.h"
#include "records/record_encoder.h"

/* A record in its bytes, which are borrowed. */
typedef struct record_frame {
    frame_t frame;
    record_kind_t kind;
    uint64_t ordinal;
    const char *entries;  /* of a list: the first one... */
    uint32_t entry_bytes; /* ...at least those of version 1 each */
    uint32_t count;       /* 1 or more */
} record_frame_t;

/* OC_ERR_FORMAT: no record of this schema, or a message that this build does not know.
 * OC_ERR_DAMAGED: cut, or too long, or lengths that cannot be. */
OC_MUST_CHECK oc_err_t record_open(record_frame_t *self, const void *bytes, size_t length);

/* Each for a frame of its kind. OC_ERR_FORMAT: a value that this build does not know.
 * OC_ERR_DAMAGED: one that cannot be. */
OC_MUST_CHECK oc_err_t record_decode_begin(const record_frame_t *self, record_begin_t *begin);
OC_MUST_CHECK oc_err_t record_decode_part(const record_frame_t *self, record_part_t *part);
void record_decode_end(const record_frame_t *self, record_end_t *end);

/* Entry `at` of a list. A mark's price goes to `view`, which else gets its id only. */
OC_MUST_CHECK oc_err_t record_decode_instrument(const record_frame_t *self, uint32_t at,
                                                oc_instrument_view_t *view);
OC_MUST_CHECK oc_err_t record_decode_source(const record_frame_t *self, uint32_t at,
                                            records_source_t *source);
OC_MUST_CHECK oc_err_t record_decode_session(const record_frame_t *self, uint32_t at,
                                             records_session_t *session);
void record_decode_mark(const record_frame_t *self, uint32_t at, oc_instrument_view_t *view);
OC_MUST_CHECK oc_err_t record_decode_order(const record_frame_t *self, uint32_t at,
                                           engine_order_t *order);
void record_decode_pending(const record_frame_t *self, uint32_t at, hash_pending_t *work);

/* How many of its bytes the stream's checksum covers: all, but of Orders only up to the first
 * entry. */
size_t record_checked_bytes(const record_frame_t *self);

#endif
