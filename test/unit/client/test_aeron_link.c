/*
 * The link over real Aeron, against a venue's two streams in this process: opening, both ways of
 * traffic, opening anew, and addresses that are none.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/embedded.h"
#include "base/cycle_clock.h"
#include "client/aeron_link.h"
#include "codec/cluster_codec.h"

#include <stdio.h>
#include <string.h>

#define LIMIT_NS UINT64_C(10000000000)

typedef struct fixture {
    embedded_t *venue;
    aeron_subscription_t *ingress;
    aeron_exclusive_publication_t *egress;
    char endpoint[AERON_CLIENT_MAX_LOCAL_ADDRESS_STR_LEN];
    aeron_link_t *aeron_link;
    client_link_t link;
    size_t heard; /* bytes of the last message to the venue */
    size_t received;
    int32_t image;
    uint8_t bytes[20000];
} fixture_t;

static fixture_t f;

static void step(void)
{
    (void)embedded_do_work(f.venue);
    f.link.step(f.link.context);
}

static aeron_subscription_t *subscribe(const char *channel)
{
    aeron_async_add_subscription_t *adding;
    aeron_subscription_t *subscription = NULL;
    assert_int_equal(aeron_async_add_subscription(&adding, embedded_aeron(f.venue), channel,
                                                  CLUSTER_INGRESS_STREAM, NULL, NULL, NULL, NULL),
                     0);
    while (aeron_async_add_subscription_poll(&subscription, adding) == 0)
        (void)embedded_do_work(f.venue);
    assert_non_null(subscription);
    return subscription;
}

static void publish(const char *channel)
{
    aeron_async_add_exclusive_publication_t *adding;
    assert_int_equal(aeron_async_add_exclusive_publication(&adding, embedded_aeron(f.venue),
                                                           channel, CLUSTER_EGRESS_STREAM),
                     0);
    while (aeron_async_add_exclusive_publication_poll(&f.egress, adding) == 0)
        step();
    assert_non_null(f.egress);
}

static int setup(void **state)
{
    (void)state;
    memset(&f, 0, sizeof f);
    embedded_config_t config;
    embedded_config_init(&config);
    assert_int_equal(embedded_create(&f.venue, &config), OC_ERR_OK);
    f.ingress = subscribe("aeron:udp?endpoint=127.0.0.1:0");
    aeron_iovec_t vector = {.iov_base = (uint8_t *)f.endpoint, .iov_len = sizeof f.endpoint};
    while (aeron_subscription_local_sockaddrs(f.ingress, &vector, 1) == 0)
        (void)embedded_do_work(f.venue);
    const aeron_link_config_t link = {0};
    assert_int_equal(aeron_link_create(&f.aeron_link, &link), OC_ERR_OK);
    f.link = aeron_link_table(f.aeron_link);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    aeron_link_destroy(f.aeron_link);
    if (f.egress)
        (void)aeron_exclusive_publication_close(f.egress, NULL, NULL);
    if (f.ingress)
        (void)aeron_subscription_close(f.ingress, NULL, NULL);
    embedded_destroy(f.venue);
    return 0;
}

static oc_err_t open_one(void *context, const char *endpoint)
{
    return f.link.open(context, &endpoint, 1);
}

static void await_state(client_link_state_t wanted)
{
    const uint64_t end = clock_wall_ns() + LIMIT_NS;
    while (f.link.state(f.link.context) != wanted) {
        step();
        if (clock_wall_ns() > end)
            fail_msg("state %d, not %d", (int)f.link.state(f.link.context), (int)wanted);
    }
}

static void on_heard(void *clientd, const uint8_t *buffer, size_t length, aeron_header_t *header)
{
    (void)clientd;
    (void)header;
    f.heard = length;
    assert_memory_equal(buffer, f.bytes, length);
}

static void on_received(void *context, int32_t image, const void *bytes, size_t length)
{
    assert_ptr_equal(context, &f);
    assert_memory_equal(bytes, f.bytes, length);
    f.image = image;
    f.received = length;
}

static void send_and_hear(size_t length)
{
    const uint64_t end = clock_wall_ns() + LIMIT_NS;
    while (f.link.send(f.link.context, f.bytes, length) != LINK_SENT && clock_wall_ns() < end)
        step();
    for (f.heard = 0; f.heard == 0 && clock_wall_ns() < end; step())
        (void)aeron_subscription_poll(f.ingress, on_heard, NULL, 1);
    assert_int_equal(f.heard, length);
}

static void test_traffic(void **state)
{
    (void)state;
    assert_int_equal(f.link.state(f.link.context), LINK_BROKEN);
    assert_int_equal(f.link.send(f.link.context, f.bytes, 10), LINK_UNCONNECTED);
    assert_int_equal(f.link.poll(f.link.context, on_received, &f, 10), 0);
    assert_false(f.link.image_alive(f.link.context, 1));
    assert_int_equal(open_one(f.link.context, f.endpoint), OC_ERR_OK);
    await_state(LINK_UP);
    for (size_t i = 0; i < sizeof f.bytes; i++)
        f.bytes[i] = (uint8_t)(i * 3);
    send_and_hear(10);
    send_and_hear(f.link.message_max(f.link.context));

    /* One that is longer than a datagram comes whole. */
    publish(f.link.response_channel(f.link.context));
    const uint64_t end = clock_wall_ns() + LIMIT_NS;
    while (aeron_exclusive_publication_offer(f.egress, f.bytes, sizeof f.bytes, NULL, NULL) <= 0 &&
           clock_wall_ns() < end)
        step();
    while (f.received == 0 && clock_wall_ns() < end) {
        step();
        (void)f.link.poll(f.link.context, on_received, &f, 10);
    }
    assert_int_equal(f.received, sizeof f.bytes);
    assert_true(f.link.image_alive(f.link.context, f.image));
    assert_false(f.link.image_alive(f.link.context, f.image + 1));

    /* A venue that closes its stream: the image ends. */
    (void)aeron_exclusive_publication_close(f.egress, NULL, NULL);
    f.egress = NULL;
    while (f.link.image_alive(f.link.context, f.image) && clock_wall_ns() < end) {
        step();
        (void)f.link.poll(f.link.context, on_received, &f, 10);
    }
    assert_false(f.link.image_alive(f.link.context, f.image));
}

/* Ingress turns to another venue, egress keeps its address. */
static void test_open_again(void **state)
{
    (void)state;
    char channel[320];
    assert_int_equal(open_one(f.link.context, "127.0.0.1:1"), OC_ERR_OK);
    for (int i = 0; i < 2000; i++) {
        step();
        assert_int_equal(f.link.state(f.link.context), LINK_OPENING);
    }
    assert_int_equal(open_one(f.link.context, f.endpoint), OC_ERR_OK);
    await_state(LINK_UP);
    (void)snprintf(channel, sizeof channel, "%s", f.link.response_channel(f.link.context));
    assert_memory_equal(channel, "aeron:udp?endpoint=127.0.0.1:", 29);
    /* Also while an earlier one is not done yet. */
    assert_int_equal(open_one(f.link.context, "127.0.0.1:1"), OC_ERR_OK);
    assert_int_equal(open_one(f.link.context, f.endpoint), OC_ERR_OK);
    await_state(LINK_UP);
    assert_string_equal(channel, f.link.response_channel(f.link.context));
    send_and_hear(100);
}

/* Of several whoever answers, of those the first; what cannot even be found does no harm. */
static void test_several_endpoints(void **state)
{
    (void)state;
    const char *const dead_first[] = {"127.0.0.1:1", "host.invalid:9010", f.endpoint};
    const char *const twice[] = {f.endpoint, "127.0.0.1:1", f.endpoint};
    const char *const none[] = {"127.0.0.1:1", "127.0.0.1:2"};
    char channel[320];
    assert_int_equal(f.link.open(f.link.context, dead_first, 3), OC_ERR_OK);
    await_state(LINK_UP);
    assert_int_equal(f.link.chosen(f.link.context), 2);
    (void)snprintf(channel, sizeof channel, "%s", f.link.response_channel(f.link.context));
    send_and_hear(100);
    assert_int_equal(f.link.open(f.link.context, twice, 3), OC_ERR_OK);
    assert_int_equal(f.link.send(f.link.context, f.bytes, 10), LINK_UNCONNECTED);
    assert_int_equal(f.link.message_max(f.link.context), 0);
    await_state(LINK_UP);
    assert_true(f.link.chosen(f.link.context) != 1);
    send_and_hear(100);
    assert_int_equal(f.link.open(f.link.context, none, 2), OC_ERR_OK);
    for (int i = 0; i < 2000; i++) {
        step();
        assert_int_equal(f.link.state(f.link.context), LINK_OPENING);
    }
    assert_int_equal(f.link.open(f.link.context, dead_first, 3), OC_ERR_OK);
    await_state(LINK_UP);
    assert_string_equal(channel, f.link.response_channel(f.link.context));
}

/* An ingress that cannot be made breaks the link, and leaves egress where it is. */
static void test_broken_ingress_leaves_egress(void **state)
{
    (void)state;
    char channel[320];
    assert_int_equal(open_one(f.link.context, f.endpoint), OC_ERR_OK);
    await_state(LINK_UP);
    (void)snprintf(channel, sizeof channel, "%s", f.link.response_channel(f.link.context));
    assert_int_equal(open_one(f.link.context, "host.invalid:9010"), OC_ERR_OK);
    await_state(LINK_BROKEN);
    assert_int_equal(open_one(f.link.context, f.endpoint), OC_ERR_OK);
    await_state(LINK_UP);
    assert_string_equal(channel, f.link.response_channel(f.link.context));
}

/* What is longer than a datagram goes out in pieces. */
static void test_long_messages(void **state)
{
    (void)state;
    aeron_fragment_assembler_t *assembler = NULL;
    const uint64_t end = clock_wall_ns() + LIMIT_NS;
    assert_int_equal(aeron_fragment_assembler_create(&assembler, on_heard, NULL), 0);
    assert_int_equal(open_one(f.link.context, f.endpoint), OC_ERR_OK);
    await_state(LINK_UP);
    const size_t length = f.link.message_max(f.link.context) + 1;
    assert_true(length <= sizeof f.bytes);
    for (size_t i = 0; i < length; i++)
        f.bytes[i] = (uint8_t)(i * 5);
    while (f.link.send(f.link.context, f.bytes, length) != LINK_SENT && clock_wall_ns() < end)
        step();
    for (f.heard = 0; f.heard == 0 && clock_wall_ns() < end; step())
        (void)aeron_subscription_poll(f.ingress, aeron_fragment_assembler_handler, assembler, 10);
    assert_int_equal(f.heard, length);
    (void)aeron_fragment_assembler_delete(assembler);
}

static void test_bad_addresses(void **state)
{
    (void)state;
    assert_int_equal(open_one(f.link.context, "nowhere"), OC_ERR_INVALID_ARGUMENT);
    assert_int_equal(open_one(f.link.context, "host.invalid:9010"), OC_ERR_TRANSPORT);
    assert_int_equal(open_one(f.link.context, f.endpoint), OC_ERR_OK);
    await_state(LINK_UP);
}

/* A named egress; one that is not ours breaks the link, not the process. */
static void test_egress(void **state)
{
    (void)state;
    aeron_link_t *other;
    const aeron_link_config_t named = {.egress = "127.0.0.1"};
    assert_int_equal(aeron_link_create(&other, &named), OC_ERR_OK);
    client_link_t own = f.link;
    f.link = aeron_link_table(other);
    assert_int_equal(open_one(other, f.endpoint), OC_ERR_OK);
    await_state(LINK_UP);
    send_and_hear(10);
    aeron_link_destroy(other);
    const aeron_link_config_t foreign = {.egress = "192.0.2.1:5555"};
    assert_int_equal(aeron_link_create(&other, &foreign), OC_ERR_OK);
    f.link = aeron_link_table(other);
    assert_int_equal(open_one(other, f.endpoint), OC_ERR_OK);
    await_state(LINK_BROKEN);
    assert_int_equal(open_one(other, f.endpoint), OC_ERR_OK);
    await_state(LINK_BROKEN);
    aeron_link_destroy(other);
    f.link = own;
    aeron_link_destroy(NULL);
}

/* A driver of somebody else's: here the venue's. */
static void test_external_driver(void **state)
{
    (void)state;
    aeron_link_t *other;
    const aeron_link_config_t missing = {.aeron_dir = "no/such/directory"};
    assert_int_equal(aeron_link_create(&other, &missing), OC_ERR_TRANSPORT);
    assert_null(other);
    char longer[5000];
    memset(longer, 'd', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    const aeron_link_config_t too_long = {.aeron_dir = longer};
    assert_int_equal(aeron_link_create(&other, &too_long), OC_ERR_INVALID_ARGUMENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_traffic),
        TEST(test_open_again),
        TEST(test_several_endpoints),
        TEST(test_broken_ingress_leaves_egress),
        TEST(test_long_messages),
        TEST(test_bad_addresses),
        TEST(test_egress),
        TEST(test_external_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
