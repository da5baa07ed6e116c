/*
 * Compresses small inputs in memory, so that no test needs a compressed file.
 */
#ifndef LIB_COMPRESS_H
#define LIB_COMPRESS_H

#include <stddef.h>
#include <stdint.h>

typedef enum compress_kind { COMPRESS_XZ, COMPRESS_ZSTD, COMPRESS_GZIP } compress_kind_t;
#define COMPRESS_KIND_COUNT 3

/* One complete member; returns its size. The test fails if `capacity` is too small. */
size_t compress_bytes(compress_kind_t kind, const void *bytes, size_t size, uint8_t *out,
                      size_t capacity);

#endif
