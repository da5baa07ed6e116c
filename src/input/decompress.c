/*
 * The three codecs: liblzma, libzstd and zlib made alike.
 *
 * Called by byte_source. Invariants: a stream that stops short is never taken for one that ends; a
 * call either makes progress or says why it cannot, so that the caller's loop ends. Memory is
 * bounded whatever the stream asks for. Must not read or write files.
 */
#include "input/decompress.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* `xz -9` needs 65 MiB, zstd's default limit is a window of 128 MiB; more is an attack. */
#define MEMORY_MAX (UINT64_C(192) << 20)

static bool begins_with(const uint8_t *bytes, size_t size, const void *magic, size_t magic_size)
{
    return size >= magic_size && memcmp(bytes, magic, magic_size) == 0;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool xz_matches(const uint8_t *bytes, size_t size)
{
    return begins_with(bytes, size,
                       "\xfd"
                       "7zXZ",
                       6);
}

static void *xz_create(void)
{
    lzma_stream *stream = malloc(sizeof *stream);
    if (stream == NULL) {
        return NULL;
    }
    *stream = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_stream_decoder(stream, MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

static const char *xz_why(lzma_ret ret)
{
    switch (ret) {
    case LZMA_MEM_ERROR:
        return "out of memory";
    case LZMA_MEMLIMIT_ERROR:
        return "it needs more than 192 MiB of memory";
    case LZMA_FORMAT_ERROR:
        return "something else follows the xz stream";
    case LZMA_OPTIONS_ERROR:
        return "it uses options that liblzma does not know";
    default:
        return "corrupt data";
    }
}

static decompress_status_t xz_run(void *state, decompress_io_t *io)
{
    lzma_stream *stream = state;
    stream->next_in = io->in;
    stream->avail_in = io->in_size;
    stream->next_out = io->out;
    stream->avail_out = io->out_size;
    const lzma_ret ret = lzma_code(stream, io->in_is_last ? LZMA_FINISH : LZMA_RUN);
    const bool progress = stream->avail_in != io->in_size || stream->avail_out != io->out_size;
    io->in = stream->next_in;
    io->in_size = stream->avail_in;
    io->out = stream->next_out;
    io->out_size = stream->avail_out;
    if (ret == LZMA_STREAM_END) {
        return DECOMPRESS_END;
    }
    if (ret == LZMA_OK && progress) {
        return DECOMPRESS_MORE;
    }
    /* Once without progress is LZMA_OK, twice is LZMA_BUF_ERROR: no input is left either way. */
    if (ret == LZMA_OK || ret == LZMA_BUF_ERROR) {
        return DECOMPRESS_TRUNCATED;
    }
    io->why = xz_why(ret);
    return DECOMPRESS_DAMAGED;
}

static void xz_destroy(void *state)
{
    lzma_end(state);
    free(state);
}

typedef struct zstd_state {
    ZSTD_DStream *stream;
    bool in_frame; /* a frame has begun and not ended */
} zstd_state_t;

static bool zstd_matches(const uint8_t *bytes, size_t size)
{
    const bool skippable =
        size >= 4 && (bytes[0] & 0xf0) == 0x50 && memcmp(bytes + 1, "\x2a\x4d\x18", 3) == 0;
    return skippable || begins_with(bytes, size, "\x28\xb5\x2f\xfd", 4);
}

static void *zstd_create(void)
{
    zstd_state_t *zstd = malloc(sizeof *zstd);
    if (zstd == NULL) {
        return NULL;
    }
    *zstd = (zstd_state_t){.stream = ZSTD_createDStream()};
    if (zstd->stream == NULL) {
        free(zstd);
        return NULL;
    }
    return zstd;
}

static decompress_status_t zstd_run(void *state, decompress_io_t *io)
{
    zstd_state_t *zstd = state;
    if (!zstd->in_frame && io->in_size == 0) {
        return io->in_is_last ? DECOMPRESS_END : DECOMPRESS_TRUNCATED;
    }
    ZSTD_inBuffer in = {io->in, io->in_size, 0};
    ZSTD_outBuffer out = {io->out, io->out_size, 0};
    const size_t ret = ZSTD_decompressStream(zstd->stream, &out, &in);
    io->in += in.pos;
    io->in_size -= in.pos;
    io->out += out.pos;
    io->out_size -= out.pos;
    if (ZSTD_isError(ret)) {
        io->why = ZSTD_getErrorName(ret);
        return DECOMPRESS_DAMAGED;
    }
    zstd->in_frame = ret != 0;
    if (!zstd->in_frame && io->in_size == 0 && io->in_is_last) {
        return DECOMPRESS_END;
    }
    return in.pos == 0 && out.pos == 0 ? DECOMPRESS_TRUNCATED : DECOMPRESS_MORE;
}

static void zstd_destroy(void *state)
{
    zstd_state_t *zstd = state;
    ZSTD_freeDStream(zstd->stream);
    free(zstd);
}

typedef struct gzip_state {
    z_stream stream;
    bool in_member; /* a member has begun and not ended */
} gzip_state_t;

static bool gzip_matches(const uint8_t *bytes, size_t size)
{
    return begins_with(bytes, size, "\x1f\x8b", 2);
}

static void *gzip_create(void)
{
    gzip_state_t *gzip = calloc(1, sizeof *gzip);
    if (gzip == NULL) {
        return NULL;
    }
    /* 15: the largest window; + 16: with a gzip header and nothing else. */
    if (inflateInit2(&gzip->stream, 15 + 16) != Z_OK) {
        free(gzip);
        return NULL;
    }
    return gzip;
}

/* One call of inflate(), whose sizes are 32 bits wide; returns what it returns. */
static int gzip_inflate(z_stream *stream, decompress_io_t *io, bool *progress)
{
    const size_t in_size = smaller(io->in_size, 1 << 30);
    const size_t out_size = smaller(io->out_size, 1 << 30);
    /* zlib declares the input without const but does not write to it. */
    memcpy(&stream->next_in, &io->in, sizeof io->in);
    stream->avail_in = (uInt)in_size;
    stream->next_out = io->out;
    stream->avail_out = (uInt)out_size;
    const int ret = inflate(stream, Z_NO_FLUSH);
    const size_t used = in_size - stream->avail_in;
    const size_t made = out_size - stream->avail_out;
    io->in += used;
    io->in_size -= used;
    io->out += made;
    io->out_size -= made;
    *progress = used != 0 || made != 0;
    return ret;
}

static decompress_status_t gzip_run(void *state, decompress_io_t *io)
{
    gzip_state_t *gzip = state;
    if (!gzip->in_member && io->in_size == 0) {
        return io->in_is_last ? DECOMPRESS_END : DECOMPRESS_TRUNCATED;
    }
    bool progress;
    const int ret = gzip_inflate(&gzip->stream, io, &progress);
    if (ret == Z_STREAM_END) {
        gzip->in_member = false;
        inflateReset(&gzip->stream);
        return io->in_size == 0 && io->in_is_last ? DECOMPRESS_END : DECOMPRESS_MORE;
    }
    gzip->in_member = true;
    if (ret == Z_OK && progress) {
        return DECOMPRESS_MORE;
    }
    if (ret == Z_OK || ret == Z_BUF_ERROR) {
        return DECOMPRESS_TRUNCATED;
    }
    /* zlib's own messages are static strings; it has none for want of memory or a dictionary. */
    io->why = gzip->stream.msg != NULL ? gzip->stream.msg : "out of memory or a dictionary missing";
    return DECOMPRESS_DAMAGED;
}

static void gzip_destroy(void *state)
{
    gzip_state_t *gzip = state;
    inflateEnd(&gzip->stream);
    free(gzip);
}

static const decompress_codec_t codecs[] = {
    {"xz", xz_matches, xz_create, xz_run, xz_destroy},
    {"zstd", zstd_matches, zstd_create, zstd_run, zstd_destroy},
    {"gzip", gzip_matches, gzip_create, gzip_run, gzip_destroy},
};

const decompress_codec_t *decompress_codec_find(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++) {
        if (codecs[i].matches(bytes, size)) {
            return &codecs[i];
        }
    }
    return NULL;
}
