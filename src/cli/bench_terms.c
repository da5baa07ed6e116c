/*
 * The terms of a bench of clusters. Called by `outcry bench stall`, `restart`, `failover`, `rtt`.
 *
 * Invariant: what is printed as configuration is what both sides are given.
 */
#define _GNU_SOURCE
#include "cli/bench_terms.h"

#include "base/assert.h"
#include "cli/subcommand.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char bench_terms_help[] =
    "  --dir DIR            where; the device under it is what is measured (required)\n"
    "  --peer FOLDER        run the cluster of the run.sh in FOLDER under the same terms too, and\n"
    "                       print ratios; it is built in DIR/peer, which stays\n"
    "  --orders N           orders that rest in the book before anything is measured, put there\n"
    "                       through ingress, 1000 to 50000000 (100000)\n"
    "  --rate N             probes a second, orders that match nothing, 1 to 1000000 (2000)\n"
    "  --sync N             file sync level of archive and module: 0 none, 1 data, 2 all (0)\n"
    "  --idle S             what all agents do when nothing is to be done: backoff, yield or spin\n"
    "                       (backoff)\n"
    "  --heartbeat-ms N     after so many ms without a leader's word an election begins, 500 to\n"
    "                       60000 (2000)\n"
    "  --election-ms N      how many ms each step of it may take, 100 to 60000 (500)\n"
    "  --heap-mb N          heap of each JVM in MiB, from 128 (2048)\n"
    "  --gc NAME            its collector: ParallelGC, G1GC, SerialGC (ParallelGC)\n"
    "  --json               one JSON object instead of lines and table\n";

_Static_assert(MEMBER_COUNT_MAX == 9, "as the helps of the benches have it");
_Static_assert(CLUSTER_ROUNDS_MAX == 31, "likewise");

static const char *const idle_names[] = {"backoff", "yield", "spin", NULL};

void bench_terms_init(bench_terms_t *self, const char *bench, uint64_t members)
{
    memset(self, 0, sizeof *self);
    self->bench = bench;
    self->members = members;
    self->orders = 100000;
    self->rounds = 3;
    self->terms = (cluster_terms_t){
        .program = getenv("OUTCRY_BENCH_PROGRAM"),
        .rate_per_s = 2000,
        .heartbeat_ms = 2000,
        .election_ms = 500,
        .heap_mb = 2048,
        .gc = "ParallelGC",
        .window_s = 4,
        .window = 1024,
        .seconds = 10,
    };
}

/* Looked at now, and not only when our own side has been measured. */
static bool has_script(const bench_terms_t *self, char *problem, size_t size)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/run.sh", self->terms.peer);
    if (access(path, R_OK) == 0)
        return true;
    (void)snprintf(problem, size, "%s: --peer: %.300s: %s", self->bench, path, strerror(errno));
    return false;
}

int bench_terms_read(bench_terms_t *self, int argc, char **argv, const option_t *extra,
                     size_t count, const char *usage)
{
    cluster_terms_t *terms = &self->terms;
    const option_t common[] = {
        option_text("dir", &terms->dir),
        option_text("peer", &terms->peer),
        option_number("members", &self->members, 1, MEMBER_COUNT_MAX),
        option_number("orders", &self->orders, 1000, 50000000),
        option_number("rate", &terms->rate_per_s, 1, 1000000),
        option_number("rounds", &self->rounds, 1, CLUSTER_ROUNDS_MAX),
        option_number("sync", &terms->sync_level, 0, 2),
        option_choice("idle", &self->idle, idle_names),
        option_number("heartbeat-ms", &terms->heartbeat_ms, 500, 60000),
        option_number("election-ms", &terms->election_ms, 100, 60000),
        option_number("heap-mb", &terms->heap_mb, 128, 1 << 20),
        option_text("gc", &terms->gc),
        option_flag("json", &self->json, true),
    };
    enum { COMMON = sizeof common / sizeof common[0] };
    option_t table[COMMON + BENCH_TERMS_EXTRA_MAX];
    char problem[512];
    OC_ASSERT(count <= BENCH_TERMS_EXTRA_MAX);
    memcpy(table, common, sizeof common);
    for (size_t i = 0; i < count; i++)
        table[COMMON + i] = extra[i];
    options_t parser = {.table = table, .count = COMMON + count, .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("bench", parser.error);
    if (parser.help) {
        (void)printf("%s%s\nExit status: 0; 1 when something failed, 2 for a wrong command line.\n",
                     usage, bench_terms_help);
        return 0;
    }
    if (!terms->dir) {
        (void)snprintf(problem, sizeof problem, "%s: --dir is missing; see outcry bench %s --help",
                       self->bench, self->bench);
        return subcommand_usage("bench", problem);
    }
    if (terms->peer && !has_script(self, problem, sizeof problem))
        return subcommand_usage("bench", problem);
    terms->members = (uint32_t)self->members;
    terms->orders = (uint32_t)self->orders;
    terms->rounds = (uint32_t)self->rounds;
    terms->idle = idle_names[self->idle];
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

void bench_terms_number(bench_terms_t *self, const char *whose, const char *name, double value,
                        int decimals)
{
    char whole[FIGURES_NAME];
    (void)snprintf(whole, sizeof whole, "%s%s", whose, name);
    figures_number(&self->figures, whole, value, decimals);
}

void bench_terms_whole(bench_terms_t *self, const char *whose, const char *name, uint64_t value)
{
    char whole[FIGURES_NAME];
    (void)snprintf(whole, sizeof whole, "%s%s", whose, name);
    figures_whole(&self->figures, whole, value);
}

void bench_terms_ratio(bench_terms_t *self, const char *name, double ours, double theirs)
{
    figures_number(&self->figures, name, ours / theirs, 3);
}
