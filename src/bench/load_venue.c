/*
 * Load clients that are oc_client_t. Called by `outcry load`, `outcry bench node` and the demo.
 *
 * Invariants: a client's session sees every response with the time at which its handler was called;
 * while one client connects, those before it are polled, so that no session times out. It must not
 * time anything else: the loop is in load.c.
 */
#define _GNU_SOURCE
#include "bench/load_venue.h"

#include "aeron/embedded.h"
#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ANSWER_NS INT64_C(10000000000) /* of the administrator's commands together */

/* A trader may also cancel by instrument and mark, for flows that do. */
#define TRADER_ROLES (OC_ROLE_TRADE | OC_ROLE_RISK | OC_ROLE_MARK)

struct load_venue {
    load_client_t clients[LOAD_CLIENTS_MAX];
    oc_client_t *links[LOAD_CLIENTS_MAX]; /* owned */
    size_t count;                         /* of sessions made */
    embedded_t *driver; /* owned; NULL: the only client has its own, or it is the caller's */
};

static void client_config(oc_client_config_t *client, const load_venue_config_t *config,
                          const load_identity_t *identity, oc_source_id_t source)
{
    oc_client_config_init(client);
    client->ingress = config->ingress;
    client->aeron_dir = config->aeron_dir;
    client->principal = identity->principal;
    client->secret = identity->secret;
    client->secret_length = identity->secret_length;
    client->source = source;
}

/* ---- The administrator ---------------------------------------------------------------------- */

typedef struct admin {
    oc_client_t *client;
    uint64_t first; /* sequences of the commands sent, 0: none yet */
    uint64_t last;
    uint64_t waiting; /* answers to come */
    uint64_t request_id;
    oc_event_t refusal; /* the first reject that is none of "exists already" */
    uint8_t reply;      /* oc_reason_t */
} admin_t;

static bool exists_already(const oc_event_t *event)
{
    return event->reason == OC_REASON_DUPLICATE_INSTRUMENT ||
           event->reason == OC_REASON_DUPLICATE_SOURCE;
}

static void take_answer(admin_t *self, const oc_event_t *event)
{
    const bool confirmed = event->type == OC_EVENT_CONFIRMED;
    if (!confirmed && event->type != OC_EVENT_REJECTED)
        return;
    if (self->first == 0 || event->sequence < self->first || event->sequence > self->last)
        return;
    self->waiting--;
    if (!confirmed && !exists_already(event) && self->refusal.type == 0)
        self->refusal = *event;
}

static void admin_handler(void *context, const oc_response_t *response)
{
    admin_t *self = context;
    if (response->type == OC_RESPONSE_OUTPUT) {
        take_answer(self, &response->u.output.event);
    } else if (response->type == OC_RESPONSE_REPLY && response->request_id == self->request_id) {
        self->reply = response->u.reply.reason;
        self->waiting--;
    }
}

static void nap(void)
{
    const struct timespec pause = {.tv_nsec = 50000};
    (void)nanosleep(&pause, NULL);
}

static oc_err_t await(admin_t *self, const char *what)
{
    const uint64_t begin_ns = clock_wall_ns();
    while (self->waiting > 0) {
        if (oc_client_state(self->client) == OC_CLIENT_CLOSED)
            return error_set(OC_ERR_CLOSED, "load: while it %s: the venue closed: %s", what,
                             oc_client_reason(self->client));
        if (process_end_requested())
            return process_check_interrupted(OC_ERR_OK);
        if (clock_wall_ns() - begin_ns > (uint64_t)ANSWER_NS)
            return error_set(OC_ERR_TIMEOUT, "load: while it %s: %" PRIu64 " answers did not come",
                             what, self->waiting);
        if (oc_client_poll(self->client, 16) == 0)
            nap();
    }
    return OC_ERR_OK;
}

static oc_err_t send_command(admin_t *self, const oc_command_t *command)
{
    uint64_t sequence;
    const oc_err_t err = oc_client_send(self->client, command, &sequence);
    if (err != OC_ERR_OK)
        return err;
    if (self->first == 0)
        self->first = sequence;
    self->last = sequence;
    self->waiting++;
    return OC_ERR_OK;
}

static oc_err_t add_instruments(admin_t *self, const load_venue_config_t *config)
{
    for (size_t client = 0; client < config->clients; client++)
        for (size_t i = 0; i < config->instrument_count; i++) {
            oc_command_t command = config->instruments[i];
            OC_ASSERT(command.type == OC_COMMAND_INSTRUMENT_ADD);
            command.source.value = 0;
            command.sequence = 0;
            command.instrument.value += (uint32_t)client * config->instrument_step;
            const oc_err_t err = send_command(self, &command);
            if (err != OC_ERR_OK)
                return err;
        }
    return OC_ERR_OK;
}

static oc_err_t add_sources(admin_t *self, const load_venue_config_t *config)
{
    for (size_t client = 0; client < config->clients; client++) {
        oc_command_t command;
        memset(&command, 0, sizeof command);
        command.type = OC_COMMAND_SOURCE_ADD;
        command.u.source.id.value = config->first_source.value + (uint32_t)client;
        command.u.source.roles = TRADER_ROLES;
        const oc_err_t err = send_command(self, &command);
        if (err != OC_ERR_OK)
            return err;
    }
    return OC_ERR_OK;
}

static oc_err_t bind_source(admin_t *self, const load_venue_config_t *config, uint32_t source)
{
    oc_request_t request;
    memset(&request, 0, sizeof request);
    request.type = OC_REQUEST_PRINCIPAL;
    request.u.principal.source.value = source;
    (void)snprintf(request.u.principal.principal.name, OC_PRINCIPAL_SIZE, "%s",
                   config->trader.principal);
    oc_err_t err = oc_client_request(self->client, &request);
    if (err != OC_ERR_OK)
        return err;
    self->request_id = request.request_id;
    self->waiting = 1;
    err = await(self, "binds a source to the principal");
    if (err == OC_ERR_OK && self->reply != OC_REASON_NONE)
        return error_set(
            OC_ERR_REFUSED, "load: the venue does not bind source %" PRIu32 " to principal %s: %s",
            source, config->trader.principal, oc_reason_name((oc_reason_t)self->reply));
    return err;
}

static oc_err_t prepare(admin_t *self, const load_venue_config_t *config)
{
    oc_err_t err = add_instruments(self, config);
    if (err == OC_ERR_OK)
        err = add_sources(self, config);
    if (err == OC_ERR_OK)
        err = await(self, "adds instruments and sources");
    if (err == OC_ERR_OK && self->refusal.type)
        return error_set(OC_ERR_REFUSED, "load: the venue rejects %s of the administrator: %s",
                         oc_command_type_name((oc_command_type_t)self->refusal.command),
                         oc_reason_name((oc_reason_t)self->refusal.reason));
    for (uint32_t i = 0; err == OC_ERR_OK && i < config->clients; i++)
        err = bind_source(self, config, config->first_source.value + i);
    return err;
}

oc_err_t load_venue_prepare(const load_venue_config_t *config)
{
    admin_t admin;
    memset(&admin, 0, sizeof admin);
    oc_client_config_t client;
    client_config(&client, config, &config->admin, config->admin_source);
    oc_err_t err = oc_client_connect(&admin.client, &client, admin_handler, &admin);
    if (err != OC_ERR_OK)
        return err;
    err = prepare(&admin, config);
    oc_client_close(admin.client);
    return err;
}

/* ---- The clients ---------------------------------------------------------------------------- */

static oc_err_t link_send(void *context, const oc_command_t *command, uint64_t *sequence)
{
    return oc_client_send(context, command, sequence);
}

static oc_err_t link_flush(void *context)
{
    return oc_client_flush(context);
}

static size_t link_poll(void *context, size_t limit)
{
    return oc_client_poll(context, limit);
}

static oc_client_state_t link_state(const void *context)
{
    return oc_client_state(context);
}

static void session_handler(void *context, const oc_response_t *response)
{
    load_session_response(context, response, clock_wall_ns());
}

/* While another client connects, those before it must be heard of. */
static void poll_all(load_venue_t *self)
{
    for (size_t i = 0; i < self->count; i++)
        if (self->links[i])
            (void)oc_client_poll(self->links[i], 16);
}

static oc_err_t connect_client(load_venue_t *self, const load_venue_config_t *config,
                               const load_flow_t *flow, load_recorder_t *recorder)
{
    const size_t i = self->count;
    load_session_t *session = &self->clients[i].session;
    oc_err_t err = load_session_init(session, flow, recorder, config->unanswered_max);
    if (err != OC_ERR_OK)
        return err;
    self->count++;
    session->instrument_offset = (uint32_t)i * config->instrument_step;
    oc_client_config_t client;
    const oc_source_id_t source = {config->first_source.value + (uint32_t)i};
    client_config(&client, config, &config->trader, source);
    client.unanswered_max = config->unanswered_max;
    client.message_commands = config->message_commands;
    if (self->driver)
        client.aeron_dir = embedded_dir(self->driver);
    err = oc_client_connect(&self->links[i], &client, session_handler, session);
    if (err != OC_ERR_OK)
        return err;
    self->clients[i].link = (load_link_t){
        .context = self->links[i],
        .send = link_send,
        .flush = link_flush,
        .poll = link_poll,
        .state = link_state,
    };
    poll_all(self);
    return OC_ERR_OK;
}

oc_err_t load_venue_connect(load_venue_t **venue, const load_venue_config_t *config,
                            const load_flow_t *flow, load_recorder_t *recorder)
{
    OC_ASSERT(config->clients >= 1 && config->clients <= LOAD_CLIENTS_MAX);
    load_venue_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "load: no memory for the clients");
    oc_err_t err = OC_ERR_OK;
    if (config->clients > 1 && !config->aeron_dir) {
        embedded_config_t driver;
        embedded_config_init(&driver);
        driver.threading = EMBEDDED_SHARED;
        err = embedded_create(&self->driver, &driver);
    }
    while (err == OC_ERR_OK && self->count < config->clients)
        err = process_check_interrupted(connect_client(self, config, flow, recorder));
    if (err != OC_ERR_OK) {
        load_venue_close(self);
        return err;
    }
    *venue = self;
    return OC_ERR_OK;
}

load_client_t *load_venue_clients(load_venue_t *self)
{
    return self->clients;
}

void load_venue_counts(const load_venue_t *self, load_venue_counts_t *counts)
{
    memset(counts, 0, sizeof *counts);
    for (size_t i = 0; i < self->count; i++) {
        oc_client_counts_t one;
        oc_client_counts(self->links[i], &one);
        counts->reconnects += one.reconnects;
        counts->resent += one.resent;
        counts->repeats += one.repeats;
    }
}

const char *load_venue_reason(const load_venue_t *self)
{
    for (size_t i = 0; i < self->count; i++)
        if (oc_client_state(self->links[i]) == OC_CLIENT_CLOSED)
            return oc_client_reason(self->links[i]);
    return "";
}

void load_venue_close(load_venue_t *self)
{
    if (!self)
        return;
    for (size_t i = 0; i < self->count; i++) {
        oc_client_close(self->links[i]);
        load_session_fini(&self->clients[i].session);
    }
    embedded_destroy(self->driver);
    free(self);
}
