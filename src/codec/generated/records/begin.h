/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _RECORDS_BEGIN_H_
#define _RECORDS_BEGIN_H_

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

struct records_begin
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum records_begin_meta_attribute
{
    records_begin_meta_attribute_EPOCH,
    records_begin_meta_attribute_TIME_UNIT,
    records_begin_meta_attribute_SEMANTIC_TYPE,
    records_begin_meta_attribute_PRESENCE
};

union records_begin_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union records_begin_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct records_begin_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t records_begin_sbe_position(
    const struct records_begin *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool records_begin_set_sbe_position(
    struct records_begin *const codec,
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

SBE_ONE_DEF uint64_t *records_begin_sbe_position_ptr(
    struct records_begin *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct records_begin *records_begin_reset(
    struct records_begin *const codec,
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
    if (!records_begin_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct records_begin *records_begin_copy(
    struct records_begin *const codec,
    const struct records_begin *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t records_begin_sbe_block_length(void)
{
    return (uint16_t)129;
}

#define RECORDS_BEGIN_SBE_TEMPLATE_ID (uint16_t)1

SBE_ONE_DEF uint16_t records_begin_sbe_template_id(void)
{
    return (uint16_t)1;
}

SBE_ONE_DEF uint16_t records_begin_sbe_schema_id(void)
{
    return (uint16_t)512;
}

SBE_ONE_DEF uint16_t records_begin_sbe_schema_version(void)
{
    return (uint16_t)1;
}

SBE_ONE_DEF const char* records_begin_sbe_semantic_version(void)
{
    return "1.0";
}

SBE_ONE_DEF const char *records_begin_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t records_begin_offset(
    const struct records_begin *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct records_begin *records_begin_wrap_and_apply_header(
    struct records_begin *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct records_messageHeader *const hdr)
{
    records_messageHeader_wrap(
        hdr, buffer + offset, 0, records_messageHeader_sbe_schema_version(), buffer_length);

    records_messageHeader_set_blockLength(hdr, records_begin_sbe_block_length());
    records_messageHeader_set_templateId(hdr, records_begin_sbe_template_id());
    records_messageHeader_set_schemaId(hdr, records_begin_sbe_schema_id());
    records_messageHeader_set_version(hdr, records_begin_sbe_schema_version());

    records_begin_reset(
        codec,
        buffer + offset + records_messageHeader_encoded_length(),
        0,
        buffer_length - records_messageHeader_encoded_length(),
        records_begin_sbe_block_length(),
        records_begin_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct records_begin *records_begin_wrap_for_encode(
    struct records_begin *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return records_begin_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        records_begin_sbe_block_length(),
        records_begin_sbe_schema_version());
}

SBE_ONE_DEF struct records_begin *records_begin_wrap_for_decode(
    struct records_begin *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return records_begin_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct records_begin *records_begin_sbe_rewind(
    struct records_begin *const codec)
{
    return records_begin_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t records_begin_encoded_length(
    const struct records_begin *const codec)
{
    return records_begin_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *records_begin_buffer(
    const struct records_begin *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *records_begin_mut_buffer(
    struct records_begin *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t records_begin_buffer_length(
    const struct records_begin *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t records_begin_acting_version(
    const struct records_begin *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *records_begin_recordOrdinal_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_recordOrdinal_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t records_begin_recordOrdinal_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_recordOrdinal_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_recordOrdinal_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_recordOrdinal_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t records_begin_recordOrdinal_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_begin_recordOrdinal_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_begin_recordOrdinal_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_begin_recordOrdinal_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_recordOrdinal(
    const struct records_begin *const codec)
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

SBE_ONE_DEF struct records_begin *records_begin_set_recordOrdinal(
    struct records_begin *const codec,
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

SBE_ONE_DEF const char *records_begin_logPosition_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_logPosition_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t records_begin_logPosition_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_logPosition_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_logPosition_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_logPosition_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_logPosition_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_begin_logPosition_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_begin_logPosition_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_begin_logPosition_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_logPosition(
    const struct records_begin *const codec)
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

SBE_ONE_DEF struct records_begin *records_begin_set_logPosition(
    struct records_begin *const codec,
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

SBE_ONE_DEF const char *records_begin_logEntries_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_logEntries_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t records_begin_logEntries_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_logEntries_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_logEntries_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_logEntries_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF uint64_t records_begin_logEntries_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_begin_logEntries_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_begin_logEntries_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_begin_logEntries_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_logEntries(
    const struct records_begin *const codec)
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

SBE_ONE_DEF struct records_begin *records_begin_set_logEntries(
    struct records_begin *const codec,
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

SBE_ONE_DEF const char *records_begin_stateHash_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_stateHash_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t records_begin_stateHash_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_stateHash_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_stateHash_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_stateHash_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF uint64_t records_begin_stateHash_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_begin_stateHash_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_begin_stateHash_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_begin_stateHash_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_stateHash(
    const struct records_begin *const codec)
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

SBE_ONE_DEF struct records_begin *records_begin_set_stateHash(
    struct records_begin *const codec,
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

SBE_ONE_DEF const char *records_begin_logTime_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_logTime_id(void)
{
    return 5;
}

SBE_ONE_DEF uint64_t records_begin_logTime_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_logTime_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_logTime_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_logTime_encoding_offset(void)
{
    return 32;
}

SBE_ONE_DEF int64_t records_begin_logTime_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t records_begin_logTime_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t records_begin_logTime_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t records_begin_logTime_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t records_begin_logTime(
    const struct records_begin *const codec)
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

SBE_ONE_DEF struct records_begin *records_begin_set_logTime(
    struct records_begin *const codec,
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

SBE_ONE_DEF const char *records_begin_serviceTime_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_serviceTime_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t records_begin_serviceTime_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_serviceTime_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_serviceTime_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_serviceTime_encoding_offset(void)
{
    return 40;
}

SBE_ONE_DEF int64_t records_begin_serviceTime_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t records_begin_serviceTime_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t records_begin_serviceTime_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t records_begin_serviceTime_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t records_begin_serviceTime(
    const struct records_begin *const codec)
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

SBE_ONE_DEF struct records_begin *records_begin_set_serviceTime(
    struct records_begin *const codec,
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

SBE_ONE_DEF const char *records_begin_entry_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_entry_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t records_begin_entry_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_entry_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_entry_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_entry_encoding_offset(void)
{
    return 48;
}

SBE_ONE_DEF uint64_t records_begin_entry_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_begin_entry_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_begin_entry_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_begin_entry_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_entry(
    const struct records_begin *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 48, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_entry(
    struct records_begin *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 48, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_engineTime_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_engineTime_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_engineTime_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_engineTime_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_engineTime_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_engineTime_encoding_offset(void)
{
    return 56;
}

SBE_ONE_DEF int64_t records_begin_engineTime_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t records_begin_engineTime_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t records_begin_engineTime_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t records_begin_engineTime_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t records_begin_engineTime(
    const struct records_begin *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 56, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_engineTime(
    struct records_begin *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 56, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_lastOrderId_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_lastOrderId_id(void)
{
    return 9;
}

SBE_ONE_DEF uint64_t records_begin_lastOrderId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_lastOrderId_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_lastOrderId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_lastOrderId_encoding_offset(void)
{
    return 64;
}

SBE_ONE_DEF uint64_t records_begin_lastOrderId_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_begin_lastOrderId_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_begin_lastOrderId_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_begin_lastOrderId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_lastOrderId(
    const struct records_begin *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 64, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_lastOrderId(
    struct records_begin *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 64, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_lastTradeId_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_lastTradeId_id(void)
{
    return 10;
}

SBE_ONE_DEF uint64_t records_begin_lastTradeId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_lastTradeId_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_lastTradeId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_lastTradeId_encoding_offset(void)
{
    return 72;
}

SBE_ONE_DEF uint64_t records_begin_lastTradeId_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_begin_lastTradeId_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_begin_lastTradeId_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_begin_lastTradeId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_lastTradeId(
    const struct records_begin *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 72, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_lastTradeId(
    struct records_begin *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 72, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_lastPriority_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_lastPriority_id(void)
{
    return 11;
}

SBE_ONE_DEF uint64_t records_begin_lastPriority_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_lastPriority_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_lastPriority_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_lastPriority_encoding_offset(void)
{
    return 80;
}

SBE_ONE_DEF uint64_t records_begin_lastPriority_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_begin_lastPriority_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_begin_lastPriority_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_begin_lastPriority_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_lastPriority(
    const struct records_begin *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 80, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_lastPriority(
    struct records_begin *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 80, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_outputSum_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_outputSum_id(void)
{
    return 12;
}

SBE_ONE_DEF uint64_t records_begin_outputSum_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_outputSum_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_outputSum_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_outputSum_encoding_offset(void)
{
    return 88;
}

SBE_ONE_DEF uint64_t records_begin_outputSum_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_begin_outputSum_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_begin_outputSum_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_begin_outputSum_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_outputSum(
    const struct records_begin *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 88, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_outputSum(
    struct records_begin *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 88, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_outputWeight_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_outputWeight_id(void)
{
    return 13;
}

SBE_ONE_DEF uint64_t records_begin_outputWeight_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_outputWeight_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_outputWeight_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_outputWeight_encoding_offset(void)
{
    return 96;
}

SBE_ONE_DEF uint64_t records_begin_outputWeight_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_begin_outputWeight_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_begin_outputWeight_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_begin_outputWeight_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_begin_outputWeight(
    const struct records_begin *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 96, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_outputWeight(
    struct records_begin *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 96, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_formatVersion_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_formatVersion_id(void)
{
    return 14;
}

SBE_ONE_DEF uint64_t records_begin_formatVersion_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_formatVersion_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_formatVersion_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_formatVersion_encoding_offset(void)
{
    return 104;
}

SBE_ONE_DEF uint32_t records_begin_formatVersion_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_begin_formatVersion_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_begin_formatVersion_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_begin_formatVersion_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_begin_formatVersion(
    const struct records_begin *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 104, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_formatVersion(
    struct records_begin *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 104, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_logTerm_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_logTerm_id(void)
{
    return 15;
}

SBE_ONE_DEF uint64_t records_begin_logTerm_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_logTerm_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_logTerm_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_logTerm_encoding_offset(void)
{
    return 108;
}

SBE_ONE_DEF uint32_t records_begin_logTerm_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_begin_logTerm_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_begin_logTerm_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_begin_logTerm_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_begin_logTerm(
    const struct records_begin *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 108, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_logTerm(
    struct records_begin *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 108, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_recordBytes_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_recordBytes_id(void)
{
    return 16;
}

SBE_ONE_DEF uint64_t records_begin_recordBytes_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_recordBytes_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_recordBytes_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_recordBytes_encoding_offset(void)
{
    return 112;
}

SBE_ONE_DEF uint32_t records_begin_recordBytes_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_begin_recordBytes_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_begin_recordBytes_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_begin_recordBytes_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_begin_recordBytes(
    const struct records_begin *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 112, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_recordBytes(
    struct records_begin *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 112, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_rulesVersion_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_rulesVersion_id(void)
{
    return 17;
}

SBE_ONE_DEF uint64_t records_begin_rulesVersion_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_rulesVersion_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_rulesVersion_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_rulesVersion_encoding_offset(void)
{
    return 116;
}

SBE_ONE_DEF uint32_t records_begin_rulesVersion_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_begin_rulesVersion_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_begin_rulesVersion_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_begin_rulesVersion_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_begin_rulesVersion(
    const struct records_begin *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 116, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_rulesVersion(
    struct records_begin *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 116, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_stepBound_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_stepBound_id(void)
{
    return 18;
}

SBE_ONE_DEF uint64_t records_begin_stepBound_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_stepBound_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_stepBound_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_stepBound_encoding_offset(void)
{
    return 120;
}

SBE_ONE_DEF uint32_t records_begin_stepBound_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_begin_stepBound_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_begin_stepBound_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_begin_stepBound_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_begin_stepBound(
    const struct records_begin *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 120, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_begin *records_begin_set_stepBound(
    struct records_begin *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 120, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_begin_restrictions_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_restrictions_id(void)
{
    return 19;
}

SBE_ONE_DEF uint64_t records_begin_restrictions_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_restrictions_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_restrictions_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_restrictions_encoding_offset(void)
{
    return 124;
}

SBE_ONE_DEF struct records_restrictions *records_begin_restrictions(
    struct records_begin *const codec,
    struct records_restrictions *const bitset)
{
    return records_restrictions_wrap(
        bitset,
        codec->buffer,
        codec->offset + 124,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF size_t records_begin_restrictions_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF const char *records_begin_modifyPriority_meta_attribute(
    const enum records_begin_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_begin_meta_attribute_EPOCH: return "";
        case records_begin_meta_attribute_TIME_UNIT: return "";
        case records_begin_meta_attribute_SEMANTIC_TYPE: return "";
        case records_begin_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_begin_modifyPriority_id(void)
{
    return 20;
}

SBE_ONE_DEF uint64_t records_begin_modifyPriority_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_begin_modifyPriority_in_acting_version(
    const struct records_begin *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_begin_modifyPriority_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_begin_modifyPriority_encoding_offset(void)
{
    return 128;
}

SBE_ONE_DEF size_t records_begin_modifyPriority_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool records_begin_modifyPriority(
    const struct records_begin *const codec,
    enum records_modifyPriority *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 128, sizeof(uint8_t));

    return records_modifyPriority_get((val), out);
}

SBE_ONE_DEF struct records_begin *records_begin_set_modifyPriority(
    struct records_begin *const codec,
    const enum records_modifyPriority value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 128, &val, sizeof(uint8_t));

    return codec;
}

#endif
