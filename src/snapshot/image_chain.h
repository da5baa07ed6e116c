/*
 * The files that an image needs, as one: for each page of each section, which file has it.
 *
 * Files are numbered from the image itself, 0, to the full one at the end. The newest file that has
 * a page of an arena owns it; pages of a stream are owned by file 0. All tables are in memory and
 * checked; pages are read by the users, image_load.c and image_fold.c.
 *
 * Threads: once open it does not change; any number may look into it and read its files.
 */
#ifndef SNAPSHOT_IMAGE_CHAIN_H
#define SNAPSHOT_IMAGE_CHAIN_H

#include "snapshot/image_file.h"

#define IMAGE_CHAIN_NO_FILE UINT8_MAX

_Static_assert(IMAGE_CHAIN_MAX < IMAGE_CHAIN_NO_FILE, "a file's number is a byte");

typedef struct image_chain {
    uint32_t length;
    image_file_t files[IMAGE_CHAIN_MAX];
    uint32_t section_count;
    uint32_t section_pages[IMAGE_SECTIONS_MAX];  /* that the section has, wherever they are */
    uint8_t *section_owners[IMAGE_SECTIONS_MAX]; /* by page: file, or IMAGE_CHAIN_NO_FILE */
    uint64_t pages;                              /* that some file owns */
} image_chain_t;

/*
 * Opens the files of an image that the store lists, reads headers, configurations and tables, and
 * merges them if `merged` is set: that takes a byte for each page that the sections say they have,
 * so they should be known to have so many. Not merged, section_pages, section_owners and pages are
 * zero. OC_ERR_DAMAGED names the file and the offset; OC_ERR_OPEN, OC_ERR_READ,
 * OC_ERR_NO_MEMORY. The caller owns *chain: image_chain_close().
 */
OC_MUST_CHECK oc_err_t image_chain_open(image_chain_t **chain, const image_store_t *store,
                                        const image_info_t *info, bool merged);
void image_chain_close(image_chain_t *self); /* NULL is allowed */

/* Entry of the table of `file` that is a page of a section, which the file owns. */
uint64_t image_chain_entry(const image_chain_t *self, uint8_t file, uint32_t section,
                           uint32_t page);

#endif
