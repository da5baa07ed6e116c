/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _RECORDS_END_H_
#define _RECORDS_END_H_

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

struct records_end
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum records_end_meta_attribute
{
    records_end_meta_attribute_EPOCH,
    records_end_meta_attribute_TIME_UNIT,
    records_end_meta_attribute_SEMANTIC_TYPE,
    records_end_meta_attribute_PRESENCE
};

union records_end_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union records_end_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct records_end_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t records_end_sbe_position(
    const struct records_end *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool records_end_set_sbe_position(
    struct records_end *const codec,
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

SBE_ONE_DEF uint64_t *records_end_sbe_position_ptr(
    struct records_end *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct records_end *records_end_reset(
    struct records_end *const codec,
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
    if (!records_end_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct records_end *records_end_copy(
    struct records_end *const codec,
    const struct records_end *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t records_end_sbe_block_length(void)
{
    return (uint16_t)84;
}

#define RECORDS_END_SBE_TEMPLATE_ID (uint16_t)10

SBE_ONE_DEF uint16_t records_end_sbe_template_id(void)
{
    return (uint16_t)10;
}

SBE_ONE_DEF uint16_t records_end_sbe_schema_id(void)
{
    return (uint16_t)512;
}

SBE_ONE_DEF uint16_t records_end_sbe_schema_version(void)
{
    return (uint16_t)1;
}

SBE_ONE_DEF const char* records_end_sbe_semantic_version(void)
{
    return "1.0";
}

SBE_ONE_DEF const char *records_end_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t records_end_offset(
    const struct records_end *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct records_end *records_end_wrap_and_apply_header(
    struct records_end *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct records_messageHeader *const hdr)
{
    records_messageHeader_wrap(
        hdr, buffer + offset, 0, records_messageHeader_sbe_schema_version(), buffer_length);

    records_messageHeader_set_blockLength(hdr, records_end_sbe_block_length());
    records_messageHeader_set_templateId(hdr, records_end_sbe_template_id());
    records_messageHeader_set_schemaId(hdr, records_end_sbe_schema_id());
    records_messageHeader_set_version(hdr, records_end_sbe_schema_version());

    records_end_reset(
        codec,
        buffer + offset + records_messageHeader_encoded_length(),
        0,
        buffer_length - records_messageHeader_encoded_length(),
        records_end_sbe_block_length(),
        records_end_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct records_end *records_end_wrap_for_encode(
    struct records_end *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return records_end_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        records_end_sbe_block_length(),
        records_end_sbe_schema_version());
}

SBE_ONE_DEF struct records_end *records_end_wrap_for_decode(
    struct records_end *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return records_end_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct records_end *records_end_sbe_rewind(
    struct records_end *const codec)
{
    return records_end_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t records_end_encoded_length(
    const struct records_end *const codec)
{
    return records_end_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *records_end_buffer(
    const struct records_end *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *records_end_mut_buffer(
    struct records_end *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t records_end_buffer_length(
    const struct records_end *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t records_end_acting_version(
    const struct records_end *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *records_end_recordOrdinal_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_recordOrdinal_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t records_end_recordOrdinal_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_recordOrdinal_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_recordOrdinal_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_recordOrdinal_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t records_end_recordOrdinal_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_end_recordOrdinal_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_end_recordOrdinal_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_end_recordOrdinal_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_recordOrdinal(
    const struct records_end *const codec)
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

SBE_ONE_DEF struct records_end *records_end_set_recordOrdinal(
    struct records_end *const codec,
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

SBE_ONE_DEF const char *records_end_instruments_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_instruments_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t records_end_instruments_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_instruments_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_instruments_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_instruments_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_instruments_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_end_instruments_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_end_instruments_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_end_instruments_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_instruments(
    const struct records_end *const codec)
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

SBE_ONE_DEF struct records_end *records_end_set_instruments(
    struct records_end *const codec,
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

SBE_ONE_DEF const char *records_end_sources_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_sources_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t records_end_sources_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_sources_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_sources_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_sources_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF uint64_t records_end_sources_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_end_sources_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_end_sources_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_end_sources_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_sources(
    const struct records_end *const codec)
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

SBE_ONE_DEF struct records_end *records_end_set_sources(
    struct records_end *const codec,
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

SBE_ONE_DEF const char *records_end_sessions_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_sessions_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t records_end_sessions_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_sessions_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_sessions_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_sessions_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF uint64_t records_end_sessions_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_end_sessions_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_end_sessions_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_end_sessions_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_sessions(
    const struct records_end *const codec)
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

SBE_ONE_DEF struct records_end *records_end_set_sessions(
    struct records_end *const codec,
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

SBE_ONE_DEF const char *records_end_marks_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_marks_id(void)
{
    return 5;
}

SBE_ONE_DEF uint64_t records_end_marks_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_marks_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_marks_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_marks_encoding_offset(void)
{
    return 32;
}

SBE_ONE_DEF uint64_t records_end_marks_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_end_marks_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_end_marks_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_end_marks_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_marks(
    const struct records_end *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 32, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_end *records_end_set_marks(
    struct records_end *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 32, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_end_orders_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_orders_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t records_end_orders_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_orders_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_orders_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_orders_encoding_offset(void)
{
    return 40;
}

SBE_ONE_DEF uint64_t records_end_orders_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_end_orders_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_end_orders_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_end_orders_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_orders(
    const struct records_end *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 40, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_end *records_end_set_orders(
    struct records_end *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 40, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_end_triggers_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_triggers_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t records_end_triggers_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_triggers_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_triggers_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_triggers_encoding_offset(void)
{
    return 48;
}

SBE_ONE_DEF uint64_t records_end_triggers_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_end_triggers_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_end_triggers_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_end_triggers_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_triggers(
    const struct records_end *const codec)
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

SBE_ONE_DEF struct records_end *records_end_set_triggers(
    struct records_end *const codec,
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

SBE_ONE_DEF const char *records_end_pending_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_pending_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_pending_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_pending_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_pending_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_pending_encoding_offset(void)
{
    return 56;
}

SBE_ONE_DEF uint64_t records_end_pending_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_end_pending_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_end_pending_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_end_pending_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_pending(
    const struct records_end *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 56, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct records_end *records_end_set_pending(
    struct records_end *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 56, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_end_engineHash_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_engineHash_id(void)
{
    return 9;
}

SBE_ONE_DEF uint64_t records_end_engineHash_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_engineHash_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_engineHash_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_engineHash_encoding_offset(void)
{
    return 64;
}

SBE_ONE_DEF uint64_t records_end_engineHash_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_end_engineHash_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_end_engineHash_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_end_engineHash_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_engineHash(
    const struct records_end *const codec)
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

SBE_ONE_DEF struct records_end *records_end_set_engineHash(
    struct records_end *const codec,
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

SBE_ONE_DEF const char *records_end_stateHash_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_stateHash_id(void)
{
    return 10;
}

SBE_ONE_DEF uint64_t records_end_stateHash_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_stateHash_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_stateHash_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_stateHash_encoding_offset(void)
{
    return 72;
}

SBE_ONE_DEF uint64_t records_end_stateHash_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_end_stateHash_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_end_stateHash_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_end_stateHash_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_end_stateHash(
    const struct records_end *const codec)
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

SBE_ONE_DEF struct records_end *records_end_set_stateHash(
    struct records_end *const codec,
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

SBE_ONE_DEF const char *records_end_checksum_meta_attribute(
    const enum records_end_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_end_meta_attribute_EPOCH: return "";
        case records_end_meta_attribute_TIME_UNIT: return "";
        case records_end_meta_attribute_SEMANTIC_TYPE: return "";
        case records_end_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_end_checksum_id(void)
{
    return 11;
}

SBE_ONE_DEF uint64_t records_end_checksum_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_end_checksum_in_acting_version(
    const struct records_end *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_end_checksum_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_end_checksum_encoding_offset(void)
{
    return 80;
}

SBE_ONE_DEF uint32_t records_end_checksum_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_end_checksum_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_end_checksum_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_end_checksum_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_end_checksum(
    const struct records_end *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 80, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_end *records_end_set_checksum(
    struct records_end *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 80, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

#endif
