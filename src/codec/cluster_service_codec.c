/*
 * Bytes <-> structs of what a consensus module and its service say to each other, of the log, and
 * of a service's snapshot. Called by the cluster's host; the other direction of each is for tests.
 *
 * Invariants: a getter runs only on a block that is long enough for the version that wrote it;
 * texts and groups are walked only inside the bytes (codec/cluster_rest.h says why). A message that
 * is not understood leaves nothing but zeros behind. Nothing is copied or kept, or allocated.
 */
#include "codec/cluster_service_codec.h"

#include "codec/cluster_rest.h"

#include <cluster/clientSession.h>
#include <cluster/closeSession.h>
#include <cluster/clusterActionRequest.h>
#include <cluster/clusterMembersExtendedResponse.h>
#include <cluster/clusterMembersQuery.h>
#include <cluster/joinLog.h>
#include <cluster/membershipChangeEvent.h>
#include <cluster/newLeadershipTermEvent.h>
#include <cluster/requestServiceAck.h>
#include <cluster/scheduleTimer.h>
#include <cluster/serviceAck.h>
#include <cluster/serviceTerminationPosition.h>
#include <cluster/sessionCloseEvent.h>
#include <cluster/sessionMessageHeader.h>
#include <cluster/sessionOpenEvent.h>
#include <cluster/snapshotMarker.h>
#include <cluster/timerEvent.h>

/* How SBE writes that an optional enum or 32-bit number is not there. */
#define NULL_INT32 INT32_MIN

#define GROUP_HEADER_BYTES   4
#define MEMBER_BLOCK_BYTES   28
#define MEMBER_ENDPOINTS     5
#define SNAPSHOT_TIME_SINCE  4
#define TERM_TIME_UNIT_SINCE 4

_Static_assert(CLUSTER_ACTION_SNAPSHOT == (int)cluster_clusterAction_SNAPSHOT, "as on the wire");
_Static_assert(CLUSTER_TIME_NANOS == (int)cluster_clusterTimeUnit_NANOS, "as on the wire");
_Static_assert(CLUSTER_SNAPSHOT_END == (int)cluster_snapshotMark_END, "as on the wire");

/* A message of the schema: how long its block must be. */
typedef struct layout {
    uint16_t template_id;
    uint16_t block;     /* bytes that the fields of the newest known version need */
    uint16_t since;     /* the version from which on they are all there; 0: from the first */
    uint16_t old_block; /* before that */
} layout_t;

static const layout_t log_layouts[] = {
    {CLUSTER_LOG_MESSAGE, 24, 0, 0},    {CLUSTER_LOG_TIMER, 24, 0, 0},
    {CLUSTER_LOG_OPEN, 36, 0, 0},       {CLUSTER_LOG_CLOSE, 28, 0, 0},
    {CLUSTER_LOG_ACTION, 32, 11, 28},   {CLUSTER_LOG_TERM, 48, TERM_TIME_UNIT_SINCE, 40},
    {CLUSTER_LOG_MEMBERSHIP, 40, 0, 0}, {0, 0, 0, 0},
};

static const layout_t control_layouts[] = {
    {CLUSTER_CONTROL_JOIN_LOG, 40, 16, 36},
    {CLUSTER_CONTROL_TERMINATION, 12, 17, 8},
    {CLUSTER_CONTROL_MEMBERS, 24, 0, 0},
    {CLUSTER_CONTROL_REQUEST_ACK, 8, 0, 0},
    {0, 0, 0, 0},
};

static const layout_t request_layouts[] = {
    {CLUSTER_REQUEST_CLOSE_SESSION, 8, 0, 0},
    {CLUSTER_REQUEST_SCHEDULE_TIMER, 16, 0, 0},
    {CLUSTER_REQUEST_ACK, 36, 0, 0},
    {CLUSTER_REQUEST_MEMBERS_QUERY, 12, 5, 8},
    {0, 0, 0, 0},
};

static const layout_t snapshot_layouts[] = {
    {CLUSTER_SNAPSHOT_MARKER, 40, SNAPSHOT_TIME_SINCE, 32},
    {CLUSTER_SNAPSHOT_SESSION, 12, 0, 0},
    {0, 0, 0, 0},
};

/* Reads the header and measures the block by the layouts, which end with a zero. A template that
 * they do not name is OC_PROBLEM_TEMPLATE, if its block is there. */
static codec_result_t open_message(frame_t *frame, const void *bytes, size_t length,
                                   const layout_t *layouts)
{
    if (!frame_open(frame, bytes, length))
        return OC_PROBLEM_SHORT;
    if (frame->schema_id != CLUSTER_SCHEMA_ID)
        return OC_PROBLEM_SCHEMA;
    const layout_t *layout = layouts;
    while (layout->template_id != 0 && layout->template_id != frame->template_id)
        layout++;
    const uint16_t least = frame->version >= layout->since ? layout->block : layout->old_block;
    if (!frame_has_block(frame, least))
        return OC_PROBLEM_SHORT;
    return layout->template_id == 0 ? OC_PROBLEM_TEMPLATE : OC_PROBLEM_NONE;
}

static int32_t unless_null(int32_t value, int32_t otherwise)
{
    return value == NULL_INT32 ? otherwise : value;
}

/* ---- The log ---- */

static bool decode_log_message(const frame_t *frame, cluster_rest_t *rest,
                               cluster_log_entry_t *entry)
{
    struct cluster_sessionMessageHeader m;
    CLUSTER_WRAP(sessionMessageHeader, &m, frame);
    entry->term = cluster_sessionMessageHeader_leadershipTermId(&m);
    entry->session = cluster_sessionMessageHeader_clusterSessionId(&m);
    entry->timestamp = cluster_sessionMessageHeader_timestamp(&m);
    cluster_rest_take_all(rest, &entry->payload);
    return true;
}

static bool decode_timer(const frame_t *frame, cluster_log_entry_t *entry)
{
    struct cluster_timerEvent m;
    CLUSTER_WRAP(timerEvent, &m, frame);
    entry->term = cluster_timerEvent_leadershipTermId(&m);
    entry->correlation_id = cluster_timerEvent_correlationId(&m);
    entry->timestamp = cluster_timerEvent_timestamp(&m);
    return true;
}

static bool decode_open(const frame_t *frame, cluster_rest_t *rest, cluster_log_entry_t *entry)
{
    struct cluster_sessionOpenEvent m;
    CLUSTER_WRAP(sessionOpenEvent, &m, frame);
    entry->term = cluster_sessionOpenEvent_leadershipTermId(&m);
    entry->correlation_id = cluster_sessionOpenEvent_correlationId(&m);
    entry->session = cluster_sessionOpenEvent_clusterSessionId(&m);
    entry->timestamp = cluster_sessionOpenEvent_timestamp(&m);
    entry->response_stream = cluster_sessionOpenEvent_responseStreamId(&m);
    return cluster_rest_take_text(rest, &entry->channel) &&
           cluster_rest_take_text(rest, &entry->principal);
}

static bool decode_close(const frame_t *frame, cluster_log_entry_t *entry)
{
    struct cluster_sessionCloseEvent m;
    CLUSTER_WRAP(sessionCloseEvent, &m, frame);
    entry->term = cluster_sessionCloseEvent_leadershipTermId(&m);
    entry->session = cluster_sessionCloseEvent_clusterSessionId(&m);
    entry->timestamp = cluster_sessionCloseEvent_timestamp(&m);
    entry->close_reason = CLUSTER_RAW_ENUM(sessionCloseEvent, &m, closeReason);
    return true;
}

static bool decode_action(const frame_t *frame, cluster_log_entry_t *entry)
{
    struct cluster_clusterActionRequest m;
    CLUSTER_WRAP(clusterActionRequest, &m, frame);
    entry->term = cluster_clusterActionRequest_leadershipTermId(&m);
    entry->log_position = cluster_clusterActionRequest_logPosition(&m);
    entry->timestamp = cluster_clusterActionRequest_timestamp(&m);
    entry->action = CLUSTER_RAW_ENUM(clusterActionRequest, &m, action);
    entry->flags = unless_null(cluster_clusterActionRequest_flags(&m), 0);
    return true;
}

static bool decode_term(const frame_t *frame, cluster_log_entry_t *entry)
{
    struct cluster_newLeadershipTermEvent m;
    CLUSTER_WRAP(newLeadershipTermEvent, &m, frame);
    entry->term = cluster_newLeadershipTermEvent_leadershipTermId(&m);
    entry->log_position = cluster_newLeadershipTermEvent_logPosition(&m);
    entry->timestamp = cluster_newLeadershipTermEvent_timestamp(&m);
    entry->term_base = cluster_newLeadershipTermEvent_termBaseLogPosition(&m);
    entry->leader = cluster_newLeadershipTermEvent_leaderMemberId(&m);
    entry->log_session = cluster_newLeadershipTermEvent_logSessionId(&m);
    entry->time_unit = CLUSTER_TIME_MILLIS;
    if (frame->version >= TERM_TIME_UNIT_SINCE)
        entry->time_unit = unless_null(CLUSTER_RAW_ENUM(newLeadershipTermEvent, &m, timeUnit),
                                       CLUSTER_TIME_MILLIS);
    entry->app_version = cluster_newLeadershipTermEvent_appVersion(&m);
    return true;
}

static bool decode_membership(const frame_t *frame, cluster_rest_t *rest,
                              cluster_log_entry_t *entry)
{
    struct cluster_membershipChangeEvent m;
    cluster_text_t members;
    CLUSTER_WRAP(membershipChangeEvent, &m, frame);
    entry->term = cluster_membershipChangeEvent_leadershipTermId(&m);
    entry->log_position = cluster_membershipChangeEvent_logPosition(&m);
    entry->timestamp = cluster_membershipChangeEvent_timestamp(&m);
    entry->leader = cluster_membershipChangeEvent_leaderMemberId(&m);
    return cluster_rest_take_text(rest, &members);
}

static bool decode_entry(const frame_t *frame, cluster_rest_t *rest, cluster_log_entry_t *entry)
{
    switch (entry->type) {
    case CLUSTER_LOG_MESSAGE:
        return decode_log_message(frame, rest, entry);
    case CLUSTER_LOG_TIMER:
        return decode_timer(frame, entry);
    case CLUSTER_LOG_OPEN:
        return decode_open(frame, rest, entry);
    case CLUSTER_LOG_CLOSE:
        return decode_close(frame, entry);
    case CLUSTER_LOG_ACTION:
        return decode_action(frame, entry);
    case CLUSTER_LOG_TERM:
        return decode_term(frame, entry);
    case CLUSTER_LOG_MEMBERSHIP:
        return decode_membership(frame, rest, entry);
    case CLUSTER_LOG_OTHER:
        break;
    }
    return true;
}

codec_result_t cluster_log_decode(const void *bytes, size_t length, cluster_log_entry_t *entry)
{
    frame_t frame;
    memset(entry, 0, sizeof *entry);
    const codec_result_t result = open_message(&frame, bytes, length, log_layouts);
    if (result == OC_PROBLEM_TEMPLATE)
        return OC_PROBLEM_NONE;
    if (result != OC_PROBLEM_NONE)
        return result;
    entry->type = (cluster_log_type_t)frame.template_id;
    cluster_rest_t rest = cluster_rest_of(&frame);
    if (decode_entry(&frame, &rest, entry)) {
        if (frame.version <= cluster_messageHeader_sbe_schema_version())
            entry->behind = rest.left;
        return OC_PROBLEM_NONE;
    }
    memset(entry, 0, sizeof *entry);
    return OC_PROBLEM_SHORT;
}

static void encode_open(const cluster_log_entry_t *entry, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_sessionOpenEvent m;
    cluster_sessionOpenEvent_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_sessionOpenEvent_set_leadershipTermId(&m, entry->term);
    cluster_sessionOpenEvent_set_correlationId(&m, entry->correlation_id);
    cluster_sessionOpenEvent_set_clusterSessionId(&m, entry->session);
    cluster_sessionOpenEvent_set_timestamp(&m, entry->timestamp);
    cluster_sessionOpenEvent_set_responseStreamId(&m, entry->response_stream);
    CLUSTER_PUT_TEXT(sessionOpenEvent, &m, responseChannel, &entry->channel);
    CLUSTER_PUT_TEXT(sessionOpenEvent, &m, encodedPrincipal, &entry->principal);
}

static void encode_timer(const cluster_log_entry_t *entry, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_timerEvent m;
    cluster_timerEvent_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_timerEvent_set_leadershipTermId(&m, entry->term);
    cluster_timerEvent_set_correlationId(&m, entry->correlation_id);
    cluster_timerEvent_set_timestamp(&m, entry->timestamp);
}

static void encode_close(const cluster_log_entry_t *entry, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_sessionCloseEvent m;
    cluster_sessionCloseEvent_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_sessionCloseEvent_set_leadershipTermId(&m, entry->term);
    cluster_sessionCloseEvent_set_clusterSessionId(&m, entry->session);
    cluster_sessionCloseEvent_set_timestamp(&m, entry->timestamp);
    cluster_sessionCloseEvent_set_closeReason(&m, (enum cluster_closeReason)entry->close_reason);
}

static void encode_action(const cluster_log_entry_t *entry, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_clusterActionRequest m;
    cluster_clusterActionRequest_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_clusterActionRequest_set_leadershipTermId(&m, entry->term);
    cluster_clusterActionRequest_set_logPosition(&m, entry->log_position);
    cluster_clusterActionRequest_set_timestamp(&m, entry->timestamp);
    cluster_clusterActionRequest_set_action(&m, (enum cluster_clusterAction)entry->action);
    cluster_clusterActionRequest_set_flags(&m, entry->flags);
}

static void encode_term(const cluster_log_entry_t *entry, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_newLeadershipTermEvent m;
    cluster_newLeadershipTermEvent_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_newLeadershipTermEvent_set_leadershipTermId(&m, entry->term);
    cluster_newLeadershipTermEvent_set_logPosition(&m, entry->log_position);
    cluster_newLeadershipTermEvent_set_timestamp(&m, entry->timestamp);
    cluster_newLeadershipTermEvent_set_termBaseLogPosition(&m, entry->term_base);
    cluster_newLeadershipTermEvent_set_leaderMemberId(&m, entry->leader);
    cluster_newLeadershipTermEvent_set_logSessionId(&m, entry->log_session);
    cluster_newLeadershipTermEvent_set_timeUnit(&m, (enum cluster_clusterTimeUnit)entry->time_unit);
    cluster_newLeadershipTermEvent_set_appVersion(&m, entry->app_version);
}

static void encode_membership(const cluster_log_entry_t *entry, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_membershipChangeEvent m;
    cluster_membershipChangeEvent_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_membershipChangeEvent_set_leadershipTermId(&m, entry->term);
    cluster_membershipChangeEvent_set_logPosition(&m, entry->log_position);
    cluster_membershipChangeEvent_set_timestamp(&m, entry->timestamp);
    cluster_membershipChangeEvent_set_leaderMemberId(&m, entry->leader);
    cluster_membershipChangeEvent_set_clusterSize(&m, 0);
    cluster_membershipChangeEvent_set_changeType(&m, cluster_changeType_JOIN);
    cluster_membershipChangeEvent_set_memberId(&m, entry->leader);
    (void)cluster_membershipChangeEvent_put_clusterMembers(&m, "", 0);
}

/* 0: it is of no type that is written. */
static size_t entry_size(const cluster_log_entry_t *entry)
{
    switch (entry->type) {
    case CLUSTER_LOG_MESSAGE:
        return (size_t)CLUSTER_SESSION_HEADER_BYTES + entry->payload.length;
    case CLUSTER_LOG_TIMER:
        return CODEC_HEADER_BYTES + cluster_timerEvent_sbe_block_length();
    case CLUSTER_LOG_OPEN:
        return CODEC_HEADER_BYTES + cluster_sessionOpenEvent_sbe_block_length() +
               cluster_text_size(&entry->channel) + cluster_text_size(&entry->principal);
    case CLUSTER_LOG_CLOSE:
        return CODEC_HEADER_BYTES + cluster_sessionCloseEvent_sbe_block_length();
    case CLUSTER_LOG_ACTION:
        return CODEC_HEADER_BYTES + cluster_clusterActionRequest_sbe_block_length();
    case CLUSTER_LOG_TERM:
        return CODEC_HEADER_BYTES + cluster_newLeadershipTermEvent_sbe_block_length();
    case CLUSTER_LOG_MEMBERSHIP:
        return CODEC_HEADER_BYTES + cluster_membershipChangeEvent_sbe_block_length() +
               CLUSTER_TEXT_LENGTH_BYTES;
    case CLUSTER_LOG_OTHER:
        break;
    }
    return 0;
}

size_t cluster_log_encode(const cluster_log_entry_t *entry, void *bytes, size_t capacity)
{
    const size_t size = entry_size(entry);
    if (size > capacity)
        return 0;
    switch (entry->type) {
    case CLUSTER_LOG_MESSAGE:
        cluster_encode_session_header(bytes, entry->term, entry->session, entry->timestamp);
        memcpy((char *)bytes + CLUSTER_SESSION_HEADER_BYTES, cluster_text_bytes(&entry->payload),
               entry->payload.length);
        break;
    case CLUSTER_LOG_TIMER:
        encode_timer(entry, bytes, size);
        break;
    case CLUSTER_LOG_OPEN:
        encode_open(entry, bytes, size);
        break;
    case CLUSTER_LOG_CLOSE:
        encode_close(entry, bytes, size);
        break;
    case CLUSTER_LOG_ACTION:
        encode_action(entry, bytes, size);
        break;
    case CLUSTER_LOG_TERM:
        encode_term(entry, bytes, size);
        break;
    case CLUSTER_LOG_MEMBERSHIP:
        encode_membership(entry, bytes, size);
        break;
    case CLUSTER_LOG_OTHER:
        break;
    }
    return size;
}

/* ---- Module to service ---- */

static bool decode_join_log(const frame_t *frame, cluster_rest_t *rest, cluster_control_t *control)
{
    struct cluster_joinLog m;
    enum cluster_booleanType standby = cluster_booleanType_FALSE;
    CLUSTER_WRAP(joinLog, &m, frame);
    control->position = cluster_joinLog_logPosition(&m);
    control->max_position = cluster_joinLog_maxLogPosition(&m);
    control->member = cluster_joinLog_memberId(&m);
    control->log_session = cluster_joinLog_logSessionId(&m);
    control->log_stream = cluster_joinLog_logStreamId(&m);
    control->startup = CLUSTER_RAW_ENUM(joinLog, &m, isStartup) == cluster_booleanType_TRUE;
    control->role = cluster_joinLog_role(&m);
    control->standby =
        cluster_joinLog_isStandby(&m, &standby) && standby == cluster_booleanType_TRUE;
    return cluster_rest_take_text(rest, &control->channel);
}

static void decode_termination(const frame_t *frame, cluster_control_t *control)
{
    struct cluster_serviceTerminationPosition m;
    enum cluster_booleanType required = cluster_booleanType_TRUE;
    CLUSTER_WRAP(serviceTerminationPosition, &m, frame);
    control->position = cluster_serviceTerminationPosition_logPosition(&m);
    /* An older module waits for the ack without saying so. */
    control->acknowledge = !cluster_serviceTerminationPosition_ackRequired(&m, &required) ||
                           required != cluster_booleanType_FALSE;
}

/* Takes the head of a group off the front; false when it or its entries do not fit. */
static bool take_group(cluster_rest_t *rest, uint16_t *block, uint16_t *count)
{
    if (rest->left < GROUP_HEADER_BYTES)
        return false;
    *block = frame_load_u16(rest->at);
    *count = frame_load_u16(rest->at + 2);
    rest->at += GROUP_HEADER_BYTES;
    rest->left -= GROUP_HEADER_BYTES;
    return *block >= MEMBER_BLOCK_BYTES || *count == 0;
}

/* Takes one entry of a group of members off the front. The generated code walks groups without
 * looking where the bytes end, so the fields are loaded here; they lie as it has them. */
static bool take_member(cluster_rest_t *rest, uint16_t block, cluster_member_status_t *member)
{
    if (rest->left < block)
        return false;
    member->term = frame_load_i64(rest->at);
    member->log_position = frame_load_i64(rest->at + 8);
    member->last_append_ns = frame_load_i64(rest->at + 16);
    member->member = (int32_t)frame_load_u32(rest->at + 24);
    rest->at += block;
    rest->left -= block;
    for (size_t i = 0; i < MEMBER_ENDPOINTS; i++) {
        if (!cluster_rest_take_text(rest, &member->endpoints[i]))
            return false;
    }
    return true;
}

static bool skip_members(cluster_rest_t *rest)
{
    uint16_t block, count;
    cluster_member_status_t member;
    if (!take_group(rest, &block, &count))
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (!take_member(rest, block, &member))
            return false;
    }
    return true;
}

static bool decode_members(const frame_t *frame, cluster_rest_t *rest, cluster_control_t *control)
{
    struct cluster_clusterMembersExtendedResponse m;
    CLUSTER_WRAP(clusterMembersExtendedResponse, &m, frame);
    control->correlation_id = cluster_clusterMembersExtendedResponse_correlationId(&m);
    control->members_time_ns = cluster_clusterMembersExtendedResponse_currentTimeNs(&m);
    control->members_leader = cluster_clusterMembersExtendedResponse_leaderMemberId(&m);
    control->member = cluster_clusterMembersExtendedResponse_memberId(&m);
    return skip_members(rest) && skip_members(rest); /* active, passive */
}

static bool decode_control(const frame_t *frame, cluster_control_t *control)
{
    cluster_rest_t rest = cluster_rest_of(frame);
    switch (control->type) {
    case CLUSTER_CONTROL_JOIN_LOG:
        return decode_join_log(frame, &rest, control);
    case CLUSTER_CONTROL_TERMINATION:
        decode_termination(frame, control);
        break;
    case CLUSTER_CONTROL_MEMBERS:
        return decode_members(frame, &rest, control);
    case CLUSTER_CONTROL_REQUEST_ACK:
        control->position = frame_load_i64(frame->bytes + CODEC_HEADER_BYTES);
        break;
    case CLUSTER_CONTROL_OTHER:
        break;
    }
    return true;
}

codec_result_t cluster_control_decode(const void *bytes, size_t length, cluster_control_t *control)
{
    frame_t frame;
    memset(control, 0, sizeof *control);
    const codec_result_t result = open_message(&frame, bytes, length, control_layouts);
    if (result == OC_PROBLEM_TEMPLATE)
        return OC_PROBLEM_NONE;
    if (result != OC_PROBLEM_NONE)
        return result;
    control->type = (cluster_control_type_t)frame.template_id;
    if (decode_control(&frame, control))
        return OC_PROBLEM_NONE;
    memset(control, 0, sizeof *control);
    return OC_PROBLEM_SHORT;
}

bool cluster_control_member(const void *bytes, size_t length, size_t n,
                            cluster_member_status_t *member)
{
    frame_t frame;
    uint16_t block, count;
    memset(member, 0, sizeof *member);
    if (open_message(&frame, bytes, length, control_layouts) != OC_PROBLEM_NONE ||
        frame.template_id != CLUSTER_CONTROL_MEMBERS)
        return false;
    cluster_rest_t rest = cluster_rest_of(&frame);
    if (!take_group(&rest, &block, &count) || n >= count)
        return false;
    for (size_t i = 0; i <= n; i++) {
        if (!take_member(&rest, block, member)) {
            memset(member, 0, sizeof *member);
            return false;
        }
    }
    return true;
}

static enum cluster_booleanType boolean_of(bool value)
{
    return value ? cluster_booleanType_TRUE : cluster_booleanType_FALSE;
}

static void encode_join_log(const cluster_control_t *control, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_joinLog m;
    cluster_joinLog_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_joinLog_set_logPosition(&m, control->position);
    cluster_joinLog_set_maxLogPosition(&m, control->max_position);
    cluster_joinLog_set_memberId(&m, control->member);
    cluster_joinLog_set_logSessionId(&m, control->log_session);
    cluster_joinLog_set_logStreamId(&m, control->log_stream);
    cluster_joinLog_set_isStartup(&m, boolean_of(control->startup));
    cluster_joinLog_set_role(&m, control->role);
    cluster_joinLog_set_isStandby(&m, boolean_of(control->standby));
    CLUSTER_PUT_TEXT(joinLog, &m, logChannel, &control->channel);
}

static size_t control_size(const cluster_control_t *control)
{
    switch (control->type) {
    case CLUSTER_CONTROL_JOIN_LOG:
        return CODEC_HEADER_BYTES + cluster_joinLog_sbe_block_length() +
               cluster_text_size(&control->channel);
    case CLUSTER_CONTROL_TERMINATION:
        return CODEC_HEADER_BYTES + cluster_serviceTerminationPosition_sbe_block_length();
    case CLUSTER_CONTROL_REQUEST_ACK:
        return CODEC_HEADER_BYTES + cluster_requestServiceAck_sbe_block_length();
    case CLUSTER_CONTROL_MEMBERS:
    case CLUSTER_CONTROL_OTHER:
        break;
    }
    return 0;
}

size_t cluster_control_encode(const cluster_control_t *control, void *bytes, size_t capacity)
{
    struct cluster_messageHeader header;
    const size_t size = control_size(control);
    if (size == 0 || size > capacity)
        return 0;
    if (control->type == CLUSTER_CONTROL_JOIN_LOG) {
        encode_join_log(control, bytes, size);
    } else if (control->type == CLUSTER_CONTROL_TERMINATION) {
        struct cluster_serviceTerminationPosition m;
        cluster_serviceTerminationPosition_wrap_and_apply_header(&m, bytes, 0, size, &header);
        cluster_serviceTerminationPosition_set_logPosition(&m, control->position);
        cluster_serviceTerminationPosition_set_ackRequired(&m, boolean_of(control->acknowledge));
    } else {
        struct cluster_requestServiceAck m;
        cluster_requestServiceAck_wrap_and_apply_header(&m, bytes, 0, size, &header);
        cluster_requestServiceAck_set_logPosition(&m, control->position);
    }
    return size;
}

/* ---- Service to module ---- */

size_t cluster_encode_ack(const cluster_ack_t *ack, void *bytes)
{
    struct cluster_messageHeader header;
    struct cluster_serviceAck m;
    cluster_serviceAck_wrap_and_apply_header(&m, bytes, 0, CLUSTER_REQUEST_BYTES_MAX, &header);
    cluster_serviceAck_set_logPosition(&m, ack->position);
    cluster_serviceAck_set_timestamp(&m, ack->timestamp);
    cluster_serviceAck_set_ackId(&m, ack->id);
    cluster_serviceAck_set_relevantId(&m, ack->relevant_id);
    cluster_serviceAck_set_serviceId(&m, ack->service);
    return CODEC_HEADER_BYTES + cluster_serviceAck_sbe_block_length();
}

size_t cluster_encode_schedule_timer(int64_t correlation_id, int64_t deadline, void *bytes)
{
    struct cluster_messageHeader header;
    struct cluster_scheduleTimer m;
    cluster_scheduleTimer_wrap_and_apply_header(&m, bytes, 0, CLUSTER_REQUEST_BYTES_MAX, &header);
    cluster_scheduleTimer_set_correlationId(&m, correlation_id);
    cluster_scheduleTimer_set_deadline(&m, deadline);
    return CODEC_HEADER_BYTES + cluster_scheduleTimer_sbe_block_length();
}

size_t cluster_encode_close_session(int64_t session, void *bytes)
{
    struct cluster_messageHeader header;
    struct cluster_closeSession m;
    cluster_closeSession_wrap_and_apply_header(&m, bytes, 0, CLUSTER_REQUEST_BYTES_MAX, &header);
    cluster_closeSession_set_clusterSessionId(&m, session);
    return CODEC_HEADER_BYTES + cluster_closeSession_sbe_block_length();
}

size_t cluster_encode_members_query(int64_t correlation_id, void *bytes)
{
    struct cluster_messageHeader header;
    struct cluster_clusterMembersQuery m;
    cluster_clusterMembersQuery_wrap_and_apply_header(&m, bytes, 0, CLUSTER_REQUEST_BYTES_MAX,
                                                      &header);
    cluster_clusterMembersQuery_set_correlationId(&m, correlation_id);
    cluster_clusterMembersQuery_set_extended(&m, cluster_booleanType_TRUE);
    return CODEC_HEADER_BYTES + cluster_clusterMembersQuery_sbe_block_length();
}

static void decode_ack(const frame_t *frame, cluster_ack_t *ack)
{
    struct cluster_serviceAck m;
    CLUSTER_WRAP(serviceAck, &m, frame);
    ack->position = cluster_serviceAck_logPosition(&m);
    ack->timestamp = cluster_serviceAck_timestamp(&m);
    ack->id = cluster_serviceAck_ackId(&m);
    ack->relevant_id = cluster_serviceAck_relevantId(&m);
    ack->service = cluster_serviceAck_serviceId(&m);
}

codec_result_t cluster_request_decode(const void *bytes, size_t length, cluster_request_t *request)
{
    frame_t frame;
    memset(request, 0, sizeof *request);
    const codec_result_t result = open_message(&frame, bytes, length, request_layouts);
    if (result != OC_PROBLEM_NONE)
        return result;
    /* The first field of all the others: a session or a correlation id. */
    const int64_t id = frame_load_i64(frame.bytes + CODEC_HEADER_BYTES);
    request->type = (cluster_request_type_t)frame.template_id;
    switch (request->type) {
    case CLUSTER_REQUEST_CLOSE_SESSION:
        request->session = id;
        break;
    case CLUSTER_REQUEST_SCHEDULE_TIMER:
        request->correlation_id = id;
        request->deadline = frame_load_i64(frame.bytes + CODEC_HEADER_BYTES +
                                           cluster_scheduleTimer_deadline_encoding_offset());
        break;
    case CLUSTER_REQUEST_MEMBERS_QUERY:
        request->correlation_id = id;
        break;
    case CLUSTER_REQUEST_ACK:
        decode_ack(&frame, &request->ack);
        break;
    }
    return OC_PROBLEM_NONE;
}

/* ---- Snapshots of a service ---- */

static void decode_marker(const frame_t *frame, cluster_snapshot_message_t *message)
{
    struct cluster_snapshotMarker m;
    CLUSTER_WRAP(snapshotMarker, &m, frame);
    message->type_id = cluster_snapshotMarker_typeId(&m);
    message->log_position = cluster_snapshotMarker_logPosition(&m);
    message->term = cluster_snapshotMarker_leadershipTermId(&m);
    message->mark = CLUSTER_RAW_ENUM(snapshotMarker, &m, mark);
    message->time_unit = CLUSTER_TIME_MILLIS;
    if (frame->version >= SNAPSHOT_TIME_SINCE)
        message->time_unit =
            unless_null(CLUSTER_RAW_ENUM(snapshotMarker, &m, timeUnit), CLUSTER_TIME_MILLIS);
    message->app_version = cluster_snapshotMarker_appVersion(&m);
}

static bool decode_session(const frame_t *frame, cluster_snapshot_message_t *message)
{
    struct cluster_clientSession m;
    cluster_rest_t rest = cluster_rest_of(frame);
    CLUSTER_WRAP(clientSession, &m, frame);
    message->session = cluster_clientSession_clusterSessionId(&m);
    message->response_stream = cluster_clientSession_responseStreamId(&m);
    return cluster_rest_take_text(&rest, &message->channel) &&
           cluster_rest_take_text(&rest, &message->principal);
}

codec_result_t cluster_snapshot_decode(const void *bytes, size_t length,
                                       cluster_snapshot_message_t *message)
{
    frame_t frame;
    memset(message, 0, sizeof *message);
    const codec_result_t result = open_message(&frame, bytes, length, snapshot_layouts);
    if (result == OC_PROBLEM_SCHEMA)
        return OC_PROBLEM_NONE; /* CLUSTER_SNAPSHOT_OTHER */
    if (result != OC_PROBLEM_NONE)
        return result;
    message->type = (cluster_snapshot_type_t)frame.template_id;
    if (message->type == CLUSTER_SNAPSHOT_MARKER) {
        decode_marker(&frame, message);
        return OC_PROBLEM_NONE;
    }
    if (decode_session(&frame, message))
        return OC_PROBLEM_NONE;
    memset(message, 0, sizeof *message);
    return OC_PROBLEM_SHORT;
}

static void encode_marker(const cluster_snapshot_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_snapshotMarker m;
    cluster_snapshotMarker_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_snapshotMarker_set_typeId(&m, message->type_id);
    cluster_snapshotMarker_set_logPosition(&m, message->log_position);
    cluster_snapshotMarker_set_leadershipTermId(&m, message->term);
    cluster_snapshotMarker_set_index(&m, 0);
    cluster_snapshotMarker_set_mark(&m, (enum cluster_snapshotMark)message->mark);
    cluster_snapshotMarker_set_timeUnit(&m, (enum cluster_clusterTimeUnit)message->time_unit);
    cluster_snapshotMarker_set_appVersion(&m, message->app_version);
}

static void encode_session(const cluster_snapshot_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_clientSession m;
    cluster_clientSession_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_clientSession_set_clusterSessionId(&m, message->session);
    cluster_clientSession_set_responseStreamId(&m, message->response_stream);
    CLUSTER_PUT_TEXT(clientSession, &m, responseChannel, &message->channel);
    CLUSTER_PUT_TEXT(clientSession, &m, encodedPrincipal, &message->principal);
}

size_t cluster_snapshot_encode(const cluster_snapshot_message_t *message, void *bytes,
                               size_t capacity)
{
    size_t size = 0;
    if (message->type == CLUSTER_SNAPSHOT_MARKER)
        size = (size_t)CODEC_HEADER_BYTES + cluster_snapshotMarker_sbe_block_length();
    else if (message->type == CLUSTER_SNAPSHOT_SESSION)
        size = CODEC_HEADER_BYTES + cluster_clientSession_sbe_block_length() +
               cluster_text_size(&message->channel) + cluster_text_size(&message->principal);
    if (size == 0 || size > capacity)
        return 0;
    if (message->type == CLUSTER_SNAPSHOT_MARKER)
        encode_marker(message, bytes, size);
    else
        encode_session(message, bytes, size);
    return size;
}
