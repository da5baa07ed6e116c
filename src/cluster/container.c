/*
 * The container's life, and what it tells of itself. Called by member_run.c and by tests.
 *
 * Invariants: everything the service's state depends on comes through log_applier_take(); role,
 * clients and clocks decide only what is sent. The control socket answers from the first moment, so
 * that a member that waits for its module can be asked why.
 */
#define _GNU_SOURCE
#include "cluster/container_internal.h"

#include "base/assert.h"
#include "base/error.h"
#include "cluster/member_check.h"

#include <stdio.h>
#include <stdlib.h>

#define EGRESS_CONNECT_NS INT64_C(10000000000)

oc_err_t container_fail(container_t *self, oc_err_t err)
{
    OC_ASSERT(err != OC_ERR_OK);
    if (self->failure == OC_ERR_OK) {
        self->failure = err;
        (void)snprintf(self->failure_text, sizeof self->failure_text, "%s", oc_err_context());
    }
    return error_set(self->failure, "%s", self->failure_text);
}

/* ---- What comes of an entry (replica_outlet_t); only a leader has the outlet ---- */

static void outlet_opened(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                          const gateway_open_t *open)
{
    container_t *self = context;
    (void)entry;
    egress_open(self->egress, session, open);
}

static void outlet_closed(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                          oc_close_reason_t reason)
{
    container_t *self = context;
    (void)entry, (void)reason;
    if (session.value < self->orphans_below)
        egress_dismiss(self->egress, session);
    else
        egress_close(self->egress, session);
}

static void outlet_send(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                        const void *bytes, size_t length)
{
    container_t *self = context;
    (void)entry;
    egress_send(self->egress, session, bytes, length, self->log.timestamp);
}

/* All members end, with a snapshot: what a service asks for is the cluster's end. */
static void outlet_stop(void *context)
{
    ((container_t *)context)->stop_due = true;
}

static void on_slow(void *context, oc_session_id_t session)
{
    container_close_session(context, session);
}

/* ---- Life ---- */

static oc_err_t create_egress(container_t *self, const transport_t *transport)
{
    const node_config_t *node = &self->config.node;
    const egress_config_t config = {
        .member = (int32_t)self->config.id,
        .max_sessions = (uint32_t)node->max_sessions,
        .session_backlog_bytes = (uint32_t)node->session_backlog_bytes,
        .backlog_bytes = (uint32_t)node->backlog_bytes,
        .message_bytes_max = (uint32_t)node->message_bytes_max,
        .connect_timeout_ns = EGRESS_CONNECT_NS,
        .slow = on_slow,
        .context = self,
    };
    return transport ? egress_create_on(&self->egress, &config, transport)
                     : egress_create(&self->egress, &config, self->embedded);
}

static oc_err_t create_replica(container_t *self, const oc_service_t *service)
{
    const node_config_t *node = &self->config.node;
    const replica_config_t config = {
        .max_sessions = REPLICA_SESSIONS_MAX, /* how many are let in must be equal on all members */
        .max_timers = (uint32_t)node->max_timers,
        .message_max = (size_t)node->message_bytes_max,
    };
    return replica_init(&self->replica, service, &config);
}

static void init(container_t *self, const container_setup_t *setup)
{
    self->config = *setup->config;
    self->link = setup->link;
    self->embedded = setup->embedded;
    self->armed_ns = CONTAINER_UNARMED;
    atomic_init(&self->recorded.recording, -1);
    atomic_init(&self->recorded.position, 0);
    member_config_path(&self->config, "archive", self->archive_dir, sizeof self->archive_dir);
    self->outlet = (replica_outlet_t){
        .context = self,
        .opened = outlet_opened,
        .closed = outlet_closed,
        .send = outlet_send,
        .stop = outlet_stop,
    };
}

/* What needs the replica; undone by stop(). */
static oc_err_t start(container_t *self, const container_setup_t *setup)
{
    log_applier_init(&self->log, &self->replica, (int64_t)self->config.cluster_id,
                     (int64_t)self->config.node.time_interval_us * 1000);
    oc_err_t err = create_egress(self, setup->transport);
    if (err == OC_ERR_OK)
        err = container_images_create(self);
    if (err == OC_ERR_OK)
        err = container_load_image(self);
    if (err == OC_ERR_OK && !setup->alone)
        err = container_peers_create(self);
    return err;
}

static void stop(container_t *self)
{
    member_client_destroy(self->client);
    image_keeper_destroy(self->keeper);
    egress_destroy(self->egress);
    replica_fini(&self->replica);
}

oc_err_t container_create(container_t **container, const container_setup_t *setup)
{
    *container = NULL;
    oc_err_t err = member_config_check(setup->config);
    if (err != OC_ERR_OK)
        return err;
    container_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for a member");
    init(self, setup);
    if (!setup->checked)
        err = container_check_mark(&self->config);
    if (err == OC_ERR_OK && !setup->checked)
        err = member_check_directory(&self->config);
    if (err == OC_ERR_OK)
        err = create_replica(self, setup->service);
    if (err != OC_ERR_OK)
        goto free_self;
    err = start(self, setup);
    if (err != OC_ERR_OK)
        goto stop;
    *container = self;
    return OC_ERR_OK;

stop:
    (void)container_fail(self, err);
    stop(self);
    err = error_set(err, "%s", self->failure_text);
free_self:
    free(self);
    return err;
}

void container_destroy(container_t *self)
{
    if (!self)
        return;
    stop(self);
    free(self);
}

bool container_diverged(const container_t *self)
{
    return self->diverged;
}

bool container_ended(const container_t *self)
{
    return self->phase == CONTAINER_ENDED;
}

int64_t container_apart_ns(const container_t *self)
{
    return self->phase == CONTAINER_RUNNING ? self->monotonic_ns - self->joined_ns : 0;
}

bool container_waits(const container_t *self)
{
    return self->join.started || self->queue.begin != self->queue.end ||
           egress_backlog(self->egress) > 0;
}

/* ---- What it tells ---- */

void container_report(const container_t *self, container_report_t *report)
{
    const replica_t *replica = &self->replica;
    *report = (container_report_t){
        .member = (int32_t)self->config.id,
        .role = self->role,
        .recovered = self->phase != CONTAINER_FINDING,
        .leadership_term = self->log.leadership_term,
        .position = self->log.position,
        .entries = replica->entries,
        .state_hash = replica_state_hash(replica),
        .output_hash = replica_output_hash(replica),
        .sessions = replica->sessions.state->count,
        .image_sequence = self->image_sequence,
        .image_position = self->image_position,
        .load_ns = self->load_ns,
        .replayed = self->replayed,
        .replay_ns = self->replay_ns,
        .snapshots = self->snapshots,
        .snapshot_ns = self->snapshot_ns,
        .snapshot_write_ns = self->snapshot_write_ns,
        .agreed_position = self->divergence.agreed_position,
        .comparisons = self->divergence.decided,
        .egress = *egress_counters(self->egress),
    };
}
