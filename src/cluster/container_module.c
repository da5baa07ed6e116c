/*
 * The protocol between the service and its consensus module: what the module says, the acks it
 * waits for, the log it wants followed, and the role that comes with it.
 *
 * Invariants: an ack's id is one more than that of the ack before, and its position exactly the one
 * asked for: the module takes no other. A new log is joined only when everything of the old one was
 * applied and it was left. What is said to the module keeps its order. Egress is sent only while
 * this member leads.
 */
#define _GNU_SOURCE
#include "cluster/container_internal.h"

#include "base/assert.h"
#include "base/error.h"
#include "cluster/module_counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

_Static_assert(CLUSTER_REQUEST_BYTES_MAX <= UINT8_MAX, "a length takes one byte");

/* ---- Telling ---- */

/* What is at the front moves down when the room behind is used up. */
static void make_room(container_queue_t *queue, size_t size)
{
    if (queue->end + size <= sizeof queue->bytes)
        return;
    memmove(queue->bytes, queue->bytes + queue->begin, queue->end - queue->begin);
    queue->end -= queue->begin;
    queue->begin = 0;
    OC_ASSERT(queue->end + size <= sizeof queue->bytes); /* container_queue_is_low() sees to it */
}

/* Now or in a coming cycle, in order. */
static void tell(container_t *self, const void *bytes, size_t length)
{
    container_queue_t *queue = &self->queue;
    OC_ASSERT(length > 0);
    OC_ASSERT(length <= CLUSTER_REQUEST_BYTES_MAX);
    if (queue->begin == queue->end && self->link.send(self->link.context, bytes, length))
        return;
    make_room(queue, length + 1);
    queue->bytes[queue->end++] = (uint8_t)length;
    memcpy(queue->bytes + queue->end, bytes, length);
    queue->end += length;
}

static int flush(container_t *self)
{
    container_queue_t *queue = &self->queue;
    int count = 0;
    while (queue->begin < queue->end) {
        const size_t length = queue->bytes[queue->begin];
        uint8_t bytes[CLUSTER_REQUEST_BYTES_MAX];
        memcpy(bytes, queue->bytes + queue->begin + 1, length);
        if (!self->link.send(self->link.context, bytes, length))
            break;
        queue->begin += length + 1;
        count++;
    }
    if (queue->begin == queue->end)
        queue->begin = queue->end = 0;
    return count;
}

/* While the module takes nothing, no entry is applied that could make it more. */
bool container_queue_is_low(const container_t *self)
{
    return self->queue.end - self->queue.begin < CONTAINER_QUEUE_LOW;
}

void container_ack(container_t *self, uint64_t position, int64_t relevant_id)
{
    uint8_t bytes[CLUSTER_REQUEST_BYTES_MAX];
    const cluster_ack_t ack = {
        .position = (int64_t)position,
        .timestamp = self->log.timestamp,
        .id = self->ack_id++,
        .relevant_id = relevant_id,
        .service = CONTAINER_SERVICE,
    };
    tell(self, bytes, cluster_encode_ack(&ack, bytes));
}

void container_close_session(container_t *self, oc_session_id_t session)
{
    uint8_t bytes[CLUSTER_REQUEST_BYTES_MAX];
    tell(self, bytes, cluster_encode_close_session((int64_t)session.value, bytes));
}

void container_ask_closes(container_t *self)
{
    const session_ledger_t *sessions = &self->replica.sessions;
    for (uint32_t i = 0; sessions->state->closing > 0 && i < sessions->state->count; i++)
        if (session_ledger_at(sessions, i)->closing)
            container_close_session(self, session_ledger_at(sessions, i)->id);
}

void container_set_timer(container_t *self, int64_t deadline)
{
    uint8_t bytes[CLUSTER_REQUEST_BYTES_MAX];
    const size_t length = cluster_encode_schedule_timer(CONTAINER_TIMER_ID, deadline, bytes);
    tell(self, bytes, length);
}

/* ---- The role ---- */

void container_tell_role(const container_t *self)
{
    printf("member %" PRIu64 ": %s: term %" PRId64 ", position %" PRIu64 "\n", self->config.id,
           self->role == OC_HOST_ACTIVE ? "leader" : "follower", self->log.leadership_term,
           self->log.position);
    (void)fflush(stdout);
}

static void connect_sessions(container_t *self)
{
    const session_ledger_t *sessions = &self->replica.sessions;
    for (uint32_t i = 0; i < sessions->state->count; i++) {
        const ledger_session_t *session = session_ledger_at(sessions, i);
        if (!replica_is_host_session(&session->open))
            egress_open(self->egress, session->id, &session->open);
    }
}

/*
 * A leader that has only just been started calls it the start of a whole cluster, even if it is
 * back so soon that the others elected it again. Its module takes clients for gone then: it closes
 * all sessions of before, and tells nobody. Clients that wait would find out by their timeouts, so
 * the service connects them and says it.
 */
static void become_leader(container_t *self)
{
    OC_ASSERT(self->role != OC_HOST_ACTIVE);
    self->role = OC_HOST_ACTIVE;
    egress_set_term(self->egress, self->log.leadership_term);
    self->orphans_below =
        self->join.control.startup ? self->replica.sessions.state->next_id : UINT64_C(0);
    connect_sessions(self);
    replica_activate(&self->replica, &self->outlet);
    container_ask_closes(self);
    /* The role is told with the entry that begins the term. */
}

static void become_follower(container_t *self)
{
    if (self->role == OC_HOST_FOLLOWER)
        return;
    self->role = OC_HOST_FOLLOWER;
    egress_close_all(self->egress);
    replica_follow(&self->replica);
    container_tell_role(self);
}

/* ---- Joining a log ---- */

static oc_err_t begin_join(container_t *self)
{
    container_join_t *join = &self->join;
    const uint64_t position = (uint64_t)join->control.position;
    if (position != self->log.position)
        return error_set(OC_ERR_DAMAGED,
                         "the module wants the log followed from position %" PRIu64
                         ", and it is applied up to %" PRIu64,
                         position, self->log.position);
    join->due = false;
    join->started = true;
    return self->link.join(self->link.context, join->channel, join->control.log_stream,
                           join->control.log_session);
}

static oc_err_t finish_join(container_t *self)
{
    container_join_t *join = &self->join;
    const uint64_t at = self->link.join_position(self->link.context);
    if (at != self->log.position)
        return error_set(OC_ERR_DAMAGED,
                         "the log was joined at position %" PRIu64 ", and %" PRIu64
                         " was asked for",
                         at, self->log.position);
    join->started = false;
    join->joined = true;
    join->max_position = (uint64_t)join->control.max_position;
    container_ack(self, self->log.position, CLUSTER_NULL_VALUE);
    if (join->control.role == MODULE_ROLE_LEADER)
        become_leader(self);
    else
        become_follower(self);
    return OC_ERR_OK;
}

/* Everything of the log up to where it is to be followed was applied: it is left. */
static void leave_log(container_t *self)
{
    self->join.joined = false;
    self->link.leave(self->link.context);
    if (self->role == OC_HOST_ACTIVE)
        become_follower(self);
}

static bool is_at_end(const container_t *self)
{
    const module_log_state_t state = self->link.log_state(self->link.context);
    return self->link.log_position(self->link.context) >= self->join.max_position ||
           state == MODULE_LOG_ENDED || state == MODULE_LOG_NONE;
}

/* Padding at the end of a log is no entry, and counts. */
static void take_end(container_t *self)
{
    const uint64_t position = self->link.log_position(self->link.context);
    if (position > self->log.position)
        log_applier_pass_padding(&self->log, position);
}

static oc_err_t drive_log(container_t *self, int *count)
{
    container_join_t *join = &self->join;
    if (join->joined && !self->snapshot_due && is_at_end(self)) {
        take_end(self);
        leave_log(self);
        ++*count;
    }
    if (join->started) {
        const module_log_state_t state = self->link.log_state(self->link.context);
        if (state == MODULE_LOG_NONE)
            return error_set(OC_ERR_TRANSPORT, "the log at %.200s cannot be joined", join->channel);
        if (state != MODULE_LOG_JOINING) {
            ++*count;
            return finish_join(self);
        }
        return OC_ERR_OK;
    }
    if (join->due && !join->joined) {
        ++*count;
        return begin_join(self);
    }
    return OC_ERR_OK;
}

/* ---- What the module says ---- */

static void take_join(container_t *self, const cluster_control_t *control)
{
    container_join_t *join = &self->join;
    if (control->channel.length >= sizeof join->channel) {
        (void)container_fail(self, error_set(OC_ERR_TOO_LONG,
                                             "the module names a log channel of %" PRIu32
                                             " characters, at most %zu are taken",
                                             control->channel.length, sizeof join->channel - 1));
        return;
    }
    if (join->started) { /* that one was given up */
        join->started = false;
        self->link.leave(self->link.context);
    }
    join->control = *control;
    memcpy(join->channel, control->channel.bytes, control->channel.length);
    join->channel[control->channel.length] = '\0';
    join->control.channel = (cluster_text_t){0};
    join->due = true;
    /* The old log is followed no further than where the new one begins. */
    if (join->joined && join->max_position > (uint64_t)control->position)
        join->max_position = (uint64_t)control->position;
}

static void on_control(void *context, const void *bytes, size_t length)
{
    container_t *self = context;
    cluster_control_t control;
    const codec_result_t result = cluster_control_decode(bytes, length, &control);
    if (result != OC_PROBLEM_NONE) {
        (void)container_fail(
            self, error_set(OC_ERR_FORMAT, "the module says something that is not of the "
                                           "protocol (schema 111): which version of Aeron is it?"));
        return;
    }
    switch (control.type) {
    case CLUSTER_CONTROL_JOIN_LOG:
        take_join(self, &control);
        break;
    case CLUSTER_CONTROL_TERMINATION:
        self->termination_due = true;
        self->termination_ack = control.acknowledge;
        self->termination_position = (uint64_t)control.position;
        break;
    case CLUSTER_CONTROL_REQUEST_ACK:
        self->ack_due = true;
        self->ack_position = (uint64_t)control.position;
        break;
    case CLUSTER_CONTROL_MEMBERS:
    case CLUSTER_CONTROL_OTHER:
        break;
    }
}

/* A module that ends out of order names position 0, which may be all that was applied. */
static void answer_termination(container_t *self)
{
    const uint64_t position = self->log.position;
    self->termination_due = false;
    if (self->termination_ack)
        container_ack(self, position, CLUSTER_NULL_VALUE);
    self->ending = position == self->termination_position && position > 0;
    if (!self->ending)
        (void)container_fail(self, error_set(OC_ERR_CLOSED,
                                             "the module ends out of order: at position %" PRIu64
                                             ", and the log is applied up to %" PRIu64,
                                             self->termination_position, position));
}

static void answer_requests(container_t *self)
{
    if (self->ack_due && self->log.position >= self->ack_position) {
        self->ack_due = false;
        container_ack(self, self->log.position, CLUSTER_NULL_VALUE);
    }
    if (self->termination_due && self->log.position >= self->termination_position)
        answer_termination(self);
    if (self->ending && self->queue.begin == self->queue.end)
        self->phase = CONTAINER_ENDED;
}

static void pass_over(void *context, const void *bytes, size_t length)
{
    (void)context, (void)bytes, (void)length;
}

/* A module says nothing to a service that it has not heard of. What comes before is of one that is
 * gone or about to go, and was meant for a service that died: its end must not become ours. */
void container_ignore_module(container_t *self)
{
    while (self->link.poll_control(self->link.context, pass_over, self) > 0) {
    }
}

int container_module_do_work(container_t *self)
{
    int count = flush(self);
    if (!self->snapshot_due)
        count += self->link.poll_control(self->link.context, on_control, self);
    if (self->failure != OC_ERR_OK)
        return count;
    const oc_err_t err = drive_log(self, &count);
    if (err != OC_ERR_OK)
        (void)container_fail(self, err);
    else
        answer_requests(self);
    return count;
}
