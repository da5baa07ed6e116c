/*
 * The window over bytes: plain and compressed, from files, memory and inputs that read little or
 * fail, in any step; every cut and every damage of compressed data is an error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/byte_source.h"
#include "lib/compress.h"
#include "lib/temp_file.h"

#define TEXT_SIZE 1000000

static uint8_t *text; /* compresses a little */
static uint8_t *packed;
static size_t packed_size;

static int setup(void **state)
{
    (void)state;
    text = malloc(TEXT_SIZE);
    packed = malloc(3 * TEXT_SIZE);
    uint32_t x = 1;
    for (size_t i = 0; text != NULL && i < TEXT_SIZE; i++) {
        x = x * UINT32_C(1664525) + UINT32_C(1013904223);
        text[i] = (uint8_t)('a' + (x >> 24) % 23);
    }
    return text != NULL && packed != NULL ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    free(text);
    free(packed);
    return 0;
}

static void pack(compress_kind_t kind, size_t size)
{
    packed_size = compress_bytes(kind, text, size, packed, 3 * TEXT_SIZE);
}

/* Reads to the end in steps, comparing with the text; returns how it ended and closes. */
static oc_err_t read_on(byte_source_t *source, size_t step, uint64_t *read)
{
    uint64_t at = 0;
    oc_err_t err = OC_ERR_OK;
    for (;;) {
        byte_view_t view;
        err = byte_source_peek(source, step, &view);
        if (err != OC_ERR_OK || view.size == 0) {
            break;
        }
        const size_t used = view.size < step ? view.size : step;
        assert_true(at + used <= TEXT_SIZE);
        assert_memory_equal(view.bytes, text + at, used);
        byte_source_advance(source, used);
        at += used;
        assert_int_equal(byte_source_offset(source), at);
    }
    if (err != OC_ERR_OK) {
        byte_view_t view;
        char said[512];
        snprintf(said, sizeof said, "%s", oc_err_context());
        assert_int_equal(byte_source_peek(source, step, &view), err);
        assert_string_equal(oc_err_context(), said);
    }
    *read = at;
    return err;
}

/* An input that gives so many bytes at a time and fails at a place. */
typedef struct faulty_input {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    size_t step;
    size_t fail_at;
    bool closed;
} faulty_input_t;

static int64_t faulty_read(void *context, void *buffer, size_t capacity)
{
    faulty_input_t *input = context;
    size_t count = input->size - input->at;
    if (input->at >= input->fail_at) {
        errno = EIO;
        return -1;
    }
    count = count < input->step ? count : input->step;
    count = count < capacity ? count : capacity;
    memcpy(buffer, input->bytes + input->at, count);
    input->at += count;
    return (int64_t)count;
}

static void faulty_close(void *context)
{
    faulty_input_t *input = context;
    input->closed = true;
}

static oc_err_t read_faulty(faulty_input_t *faulty, uint64_t *read)
{
    byte_source_t *source = NULL;
    const byte_input_t input = {faulty, faulty->size, faulty_read, faulty_close};
    oc_err_t err = byte_source_open_input(&source, "faulty", &input);
    *read = 0;
    assert_int_equal(err == OC_ERR_OK, source != NULL);
    if (err == OC_ERR_OK) {
        err = read_on(source, 40, read);
    }
    byte_source_close(source);
    assert_true(faulty->closed);
    return err;
}

static oc_err_t read_memory(const uint8_t *bytes, size_t size, size_t step, uint64_t *read)
{
    uint8_t *copy = malloc(size == 0 ? 1 : size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    byte_source_t *source = NULL;
    assert_int_equal(byte_source_open_memory(&source, "memory", copy, size), OC_ERR_OK);
    const oc_err_t err = read_on(source, step, read);
    if (err == OC_ERR_OK) {
        assert_int_equal(byte_source_raw_offset(source), size);
    }
    assert_int_equal(byte_source_raw_size(source), size);
    byte_source_close(source);
    free(copy);
    return err;
}

static void test_plain(void **state)
{
    (void)state;
    const size_t steps[] = {1, 40, 4095, BYTE_SOURCE_PEEK_MAX};
    for (size_t i = 0; i < 4; i++) {
        uint64_t read;
        assert_int_equal(read_memory(text, TEXT_SIZE, steps[i], &read), OC_ERR_OK);
        assert_int_equal(read, TEXT_SIZE);
        faulty_input_t input = {text, TEXT_SIZE, 0, 1 + steps[i] / 2, SIZE_MAX, false};
        assert_int_equal(read_faulty(&input, &read), OC_ERR_OK);
        assert_int_equal(read, TEXT_SIZE);
    }
}

static void test_compressed(void **state)
{
    (void)state;
    const size_t steps[] = {1, 40, 4095, BYTE_SOURCE_PEEK_MAX};
    for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
        pack((compress_kind_t)kind, TEXT_SIZE);
        for (size_t i = 0; i < 4; i++) {
            uint64_t read;
            assert_int_equal(read_memory(packed, packed_size, steps[i], &read), OC_ERR_OK);
            assert_int_equal(read, TEXT_SIZE);
            faulty_input_t input = {packed, packed_size, 0, steps[i], SIZE_MAX, false};
            assert_int_equal(read_faulty(&input, &read), OC_ERR_OK);
            assert_int_equal(read, TEXT_SIZE);
        }
    }
}

static void test_from_files(void **state)
{
    (void)state;
    for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
        pack((compress_kind_t)kind, TEXT_SIZE);
        temp_file_t file;
        temp_file_make(&file);
        temp_file_write(&file, packed, packed_size);
        byte_source_t *source = NULL;
        uint64_t read;
        assert_int_equal(byte_source_open(&source, file.path), OC_ERR_OK);
        assert_int_equal(byte_source_raw_size(source), packed_size);
        assert_string_equal(byte_source_name(source), file.path);
        assert_int_equal(read_on(source, 1000, &read), OC_ERR_OK);
        assert_int_equal(read, TEXT_SIZE);
        assert_int_equal(byte_source_raw_offset(source), packed_size);
        byte_source_close(source);
        temp_file_remove(&file);
    }
}

static void test_members_in_a_row(void **state)
{
    (void)state;
    for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
        size_t size = 0;
        const size_t cuts[] = {0, 1000, 1000, 1001, 50000, 60000};
        for (size_t i = 0; i + 1 < 6; i++) {
            size += compress_bytes((compress_kind_t)kind, text + cuts[i], cuts[i + 1] - cuts[i],
                                   packed + size, 3 * TEXT_SIZE - size);
        }
        uint64_t read;
        assert_int_equal(read_memory(packed, size, 40, &read), OC_ERR_OK);
        assert_int_equal(read, 60000);
        faulty_input_t input = {packed, size, 0, 1, SIZE_MAX, false};
        assert_int_equal(read_faulty(&input, &read), OC_ERR_OK);
        assert_int_equal(read, 60000);
        const char garbage[] = "something that is no member";
        memcpy(packed + size, garbage, sizeof garbage);
        assert_int_equal(read_memory(packed, size + sizeof garbage, 40, &read), OC_ERR_FORMAT);
    }
}

/* A cut inside the magic number leaves plain bytes; any other one must be noticed. */
static void test_every_cut(void **state)
{
    (void)state;
    for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
        pack((compress_kind_t)kind, 3000);
        const size_t magic_size = kind == COMPRESS_XZ ? 6 : kind == COMPRESS_ZSTD ? 4 : 2;
        for (size_t size = magic_size; size < packed_size; size++) {
            uint64_t read;
            assert_int_equal(read_memory(packed, size, 1, &read), OC_ERR_TRUNCATED);
            assert_non_null(strstr(oc_err_context(), "memory: offset "));
            assert_non_null(strstr(oc_err_context(), "the file ends too early"));
        }
    }
}

/* Checksums see to it that damage is noticed, unless the bit means nothing to the content. */
static void test_every_damage(void **state)
{
    (void)state;
    for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
        size_t unnoticed = 0;
        pack((compress_kind_t)kind, 600);
        for (size_t bit = 10 * 8; bit < packed_size * 8; bit++) {
            uint8_t *byte = &packed[bit / 8];
            *byte ^= (uint8_t)(1U << bit % 8);
            byte_source_t *source = NULL;
            byte_view_t view;
            assert_int_equal(byte_source_open_memory(&source, "m", packed, packed_size), OC_ERR_OK);
            if (byte_source_peek(source, BYTE_SOURCE_PEEK_MAX, &view) == OC_ERR_OK) {
                assert_int_equal(view.size, 600);
                assert_memory_equal(view.bytes, text, 600);
                unnoticed++;
            }
            byte_source_close(source);
            *byte ^= (uint8_t)(1U << bit % 8);
        }
        assert_true(unnoticed < 16);
    }
}

/* What was decompressed before the damage is shown, then the error. */
static void test_bytes_before_damage_are_shown(void **state)
{
    (void)state;
    for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
        pack((compress_kind_t)kind, TEXT_SIZE);
        uint64_t read;
        assert_int_equal(read_memory(packed, packed_size - 4, 1, &read), OC_ERR_TRUNCATED);
        assert_true(read > TEXT_SIZE / 2);
    }
}

static void test_read_errors(void **state)
{
    (void)state;
    const size_t places[] = {0, 3, 100, TEXT_SIZE / 4};
    for (size_t i = 0; i < 4; i++) {
        uint64_t read;
        faulty_input_t plain = {text, TEXT_SIZE, 0, 50, places[i], false};
        assert_int_equal(read_faulty(&plain, &read), OC_ERR_READ);
        assert_non_null(strstr(oc_err_context(), "faulty: offset "));
        assert_non_null(strstr(oc_err_context(), strerror(EIO)));
        for (int kind = 0; kind < COMPRESS_KIND_COUNT; kind++) {
            pack((compress_kind_t)kind, TEXT_SIZE);
            faulty_input_t input = {packed, packed_size, 0, 50, places[i], false};
            assert_int_equal(read_faulty(&input, &read), OC_ERR_READ);
        }
    }
}

static void test_cannot_open(void **state)
{
    (void)state;
    byte_source_t *source = (byte_source_t *)(void *)&source;
    assert_int_equal(byte_source_open(&source, "/nowhere/at/all"), OC_ERR_OPEN);
    assert_null(source);
    assert_non_null(strstr(oc_err_context(), "/nowhere/at/all: cannot open it for reading: "));
    assert_int_equal(byte_source_open(&source, "/"), OC_ERR_READ);
    assert_null(source);
    byte_source_close(NULL);
}

static void test_empty_and_short(void **state)
{
    (void)state;
    byte_source_t *source = NULL;
    byte_view_t view;
    assert_int_equal(byte_source_open_memory(&source, "empty", NULL, 0), OC_ERR_OK);
    assert_int_equal(byte_source_peek(source, 10, &view), OC_ERR_OK);
    assert_int_equal(view.size, 0);
    byte_source_close(source);
    faulty_input_t input = {text, 3, 0, 1, SIZE_MAX, false};
    uint64_t read;
    assert_int_equal(read_faulty(&input, &read), OC_ERR_OK);
    assert_int_equal(read, 3);
}

static void test_long_name(void **state)
{
    (void)state;
    char name[2000];
    memset(name, 'x', sizeof name - 1);
    memcpy(name + sizeof name - 6, "y.bin", 6);
    byte_source_t *source = NULL;
    assert_int_equal(byte_source_open_memory(&source, name, "", 0), OC_ERR_OK);
    assert_int_equal(strlen(byte_source_name(source)), 160);
    assert_string_equal(byte_source_name(source) + 155, "y.bin");
    byte_source_close(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_from_files),
        cmocka_unit_test(test_members_in_a_row),
        cmocka_unit_test(test_every_cut),
        cmocka_unit_test(test_every_damage),
        cmocka_unit_test(test_bytes_before_damage_are_shown),
        cmocka_unit_test(test_read_errors),
        cmocka_unit_test(test_cannot_open),
        cmocka_unit_test(test_empty_and_short),
        cmocka_unit_test(test_long_name),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
