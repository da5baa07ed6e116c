/*
 * A replica brought forward by a member's own recording of the log, read from the archive's files:
 * at a restart, up to where the module's replay begins, and by tools. The module is told nothing.
 */
#ifndef CLUSTER_PRIVATE_REPLAY_H
#define CLUSTER_PRIVATE_REPLAY_H

#include "cluster/log_applier.h"

#include <stdint.h>

/*
 * Applies the recording from where `applier` is up to `position`, where an entry must end.
 * `*entries` is how many there were. Errors: those of recording_reader_*() and log_applier_take();
 * OC_ERR_DAMAGED: the recording ends before `position`, or has no entry's end there.
 */
typedef struct private_replay {
    const char *archive_dir;
    int64_t recording;
    uint64_t position;
} private_replay_t;

OC_MUST_CHECK oc_err_t private_replay_run(const private_replay_t *replay, log_applier_t *applier,
                                          uint64_t *entries);

#endif
