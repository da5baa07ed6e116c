/*
 * Reads the log of a cluster from a member's recording: messages as recording.h gives them, held
 * against what a log can have.
 *
 * Threads: as for recording_reader_t.
 */
#ifndef CLUSTER_LOG_READER_H
#define CLUSTER_LOG_READER_H

#include "cluster/recording.h"

/* As recording_reader_next(), of a recording that is a log's. OC_ERR_DAMAGED: also an entry that
 * cannot be where it is, or is longer than it says. One of another protocol is not looked at. */
OC_MUST_CHECK oc_err_t log_reader_next(recording_reader_t *reader, int64_t limit,
                                       recording_message_t *message, bool *found);

#endif
