/*
 * Members that do not do the same, on real clusters: the members run this program, whose exchange
 * does something else than the log says once a file in the member's directory asks for it. Such a
 * member ends, says where and what, does not start again until it is seeded anew, and the others go
 * on; where no majority agrees nobody goes on.
 */
#include "base/cycle_clock.h"
#include "cli/node_setup.h"
#include "cluster/member_run.h"
#include "lib/cluster_rig.h"
#include "lib/own_cluster.h"
#include "outcry/client.h"
#include "service/exchange.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SECOND_NS INT64_C(1000000000)
#define TRADE_NS  (SECOND_NS / 5)

enum {
    SKIPPED = 77,
    MEMBERS = 3,
    WRONG = 2,  /* whose state goes wrong */
    SILENT = 1, /* whose outputs alone do, and who later has another configuration */
    WAIT_S = 60,
    ADMIN = 1, /* a source */
    INSTRUMENT = 7,
    PRICE_LOW = 100,
    PRICES = 900,
    NEW_ORDER = 1, /* template of the message, which has its quantity */
    QUANTITY_AT = 32,
    MESSAGE_MAX = 256,
};

static const char exchange_lines[] = "[exchange]\n"
                                     "max_orders = 4096\n"
                                     "max_levels = 2048\n"
                                     "max_sources = 16\n"
                                     "kept_outputs = 1024\n";

/* ---- The members ---- */

/* The exchange, and what is done to it. */
typedef struct wrapped {
    const oc_service_t *exchange;
    const char *dir;
    bool done; /* one quantity was changed */
} wrapped_t;

static wrapped_t wrapped;

static bool is_asked_for(const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", wrapped.dir, name);
    return access(path, F_OK) == 0;
}

static oc_err_t wrong_message(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                              const void *bytes, size_t length)
{
    _Alignas(8) uint8_t changed[MESSAGE_MAX];
    const uint8_t *message = bytes;
    if (wrapped.done || length <= QUANTITY_AT || length > sizeof changed ||
        message[2] != NEW_ORDER || !is_asked_for("wrong"))
        return wrapped.exchange->message(context, entry, session, bytes, length);
    memcpy(changed, bytes, length);
    changed[QUANTITY_AT]++;
    wrapped.done = true;
    return wrapped.exchange->message(context, entry, session, changed, length);
}

static oc_err_t run(const char *dir)
{
    char file[512];
    member_config_t config;
    exchange_config_t exchange_config;
    exchange_t *exchange;
    (void)snprintf(file, sizeof file, "%s/outcry.conf", dir);
    oc_err_t err =
        member_setup(&(member_setup_t){.config_file = file, .dir = dir}, &config, &exchange_config);
    if (err == OC_ERR_OK)
        err = exchange_create(&exchange, &exchange_config);
    if (err != OC_ERR_OK)
        return err;
    wrapped = (wrapped_t){.exchange = exchange_service(exchange), .dir = dir};
    oc_service_t service = *wrapped.exchange;
    service.message = wrong_message;
    err = member_run(&service, &config);
    exchange_destroy(exchange);
    return err;
}

static int member(const char *dir)
{
    own_cluster_log(dir);
    const oc_err_t err = run(dir);
    if (err != OC_ERR_OK)
        (void)fprintf(stderr, "member: %s: %s\n", oc_err_text(err), oc_err_context());
    return err != OC_ERR_OK;
}

/* ---- Who trades ---- */

static own_cluster_t cluster;

static struct trader {
    oc_client_t *client;
    uint64_t orders; /* each one's id is its number */
    uint64_t accepted;
    int64_t next_ns;
    bool trading; /* an order now and then while members are waited for */
    bool passing; /* of orders that leave nothing behind */
} trader;

static void on_response(void *context, const oc_response_t *response)
{
    (void)context;
    if (response->type != OC_RESPONSE_OUTPUT)
        return;
    assert_int_not_equal(response->u.output.event.type, OC_EVENT_REJECTED);
    trader.accepted += response->u.output.event.type == OC_EVENT_ACCEPTED;
}

static void send_order(void)
{
    const oc_command_t order = {
        .type = OC_COMMAND_NEW,
        .side = OC_SIDE_SELL,
        .time_in_force = trader.passing ? OC_TIF_IOC : OC_TIF_GTC,
        .instrument = {INSTRUMENT},
        .u.order = {.client_order_id = {++trader.orders},
                    .price_ticks = PRICE_LOW + (int64_t)(trader.orders % PRICES),
                    .quantity_lots = 5},
    };
    assert_int_equal(oc_client_send(trader.client, &order, NULL), OC_ERR_OK);
    assert_int_equal(oc_client_flush(trader.client), OC_ERR_OK);
}

static void move_trader(void *context)
{
    const int64_t now_ns = (int64_t)clock_wall_ns();
    (void)context;
    if (trader.trading && now_ns >= trader.next_ns) {
        trader.next_ns = now_ns + TRADE_NS;
        send_order();
    }
    (void)oc_client_poll(trader.client, 64);
    if (oc_client_state(trader.client) == OC_CLIENT_CLOSED)
        own_cluster_fail(&cluster, "the client: %s", oc_client_reason(trader.client));
}

/* Until all is answered. */
static void trade_off(void)
{
    const uint64_t start_ns = clock_wall_ns();
    trader.trading = false;
    while (oc_client_oldest_unanswered(trader.client) != 0) {
        own_cluster_step(&cluster);
        if (clock_wall_ns() - start_ns > WAIT_S * (uint64_t)SECOND_NS)
            own_cluster_fail(&cluster, "no answers");
    }
    assert_int_equal(trader.accepted, trader.orders);
}

/* So many orders that are answered. */
static void trade(uint64_t count)
{
    const uint64_t start_ns = clock_wall_ns();
    const uint64_t goal = trader.accepted + count;
    trader.trading = true;
    while (trader.accepted < goal) {
        own_cluster_step(&cluster);
        if (clock_wall_ns() - start_ns > WAIT_S * (uint64_t)SECOND_NS)
            own_cluster_fail(&cluster, "orders are not answered");
    }
    trade_off();
}

static void start_trader(void)
{
    oc_client_config_t config;
    const oc_command_t add = {
        .type = OC_COMMAND_INSTRUMENT_ADD,
        .instrument = {INSTRUMENT},
        .u.instrument = {.price_low_ticks = 1,
                         .price_high_ticks = PRICE_LOW + PRICES,
                         .max_quantity_lots = 1000,
                         .state = OC_STATE_CONTINUOUS},
    };
    memset(&trader, 0, sizeof trader);
    oc_client_config_init(&config);
    config.ingress = local_cluster_folder(cluster.cluster)->ingress;
    config.principal = "admin";
    config.source.value = ADMIN;
    config.connect_timeout_ns = WAIT_S * SECOND_NS;
    if (oc_client_connect(&trader.client, &config, on_response, NULL) != OC_ERR_OK)
        own_cluster_fail(&cluster, "the client: %s", oc_err_context());
    assert_int_equal(oc_client_send(trader.client, &add, NULL), OC_ERR_OK);
    cluster.pump = move_trader;
    trade_off();
    trade(3);
}

static void stop_trader(void)
{
    cluster.pump = NULL;
    if (trader.client)
        oc_client_close(trader.client);
    trader.client = NULL;
}

/* ---- What a member says at its end ---- */

/* The member ends while orders come. */
static void expect_end(uint32_t member)
{
    trader.trading = true;
    assert_int_equal(own_cluster_wait_end(&cluster, member), 1);
    trade_off();
}

static void expect_said(uint32_t member, const char *text)
{
    if (!own_cluster_said(&cluster, member, text))
        own_cluster_fail(&cluster, "member %u has not said '%s'", member, text);
}

/* The mark's line: where, and both pairs of hashes, what is there being what the member says. */
static void expect_mark(uint32_t member, bool state_differs)
{
    char line[512] = "";
    unsigned long long position;
    unsigned long long hashes[4]; /* state and output here, state and output on most */
    unsigned long long agreed;
    FILE *file = fopen(own_cluster_path(&cluster, member, "diverged"), "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(fclose(file), 0);
    line[strcspn(line, "\n")] = '\0';
    expect_said(member, line);
    assert_int_equal(sscanf(line,
                            "at position %llu the state hash is %llx (output %llx) here, and %llx "
                            "(output %llx) on most members; they agreed last at position %llu",
                            &position, &hashes[0], &hashes[1], &hashes[2], &hashes[3], &agreed),
                     6);
    assert_true(position > 0);
    assert_true(agreed < position);
    assert_int_equal(hashes[0] != hashes[2], state_differs);
    assert_int_not_equal(hashes[1], hashes[3]);
}

/* It is to be looked at before it goes on. */
static void expect_refusal(uint32_t member)
{
    own_cluster_launch(&cluster, member);
    assert_int_equal(own_cluster_wait_end(&cluster, member), 1);
    expect_said(member, "diverged: this member has diverged (at position ");
    expect_said(member, "then seed it anew from another member (outcry cluster seed)");
}

static int diff(uint32_t a, uint32_t b)
{
    char dirs[2][512];
    (void)snprintf(dirs[0], sizeof dirs[0], "%s", own_cluster_path(&cluster, a, NULL));
    (void)snprintf(dirs[1], sizeof dirs[1], "%s", own_cluster_path(&cluster, b, NULL));
    return own_cluster_tool(&cluster,
                            (const char *const[]){"cluster", "diff", dirs[0], dirs[1], NULL});
}

static void expect_output(const char *text)
{
    if (!strstr(cluster.output, text))
        own_cluster_fail(&cluster, "no '%s'", text);
}

static void seed(uint32_t from, uint32_t to)
{
    char dirs[2][512];
    (void)snprintf(dirs[0], sizeof dirs[0], "%s", own_cluster_path(&cluster, from, NULL));
    (void)snprintf(dirs[1], sizeof dirs[1], "%s", own_cluster_path(&cluster, to, NULL));
    own_cluster_wipe(&cluster, to);
    if (own_cluster_tool(&cluster, (const char *const[]){"cluster", "seed", "--from", dirs[0],
                                                         "--to", dirs[1], NULL}) != 0)
        own_cluster_fail(&cluster, "seed");
    own_cluster_start_member(&cluster, to);
}

/* ---- The tests ---- */

/* One quantity is another. */
static void test_state(void **state)
{
    char order[64];
    (void)state;
    (void)own_cluster_settle(&cluster);
    own_cluster_switch(&cluster, WRONG, "wrong", true);
    (void)snprintf(order, sizeof order, "%llu", (unsigned long long)trader.orders + 1);
    expect_end(WRONG);
    expect_mark(WRONG, true);
    expect_said(WRONG, "the state of this member is kept in ");
    expect_refusal(WRONG);
    trade(3);
    (void)own_cluster_settle(&cluster);
    assert_int_equal(diff(0, WRONG), 1);
    expect_output("order");
    expect_output(order);
    assert_int_equal(diff(0, SILENT), 0);
    expect_output("equal");
    seed(own_cluster_leader(&cluster), WRONG);
    trade(3);
    (void)own_cluster_settle(&cluster);
}

/* The states are equal; what was said to clients is not, of an order that found nobody. */
static void test_outputs(void **state)
{
    (void)state;
    trader.passing = true;
    own_cluster_switch(&cluster, SILENT, "wrong", true);
    expect_end(SILENT);
    expect_mark(SILENT, false);
    expect_refusal(SILENT);
    trader.passing = false;
    trade(3);
    (void)own_cluster_settle(&cluster);
    assert_int_equal(diff(0, SILENT), 1);
    expect_output("the states are equal, what was said to clients is not");
}

/* Both texts are of the same length. */
static void change_configuration(uint32_t member, const char *from, const char *to)
{
    char text[4096];
    FILE *file = fopen(own_cluster_path(&cluster, member, "outcry.conf"), "r+");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    char *at = strstr(text, from);
    assert_non_null(at);
    memcpy(at, to, strlen(to));
    rewind(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* A member that lost all, and has been given another configuration, finds out from the log. */
static void test_configuration(void **state)
{
    (void)state;
    own_cluster_wipe(&cluster, SILENT);
    change_configuration(SILENT, "max_orders = 4096", "max_orders = 8192");
    own_cluster_launch(&cluster, SILENT);
    assert_int_equal(own_cluster_wait_end(&cluster, SILENT), 1);
    expect_said(SILENT, "max_orders=4096");
    expect_said(SILENT, "max_orders=8192");
    assert_int_not_equal(access(own_cluster_path(&cluster, SILENT, "diverged"), F_OK), 0);
    change_configuration(SILENT, "max_orders = 8192", "max_orders = 4096");
    own_cluster_start_member(&cluster, SILENT);
    trade(3);
    (void)own_cluster_settle(&cluster);
}

/* Of two that differ nobody can say who is right: both end. */
static void test_split(void **state)
{
    (void)state;
    own_cluster_switch(&cluster, 1, "wrong", true);
    trader.trading = true;
    assert_int_equal(own_cluster_wait_end(&cluster, 0), 1);
    assert_int_equal(own_cluster_wait_end(&cluster, 1), 1);
    for (uint32_t i = 0; i < 2; i++) {
        expect_said(i, "no majority of the members agrees; state hash here ");
        expect_said(i, "the state of this member is kept in ");
    }
    stop_trader();
    expect_refusal(0);
    assert_int_equal(diff(0, 1), 1);
    expect_output("first differing order");
}

static int begin(void **state)
{
    (void)state;
    own_cluster_make(&cluster, MEMBERS, exchange_lines);
    own_cluster_start(&cluster);
    start_trader();
    return 0;
}

static int begin_two(void **state)
{
    (void)state;
    own_cluster_make(&cluster, 2, exchange_lines);
    own_cluster_start(&cluster);
    start_trader();
    return 0;
}

static int end(void **state)
{
    (void)state;
    stop_trader();
    own_cluster_remove(&cluster);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest three[] = {
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_configuration),
    };
    const struct CMUnitTest two[] = {cmocka_unit_test(test_split)};
    if (argc == 2)
        return member(argv[1]);
    if (!cluster_rig_possible())
        return SKIPPED;
    const int failed = cmocka_run_group_tests(three, begin, end);
    return failed + cmocka_run_group_tests(two, begin_two, end);
}
