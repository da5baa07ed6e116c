/*
 * Runs a member in the foreground of a process. Called by `outcry member` and, through
 * oc_node_run(), by programs of service authors.
 *
 * Order of the start: the directory's lock, the driver, the module's process, then the container,
 * which loads the newest image while the JVM starts; at the end in reverse, but for the module,
 * which ends before the driver it is on.
 *
 * Invariants: one process has the directory's lock, so the driver's directory made from its name is
 * nobody else's; signals only set a flag; a member whose module has died ends, and is to be started
 * again by whatever watches over it.
 */
#define _GNU_SOURCE
#include "cluster/member_run.h"

#include "aeron/embedded.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "base/storage.h"
#include "cluster/container.h"
#include "cluster/member_check.h"
#include "cluster/member_ports.h"
#include "cluster/member_space.h"
#include "cluster/module_aeron.h"
#include "cluster/module_process.h"
#include "host/driver_dir.h"
#include "host/idle_strategy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Looks at a module that is gone, 20 ms apart, until its process has ended as well, for which what
 * has failed has three seconds (Module.java). */
enum { LAST_WORDS_LOOKS = 250 };

/* Beyond what a start may wait for the other members: one that has come no further tells so. */
#define APART_TOLD_NS INT64_C(10000000000)

/* What a process of a member holds. */
typedef struct member {
    member_config_t config;
    storage_file_t *lock;
    storage_file_t *driver_lock;
    embedded_t *embedded;
    module_process_t *process; /* NULL: attached */
    module_aeron_t *module;
    container_t *container;
    bool apart_told; /* that it has no log to follow; once for each time */
} member_t;

static oc_err_t lock_directory(member_t *self)
{
    char path[sizeof self->config.node.dir + 16];
    const char *dir = self->config.node.dir;
    if (mkdir(dir, 0755) != 0 && errno != EEXIST)
        return error_set(OC_ERR_OPEN, "%s: %s", dir, strerror(errno));
    member_config_path(&self->config, "lock", path, sizeof path);
    const oc_err_t err = storage_device()->lock(storage_device(), path, &self->lock);
    return err == OC_ERR_LOCKED ? error_set(err, "%s: another member runs in this directory", dir)
                                : err;
}

static embedded_threading_t threading(const member_config_t *config)
{
    if (config->driver == MEMBER_DRIVER_EXTERNAL)
        return EMBEDDED_EXTERNAL;
    return config->node.driver == NODE_DRIVER_DEDICATED ? EMBEDDED_DEDICATED : EMBEDDED_SHARED;
}

/* A second service of one module would make the module end both. */
static oc_err_t lock_driver(member_t *self)
{
    char path[NODE_TEXT_MAX + 64];
    (void)snprintf(path, sizeof path, "%s/outcry-service-%" PRIu64 ".lock",
                   embedded_dir(self->embedded), self->config.cluster_id);
    const oc_err_t err = storage_device()->lock(storage_device(), path, &self->driver_lock);
    return err == OC_ERR_LOCKED
               ? error_set(err,
                           "the module of cluster %" PRIu64 " on the driver in %s has its "
                           "service already",
                           self->config.cluster_id, embedded_dir(self->embedded))
               : err;
}

/* On a driver that runs, what has the ports may be this member's own of before. */
static oc_err_t check_ports(const member_t *self)
{
    if (self->config.driver == MEMBER_DRIVER_EXTERNAL)
        return OC_ERR_OK;
    const oc_err_t err = member_ports_check(&self->config);
    if (err == OC_ERR_OK)
        member_ports_tell_unknown(&self->config);
    return err;
}

static oc_err_t start_driver(member_t *self)
{
    node_config_t *node = &self->config.node;
    const bool own_name = node->aeron_dir[0] == '\0';
    embedded_config_t config;
    oc_err_t err = OC_ERR_OK;
    embedded_config_init(&config);
    config.threading = threading(&self->config);
    if (own_name)
        err = driver_dir_of(node->dir, node->aeron_dir, sizeof node->aeron_dir);
    if (err == OC_ERR_OK && config.threading != EMBEDDED_EXTERNAL)
        err = driver_dir_remove_stale(node->aeron_dir, own_name);
    if (err != OC_ERR_OK)
        return err;
    config.dir = node->aeron_dir;
    err = embedded_create(&self->embedded, &config);
    return err == OC_ERR_OK ? lock_driver(self) : err;
}

static oc_err_t start_module(member_t *self)
{
    if (self->config.module == MEMBER_MODULE_ATTACH)
        return OC_ERR_OK;
    return module_process_start(&self->process, &self->config, embedded_dir(self->embedded));
}

/* Before there is a module that takes part in elections, and once none of before writes here. */
static oc_err_t check_directory(const member_config_t *config)
{
    const bool own = config->module == MEMBER_MODULE_START;
    oc_err_t err = container_check_mark(config);
    if (err == OC_ERR_OK && own)
        err = module_process_await_end(config);
    if (err == OC_ERR_OK)
        err = member_check_directory(config);
    return err == OC_ERR_OK && own ? member_check_clear(config) : err;
}

/* One that is attached to may run its archive already. */
static oc_err_t check_log(const member_config_t *config)
{
    const oc_err_t err = container_check_log(config);
    return err == OC_ERR_OK && config->module == MEMBER_MODULE_START ? container_finish_log(config)
                                                                     : err;
}

static oc_err_t start(member_t *self, const oc_service_t *service)
{
    oc_err_t err = lock_directory(self);
    if (err == OC_ERR_OK)
        err = check_directory(&self->config);
    if (err == OC_ERR_OK)
        err = check_log(&self->config);
    if (err == OC_ERR_OK)
        err = check_ports(self);
    if (err == OC_ERR_OK)
        err = start_driver(self);
    if (err == OC_ERR_OK)
        err = start_module(self);
    if (err == OC_ERR_OK)
        err = module_aeron_create(&self->module, self->embedded, (int64_t)self->config.cluster_id);
    if (err != OC_ERR_OK)
        return err;
    const container_setup_t setup = {
        .service = service,
        .config = &self->config,
        .link = module_aeron_link(self->module),
        .embedded = self->embedded,
        .checked = true,
    };
    return container_create(&self->container, &setup);
}

static void stop(member_t *self)
{
    container_destroy(self->container);
    module_aeron_destroy(self->module);
    module_process_destroy(self->process);
    embedded_destroy(self->embedded);
    storage_device()->close(self->driver_lock);
    storage_device()->close(self->lock);
}

/* How the module's process has ended; OC_ERR_OK when it does not within some seconds. */
static oc_err_t await_process(member_t *self)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    oc_err_t err = OC_ERR_OK;
    for (int i = 0; i < LAST_WORDS_LOOKS && err == OC_ERR_OK; i++) {
        err = module_process_check(self->process);
        if (err == OC_ERR_OK)
            (void)nanosleep(&pause, NULL);
    }
    return err;
}

/* The module's own words say more than that it is gone; its process needs a moment to say them. */
static oc_err_t explain(member_t *self, oc_err_t err)
{
    char words[MODULE_WORDS_MAX];
    if (err != OC_ERR_CLOSED || !self->process)
        return err;
    const oc_err_t why = await_process(self);
    if (why == OC_ERR_CLOSED)
        return error_set(why, "somebody has ended the module, and not its member");
    if (why != OC_ERR_OK)
        return why;
    module_process_words(self->process, words, sizeof words);
    return error_set(err, "the consensus module is gone, and its process is not: %s", words);
}

/* The module has told its service to end: was that the end of the cluster, or did it fail? */
static oc_err_t check_end(member_t *self)
{
    if (!container_ended(self->container) || !self->process)
        return OC_ERR_OK;
    const oc_err_t err = await_process(self);
    return err == OC_ERR_CLOSED ? OC_ERR_OK : err;
}

/* A member whose start does not succeed is not ended: who knows what it waits for can help it. */
static void tell_apart(member_t *self)
{
    char words[MODULE_WORDS_MAX] = "";
    const int64_t limit_ns = (int64_t)self->config.canvass_timeout_ms * 1000000 + APART_TOLD_NS;
    const int64_t apart_ns = container_apart_ns(self->container);
    if (apart_ns < limit_ns || self->apart_told) {
        self->apart_told = self->apart_told && apart_ns >= limit_ns;
        return;
    }
    self->apart_told = true;
    if (self->process)
        module_process_words(self->process, words, sizeof words);
    (void)fprintf(stderr,
                  "outcry: member %" PRIu64 " has joined no log for %" PRId64 " s: most members "
                  "must run and hear each other, and have what it lacks of the log (else seed it "
                  "anew); its module: %s; see `outcry cluster status --dir %s`\n",
                  self->config.id, apart_ns / 1000000000, words[0] ? words : "runs apart from it",
                  self->config.node.dir);
}

/* A leader that has diverged stops leading, so that another one can, and then keeps its state. */
static void end_diverged(member_t *self)
{
    if (!container_diverged(self->container))
        return;
    module_process_destroy(self->process);
    self->process = NULL;
    container_keep_diverged(self->container);
}

static oc_err_t serve(member_t *self)
{
    idle_strategy_t idle;
    idle_strategy_init(&idle, self->config.node.idle);
    while (!container_ended(self->container) && !process_end_requested()) {
        int work;
        oc_err_t err = container_do_work(self->container, &work);
        if (err != OC_ERR_OK)
            return explain(self, err);
        if (work == 0 && self->process) {
            err = module_process_check(self->process);
            if (err != OC_ERR_OK)
                return err;
        }
        tell_apart(self);
        idle_strategy_apply(&idle, work, container_waits(self->container));
    }
    return check_end(self);
}

static void print_end(const member_t *self)
{
    container_report_t report;
    container_report(self->container, &report);
    printf("member %" PRId32 ": ended: position %" PRIu64 ", entries %" PRIu64
           ", state_hash %016" PRIx64 "\n",
           report.member, report.position, report.entries, report.state_hash);
    (void)fflush(stdout);
}

/* What has ended it; a full device says more than what comes of it. */
static void note_reason(const member_t *self, oc_err_t err, char *context, size_t size)
{
    char words[300];
    const bool module = err == OC_ERR_TRANSPORT || err == OC_ERR_CLOSED;
    if (module && member_space_full(&self->config, words, sizeof words))
        (void)snprintf(context, size, "%s: %s", words, oc_err_context());
    else
        (void)snprintf(context, size, "%s", oc_err_context());
}

static oc_err_t run(member_t *self, const oc_service_t *service)
{
    char context[1024];
    printf("member %" PRIu64 ": starting\n", self->config.id);
    (void)fflush(stdout);
    oc_err_t err = start(self, service);
    if (err == OC_ERR_OK)
        err = process_pin_core(self->config.node.core_cpu);
    if (err == OC_ERR_OK)
        err = serve(self);
    note_reason(self, err, context, sizeof context);
    if (err == OC_ERR_OK)
        print_end(self);
    else if (self->container)
        end_diverged(self);
    stop(self);
    return err == OC_ERR_OK ? err : error_set(err, "%s", context);
}

oc_err_t member_run(const oc_service_t *service, const member_config_t *config)
{
    const bool own = process_take_signals();
    member_t *self = calloc(1, sizeof *self);
    oc_err_t err =
        self ? member_config_check(config) : error_set(OC_ERR_NO_MEMORY, "no memory for a member");
    if (err == OC_ERR_OK) {
        self->config = *config;
        err = run(self, service);
    }
    free(self);
    if (own)
        process_give_signals_back();
    return err;
}
