/*
 * A log by hand. Used by the tests of what applies logs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "lib/log_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 32, ENTRY_MAX = 16384 };

void log_maker_init(log_maker_t *self, made_recording_t *recording)
{
    *self = (log_maker_t){.recording = recording,
                          .timestamp = LOG_MAKER_START_NS,
                          .unit = CLUSTER_TIME_NANOS,
                          .log_session = 4711};
}

void log_maker_fini(log_maker_t *self)
{
    for (uint32_t i = 0; i < self->count; i++)
        free(self->entries[i].bytes);
    free(self->entries);
    self->entries = NULL;
    self->count = 0;
}

static uint64_t frame(size_t length)
{
    return (uint64_t)((length + HEADER + 31) / 32 * 32);
}

static uint64_t frames(size_t length)
{
    const size_t most = LOG_MAKER_MTU - HEADER;
    const size_t rest = length % most;
    const uint64_t last = rest > 0 || length == 0 ? frame(rest) : 0;
    return length / most * LOG_MAKER_MTU + last;
}

/* What does not fit into the term any more begins in the next one. */
static uint64_t start_of(const log_maker_t *self, size_t length)
{
    const uint64_t left = LOG_MAKER_TERM_BYTES - self->position % LOG_MAKER_TERM_BYTES;
    return frames(length) > left ? self->position + left : self->position;
}

uint64_t log_maker_bytes(log_maker_t *self, const void *bytes, size_t length)
{
    if (self->count == self->capacity) {
        self->capacity = self->capacity ? 2 * self->capacity : 64;
        self->entries = realloc(self->entries, self->capacity * sizeof self->entries[0]);
        assert_non_null(self->entries);
    }
    made_entry_t *entry = &self->entries[self->count++];
    *entry = (made_entry_t){.bytes = malloc(length + 1), .length = length};
    assert_non_null(entry->bytes);
    memcpy(entry->bytes, bytes, length);
    entry->start = start_of(self, length);
    entry->position = entry->start + frames(length);
    self->position = entry->position;
    if (self->recording)
        assert_int_equal(made_recording_append(self->recording, bytes, length), self->position);
    return self->position;
}

uint64_t log_maker_pad(log_maker_t *self)
{
    const uint64_t left = LOG_MAKER_TERM_BYTES - self->position % LOG_MAKER_TERM_BYTES;
    self->position += left;
    if (self->recording)
        assert_int_equal(
            made_recording_frame(self->recording, 0xC0, 0, NULL, (size_t)left - HEADER),
            self->position);
    return self->position;
}

uint64_t log_maker_put(log_maker_t *self, cluster_log_entry_t entry)
{
    _Alignas(8) uint8_t bytes[ENTRY_MAX];
    entry.term = self->term;
    entry.timestamp = self->timestamp;
    size_t length = cluster_log_encode(&entry, bytes, sizeof bytes);
    assert_true(length > 0);
    entry.log_position = (int64_t)(start_of(self, length) + frames(length));
    length = cluster_log_encode(&entry, bytes, sizeof bytes);
    return log_maker_bytes(self, bytes, length);
}

uint64_t log_maker_term(log_maker_t *self, int64_t term)
{
    self->term = term;
    return log_maker_put(self, (cluster_log_entry_t){.type = CLUSTER_LOG_TERM,
                                                     .term_base = (int64_t)self->position,
                                                     .log_session = self->log_session,
                                                     .time_unit = self->unit,
                                                     .app_version = 1});
}

static cluster_text_t text(const char *string)
{
    return (cluster_text_t){.bytes = string, .length = (uint32_t)strlen(string)};
}

uint64_t log_maker_open(log_maker_t *self, int64_t session, const char *principal)
{
    char channel[64];
    (void)snprintf(channel, sizeof channel, "aeron:udp?endpoint=127.0.0.1:%d",
                   (int)(40000 + session % 20000));
    return log_maker_put(self, (cluster_log_entry_t){.type = CLUSTER_LOG_OPEN,
                                                     .session = session,
                                                     .correlation_id = session * 10,
                                                     .response_stream = 102,
                                                     .channel = text(channel),
                                                     .principal = text(principal)});
}

uint64_t log_maker_close(log_maker_t *self, int64_t session, int32_t reason)
{
    return log_maker_put(self, (cluster_log_entry_t){.type = CLUSTER_LOG_CLOSE,
                                                     .session = session,
                                                     .close_reason = reason});
}

uint64_t log_maker_message(log_maker_t *self, int64_t session, const void *bytes, size_t length)
{
    return log_maker_put(
        self, (cluster_log_entry_t){.type = CLUSTER_LOG_MESSAGE,
                                    .session = session,
                                    .payload = {.bytes = bytes, .length = (uint32_t)length}});
}

uint64_t log_maker_request(log_maker_t *self, int64_t session, tally_op_t op, int64_t argument,
                           int64_t delay_ns)
{
    const tally_request_t request = {
        .op = (uint32_t)op, .argument = argument, .delay_ns = delay_ns};
    return log_maker_message(self, session, &request, sizeof request);
}

uint64_t log_maker_timer(log_maker_t *self)
{
    return log_maker_put(self,
                         (cluster_log_entry_t){.type = CLUSTER_LOG_TIMER, .correlation_id = 1});
}

uint64_t log_maker_snapshot(log_maker_t *self)
{
    return log_maker_put(
        self, (cluster_log_entry_t){.type = CLUSTER_LOG_ACTION, .action = CLUSTER_ACTION_SNAPSHOT});
}

uint64_t log_maker_said(log_maker_t *self, int64_t session, const member_message_t *message)
{
    _Alignas(8) uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
    const size_t length = member_message_encode(message, bytes);
    return log_maker_message(self, session, bytes, length);
}

oc_err_t log_maker_feed(const log_maker_t *self, uint32_t *next, log_applier_t *applier)
{
    while (*next < self->count) {
        const made_entry_t *entry = &self->entries[*next];
        const oc_err_t err =
            log_applier_take(applier, entry->bytes, entry->length, entry->position);
        if (err != OC_ERR_OK)
            return err;
        ++*next;
    }
    return OC_ERR_OK;
}

uint32_t log_maker_checksum(const log_maker_t *self, uint64_t position)
{
    uint32_t checksum = 0;
    for (uint32_t i = 0; i < self->count && self->entries[i].position <= position; i++) {
        const made_entry_t *entry = &self->entries[i];
        checksum = crc32c(crc32c(checksum, &entry->position, sizeof entry->position), entry->bytes,
                          entry->length);
    }
    return checksum;
}
