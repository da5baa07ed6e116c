/*
 * A cluster for the length of a bench. Called by the benches of stalls, restarts, failovers and
 * round trips.
 *
 * Invariant: whatever fails, no process and no file of the cluster is left. It must not measure:
 * the benches do.
 */
#include "bench/cluster_bench.h"

#include "base/assert.h"

oc_err_t cluster_bench_run(const cluster_terms_t *terms, cluster_bench_measure_t measure,
                           void *context)
{
    measured_cluster_t cluster;
    OC_ASSERT(terms->rounds >= 1 && terms->rounds <= CLUSTER_ROUNDS_MAX);
    oc_err_t err = measured_cluster_init(&cluster, terms);
    if (err == OC_ERR_OK)
        err = measured_cluster_start(&cluster);
    if (err == OC_ERR_OK)
        err = measure(&cluster, context);
    measured_cluster_fini(&cluster);
    return err;
}

oc_err_t cluster_bench_run_peer(const cluster_terms_t *terms, cluster_bench_measure_peer_t measure,
                                void *context)
{
    peer_cluster_t peer;
    OC_ASSERT(terms->rounds >= 1 && terms->rounds <= CLUSTER_ROUNDS_MAX);
    oc_err_t err = peer_cluster_init(&peer, terms);
    if (err == OC_ERR_OK)
        err = peer_cluster_start_all(&peer);
    if (err == OC_ERR_OK)
        err = measure(&peer, context);
    peer_cluster_fini(&peer);
    return err;
}
