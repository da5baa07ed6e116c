/*
 * The small state. Used by the tests of images.
 *
 * Invariant: every store is announced, so that stamps say what an incremental image must hold.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/image_fixture.h"

#include "base/prng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYOUT_VERSION 7
#define BLOCK_BYTES    (64 * 1024)

static const char *const names[IMAGE_FIXTURE_ARENAS] = {"alpha", "beta"};

const char *image_fixture_configuration(void)
{
    return "max_orders = 12\n";
}

static void make_arena(oc_arena_t *arena, const char *name, size_t size)
{
    assert_true(oc_arena_init(arena, name, LAYOUT_VERSION, size, false));
    (void)oc_arena_alloc(arena, size);
    oc_arena_seal(arena);
}

static void open_all(image_fixture_t *self)
{
    const image_store_config_t store = {
        .dir = IMAGE_FIXTURE_DIR, .storage = self->storage, .keep = 64};
    const image_writer_config_t writer = {
        .dir = IMAGE_FIXTURE_DIR, .storage = self->storage, .block_bytes = BLOCK_BYTES};
    assert_int_equal(image_store_open(&self->store, &store), OC_ERR_OK);
    assert_int_equal(image_writer_create(&self->writer, &writer), OC_ERR_OK);
}

void image_fixture_init(image_fixture_t *self, size_t pages_0, size_t pages_1, uint64_t seed)
{
    memset(self, 0, sizeof *self);
    self->random = seed;
    self->fake = storage_fake_create(seed);
    self->storage = storage_fake_table(self->fake);
    make_arena(&self->arenas[0], names[0], pages_0 << OC_ARENA_PAGE_SHIFT);
    make_arena(&self->arenas[1], names[1], pages_1 << OC_ARENA_PAGE_SHIFT);
    open_all(self);
}

void image_fixture_close(image_fixture_t *self)
{
    image_writer_destroy(self->writer);
    image_store_close(self->store);
    self->writer = NULL;
    self->store = NULL;
}

void image_fixture_fini(image_fixture_t *self)
{
    image_fixture_close(self);
    for (size_t i = 0; i < IMAGE_FIXTURE_ARENAS; i++)
        oc_arena_fini(&self->arenas[i]);
    free(self->stream);
    storage_fake_destroy(self->fake);
}

void image_fixture_reopen(image_fixture_t *self, bool restart)
{
    image_fixture_close(self);
    if (restart)
        storage_fake_restart(self->fake);
    open_all(self);
}

static void fill(image_fixture_t *self, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)prng_next(&self->random);
}

void image_fixture_change(image_fixture_t *self, size_t arena, size_t times, size_t row)
{
    oc_arena_t *target = &self->arenas[arena];
    const size_t pages = target->size >> OC_ARENA_PAGE_SHIFT;
    for (size_t i = 0; i < times; i++) {
        const size_t first = prng_below(&self->random, (uint32_t)(pages - row + 1));
        uint8_t *bytes = target->base + (first << OC_ARENA_PAGE_SHIFT);
        oc_arena_touch_range(target, bytes, row << OC_ARENA_PAGE_SHIFT);
        for (size_t page = 0; page < row; page++)
            fill(self, bytes + (page << OC_ARENA_PAGE_SHIFT) + prng_below(&self->random, 4000), 64);
    }
}

void image_fixture_set_stream(image_fixture_t *self, size_t length)
{
    free(self->stream);
    self->stream = malloc(length ? length : 1);
    assert_non_null(self->stream);
    self->stream_length = length;
    fill(self, self->stream, length);
}

static void put_arena(image_fixture_t *self, uint32_t number, uint32_t base_epoch)
{
    const oc_arena_t *arena = &self->arenas[number];
    for (uint32_t page = 0; page < arena->size >> OC_ARENA_PAGE_SHIFT; page++) {
        if (arena->stamps[page] <= base_epoch)
            continue;
        memcpy(image_writer_room(self->writer), arena->base + ((size_t)page << OC_ARENA_PAGE_SHIFT),
               OC_ARENA_PAGE_SIZE);
        assert_int_equal(image_writer_put(self->writer, number, page), OC_ERR_OK);
    }
}

static void put_stream(image_fixture_t *self)
{
    for (size_t at = 0; at < self->stream_length; at += OC_ARENA_PAGE_SIZE) {
        const size_t rest = self->stream_length - at;
        uint8_t *room = image_writer_room(self->writer);
        memset(room, 0, OC_ARENA_PAGE_SIZE);
        memcpy(room, self->stream + at, rest < OC_ARENA_PAGE_SIZE ? rest : OC_ARENA_PAGE_SIZE);
        assert_int_equal(image_writer_put(self->writer, IMAGE_FIXTURE_ARENAS,
                                          (uint32_t)(at >> OC_ARENA_PAGE_SHIFT)),
                         OC_ERR_OK);
    }
}

static void describe(const image_fixture_t *self, image_info_t *info)
{
    for (size_t i = 0; i < IMAGE_FIXTURE_ARENAS; i++) {
        image_section_t *section = &info->sections[i];
        section->kind = IMAGE_PAGES;
        section->layout = self->arenas[i].layout;
        section->size = self->arenas[i].size;
        memcpy(section->name, self->arenas[i].name, sizeof section->name);
    }
    image_section_t *stream = &info->sections[IMAGE_FIXTURE_ARENAS];
    stream->kind = IMAGE_STREAM;
    stream->size = self->stream_length;
    (void)snprintf(stream->name, sizeof stream->name, "%s", "service");
    info->section_count = IMAGE_FIXTURE_SECTIONS;
}

const image_info_t *image_fixture_take(image_fixture_t *self, bool full)
{
    const bool incremental = !full && self->sequence != 0;
    const char *configuration = image_fixture_configuration();
    image_info_t info = {.sequence = image_store_next_sequence(self->store),
                         .base = incremental ? self->sequence : 0,
                         .made_ns = 1};
    self->position += 4096;
    const image_place_t place = {
        .log_id = 77, .position = self->position, .entries = self->position / 64, .term = 1};
    describe(self, &info);
    info.place = place;
    assert_int_equal(image_writer_begin(self->writer, &info, configuration, strlen(configuration)),
                     OC_ERR_OK);
    for (uint32_t i = 0; i < IMAGE_FIXTURE_ARENAS; i++) {
        put_arena(self, i, incremental ? self->epochs[i] : 0);
        self->epochs[i] = self->arenas[i].epoch;
        oc_arena_advance_epoch(&self->arenas[i]);
    }
    put_stream(self);
    assert_int_equal(image_writer_finish(self->writer, &place, &info), OC_ERR_OK);
    assert_int_equal(image_store_commit(self->store, &info), OC_ERR_OK);
    self->sequence = info.sequence;
    const image_info_t *taken = image_store_find(self->store, info.sequence);
    assert_non_null(taken);
    return taken;
}

void image_copy_init(image_copy_t *self, const image_fixture_t *of)
{
    memset(self, 0, sizeof *self);
    for (size_t i = 0; i < IMAGE_FIXTURE_ARENAS; i++) {
        make_arena(&self->arenas[i], names[i], of->arenas[i].size);
        self->targets[i].arena = &self->arenas[i];
    }
    self->targets[IMAGE_FIXTURE_ARENAS].stream = &self->stream;
    self->targets[IMAGE_FIXTURE_ARENAS].stream_length = &self->stream_length;
}

void image_copy_drop_stream(image_copy_t *self)
{
    free(self->stream);
    self->stream = NULL;
    self->stream_length = 0;
}

void image_copy_fini(image_copy_t *self)
{
    image_copy_drop_stream(self);
    for (size_t i = 0; i < IMAGE_FIXTURE_ARENAS; i++)
        oc_arena_fini(&self->arenas[i]);
}

void image_copy_check(const image_copy_t *self, const image_fixture_t *of)
{
    for (size_t i = 0; i < IMAGE_FIXTURE_ARENAS; i++) {
        const oc_arena_t *copy = &self->arenas[i];
        const oc_arena_t *truth = &of->arenas[i];
        assert_int_equal(copy->size, truth->size);
        assert_int_equal(copy->epoch, 2);
        assert_int_equal(memcmp(copy->base, truth->base, truth->size), 0);
        for (size_t page = 0; page < truth->size >> OC_ARENA_PAGE_SHIFT; page++)
            assert_int_equal(copy->stamps[page], truth->stamps[page] != 0);
    }
    assert_non_null(self->stream);
    assert_int_equal(self->stream_length, of->stream_length);
    if (of->stream_length > 0)
        assert_memory_equal(self->stream, of->stream, of->stream_length);
}

const char *image_fixture_path(uint64_t sequence, const char *ending)
{
    static char path[256];
    (void)snprintf(path, sizeof path, IMAGE_FIXTURE_DIR "/" IMAGE_DIR "/%016" PRIx64 "%s", sequence,
                   ending);
    return path;
}
