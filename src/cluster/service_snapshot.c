/*
 * Writes the service's part of an official snapshot. Called by the container when the log says so,
 * between entries.
 *
 * Invariants: equal states at equal places give equal bytes; each message is counted and goes into
 * the checksum at the end; nothing is bigger than what one fragment of the recording holds. It must
 * not change the replica.
 */
#define _GNU_SOURCE
#include "cluster/service_snapshot_internal.h"

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "codec/cluster_service_codec.h"
#include "host/replica_rebuild.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structs are written as they are");

typedef struct writer {
    const replica_t *replica;
    const service_snapshot_place_t *place;
    service_snapshot_sink_t sink;
    void *context;
    uint8_t *buffer; /* of SERVICE_SNAPSHOT_MESSAGE_MAX bytes */
    size_t used;     /* of it, by the state's bytes and what stands before them */
    uint64_t bytes;  /* of the state that were sent */
    uint32_t messages;
    uint32_t crc;
} writer_t;

static oc_err_t emit(writer_t *self, const void *bytes, size_t length)
{
    OC_ASSERT(length > 0);
    OC_ASSERT(length <= SERVICE_SNAPSHOT_MESSAGE_MAX);
    self->crc = crc32c(self->crc, bytes, length);
    self->messages++;
    return self->sink(self->context, bytes, length);
}

static snapshot_frame_t frame_of(snapshot_part_t part)
{
    snapshot_frame_t frame = {.version = SERVICE_SNAPSHOT_VERSION, .part = (uint32_t)part};
    memcpy(frame.magic, SERVICE_SNAPSHOT_MAGIC, SERVICE_SNAPSHOT_MAGIC_SIZE);
    return frame;
}

/* ---- What every clustered service writes ---- */

static oc_err_t emit_message(writer_t *self, const cluster_snapshot_message_t *message)
{
    const size_t length =
        cluster_snapshot_encode(message, self->buffer, SERVICE_SNAPSHOT_MESSAGE_MAX);
    OC_ASSERT(length > 0);
    return emit(self, self->buffer, length);
}

static oc_err_t emit_mark(writer_t *self, cluster_snapshot_mark_t mark)
{
    const service_snapshot_place_t *place = self->place;
    const cluster_snapshot_message_t message = {
        .type = CLUSTER_SNAPSHOT_MARKER,
        .type_id = CLUSTER_SNAPSHOT_TYPE_SERVICE,
        .log_position = (int64_t)place->image.position,
        .term = place->leadership_term,
        .mark = (int32_t)mark,
        .time_unit = (int32_t)place->image.group,
        .app_version = place->app_version,
    };
    return emit_message(self, &message);
}

static oc_err_t emit_sessions(writer_t *self)
{
    const session_ledger_t *ledger = &self->replica->sessions;
    oc_err_t err = emit_mark(self, CLUSTER_SNAPSHOT_BEGIN);
    for (uint32_t i = 0; err == OC_ERR_OK && i < ledger->state->count; i++) {
        const ledger_session_t *session = session_ledger_at(ledger, i);
        const gateway_open_t *open = &session->open;
        const cluster_snapshot_message_t message = {
            .type = CLUSTER_SNAPSHOT_SESSION,
            .session = (int64_t)session->id.value,
            .response_stream = open->response_stream,
            .channel = {open->response_channel, open->channel_length},
            .principal = {open->principal.name,
                          (uint32_t)strnlen(open->principal.name, OC_PRINCIPAL_SIZE)},
        };
        err = emit_message(self, &message);
    }
    return err == OC_ERR_OK ? emit_mark(self, CLUSTER_SNAPSHOT_END) : err;
}

/* ---- What only we write ---- */

static oc_err_t emit_header(writer_t *self, service_snapshot_kind_t kind)
{
    const service_snapshot_place_t *place = self->place;
    const image_place_t *image = &place->image;
    log_record_t configuration;
    replica_configuration(self->replica, &configuration);
    const snapshot_header_t header = {
        .frame = frame_of(SNAPSHOT_PART_HEADER),
        .position = image->position,
        .log_id = image->log_id,
        .entries = image->entries,
        .state_hash = image->state_hash,
        .output_hash = place->output_hash,
        .time_ns = image->time_ns,
        .leadership_term = place->leadership_term,
        .term = image->term,
        .log_checksum = image->log_checksum,
        .kind = (uint32_t)kind,
        .time_unit = (int32_t)image->group,
        .app_version = place->app_version,
        .sessions = self->replica->sessions.state->count,
        .max_timers = configuration.max_timers,
        .configuration_length = configuration.length,
    };
    memcpy(self->buffer, &header, sizeof header);
    if (configuration.length > 0)
        memcpy(self->buffer + sizeof header, configuration.bytes, configuration.length);
    return emit(self, self->buffer, sizeof header + configuration.length);
}

static oc_err_t emit_some_sessions(writer_t *self, uint32_t first, uint32_t count)
{
    const snapshot_sessions_t head = {
        .frame = frame_of(SNAPSHOT_PART_SESSIONS), .first = first, .count = count};
    uint8_t *at = self->buffer;
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    for (uint32_t i = 0; i < count; i++) {
        const ledger_session_t *session = session_ledger_at(&self->replica->sessions, first + i);
        const snapshot_session_t one = {
            .session = session->id.value,
            .correlation_id = session->open.correlation_id,
            .closing = session->closing,
        };
        memcpy(at, &one, sizeof one);
        at += sizeof one;
    }
    return emit(self, self->buffer, (size_t)(at - self->buffer));
}

static oc_err_t emit_session_parts(writer_t *self)
{
    const uint32_t total = self->replica->sessions.state->count;
    oc_err_t err = OC_ERR_OK;
    for (uint32_t first = 0; err == OC_ERR_OK && first < total; first += SNAPSHOT_SESSIONS_MAX) {
        const uint32_t left = total - first;
        err = emit_some_sessions(self, first,
                                 left < SNAPSHOT_SESSIONS_MAX ? left : SNAPSHOT_SESSIONS_MAX);
    }
    return err;
}

/* Sends what has been collected of the state, if there is any. */
static oc_err_t flush_state(writer_t *self)
{
    const size_t length = self->used - sizeof(snapshot_state_t);
    if (length == 0)
        return OC_ERR_OK;
    const snapshot_state_t head = {
        .frame = frame_of(SNAPSHOT_PART_STATE), .offset = self->bytes, .length = (uint32_t)length};
    memcpy(self->buffer, &head, sizeof head);
    self->bytes += length;
    const size_t used = self->used;
    self->used = sizeof head;
    return emit(self, self->buffer, used);
}

/* An oc_capture_sink_t: cuts into messages of equal size, however it comes. */
static oc_err_t add_state(void *context, const void *bytes, size_t length)
{
    writer_t *self = context;
    const uint8_t *from = bytes;
    while (length > 0) {
        const size_t room = SERVICE_SNAPSHOT_MESSAGE_MAX - self->used;
        const size_t part = length < room ? length : room;
        memcpy(self->buffer + self->used, from, part);
        self->used += part;
        from += part;
        length -= part;
        if (self->used == SERVICE_SNAPSHOT_MESSAGE_MAX) {
            const oc_err_t err = flush_state(self);
            if (err != OC_ERR_OK)
                return err;
        }
    }
    return OC_ERR_OK;
}

static oc_err_t emit_state(writer_t *self)
{
    const oc_service_t *service = self->replica->service;
    state_file_header_t header;
    oc_err_t err = emit_session_parts(self);
    if (err != OC_ERR_OK)
        return err;
    replica_rebuild_header(self->replica, &header);
    OC_ASSERT(header.state_hash == self->place->image.state_hash);
    /* A leadership term may have begun behind the last entry that means something to the state. */
    header.term = self->place->image.term;
    self->used = sizeof(snapshot_state_t);
    err = state_file_write(&header, &self->replica->timers, add_state, self);
    if (err == OC_ERR_OK)
        err = service->capture(service->context, add_state, self);
    return err == OC_ERR_OK ? flush_state(self) : err;
}

static oc_err_t emit_end(writer_t *self)
{
    snapshot_end_t end = {
        .frame = frame_of(SNAPSHOT_PART_END), .bytes = self->bytes, .messages = self->messages};
    end.crc = crc32c(self->crc, &end, offsetof(snapshot_end_t, crc));
    return emit(self, &end, sizeof end);
}

oc_err_t service_snapshot_write(const replica_t *replica, service_snapshot_kind_t kind,
                                const service_snapshot_place_t *place, service_snapshot_sink_t sink,
                                void *context)
{
    OC_ASSERT(!replica->applying);
    OC_ASSERT(place->image.entries == replica->entries);
    if (kind == SERVICE_SNAPSHOT_STREAM && !replica->service->capture)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "the service cannot write its state: it has no capture(); configure "
                         "snapshot = manifest");
    writer_t self = {.replica = replica, .place = place, .sink = sink, .context = context};
    self.buffer = malloc(SERVICE_SNAPSHOT_MESSAGE_MAX);
    if (!self.buffer)
        return error_set(OC_ERR_NO_MEMORY, "no memory for a message of a snapshot");
    oc_err_t err = emit_sessions(&self);
    if (err == OC_ERR_OK)
        err = emit_header(&self, kind);
    if (err == OC_ERR_OK && kind == SERVICE_SNAPSHOT_STREAM)
        err = emit_state(&self);
    if (err == OC_ERR_OK)
        err = emit_end(&self);
    free(self.buffer);
    return err;
}
