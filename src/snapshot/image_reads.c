/*
 * Planning the reads of a load or a verification.
 *
 * Called by image_load.c. Invariants: no wanted page is in two reads, and none is left out; no read
 * crosses a section. It must not read anything.
 */
#include "snapshot/image_reads.h"

#include "base/assert.h"
#include "base/error.h"

#include <stdlib.h>

/* So many pages in a row are worth a read of their own, without a copy. */
#define STRAIGHT_PAGES 16
/* Scattered pages are read together if no more than so many in between are not wanted, because a
 * read has a price of its own; and are then copied, which goes best while they are in the cache. */
#define GAP_PAGES       8
#define SCATTERED_PAGES 64

/* A section of a file, as the plan goes through it. */
typedef struct stretch {
    const image_chain_t *chain;
    uint8_t file;
    uint8_t section;
    uint64_t end; /* entry behind its last one */
} stretch_t;

static oc_err_t add(image_reads_t *self, const stretch_t *stretch, uint64_t first, uint64_t count,
                    bool straight)
{
    OC_ASSERT(count > 0);
    OC_ASSERT(count <= IMAGE_READ_PAGES);
    if (self->count == self->capacity) {
        const size_t capacity = self->capacity ? 2 * self->capacity : 1024;
        image_read_t *reads = realloc(self->reads, capacity * sizeof *reads);
        if (!reads)
            return error_set(OC_ERR_NO_MEMORY, "no memory for %zu reads of %s", capacity,
                             stretch->chain->files[0].path);
        self->reads = reads;
        self->capacity = capacity;
    }
    if (!straight && count > self->longest)
        self->longest = (uint32_t)count;
    self->reads[self->count++] = (image_read_t){
        .first = first,
        .count = (uint16_t)count,
        .file = stretch->file,
        .section = stretch->section,
        .straight = straight,
    };
    return OC_ERR_OK;
}

static bool wants(const stretch_t *stretch, uint64_t entry)
{
    return image_reads_wants(stretch->chain, stretch->file, stretch->section, entry);
}

/* Wanted pages from `first` on, up to `limit`, that are consecutive in file and section. */
static uint64_t row(const stretch_t *stretch, uint64_t first, uint64_t limit)
{
    const image_entry_t *table = stretch->chain->files[stretch->file].table;
    uint64_t count = 0;
    while (count < limit && first + count < stretch->end && wants(stretch, first + count) &&
           table[first + count].page == table[first].page + count)
        count++;
    return count;
}

/* Entries from `first`, which is wanted, to the last wanted one that belongs to the same read. */
static uint64_t scattered(const stretch_t *stretch, uint64_t first)
{
    uint64_t length = 1;
    uint64_t at = first + 1;
    while (at < stretch->end && at - first < SCATTERED_PAGES) {
        if (!wants(stretch, at)) {
            if (++at - (first + length) > GAP_PAGES)
                break;
            continue;
        }
        const uint64_t next = row(stretch, at, STRAIGHT_PAGES);
        if (next == STRAIGHT_PAGES || at + next - first > SCATTERED_PAGES)
            break;
        at += next;
        length = at - first;
    }
    return length;
}

static oc_err_t plan_wanted(image_reads_t *self, const stretch_t *stretch, uint64_t first)
{
    oc_err_t err = OC_ERR_OK;
    for (uint64_t at = first; err == OC_ERR_OK && at < stretch->end;) {
        const uint64_t straight = row(stretch, at, IMAGE_READ_PAGES);
        if (straight == 0) {
            at++;
            continue;
        }
        const bool is_straight = straight >= STRAIGHT_PAGES;
        const uint64_t count = is_straight ? straight : scattered(stretch, at);
        err = add(self, stretch, at, count, is_straight);
        at += count;
    }
    return err;
}

static oc_err_t plan_all(image_reads_t *self, const stretch_t *stretch, uint64_t first)
{
    oc_err_t err = OC_ERR_OK;
    for (uint64_t at = first; err == OC_ERR_OK && at < stretch->end; at += IMAGE_READ_PAGES) {
        const uint64_t rest = stretch->end - at;
        err = add(self, stretch, at, rest < IMAGE_READ_PAGES ? rest : IMAGE_READ_PAGES, false);
    }
    return err;
}

oc_err_t image_reads_init(image_reads_t *self, const image_chain_t *chain, bool all)
{
    *self = (image_reads_t){0};
    oc_err_t err = OC_ERR_OK;
    for (uint32_t file = 0; file < chain->length; file++)
        for (uint32_t i = 0; err == OC_ERR_OK && i < chain->section_count; i++) {
            const image_section_record_t *section = &chain->files[file].header.identity.sections[i];
            const stretch_t stretch = {chain, (uint8_t)file, (uint8_t)i,
                                       section->first_entry + section->entry_count};
            err = all ? plan_all(self, &stretch, section->first_entry)
                      : plan_wanted(self, &stretch, section->first_entry);
        }
    return err;
}

void image_reads_fini(image_reads_t *self)
{
    free(self->reads);
    *self = (image_reads_t){0};
}
