/*
 * Stream decompression of xz, zstd and gzip behind one small table each.
 *
 * Several members one after the other (`cat a.gz b.gz`) are one stream, as the formats' own tools
 * read them. Anything else behind the last member is damage.
 */
#ifndef INPUT_DECOMPRESS_H
#define INPUT_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum decompress_status {
    DECOMPRESS_MORE,      /* call again, with more input or more room */
    DECOMPRESS_END,       /* the last member is complete and no input follows it */
    DECOMPRESS_TRUNCATED, /* the input ends inside a member */
    DECOMPRESS_DAMAGED,   /* `why` says what is wrong */
} decompress_status_t;

/* What a call may read and write; it moves the pointers and lowers the sizes by what it used. */
typedef struct decompress_io {
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_size;
    bool in_is_last; /* no input follows `in` */
    const char *why; /* out: a static string, with DECOMPRESS_DAMAGED */
} decompress_io_t;

typedef struct decompress_codec {
    const char *name;
    /* Whether a stream begins so. */
    bool (*matches)(const uint8_t *bytes, size_t size);
    /* The state of a new stream, owned by the caller; NULL when out of memory. */
    void *(*create)(void);
    /* Goes on; out_size must not be 0. DECOMPRESS_MORE always means that something was used. */
    decompress_status_t (*run)(void *state, decompress_io_t *io);
    void (*destroy)(void *state);
} decompress_codec_t;

/* Bytes that decompress_codec_find() needs to see to be sure. */
#define DECOMPRESS_MAGIC_SIZE 6

/* The codec of a stream that begins so; NULL for one that is not compressed. */
const decompress_codec_t *decompress_codec_find(const uint8_t *bytes, size_t size);

#endif
