/*
 * The host's records as bytes. Called by the node when it appends, and by recovery for every entry
 * that it reads.
 *
 * Invariants: what encode writes, decode accepts, and gives the same record; decode reads nothing
 * outside of the payload, and no text without its end. It must not look at any state: whether a
 * session is open is the replica's business.
 */
#include "host/log_entry.h"

#include "base/assert.h"

#include <string.h>

uint32_t log_record_size(const log_record_t *record)
{
    OC_ASSERT(record->type >= LOG_CONFIGURATION);
    OC_ASSERT(record->type <= LOG_IMPORT);
    switch (record->type) {
    case LOG_CONFIGURATION:
        return (uint32_t)sizeof(log_configuration_t) + record->length;
    case LOG_SESSION_OPEN:
        return sizeof(log_session_open_t);
    case LOG_SESSION_CLOSE:
        return sizeof(log_session_close_t);
    case LOG_MESSAGE:
        return (uint32_t)sizeof(log_message_t) + record->length;
    case LOG_TIMER:
        return sizeof(log_timer_t);
    case LOG_TIME:
        return sizeof(log_time_t);
    case LOG_NOTICE:
        return sizeof(log_notice_t);
    case LOG_IMPORT:
        return sizeof(log_import_t);
    }
    return 0;
}

/* Puts the header and the bytes that follow it into the payload, and takes them as the record's. */
static void encode_with_bytes(log_record_t *record, void *payload, const void *header,
                              size_t header_bytes)
{
    uint8_t *bytes = (uint8_t *)payload + header_bytes;
    memcpy(payload, header, header_bytes);
    if (record->length > 0)
        memcpy(bytes, record->bytes, record->length);
    record->bytes = bytes;
}

static void encode_configuration(log_record_t *record, void *payload)
{
    OC_ASSERT(record->length <= LOG_CONFIGURATION_MAX);
    const log_configuration_t header = {
        .format = LOG_FORMAT, .max_timers = record->max_timers, .length = record->length};
    encode_with_bytes(record, payload, &header, sizeof header);
}

static void encode_open(log_record_t *record, void *payload)
{
    log_session_open_t *out = payload;
    out->session = record->session.value;
    out->open = *record->open;
    record->open = &out->open;
}

void log_record_encode(log_record_t *record, void *payload)
{
    OC_ASSERT((uintptr_t)payload % 8 == 0);
    const log_message_t message = {.session = record->session.value};
    switch (record->type) {
    case LOG_CONFIGURATION:
        encode_configuration(record, payload);
        break;
    case LOG_SESSION_OPEN:
        encode_open(record, payload);
        break;
    case LOG_SESSION_CLOSE:
        *(log_session_close_t *)payload = (log_session_close_t){.session = record->session.value,
                                                                .reason = (uint32_t)record->reason};
        break;
    case LOG_MESSAGE:
        encode_with_bytes(record, payload, &message, sizeof message);
        break;
    case LOG_TIMER:
        *(log_timer_t *)payload = (log_timer_t){.timer = record->timer.value};
        break;
    case LOG_TIME:
        *(log_time_t *)payload = (log_time_t){0};
        break;
    case LOG_NOTICE:
        *(log_notice_t *)payload = (log_notice_t){.kind = (uint32_t)record->notice};
        break;
    case LOG_IMPORT:
        *(log_import_t *)payload = (log_import_t){
            .entries = record->entries, .time_ns = record->time_ns, .term = record->term};
        break;
    }
}

static bool decode_configuration(log_record_t *record, const void *payload, uint32_t length)
{
    const log_configuration_t *in = payload;
    if (length < sizeof *in || in->format != LOG_FORMAT || in->reserved != 0 ||
        in->length > LOG_CONFIGURATION_MAX || length - sizeof *in != in->length)
        return false;
    record->max_timers = in->max_timers;
    record->length = in->length;
    record->bytes = in + 1;
    return true;
}

/* A text that ends inside its field, with zeros from there on. */
static bool is_text(const char *field, size_t size, size_t *length)
{
    const char *end = memchr(field, '\0', size);
    if (!end)
        return false;
    *length = (size_t)(end - field);
    for (const char *at = end; at < field + size; at++)
        if (*at != '\0')
            return false;
    return true;
}

static bool decode_open(log_record_t *record, const void *payload, uint32_t length)
{
    const log_session_open_t *in = payload;
    size_t name_length;
    size_t channel_length;
    if (length != sizeof *in)
        return false;
    if (!is_text(in->open.principal.name, sizeof in->open.principal.name, &name_length) ||
        !is_text(in->open.response_channel, sizeof in->open.response_channel, &channel_length))
        return false;
    if (channel_length != in->open.channel_length)
        return false;
    record->session.value = in->session;
    record->open = &in->open;
    return true;
}

static bool decode_close(log_record_t *record, const void *payload, uint32_t length)
{
    const log_session_close_t *in = payload;
    if (length != sizeof *in || in->reserved != 0 || in->reason > OC_CLOSE_SLOW)
        return false;
    record->session.value = in->session;
    record->reason = (oc_close_reason_t)in->reason;
    return true;
}

static bool decode_message(log_record_t *record, const void *payload, uint32_t length)
{
    const log_message_t *in = payload;
    if (length < sizeof *in)
        return false;
    record->session.value = in->session;
    record->length = length - (uint32_t)sizeof *in;
    record->bytes = in + 1;
    return true;
}

static bool decode_notice(log_record_t *record, const void *payload, uint32_t length)
{
    const log_notice_t *in = payload;
    if (length != sizeof *in || in->reserved != 0 ||
        (in->kind != OC_NOTICE_STORAGE_LOW && in->kind != OC_NOTICE_RECOVERED))
        return false;
    record->notice = (oc_notice_t)in->kind;
    return true;
}

static bool decode_import(log_record_t *record, const void *payload, uint32_t length)
{
    const log_import_t *in = payload;
    if (length != sizeof *in || in->reserved != 0)
        return false;
    record->entries = in->entries;
    record->time_ns = in->time_ns;
    record->term = in->term;
    return true;
}

bool log_record_decode(log_record_t *record, uint8_t type, const void *payload, uint32_t length)
{
    OC_ASSERT((uintptr_t)payload % 8 == 0);
    *record = (log_record_t){.type = (log_record_type_t)type};
    switch (type) {
    case LOG_CONFIGURATION:
        return decode_configuration(record, payload, length);
    case LOG_SESSION_OPEN:
        return decode_open(record, payload, length);
    case LOG_SESSION_CLOSE:
        return decode_close(record, payload, length);
    case LOG_MESSAGE:
        return decode_message(record, payload, length);
    case LOG_TIMER:
        if (length != sizeof(log_timer_t))
            return false;
        record->timer.value = ((const log_timer_t *)payload)->timer;
        return true;
    case LOG_TIME:
        return length == sizeof(log_time_t) && ((const log_time_t *)payload)->reserved == 0;
    case LOG_NOTICE:
        return decode_notice(record, payload, length);
    case LOG_IMPORT:
        return decode_import(record, payload, length);
    default:
        return false;
    }
}

const char *log_record_name(uint8_t type)
{
    static const char *const names[] = {"configuration", "session open", "session close", "message",
                                        "timer",         "time",         "notice",        "import"};
    const unsigned index = (unsigned)type - LOG_CONFIGURATION;
    return index < sizeof names / sizeof names[0] ? names[index] : "unknown";
}
