/*
 * The past: from what is on the device to a replica that is where it was. Called by the node at its
 * start, by tools on a stopped node, and by proofs on a copy or beside a running node.
 *
 * State and position come from recovery_run() alone: from the newest image that is complete and
 * agrees with the log, and the entries after it; without one from the beginning of the log. It
 * changes nothing on the device.
 *
 * An empty result can only come from a log that is there, begins at its beginning, and has no
 * entry: where images are and no log, where the log's beginning is missing and no image is of use,
 * where an image is of another log or is not where it says, and where the newest image is one that
 * only another build can read, the start is refused. A damaged image is told and passed over; that
 * loses nothing, since the one before needs only more of the log.
 */
#define _GNU_SOURCE
#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "host/node_internal.h"
#include "host/replica_image.h"
#include "snapshot/import_mark.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLAY_SESSIONS_MAX = 65536, CONTEXT_SIZE = 512, HINT_SIZE = 250, BEHIND_NAMED = 4 };

/* ---- Which image ---- */

/* What was of no use and why, for the refusal of a start that would have needed it. */
typedef struct useless {
    char text[360];
    size_t length;
} useless_t;

/* Told at once, each in a line of its own; the refusal names as many as it can hold. */
static void note_useless(useless_t *self, const char *name, const char *why)
{
    (void)fprintf(stderr, "outcry: recovery: %s is of no use: %s\n", name, why);
    const size_t room = sizeof self->text - self->length;
    const int length = snprintf(self->text + self->length, room, "%s%s: %.120s",
                                self->length > 0 ? "; " : "", name, why);
    self->length += length > 0 && (size_t)length < room ? (size_t)length : room - 1;
}

static oc_err_t refuse_image(const image_info_t *info, oc_err_t err, const char *hint)
{
    char name[REPLICA_IMAGE_NAME_SIZE];
    char why[CONTEXT_SIZE];
    replica_image_name(info, name);
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    return error_set(err, "%s and the log do not belong together: %.260s; %s", name, why, hint);
}

static const char put_right[] =
    "put back the files that belong to each other; or, to start without "
    "the images, move the directory " IMAGE_DIR " away";

static oc_err_t check_log(const image_info_t *info, uint64_t log_id)
{
    if (info->place.log_id == log_id)
        return OC_ERR_OK;
    return refuse_image(info,
                        error_set(OC_ERR_DAMAGED,
                                  "the image is of log %016" PRIx64 ", the log is %016" PRIx64,
                                  info->place.log_id, log_id),
                        put_right);
}

/* An image that newer ones are built on may be older than all of the log. */
static oc_err_t check_below(const image_info_t *info, const journal_t *journal)
{
    const uint64_t first = journal_first(journal).value;
    if (info->place.position >= first)
        return OC_ERR_OK;
    return error_set(OC_ERR_DAMAGED, "the log begins behind it, at position %" PRIu64, first);
}

/* The newest image that the replica can be brought to; *chosen is NULL if there is none. */
static oc_err_t choose_image(replica_image_t *target, const journal_t *journal,
                             const image_store_t *images, unsigned threads, useless_t *useless,
                             const image_info_t **chosen)
{
    *chosen = NULL;
    for (size_t n = 0; n < image_store_count(images); n++) {
        const image_info_t *info = image_store_at(images, n);
        oc_err_t err = check_log(info, journal_log_id(journal));
        if (err != OC_ERR_OK)
            return err;
        err = check_below(info, journal);
        if (err == OC_ERR_OK)
            err = replica_image_load(target, images, info, threads);
        if (err == OC_ERR_OK) {
            *chosen = info;
            return OC_ERR_OK;
        }
        if (target->spoiled)
            return replica_image_error(info, err);
        if (err != OC_ERR_DAMAGED && err != OC_ERR_READ && err != OC_ERR_OPEN)
            return err;
        char name[REPLICA_IMAGE_NAME_SIZE];
        replica_image_name(info, name);
        note_useless(useless, name, oc_err_context());
    }
    return replica_image_reset(target);
}

/* A newer image that another build can read is not damaged: to go on from an older one, or none,
 * would be to go back to a build without being told. */
static oc_err_t check_unknown(const image_store_t *images, const image_info_t *chosen)
{
    const uint64_t unknown = image_store_unknown(images);
    if (unknown <= (chosen ? chosen->sequence : 0))
        return OC_ERR_OK;
    return error_set(OC_ERR_FORMAT,
                     "image %" PRIu64 " is of a format version that this build does not read, and "
                     "newer than what it reads: start the build that made it; or, to start without "
                     "that image, move its files in the directory " IMAGE_DIR " away",
                     unknown);
}

static oc_err_t load_image(replica_t *replica, const journal_t *journal,
                           const image_store_t *images, unsigned threads, useless_t *useless,
                           const image_info_t **chosen)
{
    replica_image_t target;
    const char *line;
    for (size_t n = 0; (line = image_store_line(images, n)); n++)
        note_useless(useless, "an image", line);
    if (!replica_has_images(replica)) {
        if (image_store_count(images) > 0)
            note_useless(useless, "every image", "this service cannot be restored from one");
        return OC_ERR_OK;
    }
    if (image_store_count(images) == 0)
        return check_unknown(images, NULL);
    oc_err_t err = replica_image_init(&target, replica);
    if (err != OC_ERR_OK)
        return err;
    err = choose_image(&target, journal, images, threads, useless, chosen);
    replica_image_fini(&target);
    if (err == OC_ERR_OK)
        err = check_unknown(images, *chosen);
    return err;
}

/* Images without a log: the log was lost, and a new one would begin with an empty book. */
static oc_err_t refuse_lost_log(const image_store_t *images)
{
    char name[REPLICA_IMAGE_NAME_SIZE] = "an image";
    if (image_store_count(images) > 0)
        replica_image_name(image_store_at(images, 0), name);
    return error_set(OC_ERR_DAMAGED, "there is no log, but %s of one; %s", name, put_right);
}

/* ---- Recovery ---- */

static oc_err_t replay_all(replica_t *replica, journal_t *journal, const useless_t *useless,
                           journal_verdict_t *verdict)
{
    const uint64_t first = journal_first(journal).value;
    if (first > 0) {
        verdict->kind = JOURNAL_DAMAGED;
        return error_set(OC_ERR_DAMAGED,
                         "the log begins at position %" PRIu64
                         ", and what was before it is in no image that is of use; put the images, "
                         "or the beginning of the log, back from a copy (%s)",
                         first, useless->length > 0 ? useless->text : "there is no image");
    }
    return journal_recover(journal, (log_position_t){0}, replica_read, replica, verdict);
}

/* Images of what a log that was cut has no more: which files are those of each. */
static void tell_behind(const image_store_t *images, uint64_t end, char *hint, size_t size)
{
    size_t behind = 0;
    int length = snprintf(hint, size,
                          "put back what the log has lost; or, to start without that, "
                          "move away from " IMAGE_DIR "/:");
    for (size_t n = 0; n < image_store_count(images); n++) {
        const image_info_t *info = image_store_at(images, n);
        if (info->place.position <= end)
            break; /* the newest come first */
        if (++behind > BEHIND_NAMED)
            continue;
        length +=
            snprintf(hint + length, size - (size_t)length, " %016" PRIx64 ".*", info->sequence);
    }
    if (behind > BEHIND_NAMED)
        (void)snprintf(hint + length, size - (size_t)length,
                       " and %zu more: all above position %" PRIu64, behind - BEHIND_NAMED, end);
}

/* The log does not have the image's position, or another history leads to it. */
static oc_err_t refuse_behind(journal_t *journal, const image_store_t *images,
                              const image_info_t *image, oc_err_t err)
{
    char why[CONTEXT_SIZE];
    char hint[HINT_SIZE];
    journal_verdict_t whole;
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    const oc_err_t whole_err = journal_recover(journal, journal_first(journal), NULL, NULL, &whole);
    const bool behind = whole_err == OC_ERR_OK && image->place.position > whole.end.value;
    if (behind)
        tell_behind(images, whole.end.value, hint, sizeof hint);
    return refuse_image(image, error_set(err, "%s", why), behind ? hint : put_right);
}

static oc_err_t replay_behind(replica_t *replica, journal_t *journal, const image_store_t *images,
                              const image_info_t *image, journal_verdict_t *verdict)
{
    const log_position_t from = {image->place.position};
    const oc_err_t err = journal_recover_at(journal, from, image->place.log_checksum, replica_read,
                                            replica, verdict);
    return err != OC_ERR_OK && verdict->kind == JOURNAL_DAMAGED
               ? refuse_behind(journal, images, image, err)
               : err;
}

/* Of a refusal behind others: what was wrong with the images before is a part of it. */
static oc_err_t refuse_with(const useless_t *useless, oc_err_t err)
{
    char why[CONTEXT_SIZE];
    if (useless->length == 0)
        return err;
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    return error_set(err, "%s; before that: %s", why, useless->text);
}

oc_err_t recovery_run(replica_t *replica, journal_t *journal, const image_store_t *images,
                      unsigned threads, recovery_t *recovery)
{
    const image_info_t *image = NULL;
    useless_t useless = {.text = ""};
    oc_err_t err = OC_ERR_OK;
    OC_ASSERT(replica->entries == 0);
    OC_ASSERT(!replica->outlet);
    *recovery = (recovery_t){0};
    const uint64_t log_id = journal_log_id(journal);
    if (images && (image_store_count(images) > 0 || image_store_line(images, 0))) {
        if (log_id == 0)
            return refuse_lost_log(images);
        err = load_image(replica, journal, images, threads, &useless, &image);
        if (err != OC_ERR_OK)
            return refuse_with(&useless, err);
    }
    if (image)
        err = replay_behind(replica, journal, images, image, &recovery->verdict);
    if (image && err != OC_ERR_OK)
        return refuse_with(&useless, err);
    if (!image)
        err = replay_all(replica, journal, &useless, &recovery->verdict);
    if (err != OC_ERR_OK)
        return err;
    recovery->replayed = recovery->verdict.entries;
    if (image) {
        recovery->image_sequence = image->sequence;
        recovery->image_position = image->place.position;
    }
    OC_ASSERT(replica->entries == (image ? image->place.entries : 0) + recovery->verdict.entries);
    return OC_ERR_OK;
}

oc_err_t recovery_images(image_store_t **images, const char *dir, const storage_t *storage)
{
    const image_store_config_t config = {
        .dir = dir, .storage = storage, .read_only = true, .keep = 1};
    return image_store_open(images, &config);
}

/* ---- What a log was made under ---- */

/* What the log or, where its beginning is gone, an image says. */
typedef struct origin {
    uint32_t max_timers; /* 0: not known */
    uint32_t length;
    uint8_t bytes[LOG_CONFIGURATION_MAX];
    bool found;    /* there is a configuration; otherwise there is no entry at all */
    bool imported; /* the log's first entry says that its beginning is an image */
} origin_t;

/* Keeps what the first entry says, and ends the reading there. */
static oc_err_t take_first(void *context, const journal_entry_t *entry)
{
    origin_t *origin = context;
    log_record_t record;
    if (!log_record_decode(&record, entry->type, entry->payload, entry->length) ||
        (record.type != LOG_CONFIGURATION && record.type != LOG_IMPORT))
        return error_set(OC_ERR_DAMAGED, "the log does not begin with a configuration entry");
    origin->imported = record.type == LOG_IMPORT;
    origin->found = !origin->imported;
    origin->max_timers = record.max_timers;
    origin->length = record.length;
    if (record.length > 0)
        memcpy(origin->bytes, record.bytes, record.length);
    return OC_ERR_CLOSED; /* no error: enough was read */
}

static oc_err_t open_read_only(journal_t **journal, const char *dir, const storage_t *storage)
{
    journal_config_t config;
    journal_config_init(&config);
    config.dir = dir;
    config.storage = storage;
    config.read_only = true;
    return journal_open(journal, &config);
}

static uint32_t default_timers(void)
{
    node_config_t config;
    node_config_init(&config);
    return (uint32_t)config.max_timers;
}

/* The newest image whose configuration can be read. */
static oc_err_t read_image_origin(const char *dir, const storage_t *storage, origin_t *origin)
{
    image_store_t *images;
    oc_err_t err = recovery_images(&images, dir, storage);
    if (err != OC_ERR_OK)
        return err;
    err = error_set(OC_ERR_DAMAGED, "%s: the log's beginning is gone, and there is no image", dir);
    for (size_t n = 0; err != OC_ERR_OK && n < image_store_count(images); n++) {
        size_t length = 0;
        const image_info_t *info = image_store_at(images, n);
        err = image_configuration(images, info, origin->bytes, sizeof origin->bytes, &length);
        origin->length = (uint32_t)length;
        origin->max_timers = replica_image_max_timers(info, default_timers());
    }
    image_store_close(images);
    origin->found = err == OC_ERR_OK;
    return err;
}

static oc_err_t read_origin(const char *dir, const storage_t *storage, origin_t *origin)
{
    journal_t *journal;
    journal_verdict_t verdict;
    *origin = (origin_t){0};
    oc_err_t err = import_mark_check(storage, dir);
    if (err != OC_ERR_OK)
        return err;
    err = open_read_only(&journal, dir, storage);
    if (err != OC_ERR_OK)
        return err;
    const bool whole = journal_first(journal).value == 0;
    if (whole)
        err = journal_recover(journal, (log_position_t){0}, take_first, origin, &verdict);
    if (origin->found || origin->imported)
        err = OC_ERR_OK;
    (void)journal_close(journal);
    return err == OC_ERR_OK && (!whole || origin->imported)
               ? read_image_origin(dir, storage, origin)
               : err;
}

oc_err_t node_log_configuration(const char *dir, void *bytes, size_t size, size_t *length)
{
    *length = 0;
    origin_t origin;
    const oc_err_t err = read_origin(dir, storage_device(), &origin);
    if (err != OC_ERR_OK || !origin.found)
        return err;
    if (origin.length > size)
        return error_set(OC_ERR_TOO_LONG, "the configuration in the log has %u bytes",
                         origin.length);
    memcpy(bytes, origin.bytes, origin.length);
    *length = origin.length;
    return OC_ERR_OK;
}

oc_err_t recovery_max_timers(const char *dir, const storage_t *storage, uint32_t *max_timers)
{
    origin_t origin;
    const oc_err_t err = read_origin(dir, storage, &origin);
    if (err == OC_ERR_OK && origin.max_timers > 0)
        *max_timers = origin.max_timers;
    return err;
}

/* ---- Proofs ---- */

static void fill_report(const replica_t *replica, const recovery_t *recovery, node_report_t *report)
{
    report->verdict = recovery->verdict;
    report->replayed = recovery->replayed;
    report->entries = replica->entries;
    report->position = replica->entry.position;
    report->state_hash = replica_state_hash(replica);
    report->term = recovery->verdict.term;
    report->sessions = replica->sessions.state->count;
    report->image_sequence = recovery->image_sequence;
    report->image_position = recovery->image_position;
}

static oc_err_t replay(const char *dir, replica_t *replica, const image_store_t *images,
                       node_report_t *report)
{
    journal_t *journal;
    recovery_t recovery;
    oc_err_t err = open_read_only(&journal, dir, storage_device());
    if (err != OC_ERR_OK)
        return err;
    err = recovery_run(replica, journal, images, 0, &recovery);
    if (err == OC_ERR_OK)
        fill_report(replica, &recovery, report);
    (void)journal_close(journal);
    return err;
}

oc_err_t node_replay(const char *dir, const oc_service_t *service, node_replay_from_t from,
                     node_report_t *report)
{
    *report = (node_report_t){0};
    const uint64_t start_ns = clock_wall_ns();
    image_store_t *images = NULL;
    uint32_t max_timers = 1;
    oc_err_t err = recovery_max_timers(dir, storage_device(), &max_timers);
    if (err == OC_ERR_OK && from == NODE_REPLAY_IMAGE)
        err = recovery_images(&images, dir, storage_device());
    if (err != OC_ERR_OK)
        return err;
    replica_t replica;
    const replica_config_t config = {
        .max_sessions = REPLAY_SESSIONS_MAX,
        .max_timers = max_timers,
        .message_max = JOURNAL_PAYLOAD_MAX,
    };
    err = replica_init(&replica, service, &config);
    if (err == OC_ERR_OK) {
        err = replay(dir, &replica, images, report);
        replica_fini(&replica);
    }
    image_store_close(images);
    report->recovery_ns = clock_wall_ns() - start_ns;
    return err;
}
