/*
 * Bytes of schema/member.xml <-> member_message_t. Called by the cluster's host and by its internal
 * client, which are the only ones that send and take these messages.
 *
 * Invariants: a getter runs only on a block that is long enough; a configuration lies inside the
 * bytes. A message that is not understood leaves nothing but zeros behind. Nothing is allocated.
 */
#include "codec/member_codec.h"

#include "base/assert.h"
#include "codec/frame.h"

#include <member/check.h>
#include <member/configuration.h>
#include <member/notice.h>
#include <member/seal.h>

#define SCHEMA_ID                  513
#define CONFIGURATION_LENGTH_BYTES 2
#define CONFIGURATION_BYTES_MAX    4096
#define NOTICE_BLOCK_OF_VERSION_1  8
#define POSITION_SINCE             2

_Static_assert(MEMBER_MESSAGE_BYTES_MAX >= CODEC_HEADER_BYTES + 8 + CONFIGURATION_LENGTH_BYTES +
                                               CONFIGURATION_BYTES_MAX + MEMBER_SEAL_BYTES,
               "the longest configuration fits, and its seal");
_Static_assert(MEMBER_SEAL_BYTES == CODEC_HEADER_BYTES + MEMBER_KEY_BYTES + MEMBER_SIGNATURE_BYTES,
               "a seal has no length of its own");

#define WRAP(name, m, frame)                                                                       \
    member_##name##_wrap_for_decode(m, (frame)->bytes, CODEC_HEADER_BYTES, (frame)->block_length,  \
                                    (frame)->version, (frame)->length)

/* Bytes that the fields need; 0: no message of the schema. */
static size_t block_of(unsigned type)
{
    switch (type) {
    case MEMBER_CHECK:
        return member_check_sbe_block_length();
    case MEMBER_CONFIGURATION:
        return member_configuration_sbe_block_length();
    case MEMBER_NOTICE:
        return NOTICE_BLOCK_OF_VERSION_1;
    default:
        return 0;
    }
}

static void decode_check(const frame_t *frame, member_message_t *message)
{
    struct member_check m;
    WRAP(check, &m, frame);
    message->position = member_check_position(&m);
    message->state_hash = member_check_stateHash(&m);
    message->output_hash = member_check_outputHash(&m);
    message->member = member_check_member(&m);
}

static codec_result_t decode_configuration(const frame_t *frame, member_message_t *message)
{
    struct member_configuration m;
    WRAP(configuration, &m, frame);
    message->member = member_configuration_member(&m);
    message->max_timers = member_configuration_maxTimers(&m);
    const size_t at = (size_t)CODEC_HEADER_BYTES + frame->block_length;
    if (frame->length - at < CONFIGURATION_LENGTH_BYTES)
        return OC_PROBLEM_SHORT;
    message->length = frame_load_u16(frame->bytes + at);
    message->bytes = frame->bytes + at + CONFIGURATION_LENGTH_BYTES;
    if (message->length > CONFIGURATION_BYTES_MAX)
        return OC_PROBLEM_FIELD;
    return frame->length - at - CONFIGURATION_LENGTH_BYTES < message->length ? OC_PROBLEM_SHORT
                                                                             : OC_PROBLEM_NONE;
}

static codec_result_t decode_notice(const frame_t *frame, member_message_t *message)
{
    struct member_notice m;
    if (frame->version >= POSITION_SINCE &&
        !frame_has_block(frame, member_notice_sbe_block_length()))
        return OC_PROBLEM_SHORT;
    WRAP(notice, &m, frame);
    message->member = member_notice_member(&m);
    message->notice = member_notice_notice(&m);
    message->position = member_notice_position(&m);
    return OC_PROBLEM_NONE;
}

static codec_result_t decode(const frame_t *frame, member_message_t *message)
{
    const size_t block = block_of(frame->template_id);
    if (frame->schema_id != SCHEMA_ID)
        return OC_PROBLEM_SCHEMA;
    if (block == 0)
        return OC_PROBLEM_TEMPLATE;
    if (!frame_has_block(frame, block))
        return OC_PROBLEM_SHORT;
    message->type = (member_message_type_t)frame->template_id;
    switch (message->type) {
    case MEMBER_CHECK:
        decode_check(frame, message);
        break;
    case MEMBER_CONFIGURATION:
        return decode_configuration(frame, message);
    case MEMBER_NOTICE:
        return decode_notice(frame, message);
    }
    return OC_PROBLEM_NONE;
}

codec_result_t member_message_decode(const void *bytes, size_t length, member_message_t *message)
{
    frame_t frame;
    memset(message, 0, sizeof *message);
    if (!frame_open(&frame, bytes, length))
        return OC_PROBLEM_SHORT;
    const codec_result_t result = decode(&frame, message);
    if (result != OC_PROBLEM_NONE)
        memset(message, 0, sizeof *message);
    return result;
}

static size_t encode_check(const member_message_t *message, char *bytes)
{
    struct member_messageHeader header;
    struct member_check m;
    member_check_wrap_and_apply_header(&m, bytes, 0, MEMBER_MESSAGE_BYTES_MAX, &header);
    member_check_set_position(&m, message->position);
    member_check_set_stateHash(&m, message->state_hash);
    member_check_set_outputHash(&m, message->output_hash);
    member_check_set_member(&m, message->member);
    return CODEC_HEADER_BYTES + member_check_sbe_block_length();
}

static size_t encode_configuration(const member_message_t *message, char *bytes)
{
    struct member_messageHeader header;
    struct member_configuration m;
    OC_ASSERT(message->length <= CONFIGURATION_BYTES_MAX);
    member_configuration_wrap_and_apply_header(&m, bytes, 0, MEMBER_MESSAGE_BYTES_MAX, &header);
    member_configuration_set_member(&m, message->member);
    member_configuration_set_maxTimers(&m, message->max_timers);
    (void)member_configuration_put_configuration(&m, message->length == 0 ? "" : message->bytes,
                                                 (uint16_t)message->length);
    return (size_t)CODEC_HEADER_BYTES + member_configuration_sbe_block_length() +
           CONFIGURATION_LENGTH_BYTES + message->length;
}

static size_t encode_notice(const member_message_t *message, char *bytes)
{
    struct member_messageHeader header;
    struct member_notice m;
    member_notice_wrap_and_apply_header(&m, bytes, 0, MEMBER_MESSAGE_BYTES_MAX, &header);
    member_notice_set_member(&m, message->member);
    member_notice_set_notice(&m, message->notice);
    member_notice_set_position(&m, message->position);
    return CODEC_HEADER_BYTES + member_notice_sbe_block_length();
}

size_t member_message_encode(const member_message_t *message, void *bytes)
{
    OC_ASSERT(block_of(message->type) != 0);
    switch (message->type) {
    case MEMBER_CHECK:
        return encode_check(message, bytes);
    case MEMBER_CONFIGURATION:
        return encode_configuration(message, bytes);
    case MEMBER_NOTICE:
        return encode_notice(message, bytes);
    }
    return 0;
}

/* ---- Seals ---- */

bool member_message_sealed(const void *bytes, size_t length, member_signature_t *seal)
{
    frame_t frame;
    memset(seal, 0, sizeof *seal);
    if (length < MEMBER_SEAL_BYTES)
        return false;
    const char *at = (const char *)bytes + (length - MEMBER_SEAL_BYTES);
    if (!frame_open(&frame, at, MEMBER_SEAL_BYTES) || frame.schema_id != SCHEMA_ID ||
        frame.template_id != member_seal_sbe_template_id() ||
        frame.block_length != member_seal_sbe_block_length())
        return false;
    memcpy(seal->public_key, at + CODEC_HEADER_BYTES, MEMBER_KEY_BYTES);
    memcpy(seal->signature, at + CODEC_HEADER_BYTES + MEMBER_KEY_BYTES, MEMBER_SIGNATURE_BYTES);
    return true;
}

void member_message_encode_seal(const member_signature_t *seal, void *bytes)
{
    struct member_messageHeader header;
    struct member_seal m;
    member_seal_wrap_and_apply_header(&m, bytes, 0, MEMBER_SEAL_BYTES, &header);
    member_seal_put_publicKey(&m, (const char *)seal->public_key);
    member_seal_put_signature(&m, (const char *)seal->signature);
}
