/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _CLUSTER_SESSIONOPENEVENT_H_
#define _CLUSTER_SESSIONOPENEVENT_H_

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

struct cluster_sessionOpenEvent
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum cluster_sessionOpenEvent_meta_attribute
{
    cluster_sessionOpenEvent_meta_attribute_EPOCH,
    cluster_sessionOpenEvent_meta_attribute_TIME_UNIT,
    cluster_sessionOpenEvent_meta_attribute_SEMANTIC_TYPE,
    cluster_sessionOpenEvent_meta_attribute_PRESENCE
};

union cluster_sessionOpenEvent_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union cluster_sessionOpenEvent_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct cluster_sessionOpenEvent_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_sbe_position(
    const struct cluster_sessionOpenEvent *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool cluster_sessionOpenEvent_set_sbe_position(
    struct cluster_sessionOpenEvent *const codec,
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

SBE_ONE_DEF uint64_t *cluster_sessionOpenEvent_sbe_position_ptr(
    struct cluster_sessionOpenEvent *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_reset(
    struct cluster_sessionOpenEvent *const codec,
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
    if (!cluster_sessionOpenEvent_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_copy(
    struct cluster_sessionOpenEvent *const codec,
    const struct cluster_sessionOpenEvent *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_sbe_block_length(void)
{
    return (uint16_t)36;
}

#define CLUSTER_SESSION_OPEN_EVENT_SBE_TEMPLATE_ID (uint16_t)21

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_sbe_template_id(void)
{
    return (uint16_t)21;
}

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_sbe_schema_id(void)
{
    return (uint16_t)111;
}

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_sbe_schema_version(void)
{
    return (uint16_t)17;
}

SBE_ONE_DEF const char* cluster_sessionOpenEvent_sbe_semantic_version(void)
{
    return "5.4";
}

SBE_ONE_DEF const char *cluster_sessionOpenEvent_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_offset(
    const struct cluster_sessionOpenEvent *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_wrap_and_apply_header(
    struct cluster_sessionOpenEvent *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct cluster_messageHeader *const hdr)
{
    cluster_messageHeader_wrap(
        hdr, buffer + offset, 0, cluster_messageHeader_sbe_schema_version(), buffer_length);

    cluster_messageHeader_set_blockLength(hdr, cluster_sessionOpenEvent_sbe_block_length());
    cluster_messageHeader_set_templateId(hdr, cluster_sessionOpenEvent_sbe_template_id());
    cluster_messageHeader_set_schemaId(hdr, cluster_sessionOpenEvent_sbe_schema_id());
    cluster_messageHeader_set_version(hdr, cluster_sessionOpenEvent_sbe_schema_version());

    cluster_sessionOpenEvent_reset(
        codec,
        buffer + offset + cluster_messageHeader_encoded_length(),
        0,
        buffer_length - cluster_messageHeader_encoded_length(),
        cluster_sessionOpenEvent_sbe_block_length(),
        cluster_sessionOpenEvent_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_wrap_for_encode(
    struct cluster_sessionOpenEvent *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return cluster_sessionOpenEvent_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        cluster_sessionOpenEvent_sbe_block_length(),
        cluster_sessionOpenEvent_sbe_schema_version());
}

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_wrap_for_decode(
    struct cluster_sessionOpenEvent *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return cluster_sessionOpenEvent_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_sbe_rewind(
    struct cluster_sessionOpenEvent *const codec)
{
    return cluster_sessionOpenEvent_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_encoded_length(
    const struct cluster_sessionOpenEvent *const codec)
{
    return cluster_sessionOpenEvent_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *cluster_sessionOpenEvent_buffer(
    const struct cluster_sessionOpenEvent *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *cluster_sessionOpenEvent_mut_buffer(
    struct cluster_sessionOpenEvent *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_buffer_length(
    const struct cluster_sessionOpenEvent *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_acting_version(
    const struct cluster_sessionOpenEvent *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *cluster_sessionOpenEvent_leadershipTermId_meta_attribute(
    const enum cluster_sessionOpenEvent_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_sessionOpenEvent_meta_attribute_EPOCH: return "";
        case cluster_sessionOpenEvent_meta_attribute_TIME_UNIT: return "";
        case cluster_sessionOpenEvent_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_sessionOpenEvent_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_leadershipTermId_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_leadershipTermId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_sessionOpenEvent_leadershipTermId_in_acting_version(
    const struct cluster_sessionOpenEvent *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_sessionOpenEvent_leadershipTermId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_sessionOpenEvent_leadershipTermId_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_leadershipTermId_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_leadershipTermId_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_leadershipTermId_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_sessionOpenEvent_leadershipTermId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_leadershipTermId(
    const struct cluster_sessionOpenEvent *const codec)
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

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_set_leadershipTermId(
    struct cluster_sessionOpenEvent *const codec,
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

SBE_ONE_DEF const char *cluster_sessionOpenEvent_correlationId_meta_attribute(
    const enum cluster_sessionOpenEvent_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_sessionOpenEvent_meta_attribute_EPOCH: return "";
        case cluster_sessionOpenEvent_meta_attribute_TIME_UNIT: return "";
        case cluster_sessionOpenEvent_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_sessionOpenEvent_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_correlationId_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_correlationId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_sessionOpenEvent_correlationId_in_acting_version(
    const struct cluster_sessionOpenEvent *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_sessionOpenEvent_correlationId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_sessionOpenEvent_correlationId_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_correlationId_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_correlationId_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_correlationId_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_sessionOpenEvent_correlationId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_correlationId(
    const struct cluster_sessionOpenEvent *const codec)
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

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_set_correlationId(
    struct cluster_sessionOpenEvent *const codec,
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

SBE_ONE_DEF const char *cluster_sessionOpenEvent_clusterSessionId_meta_attribute(
    const enum cluster_sessionOpenEvent_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_sessionOpenEvent_meta_attribute_EPOCH: return "";
        case cluster_sessionOpenEvent_meta_attribute_TIME_UNIT: return "";
        case cluster_sessionOpenEvent_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_sessionOpenEvent_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_clusterSessionId_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_clusterSessionId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_sessionOpenEvent_clusterSessionId_in_acting_version(
    const struct cluster_sessionOpenEvent *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_sessionOpenEvent_clusterSessionId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_sessionOpenEvent_clusterSessionId_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_clusterSessionId_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_clusterSessionId_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_clusterSessionId_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_sessionOpenEvent_clusterSessionId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_clusterSessionId(
    const struct cluster_sessionOpenEvent *const codec)
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

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_set_clusterSessionId(
    struct cluster_sessionOpenEvent *const codec,
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

SBE_ONE_DEF const char *cluster_sessionOpenEvent_timestamp_meta_attribute(
    const enum cluster_sessionOpenEvent_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_sessionOpenEvent_meta_attribute_EPOCH: return "";
        case cluster_sessionOpenEvent_meta_attribute_TIME_UNIT: return "";
        case cluster_sessionOpenEvent_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_sessionOpenEvent_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_timestamp_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_timestamp_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_sessionOpenEvent_timestamp_in_acting_version(
    const struct cluster_sessionOpenEvent *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_sessionOpenEvent_timestamp_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_sessionOpenEvent_timestamp_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_timestamp_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_timestamp_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_timestamp_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t cluster_sessionOpenEvent_timestamp_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t cluster_sessionOpenEvent_timestamp(
    const struct cluster_sessionOpenEvent *const codec)
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

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_set_timestamp(
    struct cluster_sessionOpenEvent *const codec,
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

SBE_ONE_DEF const char *cluster_sessionOpenEvent_responseStreamId_meta_attribute(
    const enum cluster_sessionOpenEvent_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_sessionOpenEvent_meta_attribute_EPOCH: return "";
        case cluster_sessionOpenEvent_meta_attribute_TIME_UNIT: return "";
        case cluster_sessionOpenEvent_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_sessionOpenEvent_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_responseStreamId_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_responseStreamId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_sessionOpenEvent_responseStreamId_in_acting_version(
    const struct cluster_sessionOpenEvent *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_sessionOpenEvent_responseStreamId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t cluster_sessionOpenEvent_responseStreamId_encoding_offset(void)
{
    return 32;
}

SBE_ONE_DEF int32_t cluster_sessionOpenEvent_responseStreamId_null_value(void)
{
    return SBE_NULLVALUE_INT32;
}

SBE_ONE_DEF int32_t cluster_sessionOpenEvent_responseStreamId_min_value(void)
{
    return INT32_C(-2147483647);
}

SBE_ONE_DEF int32_t cluster_sessionOpenEvent_responseStreamId_max_value(void)
{
    return INT32_C(2147483647);
}

SBE_ONE_DEF size_t cluster_sessionOpenEvent_responseStreamId_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF int32_t cluster_sessionOpenEvent_responseStreamId(
    const struct cluster_sessionOpenEvent *const codec)
{
    int32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 32, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_set_responseStreamId(
    struct cluster_sessionOpenEvent *const codec,
    const int32_t value)
{
    int32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 32, &val, sizeof(int32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *cluster_sessionOpenEvent_responseChannel_meta_attribute(
    const enum cluster_sessionOpenEvent_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_sessionOpenEvent_meta_attribute_EPOCH: return "";
        case cluster_sessionOpenEvent_meta_attribute_TIME_UNIT: return "";
        case cluster_sessionOpenEvent_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_sessionOpenEvent_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_sessionOpenEvent_responseChannel_character_encoding(void)
{
    return "US-ASCII";
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_responseChannel_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_sessionOpenEvent_responseChannel_in_acting_version(
    const struct cluster_sessionOpenEvent *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_sessionOpenEvent_responseChannel_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_responseChannel_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_responseChannel_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_sessionOpenEvent_responseChannel_length(
    const struct cluster_sessionOpenEvent *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_sessionOpenEvent_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_sessionOpenEvent_responseChannel(
    struct cluster_sessionOpenEvent *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_sessionOpenEvent_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_sessionOpenEvent_sbe_position(codec) + 4);

    if (!cluster_sessionOpenEvent_set_sbe_position(
        codec, cluster_sessionOpenEvent_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_get_responseChannel(
    struct cluster_sessionOpenEvent *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_sessionOpenEvent_sbe_position(codec);
    if (!cluster_sessionOpenEvent_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_sessionOpenEvent_sbe_position(codec);

    if (!cluster_sessionOpenEvent_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_sessionOpenEvent_string_view cluster_sessionOpenEvent_get_responseChannel_as_string_view(
    struct cluster_sessionOpenEvent *const codec)
{
    uint32_t length_field_value = cluster_sessionOpenEvent_responseChannel_length(codec);
    const char *field_ptr = codec->buffer + cluster_sessionOpenEvent_sbe_position(codec) + 4;
    if (!cluster_sessionOpenEvent_set_sbe_position(
        codec, cluster_sessionOpenEvent_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_sessionOpenEvent_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_sessionOpenEvent_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_put_responseChannel(
    struct cluster_sessionOpenEvent *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_sessionOpenEvent_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_sessionOpenEvent_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_sessionOpenEvent_sbe_position(codec);

    if (!cluster_sessionOpenEvent_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

SBE_ONE_DEF const char *cluster_sessionOpenEvent_encodedPrincipal_meta_attribute(
    const enum cluster_sessionOpenEvent_meta_attribute attribute)
{
    switch (attribute)
    {
        case cluster_sessionOpenEvent_meta_attribute_EPOCH: return "";
        case cluster_sessionOpenEvent_meta_attribute_TIME_UNIT: return "";
        case cluster_sessionOpenEvent_meta_attribute_SEMANTIC_TYPE: return "";
        case cluster_sessionOpenEvent_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF const char *cluster_sessionOpenEvent_encodedPrincipal_character_encoding(void)
{
    return "null";
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_encodedPrincipal_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool cluster_sessionOpenEvent_encodedPrincipal_in_acting_version(
    const struct cluster_sessionOpenEvent *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= cluster_sessionOpenEvent_encodedPrincipal_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF uint16_t cluster_sessionOpenEvent_encodedPrincipal_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_encodedPrincipal_header_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t cluster_sessionOpenEvent_encodedPrincipal_length(
    const struct cluster_sessionOpenEvent *const codec)
{
    uint32_t length;
    memcpy(&length, codec->buffer + cluster_sessionOpenEvent_sbe_position(codec), sizeof(uint32_t));

    return SBE_LITTLE_ENDIAN_ENCODE_32(length);
}

SBE_ONE_DEF const char *cluster_sessionOpenEvent_encodedPrincipal(
    struct cluster_sessionOpenEvent *const codec)
{
    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + cluster_sessionOpenEvent_sbe_position(codec), sizeof(uint32_t));
    const char *field_ptr = (codec->buffer + cluster_sessionOpenEvent_sbe_position(codec) + 4);

    if (!cluster_sessionOpenEvent_set_sbe_position(
        codec, cluster_sessionOpenEvent_sbe_position(codec) + 4 + SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value)))
    {
        return NULL;
    }

    return field_ptr;
}

SBE_ONE_DEF uint64_t cluster_sessionOpenEvent_get_encodedPrincipal(
    struct cluster_sessionOpenEvent *const codec,
    char *dst,
    const uint64_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_sessionOpenEvent_sbe_position(codec);
    if (!cluster_sessionOpenEvent_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return 0;
    }

    uint32_t length_field_value;
    memcpy(&length_field_value, codec->buffer + length_position, sizeof(uint32_t));
    uint64_t data_length = SBE_LITTLE_ENDIAN_ENCODE_32(length_field_value);
    uint64_t bytes_to_copy = length < data_length ? length : data_length;
    uint64_t pos = cluster_sessionOpenEvent_sbe_position(codec);

    if (!cluster_sessionOpenEvent_set_sbe_position(codec, pos + data_length))
    {
        return 0;
    }

    memcpy(dst, codec->buffer + pos, bytes_to_copy);

    return bytes_to_copy;
}

SBE_ONE_DEF struct cluster_sessionOpenEvent_string_view cluster_sessionOpenEvent_get_encodedPrincipal_as_string_view(
    struct cluster_sessionOpenEvent *const codec)
{
    uint32_t length_field_value = cluster_sessionOpenEvent_encodedPrincipal_length(codec);
    const char *field_ptr = codec->buffer + cluster_sessionOpenEvent_sbe_position(codec) + 4;
    if (!cluster_sessionOpenEvent_set_sbe_position(
        codec, cluster_sessionOpenEvent_sbe_position(codec) + 4 + length_field_value))
    {
        struct cluster_sessionOpenEvent_string_view ret = {NULL, 0};
        return ret;
    }

    struct cluster_sessionOpenEvent_string_view ret = {field_ptr, length_field_value};

    return ret;
}

SBE_ONE_DEF struct cluster_sessionOpenEvent *cluster_sessionOpenEvent_put_encodedPrincipal(
    struct cluster_sessionOpenEvent *const codec,
    const char *src,
    const uint32_t length)
{
    uint64_t length_of_length_field = 4;
    uint64_t length_position = cluster_sessionOpenEvent_sbe_position(codec);
    uint32_t length_field_value = SBE_LITTLE_ENDIAN_ENCODE_32(length);
    if (!cluster_sessionOpenEvent_set_sbe_position(codec, length_position + length_of_length_field))
    {
        return NULL;
    }

    memcpy(codec->buffer + length_position, &length_field_value, sizeof(uint32_t));
    uint64_t pos = cluster_sessionOpenEvent_sbe_position(codec);

    if (!cluster_sessionOpenEvent_set_sbe_position(codec, pos + length))
    {
        return NULL;
    }

    memcpy(codec->buffer + pos, src, length);

    return codec;
}

#endif
