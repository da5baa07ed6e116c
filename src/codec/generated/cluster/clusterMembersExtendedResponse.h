/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _CLUSTER_CLUSTERMEMBERSEXTENDEDRESPONSE_H_
#define _CLUSTER_CLUSTERMEMBERSEXTENDEDRESPONSE_H_

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

struct cluster_clusterMembersExtendedResponse
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum cluster_clusterMembersExtendedResponse_meta_attribute
{
    cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH,
    cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT,
    cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE,
    cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE
};

union cluster_clusterMembersExtendedResponse_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union cluster_clusterMembersExtendedResponse_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct cluster_clusterMembersExtendedResponse_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_sbe_position(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_set_sbe_position(
    struct cluster_clusterMembersExtendedResponse *const codec,
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

SBE_ONE_DEF uint64_t *cluster_clusterMembersExtendedResponse_sbe_position_ptr(
    struct cluster_clusterMembersExtendedResponse *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse *cluster_clusterMembersExtendedResponse_reset(
    struct cluster_clusterMembersExtendedResponse *const codec,
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
    if (!cluster_clusterMembersExtendedResponse_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse *cluster_clusterMembersExtendedResponse_copy(
    struct cluster_clusterMembersExtendedResponse *const codec,
    const struct cluster_clusterMembersExtendedResponse *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_sbe_block_length(void)
{
    return (uint16_t)24;
}

#define CLUSTER_CLUSTER_MEMBERS_EXTENDED_RESPONSE_SBE_TEMPLATE_ID (uint16_t)43

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_sbe_template_id(void)
{
    return (uint16_t)43;
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_sbe_schema_id(void)
{
    return (uint16_t)111;
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_sbe_schema_version(void)
{
    return (uint16_t)17;
}

SBE_ONE_DEF const char* cluster_clusterMembersExtendedResponse_sbe_semantic_version(void)
{
    return "5.4";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_offset(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse *cluster_clusterMembersExtendedResponse_wrap_and_apply_header(
    struct cluster_clusterMembersExtendedResponse *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct cluster_messageHeader *const hdr)
{
    cluster_messageHeader_wrap(
        hdr, buffer + offset, 0, cluster_messageHeader_sbe_schema_version(), buffer_length);

    cluster_messageHeader_set_blockLength(hdr, cluster_clusterMembersExtendedResponse_sbe_block_length());
    cluster_messageHeader_set_templateId(hdr, cluster_clusterMembersExtendedResponse_sbe_template_id());
    cluster_messageHeader_set_schemaId(hdr, cluster_clusterMembersExtendedResponse_sbe_schema_id());
    cluster_messageHeader_set_version(hdr, cluster_clusterMembersExtendedResponse_sbe_schema_version());

    cluster_clusterMembersExtendedResponse_reset(
        codec,
        buffer + offset + cluster_messageHeader_encoded_length(),
        0,
        buffer_length - cluster_messageHeader_encoded_length(),
        cluster_clusterMembersExtendedResponse_sbe_block_length(),
        cluster_clusterMembersExtendedResponse_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse *cluster_clusterMembersExtendedResponse_wrap_for_encode(
    struct cluster_clusterMembersExtendedResponse *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return cluster_clusterMembersExtendedResponse_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        cluster_clusterMembersExtendedResponse_sbe_block_length(),
        cluster_clusterMembersExtendedResponse_sbe_schema_version());
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse *cluster_clusterMembersExtendedResponse_wrap_for_decode(
    struct cluster_clusterMembersExtendedResponse *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return cluster_clusterMembersExtendedResponse_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse *cluster_clusterMembersExtendedResponse_sbe_rewind(
    struct cluster_clusterMembersExtendedResponse *const codec)
{
    return cluster_clusterMembersExtendedResponse_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_encoded_length(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
    return cluster_clusterMembersExtendedResponse_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_buffer(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *cluster_clusterMembersExtendedResponse_mut_buffer(
    struct cluster_clusterMembersExtendedResponse *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_buffer_length(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_acting_version(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_correlationId_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_correlationId_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_correlationId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_correlationId_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_correlationId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_correlationId_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_correlationId_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_correlationId_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_correlationId_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_correlationId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_correlationId(
    const struct cluster_clusterMembersExtendedResponse *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse *cluster_clusterMembersExtendedResponse_set_correlationId(
    struct cluster_clusterMembersExtendedResponse *const codec,
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

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_currentTimeNs_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_currentTimeNs_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_currentTimeNs_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_currentTimeNs_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_currentTimeNs_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_currentTimeNs_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_currentTimeNs_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_currentTimeNs_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_currentTimeNs_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_currentTimeNs_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_currentTimeNs(
    const struct cluster_clusterMembersExtendedResponse *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse *cluster_clusterMembersExtendedResponse_set_currentTimeNs(
    struct cluster_clusterMembersExtendedResponse *const codec,
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

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_leaderMemberId_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_leaderMemberId_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_leaderMemberId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_leaderMemberId_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_leaderMemberId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_leaderMemberId_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_leaderMemberId_null_value(void)
{
    return SBE_NULLVALUE_INT32;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_leaderMemberId_min_value(void)
{
    return INT32_C(-2147483647);
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_leaderMemberId_max_value(void)
{
    return INT32_C(2147483647);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_leaderMemberId_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_leaderMemberId(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
    int32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 16, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse *cluster_clusterMembersExtendedResponse_set_leaderMemberId(
    struct cluster_clusterMembersExtendedResponse *const codec,
    const int32_t value)
{
    int32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 16, &val, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_memberId_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_memberId_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_memberId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_memberId_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_memberId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_memberId_encoding_offset(void)
{
    return 20;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_memberId_null_value(void)
{
    return SBE_NULLVALUE_INT32;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_memberId_min_value(void)
{
    return INT32_C(-2147483647);
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_memberId_max_value(void)
{
    return INT32_C(2147483647);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_memberId_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_memberId(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
    int32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 20, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse *cluster_clusterMembersExtendedResponse_set_memberId(
    struct cluster_clusterMembersExtendedResponse *const codec,
    const int32_t value)
{
    int32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 20, &val, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

struct cluster_clusterMembersExtendedResponse_activeMembers
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

SBE_ONE_DEF uint64_t *cluster_clusterMembersExtendedResponse_activeMembers_sbe_position_ptr(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    return codec->position_ptr;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_wrap_for_decode(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    char *const buffer,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct cluster_groupSizeEncoding dimensions;
    if (!cluster_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    codec->block_length = cluster_groupSizeEncoding_blockLength(&dimensions);
    codec->count = cluster_groupSizeEncoding_numInGroup(&dimensions);
    codec->index = -1;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_wrap_for_encode(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    char *const buffer,
    const uint16_t count,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
    if (count > 65534)
    {
        errno = E110;
        return NULL;
    }
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct cluster_groupSizeEncoding dimensions;
    if (!cluster_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    cluster_groupSizeEncoding_set_blockLength(&dimensions, (uint16_t)28);
    cluster_groupSizeEncoding_set_numInGroup(&dimensions, (uint16_t)count);
    codec->index = -1;
    codec->count = count;
    codec->block_length = 28;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_sbe_header_size(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_sbe_block_length(void)
{
    return 28;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
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

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
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

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_count(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    return codec->count;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_has_next(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_next(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_for_each(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    void (*func)(struct cluster_clusterMembersExtendedResponse_activeMembers *, void *),
    void *const context)
{
    while (cluster_clusterMembersExtendedResponse_activeMembers_has_next(codec))
    {
        if (!cluster_clusterMembersExtendedResponse_activeMembers_next(codec))
        {
            return NULL;
        }
        func(codec, context);
    }

    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_leadershipTermId(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_set_leadershipTermId(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
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

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_logPosition_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_activeMembers_logPosition_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_logPosition_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_logPosition_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_activeMembers_logPosition_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_activeMembers_logPosition_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_logPosition_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_logPosition_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_logPosition_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_activeMembers_logPosition_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_logPosition(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_set_logPosition(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
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

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_activeMembers_timeOfLastAppendNs(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_set_timeOfLastAppendNs(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
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

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_memberId_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_activeMembers_memberId_id(void)
{
    return 9;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_memberId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_memberId_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_activeMembers_memberId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_activeMembers_memberId_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_activeMembers_memberId_null_value(void)
{
    return SBE_NULLVALUE_INT32;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_activeMembers_memberId_min_value(void)
{
    return INT32_C(-2147483647);
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_activeMembers_memberId_max_value(void)
{
    return INT32_C(2147483647);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_activeMembers_memberId_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_activeMembers_memberId(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_set_memberId(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
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

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_ingressEndpoint_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_ingressEndpoint_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_ingressEndpoint_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_ingressEndpoint_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_activeMembers_ingressEndpoint_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_activeMembers_ingressEndpoint_id(void)
{
    return 10;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_ingressEndpoint_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_clusterMembersExtendedResponse_activeMembers_ingressEndpoint_length(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_ingressEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_get_ingressEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_string_view cluster_clusterMembersExtendedResponse_activeMembers_get_ingressEndpoint_as_string_view(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length_field_value = cluster_clusterMembersExtendedResponse_activeMembers_ingressEndpoint_length(codec);
    const char *field_ptr = codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4;
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_clusterMembersExtendedResponse_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_clusterMembersExtendedResponse_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_put_ingressEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_consensusEndpoint_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_consensusEndpoint_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_consensusEndpoint_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_consensusEndpoint_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_activeMembers_consensusEndpoint_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_activeMembers_consensusEndpoint_id(void)
{
    return 11;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_consensusEndpoint_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_clusterMembersExtendedResponse_activeMembers_consensusEndpoint_length(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_consensusEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_get_consensusEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_string_view cluster_clusterMembersExtendedResponse_activeMembers_get_consensusEndpoint_as_string_view(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length_field_value = cluster_clusterMembersExtendedResponse_activeMembers_consensusEndpoint_length(codec);
    const char *field_ptr = codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4;
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_clusterMembersExtendedResponse_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_clusterMembersExtendedResponse_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_put_consensusEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_logEndpoint_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_logEndpoint_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_logEndpoint_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_logEndpoint_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_activeMembers_logEndpoint_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_activeMembers_logEndpoint_id(void)
{
    return 12;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_logEndpoint_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_clusterMembersExtendedResponse_activeMembers_logEndpoint_length(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_logEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_get_logEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_string_view cluster_clusterMembersExtendedResponse_activeMembers_get_logEndpoint_as_string_view(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length_field_value = cluster_clusterMembersExtendedResponse_activeMembers_logEndpoint_length(codec);
    const char *field_ptr = codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4;
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_clusterMembersExtendedResponse_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_clusterMembersExtendedResponse_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_put_logEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_catchupEndpoint_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_catchupEndpoint_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_catchupEndpoint_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_catchupEndpoint_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_activeMembers_catchupEndpoint_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_activeMembers_catchupEndpoint_id(void)
{
    return 13;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_catchupEndpoint_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_clusterMembersExtendedResponse_activeMembers_catchupEndpoint_length(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_catchupEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_get_catchupEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_string_view cluster_clusterMembersExtendedResponse_activeMembers_get_catchupEndpoint_as_string_view(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length_field_value = cluster_clusterMembersExtendedResponse_activeMembers_catchupEndpoint_length(codec);
    const char *field_ptr = codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4;
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_clusterMembersExtendedResponse_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_clusterMembersExtendedResponse_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_put_catchupEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_archiveEndpoint_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_archiveEndpoint_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_archiveEndpoint_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_archiveEndpoint_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_activeMembers_archiveEndpoint_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_activeMembers_archiveEndpoint_id(void)
{
    return 14;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_archiveEndpoint_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_clusterMembersExtendedResponse_activeMembers_archiveEndpoint_length(
    const struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_activeMembers_archiveEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_get_archiveEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_string_view cluster_clusterMembersExtendedResponse_activeMembers_get_archiveEndpoint_as_string_view(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec)
{
    uint32_t length_field_value = cluster_clusterMembersExtendedResponse_activeMembers_archiveEndpoint_length(codec);
    const char *field_ptr = codec->buffer + cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4;
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_clusterMembersExtendedResponse_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_clusterMembersExtendedResponse_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_put_archiveEndpoint(
    struct cluster_clusterMembersExtendedResponse_activeMembers *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_clusterMembersExtendedResponse_activeMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_activeMembers_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_activeMembers_id(void)
{
    return 5;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_get_activeMembers(
    struct cluster_clusterMembersExtendedResponse *const codec,
    struct cluster_clusterMembersExtendedResponse_activeMembers *const property)
{
    return cluster_clusterMembersExtendedResponse_activeMembers_wrap_for_decode(
        property,
        codec->buffer,
        cluster_clusterMembersExtendedResponse_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_activeMembers *cluster_clusterMembersExtendedResponse_activeMembers_set_count(
    struct cluster_clusterMembersExtendedResponse *const codec,
    struct cluster_clusterMembersExtendedResponse_activeMembers *const property,
    const uint16_t count)
{
    return cluster_clusterMembersExtendedResponse_activeMembers_wrap_for_encode(
        property,
        codec->buffer,
        count,
        cluster_clusterMembersExtendedResponse_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_activeMembers_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_activeMembers_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_activeMembers_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

struct cluster_clusterMembersExtendedResponse_passiveMembers
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

SBE_ONE_DEF uint64_t *cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position_ptr(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    return codec->position_ptr;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_wrap_for_decode(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    char *const buffer,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct cluster_groupSizeEncoding dimensions;
    if (!cluster_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    codec->block_length = cluster_groupSizeEncoding_blockLength(&dimensions);
    codec->count = cluster_groupSizeEncoding_numInGroup(&dimensions);
    codec->index = -1;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_wrap_for_encode(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    char *const buffer,
    const uint16_t count,
    uint64_t *const pos,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
    if (count > 65534)
    {
        errno = E110;
        return NULL;
    }
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    struct cluster_groupSizeEncoding dimensions;
    if (!cluster_groupSizeEncoding_wrap(&dimensions, codec->buffer, *pos, acting_version, buffer_length))
    {
        return NULL;
    }

    cluster_groupSizeEncoding_set_blockLength(&dimensions, (uint16_t)28);
    cluster_groupSizeEncoding_set_numInGroup(&dimensions, (uint16_t)count);
    codec->index = -1;
    codec->count = count;
    codec->block_length = 28;
    codec->acting_version = acting_version;
    codec->position_ptr = pos;
    *codec->position_ptr = *codec->position_ptr + 4;

    return codec;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_sbe_header_size(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_sbe_block_length(void)
{
    return 28;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
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

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
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

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_count(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    return codec->count;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_has_next(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_next(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_for_each(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    void (*func)(struct cluster_clusterMembersExtendedResponse_passiveMembers *, void *),
    void *const context)
{
    while (cluster_clusterMembersExtendedResponse_passiveMembers_has_next(codec))
    {
        if (!cluster_clusterMembersExtendedResponse_passiveMembers_next(codec))
        {
            return NULL;
        }
        func(codec, context);
    }

    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId_id(void)
{
    return 16;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_leadershipTermId(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_set_leadershipTermId(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
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

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_logPosition_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_passiveMembers_logPosition_id(void)
{
    return 17;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_logPosition_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_logPosition_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_passiveMembers_logPosition_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_passiveMembers_logPosition_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_logPosition_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_logPosition_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_logPosition_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_passiveMembers_logPosition_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_logPosition(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_set_logPosition(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
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

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs_id(void)
{
    return 18;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_clusterMembersExtendedResponse_passiveMembers_timeOfLastAppendNs(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_set_timeOfLastAppendNs(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
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

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_memberId_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_passiveMembers_memberId_id(void)
{
    return 19;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_memberId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_memberId_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_passiveMembers_memberId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_passiveMembers_memberId_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_passiveMembers_memberId_null_value(void)
{
    return SBE_NULLVALUE_INT32;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_passiveMembers_memberId_min_value(void)
{
    return INT32_C(-2147483647);
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_passiveMembers_memberId_max_value(void)
{
    return INT32_C(2147483647);
}

SBE_ONE_DEF size_t cluster_clusterMembersExtendedResponse_passiveMembers_memberId_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF int32_t cluster_clusterMembersExtendedResponse_passiveMembers_memberId(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
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

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_set_memberId(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
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

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_ingressEndpoint_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_ingressEndpoint_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_ingressEndpoint_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_ingressEndpoint_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_passiveMembers_ingressEndpoint_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_passiveMembers_ingressEndpoint_id(void)
{
    return 20;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_ingressEndpoint_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_clusterMembersExtendedResponse_passiveMembers_ingressEndpoint_length(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_ingressEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_get_ingressEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_string_view cluster_clusterMembersExtendedResponse_passiveMembers_get_ingressEndpoint_as_string_view(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length_field_value = cluster_clusterMembersExtendedResponse_passiveMembers_ingressEndpoint_length(codec);
    const char *field_ptr = codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4;
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_clusterMembersExtendedResponse_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_clusterMembersExtendedResponse_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_put_ingressEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_consensusEndpoint_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_consensusEndpoint_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_consensusEndpoint_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_consensusEndpoint_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_passiveMembers_consensusEndpoint_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_passiveMembers_consensusEndpoint_id(void)
{
    return 21;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_consensusEndpoint_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_clusterMembersExtendedResponse_passiveMembers_consensusEndpoint_length(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_consensusEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_get_consensusEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_string_view cluster_clusterMembersExtendedResponse_passiveMembers_get_consensusEndpoint_as_string_view(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length_field_value = cluster_clusterMembersExtendedResponse_passiveMembers_consensusEndpoint_length(codec);
    const char *field_ptr = codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4;
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_clusterMembersExtendedResponse_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_clusterMembersExtendedResponse_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_put_consensusEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_logEndpoint_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_logEndpoint_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_logEndpoint_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_logEndpoint_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_passiveMembers_logEndpoint_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_passiveMembers_logEndpoint_id(void)
{
    return 22;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_logEndpoint_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_clusterMembersExtendedResponse_passiveMembers_logEndpoint_length(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_logEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_get_logEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_string_view cluster_clusterMembersExtendedResponse_passiveMembers_get_logEndpoint_as_string_view(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length_field_value = cluster_clusterMembersExtendedResponse_passiveMembers_logEndpoint_length(codec);
    const char *field_ptr = codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4;
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_clusterMembersExtendedResponse_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_clusterMembersExtendedResponse_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_put_logEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_catchupEndpoint_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_catchupEndpoint_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_catchupEndpoint_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_catchupEndpoint_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_passiveMembers_catchupEndpoint_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_passiveMembers_catchupEndpoint_id(void)
{
    return 23;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_catchupEndpoint_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_clusterMembersExtendedResponse_passiveMembers_catchupEndpoint_length(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_catchupEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_get_catchupEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_string_view cluster_clusterMembersExtendedResponse_passiveMembers_get_catchupEndpoint_as_string_view(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length_field_value = cluster_clusterMembersExtendedResponse_passiveMembers_catchupEndpoint_length(codec);
    const char *field_ptr = codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4;
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_clusterMembersExtendedResponse_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_clusterMembersExtendedResponse_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_put_catchupEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_archiveEndpoint_meta_attribute(
    const enum cluster_clusterMembersExtendedResponse_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_clusterMembersExtendedResponse_meta_attribute_EPOCH: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_TIME_UNIT: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_clusterMembersExtendedResponse_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_archiveEndpoint_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_archiveEndpoint_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_archiveEndpoint_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_passiveMembers_archiveEndpoint_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_passiveMembers_archiveEndpoint_id(void)
{
    return 24;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_archiveEndpoint_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_clusterMembersExtendedResponse_passiveMembers_archiveEndpoint_length(
    const struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_clusterMembersExtendedResponse_passiveMembers_archiveEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_get_archiveEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_string_view cluster_clusterMembersExtendedResponse_passiveMembers_get_archiveEndpoint_as_string_view(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec)
{
    uint32_t length_field_value = cluster_clusterMembersExtendedResponse_passiveMembers_archiveEndpoint_length(codec);
    const char *field_ptr = codec->buffer + cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4;
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(
        codec, cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_clusterMembersExtendedResponse_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_clusterMembersExtendedResponse_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_put_archiveEndpoint(
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_clusterMembersExtendedResponse_passiveMembers_sbe_position(codec);

    if (!cluster_clusterMembersExtendedResponse_passiveMembers_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF uint16_t cluster_clusterMembersExtendedResponse_passiveMembers_id(void)
{
    return 15;
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_get_passiveMembers(
    struct cluster_clusterMembersExtendedResponse *const codec,
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const property)
{
    return cluster_clusterMembersExtendedResponse_passiveMembers_wrap_for_decode(
        property,
        codec->buffer,
        cluster_clusterMembersExtendedResponse_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF struct cluster_clusterMembersExtendedResponse_passiveMembers *cluster_clusterMembersExtendedResponse_passiveMembers_set_count(
    struct cluster_clusterMembersExtendedResponse *const codec,
    struct cluster_clusterMembersExtendedResponse_passiveMembers *const property,
    const uint16_t count)
{
    return cluster_clusterMembersExtendedResponse_passiveMembers_wrap_for_encode(
        property,
        codec->buffer,
        count,
        cluster_clusterMembersExtendedResponse_sbe_position_ptr(codec),
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t cluster_clusterMembersExtendedResponse_passiveMembers_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_clusterMembersExtendedResponse_passiveMembers_in_acting_version(
    const struct cluster_clusterMembersExtendedResponse *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_clusterMembersExtendedResponse_passiveMembers_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

#endif
