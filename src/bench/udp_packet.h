/*
 * What a captured packet says: whether it is UDP over IPv4 or IPv6, and how many bytes of payload
 * it carried. Only headers need be captured.
 */
#ifndef BENCH_UDP_PACKET_H
#define BENCH_UDP_PACKET_H

#include <stddef.h>
#include <stdint.h>

/* What stands in front of IP: Ethernet with or without VLAN tags, Linux cooked captures of both
 * versions, nothing. */
typedef enum udp_link {
    UDP_LINK_ETHERNET,
    UDP_LINK_COOKED,
    UDP_LINK_COOKED_2,
    UDP_LINK_RAW,
} udp_link_t;

typedef enum udp_verdict {
    UDP_WHOLE,    /* a whole datagram with a payload */
    UDP_FRAGMENT, /* a part of one: its datagram's size is not told by it alone */
    UDP_OTHER,    /* another protocol, or no payload */
    UDP_DAMAGED,  /* headers that contradict themselves, or were not captured whole */
} udp_verdict_t;

/* Looks at `length` captured bytes; *payload_bytes is set for UDP_WHOLE. */
udp_verdict_t udp_packet_read(udp_link_t link, const uint8_t *bytes, size_t length,
                              uint32_t *payload_bytes);

#endif
