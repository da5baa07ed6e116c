/*
 * Reads a recording of the log and applies it. Called at a member's start, before the module is
 * told anything, and by tools.
 *
 * Invariant: exactly the entries of [applier->position, position) are applied, or an error says
 * which are not there.
 */
#include "cluster/private_replay.h"

#include "base/assert.h"
#include "base/error.h"
#include "cluster/log_reader.h"
#include "cluster/recording.h"

#include <inttypes.h>

static oc_err_t apply_all(const private_replay_t *replay, recording_reader_t *reader,
                          log_applier_t *applier, uint64_t *entries)
{
    while (applier->position < replay->position) {
        log_read_t message;
        bool found;
        oc_err_t err = log_reader_next_entry(reader, (int64_t)replay->position, &message, &found);
        if (err != OC_ERR_OK)
            return err;
        if (!found)
            return error_set(OC_ERR_DAMAGED,
                             "recording %" PRId64 " of the log in %s ends at position %" PRIu64
                             ", and position %" PRIu64 " is needed",
                             replay->recording, replay->archive_dir, applier->position,
                             replay->position);
        err = log_applier_take_read(applier, &message);
        if (err != OC_ERR_OK)
            return err;
        ++*entries;
    }
    return OC_ERR_OK;
}

oc_err_t private_replay_run(const private_replay_t *replay, log_applier_t *applier,
                            uint64_t *entries)
{
    recording_reader_t *reader;
    OC_ASSERT(applier->position <= replay->position);
    *entries = 0;
    if (applier->position == replay->position)
        return OC_ERR_OK;
    oc_err_t err = recording_reader_open(&reader, replay->archive_dir, replay->recording,
                                         (int64_t)applier->position);
    if (err != OC_ERR_OK)
        return err;
    err = apply_all(replay, reader, applier, entries);
    recording_reader_close(reader);
    return err;
}
