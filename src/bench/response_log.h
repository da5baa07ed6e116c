/*
 * A file of every output that a load was given, as it came, for a proof to hold against a replay
 * of the venue's log. Format (docs/load.md): a header of 32 bytes, then oc_output_t after
 * oc_output_t, each naming its source.
 *
 * Threads: one at a time for each file.
 */
#ifndef BENCH_RESPONSE_LOG_H
#define BENCH_RESPONSE_LOG_H

#include "outcry/order_entry.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct response_log {
    FILE *file;       /* owned */
    const char *path; /* borrowed until response_log_close() */
} response_log_t;

/* Begins a new file, or one over an old one. The caller owns what is in *self:
 * response_log_close(). OC_ERR_WRITE, OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t response_log_create(response_log_t *self, const char *path);

/* Appends one output (copied). A failure is told by response_log_close(). */
void response_log_append(response_log_t *self, const oc_output_t *output);

/* Opens a file to read. OC_ERR_OPEN, OC_ERR_FORMAT. Then as response_log_create(). */
OC_MUST_CHECK oc_err_t response_log_open(response_log_t *self, const char *path);

/* The next output; *more is false at the end. OC_ERR_READ, OC_ERR_TRUNCATED. */
OC_MUST_CHECK oc_err_t response_log_next(response_log_t *self, oc_output_t *output, bool *more);

/* Closes; OC_ERR_WRITE if anything did not get to the file. A zeroed struct is allowed. */
OC_MUST_CHECK oc_err_t response_log_close(response_log_t *self);

#endif
