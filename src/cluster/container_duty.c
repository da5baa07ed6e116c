/*
 * The duty cycle of a member's core: the module is heard, the log is applied, clients get their
 * answers, images are made. Called by member_run.c, again and again.
 *
 * Invariants: a cycle is bounded; the log is applied only up to what is committed, and not while
 * the module takes nothing of what must be told to it, nor while an official snapshot waits to be
 * answered. The Aeron client is never stepped from inside the poll of a log.
 */
#define _GNU_SOURCE
#include "cluster/container_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>

enum { FRAGMENTS_A_CYCLE = 128 };

#define WAITING_TOLD_NS INT64_C(10000000000)

/* ---- What an entry leads to (log_applier_hooks_t) ---- */

/* A session that cannot be kept, or whose end the service asks for: on every member, for whichever
 * module leads closes it. */
static void on_close(void *context, oc_session_id_t session)
{
    container_close_session(context, session);
}

static void on_term(void *context, const cluster_log_entry_t *entry)
{
    container_t *self = context;
    egress_set_term(self->egress, entry->term);
    if (!self->join.joined || self->role == OC_HOST_RECOVERING)
        return;
    container_tell_role(self);
    if (self->role == OC_HOST_ACTIVE)
        container_peers_leading(self);
}

static oc_err_t on_said(void *context, const member_message_t *message)
{
    return container_peers_said(context, message);
}

static void on_check(void *context)
{
    container_peers_compare(context);
}

/* ---- The log ---- */

/* The module counts: for each event of a timer that it did not know yet when it read the log, it
 * takes the next request to set it as that one's and passes over it. So there is a request for
 * each: without it, one that matters would be passed over later, and never fire. */
static void take_timer_event(container_t *self)
{
    if (self->log.entry.correlation_id != CONTAINER_TIMER_ID)
        return;
    if (self->armed_ns == CONTAINER_UNARMED)
        container_set_timer(self, CONTAINER_TIMER_NEVER);
    self->armed_ns = CONTAINER_UNARMED;
}

static bool on_log(void *context, const void *bytes, size_t length, uint64_t position)
{
    container_t *self = context;
    OC_ASSERT(self->failure == OC_ERR_OK);
    OC_ASSERT(!self->snapshot_due);
    const oc_err_t err = log_applier_take(&self->log, bytes, length, position);
    if (err != OC_ERR_OK) {
        (void)container_fail(self, err);
        return false;
    }
    const cluster_log_entry_t *entry = &self->log.entry;
    if (entry->type == CLUSTER_LOG_ACTION && entry->action == CLUSTER_ACTION_SNAPSHOT &&
        entry->flags == 0)
        self->snapshot_due = true;
    else if (entry->type == CLUSTER_LOG_TIMER)
        take_timer_event(self);
    if (self->log.skipped && position == self->log.skip_until)
        container_ask_closes(self); /* the module now knows all of their sessions */
    return !self->snapshot_due && container_queue_is_low(self);
}

static int poll_log(container_t *self)
{
    if (!self->join.joined || self->snapshot_due || !container_queue_is_low(self))
        return 0;
    const int count = self->link.poll_log(self->link.context, on_log, self, FRAGMENTS_A_CYCLE);
    if (count < 0 && self->failure == OC_ERR_OK) {
        char why[256];
        (void)snprintf(why, sizeof why, "%s", oc_err_context());
        (void)container_fail(self, error_set(OC_ERR_TRANSPORT, "the log cannot be read: %s", why));
    }
    return count > 0 ? count : 0;
}

/* The module has one timer of ours: it is set earlier when that is needed, and never later: one
 * that fires early does nothing but to be set anew. */
static void arm_timer(container_t *self)
{
    if (self->log.position < self->log.skip_until)
        return; /* the state is ahead of what the module replays */
    const int64_t deadline_ns = log_applier_deadline_ns(&self->log);
    if (deadline_ns >= self->armed_ns || !container_queue_is_low(self))
        return;
    self->armed_ns = deadline_ns;
    container_set_timer(self, log_applier_to_unit(&self->log, deadline_ns));
}

/* ---- The cycle ---- */

/* Once, for a module that does not come: somebody may be waiting for this member. */
static void tell_waiting(container_t *self)
{
    if (self->waiting_told)
        return;
    if (self->waiting_since_ns == 0)
        self->waiting_since_ns = self->monotonic_ns;
    if (self->monotonic_ns - self->waiting_since_ns < WAITING_TOLD_NS)
        return;
    self->waiting_told = true;
    (void)fprintf(stderr,
                  "outcry: member %" PRIu64 " waits for the consensus module of cluster %" PRIu64
                  " on its driver\n",
                  self->config.id, self->config.cluster_id);
}

static oc_err_t find_module(container_t *self, int *count)
{
    bool found = false;
    oc_err_t err = self->link.find(self->link.context, &found, &self->recovery);
    container_ignore_module(self);
    if (err == OC_ERR_OK && !found)
        tell_waiting(self);
    if (err != OC_ERR_OK || !found)
        return err;
    ++*count;
    err = container_recover(self);
    if (err != OC_ERR_OK)
        return err;
    self->hooks = (log_applier_hooks_t){
        .context = self,
        .refuse = on_close,
        .term = on_term,
        .said = on_said,
        .check = on_check,
    };
    self->log.hooks = &self->hooks;
    self->replica.closing = on_close;
    self->replica.closing_context = self;
    self->phase = CONTAINER_RUNNING;
    self->joined_ns = self->monotonic_ns;
    return container_images_start(self);
}

/* An election joins logs only to bring a member up to date, and may do so in vain again and again:
 * what counts is that the position moves. */
static void note_progress(container_t *self)
{
    const bool follows = self->join.joined && self->role != OC_HOST_RECOVERING &&
                         self->join.max_position == INT64_MAX;
    if (!follows && self->log.position == self->joined_position)
        return;
    self->joined_ns = self->monotonic_ns;
    self->joined_position = self->log.position;
}

static oc_err_t run(container_t *self, int *count)
{
    if (!self->link.alive(self->link.context))
        return error_set(OC_ERR_CLOSED, "the consensus module is gone");
    *count += container_module_do_work(self);
    if (self->failure != OC_ERR_OK)
        return OC_ERR_OK;
    *count += poll_log(self);
    if (self->failure == OC_ERR_OK && self->snapshot_due) {
        container_answer_snapshot(self);
        ++*count;
    }
    if (self->failure != OC_ERR_OK)
        return OC_ERR_OK;
    arm_timer(self);
    *count += egress_do_work(self->egress, self->monotonic_ns);
    note_progress(self);
    container_note_recorded(self);
    container_note_joined(self);
    container_peers_do_work(self);
    return OC_ERR_OK;
}

oc_err_t container_do_work(container_t *self, int *work)
{
    oc_err_t err = OC_ERR_OK;
    *work = 0;
    if (self->failure != OC_ERR_OK)
        return container_fail(self, self->failure);
    self->monotonic_ns = (int64_t)clock_wall_ns();
    int count = self->link.do_work(self->link.context);
    if (self->phase == CONTAINER_FINDING)
        err = find_module(self, &count);
    else if (self->phase == CONTAINER_RUNNING)
        err = run(self, &count);
    *work = count;
    if (err == OC_ERR_OK && self->failure == OC_ERR_OK) {
        *work += container_images_do_work(self);
        return OC_ERR_OK;
    }
    err = container_fail(self, err == OC_ERR_OK ? self->failure : err);
    if (self->diverged && self->role != OC_HOST_ACTIVE) {
        container_keep_diverged(self);
        err = container_fail(self, err);
    }
    return err;
}
