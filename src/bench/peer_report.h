/*
 * What a peer says of itself, as figures: the lines of a load client and of nodes of another make
 * that is run beside ours (its documents say what each figure means).
 */
#ifndef BENCH_PEER_REPORT_H
#define BENCH_PEER_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PEER_REPORT_SNAPSHOTS 32

/* What was not said is 0. */
typedef struct peer_report {
    double fill_per_s; /* orders acknowledged */
    double throughput_per_s;
    uint64_t lost;     /* sent, and never answered; of all runs */
    double rtt_p50_us; /* of the last run of round trips or of stalls */
    double rtt_p99_us;
    double rtt_p999_us;
    double rtt_max_us;
    double gap_ms; /* the longest between two answers */
    size_t snapshots;
    double stall_ms[PEER_REPORT_SNAPSHOTS]; /* worst latency in the window of each */
    double recorded_ms[PEER_REPORT_SNAPSHOTS];
    size_t takes; /* of its nodes, as they were read */
    double take_ms[PEER_REPORT_SNAPSHOTS];
    double loaded_ms;    /* of the last snapshot loaded */
    uint64_t unfinished; /* snapshots that were not recorded in their window */
} peer_report_t;

/* Takes a line; false: it says nothing that is counted. */
bool peer_report_line(peer_report_t *self, const char *line);

#endif
