/*
 * Folding: a chain is copied into one full image of the same place, step by step.
 *
 * Called by the snapshot agent, in between captures. Invariants: each page is checked before it is
 * handed to the writer, so that damage is not made anew under a good checksum; the chain's files
 * are only read; the new image counts from its commit on and not before. It must not do more than
 * FOLD_PAGES, or one sync of the file, or the commit, in a step.
 */
#include "base/assert.h"
#include "base/error.h"
#include "snapshot/image_chain.h"
#include "snapshot/image_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FOLD_PAGES 32
#define SKIP_PAGES 65536 /* looked at in a step, if no file has them */

struct image_fold {
    image_store_t *store;
    image_writer_t *writer;
    image_chain_t *chain;
    image_info_t info; /* of the new image */
    image_place_t place;
    uint8_t *buffer;  /* FOLD_PAGES pages; before the first step, the configuration */
    uint32_t section; /* where to go on */
    uint32_t page;
    uint64_t left;     /* pages to be copied */
    bool rest_written; /* what is behind the pages */
    bool begun;        /* the writer has an unfinished file of ours */
    bool finished;     /* there is a whole file that was not committed */
    bool done;
};

/* Begins the new file, under the configuration of the old one. */
static oc_err_t begin_file(image_fold_t *self)
{
    image_file_t *newest = &self->chain->files[0];
    oc_err_t err = image_file_read_configuration(newest, self->buffer);
    if (err == OC_ERR_OK)
        err = image_writer_begin(self->writer, &self->info, self->buffer,
                                 newest->header.configuration_length);
    self->begun = err == OC_ERR_OK;
    return err;
}

static image_fold_t *allocate(void)
{
    image_fold_t *self = calloc(1, sizeof *self);
    if (self)
        self->buffer = aligned_alloc(STORAGE_BLOCK, FOLD_PAGES * OC_ARENA_PAGE_SIZE);
    if (self && self->buffer)
        return self;
    free(self);
    return NULL;
}

oc_err_t image_fold_begin(image_fold_t **fold, image_store_t *store, image_writer_t *writer,
                          const image_info_t *info)
{
    OC_ASSERT(info->sequence > 0);
    image_fold_t *self = allocate();
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory to fold image %016" PRIx64, info->sequence);
    self->store = store;
    self->writer = writer;
    self->info = *info;
    self->place = info->place;
    oc_err_t err = image_chain_open(&self->chain, store, info, true);
    if (err == OC_ERR_OK) {
        self->info.sequence = image_store_next_sequence(store);
        self->info.base = 0;
        self->left = self->chain->pages;
        err = begin_file(self);
    }
    if (err != OC_ERR_OK) {
        image_fold_end(self);
        return err;
    }
    *fold = self;
    return OC_ERR_OK;
}

typedef enum fold_place { FOLD_PAGE, FOLD_PAUSE, FOLD_END } fold_place_t;

/* Goes to the next page that any file has. */
static fold_place_t seek(image_fold_t *self)
{
    const image_chain_t *chain = self->chain;
    uint32_t left = SKIP_PAGES;
    for (; self->section < chain->section_count; self->section++, self->page = 0) {
        const uint8_t *owners = chain->section_owners[self->section];
        for (; self->page < chain->section_pages[self->section]; self->page++) {
            if (owners[self->page] != IMAGE_CHAIN_NO_FILE)
                return FOLD_PAGE;
            if (left-- == 0)
                return FOLD_PAUSE;
        }
    }
    return FOLD_END;
}

/* Pages from here on, up to `limit`, that one read can bring: consecutive in section and file. */
static uint32_t row(const image_fold_t *self, uint8_t file, uint64_t entry, uint32_t limit)
{
    const image_chain_t *chain = self->chain;
    const uint8_t *owners = chain->section_owners[self->section];
    const image_entry_t *table = chain->files[file].table;
    const image_section_record_t *section =
        &chain->files[file].header.identity.sections[self->section];
    const uint64_t end = section->first_entry + section->entry_count;
    uint32_t count = 1;
    while (count < limit && entry + count < end &&
           table[entry + count].page == self->page + count &&
           self->page + count < chain->section_pages[self->section] &&
           owners[self->page + count] == file)
        count++;
    return count;
}

/* Copies a row of pages, at most `limit`; *copied of them. */
static oc_err_t copy_row(image_fold_t *self, uint32_t limit, uint32_t *copied)
{
    const uint8_t number = self->chain->section_owners[self->section][self->page];
    image_file_t *file = &self->chain->files[number];
    const uint64_t entry = image_chain_entry(self->chain, number, self->section, self->page);
    const uint32_t count = row(self, number, entry, limit);
    oc_err_t err = image_file_read(file, image_page_offset(entry), self->buffer,
                                   (size_t)count << OC_ARENA_PAGE_SHIFT);
    for (uint32_t i = 0; err == OC_ERR_OK && i < count; i++) {
        const uint8_t *page = self->buffer + ((size_t)i << OC_ARENA_PAGE_SHIFT);
        err = image_file_check_page(file, entry + i, self->section, page);
        if (err != OC_ERR_OK)
            break;
        memcpy(image_writer_room(self->writer), page, OC_ARENA_PAGE_SIZE);
        err = image_writer_put(self->writer, self->section, self->page + i);
    }
    OC_ASSERT(count <= self->left);
    self->left -= count;
    self->page += count;
    *copied = count;
    return err;
}

/* All pages are copied: the rest, the sync and the commit are a step each. */
static oc_err_t end_step(image_fold_t *self, bool *done)
{
    oc_err_t err;
    if (!self->rest_written)
        return image_writer_rest(self->writer, &self->rest_written);
    if (self->begun) {
        err = image_writer_finish(self->writer, &self->place, &self->info);
        self->begun = false; /* the file is finished, or gone */
        self->finished = err == OC_ERR_OK;
        return err;
    }
    self->finished = false; /* the store's, also if it does not take it */
    err = image_store_commit(self->store, &self->info);
    self->done = *done = err == OC_ERR_OK;
    return err;
}

uint64_t image_fold_left(const image_fold_t *self)
{
    return (self->left << OC_ARENA_PAGE_SHIFT) + image_table_bytes(self->chain->pages) +
           IMAGE_PAGES_OFFSET + STORAGE_BLOCK;
}

oc_err_t image_fold_step(image_fold_t *self, bool *done)
{
    OC_ASSERT(!self->done);
    oc_err_t err = OC_ERR_OK;
    *done = false;
    for (uint32_t left = FOLD_PAGES; err == OC_ERR_OK && left > 0;) {
        uint32_t copied = 0;
        const fold_place_t place = seek(self);
        if (place == FOLD_PAUSE)
            break;
        if (place == FOLD_END) {
            if (left == FOLD_PAGES)
                err = end_step(self, done);
            break;
        }
        err = copy_row(self, left, &copied);
        left -= copied;
    }
    return err;
}

void image_fold_end(image_fold_t *self)
{
    if (!self)
        return;
    if (self->begun)
        image_writer_abandon(self->writer);
    if (self->finished)
        image_store_discard(self->store, self->info.sequence);
    image_chain_close(self->chain);
    free(self->buffer);
    free(self);
}
