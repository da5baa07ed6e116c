/*
 * What the files of the node share. Nobody outside of this folder includes it.
 *
 *     node.c            start, end, report
 *     node_duty.c       the duty cycle
 *     node_sequence.c   what happens becomes an entry and is applied; what leaves, the gateway gets
 *     node_transport.c  embedded driver and gateway
 *     node_snapshot.c   images of the state, and the control socket
 *     recovery.c        the past, from the log
 */
#ifndef HOST_NODE_INTERNAL_H
#define HOST_NODE_INTERNAL_H

#include "aeron/embedded.h"
#include "gateway/gateway.h"
#include "host/image_keeper.h"
#include "host/node.h"
#include "host/replica.h"

/* What node_snapshot.c keeps. */
typedef struct node_snapshots {
    image_keeper_t *keeper;
    journal_config_t log;      /* of the log, for what is read back of it; the sweeper's */
    log_position_t log_synced; /* that far it is known to be; the sweeper's */
} node_snapshots_t;

struct node {
    node_config_t config;
    replica_t replica;
    journal_t *journal;
    embedded_t *embedded;
    authenticator_t *secrets; /* NULL without [session] authentication = secrets */
    gateway_t *gateway;
    gateway_sink_t sink;
    replica_outlet_t outlet;

    /* Sessions that the gateway has no room for: to be closed by entries. Each is there at most
     * once, so that max_sessions is room enough. */
    oc_session_id_t *unreachable;
    uint32_t unreachable_count;
    uint64_t next_session; /* the next to hand out; above all of the log */

    /* The clocks as the current cycle read them. All entries of a cycle have its time, and timers
     * come first in it: so no entry that is due later overtakes one. */
    int64_t now_ns;        /* never falls, also over restarts */
    int64_t monotonic_ns;  /* for what must not jump: timeouts, intervals */
    int64_t last_entry_ns; /* monotonic */

    uint64_t position; /* applied */
    journal_condition_t condition;
    uint64_t transport_errors; /* of embedded_errors(), told so far */
    int64_t transport_error_next_ns;
    int64_t flushed_ns;     /* when the journal was last given what was appended */
    uint64_t closes_untold; /* since the last line about a close */
    int64_t close_told_next_ns;
    bool storage_notice_due;
    bool recovery_notice_due; /* no ingress before it is sequenced */

    oc_err_t failure; /* why it cannot go on; OC_ERR_OK: it can */
    char failure_text[512];
    bool stopping;
    bool stopped;
    int64_t linger_until_ns; /* monotonic; 0: not yet lingering */
    uint32_t linger_cycles;

    node_snapshots_t snapshots;

    journal_verdict_t verdict;
    uint64_t recovery_ns;
    uint64_t replayed;       /* entries, since the image */
    uint64_t image_sequence; /* that it started from; 0: none */
    uint64_t image_position;
};

/* ---- node.c ---- */

/* What the node's configuration says of the log; borrows its directory and storage. */
void node_journal_config(const node_config_t *from, journal_config_t *config);

/* ---- node_sequence.c ---- */

/* Appends a record and applies it. False: the journal has no room now, or an entry is being applied
 * and this has to wait for it; nothing happened. A failure of the service is in self->failure. */
bool node_sequence(node_t *self, log_record_t *record);

/* The same for the end of a session: true also when there is none (any more). Tells of an end that
 * the client did not want. */
bool node_sequence_close(node_t *self, oc_session_id_t session, oc_close_reason_t reason);

/* Fills in the tables through which gateway and replica call the node. */
void node_sequence_init(node_t *self);

/* Notes that a session must be closed, because it cannot be served. */
void node_mark_unreachable(node_t *self, oc_session_id_t session);

/* Reads the clocks for what follows. */
void node_read_clocks(node_t *self);

/* Keeps the error and its context as the reason why the node ends; returns it. */
oc_err_t node_fail(node_t *self, oc_err_t err);

/* ---- node_transport.c ---- */

/* Removes what a dead predecessor left of the driver, starts driver and gateway, restores the
 * sessions of the replica. On an error nothing is held. */
OC_MUST_CHECK oc_err_t node_transport_start(node_t *self);
void node_transport_stop(node_t *self);

/* ---- node_snapshot.c ---- */

/* Once the log has an entry: starts the agent, which goes on from the image that the node was
 * restored from, and the control socket. What does not work is told, and the node does without it.
 * Errors: OC_ERR_NO_MEMORY, OC_ERR_INVALID_CONFIG. */
OC_MUST_CHECK oc_err_t node_snapshot_start(node_t *self);

/* A snapshot that runs is given up. Before the journal is closed. */
void node_snapshot_stop(node_t *self);

/* Between entries, once in a cycle: begins what is due or asked for, answers. */
int node_snapshot_do_work(node_t *self);

/* ---- recovery.c ---- */

/* Where a replica is from. */
typedef struct recovery {
    journal_verdict_t verdict;
    uint64_t image_sequence; /* 0: from the log alone */
    uint64_t image_position;
    uint64_t replayed; /* entries behind the image */
} recovery_t;

/*
 * Brings a replica that has applied nothing to where the log of an open journal ends: from the
 * newest of `images` (borrowed; NULL: from the beginning of the log) that is of use, read by
 * `threads` threads (0: two for each processor). The one place that decides where state and
 * position come from. Errors: those of the journal, of the images and the replica; OC_ERR_DAMAGED
 * when log and images do not belong together, or when neither goes back to the beginning.
 */
OC_MUST_CHECK oc_err_t recovery_run(replica_t *replica, journal_t *journal,
                                    const image_store_t *images, unsigned threads,
                                    recovery_t *recovery);

/* The images of a directory, for reading. The caller owns *images: image_store_close(). */
OC_MUST_CHECK oc_err_t recovery_images(image_store_t **images, const char *dir,
                                       const storage_t *storage);

/* The max_timers that the log of a directory goes with, from its first entry or an image; left as
 * it is where nothing says. */
OC_MUST_CHECK oc_err_t recovery_max_timers(const char *dir, const storage_t *storage,
                                           uint32_t *max_timers);

#endif
