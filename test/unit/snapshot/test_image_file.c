/*
 * Reading one data file: every flipped bit of it is found, and said where.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/image_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads all of an image's file. */
static oc_err_t read_all(const image_maker_t *maker, uint64_t sequence, uint8_t *block)
{
    image_file_t file;
    oc_err_t err = image_file_open(&file, maker->store, sequence);
    if (err != OC_ERR_OK)
        return err;
    err = image_file_read_configuration(&file, block);
    if (err == OC_ERR_OK)
        err = image_file_read_table(&file);
    for (uint32_t i = 0; err == OC_ERR_OK && i < file.header.identity.section_count; i++) {
        const image_section_record_t *section = &file.header.identity.sections[i];
        for (uint64_t n = 0; err == OC_ERR_OK && n < section->entry_count; n++) {
            const uint64_t entry = section->first_entry + n;
            err = image_file_read(&file, image_page_offset(entry), block, OC_ARENA_PAGE_SIZE);
            if (err == OC_ERR_OK)
                err = image_file_check_page(&file, entry, i, block);
        }
    }
    image_file_close(&file);
    image_file_close(&file); /* nothing is open any more */
    return err;
}

static void test_each_flipped_bit_is_found(void **state)
{
    (void)state;
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    image_maker_t maker;
    uint64_t sequence;
    image_maker_init(&maker, 1);
    assert_int_equal(image_maker_open(&maker), OC_ERR_OK);
    assert_int_equal(image_maker_take(&maker, 0, &sequence), OC_ERR_OK);
    assert_int_equal(image_maker_take(&maker, 1, &sequence), OC_ERR_OK);
    const uint64_t bytes = image_store_find(maker.store, 2)->bytes;
    const char *path = image_maker_path(2, ".pages");
    assert_int_equal(read_all(&maker, 2, block), OC_ERR_OK);
    for (uint64_t at = 0; at < bytes; at += at % STORAGE_BLOCK < 800 ? 1 : 131) {
        const uint8_t mask = (uint8_t)(1 << at % 8);
        char offset[64];
        storage_fake_flip(maker.device, path, at, mask);
        assert_int_equal(read_all(&maker, 2, block), OC_ERR_DAMAGED);
        (void)snprintf(offset, sizeof offset, "%s: damaged at offset %d:", path,
                       (int)(at / STORAGE_BLOCK * STORAGE_BLOCK));
        if (!strstr(oc_err_context(), offset))
            fail_msg("%s instead of %s", oc_err_context(), offset);
        storage_fake_flip(maker.device, path, at, mask);
    }
    assert_int_equal(read_all(&maker, 2, block), OC_ERR_OK);
    image_maker_fini(&maker);
    free(block);
}

/* Two blocks of a file that have changed places. */
static void test_pages_in_each_others_place(void **state)
{
    (void)state;
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    image_maker_t maker;
    uint64_t sequence, size;
    image_maker_init(&maker, 1);
    assert_int_equal(image_maker_open(&maker), OC_ERR_OK);
    assert_int_equal(image_maker_take(&maker, 0, &sequence), OC_ERR_OK);
    assert_int_equal(image_maker_take(&maker, 0, &sequence), OC_ERR_OK);
    /* The same page of another image. */
    uint8_t *other = storage_fake_bytes(maker.device, image_maker_path(1, ".pages"), &size);
    memcpy(block, other + image_page_offset(3), STORAGE_BLOCK);
    uint8_t *bytes = storage_fake_bytes(maker.device, image_maker_path(2, ".pages"), &size);
    memcpy(bytes + image_page_offset(3), block, STORAGE_BLOCK);
    assert_int_equal(read_all(&maker, 2, block), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "page 3 of section first"));
    image_maker_fini(&maker);
    free(block);
}

static void test_what_cannot_be_read(void **state)
{
    (void)state;
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    image_maker_t maker;
    uint64_t sequence;
    image_maker_init(&maker, 1);
    assert_int_equal(image_maker_open(&maker), OC_ERR_OK);
    assert_int_equal(image_maker_take(&maker, 0, &sequence), OC_ERR_OK);
    assert_int_equal(read_all(&maker, 7, block), OC_ERR_OPEN);
    for (uint64_t nth = 1; nth <= 5; nth++) {
        storage_fake_fault(maker.device, STORAGE_FAKE_READ_ERROR, nth);
        assert_int_equal(read_all(&maker, 1, block), OC_ERR_READ);
        assert_non_null(strstr(oc_err_context(), image_maker_path(1, ".pages")));
        assert_non_null(strstr(oc_err_context(), "at offset"));
    }
    /* Shorter and longer than its manifest says, in a process that has listed it. */
    const char *path = image_maker_path(1, ".pages");
    uint64_t size = 0;
    const uint8_t *bytes = storage_fake_bytes(maker.device, path, &size);
    uint8_t *copy = calloc(1, size + 1);
    memcpy(copy, bytes, size);
    storage_fake_put(maker.device, path, copy, size - 1);
    assert_int_equal(read_all(&maker, 1, block), OC_ERR_DAMAGED);
    storage_fake_put(maker.device, path, copy, size + 1);
    assert_int_equal(read_all(&maker, 1, block), OC_ERR_DAMAGED);
    storage_fake_put(maker.device, path, copy, size);
    assert_int_equal(read_all(&maker, 1, block), OC_ERR_OK);
    const storage_t *storage = storage_fake_table(maker.device);
    assert_int_equal(storage->remove(storage, path), OC_ERR_OK);
    assert_int_equal(read_all(&maker, 1, block), OC_ERR_OPEN);
    free(copy);
    free(block);
    image_maker_fini(&maker);
}

static void test_a_file_that_ends_while_it_is_read(void **state)
{
    (void)state;
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, 2 * STORAGE_BLOCK);
    image_maker_t maker;
    image_file_t file;
    uint64_t sequence;
    image_maker_init(&maker, 1);
    assert_int_equal(image_maker_open(&maker), OC_ERR_OK);
    assert_int_equal(image_maker_take(&maker, 0, &sequence), OC_ERR_OK);
    assert_int_equal(image_file_open(&file, maker.store, 1), OC_ERR_OK);
    const uint64_t bytes = image_store_find(maker.store, 1)->bytes;
    assert_int_equal(image_file_read(&file, bytes - STORAGE_BLOCK, block, 2 * STORAGE_BLOCK),
                     OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "cut off"));
    image_file_close(&file);
    image_maker_fini(&maker);
    free(block);
}

static void test_paths(void **state)
{
    (void)state;
    char *dir = image_dir_path("some/log");
    char *path = image_path(dir, 0xabc, IMAGE_PAGES_ENDING);
    assert_string_equal(dir, "some/log/images");
    assert_string_equal(path, "some/log/images/0000000000000abc.pages");
    free(dir);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_flipped_bit_is_found),
        cmocka_unit_test(test_pages_in_each_others_place),
        cmocka_unit_test(test_what_cannot_be_read),
        cmocka_unit_test(test_a_file_that_ends_while_it_is_read),
        cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
