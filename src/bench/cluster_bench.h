/*
 * The frame of a bench of clusters: a cluster under the terms, started, measured and gone. Ours and
 * the peer's have the same frame, so that neither is measured with what the other has not.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_CLUSTER_BENCH_H
#define BENCH_CLUSTER_BENCH_H

#include "bench/measured_cluster.h"
#include "bench/peer_cluster.h"

/* What a bench does with a cluster whose members have all joined; its book is empty. `context` is
 * the bench's own. */
typedef oc_err_t (*cluster_bench_measure_t)(measured_cluster_t *cluster, void *context);
typedef oc_err_t (*cluster_bench_measure_peer_t)(peer_cluster_t *peer, void *context);

/* Errors: measured_cluster_init(), measured_cluster_start(); what `measure` returns;
 * OC_ERR_INTERRUPTED. */
OC_MUST_CHECK oc_err_t cluster_bench_run(const cluster_terms_t *terms,
                                         cluster_bench_measure_t measure, void *context);

/* Errors: peer_cluster_init(), peer_cluster_start_all(); what `measure` returns;
 * OC_ERR_INTERRUPTED. */
OC_MUST_CHECK oc_err_t cluster_bench_run_peer(const cluster_terms_t *terms,
                                              cluster_bench_measure_peer_t measure, void *context);

#endif
