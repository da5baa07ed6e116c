/*
 * Applies records to a service and to the host's own replicated state. Called by the node, by
 * recovery and by proofs; the service calls back through oc_host_send() and its like.
 *
 * Invariants: the first record is the configuration and no other is; sessions and timers change in
 * replica_apply() alone, and lie in an arena of their own; nothing depends on the role, on a clock
 * or on the outlet, except that without an outlet nothing leaves. It must not append to the log:
 * the node does, afterwards.
 */
#define _GNU_SOURCE
#include "host/replica.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static replica_t *replica_of(oc_host_t *host)
{
    return (replica_t *)host;
}

static void call_send(oc_host_t *host, oc_session_id_t session, const void *bytes, size_t length)
{
    replica_t *self = replica_of(host);
    OC_ASSERT(length <= self->message_max);
    const ledger_session_t *open = session_ledger_find(&self->sessions, session);
    if (!self->outlet || !open || replica_is_host_session(&open->open))
        return;
    self->outlet->send(self->outlet->context, &self->entry, session, bytes, length);
}

static size_t call_message_max(const oc_host_t *host)
{
    return ((const replica_t *)host)->message_max;
}

static bool call_schedule_timer(oc_host_t *host, oc_timer_id_t timer, int64_t deadline_ns)
{
    return timer_queue_schedule(&replica_of(host)->timers, timer, deadline_ns);
}

static bool call_cancel_timer(oc_host_t *host, oc_timer_id_t timer)
{
    return timer_queue_cancel(&replica_of(host)->timers, timer);
}

/* Only noted: whichever host is active then puts the close into the log. */
static void call_close_session(oc_host_t *host, oc_session_id_t session)
{
    replica_t *self = replica_of(host);
    const ledger_session_t *open = session_ledger_find(&self->sessions, session);
    if (!open || open->closing)
        return;
    session_ledger_mark_closing(&self->sessions, session);
    if (self->closing)
        self->closing(self->closing_context, session);
}

static void call_stop(oc_host_t *host)
{
    const replica_t *self = replica_of(host);
    if (self->outlet)
        self->outlet->stop(self->outlet->context);
}

static const host_calls_t calls = {
    .send = call_send,
    .message_max = call_message_max,
    .schedule_timer = call_schedule_timer,
    .cancel_timer = call_cancel_timer,
    .close_session = call_close_session,
    .stop = call_stop,
};

static const void *service_configuration(const oc_service_t *service, size_t *length)
{
    *length = 0;
    return service->configuration ? service->configuration(service->context, length) : NULL;
}

/* Raised with every change of what lies in the arena. */
enum { ARENA_VERSION = 1 };

uint64_t replica_arena_bytes(uint32_t max_timers)
{
    return session_ledger_arena_bytes(REPLICA_SESSIONS_MAX) + timer_queue_arena_bytes(max_timers);
}

static oc_err_t init_arena(replica_t *self, const replica_config_t *config)
{
    const size_t bytes = (size_t)replica_arena_bytes(config->max_timers);
    if (!oc_arena_init(&self->arena, "host", ARENA_VERSION, bytes, false))
        return error_set(OC_ERR_NO_MEMORY, "no memory for the sessions and %" PRIu32 " timers",
                         config->max_timers);
    session_ledger_init(&self->sessions, &self->arena, REPLICA_SESSIONS_MAX, config->max_sessions);
    timer_queue_init(&self->timers, &self->arena, config->max_timers);
    OC_ASSERT(self->arena.used == self->arena.size);
    oc_arena_seal(&self->arena);
    return OC_ERR_OK;
}

bool replica_layout(uint32_t max_timers, uint64_t *size, uint64_t *layout)
{
    replica_t replica = {0};
    const replica_config_t config = {.max_sessions = 1, .max_timers = max_timers};
    if (init_arena(&replica, &config) != OC_ERR_OK)
        return false;
    *size = replica.arena.size;
    *layout = replica.arena.layout;
    oc_arena_fini(&replica.arena);
    return true;
}

oc_err_t replica_init(replica_t *self, const oc_service_t *service, const replica_config_t *config)
{
    OC_ASSERT(service->start && service->session_open && service->session_close);
    OC_ASSERT(service->message != NULL);
    *self =
        (replica_t){.host.calls = &calls, .service = service, .message_max = config->message_max};
    oc_err_t err = init_arena(self, config);
    if (err != OC_ERR_OK)
        return err;
    size_t length;
    (void)service_configuration(service, &length);
    if (length > LOG_CONFIGURATION_MAX) {
        err = error_set(OC_ERR_INVALID_CONFIG,
                        "the service's configuration has %zu bytes, at most %d are kept", length,
                        LOG_CONFIGURATION_MAX);
        goto free_arena;
    }
    err = service->start(service->context, &self->host);
    if (err != OC_ERR_OK)
        goto free_arena;
    if (service->role)
        service->role(service->context, OC_HOST_RECOVERING);
    return OC_ERR_OK;

free_arena:
    oc_arena_fini(&self->arena);
    return err;
}

void replica_fini(replica_t *self)
{
    if (self->service->stop)
        self->service->stop(self->service->context);
    oc_arena_fini(&self->arena);
}

size_t replica_arenas(replica_t *self, oc_arena_t *arenas[REPLICA_ARENAS_MAX])
{
    const oc_service_t *service = self->service;
    arenas[0] = &self->arena;
    if (!service->arenas)
        return 1;
    const size_t count = service->arenas(service->context, &arenas[1], OC_SERVICE_ARENAS_MAX);
    OC_ASSERT(count <= OC_SERVICE_ARENAS_MAX);
    return 1 + count;
}

oc_err_t replica_restored(replica_t *self, const oc_log_entry_t *last, uint64_t entries)
{
    OC_ASSERT(!self->outlet);
    OC_ASSERT(entries > 0);
    oc_err_t err = session_ledger_restored(&self->sessions);
    if (err == OC_ERR_OK)
        err = timer_queue_restored(&self->timers);
    if (err != OC_ERR_OK)
        return err;
    self->entry = *last;
    self->entries = entries;
    return OC_ERR_OK;
}

void replica_place(const replica_t *self, image_place_t *place)
{
    OC_ASSERT(!self->applying);
    OC_ASSERT(self->entries > 0);
    place->entries = self->entries;
    place->time_ns = self->entry.time_ns;
    place->term = self->entry.term;
    place->state_hash = replica_state_hash(self);
}

bool replica_is_streamed(const replica_t *self)
{
    oc_arena_t *arenas[OC_SERVICE_ARENAS_MAX];
    const oc_service_t *service = self->service;
    return service->capture && service->restore &&
           (!service->arenas ||
            service->arenas(service->context, arenas, OC_SERVICE_ARENAS_MAX) == 0);
}

bool replica_has_images(const replica_t *self)
{
    oc_arena_t *arenas[OC_SERVICE_ARENAS_MAX];
    const oc_service_t *service = self->service;
    return replica_is_streamed(self) ||
           (service->arenas && service->restored &&
            service->arenas(service->context, arenas, OC_SERVICE_ARENAS_MAX) > 0);
}

typedef struct collected {
    uint8_t *bytes;
    size_t length;
    size_t size;
} collected_t;

static oc_err_t collect(void *context, const void *bytes, size_t length)
{
    collected_t *self = context;
    if (length > self->size - self->length) {
        size_t size = self->size > 0 ? self->size : OC_ARENA_PAGE_SIZE;
        while (size - self->length < length)
            size *= 2;
        uint8_t *grown = realloc(self->bytes, size);
        if (!grown)
            return error_set(OC_ERR_NO_MEMORY, "no memory for %zu bytes of the service's state",
                             size);
        self->bytes = grown;
        self->size = size;
    }
    if (length > 0)
        memcpy(self->bytes + self->length, bytes, length);
    self->length += length;
    return OC_ERR_OK;
}

oc_err_t replica_capture(const replica_t *self, uint8_t **bytes, size_t *length)
{
    OC_ASSERT(!self->applying);
    OC_ASSERT(self->service->capture != NULL);
    collected_t collected = {0};
    *bytes = NULL;
    *length = 0;
    const oc_err_t err = self->service->capture(self->service->context, collect, &collected);
    if (err != OC_ERR_OK) {
        free(collected.bytes);
        return err;
    }
    *bytes = collected.bytes;
    *length = collected.length;
    return OC_ERR_OK;
}

void replica_configuration(const replica_t *self, log_record_t *record)
{
    size_t length;
    const void *bytes = service_configuration(self->service, &length);
    OC_ASSERT(length <= LOG_CONFIGURATION_MAX);
    *record = (log_record_t){
        .type = LOG_CONFIGURATION,
        .max_timers = self->timers.capacity,
        .length = (uint32_t)length,
        .bytes = bytes,
    };
}

enum { DESCRIPTION_SIZE = 1024 };

static void describe(const oc_service_t *service, const void *bytes, size_t length,
                     char text[DESCRIPTION_SIZE])
{
    if (service->describe)
        service->describe(service->context, bytes, length, text, DESCRIPTION_SIZE);
    else
        (void)snprintf(text, DESCRIPTION_SIZE, "%zu bytes", length);
}

/* Cuts the words (key=value) that both texts have in the same place out of `before` and `now`,
 * which become lists of what differs. */
static void keep_differing(char *before, char *now)
{
    char *ends[2] = {before, now};
    const char *at[2] = {before, now};
    while (*at[0] != '\0' || *at[1] != '\0') {
        const size_t length[2] = {strcspn(at[0], " "), strcspn(at[1], " ")};
        const bool same = length[0] == length[1] && memcmp(at[0], at[1], length[0]) == 0;
        for (int i = 0; i < 2; i++) {
            const size_t word = length[i] + (at[i][length[i]] == ' ');
            if (!same)
                memmove(ends[i], at[i], word);
            ends[i] += same ? 0 : word;
            at[i] += word;
        }
    }
    *ends[0] = '\0';
    *ends[1] = '\0';
}

oc_err_t replica_check_configuration(const replica_t *self, const log_record_t *record,
                                     const char *what)
{
    log_record_t own;
    replica_configuration(self, &own);
    if (record->max_timers != own.max_timers)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "%s was made with max_timers = %" PRIu32 ", the configuration says "
                         "%" PRIu32 ": they must agree",
                         what, record->max_timers, own.max_timers);
    if (record->length == own.length &&
        (own.length == 0 || !memcmp(record->bytes, own.bytes, own.length)))
        return OC_ERR_OK;
    char before[DESCRIPTION_SIZE];
    char now[DESCRIPTION_SIZE];
    describe(self->service, record->bytes, record->length, before);
    describe(self->service, own.bytes, own.length, now);
    keep_differing(before, now);
    return error_set(OC_ERR_INVALID_CONFIG,
                     "%s was made under another configuration: it says %.200s; now it is %.200s",
                     what, before, now);
}

/* The log says what this replica's state does not allow: it was not made by this service. */
static oc_err_t cannot_follow(const replica_t *self, const log_record_t *record, const char *why)
{
    return error_set(OC_ERR_DAMAGED, "log entry at position %" PRIu64 " (%s): %s",
                     self->entry.position, log_record_name((uint8_t)record->type), why);
}

bool replica_is_host_session(const gateway_open_t *open)
{
    return strncmp(open->principal.name, REPLICA_HOST_PRINCIPAL, OC_PRINCIPAL_SIZE) == 0 ||
           authenticator_is_keyed(&open->principal);
}

static oc_err_t apply_open(replica_t *self, const log_record_t *record)
{
    const oc_service_t *service = self->service;
    if (session_ledger_find(&self->sessions, record->session))
        return cannot_follow(self, record, "the session is open already");
    if (!session_ledger_add(&self->sessions, record->session, record->open))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "the log has more than %" PRIu32 " sessions open at once: raise "
                         "max_sessions",
                         self->sessions.capacity);
    if (replica_is_host_session(record->open))
        return OC_ERR_OK;
    /* The client learns of its session before anything that the service sends to it. */
    if (self->outlet)
        self->outlet->opened(self->outlet->context, &self->entry, record->session, record->open);
    const char *name = record->open->principal.name;
    service->session_open(service->context, &self->entry, record->session, name,
                          strnlen(name, OC_PRINCIPAL_SIZE));
    return OC_ERR_OK;
}

static oc_err_t apply_close(replica_t *self, const log_record_t *record)
{
    const ledger_session_t *open = session_ledger_find(&self->sessions, record->session);
    if (!open)
        return cannot_follow(self, record, "there is no such session");
    const bool own = replica_is_host_session(&open->open);
    if (!own)
        self->service->session_close(self->service->context, &self->entry, record->session,
                                     record->reason);
    session_ledger_remove(&self->sessions, record->session);
    if (self->outlet && !own)
        self->outlet->closed(self->outlet->context, &self->entry, record->session, record->reason);
    return OC_ERR_OK;
}

static oc_err_t apply_message(replica_t *self, const log_record_t *record)
{
    const ledger_session_t *open = session_ledger_find(&self->sessions, record->session);
    if (!open)
        return cannot_follow(self, record, "there is no such session");
    if (replica_is_host_session(&open->open))
        return OC_ERR_OK;
    return self->service->message(self->service->context, &self->entry, record->session,
                                  record->bytes, record->length);
}

static oc_err_t apply_timer(replica_t *self, const log_record_t *record)
{
    if (!timer_queue_cancel(&self->timers, record->timer))
        return cannot_follow(self, record, "there is no such timer; has the service changed?");
    if (!self->service->timer)
        return OC_ERR_OK;
    return self->service->timer(self->service->context, &self->entry, record->timer);
}

static oc_err_t apply_record(replica_t *self, const log_record_t *record)
{
    const oc_service_t *service = self->service;
    const oc_log_entry_t *entry = &self->entry;
    switch (record->type) {
    case LOG_CONFIGURATION:
        return replica_check_configuration(self, record, "the log");
    case LOG_SESSION_OPEN:
        return apply_open(self, record);
    case LOG_SESSION_CLOSE:
        return apply_close(self, record);
    case LOG_MESSAGE:
        return apply_message(self, record);
    case LOG_TIMER:
        return apply_timer(self, record);
    case LOG_TIME:
        return service->time ? service->time(service->context, entry) : OC_ERR_OK;
    case LOG_NOTICE:
        return service->notice ? service->notice(service->context, entry, record->notice)
                               : OC_ERR_OK;
    case LOG_IMPORT:
        return cannot_follow(self, record, "a log begins with it, and with nothing before");
    }
    return cannot_follow(self, record, "unknown type");
}

oc_err_t replica_apply(replica_t *self, const oc_log_entry_t *entry, const log_record_t *record)
{
    OC_ASSERT(!self->applying);
    OC_ASSERT(self->entries == 0 || entry->position > self->entry.position);
    OC_ASSERT(entry->time_ns >= self->entry.time_ns || self->entries == 0);
    self->entry = *entry;
    if (self->entries == 0 && record->type == LOG_IMPORT)
        return cannot_follow(self, record,
                             "the log goes on from an import, and there is no image of what was "
                             "imported; import it again into a new directory");
    if ((self->entries == 0) != (record->type == LOG_CONFIGURATION))
        return cannot_follow(self, record, "a log begins with one configuration entry");
    self->applying = true;
    const oc_err_t err = apply_record(self, record);
    self->applying = false;
    self->entries++;
    return err;
}

oc_err_t replica_read(void *context, const journal_entry_t *entry)
{
    replica_t *self = context;
    log_record_t record;
    const oc_log_entry_t place = {
        .position = entry->position.value, .term = entry->term, .time_ns = entry->timestamp_ns};
    if (!log_record_decode(&record, entry->type, entry->payload, entry->length))
        return error_set(OC_ERR_DAMAGED,
                         "log entry at position %" PRIu64 " (type %u, %" PRIu32 " bytes) is not of "
                         "this format; is the log of a newer version?",
                         entry->start.value, (unsigned)entry->type, entry->length);
    if (self->entries > 0 && place.time_ns < self->entry.time_ns)
        return error_set(OC_ERR_DAMAGED,
                         "log entry at position %" PRIu64 ": its time is before "
                         "that of the entry before it",
                         entry->start.value);
    return replica_apply(self, &place, &record);
}

void replica_activate(replica_t *self, const replica_outlet_t *outlet)
{
    OC_ASSERT(!self->outlet);
    self->outlet = outlet;
    if (self->service->role)
        self->service->role(self->service->context, OC_HOST_ACTIVE);
}

void replica_follow(replica_t *self)
{
    self->outlet = NULL;
    if (self->service->role)
        self->service->role(self->service->context, OC_HOST_FOLLOWER);
}

uint64_t replica_state_hash(const replica_t *self)
{
    return self->service->state_hash ? self->service->state_hash(self->service->context) : 0;
}

uint64_t replica_output_hash(const replica_t *self)
{
    return self->service->output_hash ? self->service->output_hash(self->service->context) : 0;
}
