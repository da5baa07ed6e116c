/*
 * `outcry bench node`: round trips and throughput of a node, durable and not, beside what the
 * device takes for a bare durable write; all in one run, in turns.
 */
#ifndef BENCH_BENCH_NODE_H
#define BENCH_BENCH_NODE_H

#include "outcry/error.h"

#include <stdint.h>

#define BENCH_NODE_ROUNDS_MAX 99
#define BENCH_NODE_TEXT_MAX   512

/* Index of the figures of a mode of sync. */
typedef enum bench_node_sync {
    BENCH_NODE_ALWAYS = 0,
    BENCH_NODE_NONE = 1,
    BENCH_NODE_SYNCS
} bench_node_sync_t;

typedef struct bench_node_options {
    const char *dir;     /* borrowed; a folder is made in it, and removed again */
    const char *program; /* borrowed; NULL: this very program */
    uint32_t rounds;     /* 1..BENCH_NODE_ROUNDS_MAX; medians are told */
    uint64_t part_ns;    /* of each of the four measurements of a round */
    uint64_t rate_per_s; /* of the round trips; 0: the next order leaves with the answer */
    uint32_t window;     /* unanswered orders of the batching client, 1..16384 */
    int node_cpu;        /* processor of the node's core and driver; -1: any */
    int writer_cpu;      /* of its journal's writer; -1: any */
    int client_cpu;      /* of the client; -1: any */
    const char *idle;    /* borrowed; of the node: "backoff", "yield" or "spin" */
} bench_node_options_t;

typedef struct bench_node_result {
    double raw_sync_p50_us;
    double rtt_p50_us[BENCH_NODE_SYNCS];
    double rtt_p99_us[BENCH_NODE_SYNCS];
    double orders_per_s[BENCH_NODE_SYNCS];
    uint64_t lost;                           /* and missed and doubled, of all parts */
    char configuration[BENCH_NODE_TEXT_MAX]; /* of the last node, as its file */
} bench_node_result_t;

/* Errors: those of the device, of a node that does not start, of its client. */
OC_MUST_CHECK oc_err_t bench_node(const bench_node_options_t *options, bench_node_result_t *result);

#endif
