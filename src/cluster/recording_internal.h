/*
 * What reading a recording (recording.c), finding its end (recording_end.c) and making it durable
 * (recording_sync.c) share: frames as they lie in the segments, and a reader that has a block of
 * them.
 */
#ifndef CLUSTER_RECORDING_INTERNAL_H
#define CLUSTER_RECORDING_INTERNAL_H

#include "cluster/recording.h"
#include "cluster/recording_segments.h"

#include <string.h>

/* DataHeaderFlyweight: what a frame begins with. */
typedef struct frame_header {
    int32_t length; /* with this header, without padding; 0: nothing is written here */
    uint8_t version;
    uint8_t flags;
    uint16_t type;
    int32_t term_offset;
    int32_t session_id; /* a checksum of the frame, if the archive was told to make one */
    int32_t stream_id;
    int32_t term_id;
    int64_t reserved;
} frame_header_t;

_Static_assert(sizeof(frame_header_t) == RECORDING_FRAME_HEADER, "on disk");

enum {
    FRAME_BEGIN = 0x80,
    FRAME_END = 0x40,
    FRAME_WHOLE = FRAME_BEGIN | FRAME_END,
    TYPE_PADDING = 0,
    TYPE_DATA = 1,
    FRAME_BYTES_MAX = 65536,      /* of data: what fits into a datagram */
    MESSAGE_BYTES_MAX = 16 << 20, /* Aeron sends none that is longer */
    BLOCK_BYTES = 256 * 1024,     /* read at once: stays in the second-level cache */
    CHECKED_LOOKS = 16,           /* frames that tell whether there are checksums */
    PAGE_BYTES = 4096,
};

/* The way out where a recording is not as it was: closes what is said of it. */
#define RECORDING_WAY_OUT                                                                          \
    ". Put the file back from a copy, or seed the member from another one (outcry cluster seed)"

struct recording_reader {
    char *archive_dir;
    recording_descriptor_t recording;
    int fd;          /* of the segment at `segment`, -1: none is open */
    int64_t segment; /* its base */
    uint8_t *block;  /* bytes from position `block_start` on */
    int64_t block_start;
    int64_t believed; /* position up to which they count */
    int64_t position; /* where the next message is looked for */
    int64_t opened;   /* where the first one was, which somebody has asked for */
    uint8_t *message; /* fragments put together */
    size_t message_room;
    size_t message_length;
    bool checked; /* its frames have checksums */
};

/* What the frame at `position` takes, with padding. */
static inline int64_t recording_frame_space(const frame_header_t *header)
{
    return ((int64_t)header->length + RECORDING_FRAME_ALIGN - 1) & ~(RECORDING_FRAME_ALIGN - 1);
}

static inline void recording_take_header(const recording_reader_t *self, int64_t position,
                                         frame_header_t *header)
{
    memcpy(header, self->block + (position - self->block_start), sizeof *header);
}

/* Whether `bytes` from `position` on are in the block and believed. */
static inline bool recording_has(const recording_reader_t *self, int64_t position, int64_t bytes)
{
    return position >= self->block_start && position + bytes <= self->believed;
}

/* Of a recording that the catalog has; undo: recording_reader_close(). */
OC_MUST_CHECK oc_err_t recording_create(recording_reader_t **reader, const char *archive_dir,
                                        const recording_descriptor_t *recording);

/* Whether a frame of data, whose bytes are in the block, has a right checksum. */
bool recording_checksum_matches(const recording_reader_t *self, int64_t position,
                                const frame_header_t *header);

/* Opens the segment at `base`; *there false: there is no such file. */
OC_MUST_CHECK oc_err_t recording_open_segment(recording_reader_t *self, int64_t base, bool *there);

/* Reads a block from `position` on. What is there of it is believed up to `limit`. */
OC_MUST_CHECK oc_err_t recording_load(recording_reader_t *self, int64_t position, int64_t limit);

/* The header of the frame at `position`, which is read anew; header->length is 0 when nothing is
 * written there. */
OC_MUST_CHECK oc_err_t recording_load_frame(recording_reader_t *self, int64_t position,
                                            int64_t limit, frame_header_t *header);

/* Walks frames from `from` until one begins at or behind `to`, or nothing is written; *end is where
 * that is, *last where the frame before begins (-1: there is none). */
OC_MUST_CHECK oc_err_t recording_walk(recording_reader_t *self, int64_t from, int64_t to,
                                      int64_t *end, int64_t *last);

/* OC_ERR_DAMAGED unless a frame ends at `position`, or the recording begins there. */
OC_MUST_CHECK oc_err_t recording_check_boundary(recording_reader_t *self, int64_t position);

/*
 * Nothing is written at `position`, where a reader wants to go on. That is the end, unless there is
 * more behind it (OC_ERR_DAMAGED). *again: an archive that runs has written there since the block
 * was read, in order, so that what is behind it was written later still.
 */
OC_MUST_CHECK oc_err_t recording_check_zeros(recording_reader_t *self, int64_t position,
                                             bool *again);

#endif
