/*
 * A session with the archive on this driver, over IPC: recordings are begun, and what it has is
 * asked for.
 *
 * Every function that waits steps the embedded client meanwhile. A request gives up after five
 * seconds, with OC_ERR_TIMEOUT. Before it is connected, and once the connection is lost, requests
 * end with OC_ERR_NOT_CONNECTED; what the archive refuses with OC_ERR_REFUSED, and its own words;
 * any other failure with OC_ERR_TRANSPORT.
 *
 * Threads: the owner of the embedded client.
 */
#ifndef AERON_ARCHIVE_SESSION_H
#define AERON_ARCHIVE_SESSION_H

#include "aeron/counter_table.h"
#include "aeron/embedded.h"

#include <aeron_archive.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct archive_session archive_session_t;

/* Begins to connect; `embedded` is borrowed. Waits for the driver, not for the archive.
 * OC_ERR_NO_MEMORY, OC_ERR_TRANSPORT. The caller: archive_session_close(). `response_stream` must
 * be nobody else's on this driver. */
OC_MUST_CHECK oc_err_t archive_session_open(archive_session_t **session, embedded_t *embedded,
                                            int32_t response_stream);
void archive_session_close(archive_session_t *self); /* NULL is allowed */

/*
 * Moves the connecting on, and takes what the archive tells without being asked; to be called now
 * and then while the session is there. Leaves the stepping of the embedded client to the caller.
 * OC_ERR_OK with *connected; else why it failed, after which the next call begins anew, and waits
 * for the driver. OC_ERR_TIMEOUT: no answer within five seconds; OC_ERR_NOT_CONNECTED: it was
 * connected and is not any more.
 */
OC_MUST_CHECK oc_err_t archive_session_step(archive_session_t *self, bool *connected);

/* Waits until it is connected; begins anew until then. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t archive_session_await(archive_session_t *self, int64_t timeout_ns);

/* Of the archive it is connected to, which differs after each restart; AERON_NULL_VALUE: none. */
int64_t archive_session_archive_id(const archive_session_t *self);

/* Begins to record a publication of this driver; it ends with the publication. REFUSED also when
 * that channel and stream are being recorded already. */
OC_MUST_CHECK oc_err_t archive_session_record(archive_session_t *self, const char *channel,
                                              int32_t stream);

/* A recording as the archive's counters show it. False: there is none (yet) of that session. */
typedef struct archive_recording {
    int64_t id;
    counter_t position; /* recorded up to */
} archive_recording_t;
bool archive_session_recording(const archive_session_t *self, int32_t session_id,
                               archive_recording_t *recording);

OC_MUST_CHECK oc_err_t archive_session_start_position(archive_session_t *self, int64_t recording,
                                                      int64_t *position);
/* AERON_NULL_VALUE: it is being recorded. */
OC_MUST_CHECK oc_err_t archive_session_stop_position(archive_session_t *self, int64_t recording,
                                                     int64_t *position);
/* Removes whole segments below `position`, which must be where one begins
 * (aeron_archive_segment_file_base_position()) and becomes the recording's start. *segments: how
 * many went. */
OC_MUST_CHECK oc_err_t archive_session_purge(archive_session_t *self, int64_t recording,
                                             int64_t position, int64_t *segments);
/* Cuts a recording that is not active off at `position`. */
OC_MUST_CHECK oc_err_t archive_session_truncate(archive_session_t *self, int64_t recording,
                                                int64_t position);

/* The visitor gets the recordings from an id on, at most `count`, in the order of their ids; the
 * descriptor is borrowed until it returns, and it must not ask the session for anything. */
typedef void (*archive_visitor_t)(void *context, const aeron_archive_recording_descriptor_t *it);
OC_MUST_CHECK oc_err_t archive_session_list(archive_session_t *self, int64_t from, int32_t count,
                                            archive_visitor_t visitor, void *context);

#endif
