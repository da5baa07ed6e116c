/*
 * What stands in front of a service's own bytes in an exported state: what the host knows, so that
 * an import can go on from it without knowing the service. The layout is
 * docs/formats/state-file.md.
 */
#ifndef HOST_STATE_FILE_H
#define HOST_STATE_FILE_H

#include "host/timer_queue.h"
#include "outcry/service.h"

#include <stddef.h>
#include <stdint.h>

#define STATE_FILE_MAGIC      "\x8F\x6F\x63\x73\x66\x0D\x0A\x1A"
#define STATE_FILE_MAGIC_SIZE 8
#define STATE_FILE_VERSION    UINT32_C(1)

/* Little-endian; the timers follow, in the order in which they are due, then the service's bytes.
 * */
typedef struct state_file_header {
    uint8_t magic[STATE_FILE_MAGIC_SIZE];
    uint32_t version;
    uint32_t term; /* of the last entry applied, as what follows */
    int64_t time_ns;
    uint64_t entries;      /* applied since the beginning */
    uint64_t state_hash;   /* of the service; 0 if it has none */
    uint64_t next_session; /* above every session id that was ever used */
    uint32_t timer_count;
    uint32_t max_timers;
    uint32_t timers_crc; /* of all timers */
    uint32_t crc;        /* of the bytes before it */
} state_file_header_t;

typedef struct state_file_timer {
    int64_t deadline_ns;
    int64_t id;
} state_file_timer_t;

_Static_assert(sizeof(state_file_header_t) == 64, "on disk");
_Static_assert(offsetof(state_file_header_t, term) == 12, "on disk");
_Static_assert(offsetof(state_file_header_t, time_ns) == 16, "on disk");
_Static_assert(offsetof(state_file_header_t, next_session) == 40, "on disk");
_Static_assert(offsetof(state_file_header_t, timer_count) == 48, "on disk");
_Static_assert(offsetof(state_file_header_t, crc) == 60, "on disk");
_Static_assert(sizeof(state_file_timer_t) == 16, "on disk");

/* Fills in magic, version, the timers' number and checksum, and writes header and timers. Errors:
 * OC_ERR_NO_MEMORY, those of the sink. */
OC_MUST_CHECK oc_err_t state_file_write(state_file_header_t *header, const timer_queue_t *timers,
                                        oc_capture_sink_t sink, void *context);

/* Reads header and timers; *timers is malloc'ed, owned by the caller, NULL if there are none.
 * Errors: OC_ERR_DAMAGED, OC_ERR_NO_MEMORY, those of the source. */
OC_MUST_CHECK oc_err_t state_file_read(state_file_header_t *header, state_file_timer_t **timers,
                                       oc_restore_source_t source, void *context);

#endif
