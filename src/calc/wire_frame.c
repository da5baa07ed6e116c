/*
 * Framing by arithmetic. Called by the calculator's formulas and by `outcry calc frames`.
 *
 * Invariant: bytes fit 32 bits, since the longest message in the smallest frames does.
 */
#include "calc/wire_frame.h"

#include "base/assert.h"

#include <stddef.h>

#define CHARGE_DESCRIPTOR 256   /* sk_buff */
#define CHARGE_AROUND     384   /* room for headers, and the kernel's trailer of a block */
#define CHARGE_SMALL      192   /* up to so many bytes the small block is taken */
#define CHARGE_SMALL_SIZE 832   /* descriptor and small block */
#define CHARGE_BLOCKS     16000 /* above it whole pages are filled one after the other */
#define CHARGE_PAGES      1088

bool wire_mtu_valid(uint64_t mtu)
{
    return mtu >= WIRE_MTU_MIN && mtu <= WIRE_MTU_MAX && mtu % WIRE_FRAME_ALIGNMENT == 0;
}

uint32_t wire_payload_max(uint32_t mtu)
{
    OC_ASSERT(wire_mtu_valid(mtu));
    return mtu - WIRE_FRAME_HEADER;
}

/* Of one frame, with its header and padding. */
static uint32_t frame_length(uint32_t payload)
{
    const uint32_t length = payload + WIRE_FRAME_HEADER + WIRE_FRAME_ALIGNMENT - 1;
    return length - length % WIRE_FRAME_ALIGNMENT;
}

/* Frames that are full, and the payload of the one after them: 0 if there is none. */
static uint32_t full_frames(uint32_t size, uint32_t mtu, uint32_t *rest)
{
    OC_ASSERT(size <= WIRE_MESSAGE_MAX);
    const uint32_t payload = wire_payload_max(mtu);
    *rest = size % payload;
    return size / payload;
}

void wire_message(uint32_t size, uint32_t mtu, wire_message_t *message)
{
    uint32_t rest;
    const uint32_t full = full_frames(size, mtu, &rest);
    const uint32_t last = rest > 0 || full == 0 ? frame_length(rest) : 0;
    message->datagrams = full + (last > 0);
    message->frame_bytes = full * mtu + last;
    message->wire_bytes = message->frame_bytes + message->datagrams * WIRE_PACKET;
    message->charge_bytes =
        (full > 0 ? full * wire_charge(mtu) : 0) + (last > 0 ? wire_charge(last) : 0);
}

uint32_t wire_frames_per_datagram(uint32_t size, uint32_t mtu)
{
    return size > wire_payload_max(mtu) ? 0 : mtu / frame_length(size);
}

uint32_t wire_charge(uint32_t datagram_bytes)
{
    OC_ASSERT(datagram_bytes <= WIRE_MTU_MAX);
    if (datagram_bytes <= CHARGE_SMALL)
        return CHARGE_SMALL_SIZE;
    if (datagram_bytes > CHARGE_BLOCKS)
        return datagram_bytes + CHARGE_PAGES;
    uint32_t block = 1024;
    while (block < datagram_bytes + CHARGE_AROUND)
        block *= 2;
    return CHARGE_DESCRIPTOR + block;
}

static void pack_frame(wire_packer_t *self, uint32_t length)
{
    if (self->datagrams == 0 || self->used + length > self->mtu) {
        self->datagrams++;
        self->used = 0;
    }
    self->used += length;
    self->frames++;
}

void wire_packer_add(wire_packer_t *self, uint32_t size)
{
    uint32_t rest;
    const uint32_t full = full_frames(size, self->mtu, &rest);
    for (uint32_t i = 0; i < full; i++)
        pack_frame(self, self->mtu);
    if (rest > 0 || full == 0)
        pack_frame(self, frame_length(rest));
}
