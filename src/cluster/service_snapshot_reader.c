/*
 * Reads the service's part of an official snapshot, message by message. Called by the container at
 * a start from such a snapshot, and by tools.
 *
 * Invariants: the parts come once each, in their order, as many as were announced; nothing of a
 * snapshot is believed before its end has come and its checksum has agreed; after an error nothing
 * more is taken. It must not trust a length: messages are cut by whoever made the recording.
 */
#include "cluster/service_snapshot_internal.h"

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "codec/cluster_service_codec.h"
#include "host/replica_rebuild.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What may come next. */
typedef enum phase {
    PHASE_BEGIN,    /* the marker BEGIN */
    PHASE_SESSIONS, /* a session, or the marker END */
    PHASE_HEADER,
    PHASE_SESSION_PARTS, /* until every session was named */
    PHASE_STATE,         /* bytes of the state, or the end */
    PHASE_END,
    PHASE_COMPLETE,
    PHASE_FAILED,
} phase_t;

/* Bytes of the state, as they came. A list, so that a big state never moves. */
typedef struct piece {
    struct piece *next;
    size_t length;
    uint8_t bytes[];
} piece_t;

struct service_snapshot_reader {
    int64_t log_position;
    phase_t phase;
    uint32_t messages;
    uint32_t crc; /* of all of them */

    int64_t term; /* of the marker BEGIN, as the next two */
    int32_t time_unit;
    int32_t app_version;

    ledger_session_t *sessions; /* ascending */
    uint32_t session_count;
    uint32_t session_capacity;
    uint32_t session_parts; /* so many were named again */

    service_snapshot_kind_t kind;
    service_snapshot_place_t place;
    uint32_t max_timers;
    uint32_t configuration_length;
    uint8_t configuration[LOG_CONFIGURATION_MAX];

    piece_t *first;
    piece_t **last;
    uint64_t bytes; /* of all pieces */
};

oc_err_t service_snapshot_reader_create(service_snapshot_reader_t **reader, int64_t log_position)
{
    *reader = calloc(1, sizeof **reader);
    if (!*reader)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the reading of a snapshot");
    (*reader)->log_position = log_position;
    (*reader)->last = &(*reader)->first;
    return OC_ERR_OK;
}

void service_snapshot_reader_destroy(service_snapshot_reader_t *self)
{
    if (!self)
        return;
    while (self->first) {
        piece_t *piece = self->first;
        self->first = piece->next;
        free(piece);
    }
    free(self->sessions);
    free(self);
}

static oc_err_t damaged(const service_snapshot_reader_t *self, const char *what)
{
    return error_set(OC_ERR_DAMAGED,
                     "the service's snapshot at position %" PRId64 ", message %" PRIu32 ": %s",
                     self->log_position, self->messages + 1, what);
}

/* ---- Markers and sessions ---- */

static oc_err_t check_marker(const service_snapshot_reader_t *self,
                             const cluster_snapshot_message_t *message)
{
    if (message->type_id != CLUSTER_SNAPSHOT_TYPE_SERVICE)
        return error_set(OC_ERR_FORMAT,
                         "the snapshot at position %" PRId64 " is of type %" PRId64
                         ", a service's is of type %" PRId64
                         ": is the recording that of the service?",
                         self->log_position, message->type_id, CLUSTER_SNAPSHOT_TYPE_SERVICE);
    if (message->log_position != self->log_position)
        return damaged(self, "it is of another position of the log");
    return OC_ERR_OK;
}

static oc_err_t take_begin(service_snapshot_reader_t *self,
                           const cluster_snapshot_message_t *message)
{
    const oc_err_t err = check_marker(self, message);
    if (err != OC_ERR_OK)
        return err;
    if (message->mark != CLUSTER_SNAPSHOT_BEGIN)
        return damaged(self, "the first marker is none of a beginning");
    self->term = message->term;
    self->time_unit = message->time_unit;
    self->app_version = message->app_version;
    self->phase = PHASE_SESSIONS;
    return OC_ERR_OK;
}

static oc_err_t take_end_marker(service_snapshot_reader_t *self,
                                const cluster_snapshot_message_t *message)
{
    const oc_err_t err = check_marker(self, message);
    if (err != OC_ERR_OK)
        return err;
    if (message->mark != CLUSTER_SNAPSHOT_END || message->term != self->term ||
        message->time_unit != self->time_unit || message->app_version != self->app_version)
        return damaged(self, "the marker of the end does not fit that of the beginning");
    self->phase = PHASE_HEADER;
    return OC_ERR_OK;
}

/* Room for one more; NULL with an error. */
static ledger_session_t *next_session(service_snapshot_reader_t *self)
{
    if (self->session_count == self->session_capacity) {
        const uint32_t capacity = self->session_capacity ? 2 * self->session_capacity : 64;
        ledger_session_t *grown = NULL;
        if (capacity <= SESSION_LEDGER_ROOM_MAX)
            grown = realloc(self->sessions, capacity * sizeof *grown);
        if (!grown) {
            (void)error_set(OC_ERR_NO_MEMORY, "no memory for the sessions of a snapshot");
            return NULL;
        }
        self->sessions = grown;
        self->session_capacity = capacity;
    }
    ledger_session_t *session = &self->sessions[self->session_count];
    memset(session, 0, sizeof *session);
    return session;
}

static oc_err_t take_session(service_snapshot_reader_t *self,
                             const cluster_snapshot_message_t *message)
{
    if (message->principal.length == 0 || message->principal.length >= OC_PRINCIPAL_SIZE ||
        memchr(message->principal.bytes, 0, message->principal.length))
        return damaged(self, "a session's principal cannot be");
    if (message->channel.length >= GATEWAY_CHANNEL_MAX)
        return damaged(self, "a session's response channel is too long");
    const ledger_session_t *before =
        self->session_count > 0 ? &self->sessions[self->session_count - 1] : NULL;
    if (message->session <= 0 || (before && (uint64_t)message->session <= before->id.value))
        return damaged(self, "the sessions are not in their order");
    ledger_session_t *session = next_session(self);
    if (!session)
        return OC_ERR_NO_MEMORY;
    session->id.value = (uint64_t)message->session;
    memcpy(session->open.principal.name, message->principal.bytes, message->principal.length);
    session->open.response_stream = message->response_stream;
    session->open.channel_length = message->channel.length;
    if (message->channel.length > 0)
        memcpy(session->open.response_channel, message->channel.bytes, message->channel.length);
    self->session_count++;
    return OC_ERR_OK;
}

static oc_err_t take_cluster_message(service_snapshot_reader_t *self, const void *bytes,
                                     size_t length)
{
    cluster_snapshot_message_t message;
    const bool understood = cluster_snapshot_decode(bytes, length, &message) == OC_PROBLEM_NONE;
    if (self->phase == PHASE_BEGIN && (!understood || message.type != CLUSTER_SNAPSHOT_MARKER))
        return error_set(OC_ERR_FORMAT,
                         "the snapshot at position %" PRId64 " does not begin with a marker: it is "
                         "no snapshot of a clustered service",
                         self->log_position);
    if (!understood)
        return damaged(self, "it cannot be understood");
    if (self->phase == PHASE_BEGIN)
        return take_begin(self, &message);
    if (message.type == CLUSTER_SNAPSHOT_MARKER)
        return take_end_marker(self, &message);
    if (message.type == CLUSTER_SNAPSHOT_SESSION)
        return take_session(self, &message);
    return damaged(self, "neither a session nor the marker of the end");
}

/* ---- What only we write ---- */

static oc_err_t foreign(const service_snapshot_reader_t *self)
{
    return error_set(OC_ERR_FORMAT,
                     "the snapshot at position %" PRId64 " was made by another clustered service, "
                     "not by this program: its state cannot be read here. Begin with a new log, or "
                     "run the service that made it",
                     self->log_position);
}

/* The frame of a message of ours. A part that has another place is for the caller to refuse. */
static oc_err_t take_frame(const service_snapshot_reader_t *self, const void *bytes, size_t length,
                           snapshot_frame_t *frame)
{
    const bool first = self->phase == PHASE_HEADER;
    if (length < sizeof *frame ||
        memcmp(bytes, SERVICE_SNAPSHOT_MAGIC, SERVICE_SNAPSHOT_MAGIC_SIZE) != 0)
        return first ? foreign(self) : damaged(self, "it is none of this format");
    memcpy(frame, bytes, sizeof *frame);
    if (frame->version == SERVICE_SNAPSHOT_VERSION)
        return OC_ERR_OK;
    return error_set(OC_ERR_FORMAT,
                     "the snapshot at position %" PRId64 " is of format version %" PRIu32
                     ", this build reads %" PRIu32 ": start it with the build that made it",
                     self->log_position, frame->version, SERVICE_SNAPSHOT_VERSION);
}

static const char *check_header(const service_snapshot_reader_t *self,
                                const snapshot_header_t *header, size_t length)
{
    if (header->configuration_length > LOG_CONFIGURATION_MAX ||
        length != sizeof *header + header->configuration_length)
        return "the header's length is not what it says";
    if (header->position != (uint64_t)self->log_position || header->leadership_term != self->term ||
        header->time_unit != self->time_unit || header->app_version != self->app_version)
        return "the header does not fit the markers";
    if (header->sessions != self->session_count)
        return "there are not as many sessions as the header says";
    if (header->entries == 0 || header->time_unit < CLUSTER_TIME_MILLIS ||
        header->time_unit > CLUSTER_TIME_NANOS ||
        (header->kind != SERVICE_SNAPSHOT_MANIFEST && header->kind != SERVICE_SNAPSHOT_STREAM))
        return "the header's numbers cannot be right";
    return NULL;
}

static void keep_header(service_snapshot_reader_t *self, const snapshot_header_t *header)
{
    self->kind = (service_snapshot_kind_t)header->kind;
    self->max_timers = header->max_timers;
    self->configuration_length = header->configuration_length;
    self->place = (service_snapshot_place_t){
        .image =
            {
                .log_id = header->log_id,
                .position = header->position,
                .group = (uint64_t)header->time_unit,
                .entries = header->entries,
                .state_hash = header->state_hash,
                .time_ns = header->time_ns,
                .term = header->term,
                .log_checksum = header->log_checksum,
            },
        .output_hash = header->output_hash,
        .leadership_term = header->leadership_term,
        .app_version = header->app_version,
    };
}

static oc_err_t take_header(service_snapshot_reader_t *self, const uint8_t *bytes, size_t length)
{
    snapshot_header_t header;
    if (length < sizeof header)
        return damaged(self, "the header is too short");
    memcpy(&header, bytes, sizeof header);
    const char *wrong = check_header(self, &header, length);
    if (wrong)
        return damaged(self, wrong);
    keep_header(self, &header);
    if (header.configuration_length > 0)
        memcpy(self->configuration, bytes + sizeof header, header.configuration_length);
    if (self->kind == SERVICE_SNAPSHOT_MANIFEST)
        self->phase = PHASE_END;
    else
        self->phase = self->session_count > 0 ? PHASE_SESSION_PARTS : PHASE_STATE;
    return OC_ERR_OK;
}

static oc_err_t take_session_parts(service_snapshot_reader_t *self, const uint8_t *bytes,
                                   size_t length)
{
    snapshot_sessions_t head;
    if (length < sizeof head)
        return damaged(self, "a list of sessions is too short");
    memcpy(&head, bytes, sizeof head);
    if (head.count == 0 || head.count > self->session_count - self->session_parts ||
        head.first != self->session_parts ||
        length != sizeof head + head.count * sizeof(snapshot_session_t))
        return damaged(self, "a list of sessions is not what must come next");
    bytes += sizeof head;
    for (uint32_t i = 0; i < head.count; i++, bytes += sizeof(snapshot_session_t)) {
        snapshot_session_t one;
        memcpy(&one, bytes, sizeof one);
        ledger_session_t *session = &self->sessions[self->session_parts++];
        if (one.session != session->id.value || one.closing > 1 || one.reserved != 0)
            return damaged(self, "a list of sessions does not fit the sessions");
        session->open.correlation_id = one.correlation_id;
        session->closing = one.closing != 0;
    }
    if (self->session_parts == self->session_count)
        self->phase = PHASE_STATE;
    return OC_ERR_OK;
}

static oc_err_t take_state(service_snapshot_reader_t *self, const uint8_t *bytes, size_t length)
{
    snapshot_state_t head;
    if (length <= sizeof head)
        return damaged(self, "a piece of the state is too short");
    memcpy(&head, bytes, sizeof head);
    if (head.offset != self->bytes || head.length != length - sizeof head || head.reserved != 0)
        return damaged(self, "a piece of the state is not what must come next");
    piece_t *piece = malloc(sizeof *piece + head.length);
    if (!piece)
        return error_set(OC_ERR_NO_MEMORY, "no memory for %" PRIu64 " bytes of a snapshot",
                         self->bytes + head.length);
    piece->next = NULL;
    piece->length = head.length;
    memcpy(piece->bytes, bytes + sizeof head, head.length);
    *self->last = piece;
    self->last = &piece->next;
    self->bytes += head.length;
    return OC_ERR_OK;
}

static oc_err_t take_end(service_snapshot_reader_t *self, const uint8_t *bytes, size_t length)
{
    snapshot_end_t end;
    if (length != sizeof end)
        return damaged(self, "the end has another length");
    memcpy(&end, bytes, sizeof end);
    if (self->kind == SERVICE_SNAPSHOT_STREAM && self->bytes == 0)
        return damaged(self, "there is no state before the end");
    if (end.messages != self->messages)
        return damaged(self, "there are not as many messages as the end says");
    if (end.bytes != self->bytes)
        return damaged(self, "there are not as many bytes of the state as the end says");
    if (end.crc != crc32c(self->crc, bytes, offsetof(snapshot_end_t, crc)))
        return damaged(self, "the checksum of all messages is another");
    self->phase = PHASE_COMPLETE;
    return OC_ERR_OK;
}

static oc_err_t take_own_message(service_snapshot_reader_t *self, const void *bytes, size_t length)
{
    snapshot_frame_t frame;
    const oc_err_t err = take_frame(self, bytes, length, &frame);
    if (err != OC_ERR_OK)
        return err;
    const bool ends = self->phase == PHASE_END || self->phase == PHASE_STATE;
    if (frame.part == SNAPSHOT_PART_HEADER && self->phase == PHASE_HEADER)
        return take_header(self, bytes, length);
    if (frame.part == SNAPSHOT_PART_SESSIONS && self->phase == PHASE_SESSION_PARTS)
        return take_session_parts(self, bytes, length);
    if (frame.part == SNAPSHOT_PART_STATE && self->phase == PHASE_STATE)
        return take_state(self, bytes, length);
    if (frame.part == SNAPSHOT_PART_END && ends)
        return take_end(self, bytes, length);
    return damaged(self, "a part that does not belong there");
}

oc_err_t service_snapshot_reader_take(service_snapshot_reader_t *self, const void *bytes,
                                      size_t length)
{
    oc_err_t err;
    if (self->phase == PHASE_FAILED)
        return damaged(self, "what was before could not be read");
    if (self->phase == PHASE_COMPLETE)
        err = damaged(self, "there is something behind the end");
    else if (length == 0 || length > SERVICE_SNAPSHOT_MESSAGE_MAX)
        err = damaged(self, "a message of no possible length");
    else if (self->phase == PHASE_BEGIN || self->phase == PHASE_SESSIONS)
        err = take_cluster_message(self, bytes, length);
    else
        err = take_own_message(self, bytes, length);
    if (err != OC_ERR_OK) {
        self->phase = PHASE_FAILED;
        return err;
    }
    self->crc = crc32c(self->crc, bytes, length);
    self->messages++;
    return OC_ERR_OK;
}

/* ---- What came ---- */

bool service_snapshot_reader_complete(const service_snapshot_reader_t *self)
{
    return self->phase == PHASE_COMPLETE;
}

oc_err_t service_snapshot_reader_end(const service_snapshot_reader_t *self)
{
    if (self->phase == PHASE_COMPLETE)
        return OC_ERR_OK;
    if (self->phase == PHASE_HEADER)
        return foreign(self);
    return error_set(OC_ERR_TRUNCATED,
                     "the service's snapshot at position %" PRId64
                     " ends too early, behind %" PRIu32 " messages",
                     self->log_position, self->messages);
}

service_snapshot_kind_t service_snapshot_reader_kind(const service_snapshot_reader_t *self)
{
    OC_ASSERT(self->phase == PHASE_COMPLETE);
    return self->kind;
}

const service_snapshot_place_t *service_snapshot_reader_place(const service_snapshot_reader_t *self)
{
    OC_ASSERT(self->phase == PHASE_COMPLETE);
    return &self->place;
}

const void *service_snapshot_reader_configuration(const service_snapshot_reader_t *self,
                                                  size_t *length)
{
    OC_ASSERT(self->phase == PHASE_COMPLETE);
    *length = self->configuration_length;
    return self->configuration;
}

uint32_t service_snapshot_reader_max_timers(const service_snapshot_reader_t *self)
{
    OC_ASSERT(self->phase == PHASE_COMPLETE);
    return self->max_timers;
}

/* ---- Restoring ---- */

typedef struct source {
    const piece_t *piece;
    size_t at; /* in it */
} source_t;

/* An oc_restore_source_t. */
static oc_err_t give_state(void *context, void *bytes, size_t length)
{
    source_t *self = context;
    uint8_t *to = bytes;
    while (length > 0) {
        while (self->piece && self->at == self->piece->length) {
            self->piece = self->piece->next;
            self->at = 0;
        }
        if (!self->piece)
            return error_set(OC_ERR_TRUNCATED, "the state of the snapshot ends too early");
        const size_t left = self->piece->length - self->at;
        const size_t part = length < left ? length : left;
        memcpy(to, self->piece->bytes + self->at, part);
        self->at += part;
        to += part;
        length -= part;
    }
    return OC_ERR_OK;
}

static bool is_used_up(const source_t *self)
{
    return !self->piece || (self->at == self->piece->length && !self->piece->next);
}

/* The host's part says the same as the snapshot's header. */
static oc_err_t check_state(const service_snapshot_reader_t *self,
                            const state_file_header_t *header)
{
    const image_place_t *image = &self->place.image;
    if (header->entries == image->entries && header->term == image->term &&
        header->time_ns == image->time_ns && header->state_hash == image->state_hash &&
        header->max_timers == self->max_timers)
        return OC_ERR_OK;
    return error_set(OC_ERR_DAMAGED,
                     "the state of the snapshot at position %" PRId64 " is not the one that its "
                     "header names",
                     self->log_position);
}

static oc_err_t restore_service(const service_snapshot_reader_t *self, replica_t *replica)
{
    const oc_service_t *service = replica->service;
    source_t source = {.piece = self->first};
    state_file_header_t header;
    state_file_timer_t *timers;
    oc_err_t err = state_file_read(&header, &timers, give_state, &source);
    if (err != OC_ERR_OK)
        return err;
    const replica_rebuild_t from = {.header = &header,
                                    .timers = timers,
                                    .position = self->place.image.position,
                                    .sessions = self->sessions,
                                    .session_count = self->session_count};
    err = check_state(self, &header);
    if (err == OC_ERR_OK)
        err = service->restore(service->context, give_state, &source);
    if (err == OC_ERR_OK && !is_used_up(&source))
        err = error_set(OC_ERR_DAMAGED, "the service has not read all of its state");
    if (err == OC_ERR_OK)
        err = replica_rebuild(replica, &from);
    free(timers);
    return err;
}

oc_err_t service_snapshot_reader_restore(const service_snapshot_reader_t *self, replica_t *replica)
{
    OC_ASSERT(self->phase == PHASE_COMPLETE);
    OC_ASSERT(self->kind == SERVICE_SNAPSHOT_STREAM);
    OC_ASSERT(replica->entries == 0);
    if (!replica->service->restore)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "the snapshot at position %" PRId64 " holds a state, and the service "
                         "cannot read one: it has no restore()",
                         self->log_position);
    return restore_service(self, replica);
}
