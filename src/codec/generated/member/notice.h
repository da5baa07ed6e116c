/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _MEMBER_NOTICE_H_
#define _MEMBER_NOTICE_H_

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

#include "messageHeader.h"
#include "configurationBytes.h"

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

struct member_notice
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum member_notice_meta_attribute
{
    member_notice_meta_attribute_EPOCH,
    member_notice_meta_attribute_TIME_UNIT,
    member_notice_meta_attribute_SEMANTIC_TYPE,
    member_notice_meta_attribute_PRESENCE
};

union member_notice_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union member_notice_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct member_notice_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t member_notice_sbe_position(
    const struct member_notice *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool member_notice_set_sbe_position(
    struct member_notice *const codec,
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

SBE_ONE_DEF uint64_t *member_notice_sbe_position_ptr(
    struct member_notice *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct member_notice *member_notice_reset(
    struct member_notice *const codec,
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
    if (!member_notice_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct member_notice *member_notice_copy(
    struct member_notice *const codec,
    const struct member_notice *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t member_notice_sbe_block_length(void)
{
    return (uint16_t)16;
}

#define MEMBER_NOTICE_SBE_TEMPLATE_ID (uint16_t)3

SBE_ONE_DEF uint16_t member_notice_sbe_template_id(void)
{
    return (uint16_t)3;
}

SBE_ONE_DEF uint16_t member_notice_sbe_schema_id(void)
{
    return (uint16_t)513;
}

SBE_ONE_DEF uint16_t member_notice_sbe_schema_version(void)
{
    return (uint16_t)2;
}

SBE_ONE_DEF const char* member_notice_sbe_semantic_version(void)
{
    return "2.0";
}

SBE_ONE_DEF const char *member_notice_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t member_notice_offset(
    const struct member_notice *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct member_notice *member_notice_wrap_and_apply_header(
    struct member_notice *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct member_messageHeader *const hdr)
{
    member_messageHeader_wrap(
        hdr, buffer + offset, 0, member_messageHeader_sbe_schema_version(), buffer_length);

    member_messageHeader_set_blockLength(hdr, member_notice_sbe_block_length());
    member_messageHeader_set_templateId(hdr, member_notice_sbe_template_id());
    member_messageHeader_set_schemaId(hdr, member_notice_sbe_schema_id());
    member_messageHeader_set_version(hdr, member_notice_sbe_schema_version());

    member_notice_reset(
        codec,
        buffer + offset + member_messageHeader_encoded_length(),
        0,
        buffer_length - member_messageHeader_encoded_length(),
        member_notice_sbe_block_length(),
        member_notice_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct member_notice *member_notice_wrap_for_encode(
    struct member_notice *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return member_notice_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        member_notice_sbe_block_length(),
        member_notice_sbe_schema_version());
}

SBE_ONE_DEF struct member_notice *member_notice_wrap_for_decode(
    struct member_notice *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return member_notice_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct member_notice *member_notice_sbe_rewind(
    struct member_notice *const codec)
{
    return member_notice_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t member_notice_encoded_length(
    const struct member_notice *const codec)
{
    return member_notice_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *member_notice_buffer(
    const struct member_notice *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *member_notice_mut_buffer(
    struct member_notice *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t member_notice_buffer_length(
    const struct member_notice *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t member_notice_acting_version(
    const struct member_notice *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *member_notice_member_meta_attribute(
    const enum member_notice_meta_attribute attribute)
{
    switch (attribute)
    {
        case member_notice_meta_attribute_EPOCH: return "";
        case member_notice_meta_attribute_TIME_UNIT: return "";
        case member_notice_meta_attribute_SEMANTIC_TYPE: return "";
        case member_notice_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t member_notice_member_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t member_notice_member_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool member_notice_member_in_acting_version(
    const struct member_notice *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= member_notice_member_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t member_notice_member_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF int32_t member_notice_member_null_value(void)
{
    return SBE_NULLVALUE_INT32;
}

SBE_ONE_DEF int32_t member_notice_member_min_value(void)
{
    return INT32_C(-2147483647);
}

SBE_ONE_DEF int32_t member_notice_member_max_value(void)
{
    return INT32_C(2147483647);
}

SBE_ONE_DEF size_t member_notice_member_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF int32_t member_notice_member(
    const struct member_notice *const codec)
{
    int32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct member_notice *member_notice_set_member(
    struct member_notice *const codec,
    const int32_t value)
{
    int32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *member_notice_notice_meta_attribute(
    const enum member_notice_meta_attribute attribute)
{
    switch (attribute)
    {
        case member_notice_meta_attribute_EPOCH: return "";
        case member_notice_meta_attribute_TIME_UNIT: return "";
        case member_notice_meta_attribute_SEMANTIC_TYPE: return "";
        case member_notice_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t member_notice_notice_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t member_notice_notice_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool member_notice_notice_in_acting_version(
    const struct member_notice *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= member_notice_notice_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t member_notice_notice_encoding_offset(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t member_notice_notice_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t member_notice_notice_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t member_notice_notice_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t member_notice_notice_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t member_notice_notice(
    const struct member_notice *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 4, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct member_notice *member_notice_set_notice(
    struct member_notice *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 4, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *member_notice_position_meta_attribute(
    const enum member_notice_meta_attribute attribute)
{
    switch (attribute)
    {
        case member_notice_meta_attribute_EPOCH: return "";
        case member_notice_meta_attribute_TIME_UNIT: return "";
        case member_notice_meta_attribute_SEMANTIC_TYPE: return "";
        case member_notice_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t member_notice_position_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t member_notice_position_since_version(void)
{
    return 2;
}

SBE_ONE_DEF bool member_notice_position_in_acting_version(
    const struct member_notice *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= member_notice_position_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t member_notice_position_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t member_notice_position_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t member_notice_position_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t member_notice_position_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t member_notice_position_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t member_notice_position(
    const struct member_notice *const codec)
{
    if (codec->acting_version < 2)
    {
        return UINT64_C(0xffffffffffffffff);
    }

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

SBE_ONE_DEF struct member_notice *member_notice_set_position(
    struct member_notice *const codec,
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

#endif
