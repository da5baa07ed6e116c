/*
 * The least depth of every layer that a message passes, from the network card to the term buffer,
 * so that a burst is not lost.
 *
 * With P messages in the busiest millisecond of one sender: RX ring P x ms to survive; SO_RCVBUF
 * P x S x burst; flow-control window P x S x RTT; term buffer 2 x P x S x stall. S is not only the
 * payload: a window and a term hold frames, a socket what the kernel counts for each datagram.
 * Within Aeron's limits (1.54, C driver): window >= MTU, SO_RCVBUF >= window, term a power of two
 * of 64 KiB to 1 GiB, at least twice the window and eight times a message.
 */
#ifndef CALC_BUFFERS_H
#define CALC_BUFFERS_H

#include "calc/trace_csv.h"

#include <stdbool.h>

#define BUFFERS_TERM_MIN (UINT64_C(64) << 10)
#define BUFFERS_TERM_MAX (UINT64_C(1) << 30)
/* The kernel doubles what is asked for, and keeps it in an int. */
#define BUFFERS_SOCKET_MAX (UINT64_C(0x7fffffff) / 2)

/* The busiest millisecond of one sender, each value times 1000. */
typedef struct buffers_load {
    uint64_t messages;
    uint64_t payload_bytes;
    uint64_t datagrams;
    uint64_t frame_bytes;
    uint64_t charge_bytes; /* what the kernel counts */
    uint32_t size_max;     /* the largest message; not times 1000 */
} buffers_load_t;

typedef struct buffers_input {
    buffers_load_t load;
    uint64_t senders; /* that peak together and reach one socket */
    uint64_t rtt_ns;
    uint64_t burst_ns;
    uint64_t stall_ns;   /* the longest time the application does not take anything */
    uint64_t survive_ns; /* the longest time the host does not empty the card's ring */
    uint32_t mtu;
} buffers_input_t;

typedef struct buffers {
    uint64_t rx_ring_packets;
    uint64_t so_rcvbuf_payload_bytes; /* the plain formula; a socket of that size is too small */
    uint64_t so_rcvbuf_bytes;
    uint64_t window_bytes; /* of each sender */
    uint64_t term_bytes;   /* of each sender */
    uint64_t so_sndbuf_bytes;
} buffers_t;

/*
 * The load of `messages_milli_per_ms` / 1000 messages of one size in a millisecond. `charge` is
 * what the kernel counts for a datagram, 0 for wire_charge(). False if it does not fit 64 bits.
 */
bool buffers_load(uint64_t messages_milli_per_ms, uint32_t size, uint32_t mtu, uint64_t charge,
                  buffers_load_t *load);

/* The load of a trace, which is one sender's: for each value the busiest millisecond. */
void buffers_load_trace(const trace_t *trace, uint32_t mtu, uint64_t charge, buffers_load_t *load);

/* OC_ERR_INVALID_ARGUMENT, with context: a layer cannot be that deep. */
OC_MUST_CHECK oc_err_t buffers_calculate(const buffers_input_t *input, buffers_t *buffers);

#endif
