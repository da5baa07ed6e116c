/*
 * A node, probes, snapshots. Called by `outcry bench snapshot`.
 *
 * Invariants: probes go on by schedule through the whole of a round; begin and commit are the
 * node's own times on the clock that the probes are intended on; the quiet probes are those just
 * before, as many, and a round with too few of either is an error. The first snapshot warms up and
 * is not counted: it also says how long a round takes. It must not stall the probes: the request
 * waits in a thread of its own.
 */
#define _GNU_SOURCE
#include "bench/bench_snapshot.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/bench_host.h"
#include "bench/image_request.h"
#include "bench/measured_node.h"
#include "bench/measured_venue.h"
#include "bench/probe_stream.h"
#include "bench/raw_read.h"
#include "bench/timed_run.h"
#include "host/node.h"
#include "service/exchange.h"
#include "snapshot/image.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUIET_MIN_NS UINT64_C(1000000000)
#define AFTER_NS     UINT64_C(100000000)
#define ROUND_TIMES  3 /* the quiet time is so many times what the last snapshot took */
/* Time for which a round has room for probes: what fills no device this slow, is too slow. */
#define ROUND_MIN_S        20
#define ROUND_ORDERS_PER_S 50000

typedef struct figures {
    double values[BENCH_SNAPSHOT_ROUNDS_MAX];
} figures_t;

typedef struct bench {
    const bench_snapshot_options_t *options;
    bench_snapshot_result_t *result;
    measured_node_t node;
    probe_stream_t probes;
    image_facts_t last;
    uint64_t quiet_from_ns; /* the probes of this round begin */
    figures_t pause, sweep, background, before, before_worst, during, during_worst, owner;
    figures_t more, more_worst;
} bench_t;

/* Probes go on while the node takes a snapshot, and a little longer. */
static oc_err_t take_snapshot(bench_t *self, const char *text, image_facts_t *snapshot)
{
    image_request_t request;
    oc_err_t err = image_request_start(&request, self->node.log, text);
    if (err != OC_ERR_OK)
        return err;
    err = probe_stream_run(&self->probes, UINT64_MAX, image_request_done, &request);
    const oc_err_t answer = image_request_finish(&request, snapshot);
    if (err == OC_ERR_OK)
        err = answer;
    if (err == OC_ERR_OK)
        err = probe_stream_run(&self->probes, clock_wall_ns() + AFTER_NS, NULL, NULL);
    if (err == OC_ERR_OK)
        err = probe_stream_drain(&self->probes, UINT64_C(30000000000));
    return err;
}

/* ---- Rounds --------------------------------------------------------------------------------- */

static oc_err_t run_quiet(bench_t *self)
{
    const uint64_t wanted = self->last.commit_ns * ROUND_TIMES;
    const uint64_t quiet_ns = wanted > QUIET_MIN_NS ? wanted : QUIET_MIN_NS;
    probe_stream_restart(&self->probes);
    self->quiet_from_ns = clock_wall_ns();
    return probe_stream_run(&self->probes, clock_wall_ns() + quiet_ns, NULL, NULL);
}

/* Of no probes nothing can be said; it must not look like a stall of 0. */
static oc_err_t check_windows(const bench_t *self, const probe_window_t *before,
                              const probe_window_t *during)
{
    if (during->count > 0 && before->count == during->count)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_CONFIG,
                     "%zu probes were due while the snapshot was made, and %zu just before; "
                     "%" PRIu64 "/s are too few for a snapshot of %.1f ms: raise --rate or "
                     "--orders",
                     during->count, before->count, self->options->rate_per_s,
                     (double)self->last.commit_ns / 1e6);
}

static oc_err_t note_round(bench_t *self, uint32_t round)
{
    const image_facts_t *snapshot = &self->last;
    probe_window_t before;
    probe_window_t during;
    probe_stream_between(&self->probes, snapshot->begin_ns,
                         snapshot->begin_ns + snapshot->commit_ns, &during);
    /* Not back into what the snapshot before has left behind. */
    probe_stream_before(&self->probes, self->quiet_from_ns, snapshot->begin_ns, during.count,
                        &before);
    const oc_err_t err = check_windows(self, &before, &during);
    if (err != OC_ERR_OK)
        return err;
    self->pause.values[round] = (double)snapshot->pause_ns;
    self->sweep.values[round] = (double)snapshot->sweep_ns / 1e6;
    self->background.values[round] = (double)snapshot->commit_ns / 1e6;
    self->before.values[round] = (double)before.p99_ns / 1e3;
    self->before_worst.values[round] = (double)before.worst_ns / 1e3;
    self->during.values[round] = (double)during.p99_ns / 1e3;
    self->during_worst.values[round] = (double)during.worst_ns / 1e3;
    self->more.values[round] = self->during.values[round] - self->before.values[round];
    self->more_worst.values[round] =
        self->during_worst.values[round] - self->before_worst.values[round];
    self->owner.values[round] = (double)snapshot->pages_owner;
    self->result->probes = during.count;
    self->result->image_bytes = snapshot->bytes;
    return OC_ERR_OK;
}

static oc_err_t run_rounds(bench_t *self)
{
    bench_host_time_t begin;
    bench_host_time_t end;
    oc_err_t err = run_quiet(self);
    if (err == OC_ERR_OK)
        err = take_snapshot(self, "snapshot full", &self->last); /* warms up */
    bench_host_time(&begin);
    for (uint32_t round = 0; err == OC_ERR_OK && round < self->options->rounds; round++) {
        err = run_quiet(self);
        if (err == OC_ERR_OK)
            err = take_snapshot(self, "snapshot full", &self->last);
        if (err == OC_ERR_OK)
            err = note_round(self, round);
    }
    bench_host_time(&end);
    self->result->steal_pct = bench_host_steal_pct(&begin, &end);
    return err;
}

/* An image of what the probes alone have changed. */
static oc_err_t run_incremental(bench_t *self)
{
    image_facts_t snapshot;
    oc_err_t err = run_quiet(self);
    if (err == OC_ERR_OK)
        err = take_snapshot(self, "snapshot", &snapshot);
    if (err != OC_ERR_OK)
        return err;
    self->result->incremental_bytes = snapshot.bytes;
    self->result->log_bytes = snapshot.position - self->last.position;
    return OC_ERR_OK;
}

/* ---- Start and end -------------------------------------------------------------------------- */

/* The tables of the node: those of its configuration file below. */
static uint32_t table_orders(uint32_t orders)
{
    return orders + orders / 8 + 1024;
}

static oc_err_t start_node(bench_t *self)
{
    const bench_snapshot_options_t *options = self->options;
    char core[64], writer[64], sweeper[64], text[1024];
    measured_node_cpu_line(core, sizeof core, "core_cpu", options->node_cpu);
    measured_node_cpu_line(writer, sizeof writer, "writer_cpu", options->background_cpu);
    measured_node_cpu_line(sweeper, sizeof sweeper, "cpu", options->background_cpu);
    (void)snprintf(text, sizeof text,
                   "[node]\nidle = %s\n%s[journal]\nsync = %s\n%s[exchange]\nmax_orders = %u\n"
                   "[snapshot]\nevery_log_bytes = 0\nkeep = 1\n%s",
                   options->idle, core, options->sync, writer, table_orders(options->orders),
                   sweeper);
    return measured_node_start(&self->node, text);
}

static oc_err_t open_probes(bench_t *self)
{
    load_venue_config_t venue;
    measured_venue_config(self->node.ingress, &venue, 2); /* the second client is the probes' */
    const probe_stream_config_t config = {
        .ingress = self->node.ingress,
        .principal = venue.trader.principal,
        .source = {MEASURED_VENUE_SOURCE + 1},
        .instrument = {1},
        .price_ticks = WORKLOAD_PRICE_MIDDLE - WORKLOAD_PRICE_HALF,
        .rate_per_s = self->options->rate_per_s,
        .capacity = (size_t)self->options->rate_per_s *
                    (ROUND_MIN_S + self->options->orders / ROUND_ORDERS_PER_S),
    };
    const oc_err_t err = load_venue_prepare(&venue);
    return err == OC_ERR_OK ? probe_stream_init(&self->probes, &config) : err;
}

/* Images are written around the page cache: a pass through it has their pages there. */
static oc_err_t warm_images(const char *log)
{
    char path[MEASURED_NODE_PATH + 64];
    (void)snprintf(path, sizeof path, "%s/" IMAGE_DIR, log);
    DIR *dir = opendir(path);
    if (!dir)
        return error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    oc_err_t err = OC_ERR_OK;
    for (const struct dirent *entry; err == OC_ERR_OK && (entry = readdir(dir)) != NULL;) {
        const char *suffix = strrchr(entry->d_name, '.');
        raw_reading_t reading;
        if (!suffix || strcmp(suffix, ".pages") != 0)
            continue;
        char file[sizeof path + sizeof entry->d_name + 1];
        (void)snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        err = raw_read(file, 1, false, &reading);
    }
    (void)closedir(dir);
    return err;
}

/* The stopped node's images and log, into an exchange in this process. */
static oc_err_t measure_restore(bench_t *self)
{
    exchange_config_t config;
    uint8_t bytes[4096];
    size_t length;
    exchange_config_init(&config);
    oc_err_t err = node_log_configuration(self->node.log, bytes, sizeof bytes, &length);
    if (err == OC_ERR_OK)
        err = exchange_config_parse(&config, bytes, length);
    if (err == OC_ERR_OK)
        err = warm_images(self->node.log);
    double runs[3];
    for (size_t i = 0; err == OC_ERR_OK && i < sizeof runs / sizeof runs[0]; i++) {
        exchange_t *exchange;
        node_report_t report;
        err = exchange_create(&exchange, &config);
        if (err != OC_ERR_OK)
            break;
        err = node_replay(self->node.log, exchange_service(exchange), NODE_REPLAY_IMAGE, &report);
        runs[i] = (double)report.recovery_ns / 1e6;
        exchange_destroy(exchange);
        err = process_check_interrupted(err);
    }
    if (err == OC_ERR_OK)
        self->result->restore_warm_ms = timed_run_median(runs, sizeof runs / sizeof runs[0]);
    return err;
}

static void summarise(bench_t *self)
{
    const uint32_t rounds = self->options->rounds;
    bench_snapshot_result_t *result = self->result;
    result->pause_ns = timed_run_median(self->pause.values, rounds);
    result->sweep_ms = timed_run_median(self->sweep.values, rounds);
    result->background_ms = timed_run_median(self->background.values, rounds);
    result->before_p99_us = timed_run_median(self->before.values, rounds);
    result->before_worst_us = timed_run_median(self->before_worst.values, rounds);
    result->during_p99_us = timed_run_median(self->during.values, rounds);
    result->during_worst_us = timed_run_median(self->during_worst.values, rounds);
    result->more_p99_us = timed_run_median(self->more.values, rounds);
    result->more_worst_us = timed_run_median(self->more_worst.values, rounds);
    result->pages_owner = timed_run_median(self->owner.values, rounds);
    result->unanswered = self->probes.count - self->probes.answered + self->probes.wrong;
}

static oc_err_t measure(bench_t *self)
{
    oc_err_t err = start_node(self);
    if (err != OC_ERR_OK)
        return err;
    const uint64_t begin_ns = clock_wall_ns();
    err = measured_venue_fill(self->node.ingress, self->options->orders);
    self->result->fill_s = (double)(clock_wall_ns() - begin_ns) / 1e9;
    if (err == OC_ERR_OK)
        err = open_probes(self);
    if (err == OC_ERR_OK)
        err = run_rounds(self);
    if (err == OC_ERR_OK)
        err = run_incremental(self);
    if (err == OC_ERR_OK)
        summarise(self);
    probe_stream_fini(&self->probes);
    if (err == OC_ERR_OK)
        err = measured_node_stop(&self->node);
    return err == OC_ERR_OK ? measure_restore(self) : err;
}

oc_err_t bench_snapshot(const bench_snapshot_options_t *options, bench_snapshot_result_t *result)
{
    OC_ASSERT(options->rounds >= 1 && options->rounds <= BENCH_SNAPSHOT_ROUNDS_MAX);
    OC_ASSERT(options->orders > 0 && options->rate_per_s > 0);
    memset(result, 0, sizeof *result);
    bench_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the bench");
    self->options = options;
    self->result = result;
    oc_err_t err = measured_node_init(&self->node, options->dir, "snapshot", options->program);
    if (err == OC_ERR_OK && options->client_cpu >= 0)
        err = bench_host_pin(options->client_cpu);
    if (err == OC_ERR_OK)
        err = measure(self);
    err = measured_node_fini(&self->node, err);
    free(self);
    return err;
}
