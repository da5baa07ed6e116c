/*
 * CRC-32C against published values, a bitwise twin, and the two implementations against each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/crc32c.h"

typedef uint32_t (*crc_function_t)(uint32_t crc, const void *bytes, size_t size);
static const crc_function_t functions[] = {crc32c, crc32c_portable};
#define FUNCTION_COUNT (sizeof functions / sizeof functions[0])

/* The definition, one bit at a time. */
static uint32_t crc_bitwise(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc & 1) != 0 ? crc >> 1 ^ UINT32_C(0x82f63b78) : crc >> 1;
        }
    }
    return ~crc;
}

static void fill(uint8_t *bytes, size_t size)
{
    uint32_t x = 12345;
    for (size_t i = 0; i < size; i++) {
        x = x * UINT32_C(1664525) + UINT32_C(1013904223);
        bytes[i] = (uint8_t)(x >> 24);
    }
}

/* RFC 3720, B.4, and the check value of the catalogue of CRCs. */
static void test_published_values(void **state)
{
    (void)state;
    uint8_t zeros[32] = {0};
    uint8_t ones[32];
    uint8_t rising[32];
    uint8_t falling[32];
    memset(ones, 0xff, sizeof ones);
    for (uint8_t i = 0; i < 32; i++) {
        rising[i] = i;
        falling[i] = (uint8_t)(31 - i);
    }
    for (size_t f = 0; f < FUNCTION_COUNT; f++) {
        assert_int_equal(functions[f](0, "123456789", 9), UINT32_C(0xe3069283));
        assert_int_equal(functions[f](0, "", 0), 0);
        assert_int_equal(functions[f](0, NULL, 0), 0);
        assert_int_equal(functions[f](0, zeros, 32), UINT32_C(0x8a9136aa));
        assert_int_equal(functions[f](0, ones, 32), UINT32_C(0x62a8ab43));
        assert_int_equal(functions[f](0, rising, 32), UINT32_C(0x46dd794e));
        assert_int_equal(functions[f](0, falling, 32), UINT32_C(0x113fdb5c));
    }
}

static void test_every_length_and_alignment(void **state)
{
    (void)state;
    uint8_t bytes[200];
    fill(bytes, sizeof bytes);
    for (size_t start = 0; start < 16; start++) {
        for (size_t size = 0; start + size <= sizeof bytes; size++) {
            const uint32_t expected = crc_bitwise(bytes + start, size);
            for (size_t f = 0; f < FUNCTION_COUNT; f++) {
                assert_int_equal(functions[f](0, bytes + start, size), expected);
            }
        }
    }
}

/* Single bytes walk through every entry of the first table, bytes before zeros through the rest. */
static void test_every_table_entry(void **state)
{
    (void)state;
    for (unsigned value = 0; value < 256; value++) {
        for (size_t place = 0; place < 8; place++) {
            uint8_t word[8] = {0};
            word[place] = (uint8_t)value;
            assert_int_equal(crc32c_portable(0, word, 8), crc_bitwise(word, 8));
            assert_int_equal(crc32c(0, word, 8), crc_bitwise(word, 8));
        }
    }
}

static void test_cut_anywhere(void **state)
{
    (void)state;
    uint8_t bytes[100];
    fill(bytes, sizeof bytes);
    const uint32_t whole = crc_bitwise(bytes, sizeof bytes);
    for (size_t cut = 0; cut <= sizeof bytes; cut++) {
        for (size_t f = 0; f < FUNCTION_COUNT; f++) {
            const uint32_t first = functions[f](0, bytes, cut);
            assert_int_equal(functions[f](first, bytes + cut, sizeof bytes - cut), whole);
        }
    }
}

static void test_every_bit_counts(void **state)
{
    (void)state;
    uint8_t bytes[72];
    fill(bytes, sizeof bytes);
    const uint32_t whole = crc32c(0, bytes, sizeof bytes);
    for (size_t bit = 0; bit < sizeof bytes * 8; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
        assert_int_not_equal(crc32c(0, bytes, sizeof bytes), whole);
        bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_values),  cmocka_unit_test(test_every_length_and_alignment),
        cmocka_unit_test(test_every_table_entry), cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_every_bit_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
