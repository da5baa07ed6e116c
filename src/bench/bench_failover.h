/*
 * `outcry bench failover`: the leader of a cluster killed while its client trades, and how long the
 * client waits; beside how long the consensus modules take to elect another, and a peer's.
 */
#ifndef BENCH_BENCH_FAILOVER_H
#define BENCH_BENCH_FAILOVER_H

#include "bench/measured_cluster.h"

/* Medians of the rounds, in milliseconds. */
typedef struct bench_failover_result {
    double gap_ms;       /* worst latency of a command, from when it was intended */
    double election_ms;  /* from the kill to a module that leads, its election over */
    double more_ms;      /* gap less election, of the same round */
    double worst_gap_ms; /* of all rounds */
    uint64_t lost;       /* commands never answered: none by a client that sends again */
    uint32_t survived;   /* rounds that the client went through */
} bench_failover_result_t;

/* At least three members. Errors: those of the cluster and of its clients. */
OC_MUST_CHECK oc_err_t bench_failover(const cluster_terms_t *terms,
                                      bench_failover_result_t *result);
OC_MUST_CHECK oc_err_t bench_failover_peer(const cluster_terms_t *terms,
                                           bench_failover_result_t *result);

#endif
