/*
 * Segment files of recordings. Called by the reader of recordings, by prune and by seed.
 *
 * An archive (RecordingWriter of 1.44.1) lists a recording in its catalog, then makes its first
 * segment and gives it its full length, all in one step of one thread; the module, which lists it
 * in recording.log, is told of it in a later step: a kill between leaves no log without its first
 * segment. A full segment is written, and synced, before the next one is made, which is before
 * anybody is told that it is full: a kill between leaves a recording that ends with a full segment,
 * and the next one not there or empty. An archive that starts takes that for what it is. Truncating
 * removes segments, but sets a stop position first. So any other segment that is not there or has
 * no bytes was lost.
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
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEGMENT_SUFFIX ".rec"

enum { SCAN_BYTES = 64 * 1024 };

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

/* ---- What is in them ---- */

oc_err_t recording_segments_check(const char *archive_dir, const recording_descriptor_t *recording,
                                  int64_t end)
{
    const int64_t first = recording_segment_base(recording, recording->start_position);
    for (int64_t base = first; base < end || base == first; base += recording->segment_bytes) {
        char path[PATH_MAX];
        struct stat info = {0};
        if (!recording_segment_path(archive_dir, recording->id, base, path, sizeof path))
            return error_set(OC_ERR_OPEN, "the path is too long: %s", archive_dir);
        const bool missing = stat(path, &info) != 0;
        if (missing && errno != ENOENT)
            return error_set(OC_ERR_READ, "%s: %s", path, strerror(errno));
        if (info.st_size == 0)
            return error_set(OC_ERR_DAMAGED,
                             "%s is %s: what the archive had recorded there, from position %" PRId64
                             " on, is lost. Put the file back from a copy, or seed the member from "
                             "another one (outcry cluster seed); to begin anew without its state, "
                             "move all but outcry.conf away",
                             path, missing ? "not there" : "empty", base);
    }
    return OC_ERR_OK;
}

/* Offset of the first byte that is not zero, or `length`. */
static size_t count_zeros(const uint8_t *bytes, size_t length)
{
    size_t n = 0;
    uint64_t word = 0;
    while (n + sizeof word <= length && word == 0) {
        memcpy(&word, bytes + n, sizeof word);
        n += word == 0 ? sizeof word : 0;
    }
    while (n < length && bytes[n] == 0)
        n++;
    return n;
}

oc_err_t recording_segment_find_data(int fd, int64_t from, int64_t to, int64_t *found)
{
    uint8_t bytes[SCAN_BYTES];
    *found = -1;
    while (from < to) {
        const off_t data = lseek(fd, (off_t)from, SEEK_DATA);
        if (data < 0 && errno == ENXIO)
            return OC_ERR_OK;
        if (data > (off_t)from) /* a device that knows no holes says that all is data */
            from = (int64_t)data;
        const int64_t wanted = to - from < SCAN_BYTES ? to - from : SCAN_BYTES;
        const ssize_t got = wanted > 0 ? pread(fd, bytes, (size_t)wanted, (off_t)from) : 0;
        if (got < 0 && errno != EINTR)
            return error_set(OC_ERR_READ, "what is behind the end of a recording: %s",
                             strerror(errno));
        if (got == 0)
            return OC_ERR_OK;
        const size_t zeros = got > 0 ? count_zeros(bytes, (size_t)got) : 0;
        if (got > 0 && zeros < (size_t)got) {
            *found = from + (int64_t)zeros;
            return OC_ERR_OK;
        }
        from += got > 0 ? got : 0;
    }
    return OC_ERR_OK;
}
