/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _RECORDS_PENDING_H_
#define _RECORDS_PENDING_H_

#include <errno.h>
#if !defined(__STDC_LIMIT_MACROS)
#define __STDC_LIMIT_MACROS 1
#endif
#include <limits.h>
#define SBE_FLOAT_NAN NAN
#define SBE_DOUBLE_NAN NAN
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "side.h"
#include "triggerKind.h"
#include "messageHeader.h"
#include "tradingState.h"
#include "timeInForce.h"
#include "roles.h"
#include "orderFlags.h"
#include "modifyPriority.h"
#include "groupSizeEncoding.h"
#include "configurationBytes.h"
#include "restrictions.h"

#ifdef __cplusplus
#define SBE_ONE_DEF inline
#else
#define SBE_ONE_DEF static inline
#endif

/*
 * Define some byte ordering macros
 */
#if defined(WIN32) || defined(_WIN32)
    #define SBE_BIG_ENDIAN_ENCODE_16(v) _byteswap_ushort(v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) _byteswap_ulong(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) _byteswap_uint64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) (v)
#elif __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define SBE_BIG_ENDIAN_ENCODE_16(v) __builtin_bswap16(v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) (v)
#elif __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) __builtin_bswap16(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_BIG_ENDIAN_ENCODE_16(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) (v)
#else
    #error "Byte Ordering of platform not determined. Set __BYTE_ORDER__ manually before including this file."
#endif

#if !defined(SBE_BOUNDS_CHECK_EXPECT)
#  if defined(SBE_NO_BOUNDS_CHECK)
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (false)
#  elif defined(_MSC_VER)
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (exp)
#  else
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (__builtin_expect(exp, c))
#  endif

#endif

#define SBE_NULLVALUE_INT8 INT8_MIN
#define SBE_NULLVALUE_INT16 INT16_MIN
#define SBE_NULLVALUE_INT32 INT32_MIN
#define SBE_NULLVALUE_INT64 INT64_MIN
#define SBE_NULLVALUE_UINT8 UINT8_MAX
#define SBE_NULLVALUE_UINT16 UINT16_MAX
#define SBE_NULLVALUE_UINT32 UINT32_MAX
#define SBE_NULLVALUE_UINT64 UINT64_MAX

#define E100 -50100 // E_BUF_SHORT
#define E103 -50103 // VAL_UNKNOWN_ENUM
#define E104 -50104 // I_OUT_RANGE_NUM
#define E105 -50105 // I_OUT_RANGE_NUM
#define E106 -50106 // I_OUT_RANGE_NUM
#define E107 -50107 // BUF_SHORT_FLYWEIGHT
#define E108 -50108 // BUF_SHORT_NXT_GRP_IND
#define E109 -50109 // STR_TOO_LONG_FOR_LEN_TYP
#define E110 -50110 // CNT_OUT_RANGE

#ifndef SBE_STRERROR_DEFINED
#define SBE_STRERROR_DEFINED
SBE_ONE_DEF const char *sbe_strerror(const int errnum)
{
    switch (errnum)
    {
        case E100:
            return "buffer too short";
        case E103:
            return "unknown value for enum";
        case E104:
            return "index out of range";
        case E105:
            return "index out of range";
        case E106:
            return "length too large";
        case E107:
            return "buffer too short for flyweight";
        case E108:
            return "buffer too short to support next group index";
        case E109:
            return "std::string too long for length type";
        case E110:
            return "count outside of allowed range";
        default:
            return "unknown error";
    }
}
#endif

struct records_pending
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum records_pending_meta_attribute
{
    records_pending_meta_attribute_EPOCH,
    records_pending_meta_attribute_TIME_UNIT,
    records_pending_meta_attribute_SEMANTIC_TYPE,
    records_pending_meta_attribute_PRESENCE
};

union records_pending_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union records_pending_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct records_pending_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t records_pending_sbe_position(
    const struct records_pending *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool records_pending_set_sbe_position(
    struct records_pending *const codec,
    const uint64_t position)
{
    if (SBE_BOUNDS_CHECK_EXPECT((position > codec->buffer_length), false))
    {
        errno = E100;
        return false;
    }
    codec->position = position;

    return true;
}

SBE_ONE_DEF uint64_t *records_pending_sbe_position_ptr(
    struct records_pending *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct records_pending *records_pending_reset(
    struct records_pending *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    const uint64_t acting_block_length,
    const uint64_t acting_version)
{
    codec->buffer = buffer;
    codec->offset = offset;
    codec->buffer_length = buffer_length;
    codec->acting_block_length = acting_block_length;
    codec->acting_version = acting_version;
    if (!records_pending_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct records_pending *records_pending_copy(
    struct records_pending *const codec,
    const struct records_pending *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t records_pending_sbe_block_length(void)
{
    return (uint16_t)8;
}

#define RECORDS_PENDING_SBE_TEMPLATE_ID (uint16_t)9

SBE_ONE_DEF uint16_t records_pending_sbe_template_id(void)
{
    return (uint16_t)9;
}

SBE_ONE_DEF uint16_t records_pending_sbe_schema_id(void)
{
    return (uint16_t)512;
}

SBE_ONE_DEF uint16_t records_pending_sbe_schema_version(void)
{
    return (uint16_t)1;
}

SBE_ONE_DEF const char* records_pending_sbe_semantic_version(void)
{
    return "1.0";
}

SBE_ONE_DEF const char *records_pending_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t records_pending_offset(
    const struct records_pending *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct records_pending *records_pending_wrap_and_apply_header(
    struct records_pending *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct records_messageHeader *const hdr)
{
    records_messageHeader_wrap(
        hdr, buffer + offset, 0, records_messageHeader_sbe_schema_version(), buffer_length);

    records_messageHeader_set_blockLength(hdr, records_pending_sbe_block_length());
    records_messageHeader_set_templateId(hdr, records_pending_sbe_template_id());
    records_messageHeader_set_schemaId(hdr, records_pending_sbe_schema_id());
    records_messageHeader_set_version(hdr, records_pending_sbe_schema_version());

    records_pending_reset(
        codec,
        buffer + offset + records_messageHeader_encoded_length(),
        0,
        buffer_length - records_messageHeader_encoded_length(),
        records_pending_sbe_block_length(),
        records_pending_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct records_pending *records_pending_wrap_for_encode(
    struct records_pending *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return records_pending_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        records_pending_sbe_block_length(),
        records_pending_sbe_schema_version());
}

SBE_ONE_DEF struct records_pending *records_pending_wrap_for_decode(
    struct records_pending *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return records_pending_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct records_pending *records_pending_sbe_rewind(
    struct records_pending *const codec)
{
    return records_pending_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t records_pending_encoded_length(
    const struct records_pending *const codec)
{
    return records_pending_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *records_pending_buffer(
    const struct records_pending *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *records_pending_mut_buffer(
    struct records_pending *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t records_pending_buffer_length(
    const struct records_pending *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t records_pending_acting_version(
    const struct records_pending *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *records_pending_recordOrdinal_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_recordOrdinal_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t records_pending_recordOrdinal_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_recordOrdinal_in_acting_version(
    const struct records_pending *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_recordOrdinal_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_recordOrdinal_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t records_pending_recordOrdinal_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_pending_recordOrdinal_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_pending_recordOrdinal_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_pending_recordOrdinal_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_pending_recordOrdinal(
    const struct records_pending *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_pending *records_pending_set_recordOrdinal(
    struct records_pending *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

struct records_pending_entries
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t *position_ptr;
    uint64_t block_length;
    uint64_t count;
    uint64_t index;
    uint64_t offset;
    uint64_t acting_version;
};

SBE_ONE_DEF uint64_t *records_pending_entries_sbe_position_ptr(
    struct records_pending_entries *const codec)
{
    return codec->position_ptr;
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_wrap_for_decode(
    struct records_pending_entries *const codec,
    char *const buffer,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct records_groupSizeEncoding dimensions;
    if (!records_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    codec->block_length = records_groupSizeEncoding_blockLength(&dimensions);
    codec->count = records_groupSizeEncoding_numInGroup(&dimensions);
    codec->index = -1;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 8;

    return codec;
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_wrap_for_encode(
    struct records_pending_entries *const codec,
    char *const buffer,
    const uint32_t count,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
    if (count > 2147483647)
    {
        errno = E110;
        return NULL;
    }
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct records_groupSizeEncoding dimensions;
    if (!records_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    records_groupSizeEncoding_set_blockLength(&dimensions, (uint16_t)56);
    records_groupSizeEncoding_set_numInGroup(&dimensions, (uint32_t)count);
    codec->index = -1;
    codec->count = count;
    codec->block_length = 56;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 8;

    return codec;
}

SBE_ONE_DEF uint64_t records_pending_entries_sbe_header_size(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_pending_entries_sbe_block_length(void)
{
    return 56;
}

SBE_ONE_DEF uint64_t records_pending_entries_sbe_position(
    const struct records_pending_entries *const codec)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    return *codec->position_ptr;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

SBE_ONE_DEF bool records_pending_entries_set_sbe_position(
    struct records_pending_entries *const codec,
    const uint64_t position)
{
    if (SBE_BOUNDS_CHECK_EXPECT((position > codec->buffer_length), false))
    {
       errno = E100;
       return false;
    }
    *codec->position_ptr = position;

    return true;
}

SBE_ONE_DEF uint64_t records_pending_entries_count(
    const struct records_pending_entries *const codec)
{
    return codec->count;
}

SBE_ONE_DEF bool records_pending_entries_has_next(
    const struct records_pending_entries *const codec)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    return codec->index + 1 < codec->count;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_next(
    struct records_pending_entries *const codec)
{
    codec->offset = *codec->position_ptr;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    if (SBE_BOUNDS_CHECK_EXPECT(((codec->offset + codec->block_length) > codec->buffer_length), false))
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    {
        errno = E108;
        return NULL;
    }
    *codec->position_ptr = codec->offset + codec->block_length;
    ++codec->index;

    return codec;
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_for_each(
    struct records_pending_entries *const codec,
    void (*func)(struct records_pending_entries *, void *),
    void *const context)
{
    while (records_pending_entries_has_next(codec))
    {
        if (!records_pending_entries_next(codec))
        {
            return NULL;
        }
        func(codec, context);
    }

    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_limit_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_limit_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t records_pending_entries_limit_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_limit_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_limit_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_limit_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t records_pending_entries_limit_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_pending_entries_limit_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_pending_entries_limit_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_pending_entries_limit_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_pending_entries_limit(
    const struct records_pending_entries *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_limit(
    struct records_pending_entries *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_first_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_first_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t records_pending_entries_first_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_first_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_first_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_first_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_pending_entries_first_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_pending_entries_first_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_pending_entries_first_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_pending_entries_first_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_pending_entries_first(
    const struct records_pending_entries *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 8, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_first(
    struct records_pending_entries *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 8, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_ended_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_ended_id(void)
{
    return 5;
}

SBE_ONE_DEF uint64_t records_pending_entries_ended_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_ended_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_ended_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_ended_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF uint64_t records_pending_entries_ended_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_pending_entries_ended_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_pending_entries_ended_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_pending_entries_ended_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_pending_entries_ended(
    const struct records_pending_entries *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 16, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_ended(
    struct records_pending_entries *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 16, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_lookedAt_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_lookedAt_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t records_pending_entries_lookedAt_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_lookedAt_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_lookedAt_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_lookedAt_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF uint64_t records_pending_entries_lookedAt_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_pending_entries_lookedAt_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_pending_entries_lookedAt_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_pending_entries_lookedAt_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_pending_entries_lookedAt(
    const struct records_pending_entries *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 24, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_lookedAt(
    struct records_pending_entries *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 24, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_price_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_price_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t records_pending_entries_price_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_price_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_price_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_price_encoding_offset(void)
{
    return 32;
}

SBE_ONE_DEF int64_t records_pending_entries_price_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t records_pending_entries_price_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t records_pending_entries_price_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t records_pending_entries_price_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t records_pending_entries_price(
    const struct records_pending_entries *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 32, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_price(
    struct records_pending_entries *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 32, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_asker_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_asker_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_pending_entries_asker_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_asker_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_asker_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_asker_encoding_offset(void)
{
    return 40;
}

SBE_ONE_DEF uint32_t records_pending_entries_asker_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_pending_entries_asker_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_pending_entries_asker_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_pending_entries_asker_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_pending_entries_asker(
    const struct records_pending_entries *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 40, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_asker(
    struct records_pending_entries *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 40, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_source_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_source_id(void)
{
    return 9;
}

SBE_ONE_DEF uint64_t records_pending_entries_source_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_source_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_source_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_source_encoding_offset(void)
{
    return 44;
}

SBE_ONE_DEF uint32_t records_pending_entries_source_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_pending_entries_source_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_pending_entries_source_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_pending_entries_source_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_pending_entries_source(
    const struct records_pending_entries *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 44, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_source(
    struct records_pending_entries *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 44, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_instrument_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_instrument_id(void)
{
    return 10;
}

SBE_ONE_DEF uint64_t records_pending_entries_instrument_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_instrument_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_instrument_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_instrument_encoding_offset(void)
{
    return 48;
}

SBE_ONE_DEF uint32_t records_pending_entries_instrument_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_pending_entries_instrument_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_pending_entries_instrument_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_pending_entries_instrument_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_pending_entries_instrument(
    const struct records_pending_entries *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 48, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_instrument(
    struct records_pending_entries *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 48, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_command_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_command_id(void)
{
    return 11;
}

SBE_ONE_DEF uint64_t records_pending_entries_command_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_command_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_command_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_command_encoding_offset(void)
{
    return 52;
}

SBE_ONE_DEF uint8_t records_pending_entries_command_null_value(void)
{
    return SBE_NULLVALUE_UINT8;
}

SBE_ONE_DEF uint8_t records_pending_entries_command_min_value(void)
{
    return (uint8_t)0;
}

SBE_ONE_DEF uint8_t records_pending_entries_command_max_value(void)
{
    return (uint8_t)254;
}

SBE_ONE_DEF size_t records_pending_entries_command_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF uint8_t records_pending_entries_command(
    const struct records_pending_entries *const codec)
{
    uint8_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 52, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return (val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_command(
    struct records_pending_entries *const codec,
    const uint8_t value)
{
    uint8_t val = (value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 52, &val, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_scope_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_scope_id(void)
{
    return 12;
}

SBE_ONE_DEF uint64_t records_pending_entries_scope_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_scope_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_scope_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_scope_encoding_offset(void)
{
    return 53;
}

SBE_ONE_DEF uint8_t records_pending_entries_scope_null_value(void)
{
    return SBE_NULLVALUE_UINT8;
}

SBE_ONE_DEF uint8_t records_pending_entries_scope_min_value(void)
{
    return (uint8_t)0;
}

SBE_ONE_DEF uint8_t records_pending_entries_scope_max_value(void)
{
    return (uint8_t)254;
}

SBE_ONE_DEF size_t records_pending_entries_scope_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF uint8_t records_pending_entries_scope(
    const struct records_pending_entries *const codec)
{
    uint8_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 53, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return (val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_scope(
    struct records_pending_entries *const codec,
    const uint8_t value)
{
    uint8_t val = (value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 53, &val, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_sides_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_sides_id(void)
{
    return 13;
}

SBE_ONE_DEF uint64_t records_pending_entries_sides_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_sides_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_sides_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_sides_encoding_offset(void)
{
    return 54;
}

SBE_ONE_DEF uint8_t records_pending_entries_sides_null_value(void)
{
    return SBE_NULLVALUE_UINT8;
}

SBE_ONE_DEF uint8_t records_pending_entries_sides_min_value(void)
{
    return (uint8_t)0;
}

SBE_ONE_DEF uint8_t records_pending_entries_sides_max_value(void)
{
    return (uint8_t)254;
}

SBE_ONE_DEF size_t records_pending_entries_sides_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF uint8_t records_pending_entries_sides(
    const struct records_pending_entries *const codec)
{
    uint8_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 54, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return (val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_sides(
    struct records_pending_entries *const codec,
    const uint8_t value)
{
    uint8_t val = (value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 54, &val, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_pending_entries_side_meta_attribute(
    const enum records_pending_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_pending_meta_attribute_EPOCH: return "";
        case records_pending_meta_attribute_TIME_UNIT: return "";
        case records_pending_meta_attribute_SEMANTIC_TYPE: return "";
        case records_pending_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_pending_entries_side_id(void)
{
    return 14;
}

SBE_ONE_DEF uint64_t records_pending_entries_side_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_side_in_acting_version(
    const struct records_pending_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_side_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_pending_entries_side_encoding_offset(void)
{
    return 55;
}

SBE_ONE_DEF uint8_t records_pending_entries_side_null_value(void)
{
    return SBE_NULLVALUE_UINT8;
}

SBE_ONE_DEF uint8_t records_pending_entries_side_min_value(void)
{
    return (uint8_t)0;
}

SBE_ONE_DEF uint8_t records_pending_entries_side_max_value(void)
{
    return (uint8_t)254;
}

SBE_ONE_DEF size_t records_pending_entries_side_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF uint8_t records_pending_entries_side(
    const struct records_pending_entries *const codec)
{
    uint8_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 55, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return (val);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_side(
    struct records_pending_entries *const codec,
    const uint8_t value)
{
    uint8_t val = (value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 55, &val, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF uint16_t records_pending_entries_id(void)
{
    return 2;
}

SBE_ONE_DEF struct records_pending_entries *records_pending_get_entries(
    struct records_pending *const codec,
    struct records_pending_entries *const property)
{
    return records_pending_entries_wrap_for_decode(
        property,
        codec->buffer,
        records_pending_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF struct records_pending_entries *records_pending_entries_set_count(
    struct records_pending *const codec,
    struct records_pending_entries *const property,
    const uint32_t count)
{
    return records_pending_entries_wrap_for_encode(
        property,
        codec->buffer,
        count,
        records_pending_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t records_pending_entries_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_pending_entries_in_acting_version(
    const struct records_pending *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_pending_entries_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

#endif
