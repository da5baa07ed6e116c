/*
 * CRC-32C by the SSE4.2 instruction on x86-64, by eight tables elsewhere (slicing by 8).
 *
 * Called by whatever writes or reads files: tapes, journals, snapshots. Invariants: both ways give
 * the same value for the same bytes, at any alignment and however the bytes are cut into calls. It
 * must not keep state: the tables are constants, so that every thread may call it at any time.
 */
#include "base/crc32c.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are folded in memory order");

/*
 * The CRC is linear: an entry is the xor of the entries of its single bits, so a table is given by
 * eight constants. Read as one list, the 64 of them are the polynomial shifted 0 to 63 times.
 */
#define ENTRY(i, p0, p1, p2, p3, p4, p5, p6, p7)                                                   \
    (((i)&0x80 ? UINT32_C(p0) : 0) ^ ((i)&0x40 ? UINT32_C(p1) : 0) ^                               \
     ((i)&0x20 ? UINT32_C(p2) : 0) ^ ((i)&0x10 ? UINT32_C(p3) : 0) ^                               \
     ((i)&0x08 ? UINT32_C(p4) : 0) ^ ((i)&0x04 ? UINT32_C(p5) : 0) ^                               \
     ((i)&0x02 ? UINT32_C(p6) : 0) ^ ((i)&0x01 ? UINT32_C(p7) : 0))
#define ENTRIES_4(i, ...)                                                                          \
    ENTRY(i, __VA_ARGS__), ENTRY((i) + 1, __VA_ARGS__), ENTRY((i) + 2, __VA_ARGS__),               \
        ENTRY((i) + 3, __VA_ARGS__)
#define ENTRIES_16(i, ...)                                                                         \
    ENTRIES_4(i, __VA_ARGS__), ENTRIES_4((i) + 4, __VA_ARGS__), ENTRIES_4((i) + 8, __VA_ARGS__),   \
        ENTRIES_4((i) + 12, __VA_ARGS__)
#define ENTRIES_64(i, ...)                                                                         \
    ENTRIES_16(i, __VA_ARGS__), ENTRIES_16((i) + 16, __VA_ARGS__),                                 \
        ENTRIES_16((i) + 32, __VA_ARGS__), ENTRIES_16((i) + 48, __VA_ARGS__)
#define TABLE(...)                                                                                 \
    ENTRIES_64(0, __VA_ARGS__), ENTRIES_64(64, __VA_ARGS__), ENTRIES_64(128, __VA_ARGS__),         \
        ENTRIES_64(192, __VA_ARGS__)

/* tables[k][b]: what byte b does to the CRC when k more bytes follow it in the same word. */
static const uint32_t tables[8][256] = {
    {TABLE(0x82f63b78, 0x417b1dbc, 0x20bd8ede, 0x105ec76f, 0x8ad958cf, 0xc79a971f, 0xe13b70f7,
           0xf26b8303)},
    {TABLE(0xfbc3faf9, 0xff17c604, 0x7f8be302, 0x3fc5f181, 0x9d14c3b8, 0x4e8a61dc, 0x274530ee,
           0x13a29877)},
    {TABLE(0x8b277743, 0xc76580d9, 0xe144fb14, 0x70a27d8a, 0x38513ec5, 0x9edea41a, 0x4f6f520d,
           0xa541927e)},
    {TABLE(0x52a0c93f, 0xaba65fe7, 0xd725148b, 0xe964b13d, 0xf64463e6, 0x7b2231f3, 0xbf672381,
           0xdd45aab8)},
    {TABLE(0x6ea2d55c, 0x37516aae, 0x1ba8b557, 0x8f2261d3, 0xc5670b91, 0xe045beb0, 0x7022df58,
           0x38116fac)},
    {TABLE(0x1c08b7d6, 0x0e045beb, 0x85f4168d, 0xc00c303e, 0x6006181f, 0xb2f53777, 0xdb8ca0c3,
           0xef306b19)},
    {TABLE(0xf56e0ef4, 0x7ab7077a, 0x3d5b83bd, 0x9c5bfaa6, 0x4e2dfd53, 0xa5e0c5d1, 0xd0065990,
           0x68032cc8)},
    {TABLE(0x34019664, 0x1a00cb32, 0x0d006599, 0x847609b4, 0x423b04da, 0x211d826d, 0x9278fa4e,
           0x493c7d27)},
};

uint32_t crc32c_portable(uint32_t crc, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;
    crc = ~crc;
    for (; size >= 8; size -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, sizeof word);
        word ^= crc;
        crc = tables[7][word & 0xff] ^ tables[6][word >> 8 & 0xff] ^ tables[5][word >> 16 & 0xff] ^
              tables[4][word >> 24 & 0xff] ^ tables[3][word >> 32 & 0xff] ^
              tables[2][word >> 40 & 0xff] ^ tables[1][word >> 48 & 0xff] ^ tables[0][word >> 56];
    }
    for (; size > 0; size--, next++) {
        crc = tables[0][(crc ^ *next) & 0xff] ^ crc >> 8;
    }
    return ~crc;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t crc32c_sse42(uint32_t crc, const void *bytes,
                                                               size_t size)
{
    const uint8_t *next = bytes;
    uint64_t wide = (uint32_t)~crc;
    for (; size >= 8; size -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, sizeof word);
        wide = _mm_crc32_u64(wide, word);
    }
    uint32_t narrow = (uint32_t)wide;
    for (; size > 0; size--, next++) {
        narrow = _mm_crc32_u8(narrow, *next);
    }
    return ~narrow;
}

/* Asked at each call: it is one load of what start-up found, and needs no state of our own. */
uint32_t crc32c(uint32_t crc, const void *bytes, size_t size)
{
    return __builtin_cpu_supports("sse4.2") ? crc32c_sse42(crc, bytes, size)
                                            : crc32c_portable(crc, bytes, size);
}
#else
uint32_t crc32c(uint32_t crc, const void *bytes, size_t size)
{
    return crc32c_portable(crc, bytes, size);
}
#endif
