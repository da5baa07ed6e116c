/*
 * The writer of data files: where everything lies, and that a failing device leaves nothing behind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/expect_abort.h"
#include "lib/image_maker.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void start(image_maker_t *maker)
{
    image_maker_init(maker, 1);
    assert_int_equal(image_maker_open(maker), OC_ERR_OK);
}

/* Byte for byte, from the description in docs/formats/image.md. */
static void test_where_everything_lies(void **state)
{
    (void)state;
    image_maker_t maker;
    image_info_t info;
    uint64_t size = 0;
    uint8_t page[OC_ARENA_PAGE_SIZE];
    start(&maker);
    (void)image_store_next_sequence(maker.store);
    image_maker_info(&maker, 1, &info);
    assert_int_equal(image_maker_write(&maker, &info), OC_ERR_OK);
    const uint8_t *bytes = storage_fake_bytes(maker.device, image_maker_path(2, ".pages"), &size);
    assert_int_equal(info.bytes, size);
    /* Image 2 has pages 3, 8, 13, ... 38 and 3, and both pages of the stream of 6002 bytes. */
    assert_int_equal(info.pages, 8 + 1 + 2);
    assert_int_equal(size, (2 + 11 + 1) * STORAGE_BLOCK);
    assert_memory_equal(bytes, "\x8F\x6F\x63\x69\x70\x0D\x0A\x1A\x01\x00\x00\x00", 12);
    const struct {
        size_t offset;
        uint64_t value;
    } fields[] = {{16, 2},
                  {24, 1},
                  {32, IMAGE_MAKER_LOG_ID},
                  {40, 1000},
                  {48, 500},
                  {56, 100},
                  {88, 11},
                  {96, 2000},
                  {104 + 40, 11},
                  {104 + 48, 40 * 4096},
                  {104 + 56, 0},
                  {104 + 64, 8},
                  {104 + 72 + 56, 8},
                  {104 + 72 + 64, 1},
                  {104 + 144 + 48, 6002},
                  {104 + 144 + 56, 9},
                  {104 + 144 + 64, 2},
                  {680, 3},
                  {688, 13 * 4096}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        assert_memory_equal(bytes + fields[i].offset, &fields[i].value, 8);
    assert_string_equal(bytes + 104 + 72, "second");
    assert_memory_equal(bytes + STORAGE_BLOCK, image_maker_configuration,
                        strlen(image_maker_configuration));
    image_maker_page(2, 1, 3, page);
    assert_memory_equal(bytes + (2 + 8) * STORAGE_BLOCK, page, sizeof page);
    const uint32_t entry[2] = {3, image_page_crc(2, 1, 3, page)};
    assert_memory_equal(bytes + 13 * STORAGE_BLOCK + 8 * 8, entry, 8);
    image_maker_fini(&maker);
}

/* The header is what makes it a file: it comes last. */
static void test_unfinished_files_have_no_header(void **state)
{
    (void)state;
    image_maker_t maker;
    image_info_t info;
    uint64_t size = 0;
    uint8_t zero[IMAGE_PAGES_OFFSET] = {0};
    start(&maker);
    image_maker_info(&maker, 0, &info);
    assert_int_equal(image_writer_begin(maker.writer, &info, NULL, 0), OC_ERR_OK);
    for (uint32_t page = 0; page < 40; page++) {
        void *room = image_writer_room(maker.writer);
        assert_ptr_equal(room, image_writer_room(maker.writer));
        memset(room, 7, OC_ARENA_PAGE_SIZE);
        assert_int_equal(image_writer_put(maker.writer, 0, page), OC_ERR_OK);
    }
    const uint8_t *bytes = storage_fake_bytes(maker.device, image_maker_path(1, ".pages"), &size);
    assert_int_equal(size, (2 + 32) * STORAGE_BLOCK); /* 16 pages are a block */
    assert_memory_equal(bytes, zero, sizeof zero);
    image_writer_abandon(maker.writer);
    image_writer_abandon(maker.writer);
    assert_int_equal(image_maker_files(&maker), 0);
    image_maker_fini(&maker);
}

/* No page changed: an image all the same. */
static void test_no_pages(void **state)
{
    (void)state;
    image_maker_t maker;
    image_info_t info;
    uint64_t sequence;
    start(&maker);
    assert_int_equal(image_maker_take(&maker, 0, &sequence), OC_ERR_OK);
    image_maker_info(&maker, 1, &info);
    info.sections[2].size = 0;
    const image_place_t place = info.place;
    const uint8_t configuration[IMAGE_CONFIGURATION_MAX] = {1, 2, [4095] = 3};
    info.made_ns = 0;
    assert_int_equal(image_writer_begin(maker.writer, &info, configuration, sizeof configuration),
                     OC_ERR_OK);
    assert_int_equal(image_writer_finish(maker.writer, &place, &info), OC_ERR_OK);
    assert_int_equal(info.pages, 0);
    assert_int_equal(info.bytes, 2 * STORAGE_BLOCK);
    assert_true(info.made_ns > 0);
    assert_int_equal(image_store_commit(maker.store, &info), OC_ERR_OK);
    image_file_t file;
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    assert_int_equal(image_file_open(&file, maker.store, 2), OC_ERR_OK);
    assert_int_equal(image_file_read_table(&file), OC_ERR_OK);
    assert_int_equal(image_file_read_configuration(&file, block), OC_ERR_OK);
    assert_memory_equal(block, configuration, sizeof configuration);
    image_file_close(&file);
    free(block);
    image_maker_fini(&maker);
}

/* More and larger sections than the writer has seen before, and fewer again. */
static void test_one_writer_for_images_of_all_sizes(void **state)
{
    (void)state;
    static const uint64_t pages[] = {3, 600, 5000, 0, 513, 512};
    image_maker_t maker;
    start(&maker);
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        image_info_t info;
        image_maker_info(&maker, 0, &info);
        info.section_count = 1;
        info.sections[0].size = pages[i] << OC_ARENA_PAGE_SHIFT;
        memset(&info.sections[1], 0, 2 * sizeof info.sections[1]);
        assert_int_equal(image_maker_write(&maker, &info), OC_ERR_OK);
        assert_int_equal(info.pages, pages[i]);
        assert_int_equal(image_store_commit(maker.store, &info), OC_ERR_OK);
        image_maker_check(&maker, info.sequence);
    }
    image_maker_fini(&maker);
}

static oc_err_t create(uint32_t block_bytes)
{
    storage_fake_t *device = storage_fake_create(1);
    const image_writer_config_t config = {
        .dir = "log", .storage = storage_fake_table(device), .block_bytes = block_bytes};
    image_writer_t *writer = NULL;
    const oc_err_t err = image_writer_create(&writer, &config);
    image_writer_destroy(writer);
    storage_fake_destroy(device);
    return err;
}

static void test_block_sizes(void **state)
{
    (void)state;
    assert_int_equal(create(64 << 10), OC_ERR_OK);
    assert_int_equal(create(4 << 20), OC_ERR_OK);
    assert_int_equal(create((64 << 10) - 4096), OC_ERR_INVALID_CONFIG);
    assert_int_equal(create((4 << 20) + 4096), OC_ERR_INVALID_CONFIG);
    assert_int_equal(create((64 << 10) + 512), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "66048"));
    image_writer_destroy(NULL);
}

/* ---- Devices that fail ---- */

/* True when the fault did not come any more. */
static bool fail_at(storage_fake_fault_t fault, uint64_t nth)
{
    image_maker_t maker;
    image_info_t info;
    uint64_t sequence;
    start(&maker);
    assert_int_equal(image_maker_take(&maker, 0, &sequence), OC_ERR_OK);
    image_maker_info(&maker, 1, &info);
    storage_fake_fault(maker.device, fault, nth);
    const oc_err_t err = image_maker_write(&maker, &info);
    const bool through = storage_fake_fault_pending(maker.device);
    assert_int_equal(err == OC_ERR_OK, through);
    if (!through) {
        const bool space = fault == STORAGE_FAKE_NO_SPACE;
        const bool sync = fault == STORAGE_FAKE_SYNC_ERROR;
        assert_int_equal(err, space ? OC_ERR_NO_SPACE : sync ? OC_ERR_SYNC : OC_ERR_WRITE);
        assert_non_null(strstr(oc_err_context(), image_maker_path(2, ".pages")));
        assert_int_equal(image_maker_files(&maker), 2);
        storage_fake_fault(maker.device, STORAGE_FAKE_NO_FAULT, 1);
        /* The writer can be used again. */
        assert_int_equal(image_maker_take(&maker, 1, &sequence), OC_ERR_OK);
        image_maker_check(&maker, sequence);
    }
    image_maker_check(&maker, 1);
    image_maker_fini(&maker);
    return through;
}

static void test_devices_that_fail(void **state)
{
    (void)state;
    static const storage_fake_fault_t faults[] = {STORAGE_FAKE_WRITE_ERROR,
                                                  STORAGE_FAKE_SHORT_WRITE, STORAGE_FAKE_NO_SPACE,
                                                  STORAGE_FAKE_SYNC_ERROR};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        uint64_t nth = 1;
        while (!fail_at(faults[i], nth))
            nth++;
        assert_true(nth > 1);
    }
}

/* The device is full at every size between nothing and enough. */
static void test_full_devices(void **state)
{
    (void)state;
    image_maker_t maker;
    image_info_t info;
    uint64_t sequence;
    bool failed = false;
    start(&maker);
    assert_int_equal(image_maker_take(&maker, 0, &sequence), OC_ERR_OK);
    const uint64_t used = image_store_find(maker.store, 1)->bytes + STORAGE_BLOCK;
    uint64_t room = 0;
    image_maker_info(&maker, 1, &info);
    for (;; room += STORAGE_BLOCK) {
        storage_fake_set_capacity(maker.device, used + room);
        oc_err_t err = image_maker_write(&maker, &info);
        if (err == OC_ERR_OK)
            err = image_store_commit(maker.store, &info);
        if (err == OC_ERR_OK)
            break;
        failed = true;
        assert_int_equal(err, OC_ERR_NO_SPACE);
        assert_int_equal(image_maker_files(&maker), 2);
        image_maker_check(&maker, 1);
    }
    assert_true(failed);
    assert_int_equal(room, info.bytes + STORAGE_BLOCK);
    image_maker_fini(&maker);
}

static void test_taken_names(void **state)
{
    (void)state;
    image_maker_t maker;
    image_info_t info;
    start(&maker);
    storage_fake_put(maker.device, image_maker_path(1, ".pages"), "x", 1);
    image_maker_info(&maker, 0, &info);
    assert_int_equal(image_maker_write(&maker, &info), OC_ERR_OPEN);
    assert_true(image_maker_there(&maker, 1, ".pages"));
    image_maker_fini(&maker);
}

/* ---- The order of pages ---- */

typedef struct puts {
    image_writer_t *writer;
    uint32_t first[2];
    uint32_t second[2];
} puts_t;

static void put_two(void *context)
{
    const puts_t *puts = context;
    (void)image_writer_room(puts->writer);
    if (image_writer_put(puts->writer, puts->first[0], puts->first[1]) != OC_ERR_OK ||
        image_writer_put(puts->writer, puts->second[0], puts->second[1]) != OC_ERR_OK)
        return;
}

static void test_pages_ascend(void **state)
{
    (void)state;
    static const uint32_t wrong[][4] = {
        {0, 3, 0, 3}, {0, 3, 0, 2}, {1, 0, 0, 7}, {2, 0, 1, 7}, {0, 0, 0, 40}, {0, 0, 3, 0},
    };
    image_maker_t maker;
    image_info_t info;
    start(&maker);
    image_maker_info(&maker, 0, &info);
    assert_int_equal(image_writer_begin(maker.writer, &info, NULL, 0), OC_ERR_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        puts_t puts = {maker.writer, {wrong[i][0], wrong[i][1]}, {wrong[i][2], wrong[i][3]}};
        assert_true(child_aborts(put_two, &puts));
    }
    puts_t right = {maker.writer, {0, 3}, {0, 4}};
    assert_false(child_aborts(put_two, &right));
    image_maker_fini(&maker);
}

/* ---- Pace ---- */

static uint64_t ask_sync(void *context)
{
    return *(uint64_t *)context;
}

static void test_the_pace_is_asked_for(void **state)
{
    (void)state;
    storage_fake_t *device = storage_fake_create(1);
    uint64_t sync_ns = 100000;
    const image_writer_config_t config = {.dir = "log",
                                          .storage = storage_fake_table(device),
                                          .block_bytes = 64 << 10,
                                          .bytes_per_s_max = 64 << 20,
                                          .sync_ns = ask_sync,
                                          .sync_context = &sync_ns};
    image_info_t info = {.sequence = 1, .section_count = 1};
    memcpy(info.sections[0].name, "arena", 6);
    info.sections[0].kind = IMAGE_PAGES;
    info.sections[0].size = 1000 << OC_ARENA_PAGE_SHIFT;
    image_writer_t *writer = NULL;
    uint64_t now_ns = UINT64_C(1000000000);
    assert_int_equal(image_writer_create(&writer, &config), OC_ERR_OK);
    assert_int_equal(image_writer_begin(writer, &info, NULL, 0), OC_ERR_OK);
    uint64_t waited_ns = 0;
    for (uint32_t page = 0; page < 640; page++) {
        const uint64_t wait_ns = image_writer_wait_ns(writer, now_ns);
        now_ns += wait_ns;
        waited_ns += wait_ns;
        memset(image_writer_room(writer), 1, OC_ARENA_PAGE_SIZE);
        assert_int_equal(image_writer_put(writer, 0, page), OC_ERR_OK);
    }
    /* 40 blocks of 64 KiB at 64 MiB/s, but for the first and what the last has still to pay. */
    assert_in_range(waited_ns, 37 * 976562, 39 * 976563);
    image_writer_hurry(writer, true);
    assert_int_equal(image_writer_wait_ns(writer, now_ns), 0);
    image_writer_destroy(writer); /* removes what is unfinished */
    uint64_t size;
    assert_null(storage_fake_bytes(device, "log/images/0000000000000001.pages", &size));
    storage_fake_destroy(device);
}

/* Once on a real device, which wants everything aligned. */
static void test_a_real_device(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    const image_writer_config_t config = {
        .dir = dir.path, .storage = storage_device(), .block_bytes = 64 << 10};
    const image_store_config_t store_config = {
        .dir = dir.path, .storage = storage_device(), .keep = 1};
    image_writer_t *writer = NULL;
    image_store_t *store = NULL;
    image_info_t info = {.base = 0, .section_count = 1};
    memcpy(info.sections[0].name, "arena", 6);
    info.sections[0].kind = IMAGE_PAGES;
    info.sections[0].size = 100 << OC_ARENA_PAGE_SHIFT;
    const image_place_t place = {.log_id = 5, .position = 6};
    assert_int_equal(image_store_open(&store, &store_config), OC_ERR_OK);
    assert_int_equal(image_writer_create(&writer, &config), OC_ERR_OK);
    for (int i = 0; i < 3; i++) {
        info.sequence = image_store_next_sequence(store);
        assert_int_equal(image_writer_begin(writer, &info, "conf", 4), OC_ERR_OK);
        for (uint32_t page = 0; page < 100; page += 3) {
            image_maker_page(info.sequence, 0, page, image_writer_room(writer));
            assert_int_equal(image_writer_put(writer, 0, page), OC_ERR_OK);
        }
        assert_int_equal(image_writer_finish(writer, &place, &info), OC_ERR_OK);
        assert_int_equal(image_store_commit(store, &info), OC_ERR_OK);
        assert_int_equal(image_store_retain(store, false, NULL, NULL), OC_ERR_OK);
    }
    image_store_close(store);
    assert_int_equal(image_store_open(&store, &store_config), OC_ERR_OK);
    assert_int_equal(image_store_count(store), 2);
    image_file_t file;
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    assert_int_equal(image_file_open(&file, store, 3), OC_ERR_OK);
    assert_int_equal(image_file_read_table(&file), OC_ERR_OK);
    for (uint64_t entry = 0; entry < file.header.identity.pages; entry++) {
        assert_int_equal(
            image_file_read(&file, image_page_offset(entry), block, OC_ARENA_PAGE_SIZE), OC_ERR_OK);
        assert_int_equal(image_file_check_page(&file, entry, 0, block), OC_ERR_OK);
    }
    free(block);
    image_file_close(&file);
    image_writer_destroy(writer);
    image_store_close(store);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_everything_lies),
        cmocka_unit_test(test_unfinished_files_have_no_header),
        cmocka_unit_test(test_no_pages),
        cmocka_unit_test(test_one_writer_for_images_of_all_sizes),
        cmocka_unit_test(test_block_sizes),
        cmocka_unit_test(test_devices_that_fail),
        cmocka_unit_test(test_full_devices),
        cmocka_unit_test(test_taken_names),
        cmocka_unit_test(test_pages_ascend),
        cmocka_unit_test(test_the_pace_is_asked_for),
        cmocka_unit_test(test_a_real_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
