/*
 * What the files of the node share. Nobody outside of this folder includes it.
 *
 *     node.c            start, end, report
 *     node_duty.c       the duty cycle
 *     node_sequence.c   what happens becomes an entry and is applied; what leaves, the gateway gets
 *     node_transport.c  embedded driver and gateway
 *     recovery.c        the past, from the log
 */
#ifndef HOST_NODE_INTERNAL_H
#define HOST_NODE_INTERNAL_H

#include "aeron/embedded.h"
#include "gateway/gateway.h"
#include "host/node.h"
#include "host/replica.h"

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

    journal_verdict_t verdict;
    uint64_t recovery_ns;
    uint64_t replayed;
};

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

/* The default directory of the driver for a journal's directory, which must exist. */
OC_MUST_CHECK oc_err_t node_aeron_dir(const char *dir, char *aeron_dir, size_t size);

/* ---- recovery.c ---- */

/*
 * Brings a replica that has applied nothing to where the log of an open journal ends. The one place
 * that decides where state and position come from. Errors: those of the journal and the replica.
 */
OC_MUST_CHECK oc_err_t recovery_run(replica_t *replica, journal_t *journal,
                                    journal_verdict_t *verdict);

#endif
