/*
 * Bytes of Aeron Cluster's client protocol <-> cluster_message_t. Called by gateways (requests in,
 * answers out) and clients (the other way); both directions are here, so that each can be tested
 * with the other.
 *
 * The generated code believes what it reads; see codec/cluster_rest.h. A getter runs only on a
 * block that is long enough for its version. Nothing is copied or kept.
 */
#include "codec/cluster_codec.h"

#include "codec/cluster_rest.h"

#include <cluster/adminRequest.h>
#include <cluster/adminResponse.h>
#include <cluster/challenge.h>
#include <cluster/challengeResponse.h>
#include <cluster/newLeaderEvent.h>
#include <cluster/sessionCloseRequest.h>
#include <cluster/sessionConnectRequest.h>
#include <cluster/sessionEvent.h>
#include <cluster/sessionKeepAlive.h>
#include <cluster/sessionMessageHeader.h>

/* Versions of the schema in which a message got longer, and the blocks before that. */
#define EVENT_VERSION_SINCE       6
#define EVENT_HEARTBEAT_SINCE     13
#define CONNECT_VERSION_SINCE     2
#define CONNECT_CLIENT_INFO_SINCE 14

_Static_assert(CLUSTER_SESSION_HEADER_BYTES == CODEC_HEADER_BYTES + 24, "three words");
_Static_assert(CLUSTER_EVENT_CLOSED == (int)cluster_eventCode_CLOSED, "codes as on the wire");

static bool decode_session_message(const frame_t *frame, cluster_rest_t *rest,
                                   cluster_message_t *message)
{
    struct cluster_sessionMessageHeader m;
    CLUSTER_WRAP(sessionMessageHeader, &m, frame);
    message->term = cluster_sessionMessageHeader_leadershipTermId(&m);
    message->session = cluster_sessionMessageHeader_clusterSessionId(&m);
    message->timestamp = cluster_sessionMessageHeader_timestamp(&m);
    cluster_rest_take_all(rest, &message->data);
    return true;
}

static bool decode_session_event(const frame_t *frame, cluster_rest_t *rest,
                                 cluster_message_t *message)
{
    struct cluster_sessionEvent m;
    CLUSTER_WRAP(sessionEvent, &m, frame);
    message->session = cluster_sessionEvent_clusterSessionId(&m);
    message->correlation_id = cluster_sessionEvent_correlationId(&m);
    message->term = cluster_sessionEvent_leadershipTermId(&m);
    message->leader = cluster_sessionEvent_leaderMemberId(&m);
    message->code = CLUSTER_RAW_ENUM(sessionEvent, &m, code);
    message->version = cluster_sessionEvent_version(&m);
    const int64_t timeout = cluster_sessionEvent_leaderHeartbeatTimeoutNs(&m);
    if (timeout != cluster_sessionEvent_leaderHeartbeatTimeoutNs_null_value())
        message->leader_heartbeat_timeout_ns = timeout;
    return cluster_rest_take_text(rest, &message->text);
}

static bool decode_connect_request(const frame_t *frame, cluster_rest_t *rest,
                                   cluster_message_t *message)
{
    struct cluster_sessionConnectRequest m;
    CLUSTER_WRAP(sessionConnectRequest, &m, frame);
    message->correlation_id = cluster_sessionConnectRequest_correlationId(&m);
    message->response_stream = cluster_sessionConnectRequest_responseStreamId(&m);
    message->version = cluster_sessionConnectRequest_version(&m);
    if (!cluster_rest_take_text(rest, &message->text) ||
        !cluster_rest_take_text(rest, &message->data))
        return false;
    /* Aeron's own clients of that version may leave it out. */
    if (frame->version < CONNECT_CLIENT_INFO_SINCE || rest->left == 0)
        return true;
    return cluster_rest_take_text(rest, &message->client_info);
}

static bool decode_close_request(const frame_t *frame, cluster_rest_t *rest,
                                 cluster_message_t *message)
{
    (void)rest;
    struct cluster_sessionCloseRequest m;
    CLUSTER_WRAP(sessionCloseRequest, &m, frame);
    message->term = cluster_sessionCloseRequest_leadershipTermId(&m);
    message->session = cluster_sessionCloseRequest_clusterSessionId(&m);
    return true;
}

static bool decode_keep_alive(const frame_t *frame, cluster_rest_t *rest,
                              cluster_message_t *message)
{
    (void)rest;
    struct cluster_sessionKeepAlive m;
    CLUSTER_WRAP(sessionKeepAlive, &m, frame);
    message->term = cluster_sessionKeepAlive_leadershipTermId(&m);
    message->session = cluster_sessionKeepAlive_clusterSessionId(&m);
    return true;
}

static bool decode_new_leader(const frame_t *frame, cluster_rest_t *rest,
                              cluster_message_t *message)
{
    struct cluster_newLeaderEvent m;
    CLUSTER_WRAP(newLeaderEvent, &m, frame);
    message->term = cluster_newLeaderEvent_leadershipTermId(&m);
    message->session = cluster_newLeaderEvent_clusterSessionId(&m);
    message->leader = cluster_newLeaderEvent_leaderMemberId(&m);
    return cluster_rest_take_text(rest, &message->text);
}

static bool decode_challenge(const frame_t *frame, cluster_rest_t *rest, cluster_message_t *message)
{
    struct cluster_challenge m;
    CLUSTER_WRAP(challenge, &m, frame);
    message->correlation_id = cluster_challenge_correlationId(&m);
    message->session = cluster_challenge_clusterSessionId(&m);
    return cluster_rest_take_text(rest, &message->data);
}

static bool decode_challenge_response(const frame_t *frame, cluster_rest_t *rest,
                                      cluster_message_t *message)
{
    struct cluster_challengeResponse m;
    CLUSTER_WRAP(challengeResponse, &m, frame);
    message->correlation_id = cluster_challengeResponse_correlationId(&m);
    message->session = cluster_challengeResponse_clusterSessionId(&m);
    return cluster_rest_take_text(rest, &message->data);
}

static bool decode_admin_request(const frame_t *frame, cluster_rest_t *rest,
                                 cluster_message_t *message)
{
    struct cluster_adminRequest m;
    CLUSTER_WRAP(adminRequest, &m, frame);
    message->term = cluster_adminRequest_leadershipTermId(&m);
    message->session = cluster_adminRequest_clusterSessionId(&m);
    message->correlation_id = cluster_adminRequest_correlationId(&m);
    message->code = CLUSTER_RAW_ENUM(adminRequest, &m, requestType);
    return cluster_rest_take_text(rest, &message->data);
}

static bool decode_admin_response(const frame_t *frame, cluster_rest_t *rest,
                                  cluster_message_t *message)
{
    struct cluster_adminResponse m;
    CLUSTER_WRAP(adminResponse, &m, frame);
    message->session = cluster_adminResponse_clusterSessionId(&m);
    message->correlation_id = cluster_adminResponse_correlationId(&m);
    message->code = CLUSTER_RAW_ENUM(adminResponse, &m, responseCode);
    return cluster_rest_take_text(rest, &message->text) &&
           cluster_rest_take_text(rest, &message->data);
}

typedef bool decoder_t(const frame_t *frame, cluster_rest_t *rest, cluster_message_t *message);

typedef struct kind {
    decoder_t *decode; /* NULL: no message of the client protocol */
    uint16_t block;    /* bytes that the fields of the newest known version need */
} kind_t;

static const kind_t kinds[] = {
    [CLUSTER_SESSION_MESSAGE] = {decode_session_message, 24},
    [CLUSTER_SESSION_EVENT] = {decode_session_event, 44},
    [CLUSTER_CONNECT_REQUEST] = {decode_connect_request, 16},
    [CLUSTER_CLOSE_REQUEST] = {decode_close_request, 16},
    [CLUSTER_KEEP_ALIVE] = {decode_keep_alive, 16},
    [CLUSTER_NEW_LEADER] = {decode_new_leader, 20},
    [CLUSTER_CHALLENGE] = {decode_challenge, 16},
    [CLUSTER_CHALLENGE_RESPONSE] = {decode_challenge_response, 16},
    [CLUSTER_ADMIN_REQUEST] = {decode_admin_request, 28},
    [CLUSTER_ADMIN_RESPONSE] = {decode_admin_response, 24},
};

/* The shortest block in which the getters of that version stay inside. */
static size_t least_block(const frame_t *frame)
{
    if (frame->template_id == CLUSTER_SESSION_EVENT && frame->version < EVENT_VERSION_SINCE)
        return 32;
    if (frame->template_id == CLUSTER_SESSION_EVENT && frame->version < EVENT_HEARTBEAT_SINCE)
        return 36;
    if (frame->template_id == CLUSTER_CONNECT_REQUEST && frame->version < CONNECT_VERSION_SINCE)
        return 12;
    return kinds[frame->template_id].block;
}

codec_result_t cluster_decode(const void *bytes, size_t length, cluster_message_t *message)
{
    frame_t frame;
    memset(message, 0, sizeof *message);
    if (!frame_open(&frame, bytes, length))
        return OC_PROBLEM_SHORT;
    if (frame.schema_id != CLUSTER_SCHEMA_ID)
        return OC_PROBLEM_SCHEMA;
    if (frame.template_id >= sizeof kinds / sizeof kinds[0] ||
        kinds[frame.template_id].decode == NULL)
        return OC_PROBLEM_TEMPLATE;
    if (!frame_has_block(&frame, least_block(&frame)))
        return OC_PROBLEM_SHORT;
    cluster_rest_t rest = cluster_rest_of(&frame);
    message->type = (cluster_type_t)frame.template_id;
    if (kinds[frame.template_id].decode(&frame, &rest, message))
        return OC_PROBLEM_NONE;
    memset(message, 0, sizeof *message);
    return OC_PROBLEM_SHORT;
}

/* Bytes behind the block. */
static size_t tail_size(const cluster_message_t *message)
{
    switch (message->type) {
    case CLUSTER_SESSION_MESSAGE:
        return message->data.length;
    case CLUSTER_SESSION_EVENT:
    case CLUSTER_NEW_LEADER:
        return cluster_text_size(&message->text);
    case CLUSTER_CONNECT_REQUEST:
        return cluster_text_size(&message->text) + cluster_text_size(&message->data) +
               cluster_text_size(&message->client_info);
    case CLUSTER_CHALLENGE:
    case CLUSTER_CHALLENGE_RESPONSE:
    case CLUSTER_ADMIN_REQUEST:
        return cluster_text_size(&message->data);
    case CLUSTER_ADMIN_RESPONSE:
        return cluster_text_size(&message->text) + cluster_text_size(&message->data);
    default:
        return 0;
    }
}

static void encode_session_event(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_sessionEvent m;
    cluster_sessionEvent_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_sessionEvent_set_clusterSessionId(&m, message->session);
    cluster_sessionEvent_set_correlationId(&m, message->correlation_id);
    cluster_sessionEvent_set_leadershipTermId(&m, message->term);
    cluster_sessionEvent_set_leaderMemberId(&m, message->leader);
    cluster_sessionEvent_set_code(&m, (enum cluster_eventCode)message->code);
    cluster_sessionEvent_set_version(&m, message->version);
    cluster_sessionEvent_set_leaderHeartbeatTimeoutNs(
        &m, message->leader_heartbeat_timeout_ns != 0
                ? message->leader_heartbeat_timeout_ns
                : cluster_sessionEvent_leaderHeartbeatTimeoutNs_null_value());
    CLUSTER_PUT_TEXT(sessionEvent, &m, detail, &message->text);
}

static void encode_connect_request(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_sessionConnectRequest m;
    cluster_sessionConnectRequest_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_sessionConnectRequest_set_correlationId(&m, message->correlation_id);
    cluster_sessionConnectRequest_set_responseStreamId(&m, message->response_stream);
    cluster_sessionConnectRequest_set_version(&m, message->version);
    CLUSTER_PUT_TEXT(sessionConnectRequest, &m, responseChannel, &message->text);
    CLUSTER_PUT_TEXT(sessionConnectRequest, &m, encodedCredentials, &message->data);
    CLUSTER_PUT_TEXT(sessionConnectRequest, &m, clientInfo, &message->client_info);
}

static void encode_close_request(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_sessionCloseRequest m;
    cluster_sessionCloseRequest_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_sessionCloseRequest_set_leadershipTermId(&m, message->term);
    cluster_sessionCloseRequest_set_clusterSessionId(&m, message->session);
}

static void encode_keep_alive(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_sessionKeepAlive m;
    cluster_sessionKeepAlive_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_sessionKeepAlive_set_leadershipTermId(&m, message->term);
    cluster_sessionKeepAlive_set_clusterSessionId(&m, message->session);
}

static void encode_new_leader(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_newLeaderEvent m;
    cluster_newLeaderEvent_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_newLeaderEvent_set_leadershipTermId(&m, message->term);
    cluster_newLeaderEvent_set_clusterSessionId(&m, message->session);
    cluster_newLeaderEvent_set_leaderMemberId(&m, message->leader);
    CLUSTER_PUT_TEXT(newLeaderEvent, &m, ingressEndpoints, &message->text);
}

static void encode_challenge(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_challenge m;
    cluster_challenge_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_challenge_set_correlationId(&m, message->correlation_id);
    cluster_challenge_set_clusterSessionId(&m, message->session);
    CLUSTER_PUT_TEXT(challenge, &m, encodedChallenge, &message->data);
}

static void encode_challenge_response(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_challengeResponse m;
    cluster_challengeResponse_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_challengeResponse_set_correlationId(&m, message->correlation_id);
    cluster_challengeResponse_set_clusterSessionId(&m, message->session);
    CLUSTER_PUT_TEXT(challengeResponse, &m, encodedCredentials, &message->data);
}

static void encode_admin_request(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_adminRequest m;
    cluster_adminRequest_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_adminRequest_set_leadershipTermId(&m, message->term);
    cluster_adminRequest_set_clusterSessionId(&m, message->session);
    cluster_adminRequest_set_correlationId(&m, message->correlation_id);
    cluster_adminRequest_set_requestType(&m, (enum cluster_adminRequestType)message->code);
    CLUSTER_PUT_TEXT(adminRequest, &m, payload, &message->data);
}

/* The request's type comes back as the only one that the protocol knows. */
static void encode_admin_response(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_adminResponse m;
    cluster_adminResponse_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_adminResponse_set_clusterSessionId(&m, message->session);
    cluster_adminResponse_set_correlationId(&m, message->correlation_id);
    cluster_adminResponse_set_requestType(&m, cluster_adminRequestType_SNAPSHOT);
    cluster_adminResponse_set_responseCode(&m, (enum cluster_adminResponseCode)message->code);
    CLUSTER_PUT_TEXT(adminResponse, &m, message, &message->text);
    CLUSTER_PUT_TEXT(adminResponse, &m, payload, &message->data);
}

size_t cluster_encode(const cluster_message_t *message, void *bytes, size_t capacity)
{
    const unsigned type = (unsigned)message->type;
    if (type >= sizeof kinds / sizeof kinds[0] || kinds[type].decode == NULL)
        return 0;
    const size_t size = (size_t)CODEC_HEADER_BYTES + kinds[type].block + tail_size(message);
    if (size > capacity)
        return 0;
    switch (message->type) {
    case CLUSTER_SESSION_MESSAGE:
        cluster_encode_session_header(bytes, message->term, message->session, message->timestamp);
        memcpy((char *)bytes + CLUSTER_SESSION_HEADER_BYTES, cluster_text_bytes(&message->data),
               message->data.length);
        break;
    case CLUSTER_SESSION_EVENT:
        encode_session_event(message, bytes, size);
        break;
    case CLUSTER_CONNECT_REQUEST:
        encode_connect_request(message, bytes, size);
        break;
    case CLUSTER_CLOSE_REQUEST:
        encode_close_request(message, bytes, size);
        break;
    case CLUSTER_KEEP_ALIVE:
        encode_keep_alive(message, bytes, size);
        break;
    case CLUSTER_NEW_LEADER:
        encode_new_leader(message, bytes, size);
        break;
    case CLUSTER_CHALLENGE:
        encode_challenge(message, bytes, size);
        break;
    case CLUSTER_CHALLENGE_RESPONSE:
        encode_challenge_response(message, bytes, size);
        break;
    case CLUSTER_ADMIN_REQUEST:
        encode_admin_request(message, bytes, size);
        break;
    case CLUSTER_ADMIN_RESPONSE:
        encode_admin_response(message, bytes, size);
        break;
    }
    return size;
}

void cluster_encode_session_header(void *bytes, int64_t term, int64_t session, int64_t timestamp)
{
    struct cluster_messageHeader header;
    struct cluster_sessionMessageHeader m;
    cluster_sessionMessageHeader_wrap_and_apply_header(&m, bytes, 0, CLUSTER_SESSION_HEADER_BYTES,
                                                       &header);
    cluster_sessionMessageHeader_set_leadershipTermId(&m, term);
    cluster_sessionMessageHeader_set_clusterSessionId(&m, session);
    cluster_sessionMessageHeader_set_timestamp(&m, timestamp);
}
