/*
 * Fuzzes traces: the reader of CSV, and every replay of what it takes. Must not crash, hang or read
 * past its input; what a replay gives must not be less than the formula does.
 */
#define _GNU_SOURCE
#include "base/assert.h"
#include "calc/budget.h"
#include "calc/buffers.h"
#include "calc/burst.h"
#include "calc/wire_frame.h"

#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_trace(const trace_t *trace)
{
    OC_ASSERT(trace->count > 0);
    for (size_t i = 0; i < trace->count; i++) {
        OC_ASSERT(trace->messages[i].size > 0);
        OC_ASSERT(trace->messages[i].size <= TRACE_SIZE_MAX);
        OC_ASSERT(i == 0 || trace->messages[i].offset_ns >= trace->messages[i - 1].offset_ns);
    }
}

static void replay(const trace_t *trace)
{
    const burst_trace_input_t input = {
        .window_ns = 1000000, .drain_milli_per_ms = 1234567, .mtu = WIRE_MTU_DEFAULT};
    burst_trace_t burst;
    OC_ASSERT(burst_replay(trace, &input, &burst) == OC_ERR_OK);
    OC_ASSERT(burst.q_burst <= trace->count);
    OC_ASSERT(burst.q_burst >= burst.formula_q_burst);
    OC_ASSERT(burst.worst_queueing_ns >= burst.formula_worst_queueing_ns);

    const budget_input_t bucket = {
        .rate_bits = 1000000000, .depth_ns = 1000000, .mtu = WIRE_MTU_DEFAULT};
    budget_trace_t budget;
    OC_ASSERT(budget_replay(trace, &bucket, &budget) == OC_ERR_OK);
    OC_ASSERT((budget.delayed > 0) == (budget.needed_bits > budget.bucket_bits));

    buffers_load_t load;
    buffers_load_trace(trace, WIRE_MTU_MIN, 0, &load);
    OC_ASSERT(load.messages == burst.busiest_ms.count * 1000);
    OC_ASSERT(load.frame_bytes > load.payload_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trace_t trace;
    if (size == 0)
        return 0;
    FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
    if (!in)
        return 0;
    if (trace_csv_read(&trace, in, "fuzz") == OC_ERR_OK) {
        check_trace(&trace);
        replay(&trace);
    } else {
        OC_ASSERT(trace.messages == NULL);
        OC_ASSERT(strstr(oc_err_context(), "fuzz: ") == oc_err_context());
    }
    trace_fini(&trace);
    (void)fclose(in);
    return 0;
}
