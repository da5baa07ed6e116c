/*
 * Merging a chain: whose page counts.
 *
 * Called by image_load.c and image_fold.c. Invariants: a chain ends at a full image; each file's
 * sections are those of its base, with the same layouts and sizes but for the length of a stream;
 * every owner has the page in its table. It must not read pages, nor know where they go.
 */
#include "snapshot/image_chain.h"

#include "base/assert.h"
#include "base/error.h"
#include "snapshot/image_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const image_identity_t *identity_of(const image_chain_t *self, uint32_t file)
{
    OC_ASSERT(file < self->length);
    return &self->files[file].header.identity;
}

static oc_err_t read_configuration(image_file_t *file)
{
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    if (!block)
        return error_set(OC_ERR_NO_MEMORY, "no memory for a block of %s", file->path);
    const oc_err_t err = image_file_read_configuration(file, block);
    free(block);
    return err;
}

static oc_err_t open_next(image_chain_t *self, const image_store_t *store, uint64_t sequence)
{
    image_file_t *file = &self->files[self->length];
    oc_err_t err = image_file_open(file, store, sequence);
    if (err != OC_ERR_OK)
        return err;
    self->length++;
    err = read_configuration(file);
    return err == OC_ERR_OK ? image_file_read_table(file) : err;
}

/* The store lists no image whose base does not fit; headers were held against its manifests. */
static void assert_base(const image_chain_t *self)
{
    if (self->length < 2)
        return;
    const image_identity_t *upper = identity_of(self, self->length - 2);
    const image_identity_t *base = identity_of(self, self->length - 1);
    OC_ASSERT(upper->base == base->sequence);
    OC_ASSERT(upper->section_count == base->section_count);
    for (uint32_t i = 0; i < base->section_count; i++)
        OC_ASSERT(image_section_fits(&upper->sections[i], &base->sections[i]));
}

static oc_err_t open_files(image_chain_t *self, const image_store_t *store, uint64_t sequence)
{
    while (sequence != 0) {
        OC_ASSERT(self->length < IMAGE_CHAIN_MAX);
        const oc_err_t err = open_next(self, store, sequence);
        if (err != OC_ERR_OK)
            return err;
        assert_base(self);
        sequence = identity_of(self, self->length - 1)->base;
    }
    return OC_ERR_OK;
}

static oc_err_t make_owners(image_chain_t *self)
{
    const image_identity_t *newest = identity_of(self, 0);
    for (uint32_t i = 0; i < self->section_count; i++) {
        const uint64_t pages = image_section_pages(newest->sections[i].size);
        if (pages > UINT32_MAX)
            return error_set(OC_ERR_DAMAGED, "image: %s has a section of %" PRIu64 " pages",
                             self->files[0].path, pages);
        self->section_owners[i] = malloc(pages ? pages : 1);
        if (!self->section_owners[i])
            return error_set(OC_ERR_NO_MEMORY, "no memory for the %" PRIu64 " pages of %s", pages,
                             self->files[0].path);
        memset(self->section_owners[i], IMAGE_CHAIN_NO_FILE, pages);
        self->section_pages[i] = (uint32_t)pages;
    }
    return OC_ERR_OK;
}

/* From the newest file on: who comes first, owns. */
static void merge_file(image_chain_t *self, uint32_t number)
{
    const image_file_t *file = &self->files[number];
    for (uint32_t i = 0; i < self->section_count; i++) {
        const image_section_record_t *section = &file->header.identity.sections[i];
        if (section->kind == IMAGE_STREAM && number > 0)
            continue;
        const image_entry_t *entries = file->table + section->first_entry;
        for (uint64_t n = 0; n < section->entry_count; n++) {
            OC_ASSERT(entries[n].page < self->section_pages[i]);
            uint8_t *owner = &self->section_owners[i][entries[n].page];
            if (*owner == IMAGE_CHAIN_NO_FILE) {
                *owner = (uint8_t)number;
                self->pages++;
            }
        }
    }
}

oc_err_t image_chain_open(image_chain_t **chain, const image_store_t *store,
                          const image_info_t *info, bool merged)
{
    OC_ASSERT(info->sequence > 0);
    image_chain_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the tables of image %016" PRIx64,
                         info->sequence);
    oc_err_t err = open_files(self, store, info->sequence);
    if (err == OC_ERR_OK) {
        self->section_count = identity_of(self, 0)->section_count;
        if (merged)
            err = make_owners(self);
    }
    if (err != OC_ERR_OK) {
        image_chain_close(self);
        return err;
    }
    for (uint32_t i = 0; merged && i < self->length; i++)
        merge_file(self, i);
    *chain = self;
    return OC_ERR_OK;
}

void image_chain_close(image_chain_t *self)
{
    if (!self)
        return;
    for (size_t i = 0; i < IMAGE_CHAIN_MAX; i++)
        image_file_close(&self->files[i]);
    for (size_t i = 0; i < IMAGE_SECTIONS_MAX; i++)
        free(self->section_owners[i]);
    free(self);
}

uint64_t image_chain_entry(const image_chain_t *self, uint8_t file, uint32_t section, uint32_t page)
{
    OC_ASSERT(section < self->section_count);
    const image_entry_t *table = self->files[file].table;
    const image_section_record_t *record = &identity_of(self, file)->sections[section];
    uint64_t low = record->first_entry;
    uint64_t high = low + record->entry_count; /* the entry is before it */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (table[middle].page <= page)
            low = middle;
        else
            high = middle;
    }
    OC_ASSERT(high > low);
    OC_ASSERT(table[low].page == page);
    return low;
}
