/*
 * Ends recordings that a kill has left open. Called by the container before it starts an archive.
 *
 * An archive that starts looks for the end of a recording itself, unless the catalog has it. It
 * (1.44.1) does not start at all where the last frame crosses a page and is torn, and neither where
 * it is padding, or ends where one of its reads does. And what stands behind a stop position it
 * leaves there when it goes on writing, so that old frames may follow new ones. So here the end is
 * written into the catalog, and zeros behind it. A kill at any step leaves what the next start
 * makes the same of.
 *
 * Invariant: nothing is taken away but what recording_end() does not count, in the segment of the
 * end. Segments behind a stop position are left to who knows why they are there: a truncation that
 * was killed leaves such, but so does an older copy of the catalog.
 */
#define _GNU_SOURCE
#include "cluster/recording_finish.h"

#include "base/error.h"
#include "base/storage.h"
#include "cluster/archive_catalog.h"
#include "cluster/recording.h"
#include "cluster/recording_segments.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static oc_err_t check_later(const char *archive_dir, const recording_descriptor_t *recording,
                            int64_t end)
{
    int64_t *bases;
    size_t count;
    const oc_err_t err = recording_segments_list(archive_dir, recording->id, &bases, &count);
    if (err != OC_ERR_OK)
        return err;
    const int64_t last = count > 0 ? bases[count - 1] : -1;
    free(bases);
    if (last <= end)
        return OC_ERR_OK;
    return error_set(OC_ERR_DAMAGED,
                     "%s: recording %" PRId64 " ends at position %" PRId64
                     ", and there is a segment behind it, %" PRId64 "-%" PRId64
                     ".rec. If " ARCHIVE_CATALOG_FILE " is an older copy, put the right one back, "
                     "or seed the member from another one (outcry cluster seed); if not, remove "
                     "the segments behind that position",
                     archive_dir, recording->id, end, recording->id, last);
}

/* Of an open segment: makes it zeros from `from` on, and as long as segments are. */
static oc_err_t clear(int fd, int64_t from, int64_t segment_bytes, bool *changed, bool *cut)
{
    struct stat info;
    int64_t data;
    const oc_err_t err = recording_segment_find_data(fd, from, INT64_MAX, &data);
    if (err != OC_ERR_OK)
        return err;
    if (fstat(fd, &info) != 0)
        return error_set(OC_ERR_READ, "%s", strerror(errno));
    *cut = data >= 0;
    *changed = *cut || info.st_size != segment_bytes;
    if (!*changed)
        return OC_ERR_OK;
    if ((*cut && ftruncate(fd, from) != 0) || ftruncate(fd, segment_bytes) != 0)
        return error_set(errno == ENOSPC ? OC_ERR_NO_SPACE : OC_ERR_WRITE, "%s", strerror(errno));
    return fsync(fd) == 0 ? OC_ERR_OK : error_set(OC_ERR_SYNC, "%s", strerror(errno));
}

/* The segment of the end is made if it is not there, as an archive would that goes on. */
static oc_err_t clear_behind(const char *archive_dir, const recording_descriptor_t *recording,
                             int64_t end, bool *cut)
{
    char path[PATH_MAX];
    char what[256];
    bool changed = false;
    const int64_t base = recording_segment_base(recording, end);
    if (!recording_segment_path(archive_dir, recording->id, base, path, sizeof path))
        return error_set(OC_ERR_OPEN, "the path is too long: %s", archive_dir);
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return error_set(errno == ENOSPC ? OC_ERR_NO_SPACE : OC_ERR_OPEN, "%s: %s", path,
                         strerror(errno));
    oc_err_t err = clear(fd, end - base, recording->segment_bytes, &changed, cut);
    (void)close(fd);
    if (err == OC_ERR_OK)
        return changed ? storage_device()->sync_dir(storage_device(), archive_dir) : err;
    (void)snprintf(what, sizeof what, "%s", oc_err_context());
    return error_set(err, "%s: %s", path, what);
}

/* A catalog with checksums of another kind is left as it is: the archive then looks for the end. */
static oc_err_t note_end(const char *archive_dir, const recording_descriptor_t *recording,
                         int64_t end)
{
    const oc_err_t err = archive_catalog_set_stop(archive_dir, recording, end);
    return err == OC_ERR_FORMAT ? OC_ERR_OK : err;
}

oc_err_t recording_finish(const char *archive_dir, int64_t id, int64_t *cut)
{
    recording_descriptor_t recording;
    int64_t end;
    bool taken = false;
    *cut = -1;
    oc_err_t err = recording_find(archive_dir, id, &recording);
    if (err == OC_ERR_OK)
        err = recording_end(archive_dir, id, recording.start_position, &end);
    if (err == OC_ERR_OK)
        err = check_later(archive_dir, &recording, end);
    if (err == OC_ERR_OK)
        err = clear_behind(archive_dir, &recording, end, &taken);
    if (err != OC_ERR_OK)
        return err;
    *cut = taken ? end : -1;
    return recording.stop_position < 0 ? note_end(archive_dir, &recording, end) : OC_ERR_OK;
}
