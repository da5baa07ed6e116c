/*
 * Bytes of Aeron Cluster's client protocol <-> cluster_message_t. Called by gateways (requests in,
 * answers out) and clients (the other way); both directions are here, so that each can be tested
 * with the other.
 *
 * The generated code neither checks that a block is as long as its fields need nor that a length
 * in front of a text is inside the bytes before it reads it, so both are checked here: a getter
 * runs only on a block that is long enough for its version, and texts are taken by take_text()
 * alone. Nothing is copied or kept.
 */
#include "codec/cluster_codec.h"

#include "codec/frame.h"

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

#define SCHEMA_ID         111
#define TEXT_LENGTH_BYTES 4

/* Versions of the schema in which a message got longer, and the blocks before that. */
#define EVENT_VERSION_SINCE       6
#define EVENT_HEARTBEAT_SINCE     13
#define CONNECT_VERSION_SINCE     2
#define CONNECT_CLIENT_INFO_SINCE 14

_Static_assert(CLUSTER_SESSION_HEADER_BYTES == CODEC_HEADER_BYTES + 24, "three words");
_Static_assert(CLUSTER_EVENT_CLOSED == (int)cluster_eventCode_CLOSED, "codes as on the wire");

/* Bytes of a message that are still to be read. */
typedef struct rest {
    const char *at;
    size_t left;
} rest_t;

/* Takes a text and its length off the front; false when it does not fit. */
static bool take_text(rest_t *rest, cluster_text_t *text)
{
    if (rest->left < TEXT_LENGTH_BYTES)
        return false;
    const uint32_t length = frame_load_u32(rest->at);
    if (rest->left - TEXT_LENGTH_BYTES < length)
        return false;
    text->bytes = rest->at + TEXT_LENGTH_BYTES;
    text->length = length;
    rest->at += TEXT_LENGTH_BYTES + length;
    rest->left -= TEXT_LENGTH_BYTES + length;
    return true;
}

static void take_all(rest_t *rest, cluster_text_t *text)
{
    text->bytes = rest->at;
    text->length = rest->left < UINT32_MAX ? (uint32_t)rest->left : UINT32_MAX;
    rest->at += text->length;
    rest->left -= text->length;
}

/* Wraps the block of a frame whose size has been checked. */
#define WRAP(name, m, frame)                                                                       \
    cluster_##name##_wrap_for_decode(m, (frame)->bytes, CODEC_HEADER_BYTES, (frame)->block_length, \
                                     (frame)->version, (frame)->length)

/* An enum's number as it is: the generated getter fails for one that it does not know. */
#define RAW_ENUM(name, m, field)                                                                   \
    ((int32_t)frame_load_u32((m)->buffer + (m)->offset +                                           \
                             cluster_##name##_##field##_encoding_offset()))

static bool decode_session_message(const frame_t *frame, rest_t *rest, cluster_message_t *message)
{
    struct cluster_sessionMessageHeader m;
    WRAP(sessionMessageHeader, &m, frame);
    message->term = cluster_sessionMessageHeader_leadershipTermId(&m);
    message->session = cluster_sessionMessageHeader_clusterSessionId(&m);
    message->timestamp = cluster_sessionMessageHeader_timestamp(&m);
    take_all(rest, &message->data);
    return true;
}

static bool decode_session_event(const frame_t *frame, rest_t *rest, cluster_message_t *message)
{
    struct cluster_sessionEvent m;
    WRAP(sessionEvent, &m, frame);
    message->session = cluster_sessionEvent_clusterSessionId(&m);
    message->correlation_id = cluster_sessionEvent_correlationId(&m);
    message->term = cluster_sessionEvent_leadershipTermId(&m);
    message->leader = cluster_sessionEvent_leaderMemberId(&m);
    message->code = RAW_ENUM(sessionEvent, &m, code);
    message->version = cluster_sessionEvent_version(&m);
    const int64_t timeout = cluster_sessionEvent_leaderHeartbeatTimeoutNs(&m);
    if (timeout != cluster_sessionEvent_leaderHeartbeatTimeoutNs_null_value())
        message->leader_heartbeat_timeout_ns = timeout;
    return take_text(rest, &message->text);
}

static bool decode_connect_request(const frame_t *frame, rest_t *rest, cluster_message_t *message)
{
    struct cluster_sessionConnectRequest m;
    WRAP(sessionConnectRequest, &m, frame);
    message->correlation_id = cluster_sessionConnectRequest_correlationId(&m);
    message->response_stream = cluster_sessionConnectRequest_responseStreamId(&m);
    message->version = cluster_sessionConnectRequest_version(&m);
    if (!take_text(rest, &message->text) || !take_text(rest, &message->data))
        return false;
    /* Aeron's own clients of that version may leave it out. */
    if (frame->version < CONNECT_CLIENT_INFO_SINCE || rest->left == 0)
        return true;
    return take_text(rest, &message->client_info);
}

static bool decode_close_request(const frame_t *frame, rest_t *rest, cluster_message_t *message)
{
    (void)rest;
    struct cluster_sessionCloseRequest m;
    WRAP(sessionCloseRequest, &m, frame);
    message->term = cluster_sessionCloseRequest_leadershipTermId(&m);
    message->session = cluster_sessionCloseRequest_clusterSessionId(&m);
    return true;
}

static bool decode_keep_alive(const frame_t *frame, rest_t *rest, cluster_message_t *message)
{
    (void)rest;
    struct cluster_sessionKeepAlive m;
    WRAP(sessionKeepAlive, &m, frame);
    message->term = cluster_sessionKeepAlive_leadershipTermId(&m);
    message->session = cluster_sessionKeepAlive_clusterSessionId(&m);
    return true;
}

static bool decode_new_leader(const frame_t *frame, rest_t *rest, cluster_message_t *message)
{
    struct cluster_newLeaderEvent m;
    WRAP(newLeaderEvent, &m, frame);
    message->term = cluster_newLeaderEvent_leadershipTermId(&m);
    message->session = cluster_newLeaderEvent_clusterSessionId(&m);
    message->leader = cluster_newLeaderEvent_leaderMemberId(&m);
    return take_text(rest, &message->text);
}

static bool decode_challenge(const frame_t *frame, rest_t *rest, cluster_message_t *message)
{
    struct cluster_challenge m;
    WRAP(challenge, &m, frame);
    message->correlation_id = cluster_challenge_correlationId(&m);
    message->session = cluster_challenge_clusterSessionId(&m);
    return take_text(rest, &message->data);
}

static bool decode_challenge_response(const frame_t *frame, rest_t *rest,
                                      cluster_message_t *message)
{
    struct cluster_challengeResponse m;
    WRAP(challengeResponse, &m, frame);
    message->correlation_id = cluster_challengeResponse_correlationId(&m);
    message->session = cluster_challengeResponse_clusterSessionId(&m);
    return take_text(rest, &message->data);
}

static bool decode_admin_request(const frame_t *frame, rest_t *rest, cluster_message_t *message)
{
    struct cluster_adminRequest m;
    WRAP(adminRequest, &m, frame);
    message->term = cluster_adminRequest_leadershipTermId(&m);
    message->session = cluster_adminRequest_clusterSessionId(&m);
    message->correlation_id = cluster_adminRequest_correlationId(&m);
    message->code = RAW_ENUM(adminRequest, &m, requestType);
    return take_text(rest, &message->data);
}

static bool decode_admin_response(const frame_t *frame, rest_t *rest, cluster_message_t *message)
{
    struct cluster_adminResponse m;
    WRAP(adminResponse, &m, frame);
    message->session = cluster_adminResponse_clusterSessionId(&m);
    message->correlation_id = cluster_adminResponse_correlationId(&m);
    message->code = RAW_ENUM(adminResponse, &m, responseCode);
    return take_text(rest, &message->text) && take_text(rest, &message->data);
}

typedef bool decoder_t(const frame_t *frame, rest_t *rest, cluster_message_t *message);

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
    if (frame.schema_id != SCHEMA_ID)
        return OC_PROBLEM_SCHEMA;
    if (frame.template_id >= sizeof kinds / sizeof kinds[0] ||
        kinds[frame.template_id].decode == NULL)
        return OC_PROBLEM_TEMPLATE;
    if (!frame_has_block(&frame, least_block(&frame)))
        return OC_PROBLEM_SHORT;
    rest_t rest = {
        .at = frame.bytes + CODEC_HEADER_BYTES + frame.block_length,
        .left = length - CODEC_HEADER_BYTES - frame.block_length,
    };
    message->type = (cluster_type_t)frame.template_id;
    if (kinds[frame.template_id].decode(&frame, &rest, message))
        return OC_PROBLEM_NONE;
    memset(message, 0, sizeof *message);
    return OC_PROBLEM_SHORT;
}

/* What a text needs, with its length. */
static size_t text_size(const cluster_text_t *text)
{
    return (size_t)TEXT_LENGTH_BYTES + text->length;
}

/* Bytes behind the block. */
static size_t tail_size(const cluster_message_t *message)
{
    switch (message->type) {
    case CLUSTER_SESSION_MESSAGE:
        return message->data.length;
    case CLUSTER_SESSION_EVENT:
    case CLUSTER_NEW_LEADER:
        return text_size(&message->text);
    case CLUSTER_CONNECT_REQUEST:
        return text_size(&message->text) + text_size(&message->data) +
               text_size(&message->client_info);
    case CLUSTER_CHALLENGE:
    case CLUSTER_CHALLENGE_RESPONSE:
    case CLUSTER_ADMIN_REQUEST:
        return text_size(&message->data);
    case CLUSTER_ADMIN_RESPONSE:
        return text_size(&message->text) + text_size(&message->data);
    default:
        return 0;
    }
}

/* Text of a message as memcpy wants it: never NULL. */
static const char *text_bytes(const cluster_text_t *text)
{
    return text->length == 0 ? "" : text->bytes;
}

/* Puts a text behind what is written already; there is room, the size was computed before. */
#define PUT_TEXT(name, m, field, text)                                                             \
    (void)cluster_##name##_put_##field(m, text_bytes(text), (text)->length)

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
    PUT_TEXT(sessionEvent, &m, detail, &message->text);
}

static void encode_connect_request(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_sessionConnectRequest m;
    cluster_sessionConnectRequest_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_sessionConnectRequest_set_correlationId(&m, message->correlation_id);
    cluster_sessionConnectRequest_set_responseStreamId(&m, message->response_stream);
    cluster_sessionConnectRequest_set_version(&m, message->version);
    PUT_TEXT(sessionConnectRequest, &m, responseChannel, &message->text);
    PUT_TEXT(sessionConnectRequest, &m, encodedCredentials, &message->data);
    PUT_TEXT(sessionConnectRequest, &m, clientInfo, &message->client_info);
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
    PUT_TEXT(newLeaderEvent, &m, ingressEndpoints, &message->text);
}

static void encode_challenge(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_challenge m;
    cluster_challenge_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_challenge_set_correlationId(&m, message->correlation_id);
    cluster_challenge_set_clusterSessionId(&m, message->session);
    PUT_TEXT(challenge, &m, encodedChallenge, &message->data);
}

static void encode_challenge_response(const cluster_message_t *message, char *bytes, size_t size)
{
    struct cluster_messageHeader header;
    struct cluster_challengeResponse m;
    cluster_challengeResponse_wrap_and_apply_header(&m, bytes, 0, size, &header);
    cluster_challengeResponse_set_correlationId(&m, message->correlation_id);
    cluster_challengeResponse_set_clusterSessionId(&m, message->session);
    PUT_TEXT(challengeResponse, &m, encodedCredentials, &message->data);
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
    PUT_TEXT(adminRequest, &m, payload, &message->data);
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
    PUT_TEXT(adminResponse, &m, message, &message->text);
    PUT_TEXT(adminResponse, &m, payload, &message->data);
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
        memcpy((char *)bytes + CLUSTER_SESSION_HEADER_BYTES, text_bytes(&message->data),
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
