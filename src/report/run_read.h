/*
 * Run files read: bytes of unknown origin into a tree of JSON that is known to be a run.
 */
#ifndef REPORT_RUN_READ_H
#define REPORT_RUN_READ_H

#include "outcry/error.h"

#include <jansson.h>
#include <stddef.h>

#define RUN_READ_BYTES_MAX ((size_t)64 << 20)

/*
 * Reads the file. On success the caller owns *run: json_decref().
 *
 * Errors, each with the file's name as context: OC_ERR_OPEN, OC_ERR_READ, OC_ERR_TOO_LONG (above
 * RUN_READ_BYTES_MAX), OC_ERR_NO_MEMORY, OC_ERR_FORMAT (no JSON, cut off, no run file, another
 * version, a member missing or of another type: which one and where).
 */
OC_MUST_CHECK oc_err_t run_read(const char *path, json_t **run);

/* The same of bytes (borrowed); `name` is for messages. */
OC_MUST_CHECK oc_err_t run_read_bytes(const char *bytes, size_t size, const char *name,
                                      json_t **run);

#endif
