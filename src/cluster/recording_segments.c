/*
 * Segment files of recordings. Called by the reader of recordings, by prune and by seed.
 *
 * Invariant: a name is a segment's only if the archive would write it so; it must not touch files.
 */
#define _GNU_SOURCE
#include "cluster/recording_segments.h"

#include "base/assert.h"
#include "base/error.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENT_SUFFIX ".rec"

int64_t recording_segment_base(const recording_descriptor_t *recording, int64_t position)
{
    OC_ASSERT(recording->term_bytes > 0 && recording->segment_bytes >= recording->term_bytes);
    const int64_t start = recording->start_position;
    const int64_t first = start - (start & ((int64_t)recording->term_bytes - 1));
    OC_ASSERT(position >= first);
    return first + ((position - first) & ~((int64_t)recording->segment_bytes - 1));
}

bool recording_segment_path(const char *archive_dir, int64_t id, int64_t base, char *path,
                            size_t size)
{
    const int n =
        snprintf(path, size, "%s/%" PRId64 "-%" PRId64 SEGMENT_SUFFIX, archive_dir, id, base);
    return n > 0 && (size_t)n < size;
}

bool recording_segment_name(const char *name, int64_t *id, int64_t *base)
{
    char again[64];
    if (sscanf(name, "%19" SCNd64 "-%19" SCNd64, id, base) != 2 || *id < 0 || *base < 0 ||
        *base > RECORDING_POSITION_MAX)
        return false;
    (void)snprintf(again, sizeof again, "%" PRId64 "-%" PRId64 SEGMENT_SUFFIX, *id, *base);
    return strcmp(name, again) == 0;
}

static int compare_bases(const void *a, const void *b)
{
    int64_t left;
    int64_t right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return (left > right) - (left < right);
}

static oc_err_t append(int64_t **bases, size_t *count, size_t *room, int64_t base)
{
    if (*count == *room) {
        const size_t more = *room > 0 ? *room * 2 : 16;
        int64_t *grown = realloc(*bases, more * sizeof *grown);
        if (!grown)
            return error_set(OC_ERR_NO_MEMORY, "a list of %zu segments", more);
        *bases = grown;
        *room = more;
    }
    (*bases)[(*count)++] = base;
    return OC_ERR_OK;
}

oc_err_t recording_segments_list(const char *archive_dir, int64_t id, int64_t **bases,
                                 size_t *count)
{
    *bases = NULL;
    *count = 0;
    size_t room = 0;
    DIR *dir = opendir(archive_dir);
    if (!dir)
        return error_set(OC_ERR_READ, "%s: %s", archive_dir, strerror(errno));
    oc_err_t err = OC_ERR_OK;
    const struct dirent *entry;
    while (err == OC_ERR_OK && (entry = readdir(dir)) != NULL) {
        int64_t other;
        int64_t base;
        if (recording_segment_name(entry->d_name, &other, &base) && other == id)
            err = append(bases, count, &room, base);
    }
    (void)closedir(dir);
    if (err != OC_ERR_OK) {
        free(*bases);
        *bases = NULL;
        *count = 0;
    } else if (*count > 0) {
        qsort(*bases, *count, sizeof **bases, compare_bases);
    }
    return err;
}
