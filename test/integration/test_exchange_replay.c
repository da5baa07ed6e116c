/*
 * Random traffic of several sessions through an exchange; then its log is applied to others: with
 * the reference engine, and with the fast one under another hash key. State hashes and outputs must
 * be the same to the byte, at the end and at points before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "codec/order_entry_codec.h"
#include "lib/exchange_fixture.h"
#include "lib/reference_fixture.h"

#include <stdio.h>
#include <string.h>

enum { SESSIONS = 12, STEPS = 1500, RUNS = 4, POINTS = 5, OUTPUTS_MAX = 200000 };

/* What a tap saw: whole outputs, in order. */
typedef struct tape {
    oc_output_t *outputs;
    size_t count;
} tape_t;

typedef struct traffic {
    exchange_fixture_t f;
    uint64_t seed;
    oc_session_id_t sessions[SESSIONS];
    size_t points[POINTS];   /* entries applied, */
    uint64_t hashes[POINTS]; /* and the state hash then */
    tape_t tape;
} traffic_t;

static void record(void *context, oc_source_id_t source, const oc_output_t *output)
{
    tape_t *tape = context;
    assert_int_equal(source.value, output->event.source.value);
    assert_true(tape->count < OUTPUTS_MAX);
    tape->outputs[tape->count++] = *output;
}

static tape_t make_tape(void)
{
    const tape_t tape = {calloc(OUTPUTS_MAX, sizeof(oc_output_t)), 0};
    assert_non_null(tape.outputs);
    return tape;
}

static uint64_t below(traffic_t *t, uint64_t bound)
{
    return fixture_below(&t->seed, bound);
}

static uint64_t hash_of(const exchange_fixture_t *f)
{
    const oc_service_t *service = exchange_service(f->exchange);
    return service->state_hash(service->context);
}

/* A request; mostly commands of the kind that the engine's own tests use. */
static oc_request_t random_request(traffic_t *t)
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

static void send_some(traffic_t *t, oc_session_id_t session)
{
    uint8_t bytes[8192];
    size_t length = 0;
    const uint64_t count = 1 + (below(t, 8) ? below(t, 5) : below(t, 70));
    for (uint64_t i = 0; i < count && length + ORDER_ENTRY_BYTES_MAX < sizeof bytes; i++) {
        const oc_request_t request = random_request(t);
        length += order_entry_encode(&request, bytes + length, sizeof bytes - length);
    }
    if (length && below(t, 20) == 0)
        bytes[below(t, length)] ^= (uint8_t)(1 + below(t, 255));
    if (length && below(t, 20) == 0)
        length -= below(t, length);
    service_host_message(t->f.host, session, bytes, length);
}

static void open_session(traffic_t *t, oc_session_id_t *session)
{
    char name[8];
    const uint32_t source = 1 + (uint32_t)below(t, 5);
    snprintf(name, sizeof name, "p%u", source);
    *session = service_host_open(t->f.host, source == 1 ? "admin" : name);
    const oc_request_t logon = exchange_fixture_logon_request(source, 0);
    exchange_fixture_send(&t->f, *session, &logon, 1);
}

static void step(traffic_t *t)
{
    oc_session_id_t *session = &t->sessions[below(t, SESSIONS)];
    const uint64_t what = below(t, 100);
    if (!service_host_is_open(t->f.host, *session))
        open_session(t, session);
    else if (what < 4)
        service_host_close(t->f.host, *session, OC_CLOSE_TIMEOUT);
    else if (what < 8)
        service_host_time(t->f.host);
    else if (what < 9)
        service_host_notice(t->f.host, (oc_notice_t)(1 + below(t, 3)));
    else if (what < 12)
        service_host_settle(t->f.host);
    else
        send_some(t, *session);
    if (below(t, 3) == 0)
        service_host_advance(t->f.host, (int64_t)below(t, 1000));
    service_host_drop(t->f.host, *session);
}

/* Instruments, sources and who they belong to, as entries of the log. */
static void begin_trading(traffic_t *t)
{
    t->sessions[0] = exchange_fixture_session(&t->f, "admin");
    exchange_fixture_logon(&t->f, t->sessions[0], 1, 0);
    exchange_fixture_do(&t->f, t->sessions[0], fixture_add_instrument(1));
    exchange_fixture_do(&t->f, t->sessions[0], fixture_add_instrument(2));
    for (uint32_t source = 2; source <= 6; source++) {
        char name[8];
        snprintf(name, sizeof name, "p%u", source);
        const oc_request_t requests[2] = {exchange_fixture_command(fixture_add_source(source)),
                                          exchange_fixture_bind(source, name)};
        exchange_fixture_send(&t->f, t->sessions[0], requests, 2);
    }
}

static exchange_config_t config_of(oc_engine_kind_t kind)
{
    exchange_config_t config = exchange_fixture_config();
    config.engine.kind = kind;
    return config;
}

/* Every kind of output was there (but EXPIRED, which takes luck), and not only rejects. */
static void assert_much_happened(const tape_t *tape)
{
    size_t counts[OC_EVENT_COMPLETED + 1] = {0};
    for (size_t i = 0; i < tape->count; i++)
        counts[tape->outputs[i].event.type]++;
    for (int type = OC_EVENT_ACCEPTED; type <= OC_EVENT_COMPLETED; type++) {
        if (type != OC_EVENT_LEVEL && type != OC_EVENT_INSTRUMENT_STATE && type != OC_EVENT_EXPIRED)
            assert_true(counts[type] > 0);
    }
    assert_true(counts[OC_EVENT_FILL] > 100);
}

/* Applies the log, up to each point and to its end, to a fresh exchange. */
static void compare(const traffic_t *t, const exchange_config_t *config, bool prefixes)
{
    for (size_t i = prefixes ? 0 : POINTS - 1; i < POINTS; i++) {
        exchange_fixture_t other = {.exchange = NULL};
        tape_t tape = make_tape();
        assert_int_equal(exchange_create(&other.exchange, config), OC_ERR_OK);
        exchange_set_tap(other.exchange, record, &tape);
        other.host = service_host_replay(t->f.host, t->points[i], exchange_service(other.exchange));
        assert_true(hash_of(&other) == t->hashes[i]);
        if (i == POINTS - 1)
            assert_int_equal(tape.count, t->tape.count);
        assert_memory_equal(tape.outputs, t->tape.outputs, tape.count * sizeof *tape.outputs);
        exchange_fixture_close(&other);
        free(tape.outputs);
    }
}

static void test_equal_logs_give_equal_exchanges(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < RUNS; run++) {
        traffic_t t = {.seed = 1000 + run, .tape = make_tape()};
        const exchange_config_t config = config_of(OC_ENGINE_FAST);
        exchange_fixture_open(&t.f, &config);
        exchange_set_tap(t.f.exchange, record, &t.tape);
        begin_trading(&t);
        for (size_t i = 0; i < STEPS; i++) {
            step(&t);
            if ((i + 1) % (STEPS / POINTS) == 0) {
                t.points[i * POINTS / STEPS] = service_host_entries(t.f.host);
                t.hashes[i * POINTS / STEPS] = hash_of(&t.f);
            }
        }
        assert_much_happened(&t.tape);
        exchange_config_t other = config_of(OC_ENGINE_REFERENCE);
        compare(&t, &other, run == 0);
        other = config_of(OC_ENGINE_FAST);
        other.engine.hash_key[0] ^= UINT64_C(0x123456789abcdef);
        other.engine.verify_touch = false;
        compare(&t, &other, true);
        exchange_fixture_close(&t.f);
        free(t.tape.outputs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_logs_give_equal_exchanges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
