/*
 * Logons: which session speaks for which source. Called for LOGON requests and when sessions end.
 *
 * Invariant: a seat has a session exactly when the engine has that session live for the source; it
 * is set after SESSION_UP and cleared before SESSION_DOWN, so that what these commands cause
 * (pending work moves on) is kept, and reaches a new session as part of what it missed.
 */
#include "base/assert.h"
#include "service/exchange_internal.h"

static oc_command_t session_command(oc_command_type_t type, uint64_t session, uint32_t source)
{
    oc_command_t command = {.type = (uint8_t)type};
    command.u.session.id = (oc_session_id_t){session};
    command.u.session.source = (oc_source_id_t){source};
    return command;
}

void logon_end(exchange_t *self, uint32_t seat)
{
    const uint64_t session = self->sessions[self->seats[seat].session].id;
    seat_leave(self, seat);
    const oc_reason_t reason = exchange_host_command(
        self, session_command(OC_COMMAND_SESSION_DOWN, session, self->seats[seat].source));
    OC_ASSERT(reason == OC_REASON_NONE);
}

/* Why the session may not speak for the source; NONE when it may. */
static oc_reason_t refusal(exchange_t *self, const session_record_t *session, uint32_t seat,
                           uint64_t seen)
{
    if (seat == 0)
        return OC_REASON_UNKNOWN_SOURCE;
    const seat_record_t *record = &self->seats[seat];
    const bool bound = principal_valid(&record->principal);
    if (!bound || !principal_equal(&session->principal, &record->principal))
        return OC_REASON_NOT_ALLOWED;
    if (session->seat != 0 && session->seat != seat)
        return OC_REASON_SESSION_IN_USE;
    if (seen > record->outbound_sequence) /* it speaks of another log than this */
        return OC_REASON_INVALID_FIELD;
    return OC_REASON_NONE;
}

/* A newer session of the same principal takes over: the older one may be a connection that is dead
 * and does not know it. */
static oc_reason_t bring_up(exchange_t *self, uint32_t session, uint32_t seat)
{
    const uint32_t older = self->seats[seat].session;
    if (older) {
        logon_end(self, seat);
        oc_host_close_session(self->host, (oc_session_id_t){self->sessions[older].id});
    }
    const oc_reason_t reason = exchange_host_command(
        self, session_command(OC_COMMAND_SESSION_UP, self->sessions[session].id,
                              self->seats[seat].source));
    if (reason == OC_REASON_NONE)
        seat_take(self, seat, session);
    return reason;
}

static void reply(exchange_t *self, uint32_t session, const oc_request_t *request,
                  oc_reason_t reason)
{
    const oc_source_id_t source = request->u.logon.source;
    oc_response_t response = {.type = OC_RESPONSE_LOGON, .request_id = request->request_id};
    response.u.logon.source = source;
    response.u.logon.reason = (uint8_t)reason;
    oc_source_view_t view;
    if (reason == OC_REASON_NONE && oc_engine_source(self->engine, source, &view)) {
        response.u.logon.roles = view.roles;
        response.u.logon.sequence = view.sequence;
        response.u.logon.last_status = (uint8_t)view.last_status;
        response.u.logon.outbound_sequence =
            self->seats[self->sessions[session].seat].outbound_sequence;
    }
    outbox_respond(self, (oc_session_id_t){self->sessions[session].id}, &response);
}

void logon_request(exchange_t *self, uint32_t session, const oc_request_t *request)
{
    const uint64_t seen = request->u.logon.outbound_sequence;
    const uint32_t seat = seat_find(self, request->u.logon.source);
    oc_reason_t reason = refusal(self, &self->sessions[session], seat, seen);
    if (reason == OC_REASON_NONE && self->seats[seat].session != session)
        reason = bring_up(self, session, seat);
    reply(self, session, request, reason);
    if (reason == OC_REASON_NONE)
        outbox_resend(self, seat, seen, request->request_id);
}
