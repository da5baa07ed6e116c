/*
 * The life of a session, step by step, once per duty cycle: connect -> (challenge) -> sink.open ->
 * the log says so -> open -> the log says it ends -> told -> gone; and the sending of what waits.
 *
 * Called by gateway.c for the sessions of the active list. Invariants: the sink is called here and
 * in the ingress adapter only, and may have changed the session when it returns, so its state is
 * set before the call and put back if the sink refuses; a session is freed only here, by its own
 * step; nothing leaves before its position is durable. One step does a bounded amount of work, so
 * that no session delays another.
 *
 * A session whose client is gone stays until it times out: the client may come back.
 */
#include "gateway/gateway_internal.h"

#include "base/assert.h"
#include "outcry/service.h"

#include <string.h>

/* Messages that one session may send in a row. */
#define SEND_BATCH 64

/* Clients wait twice this for a new leader after they lost the old one: for a restart. */
#define HEARTBEAT_TIMEOUT_NS (INT64_C(10) * 1000 * 1000 * 1000)

/*
 * How often a restored session is told the term again. What is sent to a connected client arrives,
 * so repetition only covers a client whose own driver restarted meanwhile. Each one makes the
 * official client open its ingress publication anew, hence rarely.
 */
#define ANNOUNCE_FIRST_NS  (INT64_C(1000) * 1000 * 1000)
#define ANNOUNCE_MOST_NS   (INT64_C(4000) * 1000 * 1000)
#define RECONNECT_AFTER_NS (INT64_C(500) * 1000 * 1000)

static cluster_text_t text_of(const char *text)
{
    return (cluster_text_t){.bytes = text, .length = (uint32_t)strlen(text)};
}

void session_close(gateway_t *self, session_t *session, oc_close_reason_t reason)
{
    OC_ASSERT(session->state == SESSION_OPEN);
    if (session->closing)
        return;
    session->closing = true;
    session->close_reason = reason;
    session_table_activate(&self->table, session);
}

/* What a session does not take is dropped, and it with it. */
static void close_slow(gateway_t *self, session_t *session)
{
    backlog_clear(&self->pool, &session->backlog);
    if (session->slow)
        return;
    session->slow = true;
    if (session->state != SESSION_OPEN)
        return;
    self->counters.closed_slow++;
    session_close(self, session, OC_CLOSE_SLOW);
}

static session_t *largest_backlog(gateway_t *self)
{
    session_t *largest = &self->table.sessions[0];
    for (uint32_t i = 1; i < self->table.capacity; i++) {
        if (self->table.sessions[i].backlog.bytes > largest->backlog.bytes)
            largest = &self->table.sessions[i];
    }
    return largest;
}

void session_push(gateway_t *self, session_t *session, uint64_t position,
                  const backlog_message_t *message)
{
    if (session->slow)
        return;
    /* What waits for the device alone is no fault of the client. */
    const bool sendable =
        !backlog_empty(&session->backlog) && session->backlog.position <= self->durable;
    const size_t size = backlog_record_size(message->head_length + message->body_length);
    if (sendable && session->backlog.bytes + size > self->config.session_backlog_bytes) {
        close_slow(self, session);
        return;
    }
    /* All memory is in use: whoever holds most of it has to go, not whoever comes last. But what
     * is said to one that is not open costs nobody his session. */
    while (!backlog_push(&self->pool, &session->backlog, position, message)) {
        session_t *largest = largest_backlog(self);
        if (session->state != SESSION_OPEN || largest->backlog.bytes <= session->backlog.bytes)
            largest = session;
        close_slow(self, largest);
        if (largest == session)
            return;
    }
    session_table_activate(&self->table, session);
}

void session_tell(gateway_t *self, session_t *session, const cluster_message_t *message,
                  uint64_t position)
{
    uint8_t bytes[GATEWAY_EVENT_BYTES_MAX];
    const size_t length = cluster_encode(message, bytes, sizeof bytes);
    OC_ASSERT(length > 0);
    session_push(self, session, position,
                 &(backlog_message_t){.head = bytes, .head_length = length});
}

void session_tell_event(gateway_t *self, session_t *session, cluster_event_code_t code,
                        const char *detail, uint64_t position)
{
    session_tell(self, session,
                 &(cluster_message_t){
                     .type = CLUSTER_SESSION_EVENT,
                     .correlation_id = session->open.correlation_id,
                     .session = (int64_t)session->id.value,
                     .term = self->term,
                     .leader_heartbeat_timeout_ns = HEARTBEAT_TIMEOUT_NS,
                     .leader = 0,
                     .code = (int32_t)code,
                     .version = CLUSTER_PROTOCOL_VERSION,
                     .text = text_of(detail),
                 },
                 position);
}

void session_forget(gateway_t *self, session_t *session)
{
    backlog_clear(&self->pool, &session->backlog);
    if (session->publication != NULL)
        self->transport.close(self->transport.context, session->publication);
    session->publication = NULL;
    session_table_remove(&self->table, session);
}

/* Sends what is durable, as far as it goes, in order. */
static int flush(gateway_t *self, session_t *session, uint64_t durable)
{
    int sent = 0;
    while (sent < SEND_BATCH && !backlog_empty(&session->backlog) &&
           session->backlog.position <= durable) {
        if (session->publication == NULL)
            break;
        size_t length = 0;
        const void *bytes = backlog_front(&self->pool, &session->backlog, &length);
        const transport_sent_t result =
            self->transport.send(self->transport.context, session->publication, bytes, length);
        if (result == TRANSPORT_BACK_PRESSURE)
            self->counters.egress_back_pressure++;
        if (result != TRANSPORT_SENT)
            break;
        backlog_pop(&self->pool, &session->backlog);
        self->counters.egress_messages++;
        sent++;
    }
    return sent;
}

static void begin_ending(gateway_t *self, session_t *session)
{
    session->deadline_ns = self->now_ns + self->config.connect_timeout_ns;
    session_table_set_state(&self->table, session, SESSION_ENDING);
    session_table_activate(&self->table, session);
}

static const char *reason_text(oc_close_reason_t reason)
{
    switch (reason) {
    case OC_CLOSE_CLIENT:
        return "CLIENT_ACTION";
    case OC_CLOSE_SERVICE:
        return "SERVICE_ACTION";
    case OC_CLOSE_TIMEOUT:
        return "TIMEOUT";
    case OC_CLOSE_SLOW:
        return "SLOW: what was sent was not taken; log on again for what was missed";
    default:
        return "CLOSED";
    }
}

void session_end(gateway_t *self, session_t *session, oc_close_reason_t reason, uint64_t position)
{
    session->slow = false; /* the last word is for the slow, too */
    begin_ending(self, session);
    session_tell_event(self, session, CLUSTER_EVENT_CLOSED, reason_text(reason), position);
}

static void refuse(gateway_t *self, session_t *session, cluster_event_code_t code,
                   const char *detail)
{
    self->counters.refused++;
    session_tell_event(self, session, code, detail, 0);
    begin_ending(self, session);
}

/* Authenticated: it takes one of the places of open sessions. */
static void begin_opening(gateway_t *self, session_t *session)
{
    const uint32_t *count = self->table.by_state;
    const uint32_t open = count[SESSION_OPENING] + count[SESSION_SEQUENCED] + count[SESSION_OPEN];
    if (open >= self->config.max_sessions)
        refuse(self, session, CLUSTER_EVENT_ERROR, "concurrent session limit");
    else
        session_table_set_state(&self->table, session, SESSION_OPENING);
}

void session_respond(gateway_t *self, session_t *session, bool accepted)
{
    OC_ASSERT(session->state == SESSION_CHALLENGED);
    if (accepted)
        begin_opening(self, session);
    else
        refuse(self, session, CLUSTER_EVENT_AUTHENTICATION_REJECTED, "authentication failed");
}

static void challenge(gateway_t *self, session_t *session)
{
    session_tell(self, session,
                 &(cluster_message_t){
                     .type = CLUSTER_CHALLENGE,
                     .correlation_id = session->open.correlation_id,
                     .session = (int64_t)session->id.value,
                     .data = {.bytes = (const char *)session->challenge.bytes,
                              .length = session->challenge.length},
                 },
                 0);
    session_table_set_state(&self->table, session, SESSION_CHALLENGED);
}

static void give_verdict(gateway_t *self, session_t *session)
{
    switch (session->verdict) {
    case VERDICT_ACCEPT:
        begin_opening(self, session);
        break;
    case VERDICT_CHALLENGE:
        challenge(self, session);
        break;
    case VERDICT_REJECT:
        refuse(self, session, CLUSTER_EVENT_AUTHENTICATION_REJECTED, "authentication failed");
        break;
    case VERDICT_ERROR:
        refuse(self, session, CLUSTER_EVENT_ERROR, session->detail);
        break;
    case VERDICT_REDIRECT:
        refuse(self, session, CLUSTER_EVENT_REDIRECT, session->detail);
        break;
    }
}

/* True when the way to the client is there; one that broke is closed. */
static bool is_connected(gateway_t *self, session_t *session)
{
    if (session->publication == NULL)
        return false;
    const transport_t *transport = &self->transport;
    const transport_state_t state = transport->state(transport->context, session->publication);
    if (state == TRANSPORT_FAILED) {
        transport->close(transport->context, session->publication);
        session->publication = NULL;
        session->reconnect_ns = self->now_ns + RECONNECT_AFTER_NS;
    }
    return state == TRANSPORT_CONNECTED;
}

static int step_connecting(gateway_t *self, session_t *session)
{
    if (is_connected(self, session)) {
        session->activity_ns = self->now_ns;
        give_verdict(self, session);
        return 1;
    }
    if (session->publication != NULL && self->now_ns < session->deadline_ns)
        return 0;
    self->counters.refused++;
    session_forget(self, session);
    return 1;
}

static int step_challenged(gateway_t *self, session_t *session, uint64_t durable)
{
    if (self->now_ns < session->deadline_ns)
        return flush(self, session, durable);
    self->counters.refused++;
    session_forget(self, session);
    return 1;
}

static int step_opening(gateway_t *self, session_t *session)
{
    session_table_set_state(&self->table, session, SESSION_SEQUENCED);
    if (self->sink.open(self->sink.context, session->id, &session->open))
        return 1;
    session_table_set_state(&self->table, session, SESSION_OPENING);
    if (self->now_ns < session->deadline_ns)
        return 0;
    self->counters.refused++;
    session_forget(self, session);
    return 1;
}

static int announce(gateway_t *self, session_t *session)
{
    if (self->now_ns < session->announce_ns || !is_connected(self, session))
        return 0;
    uint8_t bytes[GATEWAY_EVENT_BYTES_MAX];
    const cluster_message_t message = {
        .type = CLUSTER_NEW_LEADER,
        .session = (int64_t)session->id.value,
        .term = self->term,
        .leader = 0,
        .text = text_of(self->announcement),
    };
    const size_t length = cluster_encode(&message, bytes, sizeof bytes);
    OC_ASSERT(length > 0);
    if (self->transport.send(self->transport.context, session->publication, bytes, length) !=
        TRANSPORT_SENT)
        return 0;
    int64_t interval = session->announced ? session->announce_interval_ns * 2 : ANNOUNCE_FIRST_NS;
    if (interval > ANNOUNCE_MOST_NS)
        interval = ANNOUNCE_MOST_NS;
    session->announced = true;
    session->announce_interval_ns = interval;
    session->announce_ns = self->now_ns + interval;
    return 1;
}

/* An open session whose way broke, or never had room, gets a new one, tried twice a second: a
 * client asks for a way only when it asks for a session. */
static void reconnect(gateway_t *self, session_t *session)
{
    if (session->publication != NULL || self->now_ns < session->reconnect_ns)
        return;
    session->publication = self->transport.add(
        self->transport.context, session->open.response_channel, session->open.response_stream);
    session->reconnect_ns = self->now_ns + RECONNECT_AFTER_NS;
}

static int step_open(gateway_t *self, session_t *session, uint64_t durable)
{
    int work = 0;
    reconnect(self, session);
    if (session->announcing && !session->closing)
        work += announce(self, session);
    /* The client must hear of the term before of anything else. */
    if (!session->announcing || session->announced || session->closing)
        work += flush(self, session, durable);
    if (!backlog_empty(&session->backlog))
        is_connected(self, session); /* notices a broken one */
    if (session->closing && !session->close_told) {
        session->close_told = true;
        if (self->sink.close(self->sink.context, session->id, session->close_reason))
            work++;
        else
            session->close_told = false;
    }
    if (session->state == SESSION_OPEN && session->publication != NULL && !session->announcing &&
        (!session->closing || session->close_told) && backlog_empty(&session->backlog))
        session_table_deactivate(&self->table, session);
    return work;
}

static int step_ending(gateway_t *self, session_t *session, uint64_t durable)
{
    const int work = flush(self, session, durable);
    const bool waits = !backlog_empty(&session->backlog);
    const bool sendable = !waits || session->backlog.position <= durable;
    /* What is not durable yet has its own time; the deadline is the client's. */
    if (!sendable)
        session->deadline_ns = self->now_ns + self->config.connect_timeout_ns;
    const bool reachable = is_connected(self, session);
    if (waits && (!sendable || (reachable && self->now_ns < session->deadline_ns)))
        return work;
    session_forget(self, session);
    return work + 1;
}

int session_step(gateway_t *self, session_t *session, uint64_t durable)
{
    switch (session->state) {
    case SESSION_CONNECTING:
        return step_connecting(self, session);
    case SESSION_CHALLENGED:
        return step_challenged(self, session, durable);
    case SESSION_OPENING:
        return step_opening(self, session);
    case SESSION_OPEN:
        return step_open(self, session, durable);
    case SESSION_ENDING:
        return step_ending(self, session, durable);
    case SESSION_SEQUENCED:
        session_table_deactivate(&self->table, session);
        return 0;
    case SESSION_FREE:
        break;
    }
    OC_ASSERT(session->state != SESSION_FREE);
    return 0;
}

int session_sweep(gateway_t *self)
{
    int closed = 0;
    for (uint32_t i = 0; i < self->table.capacity; i++) {
        session_t *session = &self->table.sessions[i];
        if (session->state != SESSION_OPEN || session->closing ||
            self->now_ns - session->activity_ns < self->config.session_timeout_ns)
            continue;
        self->counters.closed_timeout++;
        session_close(self, session, OC_CLOSE_TIMEOUT);
        closed++;
    }
    return closed;
}

void session_supersede(gateway_t *self, const session_t *session)
{
    for (uint32_t i = 0; i < self->table.capacity; i++) {
        session_t *other = &self->table.sessions[i];
        if (other != session && other->state == SESSION_OPEN && other->announcing &&
            other->open.response_stream == session->open.response_stream &&
            strcmp(other->open.response_channel, session->open.response_channel) == 0 &&
            memcmp(&other->open.principal, &session->open.principal, sizeof(oc_principal_t)) == 0)
            session_close(self, other, OC_CLOSE_TIMEOUT);
    }
}
