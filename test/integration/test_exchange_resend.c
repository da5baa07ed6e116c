/*
 * Clients that come and go, connections that lose what was sent, and hosts that end and start again
 * from the log: every output of a source reaches its client exactly once, in order, to the byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/exchange_fixture.h"
#include "lib/reference_fixture.h"

#include <stdio.h>
#include <string.h>

enum { CLIENTS = 4, STEPS = 2500, OUTPUTS_MAX = 60000, RUNS = 3 };

/* Outputs of one source in order: as the tap saw them, or as the client took them. */
typedef struct outputs {
    oc_output_t *items;
    size_t count;
} outputs_t;

typedef struct client {
    uint32_t source;
    oc_session_id_t session;
    bool logged_on; /* as far as it knows */
    uint64_t next_id;
    outputs_t taken;
} client_t;

typedef struct world {
    exchange_config_t config;
    exchange_fixture_t f;
    uint64_t seed;
    client_t clients[CLIENTS];
    outputs_t truth[CLIENTS];
    size_t restarts;
    size_t resent; /* outputs that a client had already */
} world_t;

static void add(outputs_t *outputs, const oc_output_t *output)
{
    assert_true(outputs->count < OUTPUTS_MAX);
    outputs->items[outputs->count++] = *output;
}

static void tap(void *context, oc_source_id_t source, const oc_output_t *output)
{
    world_t *w = context;
    if (source.value >= 2 && source.value < 2 + CLIENTS)
        add(&w->truth[source.value - 2], output);
}

/* Takes what has arrived. What the client has seen already it knows by the number. */
static void poll_client(world_t *w, client_t *c)
{
    oc_response_t response;
    while (exchange_fixture_next(&w->f, c->session, &response)) {
        assert_int_not_equal(response.type, OC_RESPONSE_GAP);
        if (response.type == OC_RESPONSE_LOGON) {
            assert_int_equal(response.u.logon.reason, OC_REASON_NONE);
            c->logged_on = true;
        }
        if (response.type != OC_RESPONSE_OUTPUT || !c->logged_on)
            continue; /* before the reply to a logon there may be holes */
        if (response.u.output.outbound_sequence <= c->taken.count) {
            w->resent++;
            continue;
        }
        assert_int_equal(response.u.output.outbound_sequence, c->taken.count + 1);
        add(&c->taken, &response.u.output);
    }
}

static void log_on(world_t *w, client_t *c, bool anew)
{
    char name[8];
    snprintf(name, sizeof name, "p%u", c->source);
    if (anew || !service_host_is_open(w->f.host, c->session))
        c->session = service_host_open(w->f.host, name); /* may take over */
    const oc_request_t logon = exchange_fixture_logon_request(c->source, c->taken.count);
    exchange_fixture_send(&w->f, c->session, &logon, 1);
}

static void trade(world_t *w, client_t *c)
{
    oc_request_t requests[4];
    const size_t count = 1 + fixture_below(&w->seed, 4);
    for (size_t i = 0; i < count; i++) {
        const oc_side_t side = (oc_side_t)fixture_below(&w->seed, 2);
        oc_command_t command =
            fixture_new(0, c->next_id++, side, 1 + (int64_t)fixture_below(&w->seed, 9),
                        8 + (int64_t)fixture_below(&w->seed, 5));
        command.flags = fixture_below(&w->seed, 2) ? OC_FLAG_CANCEL_ON_DISCONNECT : 0;
        if (fixture_below(&w->seed, 4) == 0)
            command = fixture_cancel(0, c->next_id - 1 - fixture_below(&w->seed, c->next_id));
        requests[i] = exchange_fixture_command(command);
    }
    exchange_fixture_send(&w->f, c->session, requests, count);
}

/* The host ends; another starts from the log. What had not been taken never arrives. */
static void restart(world_t *w)
{
    exchange_fixture_t next = {.exchange = NULL};
    for (size_t i = 0; i < CLIENTS; i++) {
        w->truth[i].count = 0; /* the tap sees everything again */
        w->clients[i].logged_on = false;
    }
    w->config.engine.kind = w->restarts++ % 2 ? OC_ENGINE_FAST : OC_ENGINE_REFERENCE;
    assert_int_equal(exchange_create(&next.exchange, &w->config), OC_ERR_OK);
    exchange_set_tap(next.exchange, tap, w);
    next.host = service_host_replay(w->f.host, service_host_entries(w->f.host),
                                    exchange_service(next.exchange));
    exchange_set_tap(w->f.exchange, NULL, NULL);
    exchange_fixture_close(&w->f);
    w->f = next;
}

static void step(world_t *w)
{
    client_t *c = &w->clients[fixture_below(&w->seed, CLIENTS)];
    const uint64_t what = fixture_below(&w->seed, 1000);
    if (what < 2) {
        restart(w);
    } else if (what < 30) {
        service_host_close(w->f.host, c->session, OC_CLOSE_TIMEOUT);
        c->logged_on = false;
    } else if (what < 50) { /* the connection is gone and nobody has noticed */
        service_host_drop(w->f.host, c->session);
        c->logged_on = false;
    } else if (what < 70) {
        log_on(w, c, fixture_below(&w->seed, 2));
    } else if (what < 100) {
        service_host_time(w->f.host);
    } else if (what < 300) {
        poll_client(w, c);
    } else if (c->logged_on) {
        trade(w, c);
    } else {
        log_on(w, c, false);
        poll_client(w, c);
    }
}

static void setup_world(world_t *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->config = exchange_fixture_config();
    w->config.kept_outputs = 8192;
    w->config.engine.verify_touch = false; /* rings of megabytes */
    w->seed = seed;
    for (size_t i = 0; i < CLIENTS; i++) {
        w->clients[i].source = 2 + (uint32_t)i;
        w->clients[i].taken.items = calloc(OUTPUTS_MAX, sizeof(oc_output_t));
        w->truth[i].items = calloc(OUTPUTS_MAX, sizeof(oc_output_t));
        assert_non_null(w->clients[i].taken.items);
        assert_non_null(w->truth[i].items);
    }
    exchange_fixture_market(&w->f, &w->config);
    exchange_set_tap(w->f.exchange, tap, w);
}

static void test_outputs_arrive_exactly_once(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < RUNS; run++) {
        world_t w;
        setup_world(&w, 77 + run);
        for (size_t i = 0; i < STEPS; i++)
            step(&w);
        service_host_settle(w.f.host);
        for (size_t i = 0; i < CLIENTS; i++) {
            client_t *c = &w.clients[i];
            log_on(&w, c, true);
            poll_client(&w, c);
            assert_true(c->taken.count > 100);
            assert_int_equal(c->taken.count, w.truth[i].count);
            assert_memory_equal(c->taken.items, w.truth[i].items,
                                c->taken.count * sizeof *c->taken.items);
        }
        assert_true(w.restarts > 1);
        assert_true(w.resent > 0 || run > 0);
        exchange_fixture_close(&w.f);
        for (size_t i = 0; i < CLIENTS; i++) {
            free(w.clients[i].taken.items);
            free(w.truth[i].items);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs_arrive_exactly_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
