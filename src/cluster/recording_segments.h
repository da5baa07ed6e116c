/*
 * The segment files of a recording, `<recordingId>-<basePosition>.rec`: which there are, and where
 * a position lies. Segments are counted from the beginning of the term in which the recording
 * began, not from position 0.
 *
 * Threads: any; there is no state.
 */
#ifndef CLUSTER_RECORDING_SEGMENTS_H
#define CLUSTER_RECORDING_SEGMENTS_H

#include "cluster/recording.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDING_FRAME_HEADER 32
#define RECORDING_FRAME_ALIGN  INT64_C(32)
#define RECORDING_POSITION_MAX (INT64_C(1) << 61) /* terms of 1 GiB, numbered in 31 bits */

/* Position of the first byte of the segment that holds `position`. */
int64_t recording_segment_base(const recording_descriptor_t *recording, int64_t position);

/* The path of the segment that begins at `base`; false: it does not fit. */
bool recording_segment_path(const char *archive_dir, int64_t id, int64_t base, char *path,
                            size_t size);

/* Whether `name` is a segment's, of which recording, and where it begins; tells no file whose name
 * only resembles one. */
bool recording_segment_name(const char *name, int64_t *id, int64_t *base);

/*
 * Whether the files of a recording that ends at `end` are there and not empty: the one it begins
 * in, and all that have something of it. OC_ERR_DAMAGED names the first that is lost; OC_ERR_READ,
 * OC_ERR_OPEN.
 */
OC_MUST_CHECK oc_err_t recording_segments_check(const char *archive_dir,
                                                const recording_descriptor_t *recording,
                                                int64_t end);

/* Offset of the first byte in [from, to) of an open segment that is not zero, -1: there is none.
 * Holes cost nothing. OC_ERR_READ. */
OC_MUST_CHECK oc_err_t recording_segment_find_data(int fd, int64_t from, int64_t to,
                                                   int64_t *found);

/* The bases of the files that are there, ascending; owned by the caller: free(). OC_ERR_READ,
 * OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t recording_segments_list(const char *archive_dir, int64_t id, int64_t **bases,
                                               size_t *count);

#endif
