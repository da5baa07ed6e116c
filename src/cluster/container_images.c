/*
 * Images of a member's state, and its part of official snapshots. Called by the duty cycle.
 *
 * Images are this member's own business: they are made of any applied position, whenever one is
 * due, and count when the member's own recording of the log is on the device up to there. An
 * official snapshot is an entry of the log, and the module (and with it every client) waits until
 * it is answered: so the answer says only which state it is, unless the configuration wants the
 * state itself in the archive.
 *
 * Invariant: an official snapshot is always answered; with no recording when it cannot be made,
 * which costs the cluster nothing but that snapshot.
 */
#define _GNU_SOURCE
#include "cluster/container_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- The member's recording of the log, as the sweeper's thread sees it (snapshot_log_t) ---- */

/* Acquire: the recording was stored before the position that was reached in it. */
static uint64_t log_recorded(void *context)
{
    const container_t *self = context;
    return atomic_load_explicit(&self->recorded.position, memory_order_acquire);
}

/* The checksum was known when the image was begun; what is found out here is that the log is on the
 * device. */
static oc_err_t log_checksum(void *context, const image_place_t *place, uint32_t *checksum)
{
    container_t *self = context;
    container_recorded_t *recorded = &self->recorded;
    const int64_t id = atomic_load_explicit(&recorded->recording, memory_order_relaxed);
    recording_descriptor_t descriptor;
    char cluster_dir[PATH_MAX];
    member_config_path(&self->config, "cluster", cluster_dir, sizeof cluster_dir);
    oc_err_t err = recording_find(self->archive_dir, id, &descriptor);
    if (err == OC_ERR_OK)
        err = recording_sync(self->archive_dir, cluster_dir, &descriptor, (int64_t)recorded->synced,
                             (int64_t)place->position);
    if (err != OC_ERR_OK)
        return err;
    recorded->synced = place->position;
    *checksum = place->log_checksum;
    return OC_ERR_OK;
}

static uint64_t log_sync_ns(void *context)
{
    (void)context;
    return 0; /* the archive does not tell */
}

void container_note_recorded(container_t *self)
{
    int64_t recording;
    uint64_t position;
    if (!self->link.recorded(self->link.context, &recording, &position))
        return;
    atomic_store_explicit(&self->recorded.recording, recording, memory_order_relaxed);
    /* Release: who sees the position sees the recording it is of. */
    atomic_store_explicit(&self->recorded.position, position, memory_order_release);
}

/* ---- The keeper ---- */

static void keeper_place(void *context, image_place_t *place)
{
    log_applier_place(&((const container_t *)context)->log, place);
}

/* Not of a state that has no entry, and not while the log is passed over up to where it is. */
static bool keeper_may_begin(void *context)
{
    const container_t *self = context;
    return self->log.log_id != 0 && self->log.position >= self->log.skip_until && !self->low_space;
}

static const char *role_name(oc_role_t role)
{
    return role == OC_HOST_ACTIVE ? "leader" : role == OC_HOST_FOLLOWER ? "follower" : "recovering";
}

static image_keeper_reply_t keeper_request(void *context, uint32_t connection, const char *request,
                                           char answer[CONTROL_LINE_MAX])
{
    const container_t *self = context;
    container_report_t report;
    (void)connection;
    if (strcmp(request, "state") != 0)
        return IMAGE_KEEPER_UNKNOWN;
    container_report(self, &report);
    (void)snprintf(answer, CONTROL_LINE_MAX,
                   "member=%" PRId32 " role=%s recovered=%d term=%" PRId64 " position=%" PRIu64
                   " entries=%" PRIu64 " sessions=%" PRIu32 "\n"
                   "state_hash=%016" PRIx64 " output_hash=%016" PRIx64 " agreed_position=%" PRIu64
                   " comparisons=%" PRIu64 "\n"
                   "image=%" PRIu64 " image_position=%" PRIu64 " load_ns=%" PRIu64
                   " replayed=%" PRIu64 " replay_ns=%" PRIu64 "\n"
                   "snapshots=%" PRIu64 " snapshot_ns=%" PRIu64 " snapshot_write_ns=%" PRIu64
                   " egress=%" PRIu64 " egress_slow=%" PRIu64 " egress_dropped=%" PRIu64 "\nok",
                   report.member, role_name(report.role), report.recovered, report.leadership_term,
                   report.position, report.entries, report.sessions, report.state_hash,
                   report.output_hash, report.agreed_position, report.comparisons,
                   report.image_sequence, report.image_position, report.load_ns, report.replayed,
                   report.replay_ns, report.snapshots, report.snapshot_ns, report.snapshot_write_ns,
                   report.egress.messages, report.egress.slow, report.egress.dropped);
    return IMAGE_KEEPER_ANSWERED;
}

static void fill_keeper(container_t *self, const char *dir, image_keeper_config_t *config)
{
    const node_config_t *node = &self->config.node;
    *config = (image_keeper_config_t){
        .dir = dir,
        .storage = storage_device(),
        .replica = &self->replica,
        .log = {self, log_recorded, log_checksum, log_sync_ns},
        .every_log_bytes = node->snapshot_every_log_bytes,
        .every_s = node->snapshot_every_s,
        .pool_percent = node->snapshot_pool_percent,
        .keep = (uint32_t)node->snapshot_keep,
        .chain_max = (uint32_t)node->snapshot_chain,
        .block_bytes = (uint32_t)node->snapshot_block_bytes,
        .bytes_per_s_max = node->snapshot_bytes_per_s_max,
        .reserve_bytes = self->config.low_space_bytes,
        .stepped = node->snapshot_sweeper == NODE_SWEEPER_CORE,
        .cpu = node->snapshot_cpu,
    };
}

/* Several members may share a terminal. */
static void tell(void *context, const char *line)
{
    const container_t *self = context;
    (void)fprintf(stderr, "outcry: member %" PRIu64 ": %s\n", self->config.id, line);
}

static void fill_host(container_t *self, image_keeper_host_t *host)
{
    *host = (image_keeper_host_t){
        .context = self,
        .name = "member",
        .place = keeper_place,
        .may_begin = keeper_may_begin,
        .request = keeper_request,
        .requests = "state",
        .tell = tell,
    };
}

oc_err_t container_images_create(container_t *self)
{
    image_keeper_config_t config;
    image_keeper_host_t host;
    fill_keeper(self, self->config.node.dir, &config);
    fill_host(self, &host);
    return image_keeper_create(&self->keeper, &config, &host);
}

oc_err_t container_images_start(container_t *self)
{
    const image_keeper_from_t from = {
        .sequence = self->image_sequence,
        .position = self->image_position,
        .entries = self->image_entries,
        .monotonic_ns = self->monotonic_ns,
    };
    return image_keeper_start(self->keeper, &from);
}

int container_images_do_work(container_t *self)
{
    const bool ending = self->phase != CONTAINER_RUNNING;
    return image_keeper_do_work(self->keeper, self->monotonic_ns, self->log.position, ending);
}

/* ---- Official snapshots ---- */

static oc_err_t snapshot_put(void *context, const void *bytes, size_t length)
{
    container_t *self = context;
    return self->link.snapshot_put(self->link.context, bytes, length);
}

static void fill_place(const container_t *self, service_snapshot_place_t *place)
{
    *place = (service_snapshot_place_t){
        .output_hash = replica_output_hash(&self->replica),
        .leadership_term = self->log.leadership_term,
        .app_version = self->log.app_version,
    };
    log_applier_place(&self->log, &place->image);
}

static oc_err_t record_snapshot(container_t *self, int64_t *recording)
{
    service_snapshot_place_t place;
    const service_snapshot_kind_t kind = self->config.snapshot == MEMBER_SNAPSHOT_ARCHIVE
                                             ? SERVICE_SNAPSHOT_STREAM
                                             : SERVICE_SNAPSHOT_MANIFEST;
    const uint64_t start_ns = clock_wall_ns();
    fill_place(self, &place);
    oc_err_t err = self->link.snapshot_begin(self->link.context);
    if (err != OC_ERR_OK)
        return err;
    err = service_snapshot_write(&self->replica, kind, &place, snapshot_put, self);
    if (err != OC_ERR_OK) {
        self->link.snapshot_abandon(self->link.context);
        return err;
    }
    self->snapshot_write_ns = clock_wall_ns() - start_ns;
    return self->link.snapshot_end(self->link.context, recording);
}

void container_answer_snapshot(container_t *self)
{
    int64_t recording = CLUSTER_NULL_VALUE;
    const uint64_t start_ns = clock_wall_ns();
    OC_ASSERT(self->snapshot_due);
    self->snapshot_due = false;
    if (self->log.position < self->log.skip_until) {
        /* The state is a later one already: that snapshot cannot be made any more. */
        container_ack(self, self->log.position, CLUSTER_NULL_VALUE);
        return;
    }
    const oc_err_t err = record_snapshot(self, &recording);
    if (err != OC_ERR_OK) {
        (void)fprintf(stderr,
                      "outcry: member %" PRIu64 ": no snapshot at position %" PRIu64 ": %s: %s\n",
                      self->config.id, self->log.position, oc_err_text(err), oc_err_context());
        recording = CLUSTER_NULL_VALUE;
    } else {
        self->snapshots++;
        self->snapshot_ns = clock_wall_ns() - start_ns;
    }
    container_ack(self, self->log.position, recording);
    printf("member %" PRIu64 ": snapshot: position %" PRIu64 ", recording %" PRId64 ", %.3f ms\n",
           self->config.id, self->log.position, recording,
           (double)(clock_wall_ns() - start_ns) / 1e6);
    (void)fflush(stdout);
}

/* ---- The state of a member that has diverged ---- */

/* Nobody starts from it, so it needs no log behind it: the archive of a leader is gone by now, and
 * what it had not recorded it never will. */
static uint64_t no_log_durable(void *context)
{
    (void)context;
    return UINT64_MAX;
}

static oc_err_t no_log_checksum(void *context, const image_place_t *place, uint32_t *checksum)
{
    (void)context;
    *checksum = place->log_checksum;
    return OC_ERR_OK;
}

/* For as long as the device takes to write it; who wants the member's end gets it. */
static oc_err_t wait_for_image(container_t *self, image_keeper_t *keeper)
{
    snapshot_status_t status;
    do {
        const struct timespec pause = {.tv_nsec = 1000000};
        (void)self->link.do_work(self->link.context); /* the driver must not take it for dead */
        (void)image_keeper_do_work(keeper, (int64_t)clock_wall_ns(), self->log.position, true);
        image_keeper_status(keeper, &status);
        (void)nanosleep(&pause, NULL);
    } while (status.running && !process_end_requested());
    if (status.running)
        return error_set(OC_ERR_CLOSED, "the member was told to end meanwhile");
    return status.err == OC_ERR_OK ? OC_ERR_OK : error_set(status.err, "%s", status.line);
}

static oc_err_t keep_diverged(container_t *self)
{
    char dir[sizeof self->archive_dir];
    image_keeper_config_t config;
    image_keeper_host_t host;
    image_keeper_t *keeper;
    if (!replica_has_images(&self->replica))
        return error_set(OC_ERR_NOT_CONNECTED, "its service has nothing that images are made of");
    if (self->log.log_id == 0)
        return error_set(OC_ERR_NOT_CONNECTED, "it has taken no entry of the log yet");
    image_keeper_destroy(self->keeper); /* one capture of the arenas at a time */
    self->keeper = NULL;
    member_config_path(&self->config, "diverged-image", dir, sizeof dir);
    if (mkdir(dir, 0755) != 0 && errno != EEXIST)
        return error_set(OC_ERR_OPEN, "%s: %s", dir, strerror(errno));
    fill_keeper(self, dir, &config);
    config.log = (snapshot_log_t){self, no_log_durable, no_log_checksum, log_sync_ns};
    config.bytes_per_s_max = 0; /* nobody trades here any more */
    fill_host(self, &host);
    oc_err_t err = image_keeper_create(&keeper, &config, &host);
    if (err != OC_ERR_OK)
        return err;
    const image_keeper_from_t from = {.monotonic_ns = self->monotonic_ns};
    err = image_keeper_start(keeper, &from);
    if (err == OC_ERR_OK)
        err = image_keeper_begin(keeper, true);
    if (err == OC_ERR_OK)
        err = wait_for_image(self, keeper);
    image_keeper_destroy(keeper);
    return err;
}

void container_keep_diverged(container_t *self)
{
    self->diverged = false;
    if (keep_diverged(self) != OC_ERR_OK)
        (void)fprintf(
            stderr, "outcry: member %" PRIu64 ": the state of this member could not be kept: %s\n",
            self->config.id, oc_err_context());
    else
        (void)fprintf(stderr,
                      "outcry: member %" PRIu64
                      ": the state of this member is kept in %s/diverged-image\n",
                      self->config.id, self->config.node.dir);
}
