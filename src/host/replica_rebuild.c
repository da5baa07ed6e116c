/*
 * Timers and sessions of a state that was written without its tables. Called once for a replica,
 * behind its service's restore().
 *
 * Invariants: what is built is what the log would have led to, but for where things lie in the
 * arena; no session that was never used is open. It must not ask the service for anything but its
 * open sessions and its state hash.
 */
#include "host/replica_rebuild.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>

static oc_err_t add_timers(replica_t *self, const replica_rebuild_t *from)
{
    const uint32_t count = from->header->timer_count;
    if (count > self->timers.capacity)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "the state has %" PRIu32 " timers, max_timers = %" PRIu32 ": raise it",
                         count, self->timers.capacity);
    for (uint32_t i = 0; i < count; i++)
        if (!timer_queue_schedule(&self->timers, (oc_timer_id_t){from->timers[i].id},
                                  from->timers[i].deadline_ns))
            return error_set(OC_ERR_DAMAGED, "the state's timers cannot be right");
    if (self->timers.state->count < count)
        return error_set(OC_ERR_DAMAGED, "a timer is in the state twice");
    return OC_ERR_OK;
}

static oc_err_t add_session(replica_t *self, const replica_rebuild_t *from, oc_session_id_t session,
                            const gateway_open_t *open)
{
    if (session.value >= from->header->next_session)
        return error_set(OC_ERR_DAMAGED, "session %" PRIu64 " of the state was never used",
                         session.value);
    if (session_ledger_add(&self->sessions, session, open))
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_CONFIG,
                     "the state has more sessions open than max_sessions = %" PRIu32 ": raise it",
                     self->sessions.capacity);
}

/* The highest id that was ever used is known, also if that session is gone. */
static void note_last_session(replica_t *self, uint64_t next_session)
{
    static const gateway_open_t nowhere;
    const oc_session_id_t last = {next_session - 1};
    if (last.value == 0)
        return;
    const bool added = session_ledger_add(&self->sessions, last, &nowhere);
    OC_ASSERT(added);
    session_ledger_remove(&self->sessions, last);
}

static bool next_of_service(const replica_t *self, oc_session_id_t *session)
{
    const oc_service_t *service = self->service;
    return service->next_session && service->next_session(service->context, *session, session);
}

static oc_err_t add_unreachable(replica_t *self, const replica_rebuild_t *from)
{
    static const gateway_open_t nowhere;
    oc_session_id_t session = {0};
    oc_err_t err = OC_ERR_OK;
    while (err == OC_ERR_OK && next_of_service(self, &session))
        err = add_session(self, from, session, &nowhere);
    return err;
}

static oc_err_t check_sessions_of_service(const replica_t *self)
{
    oc_session_id_t session = {0};
    while (next_of_service(self, &session)) {
        const ledger_session_t *open = session_ledger_find(&self->sessions, session);
        if (!open || replica_is_host_session(&open->open))
            return error_set(OC_ERR_DAMAGED,
                             "session %" PRIu64 " is open in the service's state, and is not among "
                             "the sessions that are open",
                             session.value);
    }
    return OC_ERR_OK;
}

static oc_err_t add_reachable(replica_t *self, const replica_rebuild_t *from)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < from->session_count; i++) {
        const ledger_session_t *session = &from->sessions[i];
        if (session->id.value <= last)
            return error_set(OC_ERR_DAMAGED, "the sessions of the state are not in their order");
        last = session->id.value;
        const oc_err_t err = add_session(self, from, session->id, &session->open);
        if (err != OC_ERR_OK)
            return err;
        if (session->closing)
            session_ledger_mark_closing(&self->sessions, session->id);
    }
    return check_sessions_of_service(self);
}

oc_err_t replica_rebuild(replica_t *self, const replica_rebuild_t *from)
{
    const state_file_header_t *header = from->header;
    OC_ASSERT(self->entries == 0);
    OC_ASSERT(header->next_session > 0);
    oc_err_t err = add_timers(self, from);
    if (err != OC_ERR_OK)
        return err;
    note_last_session(self, header->next_session);
    err = from->unreachable ? add_unreachable(self, from) : add_reachable(self, from);
    if (err != OC_ERR_OK)
        return err;
    const uint64_t hash = replica_state_hash(self);
    if (hash != header->state_hash)
        return error_set(OC_ERR_DAMAGED,
                         "the imported state has the hash %016" PRIx64
                         ", the exported one %016" PRIx64
                         ": take it once more from where it was taken; if that helps nothing, the "
                         "service does not restore all that its hash covers",
                         hash, header->state_hash);
    const oc_log_entry_t last = {
        .position = from->position, .term = header->term, .time_ns = header->time_ns};
    return replica_restored(self, &last, header->entries);
}

void replica_rebuild_header(const replica_t *self, state_file_header_t *header)
{
    OC_ASSERT(!self->applying);
    OC_ASSERT(self->entries > 0);
    *header = (state_file_header_t){
        .term = self->entry.term,
        .time_ns = self->entry.time_ns,
        .entries = self->entries,
        .state_hash = replica_state_hash(self),
        .next_session = self->sessions.state->next_id,
    };
}
