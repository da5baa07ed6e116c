/*
 * Images of a running node: when one is begun, of what, and whom that is told. Called by the duty
 * cycle, between entries, and at start and end of a node.
 *
 * A snapshot is begun after so much of the log, after so long, or when it is asked for over the
 * control socket; one at a time. One that came to nothing is tried again at the next threshold,
 * not at once: what kept it from becoming an image (a full disk, a pool used up) is seldom gone by
 * then.
 *
 * Invariants: to begin is constant time when the state lies in arenas: nothing is allocated, and
 * nothing asked of the system but the time. (A service without arenas writes its state then, into
 * memory, and the node stands still for that.) Whatever becomes of a snapshot, trading goes on: an
 * error here is a line, and an answer to who asked.
 */
#define _GNU_SOURCE
#include "host/node_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECOND_NS INT64_C(1000000000)

/* When the control socket is looked at last: surely due, and nobody's patience is over. */
#define LAST_LOOK_NS INT64_C(100000000)

/* ---- The log, as the sweeper's thread sees it (snapshot_log_t) ---- */

static uint64_t log_durable(void *context)
{
    return journal_durable(((const node_t *)context)->journal).value;
}

static oc_err_t log_checksum(void *context, const image_place_t *place, uint32_t *checksum)
{
    node_t *self = context;
    node_snapshots_t *snapshots = &self->snapshots;
    const journal_place_t at = {.position = {place->position}, .group = {place->group}};
    const oc_err_t err =
        journal_checksum_at(&snapshots->log, place->log_id, &at, snapshots->log_synced, checksum);
    if (err == OC_ERR_OK)
        snapshots->log_synced = at.position;
    return err;
}

static uint64_t log_sync_ns(void *context)
{
    return journal_sync_ns(((const node_t *)context)->journal);
}

/* ---- Beginning ---- */

/* Only what the core knows: the checksum of the log is found out behind it. */
static void fill_request(node_t *self, snapshot_request_t *request)
{
    journal_place_t place;
    log_record_t configuration;
    journal_place(self->journal, &place);
    replica_configuration(&self->replica, &configuration);
    request->place.log_id = journal_log_id(self->journal);
    request->place.position = place.position.value;
    request->place.group = place.group.value;
    replica_place(&self->replica, &request->place);
    request->configuration = configuration.bytes;
    request->configuration_length = configuration.length;
    OC_ASSERT(request->place.position >= self->position);
}

/* Thresholds count from here, also if nothing comes of it. */
static void note_begun(node_t *self)
{
    node_snapshots_t *snapshots = &self->snapshots;
    snapshots->begun_position = self->position;
    snapshots->begun_entries = self->replica.entries;
    snapshots->begun_ns = self->monotonic_ns;
}

static oc_err_t begin(node_t *self, bool full)
{
    node_snapshots_t *snapshots = &self->snapshots;
    snapshot_request_t request = {.full = full};
    OC_ASSERT(!self->replica.applying);
    const uint64_t start_ns = clock_wall_ns();
    note_begun(self);
    if (snapshots->streamed) {
        const oc_err_t err =
            replica_capture(&self->replica, &request.stream, &request.stream_length);
        if (err != OC_ERR_OK)
            return err;
    }
    fill_request(self, &request);
    if (snapshot_begin(snapshots->agent, &request) != SNAPSHOT_STARTED)
        return error_set(OC_ERR_BACK_PRESSURE, "a snapshot is running");
    snapshots->running = true;
    snapshots->pause_ns = clock_wall_ns() - start_ns;
    return OC_ERR_OK;
}

/* An image takes space from the log, which needs it more; unless it lets go of the log's. */
static bool has_space(const node_t *self)
{
    return self->condition == JOURNAL_FINE || self->config.retain == NODE_RETAIN_IMAGES;
}

static bool is_due(const node_t *self)
{
    const node_snapshots_t *snapshots = &self->snapshots;
    const node_config_t *config = &self->config;
    if (self->replica.entries == snapshots->complete_entries || !has_space(self))
        return false;
    if (config->snapshot_every_log_bytes > 0 &&
        self->position - snapshots->begun_position >= config->snapshot_every_log_bytes)
        return true;
    return config->snapshot_every_s > 0 && self->monotonic_ns - snapshots->begun_ns >=
                                               (int64_t)config->snapshot_every_s * SECOND_NS;
}

static void answer_error(node_t *self, uint32_t connection, const char *why)
{
    char answer[CONTROL_LINE_MAX];
    (void)snprintf(answer, sizeof answer, "error: %.900s", why);
    control_answer(self->snapshots.control, connection, answer);
}

static void begin_asked(node_t *self)
{
    node_snapshots_t *snapshots = &self->snapshots;
    snapshots->asked = false;
    if (begin(self, snapshots->asked_full) != OC_ERR_OK) {
        answer_error(self, snapshots->asked_by, oc_err_context());
        return;
    }
    snapshots->answer_due = true;
    snapshots->answer_to = snapshots->asked_by;
}

static void begin_due(node_t *self)
{
    if (begin(self, false) != OC_ERR_OK)
        (void)fprintf(stderr, "outcry: no snapshot at position %" PRIu64 ": %s\n", self->position,
                      oc_err_context());
}

/* ---- What became of it ---- */

/* Lets the journal remove what no image needs. */
static void release_log(node_t *self, const snapshot_status_t *status)
{
    if (self->config.retain == NODE_RETAIN_IMAGES && status->oldest != UINT64_MAX)
        journal_release(self->journal, (log_position_t){status->oldest});
}

static void answer_ended(node_t *self, const snapshot_status_t *status)
{
    const node_snapshots_t *snapshots = &self->snapshots;
    char answer[CONTROL_LINE_MAX];
    (void)snprintf(answer, sizeof answer,
                   "sequence=%" PRIu64 " position=%" PRIu64 " begin_ns=%" PRIu64
                   " pause_ns=%" PRIu64 " sweep_ns=%" PRIu64 " commit_ns=%" PRIu64 " pages=%" PRIu64
                   " pages_owner=%" PRIu64 " bytes=%" PRIu64 "\nok",
                   status->sequence, status->position, status->begin_ns, snapshots->pause_ns,
                   status->sweep_ns, status->commit_ns, status->pages, status->pages_owner,
                   status->bytes);
    control_answer(snapshots->control, snapshots->answer_to, answer);
}

/* The agent has told the line already. */
static void note_end(node_t *self)
{
    node_snapshots_t *snapshots = &self->snapshots;
    snapshot_status_t status;
    snapshot_status(snapshots->agent, &status);
    if (status.running)
        return;
    snapshots->running = false;
    if (status.err == OC_ERR_OK) {
        snapshots->complete_entries = snapshots->begun_entries;
        release_log(self, &status);
    }
    if (!snapshots->answer_due)
        return;
    snapshots->answer_due = false;
    if (status.err == OC_ERR_OK)
        answer_ended(self, &status);
    else
        answer_error(self, snapshots->answer_to, status.line);
}

/* ---- What is asked over the control socket ---- */

static bool refuse(char answer[CONTROL_LINE_MAX], const char *why)
{
    (void)snprintf(answer, CONTROL_LINE_MAX, "error: %s", why);
    return true;
}

/* Begun at once, or when the one that runs has ended. */
static bool ask_snapshot(node_t *self, uint32_t connection, bool full,
                         char answer[CONTROL_LINE_MAX])
{
    node_snapshots_t *snapshots = &self->snapshots;
    if (!snapshots->agent)
        return refuse(answer, "no images are made in this run; the start has told why");
    if (self->stopping)
        return refuse(answer, "the node ends");
    if (snapshots->asked)
        return refuse(answer,
                      "one snapshot runs, and another request waits for its end; try again");
    snapshots->asked = true;
    snapshots->asked_full = full;
    snapshots->asked_by = connection;
    return false;
}

static bool tell_status(const node_t *self, char answer[CONTROL_LINE_MAX])
{
    snapshot_status_t s = {.oldest = UINT64_MAX};
    if (self->snapshots.agent)
        snapshot_status(self->snapshots.agent, &s);
    (void)snprintf(
        answer, CONTROL_LINE_MAX,
        "enabled=%d started_from=%" PRIu64 " running=%d begun=%" PRIu64 " completed=%" PRIu64
        " abandoned=%" PRIu64 " failed=%" PRIu64 " refused=%" PRIu64 " folds=%" PRIu64
        " oldest=%" PRIu64 " newest=%" PRIu64 " applied=%" PRIu64 "\n"
        "sequence=%" PRIu64 " position=%" PRIu64 " begin_ns=%" PRIu64 " pause_ns=%" PRIu64
        " sweep_ns=%" PRIu64 " commit_ns=%" PRIu64 " pages=%" PRIu64 " pages_owner=%" PRIu64
        " bytes=%" PRIu64 "\nlast: %.400s\nok",
        self->snapshots.agent != NULL, self->image_sequence, s.running, s.begun, s.completed,
        s.abandoned, s.failed, s.refused, s.folds, s.oldest == UINT64_MAX ? 0 : s.oldest, s.newest,
        self->position, s.sequence, s.position, s.begin_ns, self->snapshots.pause_ns, s.sweep_ns,
        s.commit_ns, s.pages, s.pages_owner, s.bytes, s.line[0] ? s.line : "none");
    return true;
}

static bool on_request(void *context, uint32_t connection, const char *request,
                       char answer[CONTROL_LINE_MAX])
{
    node_t *self = context;
    if (!strcmp(request, "snapshot"))
        return ask_snapshot(self, connection, false, answer);
    if (!strcmp(request, "snapshot full"))
        return ask_snapshot(self, connection, true, answer);
    if (!strcmp(request, "status"))
        return tell_status(self, answer);
    return refuse(answer, "not known; requests are: snapshot, snapshot full, status");
}

/* ---- Life ---- */

static size_t pool_pages(const node_config_t *config, oc_arena_t *const *arenas, size_t count)
{
    uint64_t pages = 0;
    for (size_t i = 0; i < count; i++)
        pages += arenas[i]->size >> OC_ARENA_PAGE_SHIFT;
    return (size_t)(pages * config->snapshot_pool_percent / 100) + 1;
}

static oc_err_t start_agent(node_t *self)
{
    const node_config_t *config = &self->config;
    oc_arena_t *arenas[REPLICA_ARENAS_MAX];
    const size_t count = replica_arenas(&self->replica, arenas);
    const snapshot_config_t agent = {
        .dir = config->dir,
        .storage = self->snapshots.log.storage,
        .arenas = arenas,
        .arena_count = count,
        .stream = self->snapshots.streamed,
        .log = {self, log_durable, log_checksum, log_sync_ns},
        .pool_pages = pool_pages(config, arenas, count),
        .keep = (uint32_t)config->snapshot_keep,
        .chain_max = (uint32_t)config->snapshot_chain,
        .block_bytes = (uint32_t)config->snapshot_block_bytes,
        .bytes_per_s_max = config->snapshot_bytes_per_s_max,
        /* Above what the journal calls low, with the segment it prepares and one more. */
        .reserve_bytes = config->low_space_bytes + 2 * config->segment_bytes,
        .stepped = config->snapshot_sweeper == NODE_SWEEPER_CORE,
        .cpu = config->snapshot_cpu,
    };
    const oc_err_t err = snapshot_create(&self->snapshots.agent, &agent, self->image_sequence);
    /* What is wrong with the configuration or the machine's size can be put right before trading
     * begins; the rest is no reason not to trade. */
    if (err == OC_ERR_OK || err == OC_ERR_NO_MEMORY || err == OC_ERR_INVALID_CONFIG)
        return err;
    (void)fprintf(stderr, "outcry: no images are made in this run: %s\n", oc_err_context());
    return OC_ERR_OK;
}

static void start_control(node_t *self)
{
    /* A directory on a test's device is none that a socket could lie in. */
    if (self->snapshots.log.storage != storage_device())
        return;
    const oc_err_t err =
        control_create(&self->snapshots.control, self->config.dir, on_request, self);
    if (err != OC_ERR_OK)
        (void)fprintf(stderr, "outcry: snapshots cannot be asked for: %s\n", oc_err_context());
}

oc_err_t node_snapshot_start(node_t *self)
{
    node_snapshots_t *snapshots = &self->snapshots;
    OC_ASSERT(self->replica.entries > 0);
    OC_ASSERT(!snapshots->agent);
    OC_ASSERT(self->position >= self->image_position);
    node_journal_config(&self->config, &snapshots->log);
    snapshots->log_synced = self->verdict.end; /* by journal_start() */
    snapshots->streamed = replica_is_streamed(&self->replica);
    snapshots->begun_position = self->image_position;
    snapshots->begun_ns = self->monotonic_ns;
    if (self->image_sequence != 0)
        snapshots->complete_entries = self->replica.entries - self->replayed;
    if (replica_has_images(&self->replica)) {
        const oc_err_t err = start_agent(self);
        if (err != OC_ERR_OK)
            return err;
    }
    if (snapshots->agent) {
        snapshot_status_t status;
        snapshot_status(snapshots->agent, &status);
        release_log(self, &status);
    }
    start_control(self);
    return OC_ERR_OK;
}

/* Who still waits is told. */
static void end_control(node_t *self)
{
    node_snapshots_t *snapshots = &self->snapshots;
    if (!snapshots->control)
        return;
    if (snapshots->asked)
        answer_error(self, snapshots->asked_by, "the node ends");
    if (snapshots->answer_due)
        answer_error(self, snapshots->answer_to, "the node ends; the snapshot is given up");
    (void)control_do_work(snapshots->control, self->monotonic_ns + LAST_LOOK_NS);
    control_destroy(snapshots->control);
    snapshots->control = NULL;
}

void node_snapshot_stop(node_t *self)
{
    end_control(self);
    snapshot_destroy(self->snapshots.agent);
    self->snapshots.agent = NULL;
}

int node_snapshot_do_work(node_t *self)
{
    node_snapshots_t *snapshots = &self->snapshots;
    int count = 0;
    if (snapshots->control)
        count += control_do_work(snapshots->control, self->monotonic_ns);
    if (!snapshots->agent)
        return count;
    const int work = snapshot_do_work(snapshots->agent);
    if (work > 0 && snapshots->running)
        note_end(self);
    if (!snapshots->running && !self->stopping && self->failure == OC_ERR_OK) {
        if (snapshots->asked)
            begin_asked(self);
        else if (is_due(self))
            begin_due(self);
    }
    return count + work;
}
