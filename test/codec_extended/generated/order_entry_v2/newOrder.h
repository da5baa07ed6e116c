/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _ORDER_ENTRY_V2_NEWORDER_H_
#define _ORDER_ENTRY_V2_NEWORDER_H_

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
#include "orderType.h"
#include "messageHeader.h"
#include "tradingState.h"
#include "sideFilter.h"
#include "timeInForce.h"
#include "orderFlags.h"
#include "roles.h"
#include "massCancelScope.h"
#include "modifyPriority.h"
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

struct order_entry_v2_newOrder
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum order_entry_v2_newOrder_meta_attribute
{
    order_entry_v2_newOrder_meta_attribute_EPOCH,
    order_entry_v2_newOrder_meta_attribute_TIME_UNIT,
    order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE,
    order_entry_v2_newOrder_meta_attribute_PRESENCE
};

union order_entry_v2_newOrder_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union order_entry_v2_newOrder_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct order_entry_v2_newOrder_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_sbe_position(
    const struct order_entry_v2_newOrder *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_set_sbe_position(
    struct order_entry_v2_newOrder *const codec,
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

SBE_ONE_DEF uint64_t *order_entry_v2_newOrder_sbe_position_ptr(
    struct order_entry_v2_newOrder *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_reset(
    struct order_entry_v2_newOrder *const codec,
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
    if (!order_entry_v2_newOrder_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_copy(
    struct order_entry_v2_newOrder *const codec,
    const struct order_entry_v2_newOrder *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_sbe_block_length(void)
{
    return (uint16_t)55;
}

#define ORDER_ENTRY_V2_NEW_ORDER_SBE_TEMPLATE_ID (uint16_t)1

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_sbe_template_id(void)
{
    return (uint16_t)1;
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_sbe_schema_id(void)
{
    return (uint16_t)510;
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_sbe_schema_version(void)
{
    return (uint16_t)2;
}

SBE_ONE_DEF const char* order_entry_v2_newOrder_sbe_semantic_version(void)
{
    return "2.0";
}

SBE_ONE_DEF const char *order_entry_v2_newOrder_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_offset(
    const struct order_entry_v2_newOrder *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_wrap_and_apply_header(
    struct order_entry_v2_newOrder *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct order_entry_v2_messageHeader *const hdr)
{
    order_entry_v2_messageHeader_wrap(
        hdr, buffer + offset, 0, order_entry_v2_messageHeader_sbe_schema_version(), buffer_length);

    order_entry_v2_messageHeader_set_blockLength(hdr, order_entry_v2_newOrder_sbe_block_length());
    order_entry_v2_messageHeader_set_templateId(hdr, order_entry_v2_newOrder_sbe_template_id());
    order_entry_v2_messageHeader_set_schemaId(hdr, order_entry_v2_newOrder_sbe_schema_id());
    order_entry_v2_messageHeader_set_version(hdr, order_entry_v2_newOrder_sbe_schema_version());

    order_entry_v2_newOrder_reset(
        codec,
        buffer + offset + order_entry_v2_messageHeader_encoded_length(),
        0,
        buffer_length - order_entry_v2_messageHeader_encoded_length(),
        order_entry_v2_newOrder_sbe_block_length(),
        order_entry_v2_newOrder_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_wrap_for_encode(
    struct order_entry_v2_newOrder *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return order_entry_v2_newOrder_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        order_entry_v2_newOrder_sbe_block_length(),
        order_entry_v2_newOrder_sbe_schema_version());
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_wrap_for_decode(
    struct order_entry_v2_newOrder *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return order_entry_v2_newOrder_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_sbe_rewind(
    struct order_entry_v2_newOrder *const codec)
{
    return order_entry_v2_newOrder_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_encoded_length(
    const struct order_entry_v2_newOrder *const codec)
{
    return order_entry_v2_newOrder_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *order_entry_v2_newOrder_buffer(
    const struct order_entry_v2_newOrder *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *order_entry_v2_newOrder_mut_buffer(
    struct order_entry_v2_newOrder *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_buffer_length(
    const struct order_entry_v2_newOrder *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *order_entry_v2_newOrder_sequence_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_sequence_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_sequence_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_sequence_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_sequence_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_sequence_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_sequence_null_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_sequence_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_sequence_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_sequence_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_sequence(
    const struct order_entry_v2_newOrder *const codec)
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

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_set_sequence(
    struct order_entry_v2_newOrder *const codec,
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

SBE_ONE_DEF const char *order_entry_v2_newOrder_clientOrderId_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_clientOrderId_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_clientOrderId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_clientOrderId_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_clientOrderId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_clientOrderId_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_clientOrderId_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_clientOrderId_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_clientOrderId_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_clientOrderId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_clientOrderId(
    const struct order_entry_v2_newOrder *const codec)
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

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_set_clientOrderId(
    struct order_entry_v2_newOrder *const codec,
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

SBE_ONE_DEF const char *order_entry_v2_newOrder_price_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_price_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_price_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_price_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_price_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_price_encoding_offset(void)
{
    return 16;
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_price_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_price_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_price_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_price_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_price(
    const struct order_entry_v2_newOrder *const codec)
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

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_set_price(
    struct order_entry_v2_newOrder *const codec,
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

SBE_ONE_DEF const char *order_entry_v2_newOrder_quantity_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_quantity_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_quantity_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_quantity_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_quantity_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_quantity_encoding_offset(void)
{
    return 24;
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_quantity_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_quantity_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_quantity_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_quantity_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_quantity(
    const struct order_entry_v2_newOrder *const codec)
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

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_set_quantity(
    struct order_entry_v2_newOrder *const codec,
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

SBE_ONE_DEF const char *order_entry_v2_newOrder_instrument_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_instrument_id(void)
{
    return 5;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_instrument_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_instrument_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_instrument_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_instrument_encoding_offset(void)
{
    return 32;
}

SBE_ONE_DEF uint32_t order_entry_v2_newOrder_instrument_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t order_entry_v2_newOrder_instrument_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t order_entry_v2_newOrder_instrument_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_instrument_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t order_entry_v2_newOrder_instrument(
    const struct order_entry_v2_newOrder *const codec)
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

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_set_instrument(
    struct order_entry_v2_newOrder *const codec,
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

SBE_ONE_DEF const char *order_entry_v2_newOrder_flags_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_flags_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_flags_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_flags_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_flags_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_flags_encoding_offset(void)
{
    return 36;
}

SBE_ONE_DEF struct order_entry_v2_orderFlags *order_entry_v2_newOrder_flags(
    struct order_entry_v2_newOrder *const codec,
    struct order_entry_v2_orderFlags *const bitset)
{
    return order_entry_v2_orderFlags_wrap(
        bitset,
        codec->buffer,
        codec->offset + 36,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_flags_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF const char *order_entry_v2_newOrder_side_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_side_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_side_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_side_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_side_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_side_encoding_offset(void)
{
    return 40;
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_side_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_side(
    const struct order_entry_v2_newOrder *const codec,
    enum order_entry_v2_side *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 40, sizeof(uint8_t));

    return order_entry_v2_side_get((val), out);
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_set_side(
    struct order_entry_v2_newOrder *const codec,
    const enum order_entry_v2_side value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 40, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *order_entry_v2_newOrder_orderType_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_orderType_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_orderType_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_orderType_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_orderType_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_orderType_encoding_offset(void)
{
    return 41;
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_orderType_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_orderType(
    const struct order_entry_v2_newOrder *const codec,
    enum order_entry_v2_orderType *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 41, sizeof(uint8_t));

    return order_entry_v2_orderType_get((val), out);
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_set_orderType(
    struct order_entry_v2_newOrder *const codec,
    const enum order_entry_v2_orderType value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 41, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *order_entry_v2_newOrder_timeInForce_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_timeInForce_id(void)
{
    return 9;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_timeInForce_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_timeInForce_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_timeInForce_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_timeInForce_encoding_offset(void)
{
    return 42;
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_timeInForce_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_timeInForce(
    const struct order_entry_v2_newOrder *const codec,
    enum order_entry_v2_timeInForce *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 42, sizeof(uint8_t));

    return order_entry_v2_timeInForce_get((val), out);
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_set_timeInForce(
    struct order_entry_v2_newOrder *const codec,
    const enum order_entry_v2_timeInForce value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 42, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *order_entry_v2_newOrder_displayQuantity_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_displayQuantity_id(void)
{
    return 10;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_displayQuantity_since_version(void)
{
    return 2;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_displayQuantity_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_displayQuantity_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_displayQuantity_encoding_offset(void)
{
    return 43;
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_displayQuantity_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_displayQuantity_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_displayQuantity_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_displayQuantity_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t order_entry_v2_newOrder_displayQuantity(
    const struct order_entry_v2_newOrder *const codec)
{
    if (codec->acting_version < 2)
    {
        return INT64_MIN;
    }

    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 43, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_set_displayQuantity(
    struct order_entry_v2_newOrder *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 43, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *order_entry_v2_newOrder_account_meta_attribute(
    const enum order_entry_v2_newOrder_meta_attribute attribute)
{
    switch (attribute)
    {
        case order_entry_v2_newOrder_meta_attribute_EPOCH: return "";
        case order_entry_v2_newOrder_meta_attribute_TIME_UNIT: return "";
        case order_entry_v2_newOrder_meta_attribute_SEMANTIC_TYPE: return "";
        case order_entry_v2_newOrder_meta_attribute_PRESENCE: return "optional";
    }

    return "";
}

SBE_ONE_DEF uint16_t order_entry_v2_newOrder_account_id(void)
{
    return 11;
}

SBE_ONE_DEF uint64_t order_entry_v2_newOrder_account_since_version(void)
{
    return 2;
}

SBE_ONE_DEF bool order_entry_v2_newOrder_account_in_acting_version(
    const struct order_entry_v2_newOrder *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= order_entry_v2_newOrder_account_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_account_encoding_offset(void)
{
    return 51;
}

SBE_ONE_DEF uint32_t order_entry_v2_newOrder_account_null_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t order_entry_v2_newOrder_account_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t order_entry_v2_newOrder_account_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t order_entry_v2_newOrder_account_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t order_entry_v2_newOrder_account(
    const struct order_entry_v2_newOrder *const codec)
{
    if (codec->acting_version < 2)
    {
        return UINT32_C(0x0);
    }

    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 51, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct order_entry_v2_newOrder *order_entry_v2_newOrder_set_account(
    struct order_entry_v2_newOrder *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 51, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

#endif
