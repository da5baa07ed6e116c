/*
 * `outcry bench snapshot`: what a snapshot of a big book costs those who trade meanwhile. A node
 * with its book filled through ingress, probes at a steady rate, snapshots on request.
 */
#ifndef BENCH_BENCH_SNAPSHOT_H
#define BENCH_BENCH_SNAPSHOT_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

#define BENCH_SNAPSHOT_ROUNDS_MAX 31

typedef struct bench_snapshot_options {
    const char *dir;     /* borrowed; a folder is made in it, and removed again */
    const char *program; /* borrowed; NULL: this very program */
    uint32_t orders;     /* resting */
    uint64_t rate_per_s; /* of the probes */
    uint32_t rounds;     /* 1..BENCH_SNAPSHOT_ROUNDS_MAX; medians are told */
    const char *sync;    /* borrowed; of the node: "always", "none" */
    int node_cpu;        /* processor of the node's core and driver; -1: any */
    int background_cpu;  /* of its journal's writer and its sweeper; -1: any */
    int client_cpu;      /* of the probes; -1: any */
    const char *idle;    /* borrowed; of the node: "backoff", "yield" or "spin" */
} bench_snapshot_options_t;

/* Medians of the rounds. */
typedef struct bench_snapshot_result {
    double fill_s; /* how long it took to fill the book */
    double pause_ns;
    double sweep_ms;
    double background_ms; /* from the begin to the committed image */
    double before_p99_us; /* of as many probes just before the begin as were due in between */
    double before_worst_us;
    double during_p99_us; /* of the probes due from the begin to the commit */
    double during_worst_us;
    double more_p99_us; /* during less before, of the same snapshot */
    double more_worst_us;
    double pages_owner;
    uint64_t probes; /* due between begin and commit, in the last round */
    uint64_t image_bytes;
    uint64_t
        incremental_bytes;  /* of an image right behind a round, with the probes alone between */
    uint64_t log_bytes;     /* that these probes were in the log */
    double restore_warm_ms; /* image and tail into a fresh exchange, out of the page cache */
    double steal_pct;       /* of the rounds, not of the filling */
    uint64_t unanswered;    /* probes; no venue that keeps its promises has any */
} bench_snapshot_result_t;

/* Errors: those of the device, of a node that does not start, of its clients, of a snapshot;
 * OC_ERR_INVALID_CONFIG: too few probes were due while a snapshot was made to say anything. */
OC_MUST_CHECK oc_err_t bench_snapshot(const bench_snapshot_options_t *options,
                                      bench_snapshot_result_t *result);

#endif
