/*
 * SHA-256 (FIPS 180-4), plain and slow. Called by the conformance tests only; the program itself
 * must not use it.
 */
#include "lib/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64 };

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t value, unsigned bits)
{
    return value >> bits | value << (32 - bits);
}

static void expand(uint32_t w[64], const uint8_t *block)
{
    for (unsigned i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15];
        const uint32_t b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

static void digest_block(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64];
    uint32_t s[8];
    expand(w, block);
    memcpy(s, state, sizeof s);
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t e = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
        const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const uint32_t a = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
        const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const uint32_t first = s[7] + e + choice + round_constants[i] + w[i];
        memmove(s + 1, s, 7 * sizeof s[0]);
        s[4] += first;
        s[0] = first + a + majority;
    }
    for (unsigned i = 0; i < 8; i++)
        state[i] += s[i];
}

void sha256_hex(char out[SHA256_HEX_SIZE], const void *bytes, size_t size)
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const uint8_t *at = bytes;
    const size_t whole = size / BLOCK;
    for (size_t i = 0; i < whole; i++, at += BLOCK)
        digest_block(state, at);

    /* The rest, a one bit, zeroes, and the length in bits. */
    uint8_t tail[2 * BLOCK] = {0};
    const size_t rest = size % BLOCK;
    const size_t tail_size = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    if (rest)
        memcpy(tail, at, rest);
    tail[rest] = 0x80;
    for (unsigned i = 0; i < 8; i++)
        tail[tail_size - 1 - i] = (uint8_t)((uint64_t)size * 8 >> (8 * i));
    for (size_t i = 0; i < tail_size; i += BLOCK)
        digest_block(state, tail + i);
    for (unsigned i = 0; i < 8; i++)
        (void)snprintf(out + (size_t)8 * i, SHA256_HEX_SIZE - (size_t)8 * i, "%08x", state[i]);
}
