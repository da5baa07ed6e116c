/*
 * The host in memory. Entries and bytes are kept in growing arrays; nothing is ever forgotten, so
 * that a log can be applied again.
 *
 * Used by tests of services; fails the running cmocka test when something is wrong.
 */
#include "lib/service_host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/host_calls.h"

enum { TIMERS_MAX = 8, SETTLE_MAX = 100000, MESSAGE_MAX = 1376 };

typedef enum entry_type {
    ENTRY_OPEN,
    ENTRY_CLOSE,
    ENTRY_MESSAGE,
    ENTRY_TIMER,
    ENTRY_TIME,
    ENTRY_NOTICE,
} entry_type_t;

typedef struct logged {
    entry_type_t type;
    oc_log_entry_t at;
    oc_session_id_t session;
    int64_t value; /* timer, notice, close reason */
    size_t length;
    uint8_t *bytes; /* of a message or principal; owned */
} logged_t;

typedef struct sent {
    oc_session_id_t session;
    size_t length;
    uint8_t *bytes; /* owned; NULL: taken */
} sent_t;

typedef struct pending_timer {
    bool used;
    oc_timer_id_t id;
    int64_t deadline_ns;
} pending_timer_t;

struct service_host {
    oc_host_t base;
    const oc_service_t *service;
    size_t message_max;
    oc_role_t role;
    bool in_call;
    bool stopped;
    oc_err_t wanted_err;
    int64_t now_ns;
    uint32_t term;
    uint64_t position;
    logged_t *log;
    size_t log_count;
    size_t log_capacity;
    sent_t *sent;
    size_t sent_count;
    size_t sent_capacity;
    size_t sent_first; /* all before it are taken */
    uint64_t sent_hash;
    uint8_t *taken; /* the message that was taken last */
    bool *open;     /* by session id */
    bool *closing;  /* asked for by the service */
    size_t sessions;
    pending_timer_t timers[TIMERS_MAX];
};

/* Room for one more item. */
static void *grow(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 64;
    void *grown = realloc(items, *capacity * size);
    assert_non_null(grown);
    return grown;
}

/* Aligned for any type, as a host's messages are; never NULL. */
static uint8_t *copy_bytes(const void *bytes, size_t length)
{
    uint8_t *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    if (length)
        memcpy(copy, bytes, length);
    return copy;
}

/* ---- what the service asks for ---- */

static service_host_t *of(oc_host_t *host)
{
    return (service_host_t *)host;
}

static void call_send(oc_host_t *base, oc_session_id_t session, const void *bytes, size_t length)
{
    service_host_t *host = of(base);
    assert_true(host->in_call);
    assert_true(length > 0);
    if (host->role != OC_HOST_ACTIVE || !service_host_is_open(host, session))
        return;
    host->sent_hash = (host->sent_hash ^ session.value) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < length; i++)
        host->sent_hash = (host->sent_hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    host->sent = grow(host->sent, host->sent_count, &host->sent_capacity, sizeof *host->sent);
    host->sent[host->sent_count++] = (sent_t){session, length, copy_bytes(bytes, length)};
}

static size_t call_message_max(const oc_host_t *base)
{
    return ((const service_host_t *)base)->message_max;
}

static pending_timer_t *find_timer(service_host_t *host, oc_timer_id_t id)
{
    for (size_t i = 0; i < TIMERS_MAX; i++) {
        if (host->timers[i].used && host->timers[i].id.value == id.value)
            return &host->timers[i];
    }
    return NULL;
}

static bool call_schedule_timer(oc_host_t *base, oc_timer_id_t id, int64_t deadline_ns)
{
    service_host_t *host = of(base);
    pending_timer_t *timer = find_timer(host, id);
    for (size_t i = 0; i < TIMERS_MAX && !timer; i++) {
        if (!host->timers[i].used)
            timer = &host->timers[i];
    }
    if (!timer)
        return false;
    *timer = (pending_timer_t){true, id, deadline_ns};
    return true;
}

static bool call_cancel_timer(oc_host_t *base, oc_timer_id_t id)
{
    pending_timer_t *timer = find_timer(of(base), id);
    if (timer)
        timer->used = false;
    return timer != NULL;
}

static void call_close_session(oc_host_t *base, oc_session_id_t session)
{
    service_host_t *host = of(base);
    assert_true(host->in_call);
    if (service_host_is_open(host, session))
        host->closing[session.value] = true;
}

static void call_stop(oc_host_t *base)
{
    of(base)->stopped = of(base)->role == OC_HOST_ACTIVE;
}

static const host_calls_t calls = {
    .send = call_send,
    .message_max = call_message_max,
    .schedule_timer = call_schedule_timer,
    .cancel_timer = call_cancel_timer,
    .close_session = call_close_session,
    .stop = call_stop,
};

/* ---- entries ---- */

static void set_open(service_host_t *host, oc_session_id_t session, bool open)
{
    if (session.value >= host->sessions) {
        const size_t sessions = (size_t)session.value * 2 + 16;
        host->open = realloc(host->open, sessions * sizeof *host->open);
        host->closing = realloc(host->closing, sessions * sizeof *host->closing);
        assert_non_null(host->open);
        assert_non_null(host->closing);
        for (size_t i = host->sessions; i < sessions; i++)
            host->open[i] = host->closing[i] = false;
        host->sessions = sessions;
    }
    host->open[session.value] = open;
    host->closing[session.value] = false;
}

static void use_timer(service_host_t *host, oc_timer_id_t id)
{
    pending_timer_t *timer = find_timer(host, id);
    assert_non_null(timer);
    timer->used = false;
}

static oc_err_t call_service(service_host_t *host, const logged_t *e)
{
    const oc_service_t *s = host->service;
    switch (e->type) {
    case ENTRY_OPEN:
        set_open(host, e->session, true);
        s->session_open(s->context, &e->at, e->session, e->bytes, e->length);
        return OC_ERR_OK;
    case ENTRY_CLOSE:
        set_open(host, e->session, false);
        s->session_close(s->context, &e->at, e->session, (oc_close_reason_t)e->value);
        return OC_ERR_OK;
    case ENTRY_MESSAGE:
        return s->message(s->context, &e->at, e->session, e->bytes, e->length);
    case ENTRY_TIMER:
        use_timer(host, (oc_timer_id_t){e->value});
        return s->timer(s->context, &e->at, (oc_timer_id_t){e->value});
    case ENTRY_TIME:
        return s->time(s->context, &e->at);
    case ENTRY_NOTICE:
        return s->notice(s->context, &e->at, (oc_notice_t)e->value);
    }
    return OC_ERR_OK;
}

static void apply(service_host_t *host, const logged_t *entry)
{
    host->in_call = true;
    const oc_err_t err = call_service(host, entry);
    host->in_call = false;
    assert_int_equal(err, host->wanted_err);
    host->wanted_err = OC_ERR_OK;
}

/* Puts an entry into the log and applies it. */
static void append(service_host_t *host, entry_type_t type, oc_session_id_t session, int64_t value,
                   const void *bytes, size_t length)
{
    assert_false(host->in_call);
    host->position += 32 + (length + 31) / 32 * 32;
    logged_t entry = {.type = type, .session = session, .value = value, .length = length};
    entry.at.position = host->position;
    entry.at.term = host->term;
    entry.at.time_ns = host->now_ns;
    entry.bytes = copy_bytes(bytes, length);
    host->log = grow(host->log, host->log_count, &host->log_capacity, sizeof *host->log);
    host->log[host->log_count++] = entry;
    apply(host, &entry);
}

/* What is due and what was asked for, until nothing is left. */
static void follow_up(service_host_t *host)
{
    const oc_session_id_t none = {0};
    for (size_t i = 0; i < TIMERS_MAX; i++) {
        if (host->timers[i].used && host->timers[i].deadline_ns <= host->now_ns)
            append(host, ENTRY_TIMER, none, host->timers[i].id.value, NULL, 0);
    }
    for (uint64_t id = 0; id < host->sessions; id++) {
        if (host->closing[id])
            append(host, ENTRY_CLOSE, (oc_session_id_t){id}, OC_CLOSE_SERVICE, NULL, 0);
    }
}

oc_session_id_t service_host_open(service_host_t *host, const char *principal)
{
    const oc_session_id_t session = {host->position + 32 + 7}; /* never used before */
    append(host, ENTRY_OPEN, session, 0, principal, strlen(principal));
    follow_up(host);
    return session;
}

void service_host_close(service_host_t *host, oc_session_id_t session, oc_close_reason_t reason)
{
    if (!service_host_is_open(host, session))
        return;
    append(host, ENTRY_CLOSE, session, reason, NULL, 0);
    follow_up(host);
}

void service_host_message(service_host_t *host, oc_session_id_t session, const void *bytes,
                          size_t length)
{
    if (!service_host_is_open(host, session))
        return;
    append(host, ENTRY_MESSAGE, session, 0, bytes, length);
    follow_up(host);
}

void service_host_time(service_host_t *host)
{
    append(host, ENTRY_TIME, (oc_session_id_t){0}, 0, NULL, 0);
    follow_up(host);
}

void service_host_notice(service_host_t *host, oc_notice_t notice)
{
    append(host, ENTRY_NOTICE, (oc_session_id_t){0}, notice, NULL, 0);
    follow_up(host);
}

void service_host_advance(service_host_t *host, int64_t by_ns)
{
    host->now_ns += by_ns;
    follow_up(host);
}

void service_host_settle(service_host_t *host)
{
    for (int i = 0; host->service->busy(host->service->context); i++) {
        assert_true(i < SETTLE_MAX);
        service_host_time(host);
    }
}

/* ---- what came out ---- */

const uint8_t *service_host_take(service_host_t *host, oc_session_id_t session, size_t *length)
{
    while (host->sent_first < host->sent_count && !host->sent[host->sent_first].bytes)
        host->sent_first++;
    for (size_t i = host->sent_first; i < host->sent_count; i++) {
        sent_t *sent = &host->sent[i];
        if (sent->session.value == session.value && sent->bytes) {
            free(host->taken);
            host->taken = sent->bytes;
            sent->bytes = NULL;
            *length = sent->length;
            return host->taken;
        }
    }
    return NULL;
}

void service_host_drop(service_host_t *host, oc_session_id_t session)
{
    size_t length;
    while (service_host_take(host, session, &length) != NULL)
        continue;
}

bool service_host_is_open(const service_host_t *host, oc_session_id_t session)
{
    return session.value < host->sessions && host->open[session.value];
}

bool service_host_stopped(const service_host_t *host)
{
    return host->stopped;
}

size_t service_host_entries(const service_host_t *host)
{
    return host->log_count;
}

size_t service_host_timers(const service_host_t *host)
{
    size_t used = 0;
    for (size_t i = 0; i < TIMERS_MAX; i++)
        used += host->timers[i].used;
    return used;
}

size_t service_host_sent(const service_host_t *host)
{
    return host->sent_count;
}

uint64_t service_host_sent_hash(const service_host_t *host)
{
    return host->sent_hash;
}

void service_host_want_error(service_host_t *host, oc_err_t err)
{
    host->wanted_err = err;
}

/* ---- life ---- */

static service_host_t *create(const oc_service_t *service, size_t message_max)
{
    service_host_t *host = calloc(1, sizeof *host);
    assert_non_null(host);
    host->base.calls = &calls;
    host->service = service;
    host->message_max = message_max;
    host->role = OC_HOST_RECOVERING;
    host->now_ns = 1000;
    host->term = 1;
    assert_int_equal(service->start(service->context, &host->base), OC_ERR_OK);
    return host;
}

static void activate(service_host_t *host)
{
    host->role = OC_HOST_ACTIVE;
    if (host->service->role)
        host->service->role(host->service->context, host->role);
}

service_host_t *service_host_create_small(const oc_service_t *service, size_t message_max)
{
    service_host_t *host = create(service, message_max);
    activate(host);
    return host;
}

service_host_t *service_host_create(const oc_service_t *service)
{
    return service_host_create_small(service, MESSAGE_MAX);
}

void service_host_destroy(service_host_t *host)
{
    if (host->service->stop)
        host->service->stop(host->service->context);
    for (size_t i = 0; i < host->log_count; i++)
        free(host->log[i].bytes);
    for (size_t i = 0; i < host->sent_count; i++)
        free(host->sent[i].bytes);
    free(host->taken);
    free(host->log);
    free(host->sent);
    free(host->open);
    free(host->closing);
    free(host);
}

/* The entry again, in another host's log. */
static void copy_entry(service_host_t *host, const logged_t *entry)
{
    logged_t copy = *entry;
    copy.bytes = copy_bytes(entry->bytes, entry->length);
    host->log = grow(host->log, host->log_count, &host->log_capacity, sizeof *host->log);
    host->log[host->log_count++] = copy;
    host->position = entry->at.position;
    host->now_ns = entry->at.time_ns;
    host->term = entry->at.term;
}

service_host_t *service_host_replay(const service_host_t *from, size_t entries,
                                    const oc_service_t *service)
{
    service_host_t *host = create(service, from->message_max);
    assert_true(entries <= from->log_count);
    for (size_t i = 0; i < entries; i++) {
        copy_entry(host, &from->log[i]);
        apply(host, &host->log[i]);
    }
    if (entries == from->log_count)
        host->now_ns = from->now_ns;
    host->term++;
    activate(host);
    follow_up(host); /* what was asked for and had not become an entry */
    return host;
}

oc_host_t *service_host_base(service_host_t *host)
{
    return &host->base;
}

service_host_t *service_host_adopt(const service_host_t *from, const oc_service_t *service,
                                   service_host_fill_t fill, void *context)
{
    service_host_t *host = create(service, from->message_max);
    fill(context, service);
    for (size_t i = 0; i < from->log_count; i++)
        copy_entry(host, &from->log[i]);
    for (uint64_t id = 0; id < from->sessions; id++) {
        if (from->open[id])
            set_open(host, (oc_session_id_t){id}, true);
    }
    memcpy(host->timers, from->timers, sizeof host->timers);
    host->position = from->position;
    host->now_ns = from->now_ns;
    host->term = from->term + 1;
    activate(host);
    return host;
}

oc_err_t service_host_stream_add(void *context, const void *bytes, size_t length)
{
    service_host_stream_t *stream = context;
    if (stream->length + length > stream->capacity) {
        stream->capacity = (stream->length + length) * 2;
        stream->bytes = realloc(stream->bytes, stream->capacity);
        assert_non_null(stream->bytes);
    }
    memcpy(stream->bytes + stream->length, bytes, length);
    stream->length += length;
    return OC_ERR_OK;
}

oc_err_t service_host_stream_take(void *context, void *bytes, size_t length)
{
    service_host_stream_t *stream = context;
    if (length > stream->length - stream->at)
        return OC_ERR_TRUNCATED;
    memcpy(bytes, stream->bytes + stream->at, length);
    stream->at += length;
    return OC_ERR_OK;
}

service_host_stream_t service_host_capture(const oc_service_t *service)
{
    service_host_stream_t stream = {.bytes = NULL};
    const oc_err_t err = service->capture(service->context, service_host_stream_add, &stream);
    if (err != OC_ERR_OK)
        fail_msg("capture: %s", oc_err_context());
    return stream;
}

/* A service_host_fill_t; context is the stream. */
static void fill_by_stream(void *context, const oc_service_t *service)
{
    service_host_stream_t *stream = context;
    const oc_err_t err = service->restore(service->context, service_host_stream_take, stream);
    if (err != OC_ERR_OK)
        fail_msg("restore: %s", oc_err_context());
    assert_int_equal(stream->at, stream->length);
}

service_host_t *service_host_restore(const service_host_t *from, const oc_service_t *service)
{
    service_host_stream_t stream = service_host_capture(from->service);
    service_host_t *host = service_host_adopt(from, service, fill_by_stream, &stream);
    free(stream.bytes);
    return host;
}
