/*
 * The gateway on the transport in memory. A helper that fails ends the test by an assertion.
 */
#include "lib/gateway_fixture.h"

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CYCLE_NS (INT64_C(1000) * 1000)

static fixture_record_t *record(fixture_record_t *records, uint32_t *count, oc_session_id_t session)
{
    OC_ASSERT(*count < FIXTURE_RECORDS);
    fixture_record_t *next = &records[(*count)++];
    next->session = session;
    return next;
}

static void applied(gateway_fixture_t *fixture)
{
    fixture->durable = ++fixture->position;
}

static bool on_open(void *context, oc_session_id_t session, const gateway_open_t *open)
{
    gateway_fixture_t *fixture = context;
    if (fixture->refuse_open)
        return false;
    record(fixture->opens, &fixture->open_count, session)->open = *open;
    if (fixture->apply) {
        applied(fixture);
        OC_ASSERT(gateway_session_opened(fixture->gateway, session, open, fixture->position));
    }
    return true;
}

static bool on_message(void *context, oc_session_id_t session, const void *bytes, size_t length)
{
    gateway_fixture_t *fixture = context;
    if (fixture->refuse_message)
        return false;
    fixture_record_t *next = record(fixture->messages, &fixture->message_count, session);
    next->length = length;
    memcpy(next->text, bytes, length < sizeof next->text - 1 ? length : sizeof next->text - 1);
    if (fixture->apply)
        applied(fixture);
    return true;
}

static bool on_close(void *context, oc_session_id_t session, oc_close_reason_t reason)
{
    gateway_fixture_t *fixture = context;
    if (fixture->refuse_close)
        return false;
    record(fixture->closes, &fixture->close_count, session)->reason = reason;
    if (fixture->apply) {
        applied(fixture);
        gateway_session_closed(fixture->gateway, session, reason, fixture->position);
    }
    return true;
}

static oc_session_id_t reserve_session(void *context)
{
    gateway_fixture_t *fixture = context;
    return (oc_session_id_t){.value = ++fixture->next_session};
}

void gateway_fixture_init(gateway_fixture_t *fixture)
{
    memset(fixture, 0, sizeof *fixture);
    fake_transport_init(&fixture->transport);
    gateway_config_init(&fixture->config);
    fixture->config.max_sessions = 8;
    fixture->config.max_connecting = 4;
    fixture->config.session_backlog_bytes = 16 * 1024;
    fixture->config.backlog_bytes = 64 * 1024;
    fixture->config.message_bytes_max = 8 * 1024;
    fixture->config.session_timeout_ns = INT64_C(4000) * 1000 * 1000;
    fixture->config.connect_timeout_ns = INT64_C(1000) * 1000 * 1000;
    fixture->now_ns = INT64_C(1000) * 1000 * 1000;
    fixture->apply = true;
}

void gateway_fixture_start(gateway_fixture_t *fixture)
{
    const transport_t transport = fake_transport_table(&fixture->transport);
    const gateway_sink_t sink = {
        .context = fixture,
        .open = on_open,
        .message = on_message,
        .close = on_close,
        .reserve_session = reserve_session,
    };
    const oc_err_t err = gateway_create_on(&fixture->gateway, &fixture->config, &transport, &sink);
    OC_ASSERT(err == OC_ERR_OK);
    gateway_set_term(fixture->gateway, FIXTURE_TERM);
}

void gateway_fixture_fini(gateway_fixture_t *fixture)
{
    gateway_destroy(fixture->gateway);
    OC_ASSERT(fake_transport_used(&fixture->transport) == 0);
    fake_transport_fini(&fixture->transport);
}

int gateway_fixture_setup(void **state)
{
    gateway_fixture_t *fixture = malloc(sizeof *fixture);
    OC_ASSERT(fixture != NULL);
    gateway_fixture_init(fixture);
    gateway_fixture_start(fixture);
    *state = fixture;
    return 0;
}

int gateway_fixture_teardown(void **state)
{
    gateway_fixture_fini(*state);
    free(*state);
    return 0;
}

void gateway_fixture_cycles(gateway_fixture_t *fixture, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        fixture->now_ns += CYCLE_NS;
        gateway_do_work(fixture->gateway, fixture->now_ns, fixture->durable, fixture->pause);
    }
}

void gateway_fixture_say(gateway_fixture_t *fixture, uint64_t source,
                         const cluster_message_t *message)
{
    static uint8_t bytes[256 * 1024];
    const size_t length = cluster_encode(message, bytes, sizeof bytes);
    OC_ASSERT(length > 0);
    fake_transport_receive(&fixture->transport, source, FIXTURE_HOST, bytes, length);
}

void gateway_fixture_ask(gateway_fixture_t *fixture, uint64_t source)
{
    char channel[64];
    const int length = snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s:%u", FIXTURE_HOST,
                                20000 + (unsigned)source);
    gateway_fixture_say(fixture, source,
                        &(cluster_message_t){
                            .type = CLUSTER_CONNECT_REQUEST,
                            .correlation_id = (int64_t)source,
                            .version = CLUSTER_PROTOCOL_VERSION,
                            .response_stream = CLUSTER_EGRESS_STREAM,
                            .text = {.bytes = channel, .length = (uint32_t)length},
                            .data = {.bytes = "trader", .length = 6},
                        });
}

oc_session_id_t gateway_fixture_connect(gateway_fixture_t *fixture, uint64_t source)
{
    const uint32_t before = fixture->open_count;
    gateway_fixture_ask(fixture, source);
    gateway_fixture_cycles(fixture, 4);
    OC_ASSERT(fixture->open_count == before + 1);
    return fixture->opens[before].session;
}

void gateway_fixture_message(gateway_fixture_t *fixture, uint64_t source, oc_session_id_t session,
                             const char *text)
{
    gateway_fixture_say(fixture, source,
                        &(cluster_message_t){
                            .type = CLUSTER_SESSION_MESSAGE,
                            .session = (int64_t)session.value,
                            .term = FIXTURE_TERM,
                            .data = {.bytes = text, .length = (uint32_t)strlen(text)},
                        });
}

void gateway_fixture_control(gateway_fixture_t *fixture, uint64_t source, oc_session_id_t session,
                             cluster_type_t type)
{
    gateway_fixture_say(fixture, source,
                        &(cluster_message_t){.type = type,
                                             .session = (int64_t)session.value,
                                             .correlation_id = 77,
                                             .term = FIXTURE_TERM});
}

void gateway_fixture_send(gateway_fixture_t *fixture, oc_session_id_t session, const char *text)
{
    gateway_send(fixture->gateway, session, text, strlen(text), ++fixture->position, 1234);
}

/* Its number; FAKE_PUBLICATIONS when there is none. */
static uint32_t place_of(const gateway_fixture_t *fixture, uint32_t added)
{
    uint32_t at = 0;
    while (at < FAKE_PUBLICATIONS && fixture->transport.publications[at].added != added)
        at++;
    return at;
}

struct transport_publication *gateway_fixture_publication(gateway_fixture_t *fixture,
                                                          uint32_t added)
{
    const uint32_t at = place_of(fixture, added);
    OC_ASSERT(at < FAKE_PUBLICATIONS);
    return &fixture->transport.publications[at];
}

static const struct transport_publication *find(const gateway_fixture_t *fixture, uint32_t added)
{
    const uint32_t at = place_of(fixture, added);
    return at < FAKE_PUBLICATIONS ? &fixture->transport.publications[at] : NULL;
}

uint32_t gateway_fixture_sent_count(const gateway_fixture_t *fixture, uint32_t added)
{
    const struct transport_publication *publication = find(fixture, added);
    return publication == NULL ? 0 : publication->sent_count;
}

cluster_message_t gateway_fixture_sent(const gateway_fixture_t *fixture, uint32_t added,
                                       uint32_t index)
{
    const struct transport_publication *publication = find(fixture, added);
    OC_ASSERT(publication != NULL);
    OC_ASSERT(index < publication->sent_count);
    const fake_message_t *sent = &publication->sent[index];
    cluster_message_t message;
    OC_ASSERT(cluster_decode(sent->bytes, sent->length, &message) == OC_PROBLEM_NONE);
    return message;
}

bool gateway_fixture_is_event(const gateway_fixture_t *fixture, uint32_t added, uint32_t index,
                              cluster_event_code_t code)
{
    if (index >= gateway_fixture_sent_count(fixture, added))
        return false;
    const cluster_message_t message = gateway_fixture_sent(fixture, added, index);
    return message.type == CLUSTER_SESSION_EVENT && message.code == (int32_t)code;
}

bool gateway_fixture_is_text(const gateway_fixture_t *fixture, uint32_t added, uint32_t index,
                             const char *text)
{
    if (index >= gateway_fixture_sent_count(fixture, added))
        return false;
    const cluster_message_t message = gateway_fixture_sent(fixture, added, index);
    return message.type == CLUSTER_SESSION_MESSAGE && message.data.length == strlen(text) &&
           memcmp(message.data.bytes, text, strlen(text)) == 0;
}

const session_t *gateway_fixture_session(const gateway_fixture_t *fixture, oc_session_id_t session)
{
    return session_table_find(&fixture->gateway->table, session);
}
