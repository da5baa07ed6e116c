/*
 * The client protocol of Aeron Cluster (schema 111, protocol 0.3.0; Aeron's own
 * aeron-cluster-codecs.xml), both directions: bytes <-> cluster_message_t.
 *
 * Strings and blobs are borrowed from the bytes that were decoded, or from the caller to encode.
 * Lengths in a message are checked against its bytes before anything is believed.
 */
#ifndef CODEC_CLUSTER_CODEC_H
#define CODEC_CLUSTER_CODEC_H

#include "codec/codec.h"

#include <stddef.h>
#include <stdint.h>

#define CLUSTER_INGRESS_STREAM 101
#define CLUSTER_EGRESS_STREAM  102

/* Semantic version 0.3.0 as the protocol packs it. */
#define CLUSTER_PROTOCOL_VERSION INT32_C(0x000300)

/* Bytes in front of an application message: SBE header and SessionMessageHeader. */
#define CLUSTER_SESSION_HEADER_BYTES 32

typedef struct cluster_text {
    const char *bytes; /* not terminated */
    uint32_t length;
} cluster_text_t;

/* The template ids. */
typedef enum cluster_type {
    CLUSTER_SESSION_MESSAGE = 1,
    CLUSTER_SESSION_EVENT = 2,
    CLUSTER_CONNECT_REQUEST = 3,
    CLUSTER_CLOSE_REQUEST = 4,
    CLUSTER_KEEP_ALIVE = 5,
    CLUSTER_NEW_LEADER = 6,
    CLUSTER_CHALLENGE = 7,
    CLUSTER_CHALLENGE_RESPONSE = 8,
    CLUSTER_ADMIN_REQUEST = 26,
    CLUSTER_ADMIN_RESPONSE = 27,
} cluster_type_t;

typedef enum cluster_event_code {
    CLUSTER_EVENT_OK = 0,
    CLUSTER_EVENT_ERROR = 1,
    CLUSTER_EVENT_REDIRECT = 2,
    CLUSTER_EVENT_AUTHENTICATION_REJECTED = 3,
    CLUSTER_EVENT_CLOSED = 4,
} cluster_event_code_t;

typedef struct cluster_message {
    cluster_type_t type;
    int64_t correlation_id; /* EVENT, CONNECT_REQUEST, CHALLENGE, CHALLENGE_RESPONSE, ADMIN_* */
    int64_t session;        /* cluster session id; all but CONNECT_REQUEST */
    int64_t term;           /* leadership term id; MESSAGE, EVENT, CLOSE, KEEP_ALIVE, NEW_LEADER,
                               ADMIN_REQUEST */
    int64_t timestamp;      /* MESSAGE */
    int64_t leader_heartbeat_timeout_ns; /* EVENT */
    int32_t leader;                      /* member id; EVENT, NEW_LEADER */
    int32_t code;            /* EVENT: cluster_event_code_t; ADMIN_RESPONSE: 0 ok, 1 error, 2
                               unauthorised; ADMIN_REQUEST: request type */
    int32_t version;         /* EVENT, CONNECT_REQUEST; 0: absent */
    int32_t response_stream; /* CONNECT_REQUEST */
    cluster_text_t text; /* EVENT: detail; CONNECT_REQUEST: response channel; NEW_LEADER: ingress
                               endpoints; ADMIN_RESPONSE: message */
    cluster_text_t data; /* CONNECT_REQUEST, CHALLENGE_RESPONSE: credentials; CHALLENGE:
                               challenge; MESSAGE: application payload; ADMIN_*: payload */
    cluster_text_t client_info; /* CONNECT_REQUEST; may be absent */
} cluster_message_t;

/* Decodes a whole message; `bytes` is borrowed as long as the texts are used. */
codec_result_t cluster_decode(const void *bytes, size_t length, cluster_message_t *message);

/* Writes a message; returns its size, 0 when `capacity` is too small. MESSAGE: with its payload. */
size_t cluster_encode(const cluster_message_t *message, void *bytes, size_t capacity);

/* Writes only the CLUSTER_SESSION_HEADER_BYTES in front of a payload. */
void cluster_encode_session_header(void *bytes, int64_t term, int64_t session, int64_t timestamp);

#endif
