/*
 * The SBE message header in front of every message, the same in all schemas, and loads from bytes
 * at any alignment. A decoder opens a frame before it lets generated code touch the bytes: that
 * code believes the header.
 */
#ifndef CODEC_FRAME_H
#define CODEC_FRAME_H

#include "codec/codec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the wire is little-endian, as is memory");

/* A message in its bytes. Borrowed; the generated code wants them without const and writes none
 * when it decodes. */
typedef struct frame {
    char *bytes;
    size_t length; /* of all bytes, which may go on behind this message */
    uint16_t block_length;
    uint16_t template_id;
    uint16_t schema_id;
    uint16_t version;
} frame_t;

static inline uint8_t frame_load_u8(const char *at)
{
    uint8_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint16_t frame_load_u16(const char *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint32_t frame_load_u32(const char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline int64_t frame_load_i64(const char *at)
{
    int64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline void frame_store_u8(char *at, uint8_t value)
{
    memcpy(at, &value, sizeof value);
}

static inline void frame_store_u32(char *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

/* Reads the header; false when it is not whole. The block behind it may still be cut. */
static inline bool frame_open(frame_t *frame, const void *bytes, size_t length)
{
    frame->bytes = (char *)(uintptr_t)bytes;
    frame->length = length;
    if (length < CODEC_HEADER_BYTES)
        return false;
    frame->block_length = frame_load_u16(frame->bytes);
    frame->template_id = frame_load_u16(frame->bytes + 2);
    frame->schema_id = frame_load_u16(frame->bytes + 4);
    frame->version = frame_load_u16(frame->bytes + 6);
    return true;
}

/* Whether the block is whole and has at least `least` bytes. */
static inline bool frame_has_block(const frame_t *frame, size_t least)
{
    return frame->block_length >= least &&
           frame->length - CODEC_HEADER_BYTES >= frame->block_length;
}

/* How much of the bytes the message takes: all of them when it is cut. */
static inline size_t frame_size(const frame_t *frame)
{
    const size_t size = (size_t)CODEC_HEADER_BYTES + frame->block_length;
    return size < frame->length ? size : frame->length;
}

#endif
