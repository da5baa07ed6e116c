/*
 * The service's part of an official snapshot, as messages of a recording: markers and sessions as
 * every clustered service writes them, then what only we read: a manifest, which says which state
 * it is, or the state itself. The layout is docs/formats/cluster-snapshot.md.
 *
 * Both directions know no Aeron: messages go to a sink, and come one by one.
 */
#ifndef CLUSTER_SERVICE_SNAPSHOT_H
#define CLUSTER_SERVICE_SNAPSHOT_H

#include "host/replica.h"
#include "outcry/error.h"
#include "snapshot/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum service_snapshot_kind {
    SERVICE_SNAPSHOT_MANIFEST = 1, /* the state is in images and in the log */
    SERVICE_SNAPSHOT_STREAM = 2,   /* the state follows */
} service_snapshot_kind_t;

/* Which state: what a manifest says. */
typedef struct service_snapshot_place {
    image_place_t image; /* position, term, log id and checksum, entries, time, state hash;
                                 `group` is the time unit (cluster_time_unit_t) */
    uint64_t output_hash;
    int64_t leadership_term;
    int32_t app_version;
} service_snapshot_place_t;

/* Takes one message, at most SERVICE_SNAPSHOT_MESSAGE_MAX bytes; an error ends the writing. */
#define SERVICE_SNAPSHOT_MESSAGE_MAX 65440
typedef oc_err_t (*service_snapshot_sink_t)(void *context, const void *bytes, size_t length);

/* Writes all messages. `replica` between entries; its sessions are written, its configuration, and
 * with STREAM its state. Errors: those of the sink and of the service; OC_ERR_INVALID_ARGUMENT:
 * STREAM of a service without capture(). */
OC_MUST_CHECK oc_err_t service_snapshot_write(const replica_t *replica,
                                              service_snapshot_kind_t kind,
                                              const service_snapshot_place_t *place,
                                              service_snapshot_sink_t sink, void *context);

/* Takes the messages of a snapshot, one after another. */
typedef struct service_snapshot_reader service_snapshot_reader_t;

/* `log_position` is where the module says that it was taken. OC_ERR_NO_MEMORY. The caller owns
 * *reader: service_snapshot_reader_destroy(). */
OC_MUST_CHECK oc_err_t service_snapshot_reader_create(service_snapshot_reader_t **reader,
                                                      int64_t log_position);
void service_snapshot_reader_destroy(service_snapshot_reader_t *self); /* NULL is allowed */

/* OC_ERR_DAMAGED: not what must come next; OC_ERR_FORMAT: of a service of another kind, or of a
 * newer version; OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t service_snapshot_reader_take(service_snapshot_reader_t *self,
                                                    const void *bytes, size_t length);
/* All of it has come. */
bool service_snapshot_reader_complete(const service_snapshot_reader_t *self);
/* Nothing more comes: OC_ERR_OK when it is complete; OC_ERR_FORMAT: of another service, which keeps
 * no state behind its sessions; OC_ERR_TRUNCATED: the rest is missing. */
OC_MUST_CHECK oc_err_t service_snapshot_reader_end(const service_snapshot_reader_t *self);

/* Once complete, as what follows. */
service_snapshot_kind_t service_snapshot_reader_kind(const service_snapshot_reader_t *self);
/* Borrowed for the reader's life. */
const service_snapshot_place_t *service_snapshot_reader_place(
    const service_snapshot_reader_t *self);
const void *service_snapshot_reader_configuration(const service_snapshot_reader_t *self,
                                                  size_t *length);
/* That the replica ran with. */
uint32_t service_snapshot_reader_max_timers(const service_snapshot_reader_t *self);

/*
 * Kind STREAM: brings a started replica that has applied nothing to the state, and checks it (state
 * hash). Sessions, their marks and the timers are those of the snapshot; the replica's tables may
 * be others, if all fits into them. Errors: those of the service; OC_ERR_INVALID_CONFIG: no room
 * for the timers or sessions; OC_ERR_DAMAGED. The replica is of no more use then.
 */
OC_MUST_CHECK oc_err_t service_snapshot_reader_restore(const service_snapshot_reader_t *self,
                                                       replica_t *replica);

#endif
