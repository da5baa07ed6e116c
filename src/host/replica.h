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
#include "outcry/arena.h"
#include "snapshot/image.h"

#include <stdbool.h>
#include <stdint.h>

/* Sessions that the arena is laid out for, whatever max_sessions is: so that may be changed between
 * an image and the start from it. */
#define REPLICA_SESSIONS_MAX UINT32_C(65536)

/* Arenas of a replica: its own and the service's. */
#define REPLICA_ARENAS_MAX (1 + OC_SERVICE_ARENAS_MAX)

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

/* The service asks for a session's end, for the first time; called while an entry is applied. */
typedef void (*replica_closing_t)(void *context, oc_session_id_t session);

typedef struct replica {
    oc_host_t host; /* first: a service's host is a replica */
    const oc_service_t *service;
    const replica_outlet_t *outlet; /* NULL: nothing leaves */
    replica_closing_t closing;      /* the host sets both; NULL: it looks into the ledger */
    void *closing_context;
    oc_arena_t arena; /* "host": holds the next two */
    session_ledger_t sessions;
    timer_queue_t timers;
    oc_log_entry_t entry; /* the last one applied, or being applied */
    uint64_t entries;     /* applied */
    size_t message_max;
    bool applying;
} replica_t;

typedef struct replica_config {
    uint32_t max_sessions; /* 1..REPLICA_SESSIONS_MAX */
    uint32_t max_timers;   /* 1..TIMER_QUEUE_CAPACITY_MAX; part of the arena's layout */
    size_t message_max;    /* of what the service sends */
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

/* OC_ERR_INVALID_CONFIG, naming what differs, unless `record` is what replica_configuration()
 * gives; `what` it stands in is named, for example "the log". */
OC_MUST_CHECK oc_err_t replica_check_configuration(const replica_t *self,
                                                   const log_record_t *record, const char *what);

/* Bytes of the arena "host" with so many timers, and all that tells such an arena from another.
 * False: no memory. */
uint64_t replica_arena_bytes(uint32_t max_timers);
bool replica_layout(uint32_t max_timers, uint64_t *size, uint64_t *layout);

/* The arenas that hold the replicated state: the replica's own ("host") and, if it has any, the
 * service's. Returns how many, at most REPLICA_ARENAS_MAX. Borrowed until replica_fini(). */
size_t replica_arenas(replica_t *self, oc_arena_t *arenas[REPLICA_ARENAS_MAX]);

/*
 * The replica's own arena was filled from an image of the state behind the entry `last`, the
 * entries-th of the log: goes on from there. The service's part is the caller's business. Errors:
 * OC_ERR_DAMAGED, OC_ERR_INVALID_CONFIG (more sessions than max_sessions).
 */
OC_MUST_CHECK oc_err_t replica_restored(replica_t *self, const oc_log_entry_t *last,
                                        uint64_t entries);

/* Between entries: what an image of the state as it is now says of it. Fills in entries, time, term
 * and state hash of *place; which log it is and where in it is the caller's business. */
void replica_place(const replica_t *self, image_place_t *place);

/* Whether images of the service are made of what it writes, because it has no arenas; and whether
 * there can be none at all. */
bool replica_is_streamed(const replica_t *self);
bool replica_has_images(const replica_t *self);

/* Between entries: what the service writes of its whole state, malloc'ed, owned by the caller.
 * Needs capture(). Errors: OC_ERR_NO_MEMORY, those of the service. */
OC_MUST_CHECK oc_err_t replica_capture(const replica_t *self, uint8_t **bytes, size_t *length);

/* From now on outputs go to `outlet` (borrowed), and the service is told that it is active. */
void replica_activate(replica_t *self, const replica_outlet_t *outlet);

/* From now on nothing leaves: another host is the active one. The service is told, also when it was
 * not active before. */
void replica_follow(replica_t *self);

/* True for a session of a host's own: it is kept like any other, and the service never sees it; nor
 * does anything leave for it. Its messages are the host's to take: here they do nothing. */
#define REPLICA_HOST_PRINCIPAL AUTHENTICATOR_MEMBER
bool replica_is_host_session(const gateway_open_t *open);

/* The service's hashes, 0 if it has none. */
uint64_t replica_state_hash(const replica_t *self);
uint64_t replica_output_hash(const replica_t *self);

#endif
