/*
 * What a member's start makes of its own recording of the log, before anything of it is applied.
 * Called by member_run.c before there is an archive, and by the recovery.
 *
 * Invariants: what a kill leaves is put in order, and told; where something is missing that was
 * promised once, as far as anything left tells, nothing is changed and the member does not start:
 * an archive that starts writes into its catalog that the log ends where it finds no more.
 */
#define _GNU_SOURCE
#include "cluster/container_internal.h"

#include "base/error.h"
#include "cluster/log_reader.h"
#include "cluster/recording_finish.h"
#include "cluster/recording_log.h"
#include "snapshot/image.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What is kept of a state was in the log, synced, when it was written. A member of several that
 * went on without would vote for a log without entries that it had helped to make safe; a member
 * alone had told its clients of them. */
static oc_err_t refuse_lost_end(const member_config_t *config, const char *kept, int64_t position,
                                int64_t end)
{
    const bool image = strcmp(kept, "an image") == 0;
    const char *others = member_config_count(config) > 1
                             ? ", or seed the member from another one (outcry cluster seed)"
                         : image ? "; to go on without what is lost, move the images beyond it "
                                   "away (outcry snapshot list)"
                                 : "";
    return error_set(OC_ERR_DAMAGED,
                     "%s has %s of position %" PRId64 ", and its log ends before it, at %" PRId64
                     ": put archive back from a copy%s",
                     config->node.dir, kept, position, end, others);
}

oc_err_t container_find_log(const member_config_t *config, container_log_t *found)
{
    char archive[PATH_MAX];
    char dir[PATH_MAX];
    char file[PATH_MAX];
    recording_log_t log;
    *found = (container_log_t){.recording = -1, .replayed = -1};
    member_config_path(config, "archive", archive, sizeof archive);
    member_config_path(config, "cluster", dir, sizeof dir);
    member_config_path(config, "cluster/" RECORDING_LOG_FILE, file, sizeof file);
    if (access(file, F_OK) != 0 && errno == ENOENT)
        return OC_ERR_OK; /* a member that never ran */
    oc_err_t err = recording_log_read(&log, dir);
    if (err != OC_ERR_OK)
        return err;
    const int64_t id = recording_log_log(&log);
    const recording_log_entry_t *snapshot;
    if (recording_log_snapshot(&log, 0, &snapshot, NULL))
        found->replayed = snapshot->log_position;
    recording_log_fini(&log);
    if (id < 0)
        return OC_ERR_OK;
    recording_descriptor_t descriptor;
    err = recording_find(archive, id, &descriptor);
    if (err == OC_ERR_OK)
        err = recording_end(archive, id, descriptor.start_position, &found->end);
    if (err != OC_ERR_OK)
        return err;
    found->recording = id;
    found->begin = descriptor.start_position;
    return found->replayed <= found->end
               ? OC_ERR_OK
               : refuse_lost_end(config, "a snapshot", found->replayed, found->end);
}

oc_err_t container_open_images(const member_config_t *config, image_store_t **images)
{
    const image_store_config_t store = {
        .dir = config->node.dir, .storage = storage_device(), .read_only = true, .keep = 1};
    return image_store_open(images, &store);
}

oc_err_t container_check_images(const member_config_t *config, const image_store_t *images,
                                int64_t log_end)
{
    for (size_t n = 0; n < image_store_count(images); n++) {
        const int64_t position = (int64_t)image_store_at(images, n)->place.position;
        if (position > log_end)
            return refuse_lost_end(config, "an image", position, log_end);
    }
    return OC_ERR_OK;
}

oc_err_t container_check_log(const member_config_t *config)
{
    container_log_t log;
    image_store_t *images;
    oc_err_t err = container_find_log(config, &log);
    if (err != OC_ERR_OK || log.recording < 0)
        return err;
    err = container_open_images(config, &images);
    if (err != OC_ERR_OK)
        return err;
    err = container_check_images(config, images, log.end);
    image_store_close(images);
    return err;
}

typedef struct finishing {
    const member_config_t *config;
    const char *archive;
    int64_t log;
    oc_err_t err;
} finishing_t;

/* Of the others, snapshots that never were finished, nobody reads one; but an archive refuses to
 * start with any that is torn. */
static bool finish_recording(void *context, const recording_descriptor_t *recording)
{
    finishing_t *self = context;
    int64_t cut;
    if (!recording->valid || (recording->stop_position >= 0 && recording->id != self->log))
        return true;
    const oc_err_t err = recording_finish(self->archive, recording->id, &cut);
    if (cut >= 0)
        (void)fprintf(stderr,
                      "outcry: member %" PRIu64 ": what recording %" PRId64
                      " had behind position %" PRId64 " was never finished, and is taken away\n",
                      self->config->id, recording->id, cut);
    self->err = recording->id == self->log ? err : OC_ERR_OK;
    return self->err == OC_ERR_OK;
}

oc_err_t container_finish_log(const member_config_t *config)
{
    char archive[PATH_MAX];
    container_log_t log;
    oc_err_t err = container_find_log(config, &log);
    if (err != OC_ERR_OK || log.recording < 0)
        return err;
    member_config_path(config, "archive", archive, sizeof archive);
    finishing_t finishing = {.config = config, .archive = archive, .log = log.recording};
    err = recording_list(archive, finish_recording, &finishing);
    return err == OC_ERR_OK ? finishing.err : err;
}

oc_err_t container_check_replayed(const container_t *self, const container_log_t *log)
{
    recording_reader_t *reader;
    recording_message_t message;
    bool found = true;
    const int64_t from = log->replayed > log->begin ? log->replayed : log->begin;
    if (log->recording < 0 || from >= log->end)
        return OC_ERR_OK;
    oc_err_t err = recording_reader_open(&reader, self->archive_dir, log->recording, from);
    if (err != OC_ERR_OK)
        return err;
    while (err == OC_ERR_OK && found)
        err = log_reader_next(reader, log->end, &message, &found);
    recording_reader_close(reader);
    return err;
}
