/*
 * Unit tests of `outcry calc buffers`: the worked case, the lines to set, limits that are
 * short. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/calc.h"
#include "lib/capture.h"
#include "lib/temp_dir.h"
#include "lib/temp_file.h"

#include <stdio.h>
#include <string.h>

static capture_t captured;
static temp_file_t file;

#define CALC(...)                                                                                  \
    capture_main(calc_buffers_main, (const char *const[]){"buffers", __VA_ARGS__, NULL}, &captured)

/* A trace of the test's own; removed by remove_trace(). */
static void make_trace(const char *text)
{
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
}

static int remove_trace(void **state)
{
    (void)state;
    temp_file_remove(&file);
    return 0;
}

#define EIGHT_SENDERS                                                                              \
    "--senders=8", "--peak-per-ms=6250", "--size=170", "--rtt-ms=0.1", "--burst-ms=1",             \
        "--stall-ms=20"

static temp_dir_t dir;

static void set_limit(const char *name, const char *value)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%s", dir.path, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    (void)fputs(value, out);
    assert_int_equal(fclose(out), 0);
}

static int make_dir(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    temp_dir_remove(&dir);
    return 0;
}

static void test_the_eight_senders(void **state)
{
    (void)state;
    assert_int_equal(CALC(EIGHT_SENDERS), 0);
    capture_assert_out(&captured, "\nsurvive_ms: 1.000000\n");
    capture_assert_out(&captured, "\nrx_ring_packets: 50000\n");
    capture_assert_out(&captured, "\nso_rcvbuf_payload_bytes: 8500000\n");
    capture_assert_out(&captured, "\nso_rcvbuf_bytes: 32000000\n");
    capture_assert_out(&captured, "\nwindow_bytes: 140000\n");
    capture_assert_out(&captured, "\nterm_bytes: 67108864\n");
    capture_assert_out(&captured,
                       "\nsysctl_rmem_max: net.core.rmem_max = 32000000\n"
                       "sysctl_wmem_max: net.core.wmem_max = 1400000\n"
                       "card: ethtool -G INTERFACE rx 50000\n"
                       "uri_publication: term-length=67108864|mtu=1408|so-sndbuf=1400000\n"
                       "uri_subscription: so-rcvbuf=32000000|rcv-wnd=140000\n"
                       "driver_of_publisher: AERON_TERM_BUFFER_LENGTH=67108864 "
                       "AERON_MTU_LENGTH=1408 AERON_SOCKET_SO_SNDBUF=1400000\n"
                       "driver_of_subscriber: AERON_SOCKET_SO_RCVBUF=32000000 "
                       "AERON_RCV_INITIAL_WINDOW_LENGTH=140000\n");
    assert_null(strstr(captured.out, "\ncheck"));
    assert_int_equal(CALC(EIGHT_SENDERS, "--json", "--survive-ms=0.5"), 0);
    capture_assert_out(&captured, "\"rx_ring_packets\": 25000, \"rx_ring_why\": \"");
}

/* A small load is not advised to set less than there is anyway. */
static void test_a_small_load(void **state)
{
    (void)state;
    assert_int_equal(
        CALC("--peak-per-ms=0.1", "--size=10", "--rtt-ms=0.1", "--burst-ms=1", "--stall-ms=1"), 0);
    capture_assert_out(&captured, "\nterm_bytes: 65536\n");
    capture_assert_out(&captured, "\nsysctl_rmem_max: net.core.rmem_max = 212992\n"
                                  "sysctl_wmem_max: net.core.wmem_max = 212992\n");
    capture_assert_out(&captured,
                       "\nuri_publication: term-length=262144|mtu=1408|so-sndbuf=131072\n"
                       "uri_subscription: so-rcvbuf=131072|rcv-wnd=131072\n");
}

static void test_check(void **state)
{
    (void)state;
    set_limit("rmem_max", "32000000\n");
    set_limit("wmem_max", "1400000\n");
    assert_int_equal(CALC(EIGHT_SENDERS, "--check", "--limits-dir", dir.path), 0);
    capture_assert_out(
        &captured,
        "\ncheck_so_rcvbuf: ok: net.core.rmem_max is 32000000 bytes, 32000000 are needed\n"
        "check_so_sndbuf: ok: net.core.wmem_max is 1400000 bytes, 1400000 are needed\n"
        "check: ok\n");
    set_limit("rmem_max", "31999999\n");
    assert_int_equal(CALC(EIGHT_SENDERS, "--check", "--limits-dir", dir.path), 1);
    capture_assert_out(&captured, "\ncheck_so_rcvbuf: short: net.core.rmem_max is 31999999 bytes, "
                                  "32000000 are needed\ncheck_so_sndbuf: ok: ");
    capture_assert_out(&captured, "\ncheck: short\n");
    assert_int_equal(CALC(EIGHT_SENDERS, "--check", "--json", "--limits-dir", dir.path), 1);
    capture_assert_out(&captured, "\"check\": \"short\"}\n");
}

static void test_unknown_limits(void **state)
{
    (void)state;
    set_limit("rmem_max", "much\n");
    assert_int_equal(CALC(EIGHT_SENDERS, "--check", "--limits-dir", dir.path), 1);
    capture_assert_out(&captured, "/rmem_max holds no number; 32000000 bytes are needed\n");
    capture_assert_out(&captured, "/wmem_max cannot be read: No such file or directory; 1400000 ");
    capture_assert_out(&captured, "\ncheck: short\n");
}

static void test_trace(void **state)
{
    (void)state;
    make_trace("0,170\n500000,170\n1000000,170\n");
    assert_int_equal(CALC("--trace", file.path, "--rtt-ms=1", "--burst-ms=100", "--stall-ms=1"), 0);
    capture_assert_out(&captured, "\npeak_messages_per_ms: 2\nrx_ring_packets: 200\n");
    capture_assert_out(&captured, "\nso_rcvbuf_payload_bytes: 34000\n");
    capture_assert_out(&captured, "\nso_rcvbuf_bytes: 128000\n");
}

static void test_refusals(void **state)
{
    (void)state;
    assert_int_equal(CALC(EIGHT_SENDERS, "--stall-ms=400"), 2);
    assert_string_equal(captured.err, "outcry: calc buffers: the term buffer would need 1120000000 "
                                      "bytes, and at most 1073741824 are possible; shorten the "
                                      "stall or share the load among more streams\n");
    assert_int_equal(CALC("--peak-per-ms=1000000000", "--size=16777216", "--rtt-ms=1",
                          "--burst-ms=1", "--stall-ms=1"),
                     2);
    assert_string_equal(captured.out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_eight_senders),
        cmocka_unit_test(test_a_small_load),
        cmocka_unit_test_setup_teardown(test_check, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_unknown_limits, make_dir, remove_dir),
        cmocka_unit_test_teardown(test_trace, remove_trace),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
