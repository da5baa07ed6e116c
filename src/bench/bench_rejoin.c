/*
 * Members killed and started again. Called by `outcry bench restart`.
 *
 * Invariants: both sides are judged by the same thing, the counters of their consensus modules; a
 * member of ours must also say that its service is where the leader's is. Between kill and start
 * what Aeron takes for signs of life has aged, so that nobody waits for that. The state it had,
 * empty or not, is in a snapshot, and ours in an image too, with next to nothing behind that.
 */
#define _GNU_SOURCE
#include "bench/bench_rejoin.h"

#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/cluster_bench.h"
#include "bench/member_state.h"
#include "bench/timed_run.h"

#include <string.h>

#define JOIN_NS INT64_C(600000000000)
#define ASK_NS  INT64_C(10000000000)
#define STEP_NS 2000000

/* Whom to kill: a follower, or the only one. */
static uint32_t victim(const cluster_terms_t *terms, uint32_t leader)
{
    return terms->members == 1 ? 0 : (leader + 1) % terms->members;
}

/* How far the leader's log is committed; 0 with one member, which is not there to be asked. */
static oc_err_t leader_position(const cluster_terms_t *terms, const char *aeron_dir,
                                int64_t *position)
{
    module_watch_t watch;
    *position = 0;
    if (terms->members == 1)
        return OC_ERR_OK;
    const oc_err_t err = module_watch_open(&watch, aeron_dir);
    if (err != OC_ERR_OK)
        return err;
    *position = module_watch_position(&watch);
    module_watch_close(&watch);
    return OC_ERR_OK;
}

static oc_err_t wait_module(const char *aeron_dir, int64_t position)
{
    module_watch_t watch;
    const oc_err_t err = module_watch_wait(&watch, aeron_dir, position, JOIN_NS);
    if (err == OC_ERR_OK)
        module_watch_close(&watch);
    return err;
}

/* ---- Ours ---- */

static oc_err_t wait_service(measured_cluster_t *cluster, uint32_t member, int64_t position,
                             member_state_t *state)
{
    const uint64_t deadline = clock_wall_ns() + (uint64_t)JOIN_NS;
    char dir[CLUSTER_FOLDER_PATH];
    measured_cluster_member(cluster, member, dir);
    for (;;) {
        oc_err_t err = member_state_ask(dir, state, ASK_NS);
        if (err == OC_ERR_OK && strcmp(state->role, "recovering") != 0 &&
            state->position >= (uint64_t)position)
            return OC_ERR_OK;
        if (clock_wall_ns() >= deadline)
            return error_set(OC_ERR_TIMEOUT, "%s: the service is not at position %lld", dir,
                             (long long)position);
        err = process_sleep(STEP_NS);
        if (err != OC_ERR_OK)
            return err;
    }
}

static oc_err_t timed_rejoin(measured_cluster_t *cluster, double *ms, member_state_t *state)
{
    char aeron_dir[MODULE_WATCH_DIR];
    char leader_dir[MODULE_WATCH_DIR];
    int64_t position;
    oc_err_t err = measured_cluster_find_leader(cluster);
    if (err != OC_ERR_OK)
        return err;
    const uint32_t member = victim(cluster->terms, cluster->leader);
    err = measured_cluster_aeron_dir(cluster, member, aeron_dir, sizeof aeron_dir);
    if (err == OC_ERR_OK)
        err = measured_cluster_aeron_dir(cluster, cluster->leader, leader_dir, sizeof leader_dir);
    if (err == OC_ERR_OK)
        err = measured_cluster_kill(cluster, member);
    if (err == OC_ERR_OK)
        err = measured_cluster_let_age();
    if (err == OC_ERR_OK)
        err = leader_position(cluster->terms, leader_dir, &position);
    if (err != OC_ERR_OK)
        return err;
    const uint64_t begin_ns = clock_wall_ns();
    err = local_cluster_start(cluster->cluster, member);
    if (err == OC_ERR_OK)
        err = wait_module(aeron_dir, position);
    if (err == OC_ERR_OK)
        err = wait_service(cluster, member, position, state);
    *ms = (double)(clock_wall_ns() - begin_ns) / 1e6;
    if (err == OC_ERR_OK)
        err = local_cluster_wait_joined(cluster->cluster, member, JOIN_NS);
    return err;
}

static oc_err_t rejoin_rounds(measured_cluster_t *cluster, double *median_ms, double *load_ms,
                              uint64_t *replayed)
{
    double joins[CLUSTER_ROUNDS_MAX];
    double loads[CLUSTER_ROUNDS_MAX];
    const uint32_t rounds = cluster->terms->rounds;
    for (uint32_t i = 0; i < rounds; i++) {
        member_state_t state;
        const oc_err_t err = timed_rejoin(cluster, &joins[i], &state);
        if (err != OC_ERR_OK)
            return err;
        loads[i] = (double)state.load_ns / 1e6;
        *replayed = state.replayed;
    }
    *median_ms = timed_run_median(joins, rounds);
    *load_ms = timed_run_median(loads, rounds);
    return OC_ERR_OK;
}

/* With a snapshot and an image of what there is. */
static oc_err_t keep_and_rejoin(measured_cluster_t *cluster, double *median_ms, double *load_ms,
                                uint64_t *replayed)
{
    oc_err_t err = measured_cluster_snapshot(cluster);
    if (err == OC_ERR_OK)
        err = measured_cluster_images(cluster);
    return err == OC_ERR_OK ? rejoin_rounds(cluster, median_ms, load_ms, replayed) : err;
}

static oc_err_t measure(measured_cluster_t *cluster, void *context)
{
    bench_rejoin_result_t *result = context;
    double fill_per_s;
    double ignored_ms;
    oc_err_t err = keep_and_rejoin(cluster, &result->empty_ms, &ignored_ms, &result->replayed);
    if (err == OC_ERR_OK)
        err = measured_cluster_fill(cluster, &fill_per_s);
    return err == OC_ERR_OK
               ? keep_and_rejoin(cluster, &result->full_ms, &result->load_ms, &result->replayed)
               : err;
}

oc_err_t bench_rejoin(const cluster_terms_t *terms, bench_rejoin_result_t *result)
{
    memset(result, 0, sizeof *result);
    return cluster_bench_run(terms, measure, result);
}

/* ---- The peer ---- */

static oc_err_t peer_rejoin(peer_cluster_t *peer, double *ms)
{
    char aeron_dir[MODULE_WATCH_DIR];
    char leader_dir[MODULE_WATCH_DIR];
    int64_t position;
    oc_err_t err = peer_cluster_find_leader(peer);
    if (err != OC_ERR_OK)
        return err;
    const uint32_t member = victim(peer->terms, peer->leader);
    peer_cluster_aeron_dir(peer, member, aeron_dir);
    peer_cluster_aeron_dir(peer, peer->leader, leader_dir);
    peer_cluster_kill(peer, member);
    err = measured_cluster_let_age();
    if (err == OC_ERR_OK)
        err = leader_position(peer->terms, leader_dir, &position);
    if (err != OC_ERR_OK)
        return err;
    const uint64_t begin_ns = clock_wall_ns();
    err = peer_cluster_start(peer, member);
    if (err == OC_ERR_OK)
        err = wait_module(aeron_dir, position);
    *ms = (double)(clock_wall_ns() - begin_ns) / 1e6;
    peer_cluster_listen(peer);
    return err;
}

static oc_err_t peer_rounds(peer_cluster_t *peer, double *median_ms, double *load_ms)
{
    double joins[CLUSTER_ROUNDS_MAX];
    double loads[CLUSTER_ROUNDS_MAX];
    const uint32_t rounds = peer->terms->rounds;
    for (uint32_t i = 0; i < rounds; i++) {
        const oc_err_t err = peer_rejoin(peer, &joins[i]);
        if (err != OC_ERR_OK)
            return err;
        loads[i] = peer->report.loaded_ms;
    }
    *median_ms = timed_run_median(joins, rounds);
    *load_ms = timed_run_median(loads, rounds);
    return OC_ERR_OK;
}

static oc_err_t peer_keep_and_rejoin(peer_cluster_t *peer, double *median_ms, double *load_ms)
{
    char dirs[MEMBER_COUNT_MAX][MODULE_WATCH_DIR];
    oc_err_t err = peer_cluster_find_leader(peer);
    for (uint32_t i = 0; i < peer->terms->members; i++)
        peer_cluster_aeron_dir(peer, i, dirs[i]);
    if (err == OC_ERR_OK)
        err = module_snapshot_everywhere((const char(*)[MODULE_WATCH_DIR])dirs,
                                         peer->terms->members, peer->leader);
    return err == OC_ERR_OK ? peer_rounds(peer, median_ms, load_ms) : err;
}

static oc_err_t measure_peer(peer_cluster_t *peer, void *context)
{
    bench_rejoin_result_t *result = context;
    double ignored_ms;
    oc_err_t err = peer_keep_and_rejoin(peer, &result->empty_ms, &ignored_ms);
    if (err == OC_ERR_OK)
        err = peer_cluster_fill(peer);
    return err == OC_ERR_OK ? peer_keep_and_rejoin(peer, &result->full_ms, &result->load_ms) : err;
}

oc_err_t bench_rejoin_peer(const cluster_terms_t *terms, bench_rejoin_result_t *result)
{
    memset(result, 0, sizeof *result);
    return cluster_bench_run_peer(terms, measure_peer, result);
}
