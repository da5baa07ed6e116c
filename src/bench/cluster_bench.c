/*
 * A cluster for the length of a bench. Called by the benches of stalls, restarts, failovers and
 * round trips.
 *
 * Invariants: whatever fails, no process and no file of the cluster is left; what fails behind a
 * signal that is to end this process fails because of it, for a terminal sends that to members too.
 * It must not measure: the benches do.
 */
#include "bench/cluster_bench.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/process_signals.h"

#include <stdio.h>

/* What ended a bench, as it is told when all is tidied up. */
typedef struct ending {
    oc_err_t err;
    char context[512];
} ending_t;

static void note(ending_t *self, oc_err_t err)
{
    self->err = err;
    (void)snprintf(self->context, sizeof self->context, "%s", oc_err_context());
}

static oc_err_t told(const ending_t *self)
{
    return process_check_interrupted(
        self->err == OC_ERR_OK ? OC_ERR_OK : error_set(self->err, "%s", self->context));
}

oc_err_t cluster_bench_run(const cluster_terms_t *terms, cluster_bench_measure_t measure,
                           void *context)
{
    measured_cluster_t cluster;
    ending_t ending;
    OC_ASSERT(terms->rounds >= 1 && terms->rounds <= CLUSTER_ROUNDS_MAX);
    oc_err_t err = measured_cluster_init(&cluster, terms);
    if (err == OC_ERR_OK)
        err = measured_cluster_start(&cluster);
    if (err == OC_ERR_OK)
        err = measure(&cluster, context);
    note(&ending, err);
    measured_cluster_fini(&cluster);
    return told(&ending);
}

oc_err_t cluster_bench_run_peer(const cluster_terms_t *terms, cluster_bench_measure_peer_t measure,
                                void *context)
{
    peer_cluster_t peer;
    ending_t ending;
    OC_ASSERT(terms->rounds >= 1 && terms->rounds <= CLUSTER_ROUNDS_MAX);
    oc_err_t err = peer_cluster_init(&peer, terms);
    if (err == OC_ERR_OK)
        err = peer_cluster_start_all(&peer);
    if (err == OC_ERR_OK)
        err = measure(&peer, context);
    note(&ending, err);
    peer_cluster_fini(&peer);
    return told(&ending);
}
