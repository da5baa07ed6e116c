/*
 * Clients of an exchange, as plain calls. Requests and responses go through the real codecs.
 *
 * A message can carry several responses: what is left of the one taken last waits in `rest`, for
 * one session at a time.
 */
#include "lib/exchange_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "codec/events_codec.h"
#include "codec/order_entry_codec.h"
#include "lib/reference_fixture.h"

enum { REST_MAX = 8192, SESSIONS_MAX = 64 };

/* Responses of a message that were not looked at yet. */
typedef struct rest {
    uint64_t session;
    size_t length;
    size_t at;
    uint8_t bytes[REST_MAX];
} rest_t;

static rest_t rests[SESSIONS_MAX];

static rest_t *rest_of(oc_session_id_t session)
{
    for (size_t i = 0; i < SESSIONS_MAX; i++) {
        if (rests[i].session == session.value)
            return &rests[i];
    }
    for (size_t i = 0; i < SESSIONS_MAX; i++) {
        if (rests[i].at == rests[i].length) {
            rests[i].session = session.value;
            return &rests[i];
        }
    }
    fail_msg("too many sessions with responses half read");
    return NULL;
}

exchange_config_t exchange_fixture_config(void)
{
    exchange_config_t config;
    exchange_config_init(&config);
    config.engine = fixture_config();
    config.engine.kind = OC_ENGINE_FAST;
    config.engine.max_sources = 16;
    config.engine.max_sessions = 8;
    config.engine.verify_touch = true;
    config.kept_outputs = EXCHANGE_FIXTURE_KEPT;
    return config;
}

void exchange_fixture_open(exchange_fixture_t *fixture, const exchange_config_t *config)
{
    memset(fixture, 0, sizeof *fixture);
    memset(rests, 0, sizeof rests);
    assert_int_equal(exchange_create(&fixture->exchange, config), OC_ERR_OK);
    fixture->host = service_host_create(exchange_service(fixture->exchange));
}

void exchange_fixture_market(exchange_fixture_t *fixture, const exchange_config_t *config)
{
    exchange_fixture_open(fixture, config);
    fixture->admin = exchange_fixture_session(fixture, "admin");
    assert_int_equal(exchange_fixture_logon(fixture, fixture->admin, 1, 0).u.logon.reason, 0);
    for (uint32_t id = 1; id <= 2; id++)
        exchange_fixture_do(fixture, fixture->admin, fixture_add_instrument(id));
    for (uint32_t source = 2; source <= 5; source++) {
        char principal[8];
        oc_command_t add = fixture_add_source(source);
        add.u.source.roles = OC_ROLES_ALL & ~OC_ROLE_ADMIN;
        snprintf(principal, sizeof principal, "p%u", source);
        const oc_request_t requests[2] = {exchange_fixture_command(add),
                                          exchange_fixture_bind(source, principal)};
        exchange_fixture_send(fixture, fixture->admin, requests, 2);
    }
    exchange_fixture_skip(fixture, fixture->admin);
}

void exchange_fixture_audit(exchange_t *exchange)
{
    char why[256];
    if (!exchange_audit(exchange, why, sizeof why))
        fail_msg("the exchange's audit: %s", why);
}

void exchange_fixture_close(exchange_fixture_t *fixture)
{
    exchange_fixture_audit(fixture->exchange);
    service_host_destroy(fixture->host);
    exchange_destroy(fixture->exchange);
}

oc_session_id_t exchange_fixture_session(exchange_fixture_t *fixture, const char *principal)
{
    return service_host_open(fixture->host, principal);
}

size_t exchange_fixture_encode(const oc_request_t *requests, size_t count, uint8_t *bytes,
                               size_t capacity)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t size = order_entry_encode(&requests[i], bytes + length, capacity - length);
        assert_true(size > 0);
        length += size;
    }
    return length;
}

void exchange_fixture_send(exchange_fixture_t *fixture, oc_session_id_t session,
                           const oc_request_t *requests, size_t count)
{
    static uint8_t bytes[65536];
    const size_t length = exchange_fixture_encode(requests, count, bytes, sizeof bytes);
    service_host_message(fixture->host, session, bytes, length);
}

bool exchange_fixture_next(exchange_fixture_t *fixture, oc_session_id_t session,
                           oc_response_t *response)
{
    rest_t *rest = rest_of(session);
    if (rest->at == rest->length) {
        const uint8_t *bytes = service_host_take(fixture->host, session, &rest->length);
        rest->at = 0;
        if (!bytes) {
            rest->length = 0;
            return false;
        }
        assert_true(rest->length <= REST_MAX);
        memcpy(rest->bytes, bytes, rest->length);
    }
    size_t size = 0;
    uint16_t template_id = 0;
    memset(response, 0, sizeof *response);
    assert_int_equal(events_decode(rest->bytes + rest->at, rest->length - rest->at, response, &size,
                                   &template_id),
                     OC_PROBLEM_NONE);
    rest->at += size;
    return true;
}

oc_response_t exchange_fixture_expect(exchange_fixture_t *fixture, oc_session_id_t session,
                                      oc_response_type_t type)
{
    oc_response_t response;
    memset(&response, 0, sizeof response);
    assert_true(exchange_fixture_next(fixture, session, &response));
    assert_int_equal(response.type, type);
    return response;
}

oc_output_t exchange_fixture_output(exchange_fixture_t *fixture, oc_session_id_t session,
                                    oc_event_type_t type)
{
    const oc_response_t response = exchange_fixture_expect(fixture, session, OC_RESPONSE_OUTPUT);
    assert_string_equal(oc_event_type_name((oc_event_type_t)response.u.output.event.type),
                        oc_event_type_name(type));
    return response.u.output;
}

void exchange_fixture_silent(exchange_fixture_t *fixture, oc_session_id_t session)
{
    oc_response_t response;
    assert_false(exchange_fixture_next(fixture, session, &response));
}

void exchange_fixture_skip(exchange_fixture_t *fixture, oc_session_id_t session)
{
    oc_response_t response;
    while (exchange_fixture_next(fixture, session, &response))
        continue;
}

oc_response_t exchange_fixture_logon(exchange_fixture_t *fixture, oc_session_id_t session,
                                     uint32_t source, uint64_t seen)
{
    const oc_request_t request = exchange_fixture_logon_request(source, seen);
    exchange_fixture_send(fixture, session, &request, 1);
    return exchange_fixture_expect(fixture, session, OC_RESPONSE_LOGON);
}

oc_session_id_t exchange_fixture_trader(exchange_fixture_t *fixture, uint32_t source)
{
    char principal[16];
    snprintf(principal, sizeof principal, "p%u", source);
    const oc_session_id_t session = exchange_fixture_session(fixture, principal);
    assert_int_equal(exchange_fixture_logon(fixture, session, source, 0).u.logon.reason, 0);
    exchange_fixture_skip(fixture, session);
    return session;
}

oc_request_t exchange_fixture_command(oc_command_t command)
{
    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    request.u.command = command;
    return request;
}

oc_request_t exchange_fixture_logon_request(uint32_t source, uint64_t seen)
{
    oc_request_t request = {.type = OC_REQUEST_LOGON, .request_id = 1000 + source};
    request.u.logon.source.value = source;
    request.u.logon.outbound_sequence = seen;
    return request;
}

oc_request_t exchange_fixture_bind(uint32_t source, const char *principal)
{
    oc_request_t request = {.type = OC_REQUEST_PRINCIPAL, .request_id = 2000 + source};
    request.u.principal.source.value = source;
    memcpy(request.u.principal.principal.name, principal, strlen(principal));
    return request;
}

oc_request_t exchange_fixture_status(uint64_t after, uint32_t limit)
{
    oc_request_t request = {.type = OC_REQUEST_ORDER_STATUS, .request_id = 3000};
    request.u.order_status.after.value = after;
    request.u.order_status.limit = limit;
    return request;
}

oc_request_t exchange_fixture_new(uint64_t id, oc_side_t side, int64_t lots, int64_t price)
{
    return exchange_fixture_command(fixture_new(0, id, side, lots, price));
}

void exchange_fixture_do(exchange_fixture_t *fixture, oc_session_id_t session, oc_command_t command)
{
    const oc_request_t request = exchange_fixture_command(command);
    exchange_fixture_send(fixture, session, &request, 1);
}
