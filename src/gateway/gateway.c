/*
 * The gateway's duty cycle and what the applied log tells it. Called by the host's core.
 *
 * Order of a cycle: ingress first, then every session with something to do, each a bounded amount,
 * then timeouts. Invariants: nothing is allocated after creation; a session's life is decided by
 * the log, so the gateway asks the sink to open and close and acts when the log says so; timeouts
 * are judged only after ingress had a chance to show that a client lives.
 */
#include "gateway/gateway_internal.h"

#include "base/assert.h"
#include "base/error.h"
#include "gateway/aeron_transport.h"
#include "gateway/response_channel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWEEP_INTERVAL_NS (INT64_C(10) * 1000 * 1000)

/* After ingress rested or the process stood still, clients get this long to be heard. */
#define GRACE_NS (INT64_C(1000) * 1000 * 1000)

#define MESSAGE_BYTES_LIMIT (1024 * 1024)
#define SESSIONS_LIMIT      (1024 * 1024)

void gateway_config_init(gateway_config_t *config)
{
    *config = (gateway_config_t){
        .ingress = "127.0.0.1:9010",
        .max_sessions = 256,
        .max_connecting = 64,
        .session_backlog_bytes = 4 * 1024 * 1024,
        .backlog_bytes = 64 * 1024 * 1024,
        .poll_limit = 64,
        .message_bytes_max = 64 * 1024,
        .session_timeout_ns = INT64_C(10) * 1000 * 1000 * 1000,
        .connect_timeout_ns = INT64_C(5) * 1000 * 1000 * 1000,
        .authenticator = authenticator_none(),
    };
}

static oc_err_t check_config(const gateway_config_t *config)
{
    if (config->max_sessions == 0 || config->max_sessions > SESSIONS_LIMIT ||
        config->max_connecting == 0 || config->max_connecting > SESSIONS_LIMIT)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "gateway: %" PRIu32 " sessions, %" PRIu32 " connecting: 1 to %d each",
                         config->max_sessions, config->max_connecting, SESSIONS_LIMIT);
    if (config->message_bytes_max == 0 || config->message_bytes_max > MESSAGE_BYTES_LIMIT)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "gateway: messages of %" PRIu32 " bytes: 1 to %d are possible",
                         config->message_bytes_max, MESSAGE_BYTES_LIMIT);
    if (config->session_backlog_bytes < backlog_record_size(gateway_frame_max(config)) ||
        config->backlog_bytes < config->session_backlog_bytes)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "gateway: a session's backlog of %" PRIu32 " bytes, all %" PRIu32
                         ": the first must hold the longest message, the second the first",
                         config->session_backlog_bytes, config->backlog_bytes);
    if (config->session_timeout_ns <= 0 || config->connect_timeout_ns <= 0 ||
        config->poll_limit == 0 || config->authenticator == NULL)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "gateway: timeouts and the poll limit must be positive, and there must "
                         "be an authenticator");
    return OC_ERR_OK;
}

static uint32_t sessions_capacity(const gateway_config_t *config)
{
    /* Open ones, connecting ones, and as many that are being told that they are not any more. */
    return config->max_sessions + 2 * config->max_connecting;
}

oc_err_t gateway_create(gateway_t **gateway, const gateway_config_t *config, embedded_t *embedded,
                        const gateway_sink_t *sink)
{
    *gateway = NULL;
    oc_err_t err = check_config(config);
    if (err != OC_ERR_OK)
        return err;
    transport_t transport;
    const uint32_t capacity = sessions_capacity(config);
    err = aeron_transport_create(&transport,
                                 &(aeron_transport_config_t){
                                     .ingress = config->ingress,
                                     .publications = capacity,
                                     /* A client may have an old stream that is not quite gone. */
                                     .sources = 2 * capacity,
                                     .message_bytes_max = gateway_frame_max(config),
                                 },
                                 embedded);
    if (err != OC_ERR_OK)
        return err;
    return gateway_create_on(gateway, config, &transport, sink);
}

oc_err_t gateway_create_on(gateway_t **gateway, const gateway_config_t *config,
                           const transport_t *transport, const gateway_sink_t *sink)
{
    *gateway = NULL;
    oc_err_t err = check_config(config);
    if (err != OC_ERR_OK)
        goto destroy_transport;
    err = OC_ERR_NO_MEMORY;
    gateway_t *self = calloc(1, sizeof *self);
    if (self == NULL)
        goto no_memory;
    self->config = *config;
    self->sink = *sink;
    self->transport = *transport;
    const char *told = config->redirect != NULL     ? config->redirect
                       : config->advertised != NULL ? config->advertised
                                                    : transport->address(transport->context);
    const int length = snprintf(self->announcement, sizeof self->announcement, "0=%s", told);
    if (length < 0 || (size_t)length >= sizeof self->announcement) {
        err = error_set(OC_ERR_INVALID_ARGUMENT, "gateway: the address %.40s... is too long", told);
        goto free_self;
    }
    if (!session_table_init(&self->table, sessions_capacity(config)))
        goto free_self;
    if (!backlog_pool_init(&self->pool, config->backlog_bytes, gateway_frame_max(config)))
        goto fini_table;
    *gateway = self;
    return OC_ERR_OK;

fini_table:
    session_table_fini(&self->table);
free_self:
    free(self);
no_memory:
    if (err == OC_ERR_NO_MEMORY)
        err = error_set(err, "gateway: %" PRIu32 " sessions, %" PRIu32 " bytes of backlog",
                        config->max_sessions, config->backlog_bytes);
destroy_transport:
    transport->destroy(transport->context);
    return err;
}

void gateway_destroy(gateway_t *self)
{
    if (self == NULL)
        return;
    for (uint32_t i = 0; i < self->table.capacity; i++) {
        if (self->table.sessions[i].state != SESSION_FREE)
            session_forget(self, &self->table.sessions[i]);
    }
    self->transport.destroy(self->transport.context);
    backlog_pool_fini(&self->pool);
    session_table_fini(&self->table);
    free(self);
}

const char *gateway_ingress(const gateway_t *self)
{
    return self->transport.address(self->transport.context);
}

void gateway_set_term(gateway_t *self, int64_t term)
{
    self->term = term;
}

/* Sets the time. Sessions that were restored before the first cycle begin to live now. */
static void begin_cycle(gateway_t *self, int64_t now_ns, bool pause)
{
    if (!self->started) {
        for (uint32_t i = 0; i < self->table.capacity; i++)
            self->table.sessions[i].activity_ns = now_ns;
    }
    /* A process that was stopped, or ingress that rested, heard nobody: that is no timeout. */
    if (!self->started || pause || now_ns - self->now_ns > self->config.session_timeout_ns / 4)
        self->next_sweep_ns = now_ns + GRACE_NS;
    self->started = true;
    self->now_ns = now_ns;
}

int gateway_do_work(gateway_t *self, int64_t now_ns, uint64_t durable, bool pause)
{
    int work = 0;
    begin_cycle(self, now_ns, pause);
    self->durable = durable;
    if (!pause)
        work += self->transport.poll(self->transport.context, ingress_on_message, self,
                                     self->config.poll_limit);
    /* Backwards: a session that leaves the list is replaced by one that had its turn; one that
     * comes is appended and has its turn in the next cycle. */
    for (uint32_t i = self->table.active_count; i > 0; i--) {
        if (i <= self->table.active_count)
            work += session_step(self, &self->table.sessions[self->table.active[i - 1]], durable);
    }
    if (now_ns >= self->next_sweep_ns) {
        self->next_sweep_ns = now_ns + SWEEP_INTERVAL_NS;
        work += session_sweep(self);
    }
    return work;
}

/* Makes a session of what the log says, for a client that did not connect just now. */
static session_t *adopt(gateway_t *self, oc_session_id_t id, const gateway_open_t *open)
{
    response_channel_t channel;
    if (open->channel_length >= GATEWAY_CHANNEL_MAX ||
        !response_channel_parse(&channel, open->response_channel, open->channel_length,
                                gateway_frame_max(&self->config)))
        return NULL;
    session_t *session = session_table_add(&self->table, id, SESSION_OPEN);
    if (session == NULL)
        return NULL;
    session->open = *open;
    session->open.channel_length = channel.length;
    memcpy(session->open.response_channel, channel.text, sizeof channel.text);
    memcpy(session->host, channel.host, sizeof channel.host);
    session->activity_ns = self->now_ns;
    session->publication = self->transport.add(
        self->transport.context, session->open.response_channel, open->response_stream);
    return session;
}

bool gateway_session_opened(gateway_t *self, oc_session_id_t session, const gateway_open_t *open,
                            uint64_t position)
{
    session_t *opened = session_table_find(&self->table, session);
    if (opened == NULL)
        opened = adopt(self, session, open);
    if (opened == NULL)
        return false;
    if (opened->state != SESSION_OPEN)
        session_table_set_state(&self->table, opened, SESSION_OPEN);
    opened->activity_ns = self->now_ns;
    session_tell_event(self, opened, CLUSTER_EVENT_OK, "", position);
    session_supersede(self, opened);
    return true;
}

bool gateway_session_restored(gateway_t *self, oc_session_id_t session, const gateway_open_t *open)
{
    OC_ASSERT(session_table_find(&self->table, session) == NULL);
    session_t *restored = adopt(self, session, open);
    if (restored == NULL)
        return false;
    restored->announcing = true;
    return true;
}

void gateway_session_closed(gateway_t *self, oc_session_id_t session, oc_close_reason_t reason,
                            uint64_t position)
{
    session_t *closed = session_table_find(&self->table, session);
    if (closed != NULL && (closed->state == SESSION_OPEN || closed->state == SESSION_SEQUENCED))
        session_end(self, closed, reason, position);
}

void gateway_send(gateway_t *self, oc_session_id_t session, const void *bytes, size_t length,
                  uint64_t position, int64_t time_ns)
{
    OC_ASSERT(length <= self->config.message_bytes_max);
    session_t *to = session_table_find(&self->table, session);
    if (to == NULL || to->state != SESSION_OPEN)
        return;
    uint8_t header[CLUSTER_SESSION_HEADER_BYTES];
    cluster_encode_session_header(header, self->term, (int64_t)session.value, time_ns);
    session_push(
        self, to, position,
        &(backlog_message_t){
            .head = header, .head_length = sizeof header, .body = bytes, .body_length = length});
}

size_t gateway_backlog(const gateway_t *self)
{
    return self->pool.bytes;
}

const gateway_counters_t *gateway_counters(const gateway_t *self)
{
    return &self->counters;
}
