/*
 * Where a member's state comes from at its start. Called by container.c before the module is looked
 * for, so that an image is loaded while the JVM starts, and by the duty cycle once it is found.
 *
 *     image at Q   newest that fits the member's own recording of the log
 *     P            where the module is going to begin its replay
 *
 *     Q <= P: the recording is applied from Q to P, the module is told nothing of it
 *     Q >  P: what the module replays up to Q is passed over, and checked by its checksum
 *     none:   the state in the module's snapshot, or the log from its beginning
 *
 * Invariants: the state behind the first ack is that of the log up to P, or a later one of the same
 * log; never an empty one because something was missing. Nothing is told to the module before the
 * ack, for what the service says is in the module's own snapshot.
 */
#define _GNU_SOURCE
#include "cluster/container_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "cluster/member_check.h"
#include "cluster/private_replay.h"
#include "host/replica_image.h"
#include "snapshot/image.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

/* ---- Alive meanwhile ---- */

#define ALIVE_INTERVAL_NS 10000000L

/* To load a state takes as long as it takes, and after ten seconds of silence the driver takes a
 * client for dead: so the link is lent to a thread that does nothing but to step it. */
typedef struct alive {
    module_link_t *link;
    pthread_t thread;
    atomic_bool end; /* orders nothing; the thread is joined */
    bool runs;
} alive_t;

static void *be_alive(void *context)
{
    const struct timespec pause = {.tv_nsec = ALIVE_INTERVAL_NS};
    alive_t *self = context;
    while (!atomic_load_explicit(&self->end, memory_order_relaxed)) {
        (void)self->link->do_work(self->link->context);
        (void)nanosleep(&pause, NULL);
    }
    return NULL;
}

/* Without the thread only a state that takes long to load cannot be loaded. */
static void alive_begin(alive_t *self, container_t *container)
{
    sigset_t all;
    sigset_t before;
    self->link = &container->link;
    atomic_init(&self->end, false);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    self->runs = pthread_create(&self->thread, NULL, be_alive, self) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void alive_end(alive_t *self)
{
    atomic_store_explicit(&self->end, true, memory_order_relaxed);
    if (self->runs)
        (void)pthread_join(self->thread, NULL);
}

/* ---- The member's own recording of the log ---- */

#define JOINED_LOOK_NS INT64_C(1000000000)

/* Once in a member's life, within a second from when the module has listed its log, or from when
 * the device has room for it. */
void container_note_joined(container_t *self)
{
    if (self->joined_noted || self->monotonic_ns < self->joined_look_ns)
        return;
    self->joined_look_ns = self->monotonic_ns + JOINED_LOOK_NS;
    if (member_check_note_joined(&self->config, &self->joined_noted) == OC_ERR_OK ||
        self->joined_told)
        return;
    (void)fprintf(stderr,
                  "outcry: it is not noted yet that this member has a log, and tried again each "
                  "second: %s\n",
                  oc_err_context());
    self->joined_told = true;
}

static int64_t log_recording(const container_t *self)
{
    return atomic_load_explicit(&self->recorded.recording, memory_order_relaxed);
}

/* ---- Images ---- */

static const char way_out[] =
    "start it as it was; to carry the state over, end the cluster so with [cluster] snapshot = "
    "archive (outcry cluster shutdown), then move " IMAGE_DIR " away on all members";

static void tell_useless(const container_t *self, const image_info_t *info)
{
    char name[REPLICA_IMAGE_NAME_SIZE];
    replica_image_name(info, name);
    (void)fprintf(stderr, "outcry: member %" PRIu64 ": %s is of no use: %s\n", self->config.id,
                  name, oc_err_context());
}

/* An error of another configuration names the image itself. */
static oc_err_t image_failed(const image_info_t *info, oc_err_t err)
{
    return err == OC_ERR_INVALID_CONFIG ? err : replica_image_error(info, err);
}

static oc_err_t check_within(const container_t *self, const image_info_t *info)
{
    OC_ASSERT(info->place.position <= self->log_end);
    if (info->place.position >= self->log_begin)
        return OC_ERR_OK;
    return error_set(OC_ERR_DAMAGED,
                     "the member's recording of the log begins behind it, at %" PRIu64,
                     self->log_begin);
}

/* What is wrong with one image is told, and an older one does as well: the log has the rest. */
static oc_err_t load_newest(container_t *self, const image_store_t *images, replica_image_t *target)
{
    for (size_t n = 0; n < image_store_count(images); n++) {
        const image_info_t *info = image_store_at(images, n);
        oc_err_t err = check_within(self, info);
        if (err == OC_ERR_OK)
            err = replica_image_load(target, images, info,
                                     (unsigned)self->config.node.restore_threads);
        if (err == OC_ERR_OK) {
            log_applier_restored(&self->log, &info->place);
            self->image_sequence = info->sequence;
            self->image_position = info->place.position;
            self->image_entries = info->place.entries;
            return OC_ERR_OK;
        }
        if (target->spoiled || (err != OC_ERR_DAMAGED && err != OC_ERR_READ && err != OC_ERR_OPEN))
            return image_failed(info, err);
        tell_useless(self, info);
    }
    return replica_image_reset(target);
}

static oc_err_t load_from(container_t *self, const image_store_t *images)
{
    replica_image_t target;
    const char *line;
    for (size_t n = 0; (line = image_store_line(images, n)); n++)
        (void)fprintf(stderr, "outcry: member %" PRIu64 ": an image is of no use: %s\n",
                      self->config.id, line);
    if (image_store_count(images) == 0 || !replica_has_images(&self->replica))
        return OC_ERR_OK;
    oc_err_t err = container_check_images(&self->config, images, (int64_t)self->log_end);
    if (err == OC_ERR_OK)
        err = replica_image_init(&target, &self->replica);
    if (err != OC_ERR_OK)
        return err;
    target.way_out = way_out;
    err = load_newest(self, images, &target);
    replica_image_fini(&target);
    return err;
}

static oc_err_t load_image(container_t *self)
{
    const uint64_t start_ns = clock_wall_ns();
    container_log_t log;
    image_store_t *images;
    oc_err_t err = container_find_log(&self->config, &log);
    if (err != OC_ERR_OK)
        return err;
    self->log_begin = (uint64_t)log.begin;
    self->log_end = (uint64_t)log.end;
    atomic_store_explicit(&self->recorded.recording, log.recording, memory_order_relaxed);
    atomic_store_explicit(&self->recorded.position, self->log_end, memory_order_release);
    err = container_open_images(&self->config, &images);
    if (err != OC_ERR_OK)
        return err;
    err = load_from(self, images);
    image_store_close(images);
    self->load_ns = clock_wall_ns() - start_ns;
    return err == OC_ERR_OK ? container_check_replayed(self, &log) : err;
}

oc_err_t container_load_image(container_t *self)
{
    alive_t alive;
    alive_begin(&alive, self);
    const oc_err_t err = load_image(self);
    alive_end(&alive);
    return err;
}

/* ---- The module's snapshot ---- */

static oc_err_t take_messages(recording_reader_t *reader, service_snapshot_reader_t *snapshot)
{
    while (!service_snapshot_reader_complete(snapshot)) {
        recording_message_t message;
        bool found;
        oc_err_t err = recording_reader_next(reader, INT64_MAX, &message, &found);
        if (err != OC_ERR_OK)
            return err;
        if (!found)
            return service_snapshot_reader_end(snapshot);
        err = service_snapshot_reader_take(snapshot, message.bytes, message.length);
        if (err != OC_ERR_OK)
            return err;
    }
    return OC_ERR_OK;
}

/* On success the caller owns *snapshot. */
static oc_err_t read_snapshot(const container_t *self, service_snapshot_reader_t **snapshot)
{
    char why[400];
    recording_reader_t *reader;
    const int64_t recording = self->recovery.snapshot;
    oc_err_t err = recording_reader_open(&reader, self->archive_dir, recording, 0);
    if (err != OC_ERR_OK)
        return err;
    err = service_snapshot_reader_create(snapshot, self->recovery.position);
    if (err == OC_ERR_OK) {
        err = take_messages(reader, *snapshot);
        if (err != OC_ERR_OK)
            service_snapshot_reader_destroy(*snapshot);
    }
    recording_reader_close(reader);
    if (err == OC_ERR_OK)
        return OC_ERR_OK;
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    return error_set(err, "the service's snapshot, recording %" PRId64 " in %s: %s", recording,
                     self->archive_dir, why);
}

/* ---- Bringing both together ---- */

static oc_err_t replay_to(container_t *self, uint64_t position)
{
    const uint64_t start_ns = clock_wall_ns();
    const private_replay_t replay = {
        .archive_dir = self->archive_dir,
        .recording = log_recording(self),
        .position = position,
    };
    if (self->log.position == position)
        return OC_ERR_OK;
    if (replay.recording < 0)
        return error_set(OC_ERR_DAMAGED,
                         "%s has a snapshot of position %" PRIu64 ", and no recording of the log "
                         "before it",
                         self->config.node.dir, position);
    const oc_err_t err = private_replay_run(&replay, &self->log, &self->replayed);
    self->replay_ns = clock_wall_ns() - start_ns;
    return err;
}

/* The log must lead to exactly the state that was there when the snapshot was taken. */
static oc_err_t check_place(const container_t *self, const service_snapshot_reader_t *snapshot)
{
    const service_snapshot_place_t *place = service_snapshot_reader_place(snapshot);
    const bool whole =
        self->log_begin == 0 || service_snapshot_reader_kind(snapshot) == SERVICE_SNAPSHOT_STREAM;
    const char *without_images =
        whole ? "move " IMAGE_DIR " away, so that the log alone counts, or " : "";
    image_place_t own;
    log_applier_place(&self->log, &own);
    if (own.log_id != place->image.log_id)
        return error_set(OC_ERR_DAMAGED,
                         "the state is of the log %016" PRIx64 ", the snapshot of %016" PRIx64
                         ": images or recordings of another cluster?",
                         own.log_id, place->image.log_id);
    if (own.log_checksum == place->image.log_checksum && own.state_hash == place->image.state_hash)
        return OC_ERR_OK;
    const char *cause = own.log_checksum != place->image.log_checksum
                            ? "it is another log than the snapshot's"
                            : "what the start went on from is bad, or the service does not do the "
                              "same twice";
    return error_set(
        OC_ERR_DAMAGED,
        "at position %" PRIu64 " the log leads to state %016" PRIx64 " (log checksum %08" PRIx32
        "), and the snapshot says %016" PRIx64 " (%08" PRIx32
        "): %s; outcry cluster diff with another member's directory "
        "names what differs (an exchange's); to go on, %sseed the member anew (outcry cluster "
        "seed)",
        own.position, own.state_hash, own.log_checksum, place->image.state_hash,
        place->image.log_checksum, cause, without_images);
}

static oc_err_t check_configuration(const container_t *self,
                                    const service_snapshot_reader_t *snapshot)
{
    size_t length;
    const void *bytes = service_snapshot_reader_configuration(snapshot, &length);
    log_record_t record;
    replica_configuration(&self->replica, &record);
    record.max_timers = service_snapshot_reader_max_timers(snapshot);
    record.bytes = bytes;
    record.length = (uint32_t)length;
    return replica_check_configuration(&self->replica, &record, "the service's snapshot");
}

/* No image: the state in the snapshot, or all of the log. */
static oc_err_t restore_without_image(container_t *self, const service_snapshot_reader_t *snapshot)
{
    const service_snapshot_place_t *place = service_snapshot_reader_place(snapshot);
    recording_descriptor_t descriptor;
    if (service_snapshot_reader_kind(snapshot) == SERVICE_SNAPSHOT_STREAM) {
        const oc_err_t err = service_snapshot_reader_restore(snapshot, &self->replica);
        if (err == OC_ERR_OK)
            log_applier_restored(&self->log, &place->image);
        return err;
    }
    if (log_recording(self) >= 0 &&
        recording_find(self->archive_dir, log_recording(self), &descriptor) == OC_ERR_OK &&
        descriptor.start_position > 0)
        return error_set(OC_ERR_DAMAGED,
                         "%s has no image of use, and its recording of the log begins at position "
                         "%" PRId64 ": seed it from another member (outcry cluster seed), or "
                         "restore a backup that has the log from its beginning, or a snapshot "
                         "taken with [cluster] snapshot = archive",
                         self->config.node.dir, descriptor.start_position);
    return replay_to(self, place->image.position);
}

/* A state as a stream knows no tables: it may go into others. All members have them from then on,
 * and what the log has behind the snapshot is applied under them; an image is of them already. */
static bool carries_over(const container_t *self, const service_snapshot_reader_t *snapshot)
{
    if (service_snapshot_reader_kind(snapshot) != SERVICE_SNAPSHOT_STREAM)
        return false;
    if (self->image_sequence == 0)
        (void)fprintf(stderr, "outcry: the state is carried over: %s\n", oc_err_context());
    return true;
}

static oc_err_t meet_snapshot(container_t *self, const service_snapshot_reader_t *snapshot)
{
    const service_snapshot_place_t *place = service_snapshot_reader_place(snapshot);
    const uint64_t position = (uint64_t)self->recovery.position;
    oc_err_t err = check_configuration(self, snapshot);
    if (err != OC_ERR_OK && !carries_over(self, snapshot))
        return err;
    if (self->log.position > position) {
        if (self->log.log_id != place->image.log_id)
            return error_set(OC_ERR_DAMAGED, "image %" PRIu64 " is of another cluster's log",
                             self->image_sequence);
        log_applier_skip(&self->log, position, place->image.log_checksum);
        return OC_ERR_OK;
    }
    err = self->image_sequence != 0 ? replay_to(self, position)
                                    : restore_without_image(self, snapshot);
    if (err == OC_ERR_OK)
        err = check_place(self, snapshot);
    self->log.app_version = place->app_version;
    return err;
}

/* Images of another cluster would be found by their checksum only once the log is replayed: the
 * log's id, which its first entry gives, is not known before. */
static oc_err_t meet_beginning(container_t *self)
{
    if (self->recovery.position != 0)
        return error_set(OC_ERR_DAMAGED,
                         "the module begins at position %" PRId64 " without a snapshot",
                         self->recovery.position);
    if (self->log.position > 0)
        log_applier_skip(&self->log, 0, 0);
    return OC_ERR_OK;
}

static void tell_recovered(const container_t *self)
{
    printf("member %" PRIu64 ": recovered: position %" PRIu64 ", image %" PRIu64
           " at position %" PRIu64 " in %.1f ms, replayed %" PRIu64 " entries in %.1f ms\n",
           self->config.id, self->log.position, self->image_sequence, self->image_position,
           (double)self->load_ns / 1e6, self->replayed, (double)self->replay_ns / 1e6);
    (void)fflush(stdout);
}

static oc_err_t bring_together(container_t *self)
{
    const module_recovery_t *recovery = &self->recovery;
    service_snapshot_reader_t *snapshot;
    if (recovery->leadership_term == CLUSTER_NULL_VALUE || recovery->snapshot < 0)
        return meet_beginning(self);
    oc_err_t err = read_snapshot(self, &snapshot);
    if (err == OC_ERR_OK) {
        err = meet_snapshot(self, snapshot);
        service_snapshot_reader_destroy(snapshot);
    }
    return err;
}

oc_err_t container_recover(container_t *self)
{
    const module_recovery_t *recovery = &self->recovery;
    alive_t alive;
    alive_begin(&alive, self);
    const oc_err_t err = bring_together(self);
    alive_end(&alive);
    if (err != OC_ERR_OK)
        return err;
    self->log.timestamp = recovery->timestamp;
    OC_ASSERT(self->log.position == (uint64_t)recovery->position);
    container_ack(self, self->log.position, self->link.client_id(self->link.context));
    container_ask_closes(self);
    self->armed_ns =
        CONTAINER_UNARMED; /* what is in the module's snapshot may be another deadline */
    tell_recovered(self);
    return OC_ERR_OK;
}
