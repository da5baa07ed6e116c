/*
 * The host's part of a replica built anew, beside a service that has read its own part of a state
 * (oc_service_t.restore): timers, sessions, the place in the log. Used by the import of an exported
 * state and by official snapshots of a cluster.
 */
#ifndef HOST_REPLICA_REBUILD_H
#define HOST_REPLICA_REBUILD_H

#include "host/replica.h"
#include "host/state_file.h"

#include <stdbool.h>
#include <stdint.h>

/* All borrowed for the call. */
typedef struct replica_rebuild {
    const state_file_header_t *header;
    const state_file_timer_t *timers; /* header->timer_count of them */
    uint64_t position;                /* of the last entry applied; 0: the log begins anew */
    /* Whether clients can be reached no more: the sessions are those that the service says are
     * open, without an address, so that the host closes them. Otherwise `sessions` are open, and
     * the service may know no others. */
    bool unreachable;
    const ledger_session_t *sessions; /* ascending by id */
    uint32_t session_count;
} replica_rebuild_t;

/*
 * Fills the host's part of a started replica that has applied nothing, and checks the state hash.
 * Errors: OC_ERR_INVALID_CONFIG (there is no room for the timers or sessions), OC_ERR_DAMAGED (the
 * state cannot be right). The replica is of no more use then.
 */
OC_MUST_CHECK oc_err_t replica_rebuild(replica_t *self, const replica_rebuild_t *from);

/* Between entries: what state_file_write() needs to know of a replica. */
void replica_rebuild_header(const replica_t *self, state_file_header_t *header);

#endif
