/*
 * Clusters to measure. Called by the benches of stalls, restarts, failovers and round trips.
 *
 * Invariants: all members die with the bench, and the folder is removed whatever happened; members
 * are listened to while probes go on, so that none waits for a full pipe. It must not measure: the
 * benches do.
 */
#define _GNU_SOURCE
#include "bench/measured_cluster.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "base/remove_tree.h"
#include "bench/image_request.h"
#include "bench/member_state.h"
#include "host/node_config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SECOND_NS INT64_C(1000000000)
#define START_NS  (180 * SECOND_NS)
#define STOP_NS   (120 * SECOND_NS)
#define END_NS    (10 * SECOND_NS)
#define SETTLE_NS (300 * SECOND_NS)
#define LISTEN_NS UINT64_C(10000000)

void cluster_terms_jvm_flags(const cluster_terms_t *terms, char *flags, size_t size)
{
    (void)snprintf(flags, size,
                   "-XX:+Use%s -Xms%" PRIu64 "m -Xmx%" PRIu64
                   "m -XX:+UnlockDiagnosticVMOptions -XX:GuaranteedSafepointInterval=300000 "
                   "-Dagrona.disable.bounds.checks=true",
                   terms->gc, terms->heap_mb, terms->heap_mb);
}

static void configuration(const cluster_terms_t *terms, char *text, size_t size)
{
    char flags[512];
    cluster_terms_jvm_flags(terms, flags, sizeof flags);
    const uint64_t canvass_ms = 2 * terms->heartbeat_ms + 1000;
    (void)snprintf(text, size,
                   "[node]\nidle = %s\n"
                   "[exchange]\nmax_orders = %" PRIu32 "\nmax_sources = 16\nkept_outputs = 16384\n"
                   "[snapshot]\nevery_log_bytes = 0\nkeep = 1\n"
                   "[cluster]\nidle = %s\nsync_level = %" PRIu64 "\nheartbeat_timeout_ms = %" PRIu64
                   "\nelection_timeout_ms = %" PRIu64 "\ncanvass_timeout_ms = %" PRIu64
                   "\nlog_channel = aeron:udp?term-length=64m\narchive_segment_bytes = 128M\n"
                   "low_space_bytes = 0\njvm_flags = %s\n",
                   terms->idle, terms->orders + terms->orders / 8 + 16384, terms->idle,
                   terms->sync_level, terms->heartbeat_ms, terms->election_ms, canvass_ms, flags);
}

oc_err_t measured_cluster_init(measured_cluster_t *self, const cluster_terms_t *terms)
{
    char lines[2048];
    memset(self, 0, sizeof *self);
    self->terms = terms;
    const oc_err_t err = bench_folder_make(&self->folder, terms->dir, "cluster");
    if (err != OC_ERR_OK)
        return err;
    configuration(terms, lines, sizeof lines);
    /* The driver in a member has no key for that; it takes it from what members inherit. */
    if (setenv("AERON_SHARED_IDLE_STRATEGY", terms->idle, 1) != 0)
        return error_set(OC_ERR_NO_MEMORY, "the environment: %s", strerror(errno));
    const local_cluster_config_t config = {
        .folder = {.base = self->folder.path, .members = terms->members, .lines = lines},
        .program = terms->program,
    };
    return local_cluster_create(&self->cluster, &config);
}

void measured_cluster_fini(measured_cluster_t *self)
{
    probe_stream_fini(&self->probes);
    if (self->cluster && process_end_requested())
        local_cluster_interrupt(self->cluster, END_NS);
    local_cluster_destroy(self->cluster);
    self->cluster = NULL;
    bench_folder_remove(&self->folder);
}

const char *measured_cluster_ingress(const measured_cluster_t *self)
{
    return local_cluster_folder(self->cluster)->ingress;
}

void measured_cluster_member(const measured_cluster_t *self, uint32_t member,
                             char path[CLUSTER_FOLDER_PATH])
{
    cluster_folder_dir(local_cluster_folder(self->cluster), member, path);
}

oc_err_t measured_cluster_aeron_dir(const measured_cluster_t *self, uint32_t member, char *path,
                                    size_t size)
{
    return cluster_folder_aeron_dir(local_cluster_folder(self->cluster), member, path, size);
}

oc_err_t measured_cluster_aeron_dirs(const measured_cluster_t *self, char (*dirs)[MODULE_WATCH_DIR])
{
    oc_err_t err = OC_ERR_OK;
    for (uint32_t i = 0; err == OC_ERR_OK && i < self->terms->members; i++)
        err = measured_cluster_aeron_dir(self, i, dirs[i], MODULE_WATCH_DIR);
    return err;
}

oc_err_t measured_cluster_find_leader(measured_cluster_t *self)
{
    return local_cluster_wait_leader(self->cluster, 0, &self->leader, START_NS);
}

oc_err_t measured_cluster_start(measured_cluster_t *self)
{
    oc_err_t err = local_cluster_start_all(self->cluster);
    if (err == OC_ERR_OK)
        err = measured_cluster_find_leader(self);
    for (uint32_t i = 0; err == OC_ERR_OK && i < self->terms->members; i++)
        err = local_cluster_wait_joined(self->cluster, i, START_NS);
    return err;
}

oc_err_t measured_cluster_snapshot_kind(measured_cluster_t *self, const char *kind)
{
    oc_err_t err = local_cluster_stop(self->cluster, STOP_NS);
    for (uint32_t i = 0; err == OC_ERR_OK && i < self->terms->members; i++) {
        char path[CLUSTER_FOLDER_PATH];
        cluster_folder_file(local_cluster_folder(self->cluster), i, NODE_CONFIG_NAME, path);
        FILE *file = fopen(path, "ae"); /* the last value of a key counts */
        if (!file)
            return error_set(OC_ERR_WRITE, "%s: %s", path, strerror(errno));
        const bool written = fprintf(file, "[cluster]\nsnapshot = %s\n", kind) > 0;
        if (fclose(file) != 0 || !written)
            return error_set(OC_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    return err == OC_ERR_OK ? measured_cluster_start(self) : err;
}

/* Behind what they were sent, followers may have work left: it is waited for. */
static oc_err_t settle(measured_cluster_t *self)
{
    member_state_t states[MEMBER_COUNT_MAX];
    const oc_err_t err =
        member_state_settle(local_cluster_folder(self->cluster), states, SETTLE_NS);
    if (err != OC_ERR_OK)
        return err;
    if (!member_state_equal(states, self->terms->members))
        return error_set(OC_ERR_DAMAGED, "the members' states differ");
    return OC_ERR_OK;
}

oc_err_t measured_cluster_fill(measured_cluster_t *self, double *orders_per_s)
{
    const uint64_t begin_ns = clock_wall_ns();
    const oc_err_t err = measured_venue_fill(measured_cluster_ingress(self), self->terms->orders);
    *orders_per_s = self->terms->orders * 1e9 / (double)(clock_wall_ns() - begin_ns);
    (void)local_cluster_poll(self->cluster, 0);
    return err == OC_ERR_OK ? settle(self) : err;
}

oc_err_t measured_cluster_probes(measured_cluster_t *self, uint64_t seconds)
{
    load_venue_config_t venue;
    measured_venue_config(measured_cluster_ingress(self), &venue, 2); /* the second is theirs */
    const probe_stream_config_t config = {
        .ingress = venue.ingress,
        .principal = venue.trader.principal,
        .source = {MEASURED_VENUE_SOURCE + 1},
        .instrument = {1},
        .price_ticks = WORKLOAD_PRICE_MIDDLE - WORKLOAD_PRICE_HALF,
        .rate_per_s = self->terms->rate_per_s,
        .capacity = (size_t)(self->terms->rate_per_s * seconds),
    };
    const oc_err_t err = load_venue_prepare(&venue);
    return err == OC_ERR_OK ? probe_stream_init(&self->probes, &config) : err;
}

void measured_cluster_listen(measured_cluster_t *self)
{
    const uint64_t now_ns = clock_wall_ns();
    if (now_ns - self->listen_ns < LISTEN_NS)
        return;
    self->listen_ns = now_ns;
    (void)local_cluster_poll(self->cluster, 0);
}

oc_err_t measured_cluster_images(measured_cluster_t *self)
{
    oc_err_t err = OC_ERR_OK;
    for (uint32_t i = 0; err == OC_ERR_OK && i < self->terms->members; i++) {
        char dir[CLUSTER_FOLDER_PATH];
        char answer[CONTROL_LINE_MAX];
        measured_cluster_member(self, i, dir);
        err = control_request(dir, "snapshot full", answer, sizeof answer, SETTLE_NS);
    }
    return err;
}

oc_err_t measured_cluster_snapshot(measured_cluster_t *self)
{
    char dirs[MEMBER_COUNT_MAX][MODULE_WATCH_DIR];
    oc_err_t err = measured_cluster_find_leader(self);
    if (err == OC_ERR_OK)
        err = measured_cluster_aeron_dirs(self, dirs);
    return err == OC_ERR_OK ? module_snapshot_everywhere((const char(*)[MODULE_WATCH_DIR])dirs,
                                                         self->terms->members, self->leader)
                            : err;
}

oc_err_t measured_cluster_kill(measured_cluster_t *self, uint32_t member)
{
    char aeron_dir[MODULE_WATCH_DIR];
    oc_err_t err = local_cluster_kill(self->cluster, member);
    if (err == OC_ERR_OK)
        err = measured_cluster_aeron_dir(self, member, aeron_dir, sizeof aeron_dir);
    if (err == OC_ERR_OK)
        (void)remove_tree(aeron_dir);
    return err;
}

oc_err_t measured_cluster_let_age(void)
{
    return process_sleep(MEASURED_CLUSTER_AGE_S * (uint64_t)SECOND_NS);
}
