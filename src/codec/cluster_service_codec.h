/*
 * The protocol between a consensus module of Aeron Cluster and its service, and what the module
 * writes into the log (schema 111, Aeron's own aeron-cluster-codecs.xml): bytes <-> structs.
 *
 * What is in a message but not in an older version of its schema gets the value that the schema
 * names for absent. Strings and blobs are borrowed from the bytes that were decoded, or from the
 * caller to encode. Lengths in a message are checked against its bytes before anything is believed.
 */
#ifndef CODEC_CLUSTER_SERVICE_CODEC_H
#define CODEC_CLUSTER_SERVICE_CODEC_H

#include "codec/cluster_codec.h"

#include <stdbool.h>

/* No value, as the schema writes it. */
#define CLUSTER_NULL_VALUE INT64_C(-1)

/* Snapshots of a service, as markers name them. */
#define CLUSTER_SNAPSHOT_TYPE_SERVICE INT64_C(2)

/* ---- The log ---- */

typedef enum cluster_log_type {
    CLUSTER_LOG_MESSAGE = 1,
    CLUSTER_LOG_TIMER = 20,
    CLUSTER_LOG_OPEN = 21,
    CLUSTER_LOG_CLOSE = 22,
    CLUSTER_LOG_ACTION = 23,
    CLUSTER_LOG_TERM = 24,
    CLUSTER_LOG_MEMBERSHIP = 25,
    CLUSTER_LOG_OTHER = 0, /* of the schema, and without a meaning here */
} cluster_log_type_t;

typedef enum cluster_action {
    CLUSTER_ACTION_SUSPEND = 0,
    CLUSTER_ACTION_RESUME = 1,
    CLUSTER_ACTION_SNAPSHOT = 2
} cluster_action_t;

typedef enum cluster_time_unit {
    CLUSTER_TIME_MILLIS = 0,
    CLUSTER_TIME_MICROS = 1,
    CLUSTER_TIME_NANOS = 2,
} cluster_time_unit_t;

/* An entry of the log; which fields count says the type. */
typedef struct cluster_log_entry {
    cluster_log_type_t type;
    int64_t term;             /* leadership term id, from 0; all but OTHER */
    int64_t timestamp;        /* in the cluster's time unit; all but OTHER */
    int64_t session;          /* MESSAGE, OPEN, CLOSE */
    int64_t correlation_id;   /* TIMER, OPEN */
    int64_t log_position;     /* ACTION, TERM, MEMBERSHIP: of the entry's end */
    int64_t term_base;        /* TERM: position at which the leadership term began */
    int32_t leader;           /* TERM, MEMBERSHIP: member id */
    int32_t log_session;      /* TERM: session id of the leader's log publication */
    int32_t time_unit;        /* TERM: cluster_time_unit_t; absent: MILLIS */
    int32_t app_version;      /* TERM */
    int32_t action;           /* ACTION: cluster_action_t, or another value */
    int32_t flags;            /* ACTION; absent: 0 (default); 1: for standbys only */
    int32_t close_reason;     /* CLOSE: 0 client, 1 service, 2 timeout */
    int32_t response_stream;  /* OPEN */
    cluster_text_t channel;   /* OPEN: where the client wants its answers */
    cluster_text_t principal; /* OPEN: encoded principal */
    cluster_text_t payload;   /* MESSAGE */
    size_t behind;            /* bytes behind all that the schema has, of a version known here */
} cluster_log_entry_t;

/* A template that is not named above gives OTHER. OC_PROBLEM_SHORT: cut, or a length in it lies;
 * OC_PROBLEM_SCHEMA. With a problem all of *entry is zero. */
codec_result_t cluster_log_decode(const void *bytes, size_t length, cluster_log_entry_t *entry);

/* For tests: writes an entry, a MEMBERSHIP without what has no field here; returns its size, 0 when
 * `capacity` is too small or the type is OTHER. */
size_t cluster_log_encode(const cluster_log_entry_t *entry, void *bytes, size_t capacity);

/* ---- Module to service ---- */

typedef enum cluster_control_type {
    CLUSTER_CONTROL_JOIN_LOG = 40,
    CLUSTER_CONTROL_TERMINATION = 42,
    CLUSTER_CONTROL_MEMBERS = 43, /* ClusterMembersExtendedResponse */
    CLUSTER_CONTROL_REQUEST_ACK = 108,
    CLUSTER_CONTROL_OTHER = 0,
} cluster_control_type_t;

typedef struct cluster_control {
    cluster_control_type_t type;
    int64_t correlation_id;  /* MEMBERS */
    int64_t position;        /* JOIN_LOG, TERMINATION, REQUEST_ACK: log position */
    int64_t max_position;    /* JOIN_LOG: the log is to be followed up to here */
    int64_t members_time_ns; /* MEMBERS: the module's clock when it answered */
    int32_t member;          /* JOIN_LOG, MEMBERS: the module's own */
    int32_t log_session;     /* JOIN_LOG: session id */
    int32_t log_stream;      /* JOIN_LOG */
    int32_t role;            /* JOIN_LOG: 0 follower, 1 candidate, 2 leader */
    bool startup;            /* JOIN_LOG */
    bool standby;            /* JOIN_LOG; absent: false */
    bool acknowledge;        /* TERMINATION: wants an ack; absent: true */
    int32_t members_leader;  /* MEMBERS: member id of the leader */
    cluster_text_t channel;  /* JOIN_LOG: of the log */
} cluster_control_t;

/* As cluster_log_decode(). */
codec_result_t cluster_control_decode(const void *bytes, size_t length, cluster_control_t *control);

/* For tests: writes JOIN_LOG, TERMINATION or REQUEST_ACK as the module would; returns the size, 0
 * when `capacity` is too small or the type is another one. */
size_t cluster_control_encode(const cluster_control_t *control, void *bytes, size_t capacity);

/* One active member of a MEMBERS message. */
typedef struct cluster_member_status {
    int32_t member;
    int64_t term;
    int64_t log_position;
    int64_t last_append_ns;      /* as the module stamps it */
    cluster_text_t endpoints[5]; /* ingress, consensus, log, catchup, archive */
} cluster_member_status_t;

/* The nth active member, from 0, of a MEMBERS message that was decoded; false: there are no more.
 * Texts are borrowed from `bytes`. */
bool cluster_control_member(const void *bytes, size_t length, size_t n,
                            cluster_member_status_t *member);

/* ---- Service to module ---- */

/* Room for any of these. */
#define CLUSTER_REQUEST_BYTES_MAX 64

typedef struct cluster_ack {
    int64_t position;
    int64_t timestamp;
    int64_t id;          /* from 0, one more with each */
    int64_t relevant_id; /* recording, client, or CLUSTER_NULL_VALUE */
    int32_t service;
} cluster_ack_t;

/* Each returns the bytes written, at most CLUSTER_REQUEST_BYTES_MAX. */
size_t cluster_encode_ack(const cluster_ack_t *ack, void *bytes);
size_t cluster_encode_schedule_timer(int64_t correlation_id, int64_t deadline, void *bytes);
size_t cluster_encode_close_session(int64_t session, void *bytes);
size_t cluster_encode_members_query(int64_t correlation_id, void *bytes);

/* For tests: what the service said. */
typedef enum cluster_request_type {
    CLUSTER_REQUEST_CLOSE_SESSION = 30,
    CLUSTER_REQUEST_SCHEDULE_TIMER = 31,
    CLUSTER_REQUEST_ACK = 33,
    CLUSTER_REQUEST_MEMBERS_QUERY = 34,
} cluster_request_type_t;

typedef struct cluster_request {
    cluster_request_type_t type;
    cluster_ack_t ack;
    int64_t correlation_id; /* SCHEDULE_TIMER, MEMBERS_QUERY */
    int64_t deadline;
    int64_t session;
} cluster_request_t;

/* OC_PROBLEM_TEMPLATE: none of them. */
codec_result_t cluster_request_decode(const void *bytes, size_t length, cluster_request_t *request);

/* ---- Snapshots of a service ---- */

typedef enum cluster_snapshot_mark {
    CLUSTER_SNAPSHOT_BEGIN = 0,
    CLUSTER_SNAPSHOT_SECTION = 1,
    CLUSTER_SNAPSHOT_END = 2,
} cluster_snapshot_mark_t;

typedef enum cluster_snapshot_type {
    CLUSTER_SNAPSHOT_MARKER = 100,
    CLUSTER_SNAPSHOT_SESSION = 102,
    CLUSTER_SNAPSHOT_OTHER = 0, /* not of this schema: the service's own */
} cluster_snapshot_type_t;

typedef struct cluster_snapshot_message {
    cluster_snapshot_type_t type;
    int64_t type_id;      /* MARKER: CLUSTER_SNAPSHOT_TYPE_SERVICE */
    int64_t log_position; /* MARKER */
    int64_t term;         /* MARKER: leadership term id */
    int32_t mark;         /* MARKER */
    int32_t time_unit;    /* MARKER */
    int32_t app_version;  /* MARKER */
    int64_t session;      /* SESSION */
    int32_t response_stream;
    cluster_text_t channel;
    cluster_text_t principal;
} cluster_snapshot_message_t;

/* OC_PROBLEM_TEMPLATE: of this schema and no part of a service's snapshot. What is too short for a
 * header is OC_PROBLEM_SHORT, so the service's own messages have one of theirs. */
codec_result_t cluster_snapshot_decode(const void *bytes, size_t length,
                                       cluster_snapshot_message_t *message);
/* Returns the size, 0 when `capacity` is too small or the type is OTHER. */
size_t cluster_snapshot_encode(const cluster_snapshot_message_t *message, void *bytes,
                               size_t capacity);

#endif
