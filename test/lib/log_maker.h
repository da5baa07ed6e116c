/*
 * Writes the log of a cluster as a consensus module would: entries in memory at the positions that
 * their frames have, and, if wanted, in the recording of a made archive too. Fails the test on
 * trouble.
 */
#ifndef LIB_LOG_MAKER_H
#define LIB_LOG_MAKER_H

#include "cluster/log_applier.h"
#include "lib/archive_maker.h"
#include "lib/tally_service.h"

#include <stdint.h>

enum { LOG_MAKER_TERM_BYTES = 65536, LOG_MAKER_SEGMENT_BYTES = 131072, LOG_MAKER_MTU = 1408 };

#define LOG_MAKER_START_NS INT64_C(1700000000000000000)

typedef struct made_entry {
    uint8_t *bytes;
    size_t length;
    uint64_t start; /* where its first frame begins */
    uint64_t position;
} made_entry_t;

typedef struct log_maker {
    made_recording_t *recording; /* NULL: memory alone */
    made_entry_t *entries;
    uint32_t count;
    uint32_t capacity;
    uint64_t position;
    int64_t term;      /* leadership term id of what comes next */
    int64_t timestamp; /* in `unit`, as the rest: the test sets it */
    int32_t unit;      /* cluster_time_unit_t of terms to come */
    int32_t log_session;
} log_maker_t;

/* An empty log, its time LOG_MAKER_START_NS in nanoseconds. `recording` is borrowed, NULL, or empty
 * and of the sizes above. */
void log_maker_init(log_maker_t *self, made_recording_t *recording);
void log_maker_fini(log_maker_t *self);

/* Each returns the position of the entry's end. Term, timestamp and log position are filled in. */
uint64_t log_maker_put(log_maker_t *self, cluster_log_entry_t entry);
uint64_t log_maker_term(log_maker_t *self, int64_t term);
uint64_t log_maker_open(log_maker_t *self, int64_t session, const char *principal);
uint64_t log_maker_close(log_maker_t *self, int64_t session, int32_t reason);
uint64_t log_maker_message(log_maker_t *self, int64_t session, const void *bytes, size_t length);
uint64_t log_maker_request(log_maker_t *self, int64_t session, tally_op_t op, int64_t argument,
                           int64_t delay_ns);
uint64_t log_maker_timer(log_maker_t *self);
uint64_t log_maker_snapshot(log_maker_t *self);
uint64_t log_maker_said(log_maker_t *self, int64_t session, const member_message_t *message);
/* Bytes that are no entry of the protocol's, perhaps. */
uint64_t log_maker_bytes(log_maker_t *self, const void *bytes, size_t length);

/* The rest of the term is padding. Returns its end. */
uint64_t log_maker_pad(log_maker_t *self);

/* Gives entries from *next on to an applier, up to the end, or the first error. */
oc_err_t log_maker_feed(const log_maker_t *self, uint32_t *next, log_applier_t *applier);

/* The checksum of the log up to the entry that ends at `position` (0: 0). */
uint32_t log_maker_checksum(const log_maker_t *self, uint64_t position);

#endif
