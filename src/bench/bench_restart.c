/*
 * A node that is killed and started again. Called by `outcry bench restart`.
 *
 * Invariants: every start but that of the empty node finds the same log and image, for nothing is
 * sent between a start and the kill; the clock runs from before the process is made to its word
 * that it serves. What the tables cost to make is in every figure, and alone in that of the empty
 * node.
 */
#define _GNU_SOURCE
#include "bench/bench_restart.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/remove_tree.h"
#include "bench/measured_node.h"
#include "bench/measured_venue.h"
#include "bench/timed_run.h"
#include "host/control.h"
#include "snapshot/image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SNAPSHOT_NS INT64_C(300000000000)
#define GRACE_NS    UINT64_C(5000000000)
#define TAIL_NS     UINT64_C(600000000000)

typedef struct bench {
    const bench_restart_options_t *options;
    bench_restart_result_t *result;
    measured_node_t node;
    char configuration[512];
} bench_t;

static oc_err_t timed_start(bench_t *self, double *start_ms)
{
    const uint64_t begin_ns = clock_wall_ns();
    const oc_err_t err = measured_node_start(&self->node, self->configuration);
    *start_ms = (double)(clock_wall_ns() - begin_ns) / 1e6;
    return err;
}

/* Starts and kills, `rounds` times; *median_ms: of the starts. */
static oc_err_t timed_starts(bench_t *self, uint32_t rounds, double *median_ms)
{
    double starts[BENCH_RESTART_ROUNDS_MAX];
    for (uint32_t round = 0; round < rounds; round++) {
        const oc_err_t err = timed_start(self, &starts[round]);
        if (err != OC_ERR_OK)
            return err;
        measured_node_kill(&self->node);
    }
    *median_ms = timed_run_median(starts, rounds);
    return OC_ERR_OK;
}

static oc_err_t measure_empty(bench_t *self)
{
    oc_err_t err = timed_starts(self, self->options->rounds, &self->result->empty_ms);
    return err == OC_ERR_OK ? remove_tree(self->node.log) : err;
}

static oc_err_t take_image(bench_t *self)
{
    char answer[CONTROL_LINE_MAX];
    const oc_err_t err =
        control_request(self->node.log, "snapshot full", answer, sizeof answer, SNAPSHOT_NS);
    if (err != OC_ERR_OK)
        return err;
    self->result->image_bytes = measured_node_number(answer, "bytes");
    return OC_ERR_OK;
}

/* A tail that was not taken whole is not the one that the starts are said to read. */
static oc_err_t check_tail(const load_result_t *result, uint32_t tail)
{
    if (load_result_faults(result) == 0 && result->counts.answered == tail)
        return OC_ERR_OK;
    return error_set(OC_ERR_CLOSED,
                     "the tail: of %u commands %llu were answered, %llu were lost, missed or "
                     "answered twice",
                     tail, (unsigned long long)result->counts.answered,
                     (unsigned long long)load_result_faults(result));
}

/* More of the same flow behind the image: adds, cancels, trades. */
static oc_err_t send_tail(bench_t *self)
{
    workload_t workload;
    if (self->options->tail == 0)
        return OC_ERR_OK;
    oc_err_t err =
        workload_init(&workload, WORKLOAD_W1, WORKLOAD_RESTING_SHORT, self->options->tail);
    if (err != OC_ERR_OK)
        return err;
    const load_flow_t flow = {.workload = &workload,
                              .count = (uint64_t)workload.resting_count + workload.mixed_count};
    load_config_t load = {
        .client_count = 1,
        .window = MEASURED_VENUE_WINDOW,
        .duration_ns = TAIL_NS,
        .commands_max = self->options->tail,
        .grace_ns = GRACE_NS,
    };
    load_recorder_t recorder;
    load_result_t result;
    err = load_recorder_init(&recorder, 1, TAIL_NS);
    if (err == OC_ERR_OK)
        err = measured_venue_load(self->node.ingress, &flow, &load, &recorder, &result);
    load_recorder_fini(&recorder);
    workload_fini(&workload);
    return err == OC_ERR_OK ? check_tail(&result, self->options->tail) : err;
}

static oc_err_t prepare(bench_t *self)
{
    oc_err_t err = measured_node_start(&self->node, self->configuration);
    if (err == OC_ERR_OK)
        err = measured_venue_fill(self->node.ingress, self->options->orders);
    if (err == OC_ERR_OK)
        err = take_image(self);
    if (err == OC_ERR_OK)
        err = send_tail(self);
    measured_node_kill(&self->node);
    return err;
}

/* The images are put away: the log is all there is. */
static oc_err_t measure_log(bench_t *self)
{
    char images[MEASURED_NODE_PATH + 64];
    char away[MEASURED_NODE_PATH + 64];
    (void)snprintf(images, sizeof images, "%s/%s", self->node.log, IMAGE_DIR);
    (void)snprintf(away, sizeof away, "%s/put-away", self->node.folder.path);
    if (rename(images, away) != 0)
        return error_set(OC_ERR_WRITE, "%s: %s", images, strerror(errno));
    return timed_starts(self, 1, &self->result->log_ms);
}

static oc_err_t measure(bench_t *self)
{
    oc_err_t err = measure_empty(self);
    if (err == OC_ERR_OK)
        err = prepare(self);
    if (err == OC_ERR_OK)
        err = timed_starts(self, self->options->rounds, &self->result->image_ms);
    return err == OC_ERR_OK ? measure_log(self) : err;
}

oc_err_t bench_restart(const bench_restart_options_t *options, bench_restart_result_t *result)
{
    OC_ASSERT(options->rounds >= 1 && options->rounds <= BENCH_RESTART_ROUNDS_MAX);
    OC_ASSERT(options->orders > 0);
    memset(result, 0, sizeof *result);
    bench_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the bench");
    self->options = options;
    self->result = result;
    char core[64];
    const uint32_t more = options->orders / 8 + WORKLOAD_RESTING_SHORT + options->tail + 1024;
    measured_node_cpu_line(core, sizeof core, "core_cpu", options->node_cpu);
    (void)snprintf(self->configuration, sizeof self->configuration,
                   "[node]\n%s[exchange]\nmax_orders = %u\n[snapshot]\nevery_log_bytes = 0\n", core,
                   options->orders + more);
    oc_err_t err = measured_node_init(&self->node, options->dir, "restart", options->program);
    if (err == OC_ERR_OK)
        err = measure(self);
    err = measured_node_fini(&self->node, err);
    free(self);
    return err;
}
