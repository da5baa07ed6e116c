/*
 * The venue of `outcry bench order` for the length of a bench: a node, or a cluster, in a folder
 * that is made and removed, or one that runs already.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_ORDER_VENUE_H
#define BENCH_ORDER_VENUE_H

#include "bench/measured_cluster.h"

/* One of them is set; all is borrowed for the bench. */
typedef struct order_venue {
    const char *ingress;            /* it runs already */
    const cluster_terms_t *cluster; /* it is made so */
    const char *node;               /* a node with this configuration, */
    const char *dir;                /* in a folder there, */
    const char *program;            /* by this program; NULL: this very one */
} order_venue_t;

/* What a bench does with a venue that serves. `context` is the bench's own. */
typedef oc_err_t (*order_venue_measure_t)(const char *ingress, void *context);

/* Starts it, has it measured, ends it in order; whatever fails, nothing of it is left. Errors: it
 * did not start, or ended otherwise; what `measure` returns; OC_ERR_INTERRUPTED. */
OC_MUST_CHECK oc_err_t order_venue_run(const order_venue_t *self, order_venue_measure_t measure,
                                       void *context);

#endif
