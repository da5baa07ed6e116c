/*
 * The journal on disk, as docs/formats/journal.md describes it: the header of a segment, frames,
 * and the payloads of the journal's own types. Little-endian, as this project's machines are.
 */
#ifndef JOURNAL_JOURNAL_FRAME_H
#define JOURNAL_JOURNAL_FRAME_H

#include "base/crc32c.h"
#include "base/storage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structs are written as they are");

/* A byte that is not ASCII, "ocjl", the line ends that text tools change. */
#define JOURNAL_MAGIC      "\x8F\x6F\x63\x6A\x6C\x0D\x0A\x1A"
#define JOURNAL_MAGIC_SIZE 8
#define JOURNAL_VERSION    UINT32_C(1)

/* First bytes of the first block of a segment; the rest of that block is zero. */
typedef struct journal_segment_header {
    uint8_t magic[JOURNAL_MAGIC_SIZE];
    uint32_t version;
    uint32_t segment_bytes;
    uint64_t log_id; /* random, drawn when the log was made */
    uint64_t base;   /* position of the segment's first byte, this one */
    uint32_t reserved;
    uint32_t crc; /* of the bytes before it */
} journal_segment_header_t;

_Static_assert(sizeof(journal_segment_header_t) == 40, "on disk");
_Static_assert(offsetof(journal_segment_header_t, log_id) == 16, "on disk");
_Static_assert(offsetof(journal_segment_header_t, crc) == 36, "on disk");

#define JOURNAL_FRAME_ALIGN UINT32_C(32)

typedef struct journal_frame {
    uint32_t length; /* header and payload, without padding */
    uint32_t crc;    /* journal_frame_crc() */
    uint8_t type;
    uint8_t flags;
    uint16_t reserved;
    uint32_t term;
    uint64_t position; /* of this frame */
    int64_t timestamp_ns;
} journal_frame_t;

_Static_assert(sizeof(journal_frame_t) == 32, "on disk");
_Static_assert(sizeof(journal_frame_t) == JOURNAL_FRAME_ALIGN, "the header keeps payloads aligned");
_Static_assert(offsetof(journal_frame_t, type) == 8, "on disk");
_Static_assert(offsetof(journal_frame_t, term) == 12, "on disk");
_Static_assert(offsetof(journal_frame_t, position) == 16, "on disk");
_Static_assert(offsetof(journal_frame_t, timestamp_ns) == 24, "on disk");

/* The journal's own types. */
typedef enum journal_own_type {
    JOURNAL_OWN_GROUP = 1, /* first of each group */
    JOURNAL_OWN_PAD = 2,   /* last of a segment: the log goes on in the next one */
    JOURNAL_OWN_TERM = 3,  /* first entry of a term */
    JOURNAL_OWN_MARK = 4,  /* nothing was in flight */
} journal_own_type_t;

/* Flag of a GROUP: what it calls durable before it was only written, not synced. */
#define JOURNAL_GROUP_UNSYNCED UINT8_C(1)
/* Flag of a MARK: written by journal_close(). */
#define JOURNAL_MARK_ORDERLY UINT8_C(1)

typedef struct journal_group {
    uint64_t durable_before; /* highest durable position when this group was handed over */
    uint32_t group_bytes;    /* of all its frames, this one included */
    uint32_t checksum;       /* running checksum of the log before this group */
} journal_group_t;

typedef struct journal_term_note {
    uint64_t previous_end;
    uint32_t previous_checksum; /* running, at that position */
    uint32_t reason;            /* journal_verdict_kind_t of the recovery before */
} journal_term_note_t;

_Static_assert(sizeof(journal_group_t) == 16, "on disk");
_Static_assert(offsetof(journal_group_t, group_bytes) == 8, "on disk");
_Static_assert(sizeof(journal_term_note_t) == 16, "on disk");
_Static_assert(offsetof(journal_term_note_t, previous_checksum) == 8, "on disk");

/* Bytes that a frame with that payload takes in the log. */
static inline uint32_t journal_frame_bytes(uint32_t payload_length)
{
    return ((uint32_t)sizeof(journal_frame_t) + payload_length + JOURNAL_FRAME_ALIGN - 1) &
           ~(JOURNAL_FRAME_ALIGN - 1);
}

/* Room of the GROUP frame in front of each group. */
#define JOURNAL_GROUP_FRAME_BYTES UINT32_C(64)

static inline uint64_t journal_block_up(uint64_t position)
{
    return (position + STORAGE_BLOCK - 1) & ~(uint64_t)(STORAGE_BLOCK - 1);
}

static inline uint64_t journal_block_down(uint64_t position)
{
    return position & ~(uint64_t)(STORAGE_BLOCK - 1);
}

/* What the checksums of a log's frames start from, so that those of another log never fit. */
static inline uint32_t journal_salt(uint64_t log_id)
{
    return crc32c(0, &log_id, sizeof log_id);
}

/* Of the frame's length and of everything behind its crc; the payload follows the header. */
static inline uint32_t journal_frame_crc(const journal_frame_t *frame, uint32_t salt)
{
    return crc32c(salt ^ frame->length, &frame->type, frame->length - 8);
}

/* The running checksum of the log, one frame further: over its length and its own checksum. */
static inline uint32_t journal_chain(uint32_t checksum, const journal_frame_t *frame)
{
    return crc32c(checksum, frame, offsetof(journal_frame_t, type));
}

#endif
