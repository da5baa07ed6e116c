/*
 * Fuzzes decompression: the first byte says in what steps the rest is read. Must not crash, hang or
 * read past its input; and the steps must not change the bytes or how they end.
 */
#include <stdbool.h>

#include "base/assert.h"
#include "base/crc32c.h"
#include "input/byte_source.h"

/* Bounds what a small input that unpacks to much can cost. */
#define BYTES_MAX (UINT64_C(1) << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct outcome {
    oc_err_t err;
    uint64_t size;
    uint32_t crc;
} outcome_t;

static outcome_t read_all(const uint8_t *data, size_t size, size_t step)
{
    byte_source_t *source = NULL;
    outcome_t outcome = {0};
    outcome.err = byte_source_open_memory(&source, "fuzz", data, size);
    while (outcome.err == OC_ERR_OK && outcome.size < BYTES_MAX) {
        byte_view_t view;
        outcome.err = byte_source_peek(source, step, &view);
        const bool ended = outcome.err == OC_ERR_OK && view.size < step;
        if (outcome.err != OC_ERR_OK || view.size == 0) {
            break;
        }
        const size_t used = ended ? view.size : step;
        outcome.crc = crc32c(outcome.crc, view.bytes, used);
        outcome.size += used;
        byte_source_advance(source, used);
        OC_ASSERT(byte_source_offset(source) == outcome.size);
    }
    byte_source_close(source);
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    /* A multiple of the smaller step, so that both look at the same bytes until an error. */
    const size_t small = (size_t)1 << (data[0] & 7);
    const outcome_t a = read_all(data + 1, size - 1, small);
    const outcome_t b = read_all(data + 1, size - 1, small << (data[0] >> 3 & 7));
    OC_ASSERT(a.err == b.err);
    OC_ASSERT(a.err != OC_ERR_OK || (a.size == b.size && a.crc == b.crc));
    OC_ASSERT(a.size >= b.size);
    return 0;
}
