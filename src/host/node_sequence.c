/*
 * Sequencing: whatever happens becomes an entry of the journal and is applied at once; what the
 * service sends goes to the gateway with the position that it must wait for. Called by the duty
 * cycle, and by the gateway through its sink.
 *
 * Invariants: an entry is applied exactly once, right behind its commit, before anything else is
 * claimed; the time of entries never falls; nothing is appended while an entry is being applied.
 * Nothing here sends: the gateway does, once the position is durable.
 */
#include "host/node_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>

#define CLOSE_TOLD_INTERVAL_NS INT64_C(1000000000)

void node_read_clocks(node_t *self)
{
    const int64_t real_ns = clock_real_ns();
    /* The system's clock may be set back; the log's may not. */
    if (real_ns > self->now_ns)
        self->now_ns = real_ns;
    if (self->replica.entry.time_ns > self->now_ns)
        self->now_ns = self->replica.entry.time_ns;
    self->monotonic_ns = (int64_t)clock_wall_ns();
}

oc_err_t node_fail(node_t *self, oc_err_t err)
{
    OC_ASSERT(err != OC_ERR_OK);
    if (self->failure == OC_ERR_OK) {
        self->failure = err;
        (void)snprintf(self->failure_text, sizeof self->failure_text, "%s", oc_err_context());
    }
    return error_set(self->failure, "%s", self->failure_text);
}

bool node_sequence(node_t *self, log_record_t *record)
{
    if (self->replica.applying || self->failure != OC_ERR_OK)
        return false;
    void *payload =
        journal_claim(self->journal, (uint8_t)record->type, log_record_size(record), self->now_ns);
    if (!payload)
        return false;
    log_record_encode(record, payload);
    const log_position_t position = journal_commit(self->journal);
    OC_ASSERT(position.value > self->position);
    self->position = position.value;
    self->last_entry_ns = self->monotonic_ns;
    /* The payload stays where it is until the next claim, so the service reads it in place. */
    const oc_log_entry_t entry = {
        .position = position.value, .term = journal_term(self->journal), .time_ns = self->now_ns};
    const oc_err_t err = replica_apply(&self->replica, &entry, record);
    if (err != OC_ERR_OK)
        (void)node_fail(self, err);
    return true;
}

/* A client chose its name, and it may go to a terminal: what is not plain is shown as a dot. */
static void plain_name(const oc_principal_t *principal, char text[OC_PRINCIPAL_SIZE + 1])
{
    size_t length = 0;
    for (; length < OC_PRINCIPAL_SIZE && principal->name[length] != '\0'; length++) {
        const char character = principal->name[length];
        text[length] = (char)(character > ' ' && character <= '~' ? character : '.');
    }
    text[length] = '\0';
}

/* One line each so often: clients that come and go must not fill a disk. */
static void tell_close(node_t *self, oc_session_id_t session, const gateway_open_t *open,
                       oc_close_reason_t reason)
{
    char name[OC_PRINCIPAL_SIZE + 1];
    const char *why = reason == OC_CLOSE_SLOW ? "slow, it did not take what it was sent"
                                              : "timeout, nothing was heard of it";
    if (reason != OC_CLOSE_TIMEOUT && reason != OC_CLOSE_SLOW)
        return;
    if (self->monotonic_ns < self->close_told_next_ns) {
        self->closes_untold++;
        return;
    }
    plain_name(&open->principal, name);
    if (open->channel_length == 0) /* of an import, which knows no names */
        (void)fprintf(
            stderr, "outcry: session %" PRIu64 " is closed: imported: its client must log on again",
            session.value);
    else
        (void)fprintf(stderr, "outcry: session %" PRIu64 " of %s is closed: %s", session.value,
                      name, why);
    if (self->closes_untold > 0)
        (void)fprintf(stderr, " (%" PRIu64 " more since the last such line)", self->closes_untold);
    (void)fprintf(stderr, "\n");
    self->closes_untold = 0;
    self->close_told_next_ns = self->monotonic_ns + CLOSE_TOLD_INTERVAL_NS;
}

bool node_sequence_close(node_t *self, oc_session_id_t session, oc_close_reason_t reason)
{
    const ledger_session_t *open = session_ledger_find(&self->replica.sessions, session);
    if (!open)
        return true;
    const gateway_open_t opened = open->open; /* gone when the entry is applied */
    log_record_t record = {.type = LOG_SESSION_CLOSE, .session = session, .reason = reason};
    if (!node_sequence(self, &record))
        return false;
    tell_close(self, session, &opened, reason);
    return true;
}

/* ---- What clients do (gateway_sink_t) ---- */

static oc_session_id_t sink_reserve(void *context)
{
    node_t *self = context;
    return (oc_session_id_t){self->next_session++};
}

static bool sink_open(void *context, oc_session_id_t session, const gateway_open_t *open)
{
    node_t *self = context;
    OC_ASSERT(session.value < self->next_session);
    if (self->replica.sessions.state->count == self->replica.sessions.capacity)
        return false;
    log_record_t record = {.type = LOG_SESSION_OPEN, .session = session, .open = open};
    return node_sequence(self, &record);
}

static bool sink_message(void *context, oc_session_id_t session, const void *bytes, size_t length)
{
    node_t *self = context;
    OC_ASSERT(length <= self->config.message_bytes_max);
    if (!session_ledger_find(&self->replica.sessions, session))
        return true; /* closed in this very cycle: nobody is there to answer */
    log_record_t record = {
        .type = LOG_MESSAGE, .session = session, .bytes = bytes, .length = (uint32_t)length};
    return node_sequence(self, &record);
}

static bool sink_close(void *context, oc_session_id_t session, oc_close_reason_t reason)
{
    node_t *self = context;
    OC_ASSERT(reason >= OC_CLOSE_CLIENT && reason <= OC_CLOSE_SLOW);
    return node_sequence_close(self, session, reason);
}

/* ---- What comes of it (replica_outlet_t) ---- */

void node_mark_unreachable(node_t *self, oc_session_id_t session)
{
    OC_ASSERT(self->unreachable_count < self->config.max_sessions);
    self->unreachable[self->unreachable_count++] = session;
}

static void outlet_opened(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                          const gateway_open_t *open)
{
    node_t *self = context;
    if (!gateway_session_opened(self->gateway, session, open, entry->position))
        node_mark_unreachable(self, session);
}

static void outlet_closed(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                          oc_close_reason_t reason)
{
    node_t *self = context;
    gateway_session_closed(self->gateway, session, reason, entry->position);
}

static void outlet_send(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                        const void *bytes, size_t length)
{
    node_t *self = context;
    gateway_send(self->gateway, session, bytes, length, entry->position, entry->time_ns);
}

static void outlet_stop(void *context)
{
    node_stop(context);
}

void node_sequence_init(node_t *self)
{
    self->sink = (gateway_sink_t){
        .context = self,
        .open = sink_open,
        .message = sink_message,
        .close = sink_close,
        .reserve_session = sink_reserve,
    };
    self->outlet = (replica_outlet_t){
        .context = self,
        .opened = outlet_opened,
        .closed = outlet_closed,
        .send = outlet_send,
        .stop = outlet_stop,
    };
}
