/*
 * Builds small binary inputs in a test, field by field, in either byte order.
 */
#ifndef LIB_BYTE_BUILDER_H
#define LIB_BYTE_BUILDER_H

#include <stddef.h>
#include <stdint.h>

#define BYTE_BUILDER_MAX 8192

typedef struct byte_builder {
    uint8_t bytes[BYTE_BUILDER_MAX];
    size_t size;
} byte_builder_t;

/* Each appends; running over the end fails the test. */
void build_bytes(byte_builder_t *builder, const void *bytes, size_t size);
void build_text(byte_builder_t *builder, const char *text);
void build_zeros(byte_builder_t *builder, size_t count);
void build_le(byte_builder_t *builder, uint64_t value, size_t width);
void build_be(byte_builder_t *builder, uint64_t value, size_t width);

#endif
