/*
 * Reading what Aeron's archive has recorded, from its files: the catalog, and the frames of a
 * recording. Nothing is asked of the archive, which may run or not; nothing is ever written.
 *
 * Archive files are `archive.catalog` and `<recordingId>-<basePosition>.rec`, segments that hold
 * term buffers byte for byte (docs/formats/aeron-files.md).
 *
 * Threads: one at a time for each recording_reader_t.
 */
#ifndef CLUSTER_RECORDING_H
#define CLUSTER_RECORDING_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDING_TEXT_MAX 1024

/* What the catalog says of a recording. */
typedef struct recording_descriptor {
    int64_t id;
    bool valid;
    int64_t start_position;
    int64_t stop_position; /* -1: it was active when this was written */
    int64_t start_timestamp_ms;
    int64_t stop_timestamp_ms; /* -1: none */
    int32_t initial_term_id;
    int32_t segment_bytes;
    int32_t term_bytes;
    int32_t mtu_bytes;
    int32_t session_id;
    int32_t stream_id;
    char stripped_channel[RECORDING_TEXT_MAX]; /* terminated, cut */
    uint64_t catalog_offset; /* of the entry, and its length with padding: to change or copy it */
    uint64_t catalog_length;
} recording_descriptor_t;

/* The descriptor of a valid recording. Errors: OC_ERR_OPEN: there is no catalog, or it does not
 * have the recording; OC_ERR_READ, OC_ERR_NO_MEMORY; OC_ERR_FORMAT: no catalog of a known version;
 * OC_ERR_DAMAGED. */
OC_MUST_CHECK oc_err_t recording_find(const char *archive_dir, int64_t id,
                                      recording_descriptor_t *descriptor);

/* All of them, in the order of the catalog, also those that are not valid. False from the visitor
 * ends it. Errors as above. */
typedef bool (*recording_visitor_t)(void *context, const recording_descriptor_t *descriptor);
OC_MUST_CHECK oc_err_t recording_list(const char *archive_dir, recording_visitor_t visitor,
                                      void *context);

typedef struct recording_reader recording_reader_t;

/*
 * Opens a recording for reading from `position`, where a frame begins or the recording ends. Errors
 * as above, and OC_ERR_DAMAGED: the recording does not go back that far (purged) or does not reach
 * it, or no frame begins there. The caller owns *reader: recording_reader_close().
 */
OC_MUST_CHECK oc_err_t recording_reader_open(recording_reader_t **reader, const char *archive_dir,
                                             int64_t id, int64_t position);
void recording_reader_close(recording_reader_t *self); /* NULL is allowed */

/* Whether the frames have checksums (CRC-32C), so that changed bytes are found: an archive makes
 * them of all frames of a recording or of none, so the first ones tell. */
bool recording_reader_checked(const recording_reader_t *self);

/* The same of a recording; true also where nothing is recorded yet. Errors as for opening. */
OC_MUST_CHECK oc_err_t recording_may_be_checked(const char *archive_dir, int64_t id, bool *may);

typedef struct recording_message {
    const uint8_t *bytes; /* put together of its fragments, 8-byte aligned; borrowed until the next
                             call */
    size_t length;
    int64_t start;      /* position where its first frame begins */
    int64_t position;   /* of its end: where the next frame begins */
    int32_t session_id; /* of the last frame; its checksum, if it has one */
    int32_t term_id;
    bool abandoned; /* before it are parts of a message that never got its end */
} recording_message_t;

/*
 * The next message that ends at or before `limit`; padding is passed over, and so are fragments of
 * a message that never got its end (a leader that died in the middle of it), as Aeron's own
 * assemblers do, but that is told. *found false: there is none; what is written later is found by a
 * later call.
 *
 * The end of what is written, zeros, is the end; so is the catalog's stop position. While an
 * archive writes, `limit` must not be above what it says it has recorded (its counter), since what
 * is there of the frames behind that may change; what lay behind the limit of an earlier call is
 * read anew.
 *
 * Errors: OC_ERR_READ, OC_ERR_NO_MEMORY; OC_ERR_DAMAGED: a frame that cannot be or whose checksum
 * is wrong, zeros with something behind them, or the files end before the recording does; file and
 * offset are named.
 */
OC_MUST_CHECK oc_err_t recording_reader_next(recording_reader_t *self, int64_t limit,
                                             recording_message_t *message, bool *found);

/* OC_ERR_DAMAGED, which names file and offset of `position`: for who knows more of a message. */
OC_MUST_CHECK oc_err_t recording_reader_damaged(const recording_reader_t *self, int64_t position,
                                                const char *what);

/* Position up to which the last call has read: the end of its message, or where it would go on. */
int64_t recording_reader_position(const recording_reader_t *self);

/*
 * Up to where the files hold whole frames, looked for from `from`, a position where a frame begins
 * (the start of the last segment file is, if it is above), or the stop position, where a frame must
 * end (OC_ERR_DAMAGED). Without one a last frame of which a later page is all zero, and whose
 * checksum is not right, does not count, as for the archive itself. All segments that have
 * something of it must be there, and nothing but zeros behind the end. What a running archive
 * writes meanwhile may be missed. Errors as for opening.
 */
OC_MUST_CHECK oc_err_t recording_end(const char *archive_dir, int64_t id, int64_t from,
                                     int64_t *end);

/*
 * Makes [from, position) of the log's recording durable, so that a start finds it: fdatasync of the
 * segment files, of the catalog and of recording.log, and fsync of their directories; nothing of
 * that where `from` has reached `position`. First checks that a frame ends at `position`. Errors:
 * OC_ERR_OPEN, OC_ERR_READ, OC_ERR_SYNC, OC_ERR_NO_MEMORY, OC_ERR_DAMAGED.
 */
OC_MUST_CHECK oc_err_t recording_sync(const char *archive_dir, const char *cluster_dir,
                                      const recording_descriptor_t *recording, int64_t from,
                                      int64_t position);

#endif
