/*
 * Unit tests of traces from files: captures of hand-written bytes, and those that libpcap writes;
 * what is left out is counted, what is wrong is named. Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/trace_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "bench/trace_play.h"
#include "lib/temp_file.h"

#include <pcap/pcap.h>

static temp_file_t file;
static trace_t trace;
static trace_file_counts_t counts;

static int setup(void **state)
{
    (void)state;
    temp_file_make(&file);
    memset(&trace, 0, sizeof trace);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    trace_fini(&trace);
    temp_file_remove(&file);
    return 0;
}

/* ---- Hand-written bytes --------------------------------------------------------------------- */

typedef struct bytes {
    uint8_t data[4096];
    size_t size;
    bool big; /* endian */
} bytes_t;

static void put(bytes_t *to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to->data[to->size++] = (uint8_t)(value >> 8 * (to->big ? size - 1 - i : i));
}

static void put_header(bytes_t *to, bool big, uint32_t magic, uint32_t link)
{
    *to = (bytes_t){.big = big};
    put(to, magic, 4);
    put(to, 2, 2);
    put(to, 4, 2);
    put(to, 0, 8);
    put(to, 65535, 4);
    put(to, link, 4);
}

/* IPv4 and UDP with `payload` bytes, of which none is there. */
static size_t udp_packet(uint8_t *to, uint16_t payload, uint16_t fragment, uint8_t protocol)
{
    bytes_t out = {.big = true};
    put(&out, 0x4500, 2);
    put(&out, 28u + payload, 2);
    put(&out, 0, 2);
    put(&out, fragment, 2);
    put(&out, 64, 1);
    put(&out, protocol, 1);
    put(&out, 0, 2); /* checksum */
    put(&out, 0, 8); /* addresses */
    put(&out, 0, 4);
    put(&out, 8u + payload, 2);
    put(&out, 0, 2);
    memcpy(to, out.data, out.size);
    return out.size;
}

static void put_packet(bytes_t *to, uint32_t seconds, uint32_t rest, uint16_t payload,
                       uint16_t fragment)
{
    uint8_t packet[64];
    const size_t size = udp_packet(packet, payload, fragment, 17);
    put(to, seconds, 4);
    put(to, rest, 4);
    put(to, size, 4);
    put(to, 28u + payload, 4);
    memcpy(to->data + to->size, packet, size);
    to->size += size;
}

static oc_err_t read_bytes(const bytes_t *from, size_t size)
{
    trace_fini(&trace);
    temp_file_write(&file, from->data, size);
    return trace_file_read(&trace, file.path, &counts);
}

static void assert_message(size_t at, uint64_t offset_ns, uint32_t size)
{
    assert_true(at < trace.count);
    assert_int_equal(trace.messages[at].offset_ns, offset_ns);
    assert_int_equal(trace.messages[at].size, size);
}

static void refused(oc_err_t err, oc_err_t expected, const char *part)
{
    assert_int_equal(err, expected);
    assert_int_equal(trace.count, 0);
    assert_null(trace.messages);
    if (!strstr(oc_err_context(), part) || !strstr(oc_err_context(), file.path))
        fail_msg("'%s' and the file are not in '%s'", part, oc_err_context());
}

#define MICROSECONDS UINT32_C(0xa1b2c3d4)
#define NANOSECONDS  UINT32_C(0xa1b23c4d)

enum { LINK_ETHERNET = 1, LINK_RAW = 101, LINK_WIRELESS = 105 };

static void test_byte_orders(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const bool nano = i & 2;
        bytes_t out;
        put_header(&out, i & 1, nano ? NANOSECONDS : MICROSECONDS, LINK_RAW);
        put_packet(&out, 1700000000, 999999, 170, 0);
        put_packet(&out, 1700000001, 1, 88, 0);
        put_packet(&out, 1700000001, 1, 1400, 0);
        assert_int_equal(read_bytes(&out, out.size), OC_ERR_OK);
        assert_int_equal(trace.count, 3);
        assert_message(0, 0, 170);
        assert_message(1, nano ? 999000002 : 2000, 88);
        assert_message(2, nano ? 999000002 : 2000, 1400);
        assert_int_equal(counts.packets, 3);
    }
}

static void test_left_out(void **state)
{
    (void)state;
    bytes_t out;
    put_header(&out, false, NANOSECONDS, LINK_RAW);
    put_packet(&out, 3, 0, 9, 0x2000);
    put_packet(&out, 10, 500, 170, 0);
    put_packet(&out, 10, 400, 171, 0); /* earlier than the one before */
    put_packet(&out, 10, 450, 172, 0);
    put_packet(&out, 10, 600, 173, 1);
    out.data[out.size - 28 + 9] = 6; /* another protocol */
    put_packet(&out, 10, 700, 174, 1);
    put_packet(&out, 10, 800, 175, 0);
    out.data[out.size - 28] = 0x4f; /* a header longer than what was captured */
    put_packet(&out, 10, 900, 176, 0);
    assert_int_equal(read_bytes(&out, out.size), OC_ERR_OK);
    assert_int_equal(trace.count, 4);
    assert_message(0, 0, 170);
    assert_message(1, 0, 171);
    assert_message(2, 0, 172);
    assert_message(3, 400, 176);
    assert_int_equal(counts.packets, 8);
    assert_int_equal(counts.fragments, 2);
    assert_int_equal(counts.other, 1);
    assert_int_equal(counts.damaged, 1);
    assert_int_equal(counts.back, 2);
}

static void put_section(bytes_t *out)
{
    put(out, 0x0a0d0d0a, 4); /* a section: its length, byte order, version, no length of its own */
    put(out, 28, 4);
    put(out, 0x1a2b3c4d, 4);
    put(out, 1, 2);
    put(out, 0, 2);
    put(out, UINT64_MAX, 8);
    put(out, 28, 4);
}

/* An interface whose times are in units of 10^-resolution s. */
static void put_interface(bytes_t *out, uint16_t link, uint8_t resolution)
{
    put(out, 1, 4);
    put(out, 32, 4);
    put(out, link, 2);
    put(out, 0, 2);
    put(out, 65535, 4);
    put(out, 9, 2); /* option if_tsresol */
    put(out, 1, 2);
    put(out, resolution, 1);
    put(out, 0, 3);
    put(out, 0, 4); /* the options' end */
    put(out, 32, 4);
}

static void put_block(bytes_t *out, uint32_t interface, uint64_t time, uint16_t payload)
{
    uint8_t packet[64] = {[12] = 0x08}; /* on Ethernet */
    const size_t size = 14 + udp_packet(packet + 14, payload, 0, 17) + 2;
    put(out, 6, 4);
    put(out, 32 + size, 4);
    put(out, interface, 4);
    put(out, time >> 32, 4);
    put(out, time & UINT32_MAX, 4);
    put(out, size, 4);
    put(out, size + payload, 4);
    memcpy(out->data + out->size, packet, size);
    out->size += size;
    put(out, 32 + size, 4);
}

/* Two interfaces, one with nanoseconds and one with microseconds. */
static void test_pcapng(void **state)
{
    (void)state;
    for (unsigned big = 0; big < 2; big++) {
        bytes_t out = {.big = big};
        put_section(&out);
        put_interface(&out, LINK_ETHERNET, 9);
        put_interface(&out, LINK_ETHERNET, 6);
        put_block(&out, 0, UINT64_C(1700000000000000123), 170);
        put_block(&out, 1, UINT64_C(1700000000000007), 171);
        put_block(&out, 0, UINT64_C(1700000001000000123), 172);
        if (read_bytes(&out, out.size) != OC_ERR_OK)
            fail_msg("%s", oc_err_context());
        assert_int_equal(trace.count, 3);
        assert_message(0, 0, 170);
        assert_message(1, 7000 - 123, 171);
        assert_message(2, 1000000000, 172);
    }
    /* Interfaces of two kinds are more than libpcap reads. */
    bytes_t out = {.size = 0};
    put_section(&out);
    put_interface(&out, LINK_ETHERNET, 9);
    put_block(&out, 0, 1, 170);
    put_interface(&out, LINK_WIRELESS, 9);
    put_block(&out, 1, 2, 171);
    refused(read_bytes(&out, out.size), OC_ERR_FORMAT, "packet 2");
}

/* Cut anywhere: refused with the place, or, between two packets, read up to there. */
static void test_cut_anywhere(void **state)
{
    (void)state;
    bytes_t out;
    put_header(&out, false, MICROSECONDS, LINK_RAW);
    const size_t head = out.size;
    for (unsigned i = 0; i < 3; i++)
        put_packet(&out, i, 0, 170, 0);
    const size_t each = (out.size - head) / 3;
    for (size_t size = 4; size < out.size; size++) {
        const oc_err_t err = read_bytes(&out, size);
        char place[64];
        if (size < head) {
            refused(err, OC_ERR_FORMAT, "truncated");
        } else if (size == head) {
            refused(err, OC_ERR_FORMAT, "of 0 packets none");
        } else if ((size - head) % each == 0) {
            assert_int_equal(err, OC_ERR_OK);
            assert_int_equal(trace.count, (size - head) / each);
        } else {
            (void)snprintf(place, sizeof place, "packet %zu: ", (size - head) / each + 1);
            refused(err, OC_ERR_FORMAT, place);
        }
    }
}

static void test_refused(void **state)
{
    (void)state;
    bytes_t out;
    put_header(&out, false, MICROSECONDS, LINK_WIRELESS);
    put_packet(&out, 1, 0, 170, 0);
    refused(read_bytes(&out, out.size), OC_ERR_FORMAT, "link of type 105");
    put_header(&out, false, MICROSECONDS, LINK_RAW);
    put_packet(&out, 1, 0, 170, 0x2000);
    put_packet(&out, 2, 0, 170, 0x2000);
    refused(read_bytes(&out, out.size), OC_ERR_FORMAT,
            "of 2 packets none is a whole UDP datagram with a payload: 2 fragments");
    put_header(&out, false, MICROSECONDS, LINK_RAW);
    put_packet(&out, 1, 0, 170, 0);
    put_packet(&out, 1 + 30 * 24 * 3600, 0, 170, 0);
    assert_int_equal(read_bytes(&out, out.size), OC_ERR_OK);
    put_packet(&out, 1 + 30 * 24 * 3600, 1, 170, 0);
    refused(read_bytes(&out, out.size), OC_ERR_TOO_LONG, "message 3 of 3 comes more than 30 days");
    put_header(&out, false, NANOSECONDS, LINK_RAW);
    put_packet(&out, 1, 0, 170, 0);
    put_packet(&out, 2, 1000000000, 170, 0);
    refused(read_bytes(&out, out.size), OC_ERR_FORMAT, "packet 2: 2 s and 1000000000 ns");
    temp_file_write(&file, "", 0);
    refused(trace_file_read(&trace, file.path, &counts), OC_ERR_FORMAT, "no message in it");
    temp_file_write(&file, "0,170\n5,0\n", 10);
    refused(trace_file_read(&trace, file.path, &counts), OC_ERR_FORMAT, "line 2");
    temp_file_remove(&file);
    refused(trace_file_read(&trace, file.path, &counts), OC_ERR_OPEN, "No such file");
    temp_file_make(&file);
    assert_int_equal(trace_file_read(&trace, "/", &counts), OC_ERR_READ);
    assert_non_null(strstr(oc_err_context(), "directory"));
}

/* From the first row on, whatever its offset. */
static void test_csv(void **state)
{
    (void)state;
    const char text[] = "# of a day\noffset_ns,size\n1000,170\n1000,171\n4500,65535\n";
    temp_file_write(&file, text, sizeof text - 1);
    assert_int_equal(trace_file_read(&trace, file.path, &counts), OC_ERR_OK);
    assert_int_equal(trace.count, 3);
    assert_int_equal(counts.packets, 3);
    assert_message(0, 0, 170);
    assert_message(1, 0, 171);
    assert_message(2, 3500, 65535);
}

/* ---- Written by libpcap --------------------------------------------------------------------- */

enum { DUMPED = 10000 }; /* more than the first room for them */

static size_t put_link(uint8_t *packet, int link)
{
    memset(packet, 0, 20);
    packet[link == DLT_EN10MB ? 12 : 14] = 0x08;
    if (link == DLT_LINUX_SLL2) {
        memset(packet, 0, 20);
        packet[0] = 0x08;
    }
    return link == DLT_EN10MB ? 14 : link == DLT_LINUX_SLL ? 16 : link == DLT_LINUX_SLL2 ? 20 : 0;
}

static void dump(int link, u_int precision, trace_message_t *expected)
{
    uint64_t random = (uint64_t)link;
    uint64_t time_ns = UINT64_C(1600000000123456000);
    const uint64_t unit_ns = precision == PCAP_TSTAMP_PRECISION_NANO ? 1 : 1000;
    pcap_t *pcap = pcap_open_dead_with_tstamp_precision(link, 65535, precision);
    assert_non_null(pcap);
    pcap_dumper_t *dumper = pcap_dump_open(pcap, file.path);
    assert_non_null(dumper);
    for (size_t i = 0; i < DUMPED; i++) {
        uint8_t packet[128];
        const uint16_t payload = (uint16_t)(1 + prng_below(&random, 65000));
        size_t size = put_link(packet, link);
        size += udp_packet(packet + size, payload, 0, 17);
        const struct pcap_pkthdr header = {
            .ts = {.tv_sec = (time_t)(time_ns / 1000000000),
                   .tv_usec = (suseconds_t)(time_ns % 1000000000 / unit_ns)},
            .caplen = (bpf_u_int32)size,
            .len = (bpf_u_int32)size + payload};
        pcap_dump((u_char *)dumper, &header, packet);
        expected[i] = (trace_message_t){time_ns - UINT64_C(1600000000123456000), payload};
        time_ns += prng_below(&random, 4) * prng_below(&random, 1000000) / unit_ns * unit_ns;
    }
    pcap_dump_close(dumper);
    pcap_close(pcap);
}

static void test_dumped(void **state)
{
    (void)state;
    const int links[] = {DLT_EN10MB, DLT_LINUX_SLL, DLT_LINUX_SLL2, DLT_RAW, DLT_IPV4};
    trace_message_t *expected = malloc(DUMPED * sizeof *expected);
    assert_non_null(expected);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        for (u_int precision = 0; precision < 2; precision++) {
            dump(links[i], precision, expected);
            assert_int_equal(trace_file_read(&trace, file.path, &counts), OC_ERR_OK);
            assert_int_equal(trace.count, DUMPED);
            for (size_t k = 0; k < DUMPED; k++)
                assert_message(k, expected[k].offset_ns, expected[k].size);
            assert_int_equal(counts.back + counts.other + counts.fragments + counts.damaged, 0);
            trace_fini(&trace);
        }
    free(expected);
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(test_byte_orders),  WITH_FILE(test_left_out), WITH_FILE(test_pcapng),
        WITH_FILE(test_cut_anywhere), WITH_FILE(test_refused),  WITH_FILE(test_csv),
        WITH_FILE(test_dumped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
