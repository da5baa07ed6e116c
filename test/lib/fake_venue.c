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

static void forget_said(fake_venue_t *self)
{
    while (self->first) {
        fake_message_t *message = self->first;
        self->first = message->next;
        free(message);
    }
    self->last = &self->first;
}

void fake_venue_announce(fake_venue_t *self)
{
    char list[80];
    (void)snprintf(list, sizeof list, "0=%s", self->endpoint);
    const char *text = self->members ? self->members : list;
    fake_venue_tell(self, &(cluster_message_t){.type = CLUSTER_NEW_LEADER,
                                               .session = self->session,
                                               .term = self->term,
                                               .leader = self->members ? self->leader : 0,
                                               .text = {text, (uint32_t)strlen(text)}});
}

static void begin_term(fake_venue_t *self, bool restored)
{
    forget_said(self);
    self->term++;
    self->image++;
    self->logged_on = false;
    if (restored)
        fake_venue_announce(self);
    else
        self->session = 0;
}

void fake_venue_restart(fake_venue_t *self, bool restored)
{
    begin_term(self, restored);
}

void fake_venue_lead(fake_venue_t *self, int32_t member, bool restored)
{
    OC_ASSERT(self->members != NULL);
    self->leader = member;
    self->claimed = member;
    begin_term(self, restored);
}

/* ---- Its members ----------------------------------------------------------------------------- */

static int32_t member_at(const fake_venue_t *self, const char *address)
{
    endpoints_t members;
    if (!self->members || !endpoints_parse(&members, self->members, strlen(self->members)))
        return -1;
    for (uint32_t i = 0; i < members.count; i++)
        if (strcmp(members.list[i].address, address) == 0)
            return members.list[i].member;
    return -1;
}

int32_t fake_venue_member(const fake_venue_t *self)
{
    return self->answered ? member_at(self, self->endpoint) : -1;
}

static bool has(uint32_t bits, int32_t member)
{
    return member >= 0 && (bits >> member & 1) != 0;
}

/* Whether what arrives now comes to a member that does not lead, which answers for itself. */
static bool hear_as_follower(fake_venue_t *self, const cluster_message_t *message)
{
    const int32_t member = fake_venue_member(self);
    if (!self->members || (member == self->leader && !has(self->silent, member)))
        return false;
    if (message->type != CLUSTER_CONNECT_REQUEST)
        return true;
    self->connects++;
    if (!has(self->silent, member))
        fake_venue_tell(
            self, &(cluster_message_t){.type = CLUSTER_SESSION_EVENT,
                                       .correlation_id = message->correlation_id,
                                       .session = -1,
                                       .term = self->term,
                                       .leader = self->claimed,
                                       .code = CLUSTER_EVENT_REDIRECT,
                                       .version = CLUSTER_PROTOCOL_VERSION,
                                       .text = {self->members, (uint32_t)strlen(self->members)}});
    return true;
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
        if (result != OC_PROBLEM_NONE) {
            self->opaque++;
            self->opaque_length = left;
            return;
        }
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
    if (hear_as_follower(self, &message))
        return;
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

static oc_err_t venue_open(void *context, const char *const *endpoints, size_t count)
{
    fake_venue_t *self = context;
    self->opens++;
    if (self->fail_opens > 0) {
        self->fail_opens--;
        return OC_ERR_TRANSPORT;
    }
    OC_ASSERT(count > 0 && count <= ENDPOINTS_MAX);
    memset(&self->asked, 0, sizeof self->asked);
    self->asked.count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        (void)snprintf(self->asked.list[i].address, ENDPOINT_BYTES, "%s", endpoints[i]);
    (void)snprintf(self->endpoint, sizeof self->endpoint, "%s", endpoints[0]);
    self->opened = true;
    self->answered = false;
    self->broken = false;
    return OC_ERR_OK;
}

/* Who answers first: in the order of asking, whoever is alive. */
static bool somebody_answers(fake_venue_t *self)
{
    for (uint32_t i = 0; i < self->asked.count; i++) {
        const char *address = self->asked.list[i].address;
        const int32_t member = member_at(self, address);
        if (self->members && (member < 0 || has(self->dead, member)))
            continue;
        self->asked.current = i;
        (void)snprintf(self->endpoint, sizeof self->endpoint, "%.60s", address);
        return true;
    }
    return false;
}

static client_link_state_t venue_state(void *context)
{
    fake_venue_t *self = context;
    if (self->broken || !self->opened)
        return LINK_BROKEN;
    if (!self->answered && !self->unreachable)
        self->answered = somebody_answers(self);
    if (!self->answered)
        return LINK_OPENING;
    return self->unreachable || has(self->dead, fake_venue_member(self)) ? LINK_DOWN : LINK_UP;
}

static size_t venue_chosen(void *context)
{
    const fake_venue_t *self = context;
    OC_ASSERT(self->answered);
    return self->asked.current;
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
    OC_ASSERT(length <= CLIENT_LINK_MESSAGE_MAX);
    if (self->broken || self->unreachable || !self->answered)
        return LINK_UNCONNECTED;
    if (has(self->dead, fake_venue_member(self)))
        return LINK_SENT; /* into its driver's memory, and no further */
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
    return !self->stale_image && (image == self->image || self->lingering);
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
    forget_said(self);
}

client_link_t fake_venue_link(fake_venue_t *self)
{
    return (client_link_t){
        .context = self,
        .open = venue_open,
        .chosen = venue_chosen,
        .state = venue_state,
        .response_channel = venue_channel,
        .message_max = venue_message_max,
        .send = venue_send,
        .poll = venue_poll,
        .image_alive = venue_image_alive,
        .step = venue_step,
    };
}
