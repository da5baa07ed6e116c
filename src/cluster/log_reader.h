/*
 * Reads the log of a cluster from a member's recording: messages as recording.h gives them, held
 * against what a log can have.
 *
 * Threads: as for recording_reader_t.
 */
#ifndef CLUSTER_LOG_READER_H
#define CLUSTER_LOG_READER_H

#include "cluster/recording.h"
#include "codec/cluster_service_codec.h"

/* As recording_reader_next(), of a recording that is a log's. OC_ERR_DAMAGED: also an entry that
 * cannot be where it is, or is longer than it says. One of another protocol is not looked at. */
OC_MUST_CHECK oc_err_t log_reader_next(recording_reader_t *reader, int64_t limit,
                                       recording_message_t *message, bool *found);

/* A message with what it says, for who wants to apply it. */
typedef struct log_read {
    recording_message_t raw;
    cluster_log_entry_t entry; /* borrows from `raw` */
    codec_result_t result;     /* of decoding; OC_PROBLEM_NONE: `entry` counts */
} log_read_t;

/* As log_reader_next(), which decodes what it looks at. */
OC_MUST_CHECK oc_err_t log_reader_next_entry(recording_reader_t *reader, int64_t limit,
                                             log_read_t *message, bool *found);

#endif
