/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _EVENTS_REASON_H_
#define _EVENTS_REASON_H_

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

enum events_reason
{
    events_reason_NONE = (uint8_t)0,
    events_reason_UNKNOWN_COMMAND = (uint8_t)1,
    events_reason_UNKNOWN_SOURCE = (uint8_t)2,
    events_reason_SEQUENCE_GAP = (uint8_t)3,
    events_reason_DUPLICATE_SEQUENCE = (uint8_t)4,
    events_reason_NOT_ALLOWED = (uint8_t)5,
    events_reason_INVALID_FLAGS = (uint8_t)6,
    events_reason_INVALID_FIELD = (uint8_t)7,
    events_reason_UNKNOWN_INSTRUMENT = (uint8_t)8,
    events_reason_INSTRUMENT_STATE = (uint8_t)9,
    events_reason_INVALID_SIDE = (uint8_t)10,
    events_reason_INVALID_ORDER_TYPE = (uint8_t)11,
    events_reason_INVALID_TIME_IN_FORCE = (uint8_t)12,
    events_reason_INVALID_QUANTITY = (uint8_t)13,
    events_reason_QUANTITY_TOO_LARGE = (uint8_t)14,
    events_reason_PRICE_OUT_OF_BAND = (uint8_t)15,
    events_reason_DUPLICATE_ORDER = (uint8_t)16,
    events_reason_UNKNOWN_ORDER = (uint8_t)17,
    events_reason_WRONG_OWNER = (uint8_t)18,
    events_reason_PENDING_CANCEL = (uint8_t)19,
    events_reason_WOULD_CROSS = (uint8_t)20,
    events_reason_CROSSED_BOOK = (uint8_t)21,
    events_reason_ORDERS_FULL = (uint8_t)22,
    events_reason_LEVELS_FULL = (uint8_t)23,
    events_reason_INSTRUMENTS_FULL = (uint8_t)24,
    events_reason_SOURCES_FULL = (uint8_t)25,
    events_reason_SESSIONS_FULL = (uint8_t)26,
    events_reason_PENDING_FULL = (uint8_t)27,
    events_reason_DUPLICATE_INSTRUMENT = (uint8_t)28,
    events_reason_DUPLICATE_SOURCE = (uint8_t)29,
    events_reason_SOURCE_BUSY = (uint8_t)30,
    events_reason_SESSION_IN_USE = (uint8_t)31,
    events_reason_UNKNOWN_SESSION = (uint8_t)32,
    events_reason_REQUESTED = (uint8_t)33,
    events_reason_UNFILLED = (uint8_t)34,
    events_reason_NOTHING_LEFT = (uint8_t)35,
    events_reason_MASS_CANCEL = (uint8_t)36,
    events_reason_DISCONNECT = (uint8_t)37,
    events_reason_END_OF_DAY = (uint8_t)38,
    events_reason_STORAGE_LOW = (uint8_t)39,
    events_reason_NOT_RESUMED = (uint8_t)40,
    events_reason_NULL_VALUE = (uint8_t)255
};

SBE_ONE_DEF bool events_reason_get(
    const uint8_t value,
    enum events_reason *const out)
{
    switch (value)
    {
        case (uint8_t)0:
             *out = events_reason_NONE;
             return true;
        case (uint8_t)1:
             *out = events_reason_UNKNOWN_COMMAND;
             return true;
        case (uint8_t)2:
             *out = events_reason_UNKNOWN_SOURCE;
             return true;
        case (uint8_t)3:
             *out = events_reason_SEQUENCE_GAP;
             return true;
        case (uint8_t)4:
             *out = events_reason_DUPLICATE_SEQUENCE;
             return true;
        case (uint8_t)5:
             *out = events_reason_NOT_ALLOWED;
             return true;
        case (uint8_t)6:
             *out = events_reason_INVALID_FLAGS;
             return true;
        case (uint8_t)7:
             *out = events_reason_INVALID_FIELD;
             return true;
        case (uint8_t)8:
             *out = events_reason_UNKNOWN_INSTRUMENT;
             return true;
        case (uint8_t)9:
             *out = events_reason_INSTRUMENT_STATE;
             return true;
        case (uint8_t)10:
             *out = events_reason_INVALID_SIDE;
             return true;
        case (uint8_t)11:
             *out = events_reason_INVALID_ORDER_TYPE;
             return true;
        case (uint8_t)12:
             *out = events_reason_INVALID_TIME_IN_FORCE;
             return true;
        case (uint8_t)13:
             *out = events_reason_INVALID_QUANTITY;
             return true;
        case (uint8_t)14:
             *out = events_reason_QUANTITY_TOO_LARGE;
             return true;
        case (uint8_t)15:
             *out = events_reason_PRICE_OUT_OF_BAND;
             return true;
        case (uint8_t)16:
             *out = events_reason_DUPLICATE_ORDER;
             return true;
        case (uint8_t)17:
             *out = events_reason_UNKNOWN_ORDER;
             return true;
        case (uint8_t)18:
             *out = events_reason_WRONG_OWNER;
             return true;
        case (uint8_t)19:
             *out = events_reason_PENDING_CANCEL;
             return true;
        case (uint8_t)20:
             *out = events_reason_WOULD_CROSS;
             return true;
        case (uint8_t)21:
             *out = events_reason_CROSSED_BOOK;
             return true;
        case (uint8_t)22:
             *out = events_reason_ORDERS_FULL;
             return true;
        case (uint8_t)23:
             *out = events_reason_LEVELS_FULL;
             return true;
        case (uint8_t)24:
             *out = events_reason_INSTRUMENTS_FULL;
             return true;
        case (uint8_t)25:
             *out = events_reason_SOURCES_FULL;
             return true;
        case (uint8_t)26:
             *out = events_reason_SESSIONS_FULL;
             return true;
        case (uint8_t)27:
             *out = events_reason_PENDING_FULL;
             return true;
        case (uint8_t)28:
             *out = events_reason_DUPLICATE_INSTRUMENT;
             return true;
        case (uint8_t)29:
             *out = events_reason_DUPLICATE_SOURCE;
             return true;
        case (uint8_t)30:
             *out = events_reason_SOURCE_BUSY;
             return true;
        case (uint8_t)31:
             *out = events_reason_SESSION_IN_USE;
             return true;
        case (uint8_t)32:
             *out = events_reason_UNKNOWN_SESSION;
             return true;
        case (uint8_t)33:
             *out = events_reason_REQUESTED;
             return true;
        case (uint8_t)34:
             *out = events_reason_UNFILLED;
             return true;
        case (uint8_t)35:
             *out = events_reason_NOTHING_LEFT;
             return true;
        case (uint8_t)36:
             *out = events_reason_MASS_CANCEL;
             return true;
        case (uint8_t)37:
             *out = events_reason_DISCONNECT;
             return true;
        case (uint8_t)38:
             *out = events_reason_END_OF_DAY;
             return true;
        case (uint8_t)39:
             *out = events_reason_STORAGE_LOW;
             return true;
        case (uint8_t)40:
             *out = events_reason_NOT_RESUMED;
             return true;
        case (uint8_t)255:
             *out = events_reason_NULL_VALUE;
             return true;
    }

    errno = E103;
    return false;
}

#endif
