/*
 * A node's life: start in the one order that is safe, end, and what can be said about it. Called by
 * oc_node_run() and by tests.
 *
 * Start: the directory is locked first, so that a second node stops here and touches nothing; the
 * past is applied while nothing of the transport runs; then the journal begins its new term; then
 * driver and gateway come up. The end goes the other way round.
 */
#define _GNU_SOURCE
#include "host/node.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "host/node_internal.h"
#include "snapshot/import_mark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GROUP_BUFFERS = 8 };

#define CONFIGURATION_WAIT_NS UINT64_C(10000000000)

void node_journal_config(const node_config_t *from, journal_config_t *config)
{
    journal_config_init(config);
    config->dir = from->dir;
    if (from->storage)
        config->storage = from->storage;
    config->sync = (journal_sync_t)from->sync;
    config->sync_period_ms = (uint32_t)from->sync_period_ms;
    config->segment_bytes = (uint32_t)from->segment_bytes;
    config->group_bytes = (uint32_t)from->group_bytes;
    config->groups = GROUP_BUFFERS;
    config->ready_segments = (uint32_t)from->ready_segments;
    config->low_space_bytes = from->low_space_bytes;
    config->writer_spin_us = (uint32_t)from->writer_spin_us;
    config->writer_cpu = from->writer_cpu;
}

static oc_err_t recover_state(node_t *self, const storage_t *storage)
{
    image_store_t *images;
    recovery_t recovery;
    oc_err_t err = recovery_images(&images, self->config.dir, storage);
    if (err != OC_ERR_OK)
        return err;
    err = recovery_run(&self->replica, self->journal, images,
                       (unsigned)self->config.restore_threads, &recovery);
    image_store_close(images);
    self->verdict = recovery.verdict;
    self->replayed = recovery.replayed;
    self->image_sequence = recovery.image_sequence;
    self->image_position = recovery.image_position;
    return err;
}

/* Opens the log and brings the replica to its end. */
static oc_err_t recover(node_t *self)
{
    journal_config_t config;
    node_journal_config(&self->config, &config);
    oc_err_t err = journal_open(&self->journal, &config);
    if (err == OC_ERR_OK)
        err = import_mark_check(config.storage, self->config.dir);
    if (err == OC_ERR_OK)
        err = recover_state(self, config.storage);
    if (err != OC_ERR_OK)
        return err;
    self->position = self->replica.entry.position;
    return journal_start(self->journal);
}

/* The first entry of a new log. Segments may still be being prepared; without space there will be
 * none. */
static oc_err_t sequence_configuration(node_t *self)
{
    const uint64_t deadline_ns = clock_wall_ns() + CONFIGURATION_WAIT_NS;
    log_record_t record;
    replica_configuration(&self->replica, &record);
    while (!node_sequence(self, &record)) {
        const journal_condition_t condition = journal_condition(self->journal);
        if (condition == JOURNAL_FAILED)
            return node_fail(self, journal_failure(self->journal));
        if (condition == JOURNAL_FULL || clock_wall_ns() > deadline_ns)
            return node_fail(
                self, error_set(OC_ERR_NO_SPACE, "%s: no space to begin a log", self->config.dir));
        const struct timespec pause = {.tv_nsec = 1000000};
        (void)nanosleep(&pause, NULL);
    }
    return self->failure == OC_ERR_OK ? OC_ERR_OK : node_fail(self, self->failure);
}

/* Entries that the start itself appends: a new log's first, and that there was a recovery. */
static oc_err_t sequence_start(node_t *self)
{
    oc_err_t err = OC_ERR_OK;
    node_read_clocks(self);
    if (self->replica.entries == 0)
        err = sequence_configuration(self);
    else
        self->recovery_notice_due =
            self->config.recovery == NODE_RECOVERY_CANCEL_ONLY && !self->verdict.closed;
    if (self->recovery_notice_due)
        (void)fprintf(stderr, "outcry: the end before was not orderly, and recovery = cancel-only: "
                              "the service is told to take on nothing new until it is resumed\n");
    journal_flush(self->journal);
    return err;
}

static oc_err_t start(node_t *self)
{
    const uint64_t start_ns = clock_wall_ns();
    oc_err_t err = recover(self);
    if (err == OC_ERR_OK)
        err = node_transport_start(self);
    if (err != OC_ERR_OK)
        return err;
    self->next_session = self->replica.sessions.state->next_id;
    replica_activate(&self->replica, &self->outlet);
    err = sequence_start(self);
    if (err == OC_ERR_OK)
        err = node_snapshot_start(self);
    self->recovery_ns = clock_wall_ns() - start_ns;
    return err;
}

oc_err_t node_create(node_t **node, const node_config_t *config, const oc_service_t *service)
{
    *node = NULL;
    oc_err_t err = node_config_check(config);
    if (err != OC_ERR_OK)
        return err;
    node_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for a node");
    self->config = *config;
    node_sequence_init(self);
    self->unreachable = calloc(config->max_sessions, sizeof *self->unreachable);
    if (!self->unreachable) {
        err = error_set(OC_ERR_NO_MEMORY, "no memory for the sessions; lower max_sessions");
        goto free_self;
    }
    const replica_config_t replica = {
        .max_sessions = (uint32_t)config->max_sessions,
        .max_timers = (uint32_t)config->max_timers,
        .message_max = (size_t)config->message_bytes_max,
    };
    err = replica_init(&self->replica, service, &replica);
    if (err != OC_ERR_OK)
        goto free_unreachable;
    err = start(self);
    if (err != OC_ERR_OK)
        goto stop;
    *node = self;
    return OC_ERR_OK;

stop:
    (void)snprintf(self->failure_text, sizeof self->failure_text, "%s", oc_err_context());
    node_transport_stop(self);
    node_snapshot_stop(self);
    (void)journal_close(self->journal);
    replica_fini(&self->replica);
    /* Why it did not start, not what its end complained of after that. */
    err = error_set(err, "%s", self->failure_text);
free_unreachable:
    free(self->unreachable);
free_self:
    free(self);
    return err;
}

bool node_stopped(const node_t *self)
{
    return self->stopped;
}

void node_stop(node_t *self)
{
    self->stopping = true;
}

bool node_waits(const node_t *self)
{
    return self->stopping || journal_durable(self->journal).value < self->position;
}

const char *node_ingress(const node_t *self)
{
    return gateway_ingress(self->gateway);
}

void node_report(const node_t *self, node_report_t *report)
{
    snapshot_status_t snapshots;
    image_keeper_status(self->snapshots.keeper, &snapshots);
    *report = (node_report_t){
        .verdict = self->verdict,
        .recovery_ns = self->recovery_ns,
        .replayed = self->replayed,
        .entries = self->replica.entries,
        .position = self->position,
        .state_hash = replica_state_hash(&self->replica),
        .term = journal_term(self->journal),
        .sessions = self->replica.sessions.state->count,
        .image_sequence = self->image_sequence,
        .image_position = self->image_position,
        .images = snapshots.completed,
        .images_abandoned = snapshots.abandoned,
        .images_failed = snapshots.failed,
        .gateway = *gateway_counters(self->gateway),
    };
}

oc_err_t node_destroy(node_t *self)
{
    if (!self)
        return OC_ERR_OK;
    /* Nothing may leave any more once the journal is being closed. */
    node_transport_stop(self);
    node_snapshot_stop(self); /* reads the log while it runs */
    const oc_err_t err = journal_close(self->journal);
    replica_fini(&self->replica);
    free(self->unreachable);
    free(self);
    return err;
}
