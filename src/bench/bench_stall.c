/*
 * A cluster, probes, snapshots of every kind. Called by `outcry bench stall`.
 *
 * Invariants: probes go on by schedule through the whole of a round; begin and end are times on the
 * clock that the probes are intended on. The first snapshot of a kind warms up and is not counted.
 * Who asks waits in a thread of its own.
 */
#define _GNU_SOURCE
#include "bench/bench_stall.h"

#include "base/cycle_clock.h"
#include "base/error.h"
#include "bench/cluster_bench.h"
#include "bench/image_request.h"
#include "bench/member_state.h"
#include "bench/timed_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECOND_NS    UINT64_C(1000000000)
#define QUIET_MIN_NS SECOND_NS
#define DRAIN_NS     (30 * SECOND_NS)
#define ASK_NS       INT64_C(10000000000)

enum {
    PROBES_S = 300,  /* of a round that nobody expects to be this long */
    PEER_SLACK = 60, /* seconds, of its start and end */
    PEER_WARM_S = 2,
};

/* A round, on the clock of the probes. */
typedef struct round {
    uint64_t begin_ns;
    uint64_t end_ns;
    double service_ms;
} round_t;

typedef double each_round_t[CLUSTER_ROUNDS_MAX];
_Static_assert(PEER_REPORT_SNAPSHOTS > CLUSTER_ROUNDS_MAX, "with the one that warms up");

typedef struct rounds {
    each_round_t before_p99, before, during_p99, during, more, more_p99, stall, service, took;
    uint64_t probes;
} rounds_t;

typedef struct bench {
    measured_cluster_t *cluster;
    bench_stall_result_t *result;
    bool archive; /* it was asked for */
    char leader_dir[CLUSTER_FOLDER_PATH];
    char aeron_dir[MODULE_WATCH_DIR];
    uint64_t quiet_from_ns;
    uint64_t last_ns; /* how long the last snapshot took */
} bench_t;

/* ---- Waiting with probes ---- */

typedef struct waiting {
    measured_cluster_t *cluster;
    bool (*done)(void *context); /* NULL: time alone ends it */
    void *context;
} waiting_t;

static bool is_over(void *context)
{
    const waiting_t *self = context;
    measured_cluster_listen(self->cluster);
    return self->done && self->done(self->context);
}

static oc_err_t probe(bench_t *self, uint64_t until_ns, bool (*done)(void *context), void *context)
{
    waiting_t waiting = {self->cluster, done, context};
    return probe_stream_run(&self->cluster->probes, until_ns, is_over, &waiting);
}

static oc_err_t run_quiet(bench_t *self)
{
    const uint64_t wanted = self->last_ns * 2;
    const uint64_t window_ns = self->cluster->terms->window_s * SECOND_NS;
    uint64_t quiet_ns = wanted > QUIET_MIN_NS ? wanted : QUIET_MIN_NS;
    quiet_ns = quiet_ns > window_ns ? quiet_ns : window_ns;
    probe_stream_restart(&self->cluster->probes);
    self->quiet_from_ns = clock_wall_ns();
    return probe(self, self->quiet_from_ns + quiet_ns, NULL, NULL);
}

/* The window behind the trigger, and the answers. */
static oc_err_t run_rest(bench_t *self, const round_t *round)
{
    const uint64_t window_ns = self->cluster->terms->window_s * SECOND_NS;
    oc_err_t err = probe(self, round->begin_ns + window_ns, NULL, NULL);
    if (err == OC_ERR_OK)
        err = probe_stream_drain(&self->cluster->probes, DRAIN_NS);
    self->last_ns = round->end_ns - round->begin_ns;
    return err;
}

/* ---- Kinds of snapshot ---- */

static oc_err_t take_image(bench_t *self, round_t *round)
{
    image_request_t request;
    image_facts_t facts;
    oc_err_t err = image_request_start(&request, self->leader_dir, "snapshot full");
    if (err != OC_ERR_OK)
        return err;
    err = probe(self, UINT64_MAX, image_request_done, &request);
    const oc_err_t answer = image_request_finish(&request, &facts);
    if (err == OC_ERR_OK)
        err = answer;
    if (err != OC_ERR_OK)
        return err;
    self->result->image_bytes = facts.bytes;
    *round = (round_t){.begin_ns = facts.begin_ns,
                       .end_ns = facts.begin_ns + facts.commit_ns,
                       .service_ms = (double)facts.pause_ns / 1e6};
    return OC_ERR_OK;
}

/* How long the leader's service took to answer the action. */
static oc_err_t ask_service(const bench_t *self, round_t *round)
{
    member_state_t state;
    const oc_err_t err = member_state_ask(self->leader_dir, &state, ASK_NS);
    round->service_ms = (double)state.snapshot_ns / 1e6;
    return err;
}

static oc_err_t take_official(bench_t *self, round_t *round)
{
    module_snapshot_t snapshot;
    oc_err_t err = module_snapshot_start(&snapshot, self->aeron_dir);
    if (err != OC_ERR_OK)
        return err;
    err = probe(self, UINT64_MAX, module_snapshot_done, &snapshot);
    const oc_err_t taken = module_snapshot_finish(&snapshot);
    *round = (round_t){.begin_ns = snapshot.trigger_ns, .end_ns = snapshot.recorded_ns};
    return err == OC_ERR_OK ? taken : err;
}

/* ---- Rounds ---- */

static void note(const bench_t *self, const round_t *round, rounds_t *rounds, uint32_t i)
{
    const probe_stream_t *probes = &self->cluster->probes;
    const uint64_t window_ns = self->cluster->terms->window_s * SECOND_NS;
    const uint64_t window_end_ns = round->begin_ns + window_ns;
    probe_window_t before, during, all;
    probe_stream_between(probes, round->begin_ns, round->end_ns, &during);
    probe_stream_between(probes, round->begin_ns,
                         round->end_ns > window_end_ns ? round->end_ns : window_end_ns, &all);
    probe_stream_before(probes, self->quiet_from_ns, round->begin_ns, during.count, &before);
    rounds->before_p99[i] = (double)before.p99_ns / 1e6;
    rounds->before[i] = (double)before.worst_ns / 1e6;
    rounds->during_p99[i] = (double)during.p99_ns / 1e6;
    rounds->during[i] = (double)during.worst_ns / 1e6;
    rounds->more[i] = rounds->during[i] - rounds->before[i];
    rounds->more_p99[i] = rounds->during_p99[i] - rounds->before_p99[i];
    rounds->stall[i] = (double)all.worst_ns / 1e6;
    rounds->service[i] = round->service_ms;
    rounds->took[i] = (double)(round->end_ns - round->begin_ns) / 1e6;
    rounds->probes = during.count;
}

static void summarise(rounds_t *rounds, uint32_t count, bench_stall_kind_t *kind)
{
    *kind = (bench_stall_kind_t){
        .before_p99_ms = timed_run_median(rounds->before_p99, count),
        .before_worst_ms = timed_run_median(rounds->before, count),
        .during_p99_ms = timed_run_median(rounds->during_p99, count),
        .during_worst_ms = timed_run_median(rounds->during, count),
        .more_ms = timed_run_median(rounds->more, count),
        .more_p99_ms = timed_run_median(rounds->more_p99, count),
        .stall_ms = timed_run_median(rounds->stall, count),
        .service_ms = timed_run_median(rounds->service, count),
        .took_ms = timed_run_median(rounds->took, count),
        .probes = rounds->probes,
    };
}

typedef oc_err_t (*take_t)(bench_t *self, round_t *round);

static oc_err_t run_round(bench_t *self, take_t take, round_t *round)
{
    oc_err_t err = run_quiet(self);
    if (err == OC_ERR_OK)
        err = take(self, round);
    if (err == OC_ERR_OK)
        err = run_rest(self, round);
    if (err == OC_ERR_OK && take == take_official)
        err = ask_service(self, round);
    return err;
}

static oc_err_t run_rounds(bench_t *self, take_t take, bench_stall_kind_t *kind)
{
    const uint32_t count = self->cluster->terms->rounds;
    round_t round;
    rounds_t rounds;
    oc_err_t err = run_round(self, take, &round); /* warms up */
    for (uint32_t i = 0; err == OC_ERR_OK && i < count; i++) {
        err = run_round(self, take, &round);
        if (err == OC_ERR_OK)
            note(self, &round, &rounds, i);
    }
    if (err == OC_ERR_OK)
        summarise(&rounds, count, kind);
    return err;
}

/* ---- The whole ---- */

static oc_err_t open_probes(bench_t *self)
{
    oc_err_t err = measured_cluster_find_leader(self->cluster);
    if (err != OC_ERR_OK)
        return err;
    measured_cluster_member(self->cluster, self->cluster->leader, self->leader_dir);
    err = measured_cluster_aeron_dir(self->cluster, self->cluster->leader, self->aeron_dir,
                                     sizeof self->aeron_dir);
    return err == OC_ERR_OK ? measured_cluster_probes(self->cluster, PROBES_S) : err;
}

static oc_err_t measure_usual(bench_t *self)
{
    probe_window_t window;
    oc_err_t err = run_quiet(self);
    const uint64_t from_ns = clock_wall_ns();
    if (err == OC_ERR_OK)
        err = probe(self, from_ns + SECOND_NS, NULL, NULL);
    if (err == OC_ERR_OK)
        err = probe_stream_drain(&self->cluster->probes, DRAIN_NS);
    if (err != OC_ERR_OK)
        return err;
    probe_stream_between(&self->cluster->probes, from_ns, UINT64_MAX, &window);
    self->result->usual_p99_ms = (double)window.p99_ns / 1e6;
    return OC_ERR_OK;
}

static oc_err_t measure_archive(bench_t *self)
{
    probe_stream_fini(&self->cluster->probes);
    oc_err_t err = measured_cluster_snapshot_kind(self->cluster, "archive");
    if (err == OC_ERR_OK)
        err = open_probes(self);
    return err == OC_ERR_OK ? run_rounds(self, take_official, &self->result->archive) : err;
}

static oc_err_t measure(measured_cluster_t *cluster, void *context)
{
    bench_t *self = context;
    bench_stall_result_t *result = self->result;
    self->cluster = cluster;
    oc_err_t err = measured_cluster_fill(cluster, &result->fill_per_s);
    if (err == OC_ERR_OK)
        err = open_probes(self);
    if (err == OC_ERR_OK)
        err = measure_usual(self);
    if (err == OC_ERR_OK)
        err = run_rounds(self, take_image, &result->image);
    if (err == OC_ERR_OK)
        err = run_rounds(self, take_official, &result->manifest);
    if (err == OC_ERR_OK && self->archive)
        err = measure_archive(self);
    result->unanswered = cluster->probes.count - cluster->probes.answered;
    return err;
}

oc_err_t bench_stall(const cluster_terms_t *terms, bool archive, bench_stall_result_t *result)
{
    bench_t self = {.result = result, .archive = archive};
    memset(result, 0, sizeof *result);
    return cluster_bench_run(terms, measure, &self);
}

/* ---- The peer ---- */

static oc_err_t peer_stall(peer_cluster_t *peer)
{
    const cluster_terms_t *terms = peer->terms;
    char rate[32], snapshots[32], every[32], dir[128];
    const uint64_t count = terms->rounds + 1; /* the first warms up */
    (void)snprintf(rate, sizeof rate, "--rate=%" PRIu64, terms->rate_per_s);
    (void)snprintf(snapshots, sizeof snapshots, "--snapshots=%" PRIu64, count);
    (void)snprintf(every, sizeof every, "--every=%" PRIu64, terms->window_s);
    (void)snprintf(dir, sizeof dir, "--nodeAeronDir=%s", peer->aeron);
    const char *const options[] = {rate, snapshots, every, dir, NULL};
    const uint64_t limit_s = (count + 1) * (terms->window_s + PEER_WARM_S) + PEER_SLACK;
    return peer_cluster_load(peer, "stall", options, (int64_t)(limit_s * SECOND_NS));
}

static oc_err_t read_peer(peer_cluster_t *peer, bench_stall_peer_t *result)
{
    peer_report_t *report = &peer->report;
    peer_cluster_listen(peer);
    if (report->snapshots < 2 || report->takes < 2 || report->unfinished > 0)
        return error_set(OC_ERR_FORMAT,
                         "of the peer's snapshots %zu were told, %zu takes, %" PRIu64
                         " not recorded in time: give it a longer --window-s",
                         report->snapshots, report->takes, report->unfinished);
    *result = (bench_stall_peer_t){
        .fill_per_s = report->fill_per_s,
        .stall_ms = timed_run_median(report->stall_ms + 1, report->snapshots - 1),
        .recorded_ms = timed_run_median(report->recorded_ms + 1, report->snapshots - 1),
        .take_ms = timed_run_median(report->take_ms + 1, report->takes - 1),
        .usual_p50_ms = report->rtt_p50_us / 1e3,
        .lost = report->lost,
    };
    return OC_ERR_OK;
}

static oc_err_t measure_peer(peer_cluster_t *peer, void *context)
{
    oc_err_t err = peer_cluster_fill(peer);
    if (err == OC_ERR_OK)
        err = peer_stall(peer);
    return err == OC_ERR_OK ? read_peer(peer, context) : err;
}

oc_err_t bench_stall_peer(const cluster_terms_t *terms, bench_stall_peer_t *result)
{
    memset(result, 0, sizeof *result);
    return cluster_bench_run_peer(terms, measure_peer, result);
}
