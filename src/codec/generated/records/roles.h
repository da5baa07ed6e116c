/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _RECORDS_ROLES_H_
#define _RECORDS_ROLES_H_

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

struct records_roles
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t acting_version;
};

SBE_ONE_DEF struct records_roles *records_roles_reset(
    struct records_roles *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    const uint64_t acting_version)
{
    if (SBE_BOUNDS_CHECK_EXPECT(((offset + 4) > buffer_length), false))
    {
        errno = E107;
        return NULL;
    }
    codec->buffer = buffer;
    codec->buffer_length = buffer_length;
    codec->offset = offset;
    codec->acting_version = acting_version;

    return codec;
}

SBE_ONE_DEF struct records_roles *records_roles_wrap(
    struct records_roles *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return records_roles_reset(codec, buffer, offset, buffer_length, acting_version);
}

SBE_ONE_DEF uint64_t records_roles_encoded_length(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t records_roles_offset(
    const struct records_roles *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF const char *records_roles_buffer(
    const struct records_roles *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *records_roles_mut_buffer(
    struct records_roles *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t records_roles_buffer_length(
    const struct records_roles *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint16_t records_roles_sbe_schema_id(void)
{
    return (uint16_t)512;
}

SBE_ONE_DEF uint16_t records_roles_sbe_schema_version(void)
{
    return (uint16_t)1;
}

SBE_ONE_DEF struct records_roles *records_roles_clear(
    struct records_roles *const codec)
{
    uint32_t zero = 0;
    memcpy(codec->buffer + codec->offset, &zero, sizeof(uint32_t));

    return codec;
}

SBE_ONE_DEF bool records_roles_is_empty(
    const struct records_roles *const codec)
{
    uint32_t val;
    memcpy(&val, codec->buffer + codec->offset, sizeof(uint32_t));

    return 0 == val;
}

SBE_ONE_DEF bool records_roles_check_trade_bit(
    const uint32_t bits)
{
    return (bits & ((uint32_t)1 << 0)) != 0;
}

SBE_ONE_DEF uint32_t records_roles_apply_trade_bit(
    const uint32_t bits,
    const bool value)
{
    return value ? (bits | ((uint32_t)1 << 0)) : (bits & ~((uint32_t)1 << 0));
}

SBE_ONE_DEF bool records_roles_trade(
    const struct records_roles *const codec)
{
    uint32_t val;
    memcpy(&val, codec->buffer + codec->offset, sizeof(uint32_t));

    return (SBE_LITTLE_ENDIAN_ENCODE_32(val) & ((uint32_t)1 << 0)) != 0;
}

SBE_ONE_DEF struct records_roles *records_roles_set_trade(
    struct records_roles *const codec,
    const bool value)
{
    uint32_t bits;
    memcpy(&bits, codec->buffer + codec->offset, sizeof(uint32_t));
    bits = SBE_LITTLE_ENDIAN_ENCODE_32(value ? (SBE_LITTLE_ENDIAN_ENCODE_32(bits) | ((uint32_t)1 << 0)) : (SBE_LITTLE_ENDIAN_ENCODE_32(bits) & ~((uint32_t)1 << 0)));
    memcpy(codec->buffer + codec->offset, &bits, sizeof(uint32_t));

    return codec;
}

SBE_ONE_DEF bool records_roles_check_risk_bit(
    const uint32_t bits)
{
    return (bits & ((uint32_t)1 << 1)) != 0;
}

SBE_ONE_DEF uint32_t records_roles_apply_risk_bit(
    const uint32_t bits,
    const bool value)
{
    return value ? (bits | ((uint32_t)1 << 1)) : (bits & ~((uint32_t)1 << 1));
}

SBE_ONE_DEF bool records_roles_risk(
    const struct records_roles *const codec)
{
    uint32_t val;
    memcpy(&val, codec->buffer + codec->offset, sizeof(uint32_t));

    return (SBE_LITTLE_ENDIAN_ENCODE_32(val) & ((uint32_t)1 << 1)) != 0;
}

SBE_ONE_DEF struct records_roles *records_roles_set_risk(
    struct records_roles *const codec,
    const bool value)
{
    uint32_t bits;
    memcpy(&bits, codec->buffer + codec->offset, sizeof(uint32_t));
    bits = SBE_LITTLE_ENDIAN_ENCODE_32(value ? (SBE_LITTLE_ENDIAN_ENCODE_32(bits) | ((uint32_t)1 << 1)) : (SBE_LITTLE_ENDIAN_ENCODE_32(bits) & ~((uint32_t)1 << 1)));
    memcpy(codec->buffer + codec->offset, &bits, sizeof(uint32_t));

    return codec;
}

SBE_ONE_DEF bool records_roles_check_mark_bit(
    const uint32_t bits)
{
    return (bits & ((uint32_t)1 << 2)) != 0;
}

SBE_ONE_DEF uint32_t records_roles_apply_mark_bit(
    const uint32_t bits,
    const bool value)
{
    return value ? (bits | ((uint32_t)1 << 2)) : (bits & ~((uint32_t)1 << 2));
}

SBE_ONE_DEF bool records_roles_mark(
    const struct records_roles *const codec)
{
    uint32_t val;
    memcpy(&val, codec->buffer + codec->offset, sizeof(uint32_t));

    return (SBE_LITTLE_ENDIAN_ENCODE_32(val) & ((uint32_t)1 << 2)) != 0;
}

SBE_ONE_DEF struct records_roles *records_roles_set_mark(
    struct records_roles *const codec,
    const bool value)
{
    uint32_t bits;
    memcpy(&bits, codec->buffer + codec->offset, sizeof(uint32_t));
    bits = SBE_LITTLE_ENDIAN_ENCODE_32(value ? (SBE_LITTLE_ENDIAN_ENCODE_32(bits) | ((uint32_t)1 << 2)) : (SBE_LITTLE_ENDIAN_ENCODE_32(bits) & ~((uint32_t)1 << 2)));
    memcpy(codec->buffer + codec->offset, &bits, sizeof(uint32_t));

    return codec;
}

SBE_ONE_DEF bool records_roles_check_admin_bit(
    const uint32_t bits)
{
    return (bits & ((uint32_t)1 << 3)) != 0;
}

SBE_ONE_DEF uint32_t records_roles_apply_admin_bit(
    const uint32_t bits,
    const bool value)
{
    return value ? (bits | ((uint32_t)1 << 3)) : (bits & ~((uint32_t)1 << 3));
}

SBE_ONE_DEF bool records_roles_admin(
    const struct records_roles *const codec)
{
    uint32_t val;
    memcpy(&val, codec->buffer + codec->offset, sizeof(uint32_t));

    return (SBE_LITTLE_ENDIAN_ENCODE_32(val) & ((uint32_t)1 << 3)) != 0;
}

SBE_ONE_DEF struct records_roles *records_roles_set_admin(
    struct records_roles *const codec,
    const bool value)
{
    uint32_t bits;
    memcpy(&bits, codec->buffer + codec->offset, sizeof(uint32_t));
    bits = SBE_LITTLE_ENDIAN_ENCODE_32(value ? (SBE_LITTLE_ENDIAN_ENCODE_32(bits) | ((uint32_t)1 << 3)) : (SBE_LITTLE_ENDIAN_ENCODE_32(bits) & ~((uint32_t)1 << 3)));
    memcpy(codec->buffer + codec->offset, &bits, sizeof(uint32_t));

    return codec;
}

#endif
