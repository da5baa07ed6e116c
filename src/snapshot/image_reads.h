/*
 * What is to be read of a chain, cut into reads of a page to a MiB that threads take one by one.
 */
#ifndef SNAPSHOT_IMAGE_READS_H
#define SNAPSHOT_IMAGE_READS_H

#include "snapshot/image_chain.h"

/* Pages of one read at most: 1 MiB, from which on devices get no faster. */
#define IMAGE_READ_PAGES 256

typedef struct image_read {
    uint64_t first; /* entry of the file's table: consecutive pages of the file */
    uint16_t count; /* 1..IMAGE_READ_PAGES, all of one section */
    uint8_t file;   /* of the chain */
    uint8_t section;
    bool straight; /* every page is wanted, and they are consecutive in the section too */
} image_read_t;

typedef struct image_reads {
    image_read_t *reads; /* owned */
    size_t count;
    size_t capacity;
    uint32_t longest; /* pages of the longest that is not straight */
} image_reads_t;

/*
 * Lists the reads that fetch each page of the chain that counts, from the file that owns it. What
 * is scattered is read with what lies between, if that is little. With `all`, each page of each
 * file, whoever owns it. OC_ERR_NO_MEMORY. Undo, also after an error: image_reads_fini().
 */
OC_MUST_CHECK oc_err_t image_reads_init(image_reads_t *self, const image_chain_t *chain, bool all);
void image_reads_fini(image_reads_t *self);

/* Whether the chain wants a page of a file: the file owns it. */
static inline bool image_reads_wants(const image_chain_t *chain, uint8_t file, uint32_t section,
                                     uint64_t entry)
{
    const uint32_t page = chain->files[file].table[entry].page;
    /* An older stream may be longer than the one that counts. */
    return page < chain->section_pages[section] && chain->section_owners[section][page] == file;
}

#endif
