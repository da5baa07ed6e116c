/*
 * Real order flow read from files, record by record, whatever the format.
 *
 * A record says what the file says; it knows no book. Where the meaning depends on the book (an
 * execution of a resting order, a replace that inherits its side), replay resolves it with the
 * engine. Doorway of this folder: flow_reader_open(), flow_reader_next().
 *
 * Files compressed with xz, zstd or gzip are recognised by their magic number and read as a stream.
 * Formats with a count or an end record (tape, own) notice a file that is cut short anywhere; the
 * others notice it inside a record only, and inside compressed data always.
 */
#ifndef INPUT_FLOW_READER_H
#define INPUT_FLOW_READER_H

#include "outcry/engine.h"

typedef enum flow_format {
    FLOW_FORMAT_AUTO,    /* by content */
    FLOW_FORMAT_TAPE,    /* matching-engine-benchmark, 40-byte records */
    FLOW_FORMAT_LOBSTER, /* LOBSTER message CSV */
    FLOW_FORMAT_DBN,     /* Databento DBN 1, 2, 3 with MBO records */
    FLOW_FORMAT_ITCH,    /* ITCH 5.0, 2-byte big-endian length before each message */
    FLOW_FORMAT_OWN,     /* docs/formats/tape.md: a recorded stream of commands */
} flow_format_t;

typedef enum flow_kind {
    FLOW_SKIP,    /* nothing for the book; counted */
    FLOW_NEW,     /* order_id, side, price_raw, quantity, time_in_force */
    FLOW_CANCEL,  /* order_id */
    FLOW_REDUCE,  /* order_id, quantity: so much of it is cancelled; gone when nothing is left */
    FLOW_MODIFY,  /* order_id, price_raw, quantity: the new open quantity */
    FLOW_EXECUTE, /* order_id, quantity: a resting order was executed by so much */
    FLOW_REPLACE, /* order_id goes, new_order_id comes on its side: price_raw, quantity */
    FLOW_CLEAR,   /* every order of the instrument goes */
    FLOW_COMMAND, /* command, whole */
} flow_kind_t;

typedef struct flow_record {
    flow_kind_t kind;
    oc_side_t side;
    oc_time_in_force_t time_in_force;
    bool last_in_event; /* the book is consistent after this record; only DBN has others */
    uint64_t record;    /* number in the file, from 0, every record counted */
    uint64_t sequence;  /* for reports: the tape's own number, elsewhere `record` */
    int64_t time_ns;    /* as the file gives it (LOBSTER, ITCH: since midnight); 0 if it has none */
    uint32_t instrument; /* the file's own number; 0 if it has none */
    uint64_t order_id;
    uint64_t new_order_id;
    int64_t price_raw; /* in the file's units */
    int64_t quantity;
    oc_command_t command;
} flow_record_t;

typedef enum flow_status { FLOW_RECORD, FLOW_END, FLOW_FAILED } flow_status_t;

typedef struct flow_reader flow_reader_t;

/*
 * Opens a file and decides its format. On an error *reader is NULL and oc_err_context() is the line
 * to show: file, offset, what was expected. The caller owns the reader: flow_reader_close().
 */
OC_MUST_CHECK oc_err_t flow_reader_open(flow_reader_t **reader, const char *path,
                                        flow_format_t format);

/* The same from memory; `bytes` is borrowed for the reader's life. `name` is used in messages. */
OC_MUST_CHECK oc_err_t flow_reader_open_memory(flow_reader_t **reader, const char *name,
                                               const void *bytes, size_t size,
                                               flow_format_t format);

/*
 * Reads the next record; fields that its kind does not name are zero or what the file has there.
 * FLOW_FAILED: oc_err_context() is the line to show, and every further call fails alike; records
 * before the damage have been given. A clean end of file is FLOW_END, again and again. `record` is
 * overwritten whatever is returned.
 */
flow_status_t flow_reader_next(flow_reader_t *reader, flow_record_t *record);

/* The format found or asked for; never FLOW_FORMAT_AUTO. */
flow_format_t flow_reader_format(const flow_reader_t *reader);

/* The configuration that a FLOW_FORMAT_OWN file was recorded under; NULL for other formats.
 * Borrowed. */
const oc_engine_config_t *flow_reader_config(const flow_reader_t *reader);

/* How far the file is read, 0 to 1, by compressed bytes; 0 for a pipe, whose size is not known. */
double flow_reader_progress(const flow_reader_t *reader);

/* Closes and frees; NULL is allowed. */
void flow_reader_close(flow_reader_t *reader);

/* "tape", "lobster", "dbn", "itch", "own" or "auto"; static. */
const char *flow_format_name(flow_format_t format);

#endif
