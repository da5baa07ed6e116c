/*
 * The node's way to the network: an embedded Aeron driver in a directory of its own, and the
 * gateway on it. Called at the start, after the recovery, and at the end.
 */
#define _GNU_SOURCE
#include "host/node_internal.h"

#include "base/assert.h"
#include "host/driver_dir.h"

enum { POLL_LIMIT = 32 /* fragments of a session per cycle */ };

#define CONNECT_TIMEOUT_NS INT64_C(5000000000)

static embedded_threading_t threading(node_driver_t driver)
{
    switch (driver) {
    case NODE_DRIVER_SHARED:
        return EMBEDDED_SHARED;
    case NODE_DRIVER_DEDICATED:
        return EMBEDDED_DEDICATED;
    case NODE_DRIVER_INVOKER:
        break;
    }
    return EMBEDDED_INVOKER;
}

static oc_err_t start_driver(node_t *self)
{
    node_config_t *config = &self->config;
    const bool own_name = config->aeron_dir[0] == '\0';
    oc_err_t err = OC_ERR_OK;
    if (own_name)
        err = driver_dir_of(config->dir, config->aeron_dir, sizeof config->aeron_dir);
    if (err == OC_ERR_OK)
        err = driver_dir_remove_stale(config->aeron_dir, own_name);
    if (err != OC_ERR_OK)
        return err;
    embedded_config_t embedded;
    embedded_config_init(&embedded);
    embedded.dir = config->aeron_dir;
    embedded.threading = threading(config->driver);
    return embedded_create(&self->embedded, &embedded);
}

static oc_err_t start_gateway(node_t *self)
{
    const node_config_t *config = &self->config;
    const authenticator_t *authenticator = authenticator_none();
    if (config->authentication == NODE_AUTH_SECRETS) {
        const oc_err_t err = authenticator_secrets_create(&self->secrets, config->secrets_file);
        if (err != OC_ERR_OK)
            return err;
        authenticator = self->secrets;
    }
    gateway_config_t gateway;
    gateway_config_init(&gateway);
    gateway.ingress = config->ingress;
    gateway.advertised = config->advertised[0] ? config->advertised : NULL;
    gateway.redirect = config->redirect[0] ? config->redirect : NULL;
    gateway.max_sessions = (uint32_t)config->max_sessions;
    gateway.max_connecting = (uint32_t)config->max_connecting;
    gateway.session_backlog_bytes = (uint32_t)config->session_backlog_bytes;
    gateway.backlog_bytes = (uint32_t)config->backlog_bytes;
    gateway.poll_limit = POLL_LIMIT;
    gateway.message_bytes_max = (uint32_t)config->message_bytes_max;
    gateway.session_timeout_ns = (int64_t)config->session_timeout_ms * 1000000;
    gateway.connect_timeout_ns = CONNECT_TIMEOUT_NS;
    gateway.authenticator = authenticator;
    return gateway_create(&self->gateway, &gateway, self->embedded, &self->sink);
}

static void restore_sessions(node_t *self)
{
    gateway_set_term(self->gateway, (int64_t)journal_term(self->journal));
    for (uint32_t i = 0; i < self->replica.sessions.state->count; i++) {
        const ledger_session_t *session = session_ledger_at(&self->replica.sessions, i);
        if (!gateway_session_restored(self->gateway, session->id, &session->open))
            node_mark_unreachable(self, session->id);
    }
}

oc_err_t node_transport_start(node_t *self)
{
    OC_ASSERT(!self->embedded);
    oc_err_t err = start_driver(self);
    if (err == OC_ERR_OK)
        err = start_gateway(self);
    if (err == OC_ERR_OK)
        restore_sessions(self);
    else
        node_transport_stop(self);
    return err;
}

void node_transport_stop(node_t *self)
{
    gateway_destroy(self->gateway);
    authenticator_secrets_destroy(self->secrets);
    embedded_destroy(self->embedded);
    self->gateway = NULL;
    self->secrets = NULL;
    self->embedded = NULL;
}
