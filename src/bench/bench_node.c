/*
 * Nodes as processes of their own, and a client in this one. Called by `outcry bench node`.
 *
 * Invariants: a node is fresh for each part, and ends before the next begins, so that nothing else
 * of ours runs; the two modes of sync take turns in who comes first. It must not compare figures of
 * different runs: the machine's own durable write is measured in every round.
 */
#define _GNU_SOURCE
#include "bench/bench_node.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/remove_tree.h"
#include "bench/bench_host.h"
#include "bench/child_process.h"
#include "bench/load_venue.h"
#include "bench/raw_sync.h"
#include "bench/timed_run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    RAW_SAMPLES = 500,
    RESTING = WORKLOAD_RESTING_SHORT,
    MIXED = 1000000,
    PATH_BYTES = 4096 + 64,
    UNANSWERED_MAX = 16384,
};

#define START_NS INT64_C(30000000000)
#define GRACE_NS UINT64_C(5000000000)

static const char *const sync_names[BENCH_NODE_SYNCS] = {"always", "none"};

typedef struct figures {
    double values[BENCH_NODE_ROUNDS_MAX];
} figures_t;

typedef struct bench {
    const bench_node_options_t *options;
    bench_node_result_t *result;
    workload_t workload;
    char dir[PATH_BYTES];
    char config[PATH_BYTES + 16];
    char log[PATH_BYTES + 16];
    figures_t raw;
    figures_t rtt[BENCH_NODE_SYNCS];
    figures_t rtt_p99[BENCH_NODE_SYNCS];
    figures_t orders[BENCH_NODE_SYNCS];
} bench_t;

static double median(figures_t *figures, uint32_t count)
{
    return timed_run_median(figures->values, count);
}

/* ---- Files ---------------------------------------------------------------------------------- */

static void cpu_line(char *line, size_t size, const char *key, int cpu)
{
    if (cpu < 0)
        (void)snprintf(line, size, "%s = any\n", key);
    else
        (void)snprintf(line, size, "%s = %d\n", key, cpu);
}

static oc_err_t write_config(bench_t *self, bench_node_sync_t sync)
{
    char core[64];
    char writer[64];
    cpu_line(core, sizeof core, "core_cpu", self->options->node_cpu);
    cpu_line(writer, sizeof writer, "writer_cpu", self->options->writer_cpu);
    (void)snprintf(self->result->configuration, sizeof self->result->configuration,
                   "[node]\nidle = %s\n%s[journal]\nsync = %s\n%s", self->options->idle, core,
                   sync_names[sync], writer);
    FILE *file = fopen(self->config, "we");
    if (!file)
        return error_set(OC_ERR_WRITE, "%s: %s", self->config, strerror(errno));
    const bool written = fputs(self->result->configuration, file) >= 0;
    if (fclose(file) != 0 || !written)
        return error_set(OC_ERR_WRITE, "%s: %s", self->config, strerror(errno));
    return OC_ERR_OK;
}

/* ---- One part: a node, a client ------------------------------------------------------------- */

static void trading_instrument(oc_command_t *instrument)
{
    memset(instrument, 0, sizeof *instrument);
    instrument->type = OC_COMMAND_INSTRUMENT_ADD;
    instrument->instrument.value = 1;
    instrument->u.instrument.price_low_ticks = WORKLOAD_PRICE_MIDDLE - WORKLOAD_PRICE_HALF;
    instrument->u.instrument.price_high_ticks = WORKLOAD_PRICE_MIDDLE + WORKLOAD_PRICE_HALF;
    instrument->u.instrument.max_quantity_lots = 1000;
    instrument->u.instrument.state = OC_STATE_CONTINUOUS;
}

static oc_err_t load_at(bench_t *self, const char *ingress, load_config_t *load,
                        load_recorder_t *recorder, load_result_t *result)
{
    oc_command_t instrument;
    trading_instrument(&instrument);
    const load_venue_config_t config = {
        .ingress = ingress,
        .admin = {.principal = "admin"},
        .admin_source = {1},
        .trader = {.principal = "bench"},
        .first_source = {101},
        .clients = 1,
        .unanswered_max = UNANSWERED_MAX,
        .instruments = &instrument,
        .instrument_count = 1,
    };
    const load_flow_t flow = {.workload = &self->workload, .count = RESTING + MIXED};
    load_venue_t *venue;
    oc_err_t err = load_venue_prepare(&config);
    if (err == OC_ERR_OK)
        err = load_venue_connect(&venue, &config, &flow, recorder);
    if (err != OC_ERR_OK)
        return err;
    load->clients = load_venue_clients(venue);
    load_run(load, recorder, result);
    if (result->closed)
        err = error_set(OC_ERR_CLOSED, "the node ended the session: %s", load_venue_reason(venue));
    load_venue_close(venue);
    return err;
}

static oc_err_t end_node(child_process_t *node)
{
    int status = 0;
    child_process_signal(node, SIGTERM);
    const oc_err_t err = child_process_wait(node, &status, START_NS);
    if (err == OC_ERR_OK && status != 0)
        return error_set(OC_ERR_CLOSED, "the node ended with status %d", status);
    return err;
}

/* Runs a load on a fresh node. */
static oc_err_t with_node(bench_t *self, bench_node_sync_t sync, load_config_t *load,
                          load_recorder_t *recorder, load_result_t *result)
{
    oc_err_t err = remove_tree(self->log);
    if (err == OC_ERR_OK)
        err = write_config(self, sync);
    if (err != OC_ERR_OK)
        return err;
    const child_node_t how = {self->options->program, self->log, self->config, "127.0.0.1:0"};
    child_process_t node;
    char ingress[128];
    err = child_process_start_node(&node, &how);
    if (err != OC_ERR_OK)
        return err;
    err = child_process_ready(&node, ingress, sizeof ingress, START_NS);
    if (err == OC_ERR_OK)
        err = load_at(self, ingress, load, recorder, result);
    if (err == OC_ERR_OK)
        err = end_node(&node);
    child_process_end(&node);
    return err;
}

static oc_err_t measure_rtt(bench_t *self, bench_node_sync_t sync, uint32_t round)
{
    load_config_t load = {
        .client_count = 1,
        .rate_per_s = self->options->rate_per_s,
        .burst = 1,
        .window = 1,
        .duration_ns = self->options->part_ns,
        .grace_ns = GRACE_NS,
    };
    load_recorder_t recorder;
    load_result_t result;
    oc_err_t err = load_recorder_init(&recorder, 1, self->options->part_ns);
    if (err != OC_ERR_OK)
        return err;
    err = with_node(self, sync, &load, &recorder, &result);
    if (err == OC_ERR_OK) {
        const histogram_t *latency = recorder.intervals[0];
        self->rtt[sync].values[round] = (double)histogram_percentile(latency, 50.0) / 1e3;
        self->rtt_p99[sync].values[round] = (double)histogram_percentile(latency, 99.0) / 1e3;
        self->result->lost += load_result_faults(&result);
    }
    load_recorder_fini(&recorder);
    return err;
}

static oc_err_t measure_orders(bench_t *self, bench_node_sync_t sync, uint32_t round)
{
    load_config_t load = {
        .client_count = 1,
        .burst = 1,
        .window = self->options->window,
        .duration_ns = self->options->part_ns,
        .grace_ns = GRACE_NS,
    };
    load_recorder_t recorder;
    load_result_t result;
    oc_err_t err = load_recorder_init(&recorder, 1, self->options->part_ns);
    if (err != OC_ERR_OK)
        return err;
    err = with_node(self, sync, &load, &recorder, &result);
    if (err == OC_ERR_OK) {
        self->orders[sync].values[round] =
            (double)result.counts.answered * 1e9 / (double)result.answered_ns;
        self->result->lost += load_result_faults(&result);
    }
    load_recorder_fini(&recorder);
    return err;
}

static oc_err_t measure_raw(bench_t *self, uint32_t round)
{
    return raw_sync_p50_us(self->dir, RAW_SAMPLES, &self->raw.values[round]);
}

static oc_err_t one_round(bench_t *self, uint32_t round)
{
    oc_err_t err = measure_raw(self, round);
    for (unsigned i = 0; err == OC_ERR_OK && i < BENCH_NODE_SYNCS; i++) {
        const bench_node_sync_t sync = (round + i) % 2 ? BENCH_NODE_NONE : BENCH_NODE_ALWAYS;
        err = measure_rtt(self, sync, round);
        if (err == OC_ERR_OK)
            err = measure_orders(self, sync, round);
    }
    return err;
}

static void summarise(bench_t *self)
{
    const uint32_t rounds = self->options->rounds;
    self->result->raw_sync_p50_us = median(&self->raw, rounds);
    for (unsigned sync = 0; sync < BENCH_NODE_SYNCS; sync++) {
        self->result->rtt_p50_us[sync] = median(&self->rtt[sync], rounds);
        self->result->rtt_p99_us[sync] = median(&self->rtt_p99[sync], rounds);
        self->result->orders_per_s[sync] = median(&self->orders[sync], rounds);
    }
}

static oc_err_t make_dir(bench_t *self)
{
    if (mkdir(self->options->dir, 0777) != 0 && errno != EEXIST)
        return error_set(OC_ERR_OPEN, "%s: %s", self->options->dir, strerror(errno));
    (void)snprintf(self->dir, sizeof self->dir, "%s/bench-node-XXXXXX", self->options->dir);
    if (!mkdtemp(self->dir))
        return error_set(OC_ERR_OPEN, "%s: %s", self->dir, strerror(errno));
    (void)snprintf(self->config, sizeof self->config, "%s/config", self->dir);
    (void)snprintf(self->log, sizeof self->log, "%s/log", self->dir);
    return OC_ERR_OK;
}

oc_err_t bench_node(const bench_node_options_t *options, bench_node_result_t *result)
{
    OC_ASSERT(options->rounds >= 1 && options->rounds <= BENCH_NODE_ROUNDS_MAX);
    OC_ASSERT(options->window >= 1 && options->window <= UNANSWERED_MAX);
    memset(result, 0, sizeof *result);
    bench_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the bench");
    self->options = options;
    self->result = result;
    oc_err_t err = make_dir(self);
    if (err != OC_ERR_OK)
        goto free_self;
    err = workload_init(&self->workload, WORKLOAD_W1, RESTING, MIXED);
    if (err != OC_ERR_OK)
        goto remove_dir;
    if (options->client_cpu >= 0)
        err = bench_host_pin(options->client_cpu);
    for (uint32_t round = 0; err == OC_ERR_OK && round < options->rounds; round++)
        err = one_round(self, round);
    if (err == OC_ERR_OK)
        summarise(self);
    workload_fini(&self->workload);
remove_dir:
    (void)remove_tree(self->dir);
free_self:
    free(self);
    return err;
}
