/*
 * `outcry bench stall`: reads options and prints; what is measured, and how, is in
 * src/bench/bench_stall.c. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "bench/bench_stall.h"
#include "cli/bench_terms.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>

static const char stall_help[] =
    "usage: outcry bench stall --dir DIR [OPTION]...\n"
    "\n"
    "Starts a cluster on this machine, fills its book, sends probes on a fixed schedule, and has\n"
    "snapshots taken meanwhile: full images of the leader, then official snapshots of the "
    "cluster,\n"
    "answered with a manifest. Latency counts from the intended time of each probe. Medians of "
    "the\n"
    "rounds, the first of each kind not counted.\n"
    "\n"
    "  before, during   worst latency of the probes due from the begin to the end of a snapshot,\n"
    "                   and of as many just before\n"
    "  more             the difference within each round\n"
    "  stall            worst latency of those due within the window behind the begin\n"
    "  service          the service's own part: the pause of an image, the answer to an official\n"
    "                   snapshot; rest: what the module and Aeron add to the stall\n"
    "  took             from the begin to the commit, from the trigger to the record\n"
    "\n"
    "  --members N          of the cluster, each a process and a JVM on this machine, 1 to 9 (1)\n"
    "  --rounds N           snapshots of each kind that count, 1 to 31 (3)\n"
    "  --window-s N         how many seconds behind the trigger latency is looked at, 1 to 60 (4)\n"
    "  --archive            official snapshots with the whole state in the archive as well\n";

static void add_kind(bench_terms_t *self, const char *kind, const bench_stall_kind_t *result)
{
    bench_terms_number(self, kind, "before_p99_ms", result->before_p99_ms, 3);
    bench_terms_number(self, kind, "before_worst_ms", result->before_worst_ms, 3);
    bench_terms_number(self, kind, "during_p99_ms", result->during_p99_ms, 3);
    bench_terms_number(self, kind, "during_worst_ms", result->during_worst_ms, 3);
    bench_terms_number(self, kind, "more_p99_ms", result->more_p99_ms, 3);
    bench_terms_number(self, kind, "more_worst_ms", result->more_ms, 3);
    bench_terms_number(self, kind, "stall_ms", result->stall_ms, 3);
    bench_terms_number(self, kind, "service_ms", result->service_ms, 3);
    bench_terms_number(self, kind, "rest_ms", result->stall_ms - result->service_ms, 3);
    bench_terms_number(self, kind, "took_ms", result->took_ms, 3);
    bench_terms_whole(self, kind, "probes", result->probes);
}

static void add_ours(bench_terms_t *self, const bench_stall_result_t *result, bool archive)
{
    figures_t *figures = &self->figures;
    figures_number(figures, "fill_per_s", result->fill_per_s, 0);
    figures_number(figures, "usual_p99_ms", result->usual_p99_ms, 3);
    figures_whole(figures, "image_bytes", result->image_bytes);
    add_kind(self, "image_", &result->image);
    add_kind(self, "manifest_", &result->manifest);
    if (archive)
        add_kind(self, "archive_", &result->archive);
    figures_whole(figures, "unanswered", result->unanswered);
}

static void add_peer(bench_terms_t *self, const bench_stall_result_t *ours,
                     const bench_stall_peer_t *peer)
{
    figures_t *figures = &self->figures;
    figures_number(figures, "peer_fill_per_s", peer->fill_per_s, 0);
    figures_number(figures, "peer_usual_p50_ms", peer->usual_p50_ms, 3);
    figures_number(figures, "peer_stall_ms", peer->stall_ms, 3);
    figures_number(figures, "peer_take_ms", peer->take_ms, 3);
    figures_number(figures, "peer_rest_ms", peer->stall_ms - peer->take_ms, 3);
    figures_number(figures, "peer_took_ms", peer->recorded_ms, 3);
    figures_whole(figures, "peer_lost", peer->lost);
    bench_terms_ratio(self, "ratio_stall", ours->manifest.stall_ms, peer->stall_ms);
    bench_terms_ratio(self, "ratio_service", ours->manifest.service_ms, peer->take_ms);
    bench_terms_ratio(self, "ratio_took", ours->manifest.took_ms, peer->recorded_ms);
}

static void print_row(const bench_terms_t *self, const char *what, const bench_stall_kind_t *kind)
{
    printf("| %" PRIu32 " | %" PRIu32 " | %" PRIu64 " | %s | %.2f | %.2f | %.2f | %.2f | %.2f |\n",
           self->terms.members, self->terms.orders, self->terms.sync_level, what, kind->service_ms,
           kind->stall_ms, kind->stall_ms - kind->service_ms, kind->before_worst_ms, kind->took_ms);
}

static void print_table(const bench_terms_t *self, const bench_stall_result_t *ours, bool archive,
                        const bench_stall_peer_t *peer)
{
    if (self->json)
        return;
    printf("\n| members | book | sync | snapshot | service ms | client stall ms | rest ms | "
           "usual worst ms | took ms |\n|---|---|---|---|---|---|---|---|---|\n");
    print_row(self, "image", &ours->image);
    print_row(self, "official, manifest", &ours->manifest);
    if (archive)
        print_row(self, "official, archive", &ours->archive);
    if (self->terms.peer)
        printf("| %" PRIu32 " | %" PRIu32 " | %" PRIu64
               " | peer | %.2f | %.2f | %.2f | (p50 %.2f) | %.2f |\n",
               self->terms.members, self->terms.orders, self->terms.sync_level, peer->take_ms,
               peer->stall_ms, peer->stall_ms - peer->take_ms, peer->usual_p50_ms,
               peer->recorded_ms);
    printf("\n");
}

int bench_stall_main(int argc, char **argv)
{
    bench_terms_t self;
    bench_stall_result_t ours;
    bench_stall_peer_t peer = {0};
    bool archive = false;
    bench_terms_init(&self, "stall", 1);
    const option_t extra[] = {
        option_number("window-s", &self.terms.window_s, 1, 60),
        option_flag("archive", &archive, true),
    };
    const int status =
        bench_terms_read(&self, argc, argv, extra, sizeof extra / sizeof extra[0], stall_help);
    if (status >= 0)
        return status;
    if (!bench_terms_begin(&self))
        return EXIT_STATUS_FAILED;
    if (bench_stall(&self.terms, archive, &ours) != OC_ERR_OK)
        return subcommand_failed();
    add_ours(&self, &ours, archive);
    if (!bench_terms_tell(&self))
        return EXIT_STATUS_FAILED;
    if (self.terms.peer) {
        if (bench_stall_peer(&self.terms, &peer) != OC_ERR_OK)
            return subcommand_failed();
        add_peer(&self, &ours, &peer);
    }
    print_table(&self, &ours, archive, &peer);
    return bench_terms_end(&self, ours.unanswered == 0);
}
