/*
 * Fuzzes the decoder of the cluster's client protocol, both directions. Texts of what is understood
 * must lie inside the input, and it must encode again to a message that means the same. Must not
 * read past its input.
 */
#include "base/assert.h"
#include "codec/cluster_codec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_inside(const cluster_text_t *text, const uint8_t *data, size_t size)
{
    if (text->bytes == NULL) {
        OC_ASSERT(text->length == 0);
        return;
    }
    const uintptr_t begin = (uintptr_t)data;
    const uintptr_t at = (uintptr_t)text->bytes;
    OC_ASSERT(at >= begin);
    OC_ASSERT(at - begin <= size);
    OC_ASSERT(text->length <= size - (at - begin));
}

static void check_same(const cluster_text_t *a, const cluster_text_t *b)
{
    OC_ASSERT(a->length == b->length);
    OC_ASSERT(a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

static void check_again(const cluster_message_t *message, const uint8_t *bytes, size_t length)
{
    cluster_message_t again;
    const codec_result_t result = cluster_decode(bytes, length, &again);
    OC_ASSERT(result == OC_PROBLEM_NONE);
    check_same(&again.text, &message->text);
    check_same(&again.data, &message->data);
    check_same(&again.client_info, &message->client_info);
    again.text = message->text;
    again.data = message->data;
    again.client_info = message->client_info;
    OC_ASSERT(again.type == message->type);
    OC_ASSERT(again.correlation_id == message->correlation_id);
    OC_ASSERT(again.session == message->session);
    OC_ASSERT(again.term == message->term);
    OC_ASSERT(again.timestamp == message->timestamp);
    OC_ASSERT(again.leader_heartbeat_timeout_ns == message->leader_heartbeat_timeout_ns);
    OC_ASSERT(again.leader == message->leader);
    OC_ASSERT(again.code == message->code);
    OC_ASSERT(again.version == message->version);
    OC_ASSERT(again.response_stream == message->response_stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cluster_message_t message;
    const codec_result_t result = cluster_decode(data, size, &message);
    if (result != OC_PROBLEM_NONE) {
        static const cluster_message_t nothing;
        OC_ASSERT(memcmp(&message, &nothing, sizeof nothing) == 0);
        return 0;
    }
    check_inside(&message.text, data, size);
    check_inside(&message.data, data, size);
    check_inside(&message.client_info, data, size);
    /* An older or shorter message grows by the fields and the text that it did not have. */
    const size_t room = size + 64;
    uint8_t *bytes = malloc(room);
    OC_ASSERT(bytes != NULL);
    const size_t written = cluster_encode(&message, bytes, room);
    OC_ASSERT(written > CODEC_HEADER_BYTES);
    OC_ASSERT(cluster_encode(&message, bytes, written - 1) == 0);
    check_again(&message, bytes, written);
    free(bytes);
    return 0;
}
