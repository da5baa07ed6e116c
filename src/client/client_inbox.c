/*
 * Reads what comes on egress and keeps the promise of the handler: outputs in outbound sequence,
 * each once. Called by the link's poll.
 *
 * An output at or below the last one is a repeat and is dropped; one that jumps ahead is dropped as
 * well, and a logon makes the venue send all from the missing one on. Nothing here opens or closes
 * the link; client_session does afterwards.
 */
#include "client/client_inbox.h"

#include "base/assert.h"
#include "codec/events_codec.h"

#include <inttypes.h>

/* A logon that failed because of something that passes is tried again after this. */
#define LOGON_PAUSE_NS INT64_C(250000000)
/* Between logons that a disorder in the outputs asks for. */
#define DISORDER_PAUSE_NS INT64_C(50000000)

uint64_t client_inbox_answered(const oc_event_t *event)
{
    switch (event->type) {
    case OC_EVENT_REJECTED:
        /* These two say something else with `sequence`, and the command is not done with. */
        if (event->reason == OC_REASON_SEQUENCE_GAP ||
            event->reason == OC_REASON_DUPLICATE_SEQUENCE)
            return 0;
        return event->sequence;
    case OC_EVENT_ACCEPTED:
    case OC_EVENT_CANCELLED:
    case OC_EVENT_EXPIRED:
    case OC_EVENT_MODIFIED:
    case OC_EVENT_CONFIRMED:
        return event->sequence;
    default: /* elsewhere the field is a trade id, or zero */
        return 0;
    }
}

static void deliver(client_session_t *self, const oc_response_t *response)
{
    self->handler(self->handler_context, response);
}

/* After a gap, what was taken and is still unanswered when all kept outputs are there was answered
 * by those that are gone. */
static void check_caught_up(client_session_t *self)
{
    if (self->gap && self->outbound_sequence >= self->catch_up) {
        self->gap = false;
        client_outbox_answer(&self->outbox, self->taken);
    }
}

static void on_output(client_session_t *self, const oc_response_t *response)
{
    const oc_output_t *output = &response->u.output;
    if (output->outbound_sequence <= self->outbound_sequence) {
        self->counts.repeats++;
        return;
    }
    if (output->outbound_sequence != self->outbound_sequence + 1) {
        if (self->phase == CLIENT_READY)
            client_session_log_on_again(self, DISORDER_PAUSE_NS);
        return;
    }
    self->outbound_sequence++;
    self->counts.outputs++;
    const uint64_t sequence = client_inbox_answered(&output->event);
    if (sequence != 0)
        client_outbox_answer(&self->outbox, sequence);
    check_caught_up(self);
    deliver(self, response);
    if (output->event.type == OC_EVENT_REJECTED && output->event.reason == OC_REASON_SEQUENCE_GAP &&
        self->phase == CLIENT_READY)
        client_session_log_on_again(self, DISORDER_PAUSE_NS);
}

static void on_logon_refused(client_session_t *self, const oc_response_t *response)
{
    const oc_reason_t reason = (oc_reason_t)response->u.logon.reason;
    if (reason == OC_REASON_SESSION_IN_USE || reason == OC_REASON_SOURCE_BUSY) {
        /* Our own former session may still be there: the venue notices in time. */
        client_session_log_on_again(self, LOGON_PAUSE_NS);
        self->attempts = 0;
        return;
    }
    client_session_end(self, OC_ERR_REFUSED, "logon to source %" PRIu32 ": %s", self->source.value,
                       oc_reason_name(reason));
}

static void on_logon(client_session_t *self, const oc_response_t *response)
{
    const char *why = "";
    if (self->phase != CLIENT_LOGGING_ON || response->request_id != self->logon_id ||
        self->logon_id == 0)
        return; /* of a logon that was repeated */
    if (response->u.logon.reason != OC_REASON_NONE) {
        deliver(self, response);
        on_logon_refused(self, response);
        return;
    }
    if (response->u.logon.outbound_sequence < self->outbound_sequence)
        client_session_end(self, OC_ERR_REFUSED,
                           "the venue knows outputs up to %" PRIu64 " of source %" PRIu32
                           ", but had sent up to %" PRIu64,
                           response->u.logon.outbound_sequence, self->source.value,
                           self->outbound_sequence);
    else if (!client_outbox_logged_on(&self->outbox, response->u.logon.sequence, &why))
        client_session_end(
            self, OC_ERR_REFUSED,
            "source %" PRIu32 ": %s (it took up to %" PRIu64 ", we wait from %" PRIu64 ")",
            self->source.value, why, response->u.logon.sequence, self->outbox.oldest);
    if (self->phase == CLIENT_ENDED)
        return;
    self->taken = response->u.logon.sequence;
    self->catch_up = response->u.logon.outbound_sequence;
    client_session_ready(self);
    check_caught_up(self);
    deliver(self, response);
}

static void on_gap(client_session_t *self, const oc_response_t *response)
{
    if (response->u.gap.last <= self->outbound_sequence)
        return;
    self->outbound_sequence = response->u.gap.last;
    self->gap = true;
    check_caught_up(self);
    deliver(self, response);
}

static void on_message_rejected(client_session_t *self, const oc_response_t *response)
{
    const unsigned problem = response->u.message_rejected.problem;
    const uint16_t template_id = response->u.message_rejected.template_id;
    self->counts.rejected_messages++;
    deliver(self, response);
    if (problem == OC_PROBLEM_NOT_LOGGED_ON) {
        if (self->phase == CLIENT_READY && self->source.value != 0)
            client_session_log_on_again(self, DISORDER_PAUSE_NS);
        return;
    }
    /* Templates of commands have the numbers of the command types. A command that is not understood
     * leaves a hole in the sequence, which nothing behind it can pass. */
    if (template_id <= OC_COMMAND_LAST && client_outbox_sendable((uint8_t)template_id))
        client_session_end(self, OC_ERR_REFUSED,
                           "the venue does not take a command of type %s (%s): it is of another "
                           "version, or the command is wrong",
                           oc_command_type_name((oc_command_type_t)template_id),
                           oc_problem_name(problem));
}

static void on_response(client_session_t *self, const oc_response_t *response)
{
    switch (response->type) {
    case OC_RESPONSE_OUTPUT:
        on_output(self, response);
        break;
    case OC_RESPONSE_LOGON:
        on_logon(self, response);
        break;
    case OC_RESPONSE_GAP:
        on_gap(self, response);
        break;
    case OC_RESPONSE_MESSAGE_REJECTED:
        on_message_rejected(self, response);
        break;
    default:
        deliver(self, response);
        break;
    }
}

static void on_session_message(client_session_t *self, const cluster_message_t *message)
{
    const uint8_t *bytes = (const uint8_t *)message->data.bytes;
    size_t left = message->data.length;
    while (left > 0 && self->phase != CLIENT_ENDED) {
        oc_response_t response;
        size_t consumed = left;
        uint16_t template_id;
        const codec_result_t result =
            events_decode(bytes, left, &response, &consumed, &template_id);
        OC_ASSERT(consumed > 0 && consumed <= left);
        /* What a newer venue says in words that we do not know is passed over. */
        if (result == OC_PROBLEM_NONE)
            on_response(self, &response);
        bytes += consumed;
        left -= consumed;
    }
}

/* The answer to a connect request of this attempt. */
static void on_connect_answer(client_session_t *self, const cluster_message_t *event, int32_t image)
{
    const int length = event->text.length < 200 ? (int)event->text.length : 200;
    const char *detail = length > 0 ? event->text.bytes : "";
    switch (event->code) {
    case CLUSTER_EVENT_OK:
        client_session_opened(self, event, image);
        break;
    case CLUSTER_EVENT_REDIRECT:
        if (endpoints_parse(&self->endpoints, event->text.bytes, event->text.length) &&
            endpoints_choose(&self->endpoints, event->leader))
            client_session_redirected(self);
        else
            client_session_lose(self,
                                "redirected to member %" PRId32 ", which '%.*s' does not name",
                                event->leader, length, detail);
        break;
    case CLUSTER_EVENT_AUTHENTICATION_REJECTED:
        client_session_end(self, OC_ERR_REFUSED, "principal %s was not believed: %.*s",
                           self->principal, length, detail);
        break;
    case CLUSTER_EVENT_ERROR:
        if (!self->was_ready)
            client_session_end(self, OC_ERR_REFUSED, "the venue refused a session: %.*s", length,
                               detail);
        else
            client_session_lose(self, "the venue refused a session: %.*s", length, detail);
        break;
    default:
        break;
    }
}

/* A session, or a request for one, has come to its end. */
static void on_closed(client_session_t *self, const cluster_message_t *event, bool asked)
{
    const int length = event->text.length < 200 ? (int)event->text.length : 200;
    const char *detail = length > 0 ? event->text.bytes : "";
    if (event->session == self->session && self->session != 0) {
        if (self->phase == CLIENT_READY || self->phase == CLIENT_LOGGING_ON || self->resume)
            client_session_lose(self, "the venue closed the session: %.*s", length, detail);
        self->session = 0;
    } else if (asked) {
        /* The leader stepped down before it let us in. */
        client_session_lose(self, "the venue dropped the request for a session: %.*s", length,
                            detail);
    }
}

static void on_event(client_session_t *self, const cluster_message_t *event, int32_t image)
{
    const bool of_attempt = event->correlation_id >= self->first_correlation &&
                            event->correlation_id <= self->correlation;
    const bool of_life = event->correlation_id >= self->oldest_correlation &&
                         event->correlation_id <= self->correlation;
    const bool asking = (self->phase == CLIENT_CONNECTING || self->phase == CLIENT_CHALLENGED) &&
                        self->todo == CLIENT_TODO_NOTHING;
    if (event->code == CLUSTER_EVENT_CLOSED ||
        (event->code == CLUSTER_EVENT_ERROR && event->session == self->session && !asking))
        on_closed(self, event, of_attempt && asking);
    else if (of_attempt && asking)
        on_connect_answer(self, event, image);
    else if (of_life && event->code == CLUSTER_EVENT_OK && event->session != self->session)
        /* A request that was repeated, or given up for another venue, was answered after all. */
        client_session_abandon(self, event->session, event->term);
}

/*
 * A venue that came back, or another leader, took the session over: whatever we are doing, it is
 * the way to go on. It may say so several times; an older leader may say so late.
 */
static void on_new_leader(client_session_t *self, const cluster_message_t *message, int32_t image)
{
    if (message->session != self->session || self->session == 0 || message->term < self->term)
        return;
    const bool known =
        message->term == self->term &&
        (self->resume || self->phase == CLIENT_LOGGING_ON || self->phase == CLIENT_READY) &&
        self->down_ns == INT64_MAX;
    self->image = image;
    if (known)
        return;
    endpoints_t endpoints;
    if (endpoints_parse(&endpoints, message->text.bytes, message->text.length) &&
        (endpoints_choose(&endpoints, message->leader) || endpoints.count == 1))
        self->endpoints = endpoints;
    self->term = message->term;
    self->down_ns = INT64_MAX;
    self->redirects = 0;
    self->resume = true;
    self->todo = CLIENT_TODO_OPEN;
}

void client_inbox_take(void *context, int32_t image, const void *bytes, size_t length)
{
    client_session_t *self = context;
    cluster_message_t message;
    if (self->phase == CLIENT_ENDED || self->todo == CLIENT_TODO_LOSE ||
        cluster_decode(bytes, length, &message) != OC_PROBLEM_NONE)
        return;
    switch (message.type) {
    case CLUSTER_SESSION_MESSAGE:
        /* Of another term: everything will be sent again after the logon. */
        if (message.session == self->session && message.term == self->term &&
            (self->phase == CLIENT_READY || self->phase == CLIENT_LOGGING_ON) &&
            self->todo == CLIENT_TODO_NOTHING) {
            self->heard_ns = self->now_ns;
            on_session_message(self, &message);
        }
        break;
    case CLUSTER_SESSION_EVENT:
        on_event(self, &message, image);
        break;
    case CLUSTER_NEW_LEADER:
        on_new_leader(self, &message, image);
        break;
    case CLUSTER_CHALLENGE:
        if (self->phase == CLIENT_CONNECTING && message.correlation_id >= self->first_correlation &&
            message.correlation_id <= self->correlation)
            client_session_challenged(self, &message);
        break;
    default:
        break;
    }
}
