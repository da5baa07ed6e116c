/*
 * Connects, logs on, keeps alive, and begins again when the venue is lost. Called by client.c with
 * the time; what the venue says comes through client_inbox.c.
 *
 * Invariants: commands leave only while READY, in sequence; between a logon and its answer nothing
 * else is sent, so that "taken" in the answer covers all that went before. The link is opened only
 * here, from the poll, never inside the link's own poll. Nothing is allocated after init.
 */
#define _GNU_SOURCE
#include "client/client_session.h"

#include "aeron/challenge.h"
#include "base/assert.h"
#include "base/error.h"
#include "client/client_inbox.h"
#include "codec/order_entry_codec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MILLISECONDS INT64_C(1000000)

/*
 * How long each phase waits before it tries again, and how often. None of it is waited for when a
 * leader dies and another one takes its sessions over: the new leader comes to us, whatever we are
 * waiting for then.
 */
#define OPEN_TIMEOUT_NS     (2000 * MILLISECONDS) /* nobody of all answers: ask them anew */
#define LEADER_TIMEOUT_NS   (1000 * MILLISECONDS) /* the one we were sent to does not: ask all */
#define CONNECT_INTERVAL_NS (1000 * MILLISECONDS)
#define CONNECT_ATTEMPTS    5 /* of a venue that is alone */
#define MEMBER_ATTEMPTS     3 /* of one of several members: then another is asked */
#define LOGON_INTERVAL_NS   (1000 * MILLISECONDS)
#define LOGON_ATTEMPTS      4
#define BACKOFF_FIRST_NS    (50 * MILLISECONDS)
#define BACKOFF_LAST_NS     (1000 * MILLISECONDS)
#define DOWN_GRACE_NS       (1000 * MILLISECONDS)
/* Members that name each other as the leader do so until an election is over. */
#define REDIRECTS_MAX 6
/* How often it is looked whether the stream of answers is still there. */
#define IMAGE_INTERVAL_NS (10 * MILLISECONDS)
/* Commands wait and the venue says nothing at all: ask by a logon whether it still knows us. */
#define SILENCE_NS (2000 * MILLISECONDS)

/* What can be known of one that is there and silent: where it is, not how it is. */
#define MAY_BE_SUSPENDED "it may be a cluster that is suspended (outcry cluster status, resume)"

/* Room for the longest message that is no application message: a connect request. */
enum { CONTROL_BYTES = 1024 };

_Static_assert(CLIENT_SECRET_MAX <= 256, "as the authenticator allows");
_Static_assert(CLIENT_LINK_MESSAGE_MAX == OUTBOX_MESSAGE_MAX, "what the outbox holds can be sent");

static oc_err_t check_config(const oc_client_config_t *config, endpoints_t *endpoints)
{
    const uint32_t max = config->unanswered_max;
    if (!config->ingress || !endpoints_parse(endpoints, config->ingress, strlen(config->ingress)))
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "ingress '%s': give HOST:PORT, or 0=HOST:PORT,1=HOST:PORT,...",
                         config->ingress ? config->ingress : "");
    if (config->principal && strlen(config->principal) >= OC_PRINCIPAL_SIZE)
        return error_set(OC_ERR_INVALID_ARGUMENT, "principal '%s': at most %d characters",
                         config->principal, OC_PRINCIPAL_SIZE - 1);
    if (config->secret && (config->secret_length < 16 || config->secret_length > CLIENT_SECRET_MAX))
        return error_set(OC_ERR_INVALID_ARGUMENT, "secret of %zu bytes: 16..%d are allowed",
                         config->secret_length, CLIENT_SECRET_MAX);
    if (max < 16 || max > 1048576 || (max & (max - 1)) != 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "unanswered_max %" PRIu32 ": a power of two in 16..1048576", max);
    if (config->connect_timeout_ns <= 0 || config->reconnect_timeout_ns < 0 ||
        config->keepalive_interval_ns <= 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "timeouts of connect %" PRId64 ", reconnect %" PRId64
                         ", keepalive %" PRId64 " ns: above 0 (reconnect: 0 for ever)",
                         config->connect_timeout_ns, config->reconnect_timeout_ns,
                         config->keepalive_interval_ns);
    return OC_ERR_OK;
}

oc_err_t client_session_init(client_session_t *self, const oc_client_config_t *config,
                             const client_link_t *link)
{
    memset(self, 0, sizeof *self);
    const oc_err_t err = check_config(config, &self->configured);
    if (err != OC_ERR_OK)
        return err;
    const char *principal = config->principal ? config->principal : "anonymous";
    memcpy(self->principal, principal, strlen(principal));
    if (config->secret) {
        memcpy(self->secret, config->secret, config->secret_length);
        self->secret_length = config->secret_length;
    }
    self->link = *link;
    self->source = config->source;
    self->reconnect_timeout_ns = config->reconnect_timeout_ns;
    self->keepalive_interval_ns = config->keepalive_interval_ns;
    self->outbound_sequence = config->outbound_sequence;
    self->endpoints = self->configured;
    self->avoid = CLIENT_NOBODY;
    self->phase = CLIENT_PAUSED;
    self->deadline_ns = INT64_MIN; /* begins at once */
    self->backoff_ns = BACKOFF_FIRST_NS;
    self->lost_ns = INT64_MAX;
    self->down_ns = INT64_MAX;
    return client_outbox_init(&self->outbox, config->unanswered_max, config->message_commands);
}

void client_session_fini(client_session_t *self)
{
    client_outbox_fini(&self->outbox);
    explicit_bzero(self->secret, sizeof self->secret);
}

/* ---- Saying things --------------------------------------------------------------------------- */

/* False: not now. */
static bool send_control(client_session_t *self, const cluster_message_t *message)
{
    uint8_t bytes[CONTROL_BYTES];
    const size_t length = cluster_encode(message, bytes, sizeof bytes);
    OC_ASSERT(length > 0);
    return self->link.send(self->link.context, bytes, length) == LINK_SENT;
}

static cluster_text_t text_of(const void *bytes, size_t length)
{
    return (cluster_text_t){.bytes = bytes, .length = (uint32_t)length};
}

static bool send_connect(client_session_t *self)
{
    const char *channel = self->link.response_channel(self->link.context);
    const cluster_message_t message = {
        .type = CLUSTER_CONNECT_REQUEST,
        .correlation_id = self->correlation + 1,
        .response_stream = CLUSTER_EGRESS_STREAM,
        .version = CLUSTER_PROTOCOL_VERSION,
        .text = text_of(channel, strlen(channel)),
        .data = text_of(self->principal, strlen(self->principal)),
        .client_info = text_of("name=outcry", 11),
    };
    if (!send_control(self, &message))
        return false;
    self->correlation++;
    return true;
}

static bool send_logon(client_session_t *self)
{
    oc_request_t request = {.type = OC_REQUEST_LOGON, .request_id = self->request_id + 1};
    request.u.logon.source = self->source;
    request.u.logon.outbound_sequence = self->outbound_sequence;
    client_outbox_t *outbox = &self->outbox;
    /* The message under construction is void: its commands come again after the logon. */
    client_outbox_clear(outbox);
    outbox->to_send = outbox->next;
    const oc_err_t err = client_outbox_append(outbox, &request);
    OC_ASSERT(err == OC_ERR_OK);
    cluster_encode_session_header(outbox->message, self->term, self->session, 0);
    const bool sent =
        self->link.send(self->link.context, outbox->message, outbox->length) == LINK_SENT;
    client_outbox_clear(outbox);
    if (sent)
        self->logon_id = ++self->request_id;
    return sent;
}

static void send_keepalive(client_session_t *self)
{
    const cluster_message_t message = {
        .type = CLUSTER_KEEP_ALIVE, .term = self->term, .session = self->session};
    if (send_control(self, &message))
        self->keepalive_ns = self->now_ns + self->keepalive_interval_ns;
}

void client_session_abandon(client_session_t *self, int64_t session, int64_t term)
{
    const cluster_message_t message = {
        .type = CLUSTER_CLOSE_REQUEST, .term = term, .session = session};
    (void)send_control(self, &message); /* otherwise the venue's timeout closes it */
}

void client_session_goodbye(client_session_t *self)
{
    client_session_flush(self);
    if (self->session != 0 && (self->phase == CLIENT_READY || self->phase == CLIENT_LOGGING_ON ||
                               self->phase == CLIENT_ENDED))
        client_session_abandon(self, self->session, self->term);
    self->session = 0;
}

/* Gives the collected message to the link; false when it has to wait. */
static bool send_collected(client_session_t *self)
{
    client_outbox_t *outbox = &self->outbox;
    cluster_encode_session_header(outbox->message, self->term, self->session, 0);
    const client_link_result_t result =
        self->link.send(self->link.context, outbox->message, outbox->length);
    if (result != LINK_SENT) {
        if (!self->stalled)
            self->counts.back_pressure++;
        self->stalled = true;
        return false;
    }
    self->stalled = false;
    client_outbox_sent(outbox);
    return true;
}

void client_session_flush(client_session_t *self)
{
    client_outbox_t *outbox = &self->outbox;
    if (self->phase != CLIENT_READY || self->todo != CLIENT_TODO_NOTHING)
        return;
    do {
        client_outbox_fill(outbox);
        if (client_outbox_collected(outbox) && !send_collected(self))
            return;
    } while (client_outbox_waiting(outbox));
}

void client_session_collect(client_session_t *self)
{
    client_outbox_t *outbox = &self->outbox;
    if (self->phase != CLIENT_READY || self->todo != CLIENT_TODO_NOTHING)
        return;
    client_outbox_fill(outbox);
    if (client_outbox_full(outbox) && !self->stalled)
        client_session_flush(self);
}

oc_err_t client_session_request(client_session_t *self, oc_request_t *request)
{
    if (self->phase == CLIENT_ENDED)
        return error_set(OC_ERR_CLOSED, "client: %s", self->reason);
    if (request->type != OC_REQUEST_ORDER_STATUS && request->type != OC_REQUEST_PRINCIPAL &&
        request->type != OC_REQUEST_STOP)
        return error_set(
            OC_ERR_INVALID_ARGUMENT,
            "client: request type %u: commands go through send(), logons by themselves",
            request->type);
    if (self->phase != CLIENT_READY || self->todo != CLIENT_TODO_NOTHING)
        return error_set(OC_ERR_NOT_CONNECTED, "client: not connected now; poll and ask again");
    client_outbox_fill(&self->outbox);
    /* The venue answers one ORDER_STATUS of a message: each has a message that it begins. */
    if (request->type == OC_REQUEST_ORDER_STATUS) {
        client_session_flush(self);
        if (client_outbox_collected(&self->outbox))
            return error_set(OC_ERR_BACK_PRESSURE,
                             "client: the transport is full; poll, try again");
    }
    request->request_id = self->request_id + 1;
    oc_err_t err = client_outbox_append(&self->outbox, request);
    if (err == OC_ERR_BACK_PRESSURE) { /* the message, or the ring before it, is full */
        client_session_flush(self);
        err = client_outbox_append(&self->outbox, request);
    }
    if (err == OC_ERR_BACK_PRESSURE)
        return error_set(err, "client: the transport is full; poll, try again");
    if (err != OC_ERR_OK)
        return error_set(err, "client: a field of the request has no form on the wire");
    self->request_id++;
    return OC_ERR_OK;
}

oc_err_t client_session_message(client_session_t *self, const void *bytes, size_t length)
{
    client_outbox_t *outbox = &self->outbox;
    OC_ASSERT(self->source.value == 0);
    if (self->phase == CLIENT_ENDED)
        return error_set(OC_ERR_CLOSED, "client: %s", self->reason);
    if (length == 0 || length > CLIENT_MESSAGE_MAX)
        return error_set(OC_ERR_INVALID_ARGUMENT, "client: a message of %zu bytes; 1..%d", length,
                         CLIENT_MESSAGE_MAX);
    if (self->phase != CLIENT_READY || self->todo != CLIENT_TODO_NOTHING)
        return error_set(OC_ERR_NOT_CONNECTED, "client: not connected now; poll and ask again");
    client_session_flush(self);
    if (client_outbox_collected(outbox)) /* requests that wait leave first */
        return error_set(OC_ERR_BACK_PRESSURE, "client: the transport is full; poll, try again");
    memcpy(outbox->message + OUTBOX_HEADER_BYTES, bytes, length);
    outbox->length = OUTBOX_HEADER_BYTES + length;
    const bool sent = send_collected(self);
    client_outbox_clear(outbox);
    self->stalled = false;
    return sent ? OC_ERR_OK
                : error_set(OC_ERR_BACK_PRESSURE, "client: the transport is full; poll, try again");
}

/* ---- What the venue's words lead to ---------------------------------------------------------- */

static void set_reason(client_session_t *self, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

static void set_reason(client_session_t *self, const char *format, va_list arguments)
{
    (void)vsnprintf(self->reason, sizeof self->reason, format, arguments);
}

void client_session_lose(client_session_t *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_reason(self, format, arguments);
    va_end(arguments);
    self->todo = CLIENT_TODO_LOSE;
}

void client_session_end(client_session_t *self, oc_err_t err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_reason(self, format, arguments);
    va_end(arguments);
    self->end = err;
    self->phase = CLIENT_ENDED;
}

void client_session_log_on_again(client_session_t *self, int64_t delay_ns)
{
    self->phase = CLIENT_LOGGING_ON;
    self->logon_id = 0;
    self->attempts = 0;
    self->deadline_ns = self->now_ns + delay_ns;
}

void client_session_challenged(client_session_t *self, const cluster_message_t *challenge)
{
    uint8_t answer[CHALLENGE_ANSWER_BYTES];
    if (self->secret_length == 0) {
        client_session_end(self, OC_ERR_REFUSED,
                           "the venue asks principal %s for a proof: a secret must be given",
                           self->principal);
        return;
    }
    challenge_answer(self->secret, self->secret_length, challenge->data.bytes,
                     challenge->data.length, answer);
    const cluster_message_t message = {
        .type = CLUSTER_CHALLENGE_RESPONSE,
        .correlation_id = self->correlation + 1,
        .session = challenge->session,
        .data = text_of(answer, sizeof answer),
    };
    /* If it cannot be sent now, the connect request is repeated, and the challenge comes again. */
    if (!send_control(self, &message))
        return;
    self->correlation++;
    self->phase = CLIENT_CHALLENGED;
    self->deadline_ns = self->now_ns + CONNECT_INTERVAL_NS;
}

void client_session_redirected(client_session_t *self)
{
    if (++self->redirects > REDIRECTS_MAX)
        client_session_lose(self, "the members send us in circles, last to %s",
                            endpoints_current(&self->endpoints));
    else
        self->todo = CLIENT_TODO_OPEN;
}

void client_session_opened(client_session_t *self, const cluster_message_t *event, int32_t image)
{
    const int64_t former = self->session;
    self->session = event->session;
    self->term = event->term;
    self->image = image;
    self->heard_ns = self->now_ns;
    self->keepalive_ns = self->now_ns + self->keepalive_interval_ns;
    self->redirects = 0;
    /* A leader that took it over would have come to us: it is of this term as well. */
    if (former != 0 && former != self->session)
        client_session_abandon(self, former, self->term);
    client_session_log_on_again(self, 0);
    if (self->source.value == 0)
        client_session_ready(self);
}

void client_session_ready(client_session_t *self)
{
    const size_t max = self->link.message_max(self->link.context);
    OC_ASSERT(max >= OUTBOX_HEADER_BYTES + 128);
    self->outbox.capacity = max < OUTBOX_MESSAGE_MAX ? max : OUTBOX_MESSAGE_MAX;
    self->phase = CLIENT_READY;
    self->heard_ns = self->now_ns;
    self->down_ns = INT64_MAX;
    if (self->lost_ns != INT64_MAX)
        self->counts.reconnects++;
    self->lost_ns = INT64_MAX;
    self->ready_ns = self->now_ns;
    self->was_ready = true;
}

/* ---- Moving on ------------------------------------------------------------------------------- */

/* What is under way is over; poll opens the link at deadline_ns. */
static void begin_anew(client_session_t *self, int64_t deadline_ns)
{
    if (self->was_ready && self->lost_ns == INT64_MAX) {
        self->lost_ns = self->now_ns;
        /* Two clients that take one source from each other slow down. */
        if (self->now_ns - self->ready_ns > BACKOFF_LAST_NS)
            self->backoff_ns = BACKOFF_FIRST_NS;
    }
    self->phase = CLIENT_PAUSED;
    self->resume = false;
    self->redirects = 0;
    self->deadline_ns = deadline_ns;
    client_outbox_clear(&self->outbox);
    self->stalled = false;
}

static void pause_session(client_session_t *self)
{
    begin_anew(self, 0);
    self->deadline_ns = self->now_ns + self->backoff_ns;
    self->backoff_ns =
        self->backoff_ns * 2 < BACKOFF_LAST_NS ? self->backoff_ns * 2 : BACKOFF_LAST_NS;
}

/* Chooses whom to ask: the current one alone, or all but the one to avoid, from the current on. */
static size_t choose_asked(client_session_t *self, bool alone, const char **addresses)
{
    const endpoints_t *endpoints = &self->endpoints;
    const uint32_t count = alone ? 1 : endpoints->count;
    self->asked_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = (endpoints->current + i) % endpoints->count;
        if (count > 1 && at == self->avoid)
            continue;
        addresses[self->asked_count] = endpoints->list[at].address;
        self->asked[self->asked_count++] = (uint8_t)at;
    }
    self->avoid = CLIENT_NOBODY;
    return self->asked_count;
}

static void open_link(client_session_t *self, bool alone)
{
    const char *addresses[ENDPOINTS_MAX];
    const size_t count = choose_asked(self, alone, addresses);
    const oc_err_t err = self->link.open(self->link.context, addresses, count);
    if (err != OC_ERR_OK) {
        (void)snprintf(self->reason, sizeof self->reason, "%s: %s", oc_err_text(err),
                       oc_err_context());
        pause_session(self);
        endpoints_next(&self->endpoints);
        return;
    }
    if (self->was_ready && self->lost_ns == INT64_MAX)
        self->lost_ns = self->now_ns;
    self->phase = CLIENT_OPENING;
    self->deadline_ns = self->now_ns + (alone ? LEADER_TIMEOUT_NS : OPEN_TIMEOUT_NS);
    self->attempts = 0;
    client_outbox_clear(&self->outbox);
    self->stalled = false;
}

static void do_todo(client_session_t *self)
{
    const client_todo_t todo = self->todo;
    self->todo = CLIENT_TODO_NOTHING;
    if (todo == CLIENT_TODO_LOSE) {
        self->endpoints = self->configured;
        self->avoid = CLIENT_NOBODY;
        pause_session(self);
    } else if (todo == CLIENT_TODO_OPEN) {
        open_link(self, true);
    }
}

/* Somebody answers. */
static void drive_opened(client_session_t *self)
{
    const size_t chosen = self->link.chosen(self->link.context);
    OC_ASSERT(chosen < self->asked_count);
    self->endpoints.current = self->asked[chosen];
    if (self->resume) {
        self->resume = false;
        client_session_log_on_again(self, 0);
        if (self->source.value == 0)
            client_session_ready(self);
        return;
    }
    /* Answers to older requests are not ours any more. */
    if (self->correlation == 0) {
        self->correlation = self->now_ns & INT64_C(0x3fffffffffffffff);
        self->oldest_correlation = self->correlation + 1;
    }
    self->first_correlation = self->correlation + 1;
    self->attempts = 0;
    self->phase = CLIENT_CONNECTING;
    self->deadline_ns = self->now_ns;
}

static void drive_opening(client_session_t *self)
{
    const client_link_state_t state = self->link.state(self->link.context);
    if (state == LINK_UP) {
        drive_opened(self);
        return;
    }
    if (self->now_ns < self->deadline_ns && state != LINK_BROKEN)
        return;
    if (self->asked_count == 1)
        (void)snprintf(self->reason, sizeof self->reason, "nobody answers at %s",
                       self->endpoints.list[self->asked[0]].address);
    else
        (void)snprintf(self->reason, sizeof self->reason,
                       "nobody answers at %s and %u others: no member leads, or none can be "
                       "reached (outcry cluster status)",
                       self->endpoints.list[self->asked[0]].address, self->asked_count - 1);
    /* Who sent us to one that is not there may not know better yet. */
    self->endpoints = self->configured;
    if (state == LINK_BROKEN)
        pause_session(self);
    else
        begin_anew(self, self->now_ns); /* it has been waited already */
}

/* It is there, and says nothing. */
static void note_silence(client_session_t *self)
{
    (void)snprintf(self->reason, sizeof self->reason,
                   "%s does not answer a connect request: " MAY_BE_SUSPENDED
                   ", have no leader, or not reach us",
                   endpoints_current(&self->endpoints));
}

static void give_member_up(client_session_t *self)
{
    self->avoid = self->endpoints.current;
    endpoints_next(&self->endpoints);
    begin_anew(self, self->now_ns);
}

static void drive_connecting(client_session_t *self)
{
    const uint32_t most = self->endpoints.count > 1 ? MEMBER_ATTEMPTS : CONNECT_ATTEMPTS;
    if (self->now_ns < self->deadline_ns)
        return;
    if (self->attempts > 0)
        note_silence(self);
    if (self->attempts >= most) {
        give_member_up(self);
        return;
    }
    self->phase = CLIENT_CONNECTING;
    if (send_connect(self)) {
        self->attempts++;
        self->deadline_ns = self->now_ns + CONNECT_INTERVAL_NS;
    }
}

static void drive_logging_on(client_session_t *self)
{
    if (self->now_ns < self->deadline_ns)
        return;
    if (self->attempts == LOGON_ATTEMPTS) {
        client_session_lose(self, "the venue does not answer a logon: " MAY_BE_SUSPENDED
                                  " or has no leader");
        return;
    }
    if (send_logon(self)) {
        self->attempts++;
        self->deadline_ns = self->now_ns + LOGON_INTERVAL_NS;
    }
}

static void drive_ready(client_session_t *self)
{
    client_session_flush(self);
    const client_outbox_t *outbox = &self->outbox;
    const bool waits = outbox->oldest != outbox->to_send;
    if (!waits)
        self->heard_ns = self->now_ns;
    else if (self->now_ns - self->heard_ns > SILENCE_NS)
        client_session_log_on_again(self, 0);
}

/* The venue's transport and the stream on which it answers are still there. */
static void watch_link(client_session_t *self)
{
    const client_link_state_t state = self->link.state(self->link.context);
    if (state == LINK_UP)
        self->down_ns = INT64_MAX;
    else if (self->down_ns == INT64_MAX)
        self->down_ns = self->now_ns;
    if (state == LINK_BROKEN)
        client_session_lose(self, "the transport failed");
    else if (self->down_ns != INT64_MAX && self->now_ns - self->down_ns > DOWN_GRACE_NS)
        client_session_lose(self, "the venue at %s is gone", endpoints_current(&self->endpoints));
    if (self->phase < CLIENT_LOGGING_ON || self->now_ns < self->image_check_ns)
        return;
    self->image_check_ns = self->now_ns + IMAGE_INTERVAL_NS;
    if (!self->link.image_alive(self->link.context, self->image))
        client_session_lose(self, "the venue's answers have ended");
}

static void drive(client_session_t *self)
{
    switch (self->phase) {
    case CLIENT_PAUSED:
        if (self->now_ns >= self->deadline_ns)
            open_link(self, false);
        break;
    case CLIENT_OPENING:
        drive_opening(self);
        break;
    case CLIENT_CONNECTING:
    case CLIENT_CHALLENGED:
        drive_connecting(self);
        break;
    case CLIENT_LOGGING_ON:
        drive_logging_on(self);
        break;
    case CLIENT_READY:
        drive_ready(self);
        break;
    case CLIENT_ENDED:
        break;
    }
}

size_t client_session_poll(client_session_t *self, int64_t now_ns, size_t limit)
{
    if (self->phase == CLIENT_ENDED)
        return 0;
    self->now_ns = now_ns;
    size_t received = 0;
    if (self->phase != CLIENT_PAUSED || self->session != 0)
        received = self->link.poll(self->link.context, client_inbox_take, self, limit);
    if (self->phase == CLIENT_ENDED)
        return received;
    do_todo(self);
    if (self->phase >= CLIENT_CONNECTING)
        watch_link(self);
    drive(self);
    if (self->phase >= CLIENT_LOGGING_ON && self->phase <= CLIENT_READY &&
        now_ns >= self->keepalive_ns)
        send_keepalive(self);
    do_todo(self);
    if (self->lost_ns != INT64_MAX && self->reconnect_timeout_ns > 0 &&
        now_ns - self->lost_ns > self->reconnect_timeout_ns) {
        char why[CLIENT_REASON_MAX / 2];
        (void)snprintf(why, sizeof why, "%.*s", (int)sizeof why - 1, self->reason);
        client_session_end(self, OC_ERR_TIMEOUT, "not connected again within %" PRId64 " ms: %s",
                           self->reconnect_timeout_ns / MILLISECONDS, why);
    }
    return received;
}
