/*
 * Random traffic through an exchange. Used by the tests that hold exchanges against each other.
 */
#include "lib/exchange_traffic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codec/order_entry_codec.h"
#include "lib/reference_fixture.h"

static uint64_t below(exchange_traffic_t *t, uint64_t bound)
{
    return fixture_below(&t->seed, bound);
}

/* A request; mostly commands of the kind that the engine's own tests use. */
static oc_request_t random_request(exchange_traffic_t *t)
{
    const uint32_t source = 1 + (uint32_t)below(t, 7);
    char name[8];
    const bool right = source == 1 || below(t, 8);
    snprintf(name, sizeof name, "p%u", right ? source : source + 1);
    if (source == 1)
        snprintf(name, sizeof name, "admin");
    switch (below(t, 40)) {
    case 0:
        return exchange_fixture_logon_request(source, below(t, 3) ? 0 : below(t, 200));
    case 1: {
        oc_request_t request = exchange_fixture_status(below(t, 50), (uint32_t)below(t, 258));
        request.u.order_status.after_client_order_id.value = below(t, 50);
        return request;
    }
    case 2:
        return exchange_fixture_bind(source, name);
    case 3: {
        oc_command_t command = fixture_add_source(source);
        command.type = below(t, 3) ? OC_COMMAND_SOURCE_RETIRE : OC_COMMAND_SOURCE_ADD;
        return exchange_fixture_command(command);
    }
    case 4: {
        oc_command_t command = fixture_command(OC_COMMAND_RESTRICTION, 0, 0);
        command.u.restriction.clear = OC_RESTRICT_ALL;
        return exchange_fixture_command(command);
    }
    default:
        return exchange_fixture_command(fixture_random_command(&t->seed));
    }
}

size_t exchange_traffic_message(exchange_traffic_t *t, uint8_t *bytes, size_t size)
{
    size_t length = 0;
    const uint64_t count = 1 + (below(t, 8) ? below(t, 5) : below(t, 70));
    for (uint64_t i = 0; i < count && length + ORDER_ENTRY_BYTES_MAX < size; i++) {
        const oc_request_t request = random_request(t);
        length += order_entry_encode(&request, bytes + length, size - length);
    }
    if (length && below(t, 20) == 0)
        bytes[below(t, length)] ^= (uint8_t)(1 + below(t, 255));
    if (length && below(t, 20) == 0)
        length -= below(t, length);
    return length;
}

static void send_some(exchange_traffic_t *t, exchange_fixture_t *f, oc_session_id_t session)
{
    uint8_t bytes[8192];
    const size_t length = exchange_traffic_message(t, bytes, sizeof bytes);
    service_host_message(f->host, session, bytes, length);
}

static void open_session(exchange_traffic_t *t, exchange_fixture_t *f, oc_session_id_t *session)
{
    char name[8];
    const uint32_t source = 1 + (uint32_t)below(t, 5);
    snprintf(name, sizeof name, "p%u", source);
    *session = service_host_open(f->host, source == 1 ? "admin" : name);
    const oc_request_t logon = exchange_fixture_logon_request(source, 0);
    exchange_fixture_send(f, *session, &logon, 1);
}

void exchange_traffic_step(exchange_traffic_t *t, exchange_fixture_t *f)
{
    oc_session_id_t *session = &t->sessions[below(t, EXCHANGE_TRAFFIC_SESSIONS)];
    const uint64_t what = below(t, 100);
    if (!service_host_is_open(f->host, *session))
        open_session(t, f, session);
    else if (what < 4)
        service_host_close(f->host, *session, OC_CLOSE_TIMEOUT);
    else if (what < 8)
        service_host_time(f->host);
    else if (what < 9)
        service_host_notice(f->host, (oc_notice_t)(1 + below(t, 3)));
    else if (what < 12)
        service_host_settle(f->host);
    else
        send_some(t, f, *session);
    if (below(t, 3) == 0)
        service_host_advance(f->host, (int64_t)below(t, 1000));
    service_host_drop(f->host, *session);
}

size_t exchange_traffic_opening(uint8_t *bytes, size_t size)
{
    oc_request_t requests[16];
    size_t count = 0;
    requests[count++] = exchange_fixture_logon_request(1, 0);
    for (uint32_t instrument = 1; instrument <= 2; instrument++)
        requests[count++] = exchange_fixture_command(fixture_add_instrument(instrument));
    for (uint32_t source = 2; source <= 6; source++) {
        char name[8];
        snprintf(name, sizeof name, "p%u", source);
        requests[count++] = exchange_fixture_command(fixture_add_source(source));
        requests[count++] = exchange_fixture_bind(source, name);
    }
    return exchange_fixture_encode(requests, count, bytes, size);
}

void exchange_traffic_begin(exchange_traffic_t *t, exchange_fixture_t *f)
{
    uint8_t bytes[2048];
    const size_t length = exchange_traffic_opening(bytes, sizeof bytes);
    t->sessions[0] = exchange_fixture_session(f, "admin");
    service_host_message(f->host, t->sessions[0], bytes, length);
    service_host_drop(f->host, t->sessions[0]);
}

void exchange_tape_record(void *context, oc_source_id_t source, const oc_output_t *output)
{
    exchange_tape_t *tape = context;
    assert_int_equal(source.value, output->event.source.value);
    if (tape->count == tape->capacity) {
        tape->capacity = tape->capacity ? tape->capacity * 2 : 1024;
        tape->outputs = realloc(tape->outputs, tape->capacity * sizeof *tape->outputs);
        assert_non_null(tape->outputs);
    }
    tape->outputs[tape->count++] = *output;
}

void exchange_tape_assert_equal(const exchange_tape_t *a, const exchange_tape_t *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_memory_equal(&a->outputs[i], &b->outputs[i], sizeof *a->outputs);
}

uint64_t exchange_traffic_hash(const exchange_fixture_t *fixture)
{
    const oc_service_t *service = exchange_service(fixture->exchange);
    return service->state_hash(service->context);
}

uint64_t exchange_traffic_output_hash(const exchange_fixture_t *fixture)
{
    const oc_service_t *service = exchange_service(fixture->exchange);
    return service->output_hash(service->context);
}
