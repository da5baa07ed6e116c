/*
 * Leaders killed under load. Called by `outcry bench failover`.
 *
 * Invariants: the kill is a signal and nothing else, so that probes go on at once; the survivors'
 * modules are looked at from before the kill, through their counters. A killed member of ours is
 * back before the next round.
 */
#define _GNU_SOURCE
#include "bench/bench_failover.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/cluster_bench.h"
#include "bench/timed_run.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define SECOND_NS UINT64_C(1000000000)
#define QUIET_NS  (2 * SECOND_NS)
#define BEHIND_NS (2 * SECOND_NS)
#define LIMIT_NS  (120 * SECOND_NS)
#define JOIN_NS   INT64_C(180000000000)
#define LOOK_NS   1000000
/* A probe that was under way when the leader died was intended not much earlier. */
#define UNDER_WAY_NS (SECOND_NS / 10)

enum {
    PROBES_S = 150,
    PEER_BEFORE_S = 4, /* it warms up for two */
    PEER_SLACK_S = 60,
};

/* ---- Who leads next ---- */

typedef struct election {
    module_watch_t watches[MEMBER_COUNT_MAX];
    uint32_t members;
    uint32_t killed;
    int64_t term; /* of the leader that is killed */
    uint64_t kill_ns;
    uint64_t elected_ns; /* 0: not yet */
    uint32_t leader;
} election_t;

static void election_close(election_t *self)
{
    for (uint32_t i = 0; i < self->members; i++)
        module_watch_close(&self->watches[i]);
}

/* `dirs` are the drivers' of all members. */
static oc_err_t election_open(election_t *self, uint32_t members, uint32_t killed,
                              const char (*dirs)[MODULE_WATCH_DIR])
{
    memset(self, 0, sizeof *self);
    self->members = members;
    self->killed = killed;
    for (uint32_t i = 0; i < members; i++) {
        const oc_err_t err = module_watch_open(&self->watches[i], dirs[i]);
        if (err != OC_ERR_OK) {
            election_close(self);
            return err;
        }
    }
    self->term = module_watch_term(&self->watches[killed]);
    return OC_ERR_OK;
}

static bool election_over(election_t *self)
{
    for (uint32_t i = 0; i < self->members && self->elected_ns == 0; i++) {
        if (i == self->killed || !module_watch_leads(&self->watches[i]) ||
            module_watch_term(&self->watches[i]) <= self->term)
            continue;
        self->elected_ns = clock_wall_ns();
        self->leader = i;
    }
    return self->elected_ns != 0;
}

static double election_ms(const election_t *self)
{
    return (double)(self->elected_ns - self->kill_ns) / 1e6;
}

/* ---- Rounds ---- */

typedef struct rounds {
    double gap[CLUSTER_ROUNDS_MAX];
    double election[CLUSTER_ROUNDS_MAX];
    double more[CLUSTER_ROUNDS_MAX];
    uint32_t count;
    uint32_t survived; /* whose gap is known */
    uint64_t lost;
} rounds_t;

static void note(rounds_t *self, double election, double gap)
{
    self->election[self->count++] = election;
    if (gap <= 0)
        return;
    self->gap[self->survived] = gap;
    self->more[self->survived++] = gap - election;
}

static void summarise(rounds_t *self, bench_failover_result_t *result)
{
    result->lost = self->lost;
    result->election_ms = timed_run_median(self->election, self->count);
    result->survived = self->survived;
    if (self->survived == 0)
        return;
    result->gap_ms = timed_run_median(self->gap, self->survived); /* sorted now */
    result->worst_gap_ms = self->gap[self->survived - 1];
    result->more_ms = timed_run_median(self->more, self->survived);
}

/* ---- Ours ---- */

typedef struct killing {
    measured_cluster_t *cluster;
    election_t election;
} killing_t;

static bool listen(void *context)
{
    measured_cluster_listen(((killing_t *)context)->cluster);
    return false;
}

static bool elected(void *context)
{
    killing_t *self = context;
    (void)listen(self);
    return election_over(&self->election) || clock_wall_ns() - self->election.kill_ns > LIMIT_NS;
}

/* Probes before, while and behind. */
static oc_err_t run_probes(killing_t *self, double *gap_ms)
{
    measured_cluster_t *cluster = self->cluster;
    probe_stream_t *probes = &cluster->probes;
    probe_window_t window;
    probe_stream_restart(probes);
    oc_err_t err = probe_stream_run(probes, clock_wall_ns() + QUIET_NS, listen, self);
    if (err != OC_ERR_OK)
        return err;
    self->election.kill_ns = clock_wall_ns();
    local_cluster_signal(cluster->cluster, cluster->leader, SIGKILL);
    err = probe_stream_run(probes, UINT64_MAX, elected, self);
    if (err == OC_ERR_OK && self->election.elected_ns == 0)
        return error_set(OC_ERR_TIMEOUT, "no member was elected");
    if (err == OC_ERR_OK)
        err = probe_stream_run(probes, clock_wall_ns() + BEHIND_NS, listen, self);
    if (err == OC_ERR_OK)
        err = probe_stream_drain(probes, LIMIT_NS);
    if (err != OC_ERR_OK)
        return err;
    probe_stream_between(probes, self->election.kill_ns - UNDER_WAY_NS, UINT64_MAX, &window);
    *gap_ms = (double)window.worst_ns / 1e6;
    return OC_ERR_OK;
}

static oc_err_t bring_back(measured_cluster_t *cluster, uint32_t member)
{
    oc_err_t err = measured_cluster_kill(cluster, member); /* it is dead, and cleaned up after */
    if (err != OC_ERR_OK)
        return err;
    /* The client must be heard of meanwhile, or it is taken for dead. */
    err = probe_stream_run(&cluster->probes, clock_wall_ns() + MEASURED_CLUSTER_AGE_S * SECOND_NS,
                           NULL, NULL);
    if (err == OC_ERR_OK)
        err = local_cluster_start(cluster->cluster, member);
    local_member_state_t state = {0};
    const uint64_t limit_ns = clock_wall_ns() + (uint64_t)JOIN_NS;
    while (err == OC_ERR_OK && state.role == LOCAL_ROLE_NONE) {
        err = probe_stream_run(&cluster->probes, clock_wall_ns() + SECOND_NS / 10, NULL, NULL);
        measured_cluster_listen(cluster);
        local_cluster_state(cluster->cluster, member, &state);
        if (err == OC_ERR_OK && (!state.running || clock_wall_ns() > limit_ns))
            err = error_set(OC_ERR_TIMEOUT, "member %" PRIu32 " did not come back", member);
    }
    return err == OC_ERR_OK ? probe_stream_drain(&cluster->probes, LIMIT_NS) : err;
}

static oc_err_t run_round(measured_cluster_t *cluster, rounds_t *rounds)
{
    killing_t killing = {.cluster = cluster};
    char dirs[MEMBER_COUNT_MAX][MODULE_WATCH_DIR];
    double gap_ms = 0;
    oc_err_t err = measured_cluster_find_leader(cluster);
    if (err == OC_ERR_OK)
        err = measured_cluster_aeron_dirs(cluster, dirs);
    if (err == OC_ERR_OK)
        err = election_open(&killing.election, cluster->terms->members, cluster->leader,
                            (const char(*)[MODULE_WATCH_DIR])dirs);
    if (err != OC_ERR_OK)
        return err;
    err = run_probes(&killing, &gap_ms);
    election_close(&killing.election);
    if (err != OC_ERR_OK)
        return err;
    note(rounds, election_ms(&killing.election), gap_ms);
    return bring_back(cluster, killing.election.killed);
}

static oc_err_t measure(measured_cluster_t *cluster, void *context)
{
    bench_failover_result_t *result = context;
    rounds_t rounds = {0};
    double fill_per_s;
    oc_err_t err = measured_cluster_fill(cluster, &fill_per_s);
    if (err == OC_ERR_OK)
        err = measured_cluster_probes(cluster, PROBES_S);
    for (uint32_t i = 0; err == OC_ERR_OK && i < cluster->terms->rounds; i++)
        err = run_round(cluster, &rounds);
    rounds.lost = cluster->probes.count - cluster->probes.answered;
    if (err == OC_ERR_OK)
        summarise(&rounds, result);
    return err;
}

oc_err_t bench_failover(const cluster_terms_t *terms, bench_failover_result_t *result)
{
    OC_ASSERT(terms->members >= 3);
    memset(result, 0, sizeof *result);
    return cluster_bench_run(terms, measure, result);
}

/* ---- The peer ---- */

static oc_err_t peer_load_begin(peer_cluster_t *peer)
{
    char rate[32], seconds[32];
    const uint64_t gap_s = 2 * (peer->terms->heartbeat_ms + peer->terms->election_ms) / 1000;
    (void)snprintf(rate, sizeof rate, "--rate=%" PRIu64, peer->terms->rate_per_s);
    (void)snprintf(seconds, sizeof seconds, "--seconds=%" PRIu64, PEER_BEFORE_S + gap_s + 6);
    const char *const options[] = {rate, seconds, NULL};
    const oc_err_t err = peer_cluster_load_begin(peer, "rtt", options);
    return err == OC_ERR_OK ? peer_cluster_load_says(peer, "connected:", (int64_t)LIMIT_NS) : err;
}

static oc_err_t peer_kill(peer_cluster_t *peer, election_t *election)
{
    char dirs[MEMBER_COUNT_MAX][MODULE_WATCH_DIR];
    for (uint32_t i = 0; i < peer->terms->members; i++)
        peer_cluster_aeron_dir(peer, i, dirs[i]);
    oc_err_t err = election_open(election, peer->terms->members, peer->leader,
                                 (const char(*)[MODULE_WATCH_DIR])dirs);
    if (err != OC_ERR_OK)
        return err;
    election->kill_ns = clock_wall_ns();
    child_process_signal(&peer->nodes[peer->leader], SIGKILL);
    while (err == OC_ERR_OK && !election_over(election))
        err = clock_wall_ns() - election->kill_ns < LIMIT_NS
                  ? process_sleep(LOOK_NS)
                  : error_set(OC_ERR_TIMEOUT, "no member of the peer was elected");
    election_close(election);
    return err;
}

/* A cluster that has lost its leader, and what its client says. */
static oc_err_t peer_round(peer_cluster_t *peer, rounds_t *rounds)
{
    election_t election;
    oc_err_t err = peer_load_begin(peer);
    if (err != OC_ERR_OK)
        return err;
    err = process_sleep(PEER_BEFORE_S * SECOND_NS);
    if (err == OC_ERR_OK)
        err = peer_kill(peer, &election);
    if (err != OC_ERR_OK)
        return err;
    /* Its client may give up: then it has no gap, and the election is known all the same. */
    err = peer_cluster_load_end(peer, (int64_t)(LIMIT_NS + PEER_SLACK_S * SECOND_NS));
    if (err != OC_ERR_OK && err != OC_ERR_CLOSED)
        return err;
    note(rounds, election_ms(&election), err == OC_ERR_OK ? peer->report.gap_ms : 0);
    return OC_ERR_OK;
}

static oc_err_t measure_peer(peer_cluster_t *peer, void *context)
{
    rounds_t *rounds = context;
    oc_err_t err = peer_cluster_fill(peer);
    if (err == OC_ERR_OK)
        err = peer_round(peer, rounds);
    rounds->lost += peer->report.lost;
    return err;
}

oc_err_t bench_failover_peer(const cluster_terms_t *terms, bench_failover_result_t *result)
{
    rounds_t rounds = {0};
    oc_err_t err = OC_ERR_OK;
    memset(result, 0, sizeof *result);
    /* Each on a new cluster: one whose member came back does not always elect again. */
    for (uint32_t i = 0; err == OC_ERR_OK && i < terms->rounds; i++)
        err = cluster_bench_run_peer(terms, measure_peer, &rounds);
    if (err == OC_ERR_OK)
        summarise(&rounds, result);
    return err;
}
