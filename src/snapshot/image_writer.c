/*
 * Writing the data file of an image: pages as they come, then the table, then the header.
 *
 * Called by the snapshot agent and by folding. Invariants: the header is written last, so a file
 * that was not finished never has one; a file that failed is closed and removed at once; memory is
 * taken at begin, for every page that the sections can have. It must not touch another file than
 * its own, and not make anything of it count: that is the store's commit.
 */
#include "snapshot/image_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "snapshot/write_pacer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES_MIN (UINT32_C(64) << 10)
#define BLOCK_BYTES_MAX (UINT32_C(4) << 20)

struct image_writer {
    const storage_t *storage;
    char *images;         /* directory */
    write_pacer_t *pacer; /* apart, because asking it changes it */
    uint64_t (*sync_ns)(void *context);
    void *sync_context;
    bool paced;
    size_t block_bytes;
    uint8_t *block;       /* block_bytes: what is written next */
    uint8_t *last_blocks; /* two blocks: header and configuration */

    storage_file_t *file; /* NULL: none is begun */
    char *path;
    image_info_t info;
    size_t filled;   /* bytes of `block` that are taken */
    uint64_t offset; /* where `block` goes */
    image_entry_t *table;
    uint64_t table_bytes; /* of memory */
    uint64_t entries;
    uint64_t counts[IMAGE_SECTIONS_MAX];
    bool pages_done;      /* no page comes any more: the table is being written */
    uint64_t table_given; /* bytes of it that were */
    uint32_t table_crc;
    size_t configuration_length; /* in the second of last_blocks */
};

static oc_err_t check_config(const image_writer_config_t *config)
{
    if (config->block_bytes < BLOCK_BYTES_MIN || config->block_bytes > BLOCK_BYTES_MAX ||
        config->block_bytes % STORAGE_BLOCK != 0)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "image: block_bytes is %" PRIu32 ": use a multiple of 4096 from %" PRIu32
                         " to %" PRIu32,
                         config->block_bytes, BLOCK_BYTES_MIN, BLOCK_BYTES_MAX);
    return OC_ERR_OK;
}

oc_err_t image_writer_create(image_writer_t **writer, const image_writer_config_t *config)
{
    const oc_err_t err = check_config(config);
    if (err != OC_ERR_OK)
        return err;
    image_writer_t *self = calloc(1, sizeof *self);
    if (!self)
        goto fail_self;
    self->storage = config->storage;
    self->sync_ns = config->sync_ns;
    self->sync_context = config->sync_context;
    self->paced = config->sync_ns || config->bytes_per_s_max;
    self->block_bytes = config->block_bytes;
    self->images = image_dir_path(config->dir);
    if (!self->images)
        goto fail_images;
    self->pacer = malloc(sizeof *self->pacer);
    if (!self->pacer)
        goto fail_pacer;
    self->block = aligned_alloc(STORAGE_BLOCK, self->block_bytes);
    if (!self->block)
        goto fail_block;
    self->last_blocks = aligned_alloc(STORAGE_BLOCK, IMAGE_PAGES_OFFSET);
    if (!self->last_blocks)
        goto fail_last_blocks;
    memset(self->block, 0, self->block_bytes);
    memset(self->last_blocks, 0, IMAGE_PAGES_OFFSET);
    write_pacer_init(self->pacer, config->bytes_per_s_max);
    *writer = self;
    return OC_ERR_OK;
fail_last_blocks:
    free(self->block);
fail_block:
    free(self->pacer);
fail_pacer:
    free(self->images);
fail_images:
    free(self);
fail_self:
    return error_set(OC_ERR_NO_MEMORY, "image: no memory for a writer with blocks of %" PRIu32,
                     config->block_bytes);
}

void image_writer_destroy(image_writer_t *self)
{
    if (!self)
        return;
    image_writer_abandon(self);
    free(self->table);
    free(self->last_blocks);
    free(self->block);
    free(self->pacer);
    free(self->images);
    free(self);
}

/* Room in the table for every page that the sections can have. */
static oc_err_t reserve_table(image_writer_t *self)
{
    uint64_t pages = 0;
    for (uint32_t i = 0; i < self->info.section_count; i++)
        pages += image_section_pages(self->info.sections[i].size);
    /* aligned_alloc() may give nothing for no bytes. */
    const uint64_t bytes = image_table_bytes(pages) + STORAGE_BLOCK;
    if (bytes <= self->table_bytes)
        return OC_ERR_OK;
    free(self->table);
    self->table_bytes = 0;
    self->table = aligned_alloc(STORAGE_BLOCK, (size_t)bytes);
    if (!self->table)
        return error_set(OC_ERR_NO_MEMORY, "image: no memory for a table of %" PRIu64 " pages",
                         pages);
    memset(self->table, 0, (size_t)bytes);
    self->table_bytes = bytes;
    return OC_ERR_OK;
}

oc_err_t image_writer_begin(image_writer_t *self, const image_info_t *info,
                            const void *configuration, size_t length)
{
    OC_ASSERT(self->file == NULL);
    OC_ASSERT(info->sequence > 0);
    OC_ASSERT(info->section_count > 0);
    OC_ASSERT(info->section_count <= IMAGE_SECTIONS_MAX);
    OC_ASSERT(length <= IMAGE_CONFIGURATION_MAX);
    self->info = *info;
    self->info.pages = 0;
    self->info.bytes = 0;
    if (self->info.made_ns == 0)
        self->info.made_ns = clock_real_ns();
    self->filled = 0;
    self->offset = IMAGE_PAGES_OFFSET;
    self->entries = 0;
    self->pages_done = false;
    self->table_given = 0;
    self->table_crc = 0;
    memset(self->counts, 0, sizeof self->counts);
    uint8_t *second = self->last_blocks + IMAGE_CONFIGURATION_OFFSET;
    memset(second, 0, STORAGE_BLOCK);
    if (length > 0)
        memcpy(second, configuration, length);
    self->configuration_length = length;
    oc_err_t err = reserve_table(self);
    if (err == OC_ERR_OK)
        err = self->storage->make_dir(self->storage, self->images);
    if (err != OC_ERR_OK)
        return err;
    self->path = image_path(self->images, info->sequence, IMAGE_PAGES_ENDING);
    if (!self->path)
        return error_set(OC_ERR_NO_MEMORY, "image: no memory for a name in %s", self->images);
    err = self->storage->open(self->storage, self->path, STORAGE_CREATE, &self->file);
    if (err != OC_ERR_OK) {
        free(self->path);
        self->path = NULL;
        return image_failed(err, UINT64_MAX, "no image is made");
    }
    write_pacer_begin(self->pacer);
    return OC_ERR_OK;
}

/* ---- Pages ---- */

/* Gives up the file because of `err`, whose context is kept. */
static oc_err_t give_up(image_writer_t *self, oc_err_t err, uint64_t offset)
{
    char context[IMAGE_CONTEXT_SIZE];
    err = image_failed(err, offset,
                       err == OC_ERR_NO_SPACE
                           ? "the image is given up, those before it are as they were; make room"
                           : "the image is given up, those before it are as they were");
    (void)snprintf(context, sizeof context, "%s", oc_err_context());
    image_writer_abandon(self);
    return error_set(err, "%s", context);
}

static oc_err_t write_at(image_writer_t *self, uint64_t offset, const void *bytes, size_t length)
{
    const oc_err_t err = self->storage->write(self->file, offset, bytes, length);
    if (err != OC_ERR_OK)
        return give_up(self, err, offset);
    write_pacer_wrote(self->pacer, length);
    return OC_ERR_OK;
}

static oc_err_t write_block(image_writer_t *self)
{
    const size_t length = self->filled;
    const uint64_t offset = self->offset;
    self->offset += length;
    self->filled = 0;
    return length > 0 ? write_at(self, offset, self->block, length) : OC_ERR_OK;
}

void *image_writer_room(image_writer_t *self)
{
    OC_ASSERT(self->file != NULL);
    OC_ASSERT(self->filled < self->block_bytes);
    return self->block + self->filled;
}

/* Whether a page comes behind all that were put. */
static bool ascends(const image_writer_t *self, uint32_t section, uint32_t page)
{
    if (self->counts[section] > 0)
        return page > self->table[self->entries - 1].page;
    for (uint32_t i = section + 1; i < self->info.section_count; i++)
        if (self->counts[i] > 0)
            return false;
    return true;
}

oc_err_t image_writer_put(image_writer_t *self, uint32_t section, uint32_t page)
{
    OC_ASSERT(self->file != NULL);
    OC_ASSERT(!self->pages_done);
    OC_ASSERT(section < self->info.section_count);
    OC_ASSERT(page < image_section_pages(self->info.sections[section].size));
    OC_ASSERT(ascends(self, section, page));
    self->table[self->entries++] = (image_entry_t){
        .page = page,
        .crc = image_page_crc(self->info.sequence, section, page, image_writer_room(self)),
    };
    self->counts[section]++;
    self->filled += OC_ARENA_PAGE_SIZE;
    return self->filled == self->block_bytes ? write_block(self) : OC_ERR_OK;
}

uint64_t image_writer_wait_ns(image_writer_t *self, uint64_t now_ns)
{
    if (!self->paced) /* nobody is to be spared */
        return 0;
    const uint64_t sync_ns = self->sync_ns ? self->sync_ns(self->sync_context) : 0;
    return write_pacer_wait_ns(self->pacer, now_ns, sync_ns);
}

void image_writer_hurry(image_writer_t *self, bool hurry)
{
    write_pacer_hurry(self->pacer, hurry);
}

/* ---- The end ---- */

oc_err_t image_writer_rest(image_writer_t *self, bool *done)
{
    OC_ASSERT(self->file != NULL);
    const uint64_t bytes = image_table_bytes(self->entries);
    *done = false;
    if (!self->pages_done) {
        const uint64_t used = self->entries * sizeof *self->table;
        memset((uint8_t *)self->table + used, 0, (size_t)(bytes - used));
        self->pages_done = true;
        if (self->filled > 0)
            return write_block(self);
    }
    const uint64_t left = bytes - self->table_given;
    const size_t length = left < self->block_bytes ? (size_t)left : self->block_bytes;
    const uint8_t *from = (const uint8_t *)self->table + self->table_given;
    *done = left == length;
    if (length == 0)
        return OC_ERR_OK;
    self->table_crc = crc32c(self->table_crc, from, length);
    self->table_given += length;
    self->offset += length;
    return write_at(self, self->offset - length, from, length);
}

static oc_err_t write_header(image_writer_t *self)
{
    const uint8_t *second = self->last_blocks + IMAGE_CONFIGURATION_OFFSET;
    image_header_t header = {
        .table_offset = image_page_offset(self->entries),
        .table_crc = self->table_crc,
        .configuration_length = (uint32_t)self->configuration_length,
        .configuration_crc = crc32c(0, second, STORAGE_BLOCK),
    };
    image_identity_make(&header.identity, &self->info, self->counts);
    (void)image_header_encode(&header, self->last_blocks);
    return write_at(self, 0, self->last_blocks, IMAGE_PAGES_OFFSET);
}

oc_err_t image_writer_finish(image_writer_t *self, const image_place_t *place, image_info_t *info)
{
    OC_ASSERT(self->file != NULL);
    oc_err_t err = OC_ERR_OK;
    bool done = false;
    self->info.place = *place;
    while (err == OC_ERR_OK && !done)
        err = image_writer_rest(self, &done);
    if (err == OC_ERR_OK)
        err = write_header(self);
    if (err != OC_ERR_OK)
        return err;
    err = self->storage->sync(self->file);
    if (err != OC_ERR_OK)
        return give_up(self, err, UINT64_MAX);
    OC_ASSERT(self->offset == image_file_bytes(self->entries));
    self->info.pages = self->entries;
    self->info.bytes = self->offset;
    self->storage->close(self->file);
    self->file = NULL;
    free(self->path);
    self->path = NULL;
    *info = self->info;
    return OC_ERR_OK;
}

void image_writer_abandon(image_writer_t *self)
{
    if (!self->file)
        return;
    self->storage->close(self->file);
    self->file = NULL;
    /* A file that cannot be removed has no manifest: the next opening of the store removes it. */
    (void)self->storage->remove(self->storage, self->path);
    free(self->path);
    self->path = NULL;
}
