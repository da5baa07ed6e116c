/*
 * A session with the archive on this driver, over IPC: recordings are begun and seen, and their
 * oldest segments removed.
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
 * OC_ERR_OK with *connected; else why it failed, after which a call that comes a tenth of a second
 * later begins anew, and waits for the driver. OC_ERR_TIMEOUT: no answer within five seconds;
 * OC_ERR_NOT_CONNECTED: it was connected and is not any more.
 */
OC_MUST_CHECK oc_err_t archive_session_step(archive_session_t *self, bool *connected);

/* Waits until it is connected; begins anew until then. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t archive_session_await(archive_session_t *self, int64_t timeout_ns);

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

/* Removes whole segments below `position`, which must be where one begins
 * (aeron_archive_segment_file_base_position()) and becomes the recording's start. *segments: how
 * many went. */
OC_MUST_CHECK oc_err_t archive_session_purge(archive_session_t *self, int64_t recording,
                                             int64_t position, int64_t *segments);

#endif
