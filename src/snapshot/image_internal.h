/*
 * What store, writer, load and fold share: names of files, messages, and a look behind the store.
 */
#ifndef SNAPSHOT_IMAGE_INTERNAL_H
#define SNAPSHOT_IMAGE_INTERNAL_H

#include "snapshot/image_file.h"
#include "snapshot/image_format.h"

#define IMAGE_PAGES_ENDING    ".pages"
#define IMAGE_MANIFEST_ENDING ".manifest"
#define IMAGE_NEW_ENDING      ".manifest.new"
#define IMAGE_NAME_DIGITS     16
#define IMAGE_CONTEXT_SIZE    512 /* of a copy of an error's context */

_Static_assert(IMAGE_CONFIGURATION_MAX == STORAGE_BLOCK, "the configuration has one block");

/* Path of a file of an image, malloc'ed, or NULL. `images` is the directory of the images. */
char *image_path(const char *images, uint64_t sequence, const char *ending);

/* Path of the directory of the images of a log in `dir`, malloc'ed, or NULL. */
char *image_dir_path(const char *dir);

/* Adds to what an operation of the storage has left in the error's context: at which offset it
 * failed, unless that is UINT64_MAX, and what it means. Returns `err`. */
oc_err_t image_failed(oc_err_t err, uint64_t offset, const char *meaning);

/* Reads a manifest and checks it and its length. As image_manifest_decode(); OC_ERR_OPEN,
 * OC_ERR_READ, OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t image_manifest_read(const storage_t *storage, const char *path,
                                           image_manifest_t *manifest);

/* ---- image_store.c ---- */

/* Borrowed for the store's life. */
const storage_t *image_store_storage(const image_store_t *self);
const char *image_store_images(const image_store_t *self); /* the directory of the images */

/* The manifest of an image that the store lists; NULL if there is none. Borrowed until the next
 * change of the store. */
const image_manifest_t *image_store_manifest(const image_store_t *self, uint64_t sequence);

#endif
