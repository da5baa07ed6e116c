/*
 * The stage of the hostile clients. Called by test/integration/test_node_hostile.c.
 *
 * The configuration is small on purpose (backlogs, sessions' timeout), so that limits are met
 * within seconds.
 */
#define _GNU_SOURCE
#include "lib/hostile_rig.h"

#include "base/cycle_clock.h"
#include "host/node.h"
#include "service/exchange.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND INT64_C(1000000000)

/* An answer that takes longer is late, also on a machine that does other things. */
#define LATE_NS (2 * SECOND)

enum {
    CONFIG_MAX = 1024,
    HANDLES_MORE = 4,        /* than at the start, when the hostile have gone */
    RSS_KIB_MORE = 96 << 10, /* backlogs, and logs of streams that are still held */
};

static int64_t now_ns(void)
{
    return (int64_t)clock_wall_ns();
}

static void wait_ms(int64_t milliseconds)
{
    const struct timespec pause = {.tv_sec = milliseconds / 1000,
                                   .tv_nsec = milliseconds % 1000 * 1000000};
    (void)nanosleep(&pause, NULL);
}

/* ---- The venue ------------------------------------------------------------------------------- */

static void on_admin_response(void *context, const oc_response_t *response)
{
    uint64_t *confirmed = context;
    if (response->type != OC_RESPONSE_OUTPUT)
        return;
    assert_int_equal(response->u.output.event.type, OC_EVENT_CONFIRMED);
    (*confirmed)++;
}

static void add_source(oc_client_t *admin, uint32_t id, const char *principal)
{
    oc_command_t source = {.type = OC_COMMAND_SOURCE_ADD};
    oc_request_t bind = {.type = OC_REQUEST_PRINCIPAL};
    source.u.source.id.value = id;
    source.u.source.roles = OC_ROLE_TRADE;
    bind.u.principal.source.value = id;
    (void)snprintf(bind.u.principal.principal.name, OC_PRINCIPAL_SIZE, "%s", principal);
    assert_int_equal(oc_client_send(admin, &source, NULL), OC_ERR_OK);
    assert_int_equal(oc_client_flush(admin), OC_ERR_OK);
    assert_int_equal(oc_client_request(admin, &bind), OC_ERR_OK);
}

static void add_instrument(oc_client_t *admin, uint32_t id)
{
    oc_command_t add = {.type = OC_COMMAND_INSTRUMENT_ADD, .instrument = {id}};
    add.u.instrument.price_low_ticks = 1;
    add.u.instrument.price_high_ticks = 1000;
    add.u.instrument.max_quantity_lots = 1000;
    add.u.instrument.state = OC_STATE_CONTINUOUS;
    assert_int_equal(oc_client_send(admin, &add, NULL), OC_ERR_OK);
}

static void prepare_venue(hostile_rig_t *self)
{
    oc_client_config_t config;
    oc_client_t *admin;
    uint64_t confirmed = 0;
    uint64_t sequence = 0;
    oc_client_config_init(&config);
    config.ingress = self->node.ingress;
    config.source.value = 1;
    config.principal = "admin";
    config.secret = self->admin_secret;
    config.secret_length = self->admin_secret != NULL ? strlen(self->admin_secret) : 0;
    config.connect_timeout_ns = 20 * SECOND;
    if (oc_client_connect(&admin, &config, on_admin_response, &confirmed) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    add_instrument(admin, GOOD_PAIR_INSTRUMENT);
    add_instrument(admin, GOOD_PAIR_INSTRUMENT + 1);
    for (uint32_t i = 0; i < 2; i++)
        add_source(admin, GOOD_PAIR_SOURCE + i, "trader");
    for (uint32_t i = 0; i < HOSTILE_SOURCES; i++)
        add_source(admin, HOSTILE_SOURCE + i, "hostile");
    oc_command_t last = {.type = OC_COMMAND_RESTRICTION};
    last.u.restriction.clear = OC_RESTRICT_ALL;
    assert_int_equal(oc_client_send(admin, &last, &sequence), OC_ERR_OK);
    const int64_t end = now_ns() + 20 * SECOND;
    while (oc_client_oldest_unanswered(admin) != 0 && now_ns() < end)
        (void)oc_client_poll(admin, 64);
    assert_int_equal(confirmed, sequence);
    oc_client_close(admin);
}

void hostile_rig_start(hostile_rig_t *self, const char *session, const char *secrets_file)
{
    char config[CONFIG_MAX];
    char secrets[CONFIG_MAX / 2] = "";
    if (secrets_file != NULL)
        (void)snprintf(secrets, sizeof secrets, "authentication = secrets\nsecrets_file = %s\n",
                       secrets_file);
    const int length =
        snprintf(config, sizeof config,
                 "[journal]\nsegment_bytes = 16M\nlow_space_bytes = 16M\n"
                 "[session]\nsession_timeout_ms = %d\nsession_backlog_bytes = 1M\n"
                 "backlog_bytes = 16M\n%s%s"
                 "[exchange]\nmax_orders = 65536\nmax_levels = 4096\nmax_sources = 64\n",
                 HOSTILE_TIMEOUT_MS, session, secrets);
    assert_true(length > 0 && (size_t)length < sizeof config);
    node_child_start(&self->node, config);
    prepare_venue(self);
    const char *problem =
        good_pair_start(&self->pair, self->node.ingress, "trader", self->good_secret);
    if (problem != NULL)
        fail_msg("%s", problem);
    wait_ms(300);
    self->before = process_usage(self->node.process.pid);
}

/* ---- The account ----------------------------------------------------------------------------- */

static process_usage_t look(hostile_rig_t *self)
{
    assert_true(child_process_running(&self->node.process));
    const process_usage_t usage = process_usage(self->node.process.pid);
    if (usage.rss_kib > self->rss_kib_most)
        self->rss_kib_most = usage.rss_kib;
    return usage;
}

void hostile_rig_check(hostile_rig_t *self)
{
    const int64_t end = now_ns() + LATE_NS;
    const uint64_t answers = atomic_load(&self->pair.answers);
    (void)look(self);
    while (atomic_load(&self->pair.answers) < answers + 10) {
        if (now_ns() > end)
            fail_msg("good clients are not answered any more: %s",
                     oc_client_reason(self->pair.traders[0].client));
        wait_ms(1);
    }
}

static void await_handles(hostile_rig_t *self)
{
    process_usage_t usage = look(self);
    for (int64_t end = now_ns() + 12 * SECOND;
         usage.handles > self->before.handles + HANDLES_MORE && now_ns() < end; usage = look(self))
        wait_ms(50);
    print_message("node: handles %u -> %u, memory %" PRIu64 " -> %" PRIu64 " MiB, at most %" PRIu64
                  "\n",
                  self->before.handles, usage.handles, self->before.rss_kib >> 10,
                  usage.rss_kib >> 10, self->rss_kib_most >> 10);
    assert_true(usage.handles <= self->before.handles + HANDLES_MORE);
    assert_true(self->rss_kib_most <= self->before.rss_kib + RSS_KIB_MORE);
}

static void judge_pair(hostile_rig_t *self)
{
    good_pair_stop(&self->pair);
    for (int i = 0; i < 2; i++) {
        const good_trader_t *trader = &self->pair.traders[i];
        oc_client_counts_t counts;
        oc_client_counts(trader->client, &counts);
        print_message("good client %d: %" PRIu64 " sent, %" PRIu64
                      " answered, worst %.1f ms, %" PRIu64 " resent, %" PRIu64 " reconnects %s\n",
                      i, trader->sent, trader->answered, (double)trader->worst_ns / 1e6,
                      counts.resent, counts.reconnects, oc_client_reason(trader->client));
    }
    for (int i = 0; i < 2; i++) {
        const good_trader_t *trader = &self->pair.traders[i];
        oc_client_counts_t counts;
        oc_client_counts(trader->client, &counts);
        assert_int_equal(oc_client_state(trader->client), OC_CLIENT_READY);
        assert_int_equal(trader->answered, trader->sent);
        assert_int_equal(trader->wrong, 0);
        assert_int_equal(trader->gaps, 0);
        assert_int_equal(counts.reconnects, 0);
        assert_true(trader->worst_ns < LATE_NS);
    }
    assert_true(self->pair.settled);
    assert_true(self->pair.traders[0].lots > 0);
}

static void close_pair(hostile_rig_t *self)
{
    good_pair_stop(&self->pair);
    for (int i = 0; i < 2; i++) {
        oc_client_close(self->pair.traders[i].client);
        self->pair.traders[i].client = NULL;
    }
}

static void on_tap(void *context, oc_source_id_t source, const oc_output_t *output)
{
    hostile_rig_t *self = context;
    const uint32_t index = source.value - HOSTILE_SOURCE;
    if (source.value < HOSTILE_SOURCE || index >= HOSTILE_SOURCES ||
        output->event.type != OC_EVENT_CANCELLED || output->event.reason != OC_REASON_DISCONNECT)
        return;
    self->sources[index].disconnected++;
    self->sources[index].disconnected_ns = output->time_ns;
}

/* The log through the reference engine; returns the state hash. */
static uint64_t replay(hostile_rig_t *self)
{
    uint8_t bytes[4096];
    size_t length = 0;
    exchange_config_t config;
    exchange_t *exchange;
    node_report_t report;
    exchange_config_init(&config);
    assert_int_equal(node_log_configuration(self->node.log, bytes, sizeof bytes, &length),
                     OC_ERR_OK);
    assert_int_equal(exchange_config_parse(&config, bytes, length), OC_ERR_OK);
    config.engine.kind = OC_ENGINE_REFERENCE;
    assert_int_equal(exchange_create(&exchange, &config), OC_ERR_OK);
    exchange_set_tap(exchange, on_tap, self);
    assert_int_equal(
        node_replay(self->node.log, exchange_service(exchange), NODE_REPLAY_LOG, &report),
        OC_ERR_OK);
    exchange_destroy(exchange);
    return report.state_hash;
}

static void end_node(hostile_rig_t *self)
{
    char text[64];
    int status = -1;
    child_process_t *process = &self->node.process;
    child_process_signal(process, SIGTERM);
    assert_int_equal(child_process_expect(process, "state_hash: ", text, sizeof text, 30 * SECOND),
                     OC_ERR_OK);
    assert_int_equal(child_process_wait(process, &status, 30 * SECOND), OC_ERR_OK);
    assert_int_equal(status, 0);
    assert_int_equal(strtoull(text, NULL, 16), replay(self));
}

void hostile_rig_end(hostile_rig_t *self)
{
    await_handles(self);
    judge_pair(self);
    close_pair(self);
    end_node(self);
    node_child_end(&self->node);
}

void hostile_rig_remove(hostile_rig_t *self)
{
    if (self->node.dir.path[0] == '\0')
        return;
    close_pair(self);
    node_child_end(&self->node);
}
