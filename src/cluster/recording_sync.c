/*
 * That a recording of the log is on the device. Called by the images' keeper, whose image counts
 * when the log up to it is durable.
 *
 * It is so when a start after a power failure finds it: the frames are not enough. Where the
 * catalog still has the stop position of before, what is behind it counts as never promised, and
 * where recording.log does not list a recording there is none. Both are written by the module, with
 * a sync level of 0 without a sync. The catalog it writes through a shared mapping, whose pages a
 * sync of the file takes along whoever asks for it.
 *
 * It must not write, and must not ask the archive.
 */
#define _GNU_SOURCE
#include "base/error.h"
#include "cluster/archive_catalog.h"
#include "cluster/recording_internal.h"
#include "cluster/recording_log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What follows tells as much as all that is before: a frame that says that it lies there has one
 * before it that ends there. While a log grows there is one, which spares the walk: that reads up
 * to a whole term, beside those who trade. */
static oc_err_t check_frame_ends(recording_reader_t *self, int64_t position)
{
    frame_header_t header = {0};
    if (position > self->recording.start_position && position < RECORDING_POSITION_MAX &&
        recording_load_frame(self, position, INT64_MAX, &header) == OC_ERR_OK && header.length != 0)
        return OC_ERR_OK;
    return recording_check_boundary(self, position);
}

static oc_err_t sync_path(const char *path, bool is_dir)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | (is_dir ? O_DIRECTORY : 0));
    if (fd < 0)
        return error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    const int result = is_dir ? fsync(fd) : fdatasync(fd);
    const oc_err_t err =
        result == 0 ? OC_ERR_OK : error_set(OC_ERR_SYNC, "%s: %s", path, strerror(errno));
    (void)close(fd);
    return err;
}

/* A file in `dir`, and that it is there. */
static oc_err_t sync_listed(const char *dir, const char *name)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s", dir, name);
    if (length < 0 || length >= (int)sizeof path)
        return error_set(OC_ERR_OPEN, "the path is too long: %s", dir);
    const oc_err_t err = sync_path(path, false);
    return err == OC_ERR_OK ? sync_path(dir, true) : err;
}

static oc_err_t sync_segments(const char *archive_dir, const recording_descriptor_t *recording,
                              int64_t from, int64_t position)
{
    oc_err_t err = OC_ERR_OK;
    int64_t base = recording_segment_base(
        recording, from < recording->start_position ? recording->start_position : from);
    for (; err == OC_ERR_OK && base < position; base += recording->segment_bytes) {
        char path[PATH_MAX];
        if (!recording_segment_path(archive_dir, recording->id, base, path, sizeof path))
            return error_set(OC_ERR_OPEN, "the path is too long: %s", archive_dir);
        err = sync_path(path, false);
    }
    return err;
}

oc_err_t recording_sync(const char *archive_dir, const char *cluster_dir,
                        const recording_descriptor_t *recording, int64_t from, int64_t position)
{
    recording_reader_t *self;
    oc_err_t err = recording_create(&self, archive_dir, recording);
    if (err != OC_ERR_OK)
        return err;
    self->recording.stop_position = -1; /* it may have gone on since the descriptor was read */
    err = check_frame_ends(self, position);
    recording_reader_close(self);
    if (err == OC_ERR_OK && from >= position)
        return OC_ERR_OK;
    if (err == OC_ERR_OK)
        err = sync_segments(archive_dir, recording, from, position);
    if (err == OC_ERR_OK)
        err = sync_listed(archive_dir, ARCHIVE_CATALOG_FILE);
    return err == OC_ERR_OK ? sync_listed(cluster_dir, RECORDING_LOG_FILE) : err;
}
