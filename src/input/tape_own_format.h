/*
 * The bytes of the project's own tape, for its reader and its writer. The page that specifies them
 * is docs/formats/tape.md.
 */
#ifndef INPUT_TAPE_OWN_FORMAT_H
#define INPUT_TAPE_OWN_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "base/crc32c.h"
#include "outcry/model.h"

/* A byte that is not ASCII, a name, and the line ends that text tools change. */
#define TAPE_OWN_MAGIC      "\x8foctp\r\n\x1a"
#define TAPE_OWN_MAGIC_SIZE 8
#define TAPE_OWN_VERSION    UINT32_C(1)

typedef struct tape_own_header {
    uint8_t magic[TAPE_OWN_MAGIC_SIZE];
    uint32_t version;
    uint32_t header_length; /* bytes before the first record */
    uint32_t kind;          /* from here on: oc_engine_config_t */
    uint32_t max_orders;
    uint32_t max_levels;
    uint32_t max_instruments;
    uint32_t max_sources;
    uint32_t max_sessions;
    uint32_t max_pending;
    uint32_t step_bound;
    uint32_t modify_priority;
    uint32_t event_capacity;
    uint64_t hash_key[2];
    uint32_t verify_touch;
    uint32_t crc; /* CRC-32C of all bytes before it */
} tape_own_header_t;

typedef enum tape_own_tag { TAPE_OWN_COMMAND = 1, TAPE_OWN_END = 2 } tape_own_tag_t;

typedef struct tape_own_record {
    uint32_t crc; /* tape_own_record_crc() */
    uint32_t tag; /* tape_own_tag_t */
    union {
        oc_command_t command;
        struct {
            uint64_t count; /* commands before it */
            uint8_t zero[56];
        } end;
    } u;
} tape_own_record_t;

_Static_assert(sizeof(tape_own_header_t) == 80, "docs/formats/tape.md");
_Static_assert(offsetof(tape_own_header_t, kind) == 16, "docs/formats/tape.md");
_Static_assert(offsetof(tape_own_header_t, hash_key) == 56, "docs/formats/tape.md");
_Static_assert(offsetof(tape_own_header_t, crc) == 76, "docs/formats/tape.md");
_Static_assert(sizeof(tape_own_record_t) == 72, "docs/formats/tape.md");
_Static_assert(offsetof(tape_own_record_t, u) == 8, "docs/formats/tape.md");

/*
 * CRC-32C of the record's ordinal (8 bytes), its tag and its body. The ordinal is not in the file:
 * a record that stands in another's place has the wrong checksum.
 */
static inline uint32_t tape_own_record_crc(const tape_own_record_t *record, uint64_t ordinal)
{
    return crc32c(crc32c(0, &ordinal, sizeof ordinal), &record->tag,
                  sizeof record->tag + sizeof record->u);
}

static inline uint32_t tape_own_header_crc(const tape_own_header_t *header)
{
    return crc32c(0, header, offsetof(tape_own_header_t, crc));
}

#endif
