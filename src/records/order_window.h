/*
 * The Orders records of a stream: encoded window by window, by several threads, each order straight
 * to where it belongs. Records lie in slots of equal size; the place of an order in the stream
 * gives record and line.
 *
 * Threads: one owner; encoding uses its team's.
 */
#ifndef RECORDS_ORDER_WINDOW_H
#define RECORDS_ORDER_WINDOW_H

#include "records/encode_team.h"
#include "records/record_encoder.h"

typedef struct order_window {
    encode_team_t *team; /* owned */
    unsigned threads;
    uint8_t *memory; /* owned */
    size_t mapped;
    size_t record_bytes; /* of one record at most */
    size_t slot_bytes;
    uint64_t slots;
    uint32_t per_record; /* orders */
    uint64_t reciprocal; /* of per_record, for places below 2^32 */
    uint64_t first;      /* record in slot 0, from 0 among Orders records */
    uint64_t filled;     /* orders encoded so far, from the stream's first on */
} order_window_t;

/* Takes what records_export_create() says. OC_ERR_NO_MEMORY. Undo: order_window_fini(). */
OC_MUST_CHECK oc_err_t order_window_init(order_window_t *self,
                                         const records_export_config_t *config);
void order_window_fini(order_window_t *self);

/* Where records other than Orders are made: record_bytes of room, 8-byte aligned; only outside of
 * order_window_write(). Borrowed. */
uint8_t *order_window_scratch(order_window_t *self);

/* Takes a finished record of the window: its bytes are whole but for its ordinal, which is in it
 * already. Borrowed. */
typedef oc_err_t (*order_window_sink_t)(void *context, const uint8_t *bytes, size_t length);

/* What order_window_write() writes. */
typedef struct order_window_job {
    const oc_engine_t *engine;
    const engine_order_run_t *runs; /* in order, without gaps from place 0 */
    size_t run_count;
    uint64_t ordinal; /* of the first Orders record */
    order_window_sink_t sink;
    void *context;
} order_window_job_t;

/* All Orders records, in order; *records of them. Errors: the sink's; OC_ERR_DAMAGED when what the
 * walks give is not what the runs say. */
OC_MUST_CHECK oc_err_t order_window_write(order_window_t *self, const order_window_job_t *job,
                                          uint64_t *records);

#endif
