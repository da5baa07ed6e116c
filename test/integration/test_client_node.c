/*
 * The client library against a real node in another process: clients trade with each other while
 * the node is killed and started again. What each handler saw must be, to the byte and each once,
 * what the reference engine makes of the node's log.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "base/prng.h"
#include "bench/child_process.h"
#include "host/node.h"
#include "lib/temp_dir.h"
#include "outcry/client.h"
#include "service/exchange.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef OUTCRY_PROGRAM
#define OUTCRY_PROGRAM ""
#endif

#define SECOND INT64_C(1000000000)

enum {
    CLIENTS = 2,
    FIRST_SOURCE = 7,
    COMMANDS_MAX = 120000, /* of a client: a fast machine trades no more than a tape has room for */
    OUTPUTS_MAX = 400000,
    WINDOW = 256,
    PORT_TEXT = 64,
};

/* What one source was told. */
typedef struct tape {
    oc_output_t *outputs;
    size_t count;
} tape_t;

typedef struct trader {
    oc_client_t *client;
    tape_t tape;
    uint32_t statuses; /* orders of an ORDER_STATUS answer */
    uint32_t status_ends;
    uint32_t gaps;
} trader_t;

typedef struct fixture {
    temp_dir_t dir;
    char data[300];
    char config[300];
    char ingress[PORT_TEXT];
    child_process_t node;
    trader_t traders[CLIENTS];
    uint64_t seed;
} fixture_t;

static fixture_t f;

static int64_t now_ns(void)
{
    return (int64_t)clock_wall_ns();
}

/* ---- The node -------------------------------------------------------------------------------- */

static void start_node(void)
{
    const char *const argv[] = {OUTCRY_PROGRAM, "node",     "--dir",  f.data, "--ingress",
                                f.ingress,      "--config", f.config, NULL};
    char ready[PORT_TEXT];
    assert_int_equal(child_process_start(&f.node, argv, -1), OC_ERR_OK);
    assert_int_equal(child_process_expect(&f.node, "ready: ", ready, sizeof ready, 60 * SECOND),
                     OC_ERR_OK);
    memcpy(f.ingress, ready, sizeof ready); /* the next one gets the same port */
}

static void kill_node(void)
{
    int status;
    child_process_signal(&f.node, SIGKILL);
    assert_int_equal(child_process_wait(&f.node, &status, 10 * SECOND), OC_ERR_OK);
    child_process_end(&f.node);
}

static void stop_node(void)
{
    int status = -1;
    child_process_signal(&f.node, SIGTERM);
    assert_int_equal(child_process_wait(&f.node, &status, 20 * SECOND), OC_ERR_OK);
    assert_int_equal(status, 0);
    child_process_end(&f.node);
}

/* ---- The clients ----------------------------------------------------------------------------- */

static void on_response(void *context, const oc_response_t *response)
{
    trader_t *trader = context;
    switch (response->type) {
    case OC_RESPONSE_OUTPUT:
        assert_true(trader->tape.count < OUTPUTS_MAX);
        trader->tape.outputs[trader->tape.count++] = response->u.output;
        break;
    case OC_RESPONSE_ORDER_STATUS:
        trader->statuses++;
        break;
    case OC_RESPONSE_ORDER_STATUS_END:
        trader->status_ends++;
        break;
    case OC_RESPONSE_GAP:
        trader->gaps++;
        break;
    default:
        break;
    }
}

static oc_err_t connect_as(trader_t *trader, uint32_t source, const char *principal)
{
    oc_client_config_t config;
    oc_client_config_init(&config);
    config.ingress = f.ingress;
    config.source.value = source;
    config.principal = principal;
    config.unanswered_max = WINDOW;
    config.connect_timeout_ns = 20 * SECOND;
    return oc_client_connect(&trader->client, &config, on_response, trader);
}

/* Polls until nothing is unanswered; fails after `seconds`. */
static void settle(oc_client_t *client, int64_t seconds)
{
    const int64_t end = now_ns() + seconds * SECOND;
    while (oc_client_oldest_unanswered(client) != 0) {
        (void)oc_client_poll(client, 64);
        if (now_ns() > end || oc_client_state(client) == OC_CLIENT_CLOSED)
            fail_msg("unanswered from %" PRIu64 ", state %d: %s",
                     oc_client_oldest_unanswered(client), (int)oc_client_state(client),
                     oc_client_reason(client));
    }
}

static void command(oc_client_t *client, const oc_command_t *what)
{
    assert_int_equal(oc_client_send(client, what, NULL), OC_ERR_OK);
    settle(client, 20);
}

/* An instrument, and a source for each trader. */
static void prepare_venue(void)
{
    trader_t admin = {.tape.outputs = calloc(64, sizeof(oc_output_t))};
    oc_command_t add = {.type = OC_COMMAND_INSTRUMENT_ADD, .instrument = {1}};
    add.u.instrument.price_low_ticks = 1;
    add.u.instrument.price_high_ticks = 1000;
    add.u.instrument.max_quantity_lots = 1000;
    add.u.instrument.state = OC_STATE_CONTINUOUS;
    assert_int_equal(connect_as(&admin, 1, "admin"), OC_ERR_OK);
    command(admin.client, &add);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        oc_command_t source = {.type = OC_COMMAND_SOURCE_ADD};
        source.u.source.id.value = FIRST_SOURCE + i;
        source.u.source.roles = OC_ROLE_TRADE;
        command(admin.client, &source);
        oc_request_t bind = {.type = OC_REQUEST_PRINCIPAL};
        bind.u.principal.source.value = FIRST_SOURCE + i;
        memcpy(bind.u.principal.principal.name, "trader", sizeof "trader");
        assert_int_equal(oc_client_request(admin.client, &bind), OC_ERR_OK);
        /* Sent together with this one, which is answered behind it. */
        oc_command_t lift = {.type = OC_COMMAND_RESTRICTION};
        lift.u.restriction.clear = OC_RESTRICT_ALL;
        command(admin.client, &lift);
    }
    for (size_t i = 0; i < admin.tape.count; i++)
        assert_int_equal(admin.tape.outputs[i].event.type, OC_EVENT_CONFIRMED);
    oc_client_close(admin.client);
    free(admin.tape.outputs);
}

/* New orders around one price, and cancels of some of them. Returns false when it has to wait. */
static bool send_random(trader_t *trader)
{
    oc_client_counts_t counts;
    oc_client_counts(trader->client, &counts);
    oc_command_t *what = counts.sent < COMMANDS_MAX ? oc_client_claim(trader->client) : NULL;
    if (!what)
        return false;
    what->instrument.value = 1;
    if (counts.sent > 10 && prng_below(&f.seed, 4) == 0) {
        what->type = OC_COMMAND_CANCEL;
        what->u.order.client_order_id.value = counts.sent - prng_below(&f.seed, 10);
    } else {
        what->type = OC_COMMAND_NEW;
        what->side = (uint8_t)prng_below(&f.seed, 2);
        what->time_in_force = prng_below(&f.seed, 5) ? OC_TIF_GTC : OC_TIF_IOC;
        what->u.order.client_order_id.value = counts.sent + 1;
        what->u.order.price_ticks = 495 + prng_below(&f.seed, 10);
        what->u.order.quantity_lots = 1 + prng_below(&f.seed, 5);
    }
    assert_true(oc_client_commit(trader->client) != 0);
    return true;
}

static void trade_for(int64_t nanoseconds)
{
    const int64_t end = now_ns() + nanoseconds;
    while (now_ns() < end)
        for (uint32_t i = 0; i < CLIENTS; i++) {
            for (uint32_t n = prng_below(&f.seed, 16); n > 0 && send_random(&f.traders[i]); n--)
                continue;
            (void)oc_client_poll(f.traders[i].client, 64);
            assert_int_not_equal(oc_client_state(f.traders[i].client), OC_CLIENT_CLOSED);
        }
}

/* Answers of each, and what the other's last orders do to it. */
static void settle_all(void)
{
    for (uint32_t i = 0; i < CLIENTS; i++)
        settle(f.traders[i].client, 60);
    for (const int64_t end = now_ns() + SECOND / 4; now_ns() < end;)
        for (uint32_t i = 0; i < CLIENTS; i++)
            (void)oc_client_poll(f.traders[i].client, 64);
}

/* ---- The proof ------------------------------------------------------------------------------- */

static tape_t expected[CLIENTS];

static void on_tap(void *context, oc_source_id_t source, const oc_output_t *output)
{
    (void)context;
    if (source.value < FIRST_SOURCE || source.value >= FIRST_SOURCE + CLIENTS)
        return;
    tape_t *tape = &expected[source.value - FIRST_SOURCE];
    assert_true(tape->count < OUTPUTS_MAX);
    tape->outputs[tape->count++] = *output;
}

/* The log through the reference engine gives what the handlers saw. */
static void assert_proof(void)
{
    uint8_t bytes[4096];
    size_t length = 0;
    exchange_config_t config;
    exchange_t *exchange;
    node_report_t report;
    exchange_config_init(&config);
    assert_int_equal(node_log_configuration(f.data, bytes, sizeof bytes, &length), OC_ERR_OK);
    assert_int_equal(exchange_config_parse(&config, bytes, length), OC_ERR_OK);
    config.engine.kind = OC_ENGINE_REFERENCE;
    assert_int_equal(exchange_create(&exchange, &config), OC_ERR_OK);
    exchange_set_tap(exchange, on_tap, NULL);
    for (uint32_t i = 0; i < CLIENTS; i++)
        expected[i] = (tape_t){calloc(OUTPUTS_MAX, sizeof(oc_output_t)), 0};
    assert_int_equal(node_replay(f.data, exchange_service(exchange), NODE_REPLAY_LOG, &report),
                     OC_ERR_OK);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        oc_client_counts_t counts;
        oc_client_counts(f.traders[i].client, &counts);
        assert_int_equal(counts.answered, counts.sent);
        assert_int_equal(f.traders[i].gaps, 0);
        assert_int_equal(f.traders[i].tape.count, expected[i].count);
        for (size_t n = 0; n < expected[i].count; n++)
            assert_memory_equal(&f.traders[i].tape.outputs[n], &expected[i].outputs[n],
                                sizeof(oc_output_t));
        print_message("source %u: %" PRIu64 " commands, %zu outputs, %" PRIu64 " resent, %" PRIu64
                      " repeats, %" PRIu64 " reconnects\n",
                      FIRST_SOURCE + i, counts.sent, expected[i].count, counts.resent,
                      counts.repeats, counts.reconnects);
        free(expected[i].outputs);
    }
    exchange_destroy(exchange);
}

static int setup(void **state)
{
    (void)state;
    memset(&f, 0, sizeof f);
    if (!OUTCRY_PROGRAM[0])
        return 0;
    temp_dir_make(&f.dir);
    (void)snprintf(f.data, sizeof f.data, "%s/data", f.dir.path);
    (void)snprintf(f.config, sizeof f.config, "%s/config", f.dir.path);
    (void)snprintf(f.ingress, sizeof f.ingress, "127.0.0.1:0");
    f.seed = 11;
    FILE *file = fopen(f.config, "w");
    assert_non_null(file);
    /* The driver's files too: a killed node leaves them. */
    fprintf(file,
            "[node]\naeron_dir = %s/aeron\n"
            "[exchange]\nkept_outputs = 8192\nmax_orders = 65536\nmax_levels = 4096\n",
            f.dir.path);
    assert_int_equal(fclose(file), 0);
    start_node();
    prepare_venue();
    for (uint32_t i = 0; i < CLIENTS; i++) {
        f.traders[i].tape.outputs = calloc(OUTPUTS_MAX, sizeof(oc_output_t));
        assert_non_null(f.traders[i].tape.outputs);
        assert_int_equal(connect_as(&f.traders[i], FIRST_SOURCE + i, "trader"), OC_ERR_OK);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CLIENTS; i++) {
        oc_client_close(f.traders[i].client);
        free(f.traders[i].tape.outputs);
    }
    child_process_end(&f.node);
    if (OUTCRY_PROGRAM[0])
        temp_dir_remove(&f.dir);
    return 0;
}

static void skip_without_program(void)
{
    if (!OUTCRY_PROGRAM[0]) {
        print_message("SKIP: this build has no program\n");
        skip();
    }
}

static void test_trade(void **state)
{
    (void)state;
    skip_without_program();
    trade_for(SECOND);
    settle_all();
    oc_request_t status = {.type = OC_REQUEST_ORDER_STATUS};
    status.u.order_status.limit = OC_ORDER_STATUS_MAX;
    assert_int_equal(oc_client_request(f.traders[0].client, &status), OC_ERR_OK);
    for (const int64_t end = now_ns() + 10 * SECOND;
         f.traders[0].status_ends == 0 && now_ns() < end;)
        (void)oc_client_poll(f.traders[0].client, 64);
    assert_int_equal(f.traders[0].status_ends, 1);
    assert_true(f.traders[0].statuses > 0);
    stop_node();
    assert_proof();
}

/* Killed in the middle of it, started again at once or after a while. */
static void test_killed(void **state)
{
    (void)state;
    skip_without_program();
    for (int kill = 0; kill < 4; kill++) {
        trade_for(SECOND / 10 + (int64_t)prng_below(&f.seed, 400) * 1000000);
        kill_node();
        if (kill % 2)
            trade_for(SECOND * 3 / 2); /* into the void */
        start_node();
    }
    trade_for(SECOND / 2);
    settle_all();
    oc_client_counts_t counts;
    oc_client_counts(f.traders[0].client, &counts);
    /* On a busy machine a kill may come before the client is back from the last one. */
    assert_in_range(counts.reconnects, 2, 40);
    stop_node();
    assert_proof();
}

/* A caller that does not poll for eleven seconds: the driver and the node have given it up. */
static void test_stalled(void **state)
{
    (void)state;
    skip_without_program();
    trade_for(SECOND / 5);
    const struct timespec stall = {.tv_sec = 11};
    (void)nanosleep(&stall, NULL);
    trade_for(SECOND);
    settle_all();
    oc_client_counts_t counts;
    oc_client_counts(f.traders[0].client, &counts);
    assert_true(counts.reconnects > 0);
    stop_node();
    assert_proof();
}

/* A client that goes and comes back names what it has seen, and gets the rest. */
static void test_later_life(void **state)
{
    (void)state;
    skip_without_program();
    trader_t *trader = &f.traders[0];
    trade_for(SECOND / 5);
    settle_all();
    oc_client_counts_t counts;
    oc_client_counts(trader->client, &counts);
    const uint64_t sent = counts.sent;
    oc_client_close(trader->client);
    trader->client = NULL;
    for (int i = 0; i < 50; i++)
        (void)send_random(&f.traders[1]);
    settle(f.traders[1].client, 20);
    oc_client_config_t config;
    oc_client_config_init(&config);
    config.ingress = f.ingress;
    config.source.value = FIRST_SOURCE;
    config.principal = "trader";
    config.outbound_sequence = counts.outbound_sequence;
    assert_int_equal(oc_client_connect(&trader->client, &config, on_response, trader), OC_ERR_OK);
    oc_command_t cancel = {.type = OC_COMMAND_CANCEL, .instrument = {1}};
    uint64_t sequence = 0;
    assert_int_equal(oc_client_send(trader->client, &cancel, &sequence), OC_ERR_OK);
    assert_int_equal(sequence, sent + 1);
    settle_all();
    stop_node();
    assert_proof();
}

/* Two clients of one source: the later one has it, and the other cannot number its commands. */
static void test_source_taken(void **state)
{
    (void)state;
    skip_without_program();
    trader_t other = {.tape.outputs = calloc(OUTPUTS_MAX, sizeof(oc_output_t))};
    assert_int_equal(connect_as(&other, FIRST_SOURCE, "trader"), OC_ERR_OK);
    oc_command_t cancel = {.type = OC_COMMAND_CANCEL, .instrument = {1}};
    command(other.client, &cancel);
    const int64_t end = now_ns() + 20 * SECOND;
    while (oc_client_state(f.traders[0].client) != OC_CLIENT_CLOSED && now_ns() < end)
        (void)oc_client_poll(f.traders[0].client, 64);
    assert_int_equal(oc_client_state(f.traders[0].client), OC_CLIENT_CLOSED);
    assert_non_null(strstr(oc_client_reason(f.traders[0].client), "somebody else"));
    assert_int_equal(oc_client_send(f.traders[0].client, &cancel, NULL), OC_ERR_CLOSED);
    oc_client_close(other.client);
    free(other.tape.outputs);
}

static void test_refused(void **state)
{
    (void)state;
    skip_without_program();
    trader_t other = {0};
    assert_int_equal(connect_as(&other, FIRST_SOURCE, "stranger"), OC_ERR_REFUSED);
    assert_null(other.client);
    assert_non_null(strstr(oc_err_context(), "not_allowed"));
    assert_int_equal(connect_as(&other, 999, "trader"), OC_ERR_REFUSED);
    assert_non_null(strstr(oc_err_context(), "unknown_source"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_trade, setup, teardown),
        cmocka_unit_test_setup_teardown(test_killed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stalled, setup, teardown),
        cmocka_unit_test_setup_teardown(test_later_life, setup, teardown),
        cmocka_unit_test_setup_teardown(test_source_taken, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
