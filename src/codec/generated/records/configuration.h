/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _RECORDS_CONFIGURATION_H_
#define _RECORDS_CONFIGURATION_H_

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

struct records_configuration
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum records_configuration_meta_attribute
{
    records_configuration_meta_attribute_EPOCH,
    records_configuration_meta_attribute_TIME_UNIT,
    records_configuration_meta_attribute_SEMANTIC_TYPE,
    records_configuration_meta_attribute_PRESENCE
};

union records_configuration_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union records_configuration_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct records_configuration_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t records_configuration_sbe_position(
    const struct records_configuration *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool records_configuration_set_sbe_position(
    struct records_configuration *const codec,
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

SBE_ONE_DEF uint64_t *records_configuration_sbe_position_ptr(
    struct records_configuration *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct records_configuration *records_configuration_reset(
    struct records_configuration *const codec,
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
    if (!records_configuration_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct records_configuration *records_configuration_copy(
    struct records_configuration *const codec,
    const struct records_configuration *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t records_configuration_sbe_block_length(void)
{
    return (uint16_t)16;
}

#define RECORDS_CONFIGURATION_SBE_TEMPLATE_ID (uint16_t)2

SBE_ONE_DEF uint16_t records_configuration_sbe_template_id(void)
{
    return (uint16_t)2;
}

SBE_ONE_DEF uint16_t records_configuration_sbe_schema_id(void)
{
    return (uint16_t)512;
}

SBE_ONE_DEF uint16_t records_configuration_sbe_schema_version(void)
{
    return (uint16_t)1;
}

SBE_ONE_DEF const char* records_configuration_sbe_semantic_version(void)
{
    return "1.0";
}

SBE_ONE_DEF const char *records_configuration_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t records_configuration_offset(
    const struct records_configuration *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct records_configuration *records_configuration_wrap_and_apply_header(
    struct records_configuration *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct records_messageHeader *const hdr)
{
    records_messageHeader_wrap(
        hdr, buffer + offset, 0, records_messageHeader_sbe_schema_version(), buffer_length);

    records_messageHeader_set_blockLength(hdr, records_configuration_sbe_block_length());
    records_messageHeader_set_templateId(hdr, records_configuration_sbe_template_id());
    records_messageHeader_set_schemaId(hdr, records_configuration_sbe_schema_id());
    records_messageHeader_set_version(hdr, records_configuration_sbe_schema_version());

    records_configuration_reset(
        codec,
        buffer + offset + records_messageHeader_encoded_length(),
        0,
        buffer_length - records_messageHeader_encoded_length(),
        records_configuration_sbe_block_length(),
        records_configuration_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct records_configuration *records_configuration_wrap_for_encode(
    struct records_configuration *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return records_configuration_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        records_configuration_sbe_block_length(),
        records_configuration_sbe_schema_version());
}

SBE_ONE_DEF struct records_configuration *records_configuration_wrap_for_decode(
    struct records_configuration *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return records_configuration_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct records_configuration *records_configuration_sbe_rewind(
    struct records_configuration *const codec)
{
    return records_configuration_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t records_configuration_encoded_length(
    const struct records_configuration *const codec)
{
    return records_configuration_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *records_configuration_buffer(
    const struct records_configuration *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *records_configuration_mut_buffer(
    struct records_configuration *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t records_configuration_buffer_length(
    const struct records_configuration *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t records_configuration_acting_version(
    const struct records_configuration *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *records_configuration_recordOrdinal_meta_attribute(
    const enum records_configuration_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_configuration_meta_attribute_EPOCH: return "";
        case records_configuration_meta_attribute_TIME_UNIT: return "";
        case records_configuration_meta_attribute_SEMANTIC_TYPE: return "";
        case records_configuration_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_configuration_recordOrdinal_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t records_configuration_recordOrdinal_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_configuration_recordOrdinal_in_acting_version(
    const struct records_configuration *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_configuration_recordOrdinal_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_configuration_recordOrdinal_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t records_configuration_recordOrdinal_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t records_configuration_recordOrdinal_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t records_configuration_recordOrdinal_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t records_configuration_recordOrdinal_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t records_configuration_recordOrdinal(
    const struct records_configuration *const codec)
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

SBE_ONE_DEF struct records_configuration *records_configuration_set_recordOrdinal(
    struct records_configuration *const codec,
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

SBE_ONE_DEF const char *records_configuration_totalLength_meta_attribute(
    const enum records_configuration_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_configuration_meta_attribute_EPOCH: return "";
        case records_configuration_meta_attribute_TIME_UNIT: return "";
        case records_configuration_meta_attribute_SEMANTIC_TYPE: return "";
        case records_configuration_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_configuration_totalLength_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t records_configuration_totalLength_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_configuration_totalLength_in_acting_version(
    const struct records_configuration *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_configuration_totalLength_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_configuration_totalLength_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint32_t records_configuration_totalLength_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_configuration_totalLength_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_configuration_totalLength_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_configuration_totalLength_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_configuration_totalLength(
    const struct records_configuration *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 8, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_configuration *records_configuration_set_totalLength(
    struct records_configuration *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 8, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_configuration_partOffset_meta_attribute(
    const enum records_configuration_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_configuration_meta_attribute_EPOCH: return "";
        case records_configuration_meta_attribute_TIME_UNIT: return "";
        case records_configuration_meta_attribute_SEMANTIC_TYPE: return "";
        case records_configuration_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t records_configuration_partOffset_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t records_configuration_partOffset_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_configuration_partOffset_in_acting_version(
    const struct records_configuration *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_configuration_partOffset_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t records_configuration_partOffset_encoding_offset(void)
{
    return 12;
}

SBE_ONE_DEF uint32_t records_configuration_partOffset_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t records_configuration_partOffset_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t records_configuration_partOffset_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t records_configuration_partOffset_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t records_configuration_partOffset(
    const struct records_configuration *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 12, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct records_configuration *records_configuration_set_partOffset(
    struct records_configuration *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 12, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *records_configuration_part_meta_attribute(
    const enum records_configuration_meta_attribute attribute)
{
    switch (attribute)
    {
        case records_configuration_meta_attribute_EPOCH: return "";
        case records_configuration_meta_attribute_TIME_UNIT: return "";
        case records_configuration_meta_attribute_SEMANTIC_TYPE: return "";
        case records_configuration_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *records_configuration_part_character_encoding(void)
{
    return "null";
}

SBE_ONE_DEF uint64_t records_configuration_part_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool records_configuration_part_in_acting_version(
    const struct records_configuration *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= records_configuration_part_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t records_configuration_part_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t records_configuration_part_header_length(void)
{
    return 2;
}

SBE_ONE_DEF uint16_t records_configuration_part_length(
    const struct records_configuration *const codec)
{
    uint16_t length;
    memcpy(&length, codec->buffer + records_configuration_sbe_position(codec), sizeof(uint16_t));

    return SBE_LITTLE_ENDIAN_ENCODE_16(length);
}

SBE_ONE_DEF const char *records_configuration_part(
    struct records_configuration *const codec)
{
    uint16_t length_field_value;
    memcpy(&length_field_value, codec->buffer + records_configuration_sbe_position(codec), sizeof(uint16_t));
    const char *field_ptr = (codec->buffer + records_configuration_sbe_position(codec) + 2);

    if (!records_configuration_set_sbe_position(
        codec, records_configuration_sbe_position(codec) + 2 + SBE_LITTLE_ENDIAN_ENCODE_16(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t records_configuration_get_part(
    struct records_configuration *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 2;
    uint64_t length_position = records_configuration_sbe_position(codec);
    if (!records_configuration_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint16_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint16_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_16(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = records_configuration_sbe_position(codec);

    if (!records_configuration_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct records_configuration_string_view records_configuration_get_part_as_string_view(
    struct records_configuration *const codec)
{
    uint16_t length_field_value = records_configuration_part_length(codec);
    const char *field_ptr = codec->buffer + records_configuration_sbe_position(codec) + 2;
    if (!records_configuration_set_sbe_position(
        codec, records_configuration_sbe_position(codec) + 2 + length_field_value))
    {
        struct records_configuration_string_view ret = {NULL, 0};
        return ret;
    }

    struct records_configuration_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct records_configuration *records_configuration_put_part(
    struct records_configuration *const codec,
    const char *src,
    const uint16_t length)
{
    uint64_t length_of_length_field = 2;
    uint64_t length_position = records_configuration_sbe_position(codec);
    uint16_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_16(length);
    if (!records_configuration_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint16_t));
    uint64_t pos = records_configuration_sbe_position(codec);

    if (!records_configuration_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

#endif
