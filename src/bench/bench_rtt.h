/*
 * `outcry bench rtt`: round trips at a rate, and throughput with so many orders under way, through
 * a cluster; and the same of a peer in the same run.
 */
#ifndef BENCH_BENCH_RTT_H
#define BENCH_BENCH_RTT_H

#include "bench/measured_cluster.h"

/* Latency in microseconds from the intended time; the others in orders acknowledged per second. */
typedef struct bench_rtt_result {
    double p50_us;
    double p99_us;
    double p999_us;
    double worst_us;
    double fill_per_s;       /* orders that rest, with MEASURED_VENUE_WINDOW under way */
    double throughput_per_s; /* that match nothing, one in each message */
    double together_per_s;   /* likewise, several in a message as the client likes; 0: cannot */
    uint64_t lost;
} bench_rtt_result_t;

/* Errors: those of the cluster and of its clients. */
OC_MUST_CHECK oc_err_t bench_rtt(const cluster_terms_t *terms, bench_rtt_result_t *result);
OC_MUST_CHECK oc_err_t bench_rtt_peer(const cluster_terms_t *terms, bench_rtt_result_t *result);

#endif
