/*
 * `outcry bench failover`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_failover.c. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "bench/bench_failover.h"
#include "cli/bench_terms.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>

static const char failover_help[] =
    "usage: outcry bench failover --dir DIR [OPTION]...\n"
    "\n"
    "Starts a cluster of at least three members on this machine, fills its book, sends probes on "
    "a\n"
    "fixed schedule and kills the leader with SIGKILL; once more after each time the killed one "
    "is\n"
    "back. Medians of the rounds.\n"
    "\n"
    "  gap        worst latency of a command from its intended time: how long the client waited\n"
    "  election   from the kill to another module that leads, its election over, as its counters\n"
    "             have it; the most of it is the heartbeat timeout\n"
    "  more       the difference within each round: what client and service add\n"
    "  lost       commands never answered. The client here sends again what was under way; a\n"
    "             peer's does not, so that its gap (the longest time between two answers) is\n"
    "             comparable and its lost commands are not\n"
    "\n"
    "  --members N          of the cluster, each a process and a JVM on this machine, 3 to 9 (3)\n"
    "  --rounds N           leaders killed, one after another, 1 to 31 (3)\n";

static void add_figures(bench_terms_t *self, const char *whose,
                        const bench_failover_result_t *result)
{
    bench_terms_number(self, whose, "gap_ms", result->gap_ms, 1);
    bench_terms_number(self, whose, "worst_gap_ms", result->worst_gap_ms, 1);
    bench_terms_number(self, whose, "election_ms", result->election_ms, 1);
    bench_terms_number(self, whose, "more_ms", result->more_ms, 1);
    bench_terms_whole(self, whose, "lost", result->lost);
    bench_terms_whole(self, whose, "survived", result->survived);
}

static void print_row(const bench_terms_t *self, const char *who,
                      const bench_failover_result_t *result)
{
    printf("| %s | %" PRIu64 " | %.0f | %.0f | %.0f | %.0f | %" PRIu64 " |\n", who,
           self->terms.heartbeat_ms, result->election_ms, result->gap_ms, result->more_ms,
           result->worst_gap_ms, result->lost);
}

int bench_failover_main(int argc, char **argv)
{
    bench_terms_t self;
    bench_failover_result_t ours;
    bench_failover_result_t peer = {0};
    bench_terms_init(&self, "failover", 3);
    const int status = bench_terms_read(&self, argc, argv, NULL, 0, failover_help);
    if (status >= 0)
        return status;
    if (self.terms.members < 3)
        return subcommand_usage("bench", "failover: --members: 3 or more can lose one");
    if (!bench_terms_begin(&self))
        return EXIT_STATUS_FAILED;
    if (bench_failover(&self.terms, &ours) != OC_ERR_OK)
        return subcommand_failed();
    add_figures(&self, "", &ours);
    if (!bench_terms_tell(&self))
        return EXIT_STATUS_FAILED;
    if (self.terms.peer) {
        if (bench_failover_peer(&self.terms, &peer) != OC_ERR_OK)
            return subcommand_failed();
        add_figures(&self, "peer_", &peer);
        if (peer.survived > 0)
            bench_terms_ratio(&self, "ratio_gap", ours.gap_ms, peer.gap_ms);
    }
    if (!self.json) {
        printf("\n| who | heartbeat timeout ms | election ms | client's gap ms | more ms | "
               "worst gap ms | lost |\n|---|---|---|---|---|---|---|\n");
        print_row(&self, "outcry", &ours);
        if (self.terms.peer)
            print_row(&self, "peer", &peer);
        printf("\n");
    }
    return bench_terms_end(&self, ours.lost == 0);
}
