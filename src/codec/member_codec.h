/*
 * What members of a cluster say to all members, through the log: messages of schema/member.xml
 * (513), sent by a member's internal client, taken by the host and never shown to a service.
 */
#ifndef CODEC_MEMBER_CODEC_H
#define CODEC_MEMBER_CODEC_H

#include "codec/codec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMBER_MESSAGE_BYTES_MAX 4352 /* of the longest, a configuration of 4 KiB, and its seal */

#define MEMBER_SEAL_BYTES      104
#define MEMBER_KEY_BYTES       32
#define MEMBER_SIGNATURE_BYTES 64

#define MEMBER_POSITION_NONE UINT64_MAX

typedef enum member_message_type {
    MEMBER_CHECK = 1,         /* how the state is at a position */
    MEMBER_CONFIGURATION = 2, /* under which configuration it runs */
    MEMBER_NOTICE = 3,        /* something for every service: oc_notice_t */
} member_message_type_t;

typedef struct member_message {
    member_message_type_t type;
    int32_t member;
    uint64_t position;    /* CHECK: of the log; NOTICE: where it was said, MEMBER_POSITION_NONE: not
                             told, by version 1 */
    uint64_t state_hash;  /* CHECK */
    uint64_t output_hash; /* CHECK */
    uint32_t notice;      /* NOTICE */
    uint32_t max_timers;  /* CONFIGURATION */
    uint32_t length;      /* CONFIGURATION: of `bytes`, at most 4096 */
    const void *bytes;    /* borrowed */
} member_message_t;

/* OC_PROBLEM_SHORT: cut, or its length lies; OC_PROBLEM_SCHEMA; OC_PROBLEM_TEMPLATE;
 * OC_PROBLEM_FIELD: a configuration of more than 4096 bytes. With a problem all of *message is
 * zero. */
codec_result_t member_message_decode(const void *bytes, size_t length, member_message_t *message);

/* Writes it into MEMBER_MESSAGE_BYTES_MAX bytes of room; returns its size, behind which there is
 * always room for a seal. */
size_t member_message_encode(const member_message_t *message, void *bytes);

/* Behind a message: by whose key it is signed, and the signature. What they are worth is not seen
 * here (cluster/member_key.h). */
typedef struct member_signature {
    uint8_t public_key[MEMBER_KEY_BYTES];
    uint8_t signature[MEMBER_SIGNATURE_BYTES];
} member_signature_t;

/* Whether the bytes end with a seal; what is signed are those before it. False: all of *seal is
 * zero. */
bool member_message_sealed(const void *bytes, size_t length, member_signature_t *seal);

/* Writes MEMBER_SEAL_BYTES. */
void member_message_encode_seal(const member_signature_t *seal, void *bytes);

#endif
