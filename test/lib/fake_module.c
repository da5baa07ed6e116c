/*
 * A consensus module in memory. Used by the tests of the container.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/fake_module.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* ---- What it is told ---- */

/* An ack's id is the next one; where it must be is the test's to say. */
static void take_ack(fake_module_t *self, const cluster_ack_t *ack)
{
    assert_int_equal(ack->id, self->acks);
    assert_int_equal(ack->service, 0);
    self->acks++;
    self->last_ack = *ack;
}

static void take_request(fake_module_t *self, const cluster_request_t *request)
{
    switch (request->type) {
    case CLUSTER_REQUEST_ACK:
        take_ack(self, &request->ack);
        break;
    case CLUSTER_REQUEST_SCHEDULE_TIMER:
        assert_int_equal(request->correlation_id, 1);
        if (self->timer_expired > 0) {
            self->timer_expired--;
            break;
        }
        self->timer_set = true;
        self->timer_deadline = request->deadline;
        break;
    case CLUSTER_REQUEST_CLOSE_SESSION:
    case CLUSTER_REQUEST_MEMBERS_QUERY:
        break;
    }
}

static bool link_send(void *context, const void *bytes, size_t length)
{
    fake_module_t *self = context;
    if (self->send_refusals > 0) {
        self->send_refusals--;
        return false;
    }
    assert_true(self->request_count < FAKE_MODULE_REQUESTS);
    cluster_request_t *request = &self->requests[self->request_count];
    assert_int_equal(cluster_request_decode(bytes, length, request), OC_PROBLEM_NONE);
    self->request_count++;
    take_request(self, request);
    return true;
}

uint32_t fake_module_told(const fake_module_t *self, cluster_request_type_t type, uint32_t from)
{
    uint32_t count = 0;
    for (uint32_t i = from; i < self->request_count; i++)
        count += self->requests[i].type == type;
    return count;
}

static bool link_toggle(void *context, int64_t value)
{
    fake_module_t *self = context;
    if (self->toggle_refused)
        return false;
    self->toggled = value;
    return true;
}

/* ---- What it says ---- */

static int link_do_work(void *context)
{
    fake_module_t *self = context;
    atomic_fetch_add_explicit(&self->works, 1, memory_order_relaxed);
    return 0;
}

static oc_err_t link_find(void *context, bool *found, module_recovery_t *recovery)
{
    fake_module_t *self = context;
    *found = self->there;
    *recovery = self->recovery;
    return self->of_another_cluster ? error_set(OC_ERR_REFUSED, "of another cluster") : OC_ERR_OK;
}

static bool link_alive(void *context)
{
    return !((fake_module_t *)context)->gone;
}

static int64_t link_client_id(void *context)
{
    (void)context;
    return FAKE_MODULE_CLIENT;
}

void fake_module_say(fake_module_t *self, const void *bytes, size_t length)
{
    assert_true(self->control_count < FAKE_MODULE_CONTROLS);
    fake_control_t *control = &self->controls[self->control_count++];
    assert_true(length <= sizeof control->bytes);
    memcpy(control->bytes, bytes, length);
    control->length = length;
}

static void say(fake_module_t *self, const cluster_control_t *control)
{
    uint8_t bytes[FAKE_MODULE_CONTROL_BYTES];
    const size_t length = cluster_control_encode(control, bytes, sizeof bytes);
    assert_true(length > 0);
    fake_module_say(self, bytes, length);
}

void fake_module_join(fake_module_t *self, uint64_t position, uint64_t max_position, bool startup,
                      bool leader)
{
    const cluster_control_t control = {.type = CLUSTER_CONTROL_JOIN_LOG,
                                       .position = (int64_t)position,
                                       .max_position = (int64_t)max_position,
                                       .log_session = 100 + (int32_t)self->control_count,
                                       .log_stream = startup ? 103 : 100,
                                       .role = leader ? 2 : 0,
                                       .startup = startup,
                                       .channel = {.bytes = "aeron:ipc?log", .length = 13}};
    say(self, &control);
}

void fake_module_terminate(fake_module_t *self, uint64_t position, bool acknowledge)
{
    const cluster_control_t control = {.type = CLUSTER_CONTROL_TERMINATION,
                                       .position = (int64_t)position,
                                       .acknowledge = acknowledge};
    say(self, &control);
}

void fake_module_request_ack(fake_module_t *self, uint64_t position)
{
    const cluster_control_t control = {.type = CLUSTER_CONTROL_REQUEST_ACK,
                                       .position = (int64_t)position};
    say(self, &control);
}

static int link_poll_control(void *context, module_control_handler_t handler, void *handler_context)
{
    fake_module_t *self = context;
    if (self->control_next == self->control_count)
        return 0;
    const fake_control_t *control = &self->controls[self->control_next++];
    handler(handler_context, control->bytes, control->length);
    return 1;
}

/* ---- The log ---- */

/* The module reads the log before its service can. */
static void read_entry(fake_module_t *self, const made_entry_t *made)
{
    cluster_log_entry_t entry;
    if (cluster_log_decode(made->bytes, made->length, &entry) != OC_PROBLEM_NONE ||
        entry.type != CLUSTER_LOG_TIMER)
        return;
    if (!self->timer_set)
        self->timer_expired++;
    self->timer_set = false;
}

void fake_module_commit_to(fake_module_t *self, uint64_t position)
{
    self->commit = position;
    while (self->read < self->log->count && self->log->entries[self->read].position <= position)
        read_entry(self, &self->log->entries[self->read++]);
}

void fake_module_commit(fake_module_t *self)
{
    fake_module_commit_to(self, self->log->position);
}

static oc_err_t link_join(void *context, const char *channel, int32_t stream, int32_t session)
{
    fake_module_t *self = context;
    assert_int_equal(self->state, MODULE_LOG_NONE);
    self->joins++;
    self->join_stream = stream;
    self->join_session = session;
    (void)snprintf(self->join_channel, sizeof self->join_channel, "%s", channel);
    self->state = MODULE_LOG_JOINING;
    return OC_ERR_OK;
}

/* Where the service is to be, unless the test says otherwise: where the module last sent it. */
static uint64_t asked_position(const fake_module_t *self)
{
    cluster_control_t control;
    uint64_t position = 0;
    for (uint32_t i = 0; i < self->control_next; i++)
        if (cluster_control_decode(self->controls[i].bytes, self->controls[i].length, &control) ==
                OC_PROBLEM_NONE &&
            control.type == CLUSTER_CONTROL_JOIN_LOG)
            position = (uint64_t)control.position;
    return position;
}

static void take_log(fake_module_t *self)
{
    self->state = MODULE_LOG_JOINED;
    self->joined = self->join_at == UINT64_MAX ? asked_position(self) : self->join_at;
    self->polled = self->joined;
    for (self->next = 0;
         self->next < self->log->count && self->log->entries[self->next].position <= self->joined;)
        self->next++;
}

static module_log_state_t link_log_state(void *context)
{
    fake_module_t *self = context;
    if (self->state == MODULE_LOG_JOINING) {
        if (self->join_fails)
            self->state = MODULE_LOG_NONE;
        else if (self->join_delay == 0)
            take_log(self);
        else if (self->join_delay != UINT32_MAX)
            self->join_delay--;
    }
    if (self->state == MODULE_LOG_JOINED && self->polled >= self->log_end)
        self->state = MODULE_LOG_ENDED;
    return self->state;
}

static uint64_t link_join_position(void *context)
{
    return ((const fake_module_t *)context)->joined;
}

/* Padding at the end of what is committed is polled, too. */
static uint64_t link_log_position(void *context)
{
    return ((const fake_module_t *)context)->polled;
}

static bool has_next(const fake_module_t *self)
{
    return self->next < self->log->count &&
           self->log->entries[self->next].position <= self->commit &&
           self->log->entries[self->next].position <= self->log_end;
}

static void poll_padding(fake_module_t *self)
{
    const bool at_end = self->next == self->log->count;
    const uint64_t end = at_end ? self->log->position : self->log->entries[self->next].start;
    if (end <= self->commit && end <= self->log_end && end > self->polled)
        self->polled = end;
}

static int link_poll_log(void *context, module_log_handler_t handler, void *handler_context,
                         size_t limit)
{
    fake_module_t *self = context;
    int count = 0;
    if (self->state != MODULE_LOG_JOINED)
        return 0;
    if (self->poll_fails) {
        (void)error_set(OC_ERR_TRANSPORT, "as asked for");
        return -1;
    }
    while ((size_t)count < limit && has_next(self)) {
        const made_entry_t *entry = &self->log->entries[self->next++];
        self->polled = entry->position;
        count++;
        if (!handler(handler_context, entry->bytes, entry->length, entry->position))
            return count;
    }
    if ((size_t)count < limit)
        poll_padding(self);
    return count;
}

static void link_leave(void *context)
{
    fake_module_t *self = context;
    self->leaves++;
    self->state = MODULE_LOG_NONE;
    self->log_end = UINT64_MAX;
}

/* ---- The archive ---- */

static bool link_recorded(void *context, int64_t *recording, uint64_t *position)
{
    const fake_module_t *self = context;
    *recording = self->recording;
    *position = self->recorded;
    return self->recorded_known;
}

static oc_err_t snapshot_call(fake_module_t *self)
{
    self->snapshot_calls++;
    if (self->snapshot_calls != self->snapshot_fails)
        return OC_ERR_OK;
    self->snapshot_open = false;
    return error_set(OC_ERR_TRANSPORT, "call %u as asked for", (unsigned)self->snapshot_calls);
}

static oc_err_t link_snapshot_begin(void *context)
{
    fake_module_t *self = context;
    assert_false(self->snapshot_open);
    self->snapshot_open = true;
    message_tape_clear(&self->tape);
    message_tape_init(&self->tape);
    return snapshot_call(self);
}

static oc_err_t link_snapshot_put(void *context, const void *bytes, size_t length)
{
    fake_module_t *self = context;
    assert_true(self->snapshot_open);
    const oc_err_t err = snapshot_call(self);
    return err == OC_ERR_OK ? message_tape_take(&self->tape, bytes, length) : err;
}

static oc_err_t link_snapshot_end(void *context, int64_t *recording)
{
    fake_module_t *self = context;
    assert_true(self->snapshot_open);
    const oc_err_t err = snapshot_call(self);
    self->snapshot_open = false;
    if (err == OC_ERR_OK)
        *recording = FAKE_MODULE_SNAPSHOT + self->snapshots++;
    return err;
}

static void link_snapshot_abandon(void *context)
{
    fake_module_t *self = context;
    self->abandoned++;
    self->snapshot_open = false;
}

/* ---- Life ---- */

void fake_module_init(fake_module_t *self, log_maker_t *log)
{
    memset(self, 0, sizeof *self);
    self->log = log;
    self->join_at = UINT64_MAX;
    self->log_end = UINT64_MAX;
    self->recovery = (module_recovery_t){.leadership_term = CLUSTER_NULL_VALUE, .snapshot = -1};
    message_tape_init(&self->tape);
}

void fake_module_fini(fake_module_t *self)
{
    message_tape_clear(&self->tape);
}

void fake_module_start(fake_module_t *self)
{
    self->there = true;
}

void fake_module_start_at(fake_module_t *self, int64_t term, uint64_t position, int64_t timestamp,
                          int64_t snapshot)
{
    self->there = true;
    self->recovery = (module_recovery_t){.leadership_term = term,
                                         .position = (int64_t)position,
                                         .timestamp = timestamp,
                                         .snapshot = snapshot};
    while (self->read < self->log->count && self->log->entries[self->read].position <= position)
        self->read++; /* the module's own snapshot has those */
}

module_link_t fake_module_link(fake_module_t *self)
{
    return (module_link_t){
        .context = self,
        .do_work = link_do_work,
        .find = link_find,
        .alive = link_alive,
        .client_id = link_client_id,
        .send = link_send,
        .poll_control = link_poll_control,
        .join = link_join,
        .log_state = link_log_state,
        .join_position = link_join_position,
        .log_position = link_log_position,
        .poll_log = link_poll_log,
        .leave = link_leave,
        .recorded = link_recorded,
        .snapshot_begin = link_snapshot_begin,
        .snapshot_put = link_snapshot_put,
        .snapshot_end = link_snapshot_end,
        .snapshot_abandon = link_snapshot_abandon,
        .toggle = link_toggle,
    };
}
