/*
 * Builds small binary inputs. Called by the tests of the readers; must stay within its array.
 */
#include "lib/byte_builder.h"

#include <string.h>

#include "base/assert.h"

void build_bytes(byte_builder_t *builder, const void *bytes, size_t size)
{
    OC_ASSERT(size <= BYTE_BUILDER_MAX - builder->size);
    memcpy(builder->bytes + builder->size, bytes, size);
    builder->size += size;
}

void build_text(byte_builder_t *builder, const char *text)
{
    build_bytes(builder, text, strlen(text));
}

void build_zeros(byte_builder_t *builder, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        build_le(builder, 0, 1);
    }
}

void build_le(byte_builder_t *builder, uint64_t value, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        const uint8_t byte = (uint8_t)(value >> 8 * i);
        build_bytes(builder, &byte, 1);
    }
}

void build_be(byte_builder_t *builder, uint64_t value, size_t width)
{
    for (size_t i = width; i > 0; i--) {
        const uint8_t byte = (uint8_t)(value >> 8 * (i - 1));
        build_bytes(builder, &byte, 1);
    }
}
