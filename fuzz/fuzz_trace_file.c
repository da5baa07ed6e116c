/*
 * Fuzzes the reader of traces, CSV and captures, and what is made of them. Must not crash, hang or
 * read past its input, whatever the bytes.
 */
#define _GNU_SOURCE
#include "base/assert.h"
#include "bench/trace_file.h"
#include "bench/trace_play.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_ascending(const trace_t *trace)
{
    OC_ASSERT(trace->count > 0);
    OC_ASSERT(trace->messages[0].offset_ns == 0);
    for (size_t i = 0; i < trace->count; i++) {
        OC_ASSERT(trace->messages[i].size > 0 && trace->messages[i].size <= 65535);
        OC_ASSERT(i == 0 || trace->messages[i].offset_ns >= trace->messages[i - 1].offset_ns);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trace_play_t play = {.window_ns = 0};
    trace_file_counts_t counts;
    /* Only read from. */
    FILE *file = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (!file)
        return 0;
    if (trace_file_read_stream(&play.trace, file, "fuzz", &counts) != OC_ERR_OK) {
        OC_ASSERT(play.trace.messages == NULL && play.trace.count == 0);
        return 0;
    }
    OC_ASSERT(play.trace.count + counts.fragments + counts.other + counts.damaged ==
              counts.packets);
    check_ascending(&play.trace);
    trace_play_keep_worst(&play, 1 + (uint64_t)data[size - 1] * 1000000, data[size / 2] & 1);
    trace_play_compress(&play, 100000, 1 + (uint64_t)data[size - 1] * 100);
    check_ascending(&play.trace);
    trace_play_fini(&play);
    return 0;
}
