/*
 * Prunes a member's log. Called by `outcry cluster prune`.
 *
 * Invariants: the position below which segments go is at most the lowest of all needs; what those
 * needs lean on (the newest snapshots, and an image if they are manifests) was read whole just
 * before. While the member runs, its needs only move up: images and snapshots are added, and the
 * oldest go; so a plan that is a moment old keeps too much, never too little.
 * It must not remove what it did not plan.
 */
#define _GNU_SOURCE
#include "cluster/prune.h"

#include "base/assert.h"
#include "base/error.h"
#include "cluster/archive_catalog.h"
#include "cluster/member_survey.h"
#include "cluster/recording_segments.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DEVICE_UNIT = 512, /* of st_blocks */
    WHY_BYTES = 512,   /* of another error's text, for ours */
};

/* ---- What is needed ---- */

int64_t prune_need(const prune_plan_t *self)
{
    int64_t need = self->snapshot_need;
    if (self->image_need < need)
        need = self->image_need;
    return self->backup_need < need ? self->backup_need : need;
}

int64_t prune_file_end(const prune_plan_t *self)
{
    const recording_descriptor_t *log = &self->recording;
    return recording_segment_base(log, self->below) + log->segment_bytes;
}

/* The newest snapshots, each read whole; *newest is the first of them. */
static oc_err_t survey_snapshots(prune_plan_t *self, const member_survey_t *survey, uint32_t keep,
                                 member_snapshot_found_t *newest)
{
    self->snapshot_need = PRUNE_NO_NEED;
    for (uint32_t n = 0; n < keep; n++) {
        member_snapshot_found_t snapshot;
        bool found;
        const oc_err_t err = member_survey_snapshot(survey, n, &snapshot, &found);
        /* An older one is only a way back: damaged, it is none. */
        if (err != OC_ERR_OK && n == 0)
            return err;
        if (!found)
            break;
        if (n == 0)
            *newest = snapshot;
        if (err == OC_ERR_OK && snapshot.module.log_position < self->snapshot_need)
            self->snapshot_need = snapshot.module.log_position;
    }
    if (self->snapshot_need != PRUNE_NO_NEED)
        return OC_ERR_OK;
    char image[WHY_BYTES] = "";
    if (self->image_need == PRUNE_NO_NEED)
        (void)snprintf(image, sizeof image, ", then an image (outcry snapshot take %.400s)",
                       survey->dir);
    return error_set(OC_ERR_REFUSED,
                     "%s: nothing may go: there is no official snapshot, and without one the "
                     "module replays the log from its beginning; while the member runs, take one "
                     "(outcry cluster snapshot --dir %s)%s",
                     survey->dir, survey->dir, image);
}

/* Whether the service can start from what is left. */
static oc_err_t survey_images(const member_survey_t *survey, const member_snapshot_found_t *newest)
{
    const image_info_t *image;
    char why[WHY_BYTES] = "";
    const oc_err_t err = member_survey_image(survey, &image);
    if (err != OC_ERR_OK)
        (void)snprintf(why, sizeof why, "%s", oc_err_context());
    if (err != OC_ERR_OK && !newest->is_stream)
        return error_set(OC_ERR_REFUSED,
                         "%s: no image is whole, and the newest snapshot is a manifest, which "
                         "needs one: %s",
                         survey->dir, why);
    if (!image && !newest->is_stream)
        return error_set(OC_ERR_REFUSED,
                         "%s: nothing may go: there is no image, and the newest snapshot is a "
                         "manifest, which needs one; while the member runs, take one (outcry "
                         "snapshot take %s)",
                         survey->dir, survey->dir);
    if (image && image->place.log_id != newest->log_id)
        return error_set(OC_ERR_REFUSED,
                         "%s: image %" PRIu64 " is of another log than the newest "
                         "snapshot",
                         survey->dir, image->sequence);
    return OC_ERR_OK;
}

static oc_err_t choose_below(prune_plan_t *self, const member_survey_t *survey)
{
    const recording_descriptor_t *log = &self->recording;
    const int64_t need = prune_need(self);
    const int64_t end = self->log_end;
    if (need > end)
        return error_set(OC_ERR_DAMAGED,
                         "%s: the log ends at position %" PRId64 ", before what needs it (%" PRId64
                         ")",
                         survey->dir, end, need);
    self->below =
        need <= log->start_position ? log->start_position : recording_segment_base(log, need);
    if (self->below < log->start_position)
        self->below = log->start_position;
    return OC_ERR_OK;
}

/* ---- What goes ---- */

static uint64_t device_bytes(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (uint64_t)info.st_blocks * DEVICE_UNIT : 0;
}

static uint64_t recording_bytes(const char *archive, int64_t id)
{
    int64_t *bases;
    size_t count;
    uint64_t bytes = 0;
    if (recording_segments_list(archive, id, &bases, &count) != OC_ERR_OK)
        return 0;
    for (size_t i = 0; i < count; i++) {
        char path[PATH_MAX];
        if (recording_segment_path(archive, id, bases[i], path, sizeof path))
            bytes += device_bytes(path);
    }
    free(bases);
    return bytes;
}

/* Also those that are below the start already: a crash left them. */
static oc_err_t list_segments(prune_plan_t *self, const member_survey_t *survey)
{
    int64_t *bases;
    size_t count;
    const oc_err_t err =
        recording_segments_list(survey->archive, self->recording.id, &bases, &count);
    if (err != OC_ERR_OK || count == 0)
        return err;
    /* The start may lie within its segment, which then stays. */
    const int64_t first = self->below > self->recording.start_position
                              ? self->below
                              : recording_segment_base(&self->recording, self->below);
    self->segments = calloc(count, sizeof *self->segments);
    for (size_t i = 0; self->segments && i < count && bases[i] < first; i++) {
        char path[PATH_MAX];
        const int64_t id = self->recording.id;
        if (recording_segment_path(survey->archive, id, bases[i], path, sizeof path))
            self->segments[self->segment_count++] =
                (prune_item_t){.recording = id, .base = bases[i], .bytes = device_bytes(path)};
    }
    free(bases);
    return self->segments ? OC_ERR_OK : error_set(OC_ERR_NO_MEMORY, "%zu segments", count);
}

/* Whether a valid entry names the recording, or it is listed already. */
static bool is_in_use(const prune_plan_t *self, const recording_log_t *log, int64_t id)
{
    for (size_t i = 0; i < log->count; i++)
        if (log->entries[i].valid && log->entries[i].recording == id)
            return true;
    for (size_t i = 0; i < self->stale_count; i++)
        if (self->stale[i].recording == id)
            return true;
    return false;
}

static oc_err_t list_stale(prune_plan_t *self, const member_survey_t *survey)
{
    const recording_log_t *log = &survey->log;
    self->stale = calloc(log->count + 1, sizeof *self->stale);
    if (!self->stale)
        return error_set(OC_ERR_NO_MEMORY, "%zu snapshots", log->count);
    for (size_t i = 0; i < log->count; i++) {
        const recording_log_entry_t *entry = &log->entries[i];
        recording_descriptor_t descriptor;
        if (!entry->valid && entry->type == RECORDING_LOG_SNAPSHOT &&
            !is_in_use(self, log, entry->recording) &&
            archive_catalog_find(&survey->catalog, entry->recording, &descriptor))
            self->stale[self->stale_count++] =
                (prune_item_t){.recording = entry->recording,
                               .base = -1,
                               .bytes = recording_bytes(survey->archive, entry->recording)};
    }
    return OC_ERR_OK;
}

/* What is needed, and so where the log is to begin. Nothing has to be there to start from where
 * nothing can go. */
static oc_err_t survey_needs(prune_plan_t *self, const member_survey_t *survey, uint32_t keep)
{
    char why[WHY_BYTES];
    member_snapshot_found_t newest = {0};
    const recording_descriptor_t *log = &self->recording;
    self->image_need = member_survey_oldest_image(survey);
    oc_err_t err = survey_snapshots(self, survey, keep, &newest);
    if (err == OC_ERR_OK)
        err = survey_images(survey, &newest);
    if (err != OC_ERR_OK && err != OC_ERR_REFUSED)
        return err;
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    /* Behind the needs: what runs may have made them just now. */
    const oc_err_t end =
        recording_end(survey->archive, log->id, log->start_position, &self->log_end);
    if (end != OC_ERR_OK)
        return end;
    self->below = log->start_position;
    if (err == OC_ERR_OK)
        return choose_below(self, survey);
    return self->log_end < prune_file_end(self) ? OC_ERR_OK : error_set(err, "%s", why);
}

oc_err_t prune_plan_make(prune_plan_t *self, const prune_options_t *options)
{
    OC_ASSERT(options->keep_snapshots > 0);
    *self = (prune_plan_t){.backup_need = options->keep_from};
    member_survey_t survey;
    oc_err_t err = member_survey_init(&survey, options->dir);
    if (err == OC_ERR_OK) {
        self->recording = survey.recording;
        err = survey_needs(self, &survey, options->keep_snapshots);
    }
    if (err == OC_ERR_OK)
        err = list_segments(self, &survey);
    if (err == OC_ERR_OK)
        err = list_stale(self, &survey);
    member_survey_fini(&survey);
    return err;
}

void prune_plan_fini(prune_plan_t *self)
{
    free(self->segments);
    free(self->stale);
    *self = (prune_plan_t){0};
}

uint64_t prune_bytes(const prune_item_t *items, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += items[i].bytes;
    return bytes;
}

/* ---- Doing it ---- */

static oc_err_t remove_segment(const char *archive, int64_t id, int64_t base)
{
    char path[PATH_MAX];
    if (!recording_segment_path(archive, id, base, path, sizeof path))
        return error_set(OC_ERR_OPEN, "the path is too long: %s", archive);
    return unlink(path) == 0 || errno == ENOENT
               ? OC_ERR_OK
               : error_set(OC_ERR_WRITE, "cannot remove %s: %s", path, strerror(errno));
}

static oc_err_t remove_recording(const char *archive, int64_t id)
{
    int64_t *bases;
    size_t count;
    recording_descriptor_t descriptor;
    oc_err_t err = recording_find(archive, id, &descriptor);
    if (err == OC_ERR_OK)
        err = archive_catalog_invalidate(archive, &descriptor);
    if (err == OC_ERR_OK)
        err = recording_segments_list(archive, id, &bases, &count);
    if (err != OC_ERR_OK)
        return err;
    for (size_t i = 0; err == OC_ERR_OK && i < count; i++)
        err = remove_segment(archive, id, bases[i]);
    free(bases);
    return err;
}

oc_err_t prune_files(const prune_plan_t *plan, const char *dir, bool with_stale)
{
    char archive[PATH_MAX];
    const recording_descriptor_t *log = &plan->recording;
    const int n = snprintf(archive, sizeof archive, "%s/archive", dir);
    if (n < 0 || (size_t)n >= sizeof archive)
        return error_set(OC_ERR_OPEN, "the path is too long: %s", dir);
    oc_err_t err = OC_ERR_OK;
    if (plan->below > log->start_position)
        err = archive_catalog_set_start(archive, log, plan->below);
    /* Ascending, so that what a crash leaves is one piece that ends at the start. */
    for (size_t i = 0; err == OC_ERR_OK && i < plan->segment_count; i++)
        err = remove_segment(archive, log->id, plan->segments[i].base);
    for (size_t i = 0; with_stale && err == OC_ERR_OK && i < plan->stale_count; i++)
        err = remove_recording(archive, plan->stale[i].recording);
    const storage_t *device = storage_device();
    return err == OC_ERR_OK ? device->sync_dir(device, archive) : err;
}
