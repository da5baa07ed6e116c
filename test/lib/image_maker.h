/*
 * Images on a device in memory whose content follows from their numbers: an arena of 40 pages, one
 * of 8, and a stream. For tests of what writes, lists and removes them; nothing is loaded.
 */
#ifndef LIB_IMAGE_MAKER_H
#define LIB_IMAGE_MAKER_H

#include "lib/storage_fake.h"
#include "snapshot/image_internal.h"

#define IMAGE_MAKER_DIR      "log"
#define IMAGE_MAKER_LOG_ID   UINT64_C(0x1122334455667788)
#define IMAGE_MAKER_SECTIONS 3

typedef struct image_maker {
    storage_fake_t *device;
    image_store_t *store;   /* NULL: not open */
    image_writer_t *writer; /* NULL: not open */
    uint32_t keep;          /* for the next image_maker_open() */
    bool read_only;
    uint64_t position; /* of the next image; grows by 1000 */
} image_maker_t;

/* Keeps one image. The caller calls image_maker_fini(). */
void image_maker_init(image_maker_t *self, uint64_t seed);
void image_maker_fini(image_maker_t *self);

oc_err_t image_maker_open(image_maker_t *self);
void image_maker_close(image_maker_t *self); /* also if it is not open */
/* Closes, starts the device again if it is off, opens; must succeed. */
void image_maker_reopen(image_maker_t *self);

/* An image to be: sections, base, next sequence and position. */
void image_maker_info(image_maker_t *self, uint64_t base, image_info_t *info);

/* Writes the data file of `info` up to finish. */
oc_err_t image_maker_write(image_maker_t *self, image_info_t *info);

/* Writes and commits; *sequence gets the number of the image. */
oc_err_t image_maker_take(image_maker_t *self, uint64_t base, uint64_t *sequence);

/* init and open; take, giving the number; image_store_retain(): of a device that does what it is
 * asked. They fail the test otherwise. */
void image_maker_start(image_maker_t *self, uint64_t seed);
uint64_t image_maker_make(image_maker_t *self, uint64_t base);
void image_maker_retain(image_maker_t *self);

/* The numbers that the store lists, in order, as text; static, valid until the next call. */
const char *image_maker_listed(const image_maker_t *self);

/* Fails the test unless all files of a listed image's chain have all that was written. */
void image_maker_check(const image_maker_t *self, uint64_t sequence);

/* The same for all that are listed. */
void image_maker_check_all(const image_maker_t *self);

/* Whether an image holds a page, and the page. */
bool image_maker_has(const image_info_t *info, uint32_t section, uint32_t page);
void image_maker_page(uint64_t sequence, uint32_t section, uint32_t page, uint8_t *bytes);

extern const char image_maker_configuration[];

/* Path of an image's file, static, valid until the next call. */
const char *image_maker_path(uint64_t sequence, const char *ending);
/* Whether there is such a file, as reads see it. */
bool image_maker_there(const image_maker_t *self, uint64_t sequence, const char *ending);
/* Files in the directory of the images. */
size_t image_maker_files(const image_maker_t *self);

#endif
