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
#include "bench/measured_node.h"
#include "bench/measured_venue.h"
#include "bench/raw_sync.h"
#include "bench/timed_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RAW_SAMPLES = 500,
    RESTING = WORKLOAD_RESTING_SHORT,
    MIXED = 1000000,
};

#define GRACE_NS UINT64_C(5000000000)

static const char *const sync_names[BENCH_NODE_SYNCS] = {"always", "none"};

typedef struct figures {
    double values[BENCH_NODE_ROUNDS_MAX];
} figures_t;

typedef struct bench {
    const bench_node_options_t *options;
    bench_node_result_t *result;
    workload_t workload;
    measured_node_t node;
    figures_t raw;
    figures_t rtt[BENCH_NODE_SYNCS];
    figures_t rtt_p99[BENCH_NODE_SYNCS];
    figures_t orders[BENCH_NODE_SYNCS];
} bench_t;

static double median(figures_t *figures, uint32_t count)
{
    return timed_run_median(figures->values, count);
}

static void write_configuration(bench_t *self, bench_node_sync_t sync)
{
    char core[64];
    char writer[64];
    measured_node_cpu_line(core, sizeof core, "core_cpu", self->options->node_cpu);
    measured_node_cpu_line(writer, sizeof writer, "writer_cpu", self->options->writer_cpu);
    (void)snprintf(self->result->configuration, sizeof self->result->configuration,
                   "[node]\nidle = %s\n%s[journal]\nsync = %s\n%s", self->options->idle, core,
                   sync_names[sync], writer);
}

/* ---- One part: a node, a client ------------------------------------------------------------- */

/* Runs a load on a fresh node. */
static oc_err_t with_node(bench_t *self, bench_node_sync_t sync, load_config_t *load,
                          load_recorder_t *recorder, load_result_t *result)
{
    const load_flow_t flow = {.workload = &self->workload, .count = RESTING + MIXED};
    write_configuration(self, sync);
    oc_err_t err = remove_tree(self->node.log);
    if (err == OC_ERR_OK)
        err = measured_node_start(&self->node, self->result->configuration);
    if (err == OC_ERR_OK)
        err = measured_venue_load(self->node.ingress, &flow, load, recorder, result);
    if (err == OC_ERR_OK)
        return measured_node_stop(&self->node);
    measured_node_kill(&self->node);
    return err;
}

static oc_err_t measure_rtt(bench_t *self, bench_node_sync_t sync, uint32_t round)
{
    arrival_t arrivals;
    if (self->options->rate_per_s)
        arrival_init_steady(&arrivals, self->options->rate_per_s, 1);
    load_config_t load = {
        .client_count = 1,
        .arrivals = self->options->rate_per_s ? &arrivals : NULL,
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
        const histogram_t *latency = recorder.line.intervals[0];
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
    return raw_sync_p50_us(self->node.folder.path, RAW_SAMPLES, &self->raw.values[round]);
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

oc_err_t bench_node(const bench_node_options_t *options, bench_node_result_t *result)
{
    OC_ASSERT(options->rounds >= 1 && options->rounds <= BENCH_NODE_ROUNDS_MAX);
    OC_ASSERT(options->window >= 1 && options->window <= MEASURED_VENUE_WINDOW);
    memset(result, 0, sizeof *result);
    bench_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the bench");
    self->options = options;
    self->result = result;
    oc_err_t err = measured_node_init(&self->node, options->dir, "node", options->program);
    if (err == OC_ERR_OK)
        err = workload_init(&self->workload, WORKLOAD_W1, RESTING, MIXED);
    if (err == OC_ERR_OK && options->client_cpu >= 0)
        err = bench_host_pin(options->client_cpu);
    for (uint32_t round = 0; err == OC_ERR_OK && round < options->rounds; round++)
        err = one_round(self, round);
    if (err == OC_ERR_OK)
        summarise(self);
    workload_fini(&self->workload);
    err = measured_node_fini(&self->node, err);
    free(self);
    return err;
}
