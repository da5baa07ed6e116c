/*
 * Messages of clients in, calls out: to the sink, and to the session's life.
 *
 * Called by the transport's poll for every message, from anybody. Invariants: nothing is believed
 * that the codec has not checked; what is of no open session, of another term, or from a sender
 * that the session does not belong to changes nothing but a counter; a message that the sink cannot
 * take is left in the transport, so the sender feels it and nobody else does.
 *
 * Whose session it is: ids are easy to guess, so a session's messages are taken from the stream
 * (image) that its connect request came through. Clients open a new stream when they hear of a
 * new leader and after they lost the old one, and after a restart all streams are new. So a session
 * moves to another stream when its own has ended (or it has none yet) and the other one comes from
 * the same host; the host of a restored session is the one in its response channel, until a stream
 * shows another. What this does not stop is a program on the client's own host.
 */
#include "gateway/gateway_internal.h"

#include "base/assert.h"
#include "gateway/response_channel.h"
#include "outcry/service.h"

#include <stdio.h>
#include <string.h>

static bool belongs_to(gateway_t *self, session_t *session, const transport_source_t *source)
{
    if (LIKELY(session->source == source->id))
        return true;
    if (session->source != 0 &&
        self->transport.source_alive(self->transport.context, session->source))
        return false;
    const bool same = session->host_seen ? strcmp(session->host, source->host) == 0
                                         : response_channel_matches(session->host, source->host);
    if (!same)
        return false;
    session->source = source->id;
    session->host_seen = true;
    snprintf(session->host, sizeof session->host, "%s", source->host);
    return true;
}

/* The open session that a message is of; NULL, counted, if it is of none. */
static session_t *open_session(gateway_t *self, const transport_source_t *source,
                               const cluster_message_t *message)
{
    session_t *session =
        session_table_find(&self->table, (oc_session_id_t){.value = (uint64_t)message->session});
    if (session == NULL || session->state != SESSION_OPEN || session->closing ||
        message->term != self->term || !belongs_to(self, session, source)) {
        self->counters.dropped_unknown++;
        return NULL;
    }
    session->announcing = false;
    session->activity_ns = self->now_ns;
    return session;
}

static transport_action_t on_session_message(gateway_t *self, const transport_source_t *source,
                                             const cluster_message_t *message)
{
    if (message->data.length > self->config.message_bytes_max) {
        self->counters.dropped_malformed++;
        return TRANSPORT_TAKEN;
    }
    const session_t *session = open_session(self, source, message);
    if (session == NULL)
        return TRANSPORT_TAKEN;
    if (!self->sink.message(self->sink.context, session->id, message->data.bytes,
                            message->data.length))
        return TRANSPORT_AGAIN;
    self->counters.messages++;
    return TRANSPORT_TAKEN;
}

/* Who asks through one stream may have this share of the places of those that connect: one client
 * that never takes an answer must not keep all others out. */
#define SHARE_OF_CONNECTING 4

/* What a stream has asked for before. */
typedef struct asked {
    bool repeated; /* a client that did not wait for the answer and asks again */
    uint32_t connecting;
} asked_t;

static asked_t look_up(const gateway_t *self, const transport_source_t *source,
                       int64_t correlation_id)
{
    asked_t asked = {0};
    for (uint32_t i = 0; i < self->table.capacity; i++) {
        const session_t *session = &self->table.sessions[i];
        if (session->state == SESSION_FREE || session->state == SESSION_OPEN ||
            session->state == SESSION_ENDING || session->source != source->id)
            continue;
        asked.connecting++;
        asked.repeated |= session->open.correlation_id == correlation_id;
    }
    return asked;
}

static bool has_share(const gateway_t *self, uint32_t connecting)
{
    const uint32_t share = self->config.max_connecting / SHARE_OF_CONNECTING;
    return connecting < (share > 0 ? share : 1);
}

/* What the client will be answered once there is a way to it. */
static void judge(gateway_t *self, session_t *session, const cluster_message_t *message)
{
    const uint32_t *count = self->table.by_state;
    if (self->config.redirect != NULL) {
        session->verdict = VERDICT_REDIRECT;
        session->detail = self->announcement;
    } else if (((message->version >> 16) & 0xff) != ((CLUSTER_PROTOCOL_VERSION >> 16) & 0xff)) {
        session->verdict = VERDICT_ERROR;
        session->detail = "invalid client version, this side speaks 0.3.0";
    } else if (count[SESSION_OPEN] >= self->config.max_sessions) {
        session->verdict = VERDICT_ERROR;
        session->detail = "concurrent session limit";
    } else {
        const authenticator_t *authenticator = self->config.authenticator;
        switch (authenticator->connect(authenticator, message->data.bytes, message->data.length,
                                       &session->open.principal, &session->challenge)) {
        case AUTHENTICATOR_ACCEPT:
            session->verdict = VERDICT_ACCEPT;
            break;
        case AUTHENTICATOR_CHALLENGE:
            session->verdict = VERDICT_CHALLENGE;
            break;
        case AUTHENTICATOR_REJECT:
            session->verdict = VERDICT_REJECT;
            break;
        }
    }
}

static bool admit(gateway_t *self, const transport_source_t *source,
                  const cluster_message_t *message)
{
    const uint32_t *count = self->table.by_state;
    response_channel_t channel;
    if (count[SESSION_CONNECTING] + count[SESSION_CHALLENGED] + count[SESSION_OPENING] >=
            self->config.max_connecting ||
        self->table.free_count == 0 ||
        !response_channel_parse(&channel, message->text.bytes, message->text.length,
                                gateway_frame_max(&self->config)))
        return false;
    transport_publication_t *publication =
        self->transport.add(self->transport.context, channel.text, message->response_stream);
    if (publication == NULL)
        return false;
    session_t *session = session_table_add(
        &self->table, self->sink.reserve_session(self->sink.context), SESSION_CONNECTING);
    OC_ASSERT(session != NULL);
    session->publication = publication;
    session->deadline_ns = self->now_ns + self->config.connect_timeout_ns;
    session->source = source->id;
    session->host_seen = true;
    snprintf(session->host, sizeof session->host, "%s", source->host);
    session->open.correlation_id = message->correlation_id;
    session->open.response_stream = message->response_stream;
    session->open.channel_length = channel.length;
    memcpy(session->open.response_channel, channel.text, sizeof channel.text);
    judge(self, session, message);
    return true;
}

static void on_connect_request(gateway_t *self, const transport_source_t *source,
                               const cluster_message_t *message)
{
    self->counters.connects++;
    const asked_t asked = look_up(self, source, message->correlation_id);
    if (!asked.repeated && (!has_share(self, asked.connecting) || !admit(self, source, message)))
        self->counters.refused++;
}

static void on_challenge_response(gateway_t *self, const transport_source_t *source,
                                  const cluster_message_t *message)
{
    session_t *session =
        session_table_find(&self->table, (oc_session_id_t){.value = (uint64_t)message->session});
    if (session == NULL || session->state != SESSION_CHALLENGED || session->source != source->id) {
        self->counters.dropped_unknown++;
        return;
    }
    const authenticator_t *authenticator = self->config.authenticator;
    /* The answer names the response, which is the request that the client now waits for. */
    session->open.correlation_id = message->correlation_id;
    session_respond(self, session,
                    authenticator->respond(authenticator, &session->open.principal,
                                           &session->challenge, message->data.bytes,
                                           message->data.length) == AUTHENTICATOR_ACCEPT);
}

static void on_admin_request(gateway_t *self, const transport_source_t *source,
                             const cluster_message_t *message)
{
    static const char refusal[] = "not available here: administration goes through the order entry "
                                  "protocol, see `outcry admin`";
    session_t *session = open_session(self, source, message);
    if (session == NULL)
        return;
    session_tell(self, session,
                 &(cluster_message_t){
                     .type = CLUSTER_ADMIN_RESPONSE,
                     .correlation_id = message->correlation_id,
                     .session = message->session,
                     .code = 1,
                     .text = {.bytes = refusal, .length = sizeof refusal - 1},
                 },
                 0);
}

transport_action_t ingress_on_message(void *context, const transport_source_t *source,
                                      const void *bytes, size_t length)
{
    gateway_t *self = context;
    cluster_message_t message;
    if (bytes == NULL || cluster_decode(bytes, length, &message) != OC_PROBLEM_NONE) {
        self->counters.dropped_malformed++;
        return TRANSPORT_TAKEN;
    }
    session_t *session = NULL;
    switch (message.type) {
    case CLUSTER_SESSION_MESSAGE:
        return on_session_message(self, source, &message);
    case CLUSTER_KEEP_ALIVE:
        open_session(self, source, &message);
        break;
    case CLUSTER_CLOSE_REQUEST:
        session = open_session(self, source, &message);
        if (session != NULL)
            session_close(self, session, OC_CLOSE_CLIENT);
        break;
    case CLUSTER_CONNECT_REQUEST:
        on_connect_request(self, source, &message);
        break;
    case CLUSTER_CHALLENGE_RESPONSE:
        on_challenge_response(self, source, &message);
        break;
    case CLUSTER_ADMIN_REQUEST:
        on_admin_request(self, source, &message);
        break;
    case CLUSTER_SESSION_EVENT:
    case CLUSTER_NEW_LEADER:
    case CLUSTER_CHALLENGE:
    case CLUSTER_ADMIN_RESPONSE:
        self->counters.dropped_malformed++; /* what only this side says */
        break;
    }
    return TRANSPORT_TAKEN;
}
