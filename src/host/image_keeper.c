/*
 * Images of a running host: when one is begun, of what, and whom that is told. Called by the duty
 * cycles of the node and of the cluster's container, between entries, and at their start and end.
 *
 * A snapshot is begun after so much of the log, after so long, or when it is asked for over the
 * control socket; one at a time. One that came to nothing is tried again at the next threshold,
 * not at once: what kept it from becoming an image (a full disk, a pool used up) is seldom gone by
 * then.
 *
 * Invariants: to begin is constant time when the state lies in arenas: nothing is allocated, and
 * nothing asked of the system but the time. (A service without arenas writes its state then, into
 * memory, and the host stands still for that.) Whatever becomes of a snapshot, trading goes on: an
 * error here is a line, and an answer to who asked. It must not know which host it belongs to.
 */
#define _GNU_SOURCE
#include "host/image_keeper_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_NS INT64_C(1000000000)

enum { TOLD_BYTES = 640 }; /* of an error's text, and what it is about */

/* When the control socket is looked at last: surely due, and nobody's patience is over. */
#define LAST_LOOK_NS INT64_C(100000000)

static void tell(void *context, const char *line)
{
    const image_keeper_t *self = context;
    if (self->host.tell)
        self->host.tell(self->host.context, line);
    else
        (void)fprintf(stderr, "outcry: %s\n", line);
}

static void tell_failure(image_keeper_t *self, const char *what)
{
    char line[TOLD_BYTES];
    (void)snprintf(line, sizeof line, "%s: %s", what, oc_err_context());
    tell(self, line);
}

/* ---- Beginning ---- */

/* Only what the core knows: the checksum of the log is found out behind it. The host has the last
 * word: a leadership term may have begun since the replica's last entry. */
static void fill_request(image_keeper_t *self, snapshot_request_t *request)
{
    log_record_t configuration;
    replica_configuration(self->config.replica, &configuration);
    replica_place(self->config.replica, &request->place);
    self->host.place(self->host.context, &request->place);
    request->configuration = configuration.bytes;
    request->configuration_length = configuration.length;
    OC_ASSERT(request->place.position > 0);
}

/* Thresholds count from here, also if nothing comes of it. */
static void note_begun(image_keeper_t *self)
{
    self->begun_position = self->position;
    self->begun_entries = self->config.replica->entries;
    self->begun_ns = self->monotonic_ns;
}

oc_err_t image_keeper_begin(image_keeper_t *self, bool full)
{
    replica_t *replica = self->config.replica;
    snapshot_request_t request = {.full = full};
    OC_ASSERT(!replica->applying);
    if (!self->agent)
        return error_set(OC_ERR_NOT_CONNECTED, "no images are made in this run");
    if (replica->entries == 0)
        return error_set(OC_ERR_BACK_PRESSURE, "there is no state yet; try again");
    const uint64_t start_ns = clock_wall_ns();
    note_begun(self);
    if (self->streamed) {
        const oc_err_t err = replica_capture(replica, &request.stream, &request.stream_length);
        if (err != OC_ERR_OK)
            return err;
    }
    fill_request(self, &request);
    if (snapshot_begin(self->agent, &request) != SNAPSHOT_STARTED)
        return error_set(OC_ERR_BACK_PRESSURE, "a snapshot is running");
    self->running = true;
    self->pause_ns = clock_wall_ns() - start_ns;
    return OC_ERR_OK;
}

static bool is_due(const image_keeper_t *self)
{
    const image_keeper_config_t *config = &self->config;
    if (config->replica->entries == self->complete_entries)
        return false;
    if (self->host.may_begin && !self->host.may_begin(self->host.context))
        return false;
    if (config->every_log_bytes > 0 &&
        self->position - self->begun_position >= config->every_log_bytes)
        return true;
    return config->every_s > 0 &&
           self->monotonic_ns - self->begun_ns >= (int64_t)config->every_s * SECOND_NS;
}

static void answer_error(image_keeper_t *self, uint32_t connection, const char *why)
{
    char answer[CONTROL_LINE_MAX];
    (void)snprintf(answer, sizeof answer, "error: %.900s", why);
    control_answer(self->control, connection, answer);
}

static void begin_asked(image_keeper_t *self)
{
    self->asked = false;
    if (image_keeper_begin(self, self->asked_full) != OC_ERR_OK) {
        answer_error(self, self->asked_by, oc_err_context());
        return;
    }
    self->answer_due = true;
    self->answer_to = self->asked_by;
}

static void begin_due(image_keeper_t *self)
{
    char what[64];
    if (image_keeper_begin(self, false) == OC_ERR_OK)
        return;
    (void)snprintf(what, sizeof what, "no snapshot at position %" PRIu64, self->position);
    tell_failure(self, what);
}

/* ---- What became of it ---- */

/* The host may remove what no image needs. */
static void release_log(image_keeper_t *self, const snapshot_status_t *status)
{
    if (self->host.released && status->oldest != UINT64_MAX)
        self->host.released(self->host.context, status->oldest);
}

static void answer_ended(image_keeper_t *self, const snapshot_status_t *status)
{
    char answer[CONTROL_LINE_MAX];
    (void)snprintf(answer, sizeof answer,
                   "sequence=%" PRIu64 " position=%" PRIu64 " begin_ns=%" PRIu64
                   " pause_ns=%" PRIu64 " sweep_ns=%" PRIu64 " commit_ns=%" PRIu64 " pages=%" PRIu64
                   " pages_owner=%" PRIu64 " bytes=%" PRIu64 "\nok",
                   status->sequence, status->position, status->begin_ns, self->pause_ns,
                   status->sweep_ns, status->commit_ns, status->pages, status->pages_owner,
                   status->bytes);
    control_answer(self->control, self->answer_to, answer);
}

/* The agent has told the line already. */
static void note_end(image_keeper_t *self)
{
    snapshot_status_t status;
    snapshot_status(self->agent, &status);
    if (status.running)
        return;
    self->running = false;
    if (status.err == OC_ERR_OK) {
        self->complete_entries = self->begun_entries;
        release_log(self, &status);
    }
    if (!self->answer_due)
        return;
    self->answer_due = false;
    if (status.err == OC_ERR_OK)
        answer_ended(self, &status);
    else
        answer_error(self, self->answer_to, status.line);
}

/* ---- What is asked over the control socket ---- */

static bool refuse(char answer[CONTROL_LINE_MAX], const char *why)
{
    (void)snprintf(answer, CONTROL_LINE_MAX, "error: %s", why);
    return true;
}

/* Begun at once, or when the one that runs has ended. */
static bool ask_snapshot(image_keeper_t *self, uint32_t connection, bool full,
                         char answer[CONTROL_LINE_MAX])
{
    if (!self->started)
        return refuse(answer, "the start is not over yet; try again");
    if (!self->agent)
        return refuse(answer, "no images are made in this run; the start has told why");
    if (self->ending) {
        (void)snprintf(answer, CONTROL_LINE_MAX, "error: the %s ends", self->host.name);
        return true;
    }
    if (self->asked)
        return refuse(answer,
                      "one snapshot runs, and another request waits for its end; try again");
    self->asked = true;
    self->asked_full = full;
    self->asked_by = connection;
    return false;
}

void image_keeper_status(const image_keeper_t *self, snapshot_status_t *status)
{
    *status = (snapshot_status_t){.oldest = UINT64_MAX};
    if (self->agent)
        snapshot_status(self->agent, status);
}

static bool tell_status(const image_keeper_t *self, char answer[CONTROL_LINE_MAX])
{
    snapshot_status_t s;
    image_keeper_status(self, &s);
    (void)snprintf(
        answer, CONTROL_LINE_MAX,
        "enabled=%d started_from=%" PRIu64 " running=%d begun=%" PRIu64 " completed=%" PRIu64
        " abandoned=%" PRIu64 " failed=%" PRIu64 " refused=%" PRIu64 " folds=%" PRIu64
        " oldest=%" PRIu64 " newest=%" PRIu64 " applied=%" PRIu64 "\n"
        "sequence=%" PRIu64 " position=%" PRIu64 " begin_ns=%" PRIu64 " pause_ns=%" PRIu64
        " sweep_ns=%" PRIu64 " commit_ns=%" PRIu64 " pages=%" PRIu64 " pages_owner=%" PRIu64
        " bytes=%" PRIu64 "\nlast: %.400s\nok",
        self->agent != NULL, self->sequence, s.running, s.begun, s.completed, s.abandoned, s.failed,
        s.refused, s.folds, s.oldest == UINT64_MAX ? 0 : s.oldest, s.newest, self->position,
        s.sequence, s.position, s.begin_ns, self->pause_ns, s.sweep_ns, s.commit_ns, s.pages,
        s.pages_owner, s.bytes, s.line[0] ? s.line : "none");
    return true;
}

static void ask_host(image_keeper_t *self, uint32_t connection, const char *request,
                     char answer[CONTROL_LINE_MAX])
{
    const image_keeper_host_t *host = &self->host;
    const image_keeper_reply_t reply =
        host->request ? host->request(host->context, connection, request, answer)
                      : IMAGE_KEEPER_UNKNOWN;
    if (reply == IMAGE_KEEPER_ANSWERED)
        return;
    (void)snprintf(answer, CONTROL_LINE_MAX,
                   "error: not known; requests are: snapshot, snapshot full, status%s%s",
                   host->requests ? ", " : "", host->requests ? host->requests : "");
}

static bool on_request(void *context, uint32_t connection, const char *request,
                       char answer[CONTROL_LINE_MAX])
{
    image_keeper_t *self = context;
    if (!strcmp(request, "snapshot"))
        return ask_snapshot(self, connection, false, answer);
    if (!strcmp(request, "snapshot full"))
        return ask_snapshot(self, connection, true, answer);
    if (!strcmp(request, "status"))
        return tell_status(self, answer);
    ask_host(self, connection, request, answer);
    return true;
}

/* ---- Life ---- */

static size_t pool_pages(uint64_t percent, oc_arena_t *const *arenas, size_t count)
{
    uint64_t pages = 0;
    for (size_t i = 0; i < count; i++)
        pages += arenas[i]->size >> OC_ARENA_PAGE_SHIFT;
    return (size_t)(pages * percent / 100) + 1;
}

static oc_err_t start_agent(image_keeper_t *self)
{
    const image_keeper_config_t *config = &self->config;
    oc_arena_t *arenas[REPLICA_ARENAS_MAX];
    const size_t count = replica_arenas(config->replica, arenas);
    const snapshot_config_t agent = {
        .dir = config->dir,
        .storage = config->storage,
        .arenas = arenas,
        .arena_count = count,
        .stream = self->streamed,
        .log = config->log,
        .pool_pages = pool_pages(config->pool_percent, arenas, count),
        .keep = config->keep,
        .chain_max = config->chain_max,
        .block_bytes = config->block_bytes,
        .bytes_per_s_max = config->bytes_per_s_max,
        .reserve_bytes = config->reserve_bytes,
        .stepped = config->stepped,
        .cpu = config->cpu,
        .tell = tell,
        .tell_context = self,
    };
    const oc_err_t err = snapshot_create(&self->agent, &agent, self->sequence);
    /* What is wrong with the configuration or the machine's size can be put right before trading
     * begins; the rest is no reason not to trade. */
    if (err == OC_ERR_OK || err == OC_ERR_NO_MEMORY || err == OC_ERR_INVALID_CONFIG)
        return err;
    tell_failure(self, "no images are made in this run");
    return OC_ERR_OK;
}

static void start_control(image_keeper_t *self)
{
    /* A directory on a test's device is none that a socket could lie in. */
    if (self->config.storage != storage_device())
        return;
    const oc_err_t err = control_create(&self->control, self->config.dir, on_request, self);
    if (err != OC_ERR_OK)
        tell_failure(self, "snapshots cannot be asked for");
}

oc_err_t image_keeper_create(image_keeper_t **keeper, const image_keeper_config_t *config,
                             const image_keeper_host_t *host)
{
    OC_ASSERT(host->place != NULL);
    OC_ASSERT(host->name != NULL);
    *keeper = calloc(1, sizeof **keeper);
    if (!*keeper)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the keeping of images");
    (*keeper)->config = *config;
    (*keeper)->host = *host;
    start_control(*keeper);
    return OC_ERR_OK;
}

oc_err_t image_keeper_start(image_keeper_t *self, const image_keeper_from_t *from)
{
    OC_ASSERT(!self->started);
    OC_ASSERT(from->sequence != 0 || (from->position == 0 && from->entries == 0));
    OC_ASSERT(self->config.replica->entries >= from->entries);
    self->started = true;
    self->sequence = from->sequence;
    self->streamed = replica_is_streamed(self->config.replica);
    self->position = from->position;
    self->begun_position = from->position;
    self->begun_ns = from->monotonic_ns;
    self->complete_entries = from->entries;
    if (replica_has_images(self->config.replica)) {
        const oc_err_t err = start_agent(self);
        if (err != OC_ERR_OK)
            return err;
    }
    snapshot_status_t status;
    image_keeper_status(self, &status);
    release_log(self, &status);
    return OC_ERR_OK;
}

/* Who still waits is told. */
static void end_control(image_keeper_t *self)
{
    char why[128];
    if (!self->control)
        return;
    (void)snprintf(why, sizeof why, "the %s ends", self->host.name);
    if (self->asked)
        answer_error(self, self->asked_by, why);
    (void)snprintf(why, sizeof why, "the %s ends; the snapshot is given up", self->host.name);
    if (self->answer_due)
        answer_error(self, self->answer_to, why);
    (void)control_do_work(self->control, self->monotonic_ns + LAST_LOOK_NS);
    control_destroy(self->control);
    self->control = NULL;
}

void image_keeper_destroy(image_keeper_t *self)
{
    if (!self)
        return;
    end_control(self);
    snapshot_destroy(self->agent);
    free(self);
}

int image_keeper_do_work(image_keeper_t *self, int64_t monotonic_ns, uint64_t position, bool ending)
{
    int count = 0;
    self->monotonic_ns = monotonic_ns;
    self->position = position;
    self->ending = ending;
    if (self->control)
        count += control_do_work(self->control, monotonic_ns);
    if (!self->agent)
        return count;
    const int work = snapshot_do_work(self->agent);
    if (work > 0 && self->running)
        note_end(self);
    if (!self->running && !ending) {
        if (self->asked)
            begin_asked(self);
        else if (is_due(self))
            begin_due(self);
    }
    return count + work;
}
