/*
 * The chain of buffers. Called by `outcry calc buffers`.
 *
 * Invariant: a result is one that Aeron takes as it is: nothing in it has to be rounded or raised
 * by hand.
 */
#include "calc/buffers.h"

#include "base/error.h"
#include "calc/fixed_point.h"
#include "calc/trace_window.h"
#include "calc/wire_frame.h"

#define NS_PER_MS   UINT64_C(1000000)
#define MILLI       UINT64_C(1000)
#define WINDOW_MIN  256
#define WINDOW_MAX  (BUFFERS_TERM_MAX / 2)
#define TERM_SHARES 8 /* a message is at most so much of a term */

bool buffers_load(uint64_t messages_milli_per_ms, uint32_t size, uint32_t mtu, uint64_t charge,
                  buffers_load_t *load)
{
    wire_message_t wire;
    wire_message(size, mtu, &wire);
    uint64_t charged = wire.charge_bytes;
    *load = (buffers_load_t){.messages = messages_milli_per_ms, .size_max = size};
    return (charge == 0 || !__builtin_mul_overflow(charge, wire.datagrams, &charged)) &&
           fixed_mul_div(load->messages, size, 1, &load->payload_bytes) &&
           fixed_mul_div(load->messages, wire.datagrams, 1, &load->datagrams) &&
           fixed_mul_div(load->messages, wire.frame_bytes, 1, &load->frame_bytes) &&
           fixed_mul_div(load->messages, charged, 1, &load->charge_bytes);
}

static uint64_t weigh_payload(const void *mtu, uint32_t size)
{
    (void)mtu;
    return size;
}

static uint64_t weigh_datagrams(const void *mtu, uint32_t size)
{
    wire_message_t wire;
    wire_message(size, *(const uint32_t *)mtu, &wire);
    return wire.datagrams;
}

static uint64_t weigh_frames(const void *mtu, uint32_t size)
{
    wire_message_t wire;
    wire_message(size, *(const uint32_t *)mtu, &wire);
    return wire.frame_bytes;
}

static uint64_t weigh_charge(const void *mtu, uint32_t size)
{
    wire_message_t wire;
    wire_message(size, *(const uint32_t *)mtu, &wire);
    return wire.charge_bytes;
}

static uint64_t busiest_ms(const trace_t *trace, trace_weight_t weight, const uint32_t *mtu)
{
    trace_window_t window;
    trace_window_busiest(trace, NS_PER_MS, weight, mtu, &window);
    return window.weight * MILLI;
}

void buffers_load_trace(const trace_t *trace, uint32_t mtu, uint64_t charge, buffers_load_t *load)
{
    *load = (buffers_load_t){
        .messages = busiest_ms(trace, NULL, &mtu),
        .payload_bytes = busiest_ms(trace, weigh_payload, &mtu),
        .datagrams = busiest_ms(trace, weigh_datagrams, &mtu),
        .frame_bytes = busiest_ms(trace, weigh_frames, &mtu),
        .charge_bytes = busiest_ms(trace, weigh_charge, &mtu),
    };
    if (charge > 0)
        load->charge_bytes = load->datagrams * charge;
    for (size_t i = 0; i < trace->count; i++)
        if (trace->messages[i].size > load->size_max)
            load->size_max = trace->messages[i].size;
}

/* What comes at so much per ms (times 1000) in a time, rounded up; UINT64_MAX if it is too much. */
static uint64_t in_time(uint64_t milli_per_ms, uint64_t time_ns, uint64_t senders)
{
    uint64_t all;
    uint64_t result;
    if (!fixed_mul_div(milli_per_ms, senders, 1, &all) ||
        !fixed_mul_div_up(all, time_ns, NS_PER_MS * MILLI, &result))
        return UINT64_MAX;
    return result;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static oc_err_t too_deep(const char *what, uint64_t bytes, uint64_t most, const char *remedy)
{
    if (bytes == UINT64_MAX)
        return error_set(OC_ERR_INVALID_ARGUMENT, "%s does not fit 64 bits; %s", what, remedy);
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "%s would need %llu bytes, and at most %llu are possible; %s", what,
                     (unsigned long long)bytes, (unsigned long long)most, remedy);
}

/* The window of one stream: what is on its way in a round trip, in whole frames. */
static oc_err_t set_window(const buffers_input_t *input, buffers_t *buffers)
{
    uint64_t bytes = in_time(input->load.frame_bytes, input->rtt_ns, 1);
    bytes = larger(bytes, larger(input->mtu, WINDOW_MIN));
    if (bytes > WINDOW_MAX)
        return too_deep("the flow-control window", bytes, WINDOW_MAX,
                        "share the load among more streams");
    buffers->window_bytes =
        (bytes + WIRE_FRAME_ALIGNMENT - 1) / WIRE_FRAME_ALIGNMENT * WIRE_FRAME_ALIGNMENT;
    return OC_ERR_OK;
}

static oc_err_t set_term(const buffers_input_t *input, buffers_t *buffers)
{
    uint64_t bytes = in_time(input->load.frame_bytes, input->stall_ns, 2);
    bytes = larger(bytes, 2 * buffers->window_bytes);
    bytes = larger(bytes, TERM_SHARES * (uint64_t)input->load.size_max);
    if (bytes > BUFFERS_TERM_MAX)
        return too_deep("the term buffer", bytes, BUFFERS_TERM_MAX,
                        "shorten the stall or share the load among more streams");
    buffers->term_bytes = BUFFERS_TERM_MIN;
    while (buffers->term_bytes < bytes)
        buffers->term_bytes *= 2;
    return OC_ERR_OK;
}

/* The receiver's socket takes what all senders send, the sender's what it sends itself. The kernel
 * doubles what it is asked for and then counts charges, so half of those is to be asked for. */
static oc_err_t set_sockets(const buffers_input_t *input, buffers_t *buffers)
{
    const buffers_load_t *load = &input->load;
    const char *const remedy = "shorten the burst or share the load among more sockets";
    const uint64_t charged = in_time(load->charge_bytes, input->burst_ns, input->senders);
    const uint64_t frames = in_time(load->frame_bytes, input->burst_ns, input->senders);
    uint64_t receive = charged == UINT64_MAX ? charged : charged / 2 + charged % 2;
    receive = larger(larger(receive, frames), buffers->window_bytes);
    if (receive > BUFFERS_SOCKET_MAX)
        return too_deep("the receiving socket", receive, BUFFERS_SOCKET_MAX, remedy);
    buffers->so_rcvbuf_bytes = receive;
    buffers->so_rcvbuf_payload_bytes =
        in_time(load->payload_bytes, input->burst_ns, input->senders);
    const uint64_t send = larger(in_time(load->frame_bytes, input->burst_ns, 1), input->mtu);
    if (send > BUFFERS_SOCKET_MAX)
        return too_deep("the sending socket", send, BUFFERS_SOCKET_MAX, remedy);
    buffers->so_sndbuf_bytes = send;
    return OC_ERR_OK;
}

oc_err_t buffers_calculate(const buffers_input_t *input, buffers_t *buffers)
{
    *buffers = (buffers_t){0};
    buffers->rx_ring_packets = in_time(input->load.datagrams, input->survive_ns, input->senders);
    oc_err_t err = set_window(input, buffers);
    if (err == OC_ERR_OK)
        err = set_term(input, buffers);
    if (err == OC_ERR_OK)
        err = set_sockets(input, buffers);
    if (err == OC_ERR_OK && buffers->rx_ring_packets == UINT64_MAX)
        err = error_set(OC_ERR_INVALID_ARGUMENT,
                        "the RX ring in packets does not fit 64 bits; use smaller numbers");
    return err;
}
