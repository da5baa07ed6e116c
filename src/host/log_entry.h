/*
 * What the host writes into its log: one record per thing that happened, as the payload of a
 * journal entry. The layouts are docs/formats/node-log.md.
 *
 * Decoding believes nothing: a payload that no build of this format writes is refused.
 */
#ifndef HOST_LOG_ENTRY_H
#define HOST_LOG_ENTRY_H

#include "gateway/authenticator.h"
#include "journal/journal.h"
#include "outcry/service.h"

#include <stdbool.h>
#include <stdint.h>

/* Types of journal entries. Never renumbered. */
typedef enum log_record_type {
    LOG_CONFIGURATION = JOURNAL_TYPE_USER, /* the first one of a log, and only that */
    LOG_SESSION_OPEN,
    LOG_SESSION_CLOSE,
    LOG_MESSAGE,
    LOG_TIMER,
    LOG_TIME,
    LOG_NOTICE,
    LOG_IMPORT, /* instead of a configuration: what was before is in an image, and only there */
} log_record_type_t;

#define LOG_FORMAT            UINT32_C(1)
#define LOG_CONFIGURATION_MAX 4096 /* bytes of the service */

/* The payloads: little-endian, reserved fields zero. */
typedef struct log_configuration {
    uint32_t format;
    uint32_t max_timers; /* decides what oc_host_schedule_timer() answers */
    uint32_t length;     /* of the service's bytes, which follow */
    uint32_t reserved;
} log_configuration_t;

typedef struct log_session_open {
    uint64_t session;
    gateway_open_t open;
} log_session_open_t;

typedef struct log_session_close {
    uint64_t session;
    uint32_t reason; /* oc_close_reason_t */
    uint32_t reserved;
} log_session_close_t;

/* The bytes of the message follow. */
typedef struct log_message {
    uint64_t session;
} log_message_t;

typedef struct log_timer {
    int64_t timer;
} log_timer_t;

typedef struct log_time {
    uint64_t reserved;
} log_time_t;

typedef struct log_notice {
    uint32_t kind; /* oc_notice_t */
    uint32_t reserved;
} log_notice_t;

/* Of the log that the imported state was built up by; for people. */
typedef struct log_import {
    uint64_t entries;
    int64_t time_ns; /* of its last entry */
    uint32_t term;
    uint32_t reserved;
} log_import_t;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the structs are the format");
_Static_assert(sizeof(log_configuration_t) == 16, "on disk");
_Static_assert(sizeof(gateway_open_t) == 304, "on disk");
_Static_assert(offsetof(gateway_open_t, correlation_id) == 32, "on disk");
_Static_assert(offsetof(gateway_open_t, response_stream) == 40, "on disk");
_Static_assert(offsetof(gateway_open_t, channel_length) == 44, "on disk");
_Static_assert(offsetof(gateway_open_t, response_channel) == 48, "on disk");
_Static_assert(sizeof(log_session_open_t) == 312, "on disk");
_Static_assert(sizeof(log_session_close_t) == 16, "on disk");
_Static_assert(sizeof(log_message_t) == 8, "on disk; keeps the message 8-byte aligned");
_Static_assert(sizeof(log_timer_t) == 8, "on disk");
_Static_assert(sizeof(log_time_t) == 8, "on disk");
_Static_assert(sizeof(log_notice_t) == 8, "on disk");
_Static_assert(sizeof(log_import_t) == 24, "on disk");
_Static_assert(offsetof(log_import_t, time_ns) == 8, "on disk");
_Static_assert(offsetof(log_import_t, term) == 16, "on disk");

/* A record in memory; pointers are borrowed from the payload, or from who encodes it. */
typedef struct log_record {
    log_record_type_t type;
    oc_session_id_t session;    /* SESSION_OPEN, SESSION_CLOSE, MESSAGE */
    const gateway_open_t *open; /* SESSION_OPEN */
    oc_close_reason_t reason;   /* SESSION_CLOSE */
    oc_timer_id_t timer;        /* TIMER */
    oc_notice_t notice;         /* NOTICE */
    uint64_t entries;           /* IMPORT, as what follows */
    int64_t time_ns;
    uint32_t term;
    uint32_t max_timers; /* CONFIGURATION */
    uint32_t length;     /* MESSAGE, CONFIGURATION: of `bytes` */
    const void *bytes;
} log_record_t;

/* Bytes of the payload. */
uint32_t log_record_size(const log_record_t *record);

/* Writes the payload (log_record_size() bytes, 8-byte aligned). Afterwards the record's `bytes` and
 * `open` are the payload's own, which is where they stay valid. */
void log_record_encode(log_record_t *record, void *payload);

/* Reads a payload (8-byte aligned). False: not of this format; *record is then undefined. */
bool log_record_decode(log_record_t *record, uint8_t type, const void *payload, uint32_t length);

/* For messages; "unknown" for a type that is none. */
const char *log_record_name(uint8_t type);

#endif
