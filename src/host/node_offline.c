/*
 * Images of a node that does not run. Called by tools, in one thread; the journal has its own.
 *
 * Invariants: whoever changes a directory holds its lock; an image is made in the one way that a
 * running node makes it, by the agent, stepped here; from before the first file of an import until
 * its image is committed a mark keeps every start away, so that half an import is never an empty
 * book. (Nor is a whole one whose image was lost: no start gets past its log's first entry.)
 */
#define _GNU_SOURCE
#include "host/node_offline.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "host/node_internal.h"
#include "host/replica_image.h"
#include "host/replica_rebuild.h"
#include "snapshot/import_mark.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SEGMENT_WAIT_NS UINT64_C(10000000000)

enum { LOADED_SESSIONS_MAX = REPLICA_SESSIONS_MAX, CONTEXT_SIZE = 512 };

/* A node without a way to the network. */
typedef struct offline {
    const node_config_t *config;
    journal_config_t log;
    replica_t replica;
    journal_t *journal;
    snapshot_t *agent;
    uint64_t image_sequence; /* that it was restored from */
} offline_t;

/* ---- Making an image ---- */

static uint64_t log_durable(void *context)
{
    return journal_durable(((const offline_t *)context)->journal).value;
}

static oc_err_t log_checksum(void *context, const image_place_t *place, uint32_t *checksum)
{
    const offline_t *self = context;
    const journal_place_t at = {.position = {place->position}, .group = {place->group}};
    return journal_checksum_at(&self->log, place->log_id, &at, (log_position_t){0}, checksum);
}

static uint64_t log_sync_ns(void *context)
{
    (void)context;
    return 0; /* nobody trades */
}

/* What comes of the image is told by whoever asked for it, once. */
static void tell_nothing(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static oc_err_t start_agent(offline_t *self)
{
    const node_config_t *config = self->config;
    oc_arena_t *arenas[REPLICA_ARENAS_MAX];
    const snapshot_config_t agent = {
        .dir = config->dir,
        .storage = self->log.storage,
        .arenas = arenas,
        .arena_count = replica_arenas(&self->replica, arenas),
        .stream = replica_is_streamed(&self->replica),
        .log = {self, log_durable, log_checksum, log_sync_ns},
        .pool_pages = 1, /* nothing changes meanwhile */
        .keep = (uint32_t)config->snapshot_keep,
        .chain_max = (uint32_t)config->snapshot_chain,
        .block_bytes = (uint32_t)config->snapshot_block_bytes,
        .stepped = true,
        .cpu = -1,
        .tell = tell_nothing,
    };
    return snapshot_create(&self->agent, &agent, self->image_sequence);
}

static oc_err_t begin(offline_t *self, bool full)
{
    journal_place_t place;
    log_record_t configuration;
    snapshot_request_t request = {.full = full};
    if (replica_is_streamed(&self->replica)) {
        const oc_err_t err =
            replica_capture(&self->replica, &request.stream, &request.stream_length);
        if (err != OC_ERR_OK)
            return err;
    }
    journal_place(self->journal, &place);
    replica_configuration(&self->replica, &configuration);
    replica_place(&self->replica, &request.place);
    request.place.log_id = journal_log_id(self->journal);
    request.place.position = place.position.value;
    request.place.group = place.group.value;
    request.configuration = configuration.bytes;
    request.configuration_length = configuration.length;
    const snapshot_answer_t answer = snapshot_begin(self->agent, &request);
    OC_ASSERT(answer == SNAPSHOT_STARTED);
    return OC_ERR_OK;
}

/* Steps the agent until the image is there, or is known to come to nothing. */
static oc_err_t make_image(offline_t *self, bool full, snapshot_status_t *status)
{
    oc_err_t err = start_agent(self);
    if (err == OC_ERR_OK)
        err = begin(self, full);
    if (err != OC_ERR_OK)
        return err;
    do {
        const struct timespec pause = {.tv_nsec = 100000};
        journal_flush(self->journal);
        if (journal_condition(self->journal) == JOURNAL_FAILED)
            return journal_failure(self->journal);
        if (snapshot_do_work(self->agent) == 0)
            (void)nanosleep(&pause, NULL);
        snapshot_status(self->agent, status);
    } while (status->running);
    return status->err == OC_ERR_OK ? OC_ERR_OK : error_set(status->err, "%s", status->line);
}

/* ---- Life ---- */

static oc_err_t start_replica(replica_t *replica, const oc_service_t *service, uint32_t sessions,
                              uint32_t timers)
{
    const replica_config_t config = {
        .max_sessions = sessions, .max_timers = timers, .message_max = JOURNAL_PAYLOAD_MAX};
    return replica_init(replica, service, &config);
}

/* The error that is told is the first one; an end that goes wrong afterwards is of no interest. */
static oc_err_t finish(offline_t *self, oc_err_t err)
{
    char why[CONTEXT_SIZE];
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    snapshot_destroy(self->agent); /* reads the log */
    const oc_err_t close_err = journal_close(self->journal);
    if (err == OC_ERR_OK)
        return close_err;
    return error_set(err, "%s", why);
}

static oc_err_t recover(offline_t *self)
{
    image_store_t *images;
    recovery_t recovery;
    oc_err_t err = journal_open(&self->journal, &self->log);
    if (err == OC_ERR_OK)
        err = import_mark_check(self->log.storage, self->config->dir);
    if (err == OC_ERR_OK)
        err = recovery_images(&images, self->config->dir, self->log.storage);
    if (err != OC_ERR_OK)
        return err;
    err = recovery_run(&self->replica, self->journal, images,
                       (unsigned)self->config->restore_threads, &recovery);
    image_store_close(images);
    self->image_sequence = recovery.image_sequence;
    if (err == OC_ERR_OK && self->replica.entries == 0)
        err = error_set(OC_ERR_INVALID_ARGUMENT, "%s: the log has no entry: there is no state",
                        self->config->dir);
    return err;
}

oc_err_t node_take(const node_config_t *config, const oc_service_t *service, bool full,
                   snapshot_status_t *status)
{
    offline_t self = {.config = config};
    *status = (snapshot_status_t){0};
    node_journal_config(config, &self.log);
    uint32_t timers = (uint32_t)config->max_timers;
    oc_err_t err = recovery_max_timers(config->dir, self.log.storage, &timers);
    if (err == OC_ERR_OK)
        err = start_replica(&self.replica, service, (uint32_t)config->max_sessions, timers);
    if (err != OC_ERR_OK)
        return err;
    if (!replica_has_images(&self.replica))
        err = error_set(OC_ERR_INVALID_ARGUMENT, "the service has no images");
    if (err == OC_ERR_OK)
        err = recover(&self);
    if (err == OC_ERR_OK) {
        journal_end_as_found(self.journal); /* or `recovery = cancel-only` would not see a crash */
        err = journal_start(self.journal);
    }
    if (err == OC_ERR_OK)
        err = make_image(&self, full, status);
    err = finish(&self, err);
    replica_fini(&self.replica);
    return err;
}

/* ---- Loading, export ---- */

static oc_err_t find_image(const image_store_t *images, const char *dir, uint64_t sequence,
                           const image_info_t **info)
{
    if (sequence != 0)
        *info = image_store_find(images, sequence);
    else
        *info = image_store_count(images) > 0 ? image_store_at(images, 0) : NULL;
    if (*info)
        return OC_ERR_OK;
    return sequence != 0 ? error_set(OC_ERR_INVALID_ARGUMENT,
                                     "%s: there is no complete image %" PRIu64, dir, sequence)
                         : error_set(OC_ERR_INVALID_ARGUMENT, "%s: there is no image", dir);
}

static uint32_t timers_of(const image_info_t *info)
{
    node_config_t config;
    node_config_init(&config);
    const uint32_t likely = (uint32_t)config.max_timers;
    const uint32_t timers = replica_image_max_timers(info, likely);
    return timers > 0 ? timers : likely; /* the loading then says what differs */
}

/* The service stays started; replica->arena is the caller's to free. */
static oc_err_t load(replica_t *replica, const image_store_t *images, const oc_service_t *service,
                     const image_info_t *info, unsigned threads)
{
    replica_image_t target;
    oc_err_t err = start_replica(replica, service, LOADED_SESSIONS_MAX, timers_of(info));
    if (err != OC_ERR_OK)
        return err;
    if (!replica_has_images(replica))
        err = error_set(OC_ERR_INVALID_ARGUMENT, "the service cannot be restored from images");
    if (err == OC_ERR_OK)
        err = replica_image_init(&target, replica);
    if (err == OC_ERR_OK) {
        err = replica_image_load(&target, images, info, threads);
        if (err == OC_ERR_DAMAGED)
            err = replica_image_error(info, err);
        replica_image_fini(&target);
    }
    if (err != OC_ERR_OK)
        replica_fini(replica);
    return err;
}

static oc_err_t find_and_load(replica_t *replica, const char *dir, const oc_service_t *service,
                              uint64_t sequence, unsigned threads, image_info_t *info)
{
    image_store_t *images;
    const image_info_t *found = NULL;
    oc_err_t err = recovery_images(&images, dir, storage_device());
    if (err != OC_ERR_OK)
        return err;
    err = find_image(images, dir, sequence, &found);
    if (err == OC_ERR_OK)
        err = load(replica, images, service, found, threads);
    if (err == OC_ERR_OK)
        *info = *found;
    image_store_close(images);
    return err;
}

oc_err_t node_load(const char *dir, const oc_service_t *service, uint64_t sequence,
                   unsigned threads, image_info_t *info)
{
    replica_t replica;
    const oc_err_t err = find_and_load(&replica, dir, service, sequence, threads, info);
    if (err == OC_ERR_OK)
        oc_arena_fini(&replica.arena); /* without the service's end: its state is wanted */
    return err;
}

static oc_err_t write_state(const replica_t *replica, oc_capture_sink_t sink, void *context)
{
    const oc_service_t *service = replica->service;
    if (!service->capture)
        return error_set(OC_ERR_INVALID_ARGUMENT, "the service cannot write its state");
    state_file_header_t header;
    replica_rebuild_header(replica, &header);
    const oc_err_t err = state_file_write(&header, &replica->timers, sink, context);
    return err == OC_ERR_OK ? service->capture(service->context, sink, context) : err;
}

oc_err_t node_export(const char *dir, const oc_service_t *service, uint64_t sequence,
                     oc_capture_sink_t sink, void *sink_context, image_info_t *info)
{
    replica_t replica;
    oc_err_t err = find_and_load(&replica, dir, service, sequence, 0, info);
    if (err != OC_ERR_OK)
        return err;
    err = write_state(&replica, sink, sink_context);
    oc_arena_fini(&replica.arena);
    return err;
}

/* ---- Import ---- */

static oc_err_t read_state(replica_t *replica, oc_restore_source_t source, void *context)
{
    const oc_service_t *service = replica->service;
    state_file_header_t header;
    state_file_timer_t *timers;
    if (!service->restore)
        return error_set(OC_ERR_INVALID_ARGUMENT, "the service cannot read a state");
    oc_err_t err = state_file_read(&header, &timers, source, context);
    if (err != OC_ERR_OK)
        return err;
    err = service->restore(service->context, source, context);
    const replica_rebuild_t from = {.header = &header, .timers = timers, .unreachable = true};
    if (err == OC_ERR_OK)
        err = replica_rebuild(replica, &from);
    free(timers);
    return err;
}

static oc_err_t check_new(offline_t *self)
{
    image_store_t *images;
    journal_verdict_t verdict;
    const char *dir = self->config->dir;
    oc_err_t err = recovery_images(&images, dir, self->log.storage);
    if (err != OC_ERR_OK)
        return err;
    const bool has_images = image_store_count(images) > 0 || image_store_line(images, 0);
    image_store_close(images);
    if (has_images || journal_log_id(self->journal) != 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "%s: there %s already; import into a new directory", dir,
                         has_images ? "are images" : "is a log");
    return journal_recover(self->journal, (log_position_t){0}, NULL, NULL, &verdict);
}

static oc_err_t append_import(offline_t *self)
{
    const uint64_t until_ns = clock_wall_ns() + SEGMENT_WAIT_NS;
    const oc_log_entry_t *last = &self->replica.entry;
    log_record_t record = {.type = LOG_IMPORT,
                           .entries = self->replica.entries,
                           .time_ns = last->time_ns,
                           .term = last->term};
    void *payload;
    while (!(payload = journal_claim(self->journal, LOG_IMPORT, log_record_size(&record),
                                     last->time_ns))) {
        const struct timespec pause = {.tv_nsec = 1000000};
        if (journal_condition(self->journal) == JOURNAL_FAILED)
            return journal_failure(self->journal);
        if (clock_wall_ns() > until_ns)
            return error_set(OC_ERR_NO_SPACE, "%s: no space to begin a log", self->config->dir);
        journal_flush(self->journal);
        (void)nanosleep(&pause, NULL);
    }
    log_record_encode(&record, payload);
    (void)journal_commit(self->journal);
    return OC_ERR_OK;
}

/* What is there is somebody else's, and nothing was made: it must not look like half an import. */
static oc_err_t take_mark_back(const offline_t *self, oc_err_t err)
{
    char why[CONTEXT_SIZE];
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    if (import_mark_clear(self->log.storage, self->config->dir) != OC_ERR_OK)
        return err;
    return error_set(err, "%s", why);
}

static oc_err_t begin_log(offline_t *self)
{
    self->log.term_above = self->replica.entry.term;
    oc_err_t err = import_mark_set(self->log.storage, self->config->dir);
    if (err != OC_ERR_OK)
        return err;
    err = journal_open(&self->journal, &self->log);
    if (err == OC_ERR_OK)
        err = check_new(self);
    if (err != OC_ERR_OK)
        return take_mark_back(self, err);
    err = journal_start(self->journal);
    return err == OC_ERR_OK ? append_import(self) : err;
}

/* Nothing is behind the state: the file is what it is taken for. */
static oc_err_t check_end(oc_restore_source_t source, void *context)
{
    uint8_t byte;
    const oc_err_t err = source(context, &byte, 1);
    if (err == OC_ERR_OK)
        return error_set(OC_ERR_DAMAGED, "there are bytes behind the end of the state");
    return err == OC_ERR_TRUNCATED ? OC_ERR_OK : err;
}

static oc_err_t describe_image(const offline_t *self, uint64_t sequence, image_info_t *info)
{
    image_store_t *images;
    const image_info_t *found = NULL;
    oc_err_t err = recovery_images(&images, self->config->dir, self->log.storage);
    if (err != OC_ERR_OK)
        return err;
    err = find_image(images, self->config->dir, sequence, &found);
    if (err == OC_ERR_OK)
        *info = *found;
    image_store_close(images);
    return err;
}

oc_err_t node_import(const node_config_t *config, const oc_service_t *service,
                     oc_restore_source_t source, void *source_context, image_info_t *info)
{
    offline_t self = {.config = config};
    snapshot_status_t status;
    node_journal_config(config, &self.log);
    oc_err_t err = start_replica(&self.replica, service, (uint32_t)config->max_sessions,
                                 (uint32_t)config->max_timers);
    if (err != OC_ERR_OK)
        return err;
    if (!replica_has_images(&self.replica))
        err = error_set(OC_ERR_INVALID_ARGUMENT, "the service has no images");
    if (err == OC_ERR_OK)
        err = read_state(&self.replica, source, source_context);
    if (err == OC_ERR_OK)
        err = check_end(source, source_context);
    if (err == OC_ERR_OK)
        err = begin_log(&self);
    if (err == OC_ERR_OK)
        err = make_image(&self, true, &status);
    if (err == OC_ERR_OK)
        err = describe_image(&self, status.sequence, info);
    if (err == OC_ERR_OK) /* the lock is held still */
        err = import_mark_clear(self.log.storage, config->dir);
    err = finish(&self, err);
    replica_fini(&self.replica);
    return err;
}
