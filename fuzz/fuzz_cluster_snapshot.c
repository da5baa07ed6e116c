/*
 * Fuzzes the reader of a clustered service's snapshot. The input is a series of messages, each
 * behind its length (16 bits, little-endian). Tried as it is, and once more with positions, counts,
 * offsets and checksums made right, because behind a wrong one nothing would ever be reached.
 *
 * Must not crash, hang or read past a message; a snapshot that is taken can be restored or is
 * refused with a reason, and what was restored gives a stream that restores to the same.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "cluster/service_snapshot_internal.h"
#include "codec/cluster_service_codec.h"
#include "host/state_file.h"

enum { LENGTH_BYTES = 2, MESSAGES_MAX = 400, STATE_MAX = 4096, POSITION = 4096, SESSIONS_MAX = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- A service that keeps any bytes ---- */

typedef struct keeper {
    uint32_t length;
    uint8_t bytes[STATE_MAX];
    uint64_t hash; /* the snapshot's: there is no other opinion */
} keeper_t;

static oc_err_t keeper_start(void *context, oc_host_t *host)
{
    (void)context, (void)host;
    return OC_ERR_OK;
}

static void keeper_open(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                        const void *principal, size_t length)
{
    (void)context, (void)entry, (void)session, (void)principal, (void)length;
}

static void keeper_close(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                         oc_close_reason_t reason)
{
    (void)context, (void)entry, (void)session, (void)reason;
}

static oc_err_t keeper_message(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                               const void *bytes, size_t length)
{
    (void)context, (void)entry, (void)session, (void)bytes, (void)length;
    return OC_ERR_OK;
}

static oc_err_t keeper_capture(void *context, oc_capture_sink_t sink, void *sink_context)
{
    keeper_t *self = context;
    const oc_err_t err = sink(sink_context, &self->length, sizeof self->length);
    return err == OC_ERR_OK ? sink(sink_context, self->bytes, self->length) : err;
}

static oc_err_t keeper_restore(void *context, oc_restore_source_t source, void *source_context)
{
    keeper_t *self = context;
    const oc_err_t err = source(source_context, &self->length, sizeof self->length);
    if (err != OC_ERR_OK)
        return err;
    if (self->length > STATE_MAX)
        return error_set(OC_ERR_DAMAGED, "a state of %u bytes", (unsigned)self->length);
    return source(source_context, self->bytes, self->length);
}

static uint64_t keeper_hash(void *context)
{
    return ((const keeper_t *)context)->hash;
}

static void start(replica_t *replica, oc_service_t *service, keeper_t *keeper, uint32_t max_timers)
{
    const replica_config_t config = {SESSIONS_MAX, max_timers, 1024};
    *service = (oc_service_t){.context = keeper,
                              .start = keeper_start,
                              .session_open = keeper_open,
                              .session_close = keeper_close,
                              .message = keeper_message,
                              .capture = keeper_capture,
                              .restore = keeper_restore,
                              .state_hash = keeper_hash};
    OC_ASSERT(replica_init(replica, service, &config) == OC_ERR_OK);
}

/* ---- Messages made right ---- */

typedef struct repair {
    uint32_t messages;
    uint32_t sessions;
    uint64_t bytes;
    uint32_t crc;
    snapshot_header_t header;
} repair_t;

/* The host's part of the state says what the header says. */
static void repair_state_file(const repair_t *repair, uint8_t *bytes, size_t length)
{
    state_file_header_t header;
    if (length < sizeof header)
        return;
    memcpy(&header, bytes, sizeof header);
    const size_t timers = header.timer_count * sizeof(state_file_timer_t);
    header.entries = repair->header.entries;
    header.term = repair->header.term;
    header.time_ns = repair->header.time_ns;
    header.state_hash = repair->header.state_hash;
    header.max_timers = repair->header.max_timers;
    if (timers > 0 && timers <= length - sizeof header)
        header.timers_crc = crc32c(0, bytes + sizeof header, timers);
    header.crc = crc32c(0, &header, offsetof(state_file_header_t, crc));
    memcpy(bytes, &header, sizeof header);
}

static void repair_own(repair_t *repair, uint8_t *bytes, size_t length, uint32_t part)
{
    if (part == SNAPSHOT_PART_HEADER && length >= sizeof repair->header) {
        memcpy(&repair->header, bytes, sizeof repair->header);
        repair->header.sessions = repair->sessions;
        repair->header.configuration_length = (uint32_t)(length - sizeof repair->header);
        memcpy(bytes, &repair->header, sizeof repair->header);
    } else if (part == SNAPSHOT_PART_STATE && length > sizeof(snapshot_state_t)) {
        snapshot_state_t head;
        memcpy(&head, bytes, sizeof head);
        head.offset = repair->bytes;
        head.length = (uint32_t)(length - sizeof head);
        memcpy(bytes, &head, sizeof head);
        if (repair->bytes == 0)
            repair_state_file(repair, bytes + sizeof head, head.length);
        repair->bytes += head.length;
    } else if (part == SNAPSHOT_PART_END && length == sizeof(snapshot_end_t)) {
        snapshot_end_t end;
        memcpy(&end, bytes, sizeof end);
        end.bytes = repair->bytes;
        end.messages = repair->messages;
        end.crc = crc32c(repair->crc, &end, offsetof(snapshot_end_t, crc));
        memcpy(bytes, &end, sizeof end);
    }
}

static void repair_message(repair_t *repair, uint8_t *bytes, size_t length)
{
    snapshot_frame_t frame;
    cluster_snapshot_message_t message;
    const bool ours = length >= sizeof frame &&
                      memcmp(bytes, SERVICE_SNAPSHOT_MAGIC, SERVICE_SNAPSHOT_MAGIC_SIZE) == 0;
    if (ours) {
        memcpy(&frame, bytes, sizeof frame);
        repair_own(repair, bytes, length, frame.part);
    } else if (cluster_snapshot_decode(bytes, length, &message) == OC_PROBLEM_NONE) {
        repair->sessions += message.type == CLUSTER_SNAPSHOT_SESSION;
    }
    repair->crc = crc32c(repair->crc, bytes, length);
    repair->messages++;
}

/* ---- What is taken ---- */

static oc_err_t give_to_reader(void *context, const void *bytes, size_t length)
{
    return service_snapshot_reader_take(context, bytes, length);
}

/* The stream of what was restored restores to the same. */
static void check_again(const replica_t *replica, const service_snapshot_place_t *place,
                        keeper_t *keeper)
{
    static keeper_t again;
    replica_t other;
    oc_service_t service;
    service_snapshot_reader_t *reader;
    again = (keeper_t){.hash = keeper->hash};
    OC_ASSERT(service_snapshot_reader_create(&reader, (int64_t)place->image.position) == OC_ERR_OK);
    OC_ASSERT(service_snapshot_write(replica, SERVICE_SNAPSHOT_STREAM, place, give_to_reader,
                                     reader) == OC_ERR_OK);
    OC_ASSERT(service_snapshot_reader_end(reader) == OC_ERR_OK);
    start(&other, &service, &again, replica->timers.capacity);
    OC_ASSERT(service_snapshot_reader_restore(reader, &other) == OC_ERR_OK);
    OC_ASSERT(again.length == keeper->length);
    OC_ASSERT(memcmp(again.bytes, keeper->bytes, again.length) == 0);
    OC_ASSERT(other.sessions.state->count == replica->sessions.state->count);
    OC_ASSERT(other.sessions.state->closing == replica->sessions.state->closing);
    OC_ASSERT(other.timers.state->count == replica->timers.state->count);
    replica_fini(&other);
    service_snapshot_reader_destroy(reader);
}

static void check_complete(const service_snapshot_reader_t *reader)
{
    static keeper_t keeper;
    replica_t replica;
    oc_service_t service;
    const service_snapshot_place_t *place = service_snapshot_reader_place(reader);
    const uint32_t max_timers = service_snapshot_reader_max_timers(reader);
    if (service_snapshot_reader_kind(reader) != SERVICE_SNAPSHOT_STREAM || max_timers == 0 ||
        max_timers > 256)
        return;
    keeper = (keeper_t){.hash = place->image.state_hash};
    start(&replica, &service, &keeper, max_timers);
    if (service_snapshot_reader_restore(reader, &replica) == OC_ERR_OK)
        check_again(&replica, place, &keeper);
    else
        OC_ASSERT(oc_err_context()[0] != '\0');
    replica_fini(&replica);
}

static oc_err_t take_input(service_snapshot_reader_t *reader, const uint8_t *data, size_t size,
                           bool repaired)
{
    repair_t repair = {0};
    for (int i = 0; i < MESSAGES_MAX && size >= LENGTH_BYTES; i++) {
        size_t length = (size_t)data[0] | (size_t)data[1] << 8;
        data += LENGTH_BYTES;
        size -= LENGTH_BYTES;
        length = length < size ? length : size;
        uint8_t *bytes = malloc(length + 1); /* of its own, so that a step too far is seen */
        OC_ASSERT(bytes != NULL);
        memcpy(bytes, data, length);
        if (repaired)
            repair_message(&repair, bytes, length);
        const oc_err_t err = service_snapshot_reader_take(reader, bytes, length);
        free(bytes);
        if (err != OC_ERR_OK)
            return err;
        data += length;
        size -= length;
    }
    return service_snapshot_reader_end(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int round = 0; round < 2; round++) {
        service_snapshot_reader_t *reader;
        OC_ASSERT(service_snapshot_reader_create(&reader, POSITION) == OC_ERR_OK);
        const oc_err_t err = take_input(reader, data, size, round == 1);
        OC_ASSERT((err == OC_ERR_OK) == service_snapshot_reader_complete(reader));
        if (err == OC_ERR_OK)
            check_complete(reader);
        else
            OC_ASSERT(oc_err_context()[0] != '\0');
        service_snapshot_reader_destroy(reader);
    }
    return 0;
}
