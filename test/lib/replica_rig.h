/*
 * A replica of the tally service that is driven by records, as a host would, with sessions, timers
 * and closes that it has been asked for.
 */
#ifndef LIB_REPLICA_RIG_H
#define LIB_REPLICA_RIG_H

#include "cluster/service_snapshot.h"
#include "host/replica.h"
#include "lib/tally_service.h"

#include <stdint.h>

enum { REPLICA_RIG_SESSIONS = 4096, REPLICA_RIG_TIMERS = 64 };

typedef struct replica_rig {
    tally_t tally;
    replica_t replica;
    uint64_t position; /* of the last entry */
} replica_rig_t;

/* Started, nothing applied; as a stream. */
void replica_rig_init(replica_rig_t *rig);
void replica_rig_init_sized(replica_rig_t *rig, uint32_t max_sessions, uint32_t max_timers);
void replica_rig_fini(replica_rig_t *rig);

/* An entry; the test fails unless it is applied. */
void replica_rig_apply(replica_rig_t *rig, log_record_t record);
void replica_rig_open(replica_rig_t *rig, uint64_t session, const char *principal);
void replica_rig_request(replica_rig_t *rig, uint64_t session, tally_op_t op, int64_t argument,
                         int64_t delay_ns);

/* A life: so many sessions with ids from 10 on in steps of 3, the second of them a host's own (if
 * there are two), some gone, every fifth to be closed, a few messages and timers. */
void replica_rig_live(replica_rig_t *rig, uint32_t sessions);

/* Where it is now; log id, checksum and so on are invented. */
service_snapshot_place_t replica_rig_place(const replica_rig_t *rig);

/* Fails the test unless both have the same sessions, timers, place and state. */
void replica_rig_assert_equal(const replica_t *a, const replica_t *b);

#endif
