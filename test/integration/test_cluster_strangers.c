/*
 * Somebody who has no secret and reaches an ingress port, on a real cluster: what he says in a
 * member's session does nothing, now and at the next start, and members go on to compare their
 * states. The members run this program.
 */
#define _GNU_SOURCE
#include "base/cycle_clock.h"
#include "cli/node_setup.h"
#include "cluster/member_run.h"
#include "codec/member_codec.h"
#include "lib/cluster_rig.h"
#include "lib/hostile_client.h"
#include "lib/own_cluster.h"
#include "lib/temp_file.h"
#include "outcry/client.h"
#include "outcry/service.h"
#include "service/exchange.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SECOND_NS INT64_C(1000000000)

enum {
    SKIPPED = 77,
    MEMBERS = 2,
    WAIT_S = 60,
    ADMIN = 1, /* a source */
    INSTRUMENT = 7,
};

static const char secret[] = "an administrator's secret";

static own_cluster_t cluster;
static temp_file_t secrets;
static hostile_client_t hostile;

/* ---- The members ---- */

static int member(const char *dir)
{
    char file[512];
    member_config_t config;
    exchange_config_t exchange_config;
    exchange_t *exchange = NULL;
    own_cluster_log(dir);
    (void)snprintf(file, sizeof file, "%s/outcry.conf", dir);
    oc_err_t err =
        member_setup(&(member_setup_t){.config_file = file, .dir = dir}, &config, &exchange_config);
    if (err == OC_ERR_OK)
        err = exchange_create(&exchange, &exchange_config);
    if (err == OC_ERR_OK)
        err = member_run(exchange_service(exchange), &config);
    exchange_destroy(exchange);
    if (err != OC_ERR_OK)
        (void)fprintf(stderr, "member: %s: %s\n", oc_err_text(err), oc_err_context());
    return err != OC_ERR_OK;
}

/* ---- Who trades ---- */

static struct trader {
    oc_client_t *client;
    uint64_t orders;
    uint64_t accepted;
} trader;

static void on_response(void *context, const oc_response_t *response)
{
    (void)context;
    if (response->type != OC_RESPONSE_OUTPUT)
        return;
    assert_int_not_equal(response->u.output.event.type, OC_EVENT_REJECTED);
    trader.accepted += response->u.output.event.type == OC_EVENT_ACCEPTED;
}

static void move(void *context)
{
    (void)context;
    hostile_client_poll(&hostile);
    if (trader.client == NULL)
        return;
    (void)oc_client_poll(trader.client, 64);
    if (oc_client_state(trader.client) == OC_CLIENT_CLOSED)
        own_cluster_fail(&cluster, "the client: %s", oc_client_reason(trader.client));
}

static void wait_until_answered(void)
{
    const uint64_t start_ns = clock_wall_ns();
    while (oc_client_oldest_unanswered(trader.client) != 0) {
        own_cluster_step(&cluster);
        if (clock_wall_ns() - start_ns > WAIT_S * (uint64_t)SECOND_NS)
            own_cluster_fail(&cluster, "no answers");
    }
}

/* One order, which must be taken on. */
static void trade(void)
{
    const uint64_t accepted = trader.accepted;
    const oc_command_t order = {
        .type = OC_COMMAND_NEW,
        .side = OC_SIDE_SELL,
        .time_in_force = OC_TIF_GTC,
        .instrument = {INSTRUMENT},
        .u.order = {.client_order_id = {++trader.orders}, .price_ticks = 100, .quantity_lots = 5},
    };
    assert_int_equal(oc_client_send(trader.client, &order, NULL), OC_ERR_OK);
    assert_int_equal(oc_client_flush(trader.client), OC_ERR_OK);
    wait_until_answered();
    assert_int_equal(trader.accepted, accepted + 1);
}

static void start_trader(void)
{
    oc_client_config_t config;
    const oc_command_t add = {
        .type = OC_COMMAND_INSTRUMENT_ADD,
        .instrument = {INSTRUMENT},
        .u.instrument = {.price_low_ticks = 1,
                         .price_high_ticks = 1000,
                         .max_quantity_lots = 1000,
                         .state = OC_STATE_CONTINUOUS},
    };
    oc_client_config_init(&config);
    config.ingress = local_cluster_folder(cluster.cluster)->ingress;
    config.principal = "admin";
    config.secret = secret;
    config.secret_length = strlen(secret);
    config.source.value = ADMIN;
    config.connect_timeout_ns = WAIT_S * SECOND_NS;
    if (oc_client_connect(&trader.client, &config, on_response, NULL) != OC_ERR_OK)
        own_cluster_fail(&cluster, "the client: %s", oc_err_context());
    assert_int_equal(oc_client_send(trader.client, &add, NULL), OC_ERR_OK);
    wait_until_answered();
}

/* Until all members have found that they agree on what came later than now. */
static void trade_until_agreed(void)
{
    member_state_t state = {.position = 0};
    const uint64_t start_ns = clock_wall_ns();
    assert_int_equal(member_state_ask(own_cluster_path(&cluster, 0, NULL), &state, SECOND_NS),
                     OC_ERR_OK);
    const uint64_t position = state.position;
    for (uint32_t i = 0; i < MEMBERS; i++)
        for (state.agreed_position = 0; state.agreed_position <= position;) {
            trade();
            if (member_state_ask(own_cluster_path(&cluster, i, NULL), &state, SECOND_NS) !=
                OC_ERR_OK)
                state.agreed_position = 0;
            if (clock_wall_ns() - start_ns > WAIT_S * (uint64_t)SECOND_NS)
                own_cluster_fail(&cluster, "member %u does not agree", i);
        }
}

/* ---- Who does not ---- */

static int64_t leadership(void)
{
    member_state_t state = {.term = -1};
    assert_int_equal(member_state_ask(own_cluster_path(&cluster, 0, NULL), &state, SECOND_NS),
                     OC_ERR_OK);
    return state.term;
}

/* The session of a principal whose name begins so: anybody can guess it, for they are counted. */
static int64_t session_of(const char *name)
{
    char dir[512];
    const uint64_t start_ns = clock_wall_ns();
    (void)snprintf(dir, sizeof dir, "%s", own_cluster_path(&cluster, 0, NULL));
    for (;;) {
        long long session = 0;
        assert_int_equal(
            own_cluster_tool(&cluster, (const char *const[]){"cluster", "log", "--dir", dir, NULL}),
            0);
        for (const char *at = cluster.output; (at = strstr(at, " open ")) != NULL; at++) {
            char principal[64] = "";
            if (sscanf(at, " open %lld %*d principal %63s", &session, principal) == 2 &&
                strstr(principal, name) != NULL)
                return session;
        }
        if (clock_wall_ns() - start_ns > WAIT_S * (uint64_t)SECOND_NS)
            own_cluster_fail(&cluster, "no session of %s", name);
    }
}

/* As it is, and with a seal under no key. */
static void say(const member_message_t *message)
{
    static const member_signature_t no_seal;
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
    const size_t length = member_message_encode(message, bytes);
    member_message_encode_seal(&no_seal, bytes + length);
    assert_true(hostile_client_payload(&hostile, bytes, length));
    assert_true(hostile_client_payload(&hostile, bytes, length + MEMBER_SEAL_BYTES));
}

static void wait_said(uint32_t at, const char *text)
{
    const uint64_t start_ns = clock_wall_ns();
    while (!own_cluster_said(&cluster, at, text)) {
        own_cluster_step(&cluster);
        if (clock_wall_ns() - start_ns > WAIT_S * (uint64_t)SECOND_NS)
            own_cluster_fail(&cluster, "member %u does not say '%s'", at, text);
    }
}

static void test_a_stranger_does_no_harm(void **state)
{
    (void)state;
    const member_message_t notice = {
        .type = MEMBER_NOTICE, .position = MEMBER_POSITION_NONE, .notice = OC_NOTICE_STORAGE_LOW};
    const member_message_t configuration = {
        .type = MEMBER_CONFIGURATION, .length = 5, .bytes = "other"};
    trade_until_agreed();
    hostile_client_attach(&hostile, own_cluster_ingress(&cluster, own_cluster_leader(&cluster)));
    hostile.session = session_of("@member.");
    hostile.term = leadership();
    say(&notice);
    say(&configuration);
    for (uint32_t i = 0; i < MEMBERS; i++)
        wait_said(i, "somebody who is no member");
    trade_until_agreed();
}

static void test_nor_at_the_next_start(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MEMBERS; i++)
        own_cluster_kill(&cluster, i);
    own_cluster_start(&cluster);
    trade_until_agreed();
    (void)own_cluster_settle(&cluster);
}

static int begin(void **state)
{
    (void)state;
    char lines[512];
    static const char text[] = "@member = what only the members know\n"
                               "admin = an administrator's secret\n";
    temp_file_make(&secrets);
    temp_file_write(&secrets, text, sizeof text - 1);
    (void)snprintf(lines, sizeof lines,
                   "[session]\nauthentication = secrets\nsecrets_file = %s\n"
                   "[exchange]\nmax_orders = 4096\nmax_levels = 2048\nmax_sources = 16\n"
                   "kept_outputs = 1024\n",
                   secrets.path);
    own_cluster_make(&cluster, MEMBERS, lines);
    hostile_client_init(&hostile, true);
    cluster.pump = move;
    own_cluster_start(&cluster);
    start_trader();
    return 0;
}

static int end(void **state)
{
    (void)state;
    cluster.pump = NULL;
    if (trader.client)
        oc_client_close(trader.client);
    trader.client = NULL;
    if (hostile.embedded)
        hostile_client_fini(&hostile);
    own_cluster_remove(&cluster);
    temp_file_remove(&secrets);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stranger_does_no_harm),
        cmocka_unit_test(test_nor_at_the_next_start),
    };
    if (argc == 2)
        return member(argv[1]);
    if (!cluster_rig_possible())
        return SKIPPED;
    return cmocka_run_group_tests(tests, begin, end);
}
