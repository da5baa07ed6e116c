/*
 * A cluster of another make beside ours, under the same terms: the folder that is named has a
 * `run.sh` with the commands build, node and load, and a README that says what they print
 * (peer_report.h reads it).
 *
 * What it builds stays in DIR/peer, so that it is built once; its data goes with the run.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_PEER_CLUSTER_H
#define BENCH_PEER_CLUSTER_H

#include "bench/child_process.h"
#include "bench/measured_cluster.h"
#include "bench/peer_report.h"

typedef struct peer_cluster {
    const cluster_terms_t *terms; /* borrowed */
    char out[MEASURED_CLUSTER_PATH];
    char aeron[96]; /* a member's driver: this, `-` and its id */
    bool made_dir;  /* the terms' */
    uint16_t port;  /* the first of a hundred for each member */
    child_process_t nodes[MEMBER_COUNT_MAX];
    child_process_t load;
    uint32_t leader; /* as it was last looked for */
    peer_report_t report;
} peer_cluster_t;

/* Builds it; starts nothing. Errors: OC_ERR_OPEN: no such script; OC_ERR_CLOSED: it does not build.
 * Undo: peer_cluster_fini(), also after an error. */
OC_MUST_CHECK oc_err_t peer_cluster_init(peer_cluster_t *self, const cluster_terms_t *terms);
void peer_cluster_fini(peer_cluster_t *self);

/* Starts a member that does not run. */
OC_MUST_CHECK oc_err_t peer_cluster_start(peer_cluster_t *self, uint32_t member);

/* Starts all and waits until one leads and all have joined. */
OC_MUST_CHECK oc_err_t peer_cluster_start_all(peer_cluster_t *self);

/* Kills a member with SIGKILL; its driver's directory goes. */
void peer_cluster_kill(peer_cluster_t *self, uint32_t member);

/* The directory of a member's driver. */
void peer_cluster_aeron_dir(const peer_cluster_t *self, uint32_t member, char path[128]);

/* Who leads, by the modules' counters. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t peer_cluster_find_leader(peer_cluster_t *self);

/*
 * Runs its load client: `mode` and options are run.sh's, `options` ends with NULL. The figures go
 * to self->report. OC_ERR_CLOSED: it failed; OC_ERR_TIMEOUT: more than `timeout_ns`.
 */
OC_MUST_CHECK oc_err_t peer_cluster_load(peer_cluster_t *self, const char *mode,
                                         const char *const *options, int64_t timeout_ns);

/* The same in two halves. */
OC_MUST_CHECK oc_err_t peer_cluster_load_begin(peer_cluster_t *self, const char *mode,
                                               const char *const *options);
OC_MUST_CHECK oc_err_t peer_cluster_load_end(peer_cluster_t *self, int64_t timeout_ns);

/* Reads what the load client says for so long, until it says `words`. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t peer_cluster_load_says(peer_cluster_t *self, const char *words,
                                              int64_t timeout_ns);

/* Fills its book with the terms' orders. */
OC_MUST_CHECK oc_err_t peer_cluster_fill(peer_cluster_t *self);

/* Takes what the members have said by now into the report. */
void peer_cluster_listen(peer_cluster_t *self);

#endif
