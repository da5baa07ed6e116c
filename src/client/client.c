/*
 * The functions of outcry/client.h: a session over an Aeron link, and the clock.
 *
 * Driver and Aeron client are stepped by poll and flush, never while the handler runs: what is
 * received then must not move under its feet.
 */
#define _GNU_SOURCE
#include "outcry/client.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "client/aeron_link.h"
#include "client/client_session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* While connecting and closing there is nothing else to do than wait. */
#define IDLE_NS    50000
#define GOODBYE_NS INT64_C(2000000)

enum { CONNECT_POLL = 16 };

struct oc_client {
    client_session_t session;
    aeron_link_t *link;
    bool inside; /* the handler may be running */
};

void oc_client_config_init(oc_client_config_t *config)
{
    *config = (oc_client_config_t){
        .unanswered_max = 1024,
        .connect_timeout_ns = INT64_C(5000000000),
        .reconnect_timeout_ns = INT64_C(60000000000),
        .keepalive_interval_ns = INT64_C(1000000000),
    };
}

static int64_t now_ns(void)
{
    return (int64_t)clock_wall_ns();
}

static void idle(void)
{
    const struct timespec pause = {.tv_nsec = IDLE_NS};
    (void)nanosleep(&pause, NULL);
}

static void step(oc_client_t *client)
{
    client->session.link.step(client->session.link.context);
}

/* Polls until it is ready; nothing reaches the handler but LOGON and what comes with it. */
static oc_err_t await_ready(oc_client_t *client, int64_t timeout_ns)
{
    client_session_t *session = &client->session;
    const int64_t deadline = now_ns() + timeout_ns;
    while (session->phase != CLIENT_READY) {
        if (oc_client_poll(client, CONNECT_POLL) == 0)
            idle();
        if (session->phase == CLIENT_ENDED)
            return error_set(session->end, "client: %s", session->reason);
        if (session->phase != CLIENT_READY && now_ns() > deadline)
            return error_set(OC_ERR_TIMEOUT, "client: not connected within %" PRId64 " ms: %s",
                             timeout_ns / 1000000,
                             session->reason[0] ? session->reason : "nobody answers");
    }
    return OC_ERR_OK;
}

oc_err_t oc_client_connect(oc_client_t **client, const oc_client_config_t *config,
                           oc_client_handler_t handler, void *context)
{
    *client = NULL;
    if (!handler)
        return error_set(OC_ERR_INVALID_ARGUMENT, "client: a handler is needed");
    oc_client_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "client: %zu bytes", sizeof *self);
    const client_link_t none = {0};
    oc_err_t err = client_session_init(&self->session, config, &none);
    if (err != OC_ERR_OK)
        goto fail_session;
    const aeron_link_config_t link = {.egress = config->egress,
                                      .aeron_dir = config->aeron_dir,
                                      .threaded = config->embedded_thread};
    err = aeron_link_create(&self->link, &link);
    if (err != OC_ERR_OK)
        goto fail_link;
    self->session.link = aeron_link_table(self->link);
    self->session.handler = handler;
    self->session.handler_context = context;
    err = await_ready(self, config->connect_timeout_ns);
    if (err != OC_ERR_OK)
        goto fail_connect;
    *client = self;
    return OC_ERR_OK;
fail_connect:
    client_session_goodbye(&self->session);
    aeron_link_destroy(self->link);
fail_link:
    client_session_fini(&self->session);
fail_session:
    free(self);
    return err;
}

/* Whether commands are taken at all. */
static oc_err_t check_open(const client_session_t *session)
{
    if (session->phase == CLIENT_ENDED)
        return error_set(OC_ERR_CLOSED, "client: %s", session->reason);
    if (session->source.value == 0)
        return error_set(OC_ERR_INVALID_ARGUMENT, "client: commands need a source to log on to");
    return OC_ERR_OK;
}

oc_command_t *oc_client_claim(oc_client_t *client)
{
    client_session_t *session = &client->session;
    if (session->phase == CLIENT_ENDED || session->source.value == 0 ||
        !client_outbox_numbered(&session->outbox))
        return NULL;
    return client_outbox_claim(&session->outbox);
}

uint64_t oc_client_commit(oc_client_t *client)
{
    client_session_t *session = &client->session;
    const uint64_t sequence = client_outbox_commit(&session->outbox);
    if (sequence == 0)
        return 0;
    session->counts.sent++;
    client_session_collect(session);
    return sequence;
}

oc_err_t oc_client_send(oc_client_t *client, const oc_command_t *command, uint64_t *sequence)
{
    const oc_err_t err = check_open(&client->session);
    if (err != OC_ERR_OK)
        return err;
    oc_command_t *slot = oc_client_claim(client);
    if (!slot)
        return error_set(OC_ERR_BACK_PRESSURE, "client: %" PRIu64 " commands are unanswered; poll",
                         client->session.outbox.mask + 1);
    *slot = *command;
    const uint64_t taken = oc_client_commit(client);
    if (taken == 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "client: a command of type %u: clients do not send it, or one of its "
                         "fields has no form on the wire",
                         command->type);
    if (sequence)
        *sequence = taken;
    return OC_ERR_OK;
}

oc_err_t oc_client_flush(oc_client_t *client)
{
    client_session_t *session = &client->session;
    if (session->phase == CLIENT_ENDED)
        return error_set(OC_ERR_CLOSED, "client: %s", session->reason);
    client_session_flush(session);
    if (!client->inside)
        step(client);
    return OC_ERR_OK;
}

oc_err_t oc_client_request(oc_client_t *client, oc_request_t *request)
{
    return client_session_request(&client->session, request);
}

size_t oc_client_poll(oc_client_t *client, size_t limit)
{
    OC_ASSERT(!client->inside);
    step(client);
    client->inside = true;
    const size_t received = client_session_poll(&client->session, now_ns(), limit);
    client->inside = false;
    return received;
}

oc_client_state_t oc_client_state(const oc_client_t *client)
{
    switch (client->session.phase) {
    case CLIENT_READY:
        return OC_CLIENT_READY;
    case CLIENT_ENDED:
        return OC_CLIENT_CLOSED;
    default:
        return OC_CLIENT_CONNECTING;
    }
}

const char *oc_client_reason(const oc_client_t *client)
{
    return client->session.reason;
}

void oc_client_counts(const oc_client_t *client, oc_client_counts_t *counts)
{
    const client_session_t *session = &client->session;
    *counts = session->counts;
    counts->answered = session->outbox.answered;
    counts->resent = session->outbox.resent;
    counts->outbound_sequence = session->outbound_sequence;
}

uint64_t oc_client_oldest_unanswered(const oc_client_t *client)
{
    const client_outbox_t *outbox = &client->session.outbox;
    return outbox->oldest != outbox->next ? outbox->oldest : 0;
}

void oc_client_close(oc_client_t *client)
{
    if (!client)
        return;
    OC_ASSERT(!client->inside);
    client_session_goodbye(&client->session);
    /* The last word has to get out of the driver's buffers. */
    for (const int64_t end = now_ns() + GOODBYE_NS; now_ns() < end;)
        step(client);
    aeron_link_destroy(client->link);
    client_session_fini(&client->session);
    free(client);
}
