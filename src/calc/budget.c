/*
 * Token buckets. Called by `outcry calc budget`.
 *
 * Invariant: a bucket of depth B that fills at rate R delays a message exactly when a queue that
 * drains at R, and gets the same bits, holds more than B after it; the delay is what is above B,
 * over R. So a replay is that queue.
 */
#include "calc/budget.h"

#include "base/error.h"
#include "calc/trace_queue.h"
#include "calc/wire_frame.h"

#define NS_PER_S UINT64_C(1000000000)

static oc_err_t fill_bucket(const budget_input_t *input, uint64_t *bits)
{
    if (input->rate_bits == 0)
        return error_set(OC_ERR_INVALID_ARGUMENT, "at a rate of 0 bits nothing is ever sent");
    if (!fixed_mul_div(input->rate_bits, input->depth_ns, NS_PER_S, bits))
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "the bucket in bits does not fit 64 bits; use smaller numbers");
    return OC_ERR_OK;
}

static uint64_t bits_of(uint32_t size, uint32_t mtu)
{
    wire_message_t wire;
    wire_message(size, mtu, &wire);
    return (uint64_t)wire.wire_bytes * 8;
}

/* As many datagrams as the bucket has bits for, full of messages, then one with what is left. */
static uint64_t packed(const budget_input_t *input, uint64_t bucket_bits, uint64_t message_bits)
{
    const uint64_t frames = wire_frames_per_datagram(input->size, input->mtu);
    if (frames == 0)
        return bucket_bits / message_bits;
    const uint64_t around = (uint64_t)WIRE_PACKET * 8;
    const uint64_t frame_bits = message_bits - around;
    const uint64_t datagram_bits = frames * frame_bits + around;
    const uint64_t rest = bucket_bits % datagram_bits;
    return bucket_bits / datagram_bits * frames +
           (rest > around ? (rest - around) / frame_bits : 0);
}

oc_err_t budget_calculate(const budget_input_t *input, budget_t *budget)
{
    *budget = (budget_t){0};
    const oc_err_t err = fill_bucket(input, &budget->bucket_bits);
    if (err != OC_ERR_OK)
        return err;
    budget->message_bits = bits_of(input->size, input->mtu);
    budget->at_once = budget->bucket_bits / budget->message_bits;
    budget->at_once_packed = packed(input, budget->bucket_bits, budget->message_bits);
    budget->sustained_per_s = input->rate_bits / budget->message_bits;
    const fixed_wide_t burst_bits = (fixed_wide_t)input->burst * budget->message_bits;
    if (burst_bits > budget->bucket_bits) {
        const fixed_wide_t late_bits = burst_bits - budget->bucket_bits;
        budget->burst_ns = late_bits > UINT64_MAX
                               ? UINT64_MAX
                               : fixed_div_up(late_bits * NS_PER_S, input->rate_bits);
        if (budget->burst_ns == UINT64_MAX)
            return error_set(OC_ERR_INVALID_ARGUMENT,
                             "the burst in ns does not fit 64 bits; use smaller numbers");
    }
    budget->limited_by_receiver = input->absorb < budget->at_once;
    budget->tolerance = budget->limited_by_receiver ? input->absorb : budget->at_once;
    return OC_ERR_OK;
}

oc_err_t budget_replay(const trace_t *trace, const budget_input_t *input, budget_trace_t *result)
{
    *result = (budget_trace_t){0};
    const oc_err_t err = fill_bucket(input, &result->bucket_bits);
    if (err != OC_ERR_OK)
        return err;
    /* Bits per second are thousandths of a bit per ms. */
    trace_queue_t queue;
    trace_queue_init(&queue, input->rate_bits);
    const fixed_wide_t bucket = (fixed_wide_t)input->rate_bits * input->depth_ns;
    for (size_t i = 0; i < trace->count; i++) {
        const trace_message_t *message = &trace->messages[i];
        trace_queue_add(&queue, message->offset_ns, bits_of(message->size, input->mtu));
        const uint64_t bits = trace_queue_units(&queue);
        if (bits > result->needed_bits)
            result->needed_bits = bits;
        if (queue.work <= bucket)
            continue;
        result->delayed++;
        const uint64_t delay_ns = fixed_div_up(queue.work - bucket, input->rate_bits);
        if (delay_ns > result->delay_ns_max)
            result->delay_ns_max = delay_ns;
    }
    if (result->delay_ns_max == UINT64_MAX)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "the delay in ns does not fit 64 bits; use a higher rate");
    return OC_ERR_OK;
}
