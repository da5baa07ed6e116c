/*
 * Fuzzes the decoder of requests as a venue uses it: a payload of messages of any bytes, one after
 * the other. What is understood must encode again to a message that means the same; what is not
 * leaves an empty request. Must not read past its input and always goes on.
 */
#include "base/assert.h"
#include "codec/order_entry_codec.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_understood(const oc_request_t *request, uint16_t template_id)
{
    char bytes[ORDER_ENTRY_BYTES_MAX];
    oc_request_t again;
    size_t consumed;
    uint16_t id;
    const size_t written = order_entry_encode(request, bytes, sizeof bytes);
    OC_ASSERT(written > CODEC_HEADER_BYTES);
    OC_ASSERT(order_entry_encode(request, bytes, written - 1) == 0);
    const codec_result_t result = order_entry_decode(bytes, written, &again, &consumed, &id);
    OC_ASSERT(result == OC_PROBLEM_NONE);
    OC_ASSERT(consumed == written);
    OC_ASSERT(id == template_id);
    OC_ASSERT(memcmp(&again, request, sizeof again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const oc_request_t nothing;
    for (size_t at = 0; at < size;) {
        oc_request_t request;
        size_t consumed;
        uint16_t template_id;
        const codec_result_t result =
            order_entry_decode(data + at, size - at, &request, &consumed, &template_id);
        OC_ASSERT(consumed > 0);
        OC_ASSERT(consumed <= size - at);
        OC_ASSERT(consumed >= CODEC_HEADER_BYTES || result == OC_PROBLEM_SHORT);
        if (result == OC_PROBLEM_NONE)
            check_understood(&request, template_id);
        else
            OC_ASSERT(memcmp(&request, &nothing, sizeof nothing) == 0);
        at += consumed;
    }
    return 0;
}
