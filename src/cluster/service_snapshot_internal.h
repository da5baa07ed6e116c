/*
 * The messages of a service's snapshot that are ours. For writer and reader, and tests, alone; the
 * layout is docs/formats/cluster-snapshot.md.
 */
#ifndef CLUSTER_SERVICE_SNAPSHOT_INTERNAL_H
#define CLUSTER_SERVICE_SNAPSHOT_INTERNAL_H

#include "cluster/service_snapshot.h"

#include <stddef.h>
#include <stdint.h>

/* Its bytes 4 and 5 are no schema id of Aeron's, so that no reader takes it for a message of it. */
#define SERVICE_SNAPSHOT_MAGIC      "\x8F\x6F\x63\x73\x73\x0D\x0A\x1A"
#define SERVICE_SNAPSHOT_MAGIC_SIZE 8
#define SERVICE_SNAPSHOT_VERSION    UINT32_C(1)

typedef enum snapshot_part {
    SNAPSHOT_PART_HEADER = 1,
    SNAPSHOT_PART_SESSIONS = 2,
    SNAPSHOT_PART_STATE = 3,
    SNAPSHOT_PART_END = 4,
} snapshot_part_t;

/* In front of each. All little-endian. */
typedef struct snapshot_frame {
    uint8_t magic[SERVICE_SNAPSHOT_MAGIC_SIZE];
    uint32_t version;
    uint32_t part; /* snapshot_part_t */
} snapshot_frame_t;

/* The configuration's bytes follow. */
typedef struct snapshot_header {
    snapshot_frame_t frame;
    uint64_t position;
    uint64_t log_id;
    uint64_t entries;
    uint64_t state_hash;
    uint64_t output_hash;
    int64_t time_ns;
    int64_t leadership_term;
    uint32_t term;
    uint32_t log_checksum;
    uint32_t kind;
    int32_t time_unit;
    int32_t app_version;
    uint32_t sessions;
    uint32_t max_timers;
    uint32_t configuration_length;
} snapshot_header_t;

/* What the messages of the module's own form do not say of sessions; `count` of snapshot_session_t
 * follow. */
typedef struct snapshot_sessions {
    snapshot_frame_t frame;
    uint32_t first; /* sessions of the snapshot before it */
    uint32_t count;
} snapshot_sessions_t;

typedef struct snapshot_session {
    uint64_t session;
    int64_t correlation_id;
    uint32_t closing; /* 0 or 1 */
    uint32_t reserved;
} snapshot_session_t;

/* `length` bytes of the state follow. */
typedef struct snapshot_state {
    snapshot_frame_t frame;
    uint64_t offset;
    uint32_t length;
    uint32_t reserved;
} snapshot_state_t;

typedef struct snapshot_end {
    snapshot_frame_t frame;
    uint64_t bytes;    /* of the state */
    uint32_t messages; /* of the snapshot before this one */
    uint32_t crc;      /* CRC-32C of all of them, and of what is before it here */
} snapshot_end_t;

_Static_assert(sizeof(snapshot_frame_t) == 16, "on disk");
_Static_assert(sizeof(snapshot_header_t) == 104, "on disk");
_Static_assert(offsetof(snapshot_header_t, leadership_term) == 64, "on disk");
_Static_assert(offsetof(snapshot_header_t, term) == 72, "on disk");
_Static_assert(offsetof(snapshot_header_t, kind) == 80, "on disk");
_Static_assert(offsetof(snapshot_header_t, configuration_length) == 100, "on disk");
_Static_assert(sizeof(snapshot_sessions_t) == 24, "on disk");
_Static_assert(sizeof(snapshot_session_t) == 24, "on disk");
_Static_assert(sizeof(snapshot_state_t) == 32, "on disk");
_Static_assert(sizeof(snapshot_end_t) == 32, "on disk");
_Static_assert(offsetof(snapshot_end_t, crc) == 28, "on disk");
_Static_assert(sizeof(snapshot_header_t) + LOG_CONFIGURATION_MAX <= SERVICE_SNAPSHOT_MESSAGE_MAX,
               "a header is one message");

/* Sessions in one message at most. */
enum {
    SNAPSHOT_SESSIONS_MAX =
        (SERVICE_SNAPSHOT_MESSAGE_MAX - sizeof(snapshot_sessions_t)) / sizeof(snapshot_session_t)
};

#endif
