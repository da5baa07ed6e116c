/*
 * `outcry bench rtt`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_rtt.c. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "bench/bench_rtt.h"
#include "cli/bench_terms.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>

static const char rtt_help[] =
    "usage: outcry bench rtt --dir DIR [OPTION]...\n"
    "\n"
    "Starts a cluster on this machine, fills its book, and sends orders that match nothing: as "
    "many\n"
    "as --window allows unanswered (throughput), then at a fixed rate (latency from the intended\n"
    "time). throughput: one order in a message, as the peer's client has it; together: several, "
    "as\n"
    "our client does by itself.\n"
    "\n"
    "  --members N          of the cluster, each a process and a JVM on this machine, 1 to 9 (1)\n"
    "  --window N           orders that may be unanswered at a time, for throughput, 1 to 16384\n"
    "                       (1024)\n"
    "  --seconds N          how many seconds round trips are measured for, 1 to 3600 (10)\n";

_Static_assert(MEASURED_VENUE_WINDOW == 16384, "as the help has it");

/* Not what a side cannot measure: that is 0. */
static void add_known(bench_terms_t *self, const char *whose, const char *name, double value,
                      int decimals)
{
    if (value > 0)
        bench_terms_number(self, whose, name, value, decimals);
}

static void add_figures(bench_terms_t *self, const char *whose, const bench_rtt_result_t *result)
{
    add_known(self, whose, "fill_per_s", result->fill_per_s, 0);
    add_known(self, whose, "throughput_per_s", result->throughput_per_s, 0);
    add_known(self, whose, "together_per_s", result->together_per_s, 0);
    add_known(self, whose, "rtt_p50_us", result->p50_us, 1);
    add_known(self, whose, "rtt_p99_us", result->p99_us, 1);
    add_known(self, whose, "rtt_p999_us", result->p999_us, 1);
    add_known(self, whose, "rtt_worst_us", result->worst_us, 1);
    bench_terms_whole(self, whose, "lost", result->lost);
}

static void add_ratios(bench_terms_t *self, const bench_rtt_result_t *ours,
                       const bench_rtt_result_t *peer)
{
    bench_terms_ratio(self, "ratio_rtt_p50", ours->p50_us, peer->p50_us);
    bench_terms_ratio(self, "ratio_rtt_p99", ours->p99_us, peer->p99_us);
    bench_terms_ratio(self, "ratio_rtt_p999", ours->p999_us, peer->p999_us);
    bench_terms_ratio(self, "ratio_throughput", ours->throughput_per_s, peer->throughput_per_s);
    bench_terms_ratio(self, "ratio_fill", ours->fill_per_s, peer->fill_per_s);
}

static void print_row(const bench_terms_t *self, const char *who, const bench_rtt_result_t *result)
{
    printf("| %s | %" PRIu32 " | %" PRIu64 " | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n", who,
           self->terms.members, self->terms.sync_level, result->fill_per_s,
           result->throughput_per_s, result->together_per_s, result->p50_us, result->p99_us,
           result->p999_us);
}

static void print_table(const bench_terms_t *self, const bench_rtt_result_t *ours,
                        const bench_rtt_result_t *peer)
{
    if (self->json)
        return;
    printf("\n| who | members | sync | fill/s | throughput/s | together/s | p50 us | p99 us | "
           "p99.9 us |\n|---|---|---|---|---|---|---|---|---|\n");
    print_row(self, "outcry", ours);
    if (self->terms.peer)
        print_row(self, "peer", peer);
    printf("\n");
}

int bench_rtt_main(int argc, char **argv)
{
    bench_terms_t self;
    bench_rtt_result_t ours;
    bench_rtt_result_t peer = {0};
    bench_terms_init(&self, "rtt", 1);
    const option_t extra[] = {
        option_number("window", &self.terms.window, 1, MEASURED_VENUE_WINDOW),
        option_number("seconds", &self.terms.seconds, 1, 3600),
    };
    const int status =
        bench_terms_read(&self, argc, argv, extra, sizeof extra / sizeof extra[0], rtt_help);
    if (status >= 0)
        return status;
    if (!bench_terms_begin(&self))
        return EXIT_STATUS_FAILED;
    figures_whole(&self.figures, "window", self.terms.window);
    if (bench_rtt(&self.terms, &ours) != OC_ERR_OK)
        return subcommand_failed();
    add_figures(&self, "", &ours);
    if (!bench_terms_tell(&self))
        return EXIT_STATUS_FAILED;
    if (self.terms.peer) {
        if (bench_rtt_peer(&self.terms, &peer) != OC_ERR_OK)
            return subcommand_failed();
        add_figures(&self, "peer_", &peer);
        add_ratios(&self, &ours, &peer);
    }
    print_table(&self, &ours, &peer);
    return bench_terms_end(&self, ours.lost == 0);
}
