/*
 * Has a running archive prune: the half of prune.h that talks over Aeron. Called by `outcry cluster
 * prune`.
 *
 * Invariant: the archive itself moves the start of the recording and removes the files, so that its
 * catalog in memory agrees with them; it refuses what a replay still reads.
 */
#define _GNU_SOURCE
#include "cluster/prune.h"

#include "aeron/archive_session.h"

#include <unistd.h>

#define ANSWER_NS     (INT64_C(30) * 1000 * 1000 * 1000)
#define RESPONSE_BASE 0x70000000 /* stream ids that nobody else counts up to */

oc_err_t prune_ask(const prune_plan_t *plan, const char *aeron_dir, int64_t *segments)
{
    *segments = 0;
    if (plan->below <= plan->recording.start_position)
        return OC_ERR_OK;
    embedded_config_t config;
    embedded_config_init(&config);
    config.dir = aeron_dir;
    config.threading = EMBEDDED_EXTERNAL;
    embedded_t *embedded;
    oc_err_t err = embedded_create(&embedded, &config);
    if (err != OC_ERR_OK)
        return err;
    archive_session_t *session = NULL;
    err = archive_session_open(&session, embedded, RESPONSE_BASE + (int32_t)(getpid() & 0xFFFFFF));
    if (err == OC_ERR_OK)
        err = archive_session_await(session, ANSWER_NS);
    if (err == OC_ERR_OK)
        err = archive_session_purge(session, plan->recording.id, plan->below, segments);
    archive_session_close(session);
    embedded_destroy(embedded);
    return err;
}
