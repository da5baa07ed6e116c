/*
 * `outcry bench stall`: what clients of a cluster notice of an image, and of an official snapshot,
 * of a big book; and the same of a peer in the same run.
 */
#ifndef BENCH_BENCH_STALL_H
#define BENCH_BENCH_STALL_H

#include "bench/measured_cluster.h"

/* A kind of snapshot; medians of the rounds, times in milliseconds. */
typedef struct bench_stall_kind {
    double before_p99_ms; /* of as many probes just before */
    double before_worst_ms;
    double during_p99_ms; /* of the probes due from the begin to its end */
    double during_worst_ms;
    double more_ms;     /* worst during less worst before, of the same snapshot */
    double more_p99_ms; /* likewise */
    double stall_ms;    /* worst of those due from the begin to the end of the window */
    double service_ms;  /* images: the pause; official ones: the service's own part */
    double took_ms;     /* to the commit of the image; from trigger to recorded */
    uint64_t probes;    /* due from the begin to its end, in the last round */
} bench_stall_kind_t;

typedef struct bench_stall_result {
    double fill_per_s;
    bench_stall_kind_t image;
    bench_stall_kind_t manifest;
    bench_stall_kind_t archive; /* all 0 if it was not asked for */
    double usual_p99_ms;        /* of a second before the first round */
    uint64_t image_bytes;
    uint64_t unanswered;
} bench_stall_result_t;

/* Of our cluster; `archive`: also with the whole state in the archive. Errors: those of a cluster,
 * of its clients, of a snapshot. */
OC_MUST_CHECK oc_err_t bench_stall(const cluster_terms_t *terms, bool archive,
                                   bench_stall_result_t *result);

typedef struct bench_stall_peer {
    double fill_per_s;
    double stall_ms; /* medians */
    double take_ms;  /* of the leader's service */
    double recorded_ms;
    double usual_p50_ms;
    uint64_t lost;
} bench_stall_peer_t;

/* Of the peer. Errors: those of peer_cluster.h; OC_ERR_FORMAT: its figures were not understood. */
OC_MUST_CHECK oc_err_t bench_stall_peer(const cluster_terms_t *terms, bench_stall_peer_t *result);

#endif
