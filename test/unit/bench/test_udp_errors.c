/*
 * Unit tests of errors and drops of UDP: the kernel's texts, wrong ones, and a socket that really
 * was too small. Run by ctest.
 */
#include "bench/udp_errors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

static const char snmp[] =
    "Ip: Forwarding DefaultTTL\nIp: 1 64\n"
    "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors\n"
    "Udp: 4384741 406207 569223 5371548 569220 1\n"
    "UdpLite: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors\n"
    "UdpLite: 0 0 9 0 9 0\n";

static void test_snmp(void **state)
{
    (void)state;
    udp_errors_t errors = {0};
    assert_true(udp_errors_add_snmp(&errors, snmp));
    assert_int_equal(errors.rcvbuf_errors, 569220);
    assert_int_equal(errors.in_errors, 569223);
    assert_true(udp_errors_add_snmp6(&errors, "Ip6InReceives 5\nUdp6InErrors   \t4\n"
                                              "Udp6RcvbufErrors \t3\nUdpLite6InErrors 9\n"));
    assert_int_equal(errors.rcvbuf_errors, 569223);
    assert_int_equal(errors.in_errors, 569227);

    static const char *const wrong[] = {"",
                                        "Udp:",
                                        "Udp: InErrors RcvbufErrors\n",
                                        "Udp: InErrors RcvbufErrors\nUdp: 1\n",
                                        "Udp: InErrors RcvbufErrors\nUdp: 1 x\n",
                                        "Udp: InErrors\nUdp: 1\n",
                                        "Tcp: A\nTcp: 1\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(udp_errors_add_snmp(&errors, wrong[i]));
    assert_false(udp_errors_add_snmp6(&errors, "Udp6InErrors 4\n"));
    assert_false(udp_errors_add_snmp6(&errors, "Udp6InErrors\nUdp6RcvbufErrors x\n"));
    assert_int_equal(errors.rcvbuf_errors, 569223);
}

#define HEAD                                                                                       \
    "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout " \
    "inode ref pointer drops            \n"
#define SOCKET(inode, drops)                                                                       \
    " 1234: 0100007F:9C40 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        "   \
    "0 " #inode " 2 0000000000000000 " #drops "      \n"

static void test_sockets(void **state)
{
    (void)state;
    static const uint64_t inodes[] = {17, 4026531840, 18};
    udp_errors_t errors = {0};
    assert_true(udp_errors_add_sockets(
        &errors, HEAD SOCKET(17, 3) SOCKET(19, 1000) SOCKET(4026531840, 40), inodes, 3));
    assert_int_equal(errors.socket_drops, 43);
    assert_int_equal(errors.sockets, 2);
    assert_true(udp_errors_add_sockets(&errors, HEAD, inodes, 3));
    assert_int_equal(errors.sockets, 2);
    assert_false(udp_errors_add_sockets(&errors, "", inodes, 3));
    assert_false(udp_errors_add_sockets(&errors, "  sl  local_address\n" SOCKET(17, 3), inodes, 3));
    assert_false(udp_errors_add_sockets(&errors, HEAD " 1: 2 3\n", inodes, 3));
    assert_int_equal(errors.socket_drops, 43);
}

/* A socket with the least buffer there is, which nobody reads. */
static void test_drops_of_our_own(void **state)
{
    (void)state;
    udp_errors_t before;
    udp_errors_t after;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    const int small = 1;
    const char bytes[1000] = {0};
    const int receiver = socket(AF_INET, SOCK_DGRAM, 0);
    const int sender = socket(AF_INET, SOCK_DGRAM, 0);
    assert_true(receiver >= 0 && sender >= 0);
    assert_int_equal(setsockopt(receiver, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    assert_int_equal(bind(receiver, (struct sockaddr *)&address, length), 0);
    assert_int_equal(getsockname(receiver, (struct sockaddr *)&address, &length), 0);
    udp_errors_read(&before, 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(
            sendto(sender, bytes, sizeof bytes, 0, (struct sockaddr *)&address, length),
            sizeof bytes);
    udp_errors_read(&after, getpid());
    unsigned kept = 0;
    char taken[1000];
    while (recv(receiver, taken, sizeof taken, MSG_DONTWAIT) > 0)
        kept++;
    (void)close(receiver);
    (void)close(sender);
    if (!after.sockets_known || after.sockets == 0 || !after.namespace_known)
        skip(); /* a container that hides them */
    assert_int_equal(after.socket_drops - before.socket_drops, 100 - kept);
    assert_true(after.rcvbuf_errors - before.rcvbuf_errors >= 100 - kept);
    assert_true(after.in_errors - before.in_errors >= 100 - kept);
}

static void test_nobody(void **state)
{
    (void)state;
    udp_errors_t errors;
    memset(&errors, 0xff, sizeof errors);
    udp_errors_read(&errors, 0x7ffffff0);
    assert_false(errors.namespace_known || errors.sockets_known);
    assert_true(errors.rcvbuf_errors == 0 && errors.socket_drops == 0);
}

/* None at all: it may be another process than was meant, and 0 drops of it say nothing. */
static void test_no_sockets(void **state)
{
    (void)state;
    udp_errors_t errors;
    udp_errors_read(&errors, 0);
    assert_int_equal(errors.sockets, 0);
    assert_false(errors.sockets_known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snmp),
        cmocka_unit_test(test_sockets),
        cmocka_unit_test(test_drops_of_our_own),
        cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_no_sockets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
