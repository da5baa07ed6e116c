/*
 * A file of every output that a load was given, as it came, for a proof to hold against a replay
 * of the venue's log. Format (docs/load.md): a header of 32 bytes, then record after record. A
 * source's first record is its beginning: it says which outputs the load was promised, so that one
 * who was told nothing at all shows too.
 *
 * Threads: one at a time for each file.
 */
#ifndef BENCH_RESPONSE_LOG_H
#define BENCH_RESPONSE_LOG_H

#include "outcry/order_entry.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum response_kind {
    RESPONSE_BEGINNING = 1, /* a source logged on for the first time: output.event.source, and
                               output.outbound_sequence, the last one that is not of this load */
    RESPONSE_OUTPUT = 2,
} response_kind_t;

/* As it is in the file. */
typedef struct response_record {
    uint32_t kind; /* response_kind_t */
    uint32_t reserved;
    oc_output_t output; /* BEGINNING: zero but for the two fields */
} response_record_t;

typedef struct response_log {
    FILE *file;       /* owned */
    const char *path; /* borrowed until response_log_close() */
} response_log_t;

/* Begins a new file, or one over an old one. The caller owns what is in *self:
 * response_log_close(). OC_ERR_WRITE, OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t response_log_create(response_log_t *self, const char *path);

/* Appends a source's beginning: its outputs from `last` + 1 on are to follow. A failure is told by
 * response_log_close(). */
void response_log_begin(response_log_t *self, oc_source_id_t source, uint64_t last);

/* Appends one output (copied). A failure is told by response_log_close(). */
void response_log_append(response_log_t *self, const oc_output_t *output);

/* Opens a file to read. OC_ERR_OPEN, OC_ERR_FORMAT. Then as response_log_create(). */
OC_MUST_CHECK oc_err_t response_log_open(response_log_t *self, const char *path);

/* The next record; *more is false at the end. OC_ERR_READ, OC_ERR_TRUNCATED; OC_ERR_FORMAT: a
 * record of no known kind. */
OC_MUST_CHECK oc_err_t response_log_next(response_log_t *self, response_record_t *record,
                                         bool *more);

/* Closes; OC_ERR_WRITE if anything did not get to the file. A zeroed struct is allowed. */
OC_MUST_CHECK oc_err_t response_log_close(response_log_t *self);

#endif
