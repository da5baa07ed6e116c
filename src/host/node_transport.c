/*
 * The node's way to the network: an embedded Aeron driver in a directory of its own, and the
 * gateway on it. Called at the start, after the recovery, and at the end.
 *
 * A process that was killed leaves the driver's directory behind, and for some seconds it looks
 * alive. Whoever holds the lock of the journal's directory knows better: the name of the driver's
 * directory is made from the journal's, so nobody else can be using it. A directory that the
 * configuration names is removed only if the process that made it is gone.
 */
#define _GNU_SOURCE
#include "host/node_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/remove_tree.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    POLL_LIMIT = 32,          /* fragments of a session per cycle */
    HEARTBEAT_MAX_MS = 10000, /* Aeron's own limit for a driver to be alive */
};

#define CONNECT_TIMEOUT_NS INT64_C(5000000000)

oc_err_t node_aeron_dir(const char *dir, char *aeron_dir, size_t size)
{
    char absolute[PATH_MAX];
    if (!realpath(dir, absolute))
        return error_set(OC_ERR_OPEN, "%s: %s", dir, strerror(errno));
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *at = absolute; *at; at++)
        hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
    const int length =
        snprintf(aeron_dir, size, "/dev/shm/outcry-%lu-%016" PRIx64, (unsigned long)getuid(), hash);
    OC_ASSERT(length > 0);
    OC_ASSERT((size_t)length < size);
    return OC_ERR_OK;
}

/* The process whose driver runs in a directory; 0 if none does, or it is this one's own number,
 * seen again after a restart of the machine or of a container. */
static long driver_process(const char *aeron_dir)
{
    aeron_cnc_t *cnc = NULL;
    aeron_cnc_constants_t constants;
    long process = 0;
    if (aeron_cnc_init(&cnc, aeron_dir, 100) < 0)
        return 0;
    const int64_t now_ms = clock_real_ns() / 1000000;
    const bool fresh = now_ms - aeron_cnc_to_driver_heartbeat(cnc) < HEARTBEAT_MAX_MS;
    if (fresh && aeron_cnc_constants(cnc, &constants) == 0)
        process = (long)constants.pid;
    aeron_cnc_close(cnc);
    if (process <= 0 || process == (long)getpid())
        return 0;
    return kill((pid_t)process, 0) == 0 || errno == EPERM ? process : 0;
}

static oc_err_t remove_stale(const char *aeron_dir, bool own_name)
{
    struct stat info;
    char file[PATH_MAX];
    if (lstat(aeron_dir, &info) != 0)
        return OC_ERR_OK;
    if (!own_name) {
        (void)snprintf(file, sizeof file, "%s/cnc.dat", aeron_dir);
        if (access(file, F_OK) != 0)
            return OC_ERR_OK; /* no driver's: starting one there says what is wrong */
        const long process = driver_process(aeron_dir);
        if (process > 0)
            return error_set(OC_ERR_LOCKED,
                             "the Aeron directory %s is in use by process %ld; give each node an "
                             "aeron_dir of its own",
                             aeron_dir, process);
    }
    return remove_tree(aeron_dir);
}

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
        err = node_aeron_dir(config->dir, config->aeron_dir, sizeof config->aeron_dir);
    if (err == OC_ERR_OK)
        err = remove_stale(config->aeron_dir, own_name);
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
