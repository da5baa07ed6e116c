/*
 * Unit tests of captured headers, byte by byte: links, tags, IPv4 and IPv6, fragments, and headers
 * that are cut short anywhere. Run by ctest.
 */
#include "bench/udp_packet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct packet {
    uint8_t bytes[256];
    size_t length;
} packet_t;

static void add(packet_t *packet, const uint8_t *bytes, size_t length)
{
    memcpy(packet->bytes + packet->length, bytes, length);
    packet->length += length;
}

#define ADD(packet, ...)                                                                           \
    add(packet, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void add_zeros(packet_t *packet, size_t count)
{
    memset(packet->bytes + packet->length, 0, count);
    packet->length += count;
}

static void ethernet(packet_t *packet, uint8_t high, uint8_t low)
{
    packet->length = 0;
    add_zeros(packet, 12);
    ADD(packet, high, low);
}

/* With `options` words of options; the whole datagram has 20 + 4 * options + 8 + payload bytes. */
static void ipv4(packet_t *packet, uint8_t protocol, uint16_t fragment, uint8_t options,
                 uint8_t payload)
{
    ADD(packet, (uint8_t)(0x45 + options), 0, 0, (uint8_t)(28 + 4 * options + payload), 0, 0,
        (uint8_t)(fragment >> 8), (uint8_t)fragment, 64, protocol, 0, 0);
    add_zeros(packet, (size_t)8 + (size_t)options * 4);
}

static void ipv6(packet_t *packet, uint8_t next, uint8_t length)
{
    ADD(packet, 0x60, 0, 0, 0, 0, length, next, 64);
    add_zeros(packet, 32);
}

static void udp(packet_t *packet, uint8_t payload)
{
    ADD(packet, 0, 1, 0, 2, 0, (uint8_t)(8 + payload), 0, 0);
}

/* From memory of just that size, so that a sanitizer sees a step too far. */
static udp_verdict_t read_cut(udp_link_t link, const packet_t *packet, size_t length,
                              uint32_t *payload)
{
    uint8_t *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, packet->bytes, length);
    const udp_verdict_t verdict = udp_packet_read(link, exact, length, payload);
    free(exact);
    return verdict;
}

/* Whole it has that payload; cut anywhere in its headers it is damaged. */
static void assert_payload(udp_link_t link, const packet_t *packet, uint32_t expected)
{
    uint32_t payload = 0;
    assert_int_equal(read_cut(link, packet, packet->length, &payload), UDP_WHOLE);
    assert_int_equal(payload, expected);
    for (size_t length = 0; length < packet->length; length++)
        assert_int_equal(read_cut(link, packet, length, &payload), UDP_DAMAGED);
}

static void assert_verdict(udp_link_t link, const packet_t *packet, udp_verdict_t expected)
{
    uint32_t payload;
    assert_int_equal(read_cut(link, packet, packet->length, &payload), expected);
}

static void test_links(void **state)
{
    (void)state;
    packet_t packet;
    ethernet(&packet, 0x08, 0x00);
    ipv4(&packet, 17, 0, 0, 170);
    udp(&packet, 170);
    assert_payload(UDP_LINK_ETHERNET, &packet, 170);
    packet.length = 0; /* the first cooked kind: its type is last */
    add_zeros(&packet, 14);
    ADD(&packet, 0x86, 0xdd);
    ipv6(&packet, 17, 8 + 33);
    udp(&packet, 33);
    assert_payload(UDP_LINK_COOKED, &packet, 33);
    packet.length = 0; /* the second: first */
    ADD(&packet, 0x08, 0x00);
    add_zeros(&packet, 18);
    ipv4(&packet, 17, 0, 0, 5);
    udp(&packet, 5);
    assert_payload(UDP_LINK_COOKED_2, &packet, 5);
    packet.length = 0;
    ipv4(&packet, 17, 0, 0, 6);
    udp(&packet, 6);
    assert_payload(UDP_LINK_RAW, &packet, 6);
    packet.length = 0;
    ipv6(&packet, 17, 8 + 7);
    udp(&packet, 7);
    assert_payload(UDP_LINK_RAW, &packet, 7);
}

static void test_tags(void **state)
{
    (void)state;
    packet_t packet;
    ethernet(&packet, 0x81, 0x00);
    ADD(&packet, 0, 5, 0x08, 0x00);
    ipv4(&packet, 17, 0x4000, 3, 9); /* "do not fragment", and options */
    udp(&packet, 9);
    assert_payload(UDP_LINK_ETHERNET, &packet, 9);
    ethernet(&packet, 0x88, 0xa8);
    ADD(&packet, 0, 5, 0x81, 0x00, 0, 6, 0x86, 0xdd);
    ipv6(&packet, 17, 8 + 1);
    udp(&packet, 1);
    assert_payload(UDP_LINK_ETHERNET, &packet, 1);
}

/* Bytes behind the IP packet fill a short frame, and are nothing. */
static void test_padding(void **state)
{
    (void)state;
    packet_t packet;
    uint32_t payload = 0;
    ethernet(&packet, 0x08, 0x00);
    ipv4(&packet, 17, 0, 0, 2);
    udp(&packet, 2);
    add_zeros(&packet, 20);
    assert_int_equal(read_cut(UDP_LINK_ETHERNET, &packet, packet.length, &payload), UDP_WHOLE);
    assert_int_equal(payload, 2);
}

static void test_extensions(void **state)
{
    (void)state;
    packet_t packet;
    packet.length = 0;
    ipv6(&packet, 0, 8 + 16 + 12 + 8 + 8 + 3);
    ADD(&packet, 60, 0, 0, 0, 0, 0, 0, 0); /* hop by hop */
    ADD(&packet, 51, 1, 0, 0, 0, 0, 0, 0);
    add_zeros(&packet, 8);                    /* destination, of 16 bytes */
    ADD(&packet, 44, 1, 0, 0, 0, 0, 0, 0);    /* authentication, of 12 */
    add_zeros(&packet, 4);                    /* ... */
    ADD(&packet, 17, 0, 0, 0x06, 9, 9, 9, 9); /* a fragment that is all; reserved bits */
    udp(&packet, 3);
    assert_payload(UDP_LINK_RAW, &packet, 3);
}

static void test_fragments(void **state)
{
    (void)state;
    packet_t packet;
    const uint16_t fragments[] = {0x2000, 0x0001, 0x3fff, 0x6000};
    for (size_t i = 0; i < sizeof fragments / sizeof fragments[0]; i++) {
        packet.length = 0;
        ipv4(&packet, 17, fragments[i], 0, 9);
        udp(&packet, 9);
        assert_verdict(UDP_LINK_RAW, &packet, UDP_FRAGMENT);
    }
    packet.length = 0;
    ipv4(&packet, 6, 0x2000, 0, 9);
    assert_verdict(UDP_LINK_RAW, &packet, UDP_OTHER);
    packet.length = 0;
    ipv6(&packet, 44, 8 + 8 + 9);
    ADD(&packet, 17, 0, 0, 0x01, 0, 0, 0, 1);
    udp(&packet, 9);
    assert_verdict(UDP_LINK_RAW, &packet, UDP_FRAGMENT);
    packet.bytes[40] = 6;
    assert_verdict(UDP_LINK_RAW, &packet, UDP_OTHER);
}

static void test_others(void **state)
{
    (void)state;
    packet_t packet;
    ethernet(&packet, 0x08, 0x06); /* ARP */
    add_zeros(&packet, 28);
    assert_verdict(UDP_LINK_ETHERNET, &packet, UDP_OTHER);
    packet.length = 0;
    ipv4(&packet, 6, 0, 0, 12);
    add_zeros(&packet, 20);
    assert_verdict(UDP_LINK_RAW, &packet, UDP_OTHER);
    packet.length = 0;
    ipv6(&packet, 58, 8);
    add_zeros(&packet, 8);
    assert_verdict(UDP_LINK_RAW, &packet, UDP_OTHER);
    packet.length = 0;
    ipv4(&packet, 17, 0, 0, 0); /* nothing in it */
    udp(&packet, 0);
    assert_verdict(UDP_LINK_RAW, &packet, UDP_OTHER);
}

static void test_damaged(void **state)
{
    (void)state;
    packet_t packet;
    packet.length = 0;
    ipv4(&packet, 17, 0, 0, 9);
    udp(&packet, 10); /* more than IP has room for */
    assert_verdict(UDP_LINK_RAW, &packet, UDP_DAMAGED);
    packet.bytes[25] = 7; /* less than its own header */
    assert_verdict(UDP_LINK_RAW, &packet, UDP_DAMAGED);
    packet.bytes[25] = 17;
    assert_verdict(UDP_LINK_RAW, &packet, UDP_WHOLE);
    packet.bytes[0] = 0x44; /* a header of 16 bytes */
    assert_verdict(UDP_LINK_RAW, &packet, UDP_DAMAGED);
    packet.bytes[0] = 0x55; /* version 5 */
    assert_verdict(UDP_LINK_RAW, &packet, UDP_DAMAGED);
    packet.length = 0;
    ipv6(&packet, 60, 7); /* an extension that is longer than the packet */
    ADD(&packet, 17, 0, 0, 0, 0, 0, 0, 0);
    udp(&packet, 1);
    assert_verdict(UDP_LINK_RAW, &packet, UDP_DAMAGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links),     cmocka_unit_test(test_tags),
        cmocka_unit_test(test_padding),   cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_fragments), cmocka_unit_test(test_others),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
