/*
 * Copying files for a seed: whole and durable, with holes where the source has zeros.
 *
 * Threads: any.
 */
#ifndef CLUSTER_SEED_COPY_H
#define CLUSTER_SEED_COPY_H

#include "outcry/error.h"

#include <stddef.h>
#include <stdint.h>

#define SEED_COPY_ALL INT64_MAX

/* What was copied. */
typedef struct seed_copied {
    uint64_t files;
    uint64_t bytes; /* read from the source */
} seed_copied_t;

/*
 * Copies the first `length` bytes of a file, or all of it, to a new file, which is then made
 * `size` bytes long if that is more, and synced. Adds to *copied. OC_ERR_OPEN: the source is not
 * there (any more); OC_ERR_READ, OC_ERR_WRITE, OC_ERR_NO_SPACE, OC_ERR_SYNC; OC_ERR_TRUNCATED: the
 * source is shorter than `length`.
 */
OC_MUST_CHECK oc_err_t seed_copy_file(const char *from, const char *to, int64_t length,
                                      int64_t size, seed_copied_t *copied);

/* Writes a new file and syncs it. */
OC_MUST_CHECK oc_err_t seed_copy_bytes(const void *bytes, size_t length, const char *to);

#endif
