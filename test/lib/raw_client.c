/*
 * The hand-written client. Called by tests that run a host.
 */
#define _GNU_SOURCE
#include "lib/raw_client.h"

#include "base/cycle_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static bool expired(uint64_t start_ns, double seconds)
{
    return (double)(clock_wall_ns() - start_ns) > seconds * 1e9;
}

static void step(raw_client_t *self)
{
    if (self->pump)
        self->pump(self->pump_context);
    raw_client_poll(self);
    (void)sched_yield();
}

static void listen(raw_client_t *self)
{
    aeron_async_add_subscription_t *async;
    char address[AERON_CLIENT_MAX_LOCAL_ADDRESS_STR_LEN] = "";
    aeron_iovec_t place = {.iov_base = (uint8_t *)address, .iov_len = sizeof address};
    const uint64_t start_ns = clock_wall_ns();
    assert_int_equal(aeron_async_add_subscription(&async, embedded_aeron(self->embedded),
                                                  "aeron:udp?endpoint=127.0.0.1:0",
                                                  CLUSTER_EGRESS_STREAM, NULL, NULL, NULL, NULL),
                     0);
    while (aeron_async_add_subscription_poll(&self->egress, async) == 0) {
        assert_false(expired(start_ns, 10));
        (void)embedded_do_work(self->embedded);
    }
    assert_non_null(self->egress);
    while (aeron_subscription_local_sockaddrs(self->egress, &place, 1) != 1) {
        assert_false(expired(start_ns, 10));
        (void)embedded_do_work(self->embedded);
    }
    (void)snprintf(self->response_channel, sizeof self->response_channel,
                   "aeron:udp?endpoint=%s|term-length=64k", address);
}

void raw_client_init(raw_client_t *self, void (*pump)(void *context), void *pump_context)
{
    embedded_config_t config;
    *self = (raw_client_t){.pump = pump, .pump_context = pump_context, .session = -1};
    embedded_config_init(&config);
    assert_int_equal(embedded_create(&self->embedded, &config), OC_ERR_OK);
    listen(self);
}

void raw_client_fini(raw_client_t *self)
{
    if (self->ingress)
        (void)aeron_exclusive_publication_close(self->ingress, NULL, NULL);
    (void)aeron_subscription_close(self->egress, NULL, NULL);
    for (int i = 0; i < 10; i++)
        (void)embedded_do_work(self->embedded);
    embedded_destroy(self->embedded);
}

static void copy_text(char text[RAW_TEXT_MAX], const cluster_text_t *from)
{
    (void)snprintf(text, RAW_TEXT_MAX, "%.*s", (int)from->length, from->bytes ? from->bytes : "");
}

static void on_event(raw_client_t *self, const cluster_message_t *message)
{
    if (message->correlation_id != self->correlation && message->session != self->session)
        return;
    if (message->code == CLUSTER_EVENT_OK) {
        self->session = message->session;
        self->term = message->term;
    }
    copy_text(self->detail, &message->text);
    self->events[message->code]++;
}

static void on_fragment(void *context, const uint8_t *bytes, size_t length, aeron_header_t *header)
{
    raw_client_t *self = context;
    cluster_message_t message;
    (void)header;
    if (cluster_decode(bytes, length, &message) != OC_PROBLEM_NONE)
        fail_msg("%zu bytes of egress that are none", length);
    if (message.type == CLUSTER_SESSION_EVENT) {
        on_event(self, &message);
    } else if (message.session != self->session) {
        return; /* of a session that this client had before */
    } else if (message.type == CLUSTER_NEW_LEADER) {
        self->term = message.term;
        copy_text(self->endpoints, &message.text);
        self->new_leaders++;
    } else if (message.type == CLUSTER_SESSION_MESSAGE) {
        assert_int_equal(message.term, self->term);
        assert_int_equal(message.data.length, sizeof(tally_answer_t));
        self->timestamp = message.timestamp;
        if (self->answer_count < RAW_ANSWERS_MAX)
            memcpy(&self->answers[self->answer_count], message.data.bytes, sizeof(tally_answer_t));
        self->answer_count++;
    }
}

void raw_client_poll(raw_client_t *self)
{
    (void)embedded_do_work(self->embedded);
    assert_true(aeron_subscription_poll(self->egress, on_fragment, self, 64) >= 0);
}

bool raw_client_until(raw_client_t *self, const int64_t *counter, int64_t value, double seconds)
{
    const uint64_t start_ns = clock_wall_ns();
    while (*counter < value) {
        if (expired(start_ns, seconds))
            return false;
        step(self);
    }
    return true;
}

bool raw_client_answers(raw_client_t *self, uint32_t count, double seconds)
{
    const uint64_t start_ns = clock_wall_ns();
    while (self->answer_count < count) {
        if (expired(start_ns, seconds))
            return false;
        step(self);
    }
    return true;
}

bool raw_client_attach(raw_client_t *self, const char *address)
{
    char channel[RAW_TEXT_MAX];
    aeron_async_add_exclusive_publication_t *async;
    const uint64_t start_ns = clock_wall_ns();
    if (self->ingress)
        (void)aeron_exclusive_publication_close(self->ingress, NULL, NULL);
    self->ingress = NULL;
    (void)snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s|term-length=64k", address);
    assert_int_equal(aeron_async_add_exclusive_publication(&async, embedded_aeron(self->embedded),
                                                           channel, CLUSTER_INGRESS_STREAM),
                     0);
    while (aeron_async_add_exclusive_publication_poll(&self->ingress, async) == 0) {
        assert_false(expired(start_ns, 10));
        step(self);
    }
    assert_non_null(self->ingress);
    while (!aeron_exclusive_publication_is_connected(self->ingress)) {
        if (expired(start_ns, 10))
            return false;
        step(self);
    }
    return true;
}

bool raw_client_send(raw_client_t *self, const cluster_message_t *message)
{
    static _Alignas(8) uint8_t bytes[2048];
    const uint64_t start_ns = clock_wall_ns();
    const size_t length = cluster_encode(message, bytes, sizeof bytes);
    assert_true(length > 0);
    while (aeron_exclusive_publication_offer(self->ingress, bytes, length, NULL, NULL) < 0) {
        if (expired(start_ns, 10))
            return false;
        step(self);
    }
    return true;
}

bool raw_client_connect(raw_client_t *self, const char *address, const char *name)
{
    if (!raw_client_attach(self, address))
        return false;
    self->correlation++;
    const int64_t opened = self->events[CLUSTER_EVENT_OK];
    const cluster_message_t message = {
        .type = CLUSTER_CONNECT_REQUEST,
        .correlation_id = self->correlation,
        .version = CLUSTER_PROTOCOL_VERSION,
        .response_stream = CLUSTER_EGRESS_STREAM,
        .text = {self->response_channel, (uint32_t)strlen(self->response_channel)},
        .data = {name, (uint32_t)strlen(name)},
    };
    return raw_client_send(self, &message) &&
           raw_client_until(self, &self->events[CLUSTER_EVENT_OK], opened + 1, 10);
}

bool raw_client_request(raw_client_t *self, tally_op_t op, int64_t argument, int64_t delay_ns)
{
    const tally_request_t request = {
        .op = (uint32_t)op, .argument = argument, .delay_ns = delay_ns};
    const cluster_message_t message = {
        .type = CLUSTER_SESSION_MESSAGE,
        .session = self->session,
        .term = self->term,
        .data = {(const char *)&request, sizeof request},
    };
    return raw_client_send(self, &message);
}
