/*
 * The catalog of an Aeron archive, `archive.catalog`: what recordings there are. Read as bytes, so
 * that parts of it can be copied; changed only while no archive runs on it. The layout is in
 * docs/formats/aeron-files.md.
 *
 * Threads: one at a time for each archive_catalog_t.
 */
#ifndef CLUSTER_ARCHIVE_CATALOG_H
#define CLUSTER_ARCHIVE_CATALOG_H

#include "cluster/recording.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARCHIVE_CATALOG_FILE         "archive.catalog"
#define ARCHIVE_CATALOG_HEADER_BYTES 32
#define ARCHIVE_CATALOG_MAJOR        3 /* version of the format that is known */

typedef enum archive_catalog_kind {
    ARCHIVE_CATALOG_MISSING,
    ARCHIVE_CATALOG_BLANK, /* a kill came while it was made: without a header, and nothing behind */
    ARCHIVE_CATALOG_MADE,
} archive_catalog_kind_t;

/* An archive makes a missing one, and does not start with a blank one. OC_ERR_OPEN, OC_ERR_READ. */
OC_MUST_CHECK oc_err_t archive_catalog_look(const char *archive_dir, archive_catalog_kind_t *kind);

typedef struct archive_catalog {
    uint8_t *bytes; /* the header and all entries; owned */
    size_t length;  /* up to the end of the last entry */
    size_t first;   /* offset of the first entry */
    size_t alignment;
    int64_t next_recording_id;
} archive_catalog_t;

/*
 * Reads it whole. Errors: OC_ERR_OPEN, OC_ERR_READ, OC_ERR_NO_MEMORY; OC_ERR_FORMAT: another
 * version of the format, or none of this one; OC_ERR_DAMAGED: an entry that cannot be. Of a
 * running archive the newest entry may be missed. The caller: archive_catalog_fini().
 */
OC_MUST_CHECK oc_err_t archive_catalog_load(archive_catalog_t *self, const char *archive_dir);
void archive_catalog_fini(archive_catalog_t *self);

/* The entry at *offset, which is 0 to begin with and is moved on; false: there are no more. */
bool archive_catalog_next(const archive_catalog_t *self, size_t *offset,
                          recording_descriptor_t *descriptor);

/* Fills in *descriptor of a valid recording; false: there is none. */
bool archive_catalog_find(const archive_catalog_t *self, int64_t id,
                          recording_descriptor_t *descriptor);

/* ---- Changes; only while no archive runs there ---- */

/*
 * Sets where a recording begins, durably; `position` is the beginning of one of its segments.
 * Errors: OC_ERR_OPEN, OC_ERR_WRITE, OC_ERR_SYNC; OC_ERR_FORMAT: the catalog has checksums of a
 * kind that is not known here.
 */
OC_MUST_CHECK oc_err_t archive_catalog_set_start(const char *archive_dir,
                                                 const recording_descriptor_t *descriptor,
                                                 int64_t position);

/* Sets where a recording ends, durably, so that the archive does not look for it when it starts.
 * Errors as above. */
OC_MUST_CHECK oc_err_t archive_catalog_set_stop(const char *archive_dir,
                                                const recording_descriptor_t *descriptor,
                                                int64_t position);

/* Marks a recording as one that is not there any more, durably, as the archive does when it purges
 * it. Errors as above. */
OC_MUST_CHECK oc_err_t archive_catalog_invalidate(const char *archive_dir,
                                                  const recording_descriptor_t *descriptor);

/* What of a descriptor a copy has changed. */
typedef struct archive_catalog_kept {
    int64_t id;
    int64_t start_position;
    int64_t stop_position; /* -1: the archive finds it from the files when it starts */
} archive_catalog_kept_t;

/*
 * Writes a new catalog of those recordings of `self`, in their order, under their ids; ids that
 * `self` gave away are not given again. Not synced: the caller does that with the directory.
 * OC_ERR_OPEN, OC_ERR_WRITE, OC_ERR_NO_MEMORY; OC_ERR_DAMAGED: one is not in it; OC_ERR_FORMAT as
 * above. The entries in `self` are changed with it.
 */
OC_MUST_CHECK oc_err_t archive_catalog_write(archive_catalog_t *self, const char *archive_dir,
                                             const archive_catalog_kept_t *kept, size_t count);

#endif
