/*
 * A node without a transport. Called by `outcry bench recovery` and by tests.
 *
 * Invariants: as in the node, an entry is committed, then applied, before the next one is claimed;
 * the service is active, so that each message is applied at once. It must not wait for the device,
 * but for room.
 */
#define _GNU_SOURCE
#include "bench/offline_node.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "codec/order_entry_codec.h"
#include "host/replica.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_STEP_NS INT64_C(1000)         /* from one entry to the next */
#define ROOM_WAIT_NS  UINT64_C(60000000000) /* for the device to take a group or give a segment */
#define FIRST_TIME_NS INT64_C(1000000000)

enum { MAX_SESSIONS = 16, MAX_TIMERS = 16, MESSAGE_MAX = 1376, TRADER_SOURCE = 2 };

struct offline_node {
    journal_t *journal;
    exchange_t *exchange;
    exchange_config_t config; /* who the administrator is */
    replica_t replica;
    replica_outlet_t outlet;
    int64_t now_ns;
};

/* ---- What comes of it leaves for nowhere (replica_outlet_t) ---- */

static void drop_opened(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                        const gateway_open_t *open)
{
    (void)context, (void)entry, (void)session, (void)open;
}

static void drop_closed(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                        oc_close_reason_t reason)
{
    (void)context, (void)entry, (void)session, (void)reason;
}

static void drop_sent(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                      const void *bytes, size_t length)
{
    (void)context, (void)entry, (void)session, (void)bytes, (void)length;
}

static void drop_stop(void *context)
{
    (void)context;
}

/* ---- Appending ---- */

static oc_err_t claim(offline_node_t *self, const log_record_t *record, void **payload)
{
    const uint32_t size = log_record_size(record);
    uint64_t until_ns = 0;
    OC_ASSERT(size <= journal_payload_max(self->journal));
    while (!(*payload = journal_claim(self->journal, (uint8_t)record->type, size, self->now_ns))) {
        const journal_condition_t condition = journal_condition(self->journal);
        if (condition == JOURNAL_FAILED)
            return journal_failure(self->journal);
        if (until_ns == 0)
            until_ns = clock_wall_ns() + ROOM_WAIT_NS;
        if (condition == JOURNAL_FULL || clock_wall_ns() > until_ns)
            return error_set(OC_ERR_NO_SPACE, "bench: the journal finds no space for its log");
        journal_flush(self->journal);
        (void)sched_yield();
    }
    return OC_ERR_OK;
}

static oc_err_t append(offline_node_t *self, log_record_t *record)
{
    void *payload;
    const oc_err_t err = claim(self, record, &payload);
    if (err != OC_ERR_OK)
        return err;
    log_record_encode(record, payload);
    const oc_log_entry_t entry = {
        .position = journal_commit(self->journal).value,
        .term = journal_term(self->journal),
        .time_ns = self->now_ns,
    };
    self->now_ns += ENTRY_STEP_NS;
    return replica_apply(&self->replica, &entry, record);
}

oc_err_t offline_node_open(offline_node_t *self, const char *principal, oc_session_id_t *session)
{
    gateway_open_t open;
    memset(&open, 0, sizeof open);
    const size_t length = strlen(principal);
    OC_ASSERT(length < sizeof open.principal.name);
    memcpy(open.principal.name, principal, length);
    session->value = self->replica.sessions.state->next_id;
    log_record_t record = {.type = LOG_SESSION_OPEN, .session = *session, .open = &open};
    return append(self, &record);
}

oc_err_t offline_node_message(offline_node_t *self, oc_session_id_t session, const void *bytes,
                              size_t length)
{
    log_record_t record = {
        .type = LOG_MESSAGE, .session = session, .bytes = bytes, .length = (uint32_t)length};
    return append(self, &record);
}

oc_err_t offline_node_request(offline_node_t *self, oc_session_id_t session,
                              const oc_request_t *request)
{
    uint8_t bytes[ORDER_ENTRY_BYTES_MAX];
    const size_t length = order_entry_encode(request, bytes, sizeof bytes);
    OC_ASSERT(length > 0);
    return offline_node_message(self, session, bytes, length);
}

/* ---- The market ---- */

static oc_request_t logon(oc_source_id_t source)
{
    oc_request_t request = {.type = OC_REQUEST_LOGON, .request_id = 1};
    request.u.logon.source = source;
    return request;
}

static oc_err_t add_instrument(offline_node_t *self, oc_session_id_t admin, const int64_t limits[3])
{
    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    oc_command_t *command = &request.u.command;
    command->type = OC_COMMAND_INSTRUMENT_ADD;
    command->instrument.value = 1;
    command->u.instrument.price_low_ticks = limits[0];
    command->u.instrument.price_high_ticks = limits[1];
    command->u.instrument.max_quantity_lots = limits[2];
    command->u.instrument.state = OC_STATE_CONTINUOUS;
    return offline_node_request(self, admin, &request);
}

static oc_err_t add_trader(offline_node_t *self, oc_session_id_t admin)
{
    oc_request_t add = {.type = OC_REQUEST_COMMAND};
    add.u.command.type = OC_COMMAND_SOURCE_ADD;
    add.u.command.u.source.id.value = TRADER_SOURCE;
    add.u.command.u.source.roles = OC_ROLE_TRADE;
    const oc_err_t err = offline_node_request(self, admin, &add);
    oc_request_t bind = {.type = OC_REQUEST_PRINCIPAL, .request_id = 2};
    bind.u.principal.source.value = TRADER_SOURCE;
    (void)snprintf(bind.u.principal.principal.name, OC_PRINCIPAL_SIZE, "trader");
    return err == OC_ERR_OK ? offline_node_request(self, admin, &bind) : err;
}

oc_err_t offline_node_market(offline_node_t *self, int64_t price_low_ticks,
                             int64_t price_high_ticks, int64_t max_lots, oc_session_id_t *trader)
{
    const int64_t limits[3] = {price_low_ticks, price_high_ticks, max_lots};
    const oc_request_t admin_logon = logon(self->config.admin_source);
    const oc_request_t trader_logon = logon((oc_source_id_t){TRADER_SOURCE});
    oc_session_id_t admin;
    oc_err_t err = offline_node_open(self, self->config.admin_principal.name, &admin);
    if (err == OC_ERR_OK)
        err = offline_node_request(self, admin, &admin_logon);
    if (err == OC_ERR_OK)
        err = add_instrument(self, admin, limits);
    if (err == OC_ERR_OK)
        err = add_trader(self, admin);
    if (err == OC_ERR_OK)
        err = offline_node_open(self, "trader", trader);
    if (err == OC_ERR_OK)
        err = offline_node_request(self, *trader, &trader_logon);
    return err;
}

/* ---- Life ---- */

static oc_err_t start_journal(offline_node_t *self, const journal_config_t *config)
{
    journal_verdict_t verdict;
    oc_err_t err = journal_open(&self->journal, config);
    if (err == OC_ERR_OK)
        err = journal_recover(self->journal, (log_position_t){0}, NULL, NULL, &verdict);
    if (err == OC_ERR_OK && verdict.kind != JOURNAL_NEW)
        err = error_set(OC_ERR_INVALID_ARGUMENT, "bench: there is a log in %s", config->dir);
    return err == OC_ERR_OK ? journal_start(self->journal) : err;
}

static oc_err_t begin_log(offline_node_t *self)
{
    log_record_t record;
    replica_configuration(&self->replica, &record);
    return append(self, &record);
}

oc_err_t offline_node_create(offline_node_t **node, const journal_config_t *journal,
                             const exchange_config_t *exchange)
{
    *node = NULL;
    offline_node_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory for a node");
    self->now_ns = FIRST_TIME_NS;
    self->config = *exchange;
    self->outlet = (replica_outlet_t){NULL, drop_opened, drop_closed, drop_sent, drop_stop};
    const replica_config_t replica = {MAX_SESSIONS, MAX_TIMERS, MESSAGE_MAX};
    oc_err_t err = exchange_create(&self->exchange, exchange);
    if (err != OC_ERR_OK)
        goto free_self;
    err = replica_init(&self->replica, exchange_service(self->exchange), &replica);
    if (err != OC_ERR_OK)
        goto free_exchange;
    err = start_journal(self, journal);
    if (err != OC_ERR_OK)
        goto close_journal;
    replica_activate(&self->replica, &self->outlet);
    err = begin_log(self);
    if (err != OC_ERR_OK)
        goto close_journal;
    *node = self;
    return OC_ERR_OK;

close_journal:
    (void)journal_close(self->journal);
    replica_fini(&self->replica);
free_exchange:
    exchange_destroy(self->exchange);
free_self:
    free(self);
    return err;
}

oc_err_t offline_node_destroy(offline_node_t *self)
{
    if (!self)
        return OC_ERR_OK;
    const oc_err_t err = journal_close(self->journal);
    replica_fini(&self->replica);
    exchange_destroy(self->exchange);
    free(self);
    return err;
}

exchange_t *offline_node_exchange(offline_node_t *self)
{
    return self->exchange;
}

uint64_t offline_node_state_hash(offline_node_t *self)
{
    return replica_state_hash(&self->replica);
}

uint64_t offline_node_entries(const offline_node_t *self)
{
    return self->replica.entries;
}

uint64_t offline_node_position(const offline_node_t *self)
{
    return self->replica.entry.position;
}
