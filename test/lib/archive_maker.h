/*
 * Makes the files of an Aeron archive and a module's recording.log by hand, as the real ones write
 * them, so that tests can have exactly the state they want. Everything fails the test on trouble.
 */
#ifndef LIB_ARCHIVE_MAKER_H
#define LIB_ARCHIVE_MAKER_H

#include "cluster/recording_log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct archive_maker {
    char dir[300]; /* of the archive */
    int64_t next_id;
    int64_t catalog_end; /* offset behind the last entry */
} archive_maker_t;

typedef struct archive_recording {
    archive_maker_t *archive;
    int64_t id;
    int64_t catalog_offset;
    int64_t first_base; /* of its first segment */
    int64_t position;   /* where the next frame begins */
    int32_t initial_term_id;
    int32_t term_bytes;
    int32_t segment_bytes;
    int32_t mtu_bytes;
    bool checked; /* set by the test: frames get checksums from now on */
} made_recording_t;

/* Makes the directory (its parent is there) and an empty catalog. */
void archive_maker_init(archive_maker_t *self, const char *dir);

/* A recording that begins at `start` and is active; its first segment is there, zeros. */
void archive_maker_record(archive_maker_t *self, made_recording_t *recording, int64_t start,
                          int32_t term_bytes, int32_t segment_bytes);

/* Appends a message, in fragments if it must be, with padding before it where a term ends; returns
 * the position of its end. */
int64_t made_recording_append(made_recording_t *self, const void *bytes, size_t length);

/* Appends one frame: for what no healthy writer makes. `type` 0 padding, 1 data. */
int64_t made_recording_frame(made_recording_t *self, uint8_t flags, uint16_t type,
                             const void *bytes, size_t length);

/* Appends padding, and a frame that a kill has torn at a page's border; returns where that begins,
 * which `position` then is. There are two pages left in the term. */
int64_t made_recording_tear(made_recording_t *self);

/* Sets the stop position in the catalog to where it is now. */
void made_recording_stop(made_recording_t *self);

/* As a purge by the archive: start position set, files below removed. `base` begins a segment. */
void made_recording_purge(made_recording_t *self, int64_t base);

/* Sets an entry's state: 1 valid, 0 invalid. */
void made_recording_state(const made_recording_t *self, int32_t state);

/* Overwrites bytes of the segment that holds `position`, there. */
void made_recording_patch(const made_recording_t *self, int64_t position, const void *bytes,
                          size_t length);

/* Appends entries to `cluster_dir`/recording.log, which is made. */
void archive_maker_log(const char *cluster_dir, const recording_log_entry_t *entries, size_t count);

/* The nth message of a fixed sequence: some are empty, some are longer than a datagram. Returns its
 * length; `bytes` has room for ARCHIVE_SAMPLE_MAX. The Java program RecordArchive
 * makes the same. */
#define ARCHIVE_SAMPLE_MAX 8192
size_t archive_sample(uint64_t n, uint8_t *bytes);

#endif
