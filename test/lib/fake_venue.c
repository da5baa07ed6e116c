/*
 * The venue behind the client's tests. Nothing in it is asynchronous: what is sent is handled at
 * once, what it says waits for the client's next poll.
 */
#include "lib/fake_venue.h"

#include "aeron/challenge.h"
#include "base/assert.h"
#include "codec/events_codec.h"
#include "codec/order_entry_codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 4096 };

static const uint8_t challenge_bytes[32] = "a challenge of thirty-two bytes";

/* Whether this is the nth; counts down. */
static bool nth(uint32_t *count)
{
    return *count > 0 && --*count == 0;
}

/* ---- What it says ---------------------------------------------------------------------------- */

static void enqueue(fake_venue_t *self, const void *bytes, size_t length)
{
    fake_message_t *message = malloc(sizeof *message + length);
    OC_ASSERT(message != NULL);
    message->next = NULL;
    message->image = self->image;
    message->length = length;
    memcpy(message->bytes, bytes, length);
    *self->last = message;
    self->last = &message->next;
}

void fake_venue_tell(fake_venue_t *self, const cluster_message_t *message)
{
    uint8_t bytes[BYTES_MAX];
    const size_t length = cluster_encode(message, bytes, sizeof bytes);
    OC_ASSERT(length > 0);
    if (self->mute || nth(&self->lose_out))
        return;
    enqueue(self, bytes, length);
    if (nth(&self->repeat_out))
        enqueue(self, bytes, length);
}

void fake_venue_say(fake_venue_t *self, const oc_response_t *response)
{
    uint8_t bytes[EVENTS_BYTES_MAX];
    const size_t length = events_encode(response, bytes, sizeof bytes);
    OC_ASSERT(length > 0);
    fake_venue_tell(self, &(cluster_message_t){.type = CLUSTER_SESSION_MESSAGE,
                                               .term = self->term,
                                               .session = self->session,
                                               .data = {(const char *)bytes, (uint32_t)length}});
}

static void say_output(fake_venue_t *self, uint64_t sequence)
{
    oc_response_t response = {.type = OC_RESPONSE_OUTPUT};
    response.u.output = self->outputs[sequence - 1];
    fake_venue_say(self, &response);
}

static void put_output(fake_venue_t *self, const oc_event_t *event)
{
    OC_ASSERT(self->outbound < FAKE_VENUE_OUTPUTS);
    oc_output_t *output = &self->outputs[self->outbound++];
    *output = (oc_output_t){.event = *event,
                            .outbound_sequence = self->outbound,
                            .position = self->outbound * 64,
                            .term = (uint32_t)self->term};
    if (self->logged_on)
        say_output(self, self->outbound);
}

void fake_venue_fill(fake_venue_t *self)
{
    put_output(self, &(oc_event_t){.type = OC_EVENT_FILL,
                                   .source = {7},
                                   .instrument = {1},
                                   .entry = 1,
                                   .client_order_id = {1},
                                   .order_id = {1},
                                   .price_ticks = 100,
                                   .quantity_lots = 1,
                                   .open_lots = 1,
                                   .executed_lots = 1,
                                   .trade_id = {self->outbound + 1}});
}

static void tell_event(fake_venue_t *self, int64_t correlation, cluster_event_code_t code,
                       const char *text)
{
    fake_venue_tell(self, &(cluster_message_t){.type = CLUSTER_SESSION_EVENT,
                                               .correlation_id = correlation,
                                               .session = self->session,
                                               .term = self->term,
                                               .leader = self->redirect_leader,
                                               .code = (int32_t)code,
                                               .version = CLUSTER_PROTOCOL_VERSION,
                                               .text = {text, (uint32_t)strlen(text)}});
}

void fake_venue_close_session(fake_venue_t *self)
{
    tell_event(self, 0, CLUSTER_EVENT_CLOSED, "TIMEOUT");
    self->session = 0;
    self->logged_on = false;
}

void fake_venue_restart(fake_venue_t *self, bool restored)
{
    while (self->first) {
        fake_message_t *message = self->first;
        self->first = message->next;
        free(message);
    }
    self->last = &self->first;
    self->term++;
    self->image++;
    self->logged_on = false;
    if (!restored) {
        self->session = 0;
        return;
    }
    char list[80];
    (void)snprintf(list, sizeof list, "0=%s", self->endpoint);
    fake_venue_tell(self, &(cluster_message_t){.type = CLUSTER_NEW_LEADER,
                                               .session = self->session,
                                               .term = self->term,
                                               .text = {list, (uint32_t)strlen(list)}});
}

/* ---- What it hears --------------------------------------------------------------------------- */

static void open_session(fake_venue_t *self, int64_t correlation)
{
    self->session = ++self->sessions_given;
    self->logged_on = false;
    tell_event(self, correlation, CLUSTER_EVENT_OK, "");
}

static void on_connect(fake_venue_t *self, const cluster_message_t *message)
{
    self->connects++;
    if (self->redirect) {
        tell_event(self, message->correlation_id, CLUSTER_EVENT_REDIRECT, self->redirect);
        self->redirect = NULL;
    } else if (self->refuses_principal) {
        tell_event(self, message->correlation_id, CLUSTER_EVENT_AUTHENTICATION_REJECTED, "unknown");
    } else if (self->refuses_session) {
        tell_event(self, message->correlation_id, CLUSTER_EVENT_ERROR, "too many sessions");
    } else if (self->challenges) {
        fake_venue_tell(self, &(cluster_message_t){
                                  .type = CLUSTER_CHALLENGE,
                                  .correlation_id = message->correlation_id,
                                  .session = 99,
                                  .data = {(const char *)challenge_bytes, sizeof challenge_bytes}});
    } else {
        open_session(self, message->correlation_id);
    }
}

static void on_challenge_response(fake_venue_t *self, const cluster_message_t *message)
{
    uint8_t answer[CHALLENGE_ANSWER_BYTES];
    uint8_t secret[FAKE_VENUE_SECRET];
    self->responses++;
    memset(secret, 's', sizeof secret);
    challenge_answer(secret, sizeof secret, challenge_bytes, sizeof challenge_bytes, answer);
    if (challenge_equal(answer, message->data.bytes, message->data.length))
        open_session(self, message->correlation_id);
    else
        tell_event(self, message->correlation_id, CLUSTER_EVENT_AUTHENTICATION_REJECTED,
                   "wrong answer");
}

static void on_logon(fake_venue_t *self, const oc_request_t *request)
{
    oc_response_t response = {.type = OC_RESPONSE_LOGON, .request_id = request->request_id};
    const uint64_t seen = request->u.logon.outbound_sequence;
    self->logons++;
    self->logon_outbound = seen;
    response.u.logon.source = request->u.logon.source;
    response.u.logon.reason = (uint8_t)self->logon_reason;
    if (self->logon_reason == OC_REASON_NONE) {
        response.u.logon.roles = OC_ROLES_ALL;
        response.u.logon.sequence = self->taken;
        response.u.logon.outbound_sequence = self->outbound;
    }
    fake_venue_say(self, &response);
    if (self->logon_reason != OC_REASON_NONE)
        return;
    self->logged_on = true;
    uint64_t from = seen + 1;
    if (self->outbound >= self->kept && from < self->outbound - self->kept + 1) {
        oc_response_t gap = {.type = OC_RESPONSE_GAP, .request_id = request->request_id};
        gap.u.gap.source = request->u.logon.source;
        gap.u.gap.first = from;
        gap.u.gap.last = self->outbound - self->kept;
        from = gap.u.gap.last + 1;
        fake_venue_say(self, &gap);
    }
    for (; from <= self->outbound; from++)
        say_output(self, from);
}

static void reject_message(fake_venue_t *self, uint16_t template_id, oc_problem_t problem)
{
    oc_response_t response = {.type = OC_RESPONSE_MESSAGE_REJECTED};
    response.u.message_rejected.template_id = template_id;
    response.u.message_rejected.problem = (uint8_t)problem;
    fake_venue_say(self, &response);
}

static void on_command(fake_venue_t *self, const oc_command_t *command)
{
    self->commands++;
    if (!self->logged_on || self->refuses_commands) {
        reject_message(self, command->type,
                       self->logged_on ? OC_PROBLEM_VERSION : OC_PROBLEM_NOT_LOGGED_ON);
        return;
    }
    oc_event_t event = {.type = OC_EVENT_ACCEPTED,
                        .source = {7},
                        .instrument = command->instrument,
                        .entry = 1,
                        .client_order_id = command->u.order.client_order_id,
                        .order_id = {command->sequence},
                        .quantity_lots = 1,
                        .open_lots = 1,
                        .sequence = command->sequence};
    if (command->type == OC_COMMAND_CANCEL) {
        event.type = OC_EVENT_CANCELLED;
        event.reason = OC_REASON_REQUESTED;
        event.command = OC_COMMAND_CANCEL;
        event.open_lots = 0;
    }
    if (command->sequence != self->taken + 1) {
        const bool gap = command->sequence > self->taken;
        event = (oc_event_t){.type = OC_EVENT_REJECTED,
                             .reason = gap ? OC_REASON_SEQUENCE_GAP : OC_REASON_DUPLICATE_SEQUENCE,
                             .command = command->type,
                             .source = {7},
                             .instrument = command->instrument,
                             .entry = 1,
                             .client_order_id = command->u.order.client_order_id,
                             .sequence = gap ? self->taken + 1 : self->taken};
    } else {
        self->taken++;
    }
    put_output(self, &event);
}

static void on_request(fake_venue_t *self, const oc_request_t *request)
{
    if (request->type == OC_REQUEST_COMMAND) {
        on_command(self, &request->u.command);
    } else if (request->type == OC_REQUEST_LOGON) {
        on_logon(self, request);
    } else {
        self->requests++;
        fake_venue_say(
            self, &(oc_response_t){.type = OC_RESPONSE_REPLY, .request_id = request->request_id});
    }
}

static void on_session_message(fake_venue_t *self, const cluster_message_t *message)
{
    if (message->session != self->session || message->term != self->term)
        return;
    const uint8_t *bytes = (const uint8_t *)message->data.bytes;
    for (size_t left = message->data.length; left > 0;) {
        oc_request_t request;
        size_t consumed;
        uint16_t template_id;
        const codec_result_t result =
            order_entry_decode(bytes, left, &request, &consumed, &template_id);
        OC_ASSERT(result == OC_PROBLEM_NONE);
        on_request(self, &request);
        bytes += consumed;
        left -= consumed;
    }
}

static void hear(fake_venue_t *self, const void *bytes, size_t length)
{
    cluster_message_t message;
    const codec_result_t result = cluster_decode(bytes, length, &message);
    OC_ASSERT(result == OC_PROBLEM_NONE);
    switch (message.type) {
    case CLUSTER_CONNECT_REQUEST:
        on_connect(self, &message);
        break;
    case CLUSTER_CHALLENGE_RESPONSE:
        on_challenge_response(self, &message);
        break;
    case CLUSTER_SESSION_MESSAGE:
        on_session_message(self, &message);
        break;
    case CLUSTER_KEEP_ALIVE:
        self->keepalives++;
        break;
    case CLUSTER_CLOSE_REQUEST:
        self->closes++;
        self->closed_session = message.session;
        break;
    default:
        OC_ASSERT(message.type == CLUSTER_CLOSE_REQUEST);
    }
}

/* ---- The link -------------------------------------------------------------------------------- */

static oc_err_t venue_open(void *context, const char *endpoint)
{
    fake_venue_t *self = context;
    self->opens++;
    if (self->fail_opens > 0) {
        self->fail_opens--;
        return OC_ERR_TRANSPORT;
    }
    (void)snprintf(self->endpoint, sizeof self->endpoint, "%s", endpoint);
    self->opened = true;
    self->broken = false;
    return OC_ERR_OK;
}

static client_link_state_t venue_state(void *context)
{
    const fake_venue_t *self = context;
    if (self->broken || !self->opened)
        return LINK_BROKEN;
    return self->unreachable ? LINK_DOWN : LINK_UP;
}

static const char *venue_channel(void *context)
{
    (void)context;
    return "aeron:udp?endpoint=127.0.0.1:1";
}

static size_t venue_message_max(void *context)
{
    return ((fake_venue_t *)context)->message_max;
}

static client_link_result_t venue_send(void *context, const void *bytes, size_t length)
{
    fake_venue_t *self = context;
    OC_ASSERT(length <= self->message_max);
    if (self->broken || self->unreachable)
        return LINK_UNCONNECTED;
    if (self->busy > 0) {
        self->busy--;
        return LINK_BUSY;
    }
    self->messages++;
    if (!self->deaf && !nth(&self->lose_in))
        hear(self, bytes, length);
    return LINK_SENT;
}

static size_t venue_poll(void *context, client_link_handler_t handler, void *handler_context,
                         size_t limit)
{
    fake_venue_t *self = context;
    size_t count = 0;
    while (self->first && count < limit) {
        fake_message_t *message = self->first;
        self->first = message->next;
        if (!self->first)
            self->last = &self->first;
        handler(handler_context, message->image, message->bytes, message->length);
        free(message);
        count++;
    }
    return count;
}

static bool venue_image_alive(void *context, int32_t image)
{
    const fake_venue_t *self = context;
    return !self->stale_image && image == self->image;
}

static void venue_step(void *context)
{
    (void)context;
}

void fake_venue_init(fake_venue_t *self)
{
    memset(self, 0, sizeof *self);
    self->kept = FAKE_VENUE_OUTPUTS;
    self->message_max = 1408;
    self->term = 1;
    self->image = 1;
    self->last = &self->first;
}

void fake_venue_fini(fake_venue_t *self)
{
    while (self->first) {
        fake_message_t *message = self->first;
        self->first = message->next;
        free(message);
    }
}

client_link_t fake_venue_link(fake_venue_t *self)
{
    return (client_link_t){
        .context = self,
        .open = venue_open,
        .state = venue_state,
        .response_channel = venue_channel,
        .message_max = venue_message_max,
        .send = venue_send,
        .poll = venue_poll,
        .image_alive = venue_image_alive,
        .step = venue_step,
    };
}
