/*
 * The leader's way to clients. Called by the container: open, close and send while the log is
 * applied, egress_do_work() in each duty cycle.
 *
 * Sessions lie in the gateway's table; of a session's fields these count here: the publication, the
 * backlog, `slow`, `deadline_ns` (until when the way has to be there; 0: it is there, or was not
 * looked at yet), `reconnect_ns`, and `open`. They are in the state SESSION_OPEN, or SESSION_ENDING
 * when only a last word is left to say. Only those that wait for something are in the active list.
 *
 * Invariants: a message is sent directly only when nothing waits in front of it; a slow session
 * holds neither publication nor backlog; an ending one has something that waits, and takes no place
 * from others. Must not wait, and must not allocate after creation.
 */
#include "cluster/egress.h"

#include "base/assert.h"
#include "base/error.h"
#include "codec/cluster_codec.h"
#include "gateway/aeron_transport.h"
#include "gateway/session_table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* As the module says it of sessions that are not heard of. */
#define DISMISSAL "TIMEOUT"

/* Messages of one session in one duty cycle. */
#define SEND_BATCH 64
/* A way that broke, or for which there was no room, is tried anew. */
#define RECONNECT_AFTER_NS (INT64_C(500) * 1000 * 1000)

struct egress {
    egress_config_t config;
    transport_t transport;
    session_table_t table;
    backlog_pool_t pool;
    egress_counters_t counters;
    int64_t term;
    int64_t now_ns;
    uint8_t *frame; /* where a message is put together with its header */
};

/* ---- Life ------------------------------------------------------------------------------------ */

static oc_err_t check_config(const egress_config_t *config)
{
    const size_t record =
        backlog_record_size((size_t)config->message_bytes_max + CLUSTER_SESSION_HEADER_BYTES);
    OC_ASSERT(config->slow != NULL);
    if (config->max_sessions == 0 || config->message_bytes_max == 0 ||
        config->connect_timeout_ns <= 0 || config->session_backlog_bytes < record ||
        config->backlog_bytes < config->session_backlog_bytes)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "egress: %" PRIu32 " sessions, messages of %" PRIu32
                         " bytes, backlog of %" PRIu32 " of %" PRIu32
                         " bytes: the first must hold the longest message, the second the first; "
                         "the connect timeout must be positive",
                         config->max_sessions, config->message_bytes_max,
                         config->session_backlog_bytes, config->backlog_bytes);
    return OC_ERR_OK;
}

oc_err_t egress_create(egress_t **egress, const egress_config_t *config, embedded_t *embedded)
{
    transport_t transport;
    *egress = NULL;
    oc_err_t err = check_config(config);
    if (err != OC_ERR_OK)
        return err;
    err = aeron_transport_create_outgoing(&transport, config->max_sessions, embedded);
    if (err != OC_ERR_OK)
        return err;
    return egress_create_on(egress, config, &transport);
}

oc_err_t egress_create_on(egress_t **egress, const egress_config_t *config,
                          const transport_t *transport)
{
    const size_t longest = (size_t)config->message_bytes_max + CLUSTER_SESSION_HEADER_BYTES;
    *egress = NULL;
    oc_err_t err = check_config(config);
    if (err != OC_ERR_OK)
        goto destroy_transport;
    err = OC_ERR_NO_MEMORY;
    egress_t *self = calloc(1, sizeof *self);
    if (self == NULL)
        goto no_memory;
    self->config = *config;
    self->transport = *transport;
    self->frame = malloc(longest);
    if (self->frame == NULL)
        goto free_self;
    if (!session_table_init(&self->table, config->max_sessions))
        goto free_frame;
    if (!backlog_pool_init(&self->pool, config->backlog_bytes, longest))
        goto fini_table;
    *egress = self;
    return OC_ERR_OK;

fini_table:
    session_table_fini(&self->table);
free_frame:
    free(self->frame);
free_self:
    free(self);
no_memory:
    (void)error_set(err, "egress: %" PRIu32 " sessions, %" PRIu32 " bytes of backlog",
                    config->max_sessions, config->backlog_bytes);
destroy_transport:
    transport->destroy(transport->context);
    return err;
}

/* Gives back what a session holds of the transport and of the pool. */
static void release(egress_t *self, session_t *session)
{
    backlog_clear(&self->pool, &session->backlog);
    if (session->publication != NULL)
        self->transport.close(self->transport.context, session->publication);
    session->publication = NULL;
}

void egress_destroy(egress_t *self)
{
    if (self == NULL)
        return;
    for (uint32_t i = 0; i < self->table.capacity; i++) {
        if (self->table.sessions[i].state != SESSION_FREE)
            release(self, &self->table.sessions[i]);
    }
    self->transport.destroy(self->transport.context);
    backlog_pool_fini(&self->pool);
    session_table_fini(&self->table);
    free(self->frame);
    free(self);
}

void egress_set_term(egress_t *self, int64_t leadership_term)
{
    self->term = leadership_term;
}

/* ---- A session's way ------------------------------------------------------------------------- */

static void drop_backlog(egress_t *self, session_t *session)
{
    while (!backlog_empty(&session->backlog)) {
        backlog_pop(&self->pool, &session->backlog);
        self->counters.dropped++;
    }
}

static void forget(egress_t *self, session_t *session)
{
    drop_backlog(self, session);
    release(self, session);
    session_table_remove(&self->table, session);
}

static void give_up(egress_t *self, session_t *session)
{
    OC_ASSERT(!session->slow);
    if (session->state == SESSION_ENDING) { /* nobody is to close it any more */
        forget(self, session);
        return;
    }
    drop_backlog(self, session);
    release(self, session);
    session->slow = true;
    session_table_deactivate(&self->table, session);
    self->counters.slow++;
    self->config.slow(self->config.context, session->id);
}

static void connect_way(egress_t *self, session_t *session)
{
    session->publication = self->transport.add(
        self->transport.context, session->open.response_channel, session->open.response_stream);
    session->reconnect_ns = self->now_ns + RECONNECT_AFTER_NS;
}

/* The way there is broken for good; another one is made after a while. */
static void drop_way(egress_t *self, session_t *session)
{
    self->transport.close(self->transport.context, session->publication);
    session->publication = NULL;
    session->reconnect_ns = self->now_ns + RECONNECT_AFTER_NS;
}

/* False: not now; what is to be sent waits, and the session is looked at in each duty cycle. */
static bool try_send(egress_t *self, session_t *session, const void *bytes, size_t length)
{
    if (session->publication == NULL)
        return false;
    switch (self->transport.send(self->transport.context, session->publication, bytes, length)) {
    case TRANSPORT_SENT:
        self->counters.messages++;
        return true;
    case TRANSPORT_BACK_PRESSURE:
        self->counters.back_pressure++;
        return false;
    case TRANSPORT_BROKEN:
        drop_way(self, session);
        return false;
    case TRANSPORT_NOT_CONNECTED:
        break;
    }
    return false;
}

static int flush(egress_t *self, session_t *session, int limit)
{
    int sent = 0;
    while (sent < limit && !backlog_empty(&session->backlog)) {
        size_t length = 0;
        const void *bytes = backlog_front(&self->pool, &session->backlog, &length);
        if (!try_send(self, session, bytes, length))
            break;
        backlog_pop(&self->pool, &session->backlog);
        sent++;
    }
    return sent;
}

static bool is_connected(egress_t *self, session_t *session)
{
    if (session->publication == NULL)
        return false;
    const transport_state_t state =
        self->transport.state(self->transport.context, session->publication);
    if (state == TRANSPORT_FAILED)
        drop_way(self, session);
    return state == TRANSPORT_CONNECTED;
}

/* One duty cycle of a session that waits for its way, or for room on it. */
static int step(egress_t *self, session_t *session)
{
    OC_ASSERT(!session->slow);
    if (session->publication == NULL && self->now_ns >= session->reconnect_ns)
        connect_way(self, session);
    const int sent = flush(self, session, SEND_BATCH);
    if (session->state == SESSION_ENDING) {
        if (backlog_empty(&session->backlog) || self->now_ns >= session->deadline_ns)
            forget(self, session);
        return sent;
    }
    if (is_connected(self, session)) {
        session->deadline_ns = 0;
        if (backlog_empty(&session->backlog))
            session_table_deactivate(&self->table, session);
    } else if (session->deadline_ns == 0) {
        session->deadline_ns = self->now_ns + self->config.connect_timeout_ns;
    } else if (self->now_ns >= session->deadline_ns) {
        give_up(self, session);
        return sent + 1;
    }
    return sent;
}

int egress_do_work(egress_t *self, int64_t now_ns)
{
    int work = 0;
    self->now_ns = now_ns;
    /* Backwards: one that leaves the list is replaced by one that had its turn. */
    for (uint32_t i = self->table.active_count; i > 0; i--)
        work += step(self, &self->table.sessions[self->table.active[i - 1]]);
    return work;
}

/* ---- What the container says ----------------------------------------------------------------- */

static void close_session(egress_t *self, session_t *session)
{
    while (flush(self, session, SEND_BATCH) > 0)
        ;
    forget(self, session);
}

/* A full table may have places of sessions that are only to be told of their end. */
static session_t *add_session(egress_t *self, oc_session_id_t id)
{
    session_table_t *table = &self->table;
    for (uint32_t i = 0; table->by_state[SESSION_ENDING] > 0 && table->free_count == 0; i++) {
        OC_ASSERT(i < table->capacity);
        if (table->sessions[i].state == SESSION_ENDING)
            close_session(self, &table->sessions[i]);
    }
    return session_table_add(table, id, SESSION_OPEN);
}

void egress_open(egress_t *self, oc_session_id_t id, const gateway_open_t *open)
{
    if (session_table_find(&self->table, id) != NULL)
        return;
    session_t *session = add_session(self, id);
    if (session == NULL) {
        self->counters.slow++;
        self->config.slow(self->config.context, id);
        return;
    }
    session->open = *open;
    connect_way(self, session);
}

void egress_close(egress_t *self, oc_session_id_t id)
{
    session_t *session = session_table_find(&self->table, id);
    if (session != NULL)
        close_session(self, session);
}

void egress_close_all(egress_t *self)
{
    for (uint32_t i = 0; i < self->table.capacity; i++) {
        if (self->table.sessions[i].state != SESSION_FREE)
            close_session(self, &self->table.sessions[i]);
    }
}

static session_t *largest_backlog(egress_t *self)
{
    session_t *largest = &self->table.sessions[0];
    for (uint32_t i = 1; i < self->table.capacity; i++) {
        if (self->table.sessions[i].backlog.bytes > largest->backlog.bytes)
            largest = &self->table.sessions[i];
    }
    return largest;
}

static void queue(egress_t *self, session_t *session, size_t length)
{
    const backlog_message_t message = {.head = self->frame, .head_length = length};
    if (session->backlog.bytes + backlog_record_size(length) > self->config.session_backlog_bytes) {
        self->counters.dropped++;
        give_up(self, session);
        return;
    }
    /* All memory is in use: whoever holds most of it has to go, not whoever comes last. */
    while (!backlog_push(&self->pool, &session->backlog, 0, &message)) {
        session_t *largest = largest_backlog(self);
        if (largest->backlog.bytes <= session->backlog.bytes) {
            self->counters.dropped++;
            give_up(self, session);
            return;
        }
        give_up(self, largest);
    }
    session_table_activate(&self->table, session);
}

void egress_send(egress_t *self, oc_session_id_t id, const void *bytes, size_t length,
                 int64_t timestamp)
{
    OC_ASSERT(length <= self->config.message_bytes_max);
    session_t *session = session_table_find(&self->table, id);
    if (session == NULL)
        return;
    if (session->slow) {
        self->counters.dropped++;
        return;
    }
    cluster_encode_session_header(self->frame, self->term, (int64_t)id.value, timestamp);
    memcpy(self->frame + CLUSTER_SESSION_HEADER_BYTES, bytes, length);
    const size_t whole = length + CLUSTER_SESSION_HEADER_BYTES;
    if (!backlog_empty(&session->backlog) || !try_send(self, session, self->frame, whole))
        queue(self, session, whole);
}

void egress_dismiss(egress_t *self, oc_session_id_t id)
{
    session_t *session = session_table_find(&self->table, id);
    if (session == NULL || session->state == SESSION_ENDING)
        return;
    const cluster_message_t event = {
        .type = CLUSTER_SESSION_EVENT,
        .correlation_id = session->open.correlation_id,
        .session = (int64_t)id.value,
        .term = self->term,
        .leader = self->config.member,
        .code = CLUSTER_EVENT_CLOSED,
        .version = CLUSTER_PROTOCOL_VERSION,
        .text = {.bytes = DISMISSAL, .length = sizeof DISMISSAL - 1},
    };
    const size_t length = cluster_encode(
        &event, self->frame, (size_t)self->config.message_bytes_max + CLUSTER_SESSION_HEADER_BYTES);
    if (session->slow || length == 0) {
        close_session(self, session);
        return;
    }
    session_table_set_state(&self->table, session, SESSION_ENDING);
    session->deadline_ns = self->now_ns + self->config.connect_timeout_ns;
    queue(self, session, length);
}

size_t egress_backlog(const egress_t *self)
{
    return self->pool.bytes;
}

const egress_counters_t *egress_counters(const egress_t *self)
{
    return &self->counters;
}
