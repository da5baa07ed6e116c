/*
 * What a message becomes on its way: Aeron's frames, datagrams, bytes on the wire, and the memory
 * that the kernel holds for it in a socket's receive buffer.
 *
 * Aeron (1.54, C driver): each frame has a header of 32 bytes and is padded to a multiple of 32; a
 * message above MTU - 32 is cut into frames of at most that payload; a datagram takes the frames
 * that lie one after the other in the term and fit the MTU together. An MTU is the payload of a UDP
 * datagram, not the interface's.
 */
#ifndef CALC_WIRE_FRAME_H
#define CALC_WIRE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#define WIRE_FRAME_HEADER    32
#define WIRE_FRAME_ALIGNMENT 32
#define WIRE_MTU_DEFAULT     1408
#define WIRE_MTU_MIN         64    /* the least that takes a payload */
#define WIRE_MTU_MAX         65504 /* AERON_MAX_UDP_PAYLOAD_LENGTH */
#define WIRE_MESSAGE_MAX     (16u << 20)
/* Around a datagram: IPv4 20 and UDP 8; Ethernet header 14 and check sequence 4. The 20 bytes of
 * preamble and gap between packets take time, but no buffer. */
#define WIRE_UDP_IP   28
#define WIRE_ETHERNET 18
#define WIRE_PACKET   (WIRE_UDP_IP + WIRE_ETHERNET)

/* One message that goes alone: nothing shares its datagrams. */
typedef struct wire_message {
    uint32_t datagrams;
    uint32_t frame_bytes;  /* its length in the term, and in all its datagrams */
    uint32_t wire_bytes;   /* with what is around each datagram */
    uint32_t charge_bytes; /* what the kernel holds for it, see wire_charge() */
} wire_message_t;

/* Whether Aeron takes it: a multiple of 32 within the limits. */
bool wire_mtu_valid(uint64_t mtu);

/* `size` is at most WIRE_MESSAGE_MAX, the MTU is valid. */
void wire_message(uint32_t size, uint32_t mtu, wire_message_t *message);

/* The largest message that is one frame. */
uint32_t wire_payload_max(uint32_t mtu);

/* How many messages of that size one datagram takes when enough are there; 0 if a message needs
 * several datagrams. */
uint32_t wire_frames_per_datagram(uint32_t size, uint32_t mtu);

/*
 * What Linux counts against a socket's receive buffer for a datagram of so many bytes (its
 * "truesize": the packet's descriptor and the whole memory block that it lies in). Measured with
 * kernel 6.18 over loopback; drivers of network cards that hand over pages count a page more or
 * less for each packet. See docs/calc.md.
 */
uint32_t wire_charge(uint32_t datagram_bytes);

/* Packs messages one after the other, as the driver does when all of them are there. */
typedef struct wire_packer {
    uint32_t mtu;
    uint32_t used; /* of the last datagram */
    uint64_t datagrams;
    uint64_t frames;
} wire_packer_t;

/* Start from {.mtu = M}. */
void wire_packer_add(wire_packer_t *self, uint32_t size);

#endif
