/*
 * What the senders and the receiver of bursts tell each other, in messages of bench/wire.h.
 *
 * Each sender says WIRE_HELLO with what is going to come, then sends its data, then says
 * WIRE_GOODBYE with how many messages it sent. So the receiver needs nothing but the channel.
 *
 *   data     sequence: the burst in the upper 32 bits, the place in it in the lower ones
 *   hello    sequence: the bursts and the messages of one in the same way; intended_ns: the machine
 *            whose clock it is; sent_ns: how many of the bursts are warm-up
 *   goodbye  sequence: messages sent
 *
 * In all of them `sender` has the run (16 bits), how many senders it has (8) and which of them this
 * is (8).
 */
#ifndef BENCH_BURST_FLOW_H
#define BENCH_BURST_FLOW_H

#include "bench/wire.h"

#define BURST_SENDERS_MAX 8
#define BURST_BURSTS_MAX  10000
#define BURST_SIZE_MAX    UINT32_C(10000000) /* messages of a burst, of one sender */

typedef struct burst_sender_id {
    uint16_t run;
    uint8_t senders;
    uint8_t index;
} burst_sender_id_t;

static inline uint32_t burst_sender_pack(burst_sender_id_t id)
{
    return (uint32_t)id.run << 16 | (uint32_t)id.senders << 8 | id.index;
}

static inline burst_sender_id_t burst_sender_unpack(uint32_t packed)
{
    return (burst_sender_id_t){(uint16_t)(packed >> 16), (uint8_t)(packed >> 8), (uint8_t)packed};
}

static inline uint64_t burst_sequence(uint32_t burst, uint32_t place)
{
    return (uint64_t)burst << 32 | place;
}

typedef struct burst_hello {
    uint32_t bursts;
    uint32_t size;    /* messages of a burst, of each sender */
    uint32_t warmup;  /* bursts */
    uint64_t machine; /* burst_machine() of the sender */
} burst_hello_t;

void burst_hello_encode(const burst_hello_t *hello, burst_sender_id_t id, wire_message_t *message);

/* False: no hello that can be meant. */
bool burst_hello_decode(burst_hello_t *hello, const wire_message_t *message);

/* The same for all processes since this machine started, and for no others: whoever has it shares
 * CLOCK_MONOTONIC. 0: it cannot be told. */
uint64_t burst_machine(void);

#endif
