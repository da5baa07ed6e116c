/*
 * Headers of captured packets, from the link's up to UDP's. Called by bench/trace_file.c.
 *
 * Invariants: nothing is read past the captured bytes; every step goes forward, so any input ends.
 * The payload's size is what UDP's header says, if the IP packet has room for it: a capture may
 * have kept less of it.
 */
#include "bench/udp_packet.h"

#include "base/assert.h"

#include <stdbool.h>

enum {
    ETHERNET_BYTES = 14,
    COOKED_BYTES = 16,
    COOKED_2_BYTES = 20,
    VLAN_BYTES = 4,
    IPV4_BYTES = 20,
    IPV6_BYTES = 40,
    UDP_BYTES = 8,
    EXTENSION_BYTES = 8, /* of the shortest one */

    TYPE_IPV4 = 0x0800,
    TYPE_IPV6 = 0x86dd,

    PROTOCOL_UDP = 17,
    NEXT_HOP_BY_HOP = 0,
    NEXT_ROUTING = 43,
    NEXT_FRAGMENT = 44,
    NEXT_AUTHENTICATION = 51,
    NEXT_DESTINATION = 60,

    IPV4_FRAGMENT_MASK = 0x3fff, /* more fragments, or an offset */
    IPV6_FRAGMENT_MASK = 0xfff9,
};

/* The bytes that are still ahead. */
typedef struct view {
    const uint8_t *bytes;
    size_t length;
} view_t;

static unsigned at_16(const view_t *view, size_t at)
{
    OC_ASSERT(at + 2 <= view->length);
    return (unsigned)view->bytes[at] << 8 | view->bytes[at + 1];
}

static bool skip(view_t *view, size_t count)
{
    if (count > view->length)
        return false;
    view->bytes += count;
    view->length -= count;
    return true;
}

/* UDP's header, in a packet that has `room` bytes for it and what it carries. */
static udp_verdict_t read_udp(const view_t *view, size_t room, uint32_t *payload_bytes)
{
    if (view->length < UDP_BYTES || room < UDP_BYTES)
        return UDP_DAMAGED;
    const unsigned bytes = at_16(view, 4);
    if (bytes < UDP_BYTES || bytes > room)
        return UDP_DAMAGED;
    *payload_bytes = bytes - UDP_BYTES;
    return *payload_bytes ? UDP_WHOLE : UDP_OTHER;
}

static udp_verdict_t read_ipv4(view_t view, uint32_t *payload_bytes)
{
    if (view.length < IPV4_BYTES || view.bytes[0] >> 4 != 4)
        return UDP_DAMAGED;
    const size_t header = (size_t)(view.bytes[0] & 0xf) * 4;
    const size_t total = at_16(&view, 2);
    if (view.bytes[9] != PROTOCOL_UDP)
        return UDP_OTHER;
    if (at_16(&view, 6) & IPV4_FRAGMENT_MASK)
        return UDP_FRAGMENT;
    if (header < IPV4_BYTES || header > total || !skip(&view, header))
        return UDP_DAMAGED;
    return read_udp(&view, total - header, payload_bytes);
}

/* The length of an extension header whose second byte is `told`; 0: it is none. */
static size_t extension_bytes(unsigned next, uint8_t told)
{
    switch (next) {
    case NEXT_HOP_BY_HOP:
    case NEXT_ROUTING:
    case NEXT_DESTINATION:
        return ((size_t)told + 1) * 8;
    case NEXT_AUTHENTICATION:
        return ((size_t)told + 2) * 4;
    case NEXT_FRAGMENT:
        return EXTENSION_BYTES;
    default:
        return 0;
    }
}

static udp_verdict_t read_ipv6(view_t view, uint32_t *payload_bytes)
{
    if (view.length < IPV6_BYTES || view.bytes[0] >> 4 != 6)
        return UDP_DAMAGED;
    size_t room = at_16(&view, 4);
    unsigned next = view.bytes[6];
    (void)skip(&view, IPV6_BYTES);
    while (next != PROTOCOL_UDP) {
        const size_t bytes = extension_bytes(next, view.length > 1 ? view.bytes[1] : 0);
        if (bytes == 0)
            return UDP_OTHER;
        if (view.length < EXTENSION_BYTES)
            return UDP_DAMAGED;
        /* An "atomic" fragment, without others, is a whole packet. */
        const bool fragment = next == NEXT_FRAGMENT && (at_16(&view, 2) & IPV6_FRAGMENT_MASK);
        next = view.bytes[0];
        if (fragment)
            return next == PROTOCOL_UDP ? UDP_FRAGMENT : UDP_OTHER;
        if (bytes > room || !skip(&view, bytes))
            return UDP_DAMAGED;
        room -= bytes;
    }
    return read_udp(&view, room, payload_bytes);
}

static bool tagged(unsigned type)
{
    return type == 0x8100 || type == 0x88a8 || type == 0x9100;
}

udp_verdict_t udp_packet_read(udp_link_t link, const uint8_t *bytes, size_t length,
                              uint32_t *payload_bytes)
{
    static const struct {
        size_t bytes;
        size_t type_at;
    } links[] = {
        [UDP_LINK_ETHERNET] = {ETHERNET_BYTES, 12},
        [UDP_LINK_COOKED] = {COOKED_BYTES, 14},
        [UDP_LINK_COOKED_2] = {COOKED_2_BYTES, 0},
    };
    view_t view = {bytes, length};
    unsigned type;
    if (link == UDP_LINK_RAW) {
        if (length == 0)
            return UDP_DAMAGED;
        type = bytes[0] >> 4 == 6 ? TYPE_IPV6 : TYPE_IPV4;
    } else {
        if (length < links[link].bytes)
            return UDP_DAMAGED;
        type = at_16(&view, links[link].type_at);
        (void)skip(&view, links[link].bytes);
    }
    while (tagged(type)) {
        if (view.length < VLAN_BYTES)
            return UDP_DAMAGED;
        type = at_16(&view, 2);
        (void)skip(&view, VLAN_BYTES);
    }
    if (type == TYPE_IPV4)
        return read_ipv4(view, payload_bytes);
    return type == TYPE_IPV6 ? read_ipv6(view, payload_bytes) : UDP_OTHER;
}
