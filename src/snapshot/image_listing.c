/*
 * Names in the directory of the images. Called by the store when it opens.
 *
 * Invariants: one element for each number, ascending; a name counts only if it is exactly as the
 * writer or the store make it. It must not open a file.
 */
#include "snapshot/image_listing.h"

#include "base/assert.h"
#include "base/error.h"
#include "snapshot/image_internal.h"

#include <stdlib.h>
#include <string.h>

/* Numbers above would leave no room for the next ones; nothing ever gets there by counting. */
#define SEQUENCE_MAX ((uint64_t)INT64_MAX)

/* Which file of an image a name is; false: of none. */
static bool parse_name(const char *name, image_listed_t *listed)
{
    memset(listed, 0, sizeof *listed);
    if (strspn(name, "0123456789abcdef") != IMAGE_NAME_DIGITS)
        return false;
    const char *ending = name + IMAGE_NAME_DIGITS;
    listed->sequence = strtoull(name, NULL, 16);
    listed->has_pages = strcmp(ending, IMAGE_PAGES_ENDING) == 0;
    listed->has_manifest = strcmp(ending, IMAGE_MANIFEST_ENDING) == 0;
    listed->has_new = strcmp(ending, IMAGE_NEW_ENDING) == 0;
    return listed->sequence > 0 && listed->sequence <= SEQUENCE_MAX &&
           (listed->has_pages || listed->has_manifest || listed->has_new);
}

static bool add_name(void *context, const char *name)
{
    image_listing_t *self = context;
    image_listed_t listed;
    if (!parse_name(name, &listed))
        return true;
    if (self->count == self->capacity) {
        const size_t capacity = self->capacity ? self->capacity * 2 : 64;
        image_listed_t *grown = realloc(self->files, capacity * sizeof *grown);
        if (!grown) {
            self->no_memory = true;
            return false;
        }
        self->files = grown;
        self->capacity = capacity;
    }
    self->files[self->count++] = listed;
    return true;
}

int image_listed_compare(const void *left, const void *right)
{
    const uint64_t a = ((const image_listed_t *)left)->sequence;
    const uint64_t b = ((const image_listed_t *)right)->sequence;
    return (a > b) - (a < b);
}

/* Several names of one number, side by side, become one element. */
static void merge(image_listing_t *self)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->count; i++) {
        const image_listed_t *next = &self->files[i];
        if (kept > 0 && self->files[kept - 1].sequence == next->sequence) {
            image_listed_t *same = &self->files[kept - 1];
            same->has_pages |= next->has_pages;
            same->has_manifest |= next->has_manifest;
            same->has_new |= next->has_new;
        } else {
            self->files[kept++] = *next;
        }
    }
    self->count = kept;
}

static bool look_for_images(void *context, const char *name)
{
    bool *found = context;
    *found |= strcmp(name, IMAGE_DIR) == 0;
    return !*found;
}

/* The table cannot tell a directory that is absent from one that cannot be opened: the one above
 * can. */
static bool is_absent(const storage_t *storage, const char *dir)
{
    bool found = false;
    return storage->list(storage, dir, look_for_images, &found) == OC_ERR_OK && !found;
}

oc_err_t image_listing_init(image_listing_t *self, const storage_t *storage, const char *dir,
                            const char *images, bool may_be_absent)
{
    memset(self, 0, sizeof *self);
    oc_err_t err = storage->list(storage, images, add_name, self);
    if (err == OC_ERR_OPEN && may_be_absent && is_absent(storage, dir))
        err = OC_ERR_OK;
    if (err == OC_ERR_OK && self->no_memory)
        err = error_set(OC_ERR_NO_MEMORY, "image: no memory for the names in %s", images);
    if (err != OC_ERR_OK) {
        image_listing_fini(self);
        return err;
    }
    if (self->count > 1)
        qsort(self->files, self->count, sizeof *self->files, image_listed_compare);
    merge(self);
    return OC_ERR_OK;
}

void image_listing_fini(image_listing_t *self)
{
    free(self->files);
    memset(self, 0, sizeof *self);
}
