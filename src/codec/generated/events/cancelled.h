/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _EVENTS_CANCELLED_H_
#define _EVENTS_CANCELLED_H_

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

struct events_cancelled
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum events_cancelled_meta_attribute
{
    events_cancelled_meta_attribute_EPOCH,
    events_cancelled_meta_attribute_TIME_UNIT,
    events_cancelled_meta_attribute_SEMANTIC_TYPE,
    events_cancelled_meta_attribute_PRESENCE
};

union events_cancelled_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union events_cancelled_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct events_cancelled_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t events_cancelled_sbe_position(
    const struct events_cancelled *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool events_cancelled_set_sbe_position(
    struct events_cancelled *const codec,
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

SBE_ONE_DEF uint64_t *events_cancelled_sbe_position_ptr(
    struct events_cancelled *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_reset(
    struct events_cancelled *const codec,
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
    if (!events_cancelled_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_copy(
    struct events_cancelled *const codec,
    const struct events_cancelled *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t events_cancelled_sbe_block_length(void)
{
    return (uint16_t)107;
}

#define EVENTS_CANCELLED_SBE_TEMPLATE_ID (uint16_t)5

SBE_ONE_DEF uint16_t events_cancelled_sbe_template_id(void)
{
    return (uint16_t)5;
}

SBE_ONE_DEF uint16_t events_cancelled_sbe_schema_id(void)
{
    return (uint16_t)511;
}

SBE_ONE_DEF uint16_t events_cancelled_sbe_schema_version(void)
{
    return (uint16_t)1;
}

SBE_ONE_DEF const char* events_cancelled_sbe_semantic_version(void)
{
    return "1.0";
}

SBE_ONE_DEF const char *events_cancelled_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t events_cancelled_offset(
    const struct events_cancelled *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_wrap_and_apply_header(
    struct events_cancelled *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct events_messageHeader *const hdr)
{
    events_messageHeader_wrap(
        hdr, buffer + offset, 0, events_messageHeader_sbe_schema_version(), buffer_length);

    events_messageHeader_set_blockLength(hdr, events_cancelled_sbe_block_length());
    events_messageHeader_set_templateId(hdr, events_cancelled_sbe_template_id());
    events_messageHeader_set_schemaId(hdr, events_cancelled_sbe_schema_id());
    events_messageHeader_set_version(hdr, events_cancelled_sbe_schema_version());

    events_cancelled_reset(
        codec,
        buffer + offset + events_messageHeader_encoded_length(),
        0,
        buffer_length - events_messageHeader_encoded_length(),
        events_cancelled_sbe_block_length(),
        events_cancelled_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_wrap_for_encode(
    struct events_cancelled *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return events_cancelled_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        events_cancelled_sbe_block_length(),
        events_cancelled_sbe_schema_version());
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_wrap_for_decode(
    struct events_cancelled *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return events_cancelled_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_sbe_rewind(
    struct events_cancelled *const codec)
{
    return events_cancelled_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t events_cancelled_encoded_length(
    const struct events_cancelled *const codec)
{
    return events_cancelled_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *events_cancelled_buffer(
    const struct events_cancelled *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *events_cancelled_mut_buffer(
    struct events_cancelled *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t events_cancelled_buffer_length(
    const struct events_cancelled *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t events_cancelled_acting_version(
    const struct events_cancelled *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *events_cancelled_output_meta_attribute(
    const enum events_cancelled_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_cancelled_meta_attribute_EPOCH: return "";
        case events_cancelled_meta_attribute_TIME_UNIT: return "";
        case events_cancelled_meta_attribute_SEMANTIC_TYPE: return "";
        case events_cancelled_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_cancelled_output_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t events_cancelled_output_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_cancelled_output_in_acting_version(
    const struct events_cancelled *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_cancelled_output_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_cancelled_output_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF struct events_outputHeader *events_cancelled_output(
    struct events_cancelled *const codec,
    struct events_outputHeader *const composite)
{
    return events_outputHeader_wrap(
        composite,
        codec->buffer,
        codec->offset + 0,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF const char *events_cancelled_entry_meta_attribute(
    const enum events_cancelled_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_cancelled_meta_attribute_EPOCH: return "";
        case events_cancelled_meta_attribute_TIME_UNIT: return "";
        case events_cancelled_meta_attribute_SEMANTIC_TYPE: return "";
        case events_cancelled_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_cancelled_entry_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t events_cancelled_entry_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_cancelled_entry_in_acting_version(
    const struct events_cancelled *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_cancelled_entry_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_cancelled_entry_encoding_offset(void)
{
    return 32;
}

SBE_ONE_DEF uint64_t events_cancelled_entry_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t events_cancelled_entry_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_cancelled_entry_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t events_cancelled_entry_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t events_cancelled_entry(
    const struct events_cancelled *const codec)
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

SBE_ONE_DEF struct events_cancelled *events_cancelled_set_entry(
    struct events_cancelled *const codec,
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

SBE_ONE_DEF const char *events_cancelled_order_meta_attribute(
    const enum events_cancelled_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_cancelled_meta_attribute_EPOCH: return "";
        case events_cancelled_meta_attribute_TIME_UNIT: return "";
        case events_cancelled_meta_attribute_SEMANTIC_TYPE: return "";
        case events_cancelled_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_cancelled_order_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t events_cancelled_order_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_cancelled_order_in_acting_version(
    const struct events_cancelled *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_cancelled_order_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_cancelled_order_encoding_offset(void)
{
    return 40;
}

SBE_ONE_DEF struct events_orderIdentity *events_cancelled_order(
    struct events_cancelled *const codec,
    struct events_orderIdentity *const composite)
{
    return events_orderIdentity_wrap(
        composite,
        codec->buffer,
        codec->offset + 40,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF const char *events_cancelled_amounts_meta_attribute(
    const enum events_cancelled_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_cancelled_meta_attribute_EPOCH: return "";
        case events_cancelled_meta_attribute_TIME_UNIT: return "";
        case events_cancelled_meta_attribute_SEMANTIC_TYPE: return "";
        case events_cancelled_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_cancelled_amounts_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t events_cancelled_amounts_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_cancelled_amounts_in_acting_version(
    const struct events_cancelled *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_cancelled_amounts_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_cancelled_amounts_encoding_offset(void)
{
    return 64;
}

SBE_ONE_DEF struct events_orderAmounts *events_cancelled_amounts(
    struct events_cancelled *const codec,
    struct events_orderAmounts *const composite)
{
    return events_orderAmounts_wrap(
        composite,
        codec->buffer,
        codec->offset + 64,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF const char *events_cancelled_price_meta_attribute(
    const enum events_cancelled_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_cancelled_meta_attribute_EPOCH: return "";
        case events_cancelled_meta_attribute_TIME_UNIT: return "";
        case events_cancelled_meta_attribute_SEMANTIC_TYPE: return "";
        case events_cancelled_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_cancelled_price_id(void)
{
    return 5;
}

SBE_ONE_DEF uint64_t events_cancelled_price_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_cancelled_price_in_acting_version(
    const struct events_cancelled *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_cancelled_price_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_cancelled_price_encoding_offset(void)
{
    return 80;
}

SBE_ONE_DEF int64_t events_cancelled_price_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t events_cancelled_price_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t events_cancelled_price_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t events_cancelled_price_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t events_cancelled_price(
    const struct events_cancelled *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 80, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_set_price(
    struct events_cancelled *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 80, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *events_cancelled_quantity_meta_attribute(
    const enum events_cancelled_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_cancelled_meta_attribute_EPOCH: return "";
        case events_cancelled_meta_attribute_TIME_UNIT: return "";
        case events_cancelled_meta_attribute_SEMANTIC_TYPE: return "";
        case events_cancelled_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_cancelled_quantity_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t events_cancelled_quantity_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_cancelled_quantity_in_acting_version(
    const struct events_cancelled *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_cancelled_quantity_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_cancelled_quantity_encoding_offset(void)
{
    return 88;
}

SBE_ONE_DEF int64_t events_cancelled_quantity_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t events_cancelled_quantity_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t events_cancelled_quantity_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t events_cancelled_quantity_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t events_cancelled_quantity(
    const struct events_cancelled *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 88, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_set_quantity(
    struct events_cancelled *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 88, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *events_cancelled_sequence_meta_attribute(
    const enum events_cancelled_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_cancelled_meta_attribute_EPOCH: return "";
        case events_cancelled_meta_attribute_TIME_UNIT: return "";
        case events_cancelled_meta_attribute_SEMANTIC_TYPE: return "";
        case events_cancelled_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_cancelled_sequence_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t events_cancelled_sequence_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_cancelled_sequence_in_acting_version(
    const struct events_cancelled *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_cancelled_sequence_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_cancelled_sequence_encoding_offset(void)
{
    return 96;
}

SBE_ONE_DEF uint64_t events_cancelled_sequence_null_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_cancelled_sequence_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t events_cancelled_sequence_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t events_cancelled_sequence_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t events_cancelled_sequence(
    const struct events_cancelled *const codec)
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

SBE_ONE_DEF struct events_cancelled *events_cancelled_set_sequence(
    struct events_cancelled *const codec,
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

SBE_ONE_DEF const char *events_cancelled_side_meta_attribute(
    const enum events_cancelled_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_cancelled_meta_attribute_EPOCH: return "";
        case events_cancelled_meta_attribute_TIME_UNIT: return "";
        case events_cancelled_meta_attribute_SEMANTIC_TYPE: return "";
        case events_cancelled_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_cancelled_side_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t events_cancelled_side_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_cancelled_side_in_acting_version(
    const struct events_cancelled *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_cancelled_side_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_cancelled_side_encoding_offset(void)
{
    return 104;
}

SBE_ONE_DEF size_t events_cancelled_side_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool events_cancelled_side(
    const struct events_cancelled *const codec,
    enum events_side *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 104, sizeof(uint8_t));

    return events_side_get((val), out);
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_set_side(
    struct events_cancelled *const codec,
    const enum events_side value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 104, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *events_cancelled_reason_meta_attribute(
    const enum events_cancelled_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_cancelled_meta_attribute_EPOCH: return "";
        case events_cancelled_meta_attribute_TIME_UNIT: return "";
        case events_cancelled_meta_attribute_SEMANTIC_TYPE: return "";
        case events_cancelled_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_cancelled_reason_id(void)
{
    return 9;
}

SBE_ONE_DEF uint64_t events_cancelled_reason_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_cancelled_reason_in_acting_version(
    const struct events_cancelled *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_cancelled_reason_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_cancelled_reason_encoding_offset(void)
{
    return 105;
}

SBE_ONE_DEF size_t events_cancelled_reason_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool events_cancelled_reason(
    const struct events_cancelled *const codec,
    enum events_reason *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 105, sizeof(uint8_t));

    return events_reason_get((val), out);
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_set_reason(
    struct events_cancelled *const codec,
    const enum events_reason value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 105, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *events_cancelled_command_meta_attribute(
    const enum events_cancelled_meta_attribute attribute)
{
    switch (attribute)
    {
        case events_cancelled_meta_attribute_EPOCH: return "";
        case events_cancelled_meta_attribute_TIME_UNIT: return "";
        case events_cancelled_meta_attribute_SEMANTIC_TYPE: return "";
        case events_cancelled_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t events_cancelled_command_id(void)
{
    return 10;
}

SBE_ONE_DEF uint64_t events_cancelled_command_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool events_cancelled_command_in_acting_version(
    const struct events_cancelled *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= events_cancelled_command_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t events_cancelled_command_encoding_offset(void)
{
    return 106;
}

SBE_ONE_DEF size_t events_cancelled_command_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool events_cancelled_command(
    const struct events_cancelled *const codec,
    enum events_commandType *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 106, sizeof(uint8_t));

    return events_commandType_get((val), out);
}

SBE_ONE_DEF struct events_cancelled *events_cancelled_set_command(
    struct events_cancelled *const codec,
    const enum events_commandType value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 106, &val, sizeof(uint8_t));

    return codec;
}

#endif
