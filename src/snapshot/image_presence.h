/*
 * Whether the files of images are still there: somebody may have removed them by hand.
 */
#ifndef SNAPSHOT_IMAGE_PRESENCE_H
#define SNAPSHOT_IMAGE_PRESENCE_H

#include "snapshot/image.h"

/* Data file and manifest of one listed image, with their sizes. OC_ERR_DAMAGED: one has another
 * size; OC_ERR_OPEN: it is gone, as far as can be seen; OC_ERR_READ, OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t image_presence_check(const image_store_t *store, uint64_t sequence);

/* The same for an image and all that it is built on. */
OC_MUST_CHECK oc_err_t image_presence_check_chain(const image_store_t *store, uint64_t sequence);

#endif
