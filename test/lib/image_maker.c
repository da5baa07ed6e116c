/*
 * Images for tests. Used by the tests of format, writer, store and file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/image_maker.h"

#include "base/prng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (UINT32_C(64) << 10)
#define PARTS       5 /* an incremental image has one page of so many */

const char image_maker_configuration[] = "the configuration of a test";

static const image_section_t sections[IMAGE_MAKER_SECTIONS] = {
    {.name = "first", .kind = IMAGE_PAGES, .layout = 11, .size = 40 * OC_ARENA_PAGE_SIZE},
    {.name = "second", .kind = IMAGE_PAGES, .layout = 12, .size = 8 * OC_ARENA_PAGE_SIZE},
    {.name = "service", .kind = IMAGE_STREAM, .size = 0},
};

void image_maker_init(image_maker_t *self, uint64_t seed)
{
    memset(self, 0, sizeof *self);
    self->device = storage_fake_create(seed);
    self->keep = 1;
    self->position = 1000;
}

void image_maker_fini(image_maker_t *self)
{
    image_maker_close(self);
    storage_fake_destroy(self->device);
}

oc_err_t image_maker_open(image_maker_t *self)
{
    const storage_t *storage = storage_fake_table(self->device);
    const image_writer_config_t config = {
        .dir = IMAGE_MAKER_DIR, .storage = storage, .block_bytes = BLOCK_BYTES};
    const image_store_config_t store = {.dir = IMAGE_MAKER_DIR,
                                        .storage = storage,
                                        .read_only = self->read_only,
                                        .keep = self->keep};
    assert_null(self->store);
    const oc_err_t err = image_store_open(&self->store, &store);
    if (err == OC_ERR_OK)
        assert_int_equal(image_writer_create(&self->writer, &config), OC_ERR_OK);
    return err;
}

void image_maker_close(image_maker_t *self)
{
    image_writer_destroy(self->writer);
    image_store_close(self->store);
    self->writer = NULL;
    self->store = NULL;
}

void image_maker_reopen(image_maker_t *self)
{
    image_maker_close(self);
    storage_fake_restart(self->device);
    if (image_maker_open(self) != OC_ERR_OK)
        fail_msg("not opened: %s", oc_err_context());
}

/* Another length for each image, sometimes none. */
static uint64_t stream_length(uint64_t sequence)
{
    return sequence % 4 == 3 ? 0 : sequence * 3001;
}

void image_maker_info(image_maker_t *self, uint64_t base, image_info_t *info)
{
    memset(info, 0, sizeof *info);
    info->sequence = image_store_next_sequence(self->store);
    info->base = base;
    info->made_ns = (int64_t)(info->sequence * 1000);
    info->section_count = IMAGE_MAKER_SECTIONS;
    memcpy(info->sections, sections, sizeof sections);
    info->sections[2].size = stream_length(info->sequence);
    info->place = (image_place_t){
        .log_id = IMAGE_MAKER_LOG_ID,
        .position = self->position,
        .group = self->position - 500,
        .entries = self->position / 10,
        .state_hash = prng_mix(self->position),
        .time_ns = (int64_t)self->position * 7,
        .term = 3,
        .log_checksum = (uint32_t)prng_mix(self->position + 1),
    };
    self->position += 1000;
}

bool image_maker_has(const image_info_t *info, uint32_t section, uint32_t page)
{
    return info->base == 0 || section == 2 || (page + info->sequence) % PARTS == 0;
}

void image_maker_page(uint64_t sequence, uint32_t section, uint32_t page, uint8_t *bytes)
{
    uint64_t random = sequence << 32 ^ (uint64_t)section << 24 ^ page;
    for (size_t at = 0; at < OC_ARENA_PAGE_SIZE; at += sizeof random) {
        const uint64_t word = prng_next(&random);
        memcpy(bytes + at, &word, sizeof word);
    }
}

oc_err_t image_maker_write(image_maker_t *self, image_info_t *info)
{
    const image_place_t place = info->place;
    image_info_t begun = *info;
    /* The place is known at the end only. */
    memset(&begun.place, 0, sizeof begun.place);
    oc_err_t err = image_writer_begin(self->writer, &begun, image_maker_configuration,
                                      strlen(image_maker_configuration));
    for (uint32_t section = 0; err == OC_ERR_OK && section < info->section_count; section++) {
        const uint64_t pages = image_section_pages(info->sections[section].size);
        for (uint32_t page = 0; err == OC_ERR_OK && page < pages; page++) {
            if (!image_maker_has(info, section, page))
                continue;
            image_maker_page(info->sequence, section, page, image_writer_room(self->writer));
            err = image_writer_put(self->writer, section, page);
        }
    }
    return err == OC_ERR_OK ? image_writer_finish(self->writer, &place, info) : err;
}

oc_err_t image_maker_take(image_maker_t *self, uint64_t base, uint64_t *sequence)
{
    image_info_t info;
    image_maker_info(self, base, &info);
    *sequence = info.sequence;
    const oc_err_t err = image_maker_write(self, &info);
    return err == OC_ERR_OK ? image_store_commit(self->store, &info) : err;
}

static void check_pages(const image_file_t *file, const image_info_t *info, uint8_t *bytes)
{
    uint8_t expected[OC_ARENA_PAGE_SIZE];
    for (uint32_t section = 0; section < info->section_count; section++) {
        const uint64_t pages = image_section_pages(info->sections[section].size);
        uint64_t entry = file->header.identity.sections[section].first_entry;
        for (uint32_t page = 0; page < pages; page++) {
            if (!image_maker_has(info, section, page))
                continue;
            assert_int_equal(file->table[entry].page, page);
            assert_int_equal(
                image_file_read(file, image_page_offset(entry), bytes, OC_ARENA_PAGE_SIZE),
                OC_ERR_OK);
            assert_int_equal(image_file_check_page(file, entry, section, bytes), OC_ERR_OK);
            image_maker_page(info->sequence, section, page, expected);
            assert_memory_equal(bytes, expected, OC_ARENA_PAGE_SIZE);
            entry++;
        }
        assert_int_equal(entry, file->header.identity.sections[section].first_entry +
                                    file->header.identity.sections[section].entry_count);
    }
}

static uint64_t check_file(const image_maker_t *self, uint64_t sequence)
{
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    const image_info_t *info = image_store_find(self->store, sequence);
    image_file_t file;
    assert_non_null(info);
    if (image_file_open(&file, self->store, sequence) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_int_equal(image_file_read_configuration(&file, block), OC_ERR_OK);
    assert_int_equal(file.header.configuration_length, strlen(image_maker_configuration));
    assert_memory_equal(block, image_maker_configuration, strlen(image_maker_configuration));
    assert_int_equal(image_file_read_table(&file), OC_ERR_OK);
    check_pages(&file, info, block);
    image_file_close(&file);
    free(block);
    return info->base;
}

void image_maker_check(const image_maker_t *self, uint64_t sequence)
{
    const image_info_t *info = image_store_find(self->store, sequence);
    assert_non_null(info);
    uint32_t files = 0;
    while (sequence != 0) {
        sequence = check_file(self, sequence);
        files++;
    }
    assert_int_equal(files, info->chain_length);
}

void image_maker_check_all(const image_maker_t *self)
{
    for (size_t i = 0; i < image_store_count(self->store); i++)
        image_maker_check(self, image_store_at(self->store, i)->sequence);
}

const char *image_maker_path(uint64_t sequence, const char *ending)
{
    static char path[128];
    (void)snprintf(path, sizeof path, IMAGE_MAKER_DIR "/images/%016" PRIx64 "%s", sequence, ending);
    return path;
}

bool image_maker_there(const image_maker_t *self, uint64_t sequence, const char *ending)
{
    uint64_t size;
    return storage_fake_bytes(self->device, image_maker_path(sequence, ending), &size) != NULL;
}

static bool count_name(void *context, const char *name)
{
    (void)name;
    ++*(size_t *)context;
    return true;
}

size_t image_maker_files(const image_maker_t *self)
{
    const storage_t *storage = storage_fake_table(self->device);
    size_t files = 0;
    assert_int_equal(storage->list(storage, IMAGE_MAKER_DIR "/images", count_name, &files),
                     OC_ERR_OK);
    return files;
}

void image_maker_start(image_maker_t *self, uint64_t seed)
{
    image_maker_init(self, seed);
    assert_int_equal(image_maker_open(self), OC_ERR_OK);
}

uint64_t image_maker_make(image_maker_t *self, uint64_t base)
{
    uint64_t sequence;
    if (image_maker_take(self, base, &sequence) != OC_ERR_OK)
        fail_msg("no image: %s", oc_err_context());
    return sequence;
}

void image_maker_retain(image_maker_t *self)
{
    if (image_store_retain(self->store, false, NULL, NULL) != OC_ERR_OK)
        fail_msg("not removed: %s", oc_err_context());
}

const char *image_maker_listed(const image_maker_t *self)
{
    static char text[256];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < image_store_count(self->store); i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d", i ? " " : "",
                                   (int)image_store_at(self->store, i)->sequence);
    return text;
}
