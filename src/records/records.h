/*
 * The record stream: an exchange's state in a form that depends neither on table sizes nor on the
 * build, message by message (schema/records.xml, docs/formats/record-stream.md).
 *
 *     Begin, Configuration, Instruments..., SourceHwm..., Sessions..., Mark..., Orders...,
 *     Triggers..., Pending..., End
 *
 * Equal states at the same place, under the same configuration and with equal record sizes give
 * equal bytes, whatever engine holds the state and however many threads encode it.
 *
 * Threads: an export reads only; it uses threads of its own. An import is the engine's owner's.
 */
#ifndef RECORDS_RECORDS_H
#define RECORDS_RECORDS_H

#include "engine/engine_records.h"
#include "outcry/order_entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Smallest and largest size of one record that can be asked for. */
#define RECORDS_SIZE_MIN     512
#define RECORDS_SIZE_MAX     (16 * 1024 * 1024)
#define RECORDS_SIZE_DEFAULT 65504

/* Threads of an export at most. */
#define RECORDS_THREADS_MAX 64

/* Takes one record. What it cannot take now it waits for (see aeron/record_publisher.h); an error
 * ends the export. `bytes` are 8-byte aligned, borrowed for the call. */
typedef oc_err_t (*records_sink_t)(void *context, const void *bytes, size_t length);

/* Where the state stands in its log, and what it was made under. */
typedef struct records_place {
    uint64_t position;
    uint64_t entries;
    uint64_t state_hash; /* of the whole service */
    int64_t time_ns;
    uint32_t term;
} records_place_t;

typedef struct records_source {
    oc_source_view_t view; /* `orders` is not part of the stream */
    uint64_t outbound_sequence;
    oc_principal_t principal; /* empty: nobody may log on */
} records_source_t;

typedef struct records_session {
    oc_session_id_t id;
    oc_source_id_t source; /* logged on to; 0: none */
    oc_principal_t principal;
} records_session_t;

/* A state to be written: the engine, and what a service knows beside it. All borrowed. */
typedef struct records_state {
    const oc_engine_t *engine;
    records_place_t place;
    const void *configuration; /* bytes as the log begins with; at most 4 KiB */
    size_t configuration_length;
    int64_t service_time_ns;         /* the service's own clock, never falling */
    const records_source_t *sources; /* all of the engine's, ascending */
    size_t source_count;
    const records_session_t *sessions; /* ascending */
    size_t session_count;
} records_state_t;

typedef struct records_export_config {
    size_t record_bytes; /* of one record at most, RECORDS_SIZE_MIN..RECORDS_SIZE_MAX */
    unsigned threads;    /* that encode orders, 1..RECORDS_THREADS_MAX */
    size_t window_bytes; /* encoded before the sink gets any of it; 0: 16 MiB. Faulted in by
                            records_export_create() */
} records_export_config_t;

typedef struct records_export records_export_t;

/* OC_ERR_INVALID_CONFIG, OC_ERR_NO_MEMORY. The caller owns *self: records_export_destroy(). Can be
 * used again and again. */
OC_MUST_CHECK oc_err_t records_export_create(records_export_t **self,
                                             const records_export_config_t *config);
void records_export_destroy(records_export_t *self);

/* Writes the whole stream of a state. Errors: the sink's, OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t records_export(records_export_t *self, const records_state_t *state,
                                      records_sink_t sink, void *context);

/* ---- Import ---- */

/* What the service is told beside what goes into the engine; each may return an error, which ends
 * the import. Borrowed for the import's life. */
typedef struct records_receiver {
    void *context;
    /* Before all others. Whether this configuration can take the state is the service's to say. */
    oc_err_t (*begin)(void *context, const records_place_t *place, const void *configuration,
                      size_t length, int64_t service_time_ns);
    oc_err_t (*source)(void *context, const records_source_t *source);
    oc_err_t (*session)(void *context, const records_session_t *session);
    /* Behind all others, the engine is loaded: the hash of the whole service now, to be held
     * against the stream's. */
    uint64_t (*state_hash)(void *context);
} records_receiver_t;

typedef struct records_import records_import_t;

/* Into `engine`, which is emptied by the first record. OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t records_import_create(records_import_t **self, oc_engine_t *engine,
                                             const records_receiver_t *receiver);
void records_import_destroy(records_import_t *self);

/* Takes the next record. OC_ERR_FORMAT (no record of this schema, or of a newer version),
 * OC_ERR_DAMAGED (missing, doubled, out of order, or it cannot be), OC_ERR_INVALID_CONFIG (a table
 * is too small): place in the stream, value and way out are told. */
OC_MUST_CHECK oc_err_t records_import_take(records_import_t *self, const void *bytes,
                                           size_t length);

/* After the last record: OC_ERR_TRUNCATED without an End; OC_ERR_DAMAGED when counts or hash
 * differ. Only after OC_ERR_OK is the engine of use. Once for an import. */
OC_MUST_CHECK oc_err_t records_import_end(records_import_t *self);

/* ---- Records in a file or another stream of bytes (record_file.c) ---- */

/* A sink that frames records ({length, crc32c}, behind a file header) and gives the bytes on. */
typedef struct record_framer {
    oc_err_t (*write)(void *context, const void *bytes, size_t length);
    void *context;
    bool begun;
} record_framer_t;

OC_MUST_CHECK oc_err_t record_framer_take(void *framer, const void *bytes, size_t length);

/* Reads framed records from `read` (exactly `length` bytes or an error) and imports them, up to the
 * End; then does records_import_end() itself. What is behind the End is not read. */
OC_MUST_CHECK oc_err_t records_import_framed(records_import_t *self,
                                             oc_err_t (*read)(void *context, void *bytes,
                                                              size_t length),
                                             void *context);

#endif
