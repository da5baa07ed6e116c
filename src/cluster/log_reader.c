/*
 * The log as it was recorded. Called by everything that reads a member's own recording of it.
 *
 * What is checked here is in no checksum, and is seen only by who knows what a log is:
 *
 *   - Parts of a message without an end are those that a leader was writing when it died. What
 *     follows is the next leader's, whose first entry is its term's.
 *   - What the module writes has a length by its own schema. What a client says has none that
 *     could be known here, so that a message of a client may be longer by some zeros.
 */
#include "cluster/log_reader.h"

#define CHANGED                                                                                    \
    ": it is not what was recorded. Put the file back from a copy, or seed the member from "       \
    "another one (outcry cluster seed)"

oc_err_t log_reader_next_entry(recording_reader_t *reader, int64_t limit, log_read_t *message,
                               bool *found)
{
    const recording_message_t *raw = &message->raw;
    const cluster_log_entry_t *entry = &message->entry;
    const char *what = NULL;
    const oc_err_t err = recording_reader_next(reader, limit, &message->raw, found);
    if (err != OC_ERR_OK || !*found)
        return err;
    message->result = cluster_log_decode(raw->bytes, raw->length, &message->entry);
    if (message->result != OC_PROBLEM_NONE)
        return err;
    if (raw->abandoned && entry->type != CLUSTER_LOG_TERM)
        what = "before it is a message without an end, and no change of leader" CHANGED;
    else if (entry->behind > 0)
        what = "an entry of the log is longer than it says" CHANGED;
    *found = !what;
    return what ? recording_reader_damaged(reader, raw->start, what) : OC_ERR_OK;
}

oc_err_t log_reader_next(recording_reader_t *reader, int64_t limit, recording_message_t *message,
                         bool *found)
{
    log_read_t read;
    const oc_err_t err = log_reader_next_entry(reader, limit, &read, found);
    *message = read.raw;
    return err;
}
