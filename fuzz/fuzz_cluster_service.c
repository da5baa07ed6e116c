/*
 * Fuzzes the decoders of what a cluster's host takes: the log, the module's messages, a service's
 * requests and snapshots, and what members tell each other. Each sees every input. Texts of what is
 * understood must lie inside the input, and it must encode again to a message that means the same.
 * Must not read past its input.
 */
#include "base/assert.h"
#include "codec/cluster_service_codec.h"
#include "codec/member_codec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS_MAX = 64 }; /* looked at */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_inside(const cluster_text_t *text, const uint8_t *data, size_t size)
{
    const uintptr_t offset = (uintptr_t)text->bytes - (uintptr_t)data;
    if (text->bytes == NULL) {
        OC_ASSERT(text->length == 0);
        return;
    }
    OC_ASSERT(offset <= size);
    OC_ASSERT(text->length <= size - offset);
}

static void check_same(const cluster_text_t *a, const cluster_text_t *b)
{
    OC_ASSERT(a->length == b->length);
    OC_ASSERT(a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

/* An older or shorter message grows by the fields that it did not have. */
static size_t room_for(size_t size)
{
    return size + 64;
}

static void check_log(const uint8_t *data, size_t size, uint8_t *room)
{
    cluster_log_entry_t entry, again;
    if (cluster_log_decode(data, size, &entry) != OC_PROBLEM_NONE) {
        OC_ASSERT(entry.type == CLUSTER_LOG_OTHER);
        return;
    }
    check_inside(&entry.channel, data, size);
    check_inside(&entry.principal, data, size);
    check_inside(&entry.payload, data, size);
    const size_t written = cluster_log_encode(&entry, room, room_for(size));
    if (entry.type == CLUSTER_LOG_OTHER) {
        OC_ASSERT(written == 0);
        return;
    }
    OC_ASSERT(written > 0);
    OC_ASSERT(cluster_log_encode(&entry, room, written - 1) == 0);
    const codec_result_t result = cluster_log_decode(room, written, &again);
    OC_ASSERT(result == OC_PROBLEM_NONE);
    check_same(&again.channel, &entry.channel);
    check_same(&again.principal, &entry.principal);
    check_same(&again.payload, &entry.payload);
    OC_ASSERT(again.type == entry.type);
    OC_ASSERT(again.term == entry.term);
    OC_ASSERT(again.timestamp == entry.timestamp);
    OC_ASSERT(again.session == entry.session);
    OC_ASSERT(again.correlation_id == entry.correlation_id);
    OC_ASSERT(again.log_position == entry.log_position);
    OC_ASSERT(again.term_base == entry.term_base);
    OC_ASSERT(again.leader == entry.leader);
    OC_ASSERT(again.log_session == entry.log_session);
    OC_ASSERT(again.time_unit == entry.time_unit);
    OC_ASSERT(again.app_version == entry.app_version);
    OC_ASSERT(again.action == entry.action);
    OC_ASSERT(again.flags == entry.flags);
    OC_ASSERT(again.close_reason == entry.close_reason);
    OC_ASSERT(again.response_stream == entry.response_stream);
}

/* Every member that a list has is inside it, and there is an end. */
static void check_members(const uint8_t *data, size_t size)
{
    cluster_member_status_t member;
    size_t n = 0;
    while (n < MEMBERS_MAX && cluster_control_member(data, size, n, &member)) {
        for (size_t i = 0; i < sizeof member.endpoints / sizeof member.endpoints[0]; i++)
            check_inside(&member.endpoints[i], data, size);
        n++;
    }
    if (n < MEMBERS_MAX)
        OC_ASSERT(!cluster_control_member(data, size, n + 1, &member));
}

static void check_control(const uint8_t *data, size_t size, uint8_t *room)
{
    cluster_control_t control, again;
    const codec_result_t result = cluster_control_decode(data, size, &control);
    check_members(data, size);
    check_inside(&control.channel, data, size);
    const size_t written = cluster_control_encode(&control, room, room_for(size));
    if (result != OC_PROBLEM_NONE || control.type == CLUSTER_CONTROL_OTHER ||
        control.type == CLUSTER_CONTROL_MEMBERS) {
        OC_ASSERT(written == 0);
        return;
    }
    OC_ASSERT(written > 0);
    const codec_result_t second = cluster_control_decode(room, written, &again);
    OC_ASSERT(second == OC_PROBLEM_NONE);
    check_same(&again.channel, &control.channel);
    OC_ASSERT(again.type == control.type);
    OC_ASSERT(again.position == control.position);
    OC_ASSERT(again.max_position == control.max_position);
    OC_ASSERT(again.member == control.member);
    OC_ASSERT(again.log_session == control.log_session);
    OC_ASSERT(again.log_stream == control.log_stream);
    OC_ASSERT(again.role == control.role);
    OC_ASSERT(again.startup == control.startup);
    OC_ASSERT(again.standby == control.standby);
    OC_ASSERT(again.acknowledge == control.acknowledge);
}

static size_t encode_request(const cluster_request_t *request, uint8_t *room)
{
    switch (request->type) {
    case CLUSTER_REQUEST_CLOSE_SESSION:
        return cluster_encode_close_session(request->session, room);
    case CLUSTER_REQUEST_SCHEDULE_TIMER:
        return cluster_encode_schedule_timer(request->correlation_id, request->deadline, room);
    case CLUSTER_REQUEST_ACK:
        return cluster_encode_ack(&request->ack, room);
    case CLUSTER_REQUEST_MEMBERS_QUERY:
        return cluster_encode_members_query(request->correlation_id, room);
    }
    return 0;
}

static void check_request(const uint8_t *data, size_t size, uint8_t *room)
{
    cluster_request_t request, again;
    if (cluster_request_decode(data, size, &request) != OC_PROBLEM_NONE)
        return;
    const size_t written = encode_request(&request, room);
    OC_ASSERT(written > 0);
    const codec_result_t result = cluster_request_decode(room, written, &again);
    OC_ASSERT(result == OC_PROBLEM_NONE);
    OC_ASSERT(again.type == request.type);
    OC_ASSERT(again.session == request.session);
    OC_ASSERT(again.correlation_id == request.correlation_id);
    OC_ASSERT(again.deadline == request.deadline);
    OC_ASSERT(again.ack.position == request.ack.position);
    OC_ASSERT(again.ack.timestamp == request.ack.timestamp);
    OC_ASSERT(again.ack.id == request.ack.id);
    OC_ASSERT(again.ack.relevant_id == request.ack.relevant_id);
    OC_ASSERT(again.ack.service == request.ack.service);
}

static void check_snapshot(const uint8_t *data, size_t size, uint8_t *room)
{
    cluster_snapshot_message_t message, again;
    if (cluster_snapshot_decode(data, size, &message) != OC_PROBLEM_NONE ||
        message.type == CLUSTER_SNAPSHOT_OTHER) {
        OC_ASSERT(message.type == CLUSTER_SNAPSHOT_OTHER);
        return;
    }
    check_inside(&message.channel, data, size);
    check_inside(&message.principal, data, size);
    const size_t written = cluster_snapshot_encode(&message, room, room_for(size));
    OC_ASSERT(written > 0);
    const codec_result_t result = cluster_snapshot_decode(room, written, &again);
    OC_ASSERT(result == OC_PROBLEM_NONE);
    check_same(&again.channel, &message.channel);
    check_same(&again.principal, &message.principal);
    OC_ASSERT(again.type == message.type);
    OC_ASSERT(again.type_id == message.type_id);
    OC_ASSERT(again.log_position == message.log_position);
    OC_ASSERT(again.term == message.term);
    OC_ASSERT(again.mark == message.mark);
    OC_ASSERT(again.time_unit == message.time_unit);
    OC_ASSERT(again.app_version == message.app_version);
    OC_ASSERT(again.session == message.session);
    OC_ASSERT(again.response_stream == message.response_stream);
}

static void check_member(const uint8_t *data, size_t size, uint8_t *room)
{
    member_message_t message, again;
    if (member_message_decode(data, size, &message) != OC_PROBLEM_NONE)
        return;
    check_inside(&(cluster_text_t){.bytes = message.bytes, .length = message.length}, data, size);
    const size_t written = member_message_encode(&message, room);
    OC_ASSERT(written <= MEMBER_MESSAGE_BYTES_MAX);
    const codec_result_t result = member_message_decode(room, written, &again);
    OC_ASSERT(result == OC_PROBLEM_NONE);
    check_same(&(cluster_text_t){.bytes = again.bytes, .length = again.length},
               &(cluster_text_t){.bytes = message.bytes, .length = message.length});
    OC_ASSERT(again.type == message.type);
    OC_ASSERT(again.member == message.member);
    OC_ASSERT(again.position == message.position);
    OC_ASSERT(again.state_hash == message.state_hash);
    OC_ASSERT(again.output_hash == message.output_hash);
    OC_ASSERT(again.notice == message.notice);
    OC_ASSERT(again.max_timers == message.max_timers);
}

static void check_seal(const uint8_t *data, size_t size, uint8_t *room)
{
    member_signature_t seal, again;
    if (!member_message_sealed(data, size, &seal))
        return;
    OC_ASSERT(size >= MEMBER_SEAL_BYTES);
    member_message_encode_seal(&seal, room);
    const bool found = member_message_sealed(room, MEMBER_SEAL_BYTES, &again);
    OC_ASSERT(found);
    const int difference = memcmp(&again, &seal, sizeof seal);
    OC_ASSERT(difference == 0);
    const uint8_t *end = data + size - MEMBER_SEAL_BYTES;
    const int bytes = memcmp(room + 8, end + 8, MEMBER_SEAL_BYTES - 8);
    OC_ASSERT(bytes == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *room = malloc(room_for(size) + MEMBER_MESSAGE_BYTES_MAX);
    OC_ASSERT(room != NULL);
    check_log(data, size, room);
    check_control(data, size, room);
    check_request(data, size, room);
    check_snapshot(data, size, room);
    check_member(data, size, room);
    check_seal(data, size, room);
    free(room);
    return 0;
}
