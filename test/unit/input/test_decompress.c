/*
 * The three codecs behind their table: found by magic number, one byte of room or input at a time,
 * and with an end that is only an end when it is one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "input/decompress.h"
#include "lib/compress.h"

static const char plain[] = "a line of text, a line of text, a line of text and its end";
static const char *const names[] = {"xz", "zstd", "gzip"};

static void test_found_by_magic(void **state)
{
    (void)state;
    for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
        uint8_t packed[512];
        const size_t size =
            compress_bytes((compress_kind_t)kind, plain, sizeof plain, packed, sizeof packed);
        const decompress_codec_t *codec = decompress_codec_find(packed, size);
        assert_non_null(codec);
        assert_string_equal(codec->name, names[kind]);
        assert_ptr_equal(decompress_codec_find(packed, DECOMPRESS_MAGIC_SIZE), codec);
        assert_null(decompress_codec_find(packed, 1));
        assert_null(decompress_codec_find(packed + 1, size - 1));
    }
    assert_null(decompress_codec_find((const uint8_t *)plain, sizeof plain));
    assert_null(decompress_codec_find(NULL, 0));
    assert_non_null(decompress_codec_find((const uint8_t *)"\x5e\x2a\x4d\x18", 4));
}

/* Feeds in_step and makes room for out_step bytes at a time. */
static decompress_status_t run_in_steps(const uint8_t *packed, size_t size, size_t in_step,
                                        size_t out_step, size_t *made)
{
    static uint8_t out[4096];
    const decompress_codec_t *codec = decompress_codec_find(packed, size);
    void *codec_state = codec->create();
    decompress_status_t status = DECOMPRESS_MORE;
    size_t used = 0;
    *made = 0;
    for (unsigned calls = 0; status == DECOMPRESS_MORE; calls++) {
        assert_true(calls < 10000);
        const size_t left = size - used;
        const size_t in_size = left < in_step ? left : in_step;
        decompress_io_t io = {packed + used, in_size, out + *made, out_step, in_size == left, ""};
        status = codec->run(codec_state, &io);
        used = (size_t)(io.in - packed);
        *made = (size_t)(io.out - out);
        assert_true(*made + out_step < sizeof out);
    }
    codec->destroy(codec_state);
    if (status == DECOMPRESS_END) {
        assert_int_equal(used, size);
        assert_memory_equal(out, plain, *made);
    }
    return status;
}

static void test_any_step(void **state)
{
    (void)state;
    const size_t steps[] = {1, 2, 7, 1000};
    for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
        uint8_t packed[512];
        const size_t size =
            compress_bytes((compress_kind_t)kind, plain, sizeof plain, packed, sizeof packed);
        for (size_t i = 0; i < 16; i++) {
            size_t made;
            assert_int_equal(run_in_steps(packed, size, steps[i / 4], steps[i % 4], &made),
                             DECOMPRESS_END);
            assert_int_equal(made, sizeof plain);
        }
    }
}

static void test_short_and_damaged(void **state)
{
    (void)state;
    for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
        uint8_t packed[512];
        size_t made;
        const size_t size =
            compress_bytes((compress_kind_t)kind, plain, sizeof plain, packed, sizeof packed);
        assert_int_equal(run_in_steps(packed, size - 1, 7, 7, &made), DECOMPRESS_TRUNCATED);
        packed[size - 5] ^= 1;
        assert_int_equal(run_in_steps(packed, size, 7, 7, &made), DECOMPRESS_DAMAGED);
    }
}

/* zstd's skippable frames hold nothing for the reader; one may also come first. */
static void test_skippable_frame(void **state)
{
    (void)state;
    uint8_t packed[512] = {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'x', 'y', 'z'};
    size_t size = 11;
    size_t made;
    size += compress_bytes(COMPRESS_ZSTD, plain, sizeof plain, packed + size, 400);
    memcpy(packed + size, packed, 11);
    size += 11;
    assert_int_equal(run_in_steps(packed, size, 4, 4, &made), DECOMPRESS_END);
    assert_int_equal(made, sizeof plain);
    assert_int_equal(run_in_steps(packed, size - 1, 4, 4, &made), DECOMPRESS_TRUNCATED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found_by_magic),
        cmocka_unit_test(test_any_step),
        cmocka_unit_test(test_short_and_damaged),
        cmocka_unit_test(test_skippable_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
