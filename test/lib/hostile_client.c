/*
 * The client without manners. Called by tests of a node that must survive it.
 *
 * Its publications have terms of a megabyte, so that it can send messages of 64 KiB and more.
 */
#define _GNU_SOURCE
#include "lib/hostile_client.h"

#include "base/cycle_clock.h"
#include "codec/events_codec.h"
#include "codec/order_entry_codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_MAX = 65536 + 64, HOSTILE_INSTRUMENT = 2, PATIENCE_S = 10 };

static bool expired(uint64_t start_ns, double seconds)
{
    return (double)(clock_wall_ns() - start_ns) > seconds * 1e9;
}

static void listen(hostile_client_t *self)
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
        assert_false(expired(start_ns, PATIENCE_S));
        (void)embedded_do_work(self->embedded);
    }
    assert_non_null(self->egress);
    while (aeron_subscription_local_sockaddrs(self->egress, &place, 1) != 1) {
        assert_false(expired(start_ns, PATIENCE_S));
        (void)embedded_do_work(self->embedded);
    }
    (void)snprintf(self->response_channel, sizeof self->response_channel,
                   "aeron:udp?endpoint=%s|term-length=64k", address);
}

void hostile_client_init(hostile_client_t *self, bool driver_thread)
{
    embedded_config_t config;
    memset(self, 0, sizeof *self);
    self->session = -1;
    embedded_config_init(&config);
    config.threading = driver_thread ? EMBEDDED_SHARED : EMBEDDED_INVOKER;
    assert_int_equal(embedded_create(&self->embedded, &config), OC_ERR_OK);
    listen(self);
}

void hostile_client_fini(hostile_client_t *self)
{
    if (self->ingress)
        (void)aeron_exclusive_publication_close(self->ingress, NULL, NULL);
    (void)aeron_subscription_close(self->egress, NULL, NULL);
    for (int i = 0; i < 10; i++)
        (void)embedded_do_work(self->embedded);
    embedded_destroy(self->embedded);
    self->embedded = NULL;
}

static void on_event(hostile_client_t *self, const cluster_message_t *message)
{
    if (message->code < 0 || message->code > CLUSTER_EVENT_CLOSED)
        return;
    if (message->code == CLUSTER_EVENT_OK) {
        self->session = message->session;
        self->term = message->term;
    }
    (void)snprintf(self->detail, sizeof self->detail, "%.*s", (int)message->text.length,
                   message->text.bytes ? message->text.bytes : "");
    self->events[message->code]++;
}

static void on_output(hostile_client_t *self, const oc_event_t *event)
{
    self->outputs++;
    self->accepted += event->type == OC_EVENT_ACCEPTED;
    self->cancelled += event->type == OC_EVENT_CANCELLED;
    if (event->type == OC_EVENT_REJECTED && event->reason < OC_REASON_COUNT)
        self->reasons[event->reason]++;
}

static void on_response(hostile_client_t *self, const oc_response_t *response)
{
    switch (response->type) {
    case OC_RESPONSE_OUTPUT:
        on_output(self, &response->u.output.event);
        break;
    case OC_RESPONSE_LOGON:
        self->logon = *response;
        self->logons++;
        break;
    case OC_RESPONSE_ORDER_STATUS:
        self->statuses++;
        break;
    case OC_RESPONSE_ORDER_STATUS_END:
        self->status_ends++;
        break;
    case OC_RESPONSE_MESSAGE_REJECTED:
        assert_true(response->u.message_rejected.problem < OC_PROBLEM_COUNT);
        self->problems[response->u.message_rejected.problem]++;
        self->problem_count++;
        break;
    default:
        break;
    }
}

static void on_payload(hostile_client_t *self, const cluster_text_t *data)
{
    oc_response_t response;
    uint16_t template_id;
    size_t consumed = 0;
    for (size_t at = 0; at < data->length; at += consumed) {
        if (events_decode(data->bytes + at, data->length - at, &response, &consumed,
                          &template_id) == OC_PROBLEM_NONE)
            on_response(self, &response);
        else
            self->unreadable++;
    }
}

static void on_fragment(void *context, const uint8_t *bytes, size_t length, aeron_header_t *header)
{
    hostile_client_t *self = context;
    cluster_message_t message;
    (void)header;
    if (cluster_decode(bytes, length, &message) != OC_PROBLEM_NONE) {
        self->unreadable++;
    } else if (message.type == CLUSTER_SESSION_EVENT) {
        on_event(self, &message);
    } else if (message.type == CLUSTER_CHALLENGE) {
        self->challenged_session = message.session;
        self->challenge_length = message.data.length;
        assert_true(message.data.length <= HOSTILE_CHALLENGE_MAX);
        memcpy(self->challenge, message.data.bytes, message.data.length);
        self->challenges++;
    } else if (message.type == CLUSTER_SESSION_MESSAGE && message.session == self->session) {
        on_payload(self, &message.data);
    }
}

void hostile_client_poll(hostile_client_t *self)
{
    (void)embedded_do_work(self->embedded);
    if (!self->deaf)
        assert_true(aeron_subscription_poll(self->egress, on_fragment, self, 64) >= 0);
    (void)sched_yield();
}

bool hostile_client_until(hostile_client_t *self, const uint64_t *counter, uint64_t value,
                          double seconds)
{
    const uint64_t start_ns = clock_wall_ns();
    while (*counter < value) {
        if (expired(start_ns, seconds))
            return false;
        hostile_client_poll(self);
    }
    return true;
}

void hostile_client_idle(hostile_client_t *self, double seconds)
{
    const uint64_t start_ns = clock_wall_ns();
    while (!expired(start_ns, seconds))
        hostile_client_poll(self);
}

void hostile_client_attach(hostile_client_t *self, const char *address)
{
    char channel[HOSTILE_TEXT_MAX];
    aeron_async_add_exclusive_publication_t *async;
    const uint64_t start_ns = clock_wall_ns();
    if (self->ingress)
        (void)aeron_exclusive_publication_close(self->ingress, NULL, NULL);
    self->ingress = NULL;
    (void)snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s|term-length=1m", address);
    assert_int_equal(aeron_async_add_exclusive_publication(&async, embedded_aeron(self->embedded),
                                                           channel, CLUSTER_INGRESS_STREAM),
                     0);
    while (aeron_async_add_exclusive_publication_poll(&self->ingress, async) == 0) {
        assert_false(expired(start_ns, PATIENCE_S));
        hostile_client_poll(self);
    }
    assert_non_null(self->ingress);
    while (!aeron_exclusive_publication_is_connected(self->ingress)) {
        assert_false(expired(start_ns, PATIENCE_S));
        hostile_client_poll(self);
    }
}

bool hostile_client_offer(hostile_client_t *self, const void *bytes, size_t length)
{
    const uint64_t start_ns = clock_wall_ns();
    for (;;) {
        const int64_t result =
            aeron_exclusive_publication_offer(self->ingress, bytes, length, NULL, NULL);
        if (result >= 0)
            return true;
        if (result == AERON_PUBLICATION_ERROR || expired(start_ns, PATIENCE_S))
            return false;
        hostile_client_poll(self);
    }
}

bool hostile_client_send(hostile_client_t *self, const cluster_message_t *message)
{
    static _Alignas(8) uint8_t bytes[MESSAGE_MAX];
    const size_t length = cluster_encode(message, bytes, sizeof bytes);
    assert_true(length > 0);
    return hostile_client_offer(self, bytes, length);
}

bool hostile_client_ask(hostile_client_t *self, const char *channel, int32_t stream,
                        const char *name)
{
    const cluster_message_t message = {
        .type = CLUSTER_CONNECT_REQUEST,
        .correlation_id = ++self->correlation,
        .version = CLUSTER_PROTOCOL_VERSION,
        .response_stream = stream,
        .text = {channel, (uint32_t)strlen(channel)},
        .data = {name, (uint32_t)strlen(name)},
    };
    return hostile_client_send(self, &message);
}

void hostile_client_connect(hostile_client_t *self, const char *address, const char *name)
{
    const uint64_t opened = self->events[CLUSTER_EVENT_OK];
    hostile_client_attach(self, address);
    for (int i = 0; i < PATIENCE_S; i++) {
        self->correlation -= i > 0; /* the same request again */
        assert_true(hostile_client_ask(self, self->response_channel, CLUSTER_EGRESS_STREAM, name));
        if (hostile_client_until(self, &self->events[CLUSTER_EVENT_OK], opened + 1, 1))
            return;
    }
    fail_msg("no session: %s", self->detail);
}

bool hostile_client_payload(hostile_client_t *self, const void *bytes, size_t length)
{
    const cluster_message_t message = {
        .type = CLUSTER_SESSION_MESSAGE,
        .session = self->session,
        .term = self->term,
        .data = {bytes, (uint32_t)length},
    };
    return hostile_client_send(self, &message);
}

bool hostile_client_request(hostile_client_t *self, const oc_request_t *request)
{
    uint8_t bytes[ORDER_ENTRY_BYTES_MAX];
    const size_t length = order_entry_encode(request, bytes, sizeof bytes);
    assert_true(length > 0);
    return hostile_client_payload(self, bytes, length);
}

void hostile_client_logon(hostile_client_t *self, uint32_t source)
{
    const uint64_t before = self->logons;
    const oc_request_t request = {
        .type = OC_REQUEST_LOGON, .request_id = before + 1, .u.logon.source.value = source};
    assert_true(hostile_client_request(self, &request));
    assert_true(hostile_client_until(self, &self->logons, before + 1, PATIENCE_S));
    assert_int_equal(self->logon.u.logon.reason, OC_REASON_NONE);
}

bool hostile_client_order(hostile_client_t *self, uint64_t sequence, uint64_t id, int64_t price)
{
    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    oc_command_t *order = &request.u.command;
    order->type = OC_COMMAND_NEW;
    order->instrument.value = HOSTILE_INSTRUMENT;
    order->sequence = sequence;
    order->u.order.client_order_id.value = id;
    order->u.order.price_ticks = price;
    order->u.order.quantity_lots = 1;
    return hostile_client_request(self, &request);
}

uint64_t hostile_client_live(hostile_client_t *self)
{
    const uint64_t before = self->statuses;
    const uint64_t ends = self->status_ends;
    oc_request_t request = {.type = OC_REQUEST_ORDER_STATUS, .request_id = ends + 1};
    request.u.order_status.limit = OC_ORDER_STATUS_MAX;
    assert_true(hostile_client_request(self, &request));
    assert_true(hostile_client_until(self, &self->status_ends, ends + 1, PATIENCE_S));
    return self->statuses - before;
}
