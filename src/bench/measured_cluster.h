/*
 * A cluster on this machine that a bench starts, fills, kills and ends, in a folder that the bench
 * makes and removes; and under what conditions it runs, which are those of its peer too.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_MEASURED_CLUSTER_H
#define BENCH_MEASURED_CLUSTER_H

#include "bench/bench_folder.h"
#include "bench/local_cluster.h"
#include "bench/measured_venue.h"
#include "bench/module_watch.h"
#include "bench/probe_stream.h"

#define MEASURED_CLUSTER_PATH (4096 + 64)
#define CLUSTER_ROUNDS_MAX    31

/* Aeron takes a mark file's process for alive for ten seconds. */
#define MEASURED_CLUSTER_AGE_S 11

/* How a bench of clusters is run; all strings are borrowed for the bench. */
typedef struct cluster_terms {
    const char *dir;     /* a folder is made in it, and removed again */
    const char *program; /* NULL: this very program */
    const char *peer;    /* the folder of the peer's run.sh; NULL: none */
    uint32_t members;    /* 1..9 */
    uint32_t orders;     /* resting */
    uint64_t rate_per_s; /* of the probes */
    uint32_t rounds;     /* 1..CLUSTER_ROUNDS_MAX; medians are told */
    uint64_t sync_level; /* of archive and module, 0..2 */
    uint64_t heartbeat_ms;
    uint64_t election_ms;
    uint64_t heap_mb;
    const char *gc;    /* -XX:+Use... without that */
    const char *idle;  /* of all agents: backoff, yield or spin */
    uint64_t window_s; /* looked at behind the trigger of a snapshot */
    uint64_t window;   /* orders under way, for throughput */
    uint64_t seconds;  /* of a run for round trips */
} cluster_terms_t;

/* The JVM flags that both sides have, in `size` bytes. */
void cluster_terms_jvm_flags(const cluster_terms_t *terms, char *flags, size_t size);

typedef struct measured_cluster {
    const cluster_terms_t *terms; /* borrowed */
    local_cluster_t *cluster;
    bench_folder_t folder; /* made, and removed at the end */
    uint32_t leader;       /* as it was last looked for */
    probe_stream_t probes;
    uint64_t listen_ns; /* last time that members were listened to */
} measured_cluster_t;

/* Makes folder and configuration. Errors: OC_ERR_OPEN, local_cluster_create(). Undo:
 * measured_cluster_fini(). */
OC_MUST_CHECK oc_err_t measured_cluster_init(measured_cluster_t *self,
                                             const cluster_terms_t *terms);
void measured_cluster_fini(measured_cluster_t *self); /* kills what runs; in order if interrupted */

/* Starts all members and waits until one leads and all have joined. */
OC_MUST_CHECK oc_err_t measured_cluster_start(measured_cluster_t *self);

/* Ends all in order; changes the official snapshot to "archive" or "manifest"; starts them. */
OC_MUST_CHECK oc_err_t measured_cluster_snapshot_kind(measured_cluster_t *self, const char *kind);

/* Who leads now. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t measured_cluster_find_leader(measured_cluster_t *self);

/* Fills the book through ingress: how fast, in orders per second. */
OC_MUST_CHECK oc_err_t measured_cluster_fill(measured_cluster_t *self, double *orders_per_s);

/* Connects the probes: they may rest for `seconds` without a restart of the stream. */
OC_MUST_CHECK oc_err_t measured_cluster_probes(measured_cluster_t *self, uint64_t seconds);

/* Listens to the members, not too often; for the loops of probes. */
void measured_cluster_listen(measured_cluster_t *self);

/* Takes a full image on every member, one after the other. */
OC_MUST_CHECK oc_err_t measured_cluster_images(measured_cluster_t *self);

/* An official snapshot, with nobody trading. */
OC_MUST_CHECK oc_err_t measured_cluster_snapshot(measured_cluster_t *self);

/* Kills a member, waits for its end, removes its driver's directory. */
OC_MUST_CHECK oc_err_t measured_cluster_kill(measured_cluster_t *self, uint32_t member);

/* Where clients connect, borrowed; a member's directory; its driver's; the drivers' of all. */
const char *measured_cluster_ingress(const measured_cluster_t *self);
void measured_cluster_member(const measured_cluster_t *self, uint32_t member,
                             char path[CLUSTER_FOLDER_PATH]);
OC_MUST_CHECK oc_err_t measured_cluster_aeron_dir(const measured_cluster_t *self, uint32_t member,
                                                  char *path, size_t size);
OC_MUST_CHECK oc_err_t measured_cluster_aeron_dirs(const measured_cluster_t *self,
                                                   char (*dirs)[MODULE_WATCH_DIR]);

/* After a kill, what Aeron's mark files call alive has to age, on either side: sleeps for
 * MEASURED_CLUSTER_AGE_S. OC_ERR_INTERRUPTED. */
OC_MUST_CHECK oc_err_t measured_cluster_let_age(void);

#endif
