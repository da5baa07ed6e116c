/*
 * The terms of a bench of clusters. Called by `outcry bench stall`, `restart`, `failover`, `rtt`.
 *
 * Invariant: what is printed as configuration is what both sides are given.
 */
#define _GNU_SOURCE
#include "cli/bench_terms.h"

#include "base/assert.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char bench_terms_help[] =
    "  --dir DIR            where; the device under it is what is measured (required)\n"
    "  --peer FOLDER        run the cluster of the run.sh in FOLDER under the same terms too, and\n"
    "                       print ratios; it is built in DIR/peer, which stays\n"
    "  --members N          1 or 3 (and up to 9)\n"
    "  --orders N           resting orders, through ingress (100000)\n"
    "  --rate N             probes a second: orders that match nothing (2000)\n"
    "  --sync N             file sync level of archive and module: 0, 1 or 2 (0)\n"
    "  --idle S             of all agents: backoff, yield or spin (backoff)\n"
    "  --heartbeat-ms N     after so long without a leader's word an election begins (2000)\n"
    "  --election-ms N      how long each step of it may take (500)\n"
    "  --heap-mb N          of each JVM (2048)\n"
    "  --gc NAME            its collector: ParallelGC, G1GC, SerialGC (ParallelGC)\n"
    "  --json               one JSON object instead of lines and table\n";

static const char *const idle_names[] = {"backoff", "yield", "spin", NULL};

void bench_terms_init(bench_terms_t *self, const char *bench, uint64_t members)
{
    memset(self, 0, sizeof *self);
    self->bench = bench;
    self->members = members;
    self->orders = 100000;
    self->rate = 2000;
    self->rounds = 3;
    self->heartbeat_ms = 2000;
    self->election_ms = 500;
    self->heap_mb = 2048;
    self->gc = "ParallelGC";
    self->window_s = 4;
    self->window = 1024;
    self->seconds = 10;
}

static void set_terms(bench_terms_t *self)
{
    self->terms = (cluster_terms_t){
        .dir = self->dir,
        .program = getenv("OUTCRY_BENCH_PROGRAM"),
        .peer = self->peer,
        .members = (uint32_t)self->members,
        .orders = (uint32_t)self->orders,
        .rate_per_s = self->rate,
        .rounds = (uint32_t)self->rounds,
        .sync_level = self->sync,
        .heartbeat_ms = self->heartbeat_ms,
        .election_ms = self->election_ms,
        .heap_mb = self->heap_mb,
        .gc = self->gc,
        .idle = idle_names[self->idle],
        .window_s = self->window_s,
        .window = self->window,
        .seconds = self->seconds,
    };
}

int bench_terms_read(bench_terms_t *self, int argc, char **argv, const option_t *extra,
                     size_t count, const char *usage)
{
    option_t table[13 + BENCH_TERMS_EXTRA_MAX] = {
        option_text("dir", &self->dir),
        option_text("peer", &self->peer),
        option_number("members", &self->members, 1, MEMBER_COUNT_MAX),
        option_number("orders", &self->orders, 1000, 50000000),
        option_number("rate", &self->rate, 1, 1000000),
        option_number("rounds", &self->rounds, 1, 31),
        option_number("sync", &self->sync, 0, 2),
        option_choice("idle", &self->idle, idle_names),
        option_number("heartbeat-ms", &self->heartbeat_ms, 500, 60000),
        option_number("election-ms", &self->election_ms, 100, 60000),
        option_number("heap-mb", &self->heap_mb, 128, 1 << 20),
        option_text("gc", &self->gc),
        option_flag("json", &self->json, true),
    };
    char problem[128];
    OC_ASSERT(count <= BENCH_TERMS_EXTRA_MAX);
    for (size_t i = 0; i < count; i++)
        table[13 + i] = extra[i];
    options_t parser = {.table = table, .count = 13 + count, .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        (void)printf("%s%s\nExit status: 0; 1 when something failed.\n", usage, bench_terms_help);
        return 0;
    }
    if (!self->dir) {
        (void)snprintf(problem, sizeof problem, "%s: --dir is missing; see outcry bench %s --help",
                       self->bench, self->bench);
        return subcommand_usage("bench", problem);
    }
    set_terms(self);
    return -1;
}

bool bench_terms_begin(bench_terms_t *self)
{
    char flags[512];
    const cluster_terms_t *terms = &self->terms;
    figures_t *figures = &self->figures;
    cluster_terms_jvm_flags(terms, flags, sizeof flags);
    figures_host(figures);
    figures_text(figures, "bench", self->bench);
    figures_whole(figures, "members", terms->members);
    figures_whole(figures, "orders", terms->orders);
    figures_whole(figures, "rate", terms->rate_per_s);
    figures_whole(figures, "rounds", terms->rounds);
    figures_whole(figures, "sync_level", terms->sync_level);
    figures_text(figures, "idle", terms->idle);
    figures_whole(figures, "heartbeat_timeout_ms", terms->heartbeat_ms);
    figures_whole(figures, "election_timeout_ms", terms->election_ms);
    figures_text(figures, "jvm_flags", flags);
    bench_host_time(&self->begin);
    return bench_terms_tell(self);
}

bool bench_terms_tell(bench_terms_t *self)
{
    if (self->json)
        return true;
    figures_print(&self->figures, self->printed, stdout);
    self->printed = self->figures.count;
    return subcommand_flush();
}

int bench_terms_end(bench_terms_t *self, bool ok)
{
    bench_host_time_t end;
    double load[1] = {0};
    bench_host_time(&end);
    (void)getloadavg(load, 1);
    figures_number(&self->figures, "load_average_end", load[0], 2);
    figures_number(&self->figures, "steal_pct", bench_host_steal_pct(&self->begin, &end), 2);
    (void)bench_terms_tell(self);
    if (self->json)
        figures_print_json(&self->figures, stdout);
    return subcommand_flush() && ok ? 0 : EXIT_STATUS_FAILED;
}

void bench_terms_ratio(bench_terms_t *self, const char *name, double ours, double theirs)
{
    figures_number(&self->figures, name, ours / theirs, 3);
}
