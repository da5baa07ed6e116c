/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _EVENTS_V2_ORDERSTATUSEND_H_
#define _EVENTS_V2_ORDERSTATUSEND_H_

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
#include "orderAmounts.h"
#include "roles.h"
#include "outputHeader.h"
#include "reason.h"
#include "side.h"
#include "tradingState.h"
#include "commandType.h"
#include "timeInForce.h"
#include "orderIdentity.h"
#include "orderFlags.h"
#include "problem.h"
#include "boolean.h"

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

struct events_v2_orderStatusEnd
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum events_v2_orderStatusEnd_meta_attribute
{
    events_v2_orderStatusEnd_meta_attribute_EPOCH,
    events_v2_orderStatusEnd_meta_attribute_TIME_UNIT,
    events_v2_orderStatusEnd_meta_attribute_SEMANTIC_TYPE,
    events_v2_orderStatusEnd_meta_attribute_PRESENCE
};

union events_v2_orderStatusEnd_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union events_v2_orderStatusEnd_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct events_v2_orderStatusEnd_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_sbe_position(
    const struct events_v2_orderStatusEnd *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_set_sbe_position(
    struct events_v2_orderStatusEnd *const codec,
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

SBE_ONE_DEF uint64_t *events_v2_orderStatusEnd_sbe_position_ptr(
    struct events_v2_orderStatusEnd *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_reset(
    struct events_v2_orderStatusEnd *const codec,
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
    if (!events_v2_orderStatusEnd_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_copy(
    struct events_v2_orderStatusEnd *const codec,
    const struct events_v2_orderStatusEnd *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_sbe_block_length(void)
{
    return (uint16_t)46;
}

#define EVENTS_V2_ORDER_STATUS_END_SBE_TEMPLATE_ID (uint16_t)104

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_sbe_template_id(void)
{
    return (uint16_t)104;
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_sbe_schema_id(void)
{
    return (uint16_t)511;
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_sbe_schema_version(void)
{
    return (uint16_t)2;
}

SBE_ONE_DEF const char* events_v2_orderStatusEnd_sbe_semantic_version(void)
{
    return "2.0";
}

SBE_ONE_DEF const char *events_v2_orderStatusEnd_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_offset(
    const struct events_v2_orderStatusEnd *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_wrap_and_apply_header(
    struct events_v2_orderStatusEnd *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct events_v2_messageHeader *const hdr)
{
    events_v2_messageHeader_wrap(
        hdr, buffer + offset, 0, events_v2_messageHeader_sbe_schema_version(), buffer_length);

    events_v2_messageHeader_set_blockLength(hdr, events_v2_orderStatusEnd_sbe_block_length());
    events_v2_messageHeader_set_templateId(hdr, events_v2_orderStatusEnd_sbe_template_id());
    events_v2_messageHeader_set_schemaId(hdr, events_v2_orderStatusEnd_sbe_schema_id());
    events_v2_messageHeader_set_version(hdr, events_v2_orderStatusEnd_sbe_schema_version());

    events_v2_orderStatusEnd_reset(
        codec,
        buffer + offset + events_v2_messageHeader_encoded_length(),
        0,
        buffer_length - events_v2_messageHeader_encoded_length(),
        events_v2_orderStatusEnd_sbe_block_length(),
        events_v2_orderStatusEnd_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_wrap_for_encode(
    struct events_v2_orderStatusEnd *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return events_v2_orderStatusEnd_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        events_v2_orderStatusEnd_sbe_block_length(),
        events_v2_orderStatusEnd_sbe_schema_version());
}

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_wrap_for_decode(
    struct events_v2_orderStatusEnd *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return events_v2_orderStatusEnd_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_sbe_rewind(
    struct events_v2_orderStatusEnd *const codec)
{
    return events_v2_orderStatusEnd_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_encoded_length(
    const struct events_v2_orderStatusEnd *const codec)
{
    return events_v2_orderStatusEnd_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *events_v2_orderStatusEnd_buffer(
    const struct events_v2_orderStatusEnd *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *events_v2_orderStatusEnd_mut_buffer(
    struct events_v2_orderStatusEnd *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_buffer_length(
    const struct events_v2_orderStatusEnd *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_acting_version(
    const struct events_v2_orderStatusEnd *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *events_v2_orderStatusEnd_requestId_meta_attribute(
    const enum events_v2_orderStatusEnd_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_v2_orderStatusEnd_meta_attribute_EPOCH: return "";
        case events_v2_orderStatusEnd_meta_attribute_TIME_UNIT: return "";
        case events_v2_orderStatusEnd_meta_attribute_SEMANTIC_TYPE: return "";
        case events_v2_orderStatusEnd_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_requestId_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_requestId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_requestId_in_acting_version(
    const struct events_v2_orderStatusEnd *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_v2_orderStatusEnd_requestId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_requestId_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_requestId_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_requestId_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_requestId_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_requestId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_requestId(
    const struct events_v2_orderStatusEnd *const codec)
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

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_set_requestId(
    struct events_v2_orderStatusEnd *const codec,
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

SBE_ONE_DEF const char *events_v2_orderStatusEnd_last_meta_attribute(
    const enum events_v2_orderStatusEnd_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_v2_orderStatusEnd_meta_attribute_EPOCH: return "";
        case events_v2_orderStatusEnd_meta_attribute_TIME_UNIT: return "";
        case events_v2_orderStatusEnd_meta_attribute_SEMANTIC_TYPE: return "";
        case events_v2_orderStatusEnd_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_last_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_last_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_last_in_acting_version(
    const struct events_v2_orderStatusEnd *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_v2_orderStatusEnd_last_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_last_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_last_null_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_last_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_last_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_last_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_last(
    const struct events_v2_orderStatusEnd *const codec)
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

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_set_last(
    struct events_v2_orderStatusEnd *const codec,
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

SBE_ONE_DEF const char *events_v2_orderStatusEnd_sequence_meta_attribute(
    const enum events_v2_orderStatusEnd_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_v2_orderStatusEnd_meta_attribute_EPOCH: return "";
        case events_v2_orderStatusEnd_meta_attribute_TIME_UNIT: return "";
        case events_v2_orderStatusEnd_meta_attribute_SEMANTIC_TYPE: return "";
        case events_v2_orderStatusEnd_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_sequence_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_sequence_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_sequence_in_acting_version(
    const struct events_v2_orderStatusEnd *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_v2_orderStatusEnd_sequence_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_sequence_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_sequence_null_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_sequence_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_sequence_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_sequence_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_sequence(
    const struct events_v2_orderStatusEnd *const codec)
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

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_set_sequence(
    struct events_v2_orderStatusEnd *const codec,
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

SBE_ONE_DEF const char *events_v2_orderStatusEnd_outboundSequence_meta_attribute(
    const enum events_v2_orderStatusEnd_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_v2_orderStatusEnd_meta_attribute_EPOCH: return "";
        case events_v2_orderStatusEnd_meta_attribute_TIME_UNIT: return "";
        case events_v2_orderStatusEnd_meta_attribute_SEMANTIC_TYPE: return "";
        case events_v2_orderStatusEnd_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_outboundSequence_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_outboundSequence_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_outboundSequence_in_acting_version(
    const struct events_v2_orderStatusEnd *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_v2_orderStatusEnd_outboundSequence_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_outboundSequence_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_outboundSequence_null_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_outboundSequence_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_outboundSequence_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_outboundSequence_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_outboundSequence(
    const struct events_v2_orderStatusEnd *const codec)
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

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_set_outboundSequence(
    struct events_v2_orderStatusEnd *const codec,
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

SBE_ONE_DEF const char *events_v2_orderStatusEnd_count_meta_attribute(
    const enum events_v2_orderStatusEnd_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_v2_orderStatusEnd_meta_attribute_EPOCH: return "";
        case events_v2_orderStatusEnd_meta_attribute_TIME_UNIT: return "";
        case events_v2_orderStatusEnd_meta_attribute_SEMANTIC_TYPE: return "";
        case events_v2_orderStatusEnd_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_count_id(void)
{
    return 5;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_count_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_count_in_acting_version(
    const struct events_v2_orderStatusEnd *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_v2_orderStatusEnd_count_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_count_encoding_offset(void)
{
    return 32;
}

SBE_ONE_DEF uint32_t events_v2_orderStatusEnd_count_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t events_v2_orderStatusEnd_count_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t events_v2_orderStatusEnd_count_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_count_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t events_v2_orderStatusEnd_count(
    const struct events_v2_orderStatusEnd *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 32, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_set_count(
    struct events_v2_orderStatusEnd *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 32, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *events_v2_orderStatusEnd_more_meta_attribute(
    const enum events_v2_orderStatusEnd_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_v2_orderStatusEnd_meta_attribute_EPOCH: return "";
        case events_v2_orderStatusEnd_meta_attribute_TIME_UNIT: return "";
        case events_v2_orderStatusEnd_meta_attribute_SEMANTIC_TYPE: return "";
        case events_v2_orderStatusEnd_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_more_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_more_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_more_in_acting_version(
    const struct events_v2_orderStatusEnd *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_v2_orderStatusEnd_more_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_more_encoding_offset(void)
{
    return 36;
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_more_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_more(
    const struct events_v2_orderStatusEnd *const codec,
    enum events_v2_boolean *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 36, sizeof(uint8_t));

    return events_v2_boolean_get((val), out);
}

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_set_more(
    struct events_v2_orderStatusEnd *const codec,
    const enum events_v2_boolean value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 36, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *events_v2_orderStatusEnd_reason_meta_attribute(
    const enum events_v2_orderStatusEnd_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_v2_orderStatusEnd_meta_attribute_EPOCH: return "";
        case events_v2_orderStatusEnd_meta_attribute_TIME_UNIT: return "";
        case events_v2_orderStatusEnd_meta_attribute_SEMANTIC_TYPE: return "";
        case events_v2_orderStatusEnd_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_reason_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_reason_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_reason_in_acting_version(
    const struct events_v2_orderStatusEnd *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_v2_orderStatusEnd_reason_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_reason_encoding_offset(void)
{
    return 37;
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_reason_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_reason(
    const struct events_v2_orderStatusEnd *const codec,
    enum events_v2_reason *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 37, sizeof(uint8_t));

    return events_v2_reason_get((val), out);
}

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_set_reason(
    struct events_v2_orderStatusEnd *const codec,
    const enum events_v2_reason value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 37, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *events_v2_orderStatusEnd_lastClientOrderId_meta_attribute(
    const enum events_v2_orderStatusEnd_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_v2_orderStatusEnd_meta_attribute_EPOCH: return "";
        case events_v2_orderStatusEnd_meta_attribute_TIME_UNIT: return "";
        case events_v2_orderStatusEnd_meta_attribute_SEMANTIC_TYPE: return "";
        case events_v2_orderStatusEnd_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_v2_orderStatusEnd_lastClientOrderId_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_lastClientOrderId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_v2_orderStatusEnd_lastClientOrderId_in_acting_version(
    const struct events_v2_orderStatusEnd *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_v2_orderStatusEnd_lastClientOrderId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_lastClientOrderId_encoding_offset(void)
{
    return 38;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_lastClientOrderId_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_lastClientOrderId_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_lastClientOrderId_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t events_v2_orderStatusEnd_lastClientOrderId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t events_v2_orderStatusEnd_lastClientOrderId(
    const struct events_v2_orderStatusEnd *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 38, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct events_v2_orderStatusEnd *events_v2_orderStatusEnd_set_lastClientOrderId(
    struct events_v2_orderStatusEnd *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 38, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

#endif
