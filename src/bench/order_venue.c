/*
 * A venue for the length of a bench. Called by `outcry bench order`.
 *
 * Invariants: no process and no file of a venue that was started here is left; one that runs
 * already is left alone. That a cluster's java or jar is missing is found before anything starts.
 * It must not measure: the bench does.
 */
#define _GNU_SOURCE
#include "bench/order_venue.h"

#include "base/assert.h"
#include "base/error.h"
#include "bench/cluster_bench.h"
#include "bench/measured_node.h"
#include "cluster/module_install.h"

#include <limits.h>

typedef struct order_measure {
    order_venue_measure_t call;
    void *context;
} order_measure_t;

static oc_err_t run_node(const order_venue_t *self, const order_measure_t *measure)
{
    measured_node_t node;
    oc_err_t err = measured_node_init(&node, self->dir, "order", self->program);
    if (err == OC_ERR_OK)
        err = measured_node_start(&node, self->node);
    if (err == OC_ERR_OK)
        err = measure->call(node.ingress, measure->context);
    if (err == OC_ERR_OK)
        err = measured_node_stop(&node);
    return measured_node_fini(&node, err);
}

static oc_err_t measure_cluster(measured_cluster_t *cluster, void *context)
{
    const order_measure_t *measure = context;
    return measure->call(measured_cluster_ingress(cluster), measure->context);
}

static oc_err_t run_cluster(const cluster_terms_t *terms, order_measure_t *measure)
{
    char path[PATH_MAX];
    oc_err_t err = module_install_java("java", path, sizeof path);
    if (err == OC_ERR_OK)
        err = module_install_jar("", path, sizeof path);
    return err == OC_ERR_OK ? cluster_bench_run(terms, measure_cluster, measure) : err;
}

oc_err_t order_venue_run(const order_venue_t *self, order_venue_measure_t measure, void *context)
{
    order_measure_t how = {measure, context};
    OC_ASSERT(!!self->ingress + !!self->cluster + !!self->node == 1);
    if (self->ingress)
        return measure(self->ingress, context);
    return self->cluster ? run_cluster(self->cluster, &how) : run_node(self, &how);
}
