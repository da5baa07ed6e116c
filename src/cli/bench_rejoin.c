/*
 * `outcry bench restart --members N`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_rejoin.c. Called by cli/bench_restart.c.
 */
#define _GNU_SOURCE
#include "bench/bench_rejoin.h"
#include "cli/bench_terms.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>

static const char rejoin_help[] =
    "usage: outcry bench restart --members N --dir DIR [OPTION]...\n"
    "\n"
    "Starts a cluster on this machine; kills a member with SIGKILL (a follower, or the only one),\n"
    "waits until what Aeron takes for signs of life has aged, and measures from the start of its\n"
    "next process until it leads (one member) or follows at the leader's position: with an empty\n"
    "book, then with --orders resting orders and an image of them. Medians of the rounds.\n"
    "difference: with the orders less with none. load: of that, loading the image (here) or the\n"
    "snapshot (the peer), as the member tells it.\n"
    "\n"
    "  --members N          of the cluster, each a process and a JVM on this machine, 1 to 9; it "
    "is\n"
    "                       what tells this bench from that of a node (required)\n"
    "  --rounds N           starts of each kind, with an empty and with a full book, 1 to 31\n"
    "                       (3)\n";

static void add_figures(bench_terms_t *self, const char *whose, const bench_rejoin_result_t *result)
{
    bench_terms_number(self, whose, "restart_empty_ms", result->empty_ms, 1);
    bench_terms_number(self, whose, "restart_ms", result->full_ms, 1);
    bench_terms_number(self, whose, "difference_ms", result->full_ms - result->empty_ms, 1);
    bench_terms_number(self, whose, "load_ms", result->load_ms, 1);
}

static void print_row(const bench_terms_t *self, const char *who,
                      const bench_rejoin_result_t *result)
{
    printf("| %s | %" PRIu32 " | %" PRIu32 " | %.0f | %.0f | %.0f | %.0f |\n", who,
           self->terms.members, self->terms.orders, result->empty_ms, result->full_ms,
           result->full_ms - result->empty_ms, result->load_ms);
}

int bench_rejoin_main(int argc, char **argv)
{
    bench_terms_t self;
    bench_rejoin_result_t ours;
    bench_rejoin_result_t peer = {0};
    bench_terms_init(&self, "restart", 1);
    const int status = bench_terms_read(&self, argc, argv, NULL, 0, rejoin_help);
    if (status >= 0)
        return status;
    if (!bench_terms_begin(&self))
        return EXIT_STATUS_FAILED;
    if (bench_rejoin(&self.terms, &ours) != OC_ERR_OK)
        return subcommand_failed();
    add_figures(&self, "", &ours);
    figures_whole(&self.figures, "replayed", ours.replayed);
    if (!bench_terms_tell(&self))
        return EXIT_STATUS_FAILED;
    if (self.terms.peer) {
        if (bench_rejoin_peer(&self.terms, &peer) != OC_ERR_OK)
            return subcommand_failed();
        add_figures(&self, "peer_", &peer);
        bench_terms_ratio(&self, "ratio_difference", ours.full_ms - ours.empty_ms,
                          peer.full_ms - peer.empty_ms);
        bench_terms_ratio(&self, "ratio_load", ours.load_ms, peer.load_ms);
        bench_terms_ratio(&self, "ratio_restart", ours.full_ms, peer.full_ms);
    }
    if (!self.json) {
        printf("\n| who | members | book | empty ms | restart ms | difference ms | load ms |\n"
               "|---|---|---|---|---|---|---|\n");
        print_row(&self, "outcry", &ours);
        if (self.terms.peer)
            print_row(&self, "peer", &peer);
        printf("\n");
    }
    return bench_terms_end(&self, true);
}
