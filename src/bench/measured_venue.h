/*
 * What benches send to a venue that serves, node or cluster: one instrument, the sources that trade
 * it, and a book of resting orders.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_MEASURED_VENUE_H
#define BENCH_MEASURED_VENUE_H

#include "bench/load_venue.h"

#define MEASURED_VENUE_SOURCE 101 /* of the load's client; those of probes follow */
#define MEASURED_VENUE_WINDOW 16384

/* The venue that the workloads need: one instrument, `clients` sources from MEASURED_VENUE_SOURCE
 * on. `ingress` is borrowed as long as *config; the rest of it is static. */
void measured_venue_config(const char *ingress, load_venue_config_t *config, size_t clients);

/* Sends a flow through one client of its own. OC_ERR_CLOSED; OC_ERR_INTERRUPTED. */
OC_MUST_CHECK oc_err_t measured_venue_load(const char *ingress, const load_flow_t *flow,
                                           load_config_t *load, load_recorder_t *recorder,
                                           load_result_t *result);

/* Fills the book with `orders` resting orders of W1, through ingress. OC_ERR_CLOSED if one was lost
 * or rejected. */
OC_MUST_CHECK oc_err_t measured_venue_fill(const char *ingress, uint32_t orders);

#endif
