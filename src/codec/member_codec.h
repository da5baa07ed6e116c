/*
 * What members of a cluster say to all members, through the log: messages of schema/member.xml
 * (513), sent by a member's internal client, taken by the host and never shown to a service.
 */
#ifndef CODEC_MEMBER_CODEC_H
#define CODEC_MEMBER_CODEC_H

#include "codec/codec.h"

#include <stddef.h>
#include <stdint.h>

#define MEMBER_MESSAGE_BYTES_MAX 4352 /* of the longest, a configuration of 4 KiB */

typedef enum member_message_type {
    MEMBER_CHECK = 1,         /* how the state is at a position */
    MEMBER_CONFIGURATION = 2, /* under which configuration it runs */
    MEMBER_NOTICE = 3,        /* something for every service: oc_notice_t */
} member_message_type_t;

typedef struct member_message {
    member_message_type_t type;
    int32_t member;
    uint64_t position;    /* CHECK: of the log */
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

/* Writes it into MEMBER_MESSAGE_BYTES_MAX bytes of room; returns its size. */
size_t member_message_encode(const member_message_t *message, void *bytes);

#endif
