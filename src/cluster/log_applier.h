/*
 * Applies the log of an Aeron cluster to a replica: what the consensus module wrote becomes records
 * of the host (host/log_entry.h), timers that are due come first, and what members say to each
 * other is taken out.
 *
 * The running container applies what it is given by the module; a restart and tools apply what they
 * read from a recording. Equal logs give equal replicas, and equal checksums.
 *
 * Threads: one.
 */
#ifndef CLUSTER_LOG_APPLIER_H
#define CLUSTER_LOG_APPLIER_H

#include "cluster/log_reader.h"
#include "codec/cluster_service_codec.h"
#include "codec/member_codec.h"
#include "host/replica.h"

#include <stdbool.h>
#include <stdint.h>

/* Due timers that fire before one entry; the others fire before the next ones. An entry takes 64
 * bytes of the log at least, so that their positions are below its own. */
#define LOG_APPLIER_TIMERS_MAX 31

/* What an entry leads to outside of the replica. All are needed; none is called for entries that
 * are passed over. */
typedef struct log_applier_hooks {
    void *context;
    /* A session that cannot be kept, or that still speaks: the module is to close it. */
    void (*refuse)(void *context, oc_session_id_t session);
    /* A leadership term has begun. */
    void (*term)(void *context, const cluster_log_entry_t *entry);
    /* A member has said something; borrowed for the call. An error ends the applying. */
    oc_err_t (*said)(void *context, const member_message_t *message);
    /* All members compare their states behind this entry. */
    void (*check)(void *context);
} log_applier_hooks_t;

typedef struct log_applier {
    replica_t *replica; /* borrowed */
    int64_t cluster_id;
    int64_t time_interval_ns;         /* between entries of time while the service is busy */
    const log_applier_hooks_t *hooks; /* borrowed; NULL: a replay, of which nobody is told */

    uint64_t position;       /* applied up to here, padding included */
    uint64_t entry_position; /* where the last entry ended: images are of here */
    uint32_t checksum;       /* of the log up to there */
    uint64_t log_id;         /* 0: the log has no entry yet */
    int64_t leadership_term;
    int64_t timestamp; /* of the last entry, in `time_unit` */
    cluster_time_unit_t time_unit;
    int32_t app_version;

    uint64_t skip_until; /* the state is that of this position: what is before it is passed over */
    uint32_t skip_checksum; /* which the log must have there */
    image_place_t skip_place;

    uint64_t forged;    /* messages in members' sessions that no member has said */
    int64_t message_ns; /* time of the last message that the service had in this life */

    /* What the last entry was. */
    cluster_log_entry_t entry; /* its texts are not valid any more */
    bool skipped;
    bool check_due;
} log_applier_t;

/* A replica that has applied nothing, at the beginning of the log. */
void log_applier_init(log_applier_t *self, replica_t *replica, int64_t cluster_id,
                      int64_t time_interval_ns);

/* The replica was brought to the place of an image or a snapshot: what is applied next begins
 * there. */
void log_applier_restored(log_applier_t *self, const image_place_t *place);

/*
 * The replica is at the place of an image, and the log is going to come from `position`, which is
 * before it, with this checksum (0 at the beginning of the log): passes over what is between.
 */
void log_applier_skip(log_applier_t *self, uint64_t position, uint32_t checksum);

/*
 * Applies a message as it was read from a recording, whose entry is not decoded a second time: that
 * is a part of how long a start takes. Errors as below.
 */
OC_MUST_CHECK oc_err_t log_applier_take_read(log_applier_t *self, const log_read_t *message);

/*
 * Applies a whole message of the log that ends at `position`; `bytes` is 8-byte aligned, borrowed
 * for the call. Errors: those of the replica and of the hooks; OC_ERR_FORMAT: not of the protocol;
 * OC_ERR_DAMAGED: cannot follow what was before, or the log is not that of the image.
 */
OC_MUST_CHECK oc_err_t log_applier_take(log_applier_t *self, const void *bytes, size_t length,
                                        uint64_t position);

/* The log goes on at `position`: what is before it and was not given is padding. */
void log_applier_pass_padding(log_applier_t *self, uint64_t position);

/* When the next entry must come at the latest, so that timers and the service's waiting work go
 * on; INT64_MAX: there is no need. */
int64_t log_applier_deadline_ns(const log_applier_t *self);

/* Nanoseconds in the cluster's unit, rounded up, so that no timer fires early. */
int64_t log_applier_to_unit(const log_applier_t *self, int64_t time_ns);

/* Between entries, once the log has one: what an image or a manifest of the state says of it; while
 * entries are passed over, that is the place of the image. */
void log_applier_place(const log_applier_t *self, image_place_t *place);

#endif
