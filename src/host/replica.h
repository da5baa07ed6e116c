/*
 * The half of the host that is replicated: a service with its sessions and timers, driven by
 * records of the log and by nothing else. The node applies what it appends; recovery and proofs
 * apply what they read. Equal records give equal replicas.
 *
 * What leaves goes through an outlet that is there only while the host is active.
 */
#ifndef HOST_REPLICA_H
#define HOST_REPLICA_H

#include "host/host_calls.h"
#include "host/log_entry.h"
#include "host/session_ledger.h"
#include "host/timer_queue.h"

#include <stdbool.h>
#include <stdint.h>

/* Where the consequences of an entry go. All functions are needed. */
typedef struct replica_outlet {
    void *context;
    void (*opened)(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                   const gateway_open_t *open);
    void (*closed)(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                   oc_close_reason_t reason);
    void (*send)(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                 const void *bytes, size_t length);
    void (*stop)(void *context);
} replica_outlet_t;

typedef struct replica {
    oc_host_t host; /* first: a service's host is a replica */
    const oc_service_t *service;
    const replica_outlet_t *outlet; /* NULL: nothing leaves */
    session_ledger_t sessions;
    timer_queue_t timers;
    oc_log_entry_t entry; /* the last one applied, or being applied */
    uint64_t entries;     /* applied */
    size_t message_max;
    bool applying;
} replica_t;

typedef struct replica_config {
    uint32_t max_sessions;
    uint32_t max_timers;
    size_t message_max; /* of what the service sends */
} replica_config_t;

/*
 * Takes memory and starts the service, in the role RECOVERING. `service` is borrowed for the
 * replica's life. Errors: OC_ERR_NO_MEMORY, OC_ERR_INVALID_CONFIG (the service's configuration is
 * too long), those of the service. Undo: replica_fini().
 */
OC_MUST_CHECK oc_err_t replica_init(replica_t *self, const oc_service_t *service,
                                    const replica_config_t *config);

/* Stops the service and frees. */
void replica_fini(replica_t *self);

/*
 * Applies one record. Errors: those of the service; OC_ERR_INVALID_CONFIG when the configuration
 * differs or has no room for what the log holds; OC_ERR_DAMAGED when the record cannot follow what
 * was applied before. The replica is of no more use then.
 */
OC_MUST_CHECK oc_err_t replica_apply(replica_t *self, const oc_log_entry_t *entry,
                                     const log_record_t *record);

/* The same for an entry as it is read: a journal_reader_t, `context` is the replica. */
OC_MUST_CHECK oc_err_t replica_read(void *context, const journal_entry_t *entry);

/* The record that a new log must begin with; its bytes are borrowed from the service. */
void replica_configuration(const replica_t *self, log_record_t *record);

/* From now on outputs go to `outlet` (borrowed), and the service is told that it is active. */
void replica_activate(replica_t *self, const replica_outlet_t *outlet);

/* The service's, 0 if it has none. */
uint64_t replica_state_hash(const replica_t *self);

#endif
