/*
 * A message of a session: its requests, one after the other.
 *
 * Called by the exchange for every message entry. Commands are collected and go to the engine
 * together, which is faster and gives the same; whatever answers without the engine, or looks at
 * the engine, first gives it what was collected, so that answers come in the order of the requests.
 * While nothing is sent (the log is applied again) they are held back even over entries, so that
 * recovery is as fast with messages of one order as with messages of many.
 *
 * A small request can have a long answer: all that is kept, or a page of orders. Nobody else is
 * served meanwhile, so one message gets one of each; each further one costs a reject, which is
 * shorter than the request. Which ones are taken is decided by the message and by who is logged on,
 * never by the role.
 *
 * Invariant: no command is left in the batch at the end while the host is active. Must not believe
 * anything in the bytes.
 */
#include "base/assert.h"
#include "codec/order_entry_codec.h"
#include "service/exchange_internal.h"

/* Sources come and go by these commands alone, and their seats with them: the event does not say
 * which source it was, so the engine is asked before and after. */
static oc_err_t apply_source_command(exchange_t *self, const oc_command_t *command)
{
    oc_source_view_t view;
    oc_err_t err = exchange_apply_batch(self);
    if (err != OC_ERR_OK)
        return err;
    const oc_source_id_t source = command->u.source.id;
    const bool before = oc_engine_source(self->engine, source, &view);
    err = exchange_apply(self, command);
    const bool after = oc_engine_source(self->engine, source, &view);
    if (!before && after)
        seat_add(self, source);
    if (before && !after)
        seat_remove(self, seat_find(self, source));
    return err;
}

/* The one command that can end the host does so in its own entry. */
static oc_err_t apply_configure(exchange_t *self, const oc_command_t *command)
{
    const oc_err_t err = exchange_apply_batch(self);
    return err == OC_ERR_OK ? exchange_apply(self, command) : err;
}

static inline oc_err_t take_command(exchange_t *self, uint32_t seat, oc_command_t *command)
{
    command->source = (oc_source_id_t){self->seats[seat].source};
    command->time_ns = self->now.time_ns;
    if (UNLIKELY(command->type >= OC_COMMAND_SOURCE_ADD)) {
        if (command->type == OC_COMMAND_SOURCE_ADD || command->type == OC_COMMAND_SOURCE_RETIRE)
            return apply_source_command(self, command);
        if (command->type == OC_COMMAND_CONFIGURE)
            return apply_configure(self, command);
    }
    self->batch[self->batch_count] = *command;
    self->batch_at[self->batch_count++] = self->now;
    return self->batch_count == EXCHANGE_BATCH ? exchange_apply_batch(self) : OC_ERR_OK;
}

static void reject(exchange_t *self, oc_session_id_t session, oc_problem_t problem, size_t offset,
                   uint16_t template_id)
{
    oc_response_t response = {.type = OC_RESPONSE_MESSAGE_REJECTED};
    response.u.message_rejected.position = self->now.position;
    response.u.message_rejected.offset = (uint32_t)offset;
    response.u.message_rejected.template_id = template_id;
    response.u.message_rejected.problem = (uint8_t)problem;
    outbox_respond(self, session, &response);
}

/* One live order as its source is told about it. */
static oc_response_t order_response(const oc_order_view_t *view, uint64_t request_id)
{
    oc_response_t response = {.type = OC_RESPONSE_ORDER_STATUS, .request_id = request_id};
    response.u.order.instrument = view->instrument;
    response.u.order.side = (uint8_t)view->side;
    response.u.order.time_in_force = (uint8_t)view->time_in_force;
    response.u.order.flags = view->flags;
    response.u.order.client_order_id = view->client_order_id;
    response.u.order.order_id = view->order_id;
    response.u.order.price_ticks = view->price_ticks;
    response.u.order.open_lots = view->open_lots;
    response.u.order.executed_lots = view->executed_lots;
    return response;
}

static void order_status(exchange_t *self, oc_session_id_t session, uint32_t seat,
                         const oc_request_t *request)
{
    const uint32_t limit = request->u.order_status.limit;
    const oc_source_id_t source = {self->seats[seat].source};
    oc_response_t end = {.type = OC_RESPONSE_ORDER_STATUS_END, .request_id = request->request_id};
    oc_source_view_t view;
    if (limit == 0 || limit > OC_ORDER_STATUS_MAX) {
        end.u.order_status_end.reason = OC_REASON_INVALID_FIELD;
        outbox_respond(self, session, &end);
        return;
    }
    const size_t found = oc_engine_source_orders(
        self->engine, source, request->u.order_status.after,
        request->u.order_status.after_client_order_id, self->orders, limit + 1);
    const size_t count = found > limit ? limit : found;
    for (size_t i = 0; i < count; i++) {
        const oc_response_t order = order_response(&self->orders[i], request->request_id);
        outbox_respond(self, session, &order);
    }
    if (count) {
        end.u.order_status_end.last = self->orders[count - 1].order_id;
        end.u.order_status_end.last_client_order_id = self->orders[count - 1].client_order_id;
    }
    end.u.order_status_end.count = (uint32_t)count;
    end.u.order_status_end.more = found > limit;
    if (oc_engine_source(self->engine, source, &view))
        end.u.order_status_end.sequence = view.sequence;
    end.u.order_status_end.outbound_sequence = self->seats[seat].outbound_sequence;
    outbox_respond(self, session, &end);
}

static oc_reason_t bind_principal(exchange_t *self, const oc_request_t *request)
{
    const uint32_t seat = seat_find(self, request->u.principal.source);
    if (seat == 0)
        return OC_REASON_UNKNOWN_SOURCE;
    if (!principal_valid(&request->u.principal.principal))
        return OC_REASON_INVALID_FIELD;
    if (self->seats[seat].session)
        return OC_REASON_SOURCE_BUSY;
    seat_bind(self, seat, &request->u.principal.principal);
    return OC_REASON_NONE;
}

/* PRINCIPAL and STOP: an administrator's, answered by REPLY. */
static void administer(exchange_t *self, oc_session_id_t session, uint32_t seat,
                       const oc_request_t *request)
{
    const bool stop = request->type == OC_REQUEST_STOP;
    oc_response_t reply = {.type = OC_RESPONSE_REPLY, .request_id = request->request_id};
    oc_reason_t reason = OC_REASON_NOT_ALLOWED;
    oc_source_view_t view;
    const oc_source_id_t source = {self->seats[seat].source};
    if (oc_engine_source(self->engine, source, &view) && (view.roles & OC_ROLE_ADMIN))
        reason = stop ? OC_REASON_NONE : bind_principal(self, request);
    reply.u.reply.reason = (uint8_t)reason;
    outbox_respond(self, session, &reply);
    if (stop && reason == OC_REASON_NONE)
        oc_host_stop(self->host); /* after this entry, so the reply is sent */
}

/* What of a message has been taken that it may hold once. */
typedef struct taken {
    bool logon;
    bool order_status;
} taken_t;

/* A request that is not a command of who is logged on. */
static oc_problem_t take_request(exchange_t *self, uint32_t session, const oc_request_t *request,
                                 taken_t *taken)
{
    const session_record_t *record = &self->sessions[session];
    if (request->type == OC_REQUEST_LOGON && session != 0) {
        if (taken->logon)
            return OC_PROBLEM_TOO_MANY;
        taken->logon = true;
        logon_request(self, session, request);
        return OC_PROBLEM_NONE;
    }
    if (record->seat == 0 || request->type == OC_REQUEST_COMMAND)
        return OC_PROBLEM_NOT_LOGGED_ON;
    if (request->type != OC_REQUEST_ORDER_STATUS) {
        administer(self, (oc_session_id_t){record->id}, record->seat, request);
        return OC_PROBLEM_NONE;
    }
    if (taken->order_status)
        return OC_PROBLEM_TOO_MANY;
    taken->order_status = true;
    order_status(self, (oc_session_id_t){record->id}, record->seat, request);
    return OC_PROBLEM_NONE;
}

/* Index 0, which has no seat, stands for a session that is not known (their table was full). */
oc_err_t requests_apply(exchange_t *self, oc_session_id_t id, const uint8_t *bytes, size_t length)
{
    const uint32_t session = session_find(self, id);
    oc_err_t err = OC_ERR_OK;
    size_t size = 0;
    taken_t taken = {.logon = false};
    OC_ASSERT(self->batch_count < EXCHANGE_BATCH);
    for (size_t offset = 0; offset < length && err == OC_ERR_OK; offset += size) {
        oc_request_t request;
        uint16_t template_id = 0;
        oc_problem_t problem =
            order_entry_decode(bytes + offset, length - offset, &request, &size, &template_id);
        OC_ASSERT(size != 0);
        OC_ASSERT(size <= length - offset);
        const uint32_t seat = self->sessions[session].seat;
        if (LIKELY(problem == OC_PROBLEM_NONE) && LIKELY(request.type == OC_REQUEST_COMMAND) &&
            LIKELY(seat != 0)) {
            err = take_command(self, seat, &request.u.command);
            continue;
        }
        err = exchange_apply_batch(self);
        if (problem == OC_PROBLEM_NONE)
            problem = take_request(self, session, &request, &taken);
        if (problem != OC_PROBLEM_NONE)
            reject(self, id, problem, offset, template_id);
        if (problem == OC_PROBLEM_SCHEMA) /* the size, too, was somebody else's */
            break;
    }
    if (err != OC_ERR_OK || !self->sending)
        return err;
    return exchange_apply_batch(self);
}
