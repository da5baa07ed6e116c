/*
 * A member's directory, and how a state of its past is reached. Called by tools.
 *
 * Invariants: nothing is written and no lock is taken; a state is that of an image, or that of the
 * log behind one, never a mixture of two members. It must not judge: that two states differ is for
 * the caller to say.
 */
#define _GNU_SOURCE
#include "cluster/member_past.h"

#include "base/assert.h"
#include "base/error.h"
#include "cluster/log_reader.h"
#include "cluster/private_replay.h"
#include "cluster/recording.h"
#include "cluster/recording_log.h"
#include "host/control.h"
#include "host/replica_image.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define DIVERGED_MARK "diverged"
#define DIVERGED_DIR  "diverged-image"
#define ASK_NS        INT64_C(5000000000)
#define TIME_INTERVAL INT64_C(1000000) /* decides only when a member asks for entries of time */

/* ---- What there is ---- */

static oc_err_t path_of(const member_past_t *self, const char *name,
                        char path[MEMBER_PAST_PATH_MAX])
{
    const int length = snprintf(path, MEMBER_PAST_PATH_MAX, "%s/%s", self->dir, name);
    if (length >= 0 && length < MEMBER_PAST_PATH_MAX)
        return OC_ERR_OK;
    return error_set(OC_ERR_TOO_LONG, "the name of the directory is too long");
}

static oc_err_t open_images(const char *dir, image_store_t **store)
{
    const image_store_config_t config = {
        .dir = dir, .storage = storage_device(), .read_only = true, .keep = 1};
    return image_store_open(store, &config);
}

static size_t count_images(const image_store_t *store)
{
    return store ? image_store_count(store) : 0;
}

static oc_err_t open_stores(member_past_t *self)
{
    char dir[MEMBER_PAST_PATH_MAX];
    struct stat status;
    oc_err_t err = open_images(self->dir, &self->images);
    if (err == OC_ERR_OK)
        err = path_of(self, DIVERGED_MARK, dir);
    self->marked = err == OC_ERR_OK && stat(dir, &status) == 0;
    if (err == OC_ERR_OK)
        err = path_of(self, DIVERGED_DIR, dir);
    if (err != OC_ERR_OK || (stat(dir, &status) != 0 && errno == ENOENT))
        return err;
    return open_images(dir, &self->diverged);
}

/* How far a running member has applied its log; false: none runs that would say so. */
static bool ask_applied(const char *dir, uint64_t *position)
{
    char answer[CONTROL_LINE_MAX * 2];
    if (control_request(dir, "status", answer, sizeof answer, ASK_NS) != OC_ERR_OK)
        return false;
    const char *at = strstr(answer, " applied=");
    return at && sscanf(at, " applied=%" SCNu64, position) == 1;
}

static oc_err_t measure_log(member_past_t *self)
{
    recording_descriptor_t descriptor;
    int64_t end;
    uint64_t applied;
    oc_err_t err = recording_find(self->archive_dir, self->recording, &descriptor);
    if (err == OC_ERR_OK)
        err = recording_end(self->archive_dir, self->recording, descriptor.start_position, &end);
    if (err != OC_ERR_OK)
        return err;
    OC_ASSERT(end >= descriptor.start_position);
    self->log_start = (uint64_t)descriptor.start_position;
    self->log_end = (uint64_t)end;
    if (ask_applied(self->dir, &applied) && applied < self->log_end)
        self->log_end = applied > self->log_start ? applied : self->log_start;
    return OC_ERR_OK;
}

/* A copy may be without the log. */
static oc_err_t find_log(member_past_t *self)
{
    char cluster_dir[MEMBER_PAST_PATH_MAX];
    recording_log_t log;
    self->recording = -1;
    oc_err_t err = path_of(self, "archive", self->archive_dir);
    if (err == OC_ERR_OK)
        err = path_of(self, "cluster", cluster_dir);
    if (err != OC_ERR_OK)
        return err;
    err = recording_log_read(&log, cluster_dir);
    if (err == OC_ERR_OK)
        self->recording = recording_log_log(&log);
    recording_log_fini(&log);
    if (err == OC_ERR_OPEN || (err == OC_ERR_OK && self->recording < 0))
        return OC_ERR_OK;
    return err == OC_ERR_OK ? measure_log(self) : err;
}

oc_err_t member_past_open(member_past_t *self, const char *dir)
{
    struct stat status;
    *self = (member_past_t){.recording = -1};
    const int length = snprintf(self->dir, sizeof self->dir, "%s", dir);
    if (length < 0 || (size_t)length >= sizeof self->dir)
        return error_set(OC_ERR_TOO_LONG, "the name of the directory is too long");
    if (stat(dir, &status) != 0)
        return error_set(OC_ERR_OPEN, "%s: %s", dir, strerror(errno));
    oc_err_t err = open_stores(self);
    if (err == OC_ERR_OK)
        err = find_log(self);
    if (err == OC_ERR_OK && self->recording < 0 && count_images(self->images) == 0 &&
        count_images(self->diverged) == 0)
        err = error_set(OC_ERR_OPEN,
                        "%s: there is no image and no recording of a log: is it a member's "
                        "directory?",
                        dir);
    return err;
}

void member_past_close(member_past_t *self)
{
    image_store_close(self->images);
    image_store_close(self->diverged);
    self->images = NULL;
    self->diverged = NULL;
}

/* ---- What can be reached ---- */

bool member_past_diverged(const member_past_t *self, uint64_t *position)
{
    if (count_images(self->diverged) == 0)
        return false;
    *position = image_store_at(self->diverged, 0)->place.position;
    return true;
}

static bool leads_to(const member_past_t *self, uint64_t from, uint64_t position)
{
    if (from == position)
        return true;
    return from < position && self->recording >= 0 && self->log_start <= from &&
           position <= self->log_end;
}

static bool find_base(const member_past_t *self, const image_store_t *store, uint64_t position,
                      member_past_base_t *base)
{
    for (size_t n = 0; n < count_images(store); n++) { /* the newest first */
        const image_info_t *image = image_store_at(store, n);
        if (!leads_to(self, image->place.position, position))
            continue;
        *base = (member_past_base_t){store, image, store == self->diverged};
        return true;
    }
    return false;
}

bool member_past_base(const member_past_t *self, uint64_t position, member_past_base_t *base)
{
    *base = (member_past_base_t){0};
    return find_base(self, self->diverged, position, base) ||
           find_base(self, self->images, position, base) ||
           (position > 0 && leads_to(self, 0, position));
}

static void try_position(const member_past_t *a, const member_past_t *b, uint64_t position,
                         uint64_t *best)
{
    member_past_base_t base;
    if (position > *best && member_past_base(a, position, &base) &&
        member_past_base(b, position, &base))
        *best = position;
}

static void try_images(const member_past_t *a, const member_past_t *b, const image_store_t *store,
                       uint64_t *best)
{
    for (size_t n = 0; n < count_images(store); n++)
        try_position(a, b, image_store_at(store, n)->place.position, best);
}

bool member_past_common(const member_past_t *a, const member_past_t *b, uint64_t *position)
{
    const member_past_t *const sides[2] = {a, b};
    *position = 0;
    for (int i = 0; i < 2; i++) {
        try_position(a, b, sides[i]->log_end, position);
        try_images(a, b, sides[i]->images, position);
        try_images(a, b, sides[i]->diverged, position);
    }
    return *position > 0;
}

/* ---- Getting there ---- */

bool member_past_is_kept(const member_past_base_t *base, uint64_t position)
{
    return base->diverged && base->image->place.position == position;
}

static oc_err_t load_image(const member_past_base_t *base, const member_past_target_t *to,
                           replica_t *replica)
{
    replica_image_t target;
    oc_err_t err = replica_image_init(&target, replica);
    if (err != OC_ERR_OK)
        return err;
    target.any_hash = member_past_is_kept(base, to->position);
    err = replica_image_load(&target, base->store, base->image, to->threads);
    replica_image_fini(&target);
    /* Of another configuration it names the image itself. */
    return err == OC_ERR_OK || err == OC_ERR_INVALID_CONFIG ? err
                                                            : replica_image_error(base->image, err);
}

/* As far as there are entries. */
static oc_err_t apply_up_to(const member_past_t *self, uint64_t limit, log_applier_t *applier)
{
    recording_reader_t *reader;
    log_read_t message;
    bool found = true;
    oc_err_t err = recording_reader_open(&reader, self->archive_dir, self->recording,
                                         (int64_t)applier->position);
    if (err != OC_ERR_OK)
        return err;
    while (err == OC_ERR_OK && found) {
        err = log_reader_next_entry(reader, (int64_t)limit, &message, &found);
        if (err == OC_ERR_OK && found)
            err = log_applier_take_read(applier, &message);
    }
    recording_reader_close(reader);
    return err;
}

static oc_err_t replay_to(const member_past_t *self, uint64_t position, log_applier_t *applier)
{
    uint64_t entries;
    const private_replay_t replay = {
        .archive_dir = self->archive_dir, .recording = self->recording, .position = position};
    return private_replay_run(&replay, applier, &entries);
}

oc_err_t member_past_bring(const member_past_t *self, const member_past_base_t *base,
                           const member_past_target_t *target, replica_t *replica,
                           log_applier_t *applier)
{
    log_applier_init(applier, replica, target->cluster_id, TIME_INTERVAL);
    if (base->image) {
        const oc_err_t err = load_image(base, target, replica);
        if (err != OC_ERR_OK)
            return err;
        log_applier_restored(applier, &base->image->place);
    }
    OC_ASSERT(applier->position <= target->position);
    if (applier->position == target->position)
        return OC_ERR_OK;
    OC_ASSERT(self->recording >= 0);
    return target->exact ? replay_to(self, target->position, applier)
                         : apply_up_to(self, target->position, applier);
}
