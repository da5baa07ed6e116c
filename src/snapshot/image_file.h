/*
 * One data file of an image, open for reading: its header and table, checked. Used by load and
 * fold, which walk a chain from an image to its base with it:
 *
 *     for (sequence = info->sequence; sequence != 0; sequence = file->header.identity.base)
 *         image_file_open(file, store, sequence), image_file_read_table(file), ...
 *
 * Threads: several may read one file at a time; open, close and read_table by one alone.
 */
#ifndef SNAPSHOT_IMAGE_FILE_H
#define SNAPSHOT_IMAGE_FILE_H

#include "snapshot/image_format.h"

typedef struct image_file {
    const storage_t *storage;
    storage_file_t *file;
    char *path; /* for messages */
    image_header_t header;
    image_entry_t *table; /* header.identity.pages entries; NULL: not read yet */
} image_file_t;

/* Opens the data file of an image that the store lists, checks that it is as long as its manifest
 * says, and its header against that. OC_ERR_OPEN, OC_ERR_READ, OC_ERR_NO_MEMORY, OC_ERR_DAMAGED
 * (file and offset are named); nothing is held then. Undo: image_file_close(). */
OC_MUST_CHECK oc_err_t image_file_open(image_file_t *self, const image_store_t *store,
                                       uint64_t sequence);
/* Also for one that is all zero. */
void image_file_close(image_file_t *self);

/* Reads and checks the table, once. */
OC_MUST_CHECK oc_err_t image_file_read_table(image_file_t *self);

/* Reads whole blocks into block-aligned memory; OC_ERR_DAMAGED if the file ends before. */
OC_MUST_CHECK oc_err_t image_file_read(const image_file_t *self, uint64_t offset, void *bytes,
                                       size_t length);

/* Reads and checks block 1 into a block-aligned `block`; header.configuration_length bytes of it
 * are the configuration. */
OC_MUST_CHECK oc_err_t image_file_read_configuration(const image_file_t *self, uint8_t *block);

/* Checks what was read of entry `entry`, a page of section `section`: OC_ERR_DAMAGED names file and
 * offset. */
OC_MUST_CHECK oc_err_t image_file_check_page(const image_file_t *self, uint64_t entry,
                                             uint32_t section, const void *bytes);

#endif
