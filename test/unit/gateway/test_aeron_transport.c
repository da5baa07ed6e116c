/*
 * The transport on Aeron, over UDP on loopback, alone: sources come and go, fragments become
 * messages, long ones are told but not kept, a refused message comes again, all have their turn.
 */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/embedded.h"
#include "codec/cluster_codec.h"
#include "gateway/aeron_transport.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SENDERS = 4, LONGEST = 20000, TOLD_MAX = 64, TIMEOUT_S = 10 };

typedef struct told {
    uint64_t source;
    size_t length;
    uint8_t first;
    bool kept;
} told_t;

typedef struct fixture {
    embedded_t *embedded;
    transport_t transport;
    aeron_exclusive_publication_t *senders[SENDERS];
    told_t told[TOLD_MAX];
    uint32_t count;
    uint32_t refuse; /* so many are not taken */
    uint32_t budget; /* so many are, then none: take_one() */
    char host[TRANSPORT_HOST_MAX];
} fixture_t;

static transport_action_t on_message(void *context, const transport_source_t *source,
                                     const void *bytes, size_t length)
{
    fixture_t *fixture = context;
    if (fixture->refuse > 0) {
        fixture->refuse--;
        return TRANSPORT_AGAIN;
    }
    assert_true(fixture->count < TOLD_MAX);
    const uint8_t *text = bytes;
    for (size_t i = 1; text != NULL && i < length; i++)
        assert_int_equal(text[i], (uint8_t)(text[0] + i * 7));
    fixture->told[fixture->count++] = (told_t){
        .source = source->id,
        .length = length,
        .first = text == NULL ? 0 : text[0],
        .kept = text != NULL,
    };
    snprintf(fixture->host, sizeof fixture->host, "%s", source->host);
    return TRANSPORT_TAKEN;
}

static int64_t seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec;
}

static void step(fixture_t *fixture)
{
    embedded_do_work(fixture->embedded);
    fixture->transport.poll(fixture->transport.context, on_message, fixture, 10);
}

#define STEP_UNTIL(fixture, condition)                                                             \
    do {                                                                                           \
        const int64_t deadline = seconds_now() + TIMEOUT_S;                                        \
        while (!(condition)) {                                                                     \
            step(fixture);                                                                         \
            assert_true(seconds_now() <= deadline);                                                \
        }                                                                                          \
    } while (0)

static void start(fixture_t *fixture, uint32_t sources)
{
    embedded_config_t config;
    embedded_config_init(&config);
    memset(fixture, 0, sizeof *fixture);
    assert_int_equal(embedded_create(&fixture->embedded, &config), OC_ERR_OK);
    const aeron_transport_config_t transport = {.ingress = "127.0.0.1:0",
                                                .publications = 2,
                                                .sources = sources,
                                                .message_bytes_max = LONGEST};
    assert_int_equal(aeron_transport_create(&fixture->transport, &transport, fixture->embedded),
                     OC_ERR_OK);
}

static void stop(fixture_t *fixture)
{
    fixture->transport.destroy(fixture->transport.context);
    embedded_destroy(fixture->embedded);
}

static void add_sender_with(fixture_t *fixture, uint32_t at, const char *parameters)
{
    char channel[256];
    snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s%s",
             fixture->transport.address(fixture->transport.context), parameters);
    aeron_async_add_exclusive_publication_t *async = NULL;
    assert_int_equal(aeron_async_add_exclusive_publication(&async,
                                                           embedded_aeron(fixture->embedded),
                                                           channel, CLUSTER_INGRESS_STREAM),
                     0);
    STEP_UNTIL(fixture,
               aeron_async_add_exclusive_publication_poll(&fixture->senders[at], async) != 0);
    assert_non_null(fixture->senders[at]);
}

static void add_sender(fixture_t *fixture, uint32_t at)
{
    add_sender_with(fixture, at, "");
}

static void say(fixture_t *fixture, uint32_t at, size_t length, uint8_t first)
{
    static uint8_t bytes[100000];
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)(first + i * 7);
    STEP_UNTIL(fixture, aeron_exclusive_publication_offer(fixture->senders[at], bytes, length, NULL,
                                                          NULL) > 0);
}

static void puts_messages_together(void **state)
{
    (void)state;
    static fixture_t fixture;
    start(&fixture, 8);
    add_sender(&fixture, 0);
    static const size_t lengths[] = {1, 8000, 8200, LONGEST, 100, LONGEST + 1, 8160 * 3, 90000, 5};
    enum { COUNT = sizeof lengths / sizeof lengths[0] };
    for (size_t i = 0; i < COUNT; i++)
        say(&fixture, 0, lengths[i], (uint8_t)i);
    STEP_UNTIL(&fixture, fixture.count == COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(fixture.told[i].kept, lengths[i] <= LONGEST);
        if (lengths[i] <= LONGEST)
            assert_int_equal(fixture.told[i].length, lengths[i]);
        assert_int_equal(fixture.told[i].first, fixture.told[i].kept ? i : 0);
    }
    assert_string_equal(fixture.host, "127.0.0.1");
    stop(&fixture);
}

static void repeats_what_was_refused(void **state)
{
    (void)state;
    static fixture_t fixture;
    start(&fixture, 8);
    add_sender(&fixture, 0);
    fixture.refuse = 5;
    say(&fixture, 0, LONGEST, 1);
    say(&fixture, 0, 10, 2);
    STEP_UNTIL(&fixture, fixture.count == 2);
    assert_int_equal(fixture.refuse, 0);
    assert_int_equal(fixture.told[0].length, LONGEST);
    assert_int_equal(fixture.told[1].length, 10);
    stop(&fixture);
}

static void sees_sources_end(void **state)
{
    (void)state;
    static fixture_t fixture;
    start(&fixture, 8);
    add_sender(&fixture, 0);
    say(&fixture, 0, 10, 1);
    STEP_UNTIL(&fixture, fixture.count == 1);
    const uint64_t source = fixture.told[0].source;
    const transport_t *transport = &fixture.transport;
    assert_true(transport->source_alive(transport->context, source));
    assert_false(transport->source_alive(transport->context, source + 1000));
    aeron_exclusive_publication_close(fixture.senders[0], NULL, NULL);
    STEP_UNTIL(&fixture, !transport->source_alive(transport->context, source));
    add_sender(&fixture, 1);
    say(&fixture, 1, 10, 1);
    STEP_UNTIL(&fixture, fixture.count == 2);
    assert_int_not_equal(fixture.told[1].source, source);
    stop(&fixture);
}

/* More senders than there is room for: the others are not disturbed, and room comes back. */
static void bounds_its_sources(void **state)
{
    (void)state;
    static fixture_t fixture;
    start(&fixture, 2);
    for (uint32_t at = 0; at < 2; at++) {
        add_sender(&fixture, at);
        say(&fixture, at, 10, 1);
    }
    STEP_UNTIL(&fixture, fixture.count == 2);
    add_sender(&fixture, 2);
    uint8_t byte = 9;
    for (int i = 0; i < 2000; i++) {
        aeron_exclusive_publication_offer(fixture.senders[2], &byte, 1, NULL, NULL);
        step(&fixture);
    }
    assert_int_equal(fixture.count, 2);
    STEP_UNTIL(&fixture, !aeron_exclusive_publication_is_connected(fixture.senders[2]));
    aeron_exclusive_publication_close(fixture.senders[2], NULL, NULL);
    aeron_exclusive_publication_close(fixture.senders[0], NULL, NULL);
    const transport_t *transport = &fixture.transport;
    STEP_UNTIL(&fixture, !transport->source_alive(transport->context, fixture.told[0].source));
    step(&fixture);
    say(&fixture, 1, 10, 1);
    STEP_UNTIL(&fixture, fixture.count == 3);
    add_sender(&fixture, 3);
    say(&fixture, 3, 10, 1);
    STEP_UNTIL(&fixture, fixture.count == 4);
    stop(&fixture);
}

/* A sender that would have us keep gigabytes for it is not heard. */
static void bounds_the_terms_of_sources(void **state)
{
    (void)state;
    static fixture_t fixture;
    start(&fixture, 8);
    add_sender_with(&fixture, 0, "|term-length=128m");
    add_sender_with(&fixture, 1, "|term-length=64m");
    const int64_t end = seconds_now() + 2;
    while (fixture.count == 0 || seconds_now() < end) {
        const uint8_t byte = 1;
        aeron_exclusive_publication_offer(fixture.senders[0], &byte, 1, NULL, NULL);
        if (fixture.count == 0)
            say(&fixture, 1, 10, 1);
        step(&fixture);
    }
    for (uint32_t i = 0; i < fixture.count; i++)
        assert_int_equal(fixture.told[i].length, 10);
    stop(&fixture);
}

static transport_action_t take_one(void *context, const transport_source_t *source,
                                   const void *bytes, size_t length)
{
    fixture_t *fixture = context;
    if (fixture->budget == 0)
        return TRANSPORT_AGAIN;
    fixture->budget--;
    return on_message(context, source, bytes, length);
}

/* While the sink takes one message per cycle, nobody starves. */
static void takes_turns(void **state)
{
    (void)state;
    enum { EACH = 10, FEW = 6 };
    static fixture_t fixture;
    start(&fixture, 8);
    fixture.refuse = UINT32_MAX;
    for (uint32_t at = 0; at < 3; at++) {
        add_sender(&fixture, at);
        for (int i = 0; i < EACH; i++)
            say(&fixture, at, 8, (uint8_t)at);
    }
    for (int i = 0; i < 1000; i++)
        step(&fixture);
    fixture.refuse = 0;
    uint32_t of[3] = {0};
    for (uint32_t i = 0; i < 3 * EACH; i++) {
        fixture.budget = 1;
        fixture.transport.poll(fixture.transport.context, take_one, &fixture, 10);
        assert_int_equal(fixture.count, i + 1);
        of[fixture.told[i].first]++;
        for (int at = 0; at < 3 && i + 1 == FEW; at++)
            assert_int_equal(of[at], FEW / 3);
    }
    for (int at = 0; at < 3; at++)
        assert_int_equal(of[at], EACH);
    stop(&fixture);
}

static transport_publication_t *add_way(fixture_t *fixture, const char *channel)
{
    return fixture->transport.add(fixture->transport.context, channel, CLUSTER_EGRESS_STREAM);
}

static void knows_the_state_of_a_way_out(void **state)
{
    (void)state;
    static fixture_t fixture;
    start(&fixture, 8);
    const transport_t *transport = &fixture.transport;
    transport_publication_t *way = add_way(&fixture, "aeron:ipc?term-length=65536");
    assert_non_null(way);
    assert_int_equal(transport->state(transport->context, way), TRANSPORT_ADDING);
    assert_int_equal(transport->send(transport->context, way, "x", 1), TRANSPORT_NOT_CONNECTED);
    STEP_UNTIL(&fixture, transport->state(transport->context, way) == TRANSPORT_UNCONNECTED);
    assert_int_equal(transport->send(transport->context, way, "x", 1), TRANSPORT_NOT_CONNECTED);

    aeron_async_add_subscription_t *async = NULL;
    aeron_subscription_t *subscription = NULL;
    assert_int_equal(aeron_async_add_subscription(&async, embedded_aeron(fixture.embedded),
                                                  "aeron:ipc", CLUSTER_EGRESS_STREAM, NULL, NULL,
                                                  NULL, NULL),
                     0);
    STEP_UNTIL(&fixture, aeron_async_add_subscription_poll(&subscription, async) != 0);
    STEP_UNTIL(&fixture, transport->state(transport->context, way) == TRANSPORT_CONNECTED);
    /* Longer than the stream can ever carry. */
    static uint8_t large[100000];
    assert_int_equal(transport->send(transport->context, way, large, sizeof large),
                     TRANSPORT_BROKEN);
    assert_int_equal(transport->state(transport->context, way), TRANSPORT_FAILED);
    transport->close(transport->context, way);
    way = add_way(&fixture, "aeron:ipc?term-length=65536");
    STEP_UNTIL(&fixture, transport->state(transport->context, way) == TRANSPORT_CONNECTED);
    /* Nobody reads: at some time the window is full. */
    uint32_t sent = 0;
    static uint8_t bytes[1000];
    transport_sent_t result = TRANSPORT_SENT;
    while (result == TRANSPORT_SENT && sent++ < 1000)
        result = transport->send(transport->context, way, bytes, sizeof bytes);
    assert_int_equal(result, TRANSPORT_BACK_PRESSURE);
    transport->close(transport->context, way);
    aeron_subscription_close(subscription, NULL, NULL);

    way = add_way(&fixture, "aeron:udp?endpoint=256.0.0.1:1");
    assert_non_null(way);
    STEP_UNTIL(&fixture, transport->state(transport->context, way) == TRANSPORT_FAILED);
    transport->close(transport->context, way);
    /* Two are allowed; one that is still being added can be closed as well. */
    way = add_way(&fixture, "aeron:ipc");
    assert_non_null(add_way(&fixture, "aeron:ipc"));
    assert_null(add_way(&fixture, "aeron:ipc"));
    transport->close(transport->context, way);
    assert_non_null(add_way(&fixture, "aeron:ipc"));
    stop(&fixture);
}

static void refuses_bad_addresses(void **state)
{
    (void)state;
    embedded_config_t config;
    embedded_config_init(&config);
    embedded_t *embedded = NULL;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_OK);
    static const char *const bad[] = {
        "",      "127.0.0.1",  ":9010",    "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:9x",
        "a b:1", "a|mtu=64:1", "host=b:1", "a?b:1",      "127.0.0.1:-1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        transport_t transport;
        const aeron_transport_config_t with = {
            .ingress = bad[i], .publications = 1, .sources = 1, .message_bytes_max = LONGEST};
        assert_int_equal(aeron_transport_create(&transport, &with, embedded),
                         OC_ERR_INVALID_ARGUMENT);
        assert_non_null(strstr(oc_err_context(), bad[i]));
    }
    embedded_destroy(embedded);
}

/* Without ingress: it sends, and polls nothing. */
static void only_sends(void **state)
{
    (void)state;
    fixture_t fixture;
    transport_t outgoing;
    start(&fixture, 1);
    assert_int_equal(aeron_transport_create_outgoing(&outgoing, 2, fixture.embedded), OC_ERR_OK);
    assert_string_equal(outgoing.address(outgoing.context), "");
    assert_int_equal(outgoing.poll(outgoing.context, on_message, &fixture, 10), 0);
    assert_false(outgoing.source_alive(outgoing.context, 1));
    char channel[256];
    snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s",
             fixture.transport.address(fixture.transport.context));
    transport_publication_t *publication =
        outgoing.add(outgoing.context, channel, CLUSTER_INGRESS_STREAM);
    assert_non_null(publication);
    assert_non_null(outgoing.add(outgoing.context, channel, CLUSTER_INGRESS_STREAM));
    assert_null(outgoing.add(outgoing.context, channel, CLUSTER_INGRESS_STREAM)); /* both in use */
    STEP_UNTIL(&fixture, outgoing.state(outgoing.context, publication) == TRANSPORT_CONNECTED);
    assert_int_equal(outgoing.send(outgoing.context, publication, "x", 1), TRANSPORT_SENT);
    STEP_UNTIL(&fixture, fixture.count == 1);
    assert_int_equal(fixture.told[0].first, 'x');
    outgoing.destroy(outgoing.context);
    stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_messages_together),
        cmocka_unit_test(repeats_what_was_refused),
        cmocka_unit_test(sees_sources_end),
        cmocka_unit_test(bounds_its_sources),
        cmocka_unit_test(bounds_the_terms_of_sources),
        cmocka_unit_test(takes_turns),
        cmocka_unit_test(knows_the_state_of_a_way_out),
        cmocka_unit_test(refuses_bad_addresses),
        cmocka_unit_test(only_sends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
