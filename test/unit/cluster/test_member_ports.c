/*
 * The look at a member's own endpoints: ports that are taken, hosts that are nowhere or elsewhere.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cluster/member_ports.h"
#include "lib/capture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Names that are none anywhere (RFC 6761), and an address of no machine (RFC 5737). */
#define NOWHERE   "nowhere.invalid"
#define ELSEWHERE "192.0.2.1"

static member_config_t config;

/* A socket on a free port of this machine. */
static int take(const char *host, uint16_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(inet_pton(AF_INET, host, &address.sin_addr), 1);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

/* All endpoints on free ports, but for the nth, which is at `host` on `port` (0: free as well). */
static void set_member(uint32_t member, uint32_t n, const char *host, uint16_t port)
{
    int taken[MEMBER_ENDPOINTS];
    char *line = config.members[member];
    line[0] = '\0';
    for (uint32_t i = 0; i < MEMBER_ENDPOINTS; i++) {
        uint16_t free_port;
        taken[i] = take("127.0.0.1", &free_port);
        (void)snprintf(line + strlen(line), NODE_TEXT_MAX - strlen(line), "%s%s:%u",
                       i > 0 ? "," : "", i == n ? host : "127.0.0.1",
                       (unsigned)(i == n && port != 0 ? port : free_port));
    }
    for (uint32_t i = 0; i < MEMBER_ENDPOINTS; i++)
        assert_int_equal(close(taken[i]), 0);
}

static int setup(void **state)
{
    (void)state;
    member_config_init(&config);
    return 0;
}

static void fails(oc_err_t expected, const char *part)
{
    const oc_err_t err = member_ports_check(&config);
    if (err != expected || !strstr(oc_err_context(), part))
        fail_msg("%s: '%s' does not say '%s'", oc_err_text(err), oc_err_context(), part);
}

static void ports_that_are_free(void **state)
{
    (void)state;
    set_member(0, 0, "127.0.0.1", 0);
    assert_int_equal(member_ports_check(&config), OC_ERR_OK);
    assert_int_equal(member_ports_check(&config), OC_ERR_OK); /* nothing stays bound */
    set_member(0, 2, "[::ffff:127.0.0.1]", 0);
    assert_int_equal(member_ports_check(&config), OC_ERR_OK);
}

static void ports_that_are_taken(void **state)
{
    (void)state;
    char endpoint[64];
    uint16_t port;
    const int fd = take("127.0.0.1", &port);
    (void)snprintf(endpoint, sizeof endpoint, "its log endpoint 127.0.0.1:%u", (unsigned)port);
    set_member(0, 2, "127.0.0.1", port);
    fails(OC_ERR_REFUSED, endpoint);
    assert_int_equal(close(fd), 0);
    assert_int_equal(member_ports_check(&config), OC_ERR_OK);
}

static void groups_are_shared(void **state)
{
    (void)state;
    uint16_t port;
    const int fd = take("224.0.1.9", &port);
    set_member(0, 0, "224.0.1.9", port);
    assert_int_equal(member_ports_check(&config), OC_ERR_OK);
    assert_int_equal(close(fd), 0);
}

static void hosts_that_are_not_here(void **state)
{
    (void)state;
    set_member(0, 0, NOWHERE, 0);
    fails(OC_ERR_INVALID_CONFIG, "the host of its ingress endpoint " NOWHERE ":");
    set_member(0, 4, ELSEWHERE, 0);
    fails(OC_ERR_INVALID_CONFIG, "its archive endpoint " ELSEWHERE ":");
    assert_non_null(strstr(oc_err_context(), "on this machine"));
}

/* Of others nobody expects more than a word. */
static void hosts_of_others(void **state)
{
    (void)state;
    capture_t said;
    set_member(0, 0, "127.0.0.1", 0);
    set_member(1, 2, NOWHERE, 0);
    set_member(2, 0, ELSEWHERE, 0);
    assert_int_equal(member_ports_check(&config), OC_ERR_OK);
    output_capture_begin();
    member_ports_tell_unknown(&config);
    output_capture_end(&said);
    assert_non_null(strstr(said.err, "the host " NOWHERE " of member 1 has no address"));
    assert_null(strstr(said.err, "member 2"));
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ports_that_are_free),     TEST(ports_that_are_taken), TEST(groups_are_shared),
        TEST(hosts_that_are_not_here), TEST(hosts_of_others),
    };
    return cmocka_run_group_tests_name("member_ports", tests, NULL, NULL);
}
