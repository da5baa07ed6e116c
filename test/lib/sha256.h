/*
 * SHA-256 of a memory block, to compare large outputs with published digests.
 */
#ifndef LIB_SHA256_H
#define LIB_SHA256_H

#include <stddef.h>

#define SHA256_HEX_SIZE 65

/* Writes the digest of `size` bytes as lower-case hex digits and a terminating zero. */
void sha256_hex(char out[SHA256_HEX_SIZE], const void *bytes, size_t size);

#endif
