/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _CLUSTER_SNAPSHOTMARKER_H_
#define _CLUSTER_SNAPSHOTMARKER_H_

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

#include "clusterTimeUnit.h"
#include "clusterAction.h"
#include "messageHeader.h"
#include "adminResponseCode.h"
#include "booleanType.h"
#include "groupSizeEncoding.h"
#include "varAsciiEncoding.h"
#include "adminRequestType.h"
#include "eventCode.h"
#include "varDataEncoding.h"
#include "snapshotMark.h"
#include "closeReason.h"
#include "changeType.h"

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

struct cluster_snapshotMarker
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum cluster_snapshotMarker_meta_attribute
{
    cluster_snapshotMarker_meta_attribute_EPOCH,
    cluster_snapshotMarker_meta_attribute_TIME_UNIT,
    cluster_snapshotMarker_meta_attribute_SEMANTIC_TYPE,
    cluster_snapshotMarker_meta_attribute_PRESENCE
};

union cluster_snapshotMarker_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union cluster_snapshotMarker_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct cluster_snapshotMarker_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t cluster_snapshotMarker_sbe_position(
    const struct cluster_snapshotMarker *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool cluster_snapshotMarker_set_sbe_position(
    struct cluster_snapshotMarker *const codec,
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

SBE_ONE_DEF uint64_t *cluster_snapshotMarker_sbe_position_ptr(
    struct cluster_snapshotMarker *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_reset(
    struct cluster_snapshotMarker *const codec,
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
    if (!cluster_snapshotMarker_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_copy(
    struct cluster_snapshotMarker *const codec,
    const struct cluster_snapshotMarker *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t cluster_snapshotMarker_sbe_block_length(void)
{
    return (uint16_t)40;
}

#define CLUSTER_SNAPSHOT_MARKER_SBE_TEMPLATE_ID (uint16_t)100

SBE_ONE_DEF uint16_t cluster_snapshotMarker_sbe_template_id(void)
{
    return (uint16_t)100;
}

SBE_ONE_DEF uint16_t cluster_snapshotMarker_sbe_schema_id(void)
{
    return (uint16_t)111;
}

SBE_ONE_DEF uint16_t cluster_snapshotMarker_sbe_schema_version(void)
{
    return (uint16_t)17;
}

SBE_ONE_DEF const char* cluster_snapshotMarker_sbe_semantic_version(void)
{
    return "5.4";
}

SBE_ONE_DEF const char *cluster_snapshotMarker_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_offset(
    const struct cluster_snapshotMarker *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_wrap_and_apply_header(
    struct cluster_snapshotMarker *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct cluster_messageHeader *const hdr)
{
    cluster_messageHeader_wrap(
        hdr, buffer + offset, 0, cluster_messageHeader_sbe_schema_version(), buffer_length);

    cluster_messageHeader_set_blockLength(hdr, cluster_snapshotMarker_sbe_block_length());
    cluster_messageHeader_set_templateId(hdr, cluster_snapshotMarker_sbe_template_id());
    cluster_messageHeader_set_schemaId(hdr, cluster_snapshotMarker_sbe_schema_id());
    cluster_messageHeader_set_version(hdr, cluster_snapshotMarker_sbe_schema_version());

    cluster_snapshotMarker_reset(
        codec,
        buffer + offset + cluster_messageHeader_encoded_length(),
        0,
        buffer_length - cluster_messageHeader_encoded_length(),
        cluster_snapshotMarker_sbe_block_length(),
        cluster_snapshotMarker_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_wrap_for_encode(
    struct cluster_snapshotMarker *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return cluster_snapshotMarker_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        cluster_snapshotMarker_sbe_block_length(),
        cluster_snapshotMarker_sbe_schema_version());
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_wrap_for_decode(
    struct cluster_snapshotMarker *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return cluster_snapshotMarker_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_sbe_rewind(
    struct cluster_snapshotMarker *const codec)
{
    return cluster_snapshotMarker_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_encoded_length(
    const struct cluster_snapshotMarker *const codec)
{
    return cluster_snapshotMarker_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *cluster_snapshotMarker_buffer(
    const struct cluster_snapshotMarker *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *cluster_snapshotMarker_mut_buffer(
    struct cluster_snapshotMarker *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_buffer_length(
    const struct cluster_snapshotMarker *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_acting_version(
    const struct cluster_snapshotMarker *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *cluster_snapshotMarker_typeId_meta_attribute(
    const enum cluster_snapshotMarker_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_snapshotMarker_meta_attribute_EPOCH: return "";
        case cluster_snapshotMarker_meta_attribute_TIME_UNIT: return "";
        case cluster_snapshotMarker_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_snapshotMarker_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_snapshotMarker_typeId_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_typeId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_snapshotMarker_typeId_in_acting_version(
    const struct cluster_snapshotMarker *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_snapshotMarker_typeId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_snapshotMarker_typeId_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_typeId_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_typeId_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_typeId_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_snapshotMarker_typeId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_typeId(
    const struct cluster_snapshotMarker *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_set_typeId(
    struct cluster_snapshotMarker *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *cluster_snapshotMarker_logPosition_meta_attribute(
    const enum cluster_snapshotMarker_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_snapshotMarker_meta_attribute_EPOCH: return "";
        case cluster_snapshotMarker_meta_attribute_TIME_UNIT: return "";
        case cluster_snapshotMarker_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_snapshotMarker_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_snapshotMarker_logPosition_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_logPosition_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_snapshotMarker_logPosition_in_acting_version(
    const struct cluster_snapshotMarker *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_snapshotMarker_logPosition_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_snapshotMarker_logPosition_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_logPosition_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_logPosition_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_logPosition_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_snapshotMarker_logPosition_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_logPosition(
    const struct cluster_snapshotMarker *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 8, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_set_logPosition(
    struct cluster_snapshotMarker *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 8, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *cluster_snapshotMarker_leadershipTermId_meta_attribute(
    const enum cluster_snapshotMarker_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_snapshotMarker_meta_attribute_EPOCH: return "";
        case cluster_snapshotMarker_meta_attribute_TIME_UNIT: return "";
        case cluster_snapshotMarker_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_snapshotMarker_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_snapshotMarker_leadershipTermId_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_leadershipTermId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_snapshotMarker_leadershipTermId_in_acting_version(
    const struct cluster_snapshotMarker *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_snapshotMarker_leadershipTermId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_snapshotMarker_leadershipTermId_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_leadershipTermId_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_leadershipTermId_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_leadershipTermId_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_snapshotMarker_leadershipTermId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_snapshotMarker_leadershipTermId(
    const struct cluster_snapshotMarker *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 16, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_set_leadershipTermId(
    struct cluster_snapshotMarker *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 16, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *cluster_snapshotMarker_index_meta_attribute(
    const enum cluster_snapshotMarker_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_snapshotMarker_meta_attribute_EPOCH: return "";
        case cluster_snapshotMarker_meta_attribute_TIME_UNIT: return "";
        case cluster_snapshotMarker_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_snapshotMarker_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_snapshotMarker_index_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_index_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_snapshotMarker_index_in_acting_version(
    const struct cluster_snapshotMarker *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_snapshotMarker_index_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_snapshotMarker_index_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF int32_t cluster_snapshotMarker_index_null_value(void)
{
    return SBE_NULLVALUE_INT32;
}

SBE_ONE_DEF int32_t cluster_snapshotMarker_index_min_value(void)
{
    return INT32_C(-2147483647);
}

SBE_ONE_DEF int32_t cluster_snapshotMarker_index_max_value(void)
{
    return INT32_C(2147483647);
}

SBE_ONE_DEF size_t cluster_snapshotMarker_index_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF int32_t cluster_snapshotMarker_index(
    const struct cluster_snapshotMarker *const codec)
{
    int32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 24, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_set_index(
    struct cluster_snapshotMarker *const codec,
    const int32_t value)
{
    int32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 24, &val, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *cluster_snapshotMarker_mark_meta_attribute(
    const enum cluster_snapshotMarker_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_snapshotMarker_meta_attribute_EPOCH: return "";
        case cluster_snapshotMarker_meta_attribute_TIME_UNIT: return "";
        case cluster_snapshotMarker_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_snapshotMarker_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_snapshotMarker_mark_id(void)
{
    return 5;
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_mark_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_snapshotMarker_mark_in_acting_version(
    const struct cluster_snapshotMarker *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_snapshotMarker_mark_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_snapshotMarker_mark_encoding_offset(void)
{
    return 28;
}

SBE_ONE_DEF size_t cluster_snapshotMarker_mark_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF bool cluster_snapshotMarker_mark(
    const struct cluster_snapshotMarker *const codec,
    enum cluster_snapshotMark *const out)
{
    int32_t val;
    memcpy(&val, codec->buffer + codec->offset + 28, sizeof(int32_t));

    return cluster_snapshotMark_get(SBE_LITTLE_ENDIAN_ENCODE_32(val), out);
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_set_mark(
    struct cluster_snapshotMarker *const codec,
    const enum cluster_snapshotMark value)
{
    int32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
    memcpy(codec->buffer + codec->offset + 28, &val, sizeof(int32_t));

    return codec;
}

SBE_ONE_DEF const char *cluster_snapshotMarker_timeUnit_meta_attribute(
    const enum cluster_snapshotMarker_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_snapshotMarker_meta_attribute_EPOCH: return "";
        case cluster_snapshotMarker_meta_attribute_TIME_UNIT: return "";
        case cluster_snapshotMarker_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_snapshotMarker_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_snapshotMarker_timeUnit_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_timeUnit_since_version(void)
{
    return 4;
}

SBE_ONE_DEF bool cluster_snapshotMarker_timeUnit_in_acting_version(
    const struct cluster_snapshotMarker *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_snapshotMarker_timeUnit_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_snapshotMarker_timeUnit_encoding_offset(void)
{
    return 32;
}

SBE_ONE_DEF size_t cluster_snapshotMarker_timeUnit_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF bool cluster_snapshotMarker_timeUnit(
    const struct cluster_snapshotMarker *const codec,
    enum cluster_clusterTimeUnit *const out)
{
    if (codec->acting_version < 4)
    {
        return false;
    }

    int32_t val;
    memcpy(&val, codec->buffer + codec->offset + 32, sizeof(int32_t));

    return cluster_clusterTimeUnit_get(SBE_LITTLE_ENDIAN_ENCODE_32(val), out);
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_set_timeUnit(
    struct cluster_snapshotMarker *const codec,
    const enum cluster_clusterTimeUnit value)
{
    int32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
    memcpy(codec->buffer + codec->offset + 32, &val, sizeof(int32_t));

    return codec;
}

SBE_ONE_DEF const char *cluster_snapshotMarker_appVersion_meta_attribute(
    const enum cluster_snapshotMarker_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_snapshotMarker_meta_attribute_EPOCH: return "";
        case cluster_snapshotMarker_meta_attribute_TIME_UNIT: return "";
        case cluster_snapshotMarker_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_snapshotMarker_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_snapshotMarker_appVersion_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t cluster_snapshotMarker_appVersion_since_version(void)
{
    return 4;
}

SBE_ONE_DEF bool cluster_snapshotMarker_appVersion_in_acting_version(
    const struct cluster_snapshotMarker *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_snapshotMarker_appVersion_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_snapshotMarker_appVersion_encoding_offset(void)
{
    return 36;
}

SBE_ONE_DEF int32_t cluster_snapshotMarker_appVersion_null_value(void)
{
    return INT32_C(0);
}

SBE_ONE_DEF int32_t cluster_snapshotMarker_appVersion_min_value(void)
{
    return INT32_C(1);
}

SBE_ONE_DEF int32_t cluster_snapshotMarker_appVersion_max_value(void)
{
    return INT32_C(16777215);
}

SBE_ONE_DEF size_t cluster_snapshotMarker_appVersion_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF int32_t cluster_snapshotMarker_appVersion(
    const struct cluster_snapshotMarker *const codec)
{
    if (codec->acting_version < 4)
    {
        return INT32_C(0);
    }

    int32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 36, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct cluster_snapshotMarker *cluster_snapshotMarker_set_appVersion(
    struct cluster_snapshotMarker *const codec,
    const int32_t value)
{
    int32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 36, &val, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

#endif
