/*
 * Bursts against a drain rate. Called by `outcry calc burst`.
 *
 * Invariants: Q_burst is exact before it is rounded up to messages; a replay never gives less than
 * the formula does for any window of its trace, because the queue may not be empty when the window
 * begins.
 */
#include "calc/burst.h"

#include "base/error.h"
#include "calc/trace_queue.h"
#include "calc/wire_frame.h"

#define NS_PER_MS UINT64_C(1000000)

static oc_err_t too_large(const char *what)
{
    return error_set(OC_ERR_INVALID_ARGUMENT, "%s does not fit 64 bits; use smaller numbers", what);
}

static oc_err_t check(uint64_t span_ns, uint64_t drain_milli_per_ms)
{
    if (span_ns == 0)
        return error_set(OC_ERR_INVALID_ARGUMENT, "a burst takes some time: 0 ms is none");
    if (drain_milli_per_ms == 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "a drain rate of 0 never empties the queue; give the receiver's knee");
    return OC_ERR_OK;
}

/* (lambda - mu) * T, as messages / 10^9: arrivals less what is drained in the time. */
static fixed_wide_t excess(uint64_t messages, uint64_t span_ns, uint64_t drain_milli_per_ms)
{
    const fixed_wide_t came = (fixed_wide_t)messages * TRACE_QUEUE_UNIT;
    const fixed_wide_t drained = (fixed_wide_t)drain_milli_per_ms * span_ns;
    return came > drained ? came - drained : 0;
}

oc_err_t burst_calculate(const burst_input_t *input, burst_t *burst)
{
    *burst = (burst_t){0};
    const oc_err_t err = check(input->burst_ns, input->drain_milli_per_ms);
    if (err != OC_ERR_OK)
        return err;
    if (__builtin_mul_overflow(input->arrivals, input->senders, &burst->messages))
        return too_large("arrivals x senders");
    if (__builtin_mul_overflow(burst->messages, (uint64_t)input->size, &burst->payload_bytes))
        return too_large("the burst in bytes");
    if (!fixed_mul_div(burst->messages, NS_PER_MS * 1000, input->burst_ns,
                       &burst->peak_milli_per_ms))
        return too_large("the peak rate");
    const fixed_wide_t waiting =
        excess(burst->messages, input->burst_ns, input->drain_milli_per_ms);
    burst->q_burst = fixed_div_up(waiting, TRACE_QUEUE_UNIT);
    burst->worst_queueing_ns = fixed_div_up(waiting, input->drain_milli_per_ms);
    if (burst->worst_queueing_ns == UINT64_MAX)
        return too_large("the queueing in ns");
    wire_message_t message;
    wire_message(input->size, input->mtu, &message);
    if (!fixed_mul_div(burst->q_burst, message.wire_bytes, 1, &burst->buffer_bytes) ||
        !fixed_mul_div_up(burst->q_burst, message.charge_bytes, 2, &burst->so_rcvbuf_bytes))
        return too_large("the buffer in bytes");
    return OC_ERR_OK;
}

static void raise_to(uint64_t *peak, uint64_t value)
{
    if (value > *peak)
        *peak = value;
}

/* The messages through the queue; those that wait are a stretch of the trace that ends at the one
 * that just came, so that its bytes are kept by adding and taking away. */
static void replay(const trace_t *trace, const burst_trace_input_t *input, burst_trace_t *result)
{
    trace_queue_t queue;
    wire_message_t wire;
    uint64_t waiting_bytes = 0;
    uint64_t waiting_charge = 0;
    uint64_t charge_peak = 0;
    size_t head = 0;
    trace_queue_init(&queue, input->drain_milli_per_ms);
    for (size_t i = 0; i < trace->count; i++) {
        const trace_message_t *message = &trace->messages[i];
        wire_message(message->size, input->mtu, &wire);
        trace_queue_add(&queue, message->offset_ns, 1);
        result->payload_bytes += message->size;
        waiting_bytes += wire.wire_bytes;
        waiting_charge += wire.charge_bytes;
        const uint64_t waiting = trace_queue_units(&queue);
        for (; i + 1 - head > waiting; head++) {
            wire_message(trace->messages[head].size, input->mtu, &wire);
            waiting_bytes -= wire.wire_bytes;
            waiting_charge -= wire.charge_bytes;
        }
        if (waiting > result->q_burst)
            result->q_burst_ns = message->offset_ns;
        raise_to(&result->q_burst, waiting);
        raise_to(&result->worst_queueing_ns, trace_queue_wait_ns(&queue));
        raise_to(&result->buffer_bytes, waiting_bytes);
        raise_to(&charge_peak, waiting_charge);
    }
    result->so_rcvbuf_bytes = charge_peak / 2 + charge_peak % 2;
}

oc_err_t burst_replay(const trace_t *trace, const burst_trace_input_t *input, burst_trace_t *result)
{
    *result = (burst_trace_t){0};
    const oc_err_t err = check(input->window_ns, input->drain_milli_per_ms);
    if (err != OC_ERR_OK)
        return err;
    replay(trace, input, result);
    if (result->worst_queueing_ns == UINT64_MAX)
        return too_large("the queueing in ns");
    trace_window_busiest(trace, NS_PER_MS, NULL, NULL, &result->busiest_ms);
    trace_window_busiest(trace, input->window_ns, NULL, NULL, &result->busiest);
    const fixed_wide_t waiting =
        excess(result->busiest.count, input->window_ns, input->drain_milli_per_ms);
    result->formula_q_burst = fixed_div_up(waiting, TRACE_QUEUE_UNIT);
    result->formula_worst_queueing_ns = fixed_div_up(waiting, input->drain_milli_per_ms);
    return OC_ERR_OK;
}
