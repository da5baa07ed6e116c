/*
 * The names in the directory of the images: which files of which image are there.
 */
#ifndef SNAPSHOT_IMAGE_LISTING_H
#define SNAPSHOT_IMAGE_LISTING_H

#include "base/storage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct image_listed {
    uint64_t sequence;
    bool has_pages;
    bool has_manifest;
    bool has_new; /* a manifest that was not renamed */
    /* The store's, for what is to be removed: */
    uint64_t base;    /* 0: none, or not known */
    bool passed_over; /* found to be bad, so it goes first */
    bool stays;       /* could not be removed, or what is built on it could not */
} image_listed_t;

typedef struct image_listing {
    image_listed_t *files; /* one for each image, sequences ascending */
    size_t count;
    size_t capacity;
    bool no_memory;
} image_listing_t;

/* Names that are no file of an image are passed over. `images` is the directory of the images,
 * `dir` that of the log: if `may_be_absent`, one without images gives an empty list. OC_ERR_OPEN,
 * OC_ERR_READ, OC_ERR_NO_MEMORY: nothing is held then. Undo: image_listing_fini(). */
OC_MUST_CHECK oc_err_t image_listing_init(image_listing_t *self, const storage_t *storage,
                                          const char *dir, const char *images, bool may_be_absent);
/* For qsort(): by sequence, ascending. */
int image_listed_compare(const void *left, const void *right);
void image_listing_fini(image_listing_t *self);

#endif
