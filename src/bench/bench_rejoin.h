/*
 * `outcry bench restart --members N`: a member killed and started again, until it leads (alone) or
 * follows at the leader's position; and the same of a peer in the same run.
 */
#ifndef BENCH_BENCH_REJOIN_H
#define BENCH_BENCH_REJOIN_H

#include "bench/measured_cluster.h"

/* Medians of the rounds, in milliseconds from the start of the process. */
typedef struct bench_rejoin_result {
    double empty_ms;   /* with the same tables, and nothing in them */
    double full_ms;    /* with the orders */
    double load_ms;    /* of these: loading image or snapshot, as the member tells it */
    uint64_t replayed; /* entries that ours applied by itself, in the last round */
} bench_rejoin_result_t;

/* Errors: those of the cluster and of its clients. */
OC_MUST_CHECK oc_err_t bench_rejoin(const cluster_terms_t *terms, bench_rejoin_result_t *result);
OC_MUST_CHECK oc_err_t bench_rejoin_peer(const cluster_terms_t *terms,
                                         bench_rejoin_result_t *result);

#endif
