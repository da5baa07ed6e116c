/*
 * Seeds a wiped member. Called by `outcry cluster seed`.
 *
 * The source may run meanwhile. Why what is copied fits together:
 *   1. recording.log names a snapshot only when both of its recordings are finished; they never
 *      change again. It is read first, then the catalog, which has them by then.
 *   2. An image is listed only when its files are finished and the source's own log is durable up
 *      to it. Files of images and segments of the log only ever vanish (retention, prune), and then
 *      the copy fails and is made again; it never gets a mix.
 *   3. The end of the log is taken after both, so the log reaches the snapshot and the image. It is
 *      what the archive says it has recorded; where that cannot be asked, it is where the frames
 *      ended at a moment that lies a while back when they are copied, because a frame's header can
 *      be seen before its bytes. What is written behind the end is not copied.
 *   4. recording.log for the target is made last, of the source's entries as they are then: all
 *      leadership terms that began at or before the end of the copied log. A term that began behind
 *      it must not be known to the target: it would count as more up to date than it is. One that
 *      ended behind it is open again.
 *   5. All is made in TARGET.seed and renamed at the end, when it is on the device and was read
 *      whole: a seed that was killed is no member, and is removed by the next one.
 *
 * What is one member's own is not copied: mark files, node-state.dat (what it voted for), locks,
 * sockets, configuration. Recordings keep their ids.
 */
#define _GNU_SOURCE
#include "cluster/seed.h"

#include "base/error.h"
#include "base/remove_tree.h"
#include "cluster/archive_catalog.h"
#include "cluster/container.h"
#include "cluster/log_reader.h"
#include "cluster/member_survey.h"
#include "cluster/recording_log.h"
#include "cluster/recording_segments.h"
#include "cluster/seed_copy.h"
#include "host/node_config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MARK_FILE "seed-unfinished" /* what has it may be removed */

#define PATH_ROOM (PATH_MAX + 64)

enum { FRESH_S = 10, KEPT_MAX = 3 };

typedef struct seed {
    const seed_options_t *options;
    seed_result_t *result;
    char work[PATH_MAX]; /* TARGET.seed */
    bool has_configuration;
    bool made; /* `work` is ours */
    member_survey_t survey;
    bool has_snapshot;
    member_snapshot_found_t snapshot;
    const image_info_t *image; /* NULL: none */
    int64_t end;               /* of the log */
    archive_catalog_kept_t kept[KEPT_MAX];
    size_t kept_count;
    seed_copied_t copied;
} seed_t;

static oc_err_t make_dir(const char *path)
{
    return mkdir(path, 0755) == 0 ? OC_ERR_OK
                                  : error_set(OC_ERR_WRITE, "%s: %s", path, strerror(errno));
}

static oc_err_t sync_dir(const char *path)
{
    return storage_device()->sync_dir(storage_device(), path);
}

/* ---- The target ---- */

/* A wiped member's directory: absent, empty, or with its configuration. */
static oc_err_t check_target(seed_t *self)
{
    const char *to = self->options->to;
    DIR *dir = opendir(to);
    if (!dir)
        return errno == ENOENT ? OC_ERR_OK
                               : error_set(OC_ERR_REFUSED, "%s: %s", to, strerror(errno));
    oc_err_t err = OC_ERR_OK;
    const struct dirent *entry;
    while (err == OC_ERR_OK && (entry = readdir(dir)) != NULL) {
        if (!strcmp(entry->d_name, NODE_CONFIG_NAME))
            self->has_configuration = true;
        else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            err = error_set(OC_ERR_REFUSED,
                            "%s: it is not empty, there is %s: only a wiped member is seeded; move "
                            "what is there away, but for " NODE_CONFIG_NAME,
                            to, entry->d_name);
    }
    (void)closedir(dir);
    return err;
}

/* What a killed seed left is removed; what is anybody else's is not. */
static oc_err_t make_work(seed_t *self)
{
    char mark[PATH_ROOM];
    char part[PATH_ROOM];
    struct stat info;
    size_t length = strlen(self->options->to);
    while (length > 1 && self->options->to[length - 1] == '/')
        length--;
    const int n =
        snprintf(self->work, sizeof self->work, "%.*s" SEED_SUFFIX, (int)length, self->options->to);
    if (n < 0 || (size_t)n >= sizeof self->work)
        return error_set(OC_ERR_REFUSED, "the path is too long: %s", self->options->to);
    (void)snprintf(mark, sizeof mark, "%s/" MARK_FILE, self->work);
    if (stat(self->work, &info) == 0 && stat(mark, &info) != 0)
        return error_set(OC_ERR_REFUSED, "%s: it is there, and no seed made it: move it away",
                         self->work);
    oc_err_t err = remove_tree(self->work);
    if (err == OC_ERR_OK)
        err = make_dir(self->work);
    self->made = err == OC_ERR_OK;
    if (err == OC_ERR_OK)
        err = seed_copy_bytes("", 0, mark);
    static const char *const parts[] = {"archive", "cluster", IMAGE_DIR};
    for (size_t i = 0; err == OC_ERR_OK && i < sizeof parts / sizeof parts[0]; i++) {
        (void)snprintf(part, sizeof part, "%s/%s", self->work, parts[i]);
        err = make_dir(part);
    }
    return err;
}

/* ---- The source ---- */

/* Its state is not that of the others, whatever its log is. */
static oc_err_t check_source(const seed_t *self)
{
    char mark[PATH_ROOM];
    (void)snprintf(mark, sizeof mark, "%s/" CONTAINER_DIVERGED_MARK, self->options->from);
    if (access(mark, F_OK) != 0)
        return OC_ERR_OK;
    return error_set(OC_ERR_REFUSED, "%s is there: that member has diverged; seed from another one",
                     mark);
}

/* ---- What is needed ---- */

static oc_err_t choose(seed_t *self)
{
    const member_survey_t *survey = &self->survey;
    oc_err_t err = member_survey_snapshot(survey, 0, &self->snapshot, &self->has_snapshot);
    if (err == OC_ERR_OK)
        err = member_survey_image(survey, &self->image);
    if (err != OC_ERR_OK)
        return err;
    if (self->image && self->has_snapshot && self->image->place.log_id != self->snapshot.log_id)
        return error_set(OC_ERR_DAMAGED,
                         "%s: image %" PRIu64 " is of another log than the snapshot", survey->dir,
                         self->image->sequence);
    self->result->snapshot_position = self->has_snapshot ? self->snapshot.module.log_position : -1;
    self->result->image_position = self->image ? (int64_t)self->image->place.position : -1;
    return OC_ERR_OK;
}

/* From where on the log is needed: the module replays it from its snapshot, the service from the
 * image, or from the snapshot if the state is in that. */
static oc_err_t choose_start(seed_t *self)
{
    int64_t need = self->has_snapshot ? self->snapshot.module.log_position : 0;
    const bool has_state = self->has_snapshot && self->snapshot.is_stream;
    if (!self->image && !has_state)
        need = 0;
    if (self->image && self->result->image_position < need)
        need = self->result->image_position;
    const recording_descriptor_t *log = &self->survey.recording;
    if (need < log->start_position)
        return error_set(OC_ERR_REFUSED,
                         "%s: its log begins at position %" PRId64 ", it is needed from %" PRId64
                         ": take a snapshot and an image there first",
                         self->survey.dir, log->start_position, need);
    self->result->log_start = recording_segment_base(log, need);
    if (self->result->log_start < log->start_position)
        self->result->log_start = log->start_position;
    return OC_ERR_OK;
}

/* ---- Copies ---- */

static oc_err_t copy_image_file(seed_t *self, uint64_t sequence, const char *ending)
{
    char from[PATH_ROOM];
    char to[PATH_ROOM];
    (void)snprintf(from, sizeof from, "%s/" IMAGE_DIR "/%016" PRIx64 "%s", self->survey.dir,
                   sequence, ending);
    (void)snprintf(to, sizeof to, "%s/" IMAGE_DIR "/%016" PRIx64 "%s", self->work, sequence,
                   ending);
    return seed_copy_file(from, to, SEED_COPY_ALL, 0, &self->copied);
}

/* The image, and all that it is built on. */
static oc_err_t copy_images(seed_t *self)
{
    oc_err_t err = OC_ERR_OK;
    const image_info_t *info = self->image;
    while (err == OC_ERR_OK && info) {
        err = copy_image_file(self, info->sequence, ".pages");
        if (err == OC_ERR_OK)
            err = copy_image_file(self, info->sequence, ".manifest");
        info = info->base != 0 ? image_store_find(self->survey.images, info->base) : NULL;
    }
    return err;
}

static oc_err_t copy_segment(seed_t *self, const recording_descriptor_t *recording, int64_t base,
                             int64_t end)
{
    char from[PATH_ROOM];
    char to[PATH_ROOM];
    char archive[PATH_ROOM];
    (void)snprintf(archive, sizeof archive, "%s/archive", self->work);
    if (!recording_segment_path(self->survey.archive, recording->id, base, from, sizeof from) ||
        !recording_segment_path(archive, recording->id, base, to, sizeof to))
        return error_set(OC_ERR_OPEN, "the path is too long: %s", self->work);
    const int64_t whole = recording->segment_bytes;
    return seed_copy_file(from, to, end - base < whole ? end - base : whole, whole, &self->copied);
}

/* [start, end) of a recording, and what the new catalog says of it. */
static oc_err_t copy_recording(seed_t *self, int64_t id, int64_t start, int64_t end)
{
    recording_descriptor_t recording;
    if (!archive_catalog_find(&self->survey.catalog, id, &recording))
        return error_set(OC_ERR_OPEN, "recording %" PRId64 " is not in the catalog of %s", id,
                         self->survey.archive);
    self->kept[self->kept_count++] =
        (archive_catalog_kept_t){.id = id, .start_position = start, .stop_position = end};
    oc_err_t err = OC_ERR_OK;
    int64_t base = recording_segment_base(&recording, start);
    for (; err == OC_ERR_OK && base < end; base += recording.segment_bytes)
        err = copy_segment(self, &recording, base, end);
    return err;
}

static oc_err_t copy_snapshot(seed_t *self)
{
    const int64_t ids[] = {self->snapshot.service.recording, self->snapshot.module.recording};
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; self->has_snapshot && err == OC_ERR_OK && i < 2; i++) {
        recording_descriptor_t recording;
        err = recording_find(self->survey.archive, ids[i], &recording);
        if (err == OC_ERR_OK)
            err = copy_recording(self, ids[i], recording.start_position, recording.stop_position);
    }
    return err;
}

/* ---- The log ---- */

static void rest(int64_t ns)
{
    struct timespec left = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

/* Whether the segment that holds `position` was written to a moment ago, as its device counts. */
static bool is_fresh(const seed_t *self, int64_t position)
{
    char path[PATH_ROOM];
    struct stat info;
    const recording_descriptor_t *log = &self->survey.recording;
    return recording_segment_path(self->survey.archive, log->id,
                                  recording_segment_base(log, position), path, sizeof path) &&
           stat(path, &info) == 0 && time(NULL) - info.st_mtime < FRESH_S;
}

static oc_err_t find_end(seed_t *self)
{
    const seed_options_t *options = self->options;
    const int64_t id = self->survey.recording.id;
    recording_descriptor_t now;
    oc_err_t err = recording_find(self->survey.archive, id, &now);
    if (err != OC_ERR_OK)
        return err;
    if (now.start_position > self->result->log_start)
        return error_set(OC_ERR_TRUNCATED, "%s: it was pruned meanwhile; try again",
                         self->survey.dir);
    if (options->recorded && now.stop_position < 0)
        return options->recorded(options->context, id, &self->end)
                   ? OC_ERR_OK
                   : error_set(OC_ERR_NOT_CONNECTED,
                               "%s: the archive does not say how far it has recorded; try again",
                               self->survey.dir);
    err = recording_end(self->survey.archive, id, now.start_position, &self->end);
    if (err == OC_ERR_OK && !options->recorded && is_fresh(self, self->end))
        rest(options->settle_ns);
    return err;
}

static oc_err_t copy_log(seed_t *self)
{
    const int64_t reached[] = {self->result->snapshot_position, self->result->image_position};
    oc_err_t err = find_end(self);
    for (size_t i = 0; err == OC_ERR_OK && i < 2; i++)
        if (self->end < reached[i])
            err =
                error_set(OC_ERR_DAMAGED,
                          "%s: its log ends at position %" PRId64 ", before its snapshot or image "
                          "at %" PRId64,
                          self->survey.dir, self->end, reached[i]);
    if (err == OC_ERR_OK)
        err = copy_recording(self, self->survey.recording.id, self->result->log_start, self->end);
    self->result->log_end = self->end;
    return err;
}

/* ---- recording.log and catalog ---- */

/* Whether the target is to know of an entry; `entry` is changed to what it is to know. */
static bool is_for_target(const seed_t *self, recording_log_entry_t *entry)
{
    if (!entry->valid)
        return false;
    if (entry->type == RECORDING_LOG_TERM) {
        if (entry->log_position > self->end)
            entry->log_position = -1;
        return entry->term_base <= self->end;
    }
    return entry->type == RECORDING_LOG_SNAPSHOT && self->has_snapshot &&
           (entry->recording == self->snapshot.module.recording ||
            entry->recording == self->snapshot.service.recording);
}

static oc_err_t write_recording_log(seed_t *self)
{
    recording_log_t log;
    char path[PATH_ROOM];
    uint8_t *entries = NULL;
    size_t length = 0;
    oc_err_t err = recording_log_read(&log, self->survey.cluster);
    if (err == OC_ERR_OK) {
        entries = calloc(log.count + 1, RECORDING_LOG_ENTRY_BYTES);
        if (!entries)
            err = error_set(OC_ERR_NO_MEMORY, "%zu entries", log.count);
    }
    for (size_t i = 0; err == OC_ERR_OK && i < log.count; i++) {
        recording_log_entry_t entry = log.entries[i];
        if (!is_for_target(self, &entry))
            continue;
        recording_log_encode(&entry, entries + length);
        length += RECORDING_LOG_ENTRY_BYTES;
        if (entry.type == RECORDING_LOG_TERM && entry.term > self->result->log_term)
            self->result->log_term = entry.term;
    }
    (void)snprintf(path, sizeof path, "%s/cluster/" RECORDING_LOG_FILE, self->work);
    if (err == OC_ERR_OK)
        err = seed_copy_bytes(entries, length, path);
    free(entries);
    recording_log_fini(&log);
    return err;
}

static oc_err_t write_catalog(seed_t *self)
{
    char archive[PATH_ROOM];
    (void)snprintf(archive, sizeof archive, "%s/archive", self->work);
    return archive_catalog_write(&self->survey.catalog, archive, self->kept, self->kept_count);
}

/* ---- The end ---- */

/* Reads all of the copy as a start would. */
static oc_err_t check_copy(const seed_t *self)
{
    member_survey_t copy;
    member_snapshot_found_t snapshot;
    bool found = false;
    const image_info_t *image = NULL;
    int64_t end = -1;
    oc_err_t err = member_survey_init(&copy, self->work);
    if (err == OC_ERR_OK)
        err = member_survey_snapshot(&copy, 0, &snapshot, &found);
    if (err == OC_ERR_OK)
        err = member_survey_image(&copy, &image);
    recording_reader_t *reader = NULL;
    if (err == OC_ERR_OK)
        err = recording_reader_open(&reader, copy.archive, copy.recording.id,
                                    self->result->log_start);
    for (bool more = true; err == OC_ERR_OK && more;) {
        recording_message_t message;
        err = log_reader_next(reader, INT64_MAX, &message, &more);
    }
    recording_reader_close(reader);
    if (err == OC_ERR_OK)
        err = recording_end(copy.archive, copy.recording.id, self->result->log_start, &end);
    if (err == OC_ERR_OK &&
        (found != self->has_snapshot || !image != !self->image || end != self->end))
        err = error_set(OC_ERR_DAMAGED, "%s: the copy is not what was copied", self->work);
    member_survey_fini(&copy);
    return err;
}

static oc_err_t sync_work(const seed_t *self)
{
    static const char *const parts[] = {"archive", "cluster", IMAGE_DIR, "."};
    char path[PATH_ROOM];
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; err == OC_ERR_OK && i < sizeof parts / sizeof parts[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", self->work, parts[i]);
        err = sync_dir(path);
    }
    return err;
}

static oc_err_t sync_parent(const seed_t *self)
{
    char path[PATH_ROOM];
    (void)snprintf(path, sizeof path, "%s", self->work);
    char *slash = strrchr(path, '/');
    if (!slash)
        return sync_dir(".");
    slash[slash == path] = '\0';
    return sync_dir(path);
}

static oc_err_t rename_failed(const seed_t *self)
{
    return error_set(OC_ERR_WRITE,
                     "cannot rename %s to %s: %s; it must be a directory on the same "
                     "file system, and no mount point",
                     self->work, self->options->to, strerror(errno));
}

/* Takes the place of the target at once. The configuration is copied first, so the old directory is
 * exchanged for the new one, and then removed. */
static oc_err_t take_place(seed_t *self)
{
    char mark[PATH_ROOM];
    char from[PATH_ROOM];
    char to[PATH_ROOM];
    const char *target = self->options->to;
    oc_err_t err = OC_ERR_OK;
    (void)snprintf(from, sizeof from, "%s/" NODE_CONFIG_NAME, target);
    (void)snprintf(to, sizeof to, "%s/" NODE_CONFIG_NAME, self->work);
    if (self->has_configuration)
        err = seed_copy_file(from, to, SEED_COPY_ALL, 0, &self->copied);
    if (err == OC_ERR_OK)
        err = sync_work(self);
    if (err != OC_ERR_OK)
        return err;
    const unsigned flags = self->has_configuration ? RENAME_EXCHANGE : 0;
    if (renameat2(AT_FDCWD, self->work, AT_FDCWD, target, flags) != 0)
        return rename_failed(self);
    /* From here on it is the member's; what is left of `work` is the old directory, if any. */
    (void)snprintf(mark, sizeof mark, "%s/" MARK_FILE, target);
    if (unlink(mark) != 0)
        err = error_set(OC_ERR_WRITE, "cannot remove %s: %s", mark, strerror(errno));
    self->made = false;
    if (self->has_configuration) {
        (void)unlink(to);
        (void)rmdir(self->work);
    }
    return err == OC_ERR_OK ? sync_parent(self) : err;
}

static oc_err_t copy_all(seed_t *self)
{
    oc_err_t err = copy_images(self);
    if (err == OC_ERR_OK)
        err = copy_snapshot(self);
    if (err == OC_ERR_OK)
        err = copy_log(self);
    if (err == OC_ERR_OK)
        err = write_recording_log(self);
    if (err == OC_ERR_OK)
        err = write_catalog(self);
    return err == OC_ERR_OK ? check_copy(self) : err;
}

oc_err_t seed_member(const seed_options_t *options, seed_result_t *result)
{
    *result = (seed_result_t){.snapshot_position = -1, .image_position = -1, .log_term = -1};
    seed_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "a seed");
    self->options = options;
    self->result = result;
    oc_err_t err = check_target(self);
    if (err == OC_ERR_OK)
        err = check_source(self);
    if (err == OC_ERR_OK)
        err = member_survey_init(&self->survey, options->from);
    if (err == OC_ERR_OK)
        err = choose(self);
    if (err == OC_ERR_OK)
        err = choose_start(self);
    if (err == OC_ERR_OK)
        err = make_work(self);
    if (err == OC_ERR_OK)
        err = copy_all(self);
    if (err == OC_ERR_OK)
        err = take_place(self);
    if (self->made) {
        char why[1024];
        (void)snprintf(why, sizeof why, "%s", oc_err_context());
        if (remove_tree(self->work) != OC_ERR_OK)
            (void)error_set(err, "%s", why);
    }
    member_survey_fini(&self->survey);
    result->files = self->copied.files;
    result->bytes = self->copied.bytes;
    free(self);
    return err;
}
