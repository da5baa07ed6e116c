/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _RECORDS_TRIGGERS_H_
#define _RECORDS_TRIGGERS_H_

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

struct records_triggers
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum records_triggers_meta_attribute
{
    records_triggers_meta_attribute_EPOCH,
    records_triggers_meta_attribute_TIME_UNIT,
    records_triggers_meta_attribute_SEMANTIC_TYPE,
    records_triggers_meta_attribute_PRESENCE
};

union records_triggers_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union records_triggers_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct records_triggers_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t records_triggers_sbe_position(
    const struct records_triggers *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool records_triggers_set_sbe_position(
    struct records_triggers *const codec,
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

SBE_ONE_DEF uint64_t *records_triggers_sbe_position_ptr(
    struct records_triggers *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct records_triggers *records_triggers_reset(
    struct records_triggers *const codec,
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
    if (!records_triggers_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct records_triggers *records_triggers_copy(
    struct records_triggers *const codec,
    const struct records_triggers *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t records_triggers_sbe_block_length(void)
{
    return (uint16_t)8;
}

#define RECORDS_TRIGGERS_SBE_TEMPLATE_ID (uint16_t)8

SBE_ONE_DEF uint16_t records_triggers_sbe_template_id(void)
{
    return (uint16_t)8;
}

SBE_ONE_DEF uint16_t records_triggers_sbe_schema_id(void)
{
    return (uint16_t)512;
}

SBE_ONE_DEF uint16_t records_triggers_sbe_schema_version(void)
{
    return (uint16_t)1;
}

SBE_ONE_DEF const char* records_triggers_sbe_semantic_version(void)
{
    return "1.0";
}

SBE_ONE_DEF const char *records_triggers_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t records_triggers_offset(
    const struct records_triggers *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct records_triggers *records_triggers_wrap_and_apply_header(
    struct records_triggers *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct records_messageHeader *const hdr)
{
    records_messageHeader_wrap(
        hdr, buffer + offset, 0, records_messageHeader_sbe_schema_version(), buffer_length);

    records_messageHeader_set_blockLength(hdr, records_triggers_sbe_block_length());
    records_messageHeader_set_templateId(hdr, records_triggers_sbe_template_id());
    records_messageHeader_set_schemaId(hdr, records_triggers_sbe_schema_id());
    records_messageHeader_set_version(hdr, records_triggers_sbe_schema_version());

    records_triggers_reset(
        codec,
        buffer + offset + records_messageHeader_encoded_length(),
        0,
        buffer_length - records_messageHeader_encoded_length(),
        records_triggers_sbe_block_length(),
        records_triggers_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct records_triggers *records_triggers_wrap_for_encode(
    struct records_triggers *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return records_triggers_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        records_triggers_sbe_block_length(),
        records_triggers_sbe_schema_version());
}

SBE_ONE_DEF struct records_triggers *records_triggers_wrap_for_decode(
    struct records_triggers *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return records_triggers_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct records_triggers *records_triggers_sbe_rewind(
    struct records_triggers *const codec)
{
    return records_triggers_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t records_triggers_encoded_length(
    const struct records_triggers *const codec)
{
    return records_triggers_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *records_triggers_buffer(
    const struct records_triggers *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *records_triggers_mut_buffer(
    struct records_triggers *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t records_triggers_buffer_length(
    const struct records_triggers *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t records_triggers_acting_version(
    const struct records_triggers *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *records_triggers_recordOrdinal_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_recordOrdinal_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t records_triggers_recordOrdinal_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_recordOrdinal_in_acting_version(
    const struct records_triggers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_recordOrdinal_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_recordOrdinal_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t records_triggers_recordOrdinal_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_triggers_recordOrdinal_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_triggers_recordOrdinal_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_triggers_recordOrdinal_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_triggers_recordOrdinal(
    const struct records_triggers *const codec)
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

SBE_ONE_DEF struct records_triggers *records_triggers_set_recordOrdinal(
    struct records_triggers *const codec,
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

struct records_triggers_entries
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

SBE_ONE_DEF uint64_t *records_triggers_entries_sbe_position_ptr(
    struct records_triggers_entries *const codec)
{
    return codec->position_ptr;
}

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_wrap_for_decode(
    struct records_triggers_entries *const codec,
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

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_wrap_for_encode(
    struct records_triggers_entries *const codec,
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

    records_groupSizeEncoding_set_blockLength(&dimensions, (uint16_t)63);
    records_groupSizeEncoding_set_numInGroup(&dimensions, (uint32_t)count);
    codec->index = -1;
    codec->count = count;
    codec->block_length = 63;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 8;

    return codec;
}

SBE_ONE_DEF uint64_t records_triggers_entries_sbe_header_size(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_triggers_entries_sbe_block_length(void)
{
    return 63;
}

SBE_ONE_DEF uint64_t records_triggers_entries_sbe_position(
    const struct records_triggers_entries *const codec)
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

SBE_ONE_DEF bool records_triggers_entries_set_sbe_position(
    struct records_triggers_entries *const codec,
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

SBE_ONE_DEF uint64_t records_triggers_entries_count(
    const struct records_triggers_entries *const codec)
{
    return codec->count;
}

SBE_ONE_DEF bool records_triggers_entries_has_next(
    const struct records_triggers_entries *const codec)
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

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_next(
    struct records_triggers_entries *const codec)
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

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_for_each(
    struct records_triggers_entries *const codec,
    void (*func)(struct records_triggers_entries *, void *),
    void *const context)
{
    while (records_triggers_entries_has_next(codec))
    {
        if (!records_triggers_entries_next(codec))
        {
            return NULL;
        }
        func(codec, context);
    }

    return codec;
}

SBE_ONE_DEF const char *records_triggers_entries_clientOrderId_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_clientOrderId_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t records_triggers_entries_clientOrderId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_clientOrderId_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_clientOrderId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_clientOrderId_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t records_triggers_entries_clientOrderId_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_triggers_entries_clientOrderId_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_triggers_entries_clientOrderId_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_triggers_entries_clientOrderId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_triggers_entries_clientOrderId(
    const struct records_triggers_entries *const codec)
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

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_clientOrderId(
    struct records_triggers_entries *const codec,
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

SBE_ONE_DEF const char *records_triggers_entries_orderId_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_orderId_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t records_triggers_entries_orderId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_orderId_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_orderId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_orderId_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_triggers_entries_orderId_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_triggers_entries_orderId_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_triggers_entries_orderId_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_triggers_entries_orderId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_triggers_entries_orderId(
    const struct records_triggers_entries *const codec)
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

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_orderId(
    struct records_triggers_entries *const codec,
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

SBE_ONE_DEF const char *records_triggers_entries_priority_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_priority_id(void)
{
    return 5;
}

SBE_ONE_DEF uint64_t records_triggers_entries_priority_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_priority_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_priority_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_priority_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF uint64_t records_triggers_entries_priority_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_triggers_entries_priority_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_triggers_entries_priority_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_triggers_entries_priority_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_triggers_entries_priority(
    const struct records_triggers_entries *const codec)
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

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_priority(
    struct records_triggers_entries *const codec,
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

SBE_ONE_DEF const char *records_triggers_entries_triggerPrice_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_triggerPrice_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t records_triggers_entries_triggerPrice_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_triggerPrice_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_triggerPrice_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_triggerPrice_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF int64_t records_triggers_entries_triggerPrice_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t records_triggers_entries_triggerPrice_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t records_triggers_entries_triggerPrice_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t records_triggers_entries_triggerPrice_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t records_triggers_entries_triggerPrice(
    const struct records_triggers_entries *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 24, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_triggerPrice(
    struct records_triggers_entries *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 24, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_triggers_entries_limitPrice_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_limitPrice_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t records_triggers_entries_limitPrice_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_limitPrice_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_limitPrice_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_limitPrice_encoding_offset(void)
{
    return 32;
}

SBE_ONE_DEF int64_t records_triggers_entries_limitPrice_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t records_triggers_entries_limitPrice_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t records_triggers_entries_limitPrice_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t records_triggers_entries_limitPrice_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t records_triggers_entries_limitPrice(
    const struct records_triggers_entries *const codec)
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

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_limitPrice(
    struct records_triggers_entries *const codec,
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

SBE_ONE_DEF const char *records_triggers_entries_quantity_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_quantity_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_triggers_entries_quantity_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_quantity_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_quantity_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_quantity_encoding_offset(void)
{
    return 40;
}

SBE_ONE_DEF int64_t records_triggers_entries_quantity_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t records_triggers_entries_quantity_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t records_triggers_entries_quantity_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t records_triggers_entries_quantity_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t records_triggers_entries_quantity(
    const struct records_triggers_entries *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 40, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_quantity(
    struct records_triggers_entries *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 40, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_triggers_entries_source_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_source_id(void)
{
    return 9;
}

SBE_ONE_DEF uint64_t records_triggers_entries_source_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_source_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_source_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_source_encoding_offset(void)
{
    return 48;
}

SBE_ONE_DEF uint32_t records_triggers_entries_source_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_triggers_entries_source_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_triggers_entries_source_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_triggers_entries_source_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_triggers_entries_source(
    const struct records_triggers_entries *const codec)
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

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_source(
    struct records_triggers_entries *const codec,
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

SBE_ONE_DEF const char *records_triggers_entries_instrument_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_instrument_id(void)
{
    return 10;
}

SBE_ONE_DEF uint64_t records_triggers_entries_instrument_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_instrument_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_instrument_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_instrument_encoding_offset(void)
{
    return 52;
}

SBE_ONE_DEF uint32_t records_triggers_entries_instrument_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_triggers_entries_instrument_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_triggers_entries_instrument_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_triggers_entries_instrument_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_triggers_entries_instrument(
    const struct records_triggers_entries *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 52, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_instrument(
    struct records_triggers_entries *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 52, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_triggers_entries_flags_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_flags_id(void)
{
    return 11;
}

SBE_ONE_DEF uint64_t records_triggers_entries_flags_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_flags_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_flags_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_flags_encoding_offset(void)
{
    return 56;
}

SBE_ONE_DEF struct records_orderFlags *records_triggers_entries_flags(
    struct records_triggers_entries *const codec,
    struct records_orderFlags *const bitset)
{
    return records_orderFlags_wrap(
        bitset,
        codec->buffer,
        codec->offset + 56,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF size_t records_triggers_entries_flags_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF const char *records_triggers_entries_side_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_side_id(void)
{
    return 12;
}

SBE_ONE_DEF uint64_t records_triggers_entries_side_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_side_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_side_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_side_encoding_offset(void)
{
    return 60;
}

SBE_ONE_DEF size_t records_triggers_entries_side_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool records_triggers_entries_side(
    const struct records_triggers_entries *const codec,
    enum records_side *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 60, sizeof(uint8_t));

    return records_side_get((val), out);
}

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_side(
    struct records_triggers_entries *const codec,
    const enum records_side value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 60, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *records_triggers_entries_timeInForce_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_timeInForce_id(void)
{
    return 13;
}

SBE_ONE_DEF uint64_t records_triggers_entries_timeInForce_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_timeInForce_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_timeInForce_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_timeInForce_encoding_offset(void)
{
    return 61;
}

SBE_ONE_DEF size_t records_triggers_entries_timeInForce_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool records_triggers_entries_timeInForce(
    const struct records_triggers_entries *const codec,
    enum records_timeInForce *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 61, sizeof(uint8_t));

    return records_timeInForce_get((val), out);
}

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_timeInForce(
    struct records_triggers_entries *const codec,
    const enum records_timeInForce value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 61, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *records_triggers_entries_triggerKind_meta_attribute(
    const enum records_triggers_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_triggers_meta_attribute_EPOCH: return "";
        case records_triggers_meta_attribute_TIME_UNIT: return "";
        case records_triggers_meta_attribute_SEMANTIC_TYPE: return "";
        case records_triggers_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_triggers_entries_triggerKind_id(void)
{
    return 14;
}

SBE_ONE_DEF uint64_t records_triggers_entries_triggerKind_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_triggerKind_in_acting_version(
    const struct records_triggers_entries *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_triggerKind_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_triggers_entries_triggerKind_encoding_offset(void)
{
    return 62;
}

SBE_ONE_DEF size_t records_triggers_entries_triggerKind_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool records_triggers_entries_triggerKind(
    const struct records_triggers_entries *const codec,
    enum records_triggerKind *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 62, sizeof(uint8_t));

    return records_triggerKind_get((val), out);
}

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_triggerKind(
    struct records_triggers_entries *const codec,
    const enum records_triggerKind value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 62, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF uint16_t records_triggers_entries_id(void)
{
    return 2;
}

SBE_ONE_DEF struct records_triggers_entries *records_triggers_get_entries(
    struct records_triggers *const codec,
    struct records_triggers_entries *const property)
{
    return records_triggers_entries_wrap_for_decode(
        property,
        codec->buffer,
        records_triggers_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF struct records_triggers_entries *records_triggers_entries_set_count(
    struct records_triggers *const codec,
    struct records_triggers_entries *const property,
    const uint32_t count)
{
    return records_triggers_entries_wrap_for_encode(
        property,
        codec->buffer,
        count,
        records_triggers_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t records_triggers_entries_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_triggers_entries_in_acting_version(
    const struct records_triggers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_triggers_entries_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

#endif
