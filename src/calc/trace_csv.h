/*
 * A recorded burst: when each message arrived and how long it is, read from CSV.
 *
 *     # comment
 *     offset_ns,size
 *     0,170
 *     850,170
 *
 * Lines that begin with `#`, and empty ones, are passed over; the line with the names may be there
 * before the first message. Offsets are nanoseconds from wherever the recording begins, 0 to
 * 2^63-1, and never less than the one before; sizes are bytes of the message without any header, 1
 * to 65535. Lines end with a line feed, with or without a carriage return before it.
 */
#ifndef CALC_TRACE_CSV_H
#define CALC_TRACE_CSV_H

#include "outcry/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRACE_SIZE_MAX 65535

typedef struct trace_message {
    uint64_t offset_ns;
    uint32_t size;
} trace_message_t;

/* Empty as {0}; owns its messages. */
typedef struct trace {
    trace_message_t *messages;
    size_t count;
} trace_t;

/*
 * Reads a whole file. At least one message is there after success: the caller ends with
 * trace_fini(). OC_ERR_OPEN, OC_ERR_READ, OC_ERR_FORMAT (the context names file, line and what was
 * expected), OC_ERR_NO_MEMORY: *trace is empty.
 */
OC_MUST_CHECK oc_err_t trace_csv_load(trace_t *trace, const char *path);

/* The same from a stream, which stays the caller's; `name` is for messages. */
OC_MUST_CHECK oc_err_t trace_csv_read(trace_t *trace, FILE *in, const char *name);

/* Frees; *trace is empty then, and may be so before. */
void trace_fini(trace_t *trace);

#endif
