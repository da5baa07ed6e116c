/*
 * The exchange: its memory, and the table that a host drives.
 *
 * Called by hosts through exchange_service(). Each call is one log entry: entry_begin(), what it
 * says, entry_end().
 *
 * Invariants:
 *  - state changes only by what entries say, never by the role, the clock or who listens;
 *  - nothing is allocated after exchange_create();
 *  - with verify_touch every entry is checked for stores that were not announced.
 */
#include "service/exchange.h"

#include "base/error.h"
#include "service/exchange_internal.h"

#include <stdlib.h>
#include <string.h>

/* Numbers the events that the next `batch` commands will give. */
static void expect_events(exchange_t *self)
{
    oc_engine_counts_t counts;
    oc_engine_counts(self->engine, &counts);
    self->batch_first = counts.entry + 1;
}

oc_err_t exchange_apply(exchange_t *self, const oc_command_t *command)
{
    OC_ASSERT(self->batch_count == 0);
    self->batch_at[0] = self->now;
    expect_events(self);
    return oc_engine_apply(self->engine, command);
}

oc_err_t exchange_apply_batch(exchange_t *self)
{
    const size_t count = self->batch_count;
    self->batch_count = 0;
    if (count == 0)
        return OC_ERR_OK;
    expect_events(self);
    if (count == 1)
        return oc_engine_apply(self->engine, self->batch);
    return oc_engine_apply_batch(self->engine, self->batch, count);
}

/* Applies what was held back, before anything else happens or is looked at. */
static void settle(exchange_t *self)
{
    const oc_err_t err = exchange_apply_batch(self);
    OC_ASSERT(err == OC_ERR_OK); /* CONFIGURE is never held back */
}

void exchange_verify_begin(exchange_t *self)
{
    if (self->arena.shadow)
        oc_arena_advance_epoch(&self->arena);
}

void exchange_verify_end(exchange_t *self)
{
    if (self->arena.shadow)
        oc_arena_check(&self->arena);
}

void exchange_settle(exchange_t *self)
{
    if (self->batch_count == 0)
        return;
    exchange_verify_begin(self);
    settle(self);
    exchange_verify_end(self);
}

/* The place in the log is part of the state, so that who has nothing but the state knows it. */
static void take_entry(exchange_t *self, const oc_log_entry_t *entry)
{
    self->now = *entry;
    exchange_touch(self, self->header);
    self->header->last = *entry;
    self->header->last.reserved = 0;
    self->header->entries++;
}

/* An entry other than a message: nothing is held back over it. */
static void entry_begin(exchange_t *self, const oc_log_entry_t *entry)
{
    OC_ASSERT(self->host != NULL);
    exchange_verify_begin(self);
    settle(self);
    take_entry(self, entry);
}

static void entry_end(exchange_t *self)
{
    outbox_flush(self);
    exchange_verify_end(self);
}

static oc_err_t host_apply(exchange_t *self, oc_command_t command)
{
    command.source = (oc_source_id_t){0};
    command.time_ns = self->now.time_ns;
    self->host_reason = OC_REASON_NONE;
    return exchange_apply(self, &command);
}

/* The one error there is, an engine stopped for good, has been returned to the host before. */
oc_reason_t exchange_host_command(exchange_t *self, oc_command_t command)
{
    return host_apply(self, command) == OC_ERR_OK ? self->host_reason : OC_REASON_NONE;
}

static const void *exchange_configuration(void *context, size_t *length)
{
    exchange_t *self = context;
    *length = exchange_config_write(&self->config, self->configuration);
    return self->configuration;
}

/* The administrator, who can do everything else, is there before the first entry. */
static oc_err_t add_admin(exchange_t *self)
{
    oc_command_t command = {.type = OC_COMMAND_SOURCE_ADD};
    command.u.source.id = self->config.admin_source;
    command.u.source.roles = OC_ROLES_ALL;
    const oc_err_t err = host_apply(self, command);
    OC_ASSERT(self->host_reason == OC_REASON_NONE);
    seat_add(self, self->config.admin_source);
    seat_bind(self, seat_find(self, self->config.admin_source), &self->config.admin_principal);
    return err;
}

static oc_err_t exchange_start(void *context, oc_host_t *host)
{
    exchange_t *self = context;
    OC_ASSERT(self->host == NULL);
    const size_t max = oc_host_message_max(host);
    if (max < EVENTS_BYTES_MAX)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "exchange: messages of the host have at most %zu bytes, at least %d are "
                         "needed",
                         max, EVENTS_BYTES_MAX);
    self->host = host;
    self->packet_max = max < EXCHANGE_PACKET ? max : EXCHANGE_PACKET;
    self->sending = false;
    exchange_verify_begin(self);
    const oc_err_t err = add_admin(self); /* before the first entry: position and time are 0 */
    entry_end(self);
    return err;
}

static void exchange_role(void *context, oc_role_t role)
{
    exchange_t *self = context;
    exchange_settle(self);
    self->sending = role == OC_HOST_ACTIVE;
}

static void exchange_session_open(void *context, const oc_log_entry_t *entry,
                                  oc_session_id_t session, const void *principal, size_t length)
{
    exchange_t *self = context;
    entry_begin(self, entry);
    const oc_principal_t name = principal_of(principal, length);
    if (!session_add(self, session, &name))
        oc_host_close_session(self->host, session);
    entry_end(self);
}

static void exchange_session_close(void *context, const oc_log_entry_t *entry,
                                   oc_session_id_t session, oc_close_reason_t reason)
{
    exchange_t *self = context;
    (void)reason;
    entry_begin(self, entry);
    const uint32_t index = session_find(self, session);
    if (index && self->sessions[index].seat)
        logon_end(self, self->sessions[index].seat);
    if (index)
        session_remove(self, index);
    entry_end(self);
}

static oc_err_t exchange_message(void *context, const oc_log_entry_t *entry,
                                 oc_session_id_t session, const void *bytes, size_t length)
{
    exchange_t *self = context;
    OC_ASSERT(self->host != NULL);
    exchange_verify_begin(self);
    take_entry(self, entry);
    const oc_err_t err = requests_apply(self, session, bytes, length);
    entry_end(self);
    return err;
}

static oc_err_t exchange_time(void *context, const oc_log_entry_t *entry)
{
    exchange_t *self = context;
    entry_begin(self, entry);
    const oc_err_t err = host_apply(self, (oc_command_t){.type = OC_COMMAND_TIME});
    entry_end(self);
    return err;
}

/* A notice that this build does not know changes nothing. */
static oc_err_t exchange_notice(void *context, const oc_log_entry_t *entry, oc_notice_t notice)
{
    exchange_t *self = context;
    oc_command_t command = {.type = OC_COMMAND_RESTRICTION};
    if (notice == OC_NOTICE_STORAGE_LOW)
        command.u.restriction.set = OC_RESTRICT_STORAGE;
    if (notice == OC_NOTICE_RECOVERED)
        command.u.restriction.set = OC_RESTRICT_RECOVERY;
    entry_begin(self, entry);
    const oc_err_t err = command.u.restriction.set ? host_apply(self, command) : OC_ERR_OK;
    entry_end(self);
    return err;
}

static bool exchange_busy(void *context)
{
    exchange_t *self = context;
    exchange_settle(self);
    oc_engine_counts_t counts;
    oc_engine_counts(self->engine, &counts);
    return counts.pending != 0;
}

uint64_t exchange_state_hash(void *context)
{
    exchange_t *self = context;
    exchange_settle(self);
    return oc_engine_state_hash(self->engine) + self->header->item_sum +
           (uint64_t)self->header->time_ns * UINT64_C(0x589965cc75374cc3);
}

static uint64_t exchange_output_hash(void *context)
{
    exchange_t *self = context;
    exchange_settle(self);
    return oc_engine_output_hash(self->engine);
}

void exchange_reset(exchange_t *self)
{
    self->now = (oc_log_entry_t){.position = 0};
    self->entry = (oc_log_entry_t){.position = 0};
    self->event_index = 0;
    self->event_command = 0;
    self->host_reason = OC_REASON_NONE;
    self->seat_hint = 0;
    self->packet_last = 0;
    self->packet_next = 0;
    for (size_t i = 0; i < EXCHANGE_PACKETS; i++)
        self->packets[i].length = 0;
    self->batch_count = 0;
    self->ids.hash_key[0] = self->header->hash_key[0];
    self->ids.hash_key[1] = self->header->hash_key[1];
}

static void exchange_stop(void *context)
{
    exchange_t *self = context;
    exchange_settle(self);
    self->sending = false;
}

static const oc_service_t exchange_table = {
    .configuration = exchange_configuration,
    .describe = exchange_config_describe,
    .start = exchange_start,
    .stop = exchange_stop,
    .session_open = exchange_session_open,
    .session_close = exchange_session_close,
    .message = exchange_message,
    .time = exchange_time,
    .notice = exchange_notice,
    .busy = exchange_busy,
    .arenas = exchange_arenas,
    .restored = exchange_restored,
    .capture = exchange_capture,
    .restore = exchange_restore,
    .next_session = exchange_next_session,
    .state_hash = exchange_state_hash,
    .output_hash = exchange_output_hash,
    .role = exchange_role,
};

/* *wanted: the size, for the message when there is no memory for it. */
static bool make_arena(exchange_t *self, size_t *wanted)
{
    const oc_engine_config_t *engine = &self->config.engine;
    const size_t seats = (size_t)engine->max_sources + 1; /* index 0 is none */
    const size_t sessions = (size_t)engine->max_sessions + 1;
    const size_t kept = seats * self->config.kept_outputs * sizeof *self->kept;
    const uint32_t ids = engine->max_sources + engine->max_sessions;
    *wanted =
        oc_arena_section_size(id_map_size(ids)) + oc_arena_section_size(sizeof *self->header) +
        oc_arena_section_size(seats * sizeof *self->seats) +
        oc_arena_section_size(sessions * sizeof *self->sessions) + oc_arena_section_size(kept);
    if (!oc_arena_init(&self->arena, "exchange", EXCHANGE_LAYOUT_VERSION, *wanted,
                       engine->verify_touch))
        return false;
    self->header = oc_arena_alloc(&self->arena, sizeof *self->header);
    self->seats = oc_arena_alloc(&self->arena, seats * sizeof *self->seats);
    self->sessions = oc_arena_alloc(&self->arena, sessions * sizeof *self->sessions);
    self->kept = oc_arena_alloc(&self->arena, kept);
    id_map_init(&self->ids, &self->arena, ids, engine->hash_key);
    exchange_touch(self, self->header);
    self->header->hash_key[0] = self->ids.hash_key[0];
    self->header->hash_key[1] = self->ids.hash_key[1];
    oc_arena_seal(&self->arena);
    exchange_verify_end(self);
    return true;
}

oc_err_t exchange_create(exchange_t **exchange, const exchange_config_t *config)
{
    *exchange = NULL;
    oc_err_t err = exchange_config_check(config);
    if (err != OC_ERR_OK)
        return err;
    exchange_t *self = calloc(1, sizeof *self);
    size_t wanted = sizeof *self;
    if (!self)
        goto fail_self;
    self->config = *config;
    self->service = exchange_table;
    self->service.context = self;
    if (!make_arena(self, &wanted))
        goto fail_arena;
    err = oc_engine_create(&self->engine, &config->engine, outbox_take_events, self);
    if (err != OC_ERR_OK)
        goto fail_engine;
    *exchange = self;
    return OC_ERR_OK;

fail_engine:
    oc_arena_fini(&self->arena);
    free(self);
    return err;
fail_arena:
    free(self);
fail_self:
    return error_set(OC_ERR_NO_MEMORY,
                     "exchange: no memory for %zu bytes; lower kept_outputs or max_sources",
                     wanted);
}

void exchange_destroy(exchange_t *self)
{
    if (!self)
        return;
    oc_engine_destroy(self->engine);
    oc_arena_fini(&self->arena);
    free(self);
}

const oc_service_t *exchange_service(exchange_t *self)
{
    return &self->service;
}

void exchange_set_tap(exchange_t *self, exchange_tap_t tap, void *context)
{
    self->tap = tap;
    self->tap_context = context;
}

const oc_engine_t *exchange_engine(exchange_t *self)
{
    exchange_settle(self);
    return self->engine;
}
