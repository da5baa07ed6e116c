/*
 * What the adapters of Aeron Cluster's schema share: reading the texts behind a block, and writing
 * them. The generated code neither checks that a block is as long as its fields need nor that a
 * length in front of a text is inside the bytes before it reads it; so a getter runs only on a
 * block whose length was checked, and texts are taken by these functions alone.
 */
#ifndef CODEC_CLUSTER_REST_H
#define CODEC_CLUSTER_REST_H

#include "codec/cluster_codec.h"
#include "codec/frame.h"

#define CLUSTER_SCHEMA_ID         111
#define CLUSTER_TEXT_LENGTH_BYTES 4

/* Bytes of a message that are still to be read. */
typedef struct cluster_rest {
    const char *at;
    size_t left;
} cluster_rest_t;

/* What follows the block of a frame whose size has been checked. */
static inline cluster_rest_t cluster_rest_of(const frame_t *frame)
{
    const size_t before = (size_t)CODEC_HEADER_BYTES + frame->block_length;
    return (cluster_rest_t){.at = frame->bytes + before, .left = frame->length - before};
}

/* Takes a text and its length off the front; false when it does not fit. */
static inline bool cluster_rest_take_text(cluster_rest_t *rest, cluster_text_t *text)
{
    if (rest->left < CLUSTER_TEXT_LENGTH_BYTES)
        return false;
    const uint32_t length = frame_load_u32(rest->at);
    if (rest->left - CLUSTER_TEXT_LENGTH_BYTES < length)
        return false;
    text->bytes = rest->at + CLUSTER_TEXT_LENGTH_BYTES;
    text->length = length;
    rest->at += CLUSTER_TEXT_LENGTH_BYTES + length;
    rest->left -= CLUSTER_TEXT_LENGTH_BYTES + length;
    return true;
}

static inline void cluster_rest_take_all(cluster_rest_t *rest, cluster_text_t *text)
{
    text->bytes = rest->at;
    text->length = rest->left < UINT32_MAX ? (uint32_t)rest->left : UINT32_MAX;
    rest->at += text->length;
    rest->left -= text->length;
}

/* What a text needs in a message, with its length. */
static inline size_t cluster_text_size(const cluster_text_t *text)
{
    return (size_t)CLUSTER_TEXT_LENGTH_BYTES + text->length;
}

/* Text of a message as memcpy wants it: never NULL. */
static inline const char *cluster_text_bytes(const cluster_text_t *text)
{
    return text->length == 0 ? "" : text->bytes;
}

/* Wraps the block of a frame whose size has been checked. */
#define CLUSTER_WRAP(name, m, frame)                                                               \
    cluster_##name##_wrap_for_decode(m, (frame)->bytes, CODEC_HEADER_BYTES, (frame)->block_length, \
                                     (frame)->version, (frame)->length)

/* An enum's number as it is: the generated getter fails for one that it does not know. */
#define CLUSTER_RAW_ENUM(name, m, field)                                                           \
    ((int32_t)frame_load_u32((m)->buffer + (m)->offset +                                           \
                             cluster_##name##_##field##_encoding_offset()))

/* Puts a text behind what is written already; there is room, the size was computed before. */
#define CLUSTER_PUT_TEXT(name, m, field, text)                                                     \
    (void)cluster_##name##_put_##field(m, cluster_text_bytes(text), (text)->length)

#endif
