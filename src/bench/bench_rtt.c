/*
 * Round trips and throughput of clusters. Called by `outcry bench rtt`.
 *
 * Invariants: both sides are sent orders that match nothing and rest nowhere, at the same rate and
 * with as many under way; the first two seconds of round trips warm up. An order that was not
 * answered ends the bench.
 */
#define _GNU_SOURCE
#include "bench/bench_rtt.h"

#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/cluster_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECOND_NS UINT64_C(1000000000)
#define DRAIN_NS  (30 * SECOND_NS)
#define LIMIT_NS  (300 * SECOND_NS)
#define PEER_NS   INT64_C(300000000000)

enum { WARM_S = 2, ORDERS = 200000, WARM_ORDERS = 20000 };

static const oc_command_t nothing = {
    .type = OC_COMMAND_NEW,
    .side = OC_SIDE_BUY,
    .order_type = OC_ORDER_LIMIT,
    .time_in_force = OC_TIF_IOC,
    .instrument = {1},
    .u.order = {.price_ticks = WORKLOAD_PRICE_MIDDLE - WORKLOAD_PRICE_HALF,
                .quantity_lots = 1,
                .client_order_id = {1}},
};

/* ---- Ours ---- */

static bool listen(void *context)
{
    measured_cluster_listen(context);
    return false;
}

static oc_err_t measure_rtt(measured_cluster_t *cluster, bench_rtt_result_t *result)
{
    probe_stream_t *probes = &cluster->probes;
    probe_window_t window;
    probe_stream_restart(probes);
    const uint64_t from_ns = clock_wall_ns() + WARM_S * SECOND_NS;
    oc_err_t err =
        probe_stream_run(probes, from_ns + cluster->terms->seconds * SECOND_NS, listen, cluster);
    if (err == OC_ERR_OK)
        err = probe_stream_drain(probes, DRAIN_NS);
    result->lost += probes->count - probes->answered;
    if (err != OC_ERR_OK)
        return err;
    probe_stream_between(probes, from_ns, UINT64_MAX, &window);
    result->p50_us = (double)window.p50_ns / 1e3;
    result->p99_us = (double)window.p99_ns / 1e3;
    result->p999_us = (double)window.p999_ns / 1e3;
    result->worst_us = (double)window.worst_ns / 1e3;
    return OC_ERR_OK;
}

/* With one order in each message, as the peer's client has it, or with as many as fit. */
static oc_err_t send_orders(measured_cluster_t *cluster, uint64_t count, bool alone, double *per_s)
{
    const load_flow_t flow = {.commands = &nothing, .count = 1};
    load_venue_config_t config;
    load_venue_t *venue;
    load_recorder_t recorder;
    load_result_t result;
    measured_venue_config(measured_cluster_ingress(cluster), &config, 1);
    config.message_commands = alone ? 1 : 0;
    oc_err_t err = load_recorder_init(&recorder, 1, LIMIT_NS);
    if (err == OC_ERR_OK)
        err = load_venue_prepare(&config);
    if (err == OC_ERR_OK)
        err = load_venue_connect(&venue, &config, &flow, &recorder);
    if (err != OC_ERR_OK) {
        load_recorder_fini(&recorder);
        return err;
    }
    const load_config_t load = {
        .clients = load_venue_clients(venue),
        .client_count = 1,
        .window = cluster->terms->window,
        .duration_ns = LIMIT_NS,
        .commands_max = count,
        .grace_ns = DRAIN_NS,
        .give_up = process_end_requested,
    };
    load_run(&load, &recorder, &result);
    load_venue_close(venue);
    load_recorder_fini(&recorder);
    (void)local_cluster_poll(cluster->cluster, 0);
    if (process_end_requested())
        return process_check_interrupted(OC_ERR_OK);
    if (load_result_faults(&result) || result.counts.rejected || result.counts.answered != count)
        return error_set(OC_ERR_CLOSED,
                         "throughput: of %" PRIu64 " orders %" PRIu64 " were answered, %" PRIu64
                         " rejected",
                         count, result.counts.answered, result.counts.rejected);
    *per_s = (double)count * 1e9 / (double)result.answered_ns;
    return OC_ERR_OK;
}

static oc_err_t measure(measured_cluster_t *cluster, void *context)
{
    bench_rtt_result_t *result = context;
    double ignored;
    oc_err_t err = measured_cluster_fill(cluster, &result->fill_per_s);
    if (err == OC_ERR_OK)
        err = send_orders(cluster, WARM_ORDERS, true, &ignored);
    if (err == OC_ERR_OK)
        err = send_orders(cluster, ORDERS, true, &result->throughput_per_s);
    if (err == OC_ERR_OK)
        err = send_orders(cluster, ORDERS, false, &result->together_per_s);
    if (err == OC_ERR_OK)
        err = measured_cluster_probes(cluster, WARM_S + cluster->terms->seconds + 60);
    return err == OC_ERR_OK ? measure_rtt(cluster, result) : err;
}

oc_err_t bench_rtt(const cluster_terms_t *terms, bench_rtt_result_t *result)
{
    memset(result, 0, sizeof *result);
    return cluster_bench_run(terms, measure, result);
}

/* ---- The peer ---- */

static oc_err_t peer_throughput(peer_cluster_t *peer, unsigned count)
{
    char orders[32], window[48];
    (void)snprintf(orders, sizeof orders, "--orders=%u", count);
    (void)snprintf(window, sizeof window, "--window=%" PRIu64, peer->terms->window);
    const char *const options[] = {orders, window, NULL};
    return peer_cluster_load(peer, "throughput", options, PEER_NS);
}

static oc_err_t peer_rtt(peer_cluster_t *peer)
{
    char rate[32], seconds[32], warm[32];
    (void)snprintf(rate, sizeof rate, "--rate=%" PRIu64, peer->terms->rate_per_s);
    (void)snprintf(seconds, sizeof seconds, "--seconds=%" PRIu64, peer->terms->seconds + WARM_S);
    (void)snprintf(warm, sizeof warm, "--warmup=%d", WARM_S);
    const char *const options[] = {rate, seconds, warm, NULL};
    return peer_cluster_load(peer, "rtt", options, PEER_NS);
}

static oc_err_t read_peer(const peer_report_t *report, bench_rtt_result_t *result)
{
    *result = (bench_rtt_result_t){
        .p50_us = report->rtt_p50_us,
        .p99_us = report->rtt_p99_us,
        .p999_us = report->rtt_p999_us,
        .worst_us = report->rtt_max_us,
        .fill_per_s = report->fill_per_s,
        .throughput_per_s = report->throughput_per_s,
        .lost = report->lost,
    };
    if (result->p50_us <= 0 || result->throughput_per_s <= 0)
        return error_set(OC_ERR_FORMAT, "the peer's figures were not understood");
    return OC_ERR_OK;
}

static oc_err_t measure_peer(peer_cluster_t *peer, void *context)
{
    oc_err_t err = peer_cluster_fill(peer);
    if (err == OC_ERR_OK)
        err = peer_throughput(peer, WARM_ORDERS);
    if (err == OC_ERR_OK)
        err = peer_throughput(peer, ORDERS);
    if (err == OC_ERR_OK)
        err = peer_rtt(peer);
    return err == OC_ERR_OK ? read_peer(&peer->report, context) : err;
}

oc_err_t bench_rtt_peer(const cluster_terms_t *terms, bench_rtt_result_t *result)
{
    memset(result, 0, sizeof *result);
    return cluster_bench_run_peer(terms, measure_peer, result);
}
