/*
 * Compresses small inputs in memory with the libraries' own encoders. Called by tests; must produce
 * checksummed members, so that damage can be noticed.
 */
#include "lib/compress.h"

#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/assert.h"

static size_t compress_gzip(const void *bytes, size_t size, uint8_t *out, size_t capacity)
{
    z_stream stream = {0};
    OC_ASSERT(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    memcpy(&stream.next_in, &bytes, sizeof bytes);
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)capacity;
    OC_ASSERT(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&stream);
    return capacity - stream.avail_out;
}

static size_t compress_zstd(const void *bytes, size_t size, uint8_t *out, size_t capacity)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    OC_ASSERT(context != NULL);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    const size_t made = ZSTD_compress2(context, out, capacity, bytes, size);
    OC_ASSERT(!ZSTD_isError(made));
    ZSTD_freeCCtx(context);
    return made;
}

size_t compress_bytes(compress_kind_t kind, const void *bytes, size_t size, uint8_t *out,
                      size_t capacity)
{
    size_t made = 0;
    switch (kind) {
    case COMPRESS_XZ:
        OC_ASSERT(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, bytes, size, out, &made,
                                          capacity) == LZMA_OK);
        return made;
    case COMPRESS_ZSTD:
        return compress_zstd(bytes, size, out, capacity);
    case COMPRESS_GZIP:
        return compress_gzip(bytes, size, out, capacity);
    }
    OC_ASSERT(0);
    return 0;
}
