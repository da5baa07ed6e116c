/*
 * The bytes of a file or of memory, decompressed, as one window that moves forward.
 *
 * A reader asks for so many contiguous bytes, looks at them in place and advances past what it has
 * used: nothing is copied but the few bytes that straddle two fills. xz, zstd and gzip are
 * recognised by their magic number; anything else is taken as it is.
 */
#ifndef INPUT_BYTE_SOURCE_H
#define INPUT_BYTE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The most that may be asked for at once. */
#define BYTE_SOURCE_PEEK_MAX ((size_t)1 << 16)

/* Where compressed bytes come from; a test passes one that fails where it likes. */
typedef struct byte_input {
    void *context;
    uint64_t size; /* of the whole, for progress; 0: not known */
    /* Up to `capacity` bytes, 0 at the end, -1 on an error, which is then in errno. */
    int64_t (*read)(void *context, void *buffer, size_t capacity);
    void (*close)(void *context);
} byte_input_t;

/* Borrowed from the source until its next call. */
typedef struct byte_view {
    const uint8_t *bytes;
    size_t size;
} byte_view_t;

typedef struct byte_source byte_source_t;

/* Opens a file. On an error *source is NULL and the context line names the file. */
OC_MUST_CHECK oc_err_t byte_source_open(byte_source_t **source, const char *path);

/* `bytes` is borrowed for the source's life; `name` is copied, for messages. */
OC_MUST_CHECK oc_err_t byte_source_open_memory(byte_source_t **source, const char *name,
                                               const void *bytes, size_t size);

/* Takes the input: it is closed with the source, or at once if opening fails. */
OC_MUST_CHECK oc_err_t byte_source_open_input(byte_source_t **source, const char *name,
                                              const byte_input_t *input);

/*
 * Shows what comes next: at least `wanted` bytes (at most BYTE_SOURCE_PEEK_MAX), fewer only when
 * the end is that near, none at the end. OC_ERR_READ, OC_ERR_FORMAT (corrupt), OC_ERR_TRUNCATED
 * (compressed data stops short) and OC_ERR_NO_MEMORY carry a context line with file and offset.
 * Bytes before the trouble are shown first; after it every call that needs more fails alike.
 */
OC_MUST_CHECK oc_err_t byte_source_peek(byte_source_t *source, size_t wanted, byte_view_t *view);

/* Goes past `count` bytes, which must have been shown by the last peek. */
void byte_source_advance(byte_source_t *source, size_t count);

/* Position of the next byte in the decompressed stream. */
uint64_t byte_source_offset(const byte_source_t *source);

/* Compressed bytes used so far, and how many there are (0: not known). */
uint64_t byte_source_raw_offset(const byte_source_t *source);
uint64_t byte_source_raw_size(const byte_source_t *source);

/* The name for messages: the end of it if it is very long. Lives as long as the source. */
const char *byte_source_name(const byte_source_t *source);

/* Closes and frees; NULL is allowed. */
void byte_source_close(byte_source_t *source);

#endif
