/*
 * Looks over a member's directory. Called by prune and seed, for whom a mistake here costs a
 * member's state: so what is said to be there was read whole.
 *
 * It must not change anything, nor ask the member.
 */
#define _GNU_SOURCE
#include "cluster/member_survey.h"

#include "base/error.h"
#include "cluster/service_snapshot.h"
#include "codec/cluster_service_codec.h"

#include <inttypes.h>
#include <stdio.h>

#define KEEP_ALL 64 /* the most that image_store_open() takes */

enum { WHY_BYTES = 400 }; /* of another error's text, for ours */

oc_err_t member_survey_init(member_survey_t *self, const char *dir)
{
    *self = (member_survey_t){0};
    const int n = snprintf(self->dir, sizeof self->dir, "%s", dir);
    if (n < 0 || (size_t)n >= sizeof self->dir)
        return error_set(OC_ERR_OPEN, "the path is too long: %s", dir);
    (void)snprintf(self->archive, sizeof self->archive, "%s/archive", self->dir);
    (void)snprintf(self->cluster, sizeof self->cluster, "%s/cluster", self->dir);
    oc_err_t err = recording_log_read(&self->log, self->cluster);
    if (err == OC_ERR_OPEN) {
        char why[WHY_BYTES];
        (void)snprintf(why, sizeof why, "%s", oc_err_context());
        return error_set(err, "%s: no member has begun a log there: %s", dir, why);
    }
    if (err == OC_ERR_OK)
        err = archive_catalog_load(&self->catalog, self->archive);
    if (err != OC_ERR_OK)
        return err;
    const int64_t id = recording_log_log(&self->log);
    if (id < 0)
        return error_set(OC_ERR_OPEN, "%s: the member has no log yet", dir);
    if (!archive_catalog_find(&self->catalog, id, &self->recording))
        return error_set(OC_ERR_OPEN, "%s: the log, recording %" PRId64 ", is not in the catalog",
                         dir, id);
    const image_store_config_t config = {
        .dir = self->dir, .storage = storage_device(), .read_only = true, .keep = KEEP_ALL};
    return image_store_open(&self->images, &config);
}

void member_survey_fini(member_survey_t *self)
{
    image_store_close(self->images);
    archive_catalog_fini(&self->catalog);
    recording_log_fini(&self->log);
    *self = (member_survey_t){0};
}

/* ---- Snapshots ---- */

/* Takes a snapshot's messages, one after another. */
typedef oc_err_t (*taker_t)(void *context, const void *bytes, size_t length);

/* Every message of a finished recording, which must be whole. */
static oc_err_t read_recording(const member_survey_t *self, int64_t id, taker_t taker,
                               void *context)
{
    recording_descriptor_t descriptor;
    recording_reader_t *reader;
    if (!archive_catalog_find(&self->catalog, id, &descriptor))
        return error_set(OC_ERR_OPEN,
                         "recording %" PRId64 " of a snapshot is not in the catalog of "
                         "%s",
                         id, self->archive);
    if (descriptor.stop_position < 0)
        return error_set(OC_ERR_DAMAGED, "recording %" PRId64 " of a snapshot in %s has no end", id,
                         self->archive);
    oc_err_t err = recording_reader_open(&reader, self->archive, id, descriptor.start_position);
    if (err != OC_ERR_OK)
        return err;
    bool found = true;
    while (err == OC_ERR_OK && found) {
        recording_message_t message;
        err = recording_reader_next(reader, descriptor.stop_position, &message, &found);
        if (err == OC_ERR_OK && found)
            err = taker(context, message.bytes, message.length);
    }
    if (err == OC_ERR_OK && recording_reader_position(reader) != descriptor.stop_position)
        err = error_set(OC_ERR_DAMAGED, "recording %" PRId64 " of a snapshot in %s is not whole",
                        id, self->archive);
    recording_reader_close(reader);
    return err;
}

/* The module's own snapshot begins and ends with a marker. */
typedef struct marks {
    int64_t log_position;
    uint64_t messages;
    bool begun;
    bool ended; /* by the last message */
} marks_t;

static oc_err_t take_module(void *context, const void *bytes, size_t length)
{
    marks_t *marks = context;
    cluster_snapshot_message_t message;
    const bool is_mark = cluster_snapshot_decode(bytes, length, &message) == OC_PROBLEM_NONE &&
                         message.type == CLUSTER_SNAPSHOT_MARKER &&
                         message.log_position == marks->log_position;
    if (marks->messages++ == 0)
        marks->begun = is_mark && message.mark == CLUSTER_SNAPSHOT_BEGIN;
    marks->ended = is_mark && message.mark == CLUSTER_SNAPSHOT_END;
    return OC_ERR_OK;
}

static oc_err_t take_service(void *context, const void *bytes, size_t length)
{
    return service_snapshot_reader_take(context, bytes, length);
}

static oc_err_t check_module(const member_survey_t *self, const recording_log_entry_t *entry)
{
    marks_t marks = {.log_position = entry->log_position};
    const oc_err_t err = read_recording(self, entry->recording, take_module, &marks);
    if (err == OC_ERR_OK && !(marks.begun && marks.ended))
        return error_set(OC_ERR_DAMAGED,
                         "recording %" PRId64 " in %s is no whole snapshot of a module at position "
                         "%" PRId64,
                         entry->recording, self->archive, entry->log_position);
    return err;
}

static oc_err_t check_service(const member_survey_t *self, member_snapshot_found_t *snapshot)
{
    service_snapshot_reader_t *reader;
    const recording_log_entry_t *entry = &snapshot->service;
    oc_err_t err = service_snapshot_reader_create(&reader, entry->log_position);
    if (err != OC_ERR_OK)
        return err;
    err = read_recording(self, entry->recording, take_service, reader);
    if (err == OC_ERR_OK && !service_snapshot_reader_complete(reader))
        err = error_set(OC_ERR_DAMAGED,
                        "recording %" PRId64 " in %s is no whole snapshot of a service",
                        entry->recording, self->archive);
    if (err == OC_ERR_OK) {
        snapshot->is_stream = service_snapshot_reader_kind(reader) == SERVICE_SNAPSHOT_STREAM;
        snapshot->log_id = service_snapshot_reader_place(reader)->image.log_id;
    }
    service_snapshot_reader_destroy(reader);
    return err;
}

oc_err_t member_survey_snapshot(const member_survey_t *self, size_t n,
                                member_snapshot_found_t *snapshot, bool *found)
{
    const recording_log_entry_t *module;
    const recording_log_entry_t *service;
    *found = recording_log_snapshot(&self->log, n, &module, &service);
    if (!*found)
        return OC_ERR_OK;
    *snapshot = (member_snapshot_found_t){.module = *module, .service = *service};
    const oc_err_t err = check_module(self, module);
    return err == OC_ERR_OK ? check_service(self, snapshot) : err;
}

/* ---- Images ---- */

oc_err_t member_survey_image(const member_survey_t *self, const image_info_t **image)
{
    oc_err_t err = OC_ERR_OK;
    *image = NULL;
    for (size_t n = 0; n < image_store_count(self->images); n++) {
        const image_info_t *info = image_store_at(self->images, n);
        err = image_verify(self->images, info, 0);
        if (err == OC_ERR_OK) {
            *image = info;
            return OC_ERR_OK;
        }
    }
    return err == OC_ERR_OK ? err : OC_ERR_DAMAGED;
}

int64_t member_survey_oldest_image(const member_survey_t *self)
{
    int64_t oldest = INT64_MAX;
    for (size_t n = 0; n < image_store_count(self->images); n++) {
        const uint64_t position = image_store_at(self->images, n)->place.position;
        if (position < (uint64_t)oldest)
            oldest = (int64_t)position;
    }
    return oldest;
}
